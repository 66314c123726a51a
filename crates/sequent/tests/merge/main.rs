//! Merging files: what people expect of git, and what git cannot do.

mod agreement;
mod corpus;
mod edits;
mod examples;
mod followed;
mod full;
mod models;
mod moves;
mod oracle;
mod places;
mod random;
mod robust;
mod search;
mod text;
mod together;
mod unordered;
mod wrapped;

use sequent::effort::Effort;
use sequent::merge::draft::ConflictMarks;
use sequent::merge::explain::Explanation;
use sequent::merge::{Environment, Interleaving, Merge, MergeOptions, MergeTask, VersionFiles};
use sequent::settings::Settings;
use sequent_notation::{Loader, NoFiles};

/// A merge that was made.
#[derive(Debug)]
pub struct Merged {
    /// The result.
    pub bytes: Vec<u8>,
    /// What the sides did not agree about.
    pub conflicts: Vec<String>,
    /// What else was said.
    pub notes: Vec<String>,
    /// Why no order fits.
    pub explanations: Vec<Explanation>,
}

impl Merged {
    /// The result as text.
    pub fn text(&self) -> String {
        String::from_utf8(self.bytes.clone()).expect("UTF-8")
    }
}

/// How many ways there are to merge.
pub fn merge_count(
    name: &str,
    versions: [&[u8]; 3],
    machines: &str,
    options: MergeOptions,
) -> Option<String> {
    with_merge(name, versions, machines, options, |merge| merge.count().map(|count| count.to_string()))
}

fn with_merge<T>(
    name: &str,
    versions: [&[u8]; 3],
    machines: &str,
    options: MergeOptions,
    work: impl FnOnce(Merge<'_>) -> T,
) -> T {
    with_settings(name, versions, machines, (options, &Settings::default()), work)
}

fn with_settings<T>(
    name: &str,
    versions: [&[u8]; 3],
    machines: &str,
    (options, settings): (MergeOptions, &Settings),
    work: impl FnOnce(Merge<'_>) -> T,
) -> T {
    let companions = match machines.is_empty() {
        true => Vec::new(),
        false => vec![("machines.puml".to_owned(), machines.to_owned())],
    };
    let effort = Effort::default();
    let loader = || Box::new(NoFiles) as Box<dyn Loader>;
    let environment = Environment { companions: &companions, settings, effort: &effort, loader: &loader };
    let [base, ours, theirs] = versions;
    work(Merge::new(VersionFiles { name, base, ours, theirs }, &environment, options))
}

/// Merges as the command does; where no order fits the choices become conflicts.
pub fn merge_files(name: &str, versions: [&[u8]; 3], machines: &str, options: MergeOptions) -> Merged {
    with_merge(name, versions, machines, options, made)
}

fn made(mut merge: Merge<'_>) -> Merged {
    let mut orders: Vec<Option<Interleaving>> =
        merge.tasks.iter().map(|task| merge.merges(task, 1).orders.into_iter().next()).collect();
    let mut explanations = Vec::new();
    for (number, order) in orders.iter_mut().enumerate() {
        if order.is_none() {
            explanations.push(merge.explain(number));
            *order = merge.give_up(number, "no order fits");
        }
    }
    let tasks = merge.tasks.iter().zip(&orders);
    let given: Vec<(&MergeTask, &Interleaving)> =
        tasks.filter_map(|(task, order)| order.as_ref().map(|order| (task, order))).collect();
    let whole = merge.whole_order(&given);
    merge.judge_conflicts(&whole);
    let bytes = merge.draft.bytes(&whole, &ConflictMarks::default());
    let conflicts = merge.draft.conflicts().map(|conflict| conflict.why.clone()).collect();
    Merged { bytes, conflicts, notes: merge.notes, explanations }
}

/// Merges texts without machines.
pub fn merge(name: &str, base: &str, ours: &str, theirs: &str) -> Merged {
    merge_files(name, [base.as_bytes(), ours.as_bytes(), theirs.as_bytes()], "", MergeOptions::default())
}
