//! Words and signs of CSPm, as far as Sequent writes it.

/// A word or sign, and whether it stands at the beginning of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub text: String,
    pub is_first: bool,
    pub line: usize,
}

impl Token {
    pub(crate) fn is_name(&self) -> bool {
        self.text.starts_with(|letter: char| letter.is_ascii_alphabetic())
    }
}

/// Signs of more than one letter, longer ones first.
const SIGNS: &[&str] = &[
    ":[deadlock free [F]]",
    ":[divergence free [FD]]",
    "[FD=",
    "|~|",
    "|||",
    "[T=",
    "[F=",
    "[[",
    "]]",
    "[|",
    "|]",
    "|>",
    "[]",
    "||",
    "{|",
    "|}",
    "->",
    "<-",
    "==",
    "!=",
    "<=",
    ">=",
    "..",
];

/// The tokens of a script; comments are gone.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut rest = line;
        while !rest.is_empty() {
            let is_first = rest.len() == line.len();
            if rest.starts_with("--") {
                break;
            }
            let first = rest.chars().next().expect("it is not empty");
            if first == ' ' {
                rest = &rest[1..];
                continue;
            }
            let word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            let length = match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => sign.len(),
                None if word(first) => rest.find(|letter| !word(letter)).unwrap_or(rest.len()),
                None => {
                    assert!("=:.?!()[]{}<>,|&;@\\+-*/%^#".contains(first), "line {number}: {line}");
                    1
                }
            };
            let text = rest[..length].to_owned();
            tokens.push(Token { text, is_first, line: number + 1 });
            rest = &rest[length..];
        }
    }
    tokens
}
