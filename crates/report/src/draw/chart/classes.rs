//! Classes and objects as scenes.

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Association, AssociationEnd, AssociationKind, Class, ClassKind, Link, Model, Object,
};

use super::ChartWording;
use super::beside::{Beside, SelfLine};
use super::scene::{BoxKind, ChartScene, LineTip, SceneBox, SceneLine, spacing};
use super::sheet::TextSheet;
use crate::draw::label::MeasuredLabel;
use crate::draw::layered::{self, LayoutEdge, LayoutFlow, LayoutGraph, LayoutNode, Size};
use crate::draw::layout::measures::Measures;
use crate::draw::layout::surround::Surroundings;
use crate::draw::layout::{Align, PlacedLabel};
use crate::draw::metrics::TextRole;

/// The drawing of all classes and objects of a model.
pub(crate) fn scene(model: &Model, wording: &ChartWording, measures: &Measures) -> ChartScene {
    let classes = model.classes.iter().map(|class| (BoxKind::Class, class_sheet(class, wording, measures)));
    let objects = model.objects.iter().map(|object| (BoxKind::Object, object_sheet(object, measures)));
    let boxes: Vec<(BoxKind, TextSheet)> = classes.chain(objects).collect();
    let mut lines: Vec<RelationDraft> =
        model.associations.iter().map(|one| relation(one, measures)).collect();
    lines.extend(model.links.iter().map(|one| link(one, model, measures)));
    let (returning, lines): (Vec<RelationDraft>, Vec<RelationDraft>) =
        lines.into_iter().partition(|line| line.ends[0] == line.ends[1]);
    let beside: Vec<Beside> =
        (0..boxes.len()).map(|number| beside(number, &returning, model, measures)).collect();
    let nodes = boxes.iter().zip(&beside).map(|((_, sheet), beside)| LayoutNode {
        size: beside.grown(sheet.size(), LayoutFlow::Down, measures),
        beside: beside.size(LayoutFlow::Down, measures),
        ..LayoutNode::default()
    });
    let nodes = nodes.collect();
    let edges = lines.iter().map(|line| LayoutEdge {
        from: line.ends[0],
        to: line.ends[1],
        labels: line.labels.each_ref().map(|label| Size { width: label.width, height: label.height }),
    });
    let graph = LayoutGraph { nodes, edges: edges.collect() };
    let placed = layered::place(&graph, &spacing(measures), LayoutFlow::Down);
    let mut scene = ChartScene::of(&placed);
    scene.name = "classes".to_owned();
    scene.description = format!("{} classes and {} objects.", model.classes.len(), model.objects.len());
    for (number, (kind, sheet)) in boxes.iter().enumerate() {
        let rect = placed.boxes[number];
        let (texts, rules) = sheet.fill(rect);
        scene.shapes.push(SceneBox {
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
        beside.paint(number, (placed.boxes[number], None), LayoutFlow::Down, measures, &mut scene);
    }
    for (number, line) in lines.into_iter().enumerate() {
        let labels =
            line.labels.into_iter().zip(placed.labels[number]).filter(|(label, _)| !label.is_empty());
        let texts = labels.map(|(label, at)| PlacedLabel { label, x: at.x, y: at.y, align: Align::Left });
        scene.wires.push(SceneLine {
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
    scene.settle(&Surroundings::new(None, &[], placed.size.width, measures), measures);
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
fn beside(number: usize, returning: &[RelationDraft], model: &Model, measures: &Measures) -> Beside {
    let own = returning.iter().filter(|line| line.ends[0] == number);
    let loops = own.map(|line| {
        let texts: Vec<String> =
            line.labels.iter().filter(|label| !label.is_empty()).map(MeasuredLabel::text).collect();
        SelfLine {
            key: None,
            label: measures.label(&texts.join("\n"), TextRole::Message, 1),
            tips: line.tips,
            is_dashed: line.is_dashed,
            name: name(model, number),
        }
    });
    Beside { loops: loops.collect(), ..Beside::default() }
}

/// A line under construction, from the box that is to stand above.
struct RelationDraft {
    ends: [usize; 2],
    tips: [LineTip; 2],
    is_dashed: bool,
    labels: [MeasuredLabel; 3],
}

fn class_sheet(class: &Class, wording: &ChartWording, measures: &Measures) -> TextSheet {
    let line = |text: &str| measures.label(text, TextRole::Frame, 1);
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
    let mut head: Vec<MeasuredLabel> = words.map(|word| line(&format!("«{word}»"))).collect();
    head.push(measures.bold(&class.label, TextRole::Head, measures.text_width));
    let attributes = class.attributes.iter().map(|one| line(&(wording.attribute)(one)));
    let literals = class.literals.iter().map(|literal| line(literal));
    let operations = class.operations.iter().map(|one| line(&(wording.operation)(one)));
    TextSheet::new(vec![head, attributes.chain(literals).collect(), operations.collect()], measures)
}

fn object_sheet(object: &Object, measures: &Measures) -> TextSheet {
    let line = |text: &str| measures.label(text, TextRole::Frame, 1);
    let mut head: Vec<MeasuredLabel> =
        object.stereotypes.iter().map(|word| line(&format!("«{word}»"))).collect();
    let class = object.class.as_deref().map(|class| format!(" : {class}")).unwrap_or_default();
    head.push(measures.label(&format!("<u>{}{class}</u>", object.name), TextRole::Head, 1));
    let values = object.values.iter().map(|(name, value)| line(&format!("{name} = {value}")));
    TextSheet::new(vec![head, values.collect()], measures)
}

/// What is general stands above, and so does a whole above its parts.
fn relation(one: &Association, measures: &Measures) -> RelationDraft {
    let [from, to] = &one.ends;
    let tip = |end: &AssociationEnd| if end.navigable { LineTip::Open } else { LineTip::None };
    let (tips, is_dashed, is_turned) = match one.kind {
        AssociationKind::Association => ([tip(from), tip(to)], false, false),
        AssociationKind::Aggregation => ([LineTip::Diamond, tip(to)], false, false),
        AssociationKind::Composition => ([LineTip::FilledDiamond, tip(to)], false, false),
        AssociationKind::Generalization => ([LineTip::None, LineTip::Triangle], false, true),
        AssociationKind::Realization => ([LineTip::None, LineTip::Triangle], true, true),
        AssociationKind::Dependency => ([tip(from), LineTip::Open], true, false),
    };
    let end = |end: &AssociationEnd| {
        let words: Vec<&str> =
            [&end.multiplicity, &end.role].into_iter().flatten().map(String::as_str).collect();
        measures.label(&words.join(" "), TextRole::Frame, 1)
    };
    let middle = measures.label(one.name.as_deref().unwrap_or_default(), TextRole::Message, 1);
    let line = RelationDraft {
        ends: [from.class.index(), to.class.index()],
        tips,
        is_dashed,
        labels: [end(from), middle, end(to)],
    };
    if is_turned { turned(line) } else { line }
}

fn turned(mut line: RelationDraft) -> RelationDraft {
    line.ends.reverse();
    line.tips.reverse();
    line.labels.reverse();
    line
}

fn link(one: &Link, model: &Model, measures: &Measures) -> RelationDraft {
    let role =
        |role: &Option<String>| measures.label(role.as_deref().unwrap_or_default(), TextRole::Frame, 1);
    RelationDraft {
        ends: one.ends.map(|end| model.classes.len() + end.index()),
        tips: [LineTip::None; 2],
        is_dashed: false,
        labels: [
            role(&one.roles[0]),
            measures.label(one.name.as_deref().unwrap_or_default(), TextRole::Message, 1),
            role(&one.roles[1]),
        ],
    }
}
