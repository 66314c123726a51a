//! Models for SPIN: sequence diagrams by their lifelines, everything else step by step.

use sequent::{outside, simulate};
use sequent_kernel::model::InteractionId;
use sequent_kernel::source::Place;
use sequent_kernel::system::Step;
use sequent_kernel::templates::cut;
use sequent_report::export::promela::{self, Diagram, Legend, Wanted};

use super::Written;
use super::question::{self, Chosen};
use super::subject::{Subject, one_interaction, runs_machines, subject};
use crate::cli::{Export, PromelaShape};
use crate::command::Session;
use crate::command::subject::{assumptions, not_run, warn_of_gaps};
use crate::output;

/// What runs, as a model for SPIN that looks for runs which get stuck.
pub fn write(session: &Session, options: &Export) -> Result<Written, String> {
    if let Some(wished) = &options.question {
        return question(session, options, wished);
    }
    match (runs_machines(session, options), options.shape) {
        (true, Some(PromelaShape::Lifelines)) => {
            Err("state machines are written step by step; --interaction NAME writes a diagram".to_owned())
        }
        (true, _) | (false, Some(PromelaShape::Steps)) => steps(session, options),
        (false, Some(PromelaShape::Lifelines) | None) => {
            lifelines(session, options, one_interaction(session, options)?)
        }
    }
}

/// A question of `check`, step by step.
fn question(session: &Session, options: &Export, wished: &str) -> Result<Written, String> {
    if options.shape == Some(PromelaShape::Lifelines) {
        return Err("a question is written step by step".to_owned());
    }
    let Chosen { title, part, .. } =
        question::with_agenda(session, options, |agenda| question::choose(agenda, wished))?;
    let refused = |reason| format!("there is no Promela of `{title}`: {reason}");
    part.unbounded().map_err(refused)?;
    let made = outside::spin::model(&part.system, &part.wanted());
    made.map(|made| Written::Text(made.text)).map_err(|promela::Unwritten(reason)| refused(reason))
}

fn unwritten(promela::Unwritten(reason): promela::Unwritten) -> String {
    format!("there is no Promela of it: {reason}")
}

/// A diagram with lifelines as processes.
fn lifelines(session: &Session, options: &Export, id: InteractionId) -> Result<Written, String> {
    warn_of_gaps(session, id);
    let assumptions = assumptions(&options.meaning, session, id)?;
    let (model, is_cut) = cut(&session.reading.model, id, options.unroll);
    if is_cut {
        output::complain(&format!(
            "loops without bound are cut after {} iterations more than they must have",
            options.unroll
        ));
    }
    let at = |place: Place| format!("line {}", session.sources.position(place.0).line);
    let diagram =
        Diagram { model: &model, id, assumptions: &assumptions, at: &at, claims: &[], is_recorded: false };
    promela::lifelines(&diagram).map(|made| Written::Text(made.text)).map_err(unwritten)
}

/// Every step by itself.
fn steps(session: &Session, options: &Export) -> Result<Written, String> {
    let subject = match subject(session, options)? {
        Ok(subject) => subject,
        Err(unsupported) => return Ok(Written::Nothing(not_run(session, &unsupported))),
    };
    let model = &session.reading.model;
    let legend = match &subject {
        Subject::Interaction(..) => Legend::new(),
        Subject::Objects(objects, _) => objects.legend(model),
    };
    let words = simulate::Subject { model, sources: &session.sources, content: subject.content() };
    let note = |step: &Step| words.step(step);
    let title = subject.name(session);
    let written = promela::Subject { system: subject.system(), title: &title, legend: &legend, note: &note };
    promela::promela(&written, &Wanted::Stuck).map(|made| Written::Text(made.text)).map_err(unwritten)
}
