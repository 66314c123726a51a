//! What mermaid checks only when it draws.

use std::collections::{HashMap, HashSet};

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::source::Span;

use crate::tree::state::StateStatement;
use crate::tree::{Statement, StatementKind};

/// A composite state has one text; mermaid refuses to draw one with more.
pub(crate) fn labels(statements: &[Statement<StateStatement>], diagnostics: &mut Vec<Diagnostic>) {
    let mut texts: HashMap<&str, Vec<Span>> = HashMap::new();
    let mut composites = HashSet::new();
    for statement in statements {
        let StatementKind::Item(item) = &statement.kind else { continue };
        let (name, is_text) = match item {
            StateStatement::State(state) => (&state.name, state.name.label.is_some()),
            StateStatement::Description { name, text } => (name, !text.text.is_empty()),
            StateStatement::Close
            | StateStatement::Region
            | StateStatement::Transition(_)
            | StateStatement::Note(_)
            | StateStatement::Hidden(_)
            | StateStatement::Separator(_) => continue,
        };
        if is_text {
            texts.entry(&name.text).or_default().push(statement.span);
        }
        if matches!(item, StateStatement::State(state) if state.opens) {
            composites.insert(name.text.as_str());
        }
    }
    let mut seconds: Vec<(&str, &Vec<Span>)> = texts
        .iter()
        .filter(|(name, spans)| spans.len() > 1 && composites.contains(*name))
        .map(|(name, spans)| (*name, spans))
        .collect();
    seconds.sort();
    for (name, spans) in seconds {
        let message =
            format!("the composite state `{name}` has more than one text: mermaid does not draw it");
        diagnostics
            .push(Diagnostic::new(Code::Tolerated, spans[1], message).label(spans[0], "the first is here"));
    }
}
