//! A crowd of observers, each followed through the set of all that it may remember of a word.
//!
//! What each reads is asked once per set and event.

use std::collections::HashMap;

use sequent_kernel::property::{Moment, Observer};
use sequent_kernel::system::EventId;

use crate::property::reading::{Memory, Readings};

/// Observers and the sets of what they remember; a set is known by one number throughout.
pub struct Crowd<'o, O: Observer> {
    readings: Vec<Readings<'o, O>>,
    /// For each set whose it is, and what it holds.
    sets: Vec<(usize, Vec<Memory>)>,
    numbers: HashMap<(usize, Vec<Memory>), u32>,
    /// Where events lead, by set and event: nowhere if the observer cannot read on.
    known: HashMap<(u32, EventId), Option<u32>>,
    endings: HashMap<u32, bool>,
}

impl<'o, O: Observer> Crowd<'o, O> {
    pub fn new(observers: &'o [O], events: usize) -> Self {
        Crowd {
            readings: observers.iter().map(|observer| Readings::new(observer, events)).collect(),
            sets: Vec::new(),
            numbers: HashMap::new(),
            known: HashMap::new(),
            endings: HashMap::new(),
        }
    }

    /// Some observers after the start; `None` if one of them accepts nothing.
    pub fn begin(&mut self, observers: &[usize]) -> Option<Vec<u32>> {
        observers
            .iter()
            .map(|observer| {
                let first = self.readings[*observer].first();
                self.reads(*observer, &[first], Moment::Start)
            })
            .collect()
    }

    /// All of them after one more event; `None` if one of them cannot read it.
    pub fn read(&mut self, way: &[u32], event: EventId) -> Option<Vec<u32>> {
        let mut next = Vec::with_capacity(way.len());
        for set in way {
            let to = match self.known.get(&(*set, event)) {
                Some(known) => *known,
                None => {
                    let (observer, memories) = self.sets[*set as usize].clone();
                    let to = self.reads(observer, &memories, Moment::Event(event));
                    self.known.insert((*set, event), to);
                    to
                }
            };
            next.push(to?);
        }
        Some(next)
    }

    /// Whether each accepts if nothing comes any more.
    pub fn ends(&mut self, way: &[u32]) -> bool {
        way.iter().all(|set| {
            if let Some(known) = self.endings.get(set) {
                return *known;
            }
            let (observer, memories) = &self.sets[*set as usize];
            let readings = &mut self.readings[*observer];
            // Templates ask for events alone.
            let ends = memories.iter().any(|memory| readings.accepts_end(*memory, &mut |_| false));
            self.endings.insert(*set, ends);
            ends
        })
    }

    /// The set after a position.
    fn reads(&mut self, observer: usize, memories: &[Memory], moment: Moment) -> Option<u32> {
        let readings = &mut self.readings[observer];
        let mut ways = Vec::new();
        for memory in memories {
            readings.read(*memory, moment, &mut |_| false, &mut ways);
        }
        let mut next: Vec<Memory> = ways.into_iter().map(|(memory, _)| memory).collect();
        next.sort_unstable();
        next.dedup();
        // Who accepts everything needs no company.
        if let Some(all) = next.iter().copied().find(|memory| readings.accepts_all(*memory)) {
            next = vec![all];
        }
        (!next.is_empty()).then(|| self.number(observer, next))
    }

    fn number(&mut self, observer: usize, memories: Vec<Memory>) -> u32 {
        let sets = &mut self.sets;
        *self.numbers.entry((observer, memories.clone())).or_insert_with(|| {
            sets.push((observer, memories));
            sets.len() as u32 - 1
        })
    }
}
