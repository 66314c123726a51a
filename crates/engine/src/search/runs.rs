//! Runs: one after the other, depth first, up to their proper ends.
//!
//! Nothing is remembered but the way to the current state, so runs are listed as they are, however often states are met
//! again. Two neighbours differ only in how they go on after a common beginning.

use sequent_kernel::replay::Run;
use sequent_kernel::system::Step;

use super::expand::{Expander, ExpansionScratch};
use crate::packed::Program;

/// A state on the way: the successors that were not followed yet, and how many steps led to the state.
struct PendingState {
    left: Vec<(Vec<u64>, Vec<Step>)>,
    steps: usize,
}

/// Complete runs, those with later rules first, so that loops end before they go on: at most `most` runs, of
/// at most `longest` states. Also whether these are all.
pub fn runs(program: &Program<'_>, most: usize, longest: usize) -> (Vec<Run>, bool) {
    let expander = Expander { program, stubborn: None, goal: None };
    let mut room = ExpansionScratch::default();
    let mut runs = Vec::new();
    let Some((first, mut steps)) = expander.first(&mut room) else { return (runs, true) };
    let mut is_all = true;
    let mut open = vec![PendingState { left: vec![(first, Vec::new())], steps: steps.len() }];
    while let Some(stop) = open.last_mut() {
        steps.truncate(stop.steps);
        let Some((state, way)) = stop.left.pop() else {
            open.pop();
            continue;
        };
        steps.extend(way);
        if expander.holds(program.system.complete, &state, &mut room) {
            if runs.len() == most {
                return (runs, false);
            }
            runs.push(Run { steps: steps.clone(), cycle: None });
        }
        let mut left = Vec::new();
        expander.expand(&state, &mut room, |next, way| left.push((next.to_vec(), way.steps().collect())));
        if open.len() >= longest && !left.is_empty() {
            // Close to the limit nothing comes to its end any more: back to where there is room.
            is_all = false;
            open.truncate(longest - longest / 4);
            continue;
        }
        open.push(PendingState { left, steps: steps.len() });
    }
    (runs, is_all)
}
