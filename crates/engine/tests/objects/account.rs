//! An account of a system: its states as far as they can be compared, the steps between them, what is seen. Two accounts are
//! the same if after everything that can be seen the same states at rest are possible, and the same ends.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::Id;
use sequent_kernel::model::Model;
use sequent_kernel::semantics::objects::Objects;
use sequent_kernel::system::{Config, Step, System, VariableId};
use sequent_testing::objects::NaiveObjects;

use crate::graph::{Graph, ObjectView, View, view};

/// States and steps.
pub(crate) struct Account {
    /// What each state looks like.
    pub views: Vec<View>,
    /// Steps from each state.
    pub steps: Vec<Vec<(Vec<String>, usize)>>,
    /// Where runs begin.
    pub initial: Vec<usize>,
    /// Whether a state has no steps and is a proper end.
    pub is_end: Vec<bool>,
}

impl Account {
    /// What the interpreter says; `None` if there are more than `most` states.
    pub(crate) fn naive(naive: &NaiveObjects, most: usize) -> Option<Account> {
        let graph = Graph::of(naive, most)?;
        let text = |(events, next): &(Vec<sequent_testing::objects::state::NaiveEvent>, usize)| {
            // What is seen of a step that ends in a fault is not compared.
            let is_fault = graph.states[*next].fault.is_some();
            let events = if is_fault { Vec::new() } else { events.iter().map(ToString::to_string).collect() };
            (events, *next)
        };
        Some(Account {
            views: graph.states.iter().map(|state| view(naive, state)).collect(),
            steps: graph.steps.iter().map(|steps| steps.iter().map(text).collect()).collect(),
            is_end: graph
                .states
                .iter()
                .zip(&graph.steps)
                .map(|(state, steps)| steps.is_empty() && naive.is_end(state))
                .collect(),
            initial: graph.initial,
        })
    }

    /// What the lowered system says; `None` if there are more than `most` states.
    pub(crate) fn lowered(model: &Model, objects: &Objects, most: usize) -> Option<Account> {
        let system = &objects.system;
        let mut configs = vec![system.initial()];
        let mut known = BTreeMap::from([(configs[0].clone(), 0)]);
        let mut account =
            Account { views: Vec::new(), steps: Vec::new(), initial: vec![0], is_end: Vec::new() };
        while account.steps.len() < configs.len() {
            if configs.len() > most {
                return None;
            }
            let config = configs[account.steps.len()].clone();
            let mut steps = BTreeSet::new();
            let seen = lowered_view(model, objects, &config);
            for (inside, (around, value)) in objects.nesting(model) {
                let now = |variable: VariableId| config.0[variable.index()];
                assert!(now(inside) == 0 || now(around) == value, "active in a state that is not");
            }
            for (mut events, next) in if seen.fault { Vec::new() } else { successors(system, &config) } {
                if objects.fault_in(&next).is_some() {
                    events.clear();
                }
                let number = *known.entry(next).or_insert_with_key(|next| {
                    configs.push(next.clone());
                    configs.len() - 1
                });
                steps.insert((events, number));
            }
            account.views.push(seen);
            account.is_end.push(steps.is_empty() && system.holds(system.complete, &config));
            account.steps.push(steps.into_iter().collect());
        }
        Some(account)
    }

    /// The whole account for people.
    pub(crate) fn dump(&self) -> String {
        let mut text = String::new();
        for (at, (view, steps)) in self.views.iter().zip(&self.steps).enumerate().take(12) {
            let objects = view.objects.iter().map(|object| {
                let attributes: Vec<String> =
                    object.attributes.iter().map(|(name, value)| format!("{name}={value}")).collect();
                let busy = if object.busy { " busy" } else { "" };
                format!("{}{busy} {} {:?}", object.states, attributes.join(" "), object.messages)
            });
            let objects: Vec<String> = objects.collect();
            let end = match (view.fault, self.is_end[at]) {
                (true, _) => " fault",
                (false, true) => " end",
                (false, false) => "",
            };
            text += &format!("{at}: {}{end}\n", objects.join(" | "));
            for (events, next) in steps {
                text += &format!("    {} -> {next}\n", events.join(" "));
            }
        }
        text
    }

    /// The states that can be reached from some unseen.
    fn silently(&self, from: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let mut open: Vec<usize> = from.into_iter().collect();
        let mut found: BTreeSet<usize> = open.iter().copied().collect();
        while let Some(at) = open.pop() {
            for (events, next) in &self.steps[at] {
                if events.is_empty() && found.insert(*next) {
                    open.push(*next);
                }
            }
        }
        found
    }

    /// Whether a run may go on forever unseen in some states.
    fn diverges(&self, among: &BTreeSet<usize>) -> bool {
        let mut left = among.clone();
        loop {
            let goes_on = |at: &usize| {
                self.steps[*at].iter().any(|(events, next)| events.is_empty() && left.contains(next))
            };
            let rest: BTreeSet<usize> = left.iter().copied().filter(|at| goes_on(at)).collect();
            if rest.len() == left.len() {
                return !left.is_empty();
            }
            left = rest;
        }
    }

    fn face(&self, among: &BTreeSet<usize>) -> Face {
        let is_fault = |at: &&usize| self.views[**at].fault;
        let at_rest = |at: &&usize| self.views[**at].objects.iter().all(|object| !object.busy);
        let sound = || among.iter().filter(|at| !is_fault(at));
        let stuck = || sound().filter(|at| self.steps[**at].is_empty());
        Face {
            at_rest: sound().filter(at_rest).map(|at| self.views[*at].clone()).collect(),
            ends: stuck().filter(|at| self.is_end[**at]).map(|at| self.views[*at].clone()).collect(),
            deadlocks: stuck().filter(|at| !self.is_end[**at]).map(|at| blurred(&self.views[*at])).collect(),
            faults: among.iter().any(|at| is_fault(&at)),
            diverges: self.diverges(among),
        }
    }
}

/// A view in which it is open where exactly an object is that is in the middle of a step.
fn blurred(view: &View) -> View {
    let mut view = view.clone();
    for object in view.objects.iter_mut().filter(|object| object.busy) {
        object.states.clear();
        object.attributes.clear();
    }
    view
}

/// What is possible after something was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Face {
    at_rest: BTreeSet<View>,
    ends: BTreeSet<View>,
    deadlocks: BTreeSet<View>,
    faults: bool,
    diverges: bool,
}

/// What is different: after which events, and what.
pub(crate) fn difference(one: &Account, other: &Account, most: usize) -> Option<String> {
    let first = (one.silently(one.initial.clone()), other.silently(other.initial.clone()));
    let mut open = vec![(first.clone(), Vec::new())];
    let mut seen = BTreeSet::from([first]);
    let mut at = 0;
    while at < open.len() && seen.len() <= most {
        let ((left, right), events) = open[at].clone();
        at += 1;
        let (faces, texts) = ([one.face(&left), other.face(&right)], events.join(" "));
        if faces[0] != faces[1] {
            return Some(format!("after {texts}:\n{}", told(&faces[0], &faces[1])));
        }
        let after = |account: &Account, set: &BTreeSet<usize>| {
            let mut after: BTreeMap<Vec<String>, BTreeSet<usize>> = BTreeMap::new();
            for (events, next) in set.iter().flat_map(|at| &account.steps[*at]) {
                if !events.is_empty() {
                    after.entry(events.clone()).or_default().insert(*next);
                }
            }
            after
        };
        let (mut lefts, mut rights) = (after(one, &left), after(other, &right));
        if lefts.keys().ne(rights.keys()) {
            let keys = [&lefts, &rights].map(|steps| steps.keys().cloned().collect::<BTreeSet<_>>());
            let only = [&keys[0] - &keys[1], &keys[1] - &keys[0]];
            return Some(format!(
                "after {texts}:\nseen only naively {:?}, only lowered {:?}",
                only[0], only[1]
            ));
        }
        while let (Some((shown, left)), Some((_, right))) = (lefts.pop_first(), rights.pop_first()) {
            let pair = (one.silently(left), other.silently(right));
            if seen.insert(pair.clone()) {
                open.push((pair, events.iter().cloned().chain(shown).collect()));
            }
        }
    }
    None
}

fn told(naive: &Face, lowered: &Face) -> String {
    let mut text = String::new();
    let sets = |face: &Face| [face.at_rest.clone(), face.ends.clone(), face.deadlocks.clone()];
    for (what, (one, other)) in
        ["at rest", "end", "deadlock"].into_iter().zip(sets(naive).iter().zip(sets(lowered).iter()))
    {
        for view in one - other {
            text += &format!("{what} only naively: {view:?}\n");
        }
        for view in other - one {
            text += &format!("{what} only lowered: {view:?}\n");
        }
    }
    text + &format!(
        "faults {} {}, diverges {} {}",
        naive.faults, lowered.faults, naive.diverges, lowered.diverges
    )
}

fn successors(system: &System, config: &Config) -> Vec<(Vec<String>, Config)> {
    let text = |step: &Step| system.events(step).map(|event| system.events[event].text.clone()).collect();
    system.successors(config).into_iter().map(|(step, next)| (text(&step), next)).collect()
}

fn lowered_view(model: &Model, objects: &Objects, config: &Config) -> View {
    let structure = &objects.structure;
    let ids = structure.objects.ids().filter(|id| structure.objects[*id].machine.is_some());
    let name = |id| structure.objects[id].name.clone();
    let one = |id| ObjectView {
        states: objects.states(model, config, id),
        attributes: objects
            .attributes(id)
            .map(|(name, slot)| (name.to_owned(), objects.value_text(config, slot)))
            .collect(),
        messages: objects
            .waiting(config, id)
            .into_iter()
            .map(|(from, text)| format!("{}:{text}", from.map_or(String::new(), name)))
            .collect(),
        busy: objects.is_busy(config, id),
    };
    View { objects: ids.map(one).collect(), fault: objects.fault_in(config).is_some() }
}
