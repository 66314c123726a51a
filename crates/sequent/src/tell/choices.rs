//! What may happen at each moment of a run, which of it the run takes, and what may not happen, and why.
//!
//! Reports show it beside the run. The interpreter of the kernel is asked again at every moment, so there is a bound: of a
//! long run of a large System the first moments are told, and the last.

use std::collections::BTreeMap;

use sequent_kernel::log::{Choice, Choices, Log};
use sequent_kernel::meter;
use sequent_kernel::model::Model;
use sequent_kernel::replay::Run;
use sequent_kernel::semantics::objects::Objects;
use sequent_kernel::system::{Config, Step, System};
use sequent_kernel::waiting;

use super::words::DiagramWords;

/// The number of guards of rules that are looked at for a run.
const MOST_GUARDS: usize = 1 << 20;

/// More choices than this are not told of one moment; how many are left out is.
const MOST_TOLD: usize = 40;

/// Tells of the objects of each row what they may do next.
pub(crate) fn of_objects(model: &Model, objects: &Objects, run: &Run, configs: &[Config], log: &mut Log) {
    let most = most_moments(&objects.system);
    let last = configs.len().saturating_sub(1);
    for (moment, row) in
        log.rows.iter_mut().enumerate().filter(|(moment, _)| *moment < most || *moment == last)
    {
        if meter::is_over() {
            return;
        }
        let steps = objects.system.steps(&configs[moment]);
        let next = next(run, moment);
        let plain: Vec<String> = steps.iter().map(|step| objects.deed(model, step)).collect();
        let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
        plain.iter().for_each(|text| *counts.entry(text).or_default() += 1);
        let is_double = |text: &String| counts[text] > 1;
        let text = |step: &Step, text: &String| match objects.firing(model, step).filter(|_| is_double(text))
        {
            Some(fired) if fired != *text => format!("{text}, {fired}"),
            Some(_) | None => text.clone(),
        };
        let choice = |(step, plain): (&Step, &String)| Choice {
            text: text(step, plain),
            is_taken: Some(step) == next,
        };
        let enabled = steps.iter().zip(&plain).map(choice);
        let blocked = objects.blocked(model, &configs[moment], &steps);
        row.choices = Some(cut(once(enabled), blocked));
    }
}

/// Tells of each row of an interaction what its lifelines may do until something is seen again. Steps that show nothing have no
/// rows: the choices that they make stand with the row before. Steps that choose nothing, such as the end of a fragment, are not told.
pub(crate) fn of_interaction(model: &Model, system: &System, run: &Run, configs: &[Config], log: &mut Log) {
    let words = DiagramWords { model, sources: None, system };
    let most = most_moments(system);
    let rows = super::rows(system, run);
    let last = configs.len().saturating_sub(1);
    for moment in (0..configs.len()).filter(|moment| *moment < most || *moment == last) {
        if meter::is_over() {
            break;
        }
        let choices = log.rows[rows[moment]].choices.get_or_insert_default();
        let steps = system.steps(&configs[moment]);
        let next = next(run, moment);
        let forced = system.forced(&steps);
        let free = steps.iter().filter(|step| !forced.contains(step));
        let free = free.map(|step| Choice { text: words.step(step), is_taken: Some(step) == next });
        choices.enabled.extend(free);
        // Who waits is told of the last moment before something is seen again.
        if rows.get(moment + 1).is_none_or(|next| *next > rows[moment]) {
            let waits = waiting::explain(system, &configs[moment]).lifelines.into_values().flatten();
            let lines = waits.map(|wait| {
                format!("{} ({} comes next)", wait.text(system), words.step(&Step(vec![wait.rule])))
            });
            choices.blocked = lines.collect();
        }
    }
    for row in &mut log.rows {
        row.choices = row.choices.take().map(|choices| cut(once(choices.enabled), choices.blocked));
    }
}

/// How many moments are looked at.
fn most_moments(system: &System) -> usize {
    MOST_GUARDS / system.rules.len().max(1)
}

/// The step that a run takes after a number of steps.
fn next(run: &Run, moment: usize) -> Option<&Step> {
    run.steps.get(moment).or_else(|| run.steps.get(run.cycle?))
}

/// Steps that read the same are told once.
fn once(choices: impl IntoIterator<Item = Choice>) -> Vec<Choice> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut all: Vec<Choice> = Vec::new();
    for choice in choices {
        let at = *places.entry(choice.text.clone()).or_insert(all.len());
        match all.get_mut(at) {
            Some(known) => known.is_taken |= choice.is_taken,
            None => all.push(choice),
        }
    }
    all
}

fn cut(mut enabled: Vec<Choice>, mut blocked: Vec<String>) -> Choices {
    let left = enabled.len().saturating_sub(MOST_TOLD);
    if left > 0 {
        enabled.sort_by_key(|choice| !choice.is_taken);
        enabled.truncate(MOST_TOLD);
        enabled.push(Choice { text: format!("{left} more"), is_taken: false });
    }
    let left = blocked.len().saturating_sub(MOST_TOLD);
    if left > 0 {
        blocked.truncate(MOST_TOLD);
        blocked.push(format!("{left} more"));
    }
    Choices { enabled, blocked }
}
