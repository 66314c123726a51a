//! Where blocks of preprocessor lines end.

use std::ops::Range;

use super::command::{PreprocessorCommand, parse};
use super::comment::SourcePiece;
use super::memory::PreprocessorMemory;

/// The parts of an `!if`.
pub(crate) struct Branches {
    /// The line of each condition and what it governs.
    pub list: Vec<(usize, Range<usize>)>,
    /// The line of `!endif`, or the end of everything.
    pub end: usize,
    /// Whether there is an `!endif`.
    pub closed: bool,
}

/// Cuts the `!if` at `pieces[at]` into its branches.
pub(crate) fn branches(pieces: &[SourcePiece], at: usize) -> Branches {
    let mut list = Vec::new();
    let mut header = at;
    let mut level = 0;
    for (index, piece) in pieces.iter().enumerate().skip(at + 1) {
        match command(piece) {
            PreprocessorCommand::If(_) | PreprocessorCommand::IfDef(_) | PreprocessorCommand::IfNotDef(_) => {
                level += 1
            }
            PreprocessorCommand::EndIf if level == 0 => {
                list.push((header, header + 1..index));
                return Branches { list, end: index, closed: true };
            }
            PreprocessorCommand::EndIf => level -= 1,
            PreprocessorCommand::Else | PreprocessorCommand::ElseIf(_) if level == 0 => {
                list.push((header, header + 1..index));
                header = index;
            }
            _ => {}
        }
    }
    list.push((header, header + 1..pieces.len()));
    Branches { list, end: pieces.len(), closed: false }
}

/// Where the loop at `pieces[at]` ends, and whether its end is there.
pub(crate) fn loop_end(pieces: &[SourcePiece], at: usize) -> (usize, bool) {
    let mut level = 0;
    for (index, piece) in pieces.iter().enumerate().skip(at + 1) {
        match command(piece) {
            PreprocessorCommand::While(_) | PreprocessorCommand::Foreach(_) => level += 1,
            PreprocessorCommand::EndWhile | PreprocessorCommand::EndFor if level == 0 => {
                return (index, true);
            }
            PreprocessorCommand::EndWhile | PreprocessorCommand::EndFor => level -= 1,
            _ => {}
        }
    }
    (pieces.len(), false)
}

/// Where the function at `pieces[at]` ends, and whether its end is there.
pub(crate) fn function_end(pieces: &[SourcePiece], at: usize) -> (usize, bool) {
    let found = pieces[at..].iter().position(|piece| command(piece) == PreprocessorCommand::EndFunction);
    found.map_or((pieces.len(), false), |offset| (at + offset, true))
}

fn command(piece: &SourcePiece) -> PreprocessorCommand<'_> {
    match piece {
        SourcePiece::Line(line) if line.text.contains('!') => parse(&line.text),
        SourcePiece::Line(_) | SourcePiece::Aside(_) => PreprocessorCommand::Plain,
    }
}

/// `A && !B || C`: which names are known.
pub(crate) fn is_defined(text: &str, memory: &PreprocessorMemory) -> bool {
    let one = |term: &str| {
        let term = term.trim().trim_matches(['(', ')']).trim();
        match term.strip_prefix('!') {
            Some(name) => !memory.knows(name.trim()),
            None => memory.knows(term),
        }
    };
    text.split("||").any(|all| all.split("&&").all(one))
}
