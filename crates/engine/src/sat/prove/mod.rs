//! Proofs: [`induction`] and [`ic3`] answer without a bound; a [`certificate`] is checked again, and [`reasons`] are the conditions that a
//! proof needs.

pub mod certificate;
pub mod ic3;
pub mod induction;
pub mod reasons;
