//! A list with room for so many things, which a copy has as well.
//!
//! Solvers allocate when they are built and never later, so their lists are made as long as they
//! can become. A plain `Vec` forgets its capacity when it is cloned: a copy of a solver would
//! allocate in its first solve or, where the capacity is the bound, leave things out.

use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

/// A `Vec` whose clones have its capacity.
#[derive(Debug)]
pub(crate) struct Room<T>(Vec<T>);

impl<T> Room<T> {
    /// Room for so many.
    pub(crate) fn new(most: usize) -> Self {
        Self(Vec::with_capacity(most))
    }
}

impl<T: Clone> Clone for Room<T> {
    fn clone(&self) -> Self {
        let mut copy = Vec::with_capacity(self.0.capacity());
        copy.extend_from_slice(&self.0);
        Self(copy)
    }
}

impl<T> Deref for Room<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for Room<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<'a, T> IntoIterator for &'a Room<T> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
