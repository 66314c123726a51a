//! Instances of P4's metamodel: with messages in order, and with events on lifelines.

use std::path::PathBuf;

use sequent_kernel::diagnostic::Code;
use sequent_notation::plantuml::print;

use crate::samples::{self, Sample};

/// The coffee machine of P4 (example 3.1.2), with a diagram.
fn read(diagram: &str) -> Sample {
    let text = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<tmvml:Model xmi:version="2.0" xmlns:xmi="http://www.omg.org/XMI" xmlns:tmvml="http://example.org/tmvml">
  <symbols name="orderCoffee"/><symbols name="coffeeDone"/>
  <stateMachineView>
    <stateMachines name="PhD" initialState="//@stateMachineView.0/@stateMachines.0/@states.1">
      <states name="waiting"/><states name="working"/>
      <transitions source="//@stateMachineView.0/@stateMachines.0/@states.1" target="//@stateMachineView.0/@stateMachines.0/@states.0" effects="//@symbols.0"/>
      <transitions source="//@stateMachineView.0/@stateMachines.0/@states.0" target="//@stateMachineView.0/@stateMachines.0/@states.1" trigger="//@symbols.1"/>
    </stateMachines>
    <stateMachines name="CM">
      <states name="idle" isInitial="true"/>
      <transitions source="//@stateMachineView.0/@stateMachines.1/@states.0" target="//@stateMachineView.0/@stateMachines.1/@states.0" trigger="//@symbols.0" effects="//@symbols.1"/>
    </stateMachines>
  </stateMachineView>
  <sequenceDiagramView><sequenceDiagrams name="morning">{diagram}</sequenceDiagrams></sequenceDiagramView>
</tmvml:Model>"#
    );
    samples::read_bytes(&PathBuf::from("coffee.xmi"), text.as_bytes())
}

const LINES: &str = "//@sequenceDiagramView.0/@sequenceDiagrams.0/@lifelines";
const WANTED: &str = "@startuml morning\nparticipant \"alice : PhD\" as alice\nparticipant \"cm : CM\" as cm\n\
                      alice ->> cm : orderCoffee\ncm ->> alice : coffeeDone\n@enduml\n";

fn drawn(sample: &Sample) -> String {
    sample.model.interactions.iter().map(print::sequence).collect()
}

#[test]
fn machines_and_ordered_messages_are_read() {
    let sample = read(&format!(
        r#"<lifelines name="alice" stateMachine="//@stateMachineView.0/@stateMachines.0"/>
        <lifelines name="cm" stateMachine="//@stateMachineView.0/@stateMachines.1"/>
        <messages symbol="//@symbols.0" sender="{LINES}.0" receiver="{LINES}.1"/>
        <messages symbol="//@symbols.1" sender="{LINES}.1" receiver="{LINES}.0"/>"#
    ));
    assert!(sample.diagnostics.is_empty(), "{:?}", sample.diagnostics);
    assert_eq!(drawn(&sample), WANTED);
    let machines: Vec<String> = sample.model.machines.iter().map(print::state).collect();
    assert_eq!(
        machines,
        [
            "@startuml PhD\nstate waiting\nstate working\n[*] --> working\nworking --> waiting : / orderCoffee\nwaiting --> working : coffeeDone\n@enduml\n",
            "@startuml CM\nstate idle\n[*] --> idle\nidle --> idle : orderCoffee / coffeeDone\n@enduml\n",
        ]
    );
}

#[test]
fn events_on_lifelines_are_in_order() {
    let diagram = |alice: &str, cm: &str| {
        let events = |kinds: &str| {
            kinds.split(' ').map(|kind| format!("<events name=\"{kind}\"/>")).collect::<String>()
        };
        read(&format!(
            r#"<lifelines name="alice" stateMachine="//@stateMachineView.0/@stateMachines.0">{}</lifelines>
            <lifelines name="cm" stateMachine="//@stateMachineView.0/@stateMachines.1">{}</lifelines>
            <messages symbol="//@symbols.1" sendEvent="{LINES}.1/doneSnd" receiveEvent="{LINES}.0/doneRcv"/>
            <messages symbol="//@symbols.0" sendEvent="{LINES}.0/orderSnd" receiveEvent="{LINES}.1/orderRcv"/>"#,
            events(alice),
            events(cm)
        ))
    };
    let sample = diagram("orderSnd doneRcv", "orderRcv doneSnd");
    assert!(sample.diagnostics.is_empty(), "{:?}", sample.diagnostics);
    assert_eq!(drawn(&sample), WANTED);
    // Not time-consistent (definition 3.2.7).
    let sample = diagram("orderSnd doneRcv", "doneSnd orderRcv");
    assert!(sample.model.interactions.is_empty() && sample.diagnostics[0].code == Code::OrderUnknown);
}
