//! `not` (P3): anything but exactly the traces of its operand.
//!
//! The operand is lowered by itself and made deterministic; one variable follows what has happened in the fragment
//! through that automaton, with one more state for everything that is no beginning of a trace. Any event of the diagram
//! may happen in a `not`, in any order, until its lifeline leaves; when all have left, what happened must not be a whole
//! trace of the operand. Its guards are asked by themselves: a text inside has nothing to do with the same text outside.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::builder::{FragmentContext, LoweredPiece, LoweringBuilder, Other};
use super::notes::Notes;
use super::{Assumptions, Unsupported};
use crate::model::{Combined, End, Fragment};
use crate::source::Place;
use crate::system::{
    ComponentId, Config, ConfigurationCursor, Event, EventKind, Hidden, System, TermId, VariableId,
};

/// Operands with more states than this are not complemented.
const MOST_STATES: usize = 500;

/// How many iterations of the operand's loops are kept apart, until nothing waits.
const WINDOWS: [usize; 3] = [2, 4, 8];

/// A deterministic automaton over event texts; state 0 is the first.
struct DeterministicAutomaton {
    /// Whether a trace may end in the state, and where events lead.
    states: Vec<(bool, BTreeMap<String, usize>)>,
}

impl<'a> LoweringBuilder<'a> {
    /// A `not`.
    pub(super) fn complement(
        &mut self,
        combined: &'a Combined,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        let Some(automaton) = self.automaton(combined)? else {
            return Self::unsupported(
                "a `not` around something this large or with a loop that runs ahead",
                combined.place,
            );
        };
        let may_be_empty = !automaton.states[0].0;
        if !self.assumptions.switches.strict_joints || !may_be_empty {
            return Ok(self.anything(&automaton, context, may_be_empty, combined.place));
        }
        // What turns out to be empty joins nothing, so it is decided first whether it does.
        let choice = self.choice(context, &BTreeSet::new(), &[Vec::new(), Vec::new()], combined.place);
        let inside = self.inside(context, choice, 1);
        let piece = self.anything(&automaton, &inside, false, combined.place);
        Ok(self.either(choice, vec![(1, piece), (2, LoweredPiece::default())]))
    }

    /// Any events of the diagram that are no trace of an automaton.
    fn anything(
        &mut self,
        automaton: &DeterministicAutomaton,
        context: &FragmentContext,
        may_be_empty: bool,
        place: Place,
    ) -> LoweredPiece {
        let sink = automaton.states.len() as i32;
        let fresh = sink + 1;
        let at = self.counter("not".to_owned(), fresh);
        self.variables[at].initial = fresh;
        let alphabet = self.alphabet();
        let mut left: BTreeMap<ComponentId, VariableId> = BTreeMap::new();
        for (component, _) in &alphabet {
            left.entry(*component).or_insert_with(|| self.counter("left".to_owned(), 1));
        }
        let asked = left.keys().copied().filter(|_| context.is_remembered);
        let begun: BTreeMap<ComponentId, VariableId> =
            asked.map(|component| (component, self.counter("begun".to_owned(), 1))).collect();
        let mut piece = LoweredPiece::default();
        for (component, event) in alphabet {
            let mut updates = vec![(at, self.next(automaton, at, &event.text))];
            updates.extend(begun.get(&component).map(|bit| (*bit, self.terms.truth(true))));
            let gone = self.terms.is(left[&component], 1);
            let here = self.terms.not(gone);
            let happening = self.repeatable(context, component, event, here, updates, place);
            piece.occurrences.push((component, happening.done, happening.rule));
        }
        piece.begun.extend(begun.iter().map(|(component, bit)| (*component, self.terms.is(*bit, 1))));
        let astray = self.terms.is(at, sink);
        for (component, left) in &left {
            let gone = self.terms.is(*left, 1);
            self.leaving(context, *component, *left, place);
            piece.ends.insert(*component, gone);
            piece.solid.insert(*component);
            // An infinite run never leaves.
            let stays = self.terms.or([gone, astray]);
            self.resting.insert(gone, stays);
            self.endless.get_or_insert_default().rests.push(stays);
        }
        let finals = (0..sink).zip(&automaton.states).filter(|(_, (is_final, _))| *is_final);
        let finals = finals.map(|(state, _)| state).chain((!may_be_empty).then_some(fresh));
        let finals: Vec<TermId> = finals.map(|state| self.terms.is(at, state)).collect();
        let is_trace = self.terms.or(finals);
        let all_left = self.terms.and(piece.ends.values().copied());
        let void = self.terms.and([context.alive, all_left, is_trace]);
        self.void.push(void);
        let other = self.terms.not(is_trace);
        let settled = self.terms.or([context.dead, other]);
        self.settled.push(settled);
        piece
    }

    /// The automaton of the operand's traces; `None` if it has too many states, or a loop in it runs ahead. A loop that answers
    /// in each round needs a window of two iterations, so the window does not depend on the one outside.
    fn automaton(&mut self, combined: &'a Combined) -> Result<Option<DeterministicAutomaton>, Unsupported> {
        for window in WINDOWS {
            match determine(&self.operand_alone(combined, window)?) {
                Ok(automaton) => return Ok(Some(automaton)),
                Err(ComplementObstacle::TooLarge) => return Ok(None),
                Err(ComplementObstacle::Strained) => {}
            }
        }
        Ok(None)
    }

    /// The system of the operand by itself.
    fn operand_alone(&mut self, combined: &'a Combined, window: usize) -> Result<System, Unsupported> {
        // Guards inside have nothing to do with those outside.
        let alone = Assumptions { chosen: BTreeMap::new(), window, ..self.assumptions.clone() };
        let mut builder = LoweringBuilder::new(self.model, &alone);
        builder.inlining = self.inlining.clone();
        builder.uses = self.uses.clone();
        builder.others = self.others.clone();
        builder.notes = self.notes.as_ref().map(|_| Notes::default());
        for name in self.components.iter() {
            builder.component(name);
        }
        let context = builder.outermost();
        // What has both ends in the operand is part of it: orderings, calls that wait for their replies.
        let piece = builder
            .with_orderings(&context, |builder, context| builder.contents(&combined.operands, context))?;
        builder.block_callers(&piece);
        Ok(builder.system(&piece, context.judge))
    }

    /// The events drawn in the diagram and in those it uses, with their lifelines.
    pub(super) fn alphabet(&mut self) -> Vec<(ComponentId, Event)> {
        let mut events: BTreeMap<String, (ComponentId, Event)> = BTreeMap::new();
        for diagram in self.diagrams() {
            self.inlining.push(diagram);
            let interaction = self.current();
            for message in interaction.messages.iter() {
                for (end, kind) in [(message.from, EventKind::Send), (message.to, EventKind::Receive)] {
                    let End::Lifeline(lifeline) = end else { continue };
                    let event = (self.line(lifeline), self.event_of(message, kind));
                    events.insert(event.1.text.clone(), event);
                }
            }
            interaction.walk(&mut |fragment, _| {
                if let Fragment::Stop(stop) = fragment {
                    let event = self.end_of(stop.lifeline);
                    events.insert(event.1.text.clone(), event);
                }
            });
            self.inlining.pop();
        }
        for Other { text, kind, from, to, beyond, message, name, arguments } in self.others.clone() {
            let [from, to] = [from, to].map(|end| end.map(|name| self.component(&name)));
            let actor = if kind == EventKind::Receive { to } else { from };
            let Some(actor) = actor.or(from).or(to) else { continue };
            let event = Event { text, kind, from, to, beyond, message, name, arguments, goes_on: false };
            events.insert(event.text.clone(), (actor, event));
        }
        events.into_values().collect()
    }

    /// Where an event leads the automaton.
    fn next(&mut self, automaton: &DeterministicAutomaton, at: VariableId, event: &str) -> TermId {
        let mut next = self.terms.constant(automaton.states.len() as i32);
        for (state, (_, edges)) in automaton.states.iter().enumerate() {
            if let Some(target) = edges.get(event) {
                let is_first = (state == 0).then(|| self.terms.is(at, automaton.states.len() as i32 + 1));
                let here = self.terms.is(at, state as i32);
                let here = self.terms.or(is_first.into_iter().chain([here]));
                let target = self.terms.constant(*target as i32);
                next = self.terms.choose(here, target, next);
            }
        }
        next
    }
}

/// Why there is no automaton.
enum ComplementObstacle {
    /// It has too many states.
    TooLarge,
    /// Iterations of a loop have to wait for each other.
    Strained,
}

/// The automaton of a system's traces.
fn determine(system: &System) -> Result<DeterministicAutomaton, ComplementObstacle> {
    let mut cursor = ConfigurationCursor::new(system);
    let mut ids: HashMap<BTreeSet<Config>, usize> = HashMap::new();
    let mut sets: Vec<BTreeSet<Config>> = Vec::new();
    let mut id = |set: BTreeSet<Config>, sets: &mut Vec<BTreeSet<Config>>| {
        *ids.entry(set.clone()).or_insert_with(|| {
            sets.push(set);
            sets.len() - 1
        })
    };
    id(settle(system, &mut cursor, [system.initial()].into())?, &mut sets);
    let mut states = Vec::new();
    while states.len() < sets.len() {
        if sets.len() > MOST_STATES {
            return Err(ComplementObstacle::TooLarge);
        }
        let set = sets[states.len()].clone();
        // A trace is valid if some run is, and none is invalid (rule I12).
        let ends: Vec<&Config> = set.iter().filter(|config| system.holds(system.complete, config)).collect();
        let is_invalid = ends.iter().any(|config| system.holds(system.invalid, config));
        let is_valid = ends.iter().any(|config| !system.holds(system.inconclusive, config));
        let mut nexts: BTreeMap<String, BTreeSet<Config>> = BTreeMap::new();
        for config in &set {
            for step in cursor.steps(system, config) {
                let Some(event) = system.events(&step).next() else { continue };
                let text = system.events[event].text.clone();
                nexts.entry(text).or_default().extend(cursor.take(system, &step, config));
            }
        }
        let mut edges = BTreeMap::new();
        for (text, configs) in nexts {
            edges.insert(text, id(settle(system, &mut cursor, configs)?, &mut sets));
        }
        states.push((is_valid && !is_invalid, edges));
    }
    Ok(DeterministicAutomaton { states })
}

/// All that invisible steps lead to.
fn settle(
    system: &System,
    cursor: &mut ConfigurationCursor,
    configs: BTreeSet<Config>,
) -> Result<BTreeSet<Config>, ComplementObstacle> {
    let settled = system.settle(cursor, configs, &Hidden::None);
    if settled.is_strained { Err(ComplementObstacle::Strained) } else { Ok(settled.configs) }
}
