//! Which way a diagram is to be drawn: `left to right direction` in PlantUML, `direction LR` in Mermaid.

use sequent_kernel::model::Flow;
use sequent_kernel::source::Sources;

use crate::tree::state::StateStatement;
use crate::tree::{DiagramBlock, Notation, Statement, StatementKind};

/// What the last line about it says. In Mermaid a line inside of a state is about that state alone, which has no way of its own.
pub fn flow<I>(
    block: &DiagramBlock,
    statements: &[Statement<I>],
    sources: &Sources,
    nesting: &dyn Fn(&I) -> i32,
) -> Option<Flow> {
    let mut depth = 0;
    let mut found = None;
    for statement in statements {
        match &statement.kind {
            StatementKind::Item(item) => depth = (depth + nesting(item)).max(0),
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
            StatementKind::Title(_)
            | StatementKind::Caption(_)
            | StatementKind::Comment
            | StatementKind::Directive(_)
            | StatementKind::Preprocessor
            | StatementKind::Unknown => {}
        }
    }
    found
}

/// How many states a statement opens, less those that it closes.
pub fn nesting(item: &StateStatement) -> i32 {
    match item {
        StateStatement::State(state) => i32::from(state.opens),
        StateStatement::Close => -1,
        StateStatement::Region
        | StateStatement::Transition(_)
        | StateStatement::Hidden(_)
        | StateStatement::Description { .. }
        | StateStatement::Note(_)
        | StateStatement::Separator(_) => 0,
    }
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
