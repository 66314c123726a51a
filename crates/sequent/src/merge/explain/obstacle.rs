//! The obstacle: the smallest part of the additions that must be a conflict so that the rest has an order, whichever side is taken.
//!
//! Two messages that exclude each other come first, at one place or at two; then whole places, in growing numbers.

use std::ops::Range;

use super::reasons::exclusive_pairs;
use super::trial::Trial;
use crate::merge::machines::{DiagramProblem, FileModel};
use crate::merge::order::{AcceptorId, Added, Cut, MergeGraph, OrderProblem};
use crate::merge::side::{Interleaving, RevisionSide};

/// The most sets of places that are tried.
const MOST_SETS: usize = 200;

/// What must be a conflict, and the order of the rest.
pub(in crate::merge) struct Obstacle {
    /// The parts of gaps that are conflicts.
    pub cuts: Vec<Cut>,
    /// An order of what is left of the gaps, if one was found.
    pub order: Option<Interleaving>,
}

/// Returns the obstacle of a diagram without a merge.
pub(in crate::merge) fn obstacle(
    diagram: &DiagramProblem,
    model: &FileModel,
    first: RevisionSide,
) -> Obstacle {
    let trial = Trial::new(diagram, model);
    let readers = readers(&trial);
    let problem = &diagram.problem;
    let rest = |cuts: &[Cut]| {
        let divided = problem.divided(cuts, &readers, &|added| diagram.old.contains(&added));
        MergeGraph::within(&divided, super::trial::MOST_NODES).and_then(|graph| graph.first(first))
    };
    let sizes: Vec<(usize, [usize; 2])> = problem
        .gaps()
        .into_iter()
        .map(|gap| (gap, problem.whole(gap).ranges.map(|range| range.end)))
        .collect();
    let pairs = exclusive_pairs(&trial)
        .into_iter()
        .filter(|(ours, theirs)| ![ours, theirs].into_iter().any(|one| diagram.old.contains(one)))
        .flat_map(|(ours, theirs)| pair_cuts(&sizes, [ours, theirs]));
    let sets = pairs.chain(place_cuts(&sizes));
    let found = sets.take(MOST_SETS).find_map(|cuts| rest(&cuts).map(|order| (cuts, order)));
    match found {
        Some((cuts, order)) => Obstacle { cuts, order: Some(order) },
        None => Obstacle { cuts: all_places(problem), order: None },
    }
}

/// Returns the lifelines that can follow a side if nothing of the other side is added.
fn readers(trial: &Trial<'_>) -> Vec<(AcceptorId, RevisionSide)> {
    let mut readers = Vec::new();
    for id in trial.problem().acceptors.ids() {
        for side in RevisionSide::BOTH {
            let own = trial.without(|one| one.side != side && !trial.diagram.old.contains(&one));
            readers.extend((!trial.is_impossible(&trial.alone(id, &own))).then_some((id, side)));
        }
    }
    readers
}

fn all_places(problem: &OrderProblem) -> Vec<Cut> {
    problem.gaps().into_iter().map(|gap| problem.whole(gap)).collect()
}

/// Returns the ways to make a conflict of two additions, given the places with the numbers of additions of both sides. At two places those of the other
/// side may come before or after.
pub(in crate::merge) fn pair_cuts(sizes: &[(usize, [usize; 2])], pair: [Added; 2]) -> Vec<Vec<Cut>> {
    let [ours, theirs] = pair;
    let one = |number: usize| number..number + 1;
    if ours.segment == theirs.segment {
        return vec![vec![Cut { segment: ours.segment, ranges: [one(ours.number), one(theirs.number)] }]];
    }
    let size = |added: Added| {
        let own = sizes.iter().find(|(segment, _)| *segment == added.segment);
        own.map_or(0, |(_, sizes)| sizes[added.side.other() as usize])
    };
    let places = |added: Added| (0..=size(added)).map(|at| at..at).rev().collect::<Vec<Range<usize>>>();
    let mut found = Vec::new();
    for before in places(ours) {
        for other in places(theirs) {
            found.push(vec![
                Cut { segment: ours.segment, ranges: [one(ours.number), before.clone()] },
                Cut { segment: theirs.segment, ranges: [other, one(theirs.number)] },
            ]);
        }
    }
    found
}

/// Returns sets of whole places, one place alone first.
pub(in crate::merge) fn place_cuts(sizes: &[(usize, [usize; 2])]) -> Vec<Vec<Cut>> {
    let whole =
        |(segment, sizes): &(usize, [usize; 2])| Cut { segment: *segment, ranges: sizes.map(|size| 0..size) };
    let one = sizes.iter().map(|size| vec![whole(size)]);
    let two = sizes
        .iter()
        .enumerate()
        .flat_map(|(at, size)| sizes[at + 1..].iter().map(move |other| vec![whole(size), whole(other)]));
    let all = std::iter::once(sizes.iter().map(whole).collect());
    one.chain(two.take(MOST_SETS / 2)).chain(all).collect()
}
