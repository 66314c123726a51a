//! Which keyword of a block says which operator, in each notation.
//!
//! What no keyword says is said by a directive, or in PlantUML by a `group` (DESIGN section 7).

use sequent_kernel::model::Operator;

use crate::tree::Notation;

/// What is written instead of a keyword of other languages, at the head of a line that is no statement.
pub(crate) fn instead_of(word: &str) -> Option<&'static str> {
    match word {
        "if" | "switch" => Some("write `alt condition` .. `else` .. `end`, or `opt condition` .. `end`"),
        "for" | "while" | "foreach" | "repeat" => Some("write `loop condition` .. `end`"),
        _ => None,
    }
}

/// Whether a line is a word that closes a block in other languages: `endloop`, `END_ALT`, `done`, or `end` with a letter too many.
pub(crate) fn is_foreign_end(line: &str) -> bool {
    let word = line.to_ascii_lowercase();
    if word.trim_end_matches([';', ' ']) == "end" {
        return word != "end";
    }
    let Some(block) = word.strip_prefix("end") else {
        return ["fi", "done", "esac", "edn", "ned"].contains(&word.as_str());
    };
    let block = block.strip_prefix(['_', '-']).unwrap_or(block);
    let blocks = ["alt", "opt", "loop", "par", "break", "critical", "group", "rect", "e", "d", "s"];
    blocks.contains(&block) || instead_of(block).is_some()
}

/// Whether what stands behind an `@` is what a directive says, without its name: `!m < ?n`.
pub(crate) fn lacks_name(after: &str) -> bool {
    let said = after.trim_start().strip_prefix(['!', '?']);
    said.is_some_and(|said| said.starts_with(|c: char| c.is_alphanumeric()))
}

/// The keywords that alone give a block this operator, as printers use them.
pub(crate) fn keywords(notation: Notation, operator: &Operator) -> &'static [&'static str] {
    let (plantuml, mermaid): (&[&str], &[&str]) = match operator {
        Operator::Alt => (&["alt"], &["alt", "critical"]),
        Operator::Opt => (&["opt"], &["opt"]),
        Operator::Break => (&["break"], &["break"]),
        Operator::Par => (&["par", "par2"], &["par", "par_over"]),
        Operator::Loop(bounds) if !bounds.strict => (&["loop"], &["loop"]),
        Operator::Critical => (&["critical"], &[]),
        Operator::Seq => (&[], &["rect"]),
        Operator::Strict
        | Operator::Loop(_)
        | Operator::Neg
        | Operator::Assert
        | Operator::Ignore(_)
        | Operator::Consider(_)
        | Operator::Coregion(_)
        | Operator::Not => (&[], &[]),
    };
    match notation {
        Notation::PlantUml => plantuml,
        Notation::Mermaid => mermaid,
    }
}
