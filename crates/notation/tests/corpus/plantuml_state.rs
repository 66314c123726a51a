//! State diagrams: our machines against what PlantUML made of the same files.
//!
//! Compared are the states with their nesting and kind, and the transitions in order with both ends and label. PlantUML
//! turns links that point left or up around; [`link`] turns them back. Notes, and links to them, are not compared.

use std::collections::BTreeMap;

use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::model::{Machine, Model, TransitionKind, VertexId, VertexKind};
use sequent_kernel::source::Sources;
use sequent_notation::tree::{DiagramContent, Document};
use sequent_notation::{Context, plantuml, resolve};
use serde_json::Value;

use crate::harness::{self, Case};

/// One file, read and resolved.
struct Reading {
    document: Document,
    model: Model,
    diagnostics: Vec<Diagnostic>,
}

fn read(text: &str) -> Reading {
    let mut sources = Sources::new();
    let file = sources.add("case.puml", text);
    let mut diagnostics = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut diagnostics);
    let blocks = plantuml::read_file(file, &mut context);
    let document = Document::new(file, blocks);
    let (model, more) = resolve::resolve(std::slice::from_ref(&document), &sources);
    diagnostics.extend(more);
    Reading { document, model, diagnostics }
}

impl Reading {
    /// The file's first machine.
    fn machine(&self) -> Result<&Machine, String> {
        self.model
            .machines
            .iter()
            .next()
            .ok_or_else(|| format!("no state diagram: {:?}", self.diagnostics.first()))
    }
}

#[test]
fn accepted_files_agree() {
    harness::demand("plantuml state", 98.0, &accepted(), |case| {
        let reading = read(&case.text);
        compare(reading.machine()?, &case.facts)?;
        match reading.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error) {
            Some(error) => Err(format!("accepted by PlantUML, but: {}", error.message)),
            None => Ok(()),
        }
    });
}

#[test]
fn rejected_files_are_complained_about() {
    let cases: Vec<Case> = harness::cases("plantuml-state").into_iter().filter(is_error).collect();
    harness::demand("plantuml state, rejected", 95.0, &cases, |case| {
        let reading = read(&case.text);
        let complained =
            reading.diagnostics.iter().any(|diagnostic| diagnostic.severity >= Severity::Warning);
        if complained { Ok(()) } else { Err(format!("PlantUML says: {}", case.facts["error"])) }
    });
}

#[test]
fn printing_and_reading_again_changes_nothing() {
    harness::demand("plantuml state, printed", 100.0, &accepted(), |case| {
        let reading = read(&case.text);
        let machine = reading.machine()?;
        let printed = plantuml::print::state(machine);
        let again = read(&printed);
        if again.machine()? == machine { Ok(()) } else { Err(format!("changed by printing:\n{printed}")) }
    });
}

#[test]
fn every_line_belongs_to_a_statement_in_order() {
    harness::demand("plantuml state, coverage", 100.0, &harness::cases("plantuml-state"), |case| {
        let reading = read(&case.text);
        reading.document.blocks.iter().try_for_each(|block| {
            let DiagramContent::State(statements) = &block.content else { return Ok(()) };
            let mut at = block.span.start;
            for lines in statements.iter().map(|statement| statement.lines) {
                let gap = case.text.get(at as usize..lines.start.max(at) as usize).unwrap_or_default();
                if !gap.trim().is_empty() {
                    return Err(format!("nothing covers {gap:?}"));
                }
                at = at.max(lines.end);
            }
            let rest = case.text.get(at as usize..block.span.end as usize).unwrap_or_default();
            if rest.trim().is_empty() { Ok(()) } else { Err(format!("nothing covers {rest:?}")) }
        })
    });
}

#[test]
fn files_cut_short_are_still_read() {
    for case in harness::cases("plantuml-state") {
        for (end, _) in case.text.match_indices('\n') {
            let reading = read(&case.text[..=end]);
            for machine in &reading.model.machines {
                let printed = plantuml::print::state(machine);
                read(&printed);
            }
        }
    }
}

fn accepted() -> Vec<Case> {
    harness::cases("plantuml-state").into_iter().filter(|case| !is_error(case)).collect()
}

fn is_error(case: &Case) -> bool {
    case.facts.get("error").is_some()
}

fn compare(machine: &Machine, facts: &Value) -> Result<(), String> {
    same("states", states(machine), wanted_states(facts))?;
    same("transitions", transitions(machine), wanted_transitions(facts))
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, ours: Vec<T>, theirs: Vec<T>) -> Result<(), String> {
    if ours == theirs {
        return Ok(());
    }
    let ours_only: Vec<&T> = ours.iter().filter(|one| !theirs.contains(one)).collect();
    let theirs_only: Vec<&T> = theirs.iter().filter(|one| !ours.contains(one)).collect();
    Err(format!("{what}: only ours {ours_only:?}, only PlantUML's {theirs_only:?}"))
}

/// Path and kind of every vertex, sorted.
fn states(machine: &Machine) -> Vec<(String, &'static str, String)> {
    let mut states: Vec<(String, &'static str, String)> = machine
        .vertices
        .enumerate()
        .map(|(id, vertex)| {
            let label = if vertex.label.is_empty() { String::new() } else { vertex.label.clone() };
            (path(machine, id), kind(&vertex.kind), label)
        })
        .collect();
    states.sort();
    states
}

fn kind(kind: &VertexKind) -> &'static str {
    match kind {
        VertexKind::State(_) | VertexKind::Entry | VertexKind::Exit => "STATE",
        VertexKind::Junction | VertexKind::Terminate => "STATE",
        VertexKind::Initial => "CIRCLE_START",
        VertexKind::Final => "CIRCLE_END",
        VertexKind::Choice => "STATE_CHOICE",
        VertexKind::Fork | VertexKind::Join => "BAR",
        VertexKind::ShallowHistory => "PSEUDO_STATE",
        VertexKind::DeepHistory => "DEEP_HISTORY",
    }
}

/// `Outer.#1.Inner`: regions after the first are numbered.
fn path(machine: &Machine, vertex: VertexId) -> String {
    let mut parts = Vec::new();
    let mut at = vertex;
    loop {
        let name = &machine.vertices[at].name;
        parts.push(name.rsplit_once('*').map_or(name.clone(), |(prefix, _)| format!("{prefix}*")));
        let region = machine.vertices[at].region;
        let owner = machine.regions[region].owner;
        let siblings: Vec<_> =
            machine.regions.enumerate().filter(|(_, other)| other.owner == owner).map(|(id, _)| id).collect();
        let number = siblings.iter().position(|id| *id == region).expect("a region is among its siblings");
        if number > 0 {
            parts.push(format!("#{number}"));
        }
        match owner {
            Some(owner) => at = owner,
            None => break,
        }
    }
    parts.reverse();
    parts.join(".")
}

fn transitions(machine: &Machine) -> Vec<(String, String, String)> {
    let external = machine.transitions.iter().filter(|one| one.kind != TransitionKind::Internal);
    external.map(|one| (path(machine, one.source), path(machine, one.target), one.text.clone())).collect()
}

/// PlantUML's paths in our form: regions numbered, anonymous vertices without the name of their composite.
fn names(facts: &Value) -> BTreeMap<String, String> {
    let groups = facts["groups"].as_array().expect("groups are listed");
    let leafs = facts["leafs"].as_array().expect("leafs are listed");
    let mut occupied: BTreeMap<String, bool> = BTreeMap::new();
    for entity in leafs.iter().chain(groups) {
        let is_region = entity["gtype"] == "CONCURRENT_STATE";
        let is_note = matches!(entity["type"].as_str(), Some("NOTE" | "JSON" | "MAP"));
        if let (false, false, Some(parent)) = (is_region, is_note, entity["parent"].as_str()) {
            occupied.insert(parent.to_owned(), true);
        } else if !is_region && !is_note {
            occupied.insert(String::new(), true);
        }
    }
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut names = BTreeMap::new();
    for group in groups.iter().filter(|group| group["gtype"] == "CONCURRENT_STATE") {
        let path = text(&group["path"]);
        let parent = group["parent"].as_str().unwrap_or_default().to_owned();
        if !occupied.contains_key(&path) {
            continue;
        }
        let first = usize::from(occupied.contains_key(&parent));
        let number = numbers.entry(parent).or_insert(first);
        names.insert(path, if *number == 0 { String::new() } else { format!("#{number}") });
        *number += 1;
    }
    names
}

fn our_path(path: &str, names: &BTreeMap<String, String>) -> String {
    let mut at = String::new();
    let mut parts = Vec::new();
    for part in path.split('.') {
        at = if at.is_empty() { part.to_owned() } else { format!("{at}.{part}") };
        let shown = match names.get(&at) {
            Some(number) => number.clone(),
            None => part.rsplit_once('*').map_or(part.to_owned(), |(prefix, _)| format!("{prefix}*")),
        };
        if !shown.is_empty() {
            parts.push(shown.replace("*historical*", "*history*"));
        }
    }
    parts.join(".")
}

fn wanted_states(facts: &Value) -> Vec<(String, &'static str, String)> {
    let names = names(facts);
    let leafs = facts["leafs"].as_array().expect("leafs are listed").iter();
    let groups = facts["groups"].as_array().expect("groups are listed").iter();
    let wanted = leafs.chain(groups).filter_map(|entity| {
        let kind =
            match entity["type"].as_str().or(entity["gtype"].as_str()).expect("every entity has a type") {
                "STATE" | "PACKAGE" => "STATE",
                "CIRCLE_START" => "CIRCLE_START",
                "CIRCLE_END" => "CIRCLE_END",
                "STATE_CHOICE" => "STATE_CHOICE",
                "STATE_FORK_JOIN" | "SYNCHRO_BAR" => "BAR",
                "PSEUDO_STATE" => "PSEUDO_STATE",
                "DEEP_HISTORY" => "DEEP_HISTORY",
                "NOTE" | "JSON" | "MAP" | "CONCURRENT_STATE" => return None,
                other => panic!("unknown kind {other}"),
            };
        Some((our_path(&text(&entity["path"]), &names), kind, text(&entity["display"])))
    });
    let mut wanted: Vec<_> = wanted.collect();
    wanted.sort();
    wanted
}

fn wanted_transitions(facts: &Value) -> Vec<(String, String, String)> {
    let names = names(facts);
    let notes: Vec<String> = facts["leafs"]
        .as_array()
        .expect("leafs are listed")
        .iter()
        .filter(|leaf| matches!(leaf["type"].as_str(), Some("NOTE" | "JSON" | "MAP")))
        .map(|leaf| text(&leaf["path"]))
        .collect();
    let links = facts["links"].as_array().expect("links are listed").iter().map(link);
    links
        .filter(|(from, to, _)| !notes.contains(from) && !notes.contains(to))
        .map(|(from, to, label)| (our_path(&from, &names), our_path(&to, &names), label))
        .collect()
}

fn link(link: &Value) -> (String, String, String) {
    let (from, to) = (text(&link["from"]), text(&link["to"]));
    let turned = text(&link["type"]).ends_with("-ARROW");
    let (from, to) = if turned { (to, from) } else { (from, to) };
    (from, to, text(&link["label"]))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
