//! Questions in UML models: comments and stereotypes.
//!
//! A line of a comment that begins with `@` is a directive, as in the other notations: `@forbidden`, `@ltl G(..)`. It is about the
//! interactions and machines that the comment annotates, else about the one that it lies in, else about all that stands beside it. A
//! stereotype of the name of a directive that is applied to one (`<Sequent:forbidden base_Interaction="..."/>`) says the same.

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

/// The text of a comment, without the marks of HTML that some tools write in it.
pub(crate) fn comment(tree: &XmiTree, node: NodeId) -> String {
    let text = tree.texts(node, "body").join("\n");
    let text = text.trim();
    let is_marked = text.starts_with('<') && (text.contains("</") || text.contains("/>"));
    if is_marked { unmarked(text) } else { text.to_owned() }
}

/// The text of HTML: its lines, with the characters that names stand for.
fn unmarked(text: &str) -> String {
    let mut plain = String::new();
    for (at, piece) in text.split('<').enumerate() {
        let (tag, inside) = if at == 0 { ("", piece) } else { piece.split_once('>').unwrap_or((piece, "")) };
        let name =
            tag.trim_start_matches('/').split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if matches!(name, "p" | "br" | "div" | "li" | "ul" | "ol" | "tr" | "pre") {
            plain.push('\n');
        }
        if !matches!(name, "head" | "style" | "title") {
            plain += inside;
        }
    }
    let names = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", " "), ("&amp;", "&")];
    let plain = names.iter().fold(plain, |text, (name, sign)| text.replace(name, sign));
    let lines = plain.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
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
        let directives = match tree.kind(*node) {
            "Comment" => written(tree, *node),
            _ => applied(tree, *node),
        };
        if directives.is_empty() {
            continue;
        }
        let about = match tree.kind(*node) {
            "Comment" => annotated(tree, *node, subjects),
            _ => based(tree, *node, subjects).into_iter().collect(),
        };
        for about in about {
            match asked.iter_mut().find(|(known, _)| *known == about) {
                Some((_, known)) => known.extend(directives.iter().cloned()),
                None => asked.push((about, directives.clone())),
            }
        }
    }
    let mut found: Vec<Diagnostic> = Vec::new();
    for (about, directives) in asked {
        let whole = tree.node(about).whole;
        match subjects.get(&about).copied() {
            // Comments of classes and packages may speak to other tools (`@author`).
            None => {
                let ours = directives.iter().filter(|one| directive::is_question(&one.name));
                directive::ask(ours, whole, None, model, &mut found);
            }
            Some(Some(subject)) => {
                if let Subject::Machine(machine) = subject {
                    state::direct(&mut model.machines[machine], directives.iter(), &mut found);
                }
                directive::ask(directives.iter(), whole, Some(subject), model, &mut found);
            }
            // Nothing is asked of a diagram that is refused; that it is may be announced.
            Some(None) => {
                let mut refused = Model::default();
                directive::ask(directives.iter(), whole, None, &mut refused, &mut found);
                model.known.append(&mut refused.known);
            }
        }
    }
    found.into_iter().for_each(|finding| reader.report(finding));
}

/// The diagrams that a comment is about; what it lies in, if that is none.
fn annotated(tree: &XmiTree, comment: NodeId, subjects: &Subjects) -> Vec<NodeId> {
    let around =
        |node: NodeId| std::iter::once(node).chain(tree.around(node)).find(|one| subjects.contains_key(one));
    let mut annotated: Vec<NodeId> =
        tree.all(comment, "annotatedElement").into_iter().filter_map(around).collect();
    annotated.sort_unstable();
    annotated.dedup();
    if annotated.is_empty() {
        annotated.extend(around(comment).or(tree.node(comment).parent).or(Some(comment)));
    }
    annotated
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
    let bases = tree.bases(node).into_iter();
    bases.flat_map(|base| tree.all(node, base)).find(|base| subjects.contains_key(base))
}

/// The directive that a stereotype stands for.
fn applied(tree: &XmiTree, node: NodeId) -> Vec<Directive> {
    let word = tree.kind(node).to_lowercase();
    if tree.bases(node).is_empty() || !directive::is_question(&word) {
        return Vec::new();
    }
    let argument = ["argument", "formula", "value"].iter().find_map(|name| tree.attribute(node, name));
    vec![parsed(&format!("{word} {}", argument.unwrap_or_default()), tree.span(node))]
}
