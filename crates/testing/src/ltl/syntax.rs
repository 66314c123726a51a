//! Formulas in tests: a small reader, and a printer for messages. `p q r` are events, `s t u` are true or false in states.

use sequent_kernel::formula::{Atom, Binary, Formula, FormulaNode, FormulaWord, Pattern, Unary};
use sequent_kernel::id::Id;
use sequent_kernel::source::{FileId, Place, Span};

/// A place that says nothing.
pub fn place() -> Place {
    Place(Span::new(FileId::from_index(0), 0, 0))
}

/// A word that stands nowhere.
pub fn word(text: &str) -> FormulaWord {
    FormulaWord { text: text.to_owned(), place: place() }
}

/// An operator with one operand.
pub fn unary(operator: Unary, part: Formula) -> Formula {
    Formula { node: FormulaNode::Unary(operator, Box::new(part)), place: place() }
}

/// An operator with two operands.
pub fn binary(operator: Binary, left: Formula, right: Formula) -> Formula {
    Formula { node: FormulaNode::Binary(operator, Box::new(left), Box::new(right)), place: place() }
}

/// Events are called by one of the first letters, states by one of the last; a number may follow.
pub fn atom(name: &str) -> Formula {
    let node = match name {
        "true" => FormulaNode::Constant(true),
        "false" => FormulaNode::Constant(false),
        "start" => FormulaNode::Atom(Atom::Start),
        "end" => FormulaNode::Atom(Atom::End),
        name if name.starts_with(['p', 'q', 'r']) => {
            FormulaNode::Atom(Atom::Event(Pattern { message: Some(word(name)), ..Pattern::default() }))
        }
        name => FormulaNode::Atom(Atom::Name(word(name))),
    };
    Formula { node, place: place() }
}

const UNARY: [(&str, Unary); 8] = [
    ("!", Unary::Not),
    ("X", Unary::Next),
    ("F", Unary::Finally),
    ("G", Unary::Globally),
    ("Y", Unary::Previous),
    ("Z", Unary::WeakPrevious),
    ("O", Unary::Once),
    ("H", Unary::Historically),
];

/// Weakest first; all bind to the right.
const BINARY: [(&str, Binary); 10] = [
    ("<->", Binary::Iff),
    ("->", Binary::Implies),
    ("|", Binary::Or),
    ("&", Binary::And),
    ("U", Binary::Until),
    ("R", Binary::Release),
    ("W", Binary::WeakUntil),
    ("M", Binary::StrongRelease),
    ("S", Binary::Since),
    ("T", Binary::Trigger),
];

/// The formula of a text.
pub fn formula(text: &str) -> Formula {
    let spaced = ["(", ")", "!", "<->"]
        .iter()
        .fold(text.to_owned(), |text, sign| text.replace(sign, &format!(" {sign} ")));
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut words = words.as_slice();
    let formula = read(&mut words, 0);
    assert!(words.is_empty(), "{text}: {words:?} is left");
    formula
}

fn read(words: &mut &[&str], level: usize) -> Formula {
    let Some((sign, operator)) = BINARY.get(level) else { return read_unary(words) };
    let left = read(words, level + 1);
    if words.first() == Some(sign) {
        *words = &words[1..];
        return binary(*operator, left, read(words, level));
    }
    left
}

fn read_unary(words: &mut &[&str]) -> Formula {
    let (first, rest) = words.split_first().expect("a formula");
    *words = rest;
    if *first == "(" {
        let inner = read(words, 0);
        assert_eq!(words.first(), Some(&")"));
        *words = &words[1..];
        return inner;
    }
    match UNARY.iter().find(|(sign, _)| sign == first) {
        Some((_, operator)) => unary(*operator, read_unary(words)),
        None => atom(first),
    }
}

/// The text of a formula.
pub fn text(formula: &Formula) -> String {
    match &formula.node {
        FormulaNode::Constant(value) => value.to_string(),
        FormulaNode::Atom(Atom::Event(pattern)) => pattern.message.as_ref().expect("a message").text.clone(),
        FormulaNode::Atom(Atom::Name(word) | Atom::Exactly(word)) => word.text.clone(),
        FormulaNode::Atom(Atom::Start) => "start".to_owned(),
        FormulaNode::Atom(Atom::End) => "end".to_owned(),
        FormulaNode::Atom(Atom::In(..) | Atom::Data(_)) => "?".to_owned(),
        FormulaNode::Unary(operator, part) => {
            let (sign, _) =
                UNARY.iter().find(|(_, other)| other == operator).expect("it stands in the table");
            format!("{sign} {}", text(part))
        }
        FormulaNode::Binary(operator, left, right) => {
            let (sign, _) =
                BINARY.iter().find(|(_, other)| other == operator).expect("it stands in the table");
            format!("({} {sign} {})", text(left), text(right))
        }
    }
}
