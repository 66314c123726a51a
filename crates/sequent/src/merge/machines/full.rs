//! Full consistency (P4, D24): whether the machines together can do what a diagram shows.
//!
//! The question is the scenario check: some run, anywhere in it, every event counts.

use sequent_kernel::model::{
    Alphabet, Anchor, Check, Effects, InteractionId, Quantifier, Question, Scenario, Subject,
};
use sequent_kernel::verdict::{Reason, Verdict};

use super::model::FileModel;
use crate::answer::answers;
use crate::ask::Agenda;
use crate::effort::Effort;
use crate::settings::Settings;

/// Returns whether a diagram is possible, and if not the first message that cannot happen.
pub fn possible(
    model: &mut FileModel,
    id: InteractionId,
    settings: &Settings,
    effort: &Effort<'_>,
) -> (Verdict, Option<String>) {
    let reading = &mut model.reading;
    let knobs = Scenario {
        interaction: None,
        quantifier: Quantifier::Possible,
        anchor: Anchor::Anywhere,
        alphabet: Alphabet::All,
        within: None,
        effects: Effects::Together,
    };
    let check = Check {
        name: None,
        subject: Some(Subject::Interaction(id)),
        target: None,
        question: Question::Scenario(knobs),
        fairness: None,
        expected: None,
        place: reading.model.interactions[id].place,
    };
    let asked = std::mem::replace(&mut reading.model.checks, vec![check]);
    let agenda = Agenda::new((&reading.model, &reading.folders), settings, Vec::new());
    let answer = answers(&agenda, effort, &|_| false).into_values().next();
    reading.model.checks = asked;
    match answer {
        Some(answer) => (answer.verdict, answer.details.failing_message),
        None => (Verdict::Unknown(Reason::NotAskable), None),
    }
}
