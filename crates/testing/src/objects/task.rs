//! Tasks: what an object has to do in one step, as a tree of things in sequence and in parallel.

use std::collections::BTreeMap;

use sequent_kernel::model::{Effect, Machine, RegionId, TransitionId, VertexId};

use super::shape::body;
use super::value::{Bindings, NaiveMessage, NaiveReceiver};

/// Something to be done.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum NaiveTask {
    /// Nothing.
    #[default]
    Nothing,
    /// One after the other.
    Seq(Vec<NaiveTask>),
    /// In any order.
    Par(Vec<NaiveTask>),
    /// To leave a state and all inside.
    Exit(VertexId),
    /// A state is left.
    Gone(VertexId),
    /// The effects of a behaviour, from this one on; under rendezvous with what it wants to send in one step.
    Behave(NaiveBehaviour, usize, Bindings, Held),
    /// To go along a transition.
    Segment(TransitionId, SegmentChoice),
    /// To come from a region to a vertex in it at any depth.
    Arrive(RegionId, VertexId, SegmentChoice),
    /// A state is active from now on.
    Begin(VertexId),
    /// The entry of a state is over.
    Begun(VertexId),
    /// A vertex is reached.
    At(VertexId, SegmentChoice),
    /// To begin a region.
    Default(RegionId, SegmentChoice),
    /// To enter a state as it was left.
    Restore(VertexId),
    /// A region waits at a join.
    Wait(RegionId, VertexId),
    /// No region waits at the join any more.
    Joined(VertexId),
}

/// How a transition goes on behind its first segment: which way at each junction, and what names mean.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct SegmentChoice {
    /// The segment taken at each junction.
    pub plan: BTreeMap<VertexId, TransitionId>,
    /// Parameters.
    pub bindings: Bindings,
}

/// Messages that are sent in one step, each with its possible receivers.
pub(crate) type Held = Vec<(Vec<NaiveReceiver>, NaiveMessage)>;

/// The behaviour whose effects are executed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NaiveBehaviour {
    /// A transition's.
    Effect(TransitionId),
    /// A state's when it is entered.
    Entry(VertexId),
    /// A state's when it is left.
    Exit(VertexId),
    /// A state's while it is active.
    Do(VertexId),
}

impl NaiveBehaviour {
    /// The effects.
    pub fn effects(self, machine: &Machine) -> &[Effect] {
        let body = |vertex| body(machine, vertex).expect("only states behave");
        match self {
            NaiveBehaviour::Effect(transition) => &machine.transitions[transition].effects,
            NaiveBehaviour::Entry(vertex) => &body(vertex).entry,
            NaiveBehaviour::Exit(vertex) => &body(vertex).exit,
            NaiveBehaviour::Do(vertex) => &body(vertex).activity,
        }
    }
}
/// Where a task stands in the tree.
pub(crate) type TaskPath = Vec<usize>;

impl NaiveTask {
    /// Tasks that can be done next, with their places.
    pub fn fronts<'a>(&'a self, path: &mut TaskPath, found: &mut Vec<(TaskPath, &'a NaiveTask)>) {
        match self {
            NaiveTask::Nothing => {}
            NaiveTask::Seq(tasks) => {
                path.push(0);
                tasks[0].fronts(path, found);
                path.pop();
            }
            NaiveTask::Par(tasks) => {
                for (at, task) in tasks.iter().enumerate() {
                    path.push(at);
                    task.fronts(path, found);
                    path.pop();
                }
            }
            NaiveTask::Exit(_)
            | NaiveTask::Gone(_)
            | NaiveTask::Behave(..)
            | NaiveTask::Segment(..)
            | NaiveTask::Arrive(..)
            | NaiveTask::Begin(_)
            | NaiveTask::Begun(_)
            | NaiveTask::At(..)
            | NaiveTask::Default(..)
            | NaiveTask::Restore(_)
            | NaiveTask::Wait(..)
            | NaiveTask::Joined(_) => found.push((path.clone(), self)),
        }
    }

    /// The tree with another task in a place, in plain form.
    pub fn with(&self, path: &[usize], task: NaiveTask) -> NaiveTask {
        let Some((at, rest)) = path.split_first() else { return task };
        match self {
            NaiveTask::Seq(tasks) => {
                let first = tasks[*at].with(rest, task);
                seq(std::iter::once(first).chain(tasks[1..].iter().cloned()))
            }
            NaiveTask::Par(tasks) => {
                let mut tasks = tasks.clone();
                tasks[*at] = tasks[*at].with(rest, task);
                par(tasks)
            }
            other => unreachable!("{other:?} has no parts"),
        }
    }
}

/// Tasks one after the other.
pub fn seq(tasks: impl IntoIterator<Item = NaiveTask>) -> NaiveTask {
    let mut flat = Vec::new();
    for task in tasks {
        match task {
            NaiveTask::Nothing => {}
            NaiveTask::Seq(inside) => flat.extend(inside),
            other => flat.push(other),
        }
    }
    match flat.len() {
        0 => NaiveTask::Nothing,
        1 => flat.remove(0),
        _ => NaiveTask::Seq(flat),
    }
}

/// Tasks in parallel.
pub fn par(tasks: impl IntoIterator<Item = NaiveTask>) -> NaiveTask {
    let mut flat = Vec::new();
    for task in tasks {
        match task {
            NaiveTask::Nothing => {}
            NaiveTask::Par(inside) => flat.extend(inside),
            other => flat.push(other),
        }
    }
    flat.sort();
    match flat.len() {
        0 => NaiveTask::Nothing,
        1 => flat.remove(0),
        _ => NaiveTask::Par(flat),
    }
}
