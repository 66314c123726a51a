//! Answering: the one loop over windows and cases.
//!
//! Queries about one System are answered together, so that they share its states. With each window of loops
//! the open ones are [posed](crate::pose), their cases are decided, and the results are
//! [reported](crate::tell). A query stays open as long as its answer could depend on the window.

mod look;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;
use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::search::SearchStop;
use sequent_kernel::meter::{self, Work};
use sequent_kernel::model::Quantifier;
use sequent_kernel::system::{System, Variable};
use sequent_kernel::verdict::{Answer, Cost, Details, Evidence, Reason, Verdict};

use crate::ask::{Agenda, Matter, Query};
use crate::effort::Effort;
use crate::ensemble::Demand;
use crate::pose::{About, Scene, Stage, View, WIDEST, stages};
use crate::record::Record;
use look::{SceneOutcome, has_a_run, look, unplayed};

/// Answers to queries, by their numbers.
pub type Answers = BTreeMap<usize, Answer>;

/// Answers the queries about objects and about runs; `is_wanted` tells which of those about deadlocks.
pub fn answers(agenda: &Agenda<'_>, effort: &Effort<'_>, is_wanted: &dyn Fn(&Query<'_>) -> bool) -> Answers {
    let mut answers = Answers::new();
    let groups = groups(agenda, is_wanted);
    // What is not answered here needs none of the time.
    let mut open: usize = groups.iter().map(Vec::len).sum();
    for group in groups {
        if meter::leaves(Work::Questions, group.len()) {
            continue;
        }
        let effort = Effort { open: effort.open + open.saturating_sub(1), ..*effort };
        for (number, answer) in together(agenda, &group, &effort) {
            answers.insert(number, answer);
            open = open.saturating_sub(1);
        }
    }
    answers
}

/// Queries about the same thing, objects first.
fn groups(agenda: &Agenda<'_>, is_wanted: &dyn Fn(&Query<'_>) -> bool) -> Vec<Vec<usize>> {
    let (mut of_objects, mut of_runs): (BTreeMap<usize, Vec<usize>>, BTreeMap<_, Vec<usize>>) =
        (BTreeMap::new(), BTreeMap::new());
    let mut alone = Vec::new();
    for (number, query) in agenda.queries.iter().enumerate() {
        match &query.matter {
            Matter::Objects(ensemble, ..) => of_objects.entry(*ensemble).or_default().push(number),
            Matter::Runs(about, _) => of_runs.entry(*about).or_default().push(number),
            Matter::Deadlock(_) if is_wanted(query) => alone.push(vec![number]),
            Matter::Deadlock(_) | Matter::Refines(..) | Matter::Triggers(_) | Matter::Nothing(_) => {}
        }
    }
    of_objects.into_values().chain(of_runs.into_values()).chain(alone).collect()
}

/// Answers queries about the same thing.
fn together(agenda: &Agenda<'_>, group: &[usize], effort: &Effort<'_>) -> Vec<(usize, Answer)> {
    let mut courses: BTreeMap<usize, QueryCourse> =
        group.iter().map(|number| (*number, QueryCourse::new(agenda, *number))).collect();
    let mut window = 1;
    loop {
        let is_open = |number: &&usize| courses[*number].is_open(window);
        let open: Vec<usize> = group.iter().filter(is_open).copied().collect();
        if open.is_empty() || window > WIDEST {
            let engine = effort.default_engine();
            let answer = |(number, course): (usize, QueryCourse)| {
                (number, course.answer(&agenda.queries[number], engine))
            };
            return courses.into_iter().map(answer).collect();
        }
        for number in &open {
            courses.entry(*number).and_modify(QueryCourse::widen);
        }
        for stage in stages(agenda, &open, window) {
            visit(stage, &mut courses, effort);
        }
        window *= 2;
    }
}

/// Decides what some queries ask about one System.
fn visit(stage: Stage<'_>, courses: &mut BTreeMap<usize, QueryCourse>, effort: &Effort<'_>) {
    let Stage { system, scenes } = stage;
    let program = system.as_deref().map(Program::new);
    let mut graph = program.as_ref().map(StateGraph::new);
    // Whether there is a run at all; the same for all queries.
    let mut has_run: Option<bool> = None;
    for (number, scene) in scenes {
        let Some(course) = courses.get_mut(&number) else { continue };
        if matches!(course.scenes, Scenes::Players(_)) && course.is_settled() {
            continue;
        }
        let (scene, graph) = match (scene, &mut graph) {
            (Ok(scene), Some(graph)) => (scene, graph),
            (Err(reason), _) => {
                course.obstacle = Some(reason);
                continue;
            }
            (Ok(_), None) => continue,
        };
        course.space = std::mem::take(&mut course.space).max(space(graph.system()));
        let Some(effort) = course.effort(&scene, effort) else {
            course.obstacle = Some(Reason::Stopped(SearchStop::States, course.states));
            continue;
        };
        let (looked, millis) = effort.timed(|| look(&scene, graph, &effort));
        course.millis = millis.map(|millis| millis + course.millis.unwrap_or_default());
        course.spent = course.spent.saturating_add(looked.spent);
        match looked.outcome {
            Ok(found) => {
                let is_known = matches!(found.verdict, Verdict::Fails(_)) || course.has_run;
                // That nothing gets stuck says something even where no run comes to its end.
                course.has_run |= match (&scene.about, &scene.view) {
                    (About::Objects(_), _) | (_, View::Stuck) => true,
                    (About::Interaction(..), _) => {
                        is_known || *has_run.get_or_insert_with(|| has_a_run(&scene, graph, &effort))
                    }
                };
                course.take(found);
            }
            Err(reason) => course.obstacle = Some(reason),
        }
    }
}

/// How many states a System would have if all variables had all their values.
fn space(system: &System) -> BigUint {
    let count = |variable: &Variable| (i64::from(variable.max) - i64::from(variable.min) + 1).unsigned_abs();
    system.variables.iter().map(|variable| BigUint::from(count(variable))).product()
}

/// What the scenes of a query differ in.
#[derive(Clone, Copy, Default)]
enum Scenes {
    /// How guards fall: the query holds if it does in each of them.
    #[default]
    Guards,
    /// Who plays the lifelines of a scenario: some objects for a possible one, all for others.
    Players(Quantifier),
}

impl Scenes {
    /// Whether the verdict of one scene is that of the query.
    fn is_settled_by(self, verdict: &Verdict) -> bool {
        match (self, verdict) {
            (Scenes::Players(Quantifier::Possible), Verdict::Holds(_)) => true,
            (Scenes::Players(Quantifier::Possible), Verdict::Fails(_) | Verdict::Unknown(_)) => false,
            (
                Scenes::Guards
                | Scenes::Players(Quantifier::Forbidden | Quantifier::Required | Quantifier::Whenever),
                Verdict::Fails(_),
            ) => true,
            (
                Scenes::Guards
                | Scenes::Players(Quantifier::Forbidden | Quantifier::Required | Quantifier::Whenever),
                Verdict::Holds(_) | Verdict::Unknown(_),
            ) => false,
        }
    }
}

/// How many times as much work a question about the runs of a diagram is worth as a survey, with all its windows and scenes: one that diagrams
/// ask by what they are, and one that somebody wrote. A scene of a question about objects is worth one survey.
const PATIENCE: [usize; 2] = [5, 25];

/// What is known of a query so far.
#[derive(Default)]
struct QueryCourse {
    scenes: Scenes,
    /// Whether it is implied.
    is_implied: bool,
    is_begun: bool,
    /// The verdict of the scenes so far, with the length of the run it shows.
    verdict: Option<(usize, Verdict)>,
    /// Why there is no answer.
    obstacle: Option<Reason>,
    /// Why the answer says nothing, as far as all scenes agree; `None` before the first.
    vacuous: Option<BTreeSet<String>>,
    /// Whether with a wider window the answer may be another.
    is_narrow: bool,
    /// Whether there was a run in some scene.
    has_run: bool,
    /// Whether states of earlier windows count.
    counts_all: bool,
    states: usize,
    /// How many rules were looked at for it, in all windows and scenes.
    spent: usize,
    /// How many states the largest System would have with all values of its variables.
    space: BigUint,
    millis: Option<u64>,
    details: Details,
    record: Record,
}

impl QueryCourse {
    fn new(agenda: &Agenda<'_>, number: usize) -> Self {
        let is_implied = agenda.queries[number].is_implied;
        let mut course = QueryCourse { is_implied, ..QueryCourse::default() };
        match &agenda.queries[number].matter {
            Matter::Runs(about, claim) => {
                course.counts_all = true;
                let is_broken = agenda.is_broken(claim.diagrams().chain([*about]));
                course.obstacle = is_broken.then_some(Reason::BrokenDiagram);
            }
            Matter::Objects(_, _, Ok(Demand::Scenario(_, asked, players))) => {
                course.scenes = Scenes::Players(asked.quantifier);
                if players.is_empty() {
                    (course.is_begun, course.has_run) = (true, true);
                    course.take(unplayed(asked.quantifier));
                }
            }
            Matter::Objects(..)
            | Matter::Deadlock(_)
            | Matter::Refines(..)
            | Matter::Triggers(_)
            | Matter::Nothing(_) => {}
        }
        course
    }

    /// How much work a scene may cost: what those before it have left, of windows before this one too; `None` if nothing is left.
    fn effort<'e>(&self, scene: &Scene<'_>, effort: &Effort<'e>) -> Option<Effort<'e>> {
        if effort.looks == usize::MAX {
            return Some(*effort);
        }
        let whole = effort.looks.saturating_mul(PATIENCE[usize::from(!self.is_implied)]);
        let left = whole.checked_sub(self.spent).filter(|left| *left > 0)?;
        let looks = match scene.about {
            About::Interaction(..) => left,
            About::Objects(_) => left.min(effort.looks),
        };
        Some(Effort { looks, ..*effort })
    }

    /// Whether no other scene changes the verdict.
    fn is_settled(&self) -> bool {
        self.verdict.as_ref().is_some_and(|(_, verdict)| self.scenes.is_settled_by(verdict))
    }

    fn is_open(&self, window: usize) -> bool {
        self.obstacle.is_none()
            && !self.is_settled()
            && (!self.is_begun || self.is_narrow && window <= WIDEST)
    }

    /// Begins with a wider window.
    fn widen(&mut self) {
        self.is_begun = true;
        self.is_narrow = false;
        self.vacuous = None;
        self.verdict = None;
        if !self.counts_all {
            self.states = 0;
            self.record.cost = Cost::default();
        }
    }

    fn take(&mut self, look: SceneOutcome) {
        let SceneOutcome { verdict, length, vacuous, is_narrow, states, details, record } = look;
        self.states += states;
        self.is_narrow |= is_narrow;
        self.record.join(record);
        let weight = |verdict: &Verdict| match verdict {
            verdict if self.scenes.is_settled_by(verdict) => 2,
            Verdict::Unknown(_) => 1,
            Verdict::Holds(_) | Verdict::Fails(_) => 0,
        };
        let is_heavier =
            self.verdict.as_ref().is_none_or(|(known, so_far)| match weight(&verdict).cmp(&weight(so_far)) {
                Ordering::Less => false,
                Ordering::Equal => length < *known,
                Ordering::Greater => true,
            });
        self.vacuous = Some(match (self.vacuous.take(), self.scenes) {
            (None, _) => vacuous,
            (Some(so_far), Scenes::Guards) => so_far.intersection(&vacuous).cloned().collect(),
            (Some(_), Scenes::Players(_)) if is_heavier || vacuous.is_empty() => vacuous,
            (Some(so_far), Scenes::Players(_)) => so_far,
        });
        if is_heavier {
            (self.verdict, self.details) = (Some((length, verdict)), details);
        }
    }

    fn answer(self, query: &Query<'_>, engine: &'static str) -> Answer {
        let is_settled = self.is_settled();
        let QueryCourse {
            verdict,
            obstacle,
            vacuous,
            is_narrow,
            has_run,
            states,
            space,
            millis,
            details,
            record,
            ..
        } = self;
        let is_asked = record.engine.is_some();
        let engine = record.engine.unwrap_or(engine);
        let is_shown =
            matches!(verdict, Some((_, Verdict::Fails(Evidence::Run(_)) | Verdict::Holds(Evidence::Run(_)))));
        let verdict = match (verdict, obstacle) {
            (Some((_, verdict)), _) if is_settled && is_shown => verdict,
            (_, Some(obstacle)) => Verdict::Unknown(obstacle),
            _ if is_narrow => Verdict::Unknown(Reason::TooWide(WIDEST)),
            (Some((_, verdict)), None) => verdict,
            (None, None) => Verdict::Unknown(Reason::NotAskable),
        };
        let (verdict, details) = record.settle(verdict, details);
        let space = (space > BigUint::ZERO).then(|| space.to_string());
        let details = Details { space, ..details };
        let vacuous = match has_run {
            true => vacuous.unwrap_or_default().into_iter().next(),
            false => Some("no run comes to an end, or goes on as it must".to_owned()),
        };
        let vacuous = vacuous.filter(|_| is_asked && matches!(verdict, Verdict::Holds(_)));
        Answer {
            vacuous,
            engine: Some(engine),
            states: Some(states),
            millis,
            details,
            ..query.answer(verdict)
        }
    }
}
