//! What a lifeline receives in an order that is not drawn: operands of a `par`, messages of a coregion.
//!
//! A block becomes a small automaton whose edges are what the lifeline receives there: choices branch, loops go round, blocks in which it receives
//! nothing leave no trace. Operands in any order are the product of their automata, so nested ones need no case of their own.
//! [`LifelineWalk::follow`] then finds the states of the machine at each position.

use std::collections::{BTreeMap, BTreeSet};

use super::{ActiveStates, LifelineWalk, MOST_OPEN, may_be_skipped};
use crate::model::{Block, Combination, Combined, Fragment, InteractionId, LifelineId, Loop, MessageId, Use};

/// No automaton has more positions than this, before those that are passed without a message are taken out.
const MOST_POSITIONS: usize = 5_000;

/// No more orders of parallel messages are tried.
const MOST_ORDERS: usize = 2_000;

/// A message that the lifeline receives, in the interaction in which it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Receipt {
    at: (InteractionId, LifelineId),
    message: MessageId,
}

/// What a lifeline may receive in a part of an interaction; it begins at position 0.
pub(super) struct ReceiptAutomaton {
    /// From each position what comes next, and the position after it.
    edges: Vec<Vec<(Receipt, usize)>>,
    /// Whether the part may be over there.
    is_end: Vec<bool>,
}

impl ReceiptAutomaton {
    /// Whether the lifeline receives nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.edges.iter().all(Vec::is_empty)
    }

    /// What several parts receive, in any order of their messages; `None` if these are too many.
    pub(super) fn product(parts: &[ReceiptAutomaton]) -> Option<Self> {
        let mut known = BTreeMap::from([(vec![0; parts.len()], 0)]);
        let mut open = vec![vec![0; parts.len()]];
        let (mut edges, mut is_end) = (Vec::new(), Vec::new());
        while let Some(at) = open.get(edges.len()).cloned() {
            is_end.push(parts.iter().zip(&at).all(|(part, position)| part.is_end[*position]));
            let mut own = Vec::new();
            for (number, part) in parts.iter().enumerate() {
                for (receipt, next) in &part.edges[at[number]] {
                    let mut further = at.clone();
                    further[number] = *next;
                    let fresh = known.len();
                    let target = *known.entry(further.clone()).or_insert(fresh);
                    if target == fresh {
                        open.push(further);
                    }
                    own.push((*receipt, target));
                }
            }
            edges.push(own);
            if open.len() > MOST_ORDERS {
                return None;
            }
        }
        Some(ReceiptAutomaton { edges, is_end })
    }
}

impl LifelineWalk<'_> {
    /// Where the machine may be after an automaton; nowhere, and with a death as late as possible, if it can follow none of its ways.
    pub(super) fn follow(&mut self, automaton: &ReceiptAutomaton, states: ActiveStates) -> ActiveStates {
        let mut reached = vec![ActiveStates::new(); automaton.edges.len()];
        let mut depths = vec![0; automaton.edges.len()];
        let mut open = BTreeSet::from([0]);
        let mut last_death = None;
        reached[0] = states;
        while let Some(at) = open.pop_first() {
            for (receipt, next) in &automaton.edges[at] {
                self.open.push(receipt.at);
                let after = self.message(receipt.message, reached[at].clone());
                self.open.pop();
                if let Some(death) = self.death.take() {
                    if last_death.as_ref().is_none_or(|(depth, _)| *depth < depths[at]) {
                        last_death = Some((depths[at], death));
                    }
                }
                if !after.is_subset(&reached[*next]) {
                    if reached[*next].is_empty() {
                        depths[*next] = depths[at] + 1;
                    }
                    reached[*next].extend(after);
                    open.insert(*next);
                }
            }
        }
        let ends = reached.into_iter().zip(&automaton.is_end).filter(|(_, is_end)| **is_end);
        let after: ActiveStates = ends.flat_map(|(states, _)| states).collect();
        self.death = last_death.map(|(_, death)| death).filter(|_| after.is_empty());
        after
    }
}

/// Builds an automaton with steps that need no message.
pub(super) struct ReceiptBuilder<'w, 'a> {
    walk: &'w LifelineWalk<'a>,
    /// The interactions that are open, and the lifeline in each.
    open: Vec<(InteractionId, LifelineId)>,
    edges: Vec<Vec<(Option<Receipt>, usize)>>,
    /// How many edges have a message.
    receipts: usize,
}

impl<'w, 'a> ReceiptBuilder<'w, 'a> {
    /// A builder where a walk is now.
    pub(super) fn at(walk: &'w LifelineWalk<'a>) -> Self {
        ReceiptBuilder { walk, open: walk.open.clone(), edges: Vec::new(), receipts: 0 }
    }

    /// What the lifeline receives in a block; `None` if that is not known, does not end, or is too large.
    pub(super) fn part(&self, block: &Block) -> Option<ReceiptAutomaton> {
        let mut inner = ReceiptBuilder { open: self.open.clone(), ..ReceiptBuilder::at(self.walk) };
        let start = inner.position()?;
        let end = inner.block(block, start, None)?;
        Some(inner.reduced(start, end))
    }

    /// What comes in any order: the operands of a `par`, the messages of a coregion. `None` if one of them is not known.
    pub(super) fn parts(&self, combined: &Combined) -> Option<Vec<ReceiptAutomaton>> {
        let blocks: Vec<&Block> = combined.operands.iter().map(|operand| &operand.block).collect();
        match matches!(combined.operator.combination(), Combination::Unordered(_)) {
            true => self.messages(&blocks),
            false => blocks.into_iter().map(|block| self.part(block)).collect(),
        }
    }

    /// The messages of a coregion, each by itself; `None` if one of them stands in a block that does more than put them in sequence.
    fn messages(&self, blocks: &[&Block]) -> Option<Vec<ReceiptAutomaton>> {
        let mut parts = Vec::new();
        for fragment in blocks.iter().flat_map(|block| &block.0) {
            match fragment {
                Fragment::Combined(combined) if is_sequence(combined) => {
                    let inner: Vec<&Block> = combined.operands.iter().map(|operand| &operand.block).collect();
                    parts.extend(self.messages(&inner)?);
                }
                Fragment::Combined(combined) if combined.operator.combination() == Combination::Break => {
                    return None;
                }
                other => {
                    let own = self.part(&Block(vec![other.clone()]))?;
                    if !own.is_empty() && !matches!(other, Fragment::Message(_)) {
                        return None;
                    }
                    parts.push(own);
                }
            }
        }
        Some(parts)
    }

    fn position(&mut self) -> Option<usize> {
        self.edges.push(Vec::new());
        (self.edges.len() <= MOST_POSITIONS).then_some(self.edges.len() - 1)
    }

    fn step(&mut self, from: usize, to: usize) {
        self.edges[from].push((None, to));
    }

    /// Adds a block and returns where it is over; `leave` is where a `break` in it leads, if that is not its end.
    fn block(&mut self, block: &Block, from: usize, leave: Option<usize>) -> Option<usize> {
        let end = self.position()?;
        let mut at = from;
        for fragment in &block.0 {
            at = match fragment {
                Fragment::Message(id) => self.message(*id, at)?,
                Fragment::Use(used) => self.used(used, at)?,
                Fragment::Combined(combined) if combined.operator.combination() == Combination::Break => {
                    let over = self.sequence(combined, at)?;
                    self.step(over, leave.unwrap_or(end));
                    at
                }
                Fragment::Combined(combined) => self.combined(combined, at)?,
                Fragment::Stop(_)
                | Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => at,
            };
        }
        self.step(at, end);
        Some(end)
    }

    fn current(&self) -> (InteractionId, LifelineId) {
        *self.open.last().expect("the walk is in an interaction")
    }

    fn message(&mut self, message: MessageId, from: usize) -> Option<usize> {
        let at = self.current();
        let drawn = &self.walk.model.interactions[at.0].messages[message];
        if drawn.to.lifeline() != Some(at.1) || self.walk.is_no_trigger(drawn) {
            return Some(from);
        }
        let next = self.position()?;
        self.edges[from].push((Some(Receipt { at, message }), next));
        self.receipts += 1;
        Some(next)
    }

    fn used(&mut self, used: &Use, from: usize) -> Option<usize> {
        let (interaction, lifeline) = self.current();
        let model = self.walk.model;
        let is_open = |target: &InteractionId| self.open.iter().any(|(open, _)| open == target);
        let target = used.target.filter(|target| self.open.len() < MOST_OPEN && !is_open(target))?;
        let name = &model.interactions[interaction].lifelines[lifeline].name;
        let inner = &model.interactions[target];
        let Some(lifeline) = inner.lifelines.find(|one| one.name == *name) else { return Some(from) };
        self.open.push((target, lifeline));
        let end = self.block(&inner.body, from, None);
        self.open.pop();
        end
    }

    fn combined(&mut self, combined: &Combined, from: usize) -> Option<usize> {
        match combined.operator.combination() {
            Combination::Sequence | Combination::StrictSequence | Combination::Break => {
                self.sequence(combined, from)
            }
            Combination::Unordered(lifeline) if lifeline != self.current().1 => self.sequence(combined, from),
            Combination::Parallel | Combination::Unordered(_) => self.parallel(combined, from),
            Combination::Choice { .. } => self.choice(combined, from, may_be_skipped(combined)),
            Combination::Negation => self.choice(combined, from, true),
            Combination::Complement => None,
            Combination::Repetition(bounds) => self.repeat(combined, bounds, from),
        }
    }

    fn sequence(&mut self, combined: &Combined, from: usize) -> Option<usize> {
        combined.operands.iter().try_fold(from, |at, operand| self.block(&operand.block, at, None))
    }

    fn choice(&mut self, combined: &Combined, from: usize, is_optional: bool) -> Option<usize> {
        let end = self.position()?;
        for operand in &combined.operands {
            let over = self.block(&operand.block, from, None)?;
            self.step(over, end);
        }
        if is_optional {
            self.step(from, end);
        }
        Some(end)
    }

    /// Iterations one after the other, the last of them as often as one likes if there is no greatest number. A `break` in one ends the loop.
    fn repeat(&mut self, combined: &Combined, bounds: Loop, from: usize) -> Option<usize> {
        let before = self.receipts;
        let end = self.position()?;
        let mut at = from;
        let mut round = 0;
        loop {
            round += 1;
            let entry = self.position()?;
            self.step(at, entry);
            let mut blocks = combined.operands.iter().map(|operand| &operand.block);
            at = blocks.try_fold(entry, |at, block| self.block(block, at, Some(end)))?;
            if self.receipts == before || bounds.max == Some(0) {
                return Some(from);
            }
            let least = bounds.min?;
            if round == 1 && least == 0 {
                self.step(from, end);
            }
            if round >= least {
                self.step(at, end);
                if bounds.max.is_none() {
                    self.step(at, entry);
                }
            }
            if round >= bounds.max.unwrap_or(least.max(1)) {
                return Some(end);
            }
        }
    }

    /// The product of the operands, or of the messages of a coregion.
    fn parallel(&mut self, combined: &Combined, from: usize) -> Option<usize> {
        let product = ReceiptAutomaton::product(&self.parts(combined)?)?;
        let end = self.position()?;
        let first = self.edges.len();
        for _ in &product.edges {
            self.position()?;
        }
        self.step(from, first);
        for (at, edges) in product.edges.iter().enumerate() {
            self.receipts += edges.len();
            self.edges[first + at].extend(edges.iter().map(|(receipt, next)| (Some(*receipt), first + next)));
            if product.is_end[at] {
                self.step(first + at, end);
            }
        }
        Some(end)
    }

    /// The same without steps that need no message.
    fn reduced(&self, start: usize, end: usize) -> ReceiptAutomaton {
        let mut numbers = BTreeMap::from([(start, 0)]);
        let mut order = vec![start];
        let mut automaton = ReceiptAutomaton { edges: Vec::new(), is_end: Vec::new() };
        while let Some(at) = order.get(automaton.edges.len()).copied() {
            let (mut seen, mut open) = (BTreeSet::from([at]), vec![at]);
            let mut edges = Vec::new();
            while let Some(here) = open.pop() {
                for (receipt, next) in &self.edges[here] {
                    match receipt {
                        None => open.extend(seen.insert(*next).then_some(*next)),
                        Some(receipt) => {
                            let fresh = numbers.len();
                            let target = *numbers.entry(*next).or_insert(fresh);
                            order.extend((target == fresh).then_some(*next));
                            edges.push((*receipt, target));
                        }
                    }
                }
            }
            automaton.edges.push(edges);
            automaton.is_end.push(seen.contains(&end));
        }
        automaton
    }
}

fn is_sequence(combined: &Combined) -> bool {
    matches!(combined.operator.combination(), Combination::Sequence | Combination::StrictSequence)
}
