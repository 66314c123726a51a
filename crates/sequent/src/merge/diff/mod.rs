//! Differences between two versions of a file, matched as for a merge.

mod changes;
mod compare;
mod elements;
pub mod machines;
pub mod picture;

pub use self::changes::{FileChange, PieceFate, changes};
pub use self::elements::element_changes;

// Names that other crates still use.
pub use self::changes::FileChange as Change;
