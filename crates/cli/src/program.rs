//! Programs that are run: found on the PATH, in a folder of their own, within the time that is left.

use std::cell::Cell;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

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

/// A folder that goes away again.
pub struct Folder(pub PathBuf);

impl Folder {
    /// A new one.
    pub fn new() -> Result<Self, String> {
        let base = std::env::temp_dir();
        for number in 0..10_000 {
            let place = base.join(format!("sequent-{}-{number}", std::process::id()));
            match std::fs::create_dir(&place) {
                Ok(()) => return Ok(Folder(place)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(format!("`{}`: {error}", place.display())),
            }
        }
        Err(format!("`{}` is full of folders of ours", base.display()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing depends on it any more; who cannot remove it leaves it.
        let _ = std::fs::remove_dir_all(&self.0);
    }
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
pub fn words_of(command: &str) -> Vec<String> {
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

/// When somebody must be ready who has so long from now on.
pub fn end(time: Option<Duration>) -> Option<Instant> {
    time.and_then(|time| Instant::now().checked_add(time))
}

/// What a program prints, both ways; it is ended when the time is over.
pub fn run(
    folder: &Path,
    program: &Path,
    arguments: &[&str],
    until: Option<Instant>,
) -> Result<String, String> {
    run_within(folder, program, arguments, until, None)
}

/// The same for a program that may take no more than so many bytes, where there is a shell that can see to it.
pub fn run_within(
    folder: &Path,
    program: &Path,
    arguments: &[&str],
    until: Option<Instant>,
    bytes: Option<usize>,
) -> Result<String, String> {
    let name = program.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let problem = |error: std::io::Error| format!("`{name}`: {error}");
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
    let Started { mut child, readers } = start(command.args(arguments), folder).map_err(problem)?;
    let mut pause = Duration::from_millis(1);
    while child.try_wait().map_err(problem)?.is_none() {
        if until.is_some_and(|until| Instant::now() > until) {
            // It may have ended just now.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("time is over while `{name}` works"));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
    Ok(said(readers))
}

/// A program that was started, and who reads what it prints.
pub struct Started {
    /// The program.
    pub child: Child,
    /// Its readers, one for each way.
    pub readers: Readers,
}

/// Threads that read what a program prints.
type Readers = [Option<JoinHandle<String>>; 2];

/// Starts a program that is told nothing. Both ways are read as they are written, or whoever writes much would wait forever.
pub fn start(command: &mut Command, folder: &Path) -> std::io::Result<Started> {
    let mut child = command
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let readers = [child.stdout.take().map(heard), child.stderr.take().map(heard)];
    Ok(Started { child, readers })
}

/// All that a program has printed.
pub fn said(readers: Readers) -> String {
    readers.into_iter().flatten().filter_map(|reader| reader.join().ok()).collect()
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

#[cfg(all(test, unix))]
mod tests {
    use super::{Folder, words_of};

    #[test]
    fn java_starts_archives() {
        let folder = Folder::new().expect("there is room");
        let [archive, script] = ["archive", "script"].map(|name| folder.0.join(name).display().to_string());
        std::fs::write(&archive, b"PK\x03\x04").expect("it is writable");
        std::fs::write(&script, b"#!/bin/sh\n").expect("it is writable");
        assert_eq!(words_of(&archive), ["java", "-jar", &archive]);
        assert_eq!(words_of(&script), [&*script]);
        assert_eq!(words_of("java -jar a.jar"), ["java", "-jar", "a.jar"]);
    }
}
