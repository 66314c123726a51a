//! Linear extensions of one run, with what is forbidden while a region is open (rules I5, I6, I10).

use std::collections::BTreeSet;
use std::rc::Rc;

use super::TraceSet;
use super::run::{ChosenInteraction, Happening, OccurrenceSet};

/// While `open` and `inside` is not over, only `inside` may happen on its lifeline.
struct ListedRegion {
    /// The lifeline's occurrences.
    lifeline: u64,
    inside: u64,
    /// It opens once all of these have happened ...
    all: u64,
    /// ... and one of these.
    any: Option<u64>,
}

/// Linear extensions, one occurrence after the other.
pub(super) struct Listing<'r> {
    happenings: &'r [Happening],
    before: Vec<u64>,
    regions: Vec<ListedRegion>,
}

impl<'r> Listing<'r> {
    pub(crate) fn new(run: &'r ChosenInteraction) -> Self {
        let mut before = vec![0; run.happenings.len()];
        for (first, second) in run.drawn.iter().chain(&run.enforced) {
            before[*second] |= 1 << first;
        }
        let mut listing = Listing { happenings: &run.happenings, before, regions: Vec::new() };
        // I5: it opens with its first occurrence.
        for (lifeline, inside, _) in listing.parts(&run.criticals) {
            listing.regions.push(ListedRegion {
                lifeline,
                inside,
                all: 0,
                any: Some(inside & listing.seen()),
            });
        }
        // I6: it opens when all that is drawn before it on the lifeline has happened, and what strictly comes before it.
        for (lifeline, inside, own) in listing.parts(&run.asserts) {
            let is_before = |pair: &&(usize, usize)| {
                let is_outside = inside & 1 << pair.1 != 0 && own & 1 << pair.0 == 0;
                is_outside && (lifeline & 1 << pair.0 != 0 || run.strict.contains(pair))
            };
            let all = run.drawn.iter().filter(is_before).fold(0, |all, (first, _)| all | 1 << first);
            listing.regions.push(ListedRegion { lifeline, inside, all, any: None });
        }
        // I10: it opens with the call, and only the reply may come.
        for (send, receive) in &run.calls {
            let lifeline = listing.lifeline(&run.happenings[*send].lifelines[0]);
            let region = ListedRegion { lifeline, inside: 1 << receive, all: 1 << send, any: None };
            listing.regions.push(region);
        }
        listing
    }

    /// All occurrences, without invariants.
    fn seen(&self) -> u64 {
        let seen = self.happenings.iter().enumerate().filter(|(_, happening)| happening.text.is_some());
        seen.fold(0, |mask, (index, _)| mask | 1 << index)
    }

    fn lifeline(&self, name: &String) -> u64 {
        let on =
            self.happenings.iter().enumerate().filter(|(_, happening)| happening.lifelines.contains(name));
        on.fold(0, |mask, (index, _)| mask | 1 << index)
    }

    /// Each set, divided by lifelines: all occurrences there, those of the set, and the whole set.
    fn parts(&self, sets: &[OccurrenceSet]) -> Vec<(u64, u64, u64)> {
        let mut parts = Vec::new();
        for set in sets {
            let names: BTreeSet<&String> =
                set.iter().flat_map(|index| &self.happenings[*index].lifelines).collect();
            let own = set.iter().fold(0, |mask, index| mask | 1 << index);
            for lifeline in names.into_iter().map(|name| self.lifeline(name)) {
                parts.push((lifeline, lifeline & own, own));
            }
        }
        parts
    }

    /// Lists what follows after `done`; `None` if there are too many steps.
    pub(crate) fn list(
        &self,
        done: u64,
        trace: &mut Vec<Rc<str>>,
        steps: &mut usize,
        traces: &mut TraceSet,
    ) -> Option<()> {
        *steps = steps.checked_sub(1)?;
        if done.count_ones() as usize == self.happenings.len() {
            traces.insert(trace.clone());
        }
        for (index, happening) in self.happenings.iter().enumerate() {
            let bit = 1 << index;
            let is_free = done & bit == 0 && self.before[index] & !done == 0;
            let is_forbidden = || self.regions.iter().any(|region| region.forbids(bit, done));
            match &happening.text {
                Some(text) if is_free && !is_forbidden() => {
                    trace.push(text.clone());
                    self.list(done | bit, trace, steps, traces)?;
                    trace.pop();
                }
                None if is_free => self.list(done | bit, trace, steps, traces)?,
                Some(_) | None => {}
            }
        }
        Some(())
    }
}

impl ListedRegion {
    fn forbids(&self, bit: u64, done: u64) -> bool {
        let is_open = self.all & !done == 0 && self.any.is_none_or(|any| any & done != 0);
        is_open && self.inside & !done != 0 && self.lifeline & bit != 0 && self.inside & bit == 0
    }
}
