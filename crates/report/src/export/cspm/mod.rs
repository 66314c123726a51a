//! CSPm, the language of the refinement checker FDR (paper 001).
//!
//! - [`steps`](mod@steps): any System as one process whose parameters are its variables. Every step of ours is one event of theirs.
//! - [`machines`](mod@machines): objects that meet or have queues, with their states as processes.
//! - [`lifelines`](mod@lifelines): a sequence diagram, made from the diagram itself: lifelines beside each other.
//! - [`script`](mod@script): several of either of the first two.
//! - [`comparisons`]: whether one of them does only what another does.
//! - [`testers`]: scenarios as questions about them.
//! - [`alphabet`]: what is seen, as channels with sender, receiver and arguments.
//!
//! What is written is read again by a reader in the tests, which compares what it means with what Sequent says.

mod alphabet;
mod author;
mod bodies;
mod branches;
mod buffers;
mod comparisons;
mod composition;
mod division;
mod lifelines;
mod machines;
mod names;
mod parties;
mod process;
mod script;
mod sharing;
mod steps;
mod terms;
mod testers;
mod waiting;

pub use comparisons::{Compared, SystemComparison};
pub use lifelines::{LifelineRefinement, joint, lifelines};
pub use script::{ScriptDraft, script};

pub use super::question::{Legend, Unwritten, WrittenSubject};
pub use super::unfolded::UnfoldedDiagram;
pub use testers::{CastScenario, TesterQuestion, ask};

/// Processes, and how to read their events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cspm {
    /// The script.
    pub text: String,
    /// The processes that are the wholes, in their order.
    pub processes: Vec<String>,
    /// Its events, in the order of their texts.
    pub events: Vec<ScriptEvent>,
}

/// An event of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptEvent {
    /// How it is written.
    pub event: String,
    /// The text that identifies it.
    pub text: String,
    /// The texts of what is seen at once; only its own unless there are several.
    pub parts: Vec<String>,
}

/// A text on one line, so that the comment that it stands in ends where it should.
fn comment(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
