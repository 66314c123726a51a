//! Random interactions mean the same to the lowering and to a naive reference that lists linear extensions.
//!
//! A run of the suite looks at 2,000 seeds by default and at fewer under each switch; `SEQUENT_RANDOM=100000` sets another
//! number. A difference is made as small as it gets and shown as a diagram, with the traces that only one side has.

mod automata;
mod cases;
mod lowered;
mod shared;

use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;

use sequent_engine::search::unwatched;
use sequent_engine::traces::{self, TraceCount, TraceLimits, Traces};
use sequent_evaluation::generate::interaction as random;
use sequent_kernel::id::Id;
use sequent_kernel::model::{Block, Combined, Fragment, InteractionId, Loop, Model, Operator};
use sequent_kernel::semantics::{Assumptions, Switches, lower};
use sequent_kernel::system::TraceClass;
use sequent_notation::plantuml::print::sequence;
use sequent_testing::seeds::seeds;
use sequent_testing::{interaction as naive, shrink};

use lowered::{Lowered, Order};

/// What one side has and the other has not.
#[derive(Default)]
struct Difference(Vec<String>);

/// Compares both sides; `None` if the interaction is too big to list.
fn compare(model: &Model, assumptions: &Assumptions) -> Option<Difference> {
    compare_within(model, assumptions, bounds(model, assumptions))
}

/// Compares both sides as far as some bounds reach.
fn compare_within(
    model: &Model,
    assumptions: &Assumptions,
    bounds: naive::ListingBounds,
) -> Option<Difference> {
    let expected = naive::traces(model, assumptions, bounds)?;
    let mut difference = Difference::default();
    let has_window = has(model, &|combined| is_windowed(combined, assumptions));
    if !has_window {
        let exact = run(model, assumptions, 1, bounds.length, Order::UrgentFirst)?;
        difference.compare("", &exact.classes, &expected);
        if let Some(any) = run(model, assumptions, 1, bounds.length, Order::Any) {
            difference.compare_urgency(&any.classes, &exact.classes, model);
        }
        if bounds.length >= ALL {
            difference.engine(model, assumptions, &expected);
        }
        return Some(difference);
    }
    for window in [1, 2] {
        let narrow = run(model, assumptions, window, bounds.length, Order::UrgentFirst)?;
        difference.strain(window, &narrow, &expected);
        if !narrow.is_strained {
            return Some(difference);
        }
    }
    let wide = run(model, assumptions, bounds.length, bounds.length, Order::UrgentFirst)?;
    difference.compare("", &wide.classes, &expected);
    Some(difference)
}

fn run(
    model: &Model,
    assumptions: &Assumptions,
    window: usize,
    length: usize,
    order: Order,
) -> Option<Lowered> {
    let assumptions = Assumptions { window, ..assumptions.clone() };
    // What is refused is too large; everything else is lowered.
    let system = lower(model, InteractionId::from_index(0), &assumptions).ok()?;
    if system.variables.len() > 1_000 {
        return None;
    }
    let most = if order == Order::Any { 1_000 } else { 10_000 };
    lowered::traces(&system, length, order, most)
}

/// A length that no trace of a finite set has.
const ALL: usize = 64;

/// How far both sides are listed: all traces if there are finitely many.
fn bounds(model: &Model, assumptions: &Assumptions) -> naive::ListingBounds {
    let all = naive::ListingBounds { choices: 1_000, steps: 6_000, length: ALL };
    if has(model, &|combined| combined.operator == Operator::Not) {
        return naive::ListingBounds { choices: 3_000, length: 4, ..all };
    }
    match has(model, &|combined| is_windowed(combined, assumptions)) {
        true => naive::ListingBounds { length: 5, ..all },
        false => all,
    }
}

/// Loops that are not written out, and ignored messages that may come any number of times.
fn is_windowed(combined: &Combined, assumptions: &Assumptions) -> bool {
    let is_endless =
        matches!(combined.operator, Operator::Loop(Loop { max, .. }) if max.is_none_or(|max| max >= 1_000));
    is_endless || combined.operator.types().is_some() && assumptions.switches.ignored.is_none()
}

fn has(model: &Model, wanted: &dyn Fn(&Combined) -> bool) -> bool {
    let mut found = false;
    for interaction in model.interactions.iter() {
        interaction.walk(&mut |fragment, _| {
            found |= matches!(fragment, Fragment::Combined(combined) if wanted(combined));
        });
    }
    found
}

impl Difference {
    fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    fn compare(&mut self, how: &str, lowered: &naive::ClassifiedTraces, naive: &naive::ClassifiedTraces) {
        for (class, lowered, naive) in
            [("valid", &lowered.valid, &naive.valid), ("invalid", &lowered.invalid, &naive.invalid)]
        {
            self.note(&format!("{class}, only lowered {how}"), lowered.difference(naive));
            self.note(&format!("{class}, only naive {how}"), naive.difference(lowered));
        }
    }

    /// Nothing is lost by taking urgent steps first, and nothing gained either unless an `assert` waits for a choice.
    fn compare_urgency(
        &mut self,
        any: &naive::ClassifiedTraces,
        first: &naive::ClassifiedTraces,
        model: &Model,
    ) {
        let how = "without urgency";
        match has(model, &|combined| combined.operator == Operator::Assert) {
            true => self.note(&format!("valid, lost {how}"), first.valid.difference(&any.valid)),
            false => self.compare(how, any, first),
        }
    }

    /// The engine tells the same traces and counts as many.
    fn engine(&mut self, model: &Model, assumptions: &Assumptions, expected: &naive::ClassifiedTraces) {
        let system = lower(model, InteractionId::from_index(0), assumptions).expect("it was lowered before");
        let limits = TraceLimits { sets: 10_000, ..TraceLimits::default() };
        let Ok(traces) = Traces::explore(&system, limits) else { return };
        for (class, expected) in
            [(TraceClass::Valid, &expected.valid), (TraceClass::Invalid, &expected.invalid)]
        {
            let count = traces.count_of(class);
            let apart = traces::count(&system, class, limits, &unwatched).map(|counted| counted.count);
            if apart.as_ref() != Ok(&count) {
                self.0.push(format!("{class:?}: {apart:?} counted by parts, not {count:?}"));
            }
            let (listed, _) = traces.list_of(class, expected.len());
            let listed: naive::TraceSet =
                listed.into_iter().map(|trace| trace.into_iter().map(Rc::from).collect()).collect();
            let is_counted = match count {
                TraceCount::Finite(count) => count == expected.len().into(),
                TraceCount::Beyond => false,
                TraceCount::Infinite => has(model, &|combined| combined.operator == Operator::Not),
            };
            if listed != *expected || !is_counted {
                self.0.push(format!(
                    "{class:?}: the engine lists other traces, or counts {:?}",
                    traces.count_of(class)
                ));
            }
        }
    }

    /// A narrow window has no traces of its own, and what it lacks it lacks because something was strained.
    fn strain(&mut self, window: usize, narrow: &Lowered, expected: &naive::ClassifiedTraces) {
        let how = format!("with window {window}");
        if !narrow.is_strained {
            self.compare(&how, &narrow.classes, expected);
        }
        let all = |classes: &naive::ClassifiedTraces| -> naive::TraceSet {
            classes.valid.union(&classes.invalid).cloned().collect()
        };
        let (narrow, expected) = (all(&narrow.classes), all(expected));
        self.note(&format!("only lowered {how}"), narrow.difference(&expected));
    }

    fn note<'t>(&mut self, what: &str, traces: impl Iterator<Item = &'t Vec<Rc<str>>>) {
        let traces: BTreeSet<String> = traces.map(|trace| trace.join(" ")).collect();
        if !traces.is_empty() {
            let shown: Vec<&str> = traces.iter().take(8).map(String::as_str).collect();
            self.0.push(format!("{what} ({}):\n  {}", traces.len(), shown.join("\n  ")));
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.0.join("\n"))
    }
}

/// Compares both sides on many interactions.
fn agree(usual: u64, assumptions: impl Fn(u64) -> Assumptions) {
    agree_on(usual, random::model, assumptions);
}

fn agree_on(usual: u64, model: impl Fn(u64) -> Model, assumptions: impl Fn(u64) -> Assumptions) {
    let seeds = seeds(usual);
    let count = seeds.count_left();
    let mut compared = 0;
    let mut failures = Vec::new();
    for seed in seeds {
        let model = model(seed);
        let assumptions = assumptions(seed);
        let Some(difference) = compare(&model, &assumptions) else {
            continue;
        };
        compared += 1;
        if !difference.is_none() {
            failures.push(explain(seed, model, &assumptions));
            if failures.len() == 5 {
                break;
            }
        }
    }
    println!("{compared} of {count} seeds compared");
    assert!(failures.is_empty(), "{compared} compared\n{}", failures.join("\n"));
    assert!(compared * 2 > count, "most seeds are small enough: {compared} of {count}");
}

/// The smallest interaction on which both sides still differ.
fn explain(seed: u64, model: Model, assumptions: &Assumptions) -> String {
    let differs = |smaller: &Model| compare(smaller, assumptions).is_some_and(|found| !found.is_none());
    let smallest = shrink::shrink(model, differs);
    let found = compare(&smallest, assumptions).expect("it still differs");
    let shown: Vec<String> = smallest.interactions.iter().map(sequence).collect();
    format!("seed {seed} under {assumptions:?}\n{}{found}", shown.join("used:\n"))
}

/// Compares under one setting.
fn agree_under(seeds: u64, switches: &Switches) {
    agree(seeds, |_| Assumptions { switches: switches.clone(), ..Assumptions::default() });
}

#[test]
fn by_default() {
    agree_under(600, &Switches::default());
}

/// Every loop becomes a strict one.
#[test]
fn with_strict_loops() {
    agree_on(600, strictly, |_| Assumptions::default());
}

#[test]
fn with_strict_loops_and_everything_mixed() {
    agree_on(250, strictly, random::assumptions);
}

fn strictly(seed: u64) -> Model {
    let mut model = random::model(seed);
    model.interactions.iter_mut().for_each(|interaction| make_strict(&mut interaction.body));
    model
}

fn make_strict(block: &mut Block) {
    for fragment in &mut block.0 {
        if let Fragment::Combined(combined) = fragment {
            if let Operator::Loop(bounds) = &mut combined.operator {
                bounds.strict = true;
            }
            combined.operands.iter_mut().for_each(|operand| make_strict(&mut operand.block));
        }
    }
}

#[test]
fn with_blocking_calls() {
    agree_under(120, &Switches { blocking_calls: true, ..Switches::default() });
}

#[test]
fn with_independent_guards() {
    agree_under(120, &Switches { independent_guards: true, ..Switches::default() });
}

#[test]
fn with_guarded_occurrences_first() {
    agree_under(120, &Switches { guarded_first: true, ..Switches::default() });
}

#[test]
fn with_strict_joints() {
    agree_under(120, &Switches { strict_joints: true, ..Switches::default() });
}

#[test]
fn with_false_negs_invalid() {
    agree_under(120, &Switches { invalid_if_neg_false: true, ..Switches::default() });
}

#[test]
fn with_doubt_around_what_is_invalid() {
    agree_under(120, &Switches { doubtful_around: true, ..Switches::default() });
}

#[test]
fn with_double_negation_valid() {
    agree_under(120, &Switches { double_negation: TraceClass::Valid, ..Switches::default() });
}

#[test]
fn with_guards_assumed() {
    agree(120, |seed| {
        let Assumptions { guards, .. } = random::assumptions(seed);
        Assumptions { guards, ..Assumptions::default() }
    });
}

#[test]
fn with_false_guards_invalid() {
    agree(120, |seed| {
        let Assumptions { guards, .. } = random::assumptions(seed);
        let switches = Switches { invalid_if_false: true, ..Switches::default() };
        Assumptions { guards, switches, ..Assumptions::default() }
    });
}

#[test]
fn with_everything_mixed() {
    agree(250, random::assumptions);
}
