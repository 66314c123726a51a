//! The scribe: writes down what is asked, and answers nothing.

use std::cell::RefCell;

use sequent_engine::sat::encoding::Unwritten;

use super::Legend;
use crate::posed::{Copied, Posed};

/// Keeps questions.
pub struct Scribe {
    /// How many iterations loops keep apart.
    pub window: usize,
    written: RefCell<Vec<Result<Copied, Unwritten>>>,
}

impl Scribe {
    /// Nothing is written yet.
    pub fn new(window: usize) -> Self {
        Scribe { window, written: RefCell::default() }
    }

    /// Writes a question down, with names for values.
    pub fn write(&self, posed: &Posed<'_>, legend: &Legend) {
        self.written.borrow_mut().push(posed.copied(legend));
    }

    /// What was written.
    pub fn finish(self) -> Vec<Result<Copied, Unwritten>> {
        self.written.into_inner()
    }
}
