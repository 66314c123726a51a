//! Diagnostics: what can be wrong with an input, as data.
//!
//! Reading never fails; it returns a value and a list of [`Diagnostic`]s. Every kind of problem has a [`Code`] in the
//! one table of `codes`, which feeds messages, `sequent explain` and the tests that demand an example per code.

mod codes;

pub use codes::Code;

use crate::source::Span;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing; never changes the exit code by default.
    Hint,
    /// Probably a mistake.
    Warning,
    /// The input cannot be right.
    Error,
}

impl Severity {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Hint => "hint",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }

    /// The letter with which the codes of such findings begin.
    pub fn letter(self) -> char {
        match self {
            Severity::Hint => 'H',
            Severity::Warning => 'W',
            Severity::Error => 'E',
        }
    }
}

/// One finding.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Diagnostic {
    /// Where.
    pub span: Span,
    /// What kind.
    pub code: Code,
    /// How bad it is by itself: the code's own severity unless the reader knows better. It is the letter of its name.
    pub own: Severity,
    /// How bad it counts: settings may make an error of anything.
    pub severity: Severity,
    /// What is wrong, in lower case, naming the thing.
    pub message: String,
    /// Other places that matter, with a few words each.
    pub labels: Vec<Label>,
    /// What would be right.
    pub hint: Option<String>,
}

/// A secondary place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// Why it matters.
    pub text: String,
}

impl Diagnostic {
    /// A finding of kind `code` at `span`.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        let severity = code.severity();
        Self { span, code, own: severity, severity, message: message.into(), labels: Vec::new(), hint: None }
    }

    /// The same with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with another place.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// The same with another severity.
    pub fn severity(mut self, severity: Severity) -> Self {
        (self.own, self.severity) = (severity, severity);
        self
    }

    /// The code as printed: `W201`, or `H201` where it is a hint only.
    pub fn name(&self) -> String {
        format!("{}{}", self.own.letter(), self.code.number())
    }
}

/// A suggestion is a courtesy: no more candidates than this are compared, so that many unknown names stay cheap.
const MOST_CANDIDATES: usize = 100;

/// The candidate nearest to `word`, if one is near enough to be what was meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    let limit = (length / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit)
        .take(MOST_CANDIDATES)
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// The candidate of which `name` is probably a misspelling: one slip away, and not just another number or a short name.
pub fn slip_of<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>().to_lowercase();
    let own = letters(name);
    let length = own.chars().count();
    if length < 3 {
        return None;
    }
    candidates.into_iter().find(|candidate| {
        let other = letters(candidate);
        let is_near = candidate.chars().count().abs_diff(name.chars().count()) <= 1;
        is_near && own != other && distance(name, candidate) == 1 && !is_plural(&own, &other)
    })
}

/// Whether two names differ in a final `s` only: a thing and several of them.
fn is_plural(a: &str, b: &str) -> bool {
    a.strip_suffix('s') == Some(b) || b.strip_suffix('s') == Some(a)
}

/// Edit distance (insert, delete, replace, swap neighbours) without regard to case.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut before_last = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                let swapped: &Vec<usize> = &before_last;
                row[j] = row[j].min(swapped[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_suggests_small_slips_only() {
        assert_eq!(nearest("forbiden", ["forbidden", "required"]), Some("forbidden"));
        assert_eq!(nearest("Ngatom", ["Nagtom"]), Some("Nagtom"));
        assert_eq!(nearest("x", ["required"]), None);
    }

    #[test]
    fn slips_are_told_from_other_names() {
        assert_eq!(slip_of("Ath", ["Auth", "App"]), Some("Auth"));
        assert_eq!(slip_of("Bbo", ["Bob"]), Some("Bob"));
        for (name, other) in
            [("A", "B"), ("Server2", "Server1"), ("Users", "User"), ("DB", "DC"), ("Basket", "Order")]
        {
            assert_eq!(slip_of(name, [other]), None, "{name} {other}");
        }
    }
}
