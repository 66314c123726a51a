//! Combined fragments, operator by operator (rules I2, I3, I5 to I9).

use std::collections::{BTreeMap, BTreeSet};

use super::Unsupported;
use super::builder::{CriticalRegion, FragmentContext, LoweredPiece, LoweringBuilder};
use super::choice::{ChoiceWay, all_false, guard_texts, worlds_of};
use super::exchange::{Exchange, extras};
use super::proposition;
use super::repeat::RepeatBody;
use crate::model::{
    Block, Combination, Combined, Condition, End, Fragment, Guard, InteractionId, LifelineId, Loop, Message,
    Operand, Operator,
};
use crate::source::Place;
use crate::system::{ComponentId, Mandatory, ReasonKind, RuleId, TermId, VariableId};

impl<'a> LoweringBuilder<'a> {
    pub(super) fn combined(
        &mut self,
        combined: &'a Combined,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        let context = &FragmentContext { in_loop: false, in_neg: false, ..self.entered(context) };
        proposition::within_bounds(proposition::conditions(combined), combined.place)?;
        match &combined.operator {
            Operator::Seq => self.sequence(combined, context),
            Operator::Strict => self.strict(combined, context),
            Operator::Par => self.parallel(combined, context),
            // An option with several operands is an alternative.
            Operator::Alt | Operator::Opt if combined.operands.len() > 1 => {
                self.framed(context, combined.place, |builder, inside| builder.alternative(combined, inside))
            }
            Operator::Alt | Operator::Opt | Operator::Break => {
                let is_free = combined.operator != Operator::Alt;
                self.framed(context, combined.place, |builder, inside| {
                    builder.option(combined, inside, is_free)
                })
            }
            Operator::Loop(bounds) => self.repeat(RepeatBody::Drawn(combined), *bounds, context),
            Operator::Critical => self.critical(combined, context),
            Operator::Assert => self.assertion(combined, context),
            Operator::Neg => self.negative(combined, context),
            Operator::Ignore(_) | Operator::Consider(_) => self.with_extras(combined, context),
            Operator::Coregion(lifeline) => {
                let mut inside = context.clone();
                inside.free.insert(self.line(*lifeline));
                self.sequence(combined, &inside)
            }
            Operator::Not => {
                let Some(first) = combined.operands.first() else { return Ok(LoweredPiece::default()) };
                // Any lifeline of the diagram may have something to do: the guard waits for none.
                self.unless_false(first, &BTreeSet::new(), context, |builder, inside| {
                    builder.complement(combined, inside)
                })
            }
        }
    }

    /// The content of an operand; under rule mu the occurrence right below its guard is the first.
    pub(super) fn content(
        &mut self,
        operand: &'a Operand,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        let piece = self.block(&operand.block, context)?;
        let is_guarded = operand.guard != Guard::Absent;
        if self.assumptions.switches.guarded_first && is_guarded && starts_with_occurrence(&operand.block) {
            if let Some((first, rest)) = piece.occurrences.split_first() {
                for (_, _, rule) in rest {
                    self.demand(*rule, first.1);
                }
            }
        }
        Ok(piece)
    }

    /// The operands of an operator that takes one: the first, and whatever stands behind a divider after it (W220).
    pub(super) fn contents(
        &mut self,
        operands: &'a [Operand],
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        let Some((first, rest)) = operands.split_first() else { return Ok(LoweredPiece::default()) };
        if rest.is_empty() {
            return self.content(first, context);
        }
        let mut context = FragmentContext { is_alone: context.is_alone && context.in_neg, ..context.clone() };
        let mut whole = LoweredPiece::default();
        let piece = self.content(first, &context)?;
        let mut siblings: Vec<LoweredPiece> =
            context.free.first().map(|_| piece.clone()).into_iter().collect();
        self.append(&mut whole, &mut context, piece);
        // A break behind a divider ends no loop.
        context.in_loop = false;
        self.share_propositions(rest, context.scope);
        for operand in rest {
            let piece = self.guarded(operand, &context)?;
            siblings.extend(context.free.first().map(|_| piece.clone()));
            self.append(&mut whole, &mut context, piece);
        }
        self.keep_off_freely(&siblings, &context);
        Ok(whole)
    }

    /// An operand outside of alternatives: it runs unless its guard is false.
    fn guarded(
        &mut self,
        operand: &'a Operand,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        let covered = self.covered([&operand.block]);
        self.unless_false(operand, &covered, context, |builder, inside| builder.content(operand, inside))
    }

    /// Lowers an operand by `content`, unless its guard is false.
    fn unless_false(
        &mut self,
        operand: &Operand,
        covered: &BTreeSet<ComponentId>,
        context: &FragmentContext,
        content: impl FnOnce(&mut Self, &FragmentContext) -> Result<LoweredPiece, Unsupported>,
    ) -> Result<LoweredPiece, Unsupported> {
        let Guard::Condition(condition) = &operand.guard else { return content(self, context) };
        self.framed(context, condition.place, |builder, context| {
            let choice = builder.run_or_skip(operand, covered, context, condition.place);
            let inside = builder.inside(context, choice, 1);
            let piece = content(builder, &inside)?;
            Ok(builder.either(choice, vec![(1, piece), (2, LoweredPiece::default())]))
        })
    }

    /// A choice to run an operand (1) as its guard says, or to skip it (2); without guard it is free.
    fn run_or_skip(
        &mut self,
        operand: &Operand,
        covered: &BTreeSet<ComponentId>,
        context: &FragmentContext,
        place: Place,
    ) -> VariableId {
        let line = self.first_line(&operand.block);
        let run = worlds_of(&operand.guard, true).into_iter();
        let run = run.map(|needs| ChoiceWay::new(1, needs).into(operand, line));
        let skip = worlds_of(&operand.guard, false).into_iter().map(|needs| ChoiceWay::new(2, needs));
        let mut ways: Vec<ChoiceWay> = run.chain(skip).collect();
        ways.extend(self.forbidden_way(context, 1, operand));
        self.choice_of(context, covered, &ways, place)
    }

    /// Operands one after the other, weakly.
    fn sequence(
        &mut self,
        combined: &'a Combined,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        let mut context = self.beside_others(combined, context);
        let mut whole = LoweredPiece::default();
        let mut siblings = Vec::new();
        for operand in &combined.operands {
            let piece = self.guarded(operand, &context)?;
            siblings.extend(context.free.first().map(|_| piece.clone()));
            self.append(&mut whole, &mut context, piece);
        }
        self.keep_off_freely(&siblings, &context);
        Ok(whole)
    }

    /// The context of operands that each run as their guards say: one may not be all that runs, and what several of them ask for
    /// has one value.
    fn beside_others(&mut self, combined: &Combined, context: &FragmentContext) -> FragmentContext {
        self.share_propositions(&combined.operands, context.scope);
        FragmentContext { is_alone: context.is_alone && combined.operands.len() == 1, ..context.clone() }
    }

    /// Operands one after the other on all lifelines at once.
    fn strict(
        &mut self,
        combined: &'a Combined,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        let mut context = self.beside_others(combined, context);
        context.progress = Some(self.terms.truth(true));
        let mut whole = LoweredPiece::default();
        for operand in &combined.operands {
            let piece = self.guarded(operand, &context)?;
            let ends: Vec<TermId> = piece.ends.values().copied().collect();
            self.append(&mut whole, &mut context, piece);
            context.barrier = self.terms.and(ends.into_iter().chain([context.barrier]));
        }
        Ok(whole)
    }

    /// Operands beside each other; a region in one of them keeps the others off its lifelines (rules I2, I5, I6).
    fn parallel(
        &mut self,
        combined: &'a Combined,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        let context = self.beside_others(combined, context);
        let mut pieces = Vec::new();
        for operand in &combined.operands {
            pieces.push(self.guarded(operand, &context)?);
        }
        Ok(self.beside(pieces))
    }

    fn beside(&mut self, pieces: Vec<LoweredPiece>) -> LoweredPiece {
        self.keep_off(&pieces, |_| true);
        let mut whole = LoweredPiece::default();
        for piece in pieces {
            for (component, end) in &piece.ends {
                let (component, end) = (*component, *end);
                let so_far = whole.ends.get(&component).copied();
                let both = self.terms.and(so_far.into_iter().chain([end]));
                whole.ends.insert(component, both);
            }
            whole.solid.extend(piece.solid.iter().copied());
            whole.collect(LoweredPiece { ends: BTreeMap::new(), ..piece });
        }
        whole
    }

    /// On a coregion's lifeline nothing but a region keeps its neighbours off.
    pub(super) fn keep_off_freely(&mut self, pieces: &[LoweredPiece], context: &FragmentContext) {
        self.keep_off(pieces, |component| context.free.contains(&component));
    }

    /// The regions of each piece keep the occurrences of the others off those of their lifelines that are `shared`.
    pub(super) fn keep_off(&mut self, pieces: &[LoweredPiece], shared: impl Fn(ComponentId) -> bool) {
        for (index, piece) in pieces.iter().enumerate() {
            for region in piece.regions.iter().filter(|region| shared(region.component)) {
                let outside = self.terms.not(region.open);
                let others = pieces.iter().enumerate().filter(|(other, _)| *other != index);
                let kept_off = others.flat_map(|(_, piece)| &piece.occurrences);
                let kept_off: Vec<RuleId> = kept_off
                    .filter(|(owner, ..)| *owner == region.component)
                    .map(|(_, _, rule)| *rule)
                    .collect();
                if kept_off.is_empty() {
                    continue;
                }
                let why = ReasonKind::Region { lifeline: region.component, word: region.word };
                self.explain(outside, why, region.place);
                kept_off.into_iter().for_each(|rule| self.demand(rule, outside));
            }
        }
    }

    /// One of the operands, the same on all lifelines; none if all guards are false.
    fn alternative(
        &mut self,
        combined: &'a Combined,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        // Guards that say themselves how they go together are data.
        let is_data = |condition: &Condition| {
            proposition::is_compound(condition) || self.inputs.contains_key(proposition::name(condition))
        };
        let independent =
            self.assumptions.switches.independent_guards || proposition::conditions(combined).any(is_data);
        let covered = self.covered(combined.operands.iter().map(|operand| &operand.block));
        let mut ways = self.alternatives(&combined.operands, independent);
        let all_conditions =
            combined.operands.iter().all(|operand| matches!(operand.guard, Guard::Condition(_)));
        let texts = guard_texts(&combined.operands);
        let none = combined.operands.len() as i32 + 1;
        let are_all_false = texts.iter().all(|text| self.value_of(text) == Some(false));
        if all_conditions && (independent || are_all_false) {
            ways.extend(all_false(&combined.operands).into_iter().map(|needs| ChoiceWay::new(none, needs)));
        }
        let may_miss = independent || !all_conditions || are_all_false;
        for (number, operand) in (1..).zip(&combined.operands) {
            let Some(way) = self.forbidden_way(context, number, operand) else { continue };
            let worlds = if independent { vec![Vec::new()] } else { self.worlds(&texts, may_miss) };
            ways.extend(worlds.into_iter().map(|needs| ChoiceWay { needs, ..way.clone() }));
        }
        let choice = self.choice_of(context, &covered, &ways, combined.place);
        let open = self.terms.is(choice, 0);
        let decided = self.terms.not(open);
        let settled = self.terms.or([context.dead, decided]);
        self.settled.push(settled);
        let mut pieces = vec![(none, LoweredPiece::default())];
        for (number, operand) in (1..).zip(&combined.operands) {
            let inside = self.inside(context, choice, number);
            pieces.push((number, self.content(operand, &inside)?));
        }
        Ok(self.either(choice, pieces))
    }

    /// The operand or nothing; `is_free` lets one without guard be skipped.
    fn option(
        &mut self,
        combined: &'a Combined,
        context: &FragmentContext,
        is_free: bool,
    ) -> Result<LoweredPiece, Unsupported> {
        let Some(operand) = combined.operands.first() else { return Ok(LoweredPiece::default()) };
        if !is_free && !matches!(operand.guard, Guard::Condition(_)) {
            return self.content(operand, context);
        }
        let covered = self.covered([&operand.block]);
        let choice = self.run_or_skip(operand, &covered, context, combined.place);
        let inside = self.inside(context, choice, 1);
        let piece = self.content(operand, &inside)?;
        Ok(self.either(choice, vec![(1, piece), (2, LoweredPiece::default())]))
    }

    /// A break: its operand instead of the rest of the block around it (rule I3).
    pub(super) fn break_off(
        &mut self,
        combined: &'a Combined,
        above: &[TermId],
        rest: &[&'a Fragment],
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        // The loop around asks whether it was broken off.
        let is_remembered = context.is_remembered || context.in_loop;
        let context = FragmentContext { is_remembered, ..self.entered(context) };
        self.framed(&context, combined.place, |builder, context| {
            builder.instead(combined, above, rest, &FragmentContext { is_remembered, ..context.clone() })
        })
    }

    fn instead(
        &mut self,
        combined: &'a Combined,
        above: &[TermId],
        rest: &[&'a Fragment],
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        proposition::within_bounds(proposition::conditions(combined), combined.place)?;
        let Some(operand) = combined.operands.first() else {
            return self.rest(rest, above, context);
        };
        let mut covered = BTreeSet::new();
        // The next iteration waits for the decision on every lifeline, a caller for whether there is a reply.
        if !context.in_loop && !self.assumptions.switches.blocking_calls {
            covered = self.covered(combined.operands.iter().map(|operand| &operand.block));
            rest.iter().for_each(|fragment| self.cover(fragment, &mut covered));
        }
        let choice = self.run_or_skip(operand, &covered, context, combined.place);
        if context.in_loop {
            if let Some(broken) = self.broken.last_mut() {
                broken.push(choice);
            }
        }
        let mut inside = FragmentContext { in_neg: false, ..self.inside(context, choice, 1) };
        if self.assumptions.switches.strict_joints {
            inside.barrier = self.terms.and(above.iter().copied().chain([inside.barrier]));
        }
        let instead = self.contents(&combined.operands, &inside)?;
        let after = FragmentContext { in_loop: context.in_loop, ..self.inside(context, choice, 2) };
        let rest = self.rest(rest, above, &after)?;
        Ok(self.either(choice, vec![(1, instead), (2, rest)]))
    }

    /// On each lifeline, once one of its occurrences has happened, no other until all have (rule I5).
    fn critical(
        &mut self,
        combined: &'a Combined,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        let remembered = FragmentContext { is_remembered: true, ..context.clone() };
        let mut piece = self.sequence(combined, &remembered)?;
        for (component, end) in piece.ends.clone() {
            let done = piece.occurrences.iter().map(|(owner, done, _)| (*owner, *done));
            let begun = done.chain(piece.begun.iter().copied());
            let begun: Vec<TermId> =
                begun.filter(|(owner, _)| *owner == component).map(|(_, begun)| begun).collect();
            let started = self.terms.or(begun);
            let unfinished = self.terms.not(end);
            let open = self.terms.and([context.alive, started, unfinished]);
            piece.regions.push(CriticalRegion { component, open, word: "critical", place: combined.place });
        }
        Ok(piece)
    }

    /// On each lifeline, once what precedes it has happened, only its own occurrences until all have (rule I6).
    fn assertion(
        &mut self,
        combined: &'a Combined,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        self.begin_assertion(combined);
        let mut piece = self.sequence(combined, context)?;
        self.end_assertion(combined, context, &piece);
        for (component, end) in piece.ends.clone() {
            let before = self.before(context, component);
            let unfinished = self.terms.not(end);
            // While it is open whether the fragment runs, no lifeline passes it.
            let undead = self.terms.not(context.dead);
            let open = self.terms.and([undead, context.barrier, before, unfinished]);
            piece.regions.push(CriticalRegion { component, open, word: "assert", place: combined.place });
            let open = self.terms.and([context.alive, context.barrier, before, unfinished]);
            let own = piece.occurrences.iter().filter(|(owner, ..)| *owner == component);
            let events = own.filter_map(|(_, _, rule)| self.event_shown(*rule)).collect();
            self.mandatory.push(Mandatory { component, open, events, place: combined.place });
        }
        Ok(piece)
    }

    /// `ignore` and `consider`: besides the operand, each message that they let happen may happen again and again (rule I8).
    fn with_extras(
        &mut self,
        combined: &'a Combined,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        let Some(operand) = combined.operands.first() else { return Ok(LoweredPiece::default()) };
        if self.notes.is_some() {
            let covered = self.covered([&operand.block]);
            return self.unless_false(operand, &covered, context, |builder, inside| {
                builder.without_extras(combined, inside)
            });
        }
        // Other lifelines than the operand's may have something to do: the guard waits for none.
        self.unless_false(operand, &BTreeSet::new(), context, |builder, inside| {
            let mut pieces = vec![builder.contents(&combined.operands, inside)?];
            let bounds = Loop { min: Some(0), max: builder.assumptions.switches.ignored, strict: false };
            for extra in builder.extras(&combined.operator) {
                let inside = FragmentContext { is_alone: false, ..inside.clone() };
                pieces.push(builder.repeat(RepeatBody::Extra(&extra, combined), bounds, &inside)?);
            }
            Ok(builder.beside(pieces))
        })
    }

    /// The messages that an operator lets happen in between, each once.
    fn extras(&self, operator: &Operator) -> Vec<Exchange> {
        let Some(types) = operator.types().filter(|_| self.notes.is_none()) else { return Vec::new() };
        extras(self.model, &self.diagrams(), types)
    }

    /// The lifelines at the ends of a message that is not drawn.
    pub(super) fn ends_of_extra(&mut self, exchange: &Exchange) -> BTreeSet<ComponentId> {
        [&exchange.from, &exchange.to].into_iter().flatten().map(|name| self.component(name)).collect()
    }

    /// The diagram that is lowered and those it uses, each once.
    pub(super) fn diagrams(&self) -> Vec<InteractionId> {
        self.inlining.first().map(|first| self.model.family(*first)).unwrap_or_default()
    }

    /// The lifelines that some blocks touch.
    pub(super) fn covered<'b>(
        &mut self,
        blocks: impl IntoIterator<Item = &'b Block>,
    ) -> BTreeSet<ComponentId> {
        let mut covered = BTreeSet::new();
        for block in blocks {
            for fragment in &block.0 {
                self.cover(fragment, &mut covered);
            }
        }
        covered
    }

    /// The lifeline of the first occurrence that is drawn in a block.
    pub(super) fn first_line(&mut self, block: &Block) -> Option<ComponentId> {
        let first = self.model.first_drawn(&mut self.inlining.clone(), block)?;
        Some(self.component(&first.name))
    }

    /// The lifelines that an interaction touches, looked up once.
    fn covered_by(&mut self, target: InteractionId) -> BTreeSet<ComponentId> {
        if let Some(known) = self.covers.get(&target) {
            return known.clone();
        }
        self.inlining.push(target);
        let covered = self.covered([&self.current().body]);
        self.inlining.pop();
        self.covers.insert(target, covered.clone());
        covered
    }

    fn cover(&mut self, fragment: &Fragment, covered: &mut BTreeSet<ComponentId>) {
        let lifelines: Vec<LifelineId> = match fragment {
            Fragment::Message(id) => lifelines(&self.current().messages[*id]),
            Fragment::Stop(stop) => vec![stop.lifeline],
            Fragment::Action(action) => vec![action.lifeline],
            Fragment::Invariant(invariant) => invariant.lifelines.clone(),
            Fragment::Combined(combined) => {
                for operand in &combined.operands {
                    covered.extend(self.covered([&operand.block]));
                }
                if combined.operator.combination() == Combination::Complement {
                    covered.extend(self.alphabet().into_iter().map(|(component, _)| component));
                }
                for extra in self.extras(&combined.operator) {
                    covered.extend(self.ends_of_extra(&extra));
                }
                Vec::new()
            }
            Fragment::Use(use_) => {
                if let Some(target) = use_.target.filter(|target| !self.inlining.contains(target)) {
                    covered.extend(self.covered_by(target));
                }
                Vec::new()
            }
            Fragment::Execution(_) | Fragment::Note(_) | Fragment::Separator(_) | Fragment::Numbering(_) => {
                Vec::new()
            }
        };
        for lifeline in lifelines {
            covered.insert(self.line(lifeline));
        }
    }
}

/// The lifelines at the ends of a message.
fn lifelines(message: &Message) -> Vec<LifelineId> {
    [message.from, message.to].into_iter().filter_map(End::lifeline).collect()
}

/// Whether the first thing in a block is an occurrence rather than a fragment around some.
fn starts_with_occurrence(block: &Block) -> bool {
    let first = block.unframed().into_iter().find(|fragment| !fragment.is_drawn_only());
    matches!(first, Some(Fragment::Message(_) | Fragment::Stop(_) | Fragment::Action(_)))
}
