//! Elements that stand elsewhere than in most files: what is told of them is true.

use std::path::Path;

use sequent_kernel::diagnostic::Code;

use crate::constructs::{ends, interaction, message, read};
use crate::samples::{self, Sample};

fn codes(sample: &Sample) -> Vec<Code> {
    sample.diagnostics.iter().map(|one| one.code).collect()
}

#[test]
fn states_outside_of_their_machine_are_read_with_their_regions() {
    for kind in ["", "Protocol"] {
        let sample = read(&format!(
            "<packagedElement xmi:type='uml:{kind}StateMachine' xmi:id='s' name='M'><region xmi:id='r'>\
            <transition xmi:type='uml:{kind}Transition' xmi:id='t' source='p' target='c'/></region></packagedElement>\
            <packagedElement xmi:type='uml:Pseudostate' xmi:id='p'/><packagedElement xmi:type='uml:State' xmi:id='c' name='C'>\
            <region xmi:id='q'><subvertex xmi:type='uml:State' xmi:id='d' name='D'/></region></packagedElement>"
        ));
        let machine = sample.model.machines.iter().next().expect("it is read");
        assert_eq!((machine.vertices.len(), machine.transitions.len()), (3, 1), "{kind}");
        assert_eq!(codes(&sample), [], "{:?}", sample.diagnostics);
    }
}

#[test]
fn messages_into_fragments_are_not_received_above_their_sending() {
    let x = ends("x");
    let (sent, received) = x.split_at(x.rfind("<fragment").expect("two ends"));
    let fragment = format!(
        "<fragment xmi:type='uml:CombinedFragment' xmi:id='f' interactionOperator='opt' covered='a b'><operand xmi:id='o'>{received}</operand></fragment>"
    );
    let sample = interaction(&format!("{sent}{fragment}{}", message("x")));
    assert_eq!(codes(&sample), [Code::OrderUnknown], "{:?}", sample.diagnostics);
    let sample = interaction(&format!("{received}{sent}{}", message("x")));
    assert_eq!(codes(&sample), [Code::TwoNames], "{:?}", sample.diagnostics);
}

#[test]
fn points_of_submachines_that_several_states_use_are_told() {
    let machine = |states: &str| {
        read(&format!(
            "<packagedElement xmi:type='uml:StateMachine' xmi:id='i' name='Inner'><connectionPoint xmi:id='e' name='in' kind='entryPoint'/>\
            <region xmi:id='q'><subvertex xmi:type='uml:State' xmi:id='d' name='D'/><transition xmi:id='u' source='e' target='d'/></region></packagedElement>\
            <packagedElement xmi:type='uml:StateMachine' xmi:id='s' name='M'><region xmi:id='r'><subvertex xmi:type='uml:Pseudostate' xmi:id='p'/>{states}\
            <transition xmi:id='t' source='p' target='e'/></region></packagedElement>"
        ))
    };
    let state =
        |id: &str| format!("<subvertex xmi:type='uml:State' xmi:id='{id}' name='{id}' submachine='i'/>");
    assert_eq!(codes(&machine(&state("x"))), []);
    assert_eq!(codes(&machine(&format!("{}{}", state("x"), state("y")))), [Code::Unsupported]);
}

#[test]
fn stereotypes_may_name_what_they_are_applied_to_in_an_element() {
    let text = format!(
        "<xmi:XMI xmlns:xmi='http://www.omg.org/spec/XMI/20131001' xmlns:uml='u' xmlns:s='s'><uml:Model xmi:id='m'>\
        <packagedElement xmi:type='uml:Interaction' xmi:id='i' name='talk'><lifeline xmi:id='a' name='a'/><lifeline xmi:id='b' name='b'/>{}{}</packagedElement></uml:Model>\
        <s:forbidden xmi:id='t'><base_Interaction xmi:idref='i'/></s:forbidden></xmi:XMI>",
        ends("x"),
        message("x")
    );
    let sample = samples::read_bytes(Path::new("model.uml"), text.as_bytes());
    assert_eq!((sample.model.checks.len(), codes(&sample)), (1, vec![]), "{:?}", sample.diagnostics);
}

const OLD: &str = "<UML:Model xmi.id='a' name='M'><UML:Namespace.ownedElement>\
    <UML:StateMachine xmi.id='sm' name='Lamp'><UML:StateMachine.top><UML:CompositeState xmi.id='top' name='top'><UML:CompositeState.subvertex>\
    <UML:Pseudostate xmi.id='p' kind='initial'/><UML:SimpleState xmi.id='off' name='Off'/></UML:CompositeState.subvertex></UML:CompositeState></UML:StateMachine.top>\
    <UML:StateMachine.transitions><UML:Transition xmi.id='t0'><UML:Transition.source><UML:Pseudostate xmi.idref='p'/></UML:Transition.source>\
    <UML:Transition.target><UML:SimpleState xmi.idref='off'/></UML:Transition.target></UML:Transition>\
    <UML:Transition xmi.id='t1'><UML:Transition.trigger><UML:CallEvent xmi.idref='ce'/></UML:Transition.trigger><UML:Transition.source><UML:SimpleState xmi.idref='off'/></UML:Transition.source>\
    <UML:Transition.target><UML:SimpleState xmi.idref='off'/></UML:Transition.target></UML:Transition></UML:StateMachine.transitions></UML:StateMachine>\
    <UML:CallEvent xmi.id='ce' name='press'><UML:Event.parameter><UML:Parameter xmi.id='pp' name='force' kind='in'/></UML:Event.parameter></UML:CallEvent>\
    <UML:Collaboration xmi.id='co' name='Buy'><UML:Namespace.ownedElement><UML:ClassifierRole xmi.id='r1' name='user'/><UML:ClassifierRole xmi.id='r2' name='shop'/>\
    <UML:CallAction xmi.id='ca'><UML:Action.recurrence><UML:IterationExpression xmi.id='ie' body='*[i:=1..3]'/></UML:Action.recurrence>\
    <UML:Action.actualArgument><UML:Argument xmi.id='ar'><UML:Argument.value><UML:Expression xmi.id='ex' body='5'/></UML:Argument.value></UML:Argument></UML:Action.actualArgument></UML:CallAction></UML:Namespace.ownedElement>\
    <UML:Collaboration.interaction><UML:Interaction xmi.id='in' name='i'><UML:Interaction.message><UML:Message xmi.id='m1' name='pay'><UML:Message.sender><UML:ClassifierRole xmi.idref='r1'/></UML:Message.sender>\
    <UML:Message.receiver><UML:ClassifierRole xmi.idref='r2'/></UML:Message.receiver><UML:Message.action><UML:CallAction xmi.idref='ca'/></UML:Message.action></UML:Message></UML:Interaction.message></UML:Interaction></UML:Collaboration.interaction></UML:Collaboration>\
    </UML:Namespace.ownedElement></UML:Model>";

#[test]
fn projects_of_argo_are_read_with_arguments_and_parameters() {
    let content = format!(
        "<XMI xmi.version='1.2' xmlns:UML='org.omg.xmi.namespace.UML'><XMI.header><XMI.exporter>ArgoUML</XMI.exporter></XMI.header><XMI.content>{OLD}</XMI.content></XMI>"
    );
    let project = format!("<uml version='0.34'><argo><documentation/></argo>{content}</uml>");
    for text in [content, project] {
        let sample = samples::read_bytes(Path::new("lamp.uml"), text.as_bytes());
        let machine = sample.model.machines.iter().next().expect("it is read");
        assert_eq!(machine.transitions.iter().last().expect("two").text, "press(force)");
        let diagram = sample.model.interactions.iter().next().expect("it is read");
        assert_eq!(diagram.messages.iter().next().expect("one").text, "pay(5)");
        // How often it is sent.
        assert_eq!(codes(&sample), [Code::Unsupported], "{:?}", sample.diagnostics);
    }
    // What is not read is told once; what is not there too.
    let synch = OLD.replace(
        "<UML:SimpleState xmi.id='off' name='Off'/>",
        "<UML:SimpleState xmi.id='off' name='Off'/><UML:SynchState xmi.id='sy' name='s' bound='1'/>",
    );
    let wrong = [
        synch,
        OLD.replace("CallEvent xmi.idref='ce'", "CallEvent xmi.idref='gone'"),
        OLD.replace("<UML:ClassifierRole xmi.idref='r2'/>", "<UML:ClassifierRole xmi.idref='gone'/>"),
    ];
    for model in wrong {
        let text = format!(
            "<XMI xmi.version='1.2' xmlns:UML='org.omg.xmi.namespace.UML'><XMI.content>{model}</XMI.content></XMI>"
        );
        let sample = samples::read_bytes(Path::new("lamp.xmi"), text.as_bytes());
        assert_eq!(sample.diagnostics.len(), 2, "{:?}", sample.diagnostics);
    }
}
