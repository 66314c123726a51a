//! Combined fragments: keyword, operator, guards.
//!
//! A block's keyword gives it an operator. Where the operator is another one, a `group` without caption says it by
//! convention (`group neg`), any other block by a directive on the line before it.

use sequent_kernel::model::{Combination, Combined, Guard, Loop, Operand, Operator};

use super::{PlantumlSequencePrinter, colour_after_space};
use crate::keywords::keywords;
use crate::plantuml::print::text::line_text;
use crate::resolve::sequence::{in_brackets, is_bounded};
use crate::tree::Notation;

impl PlantumlSequencePrinter<'_> {
    pub(super) fn combined(&mut self, combined: &Combined) {
        let is_parallel = combined.operator.combination() == Combination::Parallel;
        if combined.frame.keyword.is_empty() && is_parallel {
            self.side_by_side(&combined.operands);
            return;
        }
        if !combined.covers.is_empty() {
            let names: Vec<&str> =
                combined.covers.iter().map(|id| self.interaction.lifelines[*id].name.as_str()).collect();
            self.line(&format!("' @covers {}", names.join(", ")));
        }
        let keyword = keyword(&combined.frame.keyword);
        let header = self.header(combined, keyword);
        let colour = colour_after_space(combined.frame.colour.as_deref());
        self.line(&format!("{keyword}{colour} {header}"));
        for (index, operand) in combined.operands.iter().enumerate() {
            if index > 0 {
                let colour = colour_after_space(operand.colour.as_deref());
                self.line(&format!("else{colour} {}", operand_text(&combined.operator, operand)));
            }
            self.depth += 1;
            self.block(&operand.block);
            self.depth -= 1;
        }
        self.line("end");
    }

    /// What follows the keyword; prints a directive first if the operator needs one.
    fn header(&mut self, combined: &Combined, keyword: &str) -> String {
        let first = combined.operands.first();
        if keyword == "group" || keyword == "partition" {
            return self.group_header(combined, first);
        }
        let text = first.map(|operand| operand_text(&combined.operator, operand)).unwrap_or_default();
        if !keywords(Notation::PlantUml, &combined.operator).contains(&keyword) {
            let words = self.interaction.operator_text(&combined.operator);
            self.line(&format!("' @{words}"));
            return text;
        }
        match combined.operator.bounds() {
            Some(bounds) if bounds != FREE || is_bounded(&text) => format!("{} {text}", bounds.bounds()),
            Some(_) | None => text,
        }
    }

    /// `Caption [second]`, `neg`, `ignore {m1, m2} [guard]`
    fn group_header(&mut self, combined: &Combined, first: Option<&Operand>) -> String {
        let frame = &combined.frame;
        let title = frame.title.as_deref().map(line_text);
        let guard = first.and_then(|operand| match &operand.guard {
            Guard::Condition(condition) => Some(line_text(&condition.text)),
            Guard::Absent | Guard::Else => None,
        });
        let second = guard.or_else(|| frame.subtitle.as_deref().map(line_text));
        let second = second.map(|second| format!(" [{second}]")).unwrap_or_default();
        if combined.operator == Operator::Seq && !title.as_deref().is_some_and(is_convention) {
            return format!("{}{second}", title.unwrap_or_default()).trim_start().to_owned();
        }
        let words = self.interaction.operator_text(&combined.operator);
        match title {
            None => format!("{words}{second}"),
            Some(title) => {
                self.line(&format!("' @{words}"));
                format!("{title}{second}")
            }
        }
    }
}

/// The keyword PlantUML has for a block.
fn keyword(written: &str) -> &str {
    match written {
        "alt" | "opt" | "loop" | "par" | "par2" | "break" | "critical" | "group" | "partition" => written,
        "par_over" => "par2",
        _ => "group",
    }
}

/// Guard or caption of an operand.
fn operand_text(operator: &Operator, operand: &Operand) -> String {
    let takes_guards = operator.takes_guards();
    match (&operand.guard, &operand.title) {
        (Guard::Condition(condition), _) if takes_guards => line_text(&twice_protected(&condition.text)),
        (Guard::Condition(condition), _) => {
            let text = twice_protected(&condition.text);
            line_text(&if in_brackets(&text).is_some() { text } else { format!("[{text}]") })
        }
        (Guard::Absent | Guard::Else, Some(title)) => line_text(title),
        (Guard::Absent | Guard::Else, None) => String::new(),
    }
}

/// A condition in brackets of its own loses a pair when it is read; this adds one.
pub(crate) fn protected(text: &str) -> String {
    if in_brackets(text).is_some() { format!("[{text}]") } else { text.to_owned() }
}

/// The guard of an operand loses two.
fn twice_protected(text: &str) -> String {
    if in_brackets(text).is_some() { format!("[[{text}]]") } else { text.to_owned() }
}

/// Any number of times.
const FREE: Loop = Loop { min: Some(0), max: None, strict: false };

/// Whether a caption would be taken for an operator.
fn is_convention(title: &str) -> bool {
    const WORDS: &[&str] = &[
        "seq", "strict", "par", "alt", "opt", "break", "critical", "neg", "assert", "not", "loop", "sloop",
        "ignore", "consider", "coregion",
    ];
    let (word, rest) = title.split_at(title.find(|c: char| !c.is_alphanumeric()).unwrap_or(title.len()));
    let (word, rest) = (word.to_lowercase(), rest.trim());
    WORDS.contains(&word.as_str())
        && (rest.is_empty() || rest.starts_with(['{', '(', '[']) || word == "coregion")
}
