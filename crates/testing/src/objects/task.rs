//! Tasks: what an object has to do in one step, as a tree of things in sequence and in parallel.

use std::collections::BTreeMap;

use sequent_kernel::model::{Effect, Machine, RegionId, TransitionId, VertexId};

use super::shape::body;
use super::value::{Bindings, Message, Target};

/// Something to be done.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Task {
    /// Nothing.
    #[default]
    Nothing,
    /// One after the other.
    Seq(Vec<Task>),
    /// In any order.
    Par(Vec<Task>),
    /// To leave a state and all inside.
    Exit(VertexId),
    /// A state is left.
    Gone(VertexId),
    /// The effects of a behaviour, from this one on; under rendezvous with what it wants to send in one step.
    Behave(Behaviour, usize, Bindings, Held),
    /// To go along a transition.
    Segment(TransitionId, Way),
    /// To come from a region to a vertex in it at any depth.
    Arrive(RegionId, VertexId, Way),
    /// A state is active from now on.
    Begin(VertexId),
    /// The entry of a state is over.
    Begun(VertexId),
    /// A vertex is reached.
    At(VertexId, Way),
    /// To begin a region.
    Default(RegionId, Way),
    /// To enter a state as it was left.
    Restore(VertexId),
    /// A region waits at a join.
    Wait(RegionId, VertexId),
    /// No region waits at the join any more.
    Joined(VertexId),
}

/// How a transition goes on behind its first segment: which way at each junction, and what names mean.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Way {
    /// The segment taken at each junction.
    pub plan: BTreeMap<VertexId, TransitionId>,
    /// Parameters.
    pub bindings: Bindings,
}

/// Messages that are sent in one step, each with its possible receivers.
pub type Held = Vec<(Vec<Target>, Message)>;

/// The behaviour whose effects are executed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Behaviour {
    /// A transition's.
    Effect(TransitionId),
    /// A state's when it is entered.
    Entry(VertexId),
    /// A state's when it is left.
    Exit(VertexId),
    /// A state's while it is active.
    Do(VertexId),
}

impl Behaviour {
    /// The effects.
    pub fn effects(self, machine: &Machine) -> &[Effect] {
        let body = |vertex| body(machine, vertex).expect("only states behave");
        match self {
            Behaviour::Effect(transition) => &machine.transitions[transition].effects,
            Behaviour::Entry(vertex) => &body(vertex).entry,
            Behaviour::Exit(vertex) => &body(vertex).exit,
            Behaviour::Do(vertex) => &body(vertex).activity,
        }
    }
}
/// Where a task stands in the tree.
pub type Path = Vec<usize>;

impl Task {
    /// Tasks that can be done next, with their places.
    pub fn fronts<'a>(&'a self, path: &mut Path, found: &mut Vec<(Path, &'a Task)>) {
        match self {
            Task::Nothing => {}
            Task::Seq(tasks) => {
                path.push(0);
                tasks[0].fronts(path, found);
                path.pop();
            }
            Task::Par(tasks) => {
                for (at, task) in tasks.iter().enumerate() {
                    path.push(at);
                    task.fronts(path, found);
                    path.pop();
                }
            }
            Task::Exit(_)
            | Task::Gone(_)
            | Task::Behave(..)
            | Task::Segment(..)
            | Task::Arrive(..)
            | Task::Begin(_)
            | Task::Begun(_)
            | Task::At(..)
            | Task::Default(..)
            | Task::Restore(_)
            | Task::Wait(..)
            | Task::Joined(_) => found.push((path.clone(), self)),
        }
    }

    /// The tree with another task in a place, in plain form.
    pub fn with(&self, path: &[usize], task: Task) -> Task {
        let Some((at, rest)) = path.split_first() else { return task };
        match self {
            Task::Seq(tasks) => {
                let first = tasks[*at].with(rest, task);
                seq(std::iter::once(first).chain(tasks[1..].iter().cloned()))
            }
            Task::Par(tasks) => {
                let mut tasks = tasks.clone();
                tasks[*at] = tasks[*at].with(rest, task);
                par(tasks)
            }
            other => unreachable!("{other:?} has no parts"),
        }
    }
}

/// Tasks one after the other.
pub fn seq(tasks: impl IntoIterator<Item = Task>) -> Task {
    let mut flat = Vec::new();
    for task in tasks {
        match task {
            Task::Nothing => {}
            Task::Seq(inside) => flat.extend(inside),
            other => flat.push(other),
        }
    }
    match flat.len() {
        0 => Task::Nothing,
        1 => flat.remove(0),
        _ => Task::Seq(flat),
    }
}

/// Tasks in parallel.
pub fn par(tasks: impl IntoIterator<Item = Task>) -> Task {
    let mut flat = Vec::new();
    for task in tasks {
        match task {
            Task::Nothing => {}
            Task::Par(inside) => flat.extend(inside),
            other => flat.push(other),
        }
    }
    flat.sort();
    match flat.len() {
        0 => Task::Nothing,
        1 => flat.remove(0),
        _ => Task::Par(flat),
    }
}
