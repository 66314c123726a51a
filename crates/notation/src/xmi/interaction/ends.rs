//! The ends of messages: which occurrence sends or receives which message, on which lifeline.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::model::{
    Argument, Arrow, End, LifelineId, Message, MessageId, MessageSort, Outside, Side, Tip,
};

use super::{XmiInteractionBuilder, collaboration};
use crate::expression;
use crate::label;
use crate::xmi::reader::XmiReader;
use crate::xmi::text;
use crate::xmi::tree::{NodeId, XmiTree};

/// What occurrences are.
#[derive(Default)]
pub(super) struct Ends<'d> {
    /// The message of an occurrence, and whether it is sent there.
    pub of: HashMap<NodeId, (NodeId, bool)>,
    /// The occurrences of a message, sent or not.
    nodes: HashMap<(NodeId, bool), Vec<NodeId>>,
    /// The lifelines of fragments.
    pub covered: HashMap<NodeId, Vec<LifelineId>>,
    /// The lifelines at which messages of UML 1 are sent or received.
    pub roles: HashMap<(NodeId, bool), LifelineId>,
    /// The executions that begin or end at an occurrence.
    pub executions: HashMap<NodeId, NodeId>,
    /// What decomposes lifelines.
    pub decompositions: HashSet<NodeId>,
    /// How many continuations have a name.
    pub continuations: HashMap<&'d str, usize>,
}

impl<'d> Ends<'d> {
    pub(super) fn new(
        reader: &XmiReader<'_, 'd>,
        interaction: NodeId,
        lifelines: &HashMap<NodeId, LifelineId>,
    ) -> Self {
        let tree = reader.tree;
        let mut ends = Ends::default();
        for message in tree.parts(interaction, "message") {
            for (role, is_send) in [("sendEvent", true), ("receiveEvent", false)] {
                tree.all(message, role).into_iter().for_each(|end| ends.add(end, message, is_send));
            }
        }
        for node in tree.inside(interaction) {
            if let Some(line) = lifelines.get(&node) {
                ends.decompositions.extend(tree.first(node, "decomposedAs"));
                for fragment in tree.all(node, "coveredBy") {
                    ends.covered.entry(fragment).or_default().push(*line);
                }
            }
        }
        // What a fragment says itself counts more than what a lifeline says of it.
        for node in tree.inside(interaction) {
            let own: Vec<LifelineId> =
                tree.all(node, "covered").iter().filter_map(|line| lifelines.get(line).copied()).collect();
            if !own.is_empty() {
                ends.covered.insert(node, own);
            }
            if tree.kind(node).ends_with("ExecutionSpecification") {
                let ends_of = ["start", "finish"].iter().filter_map(|role| tree.first(node, role));
                ends.executions.extend(ends_of.map(|end| (end, node)));
            }
            match tree.kind(node) {
                "MessageOccurrenceSpecification" => ends.complete(tree, node),
                "Continuation" => *ends.continuations.entry(tree.name(node)).or_default() += 1,
                _ => {}
            }
        }
        ends
    }

    fn add(&mut self, end: NodeId, message: NodeId, is_send: bool) {
        if let Entry::Vacant(free) = self.of.entry(end) {
            free.insert((message, is_send));
            self.nodes.entry((message, is_send)).or_default().push(end);
        }
    }

    /// The occurrences of an end of a message.
    pub(super) fn of(&self, message: NodeId, is_send: bool) -> impl Iterator<Item = NodeId> {
        self.nodes.get(&(message, is_send)).into_iter().flatten().copied()
    }

    /// The occurrences of an end of a message that lie on a lifeline.
    pub(super) fn on_lifelines(&self, message: NodeId, is_send: bool) -> impl Iterator<Item = NodeId> {
        self.of(message, is_send).filter(|node| self.covered.contains_key(node))
    }

    /// An occurrence may know its message where the message does not know it.
    fn complete(&mut self, tree: &XmiTree, node: NodeId) {
        let Some(message) = tree.first(node, "message") else { return };
        if self.of.contains_key(&node) || tree.kind(message) != "Message" {
            return;
        }
        let has = |is_send: bool| self.nodes.contains_key(&(message, is_send));
        match (has(true), has(false)) {
            (false, _) => self.add(node, message, true),
            (true, false) => self.add(node, message, false),
            (true, true) => {}
        }
    }

    /// The lifeline on which an end of a message lies.
    fn lifeline(&self, message: NodeId, is_send: bool) -> Option<LifelineId> {
        let listed =
            || self.on_lifelines(message, is_send).find_map(|node| self.covered.get(&node)?.first().copied());
        self.roles.get(&(message, is_send)).copied().or_else(listed)
    }
}

impl<'d> XmiInteractionBuilder<'_, '_, 'd> {
    /// Adds a message.
    pub(super) fn message(&mut self, node: NodeId) -> MessageId {
        let tree = self.reader.tree;
        let written_sort = tree.attribute(node, "messageSort").map(|word| self.sort(node, word));
        let sort = written_sort.or_else(|| collaboration::sort(tree, node)).unwrap_or(MessageSort::Call);
        let written = tree.name(node);
        let signature =
            tree.first(node, "signature").map(|one| tree.name(one)).filter(|name| !name.is_empty());
        let signature = signature.or_else(|| self.event_name(node));
        let text = if written.is_empty() { signature.unwrap_or_default() } else { written };
        let (mut name, drawn) = label::message(without_number(text));
        if let Some(signature) = signature.filter(|_| sort != MessageSort::Reply) {
            name = signature.to_owned();
        }
        let (arguments, text) = self.arguments(node, drawn, text);
        let [from, to] = [(true, Side::Left), (false, Side::Right)].map(|(is_send, side)| {
            let line = self.ends.lifeline(node, is_send);
            line.map_or(End::Outside(Outside { side, short: false }), End::Lifeline)
        });
        if from.lifeline().is_none() && to.lifeline().is_none() {
            let message = format!("the message `{text}` lies on no lifeline");
            self.reader.report(Diagnostic::new(Code::MissingElement, tree.span(node), message));
        }
        self.gates(node, &text);
        if let Some(often) = collaboration::recurrence(tree, node) {
            let message = format!("`{often}` says how often `{text}` is sent: it is read as sent once");
            self.reader.report(Diagnostic::new(Code::Unsupported, tree.span(node), message));
        }
        let place = tree.span(node).into();
        let id = self.interaction.messages.push(Message {
            name,
            arguments,
            text,
            number: None,
            sort,
            from,
            to,
            arrow: arrow(sort),
            place,
            label_place: place,
        });
        self.placed.insert(node, id);
        id
    }

    /// The arguments of a message, and what is drawn of it with them. Elements say more than the text in the name.
    fn arguments(
        &mut self,
        node: NodeId,
        drawn: Option<Vec<Argument>>,
        text: &str,
    ) -> (Option<Vec<Argument>>, String) {
        let tree = self.reader.tree;
        // UML 1: those of the action.
        let actions = tree.all(node, "action").into_iter().flat_map(|one| tree.parts(one, "actualArgument"));
        let listed: Vec<NodeId> = tree.all(node, "argument").into_iter().chain(actions).collect();
        let values: Vec<Argument> = listed.iter().map(|one| argument(tree, *one)).collect();
        self.reader.read.extend(listed);
        let written = drawn.as_ref().filter(|drawn| !drawn.is_empty());
        if values.is_empty() {
            return (drawn, text.to_owned());
        }
        let all = label::arguments(Some(&values));
        let bare = text.strip_suffix("()").filter(|_| drawn.is_some()).unwrap_or(text);
        let text = match written {
            // A name that is a whole sentence takes no brackets.
            None => Some(format!("{bare}{all}"))
                .filter(|drawn| label::message(without_number(drawn)).1.is_some())
                .unwrap_or_else(|| text.to_owned()),
            Some(written) if is_same(written, &values) => text.to_owned(),
            Some(_) => {
                let message = format!("the message `{text}` has the arguments `{all}`");
                let finding = Diagnostic::new(Code::TwoNames, tree.span(node), message);
                self.reader.report(finding.hint("the elements of the model count, not the text"));
                let end = text.find('(').unwrap_or(text.len());
                format!("{}{all}", &text[..end])
            }
        };
        (Some(values), text)
    }

    /// The sort that a word stands for; another than those of UML is told.
    fn sort(&mut self, node: NodeId, word: &str) -> MessageSort {
        match word {
            "reply" => MessageSort::Reply,
            "createMessage" => MessageSort::Create,
            "deleteMessage" => MessageSort::Delete,
            "asynchCall" | "asynchSignal" => MessageSort::Signal,
            "synchCall" | "synchSignal" => MessageSort::Call,
            _ => {
                let message = format!("`{word}` is not a sort of messages: it is read as `synchCall`");
                let span = self.reader.tree.span(node);
                self.reader.report(Diagnostic::new(Code::Unsupported, span, message));
                MessageSort::Call
            }
        }
    }

    /// Tells of a message that passes a gate of a fragment or of a use: what goes on behind the gate is a message of its own.
    fn gates(&mut self, message: NodeId, text: &str) {
        let tree = self.reader.tree;
        let ends = ["sendEvent", "receiveEvent"].iter().flat_map(|role| tree.all(message, role));
        let inner =
            ends.into_iter().find(|end| matches!(tree.node(*end).role, "actualGate" | "cfragmentGate"));
        if let Some(gate) = inner {
            let finding = format!(
                "the message `{text}` passes the gate `{}`; it is read as one from or to outside, and not joined with the message behind the gate",
                tree.name(gate)
            );
            self.reader.report(Diagnostic::new(Code::Unsupported, tree.span(message), finding));
        }
    }

    /// The operation or signal in the event of an end (UML 2.0 to 2.3), or of the action of a message of UML 1.
    fn event_name(&self, message: NodeId) -> Option<&'d str> {
        let tree = self.reader.tree;
        let ends = ["receiveEvent", "sendEvent"].iter().flat_map(|role| tree.all(message, role));
        let events = ends.flat_map(|end| tree.all(end, "event")).chain(tree.all(message, "action"));
        let mut targets =
            events.flat_map(|event| ["operation", "signal"].map(|role| tree.first(event, role)));
        let of_target = targets.find_map(|target| Some(tree.name(target?)).filter(|name| !name.is_empty()));
        let action = || tree.first(message, "action").map(|action| tree.name(action));
        of_target.or_else(|| action().filter(|name| !name.is_empty()))
    }
}

/// A name without the number of the message before it (`2:verify`, `1.2a: ask`), as communication diagrams have it (UML 17.9.4).
fn without_number(text: &str) -> &str {
    let Some((number, rest)) = text.split_once(':') else { return text };
    let mut levels = number.trim().split('.');
    let is_level = |level: &str| {
        let digits = level.trim_end_matches(|c: char| c.is_ascii_lowercase());
        !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
    };
    let rest = rest.trim_start();
    match levels.all(is_level) && rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        true => rest,
        false => text,
    }
}

fn argument(tree: &XmiTree, node: NodeId) -> Argument {
    let value = tree.first(node, "value").filter(|_| tree.kind(node) == "Argument").unwrap_or(node);
    let text = text::value(tree, value);
    let text = if text.is_empty() { tree.name(node).to_owned() } else { text };
    let name = Some(tree.name(node)).filter(|name| !name.is_empty() && *name != text).map(str::to_owned);
    Argument { name, value: expression::parse(&text).ok(), text }
}

/// Whether arguments say the same, names of parameters and blanks apart.
fn is_same(written: &[Argument], values: &[Argument]) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    let texts = |all: &[Argument]| all.iter().map(|one| plain(&one.text)).collect::<Vec<_>>();
    let whole = |all: &[Argument]| plain(&label::arguments(Some(all)));
    texts(written) == texts(values) || whole(written) == whole(values)
}

/// How a message of this sort is drawn.
pub(in crate::xmi) fn arrow(sort: MessageSort) -> Arrow {
    let (dashed, head) = match sort {
        MessageSort::Call => (false, Tip::FILLED),
        MessageSort::Signal | MessageSort::Delete => (false, Tip::OPEN),
        MessageSort::Reply | MessageSort::Create => (true, Tip::OPEN),
    };
    Arrow { dashed, head, tail: Tip::NONE, colour: None }
}

#[cfg(test)]
mod tests {
    use super::without_number;

    #[test]
    fn numbers_of_messages_are_no_part_of_their_names() {
        let names = ["2:verify", "1.2a: ask", "10:30 alarm", "a:b", "set:x", "3", "1.:x", "12", ":x"];
        let without = ["verify", "ask", "10:30 alarm", "a:b", "set:x", "3", "1.:x", "12", ":x"];
        assert_eq!(names.map(without_number), without);
    }
}
