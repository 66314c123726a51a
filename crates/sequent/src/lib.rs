//! Sequent as a library: the way from text to report, without I/O.
//!
//! [`pipeline`] shows the arrows from text to findings on one page; [`agenda`] lists what is asked, [`posed`] is a question as all who answer get it; [`settings`] reads `sequent.toml`; [`behaviour`] is what
//! only a search finds out about a diagram, [`classify`] what a given trace is to it; [`merge`] joins two revisions of diagrams; [`property`] whether every run is
//! as it must be, [`scenario`] what state machines can, must and never do, [`refinement`] whether it does only what another does; [`simulate`] steps through it; [`system`] is what a search
//! finds out about communicating state machines; [`telling`] makes a story of a run; [`templates`] proves that a diagram means the same in formulas;
//! [`outside`] asks other tools; [`certificate`] writes out what a SAT engine has proved.

pub mod agenda;
pub mod behaviour;
pub mod certificate;
pub mod classify;
pub mod court;
pub mod inspections;
pub mod merge;
pub mod outside;
pub mod pipeline;
pub mod posed;
pub mod property;
pub mod refinement;
pub mod scenario;
pub mod settings;
pub mod simulate;
pub mod system;
pub mod telling;
pub mod templates;
