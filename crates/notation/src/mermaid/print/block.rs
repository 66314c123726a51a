//! Combined fragments as Mermaid blocks, with a directive where the block's word does not say the operator.

use sequent_kernel::model::{Combination, Combined, Guard, Interaction, Loop, Operand, Operator};

use super::encode;
use crate::keywords::keywords;
use crate::resolve::sequence::is_bounded;
use crate::tree::Notation;

/// How a combined fragment is written.
pub(crate) struct FragmentHeader {
    /// Directives on the lines before it, without `%%`.
    pub directives: Vec<String>,
    /// Its keyword.
    pub keyword: &'static str,
    /// The word between its operands.
    pub divider: &'static str,
}

/// Chooses block and directive: the block it was read from if that was Mermaid's, else the one nearest to its operator.
pub(crate) fn header(interaction: &Interaction, combined: &Combined) -> FragmentHeader {
    let keyword = own_keyword(combined).unwrap_or_else(|| nearest_keyword(combined));
    let mut directives = Vec::new();
    if !combined.covers.is_empty() {
        let names: Vec<&str> =
            combined.covers.iter().map(|id| interaction.lifelines[*id].name.as_str()).collect();
        directives.push(format!("@covers {}", names.join(", ")));
    }
    if !says(keyword, &combined.operator) {
        directives.push(format!("@{}", interaction.operator_text(&combined.operator)));
    }
    let divider = match keyword {
        "par" | "par_over" => "and",
        "critical" => "option",
        _ => "else",
    };
    FragmentHeader { directives, keyword, divider }
}

/// The text on the line of an operand.
pub(crate) fn operand_text(combined: &Combined, operand: &Operand, keyword: &str, is_first: bool) -> String {
    let guard = match &operand.guard {
        Guard::Absent | Guard::Else => None,
        Guard::Condition(condition) => Some(condition.text.as_str()),
    };
    let caption = || operand.title.as_deref().or(combined.frame.title.as_deref().filter(|_| is_first));
    let text = match guard {
        Some(guard) if combined.operator.takes_guards() => guard.to_owned(),
        Some(guard) => format!("[{guard}]"),
        None => caption().unwrap_or_default().to_owned(),
    };
    let text = match combined.operator.bounds() {
        Some(bounds) if is_first && says(keyword, &combined.operator) => bounded(&bounds, &text),
        Some(_) | None => text,
    };
    match keyword {
        "rect" => encode::text(combined.frame.colour.as_deref().unwrap_or_default()),
        _ => encode::text(&text),
    }
}

/// The keyword a block had in Mermaid, if its operands fit into it.
fn own_keyword(combined: &Combined) -> Option<&'static str> {
    const DIVISIBLE: [&str; 4] = ["alt", "par", "par_over", "critical"];
    const SINGLE: [&str; 4] = ["opt", "loop", "break", "rect"];
    let find = |words: &[&'static str]| words.iter().copied().find(|word| *word == combined.frame.keyword);
    let is_mermaid_critical = !keywords(Notation::PlantUml, &combined.operator).contains(&"critical");
    let divisible = find(&DIVISIBLE).filter(|word| *word != "critical" || is_mermaid_critical);
    let fits_single = combined.operands.len() < 2;
    // A caption has no place on a `rect`.
    let has_text = combined.frame.title.is_some();
    let single = find(&SINGLE).filter(|word| fits_single && !(*word == "rect" && has_text));
    divisible.or(single)
}

/// The Mermaid block that draws an operator best.
fn nearest_keyword(combined: &Combined) -> &'static str {
    let is_single = combined.operands.len() < 2;
    let has_text = combined.frame.title.is_some()
        || combined
            .operands
            .iter()
            .any(|operand| operand.title.is_some() || matches!(operand.guard, Guard::Condition(_)));
    match combined.operator.combination() {
        Combination::Choice { is_optional: false } => "alt",
        Combination::Parallel => "par",
        Combination::Choice { is_optional: true } if is_single => "opt",
        Combination::Break if is_single => "break",
        Combination::Repetition(_) if is_single => "loop",
        Combination::Choice { .. } | Combination::Break | Combination::Repetition(_) => "alt",
        Combination::Sequence
        | Combination::StrictSequence
        | Combination::Unordered(_)
        | Combination::Negation
        | Combination::Complement => match (is_single, has_text) {
            (false, _) => "par",
            (true, true) => "opt",
            (true, false) => "rect",
        },
    }
}

/// Whether a block's keyword alone says the operator.
fn says(keyword: &str, operator: &Operator) -> bool {
    keywords(Notation::Mermaid, operator).contains(&keyword)
}

/// A loop's text with its bounds in front, unless they are the ones a loop has anyway.
fn bounded(bounds: &Loop, text: &str) -> String {
    let is_free = bounds.min == Some(0) && bounds.max.is_none();
    match (bounds.min, bounds.max) {
        _ if is_free && !is_bounded(text) => text.to_owned(),
        (Some(min), Some(max)) if min == max && text.is_empty() => format!("{min} times"),
        _ => format!("{} {text}", bounds.bounds()),
    }
}
