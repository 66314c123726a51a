//! Blocks: fragments joined by weak sequencing, and what stands in them (rules I1, I2, I9).

use super::Unsupported;
use super::builder::{
    FragmentContext, Happenings, IterationPath, LoweredMessage, LoweredPiece, LoweringBuilder, Window,
};
use super::exchange::Exchange;
use super::proposition::{self, PropositionNeeds};
use super::text::argument_texts;
use crate::model::{
    Block, Combination, Combined, End, Fragment, InteractionId, Invariant, LifelineId, Message, MessageId,
    Occurrence, Use,
};
use crate::source::Place;
use crate::system::{ComponentId, Event, EventKind, ReasonKind, RuleId, TermId};

impl<'a> LoweringBuilder<'a> {
    /// An interaction, up to `length` fragments: its body, its general orderings and, if asked for, its blocking calls.
    pub(super) fn interaction(
        &mut self,
        id: InteractionId,
        length: usize,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        self.inlining.push(id);
        debug_assert!(self.current().has_numbered_fragments(), "fragments are told apart by their numbers");
        let outer = std::mem::take(&mut self.happenings);
        let context = FragmentContext { in_loop: false, in_neg: false, ..context.clone() };
        let fragments = self.current().body.unframed();
        let fragments = &fragments[..length.min(fragments.len())];
        let piece =
            self.with_orderings(&context, |builder, context| builder.rest(fragments, &[], context))?;
        self.happenings = outer;
        self.inlining.pop();
        Ok(piece)
    }

    /// Content of the current interaction, with the general orderings and, if asked for, the blocking calls both ends of which
    /// it holds.
    pub(super) fn with_orderings(
        &mut self,
        context: &FragmentContext,
        content: impl FnOnce(&mut Self, &FragmentContext) -> Result<LoweredPiece, Unsupported>,
    ) -> Result<LoweredPiece, Unsupported> {
        // What an ordering puts later waits for the choices around the earlier occurrence.
        let at_once = context.at_once || !self.current().orderings.is_empty();
        let piece = content(self, &FragmentContext { at_once, ..context.clone() })?;
        let happenings = std::mem::take(&mut self.happenings);
        self.order(&happenings);
        if self.assumptions.switches.blocking_calls {
            self.note_calls(&happenings);
        }
        Ok(piece)
    }

    /// Fragments one after the other.
    pub(super) fn block(
        &mut self,
        block: &'a Block,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        self.rest(&block.unframed(), &[], context)
    }

    /// The rest of a block; `earlier` are the ends of what stands in the same block above it.
    pub(super) fn rest(
        &mut self,
        fragments: &[&'a Fragment],
        earlier: &[TermId],
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        let mut context = context.clone();
        let count = fragments.iter().filter(|fragment| !fragment.is_drawn_only()).count();
        context.is_alone &= context.in_neg || count <= 1;
        let mut whole = LoweredPiece::default();
        let mut siblings: Vec<LoweredPiece> = Vec::new();
        for (index, fragment) in fragments.iter().enumerate() {
            if let Some(combined) = as_break(fragment) {
                let rest = &fragments[index + 1..];
                let above: Vec<TermId> = earlier.iter().chain(whole.ends.values()).copied().collect();
                let piece = self.break_off(combined, &above, rest, &context)?;
                siblings.extend(context.free.first().map(|_| piece.clone()));
                self.append(&mut whole, &mut context, piece);
                break;
            }
            let is_joint =
                self.assumptions.switches.strict_joints && matches!(fragment, Fragment::Combined(_));
            let piece = match is_joint {
                true => {
                    let above = earlier.iter().chain(whole.ends.values()).copied();
                    let barrier = self.terms.and(above.chain([context.barrier]));
                    self.fragment(fragment, &FragmentContext { barrier, ..context.clone() })?
                }
                false => self.fragment(fragment, &context)?,
            };
            let ends: Vec<TermId> = piece.ends.values().copied().collect();
            siblings.extend(context.free.first().map(|_| piece.clone()));
            self.append(&mut whole, &mut context, piece);
            if is_joint {
                context.barrier = self.terms.and(ends.into_iter().chain([context.barrier]));
            }
        }
        self.keep_off_freely(&siblings, &context);
        Ok(whole)
    }

    /// Puts a piece behind what is there: on each lifeline it touches, it is now what the next one waits for.
    pub(super) fn append(
        &mut self,
        whole: &mut LoweredPiece,
        context: &mut FragmentContext,
        piece: LoweredPiece,
    ) {
        if let Some(progress) = context.progress {
            context.progress = Some(self.terms.and(piece.ends.values().copied().chain([progress])));
        }
        for (component, end) in &piece.ends {
            let is_solid = piece.solid.contains(component);
            if !context.free.contains(component) {
                let before = self.before(context, *component);
                let both = self.terms.and([before, *end]);
                context.before.insert(*component, if is_solid { *end } else { both });
            }
            let so_far = whole.ends.get(component).copied();
            let is_free = context.free.contains(component);
            let joined = match so_far {
                Some(so_far) if is_free || !is_solid => self.terms.and([so_far, *end]),
                Some(_) | None => *end,
            };
            whole.ends.insert(*component, joined);
            if is_solid {
                whole.solid.insert(*component);
            }
        }
        whole.collect(piece);
    }

    fn fragment(
        &mut self,
        fragment: &'a Fragment,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        match fragment {
            Fragment::Message(id) => Ok(self.drawn(*id, context)),
            Fragment::Stop(stop) => {
                let (component, event) = self.end_of(stop.lifeline);
                Ok(self.lone(component, Some(event), context, stop.place))
            }
            Fragment::Action(action) => {
                let component = self.line(action.lifeline);
                Ok(self.lone(component, None, context, action.place))
            }
            Fragment::Invariant(invariant) => self.invariant(invariant, context),
            Fragment::Use(use_) => self.inline(use_, context),
            Fragment::Combined(combined) => self.combined(combined, context),
            Fragment::Execution(_) | Fragment::Note(_) | Fragment::Separator(_) | Fragment::Numbering(_) => {
                Ok(LoweredPiece::default())
            }
        }
    }

    /// A drawn message, remembered for orderings and calls.
    fn drawn(&mut self, id: MessageId, context: &FragmentContext) -> LoweredPiece {
        let message = &self.current().messages[id];
        let events = [EventKind::Send, EventKind::Receive].map(|kind| self.event_of(message, kind));
        let (piece, send, receive) = self.ends_of(events, context, message.place);
        for (occurrence, happening) in [(Occurrence::Send(id), send), (Occurrence::Receive(id), receive)] {
            let placed = happening.map(|happening| (happening, context.path.clone()));
            self.happenings.entry(occurrence).or_default().extend(placed);
        }
        piece
    }

    /// A message that is not drawn but may happen.
    pub(super) fn undrawn(
        &mut self,
        exchange: &Exchange,
        context: &FragmentContext,
        place: Place,
    ) -> LoweredPiece {
        let Exchange { from, to, name, arguments } = exchange;
        let [from, to] = [from, to].map(|end| match end {
            Some(line) => (Some(self.component(line)), line.as_str()),
            None => (None, ""),
        });
        let event = |kind| Event::of_message(kind, from, to, name, arguments.clone());
        self.ends_of([event(EventKind::Send), event(EventKind::Receive)], context, place).0
    }

    /// A message: send, then receive; of a found or lost one only the end that is there (rule I1).
    fn ends_of(
        &mut self,
        [send, receive]: [Event; 2],
        context: &FragmentContext,
        place: Place,
    ) -> (LoweredPiece, Option<LoweredMessage>, Option<LoweredMessage>) {
        let mut piece = LoweredPiece::default();
        let send = send.from.map(|component| {
            let send = self.occurrence(context, component, Some(send), &[], place);
            self.leave(&mut piece, component, send);
            send
        });
        let receive = receive.to.map(|component| {
            let needs: Vec<TermId> = send.iter().map(|send| send.done).collect();
            let receive = self.occurrence(context, component, Some(receive), &needs, place);
            self.leave(&mut piece, component, receive);
            receive
        });
        (piece, send, receive)
    }

    /// The event of one end of a message.
    pub(super) fn event_of(&mut self, message: &Message, kind: EventKind) -> Event {
        let interaction = self.current();
        let [from, to] = [message.from, message.to].map(|end| match end {
            End::Lifeline(line) => (Some(self.line(line)), interaction.lifelines[line].name.as_str()),
            End::Outside(_) => (None, ""),
        });
        Event::of_message(kind, from, to, &message.name, argument_texts(message))
    }

    /// The event by which a lifeline ends.
    pub(super) fn end_of(&mut self, lifeline: LifelineId) -> (ComponentId, Event) {
        let component = self.line(lifeline);
        (component, Event::termination(component, &self.current().lifelines[lifeline].name))
    }

    fn leave(&mut self, piece: &mut LoweredPiece, component: ComponentId, happening: LoweredMessage) {
        piece.ends.insert(component, happening.done);
        piece.solid.insert(component);
        piece.occurrences.push((component, happening.done, happening.rule));
    }

    fn lone(
        &mut self,
        component: ComponentId,
        event: Option<Event>,
        context: &FragmentContext,
        place: Place,
    ) -> LoweredPiece {
        let mut piece = LoweredPiece::default();
        let happening = self.occurrence(context, component, event, &[], place);
        self.leave(&mut piece, component, happening);
        piece
    }

    /// A state invariant: its lifelines meet, and its proposition is true.
    fn invariant(
        &mut self,
        invariant: &Invariant,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        proposition::within_bounds([&invariant.condition].into_iter(), invariant.place)?;
        let context = &self.entered(context);
        let components: Vec<ComponentId> =
            invariant.lifelines.iter().map(|lifeline| self.line(*lifeline)).collect();
        let Some(first) = components.first().copied() else { return Ok(LoweredPiece::default()) };
        let mut needs: Vec<TermId> =
            components.iter().map(|component| self.before(context, *component)).collect();
        let worlds = proposition::worlds(&[(&invariant.condition, true)]);
        let names = worlds.iter().flatten();
        let is_doubtful = worlds.is_empty() || names.clone().any(|(name, _)| self.is_shared(name));
        let mut possible = Vec::new();
        for world in &worlds {
            let may_be = world.iter().map(|(name, value)| self.may_be(context.scope, name, *value));
            let may_be: Vec<TermId> = may_be.collect();
            possible.push(self.terms.and(may_be));
        }
        let may_hold = self.terms.or(possible.iter().copied());
        if is_doubtful {
            let fails = self.terms.not(may_hold);
            let stuck = self.terms.and(needs.iter().copied().chain([context.alive, context.barrier, fails]));
            self.void.push(stuck);
        }
        needs.push(may_hold);
        let happening = self.occurrence(context, first, None, &needs, invariant.place);
        self.hold_in(happening.rule, context, &worlds, &possible);
        let mut piece = LoweredPiece::default();
        for component in components {
            piece.ends.insert(component, happening.done);
            piece.solid.insert(component);
        }
        // It is no occurrence: nothing blocks it, and it opens no region.
        Ok(piece)
    }

    /// Lets a rule fire in each of some worlds where it is possible, and settles what that world says.
    fn hold_in(
        &mut self,
        rule: RuleId,
        context: &FragmentContext,
        worlds: &[PropositionNeeds],
        possible: &[TermId],
    ) {
        for (index, (world, may_be)) in worlds.iter().zip(possible).enumerate() {
            let rule = if index + 1 == worlds.len() { rule } else { self.again(rule) };
            self.demand(rule, *may_be);
            for (name, value) in world {
                let update = self.settle(context.scope, name, *value);
                self.also(rule, update);
            }
        }
    }

    /// An interaction use: the content of the other interaction (rule I9).
    fn inline(&mut self, use_: &Use, context: &FragmentContext) -> Result<LoweredPiece, Unsupported> {
        let Some(target) = use_.target else { return Ok(LoweredPiece::default()) };
        if self.inlining.contains(&target) {
            return Self::unsupported("an interaction that contains itself", use_.place);
        }
        self.within_bounds(use_.place)?;
        self.interaction(target, usize::MAX, context)
    }

    /// General orderings: the later occurrence waits until the earlier one is over, each in the same iterations of the loops
    /// around both (rule I9).
    fn order(&mut self, happenings: &Happenings) {
        for ordering in &self.current().orderings {
            let none = Vec::new();
            let earlier = happenings.get(&ordering.before).unwrap_or(&none);
            let later = happenings.get(&ordering.after).unwrap_or(&none);
            for (one, path) in later {
                let first: Vec<(LoweredMessage, IterationPath)> =
                    earlier.iter().filter(|(_, other)| is_same_round(path, other)).cloned().collect();
                let overs: Vec<TermId> =
                    first.iter().map(|(first, other)| self.over_before(first, other, path)).collect();
                let condition = self.terms.and(overs);
                self.explain(condition, ReasonKind::Ordering, ordering.place);
                self.demand(one.rule, condition);
            }
        }
    }
}

impl LoweringBuilder<'_> {
    /// That an occurrence is over for another that stands elsewhere: in a loop whose iterations are not all known, the whole
    /// loop must be over on its lifeline.
    fn over_before(&mut self, first: &LoweredMessage, path: &IterationPath, other: &IterationPath) -> TermId {
        let common = path.iter().zip(other).take_while(|(one, other)| one == other).count();
        let component = self.component_of(first.rule);
        let around = |window: &&Window| {
            path.get(common..).is_some_and(|rest| rest.iter().any(|one| one.0 == window.id))
        };
        // The outermost one was lowered last.
        let mut windows =
            self.windows.iter().rev().filter(around).filter(|window| path.starts_with(&window.path));
        let end = windows.find_map(|window| Some((*window.ends.get(&component)?, window.dead)));
        match end {
            Some((end, dead)) => self.terms.or([end, dead]),
            None => self.terms.or([first.done, first.dead]),
        }
    }
}

/// Whether two occurrences stand in the same iterations of all loops that are around both.
fn is_same_round(one: &IterationPath, other: &IterationPath) -> bool {
    let around_both = one.iter().zip(other).take_while(|(one, other)| one.0 == other.0);
    around_both.into_iter().all(|(one, other)| one.1 == other.1)
}

fn as_break(fragment: &Fragment) -> Option<&Combined> {
    match fragment {
        Fragment::Combined(combined) if combined.operator.combination() == Combination::Break => {
            Some(combined)
        }
        _ => None,
    }
}
