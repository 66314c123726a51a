//! Relations and links as lines of a scene, with what stands at their ends.

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Association, AssociationEnd, AssociationKind, EndSign, LineWay, Link, Model, RelationLook, RemarkOwner,
};

use super::scene::{CrowSign, LineTip, SceneLine};
use crate::draw::label::MeasuredLabel;
use crate::draw::layered::{LayoutEdge, Placed, Size};
use crate::draw::layout::measures::Measures;
use crate::draw::layout::{Align, PlacedLabel, Point, Rect};
use crate::draw::metrics::TextRole;

/// The numbers of boxes: packages first, then classes, objects, and notes that belong to nothing or to several.
pub(crate) struct BoxNumbers {
    packages: usize,
    classes: usize,
    objects: usize,
}

impl BoxNumbers {
    pub(crate) fn of(model: &Model) -> Self {
        let packages = model.picture.packages.len();
        Self { packages, classes: model.classes.len(), objects: model.objects.len() }
    }

    /// The box of what notes and lines belong to.
    pub(crate) fn of_owner(&self, owner: RemarkOwner) -> Option<usize> {
        match owner {
            RemarkOwner::Package(number) => Some(number),
            RemarkOwner::Class(id) => Some(self.packages + id.index()),
            RemarkOwner::Object(id) => Some(self.packages + self.classes + id.index()),
            RemarkOwner::Association(_) | RemarkOwner::Link(_) => None,
        }
    }

    pub(crate) fn first_note(&self) -> usize {
        self.packages + self.classes + self.objects
    }
}

/// A line under construction, from the box that is to stand above.
pub(crate) struct RelationDraft {
    pub ends: [usize; 2],
    pub(crate) tips: [LineTip; 2],
    pub(crate) is_dashed: bool,
    pub colour: Option<String>,
    way: Option<LineWay>,
    /// Texts at the ends.
    texts: [MeasuredLabel; 2],
    label: MeasuredLabel,
    /// The notes on it.
    note: MeasuredLabel,
    /// The end towards which its label is read.
    read_to: Option<usize>,
}

/// All lines of a model whose ends are drawn.
pub(crate) fn drafts(model: &Model, numbers: &BoxNumbers, measures: &Measures) -> Vec<RelationDraft> {
    let picture = &model.picture;
    let nothing = RelationLook::default();
    let mut all = Vec::new();
    for (number, one) in model.associations.iter().enumerate() {
        let look = picture.associations.get(&number).unwrap_or(&nothing);
        let line = association(one, look, numbers, measures);
        all.extend(line.map(|line| line.noted(model, RemarkOwner::Association(number), measures)));
    }
    for (number, one) in model.links.iter().enumerate() {
        let look = picture.links.get(&number).unwrap_or(&nothing);
        let line = link(one, look, numbers, measures);
        all.extend(line.map(|line| line.noted(model, RemarkOwner::Link(number), measures)));
    }
    for line in &picture.lines {
        let name = line.name.as_deref();
        all.extend(free(line.ends, name, &line.roles, &line.look, numbers, measures));
    }
    all
}

fn association(
    one: &Association,
    look: &RelationLook,
    numbers: &BoxNumbers,
    measures: &Measures,
) -> Option<RelationDraft> {
    let [from, to] = &one.ends;
    let arrow = |end: &AssociationEnd| if end.navigable { LineTip::Open } else { LineTip::None };
    // What is general stands above, and so does a whole above its parts.
    let (tips, is_dashed, is_turned) = match one.kind {
        AssociationKind::Association => ([arrow(from), arrow(to)], false, false),
        AssociationKind::Aggregation => ([LineTip::Diamond, arrow(to)], false, false),
        AssociationKind::Composition => ([LineTip::FilledDiamond, arrow(to)], false, false),
        AssociationKind::Generalization => ([LineTip::None, LineTip::Triangle], false, true),
        AssociationKind::Realization => ([LineTip::None, LineTip::Triangle], true, true),
        AssociationKind::Dependency => ([arrow(from), arrow(to)], true, false),
    };
    let mut tips = tips;
    for (tip, sign) in tips.iter_mut().zip(look.signs) {
        *tip = sign.map_or(*tip, self::tip);
    }
    let text = |end: &AssociationEnd, qualifier: &Option<String>| {
        let words = [end.multiplicity.clone(), end.role.clone(), bracketed(qualifier)];
        measures.label(&joined(&words), TextRole::Frame, 1)
    };
    let line = RelationDraft {
        ends: [
            numbers.of_owner(RemarkOwner::Class(from.class))?,
            numbers.of_owner(RemarkOwner::Class(to.class))?,
        ],
        tips,
        is_dashed,
        colour: look.line.colour.clone(),
        way: look.line.way,
        texts: [text(from, &look.qualifiers[0]), text(to, &look.qualifiers[1])],
        label: label(one.name.as_deref(), look, measures),
        note: measures.label("", TextRole::Note, 1),
        read_to: look.read_to,
    };
    Some(if is_turned { line.turned() } else { line })
}

fn link(one: &Link, look: &RelationLook, numbers: &BoxNumbers, measures: &Measures) -> Option<RelationDraft> {
    free(one.ends.map(RemarkOwner::Object), one.name.as_deref(), &one.roles, look, numbers, measures)
}

/// A line that means nothing beside what is drawn.
fn free(
    ends: [RemarkOwner; 2],
    name: Option<&str>,
    roles: &[Option<String>; 2],
    look: &RelationLook,
    numbers: &BoxNumbers,
    measures: &Measures,
) -> Option<RelationDraft> {
    let text = |end: usize| {
        let words = [look.counts[end].clone(), roles[end].clone(), bracketed(&look.qualifiers[end])];
        measures.label(&joined(&words), TextRole::Frame, 1)
    };
    let line = RelationDraft {
        ends: [numbers.of_owner(ends[0])?, numbers.of_owner(ends[1])?],
        tips: look.signs.map(|sign| sign.map_or(LineTip::None, tip)),
        is_dashed: look.is_dashed,
        colour: look.line.colour.clone(),
        way: look.line.way,
        texts: [text(0), text(1)],
        label: label(name, look, measures),
        note: measures.label("", TextRole::Note, 1),
        read_to: look.read_to,
    };
    Some(if look.signs[1] == Some(EndSign::Triangle) { line.turned() } else { line })
}

fn bracketed(qualifier: &Option<String>) -> Option<String> {
    qualifier.as_ref().map(|text| format!("[{text}]"))
}

fn joined(words: &[Option<String>]) -> String {
    words.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// The text in the middle of a line, with a mark for the direction in which it is read.
fn label(name: Option<&str>, look: &RelationLook, measures: &Measures) -> MeasuredLabel {
    let words: Vec<String> = look
        .stereotypes
        .iter()
        .map(|word| stereotype(word, measures).text())
        .chain(name.map(quoted))
        .filter(|text| !text.is_empty())
        .collect();
    let mark = if look.read_to.is_some() && !words.is_empty() { " ▼" } else { "" };
    measures.label(&(words.join("\n") + mark), TextRole::Message, 1)
}

/// A stereotype that is written as the label.
fn quoted(name: &str) -> String {
    match name.strip_prefix("<<").and_then(|rest| rest.strip_suffix(">>")) {
        Some(word) => format!("«{}»", word.trim()),
        None => name.to_owned(),
    }
}

fn tip(sign: EndSign) -> LineTip {
    match sign {
        EndSign::Arrow => LineTip::Open,
        EndSign::Triangle => LineTip::Triangle,
        EndSign::Diamond => LineTip::FilledDiamond,
        EndSign::OpenDiamond => LineTip::Diamond,
        EndSign::Circle => LineTip::Circle,
        EndSign::Cross => LineTip::Cross,
        EndSign::Square => LineTip::Square,
        EndSign::Plus => LineTip::Plus,
        EndSign::Many => LineTip::Crow(CrowSign::None),
        EndSign::ManyOrNone => LineTip::Crow(CrowSign::Circle),
        EndSign::OneOrMany => LineTip::Crow(CrowSign::Bar),
        EndSign::OneOrNone => LineTip::Once(CrowSign::Circle),
        EndSign::ExactlyOne => LineTip::Once(CrowSign::Bar),
    }
}

impl RelationDraft {
    fn turned(mut self) -> Self {
        self.ends.reverse();
        self.tips.reverse();
        self.texts.reverse();
        self.way = self.way.map(LineWay::back);
        self.read_to = self.read_to.map(|end| 1 - end);
        self
    }

    /// The same with the notes on it.
    fn noted(mut self, model: &Model, owner: RemarkOwner, measures: &Measures) -> Self {
        let own = model.picture.notes.iter().filter(|note| note.owners == [owner]);
        let texts: Vec<&str> = own.map(|note| note.text.as_str()).collect();
        self.note = measures.label(&texts.join("\n"), TextRole::Note, 1);
        self
    }

    /// All texts of a line that returns to its box.
    pub(crate) fn whole(&self, measures: &Measures) -> MeasuredLabel {
        let all = [&self.texts[0], &self.label, &self.texts[1], &self.note];
        let texts: Vec<String> =
            all.into_iter().map(MeasuredLabel::text).filter(|text| !text.is_empty()).collect();
        measures.label(&texts.join("\n"), TextRole::Message, 1)
    }

    fn note_size(&self, measures: &Measures) -> Size {
        let (width, height) = measures.boxed(&self.note);
        if self.note.is_empty() { Size::default() } else { Size { width, height } }
    }

    /// What the layout has to know.
    pub(crate) fn edge(&self, measures: &Measures) -> LayoutEdge {
        let room = |label: &MeasuredLabel| Size { width: label.width, height: label.height };
        let (own, note) = (room(&self.label), self.note_size(measures));
        let middle = Size { width: own.width.max(note.width), height: own.height + note.height };
        LayoutEdge {
            from: self.ends[0],
            to: self.ends[1],
            labels: [Size::default(), middle, Size::default()],
            ends: self.texts.each_ref().map(room),
            way: self.way,
        }
    }

    /// The line in its place.
    pub(crate) fn wire(
        mut self,
        number: usize,
        placed: &Placed,
        names: [String; 2],
        measures: &Measures,
    ) -> SceneLine {
        let points = placed.routes[number].clone();
        self.point(&points);
        let middle = placed.labels[number][1];
        let size = self.note_size(measures);
        let rect =
            Rect { x: middle.x, y: middle.y + self.label.height, width: size.width, height: size.height };
        let text =
            |label: MeasuredLabel, at: Point| PlacedLabel { label, x: at.x, y: at.y, align: Align::Left };
        let note =
            (!self.note.is_empty()).then(|| (rect, text(self.note.clone(), centred(&self.note, rect))));
        let [first, second] = placed.ends[number];
        let [begin, end] = self.texts;
        let texts = [(begin, first), (self.label, middle), (end, second)];
        SceneLine {
            points,
            tips: self.tips,
            is_dashed: self.is_dashed,
            texts: texts
                .into_iter()
                .filter(|(label, _)| !label.is_empty())
                .map(|(label, at)| text(label, at))
                .collect(),
            notes: note.into_iter().collect(),
            colour: self.colour,
            key: None,
            is_marked: false,
            change: None,
            ends: self.ends,
            names,
        }
    }

    /// Lets the mark behind the label point to the end towards which it is read.
    fn point(&mut self, points: &[Point]) {
        let (Some(end), Some(first), Some(last)) = (self.read_to, points.first(), points.last()) else {
            return;
        };
        let (from, to) = if end == 1 { (first, last) } else { (last, first) };
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let mark = match (dx.abs() > dy.abs(), dx > 0, dy > 0) {
            (true, true, _) => "▶",
            (true, false, _) => "◀",
            (false, _, true) => "▼",
            (false, _, false) => "▲",
        };
        let span = self.label.lines.last_mut().and_then(|line| line.spans.last_mut());
        if let Some(span) = span.filter(|span| span.text.ends_with('▼')) {
            span.text = span.text.trim_end_matches('▼').to_owned() + mark;
        }
    }
}

/// `«word»`; the coloured spot that PlantUML lets one put in front is left out.
pub(crate) fn stereotype(word: &str, measures: &Measures) -> MeasuredLabel {
    let word = word.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(word, |(_, rest)| rest);
    match word.trim() {
        "" => measures.label("", TextRole::Frame, 1),
        word => measures.label(&format!("«{word}»"), TextRole::Frame, 1),
    }
}

/// Where a text begins that stands in the middle of a room.
pub(crate) fn centred(label: &MeasuredLabel, room: Rect) -> Point {
    Point { x: room.x + (room.width - label.width) / 2, y: room.y + (room.height - label.height) / 2 }
}
