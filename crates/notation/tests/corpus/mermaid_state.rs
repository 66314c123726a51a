//! Mermaid state diagrams against what mermaid made of them.
//!
//! Mermaid's database lists the states and transitions outside of composite states; what lies inside is kept as text
//! and checked by nobody but its own drawing code. So the comparison is of the top level.

use serde_json::Value;

use sequent_kernel::diagnostic::Severity;
use sequent_kernel::model::{Machine, Transition, TransitionKind, VertexId, VertexKind};
use sequent_notation::tree::state::{Endpoint, StateNoteTarget, StateStatement};
use sequent_notation::tree::{DiagramContent, Statement, StatementKind};
use sequent_notation::{mermaid, resolve};

use crate::harness::{Case, cases, demand};
use crate::mermaid_seq::{covered, difference, is_rejected, read, shown};

#[test]
fn accepted_diagrams_agree() {
    let cases: Vec<Case> =
        cases("mermaid-state").into_iter().filter(|case| case.facts["ok"] == true).collect();
    demand("mermaid state, accepted", 98.0, &cases, compare);
}

#[test]
fn rejected_diagrams_are_findings() {
    let cases: Vec<Case> =
        cases("mermaid-state").into_iter().filter(|case| case.facts["ok"] == false).collect();
    demand("mermaid state, rejected", 95.0, &cases, |case| {
        let (sources, document, mut diagnostics) = read(&case.name, &case.text);
        diagnostics.extend(resolve::resolve(&[document], &sources).1);
        if is_rejected(&diagnostics) {
            Ok(())
        } else {
            Err(format!("no finding; mermaid: {}", case.facts["error"]))
        }
    });
}

pub(crate) fn compare(case: &Case) -> Result<(), String> {
    let (sources, document, diagnostics) = read(&case.name, &case.text);
    if let Some(error) = diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error) {
        return Err(format!("error at {:?}: {}", sources.position(error.span), error.message));
    }
    let DiagramContent::State(statements) = &document.blocks[0].content else {
        return Err("no state diagram".to_owned());
    };
    let (states, transitions) = top_level(statements);
    let mut theirs = facts_states(&case.facts);
    theirs.retain(|state| states.contains(state) || !is_only_styled(state, &case.text));
    same("states", &theirs, &states)?;
    same("transitions", &facts_relations(&case.facts), &transitions)?;
    let (model, _) = resolve::resolve(&[document], &sources);
    let machine = model.machines.iter().next().ok_or("no machine")?;
    in_order(&facts_relations(&case.facts), &model_transitions(machine))
}

/// The transitions of a machine as the facts have them, from all levels.
fn model_transitions(machine: &Machine) -> Vec<String> {
    let end = |id: VertexId| {
        let vertex = &machine.vertices[id];
        match (&vertex.kind, machine.parent(id)) {
            (VertexKind::Initial, None) => "root_start".to_owned(),
            (VertexKind::Final, None) => "root_end".to_owned(),
            _ => vertex.name.clone(),
        }
    };
    let line = |it: &Transition| format!("{} {} {}", end(it.source), end(it.target), it.text);
    machine.transitions.iter().filter(|it| it.kind == TransitionKind::External).map(line).collect()
}

/// Whether all of `some` are among `all`, in the same order.
fn in_order(some: &[String], all: &[String]) -> Result<(), String> {
    let mut rest = all.iter();
    match some.iter().find(|wanted| !rest.any(|other| other == *wanted)) {
        Some(missing) => Err(format!("the machine lacks {missing:?}")),
        None => Ok(()),
    }
}

/// Mermaid's database, but not its drawing, knows states that only a `class` or `style` line names.
fn is_only_styled(state: &str, text: &str) -> bool {
    let id = state.split(' ').next().unwrap_or_default();
    let is_style = |line: &str| ["class ", "style "].iter().any(|word| line.trim_start().starts_with(word));
    text.lines().any(|line| is_style(line) && line.contains(id)) && state.ends_with(" default false [] ")
}

fn same(what: &str, theirs: &[String], ours: &[String]) -> Result<(), String> {
    let differing = theirs.iter().zip(ours).find(|(theirs, ours)| theirs != ours);
    match differing {
        Some((theirs, ours)) => Err(format!("{what}: mermaid {theirs:?}, we {ours:?}")),
        None if theirs.len() != ours.len() => Err(format!("{what}: mermaid {theirs:?}, we {ours:?}")),
        None => Ok(()),
    }
}

/// A text of the facts: mermaid has made it safe as HTML.
fn plain(value: &Value) -> String {
    let text = shown(value.as_str().unwrap_or_default()).replace("\\n", "\n");
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

fn facts_states(facts: &Value) -> Vec<String> {
    let states = facts["states"].as_array().expect("accepted facts list states");
    let line = |state: &Value| {
        let descriptions: Vec<String> =
            state["descriptions"].as_array().into_iter().flatten().map(plain).collect();
        let note = plain(state["note"].get("text").unwrap_or(&state["note"]))
            .lines()
            .map(str::trim)
            .collect::<Vec<_>>()
            .join("\n");
        format!("{} {} {} {descriptions:?} {note}", plain(&state["id"]), plain(&state["type"]), state["doc"])
    };
    states.iter().map(line).collect()
}

fn facts_relations(facts: &Value) -> Vec<String> {
    let relations = facts["relations"].as_array().expect("accepted facts list relations");
    let line = |relation: &Value| {
        format!(
            "{} {} {}",
            plain(&relation["id1"]),
            plain(&relation["id2"]),
            plain(&relation["relationTitle"])
        )
    };
    relations.iter().map(line).collect()
}

#[derive(Default)]
struct Vertex {
    name: String,
    kind: String,
    doc: bool,
    descriptions: Vec<String>,
    note: String,
}

fn top_level(statements: &[Statement<StateStatement>]) -> (Vec<String>, Vec<String>) {
    let mut vertices: Vec<Vertex> = Vec::new();
    let mut transitions = Vec::new();
    let mut depth = 0;
    for statement in statements {
        let StatementKind::Item(item) = &statement.kind else { continue };
        match item {
            StateStatement::Close => depth -= 1,
            StateStatement::State(state) => {
                if depth == 0 {
                    let kind = state.stereotypes.first().map_or("default", String::as_str);
                    let vertex = vertex(&mut vertices, &state.name.text, kind);
                    vertex.doc |= state.opens;
                    vertex.descriptions.extend(state.name.label.clone());
                    vertex.descriptions.extend(state.description.as_ref().map(|text| text.text.clone()));
                }
                depth += i32::from(state.opens);
            }
            _ if depth > 0 => {}
            StateStatement::Transition(transition) => {
                let ends = [end(&transition.from, "root_start"), end(&transition.to, "root_end")];
                for name in &ends {
                    vertex(&mut vertices, name, "default");
                }
                transitions.push(format!("{} {} {}", ends[0], ends[1], transition.text.text));
            }
            StateStatement::Description { name, text } => {
                vertex(&mut vertices, &name.text, "default").descriptions.push(text.text.clone());
            }
            StateStatement::Note(note) => {
                if let StateNoteTarget::Name(name) = &note.target {
                    vertex(&mut vertices, &name.text, "default").note = note.text.text.clone();
                }
            }
            StateStatement::Region | StateStatement::Hidden(_) | StateStatement::Separator(_) => {}
        }
    }
    let line = |vertex: Vertex| {
        format!("{} {} {} {:?} {}", vertex.name, vertex.kind, vertex.doc, vertex.descriptions, vertex.note)
    };
    (vertices.into_iter().map(line).collect(), transitions)
}

fn vertex<'a>(vertices: &'a mut Vec<Vertex>, name: &str, kind: &str) -> &'a mut Vertex {
    let index = vertices.iter().position(|vertex| vertex.name == name).unwrap_or_else(|| {
        vertices.push(Vertex { name: name.to_owned(), kind: kind.to_owned(), ..Vertex::default() });
        vertices.len() - 1
    });
    &mut vertices[index]
}

fn end(endpoint: &Endpoint, star: &str) -> String {
    match endpoint {
        Endpoint::Name(name) => name.text.clone(),
        _ => star.to_owned(),
    }
}

#[test]
fn printed_diagrams_read_the_same() {
    let cases: Vec<Case> =
        cases("mermaid-state").into_iter().filter(|case| case.facts["ok"] == true).collect();
    demand("mermaid state, printed and read again", 100.0, &cases, |case| reread(&case.name, &case.text));
}

/// Reads, prints, reads again.
pub(crate) fn reread(name: &str, text: &str) -> Result<(), String> {
    let (sources, document, _) = read(name, text);
    let (model, _) = resolve::resolve(&[document], &sources);
    let Some(machine) = model.machines.iter().next() else { return Ok(()) };
    let printed = mermaid::print::state(machine);
    let (sources, document, mut diagnostics) = read(name, &printed);
    let (again, more) = resolve::resolve(&[document], &sources);
    diagnostics.extend(more);
    let error = diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
    match (again.machines.iter().next(), error) {
        (_, Some(error)) => Err(format!("{} in\n{printed}", error.message)),
        (Some(other), None) if other == machine => Ok(()),
        (other, None) => Err(format!("{}\n{printed}", difference(&Some(machine), &other))),
    }
}

#[test]
fn every_beginning_of_a_diagram_reads_and_every_line_belongs_to_something() {
    for case in cases("mermaid-state") {
        let mut end = 0;
        for line in case.text.split_inclusive('\n') {
            end += line.len();
            let (sources, document, _) = read(&case.name, &case.text[..end]);
            covered(&case.name, &sources, &document);
        }
    }
}
