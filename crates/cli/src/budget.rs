//! The budget: the limits of time and memory of a command, counted from its start.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// What a command may cost.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Budget {
    /// How long it may take.
    pub time: Option<Duration>,
    /// How many bytes it may hold.
    pub bytes: Option<usize>,
    /// Whether no limit was set, and this is the default of such commands.
    pub(crate) is_default: bool,
}

/// Commands whose work can grow without bound end after this, where no limit is set.
const PATIENCE: Duration = Duration::from_secs(30);

/// Below this the memory of the process is not worth a look: the program itself takes as much.
const LEAST_BYTES: usize = 64 << 20;

/// What a command may cost beyond its budget: phases stop at the limit itself, and need some time to tell what they found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slack {
    /// Nothing.
    None,
    /// 15 % of the memory, and 0.6 s and 5 % of the time.
    Some,
}

impl Budget {
    /// The same, or the default if no limit was set.
    pub(crate) fn or_default(self) -> Budget {
        match self {
            Budget { time: None, bytes: None, .. } => {
                Budget { time: Some(PATIENCE), bytes: None, is_default: true }
            }
            limited => limited,
        }
    }

    /// What of it is spent, with some slack, if the process holds this many bytes.
    pub(crate) fn spent(&self, slack: Slack, held: Option<usize>) -> Option<String> {
        let late = match slack {
            Slack::None => Duration::ZERO,
            Slack::Some => Duration::from_millis(600) + self.time.unwrap_or_default() / 20,
        };
        if let Some(time) = self.time.filter(|time| start().elapsed() > time.saturating_add(late)) {
            let seconds = time.as_secs_f64();
            return Some(match self.is_default {
                true => format!("this takes longer than {seconds} s; --time SECONDS gives it more"),
                false => format!("the time is over (--time {seconds})"),
            });
        }
        let bytes = self.bytes?;
        let most = match slack {
            Slack::None => bytes.max(LEAST_BYTES),
            Slack::Some => bytes.max(LEAST_BYTES).saturating_mul(23) / 20,
        };
        held.is_some_and(|held| held > most)
            .then(|| format!("there is no more memory (--memory {})", bytes >> 20))
    }
}

/// When the command began: when this was asked first.
pub(crate) fn start() -> Instant {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    *START
}
