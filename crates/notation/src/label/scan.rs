//! Cutting a label at signs that stand outside of brackets and quotes.
//!
//! Labels may have unbalanced brackets and apostrophes, so only pairs count: an opening bracket that is never
//! closed is a character like any other, and `'` quotes nothing. All functions take time linear in the text.

use sequent_kernel::source::{Place, Span};

/// A label's text and the place it came from.
#[derive(Clone, Copy)]
pub(super) struct LabelOrigin<'a> {
    pub text: &'a str,
    pub span: Span,
}

impl LabelOrigin<'_> {
    /// The place of a slice of the text: exact when the text is in the file as it is, else the whole label.
    pub(crate) fn place(&self, part: &str) -> Place {
        let exact = self.span.range().len() == self.text.len();
        match (part.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize) {
            Some(start) if exact && start + part.len() <= self.text.len() => {
                let start = self.span.start as usize + start;
                Span::new(self.span.file, start, start + part.len()).into()
            }
            _ => self.span.into(),
        }
    }
}

/// The pairs of brackets and quotes that lie in no other, as the bytes of both signs, in order.
fn pairs(text: &str) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut waiting = [0usize; 3];
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (byte, quote) {
            (b'"', Some(start)) => {
                pairs.push((start, at));
                quote = None;
            }
            (_, Some(_)) => {}
            (b'"', None) => quote = text[at + 1..].contains('"').then_some(at),
            (b'(' | b'[' | b'{', None) => {
                open.push((at, shape(byte)));
                waiting[shape(byte)] += 1;
            }
            (b')' | b']' | b'}', None) if waiting[shape(byte)] > 0 => {
                while let Some((start, opened)) = open.pop() {
                    waiting[opened] -= 1;
                    if opened == shape(byte) {
                        while pairs.last().is_some_and(|(inner, _)| *inner > start) {
                            pairs.pop();
                        }
                        pairs.push((start, at));
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    pairs
}

/// Round, square or curly.
fn shape(bracket: u8) -> usize {
    match bracket {
        b'(' | b')' => 0,
        b'[' | b']' => 1,
        _ => 2,
    }
}

/// The characters outside of all pairs, with their bytes.
fn outside(text: &str) -> impl Iterator<Item = (usize, char)> {
    let pairs = pairs(text);
    let mut next = 0;
    text.char_indices().filter(move |(at, _)| {
        while pairs.get(next).is_some_and(|(_, end)| end < at) {
            next += 1;
        }
        pairs.get(next).is_none_or(|(start, _)| at < start)
    })
}

/// The first byte outside of brackets and quotes that starts with `sign` and satisfies `wanted` (text before, text
/// after).
pub(super) fn find(text: &str, sign: char, wanted: impl Fn(&str, &str) -> bool) -> Option<usize> {
    outside(text)
        .filter(|(_, character)| *character == sign)
        .map(|(at, _)| at)
        .find(|at| wanted(&text[..*at], &text[at + sign.len_utf8()..]))
}

/// The pieces between the given signs outside of brackets and quotes, trimmed; empty ones are left out.
pub(super) fn split(text: &str, is_sign: impl Fn(char) -> bool) -> Vec<&str> {
    divided(text, is_sign).into_iter().filter(|piece| !piece.is_empty()).collect()
}

/// The entries of a list with commas, trimmed: between two commas something is left out, which counts.
pub(super) fn list(text: &str) -> Vec<&str> {
    if text.trim().is_empty() { Vec::new() } else { divided(text, |sign| sign == ',') }
}

fn divided(text: &str, is_sign: impl Fn(char) -> bool) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, character) in outside(text).filter(|(_, character)| is_sign(*character)) {
        pieces.push(&text[start..at]);
        start = at + character.len_utf8();
    }
    pieces.push(&text[start..]);
    pieces.into_iter().map(str::trim).collect()
}

/// The first outermost pair of brackets that opens with `opener`, as (before, inside, after).
pub(super) fn bracketed(text: &str, opener: char) -> Option<(&str, &str, &str)> {
    let (start, end) = pairs(text).into_iter().find(|(start, _)| text[*start..].starts_with(opener))?;
    Some((&text[..start], &text[start + 1..end], &text[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pairs_count() {
        assert_eq!(
            split("a(1,2), b[c,(d] , \"x,y\" ,, (z", |c| c == ','),
            ["a(1,2)", "b[c,(d]", "\"x,y\"", "(z"]
        );
        assert_eq!(list("a, ,b(c,d)"), ["a", "", "b(c,d)"]);
        assert!(list(" ").is_empty());
        assert_eq!(bracketed("f(x[1]) [g] / h", '['), Some(("f(x[1]) ", "g", " / h")));
        assert_eq!(bracketed("f(x]", '('), None);
        assert_eq!(find("(a/b)/c", '/', |_, _| true), Some(5));
    }
}
