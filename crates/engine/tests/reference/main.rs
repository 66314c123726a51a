//! Random interactions mean the same to the lowering and to a naive reference that lists linear extensions.
//!
//! A run of the suite looks at 2,000 seeds under each switch; `SEQUENT_RANDOM=100000` sets another number. A difference is
//! made as small as it gets and shown as a diagram, with the traces that only one side has.

mod cases;
mod naive;
mod random;
mod shrink;

use std::collections::BTreeSet;
use std::fmt;

use sequent_engine::traces::{Limits, Traces};
use sequent_kernel::id::Id;
use sequent_kernel::model::{Interaction, InteractionId, Model};
use sequent_kernel::semantics::{Assumptions, Switches, lower};
use sequent_kernel::system::Class;
use sequent_notation::plantuml::print::sequence;

/// What one side has and the other has not.
struct Difference {
    only_lowered: Vec<String>,
    only_naive: Vec<String>,
}

/// Compares both sides; `None` if the interaction is too big to list.
fn compare(model: &Model, switches: &Switches, bounds: naive::Bounds) -> Option<Difference> {
    let expected = naive::traces(model, switches, bounds)?;
    let assumptions = Assumptions { switches: switches.clone(), ..Assumptions::default() };
    let system = lower(model, InteractionId::from_index(0), &assumptions).expect("it is lowered");
    let traces = Traces::explore(&system, Limits::default()).expect("it is small");
    let (listed, _) = traces.list(usize::MAX);
    // The reference passes by every `neg`; what one of them forbids is valid no more (rule I12).
    let is_forbidden = |trace: &Vec<&str>| traces.class(trace.iter().copied()) == Some(Class::Invalid);
    let expected: BTreeSet<Vec<&str>> = expected
        .iter()
        .map(|trace| trace.iter().map(|event| &**event).collect())
        .filter(|trace| !is_forbidden(trace))
        .collect();
    let listed: BTreeSet<Vec<&str>> = listed.into_iter().collect();
    let only =
        |one: &BTreeSet<Vec<&str>>, other| one.difference(other).map(|trace| trace.join(" ")).collect();
    Some(Difference { only_lowered: only(&listed, &expected), only_naive: only(&expected, &listed) })
}

impl Difference {
    fn is_none(&self) -> bool {
        self.only_lowered.is_empty() && self.only_naive.is_empty()
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "only lowered:\n  {}", self.only_lowered.join("\n  "))?;
        writeln!(f, "only naive:\n  {}", self.only_naive.join("\n  "))
    }
}

const BOUNDS: naive::Bounds = naive::Bounds { choices: 400, steps: 6_000 };

/// Compares both sides on many interactions.
fn agree(switches: &Switches) {
    let seeds = std::env::var("SEQUENT_RANDOM").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000);
    let mut compared = 0;
    let mut failures = Vec::new();
    for seed in 0..seeds {
        let interaction = random::interaction(seed);
        let Some(difference) = compare(&random::model(interaction.clone()), switches, BOUNDS) else {
            continue;
        };
        compared += 1;
        if !difference.is_none() {
            failures.push(explain(seed, interaction, switches));
            if failures.len() == 5 {
                break;
            }
        }
    }
    println!("{compared} of {seeds} seeds compared");
    assert!(failures.is_empty(), "{compared} compared\n{}", failures.join("\n"));
    assert!(compared * 2 > seeds, "most seeds are small enough: {compared} of {seeds}");
}

/// The smallest interaction on which both sides still differ.
fn explain(seed: u64, interaction: Interaction, switches: &Switches) -> String {
    let differs = |smaller: &Interaction| {
        compare(&random::model(smaller.clone()), switches, BOUNDS).is_some_and(|found| !found.is_none())
    };
    let smallest = shrink::shrink(interaction, differs);
    let found = compare(&random::model(smallest.clone()), switches, BOUNDS).expect("it still differs");
    format!("seed {seed} under {switches:?}\n{}{found}", sequence(&smallest))
}

#[test]
fn by_default() {
    agree(&Switches::default());
}

#[test]
fn with_blocking_calls() {
    agree(&Switches { blocking_calls: true, ..Switches::default() });
}

#[test]
fn with_independent_guards() {
    agree(&Switches { independent_guards: true, ..Switches::default() });
}

#[test]
fn with_guarded_occurrences_first() {
    agree(&Switches { guarded_first: true, ..Switches::default() });
}

#[test]
fn with_strict_joints() {
    agree(&Switches { strict_joints: true, ..Switches::default() });
}

#[test]
fn with_every_switch() {
    agree(&Switches {
        blocking_calls: true,
        independent_guards: true,
        guarded_first: true,
        strict_joints: true,
        ..Switches::default()
    });
}
