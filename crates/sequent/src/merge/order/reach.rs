//! P4's table `reach` (definition 4.2.6): where a lifeline may be after some elements of each side.
//!
//! The cells of the table forget by which way they were reached, so that they are few; that is enough to tell where a
//! lifeline cannot go on, and in which states it is then.

use super::{Acceptor, Set, SymbolId};

/// The states after the first `i` of our and the first `j` of their symbols, in any order, as `table[i][j]`.
pub fn reach(acceptor: &Acceptor, start: &Set, ours: &[SymbolId], theirs: &[SymbolId]) -> Vec<Vec<Set>> {
    let mut table = vec![vec![Set::default(); theirs.len() + 1]; ours.len() + 1];
    table[0][0] = start.clone();
    for i in 0..=ours.len() {
        for j in 0..=theirs.len() {
            if let Some(symbol) = i.checked_sub(1).and_then(|before| ours.get(before)) {
                let after = acceptor.after(&table[i - 1][j], *symbol);
                table[i][j].join(&after);
            }
            if let Some(symbol) = j.checked_sub(1).and_then(|before| theirs.get(before)) {
                let after = acceptor.after(&table[i][j - 1], *symbol);
                table[i][j].join(&after);
            }
        }
    }
    table
}
