//! Random choices of [`interaction`](super::interaction) and [`wide`](super::wide).
//!
//! A number below a bound is a remainder here, and not the high half of a product as in [`Random::below`]: the seeds of these models are
//! known by what they give, in examples and in files of users, and stay what they are.

use sequent_kernel::random::Random;

/// A source of choices.
pub(crate) struct ChoiceSource(Random);

impl ChoiceSource {
    /// The source with this seed.
    pub(crate) fn new(seed: u64) -> Self {
        ChoiceSource(Random::new(seed))
    }

    /// The next number, below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.0.number() % bound as u64).expect("below a usize")
    }

    /// True once in `times` on average.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several.
    pub(crate) fn pick<'t, T: ?Sized>(&mut self, from: &[&'t T]) -> &'t T {
        from[self.below(from.len())]
    }
}
