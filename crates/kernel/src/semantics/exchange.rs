//! Messages by the names of their ends, and those that `ignore` and `consider` let happen although they are not drawn there
//! (rule I8).
//!
//! Which messages there are, and who sends them to whom, is known from what the diagram and those it uses draw, from what
//! the reader found in other diagrams of the folder and in classes, and from the list itself: `ignore {m: a -> b}`.

use std::collections::BTreeSet;

use super::text::{argument_texts, texts};
use crate::model::{Interaction, InteractionId, KnownMessage, LifelineId, Message, MessageSet, Model};
use crate::system::message_text;

/// A message by the names of the lifelines that exchange it: the same in every diagram.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Exchange {
    /// The lifeline that sends it; `None` outside.
    pub from: Option<String>,
    /// The lifeline that receives it; `None` outside.
    pub to: Option<String>,
    /// Its name.
    pub name: String,
    /// Its arguments as events tell them; `None` if it has no list of them.
    pub arguments: Option<Vec<String>>,
}

impl Exchange {
    /// A drawn message.
    pub fn drawn(interaction: &Interaction, message: &Message) -> Self {
        let Message { name, from, to, .. } = message;
        Exchange::between(interaction, [from, to].map(|end| end.lifeline()), name, argument_texts(message))
    }

    fn known(interaction: &Interaction, message: &KnownMessage) -> Self {
        let KnownMessage { name, arguments, from, to } = message;
        Exchange::between(interaction, [*from, *to], name, arguments.as_deref().map(texts))
    }

    fn between(
        interaction: &Interaction,
        ends: [Option<LifelineId>; 2],
        name: &str,
        arguments: Option<Vec<String>>,
    ) -> Self {
        let [from, to] = ends.map(|end| end.map(|line| interaction.lifelines[line].name.clone()));
        Exchange { from, to, name: name.to_owned(), arguments }
    }

    /// The names of its ends; one outside has none.
    pub fn ends(&self) -> [&str; 2] {
        [&self.from, &self.to].map(|end| end.as_deref().unwrap_or_default())
    }

    /// The text of its events without sign.
    pub fn text(&self) -> String {
        let [from, to] = self.ends();
        format!("{from}->{to}:{}", message_text(&self.name, self.arguments.as_deref()))
    }
}

/// The messages that some types let happen in one of these diagrams, which are an interaction and those it uses; each once.
pub fn extras(model: &Model, diagrams: &[InteractionId], types: MessageSet) -> Vec<Exchange> {
    let diagrams = || diagrams.iter().map(|diagram| &model.interactions[*diagram]);
    let drawn = diagrams().flat_map(|one| one.messages.iter().map(|message| Exchange::drawn(one, message)));
    let known = diagrams().flat_map(|one| one.known.iter().map(|message| Exchange::known(one, message)));
    let mut seen = BTreeSet::new();
    let mut found: Vec<Exchange> = drawn
        .chain(known)
        .filter(|one| types.lets_happen(&one.name, one.ends()) && seen.insert(one.text()))
        .collect();
    let MessageSet::Ignored(listed) = types else { return found };
    for one in listed {
        let Some([from, to]) = &one.ends else { continue };
        if !found.iter().any(|other| one.fits(&other.name, other.ends())) {
            let [from, to] = [from, to].map(|end| Some(end.clone()));
            found.push(Exchange { from, to, name: one.name.clone(), arguments: None });
        }
    }
    found
}
