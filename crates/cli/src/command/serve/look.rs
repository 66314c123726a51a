//! The answer to every edit in the page: parses the text and returns findings and drawings. Searches nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sequent::pipeline::{self, Outcome};
use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::id::Id;
use sequent_kernel::model::{FragmentId, Model};
use sequent_kernel::source::{Place, Sources};
use sequent_notation::formula;
use sequent_report::html;
use serde_json::{Value, json};

use super::Service;
use super::reply::RequestProblem;
use crate::command::{SettingsScope, Systems, read_systems, render};
use crate::roots::DraftTexts;

/// A text of a file: the one on the disk, or the one that the page has.
pub(crate) struct EditedText {
    pub name: String,
    pub text: String,
}

impl EditedText {
    /// What a request names.
    pub(crate) fn of(service: &Service, asked: &Value) -> Result<Self, RequestProblem> {
        let name = asked["file"]
            .as_str()
            .ok_or_else(|| RequestProblem::Bad("no file is named".to_owned()))?
            .to_owned();
        service.folder.path(&name)?;
        let text = match asked["text"].as_str() {
            Some(text) => text.to_owned(),
            None => service.folder.read(&name)?,
        };
        Ok(EditedText { name, text })
    }

    /// Reads it, with what belongs to it in its folder.
    pub(crate) fn read(&self, service: &Service) -> Result<Systems, String> {
        let path = std::path::absolute(&self.name).map_err(|error| error.to_string())?;
        let drafts = DraftTexts::from([(path, Arc::from(self.text.as_str()))]);
        read_systems(std::slice::from_ref(&self.name), &service.common, false, true, &drafts)
    }
}

/// Findings and drawings of a text.
pub(crate) fn look(service: &Service, asked: &Value) -> Result<Value, RequestProblem> {
    let subject = EditedText::of(service, asked)?;
    let read = subject.read(service).map_err(RequestProblem::Failed)?;
    let mut outcome = Outcome::default();
    for system in &read.systems {
        let diagnostics = pipeline::lint(&system.reading, &system.settings);
        let mut found = Outcome { diagnostics, ..Outcome::default() };
        found.leave_out(&system.beside);
        outcome.append(found);
    }
    let is_own = |one: &&Diagnostic| read.sources.get(one.span.file).name == subject.name;
    let drawings = html::drawings(&read.checked(&outcome), &read.parts(), &render::WORDING, &folds(asked));
    let findings: Vec<Value> =
        outcome.diagnostics.iter().filter(is_own).map(|one| finding(one, &read.sources)).collect();
    let words: BTreeSet<&str> = read.systems.iter().flat_map(|system| words(&system.reading.model)).collect();
    let scenarios: Vec<&str> = own_scenarios(&read);
    let has_machines = read.systems.iter().any(|system| !system.reading.model.machines.is_empty());
    Ok(json!({
        "file": subject.name, "text": subject.text, "broken": read.is_broken(&subject.name), "drawings": drawings,
        "findings": findings, "words": words, "formula": formula::WORDS, "scenarios": scenarios, "machines": has_machines,
    }))
}

/// The fragments that a request wants folded, by their numbers under the names of their diagrams.
fn folds(asked: &Value) -> html::Folds {
    let numbers = |all: &Value| {
        let numbers = all.as_array().into_iter().flatten().filter_map(Value::as_u64);
        numbers
            .filter_map(|number| Some(FragmentId::from_index(u32::try_from(number).ok()? as usize)))
            .collect()
    };
    let named = asked["folded"].as_object().into_iter().flatten();
    named.map(|(name, all)| (name.clone(), numbers(all))).collect()
}

/// The sequence diagrams of the file itself.
fn own_scenarios(read: &Systems) -> Vec<&str> {
    let own = |system: &SettingsScope, place: Place| !system.beside.contains(&place.0.file);
    let all = read.systems.iter().flat_map(|system| {
        let interactions = system.reading.model.interactions.iter();
        interactions.filter(|one| own(system, one.place)).map(|one| one.name.as_str())
    });
    all.collect()
}

/// A finding for the page.
fn finding(finding: &Diagnostic, sources: &Sources) -> Value {
    let position = sources.position(finding.span);
    let severity = match finding.severity {
        Severity::Error => "bad",
        Severity::Warning => "open",
        Severity::Hint => "note",
    };
    json!({
        "code": finding.code.name(), "severity": severity, "message": finding.message, "hint": finding.hint,
        "line": position.line, "column": position.column,
    })
}

/// The words that questions are made of: lifelines, messages, objects, states, attributes.
fn words(model: &Model) -> Vec<&str> {
    let interactions = model.interactions.iter();
    let lifelines = interactions.clone().flat_map(|one| one.lifelines.iter().map(|line| line.name.as_str()));
    let messages = interactions.flat_map(|one| one.messages.iter().map(|message| message.name.as_str()));
    let states = model.machines.iter().flat_map(|one| one.vertices.iter().map(|vertex| vertex.name.as_str()));
    let objects = model.objects.iter().map(|object| object.name.as_str());
    let machines = model.machines.iter().map(|machine| machine.name.as_str());
    let all = lifelines.chain(messages).chain(states).chain(objects).chain(machines);
    all.filter(|word| !word.is_empty()).collect()
}

/// The files of the folder with their diagrams.
pub(crate) fn overview(service: &Service) -> Result<Value, RequestProblem> {
    let count = service.changes.count();
    let paths = [".".to_owned()];
    let read = match service.folder.files().is_empty() {
        true => None,
        false => Some(
            read_systems(&paths, &service.common, false, false, &DraftTexts::new())
                .map_err(RequestProblem::Failed)?,
        ),
    };
    let mut diagrams: BTreeMap<String, Vec<Value>> =
        service.folder.files().iter().map(|path| (crate::files::display(path), Vec::new())).collect();
    if let Some(read) = &read {
        for system in &read.systems {
            let model = &system.reading.model;
            let interactions =
                model.interactions.iter().map(|one| (one.place, "sequence", one.name.as_str()));
            let machines = model.machines.iter().map(|one| (one.place, "states", one.name.as_str()));
            let classes = model.classes.iter().map(|one| (one.place, "class", one.name.as_str()));
            for (place, kind, name) in interactions.chain(machines).chain(classes) {
                let file = read.sources.get(place.0.file).name.clone();
                let line = read.sources.position(place.0).line;
                diagrams.entry(file).or_default().push(json!({ "kind": kind, "name": name, "line": line }));
            }
        }
    }
    let files: Vec<Value> =
        diagrams.into_iter().map(|(name, diagrams)| json!({ "name": name, "diagrams": diagrams })).collect();
    Ok(
        json!({ "folder": service.folder.name(), "first": service.folder.first, "changes": count, "files": files }),
    )
}
