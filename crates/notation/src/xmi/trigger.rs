//! Triggers and the events behind them.
//!
//! Where the name of the event stands differs: Papyrus has `E1` as the signal of an event `SignalEventE1`, Enterprise Architect has all
//! signals of one type `MyEventType` and the name in the trigger, others have it in the trigger or the event alone.

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::model::Trigger;

use super::dialect::ModelingTool;
use super::reader::XmiReader;
use super::text;
use super::tree::{NodeId, XmiTree};
use crate::label;

/// Events that have no name of their own.
const TIMED: &[&str] = &["TimeEvent", "ChangeEvent", "AnyReceiveEvent", "AnyTrigger"];

/// The triggers that an element of the model stands for; none with a finding if it says nothing.
pub(crate) fn triggers(reader: &mut XmiReader, node: NodeId) -> Vec<Trigger> {
    let tree = reader.tree;
    let own = tree.name(node);
    let event = match tree.kind(node) {
        // XMI 1 refers to the event itself.
        "SignalEvent" | "CallEvent" | "TimeEvent" | "ChangeEvent" | "AnyReceiveEvent" => Some(node),
        _ => tree.first(node, "event"),
    };
    let is_signal = event.is_none_or(|event| !TIMED.contains(&tree.kind(event)));
    // Enterprise Architect has one type for all signals, and triggers without name on transitions that have none.
    if reader.tool == ModelingTool::EnterpriseArchitect && is_signal {
        let event = event.map(|event| tree.name(event)).unwrap_or_default();
        return label::triggers(if own.is_empty() { event } else { own }, tree.span(node));
    }
    if let Some(port) = tree.first(node, "port") {
        let message = format!(
            "what comes through any port sets this off, not only what comes through `{}`",
            tree.name(port)
        );
        reader.report(Diagnostic::new(Code::Unsupported, tree.span(node), message));
    }
    let Some(event) = event else { return named(reader, node, own) };
    let span = tree.span(node);
    match tree.kind(event) {
        "TimeEvent" => {
            let when = tree.first(event, "when").map(|when| text::value(tree, when));
            let when = said(reader, (node, event), when);
            if tree.attribute(event, "isRelative") == Some("false") {
                let message =
                    format!("`{when}` is a point in time: it is read as the time that passes in the state");
                reader.report(Diagnostic::new(Code::Unsupported, span, message).severity(Severity::Hint));
            }
            vec![Trigger::After(when)]
        }
        "ChangeEvent" => {
            let expression = tree.first(event, "changeExpression").map(|one| text::value(tree, one));
            let expression = said(reader, (node, event), expression);
            vec![Trigger::When(reader.condition(&expression, span))]
        }
        "AnyReceiveEvent" | "AnyTrigger" => vec![Trigger::Any],
        "CallEvent" | "ReceiveOperationEvent" => of(reader, node, event, "operation"),
        _ => of(reader, node, event, "signal"),
    }
}

/// What an event without a name of its own says: the text of it, else the name of the event or of the trigger.
fn said(reader: &mut XmiReader, (node, event): (NodeId, NodeId), text: Option<String>) -> String {
    let tree = reader.tree;
    let text = text.unwrap_or_default();
    let written =
        [text.as_str(), tree.name(event), tree.name(node)].into_iter().find(|text| !text.is_empty());
    if written.is_none() {
        let message = format!("the {} does not say when: it may happen at any time", tree.kind(event));
        reader.report(Diagnostic::new(Code::MissingElement, tree.span(node), message));
    }
    written.unwrap_or_default().to_owned()
}

/// The event of a signal or an operation.
fn of(reader: &mut XmiReader, trigger: NodeId, event: NodeId, role: &str) -> Vec<Trigger> {
    let tree = reader.tree;
    let called = tree.name(event);
    let target = tree.first(event, role).filter(|target| !tree.name(*target).is_empty());
    let Some(target) = target else {
        let name = if called.is_empty() { tree.name(trigger) } else { called };
        let mut triggers = named(reader, trigger, name);
        if let [Trigger::Event { parameters, .. }] = &mut triggers[..] {
            if parameters.is_empty() {
                *parameters = inputs(tree, event);
            }
        }
        return triggers;
    };
    let name = tree.name(target);
    let is_contrary = !called.is_empty() && !called.contains(name) && !name.contains(called);
    let has_namesake = is_contrary && reader.is_name_of(tree.kind(target), called);
    if has_namesake || is_contrary && called.eq_ignore_ascii_case(name) {
        let message = format!("the event `{called}` is one of `{name}`");
        reader.report(
            Diagnostic::new(Code::TwoNames, tree.span(event), message)
                .hint(format!("it is read as `{name}`; if `{called}` is meant, let it refer to that")),
        );
    }
    // UML 1: an event has parameters of its own.
    let own = inputs(tree, event);
    let parameters = match role {
        _ if !own.is_empty() => own,
        "operation" => inputs(tree, target),
        _ => tree.parts(target, "ownedAttribute").map(|one| tree.name(one).to_owned()).collect(),
    };
    vec![Trigger::Event { name: name.to_owned(), parameters }]
}

/// The names of the parameters that an operation or an event takes.
fn inputs(tree: &XmiTree, node: NodeId) -> Vec<String> {
    let all = tree.parts(node, "ownedParameter");
    all.filter(|one| tree.attribute(*one, "direction") != Some("return"))
        .map(|one| tree.name(one).to_owned())
        .collect()
}

/// A trigger that is a name alone.
fn named(reader: &mut XmiReader, node: NodeId, name: &str) -> Vec<Trigger> {
    let tree = reader.tree;
    if !name.is_empty() {
        return label::triggers(name, tree.span(node));
    }
    let message = "the trigger names no event: the transition is read as if it had none";
    reader.report(Diagnostic::new(Code::MissingElement, tree.span(node), message));
    Vec::new()
}
