//! Effort: how much work an answer may cost, and which engine answers.

use std::ops::ControlFlow;

use sequent_engine::decision::{Decision, Engine, EngineOptions};
use sequent_engine::explicit;
use sequent_engine::graph::StateGraph;
use sequent_engine::portfolio::EngineChoice;
use sequent_engine::search::{Limits, Progress, ProgressWatch, unwatched};
use sequent_kernel::question::Case;

/// How much work an answer may cost.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// How far a search may go.
    pub limits: Limits,
    /// How many rules may be looked at, states by rules, so that large diagrams cost no more than small ones.
    pub looks: usize,
    /// How many threads work.
    pub threads: usize,
    /// Sees the progress, and may break it off.
    pub watch: ProgressWatch<'a>,
    /// The engine that answers.
    pub engine: &'a dyn Engine,
    /// How long runs may be, where the caller says so.
    pub within: Option<usize>,
    /// What is wanted besides answers.
    pub wants: Wants,
    /// Tells the time in milliseconds, for reports; where no time is set nothing is decided by it.
    pub clock: Option<&'a dyn Fn() -> u64>,
    /// When everything should be over, by that clock.
    pub until: Option<u64>,
    /// How many questions share the time that is left.
    pub open: usize,
}

/// What is wanted besides answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wants {
    /// What rules something out that cannot be.
    pub reasons: bool,
    /// Bounded questions that have no model, as formulas.
    pub formulas: bool,
    /// Some runs of what shows none.
    pub examples: bool,
}

impl Default for Effort<'_> {
    fn default() -> Self {
        Effort {
            limits: Limits::default(),
            looks: 20_000_000,
            threads: 1,
            watch: &unwatched,
            engine: &EngineChoice::Explicit,
            within: None,
            wants: Wants::default(),
            clock: None,
            until: None,
            open: 1,
        }
    }
}

impl Effort<'_> {
    /// When one of this many equal parts of the time that is left will be over.
    pub fn share(&self, parts: usize) -> Option<u64> {
        let now = self.clock?();
        self.until.map(|until| now + until.saturating_sub(now) / parts.max(1) as u64)
    }

    /// Does some work that must be over at a time.
    pub fn until<T>(&self, end: Option<u64>, work: impl FnOnce(&Effort<'_>) -> T) -> T {
        let watch = |progress: &Progress| match (end, self.clock) {
            (Some(end), Some(clock)) if clock() > end => ControlFlow::Break(()),
            (_, _) => (self.watch)(progress),
        };
        work(&Effort { watch: &watch, until: end.or(self.until), ..*self })
    }

    /// How far a search may go in systems of this many rules.
    pub(crate) fn limits_of(&self, rules: usize) -> Limits {
        Limits { states: self.limits.states.min(self.looks / rules.max(100)), ..self.limits }
    }

    /// Does some work and tells how long it took, if there is a clock.
    pub fn timed<T>(&self, work: impl FnOnce() -> T) -> (T, Option<u64>) {
        let start = self.clock.map(|clock| clock());
        let result = work();
        let end = self.clock.map(|clock| clock());
        (result, end.zip(start).map(|(end, start)| end.saturating_sub(start)))
    }

    /// Lets the engine decide a case within its share of the time. An engine that finds nothing takes all the time there is, so
    /// each question has a part of it.
    pub fn decide<'c>(&self, case: &'c Case, graph: &mut StateGraph<'_>, limits: Limits) -> Decision<'c> {
        let parts = if self.engine.shares_time() { self.open } else { self.open.min(2) };
        let end = self.share(parts);
        self.until(end, |effort| effort.engine.decide(case, graph, &effort.options(limits)))
    }

    /// The name of the engine in an answer that no engine has decided.
    pub(crate) fn default_engine(&self) -> &'static str {
        if self.engine.looks_at_states() { explicit::NAME } else { self.engine.name() }
    }

    /// The options for engines.
    pub fn options(&self, limits: Limits) -> EngineOptions<'_> {
        let time = self.until.zip(self.clock).map(|(until, clock)| until.saturating_sub(clock()));
        EngineOptions {
            limits,
            threads: self.threads,
            within: self.within,
            is_patient: self.looks == usize::MAX,
            watch: self.watch,
            time,
        }
    }
}
