//! Communication lines: a channel for each pair of lifelines, over which messages travel by name.
//!
//! What waits in a channel has no more room than the diagram needs, so that no sender ever waits. Where all messages of a pair stand one after the
//! other they are received in that order (`?`); where some stand beside each other a receiver takes its own from wherever it is (`??`), and a
//! number tells apart those that are called alike. SPIN's channels hold no more than 255 messages: a pair that needs more has a counter for each
//! message instead.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::id::IdVec;
use sequent_kernel::templates::{
    LineId, NodeId, OperandComposition, OperandOrder, TemplateNodeKind, TemplateTree,
};

use super::super::lexicon::comment;
use super::Identifiers;

/// More messages do not wait in one channel.
const MOST_WAITING: usize = 255;

/// The lines of a diagram.
pub(crate) struct Channels {
    /// How they are declared.
    pub declarations: String,
    /// How many channels there are.
    pub count: usize,
    ways: BTreeMap<NodeId, MessageTransport>,
}

/// How a message travels.
enum MessageTransport {
    /// Through a channel, called so there.
    Channel { name: String, word: String, is_queue: bool },
    /// It is counted.
    Counter(String),
}

/// What is written for the end of a message.
pub(crate) struct ChannelEnd {
    /// What must hold, where that is asked for beside something else.
    pub ready: String,
    /// What is done.
    pub done: String,
    /// Whether `done` waits until it can be.
    pub waits: bool,
}

impl Channels {
    /// The lines between lifelines that are called so; messages are called as `words` says.
    pub(crate) fn new(
        tree: &TemplateTree,
        lines: &IdVec<LineId, String>,
        word: &dyn Fn(NodeId) -> String,
        names: &mut Identifiers,
    ) -> Channels {
        let mut pairs: BTreeMap<(LineId, LineId), Vec<NodeId>> = BTreeMap::new();
        for node in tree.nodes.ids() {
            if let TemplateNodeKind::Message(Some(send), Some(receive)) = tree.nodes[node].kind {
                let pair = (tree.occurrences[send].line, tree.occurrences[receive].line);
                pairs.entry(pair).or_default().push(node);
            }
        }
        let mut made = Channels { declarations: String::new(), count: 0, ways: BTreeMap::new() };
        for ((from, to), messages) in pairs {
            let told = format!("from {} to {}", comment(&tree.lines[from]), comment(&tree.lines[to]));
            let line = format!("{}_{}", lines[from], lines[to]);
            let own: BTreeSet<NodeId> = messages.iter().copied().collect();
            let room = most(tree, tree.root, &own);
            if room > MOST_WAITING {
                made.count_all(&messages, (&line, &told), word, names);
                continue;
            }
            let name = names.give(&line);
            let is_queue = !are_beside(tree, &messages);
            let words: Vec<String> = messages.iter().map(|one| word(*one)).collect();
            let is_numbered = !is_queue && words.iter().collect::<BTreeSet<_>>().len() < words.len();
            let content = if is_numbered { "mtype, byte" } else { "mtype" };
            let room = room.max(1);
            let _ = writeln!(made.declarations, "chan {name} = [{room}] of {{ {content} }}; /* {told} */");
            made.count += 1;
            for (number, (message, word)) in (1..).zip(messages.into_iter().zip(words)) {
                let word = if is_numbered { format!("{word},{number}") } else { word };
                made.ways.insert(message, MessageTransport::Channel { name: name.clone(), word, is_queue });
            }
        }
        made
    }

    fn count_all(
        &mut self,
        messages: &[NodeId],
        (line, told): (&str, &str),
        word: &dyn Fn(NodeId) -> String,
        names: &mut Identifiers,
    ) {
        for message in messages {
            let name = names.give(&format!("{line}_{}", word(*message)));
            let _ = writeln!(self.declarations, "short {name}; /* {} on its way {told} */", word(*message));
            self.ways.insert(*message, MessageTransport::Counter(name));
        }
    }

    /// The sending of a message.
    pub(crate) fn sent(&self, message: NodeId) -> Option<String> {
        Some(match self.ways.get(&message)? {
            MessageTransport::Channel { name, word, .. } => format!("{name}!{word}"),
            MessageTransport::Counter(name) => format!("{name}++"),
        })
    }

    /// The receipt of a message.
    pub(crate) fn received(&self, message: NodeId) -> Option<ChannelEnd> {
        Some(match self.ways.get(&message)? {
            MessageTransport::Channel { name, word, is_queue } => {
                let sign = if *is_queue { "?" } else { "??" };
                let (ready, done) = (format!("{name}{sign}[{word}]"), format!("{name}{sign}{word}"));
                ChannelEnd { ready, done, waits: true }
            }
            MessageTransport::Counter(name) => {
                ChannelEnd { ready: format!("{name} > 0"), done: format!("{name}--"), waits: false }
            }
        })
    }
}

/// How many of some messages may be on their way at most.
fn most(tree: &TemplateTree, node: NodeId, messages: &BTreeSet<NodeId>) -> usize {
    if !tree.is_live(node) {
        return 0;
    }
    let inner = tree.children(node).iter().map(|child| most(tree, *child, messages));
    let all = match tree.fragment(node).map(|fragment| fragment.shape.order()) {
        Some(OperandOrder::Choice) => inner.max().unwrap_or(0),
        Some(OperandOrder::Sequence | OperandOrder::Beside) | None => inner.fold(0, usize::saturating_add),
    };
    let own = usize::from(messages.contains(&node));
    let rounds = tree.kept.get(&node).map_or(1, |rounds| rounds.max as usize);
    (all + own).saturating_mul(rounds)
}

/// Whether two of some messages stand beside each other.
fn are_beside(tree: &TemplateTree, messages: &[NodeId]) -> bool {
    let path = |node: NodeId| -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(node), |one| tree.nodes[*one].parent).collect();
        path.reverse();
        path
    };
    let paths: Vec<Vec<NodeId>> = messages.iter().map(|one| path(*one)).collect();
    let is_loose = |one: &[NodeId], other: &[NodeId]| {
        let common: Vec<NodeId> =
            one.iter().zip(other).take_while(|(one, other)| one == other).map(|(one, _)| *one).collect();
        let shape = |node: &NodeId| tree.fragment(*node).map(|fragment| fragment.shape);
        let is_split =
            common.last().and_then(shape).is_some_and(|shape| shape.order() == OperandOrder::Beside);
        is_split
            || common.iter().filter_map(shape).any(|shape| matches!(shape, OperandComposition::Coregion(_)))
    };
    paths.iter().enumerate().any(|(at, one)| paths[at + 1..].iter().any(|other| is_loose(one, other)))
}
