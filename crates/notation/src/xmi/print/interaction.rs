//! Interactions.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Block, Bound, Combined, End, Fragment, Guard, Interaction, Lifeline, LifelineId, Message, MessageId,
    MessageSort, MessageType, Occurrence, Operand, Operator, OperatorParameter, Subject, Timing, TimingKind,
};

use super::{WrittenObservation, XmiWriter, class_id};
use crate::label;
use crate::resolve::sequence::class_of;

impl XmiWriter<'_> {
    pub(super) fn interactions(&mut self) {
        let model = self.model;
        for (id, interaction) in model.interactions.enumerate() {
            let own = interaction_id(id.index());
            self.open(
                "packagedElement",
                &[("xmi:type", "uml:Interaction"), ("xmi:id", &own), ("name", &interaction.name)],
            );
            let finished = finished(interaction);
            let mut printer = XmiInteractionPrinter {
                writer: self,
                own: own.clone(),
                interaction,
                fragments: 0,
                bars: 0,
                open: BTreeMap::new(),
                finished,
            };
            printer.writer.questions(&own, Some(Subject::Interaction(id)));
            printer.whole();
            self.close("packagedElement");
        }
    }
}

struct XmiInteractionPrinter<'w, 'm> {
    writer: &'w mut XmiWriter<'m>,
    own: String,
    interaction: &'m Interaction,
    /// How many fragments have an id already.
    fragments: usize,
    /// How many executions have an id already.
    bars: usize,
    /// Executions that have begun.
    open: BTreeMap<LifelineId, Vec<usize>>,
    /// Executions that end.
    finished: BTreeSet<usize>,
}

impl XmiInteractionPrinter<'_, '_> {
    fn whole(&mut self) {
        let interaction = self.interaction;
        for (id, line) in interaction.lifelines.enumerate() {
            self.lifeline(id, line);
        }
        self.block(&interaction.body);
        for (id, message) in interaction.messages.enumerate() {
            self.message(id, message);
        }
        for (index, ordering) in interaction.orderings.iter().enumerate() {
            let [before, after] = [ordering.before, ordering.after].map(|end| self.end(end));
            let id = format!("{}_g{index}", self.own);
            let written = [
                ("xmi:type", "uml:GeneralOrdering"),
                ("xmi:id", id.as_str()),
                ("before", &before),
                ("after", &after),
            ];
            self.writer.empty("generalOrdering", &written);
        }
        for (index, timing) in interaction.timings.iter().enumerate() {
            self.timing(&format!("{}_t{index}", self.own), timing);
        }
    }

    /// A constraint on a time or a duration, as a rule of the interaction. What is observed stands in the package.
    fn timing(&mut self, own: &str, timing: &Timing) {
        let ends: Vec<String> =
            [Some(timing.from), timing.to].into_iter().flatten().map(|one| self.end(one)).collect();
        let (what, bound) = match timing.to {
            None => ("Time", "uml:TimeExpression"),
            Some(_) => ("Duration", "uml:Duration"),
        };
        if timing.kind == TimingKind::Observation {
            let kind = format!("uml:{what}Observation");
            let (name, event) = (timing.text.clone(), ends.join(" "));
            self.writer.observed.push(WrittenObservation { kind, id: own.to_owned(), name, event });
            return;
        }
        let parts = timing.text.split_once("..").filter(|(least, greatest)| least != greatest);
        let (least, greatest) = parts.unwrap_or((timing.text.as_str(), timing.text.as_str()));
        let [least, greatest] = [least, greatest].map(|text| self.writer.bound(bound, text));
        let (kind, interval) = (format!("uml:{what}Constraint"), format!("uml:{what}Interval"));
        let (ends, id) = (ends.join(" "), format!("{own}_i"));
        let written = [("xmi:type", kind.as_str()), ("xmi:id", own), ("constrainedElement", &ends)];
        self.writer.open("ownedRule", &written);
        let written = [("xmi:type", interval.as_str()), ("xmi:id", &id), ("min", &least), ("max", &greatest)];
        self.writer.empty("specification", &written);
        self.writer.close("ownedRule");
    }

    /// A lifeline, and the part that it represents: one of its class, or of the name it has besides the one that is drawn.
    fn lifeline(&mut self, id: LifelineId, line: &Lifeline) {
        let class =
            line.class.as_ref().and_then(|name| self.writer.model.classes.find(|class| class.name == *name));
        let (own, part) = (self.line(id), format!("{}_p{}", self.own, id.index()));
        let written = class_of(&line.label);
        let object = line.label.split(':').next().map(str::trim).filter(|_| written.is_some());
        let drawn = match (object, &written) {
            (Some(""), Some(class)) => class.as_str(),
            (Some(object), _) => object,
            (None, _) => line.label.as_str(),
        };
        let alias = Some(line.name.as_str()).filter(|name| *name != drawn);
        // `: Class` stands for any object of the class, whatever the lifeline is called besides.
        let is_any = object == Some("") && alias.is_some();
        let name = object.filter(|_| class.is_some() && !is_any).unwrap_or(&line.label);
        let represents = if class.is_some() || alias.is_some() { part.as_str() } else { "" };
        if !represents.is_empty() {
            let class = class.map(|class| class_id(class.index())).unwrap_or_default();
            let written = [
                ("xmi:type", "uml:Property"),
                ("xmi:id", part.as_str()),
                ("name", alias.unwrap_or(name)),
                ("type", &class),
            ];
            self.writer.empty("ownedAttribute", &written);
        }
        let written =
            [("xmi:type", "uml:Lifeline"), ("xmi:id", &own), ("name", name), ("represents", represents)];
        self.writer.empty("lifeline", &written);
    }

    fn line(&self, id: LifelineId) -> String {
        format!("{}_l{}", self.own, id.index())
    }

    fn lines(&self, ids: &[LifelineId]) -> String {
        ids.iter().map(|id| self.line(*id)).collect::<Vec<_>>().join(" ")
    }

    fn end(&self, end: Occurrence) -> String {
        match end {
            Occurrence::Send(id) => format!("{}_s{}", self.own, id.index()),
            Occurrence::Receive(id) => format!("{}_v{}", self.own, id.index()),
        }
    }

    fn next(&mut self) -> String {
        self.fragments += 1;
        format!("{}_f{}", self.own, self.fragments)
    }

    fn block(&mut self, block: &Block) {
        let mut previous: Option<&Fragment> = None;
        for fragment in &block.0 {
            self.fragment(fragment, previous);
            if !matches!(fragment, Fragment::Execution(_)) {
                previous = Some(fragment);
            }
        }
    }

    fn fragment(&mut self, fragment: &Fragment, previous: Option<&Fragment>) {
        match fragment {
            Fragment::Message(id) => self.ends(*id),
            Fragment::Stop(stop) => {
                // The end of a deletion is its receiver's.
                let is_deletion = previous.is_some_and(|one| self.deletes(one, stop.lifeline));
                if !is_deletion {
                    let (id, line) = (self.next(), self.line(stop.lifeline));
                    let written = [
                        ("xmi:type", "uml:DestructionOccurrenceSpecification"),
                        ("xmi:id", id.as_str()),
                        ("covered", &line),
                    ];
                    self.writer.empty("fragment", &written);
                }
            }
            Fragment::Invariant(invariant) => {
                let (id, lines) = (self.next(), self.lines(&invariant.lifelines));
                self.writer.open(
                    "fragment",
                    &[("xmi:type", "uml:StateInvariant"), ("xmi:id", &id), ("covered", &lines)],
                );
                self.writer.constraint("invariant", &format!("{id}_i"), &invariant.condition.text);
                self.writer.close("fragment");
            }
            Fragment::Use(used) => {
                let (id, lines) = (self.next(), self.lines(&used.lifelines));
                let target = used.target.map(|target| interaction_id(target.index())).unwrap_or_default();
                let written = [
                    ("xmi:type", "uml:InteractionUse"),
                    ("xmi:id", id.as_str()),
                    ("name", &used.name),
                    ("covered", &lines),
                    ("refersTo", &target),
                ];
                self.writer.empty("fragment", &written);
            }
            Fragment::Combined(combined) => self.combined(combined),
            Fragment::Execution(execution) => self.execution(execution.lifeline, execution.bound),
            Fragment::Action(action) => {
                let (id, line) = (self.next(), self.line(action.lifeline));
                let written = [
                    ("xmi:type", "uml:ActionExecutionSpecification"),
                    ("xmi:id", id.as_str()),
                    ("name", &action.name),
                    ("covered", &line),
                ];
                self.writer.empty("fragment", &written);
            }
            Fragment::Note(_) | Fragment::Separator(_) | Fragment::Numbering(_) => {}
        }
    }

    fn deletes(&self, fragment: &Fragment, line: LifelineId) -> bool {
        let Fragment::Message(id) = fragment else { return false };
        let message = &self.interaction.messages[*id];
        message.sort == MessageSort::Delete && message.to == End::Lifeline(line)
    }

    /// The occurrences of a message.
    fn ends(&mut self, id: MessageId) {
        let message = &self.interaction.messages[id];
        for (end, occurrence) in [(message.from, Occurrence::Send(id)), (message.to, Occurrence::Receive(id))]
        {
            self.occurrence(message, id, end, occurrence);
        }
    }

    fn occurrence(&mut self, message: &Message, id: MessageId, end: End, occurrence: Occurrence) {
        let Some(line) = end.lifeline() else { return };
        let is_deletion = message.sort == MessageSort::Delete && matches!(occurrence, Occurrence::Receive(_));
        let kind = if is_deletion {
            "uml:DestructionOccurrenceSpecification"
        } else {
            "uml:MessageOccurrenceSpecification"
        };
        let (own, line, of) = (self.end(occurrence), self.line(line), self.message_id(id));
        self.writer
            .empty("fragment", &[("xmi:type", kind), ("xmi:id", &own), ("covered", &line), ("message", &of)]);
    }

    fn message_id(&self, id: MessageId) -> String {
        format!("{}_m{}", self.own, id.index())
    }

    fn message(&mut self, id: MessageId, message: &Message) {
        let own = self.message_id(id);
        let signal = self.writer.signal(&message.name);
        let operation = self.writer.operation(&message.name);
        let is_reply = message.sort == MessageSort::Reply;
        let signature = signal.clone().or(operation).filter(|_| !is_reply).unwrap_or_default();
        let sort = match message.sort {
            MessageSort::Call => "synchCall",
            MessageSort::Signal if signal.is_some() => "asynchSignal",
            MessageSort::Signal => "asynchCall",
            MessageSort::Reply => "reply",
            MessageSort::Create => "createMessage",
            MessageSort::Delete => "deleteMessage",
        };
        let [send, receive] = [(message.from, Occurrence::Send(id)), (message.to, Occurrence::Receive(id))]
            .map(|(end, occurrence)| end.lifeline().map(|_| self.end(occurrence)).unwrap_or_default());
        let written = [
            ("xmi:type", "uml:Message"),
            ("xmi:id", own.as_str()),
            ("name", message.text.as_str()),
            ("messageSort", sort),
            ("receiveEvent", &receive),
            ("sendEvent", &send),
            ("signature", &signature),
        ];
        self.writer.open("message", &written);
        let drawn = label::message(&message.text).1;
        let arguments = message.arguments.as_ref().filter(|_| drawn != message.arguments);
        for (index, argument) in arguments.into_iter().flatten().enumerate() {
            let id = format!("{own}_a{index}");
            let name = argument.name.as_deref().unwrap_or_default();
            self.writer
                .open("argument", &[("xmi:type", "uml:OpaqueExpression"), ("xmi:id", &id), ("name", name)]);
            self.writer.leaf("body", &argument.text);
            self.writer.close("argument");
        }
        self.writer.close("message");
    }

    /// An execution begins or ends; what begins here is written with both of its ends.
    fn execution(&mut self, line: LifelineId, bound: Bound) {
        let bar = match bound {
            Bound::Start => {
                self.bars += 1;
                self.open.entry(line).or_default().push(self.bars);
                Some(self.bars)
            }
            Bound::Finish => self.open.entry(line).or_default().pop(),
        };
        let is_lone = bar.is_none();
        let bar = bar.unwrap_or_else(|| {
            self.bars += 1;
            self.bars
        });
        let covered = self.line(line);
        let [id, start, finish] = ["x", "xs", "xf"].map(|suffix| format!("{}_{suffix}{bar}", self.own));
        let end = if bound == Bound::Start { &start } else { &finish };
        let written = [
            ("xmi:type", "uml:ExecutionOccurrenceSpecification"),
            ("xmi:id", end.as_str()),
            ("covered", &covered),
            ("execution", &id),
        ];
        self.writer.empty("fragment", &written);
        if bound == Bound::Start || is_lone {
            let first = if is_lone { "" } else { start.as_str() };
            let written = [
                ("xmi:type", "uml:BehaviorExecutionSpecification"),
                ("xmi:id", id.as_str()),
                ("covered", &covered),
                ("start", first),
                ("finish", if is_lone || self.finished.contains(&bar) { finish.as_str() } else { "" }),
            ];
            self.writer.empty("fragment", &written);
        }
    }

    fn combined(&mut self, combined: &Combined) {
        let id = self.next();
        let facts = combined.operator.facts();
        let plain = "uml:CombinedFragment";
        let (word, types, kind) = match facts.parameter {
            OperatorParameter::Types(set) => {
                (facts.word, self.types(set.listed()), "uml:ConsiderIgnoreFragment")
            }
            OperatorParameter::Lifeline(line) if self.is_plain_coregion(combined, line) => {
                return self.coregion(combined, line, &id);
            }
            OperatorParameter::Lifeline(_) => ("seq", String::new(), plain),
            OperatorParameter::Bounds(_) => ("loop", String::new(), plain),
            OperatorParameter::None => (facts.word, String::new(), plain),
        };
        let lines = self.covered(combined);
        let title = combined.frame.title.as_deref().unwrap_or_default();
        let written = [
            ("xmi:type", kind),
            ("xmi:id", id.as_str()),
            ("name", title),
            ("covered", &lines),
            ("interactionOperator", word),
            ("message", &types),
        ];
        self.writer.open("fragment", &written);
        // Tools leave out what is drawn in fragments: where nothing is, it has to be said.
        let is_left_out = |one: &Fragment| {
            matches!(one, Fragment::Note(_) | Fragment::Separator(_) | Fragment::Numbering(_))
        };
        let is_empty = combined.operands.iter().all(|operand| operand.block.0.iter().all(is_left_out));
        if is_empty || !self.is_uml(&combined.operator) {
            let line = format!("@{}", self.interaction.operator_text(&combined.operator));
            self.writer.directive_lines(&id, &[line]);
        }
        for (index, operand) in combined.operands.iter().enumerate() {
            self.operand(&format!("{id}_o{index}"), operand, &combined.operator);
        }
        self.writer.close("fragment");
    }

    /// What messages of these types are in this model.
    fn types(&self, listed: &[MessageType]) -> String {
        listed.iter().filter_map(|one| self.message_type(&one.name)).collect::<Vec<_>>().join(" ")
    }

    /// A signal, an operation or a message of a name.
    fn message_type(&self, name: &str) -> Option<String> {
        let message = self.interaction.messages.find(|message| message.name == name && message.text == name);
        let known = self.writer.signal(name).or_else(|| self.writer.operation(name));
        known.or_else(|| message.map(|id| self.message_id(id)))
    }

    /// Whether UML has words for all that an operator says; a comment says the rest.
    fn is_uml(&self, operator: &Operator) -> bool {
        let is_known = |one: &MessageType| one.ends.is_none() && self.message_type(&one.name).is_some();
        match operator.facts().parameter {
            OperatorParameter::Types(set) => set.listed().iter().all(is_known),
            OperatorParameter::Bounds(bounds) => !bounds.strict,
            OperatorParameter::None => true,
            OperatorParameter::Lifeline(_) => false,
        }
    }

    /// All lifelines that a fragment covers.
    fn covered(&self, combined: &Combined) -> String {
        let mut lines: Vec<LifelineId> = combined.covers.clone();
        combined.walk(&mut |fragment, _| match fragment {
            Fragment::Message(id) => {
                let message = &self.interaction.messages[*id];
                lines.extend([message.from, message.to].into_iter().filter_map(End::lifeline));
            }
            Fragment::Stop(stop) => lines.push(stop.lifeline),
            Fragment::Action(action) => lines.push(action.lifeline),
            Fragment::Invariant(invariant) => lines.extend(&invariant.lifelines),
            Fragment::Use(used) => lines.extend(&used.lifelines),
            Fragment::Combined(inner) => lines.extend(&inner.covers),
            Fragment::Execution(execution) => lines.push(execution.lifeline),
            Fragment::Note(_) | Fragment::Separator(_) | Fragment::Numbering(_) => {}
        });
        lines.sort_unstable();
        lines.dedup();
        self.lines(&lines)
    }

    fn operand(&mut self, id: &str, operand: &Operand, operator: &Operator) {
        let title = operand.title.as_deref().unwrap_or_default();
        let written = [("xmi:type", "uml:InteractionOperand"), ("xmi:id", id), ("name", title)];
        self.writer.open("operand", &written);
        self.block(&operand.block);
        let text = match &operand.guard {
            Guard::Absent => None,
            Guard::Else => Some("else".to_owned()),
            Guard::Condition(condition) => Some(condition.text.clone()),
        };
        let bounds = operator.bounds().filter(|bounds| bounds.min != Some(0) || bounds.max.is_some());
        if text.is_some() || bounds.is_some() {
            self.writer
                .open("guard", &[("xmi:type", "uml:InteractionConstraint"), ("xmi:id", &format!("{id}_g"))]);
            if let Some(text) = text {
                let specification = format!("{id}_s");
                self.writer.empty(
                    "specification",
                    &[("xmi:type", "uml:LiteralString"), ("xmi:id", &specification), ("value", &text)],
                );
            }
            if let Some(bounds) = bounds {
                let star = |bound: Option<u32>| bound.map_or("*".to_owned(), |bound| bound.to_string());
                let [low, high] = ["n", "x"].map(|suffix| format!("{id}_{suffix}"));
                let kind = bounds.min.map_or("uml:LiteralUnlimitedNatural", |_| "uml:LiteralInteger");
                self.writer
                    .empty("minint", &[("xmi:type", kind), ("xmi:id", &low), ("value", &star(bounds.min))]);
                self.writer.empty(
                    "maxint",
                    &[
                        ("xmi:type", "uml:LiteralUnlimitedNatural"),
                        ("xmi:id", &high),
                        ("value", &star(bounds.max)),
                    ],
                );
            }
            self.writer.close("guard");
        }
        self.writer.close("operand");
    }

    /// Whether a coregion holds nothing but messages, of which one ends on its lifeline: UML has no word for others.
    fn is_plain_coregion(&self, combined: &Combined, line: LifelineId) -> bool {
        let [operand] = combined.operands.as_slice() else { return false };
        let ends = |fragment: &Fragment| {
            let Fragment::Message(id) = fragment else { return None };
            let message = &self.interaction.messages[*id];
            Some([message.from, message.to].map(End::lifeline).contains(&Some(line)))
        };
        let ends: Option<Vec<bool>> = operand.block.0.iter().map(ends).collect();
        operand.guard == Guard::Absent && ends.is_some_and(|ends| !ends.is_empty() && !ends.contains(&false))
    }

    /// A coregion is a `par` on one lifeline with an operand for each occurrence; the other ends lie around it.
    fn coregion(&mut self, combined: &Combined, line: LifelineId, id: &str) {
        let interaction = self.interaction;
        let mut messages: Vec<MessageId> = Vec::new();
        combined.walk(&mut |fragment, _| {
            if let Fragment::Message(id) = fragment {
                messages.push(*id);
            }
        });
        let mut inside: Vec<(MessageId, End, Occurrence)> = Vec::new();
        for message in messages {
            let one = &interaction.messages[message];
            for (end, occurrence) in
                [(one.from, Occurrence::Send(message)), (one.to, Occurrence::Receive(message))]
            {
                match end.lifeline() == Some(line) {
                    true => inside.push((message, end, occurrence)),
                    false => self.occurrence(one, message, end, occurrence),
                }
            }
        }
        let covered = self.line(line);
        let written = [
            ("xmi:type", "uml:CombinedFragment"),
            ("xmi:id", id),
            ("covered", covered.as_str()),
            ("interactionOperator", "par"),
        ];
        self.writer.open("fragment", &written);
        for (index, (message, end, occurrence)) in inside.into_iter().enumerate() {
            let operand = format!("{id}_o{index}");
            self.writer.open("operand", &[("xmi:type", "uml:InteractionOperand"), ("xmi:id", &operand)]);
            self.occurrence(&interaction.messages[message], message, end, occurrence);
            self.writer.close("operand");
        }
        self.writer.close("fragment");
    }
}

/// Which executions end, by the numbers in which they begin.
fn finished(interaction: &Interaction) -> BTreeSet<usize> {
    let (mut bars, mut open, mut finished) = (0, BTreeMap::<LifelineId, Vec<usize>>::new(), BTreeSet::new());
    interaction.walk(&mut |fragment, _| {
        let Fragment::Execution(execution) = fragment else { return };
        let begun = open.entry(execution.lifeline).or_default();
        match execution.bound {
            Bound::Start => {
                bars += 1;
                begun.push(bars);
            }
            Bound::Finish => match begun.pop() {
                Some(bar) => {
                    finished.insert(bar);
                }
                None => bars += 1,
            },
        }
    });
    finished
}

fn interaction_id(index: usize) -> String {
    format!("_i{index}")
}
