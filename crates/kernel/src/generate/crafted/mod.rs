//! The crafted models of P4's evaluation (section 5.2).
//!
//! The drawings of figures 5.2.1 to 5.2.3 are lost; what the tables print about the philosophers determines them.

mod philosophers;

pub use philosophers::philosophers;
