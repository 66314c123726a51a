//! Messages as names: an `mtype` for each, and macros by which formulas ask for them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::templates::{TemplateOccurrence, TemplateTree};

use super::Identifiers;

/// The messages of a diagram, by their names and texts.
pub(crate) struct Messages(BTreeMap<String, PromelaMessage>);

struct PromelaMessage {
    /// The macro that asks for it.
    asked: String,
    /// The constant of each text.
    words: BTreeMap<String, String>,
}

impl Messages {
    /// The messages of a tree.
    pub(crate) fn new(tree: &TemplateTree, names: &mut Identifiers) -> Messages {
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for one in tree.occurrences.iter().filter(|one| !one.message.is_empty()) {
            found.entry(one.message.clone()).or_default().insert(one.label.clone());
        }
        let mut messages = BTreeMap::new();
        for (message, texts) in found {
            let words = texts.into_iter().map(|text| (text.clone(), names.give(&text))).collect();
            let asked = names.give(&format!("msg_{message}"));
            messages.insert(message, PromelaMessage { asked, words });
        }
        Messages(messages)
    }

    /// The constant of an occurrence's message; 0 without one.
    pub(crate) fn word(&self, one: &TemplateOccurrence) -> &str {
        self.0.get(&one.message).and_then(|message| message.words.get(&one.label)).map_or("0", String::as_str)
    }

    /// That the last message is that of an occurrence.
    pub(crate) fn exactly(&self, one: &TemplateOccurrence) -> String {
        self.asked(|text| text == one.label && !one.message.is_empty(), &one.message)
    }

    /// That the last message is one of those that somebody asks for.
    pub(crate) fn any(&self, is_asked: impl Fn(&str, &str) -> bool) -> String {
        let each = self.0.keys().map(|message| self.asked(|text| is_asked(message, text), message));
        let each: Vec<String> = each.filter(|one| one != "false").collect();
        match each.as_slice() {
            [] => "false".to_owned(),
            [only] => only.clone(),
            several => format!("({})", several.join(" || ")),
        }
    }

    /// The macro of a message if all of its texts are asked for, or each text by itself.
    fn asked(&self, is_asked: impl Fn(&str) -> bool, message: &str) -> String {
        let Some(PromelaMessage { asked, words }) = self.0.get(message) else { return "false".to_owned() };
        let chosen: Vec<String> = words
            .iter()
            .filter(|(text, _)| is_asked(text))
            .map(|(_, word)| format!("msg == {word}"))
            .collect();
        match chosen.len() {
            0 => "false".to_owned(),
            all if all == words.len() => asked.clone(),
            _ => format!("({})", chosen.join(" || ")),
        }
    }

    /// The constants and the macros.
    pub(crate) fn declarations(&self) -> String {
        let words: Vec<&str> =
            self.0.values().flat_map(|message| message.words.values().map(String::as_str)).collect();
        let mut text = match words.is_empty() {
            true => String::new(),
            false => format!("/* Messages. */\nmtype = {{ {} }};\n", words.join(", ")),
        };
        for PromelaMessage { asked, words } in self.0.values() {
            let any: Vec<String> = words.values().map(|word| format!("msg == {word}")).collect();
            let _ = writeln!(text, "#define {asked} ({})", any.join(" || "));
        }
        text
    }
}
