//! Properties: what must hold in every run of an interaction.
//!
//! A question is a formula, a diagram that forbids (`neg`), or one that demands (`assert`). All questions about one
//! interaction share its states. Guards that a question speaks of have a value from the start, so the interaction is
//! lowered once for each way in which they may fall, and the question is asked for each. The window of loops without bound
//! grows as long as the answer could depend on it. Every run that is found is replayed, and judged once more by the
//! definition of what it violates, before anyone sees it.

mod ask;
mod blame;
mod diagram;
pub(crate) mod formula;
pub mod patience;
mod plan;
mod told;
mod wording;

use std::collections::{BTreeMap, BTreeSet};

use sequent_engine::graph::Graph;
use sequent_engine::packed::Program;
use sequent_kernel::formula::Atom;
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::property::ltl::Meaning;
use sequent_kernel::replay::Run;
use sequent_kernel::semantics::objects::Objects;
use sequent_kernel::semantics::{Assumptions, Switches, lower};
use sequent_kernel::source::Place;
use sequent_kernel::system::{Class, System};
use sequent_kernel::verdict::{Evidence, Story, Verdict};

use crate::behaviour::{Effort, WIDEST, too_wide};
use crate::court::{Court, Record};
pub use ask::{Ask, positions};
pub use plan::{Plan, Planned, Use, plan};
pub use told::told;

/// What was found out about a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// Whether every run is as it must be.
    pub verdict: Verdict,
    /// Why it holds although nothing was asked.
    pub vacuous: Option<String>,
    /// Who answered.
    pub engine: &'static str,
    /// How many states were visited.
    pub states: usize,
    /// How long it took.
    pub millis: Option<u64>,
}

/// What a question is about.
#[derive(Clone, Copy)]
pub enum About<'s> {
    /// An interaction.
    Interaction(InteractionId),
    /// A system of objects.
    Objects(&'s Lore<'s>),
}

/// What is known of a system of objects.
pub struct Lore<'s> {
    /// The objects.
    pub objects: &'s Objects,
    /// What the atoms of formulas mean.
    pub atoms: &'s BTreeMap<Atom, Meaning>,
    /// Its name, and where it stands.
    pub title: (&'s str, Place),
}

/// An interaction as it is looked at: guards have fallen one way. Or a system of objects.
pub struct Scene<'s, 'a> {
    /// What was read.
    pub model: &'s Model,
    /// What is looked at.
    pub about: About<'s>,
    /// What the interaction and the diagrams that ask are lowered with.
    pub assumptions: &'s Assumptions,
    /// What it means.
    pub system: &'a System,
    /// The same, ready to be run.
    pub program: &'s Program<'a>,
    /// Its states.
    pub graph: &'s mut Graph<'a>,
    /// How much work an answer may cost.
    pub effort: &'s Effort<'s>,
}

/// What a search in one scene found.
pub struct Found {
    /// A run that must not be, with how many steps it has.
    pub violation: Option<(usize, Story)>,
    /// What the question waits for and what happens in no run of the scene.
    pub idle: BTreeSet<String>,
    /// Whether a diagram that asks has more traces than were looked for.
    pub is_strained: bool,
    /// How many states were visited.
    pub states: usize,
}

impl Found {
    /// A run that must not be.
    fn violated(run: &Run, story: Story, states: usize) -> Self {
        let violation = Some((run.steps.len(), story));
        Found { violation, idle: BTreeSet::new(), is_strained: false, states }
    }

    /// No such run, as far as was looked.
    fn nothing(idle: BTreeSet<String>, is_strained: bool, states: usize) -> Self {
        Found { violation: None, idle, is_strained, states }
    }
}

/// More guards than this are not tried in all ways.
const MOST_GUARDS: usize = 10;

/// What is known of a question so far.
#[derive(Default)]
struct Course {
    violation: Option<(usize, Story)>,
    trouble: Option<String>,
    /// What happened in none of the scenes so far; `None` before the first.
    idle: Option<BTreeSet<String>>,
    is_strained: bool,
    /// Whether there was a run in some scene.
    has_run: bool,
    states: usize,
    millis: Option<u64>,
    record: Record,
}

/// Answers questions about an interaction.
pub fn replies(
    model: &Model,
    about: InteractionId,
    asks: &[Ask<'_>],
    switches: &Switches,
    effort: &Effort<'_>,
) -> Vec<Reply> {
    let mut courses: Vec<Course> = asks.iter().map(|_| Course::default()).collect();
    let guards: Vec<BTreeSet<String>> = asks.iter().map(|ask| ask.guards(model, about)).collect();
    for (course, guards) in courses.iter_mut().zip(&guards).filter(|(_, guards)| guards.len() > MOST_GUARDS) {
        course.trouble = Some(format!("it speaks of {} guards, more than {MOST_GUARDS}", guards.len()));
    }
    let first = effort.court.map_or(1, Court::window);
    let mut window = first;
    loop {
        let is_open = |ask: &usize| courses[*ask].is_open(window, window == first);
        let open: Vec<usize> = (0..asks.len()).filter(is_open).collect();
        if open.is_empty() {
            return courses.into_iter().map(Course::reply).collect();
        }
        for ask in &open {
            courses[*ask].is_strained = false;
            courses[*ask].idle = None;
        }
        let sets: BTreeSet<&BTreeSet<String>> = open.iter().map(|ask| &guards[*ask]).collect();
        for set in sets {
            let together: Vec<usize> = open.iter().copied().filter(|ask| guards[*ask] == *set).collect();
            for valuation in valuations(set) {
                let assumptions = Assumptions {
                    switches: switches.clone(),
                    guards: BTreeMap::new(),
                    chosen: valuation,
                    window,
                    // Only what is forbidden twice may be valid.
                    without_negatives: switches.double_negation != Class::Valid,
                };
                look(model, about, &assumptions, asks, &together, &mut courses, effort);
            }
        }
        window *= 2;
    }
}

/// Asks some questions in one scene.
fn look(
    model: &Model,
    about: InteractionId,
    assumptions: &Assumptions,
    asks: &[Ask<'_>],
    together: &[usize],
    courses: &mut [Course],
    effort: &Effort<'_>,
) {
    let system = match lower(model, about, assumptions) {
        Ok(system) => system,
        Err(unsupported) => {
            for ask in together {
                courses[*ask].trouble = Some(format!("{} is not run", unsupported.what));
            }
            return;
        }
    };
    let program = Program::new(&system);
    let mut graph = Graph::new(&program);
    // Whether there is a run at all; the same for all questions.
    let mut has_run: Option<bool> = None;
    for ask in together {
        let course = &mut courses[*ask];
        let mut scene = Scene {
            model,
            about: About::Interaction(about),
            assumptions,
            system: &system,
            program: &program,
            graph: &mut graph,
            effort,
        };
        let (found, millis) = effort.timed(|| asks[*ask].search(&mut scene));
        course.millis = millis.map(|millis| millis + course.millis.unwrap_or_default());
        let record = effort.court.map(Court::take).unwrap_or_default();
        let is_strained = record.is_strained;
        course.record.join(record);
        match found {
            Ok(found) => {
                let is_known = found.violation.is_some() || course.has_run;
                course.has_run |=
                    is_known || *has_run.get_or_insert_with(|| ask::has_run(&mut scene).unwrap_or(true));
                course.take(found, scene.graph.is_strained() || is_strained);
            }
            Err(trouble) => course.trouble = Some(trouble),
        }
    }
}

impl Course {
    fn is_open(&self, window: usize, is_first: bool) -> bool {
        let may_change = self.is_strained && window <= WIDEST;
        self.violation.is_none() && self.trouble.is_none() && (is_first || may_change)
    }

    fn take(&mut self, found: Found, is_strained: bool) {
        self.states += found.states;
        self.is_strained |= is_strained || found.is_strained;
        self.idle = Some(match self.idle.take() {
            None => found.idle,
            Some(so_far) => so_far.intersection(&found.idle).cloned().collect(),
        });
        if let Some((length, story)) = found.violation {
            if self.violation.as_ref().is_none_or(|(shortest, _)| length < *shortest) {
                self.violation = Some((length, story));
            }
        }
    }

    fn reply(self) -> Reply {
        let Course { violation, trouble, idle, is_strained, has_run, states, millis, record } = self;
        let engine = record.engine();
        let verdict = match (violation, trouble) {
            (Some((_, story)), _) => Verdict::Fails(Evidence::Run(Box::new(story))),
            (None, Some(trouble)) => Verdict::Unknown(trouble),
            (None, None) if is_strained => Verdict::Unknown(too_wide(WIDEST)),
            (None, None) => Verdict::Holds(Evidence::Exhaustive),
        };
        let verdict = record.settle(verdict);
        let holds = matches!(verdict, Verdict::Holds(_));
        let vacuous = match has_run {
            true => idle.unwrap_or_default().into_iter().next(),
            false => Some("no run comes to an end, or goes on as it must".to_owned()),
        };
        let vacuous = vacuous.filter(|_| holds);
        Reply { verdict, vacuous, engine, states, millis }
    }
}

/// All ways in which guards may fall.
fn valuations(guards: &BTreeSet<String>) -> impl Iterator<Item = BTreeMap<String, bool>> + '_ {
    (0..1_u32 << guards.len()).map(|number| {
        let value = |place: usize| number >> place & 1 == 0;
        guards.iter().enumerate().map(|(place, guard)| (guard.clone(), value(place))).collect()
    })
}
