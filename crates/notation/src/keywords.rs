//! Which keyword of a block says which operator, in each notation.
//!
//! What no keyword says is said by a directive, or in PlantUML by a `group` (DESIGN section 7).

use sequent_kernel::model::Operator;

use crate::tree::Notation;

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
