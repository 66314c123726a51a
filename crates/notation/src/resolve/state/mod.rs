//! State diagrams: from statements to a [`Machine`].
//!
//! The notations agree on what can be drawn and differ in which state a name means; [`plantuml`] and [`mermaid`] each know
//! one set of rules and fill the same [`draft`], which becomes the machine. Here the directives are applied that say
//! whose behaviour the machine is.

mod draft;
mod finish;
mod flow;
mod layout;
mod mermaid;
mod names;
mod plantuml;
mod style;

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::model::{Contract, Machine};
use sequent_kernel::source::Span;

pub use flow::{flow, nesting};
pub use style::{StateStyles, paint};

use super::{class, directive};
use crate::expression;
use crate::tree::state::StateStatement;
use crate::tree::{DiagramBlock, Directive, Notation, Statement, StatementKind};

/// Resolves one state diagram.
pub fn machine(
    block: &DiagramBlock,
    statements: &[Statement<StateStatement>],
    name: String,
    diagnostics: &mut Vec<Diagnostic>,
) -> Machine {
    let draft = match block.notation {
        Notation::PlantUml => plantuml::draft(statements, block.span, diagnostics),
        Notation::Mermaid => mermaid::draft(statements, block.span, diagnostics),
    };
    let mut machine = draft.finish(block.span);
    machine.name = name;
    machine.title = title(statements);
    machine.captions = super::captions(statements);
    direct(&mut machine, directive::all(statements), diagnostics);
    machine
}

/// Whether a stereotype makes a state some other kind of vertex.
pub(crate) fn says_kind(stereotype: &str) -> bool {
    draft::DraftVertexKind::of_stereotype(stereotype).is_some()
}

/// The last title, as the tools draw only that.
fn title(statements: &[Statement<StateStatement>]) -> Option<String> {
    statements.iter().rev().find_map(|statement| match &statement.kind {
        StatementKind::Title(text) => Some(text.clone()),
        StatementKind::Comment
        | StatementKind::Directive(_)
        | StatementKind::Preprocessor
        | StatementKind::Presentation
        | StatementKind::Caption(_)
        | StatementKind::Unknown
        | StatementKind::Item(_) => None,
    })
}

/// Applies `@class`, `@attribute`, `@pre` and `@post`.
pub(crate) fn direct<'a>(
    machine: &mut Machine,
    directives: impl Iterator<Item = &'a Directive>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for directive in directives {
        let argument = directive.argument.trim();
        match directive.name.as_str() {
            "class" if !argument.is_empty() => machine.class = Some(argument.to_owned()),
            "attribute" => match class::attribute(argument, directive.argument_span) {
                Some(attribute) => machine.attributes.push(attribute),
                None => diagnostics.push(bad(directive)),
            },
            word @ ("pre" | "post") => match contract(argument, word == "post", directive.argument_span) {
                Some(contract) => machine.contracts.push(contract),
                None => diagnostics.push(bad(directive)),
            },
            "class" => diagnostics.push(bad(directive)),
            _ => {}
        }
    }
}

/// `name : condition`
fn contract(text: &str, is_post: bool, span: Span) -> Option<Contract> {
    let (name, condition) = text.split_once(':')?;
    let (name, condition) = (name.trim().trim_end_matches("()"), condition.trim());
    let condition = expression::condition(condition, span);
    let is_fine = !name.is_empty() && condition.expression.is_some();
    is_fine.then(|| Contract { name: name.to_owned(), is_post, condition })
}

fn bad(directive: &Directive) -> Diagnostic {
    let message = format!("`@{}` does not say what it should", directive.name);
    Diagnostic::new(Code::BadDirective, directive.name_span, message).hint(directive::form(&directive.name))
}

#[cfg(test)]
mod tests;
