//! State machines as scenes.

use std::collections::BTreeMap;

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Machine, RegionId, Transition, TransitionId, TransitionKind, Vertex, VertexId, VertexKind,
};

use super::beside::{Beside, BesideNote, SelfLine};
use super::scene::{BoxKind, ChartScene, LineTip, SceneBox, SceneLine, spacing};
use super::sheet::TextSheet;
use super::{ChartWording, Highlight, behaviour};
use crate::draw::label::MeasuredLabel;
use crate::draw::layered::{self, LayoutEdge, LayoutFlow, LayoutGraph, LayoutNode, Placed, Size};
use crate::draw::layout::measures::Measures;
use crate::draw::layout::surround::Surroundings;
use crate::draw::layout::{Align, PlacedLabel, Point, Rect};
use crate::draw::markup;
use crate::draw::metrics::TextRole;

/// The drawing of a machine.
pub(crate) fn scene(
    machine: &Machine,
    wording: &ChartWording,
    measures: &Measures,
    highlight: &Highlight,
    flow: LayoutFlow,
) -> ChartScene {
    let mut draft = ChartDraft {
        machine,
        wording,
        measures,
        flow,
        graph: LayoutGraph::default(),
        boxes: Vec::new(),
        numbers: BTreeMap::new(),
    };
    draft.fill();
    let (edges, drawn) = draft.edges();
    draft.graph.edges = edges;
    let placed = layered::place(&draft.graph, &spacing(measures), flow);
    let mut scene = ChartScene::of(&placed);
    scene.name = markup::plain(machine.title.as_deref().unwrap_or(&machine.name));
    scene.description = format!(
        "State machine with {} states and {} transitions.",
        machine.vertices.iter().filter(|vertex| vertex.kind.body().is_some()).count(),
        machine.transitions.len()
    );
    draft.paint(&placed, &drawn, highlight, &mut scene);
    let around = Surroundings::new(machine.title.as_deref(), &machine.captions, placed.size.width, measures);
    scene.settle(&around, measures);
    scene
}

/// The width at which the label of a transition wraps.
pub(crate) fn label(text: &str, measures: &Measures) -> MeasuredLabel {
    let lines = markup::parse(text);
    let limit = measures.respected(&lines, measures.text_width * 2 / 3);
    MeasuredLabel::from_spans(lines, TextRole::Message, limit, measures.ruler)
}

/// A box under construction.
struct Boxed {
    kind: BoxKind,
    vertex: Option<VertexId>,
    sheet: TextSheet,
    beside: Beside,
    colour: Option<String>,
}

/// A line under construction: the transition, its label, the notes on it.
struct DrawnTransition {
    transition: TransitionId,
    label: MeasuredLabel,
    note: MeasuredLabel,
}

struct ChartDraft<'a> {
    machine: &'a Machine,
    wording: &'a ChartWording,
    measures: &'a Measures,
    flow: LayoutFlow,
    graph: LayoutGraph,
    boxes: Vec<Boxed>,
    /// The boxes of the vertices.
    numbers: BTreeMap<VertexId, usize>,
}

impl ChartDraft<'_> {
    /// Boxes for all vertices, outer before inner, and for notes that belong to nothing.
    fn fill(&mut self) {
        let tops: Vec<RegionId> = self.machine.top_regions().collect();
        let parent = (tops.len() > 1).then(|| {
            let node = LayoutNode { regions: tops.len(), ..LayoutNode::default() };
            self.add(
                node,
                Boxed {
                    kind: BoxKind::Top,
                    vertex: None,
                    sheet: TextSheet::default(),
                    beside: Beside::default(),
                    colour: None,
                },
            )
        });
        for (number, region) in tops.into_iter().enumerate() {
            self.region(region, parent.map(|parent| (parent, number)));
        }
        let free =
            self.machine.notes.iter().filter(|note| note.vertex.is_none() && note.transition.is_none());
        for note in free {
            let sheet =
                TextSheet::new(vec![vec![self.measures.label(&note.text, TextRole::Note, 1)]], self.measures);
            let node = LayoutNode {
                size: sheet.size(),
                parent: parent.map(|parent| (parent, 0)),
                ..LayoutNode::default()
            };
            self.add(
                node,
                Boxed {
                    kind: BoxKind::Note,
                    vertex: None,
                    sheet,
                    beside: Beside::default(),
                    colour: note.look.colour.clone(),
                },
            );
        }
    }

    fn add(&mut self, node: LayoutNode, boxed: Boxed) -> usize {
        self.graph.nodes.push(node);
        self.boxes.push(boxed);
        self.boxes.len() - 1
    }

    fn region(&mut self, region: RegionId, parent: Option<(usize, usize)>) {
        let machine = self.machine;
        for id in &machine.regions[region].vertices {
            let vertex = &machine.vertices[*id];
            let inner = vertex.kind.body().map_or(&[][..], |body| &body.regions);
            let (kind, sheet) = self.look(*id, vertex);
            let beside = self.beside(*id, vertex);
            let fixed = symbol(kind, self.measures, self.flow);
            let size = fixed.unwrap_or_else(|| sheet.size());
            let grown = beside.grown(size, self.flow, self.measures);
            let node = LayoutNode {
                parent,
                size: if inner.is_empty() && fixed.is_none() { grown } else { size },
                regions: inner.len(),
                beside: beside.size(self.flow, self.measures),
                before: beside.before(self.flow, self.measures),
                is_point: fixed.is_some() && kind != BoxKind::Bar,
                border: beside.border().filter(|_| machine.parent(*id).is_some()),
                is_initial: kind == BoxKind::Initial,
            };
            let number = self
                .add(node, Boxed { kind, vertex: Some(*id), sheet, beside, colour: vertex.colour.clone() });
            self.numbers.insert(*id, number);
            for (at, region) in inner.iter().enumerate() {
                self.region(*region, Some((number, at)));
            }
        }
    }

    /// What a vertex is in the drawing, and what stands in its box.
    fn look(&self, id: VertexId, vertex: &Vertex) -> (BoxKind, TextSheet) {
        let text = |text: &str| vec![vec![self.measures.label(text, TextRole::Note, 1)]];
        let (kind, compartments) = match &vertex.kind {
            VertexKind::State(body) => {
                let kind = if body.regions.is_empty() { BoxKind::State } else { BoxKind::Composite };
                let mut name = self.named(vertex);
                let lines = behaviour::lines(self.machine, id, body, self.wording);
                let lines: Vec<MeasuredLabel> =
                    lines.iter().map(|line| self.measures.label(line, TextRole::Frame, 1)).collect();
                name.retain(|label| !label.is_empty());
                (kind, vec![name, lines])
            }
            VertexKind::Initial => (BoxKind::Initial, Vec::new()),
            VertexKind::Final => (BoxKind::Final, Vec::new()),
            VertexKind::Choice => (BoxKind::Choice, Vec::new()),
            VertexKind::Junction => (BoxKind::Junction, Vec::new()),
            VertexKind::Fork | VertexKind::Join => (BoxKind::Bar, Vec::new()),
            VertexKind::ShallowHistory => (BoxKind::History, text("H")),
            VertexKind::DeepHistory => (BoxKind::History, text("H*")),
            VertexKind::Entry => (BoxKind::Entry, Vec::new()),
            VertexKind::Exit => (BoxKind::Exit, Vec::new()),
            VertexKind::Terminate => (BoxKind::Terminate, Vec::new()),
        };
        (kind, TextSheet::new(compartments, self.measures))
    }

    fn named(&self, vertex: &Vertex) -> Vec<MeasuredLabel> {
        let words = vertex
            .stereotypes
            .iter()
            .map(|word| self.measures.label(&format!("«{word}»"), TextRole::Frame, 1));
        words.chain([self.measures.label(&vertex.label, TextRole::Head, 1)]).collect()
    }

    /// What stands beside a vertex: transitions to itself, its notes, the name of a point.
    fn beside(&self, id: VertexId, vertex: &Vertex) -> Beside {
        let returns =
            self.machine.transitions.enumerate().filter(|(_, one)| one.source == id && self.returns(one));
        let loops = returns.map(|(at, one)| SelfLine {
            key: Some(at.index()),
            label: label(&one.text, self.measures),
            tips: [LineTip::None, LineTip::Filled],
            is_dashed: false,
            colour: one.look.colour.clone(),
            name: vertex.name.clone(),
        });
        let loops = loops.collect();
        let own = self.machine.notes.iter().filter(|note| note.vertex == Some(id));
        let label = |text: &str| self.measures.label(text, TextRole::Note, 1);
        let notes = own.map(|note| BesideNote::new(label(&note.text), &note.look)).collect();
        let is_named = matches!(vertex.kind, VertexKind::Entry | VertexKind::Exit);
        let name = is_named.then(|| self.measures.label(&vertex.label, TextRole::Frame, 1));
        Beside { loops, notes, name }
    }

    fn returns(&self, transition: &Transition) -> bool {
        transition.source == transition.target && transition.kind != TransitionKind::Internal
    }

    /// The lines between different boxes.
    fn edges(&self) -> (Vec<LayoutEdge>, Vec<DrawnTransition>) {
        let (mut edges, mut all) = (Vec::new(), Vec::new());
        for (id, transition) in self.machine.transitions.enumerate() {
            if transition.source == transition.target {
                continue;
            }
            let label = label(&transition.text, self.measures);
            let own = self.machine.notes.iter().filter(|note| note.transition == Some(id));
            let notes: Vec<&str> = own.map(|note| note.text.as_str()).collect();
            let note = self.measures.label(&notes.join("\n"), TextRole::Note, 1);
            let room = |label: &MeasuredLabel| Size { width: label.width, height: label.height };
            let note_room = match note.is_empty() {
                true => Size::default(),
                false => {
                    let (width, height) = self.measures.boxed(&note);
                    Size { width, height }
                }
            };
            edges.push(LayoutEdge {
                from: self.numbers[&transition.source],
                to: self.numbers[&transition.target],
                labels: [Size::default(), room(&label), note_room],
                ends: [Size::default(); 2],
                way: transition.look.way,
            });
            all.push(DrawnTransition { transition: id, label, note });
        }
        (edges, all)
    }

    fn paint(
        &self,
        placed: &Placed,
        drawn: &[DrawnTransition],
        highlight: &Highlight,
        scene: &mut ChartScene,
    ) {
        for (number, boxed) in self.boxes.iter().enumerate() {
            let (rect, node) = (placed.boxes[number], &self.graph.nodes[number]);
            let frame = match boxed.kind {
                BoxKind::Composite => Rect {
                    x: placed.headers[number].x,
                    y: placed.headers[number].y,
                    width: node.size.width,
                    height: node.size.height,
                },
                _ => rect,
            };
            let frame = if boxed.kind == BoxKind::Composite && self.flow == LayoutFlow::Right {
                Rect { x: rect.x, width: rect.width, ..frame }
            } else {
                frame
            };
            let (texts, rules) = boxed.sheet.fill(frame);
            scene.shapes.push(SceneBox {
                kind: boxed.kind,
                rect,
                texts,
                rules,
                colour: boxed.colour.clone(),
                key: boxed.vertex.map(Id::index),
                is_marked: boxed.vertex.is_some_and(|vertex| highlight.states.contains(&vertex)),
                parent: node.parent.map(|(parent, _)| parent),
            });
        }
        for (number, boxed) in self.boxes.iter().enumerate() {
            let (rect, name) = (placed.boxes[number], placed.names[number]);
            boxed.beside.paint(number, (rect, name), self.flow, self.measures, scene);
        }
        for (number, drawn) in drawn.iter().enumerate() {
            scene.wires.push(self.wire(
                drawn,
                &placed.routes[number],
                &placed.labels[number],
                &self.graph.edges[number],
            ));
        }
        for wire in &mut scene.wires {
            let key = wire.key.map(TransitionId::from_index);
            wire.is_marked = key.is_some_and(|key| highlight.transitions.contains(&key));
            wire.change = key.and_then(|key| highlight.changes.get(&key).copied());
        }
    }

    fn wire(
        &self,
        drawn: &DrawnTransition,
        points: &[Point],
        places: &[Point; 3],
        edge: &LayoutEdge,
    ) -> SceneLine {
        let text = |label: &MeasuredLabel, at: Point| PlacedLabel {
            label: label.clone(),
            x: at.x,
            y: at.y,
            align: Align::Left,
        };
        let note = (!drawn.note.is_empty()).then(|| {
            let size = edge.labels[2];
            let rect = Rect { x: places[2].x, y: places[2].y, width: size.width, height: size.height };
            let inside = Point {
                x: rect.x + (rect.width - drawn.note.width) / 2,
                y: rect.y + (rect.height - drawn.note.height) / 2,
            };
            (rect, text(&drawn.note, inside))
        });
        let transition = &self.machine.transitions[drawn.transition];
        SceneLine {
            points: points.to_vec(),
            tips: [LineTip::None, LineTip::Filled],
            is_dashed: false,
            texts: (!drawn.label.is_empty()).then(|| text(&drawn.label, places[1])).into_iter().collect(),
            notes: note.into_iter().collect(),
            colour: transition.look.colour.clone(),
            key: Some(drawn.transition.index()),
            is_marked: false,
            change: None,
            ends: [edge.from, edge.to],
            names: [self.name(transition.source), self.name(transition.target)],
        }
    }

    fn name(&self, vertex: VertexId) -> String {
        self.machine.vertices[vertex].name.clone()
    }
}

/// The size of what is drawn as a symbol.
fn symbol(kind: BoxKind, measures: &Measures, flow: LayoutFlow) -> Option<Size> {
    let pixels = measures.stroke == 0;
    let side = match kind {
        BoxKind::Initial => 18,
        BoxKind::Final => 20,
        BoxKind::Choice => 26,
        BoxKind::Junction | BoxKind::Entry | BoxKind::Exit => 14,
        BoxKind::History => 26,
        BoxKind::Terminate => 20,
        BoxKind::Bar => {
            let (long, thick) = if pixels { (70, 6) } else { (8, 1) };
            let bar = Size { width: long, height: thick };
            return Some(if flow == LayoutFlow::Down {
                bar
            } else {
                Size { width: thick, height: long.min(40) }
            });
        }
        BoxKind::State
        | BoxKind::Composite
        | BoxKind::Top
        | BoxKind::Note
        | BoxKind::Package
        | BoxKind::Class
        | BoxKind::Object => return None,
    };
    let cells = if kind == BoxKind::History { 4 } else { 1 };
    Some(if pixels { Size { width: side, height: side } } else { Size { width: cells, height: 1 } })
}
