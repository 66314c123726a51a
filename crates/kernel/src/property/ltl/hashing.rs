//! Hash tables with small keys: a fast hash that does not resist chosen keys; the keys here are ids.
//!
//! The function is that of the Rust compiler (Fx): rotate, add the word, multiply.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A table by small keys.
pub(super) type KeyTable<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

/// A set of small keys.
pub(super) type KeySet<K> = HashSet<K, BuildHasherDefault<Quick>>;

/// The state of the hash.
#[derive(Clone, Copy, Default)]
pub(super) struct Quick(u64);

impl Quick {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.add(word.into());
    }

    fn write_u32(&mut self, word: u32) {
        self.add(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.add(word as u64);
    }

    fn write_isize(&mut self, word: isize) {
        self.add(word as u64);
    }

    fn finish(&self) -> u64 {
        // The low bits choose the slot, and multiplication mixes upwards.
        self.0.rotate_left(26)
    }
}
