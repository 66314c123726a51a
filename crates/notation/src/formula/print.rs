//! Formulas as text again: in our own spelling, in SPIN's, in NuSMV's.
//!
//! Our own spelling has brackets only where the grouping needs them, or where it is not obvious (`(a U b) U
//! c`); the others have one around every operator inside another, as their precedences differ from ours.
//! Events there are P2's flags (`proc1_a & send & msg_m & proc2_b`), which a model for these tools has to
//! define.

use sequent_kernel::formula::{Atom, Binary, Direction, Formula, FormulaNode, FormulaWord, Pattern, Unary};

use super::{atom, token, vocabulary};
use crate::expression;

/// The spelling of a formula: our own, or another tool's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FormulaNotation {
    /// Our own: [`parse`](super::parse) gives the formula back.
    Sequent,
    /// SPIN's.
    Spin,
    /// NuSMV's.
    NuSmv,
}

/// The formula in our own spelling; [`parse`](super::parse) gives it back.
pub fn print(formula: &Formula) -> String {
    match &formula.node {
        FormulaNode::Constant(value) => value.to_string(),
        FormulaNode::Atom(atom) => own_atom(atom),
        FormulaNode::Unary(operator, part) => {
            let sign = unary(*operator);
            let part = operand(part, PREFIX);
            if *operator == Unary::Not { format!("{sign}{part}") } else { format!("{sign} {part}") }
        }
        FormulaNode::Binary(operator, left, right) => {
            let own = strength(*operator);
            let (left_needs, right_needs) = match operator {
                Binary::Implies => (own + 1, own),
                Binary::And | Binary::Or | Binary::Iff => (own, own + 1),
                Binary::Until
                | Binary::Release
                | Binary::WeakUntil
                | Binary::StrongRelease
                | Binary::Since
                | Binary::Trigger => (PREFIX, PREFIX),
            };
            format!("{} {} {}", operand(left, left_needs), binary(*operator), operand(right, right_needs))
        }
    }
}

/// Operators that a tool lacks are spelt out with a copy of an operand; a text that grows beyond this is of no use.
const LONGEST: usize = 1 << 20;

/// The formula in the spelling of a tool; `None` if the tool cannot say it (SPIN knows no past), or not in a text of
/// reasonable length.
pub fn print_in(formula: &Formula, style: FormulaNotation) -> Option<String> {
    match style {
        FormulaNotation::Sequent => Some(print(formula)),
        FormulaNotation::Spin => abroad(formula, FormulaNotation::Spin),
        FormulaNotation::NuSmv => abroad(formula, FormulaNotation::NuSmv),
    }
}

/// Prefix operators bind more than all others.
const PREFIX: u8 = 5;

/// The formula, in brackets if it binds less than `needed`.
fn operand(formula: &Formula, needed: u8) -> String {
    let own = match &formula.node {
        FormulaNode::Constant(_) | FormulaNode::Atom(_) | FormulaNode::Unary(..) => PREFIX,
        FormulaNode::Binary(operator, ..) => strength(*operator),
    };
    if own < needed { format!("({})", print(formula)) } else { print(formula) }
}

fn strength(operator: Binary) -> u8 {
    match operator {
        Binary::Iff => 0,
        Binary::Implies => 1,
        Binary::Or => 2,
        Binary::And => 3,
        Binary::Until
        | Binary::Release
        | Binary::WeakUntil
        | Binary::StrongRelease
        | Binary::Since
        | Binary::Trigger => 4,
    }
}

fn unary(operator: Unary) -> &'static str {
    match operator {
        Unary::Not => "!",
        Unary::Next => "X",
        Unary::Finally => "F",
        Unary::Globally => "G",
        Unary::Previous => "Y",
        Unary::WeakPrevious => "Z",
        Unary::Once => "O",
        Unary::Historically => "H",
    }
}

fn binary(operator: Binary) -> &'static str {
    match operator {
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Implies => "->",
        Binary::Iff => "<->",
        Binary::Until => "U",
        Binary::Release => "R",
        Binary::WeakUntil => "W",
        Binary::StrongRelease => "M",
        Binary::Since => "S",
        Binary::Trigger => "T",
    }
}

fn own_atom(atom: &Atom) -> String {
    match atom {
        Atom::Event(pattern) => own_pattern(pattern),
        Atom::Exactly(word) => quoted(&word.text),
        Atom::Name(word) if is_plain(&word.text) => word.text.clone(),
        Atom::Name(word) => quoted(&word.text),
        Atom::In(object, state) => format!("in({}, {})", argument(object), argument(state)),
        Atom::Data(expression) => expression::print(expression),
        Atom::Start => "start".to_owned(),
        Atom::End => "end".to_owned(),
    }
}

fn own_pattern(pattern: &Pattern) -> String {
    let Pattern { direction, message, from, to, actor, partner } = pattern;
    let function = match direction {
        Some(Direction::Sent) => "sent",
        Some(Direction::Received) => "received",
        None => "event",
    };
    let named = [("from", from), ("to", to), ("actor", actor), ("partner", partner)];
    let named =
        named.into_iter().filter_map(|(key, word)| Some(format!("{key}={}", argument(word.as_ref()?))));
    let arguments: Vec<String> = message.as_ref().map(argument).into_iter().chain(named).collect();
    format!("{function}({})", arguments.join(", "))
}

/// A name inside brackets, bare if it is a plain one.
fn argument(word: &FormulaWord) -> String {
    let is_bare = |character: char| character.is_alphanumeric() || "_.-".contains(character);
    if !word.text.is_empty() && word.text.chars().all(is_bare) {
        word.text.clone()
    } else {
        quoted(&word.text)
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// Whether a name can stand bare: a word that means nothing else.
fn is_plain(text: &str) -> bool {
    const TAKEN: &[&str] = &["start", "end", "send", "receive", "sent", "received", "event", "in", "LTLSPEC"];
    let is_name = |part: &str| {
        part.starts_with(expression::is_name_start) && part.chars().all(expression::is_name_part)
    };
    let is_operator =
        token::prefix(text).is_some() || token::infix(text).is_some() || vocabulary::is_word(text);
    let is_constant = ["true", "false"].iter().any(|value| value.eq_ignore_ascii_case(text));
    let is_flag = ["proc1_", "proc2_", "msg_"].iter().any(|flag| text.starts_with(flag));
    let is_taken =
        TAKEN.iter().any(|word| word.eq_ignore_ascii_case(text)) || token::prefixes(text).is_some();
    text.split('.').all(is_name) && !is_operator && !is_constant && !is_flag && !is_taken
}

/// The formula for another tool, with brackets around everything that is made of two parts.
fn abroad(formula: &Formula, style: FormulaNotation) -> Option<String> {
    let spin = style == FormulaNotation::Spin;
    let text = match &formula.node {
        FormulaNode::Constant(value) if spin => value.to_string(),
        FormulaNode::Constant(value) => value.to_string().to_uppercase(),
        FormulaNode::Atom(atom) => foreign_atom(atom, style),
        FormulaNode::Unary(operator, part) => {
            let part = abroad(part, style)?;
            match operator {
                Unary::Not => format!("!{part}"),
                Unary::Finally if spin => format!("<> {part}"),
                Unary::Globally if spin => format!("[] {part}"),
                Unary::Next | Unary::Finally | Unary::Globally => format!("{} {part}", unary(*operator)),
                Unary::Previous | Unary::WeakPrevious | Unary::Once | Unary::Historically if spin => {
                    return None;
                }
                Unary::Previous | Unary::WeakPrevious | Unary::Once | Unary::Historically => {
                    format!("{} {part}", unary(*operator))
                }
            }
        }
        FormulaNode::Binary(operator, left, right) => {
            let (left, right) = (abroad(left, style)?, abroad(right, style)?);
            let (and, or) = if spin { ("&&", "||") } else { ("&", "|") };
            match operator {
                Binary::And => format!("({left} {and} {right})"),
                Binary::Or => format!("({left} {or} {right})"),
                Binary::Implies | Binary::Iff | Binary::Until => {
                    format!("({left} {} {right})", binary(*operator))
                }
                Binary::Release => format!("({left} V {right})"),
                Binary::WeakUntil if spin => format!("({left} W {right})"),
                Binary::WeakUntil => format!("({right} V ({left} {or} {right}))"),
                Binary::StrongRelease => format!("({right} U ({left} {and} {right}))"),
                Binary::Since | Binary::Trigger if spin => return None,
                Binary::Since | Binary::Trigger => format!("({left} {} {right})", binary(*operator)),
            }
        }
    };
    (text.len() <= LONGEST).then_some(text)
}

fn foreign_atom(atom: &Atom, style: FormulaNotation) -> String {
    match atom {
        Atom::Event(pattern) => flags(pattern, style),
        Atom::Exactly(word) => match atom::pattern_of(word) {
            Some(pattern) => flags(&pattern, style),
            None => identifier(&word.text),
        },
        Atom::Name(word) => identifier(&word.text),
        Atom::In(object, state) => format!("in_{}_{}", identifier(&object.text), identifier(&state.text)),
        Atom::Data(expression) if style == FormulaNotation::NuSmv => {
            format!("({})", expression::print(expression).replace("==", "=").replace('%', "mod"))
        }
        Atom::Data(expression) => format!("({})", expression::print(expression)),
        Atom::Start => "start".to_owned(),
        Atom::End => "end".to_owned(),
    }
}

/// An event by P2's flags: actor, direction, message, partner.
fn flags(pattern: &Pattern, style: FormulaNotation) -> String {
    let (and, or) = if style == FormulaNotation::Spin { ("&&", "||") } else { ("&", "|") };
    let one = |direction: Direction| {
        let Pattern { message, from, to, actor, partner, .. } = pattern;
        let (word, own, other) = match direction {
            Direction::Sent => ("send", from, to),
            Direction::Received => ("receive", to, from),
        };
        let flag = |prefix: &str, word: &Option<FormulaWord>| {
            word.as_ref().map(|word| format!("{prefix}{}", identifier(&word.text)))
        };
        let actors = [flag("proc1_", own), flag("proc1_", actor)];
        let others = [flag("msg_", message), flag("proc2_", other), flag("proc2_", partner)];
        let all = actors.into_iter().flatten().chain([word.to_owned()]).chain(others.into_iter().flatten());
        format!("({})", all.collect::<Vec<_>>().join(&format!(" {and} ")))
    };
    match pattern.direction {
        Some(direction) => one(direction),
        None => format!("({} {or} {})", one(Direction::Sent), one(Direction::Received)),
    }
}

/// A name with `_` for everything that no identifier has.
fn identifier(text: &str) -> String {
    let fit = |character: char| if character.is_ascii_alphanumeric() { character } else { '_' };
    text.chars().map(fit).collect()
}
