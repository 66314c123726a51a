//! Claims about a diagram for formats that write its lifelines: LTL formulas from checks, and what other
//! diagrams forbid and require of it. The latter are the observers by which `sequent check` decides.

use sequent::ask::{Agenda, Claim, Matter};
use sequent::export::{observers, parts};
use sequent_kernel::formula::Formula;
use sequent_kernel::model::InteractionId;
use sequent_report::export::LifelineClaim;

/// The claims about a diagram, in the order in which they are asked, with formulas in the words of a language.
pub(crate) fn claims(
    agenda: &Agenda<'_>,
    id: InteractionId,
    spell: &dyn Fn(&Formula) -> Option<Formula>,
) -> Vec<LifelineClaim> {
    let mut all = Vec::new();
    for (number, query) in agenda.queries.iter().enumerate() {
        let claim = match query.matter {
            Matter::Runs(about, claim) if about == id => claim,
            Matter::Runs(..)
            | Matter::Deadlock(_)
            | Matter::Objects(..)
            | Matter::Refines(..)
            | Matter::Triggers(_)
            | Matter::Nothing(_) => continue,
        };
        let formula = match claim {
            Claim::Formula(property) => spell(&property.formula),
            Claim::Safe(..) | Claim::Consistent(_) => None,
        };
        let observers = parts(agenda, number).and_then(observers);
        all.push(LifelineClaim { title: query.name.clone(), formula, observers });
    }
    all
}
