//! What an independent extraction found in each model of the corpus: messages and lifelines, states and transitions.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Effect, End, Fragment, Interaction, Lifeline, LifelineId, Machine, MessageSort, Operator, Transition,
    TransitionKind, Trigger, Vertex, VertexKind,
};
use sequent_kernel::source::{FileId, Place, Span};
use sequent_notation::label;
use sequent_testing::corpus::corpus;
use serde_json::Value;

use crate::samples::{self, Sample};

/// How many elements agree and differ, by tool and kind of element.
#[derive(Default)]
struct Tally {
    counts: BTreeMap<(String, &'static str), (usize, usize)>,
    differences: Vec<String>,
}

impl Tally {
    fn count(&mut self, tool: &str, what: &'static str, difference: Option<String>) {
        let count = self.counts.entry((tool.to_owned(), what)).or_default();
        match difference {
            None => count.0 += 1,
            Some(difference) => {
                count.1 += 1;
                self.differences.push(difference);
            }
        }
    }
}

#[test]
fn every_element_agrees_with_the_facts() {
    let Some(corpus) = corpus() else { return };
    let mut tally = Tally::default();
    let mut files: Vec<_> = std::fs::read_dir(corpus.join("facts/xmi"))
        .expect("facts")
        .map(|one| one.expect("entry").path())
        .collect();
    files.sort();
    for path in files {
        let facts: Value =
            serde_json::from_str(&std::fs::read_to_string(path).expect("facts")).expect("JSON");
        let name = facts["file"].as_str().expect("a name").to_owned();
        let sample = samples::read(&corpus.join("xmi").join(&name));
        let tool = facts["tool"].as_str().unwrap_or("?").to_owned();
        tally.count(&tool, "files", None);
        let before = tally.differences.len();
        interactions(&facts, &sample, &tool, &mut tally);
        machines(&facts, &sample, &tool, &mut tally);
        nothing_more(&facts, &sample, &mut tally);
        if tally.differences.len() > before {
            tally.differences.insert(before, format!("== {name}"));
        }
    }
    for ((tool, what), (agree, differ)) in &tally.counts {
        println!("{tool:14} {what:12} {agree:5} agree {differ:4} differ");
    }
    assert!(tally.differences.is_empty(), "{}", tally.differences.join("\n"));
}

/// Everything that was read and has an id stands in the facts.
fn nothing_more(facts: &Value, sample: &Sample, tally: &mut Tally) {
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let diagrams: Vec<&Value> = list(facts, "interactions").chain(list(facts, "machines")).collect();
    for part in ["lifelines", "messages", "states", "transitions"] {
        let elements = diagrams.iter().flat_map(|diagram| list(diagram, part));
        known.extend(elements.filter_map(|element| element["id"].as_str()));
    }
    let mut read: Vec<Place> = Vec::new();
    for one in sample.model.interactions.iter().chain(&sample.refused) {
        read.extend(one.lifelines.iter().map(|line| line.place));
        read.extend(one.messages.iter().map(|message| message.place));
    }
    for machine in sample.model.machines.iter() {
        read.extend(machine.vertices.iter().map(|vertex| vertex.place));
        read.extend(machine.transitions.iter().map(|transition| transition.place));
    }
    // A submachine may lie in another file, which has facts of its own.
    let own = sample.file;
    let ids = read.into_iter().filter(|place| place.0.file == own).filter_map(|place| sample.id(place));
    for id in ids.filter(|id| !known.contains(id.as_str())) {
        tally.differences.push(format!("  `{id}` is in no facts"));
    }
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default().trim()
}

fn list<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    value[key].as_array().map(Vec::as_slice).unwrap_or_default().iter()
}

/// `Some` with both values if they differ.
fn differs(what: &str, wanted: &str, found: &str) -> Option<String> {
    (wanted != found).then(|| format!("  {what}: wanted {wanted:?}, found {found:?}"))
}

fn interactions(facts: &Value, sample: &Sample, tool: &str, tally: &mut Tally) {
    let read: Vec<&Interaction> = sample.model.interactions.iter().chain(&sample.refused).collect();
    for fact in list(facts, "interactions") {
        let id = fact["id"].as_str();
        let has_content = list(fact, "lifelines").next().is_some() || list(fact, "messages").next().is_some();
        let found = read.iter().find(|one| match id {
            Some(id) => sample.id(one.place).as_deref() == Some(id),
            None => one.name == text(fact, "name"),
        });
        let Some(found) = found else {
            if has_content {
                tally.count(tool, "interactions", Some(format!("  no interaction {fact:.100}")));
            }
            continue;
        };
        tally.count(tool, "interactions", None);
        let lines: HashMap<Option<String>, (LifelineId, &Lifeline)> =
            found.lifelines.enumerate().map(|(id, line)| (sample.id(line.place), (id, line))).collect();
        for (index, line) in list(fact, "lifelines").enumerate() {
            let own = lines.get(&line["id"].as_str().map(str::to_owned)).copied();
            let own =
                own.filter(|_| line["id"].is_string()).or_else(|| found.lifelines.enumerate().nth(index));
            let difference = match own {
                None => Some(format!("  no lifeline {line}")),
                Some((_, own)) => line_differs(line, own),
            };
            tally.count(tool, "lifelines", difference);
        }
        for fact in list(fact, "messages") {
            tally.count(tool, "messages", message_differs(fact, found, sample));
        }
        tally.count(tool, "fragments", fragments_differ(fact, found));
    }
}

/// Operators with the number of operands, invariants, uses and orderings.
fn fragments_differ(fact: &Value, found: &Interaction) -> Option<String> {
    let mut wanted: Vec<String> = Vec::new();
    let mut open: Vec<&Value> = list(fact, "fragments").collect();
    while let Some(one) = open.pop() {
        wanted.push(format!("{} {}", text(one, "operator"), list(one, "operands").count()));
        open.extend(list(one, "operands").flat_map(|operand| list(operand, "fragments")));
    }
    wanted.extend(list(fact, "uses").map(|used| format!("ref {}", used.as_str().unwrap_or_default())));
    wanted.extend((0..fact["invariants"].as_u64().unwrap_or(0)).map(|_| "invariant".to_owned()));
    let mut own: Vec<String> = Vec::new();
    found.walk(&mut |fragment, _| {
        own.extend(match fragment {
            // A coregion is none of the file where messages cross.
            Fragment::Combined(one) if matches!(one.operator, Operator::Coregion(_)) => None,
            Fragment::Combined(one) => Some(format!("{} {}", one.operator.word(), one.operands.len())),
            Fragment::Use(used) => Some(format!("ref {}", used.name)),
            Fragment::Invariant(_) => Some("invariant".to_owned()),
            Fragment::Message(_)
            | Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => None,
        });
    });
    wanted.sort();
    own.sort();
    differs("fragments", &wanted.join(", "), &own.join(", "))
}

fn line_differs(fact: &Value, own: &Lifeline) -> Option<String> {
    let (name, part, class) =
        (text(fact, "name"), text(fact, "represents_name"), text(fact, "represents_type"));
    let wanted = [name, part, class].into_iter().find(|name| !name.is_empty()).unwrap_or("lifeline");
    let shown = own.label.contains(wanted);
    let class_agrees = class.is_empty() || own.class.as_deref() == Some(class);
    (!shown || !class_agrees).then(|| format!("  lifeline: wanted {fact}, found {own:?}"))
}

fn message_differs(fact: &Value, found: &Interaction, sample: &Sample) -> Option<String> {
    let id = fact["id"].as_str();
    let Some(own) = found.messages.iter().find(|one| sample.id(one.place).as_deref() == id) else {
        return Some(format!("  no message {fact}"));
    };
    let (name, signature) = (text(fact, "name"), text(fact, "signature"));
    let shown = if name.is_empty() { signature } else { name };
    let end = |end: End| match end {
        End::Lifeline(line) => {
            sample.id(found.lifelines[line].place).unwrap_or_else(|| line.index().to_string())
        }
        End::Outside(_) => String::new(),
    };
    let sort = match own.sort {
        MessageSort::Call => "synchCall",
        MessageSort::Signal => "asynch",
        MessageSort::Reply => "reply",
        MessageSort::Create => "createMessage",
        MessageSort::Delete => "deleteMessage",
    };
    let wanted_sort = text(fact, "sort");
    let wanted_sort = if wanted_sort.starts_with("asynch") { "asynch" } else { wanted_sort };
    // Arguments are drawn behind the name.
    let arguments = label::arguments(own.arguments.as_deref());
    let with_arguments = format!("{}{arguments}", shown.strip_suffix("()").unwrap_or(shown));
    let shown = if own.text == with_arguments { with_arguments.as_str() } else { shown };
    differs("message text", shown, &own.text)
        .or_else(|| differs("message from", text(fact, "from_id"), &end(own.from)))
        .or_else(|| differs("message to", text(fact, "to_id"), &end(own.to)))
        .or_else(|| differs("message sort", wanted_sort, sort))
}

fn machines(facts: &Value, sample: &Sample, tool: &str, tally: &mut Tally) {
    let mut vertices: HashMap<String, Vec<(&Machine, &Vertex)>> = HashMap::new();
    let mut transitions: HashMap<String, Vec<(&Machine, &Transition)>> = HashMap::new();
    for machine in sample.model.machines.iter() {
        for vertex in machine.vertices.iter() {
            vertices.entry(sample.id(vertex.place).unwrap_or_default()).or_default().push((machine, vertex));
        }
        for transition in machine.transitions.iter() {
            transitions
                .entry(sample.id(transition.place).unwrap_or_default())
                .or_default()
                .push((machine, transition));
        }
    }
    for fact in list(facts, "machines") {
        // A reference to a connection point is read as that point.
        let points: HashMap<&str, &str> = list(fact, "states")
            .filter_map(|state| Some((text(state, "id"), state["points"][0].as_str()?)))
            .collect();
        for state in list(fact, "states") {
            if text(state, "kind") == "connectionPointReference" {
                continue;
            }
            let own = vertices.get(text(state, "id")).into_iter().flatten();
            let own =
                own.filter(|(_, one)| !text(state, "id").is_empty() || one.label == text(state, "name"));
            let differences: Vec<Option<String>> =
                own.map(|(machine, one)| state_differs(fact, state, machine, one, sample)).collect();
            tally.count(tool, "states", best(differences, || format!("  no state {state:.150}")));
        }
        for transition in list(fact, "transitions") {
            let own = transitions.get(text(transition, "id")).into_iter().flatten();
            let differences: Vec<Option<String>> = own
                .map(|(machine, one)| transition_differs(transition, &points, machine, one, sample))
                .collect();
            tally.count(
                tool,
                "transitions",
                best(differences, || format!("  no transition {transition:.150}")),
            );
        }
    }
}

/// Agreement of one copy is enough: a submachine is there as often as it is used.
fn best(differences: Vec<Option<String>>, none: impl Fn() -> String) -> Option<String> {
    if differences.iter().any(Option::is_none) {
        return None;
    }
    Some(differences.into_iter().flatten().next().unwrap_or_else(none))
}

fn effects(text: &str) -> Vec<Effect> {
    label::effects(text, Span::new(FileId::from_index(0), 0, 0))
}

fn state_differs(
    whole: &Value,
    fact: &Value,
    machine: &Machine,
    own: &Vertex,
    sample: &Sample,
) -> Option<String> {
    let kind = match &own.kind {
        VertexKind::State(body) => match body.regions.len() {
            0 => "simple",
            1 => "composite",
            _ => "orthogonal",
        },
        VertexKind::Initial => "initial",
        VertexKind::Final => "final",
        VertexKind::Choice => "choice",
        VertexKind::Junction => "junction",
        VertexKind::Fork => "fork",
        VertexKind::Join => "join",
        VertexKind::ShallowHistory => "shallowHistory",
        VertexKind::DeepHistory => "deepHistory",
        VertexKind::Entry => "entryPoint",
        VertexKind::Exit => "exitPoint",
        VertexKind::Terminate => "terminate",
    };
    let wanted = text(fact, "kind");
    let is_state = matches!(kind, "simple" | "composite" | "orthogonal");
    // Regions without vertices are none.
    let is_empty =
        !list(whole, "states").any(|inner| fact["id"].is_string() && inner["parent_id"] == fact["id"]);
    let is_same = wanted == "submachine" || is_empty && matches!(wanted, "composite" | "orthogonal");
    let kind = if is_same && is_state { wanted } else { kind };
    let parent = machine.regions[own.region].owner.and_then(|owner| sample.id(machine.vertices[owner].place));
    let parent_agrees = fact["parent_id"].is_null() || fact["parent_id"].as_str() == parent.as_deref();
    let name = own.label.as_str();
    let behaviours =
        own.kind.body().map(|body| [("entry", &body.entry), ("exit", &body.exit), ("do", &body.activity)]);
    let behaviour = behaviours.into_iter().flatten().find_map(|(key, own)| {
        let wanted = effects(text(fact, key));
        (wanted != *own).then(|| format!("  {key}: wanted {:?}, found {own:?}", fact[key]))
    });
    differs("state", text(fact, "name"), name)
        .or_else(|| differs(&format!("kind of {name}"), wanted, kind))
        .or_else(|| (!parent_agrees).then(|| format!("  parent of {name}: {} {parent:?}", fact["parent_id"])))
        .or(behaviour)
}

fn transition_differs(
    fact: &Value,
    points: &HashMap<&str, &str>,
    machine: &Machine,
    own: &Transition,
    sample: &Sample,
) -> Option<String> {
    let end = |key: &str, vertex| {
        let (id, vertex) = (text(fact, key), &machine.vertices[vertex]);
        match points.get(id) {
            Some(point) if *point == vertex.label => id.to_owned(),
            Some(_) | None => sample.id(vertex.place).unwrap_or_default(),
        }
    };
    let time = list(fact, "triggers").find_map(|trigger| trigger["expr"].as_str());
    let triggers: Vec<String> = own
        .triggers
        .iter()
        .map(|trigger| match trigger {
            Trigger::Event { name, .. } => name.clone(),
            Trigger::Any => "any".to_owned(),
            Trigger::After(time) => time.clone(),
            Trigger::When(condition) => condition.text.clone(),
        })
        .collect();
    let kind = match own.kind {
        TransitionKind::External => "external",
        TransitionKind::Local => "local",
        TransitionKind::Internal => "internal",
    };
    let wanted_kind = fact["kind"].as_str().unwrap_or(kind);
    let guard = own.guard.as_ref().map(|guard| guard.text.as_str()).unwrap_or_default();
    let wanted_guard = text(fact, "guard").split_whitespace().collect::<Vec<_>>().join(" ");
    let what = format!("{} -> {}", text(fact, "source"), text(fact, "target"));
    differs(&format!("source of {what}"), text(fact, "source_id"), &end("source_id", own.source))
        .or_else(|| {
            differs(&format!("target of {what}"), text(fact, "target_id"), &end("target_id", own.target))
        })
        .or_else(|| {
            differs(
                &format!("trigger of {what}"),
                time.unwrap_or(text(fact, "trigger")),
                &triggers.join(", "),
            )
        })
        .or_else(|| differs(&format!("guard of {what}"), &wanted_guard, guard))
        .or_else(|| differs(&format!("kind of {what}"), wanted_kind, kind))
        .or_else(|| {
            let wanted = effects(text(fact, "effect"));
            (wanted != own.effects)
                .then(|| format!("  effect of {what}: wanted {:?}, found {:?}", fact["effect"], own.effects))
        })
}
