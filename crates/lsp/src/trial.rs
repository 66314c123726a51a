//! Trials: what is wrong with files after a change that is only thought of.

use std::collections::BTreeMap;

use sequent::pipeline;
use sequent_kernel::diagnostic::Diagnostic;

use crate::ReadGroup;

/// The findings about files that need no search.
pub(crate) fn findings(group: &ReadGroup) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    for system in &group.systems {
        let found = pipeline::lint(&system.reading, &system.settings);
        all.extend(found.into_iter().filter(|finding| !system.beside.contains(&finding.span.file)));
    }
    all
}

/// The first finding of those that count which was not there before, whatever line it was on; texts are compared as `worded`
/// gives them.
pub(crate) fn news(
    before: &ReadGroup,
    after: &ReadGroup,
    worded: impl Fn(&str) -> String,
    counts: impl Fn(&Diagnostic) -> bool,
) -> Option<Diagnostic> {
    let key = |one: &Diagnostic, group: &ReadGroup| {
        (one.code, group.sources.get(one.span.file).name.clone(), worded(&one.message))
    };
    let mut known: BTreeMap<_, usize> = BTreeMap::new();
    for one in findings(before) {
        *known.entry(key(&one, before)).or_default() += 1;
    }
    let mut is_new = |one: &Diagnostic| match known.get_mut(&key(one, after)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        Some(_) | None => true,
    };
    findings(after).into_iter().filter(counts).find(|one| is_new(one))
}
