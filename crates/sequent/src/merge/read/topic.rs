//! What a statement is about, by which pieces of two revisions are found to be the same.

/// What a piece is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Topic {
    /// Words: a participant's name, a block's keyword; empty if there is nothing.
    Words(String),
    /// Sender and receiver of a message; an end that is no participant is empty.
    Ends([String; 2]),
}

impl Default for Topic {
    fn default() -> Self {
        Topic::Words(String::new())
    }
}

impl Topic {
    /// The words; none of a message.
    pub(in crate::merge) fn words(&self) -> &str {
        match self {
            Topic::Words(words) => words,
            Topic::Ends(_) => "",
        }
    }

    /// The message the other way round, if it is one.
    pub(in crate::merge) fn back(&self) -> Option<Topic> {
        match self {
            Topic::Ends([from, to]) => Some(Topic::Ends([to.clone(), from.clone()])),
            Topic::Words(_) => None,
        }
    }

    /// The same about a participant with another name.
    pub(in crate::merge) fn renamed(&self, old: &str, new: &str) -> Topic {
        let one = |name: &String| if name == old { new.to_owned() } else { name.clone() };
        match self {
            Topic::Words(words) => Topic::Words(one(words)),
            Topic::Ends(ends) => Topic::Ends(ends.each_ref().map(one)),
        }
    }
}
