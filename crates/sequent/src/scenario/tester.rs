//! Scenarios as automata over the events of a system: what a tester in another tool is made of (P1).

use std::collections::{BTreeMap, HashMap};

use sequent_kernel::lint::Folders;
use sequent_kernel::model::{Anchor, Model, Quantifier};
use sequent_kernel::property::scenario::Missed;
use sequent_kernel::property::{Moment, Observer};
use sequent_kernel::semantics::objects::{Objects, local};
use sequent_kernel::semantics::{Assumptions, Switches};
use sequent_kernel::source::Place;
use sequent_kernel::system::EventId;

use super::company::Ready;
use super::{Ask, Asked, Cast, Company, Plan, casts};

/// More states than this no tester has.
const MOST_STATES: usize = 300;

/// A scenario that is asked about, as an automaton.
pub struct Tester {
    /// The question in words.
    pub name: String,
    /// The diagram.
    pub target: String,
    /// Where it is asked.
    pub place: Place,
    /// Some run, no run, every run.
    pub quantifier: Quantifier,
    /// What is remembered, the first of it at the beginning: for each event where it leads; `None` where the scenario has
    /// happened. No states if it has happened before anything.
    pub states: Vec<BTreeMap<EventId, Option<usize>>>,
}

/// Objects, and the scenarios that are asked about them.
pub struct Staged {
    /// The objects.
    pub objects: Objects,
    /// The scenarios, by their numbers in the plan; for each that is no automaton, why.
    pub testers: Vec<(usize, Result<Tester, String>)>,
}

/// The objects that scenarios are asked about, as `check` sees them; and why others cannot be asked.
pub fn staged(
    model: &Model,
    folders: &Folders,
    plan: &Plan<'_>,
    is_wanted: &dyn Fn(usize) -> bool,
    switches: &Switches,
) -> (Vec<Staged>, Vec<String>) {
    let (mut all, mut reasons) = (Vec::new(), Vec::new());
    for Cast { questions, folder, objects } in casts(model, folders, plan) {
        let is_scenario = |number: &usize| matches!(plan.asked[*number].ask, Ask::Scenario(..));
        let own: Vec<usize> =
            questions.into_iter().filter(|number| is_scenario(number) && is_wanted(*number)).collect();
        let why = |number: usize, why: &str| format!("{}: {why}", plan.asked[number].target);
        match objects {
            _ if own.is_empty() => {}
            Ok(objects) => {
                let local = local(model, folders, &folder);
                let tester = |number: usize| {
                    let made = made(&local, &plan.asked[number], &objects, switches);
                    (number, made.map_err(|reason| why(number, &reason)))
                };
                let testers = own.into_iter().map(tester).collect();
                all.push(Staged { objects, testers });
            }
            Err(reason) => reasons.extend(own.into_iter().map(|number| why(number, &reason))),
        }
    }
    (all, reasons)
}

fn made<'m>(
    model: &'m Model,
    asked: &Asked<'m>,
    objects: &Objects,
    switches: &Switches,
) -> Result<Tester, String> {
    let Ask::Scenario(about, scenario) = asked.ask else { return Err("it is no scenario".to_owned()) };
    let mut company = Company::new(model, objects.clone(), asked);
    let Ready::Scenario(_, data) = company.prepare(asked, &mut Vec::new())? else {
        return Err("it is no scenario".to_owned());
    };
    if scenario.within.is_some() {
        return Err("whether it begins within some steps no tester tells".to_owned());
    }
    let assumptions = Assumptions { switches: switches.clone(), ..Assumptions::default() };
    let knobs: (Anchor, _) = (scenario.anchor, scenario.alphabet);
    let sought = company.scenario(about, knobs, &data, &assumptions)?;
    if !sought.conditions().is_empty() {
        return Err("what it says about states and attributes no tester sees".to_owned());
    }
    if sought.is_endless() {
        return Err("it may go on forever".to_owned());
    }
    let states = explored(&Missed { scenario: &sought, within: None }, objects)?;
    if sought.is_strained() {
        return Err("its loops have too many iterations at a time".to_owned());
    }
    Ok(Tester {
        name: asked.name.clone(),
        target: asked.target.clone(),
        place: asked.place,
        quantifier: scenario.quantifier,
        states,
    })
}

/// All that an observer which reads in one way may remember.
fn explored(
    observer: &Missed<'_>,
    objects: &Objects,
) -> Result<Vec<BTreeMap<EventId, Option<usize>>>, String> {
    let read = |state: &_, moment| {
        let mut ways = Vec::new();
        observer.read(state, moment, &mut |_| false, &mut ways);
        ways.pop().map(|(state, _)| state)
    };
    let Some(first) = read(&observer.first(), Moment::Start) else { return Ok(Vec::new()) };
    let mut numbers = HashMap::from([(first.clone(), 0)]);
    let mut known = vec![first];
    let mut states = Vec::new();
    while let Some(state) = known.get(states.len()).cloned() {
        let mut moves = BTreeMap::new();
        for event in objects.system.events.ids() {
            let to = read(&state, Moment::Event(event)).map(|next| {
                *numbers.entry(next.clone()).or_insert_with(|| {
                    known.push(next);
                    known.len() - 1
                })
            });
            moves.insert(event, to);
        }
        states.push(moves);
        if known.len() > MOST_STATES {
            return Err(format!("its tester has more than {MOST_STATES} states"));
        }
    }
    Ok(states)
}
