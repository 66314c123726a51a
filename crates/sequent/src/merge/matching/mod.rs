//! Matching: which names, nodes and blocks of the versions correspond.
//!
//! ```text
//! rename: participants -> nodes: base with each side (operands, leftovers) -> triples: all three versions
//! ```

mod leftovers;
mod nodes;
mod operands;
mod rename;
mod rewritten;
mod triples;

pub(super) use self::nodes::match_nodes;
pub(super) use self::rename::{adopt_renames, apply_renames};
pub(super) use self::triples::{ThreeWay, TripleId, Triples};
