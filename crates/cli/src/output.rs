//! Output: what is printed where, and files that are written whole or not at all.

use std::io::{IsTerminal, Write};
use std::path::Path;

use sequent_report::escape;
use serde_json::Value;

use crate::cli::Colour;

/// Whether standard output gets colours.
pub fn has_colour(choice: Colour) -> bool {
    match choice {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => {
            let choice = anstream::AutoStream::choice(&std::io::stdout());
            choice != anstream::ColorChoice::Never
        }
    }
}

/// Columns of the terminal, or a sensible width where there is none.
pub fn width() -> usize {
    let wished = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = std::io::stdout().is_terminal().then(clap_width).flatten();
    wished.or(terminal).unwrap_or(100).clamp(40, 400)
}

fn clap_width() -> Option<usize> {
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
}

/// Prints text for people to standard output: what diagrams say in it is escaped.
pub fn print(text: &str) {
    print_bytes(escape::lines(text).as_bytes());
}

/// Prints JSON to standard output.
pub fn print_json(value: &Value) {
    print_bytes(escape::json(value).as_bytes());
}

/// Prints bytes to standard output as they are. What a reader that went away (`| head`) does not take is lost, and does not
/// change what the command finds out; a full disk ends the program.
pub fn print_bytes(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(bytes).and_then(|()| out.flush()) {
        if error.kind() != std::io::ErrorKind::BrokenPipe {
            complain(&format!("standard output cannot be written: {error}"));
            std::process::exit(2);
        }
    }
}

/// Prints a problem to standard error.
pub fn complain(text: &str) {
    warn(&format!("sequent: {text}\n"));
}

/// Prints text for people to standard error; that nobody reads it changes nothing.
pub fn warn(text: &str) {
    let _ = std::io::stderr().lock().write_all(escape::lines(text).as_bytes());
}

/// Writes a file whole or not at all: into a neighbour first, which then takes its name.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let problem = |error: std::io::Error| format!("`{}` cannot be written: {error}", path.display());
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(problem)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let neighbour = path.with_file_name(name);
    std::fs::write(&neighbour, bytes).and_then(|()| std::fs::rename(&neighbour, path)).map_err(|error| {
        let _ = std::fs::remove_file(&neighbour);
        problem(error)
    })
}
