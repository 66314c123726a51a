//! Surveys: defects that a search finds without a check, in [interactions](interaction) and [objects].
//!
//! Questions come first: surveys get the remaining time, of which each interaction has an equal part.

pub mod interaction;
pub mod objects;

use std::collections::{BTreeMap, BTreeSet};

use sequent_engine::explicit;
use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::meter::{self, Work};
use sequent_kernel::model::{InteractionId, Subject};
use sequent_kernel::verdict::{Answer, Reason, Verdict};

use crate::ask::{Agenda, Matter, Query};
use crate::effort::Effort;

/// What was found out about interactions and objects.
#[derive(Default)]
pub struct Surveys {
    /// About the interactions that can be searched.
    pub interactions: BTreeMap<InteractionId, interaction::InteractionInspection>,
    /// The surveys of communicating machines.
    pub objects: Vec<objects::ObjectsInspection>,
}

/// Surveys what an agenda is about; `found` is what is wrong with it. Where something must not get stuck it comes first.
pub fn survey(agenda: &Agenda<'_>, found: &[Diagnostic], effort: &Effort<'_>) -> Surveys {
    let asked: BTreeSet<Subject> = agenda
        .queries
        .iter()
        .filter_map(|query| match query.matter {
            Matter::Deadlock(subject) => Some(subject),
            Matter::Runs(..)
            | Matter::Objects(..)
            | Matter::Refines(..)
            | Matter::Triggers(_)
            | Matter::Nothing(_) => None,
        })
        .collect();
    let is_asked = |id: &InteractionId| asked.contains(&Subject::Interaction(*id));
    let (first, rest): (Vec<InteractionId>, Vec<InteractionId>) =
        agenda.searchable.iter().partition(|id| is_asked(id));
    let mut surveys = Surveys::default();
    surveys.interactions(agenda, &first, usize::from(!rest.is_empty()), effort);
    let inspect = || match meter::leaves(Work::Surveys, 1) {
        true => Vec::new(),
        false => objects::inspect((agenda.model, agenda.folders), found, &agenda.ensembles, effort),
    };
    if asked.iter().any(|subject| matches!(subject, Subject::Machine(_))) {
        surveys.objects = inspect();
        surveys.interactions(agenda, &rest, 0, effort);
    } else {
        surveys.interactions(agenda, &rest, 0, effort);
        surveys.objects = inspect();
    }
    surveys
}

impl Surveys {
    /// Surveys some interactions; this many more parts of the time are for others.
    fn interactions(
        &mut self,
        agenda: &Agenda<'_>,
        ids: &[InteractionId],
        others: usize,
        effort: &Effort<'_>,
    ) {
        for (done, id) in ids.iter().enumerate() {
            if meter::leaves(Work::Surveys, 1) {
                continue;
            }
            let end = effort.share(ids.len() - done + others);
            let look = |effort: &Effort<'_>| interaction::inspect(agenda.model, *id, agenda.switches, effort);
            self.interactions.insert(*id, effort.until(end, look));
        }
    }

    /// Whether something gets stuck, as its survey tells.
    pub fn deadlock(&self, query: &Query<'_>, subject: Subject) -> Answer {
        let answer = |verdict| Answer { engine: Some(explicit::NAME), ..query.answer(verdict) };
        match subject {
            Subject::Interaction(id) => match self.interactions.get(&id) {
                Some(survey) => {
                    Answer { states: survey.states, millis: survey.millis, ..answer(survey.verdict.clone()) }
                }
                None => answer(Verdict::Unknown(Reason::BrokenSubject)),
            },
            Subject::Machine(id) => match self.objects.iter().find(|survey| survey.machines.contains(&id)) {
                Some(survey) => Answer {
                    states: Some(survey.states),
                    millis: survey.millis,
                    vacuous: survey.vacuous.clone(),
                    engine: Some(survey.engine),
                    ..answer(survey.verdict.clone())
                },
                None => answer(Verdict::Unknown(Reason::BrokenMachine)),
            },
        }
    }

    /// Undecided answers for interactions whose search was not completed and that have no deadlock check.
    pub fn undecided(&self, agenda: &Agenda<'_>) -> Vec<Answer> {
        let is_asked = |id: &InteractionId| {
            let is_own = |query: &Query<'_>| matches!(query.matter, Matter::Deadlock(Subject::Interaction(about)) if about == *id);
            agenda.queries.iter().any(is_own)
        };
        let is_open =
            |survey: &interaction::InteractionInspection| matches!(survey.verdict, Verdict::Unknown(_));
        let open = self.interactions.iter().filter(|(id, survey)| is_open(survey) && !is_asked(id));
        let answer = |(id, survey): (&InteractionId, &interaction::InteractionInspection)| {
            let interaction = &agenda.model.interactions[*id];
            let (name, target) = ("never gets stuck".to_owned(), Some(interaction.name.clone()));
            let answer = Answer::new(name, "deadlock", target, survey.verdict.clone());
            let (engine, millis) = (Some(explicit::NAME), survey.millis);
            Answer { place: Some(interaction.place), engine, millis, ..answer }
        };
        open.map(answer).collect()
    }
}
