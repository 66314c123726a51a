//! Expressions: `$x + 1 == %strlen("abc") && $y != "no"`.
//!
//! A word that is no variable stands for itself, so `!$x = hello` is the text hello. A list or map in JSON takes the rest
//! of the line.

use super::command::is_name_part;
use super::json::Json;
use super::machine::PreprocessorState;
use super::value::{OPERATORS, PreprocessorValue, apply, from_data};

impl PreprocessorState<'_, '_> {
    /// The value of an expression that is the whole text.
    pub(crate) fn evaluate(&mut self, text: &str) -> Result<PreprocessorValue, String> {
        let (value, rest) = self.evaluate_start(text)?;
        let rest = rest.trim();
        if rest.is_empty() { Ok(value) } else { Err(format!("`{rest}` follows the expression")) }
    }

    /// The value of the expression at the start of the text, and what follows it.
    pub(crate) fn evaluate_start<'a>(
        &mut self,
        text: &'a str,
    ) -> Result<(PreprocessorValue, &'a str), String> {
        let text = text.trim_start();
        if text.starts_with(['{', '[']) {
            return Ok((PreprocessorValue::Data(Json::parse(text)?), ""));
        }
        let mut rest = text;
        let value = self.deeper(|machine| machine.binary(&mut rest, OPERATORS.len()))?;
        Ok((value, rest))
    }

    /// An expression of operators that bind at least as tightly as `OPERATORS[level - 1]`.
    fn binary(&mut self, rest: &mut &str, level: usize) -> Result<PreprocessorValue, String> {
        if level == 0 {
            return self.operand(rest);
        }
        let mut left = self.binary(rest, level - 1)?;
        loop {
            let here = rest.trim_start();
            let Some(operator) = OPERATORS[level - 1].iter().find(|operator| here.starts_with(**operator))
            else {
                return Ok(left);
            };
            *rest = &here[operator.len()..];
            let right = self.binary(rest, level - 1)?;
            left = apply(operator, &left, &right)?;
        }
    }

    fn operand(&mut self, rest: &mut &str) -> Result<PreprocessorValue, String> {
        *rest = rest.trim_start();
        match rest.chars().next() {
            None => Err("an expression is missing".to_owned()),
            Some('(') => {
                *rest = &rest[1..];
                let value = self.deeper(|machine| machine.binary(rest, OPERATORS.len()))?;
                *rest = rest.trim_start().strip_prefix(')').ok_or("`)` is missing")?;
                Ok(value)
            }
            Some(quote @ ('"' | '\'')) => {
                let (text, after) = rest[1..].split_once(quote).ok_or("a text is never closed")?;
                *rest = after;
                Ok(PreprocessorValue::text(text))
            }
            Some(c) if c.is_ascii_digit() || c == '-' => number(rest),
            Some(_) => self.word(rest),
        }
    }

    /// A variable, the call of a function, or a word that stands for itself.
    fn word(&mut self, rest: &mut &str) -> Result<PreprocessorValue, String> {
        let end = rest.find(is_break).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if word.is_empty() {
            return Err(format!("`{rest}` is not an expression"));
        }
        if after.starts_with('(') {
            let (value, length) = self.call_in_expression(word, after)?;
            *rest = &after[length..];
            return Ok(value);
        }
        *rest = after;
        if let Some(value) = self.path(word) {
            return Ok(value);
        }
        let is_name = word.trim_start_matches('$').chars().all(is_name_part);
        if is_name {
            Ok(PreprocessorValue::text(word))
        } else {
            Err(format!("`{word}` is not an expression"))
        }
    }

    /// A variable, or a part of the data in one: `$list[0].name`.
    pub(crate) fn path(&self, word: &str) -> Option<PreprocessorValue> {
        if let Some(value) = self.memory.get(word) {
            return Some(value.clone());
        }
        let end = word.find(['.', '['])?;
        let Some(PreprocessorValue::Data(data)) = self.memory.get(&word[..end]) else { return None };
        let mut data = data;
        for key in word[end..].split(['.', '[']).filter(|key| !key.is_empty()) {
            data = data.get(key.trim_end_matches(']').trim_matches('"'))?;
        }
        Some(from_data(data))
    }
}

fn number(rest: &mut &str) -> Result<PreprocessorValue, String> {
    let sign = usize::from(rest.starts_with('-'));
    let end = rest[sign..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |end| sign + end);
    let (digits, after) = rest.split_at(end);
    *rest = after;
    digits.parse().map(PreprocessorValue::Number).map_err(|_| format!("`{digits}` is not a number"))
}

/// Where a word ends.
fn is_break(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '(' | ')' | ',' | '=' | '!' | '+' | '-' | '*' | '/' | '<' | '>' | '&' | '|')
}
