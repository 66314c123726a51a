//! States on disk: those of a shard that do not fit into memory.
//!
//! All states lie one after the other in a log, by their numbers, with their parents. Whether a state is among them is asked for many
//! states at once, when a level is complete (delayed duplicate detection: U. Stern and D. Dill, "Using magnetic disk instead of main
//! memory in the Murphi verifier", CAV 1998): what is asked is sorted, and so are the states in a few runs, each at least four times as
//! long as the next. Of a run on disk the first state of each block is kept in memory: so a block is read where something is asked that
//! may lie in it, once and in order. Short runs stay in memory.
//!
//! A file has no name as soon as it is open, where the system allows that; so nothing stays behind, however a worker ends.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Result, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::parcel::StateName;

/// The bytes of a block.
const BLOCK: usize = 1 << 14;

/// A file without a name; or with one until it is dropped.
#[derive(Debug)]
struct ScratchFile {
    file: File,
    path: Option<PathBuf>,
}

/// Files of one process have different names.
static FILES: AtomicU64 = AtomicU64::new(0);

impl ScratchFile {
    fn new(folder: &Path) -> Result<Self> {
        let number = FILES.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("sequent-{}-{number}.states", std::process::id()));
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        let is_unnamed = std::fs::remove_file(&path).is_ok();
        Ok(ScratchFile { file, path: (!is_unnamed).then_some(path) })
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> Result<()> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(bytes)
    }
}

impl Drop for ScratchFile {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // Somebody may have removed it.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Whether a folder can hold files of states; an error says why not.
pub(crate) fn try_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let scratch = ScratchFile::new(folder)?;
    (&scratch.file).write_all(&[0; BLOCK])
}

/// The states of a shard on disk.
#[derive(Debug)]
pub(crate) struct DiskShard {
    folder: PathBuf,
    words: usize,
    /// Short runs have at most this many bytes.
    short: usize,
    log: ScratchFile,
    /// How many states there are.
    len: usize,
    runs: Vec<SortedRun>,
}

/// States in order.
#[derive(Debug)]
enum SortedRun {
    Short(Vec<u64>),
    Long(LongRun),
}

/// States in order, on disk.
#[derive(Debug)]
struct LongRun {
    file: ScratchFile,
    len: usize,
    /// The first state of each block.
    fences: Vec<u64>,
}

impl DiskShard {
    /// No states yet, of a number of words; files lie in a folder.
    pub(crate) fn new(folder: &Path, words: usize, short: usize) -> Result<Self> {
        let log = ScratchFile::new(folder)?;
        Ok(DiskShard { folder: folder.to_owned(), words, short, log, len: 0, runs: Vec::new() })
    }

    /// The bytes of a state in the log.
    fn record(&self) -> usize {
        self.words * size_of::<u64>() + size_of::<u8>() + size_of::<u32>()
    }

    /// Appends states that are new, each with its parent.
    pub(crate) fn append(&mut self, states: &[u64], parents: impl Iterator<Item = StateName>) -> Result<()> {
        if states.is_empty() {
            return Ok(());
        }
        self.log.file.seek(SeekFrom::Start((self.len * self.record()) as u64))?;
        let mut out = BufWriter::with_capacity(1 << 16, &self.log.file);
        for (state, parent) in states.chunks_exact(self.words).zip(parents) {
            for word in state {
                out.write_all(&word.to_le_bytes())?;
            }
            out.write_all(&[parent.shard() as u8])?;
            out.write_all(&(parent.local() as u32).to_le_bytes())?;
        }
        out.flush()?;
        drop(out);
        self.len += states.len() / self.words;
        let state = |number: &u32| &states[*number as usize * self.words..][..self.words];
        let mut order: Vec<u32> = (0..(states.len() / self.words) as u32).collect();
        order.sort_unstable_by(|one, other| state(one).cmp(state(other)));
        if size_of_val(states) > self.short {
            let mut out = SortedRunWriter::new(&self.folder, self.words)?;
            order.iter().try_for_each(|number| out.push(state(number)))?;
            self.runs.push(SortedRun::Long(out.finish()?));
        } else {
            self.runs.push(SortedRun::Short(order.iter().flat_map(state).copied().collect()));
        }
        self.merge()
    }

    /// A state and its parent.
    pub(crate) fn state(&self, local: usize) -> Result<(Vec<u64>, StateName)> {
        let mut record = vec![0; self.record()];
        self.log.read_at((local * self.record()) as u64, &mut record)?;
        let (state, parent) = record.split_at(self.words * size_of::<u64>());
        let [shard, local @ ..] = parent else { return Err(std::io::ErrorKind::UnexpectedEof.into()) };
        let local = local.try_into().map_or(0, u32::from_le_bytes);
        Ok((words(state).collect(), StateName::new(usize::from(*shard), local as usize)))
    }

    /// Whether each of some states, which are in order, is there.
    pub(crate) fn contains<'s>(&self, count: usize, state: impl Fn(usize) -> &'s [u64]) -> Result<Vec<bool>> {
        let mut known = vec![false; count];
        for run in &self.runs {
            match run {
                SortedRun::Short(run) => {
                    for (at, known) in known.iter_mut().enumerate().filter(|(_, known)| !**known) {
                        *known = is_among(run, self.words, state(at));
                    }
                }
                SortedRun::Long(run) => run.look_for(&state, self.words, &mut known)?,
            }
        }
        Ok(known)
    }

    /// Merges runs until each is at least four times as long as the next, and puts those on disk that are not short any more.
    fn merge(&mut self) -> Result<()> {
        loop {
            match self.runs.as_slice() {
                [.., before, last] if before.len(self.words) < 4 * last.len(self.words) => {}
                _ => break,
            }
            let (Some(last), Some(before)) = (self.runs.pop(), self.runs.pop()) else { break };
            let merged = self.merged(before, last)?;
            self.runs.push(merged);
        }
        if let Some(SortedRun::Short(run)) = self.runs.pop_if(|run| run.bytes() > self.short) {
            let mut out = SortedRunWriter::new(&self.folder, self.words)?;
            run.chunks_exact(self.words).try_for_each(|state| out.push(state))?;
            self.runs.push(SortedRun::Long(out.finish()?));
        }
        Ok(())
    }

    fn merged(&self, one: SortedRun, other: SortedRun) -> Result<SortedRun> {
        let is_short = one.bytes() + other.bytes() <= self.short
            && matches!((&one, &other), (SortedRun::Short(_), SortedRun::Short(_)));
        let mut short = Vec::new();
        let mut long = if is_short { None } else { Some(SortedRunWriter::new(&self.folder, self.words)?) };
        let mut sources = [RunReader::new(&one, self.words)?, RunReader::new(&other, self.words)?];
        loop {
            let (next, state) = match [sources[0].state(), sources[1].state()] {
                [None, None] => break,
                [Some(one), Some(other)] if one <= other => (0, one),
                [Some(one), None] => (0, one),
                [_, Some(other)] => (1, other),
            };
            match &mut long {
                Some(long) => long.push(state)?,
                None => short.extend_from_slice(state),
            }
            sources[next].advance()?;
        }
        Ok(match long {
            Some(long) => SortedRun::Long(long.finish()?),
            None => SortedRun::Short(short),
        })
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// How much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        let own = |run: &SortedRun| match run {
            SortedRun::Short(run) => run.capacity() * size_of::<u64>(),
            SortedRun::Long(run) => run.fences.capacity() * size_of::<u64>(),
        };
        self.runs.iter().map(own).sum()
    }
}

impl SortedRun {
    fn len(&self, words: usize) -> usize {
        match self {
            SortedRun::Short(run) => run.len() / words,
            SortedRun::Long(run) => run.len,
        }
    }

    /// The bytes in memory of a short one.
    fn bytes(&self) -> usize {
        match self {
            SortedRun::Short(run) => run.len() * size_of::<u64>(),
            SortedRun::Long(_) => 0,
        }
    }
}

impl LongRun {
    /// Looks for states, which are in order, block by block.
    fn look_for<'s>(
        &self,
        states: &impl Fn(usize) -> &'s [u64],
        count: usize,
        known: &mut [bool],
    ) -> Result<()> {
        let each = per_block(count);
        let (mut loaded, mut block, mut bytes) = (None, Vec::new(), Vec::new());
        for (at, known) in known.iter_mut().enumerate().filter(|(_, known)| !**known) {
            let state = states(at);
            let after = partition(&self.fences, count, |fence| fence <= state);
            let Some(number) = after.checked_sub(1) else { continue };
            if loaded != Some(number) {
                let len = each.min(self.len - number * each);
                bytes.resize(len * count * size_of::<u64>(), 0);
                self.file.read_at((number * each * count * size_of::<u64>()) as u64, &mut bytes)?;
                block.clear();
                block.extend(words(&bytes));
                loaded = Some(number);
            }
            *known = is_among(&block, count, state);
        }
        Ok(())
    }
}

/// How many states of a number of words a block has.
fn per_block(words: usize) -> usize {
    (BLOCK / size_of::<u64>() / words).max(1)
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(size_of::<u64>()).map(|word| word.try_into().map_or(0, u64::from_le_bytes))
}

/// How many of the first of some states, which are in order, satisfy a predicate.
fn partition(states: &[u64], words: usize, is_before: impl Fn(&[u64]) -> bool) -> usize {
    let (mut low, mut high) = (0, states.len() / words);
    while low < high {
        let middle = low.midpoint(high);
        match is_before(&states[middle * words..][..words]) {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
}

fn is_among(states: &[u64], words: usize, state: &[u64]) -> bool {
    let at = partition(states, words, |one| one < state);
    states.get(at * words..(at + 1) * words) == Some(state)
}

/// Writes a run.
struct SortedRunWriter {
    file: ScratchFile,
    out: BufWriter<File>,
    words: usize,
    len: usize,
    fences: Vec<u64>,
}

impl SortedRunWriter {
    fn new(folder: &Path, words: usize) -> Result<Self> {
        let file = ScratchFile::new(folder)?;
        let out = BufWriter::with_capacity(1 << 16, file.file.try_clone()?);
        Ok(SortedRunWriter { file, out, words, len: 0, fences: Vec::new() })
    }

    fn push(&mut self, state: &[u64]) -> Result<()> {
        if self.len.is_multiple_of(per_block(self.words)) {
            self.fences.extend_from_slice(state);
        }
        self.len += 1;
        state.iter().try_for_each(|word| self.out.write_all(&word.to_le_bytes()))
    }

    fn finish(self) -> Result<LongRun> {
        let SortedRunWriter { file, mut out, len, fences, .. } = self;
        out.flush()?;
        Ok(LongRun { file, len, fences })
    }
}

/// Reads a run, state by state.
struct RunReader<'r> {
    source: RunSource<'r>,
    words: usize,
    left: usize,
    state: Vec<u64>,
}

enum RunSource<'r> {
    Short(std::slice::ChunksExact<'r, u64>),
    Long(BufReader<&'r File>),
}

impl<'r> RunReader<'r> {
    /// At the first state.
    fn new(run: &'r SortedRun, words: usize) -> Result<Self> {
        let source = match run {
            SortedRun::Short(run) => RunSource::Short(run.chunks_exact(words)),
            SortedRun::Long(run) => {
                let mut file = &run.file.file;
                file.seek(SeekFrom::Start(0))?;
                RunSource::Long(BufReader::with_capacity(1 << 16, file))
            }
        };
        let mut reader = RunReader { source, words, left: run.len(words), state: Vec::new() };
        reader.advance()?;
        Ok(reader)
    }

    /// The current state; none at the end.
    fn state(&self) -> Option<&[u64]> {
        (!self.state.is_empty()).then_some(&self.state)
    }

    fn advance(&mut self) -> Result<()> {
        self.state.clear();
        let Some(left) = self.left.checked_sub(1) else { return Ok(()) };
        self.left = left;
        match &mut self.source {
            RunSource::Short(states) => self.state.extend(states.next().into_iter().flatten()),
            RunSource::Long(file) => {
                for _ in 0..self.words {
                    let mut word = [0; size_of::<u64>()];
                    file.read_exact(&mut word)?;
                    self.state.push(u64::from_le_bytes(word));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use sequent_kernel::random::Random;

    use super::{DiskShard, StateName, try_folder};

    #[test]
    fn states_are_found_again_in_runs_of_any_length() {
        let folder = std::env::temp_dir().join(format!("sequent-disk-test-{}", std::process::id()));
        try_folder(&folder).expect("there is room");
        for (seed, words) in (0..20).zip([1, 2, 3, 5].into_iter().cycle()) {
            let mut dice = Random::new(seed);
            let mut shard = DiskShard::new(&folder, words, 100 << dice.below(12)).expect("there is room");
            let mut all: Vec<Vec<u64>> = Vec::new();
            let mut known: BTreeSet<Vec<u64>> = BTreeSet::new();
            let any = |dice: &mut Random| -> Vec<u64> {
                (0..words).map(|word| dice.below(if word == 0 { 3_000 } else { 2 }) as u64).collect()
            };
            for _ in 0..30 {
                let asked: BTreeSet<Vec<u64>> = (0..dice.below(600)).map(|_| any(&mut dice)).collect();
                let sorted: Vec<&[u64]> = asked.iter().map(Vec::as_slice).collect();
                let found = shard.contains(sorted.len(), |at| sorted[at]).expect("the files are there");
                let expected: Vec<bool> = asked.iter().map(|state| known.contains(state)).collect();
                assert_eq!(found, expected, "seed {seed}");
                let mut fresh: Vec<Vec<u64>> =
                    asked.into_iter().filter(|state| !known.contains(state)).collect();
                fresh.sort_by_key(|state| std::cmp::Reverse(state.clone()));
                let parents = (all.len()..).map(|local| StateName::new(63, local)).take(fresh.len());
                shard.append(&fresh.concat(), parents).expect("there is room");
                known.extend(fresh.iter().cloned());
                all.extend(fresh);
            }
            for (local, state) in all.iter().enumerate() {
                let expected = (state.clone(), StateName::new(63, local));
                assert_eq!(shard.state(local).expect("it is there"), expected);
            }
        }
        std::fs::remove_dir(&folder).expect("nothing is left in it");
    }
}
