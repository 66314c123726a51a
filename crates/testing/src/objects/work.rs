//! Work: what an object has to do in one step is done (docs/objects.md, "The order of behaviours").
//!
//! Tasks unfold as they are reached: to leave a state becomes to leave what is active inside, to behave, to be gone. What is
//! not seen is done as soon as it is reached, in every order that differs; what is left are the visible actions that can
//! come next.

use std::collections::BTreeSet;

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Communication, Completion, Effect, RegionId, TransitionId, VertexId, VertexKind,
};
use sequent_kernel::semantics::objects::InstanceId;

use super::NaiveObjects;
use super::fire::FiringAttempt;
use super::oracle::{Oracle, all};
use super::route::{arrive, enter, exit, forked, one_of, segment};
use super::shape::{body, common_region, in_region, initial, outgoing, remembers};
use super::state::{NaiveFault, NaiveObject, NaiveState};
use super::task::{Held, NaiveBehaviour, NaiveTask, SegmentChoice, TaskPath, seq};
use super::value::{Bindings, NaiveReceiver};

/// What kind of action a task is that is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Nature {
    /// Its time does not matter.
    Quiet,
    /// It is invisible, but its order may matter.
    Ordered,
    /// It is seen.
    Visible,
}

impl NaiveObjects<'_> {
    /// All states in which an object has done what is not seen, until it is at rest or something visible comes next.
    pub(crate) fn run_on(&self, state: NaiveState, id: InstanceId) -> BTreeSet<NaiveState> {
        self.run_telling(state, id).into_iter().map(|(state, _)| state).collect()
    }

    /// The same, and whether a `do` began.
    pub(crate) fn run_telling(&self, state: NaiveState, id: InstanceId) -> BTreeSet<(NaiveState, bool)> {
        let after = |outcome: Result<NaiveObject, NaiveFault>| {
            let mut after = state.clone();
            let mut does = false;
            match outcome {
                Ok(mut object) => {
                    does = std::mem::take(&mut object.has_begun_to_do);
                    after.objects[id.index()] = object.into();
                }
                Err(fault) => after.fault = Some(fault),
            }
            (after, does)
        };
        let object: &NaiveObject = &state.objects[id.index()];
        self.outcomes(object.clone(), id).into_iter().map(after).collect()
    }

    fn outcomes(&self, object: NaiveObject, id: InstanceId) -> BTreeSet<Result<NaiveObject, NaiveFault>> {
        let mut open = vec![object];
        let mut seen: BTreeSet<NaiveObject> = BTreeSet::new();
        let mut done = BTreeSet::new();
        while let Some(mut object) = open.pop() {
            if object.is_at_rest() {
                object.sender = None;
                object.pending = false;
            }
            let mut fronts = Vec::new();
            object.work.fronts(&mut Vec::new(), &mut fronts);
            let now = &object;
            let of = |nature| fronts.iter().filter(move |(_, task)| self.nature(id, now, task) == nature);
            let next: Vec<&(TaskPath, &NaiveTask)> = match of(Nature::Quiet).next() {
                Some(quiet) => vec![quiet],
                None => of(Nature::Ordered).collect(),
            };
            if next.is_empty() {
                done.insert(Ok(object.clone()));
            }
            for (path, task) in next {
                for outcome in all(|oracle| {
                    let mut after = object.clone();
                    let more = self.reached(&mut after, id, task, oracle)?;
                    after.work = after.work.with(path, more);
                    Ok(after)
                }) {
                    match outcome {
                        Ok(after) if seen.insert(after.clone()) => open.push(after),
                        Ok(_) => {}
                        Err(fault) => drop(done.insert(Err(fault))),
                    }
                }
            }
        }
        done
    }

    /// The visible actions that can come next in an object's work.
    pub fn visible(&self, object: &NaiveObject) -> Vec<(TaskPath, NaiveTask)> {
        let mut fronts = Vec::new();
        object.work.fronts(&mut Vec::new(), &mut fronts);
        fronts.into_iter().map(|(path, task)| (path, task.clone())).collect()
    }

    fn nature(&self, id: InstanceId, object: &NaiveObject, task: &NaiveTask) -> Nature {
        let machine = self.machine(id);
        match task {
            NaiveTask::Behave(behaviour, from, ..) => {
                let effects = &behaviour.effects(machine)[*from..];
                match effects.first() {
                    None | Some(Effect::Opaque { .. }) => Nature::Quiet,
                    Some(Effect::Assign(_)) => Nature::Ordered,
                    Some(Effect::Send(_)) if self.medium != Communication::Rendezvous => Nature::Visible,
                    Some(Effect::Send(send)) => match self.targets(id, object, send) {
                        Err(_) => Nature::Visible,
                        Ok(_) if self.is_last_to_machine(id, object, effects) => Nature::Visible,
                        Ok(targets) if targets.iter().all(|target| self.is_machine(*target)) => {
                            Nature::Ordered
                        }
                        Ok(_) => Nature::Visible,
                    },
                }
            }
            NaiveTask::Begun(_) => Nature::Ordered,
            NaiveTask::At(vertex, way) => match machine.vertices[*vertex].kind {
                VertexKind::Terminate => Nature::Visible,
                VertexKind::Final | VertexKind::Choice => Nature::Ordered,
                VertexKind::Junction if !way.plan.contains_key(vertex) => Nature::Ordered,
                VertexKind::State(_)
                | VertexKind::Initial
                | VertexKind::Junction
                | VertexKind::Fork
                | VertexKind::Join
                | VertexKind::ShallowHistory
                | VertexKind::DeepHistory
                | VertexKind::Entry
                | VertexKind::Exit => Nature::Quiet,
            },
            NaiveTask::Nothing
            | NaiveTask::Seq(_)
            | NaiveTask::Par(_)
            | NaiveTask::Exit(_)
            | NaiveTask::Gone(_)
            | NaiveTask::Segment(..)
            | NaiveTask::Arrive(..)
            | NaiveTask::Begin(_)
            | NaiveTask::Restore(_)
            | NaiveTask::Wait(..)
            | NaiveTask::Joined(_) => Nature::Quiet,
            NaiveTask::Default(region, _) => match initial(machine, *region) {
                Some(_) => Nature::Quiet,
                None => Nature::Ordered,
            },
        }
    }

    /// Whether the first effect is a send, and no later one of them goes to a machine.
    fn is_last_to_machine(&self, id: InstanceId, object: &NaiveObject, effects: &[Effect]) -> bool {
        let goes_to_machine = |effect: &Effect| match effect {
            Effect::Send(send) => match self.targets(id, object, send) {
                // A send without taker waits, as one to a machine does.
                Ok(targets) => targets.is_empty() || targets.iter().any(|target| self.is_machine(*target)),
                Err(_) => true,
            },
            Effect::Assign(_) | Effect::Opaque { .. } => false,
        };
        !effects[1..].iter().any(goes_to_machine)
    }

    /// Whether a target has a machine.
    pub fn is_machine(&self, target: NaiveReceiver) -> bool {
        match target {
            NaiveReceiver::Object(id) => !self.is_environment(id),
            NaiveReceiver::Outside => false,
        }
    }

    /// Does what a task says; the result is what it leads to.
    fn reached(
        &self,
        object: &mut NaiveObject,
        id: InstanceId,
        task: &NaiveTask,
        oracle: &mut Oracle,
    ) -> Result<NaiveTask, NaiveFault> {
        let machine = self.machine(id);
        Ok(match task {
            NaiveTask::Nothing | NaiveTask::Seq(_) | NaiveTask::Par(_) => {
                unreachable!("it is no single task")
            }
            NaiveTask::Exit(vertex) => exit(machine, object, *vertex),
            NaiveTask::Gone(vertex) => {
                let region = machine.vertices[*vertex].region;
                object.active[region.index()] = None;
                object.history[region.index()] = remembers(machine, region).then_some(*vertex);
                object.entered.remove(vertex);
                object.completed.remove(vertex);
                object.completions.retain(|event| event != vertex);
                NaiveTask::Nothing
            }
            NaiveTask::Behave(behaviour, from, bindings, held) => {
                return self.behave(object, id, *behaviour, *from, bindings, held);
            }
            NaiveTask::Segment(transition, way) => segment(machine, object, *transition, way),
            NaiveTask::Arrive(region, target, way) => arrive(machine, *region, *target, way),
            NaiveTask::Begin(vertex) => {
                object.active[machine.vertices[*vertex].region.index()] = Some(*vertex);
                NaiveTask::Nothing
            }
            NaiveTask::Begun(vertex) => {
                object.entered.insert(*vertex);
                if !NaiveBehaviour::Do(*vertex).effects(machine).is_empty() {
                    object.doing.insert(*vertex, 0);
                    object.has_begun_to_do = true;
                }
                self.complete(id, object, *vertex);
                NaiveTask::Nothing
            }
            NaiveTask::At(vertex, way) => return self.at(object, id, *vertex, way, oracle),
            NaiveTask::Default(region, way) => match initial(machine, *region) {
                None => {
                    self.is_over(id, object, *region);
                    NaiveTask::Nothing
                }
                Some(vertex) => one_of(&outgoing(machine, vertex), way, oracle),
            },
            NaiveTask::Wait(region, join) => {
                object.waiting.insert(*region, *join);
                NaiveTask::Nothing
            }
            NaiveTask::Joined(join) => {
                object.waiting.retain(|_, other| other != join);
                NaiveTask::Nothing
            }
            NaiveTask::Restore(vertex) => {
                let regions = &body(machine, *vertex).expect("only states are left").regions;
                let inside = regions.iter().map(|region| match object.history[region.index()] {
                    Some(last) => NaiveTask::Restore(last),
                    None => NaiveTask::Default(*region, SegmentChoice::default()),
                });
                enter(*vertex, inside)
            }
        })
    }

    /// Does what one behaviour does next without being seen.
    fn behave(
        &self,
        object: &mut NaiveObject,
        id: InstanceId,
        behaviour: NaiveBehaviour,
        from: usize,
        bindings: &Bindings,
        held: &Held,
    ) -> Result<NaiveTask, NaiveFault> {
        let mut held = held.clone();
        match behaviour.effects(self.machine(id)).get(from) {
            None => return Ok(NaiveTask::Nothing),
            Some(Effect::Opaque { .. }) => {}
            Some(Effect::Assign(assign)) => self.assign(object, id, assign, bindings)?,
            Some(Effect::Send(send)) => held.push(self.prepared(id, object, bindings, send)?),
        }
        Ok(NaiveTask::Behave(behaviour, from + 1, bindings.clone(), held))
    }

    /// A state completes if it has done all it had to do.
    pub fn complete(&self, id: InstanceId, object: &mut NaiveObject, vertex: VertexId) {
        let machine = self.machine(id);
        let regions = &body(machine, vertex).expect("only states complete").regions;
        let is_over = object.entered.contains(&vertex)
            && !object.doing.contains_key(&vertex)
            && regions.iter().all(|region| object.over.contains(region));
        if !is_over || !object.completed.insert(vertex) {
            return;
        }
        let goes_on = outgoing(machine, vertex)
            .into_iter()
            .any(|transition| machine.transitions[transition].triggers.is_empty());
        if goes_on && self.medium != Communication::Rendezvous && self.completion == Completion::Queued {
            object.completions.push(vertex);
        }
    }

    /// A region has nothing left to do.
    fn is_over(&self, id: InstanceId, object: &mut NaiveObject, region: RegionId) {
        object.over.insert(region);
        if let Some(owner) = self.machine(id).regions[region].owner {
            self.complete(id, object, owner);
        }
    }

    /// What happens when a vertex is reached.
    fn at(
        &self,
        object: &mut NaiveObject,
        id: InstanceId,
        vertex: VertexId,
        way: &SegmentChoice,
        oracle: &mut Oracle,
    ) -> Result<NaiveTask, NaiveFault> {
        let machine = self.machine(id);
        let region = machine.vertices[vertex].region;
        let segments = outgoing(machine, vertex);
        let last = object.history[region.index()];
        Ok(match &machine.vertices[vertex].kind {
            VertexKind::State(body) => {
                enter(vertex, body.regions.iter().map(|region| NaiveTask::Default(*region, way.clone())))
            }
            VertexKind::Initial => NaiveTask::Default(region, way.clone()),
            VertexKind::Final => {
                object.active[region.index()] = Some(vertex);
                self.is_over(id, object, region);
                NaiveTask::Nothing
            }
            VertexKind::Choice | VertexKind::Junction | VertexKind::Exit | VertexKind::Join => {
                match way.plan.get(&vertex) {
                    Some(planned) => NaiveTask::Segment(*planned, way.clone()),
                    None => return self.decide(id, object, &segments, way, oracle),
                }
            }
            VertexKind::Fork => {
                let target = |segment: &TransitionId| machine.transitions[*segment].target;
                let targets: Vec<VertexId> = segments.iter().map(target).collect();
                let around = common_region(machine, &[&[vertex], targets.as_slice()].concat());
                let top = in_region(machine, around, vertex).filter(|top| body(machine, *top).is_some());
                let first = oracle.choose((1 << segments.len()) - 1) + 1;
                seq([
                    top.map_or(NaiveTask::Nothing, NaiveTask::Exit),
                    forked(machine, around, &segments, first, way),
                ])
            }
            VertexKind::Entry => unreachable!("it is reached with the state around it"),
            VertexKind::ShallowHistory | VertexKind::DeepHistory if last.is_none() => {
                match segments.is_empty() {
                    true => NaiveTask::Default(region, way.clone()),
                    false => one_of(&segments, way, oracle),
                }
            }
            VertexKind::ShallowHistory => NaiveTask::At(last.expect("there is one"), way.clone()),
            VertexKind::DeepHistory => NaiveTask::Restore(last.expect("there is one")),
            VertexKind::Terminate => unreachable!("to terminate is visible"),
        })
    }

    /// Branches on values as they are now.
    fn decide(
        &self,
        id: InstanceId,
        object: &NaiveObject,
        segments: &[TransitionId],
        way: &SegmentChoice,
        oracle: &mut Oracle,
    ) -> Result<NaiveTask, NaiveFault> {
        let look = FiringAttempt { naive: self, id, object, machine: self.machine(id) };
        oracle.prose.clear();
        let mut ways = Vec::new();
        for segment in look.open(segments, &way.bindings, oracle)? {
            let target = look.machine.transitions[segment].target;
            for plan in look.plans(target, &way.bindings, &Default::default(), oracle)? {
                ways.push(NaiveTask::Segment(
                    segment,
                    SegmentChoice { plan, bindings: way.bindings.clone() },
                ));
            }
        }
        match ways.len() {
            0 => Err(NaiveFault("no way out of a choice".to_owned())),
            count => Ok(ways.swap_remove(oracle.choose(count))),
        }
    }
}
