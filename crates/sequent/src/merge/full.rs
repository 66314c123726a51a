//! Full consistency (P4, D24): whether the machines together can do what a diagram shows.
//!
//! Asked is the scenario check: some run, anywhere in it, every event counts. A diagram that is impossible may still bar others, those with the same beginning. That a
//! beginning alone is impossible does not say so: what follows may happen in between, and alone it is an event too many. But if a beginning
//! is impossible even where only its own messages count, and none of them comes again later, then no diagram that begins so is possible: a run
//! of such a diagram, seen through its own messages, would be a run of the beginning. The shortest one is found by halving, and whoever lists merges leaves
//! out all that begin with it.

use sequent_kernel::model::{
    Alphabet, Anchor, Check, Fragment, Interaction, InteractionId, Quantifier, Question, Scenario, Subject,
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

/// Judges a diagram.
pub fn judge(stage: &mut Stage, id: InteractionId, settings: &Settings, effort: &Effort<'_>) -> Judgement {
    let count = stage.interaction(id).body.0.len();
    match possible(stage, id, (count, Alphabet::All), settings, effort) {
        Verdict::Holds(_) => Judgement::Possible,
        Verdict::Unknown(reason) => Judgement::Unknown(reason),
        Verdict::Fails(_) => {
            let barring = barring(stage, id, settings, effort);
            let message = barring.and_then(|count| last_message(stage.interaction(id), count));
            Judgement::Impossible { beginning: barring.unwrap_or(count), message }
        }
    }
}

/// The least number of first fragments for which no diagram that begins with them is possible, as far as it is known.
fn barring(stage: &mut Stage, id: InteractionId, settings: &Settings, effort: &Effort<'_>) -> Option<usize> {
    let counts = own_beginnings(stage.interaction(id));
    let mut fails = |number: usize| {
        let verdict = possible(stage, id, (counts[number], Alphabet::Own), settings, effort);
        matches!(verdict, Verdict::Fails(_))
    };
    let mut high = counts.len().checked_sub(1).filter(|last| fails(*last))?;
    let mut low = 0;
    while low < high {
        let middle = low + (high - low) / 2;
        match fails(middle) {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    Some(counts[high])
}

/// The numbers of first fragments, messages only, of which none comes again later.
fn own_beginnings(interaction: &Interaction) -> Vec<usize> {
    let fragments = &interaction.body.0;
    let text = |fragment: &Fragment| match fragment {
        Fragment::Message(id) => Some(event_text(interaction, &interaction.messages[*id])),
        Fragment::Stop(_)
        | Fragment::Action(_)
        | Fragment::Invariant(_)
        | Fragment::Use(_)
        | Fragment::Combined(_)
        | Fragment::Execution(_)
        | Fragment::Note(_)
        | Fragment::Separator(_)
        | Fragment::Numbering(_) => None,
    };
    let is_plain = |fragment: &Fragment| fragment.is_drawn_only() || matches!(fragment, Fragment::Message(_));
    if !fragments.iter().all(is_plain) {
        return Vec::new();
    }
    let texts: Vec<Option<String>> = fragments.iter().map(text).collect();
    let is_own = |count: &usize| {
        let (first, rest) = texts.split_at(*count);
        first.iter().flatten().all(|text| !rest.iter().flatten().any(|other| other == text))
    };
    (1..=fragments.len()).filter(is_own).collect()
}

fn last_message(interaction: &Interaction, count: usize) -> Option<String> {
    interaction.body.0[..count].iter().rev().find_map(|fragment| {
        let Fragment::Message(id) = fragment else { return None };
        Some(event_text(interaction, &interaction.messages[*id]))
    })
}

/// Whether the first fragments of a diagram are possible.
fn possible(
    stage: &mut Stage,
    id: InteractionId,
    (count, alphabet): (usize, Alphabet),
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
        alphabet,
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
