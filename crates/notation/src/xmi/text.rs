//! The text of a value, a constraint, a behaviour or an event.
//!
//! Tools put the same text in different places: an expression in `body`, `value` or `symbol` of its specification, a behaviour in its
//! `body`, in its name, or (Enterprise Architect) in an operation inside.

use super::tree::{NodeId, XmiTree};
use crate::expression;

/// The text of a value specification: of an expression or a literal; empty if there is none.
pub(crate) fn value(tree: &XmiTree, node: NodeId) -> String {
    let bodies = tree.texts(node, "body");
    if !bodies.is_empty() {
        return said(&bodies, tree.texts(node, "language").len());
    }
    let written = ["value", "symbol"].iter().find_map(|name| tree.attribute(node, name));
    if let Some(written) = written.map(str::trim).filter(|text| !text.is_empty()) {
        return written.to_owned();
    }
    // An enumeration's literal, a time or a duration around an expression.
    if let Some(instance) = tree.first(node, "instance") {
        return tree.name(instance).to_owned();
    }
    let inner = ["expr", "when", "expression"].iter().find_map(|role| tree.first(node, role));
    match (inner, tree.kind(node)) {
        (Some(inner), _) => value(tree, inner),
        (None, "LiteralBoolean") => "false".to_owned(),
        (None, "LiteralInteger") => "0".to_owned(),
        (None, _) => operands(tree, node),
    }
}

/// What bodies say: each in a language of its own says the same (UML 2.5.1, 8.3.4), and the first that reads as an expression is taken;
/// otherwise they are lines of one text.
fn said(bodies: &[&str], languages: usize) -> String {
    let mut written = bodies.iter().map(|body| body.trim()).filter(|body| !body.is_empty());
    if bodies.len() < 2 || languages != bodies.len() {
        return bodies.join("\n").trim().to_owned();
    }
    let first = written.clone().next().unwrap_or_default();
    written.find(|body| expression::parse(body).is_ok()).unwrap_or(first).to_owned()
}

/// `a and b` of an expression with a symbol and operands; the name of one without either.
fn operands(tree: &XmiTree, node: NodeId) -> String {
    let operands: Vec<String> = tree.all(node, "operand").into_iter().map(|one| value(tree, one)).collect();
    match operands.is_empty() {
        true => String::new(),
        false => operands.join(" "),
    }
}

/// The text of a constraint: of its specification.
pub(crate) fn constraint(tree: &XmiTree, node: NodeId) -> String {
    let specifications = tree.all(node, "specification");
    match specifications.first() {
        Some(specification) => value(tree, *specification),
        None => value(tree, node),
    }
}

/// The text of a behaviour: its body, its name, or what an operation in it says.
pub(crate) fn behaviour(tree: &XmiTree, node: NodeId) -> String {
    let body = value(tree, node);
    if !body.is_empty() {
        return body;
    }
    // XMI 1: the script of an action.
    if let Some(script) = tree.first(node, "script").map(|script| value(tree, script)) {
        if !script.is_empty() {
            return script;
        }
    }
    let operations: Vec<String> =
        tree.parts(node, "ownedOperation").map(|one| operation(tree, one)).collect();
    if !operations.is_empty() {
        return operations.join("\n");
    }
    let specified = tree.first(node, "specification").map(|one| tree.name(one)).unwrap_or_default();
    let name = tree.name(node);
    (if name.is_empty() { specified } else { name }).to_owned()
}

/// What an operation inside a behaviour says: its body, else its name.
fn operation(tree: &XmiTree, node: NodeId) -> String {
    let conditions = tree.all(node, "bodyCondition");
    let body = conditions.first().map(|condition| constraint(tree, *condition)).unwrap_or_default();
    if body.is_empty() { tree.name(node).to_owned() } else { body }
}

/// The name of a type, near or far: what follows the `#` of one in a library.
pub(crate) fn type_name(tree: &XmiTree, node: NodeId) -> Option<String> {
    let target = tree.targets(node, "type").into_iter().next()?;
    let name = match target {
        Ok(target) => tree.name(target).to_owned(),
        Err(super::tree::ElementReference::Elsewhere(_, id)) => {
            id.rsplit(['/', ':', '.']).next().unwrap_or(id).to_owned()
        }
        // Enterprise Architect has ids like `EAJava_int` for types of languages.
        Err(super::tree::ElementReference::Id(id)) => {
            id.strip_prefix("EA").and_then(|id| id.split_once('_'))?.1.to_owned()
        }
    };
    Some(name).filter(|name| !name.is_empty())
}
