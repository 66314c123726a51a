//! All that a process does, as a System: so the refinement engine can look at it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use sequent_engine::packed::Program;
use sequent_engine::refine::{Party, RefinementAnswer, RefinementModel, check};
use sequent_engine::search::{Limits, unwatched};
use sequent_kernel::id::Id as _;
use sequent_kernel::source::{FileId, Place, Span};
use sequent_kernel::system::{Event, EventId, EventKind, Join, Rule, System, Terms, Variable};
use sequent_report::export::cspm::Cspm;
use sequent_testing::seeds::is_more;

use super::parser::{Claim, Id, parse, parse_expression};
use super::process::{Label, Machine, Process};
use super::value::{Scope, Value};

/// Larger ones are not looked at.
fn most() -> usize {
    if is_more() { 4_000 } else { 800 }
}

/// States from 0, which is the first.
#[derive(Default)]
pub(crate) struct Space {
    /// From where, what is seen, where to.
    pub edges: Vec<(usize, Option<String>, usize)>,
    /// For each state whether it may end there.
    pub ends: Vec<bool>,
    /// States in which it is over.
    pub over: BTreeSet<usize>,
}

/// A script that was read.
pub(crate) struct Reading {
    machine: Machine,
    /// What events are called; those that are not here are called as they are written.
    names: BTreeMap<Value, String>,
    whole: Id,
    /// What expressions were found to do.
    spaces: RefCell<BTreeMap<Id, Option<Rc<Space>>>>,
}

impl Reading {
    /// Reads a script that was exported.
    pub(crate) fn new(exported: &Cspm) -> Reading {
        let mut script = parse(&exported.text);
        let whole = parse_expression(&mut script, &exported.processes[0]);
        let events: Vec<(Id, &String)> = exported
            .events
            .iter()
            .map(|one| (parse_expression(&mut script, &one.event), &one.text))
            .collect();
        let names: BTreeMap<Value, String> =
            events.into_iter().map(|(id, text)| (script.value(id, &Scope::new()), text.clone())).collect();
        assert_eq!(names.len(), exported.events.len(), "two events are written alike");
        Reading { machine: Machine::new(script), names, whole, spaces: RefCell::default() }
    }

    /// What the whole does; `None` if that is too much.
    pub(crate) fn space(&self) -> Option<Rc<Space>> {
        self.of(self.whole)
    }

    /// Whether everything that is claimed is about few states.
    pub(crate) fn is_small(&self) -> bool {
        self.machine.script.claims.iter().all(|(_, claim)| match claim {
            Claim::DeadlockFree(id) | Claim::DivergenceFree(id) => self.of(*id).is_some(),
            Claim::Refines(one, _, other) => self.of(*one).is_some() && self.of(*other).is_some(),
        })
    }

    fn of(&self, id: Id) -> Option<Rc<Space>> {
        if let Some(known) = self.spaces.borrow().get(&id) {
            return known.clone();
        }
        let space = self.explored(id).map(Rc::new);
        self.spaces.borrow_mut().insert(id, space.clone());
        space
    }

    fn explored(&self, id: Id) -> Option<Space> {
        let first = self.machine.process(id, &Scope::new());
        let mut numbers: HashMap<Process, usize> = HashMap::from([(first.clone(), 0)]);
        let mut open = vec![first];
        let mut space = Space { ends: vec![false], ..Space::default() };
        while let Some(process) = open.pop() {
            let from = numbers[&process];
            if process == Process::Over {
                space.over.insert(from);
            }
            for (label, next) in self.machine.steps(&process) {
                let to = *numbers.entry(next.clone()).or_insert_with(|| {
                    open.push(next);
                    space.ends.push(false);
                    space.ends.len() - 1
                });
                match label {
                    Label::Silent => space.edges.push((from, None, to)),
                    Label::End => {
                        space.ends[from] = true;
                        space.over.insert(to);
                    }
                    Label::Event(event) => space.edges.push((from, Some(self.name(&event)), to)),
                }
            }
            if numbers.len() > most() {
                return None;
            }
        }
        Some(space)
    }

    fn name(&self, event: &Value) -> String {
        self.names.get(event).cloned().unwrap_or_else(|| format!("{event:?}"))
    }

    /// What is claimed in the script, each with whether it is true; a negated claim is true if what it negates is not.
    pub(crate) fn claims(&self) -> Vec<bool> {
        let claims = self.machine.script.claims.iter();
        claims.map(|(is_negated, claim)| self.is_true(claim) != *is_negated).collect()
    }

    fn is_true(&self, claim: &Claim) -> bool {
        let space = |id: &Id| self.of(*id).expect("it is small");
        match claim {
            Claim::DeadlockFree(id) => !space(id).has_deadlock(),
            Claim::DivergenceFree(id) => !space(id).has_divergence(),
            Claim::Refines(one, model, other) => {
                let model = match model.as_str() {
                    "T" => RefinementModel::Traces,
                    "F" => RefinementModel::Failures,
                    _ => RefinementModel::FailuresDivergences,
                };
                let [one, other] = [space(one).system(), space(other).system()];
                refines(&one, &other, model, true).is_none()
            }
        }
    }
}

impl Space {
    /// Whether it stops somewhere without being over.
    pub(crate) fn has_deadlock(&self) -> bool {
        let goes_on: BTreeSet<usize> = self.edges.iter().map(|(from, ..)| *from).collect();
        let may_stop = |state: &usize| !goes_on.contains(state) && !self.ends[*state];
        (0..self.ends.len()).filter(may_stop).any(|state| !self.over.contains(&state))
    }

    /// Whether it may go on forever with nothing to be seen.
    pub(crate) fn has_divergence(&self) -> bool {
        let mut silent: Vec<(usize, usize)> =
            self.edges.iter().filter(|edge| edge.1.is_none()).map(|(from, _, to)| (*from, *to)).collect();
        loop {
            let before = silent.len();
            let leads: BTreeSet<usize> = silent.iter().map(|(from, _)| *from).collect();
            silent.retain(|(_, to)| leads.contains(to));
            if silent.len() == before {
                return !silent.is_empty();
            }
        }
    }

    /// The same as a System.
    pub(crate) fn system(&self) -> System {
        let mut system = System::bare(Terms::default());
        let texts: BTreeSet<&String> = self.edges.iter().filter_map(|edge| edge.1.as_ref()).collect();
        let mut ids: BTreeMap<&String, EventId> = BTreeMap::new();
        for text in texts {
            let event = Event::of_message(EventKind::Rendezvous, (None, ""), (None, ""), text, None);
            ids.insert(text, system.events.push(Event { text: text.clone(), ..event }));
        }
        let max = self.ends.len() as i32;
        let state = system.variables.push(Variable::new("state", 0, max, 0));
        let component = system.components.push("process".to_owned());
        for (from, event, to) in &self.edges {
            let guard = system.terms.is(state, *from as i32);
            let to = system.terms.constant(*to as i32);
            system.rules.push(Rule {
                component,
                guard,
                event: event.as_ref().map(|text| ids[text]),
                updates: vec![(state, to)],
                join: Join::Alone,
                urgent: false,
                place: Place(Span::new(FileId::from_index(0), 0, 0)),
            });
        }
        let ends = (0..).zip(&self.ends).filter(|(_, may_end)| **may_end);
        let ends: Vec<_> = ends.map(|(number, _)| system.terms.is(state, number)).collect();
        system.complete = system.terms.or(ends);
        system
    }
}

/// What an implementation does that its specification does not.
pub(crate) fn refines(
    specification: &System,
    implementation: &System,
    model: RefinementModel,
    has_ends: bool,
) -> Option<String> {
    let programs = [Program::new(specification), Program::new(implementation)];
    let name = |event: &Event| Some(event.text.clone());
    let party = |program| Party { program, name: &name, has_ends };
    let [specification, implementation] = [party(&programs[0]), party(&programs[1])];
    match check(specification, implementation, model, &Limits::default(), &unwatched).answer {
        RefinementAnswer::Holds => None,
        RefinementAnswer::Fails(found) => Some(format!("{:?} {:?}", found.trace, found.excess)),
        RefinementAnswer::Stopped(stop) => panic!("{stop:?}"),
    }
}
