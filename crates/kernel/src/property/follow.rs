//! Following: which events of a run matter to an observer that accepts it.
//!
//! Of the ways to read the run one is taken that accepts; the events that matter are those at which it remembers something
//! new. So a run that contains a forbidden order shows the occurrences of that order, and not what lies between them.

use std::collections::HashMap;

use super::{Moment, Observer, all_marks};
use crate::system::TermId;

/// The positions at which an accepting reading of these moments remembers something new; `None` if no reading accepts
/// everything after them, or the end of the run after them. `holds` tells what is true at a position.
pub fn turning_points<O: Observer>(
    observer: &O,
    moments: &[Moment],
    mut holds: impl FnMut(usize, TermId) -> bool,
) -> Option<Vec<usize>> {
    // For each position what may be remembered after it, each with where it came from in the layer before.
    let mut layers: Vec<Vec<(O::State, usize)>> = vec![vec![(observer.first(), 0)]];
    let mut ways = Vec::new();
    for (position, moment) in moments.iter().enumerate() {
        let before = layers.last()?;
        if let Some(found) = before.iter().position(|(state, _)| observer.accepts_all(state)) {
            return Some(changes(&layers, found));
        }
        let mut layer: Vec<(O::State, usize)> = Vec::new();
        let mut seen: HashMap<O::State, usize> = HashMap::new();
        for (parent, (state, _)) in before.iter().enumerate() {
            ways.clear();
            observer.read(state, *moment, &mut |term| holds(position, term), &mut ways);
            for (next, _) in ways.drain(..) {
                seen.entry(next.clone()).or_insert_with(|| {
                    layer.push((next, parent));
                    layer.len() - 1
                });
            }
        }
        layers.push(layer);
    }
    let last = layers.last()?;
    let all = all_marks(observer.marks());
    let rests = |state: &O::State, holds: &mut dyn FnMut(usize, TermId) -> bool| {
        let mut ways = Vec::new();
        let end = moments.len().saturating_sub(1);
        observer.read(state, Moment::End, &mut |term| holds(end, term), &mut ways);
        ways.iter().any(|(next, marks)| observer.accepts_all(next) || (next == state && marks & all == all))
    };
    let accepting = |(state, _): &(O::State, usize)| observer.accepts_all(state) || rests(state, &mut holds);
    let found = last.iter().position(accepting)?;
    Some(changes(&layers, found))
}

/// Goes back from a state of the last layer; the start, at position 0, changes nothing that anybody sees.
fn changes<S: PartialEq>(layers: &[Vec<(S, usize)>], mut at: usize) -> Vec<usize> {
    let mut positions = Vec::new();
    for position in (1..layers.len() - 1).rev() {
        let (state, parent) = &layers[position + 1][at];
        if *state != layers[position][*parent].0 {
            positions.push(position);
        }
        at = *parent;
    }
    positions.reverse();
    positions
}
