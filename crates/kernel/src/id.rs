//! Typed indices, and vectors that are indexed by them.
//!
//! A bare `usize` says nothing about what it counts. Each kind of element has its own id type, made by
//! [`id!`](crate::id!), and lives in an [`IdVec`] in the order of its declaration.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A typed index.
pub trait Id: Copy + Eq + Ord + std::hash::Hash {
    /// The id of the `index`-th element.
    fn from_index(index: usize) -> Self;
    /// The position of the element in its vector.
    fn index(self) -> usize;
}

/// Declares an id type.
#[macro_export]
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(unreachable_pub, reason = "modules of every depth declare ids with this macro")]
        pub struct $name(u32);

        impl $crate::id::Id for $name {
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 elements"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

/// A vector indexed by its own id type, in order of declaration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    ids: PhantomData<I>,
}

impl<I: Id, T> IdVec<I, T> {
    /// An empty vector.
    pub fn new() -> Self {
        Self { items: Vec::new(), ids: PhantomData }
    }

    /// An empty vector with capacity for `count` items.
    pub fn with_capacity(count: usize) -> Self {
        Self { items: Vec::with_capacity(count), ids: PhantomData }
    }

    /// Appends `item` and returns its id.
    pub fn push(&mut self, item: T) -> I {
        let id = I::from_index(self.items.len());
        self.items.push(item);
        id
    }

    /// The id that the next [`push`](Self::push) will return.
    pub fn next_id(&self) -> I {
        I::from_index(self.items.len())
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The elements in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The elements in order, to be changed in place.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// The ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    /// Ids and elements in order.
    pub fn enumerate(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(index, item)| (I::from_index(index), item))
    }

    /// The first id whose element satisfies `wanted`.
    pub fn find(&self, wanted: impl FnMut(&T) -> bool) -> Option<I> {
        self.items.iter().position(wanted).map(I::from_index)
    }
}

impl<I: Id, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(f)
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<A: IntoIterator<Item = T>>(items: A) -> Self {
        Self { items: items.into_iter().collect(), ids: PhantomData }
    }
}

impl<I: Id, T> IntoIterator for IdVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, I: Id, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}
