//! UML 1 in XMI 1.0 to 1.2: ArgoUML and others.

use std::path::PathBuf;

use sequent_kernel::diagnostic::Code;
use sequent_kernel::model::{AssociationKind, Interaction};
use sequent_notation::plantuml::print;

use crate::samples::{self, Sample};

fn read(content: &str) -> Sample {
    let text = format!(
        "<?xml version='1.0'?><XMI xmi.version='1.2' xmlns:UML='org.omg.xmi.namespace.UML'><XMI.content><UML:Model xmi.id='m' name='M'>\
         <UML:Namespace.ownedElement>{content}</UML:Namespace.ownedElement></UML:Model></XMI.content></XMI>"
    );
    samples::read_bytes(&PathBuf::from("model.xmi"), text.as_bytes())
}

/// A collaboration of `a : A`, `b`: messages with their properties.
fn collaboration(messages: &str) -> Sample {
    read(&format!(
        "<UML:Class xmi.id='A' name='A'/><UML:Collaboration xmi.id='c' name='Talk'><UML:Namespace.ownedElement>\
         <UML:ClassifierRole xmi.id='a' name='a'><UML:ClassifierRole.base><UML:Class xmi.idref='A'/></UML:ClassifierRole.base></UML:ClassifierRole>\
         <UML:ClassifierRole xmi.id='b' name='b'/></UML:Namespace.ownedElement><UML:Collaboration.interaction><UML:Interaction xmi.id='i' name='talk'>\
         <UML:Interaction.message>{messages}</UML:Interaction.message></UML:Interaction></UML:Collaboration.interaction></UML:Collaboration>\
         <UML:SendAction xmi.id='send'/><UML:ReturnAction xmi.id='return'/><UML:DestroyAction xmi.id='destroy'/>"
    ))
}

fn message(name: &str, ends: [&str; 2], more: &str) -> String {
    format!("<UML:Message xmi.id='{name}' name='{name}' sender='{}' receiver='{}' {more}/>", ends[0], ends[1])
}

#[test]
fn messages_follow_their_activators_and_predecessors() {
    // `last` waits for `first`, and so for what `first` activates; listed in another order.
    let messages = [
        message("last", ["b", "a"], "predecessor='first' action='return'"),
        message("second", ["b", "b"], "activator='first' predecessor='inner' action='destroy'"),
        message("inner", ["b", "a"], "activator='first' action='send'"),
        message("first", ["a", "b"], ""),
    ];
    let sample = collaboration(&messages.concat());
    let diagram = sample.model.interactions.iter().next().expect("it is read");
    assert_eq!(
        print::sequence(diagram),
        "@startuml talk\nparticipant \"a : A\" as a\nparticipant b\na -> b : first\nb ->> a : inner\nb ->> b : second\ndestroy b\nb -->> a : last\n@enduml\n"
    );
    assert!(sample.diagnostics.is_empty(), "{:?}", sample.diagnostics);
}

#[test]
fn messages_without_order_are_refused() {
    let refused = |messages: &[String]| {
        let sample = collaboration(&messages.concat());
        let is_told = sample.diagnostics.iter().any(|one| one.code == Code::OrderUnknown);
        assert_eq!(is_told, !sample.refused.is_empty(), "{:?}", sample.diagnostics);
        sample.refused.first().map(|one: &Interaction| one.messages.len())
    };
    let one = message("one", ["a", "b"], "");
    assert_eq!(refused(std::slice::from_ref(&one)), None);
    assert_eq!(refused(&[one.clone(), message("two", ["b", "a"], "")]), Some(2));
    // Both wait for the same.
    let waiting = ["two", "three"].map(|name| message(name, ["b", "a"], "predecessor='one'"));
    assert_eq!(refused(&[one, waiting.concat()]), Some(3));
    // Each waits for the other.
    let round = [("one", "two"), ("two", "one")];
    let round = round.map(|(name, other)| message(name, ["a", "b"], &format!("predecessor='{other}'")));
    assert_eq!(refused(&round), Some(2));
}

#[test]
fn messages_are_in_the_order_in_which_they_are_drawn() {
    // Enterprise Architect writes the points of the arrow as a tagged value.
    let drawn = |name: &str, height: u32| {
        format!(
            "<UML:Message xmi.id='{name}' name='{name}' sender='a' receiver='b'><UML:ModelElement.taggedValue>\
             <UML:TaggedValue tag='sequence_points' value='PtStartX=1;PtStartY=-{height};PtEndX=2;PtEndY=-{height};'/></UML:ModelElement.taggedValue></UML:Message>"
        )
    };
    let sample = collaboration(&(drawn("second", 200) + &drawn("first", 100)));
    let diagram = sample.model.interactions.iter().next().expect("it is read");
    let names: Vec<&str> = diagram.messages.iter().map(|message| message.name.as_str()).collect();
    assert_eq!(names, ["first", "second"]);
    assert!(sample.diagnostics.iter().all(|one| one.code == Code::OrderFromDiagram));
    // At one height nothing is told.
    assert_eq!(collaboration(&(drawn("second", 100) + &drawn("first", 100))).refused.len(), 1);
}

#[test]
fn classes_have_features_and_relations() {
    let sample = read(
        "<UML:DataType xmi.id='int' name='int'/><UML:Stereotype xmi.id='s' name='entity'/>\
         <UML:Class xmi.id='A' name='A' stereotype='s'><UML:Classifier.feature>\
         <UML:Attribute xmi.id='x' name='x' type='int'><UML:StructuralFeature.multiplicity><UML:Multiplicity><UML:Multiplicity.range>\
         <UML:MultiplicityRange lower='0' upper='-1'/></UML:Multiplicity.range></UML:Multiplicity></UML:StructuralFeature.multiplicity>\
         <UML:Attribute.initialValue><UML:Expression body='3'/></UML:Attribute.initialValue></UML:Attribute>\
         <UML:Operation xmi.id='f' name='f'><UML:BehavioralFeature.parameter><UML:Parameter name='result' kind='return' type='int'/>\
         <UML:Parameter name='n' kind='inout' type='int'/></UML:BehavioralFeature.parameter></UML:Operation></UML:Classifier.feature></UML:Class>\
         <UML:Class xmi.id='B' name='B'/><UML:Generalization xmi.id='g' child='B' parent='A'/>\
         <UML:Association xmi.id='p'><UML:Association.connection><UML:AssociationEnd participant='A' aggregation='composite' isNavigable='false'/>\
         <UML:AssociationEnd participant='B' name='parts' isNavigable='true'/></UML:Association.connection></UML:Association>\
         <UML:UseCase xmi.id='u' name='U'/>",
    );
    let model = &sample.model;
    let classes: Vec<&str> = model.classes.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(classes, ["int", "A", "B"]);
    let class = model.classes.iter().nth(1).expect("A");
    let attribute = print::attribute(&class.attributes[0]);
    let operation = print::operation(&class.operations[0]);
    assert_eq!((attribute.as_str(), operation.as_str()), ("x[*] : int = 3", "f(inout n : int) : int"));
    assert_eq!(class.stereotypes, ["entity"]);
    let relation = |kind| {
        let one = model.associations.iter().find(|one| one.kind == kind)?;
        Some(one.ends.each_ref().map(|end| (model.classes[end.class].name.as_str(), end.navigable)))
    };
    assert_eq!(relation(AssociationKind::Generalization), Some([("B", false), ("A", true)]));
    assert_eq!(relation(AssociationKind::Composition), Some([("A", false), ("B", true)]));
    // What is not read is told.
    let told: Vec<&str> = sample.diagnostics.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(told, ["the UseCase `U` is not read"]);
}

#[test]
fn names_of_xmi_1_0_are_long() {
    let text = "<XMI xmi.version='1.0'><XMI.header><XMI.metamodel xmi.name='UML' xmi.version='1.3'/></XMI.header><XMI.content>\
        <Model_Management.Model xmi.id='m'><Foundation.Core.ModelElement.name>M</Foundation.Core.ModelElement.name><Foundation.Core.Namespace.ownedElement>\
        <Behavioral_Elements.State_Machines.StateMachine xmi.id='s'><Foundation.Core.ModelElement.name>Lamp</Foundation.Core.ModelElement.name>\
        <Behavioral_Elements.State_Machines.StateMachine.top><Behavioral_Elements.State_Machines.CompositeState xmi.id='t'>\
        <Behavioral_Elements.State_Machines.CompositeState.subvertex>\
        <Behavioral_Elements.State_Machines.Pseudostate xmi.id='b'><Behavioral_Elements.State_Machines.Pseudostate.kind xmi.value='initial'/></Behavioral_Elements.State_Machines.Pseudostate>\
        <Behavioral_Elements.State_Machines.SimpleState xmi.id='o'><Foundation.Core.ModelElement.name>Off</Foundation.Core.ModelElement.name></Behavioral_Elements.State_Machines.SimpleState>\
        </Behavioral_Elements.State_Machines.CompositeState.subvertex></Behavioral_Elements.State_Machines.CompositeState></Behavioral_Elements.State_Machines.StateMachine.top>\
        <Behavioral_Elements.State_Machines.StateMachine.transitions><Behavioral_Elements.State_Machines.Transition xmi.id='x'>\
        <Behavioral_Elements.State_Machines.Transition.source><Behavioral_Elements.State_Machines.StateVertex xmi.idref='b'/></Behavioral_Elements.State_Machines.Transition.source>\
        <Behavioral_Elements.State_Machines.Transition.target><Behavioral_Elements.State_Machines.StateVertex xmi.idref='o'/></Behavioral_Elements.State_Machines.Transition.target>\
        </Behavioral_Elements.State_Machines.Transition></Behavioral_Elements.State_Machines.StateMachine.transitions></Behavioral_Elements.State_Machines.StateMachine>\
        </Foundation.Core.Namespace.ownedElement></Model_Management.Model></XMI.content></XMI>";
    let sample = samples::read_bytes(&PathBuf::from("lamp.xml"), text.as_bytes());
    let machine = sample.model.machines.iter().next().unwrap_or_else(|| panic!("{:?}", sample.diagnostics));
    assert_eq!(print::state(machine), "@startuml Lamp\nstate Off\n[*] --> Off\n@enduml\n");
    assert!(sample.diagnostics.is_empty(), "{:?}", sample.diagnostics);
}

#[test]
fn diagrams_that_are_only_drawn_are_told() {
    let text = "<XMI xmi.version='1.2' xmlns:UML='u'><XMI.content><UML:Model xmi.id='m'><XMI.extension xmi.extender='umbrello'><diagrams>\
        <diagram name='login'><messages><messagewidget/></messages></diagram><diagram name='life'><widgets><statewidget/></widgets></diagram>\
        <diagram name='classes'/></diagrams></XMI.extension></UML:Model></XMI.content></XMI>";
    let sample = samples::read_bytes(&PathBuf::from("model.xmi"), text.as_bytes());
    let told: Vec<&str> = sample.diagnostics.iter().map(|one| one.message.as_str()).collect();
    let wanted = ["the sequence diagram `login`", "the state machine `life`"];
    assert_eq!(told, wanted.map(|what| format!("{what} is drawn, but is in no model; it is not read")));
}
