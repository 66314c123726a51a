//! What is asked about a diagram, for languages that know it by its lifelines: formulas that somebody wrote, and what other
//! diagrams forbid and demand of it.

use sequent::ask::{Agenda, Claim, Matter};
use sequent_kernel::formula::Formula;
use sequent_kernel::model::{InteractionId, Mode, Model};
use sequent_kernel::semantics::{Assumptions, Unsupported};
use sequent_kernel::templates::{Template, Tense, cut, properties};

/// A question about a diagram.
pub struct Asked {
    /// Its place on the agenda.
    pub number: usize,
    /// What it is called.
    pub title: String,
    /// What must hold.
    pub demand: Demand,
}

/// What must hold in every run.
pub enum Demand {
    /// A formula that somebody wrote.
    Written(Formula),
    /// What a diagram says, as templates of P0, all of which must hold; or why there are none.
    Drawn(Result<Vec<Template>, Unsupported>),
}

/// The questions about a diagram, in the order of the agenda. `model` is the one with its loops cut.
pub fn asked(
    agenda: &Agenda<'_>,
    (model, id): (&Model, InteractionId),
    assumptions: &Assumptions,
    unroll: u32,
    tense: Tense,
) -> Vec<Asked> {
    let mut all = Vec::new();
    for (number, query) in agenda.queries.iter().enumerate() {
        let ask = match query.matter {
            Matter::Runs(about, ask) if about == id => ask,
            Matter::Runs(..)
            | Matter::Deadlock(_)
            | Matter::Objects(..)
            | Matter::Refines(..)
            | Matter::Nothing(_) => {
                continue;
            }
        };
        let drawn = |diagram: InteractionId, word: &str| {
            let (model, _) = cut(model, diagram, unroll);
            let found = properties(&model, diagram, id, assumptions, tense);
            Demand::Drawn(
                found.map(|all| all.into_iter().filter(|one| one.about.starts_with(word)).collect()),
            )
        };
        let demand = match ask {
            Claim::Formula(property) => Demand::Written((*property.formula).clone()),
            Claim::Safe(diagram, Mode::Strong) => drawn(diagram, "strongly"),
            Claim::Safe(diagram, Mode::Weak) => drawn(diagram, "weakly"),
            Claim::Consistent(diagram) => drawn(diagram, "consistent"),
        };
        all.push(Asked { number, title: query.name.clone(), demand });
    }
    all
}
