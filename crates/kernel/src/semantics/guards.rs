//! Guards of an interaction, seen from outside: which have one value throughout a run (rule I11).

use std::collections::{BTreeMap, BTreeSet};

use super::{Switches, proposition};
use crate::model::{Block, Combination, Fragment, InteractionId, Model};

/// The guard propositions of an interaction, and of those it uses, that have one value throughout a run: those that do not
/// stand in a loop, where every iteration asks anew; none where each fragment asks anew.
pub fn lasting_guards(model: &Model, interaction: InteractionId, switches: &Switches) -> BTreeSet<String> {
    if switches.guards_on_entry {
        return BTreeSet::new();
    }
    let (outside, fresh) = guards(model, interaction);
    outside.difference(&fresh).cloned().collect()
}

/// The guard propositions that have a value of their own in each iteration of some loop.
pub(crate) fn fresh_guards(model: &Model, interaction: InteractionId) -> BTreeSet<String> {
    guards(model, interaction).1
}

/// The guard propositions outside of loops, and those inside.
fn guards(model: &Model, interaction: InteractionId) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut all, mut fresh) = (BTreeSet::new(), BTreeSet::new());
    // An interaction that is used in a loop and outside of one is looked at twice.
    let mut seen = BTreeSet::from([(interaction, false)]);
    let mut open: Vec<(&Block, bool)> = vec![(&model.interactions[interaction].body, false)];
    while let Some((block, in_loop)) = open.pop() {
        for fragment in &block.0 {
            match fragment {
                // Guards inside a `not` have nothing to do with those outside.
                Fragment::Combined(combined)
                    if combined.operator.combination() == Combination::Complement => {}
                Fragment::Combined(combined) => {
                    let in_loop = in_loop || combined.operator.bounds().is_some();
                    let own = proposition::conditions(combined).flat_map(proposition::names);
                    if in_loop {
                        fresh.extend(own)
                    } else {
                        all.extend(own)
                    }
                    open.extend(combined.operands.iter().map(|operand| (&operand.block, in_loop)));
                }
                Fragment::Invariant(invariant) => {
                    let own = proposition::names(&invariant.condition);
                    if in_loop { fresh.extend(own) } else { all.extend(own) }
                }
                Fragment::Use(use_) => {
                    if let Some(target) = use_.target.filter(|target| seen.insert((*target, in_loop))) {
                        open.push((&model.interactions[target].body, in_loop));
                    }
                }
                Fragment::Message(_)
                | Fragment::Stop(_)
                | Fragment::Action(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        }
    }
    (all, fresh)
}

/// In how many fragments each proposition stands. Interactions that are used count twice at most: more is as much as two.
pub(super) fn uses(model: &Model, interaction: InteractionId) -> BTreeMap<String, usize> {
    let mut uses = BTreeMap::new();
    count(model, &model.interactions[interaction].body, &mut vec![interaction], &mut uses);
    uses
}

fn count(model: &Model, block: &Block, visited: &mut Vec<InteractionId>, uses: &mut BTreeMap<String, usize>) {
    for fragment in &block.0 {
        match fragment {
            Fragment::Combined(combined) => {
                let mut texts: Vec<String> =
                    proposition::conditions(combined).flat_map(proposition::names).collect();
                for operand in &combined.operands {
                    count(model, &operand.block, visited, uses);
                }
                texts.sort();
                texts.dedup();
                texts.into_iter().for_each(|text| *uses.entry(text).or_default() += 1);
            }
            Fragment::Invariant(invariant) => {
                for name in proposition::names(&invariant.condition) {
                    *uses.entry(name).or_default() += 1;
                }
            }
            Fragment::Use(use_) => {
                let times = |target: &InteractionId| visited.iter().filter(|one| *one == target).count();
                if let Some(target) = use_.target.filter(|target| times(target) < 2) {
                    visited.push(target);
                    count(model, &model.interactions[target].body, visited, uses);
                }
            }
            Fragment::Message(_)
            | Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => {}
        }
    }
}
