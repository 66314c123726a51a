//! The preprocessor: comments, `!` lines, macros.

mod comment;

pub use comment::Aside;

use self::comment::Piece;
use crate::Context;
use crate::line::Line;
use crate::tree::Kind;

/// A diagram after the preprocessor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prepared {
    /// The lines for the reader of the kind of diagram.
    pub lines: Vec<Line>,
    /// What the reader does not see.
    pub asides: Vec<Aside>,
}

/// Takes comments out and carries preprocessor lines out.
pub fn expand(lines: Vec<Line>, _context: &mut Context) -> Prepared {
    let mut prepared = Prepared { lines: Vec::with_capacity(lines.len()), asides: Vec::new() };
    for piece in comment::separate(lines) {
        match piece {
            Piece::Line(line) if line.text.trim_start().starts_with('!') => {
                let kind = Kind::Preprocessor;
                prepared.asides.push(Aside { span: line.span, lines: line.whole, kind });
            }
            Piece::Line(line) => prepared.lines.push(line),
            Piece::Aside(aside) => prepared.asides.push(aside),
        }
    }
    prepared
}
