//! Templates against the System: a walk over the words of occurrences that either side could still complete.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sequent_kernel::id::Id;
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::system::{Config, System, distinguish};
use sequent_kernel::templates::{
    TemplateLetter, TemplateOptions, Templates, Tense, cut, instantiate, plain, resolutions, templates,
};

use crate::progress::{Table, Walker};

/// What came of a comparison.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// Both have the same traces; so many.
    Equal(u128),
    /// A word that only one side has.
    Differs(String),
    /// Too much to walk.
    TooBig,
}

/// More valuations, or more pairs of sets, are not looked at.
pub(crate) const MOST_RESOLUTIONS: usize = 500;
const MOST_PAIRS: usize = 2_000;

/// More steps of valuations along words are not taken.
const MOST_STEPS: usize = 100_000;

/// Compares the first interaction of a model.
pub(crate) fn compare(model: &Model, assumptions: &Assumptions, tense: Tense) -> Outcome {
    compare_without(model, assumptions, tense, None)
}

/// The same without the templates of one letter.
pub(crate) fn compare_without(
    model: &Model,
    assumptions: &Assumptions,
    tense: Tense,
    without: Option<TemplateLetter>,
) -> Outcome {
    let wishes = TemplateOptions { tense, ..TemplateOptions::default() };
    let id = InteractionId::from_index(0);
    let model = &cut(model, id, 2).0;
    let assumptions = plain(assumptions);
    let (Ok(system), Ok(mut templates)) =
        (lower(model, id, &assumptions), templates(model, id, &assumptions, wishes))
    else {
        return Outcome::TooBig;
    };
    templates.list.retain(|template| Some(template.letter) != without);
    let system = distinguish(&system);
    let [mut seen, mut named]: [Vec<&str>; 2] = [
        system.events.iter().map(|event| event.text.as_str()).collect(),
        templates.tree.occurrences.iter().map(|occurrence| occurrence.text.as_str()).collect(),
    ];
    seen.sort_unstable();
    named.sort_unstable();
    if seen != named {
        return Outcome::Differs(format!("other occurrences: {seen:?} {named:?}"));
    }
    if seen.len() > 24 {
        return Outcome::TooBig;
    }
    let Some(resolutions) = resolutions(&templates, MOST_RESOLUTIONS) else { return Outcome::TooBig };
    walk(&system, &templates, &resolutions)
}

fn walk(
    system: &System,
    templates: &Templates,
    resolutions: &[sequent_kernel::templates::Resolution],
) -> Outcome {
    let mut table = Table::new();
    let mut ways: BTreeSet<Vec<usize>> = BTreeSet::new();
    let mut walkers: Vec<Walker> = Vec::new();
    let mut ids: HashMap<Walker, usize> = HashMap::new();
    let mut id = |walker: Walker, walkers: &mut Vec<Walker>| {
        *ids.entry(walker.clone()).or_insert_with(|| {
            walkers.push(walker);
            walkers.len() - 1
        })
    };
    for resolution in resolutions {
        let mut way = Vec::new();
        for template in &templates.list {
            if matches!(template.letter, TemplateLetter::Exe | TemplateLetter::Rigid) {
                continue;
            }
            let formula = instantiate(&template.formula, resolution);
            let walker = table.walker(&formula);
            way.push(id(walker, &mut walkers));
        }
        ways.insert(way);
    }
    let first = (close(system, [system.initial()].into()), ways);
    let mut index: HashMap<(BTreeSet<Config>, BTreeSet<Vec<usize>>), usize> = HashMap::new();
    let mut nodes = vec![first.clone()];
    let mut came: Vec<Option<(usize, String)>> = vec![None];
    let mut counts: Vec<u128> = vec![1];
    index.insert(first, 0);
    let mut known: HashMap<(usize, usize), Option<usize>> = HashMap::new();
    let mut at_end: HashMap<usize, bool> = HashMap::new();
    let mut at = 0;
    let mut steps = 0;
    let mut total = 0u128;
    while at < nodes.len() {
        let (configs, ways) = nodes[at].clone();
        let ends = configs.iter().any(|config| system.holds(system.complete, config));
        let satisfied = ways.iter().any(|way| {
            way.iter()
                .all(|walker| *at_end.entry(*walker).or_insert_with(|| table.holds_at_end(&walkers[*walker])))
        });
        if ends != satisfied {
            let word = word(at, &came);
            let who = if ends { "only the System has" } else { "only the templates have" };
            return Outcome::Differs(format!("{who} {}", word.join(" ")));
        }
        if ends {
            total += counts[at];
        }
        let mut nexts: BTreeMap<String, BTreeSet<Config>> = BTreeMap::new();
        for config in &configs {
            for step in system.steps(config) {
                let Some(event) = system.events(&step).next() else { continue };
                let text = system.events[event].text.clone();
                nexts.entry(text).or_default().extend(system.take(&step, config));
            }
        }
        for (letter, event) in system.events.iter().enumerate() {
            let mut next: BTreeSet<Vec<usize>> = BTreeSet::new();
            for way in &ways {
                let mut to = Vec::new();
                for walker in way {
                    let next = *known.entry((*walker, letter)).or_insert_with(|| {
                        let next = table.read_on(&walkers[*walker], Some(&event.text));
                        (!table.is_false(&next)).then(|| id(next, &mut walkers))
                    });
                    let Some(next) = next else { break };
                    to.push(next);
                }
                if to.len() == way.len() {
                    next.insert(to);
                }
            }
            let configs = close(system, nexts.remove(&event.text).unwrap_or_default());
            if configs.is_empty() && next.is_empty() {
                continue;
            }
            let count = counts[at];
            let node = (configs, next);
            let to = *index.entry(node.clone()).or_insert_with(|| {
                nodes.push(node);
                came.push(Some((at, event.text.clone())));
                counts.push(0);
                nodes.len() - 1
            });
            // Every step has one more occurrence, so breadth first no count is too early.
            counts[to] += count;
        }
        steps += ways.len() * system.events.len();
        if nodes.len() > MOST_PAIRS || steps > MOST_STEPS {
            return Outcome::TooBig;
        }
        at += 1;
    }
    Outcome::Equal(total)
}

fn word(mut at: usize, came: &[Option<(usize, String)>]) -> Vec<String> {
    let mut word = Vec::new();
    while let Some((before, event)) = &came[at] {
        word.push(event.clone());
        at = *before;
    }
    word.reverse();
    word
}

/// All that invisible steps lead to, urgent ones first.
fn close(system: &System, configs: BTreeSet<Config>) -> BTreeSet<Config> {
    let mut settled = BTreeSet::new();
    let mut seen = HashSet::new();
    let mut open: Vec<Config> = configs.into_iter().collect();
    while let Some(config) = open.pop() {
        if system.holds(system.void, &config) || !seen.insert(config.clone()) {
            continue;
        }
        let steps = system.steps(&config);
        let silent = steps.iter().filter(|step| system.events(step).next().is_none());
        let urgent =
            silent.clone().find(|step| system.rules[step.0[0]].urgent).map(|step| system.actor(step));
        let taken = silent.filter(|step| urgent.is_none_or(|actor| system.actor(step) == actor));
        open.extend(taken.filter_map(|step| system.take(step, &config)));
        if urgent.is_none() {
            settled.insert(config);
        }
    }
    settled
}
