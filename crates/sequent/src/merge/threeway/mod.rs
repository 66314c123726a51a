//! The three-way merge: sections as diff3 merges lines, diagrams that all versions have as trees.
//!
//! ```text
//! file -> diff3: sections
//!      -> presence, nesting: what stays, and in what -> siblings: in which order -> compose (gap, indent): chunks
//!              \-> region: what cannot be merged becomes a conflict region, and the rest is merged again
//!      -> balance: no message is lost
//! ```

mod balance;
mod chunk;
mod compose;
mod conflict;
mod diff3;
mod file;
mod gap;
mod indent;
mod nesting;
mod presence;
mod region;
mod siblings;

pub(super) use self::chunk::{Chunk, ChunkAtom, ChunkLines, Conflict, MergeChoice};
pub(super) use self::diff3::merge_lines;
pub(super) use self::file::{ConflictExtent, merge_file};
