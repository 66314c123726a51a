//! Logs: a run step by step, as rows of what happens and of what those who take part are like then.
//!
//! Everything is text in the words of the diagrams, so that whoever prints a log needs to know nothing of systems. Each row
//! is complete; which of it is new is for the printer to see.

/// A run step by step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Log {
    /// Who has a column.
    pub columns: Vec<String>,
    /// The beginning, then one row for each step.
    pub rows: Vec<Row>,
    /// The row that is as the last one, and after which all is repeated forever, if the run is infinite.
    pub cycle: Option<usize>,
}

/// What happens in a step, and how things stand then.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Row {
    /// The events, or what is done where none is seen; empty at the beginning.
    pub deed: String,
    /// Whether something is seen.
    pub is_seen: bool,
    /// How things stand afterwards, in the order of the columns.
    pub standings: Vec<Standing>,
}

/// What an object is like at one moment.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Standing {
    /// The active states: `Verifying(CardValid, PINCorrect)`; empty if none is.
    pub states: String,
    /// Its attributes with their values.
    pub attributes: Vec<(String, String)>,
    /// The messages that wait for it, each with its sender if that is known: `pay from shop`.
    pub waiting: Vec<String>,
    /// Whether it is in the middle of a step.
    pub is_busy: bool,
}

impl Standing {
    /// What is new since another moment: states, then attributes `x = 2`; empty if neither changed. States that an object
    /// has only left are not new.
    pub fn news(&self, before: Option<&Standing>) -> Vec<String> {
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
