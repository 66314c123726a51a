//! The seeds of a test, and which one failed.
//!
//! A test of random inputs goes through the first few seeds. `SEQUENT_RANDOM=5000` makes every such test go through the first 5,000, and
//! `SEQUENT_RANDOM=5000..9000` through others. Where the test fails, the seed is printed with the words that repeat it.

use std::ops::Range;

/// Seeds, one after the other.
#[derive(Debug)]
pub struct Seeds {
    left: Range<u64>,
    last: Option<u64>,
}

/// The seeds of a test: the first `usual` ones, unless the environment says otherwise.
pub fn seeds(usual: u64) -> Seeds {
    Seeds { left: told().unwrap_or(0..usual), last: None }
}

/// Whether more is wanted than every run of the tests should do.
pub fn is_more() -> bool {
    told().is_some()
}

fn told() -> Option<Range<u64>> {
    let text = std::env::var("SEQUENT_RANDOM").ok()?;
    Some(range(&text).unwrap_or_else(|| panic!("SEQUENT_RANDOM is a number or `FIRST..END`, not `{text}`")))
}

fn range(text: &str) -> Option<Range<u64>> {
    let (from, to) = text.split_once("..").unwrap_or(("0", text));
    Some(from.parse().ok()?..to.parse().ok()?)
}

impl Seeds {
    /// How many are left.
    pub fn count_left(&self) -> u64 {
        self.left.end.saturating_sub(self.left.start)
    }

    /// The same, and those after them without end: for a test that leaves some out.
    pub fn and_on(mut self) -> Self {
        self.left.end = u64::MAX;
        self
    }
}

impl Iterator for Seeds {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.last = self.left.next();
        self.last
    }
}

impl Drop for Seeds {
    /// The loop over seeds is left by a panic.
    fn drop(&mut self) {
        if let Some(seed) = self.last.filter(|_| std::thread::panicking()) {
            eprintln!("seed {seed}: SEQUENT_RANDOM={seed}..{} repeats it", seed + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges_are_read() {
        assert_eq!(range("30"), Some(0..30));
        assert_eq!(range("5..9"), Some(5..9));
        assert_eq!(["", "x", "1..", "..2", "-1"].map(range), [const { None }; 5]);
    }

    #[test]
    fn seeds_go_on_where_some_are_left_out() {
        let few = || Seeds { left: 2..4, last: None };
        assert_eq!(few().count_left(), 2);
        assert_eq!(few().collect::<Vec<u64>>(), [2, 3]);
        assert_eq!(few().and_on().take(4).collect::<Vec<u64>>(), [2, 3, 4, 5]);
    }
}
