//! Formulas in the words of NuSMV, which has operators for the past, but neither `W` nor `M`.

use sequent_kernel::formula::{Atom, Binary, Formula, FormulaNode, Unary};

/// A formula, where atoms are written so; `None` if one of them cannot be said.
pub(crate) fn written(formula: &Formula, atom: &dyn Fn(&Atom) -> Option<String>) -> Option<String> {
    Some(match &formula.node {
        FormulaNode::Constant(true) => "TRUE".to_owned(),
        FormulaNode::Constant(false) => "FALSE".to_owned(),
        FormulaNode::Atom(one) => atom(one)?,
        FormulaNode::Unary(operator, part) => {
            let part = written(part, atom)?;
            match operator {
                Unary::Not => format!("!{part}"),
                Unary::Next => format!("(X {part})"),
                Unary::Finally => format!("(F {part})"),
                Unary::Globally => format!("(G {part})"),
                Unary::Previous => format!("(Y {part})"),
                Unary::WeakPrevious => format!("(Z {part})"),
                Unary::Once => format!("(O {part})"),
                Unary::Historically => format!("(H {part})"),
            }
        }
        FormulaNode::Binary(operator, left, right) => {
            let (left, right) = (written(left, atom)?, written(right, atom)?);
            match operator {
                Binary::And => format!("({left} & {right})"),
                Binary::Or => format!("({left} | {right})"),
                Binary::Implies => format!("({left} -> {right})"),
                Binary::Iff => format!("({left} <-> {right})"),
                Binary::Until => format!("({left} U {right})"),
                Binary::Release => format!("({left} V {right})"),
                // The second releases both: they hold until it comes, if it ever does.
                Binary::WeakUntil => format!("({right} V ({left} | {right}))"),
                Binary::StrongRelease => format!("({right} U ({left} & {right}))"),
                Binary::Since => format!("({left} S {right})"),
                Binary::Trigger => format!("({left} T {right})"),
            }
        }
    })
}
