//! Reading: a file becomes text and format, the text pieces, the pieces sections, and a section a tree.
//!
//! ```text
//! bytes -> format -> document -> pieces (with facts and kinds) -> sections -> trees
//! ```

mod document;
mod facts;
mod format;
mod kind;
mod piece;
mod section;
mod topic;
mod tree;

pub use self::document::pieces;
pub use self::format::decode;
pub use self::kind::PieceKind;
pub use self::piece::{Piece, SectionKind};
pub(crate) use self::topic::Topic;

pub(super) use self::document::read_model;
pub(super) use self::format::TextFormat;
pub(super) use self::kind::Attachment;
pub(super) use self::piece::{similarity, unindented};
pub(super) use self::section::{Sections, common_diagrams, sections};
pub(super) use self::tree::{BlockTree, NodeId, NodeKind};
