//! The words and signs of a formula.
//!
//! Formulas are pasted from SPIN, from NuSMV, from papers, so every operator has many spellings; one table holds them all.
//! A word with a bracket behind it is a function, unless it is an operator. Its arguments are not cut into tokens here:
//! names of messages may hold nearly anything, and [`atom`](super::atom) reads them in their own way.

use std::ops::Range;

use sequent_kernel::formula::{Binary, Unary};

use super::{FormulaProblem, complaint};
use crate::expression::{is_name_part, is_name_start};

/// One token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum FormulaToken {
    /// A word, dots included.
    Word(String),
    /// A word and the text between the brackets behind it.
    Call(String, Range<usize>),
    /// A text in quotes, without them.
    Text(String),
    /// A whole number.
    Number,
    /// A sign.
    Sign(Sign),
}

/// A sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    Open,
    Close,
    Comma,
    /// A prefix operator.
    Unary(Unary),
    /// An infix operator.
    Infix(Infix),
    /// `<>`: eventually before an operand, unequal behind one.
    Diamond,
    /// `=`, `<`, `!=`: compares values.
    Comparison,
    /// `+`, `*`: calculates.
    Arithmetic,
    /// `-`: calculates, and stands in names.
    Minus,
}

/// An infix operator as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Infix {
    /// One of the tree's operators.
    Plain(Binary),
    /// Exclusive or: the tree says it by `<->` and `!`.
    Xor,
}

/// Signs, longer ones before their prefixes.
const SIGNS: &[(&str, Sign)] = {
    use Sign::*;
    const AND: Sign = Infix(self::Infix::Plain(Binary::And));
    const OR: Sign = Infix(self::Infix::Plain(Binary::Or));
    const IMPLIES: Sign = Infix(self::Infix::Plain(Binary::Implies));
    const IFF: Sign = Infix(self::Infix::Plain(Binary::Iff));
    const NOT: Sign = Unary(self::Unary::Not);
    const ALWAYS: Sign = Unary(self::Unary::Globally);
    const SOMETIME: Sign = Unary(self::Unary::Finally);
    const NEXT: Sign = Unary(self::Unary::Next);
    &[
        ("<->", IFF),
        ("<=>", IFF),
        ("->", IMPLIES),
        ("=>", IMPLIES),
        ("/\\", AND),
        ("\\/", OR),
        ("&&", AND),
        ("||", OR),
        ("[]", ALWAYS),
        ("<>", Diamond),
        ("!=", Comparison),
        ("==", Comparison),
        ("<=", Comparison),
        (">=", Comparison),
        ("=", Comparison),
        ("<", Comparison),
        (">", Comparison),
        ("&", AND),
        ("|", OR),
        ("!", NOT),
        ("~", NOT),
        ("(", Open),
        (")", Close),
        (",", Comma),
        ("-", Minus),
        ("+", Arithmetic),
        ("*", Arithmetic),
        ("/", Arithmetic),
        ("%", Arithmetic),
        ("¬", NOT),
        ("∧", AND),
        ("∨", OR),
        ("⊕", Infix(self::Infix::Xor)),
        ("→", IMPLIES),
        ("⇒", IMPLIES),
        ("↔", IFF),
        ("⇔", IFF),
        ("□", ALWAYS),
        ("◻", ALWAYS),
        ("◇", SOMETIME),
        ("◊", SOMETIME),
        ("○", NEXT),
        ("◯", NEXT),
        ("≠", Comparison),
        ("≤", Comparison),
        ("≥", Comparison),
    ]
};

/// Arrows of other languages, and what is meant.
const ARROWS: &[(&str, &str)] = &[
    ("<-->", "<->"),
    ("<==>", "<->"),
    ("-->", "->"),
    ("==>", "->"),
    ("->>", "->"),
    ("|->", "->"),
    ("|=>", "->"),
];

/// Prefix operators that are words: single letters as they stand, longer words in any case.
pub(super) const PREFIXES: &[(&str, Unary)] = &[
    ("X", Unary::Next),
    ("F", Unary::Finally),
    ("G", Unary::Globally),
    ("Y", Unary::Previous),
    ("Z", Unary::WeakPrevious),
    ("O", Unary::Once),
    ("H", Unary::Historically),
    ("not", Unary::Not),
    ("next", Unary::Next),
    ("eventually", Unary::Finally),
    ("finally", Unary::Finally),
    ("always", Unary::Globally),
    ("globally", Unary::Globally),
    ("previously", Unary::Previous),
    ("weakpreviously", Unary::WeakPrevious),
    ("once", Unary::Once),
    ("historically", Unary::Historically),
];

/// Infix operators that are words.
pub(super) const INFIXES: &[(&str, Infix)] = {
    use Infix::{Plain, Xor};
    &[
        ("U", Plain(Binary::Until)),
        ("R", Plain(Binary::Release)),
        ("V", Plain(Binary::Release)),
        ("W", Plain(Binary::WeakUntil)),
        ("M", Plain(Binary::StrongRelease)),
        ("S", Plain(Binary::Since)),
        ("T", Plain(Binary::Trigger)),
        ("and", Plain(Binary::And)),
        ("or", Plain(Binary::Or)),
        ("xor", Xor),
        ("implies", Plain(Binary::Implies)),
        ("iff", Plain(Binary::Iff)),
        ("until", Plain(Binary::Until)),
        ("release", Plain(Binary::Release)),
        ("releases", Plain(Binary::Release)),
        ("weakuntil", Plain(Binary::WeakUntil)),
        ("unless", Plain(Binary::WeakUntil)),
        ("strongrelease", Plain(Binary::StrongRelease)),
        ("since", Plain(Binary::Since)),
        ("trigger", Plain(Binary::Trigger)),
        ("triggers", Plain(Binary::Trigger)),
    ]
};

/// Words of the patterns ([`words`](super::words)), in any case.
pub(super) const PATTERN_WORDS: &[&str] = &[
    "never", "happens", "happen", "precedes", "precede", "responds", "respond", "leads", "lead", "to",
    "before", "after", "between",
];

/// The operator that a word is before an operand.
pub(super) fn prefix(word: &str) -> Option<Unary> {
    PREFIXES.iter().find(|(name, _)| is_spelling(name, word)).map(|(_, operator)| *operator)
}

/// The operator that a word is behind an operand.
pub(super) fn infix(word: &str) -> Option<Infix> {
    INFIXES.iter().find(|(name, _)| is_spelling(name, word)).map(|(_, operator)| *operator)
}

fn is_spelling(name: &str, word: &str) -> bool {
    if name.len() == 1 { name == word } else { name.eq_ignore_ascii_case(word) }
}

/// `GF`, `FG`, `XX`: several operators in one word.
pub(super) fn prefixes(word: &str) -> Option<Vec<Unary>> {
    let letters = word.char_indices().map(|(at, letter)| prefix(&word[at..at + letter.len_utf8()]));
    letters.collect::<Option<Vec<_>>>().filter(|operators| operators.len() > 1)
}

/// Whether a word is an operator about time, as one or more letters or a word.
pub(super) fn is_temporal(word: &str) -> bool {
    let infix = infix(word).is_some_and(|infix| match infix {
        Infix::Xor => false,
        Infix::Plain(operator) => {
            !matches!(operator, Binary::And | Binary::Or | Binary::Implies | Binary::Iff)
        }
    });
    infix || prefixes(word).is_some() || prefix(word).is_some_and(|operator| operator != Unary::Not)
}

/// Whether a bracket behind the word groups, rather than holding arguments.
fn is_operator(word: &str) -> bool {
    let is_pattern = PATTERN_WORDS.iter().any(|known| known.eq_ignore_ascii_case(word));
    prefix(word).is_some()
        || infix(word).is_some()
        || prefixes(word).is_some()
        || is_pattern
        || is_quantified(word)
}

/// Operators of branching time, which users of NuSMV write.
pub(super) fn is_quantified(word: &str) -> bool {
    matches!(word, "AG" | "AF" | "AX" | "EG" | "EF" | "EX" | "A" | "E")
}

/// All tokens, each with the bytes it stands at.
pub(super) fn tokens(text: &str) -> Result<Vec<(FormulaToken, Range<usize>)>, FormulaProblem> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        if next.is_whitespace() {
            at += next.len_utf8();
            continue;
        }
        let (token, end) = token(text, at, next)?;
        tokens.push((token, at..end));
        at = end;
    }
    Ok(tokens)
}

/// The token at `at`, whose first character is `first`, and its end.
fn token(text: &str, at: usize, first: char) -> Result<(FormulaToken, usize), FormulaProblem> {
    let rest = &text[at..];
    if is_name_part(first) {
        return word(text, at);
    }
    if first == '"' || first == '\'' {
        let (quoted, length) = quoted(rest).ok_or_else(|| {
            FormulaProblem::new(at..at + 1, format!("`{first}` opens a text that is never closed"))
                .hint(format!("put another `{first}` at its end"))
        })?;
        return Ok((FormulaToken::Text(quoted), at + length));
    }
    if let Some((arrow, meant)) = ARROWS.iter().find(|(arrow, _)| rest.starts_with(arrow)) {
        return Err(complaint::arrow(at..at + arrow.len(), arrow, meant));
    }
    if rest.starts_with("//") || first == '#' && text[..at].ends_with(char::is_whitespace) {
        return Err(complaint::comment(at..text.len()));
    }
    if is_bound(&text[..at], rest) {
        return Err(complaint::bounded(at..at + 1));
    }
    if let Some((sign, token)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        return Ok((FormulaToken::Sign(*token), at + sign.len()));
    }
    Err(stray(at, first))
}

/// Whether brackets with a number stand behind an operator about time.
fn is_bound(before: &str, rest: &str) -> bool {
    let before = before.trim_end();
    let inside = rest.strip_prefix(['[', '{', '^']).unwrap_or_default().trim_start();
    let is_number = inside
        .trim_start_matches(['<', '>', '=', '≤', '≥', ',', ' '])
        .starts_with(|c: char| c.is_ascii_digit());
    let is_sign = ["[]", "<>", "□", "◇", "○"].iter().any(|sign| before.ends_with(sign));
    let word = before
        .rfind(|c: char| !is_name_part(c))
        .map_or(before, |at| before[at..].trim_start_matches(|c: char| !is_name_part(c)));
    is_number && (is_sign || is_temporal(word))
}

/// A character that no formula has.
fn stray(at: usize, character: char) -> FormulaProblem {
    let problem = FormulaProblem::new(
        at..at + character.len_utf8(),
        format!("`{character}` is not a character of formulas"),
    );
    match character {
        '[' | ']' => problem.hint("`[]` is always; use `(` and `)` to group"),
        '{' | '}' => problem.hint("use `(` and `)` to group"),
        '?' => problem.hint("write `received(m)`, or the event's whole text in quotes: \"?a->b:m\""),
        _ => problem.hint("names with other signs than letters, digits, `_` and `.` are written in quotes"),
    }
}

/// A word, a number, or a function with its arguments.
fn word(text: &str, at: usize) -> Result<(FormulaToken, usize), FormulaProblem> {
    let end = at + word_length(&text[at..]);
    let word = &text[at..end];
    if word.chars().all(|character| character.is_ascii_digit()) {
        return Ok((FormulaToken::Number, end));
    }
    let behind = text[end..].trim_start();
    if !behind.starts_with('(') || is_operator(word) {
        return Ok((FormulaToken::Word(word.to_owned()), end));
    }
    let open = text.len() - behind.len();
    let close = closing(text, open).ok_or_else(|| complaint::never_closed(open))?;
    Ok((FormulaToken::Call(word.to_owned(), open + 1..close), close + 1))
}

/// The length of a name with its parts: `atm.amount`.
fn word_length(rest: &str) -> usize {
    let mut end = rest.find(|character| !is_name_part(character)).unwrap_or(rest.len());
    while let Some(more) = rest[end..].strip_prefix('.').filter(|more| more.starts_with(is_name_start)) {
        end += 1 + more.find(|character| !is_name_part(character)).unwrap_or(more.len());
    }
    end
}

/// Where the bracket that opens at `open` closes; brackets in quotes do not count.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = open;
    while let Some(next) = text[at..].chars().next() {
        match next {
            '"' | '\'' => {
                at += quoted(&text[at..])?.1;
                continue;
            }
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
        at += next.len_utf8();
    }
    None
}

/// A text in quotes at the start of `rest`, and its length with the quotes. `\` before a quote or another `\` takes it as
/// it is, `\n` is a line break; before anything else it stands for itself.
pub(super) fn quoted(rest: &str) -> Option<(String, usize)> {
    let mut characters = rest.char_indices();
    let (_, quote) = characters.next()?;
    let mut text = String::new();
    while let Some((at, character)) = characters.next() {
        match character {
            _ if character == quote => return Some((text, at + 1)),
            '\\' => match characters.clone().next() {
                Some((_, next @ ('"' | '\'' | '\\'))) => {
                    text.push(next);
                    characters.next();
                }
                Some((_, 'n')) => {
                    text.push('\n');
                    characters.next();
                }
                Some(_) | None => text.push('\\'),
            },
            _ => text.push(character),
        }
    }
    None
}
