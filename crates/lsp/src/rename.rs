//! New names: what a change of names would do is found out before it is made.
//!
//! A name may be a word of the notation in some place (`title`, `end`), or stand where no index sees it. So the changed texts are
//! read as the old ones are, and have to say the same except for the name: the same models, questions and machines behind
//! participants, and no finding that was not there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::thread::{self, available_parallelism};

use sequent::pipeline;
use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::model::Model;
use sequent_kernel::source::{Sources, Span};
use sequent_report::ast;
use serde_json::Value;

use crate::navigate::{FileView, FolderView, machines_of};
use crate::{ReadGroup, SettingsGroup, text, trial};

/// What stands for both names where texts are compared.
const EITHER: &str = "\u{0}";

/// So many pages are compared by one thread.
const MANY_PAGES: usize = 50;

/// A name and the one that it is to have.
pub(crate) struct NewName<'n> {
    /// The name.
    pub old: &'n str,
    /// The new one.
    pub new: &'n str,
}

/// What a folder says, by itself and all together.
#[derive(Clone, Copy)]
pub(crate) struct FolderMeaning<'f> {
    /// Its files.
    pub view: &'f FolderView,
    /// What they say together.
    pub group: &'f ReadGroup,
}

impl NewName<'_> {
    /// Fails with the place where a folder says something else after the change.
    pub(crate) fn keeps(&self, before: FolderMeaning<'_>, after: FolderMeaning<'_>) -> Result<(), String> {
        let other = self
            .other_page(before.view, after.view)
            .or_else(|| self.other_question(before.view, after.view))
            .or_else(|| self.other_machine(before.view, after.view));
        if let Some(place) = other {
            return Err(format!("with the name `{}` {place} would say something else", self.new));
        }
        let [old, new] = [before, after].map(|meaning| self.questions(meaning.group));
        if let Some(question) = old.symmetric_difference(&new).next() {
            let question = question.replace(EITHER, self.old);
            return Err(format!("with the name `{}` other questions would be asked: {question}", self.new));
        }
        // Which names look alike is no reason to refuse one.
        let counts = |one: &Diagnostic| one.code != Code::LikelySlip;
        match trial::news(before.group, after.group, |text| self.masked(text), counts) {
            Some(finding) => Err(format!(
                "with the name `{}` there would be a finding in {place}: {} {}",
                self.new,
                finding.name(),
                finding.message,
                place = place(&after.group.sources, finding.span),
            )),
            None => Ok(()),
        }
    }

    /// The first place where a file says something else.
    fn other_page(&self, before: &FolderView, after: &FolderView) -> Option<String> {
        if before.leaves.len() != after.leaves.len() {
            return Some("the folder".to_owned());
        }
        let pages = before.leaves.iter().zip(&after.leaves);
        let changed: Vec<_> = pages.filter(|(old, new)| !Arc::ptr_eq(&old.page, &new.page)).collect();
        let first = |some: &[(&FileView, &FileView)]| {
            some.iter().find_map(|(old, new)| {
                self.other_model((&old.page.model, &before.sources), (&new.page.model, &after.sources))
            })
        };
        let share = changed.len().div_ceil(available_parallelism().map_or(1, usize::from)).max(MANY_PAGES);
        if changed.len() <= share {
            return first(&changed);
        }
        thread::scope(|scope| {
            let workers: Vec<_> = changed.chunks(share).map(|some| scope.spawn(|| first(some))).collect();
            // The first of all, whichever worker is done first.
            let told = |worker: thread::ScopedJoinHandle<'_, _>| {
                worker.join().unwrap_or(Some("the folder".to_owned()))
            };
            workers.into_iter().find_map(told)
        })
    }

    fn other_question(&self, before: &FolderView, after: &FolderView) -> Option<String> {
        let asked = |view: &FolderView| Model { checks: view.settings.checks.clone(), ..Model::default() };
        self.other_model((&asked(before), &before.sources), (&asked(after), &after.sources))
    }

    fn other_model(&self, old: (&Model, &Sources), new: (&Model, &Sources)) -> Option<String> {
        let [old, new] = [old, new].map(|(model, sources)| ast::json(model, sources));
        let parts = old.as_object()?.iter().filter(|(key, _)| *key != "files");
        parts.filter_map(|(key, part)| self.difference(part, &new[key], &Value::Null)).map(told).next()
    }

    /// The place of the first part that says something else.
    fn difference<'v>(&self, old: &'v Value, new: &Value, around: &'v Value) -> Option<&'v Value> {
        let is_same = match (old, new) {
            (Value::Object(old), Value::Object(new)) => {
                if [old, new].iter().all(|one| one.contains_key("endOffset")) {
                    return None;
                }
                let around = old.get("place").unwrap_or(around);
                let keys =
                    |keys: serde_json::map::Keys<'_>| keys.map(|key| self.masked(key)).collect::<Vec<_>>();
                if keys(old.keys()) != keys(new.keys()) {
                    return Some(around);
                }
                let mut parts = old.values().zip(new.values());
                return parts.find_map(|(old, new)| self.difference(old, new, around));
            }
            (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
                if let (Some(old), Some(new)) = (self.words(old), self.words(new)) {
                    return (old != new).then_some(around);
                }
                let mut parts = old.iter().zip(new);
                return parts.find_map(|(old, new)| self.difference(old, new, around));
            }
            (Value::String(old), Value::String(new)) => self.masked(old) == self.masked(new),
            (old, new) => old == new,
        };
        (!is_same).then_some(around)
    }

    /// The texts of a list in an order of their own: some are sorted by name.
    fn words(&self, list: &[Value]) -> Option<Vec<String>> {
        let mut words: Vec<String> =
            list.iter().map(|one| one.as_str().map(|text| self.masked(text))).collect::<Option<_>>()?;
        words.sort();
        Some(words)
    }

    /// A text in which both names are one.
    fn masked(&self, text: &str) -> String {
        [self.old, self.new].iter().fold(text.to_owned(), |text, name| replaced(&text, name))
    }

    /// What is asked of which diagram.
    fn questions(&self, group: &ReadGroup) -> BTreeSet<String> {
        let of = |system: &SettingsGroup| {
            let agenda = pipeline::agenda(&system.reading, &system.settings);
            agenda.queries.iter().map(|query| self.masked(&query.text())).collect::<Vec<_>>()
        };
        group.systems.iter().flat_map(of).collect()
    }

    /// The first participant that behaves as another machine.
    fn other_machine(&self, before: &FolderView, after: &FolderView) -> Option<String> {
        let machines = |view: &FolderView| -> Vec<(Span, Vec<String>)> {
            // Many have one name and class.
            let mut known: BTreeMap<(&str, Option<&str>), Vec<String>> = BTreeMap::new();
            let mut all = Vec::new();
            for line in view.models().flat_map(|model| &model.interactions).flat_map(|one| &one.lifelines) {
                let names = || machines_of(view, line).iter().map(|one| one.name.clone()).collect();
                let own = known.entry((&line.name, line.class.as_deref())).or_insert_with(names);
                all.push((line.place.0, own.clone()));
            }
            all
        };
        let (old, new) = (machines(before), machines(after));
        let mut pairs = old.iter().zip(&new);
        let other = pairs.find(|((_, old), (_, new))| old != new);
        other.map(|((span, _), _)| place(&before.sources, *span))
    }
}

/// A text in which a word stands for another.
fn replaced(text: &str, word: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    let mut done = String::new();
    while let Some(at) = rest.find(word).filter(|_| !word.is_empty()) {
        let (before, behind) = (&rest[..at], &rest[at + word.len()..]);
        done += before;
        let is_begun = word.starts_with(is_part) && done.ends_with(is_part);
        let is_continued = word.ends_with(is_part) && behind.starts_with(is_part);
        done += if is_begun || is_continued { word } else { EITHER };
        rest = behind;
    }
    done + rest
}

/// A place in words, as the JSON of models has it.
fn told(place: &Value) -> String {
    match (place["file"].as_str(), place["line"].as_u64()) {
        (Some(file), Some(line)) => text::in_words(file, line),
        (_, _) => "the folder".to_owned(),
    }
}

fn place(sources: &Sources, span: Span) -> String {
    let source = sources.get(span.file);
    text::in_words(&source.name, u64::from(source.position(span.start).line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_replaced_where_they_stand_alone() {
        assert_eq!(replaced("a->bank:a(a1, a)", "a"), "\u{0}->bank:\u{0}(a1, \u{0})");
        assert_eq!(replaced("data a_a a", "a"), "data a_a \u{0}");
        assert_eq!(replaced("pay", ""), "pay");
    }
}
