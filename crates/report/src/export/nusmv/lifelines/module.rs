//! A module while it is written.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::super::lexicon::comment;
use super::units::ModulePath;

/// A module while it is written.
#[derive(Default)]
pub(crate) struct Module {
    pub(crate) frozen: String,
    pub variables: String,
    pub definitions: String,
    pub assignments: String,
    /// Lifelines, and the conditions, that it reaches.
    pub uses: BTreeSet<String>,
}

impl Module {
    pub(crate) fn declare(&mut self, line: &str) {
        let _ = writeln!(self.variables, "  {line};");
    }

    pub(crate) fn define(&mut self, name: &str, value: &str) {
        let _ = writeln!(self.definitions, "  {name} := {value};");
    }

    pub(crate) fn text(&self, title: &str, name: &str, parameters: &[String]) -> String {
        let list = if parameters.is_empty() { String::new() } else { format!("({})", parameters.join(", ")) };
        let mut text = format!("\n-- {}\nMODULE {name}{list}\n", comment(title));
        let sections = [
            ("FROZENVAR", &self.frozen),
            ("VAR", &self.variables),
            ("DEFINE", &self.definitions),
            ("ASSIGN", &self.assignments),
        ];
        for (word, section) in sections.iter().filter(|(_, section)| !section.is_empty()) {
            let _ = write!(text, "{word}\n{section}");
        }
        text
    }
}

/// Where a module reads whether it is chosen.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum ChoiceSignal {
    /// It decides by itself, within what is around it.
    Own,
    /// As what is around it.
    Around(ModulePath),
}

impl ChoiceSignal {
    /// The same for the modules inside of this one.
    pub(crate) fn inherit(&self, path: &ModulePath) -> ChoiceSignal {
        ChoiceSignal::Around(self.chooser(path))
    }

    /// Where it is decided whether a module is chosen.
    pub(crate) fn chooser(&self, path: &ModulePath) -> ModulePath {
        match self {
            ChoiceSignal::Own => path.clone(),
            ChoiceSignal::Around(path) => path.clone(),
        }
    }
}

/// All of these; true if there are none.
pub(crate) fn all(parts: &[String]) -> String {
    if parts.is_empty() { "TRUE".to_owned() } else { parts.join(" & ") }
}

/// Any of these; false if there are none.
pub(crate) fn any(parts: &[String]) -> String {
    if parts.is_empty() { "FALSE".to_owned() } else { parts.join(" | ") }
}
