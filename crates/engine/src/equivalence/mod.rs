//! Trace equivalence: whether the complete traces of a System are exactly what observers accept.
//!
//! Each alternative is a conjunction of observers; a finite word is accepted if in some alternative every observer accepts
//! it, followed by the end forever. Both sides are followed at once, breadth first, through sets: of configurations, and of
//! what the observers remember. The first word that only one side has is the shortest. A word that neither side can
//! complete is followed as long as either might.

mod observers;

use std::collections::HashMap;
use std::ops::ControlFlow;

use sequent_kernel::property::Observer;
use sequent_kernel::system::{EventId, System};

use crate::explore::{Exploration, explore};
use crate::search::{Limits, Progress, ProgressWatch, SearchStop};
use crate::traces::{SetId, Sets};
use observers::Observers;

/// Which side has a word that the other has not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WordSide {
    /// It is a trace of the System that no alternative accepts.
    System,
    /// Some alternative accepts it, and it is no trace.
    Observers,
}

/// What came of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EquivalenceResult {
    /// Both accept the same words; the number of pairs of sets that were visited.
    Same(usize),
    /// A shortest word that one side has alone.
    Differs(Vec<EventId>, WordSide),
    /// Not decided; the number of pairs of sets that were visited.
    Stopped(SearchStop, usize),
}

/// Compares a System with alternatives, each a list of observers by their places in `observers`.
pub fn compare<O: Observer>(
    system: &System,
    observers: &[O],
    alternatives: &[Vec<usize>],
    limits: &Limits,
    watch: ProgressWatch<'_>,
) -> EquivalenceResult {
    let sets = Sets::with_room(system, limits.states);
    let crowd = Observers::new(observers, system.events.len());
    let (pairs, numbers, came) = (Vec::new(), HashMap::new(), Vec::new());
    let mut search = Pairs { system, sets, crowd, pairs, numbers, came, entries: 0, at: 0 };
    let begun = alternatives.iter().filter_map(|own| search.crowd.begin(own)).collect();
    let first = Some(search.sets.first());
    search.reach((first, tidy(begun)), None);
    match explore(&mut search, limits, watch) {
        Ok(None) => EquivalenceResult::Same(search.pairs.len()),
        Ok(Some((at, side))) => EquivalenceResult::Differs(search.word(at), side),
        Err(stop) => EquivalenceResult::Stopped(stop, search.pairs.len()),
    }
}

/// A set of configurations, if the word is the beginning of a run, and the alternatives that may still accept it, each as
/// the numbers of what its observers remember.
type WordPair = (Option<SetId>, Vec<Vec<u32>>);

struct Pairs<'a, 'o, O: Observer> {
    system: &'a System,
    sets: Sets<'a>,
    crowd: Observers<'o, O>,
    pairs: Vec<WordPair>,
    numbers: HashMap<WordPair, usize>,
    /// How each pair was reached.
    came: Vec<Option<(usize, EventId)>>,
    /// How much the pairs hold.
    entries: usize,
    /// The pair that is visited next.
    at: usize,
}

impl<O: Observer> Exploration for Pairs<'_, '_, O> {
    type Found = (usize, WordSide);

    const VISITS: usize = 1;

    fn is_over(&self) -> bool {
        self.at == self.pairs.len()
    }

    fn visit(&mut self) -> ControlFlow<(usize, WordSide)> {
        let at = self.at;
        let (set, ways) = self.pairs[at].clone();
        let is_trace = set.is_some_and(|set| self.sets.class(set).is_some());
        let is_accepted = ways.iter().any(|way| self.crowd.ends(way));
        match (is_trace, is_accepted) {
            (true, false) => return ControlFlow::Break((at, WordSide::System)),
            (false, true) => return ControlFlow::Break((at, WordSide::Observers)),
            (true, true) | (false, false) => {}
        }
        let mut nexts: HashMap<EventId, SetId> = HashMap::new();
        if let Some(set) = set {
            nexts.extend(self.sets.next(set));
        }
        for event in self.system.events.ids() {
            let ways = ways.iter().filter_map(|way| self.crowd.read(way, event)).collect();
            let pair = (nexts.get(&event).copied(), tidy(ways));
            if pair.0.is_some() || !pair.1.is_empty() {
                self.reach(pair, Some((at, event)));
            }
        }
        self.at += 1;
        ControlFlow::Continue(())
    }

    fn progress(&self) -> Progress {
        // Each pair stands in two places.
        let bytes = 2 * self.entries * size_of::<u32>() + self.sets.bytes();
        Progress { states: self.pairs.len(), bytes, ..Progress::default() }
    }

    fn stop(&self) -> Option<SearchStop> {
        self.sets.is_full().then_some(SearchStop::States)
    }
}

impl<O: Observer> Pairs<'_, '_, O> {
    fn reach(&mut self, pair: WordPair, from: Option<(usize, EventId)>) {
        if self.numbers.contains_key(&pair) {
            return;
        }
        self.entries += pair.1.iter().map(|way| way.len() + 8).sum::<usize>() + 16;
        self.numbers.insert(pair.clone(), self.pairs.len());
        self.pairs.push(pair);
        self.came.push(from);
    }

    /// The word that led to a pair.
    fn word(&self, mut at: usize) -> Vec<EventId> {
        let mut word = Vec::new();
        while let Some((before, event)) = self.came[at] {
            word.push(event);
            at = before;
        }
        word.reverse();
        word
    }
}

/// Each alternative once, in order.
fn tidy(mut ways: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    ways.sort_unstable();
    ways.dedup();
    ways
}
