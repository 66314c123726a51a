//! System: the narrow waist between diagrams and engines.
//!
//! A [`System`] is a set of variables with finite domains, and rules. A rule belongs to a component, has a guard, an event
//! or none, and simultaneous updates. Everything that can be asked about a diagram is asked about a System: interactions,
//! state machines, observers and property automata are all lowered to one, and engines know nothing else.
//!
//! Guards and updates are terms of one shared graph ([`Terms`]): equal terms have equal ids, so a System stays linear in
//! the size of the diagram however often a condition is used, for an interpreter, a search and a SAT encoding alike.
//! Rules of different components join by labels ([`Join`]); the product of the components is never written out.

mod cursor;
mod distinguish;
mod event;
mod queue;
mod settle;
mod step;
mod term;
mod variable;

pub use cursor::ConfigurationCursor;
pub use distinguish::distinguish;
pub use event::{Event, EventKind, message_text};
pub use queue::{Queue, QueueId, QueueOrder};
pub use settle::{Hidden, Settled};
pub use step::{Config, Step};
pub use term::{ArithmeticOperation, TermId, TermNode, Terms};
pub use variable::{Row, Variable, VariableRole};

use std::collections::{BTreeMap, BTreeSet};

use crate::id;
use crate::id::IdVec;
use crate::source::Place;

id! {
    /// A variable of a system.
    VariableId
}
id! {
    /// A component: a lifeline, an object, an observer.
    ComponentId
}
id! {
    /// An event, identified by its text, and by whether its step [goes on](Event::goes_on).
    EventId
}
id! {
    /// What joins the rules of different components.
    LabelId
}
id! {
    /// A rule.
    RuleId
}

/// Variables, rules, and what their runs are worth.
#[derive(Clone, Debug)]
pub struct System {
    /// Variables; a configuration gives each a value.
    pub variables: IdVec<VariableId, Variable>,
    /// Owners of rules.
    pub components: IdVec<ComponentId, String>,
    /// Where messages wait for components, in the order of these.
    pub queues: IdVec<QueueId, Queue>,
    /// Events, each text once; twice where one step goes on after it and another does not.
    pub events: IdVec<EventId, Event>,
    /// Names of labels.
    pub labels: IdVec<LabelId, String>,
    /// Rules in order of the diagram.
    pub rules: IdVec<RuleId, Rule>,
    /// The event of a rendezvous: by label, offering component, taking component.
    pub meetings: BTreeMap<(LabelId, ComponentId, ComponentId), EventId>,
    /// Guards, updates and predicates.
    pub terms: Terms,
    /// Holds in configurations that are proper ends: a run that stops elsewhere is stuck.
    pub complete: TermId,
    /// Holds once the choices of a run contradict each other: such a run does not count, and never becomes complete.
    pub void: TermId,
    /// Holds once a run is invalid, whatever follows (rule I12).
    pub invalid: TermId,
    /// Holds once a run is no longer valid, but not invalid.
    pub inconclusive: TermId,
    /// Each of them holds infinitely often in an infinite run that counts; none if no infinite run does.
    pub recurrent: Vec<TermId>,
    /// Which infinite runs count; `None` if none does.
    pub endless: Option<Endless>,
    /// Holds where something waits only because a loop keeps no more iterations apart: from here on the system has fewer
    /// runs than the diagram.
    pub strained: TermId,
    /// What must go on once it has begun.
    pub mandatory: Vec<Mandatory>,
    /// Why rules wait: conjuncts of guards that are more than the drawn order.
    pub reasons: Vec<WaitReason>,
}

impl System {
    /// A system without variables and rules over these terms: it is complete at once.
    pub fn bare(mut terms: Terms) -> System {
        let (yes, no) = (terms.truth(true), terms.truth(false));
        System {
            variables: IdVec::new(),
            components: IdVec::new(),
            queues: IdVec::new(),
            events: IdVec::new(),
            labels: IdVec::new(),
            rules: IdVec::new(),
            meetings: BTreeMap::new(),
            terms,
            complete: yes,
            void: no,
            invalid: no,
            inconclusive: no,
            recurrent: Vec::new(),
            endless: None,
            strained: no,
            mandatory: Vec::new(),
            reasons: Vec::new(),
        }
    }
}

/// Something a component may do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The component of the rule.
    pub component: ComponentId,
    /// When it may fire.
    pub guard: TermId,
    /// What is seen when it fires; `None` for an invisible step.
    pub event: Option<EventId>,
    /// New values, all computed before the step.
    pub updates: Vec<(VariableId, TermId)>,
    /// How the rule synchronises with others.
    pub join: Join,
    /// An invisible step that commutes with everything else: once it may be taken, nothing is lost by taking it (or one
    /// of its rivals, the enabled urgent rules of the same component) before anything else. Engines do so: other rules may
    /// rely on a choice being made as soon as it is due.
    pub urgent: bool,
    /// Where it comes from.
    pub place: Place,
}

/// How a rule fires together with rules of other components.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Join {
    /// By itself.
    Alone,
    /// Only together with one taking rule for each of these labels, all of different other components.
    Offer(Vec<LabelId>),
    /// Only when its label is offered.
    Take(LabelId),
    /// Along with any step that shows this event. It blocks nothing: where no listening rule of a component
    /// is enabled, the step happens without it.
    Listen(EventId),
}

/// What an infinite run must be like to count. A loop without bound may go round forever (rule I4), and what comes after it
/// then never happens; but nothing that could happen again and again is left out. Objects are scheduled fairly (rule M6).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Endless {
    /// What is not put off forever.
    pub owed: Vec<Fairness>,
    /// Each of them holds again and again.
    pub rests: Vec<TermId>,
    /// Whether something is seen again and again; else a run counts that goes on forever unseen.
    pub is_seen: bool,
}

/// A fairness constraint: where a rule of the first set may fire all along (or again and again), a rule of the second set
/// fires again and again. The second set contains the first, so every beginning of a run goes on to one that is fair.
///
/// An occurrence of an interaction is paid by its own rule; by another that does the same; or by that with which an iteration
/// retires, as the occurrence then has moved on to another rule. An object is paid by all that it does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fairness {
    /// The rules that are not put off.
    pub when: BTreeSet<RuleId>,
    /// The rules of which one fires.
    pub payers: BTreeSet<RuleId>,
    /// How much is demanded.
    pub strength: Strength,
}

/// The strength of a fairness constraint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Strength {
    /// What may happen all along from some time on happens (justice).
    Weak,
    /// What may happen again and again happens (compassion).
    Strong,
}

/// What a complete run, or a trace, is worth (rule I12).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TraceClass {
    /// The diagram allows it.
    Valid,
    /// The diagram forbids it.
    Invalid,
    /// The diagram says nothing about it.
    Inconclusive,
}

impl TraceClass {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            TraceClass::Valid => "valid",
            TraceClass::Invalid => "invalid",
            TraceClass::Inconclusive => "inconclusive",
        }
    }
}

impl System {
    /// Whether every beginning of a run goes on to a run that counts, and none ends before it must.
    pub fn is_free(&self) -> bool {
        let endless = |endless: &Endless| !endless.is_seen && endless.rests.is_empty();
        self.endless.as_ref().is_some_and(endless)
            && [self.void, self.invalid, self.inconclusive].into_iter().all(|term| self.is_never(term))
    }

    /// Whether a predicate is false everywhere, to be seen at once.
    pub fn is_never(&self, predicate: TermId) -> bool {
        *self.terms.node(predicate) == TermNode::Constant(0)
    }
}

/// Something that must go on once it has begun: an `assert` on one lifeline (rules I6, I12).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mandatory {
    /// The lifeline.
    pub component: ComponentId,
    /// Holds from its beginning to its end.
    pub open: TermId,
    /// What may happen on the lifeline meanwhile.
    pub events: BTreeSet<EventId>,
    /// The fragment.
    pub place: Place,
}

/// Why rules may have to wait.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaitReason {
    /// The conjunct of their guards that is false meanwhile.
    pub condition: TermId,
    /// What it is.
    pub kind: ReasonKind,
    /// Where the reason stands.
    pub place: Place,
}

impl WaitReason {
    /// The component whose rules wait, if it is a single one.
    pub fn component(&self) -> Option<ComponentId> {
        match self.kind {
            ReasonKind::Ordering => None,
            ReasonKind::Call { caller, .. } => Some(caller),
            ReasonKind::Region { lifeline, .. } => Some(lifeline),
        }
    }
}

/// The kinds of reasons for which rules wait.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ReasonKind {
    /// A general ordering puts something else first (rule I9).
    Ordering,
    /// A caller waits for its reply (rule I10).
    Call {
        /// The caller that waits.
        caller: ComponentId,
        /// What was called.
        message: String,
    },
    /// A region that keeps others off its lifeline is not over (rules I5, I6).
    Region {
        /// The lifeline.
        lifeline: ComponentId,
        /// The word for its operator.
        word: &'static str,
    },
}
