//! A global state, written out: what each object has and still has to do.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use sequent_kernel::model::{RegionId, VertexId};
use sequent_kernel::semantics::objects::InstanceId;
use sequent_kernel::system::EventKind;

use super::task::NaiveTask;
use super::value::{NaiveMessage, NaiveValue};

/// Why a run ends where it must not.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NaiveFault(pub String);

/// All objects at one time.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NaiveState {
    /// In the order of the structure; an object of the environment has nothing.
    pub objects: Vec<Shared>,
    /// The run has ended by this.
    pub fault: Option<NaiveFault>,
}

/// An object that states share as long as it does not change.
#[derive(Clone, Debug)]
pub struct Shared(Rc<NaiveObject>);

impl From<NaiveObject> for Shared {
    fn from(object: NaiveObject) -> Self {
        Shared(Rc::new(object))
    }
}

impl Deref for Shared {
    type Target = NaiveObject;

    fn deref(&self) -> &NaiveObject {
        &self.0
    }
}

impl DerefMut for Shared {
    fn deref_mut(&mut self) -> &mut NaiveObject {
        Rc::make_mut(&mut self.0)
    }
}

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Shared {}

impl PartialOrd for Shared {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Shared {
    fn cmp(&self, other: &Self) -> Ordering {
        match Rc::ptr_eq(&self.0, &other.0) {
            true => Ordering::Equal,
            false => self.0.cmp(&other.0),
        }
    }
}

/// One object at one time.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct NaiveObject {
    /// The active state of each region.
    pub active: Vec<Option<VertexId>>,
    /// The state each region was left in the last time.
    pub history: Vec<Option<VertexId>>,
    /// Active states whose entry is over.
    pub entered: BTreeSet<VertexId>,
    /// Active states that have completed.
    pub completed: BTreeSet<VertexId>,
    /// Regions that have nothing left to do.
    pub over: BTreeSet<RegionId>,
    /// Regions that wait at a join.
    pub waiting: BTreeMap<RegionId, VertexId>,
    /// Do behaviours under way, each with its next action.
    pub doing: BTreeMap<VertexId, usize>,
    /// A `do` has begun among what is being done.
    pub(crate) has_begun_to_do: bool,
    /// Values of the attributes.
    pub attributes: BTreeMap<String, NaiveValue>,
    /// Completion events that wait, the oldest first.
    pub completions: Vec<VertexId>,
    /// What is to be done in the present step; nothing at rest.
    pub work: NaiveTask,
    /// It has not begun.
    pub(crate) is_unborn: bool,
    /// Under rendezvous: a trigger was taken, and nothing of what it asks for was done yet.
    pub pending: bool,
    /// The sender of the message that is being handled; `Some(None)` for a message from outside of the
    /// system.
    pub sender: Option<Option<InstanceId>>,
    /// Messages that wait, the oldest first; sorted in a bag.
    pub messages: Vec<NaiveMessage>,
    /// It has ended.
    pub terminated: bool,
}

impl NaiveObject {
    /// Whether it has nothing to do in the present step.
    pub fn is_at_rest(&self) -> bool {
        self.work == NaiveTask::Nothing
    }

    /// Whether a state is active.
    pub fn is_active(&self, vertex: VertexId) -> bool {
        self.active.contains(&Some(vertex))
    }
}

/// What is seen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NaiveEvent {
    /// What happens.
    pub kind: EventKind,
    /// The sender, or the object that ends.
    pub from: Option<String>,
    /// The receiver.
    pub to: Option<String>,
    /// The signal or operation.
    pub name: String,
    /// What it carries, as text.
    pub arguments: Vec<String>,
}

impl fmt::Display for NaiveEvent {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let from = self.from.as_deref().unwrap_or_default();
        let to = self.to.as_deref().unwrap_or_default();
        match self.kind {
            EventKind::Termination => return write!(formatter, "x:{from}"),
            EventKind::Send => write!(formatter, "!")?,
            EventKind::Receive => write!(formatter, "?")?,
            EventKind::Rendezvous => {}
        }
        write!(formatter, "{from}->{to}:{}", self.name)?;
        match self.arguments.as_slice() {
            [] => Ok(()),
            arguments => write!(formatter, "({})", arguments.join(",")),
        }
    }
}
