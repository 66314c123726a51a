//! The traces that the engine lists, which are those that a model of lifelines should have.

use std::collections::BTreeSet;

use sequent_engine::traces::{TraceLimits, Traces};
use sequent_kernel::id::Id;
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::system::TraceClass;
use sequent_kernel::templates::plain;

use crate::cases;
use crate::samples::{self, Omitted, SampleTally, random};
use crate::seeds::seeds;

/// The valid traces that the engine lists, if they are at most `most`. What a `neg` forbids is not asked.
pub fn listed(
    model: &Model,
    id: InteractionId,
    assumptions: &Assumptions,
    most: usize,
) -> Result<BTreeSet<Vec<String>>, String> {
    let assumptions = Assumptions { without_negatives: true, ..plain(assumptions) };
    let system = lower(model, id, &assumptions).map_err(|unsupported| unsupported.what)?;
    let traces =
        Traces::explore(&system, TraceLimits::default()).map_err(|_| "too many states".to_owned())?;
    let (list, is_complete) = traces.list_of(TraceClass::Valid, most);
    let list = list.into_iter().map(|trace| trace.into_iter().map(str::to_owned).collect());
    is_complete.then(|| list.collect()).ok_or_else(|| "too many traces".to_owned())
}

/// Compares what a model of a diagram does, by name; why it could not be compared.
pub(crate) type TraceComparer<'c> =
    &'c dyn Fn(&Model, InteractionId, &Assumptions, &str) -> Result<(), Omitted>;

/// Compares random diagrams under the assumptions for each seed; requires more than `thirds` thirds of them
/// to be comparable.
pub fn random(compare: TraceComparer<'_>, assume: &dyn Fn(u64) -> Assumptions, thirds: u64) {
    let seeds = seeds(60);
    let (mut tally, wanted) = (SampleTally::default(), seeds.count_left());
    for seed in seeds {
        let model = random::model(seed);
        tally.add(compare(&model, samples::first(), &assume(seed), &format!("seed {seed}")));
    }
    tally.exceeds(wanted * thirds / 3);
}

/// Compares the diagrams of the examples; requires more than `few` to be comparable.
pub fn examples(compare: TraceComparer<'_>, few: u64) {
    let mut tally = SampleTally::default();
    for case in samples::examples(samples::is_project) {
        let session = cases::read(&case);
        let model = &session.reading.model;
        for id in model.interactions.ids() {
            let name = format!("{} {}", case.name, id.index());
            tally.add(compare(model, id, &Assumptions::default(), &name));
        }
    }
    tally.exceeds(few);
}
