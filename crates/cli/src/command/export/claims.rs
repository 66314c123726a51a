//! What is asked about a diagram, as claims for SPIN: a formula, and an observer where no formula of SPIN says it.

use sequent::ask::Agenda;
use sequent::export::{Target, parts};
use sequent_kernel::formula::{Binary, Formula, Node};
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::templates::{Template, Tense};
use sequent_report::export::promela::{LifelineClaim, Observed};

use super::asked::{Demand, asked};

/// The claims about a diagram, in the order in which they are asked. `model` is the one with its loops cut.
pub fn claims(
    agenda: &Agenda<'_>,
    (model, id): (&Model, InteractionId),
    assumptions: &Assumptions,
    unroll: u32,
) -> Vec<LifelineClaim> {
    let all = asked(agenda, (model, id), assumptions, unroll, Tense::Future);
    let claim = |one: super::asked::Asked| {
        let (formula, is_drawn) = match one.demand {
            Demand::Written(formula) => (Some(formula), false),
            Demand::Drawn(found) => (found.ok().and_then(together), true),
        };
        LifelineClaim { title: one.title, formula, is_drawn, observed: observed(agenda, one.number) }
    };
    all.into_iter().map(claim).collect()
}

/// All of them as one formula.
fn together(templates: Vec<Template>) -> Option<Formula> {
    let both = |left: Formula, right: Formula| {
        let place = left.place;
        Formula { node: Node::Binary(Binary::And, Box::new(left), Box::new(right)), place }
    };
    templates.into_iter().map(|one| one.formula).reduce(both)
}

/// A question as an observer, if it is asked in one go.
fn observed(agenda: &Agenda<'_>, number: usize) -> Option<Observed> {
    let mut parts = parts(agenda, number).ok()?;
    let part = parts.pop().filter(|part| parts.is_empty() && part.unbounded().is_ok())?;
    let events = part.case.system.events.iter().map(|event| event.text.clone()).collect();
    match part.target {
        Target::Accepted(table) => Some(Observed { table, events }),
        Target::Stuck | Target::State(_) => None,
    }
}
