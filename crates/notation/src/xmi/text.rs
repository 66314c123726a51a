//! The text of a value, a constraint, a behaviour or an event.
//!
//! Tools put the same text in different places: an expression in `body`, `value` or `symbol` of its specification, a behaviour in its
//! `body`, in its name, or (Enterprise Architect) in an operation inside.

use super::tree::{NodeId, XmiTree};
use crate::expression;

/// A value that refers to more elements is not read.
const MOST_ELEMENTS: usize = 1_000;

/// What stands for a value that is not read; no expression reads so.
const ENDLESS: &str = "a value that contains itself";

/// The text of a value specification: of an expression or a literal; empty if there is none.
pub(crate) fn value(tree: &XmiTree, node: NodeId) -> String {
    ValueReader::new(tree).value(node).unwrap_or_else(|| ENDLESS.to_owned())
}

/// Whether a value contains itself, or so much that it is not read.
pub(crate) fn is_endless(tree: &XmiTree, node: NodeId) -> bool {
    ValueReader::new(tree).value(node).is_none()
}

/// Whether a constraint is written as a tree of expressions rather than as text.
pub(crate) fn is_built(tree: &XmiTree, constraint: NodeId) -> bool {
    let specification = tree.first(constraint, "specification").unwrap_or(constraint);
    tree.attribute(specification, "symbol").is_some() && tree.first(specification, "operand").is_some()
}

/// Reads a value. Its parts may be references, which may lead back to it.
struct ValueReader<'t, 'd> {
    tree: &'t XmiTree<'d>,
    /// The values that are being read, outer before inner.
    open: Vec<NodeId>,
    /// How many elements may still be read.
    left: usize,
}

impl<'t, 'd> ValueReader<'t, 'd> {
    fn new(tree: &'t XmiTree<'d>) -> Self {
        ValueReader { tree, open: Vec::new(), left: MOST_ELEMENTS }
    }

    /// The text of a value; `None` if it has no end.
    fn value(&mut self, node: NodeId) -> Option<String> {
        if self.left == 0 || self.open.contains(&node) {
            return None;
        }
        self.left -= 1;
        self.open.push(node);
        let text = self.text(node);
        self.open.pop();
        text
    }

    fn text(&mut self, node: NodeId) -> Option<String> {
        let tree = self.tree;
        let bodies = tree.texts(node, "body");
        if !bodies.is_empty() {
            return Some(said(&bodies, tree.texts(node, "language").len()));
        }
        let operands = tree.all(node, "operand");
        let written = ["value", "symbol"].iter().find_map(|name| tree.attribute(node, name));
        let written = written.map(str::trim).filter(|text| !text.is_empty());
        if let Some(written) = written.filter(|_| operands.is_empty()) {
            return Some(written.to_owned());
        }
        // An enumeration's literal, a behaviour that computes the value, a time or a duration around an expression.
        if let Some(instance) = tree.first(node, "instance") {
            return Some(tree.name(instance).to_owned());
        }
        if let Some(behaviour) =
            tree.first(node, "behavior").filter(|_| tree.kind(node) == "OpaqueExpression")
        {
            return self.behaviour(behaviour);
        }
        let inner = ["expr", "when", "expression"].iter().find_map(|role| tree.first(node, role));
        match (inner, tree.kind(node)) {
            (Some(inner), _) => self.value(inner),
            (None, "LiteralBoolean") => Some("false".to_owned()),
            (None, "LiteralInteger" | "LiteralUnlimitedNatural") => Some("0".to_owned()),
            (None, _) => {
                let operands: Option<Vec<String>> = operands.into_iter().map(|one| self.value(one)).collect();
                Some(combined(written.unwrap_or_default(), &operands?))
            }
        }
    }

    /// The text of a behaviour: its body, its name, or what an operation in it says.
    fn behaviour(&mut self, node: NodeId) -> Option<String> {
        let tree = self.tree;
        let body = self.value(node)?;
        if !body.is_empty() {
            return Some(body);
        }
        // XMI 1: the script of an action.
        if let Some(script) = tree.first(node, "script") {
            let script = self.value(script)?;
            if !script.is_empty() {
                return Some(script);
            }
        }
        let operations: Vec<NodeId> = tree.parts(node, "ownedOperation").collect();
        if !operations.is_empty() {
            let operations: Option<Vec<String>> =
                operations.into_iter().map(|one| self.operation(one)).collect();
            return Some(operations?.join("\n"));
        }
        let specified = tree.first(node, "specification").map(|one| tree.name(one)).unwrap_or_default();
        let name = tree.name(node);
        Some((if name.is_empty() { specified } else { name }).to_owned())
    }

    /// What an operation inside a behaviour says: its body, else its name.
    fn operation(&mut self, node: NodeId) -> Option<String> {
        let body = match self.tree.first(node, "bodyCondition") {
            Some(condition) => {
                self.value(self.tree.first(condition, "specification").unwrap_or(condition))?
            }
            None => String::new(),
        };
        Some(if body.is_empty() { self.tree.name(node).to_owned() } else { body })
    }
}

/// `a and b`, `not a`, `f(a, b)` of a symbol and its operands.
fn combined(symbol: &str, operands: &[String]) -> String {
    let is_word = !symbol.contains(char::is_whitespace);
    let joins = |text: String| is_word && expression::parse(&text).is_ok();
    match operands {
        _ if symbol.is_empty() => operands.join(" "),
        [one] if joins(format!("{symbol} a")) => format!("{symbol} {}", grouped(one)),
        [_, _, ..] if joins(format!("a {symbol} b")) => {
            operands.iter().map(|one| grouped(one)).collect::<Vec<_>>().join(&format!(" {symbol} "))
        }
        _ => format!("{symbol}({})", operands.join(", ")),
    }
}

/// An operand, in brackets unless it is a single word.
fn grouped(text: &str) -> String {
    let is_single = text.chars().all(|c| expression::is_name_part(c) || matches!(c, '.' | ':'));
    if is_single { text.to_owned() } else { format!("({text})") }
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
    ValueReader::new(tree).behaviour(node).unwrap_or_else(|| ENDLESS.to_owned())
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
