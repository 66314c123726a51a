//! Peers: the same questions for Sequent and for other tools, side by side.
//!
//! A [`Family`] has models that grow with a number, or the cases of a paper. A [`PeerCase`] is one of them, as files that a user
//! could have written. What is measured are [`figures`](mod@figures), and a [`table`](mod@table) shows them with ratios;
//! [`comparison`] makes the tables. Programs are run by its [`Host`](comparison::Host), which the command is; nothing here starts one.

mod bounded;
pub mod comparison;
mod families;
pub mod figures;
mod membership;
mod protocols;
mod reading;
pub mod table;

pub(crate) use bounded::WITHIN;
pub use bounded::bounded;
pub use families::{Family, PeerCase};
pub use figures::{Figures, explore};
pub use membership::{Membership, belongs};
pub(crate) use reading::CaseReading;
pub use reading::Outcome;
