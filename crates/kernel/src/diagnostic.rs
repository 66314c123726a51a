//! Diagnostics: what can be wrong with an input, as data.
//!
//! Reading never fails; it returns a value and a list of [`Diagnostic`]s. Every kind of problem has a [`Code`] in the
//! one table of `codes`, which feeds messages, `sequent explain` and the tests that demand an example per code. Where it is plain what
//! would be right, a finding carries its [`Remedy`]; what that is in the text, a [`Fix`], is found out where the text is read.

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
    /// The same as a change, where no decision is left.
    pub remedy: Option<Box<Remedy>>,
}

/// What identifies a finding among those of one check: several findings may have the same code and place.
pub type Identity = (Code, Span, String);

/// A change that does away with a finding, in terms of its place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Remedy {
    /// A word that stands in the place is meant to be another.
    Respell(String, String),
    /// A name of the diagram is meant to be another, wherever the diagram mentions it.
    Rename(String, String),
    /// The place as a whole is meant to read like this.
    Replace(String),
    /// The block that the place opens needs this last line.
    Close(&'static str),
    /// The diagram that the place begins needs this last line.
    Finish(String),
    /// This line is missing behind the line of another place.
    Follow(Span, String),
    /// The line of the place says nothing and can go.
    Remove,
}

/// A change of text that does away with a finding.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Fix {
    /// What it does, as a command: "Change `Bbo` to `Bob`".
    pub title: String,
    /// The changes; none overlaps another.
    pub edits: Vec<Edit>,
    /// Whether it can be made without asking: the text cannot be right as it is, or the slip is plain.
    pub is_certain: bool,
}

/// One piece of text that becomes another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edit {
    /// What is replaced; empty where something is added.
    pub span: Span,
    /// What stands there then.
    pub text: String,
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
    /// What identifies the finding among those of one check.
    pub fn identity(&self) -> Identity {
        (self.code, self.span, self.message.clone())
    }

    /// A finding of kind `code` at `span`.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        let severity = code.severity();
        Self {
            span,
            code,
            own: severity,
            severity,
            message: message.into(),
            labels: Vec::new(),
            hint: None,
            remedy: None,
        }
    }

    /// The same with a remedy.
    pub fn remedy(mut self, remedy: Remedy) -> Self {
        self.remedy = Some(Box::new(remedy));
        self
    }

    /// The same with the question whether a word of its place is meant to be another.
    pub fn meant(self, wrong: impl Into<String>, right: impl Into<String>) -> Self {
        let right = right.into();
        self.hint(format!("did you mean `{right}`?")).remedy(Remedy::Respell(wrong.into(), right))
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
