//! Promela, the language of the model checker SPIN.
//!
//! Three shapes, two of them after papers:
//!
//! - [`system`]: any System. Components are processes, queues are arrays, a step of ours is one
//!   `d_step` of theirs, so that SPIN stores exactly the states that we count. What is asked is a never claim beside it
//!   ([`claim`]), written here and not by SPIN's translator, which takes minutes for what is a page.
//! - [`observer`](mod@observer): state machines in the shape of paper 003, as processes with channels, and the scenario as a process that observes
//!   them.
//! - [`lifelines`](mod@lifelines): a sequence diagram in the shape of paper 002, with lifelines as processes. It knows nothing of Systems, and so is a
//!   second opinion about what a diagram means.
//!
//! Every step of the first prints `@number` when SPIN simulates it: so a trail is read back as a run ([`trail`]).

mod author;
mod channels;
mod claim;
mod deeds;
mod lexicon;
mod lifelines;
mod names;
mod observer;
mod system;
mod terms;
mod trail;

pub use super::question::{Legend, Unwritten, WantedGoal, WrittenSubject};
pub use super::unfolded::UnfoldedDiagram;
pub(super) use channels::{conjuncts, literal};
pub use lifelines::{PromelaLifelines, lifelines, recorded};
pub use observer::{Basic, observer};
pub use system::{Promela, promela};
pub(super) use terms::{ranges, read, uses};
pub use trail::{Pan, SpinTrail, pan, trail};
