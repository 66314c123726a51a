//! What is found out about systems of objects, and what is not worth a word.

use expect_test::{Expect, expect};
use sequent::effort::Effort;
use sequent::{pipeline, settings};
use sequent_kernel::source::Sources;
use sequent_kernel::verdict::Answer;
use sequent_notation::NoFiles;

/// The findings about systems in some machines; `toml` are the settings.
fn check_with(text: &str, toml: &str, expected: Expect) {
    let mut sources = Sources::new();
    let file = sources.add("system.puml", text);
    let given = sources.add("sequent.toml", toml);
    let (given, problems) = settings::read(given, sources.get(given));
    assert!(problems.is_empty(), "{problems:?}");
    let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &given);
    let outcome = pipeline::check(&reading, &given, &Effort::default());
    let mut out = String::new();
    for one in outcome.diagnostics.iter().filter(|one| one.code.name()[1..].starts_with("63")) {
        let line = sources.position(one.span).line;
        out += &format!("{} {} {line}: {}\n", one.name(), one.severity.name(), one.message);
        if let Some(story) = outcome.stories.get(&one.identity()) {
            out += &format!("  {} | {}\n", story.prefix.join(" "), story.cycle.join(" "));
        }
    }
    expected.assert_eq(&out);
}

fn check(text: &str, expected: Expect) {
    check_with(text, "", expected);
}

/// What is answered.
fn answers(text: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let file = sources.add("system.puml", text);
    let given = settings::Settings::default();
    let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &given);
    let outcome = pipeline::check(&reading, &given, &Effort::default());
    let told = |one: &Answer| format!("{} {}", one.verdict.name(), one.vacuous.clone().unwrap_or_default());
    outcome.answers.iter().map(|one| told(one).trim_end().to_owned()).collect()
}

/// Two machines that talk.
fn pair(one: &str, other: &str) -> String {
    format!("@startuml A\n{one}@enduml\n@startuml B\n{other}@enduml\n")
}

#[test]
fn sketches_are_left_alone() {
    check("@startuml\n[*] --> Still\nStill --> Moving\nMoving --> Still\n@enduml\n", expect![""]);
    check("@startuml\n[*] --> A\nA --> B : go\nA --> C\n@enduml\n", expect![""]);
    check("@startuml\n[*] --> A\nA --> B : go [ready]\n@enduml\n", expect![""]);
    check(
        "@startuml\n' @attribute hot : bool = false\n[*] --> A\nA --> B : go [hot]\n@enduml\n",
        expect![""],
    );
    check("@startuml\n[*] --> A\nstate c <<choice>>\nA --> c : go\nc --> B : [x]\n@enduml\n", expect![""]);
}

#[test]
fn machines_that_do_not_talk_are_looked_at_apart() {
    let machine = |name: &str| {
        format!(
            "@startuml {name}\n' @attribute n : 0..40 = 0\n[*] --> A\nA --> A : up [n < 40] / n = n + 1\nA --> B : go [n > 40]\n@enduml\n"
        )
    };
    let text: String = ["P", "Q", "R", "S", "T", "U", "V"].iter().map(|name| machine(name)).collect();
    check(
        &text,
        expect![[r#"
            W632 warning 5: `B` is never reached from here: `[n > 40]` is never true in `A` when it is asked
            W632 warning 11: `B` is never reached from here: `[n > 40]` is never true in `A` when it is asked
            W632 warning 17: `B` is never reached from here: `[n > 40]` is never true in `A` when it is asked
            W632 warning 23: `B` is never reached from here: `[n > 40]` is never true in `A` when it is asked
            W632 warning 29: `B` is never reached from here: `[n > 40]` is never true in `A` when it is asked
            W632 warning 35: `B` is never reached from here: `[n > 40]` is never true in `A` when it is asked
            W632 warning 41: `B` is never reached from here: `[n > 40]` is never true in `A` when it is asked
        "#]],
    );
}

#[test]
fn who_never_does_anything_is_not_said_to_be_fine() {
    let one = "' @deadlock\n[*] --> Idle\nIdle --> Busy : go / ^b.hi\n";
    let text = pair(one, "[*] --> Idle\nIdle --> Busy : hi / ^a.go\n");
    check(
        &text,
        expect![[r#"
            E630 error 3: this gets stuck at once: `A` is in `Idle` and waits for `go`, `B` is in `Idle` and waits for `hi`
               | 
        "#]],
    );
    assert_eq!(answers(&text), ["fails"]);
    let still = "@startuml\n' @deadlock\n[*] --> Still\n@enduml\n";
    assert_eq!(answers(still), ["holds none of its objects ever does anything"]);
    let moving = "@startuml\n' @deadlock\n[*] --> Still\nStill --> Still : go\n@enduml\n";
    assert_eq!(answers(moving), ["holds"]);
}

#[test]
fn who_waits_in_vain_is_stuck_whatever_comes_from_outside() {
    // `knock` may come again and again, and is lost.
    let one = "[*] --> Idle\nIdle --> Waiting : knock / ^b.ask\nWaiting --> Idle : answer / ^b.thanks\n";
    check(
        &pair(one, "[*] --> Idle\nIdle --> Busy : ask\nBusy --> Idle : thanks / ^a.answer\n"),
        expect![[r#"
            E630 error 3: this gets stuck after 4 events: `A` is in `Waiting` and waits for `answer`, `B` is in `Busy` and waits for `thanks`
              !->A:knock ?->A:knock !A->B:ask ?A->B:ask | 
        "#]],
    );
    check(&pair(one, "[*] --> Idle\nIdle --> Busy : ask / ^a.answer\nBusy --> Idle : thanks\n"), expect![""]);
}

#[test]
fn time_that_passes_is_no_endless_silence() {
    let talk = "[*] --> Off\nOff --> On : go\nOn --> Off : stop\n";
    let clock = "[*] --> Tick\nTick --> Tock : after(1s)\nTock --> Tick : after(1s)\nTock --> Over : after(9s) / ^b.go; ^b.stop\n";
    check(&pair(clock, talk), expect![""]);
    let spinning =
        "[*] --> Tick\nTick --> Tock\nTock --> Tick : [not yet]\nTock --> Over : [now] / ^b.go; ^b.stop\n";
    check(
        &pair(spinning, talk),
        expect![[r#"
            W631 warning 3: from here on `A` may go round forever without sending or receiving anything: `Tick`, `Tock`
               | 
        "#]],
    );
}

#[test]
fn rendezvous_that_never_happen() {
    let settings = "[system]\ncommunication = \"rendezvous\"\n";
    check_with(
        &pair("[*] --> X\nX --> Y : / ^b.p\nY --> X : q\n", "[*] --> X\nX --> Y : / ^a.q\nY --> X : p\n"),
        settings,
        expect![[r#"
            E630 error 2: this gets stuck at once: `A` is in `X` and nobody takes its `p`, `B` is in `X` and nobody takes its `q`
               | 
        "#]],
    );
}

#[test]
fn queues() {
    // What comes from outside may come too quickly: a hint. What an object sends by itself is worse.
    let sink = "[*] --> Idle\nIdle --> Idle : p\n";
    check(
        &pair("[*] --> Idle\nIdle --> Idle : knock / ^b.p\n", sink),
        expect![[r#"
            H639 hint 3: the queue of `B` grows from 3 to 4 messages in a round that may come again: !A->B:p, !->A:knock, ?->A:knock
              !->A:knock ?->A:knock !A->B:p !->A:knock ?->A:knock !A->B:p !->A:knock ?->A:knock !A->B:p !->A:knock ?->A:knock !A->B:p !->A:knock ?->A:knock | 
        "#]],
    );
    let five = "[*] --> Over : / ^b.p; ^b.p; ^b.p; ^b.p; ^b.p\n";
    check(
        &pair(five, sink),
        expect![[r#"
            E635 error 2: the queue of B holds 4 messages and is full after 4 events
              !A->B:p !A->B:p !A->B:p !A->B:p | 
        "#]],
    );
    check_with(&pair(five, sink), "[system]\ncapacity = 5\n", expect![""]);
}

/// A guard that counts by an undeclared name is decided freely; what a run through it shows may not be so.
#[test]
fn what_is_counted_by_an_undeclared_name_is_a_hint() {
    let client = |declared: &str| {
        format!(
            "{declared}[*] --> W : / ^b.p\nW --> R : / ^b.p\nR --> W : [n < 2] / n := n + 1; ^b.p\nR --> F : [n >= 2]\nF --> [*]\n"
        )
    };
    let slow = "[*] --> Idle\nIdle --> Busy : go\nBusy --> Idle : p\n";
    check(
        &pair(&client(""), slow),
        expect![[r#"
        H636 hint 4: the queue of `B` grows from 2 to 4 messages in a round that may come again: !A->B:p, !A->B:p
          !A->B:p !A->B:p !A->B:p !A->B:p | 
        W634 warning 9: `p` of `A` is lost after 2 events: `B` has no transition for it in `Idle`
          !A->B:p ?A->B:p | 
        H630 hint 10: this comes to rest after 6 events: `B` is in `Busy` and waits for `p`, `A` is in `end`
    "#]],
    );
    check_with(
        &pair(&client("' @attribute n : 0..2 = 0\n"), slow),
        "[system]\ncapacity = 9\n",
        expect![[r#"
            W634 warning 10: `p` of `A` is lost after 2 events: `B` has no transition for it in `Idle`
              !A->B:p ?A->B:p | 
            H630 hint 11: this comes to rest after 14 events: `B` is in `Busy` and waits for `p`, `A` is in `end`
        "#]],
    );
}

#[test]
fn the_queue_that_overflows_is_named_with_a_round_that_comes_again() {
    // What the environment sends and is not taken comes no second time, though the state is the same but for that.
    let control = "[*] --> Up\nUp --> Down : press / ^b.down\nDown --> Up : press / ^b.up\nDown : beam / defer\nUp --> Up : beam\nUp --> Off : off / ^b.stop\n";
    let motor = "[*] --> On\nOn --> On : up\nOn --> On : down\nOn --> On : stop\n";
    check_with(
        &pair(control, motor),
        "[system]\ncapacity = 3\n",
        expect![[r#"
            H639 hint 4: the queue of `B` grows from 1 to 3 messages in a round that may come again: !A->B:up, !->A:press, ?->A:press, !A->B:down, !->A:press, ?->A:press
              !->A:press ?->A:press !A->B:down !->A:press ?->A:press !A->B:up !->A:press ?->A:press !A->B:down !->A:press ?->A:press | 
        "#]],
    );
    // Of two senders the one is told that finds the queue full.
    let one = "[*] --> X\nX --> Y : one\nY --> X : two / ^c.p\n";
    let other = "[*] --> X\nX --> X : go / ^c.q; ^c.q\n";
    let sink = "@startuml C\n[*] --> Z\nZ --> Z : p\nZ --> Z : q\n@enduml\n";
    check_with(
        &(pair(one, other) + sink),
        "[system]\ncapacity = 2\n",
        expect![[r#"
            H639 hint 8: the queue of `C` grows from 0 to 2 messages in a round that may come again: !B->C:q, !B->C:q, !->B:go, ?->B:go
              !->B:go ?->B:go !B->C:q !B->C:q !->B:go ?->B:go | 
        "#]],
    );
}

#[test]
fn ways_out_of_choices_that_are_never_taken() {
    let asked = "[*] --> X\nX --> X : tick(k) [k > 2] / ^a.again\nX --> X : tick(k) [k <= 2] / ^a.tock\n";
    let asks = "' @attribute n : 0..3 = 0\n[*] --> I\nI --> W : / ^b.tick(n)\nstate C <<choice>>\nW --> C : tock\nC --> I : [n == 2] / n = 0\nC --> I : [n < 2] / n++\nC --> Big : [else]\nBig --> I : again\n";
    check(
        &pair(asks, asked),
        expect![[r#"
            W632 warning 9: `Big` is never reached from here: another way out of `C` is always open
            W633 warning 14: this transition never fires: `[k > 2]` is never true when `tick` comes in `X`
        "#]],
    );
    // A choice at the start, one in a state that is entered, a junction, and histories: everything happens.
    let all = "' @attribute n : 0..1 = 0\nstate C <<choice>>\n[*] --> C\nC --> S : [n == 0]\nC --> S : [n == 1]\nstate S {\n  state D <<choice>>\n  [*] --> D\n  D --> P : [n == 0] / n = 1\n  D --> Q : [else] / n = 0\n}\nstate J <<junction>>\nS --> J : go / ^b.done\nJ --> S : [n == 0]\nJ --> S : [n == 1]\nS --> R : out / ^b.done\nR --> S[H] : go / ^b.done\nR --> C : out / ^b.done\n";
    let asks = "[*] --> X\nX --> W : / ^a.go\nX --> W : / ^a.out\nW --> X : done\n";
    check(&pair(all, asks), expect![""]);
    check(
        &pair(&all.replace("[n == 1]\nstate S", "[n == 1]\nC --> S : [n == 2]\nstate S"), asks),
        expect![[r#"
            W633 warning 7: this transition never fires: `[n == 2]` is never true at `C` when it is asked
        "#]],
    );
    // Alone, a machine is held to what it computes itself.
    let alone = |guard: &str, other: &str| {
        format!(
            "@startuml\n' @attribute n : 0..3 = 0\n[*] --> A\nstate c <<choice>>\nA --> c : go / n = 1\nc --> B : [{guard}]\nc --> {other} : [else]\n@enduml\n"
        )
    };
    check(
        &alone("n > 1", "A"),
        expect![[r#"
            W632 warning 6: `B` is never reached from here: `[n > 1]` is never true at `c` when it is asked
        "#]],
    );
    check(&alone("n == 1", "A"), expect![""]);
    check(
        &alone("n == 1", "D"),
        expect![[r#"
            W632 warning 7: `D` is never reached from here: another way out of `c` is always open
        "#]],
    );
    check(&alone("ready", "D"), expect![""]);
}

#[test]
fn guards_stand_beside_what_is_awaited() {
    check(
        &pair(
            "[*] --> I\nI --> J : go [b.k == 1] / ^b.hi\nJ --> I : back\n",
            "' @attribute k : 0..3 = 0\n[*] --> X\nX --> X : hi / k = 0\n",
        ),
        expect![[r#"
            E630 error 2: this gets stuck at once: `A` is in `I` and waits for `go [b.k == 1]`, `B` is in `X` and waits for `hi`
               | 
        "#]],
    );
}

#[test]
fn numbered_transitions_say_which_comes_first() {
    let text = |one: &str, other: &str| {
        format!(
            "@startuml\n' @attribute n : 0..3 = 0\n[*] --> A\nA --> A : {one}up [n < 3] / n = n + 1\nA --> B : {other}up [n > 1]\n@enduml\n"
        )
    };
    check(&text("1. ", "2. "), expect![""]);
    check(
        &text("", ""),
        expect![[r#"
            H638 hint 5: two transitions of `A` may be taken after 6 events, and nothing says which: `up [n < 3] / n = n + 1` and `up [n > 1]`
              !->system:up ?->system:up !->system:up ?->system:up !->system:up ?->system:up | 
        "#]],
    );
}

#[test]
fn whether_machines_get_stuck_may_be_asked() {
    let answer = |text: &str| {
        let mut sources = Sources::new();
        let file = sources.add("system.puml", text);
        let given = settings::Settings::default();
        let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &given);
        let outcome = pipeline::check(&reading, &given, &Effort::default());
        let [answer] = outcome.answers.as_slice() else { panic!("one question, one answer") };
        answer.verdict.name()
    };
    let waits = "' @deadlock\n[*] --> X\nX --> Y : / ^b.p\nY --> X : q / ^b.s\n";
    assert_eq!(answer(&pair(waits, "[*] --> X\nX --> Y : p / ^a.q\nY --> X : s\n")), "holds");
    assert_eq!(answer(&pair(waits, "[*] --> X\nX --> Y : p\nY --> X : s / ^a.q\n")), "fails");
    let alone =
        "@startuml\n' @deadlock\n' @attribute n : 0..1 = 0\n[*] --> A\nA --> B\nB --> A : [n > 0]\n@enduml\n";
    assert_eq!(answer(alone), "fails");
}

#[test]
fn what_waits_inside_is_not_left_at_once() {
    let kiosk = "[*] --> Ready\nReady --> Serving : coin\nstate Serving {\n[*] --> Heat\nHeat --> [*] : warm\n}\nServing --> Ready : / ^user.drink\nServing --> Broken : coin\n";
    let user = "[*] --> U\nU --> V : / ^kiosk.coin\nV --> W : / ^kiosk.warm\nW --> U : drink\n";
    check(
        &format!("@startuml Kiosk\n{kiosk}@enduml\n@startuml User\n{user}@enduml\n"),
        expect![[r#"
        W632 warning 9: `Broken` is never reached from here: `coin` never comes in `Serving`
    "#]],
    );
}

#[test]
fn equal_objects_are_told_once() {
    let scenario = "participant \"n1 : Node\" as n1\nparticipant \"n2 : Node\" as n2\nparticipant \"n3 : Node\" as n3\nn1 ->> n2 : ask\nn2 ->> n3 : ask\n";
    let node = "[*] --> F\nF --> C : after(1s) / ^Node.ask\nF --> F : ask / ^sender.vote\nC --> L : vote\nC --> F : beat\nL --> L : after(100ms) / ^Node.beat\nF --> F : beat\n";
    check(
        &format!("@startuml election\n{scenario}@enduml\n@startuml Node\n{node}@enduml\n"),
        expect![[r#"
        W634 warning 9: `vote` of `n3` is lost after 10 events: `n1` has no transition for it in `F`
          !n2->n1:ask ?n2->n1:ask !n1->n2:vote !n1->n3:ask ?n1->n2:vote !n2->n1:beat ?n2->n1:beat ?n1->n3:ask !n3->n1:vote ?n3->n1:vote | 
        E630 error 10: this gets stuck after 3 events: `n1` is in `C` and waits for `vote` or `beat`, `n2` is in `C` and waits for `vote` or `beat`, `n3` is in `C` and waits for `vote` or `beat`
          !n1->n2:ask !n2->n1:ask !n3->n1:ask | 
        W634 warning 10: `ask` of `n2` is lost after 3 events: `n1` has no transition for it in `C`
          !n1->n2:ask !n2->n1:ask ?n2->n1:ask | 
        H637 hint 10: the order of `!n1->n2:ask` and `!n3->n2:beat` decides: `n2` is in `C` or in `F` after both
          !n3->n1:ask ?n3->n1:ask !n1->n3:vote !n1->n2:ask !n2->n3:ask ?n1->n3:vote !n3->n1:beat ?n3->n1:beat !n1->n3:ask !n3->n1:beat !n3->n1:beat !n3->n2:beat | 
        H637 hint 10: the order of `!n1->n2:vote` and `!n3->n2:beat` decides: `n2` is in `L` or in `C` after both
          !n3->n1:ask ?n3->n1:ask !n1->n3:vote !n2->n1:ask ?n2->n1:ask ?n1->n3:vote !n3->n2:beat !n1->n2:vote ?n3->n2:beat !n2->n1:ask !n3->n2:beat | 
        W634 warning 12: `beat` of `n2` is lost after 10 events: `n1` has no transition for it in `L`
          !n1->n2:ask ?n1->n2:ask !n2->n1:vote ?n2->n1:vote !n2->n3:ask ?n2->n3:ask !n3->n2:vote ?n3->n2:vote !n2->n1:beat ?n2->n1:beat | 
        H639 hint 14: the queue of `n2` grows from 3 to 4 messages in a round that may come again: !n1->n2:beat
          !n1->n2:ask ?n1->n2:ask !n2->n1:vote ?n2->n1:vote !n1->n2:beat !n1->n2:beat !n1->n2:beat !n1->n2:beat | 
    "#]],
    );
}
