//! Patterns in words: what most properties say, without operators (Dwyer, Avrunin, Corbett: Patterns in Property
//! Specifications for Finite-State Verification, 1999).
//!
//! ```text
//! pattern = "never" item scope | item "never" "happens" scope                absence
//!         | "eventually" item scope | item "happens" scope                   existence
//!         | "always" item scope                                              universality
//!         | items ("precedes" | "precede") items scope                       precedence, chains of it
//!         | items ("responds" | "respond") "to" items scope                  response, chains of it
//!         | items ("leads" | "lead") "to" items scope                        the same, the other way round
//! items   = item { "," item }            in this order; only one of the two sides may hold several
//! item    = an atom, a formula in brackets, either with prefix operators
//! scope   = nothing | "before" item | "after" item [ "until" item ] | "between" item "and" item
//! ```
//!
//! They become formulas at once. A scope is a stretch of the run: `before R` ends before the first R and exists only if R
//! comes; `after Q` begins behind the first Q; `between Q and R` begins behind each Q and ends before the next R, which
//! must come; `after Q until R` is the same where R need not come. What happens at the very position of Q or R is outside,
//! so that `never A after A` forbids the second A. (The published formulas begin at Q itself; for events that never happen
//! together with Q both are the same.) The second of two stimuli must be answered each time, where the published formula
//! is content if it was answered once.

use sequent_kernel::formula::Binary;

use super::maker::{FormulaMaker, PatternClaim, PatternScope};
use super::parser::{FormulaParser, MeasuredTree};
use super::token::{FormulaToken, Infix, Sign};
use super::vocabulary::{FORMS, is_opener};
use super::{FormulaProblem, expected};

/// More links than this are no chain.
const LONGEST_CHAIN: usize = 20;

/// What stands somewhere.
pub(super) enum Begin {
    Formula,
    Pattern,
    /// A formula that implies a pattern.
    Premise,
}

/// What stands here, up to the token `end`.
pub(super) fn begin(parser: &FormulaParser, end: usize) -> Begin {
    if parser.is_word_at(parser.at, "never") {
        return Begin::Pattern;
    }
    let mut found = Begin::Pattern;
    let mut index = parser.at;
    while index < end {
        match parser.token(index) {
            Some(FormulaToken::Word(word)) if is_opener(word) => return found,
            _ if parser.infix_at(index) == Some(Infix::Plain(Binary::Implies)) => found = Begin::Premise,
            Some(FormulaToken::Sign(Sign::Open)) => index = parser.close_of(index),
            Some(
                FormulaToken::Word(_)
                | FormulaToken::Call(..)
                | FormulaToken::Text(_)
                | FormulaToken::Number
                | FormulaToken::Sign(_),
            )
            | None => {}
        }
        index += 1;
    }
    Begin::Formula
}

/// Reads a pattern up to the token `end`, as a formula.
pub(super) fn pattern(parser: &mut FormulaParser, end: usize) -> Result<MeasuredTree, FormulaProblem> {
    let (first, start) = (parser.at, parser.here().start);
    let claim = claim(parser, end)?;
    let scope = scope(parser)?;
    if parser.at != end {
        return Err(unexpected(parser, first, end));
    }
    let finish = parser.tokens[end - 1].1.end;
    let maker = FormulaMaker { parser, place: parser.origin.place(start..finish) };
    maker.scoped(&claim, &scope)
}

fn claim(parser: &mut FormulaParser, end: usize) -> Result<PatternClaim, FormulaProblem> {
    let start = parser.at;
    for (word, make) in [
        ("never", PatternClaim::Absence as fn(MeasuredTree) -> PatternClaim),
        ("eventually", PatternClaim::Existence),
        ("always", PatternClaim::Universality),
    ] {
        if take(parser, word) {
            return Ok(make(item(parser)?));
        }
    }
    let (first, range) = (items(parser)?, parser.here());
    if take_one(parser, &["precedes", "precede"]) {
        let second = items(parser)?;
        return chain(PatternClaim::Precedence, first, second, range);
    }
    if take_one(parser, &["responds", "respond"]) {
        needed(parser, "to")?;
        let second = items(parser)?;
        return chain(PatternClaim::Response, second, first, range);
    }
    if take_one(parser, &["leads", "lead"]) {
        needed(parser, "to")?;
        let second = items(parser)?;
        return chain(PatternClaim::Response, first, second, range);
    }
    let is_absence = take(parser, "never");
    if !take_one(parser, &["happens", "happen"]) {
        return Err(unexpected(parser, start, end));
    }
    match <[MeasuredTree; 1]>::try_from(first) {
        Ok([item]) if is_absence => Ok(PatternClaim::Absence(item)),
        Ok([item]) => Ok(PatternClaim::Existence(item)),
        Err(_) => Err(FormulaProblem::new(range, "only one thing happens, or not")
            .hint("`(A & F B) happens` says that B follows A; `A precedes B` speaks of their order")),
    }
}

fn chain(
    make: fn(Vec<MeasuredTree>, Vec<MeasuredTree>) -> PatternClaim,
    first: Vec<MeasuredTree>,
    second: Vec<MeasuredTree>,
    range: std::ops::Range<usize>,
) -> Result<PatternClaim, FormulaProblem> {
    if first.len() > 1 && second.len() > 1 {
        let hint = "`A, B precede C` and `A precedes B, C` are chains; write two patterns instead";
        return Err(FormulaProblem::new(range, "only one side may name several things").hint(hint));
    }
    Ok(make(first, second))
}

/// One item.
fn item(parser: &mut FormulaParser) -> Result<MeasuredTree, FormulaProblem> {
    let start = parser.at;
    let part = parser.unary()?;
    parser.item = start;
    Ok(part)
}

/// One item, or several in a row.
fn items(parser: &mut FormulaParser) -> Result<Vec<MeasuredTree>, FormulaProblem> {
    let mut items = vec![item(parser)?];
    while parser.token(parser.at) == Some(&FormulaToken::Sign(Sign::Comma)) {
        if items.len() == LONGEST_CHAIN {
            return Err(FormulaProblem::new(
                parser.here(),
                format!("a chain has at most {LONGEST_CHAIN} links"),
            ));
        }
        parser.at += 1;
        items.push(item(parser)?);
    }
    Ok(items)
}

fn scope(parser: &mut FormulaParser) -> Result<PatternScope, FormulaProblem> {
    if take(parser, "before") {
        return Ok(PatternScope::Before(item(parser)?));
    }
    if take(parser, "between") {
        let first = item(parser)?;
        if parser.token(parser.at) == Some(&FormulaToken::Sign(Sign::Infix(Infix::Plain(Binary::And)))) {
            parser.at += 1;
        } else {
            needed(parser, "and")?;
        }
        return Ok(PatternScope::Between(first, item(parser)?));
    }
    if !take(parser, "after") {
        return Ok(PatternScope::Global);
    }
    let first = item(parser)?;
    if take(parser, "until") {
        return Ok(PatternScope::AfterUntil(first, item(parser)?));
    }
    Ok(PatternScope::After(first))
}

fn take(parser: &mut FormulaParser, word: &str) -> bool {
    let found = parser.is_word_at(parser.at, word);
    parser.at += usize::from(found);
    found
}

fn take_one(parser: &mut FormulaParser, words: &[&str]) -> bool {
    words.iter().any(|word| take(parser, word))
}

fn needed(parser: &mut FormulaParser, word: &str) -> Result<(), FormulaProblem> {
    if take(parser, word) {
        return Ok(());
    }
    Err(FormulaProblem::new(parser.here(), format!("`{word}` is expected here")).hint(FORMS))
}

/// Something that does not go on in the pattern that stands at these tokens.
fn unexpected(parser: &FormulaParser, start: usize, end: usize) -> FormulaProblem {
    let here = parser.here();
    let found = &parser.text[here.clone()];
    match (parser.token(parser.at), parser.infix()) {
        (_, Some(infix)) => expected::needs_brackets(parser, infix, start..end),
        (Some(_), None) if parser.at < end => {
            FormulaProblem::new(here, format!("`{found}` does not go on from here")).hint(FORMS)
        }
        (_, None) => FormulaProblem::new(here, "the pattern is not complete").hint(FORMS),
    }
}
