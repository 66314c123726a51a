//! Measured programs: the processor time of a child process, independent of the load of the machine.
//!
//! A process that has ended stays a zombie until its parent waits for it, and until then Linux reports its
//! times: exactly for the first thread, in hundredths of a second for the other threads and its children. On
//! other systems the wall clock is used.

use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use sequent_evaluation::peers::comparison::Ran;

use crate::program::{self, Started};

/// Runs a program in a folder; it is ended when its time is over.
pub(crate) fn run(folder: &Path, program: &Path, arguments: &[&str], time: Duration) -> Result<Ran, String> {
    let name = program.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let problem = |error: std::io::Error| format!("`{name}`: {error}");
    let over = || format!("over {:.0} s", time.as_secs_f64());
    let start = Instant::now();
    let started = program::start(Command::new(program).args(arguments).current_dir(folder), "");
    let Started { mut child, readers } = started.map_err(problem)?;
    let mut peak = None;
    let mut pause = Duration::from_micros(200);
    while !has_ended(&mut child).map_err(problem)? {
        peak = peak.max(memory(child.id()));
        if start.elapsed() > time {
            program::end_all(&mut child);
            return Err(over());
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
    let wall = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
    let micros = worked(child.id()).unwrap_or(wall);
    let code = child.wait().map_err(problem)?.code();
    let said = program::said(readers, start.checked_add(time)).ok_or_else(over)?;
    Ok(Ran { said: said.concat(), code, micros, peak })
}

/// Whether a process has ended; on Linux it is then a zombie that has not been waited for.
fn has_ended(child: &mut Child) -> Result<bool, std::io::Error> {
    match fields(child.id()) {
        Some(fields) => Ok(fields.starts_with(['Z', 'X'])),
        None => Ok(child.try_wait()?.is_some()),
    }
}

/// What Linux tells of a process, from its state on.
fn fields(process: u32) -> Option<String> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    Some(text.rsplit_once(") ")?.1.to_owned())
}

/// Microseconds that a process worked, and those that it started and waited for.
fn worked(process: u32) -> Option<u64> {
    /// `CLK_TCK` is 100 on every Linux.
    const MICROSECONDS: u64 = 10_000;
    let fields = fields(process)?;
    let ticks: u64 = fields.split(' ').skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum();
    let exact = std::fs::read_to_string(format!("/proc/{process}/schedstat")).ok();
    let exact = exact.and_then(|text| text.split(' ').next()?.parse::<u64>().ok()).unwrap_or(0) / 1_000;
    Some(exact.max(ticks * MICROSECONDS)).filter(|micros| *micros > 0)
}

/// The most memory that a process had so far, in bytes.
fn memory(process: u32) -> Option<usize> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<usize>().ok()? << 10)
}
