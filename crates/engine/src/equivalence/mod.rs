//! Words: whether the complete traces of a System are exactly what observers accept.
//!
//! Each alternative is a conjunction of observers; a finite word is accepted if in some alternative every observer accepts
//! it, followed by the end forever. Both sides are followed at once, breadth first, through sets: of configurations, and of
//! what the observers remember. The first word that only one side has is the shortest. A word that neither side can
//! complete is followed as long as either might.

mod observers;

use std::collections::HashMap;

use sequent_kernel::property::Observer;
use sequent_kernel::system::{EventId, System};

use crate::search::{Limits, Progress, Stop, Watch};
use crate::traces::{SetId, Sets};
use observers::Observers;

/// Which side has a word that the other has not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// It is a trace of the System that no alternative accepts.
    System,
    /// Some alternative accepts it, and it is no trace.
    Observers,
}

/// What came of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// Both have the same words; so many pairs of sets were visited.
    Same(usize),
    /// A shortest word that one side has alone.
    Differs(Vec<EventId>, Side),
    /// It was not decided, after so many pairs.
    Stopped(Stop, usize),
}

/// Compares a System with alternatives, each a list of observers by their places in `observers`.
pub fn compare<O: Observer>(
    system: &System,
    observers: &[O],
    alternatives: &[Vec<usize>],
    limits: &Limits,
    watch: Watch<'_>,
) -> Comparison {
    let sets = Sets::with_room(system, limits.states);
    let crowd = Observers::new(observers, system.events.len());
    let mut search =
        Pairs { sets, crowd, pairs: Vec::new(), numbers: HashMap::new(), came: Vec::new(), entries: 0 };
    search.run(system, alternatives, limits, watch)
}

/// A set of configurations, if the word is the beginning of a run, and the alternatives that may still accept it, each as
/// the numbers of what its observers remember.
type Pair = (Option<SetId>, Vec<Vec<u32>>);

struct Pairs<'a, 'o, O: Observer> {
    sets: Sets<'a>,
    crowd: Observers<'o, O>,
    pairs: Vec<Pair>,
    numbers: HashMap<Pair, usize>,
    /// How each pair was reached.
    came: Vec<Option<(usize, EventId)>>,
    /// How much the pairs hold.
    entries: usize,
}

impl<O: Observer> Pairs<'_, '_, O> {
    fn run(
        &mut self,
        system: &System,
        alternatives: &[Vec<usize>],
        limits: &Limits,
        watch: Watch<'_>,
    ) -> Comparison {
        let begun = alternatives.iter().filter_map(|own| self.crowd.begin(own)).collect();
        let first = Some(self.sets.first());
        self.reach((first, tidy(begun)), None);
        let mut at = 0;
        while at < self.pairs.len() {
            if let Some(stop) = self.exceeds(limits, watch) {
                return Comparison::Stopped(stop, self.pairs.len());
            }
            let (set, ways) = self.pairs[at].clone();
            let is_trace = set.is_some_and(|set| self.sets.class(set).is_some());
            let is_accepted = ways.iter().any(|way| self.crowd.ends(way));
            match (is_trace, is_accepted) {
                (true, false) => return Comparison::Differs(self.word(at), Side::System),
                (false, true) => return Comparison::Differs(self.word(at), Side::Observers),
                (true, true) | (false, false) => {}
            }
            let mut nexts: HashMap<EventId, SetId> = HashMap::new();
            if let Some(set) = set {
                nexts.extend(self.sets.next(set));
            }
            for event in system.events.ids() {
                let ways = ways.iter().filter_map(|way| self.crowd.read(way, event)).collect();
                let pair = (nexts.get(&event).copied(), tidy(ways));
                if pair.0.is_some() || !pair.1.is_empty() {
                    self.reach(pair, Some((at, event)));
                }
            }
            at += 1;
        }
        Comparison::Same(self.pairs.len())
    }

    fn reach(&mut self, pair: Pair, from: Option<(usize, EventId)>) {
        if self.numbers.contains_key(&pair) {
            return;
        }
        self.entries += pair.1.iter().map(|way| way.len() + 8).sum::<usize>() + 16;
        self.numbers.insert(pair.clone(), self.pairs.len());
        self.pairs.push(pair);
        self.came.push(from);
    }

    fn exceeds(&self, limits: &Limits, watch: Watch<'_>) -> Option<Stop> {
        // Each pair stands in two places.
        let bytes = 2 * self.entries * size_of::<u32>() + self.sets.bytes();
        let progress = Progress { states: self.pairs.len(), bytes, ..Progress::default() };
        match progress {
            progress if progress.states > limits.states || self.sets.is_full() => Some(Stop::States),
            progress if progress.bytes > limits.bytes => Some(Stop::Memory),
            progress if watch(&progress).is_break() => Some(Stop::Watch),
            _ => None,
        }
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
