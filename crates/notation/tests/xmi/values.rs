//! Values, guards and arguments: what they say, and what stands for those that say nothing that can be read.

use sequent_kernel::diagnostic::Code;
use sequent_kernel::model::{Condition, Fragment, Guard, Message, Model, Trigger};
use sequent_notation::plantuml::print;
use sequent_testing::diagram;

use crate::constructs::{ends, interaction, message, read};
use crate::samples::Sample;

/// A machine with one transition, which holds this, and with elements beside the machine.
fn transition(attributes: &str, content: &str, beside: &str) -> Sample {
    read(&format!(
        "<packagedElement xmi:type='uml:StateMachine' xmi:id='s' name='M'><region xmi:id='r'><subvertex xmi:type='uml:Pseudostate' xmi:id='p'/>\
        <subvertex xmi:type='uml:State' xmi:id='o' name='O'/><transition xmi:id='t' source='p' target='o'/>\
        <transition xmi:id='u' source='o' target='o' {attributes}>{content}</transition></region></packagedElement>{beside}"
    ))
}

fn guard_of(sample: &Sample) -> Option<Condition> {
    let machine = sample.model.machines.iter().next().expect("it is read");
    machine.transitions.iter().last().expect("two transitions").guard.clone()
}

fn guarded(specification: &str) -> Sample {
    transition("", &format!("<guard xmi:id='g'>{specification}</guard>"), "")
}

fn codes(sample: &Sample) -> Vec<Code> {
    sample.diagnostics.iter().map(|one| one.code).collect()
}

fn expression(symbol: &str, operands: &[&str]) -> String {
    let operands = operands.concat();
    format!(
        "<specification xmi:type='uml:Expression' xmi:id='e' symbol='{symbol}'>{operands}</specification>"
    )
}

const LEVEL: &str = "<operand xmi:type='uml:LiteralString' xmi:id='x' value='level'/>";
const THREE: &str = "<operand xmi:type='uml:LiteralInteger' xmi:id='y' value='3'/>";
const TRUE: &str = "<operand xmi:type='uml:LiteralBoolean' xmi:id='z' value='true'/>";
const FALSE: &str = "<operand xmi:type='uml:LiteralBoolean' xmi:id='w'/>";
const EITHER: &str = "<operand xmi:type='uml:Expression' xmi:id='v' symbol='or'><operand xmi:type='uml:LiteralBoolean' xmi:id='v1'/>\
    <operand xmi:type='uml:OpaqueExpression' xmi:id='v2' body='n = 1'/></operand>";

#[test]
fn trees_of_expressions_are_read() {
    let text = |symbol: &str, operands: &[&str]| {
        let sample = guarded(&expression(symbol, operands));
        let guard = guard_of(&sample).expect("a guard");
        (guard.text, guard.expression.is_some(), codes(&sample))
    };
    assert_eq!(text("and", &[TRUE, FALSE]), ("true and false".to_owned(), true, vec![]));
    assert_eq!(text("not", &[TRUE]), ("not true".to_owned(), true, vec![]));
    assert_eq!(text("!", &[LEVEL]), ("! level".to_owned(), true, vec![]));
    assert_eq!(text("&gt;", &[LEVEL, THREE]), ("level > 3".to_owned(), true, vec![]));
    assert_eq!(text("and", &[EITHER, LEVEL]), ("(false or (n = 1)) and level".to_owned(), true, vec![]));
    assert_eq!(text("ready", &[]), ("ready".to_owned(), true, vec![]));
    // What is no operator is a call; what does not read as an expression is told.
    assert_eq!(text("max", &[LEVEL, THREE]), ("max(level, 3)".to_owned(), true, vec![]));
    let prose = "<operand xmi:type='uml:LiteralString' xmi:id='prose' value='the card'/>";
    let prose = text("is", &[prose, LEVEL]);
    assert_eq!(prose, ("is(the card, level)".to_owned(), false, vec![Code::Unsupported]));
}

#[test]
fn values_that_contain_themselves_are_told() {
    let itself = "<packagedElement xmi:type='uml:TimeExpression' xmi:id='w' expr='w'/>\
        <packagedElement xmi:type='uml:TimeEvent' xmi:id='ev' when='w'/>";
    let sample = transition("", "<trigger xmi:id='g' event='ev'/>", itself);
    assert!(codes(&sample).contains(&Code::MissingElement), "{:?}", sample.diagnostics);
    let operand =
        "<specification xmi:type='uml:Expression' xmi:id='x'><operand xmi:idref='x'/></specification>";
    let sample = guarded(operand);
    assert!(codes(&sample).contains(&Code::MissingElement), "{:?}", sample.diagnostics);
    assert!(guard_of(&sample).expect("a guard").expression.is_none());
    // Each of these is there twice in the one before it.
    let doubled: String = (0..60)
        .map(|at| {
            let next = at + 1;
            format!("<packagedElement xmi:type='uml:Expression' xmi:id='d{at}' symbol='or'><operand xmi:idref='d{next}'/><operand xmi:idref='d{next}'/></packagedElement>")
        })
        .collect();
    let leaf = "<packagedElement xmi:type='uml:LiteralBoolean' xmi:id='d60'/>";
    let specification = "<guard xmi:id='g'><specification xmi:idref='d0'/></guard>";
    let sample = transition("", specification, &format!("{doubled}{leaf}"));
    assert!(guard_of(&sample).expect("a guard").expression.is_none());
    assert!(codes(&sample).contains(&Code::MissingElement));
}

#[test]
fn guards_that_say_nothing_readable_are_not_true() {
    let body = |body: &str| {
        let behaviour = format!(
            "<ownedBehavior xmi:type='uml:FunctionBehavior' xmi:id='fb' name='isFree'>{body}</ownedBehavior>"
        );
        let class = format!(
            "<packagedElement xmi:type='uml:Class' xmi:id='K' name='K'>{behaviour}</packagedElement>"
        );
        let specification = "<specification xmi:type='uml:OpaqueExpression' xmi:id='e' behavior='fb'/>";
        let sample = transition("", &format!("<guard xmi:id='g'>{specification}</guard>"), &class);
        guard_of(&sample).expect("a guard").text
    };
    assert_eq!(body("<body>false</body>"), "false");
    assert_eq!(body("<body>return false;</body>"), "false");
    assert_eq!(body(""), "isFree");
    // A guard that is not there, or of which nothing can be read, may be true or not.
    let unknown = [
        transition("guard='nevr'", "", ""),
        transition("", "<guard xmi:idref='nevr'/>", ""),
        transition("", "<guard href='gone.uml#nevr'/>", ""),
        guarded("<specification xmi:type='uml:OpaqueExpression' xmi:id='e' behavior='nope'/>"),
        guarded("<specification xmi:type='uml:DurationInterval' xmi:id='e' min='nope'/>"),
    ];
    for sample in &unknown {
        let guard = guard_of(sample).expect("a guard");
        assert!(guard.expression.is_none() && !guard.text.is_empty(), "{guard:?}");
        assert!(!sample.diagnostics.is_empty(), "{guard:?}");
    }
    // Nothing written is no guard.
    let empty = guarded("<specification xmi:type='uml:OpaqueExpression' xmi:id='e'/>");
    assert_eq!(guard_of(&empty), None);
}

#[test]
fn guards_of_operands_that_are_missing_are_unknown() {
    let operand = |guard: &str| {
        let fragment = format!(
            "<fragment xmi:type='uml:CombinedFragment' xmi:id='f' interactionOperator='opt' covered='a b'><operand xmi:id='o' {guard}>{}</operand></fragment>{}",
            ends("x"),
            message("x")
        );
        let sample = interaction(&fragment);
        let diagram = sample.model.interactions.iter().next().expect("it is read");
        let Some(Fragment::Combined(combined)) = diagram.body.0.first() else { panic!("a fragment") };
        (combined.operands[0].guard.clone(), sample.diagnostics.len())
    };
    assert_eq!(operand(""), (Guard::Absent, 0));
    let (guard, findings) = operand("guard='nope'");
    assert!(matches!(guard, Guard::Condition(condition) if condition.expression.is_none()));
    assert_eq!(findings, 1);
}

fn sent(name: &str, argument: &str) -> (Message, Vec<Code>, Model) {
    let sample = interaction(&format!(
        "{}<message xmi:id='x' name='{name}' messageSort='synchCall' sendEvent='xs' receiveEvent='xr'>{argument}</message>",
        ends("x")
    ));
    let diagram = sample.model.interactions.iter().next().expect("it is read");
    (diagram.messages.iter().next().expect("a message").clone(), codes(&sample), sample.model)
}

#[test]
fn elements_are_the_arguments_of_messages() {
    let no = "<argument xmi:type='uml:LiteralBoolean' xmi:id='n'/>";
    let texts = |message: &Message| {
        let arguments = message.arguments.iter().flatten().map(|one| one.text.clone());
        (message.name.clone(), arguments.collect::<Vec<_>>(), message.text.clone())
    };
    let wanted = ("pay".to_owned(), vec!["false".to_owned()], "pay(false)".to_owned());
    for (name, finding) in
        [("pay", None), ("pay()", None), ("pay(false)", None), ("pay(true)", Some(Code::TwoNames))]
    {
        let (message, codes, model) = sent(name, no);
        assert_eq!((texts(&message), codes), (wanted.clone(), finding.into_iter().collect()), "{name}");
        // What is drawn of it reads as the same message.
        let printed = print::sequence(model.interactions.iter().next().expect("it is read"));
        let again = diagram::model(&printed);
        let again = again.interactions.iter().next().and_then(|one| one.messages.iter().next().cloned());
        assert_eq!(texts(&again.expect("a message")), wanted, "{printed}");
    }
    let (message, codes, _) = sent("pay()", "");
    assert_eq!((message.arguments, codes), (Some(vec![]), vec![]));
    let thing = "<argument xmi:type='uml:Expression' xmi:id='n' symbol='thing::content'><operand xmi:type='uml:LiteralString' xmi:id='h' value='Hello, world'/></argument>";
    let (message, ..) = sent("tell", thing);
    assert_eq!(texts(&message).1, ["thing::content(Hello, world)"]);
}

#[test]
fn words_that_uml_does_not_have_are_told() {
    let sample = interaction(&format!(
        "{}<message xmi:id='x' name='x' messageSort='asyncCall' sendEvent='xs' receiveEvent='xr'/>",
        ends("x")
    ));
    assert_eq!(codes(&sample), [Code::Unsupported]);
    assert_eq!(codes(&transition("kind='Local'", "", "")), [Code::Unsupported]);
    assert_eq!(codes(&transition("kind='local'", "", "")), []);
    let at = "<packagedElement xmi:type='uml:TimeEvent' xmi:id='ev' isRelative='false'><when xmi:type='uml:TimeExpression' xmi:id='w'><expr xmi:type='uml:LiteralString' xmi:id='l' value='12:00'/></when></packagedElement>";
    assert_eq!(codes(&transition("", "<trigger xmi:id='g' event='ev'/>", at)), [Code::Unsupported]);
}

#[test]
fn enterprise_architect_names_signals_in_triggers_and_times_in_events() {
    let events = "<packagedElement xmi:type='uml:TimeEvent' xmi:id='e1' name='late' isRelative='true'><when xmi:type='uml:TimeExpression' xmi:id='w'><expr xmi:type='uml:OpaqueExpression' xmi:id='w2' body='5s'/></when></packagedElement>\
        <packagedElement xmi:type='uml:ChangeEvent' xmi:id='e2' name='hot'><changeExpression xmi:type='uml:OpaqueExpression' xmi:id='w3' body='n &gt; 80'/></packagedElement>\
        <packagedElement xmi:type='uml:AnyReceiveEvent' xmi:id='e3'/><packagedElement xmi:type='uml:SignalEvent' xmi:id='e4' name='ring'/>";
    let triggers = |trigger: &str| {
        let inside = transition("", trigger, events).sources;
        let text = inside.files().next().expect("a file").1.text.replace(
            "<uml:Model",
            "<xmi:XMI xmlns:xmi='http://schema.omg.org/spec/XMI/2.1'><xmi:Documentation exporter='Enterprise Architect'/><uml:Model",
        );
        let text = text.replace("</uml:Model>", "</uml:Model></xmi:XMI>");
        let sample = crate::samples::read_bytes(std::path::Path::new("ea.xml"), text.as_bytes());
        let machine = sample.model.machines.iter().next().expect("it is read");
        machine.transitions.iter().last().expect("two").triggers.clone()
    };
    let event = |name: &str| vec![Trigger::Event { name: name.to_owned(), parameters: vec![] }];
    assert_eq!(triggers("<trigger xmi:id='g' name='late' event='e1'/>"), [Trigger::After("5s".to_owned())]);
    assert!(
        matches!(&triggers("<trigger xmi:id='g' name='hot' event='e2'/>")[..], [Trigger::When(one)] if one.text == "n > 80")
    );
    assert_eq!(triggers("<trigger xmi:id='g' name='all' event='e3'/>"), [Trigger::Any]);
    assert_eq!(triggers("<trigger xmi:id='g' name='bell' event='e4'/>"), event("bell"));
    assert_eq!(triggers("<trigger xmi:id='g' name='' event='e4'/>"), event("ring"));
}

#[test]
fn bounds_without_value_are_zero() {
    let guard = "<guard xmi:id='g'><maxint xmi:type='uml:LiteralUnlimitedNatural' xmi:id='n'/></guard>";
    let sample = interaction(&format!(
        "<fragment xmi:type='uml:CombinedFragment' xmi:id='f' interactionOperator='loop' covered='a b'><operand xmi:id='o'>{guard}{}</operand></fragment>{}",
        ends("x"),
        message("x")
    ));
    let diagram = sample.model.interactions.iter().next().expect("it is read");
    let Some(Fragment::Combined(combined)) = diagram.body.0.first() else { panic!("a loop") };
    assert!(
        matches!(combined.operator, sequent_kernel::model::Operator::Loop(bounds) if bounds.max == Some(0)),
        "{:?}",
        combined.operator
    );
}
