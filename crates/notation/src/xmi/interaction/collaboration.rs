//! Interactions of UML 1: messages between the roles of a collaboration (UML 1.4, 2.10).
//!
//! There are no occurrences. A message comes after the message that activates it, and after its predecessors and all that these
//! activate. What that leaves open is taken from the drawing (Enterprise Architect); where that tells nothing, the interaction is refused.

use std::collections::{BTreeSet, HashMap};

use sequent_kernel::model::{Block, LifelineId, MessageSort};

use super::XmiInteractionBuilder;
use crate::xmi::drawing::MessageDrawing;
use crate::xmi::text;
use crate::xmi::tree::{NodeId, XmiTree};

impl XmiInteractionBuilder<'_, '_, '_> {
    /// Reads the messages of an interaction whose ends are roles.
    pub(super) fn collaboration(&mut self, node: NodeId, drawing: Option<&MessageDrawing>) {
        let tree = self.reader.tree;
        let messages: Vec<NodeId> = tree.parts(node, "message").collect();
        let mut found = HashMap::new();
        for role in roles(tree, node, &messages) {
            let name = tree.name(role).trim_start_matches('/').trim();
            let class = tree.first(role, "base").map(|base| tree.name(base)).filter(|name| !name.is_empty());
            let id = self.lifeline(role, (name, None), class.map(str::to_owned), false);
            found.insert(role, id);
        }
        for message in &messages {
            for (property, is_send) in [("sender", true), ("receiver", false)] {
                let line: Option<&LifelineId> =
                    tree.first(*message, property).and_then(|role| found.get(&role));
                if let Some(line) = line {
                    self.ends.roles.insert((*message, is_send), *line);
                }
            }
        }
        let listed = order(tree, &messages);
        let drawn = drawing.filter(|_| listed.is_err()).and_then(|drawing| drawing.messages(tree, &messages));
        if drawn.is_some() {
            self.tell_drawn(node);
        }
        match drawn.map_or(listed, Ok) {
            Ok(ordered) => {
                let mut body = Block::default();
                ordered.into_iter().for_each(|message| self.place(message, &HashMap::new(), &mut body));
                self.interaction.body = body;
            }
            Err([one, other]) => {
                for message in &messages {
                    self.message(*message);
                }
                let names = [one, other].map(|message| format!("`{}`", tree.name(message)));
                let message = format!("the file does not say which of {} comes first", names.join(" and "));
                self.refuse(other, message);
            }
        }
    }
}

/// The roles between which messages are sent, in the order of the collaboration.
fn roles(tree: &XmiTree, interaction: NodeId, messages: &[NodeId]) -> Vec<NodeId> {
    let ends =
        messages.iter().flat_map(|message| ["sender", "receiver"].map(|end| tree.first(*message, end)));
    let ends: Vec<NodeId> = ends.flatten().collect();
    let used: BTreeSet<NodeId> = ends.iter().copied().collect();
    let owned = tree.node(interaction).parent.into_iter().flat_map(|owner| tree.parts(owner, "ownedElement"));
    let mut roles: Vec<NodeId> = owned.filter(|role| used.contains(role)).collect();
    for end in ends {
        if !roles.contains(&end) {
            roles.push(end);
        }
    }
    roles
}

/// The messages in the one order that the file allows, or two of which either may come first.
fn order(tree: &XmiTree, messages: &[NodeId]) -> Result<Vec<NodeId>, [NodeId; 2]> {
    let index: HashMap<NodeId, usize> = messages.iter().enumerate().map(|(at, node)| (*node, at)).collect();
    let count = messages.len();
    // For each message its begin, and behind all of these its end, when all that it activates has ended.
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); 2 * count];
    let mut waiting = vec![0; 2 * count];
    let mut edge = |from: usize, to: usize| {
        after[from].push(to);
        waiting[to] += 1;
    };
    let activator =
        |at: usize| tree.first(messages[at], "activator").and_then(|one| index.get(&one)).copied();
    for (at, message) in messages.iter().enumerate() {
        edge(at, count + at);
        if let Some(outer) = activator(at) {
            edge(outer, at);
            edge(count + at, count + outer);
        }
        for before in tree.all(*message, "predecessor").iter().filter_map(|one| index.get(one)) {
            // What a message activates does not wait for its end.
            edge(if activator(at) == Some(*before) { *before } else { count + before }, at);
        }
    }
    let mut ready: BTreeSet<usize> = (0..2 * count).filter(|at| waiting[*at] == 0).collect();
    let mut ordered = Vec::new();
    while !ready.is_empty() {
        // Ends cost nothing; what they allow may compete with what is ready already.
        let next = match ready.range(count..).next() {
            Some(end) => *end,
            None => {
                let mut begins = ready.iter();
                if let (Some(one), Some(other)) = (begins.next(), begins.next()) {
                    return Err([messages[*one], messages[*other]]);
                }
                ready.first().copied().unwrap_or_default()
            }
        };
        ready.remove(&next);
        if let Some(message) = messages.get(next) {
            ordered.push(*message);
        }
        for to in &after[next] {
            waiting[*to] -= 1;
            if waiting[*to] == 0 {
                ready.insert(*to);
            }
        }
    }
    let placed: BTreeSet<NodeId> = ordered.iter().copied().collect();
    match messages.iter().find(|message| !placed.contains(message)) {
        Some(message) => Err([*message, *message]),
        None => Ok(ordered),
    }
}

/// How often the action of a message is carried out, if that is written.
pub(super) fn recurrence(tree: &XmiTree, message: NodeId) -> Option<String> {
    let recurrence = tree.first(tree.first(message, "action")?, "recurrence")?;
    Some(text::value(tree, recurrence)).filter(|text| !text.is_empty() && text != "1")
}

/// The sort of a message by the action that it carries out; `None` where it has none.
pub(super) fn sort(tree: &XmiTree, message: NodeId) -> Option<MessageSort> {
    let action = tree.first(message, "action")?;
    Some(match tree.kind(action) {
        "SendAction" => MessageSort::Signal,
        "ReturnAction" => MessageSort::Reply,
        "CreateAction" => MessageSort::Create,
        "DestroyAction" | "TerminateAction" => MessageSort::Delete,
        _ if tree.is(action, "isAsynchronous") => MessageSort::Signal,
        _ => MessageSort::Call,
    })
}
