//! Messages while a diagram is read: their ends, their numbers, and those that are drawn beside others.

use sequent_kernel::model::{
    Arrow, Block, Combined, End, Fragment, Frame, Message, MessageSort, Operand, Operator,
};
use sequent_kernel::source::{Place, Span};

use super::InteractionBuilder;
use crate::label;
use crate::tree::sequence as tree;
use crate::tree::{Notation, Text};

impl InteractionBuilder<'_> {
    pub(super) fn message(&mut self, message: &tree::MessageStatement, span: Span) {
        let from = self.end(&message.from);
        let to = self.end(&message.to);
        if message.hidden {
            // PlantUML counts it, and draws its bars.
            self.current.extend(self.counter.skip().map(Fragment::Numbering));
            return self.life(message, from, to, span);
        }
        let created = self.created_by(from, to, message.life.create, span);
        let group = self.current.len();
        let sort = if created { MessageSort::Create } else { message.sort };
        self.push_message(&message.text, &message.arrow, (from, to), sort, span);
        if let (Some(anchor), Some(id)) = (&message.anchor, self.last_message) {
            self.anchors.insert(anchor.clone(), id);
        }
        self.life(message, from, to, span);
        if message.parallel {
            self.join_previous(group);
        }
        for other in &message.others {
            let group = self.current.len();
            let to = End::Lifeline(self.lifeline(other));
            self.push_message(&message.text, &message.arrow, (from, to), message.sort, span);
            self.join_previous(group);
        }
    }

    pub(super) fn push_message(
        &mut self,
        text: &Text,
        arrow: &Arrow,
        (from, to): (End, End),
        sort: MessageSort,
        span: Span,
    ) {
        let number = self.counter.next();
        let shown = self.numbered(&text.text, number.as_deref());
        let (name, arguments) = label::message(&shown);
        let id = self.messages.push(Message {
            name,
            arguments,
            text: shown,
            number,
            sort,
            from,
            to,
            arrow: arrow.clone(),
            place: Place(span),
            label_place: Place(text.span),
        });
        self.last_message = Some(id);
        self.activity.sent(id);
        self.current.push(Fragment::Message(id));
    }

    /// A text in which PlantUML's `%autonumber%` is the number of its message.
    pub(super) fn numbered(&self, text: &str, number: Option<&str>) -> String {
        match (self.notation, number) {
            (Notation::PlantUml, Some(number)) => text.replace("%autonumber%", number),
            (Notation::PlantUml, None) | (Notation::Mermaid, _) => text.to_owned(),
        }
    }

    pub(super) fn end(&self, end: &tree::ArrowEnd) -> End {
        match end {
            tree::ArrowEnd::Name(name) => End::Lifeline(self.lifeline(name)),
            tree::ArrowEnd::Outside(outside) => End::Outside(*outside),
        }
    }

    /// Puts the fragments from `start` on beside the message before them: an unframed `par`.
    pub(super) fn join_previous(&mut self, start: usize) {
        let is_group =
            |fragment: &Fragment| matches!(fragment, Fragment::Combined(c) if c.frame.keyword.is_empty());
        let is_start = |fragment: &Fragment| matches!(fragment, Fragment::Message(_)) || is_group(fragment);
        let Some(before) = self.current[..start].iter().rposition(is_start) else { return };
        let block = Block(self.current.split_off(start));
        let mut earlier = self.current.split_off(before);
        let place = self.place_of(&block);
        let operand = Operand::plain(block, place);
        let mut combined = match earlier.remove(0) {
            Fragment::Combined(combined) => combined,
            first => {
                earlier.insert(0, first);
                let block = Block(std::mem::take(&mut earlier));
                let place = self.place_of(&block);
                let operand = Operand::plain(block, place);
                let frame = Frame { keyword: String::new(), title: None, subtitle: None, colour: None };
                Combined::new(Operator::Par, vec![operand], frame, place)
            }
        };
        if let (Some(last), false) = (combined.operands.last_mut(), earlier.is_empty()) {
            last.block.0.append(&mut earlier);
        }
        combined.place = Place(combined.place.0.to(place.0));
        combined.operands.push(operand);
        self.current.push(Fragment::Combined(combined));
    }

    /// The place of the message a block begins with.
    pub(super) fn place_of(&self, block: &Block) -> Place {
        let first = block.0.iter().find_map(|fragment| match fragment {
            Fragment::Message(id) => Some(self.messages[*id].place),
            Fragment::Combined(combined) => Some(combined.place),
            Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Invariant(_)
            | Fragment::Use(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => None,
        });
        first.expect("a parallel group begins with a message")
    }
}
