//! How quick IC3 proves what no search can look at: `cargo bench -p sequent-engine --bench sat`.
//!
//! Each row is a system with a goal that no run reaches, and the time the proof may take (issue 6, "Must show"). The
//! invariant is then checked by fresh solvers.

#[allow(dead_code)] // Other tests read interactions too.
#[path = "../tests/diagram/mod.rs"]
mod diagram;
#[path = "../tests/sat/ring.rs"]
mod ring;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use sequent_engine::sat::certificate::check;
use sequent_engine::sat::encoding::{Encoding, Pace};
use sequent_engine::sat::ic3;
use sequent_engine::sat::solver::Effort;
use sequent_engine::sat::unbounded::{Argument, Unbounded};
use sequent_kernel::generate::{Asked, Instance, Lowered, crafted};
use sequent_kernel::system::{System, TermId};

use ring::{Ring, ring};

fn main() {
    println!(
        "{:<42} {:>12} {:>7} {:>8} {:>9} {:>9} {:>7} {:>12}",
        "goal that is never reached", "states", "frames", "clauses", "calls", "time", "wanted", "certificate"
    );
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    for stations in [2, 4, 6] {
        let Ring { objects, both, fault } = ring(stations, 4, 1);
        let states = format!(">= {:.1e}", 61_f64.powi(stations as i32));
        for (text, goal) in [("two critical", both), ("an overflow", fault)] {
            let name = format!("{stations} stations, queues: {text}");
            if name.contains(&wanted) {
                row(&name, &states, (&objects.system, goal, Pace::Single), "60 s");
            }
        }
    }
    for (pace, name) in [(Pace::Single, "steps"), (Pace::Together, "transactions")] {
        let name = format!("3 philosophers, {name}: the hardest goal");
        if name.contains(&wanted) {
            philosophers(&name, pace);
        }
    }
}

/// Three philosophers, P4's: of the 216 goals that name a state for everybody the one that takes longest.
fn philosophers(name: &str, pace: Pace) {
    let ensemble = crafted::philosophers(3);
    let states = |player| ensemble.plain(player).states.ids();
    let mut goals = vec![Vec::new()];
    for player in ensemble.players.ids() {
        let longer = |goal: &Vec<_>| {
            states(player).map(|state| [&goal[..], &[(player, state)]].concat()).collect::<Vec<_>>()
        };
        goals = goals.iter().flat_map(longer).collect();
    }
    let mut slowest: Option<(Duration, Lowered)> = None;
    for spots in goals {
        let instance = Instance { ensemble: ensemble.clone(), asked: Asked::Goal(spots), within: None };
        let lowered = instance.lower().expect("it is small");
        let goal = lowered.goal.expect("it is a goal");
        let start = Instant::now();
        let encoding = Encoding::new(&lowered.objects.system, pace, &[goal]).expect("it is small");
        let literal = encoding.truth(goal).expect("it was named");
        let (answer, _) = ic3::prove(&encoding, literal, &patient);
        let time = start.elapsed();
        if matches!(answer, Unbounded::Proved(_)) && slowest.as_ref().is_none_or(|slowest| slowest.0 < time) {
            slowest = Some((time, lowered));
        }
    }
    let (_, Lowered { objects, goal, .. }) = slowest.expect("202 goals are unreachable");
    row(name, "1464", (&objects.system, goal.expect("it is a goal"), pace), "1 s");
}

fn patient(_: Effort) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn row(name: &str, states: &str, (system, goal, pace): (&System, TermId, Pace), limit: &str) {
    let start = Instant::now();
    let encoding = Encoding::new(system, pace, &[goal]).expect("it is small");
    let literal = encoding.truth(goal).expect("it was named");
    let (answer, work) = ic3::prove(&encoding, literal, &patient);
    let time = format!("{:.2} s", start.elapsed().as_secs_f64());
    let Unbounded::Proved(Argument::Invariant(clauses)) = answer else { panic!("{name}: {answer:?}") };
    let start = Instant::now();
    assert_eq!(check(&encoding, literal, &clauses, &patient), Ok(()));
    let checked = format!("{:.2} s", start.elapsed().as_secs_f64());
    println!(
        "{name:<42} {states:>12} {:>7} {:>8} {:>9} {time:>9} {limit:>7} {checked:>12}",
        work.frames,
        clauses.len(),
        work.calls
    );
}
