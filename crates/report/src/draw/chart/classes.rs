//! Classes and objects as scenes.

use sequent_kernel::model::{
    Attribute, BodyRow, BoxLook, Class, ClassKind, ClassRemark, DrawnPackage, Model, Object, Operation,
};

use super::ChartWording;
use super::beside::{Beside, BesideNote, SelfLine, tie};
use super::relations::{BoxNumbers, RelationDraft, drafts, stereotype};
use super::scene::{BoxKind, ChartScene, SceneBox, SceneLine, spacing};
use super::sheet::TextSheet;
use crate::draw::label::MeasuredLabel;
use crate::draw::layered::{self, LayoutEdge, LayoutFlow, LayoutGraph, LayoutNode, Placed, Size};
use crate::draw::layout::Rect;
use crate::draw::layout::measures::Measures;
use crate::draw::layout::surround::Surroundings;
use crate::draw::markup::{self, StyledText};
use crate::draw::metrics::TextRole;

/// The drawing of all classes and objects of a model.
pub(crate) fn scene(
    model: &Model,
    wording: &ChartWording,
    measures: &Measures,
    flow: LayoutFlow,
) -> ChartScene {
    let numbers = BoxNumbers::of(model);
    let notes: Vec<&ClassRemark> = model.picture.notes.iter().filter(|note| stands_alone(note)).collect();
    let boxes = boxes(model, &notes, wording, measures);
    let (returning, lines): (Vec<RelationDraft>, Vec<RelationDraft>) =
        drafts(model, &numbers, measures).into_iter().partition(|line| line.ends[0] == line.ends[1]);
    let beside: Vec<Beside> = boxes
        .iter()
        .enumerate()
        .map(|(number, one)| beside((number, one.name.as_str()), &returning, model, &numbers, measures))
        .collect();
    let ties = ties(&notes, &numbers);
    let nodes = boxes.iter().zip(&beside).map(|(one, beside)| one.node(beside, flow, measures));
    let relations = lines.iter().map(|line| line.edge(measures));
    let free = ties.iter().map(|[from, to]| LayoutEdge { from: *from, to: *to, ..LayoutEdge::default() });
    let graph = LayoutGraph { nodes: nodes.collect(), edges: relations.chain(free).collect() };
    let placed = layered::place(&graph, &spacing(measures), flow);
    let mut scene = ChartScene::of(&placed);
    let titles = model.picture.titles.join("\n");
    scene.name = if titles.is_empty() { "classes".to_owned() } else { markup::plain(&titles) };
    scene.description = format!("{} classes and {} objects.", model.classes.len(), model.objects.len());
    scene.shapes = boxes.iter().enumerate().map(|(number, one)| one.shape(number, &placed)).collect();
    for (number, beside) in beside.iter().enumerate() {
        beside.paint(number, (placed.boxes[number], None), flow, measures, &mut scene);
    }
    let count = lines.len();
    for (number, line) in lines.into_iter().enumerate() {
        let names = line.ends.map(|end| boxes[end].name.clone());
        scene.wires.push(line.wire(number, &placed, names, measures));
    }
    for (at, ends) in ties.into_iter().enumerate() {
        let line = tie(placed.routes[count + at].clone(), ends);
        scene.wires.push(SceneLine { names: ends.map(|end| boxes[end].name.clone()), ..line });
    }
    let title = Some(titles.as_str()).filter(|title| !title.is_empty());
    let around = Surroundings::new(title, &model.picture.captions, placed.size.width, measures);
    scene.settle(&around, measures);
    scene
}

/// Whether a note has a box of its own, rather than a place beside what it belongs to.
fn stands_alone(note: &ClassRemark) -> bool {
    note.owners.len() != 1
}

/// The lines between notes that stand alone and what they belong to.
fn ties(notes: &[&ClassRemark], numbers: &BoxNumbers) -> Vec<[usize; 2]> {
    let of = |(at, note): (usize, &&ClassRemark)| {
        let owners = note.owners.iter().filter_map(|owner| numbers.of_owner(*owner));
        owners.map(|owner| [numbers.first_note() + at, owner]).collect::<Vec<_>>()
    };
    notes.iter().enumerate().flat_map(of).collect()
}

/// A box under construction.
struct BoxDraft {
    kind: BoxKind,
    name: String,
    sheet: TextSheet,
    package: Option<usize>,
    colour: Option<String>,
}

impl BoxDraft {
    fn node(&self, beside: &Beside, flow: LayoutFlow, measures: &Measures) -> LayoutNode {
        let is_package = self.kind == BoxKind::Package;
        let is_point = self.kind == BoxKind::Choice;
        let size = match (is_point, measures.stroke) {
            (true, 0) => Size { width: 26, height: 26 },
            (true, _) => Size { width: 1, height: 1 },
            (false, _) if is_package => self.sheet.size(),
            (false, _) => beside.grown(self.sheet.size(), flow, measures),
        };
        LayoutNode {
            parent: self.package.map(|package| (package, 0)),
            size,
            regions: usize::from(is_package),
            beside: beside.size(flow, measures),
            before: beside.before(flow, measures),
            is_point,
            ..LayoutNode::default()
        }
    }

    fn shape(&self, number: usize, placed: &Placed) -> SceneBox {
        let rect = placed.boxes[number];
        let own = self.sheet.size();
        let (texts, rules) = match self.kind {
            BoxKind::Package => {
                let y = placed.headers[number].y;
                self.sheet.fill(Rect { x: rect.x, y, width: own.width, height: own.height })
            }
            BoxKind::Choice => Default::default(),
            _ => self.sheet.fill(rect),
        };
        SceneBox {
            kind: self.kind,
            rect,
            texts,
            rules,
            colour: self.colour.clone(),
            key: None,
            is_marked: false,
            parent: self.package,
        }
    }
}

fn boxes(
    model: &Model,
    notes: &[&ClassRemark],
    wording: &ChartWording,
    measures: &Measures,
) -> Vec<BoxDraft> {
    let picture = &model.picture;
    let nothing = BoxLook::default();
    let mut boxes: Vec<BoxDraft> = picture.packages.iter().map(|one| package_box(one, measures)).collect();
    for (id, class) in model.classes.enumerate() {
        let look = picture.classes.get(&id).unwrap_or(&nothing);
        let is_empty = class.attributes.is_empty() && class.operations.is_empty();
        let is_diamond = is_empty && class.stereotypes == ["diamond"];
        boxes.push(BoxDraft {
            kind: if is_diamond { BoxKind::Choice } else { BoxKind::Class },
            name: class.name.clone(),
            sheet: class_sheet(class, look, wording, measures),
            package: look.package,
            colour: look.colour.clone(),
        });
    }
    for (id, object) in model.objects.enumerate() {
        let look = picture.objects.get(&id).unwrap_or(&nothing);
        boxes.push(BoxDraft {
            kind: BoxKind::Object,
            name: object.name.clone(),
            sheet: object_sheet(object, look, measures),
            package: look.package,
            colour: look.colour.clone(),
        });
    }
    boxes.extend(notes.iter().map(|note| BoxDraft {
        kind: BoxKind::Note,
        name: String::new(),
        sheet: TextSheet::new(vec![vec![measures.label(&note.text, TextRole::Note, 1)]], measures),
        package: None,
        colour: note.look.colour.clone(),
    }));
    boxes
}

fn package_box(package: &DrawnPackage, measures: &Measures) -> BoxDraft {
    let words = package.stereotypes.iter().map(|word| stereotype(word, measures));
    let label = measures.bold(&package.label, TextRole::Frame, measures.text_width);
    BoxDraft {
        kind: BoxKind::Package,
        name: package.name.clone(),
        sheet: TextSheet::new(vec![words.chain([label]).collect()], measures),
        package: package.parent,
        colour: package.colour.clone(),
    }
}

/// The notes that stand beside a box, and its relations to itself.
fn beside(
    (number, name): (usize, &str),
    returning: &[RelationDraft],
    model: &Model,
    numbers: &BoxNumbers,
    measures: &Measures,
) -> Beside {
    let loops = returning.iter().filter(|line| line.ends[0] == number).map(|line| SelfLine {
        key: None,
        label: line.whole(measures),
        tips: line.tips,
        is_dashed: line.is_dashed,
        colour: line.colour.clone(),
        name: name.to_owned(),
    });
    let own = |note: &&ClassRemark| {
        !stands_alone(note) && note.owners.iter().all(|owner| numbers.of_owner(*owner) == Some(number))
    };
    let label = |text: &str| measures.label(text, TextRole::Note, 1);
    let notes = model.picture.notes.iter().filter(own);
    let notes = notes.map(|note| BesideNote::new(label(&note.text), &note.look));
    Beside { loops: loops.collect(), notes: notes.collect(), name: None }
}

fn class_sheet(class: &Class, look: &BoxLook, wording: &ChartWording, measures: &Measures) -> TextSheet {
    let is_slanted = matches!(class.kind, ClassKind::Abstract | ClassKind::Interface);
    let words = class.kind.stereotype().into_iter().chain(class.stereotypes.iter().map(String::as_str));
    let mut head: Vec<MeasuredLabel> =
        words.map(|word| stereotype(word, measures)).filter(|label| !label.is_empty()).collect();
    let style = StyledText { bold: true, italic: is_slanted, ..StyledText::default() };
    let generics = look.generics.as_ref().map(|text| format!("<{text}>"));
    head.push(measures.styled(&class.label, generics.as_deref(), &style, TextRole::Head));
    let literals = class.literals.iter().map(|literal| measures.label(literal, TextRole::Frame, 1));
    let attributes = class.attributes.iter().map(|one| attribute(one, wording, measures));
    let operations = class.operations.iter().map(|one| operation(one, wording, measures));
    let [literals, attributes, operations] = [literals.collect(), attributes.collect(), operations.collect()];
    let rows = RowTexts { literals, attributes, operations };
    TextSheet::new(rows.compartments(head, &look.rows, measures), measures)
}

/// The lines of a body.
struct RowTexts {
    literals: Vec<MeasuredLabel>,
    attributes: Vec<MeasuredLabel>,
    operations: Vec<MeasuredLabel>,
}

impl RowTexts {
    /// The compartments of a box: where its author draws lines across, else one for values and one for operations.
    fn compartments(
        self,
        head: Vec<MeasuredLabel>,
        rows: &[BodyRow],
        measures: &Measures,
    ) -> Vec<Vec<MeasuredLabel>> {
        if rows.is_empty() {
            return vec![head, self.attributes.into_iter().chain(self.literals).collect(), self.operations];
        }
        let mut all = vec![head, Vec::new()];
        for row in rows {
            let text = match row {
                BodyRow::Literal(number) => self.literals.get(*number).cloned(),
                BodyRow::Attribute(number) => self.attributes.get(*number).cloned(),
                BodyRow::Operation(number) => self.operations.get(*number).cloned(),
                BodyRow::Rule(title) => {
                    all.push(Vec::new());
                    let style = StyledText { italic: true, ..StyledText::default() };
                    (!title.is_empty()).then(|| measures.styled(title, None, &style, TextRole::Frame))
                }
            };
            if let Some(last) = all.last_mut() {
                last.extend(text);
            }
        }
        all
    }
}

fn attribute(one: &Attribute, wording: &ChartWording, measures: &Measures) -> MeasuredLabel {
    let text = (wording.attribute)(&Attribute { is_static: false, ..one.clone() });
    let text = text.strip_prefix("{field} ").unwrap_or(&text).to_owned();
    member(&text, one.is_static, false, measures)
}

fn operation(one: &Operation, wording: &ChartWording, measures: &Measures) -> MeasuredLabel {
    let text = (wording.operation)(&Operation { is_static: false, is_abstract: false, ..one.clone() });
    member(&text, one.is_static, one.is_abstract, measures)
}

/// What belongs to the class is underlined, what is abstract is slanted; terminals show it in words.
fn member(text: &str, is_static: bool, is_abstract: bool, measures: &Measures) -> MeasuredLabel {
    if measures.stroke == 0 {
        let style = StyledText { underlined: is_static, italic: is_abstract, ..StyledText::default() };
        return measures.styled(text, None, &style, TextRole::Frame);
    }
    let words = [("{static} ", is_static), ("{abstract} ", is_abstract)];
    let said: String = words.into_iter().filter(|(_, is_so)| *is_so).map(|(word, _)| word).collect();
    measures.label(&(said + text), TextRole::Frame, 1)
}

fn object_sheet(object: &Object, look: &BoxLook, measures: &Measures) -> TextSheet {
    let line = |text: &str| measures.label(text, TextRole::Frame, 1);
    let words = object.stereotypes.iter().map(|word| stereotype(word, measures));
    let mut head: Vec<MeasuredLabel> = words.filter(|label| !label.is_empty()).collect();
    let class = object.class.as_deref().map(|class| format!(" : {class}")).unwrap_or_default();
    head.push(measures.label(&format!("<u>{}{class}</u>", object.name), TextRole::Head, 1));
    let value = |(name, value): &(String, String)| match value.is_empty() {
        true => line(name),
        false => line(&format!("{name} = {value}")),
    };
    let attributes = object.values.iter().map(value).collect();
    let rows = RowTexts { literals: Vec::new(), attributes, operations: Vec::new() };
    TextSheet::new(rows.compartments(head, &look.rows, measures), measures)
}
