//! Full consistency (P4, D24): whether the machines together can do what a diagram shows.
//!
//! Asked is the scenario check: some run, anywhere in it, every event counts.

use sequent_kernel::model::{
    Alphabet, Anchor, Check, InteractionId, Quantifier, Question, Scenario, Subject,
};
use sequent_kernel::verdict::Verdict;

use super::stage::Stage;
use crate::behaviour::Effort;
use crate::scenario;
use crate::settings::Settings;

/// Whether a diagram is possible, and if not the first message that cannot happen.
pub fn possible(
    stage: &mut Stage,
    id: InteractionId,
    settings: &Settings,
    effort: &Effort<'_>,
) -> (Verdict, Option<String>) {
    let reading = &mut stage.reading;
    let knobs = Scenario {
        interaction: None,
        quantifier: Quantifier::Possible,
        anchor: Anchor::Anywhere,
        alphabet: Alphabet::All,
        within: None,
    };
    let check = Check {
        name: None,
        subject: Some(Subject::Interaction(id)),
        target: None,
        question: Question::Scenario(knobs),
        expected: None,
        place: reading.model.interactions[id].place,
    };
    let asked = std::mem::replace(&mut reading.model.checks, vec![check]);
    let plan = scenario::plan(&reading.model, &reading.folders, &[], &|_| false);
    let casts = scenario::casts(&reading.model, &reading.folders, &plan);
    let means = scenario::Means { switches: &settings.switches, effort };
    let (answers, _) = scenario::answers(&reading.model, &reading.folders, &plan, casts, &means);
    reading.model.checks = asked;
    match answers.into_values().flatten().next() {
        Some((_, answer)) => (answer.verdict, answer.details.failing_message),
        None => (Verdict::Unknown("nobody was asked".to_owned()), None),
    }
}
