//! Refinements that checks ask for, where state machines take part: both sides as systems of a script for FDR.

use std::collections::BTreeMap;

use sequent_kernel::model::{Model, Refines, Subject};
use sequent_kernel::semantics::Switches;
use sequent_kernel::system::{Step, System};
use sequent_report::export::cspm::{self, Compared, Comparison, Draft, Legend, Media, Unwritten};

use super::{Parties, Side, name};
use crate::agenda::Agenda;

/// A question whether one diagram does only what another does.
pub struct Question<'m> {
    /// Its place on the agenda.
    pub number: usize,
    subjects: [Subject; 2],
    refines: &'m Refines,
    parties: Parties,
    /// Names for values, of each side.
    legends: [Legend; 2],
    titles: [String; 2],
}

/// The questions in which state machines take part; only this one, if there is one. And why others are not asked.
pub fn questions<'m>(
    model: &Model,
    agenda: &Agenda<'m>,
    only: Option<usize>,
    switches: &Switches,
) -> (Vec<Question<'m>>, Vec<String>) {
    let (mut all, mut reasons) = (Vec::new(), Vec::new());
    let numbers = (0..agenda.list().len()).filter(|number| only.is_none_or(|only| only == *number));
    for number in numbers {
        let Some((subjects, refines)) = agenda.compared(number) else { continue };
        if let [Subject::Interaction(_), Subject::Interaction(_)] = subjects {
            continue;
        }
        match question(model, number, (subjects, refines), switches) {
            Ok(question) => all.push(question),
            Err(why) => reasons.push(format!(
                "whether {} refines {}: {why}",
                name(model, subjects[1]),
                name(model, subjects[0])
            )),
        }
    }
    (all, reasons)
}

fn question<'m>(
    model: &Model,
    number: usize,
    (subjects, refines): ([Subject; 2], &'m Refines),
    switches: &Switches,
) -> Result<Question<'m>, String> {
    let parties = Parties::lower(subjects.map(|subject| Side { model, subject }), switches, 1)?;
    if let Some(name) = refines.hidden.iter().find(|name| !parties.know(name)) {
        return Err(format!("nothing that happens is called `{name}`"));
    }
    let is_never = |system: &System, term| system.terms.as_constant(term) == Some(0);
    for (side, system) in parties.systems().into_iter().enumerate() {
        let is_diagram = parties.objects(side).is_none();
        if is_diagram && !is_never(system, system.strained) {
            return Err("its loops have no bound".to_owned());
        }
        if is_diagram && !is_never(system, system.void) {
            return Err("some of its runs are ruled out later".to_owned());
        }
    }
    let legends =
        [0, 1].map(|side| parties.objects(side).map(|objects| objects.legend(model)).unwrap_or_default());
    let titles = subjects.map(|subject| name(model, subject).to_owned());
    Ok(Question { number, subjects, refines, parties, legends, titles })
}

/// Both sides of some questions as systems, each once, and the questions about them; the first systems of the script are others.
pub fn drafts<'q>(
    questions: &'q [Question<'_>],
    before: usize,
) -> Result<(Vec<Draft<'q>>, Vec<Comparison>), Unwritten> {
    let mut known: Vec<(Subject, bool)> = Vec::new();
    let (mut drafts, mut comparisons) = (Vec::new(), Vec::new());
    for question in questions {
        let has_ends = question.parties.have_ends();
        for (side, subject) in question.subjects.into_iter().enumerate() {
            if !known.contains(&(subject, has_ends)) {
                known.push((subject, has_ends));
                drafts.push(question.draft(side, has_ends)?);
            }
        }
        let place = |subject: Subject| known.iter().position(|one| *one == (subject, has_ends)).unwrap_or(0);
        let sides = [0, 1].map(|side| Compared {
            system: before + place(question.subjects[side]),
            names: question.names(side),
        });
        let (titles, aspect) = (question.titles.clone(), question.refines.aspect);
        comparisons.push(Comparison { titles, sides, aspect });
    }
    Ok((drafts, comparisons))
}

/// Steps are not told.
fn untold(_: &Step) -> String {
    String::new()
}

impl Question<'_> {
    fn draft(&self, side: usize, has_ends: bool) -> Result<Draft<'_>, Unwritten> {
        let system = self.parties.systems()[side];
        let subject =
            cspm::Subject { system, title: &self.titles[side], legend: &self.legends[side], note: &untold };
        let by_states = self.parties.objects(side).map(|objects| {
            let media = Media { queues: objects.owned_queues(), breaking: objects.breaking().to_vec() };
            Draft::states(&subject, &media).and_then(|draft| draft.ending(has_ends))
        });
        let draft = match by_states {
            Some(Ok(draft)) => draft,
            Some(Err(_)) | None => Draft::steps(&subject)?.ending(has_ends)?,
        };
        Ok(draft.called(&format!("{} alone", self.titles[side])))
    }

    /// What the events of a side are called.
    fn names(&self, side: usize) -> BTreeMap<String, Option<String>> {
        let events = self.parties.systems()[side].events.iter();
        events
            .map(|event| (event.text.clone(), self.parties.called(side, event, &self.refines.hidden)))
            .collect()
    }
}
