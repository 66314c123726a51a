//! How quick goals are refuted that no run reaches: `cargo bench -p sequent-engine --bench sat`.
//!
//! The first table is IC3's, for systems that no search can look at: each row has the time that the proof may take (issue 6,
//! "Must show"), and the invariant is then checked by fresh solvers. The second is about bounds: up to a number of transactions, at
//! once and position by position, without any proof for more; and as the program does it, which proves it for all bounds when that
//! is easier. Then the time should not grow any more, and never faster than the bound. Times are those that the processor worked,
//! where the system tells.

use std::ops::ControlFlow;
use std::sync::LazyLock;
use std::time::Instant;

use sequent_engine::sat::bounded::far;
use sequent_engine::sat::bounded::reach::reach_in;
use sequent_engine::sat::encode::Pace;
use sequent_engine::sat::encode::encoding::Encoding;
use sequent_engine::sat::outcome::Bounded;
use sequent_engine::sat::outcome::{ExclusionReason, UnboundedOutcome};
use sequent_engine::sat::prove::certificate::check;
use sequent_engine::sat::prove::ic3;
use sequent_engine::sat::schedule::automata::ComponentAutomata;
use sequent_engine::sat::schedule::plan::{self, Schedule};
use sequent_engine::sat::schedule::timetable::Timetable;
use sequent_engine::sat::solver::{Solver, SolverEffort};
use sequent_engine::sat::unroll::unrolling::Unrolling;
use sequent_evaluation::generate::{
    EnsembleInstance, EnsembleQuestion, GeneratedEnsemble, LoweredInstance, crafted,
};
use sequent_kernel::system::{System, TermId};
use sequent_testing::ring::{Ring, ring};

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
    println!();
    println!(
        "{:<32} {:>5} {:>6} {:>9} {:>12} {:>12} {:>12} {:>11}",
        "no run within k, mean of goals",
        "k",
        "goals",
        "clauses",
        "encoding",
        "solving",
        "slowest",
        "time per k"
    );
    let goals = unreachable(&crafted::philosophers(3));
    // At once the solver gets lost soon after k = 100, by position it takes ever longer.
    let ways = [
        ("at once", at_once as Way, &BOUNDS[..2]),
        ("by position", by_position, &BOUNDS[..4]),
        ("in turns", in_turns, &BOUNDS[..]),
    ];
    for (way, refute, bounds) in ways {
        let name = format!("3 philosophers, {way}");
        if name.contains(&wanted) {
            bounds.iter().for_each(|most| bounded(&name, &goals, *most, refute));
        }
    }
}

/// How many transactions are looked at.
const BOUNDS: [usize; 6] = [50, 100, 200, 300, 400, 500];

/// All goals that name a state for everybody.
fn goals(ensemble: &GeneratedEnsemble) -> impl Iterator<Item = LoweredInstance> + '_ {
    let mut goals = vec![Vec::new()];
    for player in ensemble.players.ids() {
        let states = || ensemble.plain(player).states.ids();
        let longer = |goal: &Vec<_>| {
            states().map(|state| [&goal[..], &[(player, state)]].concat()).collect::<Vec<_>>()
        };
        goals = goals.iter().flat_map(longer).collect();
    }
    goals.into_iter().map(|spots| {
        let instance = EnsembleInstance {
            ensemble: ensemble.clone(),
            asked: EnsembleQuestion::Goal(spots),
            within: None,
        };
        instance.lower().expect("it is small")
    })
}

/// Three philosophers, P4's: of the 216 goals that name a state for everybody the one that takes longest.
fn philosophers(name: &str, pace: Pace) {
    let mut slowest: Option<(u64, LoweredInstance)> = None;
    for lowered in goals(&crafted::philosophers(3)) {
        let goal = lowered.goal.expect("it is a goal");
        let start = worked();
        let encoding = Encoding::new(&lowered.objects.system, pace, &[goal]).expect("it is small");
        let literal = encoding.truth(goal).expect("it was named");
        let (answer, _) = ic3::prove(&encoding, literal, &patient);
        let time = worked() - start;
        if matches!(answer, UnboundedOutcome::Proved(_))
            && slowest.as_ref().is_none_or(|slowest| slowest.0 < time)
        {
            slowest = Some((time, lowered));
        }
    }
    let (_, LoweredInstance { objects, goal, .. }) = slowest.expect("202 goals are unreachable");
    row(name, "1464", (&objects.system, goal.expect("it is a goal"), pace), "1 s");
}

fn patient(_: SolverEffort) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn row(name: &str, states: &str, (system, goal, pace): (&System, TermId, Pace), limit: &str) {
    let start = worked();
    let encoding = Encoding::new(system, pace, &[goal]).expect("it is small");
    let literal = encoding.truth(goal).expect("it was named");
    let (answer, work) = ic3::prove(&encoding, literal, &patient);
    let seconds = |start: u64| format!("{:.2} s", (worked() - start) as f64 / 1e6);
    let time = seconds(start);
    let UnboundedOutcome::Proved(ExclusionReason::Invariant(clauses)) = answer else {
        panic!("{name}: {answer:?}")
    };
    let start = worked();
    assert_eq!(check(&encoding, literal, &clauses, &patient), Ok(()));
    let checked = seconds(start);
    println!(
        "{name:<42} {states:>12} {:>7} {:>8} {:>9} {time:>9} {limit:>7} {checked:>12}",
        work.frames,
        clauses.len(),
        work.calls
    );
}

/// How many goals are asked for at each bound.
const GOALS: usize = 6;

/// Some of those that IC3 proves unreachable, from all over.
fn unreachable(ensemble: &GeneratedEnsemble) -> Vec<LoweredInstance> {
    let is_unreachable = |lowered: &LoweredInstance| {
        let goal = lowered.goal.expect("it is a goal");
        let encoding = Encoding::new(&lowered.objects.system, Pace::Together, &[goal]).expect("it is small");
        let literal = encoding.truth(goal).expect("it was named");
        matches!(ic3::prove(&encoding, literal, &patient).0, UnboundedOutcome::Proved(_))
    };
    let all: Vec<LoweredInstance> = goals(ensemble).filter(is_unreachable).collect();
    let every = all.len().div_ceil(GOALS);
    all.into_iter().step_by(every.max(1)).collect()
}

/// Microseconds of encoding, then of both, and clauses.
type Way = fn(&System, TermId, usize) -> (u64, u64, usize);

/// All positions in one question, by the short form for machines that share nothing but messages.
fn at_once(system: &System, goal: TermId, most: usize) -> (u64, u64, usize) {
    let written = worked();
    let automata = ComponentAutomata::new(system).expect("they share nothing");
    let spots = automata.spots(goal).expect("it names states");
    let table = Timetable::new(&automata, &spots, most);
    let clauses = table.as_ref().map_or(0, |table| Schedule::new(table).clauses().list.len());
    let start = worked();
    let automata = ComponentAutomata::new(system).expect("they share nothing");
    let (answer, _) = plan::within(&automata, &spots, most, &patient);
    let both = worked() - start;
    assert_eq!(answer, Bounded::Nothing(most));
    (start - written, both, clauses)
}

/// One position after the other in one solver, which is asked at each.
fn by_position(system: &System, goal: TermId, most: usize) -> (u64, u64, usize) {
    let encode = || Encoding::new(system, Pace::Together, &[goal]).expect("it is small");
    let written = worked();
    let encoding = encode();
    let mut unrolling = Unrolling::from_start(&encoding, Solver::new(&patient));
    (0..most).for_each(|_| unrolling.extend());
    let start = worked();
    let encoding = encode();
    let literal = encoding.truth(goal).expect("it was named");
    let mut unrolling = Unrolling::from_start(&encoding, Solver::new(&patient));
    let answer = reach_in(&mut unrolling, literal, 0..=most);
    let both = worked() - start;
    assert_eq!(answer, Bounded::Nothing(most));
    (start - written, both, unrolling.solver.effort().clauses)
}

/// As `--within` does it: short runs, then positions and IC3 in turns.
fn in_turns(system: &System, goal: TermId, most: usize) -> (u64, u64, usize) {
    let encode = || Encoding::new(system, Pace::Together, &[goal]).expect("it is small");
    let written = worked();
    encode();
    let start = worked();
    let encoding = encode();
    let literal = encoding.truth(goal).expect("it was named");
    let automata = ComponentAutomata::new(system).expect("they share nothing");
    let spots = automata.spots(goal).expect("it names states");
    let (answer, effort) = far::reach(&encoding, literal, Some((&automata, &spots)), most, &patient);
    let both = worked() - start;
    assert!(matches!(answer, Bounded::Nothing(_) | Bounded::Proved(_)), "{answer:?}");
    (start - written, both, effort.clauses)
}

fn bounded(name: &str, goals: &[LoweredInstance], most: usize, way: Way) {
    let (mut encoding, mut both, mut clauses, mut slowest) = (0, 0, 0, 0);
    for lowered in goals {
        let one = way(&lowered.objects.system, lowered.goal.expect("it is a goal"), most);
        encoding += one.0;
        both += one.1;
        clauses += one.2;
        slowest = slowest.max(one.1);
    }
    let time = |micros: u64, parts: usize| micros as f64 / 1e3 / parts as f64;
    println!(
        "{name:<32} {most:>5} {:>6} {:>9} {:>9.2} ms {:>9.2} ms {:>9.2} ms {:>8.2} us",
        goals.len(),
        clauses / goals.len(),
        time(encoding, goals.len()),
        time(both.saturating_sub(encoding), goals.len()),
        time(slowest, 1),
        1e3 * time(both, goals.len() * most),
    );
}

/// Microseconds that this thread worked, where the system tells; else those that passed.
fn worked() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|number| number.parse::<u64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_micros() as u64, |nanoseconds| nanoseconds / 1_000)
}
