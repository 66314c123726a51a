//! Questions about objects: one stage, the System of their ensemble. A scenario has a scene for each choice of objects for its lifelines.

use std::collections::BTreeMap;
use std::rc::Rc;

use sequent_kernel::formula::Atom;
use sequent_kernel::model::{
    Anchor, InteractionId, Property, Quantifier, Scenario as Asked, StateGoal as Reach,
};
use sequent_kernel::property::AssertGoal;
use sequent_kernel::property::ltl::AtomMeaning;
use sequent_kernel::property::scenario::SoughtScenario;
use sequent_kernel::question::{Case, Goal, Pace, Watcher};
use sequent_kernel::semantics::{Assumptions, Switches};
use sequent_kernel::system::TermId;
use sequent_kernel::verdict::Reason;

use super::{About, Scene, Sought, Stage, View, formula, pace};
use crate::ask::{Agenda, Matter};
use crate::ensemble::{Demand, Ensemble, Players};

/// The stage of some questions about an ensemble.
pub(crate) fn stage<'a>(
    agenda: &'a Agenda<'a>,
    number: usize,
    queries: &[usize],
    window: usize,
) -> Option<Stage<'a>> {
    let ensemble = agenda.ensemble(number);
    let scenes = |query: usize| -> Vec<Result<Scene<'a>, Reason>> {
        let ensemble = match &ensemble {
            Ok(ensemble) => *ensemble,
            Err(reason) => return vec![Err(reason.clone())],
        };
        match &agenda.queries[query].matter {
            Matter::Objects(_, _, Ok(demand)) => pose(ensemble, demand, agenda.switches, window),
            Matter::Objects(_, _, Err(reason)) => vec![Err(reason.clone())],
            Matter::Runs(..)
            | Matter::Deadlock(_)
            | Matter::Refines(..)
            | Matter::Triggers(_)
            | Matter::Nothing(_) => {
                vec![Err(Reason::NotAskable)]
            }
        }
    };
    let of_query = |query: &usize| {
        let query = *query;
        scenes(query).into_iter().map(move |scene| (query, scene))
    };
    let scenes = queries.iter().flat_map(of_query).collect();
    let system = ensemble.as_ref().ok().map(|ensemble| Rc::clone(&ensemble.system));
    Some(Stage { system, scenes })
}

fn pose<'a>(
    ensemble: &'a Ensemble<'a>,
    demand: &'a Demand<'a>,
    switches: &Switches,
    window: usize,
) -> Vec<Result<Scene<'a>, Reason>> {
    let poser = Poser {
        ensemble,
        assumptions: Assumptions { switches: switches.clone(), window, ..Assumptions::default() },
    };
    match demand {
        Demand::Scenario(about, asked, all) => {
            all.iter().map(|players| poser.scenario(*about, asked, players)).collect()
        }
        Demand::Goal(goal, term) => vec![Ok(poser.goal(goal, *term))],
        Demand::Formula(property, atoms) => vec![poser.formula(property, atoms)],
    }
}

struct Poser<'a> {
    ensemble: &'a Ensemble<'a>,
    assumptions: Assumptions,
}

impl<'a> Poser<'a> {
    fn case(&self, goal: Goal) -> Case {
        Case { names: Rc::clone(&self.ensemble.names), ..Case::new(&self.ensemble.system, goal) }
    }

    fn scene(&self, case: Case, view: View<'a>) -> Scene<'a> {
        Scene { about: About::Objects(self.ensemble), case, view }
    }

    fn scenario(
        &self,
        about: InteractionId,
        asked: &'a Asked,
        players: &'a Players,
    ) -> Result<Scene<'a>, Reason> {
        let begins = begins(asked);
        // Where it begins within some steps, it begins at the start of what is read from there on.
        let anchor = if begins.is_some() { Anchor::Start } else { asked.anchor };
        let scenario = self.ensemble.scenario(about, (asked, anchor), players, &self.assumptions)?;
        let scenario = Rc::new(scenario);
        if asked.quantifier == Quantifier::Whenever {
            followable(&scenario)?;
        }
        let watcher = match asked.quantifier {
            Quantifier::Possible | Quantifier::Forbidden => Watcher::Found(Rc::clone(&scenario)),
            Quantifier::Required => Watcher::Missed(Rc::clone(&scenario), missed_within(asked)),
            Quantifier::Whenever => Watcher::Whenever(Rc::clone(&scenario), AssertGoal::Violation),
        };
        // An attempt that must begin soon is looked for among transactions under rendezvous.
        let pace = begins.map_or(Pace::Single, |_| pace(self.ensemble.objects.communication));
        let part = players.words.clone().unwrap_or_default();
        let case = Case { begins, pace, part, ..self.case(Goal::Accepted(watcher)) };
        let about = Sought { about, asked, scenario, players: players.words.as_deref() };
        Ok(self.scene(case, View::Scenario(about)))
    }

    fn goal(&self, goal: &'a Reach, term: TermId) -> Scene<'a> {
        let pace = pace(self.ensemble.objects.communication);
        let within = goal.within.map(|within| within as usize);
        self.scene(Case { pace, within, ..self.case(Goal::State(term)) }, View::Goal(goal, term))
    }

    fn formula(
        &self,
        property: &'a Property,
        atoms: &'a BTreeMap<Atom, AtomMeaning>,
    ) -> Result<Scene<'a>, Reason> {
        let about = About::Objects(self.ensemble);
        let (bound, automaton) =
            formula::violation(&property.formula, &self.ensemble.system, &about, Some(atoms))?;
        let case = self.case(Goal::Accepted(Watcher::Formula(Rc::new(automaton))));
        Ok(self.scene(case, View::Formula(property, Box::new(bound), Some(atoms))))
    }
}

/// Whether it can be asked of a scenario that its `assert` follows.
fn followable(scenario: &SoughtScenario) -> Result<(), Reason> {
    let untold = |what: &str| Err(Reason::NotLookedFor(what.to_owned()));
    if !scenario.is_conditional() {
        return untold("a scenario without an `assert` below something else, at the top of the diagram,");
    }
    if scenario.is_endless() {
        return untold("an `assert` that may go on forever");
    }
    Ok(())
}

/// After how many steps an attempt must have begun, where only near states count.
pub fn begins(asked: &Asked) -> Option<u32> {
    let is_near = match asked.quantifier {
        Quantifier::Possible | Quantifier::Forbidden => asked.anchor == Anchor::Anywhere,
        Quantifier::Required | Quantifier::Whenever => false,
    };
    asked.within.filter(|_| is_near)
}

/// After how many steps an attempt must have begun that every run must hold.
pub(crate) fn missed_within(asked: &Asked) -> Option<u32> {
    asked.within.filter(|_| asked.anchor == Anchor::Anywhere)
}
