//! Programs that are run: found on the PATH, in a folder of their own, within the time that is left.

use std::cell::Cell;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::litter;

/// Where the models are kept that tools are asked about.
pub struct Keep {
    /// The folder.
    folder: PathBuf,
    /// How many there are.
    count: Cell<usize>,
}

impl Keep {
    /// In a folder.
    pub fn new(folder: &Path) -> Self {
        Keep { folder: folder.to_owned(), count: Cell::new(0) }
    }

    /// Writes a model down.
    pub fn model(&self, text: &str, ending: &str) -> Result<(), String> {
        self.count.set(self.count.get() + 1);
        let file = self.folder.join(format!("question-{}.{ending}", self.count.get()));
        let written = std::fs::create_dir_all(&self.folder).and_then(|()| std::fs::write(&file, text));
        written.map_err(|error| format!("`{}`: {error}", file.display()))
    }
}

/// A folder that goes away again, also where the command is ended early.
pub(crate) struct TemporaryFolder(pub PathBuf);

impl TemporaryFolder {
    /// A new one.
    pub(crate) fn new() -> Result<Self, String> {
        let base = std::env::temp_dir();
        for number in 0..10_000 {
            let place = base.join(format!("sequent-{}-{number}", std::process::id()));
            match create_private(&place) {
                Ok(()) => {
                    litter::mark(&place);
                    return Ok(TemporaryFolder(place));
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(format!("`{}`: {error}", place.display())),
            }
        }
        Err(format!("`{}` is full of folders of ours", base.display()))
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // The folder is no longer used; a failed removal is ignored.
        let _ = std::fs::remove_dir_all(&self.0);
        litter::unmark(&self.0);
    }
}

/// Makes a folder that others cannot look into, where the system knows such.
fn create_private(place: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(place)
}

/// A program on the PATH.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat"] } else { &[""] };
    let files = std::env::split_paths(&path)
        .flat_map(|folder| endings.iter().map(move |ending| folder.join(format!("{name}{ending}"))));
    files.into_iter().find(|file| file.is_file())
}

/// The words of a command. A Java archive that stands for a program, as Debian's `sat4j`, is given to Java: only some systems
/// start it by themselves.
pub(crate) fn words_of(command: &str) -> Vec<String> {
    let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    match words.as_slice() {
        [only] => match find(only).filter(|file| is_archive(file)) {
            Some(file) => ["java", "-jar", &file.display().to_string()].map(str::to_owned).to_vec(),
            None => words,
        },
        _ => words,
    }
}

/// Whether a file begins as Java's archives do.
fn is_archive(file: &Path) -> bool {
    let mut start = [0; 2];
    std::fs::File::open(file).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *b"PK"
}

/// The instant at which `time` from now is over; `None` without a limit.
pub fn end(time: Option<Duration>) -> Option<Instant> {
    time.and_then(|time| Instant::now().checked_add(time))
}

/// Why a program gave no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The program of this name was still at work when its time was over; it was ended.
    TimeOver(String),
    /// It could not be run, or it did not take what it was given: the message.
    Broken(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::TimeOver(name) => write!(out, "time is over while `{name}` works"),
            Failure::Broken(message) => out.write_str(message),
        }
    }
}

/// What a program prints, both ways; it is ended when the time is over. What it leaves behind goes away with its folder.
pub fn run(
    folder: &Path,
    program: &Path,
    arguments: &[&str],
    until: Option<Instant>,
) -> Result<String, Failure> {
    run_within(folder, program, arguments, until, None)
}

/// The same with a limit of `bytes` of address space (`ulimit`), where there is a Unix shell.
pub(crate) fn run_within(
    folder: &Path,
    program: &Path,
    arguments: &[&str],
    until: Option<Instant>,
    bytes: Option<usize>,
) -> Result<String, Failure> {
    let shell = find("sh").filter(|_| cfg!(unix)).zip(bytes);
    let mut command = match &shell {
        Some((shell, bytes)) => {
            let mut command = Command::new(shell);
            let kilobytes = (bytes >> 10).max(1 << 16).to_string();
            command.args(["-c", "ulimit -v \"$0\" && exec \"$@\"", &kilobytes]).arg(program);
            command
        }
        None => Command::new(program),
    };
    if folder.is_absolute() {
        command.envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, folder)));
    }
    let output = ask(&file_name(program), command.args(arguments).current_dir(folder), "", until)?;
    Ok(output.stdout + &output.stderr)
}

/// The last part of a path.
fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// What a program has printed, and its exit code.
pub struct ProgramOutput {
    /// The standard output.
    pub stdout: String,
    /// The standard error stream.
    pub stderr: String,
    /// The exit code; none if a signal ended it.
    pub code: Option<i32>,
}

/// Runs a command with a text on its standard input. When the time is over it is ended with all programs that it has started, and
/// the failure calls it by `name`.
pub fn ask(
    name: &str,
    command: &mut Command,
    input: &str,
    until: Option<Instant>,
) -> Result<ProgramOutput, Failure> {
    let problem = |error: std::io::Error| Failure::Broken(format!("`{name}`: {error}"));
    let Started { mut child, readers } = start(command, input).map_err(problem)?;
    let mut has_ended = || child.try_wait().map(|status| status.is_some());
    if !wait_until(until, &mut has_ended).map_err(problem)? {
        end_all(&mut child);
        return Err(Failure::TimeOver(name.to_owned()));
    }
    let code = child.wait().map_err(problem)?.code();
    let [stdout, stderr] = said(readers, until).ok_or_else(|| Failure::TimeOver(name.to_owned()))?;
    Ok(ProgramOutput { stdout, stderr, code })
}

/// Waits for something; whether it came before the time was over.
fn wait_until(
    until: Option<Instant>,
    has_come: &mut dyn FnMut() -> std::io::Result<bool>,
) -> std::io::Result<bool> {
    let mut pause = Duration::from_millis(1);
    while !has_come()? {
        if until.is_some_and(|until| Instant::now() > until) {
            return Ok(false);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
    Ok(true)
}

/// A program that was started, and the threads that read what it prints.
pub struct Started {
    /// The program.
    pub child: Child,
    /// The readers of its output and of its error stream.
    pub readers: Readers,
}

/// Threads that read what a program prints.
type Readers = [Option<JoinHandle<String>>; 2];

/// Starts a program. Its streams are read and written by threads: a program that prints much would wait forever otherwise.
pub fn start(command: &mut Command, input: &str) -> std::io::Result<Started> {
    let stdin = if input.is_empty() { Stdio::null() } else { Stdio::piped() };
    let mut child = command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        let input = input.to_owned();
        // A program may end without having read everything.
        std::thread::spawn(move || drop(pipe.write_all(input.as_bytes())));
    }
    let readers = [child.stdout.take().map(heard), child.stderr.take().map(heard)];
    Ok(Started { child, readers })
}

/// All that a program has printed, both ways; none if its streams are not closed in time, as a program that it has started may hold
/// them open.
pub fn said(readers: Readers, until: Option<Instant>) -> Option<[String; 2]> {
    let mut are_closed = || Ok(readers.iter().flatten().all(JoinHandle::is_finished));
    let are_closed = wait_until(until, &mut are_closed).unwrap_or(false);
    let text = |reader: Option<JoinHandle<String>>| reader.and_then(|reader| reader.join().ok());
    are_closed.then(|| readers.map(|reader| text(reader).unwrap_or_default()))
}

/// Reads all that is written, in a thread of its own.
fn heard(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What cannot be read any more was not said.
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Ends a program and all programs that it has started: a compiler starts others, and SPIN starts a compiler. They share our process
/// group, so that Ctrl-C in a terminal reaches them; hence they are looked for by their parents.
pub(crate) fn end_all(child: &mut Child) {
    let process = child.id().to_string();
    if cfg!(windows) {
        let _ = Command::new("taskkill").args(["/T", "/F", "/PID", &process]).output();
    }
    let started = if cfg!(unix) { descendants(child.id()) } else { Vec::new() };
    // Each of them may have ended just now.
    let _ = child.kill();
    let _ = child.wait();
    kill(&started);
}

/// Ends all programs that this process has started, and those that they have started.
pub(crate) fn end_descendants() {
    // A program that is ended may have started another just before.
    for _ in 0..3 {
        let started = if cfg!(unix) { descendants(std::process::id()) } else { Vec::new() };
        if started.is_empty() {
            break;
        }
        kill(&started);
    }
}

/// Kills processes; those that have ended already do not matter.
#[cfg(unix)]
fn kill(processes: &[u32]) {
    use rustix::process::{Pid, Signal, kill_process};
    let ids = processes.iter().filter_map(|process| Pid::from_raw(i32::try_from(*process).ok()?));
    for id in ids {
        let _ = kill_process(id, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill(_: &[u32]) {}

/// The processes that a process has started, and those that these have started.
fn descendants(process: u32) -> Vec<u32> {
    let parents = parents();
    let mut all = vec![process];
    let mut at = 0;
    while let Some(parent) = all.get(at).copied() {
        all.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(child, _)| *child));
        at += 1;
    }
    all.split_off(1)
}

/// All processes with their parents, as Linux tells them, or else `ps`.
fn parents() -> Vec<(u32, u32)> {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        let listed = Command::new("ps").args(["-A", "-o", "pid=", "-o", "ppid="]).output();
        let listed = listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        let pair = |line: &str| {
            let (process, parent) = line.trim().split_once(char::is_whitespace)?;
            Some((process.parse().ok()?, parent.trim().parse().ok()?))
        };
        return listed.unwrap_or_default().lines().filter_map(pair).collect();
    };
    let pair = |entry: std::fs::DirEntry| {
        let process = entry.file_name().to_str()?.parse().ok()?;
        let text = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        // After the name, which may hold anything: the state, then the parent.
        let parent = text.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?;
        Some((process, parent))
    };
    processes.filter_map(Result::ok).filter_map(pair).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::Path;
    use std::process::Command;
    use std::time::{Duration, Instant};

    use super::{Failure, TemporaryFolder, ask, run, words_of};

    #[test]
    fn java_starts_archives() {
        let folder = TemporaryFolder::new().expect("there is room");
        let [archive, script] = ["archive", "script"].map(|name| folder.0.join(name).display().to_string());
        std::fs::write(&archive, b"PK\x03\x04").expect("it is writable");
        std::fs::write(&script, b"#!/bin/sh\n").expect("it is writable");
        assert_eq!(words_of(&archive), ["java", "-jar", &archive]);
        assert_eq!(words_of(&script), [&*script]);
        assert_eq!(words_of("java -jar a.jar"), ["java", "-jar", "a.jar"]);
    }

    /// The end of a moment that begins now.
    fn soon() -> Option<Instant> {
        Some(Instant::now() + Duration::from_millis(200))
    }

    #[test]
    fn programs_are_ended_with_those_that_they_have_started() {
        let folder = TemporaryFolder::new().expect("there is room");
        let script = "(sleep 1; echo > late) & wait";
        let failure = run(&folder.0, Path::new("/bin/sh"), &["-c", script], soon());
        assert_eq!(failure, Err(Failure::TimeOver("sh".to_owned())));
        std::thread::sleep(Duration::from_millis(1_200));
        assert!(!folder.0.join("late").exists(), "what it had started went on");
    }

    #[test]
    fn streams_that_stay_open_do_not_hold_a_caller() {
        let mut command = Command::new("/bin/sh");
        let output = ask("sh", command.args(["-c", "sleep 2 &"]), "", soon());
        assert_eq!(output.err(), Some(Failure::TimeOver("sh".to_owned())));
    }

    #[test]
    fn programs_read_their_input() {
        let text = "line\n".repeat(100_000);
        let output = ask("cat", &mut Command::new("cat"), &text, None).expect("it runs");
        assert_eq!((output.stdout == text, output.stderr, output.code), (true, String::new(), Some(0)));
        let ignored = ask("true", &mut Command::new("true"), &text, None).expect("it runs");
        assert_eq!(ignored.code, Some(0), "a program may leave its input unread");
    }
}
