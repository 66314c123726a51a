//! Output: what is printed where, and files that are written whole or not at all.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use sequent_report::escape;
use serde_json::Value;

use crate::cli::ColourArgument;
use crate::litter;

/// Whether standard output gets colours.
pub(crate) fn has_colour(choice: ColourArgument) -> bool {
    match choice {
        ColourArgument::Always => true,
        ColourArgument::Never => false,
        ColourArgument::Auto => {
            let choice = anstream::AutoStream::choice(&io::stdout());
            choice != anstream::ColorChoice::Never
        }
    }
}

/// Columns of the terminal, or a sensible width where there is none.
pub(crate) fn width() -> usize {
    let wished = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = io::stdout().is_terminal().then(clap_width).flatten();
    wished.or(terminal).unwrap_or(100).clamp(40, 400)
}

fn clap_width() -> Option<usize> {
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
}

/// Prints text to standard output, with the control characters that diagrams may contain escaped.
pub(crate) fn print(text: &str) {
    print_bytes(escape::lines(text).as_bytes());
}

/// Prints JSON to standard output.
pub(crate) fn print_json(value: &Value) {
    print_bytes(escape::json(value).as_bytes());
}

/// Prints bytes to standard output as they are. What a reader that went away (`| head`) does not take is lost, and does not
/// change what the command finds out; a full disk ends the program.
pub(crate) fn print_bytes(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(bytes).and_then(|()| out.flush()) {
        if error.kind() != io::ErrorKind::BrokenPipe {
            complain(&format!("standard output cannot be written: {error}"));
            std::process::exit(2);
        }
    }
}

/// Prints a text that a program reads again, such as a diagram: other programs get it as it is, a terminal gets it escaped.
pub(crate) fn print_source(bytes: &[u8]) {
    match std::str::from_utf8(bytes) {
        Ok(text) if io::stdout().is_terminal() => print(text),
        Ok(_) | Err(_) => print_bytes(bytes),
    }
}

/// Prints a problem to standard error.
pub(crate) fn complain(text: &str) {
    warn(&format!("sequent: {text}\n"));
}

/// Prints text to standard error; a failed write is ignored.
pub(crate) fn warn(text: &str) {
    let _ = io::stderr().lock().write_all(escape::lines(text).as_bytes());
}

/// The most bytes of a name that is made from the name of a diagram: file systems take 255, and an ending and a number follow.
const MOST_BYTES: usize = 200;

/// Cuts a name to what file systems take, between two characters.
pub(crate) fn cut_name(name: &str) -> &str {
    let ends = name.char_indices().map(|(at, character)| at + character.len_utf8());
    &name[..ends.take_while(|end| *end <= MOST_BYTES).last().unwrap_or(0)]
}

/// Writes a file whole or not at all; `-` is standard output. Pipes and devices are written through; of a symbolic link the file that it stands for is written, and a file
/// that is there already keeps its mode.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if path == Path::new("-") {
        print_bytes(bytes);
        return Ok(());
    }
    write_or_fail(path, bytes).map_err(|error| format!("`{}` cannot be written: {error}", path.display()))
}

fn write_or_fail(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // What stands for an open file, as `/dev/stdout`, has no name that another file could take.
    let is_stream = std::fs::metadata(path).is_ok_and(|known| !known.is_file()) || path.starts_with("/dev");
    if is_stream {
        let mut stream = OpenOptions::new().append(true).open(path)?;
        return stream.write_all(bytes).and_then(|()| stream.flush());
    }
    let file = followed(path)?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut fresh = Fresh::new(folder)?;
    fresh.open.write_all(bytes)?;
    if let Ok(known) = std::fs::metadata(&file) {
        fresh.open.set_permissions(known.permissions())?;
    }
    fresh.open.sync_all()?;
    fresh.replace(&file)?;
    // The new name is on the disk once its folder is; file systems that do not know this do not fail the command.
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

/// The file that a path stands for, behind all symbolic links, also where it is not there yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut file = path.to_owned();
    for _ in 0..MOST_LINKS {
        match std::fs::symlink_metadata(&file) {
            Ok(known) if known.is_symlink() => {
                let target = std::fs::read_link(&file)?;
                file = file.parent().unwrap_or(Path::new("")).join(target);
            }
            Ok(_) | Err(_) => return Ok(file),
        }
    }
    Err(io::Error::other("there are too many symbolic links"))
}

/// The most symbolic links that are followed, as Linux does.
const MOST_LINKS: usize = 40;

/// A file that is written and has no name yet, where the system knows such files; else a name that is removed if it is not needed. A
/// process that is killed leaves nothing but the old file or the new one: only between the two calls that put a file in the place of another is
/// there a name more, and the next file that is written in the folder removes it if a process was killed just then.
struct Fresh {
    open: File,
    folder: PathBuf,
    /// The name that it has for now.
    name: Option<PathBuf>,
}

impl Fresh {
    /// A new file in a folder.
    fn new(folder: &Path) -> io::Result<Self> {
        remove_stale(folder);
        let folder = folder.to_owned();
        if let Some(open) = nameless(&folder) {
            return Ok(Fresh { open, folder, name: None });
        }
        let mut found = None;
        let name = free_name(&folder, |path| {
            found = Some(OpenOptions::new().write(true).create_new(true).open(path)?);
            Ok(())
        })?;
        let open = found.ok_or_else(|| io::Error::other("the new file is lost"))?;
        Ok(Fresh { open, folder, name: Some(name) })
    }

    /// Puts it in the place of a file.
    fn replace(mut self, file: &Path) -> io::Result<()> {
        if self.name.is_none() {
            match link(&self.open, file) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                done => return done,
            }
            self.name = Some(free_name(&self.folder, |path| link(&self.open, path))?);
        }
        let Some(name) = &self.name else { return Ok(()) };
        std::fs::rename(name, file)
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            // It is gone if it has taken the place of another file.
            let _ = std::fs::remove_file(name);
            litter::unmark(name);
        }
    }
}

/// Gives something a name in a folder that is free, and short whatever the file is called that it replaces.
fn free_name(folder: &Path, mut take: impl FnMut(&Path) -> io::Result<()>) -> io::Result<PathBuf> {
    let mut number = 0;
    loop {
        let path = folder.join(format!("{STEM}{}-{number}{ENDING}", std::process::id()));
        litter::mark(&path);
        let taken = take(&path);
        if taken.is_err() {
            litter::unmark(&path);
        }
        match taken {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Names for now are this, the number of the process and another, and the ending.
const STEM: &str = ".sequent-";
const ENDING: &str = ".tmp";

/// Removes what processes have left that were killed.
fn remove_stale(folder: &Path) {
    let is_stale = |name: &str| {
        let middle = name.strip_prefix(STEM)?.strip_suffix(ENDING)?;
        let (process, number) = middle.split_once('-')?;
        number.parse::<u32>().ok()?;
        Some(!Path::new("/proc").join(process.parse::<u32>().ok()?.to_string()).exists())
    };
    // Where processes cannot be looked at, any may be at work.
    let entries = Path::new("/proc/self").exists().then(|| std::fs::read_dir(folder).ok()).flatten();
    for entry in entries.into_iter().flatten().flatten() {
        if entry.file_name().to_str().and_then(is_stale) == Some(true) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// An open file without a name, if the file system knows such, and where it can get one later.
#[cfg(target_os = "linux")]
fn nameless(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    let mode = Mode::from_raw_mode(0o666);
    let file: File = open(folder, OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC, mode).ok()?.into();
    descriptor(&file).exists().then_some(file)
}

/// The path that stands for an open file.
#[cfg(target_os = "linux")]
fn descriptor(file: &File) -> PathBuf {
    Path::new("/proc/self/fd").join(std::os::fd::AsRawFd::as_raw_fd(file).to_string())
}

/// Gives an open file a name that is free.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    Ok(linkat(CWD, descriptor(file), CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn nameless(_: &Path) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn place(name: &str) -> PathBuf {
        let place = std::env::temp_dir().join(format!("sequent-output-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&place);
        std::fs::create_dir_all(&place).expect("a writable folder");
        place
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("a readable folder").flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn links_are_followed_and_modes_kept() {
        let folder = place("links");
        let (file, link, dangling) = (folder.join("file"), folder.join("link"), folder.join("dangling"));
        std::fs::write(&file, "old").expect("a writable file");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).expect("a mode");
        symlink("file", &link).expect("a link");
        symlink("sub/new", &dangling).expect("a link");
        write(&link, b"new").expect("it is written");
        write(&dangling, b"fresh").expect("it is written");
        assert_eq!(std::fs::read(&file).expect("a readable file"), b"new");
        assert_eq!(std::fs::read(folder.join("sub/new")).expect("a readable file"), b"fresh");
        assert!(std::fs::symlink_metadata(&link).expect("it is there").is_symlink());
        assert_eq!(std::fs::metadata(&file).expect("it is there").permissions().mode() & 0o777, 0o640);
        assert_eq!(names(&folder), ["dangling", "file", "link", "sub"]);
        symlink("circle", folder.join("circle")).expect("a link");
        assert!(write(&folder.join("circle"), b"").is_err());
        std::fs::remove_dir_all(folder).expect("it is there");
    }

    #[test]
    fn devices_are_written_through() {
        write(Path::new("/dev/null"), b"nothing").expect("it is written");
        assert!(!std::fs::metadata("/dev/null").expect("it is there").is_file());
        let folder = place("device");
        assert!(write(&folder, b"").is_err(), "a folder is no file");
        assert!(names(&folder).is_empty());
        std::fs::remove_dir_all(folder).expect("it is there");
    }

    #[test]
    fn the_longest_name_is_written() {
        let folder = place("long");
        let name = "n".repeat(255);
        write(&folder.join(&name), b"long").expect("it is written");
        assert_eq!(names(&folder), [name]);
        assert_eq!(cut_name(&"\u{1f6aa}".repeat(100)).len(), MOST_BYTES);
        assert_eq!(cut_name(&"\u{20ac}".repeat(100)).len(), 198);
        assert_eq!(cut_name("short"), "short");
        std::fs::remove_dir_all(folder).expect("it is there");
    }
}
