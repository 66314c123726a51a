//! Verdicts about communicating state machines in cases where one is easily wrong.

use std::collections::BTreeSet;

use sequent::effort::Effort;
use sequent::pipeline::{self, Outcome};
use sequent::settings;
use sequent_kernel::diagnostic::Code;
use sequent_kernel::random::Random;
use sequent_kernel::source::Sources;
use sequent_kernel::verdict::{Answer, Verdict};
use sequent_notation::NoFiles;
use sequent_testing::seeds::seeds;

/// What is found out about some files, by their names.
fn outcome(files: &[(&str, &str)], toml: &str) -> Outcome {
    let mut sources = Sources::new();
    let own = sources.add("sequent.toml", toml);
    let (settings, problems) = settings::read(own, sources.get(own));
    assert!(problems.is_empty(), "{problems:?}");
    let files: Vec<_> = files.iter().map(|(name, text)| sources.add(*name, *text)).collect();
    let reading = pipeline::read(&files, &mut sources, &mut NoFiles, &settings);
    pipeline::check(&reading, &settings, &Effort::default())
}

/// The verdicts on the questions of one file.
fn verdicts(text: &str, toml: &str) -> Vec<String> {
    let told = |answer: &Answer| {
        let vacuous = if answer.vacuous.is_some() { " vacuously" } else { "" };
        let why = match &answer.verdict {
            Verdict::Unknown(why) => format!(" ({})", sequent_report::reason::words(why)),
            Verdict::Holds(_) | Verdict::Fails(_) => String::new(),
        };
        format!("{}{vacuous}{why}", answer.verdict.name())
    };
    outcome(&[("case.puml", text)], toml).answers.iter().map(told).collect()
}

const PING: &str = "\
@startuml Ping
[*] --> Idle
Idle --> Waiting : go / ^pong.ping
Waiting --> Idle : ack
@enduml
@startuml Pong
' @attribute count : 0..3 = 0
[*] --> Up
Up --> Up : ping [count < 2] / count++; ^ping.ack
Up --> Down : ping [count == 2]
@enduml
";

/// Verdicts on scenarios of the two, each with its directive.
fn ping(scenario: &str, questions: &[(&str, &str)]) {
    let asked: String = questions.iter().map(|(question, _)| format!("' @{question}\n")).collect();
    let text = format!("{PING}@startuml X\n{asked}{scenario}@enduml\n");
    let expected: Vec<&str> = questions.iter().map(|(_, verdict)| *verdict).collect();
    assert_eq!(verdicts(&text, ""), expected, "{text}");
}

#[test]
fn the_environment_sends_what_is_drawn() {
    ping(
        "actor u\nu ->> ping : go\nping ->> pong : ping\npong ->> ping : ack\n",
        &[
            ("possible", "holds"),
            ("required", "fails"),
            ("forbidden", "fails"),
            ("possible anchor=start", "holds"),
            ("required anchor=start", "fails"),
            ("possible within=0", "holds"),
        ],
    );
}

#[test]
fn what_is_sent_from_outside_is_drawn_as_found() {
    ping("[->> ping : go\nping ->> pong : ping\npong ->> ping : ack\n", &[("possible", "holds")]);
}

#[test]
fn states_and_values_are_asked_of_the_objects() {
    ping(
        "ping ->> pong : ping\nhnote over pong : count = 1\npong ->> ping : ack\nhnote over ping : Idle\n",
        &[("possible", "holds"), ("possible anchor=start alphabet=own", "holds")],
    );
    ping(
        "ping ->> pong : ping\nhnote over pong : count = 3\npong ->> ping : ack\n",
        &[("possible alphabet=own", "fails")],
    );
    ping(
        "ping ->> pong : ping\nhnote over pong : Down\nhnote over ping : Waiting\n",
        &[("possible alphabet=own", "holds"), ("possible alphabet=own anchor=start", "fails")],
    );
}

#[test]
fn a_misspelt_state_is_no_free_choice() {
    let text = "ping ->> pong : ping\nhnote over pong : inState(Upp)\n";
    let answers = verdicts(&format!("{PING}@startuml X\n' @forbidden\n{text}@enduml\n"), "");
    let [answer] = answers.as_slice() else { panic!("{answers:?}") };
    assert!(answer.starts_with("unknown (") && answer.contains("Upp"), "{answer}");
}

#[test]
fn what_never_begins_is_forbidden_for_nothing() {
    ping("pong ->> ping : ack\nping ->> pong : ack\n", &[("forbidden", "holds vacuously")]);
    ping("pong ->> ping : ack\npong ->> ping : ack\n", &[("forbidden", "holds")]);
    ping("ping ->> pong : pong\n", &[("forbidden", "holds vacuously"), ("possible", "fails")]);
}

#[test]
fn a_full_queue_leaves_open_what_all_runs_do() {
    let text = "\
@startuml Flood
[*] --> On
On --> On : / ^sink.drop
On --> On : never [late] / ^sink.last
@enduml
@startuml Sink
[*] --> Off
Off --> Off : drop
@enduml
@startuml X
' @possible alphabet=own
' @forbidden
' @required alphabet=own
flood ->> sink : drop
flood ->> sink : last
@enduml
@startuml Y
' @possible
flood ->> sink : drop
@enduml
@startuml Z
' @possible alphabet=own
' @forbidden
flood ->> sink : drop
sink ->> flood : drop
@enduml
";
    let answers = verdicts(text, "");
    assert!(
        answers[..2].iter().all(|answer| answer.starts_with("unknown (some run breaks off")),
        "{answers:?}"
    );
    // What the sink never sends comes in no run, however long its queue is.
    assert_eq!(answers[2..], ["fails", "holds", "fails", "holds vacuously"], "{answers:?}");
}

#[test]
fn two_states_of_a_region_exclude_each_other_whatever_breaks_off() {
    let machines = "@startuml A\n[*] --> In\nstate In {\n  [*] --> X\n  X --> Y : go / ^b.p\n  Y --> X : back\n}\nIn --> Out : off\nOut --> In : on\n@enduml\n@startuml B\n[*] --> Z\nZ --> Z : p\n@enduml\n";
    let goal = |goal: &str| {
        verdicts(&format!("{machines}' @x\n"), &format!("[[check]]\nreachable = \"{goal}\"\n")).join(" ")
    };
    assert_eq!(goal("a.X & a.Y"), "fails");
    assert_eq!(goal("a.X & a.Out"), "fails");
    assert_eq!(goal("a.Y & !a.In"), "fails");
    assert_eq!(goal("a.In & a.X"), "holds");
    // What is reached by no run may be by one that breaks off here.
    let open = goal("a.X & b.Z & a.Out");
    assert_eq!(open, "fails");
    assert!(
        goal("!b.Z & a.In").starts_with("unknown (some run breaks off: the queue of B"),
        "{}",
        goal("!b.Z & a.In")
    );
}

#[test]
fn who_could_have_moved_all_along_is_told() {
    let machines = "@startuml Clock\n[*] --> T\nT --> T : / ^lamp.blink\n@enduml\n@startuml P\n' @ltl fair=none F sent(hello)\n[*] --> A\nA --> B : / ^q.hello\n@enduml\n@startuml Q\n[*] --> A\nA --> B : hello\n@enduml\n";
    let line = "could have moved all along: without fairness that is allowed, with weak fairness it is not";
    let told = because(machines);
    assert!(told.contains(&format!("P {line}")), "{told:?}");
    let scenario = "@startuml S\n' @required fair=none alphabet=own\np ->> q : hello\n@enduml\n";
    let told = because(&format!("{}{scenario}", machines.replace("' @ltl fair=none F sent(hello)\n", "")));
    assert!(told.contains(&format!("p {line}")), "{told:?}");
    // Who does move, or cannot, is not.
    let told = because(
        &machines
            .replace("F sent(hello)", "F in(q, C)")
            .replace("hello\n@enduml\n", "hello\nB --> C : never\n@enduml\n"),
    );
    assert!(!told.iter().any(|told| told.starts_with("Q could")), "{told:?}");
}

#[test]
fn who_is_about_to_send_and_what_would_end_the_attempt_is_told() {
    let machines = "@startuml A\n[*] --> X\nX --> Y : go / ^b.p; ^b.q\n@enduml\n@startuml B\n[*] --> Z\nZ --> Z : p\nZ --> Z : q\n@enduml\n";
    let scenario = "@startuml S\n' @possible alphabet=own-objects\na ->> b : p\nb ->> a : r\n@enduml\n";
    let told = because(&format!("{machines}{scenario}"));
    assert!(told.iter().any(|line| line.contains("is about to send `q`")), "{told:?}");
    assert!(
        told.contains(&"`!a->b:q` can happen there; it matters, and ends the attempt".to_owned()),
        "{told:?}"
    );
    let misspelt = "@startuml S\n' @possible\na ->> b : p\nhnote over a : inState(Yx)\n@enduml\n";
    let answers = verdicts(&format!("{machines}{misspelt}"), "");
    assert!(answers[0].contains("no object here has a state `Yx`"), "{answers:?}");
}

#[test]
fn goals_are_reached_in_fewest_steps() {
    let toml = "\
[[check]]
reachable = \"ping.Waiting & pong.Down\"
[[check]]
reachable = \"pong.count = 3\"
[[check]]
reachable = \"pong.Down\"
from = \"pong.count = 2 & ping.Waiting\"
[[check]]
reachable = \"Down\"
from = \"pong.count = 2\"
within = 3
[[check]]
reachable = \"Down\"
from = \"pong.count = 2\"
within = 4
";
    let outcome = outcome(&[("case.puml", PING)], toml);
    let told: Vec<(&str, Option<usize>)> =
        outcome.answers.iter().map(|answer| (answer.verdict.name(), answer.details.length)).collect();
    let expected =
        [("holds", Some(16)), ("fails", None), ("fails", None), ("fails", Some(4)), ("holds", Some(4))];
    assert_eq!(told, expected);
}

#[test]
fn formulas_speak_of_states_events_and_values() {
    let asked = [
        ("G (in(pong, Down) -> G !sent(ack))", "holds"),
        ("G (pong.count = 2 -> F in(pong, Down))", "holds"),
        ("fair=none G (pong.count = 2 -> F in(pong, Down))", "fails"),
        ("G (received(ping) -> in(ping, Waiting))", "holds"),
        ("pong.count < 3", "holds"),
        ("G (pong.count < 2)", "fails"),
        ("G (sent(ack) -> X (in(pong, Up) | in(pong, Down)))", "holds"),
    ];
    let directives: String = asked.iter().map(|(formula, _)| format!("' @ltl {formula}\n")).collect();
    let text = PING.replacen("@startuml Ping\n", &format!("@startuml Ping\n{directives}"), 1);
    let expected: Vec<&str> = asked.iter().map(|(_, verdict)| *verdict).collect();
    assert_eq!(verdicts(&text, ""), expected);
}

#[test]
fn words_that_nobody_knows_are_told_and_folders_that_know_them_are_asked() {
    let toml = "[[check]]\nltl = \"G !in(pong, Sideways)\"\n";
    let codes = |files: &[(&str, &str)], toml: &str| -> Vec<&'static str> {
        outcome(files, toml)
            .diagnostics
            .iter()
            .map(|one| one.code.name())
            .filter(|code| *code == "E502")
            .collect()
    };
    assert_eq!(codes(&[("case.puml", PING)], toml), ["E502"]);
    let toml = "[[check]]\nltl = \"G !in(lamp, Broken)\"\n";
    let lamp = "@startuml Lamp\n[*] --> On\nOn --> Broken : burn\n@enduml\n";
    let files = [("one/ping.puml", PING), ("two/lamp.puml", lamp)];
    assert!(codes(&files, toml).is_empty());
    let outcome = outcome(&files, toml);
    let told: Vec<&str> = outcome.answers.iter().map(|answer| answer.verdict.name()).collect();
    assert_eq!(told, ["fails"]);
}

#[test]
fn classes_of_other_folders_are_others() {
    let one = "@startuml\nclass Lamp {\n level : 0..1 = 0\n}\n@enduml\n@startuml Lamp\n[*] --> On\nOn --> On : up / level++\n@enduml\n";
    let two = one.replace("0..1", "0..5").replace("On --> On : up", "On --> On : up [level < 4]");
    let toml = "[[check]]\nreachable = \"lamp.level = 4\"\n[[check]]\nreachable = \"lamp.level = 1\"\n";
    let outcome = outcome(&[("one/lamp.puml", one), ("two/lamp.puml", &two)], toml);
    let told: Vec<String> = outcome
        .answers
        .iter()
        .map(|answer| format!("{} {:?}", answer.verdict.name(), answer.details.length))
        .collect();
    // The first lamp has no level 4, wherever its runs break off.
    assert_eq!(told, ["fails None", "holds Some(8)", "holds Some(2)", "holds Some(2)"]);
}

/// The machines of P4's reduction of 3X3SAT: one for each variable, which chooses a value and tells the clauses that it makes
/// true, and one for each clause.
fn formula_machines(clauses: &[&[i32]]) -> (String, String) {
    let mut text = String::new();
    let variables = clauses.iter().flat_map(|clause| clause.iter().map(|literal| literal.abs())).max();
    for variable in 1..=variables.unwrap_or(0) {
        text += &format!("@startuml V{variable}\n' @allow W304\n[*] --> i\n");
        for sign in [1, -1] {
            let mut at = "i".to_owned();
            let true_ones = (1..).zip(clauses).filter(|(_, clause)| clause.contains(&(sign * variable)));
            for (number, (clause, _)) in true_ones.enumerate() {
                let next = format!("{}{number}", if sign > 0 { "p" } else { "n" });
                text += &format!("{at} --> {next} : / ^c{clause}v{variable}\n");
                at = next;
            }
        }
        text += "@enduml\n";
    }
    for (number, clause) in (1..).zip(clauses) {
        text += &format!("@startuml C{number}\n[*] --> i\n");
        for literal in *clause {
            let message = format!("c{number}v{}", literal.abs());
            text += &format!("i --> g : {message}\ng --> g : {message}\n");
        }
        text += "@enduml\n";
    }
    let goal: Vec<String> = (1..=clauses.len()).map(|clause| format!("C{clause}.g")).collect();
    (text, goal.join(" & "))
}

#[test]
fn clauses_are_satisfied_in_as_few_transactions_as_the_reduction_says() {
    for (clauses, expected) in [
        (&[&[1, -2][..], &[1, 2], &[3], &[-1, -2, -3]][..], ("holds", Some(6))),
        (&[&[1][..], &[-1, 2], &[-2]][..], ("fails", None)),
    ] {
        let (text, goal) = formula_machines(clauses);
        let toml = format!("[system]\ncommunication = \"rendezvous\"\n[[check]]\nreachable = \"{goal}\"\n");
        let outcome = outcome(&[("case.puml", &text)], &toml);
        let [answer] = outcome.answers.as_slice() else { panic!("one question was asked") };
        assert_eq!((answer.verdict.name(), answer.details.length), expected, "{text}");
    }
}

/// The findings about questions in one file, each with its hint.
fn complaints(text: &str) -> Vec<String> {
    let about_questions = |name: &str| ["E502", "W503"].contains(&name);
    let found = outcome(&[("case.puml", text)], "").diagnostics.into_iter();
    found
        .filter(|one| about_questions(one.code.name()))
        .map(|one| format!("{} {}: {}", one.code.name(), one.message, one.hint.unwrap_or_default()))
        .collect()
}

#[test]
fn events_in_formulas_are_looked_up() {
    let door = |questions: &str| {
        format!(
            "@startuml Door\n{questions}[*] --> Closed\nClosed --> Open : open / ^lamp.light; ^Motor.move(2)\n\
             Open --> Closed : close / ^radio.dark\n@enduml\n@startuml Motor\n[*] --> Still\n\
             Still --> Still : move(speed)\n@enduml\n"
        )
    };
    let complaint = |formula: &str| complaints(&door(&format!("' @ltl {formula}\n")));
    assert_eq!(
        complaint("G !\"!Door->Motr:move(2)\""),
        ["E502 no event is `!Door->Motr:move(2)`: did you mean `!Door->Motor:move(2)`?"]
    );
    assert_eq!(
        complaint("G !sent(light, to=lmap)"),
        ["E502 no object is called `lmap`: did you mean `lamp`?"]
    );
    assert_eq!(
        complaint("G !sent(move(sped=2))"),
        ["E502 no object sends or receives `move` with these arguments: there is `move(2)`"]
    );
    assert_eq!(
        complaint("G !sent(light, to=radio)"),
        ["W503 this can never be true: no event of the objects is like this: \
          it may go the other way round: `from` sends, `to` receives"]
    );
    assert_eq!(complaint("G !sent(light, to=lamp)"), [""; 0]);
    let questions = "' @ltl G !sent(light, to=lamp)\n' @ltl G !sent(dark, partner=radio)\n' @ltl G !sent(move(speed=2))\n\
                     ' @ltl G !\"!Door->lamp:light\"\n";
    assert_eq!(verdicts(&door(questions), ""), ["fails"; 4]);
}

#[test]
fn a_message_that_meets_is_an_event_by_its_text() {
    let text = "@startuml A\n' @ltl G !\"A->B:m\"\n[*] --> S\nS --> T : / ^b.m\n@enduml\n@startuml B\n[*] --> S\nS --> S : m\n@enduml\n";
    assert_eq!(verdicts(text, "[system]\ncommunication = \"rendezvous\"\n"), ["fails"]);
}

#[test]
fn comparisons_with_what_an_attribute_can_never_be_are_told() {
    let till = |question: &str| {
        format!(
            "@startuml Till\n' @attribute n : 0..3 = 0\n' @{question}\n[*] --> A\nA --> A : go [n < 3] / n++\n@enduml\n"
        )
    };
    let told = ["W503 this can never be true, whatever values the attributes have: `Till.n` is 0..3"];
    assert_eq!(complaints(&till("ltl G !(n = 7)")), told);
    assert_eq!(complaints(&till("reachable n > 3")), told);
    assert_eq!(complaints(&till("reachable n = 3")), [""; 0]);
}

/// Why the first question of a file has the answer it has.
fn because(text: &str) -> Vec<String> {
    let outcome = outcome(&[("case.puml", text)], "");
    outcome.answers[0].verdict.story().map(|story| story.because.clone()).unwrap_or_default()
}

#[test]
fn what_ends_an_attempt_is_told() {
    let asked = |question: &str, note: &str| {
        format!(
            "{PING}@startuml X\n' @{question}\nactor u\nu ->> ping : go\nping ->> pong : ping\n{note}pong ->> ping : ack\n@enduml\n"
        )
    };
    assert_eq!(
        because(&asked("required fair=none", ""))[1],
        "X happens up to its event 3, then `!u->ping:go` comes where `?ping->pong:ping` must"
    );
    assert_eq!(
        because(&asked("required fair=none anchor=start", ""))[1],
        "X happens up to its event 2, then `!u->ping:go` comes where `!ping->pong:ping` must"
    );
    assert_eq!(
        because(&asked("possible", "hnote over pong : count = 3\n"))[0],
        "X happens up to its event 4, then `count = 3` does not hold (pong.count = 1)"
    );
}

/// `a` counts n = 0, 1, 2, 0.. and sends it; `b` answers.
const TICK: &str = "\
@startuml A
' @attribute n : 0..2 = 0
[*] --> I
I --> W : / ^b.tick(n)
W --> I : tock [n == 2] / n = 0
W --> I : tock [n < 2] / n++
@enduml
@startuml B
' @attribute seen : 0..2 = 0
[*] --> X
X --> Y : tick(k) / seen = k
Y --> X : / ^a.tock
@enduml
";

/// The verdict on a scenario of the two from the start.
fn tick(toml: &str, question: &str, scenario: &str) -> String {
    let text = format!("{TICK}@startuml S\n' @{question} anchor=start\n{scenario}@enduml\n");
    verdicts(&text, toml).join(", ")
}

const MEDIA: [&str; 3] = [
    "",
    "[system]\ncommunication = \"rendezvous\"\nsteps = \"direct\"\n",
    "[system]\ncommunication = \"rendezvous\"\n",
];

#[test]
fn a_guard_is_asked_where_the_first_occurrence_of_its_operand_comes_to_it() {
    let round = "a ->> b : tick\nb ->> a : tock\n";
    let twice = round.repeat(2);
    // With intermediate states the old value may still be seen when the message that changes it was taken.
    for medium in &MEDIA[..2] {
        for joined in ["", "[semantics]\njoined = \"strictly\"\n"] {
            let toml = format!("{medium}{joined}");
            let verdict = |question: &str, scenario: &str| tick(&toml, question, scenario);
            for (n, holds) in [(0, "fails"), (1, "fails"), (2, "holds")] {
                let alt = format!("alt n == {n}\na ->> b : tick(2)\nelse\na ->> b : tick(0)\nend\n");
                assert_eq!(verdict("possible", &format!("{twice}{alt}")), holds, "{n} {toml}");
                let strict = format!("group strict\n{twice}else\n{alt}end\n");
                assert_eq!(verdict("possible", &strict), holds, "strict {n} {toml}");
                let skipped = if n == 2 { "fails" } else { "holds" };
                let opt = format!("{twice}opt n == {n}\na ->> b : tick(0)\nend\na ->> b : tick(2)\n");
                assert_eq!(verdict("possible", &opt), skipped, "opt {n} {toml}");
                assert_eq!(verdict("required", &opt), skipped, "opt {n} {toml}");
                let other = format!("participant b\nparticipant a\n{twice}{alt}");
                assert_eq!(verdict("possible", &other), holds, "lifelines in another order, {n} {toml}");
            }
            let other = "alt n == 1\na ->> b : tick(0)\nelse\na ->> b : tick(1)\nend\n";
            assert_eq!(verdict("forbidden", &format!("{round}{other}")), "holds", "{toml}");
            for (next, holds) in [(2, "holds"), (0, "fails"), (1, "fails")] {
                let text = format!("loop n < 2\n{round}end\na ->> b : tick({next})\n");
                assert_eq!(verdict("possible", &text), holds, "loop, then {next} {toml}");
            }
            for (n, holds) in [(0, "fails"), (1, "holds"), (2, "fails")] {
                let text = format!("{round}break n == {n}\na ->> b : tick(1)\nend\na ->> b : tick(0)\n");
                assert_eq!(verdict("possible", &text), holds, "break {n} {toml}");
            }
        }
    }
}

#[test]
fn an_invariant_above_a_message_is_asked_before_it() {
    for medium in MEDIA {
        for (question, scenario, holds) in [
            ("possible", "hnote over b : Y\na ->> b : tick(0)\n", "fails"),
            ("possible", "hnote over a : W\na ->> b : tick(0)\n", "fails"),
            ("possible", "hnote over b : X\na ->> b : tick(0)\n", "holds"),
            ("forbidden", "a ->> b : tick(0)\nhnote over a : n == 1\nb ->> a : tock\n", "holds"),
            ("possible", "a ->> b : tick\nhnote over b : X\nb ->> a : tock\n", "fails"),
            ("possible", "a ->> b : tick\nhnote over b : Y\nb ->> a : tock\n", "holds"),
        ] {
            assert_eq!(tick(medium, question, scenario), holds, "{scenario} {medium}");
        }
    }
}

#[test]
fn a_slip_of_the_pen_forbids_nothing() {
    for (scenario, verdict) in [
        ("a ->> b : tick\nb ->> a : tok\n", "holds vacuously"),
        ("a ->> b : tick\nb ->> a : tock\na ->> b : tick(11)\n", "holds vacuously"),
        ("a ->> b : tick\nb ->> aa : tock\n", "holds vacuously"),
        ("a ->> b : tick\nopt\nb ->> a : tok\nend\nb ->> a : tick\n", "holds vacuously"),
        ("a ->> b : tick(0)\nb ->> a : tock\na ->> b : tick(2)\n", "holds"),
        ("a ->> b : tick(1)\nopt\nb ->> a : tok\nend\n", "holds vacuously"),
    ] {
        assert_eq!(tick("", "forbidden alphabet=own", scenario), verdict, "{scenario}");
    }
}

#[test]
fn a_run_bears_the_name_of_the_scenario_that_asks() {
    let text = format!(
        "{PING}@startuml First\n' @possible\npong ->> ping : ack\n@enduml\n@startuml Second\n' @possible\nping ->> pong : ping\n@enduml\n"
    );
    let outcome = outcome(&[("case.puml", &text)], "");
    let names = outcome.answers.iter().filter_map(|answer| Some(&answer.verdict.story()?.drawing.name));
    assert_eq!(names.collect::<Vec<_>>(), ["First", "Second"]);
}

#[test]
fn who_takes_anything_is_sent_what_is_drawn() {
    let machine = "@startuml A\n[*] --> s1\ns1 --> s2 : any\n@enduml\n";
    let drawn = "@startuml X\n' @possible\nb ->> A : foo\n@enduml\n@startuml Y\n' @possible\nb ->> A : foo\nb ->> A : foo\n@enduml\n";
    let text = format!("{machine}{drawn}");
    assert_eq!(verdicts(&text, ""), ["holds", "holds"]);
    assert_eq!(verdicts(&text, "[system]\ncommunication = \"rendezvous\"\n"), ["holds", "fails"]);
}

#[test]
fn a_neg_beside_machines_is_told_how_to_ask_them() {
    let unwanted = "actor u\nu ->> ping : go\nping ->> pong : ping\n";
    let found = |text: String| {
        let outcome = outcome(&[("case.puml", &text)], "");
        let hints = outcome.diagnostics.iter().filter(|one| one.code.name() == "H513");
        hints.filter_map(|one| one.hint.clone()).collect::<Vec<String>>()
    };
    let hints = found(format!("{PING}@startuml X\ngroup neg\n{unwanted}end\n@enduml\n"));
    assert_eq!(
        hints,
        ["to ask it of the state machines, draw its messages without the `neg` and write `@forbidden`"]
    );
    ping(unwanted, &[("forbidden", "fails")]);
    let alone = found(format!("@startuml X\ngroup neg\n{unwanted}end\n@enduml\n"));
    assert_eq!(alone, ["put it into the folder of the diagram that it speaks of"]);
}

#[test]
fn what_may_be_empty_is_possible_vacuously() {
    ping(
        "opt\nping ->> pong : ping\nend\n",
        &[("possible", "holds vacuously"), ("required", "holds vacuously")],
    );
    ping("ping ->> pong : ping\n", &[("possible", "holds")]);
}

#[test]
fn nothing_races_where_objects_meet() {
    let text = "@startuml X\na ->> c : hello\na ->> b : first\nc ->> b : second\n@enduml\n";
    let races = |toml: &str| {
        let outcome = outcome(&[("case.puml", text)], toml);
        outcome.diagnostics.iter().filter(|one| one.code.name() == "W222").count()
    };
    assert_eq!(races(""), 0, "nothing is asked");
    let asked = "[lint]\ndeny = [\"H222\"]\n";
    assert_eq!(races(asked), 1);
    assert_eq!(races(&format!("{asked}[system]\ncommunication = \"rendezvous\"\n")), 0);
}

/// Random objects of two classes, and scenarios with lifelines that name a class alone.
struct Casting {
    random: Random,
    /// Names and first values of the objects of class `A`, and of class `B`.
    objects: [Vec<(String, usize)>; 2],
    machines: String,
}

impl Casting {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut objects = |class: &str, most: usize| -> Vec<(String, usize)> {
            (1..=1 + random.below(most)).map(|at| (format!("{class}{at}"), random.below(2))).collect()
        };
        let objects = [objects("a", 3), objects("b", 2)];
        let mut sends = |to: &str, names: [&str; 2]| -> String {
            let count = random.below(3);
            let all: Vec<String> = (0..count).map(|_| format!("^{to}.{}", names[random.below(2)])).collect();
            if all.is_empty() { "k = k".to_owned() } else { all.join("; ") }
        };
        let machines = format!(
            "@startuml\nclass A {{\n k : 0..1\n}}\nclass B {{\n k : 0..1\n}}\n@enduml\n\
             @startuml A\n[*] --> S\nS --> T : go [k == 0] / {}\nS --> T : go [k == 1] / {}\nT --> T : p / {}\nT --> T : q\n@enduml\n\
             @startuml B\n[*] --> S\nS --> S : x [k == 0] / {}\nS --> S : x [k == 1] / {}\nS --> S : y\n@enduml\n",
            sends("B", ["x", "y"]),
            sends("B", ["x", "y"]),
            sends("B", ["x", "y"]),
            sends("sender", ["p", "q"]),
            sends("sender", ["p", "q"]),
        );
        let listed: String = objects
            .iter()
            .zip(["A", "B"])
            .flat_map(|(all, class)| all.iter().map(move |one| (one, class)))
            .map(|((name, value), class)| {
                format!("object \"{name} : {class}\" as {name} {{\n k = {value}\n}}\n")
            })
            .collect();
        Casting { random, objects, machines: format!("{machines}@startuml\n{listed}@enduml\n") }
    }

    /// The lifelines of a scenario: each of one class, and named or not.
    fn lifelines(&mut self) -> Vec<(usize, Option<String>)> {
        let mut lifelines: Vec<(usize, Option<String>)> = Vec::new();
        for class in [0, 1, self.random.below(2)] {
            let name = self.random.pick(&self.objects[class]).map(|(name, _)| name.clone());
            let name = name.filter(|name| {
                self.random.percent(40) && lifelines.iter().all(|(_, known)| known.as_ref() != Some(name))
            });
            lifelines.push((class, name));
        }
        lifelines
    }

    /// Messages between lifelines by number, one of each class.
    fn messages(&mut self, lifelines: &[(usize, Option<String>)]) -> Vec<(usize, usize, &'static str)> {
        let mut messages = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let from = self.random.below(lifelines.len());
            let others: Vec<usize> =
                (0..lifelines.len()).filter(|at| lifelines[*at].0 != lifelines[from].0).collect();
            let names = [["x", "y"], ["p", "q"]][lifelines[from].0];
            let to = *self.random.pick(&others).expect("there is a lifeline of each class");
            messages.push((from, to, names[self.random.below(2)]));
        }
        messages
    }

    /// The verdict on a scenario whose lifelines have these names, and what is told of it.
    fn asked(
        &self,
        question: &str,
        lifelines: &[(usize, Option<String>)],
        messages: &[(usize, usize, &str)],
    ) -> (String, Vec<String>) {
        let head = |(at, (class, name)): (usize, &(usize, Option<String>))| {
            let name = name.as_deref().unwrap_or_default();
            format!("participant \"{name} : {}\" as l{at}\n", ["A", "B"][*class])
        };
        let heads: String = lifelines.iter().enumerate().map(head).collect();
        let body: String =
            messages.iter().map(|(from, to, name)| format!("l{from} ->> l{to} : {name}\n")).collect();
        let text = format!("{}@startuml X\n' @{question}\n{heads}{body}@enduml\n", self.machines);
        let outcome = outcome(&[("case.puml", &text)], "[system]\ncapacity = 8\n");
        let [answer] = outcome.answers.as_slice() else { panic!("one answer\n{text}") };
        let told = answer.verdict.story().map(|story| story.because.clone()).unwrap_or_default();
        (answer.verdict.name().to_owned(), told)
    }

    /// All ways to name the lifelines, each object once.
    fn named(&self, lifelines: &[(usize, Option<String>)]) -> Vec<Vec<(usize, Option<String>)>> {
        let mut all = vec![Vec::new()];
        for (class, name) in lifelines {
            let names: Vec<&String> = match name {
                Some(name) => vec![name],
                None => self.objects[*class].iter().map(|(name, _)| name).collect(),
            };
            let is_free = |so_far: &[(usize, Option<String>)], name: &String| {
                let others = lifelines.iter().filter(|(_, own)| own.as_ref() == Some(name)).count();
                so_far.iter().all(|(_, known)| known.as_ref() != Some(name)) && others == 0
            };
            all = all
                .iter()
                .flat_map(|so_far: &Vec<(usize, Option<String>)>| {
                    let fits = names.iter().filter(|one| name.is_some() || is_free(so_far, one));
                    fits.map(|one| so_far.iter().cloned().chain([(*class, Some((*one).clone()))]).collect())
                        .collect::<Vec<_>>()
                })
                .collect();
        }
        all
    }
}

/// A lifeline that names a class alone stands for any object of the class: the verdict is what all ways to name it say.
#[test]
fn a_class_alone_stands_for_each_of_its_objects() {
    for seed in seeds(6) {
        let mut casting = Casting::new(seed);
        let lifelines = casting.lifelines();
        let messages = casting.messages(&lifelines);
        let anchor = ["anywhere", "start"][casting.random.below(2)];
        let ways = casting.named(&lifelines);
        for quantifier in ["possible", "forbidden", "required"] {
            let question = format!("{quantifier} alphabet=own anchor={anchor}");
            let (verdict, told) = casting.asked(&question, &lifelines, &messages);
            let each: Vec<String> =
                ways.iter().map(|way| casting.asked(&question, way, &messages).0).collect();
            let settled = if quantifier == "possible" { "holds" } else { "fails" };
            let other = if quantifier == "possible" { "fails" } else { "holds" };
            let expected = match each.iter().any(|one| one == settled) {
                true => settled,
                false if each.iter().any(|one| one == "unknown") => "unknown",
                // With fewer objects than lifelines it never happens.
                false if ways.is_empty() && quantifier == "required" => "fails",
                false => other,
            };
            let case = format!("{question}\n{}{lifelines:?}\n{messages:?}\n{each:?}", casting.machines);
            assert_eq!(verdict, expected, "{case}");
            let is_open =
                lifelines.iter().any(|(class, name)| name.is_none() && casting.objects[*class].len() > 1);
            if verdict == settled && is_open {
                let players = told.last().map(String::as_str).unwrap_or_default();
                let way = ways.iter().zip(&each).find(|(_, one)| *one == settled);
                let named = way.into_iter().flat_map(|(way, _)| way.iter().zip(&lifelines));
                for ((_, name), (class, _)) in
                    named.filter(|(_, (class, own))| own.is_none() && casting.objects[*class].len() > 1)
                {
                    let words =
                        format!("`: {}` is `{}`", ["A", "B"][*class], name.as_deref().unwrap_or_default());
                    assert!(players.contains(&words), "{words} in {told:?}\n{case}");
                }
            }
        }
    }
}

/// Two random machines, and scenarios that show one or two objects of each.
fn folder(random: &mut Random) -> String {
    let mut text = String::new();
    for (class, other) in [("M", "n"), ("N", "m")] {
        let mut lines = format!("@startuml {class}\n[*] --> {class}0\n");
        for _ in 0..3 + random.below(3) {
            let [from, to] = [random.below(3), random.below(3)];
            let send = match random.below(3) {
                0 => String::new(),
                1 => format!(" / ^{other}.t{}", random.below(4)),
                _ => format!(" / ^t{}", random.below(4)),
            };
            lines += &format!("{class}{from} --> {class}{to} : t{}{send}\n", random.below(4));
        }
        text += &format!("{lines}@enduml\n");
    }
    for at in 0..2 {
        let mut heads = String::new();
        let mut names = vec!["u"];
        for (name, class) in [("m1", "M"), ("m2", "M"), ("n1", "N")] {
            if random.percent(50) {
                heads += &format!("participant \"{name} : {class}\" as {name}\n");
                names.push(name);
            }
        }
        let mut body = String::new();
        for _ in 0..1 + random.below(2) {
            let [from, to] =
                [random.pick(&names), random.pick(&names)].map(|one| one.copied().unwrap_or("u"));
            body += &format!("{from} ->> {to} : t{}\n", random.below(4));
        }
        text += &format!("@startuml X{at}\n' @possible alphabet=own\nactor u\n{heads}{body}@enduml\n");
    }
    text
}

/// What is said never to be reached is in no run that is told.
#[test]
fn the_survey_is_about_the_objects_of_the_scenarios() {
    let mut told = 0;
    for seed in seeds(10) {
        let text = folder(&mut Random::new(seed));
        let outcome = outcome(&[("case.puml", &text)], "[system]\ncapacity = 2\n");
        let stories: Vec<_> = outcome.answers.iter().filter_map(|answer| answer.verdict.story()).collect();
        for finding in outcome.diagnostics.iter().filter(|one| one.code.name() == "W632") {
            told += 1;
            let line = &text[finding.span.range()];
            let (_, target) = line.split_once("--> ").expect("it stands at a transition");
            let state = target.split(' ').next().unwrap_or_default();
            let rows = stories.iter().flat_map(|story| &story.log.rows);
            let is_reached = rows.flat_map(|row| &row.standings).any(|standing| standing.states == state);
            assert!(!is_reached, "{state}\n{text}");
        }
    }
    assert!(told > 0, "something is never reached in some of them");
}

/// Words over three letters of a length.
fn words(length: usize) -> Vec<Vec<char>> {
    (0..length).fold(vec![Vec::new()], |words, _| {
        let longer = |word: &Vec<char>| ['a', 'b', 'c'].map(|letter| [&word[..], &[letter]].concat());
        words.iter().flat_map(longer).collect()
    })
}

/// A machine sends three messages in one step, and again and again: what is drawn is whole steps in any order, a part of the steps in
/// any order, or a part of them in the order of the label.
#[test]
fn messages_of_one_step_are_drawn_in_any_order_where_they_count_together() {
    let mut text = String::from("@startuml S\n[*] --> X\nX --> X : / ^a.a; ^b.b; ^c.c\n@enduml\n");
    for name in ["a", "b", "c"] {
        text += &format!("@startuml {name}\n[*] --> Y\nY --> Y : {name}\n@enduml\n");
    }
    let all: Vec<Vec<char>> = (2..=4).flat_map(words).collect();
    for (number, word) in all.iter().enumerate() {
        text += &format!("@startuml Drawn {number}\n' @possible preset=P4\n");
        text += "' @possible preset=P4 effects=unordered\n' @possible effects=ordered\n";
        text.extend(word.iter().map(|letter| format!("S ->> {letter} : {letter}\n")));
        text += "@enduml\n";
    }
    // What is drawn may begin and end within a step: there is a place where whole steps begin.
    let is_step = |part: &[char]| (1..part.len()).all(|at| !part[..at].contains(&part[at]));
    let unordered = |word: &[char]| {
        (0..=3).any(|begin| {
            let (first, rest) = word.split_at(begin.min(word.len()));
            is_step(first) && rest.chunks(3).all(is_step)
        })
    };
    let together = |word: &[char]| word.len().is_multiple_of(3) && word.chunks(3).all(is_step);
    let ordered =
        |word: &[char]| word.windows(2).all(|pair| matches!(pair, ['a', 'b'] | ['b', 'c'] | ['c', 'a']));
    let told = |holds: bool| if holds { "holds" } else { "fails" };
    let readings = |word: &Vec<char>| [together(word), unordered(word), ordered(word)].map(told);
    let expected: Vec<&str> = all.iter().flat_map(readings).collect();
    assert_eq!(verdicts(&text, "[system]\ncommunication = \"rendezvous\"\nclosed = true\n"), expected);
}

/// Lifelines of the environment exchange what they like, before, after and between what machines do.
#[test]
fn what_the_environment_tells_itself_keeps_nothing_back() {
    ping(
        "actor u\nactor v\nv ->> u : wish\nu -> u : think\nu ->> ping : go\nv ->> u : wait\nping ->> pong : ping\n",
        &[("possible", "holds"), ("forbidden", "fails"), ("possible anchor=start", "holds")],
    );
    // What it tells itself first does not bring back what comes too late.
    ping("actor u\nu -> u : think\npong ->> ping : ack\nping ->> pong : ack\n", &[("possible", "fails")]);
    // Where nobody has a machine there is nothing to ask.
    ping("actor u\nactor v\nv ->> u : wish\n", &[("possible", "fails"), ("forbidden", "holds vacuously")]);
    let meets = "[system]\ncommunication = \"rendezvous\"\n";
    let text = format!(
        "{PING}@startuml X\n' @possible\nactor u\nactor v\nv ->> u : wish\nu ->> ping : go\n@enduml\n"
    );
    assert_eq!(verdicts(&text, meets), ["holds"]);
}

/// Two machines that exchange a message and its answer forever, or as often as a counter lets them.
fn rounds(limit: Option<u32>, scenario: &str) -> String {
    let (attribute, guard, effect) = match limit {
        Some(limit) => (format!("' @attribute n : 0..{limit} = 0\n"), format!(" [n < {limit}]"), "n++; "),
        None => (String::new(), String::new(), ""),
    };
    format!(
        "@startuml A\n{attribute}[*] --> s\ns --> w :{guard} / {effect}^b.ping\nw --> s : pong\n@enduml\n\
         @startuml B\n[*] --> s\ns --> s : ping / ^a.pong\n@enduml\n@startuml X\n{scenario}@enduml\n"
    )
}

/// Loops are counted along a run, not written out; each bound is exact.
#[test]
fn rounds_of_a_loop_are_counted() {
    let body = "a ->> b : ping\nb ->> a : pong\nend\n";
    for (bounds, verdict) in [("7,7", "holds"), ("4,9", "holds"), ("8,8", "fails"), ("8,*", "fails")] {
        for toml in ["", "[system]\ncommunication = \"rendezvous\"\n"] {
            let text = rounds(Some(7), &format!("' @possible anchor=start\nloop ({bounds})\n{body}"));
            assert_eq!(verdicts(&text, toml), [verdict], "{bounds} {toml}");
        }
    }
    // Exactly seven rounds, and then nothing more: with `all` the eighth would have to be drawn.
    let after = "' @possible anchor=start\nloop (5,6)\na ->> b : ping\nb ->> a : pong\nend\na ->> b : ping\n";
    assert_eq!(verdicts(&rounds(Some(7), after), ""), ["holds"]);
    let text = rounds(None, &format!("' @possible\nloop (1000,1000)\n{body}"));
    assert_eq!(verdicts(&text, ""), ["holds"]);
}

/// Lifelines of a loop may run ahead of each other by more rounds than are kept apart.
#[test]
fn counted_rounds_may_drift_apart() {
    let machines = "@startuml A\n' @attribute n : 0..5 = 0\n[*] --> s\ns --> s : [n < 5] / n++; ^b.ping\n@enduml\n\
                    @startuml B\n[*] --> s\ns --> s : ping\n@enduml\n";
    let toml = "[system]\ncapacity = 5\n";
    for (bounds, verdict) in [("5,5", "holds"), ("4,5", "holds"), ("6,6", "fails")] {
        let text = format!(
            "{machines}@startuml X\n' @possible anchor=start\nloop ({bounds})\na ->> b : ping\nend\n@enduml\n"
        );
        assert_eq!(verdicts(&text, toml), [verdict], "{bounds}");
        let all = format!(
            "{machines}@startuml X\n' @required anchor=start\nloop ({bounds})\na ->> b : ping\nend\n@enduml\n"
        );
        assert_eq!(verdicts(&all, toml), [verdict], "{bounds}");
    }
}

/// How soon a scenario can begin is told, and it cannot begin sooner.
#[test]
fn the_least_bound_is_told() {
    let scenario = "' @possible within=9\nping ->> pong : ping\nhnote over pong : count = 2\n";
    let text = format!("{PING}@startuml X\n{scenario}@enduml\n");
    for toml in ["", "[system]\ncommunication = \"rendezvous\"\n"] {
        let found = outcome(&[("case.puml", &text)], toml);
        let [answer] = found.answers.as_slice() else { panic!("{:?}", found.answers) };
        let least = answer.details.length.unwrap_or_else(|| panic!("{toml} {answer:?}"));
        let within = |bound: usize| verdicts(&text.replace("within=9", &format!("within={bound}")), toml);
        assert_eq!(within(least), ["holds"], "{toml}");
        assert!(least > 0, "{toml}");
        assert_eq!(within(least - 1), ["fails"], "{toml}");
    }
}

const CAPSULES: &str = "\
@startuml Kinds
class P <<protocol>> {
  <<in>> ask(n : 0..3)
  <<out>> answer(ok : bool)
}
class Server <<capsule>> {
  wd : P <<port>>
}
class Client <<capsule>> {
  srv : P <<port>> <<conjugated>>
}
@enduml
@startuml Server
[*] --> idle
idle --> idle : ask(n) / ^wd.answer(n < 2)
@enduml
@startuml Client
[*] --> c0
c0 --> c1 : go / ^srv.ask(1)
c1 --> c0 : answer(ok) [ok]
@enduml
";

/// Ports that fit each other connect objects that have no links; those outside send what no port speaks of.
#[test]
fn ports_connect_without_links() {
    let lifelines = "participant \"c : Client\" as c\nparticipant \"s : Server\" as s\n";
    let scenario = "u ->> c : go\nc ->> s : ask(1)\ns ->> c : answer(true)\n";
    let drawn = format!("{CAPSULES}@startuml X\n' @possible\n{lifelines}{scenario}@enduml\n");
    assert_eq!(verdicts(&drawn, ""), ["holds"]);
    let objects = "@startuml Who\nobject \"s : Server\" as s\nobject \"c : Client\" as c\n";
    for links in ["", "c::srv -- s::wd\n", "c -- s\n"] {
        let text =
            format!("{CAPSULES}{objects}{links}@enduml\n@startuml X\n' @possible\n{scenario}@enduml\n");
        assert_eq!(verdicts(&text, ""), ["holds"], "{links}");
    }
    // The server takes `ask`, and nobody sends it `answer`.
    let text = format!("{CAPSULES}@startuml X\n' @possible\n{lifelines}u ->> s : answer(true)\n@enduml\n");
    assert_eq!(verdicts(&text, ""), ["fails"]);
}

/// A flat machine: from where, what it takes, where to.
type Arcs<'a> = Vec<(usize, Option<&'a str>, usize)>;

/// Whether some states of a machine, one after the other, take these messages, with steps that take none in between (D13, D14).
fn has_path(arcs: &Arcs<'_>, words: &[&str]) -> bool {
    let mut open: Vec<(usize, usize)> = (0..4).map(|state| (state, 0)).collect();
    let mut seen: BTreeSet<(usize, usize)> = open.iter().copied().collect();
    while let Some((state, done)) = open.pop() {
        if done == words.len() {
            return true;
        }
        for (_, trigger, to) in arcs.iter().filter(|(from, ..)| *from == state) {
            let next = match trigger {
                None => (*to, done),
                Some(trigger) if *trigger == words[done] => (*to, done + 1),
                Some(_) => continue,
            };
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}

/// `@triggers` is what the definition says: each lifeline by itself, from any state on. In a closed system a message that is
/// no trigger counts, in an open one it is a detail.
#[test]
fn triggers_are_asked_of_each_lifeline_by_itself() {
    const WORDS: [&str; 4] = ["alpha", "bravo", "charlie", "zulu"];
    let mut seen = [0; 4];
    for seed in seeds(300) {
        let mut random = Random::new(seed);
        let mut machine = || -> Arcs<'_> {
            let count = 2 + random.below(4);
            let trigger = |number: usize| WORDS[..3].get(number).copied();
            (0..count).map(|_| (random.below(4), trigger(random.below(4)), random.below(4))).collect()
        };
        let machines = [machine(), machine()];
        let mut text = String::new();
        for (name, arcs) in ["a", "b"].iter().zip(&machines) {
            text += &format!("@startuml {name}\n[*] --> s0\n");
            for (from, trigger, to) in arcs {
                let label = trigger.map(|trigger| format!(" : {trigger}")).unwrap_or_default();
                text += &format!("s{from} --> s{to}{label}\n");
            }
            text += "@enduml\n";
        }
        let is_closed = random.below(2) == 0;
        let (mut heard, mut drawn) = ([Vec::new(), Vec::new()], String::new());
        for _ in 0..1 + random.below(5) {
            let (to, word) = (random.below(2), WORDS[random.below(4)]);
            let from = ["u", ["b", "a"][to]][random.below(2)];
            drawn += &format!("{from} ->> {} : {word}\n", ["a", "b"][to]);
            heard[to].push(word);
        }
        text += &format!("@startuml X\n' @triggers\nparticipant a\nparticipant b\n{drawn}@enduml\n");
        let follows = |(arcs, heard): (&Arcs<'_>, &Vec<&str>)| {
            let knows = |word: &str| is_closed || arcs.iter().any(|(_, trigger, _)| *trigger == Some(word));
            let counted: Vec<&str> = heard.iter().copied().filter(|word| knows(word)).collect();
            has_path(arcs, &counted)
        };
        let expected = machines.iter().zip(&heard).all(follows);
        let told = verdicts(&text, &format!("[system]\nclosed = {is_closed}\n"));
        assert_eq!(told, [if expected { "holds" } else { "fails" }], "seed {seed}:\n{text}");
        seen[usize::from(is_closed) * 2 + usize::from(expected)] += 1;
    }
    assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
}

#[test]
fn triggers_say_where_a_lifeline_cannot_go_on() {
    let machines = "@startuml A\n[*] --> s\ns --> t : go\nt --> s : back\n@enduml\n";
    let told = |scenario: &str, toml: &str| {
        let text = format!("{machines}@startuml X\n' @triggers\n{scenario}@enduml\n");
        let outcome = outcome(&[("case.puml", text.as_str())], toml);
        let story = outcome.answers[0].verdict.story().map(|story| story.because.join("; "));
        (outcome.answers[0].verdict.name(), story.unwrap_or_default())
    };
    let holds = ("holds", "`a` receives `back` in `t`, `go` in `s`".to_owned());
    assert_eq!(told("u ->> a : back\nu ->> a : go\n", ""), holds);
    let fails = ("fails", "`a` cannot receive `go`: its state machine is in `t`".to_owned());
    assert_eq!(told("u ->> a : go\nu ->> a : go\n", ""), fails);
    let closed = "[system]\nclosed = true\n";
    let unknown = ("fails", "`a` cannot receive `gone`: its state machine has no such trigger".to_owned());
    assert_eq!(told("u ->> a : gone\n", closed), unknown);
    // Choices hold if some way does; nothing is said about what is not known.
    assert_eq!(told("alt x\nu ->> a : go\nelse\nu ->> a : back\nend\nu ->> a : back\n", "").0, "holds");
    assert_eq!(told("u ->> u : go\n", "").0, "unknown");
}

/// Two objects with an attribute `x` each, and a scenario that happens where the part under the guard is left out.
fn two_with_x(values: [i32; 2], order: [&str; 3], part: &str) -> String {
    let [p, q] = values;
    let lines: String = order.map(|name| format!("participant {name}\n")).concat();
    format!(
        "@startuml P\n' @attribute x : 0..1 = {p}\n[*] --> S\nS --> T : / ^q.m\n@enduml\n\
         @startuml Q\n' @attribute x : 0..1 = {q}\n[*] --> S\nS --> T : m\n@enduml\n\
         @startuml Sc\n' @possible\n{lines}p ->> q : m\n{part}@enduml\n"
    )
}

/// A guard is asked of the lifeline on which it stands: that of the first occurrence that is drawn in its operand, whichever of those in the fragment
/// was declared first.
#[test]
fn a_guard_is_asked_of_the_lifeline_on_which_it_stands() {
    for values in [[0, 1], [1, 0], [0, 0], [1, 1]] {
        for (owner, first) in
            [(0, "p ->> q : r"), (1, "q ->> p : r"), (1, "opt\nq ->> p : r\nend\np ->> q : r")]
        {
            for (guard, of) in [("x", owner), ("p.x", 0), ("q.x", 1)] {
                for order in [["p", "q", "u"], ["u", "q", "p"]] {
                    for kind in ["opt", "alt", "loop", "group break"] {
                        let part = format!("{kind} {guard} == 1\n{first}\nend\n");
                        // Nothing of the part ever happens.
                        let expected = if values[of] == 0 { "holds" } else { "fails" };
                        let part = part.replace("group break", "break");
                        let text = two_with_x(values, order, &part);
                        let found = verdicts(&text, "");
                        assert!(
                            found.len() == 1 && found[0].starts_with(expected),
                            "{found:?}, not {expected}\n{text}"
                        );
                    }
                }
            }
        }
    }
}

/// A name that several objects have is asked of the one on whose lifeline the guard stands, and of none of them where that has none.
#[test]
fn a_guard_that_may_be_asked_of_several_is_not_asked() {
    let part = "opt x == 1\nu ->> p : go\nq ->> p : r\nend\n";
    let found = verdicts(&two_with_x([0, 1], ["p", "q", "u"], part), "");
    assert!(found[0].contains("several objects know `x`"), "{found:?}");
}

/// A value is drawn of an argument, and what is really sent is not known: nothing is known of the scenario, until the parameter is declared.
#[test]
fn drawn_values_of_open_arguments_decide_nothing() {
    let folder = |go: &str, send: &str, take: &str, classes: &str, scenario: &str| {
        format!(
            "@startuml A\n[*] --> S\nS --> T : {go} / ^b.{send}\n@enduml\n@startuml B\n[*] --> U\nU --> V : {take}\n@enduml\n\
             {classes}@startuml Q\n' @possible\n' @forbidden\nparticipant a\nparticipant b\nactor u\n{scenario}@enduml\n"
        )
    };
    let cases = [
        ("go(k)", "m(k)", "m(x)", "u ->> a : go(1)\na ->> b : m(1)\n"),
        ("go(k)", "m(k)", "m(x)", "u ->> a : go\na ->> b : m(1)\n"),
        ("go(k) [k == 1]", "m(k)", "m(x)", "u ->> a : go(1)\na ->> b : m\n"),
        ("go", "m", "m(x) [x == 1]", "u ->> a : go\na ->> b : m(1)\n"),
        ("go", "m(k)", "m(x)", "u ->> a : go\na ->> b : m(1)\n"),
    ];
    for (go, send, take, scenario) in cases {
        let found = verdicts(&folder(go, send, take, "", scenario), "");
        assert!(
            found.iter().all(|one| one.starts_with("unknown")) && found.len() == 2,
            "{go} {send}: {found:?}"
        );
    }
    let declared = "@startuml\nclass A {\n go(k : 0..2)\n}\nclass B {\n m(x : 0..2)\n}\n@enduml\n";
    for (go, send, take, scenario) in &cases[..3] {
        let found = verdicts(&folder(go, send, take, declared, scenario), "");
        assert_eq!(found, ["holds", "fails"], "{go} {send}");
    }
    let free = folder("go(k)", "m(k)", "m(x)", "", "u ->> a : go\na ->> b : m\n");
    assert_eq!(verdicts(&free, ""), ["holds", "fails"], "what is not drawn is not asked for");
}

/// What a send leaves out is not known, however the send is written.
#[test]
fn a_send_without_its_arguments_decides_nothing_that_depends_on_them() {
    for send in ["^b.m", "b.m", "^m", "^b.m()"] {
        let text = format!(
            "@startuml A\n[*] --> S\nS --> T : / {send}\n@enduml\n@startuml B\n[*] --> U\nU --> V : m(x, y) [x == 1] / ^u.yes\nU --> U : m(x, y) [x == 0]\n@enduml\n\
             @startuml Q\n' @possible alphabet=own\n' @forbidden alphabet=own\nparticipant b\nparticipant u\nb ->> u : yes\n@enduml\n"
        );
        let outcome = outcome(&[("case.puml", &text)], "");
        let all: Vec<&str> = outcome.answers.iter().map(|answer| answer.verdict.name()).collect();
        assert!(all.iter().all(|name| *name == "unknown"), "{send}: {all:?}");
    }
}

/// A lifeline is the object of its label, wherever that object is drawn.
#[test]
fn a_label_names_an_object_that_another_diagram_draws() {
    let machines = "@startuml Door\n[*] --> Shut\nShut --> Open : push / ^bell.ring\n@enduml\n@startuml Bell\n[*] --> B\nB --> B : ring\n@enduml\n";
    let cast = "@startuml Cast\nparticipant \"d1 : Door\" as d1\nd1 ->> bell : ring\n@enduml\n";
    // Before the door rings it is pushed; what is environment rings at once.
    for label in ["\"d1\" as x", "\"d1 : Door\" as x", "d1"] {
        let sender = if label.starts_with("d1") { "d1" } else { "x" };
        let asked = format!(
            "@startuml S\n' @forbidden anchor=start\nparticipant {label}\nparticipant bell\n{sender} ->> bell : ring\n@enduml\n"
        );
        for text in [format!("{machines}{cast}{asked}"), format!("{machines}{asked}{cast}")] {
            let outcome = outcome(&[("case.puml", &text)], "");
            let verdicts: Vec<&str> = outcome.answers.iter().map(|answer| answer.verdict.name()).collect();
            assert_eq!(verdicts, ["holds"], "{label}\n{text}");
            assert!(outcome.diagnostics.iter().all(|one| one.name() != "W615"), "{label}");
        }
    }
    for label in ["The Door", "Door (main)", "D1"] {
        let asked = format!(
            "@startuml S\n' @possible alphabet=own\nparticipant \"{label}\" as x\nparticipant bell\nx ->> bell : ring\n@enduml\n"
        );
        let outcome = outcome(&[("case.puml", &format!("{machines}{cast}{asked}"))], "");
        let is_told = outcome.diagnostics.iter().any(|one| one.message.contains("`x` has no state machine"));
        assert!(is_told, "nothing is said of `{label}`");
    }
}

/// A scenario that draws more objects of a class than there are never happens.
#[test]
fn a_scenario_with_too_many_objects_never_happens() {
    let text = "@startuml Door\n[*] --> Shut\nShut --> Shut : push\n@enduml\n@startuml\nobject \"d1 : Door\" as d1\n@enduml\n\
                @startuml S\n' @possible\n' @required\n' @forbidden\nparticipant \": Door\" as x\nparticipant \": Door\" as y\nactor u\nu ->> x : push\nu ->> y : push\n@enduml\n";
    let found = verdicts(text, "");
    let words: Vec<&str> = found.iter().filter_map(|one| one.split(' ').next()).collect();
    assert_eq!(words, ["fails", "fails", "holds"], "{found:?}");
}

/// What a question says twice, or beside what it may say, is reported.
#[test]
fn words_of_questions_that_say_nothing_are_reported() {
    for directive in [
        "@forbidden within=2 within=3",
        "@forbidden anchor=start anchor=anywhere",
        "@forbidden preset=P1 preset=P3",
        "@forbidden fair=weak fair=none",
        "@deadlock yes",
        "@name",
    ] {
        let text = format!("{PING}@startuml X\n' {directive}\nu ->> ping : go\n@enduml\n");
        let outcome = outcome(&[("case.puml", &text)], "");
        let is_told = outcome.diagnostics.iter().any(|one| one.code == Code::BadDirective);
        assert!(is_told, "nothing is said of `{directive}`: {:?}", outcome.diagnostics);
    }
}

/// A machine that sends the messages of each step to its partners at once, one step after the other.
fn chain(steps: &[Vec<usize>]) -> String {
    let mut text = "@startuml a\n[*] --> s0\n".to_owned();
    for (at, step) in steps.iter().enumerate() {
        let sends: Vec<String> = step.iter().map(|name| format!("^b{name}.m{name}")).collect();
        text += &format!("s{at} --> s{} : / {}\n", at + 1, sends.join("; "));
    }
    text += "@enduml\n";
    for name in 0..4 {
        text += &format!("@startuml b{name}\n[*] --> S\nS --> S : m{name}\n@enduml\n");
    }
    text
}

/// All orders of each step, one step after the other.
fn all_orders(steps: &[Vec<usize>]) -> Vec<Vec<usize>> {
    fn orders(of: &[usize]) -> Vec<Vec<usize>> {
        if of.is_empty() {
            return vec![Vec::new()];
        }
        let first = |at: usize| {
            let mut rest = of.to_vec();
            let first = rest.remove(at);
            orders(&rest).into_iter().map(move |rest| [vec![first], rest].concat())
        };
        (0..of.len()).flat_map(first).collect()
    }
    steps.iter().fold(vec![Vec::new()], |before, step| {
        let own = orders(step);
        before.iter().flat_map(|one| own.iter().map(move |next| [one.as_slice(), next].concat())).collect()
    })
}

#[test]
fn every_run_has_parts_of_steps_in_any_order() {
    const TOML: &str = "[system]\ncommunication = \"rendezvous\"\nsteps = \"direct\"\nclosed = true\n";
    let mut held = 0;
    let all = seeds(150);
    let count = all.count_left();
    for seed in all {
        let mut dice = Random::new(seed);
        let mut step = || {
            let mut names = vec![0, 1, 2, 3];
            dice.shuffle(&mut names);
            names.truncate(1 + dice.below(3));
            names
        };
        let steps: Vec<Vec<usize>> = (0..3).map(|_| step()).collect();
        let drawn: Vec<usize> = (0..1 + dice.below(3)).map(|_| dice.below(4)).collect();
        let anchor = ["anywhere", "start"][dice.below(2)];
        let within = (anchor == "anywhere" && dice.below(2) == 0).then(|| dice.below(4));
        let bound = within.map(|steps| format!(" within={steps}")).unwrap_or_default();
        let messages: String = drawn.iter().map(|name| format!("a ->> b{name} : m{name}\n")).collect();
        let objects: String = (0..4).map(|name| format!("participant b{name}\n")).collect();
        let text = format!(
            "{}@startuml X\n' @required effects=unordered anchor={anchor} alphabet=all{bound}\nparticipant a\n{objects}{messages}@enduml\n",
            chain(&steps)
        );
        let begins = |steps: &[Vec<usize>]| all_orders(steps).iter().any(|order| order.starts_with(&drawn));
        let is_part = |order: &Vec<usize>| order.windows(drawn.len()).any(|part| part == drawn);
        let is_there = match (anchor, within) {
            ("start", _) => begins(&steps),
            // Where steps are counted the scenario begins between two of them.
            (_, Some(within)) => (0..=within.min(steps.len())).any(|before| begins(&steps[before..])),
            (_, None) => all_orders(&steps).iter().any(is_part),
        };
        let expected = if is_there { "holds" } else { "fails" };
        let found = verdicts(&text, TOML);
        assert_eq!(found, [expected], "seed {seed}\n{text}");
        held += u64::from(expected == "holds");
    }
    assert!(held > 0 && held < count, "{held} of {count}");
}

/// What two objects tell each other under one name: each has the values that it gets.
#[test]
fn each_receiver_has_values_of_its_own() {
    let text = |last: &str| {
        format!(
            "@startuml P\n' @reachable p.C\n[*] --> A\nA --> B : / ^q.num(1)\nB --> B : num(k) [k < 4] / ^q.num(k)\n\
             B --> C : num(k) [k >= {last}]\n@enduml\n@startuml Q\n[*] --> A\nA --> A : num(k) / ^p.num(k + 1)\n@enduml\n"
        )
    };
    assert_eq!(verdicts(&text("4"), ""), ["holds"]);
    assert_eq!(verdicts(&text("5"), ""), ["fails"]);
}

/// An effect that never happens sends nothing, so nothing is unknown of what it would send.
#[test]
fn what_is_never_sent_has_no_unknown_value() {
    let machines = "@startuml Ax\n[*] --> S0\nS0 --> S1 : m1(k) / ^by.m1(k)\nS0 --> S1 : / ^by.m3\n@enduml\n\
                    @startuml By\n[*] --> T\nT --> T : m1\nT --> T : m3\n@enduml\n";
    let scene = |question: &str, message: &str| {
        format!("{machines}@startuml D\n' @{question} alphabet=own\nax ->> by : {message}\n@enduml\n")
    };
    let closed = "[system]\nclosed = true\n";
    assert_eq!(verdicts(&scene("forbidden", "m1(0)"), closed), ["holds vacuously"]);
    assert_eq!(verdicts(&scene("possible", "m1(0)"), closed), ["fails"]);
    assert_eq!(verdicts(&scene("possible", "m3"), closed), ["holds"]);
}

/// Two ways that lead through one choice: what either lets pass is sent.
#[test]
fn both_ways_through_a_choice_send_their_values() {
    let text = |value: u32| {
        format!(
            "@startuml P\n[*] --> A\nstate c <<choice>>\nstate d <<choice>>\nA --> c : num(k)\nc --> d : [k < 2]\nc --> d : [k >= 2]\n\
             d --> A : / ^q.told(k)\n@enduml\n@startuml Q\n' @reachable q.D\n[*] --> B\nB --> D : told(n) [n == {value}]\n@enduml\n\
             @startuml R\n[*] --> E\nE --> F : / ^p.num(1)\nF --> G : / ^p.num(3)\n@enduml\n"
        )
    };
    assert_eq!(verdicts(&text(1), ""), ["holds"]);
    assert_eq!(verdicts(&text(3), ""), ["holds"]);
    assert_eq!(verdicts(&text(4), ""), ["fails"]);
}

/// The attributes of a signal are the parameters of its message.
#[test]
fn a_signal_declares_the_parameters_of_its_message() {
    let text = |class: &str| {
        format!(
            "{class}@startuml M\n' @reachable m.Done & m.Off\n[*] --> Off\nOff --> Done : pay(n) [n]\nOff --> Free : pay(n) [!n]\n@enduml\n\
             @startuml X\n' @forbidden alphabet=own\nu ->> m : pay(true)\nu ->> m : pay(false)\n@enduml\n"
        )
    };
    let declared = "@startuml\nclass pay <<signal>> {\n n : Boolean\n}\n@enduml\n";
    let found = verdicts(&text(declared), "");
    assert!(found.iter().all(|verdict| !verdict.contains("not known")), "{found:?}");
    let found = verdicts(&text(""), "");
    assert!(found.iter().any(|verdict| verdict.contains("not known")), "{found:?}");
    // A type without bounds says nothing about the numbers that are sent.
    let sent = "@startuml\nclass pay <<signal>> {\n n : Integer\n}\n@enduml\n@startuml M\n' @reachable M.Done\n[*] --> Off\nOff --> Done : pay(n) [n > 99]\n@enduml\n\
                @startuml S\n[*] --> Go\nGo --> Gone : / ^M.pay(100)\n@enduml\n";
    assert_eq!(verdicts(sent, ""), ["holds"]);
}

/// A trigger may name the port of its message, where no other port lets it in.
#[test]
fn triggers_may_name_their_port() {
    let bank = |trigger: &str| {
        format!(
            "@startuml\nclass ATM {{\n wd : ~Withdraw <<port>>\n}}\nclass Bank {{\n wd : Withdraw <<port>>\n log : Log <<port>>\n}}\n\
             protocol Withdraw {{\n <<in>> verify(n : 0..1)\n <<out>> answer(ok : boolean)\n}}\nprotocol Log {{\n <<in>> read()\n}}\n@enduml\n\
             @startuml\nobject \"a : ATM\" as a\nobject \"b : Bank\" as b\na::wd -- b::wd\n@enduml\n\
             @startuml ATM\n[*] --> I\nI --> W : card / ^wd.verify(1)\nW --> I : answer(ok) [ok] / ^user.money\n@enduml\n\
             @startuml Bank\n[*] --> R\nR --> R : {trigger}(n) [n == 1] / ^wd.answer(true)\n@enduml\n\
             @startuml Q\n' @possible alphabet=own\n' @required alphabet=own\nactor user\nuser ->> a : card\na ->> b : verify(1)\n\
             b ->> a : answer(ok=true)\na ->> user : money\n@enduml\n"
        )
    };
    assert_eq!(verdicts(&bank("verify"), ""), ["holds", "fails"]);
    assert_eq!(verdicts(&bank("wd.verify"), ""), ["holds", "fails"]);
    // Through this port it never comes: it is an event of that name.
    assert!(verdicts(&bank("log.verify"), "").iter().all(|verdict| verdict.starts_with("unknown")));
}

/// An argument that a send leaves out is one of the declared values, and nothing says which: no run that depends on it decides anything.
#[test]
fn arguments_that_are_left_out_decide_nothing() {
    let guard = |send: &str| {
        format!(
            "@startuml\nclass Guard {{\n tell(v : 0..3)\n}}\n@enduml\n@startuml Door\n[*] --> A\nA --> B : knock / ^guard.{send}\n@enduml\n\
             @startuml Guard\n[*] --> R\nR --> S : tell(v) [v > 1]\nR --> Q : tell(v) [v < 1]\n@enduml\n\
             @startuml X\n' @possible alphabet=own\ndoor ->> guard : tell\nhnote over guard : Q\n@enduml\n"
        )
    };
    assert_eq!(verdicts(&guard("tell(0)"), ""), ["holds"]);
    assert_eq!(verdicts(&guard("tell(2)"), ""), ["fails"]);
    let open = verdicts(&guard("tell"), "");
    assert!(open[0].starts_with("unknown (the run that was found depends on the value of `v`"), "{open:?}");
}

/// Where some have come to a state that they do not leave, and the others wait for them, the question is answered with a run.
#[test]
fn systems_that_come_to_rest_get_stuck() {
    let text = "@startuml M\n' @deadlock\n' @attribute ok : bool = false\n[*] --> A\nA --> B : [ok] / ^n.ping\nB --> A : back\n@enduml\n\
                @startuml N\n[*] --> R\nR --> R : ping / ^m.back\n@enduml\n";
    assert_eq!(verdicts(text, ""), ["fails"]);
}

/// What becomes of a message that a transition may have taken, if a value were known, decides nothing: it may be lost, or taken by another.
#[test]
fn what_an_unknown_value_leaves_undone_decides_nothing() {
    let text = |taken: &str| {
        format!(
            "@startuml a\n[*] --> S0\nS0 --> S1 : go(x) / ^b.hi(x)\nS1 --> S2 : / ^b.late\n@enduml\n\
             @startuml b\n' @reachable b.V\n[*] --> T\nstate T {{\n[*] --> T0\n{taken}\n}}\nT --> V : late\n@enduml\n\
             @startuml D\n' @possible alphabet=own\n' @forbidden alphabet=own\na ->> b : hi\na ->> b : late\n@enduml\n"
        )
    };
    let unknown = |found: &[String]| found.iter().filter(|one| one.contains("not known")).count();
    // Lost, or not; the guard stands behind a junction; the state around takes what is left.
    for taken in [
        "T0 --> U : hi(k) [k > 1]",
        "T0 --> U : hi(1)",
        "state j <<junction>>\nT0 --> j : hi(k)\nj --> U : [k > 1]",
        "T0 --> U : hi(k) [k > 1]\nT0 --> W : hi",
    ] {
        let found = verdicts(&text(taken), "");
        assert_eq!(unknown(&found), 3, "{taken}: {found:?}");
    }
    // Where the value decides nothing, or the rest of the guard is false, the answers stay.
    let known = "T0 --> U : hi(k) / ^told(k)";
    assert_eq!(verdicts(&text(known), ""), ["holds", "holds", "fails"]);
    let ruled_out = text("T0 --> U : hi(k) [n == 1 && k > 1]")
        .replace("' @reachable b.V", "' @reachable b.V\n' @attribute n : 0..1 = 0");
    assert_eq!(verdicts(&ruled_out, ""), ["holds", "holds", "fails"]);
}

/// A run into a deadlock that depends on an unknown value is no verdict, and no warning that a message is lost.
#[test]
fn a_deadlock_by_an_unknown_value_is_not_decided() {
    let text = |sent: &str| {
        format!(
            "@startuml a\n' @deadlock\n[*] --> S0\nS0 --> S1 : / ^b.hi({sent})\nS1 --> S0 : ok\n@enduml\n\
             @startuml b\n[*] --> T\nT --> T : hi(k) [k > 1] / ^a.ok\n@enduml\n"
        )
    };
    let found = verdicts(&text("unheard"), "");
    assert!(found[0].contains("not known"), "{found:?}");
    let warned = |text: &str| {
        let lost = |one: &sequent_kernel::diagnostic::Diagnostic| {
            one.code == Code::LostMessage && one.severity != sequent_kernel::diagnostic::Severity::Hint
        };
        outcome(&[("case.puml", text)], "").diagnostics.iter().any(lost)
    };
    assert!(!warned(&text("unheard")));
    assert_eq!(verdicts(&text("0"), ""), ["fails"]);
    assert!(warned(&text("0")));
    assert_eq!(verdicts(&text("2"), ""), ["holds"]);
}

/// A closed system has no environment: what only its sender takes it takes, whatever stands beside it. Elsewhere it does where a diagram
/// draws it so.
#[test]
fn a_machine_takes_what_only_it_takes_where_there_is_no_environment() {
    let ticking = "@startuml Timer\n' @reachable timer.Done\n[*] --> Idle\nIdle --> Run : / ^tick\nRun --> Done : tick\n@enduml\n";
    let beside = "@startuml Door\n[*] --> Open\nOpen --> Shut : push\n@enduml\n";
    let drawn = "@startuml D\n' @possible\nparticipant timer\ntimer ->> timer : tick\n@enduml\n";
    let closed = "[system]\nclosed = true\n";
    for others in ["", beside] {
        let text = format!("{ticking}{others}");
        assert_eq!(verdicts(&text, closed), ["holds"], "{text}");
        let text = format!("{text}{drawn}");
        assert_eq!(verdicts(&text, closed), ["holds", "holds"], "{text}");
        assert_eq!(verdicts(&text, ""), ["holds", "holds"], "{text}");
    }
    let outside =
        format!("{ticking}{beside}@startuml D\n' @possible\nparticipant timer\ntimer ->>] : tick\n@enduml\n");
    assert_eq!(verdicts(&outside, ""), ["holds", "holds"]);
}

/// What never comes supplies no parameter: the values of what depends on it are those that are sent otherwise.
#[test]
fn in_a_closed_system_what_nobody_sends_supplies_no_values() {
    let text = "@startuml ax\n' @reachable ax.Got\n[*] --> S0\nS0 --> S1 : / ^by.m2(2)\nS1 --> Got : m2(k) [k == 2]\n@enduml\n\
                @startuml by\n[*] --> T0\nT0 --> T1 : m3(k) / ^ax.m2(k)\nT0 --> T2 : m2(k) / ^ax.m2(k)\n@enduml\n";
    assert_eq!(verdicts(text, "[system]\nclosed = true\n"), ["holds"]);
    assert!(verdicts(text, "")[0].contains("not known"));
}

/// A lifeline that is no object sends in a closed system too, to those of its diagram: nothing that happens there is said never to happen.
#[test]
fn findings_about_closed_systems_know_the_environment_of_each_diagram() {
    let machine = "@startuml Cz\n[*] --> S0\nS0 --> S3 : m0\nS0 --> S0 : m1 / ^by.ack\nS0 --> S4 : m1 [1 > 2]\n@enduml\n\
                   @startuml By\n[*] --> T\nT --> U : / ^cz.m1\nU --> T : ack\n@enduml\n";
    let scene = "@startuml D\n' @possible alphabet=own\nparticipant cz\nactor u\nu ->> cz : m0\n@enduml\n";
    let never = |text: &str| {
        let found = outcome(&[("case.puml", text)], "[system]\nclosed = true\n");
        let is_never = |code: Code| matches!(code, Code::NeverReached | Code::NeverFires);
        found.diagnostics.iter().filter(|one| is_never(one.code)).count()
    };
    assert_eq!(verdicts(&format!("{machine}{scene}"), "[system]\nclosed = true\n"), ["holds"]);
    assert_eq!(never(machine), 2);
    assert_eq!(never(&format!("{machine}{scene}")), 1);
}

/// Guards over an unknown value leave cases out, and triggers may wait for another one: nothing is ruled out by that.
#[test]
fn what_guards_over_unknown_values_leave_out_is_not_ruled_out() {
    let text = |taken: &str| {
        format!(
            "@startuml a\n[*] --> S0\nS0 --> S1 : go(x) / ^b.hi(x)\nS1 --> S2 : / ^b.late\n@enduml\n\
             @startuml b\n' @reachable b.V\n[*] --> T\n{taken}\nT --> V : late\n@enduml\n"
        )
    };
    for taken in [
        "T --> U : hi(1)",
        "T --> U : hi(1)\nT --> U : hi(2)",
        "T --> U : hi(k) [k == 1]\nT --> W : hi(k) [k == 2]",
        "state j <<junction>>\nT --> j : hi(k)\nj --> U : [k == 1]\nj --> W : [k == 2]",
    ] {
        let found = verdicts(&text(taken), "");
        assert!(found[0].contains("not known"), "{taken}: {found:?}");
    }
    for taken in [
        "T --> U : hi(k) [k == 1]\nT --> W : hi(k) [k != 1]",
        "T --> U : hi(k) [k < 1]\nT --> W : hi(k) [k > 1]\nT --> W : hi(k) [k == 1]",
        "T --> U : hi(true)\nT --> W : hi(false)",
        "T --> U : hi(k) [few]\nT --> W : hi(k) [many]",
    ] {
        assert_eq!(verdicts(&text(taken), ""), ["fails"], "{taken}");
    }
}
