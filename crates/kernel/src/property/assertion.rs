//! The observer of an `assert` diagram (rules I6, I8; P0, section VI).
//!
//! On each lifeline of the `assert` by itself: whenever what stands above it has happened there, in order and with anything
//! in between, the events that follow there are, with nothing in between, those of the `assert`, and they do come. Where
//! nothing stands above it, they are the first there; that they come is demanded once the `assert` is due on some other
//! lifeline, or from the start if nothing stands above it on any. Otherwise what happens on other lifelines does not matter;
//! of the property they are hidden. What stands below the `assert` demands nothing.
//!
//! The observer accepts runs that violate this. It chooses a lifeline, and one of the times when the `assert` is due; from
//! there on it follows what may come, and accepts if something else comes, or if from some point on nothing does. What may
//! go on forever, as a loop without bound, is followed forever. Where nothing stands above the `assert` it follows from the
//! start, and chooses another lifeline to wait for: before the `assert` is due there, nothing need come.

mod breach;

pub use breach::{Breach, Since};

use std::rc::Rc;

use super::pattern::{Configs, PropertyPattern};
use super::{Marks, Moment, Observer};
use crate::model::{Combination, Fragment, InteractionId, Modality, Model, OperatorFacts};
use crate::semantics::{Assumptions, Unsupported};
use crate::system::{ComponentId, EventId, System, TermId};

/// An observer that accepts runs which leave an `assert`, or in which it is due at all.
#[derive(Debug)]
pub struct Assertion {
    pattern: PropertyPattern,
    /// The lifelines, each with where it begins.
    lifelines: Vec<AssertLifeline>,
    quest: AssertGoal,
}

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AssertGoal {
    /// A run that is not as the `assert` says.
    Violation,
    /// A run in which the `assert` is due on some lifeline where something stands above it; any run if nothing does.
    Trigger,
}

#[derive(Debug)]
struct AssertLifeline {
    component: ComponentId,
    /// Everything above the `assert` is over there.
    ready: TermId,
    /// Where what stands above it begins.
    above: Rc<Configs>,
    /// Where the `assert` begins, if nothing stands above it.
    due: Option<Rc<Configs>>,
}

/// What is remembered of a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AssertMemory {
    /// The run has not begun.
    Unborn,
    /// On a lifeline, by number, the `assert` was not chosen to be due yet.
    Waiting(usize, Rc<Configs>),
    /// On a lifeline above which nothing stands it has come so far; on another one, which was chosen, it is not due yet.
    Early(usize, Rc<Configs>, usize, Rc<Configs>),
    /// It is due, and has come so far.
    Due(usize, Rc<Configs>),
    /// It is due, and from now on nothing brings it further.
    Starved(usize, Rc<Configs>),
    /// The run is as it must not be.
    Found,
}

/// The effect of an event on an attempt at an `assert`.
enum AssertProgress {
    /// It has come.
    Over,
    /// Something else came.
    Left,
    /// More is to come.
    Open(Rc<Configs>),
}

impl Assertion {
    /// Prepares an `assert` diagram for runs of a system. Guards that both share are to be fixed by the assumptions of both.
    pub fn new(
        model: &Model,
        property: InteractionId,
        system: &System,
        assumptions: &Assumptions,
        quest: AssertGoal,
    ) -> Result<Self, Unsupported> {
        // What must follow is no invalid trace.
        let mut assumptions = Assumptions { without_negatives: true, ..assumptions.clone() };
        assumptions.switches.invalid_if_false = false;
        let is_monotone = !assumptions.switches.blocking_calls && is_monotone(model, property);
        let pattern = PropertyPattern::new(model, property, system, &assumptions, is_monotone)?;
        let asserted = pattern.property.asserted.clone();
        let lifelines = asserted.iter().map(|one| lifeline(&pattern, one.component, one.ready)).collect();
        Ok(Assertion { pattern, lifelines, quest })
    }

    /// The events of the property that never happen in the system, as texts.
    pub fn strangers(&self) -> Vec<String> {
        self.pattern.strangers()
    }

    /// Whether something had to wait for a loop's window: the property has more traces than were looked for.
    pub fn is_strained(&self) -> bool {
        self.pattern.is_strained()
    }

    /// Whether the `assert` is over in one of some configurations.
    fn is_over(&self, configs: &Configs) -> bool {
        let system = &self.pattern.property.system;
        configs.iter().any(|config| system.class(config).is_some())
    }

    /// What an event makes of what stands above the `assert`, and where the `assert` begins if it is due now.
    fn waited(
        &self,
        number: usize,
        configs: &Rc<Configs>,
        event: EventId,
    ) -> (Rc<Configs>, Option<Rc<Configs>>) {
        let line = &self.lifelines[number];
        if !self.pattern.is_on(event, line.component) {
            return (Rc::clone(configs), None);
        }
        let taken = self.pattern.take(configs, event, Some(line.component));
        let mut next = self.pattern.skip(configs, event);
        let (ready, more) = split(&self.pattern, line.ready, taken);
        next.extend(more);
        let next = if next == **configs { Rc::clone(configs) } else { Rc::new(next) };
        (next, (!ready.is_empty()).then(|| Rc::new(ready)))
    }

    /// The effect of an event on an `assert` that has come so far.
    fn followed(&self, number: usize, configs: &Rc<Configs>, event: EventId) -> AssertProgress {
        let component = self.lifelines[number].component;
        if !self.pattern.is_on(event, component) {
            return AssertProgress::Open(Rc::clone(configs));
        }
        let mut next = self.pattern.take(configs, event, Some(component));
        if self.is_over(&next) {
            return AssertProgress::Over;
        }
        if self.pattern.is_ignored(event) {
            next.extend(self.pattern.skip(configs, event));
        }
        if next.is_empty() { AssertProgress::Left } else { AssertProgress::Open(Rc::new(next)) }
    }

    /// Whether an event may lie beside an `assert`: it happens on another lifeline, or is ignored.
    fn is_beside(&self, number: usize, event: EventId) -> bool {
        !self.pattern.is_on(event, self.lifelines[number].component) || self.pattern.is_ignored(event)
    }

    /// The `assert` never comes, if this event brings it no further. One that is ignored may be what must come.
    fn starved(
        &self,
        number: usize,
        configs: &Rc<Configs>,
        next: &Rc<Configs>,
        event: EventId,
    ) -> Option<AssertMemory> {
        let is_further = !self.is_beside(number, event) || next != configs;
        (!is_further).then(|| AssertMemory::Starved(number, Rc::clone(configs)))
    }

    /// The lifelines where something stands above the `assert`.
    fn triggers(&self) -> impl Iterator<Item = (usize, &AssertLifeline)> {
        self.lifelines.iter().enumerate().filter(|(_, line)| line.due.is_none())
    }

    /// The ways in which a run begins.
    fn begin(&self, ways: &mut Vec<(AssertMemory, Marks)>) {
        let waiting =
            self.triggers().map(|(number, line)| AssertMemory::Waiting(number, Rc::clone(&line.above)));
        ways.extend(waiting.map(|watch| (watch, 0)));
        let is_always_due = self.triggers().next().is_none();
        if self.quest == AssertGoal::Trigger {
            ways.extend(is_always_due.then_some((AssertMemory::Found, 1)));
            return;
        }
        for (number, line) in self.lifelines.iter().enumerate() {
            let Some(due) = line.due.as_ref().filter(|due| !self.is_over(due)) else { continue };
            if is_always_due {
                ways.push((AssertMemory::Due(number, Rc::clone(due)), 0));
            }
            let early = self.triggers().map(|(other, trigger)| {
                let [configs, above] = [due, &trigger.above].map(Rc::clone);
                AssertMemory::Early(number, configs, other, above)
            });
            ways.extend(early.map(|watch| (watch, 0)));
        }
    }

    fn wait(
        &self,
        number: usize,
        configs: &Rc<Configs>,
        event: EventId,
        ways: &mut Vec<(AssertMemory, Marks)>,
    ) {
        let (next, begun) = self.waited(number, configs, event);
        match (self.quest, begun) {
            (AssertGoal::Trigger, Some(_)) => ways.push((AssertMemory::Found, 1)),
            (AssertGoal::Violation, Some(begun)) => {
                ways.push((AssertMemory::Waiting(number, next), 0));
                if !self.is_over(&begun) {
                    ways.push((AssertMemory::Due(number, begun), 0));
                }
            }
            (_, None) => ways.push((AssertMemory::Waiting(number, next), 0)),
        }
    }

    fn follow(
        &self,
        number: usize,
        configs: &Rc<Configs>,
        event: EventId,
        ways: &mut Vec<(AssertMemory, Marks)>,
    ) {
        match self.followed(number, configs, event) {
            AssertProgress::Over => {}
            AssertProgress::Left => ways.push((AssertMemory::Found, 0)),
            AssertProgress::Open(next) => {
                ways.extend(self.starved(number, configs, &next, event).map(|watch| (watch, 1)));
                ways.push((AssertMemory::Due(number, next), 0));
            }
        }
    }
}

/// Configurations that are ready, and those that are not.
fn split(pattern: &PropertyPattern, ready: TermId, configs: Configs) -> (Configs, Configs) {
    configs.into_iter().partition(|config| pattern.property.system.holds(ready, config))
}

fn lifeline(pattern: &PropertyPattern, component: ComponentId, ready: TermId) -> AssertLifeline {
    let (begun, above) = split(pattern, ready, pattern.first(Some(component)));
    // Where something may stand above it, the assert is due when that has happened.
    let is_due = !begun.is_empty() && !pattern.goes_on(&above, component);
    AssertLifeline { component, ready, above: Rc::new(above), due: is_due.then(|| Rc::new(begun)) }
}

/// Whether nothing in a diagram, or in those it uses, lets an occurrence keep others off its lifeline.
fn is_monotone(model: &Model, property: InteractionId) -> bool {
    let mut diagrams = vec![property];
    let mut at = 0;
    let mut is_monotone = true;
    while let Some(diagram) = diagrams.get(at).copied() {
        let mut top = 0;
        model.interactions[diagram].walk(&mut |fragment, _| match fragment {
            Fragment::Combined(combined) => {
                let OperatorFacts { combination, is_region, modality, .. } = combined.operator.facts();
                match modality {
                    // The one at the top has nothing beside it.
                    Modality::Mandatory => {
                        top += 1;
                        is_monotone &= top == 1 && diagram == property;
                    }
                    Modality::Valid | Modality::Forbidden => {
                        is_monotone &= !is_region && combination != Combination::Complement;
                    }
                }
            }
            Fragment::Use(use_) => {
                diagrams.extend(use_.target.filter(|target| !diagrams.contains(target)));
            }
            Fragment::Message(_)
            | Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Invariant(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => {}
        });
        at += 1;
    }
    is_monotone
}

impl Observer for Assertion {
    type State = AssertMemory;

    fn marks(&self) -> u32 {
        1
    }

    fn first(&self) -> AssertMemory {
        AssertMemory::Unborn
    }

    fn read(
        &self,
        state: &AssertMemory,
        moment: Moment,
        _holds: &mut dyn FnMut(TermId) -> bool,
        ways: &mut Vec<(AssertMemory, Marks)>,
    ) {
        match (state, moment) {
            (AssertMemory::Found, _) => ways.push((AssertMemory::Found, 1)),
            (AssertMemory::Unborn, _) => self.begin(ways),
            (_, Moment::Silent) => ways.push((state.clone(), 0)),
            // What is not due need not come.
            (
                AssertMemory::Waiting(..) | AssertMemory::Early(..),
                Moment::Start | Moment::End | Moment::Stuck,
            ) => {}
            (AssertMemory::Waiting(number, configs), Moment::Event(event)) => {
                self.wait(*number, configs, event, ways);
            }
            (&AssertMemory::Early(number, ref configs, other, ref above), Moment::Event(event)) => {
                match (self.followed(number, configs, event), self.waited(other, above, event)) {
                    (AssertProgress::Over, _) => {}
                    (AssertProgress::Left, _) => ways.push((AssertMemory::Found, 0)),
                    (AssertProgress::Open(configs), (_, Some(_))) => {
                        ways.push((AssertMemory::Due(number, configs), 0))
                    }
                    (AssertProgress::Open(configs), (above, None)) => {
                        ways.push((AssertMemory::Early(number, configs, other, above), 0));
                    }
                }
            }
            (AssertMemory::Due(number, configs), Moment::Event(event)) => {
                self.follow(*number, configs, event, ways);
            }
            // Nothing more comes.
            (AssertMemory::Due(..), Moment::Start | Moment::End | Moment::Stuck) => {
                ways.push((AssertMemory::Found, 1))
            }
            (AssertMemory::Starved(number, configs), Moment::Event(event)) => {
                if let AssertProgress::Open(next) = self.followed(*number, configs, event) {
                    ways.extend(self.starved(*number, configs, &next, event).map(|watch| (watch, 1)));
                }
            }
            (AssertMemory::Starved(..), Moment::Start | Moment::End | Moment::Stuck) => {}
        }
    }

    fn accepts_all(&self, state: &AssertMemory) -> bool {
        *state == AssertMemory::Found
    }
}
