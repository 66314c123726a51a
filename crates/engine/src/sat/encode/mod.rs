//! Encoding: logic ([`clauses`]), numbers ([`number`]) and states ([`state`]) as clauses; a System
//! ([`encoding`], written by [`writer`]), the table of an observer ([`table`]) as part of the clauses
//! ([`watching`]), cycles as states ([`liveness`]), a bound on where attempts begin ([`near`]); a component
//! alone ([`projection`]); [`question`] is what is searched.

pub mod clauses;
pub mod encoding;
pub mod liveness;
pub(crate) mod local;
pub(crate) mod near;
pub mod number;
pub(crate) mod possible;
pub(crate) mod projection;
pub mod question;
pub mod state;
pub mod table;
pub(crate) mod watching;
pub(crate) mod wide;
pub(crate) mod writer;

pub use sequent_kernel::question::Pace;

use number::NumberTooLarge;

/// Why a System, or a question about it, cannot be written as clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotEncodable(pub String);

impl From<NumberTooLarge> for NotEncodable {
    fn from(_: NumberTooLarge) -> Self {
        NotEncodable("a computed number may be larger than 2^31".to_owned())
    }
}
