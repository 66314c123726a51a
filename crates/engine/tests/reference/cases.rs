//! Interactions on which the two sides once differed, as small as they got.

use sequent_kernel::model::Model;
use sequent_kernel::semantics::{Assumptions, Switches};
use sequent_kernel::source::Sources;
use sequent_notation::{Context, NoFiles, resolve};

use crate::compare;

/// Both sides have the same traces under every switch.
fn check(text: &str) {
    let model = read(text);
    let off = Switches::default();
    for switches in [
        Switches { blocking_calls: true, ..off.clone() },
        Switches { independent_guards: true, ..off.clone() },
        Switches { guarded_first: true, ..off.clone() },
        Switches { strict_joints: true, ..off.clone() },
        off,
    ] {
        let assumptions = Assumptions { switches, ..Assumptions::default() };
        let difference = compare(&model, &assumptions).expect("it is small");
        assert!(difference.is_none(), "{assumptions:?}\n{text}{difference}");
    }
}

pub fn read(text: &str) -> Model {
    let mut sources = Sources::new();
    let file = sources.add("case.puml", text);
    let mut diagnostics = Vec::new();
    let mut context = Context { sources: &mut sources, loader: &mut NoFiles, diagnostics: &mut diagnostics };
    let document = sequent_notation::read(file, &mut context);
    let (model, problems) = resolve::resolve(&[document], &sources);
    assert!(diagnostics.is_empty() && problems.is_empty(), "{diagnostics:?} {problems:?}");
    model
}

#[test]
fn a_break_without_content_at_the_end_of_a_loop_ends_it() {
    check("loop (2,2)\na ->> b : m1\nbreak it rains\nend\nend\n");
}

#[test]
fn an_iteration_after_a_break_never_begins() {
    check("loop (2,2)\na ->> b : m1\nbreak it rains\nb ->> b : m2\nend\nend\n");
}

#[test]
fn loops_with_the_same_guard_go_on_independently() {
    check("loop (0,1) it rains\na ->> b : m1\nend\nloop (0,1) it rains\na ->> b : m2\nend\n");
}

#[test]
fn a_strict_loop_may_end_before_its_last_iteration_is_over() {
    check("group sloop (1,2)\nc -> b : m4\nend\ndestroy c\n");
}

#[test]
fn a_choice_under_strict_sequencing_holds_nobody_up() {
    check("a ->> b : m1\ngroup strict\nopt it rains\nb ->> b : m2\nend\nelse\nc ->> d : m3\nend\n");
}

#[test]
fn guards_of_an_empty_alternative_exclude_each_other() {
    check("opt late\nb -> c : m6\nend\nopt early\nb -> c : m7\nend\nalt late\nelse early\nend\n");
}

#[test]
fn one_guard_of_an_alternative_is_true_whatever_was_decided_before() {
    check(
        "opt late\nb -> c : m6\nend\nopt early\nb -> c : m7\nend\nalt late\nb -> c : m8\nelse early\nend\n",
    );
}

#[test]
fn a_false_guard_keeps_ignored_messages_out() {
    check("a ->> b : m6\nb --> a : m2\ngroup ignore {m2} [it snows]\na ->> b : m1\nend\n");
}

#[test]
fn a_fragment_without_occurrences_joins_nothing() {
    check("a ->> b : m3\npar\nend\na --> b : m3\n");
    check("b ->> b : m1\nopt it rains\nb ->> b : m3\nend\na --> b : m2\n");
}

#[test]
fn a_break_that_is_passed_leaves_the_block_one() {
    check("c -> b : m5\nbreak\nend\ngroup seq\na --> c : m6\nend\n");
    check("b -> c : m5\nbreak\nend\nbreak\ndestroy a\nend\n");
}

#[test]
fn only_what_stands_in_the_same_block_is_joined() {
    check("loop (2,2)\na ->> b : m1\nopt it rains\nc ->> d : m2\nend\nend\n");
}

#[test]
fn an_invariant_is_reached_before_what_is_joined_strictly() {
    check(
        "group seq\na ->> d : m1\nelse\nhnote over a : it rains\nb -> c : m4\ngroup ignore {m5}\nend\nend\nb -> c : m5\n",
    );
}

#[test]
fn an_invariant_is_no_occurrence_that_a_call_could_block() {
    check("a -> b : m1\nhnote over a : it rains\nb --> a : m2\n");
}

#[test]
fn else_is_a_guard_and_a_termination_an_occurrence() {
    check("activate c\nalt it rains\ndestroy c\na ->> b : m1\nelse\na ->> b : m2\nc ->> d : m3\nend\n");
}

#[test]
fn a_caller_does_not_wait_for_a_reply_that_a_break_cuts_off() {
    check("a -> b : m1\na ->> c : m2\nbreak it rains\nend\nb --> a : m3\n");
}

#[test]
fn an_option_with_ignored_messages_touches_their_lifelines() {
    check("b --> a : m4\nalt\na ->> a : m1\nelse\ngroup consider {m1, m5}\nend\nend\n");
    check("a ->> b : m5\nalt\nb ->> b : m3\ngroup consider {m3}\nend\nelse\nend\n");
}

#[test]
fn guards_exclude_each_other_beside_an_operand_without_one() {
    check("alt\nopt late\na ->> b : m3\nend\nelse late\nelse early\nend\nopt early\na ->> b : m4\nend\n");
}
