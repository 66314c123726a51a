//! Verdicts about runs in cases where one is easily wrong: loops whose iterations run ahead, guards that are merely named,
//! properties with choices, diagrams with errors.

use std::cell::Cell;
use std::ops::ControlFlow;

use sequent::effort::Effort;
use sequent::pipeline;
use sequent::settings::Settings;
use sequent_engine::search::Progress;
use sequent_kernel::source::Sources;
use sequent_notation::NoFiles;

/// The verdicts on a file, each with the diagram it is about.
fn verdicts(text: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let file = sources.add("case.puml", text);
    let settings = Settings::default();
    let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &settings);
    let outcome = pipeline::check(&reading, &settings, &Effort::default());
    let told = |answer: &sequent_kernel::verdict::Answer| {
        let vacuous = if answer.vacuous.is_some() { " vacuously" } else { "" };
        format!("{}: {}{vacuous}", answer.target.clone().unwrap_or_default(), answer.verdict.name())
    };
    outcome.answers.iter().map(told).collect()
}

fn check(diagram: &str, formulas: &[(&str, &str)]) {
    let asked: String = formulas.iter().map(|(formula, _)| format!("' @ltl {formula}\n")).collect();
    let text = format!("@startuml X\n{asked}{diagram}@enduml\n");
    let expected: Vec<String> = formulas.iter().map(|(_, verdict)| format!("X: {verdict}")).collect();
    assert_eq!(verdicts(&text), expected, "{text}");
}

#[test]
fn an_occurrence_may_happen_a_round_ahead_once_and_in_step_ever_after() {
    let ahead = "(sent(m) & (!received(done) S sent(k)))";
    let formula = format!("!(F {ahead} & G (sent(k) -> X received(k)) & F G !{ahead})");
    let round = "a ->> b : m\nb ->> a : k\nb ->> c : n\nc ->> b : done\n";
    check(&format!("loop (inf)\n{round}end\n"), &[(&formula, "fails")]);
    check(&format!("{round}{round}loop (inf)\n{round}end\n"), &[(&formula, "fails")]);
}

#[test]
fn what_a_loop_has_no_room_for_is_not_told_as_missing() {
    check(
        "loop (inf)\nsensor ->> hub : sample\nend\nloop (2,*)\nuser ->> hub : query\nend\n",
        &[("F (sent(query) & X F sent(query))", "unknown")],
    );
}

#[test]
fn an_ordering_out_of_a_loop_is_kept_by_every_iteration() {
    check(
        "par\nloop\na ->> b : x\nb ->> a : x2\nend\nelse\nc ->> d : y\nend\n' @order ?x < !y\n",
        &[("G (sent(y) -> G !sent(x))", "holds"), ("F sent(y)", "fails")],
    );
}

#[test]
fn an_invariant_with_several_worlds_is_not_put_off() {
    check(
        "par\nloop (inf)\na ->> b : x\nb ->> a : y\nend\nelse\nhnote over c : p or q\nc ->> d : late\nend\n",
        &[("F sent(late)", "holds"), ("p -> F sent(late)", "holds"), ("(p | !p) & F sent(late)", "holds")],
    );
}

#[test]
fn to_name_a_guard_changes_nothing() {
    let diagram = "group not\nalt p\na ->> b : x\nelse\na ->> b : y\nend\nend\nopt p\na ->> b : z\nend\n";
    let formula = "!(X (sent(x) & X (received(x) & X end)))";
    check(diagram, &[(formula, "holds"), (&format!("(p | !p) & {formula}"), "holds")]);
}

#[test]
fn a_premise_is_asked_where_it_stands() {
    check(
        "a ->> b : p\na ->> b : q\n",
        &[
            ("sent(p) -> F sent(q)", "holds vacuously"),
            ("G (sent(p) -> F sent(q))", "holds"),
            ("G (sent(q) & sent(p) -> F sent(q))", "holds vacuously"),
            ("!sent(q) W sent(p)", "holds"),
        ],
    );
}

#[test]
fn one_of_several_forbidden_things_is_enough() {
    let text = "@startuml Small\na ->> b : x\n@enduml\n@startuml Big\ngroup neg\na ->> b : y\nend\ngroup neg\na ->> b : x\n\
        end\na ->> b : z\n@enduml\n@startuml Wrong\n' @safe strongly\ngroup neg\nalt one\na ->> b : x\nelse two\na ->> b : y\nend\n\
        end\n@enduml\n";
    assert_eq!(verdicts(text), ["Small: fails", "Big: holds vacuously"]);
}

#[test]
fn a_property_with_errors_is_not_asked() {
    let text = "@startuml Model\na ->> b : x\na ->> b : y\n@enduml\n@startuml Wrong\n' @safe\ngroup neg\na ->> b : x\na ->> b : y\n\
        end\n' @order ?y < ?x\n@enduml\n";
    assert_eq!(verdicts(text), ["Model: unknown"]);
}

#[test]
fn what_stands_above_an_assert_may_go_on_forever_elsewhere() {
    let text = "@startuml Model\na ->> b : x\na ->> b : z\na ->> b : y\nc ->> d : tick\n@enduml\n@startuml Must\n' @consistent\npar\n\
        loop (inf)\nc ->> d : tick\nend\nelse\na ->> b : x\nend\ngroup assert\na ->> b : y\nend\n@enduml\n";
    assert_eq!(verdicts(text), ["Model: fails"]);
}

#[test]
fn an_assert_that_goes_on_forever_is_followed_forever() {
    let text = "@startuml Model\nloop (inf)\na ->> b : req\nb ->> a : ans\nend\n@enduml\n@startuml Must\n' @consistent\ngroup assert\n\
        loop (inf)\na ->> b : req\nb ->> a : ans\nend\nend\n@enduml\n";
    assert_eq!(verdicts(text), ["Model: holds"]);
}

#[test]
fn questions_have_their_time_before_what_nobody_asked_for() {
    // The more often somebody looks at the clock, the later it is.
    let time = Cell::new(0);
    let clock = || {
        time.set(time.get() + 1);
        time.get()
    };
    let until = 20;
    let watch = |_: &Progress| match clock() > until {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let effort = Effort { watch: &watch, clock: Some(&clock), until: Some(until), ..Effort::default() };
    let region =
        |name: &str| format!("a ->> b : {name}1\ncritical\nb ->> a : {name}2\na ->> b : {name}3\nend\n");
    let regions = ["p", "q", "r", "s", "t"].map(region).join("else\n");
    let text = format!("@startuml X\n' @ltl G !sent(p1)\npar\n{regions}end\n@enduml\n");
    let mut sources = Sources::new();
    let file = sources.add("case.puml", text.as_str());
    let settings = Settings::default();
    let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &settings);
    let outcome = pipeline::check(&reading, &settings, &effort);
    let told: Vec<(&str, &str)> =
        outcome.answers.iter().map(|answer| (answer.kind, answer.verdict.name())).collect();
    assert_eq!(told, [("ltl", "fails"), ("deadlock", "unknown")]);
}

/// PlantUML draws `else else` as it is written; it is the last operand, of each `alt` its own.
#[test]
fn an_operand_named_else_is_the_last_one() {
    let inner = "alt b\nx -> y : two\nelse else\nx -> y : three\nend\n";
    check(
        &format!("alt a\n{inner}else else\nx -> y : four\nend\n"),
        &[("G !received(three)", "fails"), ("G !received(four)", "fails")],
    );
}

/// What diagrams ask of each other by themselves is worth less work than what somebody wrote.
#[test]
fn questions_that_nobody_wrote_cost_less() {
    let parts: Vec<String> = (0..7).map(|number| format!("a{number} ->> b{number} : m{number}\n")).collect();
    let model = format!("@startuml Wide\npar\n{}end\n@enduml\n", parts.join("else\n"));
    let never = |asked: &str| {
        format!("@startuml Never\n{asked}group neg\na0 ->> b0 : m0\na1 ->> b1 : m1\nend\n@enduml\n")
    };
    // How much work it takes until all is decided.
    let work = |asked: &str| {
        let mut sources = Sources::new();
        let file = sources.add("case.puml", model.clone() + &never(asked));
        let settings = Settings::default();
        let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &settings);
        let is_decided = |looks: &usize| {
            let effort = Effort { looks: *looks, ..Effort::default() };
            let answers = pipeline::check(&reading, &settings, &effort).answers;
            !answers.is_empty() && answers.iter().all(|answer| answer.verdict.name() != "unknown")
        };
        (0..16).map(|power| 100 << power).find(is_decided)
    };
    let (written, implied) = (work("' @safe strongly\n' @safe weakly\n"), work(""));
    assert!(written.is_some() && implied >= written.map(|looks| 2 * looks), "{written:?} {implied:?}");
}
