//! Linear temporal logic: formulas become automata that read runs.
//!
//! ```text
//!  Formula --bind--> Bound --form--> core formula --build--> automaton --reduce--> Automaton
//!                      \--truth--> what is true where along a run, without any automaton
//! ```
//!
//! - [`bind`](bind()): atoms become sets of moments and terms of a System.
//! - `form`, `core`, `rewrite`: negation normal form, shared, simplified; what the past must not know is guessed.
//! - `expand`, `decision`, `build`: states are what is still to come true; each decides on a position by tests.
//! - `reduce`, `simulate`, `quotient`: the same automaton, smaller.
//! - `history`: the past, one bit for each operator.
//! - [`truth`](truth()): the definitions, evaluated along a lasso; checks what the automata found.

mod automaton;
mod bind;
mod bits;
mod breach;
mod build;
mod classes;
mod core;
mod decision;
mod expand;
mod form;
mod hashing;
mod history;
mod memo;
mod pattern;
mod quotient;
mod reduce;
mod rewrite;
mod simulate;
mod truth;

pub use automaton::{AutomatonSize, LtlAutomaton, LtlState, Origin};
pub use bind::{AtomMeaning, BoundFormula, BoundPart, Moments, PartId, Says, Unbound, bind, bind_with};
pub use pattern::matches;
pub use truth::{Truth, truth};

/// Why a formula has no automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AutomatonTooLarge {
    /// The formula is too deep, or taking it apart takes too much room.
    Formula,
    /// There are too many states.
    States,
    /// More than 64 things must come again and again.
    Marks,
    /// More than 64 things must be remembered, or guessed.
    Memory,
}
