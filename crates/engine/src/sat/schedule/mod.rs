//! Scheduling: a System as [`automata`] that meet; what each does at which position ([`timetable`]), as clauses ([`plan`]) or by
//! [`local_search`].

pub mod automata;
pub mod local_search;
pub mod plan;
pub mod timetable;
