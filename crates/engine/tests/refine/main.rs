//! Refinement against its definition, and the testers of paper 001.

mod naive;
mod process;
mod random;
mod testers;
