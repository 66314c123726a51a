//! How lines, notes and boxes look, and what diagrams of classes and objects draw for their reader alone.
//!
//! None of it means anything for behaviour. It is kept so that drawings and printed texts show what the author wrote.

use std::collections::BTreeMap;

use crate::model::{Caption, ClassId, Flow, ObjectId};
use crate::source::Place;

/// How a line is drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineLook {
    /// Where its author wants its second end (`-left->`).
    pub way: Option<LineWay>,
    /// Colour as written.
    pub colour: Option<String>,
}

/// Where the second end of a line stands, seen from the first; in a drawing that flows to the right all ways are turned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum LineWay {
    Left,
    Right,
    Up,
    Down,
}

impl LineWay {
    /// The way from the second end to the first.
    pub fn back(self) -> Self {
        match self {
            LineWay::Left => LineWay::Right,
            LineWay::Right => LineWay::Left,
            LineWay::Up => LineWay::Down,
            LineWay::Down => LineWay::Up,
        }
    }
}

/// How a note beside something is drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NoteLook {
    /// On which side it stands.
    pub side: Option<NoteSide>,
    /// Fill colour as written.
    pub colour: Option<String>,
}

/// The side of a box on which a note stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum NoteSide {
    Left,
    Right,
    Top,
    Bottom,
}

/// What diagrams of classes and objects draw for their reader alone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassPicture {
    /// The titles of the diagrams, in their order.
    pub titles: Vec<String>,
    /// Other texts around them.
    pub captions: Vec<Caption>,
    /// Which way their author wants them drawn.
    pub flow: Option<Flow>,
    /// Packages and namespaces, outer before inner.
    pub packages: Vec<DrawnPackage>,
    /// Lines that begin or end at packages.
    pub lines: Vec<PackageLine>,
    /// Notes.
    pub notes: Vec<ClassRemark>,
    /// How classes look, where something is said about it.
    pub classes: BTreeMap<ClassId, BoxLook>,
    /// How objects look.
    pub objects: BTreeMap<ObjectId, BoxLook>,
    /// How relations look, by their position in the model.
    pub associations: BTreeMap<usize, RelationLook>,
    /// How links look, by their position in the model.
    pub links: BTreeMap<usize, RelationLook>,
}

/// A package or namespace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnPackage {
    /// Its name; empty for a box without one.
    pub name: String,
    /// The text drawn.
    pub label: String,
    /// The package around it.
    pub parent: Option<usize>,
    /// `<<stereotype>>` texts.
    pub stereotypes: Vec<String>,
    /// Fill colour as written.
    pub colour: Option<String>,
    /// Where it is first opened.
    pub place: Place,
}

/// A line that begins or ends at a package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackageLine {
    /// What it joins.
    pub ends: [RemarkOwner; 2],
    /// Its label.
    pub name: Option<String>,
    /// Texts beside its ends.
    pub roles: [Option<String>; 2],
    /// How it is drawn.
    pub look: RelationLook,
}

/// A note in a diagram of classes or objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassRemark {
    /// What it belongs to; nothing if it floats.
    pub owners: Vec<RemarkOwner>,
    /// How it is drawn.
    pub look: NoteLook,
    /// Its text.
    pub text: String,
    /// The statement.
    pub place: Place,
}

/// What a note belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum RemarkOwner {
    Class(ClassId),
    Object(ObjectId),
    /// By its position in the picture.
    Package(usize),
    /// By its position in the model.
    Association(usize),
    /// By its position in the model.
    Link(usize),
}

/// How the box of a class or an object is drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BoxLook {
    /// Type parameters as written: `K, V`.
    pub generics: Option<String>,
    /// Fill colour as written.
    pub colour: Option<String>,
    /// The package that it lies in.
    pub package: Option<usize>,
    /// The lines of its body in their order, if lines divide them.
    pub rows: Vec<BodyRow>,
}

/// One line of a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BodyRow {
    /// The literal with this number.
    Literal(usize),
    /// The attribute, or value of an object, with this number.
    Attribute(usize),
    /// The operation with this number.
    Operation(usize),
    /// A line across the body, with its caption.
    Rule(String),
}

/// How a relation or link is drawn, beside what its kind says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RelationLook {
    /// The line.
    pub line: LineLook,
    /// Whether a link is dashed.
    pub is_dashed: bool,
    /// `<<stereotype>>` texts.
    pub stereotypes: Vec<String>,
    /// The end towards which its name is read (`contains >`).
    pub read_to: Option<usize>,
    /// What stands at the ends, where it does not follow from the kind.
    pub signs: [Option<EndSign>; 2],
    /// `[key]` beside the ends.
    pub qualifiers: [Option<String>; 2],
    /// How many objects a link says it joins.
    pub counts: [Option<String>; 2],
}

/// A sign at the end of a relation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum EndSign {
    Arrow,
    Triangle,
    Diamond,
    OpenDiamond,
    Circle,
    Cross,
    Square,
    Plus,
    /// Crow's feet: what entities are related to how many of.
    Many,
    ManyOrNone,
    OneOrMany,
    OneOrNone,
    ExactlyOne,
}

impl ClassPicture {
    /// Adds another picture behind this one, whose classes, objects, relations and links have moved so far.
    pub(crate) fn append(&mut self, other: ClassPicture, moved: MovedElements) {
        let packages = self.packages.len();
        self.titles.extend(other.titles);
        self.captions.extend(other.captions);
        self.flow = other.flow.or(self.flow);
        let inside = |package: Option<usize>| package.map(|package| package + packages);
        self.packages
            .extend(other.packages.into_iter().map(|one| DrawnPackage { parent: inside(one.parent), ..one }));
        let owner = |owner| match owner {
            RemarkOwner::Class(id) => RemarkOwner::Class((moved.class)(id)),
            RemarkOwner::Object(id) => RemarkOwner::Object((moved.object)(id)),
            RemarkOwner::Package(number) => RemarkOwner::Package(number + packages),
            RemarkOwner::Association(number) => RemarkOwner::Association(number + moved.associations),
            RemarkOwner::Link(number) => RemarkOwner::Link(number + moved.links),
        };
        self.lines
            .extend(other.lines.into_iter().map(|line| PackageLine { ends: line.ends.map(owner), ..line }));
        self.notes.extend(other.notes.into_iter().map(|mut note| {
            note.owners.iter_mut().for_each(|one| *one = owner(*one));
            note
        }));
        let looked = |look: BoxLook| BoxLook { package: inside(look.package), ..look };
        self.classes.extend(other.classes.into_iter().map(|(id, look)| ((moved.class)(id), looked(look))));
        self.objects.extend(other.objects.into_iter().map(|(id, look)| ((moved.object)(id), looked(look))));
        let lines = other.associations.into_iter();
        self.associations.extend(lines.map(|(number, look)| (number + moved.associations, look)));
        self.links.extend(other.links.into_iter().map(|(number, look)| (number + moved.links, look)));
    }
}

/// Where the elements of a model went that was added behind another.
pub(crate) struct MovedElements<'a> {
    pub class: &'a dyn Fn(ClassId) -> ClassId,
    pub object: &'a dyn Fn(ObjectId) -> ObjectId,
    pub associations: usize,
    pub links: usize,
}
