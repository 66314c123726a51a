//! Temporal formulas on lassos: a reader and a printer ([`syntax`]), random formulas ([`random`]), lassos ([`word`]), and what a formula says
//! about one by definition ([`naive`]).

pub mod naive;
pub mod random;
pub mod syntax;
pub mod word;
