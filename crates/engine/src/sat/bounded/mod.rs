//! Bounded model checking: runs of growing length ([`reach`]), large bounds ([`far`]), how far runs get
//! ([`depth`]), and the configurations from which messages can follow each other ([`suffix`], in the orders
//! of a [`chart`]).

mod chart;
pub mod depth;
pub mod far;
pub mod reach;
pub mod suffix;
