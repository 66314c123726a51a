//! Refinements that checks ask for: both sides as systems of a script for FDR. Loops without bound keep as many iterations apart as the
//! answer needs.

use std::collections::BTreeMap;

use sequent_engine::refine::RefinementAnswer;
use sequent_kernel::model::{Model, Refines, Subject};
use sequent_kernel::semantics::Switches;
use sequent_kernel::system::{Step, System};
use sequent_kernel::verdict::Reason;
use sequent_report::export::cspm::{self, Compared, Legend, ScriptDraft, SystemComparison, Unwritten};

use super::{ComparedDiagram, Parties, settled};
use crate::ask::{Agenda, Matter, name};
use crate::effort::Effort;
use sequent_report::reason;

/// A question whether one diagram does only what another does.
pub struct RefinementQuestion<'m> {
    /// Its place on the agenda.
    pub number: usize,
    subjects: [Subject; 2],
    refines: &'m Refines,
    parties: Parties,
    /// Names for values, of each side.
    legends: [Legend; 2],
    titles: [String; 2],
}

/// The questions that are wanted, by their numbers and diagrams; and why others are not asked.
pub fn questions<'m>(
    model: &Model,
    agenda: &Agenda<'m>,
    is_wanted: &dyn Fn(usize, [Subject; 2]) -> bool,
    switches: &Switches,
) -> (Vec<RefinementQuestion<'m>>, Vec<String>) {
    let (mut all, mut reasons) = (Vec::new(), Vec::new());
    for (number, query) in agenda.queries.iter().enumerate() {
        let Matter::Refines(subjects, refines) = query.matter else { continue };
        if !is_wanted(number, subjects) {
            continue;
        }
        match question(model, number, (subjects, refines), switches) {
            Ok(question) => all.push(question),
            Err(why) => {
                let [other, one] = subjects.map(|subject| name(model, subject));
                reasons.push(format!("whether {one} refines {other}: {why}"));
            }
        }
    }
    (all, reasons)
}

/// Whether a state machine is among the diagrams.
pub fn has_machines(subjects: [Subject; 2]) -> bool {
    subjects.iter().any(|subject| matches!(subject, Subject::Machine(_)))
}

fn question<'m>(
    model: &Model,
    number: usize,
    (subjects, refines): ([Subject; 2], &'m Refines),
    switches: &Switches,
) -> Result<RefinementQuestion<'m>, String> {
    let sides = subjects.map(|subject| ComparedDiagram { model, subject });
    let (parties, found) = settled(sides, refines, switches, &Effort::default())
        .map_err(|(reason, _)| reason::words(&reason))?;
    if let RefinementAnswer::Stopped(stop) = found.answer {
        return Err(reason::words(&Reason::Stopped(stop, found.states)));
    }
    let rules_out = |system: &&System| !system.is_never(system.void);
    if parties.systems().iter().any(rules_out) {
        return Err("some of its runs are ruled out later".to_owned());
    }
    let legend = |side| parties.objects(side).map(|objects| objects.legend(model)).unwrap_or_default();
    let legends = [legend(0), legend(1)];
    let titles = subjects.map(|subject| name(model, subject).to_owned());
    Ok(RefinementQuestion { number, subjects, refines, parties, legends, titles })
}

/// Both sides of some questions as systems, each once, and the questions about them; the first systems of the script are others.
pub fn drafts<'q>(
    questions: &'q [RefinementQuestion<'_>],
    before: usize,
) -> Result<(Vec<ScriptDraft<'q>>, Vec<SystemComparison>), Unwritten> {
    // How many iterations a diagram keeps apart depends on the question.
    let mut known: Vec<(Subject, bool, usize)> = Vec::new();
    let (mut drafts, mut comparisons) = (Vec::new(), Vec::new());
    for question in questions {
        let has_ends = question.parties.have_ends();
        let mut places = [0; 2];
        for (side, subject) in question.subjects.into_iter().enumerate() {
            let key = (subject, has_ends, question.parties.systems()[side].variables.len());
            places[side] = match known.iter().position(|one| *one == key) {
                Some(place) => place,
                None => {
                    known.push(key);
                    drafts.push(question.draft(side, has_ends)?);
                    known.len() - 1
                }
            };
        }
        let sides =
            [0, 1].map(|side| Compared { system: before + places[side], names: question.names(side) });
        let (titles, aspect) = (question.titles.clone(), question.refines.aspect);
        comparisons.push(SystemComparison { titles, sides, aspect });
    }
    Ok((drafts, comparisons))
}

/// Steps have no description.
fn untold(_: &Step) -> String {
    String::new()
}

impl RefinementQuestion<'_> {
    fn draft(&self, side: usize, has_ends: bool) -> Result<ScriptDraft<'_>, Unwritten> {
        let system = self.parties.systems()[side];
        let subject = cspm::WrittenSubject {
            system,
            title: &self.titles[side],
            legend: &self.legends[side],
            note: &untold,
        };
        let by_states = self
            .parties
            .objects(side)
            .map(|_| ScriptDraft::states(&subject).and_then(|draft| draft.ending(has_ends)));
        let draft = match by_states {
            Some(Ok(draft)) => draft,
            Some(Err(_)) | None => ScriptDraft::steps(&subject)?.ending(has_ends)?,
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
