//! Asking: one question about one interaction whose guards have fallen one way.

use std::collections::BTreeSet;

use sequent_engine::property::{find, find_by_order};
use sequent_engine::sat::table::written;
use sequent_engine::search::{Answer, Limits, Stop, Watch};
use sequent_kernel::model::{InteractionId, Mode, Model, Property};
use sequent_kernel::property::{Marks, Moment, Observer};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::{Assumptions, Unsupported, lasting_guards};
use sequent_kernel::system::{Config, EventId, System, TermId};
use sequent_kernel::verdict::Story;
use sequent_report::run::Wishes;

use super::{About, Found, Scene, diagram, formula};
use crate::behaviour::{self, stopped};
use crate::outside::Wanted;
use crate::posed::Posed;
use crate::system;
use crate::telling::tell;

/// A question about the runs of an interaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask<'m> {
    /// Does every run satisfy a formula?
    Formula(&'m Property),
    /// Does no run contain what a `neg` diagram forbids?
    Safe(InteractionId, Mode),
    /// Does every run follow an `assert` diagram?
    Consistent(InteractionId),
}

impl Ask<'_> {
    /// The diagrams that ask.
    pub fn diagrams(&self) -> impl Iterator<Item = InteractionId> {
        match self {
            Ask::Formula(_) => None,
            Ask::Safe(property, _) | Ask::Consistent(property) => Some(*property),
        }
        .into_iter()
    }

    /// The guards of the interaction that the question speaks of too: one text has one value.
    pub fn guards(&self, model: &Model, about: InteractionId) -> BTreeSet<String> {
        let own = match self {
            Ask::Formula(property) => formula::names(&property.formula),
            Ask::Safe(property, _) | Ask::Consistent(property) => lasting_guards(model, *property),
        };
        let known = lasting_guards(model, about);
        own.intersection(&known).cloned().collect()
    }

    /// Looks for a run that must not be.
    pub fn search(&self, scene: &mut Scene<'_, '_>) -> Result<Found, String> {
        match self {
            Ask::Formula(property) => formula::search(property, scene),
            Ask::Safe(property, mode) => diagram::forbidden(*property, *mode, scene),
            Ask::Consistent(property) => diagram::demanded(*property, scene),
        }
    }
}

/// Larger systems are looked at again, with fewer of the runs that differ only in what the observer does not care for.
const SMALL: usize = 50_000;

/// What a search for a run came to.
pub(super) enum Sought {
    /// A run that the observer accepts, replayed.
    Run(Run),
    /// There is none.
    Nothing,
    /// A run that may be none of the diagram: a loop had no room for an iteration that would have forbidden it.
    Doubtful,
}

/// How guards have fallen, in words.
fn chosen(assumptions: &Assumptions) -> String {
    let value = |(guard, value): (&String, &bool)| format!("`{guard}` is {value}");
    assumptions.chosen.iter().map(value).collect::<Vec<_>>().join(", ")
}

/// A run that an observer accepts; and how many states were visited. The observer may know fewer traces than the diagram that
/// asks has.
pub(super) fn run<O: Observer>(
    observer: &O,
    scene: &mut Scene<'_, '_>,
    is_narrow: bool,
) -> Result<(Sought, usize), String> {
    let Scene { graph, program, effort, .. } = scene;
    let small = Limits { states: SMALL.min(effort.limits.states), ..effort.limits };
    let system = scene.system;
    let mut states = 0;
    let mut search = |most: Option<usize>, watch: Watch<'_>| {
        let limits = Limits { states: most.unwrap_or(usize::MAX).min(effort.limits.states), ..effort.limits };
        let mut finding = find(graph, observer, &small, watch);
        if finding.answer == Answer::Stopped(Stop::States) && small != limits {
            let by_order = find_by_order(program, observer, &limits, watch);
            finding = by_order.unwrap_or_else(|| find(graph, observer, &limits, watch));
        }
        states = finding.states;
        (finding.answer, finding.is_strained)
    };
    let table = || written(system, observer);
    let part = chosen(scene.assumptions);
    let posed = Posed { part, is_narrow, ..Posed::new(system, Wanted::Observed(&table)) };
    let answer = effort.decide(&posed, &mut search);
    match answer {
        Answer::Found(run) => match replay(scene.system, &run) {
            Ok(configs) if behaviour::is_doubtful(scene.system, &run, &configs) => {
                Ok((Sought::Doubtful, states))
            }
            Ok(_) => Ok((Sought::Run(run), states)),
            Err(_) => Err("the run that was found could not be replayed".to_owned()),
        },
        Answer::Exhausted => Ok((Sought::Nothing, states)),
        Answer::Stopped(stop) => Err(stopped(stop, states)),
    }
}

/// Accepts every run.
struct Anything;

impl Observer for Anything {
    type State = ();

    fn marks(&self) -> u32 {
        0
    }

    fn first(&self) {}

    fn read(
        &self,
        _state: &(),
        _moment: Moment,
        _holds: &mut dyn FnMut(TermId) -> bool,
        ways: &mut Vec<((), Marks)>,
    ) {
        ways.push(((), 0));
    }

    fn accepts_all(&self, _state: &()) -> bool {
        true
    }
}

/// Whether there is a run at all; what every run does is easily said where there is none.
pub(super) fn has_run(scene: &mut Scene<'_, '_>) -> Result<bool, String> {
    run(&Anything, scene, false).map(|(sought, _)| !matches!(sought, Sought::Nothing))
}

/// The steps of a run that show an event, with the event.
pub(super) fn visible(system: &System, run: &Run) -> Vec<(usize, EventId)> {
    let steps = run.steps.iter().enumerate();
    steps.filter_map(|(number, step)| Some((number, system.events(step).next()?))).collect()
}

/// The positions of a run after the start, each with its step: events, and steps that show nothing but change something that
/// is watched.
pub fn positions(system: &System, run: &Run, configs: &[Config], watched: &[TermId]) -> Vec<(usize, Moment)> {
    let mut positions = Vec::new();
    for (number, step) in run.steps.iter().enumerate() {
        let before = positions.len();
        positions.extend(system.events(step).map(|event| (number, Moment::Event(event))));
        let changes = |term: &TermId| {
            let [one, other] =
                [number, number + 1].map(|at| configs.get(at).map(|config| system.holds(*term, config)));
            one != other
        };
        if positions.len() == before && watched.iter().any(changes) {
            positions.push((number, Moment::Silent));
        }
    }
    positions
}

/// A run with the steps that matter, and why it is shown; the values of guards come first.
pub(super) fn story(
    scene: &Scene<'_, '_>,
    run: &Run,
    marked: BTreeSet<usize>,
    because: Vec<String>,
) -> Story {
    let configs = replay(scene.system, run).unwrap_or_default();
    let wishes = Wishes { fixed: marked.clone(), marked, ..Wishes::default() };
    let mut story = match scene.about {
        About::Interaction(about) => tell(scene.model, about, scene.system, run, &wishes),
        About::Objects(lore) => system::story::tell(scene.model, lore.objects, lore.title, run, &wishes)
            .expect("what is told was replayed"),
    };
    let values = chosen(scene.assumptions);
    story.because.extend((!values.is_empty()).then_some(values));
    story.because.extend(because);
    let is_stuck = |last: &Config| {
        !scene.system.holds(scene.system.complete, last) && scene.system.steps(last).is_empty()
    };
    if run.cycle.is_none() && configs.last().is_some_and(is_stuck) {
        story.because.push("the run gets stuck at its end".to_owned());
    }
    story
}

/// What cannot be lowered, in words.
pub(super) fn unsupported(unsupported: Unsupported) -> String {
    format!("{} is not run", unsupported.what)
}
