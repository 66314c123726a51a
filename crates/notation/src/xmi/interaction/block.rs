//! Lists of fragments become blocks.

use std::collections::{HashMap, HashSet};

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::model::{
    Action, Block, Bound, Combined, Condition, Execution, Fragment, GeneralOrdering, Guard, Invariant,
    LifelineId, Loop, MessageSort, MessageType, Occurrence, Operand, Operator, Stop, Use,
};

use super::gate::OpenedUse;
use super::order::{self, LifelinePlaces};
use super::{XmiInteractionBuilder, frame};
use crate::resolve::sequence;
use crate::xmi::dialect::ModelingTool;
use crate::xmi::directive;
use crate::xmi::text;
use crate::xmi::tree::{ElementReference, NodeId};

/// Something that takes a place in a block.
enum BlockItem {
    Message(NodeId),
    /// Messages whose ends on a lifeline have no order.
    Unordered(LifelineId, Vec<NodeId>, NodeId),
    /// An interaction use through whose gates messages pass.
    Opened(Box<OpenedUse>),
    Fragment(Fragment),
}

/// The items of a block while they are found.
#[derive(Default)]
struct Items {
    items: Vec<(BlockItem, LifelinePlaces)>,
    of_message: HashMap<NodeId, usize>,
    /// Uses that are written out.
    opened: HashSet<NodeId>,
    /// Executions that begin or end at a message.
    executions: HashMap<NodeId, Vec<Execution>>,
}

impl Items {
    fn push(&mut self, item: BlockItem, lines: &[LifelineId], at: usize) -> usize {
        let marks = LifelinePlaces { marks: lines.iter().map(|line| (*line, at)).collect(), first: at };
        self.items.push((item, marks));
        self.items.len() - 1
    }

    /// An end of a message at a position.
    fn end(&mut self, message: NodeId, lines: &[LifelineId], at: usize) {
        match self.of_message.get(&message) {
            Some(item) => self.items[*item].1.marks.extend(lines.iter().map(|line| (*line, at))),
            None => {
                let item = self.push(BlockItem::Message(message), lines, at);
                self.of_message.insert(message, item);
            }
        }
    }
}

impl<'d> XmiInteractionBuilder<'_, '_, 'd> {
    /// The block of a list of fragments.
    pub(super) fn block(&mut self, fragments: &[NodeId]) -> Block {
        let fragments = self.join(fragments);
        let mut found = Items::default();
        for (at, node) in fragments.iter().enumerate() {
            self.coregion(*node, at, &mut found);
            self.open_use(*node, at, &fragments, &mut found);
        }
        for (at, node) in fragments.iter().enumerate() {
            self.fragment(*node, at, &mut found);
        }
        self.misplaced(&found);
        let Items { items, executions, .. } = found;
        let (items, marks): (Vec<BlockItem>, Vec<LifelinePlaces>) = items.into_iter().unzip();
        let mut items: Vec<Option<BlockItem>> = items.into_iter().map(Some).collect();
        let mut block = Block::default();
        for group in order::arrange(&marks) {
            let members: Vec<(BlockItem, &LifelinePlaces)> =
                group.into_iter().filter_map(|index| Some((items[index].take()?, &marks[index]))).collect();
            self.emit(members, &executions, &mut block);
        }
        block
    }

    /// A `par` of single occurrences on one lifeline is a coregion: its messages lie in the block around it.
    fn coregion(&mut self, node: NodeId, at: usize, found: &mut Items) {
        let Some((line, inside)) = self.unordered(node) else { return };
        let messages: Vec<NodeId> =
            inside.iter().filter_map(|end| self.ends.of.get(end)).map(|end| end.0).collect();
        let item = found.push(BlockItem::Unordered(line, messages.clone(), node), &[line], at);
        for message in messages {
            found.of_message.insert(message, item);
        }
    }

    /// A use that is written out takes the messages that pass its gates.
    fn open_use(&mut self, node: NodeId, at: usize, fragments: &[NodeId], found: &mut Items) {
        let is_use = self.reader.tree.kind(node) == "InteractionUse";
        let Some(opened) = is_use.then(|| self.opened(node, fragments)).flatten() else { return };
        let mut lines = self.covered(node);
        lines.extend(opened.lines());
        lines.sort_unstable();
        lines.dedup();
        let messages: Vec<NodeId> = opened.messages().collect();
        let item = found.push(BlockItem::Opened(Box::new(opened)), &lines, at);
        found.opened.insert(node);
        for message in messages {
            found.of_message.insert(message, item);
        }
    }

    /// The lifeline and the occurrences of a coregion.
    fn unordered(&self, node: NodeId) -> Option<(LifelineId, Vec<NodeId>)> {
        let tree = self.reader.tree;
        let is_par = tree.kind(node) == "CombinedFragment"
            && tree.attribute(node, "interactionOperator") == Some("par");
        let [line] = self.covered(node)[..] else { return None };
        let inside: Vec<NodeId> =
            tree.parts(node, "operand").flat_map(|operand| tree.parts(operand, "fragment")).collect();
        let is_end = |end: &NodeId| self.ends.of.contains_key(end) && self.covered(*end) == [line];
        (is_par && !inside.is_empty() && inside.iter().all(is_end)).then_some((line, inside))
    }

    /// A message with one end here and the other in another list of fragments cannot be put in order.
    fn misplaced(&mut self, found: &Items) {
        let tree = self.reader.tree;
        for message in found
            .of_message
            .keys()
            .filter(|message| self.placed.contains_key(message))
            .copied()
            .collect::<Vec<_>>()
        {
            let message_name = tree.name(message);
            self.refuse(
                message,
                format!("the message `{message_name}` is sent and received in different operands"),
            );
        }
    }

    fn fragment(&mut self, node: NodeId, at: usize, found: &mut Items) {
        let tree = self.reader.tree;
        let lines = self.covered(node);
        let place = tree.span(node).into();
        if let Some((message, _)) = self.ends.of.get(&node).copied() {
            let is_new = !found.of_message.contains_key(&message);
            found.end(message, &lines, at);
            let is_sent = self.ends.of[&node].1;
            if is_new && !is_sent && self.is_sent_beside(message, node) {
                let text = format!("the message `{}` is received above its sending", tree.name(message));
                self.reader.report(
                    Diagnostic::new(Code::TwoNames, tree.span(node), text)
                        .hint("each lifeline's own order counts"),
                );
            }
            return;
        }
        let kind = tree.kind(node);
        let is_on_line = kind.contains("Execution") || kind == "DestructionOccurrenceSpecification";
        if is_on_line && lines.is_empty() {
            let message = format!("the {kind} `{}` lies on no lifeline", tree.name(node));
            self.reader.report(Diagnostic::new(Code::MissingElement, tree.span(node), message));
        }
        match kind {
            "CombinedFragment" | "ConsiderIgnoreFragment" if self.unordered(node).is_some() => {}
            "CombinedFragment" | "ConsiderIgnoreFragment" => self.combined(node, at, found),
            "StateInvariant" => {
                let condition = self.invariant(node);
                let invariant = Invariant { lifelines: lines.clone(), condition, place };
                found.push(BlockItem::Fragment(Fragment::Invariant(invariant)), &lines, at);
            }
            // What is inside of a lifeline is told there.
            "PartDecomposition" if self.ends.decompositions.contains(&node) => {}
            "InteractionUse" if found.opened.contains(&node) => {}
            "InteractionUse" => {
                let target = tree.first(node, "refersTo");
                let name = target.and_then(|target| self.names.get(&target).cloned());
                let name = name.or_else(|| target.map(|target| tree.name(target).to_owned()));
                let name = name.unwrap_or_else(|| tree.name(node).to_owned());
                let used = Use { name, target: None, lifelines: lines.clone(), place };
                found.push(BlockItem::Fragment(Fragment::Use(used)), &lines, at);
            }
            "DestructionOccurrenceSpecification" | "DestructionEvent" | "Stop" => {
                for lifeline in &lines {
                    let stop = Fragment::Stop(Stop { lifeline: *lifeline, place });
                    found.push(BlockItem::Fragment(stop), &[*lifeline], at);
                }
            }
            "ActionExecutionSpecification" if self.is_lone(node) => {
                for lifeline in &lines {
                    let action = Action { lifeline: *lifeline, name: tree.name(node).to_owned(), place };
                    found.push(BlockItem::Fragment(Fragment::Action(action)), &[*lifeline], at);
                }
            }
            "BehaviorExecutionSpecification" | "ActionExecutionSpecification" | "ExecutionSpecification" => {
                self.execution(node, found);
            }
            "ExecutionOccurrenceSpecification" => self.execution_end(node, at, found),
            // What begins or ends an execution; anything else happens without a name.
            "OccurrenceSpecification" | "MessageOccurrenceSpecification" | "EventOccurrence" => {
                self.execution_end(node, at, found);
            }
            "Continuation" if self.joined.contains(&node) => {}
            "Continuation" if self.ends.continuations.get(tree.name(node)) == Some(&1) => {
                let message =
                    format!("no other continuation is called `{}`: it joins nothing", tree.name(node));
                let finding = Diagnostic::new(Code::Unsupported, tree.span(node), message);
                self.reader.report(finding.severity(Severity::Hint));
            }
            "Continuation" => {
                let name = tree.name(node);
                self.refuse(node, format!("the operands that the continuation `{name}` joins are not two alternatives in a row, one operand each"));
            }
            other => {
                let message = format!("fragments of type `{other}` are not read");
                self.reader.report(Diagnostic::new(Code::Unsupported, tree.span(node), message));
            }
        }
    }

    /// Whether an action is named and begins and ends with nothing else.
    fn is_lone(&self, node: NodeId) -> bool {
        let tree = self.reader.tree;
        let has_ends = ["start", "finish"].iter().any(|role| tree.first(node, role).is_some());
        !has_ends && !tree.name(node).is_empty()
    }

    /// Whether a message is sent in the list of fragments in which an occurrence stands.
    fn is_sent_beside(&self, message: NodeId, node: NodeId) -> bool {
        let owner = |node: NodeId| self.reader.tree.node(node).parent;
        self.ends.on_lifelines(message, true).any(|end| owner(end) == owner(node))
    }

    pub(super) fn covered(&self, node: NodeId) -> Vec<LifelineId> {
        let mut lines = self.ends.covered.get(&node).cloned().unwrap_or_default();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// Notes at which messages an execution begins and ends.
    fn execution(&mut self, node: NodeId, found: &mut Items) {
        let tree = self.reader.tree;
        let Some(lifeline) = self.covered(node).first().copied() else { return };
        for (role, bound) in [("start", Bound::Start), ("finish", Bound::Finish)] {
            let end = tree.first(node, role).and_then(|end| self.ends.of.get(&end));
            if let Some((message, _)) = end {
                let place = tree.span(node).into();
                found.executions.entry(*message).or_default().push(Execution {
                    lifeline,
                    bound,
                    colour: None,
                    place,
                });
            }
        }
    }

    /// An occurrence that is no end of a message begins or ends an execution.
    fn execution_end(&mut self, node: NodeId, at: usize, found: &mut Items) {
        let tree = self.reader.tree;
        let execution = tree.first(node, "execution").or_else(|| self.ends.executions.get(&node).copied());
        let lines = self.covered(node);
        let (Some(execution), Some(lifeline)) = (execution, lines.first().copied()) else {
            if tree.kind(node) != "ExecutionOccurrenceSpecification" {
                let message = "the occurrence belongs to no message";
                self.reader.report(Diagnostic::new(Code::MissingElement, tree.span(node), message));
            }
            return;
        };
        let bound = if tree.first(execution, "start") == Some(node) { Bound::Start } else { Bound::Finish };
        let place = tree.span(node).into();
        let execution = Fragment::Execution(Execution { lifeline, bound, colour: None, place });
        found.push(BlockItem::Fragment(execution), &[lifeline], at);
    }

    /// Adds items that are in order, or that cross.
    fn emit(
        &mut self,
        mut members: Vec<(BlockItem, &LifelinePlaces)>,
        executions: &HashMap<NodeId, Vec<Execution>>,
        block: &mut Block,
    ) {
        if members.len() == 1 {
            match members.remove(0).0 {
                BlockItem::Fragment(fragment) => block.0.push(fragment),
                BlockItem::Message(message) => self.place(message, executions, block),
                BlockItem::Unordered(line, messages, node) => {
                    let mut inside = Block::default();
                    messages.into_iter().for_each(|message| self.place(message, executions, &mut inside));
                    block.0.push(self.in_coregion(line, inside, node));
                }
                BlockItem::Opened(opened) => self.write_out(*opened, executions, block),
            }
            return;
        }
        let all: Option<Vec<(NodeId, &LifelinePlaces)>> = members
            .iter()
            .map(|(item, marks)| match item {
                BlockItem::Message(message) => Some((*message, *marks)),
                BlockItem::Fragment(_) | BlockItem::Unordered(..) | BlockItem::Opened(_) => None,
            })
            .collect();
        match all {
            Some(messages) => self.crossing(&messages, executions, block),
            None => {
                let node = members.iter().find_map(|(item, _)| match item {
                    BlockItem::Message(message) => Some(*message),
                    BlockItem::Unordered(_, _, node) => Some(*node),
                    BlockItem::Opened(opened) => opened.messages().next(),
                    BlockItem::Fragment(_) => None,
                });
                for (item, marks) in members {
                    self.emit(vec![(item, marks)], executions, block);
                }
                if let Some(node) = node {
                    let name = self.reader.tree.name(node);
                    self.refuse(node, format!("the message `{name}` crosses a fragment"));
                }
            }
        }
    }

    /// Adds a message and the executions that begin or end with it.
    pub(super) fn place(
        &mut self,
        message: NodeId,
        executions: &HashMap<NodeId, Vec<Execution>>,
        block: &mut Block,
    ) {
        let id = self.message(message);
        block.0.push(Fragment::Message(id));
        let at_message = executions.get(&message).into_iter().flatten();
        block.0.extend(at_message.cloned().map(Fragment::Execution));
        let message = &self.interaction.messages[id];
        if let (MessageSort::Delete, Some(lifeline)) = (message.sort, message.to.lifeline()) {
            block.0.push(Fragment::Stop(Stop { lifeline, place: message.place }));
        }
    }

    /// Messages that cross lie in coregions, and general orderings say what is listed.
    fn crossing(
        &mut self,
        messages: &[(NodeId, &LifelinePlaces)],
        executions: &HashMap<NodeId, Vec<Execution>>,
        block: &mut Block,
    ) {
        let mut inside = Block::default();
        let mut listed: Vec<(LifelineId, usize, usize, Occurrence)> = Vec::new();
        for (number, (node, _)) in messages.iter().enumerate() {
            self.place(*node, executions, &mut inside);
            let id = self.placed[node];
            let message = &self.interaction.messages[id];
            for (end, occurrence) in
                [(message.from, Occurrence::Send(id)), (message.to, Occurrence::Receive(id))]
            {
                let Some(line) = end.lifeline() else { continue };
                let at =
                    self.position(*node, matches!(occurrence, Occurrence::Send(_)), messages[number].1, line);
                listed.push((line, at, number, occurrence));
            }
        }
        let mut lines: Vec<LifelineId> = listed.iter().map(|one| one.0).collect();
        lines.sort_unstable();
        lines.dedup();
        let place = self.reader.tree.span(messages[0].0).into();
        for line in lines {
            let mut ends: Vec<_> = listed.iter().filter(|one| one.0 == line).collect();
            let drawn: Vec<Occurrence> = ends.iter().map(|one| one.3).collect();
            ends.sort_by_key(|one| one.1);
            let wanted: Vec<Occurrence> = ends.iter().map(|one| one.3).collect();
            if drawn == wanted {
                continue;
            }
            for pair in wanted.windows(2) {
                self.interaction.orderings.push(GeneralOrdering { before: pair[0], after: pair[1], place });
            }
            let whole = self.in_coregion(line, inside, messages[0].0);
            inside = Block(vec![whole]);
        }
        block.0.append(&mut inside.0);
    }

    /// Where an end of a message is listed.
    fn position(&self, message: NodeId, is_send: bool, marks: &LifelinePlaces, line: LifelineId) -> usize {
        let mut own = marks.marks.iter().filter(|(other, _)| *other == line).map(|(_, at)| *at);
        let (first, second) = (own.next(), own.next());
        let is_self = second.is_some();
        // The marks of a message to oneself come in the order in which they are listed.
        let sent_first = !is_self || self.is_sent_first(message);
        let at = if is_self && is_send != sent_first { second } else { first };
        at.unwrap_or(marks.first)
    }

    fn is_sent_first(&self, message: NodeId) -> bool {
        let span = |is_send: bool| {
            self.ends.of(message, is_send).map(|node| self.reader.tree.span(node).start).min()
        };
        span(true) <= span(false)
    }

    fn in_coregion(&self, line: LifelineId, block: Block, node: NodeId) -> Fragment {
        let place = self.reader.tree.span(node).into();
        let operand = Operand::plain(block, place);
        Fragment::Combined(Combined::new(
            Operator::Coregion(line),
            vec![operand],
            frame(&Operator::Coregion(line)),
            place,
        ))
    }

    fn combined(&mut self, node: NodeId, at: usize, found: &mut Items) {
        let tree = self.reader.tree;
        let parts: Vec<NodeId> = tree.parts(node, "operand").collect();
        let commented = self.commented(node);
        let is_commented = commented.is_some();
        let Some(operator) = commented.or_else(|| self.operator(node, &parts)) else { return };
        // MagicDraw leaves operands empty whatever is drawn in them, others only if nothing is.
        let mut empty = parts.iter().map(|operand| tree.parts(*operand, "fragment").next().is_none());
        let is_empty = match self.reader.tool {
            ModelingTool::MagicDraw => parts.is_empty() || empty.any(|is_empty| is_empty),
            ModelingTool::EnterpriseArchitect | ModelingTool::Other => empty.all(|is_empty| is_empty),
        };
        if is_empty && !is_commented {
            self.refuse(
                node,
                format!(
                    "the fragment `{}` holds nothing in the file; what is drawn in it is not known",
                    operator.word()
                ),
            );
        }
        let mut operands = Vec::new();
        for part in parts {
            let inside = self.inside(part);
            let block = self.block(&inside);
            let (guard, title) = self.guard(part, &operator);
            operands.push(Operand { guard, title, colour: None, block, place: tree.span(part).into() });
        }
        if operands.is_empty() {
            let place = tree.span(node).into();
            operands.push(Operand::plain(Block::default(), place));
        }
        let mut frame = frame(&operator);
        let name = tree.name(node);
        let words = ["combinedfragment", "considerignorefragment", "fragment", operator.word()];
        frame.title =
            Some(name).filter(|name| frame.keyword == "group" && is_given(name, &words)).map(str::to_owned);
        let mut combined = Combined::new(operator, operands, frame, tree.span(node).into());
        let touched = self.touched(&combined);
        let mut lines = self.covered(node);
        combined.covers = lines.iter().copied().filter(|line| !touched.contains(line)).collect();
        lines.extend(touched);
        lines.sort_unstable();
        lines.dedup();
        found.push(BlockItem::Fragment(Fragment::Combined(combined)), &lines, at);
    }

    /// The lifelines that the content of a fragment touches.
    fn touched(&self, combined: &Combined) -> Vec<LifelineId> {
        let mut lines = Vec::new();
        combined.walk(&mut |fragment, _| match fragment {
            Fragment::Message(id) => {
                let message = &self.interaction.messages[*id];
                lines.extend([message.from, message.to].into_iter().filter_map(|end| end.lifeline()));
            }
            Fragment::Stop(stop) => lines.push(stop.lifeline),
            Fragment::Action(action) => lines.push(action.lifeline),
            Fragment::Invariant(invariant) => lines.extend(&invariant.lifelines),
            Fragment::Use(used) => lines.extend(&used.lifelines),
            Fragment::Execution(execution) => lines.push(execution.lifeline),
            Fragment::Combined(_) | Fragment::Note(_) | Fragment::Separator(_) | Fragment::Numbering(_) => {}
        });
        lines
    }

    fn operator(&mut self, node: NodeId, operands: &[NodeId]) -> Option<Operator> {
        let tree = self.reader.tree;
        let word = tree.attribute(node, "interactionOperator").unwrap_or("seq");
        let name = |target: Result<NodeId, ElementReference<'d>>| match target {
            Ok(message) => tree.name(message),
            Err(ElementReference::Id(id) | ElementReference::Elsewhere(_, id)) => id,
        };
        let types =
            || tree.targets(node, "message").into_iter().map(|one| MessageType::named(name(one))).collect();
        let plain = Operator::PLAIN.into_iter().find(|operator| operator.word() == word);
        let operator = match word {
            "loop" => Operator::Loop(self.bounds(node, operands.first().copied())),
            "ignore" => Operator::Ignore(types()),
            "consider" => Operator::Consider(types()),
            _ => match plain {
                Some(operator) => operator,
                None => {
                    self.refuse(node, format!("`{word}` is not an operator of combined fragments"));
                    return None;
                }
            },
        };
        Some(operator)
    }

    /// The operator that a comment in a fragment gives it as a directive does: what UML has none for (`@sloop (2,5)`, `@ignore {m: a -> b}`).
    fn commented(&mut self, node: NodeId) -> Option<Operator> {
        let tree = self.reader.tree;
        let mut comments = tree.parts(node, "ownedComment").map(|one| directive::comment(tree, one));
        let named = |text: &str| {
            let name = text.strip_prefix("coregion ")?.trim();
            self.interaction.lifelines.find(|line| line.name == name).map(Operator::Coregion)
        };
        let mut operator = comments.find_map(|text| {
            let text = text.strip_prefix('@')?;
            named(text).or_else(|| sequence::operator(text))
        })?;
        if let Operator::Ignore(types) | Operator::Consider(types) = &mut operator {
            let is_known = |name: &String| self.interaction.lifelines.iter().any(|line| line.name == *name);
            for one in types.iter_mut().filter(|one| !one.ends.iter().flatten().all(is_known)) {
                one.ends = None;
                let message = format!("`{}` is not sent between lifelines of this diagram", one.name);
                self.reader.report(Diagnostic::new(Code::UnknownEnd, tree.span(node), message));
            }
        }
        Some(operator)
    }

    /// `minint` and `maxint` of a loop's guard; `*` for both is a loop without end.
    fn bounds(&mut self, node: NodeId, operand: Option<NodeId>) -> Loop {
        let tree = self.reader.tree;
        let guard = operand.and_then(|operand| tree.first(operand, "guard"));
        let bound = |role: &str| {
            let written = guard.and_then(|guard| tree.first(guard, role)).map(|one| text::value(tree, one));
            let written =
                written.or_else(|| guard.and_then(|guard| tree.attribute(guard, role)).map(str::to_owned));
            written.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        let [least, most] = ["minint", "maxint"].map(bound);
        for text in [&least, &most].into_iter().flatten() {
            if text.parse::<u32>().is_err() && !matches!(text.as_str(), "*" | "-1") {
                let message = format!("the bound `{text}` of the loop is no number; it is read as none");
                let span = tree.span(guard.unwrap_or(node));
                self.reader.report(Diagnostic::new(Code::Unsupported, span, message));
            }
        }
        let number = |text: &Option<String>| text.as_ref().and_then(|text| text.parse().ok());
        let min = if least.as_deref() == Some("*") { None } else { Some(number(&least).unwrap_or(0)) };
        Loop { min, max: number(&most), strict: false }
    }

    /// What a state invariant says.
    fn invariant(&mut self, node: NodeId) -> Condition {
        let tree = self.reader.tree;
        let constraint = tree.first(node, "invariant");
        let text = constraint.map(|one| text::constraint(tree, one)).unwrap_or_default();
        match constraint.filter(|_| !text.is_empty()) {
            Some(constraint) => self.reader.constraint(constraint, &text),
            None if tree.name(node).is_empty() => {
                let missing = self.reader.missing_guard(node, &["invariant"]);
                missing.unwrap_or_else(|| self.reader.condition("", tree.span(node)))
            }
            None => self.reader.condition(tree.name(node), tree.span(node)),
        }
    }

    /// The guard of an operand, and its caption: the name that its author gave it, where the operator has no guards that plain text could be.
    fn guard(&mut self, operand: NodeId, operator: &Operator) -> (Guard, Option<String>) {
        let tree = self.reader.tree;
        let guard = match tree.first(operand, "guard") {
            None => {
                let missing = self.reader.missing_guard(operand, &["guard"]);
                missing.map_or(Guard::Absent, Guard::Condition)
            }
            Some(guard) => {
                let text = text::constraint(tree, guard);
                let written = text.trim();
                match written.to_lowercase().trim_start_matches('[').trim_end_matches(']') {
                    "" => self.reader.silent_guard(guard).map_or(Guard::Absent, Guard::Condition),
                    "else" => Guard::Else,
                    _ => Guard::Condition(self.reader.constraint(guard, written)),
                }
            }
        };
        let is_captioned = guard == Guard::Absent && !operator.takes_guards();
        let name = tree.name(operand);
        let caption =
            (is_captioned && is_given(name, &["operand", "interactionoperand"])).then(|| name.to_owned());
        (guard, caption)
    }
}

/// Whether a name is one that an author gave, rather than a tool: one of these words with a number.
fn is_given(name: &str, words: &[&str]) -> bool {
    let word =
        name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ' ' | '_' | '-')).to_lowercase();
    !word.is_empty() && !words.contains(&word.as_str())
}
