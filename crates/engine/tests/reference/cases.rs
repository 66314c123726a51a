//! Interactions on which the two sides once differed, as small as they got.

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::id::Id;
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::{Assumptions, Switches, lower};
use sequent_kernel::source::Sources;
use sequent_notation::{Context, resolve};

use crate::compare;

/// Both sides have the same traces under every switch.
fn check(text: &str) {
    check_with(text, &[], &[]);
}

/// Both sides have the same traces under every switch, with some more set and some guards fixed.
fn check_with(text: &str, settings: &[(&str, &str)], guards: &[(&str, bool)]) {
    let model = read(text);
    let mut all = vec![Switches::default()];
    for (name, values) in Switches::TABLE {
        for value in &values[1..] {
            let mut switches = Switches::default();
            let value = if *value == Switches::NUMBER { "1" } else { value };
            switches.set(name, value).expect("it stands in the table");
            all.push(switches);
        }
    }
    for mut switches in all {
        settings.iter().for_each(|(name, value)| switches.set(name, value).expect("it is a switch"));
        let guards = guards.iter().map(|(text, value)| ((*text).to_owned(), *value)).collect();
        let assumptions = Assumptions { switches, guards, ..Assumptions::default() };
        let difference = compare(&model, &assumptions).expect("it is small");
        assert!(difference.is_none(), "{assumptions:?}\n{text}{difference}");
    }
}

pub(crate) fn read(text: &str) -> Model {
    let mut sources = Sources::new();
    let file = sources.add("case.puml", text);
    let mut diagnostics = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut diagnostics);
    let document = sequent_notation::read(file, &mut context);
    let (model, problems) = resolve::resolve(&[document], &sources);
    let is_surplus = |problem: &Diagnostic| problem.code == Code::TooManyOperands;
    diagnostics.extend(problems.into_iter().filter(|problem| !is_surplus(problem)));
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
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
fn a_not_around_a_loop_that_answers_in_each_round() {
    check("group not\nloop\na ->> b : m1\nb ->> a : m2\nend\nend\n");
    check("group not\nloop (1,*)\na -> b : m1\nb --> a : m2\nend\nend\n");
    check("group not\nloop 2 times\na ->> b : m1\nend\nend\n");
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

#[test]
fn a_strict_loop_without_bound_may_end_before_its_last_iteration_is_over() {
    check("group sloop (0,*)\nb -> a : m1\nend\nb -> a : m2\n");
    check("group sloop (0,5000)\nb -> a : m1\nend\nb -> a : m2\n");
}

#[test]
fn a_strict_loop_strains_when_somebody_has_left_it_for_good() {
    check("group sloop (0,*)\nopt\nb ->> c : m4\nend\na ->> c : m6\nend\nb ->>] : m6\n");
}

#[test]
fn a_break_ends_a_loop_that_must_not_end() {
    check("loop (inf)\nbreak\nend\nend\n");
    check("loop (inf)\na ->> b : m1\nbreak\nend\nend\n");
}

#[test]
fn a_loop_that_was_broken_off_runs_nothing_more_although_its_guard_is_false() {
    let text = "group sloop (1,2) [it rains]\nbreak\nend\n[->> a : m1\nend\n";
    check_with(text, &[("false-guard", "invalid")], &[("it rains", false)]);
}

#[test]
fn a_break_behind_a_divider_ends_no_loop() {
    check("loop (2,2)\na ->> b : m2\nelse it rains\nbreak\nend\nend\n");
    check("loop (2,2)\nelse\na ->> b : m3\nbreak\nend\nend\n");
}

#[test]
fn an_alternative_that_touches_nobody_is_settled_all_the_same() {
    check("hnote over b : it is late\nalt true\nelse it is late\nend\n");
}

#[test]
fn a_neg_whose_guard_is_open_may_be_run_although_it_is_false() {
    check_with(
        "group neg [p]\na ->> b : m1\nend\nopt p\na ->> b : m2\nend\n",
        &[("false-neg", "invalid")],
        &[],
    );
    let text = "group neg [p]\ngroup neg\na ->> b : m1\nend\nend\nopt p\na ->> b : m2\nend\n";
    for double in ["invalid", "valid", "inconclusive"] {
        check_with(text, &[("false-neg", "invalid"), ("double-neg", double)], &[]);
    }
}

#[test]
fn a_neg_judges_what_stands_directly_in_it() {
    let text = "group neg\nL1 ->> L2 : m1\ngroup neg\nL3 ->> L2 : m2\nend\nend\n";
    for double in ["invalid", "valid", "inconclusive"] {
        check_with(text, &[("enclosing", "inconclusive"), ("double-neg", double)], &[]);
    }
}

#[test]
fn a_break_that_is_alone_is_enclosed_by_nothing() {
    let settings = [("enclosing", "inconclusive"), ("false-guard", "invalid")];
    check_with("break it is late\nend\n", &settings, &[("it is late", false)]);
}

#[test]
fn what_the_user_says_of_guards_stands() {
    let text =
        "alt p\na ->> b : m1\nelse q\na ->> b : m2\nelse r\na ->> b : m3\nend\nopt r\na ->> b : m4\nend\n";
    for guards in [[("p", true), ("q", true)], [("p", true), ("q", false)], [("p", false), ("q", false)]] {
        check_with(text, &[], &guards);
        check_with(text, &[("false-guard", "invalid")], &guards);
    }
}

#[test]
fn an_operand_that_runs_although_its_guard_is_false_leaves_the_others_as_they_are() {
    let text = "alt p\na ->> b : m1\nelse q\na ->> b : m2\nend\nopt q\na ->> b : m3\nend\n";
    check_with(text, &[("false-guard", "invalid")], &[("p", false)]);
}

#[test]
fn a_not_knows_ends_of_lifelines() {
    check("group not\nend\ndestroy d\n");
}

#[test]
fn a_not_may_have_a_guard() {
    check("group not [it rains]\nend\n");
    check("group not [it rains]\n[->> a : m1\nend\nopt it rains\n[->> a : m1\nend\n");
}

#[test]
fn a_not_that_is_empty_joins_nothing() {
    check("[->> a : m3\ngroup not\n[->> a : m6\nend\ndestroy d\n");
}

#[test]
fn a_not_opens_a_critical_region() {
    check("par\ncritical\ngroup not\nend\nend\nelse\n[->> a : m1\nend\n");
}

#[test]
fn a_not_asks_for_valid_traces_of_its_operand() {
    let text = "group not\ncritical [it snows]\nend\nend\n[->> a : m1\n";
    check_with(text, &[("false-guard", "invalid")], &[("it snows", false)]);
    check("group not\ngroup neg\n[->> a : m1\nend\nend\n");
}

#[test]
fn regions_keep_the_other_operands_of_a_coregion_off() {
    check("group coregion b\ngroup assert\na ->> b : m1\nend\nelse\n[->> b : m6\nend\n");
}

#[test]
fn regions_keep_other_iterations_in_a_coregion_off() {
    check("group coregion b\nloop (1,2)\ncritical\nb ->>] : m4\nb ->> a : m3\nend\nend\nend\n");
}

#[test]
fn coregions_are_nested() {
    check("group coregion a\ngroup coregion b\na ->> a : m4\nb -> a : m1\nend\nend\n");
}

#[test]
fn nobody_gets_ahead_of_the_decision_whether_an_assert_runs() {
    check("par\nbreak\nend\ngroup assert\nc ->> a : m4\nend\nelse\n[->> a : m5\nend\n");
}

#[test]
fn ignored_messages_with_other_arguments_are_others() {
    check("a ->> b : m1(1)\na ->> b : m1(2)\ngroup ignore {m1}\nb ->> a : m2\nend\n");
}

#[test]
fn orderings_hold_within_the_iterations_around_both() {
    check(
        "loop 2 times\nc ->> d : m2\nloop 2 times\na ->> b : x\nend\nb ->> c : go\nend\n' @order !m2 < !x\n",
    );
    check("loop 2 times\nloop (0,1)\na ->> b : m1\nend\nc ->> d : m2\nend\n' @order ?m1 < !m2\n");
    check("loop 2 times\na ->> b : m1\nend\nloop 2 times\nc ->> d : m2\nend\n' @order !m1 < !m2\n");
}

/// The traces are right with the narrowest window, which nothing ever waits for.
fn check_strict(text: &str) {
    check(text);
    let window = Assumptions { window: 1, ..Assumptions::default() };
    let system = lower(&read(text), InteractionId::from_index(0), &window).expect("it is small");
    assert!(system.is_never(system.strained), "nothing waits for a window\n{text}");
}

#[test]
fn a_strict_loop_that_needs_all_its_lifelines_in_every_iteration_needs_no_window() {
    check_strict("group sloop (0,*)\na ->> b : m1\nend\nb ->>] : m2\na ->>] : m3\n");
    check_strict("group sloop (2,*)\na ->> b : m1\nend\nb ->> a : m2\n");
    check_strict("group sloop (1,*)\ngroup sloop (1,*)\na ->> b : m1\nend\n[->> a : m2\nend\nb ->>] : m3\n");
    check_strict(
        "group sloop (0,*)\ngroup sloop (0,*)\na ->> b : m1\nend\n[->> a : m2\n[->> b : m3\nend\nb ->>] : m4\n",
    );
    check_strict(
        "group sloop (0,*)\na ->> b : m1\nbreak x\nb ->>] : m2\nend\na ->> b : m3\nend\nb ->>] : m4\n",
    );
}

#[test]
fn a_lifeline_that_no_later_iteration_needs_goes_on_behind_a_strict_loop() {
    check("loop (0,*)\ngroup sloop (0,*)\n[->> a : m1\nend\n[->> a : m2\nend\na ->>] : m3\n");
    check("group sloop (0,*)\nalt\na ->> b : m1\nelse\n[->> c : m2\nend\nend\nc ->>] : m3\n");
    check("group sloop (0,*)\ngroup sloop (0,*)\na ->> b : m1\nend\n[->> a : m2\nend\nb ->>] : m3\n");
    check("group sloop (0,*)\nopt\na ->> b : m1\nend\nend\na ->>] : m2\n[->> b : m3\n");
    check("group sloop (2,*)\nalt\n[->> a : m1\nelse\n[->> b : m2\nend\nend\na ->>] : m3\nb ->>] : m4\n");
}

#[test]
fn operands_that_ask_the_same_get_the_same_answer() {
    check("par p\na ->> b : m1\nelse p\nc ->> d : m2\nend\n");
    check("par p and not q\nb --> a : m5\nelse not (p implies q)\nb -> a : m1\nend\n");
    check("group strict [p]\na ->> b : m1\nelse !p\nc ->> d : m2\nelse p\na ->> b : m3\nend\n");
    check("loop 2 times\npar p\na ->> b : m1\nelse p\nc ->> a : m2\nend\nend\n");
    check("opt\na ->> b : m1\nelse\npar p\na ->> b : m1\nelse p\nc ->> d : m2\nend\nend\n");
    check("group neg\na ->> b : m1\nelse p\nb ->> a : m2\nelse p\na ->> a : m3\nend\n");
}

#[test]
fn an_ordering_inside_a_not_is_part_of_it() {
    check("group not\na ->> c : m2\nb ->> c : m4\nend\n' @order !m2 < !m4\n");
    check("group not\nopt\na ->> c : m2\nend\nb ->> c : m4\nend\n' @order !m2 < !m4\n");
}

#[test]
fn an_ordering_out_of_a_not_orders_nothing() {
    check("group not\na ->> c : m2\nend\nb ->>] : m4\n' @order !m2 < !m4\n");
    check("[->> a : m2\ngroup not\nb ->> c : m4\nend\n' @order ?m2 < !m4\n");
}

#[test]
fn a_caller_waits_inside_a_not() {
    check("group not\na -> a : m1\na --> a : m2\nend\n");
}
