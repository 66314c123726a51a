//! Full consistency (P4, D24): whether the machines together can do what a diagram shows.
//!
//! Asked is the scenario check: some run, anywhere in it, every event counts. If a diagram is impossible, so is every one
//! that begins with the same impossible messages: the shortest such beginning is found by halving, and whoever lists merges
//! leaves out all that begin so.

use sequent_kernel::model::{
    Alphabet, Anchor, Check, Fragment, InteractionId, Quantifier, Question, Scenario, Subject,
};
use sequent_kernel::semantics::event_text;
use sequent_kernel::verdict::Verdict;

use super::stage::{Stage, place};
use crate::behaviour::Effort;
use crate::scenario;
use crate::settings::Settings;

/// Whether a diagram is possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// It is.
    Possible,
    /// It is not, nor is any diagram that begins with so many of its fragments.
    Impossible {
        /// How many.
        beginning: usize,
        /// The message that cannot happen.
        message: Option<String>,
    },
    /// Nobody knows, and why.
    Unknown(String),
}

/// Judges a diagram, or its first fragments.
pub fn judge(stage: &mut Stage, id: InteractionId, settings: &Settings, effort: &Effort<'_>) -> Judgement {
    let count = stage.interaction(id).body.0.len();
    match possible(stage, id, count, settings, effort) {
        Verdict::Holds(_) => Judgement::Possible,
        Verdict::Unknown(reason) => Judgement::Unknown(reason),
        Verdict::Fails(_) => {
            // `low` fragments are possible, `high` are not.
            let (mut low, mut high) = (0, count);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                match possible(stage, id, middle, settings, effort) {
                    Verdict::Fails(_) => high = middle,
                    Verdict::Holds(_) => low = middle,
                    Verdict::Unknown(_) => break,
                }
            }
            let interaction = stage.interaction(id);
            let messages = interaction.body.0[..high].iter().rev();
            let text = |fragment: &Fragment| {
                let Fragment::Message(id) = fragment else { return None };
                Some(event_text(interaction, &interaction.messages[*id]))
            };
            Judgement::Impossible { beginning: high, message: messages.clone().find_map(text) }
        }
    }
}

/// Whether the first fragments of a diagram are possible.
fn possible(
    stage: &mut Stage,
    id: InteractionId,
    count: usize,
    settings: &Settings,
    effort: &Effort<'_>,
) -> Verdict {
    let reading = &mut stage.reading;
    let whole = reading.model.interactions[id].body.clone();
    reading.model.interactions[id].body.0.truncate(count);
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
    let means = scenario::Means { switches: &settings.switches, system: &reading.model.system, effort };
    let (answers, _) = scenario::answers(&reading.model, &reading.folders, &plan, &means);
    let answer = answers.into_values().flatten().next();
    let verdict = answer.map_or_else(|| Verdict::Unknown("nobody was asked".to_owned()), |one| one.verdict);
    reading.model.checks = asked;
    reading.model.interactions[id].body = whole;
    verdict
}

/// The place in the text where the first fragments of a diagram end.
pub fn end_of(stage: &Stage, id: InteractionId, count: usize) -> usize {
    let interaction = stage.interaction(id);
    let ends = interaction.body.0[..count].iter().filter_map(|fragment| place(interaction, fragment));
    ends.map(|span| span.end as usize).max().unwrap_or(0)
}
