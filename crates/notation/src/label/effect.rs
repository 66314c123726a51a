//! Effects: assignments and sends, and text that is neither (rule M2).

use sequent_kernel::model::{Argument, Assign, BinaryOperator, Effect, Expression, Send};

use super::message::{arguments, call, is_name};
use super::scan::{LabelOrigin, find, split};
use crate::expression;

/// The effects in a text, in order: separated by `;`, or by `,` or line breaks where every piece alone is an assignment
/// or a send. Braces around the whole are taken off, and so is a comment (` // why`) at the end of a line.
pub(super) fn effects(origin: LabelOrigin, text: &str) -> Vec<Effect> {
    let pieces = uncommented(text).flat_map(|text| split(unbraced(text), |sign| sign == ';'));
    pieces.flat_map(|piece| several(origin, piece)).collect()
}

/// The text without comments: whole, or the lines of one that has some.
fn uncommented(text: &str) -> impl Iterator<Item = &str> {
    let comment = |line: &str| {
        find(line, '/', |before, after| {
            (before.ends_with(' ') || before.trim().is_empty()) && after.starts_with('/')
        })
    };
    let is_commented = text.lines().any(|line| comment(line).is_some());
    let whole = (!is_commented).then_some(text).into_iter();
    let lines = text.lines().filter(move |_| is_commented);
    whole.chain(lines.map(move |line| comment(line).map_or(line, |at| &line[..at])))
}

/// The text inside braces that enclose all of it.
fn unbraced(text: &str) -> &str {
    let text = text.trim();
    let inside = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    inside.filter(|inside| !inside.contains(['{', '}'])).unwrap_or(text)
}

/// One effect, or several that `,` or line breaks divide.
fn several(origin: LabelOrigin, piece: &str) -> Vec<Effect> {
    // Some tools want `\;` inside a label where they mean `;`.
    let piece = piece.trim_end_matches('\\').trim();
    if piece.is_empty() {
        return Vec::new();
    }
    let one = |piece| effect(origin, piece);
    let divided = || {
        let pieces = split(piece, |sign| sign == ',' || sign == '\n');
        let effects: Option<Vec<Effect>> = pieces.iter().map(|piece| effect(origin, piece)).collect();
        effects.filter(|_| pieces.len() > 1)
    };
    let opaque = || Effect::Opaque { text: super::one_line(piece), place: origin.place(piece) };
    one(piece).map(|effect| vec![effect]).or_else(divided).unwrap_or_else(|| vec![opaque()])
}

/// An assignment or a send.
fn effect(origin: LabelOrigin, piece: &str) -> Option<Effect> {
    assignment(origin, piece).map(Effect::Assign).or_else(|| send(origin, piece).map(Effect::Send))
}

/// `x := e`, `x = e`, `x += e`, `x++`, `++x`
fn assignment(origin: LabelOrigin, piece: &str) -> Option<Assign> {
    let place = origin.place(piece);
    if let Some((target, operator)) = step(piece) {
        let target = path(target)?;
        return Some(Assign { value: apply(operator, &target, Expression::Int(1)), target, place });
    }
    let (left, right) = piece.split_once('=')?;
    if right.starts_with(['=', '>']) {
        return None;
    }
    let value = expression::parse(right).ok()?;
    let left = left.trim_end();
    let compound = [
        ('+', BinaryOperator::Plus),
        ('-', BinaryOperator::Minus),
        ('*', BinaryOperator::Times),
        ('/', BinaryOperator::Divide),
        ('%', BinaryOperator::Modulo),
    ];
    for (sign, operator) in compound {
        if let Some(target) = left.strip_suffix(sign) {
            let target = path(target)?;
            return Some(Assign { value: apply(operator, &target, value), target, place });
        }
    }
    let target = path(left.strip_suffix(':').unwrap_or(left))?;
    Some(Assign { target, value, place })
}

/// The target of `x++`, `x--`, `++x`, `--x` and what happens to it.
fn step(piece: &str) -> Option<(&str, BinaryOperator)> {
    [("++", BinaryOperator::Plus), ("--", BinaryOperator::Minus)].into_iter().find_map(|(sign, operator)| {
        let target = piece.strip_suffix(sign).or_else(|| piece.strip_prefix(sign))?;
        Some((target, operator))
    })
}

fn apply(operator: BinaryOperator, target: &[String], value: Expression) -> Expression {
    Expression::Binary(operator, Box::new(Expression::Name(target.to_vec())), Box::new(value))
}

/// `^bank.debit(x)`, `bank.debit(x)`, `^done`, `done`, `send done to bank`, `return x`
fn send(origin: LabelOrigin, piece: &str) -> Option<Send> {
    let place = origin.place(piece);
    if let Some(result) = piece.strip_prefix("return ").filter(|result| expression::parse(result).is_ok()) {
        let name = "return".to_owned();
        return Some(Send { target: Vec::new(), name, arguments: Some(arguments(result)), place });
    }
    // `^done to bank` is `send done to bank`.
    let caret = piece.strip_prefix('^').filter(|rest| rest.contains(" to "));
    if let Some(rest) = piece.strip_prefix("send ").or(caret) {
        let (message, target) = match rest.rsplit_once(" to ") {
            Some((message, target)) => (message, path(after_kind(target))?),
            None => (rest, Vec::new()),
        };
        let (mut own, name, arguments) = match numbered(message) {
            Some(name) => (Vec::new(), name.to_owned(), None),
            None => sent(after_kind(message))?,
        };
        own.extend(target);
        return Some(Send { target: own, name, arguments, place });
    }
    let (target, name, arguments) = sent(piece.strip_prefix('^').unwrap_or(piece).trim_start())?;
    Some(Send { target, name, arguments, place })
}

/// The name in `event:2xx`, which no expression could be.
fn numbered(message: &str) -> Option<&str> {
    let name = message.trim().strip_prefix("event:")?;
    let is_numbered = name.starts_with(|digit: char| digit.is_ascii_digit());
    (is_numbered && name.chars().all(expression::is_name_part)).then_some(name)
}

/// What follows `event:` or `state:`, words that some tools put before a name.
fn after_kind(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix("event:").or_else(|| text.strip_prefix("state:")).unwrap_or(text)
}

/// Target, name and arguments of `bank.debit(x)`.
fn sent(text: &str) -> Option<(Vec<String>, String, Option<Vec<Argument>>)> {
    let (name, listed) = match call(text) {
        Some((name, inside)) => (name, Some(arguments(inside))),
        None => (text, None),
    };
    let mut target = path(name)?;
    let name = target.pop()?;
    Some((target, name, listed))
}

/// A name as its parts: `x`, `bank.atm`, `Bank::max`, `radio->status`.
fn path(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    if is_name(text) {
        return Some(vec![text.to_owned()]);
    }
    match expression::parse(text) {
        Ok(Expression::Name(parts)) => Some(parts),
        _ => None,
    }
}
