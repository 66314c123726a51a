//! Routes: what is left, done and entered on the way of a transition, in which order (rule M1; UML 2.5.1 clause 14.2.3).
//!
//! A transition is taken segment by segment. A segment has a scope, the innermost region around both its ends: what is active there on
//! the side of the source is left, the effect happens, and the states around the target are entered. Regions of one state are
//! left and entered in parallel.

use super::World;
use super::body::{self, ObjectBody};
use super::process::{BindingId, EffectSite, ProcessId, ProcessStep, TransitionAim};
use super::structure::InstanceId;
use crate::id::Id;
use crate::model::{RegionId, TransitionId, TransitionKind, VertexId, VertexKind};

/// The effects of at most this many transitions out of a fork are interleaved with the entry behind it.
const MOST_DIVIDED: usize = 4;

impl World<'_> {
    /// A deed written out.
    pub(crate) fn expand(&mut self, object: InstanceId, deed: &ProcessStep) -> ProcessId {
        match deed {
            ProcessStep::Leave(vertex) => self.leave(object, *vertex),
            ProcessStep::Enter(vertex, aims) => self.enter(object, *vertex, aims),
            ProcessStep::EnterRegion(region) => self.enter_region(object, *region),
            ProcessStep::Arrive(aim) => self.arrive(object, aim),
            ProcessStep::Segment(transition, via, binding) => {
                self.segment(object, *transition, via, *binding)
            }
            ProcessStep::Effect(..)
            | ProcessStep::Group(..)
            | ProcessStep::Address(..)
            | ProcessStep::Set(..)
            | ProcessStep::Save(_)
            | ProcessStep::Forget(_)
            | ProcessStep::LeaveRegion(_)
            | ProcessStep::Restore(..)
            | ProcessStep::Decide(..)
            | ProcessStep::Fork(..)
            | ProcessStep::Gather(..)
            | ProcessStep::Check(..)
            | ProcessStep::Sound(..)
            | ProcessStep::Await(..)
            | ProcessStep::Reply(..)
            | ProcessStep::Complete(_)
            | ProcessStep::Finish
            | ProcessStep::Terminate => self.in_sequence(object, vec![deed.clone()]),
        }
    }

    fn leave(&mut self, object: InstanceId, vertex: VertexId) -> ProcessId {
        let body = self.body(object);
        let regions =
            body::state(body.machine, vertex).map(|state| state.regions.clone()).unwrap_or_default();
        let region = body.machine.vertices[vertex].region;
        let (variable, activity) = (body.regions[region], body.activities.get(&vertex).copied());
        let is_awaited = body.pool.len() > 1 && body.completing.contains_key(&vertex);
        let inside: Vec<ProcessId> = regions
            .into_iter()
            .map(|region| self.in_sequence(object, vec![ProcessStep::LeaveRegion(region)]))
            .collect();
        let stop = self.in_sequence(
            object,
            activity.map(|activity| ProcessStep::Set(activity, 0)).into_iter().collect(),
        );
        let exit = self.behaviour(object, EffectSite::Exit(vertex), BindingId::from_index(0));
        let mut last = vec![ProcessStep::Save(region), ProcessStep::Set(variable, 0)];
        last.extend(is_awaited.then_some(ProcessStep::Forget(vertex)));
        let last = self.in_sequence(object, last);
        let processes = &mut self.body_mut(object).processes;
        let inside = processes.parallel(inside);
        processes.sequence([stop, inside, exit, last])
    }

    fn enter(&mut self, object: InstanceId, vertex: VertexId, aims: &[TransitionAim]) -> ProcessId {
        let body = self.body(object);
        let regions =
            body::state(body.machine, vertex).map(|state| state.regions.clone()).unwrap_or_default();
        let machine = body.machine;
        let is_initial = |vertex: &VertexId| machine.vertices[*vertex].kind == VertexKind::Initial;
        let has_initial =
            regions.iter().any(|region| machine.regions[*region].vertices.iter().any(is_initial));
        let region = body.machine.vertices[vertex].region;
        let (variable, value) = (body.regions[region], body.values[vertex]);
        let activity = body.activities.get(&vertex).copied();
        let set = self.in_sequence(object, vec![ProcessStep::Set(variable, value)]);
        let entry = self.behaviour(object, EffectSite::Entry(vertex), BindingId::from_index(0));
        let begin = self.in_sequence(
            object,
            activity.map(|activity| ProcessStep::Set(activity, 1)).into_iter().collect(),
        );
        let mut inside = Vec::new();
        for region in regions {
            let own = self.aims_in(object, region, aims);
            let deeds: Vec<ProcessStep> = match own.as_slice() {
                [] => vec![ProcessStep::EnterRegion(region)],
                [first, others @ ..] if self.is_shared(object, region, first, others) => {
                    let around = body::child_in(machine, region, first.target).unwrap_or(first.target);
                    vec![ProcessStep::Enter(around, self.scoped(object, around, own))]
                }
                // Of several ways into one region the first is taken.
                [aim, ..] => vec![ProcessStep::Arrive(aim.clone())],
            };
            inside.push(self.in_sequence(object, deeds));
        }
        let complete = self.in_sequence(object, vec![ProcessStep::Complete(vertex)]);
        // A region without initial vertex is over at once; where another reaches its end, it is completed from there.
        let is_over = aims.is_empty() && !has_initial;
        let complete = if is_over { complete } else { self.body_mut(object).processes.done() };
        let processes = &mut self.body_mut(object).processes;
        let inside = processes.parallel(inside);
        processes.sequence([set, entry, begin, inside, complete])
    }

    /// Whether several aims in a region lie in one state there.
    fn is_shared(
        &self,
        object: InstanceId,
        region: RegionId,
        first: &TransitionAim,
        others: &[TransitionAim],
    ) -> bool {
        let machine = self.body(object).machine;
        let around = |aim: &TransitionAim| {
            body::child_in(machine, region, aim.target).filter(|child| *child != aim.target)
        };
        let own = around(first);
        !others.is_empty() && own.is_some() && others.iter().all(|other| around(other) == own)
    }

    /// Enters a region by its initial vertex; one without is not entered, the first state of a machine is.
    fn enter_region(&mut self, object: InstanceId, region: RegionId) -> ProcessId {
        let body = self.body(object);
        let machine = body.machine;
        let vertices = &machine.regions[region].vertices;
        let initial =
            vertices.iter().find(|vertex| machine.vertices[**vertex].kind == VertexKind::Initial).copied();
        let none = BindingId::from_index(0);
        if let Some(initial) = initial {
            return match self.body(object).outgoing[initial].as_slice() {
                [] => self.body_mut(object).processes.done(),
                [only] => {
                    let only = *only;
                    self.in_sequence(object, vec![ProcessStep::Segment(only, Vec::new(), none)])
                }
                _ => self.in_sequence(object, vec![ProcessStep::Decide(initial, none)]),
            };
        }
        let is_top = machine.regions[region].owner.is_none();
        let first = vertices.iter().find(|vertex| body::state(machine, **vertex).is_some()).copied();
        let deeds =
            first.filter(|_| is_top).map(|first| ProcessStep::Enter(first, Vec::new())).into_iter().collect();
        self.in_sequence(object, deeds)
    }

    /// What happens when a vertex is reached, the states around it being active.
    fn arrive(&mut self, object: InstanceId, aim: &TransitionAim) -> ProcessId {
        let effect = match aim.effect {
            Some(transition) => self.behaviour(object, EffectSite::Transition(transition), aim.binding),
            None => self.body_mut(object).processes.done(),
        };
        let plain = TransitionAim { effect: None, ..aim.clone() };
        let rest = match self.outermost_inactive(object, aim) {
            Some(around) if around != aim.target => {
                let aims = self.border(object, around, plain);
                self.in_sequence(object, vec![ProcessStep::Enter(around, aims)])
            }
            Some(_) | None => self.reach(object, &plain),
        };
        self.body_mut(object).processes.then(effect, rest)
    }

    /// The state around a target that is entered first, seen from the state that is being entered: the aim's region says how far
    /// the way is.
    fn outermost_inactive(&self, object: InstanceId, aim: &TransitionAim) -> Option<VertexId> {
        let machine = self.body(object).machine;
        let scope = aim.scope?;
        body::child_in(machine, scope, aim.target)
    }

    /// What happens at a vertex.
    fn reach(&mut self, object: InstanceId, aim: &TransitionAim) -> ProcessId {
        let body = self.body(object);
        let vertex = aim.target;
        let region = body.machine.vertices[vertex].region;
        let owner = body.machine.regions[region].owner;
        let deeds = match body.machine.vertices[vertex].kind {
            VertexKind::State(_) => vec![ProcessStep::Enter(vertex, Vec::new())],
            VertexKind::Final => {
                let mut deeds = vec![ProcessStep::Set(body.regions[region], body.values[vertex])];
                let is_end = owner.is_none() && self.structure.stopped.contains(&object);
                deeds.extend(owner.map(ProcessStep::Complete));
                deeds.extend(is_end.then_some(ProcessStep::Finish));
                deeds
            }
            VertexKind::Initial => vec![ProcessStep::EnterRegion(region)],
            VertexKind::ShallowHistory => vec![ProcessStep::Restore(region, false)],
            VertexKind::DeepHistory => vec![ProcessStep::Restore(region, true)],
            VertexKind::Terminate => vec![ProcessStep::Terminate],
            VertexKind::Fork => vec![ProcessStep::Fork(vertex, aim.binding)],
            VertexKind::Choice
            | VertexKind::Junction
            | VertexKind::Join
            | VertexKind::Entry
            | VertexKind::Exit => match aim.via.split_first() {
                Some((next, rest)) => vec![ProcessStep::Segment(*next, rest.to_vec(), aim.binding)],
                None => vec![ProcessStep::Decide(vertex, aim.binding)],
            },
        };
        self.in_sequence(object, deeds)
    }

    /// All ways out of a fork, in parallel. A state around all their targets is entered by the first that gets there, after its
    /// effect: some effects happen before, in all ways, and the others inside. Each way to divide them is a process.
    pub(crate) fn fork(&mut self, object: InstanceId, fork: VertexId, binding: BindingId) -> Vec<ProcessId> {
        let body = self.body(object);
        let machine = body.machine;
        let outgoing = body.outgoing[fork].clone();
        let region = machine.vertices[fork].region;
        let target = |transition: &TransitionId| machine.transitions[*transition].target;
        let mut around = outgoing.iter().map(|one| body::child_in(machine, region, target(one)));
        let first = around.next().flatten().filter(|first| around.all(|other| other == Some(*first)));
        let Some(first) = first else {
            let part =
                |transition: &TransitionId| vec![ProcessStep::Segment(*transition, Vec::new(), binding)];
            let parts = outgoing.iter().map(|one| self.in_sequence(object, part(one))).collect::<Vec<_>>();
            return vec![self.body_mut(object).processes.parallel(parts)];
        };
        let acts = |one: &TransitionId| !machine.transitions[*one].effects.is_empty();
        let acting: Vec<TransitionId> = outgoing.iter().copied().filter(acts).collect();
        let needs_one = acting.len() == outgoing.len();
        let mut all = Vec::new();
        for before in divided(&acting).into_iter().filter(|before| !(needs_one && before.is_empty())) {
            let aim = |one: &TransitionId| TransitionAim {
                effect: (!before.contains(one)).then_some(*one),
                target: target(one),
                via: Vec::new(),
                binding,
                scope: None,
            };
            let aims = self.scoped(object, first, outgoing.iter().map(aim).collect());
            let effects: Vec<ProcessId> = before
                .iter()
                .map(|one| self.behaviour(object, EffectSite::Transition(*one), binding))
                .collect();
            let enter = self.in_sequence(object, vec![ProcessStep::Enter(first, aims)]);
            let processes = &mut self.body_mut(object).processes;
            let effects = processes.parallel(effects);
            all.push(processes.then(effects, enter));
        }
        all
    }

    /// Aims as seen from inside a state: each says in which of its regions it lies.
    fn scoped(&self, object: InstanceId, around: VertexId, aims: Vec<TransitionAim>) -> Vec<TransitionAim> {
        let machine = self.body(object).machine;
        let regions = body::state(machine, around).map(|state| state.regions.as_slice()).unwrap_or_default();
        let scope = |target: VertexId| {
            let all = body::regions_around(machine, target);
            regions.iter().copied().find(|region| all.contains(region))
        };
        aims.into_iter().map(|aim| TransitionAim { scope: scope(aim.target), ..aim }).collect()
    }

    fn segment(
        &mut self,
        object: InstanceId,
        transition: TransitionId,
        via: &[TransitionId],
        binding: BindingId,
    ) -> ProcessId {
        let body = self.body(object);
        let machine = body.machine;
        let (source, target) =
            (machine.transitions[transition].source, machine.transitions[transition].target);
        let kind = machine.transitions[transition].kind;
        let effect = self.behaviour(object, EffectSite::Transition(transition), binding);
        if kind == TransitionKind::Internal {
            return effect;
        }
        let body = self.body(object);
        let Some(scope) = scope(body, transition) else { return effect };
        let is_inside = body::state(machine, source).is_some_and(|state| state.regions.contains(&scope));
        let leaving = match body::child_in(machine, scope, source) {
            _ if is_inside => vec![ProcessStep::LeaveRegion(scope)],
            Some(child) if body::state(machine, child).is_some() => vec![ProcessStep::Leave(child)],
            Some(_) | None => Vec::new(),
        };
        let leaving = self.in_sequence(object, leaving);
        let entering = self.toward(object, scope, target, via, binding);
        self.body_mut(object).processes.sequence([leaving, effect, entering])
    }

    /// The way from a region, in which nothing is active now, to a vertex in it.
    fn toward(
        &mut self,
        object: InstanceId,
        scope: RegionId,
        target: VertexId,
        via: &[TransitionId],
        binding: BindingId,
    ) -> ProcessId {
        let machine = self.body(object).machine;
        let aim = TransitionAim { effect: None, target, via: via.to_vec(), binding, scope: None };
        match body::child_in(machine, scope, target) {
            Some(child) if child != target => {
                let aims = self.border(object, child, aim);
                self.in_sequence(object, vec![ProcessStep::Enter(child, aims)])
            }
            Some(_) | None => self.reach(object, &aim),
        }
    }

    /// What is aimed at inside a state that is entered: behind an entry point on its border all ways at once.
    fn border(&self, object: InstanceId, around: VertexId, aim: TransitionAim) -> Vec<TransitionAim> {
        let body = self.body(object);
        let machine = body.machine;
        let is_border = machine.vertices[aim.target].kind == VertexKind::Entry
            && machine.parent(aim.target) == Some(around)
            && body.outgoing[aim.target].len() > 1;
        let is_dead_end = machine.vertices[aim.target].kind == VertexKind::Entry
            && machine.parent(aim.target) == Some(around)
            && body.outgoing[aim.target].is_empty();
        let aims = match is_border {
            // From an entry point that leads nowhere all regions are entered by default.
            false if is_dead_end => Vec::new(),
            false => vec![aim],
            true => {
                let inside = |transition: &TransitionId| TransitionAim {
                    effect: Some(*transition),
                    target: machine.transitions[*transition].target,
                    via: Vec::new(),
                    binding: aim.binding,
                    scope: None,
                };
                body.outgoing[aim.target].iter().map(inside).collect()
            }
        };
        self.scoped(object, around, aims)
    }

    /// Enters a state that was active before: as it was left if the history is deep, else by default.
    pub(crate) fn enter_again(&mut self, object: InstanceId, vertex: VertexId, is_deep: bool) -> ProcessId {
        if !is_deep {
            return self.in_sequence(object, vec![ProcessStep::Enter(vertex, Vec::new())]);
        }
        let body = self.body(object);
        let regions =
            body::state(body.machine, vertex).map(|state| state.regions.clone()).unwrap_or_default();
        let region = body.machine.vertices[vertex].region;
        let (variable, value) = (body.regions[region], body.values[vertex]);
        let activity = body.activities.get(&vertex).copied();
        let is_simple = regions.is_empty();
        let set = self.in_sequence(object, vec![ProcessStep::Set(variable, value)]);
        let entry = self.behaviour(object, EffectSite::Entry(vertex), BindingId::from_index(0));
        let begin = self.in_sequence(
            object,
            activity.map(|activity| ProcessStep::Set(activity, 1)).into_iter().collect(),
        );
        let inside: Vec<ProcessId> = regions
            .into_iter()
            .map(|region| self.in_sequence(object, vec![ProcessStep::Restore(region, true)]))
            .collect();
        let complete = self
            .in_sequence(object, is_simple.then_some(ProcessStep::Complete(vertex)).into_iter().collect());
        let processes = &mut self.body_mut(object).processes;
        let inside = processes.parallel(inside);
        processes.sequence([set, entry, begin, inside, complete])
    }

    /// Enters a region with history for the first time: by the history's own transition, else by default.
    pub(crate) fn enter_first(&mut self, object: InstanceId, region: RegionId, is_deep: bool) -> ProcessId {
        let body = self.body(object);
        let machine = body.machine;
        let kind = if is_deep { VertexKind::DeepHistory } else { VertexKind::ShallowHistory };
        let is_it = |vertex: &&VertexId| machine.vertices[**vertex].kind == kind;
        let history = machine.regions[region].vertices.iter().find(is_it).copied();
        let own = history.and_then(|history| body.outgoing[history].first().copied());
        let deed = match own {
            Some(own) => ProcessStep::Segment(own, Vec::new(), BindingId::from_index(0)),
            None => ProcessStep::EnterRegion(region),
        };
        self.in_sequence(object, vec![deed])
    }
}

/// The sets of effects that may come first; of many, only all of them.
fn divided(all: &[TransitionId]) -> Vec<Vec<TransitionId>> {
    if all.len() > MOST_DIVIDED {
        return vec![all.to_vec()];
    }
    let chosen = |set: usize| all.iter().enumerate().filter(move |(at, _)| set >> at & 1 == 1);
    (0..1 << all.len()).map(|set| chosen(set).map(|(_, one)| *one).collect()).collect()
}

/// The innermost region around both ends of a transition; for a local one from a state to its inside, that of the state.
pub(super) fn scope(body: &ObjectBody<'_>, transition: TransitionId) -> Option<RegionId> {
    let machine = body.machine;
    let transition = &machine.transitions[transition];
    let target = body::regions_around(machine, transition.target);
    if machine.vertices[transition.target].kind == VertexKind::Exit {
        // An exit point lies on the border of its state, so in all of its regions.
        let owner = machine.parent(transition.target);
        let is_own = |region: &RegionId| owner.is_some() && machine.regions[*region].owner == owner;
        if let Some(own) = body::regions_around(machine, transition.source).into_iter().find(is_own) {
            return Some(own);
        }
    }
    if transition.kind == TransitionKind::Local {
        let own =
            body::state(machine, transition.source).map(|state| state.regions.as_slice()).unwrap_or_default();
        if let Some(inner) = own.iter().find(|region| target.contains(region)) {
            return Some(*inner);
        }
    }
    body::regions_around(machine, transition.source).into_iter().find(|region| target.contains(region))
}
