//! Constructs of UML 2 that few tools write: continuations, gates of fragments, composite structure.

use std::path::PathBuf;

use sequent_kernel::diagnostic::Code;
use sequent_kernel::model::Model;
use sequent_notation::plantuml::print;
use sequent_notation::xmi;

use crate::samples::{self, Sample};

fn read(content: &str) -> Sample {
    let text = format!(
        "<uml:Model xmlns:xmi='http://www.omg.org/spec/XMI/20131001' xmlns:uml='http://www.eclipse.org/uml2/5.0.0/UML' xmi:id='m' name='M'>{content}</uml:Model>"
    );
    samples::read_bytes(&PathBuf::from("model.uml"), text.as_bytes())
}

/// A diagram of lifelines `a` and `b`.
fn interaction(content: &str) -> Sample {
    read(&format!(
        "<packagedElement xmi:type='uml:Interaction' xmi:id='i' name='talk'><lifeline xmi:id='a' name='a'/><lifeline xmi:id='b' name='b'/>{content}</packagedElement>"
    ))
}

fn message(name: &str) -> String {
    format!(
        "<message xmi:id='{name}' name='{name}' messageSort='asynchSignal' sendEvent='{name}s' receiveEvent='{name}r'/>"
    )
}

fn ends(name: &str) -> String {
    let end = |kind: &str, line: &str| {
        format!(
            "<fragment xmi:type='uml:MessageOccurrenceSpecification' xmi:id='{name}{kind}' covered='{line}' message='{name}'/>"
        )
    };
    end("s", "a") + &end("r", "b")
}

fn continuation(name: &str, is_end: bool) -> String {
    format!(
        "<fragment xmi:type='uml:Continuation' xmi:id='c{name}{is_end}' name='{name}' setting='{is_end}' covered='a b'/>"
    )
}

fn alt(id: &str, operands: &[String]) -> String {
    let operands: String = operands
        .iter()
        .enumerate()
        .map(|(at, inside)| format!("<operand xmi:id='{id}{at}'>{inside}</operand>"))
        .collect();
    format!(
        "<fragment xmi:type='uml:CombinedFragment' xmi:id='{id}' interactionOperator='alt' covered='a b'>{operands}</fragment>"
    )
}

#[test]
fn alternatives_are_continued() {
    let first =
        alt("f", &[ends("ask") + &continuation("yes", true), ends("tell") + &continuation("no", true)]);
    let second =
        alt("g", &[continuation("no", false) + &ends("bye"), continuation("yes", false) + &ends("go")]);
    let messages: String = ["ask", "tell", "bye", "go"].map(message).concat();
    let sample = interaction(&format!("{first}{second}{messages}"));
    let diagram = sample.model.interactions.iter().next().expect("it is read");
    let printed = print::sequence(diagram);
    let wanted = "alt\n  a ->> b : ask\n  a ->> b : go\nelse\n  a ->> b : tell\n  a ->> b : bye\nend\n";
    assert!(printed.contains(wanted), "{printed}");
    assert!(sample.diagnostics.is_empty(), "{:?}", sample.diagnostics);
    // What would have to be there twice, or stands elsewhere, is not guessed.
    let both =
        alt("f", &[ends("ask") + &continuation("yes", true), ends("tell") + &continuation("yes", true)]);
    let apart = format!("{first}{}{second}", ends("pause"));
    let other =
        alt("g", &[continuation("maybe", false) + &ends("bye"), continuation("yes", false) + &ends("go")]);
    for fragments in [format!("{both}{second}"), apart, format!("{first}{other}")] {
        let sample = interaction(&format!("{fragments}{messages}{}", message("pause")));
        assert!(sample.refused.len() == 1 || fragments.contains("maybe"), "{fragments}");
        assert!(!sample.diagnostics.is_empty());
    }
    // A name that stands once joins nothing.
    let lone = alt("f", &[ends("ask") + &continuation("yes", true), ends("tell")]);
    let sample = interaction(&format!("{lone}{messages}", messages = ["ask", "tell"].map(message).concat()));
    assert_eq!((sample.refused.len(), sample.diagnostics.len()), (0, 1));
}

#[test]
fn gates_of_uses_are_told() {
    let content = "<fragment xmi:type='uml:InteractionUse' xmi:id='u' name='inner' covered='b'><actualGate xmi:id='g' name='in'/></fragment>\
        <fragment xmi:type='uml:MessageOccurrenceSpecification' xmi:id='s' covered='a' message='x'/>\
        <message xmi:id='x' name='x' sendEvent='s' receiveEvent='g'/>";
    let sample = interaction(content);
    let told = sample
        .diagnostics
        .iter()
        .any(|one| one.code == Code::Unsupported && one.message.contains("gate `in`"));
    assert!(told, "{:?}", sample.diagnostics);
}

const PARTS: &str = "<packagedElement xmi:type='uml:Class' xmi:id='P' name='Pump'><ownedAttribute xmi:type='uml:Port' xmi:id='o' name='out' isConjugated='true'/></packagedElement>\
    <packagedElement xmi:type='uml:Class' xmi:id='T' name='Tank'><ownedAttribute xmi:type='uml:Port' xmi:id='n' name='in'/></packagedElement>\
    <packagedElement xmi:type='uml:Class' xmi:id='W' name='Works'><ownedAttribute xmi:id='p' name='pump' aggregation='composite' type='P'/>\
    <ownedAttribute xmi:id='t' name='tank' aggregation='composite' type='T'/><ownedAttribute xmi:type='uml:Port' xmi:id='b' name='border'/>\
    <ownedConnector xmi:id='c'><end xmi:id='c1' role='o' partWithPort='p'/><end xmi:id='c2' role='n' partWithPort='t'/></ownedConnector>\
    <ownedConnector xmi:id='d'><end xmi:id='d1' role='b'/><end xmi:id='d2' role='n' partWithPort='t'/></ownedConnector></packagedElement>";

#[test]
fn parts_are_objects_and_connectors_links() {
    let sample = read(PARTS);
    let objects: Vec<String> =
        sample.model.objects.iter().map(|one| format!("{} : {:?}", one.name, one.class.as_deref())).collect();
    assert_eq!(objects, ["pump : Some(\"Pump\")", "tank : Some(\"Tank\")"]);
    let links: Vec<[Option<&str>; 2]> =
        sample.model.links.iter().map(|link| link.roles.each_ref().map(Option::as_deref)).collect();
    assert_eq!(links, [[Some("out"), Some("in")]]);
    let port = &sample.model.classes.iter().next().expect("Pump").attributes[0];
    assert_eq!(port.stereotypes, ["port", "conjugated"]);
    assert!(sample.diagnostics.is_empty(), "{:?}", sample.diagnostics);
    let again = xmi::print::model(&sample.model, "model");
    let again = samples::read_bytes(&PathBuf::from("again.uml"), again.as_bytes()).model;
    // The ports at the ends of a link are not written.
    assert_eq!(sample.model.objects, again.objects);
    let ends = |model: &Model| model.links.iter().map(|link| link.ends).collect::<Vec<_>>();
    assert_eq!(ends(&sample.model), ends(&again));
    assert_eq!(sample.model.classes, again.classes);
}

#[test]
fn structure_that_is_not_clear_is_told() {
    let unread = |text: &str| {
        let sample = read(text);
        let is_told = sample.diagnostics.iter().any(|one| one.message.starts_with("the Connector"));
        (sample.model.links.len(), is_told)
    };
    assert_eq!(unread(PARTS), (1, false));
    // Two systems; a part that stands for several; objects that say otherwise.
    let other = "<packagedElement xmi:type='uml:Class' xmi:id='V' name='Other'><ownedConnector xmi:id='v'><end xmi:id='v1' role='o'/><end xmi:id='v2' role='n'/></ownedConnector></packagedElement>";
    assert_eq!(unread(&format!("{PARTS}{other}")), (0, true));
    let many = "name='tank' aggregation='composite' type='T'><lowerValue xmi:type='uml:LiteralInteger' value='2'/><upperValue xmi:type='uml:LiteralUnlimitedNatural' value='2'/></ownedAttribute>";
    assert_eq!(unread(&PARTS.replace("name='tank' aggregation='composite' type='T'/>", many)), (0, true));
    let object =
        "<packagedElement xmi:type='uml:InstanceSpecification' xmi:id='I' name='other' classifier='T'/>";
    assert_eq!(unread(&format!("{PARTS}{object}")), (0, true));
}

#[test]
fn dependencies_between_classes_are_read() {
    let classes = "<packagedElement xmi:type='uml:Class' xmi:id='A' name='A'/><packagedElement xmi:type='uml:Interface' xmi:id='B' name='B'/>";
    let relation = |kind: &str| {
        let text =
            format!("{classes}<packagedElement xmi:type='uml:{kind}' xmi:id='d' client='A' supplier='B'/>");
        let sample = read(&text);
        assert!(sample.diagnostics.is_empty(), "{:?}", sample.diagnostics);
        let again = xmi::print::model(&sample.model, "model");
        let again = samples::read_bytes(&PathBuf::from("again.uml"), again.as_bytes()).model;
        assert_eq!(sample.model.associations, again.associations);
        print::class(&sample.model)
    };
    for kind in ["Dependency", "Usage", "Abstraction"] {
        assert!(relation(kind).contains("A ..> B"), "{}", relation(kind));
    }
    assert!(relation("Realization").contains("A ..|> B"), "{}", relation("Realization"));
}

#[test]
fn comments_and_stereotypes_ask_questions() {
    let questions =
        ["possible", "forbidden", "required", "whenever", "triggers", "ltl F x", "possible within=5"];
    let content = format!("{}{}", ends("x"), message("x"));
    for question in questions {
        let comment =
            format!("<ownedComment xmi:id='q'><body>Why it matters.\n@{question}</body></ownedComment>");
        let sample = interaction(&format!("{content}{comment}"));
        assert_eq!(
            (sample.model.checks.len(), sample.diagnostics.len()),
            (1, 0),
            "{question}: {:?}",
            sample.diagnostics
        );
        // One that annotates the diagram may stand in the package.
        let outside = format!("<ownedComment xmi:id='q' annotatedElement='i' body='@{question}'/>");
        let diagram = format!(
            "<packagedElement xmi:type='uml:Interaction' xmi:id='i' name='talk'><lifeline xmi:id='a' name='a'/><lifeline xmi:id='b' name='b'/>{content}</packagedElement>"
        );
        assert_eq!(read(&format!("{outside}{diagram}")).model.checks, sample.model.checks, "{question}");
        let (word, argument) = question.split_once(' ').unwrap_or((question, ""));
        let text = format!(
            "<xmi:XMI xmlns:xmi='http://www.omg.org/spec/XMI/20131001' xmlns:uml='u' xmlns:s='s'><uml:Model xmi:id='m'>{diagram}</uml:Model><s:{word} xmi:id='t' base_Interaction='i' argument='{argument}'/></xmi:XMI>"
        );
        let applied = samples::read_bytes(&PathBuf::from("model.uml"), text.as_bytes());
        assert_eq!(applied.model.checks.len(), 1, "{question}");
    }
    let machine = "<packagedElement xmi:type='uml:StateMachine' xmi:id='s' name='Lamp'><ownedComment xmi:id='q' body='@reachable Off'/><region xmi:id='r'>\
        <subvertex xmi:type='uml:Pseudostate' xmi:id='p'/><subvertex xmi:type='uml:State' xmi:id='o' name='Off'/><transition xmi:id='t' source='p' target='o'/></region></packagedElement>";
    assert_eq!(read(machine).model.checks.len(), 1);
}
