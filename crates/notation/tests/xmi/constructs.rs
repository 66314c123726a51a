//! Constructs of UML 2 that few tools write: continuations, gates of fragments, composite structure.

use std::path::PathBuf;

use sequent_kernel::diagnostic::Code;
use sequent_kernel::id::Id;
use sequent_kernel::model::{Fragment, Lifeline, MessageId, Model, Occurrence, Timing};
use sequent_notation::plantuml::print;
use sequent_notation::xmi;
use sequent_testing::diagram;

use crate::samples::{self, Sample};

pub(crate) fn read(content: &str) -> Sample {
    let text = format!(
        "<uml:Model xmlns:xmi='http://www.omg.org/spec/XMI/20131001' xmlns:uml='http://www.eclipse.org/uml2/5.0.0/UML' xmi:id='m' name='M'>{content}</uml:Model>"
    );
    samples::read_bytes(&PathBuf::from("model.uml"), text.as_bytes())
}

/// A diagram of lifelines `a` and `b`.
pub(crate) fn interaction(content: &str) -> Sample {
    read(&format!(
        "<packagedElement xmi:type='uml:Interaction' xmi:id='i' name='talk'><lifeline xmi:id='a' name='a'/><lifeline xmi:id='b' name='b'/>{content}</packagedElement>"
    ))
}

pub(crate) fn message(name: &str) -> String {
    format!(
        "<message xmi:id='{name}' name='{name}' messageSort='asynchSignal' sendEvent='{name}s' receiveEvent='{name}r'/>"
    )
}

pub(crate) fn ends(name: &str) -> String {
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

/// An interaction with gates, in which `b` hears `x`, tells `c` of it by `y`, and answers by `z`.
const GATED: &str = "<packagedElement xmi:type='uml:Interaction' xmi:id='n' name='inner'><lifeline xmi:id='nb' name='b'/><lifeline xmi:id='nc' name='c'/>\
    <formalGate xmi:id='fi' name='in'/><formalGate xmi:id='fo' name='out'/>\
    <fragment xmi:type='uml:MessageOccurrenceSpecification' xmi:id='xr' covered='nb' message='nx'/>\
    <fragment xmi:type='uml:MessageOccurrenceSpecification' xmi:id='ys' covered='nb' message='ny'/>\
    <fragment xmi:type='uml:MessageOccurrenceSpecification' xmi:id='yr' covered='nc' message='ny'/>\
    <fragment xmi:type='uml:MessageOccurrenceSpecification' xmi:id='zs' covered='nb' message='nz'/>\
    <message xmi:id='nx' name='x' messageSort='asynchSignal' sendEvent='fi' receiveEvent='xr'/>\
    <message xmi:id='ny' name='y' messageSort='asynchSignal' sendEvent='ys' receiveEvent='yr'/>\
    <message xmi:id='nz' name='z' messageSort='asynchSignal' sendEvent='zs' receiveEvent='fo'/></packagedElement>";

/// An interaction that uses [`GATED`]: `a` sends `x` through one gate and gets `z` through the other.
fn using_gates(fragments: [&str; 3], others: &str) -> Sample {
    let ends = fragments.map(|id| match id {
        "u" => "<fragment xmi:type='uml:InteractionUse' xmi:id='u' refersTo='n' covered='b'>\
            <actualGate xmi:id='g' name='in'/><actualGate xmi:id='h' name='out'/></fragment>"
            .to_owned(),
        id => {
            let message = if id == "s" { "x" } else { "z" };
            format!(
                "<fragment xmi:type='uml:MessageOccurrenceSpecification' xmi:id='{id}' covered='a' message='{message}'/>"
            )
        }
    });
    read(&format!(
        "<packagedElement xmi:type='uml:Interaction' xmi:id='i' name='talk'><lifeline xmi:id='a' name='a'/><lifeline xmi:id='b' name='b'/>{}{others}{}{}\
         <message xmi:id='x' name='x' messageSort='asynchSignal' sendEvent='s' receiveEvent='g'/>\
         <message xmi:id='z' name='z' messageSort='asynchSignal' sendEvent='h' receiveEvent='r'/></packagedElement>{GATED}",
        ends[0], ends[1], ends[2]
    ))
}

#[test]
fn messages_go_on_behind_gates() {
    let sample = using_gates(["s", "u", "r"], "");
    assert!(sample.diagnostics.is_empty(), "{:?}", sample.diagnostics);
    let talk = sample.model.interactions.iter().next().expect("it is read");
    let printed = print::sequence(talk);
    let wanted = "group ref inner\n  a ->> b : x\n  b ->> c : y\n  b ->> a : z\nend\n";
    assert!(printed.contains(wanted), "{printed}");
    let again = xmi::print::model(&sample.model, "model");
    let again = samples::read_bytes(&PathBuf::from("again.uml"), again.as_bytes());
    assert_eq!(again.model.interactions.iter().next().map(print::sequence), Some(printed));
}

#[test]
fn messages_that_do_not_fit_behind_gates_are_told() {
    // `a` has the answer before it asks.
    let sample = using_gates(["r", "u", "s"], "");
    let told = sample.diagnostics.iter().filter(|one| one.message.contains("passes the gate")).count();
    assert_eq!((told, sample.refused.len()), (2, 0), "{:?}", sample.diagnostics);
    // `w` is sent after `x` and received before all that the use holds.
    let crossing = format!("{}{}", ends("w"), message("w"));
    let sample = using_gates(["s", "u", "r"], &crossing);
    assert_eq!(sample.refused.len(), 1, "{:?}", sample.diagnostics);
    // One that leads back to itself.
    let sample = read(&GATED.replace(
        "<message xmi:id='nx'",
        "<fragment xmi:type='uml:InteractionUse' xmi:id='v' refersTo='n' covered='nb'><actualGate xmi:id='k' name='in'/></fragment>\
         <fragment xmi:type='uml:MessageOccurrenceSpecification' xmi:id='ws' covered='nc' message='w'/>\
         <message xmi:id='w' name='x' sendEvent='ws' receiveEvent='k'/><message xmi:id='nx'",
    ));
    assert!(sample.diagnostics.iter().any(|one| one.message.contains("passes the gate")));
}

/// Text on the line of an operand is its guard or its caption, in UML as in PlantUML.
#[test]
fn captions_and_guards_of_operands_stay_what_they_are() {
    let text = "@startuml\ncritical in a hurry\na -> b : m\nend\npar first\na -> b : n\nelse [x]\na -> b : o\nelse\nb -> a : p\nend\n\
        group A caption\na -> b : q\nend\ngroup neg [bad]\na -> b : r\nend\nalt ok\na -> b : s\nelse\na -> b : t\nend\n@enduml\n";
    let model = diagram::model(text);
    let written = xmi::print::model(&model, "model");
    let again = samples::read_bytes(&PathBuf::from("again.uml"), written.as_bytes());
    assert_eq!((again.refused.len(), again.diagnostics.len()), (0, 0), "{:?}", again.diagnostics);
    let [own, other] =
        [&model, &again.model].map(|model| model.interactions.iter().next().map(print::sequence));
    let body = |text: Option<String>| {
        let text = text.expect("a diagram");
        text[text.find("critical").expect("a fragment")..].to_owned()
    };
    assert_eq!(body(own), body(other), "{written}");
    // Names that tools give by themselves are no captions.
    for name in ["InteractionOperand0", "operand_2", "Operand 3"] {
        let content = format!(
            "<fragment xmi:type='uml:CombinedFragment' xmi:id='f' interactionOperator='par' name='CombinedFragment1' covered='a b'><operand xmi:id='o' name='{name}'>{}</operand></fragment>{}",
            ends("m"),
            message("m")
        );
        let sample = interaction(&content);
        let printed = print::sequence(sample.model.interactions.iter().next().expect("it is read"));
        assert!(printed.contains("par\n"), "{printed}");
    }
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
    assert_eq!(sample.model.objects, again.objects);
    assert_eq!(sample.model.links, again.links);
    assert_eq!(sample.model.classes, again.classes);
}

/// What is written of a model reads as the same objects and links.
fn survive(text: &str) -> Model {
    let model = diagram::model(text);
    let written = xmi::print::model(&model, "model");
    let again = samples::read_bytes(&PathBuf::from("again.uml"), written.as_bytes());
    assert!(again.diagnostics.is_empty(), "{:?}", again.diagnostics);
    assert_eq!(model.objects, again.model.objects, "{written}");
    let sorted = |model: &Model| {
        let mut links = model.links.clone();
        links.sort_by_key(|link| (link.ends, link.roles.clone()));
        links
    };
    assert_eq!(sorted(&model), sorted(&again.model), "{written}");
    again.model
}

#[test]
fn objects_survive_with_all_that_is_said_of_them() {
    let text = "@startuml\nclass Device {\n  level : 0..3\n}\nclass Pump {\n  out <<port>>\n}\nDevice <|-- Pump\n\
        object \"p : Pump\" as p <<main>> {\n  level = 2\n  colour = red\n}\nobject \"q : Unknown\" as q\nobject lone\n\
        p \"out\" -- \"in\" q : pipe\np -- lone\nq \"left\" -- \"right\" lone\n@enduml\n";
    let again = survive(text);
    // A class that only an object names is none of the model's.
    let names: Vec<&str> = again.classes.iter().map(|class| class.name.as_str()).collect();
    assert_eq!(names, ["Device", "Pump"]);
}

#[test]
fn slots_may_have_several_values() {
    let content = "<packagedElement xmi:type='uml:Class' xmi:id='A' name='A'><ownedAttribute xmi:id='b' name='b' type='A'/><ownedAttribute xmi:id='n' name='n'/></packagedElement>\
        <packagedElement xmi:type='uml:InstanceSpecification' xmi:id='x' name='x' classifier='A'><slot xmi:id='s' definingFeature='b'>\
        <value xmi:type='uml:InstanceValue' xmi:id='v' instance='y'/><value xmi:type='uml:InstanceValue' xmi:id='w' instance='z'/></slot>\
        <slot xmi:id='t' definingFeature='n'><value xmi:type='uml:LiteralInteger' xmi:id='i' value='1'/><value xmi:type='uml:LiteralInteger' xmi:id='j' value='2'/></slot></packagedElement>\
        <packagedElement xmi:type='uml:InstanceSpecification' xmi:id='y' name='y' classifier='A'/><packagedElement xmi:type='uml:InstanceSpecification' xmi:id='z' name='z' classifier='A'/>";
    let model = read(content).model;
    assert_eq!(model.links.len(), 2);
    let values: Vec<&(String, String)> = model.objects.iter().flat_map(|one| &one.values).collect();
    assert_eq!(values, [&("n".to_owned(), "1, 2".to_owned())]);
}

/// Interactions as they were, after they are written.
fn again(sample: &Sample) -> Sample {
    let written = xmi::print::model(&sample.model, "model");
    let again = samples::read_bytes(&PathBuf::from("again.uml"), written.as_bytes());
    assert_eq!(sample.model.interactions, again.model.interactions, "{written}");
    assert_eq!(sample.model.machines, again.model.machines, "{written}");
    again
}

#[test]
fn times_and_durations_are_kept() {
    let times = "<ownedRule xmi:type='uml:DurationConstraint' xmi:id='d' constrainedElement='xs yr'><specification xmi:type='uml:DurationInterval' xmi:id='di' min='m0' max='m1'/></ownedRule>\
        <ownedRule xmi:type='uml:DurationConstraint' xmi:id='e' constrainedElement='x'><specification xmi:type='uml:LiteralString' xmi:id='ei' value='&lt; 5 s'/></ownedRule>\
        <ownedRule xmi:type='uml:TimeConstraint' xmi:id='t' constrainedElement='y' firstEvent='false'><specification xmi:type='uml:TimeInterval' xmi:id='ti' min='m1' max='m1'/></ownedRule>\
        <ownedRule xmi:type='uml:TimeConstraint' xmi:id='l' constrainedElement='a'><specification xmi:type='uml:LiteralString' xmi:id='li' value='3'/></ownedRule>";
    let inside = format!("{}{}{}{}{times}", ends("x"), ends("y"), message("x"), message("y"));
    let bounds = [0, 1].map(|at| format!("<packagedElement xmi:type='uml:Duration' xmi:id='m{at}'><expr xmi:type='uml:LiteralInteger' xmi:id='m{at}e' value='{at}3'/></packagedElement>"));
    let observed = "<packagedElement xmi:type='uml:TimeObservation' xmi:id='o' name='t' event='xr'/><packagedElement xmi:type='uml:DurationObservation' xmi:id='p' name='d' event='xs xr'/>";
    let diagram = format!(
        "<packagedElement xmi:type='uml:Interaction' xmi:id='i' name='talk'><lifeline xmi:id='a' name='a'/><lifeline xmi:id='b' name='b'/>{inside}</packagedElement>"
    );
    let sample = read(&format!("{diagram}{}{observed}", bounds.concat()));
    let drawn = |sample: &Sample| {
        let diagram = sample.model.interactions.iter().next().expect("it is read");
        let ends = |one: &Timing| (one.label(), one.from, one.to);
        diagram.timings.iter().map(ends).collect::<Vec<_>>()
    };
    let [x, y] = [0, 1].map(MessageId::from_index);
    let wanted = [
        ("{03..13}".to_owned(), Occurrence::Send(x), Some(Occurrence::Receive(y))),
        ("{< 5 s}".to_owned(), Occurrence::Send(x), Some(Occurrence::Receive(x))),
        ("{13}".to_owned(), Occurrence::Receive(y), None),
        ("t=now".to_owned(), Occurrence::Receive(x), None),
        ("d=duration".to_owned(), Occurrence::Send(x), Some(Occurrence::Receive(x))),
    ];
    assert_eq!(drawn(&sample), wanted);
    let count = |code| sample.diagnostics.iter().filter(|one| one.code == code).count();
    // The rule about a lifeline is about no occurrence.
    assert_eq!(
        (count(Code::DurationUnchecked), count(Code::Unsupported)),
        (3, 1),
        "{:?}",
        sample.diagnostics
    );
    assert_eq!(drawn(&again(&sample)), wanted);
}

#[test]
fn loops_keep_their_bounds() {
    let text = "@startuml\nloop (2,5)\na ->> b : x\nend\ngroup sloop (1,3)\na ->> b : y\nend\nloop (inf)\na ->> b : z\nend\n@enduml\n";
    let model = diagram::model(text);
    let written = xmi::print::model(&model, "model");
    let again = samples::read_bytes(&PathBuf::from("again.uml"), written.as_bytes());
    let operators = |model: &Model| {
        let diagram = model.interactions.iter().next().expect("it is read");
        let combined = diagram.body.0.iter().filter_map(|one| match one {
            Fragment::Combined(combined) => Some(combined.operator.clone()),
            _ => None,
        });
        combined.collect::<Vec<_>>()
    };
    assert_eq!(operators(&model).len(), 3);
    assert_eq!(operators(&model), operators(&again.model), "{written}");
    // A bound that is no number is told.
    let bounds = "<guard xmi:id='g'><specification xmi:type='uml:LiteralString' xmi:id='gs' value='more'/><minint xmi:type='uml:LiteralString' xmi:id='gm' value='N'/></guard>";
    let fragment = format!(
        "<fragment xmi:type='uml:CombinedFragment' xmi:id='f' interactionOperator='loop' covered='a b'><operand xmi:id='o'>{bounds}{}</operand></fragment>",
        ends("x")
    );
    let sample = interaction(&format!("{fragment}{}", message("x")));
    assert!(sample.diagnostics.iter().any(|one| one.message.contains("`N`")), "{:?}", sample.diagnostics);
}

#[test]
fn what_uml_has_no_words_for_survives() {
    let text = "@startuml\n' @expect W230\n' @ltl G x\nparticipant \"Store A\" as a\nparticipant \"Till : Shop\" as b\nparticipant \"c : Shop\" as c\nparticipant \": Shop\" as d\n\
        group ignore {beat: a -> b, done}\na ->> b : x\nend\ngroup neg\nend\nb ->> c : y\n@enduml\n@startuml\nclass Shop\n@enduml\n";
    let model = diagram::model(text);
    let written = xmi::print::model(&model, "model");
    let again = samples::read_bytes(&PathBuf::from("again.uml"), written.as_bytes());
    assert!(again.diagnostics.is_empty() && again.refused.is_empty(), "{:?}", again.diagnostics);
    let heads = |model: &Model| {
        let diagram = model.interactions.iter().next().expect("it is read");
        let head = |line: &Lifeline| (line.name.clone(), line.label.clone(), line.class.clone());
        let operators = diagram.body.0.iter().filter_map(|one| match one {
            Fragment::Combined(combined) => Some(combined.operator.clone()),
            _ => None,
        });
        (diagram.lifelines.iter().map(head).collect::<Vec<_>>(), operators.collect::<Vec<_>>())
    };
    assert_eq!(heads(&model), heads(&again.model), "{written}");
    assert_eq!(model.checks, again.model.checks);
    // A finding that is expected in another notation may come here.
    assert!(again.model.known.iter().all(|known| !known.must_come) && !again.model.known.is_empty());
}

#[test]
fn bodies_in_several_languages_say_the_same() {
    let guard = |languages: &str| {
        format!(
            "<packagedElement xmi:type='uml:StateMachine' xmi:id='s' name='M'><region xmi:id='r'><subvertex xmi:type='uml:Pseudostate' xmi:id='p'/><subvertex xmi:type='uml:State' xmi:id='o' name='O'/>\
            <transition xmi:id='t' source='p' target='o'/><transition xmi:id='u' source='o' target='o' guard='g'><ownedRule xmi:id='g'><specification xmi:type='uml:OpaqueExpression' xmi:id='gs'>\
            {languages}<body>n is large</body><body>n &gt; 3</body></specification></ownedRule></transition></region></packagedElement>"
        )
    };
    let text = |languages: &str| {
        let model = read(&guard(languages)).model;
        let machine = model.machines.iter().next().expect("it is read");
        machine.transitions.iter().find_map(|one| one.guard.as_ref()).expect("a guard").text.clone()
    };
    assert_eq!(text("<language>English</language><language>Alf</language>"), "n > 3");
    assert_eq!(text(""), "n is large n > 3");
}

#[test]
fn conditions_in_formal_languages_are_read_or_told() {
    let guard = |text: &str| {
        let sample = read(&format!(
            "<packagedElement xmi:type='uml:StateMachine' xmi:id='s' name='M'><region xmi:id='r'><subvertex xmi:type='uml:Pseudostate' xmi:id='p'/><subvertex xmi:type='uml:State' xmi:id='o' name='O'/>\
            <transition xmi:id='t' source='p' target='o'/><transition xmi:id='u' source='o' target='o' guard='g'><ownedRule xmi:id='g'><specification xmi:type='uml:LiteralString' xmi:id='gs' value='{text}'/></ownedRule></transition></region></packagedElement>"
        ));
        let machine = sample.model.machines.iter().next().expect("it is read");
        let guard = machine.transitions.iter().find_map(|one| one.guard.clone()).expect("a guard");
        (guard.expression.is_some(), sample.diagnostics.len())
    };
    for text in ["n = 1", "n == 1;", "return n == 1;", "[n &lt;> 1]", "return (n == 1);", "ready"] {
        assert_eq!(guard(text), (true, 0), "{text}");
    }
    assert_eq!(guard("let k : Integer = 3 in k = n"), (false, 1));
    assert_eq!(guard("the card is valid"), (false, 0));
}

#[test]
fn what_a_trigger_or_a_lifeline_restricts_is_told() {
    let sample = read(
        "<packagedElement xmi:type='uml:Class' xmi:id='K' name='K'><ownedAttribute xmi:type='uml:Port' xmi:id='pt' name='pt'/></packagedElement>\
        <packagedElement xmi:type='uml:StateMachine' xmi:id='s' name='M'><region xmi:id='r'><subvertex xmi:type='uml:Pseudostate' xmi:id='p'/><subvertex xmi:type='uml:State' xmi:id='o' name='O'/>\
        <transition xmi:id='t' source='p' target='o'/><transition xmi:id='u' source='o' target='o'><trigger xmi:id='x' name='go' port='pt'/></transition></region></packagedElement>",
    );
    assert!(sample.diagnostics.iter().any(|one| one.message.contains("`pt`")), "{:?}", sample.diagnostics);
    let inner = format!("{}{}", ends("x"), message("x"));
    let sample = read(&format!(
        "<packagedElement xmi:type='uml:Interaction' xmi:id='i' name='talk'><ownedAttribute xmi:id='n' name='node'/>\
        <lifeline xmi:id='a' represents='n'><selector xmi:type='uml:LiteralInteger' xmi:id='l1' value='1'/></lifeline>\
        <lifeline xmi:id='b' represents='n'><selector xmi:type='uml:LiteralInteger' xmi:id='l2' value='2'/></lifeline>{inner}</packagedElement>"
    ));
    let diagram = sample.model.interactions.iter().next().expect("it is read");
    let names: Vec<&str> = diagram.lifelines.iter().map(|line| line.name.as_str()).collect();
    assert_eq!(names, ["node[1]", "node[2]"]);
    let part = "<packagedElement xmi:type='uml:Component' href='parts/gone.uml#x'/>";
    let sample = read(part);
    assert!(
        sample.diagnostics.iter().any(|one| one.code == Code::MissingElement),
        "{:?}",
        sample.diagnostics
    );
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
    // Tools write comments in HTML; a comment may annotate several diagrams.
    let both = "<ownedComment xmi:id='q' annotatedElement='i j'><body>&lt;html>&lt;body>&lt;p>@possible&lt;/p>&lt;p>@expect fails&lt;/p>&lt;/body>&lt;/html></body></ownedComment>";
    let diagrams = ["i", "j"].map(|id| format!("<packagedElement xmi:type='uml:Interaction' xmi:id='{id}' name='{id}'><lifeline xmi:id='{id}a' name='a'/></packagedElement>"));
    let asked = read(&format!("{both}{}", diagrams.concat()));
    assert_eq!((asked.model.checks.len(), asked.diagnostics.len()), (2, 0), "{:?}", asked.diagnostics);
    assert!(asked.model.checks.iter().all(|check| check.expected.is_some()));
    let machine = "<packagedElement xmi:type='uml:StateMachine' xmi:id='s' name='Lamp'><ownedComment xmi:id='q' body='@reachable Off'/><region xmi:id='r'>\
        <subvertex xmi:type='uml:Pseudostate' xmi:id='p'/><subvertex xmi:type='uml:State' xmi:id='o' name='Off'/><transition xmi:id='t' source='p' target='o'/></region></packagedElement>";
    assert_eq!(read(machine).model.checks.len(), 1);
}
