//! The preprocessor: everything that happens to lines before a diagram is read.
//!
//! First continued lines are joined and comments taken out ([`comment`]); then the lines are carried out one after the
//! other ([`machine`]): variables and calls are replaced, conditions choose, loops repeat, files are included. What is
//! left goes to the reader of the kind of diagram ([`PreparedDiagram::lines`]); the rest is kept beside it
//! ([`PreparedDiagram::asides`]).
//!
//! It follows PlantUML's own preprocessor: whole numbers, texts and JSON as values, functions with `!return`, procedures,
//! the older `!define` and `!definelong`.

mod builtin;
mod call;
mod command;
mod comment;
mod control;
mod declare;
mod expression;
mod include;
mod json;
mod machine;
mod memory;
mod output;
mod structure;
mod value;

pub(crate) use comment::Aside;

use self::comment::SourcePiece;
use self::machine::PreprocessorState;
use crate::Context;
use crate::line::Line;

/// A diagram after the preprocessor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PreparedDiagram {
    /// The lines for the reader of the kind of diagram.
    pub lines: Vec<Line>,
    /// What the reader does not see.
    pub(crate) asides: Vec<Aside>,
    /// Something was to be included that was not there, so that names may be unknown.
    pub(crate) incomplete: bool,
    /// It defines procedures or functions, or sets variables, for those that include it.
    pub(crate) defines: bool,
}

/// Takes comments out and carries preprocessor lines out.
pub fn expand(lines: Vec<Line>, context: &mut Context) -> PreparedDiagram {
    let Some(first) = lines.first() else { return PreparedDiagram::default() };
    let here = first.span;
    let pieces = comment::separate(lines);
    if pieces.iter().any(needs_machine) {
        return PreprocessorState::new(context, here).finish(pieces);
    }
    let mut prepared =
        PreparedDiagram { lines: Vec::with_capacity(pieces.len()), ..PreparedDiagram::default() };
    for piece in pieces {
        match piece {
            SourcePiece::Line(line) => prepared.lines.push(line),
            SourcePiece::Aside(aside) => prepared.asides.push(aside),
        }
    }
    prepared
}

/// Whether there is anything to carry out; in most diagrams there is not.
fn needs_machine(piece: &SourcePiece) -> bool {
    match piece {
        SourcePiece::Line(line) => line.text.contains('%') || line.text.trim_start().starts_with('!'),
        SourcePiece::Aside(_) => false,
    }
}

/// Whether the text starts with what the preprocessor takes for the call of a function of its own.
pub fn is_call(text: &str) -> bool {
    let end = text.find('(').unwrap_or(0);
    builtin::is_known(&text[..end])
}

#[cfg(test)]
mod tests;
