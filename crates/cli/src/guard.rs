//! The guard: enforces one budget for the whole command, and cleans up when the command is ended early.
//!
//! The command works in a thread whose stack is deep enough for whatever the readers let through, and the first thread watches it.
//! When the time is over or the memory used up, the guard ends the command's [meter](sequent_kernel::meter): every phase stops at its next look at
//! it, what was found until then is told, and the guard says what was left undone. Whatever does not stop is ended soon after, wherever it
//! is. SIGTERM, Ctrl-C and a closed terminal end a command in the same way: programs that were started are ended, temporary folders and
//! unfinished files removed.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, sleep, spawn};
use std::time::{Duration, Instant};

use sequent_kernel::meter::Meter;

use crate::budget::{self, Budget, Slack};
use crate::{litter, output, program};

/// The exit code of a command that was ended by its limits: nothing is decided.
const UNDECIDED: u8 = 3;

/// The stack of a command. Readers bound how deep anything is nested; this is many times what that takes.
pub(crate) const STACK: usize = 128 << 20;

/// How often the guard looks: signals and the clock can wait, but memory is taken at gigabytes per second.
const BEAT: Duration = Duration::from_millis(15);
const MEMORY_BEAT: Duration = Duration::from_millis(2);

/// Does the work of a command within its budget; its exit code. If it is ended early, the process ends here.
pub(crate) fn run(budget: Budget, work: impl FnOnce() -> u8 + Send + 'static) -> u8 {
    budget::start();
    end_panics();
    let mut signals = Signals::new();
    let (done, is_done) = channel();
    let meter = Meter::default();
    let own = meter.clone();
    let worker = Builder::new().stack_size(STACK).spawn(move || done.send(own.run(work)));
    let Ok(worker) = worker else {
        return stop(&"there is no memory for a thread; nothing is decided", UNDECIDED);
    };
    let mut spent = None;
    let beat = if budget.bytes.is_some() { MEMORY_BEAT } else { BEAT };
    loop {
        match is_done.recv_timeout(beat) {
            Ok(code) => return told(code, &meter, spent),
            // It panicked, and has said so.
            Err(RecvTimeoutError::Disconnected) => {
                drop(worker.join());
                clean();
                return PANICKED;
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        signals.obey();
        if spent.is_none() {
            spent = budget.spent(Slack::None, resident());
            if spent.is_some() {
                meter.end();
            }
        }
        if let Some(reason) = budget.spent(Slack::Some, resident()) {
            return stop(&format!("{reason}; nothing is decided"), UNDECIDED);
        }
    }
}

/// The exit code of a command that ended by itself; what it left undone is said, and then nothing is well.
fn told(code: u8, meter: &Meter, spent: Option<String>) -> u8 {
    let (Some(reason), Some(left)) = (spent, meter.left()) else { return code };
    output::complain(&format!("{reason}; {left}"));
    if code == 0 { UNDECIDED } else { code }
}

/// The exit code of a Rust program that panicked.
const PANICKED: u8 = 101;

/// In a program that is compiled without unwinding, a panic leaves order behind, too, before it ends the process.
fn end_panics() {
    if cfg!(panic = "abort") {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            tell(panic);
            clean();
            exit(PANICKED);
        }));
    }
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
    let message = reason.to_string();
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
