//! Which way a machine is to be drawn: `left to right direction` in PlantUML, `direction LR` in Mermaid.

use sequent_kernel::model::Flow;
use sequent_kernel::source::Sources;

use crate::tree::state::StateStatement;
use crate::tree::{DiagramBlock, Notation, Statement, StatementKind};

/// What the last line about it says. In Mermaid a line inside of a state is about that state alone, which has no way of its own.
pub fn flow(
    block: &DiagramBlock,
    statements: &[Statement<StateStatement>],
    sources: &Sources,
) -> Option<Flow> {
    let mut depth = 0_usize;
    let mut found = None;
    for statement in statements {
        match &statement.kind {
            StatementKind::Item(StateStatement::State(state)) if state.opens => depth += 1,
            StatementKind::Item(StateStatement::Close) => depth = depth.saturating_sub(1),
            StatementKind::Presentation => {
                let text =
                    sources.get(statement.span.file).text.get(statement.span.range()).unwrap_or_default();
                let said = match block.notation {
                    Notation::PlantUml => plantuml(text),
                    Notation::Mermaid if depth == 0 => mermaid(text),
                    Notation::Mermaid => None,
                };
                found = said.or(found);
            }
            StatementKind::Item(_)
            | StatementKind::Title(_)
            | StatementKind::Caption(_)
            | StatementKind::Comment
            | StatementKind::Directive(_)
            | StatementKind::Preprocessor
            | StatementKind::Unknown => {}
        }
    }
    found
}

fn plantuml(text: &str) -> Option<Flow> {
    let words: Vec<String> = text.split_whitespace().map(str::to_ascii_lowercase).collect();
    match words.join(" ").as_str() {
        "left to right direction" => Some(Flow::Right),
        "top to bottom direction" => Some(Flow::Down),
        _ => None,
    }
}

fn mermaid(text: &str) -> Option<Flow> {
    let mut words = text.split_whitespace().skip_while(|word| !word.eq_ignore_ascii_case("direction"));
    let way = words.nth(1)?.to_ascii_uppercase();
    match way.get(..2)? {
        "LR" | "RL" => Some(Flow::Right),
        "TB" | "BT" => Some(Flow::Down),
        _ => None,
    }
}
