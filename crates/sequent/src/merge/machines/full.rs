//! Full consistency (P4, D24): whether the machines together can do what a diagram shows.
//!
//! The question is the scenario check: some run, anywhere in it, every event counts. What lifelines without a machine tell each other is no event of the
//! system, so a diagram that shows nothing else asks the machines nothing, and is possible.

use sequent_kernel::model::{
    Alphabet, Anchor, Check, Effects, End, Fragment, InteractionId, Quantifier, Question, Scenario, Subject,
};
use sequent_kernel::verdict::{Evidence, Reason, Verdict};

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
    if !is_about_machines(model, id) {
        return (Verdict::Holds(Evidence::Exhaustive), None);
    }
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

/// Whether a diagram, with those that it uses, has a message to or from a machine, or says what is true of the objects; a diagram without messages is asked as it is.
fn is_about_machines(model: &FileModel, id: InteractionId) -> bool {
    let mut is_empty = true;
    for used in model.reading.model.family(id) {
        let machines = model.machines(used);
        let is_played = |end: End| end.lifeline().is_some_and(|lifeline| machines.contains_key(&lifeline));
        let mut is_asked = false;
        model.interaction(used).walk(&mut |fragment, _| match fragment {
            Fragment::Message(message) => {
                let message = &model.interaction(used).messages[*message];
                is_empty = false;
                is_asked |= is_played(message.from) || is_played(message.to);
            }
            Fragment::Invariant(_) => is_asked = true,
            Fragment::Use(_)
            | Fragment::Combined(_)
            | Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => {}
        });
        if is_asked {
            return true;
        }
    }
    is_empty
}
