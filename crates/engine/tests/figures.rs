//! The figures of P0 and the small examples of P2 and P3: their traces, counted.

use std::collections::BTreeMap;

use sequent_engine::automaton::{automaton, minimal, prune};
use sequent_engine::packed::Program;
use sequent_engine::search::{Reduction, Search, SearchAnswer, SearchGoal, SearchOptions, unwatched};
use sequent_engine::traces::{TraceCount, TraceLimits, Traces};
use sequent_kernel::id::Id;
use sequent_kernel::model::InteractionId;
use sequent_kernel::replay::replay;
use sequent_kernel::semantics::{Assumptions, Switches, lower};
use sequent_kernel::system::{System, TraceClass};
use sequent_testing::diagram;

/// The system of a PlantUML text under some guard values and switches.
fn system(text: &str, guards: &[(&str, bool)], switches: &Switches) -> System {
    let guards: BTreeMap<String, bool> =
        guards.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let assumptions = Assumptions { switches: switches.clone(), guards, ..Assumptions::default() };
    lower(&diagram::model(text), InteractionId::from_index(0), &assumptions)
        .expect("every construct is lowered")
}

/// The number of traces of a class.
fn count_of(text: &str, guards: &[(&str, bool)], switches: &Switches, class: TraceClass) -> String {
    let system = system(text, guards, switches);
    match Traces::explore(&system, TraceLimits::default()).expect("the figures are small").count_of(class) {
        TraceCount::Finite(count) => count.to_string(),
        TraceCount::Infinite => "infinite".to_owned(),
        TraceCount::Beyond => panic!("the figures have few traces"),
    }
}

/// The number of valid traces.
fn count(text: &str, guards: &[(&str, bool)], switches: &Switches) -> String {
    count_of(text, guards, switches, TraceClass::Valid)
}

/// Valid and invalid traces under some switches, each written `name=value`.
fn both(text: &str, guards: &[(&str, bool)], switches: &[&str]) -> [String; 2] {
    let mut set = Switches::default();
    for switch in switches {
        let (name, value) = switch.split_once('=').expect("a name and a value");
        set.set(name, value).expect("a switch");
    }
    [TraceClass::Valid, TraceClass::Invalid].map(|class| count_of(text, guards, &set, class))
}

/// All valid traces, `s1` and `r1` for the events of m1.
fn listed(text: &str, guards: &[(&str, bool)], switches: &Switches) -> Vec<Vec<String>> {
    let system = system(text, guards, switches);
    let traces = Traces::explore(&system, TraceLimits::default()).expect("the figures are small");
    let (listed, is_all) = traces.list(usize::MAX);
    assert!(is_all);
    let short = |event: &str| {
        let sign = if event.starts_with('!') { 's' } else { 'r' };
        event.replace(|c: char| c != 'm', "").replace('m', &sign.to_string())
            + event.rsplit_once(":m").map_or("", |(_, number)| number)
    };
    listed.iter().map(|trace| trace.iter().map(|event| short(event)).collect()).collect()
}

fn plain(text: &str) -> String {
    count(text, &[], &Switches::default())
}

#[test]
fn figure_1a() {
    assert_eq!(plain("L1 ->> L2 : m1\nL3 ->> L2 : m2\nL3 ->> L2 : m3\n"), "9");
}

const FIGURE_1B: &str = "L1 ->> L2 : m1\npar [cond1]\nL2 ->> L1 : m2\ncritical [cond3]\nL3 ->> L2 : m3\nL2 ->> L3 : m4\n\
    end\nelse [cond2]\nL1 ->> L2 : m5\nL3 ->> L2 : m6\nend\nL1 ->> L2 : m7\n";

#[test]
fn figure_1b() {
    let mu = Switches { guarded_first: true, ..Switches::default() };
    let rows = [
        ((true, true, true), "23747", "5867"),
        ((true, true, false), "73", "25"),
        ((true, false, true), "207", "118"),
        ((true, false, false), "1", "1"),
        ((false, true, true), "40", "23"),
        ((false, true, false), "2", "2"),
    ];
    for ((cond1, cond3, cond2), free, guarded) in rows {
        let guards = [("cond1", cond1), ("cond3", cond3), ("cond2", cond2)];
        assert_eq!(count(FIGURE_1B, &guards, &Switches::default()), free, "{guards:?}");
        assert_eq!(count(FIGURE_1B, &guards, &mu), guarded, "{guards:?} under mu");
    }
    let without_box = FIGURE_1B.replace("critical", "group seq");
    let all = [("cond1", true), ("cond3", true), ("cond2", true)];
    assert_eq!(count(&without_box, &all, &Switches::default()), "87750");
    assert_eq!(count(&without_box, &all, &mu), "19612");
}

#[test]
fn figures_8_and_9_options_and_alternatives() {
    let option = "L1 ->> L2 : m1\nopt cond1\nL2 ->> L3 : m2\nL3 ->> L1 : m3\nend\nL1 ->> L2 : m4\n";
    assert_eq!(count(option, &[("cond1", true)], &Switches::default()), "1");
    assert_eq!(count(option, &[("cond1", false)], &Switches::default()), "2");
    assert_eq!(plain(option), "3");
    let alternative = "L1 ->> L2 : m1\nalt cond1\nL2 ->> L3 : m2\nelse cond2\nL2 ->> L3 : m3\nelse cond3\nL2 ->> L3 : m4\nend\n";
    let independent = Switches { independent_guards: true, ..Switches::default() };
    let rows = [((true, false, true), "2"), ((false, false, false), "1"), ((true, true, true), "3")];
    for ((one, two, three), expected) in rows {
        let guards = [("cond1", one), ("cond2", two), ("cond3", three)];
        assert_eq!(count(alternative, &guards, &independent), expected, "{guards:?}");
    }
    assert_eq!(plain(alternative), "3");
}

#[test]
fn figures_11_and_12_break() {
    let broken = "par [cond1]\nL1 ->> L2 : m1\nbreak cond3\nL2 ->> L1 : m2\nend\nL1 ->> L2 : m3\nelse [cond2]\nL3 ->> L2 : m4\nend\n";
    let rewritten = "par [cond1]\nL1 ->> L2 : m1\nalt cond3\nL2 ->> L1 : m2\nelse\nL1 ->> L2 : m3\nend\nelse [cond2]\nL3 ->> L2 : m4\nend\n";
    for (value, expected) in [(true, "15"), (false, "30")] {
        let guards = [("cond1", true), ("cond2", true), ("cond3", value)];
        assert_eq!(count(broken, &guards, &Switches::default()), expected);
        assert_eq!(count(rewritten, &guards, &Switches::default()), expected);
    }
}

#[test]
fn loops() {
    let body = "L1 ->> L2 : m1\nL2 ->> L3 : m2\nL3 ->> L1 : m3\nend\n";
    assert_eq!(plain(&format!("loop 3 times\n{body}")), "1");
    assert_eq!(plain(&format!("loop (1,3)\n{body}")), "3");
    for (times, expected) in [(1, "2"), (2, "14"), (3, "132"), (4, "1430"), (5, "16796")] {
        assert_eq!(plain(&format!("loop {times} times\na ->> b : a\na ->> b : b\nend\n")), expected);
    }
}

#[test]
fn figures_18_20_21_23_assertion_sequencing_coregion() {
    let asserted = "par\nL2 ->> L3 : m2\ngroup assert\nL3 ->> L2 : m3\nL2 ->> L3 : m4\nend\nelse\nL1 ->> L2 : m5\nL3 ->> L2 : m6\nend\n";
    assert_eq!(plain(asserted), "77");
    assert_eq!(plain(&asserted.replace("group assert", "group seq")), "630");
    let sequenced = "group seq\nL1 ->> L2 : m1\nL2 ->> L3 : m2\nL1 ->> L3 : m3\nelse\nL1 ->> L2 : m4\nend\n";
    assert_eq!(plain(sequenced), "30");
    assert_eq!(plain(&sequenced.replace("group seq", "group strict")), "4");
    let coregion = "group coregion L2\nL1 ->> L2 : m3\nL3 ->> L2 : m4\nend\n";
    assert_eq!(plain(coregion), "6");
    assert_eq!(plain(&coregion.replace("L3", "L1")), "3");
}

#[test]
fn figure_32_a_guard_above_a_fragment_orders_nothing() {
    let text = "opt cond1\npar\nL1 ->> L2 : m1\nelse\nL1 ->> L2 : m2\nend\nend\n";
    let mu = Switches { guarded_first: true, ..Switches::default() };
    assert_eq!(count(text, &[("cond1", true)], &mu), "6");
}

#[test]
fn figure_37_blocking_calls_leave_no_trace() {
    let text =
        "L1 -> L2 : m1\nL2 -> L3 : m2\nL3 -> L1 : m3\nL2 --> L1 : rep1\nL3 --> L2 : rep2\nL1 --> L3 : rep3\n";
    let blocking = Switches { blocking_calls: true, ..Switches::default() };
    assert_eq!(count(text, &[], &blocking), "0");
    assert_ne!(plain(text), "0");
    for reduction in [Reduction::None, Reduction::Deadlocks] {
        let options = SearchOptions { reduction, ..SearchOptions::default() };
        let system = system(text, &[], &blocking);
        let program = Program::new(&system);
        let SearchAnswer::Found(run) = Search::run(&program, SearchGoal::Stuck, &options, &unwatched).answer
        else {
            panic!("it gets stuck");
        };
        replay(&system, &run).expect("the run is one");
        let events: Vec<&str> = run.events(&system).map(|event| system.events[event].text.as_str()).collect();
        assert_eq!(events, ["!L1->L2:m1", "?L1->L2:m1", "!L2->L3:m2", "?L2->L3:m2", "!L3->L1:m3"]);
    }
}

#[test]
fn figures_17_28_29_what_negation_is_worth() {
    let negated = "group neg [cond1]\nL1 ->> L2 : m1\nL3 ->> L2 : m2\nend\n";
    assert_eq!(both(negated, &[("cond1", true)], &[]), ["1", "3"]);
    assert_eq!(both(negated, &[("cond1", false)], &[]), ["1", "0"]);
    assert_eq!(both(negated, &[("cond1", false)], &["false-neg=invalid"]), ["1", "3"]);
    let inside = "L1 ->> L3 : m1\ngroup neg\nL1 ->> L2 : m2\nend\nL3 ->> L2 : m3\n";
    assert_eq!(both(inside, &[], &[]), ["1", "6"]);
    assert_eq!(both(inside, &[], &["enclosing=inconclusive"]), ["1", "0"]);
    // Both run: three traces; the outer one alone: one; none: one.
    let nested = "group neg [cond1]\nL1 ->> L2 : m1\ngroup neg [cond2]\nL3 ->> L2 : m2\nend\nend\n";
    let true_both = [("cond1", true), ("cond2", true)];
    assert_eq!(both(nested, &true_both, &[]), ["1", "4"]);
    assert_eq!(both(nested, &true_both, &["double-neg=valid"]), ["4", "1"]);
    assert_eq!(both(nested, &true_both, &["double-neg=inconclusive"]), ["1", "1"]);
    // Whatever the outer guard, an inconclusive inner one makes it inconclusive.
    assert_eq!(both(nested, &[("cond1", true), ("cond2", false)], &[]), ["1", "1"]);
    assert_eq!(both(nested, &[("cond1", false), ("cond2", true)], &[]), ["1", "0"]);
    assert_eq!(both(nested, &[("cond1", false), ("cond2", true)], &["false-neg=invalid"]), ["1", "4"]);
}

#[test]
fn an_operand_with_a_false_guard_is_inconclusive_or_invalid() {
    let text = "opt cond\na ->> b : p\nend\n";
    assert_eq!(both(text, &[("cond", false)], &[]), ["1", "0"]);
    assert_eq!(both(text, &[("cond", false)], &["false-guard=invalid"]), ["1", "1"]);
    assert_eq!(both(text, &[("cond", true)], &["false-guard=invalid"]), ["1", "0"]);
    assert_eq!(both(text, &[], &["false-guard=invalid"]), ["2", "0"]);
}

#[test]
fn figures_24_and_25_ignore_and_consider() {
    // A type is known by its ends from where it is drawn; here from an operand that never runs.
    let unseen = |name: &str| format!("opt false\nL2 ->> L3 : {name}\nend\n");
    let ignoring = "L1 ->> L2 : m1\ngroup ignore {m3}\nL2 ->> L3 : m2\nend\n".to_owned() + &unseen("m3");
    let once = Switches { ignored: Some(1), ..Switches::default() };
    let traces = listed(&ignoring, &[], &once);
    let (with, without): (Vec<_>, Vec<_>) =
        traces.into_iter().partition(|trace| trace.contains(&"s3".to_owned()));
    assert_eq!((with.len(), without), (6, vec![["s1", "r1", "s2", "r2"].map(str::to_owned).to_vec()]));
    let considering = "L1 ->> L2 : m1\ngroup consider {m2, m3, m5}\nL2 ->> L3 : m2\nL2 ->> L3 : m3\nend\n"
        .to_owned()
        + &unseen("m5")
        + &unseen("m6");
    let traces = listed(&considering, &[], &once);
    let has = |trace: &Vec<String>, event: &str| trace.iter().any(|one| one == event);
    // m1 is no considered type either; these are the traces without a second one.
    let plain: Vec<&Vec<String>> =
        traces.iter().filter(|trace| trace.iter().filter(|event| *event == "s1").count() == 1).collect();
    assert_eq!(plain.iter().filter(|trace| has(trace, "s6")).count(), 30);
    assert_eq!(plain.iter().filter(|trace| !has(trace, "s6")).count(), 2);
    assert!(traces.iter().all(|trace| !has(trace, "s5") && !has(trace, "r5")));
}

#[test]
fn an_ignored_message_may_be_written_and_come_any_number_of_times() {
    let figure_24 = |types: &str| format!("L1 ->> L2 : m1\ngroup ignore {{{types}}}\nL2 ->> L3 : m2\nend\n");
    let count = |types: &str, switch: &str| both(&figure_24(types), &[], &[switch])[0].clone();
    assert_eq!(count("m3", "ignored=any"), "1", "nothing tells who sends it to whom");
    assert_eq!(count("m3: L2 -> L3", "ignored=0"), "1");
    assert_eq!(count("m3: L2 -> L3", "ignored=1"), "7");
    assert_eq!(count("m3: L2 -> L3", "ignored=2"), "37");
    assert_eq!(count("m3: L2 -> L3", "ignored=any"), "infinite");
    assert_eq!(
        count("m3: L2 -> L3, m3: L3 -> L2", "ignored=1"),
        count("m3: L3 -> L2, m3: L2 -> L3", "ignored=1")
    );
}

#[test]
fn guards_may_be_decided_where_a_fragment_is_entered() {
    let twice = "opt c\na ->> b : m1\nend\nopt c\na ->> b : m2\nend\n";
    // Both or none; or each by itself.
    assert_eq!(both(twice, &[], &[])[0], "3");
    assert_eq!(both(twice, &[], &["guard-values=entry"])[0], "5");
    let alt =
        "alt c\na ->> b : m1\nelse d\na ->> b : m2\nelse\na ->> b : m3\nend\nopt d\na ->> b : m4\nend\n";
    assert_eq!(
        both(alt, &[], &[])[0],
        both("alt\na ->> b : m1\nelse\na ->> b : m2\na ->> b : m4\nelse\na ->> b : m3\nend\n", &[], &[])[0]
    );
    assert_eq!(both(alt, &[], &["guard-values=entry"])[0], "9");
}

#[test]
fn an_else_beside_an_operand_without_guard_never_runs_where_guards_are_taken_at_their_word() {
    let text = "alt\na ->> b : m1\nelse\na ->> b : m2\nend\n";
    assert_eq!(both(text, &[], &[])[0], "2");
    assert_eq!(both(text, &[], &["guards=independent"])[0], "1");
}

#[test]
fn figure_34_orders_of_a_negative_diagram_in_figure_1a() {
    assert_eq!(both("group neg\nL1 ->> L2 : m1\nL3 ->> L2 : m3\nend\n", &[], &[]), ["1", "3"]);
    let traces = listed("L1 ->> L2 : m1\nL3 ->> L2 : m2\nL3 ->> L2 : m3\n", &[], &Switches::default());
    let mut orders: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
    for trace in &traces {
        let order = trace.iter().map(String::as_str).filter(|event| !event.ends_with('2'));
        *orders.entry(order.collect()).or_default() += 1;
        assert!(!trace.windows(4).any(|four| four.iter().all(|event| !event.ends_with('2'))));
    }
    let counts: Vec<usize> = orders.values().copied().collect();
    assert_eq!(
        (orders.into_keys().collect::<Vec<_>>(), counts),
        (
            vec![vec!["s1", "r1", "s3", "r3"], vec!["s1", "s3", "r1", "r3"], vec!["s3", "s1", "r1", "r3"]],
            vec![6, 2, 1]
        )
    );
}

#[test]
fn figure_35_figure_1b_does_not_always_follow_the_assertion() {
    let guards = [("cond1", true), ("cond2", true), ("cond3", true)];
    let mu = Switches { guarded_first: true, ..Switches::default() };
    for (switches, all, violating) in [(Switches::default(), 23_747, 20_406), (mu, 5_867, 5_442)] {
        let traces = listed(FIGURE_1B, &guards, &switches);
        // On each lifeline, what directly follows m1 is m2.
        let follows = |trace: &[String], lifeline: &[&str], first: &str, then: &str| {
            let mut own = trace.iter().filter(|event| lifeline.contains(&event.as_str()));
            own.by_ref().any(|event| event == first) && own.next().is_some_and(|event| event == then)
        };
        let fine = |trace: &&Vec<String>| {
            follows(trace, &["s1", "r2", "s5", "s7"], "s1", "r2")
                && follows(trace, &["r1", "s2", "r3", "s4", "r5", "r6", "r7"], "r1", "s2")
        };
        assert_eq!((traces.len(), traces.len() - traces.iter().filter(fine).count()), (all, violating));
    }
}

/// States and transitions of the automaton.
fn size(text: &str) -> (usize, usize) {
    let system = system(text, &[], &Switches::default());
    let traces = Traces::explore(&system, TraceLimits::default()).expect("the figures are small");
    assert!(!traces.is_strained(), "{text}");
    let automaton = minimal(&prune(&automaton(traces, TraceClass::Valid)));
    (automaton.states.len(), automaton.edges.len())
}

#[test]
fn automata_of_the_figures() {
    assert_eq!(size("obj1 ->> obj2 : a\nobj1 ->> obj2 : b\n"), (6, 6));
    assert_eq!(size("par\nobj1 ->> obj2 : a\nelse\nobj1 ->> obj2 : b\nend\n"), (9, 12));
    assert_eq!(size("group seq\nobj1 ->> obj2 : a\nelse\nobj1 ->> obj2 : b\nend\n"), (6, 6));
    assert_eq!(size("group not\nobj1 ->> obj2 : a\nobj1 ->> obj2 : b\nend\n"), (7, 13));
    for n in 1..=6 {
        let row: String = (0..n).map(|number| format!("a ->> b : m{number}\n")).collect();
        assert_eq!(size(&row), ((n + 1) * (n + 2) / 2, n * (n + 1)));
        let pairs: String = (0..n).map(|number| format!("a{number} ->> b{number} : m\n")).collect();
        assert_eq!(size(&pairs).0, 3_usize.pow(n as u32));
        let lone: String = (0..n).map(|number| format!("a{number} ->>] : m\n")).collect();
        assert_eq!(size(&lone).0, 2_usize.pow(n as u32));
    }
    // A loop without bound whose messages tie the lifelines together comes back to its beginning.
    assert_eq!(size("loop\na ->> b : ping\nb ->> a : pong\nend\n"), (4, 4));
}

#[test]
fn small_examples_of_spin() {
    assert_eq!(plain("a ->> b : p\na ->> b : q\n"), "2");
    assert_eq!(plain("alt\na ->> b : p\nelse\na ->> b : q\nend\n"), "2");
    assert_eq!(plain("opt\na ->> b : p\nend\n"), "2");
    assert_eq!(plain("par\na ->> b : p\nelse\na ->> b : q\nend\n"), "6");
    assert_eq!(plain("loop 2 times\na ->> b : p\nend\n"), "2");
}

#[test]
fn many_messages_in_a_row_are_counted_not_listed() {
    let text: String = (0..40).map(|number| format!("a ->> b : m{number}\n")).collect();
    // The Catalan number C(40).
    assert_eq!(plain(&text), "2622127042276492108820");
}
