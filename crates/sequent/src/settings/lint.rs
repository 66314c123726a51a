//! `[lint]`: which findings are reported, and which count as errors.
//!
//! What is said in one place is a [`Layer`]: a settings file, a pattern of paths in it, the command line. For a finding the
//! layers are asked from the nearest to the farthest: the command line, the patterns and then the rest of the nearest settings
//! file, those of the folders around it. The first that names the finding's code decides, and in it the longest name: `W201`
//! before `W2`. `warnings` and `hints` do not bring back what a code switches off.

use globset::{GlobBuilder, GlobSet};
use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};

/// Codes that begin alike: `W201`, or `W2` for all of an area.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Selector(String);

impl Selector {
    /// The codes that begin with a text, if there are any.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_uppercase();
        let number = text.strip_prefix(['E', 'W', 'H'])?;
        let is_known = Code::ALL.iter().any(|code| code.number().starts_with(number));
        is_known.then_some(Selector(text))
    }

    /// Whether a finding has one of them. A whole code means its kind, however bad the finding is.
    pub(crate) fn covers(&self, finding: &Diagnostic) -> bool {
        self.0[1..] == *finding.code.number() || finding.name().starts_with(&self.0)
    }
}

/// What one place says about findings.
#[derive(Clone, Debug, Default)]
pub struct Layer {
    allowed: Vec<Selector>,
    denied: Vec<Selector>,
    deny_from: Option<Severity>,
}

/// What becomes of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FindingLevel {
    Allow,
    Deny,
}

impl Layer {
    /// Counts findings as errors: `warnings`, `hints`, or codes; false if the word is none of these.
    pub fn deny(&mut self, what: &str) -> bool {
        let from = match what {
            "warnings" => Severity::Warning,
            "hints" => Severity::Hint,
            code => {
                let selector = Selector::new(code);
                let is_known = selector.is_some();
                self.denied.extend(selector);
                return is_known;
            }
        };
        self.deny_from = Some(self.deny_from.map_or(from, |other| other.min(from)));
        true
    }

    /// Leaves findings of some codes out; false if there are none.
    pub fn allow(&mut self, code: &str) -> bool {
        let selector = Selector::new(code);
        let is_known = selector.is_some();
        self.allowed.extend(selector);
        is_known
    }

    /// Whether it counts a finding as an error by its code.
    pub(crate) fn denies(&self, finding: &Diagnostic) -> bool {
        self.says(finding) == Some(FindingLevel::Deny)
    }

    /// What is said about a finding; of two that are as long, what leaves it out.
    fn says(&self, finding: &Diagnostic) -> Option<FindingLevel> {
        let longest =
            |all: &[Selector]| all.iter().filter(|one| one.covers(finding)).map(|one| one.0.len()).max();
        match (longest(&self.allowed), longest(&self.denied)) {
            (None, None) => None,
            (allowed, denied) if allowed >= denied => Some(FindingLevel::Allow),
            (_, _) => Some(FindingLevel::Deny),
        }
    }
}

/// What all places say that concern a file, from the farthest to the nearest, and the command line.
#[derive(Clone, Copy, Debug)]
pub struct Lint<'a> {
    /// Of settings files.
    pub layers: &'a [Layer],
    /// Of the command line.
    pub caller: &'a Layer,
    /// Whether settings files cannot leave anything out.
    pub is_strict: bool,
}

impl Lint<'_> {
    /// How bad a finding is; `None` if it is not reported.
    pub fn severity(&self, finding: &Diagnostic) -> Option<Severity> {
        let of_file = |layer: &Layer| match layer.says(finding) {
            Some(FindingLevel::Allow) if self.is_strict => None,
            said => said,
        };
        let said = self.caller.says(finding).or_else(|| self.layers.iter().rev().find_map(of_file));
        let from = self.layers.iter().chain([self.caller]).filter_map(|layer| layer.deny_from).min();
        match said {
            Some(FindingLevel::Allow) => None,
            Some(FindingLevel::Deny) => Some(Severity::Error),
            None if from.is_some_and(|from| finding.severity >= from) => Some(Severity::Error),
            None => Some(finding.severity),
        }
    }
}

/// Longer patterns are refused.
const LONGEST_PATTERN: usize = 1_000;

/// A pattern of paths below the folder of a settings file, as in `.gitignore`: without a slash it is the name of a file or
/// folder anywhere, and what it matches includes everything below.
#[derive(Clone, Debug)]
pub struct PathPattern {
    matcher: GlobSet,
    is_name: bool,
}

impl PathPattern {
    /// Reads a pattern.
    pub fn new(text: &str) -> Result<Self, String> {
        let plain = text.trim_start_matches("./").trim_start_matches('/').trim_end_matches('/');
        if plain.len() > LONGEST_PATTERN {
            return Err(format!("a pattern has no more than {LONGEST_PATTERN} characters"));
        }
        let glob = GlobBuilder::new(plain).literal_separator(true).build();
        // A set of one: unlike a single pattern, it is refused and not a panic if braces are nested too deeply.
        let set = glob.and_then(|glob| GlobSet::builder().add(glob).build());
        let matcher = set.map_err(|error| match error.kind() {
            globset::ErrorKind::Regex(_) => "the pattern is nested too deeply, or too large".to_owned(),
            kind => kind.to_string(),
        })?;
        Ok(PathPattern { matcher, is_name: !text.trim_end_matches('/').contains('/') })
    }

    /// Whether it matches a path with forward slashes, or a folder on it.
    pub fn matches(&self, path: &str) -> bool {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        ends.map(|end| &path[..end]).any(|part| {
            let name = part.rsplit_once('/').map_or(part, |(_, name)| name);
            self.matcher.is_match(if self.is_name { name } else { part })
        })
    }
}

#[cfg(test)]
mod tests {
    use sequent_kernel::source::{Sources, Span};

    use super::*;

    fn layer(allowed: &[&str], denied: &[&str]) -> Layer {
        let mut layer = Layer::default();
        assert!(allowed.iter().all(|code| layer.allow(code)) && denied.iter().all(|code| layer.deny(code)));
        layer
    }

    #[test]
    fn the_nearest_layer_that_names_a_code_decides() {
        let file = Sources::new().add("a", "");
        let finding = Diagnostic::new(Code::UnbalancedActivation, Span::new(file, 0, 0), "x");
        let severity = |layers: &[Layer], caller: Layer, is_strict| {
            Lint { layers, caller: &caller, is_strict }.severity(&finding)
        };
        let none = Layer::default;
        let (error, warning) = (Some(Severity::Error), Some(Severity::Warning));
        assert_eq!(severity(&[], none(), false), warning);
        assert_eq!(severity(&[layer(&["W201"], &[])], none(), false), None);
        assert_eq!(severity(&[layer(&["W201"], &[])], none(), true), warning);
        assert_eq!(severity(&[layer(&["W201"], &[])], layer(&[], &["w201"]), false), error);
        assert_eq!(severity(&[layer(&["W201"], &[])], layer(&[], &["warnings"]), false), None);
        assert_eq!(severity(&[layer(&[], &["W201"])], layer(&["W2"], &[]), true), None);
        assert_eq!(severity(&[layer(&["W2"], &["W201"])], none(), false), error);
        assert_eq!(severity(&[layer(&["W201"], &["W201"])], none(), false), None);
        assert_eq!(severity(&[layer(&["W2"], &[]), layer(&[], &["W"])], none(), false), error);
        assert_eq!(severity(&[layer(&[], &["warnings"]), layer(&["W2"], &[])], none(), false), None);
        assert_eq!(severity(&[layer(&[], &["warnings"])], none(), false), error);
    }

    #[test]
    fn patterns_match_as_git_has_them() {
        let matches =
            |pattern: &str, path: &str| PathPattern::new(pattern).is_ok_and(|known| known.matches(path));
        for (pattern, path) in [
            ("drafts", "drafts/a.puml"),
            ("drafts/", "x/drafts/y/a.puml"),
            ("*.md", "x/a.md"),
            ("x/**/*.md", "x/y/z/a.md"),
            ("/a.md", "a.md"),
            ("x/*.md", "x/a.md"),
        ] {
            assert!(matches(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in
            [("/a.md", "x/a.md"), ("x/*.md", "x/y/a.md"), ("draft", "drafts/a.puml"), ("[", "[")]
        {
            assert!(!matches(pattern, path), "{pattern} {path}");
        }
    }
}
