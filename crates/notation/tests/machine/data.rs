//! Data and targets in the machines of a system (kernel's `lint::objects`): what is wrong, and what must be left alone.

use std::fmt::Write;

use expect_test::{Expect, expect};
use sequent_kernel::lint::objects;
use sequent_kernel::source::{Folders, Sources};
use sequent_notation::{Context, resolve};

fn check(text: &str, expected: Expect) {
    let mut sources = Sources::new();
    let file = sources.add("all.puml", text);
    let mut diagnostics = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut diagnostics);
    let document = sequent_notation::read(file, &mut context);
    let (model, problems) = resolve::resolve(&[document], &sources);
    assert!(diagnostics.is_empty() && problems.is_empty(), "{diagnostics:?} {problems:?}");
    let mut out = String::new();
    for one in objects::systems(&model, &Folders::from([(file, String::new())])) {
        let line = sources.position(one.span).line;
        let head = format!("{} {} {line}", one.name(), one.severity.name());
        writeln!(out, "{head}: {} ({})", one.message, one.hint.unwrap_or_default()).expect("a text grows");
    }
    expected.assert_eq(&out);
}

/// A machine whose transition has this label, with attributes; the label is on line 9.
fn labelled(label: &str, expected: Expect) {
    let text = format!(
        "@startuml M\n' @attribute n : 0..3 = 0\n' @attribute ok : bool\n' @attribute colour : Colour\n' @attribute name : String\n[*] --> A\nA --> B : go(p, q)\nB --> C : tick\nA --> A : {label}\n@enduml\n@startuml\nenum Colour {{\n Red\n Green\n}}\nclass M {{\n go(p : 0..9, q)\n}}\n@enduml\n"
    );
    check(&text, expected);
}

#[test]
fn guards() {
    let guard = |text: &str, expected| labelled(&format!("go(p, q) [{text}]"), expected);
    guard(
        "n < 3 && ok && colour == Red && p > n",
        expect![[r#"
        W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
    "#]],
    );
    guard(
        "n",
        expect![[r#"
        W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
        E612 error 9: a number is not a condition (compare and combine values of one type)
    "#]],
    );
    guard(
        "ok == 3",
        expect![[r#"
        W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
        E612 error 9: a truth value is compared with a number (compare and combine values of one type)
    "#]],
    );
    guard(
        "colour == n",
        expect![[r#"
        W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
        E612 error 9: a value of Colour is compared with a number (compare and combine values of one type)
    "#]],
    );
    guard(
        "colour < 2",
        expect![[r#"
        W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
        E612 error 9: a value of Colour is used as a number (compare and combine values of one type)
    "#]],
    );
    guard(
        "n + ok > 1",
        expect![[r#"
        W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
        E612 error 9: a truth value is used as a number (compare and combine values of one type)
    "#]],
    );
    guard(
        "colour == Rde",
        expect![[r#"
            W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
            E618 error 9: `M` knows nothing of the name `Rde` (did you mean `Red`?)
        "#]],
    );
    guard(
        "n < limit",
        expect![[r#"
        W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
        W613 warning 9: `M` knows nothing of the name `limit` (declare it; as it is, what stands here is left open)
    "#]],
    );
    guard(
        "nn < 2",
        expect![[r#"
        W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
        W613 warning 9: `M` knows nothing of the name `nn` (did you mean `n`?)
    "#]],
    );
    guard(
        "colour == \"Red\"",
        expect![[r#"
        W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
        E612 error 9: "Red" is a text; texts are not values here (use an enumeration)
    "#]],
    );
    guard(
        "n > 3 apples",
        expect![[r#"
        W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
        W616 warning 9: this guard is not understood (it is decided freely; docs/semantics.md has the expressions that are read)
    "#]],
    );
}

#[test]
fn guards_that_are_left_alone() {
    let guard = |text: &str| {
        labelled(
            &format!("go(p, q) [{text}]"),
            expect![[
                "W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)\n"
            ]],
        )
    };
    for text in ["paid in full", "card is valid", "q > 3", "q == n", "name == \"x\"", "else"] {
        guard(text);
    }
}

#[test]
fn assignments() {
    labelled(
        "/ n = n + 1; ok = true; colour = Green; name = name",
        expect![[r#"
            H309 hint 7: this never fires: `A` is left at once by its transition without trigger (give the other transition a trigger or a guard, or the state a `do`)
            W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
        "#]],
    );
    labelled(
        "/ n = ok",
        expect![[r#"
            H309 hint 7: this never fires: `A` is left at once by its transition without trigger (give the other transition a trigger or a guard, or the state a `do`)
            W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
            E612 error 9: `n` is a number, and is given a truth value (give it a value of its own type)
        "#]],
    );
    labelled(
        "/ n = 7",
        expect![[r#"
            H309 hint 7: this never fires: `A` is left at once by its transition without trigger (give the other transition a trigger or a guard, or the state a `do`)
            W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
            E611 error 9: `n` can never get this value: it is 0..3 (widen its range, or assign something inside of it)
        "#]],
    );
    labelled(
        "/ m = 1",
        expect![[r#"
            H309 hint 7: this never fires: `A` is left at once by its transition without trigger (give the other transition a trigger or a guard, or the state a `do`)
            W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
            W613 warning 9: `M` has no attribute `m`, so this does nothing (declare it in the class, or with `@attribute`)
        "#]],
    );
    labelled(
        "/ retries = 1",
        expect![[r#"
            H309 hint 7: this never fires: `A` is left at once by its transition without trigger (give the other transition a trigger or a guard, or the state a `do`)
            W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
            W613 warning 9: `M` has no attribute `retries`, so this does nothing (declare it in the class, or with `@attribute`)
        "#]],
    );
    labelled(
        "/ colour = Blue",
        expect![[r#"
            H309 hint 7: this never fires: `A` is left at once by its transition without trigger (give the other transition a trigger or a guard, or the state a `do`)
            W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
            W613 warning 9: `M` knows nothing of the name `Blue` (declare it; as it is, what stands here is left open)
        "#]],
    );
    labelled(
        "/ n =+ 1 €",
        expect![[r#"
            H309 hint 7: this never fires: `A` is left at once by its transition without trigger (give the other transition a trigger or a guard, or the state a `do`)
            W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
            W616 warning 9: this effect is not understood (it does nothing; an effect is an assignment `x = e`, or a send `^target.message(e)`)
        "#]],
    );
    // A sketch that declares nothing.
    check(
        "@startuml M\n[*] --> A\nA --> B : [count > 3] / count = 0; x = y; print(\"x\")\n@enduml\n",
        expect![[r#"
            H620 hint 3: `count`, `x` are not declared: conditions with them are decided freely, assignments to them do nothing (declare them in the class, or as in `@attribute count : 0..7`)
        "#]],
    );
}

#[test]
fn declarations() {
    let class = |members: &str, expected| {
        let machine = "@startuml M\n[*] --> A\nA --> B : [used > 0 && on]\n@enduml\n";
        check(
            &format!(
                "@startuml\nenum Colour {{\n Red\n}}\nclass M {{\n{members}\n}}\nclass Other {{\n x : 0..3 = 9\n}}\n@enduml\n{machine}"
            ),
            expected,
        );
    };
    class(
        "used : 0..9 = 3\non : bool = false\ncolour : Colour = Red\nother : Other\nname : String = x",
        expect![[""]],
    );
    class(
        "used : 0..9 = 12",
        expect![[r#"
        E611 error 6: `used` cannot be 12: it is 0..9 (values are 0 to 9)
        W613 warning 14: `M` knows nothing of the name `on` (declare it; as it is, what stands here is left open)
    "#]],
    );
    class(
        "used : int = 12",
        expect![[r#"
            E611 error 6: `used` cannot be 12: it is -8..7 (`int` is -8..7; give `used` a range of its own, as in `0..12`)
            W613 warning 14: `M` knows nothing of the name `on` (declare it; as it is, what stands here is left open)
        "#]],
    );
    class(
        "idle : int = 12",
        expect![[r#"
        H620 hint 14: `used` is not declared: conditions with it are decided freely, assignments to it do nothing (declare it in the class, or as in `@attribute used : 0..7`)
    "#]],
    );
    class(
        "used : int = MAX",
        expect![[r#"
            E611 error 6: `used` cannot be `MAX`: it is a number of -8..7 (write the number with which it begins)
            W613 warning 14: `M` knows nothing of the name `on` (declare it; as it is, what stands here is left open)
        "#]],
    );
    class(
        "on : bool = maybe",
        expect![[r#"
        E611 error 6: `on` cannot be `maybe`: it is true or false (write true or false)
        W613 warning 14: `M` knows nothing of the name `used` (declare it; as it is, what stands here is left open)
    "#]],
    );
    class(
        "on : boolen",
        expect![[r#"
        W610 warning 6: `on` is of type `boolen`, so guards and effects with it are left open (did you mean `boolean`?)
        W613 warning 14: `M` knows nothing of the name `used` (declare it; as it is, what stands here is left open)
    "#]],
    );
    class(
        "used : float",
        expect![[r#"
            H610 hint 6: `used` is of type `float`, so guards and effects with it are left open (types with finitely many values are bool, ranges such as `0..7`, enumerations and classes)
            W613 warning 14: `M` knows nothing of the name `on` (declare it; as it is, what stands here is left open)
        "#]],
    );
    class(
        "idle : float",
        expect![[r#"
        H620 hint 14: `used` is not declared: conditions with it are decided freely, assignments to it do nothing (declare it in the class, or as in `@attribute used : 0..7`)
    "#]],
    );
    class(
        "used : 7..0",
        expect![[r#"
            E611 error 6: `used` can have no value: the range `7..0` is empty (write the least value first, as in `0..7`)
            W613 warning 14: `M` knows nothing of the name `on` (declare it; as it is, what stands here is left open)
        "#]],
    );
    class(
        "colour : Colour = Rad",
        expect![[r#"
            E611 error 6: `colour` cannot be `Rad`: Colour has no such value (did you mean `Red`?)
            H620 hint 14: `used` is not declared: conditions with it are decided freely, assignments to it do nothing (declare it in the class, or as in `@attribute used : 0..7`)
        "#]],
    );
}

#[test]
fn the_only_object_is_misspelt() {
    check(
        "@startuml Bank\n[*] --> A\nA --> A : go\n@enduml\n@startuml\nobject \"b : Banc\" as b\n@enduml\n",
        expect![[r#"
            E615 error 6: `b` is of class `Banc`, which has no state machine (did you mean `Bank`?)
        "#]],
    );
}

#[test]
fn objects_and_their_values() {
    check(
        "@startuml M\n[*] --> A\nA --> A : [trials < 3] / ^next.go(1)\nA --> A : go\n@enduml\n@startuml\nclass M {\n trials : 0..3\n next : M\n}\n@enduml\n@startuml\nobject \"a : M\" as a {\n trials = 5\n next = c\n}\nobject \"b : M\" as b {\n trails = 1\n}\nobject \"d : Mn\" as d\nobject \"e : Engine\" as e\n@enduml\n",
        expect![[r#"
            E611 error 13: `trials` cannot be 5: it is 0..3 (values are 0 to 3)
            E611 error 13: `next` cannot be `c`: no object is called that (it refers to an object, or is `none`)
            E618 error 17: `b` has no attribute `trails` (did you mean `trials`?)
            E615 error 20: `d` is of class `Mn`, which has no state machine (did you mean `M`?)
            W615 warning 21: `e` is of class `Engine`, which has no state machine (give its state machine, or declare the class if it is environment)
        "#]],
    );
}

const PAIR: &str = "@startuml Bank\n[*] --> S\nS --> S : verify(p)\n@enduml\n";

#[test]
fn sends() {
    let send = |text: &str, classes: &str, expected| {
        check(
            &format!(
                "@startuml ATM\n' @attribute n : 0..3\n' @attribute amount : 0..3\n[*] --> S\nS --> S : card / {text}\n@enduml\n{PAIR}@startuml\n{classes}\n@enduml\n"
            ),
            expected,
        );
    };
    send("^bank.verify(n); ^lamp.on; ^self.card; ^sender.done; ^done", "class X", expect![[""]]);
    send(
        "^bakn.verify(n)",
        "class X",
        expect![[r#"
            E602 error 5: `ATM` sends `verify` to `bakn`, and knows nobody of that name (did you mean `Bank`?)
        "#]],
    );
    send(
        "^bank.verify(m)",
        "class X",
        expect![[r#"
        H620 hint 5: `m` is not declared: conditions with it are decided freely, assignments to it do nothing (declare it in the class, or as in `@attribute m : 0..7`)
    "#]],
    );
    send("^motorA.go", "class motorB", expect![[""]]);
    send(
        "^bank.verify(amuont)",
        "class X",
        expect![[r#"
        E618 error 5: `ATM` knows nothing of the name `amuont` (did you mean `amount`?)
    "#]],
    );
    send(
        "^dislay.show",
        "class Display",
        expect![[r#"
        E602 error 5: `ATM` sends `show` to `dislay`, and knows nobody of that name (did you mean `display`?)
    "#]],
    );
    send(
        "^bank.verify(n, 1)",
        "class X",
        expect![[r#"
            E614 error 5: `verify` is taken with 1 argument, and is sent with 2 (send 1 argument, or none at all where they do not matter)
        "#]],
    );
    send(
        "^bank.verify()",
        "class X",
        expect![[r#"
            E614 error 5: `verify` is taken with 1 argument, and is sent with 0 (send 1 argument, or none at all where they do not matter)
        "#]],
    );
    send("^bank.verify", "class X", expect![[""]]);
    send(
        "^bank.verify(1, 2)",
        "class Bank {\n verify(p : 0..9)\n}",
        expect![[r#"
            E614 error 5: `verify` is declared with 1 argument, and is sent with 2 (send 1 argument, or none at all where they do not matter)
        "#]],
    );
    send(
        "^bank.verify(n > 2)",
        "class Bank {\n verify(p : 0..9)\n}",
        expect![[r#"
            E612 error 5: `verify` takes a number and is given a truth value (send a value of that type)
        "#]],
    );
    send("^bank.verify(1)", "class Bank {\n verify(in p : 0..9, out ok : bool)\n}", expect![[""]]);
    send(
        "^lamp.on; System.out.println(n)",
        "object \"a : ATM\" as a\nobject \"b : Bank\" as b",
        expect![[r#"
            E602 error 5: `a` sends `on` to `lamp`, and knows nobody of that name (it is linked to `b`)
        "#]],
    );
}

#[test]
fn ports() {
    check(
        "@startuml ATM\n[*] --> S\nS --> S : card / ^wd.verify; ^wd.shout\n@enduml\n@startuml Bank\n[*] --> S\nS --> S : verify / ^wd.verify\n@enduml\n@startuml\nclass ATM {\n wd : ~Withdraw <<port>>\n}\nclass Bank {\n wd : Withdraw <<port>>\n}\nprotocol Withdraw {\n <<in>> verify()\n}\n@enduml\n@startuml\nobject \"a : ATM\" as a\nobject \"b : Bank\" as b\na -- b\n@enduml\n",
        expect![[r#"
            W609 warning 3: `a` cannot send `shout` to `b`: the ports do not carry it (add the operation to the protocol, with the direction `<<in>>` or `<<out>>` as the base side sees it)
            W609 warning 7: `b` cannot send `verify` to `a`: the ports do not carry it (add the operation to the protocol, with the direction `<<in>>` or `<<out>>` as the base side sees it)
        "#]],
    );
}

#[test]
fn scenarios_that_nobody_can_follow() {
    let machine = "@startuml Bank\n[*] --> S\nS --> S : verify\n@enduml\n";
    check(&format!("{machine}@startuml\n' @possible\na -> Bank : verify\n@enduml\n"), expect![[""]]);
    check(
        &format!("{machine}@startuml\n' @possible\na -> bakn : verify\n@enduml\n"),
        expect![[r#"
            W615 warning 7: `bakn` has no state machine, so it is environment (did you mean `Bank`?)
        "#]],
    );
    check(
        "@startuml\n' @required\na -> b : x\n@enduml\n",
        expect![[r#"
            W615 warning 2: no lifeline of `all` has a state machine, so there is nothing to check (give the state machines too, in the same folder: `a : ATM` behaves as the machine called `ATM`)
        "#]],
    );
    check("@startuml\na -> b : x\n@enduml\n", expect![[""]]);
}

/// A scenario that is asked for and draws what the machines nearly exchange.
#[test]
fn misspelt_messages_of_scenarios() {
    let machine = "@startuml Bank\n[*] --> S\nS --> S : verify / ^teller.granted\n@enduml\n";
    for question in ["possible", "forbidden", "required", "whenever"] {
        let asked =
            |lines: &str| format!("{machine}@startuml\n' @{question}\na -> Bank : verify\n{lines}@enduml\n");
        check(&asked("Bank -> teller : granted\nBank -> teller : refused\n"), expect![[""]]);
        check(
            &asked("a -> Bank : Verify\nBank -> teller : grantd\n"),
            expect![[r#"
                W608 warning 8: `Bank` cannot receive `Verify`: its state machine has no such trigger (did you mean `verify`?)
                W608 warning 9: `Bank` never sends `grantd`: its state machine has no such effect (did you mean `granted`?)
            "#]],
        );
    }
}

/// A scenario that gives a value to a parameter that there is not.
#[test]
fn misspelt_parameters_of_scenarios() {
    let machine = "@startuml Bank\n[*] --> S\nS --> S : debit(sum)\n@enduml\n";
    let asked = |label: &str| format!("{machine}@startuml\n' @forbidden\na -> Bank : {label}\n@enduml\n");
    for label in ["debit", "debit(2)", "debit(sum=2)"] {
        check(&asked(label), expect![[""]]);
    }
    check(
        &asked("debit(smu=2)"),
        expect![[r#"
        W614 warning 7: `debit` has no parameter `smu`, so this never happens (did you mean `sum`?)
    "#]],
    );
    check(
        &asked("debit(colour=2)"),
        expect![[r#"
        W614 warning 7: `debit` has no parameter `colour`, so this never happens (it has `sum`)
    "#]],
    );
}

/// A trigger that names a port or a sender, a message to oneself that nothing takes, a result that never comes, an argument that
/// is left out.
#[test]
fn what_labels_say_and_machines_do_not_do() {
    check(
        "@startuml Door\n[*] --> A\nA --> B : left.a / self.stop\nB --> A : guard.yes / ok = outside.look()\n@enduml\n\
         @startuml guard\n[*] --> R\nR --> R : tell / ^door.yes; ^door.set\n@enduml\n\
         @startuml\nclass Door {\n ok : boolean\n left : P <<port>>\n right : P <<port>>\n set(v : 0..3)\n}\nclass Outside {\n look() : boolean\n}\nprotocol P {\n <<in>> a()\n}\n@enduml\n",
        expect![[r#"
            W306 warning 3: `Door` sends `stop` to itself, and never takes it (give one of its transitions this trigger, or remove the send)
            W616 warning 4: the call of `look` leaves the system: `outside` has no state machine that replies, so what keeps the result stays as it is (give `outside` a state machine that returns a value)
            W616 warning 3: `left.a` is taken for the name of an event, not for `a` through the port `left` (write `a`: it is taken through any port that lets it in)
            W616 warning 4: `guard.yes` is taken for the name of an event, not for `yes` of `guard` (write `yes [sender == guard]`)
        "#]],
    );
    check(
        "@startuml Door\n[*] --> A\nA --> B : set(v) [v > 1]\nB --> A : yes / ^self.back\nA --> A : back\n@enduml\n\
         @startuml guard\n[*] --> R\nR --> R : tell / ^door.yes; ^door.set\n@enduml\n\
         @startuml\nclass Door {\n set(v : 0..3)\n}\n@enduml\n",
        expect![[r#"
            H621 hint 3: the value of `v` in `set` is not known, so what depends on it is decided freely (give it a value where the message is sent)
        "#]],
    );
}

/// Two machines that talk; the label is on line 5.
fn talking(label: &str, expected: Expect) {
    let text = format!(
        "@startuml a\n' @attribute x : 0..3 = 0\n[*] --> S\nS --> S : go / ^b.m\nS --> S : stop{label}\n@enduml\n@startuml b\n' @attribute y : 0..3 = 0\n[*] --> S\nS --> S : m\n@enduml\n"
    );
    check(&text, expected);
}

#[test]
fn an_object_knows_its_own_name_and_sets_nothing_of_others() {
    talking(" [a.x == 2 && self.x > b.y] / a.x = 2; ^a.stop; ^self.stop", expect![[r#""#]]);
    talking(
        " / b.y = 2",
        expect![[r#"
        E619 error 5: `a` cannot set `b.y`: it belongs to another object (send `b` a message, and let its own machine set `y`)
    "#]],
    );
    talking(
        " [a.z == 2]",
        expect![[r#"
        H620 hint 5: `a.z` is not declared: conditions with it are decided freely, assignments to it do nothing (declare it in the class, or as in `@attribute a.z : 0..7`)
    "#]],
    );
    talking(
        " [b.z == 2]",
        expect![[r#"
        H620 hint 5: `b.z` is not declared: conditions with it are decided freely, assignments to it do nothing (declare it in the class, or as in `@attribute b.z : 0..7`)
    "#]],
    );
}

#[test]
fn what_is_no_effect_is_reported() {
    talking(" / ^m to b", expect![[r#""#]]);
    talking(" / ^b.m // note", expect![[r#""#]]);
    talking(
        " / ^b.insert card",
        expect![[r#"
        W616 warning 5: this effect is not understood (it does nothing; an effect is an assignment `x = e`, or a send `^target.message(e)`)
    "#]],
    );
    talking(
        " / x 2",
        expect![[r#"
        W616 warning 5: this effect is not understood (it does nothing; an effect is an assignment `x = e`, or a send `^target.message(e)`)
    "#]],
    );
    talking(
        " / b m",
        expect![[r#"
        W616 warning 5: this effect is not understood (it does nothing; an effect is an assignment `x = e`, or a send `^target.message(e)`)
    "#]],
    );
    talking(
        " / ^b.m(k)",
        expect![[r#"
        H620 hint 5: `k` is not declared: conditions with it are decided freely, assignments to it do nothing (declare it in the class, or as in `@attribute k : 0..7`)
    "#]],
    );
    talking(
        " / return 2",
        expect![[r#"
        W616 warning 5: there is no operation with a result to return from (declare the operation in the class with its result, as in `charge(n : 0..3) : bool`)
    "#]],
    );
    talking(" / Save Result", expect![[r#""#]]);
    talking(
        " [k > 2]",
        expect![[r#"
        W613 warning 5: `a` knows nothing of the name `k` (did you mean `x`?)
    "#]],
    );
    talking(
        " [2]",
        expect![[r#"
        E612 error 5: a number is not a condition (compare and combine values of one type)
    "#]],
    );
}

#[test]
fn open_arguments() {
    // What goes round has the values with which it began.
    check(
        "@startuml a\n[*] --> S\nS --> S : go / ^b.t(1)\nS --> S : t(n) [n > 0] / ^b.t(n - 1)\n@enduml\n@startuml b\n[*] --> S\nS --> S : t(n) [n < 3] / ^a.t(n)\n@enduml\n",
        expect![[r#""#]],
    );
    // It grows without end.
    check(
        "@startuml a\n[*] --> S\nS --> S : go / ^b.t(1)\nS --> S : t(n) / ^b.t(n + 1)\n@enduml\n@startuml b\n[*] --> S\nS --> S : t(n) [n < 3] / ^a.t(n)\nS --> S : t(n) [n >= 3] / ^a.t(n)\n@enduml\n",
        expect![[r#"
            H621 hint 8: the value of `n` in `t` is not known, so what depends on it is decided freely (declare it in a class, as in `t(n : 0..7)`)
        "#]],
    );
    // One send passes what nothing declares.
    check(
        "@startuml a\n[*] --> S\nS --> S : go / ^b.t(1)\nS --> S : stop / ^b.t(k)\n@enduml\n@startuml b\n[*] --> S\nS --> S : t(n) [n < 3]\n@enduml\n",
        expect![[r#"
            H620 hint 4: `k` is not declared: conditions with it are decided freely, assignments to it do nothing (declare it in the class, or as in `@attribute k : 0..7`)
            H621 hint 8: the value of `n` in `t` is not known, so what depends on it is decided freely (declare it in a class, as in `t(n : 0..7)`)
        "#]],
    );
}

/// A text that a trigger carries is no name that another could be a slip of.
#[test]
fn texts_of_triggers_are_no_names() {
    check(
        "@startuml\n[*] --> A\nA --> B : written(\"Enable\") [data.enable != enabled]\nB --> A : back\n@enduml\n",
        expect![[r#"
            H620 hint 3: `data.enable`, `enabled` are not declared: conditions with them are decided freely, assignments to them do nothing (declare them in the class, or as in `@attribute data.enable : 0..7`)
        "#]],
    );
}

#[test]
fn values_that_a_trigger_waits_for() {
    let trigger = |text: &str, expected| labelled(text, expected);
    trigger(
        "go(5, q)",
        expect![[r#"
        W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
    "#]],
    );
    trigger(
        "go(12, q)",
        expect![[r#"
            W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
            E611 error 9: `go` never has the value `12`: its argument is a number (wait for a value of the declared type, or declare another one)
        "#]],
    );
    trigger(
        "go(p=Red, q)",
        expect![[r#"
            W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
            E611 error 9: `go` never has the value `Red`: its argument is a number (wait for a value of the declared type, or declare another one)
        "#]],
    );
    trigger(
        "go(true, q)",
        expect![[r#"
            W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
            E611 error 9: `go` never has the value `true`: its argument is a number (wait for a value of the declared type, or declare another one)
        "#]],
    );
    trigger(
        "go(p, q, r)",
        expect![[r#"
            W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
            E614 error 9: `go` is declared with 2 arguments, and is taken with 3 (leave out what no class declares, or declare it)
        "#]],
    );
}

#[test]
fn signs_and_values_are_no_prose() {
    for guard in ["!", "n 2", "2 n"] {
        labelled(
            &format!("go(p, q) [{guard}]"),
            expect![[r#"
                W610 warning 5: `name` is of type `String`, so guards and effects with it are left open (types are bool, ranges such as `0..7`, enumerations and classes)
                W616 warning 9: this guard is not understood (it is decided freely; docs/semantics.md has the expressions that are read)
            "#]],
        );
    }
}

#[test]
fn an_attribute_that_an_object_does_not_have() {
    check(
        "@startuml A\n[*] --> S\nS --> S : go [b.k == 1]\n@enduml\n@startuml B\n' @attribute n : 0..3 = 0\n[*] --> S\n@enduml\n@startuml\nu ->> b : m\n@enduml\n",
        expect![[r#"
            H620 hint 3: `b.k` is not declared: conditions with it are decided freely, assignments to it do nothing (declare it in the class, or as in `@attribute b.k : 0..7`)
        "#]],
    );
}

/// Two machines of which one calls the other; the label is on line 9.
fn calling(label: &str, expected: Expect) {
    let text = format!(
        "@startuml\nclass b {{\n op(x : 0..3) : 0..3\n}}\n@enduml\n@startuml a\n' @attribute y : 0..3\n[*] --> S\nS --> S : go{label}\n@enduml\n@startuml b\n[*] --> S\nS --> S : op(x) / return x\n@enduml\n"
    );
    check(&text, expected);
}

#[test]
fn calls_whose_result_is_kept_are_sends() {
    calling(" / y = b.op(1)", expect![[r#""#]]);
    calling(
        " / y = b.op()",
        expect![[r#"
            E614 error 9: `op` is declared with 1 argument, and is sent with 0 (send 1 argument, or none at all where they do not matter)
        "#]],
    );
    calling(
        " / y = c.op(1)",
        expect![[r#"
        W616 warning 9: the call of `op` leaves the system: `c` has no state machine that replies, so what keeps the result stays as it is (give `c` a state machine that returns a value)
    "#]],
    );
    calling(
        " / y = b.op(true)",
        expect![[r#"
        E612 error 9: `op` takes a number and is given a truth value (send a value of that type)
    "#]],
    );
    calling(
        " / y = b.op(k)",
        expect![[r#"
        H620 hint 9: `k` is not declared: conditions with it are decided freely, assignments to it do nothing (declare it in the class, or as in `@attribute k : 0..7`)
    "#]],
    );
    calling(
        " / ok = b.op(1)",
        expect![[r#"
        W613 warning 9: `a` has no attribute `ok`, so this does nothing (declare it in the class, or with `@attribute`)
    "#]],
    );
    calling(
        " / y",
        expect![[r#"
        W616 warning 9: `y` is an attribute, and is sent as a message that nothing takes (an assignment is written as in `y = e`)
    "#]],
    );
    calling(
        " / b.op(,)",
        expect![[r#"
        E614 error 9: `op` is declared with 1 argument, and is sent with 2 (send 1 argument, or none at all where they do not matter)
    "#]],
    );
    calling(
        "\nS --> T : / return 1",
        expect![[r#"
        H309 hint 9: this never fires: `S` is left at once by its transition without trigger (give the other transition a trigger or a guard, or the state a `do`)
        W616 warning 10: there is no operation with a result to return from (declare the operation in the class with its result, as in `charge(n : 0..3) : bool`)
    "#]],
    );
    check(
        "@startuml\nclass b {\n op(x : 0..3) : bool\n}\n@enduml\n@startuml a\n' @attribute y : Mode\n[*] --> S\nS --> S : go / y = b.op(1)\n@enduml\n@startuml b\n[*] --> S\nS --> S : op(x) / return true\n@enduml\n@startuml\nenum Mode {\n Red\n Green\n}\n@enduml\n",
        expect![[r#"
            E612 error 9: `y` is a value of Mode, and `op` returns a truth value (keep it in an attribute of its own type)
        "#]],
    );
}

#[test]
fn each_parameter_is_declared_by_itself() {
    // The second is what is sent; the environment sends what it likes.
    let class = "@startuml\nclass b {\n t(x : 0..3, n)\n}\n@enduml\n";
    let machines = "@startuml a\n[*] --> S\nS --> S : go / ^b.t(1, 2)\n@enduml\n@startuml b\n[*] --> S\nS --> S : t(x, n) [n < 3] / ^c.u(n)\n@enduml\n@startuml c\n[*] --> S\nS --> S : u(n) [n == 7]\n@enduml\n";
    check(&format!("{class}{machines}"), expect![[r#""#]]);
    check(
        &format!("{class}{machines}@startuml d\n' @possible\nparticipant u\nu ->> b : t(1, 7)\n@enduml\n"),
        expect![[r#"
            H621 hint 12: the value of `n` in `t` is not known, so what depends on it is decided freely (declare it in a class, as in `t(n : 0..7)`)
            H621 hint 16: the value of `n` in `u` is not known, so what depends on it is decided freely (declare it in a class, as in `u(n : 0..7)`)
        "#]],
    );
    // Who sent it does not say what is sent on.
    check(
        "@startuml a\n[*] --> S\nS --> S : go / ^b.t(1)\n@enduml\n@startuml b\n[*] --> S\nS --> S : t(n) [sender == a] / ^c.u(n + 1)\n@enduml\n@startuml c\n[*] --> S\nS --> S : u(n) [n == 7]\n@enduml\n",
        expect![[r#""#]],
    );
}

#[test]
fn members_that_are_no_declarations() {
    let class = |member: &str, expected: Expect| {
        check(
            &format!(
                "@startuml\nclass a {{\n {member}\n}}\n@enduml\n@startuml a\n[*] --> S\nS --> S : tell(x, w)\n@enduml\n"
            ),
            expected,
        );
    };
    class("tell(x : 0..3, w : bool)", expect![[r#""#]]);
    class(
        "(x : 0..3, w : bool)",
        expect![[r#"
        W616 warning 3: `(x : 0..3, w : bool)` is not understood (an operation is declared as in `m(x : 0..7)`)
    "#]],
    );
    class(
        "tellx : 0..3, w : bool)",
        expect![[r#"
        W616 warning 3: `tellx : 0..3, w : bool)` is not understood (an operation is declared as in `m(x : 0..7)`)
    "#]],
    );
    class(
        "tell(x : 0..3, , w : bool)",
        expect![[r#"
        W616 warning 3: `,` in the declaration of `tell` is not understood (an operation is declared as in `m(x : 0..7)`)
    "#]],
    );
    class(
        "tell(x : 0..3, w : bool))",
        expect![[r#"
        W616 warning 3: `w` in the declaration of `tell` is not understood (an operation is declared as in `m(x : 0..7)`)
    "#]],
    );
}
