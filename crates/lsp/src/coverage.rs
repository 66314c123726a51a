//! Coverage: which messages and transitions of a file the runs of answered questions pass.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sequent_kernel::source::Sources;
use sequent_kernel::verdict::Answer;
use serde_json::{Value, json};

use crate::navigate::FolderView;
use crate::publish::LineNumbers;

/// The lines that the runs of some answers pass.
pub(crate) fn passed(answers: &[Answer], sources: &Sources) -> LineNumbers {
    let stories = answers.iter().filter_map(|answer| answer.verdict.story());
    let places = stories.flat_map(|story| &story.log.rows).flat_map(|row| &row.places);
    places
        .map(|place| (PathBuf::from(&sources.get(place.0.file).name), sources.position(place.0).line))
        .collect()
}

/// The lines of a file on which something happens, counted from 0, by whether a run passes them.
pub(crate) fn of_file<'l>(
    view: &FolderView,
    file: &Path,
    passed: impl Iterator<Item = &'l LineNumbers>,
) -> Value {
    let Some(leaf) = view.id(file).and_then(|id| view.leaf(id)) else {
        return json!({ "covered": [], "uncovered": [] });
    };
    let id = leaf.page.document.file;
    let model = &leaf.page.model;
    let messages = model.interactions.iter().flat_map(|one| one.messages.iter().map(|message| message.place));
    let transitions = model.machines.iter().flat_map(|one| one.transitions.iter().map(|fired| fired.place));
    let here = messages.chain(transitions).filter(|place| place.0.file == id);
    let lines: BTreeSet<u32> = here.map(|place| view.sources.position(place.0).line).collect();
    let passed: Vec<&LineNumbers> = passed.collect();
    let is_passed = |line: &u32| passed.iter().any(|lines| lines.contains(&(file.to_owned(), *line)));
    let (covered, uncovered): (Vec<u32>, Vec<u32>) = lines.into_iter().partition(is_passed);
    let from_zero = |lines: Vec<u32>| lines.into_iter().map(|line| line - 1).collect::<Vec<_>>();
    json!({ "covered": from_zero(covered), "uncovered": from_zero(uncovered) })
}
