//! The merge view: three versions of a file, what two of them changed, and every consistent merge to choose from.

use sequent::merge::diff::{Change, changes, machines, picture};
use sequent::merge::draft::ConflictMarks;
use sequent::merge::{
    ConsistencyLevel, Environment, FoundMerges, Merge, MergeOptions, VersionFiles, decode, pieces,
};
use sequent::pipeline::Outcome;
use sequent_kernel::model::Interaction;
use sequent_kernel::source::Sources;
use sequent_notation::Loader;
use sequent_report::{draw, html};
use serde_json::{Value, json};

use super::Service;
use super::jobs::ServeJob;
use super::look::EditedText;
use super::reply::RequestProblem;
use crate::command::merge::{self, companions, give_up, ordered, spelled};
use crate::command::{read_settings, render};
use crate::files::IncludedFiles;
use crate::roots::Roots;

/// This many merges are listed.
const MOST: usize = 30;

/// Three versions of a file, and what a merge must be consistent with.
pub(crate) struct JoinedVersions {
    base: EditedText,
    ours: EditedText,
    theirs: EditedText,
    level: ConsistencyLevel,
}

impl JoinedVersions {
    /// What a request names.
    pub(crate) fn of(service: &Service, asked: &Value) -> Result<Self, RequestProblem> {
        let version = |name: &str| EditedText::of(service, &json!({ "file": asked[name] }));
        let level = match asked["level"].as_str() {
            Some("order") => ConsistencyLevel::Order,
            Some("full") => ConsistencyLevel::Full,
            Some("trigger") | None => ConsistencyLevel::Trigger,
            Some(_) => return Err(RequestProblem::Bad("no such level".to_owned())),
        };
        Ok(JoinedVersions {
            base: version("base")?,
            ours: version("ours")?,
            theirs: version("theirs")?,
            level,
        })
    }
}

/// Merges them.
pub(crate) fn merge(service: &Service, versions: &JoinedVersions, job: &ServeJob) -> Result<Value, String> {
    let JoinedVersions { base, ours, theirs, level } = versions;
    let name = &ours.name;
    let paths = std::slice::from_ref(name);
    let roots = Roots::new(paths, &service.common.include_root)?;
    let (settings, _) = read_settings(paths, &service.common, &roots, &mut Sources::new())?;
    let is_version = |file: &std::path::PathBuf| {
        let file = crate::files::display(file);
        [base, ours, theirs].iter().any(|version| version.name == file)
    };
    let folder =
        |path: &std::path::Path| path.strip_prefix("./").unwrap_or(path).parent().map(ToOwned::to_owned);
    let own = folder(std::path::Path::new(name));
    let beside: Vec<_> =
        service.folder.files().into_iter().filter(|file| !is_version(file) && folder(file) == own).collect();
    let companions = companions(&beside, None, &roots)?;
    let files = VersionFiles {
        name,
        base: base.text.as_bytes(),
        ours: ours.text.as_bytes(),
        theirs: theirs.text.as_bytes(),
    };
    let loader = || Box::new(IncludedFiles(roots.clone())) as Box<dyn Loader>;
    job.work(50, |effort| {
        let environment =
            Environment { companions: &companions, settings: &settings, effort, loader: &loader };
        let merge =
            Merge::new(files, &environment, MergeOptions { level: *level, ..MergeOptions::default() });
        let mut told = told(service, merge, ours);
        told["base"] = json!(drawn(service, base));
        told["ours"] = changed(base, ours, &mut *loader());
        told["theirs"] = changed(base, theirs, &mut *loader());
        told["name"] = json!(name);
        told["known"] = json!(ours.text);
        Ok(told)
    })
}

/// All merges, or why there is none.
fn told(service: &Service, mut merge: Merge<'_>, ours: &EditedText) -> Value {
    let listed: Vec<FoundMerges> = merge.tasks.iter().map(|task| merge.merges(task, MOST)).collect();
    let count = merge.count_beyond(&listed);
    let mut outcome = merge::MergeOutcome { listed, ..merge::MergeOutcome::default() };
    let rest = give_up(&mut merge, &mut outcome);
    let first = ordered(&merge, &outcome.listed, &rest, 1).unwrap_or_default();
    merge.judge_conflicts(&first);
    outcome.conflicts.extend(merge.draft.conflicts().map(|conflict| conflict.why.clone()));
    outcome.conflicts.dedup();
    let all =
        outcome.listed.iter().map(|found| found.orders.len().max(1)).fold(1_usize, usize::saturating_mul);
    let total = if outcome.conflicts.is_empty() { all.min(MOST) } else { 1 };
    let one = |number: usize| {
        let order = ordered(&merge, &outcome.listed, &rest, number).unwrap_or_default();
        let bytes = merge.draft.bytes(&order, &ConflictMarks::default());
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let drawing = drawn(service, &EditedText { name: ours.name.clone(), text: text.clone() });
        json!({ "text": text, "drawing": drawing, "messages": spelled(&merge, &outcome.listed, number) })
    };
    let merges: Vec<Value> = (1..=total).map(one).collect();
    let reasons: Vec<&String> = outcome.explanations.iter().flat_map(|(_, one)| &one.reasons).collect();
    let proposals: Vec<&String> = outcome.explanations.iter().flat_map(|(_, one)| &one.proposals).collect();
    json!({
        "merges": merges, "count": count.map(|count| count.to_string()), "conflicts": outcome.conflicts,
        "reasons": reasons, "proposals": proposals, "notes": merge.notes,
    })
}

/// The diagrams of a version.
fn drawn(service: &Service, version: &EditedText) -> String {
    match version.read(service) {
        Ok(read) => {
            let outcome = Outcome::default();
            html::drawings(&read.checked(&outcome), &read.parts(), &render::WORDING, &html::Folds::new())
        }
        Err(_) => String::new(),
    }
}

/// What a version changed: the diagrams concerned, with both versions in them, and in words.
pub(crate) fn changed(base: &EditedText, version: &EditedText, loader: &mut dyn Loader) -> Value {
    let mut cut = |subject: &EditedText| match subject.text.is_empty() {
        true => Vec::new(),
        false => pieces(&version.name, &decode(subject.text.as_bytes(), true).0, loader),
    };
    let (old, new) = (cut(base), cut(version));
    let words: Vec<String> = changes(&old, &new).iter().map(Change::words).collect();
    let svg = |one: &Interaction| draw::svg(one, &draw::Style::default());
    let mut drawings: Vec<String> =
        picture::both(&version.name, &old, &new, loader).iter().map(svg).collect();
    let style = draw::Style::default();
    let machines = machines::both(&version.name, &old, &new, loader).into_iter();
    drawings.extend(machines.map(|(one, marks)| draw::machine_svg(&one, &render::WORDING, &style, &marks)));
    json!({ "words": words, "drawings": drawings })
}
