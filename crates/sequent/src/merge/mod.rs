//! Merging: two revisions of a file with diagrams become one (P4, section 4.2, and beyond).
//!
//! | step | folder | from | to |
//! |---|---|---|---|
//! | read | [`read`] | bytes | pieces (statements and lines), sections, trees |
//! | match | [`align`], [`matching`], [`elements`] (of UML models) | two and three versions | renames, pairs and triples of nodes that correspond |
//! | merge | [`threeway`] | sections as in diff3, trees by their triples | chunks: text, choices, conflicts |
//! | check | [`draft`] | the merged file, read again | a draft that is no worse than its versions |
//! | order | [`machines`], [`order`] | the choices of a draft and the state machines | all orders that fit: counted, listed, searched for |
//! | explain | [`explain`], [`taken`] | a diagram without an order, conflicts | reasons and proposals, what sides contradict |
//! | write | [`draft`], [`solve`] | a draft and an order | the merged file |
//!
//! A choice is a place of a sequence diagram at which a side added messages; if both did there are several orders. The [level](ConsistencyLevel) of consistency limits
//! them: the order of each side alone, what each lifeline can receive, or what the machines can do together. [`solve`] holds [`Merge`], which leads through
//! these steps. [`diff`] compares two versions with the same reading and matching.

mod align;
pub mod diff;
pub mod draft;
mod elements;
pub mod explain;
mod machines;
mod matching;
mod options;
pub mod order;
mod read;
mod side;
mod solve;
mod taken;
mod threeway;

pub use self::machines::{FileModel, possible};
pub use self::options::{Companions, ConsistencyLevel, Environment, MergeOptions, VersionFiles};
pub use self::read::{Piece, PieceKind, SectionKind, decode, pieces};
pub use self::side::{Interleaving, RevisionSide};
pub use self::solve::{FoundMerges, Merge, MergeTask};
