//! Everything that diagrams of classes and objects draw for their reader alone.

use sequent_kernel::model::*;
use sequent_kernel::source::Place;

use super::{every, interaction, text};

/// Adds packages, notes and looks to a model that has classes, objects, relations and links.
pub(crate) fn add(model: &mut Model, place: Place) {
    let classes: Vec<ClassId> = model.classes.ids().collect();
    let objects: Vec<ObjectId> = model.objects.ids().collect();
    let (class, object) = (classes[0], objects[0]);
    let owners = every!(RemarkOwner {
        Class(class),
        Object(object),
        Package(0),
        Association(0),
        Link(0),
    });
    let package = |parent| DrawnPackage {
        name: text("shop"),
        label: text("Shop"),
        parent,
        stereotypes: vec![text("layer")],
        colour: parent.map(|_| text("#Pink")),
        place,
    };
    let sides = every!(NoteSide { Left, Right, Top, Bottom });
    let note = |side: Option<NoteSide>| ClassRemark {
        owners: owners.clone(),
        look: NoteLook { side, colour: side.map(|_| text("#Yellow")) },
        text: text("here"),
        place,
    };
    let rows = every!(BodyRow { Literal(0), Attribute(1), Operation(0), Rule(text("values")) });
    let look = BoxLook { generics: Some(text("K, V")), colour: Some(text("#Green")), package: Some(1), rows };
    let line = PackageLine {
        ends: [owners[0], owners[2]],
        name: Some(text("uses")),
        roles: [Some(text("left")), None],
        look: RelationLook::default(),
    };
    model.picture = ClassPicture {
        titles: vec![text("All")],
        captions: interaction::captions(),
        flow: Some(Flow::Right),
        packages: vec![package(None), package(Some(0))],
        lines: vec![line.clone(), PackageLine { name: None, look: relations().remove(0), ..line }],
        notes: sides.into_iter().map(Some).chain([None]).map(note).collect(),
        classes: [(class, look.clone()), (classes[1], BoxLook::default())].into(),
        objects: [(object, look), (objects[1], BoxLook::default())].into(),
        associations: relations().into_iter().enumerate().collect(),
        links: relations().into_iter().enumerate().collect(),
    };
}

/// Models in which nothing but the way that the drawing flows is said.
pub(crate) fn flows() -> Vec<Model> {
    let flows = every!(Flow { Down, Right }).into_iter().map(Some).chain([None]);
    let picture = |flow| ClassPicture { titles: vec![text("All")], flow, ..ClassPicture::default() };
    flows.map(|flow| Model { picture: picture(flow), ..Model::default() }).collect()
}

/// Looks with every sign, every way, and with nothing.
fn relations() -> Vec<RelationLook> {
    let signs = every!(EndSign {
        Arrow,
        Triangle,
        Diamond,
        OpenDiamond,
        Circle,
        Cross,
        Square,
        Plus,
        Many,
        ManyOrNone,
        OneOrMany,
        OneOrNone,
        ExactlyOne
    });
    let ways = every!(LineWay { Left, Right, Up, Down });
    let full = |(sign, way)| RelationLook {
        line: LineLook { way: Some(way), colour: Some(text("red")) },
        is_dashed: true,
        stereotypes: vec![text("hot")],
        read_to: Some(1),
        signs: [Some(sign), None],
        qualifiers: [Some(text("key")), None],
        counts: [None, Some(text("2"))],
    };
    signs.into_iter().zip(ways.into_iter().cycle()).map(full).chain([RelationLook::default()]).collect()
}
