//! Messages through gates of interaction uses.
//!
//! A message that ends at an actual gate of a use and the one behind the formal gate of that name, in the interaction that is used, are one
//! message (UML 2.5.1, 17.4 and 17.7). The model's uses have no gates: a use that messages pass is written out in place, in a frame that is
//! only drawn, and the messages are joined. Where they cannot be joined, because they lie in a fragment of the other interaction or in
//! another order than on their own lifeline, the use stays one, and the message is told ([`super::ends`]).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Action, Block, Combined, End, Execution, Fragment, GeneralOrdering, Interaction, Invariant, Lifeline,
    LifelineId, Message, MessageId, Occurrence, Operand, Operator, Outside, Side, Stop, Timing, Use,
};

use super::{XmiInteractionBuilder, build, frame};
use crate::xmi::dialect::ModelingTool;
use crate::xmi::tree::NodeId;

/// An interaction use that is written out.
pub(super) struct OpenedUse {
    /// The use.
    pub node: NodeId,
    /// What is used.
    used: Interaction,
    /// The lifelines of this interaction that those of the other are.
    lines: Vec<LifelineId>,
    /// The messages that are joined: those of this interaction by those of the other, with the lifeline of the outer end.
    joined: BTreeMap<MessageId, (NodeId, Option<LifelineId>)>,
}

impl OpenedUse {
    /// The messages of this interaction that go on inside.
    pub(super) fn messages(&self) -> impl Iterator<Item = NodeId> {
        self.joined.values().map(|(message, _)| *message)
    }

    /// The lifelines of this interaction that the content touches.
    pub(super) fn lines(&self) -> &[LifelineId] {
        &self.lines
    }
}

/// The identity of a message at a gate: the message outside, which of its ends lies on a lifeline, and the gate.
struct GateEnd {
    outer: NodeId,
    /// Whether it goes in.
    goes_in: bool,
    gate: NodeId,
    /// Where its other end is listed.
    at: usize,
    line: Option<LifelineId>,
}

impl<'d> XmiInteractionBuilder<'_, '_, 'd> {
    /// A use in a list of fragments written out, if messages of that list pass its gates and can be joined.
    pub(super) fn opened(&mut self, node: NodeId, fragments: &[NodeId]) -> Option<OpenedUse> {
        let tree = self.reader.tree;
        let outer = self.gate_ends(node, fragments)?;
        let target = tree.first(node, "refersTo").filter(|target| tree.kind(*target) == "Interaction")?;
        let size = tree.inside(target).len();
        let is_plain = self.reader.tool != ModelingTool::EnterpriseArchitect && !tree.is_old(target);
        if !is_plain || self.opening.contains(&target) || !self.reader.may_write_out(size) {
            return None;
        }
        let mut opening = self.opening.clone();
        opening.push(target);
        // What is to be said of it is said where it stands.
        let told = self.reader.diagnostics.len();
        let inner = build(self.reader, target, self.names, None, opening);
        let (used, placed, ends) = (inner.interaction, inner.placed, inner.ends);
        let is_refused = inner.is_refused;
        self.reader.diagnostics.truncate(told);
        if is_refused {
            return None;
        }
        let mut joined: BTreeMap<MessageId, (NodeId, Option<LifelineId>)> = BTreeMap::new();
        let mut places: Vec<(Option<LifelineId>, usize, usize)> = Vec::new();
        for end in &outer {
            let formal = self.formal_gate(node, target, end.gate)?;
            let (message, is_sent_there) = ends.of.get(&formal).copied()?;
            let id = placed.get(&message).copied().filter(|_| is_sent_there == end.goes_in)?;
            let at =
                used.body.0.iter().position(|one| matches!(one, Fragment::Message(own) if *own == id))?;
            let is_twice = joined.values().any(|(outer, _)| *outer == end.outer);
            if joined.insert(id, (end.outer, end.line)).is_some() || is_twice {
                return None;
            }
            places.push((end.line, end.at, at));
        }
        // On its own lifeline each message has the order in which they lie inside.
        places.sort_unstable();
        let agrees = places.windows(2).all(|pair| pair[0].0 != pair[1].0 || pair[0].2 < pair[1].2);
        let names: BTreeSet<&str> = used.lifelines.iter().map(|line| line.name.as_str()).collect();
        let mut outside = outer.iter().filter_map(|end| end.line);
        if !agrees || outside.any(|line| names.contains(self.interaction.lifelines[line].name.as_str())) {
            return None;
        }
        for (id, (message, _)) in &joined {
            self.same_name(*message, &used.messages[*id]);
        }
        let lines = used.lifelines.iter().map(|line| self.same_line(line)).collect();
        Some(OpenedUse { node, used, lines, joined })
    }

    /// The messages at the gates of a use; `None` if there are none, or if the other end of one stands elsewhere.
    fn gate_ends(&self, node: NodeId, fragments: &[NodeId]) -> Option<Vec<GateEnd>> {
        let tree = self.reader.tree;
        let mut found = Vec::new();
        for gate in tree.parts(node, "actualGate") {
            let Some((outer, is_send)) = self.ends.of.get(&gate).copied() else { continue };
            let other = self.ends.on_lifelines(outer, !is_send).next();
            let listed = other.map(|other| fragments.iter().position(|one| *one == other));
            // A message from gate to gate, or from outside, has no place of its own.
            let at = match listed {
                Some(at) => at?,
                None => fragments.iter().position(|one| *one == node)?,
            };
            let line = other.and_then(|other| self.covered(other).first().copied());
            found.push(GateEnd { outer, goes_in: !is_send, gate, at, line });
        }
        (!found.is_empty()).then_some(found)
    }

    /// The formal gate of an interaction that an actual one stands for: of the same name, or the only one.
    fn formal_gate(&self, node: NodeId, target: NodeId, gate: NodeId) -> Option<NodeId> {
        let tree = self.reader.tree;
        let formal: Vec<NodeId> = tree.parts(target, "formalGate").collect();
        let name = tree.name(gate);
        let mut named = formal.iter().copied().filter(|one| !name.is_empty() && tree.name(*one) == name);
        match (named.next(), named.next(), formal.as_slice()) {
            (Some(one), None, _) => Some(one),
            (None, _, [only]) if tree.parts(node, "actualGate").count() == 1 => Some(*only),
            _ => None,
        }
    }

    /// Tells of a message that is called otherwise behind its gate.
    fn same_name(&mut self, outer: NodeId, inner: &Message) {
        let tree = self.reader.tree;
        let name = tree.name(outer);
        if !name.is_empty() && name != inner.text && name != inner.name {
            let text =
                format!("the message `{name}` is called `{}` behind the gate that it passes", inner.text);
            let finding = Diagnostic::new(Code::TwoNames, tree.span(outer), text);
            self.reader.report(finding.hint("the name behind the gate counts"));
        }
    }

    /// The lifeline of this interaction that one of another is, by its name; a new one if there is none.
    fn same_line(&mut self, line: &Lifeline) -> LifelineId {
        let known = self.interaction.lifelines.find(|own| own.name == line.name);
        known.unwrap_or_else(|| {
            let name = self.line_names.unique(&line.name, "#");
            self.interaction.lifelines.push(Lifeline { name, ..line.clone() })
        })
    }

    /// Adds what a use stands for.
    pub(super) fn write_out(
        &mut self,
        opened: OpenedUse,
        executions: &HashMap<NodeId, Vec<Execution>>,
        block: &mut Block,
    ) {
        let OpenedUse { node, used, lines, joined } = opened;
        let place = self.reader.tree.span(node).into();
        let mut copy = UseCopy { lines: &lines, messages: Vec::new(), executions: BTreeMap::new() };
        for (id, message) in used.messages.enumerate() {
            let mut message =
                Message { from: copy.end(message.from), to: copy.end(message.to), ..message.clone() };
            let outer = joined.get(&id);
            if let Some((outer, line)) = outer {
                message.place = self.reader.tree.span(*outer).into();
                message.label_place = message.place;
                let goes_in = matches!(message.from, End::Outside(_));
                let side = if goes_in { Side::Left } else { Side::Right };
                let end = line.map_or(End::Outside(Outside { side, short: false }), End::Lifeline);
                *(if goes_in { &mut message.from } else { &mut message.to }) = end;
            }
            let new = self.interaction.messages.push(message);
            copy.messages.push(new);
            if let Some((outer, _)) = outer {
                self.placed.insert(*outer, new);
                copy.executions.insert(new, executions.get(outer).cloned().unwrap_or_default());
            }
        }
        let content = copy.block(&used.body);
        let orderings = used.orderings.iter().map(|one| GeneralOrdering {
            before: copy.occurrence(one.before),
            after: copy.occurrence(one.after),
            place: one.place,
        });
        self.interaction.orderings.extend(orderings);
        let timings = used.timings.iter().map(|one| Timing {
            from: copy.occurrence(one.from),
            to: one.to.map(|to| copy.occurrence(to)),
            ..one.clone()
        });
        self.interaction.timings.extend(timings);
        let mut frame = frame(&Operator::Seq);
        frame.title = Some(format!("ref {}", used.name));
        let operand = Operand::plain(content, place);
        block.0.push(Fragment::Combined(Combined::new(Operator::Seq, vec![operand], frame, place)));
    }
}

/// Copies the content of an interaction into another.
struct UseCopy<'a> {
    lines: &'a [LifelineId],
    messages: Vec<MessageId>,
    /// Executions of the outer interaction that begin or end at joined messages.
    executions: BTreeMap<MessageId, Vec<Execution>>,
}

impl UseCopy<'_> {
    fn line(&self, line: LifelineId) -> LifelineId {
        self.lines[line.index()]
    }

    fn all(&self, lines: &[LifelineId]) -> Vec<LifelineId> {
        lines.iter().map(|line| self.line(*line)).collect()
    }

    fn end(&self, end: End) -> End {
        match end {
            End::Lifeline(line) => End::Lifeline(self.line(line)),
            End::Outside(outside) => End::Outside(outside),
        }
    }

    fn occurrence(&self, occurrence: Occurrence) -> Occurrence {
        match occurrence {
            Occurrence::Send(id) => Occurrence::Send(self.messages[id.index()]),
            Occurrence::Receive(id) => Occurrence::Receive(self.messages[id.index()]),
        }
    }

    fn block(&self, block: &Block) -> Block {
        let mut copied = Block::default();
        for fragment in &block.0 {
            let fragment = self.fragment(fragment);
            let executions =
                if let Fragment::Message(id) = &fragment { self.executions.get(id) } else { None };
            copied.0.push(fragment);
            copied.0.extend(executions.into_iter().flatten().cloned().map(Fragment::Execution));
        }
        copied
    }

    fn fragment(&self, fragment: &Fragment) -> Fragment {
        match fragment {
            Fragment::Message(id) => Fragment::Message(self.messages[id.index()]),
            Fragment::Stop(stop) => {
                Fragment::Stop(Stop { lifeline: self.line(stop.lifeline), ..stop.clone() })
            }
            Fragment::Action(action) => {
                Fragment::Action(Action { lifeline: self.line(action.lifeline), ..action.clone() })
            }
            Fragment::Invariant(one) => {
                Fragment::Invariant(Invariant { lifelines: self.all(&one.lifelines), ..one.clone() })
            }
            Fragment::Use(used) => {
                Fragment::Use(Use { lifelines: self.all(&used.lifelines), ..used.clone() })
            }
            Fragment::Execution(one) => {
                Fragment::Execution(Execution { lifeline: self.line(one.lifeline), ..one.clone() })
            }
            Fragment::Combined(combined) => Fragment::Combined(self.combined(combined)),
            // The reader of models makes none of these.
            Fragment::Note(_) | Fragment::Separator(_) | Fragment::Numbering(_) => fragment.clone(),
        }
    }

    fn combined(&self, combined: &Combined) -> Combined {
        let operator = match &combined.operator {
            Operator::Coregion(line) => Operator::Coregion(self.line(*line)),
            other => other.clone(),
        };
        let operands = combined.operands.iter();
        let operands = operands.map(|one| Operand { block: self.block(&one.block), ..one.clone() }).collect();
        Combined { operator, operands, covers: self.all(&combined.covers), ..combined.clone() }
    }
}
