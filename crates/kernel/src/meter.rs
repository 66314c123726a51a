//! The meter: whether a command may go on, and what it left undone when it might not.
//!
//! A command has one budget for all that it does. The part that watches the clock and the memory (the command line) holds the [`Meter`] and ends it when the
//! budget is spent. Every phase looks at the meter of its thread between two pieces of work, stops there when it is over, and says what it leaves
//! undone. So what was found until then is told, and silence is never taken for soundness. Where no meter is set, nothing is ever over.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What a phase works on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Work {
    /// Files are read.
    Files,
    /// Diagrams become a model.
    Diagrams,
    /// Diagrams and systems of objects are looked at for findings.
    Lints,
    /// Questions are answered.
    Questions,
    /// Systems are surveyed for what no question asks.
    Surveys,
    /// A run is taken step by step.
    Steps,
    /// Diagrams are drawn or written.
    Drawings,
}

impl Work {
    /// That this many pieces of it were left undone.
    fn told(self, count: usize) -> String {
        let (one, many, done) = match self {
            Work::Files => ("file", "files", "not read"),
            Work::Diagrams => ("diagram", "diagrams", "left out"),
            Work::Lints => {
                ("part of the checks for findings", "parts of the checks for findings", "not done")
            }
            Work::Questions => ("question", "questions", "not answered"),
            Work::Surveys => ("survey", "surveys", "not made"),
            Work::Steps => ("step", "steps", "not taken"),
            Work::Drawings => ("drawing", "drawings", "not made"),
        };
        match count {
            1 => format!("1 {one} was {done}"),
            count => format!("{count} {many} were {done}"),
        }
    }
}

/// The meter of one command.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<Dial>);

#[derive(Debug, Default)]
struct Dial {
    is_over: AtomicBool,
    left: Mutex<BTreeMap<Work, usize>>,
}

thread_local! {
    static CURRENT: RefCell<Option<Meter>> = const { RefCell::new(None) };
}

impl Meter {
    /// Says that the budget is spent.
    pub fn end(&self) {
        self.0.is_over.store(true, Ordering::Relaxed);
    }

    /// Does some work on this meter.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = CURRENT.with_borrow_mut(|current| current.replace(self.clone()));
        let done = work();
        CURRENT.with_borrow_mut(|current| *current = before);
        done
    }

    /// What was left undone, in words; nothing if all was done.
    pub fn left(&self) -> Option<String> {
        let left = self.0.left.lock().unwrap_or_else(PoisonError::into_inner);
        let told: Vec<String> = left.iter().map(|(work, count)| work.told(*count)).collect();
        (!told.is_empty()).then(|| told.join(", "))
    }
}

/// Whether the budget of this thread's work is spent.
pub fn is_over() -> bool {
    CURRENT
        .with_borrow(|current| current.as_ref().is_some_and(|meter| meter.0.is_over.load(Ordering::Relaxed)))
}

/// Whether some pieces of work must be left undone, which is kept if it is so.
pub fn leaves(work: Work, count: usize) -> bool {
    let is_left = count > 0 && is_over();
    if is_left {
        CURRENT.with_borrow(|current| {
            if let Some(Meter(dial)) = current {
                *dial.left.lock().unwrap_or_else(PoisonError::into_inner).entry(work).or_default() += count;
            }
        });
    }
    is_left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told() {
        let meter = Meter::default();
        let (first, second) = meter.run(|| {
            let first = leaves(Work::Files, 3);
            meter.end();
            (first, leaves(Work::Files, 2) && leaves(Work::Files, 1) && leaves(Work::Surveys, 1))
        });
        assert!(!first && second);
        assert!(!leaves(Work::Files, 1), "this thread has no meter now");
        assert_eq!(meter.left().as_deref(), Some("3 files were not read, 1 survey was not made"));
        assert_eq!(Meter::default().left(), None);
    }
}
