//! Models for SPIN: sequence diagrams by their lifelines, everything else step by step.

use sequent::outside;
use sequent_kernel::model::InteractionId;
use sequent_kernel::source::Place;
use sequent_kernel::templates::cut;
use sequent_report::export::promela::{self, Diagram, Wanted};

use super::Written;
use super::claims::claims;
use super::steps::{asked, steps, unwritten};
use super::subject::{one_interaction, runs_machines};
use crate::cli::{Export, PromelaShape};
use crate::command::Session;
use crate::command::subject::{assumptions, warn_of_gaps};
use crate::output;

/// What runs, as a model for SPIN that looks for runs which get stuck.
pub fn write(session: &Session, options: &Export) -> Result<Written, String> {
    if let Some(wished) = &options.question {
        return asked(session, options, wished, |system, wanted| {
            outside::spin::model(system, wanted).map(|made| made.text)
        });
    }
    match (runs_machines(session, options), options.shape) {
        (true, Some(PromelaShape::Lifelines)) => {
            Err("state machines are written step by step; --interaction NAME writes a diagram".to_owned())
        }
        (true, _) | (false, Some(PromelaShape::Steps)) => {
            steps(session, options, |subject| promela::promela(subject, &Wanted::Stuck).map(|made| made.text))
        }
        (false, Some(PromelaShape::Lifelines) | None) => {
            lifelines(session, options, one_interaction(session, options)?)
        }
    }
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
    let claims = claims(session, &model, id, &assumptions, options.unroll);
    let at = |place: Place| format!("line {}", session.sources.position(place.0).line);
    let diagram = Diagram {
        model: &model,
        id,
        assumptions: &assumptions,
        at: &at,
        claims: &claims,
        is_recorded: false,
    };
    let made = promela::lifelines(&diagram).map_err(unwritten)?;
    for (claim, said) in claims.iter().zip(&made.claims) {
        if let Err(reason) = said {
            output::complain(&format!(
                "`{}` is left out: {reason}; `check --engine spin` asks it",
                claim.title
            ));
        }
    }
    Ok(Written::Text(made.text))
}
