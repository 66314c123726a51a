//! A list of observers, each followed through the set of its possible memories after a word.
//!
//! What each reads is asked once per set and event. Most words are refused, and mostly by the same observer: it is asked
//! first.

use std::collections::HashMap;

use sequent_kernel::id::Id;
use sequent_kernel::property::{Moment, Observer};
use sequent_kernel::system::EventId;

use crate::property::reading::{MemoryNumber, Readings};

/// Observers and the sets of what they remember; a set is known by one number throughout.
pub(crate) struct Observers<'o, O: Observer> {
    readings: Vec<Readings<'o, O>>,
    /// For each set its observer, and its memories.
    sets: Vec<(usize, Vec<MemoryNumber>)>,
    numbers: HashMap<(usize, Vec<MemoryNumber>), u32>,
    /// Where events lead, for each set by event.
    known: Vec<Vec<SetReading>>,
    /// For each event the place of the observer that refused it last.
    refused: Vec<usize>,
    endings: HashMap<u32, bool>,
}

/// What a set reads.
#[derive(Clone, Copy)]
enum SetReading {
    NotYet,
    Refused,
    To(u32),
}

impl<'o, O: Observer> Observers<'o, O> {
    pub(crate) fn new(observers: &'o [O], events: usize) -> Self {
        Observers {
            readings: observers.iter().map(|observer| Readings::new(observer, events)).collect(),
            sets: Vec::new(),
            numbers: HashMap::new(),
            known: Vec::new(),
            refused: vec![0; events],
            endings: HashMap::new(),
        }
    }

    /// Some observers after the start; `None` if one of them accepts nothing.
    pub(crate) fn begin(&mut self, observers: &[usize]) -> Option<Vec<u32>> {
        observers
            .iter()
            .map(|observer| {
                let first = self.readings[*observer].first();
                self.reads(*observer, &[first], Moment::Start)
            })
            .collect()
    }

    /// All of them after one more event; `None` if one of them cannot read it.
    pub(crate) fn read(&mut self, way: &[u32], event: EventId) -> Option<Vec<u32>> {
        let place = self.refused[event.index()];
        if let Some(set) = way.get(place) {
            self.next(*set, event)?;
        }
        let mut next = Vec::with_capacity(way.len());
        for (place, set) in way.iter().enumerate() {
            match self.next(*set, event) {
                Some(to) => next.push(to),
                None => {
                    self.refused[event.index()] = place;
                    return None;
                }
            }
        }
        Some(next)
    }

    /// The set that an event leads to.
    fn next(&mut self, set: u32, event: EventId) -> Option<u32> {
        match self.known[set as usize][event.index()] {
            SetReading::To(to) => Some(to),
            SetReading::Refused => None,
            SetReading::NotYet => {
                let (observer, memories) = self.sets[set as usize].clone();
                let to = self.reads(observer, &memories, Moment::Event(event));
                self.known[set as usize][event.index()] = to.map_or(SetReading::Refused, SetReading::To);
                to
            }
        }
    }

    /// Whether each accepts if nothing comes any more.
    pub(crate) fn ends(&mut self, way: &[u32]) -> bool {
        way.iter().all(|set| {
            if let Some(known) = self.endings.get(set) {
                return *known;
            }
            let (observer, memories) = &self.sets[*set as usize];
            let readings = &mut self.readings[*observer];
            // Templates ask for events alone.
            let ends =
                memories.iter().any(|memory| readings.accepts_end(*memory, Moment::End, &mut |_| false));
            self.endings.insert(*set, ends);
            ends
        })
    }

    /// The set after a position.
    fn reads(&mut self, observer: usize, memories: &[MemoryNumber], moment: Moment) -> Option<u32> {
        let readings = &mut self.readings[observer];
        let mut ways = Vec::new();
        for memory in memories {
            readings.read(*memory, moment, &mut |_| false, &mut ways);
        }
        let mut next: Vec<MemoryNumber> = ways.into_iter().map(|(memory, _)| memory).collect();
        next.sort_unstable();
        next.dedup();
        // A memory that accepts everything makes the others redundant.
        if let Some(all) = next.iter().copied().find(|memory| readings.accepts_all(*memory)) {
            next = vec![all];
        }
        (!next.is_empty()).then(|| self.number(observer, next))
    }

    fn number(&mut self, observer: usize, memories: Vec<MemoryNumber>) -> u32 {
        let (sets, known, events) = (&mut self.sets, &mut self.known, self.refused.len());
        *self.numbers.entry((observer, memories.clone())).or_insert_with(|| {
            sets.push((observer, memories));
            known.push(vec![SetReading::NotYet; events]);
            sets.len() as u32 - 1
        })
    }
}
