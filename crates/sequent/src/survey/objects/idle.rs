//! Dead states and transitions: never reached or fired, although a path of the drawing leads there.
//!
//! The lints report what no path leads to, whatever guards and messages do (W301). Here guards are evaluated
//! and messages are sent. Of a chain of dead elements the first is reported: a transition whose source is
//! reached, which includes a choice or junction that another transition leaves, and with it its target state,
//! if that is never reached either.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::model::{
    Assign, Condition, Effect, Expression, Machine, MachineId, StateBody, Transition, TransitionId,
    TransitionKind, Trigger, VertexId, VertexKind,
};

use sequent_kernel::id::Id;
use sequent_kernel::semantics::objects::InstanceId;
use sequent_kernel::system::{EventKind, RuleId};

use super::{ObjectGroup, SurveyFinding};

/// States and transitions of the machines of a group that nothing ever comes to. Of a machine with several objects, what none
/// of them does.
pub(crate) fn idle(group: &ObjectGroup<'_>) -> Vec<SurveyFinding> {
    let is_known = group.survey.is_whole() && !group.survey.is_empty() && !group.has_fault();
    if !is_known {
        return Vec::new();
    }
    let Happened { reached, fired, received } = happened(group);
    let mut findings = Vec::new();
    let machines: BTreeMap<MachineId, &Machine> =
        group.machines().map(|(_, id, machine)| (id, machine)).collect();
    let is_alone = !group.is_company();
    for (id, machine) in machines {
        let own = group.machines().filter(|(_, other, _)| *other == id);
        let attributes =
            own.flat_map(|(object, ..)| group.objects.attributes(object)).map(|(name, _)| name).collect();
        let literals = group.objects.enumerations.values().flatten().map(String::as_str).collect();
        let (reached, fired, received) = (&reached[&id], &fired[&id], &received[&id]);
        let seen = IdleFacts { machine, reached, fired, received, is_alone, attributes, literals };
        findings.extend(seen.findings());
    }
    findings.into_iter().map(|finding| (finding, None)).collect()
}

type ByMachine<T> = BTreeMap<MachineId, BTreeSet<T>>;

/// What happens in some run, by machine.
struct Happened {
    reached: ByMachine<VertexId>,
    fired: ByMachine<TransitionId>,
    /// Messages that are received in states.
    received: ByMachine<(VertexId, String)>,
}

fn happened(group: &ObjectGroup<'_>) -> Happened {
    let mut received: ByMachine<(VertexId, String)> =
        group.machines().map(|(_, id, _)| (id, BTreeSet::new())).collect();
    let mut reached: ByMachine<VertexId> = group.machines().map(|(_, id, _)| (id, BTreeSet::new())).collect();
    let mut fired: ByMachine<TransitionId> =
        group.machines().map(|(_, id, _)| (id, BTreeSet::new())).collect();
    let machines: Vec<_> = group.machines().collect();
    let system = &group.objects.system;
    let company = group.is_company();
    for spot in group.survey.spots() {
        let config = group.survey.config(spot);
        for (object, id, machine) in &machines {
            for vertex in group.objects.active(group.model, &config, *object) {
                let mut at = Some(vertex);
                while let Some(vertex) = at.filter(|vertex| reached.entry(*id).or_default().insert(*vertex)) {
                    at = machine.parent(vertex);
                }
            }
        }
        // Messages are considered only where several machines communicate.
        for rules in company.then(|| group.survey.rules(spot)).into_iter().flatten() {
            for event in system.shown(&rules).map(|event| &system.events[event]) {
                let owner = event.to.map(|to| InstanceId::from_index(to.index()));
                let Some((object, id, machine)) = machines.iter().find(|(object, ..)| Some(*object) == owner)
                else {
                    continue;
                };
                if event.kind == EventKind::Send {
                    continue;
                }
                let name = event.name.as_str();
                for vertex in group.objects.active(group.model, &config, *object) {
                    let mut at = Some(vertex);
                    while let Some(vertex) = at {
                        received.entry(*id).or_default().insert((vertex, name.to_owned()));
                        at = machine.parent(vertex);
                    }
                }
            }
        }
    }
    let happens = group.objects.fired.iter().filter(|(rule, _)| group.survey.fired(**rule).is_some());
    let is_taken = |rule: &Option<RuleId>| rule.is_none_or(|rule| group.survey.fired(rule).is_some());
    let chosen = group.objects.chosen.iter().filter(|(rule, _)| is_taken(rule));
    let chosen = chosen.flat_map(|(_, transitions)| transitions);
    for (object, transition) in happens.flat_map(|(_, transitions)| transitions).chain(chosen) {
        let Some(id) = group.objects.structure.objects[*object].machine else { continue };
        fired.entry(id).or_default().insert(*transition);
        // A choice or junction that a fired transition leaves was reached.
        let machine = &group.model.machines[id];
        let source = machine.transitions[*transition].source;
        if is_branching(&machine.vertices[source].kind) {
            reached.entry(id).or_default().insert(source);
        }
    }
    Happened { reached, fired, received }
}

fn is_branching(kind: &VertexKind) -> bool {
    matches!(kind, VertexKind::Choice | VertexKind::Junction)
}

/// What was seen of a machine.
struct IdleFacts<'a> {
    machine: &'a Machine,
    reached: &'a BTreeSet<VertexId>,
    fired: &'a BTreeSet<TransitionId>,
    received: &'a BTreeSet<(VertexId, String)>,
    /// Whether the machine is alone with its environment.
    is_alone: bool,
    /// What its objects remember, and the values of enumerations.
    attributes: BTreeSet<&'a str>,
    literals: BTreeSet<&'a str>,
}

impl IdleFacts<'_> {
    fn findings(&self) -> Vec<Diagnostic> {
        let ids = self.machine.transitions.ids();
        ids.filter(|id| !self.fired.contains(id) && self.is_due(*id))
            .filter_map(|id| self.finding(id))
            .collect()
    }

    fn finding(&self, id: TransitionId) -> Option<Diagnostic> {
        let transition = &self.machine.transitions[id];
        let reason = self.reason(id)?;
        let target = &self.machine.vertices[transition.target];
        let is_state = matches!(target.kind, VertexKind::State(_));
        let is_reached =
            self.reached.contains(&transition.target) || transition.kind == TransitionKind::Internal;
        let span = transition.place.0;
        Some(match is_state && !is_reached {
            true => Diagnostic::new(
                Code::NeverReached,
                span,
                format!("`{}` is never reached from here: {reason}", target.name),
            ),
            false => {
                Diagnostic::new(Code::NeverFires, span, format!("this transition never fires: {reason}"))
            }
        })
    }

    /// Whether a transition leads from a state that is reached to something that it enters alone.
    fn is_due(&self, id: TransitionId) -> bool {
        let transition = &self.machine.transitions[id];
        let [source, target] =
            [transition.source, transition.target].map(|id| &self.machine.vertices[id].kind);
        self.reached.contains(&transition.source)
            && (matches!(source, VertexKind::State(_)) || is_branching(source))
            && !matches!(target, VertexKind::Join | VertexKind::Fork)
    }

    /// Why a transition never fires; `None` if that is common in sketches.
    fn reason(&self, id: TransitionId) -> Option<String> {
        let transition = &self.machine.transitions[id];
        let source = &self.machine.vertices[transition.source].name;
        if is_branching(&self.machine.vertices[transition.source].kind) {
            return self.reason_at(id, transition.guard.as_ref()?);
        }
        let event = transition.triggers.iter().find_map(|trigger| match trigger {
            Trigger::Event { name, .. } => Some(name),
            Trigger::Any | Trigger::After(_) | Trigger::When(_) => None,
        });
        match (&transition.guard, event) {
            (Some(guard), _) if self.is_computed(guard) => {
                Some(format!("`[{}]` is never true in `{source}` when it is asked", guard.text))
            }
            (_, _) if self.is_alone => None,
            (_, Some(event)) => {
                let comes = self.received.contains(&(transition.source, event.clone()));
                Some(match (comes, self.leaves_at_once(id)) {
                    (true, _) => self.reason_when(id, event),
                    (false, true) => {
                        format!("another transition leaves `{source}` at once, without waiting for `{event}`")
                    }
                    (false, false) => format!("`{event}` never comes in `{source}`"),
                })
            }
            (_, None) => Some(format!("`{source}` is always left by another transition")),
        }
    }

    /// Why a way out of a choice or junction is never taken. An `else` that is never needed is caution, unless a state hangs on it.
    fn reason_at(&self, id: TransitionId, guard: &Condition) -> Option<String> {
        let Transition { source, target, .. } = self.machine.transitions[id];
        let name = &self.machine.vertices[source].name;
        let is_else = |guard: &Condition| guard.expression.is_none() && guard.text == "else";
        if !is_else(guard) {
            let is_told = self.is_computed(guard) || !self.is_alone;
            return is_told.then(|| format!("`[{}]` is never true at `{name}` when it is asked", guard.text));
        }
        let ways = self.machine.transitions.iter().filter(|other| other.source == source);
        let mut guards = ways.filter_map(|other| other.guard.as_ref());
        let is_computed = guards.all(|other| is_else(other) || self.is_computed(other));
        let is_needed = matches!(self.machine.vertices[target].kind, VertexKind::State(_))
            && !self.reached.contains(&target);
        let is_told = is_needed && (is_computed || !self.is_alone);
        is_told.then(|| format!("another way out of `{name}` is always open"))
    }

    /// Why a transition never fires though its event comes: what is certain is said.
    fn reason_when(&self, id: TransitionId, event: &str) -> String {
        let transition = &self.machine.transitions[id];
        let source = &self.machine.vertices[transition.source];
        let is_simple = matches!(&source.kind, VertexKind::State(body) if body.regions.is_empty());
        let is_straight = !matches!(self.machine.vertices[transition.target].kind, VertexKind::Junction);
        let name = &source.name;
        match &transition.guard {
            Some(guard) if is_simple && is_straight => {
                format!("`[{}]` is never true when `{event}` comes in `{name}`", guard.text)
            }
            None if is_straight && !is_simple => {
                format!("whenever `{event}` comes in `{name}`, a transition inside takes it")
            }
            None if is_simple && !is_straight => {
                format!(
                    "whenever `{event}` comes in `{name}`, no way leads on from `{}`",
                    self.machine.vertices[transition.target].name
                )
            }
            Some(_) | None => {
                format!("whenever `{event}` comes in `{name}`, no way leads on here, or another one does")
            }
        }
    }

    /// Whether another transition of the same state fires without waiting for anything, not even for what is inside.
    fn leaves_at_once(&self, id: TransitionId) -> bool {
        let source = self.machine.transitions[id].source;
        let is_simple = |body: &StateBody| body.regions.is_empty() && body.activity.is_empty();
        if !matches!(&self.machine.vertices[source].kind, VertexKind::State(body) if is_simple(body)) {
            return false;
        }
        let mut others = self.machine.transitions.enumerate().filter(|(other, _)| *other != id);
        others.any(|(other, one)| {
            one.source == source
                && one.triggers.is_empty()
                && one.guard.is_none()
                && self.fired.contains(&other)
        })
    }

    /// Whether a guard mentions nothing but attributes and values. Where the machine is alone, it must also
    /// compute them itself: an attribute without assignment is set from outside, in ways that a diagram does
    /// not show.
    fn is_computed(&self, guard: &Condition) -> bool {
        let Some(expression) = &guard.expression else { return false };
        let assigns: Vec<&Assign> = self.machine.effects().filter_map(assign).collect();
        let mut known: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&Expression> = vec![expression];
        while let Some(expression) = open.pop() {
            let Some(names) = names(expression) else { return false };
            for name in names {
                let is_attribute = self.attributes.contains(name);
                if !is_attribute && !self.literals.contains(name) {
                    return false;
                }
                if !is_attribute || !known.insert(name) {
                    continue;
                }
                let own = assigns.iter().filter(|one| one.target.last().is_some_and(|target| target == name));
                let before = open.len();
                open.extend(own.map(|one| &one.value));
                if self.is_alone && open.len() == before {
                    return false;
                }
            }
        }
        !known.is_empty()
    }
}

fn assign(effect: &Effect) -> Option<&Assign> {
    match effect {
        Effect::Assign(assign) => Some(assign),
        Effect::Send(_) | Effect::Opaque { .. } => None,
    }
}

/// The names in an expression, the last part of each; `None` if it calls something.
pub(crate) fn names(expression: &Expression) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let mut open = vec![expression];
    while let Some(one) = open.pop() {
        match one {
            Expression::Bool(_) | Expression::Int(_) => {}
            Expression::Name(path) => found.push(path.last()?.as_str()),
            Expression::Unary(_, part) => open.push(part),
            Expression::Binary(_, left, right) => open.extend([left, right].map(|part| part.as_ref())),
            Expression::Text(_) | Expression::Call(..) => return None,
        }
    }
    Some(found)
}
