//! Properties: is there a run that an observer accepts?
//!
//! The runs of a System are read by an [`Observer`] while they are explored: a state of the product is a state of the
//! [`StateGraph`] and what the observer remembers. Breadth first, so that the first run found is a shortest one.
//!
//! - A run may end where the system is complete or stuck; the observer then reads the end forever ([`reading`]).
//! - Once an observer accepts everything, any continuation will do, and one is looked for at once; where every run counts
//!   there is one, and the run is shown up to there.
//! - Only where the system has infinite runs are cycles searched: near the beginning after all states were
//!   visited ([`circle`]), and for a safety property only if everything was accepted somewhere; in larger
//!   systems depth first, on the fly ([`emptiness`]).
//! - Formulas whose violations are seen after finitely many positions are searched for on all cores ([`observed`]).
//! - Workers of a cluster look for cycles without keeping any step ([`rounds`]).
//!
//! Where all runs end, and the observer reads the order of few events only (`unseen`), runs that differ in
//! the order of the others need not all be searched: [`find_by_order`].
//!
//! The result is a whole run: finite, or a lasso (a prefix and a cycle that is repeated forever).

mod circle;
mod completion;
mod emptiness;
pub mod observed;
mod product;
pub(crate) mod reading;
pub mod rounds;
mod unseen;

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use sequent_kernel::property::Observer;
use sequent_kernel::replay::Run;
use sequent_kernel::system::{EventId, Step, System};

use crate::explore::{Exploration, explore};
use crate::graph::StateGraph;
use crate::origins::Origins;
use crate::packed::Program;
use crate::search::{Limits, Progress, ProgressWatch, SearchAnswer, SearchStop};
pub use circle::CycleSteps;
use completion::completion;
use emptiness::Emptiness;
use product::{Amid, Product};
use reading::MemoryNumber;

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyFinding {
    /// A run that the observer accepts, if there is one.
    pub answer: SearchAnswer,
    /// How far it went in the product.
    pub progress: Progress,
    /// Whether a state was strained: the system has fewer runs than the diagram.
    pub is_strained: bool,
}

/// Looks for a run of a system that an observer accepts.
pub fn find<O: Observer>(
    graph: &mut StateGraph<'_>,
    observer: &O,
    limits: &Limits,
    watch: ProgressWatch<'_>,
) -> PropertyFinding {
    let origins = Origins::first(graph);
    find_from(graph, &origins, observer, limits, watch)
}

/// Looks for a run that an observer accepts; it begins to read in one of some states.
pub fn find_from<O: Observer>(
    graph: &mut StateGraph<'_>,
    origins: &Origins,
    observer: &O,
    limits: &Limits,
    watch: ProgressWatch<'_>,
) -> PropertyFinding {
    if graph.system().endless.is_none() || limits.states <= NEAR {
        return find_by_levels(graph, origins, observer, limits, watch);
    }
    let mut product = Product::new(graph, origins, observer);
    let (mut near, expanded) = go(&mut product, &Limits { states: NEAR, ..*limits }, watch);
    if near == SearchAnswer::Stopped(SearchStop::States)
        && let Some(run) = circle::find_near(&mut product, expanded)
    {
        near = SearchAnswer::Found(run);
    }
    let progress = product.progress();
    if near != SearchAnswer::Stopped(SearchStop::States) {
        return PropertyFinding { answer: near, progress, is_strained: graph.is_strained() };
    }
    let Some(mut finding) = find_on_the_fly(graph, origins, observer, limits, watch) else {
        return find_by_levels(graph, origins, observer, limits, watch);
    };
    finding.progress.states = finding.progress.states.max(progress.states);
    finding
}

/// This many states are searched by levels, so that runs near the beginning are shortest ones.
const NEAR: usize = 1_024;

/// Searches all states level by level, and then cycles.
fn find_by_levels<O: Observer>(
    graph: &mut StateGraph<'_>,
    origins: &Origins,
    observer: &O,
    limits: &Limits,
    watch: ProgressWatch<'_>,
) -> PropertyFinding {
    let mut product = Product::new(graph, origins, observer);
    let (answer, _) = go(&mut product, limits, watch);
    let progress = product.progress();
    PropertyFinding { answer, progress, is_strained: graph.is_strained() }
}

/// Looks for a run that an observer accepts depth first, and stops at the first; `None` if no infinite run counts, or more is
/// demanded of them than is looked after.
pub fn find_on_the_fly<O: Observer>(
    graph: &mut StateGraph<'_>,
    origins: &Origins,
    observer: &O,
    limits: &Limits,
    watch: ProgressWatch<'_>,
) -> Option<PropertyFinding> {
    let mut product = Product::new(graph, origins, observer);
    product.begin();
    let limits = Limits { states: limits.states.min(product::MOST), ..*limits };
    let found = explore(&mut Emptiness::new(&mut product)?, &limits, watch);
    let answer = match found {
        Err(stop) => SearchAnswer::Stopped(stop),
        Ok(Some(run)) => SearchAnswer::Found(run),
        // That nothing more is seen may be what is accepted, too.
        Ok(None) => circle::find_unread(&mut product).map_or(SearchAnswer::Exhausted, SearchAnswer::Found),
    };
    let progress = product.progress();
    Some(PropertyFinding { answer, progress, is_strained: graph.is_strained() })
}

/// How far a run got that an observer did not accept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Furthest<S> {
    /// The run.
    pub run: Run,
    /// What the observer remembers at its end.
    pub memory: S,
    /// How often it got further.
    pub depth: usize,
    /// What it reads next, if that is in the last step of the run, too.
    pub next: Option<EventId>,
}

/// Looks for a run that an observer accepts; if there is none, for one that gets as far as possible. `gain` tells whether it
/// gets further between two things that are remembered; back to nothing it starts anew (`None`). Of several, for one where
/// nothing goes on without getting further.
pub fn find_or_furthest<O: Observer>(
    graph: &mut StateGraph<'_>,
    origins: &Origins,
    observer: &O,
    gain: impl Fn(&O::State, &O::State) -> Option<bool>,
    limits: &Limits,
    watch: ProgressWatch<'_>,
) -> (PropertyFinding, Option<Furthest<O::State>>) {
    let mut product = Product::new(graph, origins, observer);
    let (answer, _) = go(&mut product, limits, watch);
    let progress = product.progress();
    let furthest = match &answer {
        SearchAnswer::Exhausted => furthest(&mut product, gain),
        SearchAnswer::Found(_) | SearchAnswer::Stopped(_) => None,
    };
    (PropertyFinding { answer, progress, is_strained: graph.is_strained() }, furthest)
}

fn furthest<O: Observer>(
    product: &mut Product<'_, '_, O>,
    gain: impl Fn(&O::State, &O::State) -> Option<bool>,
) -> Option<Furthest<O::State>> {
    let mut depths: Vec<usize> = Vec::new();
    for at in 0..product.len() {
        // A state is reached from one that was reached before it.
        let parent = product.parent(at);
        let depth = match gain(product.memory(parent), product.memory(at)) {
            Some(gains) if parent < at => depths[parent] + usize::from(gains),
            Some(_) | None => 0,
        };
        depths.push(depth);
    }
    let depth = depths.iter().copied().max()?;
    let deepest: Vec<usize> = (0..depths.len()).filter(|at| depths[*at] == depth).collect();
    let at_rest =
        deepest.iter().copied().find(|at| product.ways(*at).iter().all(|way| depths[way.to] < depth));
    let at = at_rest.or_else(|| deepest.first().copied())?;
    let memory = product.memory(at).clone();
    let run = Run { steps: product.steps_to(at), cycle: None };
    Some(amid(product, &depths, depth, gain).unwrap_or(Furthest { run, memory, depth, next: None }))
}

/// A run that gets further than some depth amid a step, and not to its end.
fn amid<O: Observer>(
    product: &mut Product<'_, '_, O>,
    depths: &[usize],
    depth: usize,
    gain: impl Fn(&O::State, &O::State) -> Option<bool>,
) -> Option<Furthest<O::State>> {
    let (mut depth, mut best) = (depth, None);
    for (at, before) in depths.iter().enumerate() {
        // Of what is read in a step one after the other each begins with what is known of the one before.
        let mut reached: HashMap<(usize, MemoryNumber), usize> = HashMap::new();
        for amid in product.amid(at) {
            let from = reached.get(&(amid.edge, amid.from)).copied().unwrap_or(*before);
            let readings = &product.readings;
            let now = match gain(readings.state(amid.from), readings.state(amid.memory)) {
                Some(gains) => from + usize::from(gains),
                None => 0,
            };
            reached.insert((amid.edge, amid.memory), now);
            if now > depth {
                (depth, best) = (now, Some((at, amid)));
            }
        }
    }
    let (at, Amid { edge, memory, next, .. }) = best?;
    let mut steps = product.steps_to(at);
    steps.extend(product.graph.steps(product.node(at), edge));
    let memory = product.readings.state(memory).clone();
    Some(Furthest { run: Run { steps, cycle: None }, memory, depth, next: Some(next) })
}

/// Whether only the order of the events matters that an observer cares for: [`find_by_order`] looks for a run.
pub fn is_by_order<O: Observer>(system: &System, observer: &O) -> bool {
    !unseen(system, observer).is_empty()
}

/// The events that may happen in any order, none where runs go on forever.
fn unseen<O: Observer>(system: &System, observer: &O) -> BTreeSet<EventId> {
    match system.endless {
        Some(_) => BTreeSet::new(),
        None => unseen::unseen(observer, system.events.len()),
    }
}

/// Looks for a run that an observer accepts, among runs that differ in the order of the events that it cares for; `None` if
/// it cares for all, or if runs may go on forever.
pub fn find_by_order<O: Observer>(
    program: &Program<'_>,
    observer: &O,
    limits: &Limits,
    watch: ProgressWatch<'_>,
) -> Option<PropertyFinding> {
    let unseen = unseen(program.system, observer);
    if unseen.is_empty() {
        return None;
    }
    let mut graph = StateGraph::of_order(program, |event| !unseen.contains(&event));
    Some(find(&mut graph, observer, limits, watch))
}

/// Visits the states of a product level by level; also how many were expanded.
fn go<O: Observer>(
    product: &mut Product<'_, '_, O>,
    limits: &Limits,
    watch: ProgressWatch<'_>,
) -> (SearchAnswer, usize) {
    product.begin();
    let limits = Limits { states: limits.states.min(product::MOST), ..*limits };
    let mut walk = ProductWalk { product, at: 0, seeks_end: true, any_sure: false };
    let found = explore(&mut walk, &limits, watch);
    let ProductWalk { product, any_sure, at, .. } = walk;
    // That nothing more is seen may be what is accepted, too.
    let found = match found {
        Err(stop) => return (SearchAnswer::Stopped(stop), at),
        Ok(None) if product.readings.is_safety() && !any_sure => circle::find_unread(product),
        Ok(None) => circle::find(product),
        Ok(found) => found,
    };
    (found.map_or(SearchAnswer::Exhausted, SearchAnswer::Found), at)
}

/// The states of a product, one after the other.
struct ProductWalk<'p, 'g, 'a, O: Observer> {
    product: &'p mut Product<'g, 'a, O>,
    at: usize,
    seeks_end: bool,
    /// Whether everything was accepted somewhere.
    any_sure: bool,
}

impl<O: Observer> Exploration for ProductWalk<'_, '_, '_, O> {
    type Found = Run;

    const VISITS: usize = 64;

    fn is_over(&self) -> bool {
        self.at == self.product.len()
    }

    fn visit(&mut self) -> ControlFlow<Run> {
        let ProductWalk { product, at, seeks_end, any_sure } = self;
        let finite = |steps: Vec<Step>| ControlFlow::Break(Run { steps, cycle: None });
        if product.ends(*at) {
            return finite(product.steps_to(*at));
        }
        let is_sure = product.accepts_all(*at);
        *any_sure |= is_sure;
        if is_sure && product.graph.system().is_free() {
            return finite(product.steps_to(*at));
        }
        if *seeks_end && is_sure {
            let node = product.node(*at);
            match completion(product.graph, node) {
                Some(rest) => return finite(product.steps_to(*at).into_iter().chain(rest).collect()),
                // Runs that never end are found when all states are; where there are none the state leads nowhere.
                None => *seeks_end = product.has_ends(),
            }
        }
        product.expand(*at);
        *at += 1;
        ControlFlow::Continue(())
    }

    fn progress(&self) -> Progress {
        self.product.progress()
    }
}
