//! Classes and objects as scenes.

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Association, AssociationEnd, AssociationKind, Class, ClassKind, Link, Model, Object,
};

use super::Wording;
use super::beside::{Beside, Loop};
use super::scene::{Kind, Scene, Shape, Tip, Wire, spacing};
use super::sheet::Sheet;
use crate::draw::label::Label;
use crate::draw::layered::{self, Edge, Flow, Graph, Node, Size};
use crate::draw::layout::measures::Measures;
use crate::draw::layout::{Align, Text};
use crate::draw::metrics::Role;

/// The drawing of all classes and objects of a model.
pub fn scene(model: &Model, wording: &Wording, measures: &Measures) -> Scene {
    let classes = model.classes.iter().map(|class| (Kind::Class, class_sheet(class, wording, measures)));
    let objects = model.objects.iter().map(|object| (Kind::Object, object_sheet(object, measures)));
    let boxes: Vec<(Kind, Sheet)> = classes.chain(objects).collect();
    let mut lines: Vec<Line> = model.associations.iter().map(|one| relation(one, measures)).collect();
    lines.extend(model.links.iter().map(|one| link(one, model, measures)));
    let (returning, lines): (Vec<Line>, Vec<Line>) =
        lines.into_iter().partition(|line| line.ends[0] == line.ends[1]);
    let beside: Vec<Beside> =
        (0..boxes.len()).map(|number| beside(number, &returning, model, measures)).collect();
    let nodes = boxes.iter().zip(&beside).map(|((_, sheet), beside)| Node {
        size: beside.grown(sheet.size(), Flow::Down, measures),
        beside: beside.size(Flow::Down, measures),
        ..Node::default()
    });
    let nodes = nodes.collect();
    let edges = lines.iter().map(|line| Edge {
        from: line.ends[0],
        to: line.ends[1],
        labels: line.labels.each_ref().map(|label| Size { width: label.width, height: label.height }),
    });
    let graph = Graph { nodes, edges: edges.collect() };
    let placed = layered::place(&graph, &spacing(measures), Flow::Down);
    let mut scene = Scene::of(&placed);
    scene.name = "classes".to_owned();
    scene.description = format!("{} classes and {} objects.", model.classes.len(), model.objects.len());
    for (number, (kind, sheet)) in boxes.iter().enumerate() {
        let rect = placed.boxes[number];
        let (texts, rules) = sheet.fill(rect);
        scene.shapes.push(Shape {
            kind: *kind,
            rect,
            texts,
            rules,
            colour: None,
            key: None,
            is_marked: false,
            parent: None,
        });
    }
    for (number, beside) in beside.iter().enumerate() {
        beside.paint(number, placed.boxes[number], Flow::Down, measures, &mut scene);
    }
    for (number, line) in lines.into_iter().enumerate() {
        let labels =
            line.labels.into_iter().zip(placed.labels[number]).filter(|(label, _)| !label.is_empty());
        let texts = labels.map(|(label, at)| Text { label, x: at.x, y: at.y, align: Align::Left });
        scene.wires.push(Wire {
            points: placed.routes[number].clone(),
            tips: line.tips,
            is_dashed: line.is_dashed,
            texts: texts.collect(),
            notes: Vec::new(),
            key: None,
            is_marked: false,
            change: None,
            ends: line.ends,
            names: line.ends.map(|end| name(model, end)),
        });
    }
    scene.settle(None, measures);
    scene
}

fn name(model: &Model, number: usize) -> String {
    match number.checked_sub(model.classes.len()) {
        None => model.classes.iter().nth(number).map(|class| class.name.clone()).unwrap_or_default(),
        Some(object) => {
            model.objects.iter().nth(object).map(|object| object.name.clone()).unwrap_or_default()
        }
    }
}

/// The relations of a box to itself.
fn beside(number: usize, returning: &[Line], model: &Model, measures: &Measures) -> Beside {
    let own = returning.iter().filter(|line| line.ends[0] == number);
    let loops = own.map(|line| {
        let texts: Vec<String> =
            line.labels.iter().filter(|label| !label.is_empty()).map(Label::text).collect();
        Loop {
            key: None,
            label: measures.label(&texts.join("\n"), Role::Message, 1),
            tips: line.tips,
            is_dashed: line.is_dashed,
            name: name(model, number),
        }
    });
    Beside { loops: loops.collect(), ..Beside::default() }
}

/// A line under construction, from the box that is to stand above.
struct Line {
    ends: [usize; 2],
    tips: [Tip; 2],
    is_dashed: bool,
    labels: [Label; 3],
}

fn class_sheet(class: &Class, wording: &Wording, measures: &Measures) -> Sheet {
    let line = |text: &str| measures.label(text, Role::Frame, 1);
    let kind = match class.kind {
        ClassKind::Class => None,
        ClassKind::Abstract => Some("abstract"),
        ClassKind::Interface => Some("interface"),
        ClassKind::Enumeration => Some("enumeration"),
        ClassKind::Signal => Some("signal"),
        ClassKind::Capsule => Some("capsule"),
        ClassKind::Protocol => Some("protocol"),
    };
    let words = kind.into_iter().chain(class.stereotypes.iter().map(String::as_str));
    let mut head: Vec<Label> = words.map(|word| line(&format!("«{word}»"))).collect();
    head.push(measures.bold(&class.label, Role::Head, measures.text_width));
    let attributes = class.attributes.iter().map(|one| line(&(wording.attribute)(one)));
    let literals = class.literals.iter().map(|literal| line(literal));
    let operations = class.operations.iter().map(|one| line(&(wording.operation)(one)));
    Sheet::new(vec![head, attributes.chain(literals).collect(), operations.collect()], measures)
}

fn object_sheet(object: &Object, measures: &Measures) -> Sheet {
    let line = |text: &str| measures.label(text, Role::Frame, 1);
    let mut head: Vec<Label> = object.stereotypes.iter().map(|word| line(&format!("«{word}»"))).collect();
    let class = object.class.as_deref().map(|class| format!(" : {class}")).unwrap_or_default();
    head.push(measures.label(&format!("<u>{}{class}</u>", object.name), Role::Head, 1));
    let values = object.values.iter().map(|(name, value)| line(&format!("{name} = {value}")));
    Sheet::new(vec![head, values.collect()], measures)
}

/// What is general stands above, and so does a whole above its parts.
fn relation(one: &Association, measures: &Measures) -> Line {
    let [from, to] = &one.ends;
    let tip = |end: &AssociationEnd| if end.navigable { Tip::Open } else { Tip::None };
    let (tips, is_dashed, is_turned) = match one.kind {
        AssociationKind::Association => ([tip(from), tip(to)], false, false),
        AssociationKind::Aggregation => ([Tip::Diamond, tip(to)], false, false),
        AssociationKind::Composition => ([Tip::FilledDiamond, tip(to)], false, false),
        AssociationKind::Generalization => ([Tip::None, Tip::Triangle], false, true),
        AssociationKind::Realization => ([Tip::None, Tip::Triangle], true, true),
        AssociationKind::Dependency => ([tip(from), Tip::Open], true, false),
    };
    let end = |end: &AssociationEnd| {
        let words: Vec<&str> =
            [&end.multiplicity, &end.role].into_iter().flatten().map(String::as_str).collect();
        measures.label(&words.join(" "), Role::Frame, 1)
    };
    let middle = measures.label(one.name.as_deref().unwrap_or_default(), Role::Message, 1);
    let line = Line {
        ends: [from.class.index(), to.class.index()],
        tips,
        is_dashed,
        labels: [end(from), middle, end(to)],
    };
    if is_turned { turned(line) } else { line }
}

fn turned(mut line: Line) -> Line {
    line.ends.reverse();
    line.tips.reverse();
    line.labels.reverse();
    line
}

fn link(one: &Link, model: &Model, measures: &Measures) -> Line {
    let role = |role: &Option<String>| measures.label(role.as_deref().unwrap_or_default(), Role::Frame, 1);
    Line {
        ends: one.ends.map(|end| model.classes.len() + end.index()),
        tips: [Tip::None; 2],
        is_dashed: false,
        labels: [
            role(&one.roles[0]),
            measures.label(one.name.as_deref().unwrap_or_default(), Role::Message, 1),
            role(&one.roles[1]),
        ],
    }
}
