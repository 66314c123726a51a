//! Combined fragments, operator by operator (rules I2, I3, I5 to I9).

use std::collections::BTreeSet;

use super::Unsupported;
use super::builder::{Builder, Context, Piece};
use super::choice::{alternatives, guard_texts};
use crate::model::{Block, Combined, End, Fragment, Guard, LifelineId, Message, Operand, Operator};
use crate::source::Place;
use crate::system::{ComponentId, TermId};

impl<'a> Builder<'a> {
    pub(super) fn combined(
        &mut self,
        combined: &'a Combined,
        context: &Context,
    ) -> Result<Piece, Unsupported> {
        let context = &Context { in_loop: false, ..context.clone() };
        if combined.operands.len() > 1
            && combined.operator.takes_one_operand()
            && combined.operator != Operator::Opt
        {
            return Self::unsupported("an operator with more operands than it takes", combined.place);
        }
        match &combined.operator {
            Operator::Seq => self.sequence(combined, context),
            Operator::Strict => self.strict(combined, context),
            Operator::Par => self.parallel(combined, context),
            Operator::Alt if combined.operands.len() > 1 => self.alternative(combined, context),
            Operator::Alt | Operator::Opt | Operator::Break => {
                let is_free = combined.operator != Operator::Alt;
                self.option(combined, context, is_free)
            }
            Operator::Loop(bounds) => self.repeat(combined, *bounds, context),
            Operator::Critical => self.critical(combined, context),
            Operator::Assert => self.assertion(combined, context),
            // What a `neg` holds is invalid; a valid run skips it (rule I7).
            Operator::Neg => Ok(Piece::default()),
            Operator::Ignore(_) | Operator::Consider(_) => self.with_extras(combined, context),
            Operator::Coregion(lifeline) => {
                let free = Some(self.line(*lifeline));
                self.sequence(combined, &Context { free, ..context.clone() })
            }
            Operator::Not => Self::unsupported("`not` as a model", combined.place),
        }
    }

    /// The content of an operand; under rule mu the occurrence right below its guard is the first.
    pub(super) fn content(&mut self, operand: &'a Operand, context: &Context) -> Result<Piece, Unsupported> {
        let piece = self.block(&operand.block.0, context)?;
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

    /// An operand outside of alternatives: it runs unless its guard is false.
    fn guarded(&mut self, operand: &'a Operand, context: &Context) -> Result<Piece, Unsupported> {
        let covered = self.covered([&operand.block]);
        self.unless_false(&operand.guard, &covered, context, |builder, inside| {
            builder.content(operand, inside)
        })
    }

    /// What `content` makes, unless a guard is false.
    fn unless_false(
        &mut self,
        guard: &Guard,
        covered: &BTreeSet<ComponentId>,
        context: &Context,
        content: impl FnOnce(&mut Self, &Context) -> Result<Piece, Unsupported>,
    ) -> Result<Piece, Unsupported> {
        let Guard::Condition(condition) = guard else { return content(self, context) };
        let needs = [vec![(condition.text.clone(), true)], vec![(condition.text.clone(), false)]];
        let choice = self.choice(context, covered, &needs, condition.place);
        let inside = self.inside(context, choice, 1);
        let piece = content(self, &inside)?;
        Ok(self.either(choice, vec![(1, piece), (2, Piece::default())], &[]))
    }

    /// Operands one after the other, weakly.
    fn sequence(&mut self, combined: &'a Combined, context: &Context) -> Result<Piece, Unsupported> {
        let mut context = context.clone();
        let mut whole = Piece::default();
        for operand in &combined.operands {
            let piece = self.guarded(operand, &context)?;
            self.append(&mut whole, &mut context, piece);
        }
        Ok(whole)
    }

    /// Operands one after the other on all lifelines at once.
    fn strict(&mut self, combined: &'a Combined, context: &Context) -> Result<Piece, Unsupported> {
        let mut context = Context { at_once: true, ..context.clone() };
        let mut whole = Piece::default();
        for operand in &combined.operands {
            let piece = self.guarded(operand, &context)?;
            let ends: Vec<TermId> = piece.ends.values().copied().collect();
            self.append(&mut whole, &mut context, piece);
            context.barrier = self.terms.and(ends.into_iter().chain([context.barrier]));
        }
        Ok(whole)
    }

    /// Operands beside each other; a region in one of them keeps the others off its lifelines (rules I2, I5, I6).
    fn parallel(&mut self, combined: &'a Combined, context: &Context) -> Result<Piece, Unsupported> {
        let mut pieces = Vec::new();
        for operand in &combined.operands {
            pieces.push(self.guarded(operand, context)?);
        }
        Ok(self.beside(pieces))
    }

    fn beside(&mut self, pieces: Vec<Piece>) -> Piece {
        for (index, piece) in pieces.iter().enumerate() {
            for (component, region) in &piece.regions {
                let outside = self.terms.not(*region);
                let others = pieces.iter().enumerate().filter(|(other, _)| *other != index);
                for (owner, _, rule) in others.flat_map(|(_, piece)| &piece.occurrences) {
                    if owner == component {
                        self.demand(*rule, outside);
                    }
                }
            }
        }
        let mut whole = Piece::default();
        for piece in pieces {
            for (component, end) in piece.ends {
                let so_far = whole.ends.get(&component).copied();
                let both = self.terms.and(so_far.into_iter().chain([end]));
                whole.ends.insert(component, both);
            }
            whole.solid.extend(piece.solid);
            whole.occurrences.extend(piece.occurrences);
            whole.regions.extend(piece.regions);
        }
        whole
    }

    /// One of the operands, the same on all lifelines; none if all guards are false.
    fn alternative(&mut self, combined: &'a Combined, context: &Context) -> Result<Piece, Unsupported> {
        let independent = self.assumptions.switches.independent_guards;
        let covered = self.covered(combined.operands.iter().map(|operand| &operand.block));
        let mut ways = alternatives(&combined.operands, independent);
        let all_conditions =
            combined.operands.iter().all(|operand| matches!(operand.guard, Guard::Condition(_)));
        let texts = guard_texts(&combined.operands);
        let none = combined.operands.len() as i32 + 1;
        if independent && all_conditions {
            ways.push((none, texts.iter().map(|text| (text.clone(), false)).collect()));
        }
        let choice = self.choice_of(context, &covered, &ways, combined.place);
        let open = self.terms.is(choice, 0);
        let decided = self.terms.not(open);
        let settled = self.terms.or([context.dead, decided]);
        self.settled.push(settled);
        let mut pieces = Vec::new();
        for (index, operand) in combined.operands.iter().enumerate() {
            let number = index as i32 + 1;
            let inside = self.inside(context, choice, number);
            pieces.push((number, self.content(operand, &inside)?));
        }
        let mut passed = Vec::new();
        if all_conditions {
            match independent {
                true => passed.push(self.terms.is(choice, none)),
                false => passed.push(self.pass_by(context, choice, &texts, combined.place)),
            }
        }
        Ok(self.either(choice, pieces, &passed))
    }

    /// The operand or nothing; `is_free` lets one without guard be skipped.
    fn option(
        &mut self,
        combined: &'a Combined,
        context: &Context,
        is_free: bool,
    ) -> Result<Piece, Unsupported> {
        let Some(operand) = combined.operands.first() else { return Ok(Piece::default()) };
        let (run, skip) = match &operand.guard {
            Guard::Condition(condition) => {
                (vec![(condition.text.clone(), true)], vec![(condition.text.clone(), false)])
            }
            Guard::Absent | Guard::Else if is_free => (Vec::new(), Vec::new()),
            Guard::Absent | Guard::Else => return self.content(operand, context),
        };
        let covered = self.covered([&operand.block]);
        let choice = self.choice(context, &covered, &[run, skip], combined.place);
        let inside = self.inside(context, choice, 1);
        let piece = self.content(operand, &inside)?;
        Ok(self.either(choice, vec![(1, piece), (2, Piece::default())], &[]))
    }

    /// A break: its operand instead of the rest of the block around it (rule I3).
    pub(super) fn break_off(
        &mut self,
        combined: &'a Combined,
        above: &[TermId],
        rest: &'a [Fragment],
        context: &Context,
    ) -> Result<Piece, Unsupported> {
        if combined.operands.len() > 1 {
            return Self::unsupported("a break with several operands", combined.place);
        }
        let Some(operand) = combined.operands.first() else {
            return self.block(rest, context);
        };
        let (taken, passed) = match &operand.guard {
            Guard::Condition(condition) => {
                (vec![(condition.text.clone(), true)], vec![(condition.text.clone(), false)])
            }
            Guard::Absent | Guard::Else => (Vec::new(), Vec::new()),
        };
        let mut covered = BTreeSet::new();
        // The next iteration waits for the decision on every lifeline, a caller for whether there is a reply.
        if !context.in_loop && !self.assumptions.switches.blocking_calls {
            covered = self.covered([&operand.block]);
            rest.iter().for_each(|fragment| self.cover(fragment, &mut covered));
        }
        let choice = self.choice(context, &covered, &[taken, passed], combined.place);
        if context.in_loop {
            if let Some(broken) = self.broken.last_mut() {
                broken.push(choice);
            }
        }
        let mut inside = self.inside(context, choice, 1);
        if self.assumptions.switches.strict_joints {
            inside.barrier = self.terms.and(above.iter().copied().chain([inside.barrier]));
        }
        let instead = self.content(operand, &inside)?;
        let after = Context { in_loop: context.in_loop, ..self.inside(context, choice, 2) };
        let rest = self.rest(rest, above, &after)?;
        Ok(self.either(choice, vec![(1, instead), (2, rest)], &[]))
    }

    /// On each lifeline, once one of its occurrences has happened, no other until all have (rule I5).
    fn critical(&mut self, combined: &'a Combined, context: &Context) -> Result<Piece, Unsupported> {
        let mut piece = self.sequence(combined, context)?;
        for (component, end) in piece.ends.clone() {
            let done =
                piece.occurrences.iter().filter(|(owner, ..)| *owner == component).map(|(_, done, _)| *done);
            let done: Vec<TermId> = done.collect();
            let started = self.terms.or(done);
            let unfinished = self.terms.not(end);
            let region = self.terms.and([context.alive, started, unfinished]);
            piece.regions.push((component, region));
        }
        Ok(piece)
    }

    /// On each lifeline, once what precedes it has happened, only its own occurrences until all have (rule I6).
    fn assertion(&mut self, combined: &'a Combined, context: &Context) -> Result<Piece, Unsupported> {
        let mut piece = self.sequence(combined, context)?;
        for (component, end) in piece.ends.clone() {
            let before = self.before(context, component);
            let unfinished = self.terms.not(end);
            let region = self.terms.and([context.alive, context.barrier, before, unfinished]);
            piece.regions.push((component, region));
        }
        Ok(piece)
    }

    /// `ignore` and `consider`: besides the operand, each other message of the diagram may happen once (rule I8).
    fn with_extras(&mut self, combined: &'a Combined, context: &Context) -> Result<Piece, Unsupported> {
        let Some(operand) = combined.operands.first() else { return Ok(Piece::default()) };
        // Other lifelines than the operand's may have something to do: the guard waits for none.
        self.unless_false(&operand.guard, &BTreeSet::new(), context, |builder, inside| {
            let content = builder.content(operand, inside)?;
            let mut pieces = builder.extras(&combined.operator, inside, combined.place);
            pieces.insert(0, content);
            Ok(builder.beside(pieces))
        })
    }

    /// Each message that an operator lets happen in between.
    fn extras(&mut self, operator: &Operator, context: &Context, place: Place) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for message in self.known(operator) {
            let covered: BTreeSet<ComponentId> =
                lifelines(message).into_iter().map(|line| self.line(line)).collect();
            let choice = self.choice(context, &covered, &[Vec::new(), Vec::new()], place);
            let inside = self.inside(context, choice, 1);
            let piece = self.message(message, &inside);
            pieces.push(self.either(choice, vec![(1, piece), (2, Piece::default())], &[]));
        }
        pieces
    }

    /// The messages of the diagram that an operator lets happen in between, each type once per pair of ends.
    fn known(&self, operator: &Operator) -> Vec<&'a Message> {
        let mut known: Vec<&Message> = Vec::new();
        for message in self.current().messages.iter().filter(|message| is_extra(operator, message)) {
            let is_same = |other: &&Message| {
                other.name == message.name && (other.from, other.to) == (message.from, message.to)
            };
            if !known.iter().any(is_same) {
                known.push(message);
            }
        }
        known
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
                self.known(&combined.operator).into_iter().flat_map(lifelines).collect()
            }
            Fragment::Use(use_) => {
                if let Some(target) = use_.target.filter(|target| !self.inlining.contains(target)) {
                    self.inlining.push(target);
                    covered.extend(self.covered([&self.current().body]));
                    self.inlining.pop();
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

/// Whether an operator lets a message happen besides what its operand holds.
fn is_extra(operator: &Operator, message: &Message) -> bool {
    match operator {
        Operator::Ignore(types) => types.contains(&message.name),
        Operator::Consider(types) => !types.contains(&message.name),
        Operator::Seq
        | Operator::Strict
        | Operator::Par
        | Operator::Alt
        | Operator::Opt
        | Operator::Break
        | Operator::Loop(_)
        | Operator::Critical
        | Operator::Neg
        | Operator::Assert
        | Operator::Coregion(_)
        | Operator::Not => false,
    }
}

/// Whether the first thing in a block is an occurrence rather than a fragment around some.
fn starts_with_occurrence(block: &Block) -> bool {
    let first = block.0.iter().find(|fragment| !fragment.is_drawn_only());
    matches!(first, Some(Fragment::Message(_) | Fragment::Stop(_) | Fragment::Action(_)))
}
