//! Unrolling: the positions of a run one after the other, in one solver ([`unrolling`]) or as one formula ([`refutation`]).

pub mod refutation;
pub mod unrolling;
