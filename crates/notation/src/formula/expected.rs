//! What a parser expected where it stands, in words that help.

use std::ops::Range;

use sequent_kernel::diagnostic::nearest;
use sequent_kernel::formula::Binary;

use super::FormulaProblem;
use super::complaint::{bounded, compared};
use super::parser::FormulaParser;
use super::token::{self, FormulaToken, Infix, Sign};
use super::vocabulary::{FORMS, FUNCTIONS, is_scope, is_word};

/// Where something must stand and does not.
pub(super) fn missing_operand(parser: &FormulaParser) -> FormulaProblem {
    let here = parser.here();
    let found = parser.text[here.clone()].to_owned();
    let before = parser.at.checked_sub(1).and_then(|index| parser.tokens.get(index));
    let after = before.map(|(_, range)| parser.text[range.clone()].to_owned());
    let is_open = matches!(before, None | Some((FormulaToken::Sign(Sign::Open), _)));
    let is_operator = matches!(before, Some((FormulaToken::Word(word), _)) if token::is_temporal(word));
    let is_number = matches!(parser.token(parser.at + 1), Some(FormulaToken::Number));
    if is_operator && is_number && parser.token(parser.at) == Some(&FormulaToken::Sign(Sign::Comparison)) {
        return bounded(here.start..parser.tokens[parser.at + 1].1.end);
    }
    match (parser.token(parser.at), after) {
        (Some(FormulaToken::Sign(Sign::Infix(_))), _) if is_open => nothing_before(&found, here),
        (Some(FormulaToken::Sign(Sign::Comparison | Sign::Arithmetic)), _) if is_open => {
            nothing_before(&found, here)
        }
        (Some(FormulaToken::Sign(Sign::Close)), _) if is_open => {
            FormulaProblem::new(here, "there is nothing between `(` and `)`")
        }
        (_, Some(after)) => nothing_behind(parser, &after),
        (_, None) => FormulaProblem::new(here, "a formula is missing here"),
    }
}

/// An infix operator without its left operand.
fn nothing_before(operator: &str, range: Range<usize>) -> FormulaProblem {
    FormulaProblem::new(range, format!("`{operator}` has nothing on its left"))
        .hint(format!("write `A {operator} B`; a name that is spelt like an operator is written in quotes"))
}

/// An operator without what should follow.
fn nothing_behind(parser: &FormulaParser, operator: &str) -> FormulaProblem {
    let range = parser.tokens[parser.at - 1].1.clone();
    let problem = FormulaProblem::new(range, format!("`{operator}` needs something behind it"));
    let is_word = matches!(parser.token(parser.at - 1), Some(FormulaToken::Word(_)));
    if is_word {
        return problem
            .hint(format!("a message or guard called {operator} is written in quotes: \"{operator}\""));
    }
    problem
}

/// An infix word where an operand must stand.
pub(super) fn infix_word(parser: &FormulaParser, word: &str) -> FormulaProblem {
    let is_open = match parser.at.checked_sub(1).and_then(|index| parser.token(index)) {
        None | Some(FormulaToken::Sign(Sign::Open)) => true,
        Some(before) => matches!(before, FormulaToken::Word(word) if word == "LTLSPEC"),
    };
    if is_open { nothing_before(word, parser.here()) } else { nothing_behind(parser, &before(parser)) }
}

fn before(parser: &FormulaParser) -> String {
    parser.tokens[parser.at - 1..].first().map_or("", |(_, range)| &parser.text[range.clone()]).to_owned()
}

/// Something that does not go on from what stands before it.
pub(super) fn left_over(parser: &FormulaParser) -> FormulaProblem {
    let here = parser.here();
    let found = &parser.text[here.clone()];
    let expected = FormulaProblem::new(here.clone(), format!("an operator is expected before `{found}`"));
    let before = parser.at.checked_sub(1).and_then(|index| parser.tokens.get(index));
    if let Some((FormulaToken::Word(word), range)) = before {
        let upper = word.to_uppercase();
        if upper != *word
            && (token::prefix(&upper).is_some_and(|_| word.len() == 1) || token::prefixes(&upper).is_some())
        {
            return FormulaProblem::new(range.clone(), format!("`{word}` is not an operator"))
                .hint(format!("operators are capitals: `{upper}`"));
        }
    }
    match parser.token(parser.at) {
        Some(FormulaToken::Sign(Sign::Comparison)) => compared(found, here),
        Some(FormulaToken::Sign(Sign::Comma)) => FormulaProblem::new(here, "a comma means nothing here")
            .hint("commas stand between the arguments of an atom, and in chains such as `A, B precede C`"),
        Some(FormulaToken::Sign(Sign::Arithmetic | Sign::Minus)) => FormulaProblem::new(
            here,
            format!("`{found}` calculates, and what stands before it is not a value"),
        ),
        Some(FormulaToken::Word(word)) => match token::infix(&word.to_uppercase()) {
            Some(_) if word.len() == 1 => {
                expected.hint(format!("operators are capitals: `{}`", word.to_uppercase()))
            }
            _ => expected.hint(prose(parser).unwrap_or_else(|| FORMS.to_owned())),
        },
        Some(FormulaToken::Call(..)) if matches!(before, Some((FormulaToken::Word(_), _))) => {
            expected.hint(FORMS)
        }
        Some(
            FormulaToken::Call(..) | FormulaToken::Text(_) | FormulaToken::Number | FormulaToken::Sign(_),
        )
        | None => expected.hint(operators()),
    }
}

/// An operator in the pattern that stands at these tokens: its operands need brackets, or other words are meant.
pub(super) fn needs_brackets(parser: &FormulaParser, infix: Infix, tokens: Range<usize>) -> FormulaProblem {
    let text = |tokens: Range<usize>| match tokens.is_empty() {
        true => "",
        false => &parser.text[parser.tokens[tokens.start].1.start..parser.tokens[tokens.end - 1].1.end],
    };
    let here = parser.here();
    let found = &parser.text[here.clone()];
    let item_end = item_end(parser, tokens.end);
    let said = text(tokens.start..parser.at);
    let has = |is: fn(&str) -> bool| {
        (tokens.start..parser.at)
            .any(|at| matches!(parser.token(at), Some(FormulaToken::Word(word)) if is(word)))
    };
    let is_whole = has(|word| is_word(word) || token::prefix(word).is_some());
    let is_until = matches!(infix, Infix::Plain(Binary::Until | Binary::WeakUntil));
    if is_until && is_whole && !has(is_scope) {
        let event = text(parser.at + 1..item_end);
        return FormulaProblem::new(here, format!("`{found}` needs an `after` before it in a pattern"))
            .hint(format!("write `{said} before {event}`, or `{said} after C until {event}`"));
    }
    let (before, behind) = (text(tokens.start..parser.item), text(item_end..tokens.end));
    let space = if behind.starts_with(',') { "" } else { " " };
    let inside = format!("{before} ({}){space}{behind}", text(parser.item..item_end)).trim().to_owned();
    let problem = FormulaProblem::new(here, format!("`{found}` in a pattern needs brackets"));
    match (inside.len() > 200, is_whole) {
        (true, _) => {
            problem.hint(format!("such as `never (A {found} B)`, or `(never A) {found} (B precedes C)`"))
        }
        (false, true) => problem.hint(format!("write `{inside}`, or `({said}) {found} ..`")),
        (false, false) => problem.hint(format!("write `{inside}`")),
    }
}

/// Where the item of a pattern ends that goes on behind the next token.
fn item_end(parser: &FormulaParser, end: usize) -> usize {
    let mut index = parser.at + 1;
    while index < end && !is_item_end(parser, index) {
        if parser.token(index) == Some(&FormulaToken::Sign(Sign::Open)) {
            index = parser.close_of(index);
        }
        index += 1;
    }
    index.min(end)
}

/// Whether an item of a pattern ends before the token.
fn is_item_end(parser: &FormulaParser, index: usize) -> bool {
    match parser.token(index) {
        Some(FormulaToken::Word(word)) => is_word(word) || word.eq_ignore_ascii_case("until"),
        Some(FormulaToken::Sign(Sign::Comma | Sign::Close)) => true,
        Some(
            FormulaToken::Call(..) | FormulaToken::Text(_) | FormulaToken::Number | FormulaToken::Sign(_),
        )
        | None => false,
    }
}

fn operators() -> &'static str {
    "such as `&`, `|`, `->`, `U`"
}

/// Words one after the other are probably a guard, which needs quotes.
fn prose(parser: &FormulaParser) -> Option<String> {
    let is_plain = |index: usize| match parser.token(index) {
        Some(FormulaToken::Word(word)) => {
            token::prefix(word).is_none() && (token::infix(word).is_none() || word.len() > 1)
        }
        Some(FormulaToken::Number) => true,
        Some(FormulaToken::Call(..) | FormulaToken::Text(_) | FormulaToken::Sign(_)) | None => false,
    };
    let first = (0..parser.at).rev().take_while(|index| is_plain(*index)).last()?;
    let last = (parser.at..parser.tokens.len()).take_while(|index| is_plain(*index)).last()?;
    let text = &parser.text[parser.tokens[first].1.start..parser.tokens[last].1.end];
    if text.split_whitespace().any(|word| is_word(word) || is_relation(word)) {
        return None;
    }
    Some(format!("a guard of several words is written in quotes: \"{text}\""))
}

/// Whether a word is a common synonym for a relation of patterns.
fn is_relation(word: &str) -> bool {
    const WORDS: &[&str] =
        &["follows", "followed", "occurs", "comes", "preceded", "causes", "requires", "then", "whenever"];
    WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// A function that is none.
pub(super) fn unknown_function(name: &str, range: Range<usize>) -> FormulaProblem {
    let problem = FormulaProblem::new(range, format!("`{name}(..)` is nothing a formula knows"));
    let upper = name.to_uppercase();
    if token::prefixes(&upper).is_some() || name.len() == 1 && token::prefix(&upper).is_some() {
        return problem.replace(&*upper).hint(format!("operators are capitals: `{upper}`"));
    }
    if token::is_quantified(&upper) {
        return problem.hint("there are no path quantifiers: a formula must hold in every run");
    }
    match nearest(name, FUNCTIONS.iter().copied()) {
        Some(near) => problem.meant(name, near),
        None => problem.hint(format!("a message is an atom by being sent or received: `sent({name})`")),
    }
}
