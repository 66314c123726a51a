//! Instances of the metamodel of P4 (figures 3.1.1 and 3.1.3), as the Eclipse Modeling Framework writes them.
//!
//! The names of its references are not fixed by the paper, so elements are known by what they refer to: a transition has a `source` and a
//! `target`, what holds transitions is a state machine, what refers to a machine is a lifeline, what holds lifelines is a diagram, and
//! what sends or receives there is a message. Diagrams list messages, or events on lifelines, in order.

use std::collections::{BTreeSet, HashMap};

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::id::IdVec;
use sequent_kernel::model::{
    Block, Effect, End, Fragment, Interaction, Lifeline, LifelineId, LifelineKind, LineLook, Machine,
    Message, MessageSort, Model, Outside, Region, Send, Side, StateBody, Transition, TransitionKind, Trigger,
    Vertex, VertexId, VertexKind,
};

use super::interaction::arrow;
use super::interaction::order::{self, LifelinePlaces};
use super::machine::printed;
use super::reader::{UniqueNames, XmiReader};
use super::tree::NodeId;
use crate::label::TransitionLabel;

/// Adds the machines and diagrams of a file that holds no UML; false if it holds none of these either.
pub(crate) fn read(reader: &mut XmiReader, elements: &[NodeId], model: &mut Model) -> bool {
    let tree = reader.tree;
    let is_transition = |node: &NodeId| {
        let ends = ["source", "target"].map(|role| tree.first(*node, role));
        let is_beside = |end: NodeId| tree.node(end).parent == tree.node(*node).parent;
        ends.into_iter().all(|end| end.is_some_and(is_beside))
    };
    let mut transitions: Vec<(NodeId, Vec<NodeId>)> = Vec::new();
    for node in elements.iter().copied().filter(is_transition) {
        let Some(machine) = tree.node(node).parent else { continue };
        match transitions.last_mut().filter(|(last, _)| *last == machine) {
            Some((_, all)) => all.push(node),
            None => transitions.push((machine, vec![node])),
        }
    }
    let mut names = UniqueNames::default();
    let mut machines: HashMap<NodeId, String> = HashMap::new();
    for (node, transitions) in transitions {
        let name = names.unique(tree.name(node), " ");
        let machine = machine(reader, node, &name, &transitions);
        model.machines.push(machine);
        machines.insert(node, name);
    }
    let mut diagrams: Vec<(NodeId, Vec<(NodeId, String)>)> = Vec::new();
    for node in elements.iter().copied().filter(|node| !machines.contains_key(node)) {
        let named = references(reader, node, |_| true).into_iter().find_map(|one| machines.get(&one));
        let (Some(class), Some(diagram)) = (named, tree.node(node).parent) else { continue };
        match diagrams.iter_mut().find(|(known, _)| *known == diagram) {
            Some((_, lines)) => lines.push((node, class.clone())),
            None => diagrams.push((diagram, vec![(node, class.clone())])),
        }
    }
    let mut names = UniqueNames::default();
    for (node, lines) in diagrams {
        let name = names.unique(tree.name(node), " ");
        if let Some(interaction) = interaction(reader, node, name, &lines) {
            model.interactions.push(interaction);
        }
    }
    !machines.is_empty()
}

/// What the references of an element whose names fit lead to.
fn references(reader: &XmiReader, node: NodeId, fits: impl Fn(&str) -> bool) -> Vec<NodeId> {
    let tree = reader.tree;
    let names = tree.attributes(node).iter().map(|(name, _)| *name).filter(|name| *name != "name");
    names.filter(|name| fits(&name.to_lowercase())).flat_map(|name| tree.all(node, name)).collect()
}

fn machine(reader: &mut XmiReader, node: NodeId, name: &str, transitions: &[NodeId]) -> Machine {
    let tree = reader.tree;
    let place = tree.node(node).whole.into();
    let mut machine = Machine {
        name: name.to_owned(),
        title: None,
        captions: Vec::new(),
        class: None,
        attributes: Vec::new(),
        contracts: Vec::new(),
        regions: IdVec::new(),
        vertices: IdVec::new(),
        transitions: IdVec::new(),
        notes: Vec::new(),
        flow: None,
        place,
    };
    let region = machine.regions.push(Region { owner: None, vertices: Vec::new(), place });
    let push = |machine: &mut Machine, name: String, label: &str, kind: VertexKind, node: NodeId| {
        let declared = kind != VertexKind::Initial;
        let place = tree.span(node).into();
        let vertex = Vertex {
            name,
            label: label.to_owned(),
            region,
            kind,
            stereotypes: Vec::new(),
            colour: None,
            declared,
            place,
        };
        let id = machine.vertices.push(vertex);
        machine.regions[region].vertices.push(id);
        id
    };
    let first = push(&mut machine, "*start*".to_owned(), "", VertexKind::Initial, node);
    let ends: BTreeSet<NodeId> = transitions
        .iter()
        .flat_map(|one| ["source", "target"].map(|role| tree.first(*one, role)))
        .flatten()
        .collect();
    let roles: BTreeSet<&str> = ends.iter().map(|end| tree.node(*end).role).collect();
    let mut names = UniqueNames::default();
    let mut states: HashMap<NodeId, VertexId> = HashMap::new();
    for state in tree.node(node).children.iter().copied().filter(|one| roles.contains(tree.node(*one).role)) {
        let (name, kind) = (names.unique(tree.name(state), "#"), VertexKind::State(StateBody::default()));
        states.insert(state, push(&mut machine, name, tree.name(state), kind, state));
    }
    let marked = || states.keys().copied().find(|state| is_marked(reader, *state));
    let initial = references(reader, node, |name| name.contains("init"))
        .into_iter()
        .find(|one| states.contains_key(one));
    match initial.or_else(marked).and_then(|state| states.get(&state)) {
        Some(state) => {
            let place = tree.span(node).into();
            machine.transitions.push(transition([first, *state], Vec::new(), Vec::new(), place));
        }
        None => {
            let message = format!("no state of `{name}` is said to be its initial state");
            reader.report(Diagnostic::new(Code::MissingElement, tree.span(node), message));
        }
    }
    for one in transitions {
        let end = |role: &str| tree.first(*one, role).and_then(|end| states.get(&end)).copied();
        let (Some(source), Some(target)) = (end("source"), end("target")) else { continue };
        let symbols = |word: &str| symbols(reader, *one, |name| name.starts_with(word));
        let place = tree.span(*one).into();
        let trigger = |name: String| Trigger::Event { name, parameters: Vec::new() };
        let send = |name: String| Effect::Send(Send { target: Vec::new(), name, arguments: None, place });
        let triggers = symbols("trig").into_iter().map(trigger).collect();
        let effects = symbols("eff").into_iter().map(send).collect();
        machine.transitions.push(transition([source, target], triggers, effects, place));
    }
    machine
}

/// The names of the symbols in the references that fit; a symbol that is no element is the text itself.
fn symbols(reader: &XmiReader, node: NodeId, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let tree = reader.tree;
    let mut found = Vec::new();
    for (name, value) in tree.attributes(node).iter().filter(|(name, _)| fits(&name.to_lowercase())) {
        let symbols = tree.all(node, name);
        match symbols.is_empty() {
            true => found.push((*value).to_owned()),
            false => found.extend(symbols.into_iter().map(|symbol| tree.name(symbol).to_owned())),
        }
    }
    found
}

/// Whether a state says that it is the initial one.
fn is_marked(reader: &XmiReader, state: NodeId) -> bool {
    let attributes = reader.tree.attributes(state).iter();
    attributes.into_iter().any(|(name, value)| name.to_lowercase().contains("init") && *value == "true")
}

fn transition(
    ends: [VertexId; 2],
    triggers: Vec<Trigger>,
    effects: Vec<Effect>,
    place: sequent_kernel::source::Place,
) -> Transition {
    let label = TransitionLabel { triggers, guard: None, effects };
    Transition {
        source: ends[0],
        target: ends[1],
        kind: TransitionKind::External,
        text: printed(&label),
        triggers: label.triggers,
        guard: None,
        effects: label.effects,
        look: LineLook::default(),
        place,
    }
}

/// The lifeline at one end of a message, and the place of its occurrence there.
type MessageEnd = (LifelineId, Option<usize>);

fn interaction(
    reader: &mut XmiReader,
    node: NodeId,
    name: String,
    lines: &[(NodeId, String)],
) -> Option<Interaction> {
    let tree = reader.tree;
    let mut interaction = Interaction {
        name,
        title: None,
        captions: Vec::new(),
        place: tree.node(node).whole.into(),
        lifelines: IdVec::new(),
        messages: IdVec::new(),
        body: Block::default(),
        orderings: Vec::new(),
        timings: Vec::new(),
        boxes: Vec::new(),
        known: Vec::new(),
    };
    let mut names = UniqueNames::default();
    let mut known: HashMap<NodeId, LifelineId> = HashMap::new();
    for (line, class) in lines {
        let id = interaction.lifelines.push(Lifeline {
            name: names.unique(tree.name(*line), "#"),
            label: format!("{} : {class}", tree.name(*line)),
            class: Some(class.clone()),
            kind: LifelineKind::Participant,
            stereotypes: Vec::new(),
            colour: None,
            declared: true,
            place: tree.span(*line).into(),
        });
        known.insert(*line, id);
    }
    // Events lie on lifelines, which list them in order, as parts or by reference.
    let mut events: HashMap<NodeId, (LifelineId, usize)> = HashMap::new();
    for (line, _) in lines {
        let parts = tree.node(*line).children.iter().copied();
        for event in parts.chain(references(reader, *line, |_| true)) {
            let at = events.len();
            events.entry(event).or_insert((known[line], at));
        }
    }
    let sides = [("send", "from", Side::Left), ("rec", "to", Side::Right)];
    let end_of = |message: NodeId, word: &str, other: &str| {
        references(reader, message, |name| name.starts_with(word) || name.starts_with(other))
            .into_iter()
            .find_map(|end| {
                known
                    .get(&end)
                    .map(|line| (*line, None))
                    .or(events.get(&end).map(|(line, at)| (*line, Some(*at))))
            })
    };
    let messages: Vec<(NodeId, [Option<MessageEnd>; 2])> = tree
        .inside(node)
        .into_iter()
        .filter(|one| !known.contains_key(one) && !events.contains_key(one))
        .map(|one| (one, sides.map(|(word, other, _)| end_of(one, word, other))))
        .filter(|(_, ends)| ends[1].is_some())
        .collect();
    let marks = messages.iter().enumerate().map(|(number, (_, ends))| {
        let at = |place: Option<usize>| place.unwrap_or(number);
        let marks = ends.iter().flatten().map(|(line, place)| (*line, at(*place))).collect();
        LifelinePlaces { marks, first: number }
    });
    let groups = order::arrange(&marks.collect::<Vec<LifelinePlaces>>());
    if groups.iter().any(|group| group.len() > 1) {
        let message =
            format!("messages of `{}` overtake each other; the diagram is left out", interaction.name);
        reader.report(Diagnostic::new(Code::OrderUnknown, tree.span(node), message));
        return None;
    }
    for number in groups.into_iter().flatten() {
        let (one, ends) = &messages[number];
        let is_end = |word: &str| {
            sides.iter().any(|(send, other, _)| word.starts_with(send) || word.starts_with(other))
        };
        let symbol = symbols(reader, *one, |word| word != "name" && !is_end(word)).into_iter().next();
        let name = symbol.unwrap_or_else(|| tree.name(*one).to_owned());
        let end = |index: usize| {
            let outside = End::Outside(Outside { side: sides[index].2, short: false });
            ends[index].map_or(outside, |(line, _)| End::Lifeline(line))
        };
        let place = tree.span(*one).into();
        let id = interaction.messages.push(Message {
            text: name.clone(),
            name,
            arguments: None,
            number: None,
            sort: MessageSort::Signal,
            from: end(0),
            to: end(1),
            arrow: arrow(MessageSort::Signal),
            place,
            label_place: place,
        });
        interaction.body.0.push(Fragment::Message(id));
    }
    Some(interaction)
}
