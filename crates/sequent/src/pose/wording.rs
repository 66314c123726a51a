//! The subformulas of a formula, as its author wrote them.
//!
//! Patterns in words, `xor` and the like become trees with subformulas that are not in the text. A subformula
//! has a wording if the text at its place, parsed alone, is that subformula; explanations name no other.

use std::collections::BTreeMap;

use sequent_kernel::formula::{Formula, FormulaNode};
use sequent_kernel::id::Id;
use sequent_kernel::model::Property;
use sequent_kernel::property::ltl::PartId;
use sequent_kernel::source::Span;
use sequent_notation::formula::{parse, print};

/// What the author wrote for each part.
pub(crate) struct QueryWording {
    /// The formula, with places in its own text.
    formula: Formula,
    /// The words of the parts that have some, operands before operators, as they are numbered where it is bound.
    texts: Vec<Option<String>>,
}

impl QueryWording {
    /// The words of a property.
    pub(crate) fn of(property: &Property) -> Self {
        let text = &property.text;
        let file = property.formula.place.0.file;
        let read = |text: &str| parse(text, Span::new(file, 0, text.len())).ok();
        let formula = read(text).filter(|formula| *formula == *property.formula);
        let formula = formula.unwrap_or_else(|| (*property.formula).clone());
        let mut known: BTreeMap<(u32, u32), Option<Formula>> = BTreeMap::new();
        let mut words = |part: &Formula| {
            let span = part.place.0;
            let own = text.get(span.range()).unwrap_or_default();
            let alone = known.entry((span.start, span.end)).or_insert_with(|| read(own));
            match &part.node {
                _ if alone.as_ref() == Some(part) => Some(bare(own).to_owned()),
                // The name in `name = false`.
                FormulaNode::Atom(_) => Some(print(part)),
                FormulaNode::Constant(_) | FormulaNode::Unary(..) | FormulaNode::Binary(..) => None,
            }
        };
        let texts = parts(&formula).into_iter().map(&mut words).collect();
        QueryWording { formula, texts }
    }

    /// The formula.
    pub(crate) fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The words of a part, if the author gave it some.
    pub(crate) fn text(&self, part: PartId) -> Option<&str> {
        self.texts[part.index()].as_deref()
    }

    /// Whether a part of the formula has no words of its own.
    pub(crate) fn is_made(&self, part: &Formula) -> bool {
        self.own(part).is_none()
    }

    /// The words of a part of the formula.
    fn own(&self, part: &Formula) -> Option<&str> {
        let at = parts(&self.formula).iter().position(|one| std::ptr::eq(*one, part))?;
        self.texts[at].as_deref()
    }

    /// The largest parts of a part that have words, quoted, in order.
    pub(crate) fn operands(&self, part: &Formula) -> Vec<String> {
        if let Some(text) = self.own(part) {
            return vec![format!("`{text}`")];
        }
        part.parts().into_iter().flat_map(|part| self.operands(part)).collect()
    }
}

/// A text without the brackets around it.
fn bare(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let is_one = |inner: &&str| {
        let mut depth = 0_i32;
        inner.chars().all(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth >= 0
        })
    };
    inner.filter(is_one).unwrap_or(text)
}

/// The parts of a formula, operands before operators.
fn parts(formula: &Formula) -> Vec<&Formula> {
    let mut parts = Vec::new();
    let mut open = vec![(formula, false)];
    while let Some((formula, is_ready)) = open.pop() {
        if is_ready {
            parts.push(formula);
            continue;
        }
        open.push((formula, true));
        open.extend(formula.parts().into_iter().rev().map(|part| (part, false)));
    }
    parts
}

#[cfg(test)]
mod tests {
    use sequent_kernel::source::Sources;

    use super::*;

    /// The parts that have words, each once.
    fn words(text: &str) -> Vec<String> {
        let file = Sources::new().add("x", "");
        let formula = Box::new(parse(text, Span::new(file, 7, 8)).expect("a formula"));
        let wording = QueryWording::of(&Property { text: text.to_owned(), formula });
        let mut words: Vec<String> = wording.texts.into_iter().flatten().collect();
        words.sort();
        words.dedup();
        words
    }

    #[test]
    fn only_what_was_written_has_words() {
        let text = "sent(a), !sent(b) precede (x | y)";
        assert_eq!(words(text), ["!sent(b)", "sent(a)", text, "sent(b)", "x", "x | y", "y"]);
        assert_eq!(words("F (a xor b)"), ["F (a xor b)", "a", "a xor b", "b"]);
        assert_eq!(words("GF x = false"), ["GF x = false", "x", "x = false"]);
        assert_eq!(
            words("h -> (never a after b)"),
            ["a", "b", "h", "h -> (never a after b)", "never a after b"]
        );
    }
}
