//! Ids: unique names of the elements of a model.
//!
//! Names are what a reader wants to see where one thing refers to another, but a name may occur twice. An id is the name
//! where that is unique among its neighbours, which it nearly always is, and otherwise the name with its number:
//! `poll#1`, `poll#2`. For messages this is the text by which the directive `@order` calls them.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::model::{End, Interaction, LifelineId, Message, MessageId};
use serde_json::Value;

use super::AstScope;
use super::record::list;

/// One id for each name, all different.
pub(super) fn ids<I: Id>(names: impl Iterator<Item = String>) -> IdVec<I, String> {
    let names: Vec<String> = names.collect();
    let mut uses: BTreeMap<&str, u32> = BTreeMap::new();
    for name in &names {
        *uses.entry(name).or_default() += 1;
    }
    let is_unique = |name: &str| uses[name] == 1;
    let mut taken: BTreeSet<String> = names.iter().filter(|name| is_unique(name)).cloned().collect();
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    let mut ids = IdVec::new();
    for name in &names {
        ids.push(if is_unique(name) {
            name.clone()
        } else {
            numbered(name, numbers.entry(name).or_default(), &mut taken)
        });
    }
    ids
}

/// The name with the next number. That id is taken already only if something is itself called `name#2`.
fn numbered(name: &str, number: &mut u32, taken: &mut BTreeSet<String>) -> String {
    loop {
        *number += 1;
        let id = format!("{name}#{number}");
        if taken.insert(id.clone()) {
            return id;
        }
    }
}

/// What the parts of one interaction are called.
pub(super) struct InteractionPartNames<'a> {
    pub(super) scope: &'a AstScope<'a>,
    lifelines: IdVec<LifelineId, String>,
    messages: IdVec<MessageId, String>,
}

impl<'a> InteractionPartNames<'a> {
    pub(super) fn new(scope: &'a AstScope<'a>, interaction: &Interaction) -> Self {
        let lifelines = ids(interaction.lifelines.iter().map(|lifeline| lifeline.name.clone()));
        let end = |end: End| end.lifeline().map_or("", |id| lifelines[id].as_str());
        let message =
            |message: &Message| format!("{}->{}:{}", end(message.from), end(message.to), message.name);
        let messages = ids(interaction.messages.iter().map(message));
        Self { scope, lifelines, messages }
    }

    /// The id of a lifeline.
    pub(super) fn lifeline(&self, lifeline: LifelineId) -> &str {
        &self.lifelines[lifeline]
    }

    /// The ids of several lifelines.
    pub(super) fn lifelines(&self, lifelines: &[LifelineId]) -> Value {
        list(lifelines, |id| self.lifeline(*id))
    }

    /// The id of a message.
    pub(super) fn message(&self, message: MessageId) -> &str {
        &self.messages[message]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &[&str], expected: &[&str]) {
        let ids: IdVec<LifelineId, String> = ids(names.iter().map(|name| (*name).to_owned()));
        assert!(ids.iter().eq(expected), "{ids:?}");
    }

    #[test]
    fn only_repeated_names_are_numbered() {
        check(&["a", "b"], &["a", "b"]);
        check(&["a", "b", "a"], &["a#1", "b", "a#2"]);
    }

    #[test]
    fn ids_differ_even_where_names_look_like_ids() {
        check(&["a", "a#2", "a"], &["a#1", "a#2", "a#3"]);
    }
}
