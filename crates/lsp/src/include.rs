//! `!include`: the path that a line names.

use sequent_kernel::source::Source;

/// The words that include a file.
const WORDS: &[&str] = &["!include", "!include_once", "!include_many", "!includesub"];

/// The path that is included in the line of an offset, without the part of the file behind `!`.
pub(crate) fn path_at(source: &Source, offset: u32) -> Option<&str> {
    let path = written(source.line(source.position(offset).line))?;
    let path = path.trim().trim_matches(['"', '<', '>']);
    Some(path.rsplit_once('!').map_or(path, |(path, _)| path)).filter(|path| !path.is_empty())
}

/// What stands behind the word in a line that includes a file.
pub(crate) fn written(line: &str) -> Option<&str> {
    let (word, path) = line.trim_start().split_once(char::is_whitespace)?;
    WORDS.contains(&word).then_some(path)
}
