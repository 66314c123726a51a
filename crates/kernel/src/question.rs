//! Questions: a question about the runs of one System, as a plain value.
//!
//! Every check becomes a search for a run of a System: one that deadlocks, one that reaches a state, one that
//! an observer accepts. A [`Case`] is that question. Engines, outside tools and exporters take the same
//! value, so all of them answer or write the same question; a decision is a function of the case and of
//! limits.
//!
//! Observers are of several types, and engines are generic over them for speed. [`Watcher::visit`] is the one
//! place that distinguishes them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::id::IdVec;
use crate::property::ltl::LtlAutomaton;
use crate::property::scenario::{Forever, FoundObserver, Missed, Near, Never, SoughtScenario, Whenever};
use crate::property::{Anything, AssertGoal, Assertion, Negative, Observer};
use crate::source::{Place, Span};
use crate::system::{ComponentId, EventId, System, TermId, VariableId};

/// A question about the runs of a System: is there a run that reaches the goal?
#[derive(Clone, Debug)]
pub struct Case {
    /// The system whose runs are searched.
    pub system: Rc<System>,
    /// What is looked for.
    pub goal: Goal,
    /// How much happens at a position, where positions are counted.
    pub pace: Pace,
    /// After how many positions an attempt must have begun at the latest; `None` if that does not matter.
    pub begins: Option<u32>,
    /// How many positions a run may have at most.
    pub within: Option<usize>,
    /// The names of the variables and rules of the System, for reports.
    pub names: Rc<Names>,
    /// Which part of a question this is, in words; empty if it is all of it.
    pub part: String,
}

/// What is looked for in the runs of a System.
#[derive(Clone, Debug)]
pub enum Goal {
    /// A state without any step that is no proper end.
    Stuck,
    /// A state in which a predicate holds.
    State(TermId),
    /// A run that an observer accepts.
    Accepted(Watcher),
}

impl Goal {
    /// Whether a state without any step is looked for.
    pub fn is_stuck(&self) -> bool {
        matches!(self, Goal::Stuck)
    }
}

/// What a goal depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sight {
    /// The predicates that it looks at.
    pub predicates: Vec<TermId>,
    /// A number for each event: those of one number are the same to it.
    pub letters: IdVec<EventId, usize>,
}

/// How much happens at a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pace {
    /// One step.
    Single,
    /// Steps of different components, any number but none: the transactions of P4.
    Together,
    /// The same, but no label is offered twice at once: fewer clauses, and a run that is found is one all the same.
    Sparse,
}

/// The observers that questions need.
#[derive(Clone, Debug)]
pub enum Watcher {
    /// Accepts every run.
    Anything,
    /// Accepts runs that violate a formula.
    Formula(Rc<LtlAutomaton>),
    /// Accepts runs that contain what a `neg` diagram forbids.
    Negative(Rc<Negative>),
    /// Accepts runs that leave an `assert`, or in which it is due.
    Assertion(Rc<Assertion>),
    /// Accepts runs that match a scenario. Where the case says when attempts begin, they begin in the states up to there.
    Found(Rc<SoughtScenario>),
    /// Accepts runs along which a scenario goes on forever.
    Forever(Rc<SoughtScenario>),
    /// Accepts runs without a finite match that begins within some steps.
    Missed(Rc<SoughtScenario>, Option<u32>),
    /// Accepts runs without any match that begins within some steps, finite or not.
    Never(Rc<SoughtScenario>, Option<u32>),
    /// Accepts runs in which the `assert` of a scenario does not follow, or in which it is due.
    Whenever(Rc<SoughtScenario>, AssertGoal),
}

/// What is done with an observer, whatever its type.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it. `depth` tells how far the observer has come with what it remembers; `None` is further than anything else.
    fn visit<O: Observer>(self, observer: &O, depth: &dyn Fn(&O::State) -> Option<usize>) -> Self::Output;
}

impl Watcher {
    /// Calls `visitor` with the observer. With `is_near` attempts must begin within a bound, which is part of
    /// the memory.
    pub fn visit<V: Visitor>(&self, is_near: bool, visitor: V) -> V::Output {
        match self {
            Watcher::Anything => visitor.visit(&Anything, &|_| Some(0)),
            Watcher::Formula(automaton) => visitor.visit(&**automaton, &|_| Some(0)),
            Watcher::Negative(negative) => visitor.visit(&**negative, &|_| Some(0)),
            Watcher::Assertion(assertion) => visitor.visit(&**assertion, &|_| Some(0)),
            Watcher::Found(scenario) if is_near => {
                let near = Near { scenario };
                visitor.visit(&near, &|stance| near.depth(stance))
            }
            Watcher::Found(scenario) => {
                let found = FoundObserver { scenario };
                visitor.visit(&found, &|stance| found.depth(stance))
            }
            Watcher::Forever(scenario) => visitor.visit(&Forever { scenario }, &|_| Some(0)),
            Watcher::Missed(scenario, within) => {
                visitor.visit(&Missed { scenario, within: *within }, &|_| Some(0))
            }
            Watcher::Never(scenario, within) => visitor.visit(&Never::new(scenario, *within), &|_| Some(0)),
            Watcher::Whenever(scenario, quest) => {
                visitor.visit(&Whenever { scenario, quest: *quest }, &|_| Some(0))
            }
        }
    }

    /// Whether it matters which infinite runs count: it accepts some that it does not accept after finitely many positions.
    pub fn is_about_liveness(&self) -> bool {
        match self {
            Watcher::Formula(automaton) => !automaton.is_safety(),
            Watcher::Forever(_)
            | Watcher::Missed(..)
            | Watcher::Never(..)
            | Watcher::Whenever(_, AssertGoal::Violation) => true,
            Watcher::Whenever(_, AssertGoal::Trigger) => false,
            Watcher::Anything | Watcher::Negative(_) | Watcher::Assertion(_) | Watcher::Found(_) => false,
        }
    }

    /// Whether the diagram behind it has more traces than it reads, as far as it was read: a loop had no room for more
    /// iterations.
    pub fn is_truncated(&self) -> bool {
        match self {
            Watcher::Anything | Watcher::Formula(_) => false,
            Watcher::Negative(negative) => negative.is_strained(),
            Watcher::Assertion(assertion) => assertion.is_strained(),
            Watcher::Found(scenario)
            | Watcher::Forever(scenario)
            | Watcher::Missed(scenario, _)
            | Watcher::Never(scenario, _)
            | Watcher::Whenever(scenario, _) => scenario.is_strained(),
        }
    }
}

impl Case {
    /// A question about runs of any length.
    pub fn new(system: &Rc<System>, goal: Goal) -> Self {
        Case {
            system: Rc::clone(system),
            goal,
            pace: Pace::Single,
            begins: None,
            within: None,
            names: Rc::default(),
            part: String::new(),
        }
    }

    /// The same for another goal.
    pub fn instead(&self, goal: Goal) -> Self {
        Case { goal, ..self.clone() }
    }

    /// What the goal depends on in the System; `None` where it may depend on more than its predicates and the events.
    pub fn sight(&self) -> Option<Sight> {
        let letters = |letter: &dyn Fn(EventId) -> usize| self.system.events.ids().map(letter).collect();
        match &self.goal {
            Goal::Stuck | Goal::Accepted(Watcher::Anything) => {
                Some(Sight { predicates: Vec::new(), letters: letters(&|_| 0) })
            }
            Goal::State(goal) => Some(Sight { predicates: vec![*goal], letters: letters(&|_| 0) }),
            Goal::Accepted(Watcher::Formula(automaton)) => Some(Sight {
                predicates: automaton.watched().to_vec(),
                letters: letters(&|event| automaton.letter(event)),
            }),
            Goal::Accepted(
                Watcher::Found(scenario)
                | Watcher::Forever(scenario)
                | Watcher::Missed(scenario, _)
                | Watcher::Never(scenario, _)
                | Watcher::Whenever(scenario, _),
            ) => Some(Sight { predicates: scenario.conditions().to_vec(), letters: scenario.numbers() }),
            Goal::Accepted(Watcher::Negative(_) | Watcher::Assertion(_)) => None,
        }
    }

    /// Whether the diagram behind the observer has more traces than are looked for, as far as is known.
    pub fn is_truncated(&self) -> bool {
        match &self.goal {
            Goal::Stuck | Goal::State(_) => false,
            Goal::Accepted(watcher) => watcher.is_truncated(),
        }
    }
}

/// The names of the variables and rules of a System, for reports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    /// Names for values of variables.
    pub values: BTreeMap<VariableId, BTreeMap<i32, String>>,
    /// Variables that stand for something drawn.
    pub drawn: BTreeSet<VariableId>,
    /// The places of transitions.
    pub places: BTreeSet<Span>,
    /// Objects with machines: each takes part in a transaction once.
    pub machines: BTreeSet<ComponentId>,
}

impl Names {
    /// What a value of a variable is called.
    pub fn value(&self, variable: VariableId, value: i32) -> Option<String> {
        self.values.get(&variable)?.get(&value).cloned()
    }

    /// Whether a condition of a rule that comes from a place, about a variable, is drawn in a diagram.
    pub fn is_drawn(&self, place: Place, variable: Option<VariableId>) -> bool {
        self.places.contains(&place.0) && variable.is_none_or(|variable| self.drawn.contains(&variable))
    }
}
