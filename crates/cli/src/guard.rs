//! The guard: one budget for everything that a command does, and order behind it when it is ended early.
//!
//! The command works in a thread whose stack is deep enough for whatever the readers let through, and the first thread watches it.
//! Searches look at their limits themselves and answer with what they have found by then. Every other phase (reading, lints,
//! drawing, exports) spends the same budget without looking at it: soon after the time is over, or when the process takes much more
//! memory than it may, the guard ends the command, wherever it is. SIGTERM, Ctrl-C and a closed terminal end it in the same way:
//! programs that were started are ended, temporary folders and unfinished files removed.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, sleep, spawn};
use std::time::{Duration, Instant};

use crate::budget::{self, Budget};
use crate::{litter, output, program};

/// The exit code of a command that was ended by its limits: nothing is decided.
const UNDECIDED: u8 = 3;

/// The stack of a command. Readers bound how deep anything is nested; this is many times what that takes.
pub const STACK: usize = 128 << 20;

/// How often the guard looks.
const BEAT: Duration = Duration::from_millis(15);

/// Below this the memory of the process is not worth a look: the program itself takes as much.
const LEAST_BYTES: usize = 64 << 20;

/// Does the work of a command within its budget; its exit code. If it is ended early, the process ends here.
pub fn run(budget: Budget, work: impl FnOnce() -> u8 + Send + 'static) -> u8 {
    budget::start();
    let mut signals = Signals::new();
    let (done, is_done) = channel();
    let worker = Builder::new().stack_size(STACK).spawn(move || done.send(work()));
    let Ok(worker) = worker else { return stop(&"there is no memory for a thread", UNDECIDED) };
    loop {
        match is_done.recv_timeout(BEAT) {
            Ok(code) => return code,
            // It panicked, and has said so.
            Err(RecvTimeoutError::Disconnected) => {
                drop(worker.join());
                clean();
                return PANICKED;
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        signals.obey();
        if let Some(reason) = exceeded(&budget) {
            return stop(&reason, UNDECIDED);
        }
    }
}

/// The exit code of a Rust program that panicked.
const PANICKED: u8 = 101;

/// What is over, if the command cannot be left alone any longer. Searches stop at the limit itself and need some time to tell what
/// they found.
fn exceeded(budget: &Budget) -> Option<String> {
    let is_late =
        |time: &Duration| budget::start().elapsed() > *time + Duration::from_millis(600) + *time / 20;
    if let Some(time) = budget.time.filter(is_late) {
        return Some(format!("the time is over (--time {})", time.as_secs_f64()));
    }
    let bytes = budget.bytes?;
    let is_large = resident().is_some_and(|held| held > bytes.max(LEAST_BYTES).saturating_mul(5) / 4);
    is_large.then(|| format!("there is no more memory (--memory {})", bytes >> 20))
}

/// Bytes of memory that the process holds for itself, where the system tells.
fn resident() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let mut pages = text.split(' ').skip(1).map(|number| number.parse::<usize>().ok());
    let (resident, shared) = (pages.next()??, pages.next()??);
    Some(resident.saturating_sub(shared).saturating_mul(4096))
}

/// Ends the process in order.
fn stop(reason: &dyn std::fmt::Display, code: u8) -> u8 {
    clean();
    let message = format!("{reason}; nothing is decided");
    // The stream may be held by the command, which may never let it go.
    let said = spawn(move || output::complain(&message));
    let end = Instant::now() + Duration::from_millis(100);
    while !said.is_finished() && Instant::now() < end {
        sleep(Duration::from_millis(1));
    }
    exit(code)
}

/// Ends the programs that were started, and removes what must not be left behind.
fn clean() {
    program::end_descendants();
    for path in litter::take() {
        // Each may be gone already.
        let _ = if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
    }
}

/// Ends the process at once: the command may be at work in another thread, and must not see the end of what it uses.
#[cfg(unix)]
fn exit(code: u8) -> u8 {
    signal_hook::low_level::exit(i32::from(code))
}

#[cfg(not(unix))]
fn exit(code: u8) -> u8 {
    std::process::exit(i32::from(code))
}

/// The signals that end a command.
#[cfg(unix)]
struct Signals(Option<signal_hook::iterator::Signals>);

#[cfg(unix)]
impl Signals {
    fn new() -> Self {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        Signals(signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM]).ok())
    }

    /// Ends the process as a signal says that has come.
    fn obey(&mut self) {
        let Some(signal) = self.0.as_mut().and_then(|signals| signals.pending().next()) else { return };
        clean();
        let _ = signal_hook::low_level::emulate_default_handler(signal);
        exit(128_u8.saturating_add(u8::try_from(signal).unwrap_or(u8::MAX)));
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> Self {
        Signals
    }

    fn obey(&mut self) {}
}
