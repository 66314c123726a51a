//! Logs: a run step by step, as rows of what happens and of what those who take part are like then.
//!
//! Texts are in the words of the diagrams, and what a drawing marks is kept beside them by its number, so that a printer
//! needs to know nothing of systems. Each row is complete; which of it is new is for the printer to see.

use crate::model::{TransitionId, VertexId};
use crate::source::Place;

/// A run step by step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Log {
    /// The names of the columns.
    pub columns: Vec<Column>,
    /// The beginning, then one row for each step.
    pub rows: Vec<LogRow>,
    /// The row that is as the last one, and after which all is repeated forever, if the run is infinite.
    pub cycle: Option<usize>,
    /// What is asked about the run, and its parts, each after those that it consists of.
    pub claims: Vec<MomentClaim>,
}

/// An object that takes part in a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Where its state machine stands; `None` where that is not known.
    pub machine: Option<Place>,
}

/// Something that is true or false at each moment of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MomentClaim {
    /// As its author wrote it.
    pub text: String,
    /// For each row whether it is true there; `None` in rows that do not count for it.
    pub truth: Vec<Option<bool>>,
    /// The rows in which it is decided that the whole is false.
    pub deciding: Vec<usize>,
}

/// What happens in a step, and how things stand then.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LogRow {
    /// The events, or what is done where none is seen; empty at the beginning.
    pub deed: String,
    /// Whether something is seen.
    pub is_seen: bool,
    /// How things stand afterwards, in the order of the columns.
    pub standings: Vec<ObjectStatus>,
    /// The transitions that fire, each with the column of its object.
    pub fired: Vec<(usize, TransitionId)>,
    /// Where what happens is written.
    pub place: Option<Place>,
    /// The same for all who take part in it.
    pub places: Vec<Place>,
    /// What may happen next; `None` where it was not looked for.
    pub choices: Option<Choices>,
}

/// What may happen next at some moment, and what may not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choices {
    /// The steps that are possible.
    pub enabled: Vec<Choice>,
    /// What is not possible, and why, a line each.
    pub blocked: Vec<String>,
}

/// A step that is possible.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choice {
    /// What happens in it.
    pub text: String,
    /// Whether it is the one that the run takes.
    pub is_taken: bool,
}

/// What an object is like at one moment.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ObjectStatus {
    /// The active states: `Verifying(CardValid, PINCorrect)`; empty if none is.
    pub states: String,
    /// The active states and those around them.
    pub active: Vec<VertexId>,
    /// Its attributes with their values.
    pub attributes: Vec<(String, String)>,
    /// The messages that wait for it, each with its sender if that is known: `pay from shop`.
    pub waiting: Vec<String>,
    /// Whether it is in the middle of a step.
    pub is_busy: bool,
}

impl ObjectStatus {
    /// What is new since another moment: states, then attributes `x = 2`; empty if neither changed. States that an object
    /// has only left are not new.
    pub fn news(&self, before: Option<&ObjectStatus>) -> Vec<String> {
        let mut news = Vec::new();
        let is_new = before.is_none_or(|before| before.states != self.states);
        news.extend((is_new && !self.states.is_empty()).then(|| self.states.clone()));
        let is_known =
            |pair: &&(String, String)| before.is_some_and(|before| before.attributes.contains(pair));
        let changed = self.attributes.iter().filter(|pair| !is_known(pair));
        let values: Vec<String> = changed.map(|(name, value)| format!("{name} = {value}")).collect();
        news.extend((!values.is_empty()).then(|| values.join(", ")));
        news
    }
}
