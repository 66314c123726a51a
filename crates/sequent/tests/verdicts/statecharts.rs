//! Malformed statecharts of a code generator (LeCrapouille's), which its author keeps to be found out.
//!
//! A machine that is alone may be a sketch, so little is said about it; here each has somebody to talk to.

use sequent_kernel::diagnostic::Code;

/// What is found in a statechart that is sent `event`.
fn findings(name: &str) -> Option<Vec<Code>> {
    let path = crate::verdicts()?.join(format!("lecrapouille-statecharts/{name}.plantuml"));
    let text = std::fs::read_to_string(path).expect("readable");
    let text = text.replace("@startuml", &format!("@startuml {name}"));
    let tester = format!("@startuml Tester\n[*] --> Done : / ^{name}.event\n@enduml\n");
    let session = crate::session(&format!("{text}\n{tester}"));
    Some(session.check().diagnostics.iter().map(|found| found.code).collect())
}

#[test]
fn an_event_that_comes_too_late_and_a_loop_without_events_are_told() {
    let Some(late) = findings("BadSwitch1") else { return };
    assert_eq!(late, [Code::NeverFires]);
    let endless = findings("InfiniteLoop").expect("the corpus is there");
    assert!(endless.contains(&Code::SilentForever), "{endless:?}");
}
