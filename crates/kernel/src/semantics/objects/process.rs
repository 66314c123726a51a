//! Processes: what an object still has to do in its present step.
//!
//! A process is a term of deeds in sequence and in parallel; equal processes have equal ids, so the rest of a process is a place in
//! the object's code, and a variable that holds the id is all that must be remembered between two steps. Parts are written
//! out only when they are reached.

use std::collections::HashMap;

use super::data::ValueType;
use super::structure::InstanceId;
use crate::id;
use crate::id::IdVec;
use crate::model::{RegionId, TransitionId, VertexId};
use crate::system::VariableId;

id! {
    /// A process of an object.
    ProcessId
}
id! {
    /// What the names of a message's parameters stand for.
    BindingId
}

/// Something that is done, or is written out as a process when it is reached.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum ProcessStep {
    /// One effect of a behaviour.
    Effect(EffectSite, usize, BindingId),
    /// Under rendezvous: the effects of a behaviour from the first to before the last, whose sends happen together.
    Group(EffectSite, usize, usize, BindingId),
    /// Under rendezvous: the same where some of the sends go to the object that an attribute refers to. Those
    /// numbered have left the system already.
    Address(EffectSite, usize, Vec<usize>, BindingId),
    /// A variable gets a value.
    Set(VariableId, i32),
    /// A region's active state is remembered.
    Save(RegionId),
    /// A completion event of a state is forgotten.
    Forget(VertexId),
    /// A state is left.
    Leave(VertexId),
    /// Whatever is active in a region is left.
    LeaveRegion(RegionId),
    /// A state is entered, perhaps on the way to something inside of it.
    Enter(VertexId, Vec<TransitionAim>),
    /// A region is entered by its initial vertex.
    EnterRegion(RegionId),
    /// A region is entered as it was left.
    Restore(RegionId, bool),
    /// A vertex is reached, inside of an active state.
    Arrive(TransitionAim),
    /// A segment: states are left, the effect happens, the target is reached.
    Segment(TransitionId, Vec<TransitionId>, BindingId),
    /// A choice is made among the transitions of a vertex.
    Decide(VertexId, BindingId),
    /// The ways out of a fork are taken.
    Fork(VertexId, BindingId),
    /// If all regions wait at a join, its transition is taken.
    Gather(VertexId, BindingId),
    /// The reply of an object to a call is awaited; its value is kept in an attribute.
    Await(InstanceId, String, Option<String>),
    /// An object that called an operation gets its reply.
    Reply(InstanceId, String),
    /// A condition of the machine must hold.
    Check(usize, BindingId),
    /// The guard of a transition must have a value.
    Sound(TransitionId, BindingId),
    /// If a state has completed, its completion event is queued.
    Complete(VertexId),
    /// If all outermost regions have reached their final states, the object ends.
    Finish,
    /// The object ends.
    Terminate,
}

/// Where a transition leads: what happens on the last part of the way, and what is reached.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct TransitionAim {
    /// A transition whose effect happens once the state around the target is entered (after a fork, or an entry point).
    pub effect: Option<TransitionId>,
    /// What is reached.
    pub target: VertexId,
    /// The transitions to go on with behind junctions, if that is decided.
    pub via: Vec<TransitionId>,
    /// What parameters stand for.
    pub binding: BindingId,
    /// The region in which it lies, of the state that is being entered.
    pub scope: Option<RegionId>,
}

/// Where effects stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum EffectSite {
    /// The entry behaviour of a state.
    Entry(VertexId),
    /// Its exit behaviour.
    Exit(VertexId),
    /// Its `do` behaviour.
    Activity(VertexId),
    /// A transition.
    Transition(TransitionId),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Process {
    Done,
    Deed(ProcessStep),
    /// The first, then the second.
    Then(ProcessId, ProcessId),
    /// All of them, in any interleaving.
    Both(Vec<ProcessId>),
}

/// The processes of an object.
#[derive(Debug)]
pub(super) struct Processes {
    all: IdVec<ProcessId, Process>,
    ids: HashMap<Process, ProcessId>,
}

impl Processes {
    pub(crate) fn new() -> Self {
        let mut processes = Processes { all: IdVec::new(), ids: HashMap::new() };
        processes.add(Process::Done);
        processes
    }

    fn add(&mut self, process: Process) -> ProcessId {
        if let Some(known) = self.ids.get(&process) {
            return *known;
        }
        let id = self.all.push(process.clone());
        self.ids.insert(process, id);
        id
    }

    /// Nothing is left to do.
    pub(crate) fn done(&mut self) -> ProcessId {
        self.add(Process::Done)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn is_done(&self, id: ProcessId) -> bool {
        self.all[id] == Process::Done
    }

    pub(crate) fn deed(&mut self, deed: ProcessStep) -> ProcessId {
        self.add(Process::Deed(deed))
    }

    /// One after the other.
    pub(crate) fn sequence(
        &mut self,
        parts: impl IntoIterator<Item = ProcessId, IntoIter: DoubleEndedIterator>,
    ) -> ProcessId {
        let done = self.done();
        parts.into_iter().rev().fold(done, |rest, part| self.then(part, rest))
    }

    /// One after the other; kept with the first part as small as possible, so that equal rests are one.
    pub(crate) fn then(&mut self, first: ProcessId, rest: ProcessId) -> ProcessId {
        match &self.all[first] {
            Process::Done => rest,
            Process::Then(one, other) => {
                let (one, other) = (*one, *other);
                let rest = self.then(other, rest);
                self.add(Process::Then(one, rest))
            }
            Process::Deed(_) | Process::Both(_) if self.is_done(rest) => first,
            Process::Deed(_) | Process::Both(_) => self.add(Process::Then(first, rest)),
        }
    }

    /// All in parallel.
    pub(crate) fn parallel(&mut self, parts: impl IntoIterator<Item = ProcessId>) -> ProcessId {
        let mut all: Vec<ProcessId> = Vec::new();
        for part in parts {
            match &self.all[part] {
                Process::Done => {}
                Process::Both(inner) => all.extend(inner),
                Process::Deed(_) | Process::Then(..) => all.push(part),
            }
        }
        all.sort_unstable();
        match all.as_slice() {
            [] => self.done(),
            [only] => *only,
            _ => self.add(Process::Both(all)),
        }
    }

    /// What may come next, each with what is left then.
    pub(crate) fn fronts(&mut self, id: ProcessId) -> Vec<(ProcessStep, ProcessId)> {
        match self.all[id].clone() {
            Process::Done => Vec::new(),
            Process::Deed(deed) => vec![(deed, self.done())],
            Process::Then(first, rest) => {
                let fronts = self.fronts(first);
                fronts.into_iter().map(|(deed, left)| (deed, self.then(left, rest))).collect()
            }
            Process::Both(parts) => {
                let mut all = Vec::new();
                for (at, part) in parts.iter().enumerate() {
                    for (deed, left) in self.fronts(*part) {
                        let others =
                            parts.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, part)| *part);
                        let whole = self.parallel(others.chain([left]).collect::<Vec<_>>());
                        all.push((deed, whole));
                    }
                }
                all
            }
        }
    }

    /// What comes next replaced by a process.
    pub(crate) fn replaced(&mut self, expansion: ProcessId, deed: &ProcessStep, id: ProcessId) -> ProcessId {
        match self.all[id].clone() {
            Process::Done => id,
            Process::Deed(known) => {
                if known == *deed {
                    expansion
                } else {
                    id
                }
            }
            Process::Then(first, rest) => {
                let first = self.replaced(expansion, deed, first);
                self.then(first, rest)
            }
            Process::Both(mut parts) => {
                for part in &mut parts {
                    let new = self.replaced(expansion, deed, *part);
                    if new != *part {
                        *part = new;
                        break;
                    }
                }
                self.parallel(parts)
            }
        }
    }
}

/// The values of a message's parameters, and its sender.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct Binding {
    pub parameters: Vec<(String, i32, ValueType)>,
    pub sender: Option<InstanceId>,
    /// The operation that is being carried out for a waiting caller.
    pub call: Option<String>,
}
