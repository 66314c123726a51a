//! Scenarios: what communicating state machines can, must and never do.
//!
//! A question about a system is a sequence diagram (`@possible`, `@required`, `@forbidden`), a goal (`@reachable`), or a
//! formula. The objects are those of the question's folder, as the diagram that asks sees them; questions that see the same
//! objects share their states. Every run that is found is replayed, and judged once more by the definition of what it shows,
//! before anyone sees it. Where a run can break off (a queue is full, a value leaves its range), nothing is proved that would
//! need all runs.

mod ask;
mod company;
mod events;
mod formula;
mod goal;
mod plan;
mod reasons;
mod strange;
mod trail;
mod waiting;

use std::collections::BTreeMap;

use sequent_engine::graph::Graph;
use sequent_engine::packed::Program;
use sequent_engine::search::Limits;
use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::lint::Folders;
use sequent_kernel::model::{Communication, Model};
use sequent_kernel::semantics::objects::{Objects, Structure, local, lower_objects};
use sequent_kernel::semantics::{Switches, Unsupported};
use sequent_kernel::verdict::{Answer, Details, Verdict};

use crate::behaviour::{ENGINE, Effort};
use crate::court::Legend;
pub use company::Company;
pub use plan::{Ask, Asked, Plan, plan};

/// What was found out about a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The verdict.
    pub verdict: Verdict,
    /// Why it holds although nothing was asked.
    pub vacuous: Option<String>,
    /// Who answered.
    pub engine: &'static str,
    /// How many states were visited.
    pub states: usize,
    /// What else there is to say.
    pub details: Details,
}

impl Reply {
    /// Nobody knows, and why.
    pub fn unknown(reason: impl Into<String>) -> Self {
        let details = Details::default();
        Reply { verdict: Verdict::Unknown(reason.into()), vacuous: None, engine: ENGINE, states: 0, details }
    }
}

/// What answers depend on besides the question.
#[derive(Clone, Copy)]
pub struct Means<'e> {
    /// Decisions on points of dispute.
    pub switches: &'e Switches,
    /// How much work an answer may cost.
    pub effort: &'e Effort<'e>,
}

/// A question with its answer, or what is wrong with its words.
struct Outcome {
    /// The number of the question.
    number: usize,
    answer: Answer,
    problems: Vec<Diagnostic>,
}

impl Outcome {
    fn is_sound(&self) -> bool {
        self.problems.iter().all(|problem| problem.severity < Severity::Error)
    }
}

/// The objects that some questions are about. Findings that need no question look at the same ones.
pub struct Cast {
    /// The numbers of the questions.
    questions: Vec<usize>,
    folder: String,
    objects: Result<Objects, String>,
}

impl Cast {
    /// The objects, if they are those of a folder with this structure.
    pub fn playing(&self, folder: &str, structure: &Structure, medium: Communication) -> Option<&Objects> {
        let objects = self.objects.as_ref().ok().filter(|_| self.folder == folder)?;
        (objects.structure == *structure && objects.communication == medium).then_some(objects)
    }
}

/// The objects that the questions of a plan are about.
pub fn casts(model: &Model, folders: &Folders, plan: &Plan<'_>) -> Vec<Cast> {
    let cast = |questions: Vec<usize>| {
        let first = &plan.asked[*questions.first()?];
        let folder = first.folder.clone();
        let lower = || {
            let local = local(model, folders, &folder);
            lower_objects(&local, &first.structure, &model.system)
                .map_err(|unsupported| not_run(&unsupported))
        };
        let objects = first.trouble.clone().map_or_else(lower, Err);
        Some(Cast { questions, folder, objects })
    };
    plan.groups().into_iter().filter_map(cast).collect()
}

fn not_run(unsupported: &Unsupported) -> String {
    format!("{} is not run", unsupported.what)
}

/// Answers all questions of a plan, by the numbers of their checks, and tells what is wrong with them.
pub fn answers(
    model: &Model,
    folders: &Folders,
    plan: &Plan<'_>,
    casts: Vec<Cast>,
    means: &Means<'_>,
) -> (BTreeMap<usize, Vec<Answer>>, Vec<Diagnostic>) {
    let mut found: BTreeMap<usize, Vec<Outcome>> = BTreeMap::new();
    for Cast { questions, folder, objects } in casts {
        let asked: Vec<&Asked<'_>> = questions.iter().map(|number| &plan.asked[*number]).collect();
        let replies = replies(&local(model, folders, &folder), &asked, objects, means);
        for ((number, asked), (reply, millis, problems)) in questions.into_iter().zip(asked).zip(replies) {
            let outcome = Outcome { number, answer: answer(asked, reply, millis), problems };
            found.entry(asked.check).or_default().push(outcome);
        }
    }
    let (mut answers, mut problems) = (BTreeMap::new(), Vec::new());
    for (check, mut outcomes) in found {
        outcomes.sort_by_key(|outcome| outcome.number);
        // What names no system is about those that know its words; if none does, the first may say what is missing.
        match outcomes.iter().any(Outcome::is_sound) {
            true => outcomes.retain(Outcome::is_sound),
            false => outcomes.truncate(1),
        }
        problems.extend(outcomes.iter().flat_map(|outcome| outcome.problems.iter().cloned()));
        answers.insert(check, outcomes.into_iter().map(|outcome| outcome.answer).collect());
    }
    (answers, problems)
}

/// A reply, how long it took, and what is wrong with the question.
type Timed = (Reply, Option<u64>, Vec<Diagnostic>);

/// Answers questions about the same objects.
fn replies(
    model: &Model,
    asked: &[&Asked<'_>],
    objects: Result<Objects, String>,
    means: &Means<'_>,
) -> Vec<Timed> {
    let Some(first) = asked.first() else { return Vec::new() };
    let objects = match objects {
        Ok(objects) => objects,
        Err(reason) => {
            let unknown = |_| (Reply::unknown(reason.clone()), None, Vec::new());
            return asked.iter().map(unknown).collect();
        }
    };
    let mut company = Company::new(model, objects, first);
    let mut ready = Vec::new();
    for asked in asked {
        let mut problems = Vec::new();
        ready.push((company.prepare(asked, &mut problems), problems));
    }
    let program = Program::new(&company.objects.system);
    let mut graph = Graph::new(&program);
    let mut replies = Vec::new();
    for (asked, (ready, problems)) in asked.iter().zip(ready) {
        if let Some(court) = means.effort.court {
            court.name(reasons::legend(&company));
        }
        let (mut reply, millis) = means.effort.timed(|| match ready {
            Ok(ready) => company.reply(asked, &ready, &program, &mut graph, means),
            Err(reason) => Reply::unknown(reason),
        });
        if let Some(court) = means.effort.court {
            let mut record = court.take();
            court.name(Legend::default());
            reply.engine = record.engine();
            reply.details.reasons = record.ruling.take().map(|ruling| reasons::told(&company, &ruling));
            reply.details.formula = record.formula.take();
            reply.verdict = record.settle(reply.verdict);
        }
        replies.push((reply, millis, problems));
    }
    replies
}

/// How far a search in some objects may go.
fn limits(objects: &Objects, effort: &Effort<'_>) -> Limits {
    let states = effort.limits.states.min(effort.looks / objects.system.rules.len().max(100));
    Limits { states, ..effort.limits }
}

fn answer(asked: &Asked<'_>, reply: Reply, millis: Option<u64>) -> Answer {
    Answer {
        name: asked.name.clone(),
        kind: asked.ask.kind(),
        target: Some(asked.target.clone()),
        place: Some(asked.place),
        verdict: reply.verdict,
        vacuous: reply.vacuous,
        expected: asked.expected,
        engine: Some(reply.engine),
        states: Some(reply.states),
        millis,
        details: reply.details,
    }
}
