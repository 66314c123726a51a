//! What is wrong with a formula wherever it stands, in words that help.

use std::ops::Range;

use super::FormulaProblem;

/// There is no formula at all.
pub(super) fn empty(text: &str) -> FormulaProblem {
    FormulaProblem::new(0..text.len(), "the formula is empty")
        .hint("such as `G (sent(order) -> F received(receipt))`, or `never sent(pay) after received(refund)`")
}

/// A bracket without its other one.
pub(super) fn never_closed(open: usize) -> FormulaProblem {
    FormulaProblem::new(open..open + 1, "`(` is never closed").hint("put a `)` where its content ends")
}

/// A closing bracket too many.
pub(super) fn closes_nothing(range: Range<usize>) -> FormulaProblem {
    FormulaProblem::new(range, "`)` closes nothing").hint("remove it, or open a bracket before")
}

/// Deeper or larger than any formula a person could read.
pub(super) fn too_deep(range: Range<usize>) -> FormulaProblem {
    FormulaProblem::new(range, "the formula is too large, or nested too deeply")
        .hint("split it into several checks")
}

/// Operators of branching time.
pub(super) fn quantifier(word: &str, range: Range<usize>) -> FormulaProblem {
    let problem =
        FormulaProblem::new(range, format!("`{word}` speaks of paths, and there are no path quantifiers"));
    let every = "a formula must hold in every run anyway";
    let contrary = |one: &str, other: &str| {
        format!("`{one} p` says that some run does it: write `{other} !p` with `@expect fails`")
    };
    problem.hint(match word {
        "EF" | "E" => contrary("EF", "G"),
        "EG" => contrary("EG", "F"),
        "EX" => contrary("EX", "X"),
        "A" => format!("{every}: leave the `A` out"),
        other => format!("{every}: write `{}`", &other[1..]),
    })
}

/// `F[0,5]`, `G<5`: bounds on an operator.
pub(super) fn bounded(range: Range<usize>) -> FormulaProblem {
    FormulaProblem::new(range, "operators have no bounds: a formula counts neither steps nor time")
        .hint("write `X X p` for two steps; say by an event how long: `never p before sent(x)`")
}

/// An arrow of another language.
pub(super) fn arrow(range: Range<usize>, written: &str, meant: &str) -> FormulaProblem {
    FormulaProblem::new(range, format!("`{written}` is not an operator of formulas"))
        .hint(format!("write `{meant}`"))
}

/// A comment.
pub(super) fn comment(range: Range<usize>) -> FormulaProblem {
    FormulaProblem::new(range, "a formula has no comments").hint("write it on a line of its own")
}

/// `=` where `->` or `<->` was meant.
pub(super) fn compared(sign: &str, range: Range<usize>) -> FormulaProblem {
    FormulaProblem::new(range, format!("`{sign}` compares values, and a formula is none"))
        .hint("write `->` for \"implies\", `<->` for \"if and only if\"")
}
