//! The pipeline: from text to report, as functions of values.
//!
//! ```text
//! text -> read -> model -> lint -> ask -> pose -> decide -> tell -> settle -> what is reported
//!                              \-> survey ---------------------/
//! ```
//!
//! Files are found and read by the caller; everything here is a function of its arguments.

use std::collections::BTreeMap;

use sequent_engine::search::SearchStop;
use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::meter;
use sequent_kernel::model::Subject;
use sequent_kernel::verdict::{Answer, Reason, Verdict};

use crate::answer::{Answers, answers};
use crate::ask::{Agenda, Matter, Query};
pub use crate::company::{CompanyMemory, company};
use crate::effort::Effort;
use crate::examples::examples;
use crate::finding::{remove_echoes, searchable, without_consequences};
pub use crate::outcome::{Outcome, exit_code};
use crate::outcome::{Reported, report};
pub use crate::page::{Page, Pages};
use crate::reading::must_be_there;
pub use crate::reading::{Reading, decode, kinds, read, read_pages, unknown_scenario};
use crate::refinement::{self, ComparedDiagram};
use crate::settings::Settings;
use crate::survey::{Surveys, survey};
use crate::templates;
use crate::triggers;

/// The questions about a reading.
pub fn agenda<'m>(reading: &'m Reading, settings: &'m Settings) -> Agenda<'m> {
    let agenda = Agenda::new((&reading.model, &reading.folders), settings, reading.linted(settings));
    agenda.about(reading.about.as_ref(), settings)
}

/// Looks at a reading: lints it, answers its questions, surveys it, and settles what was expected.
pub fn check(reading: &Reading, settings: &Settings, effort: &Effort<'_>) -> Outcome {
    let agenda = agenda(reading, settings);
    let mut found = agenda.found.clone();
    found.extend(agenda.problems.iter().cloned());
    let sound = found.clone();
    found.extend(agenda.word_problems.iter().cloned());
    // Questions come first: surveys, which no check asks for, get the remaining time.
    let is_own = |query: &Query<'_>| {
        !effort.engine.looks_at_states() && matches!(query.matter, Matter::Deadlock(Subject::Interaction(_)))
    };
    let decided = answers(&agenda, effort, &is_own);
    let surveys = survey(&agenda, &sound, effort);
    let mut answers = all_answers(&agenda, decided, &surveys, effort);
    answers.extend(surveys.undecided(&agenda));
    let mut stories = BTreeMap::new();
    let of_interactions = surveys.interactions.values().flat_map(|survey| &survey.findings);
    let of_objects = surveys.objects.iter().flat_map(|survey| &survey.findings);
    for (finding, story) in of_interactions.chain(of_objects) {
        stories.extend(story.clone().map(|story| (finding.identity(), story)));
        found.push(finding.clone());
    }
    let reported = told(found, reading, settings);
    let is_vacuous = settings.vacuous_denied && answers.iter().any(|answer| answer.vacuous.is_some());
    let Reported { diagnostics, known, suppressed } = reported;
    let examples = examples(&agenda, &answers, &stories, effort);
    Outcome { answers, diagnostics, stories, examples, known, suppressed, is_vacuous }
}

/// The findings of a reading that need no search.
pub fn lint(reading: &Reading, settings: &Settings) -> Vec<Diagnostic> {
    let Agenda { mut found, problems, word_problems, .. } = agenda(reading, settings);
    found.extend(problems.into_iter().chain(word_problems));
    let mut found = told(found, reading, settings).diagnostics;
    // Whether what was announced comes is known after the searches only.
    found.retain(|one| !matches!(one.code, Code::UnmetExpectation | Code::IdleSuppression));
    found
}

/// Settles what is reported of the findings.
fn told(mut found: Vec<Diagnostic>, reading: &Reading, settings: &Settings) -> Reported {
    without_consequences(&reading.model, &mut found);
    remove_echoes(&mut found);
    if settings.is_whole {
        found.iter_mut().filter(|one| one.code == Code::BadSetting).for_each(must_be_there);
    }
    found.retain(|one| reading.tells(one, settings));
    found.sort();
    found.dedup();
    report(found, reading, settings)
}

/// Answers the questions of a reading, and tells what is wrong with them; nothing else is looked for.
pub fn answer(reading: &Reading, settings: &Settings, effort: &Effort<'_>) -> (Vec<Answer>, Vec<Diagnostic>) {
    let agenda = agenda(reading, settings);
    let mut decided = answers(&agenda, effort, &|_| false);
    let queries = agenda.queries.iter().enumerate();
    let answers = queries.filter_map(|(number, query)| match &query.matter {
        Matter::Nothing(reason) => Some(query.answer(Verdict::Unknown(reason.clone()))),
        Matter::Triggers(id) => Some(triggers::answer(&agenda, query, *id)),
        Matter::Runs(..) | Matter::Objects(..) | Matter::Deadlock(_) | Matter::Refines(..) => {
            decided.remove(&number)
        }
    });
    let answers = answers.collect();
    (answers, [agenda.found, agenda.problems, agenda.word_problems].concat())
}

/// Answers the questions about objects alone, and tells what is wrong with them (`sequent reach`).
pub fn reach(reading: &Reading, settings: &Settings, effort: &Effort<'_>) -> (Vec<Answer>, Vec<Diagnostic>) {
    let agenda = agenda(reading, settings);
    let answers = answers(&agenda, effort, &|_| false);
    let is_of_objects = |number: &usize| matches!(agenda.queries[*number].matter, Matter::Objects(..));
    let answers = answers.into_iter().filter(|(number, _)| is_of_objects(number));
    (answers.map(|(_, answer)| answer).collect(), agenda.word_problems)
}

/// Whether each interaction means the same in formulas (`--templates`).
pub fn check_templates(reading: &Reading, settings: &Settings, effort: &Effort<'_>) -> Vec<Answer> {
    let sound = searchable(&reading.model, &reading.diagnostics);
    sound.into_iter().map(|id| templates::agree(&reading.model, id, &settings.switches, effort)).collect()
}

/// The answers to all questions, in their order.
fn all_answers(
    agenda: &Agenda<'_>,
    mut decided: Answers,
    surveys: &Surveys,
    effort: &Effort<'_>,
) -> Vec<Answer> {
    let answer = |(number, query): (usize, &Query<'_>)| match (decided.remove(&number), &query.matter) {
        (Some(answer), _) => answer,
        (None, Matter::Deadlock(subject)) => surveys.deadlock(query, *subject),
        (None, Matter::Refines(subjects, refines)) => {
            let sides = subjects.map(|subject| ComparedDiagram { model: agenda.model, subject });
            let Query { name, place, expected, .. } = query;
            let answer = refinement::answer(sides, refines, agenda.switches, effort);
            Answer { name: name.clone(), place: Some(*place), expected: *expected, ..answer }
        }
        (None, Matter::Triggers(id)) => triggers::answer(agenda, query, *id),
        (None, Matter::Runs(..) | Matter::Objects(..)) if meter::is_over() => {
            query.answer(Verdict::Unknown(Reason::Stopped(SearchStop::Watch, 0)))
        }
        (None, Matter::Nothing(reason)) => query.answer(Verdict::Unknown(reason.clone())),
        (None, Matter::Runs(..) | Matter::Objects(..)) => query.answer(Verdict::Unknown(Reason::NotAskable)),
    };
    agenda.queries.iter().enumerate().map(answer).collect()
}
