//! Labels as they occur in real diagrams.

use expect_test::{Expect, expect};
use sequent_kernel::source::Sources;

use super::*;

fn span(text: &str) -> Span {
    let file = Sources::new().add("label", text);
    Span::new(file, 0, text.len())
}

fn shown(label: &TransitionLabel) -> String {
    let trigger = |one: &Trigger| match one {
        Trigger::Event { .. } => trigger(one),
        Trigger::Any | Trigger::After(_) | Trigger::When(_) => format!("<{}>", trigger(one)),
    };
    let triggers: Vec<String> = label.triggers.iter().map(trigger).collect();
    let guard = label.guard.as_ref().map_or(String::new(), |guard| {
        let kind = if guard.expression.is_some() { "" } else { "?" };
        format!(" [{}{kind}]", guard.text)
    });
    format!("{}{guard} / {}", triggers.join(" | "), listed(&label.effects))
}

fn listed(effects: &[Effect]) -> String {
    let one = |one: &Effect| match one {
        Effect::Assign(_) | Effect::Send(_) => effect(one),
        Effect::Opaque { text, .. } => format!("{text:?}"),
    };
    effects.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn check(input: &str, expected: Expect) {
    expected.assert_eq(&shown(&transition(input, span(input))));
}

fn check_description(input: &str, expected: Expect) {
    expected.assert_eq(&match description(input, span(input)) {
        Description::Entry(effects) => format!("entry {}", listed(&effects)),
        Description::Exit(effects) => format!("exit {}", listed(&effects)),
        Description::Activity(effects) => format!("do {}", listed(&effects)),
        Description::Defer(triggers) => {
            format!("defer {}", triggers.iter().map(trigger).collect::<Vec<_>>().join(", "))
        }
        Description::Internal(label) => format!("internal {}", shown(&label)),
        Description::Text => "text".to_owned(),
    });
}

#[test]
fn the_canonical_form() {
    check(
        "debit(id, amt) [amt <= balance] / balance := balance - amt; ^atm.result(true)",
        expect!["debit(id, amt) [amt <= balance] / balance = balance - amt; atm.result(true)"],
    );
    check("verifyPIN()", expect!["verifyPIN / "]);
    check("[else] / cardValid = false; ^atm.abort", expect![" [else?] / cardValid = false; atm.abort"]);
    check(
        "[numIncorrect < maxNumIncorrect] / numIncorrect++; ^atm.reenterPIN",
        expect![" [numIncorrect < maxNumIncorrect] / numIncorrect = numIncorrect + 1; atm.reenterPIN"],
    );
    check("/ bank.verifyPIN(x)", expect![" / bank.verifyPIN(x)"]);
    check("", expect![" / "]);
}

#[test]
fn triggers_of_several_dialects() {
    check("a, b | c(x : int)", expect!["a | b | c(x) / "]);
    check("a or b", expect!["a | b / "]);
    check("after(3s) / x += 2", expect!["<after(3s)> / x = x + 2"]);
    check("after 5 minutes", expect!["<after(5 minutes)> / "]);
    check("after payment", expect!["after payment / "]);
    check("when(x > 3)", expect!["<when(x > 3)> / "]);
    check("when x > 3", expect!["<when(x > 3)> / "]);
    check("when the card is gone", expect!["when the card is gone / "]);
    check("any / x", expect!["<any> / x"]);
    check("- / done", expect![" / done"]);
    check("τ", expect![" / "]);
    check("else", expect![" [else?] / "]);
    check("2. inc [count >= 3]", expect!["inc [count >= 3] / "]);
    check("[memTimer>0] up", expect!["up [memTimer>0] / "]);
    check("Stop()[]: ", expect!["Stop / "]);
    check("user submits order, then pays", expect!["user submits order, then pays / "]);
    check("result(ok = false)", expect!["result(ok = false) / "]);
}

#[test]
fn guards_may_be_prose() {
    check("pay [card is valid]", expect!["pay [card is valid?] / "]);
    check("t [a < \n b]", expect!["t [a < b] / "]);
    check("RadioConfigStart [!Radio->enable]", expect!["RadioConfigStart [!Radio->enable] / "]);
}

#[test]
fn effects_of_several_dialects() {
    check("evDoorOpen/ovenOff();timer_pause();", expect!["evDoorOpen / ovenOff(); timer_pause()"]);
    check("e / send req(1) to bank; send ok", expect!["e / bank.req(1); ok"]);
    check("e / send event:E1 to state:Cons\\; ;", expect!["e / Cons.E1"]);
    check("e / send event:2xx to state:Alice", expect!["e / send event:2xx to Alice"]);
    check("e / { x = 1; y := x % 2 }", expect!["e / x = 1; y = x % 2"]);
    check("e / a, b", expect!["e / a; b"]);
    check("btn \n--\n LED = on; lane = off", expect!["btn / LED = on; lane = off"]);
    check("Succeeded / Save Result", expect![[r#"Succeeded / "Save Result""#]]);
    check("e / a()\nb()", expect!["e / a(); b()"]);
    check("e / log(\"a; b\")", expect![[r#"e / log("a; b")"#]]);
    check("<color:green>A </color>", expect!["A / "]);
    check("/* nothing */ e", expect!["e / "]);
    check("long line<br/>of text<br />and more / f()", expect!["long line of text and more / f()"]);
    check("e / ^m to a; ^b.n(1) to c", expect!["e / a.m; b.c.n(1)"]);
    check("e / ^a.m // note", expect!["e / a.m"]);
    check("e / x = 1 // one; or two\n^a.m", expect!["e / x = 1; a.m"]);
    check("e / ^a.insert card", expect![[r#"e / "^a.insert card""#]]);
    check("path=/a", expect!["path=/a / "]);
    check("see http://x.y/z", expect!["see http://x.y/z / "]);
}

#[test]
fn descriptions() {
    check_description("entry / x = 0; y()", expect!["entry x = 0; y()"]);
    check_description("Exit: offExit()", expect!["exit offExit()"]);
    check_description("enter / {\n  lightRed();\n}", expect!["entry lightRed()"]);
    check_description("entering / beep()", expect!["entry beep()"]);
    check_description("comment / beeps()", expect!["text"]);
    check_description("do / show hours()", expect![[r#"do "show hours()""#]]);
    check_description("ev / defer", expect!["defer ev"]);
    check_description("defer a, b", expect!["defer a, b"]);
    check_description("1. inc / count++;", expect!["internal inc / count = count + 1"]);
    check_description("Internal: RTI/doCalibrate()", expect!["internal RTI / doCalibrate()"]);
    check_description(
        "on setSpeed(v) [v >= 0]  / speed = v",
        expect!["internal setSpeed(v) [v >= 0] / speed = v"],
    );
    check_description("GO_1 /  ", expect!["internal GO_1 / "]);
    check_description("input/output", expect!["text"]);
    check_description("Contents - void", expect!["text"]);
    check_description("checksum: http://172.22.0.1/ubuntu.img", expect!["text"]);
    check_description("money in / money out", expect!["text"]);
}
