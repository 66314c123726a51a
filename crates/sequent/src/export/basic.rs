//! Basic scenarios: those that an automaton with bits and counters can express (P3, section 5.1).

use std::collections::BTreeSet;

use sequent_kernel::counter_automaton::{CounterAutomatonForm, compact};
use sequent_kernel::model::{Anchor, Fragment, Interaction, LifelineId, Loop, Operator, Quantifier};
use sequent_kernel::semantics::Assumptions;
use sequent_report::export::promela::Basic;
use sequent_report::reason;

use crate::ask::{Agenda, Matter};
use crate::ensemble::Demand;

/// A scenario that is asked about, as an automaton with bits and counters that accepts its traces; an error says why it has none.
pub fn basic(agenda: &Agenda<'_>, query: usize) -> Result<Basic, String> {
    let Matter::Objects(number, _, Ok(Demand::Scenario(about, scenario, players))) =
        &agenda.queries[query].matter
    else {
        return Err("it is not a scenario".to_owned());
    };
    match scenario.quantifier {
        Quantifier::Possible | Quantifier::Forbidden => {}
        Quantifier::Required => return Err("it is looked for in every run".to_owned()),
        Quantifier::Whenever => return Err("it asks what follows".to_owned()),
    }
    if scenario.within.is_some() {
        return Err("it begins within some steps".to_owned());
    }
    let [players] = players.as_slice() else {
        return Err("several objects can play one of its lifelines".to_owned());
    };
    let ensemble = agenda.ensemble(*number).map_err(|why| reason::words(&why))?;
    let switches = agenda.switches;
    let assumptions = Assumptions { switches: switches.clone(), ..Assumptions::default() };
    let sought = ensemble
        .scenario(*about, (*scenario, scenario.anchor), players, &assumptions)
        .map_err(|why| reason::words(&why))?;
    if !sought.conditions().is_empty() {
        return Err("it speaks of states and attributes".to_owned());
    }
    let letters = sought.letters().ok_or("one event is two of its own, or one is never seen")?;
    let interaction = &ensemble.model.interactions[*about];
    let compact = compact(&ensemble.model, *about, switches, CounterAutomatonForm::Bits)?;
    let bounds = whole_loop(interaction);
    if bounds.is_some_and(|bounds| !bounds.strict) && !is_tied(interaction) {
        return Err("nothing ties its lifelines together: a counter could grow without end".to_owned());
    }
    Ok(Basic {
        compact,
        letters,
        ignored: sought.passed_over(),
        is_anywhere: scenario.anchor == Anchor::Anywhere,
        floor: bounds.filter(|bounds| bounds.max.is_none()).map(|bounds| bounds.min.unwrap_or(0)),
    })
}

/// The bounds of the loop, if everything is one.
fn whole_loop(interaction: &Interaction) -> Option<Loop> {
    let mut found = None;
    interaction.walk(&mut |fragment, _| {
        if let Fragment::Combined(combined) = fragment
            && let Operator::Loop(bounds) = &combined.operator
        {
            found = Some(*bounds);
        }
    });
    found
}

/// Whether messages join all lifelines that do something: then queues keep them from running away from each other.
fn is_tied(interaction: &Interaction) -> bool {
    let mut ends: Vec<[LifelineId; 2]> = Vec::new();
    for message in interaction.messages.iter() {
        match [message.from.lifeline(), message.to.lifeline()] {
            [Some(from), Some(to)] => ends.push([from, to]),
            _ => return false,
        }
    }
    let Some(first) = ends.first() else { return true };
    let mut known: BTreeSet<LifelineId> = first.iter().copied().collect();
    while let Some(at) = ends.iter().position(|ends| ends.iter().any(|end| known.contains(end))) {
        known.extend(ends.swap_remove(at));
    }
    ends.is_empty()
}
