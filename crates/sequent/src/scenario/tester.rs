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
use super::{Ask, Asked, Company, Plan};

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

/// The scenarios that are asked about these objects; for each that is no automaton, why.
pub fn testers(
    model: &Model,
    folders: &Folders,
    plan: &Plan<'_>,
    objects: &Objects,
    switches: &Switches,
) -> Vec<Result<Tester, String>> {
    let is_about = |asked: &&Asked<'_>| {
        matches!(asked.ask, Ask::Scenario(..))
            && asked.structure == objects.structure
            && asked.trouble.is_none()
    };
    let tester = |asked: &Asked<'_>| {
        let local = local(model, folders, &asked.folder);
        made(&local, asked, objects, switches).map_err(|why| format!("{}: {why}", asked.target))
    };
    plan.asked.iter().filter(is_about).map(tester).collect()
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
