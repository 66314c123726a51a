//! Memo tables: results by id, each computed once.

use std::marker::PhantomData;

use crate::id::Id;

/// Values by id, for ids that are few and close together.
#[derive(Clone, Debug)]
pub(super) struct Memo<I, T> {
    values: Vec<Option<T>>,
    ids: PhantomData<I>,
}

impl<I: Id, T: Clone> Memo<I, T> {
    pub(crate) const fn new() -> Self {
        Memo { values: Vec::new(), ids: PhantomData }
    }

    pub(crate) fn get(&self, id: I) -> Option<T> {
        self.values.get(id.index()).cloned().flatten()
    }

    pub(crate) fn set(&mut self, id: I, value: T) {
        if self.values.len() <= id.index() {
            self.values.resize(id.index() + 1, None);
        }
        self.values[id.index()] = Some(value);
    }
}
