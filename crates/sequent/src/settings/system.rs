//! `[system]`: how the objects of a system communicate, which there are, and which are linked.

use sequent_kernel::diagnostic::Code;
use sequent_kernel::model::{Communication, Completion, Scheduling, Steps};
use sequent_kernel::source::Place;
use toml::de::{DeTable, DeValue};

use super::{SettingValue, SettingsReader, key, number};

impl SettingsReader<'_> {
    pub(super) fn system(&mut self, table: &DeTable) {
        for (key, value) in table.iter() {
            match key.get_ref().as_ref() {
                "communication" => {
                    let known = self.word(value).and_then(|word| communication(&word));
                    self.keep(known, value, "one of queue, bag, rendezvous", |settings, known| {
                        settings.system.communication = Some(known);
                    });
                }
                "capacity" => {
                    let number = number(value).and_then(capacity);
                    let wanted = format!("a whole number from 1 to {MOST_CAPACITY}");
                    self.keep(number, value, &wanted, |settings, number| {
                        settings.system.capacity = Some(number);
                    });
                }
                "steps" => {
                    let known = self.word(value).and_then(|word| steps(&word));
                    self.keep(known, value, "intermediate or direct", |settings, known| {
                        settings.system.steps = Some(known);
                    });
                }
                "completion" => {
                    let known = self.word(value).and_then(|word| completion(&word));
                    self.keep(known, value, "queued or free", |settings, known| {
                        settings.system.completion = Some(known);
                    });
                }
                "closed" => {
                    let known = match value.get_ref() {
                        DeValue::Boolean(known) => Some(*known),
                        _ => None,
                    };
                    self.keep(known, value, "true or false", |settings, known| {
                        settings.system.closed = Some(known);
                    });
                }
                "fairness" => {
                    let known = self.word(value).and_then(|word| Scheduling::from_word(&word));
                    self.keep(known, value, "weak, strong or none", |settings, known| {
                        settings.system.fairness = Some(known);
                    });
                }
                "objects" => self.objects(value),
                "links" => self.links(value),
                other => {
                    self.unknown(key.span(), other, &key::of("system"));
                }
            }
        }
    }

    /// Objects in the order in which they are written: it is the order of reports.
    fn objects(&mut self, value: &SettingValue) {
        let DeValue::Table(table) = value.get_ref() else {
            let message = "this must be a table of names and classes such as { a1 = \"ATM\" }".to_owned();
            self.report(Code::BadSetting, value.span(), message);
            return;
        };
        let mut objects = Vec::new();
        for (key, class) in table.iter() {
            let place = self.span(key.span().start..class.span().end);
            match self.word(class).filter(|class| !class.trim().is_empty()) {
                Some(class) => objects.push((key.get_ref().to_string(), class, Place(place))),
                None => {
                    let message = "this must be the name of a class".to_owned();
                    self.report(Code::BadSetting, class.span(), message);
                }
            }
        }
        objects.sort_by_key(|(_, _, place)| place.0);
        self.settings.system.objects = objects;
    }

    fn links(&mut self, value: &SettingValue) {
        let links: &[SettingValue] = match value.get_ref() {
            DeValue::Array(links) => links,
            _ => &[],
        };
        if !matches!(value.get_ref(), DeValue::Array(_)) {
            let message = "this must be a list of pairs such as [[\"a1\", \"b\"]]".to_owned();
            self.report(Code::BadSetting, value.span(), message);
        }
        for link in links {
            let ends: Vec<String> = match link.get_ref() {
                DeValue::Array(ends) => ends.iter().filter_map(|end| self.word(end)).collect(),
                _ => Vec::new(),
            };
            match <[String; 2]>::try_from(ends) {
                Ok([left, right]) => {
                    let place = Place(self.span(link.span()));
                    self.settings.system.links.push((left, right, place));
                }
                Err(_) => {
                    let message = "a link is a pair of objects such as [\"a1\", \"b\"]".to_owned();
                    self.report(Code::BadSetting, link.span(), message);
                }
            }
        }
    }
}

/// Queues hold no more messages than this: each has a place of its own in every state.
pub(super) const MOST_CAPACITY: u32 = 1000;

/// The capacity of a number, if it is one.
pub(super) fn capacity(number: u32) -> Option<u32> {
    (1..=MOST_CAPACITY).contains(&number).then_some(number)
}

/// The medium of a word.
pub(super) fn communication(word: &str) -> Option<Communication> {
    match word {
        "queue" => Some(Communication::Queue),
        "bag" => Some(Communication::Bag),
        "rendezvous" => Some(Communication::Rendezvous),
        _ => None,
    }
}

/// The order of completion events, by the word for it.
pub(super) fn completion(word: &str) -> Option<Completion> {
    match word {
        "queued" => Some(Completion::Queued),
        "free" => Some(Completion::Free),
        _ => None,
    }
}

/// How steps are taken, by the word for it.
pub(super) fn steps(word: &str) -> Option<Steps> {
    match word {
        "intermediate" => Some(Steps::Intermediate),
        "direct" => Some(Steps::Direct),
        _ => None,
    }
}
