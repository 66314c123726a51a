//! Formulas as text: temporal logic in the spellings of SPIN, NuSMV, papers and plain words.
//!
//! [`parse`] reads a formula, [`goal`] one about a single moment, [`print()`] writes one. From tight to loose: prefix operators, the binary temporal operators
//! (`U R W M S T`, to the right), `&`, `xor`, `|`, `->` (to the right), `<->`. What an atom may look like stands in
//! `atom`, the patterns in words (`never A after B`) in `words`; docs/formulas.md has it all for users.
//!
//! A single capital letter is an operator wherever an operator can stand; a message or guard of that name is written in
//! quotes. Hostile inputs end in a diagnostic: length, nesting and the size of the result are bounded.

mod atom;
mod complaint;
mod expected;
mod grammar;
mod maker;
mod parser;
mod print;
#[cfg(test)]
mod tests;
mod token;
mod value;
mod vocabulary;
mod words;

pub use print::{FormulaNotation, print, print_in};

use std::ops::Range;

use sequent_kernel::diagnostic::{Code, Diagnostic, Remedy};
use sequent_kernel::formula::{Atom, Binary, Formula, FormulaNode, Unary};
use sequent_kernel::source::{Place, Span};

/// The words that formulas are made of, to be proposed where one is written.
pub const WORDS: &[&str] = &[
    "sent(",
    "received(",
    "event(",
    "in(",
    "start",
    "end",
    "G",
    "F",
    "X",
    "U",
    "never",
    "always",
    "happens",
    "precedes",
    "responds to",
    "leads to",
    "before",
    "after",
    "between",
];

/// Longer texts are no formulas.
const LONGEST: usize = 50_000;

/// Reads a formula. `span` is where the text stands, so that every part knows its place; if the text was changed on its way
/// here (escapes in a settings file), everything stands at `span` as a whole.
pub fn parse(text: &str, span: Span) -> Result<Formula, Diagnostic> {
    let origin = TextOrigin { span, is_exact: span.range().len() == text.len() };
    read(text, origin).map_err(|problem| {
        let FormulaProblem { range, message, hint, remedy } = problem;
        let diagnostic =
            Diagnostic { remedy, ..Diagnostic::new(Code::BadFormula, origin.place(range).0, message) };
        match hint {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        }
    })
}

/// Reads a goal: a formula about one moment, over states and values.
pub fn goal(text: &str, span: Span) -> Result<Formula, Diagnostic> {
    let formula = parse(text, span)?;
    let mut open = vec![&formula];
    while let Some(part) = open.pop() {
        let problem = match &part.node {
            FormulaNode::Constant(_) | FormulaNode::Unary(Unary::Not, _) => None,
            FormulaNode::Binary(Binary::And | Binary::Or | Binary::Implies | Binary::Iff, ..) => None,
            FormulaNode::Unary(..) | FormulaNode::Binary(..) => {
                Some("a goal is about one moment: no operator of time fits here")
            }
            FormulaNode::Atom(Atom::In(..) | Atom::Data(_) | Atom::Name(_)) => None,
            FormulaNode::Atom(Atom::Event(_) | Atom::Exactly(_) | Atom::Start | Atom::End) => {
                Some("a goal is about states and values, not about events")
            }
        };
        if let Some(problem) = problem {
            let hint = "such as `atm.Idle & bank.tries = 2`; what happens on the way is asked by `@ltl`";
            return Err(Diagnostic::new(Code::BadFormula, part.place.0, problem).hint(hint));
        }
        open.extend(part.parts());
    }
    Ok(formula)
}

fn read(text: &str, origin: TextOrigin) -> Result<Formula, FormulaProblem> {
    if text.len() > LONGEST {
        let message = format!("the formula is longer than {LONGEST} characters");
        return Err(FormulaProblem::new(0..text.len(), message));
    }
    let tokens = token::tokens(body(text))?;
    grammar::whole(text, &tokens, origin)
}

/// The text without what NuSMV puts at the end.
fn body(text: &str) -> &str {
    let text = text.trim_end();
    text.strip_suffix(';').unwrap_or(text)
}

/// Where a text stands.
#[derive(Clone, Copy)]
struct TextOrigin {
    span: Span,
    /// Whether the text is the bytes of the span.
    is_exact: bool,
}

impl TextOrigin {
    fn place(self, range: Range<usize>) -> Place {
        if !self.is_exact {
            return Place(self.span);
        }
        let start = self.span.start as usize;
        Place(Span::new(self.span.file, start + range.start, start + range.end))
    }
}

/// Why a text is no formula, and at which of its bytes.
#[derive(Debug)]
struct FormulaProblem {
    range: Range<usize>,
    message: String,
    hint: Option<String>,
    remedy: Option<Box<Remedy>>,
}

impl FormulaProblem {
    fn new(range: Range<usize>, message: impl Into<String>) -> Self {
        FormulaProblem { range, message: message.into(), hint: None, remedy: None }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with what its place is meant to read.
    fn replace(mut self, text: impl Into<String>) -> Self {
        self.remedy = Some(Box::new(Remedy::Replace(text.into())));
        self
    }

    /// The same with the question whether a word is meant to be another.
    fn meant(mut self, wrong: &str, right: &str) -> Self {
        self.remedy = Some(Box::new(Remedy::Respell(wrong.to_owned(), right.to_owned())));
        self.hint(format!("did you mean `{right}`?"))
    }
}
