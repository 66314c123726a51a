//! The builder: variables, rules under construction, and the context in which a fragment is lowered.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::guards::uses;
use super::notes::{FragmentKey, Notes};
use super::{Assumptions, Unsupported};
use crate::id::{Id, IdVec};
use crate::meter;
use crate::model::{Combined, Interaction, InteractionId, LifelineId, Model, Occurrence};
use crate::source::Place;
use crate::system::{
    ComponentId, Endless, Event, EventId, EventKind, Fairness, Join, Mandatory, ReasonKind, Rule, RuleId,
    Strength, System, TermId, Terms, Variable, VariableId, WaitReason,
};

/// Where a fragment stands: what must have happened, and what must have been decided.
#[derive(Clone)]
pub(super) struct FragmentContext {
    /// Every choice around it fell its way.
    pub alive: TermId,
    /// Some choice around it fell otherwise.
    pub dead: TermId,
    /// What must be over on each lifeline before anything here.
    pub before: BTreeMap<ComponentId, TermId>,
    /// What must be over before anything here on any lifeline.
    pub barrier: TermId,
    /// The loop iteration it stands in: propositions are shared inside one.
    pub scope: usize,
    /// The loops around it, outermost first, each with the iteration.
    pub path: IterationPath,
    /// The lifelines of coregions around it, whose occurrences wait only for what precedes the coregion.
    pub free: BTreeSet<ComponentId>,
    /// It stands directly in the body of a loop, which a break ends (rule I3).
    pub(crate) in_loop: bool,
    /// Others may wait for each single choice here, so it is made without waiting for the lifelines it touches.
    pub at_once: bool,
    /// Others may wait for everything here at once, so a choice is made at the latest when this holds: all that precedes
    /// it there is over.
    pub progress: Option<TermId>,
    /// Something around it looks back at what has happened: nothing is forgotten when a fragment is over.
    pub(crate) is_remembered: bool,
    /// How many copies of it are made.
    pub copies: usize,
    /// The bits that record whether the run is invalid or doubtful.
    pub judge: RunWorth,
    /// It is all that happens in the `neg` or the diagram around it.
    pub is_alone: bool,
    /// It stands directly in a `neg`, which says itself what an invalid part makes of it.
    pub(crate) in_neg: bool,
}

/// Bits that say what the runs through a `neg`, or through the whole diagram, are worth (rule I12).
#[derive(Clone, Copy)]
pub(super) struct RunWorth {
    pub invalid: VariableId,
    pub(crate) doubtful: VariableId,
}

/// What a lowered fragment leaves behind.
#[derive(Clone, Default)]
pub(super) struct LoweredPiece {
    /// For each lifeline it touches: everything in it there is over, given that it is alive.
    pub ends: BTreeMap<ComponentId, TermId>,
    /// Lifelines where its end implies that everything before it is over too.
    pub solid: BTreeSet<ComponentId>,
    /// Its visible occurrences: lifeline, done bit, rule.
    pub occurrences: Vec<(ComponentId, TermId, RuleId)>,
    /// Regions that keep others away from a lifeline while they are open (rules I5, I6).
    pub regions: Vec<CriticalRegion>,
    /// Terms that say that something has happened on a lifeline, besides the done bits of the occurrences.
    pub begun: Vec<(ComponentId, TermId)>,
}

/// A part of a lifeline that keeps others off.
#[derive(Clone, Copy)]
pub(super) struct CriticalRegion {
    pub component: ComponentId,
    pub open: TermId,
    /// `critical` or `assert`.
    pub word: &'static str,
    pub place: Place,
}

impl LoweredPiece {
    /// Takes over what another piece holds, apart from its ends.
    pub(crate) fn collect(&mut self, other: LoweredPiece) {
        self.occurrences.extend(other.occurrences);
        self.regions.extend(other.regions);
        self.begun.extend(other.begun);
    }
}

/// Where an occurrence stands: the loops around it, outermost first, each with the iteration.
pub(super) type IterationPath = Vec<(FragmentKey, usize)>;

/// A loop of which only some iterations are kept.
#[derive(Clone)]
pub(super) struct Window {
    pub id: FragmentKey,
    /// The loops around it.
    pub path: IterationPath,
    /// For each lifeline: all its iterations are over there.
    pub ends: BTreeMap<ComponentId, TermId>,
    /// It is not run at all.
    pub dead: TermId,
}

/// A message as it was lowered, for orderings and calls.
#[derive(Clone, Copy)]
pub(super) struct LoweredMessage {
    pub done: TermId,
    pub dead: TermId,
    pub rule: RuleId,
}

/// Every message of one copy of an interaction as it was lowered, with the loop iterations around it.
pub(super) type Happenings = BTreeMap<Occurrence, Vec<(LoweredMessage, IterationPath)>>;

/// More variables than this are not made.
const MOST_VARIABLES: usize = 100_000;

pub(super) struct LoweringBuilder<'a> {
    pub model: &'a Model,
    pub assumptions: &'a Assumptions,
    pub terms: Terms,
    pub variables: IdVec<VariableId, Variable>,
    pub components: IdVec<ComponentId, String>,
    component_ids: BTreeMap<String, ComponentId>,
    events: IdVec<EventId, Event>,
    event_ids: BTreeMap<String, EventId>,
    rules: IdVec<RuleId, Rule>,
    /// Conditions that a rule must satisfy besides its guard.
    extra: BTreeMap<RuleId, Vec<TermId>>,
    /// Guard propositions by scope and text: 0 unknown, 1 false, 2 true.
    pub propositions: BTreeMap<(usize, String), VariableId>,
    /// In how many fragments each proposition stands.
    pub uses: BTreeMap<String, usize>,
    /// Propositions that several fragments ask for, with their scopes.
    pub lasting: BTreeMap<VariableId, usize>,
    pub scopes: usize,
    /// The messages of the current interaction as they were lowered.
    pub happenings: Happenings,
    /// Receipts of replies by the lifelines that wait for them, each with the condition that it does not wait.
    pub waits: BTreeMap<ComponentId, Vec<(RuleId, TermId)>>,
    /// The lifelines that interactions touch, for those that were asked for.
    pub covers: BTreeMap<InteractionId, BTreeSet<ComponentId>>,
    /// For each loop around: the choices whose first alternative breaks it off, and whose second does not.
    pub broken: Vec<Vec<VariableId>>,
    /// Loops of which only some iterations are kept, in the order in which they were lowered: inner ones first.
    pub windows: Vec<Window>,
    /// What must be decided in a complete run although nothing may wait for it.
    pub settled: Vec<TermId>,
    /// Each says that the choices of the run contradict each other.
    pub void: Vec<TermId>,
    /// Each says that something waits for a loop's window.
    pub strained: Vec<TermId>,
    /// What stands for a part of `complete` in an infinite run.
    pub resting: HashMap<TermId, TermId>,
    /// Which infinite runs count; `None` as long as nothing may go on forever.
    pub endless: Option<Endless>,
    /// The occurrences that were drawn, each with the rules that pay what is owed.
    owed: BTreeMap<RuleId, BTreeSet<RuleId>>,
    pub mandatory: Vec<Mandatory>,
    reasons: Vec<WaitReason>,
    explained: BTreeSet<TermId>,
    /// Interactions being inlined, outermost first.
    pub(crate) inlining: Vec<InteractionId>,
    /// What is written down of a property; `None` for a model.
    pub notes: Option<Notes>,
    /// Propositions that are decided outside.
    pub inputs: BTreeMap<String, VariableId>,
    /// What may happen in a `not` besides what is drawn.
    pub others: Vec<Other>,
    /// Whether loops of many iterations are counted as long as the window is narrow, and not written out.
    pub(crate) counts_loops: bool,
}

/// Something that happens in a system and is not drawn in a diagram about it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Other {
    /// The text of the event.
    pub text: String,
    /// What happens.
    pub kind: EventKind,
    /// The sender, or the lifeline that ends.
    pub from: Option<String>,
    /// The receiver.
    pub to: Option<String>,
    /// The name of a receiver outside of the system.
    pub beyond: Option<String>,
    /// The message with its arguments.
    pub message: String,
    /// The message without its arguments.
    pub name: String,
    /// The arguments.
    pub arguments: Option<Vec<String>>,
}

impl<'a> LoweringBuilder<'a> {
    pub(crate) fn new(model: &'a Model, assumptions: &'a Assumptions) -> Self {
        LoweringBuilder {
            model,
            assumptions,
            terms: Terms::default(),
            variables: IdVec::new(),
            components: IdVec::new(),
            component_ids: BTreeMap::new(),
            events: IdVec::new(),
            event_ids: BTreeMap::new(),
            rules: IdVec::new(),
            extra: BTreeMap::new(),
            propositions: BTreeMap::new(),
            uses: BTreeMap::new(),
            lasting: BTreeMap::new(),
            scopes: 1,
            happenings: Happenings::new(),
            waits: BTreeMap::new(),
            covers: BTreeMap::new(),
            broken: Vec::new(),
            windows: Vec::new(),
            settled: Vec::new(),
            void: Vec::new(),
            strained: Vec::new(),
            resting: HashMap::new(),
            endless: None,
            owed: BTreeMap::new(),
            mandatory: Vec::new(),
            reasons: Vec::new(),
            explained: BTreeSet::new(),
            inlining: Vec::new(),
            notes: None,
            inputs: BTreeMap::new(),
            others: Vec::new(),
            counts_loops: false,
        }
    }

    pub(crate) fn lower(self, id: InteractionId) -> Result<System, Unsupported> {
        self.lower_beginning(id, usize::MAX).map(|(system, _)| system)
    }

    /// The system of the first `length` fragments of an interaction, and what was written down.
    pub(crate) fn lower_beginning(
        mut self,
        id: InteractionId,
        length: usize,
    ) -> Result<(System, Option<Notes>), Unsupported> {
        for lifeline in self.model.interactions[id].lifelines.iter() {
            self.component(&lifeline.name);
        }
        self.uses = uses(self.model, id);
        let context = self.outermost();
        let piece = self.interaction(id, length, &context)?;
        self.block_callers(&piece);
        let notes = self.notes.take();
        Ok((self.system(&piece, context.judge), notes))
    }

    /// The context in which nothing has happened and nothing is decided.
    pub(crate) fn outermost(&mut self) -> FragmentContext {
        let (yes, no) = (self.terms.truth(true), self.terms.truth(false));
        let judge = self.judge();
        FragmentContext {
            alive: yes,
            dead: no,
            before: BTreeMap::new(),
            barrier: yes,
            scope: 0,
            path: Vec::new(),
            free: BTreeSet::new(),
            in_loop: false,
            // A fragment that turns out to be empty joins nothing.
            at_once: self.assumptions.switches.strict_joints,
            progress: None,
            is_remembered: false,
            copies: 1,
            judge,
            is_alone: true,
            in_neg: false,
        }
    }

    /// The context of a fragment whose guards are decided when it is entered, if a switch says so.
    pub(crate) fn entered(&mut self, context: &FragmentContext) -> FragmentContext {
        let mut context = context.clone();
        if self.assumptions.switches.guards_on_entry {
            context.scope = self.scopes;
            self.scopes += 1;
        }
        context
    }

    /// The system of everything lowered so far.
    pub(crate) fn system(mut self, piece: &LoweredPiece, judge: RunWorth) -> System {
        let settled = std::mem::take(&mut self.settled);
        let complete = self.terms.and(piece.ends.values().copied().chain(settled));
        for (rule, conditions) in std::mem::take(&mut self.extra) {
            let guard = self.rules[rule].guard;
            self.rules[rule].guard = self.terms.and(conditions.into_iter().chain([guard]));
        }
        let void = self.terms.or(std::mem::take(&mut self.void));
        let strained = self.terms.or(std::mem::take(&mut self.strained));
        let mut recurrent = Vec::new();
        if !self.resting.is_empty() {
            recurrent.push(self.terms.replace(complete, &self.resting));
        }
        let [invalid, doubtful] = [judge.invalid, judge.doubtful].map(|bit| self.terms.is(bit, 1));
        let is_clean = self.terms.not(invalid);
        System {
            variables: self.variables,
            components: self.components,
            queues: IdVec::new(),
            events: self.events,
            labels: IdVec::new(),
            meetings: BTreeMap::new(),
            rules: self.rules,
            invalid,
            inconclusive: self.terms.and([doubtful, is_clean]),
            terms: self.terms,
            complete,
            void,
            recurrent,
            endless: self.endless.map(|endless| Endless { owed: owed(self.owed), is_seen: true, ..endless }),
            strained,
            mandatory: self.mandatory,
            reasons: self.reasons,
        }
    }

    /// Bits for what some runs are worth; without any `neg` they are never set.
    pub(crate) fn judge(&mut self) -> RunWorth {
        let invalid = self.counter("invalid".to_owned(), 1);
        let doubtful = self.counter("doubtful".to_owned(), 1);
        RunWorth { invalid, doubtful }
    }

    /// The interaction that is being lowered: the one asked for, or one that it uses.
    pub(crate) fn current(&self) -> &'a Interaction {
        &self.model.interactions[self.current_id()]
    }

    fn current_id(&self) -> InteractionId {
        *self.inlining.last().expect("something is being lowered")
    }

    /// Which fragment of the model one of the current interaction is.
    pub(crate) fn key(&self, combined: &Combined) -> FragmentKey {
        (self.current_id(), combined.id)
    }

    /// The component of this name, made if there is none.
    pub(crate) fn component(&mut self, name: &str) -> ComponentId {
        if let Some(known) = self.component_ids.get(name) {
            return *known;
        }
        let component = self.components.push(name.to_owned());
        self.component_ids.insert(name.to_owned(), component);
        component
    }

    /// The component of a lifeline: lifelines of used interactions are matched by name (rule I9).
    pub(crate) fn line(&mut self, lifeline: LifelineId) -> ComponentId {
        self.component(&self.current().lifelines[lifeline].name)
    }

    /// A variable with values from 0 to `max`, first 0.
    pub(crate) fn counter(&mut self, name: String, max: i32) -> VariableId {
        self.variables.push(Variable::new(name, 0, max, 0))
    }

    /// What precedes anything in this context on a lifeline.
    pub(crate) fn before(&mut self, context: &FragmentContext, component: ComponentId) -> TermId {
        context.before.get(&component).copied().unwrap_or_else(|| self.terms.truth(true))
    }

    /// Adds an occurrence on a lifeline; `event` is `None` for one that is not seen.
    pub(crate) fn occurrence(
        &mut self,
        context: &FragmentContext,
        component: ComponentId,
        event: Option<Event>,
        needs: &[TermId],
        place: Place,
    ) -> LoweredMessage {
        let name = event.as_ref().map_or("tau", |event| event.text.as_str()).to_owned();
        let variable = self.counter(name, 1);
        let done = self.terms.is(variable, 1);
        let pending = self.terms.not(done);
        let before = self.before(context, component);
        let guard =
            [pending, context.alive, before, context.barrier].into_iter().chain(needs.iter().copied());
        let guard = self.terms.and(guard);
        let one = self.terms.constant(1);
        let event = event.map(|event| self.event(event));
        let updates = vec![(variable, one)];
        let rule = self.rules.push(Rule {
            component,
            guard,
            event,
            updates,
            join: Join::Alone,
            urgent: false,
            place,
        });
        self.owed.insert(rule, BTreeSet::from([rule]));
        LoweredMessage { done, dead: context.dead, rule }
    }

    /// Adds an event that may happen again and again while `here` holds, with updates each time.
    pub(crate) fn repeatable(
        &mut self,
        context: &FragmentContext,
        component: ComponentId,
        event: Event,
        here: TermId,
        updates: Vec<(VariableId, TermId)>,
        place: Place,
    ) -> LoweredMessage {
        let before = self.before(context, component);
        let guard = self.terms.and([here, context.alive, before, context.barrier]);
        let event = Some(self.event(event));
        let join = Join::Alone;
        let rule = self.rules.push(Rule { component, guard, event, updates, join, urgent: false, place });
        LoweredMessage { done: self.terms.truth(false), dead: context.dead, rule }
    }

    /// Adds an invisible step by which a lifeline leaves a fragment, at any time after it came there.
    pub(crate) fn leaving(
        &mut self,
        context: &FragmentContext,
        component: ComponentId,
        left: VariableId,
        place: Place,
    ) {
        let before = self.before(context, component);
        let here = self.terms.is(left, 0);
        let guard = self.terms.and([here, context.alive, before, context.barrier]);
        let updates = vec![(left, self.terms.constant(1))];
        let join = Join::Alone;
        self.rules.push(Rule { component, guard, event: None, updates, join, urgent: false, place });
    }

    fn event(&mut self, event: Event) -> EventId {
        let events = &mut self.events;
        *self.event_ids.entry(event.text.clone()).or_insert_with(|| events.push(event))
    }

    /// Adds an invisible rule that may be taken as soon as it is enabled.
    pub(crate) fn decision(
        &mut self,
        component: ComponentId,
        guard: TermId,
        updates: Vec<(VariableId, TermId)>,
        place: Place,
    ) -> RuleId {
        self.rules.push(Rule {
            component,
            guard,
            event: None,
            updates,
            join: Join::Alone,
            urgent: true,
            place,
        })
    }

    /// Lets an invisible rule be taken at any time.
    pub(crate) fn put_off(&mut self, rule: RuleId) {
        self.rules[rule].urgent = false;
    }

    /// A component of its own for each choice, so that its rules conflict with no others.
    pub(crate) fn chooser(&mut self) -> ComponentId {
        let name = format!("choice {}", self.components.len());
        self.components.push(name)
    }

    /// Adds a rule that does the same as another.
    pub(crate) fn again(&mut self, rule: RuleId) -> RuleId {
        let copy = self.rules[rule].clone();
        let copy = self.rules.push(copy);
        if let Some(mut payers) = self.owed.get(&rule).cloned() {
            payers.insert(copy);
            payers.iter().for_each(|one| _ = self.owed.entry(*one).or_default().insert(copy));
            self.owed.insert(copy, payers);
        }
        copy
    }

    /// How many rules there are.
    pub(crate) fn rule_count(&self) -> usize {
        self.rules.len()
    }

    /// What is owed by the rules from a number on is paid by another rule, too.
    pub(crate) fn pay(&mut self, from: usize, by: RuleId) {
        self.owed.range_mut(RuleId::from_index(from)..).for_each(|(_, payers)| _ = payers.insert(by));
    }

    /// Adds an update to a rule.
    pub(crate) fn also(&mut self, rule: RuleId, update: Option<(VariableId, TermId)>) {
        self.rules[rule].updates.extend(update);
    }

    /// The component of a rule.
    pub(crate) fn component_of(&self, rule: RuleId) -> ComponentId {
        self.rules[rule].component
    }

    /// What is seen when a rule fires.
    pub(crate) fn event_shown(&self, rule: RuleId) -> Option<EventId> {
        self.rules[rule].event
    }

    /// Lets a rule fire only while a condition holds.
    pub(crate) fn demand(&mut self, rule: RuleId, condition: TermId) {
        self.extra.entry(rule).or_default().push(condition);
    }

    /// Records why a rule may have to wait for a condition, for reports.
    pub(crate) fn explain(&mut self, condition: TermId, kind: ReasonKind, place: Place) {
        if self.explained.insert(condition) {
            self.reasons.push(WaitReason { condition, kind, place });
        }
    }

    /// Whether one of these lifelines has reached a fragment; one that touches none is reached at once.
    pub(crate) fn reached(
        &mut self,
        context: &FragmentContext,
        components: &BTreeSet<ComponentId>,
    ) -> TermId {
        if components.is_empty() || context.at_once {
            return self.terms.truth(true);
        }
        let mut arrived: Vec<TermId> =
            components.iter().map(|component| self.before(context, *component)).collect();
        arrived.extend(context.progress);
        self.terms.or(arrived)
    }

    /// Fails once the diagram, with its loops and references written out, is too big to work with, or the budget is spent.
    pub(crate) fn within_bounds(&self, place: Place) -> Result<(), Unsupported> {
        if meter::is_over() {
            return Self::unsupported("a diagram for which no time or memory is left", place);
        }
        match self.variables.len() > MOST_VARIABLES {
            true => {
                Self::unsupported("a diagram this large once its loops and references are written out", place)
            }
            false => Ok(()),
        }
    }

    pub(crate) fn unsupported<T>(what: &str, place: Place) -> Result<T, Unsupported> {
        Err(Unsupported { what: what.to_owned(), place })
    }
}

/// What could happen again and again does: a constraint for each occurrence.
fn owed(occurrences: BTreeMap<RuleId, BTreeSet<RuleId>>) -> Vec<Fairness> {
    let constraint = |(rule, payers)| Fairness { when: [rule].into(), payers, strength: Strength::Strong };
    occurrences.into_iter().map(constraint).collect()
}
