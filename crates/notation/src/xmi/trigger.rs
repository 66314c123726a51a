//! Triggers and the events behind them.
//!
//! Where the name of the event stands differs: Papyrus has `E1` as the signal of an event `SignalEventE1`, Enterprise Architect has all
//! signals of one type `MyEventType` and the name in the trigger, others have it in the trigger or the event alone.

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::model::Trigger;

use super::dialect::ModelingTool;
use super::reader::XmiReader;
use super::text;
use super::tree::NodeId;
use crate::label;

/// The triggers that an element of the model stands for; none with a finding if it says nothing.
pub(crate) fn triggers(reader: &mut XmiReader, node: NodeId) -> Vec<Trigger> {
    let tree = reader.tree;
    let own = tree.name(node);
    let event = match tree.kind(node) {
        // XMI 1 refers to the event itself.
        "SignalEvent" | "CallEvent" | "TimeEvent" | "ChangeEvent" | "AnyReceiveEvent" => Some(node),
        _ => tree.first(node, "event"),
    };
    // Enterprise Architect has one type for all signals, and triggers without name on transitions that have none.
    if reader.tool == ModelingTool::EnterpriseArchitect {
        return label::triggers(own, tree.span(node));
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
            let when = tree.first(event, "when").map(|when| text::value(tree, when)).unwrap_or_default();
            let when = if when.is_empty() { tree.name(event).to_owned() } else { when };
            vec![Trigger::After(when)]
        }
        "ChangeEvent" => {
            let expression = tree.first(event, "changeExpression").map(|one| text::value(tree, one));
            let expression =
                expression.filter(|text| !text.is_empty()).unwrap_or_else(|| tree.name(event).to_owned());
            vec![Trigger::When(reader.condition(&expression, span))]
        }
        "AnyReceiveEvent" | "AnyTrigger" => vec![Trigger::Any],
        "CallEvent" | "ReceiveOperationEvent" => of(reader, node, event, "operation"),
        _ => of(reader, node, event, "signal"),
    }
}

/// The event of a signal or an operation.
fn of(reader: &mut XmiReader, trigger: NodeId, event: NodeId, role: &str) -> Vec<Trigger> {
    let tree = reader.tree;
    let called = tree.name(event);
    let target = tree.first(event, role).filter(|target| !tree.name(*target).is_empty());
    let Some(target) = target else {
        let name = if called.is_empty() { tree.name(trigger) } else { called };
        return named(reader, trigger, name);
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
    let parameters = match role {
        "operation" => {
            let inputs = tree
                .parts(target, "ownedParameter")
                .filter(|one| tree.attribute(*one, "direction") != Some("return"));
            inputs.map(|one| tree.name(one).to_owned()).collect()
        }
        _ => tree.parts(target, "ownedAttribute").map(|one| tree.name(one).to_owned()).collect(),
    };
    vec![Trigger::Event { name: name.to_owned(), parameters }]
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
