//! The states of a system, all of them: reachable ones, steps between them, ends and deadlocks, and what can be seen.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::Id;
use sequent_kernel::model::{Machine, RegionId};
use sequent_kernel::semantics::objects::InstanceId;
use sequent_testing::objects::NaiveObjects;
use sequent_testing::objects::shape::body;
use sequent_testing::objects::state::{NaiveEvent, NaiveObject, NaiveState};
use sequent_testing::objects::value::{NaiveMessage, NaiveValue};

/// States and steps.
pub(crate) struct Graph {
    /// All reachable states.
    pub states: Vec<NaiveState>,
    /// Steps from each state: what is seen, and where they lead.
    pub steps: Vec<Vec<(Vec<NaiveEvent>, usize)>>,
    /// Where runs begin.
    pub initial: Vec<usize>,
}

impl Graph {
    /// Everything that can be reached; `None` if that is more than `most` states.
    pub(crate) fn of(naive: &NaiveObjects, most: usize) -> Option<Graph> {
        let mut graph = Graph { states: Vec::new(), steps: Vec::new(), initial: Vec::new() };
        let mut known: BTreeMap<NaiveState, usize> = BTreeMap::new();
        let mut number = |state: NaiveState, states: &mut Vec<NaiveState>| {
            *known.entry(state).or_insert_with_key(|state| {
                states.push(state.clone());
                states.len() - 1
            })
        };
        graph.initial =
            naive.initial().iter().cloned().map(|state| number(state, &mut graph.states)).collect();
        while graph.steps.len() < graph.states.len() {
            if graph.states.len() > most {
                return None;
            }
            let successors = naive.successors(&graph.states[graph.steps.len()]);
            let mut steps: BTreeSet<(Vec<NaiveEvent>, usize)> = BTreeSet::new();
            for successor in successors {
                steps.insert((successor.events, number(successor.state, &mut graph.states)));
            }
            graph.steps.push(steps.into_iter().collect());
        }
        Some(graph)
    }

    /// The same where every object finishes at once what it begins: configurations without completion events and history,
    /// as the papers count them, and the number of steps, told apart by what fires.
    pub(crate) fn whole_steps(naive: &NaiveObjects) -> (BTreeSet<View>, usize) {
        let mut seen: BTreeSet<NaiveState> = naive.initial().clone();
        let mut open: Vec<NaiveState> = seen.iter().cloned().collect();
        let mut steps = BTreeSet::new();
        while let Some(state) = open.pop() {
            for successor in naive.successors(&state) {
                let actor = successor.actor.expect("there is no environment");
                for next in naive.finished(successor.state, actor) {
                    steps.insert((view(naive, &state), actor, successor.fired.clone(), view(naive, &next)));
                    if seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
        }
        steps.retain(|(_, _, fired, _)| !fired.is_empty());
        (seen.iter().map(|state| view(naive, state)).collect(), steps.len())
    }

    /// States without step that are neither proper ends nor faults.
    pub(crate) fn deadlocks<'a>(&'a self, naive: &'a NaiveObjects) -> impl Iterator<Item = &'a NaiveState> {
        let ends = self.states.iter().zip(&self.steps).filter(|(_, steps)| steps.is_empty());
        ends.map(|(state, _)| state).filter(|state| state.fault.is_none() && !naive.is_end(state))
    }

    /// How many steps there are.
    #[allow(dead_code)]
    pub(crate) fn step_count(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }

    /// What is seen of runs that come to an end, proper or not; `None` if some run does not end.
    pub(crate) fn ended(&self) -> Option<BTreeSet<Vec<String>>> {
        let longest = self.states.len();
        let mut sequences = BTreeSet::new();
        let mut open: Vec<(usize, Vec<String>, usize)> =
            self.initial.iter().map(|at| (*at, Vec::new(), 0)).collect();
        let mut seen: BTreeSet<(usize, Vec<String>)> = BTreeSet::new();
        while let Some((at, sequence, depth)) = open.pop() {
            if depth > longest {
                return None;
            }
            if self.steps[at].is_empty() {
                sequences.insert(sequence.clone());
            }
            for (events, next) in &self.steps[at] {
                let longer: Vec<String> =
                    sequence.iter().cloned().chain(events.iter().map(NaiveEvent::to_string)).collect();
                if seen.insert((*next, longer.clone())) {
                    open.push((*next, longer, depth + 1));
                }
            }
        }
        Some(sequences)
    }
}

/// What can be compared of a state with that of another account of the system.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct View {
    /// Objects with machines, in order.
    pub objects: Vec<ObjectView>,
    /// Whether the run has ended by a fault.
    pub fault: bool,
}

/// What can be compared of an object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ObjectView {
    /// Active states: `Verifying(CardValid, PINCorrect)`.
    pub states: String,
    /// Attributes.
    pub attributes: BTreeMap<String, String>,
    /// Messages that wait, with their senders.
    pub messages: Vec<String>,
    /// Whether it is in the middle of a step.
    pub busy: bool,
}

/// The view of a state.
pub(crate) fn view(naive: &NaiveObjects, state: &NaiveState) -> View {
    let objects = naive.structure.objects.ids().filter(|id| !naive.is_environment(*id));
    let objects = objects.map(|id| object_view(naive, id, &state.objects[id.index()]));
    View { objects: objects.collect(), fault: state.fault.is_some() }
}

fn object_view(naive: &NaiveObjects, id: InstanceId, object: &NaiveObject) -> ObjectView {
    let machine: &Machine = naive.machine(id);
    let name = |value: &NaiveValue| match value {
        NaiveValue::Bool(truth) => truth.to_string(),
        NaiveValue::Int(number) => number.to_string(),
        NaiveValue::Literal(literal) => literal.clone(),
        NaiveValue::Object(object) => {
            object.map_or("none".to_owned(), |id| naive.structure.objects[id].name.clone())
        }
    };
    let message = |message: &NaiveMessage| {
        let from = message.from.map_or("", |id| &naive.structure.objects[id].name);
        let arguments: Vec<String> = message.arguments.iter().map(name).collect();
        match arguments.as_slice() {
            [] => format!("{from}:{}", message.name),
            arguments => format!("{from}:{}({})", message.name, arguments.join(",")),
        }
    };
    let states: Vec<String> =
        machine.top_regions().filter_map(|region| region_text(machine, object, region)).collect();
    ObjectView {
        states: states.join(", "),
        attributes: object.attributes.iter().map(|(key, value)| (key.clone(), name(value))).collect(),
        messages: object.messages.iter().map(message).collect(),
        busy: !object.is_at_rest(),
    }
}

fn region_text(machine: &Machine, object: &NaiveObject, region: RegionId) -> Option<String> {
    let active = object.active[region.index()]?;
    let Some(body) = body(machine, active) else { return Some("end".to_owned()) };
    let inner: Vec<String> =
        body.regions.iter().filter_map(|region| region_text(machine, object, *region)).collect();
    let name = &machine.vertices[active].name;
    Some(if inner.is_empty() { name.clone() } else { format!("{name}({})", inner.join(", ")) })
}
