//! Names: texts of diagrams as unique identifiers of another language.

use std::collections::BTreeSet;

use sequent_kernel::system::System;

/// The names of a System's variables, in their order, those that are given more than once with a number.
pub fn apart(system: &System) -> Vec<String> {
    let mut known: BTreeSet<String> = system.variables.iter().map(|variable| variable.name.clone()).collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut names = Vec::new();
    for variable in system.variables.iter() {
        let name = variable.name.as_str();
        if seen.insert(name) {
            names.push(name.to_owned());
            continue;
        }
        let numbered = (2..).map(|number: usize| format!("{name}~{number}"));
        let fresh =
            numbered.into_iter().find(|name| !known.contains(name)).unwrap_or_else(|| name.to_owned());
        known.insert(fresh.clone());
        names.push(fresh);
    }
    names
}

/// Identifiers that were given away.
pub(crate) struct Identifiers {
    taken: BTreeSet<String>,
    /// Whether a word means something in the language, besides those that are taken from the start.
    is_reserved: fn(&str) -> bool,
}

impl Identifiers {
    /// None but words that mean something already.
    pub(crate) fn without(words: &str) -> Self {
        Identifiers::reserving(words, |_| false)
    }

    /// Only the reserved words, some of which `is_reserved` recognises.
    pub(crate) fn reserving(words: &str, is_reserved: fn(&str) -> bool) -> Self {
        Identifiers { taken: words.split_whitespace().map(str::to_owned).collect(), is_reserved }
    }

    /// Whether an identifier is taken.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.taken.contains(name) || (self.is_reserved)(name)
    }

    /// A word like another, such that no identifier is it with a number behind it.
    pub(crate) fn prefix(&self, word: &str) -> String {
        let is_numbered = |name: &String, prefix: &str| {
            name.strip_prefix(prefix)
                .is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()))
        };
        let mut prefix = word.to_owned();
        while self.taken.iter().any(|name| is_numbered(name, &prefix)) {
            prefix.push('_');
        }
        prefix
    }

    /// A fresh identifier similar to a text.
    pub(crate) fn give(&mut self, text: &str) -> String {
        let plain = identifier(text);
        let numbered = (2..).map(|number| format!("{plain}_{number}"));
        let mut all = std::iter::once(plain.clone()).chain(numbered);
        let name = all.find(|name| !self.has(name)).unwrap_or(plain);
        self.taken.insert(name.clone());
        name
    }
}

/// Letters, digits and underscores; two underscores and a digit in front may mean something to C.
fn identifier(text: &str) -> String {
    let mut name = String::new();
    for letter in text.chars().take(40) {
        match letter {
            letter if letter.is_ascii_alphanumeric() => name.push(letter),
            '!' => name.push_str("sent_"),
            '?' => name.push_str("received_"),
            _ if name.ends_with('_') || name.is_empty() => {}
            _ => name.push('_'),
        }
    }
    let name = name.trim_end_matches('_');
    match name.chars().next() {
        None => "x".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("x{name}"),
        Some(_) => name.to_owned(),
    }
}
