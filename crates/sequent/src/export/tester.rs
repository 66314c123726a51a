//! Scenarios as automata over the events of a system: the input of a tester in another tool (P1).

use std::collections::{BTreeMap, HashMap};

use sequent_kernel::model::{InteractionId, Quantifier, Scenario, Scheduling};
use sequent_kernel::property::scenario::Missed;
use sequent_kernel::property::{Moment, Observer};
use sequent_kernel::semantics::objects::Objects;
use sequent_kernel::semantics::{Assumptions, Switches};
use sequent_kernel::source::Place;
use sequent_kernel::system::EventId;
use sequent_kernel::verdict::Reason;
use sequent_report::reason;

use crate::ask::{Agenda, Matter, Query};
use crate::ensemble::{Demand, Ensemble, Players, Wish};

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
    /// One for each choice of objects for its lifelines.
    pub choices: Vec<CastTester>,
}

/// A scenario with objects for all of its lifelines.
pub struct CastTester {
    /// Who plays the lifelines that stand for any object of a class; `None` if there is no choice.
    pub words: Option<String>,
    /// What is remembered, the first of it at the beginning: for each event where it leads; `None` where the scenario has
    /// happened. No states if it has happened before anything.
    pub states: Vec<BTreeMap<EventId, Option<usize>>>,
}

/// Objects, and the scenarios that are asked about them.
pub struct Staged {
    /// The objects.
    pub objects: Objects,
    /// The scenarios, by the numbers of their queries; for each that is no automaton, why.
    pub testers: Vec<(usize, Result<Tester, String>)>,
}

/// The objects that scenarios are asked about, as `check` sees them, only with this query if there is one; and why others cannot
/// be asked.
pub fn staged(agenda: &Agenda<'_>, only: Option<usize>) -> (Vec<Staged>, Vec<String>) {
    let (mut all, mut reasons) = (Vec::new(), Vec::new());
    for (number, ensemble) in agenda.ensembles.iter().enumerate() {
        let is_own = |query: &usize| matches!(agenda.queries[*query].matter, Matter::Objects(own, Wish::Scenario(..), _) if own == number);
        let is_wanted = |query: &usize| only.is_none_or(|only| only == *query);
        let own: Vec<usize> =
            (0..agenda.queries.len()).filter(|query| is_own(query) && is_wanted(query)).collect();
        let why = |query: usize, why: &Reason| {
            let target = agenda.queries[query].target.as_deref().unwrap_or_default();
            format!("{target}: {}", reason::words(why))
        };
        match ensemble {
            _ if own.is_empty() => {}
            Ok(ensemble) => {
                let tester = |query: usize| {
                    let made = made(ensemble, &agenda.queries[query], agenda.switches);
                    (query, made.map_err(|reason| why(query, &reason)))
                };
                let testers = own.into_iter().map(tester).collect();
                all.push(Staged { objects: ensemble.objects.clone(), testers });
            }
            Err(reason) => reasons.extend(own.into_iter().map(|query| why(query, reason))),
        }
    }
    (all, reasons)
}

fn made(ensemble: &Ensemble<'_>, query: &Query<'_>, switches: &Switches) -> Result<Tester, Reason> {
    let untold = |why: &str| Err(Reason::Incomparable(why.to_owned()));
    let Matter::Objects(_, _, demand) = &query.matter else { return untold("it is not a scenario") };
    let Demand::Scenario(about, scenario, players) = demand.as_ref().map_err(Clone::clone)? else {
        return untold("it is not a scenario");
    };
    if scenario.quantifier == Quantifier::Whenever {
        return untold("what follows it no tester asks");
    }
    if scenario.within.is_some() {
        return untold("whether it begins within some steps no tester tells");
    }
    if scenario.quantifier == Quantifier::Required && ensemble.objects.scheduling != Scheduling::Unfair {
        return untold("it is asked of fair runs, which no tester tells from others (`fairness = \"none\"`)");
    }
    if players.is_empty() {
        return untold("no object can play one of its lifelines");
    }
    let choice = |players| chosen(ensemble, (*about, *scenario), players, switches);
    Ok(Tester {
        name: query.name.clone(),
        target: query.target.clone().unwrap_or_default(),
        place: query.place,
        quantifier: scenario.quantifier,
        choices: players.iter().map(choice).collect::<Result<_, _>>()?,
    })
}

/// The automaton for one choice of objects.
fn chosen(
    ensemble: &Ensemble<'_>,
    (about, scenario): (InteractionId, &Scenario),
    players: &Players,
    switches: &Switches,
) -> Result<CastTester, Reason> {
    let untold = |why: &str| Err(Reason::Incomparable(why.to_owned()));
    let assumptions = Assumptions { switches: switches.clone(), ..Assumptions::default() };
    let sought = ensemble.scenario(about, (scenario, scenario.anchor), players, &assumptions)?;
    if !sought.conditions().is_empty() {
        return untold("what it says about states and attributes no tester sees");
    }
    if sought.is_endless() {
        return untold("it may go on forever");
    }
    let missed = Missed { scenario: &sought, within: None };
    let states = explored(&missed, &ensemble.objects).map_err(Reason::Incomparable)?;
    if sought.is_strained() {
        return untold("its loops have too many iterations at a time");
    }
    Ok(CastTester { words: players.words.clone(), states })
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
