//! What is wrong with a formula, in words that help.

use std::ops::Range;

use sequent_kernel::diagnostic::nearest;

use super::grammar::Parser;
use super::token::{self, Sign, Token};
use super::{Problem, atom, words};

/// There is no formula at all.
pub(super) fn empty(text: &str) -> Problem {
    Problem::new(0..text.len(), "the formula is empty")
        .hint("such as `G (sent(order) -> F received(receipt))`, or `never sent(pay) after received(refund)`")
}

/// A bracket without its other one.
pub(super) fn never_closed(open: usize) -> Problem {
    Problem::new(open..open + 1, "`(` is never closed").hint("put a `)` where its content ends")
}

/// A closing bracket too many.
pub(super) fn closes_nothing(range: Range<usize>) -> Problem {
    Problem::new(range, "`)` closes nothing").hint("remove it, or open a bracket before")
}

/// Deeper or larger than any formula a person could read.
pub(super) fn too_deep(range: Range<usize>) -> Problem {
    Problem::new(range, "the formula is too large, or nested too deeply").hint("split it into several checks")
}

/// Operators of branching time.
pub(super) fn quantifier(word: &str, range: Range<usize>) -> Problem {
    let problem = Problem::new(range, format!("`{word}` speaks of paths, and there are no path quantifiers"));
    match (word.strip_prefix('A'), word.strip_prefix('E')) {
        (Some(""), _) => problem.hint("a formula must hold in every run anyway: leave the `A` out"),
        (Some(rest), _) => problem.hint(format!("a formula must hold in every run anyway: write `{rest}`")),
        (None, _) => problem.hint(
            "that some run does something is what `@possible` asks, or a formula of the contrary that `@expect fails`",
        ),
    }
}

/// Where something must stand and does not.
pub(super) fn missing_operand(parser: &Parser) -> Problem {
    let here = parser.here();
    let found = parser.text[here.clone()].to_owned();
    let before = parser.at.checked_sub(1).and_then(|index| parser.tokens.get(index));
    let after = before.map(|(_, range)| parser.text[range.clone()].to_owned());
    let is_open = matches!(before, None | Some((Token::Sign(Sign::Open), _)));
    match (parser.token(parser.at), after) {
        (Some(Token::Sign(Sign::Infix(_))), _) if is_open => nothing_before(&found, here),
        (Some(Token::Sign(Sign::Comparison | Sign::Arithmetic)), _) if is_open => {
            nothing_before(&found, here)
        }
        (Some(Token::Sign(Sign::Close)), _) if is_open => {
            Problem::new(here, "there is nothing between `(` and `)`")
        }
        (_, Some(after)) => nothing_behind(parser, &after),
        (_, None) => Problem::new(here, "a formula is missing here"),
    }
}

/// An infix operator without its left operand.
fn nothing_before(operator: &str, range: Range<usize>) -> Problem {
    Problem::new(range, format!("`{operator}` has nothing on its left"))
        .hint(format!("write `A {operator} B`; a name that is spelt like an operator is written in quotes"))
}

/// An operator without what should follow.
fn nothing_behind(parser: &Parser, operator: &str) -> Problem {
    let range = parser.tokens[parser.at - 1].1.clone();
    let problem = Problem::new(range, format!("`{operator}` needs something behind it"));
    let is_word = matches!(parser.token(parser.at - 1), Some(Token::Word(_)));
    if is_word {
        return problem
            .hint(format!("a message or guard called {operator} is written in quotes: \"{operator}\""));
    }
    problem
}

/// An infix word where an operand must stand.
pub(super) fn infix_word(parser: &Parser, word: &str) -> Problem {
    let is_open = match parser.at.checked_sub(1).and_then(|index| parser.token(index)) {
        None | Some(Token::Sign(Sign::Open)) => true,
        Some(before) => matches!(before, Token::Word(word) if word == "LTLSPEC"),
    };
    if is_open { nothing_before(word, parser.here()) } else { nothing_behind(parser, &before(parser)) }
}

fn before(parser: &Parser) -> String {
    parser.tokens[parser.at - 1..].first().map_or("", |(_, range)| &parser.text[range.clone()]).to_owned()
}

/// Something that does not go on from what stands before it.
pub(super) fn left_over(parser: &Parser) -> Problem {
    let here = parser.here();
    let found = &parser.text[here.clone()];
    let expected = Problem::new(here.clone(), format!("an operator is expected before `{found}`"));
    match parser.token(parser.at) {
        Some(Token::Sign(Sign::Comparison)) => compared(found, here),
        Some(Token::Sign(Sign::Comma)) => Problem::new(here, "a comma means nothing here")
            .hint("commas stand between the arguments of an atom, and in chains such as `A, B precede C`"),
        Some(Token::Sign(Sign::Arithmetic | Sign::Minus)) => {
            Problem::new(here, format!("`{found}` calculates, and what stands before it is no value"))
        }
        Some(Token::Word(word)) => match token::infix(&word.to_uppercase()) {
            Some(_) if word.len() == 1 => {
                expected.hint(format!("operators are capital letters: `{}`", word.to_uppercase()))
            }
            _ => expected.hint(prose(parser).unwrap_or_else(|| operators().to_owned())),
        },
        Some(Token::Call(..) | Token::Text(_) | Token::Number | Token::Sign(_)) | None => {
            expected.hint(operators())
        }
    }
}

fn operators() -> &'static str {
    "such as `&`, `|`, `->`, `U`"
}

/// `=` where `->` or `<->` was meant.
pub(super) fn compared(sign: &str, range: Range<usize>) -> Problem {
    Problem::new(range, format!("`{sign}` compares values, and a formula is none"))
        .hint("write `->` for \"implies\", `<->` for \"if and only if\"")
}

/// Words one after the other are probably a guard, which needs quotes.
fn prose(parser: &Parser) -> Option<String> {
    let is_plain = |index: usize| match parser.token(index) {
        Some(Token::Word(word)) => {
            token::prefix(word).is_none() && (token::infix(word).is_none() || word.len() > 1)
        }
        Some(Token::Number) => true,
        Some(Token::Call(..) | Token::Text(_) | Token::Sign(_)) | None => false,
    };
    let first = (0..parser.at).rev().take_while(|index| is_plain(*index)).last()?;
    let last = (parser.at..parser.tokens.len()).take_while(|index| is_plain(*index)).last()?;
    let text = &parser.text[parser.tokens[first].1.start..parser.tokens[last].1.end];
    if text.split_whitespace().any(words::is_word) {
        return None;
    }
    Some(format!("a guard of several words is written in quotes: \"{text}\""))
}

/// A function that is none.
pub(super) fn unknown_function(name: &str, range: Range<usize>) -> Problem {
    let problem = Problem::new(range, format!("`{name}(..)` is nothing a formula knows"));
    let upper = name.to_uppercase();
    if name.len() == 1 && token::prefix(&upper).is_some() {
        return problem.hint(format!("operators are capital letters: `{upper}`"));
    }
    if token::is_quantified(&upper) {
        return problem.hint("there are no path quantifiers: a formula must hold in every run");
    }
    match nearest(name, atom::FUNCTIONS.iter().copied()) {
        Some(near) => problem.hint(format!("did you mean `{near}`?")),
        None => problem.hint(format!("a message is an atom by being sent or received: `sent({name})`")),
    }
}
