//! Reports: the messages from workers to the coordinator, in bytes.

use std::sync::atomic::Ordering;

use sequent_engine::search::SearchStop;

use crate::bytes::{ByteReader, ByteWriter};
use crate::cycle::{CycleEntry, CycleOutcome};
use crate::explore::{Pulse, WorkerOutcome};
use crate::parcel::StateName;

/// How far a worker has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Advance {
    /// Its states.
    pub states: u64,
    /// The bytes that they take.
    pub bytes: u64,
    /// The level.
    pub depth: u64,
    /// Steps taken.
    pub transitions: u64,
    /// Bytes sent to other workers.
    pub sent: u64,
}

/// Addresses in bytes.
pub(crate) fn write_addresses(addresses: &[String]) -> Vec<u8> {
    let mut out = ByteWriter::default();
    out.number(addresses.len() as u64);
    addresses.iter().for_each(|address| out.text(address));
    out.0
}

/// The addresses in some bytes.
pub(crate) fn read_addresses(bytes: &[u8]) -> Option<Vec<String>> {
    let mut from = ByteReader(bytes);
    let count = from.count().filter(|count| *count <= crate::MOST)?;
    (0..count).map(|_| from.text().map(str::to_owned)).collect()
}

/// How far a worker has come, in bytes.
pub(crate) fn write_pulse(pulse: &Pulse) -> Vec<u8> {
    let mut out = ByteWriter::default();
    for value in [&pulse.states, &pulse.bytes, &pulse.depth, &pulse.transitions, &pulse.sent] {
        out.number(value.load(Ordering::Relaxed));
    }
    out.0
}

/// How far a worker has come, by what it says.
pub(crate) fn read_advance(from: &mut ByteReader<'_>) -> Option<Advance> {
    Some(Advance {
        states: from.number()?,
        bytes: from.number()?,
        depth: from.number()?,
        transitions: from.number()?,
        sent: from.number()?,
    })
}

/// What a worker knows at the end, in bytes.
pub(crate) fn write_outcome(outcome: &WorkerOutcome, pulse: &Pulse) -> Vec<u8> {
    let mut out = ByteWriter(write_pulse(pulse));
    out.number(outcome.states);
    out.option(outcome.found.map(|name| name.0));
    out.number(outcome.shards.len() as u64);
    for (shard, start, end) in &outcome.shards {
        [shard, start, end].into_iter().for_each(|value| out.number(*value as u64));
    }
    out.truth(outcome.was_strained);
    out.truth(outcome.is_open);
    out.option(outcome.strained.map(|name| name.0));
    write_stop(&mut out, outcome.stop);
    out.0
}

fn write_stop(out: &mut ByteWriter, stop: Option<SearchStop>) {
    out.option(stop.and_then(|stop| STOPS.iter().position(|one| *one == stop)).map(|at| at as u64));
}

fn read_stop(from: &mut ByteReader<'_>) -> Option<Option<SearchStop>> {
    match from.option()? {
        Some(number) => STOPS.get(usize::try_from(number).ok()?).copied().map(Some),
        None => Some(None),
    }
}

/// Why searches stop, by number.
const STOPS: [SearchStop; 4] = [SearchStop::States, SearchStop::Memory, SearchStop::Depth, SearchStop::Watch];

/// What a worker knows at the end.
pub(crate) fn read_outcome(bytes: &[u8]) -> Option<(WorkerOutcome, Advance)> {
    let mut from = ByteReader(bytes);
    let advance = read_advance(&mut from)?;
    let states = from.number()?;
    let found = from.option()?.map(StateName);
    let count = from.count()?;
    let shards: Option<Vec<_>> =
        (0..count).map(|_| Some((from.count()?, from.count()?, from.count()?))).collect();
    let was_strained = from.truth()?;
    let is_open = from.truth()?;
    let strained = from.option()?.map(StateName);
    let stop = read_stop(&mut from)?;
    Some((WorkerOutcome { states, found, shards: shards?, was_strained, is_open, strained, stop }, advance))
}

/// What a worker found out about cycles, in bytes.
pub(crate) fn write_cycle(outcome: &CycleOutcome, pulse: &Pulse) -> Vec<u8> {
    let mut out = ByteWriter(write_pulse(pulse));
    out.truth(outcome.found.is_some());
    if let Some(CycleEntry { rank, name, met }) = outcome.found {
        [rank, name.0, met].into_iter().for_each(|value| out.number(value));
    }
    write_stop(&mut out, outcome.stop);
    out.0
}

/// What a worker found out about cycles.
pub(crate) fn read_cycle(bytes: &[u8]) -> Option<(CycleOutcome, Advance)> {
    let mut from = ByteReader(bytes);
    let advance = read_advance(&mut from)?;
    let found = match from.truth()? {
        true => {
            Some(CycleEntry { rank: from.number()?, name: StateName(from.number()?), met: from.number()? })
        }
        false => None,
    };
    Some((CycleOutcome { found, stop: read_stop(&mut from)? }, advance))
}

/// A state and its parent, in bytes.
pub(crate) fn write_state(state: &[u64], parent: StateName) -> Vec<u8> {
    let mut out = ByteWriter::default();
    out.number(parent.0);
    out.numbers(state.iter().copied());
    out.0
}

/// A state and its parent.
pub(crate) fn read_state(bytes: &[u8]) -> Option<(Vec<u64>, StateName)> {
    let mut from = ByteReader(bytes);
    let parent = StateName(from.number()?);
    Some((from.numbers()?, parent))
}

/// A number in bytes.
pub(crate) fn write_count(count: usize) -> Vec<u8> {
    let mut out = ByteWriter::default();
    out.number(count as u64);
    out.0
}
