//! The budget: what a command may cost in all, from its beginning on.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// What a command may cost.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Budget {
    /// How long it may take.
    pub time: Option<Duration>,
    /// How many bytes it may hold.
    pub bytes: Option<usize>,
}

/// When the command began: when this was asked first.
pub fn start() -> Instant {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    *START
}
