//! Asking: every question that `check` answers, in its order.
//!
//! A check may ask more than one question (of each diagram that it is about), and diagrams ask some by themselves. The place of
//! a [`Query`] among those of an [`Agenda`] is its number, for `--question` and in the answers of `check` alike.

mod objects;
mod refines;
mod runs;

use std::collections::BTreeSet;

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::model::{Check, Expectation, InteractionId, Model, Question, Refines, Subject};
use sequent_kernel::semantics::Switches;
use sequent_kernel::source::{FileId, Folders, Place};
use sequent_kernel::verdict::{Answer, Reason, Verdict};

use crate::ensemble::{Demand, Ensemble, Wish};
use crate::finding::searchable;
use crate::settings::Settings;
use objects::ObjectQueries;
pub use refines::{UnknownDiagram, find, name, problems, words as refinement_words};
pub use runs::Claim;
use runs::RunQueries;

/// One question.
pub struct Query<'m> {
    /// Its name, or what it asks.
    pub name: String,
    /// The kind of question: `scenario`, `ltl`, ..
    pub kind: &'static str,
    /// The diagram it is about.
    pub target: Option<String>,
    /// Where it is asked.
    pub place: Place,
    /// What the author expects.
    pub expected: Option<Expectation>,
    /// Whether it is implied: a diagram asks it of others by what it is.
    pub is_implied: bool,
    /// What is asked.
    pub matter: Matter<'m>,
}

/// What a question is about.
pub enum Matter<'m> {
    /// What the runs of an interaction are like.
    Runs(InteractionId, Claim<'m>),
    /// What objects do: the number of their ensemble, what is asked, and the same with its words looked up.
    Objects(usize, Wish<'m>, Result<Demand<'m>, Reason>),
    /// Whether something gets stuck.
    Deadlock(Subject),
    /// Whether the second diagram does only what the first does.
    Refines([Subject; 2], &'m Refines),
    /// Whether the machines of a diagram can receive what it shows.
    Triggers(InteractionId),
    /// Nothing that can be answered, and why.
    Nothing(Reason),
}

impl Query<'_> {
    /// The answer with a verdict, and nothing else.
    pub fn answer(&self, verdict: Verdict) -> Answer {
        let Query { name, kind, target, place, expected, .. } = self;
        Answer {
            place: Some(*place),
            expected: *expected,
            ..Answer::new(name.clone(), kind, target.clone(), verdict)
        }
    }

    /// The question in words.
    pub fn text(&self) -> String {
        match &self.target {
            Some(target) => format!("{target}: {}", self.name),
            None => self.name.clone(),
        }
    }
}

/// Fairness is asked for where it says nothing.
fn idle_fairness(check: &Check) -> Diagnostic {
    let message = "fairness is about objects with state machines, and this question is about none";
    Diagnostic::new(Code::BadDirective, check.place.0, message)
        .severity(Severity::Warning)
        .hint("what could happen again and again in a sequence diagram does")
}

/// All questions about a model.
pub struct Agenda<'m> {
    /// What was read.
    pub model: &'m Model,
    /// The folder of each file.
    pub folders: &'m Folders,
    /// Decisions on points of dispute.
    pub switches: &'m Switches,
    /// What is wrong with it, as far as no search is needed to see that.
    pub found: Vec<Diagnostic>,
    /// The interactions that can be searched.
    pub(crate) searchable: BTreeSet<InteractionId>,
    /// The questions, in their order.
    pub queries: Vec<Query<'m>>,
    /// The objects that some of them are about.
    pub ensembles: Vec<Result<Ensemble<'m>, Reason>>,
    /// What is wrong with the settings and with questions about diagrams.
    pub problems: Vec<Diagnostic>,
    /// What is wrong with the words of questions about objects.
    pub(crate) word_problems: Vec<Diagnostic>,
}

impl<'m> Agenda<'m> {
    /// The questions about a model; `found` is what is wrong with it.
    pub fn new(
        (model, folders): (&'m Model, &'m Folders),
        settings: &'m Settings,
        found: Vec<Diagnostic>,
    ) -> Self {
        let ObjectQueries { queries: mut of_objects, ensembles, problems: word_problems } =
            objects::plan(model, folders, &found);
        let is_elsewhere = |check: usize| of_objects.contains_key(&check);
        let RunQueries { queries: mut of_runs, silent, skipped, mut problems } =
            runs::plan(model, folders, &settings.uses, &found, &is_elsewhere);
        let is_idle = |(number, check): &(usize, &Check)| check.fairness.is_some() && !is_elsewhere(*number);
        problems
            .extend(model.checks.iter().enumerate().filter(is_idle).map(|(_, check)| idle_fairness(check)));
        let mut queries = Vec::new();
        for (number, check) in model.checks.iter().enumerate() {
            let own = of_objects.remove(&number).or_else(|| of_runs.remove(&number));
            match own {
                Some(own) => queries.extend(own),
                None if skipped.contains(&number) => {}
                None => queries.extend(other(model, check, silent.get(&number).cloned())),
            }
        }
        queries.extend(of_runs.remove(&model.checks.len()).into_iter().flatten());
        let searchable = searchable(model, &found);
        let switches = &settings.switches;
        Agenda { model, folders, switches, found, searchable, queries, ensembles, problems, word_problems }
    }

    /// The same without the questions of the settings that are about none of some files, if they are given.
    pub fn about(mut self, files: Option<&BTreeSet<FileId>>, settings: &Settings) -> Self {
        let Some(files) = files else { return self };
        let queries = std::mem::take(&mut self.queries);
        let is_of_settings = |query: &Query<'_>| settings.file == Some(query.place.0.file);
        let is_kept = |query: &Query<'_>| !is_of_settings(query) || self.is_about(query, files);
        self.queries = queries.into_iter().filter(is_kept).collect();
        self
    }

    /// Whether a question is about a diagram in some files, or about an object that behaves as one of them says.
    fn is_about(&self, query: &Query<'_>, files: &BTreeSet<FileId>) -> bool {
        let is_drawn = |id: InteractionId| files.contains(&self.model.interactions[id].place.0.file);
        let is_in = |subject: &Subject| match subject {
            Subject::Interaction(id) => is_drawn(*id),
            Subject::Machine(id) => files.contains(&self.model.machines[*id].place.0.file),
        };
        match &query.matter {
            Matter::Runs(id, claim) => is_drawn(*id) || claim.diagrams().any(is_drawn),
            Matter::Objects(_, Wish::Scenario(id, _), _) => is_drawn(*id),
            Matter::Objects(number, Wish::Goal(_) | Wish::Formula(_), _) => {
                self.ensemble(*number).is_ok_and(|ensemble| ensemble.is_made_of(files))
            }
            Matter::Deadlock(subject) => is_in(subject),
            Matter::Refines(subjects, _) => subjects.iter().any(is_in),
            Matter::Triggers(id) => is_drawn(*id),
            Matter::Nothing(_) => false,
        }
    }

    /// The ensemble of a question.
    pub fn ensemble(&self, number: usize) -> Result<&Ensemble<'m>, Reason> {
        self.ensembles[number].as_ref().map_err(Clone::clone)
    }

    /// Why the runs of some interactions are not looked at: one of them was read with errors.
    pub fn is_broken(&self, diagrams: impl IntoIterator<Item = InteractionId>) -> bool {
        !diagrams.into_iter().all(|id| self.searchable.contains(&id))
    }
}

/// A question that is neither about objects nor about what runs are like; none if it is about diagrams that were not read.
fn other<'m>(model: &'m Model, check: &'m Check, silent: Option<Reason>) -> Option<Query<'m>> {
    let (kind, asked) = match &check.question {
        Question::Scenario(_) => ("scenario", "scenario".to_owned()),
        Question::Ltl(property) => ("ltl", property.text.clone()),
        Question::Reachable(goal) => ("reachable", goal.goal.text.clone()),
        Question::Deadlock => ("deadlock", "never gets stuck".to_owned()),
        Question::Safe(_, mode) => ("safe", format!("{} safe", mode.word())),
        Question::Consistent(_) => ("consistent", "consistent".to_owned()),
        Question::Fragments => ("fragments", "neg and assert".to_owned()),
        Question::Refines(refines) => ("refines", refines::words(refines)),
        Question::Triggers(_) => ("triggers", "triggers".to_owned()),
    };
    let mut target = check.subject.map(|subject| name(model, subject).to_owned());
    let matter = match (&check.question, check.subject) {
        (Question::Refines(refines), _) => {
            let compared = refines::compared(model, check, refines)?;
            target = Some(name(model, compared[1]).to_owned());
            Matter::Refines(compared, refines)
        }
        (Question::Deadlock, Some(subject)) => Matter::Deadlock(subject),
        (Question::Triggers(named), subject) => {
            let about = match (named, subject) {
                (Some(word), _) => find(model, &word.text).ok()?,
                (None, subject) => subject?,
            };
            target = Some(name(model, about).to_owned());
            match about {
                Subject::Interaction(id) => Matter::Triggers(id),
                Subject::Machine(_) => Matter::Nothing(Reason::NotAskable),
            }
        }
        (_, _) => Matter::Nothing(silent.unwrap_or(Reason::NotAskable)),
    };
    let name = check.name.clone().unwrap_or(asked);
    let Check { place, expected, .. } = *check;
    Some(Query { name, kind, target, place, expected, is_implied: false, matter })
}
