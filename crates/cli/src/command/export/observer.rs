//! Models for SPIN in which state machines are observed: the question as a process of its own.

use sequent::export::{ExportedCase, basic};
use sequent::simulate;
use sequent_kernel::system::Step;
use sequent_report::export::promela::{self, Basic};
use sequent_report::export::{Unwritten, WantedGoal, WrittenSubject as Told};

use super::ExportResult;
use super::question::{self, Posed};
use super::steps::unwritten;
use super::subject::{ExportSubject, NOT_OBSERVED, runs_machines, subject};
use crate::cli::Export;
use crate::command::Session;
use crate::command::subject::not_run;

/// The question that the options ask for; without one, whether the machines get stuck.
pub(crate) fn write(session: &Session, options: &Export) -> Result<ExportResult, String> {
    match &options.question {
        Some(wished) => asked(session, options, wished),
        None if !runs_machines(session, options) => Err(NOT_OBSERVED.to_owned()),
        None => stuck(session, options),
    }
}

fn stuck(session: &Session, options: &Export) -> Result<ExportResult, String> {
    let subject = match subject(session, options, false)? {
        Ok(subject) => subject,
        Err(unsupported) => return Ok(ExportResult::Nothing(not_run(session, &unsupported))),
    };
    let ExportSubject::Objects(objects, _) = &subject else { return Err(NOT_OBSERVED.to_owned()) };
    let model = &session.reading.model;
    let words = simulate::SimulationSubject { model, sources: &session.sources, content: subject.content() };
    let note = |step: &Step| words.step(step);
    let (title, legend) = (subject.name(session), objects.legend(model));
    let told = Told { system: &objects.system, title: &title, legend: &legend, note: &note };
    let made = promela::observer(&told, &WantedGoal::Stuck, None);
    made.map(ExportResult::Text).map_err(unwritten)
}

fn asked(session: &Session, options: &Export, wished: &str) -> Result<ExportResult, String> {
    question::with_agenda(session, options, |agenda| {
        let Posed { title, mut parts, number, at } = question::pose(agenda, wished)?;
        let refused = |reason| format!("`{title}` cannot be written so: {reason}");
        // An observer with bits sees all parts at once.
        let basic = basic(agenda, number).ok().filter(|_| parts.iter().all(|part| part.unbounded().is_ok()));
        let at = match (&basic, at) {
            (Some(_), None) => 0,
            (_, Some(at)) => at,
            (None, None) => return Err(question::several(&title, number, &parts)),
        };
        let part = parts.swap_remove(at);
        part.unbounded().map_err(refused)?;
        question::warn_of_breaks(&part.case.system);
        let made = observed(&title, &part, basic.as_ref());
        made.map(ExportResult::Text).map_err(|Unwritten(reason)| refused(reason))
    })
}

/// One part of a question as an observer; a step is described by its events.
fn observed(title: &str, part: &ExportedCase, basic: Option<&Basic>) -> Result<String, Unwritten> {
    let system = &*part.case.system;
    let note = |step: &Step| {
        let texts: Vec<&str> = system.events(step).map(|event| system.events[event].text.as_str()).collect();
        texts.join(" ")
    };
    let told = Told { system, title, legend: &part.case.names.values, note: &note };
    promela::observer(&told, &part.target.wanted(), basic)
}
