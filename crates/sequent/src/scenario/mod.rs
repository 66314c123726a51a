//! Scenarios: what communicating state machines can, must and never do.
//!
//! A question about a system is a sequence diagram (`@possible`, `@required`, `@forbidden`), a goal (`@reachable`), or a
//! formula. The objects are those of the question's folder, as the diagram that asks sees them; questions that see the same
//! objects share their states. Every run that is found is replayed, and judged once more by the definition of what it shows,
//! before anyone sees it. Where a run can break off (a queue is full, a value leaves its range), nothing is proved that would
//! need all runs.

mod ask;
mod basic;
mod company;
mod events;
mod formula;
mod goal;
mod plan;
mod reasons;
mod strange;
mod tester;
mod trail;
mod waiting;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use sequent_engine::graph::Graph;
use sequent_engine::packed::Program;
use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::lint::Folders;
use sequent_kernel::model::{Communication, Model};
use sequent_kernel::semantics::objects::{Objects, Structure, local, lower_objects};
use sequent_kernel::semantics::{Switches, Unsupported};
use sequent_kernel::verdict::{Answer, Details, Verdict};

use crate::behaviour::{ENGINE, Effort};
use crate::court::Legend;
pub use basic::basic;
pub use company::Company;
use company::Ready;
pub use plan::{Ask, Asked, Plan, plan};
pub use tester::{Staged, Tester, staged};

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

/// The objects that some questions are about. Findings that need no question look at the same ones.
#[derive(Clone)]
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

/// The questions of a plan that are asked, by the numbers of their checks, and what is wrong with them.
pub fn asked(
    model: &Model,
    folders: &Folders,
    plan: &Plan<'_>,
    casts: Vec<Cast>,
) -> (BTreeMap<usize, Vec<usize>>, Vec<Diagnostic>) {
    let locals: Vec<Cow<'_, Model>> = casts.iter().map(|cast| local(model, folders, &cast.folder)).collect();
    let troupes: Vec<Troupe<'_>> =
        casts.into_iter().zip(&locals).map(|(cast, local)| Troupe::new(cast, local, plan)).collect();
    sound(&troupes, plan)
}

/// Answers by the numbers of their checks, each with the number of its question.
pub type Answers = BTreeMap<usize, Vec<(usize, Answer)>>;

/// Answers all questions of a plan, by their numbers, and tells what is wrong with them.
pub fn answers(
    model: &Model,
    folders: &Folders,
    plan: &Plan<'_>,
    casts: Vec<Cast>,
    means: &Means<'_>,
) -> (Answers, Vec<Diagnostic>) {
    let locals: Vec<Cow<'_, Model>> = casts.iter().map(|cast| local(model, folders, &cast.folder)).collect();
    let troupes: Vec<Troupe<'_>> =
        casts.into_iter().zip(&locals).map(|(cast, local)| Troupe::new(cast, local, plan)).collect();
    let (asked, problems) = sound(&troupes, plan);
    let wanted: BTreeSet<usize> = asked.into_values().flatten().collect();
    let mut answers = Answers::new();
    for (number, reply, millis) in troupes.into_iter().flat_map(|troupe| troupe.replies(plan, &wanted, means))
    {
        let asked = &plan.asked[number];
        answers.entry(asked.check).or_default().push((number, answer(asked, reply, millis)));
    }
    answers.values_mut().for_each(|own| own.sort_by_key(|(number, _)| *number));
    (answers, problems)
}

/// Questions about the same objects, whose words were looked up.
struct Troupe<'m> {
    company: Result<Company<'m>, String>,
    /// The questions by number, and what is wrong with each.
    questions: Vec<(usize, Result<Ready<'m>, String>, Vec<Diagnostic>)>,
}

impl<'m> Troupe<'m> {
    fn new(cast: Cast, model: &'m Model, plan: &Plan<'m>) -> Self {
        let Cast { questions, objects, .. } = cast;
        let mut company = match (objects, questions.first()) {
            (Ok(objects), Some(first)) => Ok(Company::new(model, objects, &plan.asked[*first])),
            (Ok(_), None) => Err("nobody asks".to_owned()),
            (Err(reason), _) => Err(reason),
        };
        let prepare = |number: usize| {
            let mut problems = Vec::new();
            let ready = match &mut company {
                Ok(company) => company.prepare(&plan.asked[number], &mut problems),
                Err(reason) => Err(reason.clone()),
            };
            (number, ready, problems)
        };
        let questions = questions.into_iter().map(prepare).collect();
        Troupe { company, questions }
    }

    /// Answers those of the questions that are wanted: each with its number and how long it took.
    fn replies(
        self,
        plan: &Plan<'m>,
        wanted: &BTreeSet<usize>,
        means: &Means<'_>,
    ) -> Vec<(usize, Reply, Option<u64>)> {
        let questions = self.questions.into_iter().filter(|(number, ..)| wanted.contains(number));
        let company = match self.company {
            Ok(company) => company,
            Err(reason) => {
                return questions
                    .map(|(number, ..)| (number, Reply::unknown(reason.clone()), None))
                    .collect();
            }
        };
        let program = Program::new(&company.objects.system);
        let mut graph = Graph::new(&program);
        let mut replies = Vec::new();
        for (number, ready, _) in questions {
            if let Some(court) = means.effort.court {
                court.name(reasons::legend(&company));
            }
            let (mut reply, millis) = means.effort.timed(|| match ready {
                Ok(ready) => company.reply(&plan.asked[number], &ready, &program, &mut graph, means),
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
            replies.push((number, reply, millis));
        }
        replies
    }
}

/// The questions that are asked, by their checks, and what is wrong with them. What names no system is about those that know
/// its words; if none does, the first may say what is missing.
fn sound(troupes: &[Troupe<'_>], plan: &Plan<'_>) -> (BTreeMap<usize, Vec<usize>>, Vec<Diagnostic>) {
    let mut by_check: BTreeMap<usize, BTreeMap<usize, &[Diagnostic]>> = BTreeMap::new();
    for (number, _, problems) in troupes.iter().flat_map(|troupe| &troupe.questions) {
        by_check.entry(plan.asked[*number].check).or_default().insert(*number, problems);
    }
    let (mut asked, mut problems) = (BTreeMap::new(), Vec::new());
    for (check, mut questions) in by_check {
        let is_sound = |found: &[Diagnostic]| found.iter().all(|one| one.severity < Severity::Error);
        match questions.values().any(|found| is_sound(found)) {
            true => questions.retain(|_, found| is_sound(found)),
            false => questions = questions.pop_first().into_iter().collect(),
        }
        problems.extend(questions.values().flat_map(|found| found.iter().cloned()));
        asked.insert(check, questions.into_keys().collect());
    }
    (asked, problems)
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
