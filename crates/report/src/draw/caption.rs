//! What stands in the tab of a frame, and the guards of its operands.
//!
//! The tab names what the fragment means, with the parameters of its operator: `loop (1,*)`, `ignore {ack, nack}`. A
//! frame that only groups shows its own caption instead.

use sequent_kernel::model::{
    Combination, Combined, Guard, Loop, Operand, Operator, OperatorFacts, OperatorParameter,
};

/// The text in the tab of a frame.
pub(crate) fn tab(combined: &Combined) -> String {
    let OperatorFacts { word, parameter, combination, .. } = combined.operator.facts();
    let is_choice = matches!(combination, Combination::Choice { .. });
    match parameter {
        OperatorParameter::None if combined.operator == Operator::Seq => group(combined),
        OperatorParameter::None if is_choice => choice(combined, word),
        OperatorParameter::None | OperatorParameter::Lifeline(_) => word.to_owned(),
        OperatorParameter::Bounds(bounds) => repetition(word, bounds),
        OperatorParameter::Types(types) => format!("{word} {}", types.text()),
    }
}

/// The text at the top of an operand: its guard in brackets, or its caption; empty if there is neither.
pub(crate) fn guard(combined: &Combined, operand: usize) -> String {
    let Operand { guard, title, .. } = &combined.operands[operand];
    if let (Guard::Absent, Some(title)) = (guard, title) {
        return format!("[{}]", title.trim());
    }
    let guard = match guard {
        Guard::Absent => String::new(),
        Guard::Else => "[else]".to_owned(),
        Guard::Condition(condition) if condition.text.trim().is_empty() => String::new(),
        Guard::Condition(condition) => format!("[{}]", condition.text.trim()),
    };
    if operand > 0 || !guard.is_empty() {
        return guard;
    }
    let subtitle = combined.frame.subtitle.as_deref().map(|subtitle| format!("[{subtitle}]"));
    own_title(combined).into_iter().map(str::to_owned).chain(subtitle).collect::<Vec<_>>().join(" ")
}

/// The caption of a frame whose tab names an operator instead (`' @neg` before `group lost contact`).
fn own_title(combined: &Combined) -> Option<&str> {
    let title = combined.frame.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    title.filter(|title| combined.operator != Operator::Seq && *title != tab(combined))
}

/// Whether the frame is a coloured background and nothing else.
pub(crate) fn is_background(combined: &Combined) -> bool {
    combined.frame.keyword == "rect" && combined.operator == Operator::Seq
}

fn group(combined: &Combined) -> String {
    let title = combined.frame.title.as_deref().filter(|title| !title.trim().is_empty());
    title.unwrap_or(&combined.frame.keyword).to_owned()
}

/// Mermaid's `critical .. option` means alternatives; its readers know it by its own word.
fn choice(combined: &Combined, name: &str) -> String {
    let keyword = combined.frame.keyword.as_str();
    if keyword == "critical" { keyword } else { name }.to_owned()
}

fn repetition(name: &str, bounds: Loop) -> String {
    match (bounds.min, bounds.max) {
        (Some(0), None) => name.to_owned(),
        (None, _) => format!("{name} (inf)"),
        (Some(min), None) => format!("{name} ({min},*)"),
        (Some(min), Some(max)) if min == max => format!("{name} ({min})"),
        (Some(min), Some(max)) => format!("{name} ({min},{max})"),
    }
}
