//! Claims about the runs of an interaction: one stage for each valuation of the guards that a claim mentions.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::property::{AssertGoal, Assertion, Negative};
use sequent_kernel::question::{Case, Goal, Watcher};
use sequent_kernel::semantics::{Assumptions, Switches, Unsupported, lasting_guards, lower};
use sequent_kernel::system::{System, TraceClass};
use sequent_kernel::verdict::Reason;

use super::{About, Scene, Stage, View, formula};
use crate::ask::{Agenda, Claim, Matter};

/// More guards than this are not tried in all ways.
const MOST_GUARDS: usize = 10;

/// The stages of some queries about an interaction.
pub(crate) fn stages<'a>(
    agenda: &'a Agenda<'a>,
    about: InteractionId,
    queries: &'a [usize],
    window: usize,
) -> impl Iterator<Item = Stage<'a>> + 'a {
    let claim = |number: &usize| match agenda.queries[*number].matter {
        Matter::Runs(_, claim) => Some((*number, claim)),
        Matter::Deadlock(_)
        | Matter::Objects(..)
        | Matter::Refines(..)
        | Matter::Triggers(_)
        | Matter::Nothing(_) => None,
    };
    claimed(agenda, about, queries.iter().filter_map(claim).collect(), window)
}

/// The stages of some claims about an interaction, each with a number.
pub fn claimed<'a>(
    agenda: &'a Agenda<'a>,
    about: InteractionId,
    claims: Vec<(usize, Claim<'a>)>,
    window: usize,
) -> impl Iterator<Item = Stage<'a>> + 'a {
    let Agenda { model, switches, .. } = agenda;
    let known = lasting_guards(model, about, switches);
    let mut sets: BTreeMap<BTreeSet<String>, Vec<(usize, Claim<'a>)>> = BTreeMap::new();
    for (number, claim) in claims {
        sets.entry(guards((model, switches), claim, &known)).or_default().push((number, claim));
    }
    sets.into_iter().flat_map(move |(guards, together)| {
        valuations(&guards)
            .map(move |chosen| stage(model, about, &together, assumptions(switches, chosen, window)))
    })
}

fn assumptions(
    switches: &Switches,
    chosen: Result<BTreeMap<String, bool>, Reason>,
    window: usize,
) -> Result<Rc<Assumptions>, Reason> {
    Ok(Rc::new(Assumptions {
        switches: switches.clone(),
        guards: BTreeMap::new(),
        chosen: chosen?,
        window,
        // Only what is forbidden twice may be valid.
        without_negatives: switches.double_negation != TraceClass::Valid,
    }))
}

fn stage<'a>(
    model: &'a Model,
    about: InteractionId,
    together: &[(usize, Claim<'a>)],
    assumptions: Result<Rc<Assumptions>, Reason>,
) -> Stage<'a> {
    let lowered = assumptions.and_then(|assumptions| {
        let system = lower(model, about, &assumptions).map_err(not_run)?;
        Ok((Rc::new(system), About::Interaction(model, about, assumptions)))
    });
    let scene = |claim: Claim<'a>| {
        let (system, about) = lowered.clone()?;
        scene(claim, &system, about)
    };
    let scenes = together.iter().map(|(number, claim)| (*number, scene(*claim))).collect();
    let system = lowered.as_ref().ok().map(|(system, _)| Rc::clone(system));
    Stage { system, scenes }
}

fn scene<'a>(claim: Claim<'a>, system: &Rc<System>, about: About<'a>) -> Result<Scene<'a>, Reason> {
    let About::Interaction(model, _, assumptions) = &about else { return Err(Reason::NotAskable) };
    let (view, watcher) = match claim {
        Claim::Formula(property) => {
            let (bound, automaton) = formula::violation(&property.formula, system, &about, None)?;
            (View::Formula(property, Box::new(bound), None), Watcher::Formula(Rc::new(automaton)))
        }
        Claim::Safe(property, mode) => {
            let negative = Negative::new(model, property, system, assumptions, mode).map_err(not_run)?;
            let negative = Rc::new(negative);
            (View::Negative(property, mode, Rc::clone(&negative)), Watcher::Negative(negative))
        }
        Claim::Consistent(property) => {
            let assertion = Assertion::new(model, property, system, assumptions, AssertGoal::Violation)
                .map_err(not_run)?;
            let assertion = Rc::new(assertion);
            (View::Assertion(property, Rc::clone(&assertion)), Watcher::Assertion(assertion))
        }
    };
    let part = chosen(assumptions);
    let case = Case { part, ..Case::new(system, Goal::Accepted(watcher)) };
    Ok(Scene { about, case, view })
}

/// How guards have fallen, in words.
pub fn chosen(assumptions: &Assumptions) -> String {
    let value = |(guard, value): (&String, &bool)| format!("`{guard}` is {value}");
    assumptions.chosen.iter().map(value).collect::<Vec<_>>().join(", ")
}

/// The guards of the interaction that a claim mentions too: one text has one value.
fn guards(
    (model, switches): (&Model, &Switches),
    claim: Claim<'_>,
    known: &BTreeSet<String>,
) -> BTreeSet<String> {
    let own = match claim {
        Claim::Formula(property) => property.formula.names(),
        Claim::Safe(property, _) | Claim::Consistent(property) => lasting_guards(model, property, switches),
    };
    own.intersection(known).cloned().collect()
}

/// All ways in which guards may fall; an error if they are too many.
fn valuations(
    guards: &BTreeSet<String>,
) -> impl Iterator<Item = Result<BTreeMap<String, bool>, Reason>> + use<> {
    let guards: Vec<String> = guards.iter().cloned().collect();
    let count = guards.len();
    let ways = if count > MOST_GUARDS { 1 } else { 1_u32 << count };
    (0..ways).map(move |number| {
        if count > MOST_GUARDS {
            return Err(Reason::Guards(count, MOST_GUARDS));
        }
        let value = |place: usize| number >> place & 1 == 0;
        Ok(guards.iter().enumerate().map(|(place, guard)| (guard.clone(), value(place))).collect())
    })
}

/// That a construct has no meaning as a System.
pub(crate) fn not_run(unsupported: Unsupported) -> Reason {
    Reason::NotRun(unsupported.what)
}
