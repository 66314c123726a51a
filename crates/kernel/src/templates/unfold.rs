//! From a diagram to its tree: loops written out, references inlined, breaks rewritten.
//!
//! Occurrences are made in the order in which the lowering makes its rules, so that the k-th occurrence of a text is the
//! same to both ([`distinguish`](crate::system::distinguish)).

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::condition::{RigidCondition, RigidId};
use super::tree::{
    LineId, LoopRounds, NodeId, OccurrenceId, OperandComposition, TemplateNode, TemplateNodeKind,
    TemplateOperand, TemplateTree,
};
use crate::id::IdVec;
use crate::model::{
    Combination, Combined, Fragment as Drawn, FragmentId, Guard, InteractionId, Loop, MessageId, Model,
    Occurrence as DrawnEnd, Operand as DrawnOperand, Operator,
};
use crate::semantics::{Assumptions, Exchange, Unsupported, extras, replies};
use crate::source::Place;

/// More atoms are not written, nor meetings looked at.
const MOST_WORK: usize = 1_000_000;

/// More copies of anything are not written out; the lowering keeps a window then.
const MOST_COPIES: usize = 1_000;

/// Loops by their addresses, outermost first, each with an iteration.
type LoopPath = Vec<((InteractionId, FragmentId), usize)>;

/// How a diagram is written out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct UnfoldStyle {
    /// Loops that are kept.
    pub kept: BTreeSet<(InteractionId, FragmentId)>,
    /// Guards decide by themselves where they leave no choice.
    pub is_direct: bool,
}

pub(super) struct Unfolder<'a> {
    pub model: &'a Model,
    pub assumptions: &'a Assumptions,
    pub style: &'a UnfoldStyle,
    pub tree: TemplateTree,
    pub(crate) line_ids: BTreeMap<String, LineId>,
    /// How many fragments of each kind there are.
    pub counts: BTreeMap<&'static str, usize>,
    /// Propositions by scope and text.
    pub propositions: BTreeMap<(usize, String), RigidId>,
    /// Where each proposition is asked for.
    pub asked: BTreeMap<RigidId, Vec<RigidCondition>>,
    /// Indices that tell the propositions of an iteration from those of others; the first scope is the diagram.
    pub scopes: Vec<String>,
    rounds: LoopPath,
    /// The kept loops around what is written now, outermost first.
    pub kept: Vec<NodeId>,
    /// The occurrences of the current copy of an interaction.
    happenings: BTreeMap<DrawnEnd, Vec<(OccurrenceId, LoopPath)>>,
    pub(crate) inlining: Vec<InteractionId>,
    /// How many copies are made of what stands here.
    copies: usize,
}

/// Where something stands.
#[derive(Clone, Copy)]
pub(super) struct UnfoldPosition {
    /// The operand or fragment around it.
    pub parent: NodeId,
    /// The loop iteration whose propositions it asks for.
    pub scope: usize,
    pub depth: usize,
}

/// The breaks that stand directly in the body of a loop: when each is not taken.
type LoopBreaks = Vec<RigidCondition>;

impl<'a> Unfolder<'a> {
    pub(crate) fn new(
        model: &'a Model,
        id: InteractionId,
        assumptions: &'a Assumptions,
        style: &'a UnfoldStyle,
    ) -> Self {
        let interaction = &model.interactions[id];
        let mut nodes = IdVec::new();
        let kind = TemplateNodeKind::Operand(TemplateOperand::default());
        let (when, place) = (RigidCondition::ALWAYS, interaction.place);
        let root = nodes.push(TemplateNode { parent: None, kind, when, place });
        let mut unfolder = Unfolder {
            model,
            assumptions,
            style,
            tree: TemplateTree {
                lines: IdVec::new(),
                occurrences: IdVec::new(),
                nodes,
                rigids: IdVec::new(),
                definitions: BTreeMap::new(),
                homes: IdVec::new(),
                rules: Vec::new(),
                kept: BTreeMap::new(),
                orderings: Vec::new(),
                calls: Vec::new(),
                actions: BTreeSet::new(),
                is_joined_strictly: assumptions.switches.strict_joints,
                root,
                place: interaction.place,
                work: Cell::new(MOST_WORK),
            },
            line_ids: BTreeMap::new(),
            counts: BTreeMap::new(),
            propositions: BTreeMap::new(),
            asked: BTreeMap::new(),
            scopes: vec![String::new()],
            rounds: Vec::new(),
            kept: Vec::new(),
            happenings: BTreeMap::new(),
            inlining: Vec::new(),
            copies: 1,
        };
        interaction.lifelines.iter().for_each(|lifeline| {
            unfolder.line_named(&lifeline.name);
        });
        unfolder
    }

    /// The tree of an interaction.
    pub(crate) fn unfold(mut self, id: InteractionId) -> Result<TemplateTree, Unsupported> {
        let spot = UnfoldPosition { parent: self.tree.root, scope: 0, depth: 0 };
        self.interaction(id, spot)?;
        self.keep_quiet();
        self.write_definitions();
        self.number();
        Ok(self.tree)
    }

    /// The content of an interaction, with its orderings and, if asked for, its blocking calls.
    fn interaction(&mut self, id: InteractionId, spot: UnfoldPosition) -> Result<(), Unsupported> {
        self.inlining.push(id);
        let outer = std::mem::take(&mut self.happenings);
        let interaction = self.current();
        self.block(&interaction.body.unframed(), spot, None)?;
        let happenings = std::mem::replace(&mut self.happenings, outer);
        let none = Vec::new();
        for ordering in &interaction.orderings {
            for (later, path) in happenings.get(&ordering.after).unwrap_or(&none) {
                let earlier = happenings.get(&ordering.before).unwrap_or(&none).iter();
                let earlier = earlier.filter(|(_, other)| is_same_round(path, other));
                self.tree.orderings.extend(earlier.map(|(earlier, _)| (*earlier, *later)));
            }
        }
        if self.assumptions.switches.blocking_calls {
            for (call, reply) in replies(interaction) {
                let calls = happenings.get(&DrawnEnd::Send(call)).unwrap_or(&none);
                let answers = happenings.get(&DrawnEnd::Receive(reply)).unwrap_or(&none);
                let pairs = calls.iter().zip(answers).map(|((call, _), (answer, _))| (*call, *answer));
                self.tree.calls.extend(pairs);
            }
        }
        self.inlining.pop();
        Ok(())
    }

    /// Fragments in drawn order; behind a break stands the remainder. A break that ends a loop is noted.
    fn block(
        &mut self,
        fragments: &[&'a Drawn],
        spot: UnfoldPosition,
        mut breaks: Option<&mut LoopBreaks>,
    ) -> Result<(), Unsupported> {
        let mut spot = spot;
        for (index, drawn) in fragments.iter().enumerate() {
            if let Drawn::Combined(combined) = drawn {
                if combined.operator.combination() == Combination::Break && !combined.operands.is_empty() {
                    let rest = &fragments[index + 1..];
                    spot = self.break_off(combined, spot, breaks.as_deref_mut())?;
                    return self.block(rest, spot, breaks);
                }
            }
            self.drawn(drawn, spot)?;
        }
        Ok(())
    }

    /// A break as an alternative of its operand and the remainder; where the remainder stands.
    fn break_off(
        &mut self,
        combined: &'a Combined,
        spot: UnfoldPosition,
        breaks: Option<&mut LoopBreaks>,
    ) -> Result<UnfoldPosition, Unsupported> {
        let spot = self.entered(spot);
        let fragment = self.fragment(OperandComposition::Break, spot, combined.place)?;
        let taken = self.choice_to_run(&combined.operands[0].guard, fragment, spot.scope);
        let passed = taken.negated();
        if let Some(breaks) = breaks {
            breaks.push(passed.clone());
        }
        let own = self.operand(fragment, &combined.operands[0], taken, spot, combined.place)?;
        self.contents(&combined.operands, own, None)?;
        let rest = self.bare_operand(fragment, passed, spot, combined.place)?;
        Ok(rest)
    }

    fn drawn(&mut self, drawn: &'a Drawn, spot: UnfoldPosition) -> Result<(), Unsupported> {
        match drawn {
            Drawn::Message(id) => self.message(*id, spot),
            Drawn::Stop(stop) => {
                let line = self.line(stop.lifeline);
                let node = self.leaf(spot, stop.place)?;
                let occurrence = self.end(line, node);
                self.tree.nodes[node].kind = TemplateNodeKind::Stop(occurrence);
                Ok(())
            }
            Drawn::Action(action) => {
                if self.assumptions.switches.blocking_calls {
                    return unsupported("an action beside blocking calls", action.place);
                }
                let line = self.line(action.lifeline);
                let node = self.leaf(spot, action.place)?;
                self.tree.nodes[node].kind = TemplateNodeKind::Meeting(vec![line]);
                self.tree.actions.insert(node);
                Ok(())
            }
            Drawn::Invariant(invariant) => {
                let lines = invariant.lifelines.iter().map(|lifeline| self.line(*lifeline)).collect();
                let node = self.leaf(spot, invariant.place)?;
                self.tree.nodes[node].kind = TemplateNodeKind::Meeting(lines);
                if !invariant.lifelines.is_empty() {
                    let scope = self.entered(spot).scope;
                    self.must_hold(&invariant.condition, node, scope);
                }
                Ok(())
            }
            Drawn::Use(used) => {
                let fragment = self.fragment(OperandComposition::Ref, spot, used.place)?;
                let Some(target) = used.target else { return Ok(()) };
                if self.inlining.contains(&target) {
                    return unsupported("an interaction that contains itself", used.place);
                }
                let inside = self.bare_operand(fragment, RigidCondition::ALWAYS, spot, used.place)?;
                self.interaction(target, inside)
            }
            Drawn::Combined(combined) => self.combined(combined, spot),
            Drawn::Execution(_) | Drawn::Note(_) | Drawn::Separator(_) | Drawn::Numbering(_) => Ok(()),
        }
    }

    fn combined(&mut self, combined: &'a Combined, spot: UnfoldPosition) -> Result<(), Unsupported> {
        let several = combined.operands.len() > 1;
        let spot = self.entered(spot);
        match &combined.operator {
            Operator::Seq => self.guarded(combined, OperandComposition::Seq, spot),
            Operator::Strict => self.guarded(combined, OperandComposition::Strict, spot),
            Operator::Par => self.guarded(combined, OperandComposition::Par, spot),
            Operator::Critical => self.guarded(combined, OperandComposition::Critical, spot),
            Operator::Assert => self.guarded(combined, OperandComposition::Assert, spot),
            Operator::Coregion(lifeline) => {
                let line = self.line(*lifeline);
                self.guarded(combined, OperandComposition::Coregion(line), spot)
            }
            Operator::Alt | Operator::Opt if several => self.alternatives(combined, spot),
            // An alternative of one operand without guard always runs.
            Operator::Alt => self.guarded(combined, OperandComposition::Opt, spot),
            Operator::Opt | Operator::Break => self.option(combined, spot),
            Operator::Loop(bounds) => self.repeat(combined, *bounds, spot),
            Operator::Neg => self.negative(combined, spot),
            Operator::Ignore(_) => self.with_extras(combined, OperandComposition::Ignore, spot),
            Operator::Consider(_) => self.with_extras(combined, OperandComposition::Consider, spot),
            Operator::Not => unsupported("`not`", combined.place),
        }
    }

    /// Where a fragment stands whose guards are decided when it is entered, if a switch says so.
    fn entered(&mut self, spot: UnfoldPosition) -> UnfoldPosition {
        if !self.assumptions.switches.guards_on_entry {
            return spot;
        }
        self.scopes.push(self.scopes[spot.scope].clone());
        UnfoldPosition { scope: self.scopes.len() - 1, ..spot }
    }

    /// Operands that run unless their guards are false.
    fn guarded(
        &mut self,
        combined: &'a Combined,
        shape: OperandComposition,
        spot: UnfoldPosition,
    ) -> Result<(), Unsupported> {
        let fragment = self.fragment(shape, spot, combined.place)?;
        self.operands(&combined.operands, fragment, spot)
    }

    fn operands(
        &mut self,
        operands: &'a [DrawnOperand],
        fragment: NodeId,
        spot: UnfoldPosition,
    ) -> Result<(), Unsupported> {
        for operand in operands {
            let when = self.guard(&operand.guard, fragment, spot.scope);
            let inside = self.operand(fragment, operand, when, spot, operand.place)?;
            self.block(&operand.block.unframed(), inside, None)?;
        }
        Ok(())
    }

    /// The operands of an operator that takes one, the first of which is let in already: the others follow it.
    fn contents(
        &mut self,
        operands: &'a [DrawnOperand],
        spot: UnfoldPosition,
        breaks: Option<&mut LoopBreaks>,
    ) -> Result<(), Unsupported> {
        let Some((first, rest)) = operands.split_first() else { return Ok(()) };
        if rest.is_empty() {
            return self.block(&first.block.unframed(), spot, breaks);
        }
        let is_guarded = std::mem::take(&mut self.operand_mut(spot.parent).is_guarded);
        let fragment = self.fragment(OperandComposition::Seq, spot, first.place)?;
        let inside = self.bare_operand(fragment, RigidCondition::ALWAYS, spot, first.place)?;
        self.operand_mut(inside.parent).is_guarded = is_guarded;
        self.block(&first.block.unframed(), inside, breaks)?;
        self.operands(rest, fragment, spot)
    }

    fn option(&mut self, combined: &'a Combined, spot: UnfoldPosition) -> Result<(), Unsupported> {
        let fragment = self.fragment(OperandComposition::Opt, spot, combined.place)?;
        let Some(first) = combined.operands.first() else { return Ok(()) };
        let taken = self.choice_to_run(&first.guard, fragment, spot.scope);
        let inside = self.operand(fragment, first, taken, spot, combined.place)?;
        self.contents(&combined.operands, inside, None)
    }

    fn alternatives(&mut self, combined: &'a Combined, spot: UnfoldPosition) -> Result<(), Unsupported> {
        let fragment = self.fragment(OperandComposition::Alt, spot, combined.place)?;
        let (chosen, is_total) = self.exclusive(&combined.operands, fragment, spot.scope);
        for (operand, when) in combined.operands.iter().zip(chosen) {
            let inside = self.operand(fragment, operand, when, spot, operand.place)?;
            self.block(&operand.block.unframed(), inside, None)?;
        }
        if let TemplateNodeKind::Fragment(fragment) = &mut self.tree.nodes[fragment].kind {
            fragment.is_total = is_total;
        }
        Ok(())
    }

    /// A loop: one operand per iteration (section V-B4).
    fn repeat(
        &mut self,
        combined: &'a Combined,
        bounds: Loop,
        spot: UnfoldPosition,
    ) -> Result<(), Unsupported> {
        let (Some(min), Some(max)) = (bounds.min, bounds.max) else {
            return unsupported("a loop without bound, unless it is cut,", combined.place);
        };
        let current = *self.inlining.last().expect("something is being unfolded");
        if self.style.kept.contains(&(current, combined.id)) {
            return self.keep(combined, (current, combined.id), (min, max), spot);
        }
        let most = usize::try_from(max).unwrap_or(usize::MAX);
        if most.saturating_mul(self.copies) > MOST_COPIES {
            return unsupported("a loop with so many iterations", combined.place);
        }
        let shape = if bounds.strict { OperandComposition::StrictLoop } else { OperandComposition::Loop };
        let fragment = self.fragment(shape, spot, combined.place)?;
        let copies = self.copies;
        self.copies *= most.max(1);
        let mut reached = self.tree.nodes[fragment].when.clone();
        for number in 1..=most {
            let scope = self.scopes.len();
            self.scopes.push(format!("{}[{number}]", self.scopes[spot.scope]));
            self.rounds.push(((current, combined.id), scope));
            let own = match combined.operands.first() {
                None => RigidCondition::NEVER,
                Some(_) if number as u64 <= u64::from(min) => reached.clone(),
                Some(first) => self.goes_on(&first.guard, &reached, fragment, scope, number),
            };
            let inner = UnfoldPosition { scope, ..spot };
            let mut breaks = Vec::new();
            if let Some(first) = combined.operands.first() {
                let inside = self.operand(fragment, first, own, inner, combined.place)?;
                self.contents(&combined.operands, inside, Some(&mut breaks))?;
                reached = self.tree.nodes[inside.parent].when.clone();
            }
            reached = breaks.iter().fold(reached, |reached, passed| reached.and(passed));
            self.rounds.pop();
        }
        self.copies = copies;
        Ok(())
    }

    /// A loop that is kept: one operand for all iterations, with propositions that have a value in each.
    fn keep(
        &mut self,
        combined: &'a Combined,
        drawn: (InteractionId, FragmentId),
        (min, max): (u32, u32),
        spot: UnfoldPosition,
    ) -> Result<(), Unsupported> {
        let Some(first) = combined.operands.first() else { return Ok(()) };
        let fragment = self.fragment(OperandComposition::Loop, spot, combined.place)?;
        let guard = match &first.guard {
            Guard::Condition(text) => self.known(text),
            Guard::Absent | Guard::Else => None,
        };
        let max = max.max(min);
        let (min, max) = match guard {
            Some(true) => (max, max),
            Some(false) => (min, min),
            None => (min, max),
        };
        self.tree.kept.insert(fragment, LoopRounds { min, max, drawn });
        self.kept.push(fragment);
        let scope = self.scopes.len();
        self.scopes.push(format!("{}[]", self.scopes[spot.scope]));
        let inside = self.operand(
            fragment,
            first,
            RigidCondition::ALWAYS,
            UnfoldPosition { scope, ..spot },
            combined.place,
        )?;
        self.contents(&combined.operands, inside, None)?;
        self.kept.pop();
        Ok(())
    }

    /// A `neg`: it may be skipped, or run through.
    fn negative(&mut self, combined: &'a Combined, spot: UnfoldPosition) -> Result<(), Unsupported> {
        let fragment = self.fragment(OperandComposition::Neg, spot, combined.place)?;
        let Some(first) = combined.operands.first() else { return Ok(()) };
        // The lowering leaves these out.
        let is_absent = self.assumptions.without_negatives || self.is_known_false(&first.guard);
        if is_absent {
            return Ok(());
        }
        let when = self.tree.nodes[fragment].when.clone();
        let run = self.free_choice(fragment, &when, "");
        let inside = self.operand(fragment, first, run, spot, combined.place)?;
        let true_guard = self.guard(&first.guard, inside.parent, spot.scope);
        self.demand(inside.parent, &true_guard);
        self.contents(&combined.operands, inside, None)
    }

    /// `ignore` and `consider`: beside what is drawn ignored messages may happen.
    fn with_extras(
        &mut self,
        combined: &'a Combined,
        shape: OperandComposition,
        spot: UnfoldPosition,
    ) -> Result<(), Unsupported> {
        let fragment = self.fragment(shape, spot, combined.place)?;
        let Some(first) = combined.operands.first() else { return Ok(()) };
        let when = self.guard(&first.guard, fragment, spot.scope);
        let inside = self.operand(fragment, first, when.clone(), spot, first.place)?;
        let active = self.tree.nodes[inside.parent].when.clone();
        self.contents(&combined.operands, inside, None)?;
        let types = combined.operator.types();
        let diagrams = used(self.model, self.inlining[0]);
        for extra in types.map(|types| extras(self.model, &diagrams, types)).unwrap_or_default() {
            self.extra(&extra, (fragment, &when, &active), combined.place, spot)?;
        }
        Ok(())
    }

    /// A message that is not drawn, as often as a switch lets it happen: one operand for each time.
    fn extra(
        &mut self,
        extra: &Exchange,
        (fragment, when, active): (NodeId, &RigidCondition, &RigidCondition),
        place: Place,
        spot: UnfoldPosition,
    ) -> Result<(), Unsupported> {
        let Some(most) = self.assumptions.switches.ignored else {
            return unsupported("any number of ignored messages, unless `ignored=N` bounds it,", place);
        };
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        if most.saturating_mul(self.copies) > MOST_COPIES {
            return unsupported("this many ignored messages", place);
        }
        let (mut around, mut spot) = (fragment, spot);
        if most > 1 {
            spot = self.bare_operand(fragment, when.clone(), spot, place)?;
            around = self.fragment(OperandComposition::Loop, spot, place)?;
        }
        let mut reached = active.clone();
        for number in 1..=most {
            let count = if most > 1 { format!("[{number}]") } else { String::new() };
            let may = self.free_choice(fragment, &reached, &format!("_{}{count}", extra.name)).and(when);
            let inside = self.bare_operand(around, may, spot, place)?;
            self.message_ends(extra, inside, place)?;
            reached = self.tree.nodes[inside.parent].when.clone();
        }
        Ok(())
    }

    fn message(&mut self, id: MessageId, spot: UnfoldPosition) -> Result<(), Unsupported> {
        let message = &self.current().messages[id];
        let exchange = Exchange::drawn(self.current(), message);
        let (send, receive) = self.message_ends(&exchange, spot, message.place)?;
        for (end, occurrence) in [(DrawnEnd::Send(id), send), (DrawnEnd::Receive(id), receive)] {
            let placed = occurrence.map(|occurrence| (occurrence, self.rounds.clone()));
            self.happenings.entry(end).or_default().extend(placed);
        }
        Ok(())
    }
}

/// An interaction and those it uses, each once.
pub(super) fn used(model: &Model, id: InteractionId) -> Vec<InteractionId> {
    let mut found = vec![id];
    let mut at = 0;
    while let Some(diagram) = found.get(at).copied() {
        model.interactions[diagram].walk(&mut |fragment, _| {
            if let Drawn::Use(used) = fragment {
                found.extend(used.target.filter(|target| !found.contains(target)));
            }
        });
        at += 1;
    }
    found
}

/// Whether two occurrences stand in the same iterations of all loops that are around both.
fn is_same_round(one: &LoopPath, other: &LoopPath) -> bool {
    let common = one.iter().zip(other).take_while(|(one, other)| one.0 == other.0);
    common.into_iter().all(|(one, other)| one.1 == other.1)
}

pub(super) fn unsupported<T>(what: &str, place: Place) -> Result<T, Unsupported> {
    Err(Unsupported { what: what.to_owned(), place })
}
