//! Bounded search: runs of growing length ([`reach`]) up to a length that is great ([`far`]), how far they get ([`depth`]), and from where
//! messages can follow each other ([`suffix`], in the orders of a [`chart`]).

mod chart;
pub mod depth;
pub mod far;
pub mod reach;
pub mod suffix;
