//! What several processes cost: time, processor time, memory and bytes on the wire for each state, beside threads.

use std::time::Instant;

use sequent_engine::decision::Decision;
use sequent_engine::explicit;
use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::search::{Limits, unwatched};
use sequent_kernel::question::{Case, Goal};

use super::family::{Subject, counters, philosophers, stairs};
use super::{cluster, decide};

/// Prints a table.
pub(crate) fn run(is_large: bool) {
    println!(
        "{:<18} {:>10} {:>7} {:<12} {:>8} {:>8} {:>10} {:>8} {:>8}",
        "system", "states", "levels", "search", "seconds", "cpu s", "states/s", "B/state", "wire B"
    );
    let mut subjects = vec![counters(1, 20_000), counters(6, 10), stairs(6, 10), philosophers(11)];
    if is_large {
        subjects.extend([counters(7, 10), stairs(7, 10), philosophers(13)]);
    }
    for subject in subjects {
        measure(&subject);
    }
}

/// All states of a system: nothing is looked for that is there.
fn measure(subject: &Subject) {
    let mut system = subject.system.clone();
    let nothing = system.terms.truth(false);
    let case = &Case::new(&system.into(), Goal::State(nothing));
    let mut expected = None;
    let mut check = |decision: &Decision<'_>| {
        let told = (decision.answer.clone(), decision.states);
        assert_eq!(expected.get_or_insert_with(|| told.clone()), &told, "{}", subject.name);
        decision.states
    };
    for threads in [1, 2] {
        let (start, before) = (Instant::now(), processor(&[std::process::id()]));
        let program = Program::new(&case.system);
        let decision =
            explicit::decide(case, &mut StateGraph::new(&program), &Limits::default(), threads, &unwatched);
        let used = processor(&[std::process::id()]) - before;
        row(subject, check(&decision), &format!("{threads} threads"), start, used, None);
    }
    for processes in [1, 2, 4] {
        let (cluster, workers) = cluster(processes);
        let (start, before) = (Instant::now(), processor(&workers));
        let decision = decide(&cluster, case, Limits::default(), &unwatched);
        let used = processor(&workers) - before;
        let traffic = cluster.traffic();
        let told = (traffic.depth, traffic.bytes, traffic.sent);
        row(subject, check(&decision), &format!("{processes} processes"), start, used, Some(told));
    }
}

fn row(
    subject: &Subject,
    states: usize,
    search: &str,
    start: Instant,
    used: f64,
    told: Option<(u64, u64, u64)>,
) {
    let seconds = start.elapsed().as_secs_f64();
    let each = |value: u64| format!("{:.1}", value as f64 / states as f64);
    let (depth, bytes, sent) = match told {
        Some((depth, bytes, sent)) => (depth.to_string(), each(bytes), each(sent)),
        None => <_>::default(),
    };
    println!(
        "{:<18} {states:>10} {depth:>7} {search:<12} {seconds:>8.2} {used:>8.2} {:>10.0} {bytes:>8} {sent:>8}",
        subject.name,
        states as f64 / seconds
    );
}

/// Seconds of processor time of some processes, where the system tells; a tick is a hundredth.
fn processor(processes: &[u32]) -> f64 {
    let ticks = |process: &u32| {
        let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        let mut words = text.rsplit_once(") ")?.1.split(' ').skip(11);
        Some(words.next()?.parse::<u64>().ok()? + words.next()?.parse::<u64>().ok()?)
    };
    processes.iter().filter_map(ticks).sum::<u64>() as f64 / 100.0
}
