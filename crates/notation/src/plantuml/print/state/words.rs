//! The words of a state diagram: declarations, labels, names.

use std::collections::HashMap;

use sequent_kernel::model::{LineLook, LineWay, Machine, NoteLook, NoteSide, Vertex, VertexId, VertexKind};

use super::scopes::{chain, is_first};
use crate::label;
use crate::plantuml::common::arrow::without_visibility;
use crate::plantuml::common::scan::is_word;
use crate::plantuml::common::text::escape_line;
use crate::resolve::state::says_kind;

/// `state "Label" as Name <<choice>> #red`; composites start a block with it.
pub(super) fn declaration(names: &VertexNames, id: VertexId) -> String {
    let vertex = &names.machine.vertices[id];
    let mut stereotypes: Vec<&str> = kind_word(vertex).into_iter().collect();
    let is_frame = is_frame(vertex);
    stereotypes
        .extend(vertex.stereotypes.iter().map(String::as_str).filter(|word| !(is_frame && *word == "frame")));
    let mut out = if is_frame { "frame ".to_owned() } else { "state ".to_owned() };
    let name = names.name(id);
    if !is_code(&name) {
        out += &format!("\"{}\"", name.replace('"', "'"));
    } else if vertex.label == vertex.name || vertex.label.is_empty() {
        out += &name;
    } else {
        out += &format!("\"{}\" as {name}", escape_line(&vertex.label).replace('"', "'"));
    }
    stereotypes.iter().for_each(|word| out += &format!(" <<{word}>>"));
    vertex.colour.iter().for_each(|colour| out += &format!(" {colour}"));
    out
}

/// Whether a simple state must be printed as an empty composite, since its stereotype alone would make it something else.
pub(super) fn needs_braces(vertex: &Vertex) -> bool {
    let is_state = matches!(vertex.kind, VertexKind::State(_));
    is_state && vertex.stereotypes.first().is_some_and(|word| says_kind(word))
}

/// Whether the vertex is drawn as a frame around states.
fn is_frame(vertex: &Vertex) -> bool {
    let is_composite = matches!(&vertex.kind, VertexKind::State(body) if !body.regions.is_empty());
    is_composite && vertex.stereotypes.iter().any(|word| word == "frame")
}

/// The stereotype that makes a declared vertex what it is. Pins have their own.
fn kind_word(vertex: &Vertex) -> Option<&'static str> {
    let is_pin = vertex.stereotypes.first().is_some_and(|word| {
        let word = word.to_lowercase();
        word.ends_with("pin") || word.starts_with("expansion")
    });
    match vertex.kind {
        VertexKind::State(_) => None,
        VertexKind::Entry | VertexKind::Exit if is_pin => None,
        VertexKind::Initial => Some("start"),
        VertexKind::Final => Some("end"),
        VertexKind::Choice => Some("choice"),
        VertexKind::Junction => Some("junction"),
        VertexKind::Fork => Some("fork"),
        VertexKind::Join => Some("join"),
        VertexKind::ShallowHistory => Some("history"),
        VertexKind::DeepHistory => Some("history*"),
        VertexKind::Entry => Some("entryPoint"),
        VertexKind::Exit => Some("exitPoint"),
        VertexKind::Terminate => Some("terminate"),
    }
}

/// Whether a name needs no quotes.
fn is_code(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| is_word(c) || c == '.')
}

/// The lines of a state's description, without the name before each.
pub(super) fn description(vertex: &Vertex) -> Vec<String> {
    let VertexKind::State(body) = &vertex.kind else { return Vec::new() };
    let mut lines = Vec::new();
    for (word, effects) in [("entry", &body.entry), ("exit", &body.exit), ("do", &body.activity)] {
        lines.extend(effects.iter().map(|effect| format!("{word} / {}", label::effect(effect))));
    }
    lines.extend(body.deferred.iter().map(|trigger| format!("defer / {}", label::trigger(trigger))));
    lines.extend(body.description.iter().cloned());
    lines.iter().map(|line| escape_line(line)).collect()
}

/// ` : label` of a transition, nothing if it is empty.
pub(super) fn transition_label(text: &str) -> String {
    let text = escape_line(text);
    if text.is_empty() {
        return text;
    }
    // What PlantUML would take for a visibility is kept by another one in front of it.
    let sign = if text.starts_with('+') { "-" } else { "+" };
    let guard = if without_visibility(&text) == text { "" } else { sign };
    format!(" : {guard}{text}")
}

/// How vertices are named: plainly, or by their path where several have one name.
pub(super) struct VertexNames<'a> {
    machine: &'a Machine,
    count: HashMap<&'a str, usize>,
    /// Whether some name holds a dot, which then must not divide it.
    pub(crate) have_dots: bool,
}

impl<'a> VertexNames<'a> {
    pub(crate) fn of(machine: &'a Machine) -> Self {
        let mut count = HashMap::new();
        machine.vertices.iter().for_each(|vertex| *count.entry(vertex.name.as_str()).or_insert(0) += 1);
        let have_dots = count.keys().any(|name| name.contains('.'));
        VertexNames { machine, count, have_dots }
    }

    /// The name of a vertex, wherever it stands.
    pub(crate) fn name(&self, id: VertexId) -> String {
        let vertex = &self.machine.vertices[id];
        if self.count[vertex.name.as_str()] == 1 || self.have_dots {
            return vertex.name.clone();
        }
        self.path(id)
    }

    /// The path of a vertex from the top; its plain name if a later region lies on the way.
    pub(crate) fn path(&self, id: VertexId) -> String {
        let vertex = &self.machine.vertices[id];
        let regions = chain(self.machine, vertex.region);
        if !regions.iter().all(|region| is_first(self.machine, *region)) || self.have_dots {
            return vertex.name.clone();
        }
        let owners = regions.iter().filter_map(|region| self.machine.regions[*region].owner);
        let parts: Vec<&str> = owners.chain([id]).map(|id| self.machine.vertices[id].name.as_str()).collect();
        if parts.len() == 1 { format!(".{}", parts[0]) } else { parts.join(".") }
    }

    /// A vertex in front of ` : text`, in quotes where needed.
    pub(crate) fn described(&self, id: VertexId) -> String {
        let name = self.name(id);
        if is_code(&name) { name } else { format!("\"{name}\"") }
    }
}

/// An arrow as it is drawn.
pub(crate) fn arrow(look: &LineLook) -> String {
    let style = look.colour.as_deref().map(|colour| format!("[{colour}]")).unwrap_or_default();
    match look.way {
        Some(LineWay::Right) if style.is_empty() => "->".to_owned(),
        way => format!("-{style}{}->", way.map_or("", self::way)),
    }
}

/// The word for a way.
pub(crate) fn way(way: LineWay) -> &'static str {
    match way {
        LineWay::Left => "left",
        LineWay::Right => "right",
        LineWay::Up => "up",
        LineWay::Down => "down",
    }
}

/// The word for a side.
pub(crate) fn side(side: NoteSide) -> &'static str {
    match side {
        NoteSide::Left => "left",
        NoteSide::Right => "right",
        NoteSide::Top => "top",
        NoteSide::Bottom => "bottom",
    }
}

/// The colour of a note behind what it is attached to.
pub(crate) fn fill(look: &NoteLook) -> String {
    look.colour.as_deref().map(|colour| format!(" {colour}")).unwrap_or_default()
}
