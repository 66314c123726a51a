//! The figures of P0 and the small examples of P2 and P3: their traces, counted.

use std::collections::BTreeMap;

use sequent_engine::traces::{Count, Limits, Traces};
use sequent_kernel::id::Id;
use sequent_kernel::model::InteractionId;
use sequent_kernel::semantics::{Assumptions, Switches, lower};
use sequent_kernel::source::Sources;
use sequent_notation::{Context, NoFiles, resolve};

/// The number of traces of a PlantUML text under some guard values and switches.
fn count(text: &str, guards: &[(&str, bool)], switches: &Switches) -> String {
    let mut sources = Sources::new();
    let file = sources.add("figure.puml", text);
    let mut diagnostics = Vec::new();
    let mut context = Context { sources: &mut sources, loader: &mut NoFiles, diagnostics: &mut diagnostics };
    let document = sequent_notation::read(file, &mut context);
    let (model, problems) = resolve::resolve(&[document], &sources);
    assert!(diagnostics.is_empty() && problems.is_empty(), "{diagnostics:?} {problems:?}");
    let guards: BTreeMap<String, bool> =
        guards.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let assumptions = Assumptions { switches: switches.clone(), guards, ..Assumptions::default() };
    let system =
        lower(&model, InteractionId::from_index(0), &assumptions).expect("every construct is lowered");
    match Traces::explore(&system, Limits::default()).expect("the figures are small").count() {
        Count::Finite(count) => count.to_string(),
        Count::Infinite => "infinite".to_owned(),
    }
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
