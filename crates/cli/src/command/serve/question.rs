//! Questions: those of the diagrams, and those that the user types into the page.

use sequent::effort::{Effort, Wants};
use sequent::pipeline::{self, Outcome};
use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::formula::FormulaWord;
use sequent_kernel::model::{
    Alphabet, Anchor, Check, Effects, Interaction, Property, Quantifier, Question, Scenario, StateGoal,
};
use sequent_kernel::source::{FileId, Span};
use sequent_notation::{formula, plantuml};
use sequent_report::html::{self, Fragments};
use serde_json::{Value, json};

use super::Service;
use super::jobs::ServeJob;
use super::look::EditedText;
use super::reply::RequestProblem;
use crate::command::{Systems, render};

/// How many times the effort of `check` a single question from the page may take.
const PATIENCE: usize = 50;

/// Checks a text as `sequent check` does.
pub(crate) fn check(service: &Service, subject: &EditedText, job: &ServeJob) -> Result<Value, String> {
    let read = subject.read(service)?;
    let outcome = checked(&read, job, Wants { examples: true, ..Wants::default() });
    let mut told = told(&html::fragments(&read.checked(&outcome), &read.parts(), &render::WORDING));
    told["broken"] = json!(read.is_broken(&subject.name));
    let diagrams = read.systems.iter().flat_map(|system| {
        let model = &system.reading.model;
        let interactions = model.interactions.iter().map(|one| one.name.as_str());
        interactions.chain(model.machines.iter().map(|one| one.name.as_str()))
    });
    told["diagrams"] = json!(diagrams.collect::<Vec<_>>());
    Ok(told)
}

/// What `sequent check` finds in what was read.
pub(crate) fn checked(read: &Systems, job: &ServeJob, wants: Wants) -> Outcome {
    let mut all = Outcome::default();
    job.work(1, |effort| {
        let effort = Effort { wants, ..*effort };
        for system in &read.systems {
            let mut outcome = pipeline::check(&system.reading, &system.settings, &effort);
            outcome.leave_out(&system.beside);
            all.append(outcome);
        }
    });
    all
}

/// Parts of a page as data.
pub(crate) fn told(fragments: &Fragments) -> Value {
    let Fragments { summary, questions, findings, examples, diagrams: _, coverage, machines, data, runs } =
        fragments;
    let texts: Vec<Value> = runs.iter().map(|run| run.as_ref().map_or(Value::Null, scenarios)).collect();
    json!({
        "summary": summary, "questions": questions, "findings": findings, "examples": examples,
        "coverage": coverage, "machines": machines, "data": data, "texts": texts,
    })
}

/// A run as a scenario that can be asked for, in PlantUML, by the directive that asks. Its name is that of its file.
fn scenarios(scenario: &Interaction) -> Value {
    let text = plantuml::print::sequence(scenario);
    let rest = text.split_once('\n').map_or("", |(_, rest)| rest);
    let asking = |word: &str| format!("@startuml\n' @{word}\n{rest}");
    json!({ "possible": asking("possible"), "forbidden": asking("forbidden") })
}

/// A question that the user types into the page.
pub(crate) struct PageQuestion {
    kind: PageQuestionKind,
    text: String,
}

enum PageQuestionKind {
    Ltl,
    Reach,
    Scenario(Quantifier),
}

impl PageQuestion {
    /// What a request asks.
    pub(crate) fn of(asked: &Value) -> Result<Self, RequestProblem> {
        let kind = match asked["kind"].as_str() {
            Some("ltl") => PageQuestionKind::Ltl,
            Some("reach") => PageQuestionKind::Reach,
            Some("possible") => PageQuestionKind::Scenario(Quantifier::Possible),
            Some("required") => PageQuestionKind::Scenario(Quantifier::Required),
            Some("forbidden") => PageQuestionKind::Scenario(Quantifier::Forbidden),
            _ => return Err(RequestProblem::Bad("no such kind of question".to_owned())),
        };
        let text = asked["question"].as_str().unwrap_or_default().trim().to_owned();
        if text.is_empty() {
            return Err(RequestProblem::Bad("the question is empty".to_owned()));
        }
        Ok(PageQuestion { kind, text })
    }

    /// The question as a check of its own file.
    fn check(&self, file: FileId) -> Result<Check, Diagnostic> {
        let span = Span::new(file, 0, self.text.len());
        let property = |formula| Property { text: self.text.clone(), formula: Box::new(formula) };
        let question = match self.kind {
            PageQuestionKind::Ltl => Question::Ltl(property(formula::parse(&self.text, span)?)),
            PageQuestionKind::Reach => {
                let goal = property(formula::goal(&self.text, span)?);
                Question::Reachable(StateGoal { goal, from: None, within: None })
            }
            PageQuestionKind::Scenario(quantifier) => Question::Scenario(Scenario {
                interaction: Some(FormulaWord { text: self.text.clone(), place: span.into() }),
                quantifier,
                anchor: Anchor::Anywhere,
                alphabet: Alphabet::All,
                within: None,
                effects: Effects::default(),
            }),
        };
        let place = span.into();
        Ok(Check { name: None, subject: None, target: None, question, fairness: None, expected: None, place })
    }
}

/// Answers a question about a text.
pub(crate) fn ask(
    service: &Service,
    subject: &EditedText,
    asked: &PageQuestion,
    job: &ServeJob,
) -> Result<Value, String> {
    let mut read = subject.read(service)?;
    let file = read.sources.add("question", asked.text.as_str());
    let mut outcome = Outcome::default();
    match asked.check(file) {
        Ok(check) => answer(&mut read, &check, file, &mut outcome, job),
        Err(problem) => outcome.diagnostics.push(problem),
    }
    let mut told = told(&html::fragments(&read.checked(&outcome), &read.parts(), &render::WORDING));
    told["wrong"] = json!(!outcome.diagnostics.is_empty());
    Ok(told)
}

fn answer(read: &mut Systems, check: &Check, file: FileId, outcome: &mut Outcome, job: &ServeJob) {
    let mut unknown = Vec::new();
    for system in &mut read.systems {
        if let Some(problem) = pipeline::unknown_scenario(check, &system.reading.model) {
            unknown.push(Diagnostic::new(Code::UnknownInFormula, problem.span, problem.message));
            continue;
        }
        system.reading.model.checks = vec![check.clone()];
        let (answers, problems) =
            job.work(PATIENCE, |effort| pipeline::answer(&system.reading, &system.settings, effort));
        outcome.answers.extend(answers);
        outcome.diagnostics.extend(problems.into_iter().filter(|one| one.span.file == file));
    }
    // A diagram that one of the systems has is no mistake.
    if outcome.answers.is_empty() {
        unknown.truncate(1);
        outcome.diagnostics.append(&mut unknown);
    }
}
