//! Formulas: linear temporal logic over who sends what to whom (DESIGN section 6).
//!
//! A formula is read along a run. Position 0 is the start, where no event happens; then there is one position per event,
//! with the state after it; after the end of a finite run the last state repeats, without event, forever. The past
//! operators look back as far as position 0.
//!
//! This is what the user wrote, as a tree with places; names are not looked up yet.

use std::collections::BTreeSet;

use crate::expression::Expression;
use crate::source::Place;

/// A formula, or a part of one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Formula {
    /// What it says.
    pub node: FormulaNode,
    /// Where it stands.
    pub place: Place,
}

/// What a formula says.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FormulaNode {
    /// True or false.
    Constant(bool),
    /// Something that holds at a position or not.
    Atom(Atom),
    /// An operator with one operand.
    Unary(Unary, Box<Formula>),
    /// An operator with two operands.
    Binary(Binary, Box<Formula>, Box<Formula>),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unary {
    /// `!`
    Not,
    /// `X`: at the next position.
    Next,
    /// `F`: now or later.
    Finally,
    /// `G`: now and always after.
    Globally,
    /// `Y`: at the position before; false at the start.
    Previous,
    /// `Z`: at the position before; true at the start.
    WeakPrevious,
    /// `O`: now or before.
    Once,
    /// `H`: now and always before.
    Historically,
}

impl Unary {
    /// All of them.
    pub const ALL: [Unary; 8] = [
        Unary::Not,
        Unary::Next,
        Unary::Finally,
        Unary::Globally,
        Unary::Previous,
        Unary::WeakPrevious,
        Unary::Once,
        Unary::Historically,
    ];
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Binary {
    /// `&`
    And,
    /// `|`
    Or,
    /// `->`
    Implies,
    /// `<->`
    Iff,
    /// `U`: the second comes, and the first holds until then.
    Until,
    /// `R`: the second holds up to and including where the first does, or forever.
    Release,
    /// `W`: as until, but the second need not come.
    WeakUntil,
    /// `M`: as release, but the first must come.
    StrongRelease,
    /// `S`: the second was, and the first has held since.
    Since,
    /// `T`: the second has held since and including where the first did, or always.
    Trigger,
}

impl Binary {
    /// All of them.
    pub const ALL: [Binary; 10] = [
        Binary::And,
        Binary::Or,
        Binary::Implies,
        Binary::Iff,
        Binary::Until,
        Binary::Release,
        Binary::WeakUntil,
        Binary::StrongRelease,
        Binary::Since,
        Binary::Trigger,
    ];
}

/// Something that holds at a position or not.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// The event of this position is one of these.
    Event(Pattern),
    /// The event of this position has exactly this text (`!a->b:m`; `!a->b:m#2` where occurrences are
    /// numbered).
    Exactly(FormulaWord),
    /// A guard proposition, by its text, or an attribute that is true or false.
    Name(FormulaWord),
    /// An object is in a state.
    In(FormulaWord, FormulaWord),
    /// A comparison of attributes.
    Data(Expression),
    /// Position 0.
    Start,
    /// The run is over, as it should be: every position after the last event of a finite run that did not get stuck.
    End,
}

/// A word of a formula and where it stands.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FormulaWord {
    /// The word.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

/// Events by any of their parts: what is left out matches everything. At positions without event nothing matches.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Pattern {
    /// Only sends, or only receipts. A rendezvous is both.
    pub direction: Option<Direction>,
    /// The message; without arguments it matches any.
    pub message: Option<FormulaWord>,
    /// The sender.
    pub from: Option<FormulaWord>,
    /// The receiver.
    pub to: Option<FormulaWord>,
    /// The lifeline of the event: the sender of a send, the receiver of a receipt (P2's `proc1`).
    pub actor: Option<FormulaWord>,
    /// The lifeline at the other end (P2's `proc2`).
    pub partner: Option<FormulaWord>,
}

/// Sending or receiving.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// A message is sent.
    Sent,
    /// A message is received.
    Received,
}

impl Formula {
    /// The formulas it is made of, directly.
    pub fn parts(&self) -> Vec<&Formula> {
        match &self.node {
            FormulaNode::Constant(_) | FormulaNode::Atom(_) => Vec::new(),
            FormulaNode::Unary(_, part) => vec![part],
            FormulaNode::Binary(_, left, right) => vec![left, right],
        }
    }

    /// What it is made of, without the operators.
    fn atoms(&self) -> Vec<&Atom> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(formula) = open.pop() {
            if let FormulaNode::Atom(atom) = &formula.node {
                found.push(atom);
            }
            open.extend(formula.parts());
        }
        found
    }

    /// The words of it that are neither events nor operators: propositions.
    pub fn names(&self) -> BTreeSet<String> {
        let name = |atom: &Atom| match atom {
            Atom::Name(word) => Some(word.text.clone()),
            Atom::Event(_) | Atom::Exactly(_) | Atom::In(..) | Atom::Data(_) | Atom::Start | Atom::End => {
                None
            }
        };
        self.atoms().into_iter().filter_map(name).collect()
    }

    /// The objects and lifelines that it names; of `atm.amount` that is `atm`.
    pub fn elements(&self) -> Vec<&str> {
        self.atoms().into_iter().flat_map(Atom::elements).collect()
    }

    /// The formulas of which it is the conjunction, in order; itself if it is none.
    pub fn conjuncts(&self) -> Vec<&Formula> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(formula) = open.pop() {
            match &formula.node {
                FormulaNode::Binary(Binary::And, left, right) => open.extend([right.as_ref(), left.as_ref()]),
                FormulaNode::Constant(_)
                | FormulaNode::Atom(_)
                | FormulaNode::Unary(..)
                | FormulaNode::Binary(..) => found.push(formula),
            }
        }
        found
    }
}

impl Atom {
    fn elements(&self) -> Vec<&str> {
        match self {
            Atom::Event(Pattern { from, to, actor, partner, .. }) => {
                [from, to, actor, partner].into_iter().flatten().map(|word| word.text.as_str()).collect()
            }
            Atom::Name(word) => word.text.split('.').take(1).collect(),
            Atom::In(object, _) => vec![object.text.as_str()],
            Atom::Data(expression) => expression.elements(),
            Atom::Exactly(_) | Atom::Start | Atom::End => Vec::new(),
        }
    }
}

/// Whether a message is the one that is asked for. Arguments that are not given are any (rule M4): `pay` asks for any
/// `pay(..)`, `pay(3)` for those whose first argument is 3, `pay(to=bank)` for those with that one. Spaces do not count where
/// they only separate. A name that is a whole label may hold brackets; it is read as what is asked is.
pub fn is_message_asked(asked: &str, name: &str, arguments: Option<&[String]>) -> bool {
    let ((asked, wanted), (name, mut given)) = (halves(asked), halves(name));
    let bare = |text: &String| text.split_whitespace().collect::<String>();
    given.extend(arguments.into_iter().flatten().map(bare));
    let value = |argument: &str| argument.split_once('=').map_or(argument, |(_, value)| value).to_owned();
    let is_given = |(at, argument): (usize, &String)| match argument.contains('=') {
        true => given.contains(argument),
        false => given.get(at).is_some_and(|given| value(given) == *argument),
    };
    asked == name && wanted.iter().enumerate().all(is_given)
}

/// The name of a message with single spaces, and its arguments without any.
fn halves(text: &str) -> (String, Vec<String>) {
    let (name, arguments) = text.split_at(text.find('(').unwrap_or(text.len()));
    let name: Vec<&str> = name.split_whitespace().collect();
    let inner = arguments.trim().strip_prefix('(').map(|inner| inner.strip_suffix(')').unwrap_or(inner));
    let mut depth = 0_usize;
    let mut all: Vec<String> = Vec::new();
    for character in inner.unwrap_or_default().chars().filter(|character| !character.is_whitespace()) {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if character == ',' && depth == 0 {
            all.push(String::new());
            continue;
        }
        if all.is_empty() {
            all.push(String::new());
        }
        all.last_mut().expect("there is one").push(character);
    }
    (name.join(" "), all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_match_with_the_arguments_that_are_given() {
        let is_asked = |asked: &str, name: &str, arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(|text| (*text).to_owned()).collect();
            is_message_asked(asked, name, Some(&arguments))
        };
        assert!(is_asked("pay", "pay", &["3"]));
        assert!(is_asked("pay ( 3 )", "pay", &["3"]));
        assert!(is_asked("pay(3)", "pay", &["3", "bank"]));
        assert!(is_asked("pay(to=bank)", "pay", &["amount=3", "to = bank"]));
        assert!(is_asked("pay(3)", "pay", &["amount=3", "to=bank"]));
        assert!(is_message_asked("insert  card", "insert card", None));
        assert!(is_message_asked("HTTP(S) call", "HTTP(S) call", None));
        assert!(!is_message_asked("pay(3)", "pay", None));
        assert!(!is_asked("pay(3)", "pay", &["4"]));
        assert!(!is_asked("pay(to=bank)", "pay", &["from=bank"]));
        assert!(!is_asked("pay", "payment", &[]));
    }
}
