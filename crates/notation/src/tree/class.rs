//! Statements of class and object diagrams.

/// One statement of a class or object diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {}
