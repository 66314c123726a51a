//! What the state machines say about a draft: which orders of its choices they can follow.
//!
//! ```text
//! model: the draft and the machines around it, read
//! versions: what contradicts the machines before the merge
//!   -> trigger: one order problem per diagram
//!   -> nested, search (arrange, full): where lifelines alone do not tell, orders are tried
//! ```

mod arrange;
mod full;
mod model;
mod nested;
mod search;
mod trigger;
mod versions;

pub use self::full::possible;
pub use self::model::FileModel;
pub(super) use self::nested::read_sides;
pub(super) use self::search::{AtomKey, Demands, Fit, OrderSearch};
pub(super) use self::trigger::{DiagramProblem, LifelineLimit, problems};
pub(super) use self::versions::Versions;
