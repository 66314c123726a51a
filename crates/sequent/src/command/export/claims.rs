//! What is asked about a diagram, as formulas: its own, and what other diagrams forbid and demand of it.

use sequent::{property, scenario};
use sequent_kernel::model::{InteractionId, Mode, Model};
use sequent_kernel::semantics::{Assumptions, Unsupported};
use sequent_kernel::templates::{Template, Tense, cut, properties};
use sequent_report::export::promela::LifelineClaim;

use crate::command::Session;
use crate::output;

/// The claims about a diagram, in the order in which they are asked. `model` is the one with its loops cut.
pub fn claims(
    session: &Session,
    model: &Model,
    id: InteractionId,
    assumptions: &Assumptions,
    unroll: u32,
) -> Vec<LifelineClaim> {
    let reading = &session.reading;
    let elsewhere = scenario::plan(&reading.model, &reading.folders, &reading.diagnostics, &|_| false);
    let uses = &session.settings.uses;
    let plan = property::plan(&reading.model, &reading.folders, uses, &|_| false, &elsewhere.claimed);
    let mut claims = Vec::new();
    for planned in plan.asked.iter().filter(|planned| planned.about == id) {
        let asked = |diagram: InteractionId, word: &str| {
            let found = demands(model, [diagram, id], assumptions, unroll);
            let found = found.unwrap_or_else(|unsupported| {
                output::complain(&format!(
                    "`{}` is left out: {} is not written",
                    planned.name, unsupported.what
                ));
                Vec::new()
            });
            let wanted = found.into_iter().filter(|one| one.about.starts_with(word));
            wanted
                .map(|one| LifelineClaim {
                    title: format!("{}: {}", planned.name, one.about),
                    formula: one.formula,
                    is_drawn: true,
                })
                .collect()
        };
        claims.extend(match planned.ask {
            property::Ask::Formula(property) => vec![LifelineClaim {
                title: planned.name.clone(),
                formula: (*property.formula).clone(),
                is_drawn: false,
            }],
            property::Ask::Safe(diagram, Mode::Strong) => asked(diagram, "strongly"),
            property::Ask::Safe(diagram, Mode::Weak) => asked(diagram, "weakly"),
            property::Ask::Consistent(diagram) => asked(diagram, "consistent"),
        });
    }
    claims
}

/// What a diagram forbids and demands of another.
fn demands(
    model: &Model,
    [diagram, of]: [InteractionId; 2],
    assumptions: &Assumptions,
    unroll: u32,
) -> Result<Vec<Template>, Unsupported> {
    let (model, _) = cut(model, diagram, unroll);
    properties(&model, diagram, of, assumptions, Tense::Future)
}
