//! Jobs: questions that take a while. The page asks how one goes on, and may cancel it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sequent::effort::Effort;
use sequent_engine::portfolio::EngineChoice;
use sequent_engine::search::Progress;
use serde_json::{Value, json};

use super::reply::RequestProblem;
use crate::watch::words;

/// How long a request for a job waits for its end before it returns the progress.
const PATIENCE: Duration = Duration::from_millis(250);

/// This many jobs are kept: the last ones.
const MOST_KEPT: usize = 32;

/// This many are at work at once.
const MOST_RUNNING: usize = 8;

/// All jobs, by number.
#[derive(Default)]
pub(crate) struct Jobs(Mutex<BTreeMap<u64, Arc<ServeJob>>>);

/// One job.
pub(crate) struct ServeJob {
    start: Instant,
    is_cancelled: AtomicBool,
    standing: Mutex<JobStatus>,
    ended: Condvar,
}

#[derive(Default)]
struct JobStatus {
    progress: Progress,
    result: Option<Result<Value, String>>,
}

impl Jobs {
    fn all(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<ServeJob>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new job and its number.
    pub(crate) fn add(&self) -> Result<(u64, Arc<ServeJob>), RequestProblem> {
        let mut all = self.all();
        if all.values().filter(|job| !job.has_ended()).count() >= MOST_RUNNING {
            return Err(RequestProblem::Busy);
        }
        while all.len() >= MOST_KEPT {
            all.pop_first();
        }
        let number = all.last_key_value().map_or(1, |(last, _)| last + 1);
        let job = Arc::new(ServeJob {
            start: Instant::now(),
            is_cancelled: AtomicBool::new(false),
            standing: Mutex::default(),
            ended: Condvar::new(),
        });
        all.insert(number, job.clone());
        Ok((number, job))
    }

    /// The job of a number.
    pub(crate) fn get(&self, number: u64) -> Result<Arc<ServeJob>, RequestProblem> {
        self.all().get(&number).cloned().ok_or(RequestProblem::Missing)
    }
}

impl ServeJob {
    fn standing(&self) -> MutexGuard<'_, JobStatus> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_ended(&self) -> bool {
        self.standing().result.is_some()
    }

    /// Breaks it off at the next look.
    pub(crate) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Notes the result.
    pub(crate) fn end(&self, result: Result<Value, String>) {
        self.standing().result = Some(result);
        self.ended.notify_all();
    }

    /// Waits a moment for the end, and tells how things stand.
    pub(crate) fn report(&self) -> Value {
        let waited =
            self.ended.wait_timeout_while(self.standing(), PATIENCE, |standing| standing.result.is_none());
        let (standing, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let is_cancelled = self.is_cancelled.load(Ordering::Relaxed);
        match &standing.result {
            _ if is_cancelled => json!({ "state": "cancelled" }),
            Some(Ok(result)) => json!({ "state": "done", "result": result }),
            Some(Err(problem)) => json!({ "state": "failed", "problem": problem }),
            None => {
                let elapsed = self.start.elapsed();
                let Progress { states, transitions, depth, bytes } = standing.progress;
                let millis = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
                json!({
                    "state": "running", "millis": millis, "states": states, "transitions": transitions,
                    "depth": depth, "bytes": bytes, "words": words(&standing.progress, elapsed),
                })
            }
        }
    }

    /// Runs `work` with the effort of `check`, and `patience` times its number of looks.
    pub(crate) fn work<T>(&self, patience: usize, work: impl FnOnce(&Effort<'_>) -> T) -> T {
        let watch = |progress: &Progress| {
            self.standing().progress = *progress;
            match self.is_cancelled.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let clock = || u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        work(&Effort {
            looks: Effort::default().looks.saturating_mul(patience),
            threads: cores,
            watch: &watch,
            engine: &EngineChoice::Auto,
            clock: Some(&clock),
            ..Effort::default()
        })
    }
}
