//! Routes: what is left and entered along a transition, and in which order (docs/objects.md, "The order of behaviours").

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Communication, Completion, Machine, RegionId, TransitionId, TransitionKind, VertexId, VertexKind,
};
use sequent_kernel::semantics::objects::InstanceId;

use super::NaiveObjects;
use super::fire::Fire;
use super::oracle::Oracle;
use super::shape::{body, domain, in_region, is_inside, joining_region, left, outgoing};
use super::state::NaiveObject;
use super::task::{Held, NaiveBehaviour, NaiveTask, SegmentChoice, par, seq};
use super::value::Bindings;

impl NaiveObjects<'_> {
    /// What an object has to do when transitions fire together.
    pub fn firing(&self, id: InstanceId, fires: &[Fire]) -> NaiveTask {
        par(fires.iter().map(|fire| match fire.joins {
            None => NaiveTask::Segment(fire.firsts[0], fire.way.clone()),
            Some(join) if self.joins_one_by_one() && fire.firsts.len() == 1 => {
                self.comes_to_join(id, fire, join)
            }
            Some(join) => self.joining(id, fire, join),
        }))
    }

    /// Whether each transition into a join fires by itself.
    pub(crate) fn joins_one_by_one(&self) -> bool {
        self.medium != Communication::Rendezvous && self.completion == Completion::Queued
    }

    /// One transition into a join: the source is left, and its region waits; the last one goes on.
    fn comes_to_join(&self, id: InstanceId, fire: &Fire, join: VertexId) -> NaiveTask {
        let machine = self.machine(id);
        let first = fire.firsts[0];
        let region = joining_region(machine, first);
        let source = in_region(machine, region, machine.transitions[first].source).expect("it lies there");
        let effect =
            NaiveTask::Behave(NaiveBehaviour::Effect(first), 0, fire.way.bindings.clone(), Held::new());
        if !fire.way.plan.contains_key(&join) {
            return seq([NaiveTask::Exit(source), effect, NaiveTask::Wait(region, join)]);
        }
        let around = self.around(id, region, join);
        seq([
            NaiveTask::Exit(source),
            around,
            effect,
            NaiveTask::Joined(join),
            NaiveTask::At(join, fire.way.clone()),
        ])
    }

    /// All transitions into a join at once.
    fn joining(&self, id: InstanceId, fire: &Fire, join: VertexId) -> NaiveTask {
        let machine = self.machine(id);
        let one = |first: &TransitionId| {
            let region = joining_region(machine, *first);
            let source = in_region(machine, region, machine.transitions[*first].source);
            let effect =
                NaiveTask::Behave(NaiveBehaviour::Effect(*first), 0, fire.way.bindings.clone(), Held::new());
            seq([source.map_or(NaiveTask::Nothing, NaiveTask::Exit), effect])
        };
        let around = self.around(id, joining_region(machine, fire.firsts[0]), join);
        let firsts = par(fire.firsts.iter().map(one));
        seq([firsts, around, NaiveTask::Joined(join), NaiveTask::At(join, fire.way.clone())])
    }

    /// To leave the states around a region in which a join does not lie.
    fn around(&self, id: InstanceId, region: RegionId, join: VertexId) -> NaiveTask {
        let machine = self.machine(id);
        let mut around = NaiveTask::Nothing;
        let mut up = machine.regions[region].owner;
        while let Some(owner) = up.filter(|owner| !is_inside(machine, join, *owner)) {
            around = NaiveTask::Exit(owner);
            up = machine.parent(owner);
        }
        around
    }
}

/// One of several segments, freely.
pub(crate) fn one_of(segments: &[TransitionId], way: &SegmentChoice, oracle: &mut Oracle) -> NaiveTask {
    match segments.len() {
        0 => NaiveTask::Nothing,
        count => NaiveTask::Segment(segments[oracle.choose(count)], way.clone()),
    }
}

/// The `do` is broken off, then what is inside is left, then the state itself.
pub(crate) fn exit(machine: &Machine, object: &mut NaiveObject, vertex: VertexId) -> NaiveTask {
    if !object.is_active(vertex) {
        return NaiveTask::Nothing;
    }
    object.doing.remove(&vertex);
    let mut inside = Vec::new();
    for region in &body(machine, vertex).expect("only states are left").regions {
        object.over.remove(region);
        object.waiting.remove(region);
        match object.active[region.index()] {
            Some(active) if body(machine, active).is_some() => inside.push(NaiveTask::Exit(active)),
            Some(_) => {
                object.active[region.index()] = None;
                object.history[region.index()] = None;
            }
            None => {}
        }
    }
    let own = NaiveTask::Behave(NaiveBehaviour::Exit(vertex), 0, Bindings::new(), Held::new());
    seq([par(inside), own, NaiveTask::Gone(vertex)])
}

/// What is left is exited, then comes the effect, then the states around the target are entered.
pub(crate) fn segment(
    machine: &Machine,
    object: &NaiveObject,
    id: TransitionId,
    way: &SegmentChoice,
) -> NaiveTask {
    let transition = &machine.transitions[id];
    let effect = NaiveTask::Behave(NaiveBehaviour::Effect(id), 0, way.bindings.clone(), Held::new());
    match transition.kind {
        TransitionKind::Internal => effect,
        TransitionKind::External | TransitionKind::Local => {
            let exit = left(machine, &object.active, id).map_or(NaiveTask::Nothing, NaiveTask::Exit);
            let arrive = NaiveTask::Arrive(domain(machine, id), transition.target, way.clone());
            seq([exit, effect, arrive])
        }
    }
}

/// A vertex in a region is reached; what lies around it is entered on the way, other regions by their initial vertices.
pub(crate) fn arrive(
    machine: &Machine,
    region: RegionId,
    target: VertexId,
    way: &SegmentChoice,
) -> NaiveTask {
    let top = in_region(machine, region, target).expect("targets lie in the region");
    if target == top {
        return NaiveTask::At(top, way.clone());
    }
    // An entry point is the state itself; from there it goes on into the regions.
    if machine.vertices[target].kind == VertexKind::Entry && machine.parent(target) == Some(top) {
        return enter(top, into_regions(machine, top, &outgoing(machine, target), way));
    }
    let inside = regions(machine, top).iter().map(|region| match in_region(machine, *region, target) {
        Some(_) => NaiveTask::Arrive(*region, target, way.clone()),
        None => NaiveTask::Default(*region, SegmentChoice::default()),
    });
    enter(top, inside)
}

/// The same for segments that run in parallel, each with its effect: the states around all targets are entered first.
pub(crate) fn arrive_by(
    machine: &Machine,
    region: RegionId,
    segments: &[TransitionId],
    way: &SegmentChoice,
) -> NaiveTask {
    let target = |segment: &TransitionId| machine.transitions[*segment].target;
    let top = in_region(machine, region, target(&segments[0])).expect("targets lie in the region");
    if segments.len() == 1 {
        let effect =
            NaiveTask::Behave(NaiveBehaviour::Effect(segments[0]), 0, way.bindings.clone(), Held::new());
        return seq([effect, NaiveTask::Arrive(region, target(&segments[0]), way.clone())]);
    }
    enter(top, into_regions(machine, top, segments, way))
}

/// Segments out of a fork: a state around all targets is entered once some of the effects have happened, the others come
/// inside of it.
pub(crate) fn forked(
    machine: &Machine,
    around: RegionId,
    segments: &[TransitionId],
    first: usize,
    way: &SegmentChoice,
) -> NaiveTask {
    let effect = |segment: &TransitionId| {
        NaiveTask::Behave(NaiveBehaviour::Effect(*segment), 0, way.bindings.clone(), Held::new())
    };
    let target = |segment: &TransitionId| machine.transitions[*segment].target;
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for (at, segment) in segments.iter().enumerate() {
        let is_first = first >> at & 1 == 1;
        before.extend(is_first.then(|| effect(segment)));
        after.push((target(segment), if is_first { NaiveTask::Nothing } else { effect(segment) }));
    }
    seq([par(before), arrive_all(machine, around, &after, way)])
}

/// Vertices in a region are reached, each after something that happens once the states around all of them are entered.
pub(crate) fn arrive_all(
    machine: &Machine,
    region: RegionId,
    targets: &[(VertexId, NaiveTask)],
    way: &SegmentChoice,
) -> NaiveTask {
    if let [(target, before)] = targets {
        return seq([before.clone(), NaiveTask::Arrive(region, *target, way.clone())]);
    }
    let top = in_region(machine, region, targets[0].0).expect("targets lie in the region");
    let into = |region: &RegionId| -> Vec<(VertexId, NaiveTask)> {
        targets.iter().filter(|(target, _)| in_region(machine, *region, *target).is_some()).cloned().collect()
    };
    let inside = regions(machine, top).iter().map(|region| match into(region) {
        inner if inner.is_empty() => NaiveTask::Default(*region, SegmentChoice::default()),
        inner => arrive_all(machine, *region, &inner, way),
    });
    enter(top, inside)
}

/// Segments into the regions of a state that is being entered.
pub(crate) fn into_regions(
    machine: &Machine,
    top: VertexId,
    segments: &[TransitionId],
    way: &SegmentChoice,
) -> Vec<NaiveTask> {
    let into = |region: &RegionId| -> Vec<TransitionId> {
        let lies_in = |vertex: VertexId| in_region(machine, *region, vertex).is_some();
        segments.iter().copied().filter(|one| lies_in(machine.transitions[*one].target)).collect()
    };
    let inside = regions(machine, top).iter().map(|region| match into(region) {
        inner if inner.is_empty() => NaiveTask::Default(*region, SegmentChoice::default()),
        inner => arrive_by(machine, *region, &inner, way),
    });
    inside.collect()
}

pub(crate) fn regions(machine: &Machine, vertex: VertexId) -> &[RegionId] {
    &body(machine, vertex).expect("something lies in it").regions
}

/// Its own entry, then its regions.
pub(crate) fn enter(vertex: VertexId, inside: impl IntoIterator<Item = NaiveTask>) -> NaiveTask {
    let own = NaiveTask::Behave(NaiveBehaviour::Entry(vertex), 0, Bindings::new(), Held::new());
    seq([NaiveTask::Begin(vertex), own, NaiveTask::Begun(vertex), par(inside)])
}
