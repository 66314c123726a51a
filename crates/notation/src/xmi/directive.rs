//! Questions in UML models: comments and stereotypes.
//!
//! A line of a comment that begins with `@` is a directive, as in the other notations: `@forbidden`, `@ltl G(..)`. It is about the
//! interaction or the machine that the comment annotates or lies in. A stereotype of the name of a directive that is applied to one
//! (`<Sequent:forbidden base_Interaction="..."/>`) says the same.

use std::collections::HashMap;

use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::model::{Model, Subject};
use sequent_kernel::source::Span;

use super::reader::XmiReader;
use super::tree::{NodeId, XmiTree};
use crate::resolve::{directive, state};
use crate::tree::Directive;

/// The diagrams that can be asked about; `None` for those that are refused.
pub(crate) type Subjects = HashMap<NodeId, Option<Subject>>;

/// The text of a comment.
pub(crate) fn comment(tree: &XmiTree, node: NodeId) -> String {
    tree.texts(node, "body").join("\n").trim().to_owned()
}

/// Whether a comment is addressed to Sequent.
pub(crate) fn is_directive(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with('@'))
}

/// Adds what comments and stereotypes ask about interactions and machines.
pub(crate) fn ask(reader: &mut XmiReader, elements: &[NodeId], subjects: &Subjects, model: &mut Model) {
    let tree = reader.tree;
    let mut asked: Vec<(NodeId, Vec<Directive>)> = Vec::new();
    for node in elements {
        let (about, directives) = match tree.kind(*node) {
            "Comment" => (annotated(tree, *node, subjects), written(tree, *node)),
            _ => (based(tree, *node, subjects), applied(tree, *node)),
        };
        if let Some(about) = about.filter(|_| !directives.is_empty()) {
            match asked.iter_mut().find(|(known, _)| *known == about) {
                Some((_, known)) => known.extend(directives),
                None => asked.push((about, directives)),
            }
        }
    }
    let mut found: Vec<Diagnostic> = Vec::new();
    for (about, directives) in asked {
        let subject = subjects.get(&about).copied().flatten();
        if let Some(Subject::Machine(machine)) = subject {
            state::direct(&mut model.machines[machine], directives.iter(), &mut found);
        }
        let whole = tree.node(about).whole;
        match subject {
            Some(_) => directive::ask(directives.iter(), whole, subject, model, &mut found),
            // Nothing is asked of a diagram that is refused; that it is may be announced.
            None => {
                let mut refused = Model::default();
                directive::ask(directives.iter(), whole, None, &mut refused, &mut found);
                model.known.append(&mut refused.known);
            }
        }
    }
    found.into_iter().for_each(|finding| reader.report(finding));
}

/// The diagram that a comment is about.
fn annotated(tree: &XmiTree, comment: NodeId, subjects: &Subjects) -> Option<NodeId> {
    let annotated = tree.all(comment, "annotatedElement");
    let around =
        |node: NodeId| std::iter::once(node).chain(tree.around(node)).find(|one| subjects.contains_key(one));
    annotated.into_iter().find_map(around).or_else(|| around(comment))
}

/// The directives in a comment.
fn written(tree: &XmiTree, comment: NodeId) -> Vec<Directive> {
    let text = self::comment(tree, comment);
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix('@'));
    lines.map(|line| parsed(line, tree.span(comment))).collect()
}

fn parsed(line: &str, span: Span) -> Directive {
    let (name, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    Directive {
        name: name.to_owned(),
        name_span: span,
        argument: argument.trim().to_owned(),
        argument_span: span,
    }
}

/// The diagram that a stereotype is applied to.
fn based(tree: &XmiTree, node: NodeId, subjects: &Subjects) -> Option<NodeId> {
    let bases = tree.attributes(node).iter().map(|(name, _)| *name).filter(|name| name.starts_with("base_"));
    bases.flat_map(|base| tree.all(node, base)).find(|base| subjects.contains_key(base))
}

/// The directive that a stereotype stands for.
fn applied(tree: &XmiTree, node: NodeId) -> Vec<Directive> {
    let word = tree.kind(node).to_lowercase();
    let is_base = tree.attributes(node).iter().any(|(name, _)| name.starts_with("base_"));
    if !is_base || !directive::is_question(&word) {
        return Vec::new();
    }
    let argument = ["argument", "formula", "value"].iter().find_map(|name| tree.attribute(node, name));
    vec![parsed(&format!("{word} {}", argument.unwrap_or_default()), tree.span(node))]
}
