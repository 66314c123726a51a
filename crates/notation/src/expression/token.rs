//! The words and signs of an expression.
//!
//! Users write guards in the language they program in, so every sign has the spellings of C, of OCL and of mathematics.
//! A `->` glued to a name on both sides is C's member access (`radio->enabled`); with space around it, it is implication.

use sequent_kernel::model::BinaryOperator;

/// One token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ExpressionToken {
    /// A name with its parts.
    Name(Vec<String>),
    /// A whole number.
    Int(i64),
    /// A quoted text.
    Text(String),
    /// `true` or `false`.
    Bool(bool),
    /// An infix sign or word.
    Operator(BinaryOperator),
    /// `!`, which binds tightly.
    Bang,
    /// `not`, which binds loosely.
    Not,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `,`
    Comma,
}

/// Signs, longer ones before their prefixes.
const SIGNS: &[(&str, ExpressionToken)] = {
    use BinaryOperator::*;
    &[
        ("&&", ExpressionToken::Operator(And)),
        ("||", ExpressionToken::Operator(Or)),
        ("&", ExpressionToken::Operator(And)),
        ("|", ExpressionToken::Operator(Or)),
        ("->", ExpressionToken::Operator(Implies)),
        ("=>", ExpressionToken::Operator(Implies)),
        ("==", ExpressionToken::Operator(Equal)),
        ("!=", ExpressionToken::Operator(Unequal)),
        ("<>", ExpressionToken::Operator(Unequal)),
        ("<=", ExpressionToken::Operator(LessEqual)),
        (">=", ExpressionToken::Operator(GreaterEqual)),
        ("=", ExpressionToken::Operator(Equal)),
        ("<", ExpressionToken::Operator(Less)),
        (">", ExpressionToken::Operator(Greater)),
        ("+", ExpressionToken::Operator(Plus)),
        ("-", ExpressionToken::Operator(Minus)),
        ("*", ExpressionToken::Operator(Times)),
        ("/", ExpressionToken::Operator(Divide)),
        ("%", ExpressionToken::Operator(Modulo)),
        ("!", ExpressionToken::Bang),
        ("(", ExpressionToken::Open),
        (")", ExpressionToken::Close),
        (",", ExpressionToken::Comma),
        ("∧", ExpressionToken::Operator(And)),
        ("∨", ExpressionToken::Operator(Or)),
        ("→", ExpressionToken::Operator(Implies)),
        ("⇒", ExpressionToken::Operator(Implies)),
        ("≠", ExpressionToken::Operator(Unequal)),
        ("≤", ExpressionToken::Operator(LessEqual)),
        ("≥", ExpressionToken::Operator(GreaterEqual)),
        ("¬", ExpressionToken::Bang),
    ]
};

/// Words that are no names, in any case.
const WORDS: &[(&str, ExpressionToken)] = &[
    ("and", ExpressionToken::Operator(BinaryOperator::And)),
    ("or", ExpressionToken::Operator(BinaryOperator::Or)),
    ("implies", ExpressionToken::Operator(BinaryOperator::Implies)),
    ("mod", ExpressionToken::Operator(BinaryOperator::Modulo)),
    ("not", ExpressionToken::Not),
    ("true", ExpressionToken::Bool(true)),
    ("false", ExpressionToken::Bool(false)),
];

/// All tokens with the byte each starts at; `Err` says where there is none.
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, ExpressionToken)>, usize> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        if next.is_whitespace() {
            at += next.len_utf8();
            continue;
        }
        let (token, length) = token(&text[at..], next).ok_or(at)?;
        tokens.push((at, token));
        at += length;
    }
    Ok(tokens)
}

/// The token at the start of `rest`, whose first character is `first`, and its length.
fn token(rest: &str, first: char) -> Option<(ExpressionToken, usize)> {
    if is_name_start(first) {
        return Some(name(rest));
    }
    if first.is_ascii_digit() {
        return number(rest);
    }
    if first == '"' || first == '\'' {
        let end = rest[1..].find(first)? + 1;
        return Some((ExpressionToken::Text(rest[1..end].to_owned()), end + 1));
    }
    let (sign, token) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign))?;
    Some((token.clone(), sign.len()))
}

/// A name with all its parts, or a word.
fn name(rest: &str) -> (ExpressionToken, usize) {
    let mut end = word_length(rest);
    let mut parts = vec![rest[..end].to_owned()];
    while let Some(separator) = [".", "::", "->"].into_iter().find(|sign| rest[end..].starts_with(sign)) {
        let start = end + separator.len();
        if !rest[start..].starts_with(is_name_start) {
            break;
        }
        end = start + word_length(&rest[start..]);
        parts.push(rest[start..end].to_owned());
    }
    let word = WORDS.iter().find(|(word, _)| parts.len() == 1 && word.eq_ignore_ascii_case(&parts[0]));
    (word.map_or(ExpressionToken::Name(parts), |(_, token)| token.clone()), end)
}

/// A number: decimal or `0x..`, perhaps with C's suffixes. Fractions and `5s` are none.
fn number(rest: &str) -> Option<(ExpressionToken, usize)> {
    let end = word_length(rest);
    let digits = rest[..end].trim_end_matches(['u', 'U', 'l', 'L']);
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    let is_fraction = rest[end..].strip_prefix('.').is_some_and(|rest| rest.starts_with(is_name_part));
    (!is_fraction).then_some((ExpressionToken::Int(value), end))
}

fn word_length(rest: &str) -> usize {
    rest.find(|character| !is_name_part(character)).unwrap_or(rest.len())
}

/// Whether a name may begin with the character.
pub(crate) fn is_name_start(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

/// Whether a name may go on with the character.
pub(crate) fn is_name_part(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}
