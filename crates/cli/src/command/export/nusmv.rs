//! Models for NuSMV: sequence diagrams by their lifelines, everything else step by step.

use sequent::ask::Agenda;
use sequent::export::told;
use sequent::tools;
use sequent_kernel::formula::Formula;
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::source::Place;
use sequent_kernel::templates::{Tense, from_start};
use sequent_report::export::Wanted;
use sequent_report::export::nusmv::{self, Diagram};

use super::Written;
use super::asked::Demand;
use super::question;
use super::steps::{asked, steps, unwritten};
use super::subject::{Shape, cut_short, shape};
use crate::cli::Export;
use crate::command::Session;

/// What runs, as a model for NuSMV.
pub fn write(session: &Session, options: &Export) -> Result<Written, String> {
    if let Some(wished) = &options.question {
        return asked(session, options, wished, |system, wanted| {
            tools::nusmv::model(system, wanted).map(|made| made.text)
        });
    }
    match shape(session, options)? {
        Shape::Steps => {
            steps(session, options, |subject| nusmv::nusmv(subject, &Wanted::Stuck).map(|made| made.text))
        }
        Shape::Lifelines(id) => lifelines(session, options, id),
    }
}

/// A diagram with a module for each lifeline, and what is asked about it.
fn lifelines(session: &Session, options: &Export, id: InteractionId) -> Result<Written, String> {
    let (model, assumptions) = cut_short(session, options, id)?;
    let at = |place: Place| format!("line {}", session.sources.position(place.0).line);
    let formulas = question::for_all_guards(session, options, |agenda| {
        Ok(formulas(agenda, (&model, id), &assumptions, options.unroll))
    })?;
    let diagram = Diagram { model: &model, id, assumptions: &assumptions, at: &at };
    nusmv::lifelines(&diagram, &formulas).map(|made| Written::Text(made.text)).map_err(unwritten)
}

/// What is asked about a diagram, as formulas.
fn formulas(
    agenda: &Agenda<'_>,
    (model, id): (&Model, InteractionId),
    assumptions: &Assumptions,
    unroll: u32,
) -> Vec<(String, Option<Formula>)> {
    let system = lower(model, id, assumptions).ok();
    let mut found = Vec::new();
    for one in super::asked::asked(agenda, (model, id), assumptions, unroll, Tense::Past) {
        match one.demand {
            Demand::Written(formula) => {
                found.push((one.title, system.as_ref().map(|system| told(&formula, system))));
            }
            Demand::Drawn(Ok(templates)) if !templates.is_empty() => {
                let each = templates.iter().map(|template| {
                    (format!("{}: {}", one.title, template.about), Some(from_start(&template.formula)))
                });
                found.extend(each);
            }
            Demand::Drawn(_) => found.push((one.title, None)),
        }
    }
    found
}
