//! The draft: the merged file with its choices open, checked as a whole.
//!
//! ```text
//! make: read, rename, merge -> reread: is the result worse than its versions? -> bisect: the smallest conflict that helps -> text
//! ```

mod bisect;
mod make;
mod reread;
mod text;
mod xmi;

pub(super) use self::make::judged_draft;
pub use self::make::{draft, plain};
pub(super) use self::text::PlacedChunk;
pub use self::text::{ConflictMarks, MergeDraft};
