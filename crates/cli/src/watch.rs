//! Watching a search: the clock, the limits, and a line of progress on a terminal.

use std::cell::{Cell, RefCell};
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use sequent::effort::Effort;
use sequent_engine::search::{Limits, Progress, ProgressWatch};

use crate::budget::{self, Budget};
use crate::cli::WorkArguments;

/// How often the line is written.
const BEAT: Duration = Duration::from_millis(200);

/// The first line is written after this time: short work shows none.
const PATIENCE: Duration = Duration::from_millis(700);

/// Sees how searches go on.
pub(crate) struct ProgressPrinter {
    start: Instant,
    time: Option<Duration>,
    memory: Option<usize>,
    is_limited: bool,
    threads: usize,
    is_shown: bool,
    last: Cell<Option<Instant>>,
    states: Cell<usize>,
    line: RefCell<String>,
}

/// How a search goes on, in words, for terminals and the page alike.
pub(crate) fn words(progress: &Progress, elapsed: Duration) -> String {
    let Progress { states, depth, bytes, .. } = progress;
    let seconds = elapsed.as_secs_f64();
    let told = format!("{seconds:.1} s");
    if *states == 0 {
        return told;
    }
    let rate = (*states as f64 / seconds.max(0.001)) as u64;
    format!("{told}, {states} states, {rate} per second, depth {depth}, {} MB", bytes >> 20)
}

impl ProgressPrinter {
    /// A watcher that breaks off when the options say so.
    pub(crate) fn new(work: &WorkArguments) -> Self {
        Self::within(work, work.budget())
    }

    /// The same for work that can grow without bound: it ends at the default where no limit is set.
    pub(crate) fn bounded(work: &WorkArguments) -> Self {
        Self::within(work, work.budget().or_default())
    }

    fn within(work: &WorkArguments, budget: Budget) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        ProgressPrinter {
            start: budget::start(),
            time: budget.time,
            memory: budget.bytes,
            is_limited: !budget.is_default && (budget.time.is_some() || budget.bytes.is_some()),
            threads: work.threads.unwrap_or(cores).max(1),
            is_shown: std::io::stderr().is_terminal(),
            last: Cell::new(None),
            states: Cell::new(0),
            line: RefCell::new(String::new()),
        }
    }

    /// After how many milliseconds everything should be over.
    pub(crate) fn until(&self) -> Option<u64> {
        self.time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
    }

    /// How many rules may be looked at. With a limit of time or memory there is no other bound; without one,
    /// a single question gets `patience` times the default effort.
    pub(crate) fn looks(&self, patience: usize) -> usize {
        if self.has_limit() { usize::MAX } else { Effort::default().looks * patience }
    }

    /// How many threads search.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// How many bytes the states may take.
    pub(crate) fn bytes(&self) -> usize {
        self.memory.unwrap_or(Limits::default().bytes)
    }

    /// Whether a limit of time or memory is set.
    pub(crate) fn has_limit(&self) -> bool {
        self.is_limited
    }

    /// How many states there were when it was last looked.
    pub(crate) fn states(&self) -> usize {
        self.states.get()
    }

    /// Milliseconds since the command began.
    pub(crate) fn millis(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Does some work under these eyes, and cleans up the line.
    pub(crate) fn see<T>(&self, work: impl FnOnce(ProgressWatch<'_>) -> T) -> T {
        let result = work(&|progress| self.look(progress));
        self.show("");
        result
    }

    fn look(&self, progress: &Progress) -> ControlFlow<()> {
        self.states.set(progress.states);
        let now = Instant::now();
        let elapsed = now.duration_since(self.start);
        let is_due = self.last.get().is_none_or(|last| now.duration_since(last) >= BEAT);
        if self.is_shown && is_due && elapsed >= PATIENCE {
            self.last.set(Some(now));
            self.show(&words(progress, elapsed));
        }
        match self.time.is_some_and(|time| elapsed > time) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Writes the line over the one before.
    fn show(&self, text: &str) {
        let mut line = self.line.borrow_mut();
        if line.is_empty() && text.is_empty() {
            return;
        }
        let blank = " ".repeat(line.chars().count().saturating_sub(text.chars().count()));
        let end = if text.is_empty() { "\r" } else { "" };
        // Progress is optional: a failed write to the terminal is ignored.
        let _ = write!(std::io::stderr(), "\r{text}{blank}{end}");
        *line = text.to_owned();
    }
}
