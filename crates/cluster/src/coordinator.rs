//! The coordinator: sends a case to the workers, and makes a decision of their reports.
//!
//! Most cases are small, and workers would wait for each other more than they work: the search in this
//! process goes first, up to a number of states. Scenarios are decided in this process, too; formulas by the workers. Of these
//! the ones whose violations are seen after finitely many positions are searched like states; others likewise, and if no run that ends
//! violates the formula, workers look for [cycles](crate::cycle) among the states that they have, and then for a shortest way round
//! from a state of one. If the connection to one worker is lost the cluster is ended: this question and all later ones stay undecided.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use sequent_engine::decision::{Decision, Engine, EngineOptions};
use sequent_engine::explicit;
use sequent_engine::graph::StateGraph;
use sequent_engine::part::{CycleExpander, RoundTrip, StateExpander, Wanted};
use sequent_engine::portfolio::QUICK;
use sequent_engine::property::{CycleSteps, is_by_order, observed};
use sequent_engine::search::{Limits, Progress, Reduction, SearchAnswer, SearchGoal, round_of};
use sequent_kernel::property::ltl::LtlAutomaton;
use sequent_kernel::question::{Case, Goal, Watcher};
use sequent_kernel::replay::Run;
use sequent_kernel::verdict::{Reason, SearchStop};

use crate::bytes::{ByteReader, ByteWriter};
use crate::explore::{WorkerOutcome, owner};
use crate::gather::{Crowd, Start};
use crate::hosts::Hosts;
use crate::link::{LinkMessage, MessageKind};
use crate::parcel::StateName;
use crate::report::{Advance, read_advance, read_cycle, read_outcome, read_state};
use crate::task;
use crate::worker::UNREAD;

/// How often the watch is asked while workers search.
const WATCH: Duration = Duration::from_millis(20);

/// Several processes as an engine.
pub struct Cluster {
    crowd: RefCell<Result<Crowd, String>>,
    /// How many states are looked at in this process before workers are asked.
    quick: usize,
    traffic: RefCell<WorkerTraffic>,
    /// Whether the workers were told to stop what they do.
    is_stopped: Cell<bool>,
}

/// What the last search of the workers cost, all of them together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorkerTraffic {
    /// States that were kept.
    pub states: u64,
    /// Steps taken.
    pub transitions: u64,
    /// Levels.
    pub depth: u64,
    /// Bytes that the states took in memory.
    pub bytes: u64,
    /// Bytes that were sent between workers.
    pub sent: u64,
}

/// What workers found.
struct WorkerFindings {
    answer: SearchAnswer,
    states: u64,
    is_strained: bool,
}

impl Cluster {
    /// Starts `processes` workers on this machine by `start`.
    pub fn local(processes: usize, program: &str, wait: Duration, start: Start<'_>) -> Result<Self, String> {
        Crowd::local(processes, program, wait, start).map(Cluster::of)
    }

    /// The workers of some hosts; `start` starts the one of this host, which is the first.
    pub fn hosts(hosts: &Hosts, program: &str, wait: Duration, start: Start<'_>) -> Result<Self, String> {
        Crowd::hosts(hosts, program, wait, start).map(Cluster::of)
    }

    fn of(crowd: Crowd) -> Self {
        Cluster {
            crowd: RefCell::new(Ok(crowd)),
            quick: QUICK,
            traffic: RefCell::default(),
            is_stopped: Cell::new(false),
        }
    }

    /// Searches `quick` states in this process before it uses the workers.
    pub fn with_quick_look(mut self, quick: usize) -> Self {
        self.quick = quick;
        self
    }

    /// What the last search of the workers cost.
    pub fn traffic(&self) -> WorkerTraffic {
        *self.traffic.borrow()
    }

    /// Lets the workers search; nothing if they cannot decide it. An error says which one was lost.
    fn search(
        &self,
        case: &Case,
        graph: &mut StateGraph<'_>,
        wanted: Wanted<'_>,
        options: &EngineOptions<'_>,
    ) -> Result<Option<WorkerFindings>, String> {
        let mut crowd = self.crowd.borrow_mut();
        let found = match &mut *crowd {
            Ok(crowd) => self.ask(crowd, case, graph, wanted, options),
            Err(why) => return Err(why.clone()),
        };
        if let Err(why) = &found {
            if let Ok(mut lost) = std::mem::replace(&mut *crowd, Err(why.clone())) {
                lost.disband();
            }
        }
        found
    }

    fn ask(
        &self,
        crowd: &mut Crowd,
        case: &Case,
        graph: &mut StateGraph<'_>,
        wanted: Wanted<'_>,
        options: &EngineOptions<'_>,
    ) -> Result<Option<WorkerFindings>, String> {
        let Some(part) = StateExpander::new(graph.program(), wanted) else { return Ok(None) };
        if let Wanted::Ended(automaton) = wanted
            && CycleExpander::new(graph.program(), automaton, CycleSteps::All).is_none()
        {
            return Ok(None);
        }
        // What one process may hold at most is no limit for several.
        let states = options.limits.states;
        let states = if states < Limits::default().states { states } else { usize::MAX };
        let task = task::write(&case.system, wanted, &Limits { states, ..options.limits });
        crowd.tell_all(MessageKind::Task, &task)?;
        let outcomes = self.outcomes(crowd, MessageKind::Outcome, read_outcome, options)?;
        let is_open = outcomes.iter().any(|outcome| outcome.is_open);
        let outcomes = stopped(outcomes, self.is_stopped.get());
        if is_open && !matches!(wanted, Wanted::Ended(_)) {
            return Ok(None);
        }
        let states = outcomes.iter().map(|outcome| outcome.states).sum();
        let was_strained = outcomes.iter().any(|outcome| outcome.was_strained);
        let stop = outcomes.iter().find_map(|outcome| outcome.stop);
        let found = outcomes.iter().filter_map(|outcome| outcome.found).min();
        let (Some(found), true) = (found, stop.is_none_or(|stop| stop != SearchStop::Watch)) else {
            let is_strained = was_strained || outcomes.iter().any(|outcome| outcome.strained.is_some());
            let answer = match (stop, wanted) {
                (Some(stop), _) => SearchAnswer::Stopped(stop),
                (None, Wanted::Ended(automaton)) => {
                    self.cycle(crowd, case, (automaton, is_open), graph, options)?
                }
                (None, Wanted::State(..) | Wanted::Violation(_) | Wanted::Round(..)) => {
                    SearchAnswer::Exhausted
                }
            };
            return Ok(Some(WorkerFindings { answer, states, is_strained }));
        };
        let bound = seen_until(&outcomes, found, round_of(case.system.rules.len()));
        let mut more = 0;
        for worker in 0..crowd.len() {
            let told = question(crowd, worker, MessageKind::Count, bound)?;
            more += ByteReader(&told).number().ok_or_else(unread)?;
        }
        let strained = outcomes.iter().filter_map(|outcome| outcome.strained);
        let is_strained = was_strained || strained.min().is_some_and(|name| name < bound);
        let path = path_to(crowd, found)?;
        // Not every state in which a formula is violated is on the way to an end of a run.
        let answer = part.run_along(&path, graph).map(SearchAnswer::Found);
        Ok(answer.map(|answer| WorkerFindings { answer, states: states + more, is_strained }))
    }

    /// A run that goes on forever and violates a formula, among the states that the workers have; `may_rest` tells whether one may count
    /// of which nothing is seen any more.
    fn cycle(
        &self,
        crowd: &mut Crowd,
        case: &Case,
        (automaton, may_rest): (&LtlAutomaton, bool),
        graph: &mut StateGraph<'_>,
        options: &EngineOptions<'_>,
    ) -> Result<SearchAnswer, String> {
        let is_seen = case.system.endless.as_ref().is_none_or(|endless| endless.is_seen);
        let resting = (may_rest && !is_seen).then_some(CycleSteps::Unread);
        for steps in [CycleSteps::All].into_iter().chain(resting) {
            let needs = CycleExpander::new(graph.program(), automaton, steps).ok_or_else(unread)?;
            let mut asked = ByteWriter::default();
            asked.number(if steps == CycleSteps::Unread { UNREAD.0 } else { 0 });
            crowd.tell_all(MessageKind::Cycle, &asked.0)?;
            let outcomes = self.outcomes(crowd, MessageKind::Cycle, read_cycle, options)?;
            if let Some(stop) = outcomes.iter().find_map(|outcome| outcome.stop) {
                return Ok(SearchAnswer::Stopped(stop));
            }
            let Some(entry) = outcomes.iter().filter_map(|outcome| outcome.found).min() else { continue };
            let path = path_to(crowd, entry.name)?;
            let way = StateExpander::new(graph.program(), Wanted::Ended(automaton));
            let (Some(start), Some(before)) = (path.last(), way.and_then(|way| way.steps_along(&path)))
            else {
                return Err(unread());
            };
            // Strong fairness that is not met is due nowhere on the cycle.
            let (needs, strong) = needs.needs();
            let trip = RoundTrip { start: start.clone(), needs: needs | strong & entry.met, steps };
            let found = self.ask(crowd, case, graph, Wanted::Round(automaton, &trip), options)?;
            return Ok(match found.ok_or_else(unread)?.answer {
                SearchAnswer::Found(round) => {
                    let cycle = Some(before.len());
                    SearchAnswer::Found(Run { steps: [before, round.steps].concat(), cycle })
                }
                SearchAnswer::Exhausted => return Err("a cycle was not found again".to_owned()),
                SearchAnswer::Stopped(stop) => SearchAnswer::Stopped(stop),
            });
        }
        Ok(SearchAnswer::Exhausted)
    }

    /// What all workers say at the end of something.
    fn outcomes<T>(
        &self,
        crowd: &mut Crowd,
        kind: MessageKind,
        read: impl Fn(&[u8]) -> Option<(T, Advance)>,
        options: &EngineOptions<'_>,
    ) -> Result<Vec<T>, String> {
        let mut advances = vec![Advance::default(); crowd.len()];
        let mut outcomes: Vec<Option<T>> = (0..crowd.len()).map(|_| None).collect();
        self.is_stopped.set(false);
        while outcomes.iter().any(Option::is_none) {
            match crowd.hear(WATCH)? {
                Some((worker, LinkMessage { kind: MessageKind::Beat, bytes })) => {
                    advances[worker] = read_advance(&mut ByteReader(&bytes)).ok_or_else(unread)?;
                }
                Some((worker, message)) if message.kind == kind => {
                    let (outcome, advance) = read(&message.bytes).ok_or_else(unread)?;
                    (outcomes[worker], advances[worker]) = (Some(outcome), advance);
                }
                Some(_) => return Err(unread()),
                None => {}
            }
            let traffic = sum(&advances);
            *self.traffic.borrow_mut() = traffic;
            if !self.is_stopped.get() && (options.watch)(&progress(&traffic)).is_break() {
                self.is_stopped.set(true);
                crowd.tell_all(MessageKind::Stop, &[])?;
            }
        }
        Ok(outcomes.into_iter().flatten().collect())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Ok(crowd) = &mut *self.crowd.borrow_mut() {
            crowd.dismiss();
        }
    }
}

impl Engine for Cluster {
    fn name(&self) -> &'static str {
        explicit::NAME
    }

    fn looks_at_states(&self) -> bool {
        true
    }

    fn decide<'c>(
        &self,
        case: &'c Case,
        graph: &mut StateGraph<'_>,
        options: &EngineOptions<'_>,
    ) -> Decision<'c> {
        explicit::merged(case, graph, &options.limits, &mut |case, graph, limits| {
            // One state for all that are alike is so much less that this process looks at them, if they fit into its memory.
            let alike = explicit::alike(case, limits, options.threads, options.watch);
            let is_too_much = |decision: &Decision<'_>| {
                matches!(decision.answer, SearchAnswer::Stopped(SearchStop::States | SearchStop::Memory))
            };
            let alike = alike.filter(|decision| limits.states <= self.quick || !is_too_much(decision));
            alike.unwrap_or_else(|| {
                self.decide_whole(case, graph, &EngineOptions { limits: *limits, ..*options })
            })
        })
    }
}

impl Cluster {
    /// Decides a case about its own System.
    fn decide_whole(
        &self,
        case: &Case,
        graph: &mut StateGraph<'_>,
        options: &EngineOptions<'_>,
    ) -> Decision<'static> {
        let here = |graph: &mut StateGraph<'_>, limits: &Limits| {
            explicit::whole(case, graph, limits, options.threads, options.watch)
        };
        let Some(wanted) = wanted(case) else { return here(graph, &options.limits) };
        let is_enough = options.limits.states <= self.quick;
        if self.quick > 0 {
            let quick = Limits { states: options.limits.states.min(self.quick), ..options.limits };
            let decision = here(graph, &quick);
            if is_enough || decision.answer != SearchAnswer::Stopped(SearchStop::States) {
                return decision;
            }
        }
        let mut found = self.search(case, graph, wanted, options);
        if let (Ok(None), Wanted::Violation(automaton)) = (&found, wanted) {
            found = self.search(case, graph, Wanted::Ended(automaton), options);
        }
        match found {
            Ok(None) => here(graph, &options.limits),
            Ok(Some(WorkerFindings { answer, states, is_strained })) => {
                let states = usize::try_from(states).unwrap_or(usize::MAX);
                let progress = Progress { states, ..progress(&self.traffic.borrow()) };
                let decision = Decision::of(explicit::NAME, answer).after(&progress);
                Decision { is_truncated: is_strained, is_shortest: true, ..decision }
            }
            Err(why) => Decision::none(explicit::NAME, Reason::Tool(format!("the cluster gave up: {why}"))),
        }
    }
}

/// What workers look for, with as much left out as in one process; nothing if they cannot decide it.
fn wanted(case: &Case) -> Option<Wanted<'_>> {
    match &case.goal {
        Goal::Stuck => Some(Wanted::State(SearchGoal::Stuck, Reduction::Deadlocks)),
        Goal::State(goal) => Some(Wanted::State(SearchGoal::Goal(*goal), Reduction::None)),
        Goal::Accepted(Watcher::Formula(automaton)) => {
            let is_shared = case.begins.is_none()
                && observed::fits(automaton)
                && !is_by_order(&case.system, &**automaton);
            is_shared.then(|| match observed::is_enough(&case.system, automaton) {
                true => Wanted::Violation(automaton),
                false => Wanted::Ended(automaton),
            })
        }
        Goal::Accepted(_) => None,
    }
}

/// Outcomes of workers, which were told to stop if `is_stopped`.
fn stopped(mut outcomes: Vec<WorkerOutcome>, is_stopped: bool) -> Vec<WorkerOutcome> {
    if is_stopped {
        outcomes.iter_mut().for_each(|outcome| outcome.stop = Some(SearchStop::Watch));
    }
    outcomes
}

/// Up to which state of the last level a search in one process would have looked: it takes the states in rounds, and stops after
/// the one in which it finds something.
fn seen_until(outcomes: &[WorkerOutcome], found: StateName, round: usize) -> StateName {
    let mut shards: Vec<(usize, usize, usize)> =
        outcomes.iter().flat_map(|outcome| outcome.shards.iter().copied()).collect();
    shards.sort_unstable();
    let before = shards.iter().take_while(|(shard, ..)| *shard < found.shard());
    let before: usize = before.map(|(_, start, end)| end - start).sum();
    let start = shards.iter().find(|(shard, ..)| *shard == found.shard()).map_or(0, |(_, start, _)| *start);
    let mut left = ((before + found.local() - start) / round + 1) * round;
    for (shard, start, end) in shards {
        if left < end - start {
            return StateName::new(shard, start + left);
        }
        left -= end - start;
    }
    StateName(u64::MAX)
}

/// The states on the way to one, from the beginning on.
fn path_to(crowd: &mut Crowd, found: StateName) -> Result<Vec<Vec<u64>>, String> {
    let mut path = Vec::new();
    let mut name = found;
    loop {
        let told = question(crowd, owner(name.shard(), crowd.len()), MessageKind::State, name)?;
        let (state, parent) = read_state(&told).ok_or_else(unread)?;
        path.push(state);
        if parent == name {
            path.reverse();
            return Ok(path);
        }
        name = parent;
    }
}

/// What a worker answers to a question about a state.
fn question(crowd: &mut Crowd, worker: usize, kind: MessageKind, name: StateName) -> Result<Vec<u8>, String> {
    let mut out = ByteWriter::default();
    out.number(name.0);
    crowd.tell(worker, kind, &out.0)?;
    loop {
        match crowd.hear(WATCH)? {
            Some((from, message)) if from == worker && message.kind == kind => return Ok(message.bytes),
            Some((_, message)) if message.kind == MessageKind::Beat => {}
            Some(_) => return Err(unread()),
            None => {}
        }
    }
}

fn unread() -> String {
    "a worker said something that cannot be read".to_owned()
}

fn sum(advances: &[Advance]) -> WorkerTraffic {
    advances.iter().fold(WorkerTraffic::default(), |sum, one| WorkerTraffic {
        states: sum.states + one.states,
        transitions: sum.transitions + one.transitions,
        depth: sum.depth.max(one.depth),
        bytes: sum.bytes + one.bytes,
        sent: sum.sent + one.sent,
    })
}

fn progress(traffic: &WorkerTraffic) -> Progress {
    let count = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
    Progress {
        states: count(traffic.states),
        transitions: count(traffic.transitions),
        depth: count(traffic.depth),
        bytes: count(traffic.bytes),
    }
}
