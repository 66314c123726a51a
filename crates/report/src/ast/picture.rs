//! What diagrams draw for their reader alone, as JSON: packages, notes, sides, colours, signs at the ends of lines.

use sequent_kernel::model::{
    BodyRow, BoxLook, ClassPicture, ClassRemark, DrawnPackage, EndSign, Flow, LineLook, LineWay, NoteLook,
    NoteSide, PackageLine, RelationLook, RemarkOwner,
};
use serde_json::Value;

use super::AstScope;
use super::caption::caption;
use super::record::JsonRecord;

/// What belongs to no single class, object or relation.
pub(super) fn picture(scope: &AstScope, picture: &ClassPicture) -> Value {
    let ClassPicture {
        titles,
        captions,
        flow,
        packages,
        lines,
        notes,
        classes,
        objects,
        associations,
        links,
    } = picture;
    let of_classes = classes.iter().map(|(id, look)| (scope.classes[*id].as_str(), look));
    let of_objects = objects.iter().map(|(id, look)| (scope.objects[*id].as_str(), look));
    let boxed = |key: &str, (id, look): (&str, &BoxLook)| box_look(JsonRecord::new().put(key, id), look);
    let line =
        |key: &str, (at, look): (&usize, &RelationLook)| relation_look(JsonRecord::new().put(key, *at), look);
    JsonRecord::new()
        .texts("titles", titles)
        .list("captions", captions, caption)
        .put("flow", flow.map(flow_way))
        .list("packages", packages, |one| package(scope, one))
        .list("lines", lines, |one| package_line(scope, one))
        .list("notes", notes, |one| note(scope, one))
        .list("classes", of_classes, |one| boxed("class", one))
        .list("objects", of_objects, |one| boxed("object", one))
        .list("associations", associations, |one| line("association", one))
        .list("links", links, |one| line("link", one))
        .done()
}

fn package(scope: &AstScope, package: &DrawnPackage) -> Value {
    let DrawnPackage { name, label, parent, stereotypes, colour, place } = package;
    JsonRecord::new()
        .put("name", name.as_str())
        .put("label", label.as_str())
        .put("parent", *parent)
        .texts("stereotypes", stereotypes)
        .put("colour", colour.as_deref())
        .put("place", scope.place(*place))
        .done()
}

fn package_line(scope: &AstScope, line: &PackageLine) -> Value {
    let PackageLine { ends, name, roles, look } = line;
    let end = |(end, role): (&RemarkOwner, &Option<String>)| {
        JsonRecord::new().put("at", owner(scope, *end)).put("role", role.as_deref()).done()
    };
    let record = JsonRecord::new().put("name", name.as_deref()).list("ends", ends.iter().zip(roles), end);
    relation_look(record, look)
}

fn note(scope: &AstScope, note: &ClassRemark) -> Value {
    let ClassRemark { owners, look, text, place } = note;
    note_look(JsonRecord::new().put("text", text.as_str()), look)
        .list("owners", owners, |one| owner(scope, *one))
        .put("place", scope.place(*place))
        .done()
}

/// What a note or a line belongs to.
fn owner(scope: &AstScope, owner: RemarkOwner) -> Value {
    match owner {
        RemarkOwner::Class(id) => JsonRecord::kind("class").put("class", scope.classes[id].as_str()),
        RemarkOwner::Object(id) => JsonRecord::kind("object").put("object", scope.objects[id].as_str()),
        RemarkOwner::Package(at) => JsonRecord::kind("package").put("package", at),
        RemarkOwner::Association(at) => JsonRecord::kind("association").put("association", at),
        RemarkOwner::Link(at) => JsonRecord::kind("link").put("link", at),
    }
    .done()
}

fn box_look(record: JsonRecord, look: &BoxLook) -> Value {
    let BoxLook { generics, colour, package, rows } = look;
    record
        .put("generics", generics.as_deref())
        .put("colour", colour.as_deref())
        .put("package", *package)
        .list("rows", rows, row)
        .done()
}

fn row(row: &BodyRow) -> Value {
    match row {
        BodyRow::Literal(at) => JsonRecord::kind("literal").put("at", *at),
        BodyRow::Attribute(at) => JsonRecord::kind("attribute").put("at", *at),
        BodyRow::Operation(at) => JsonRecord::kind("operation").put("at", *at),
        BodyRow::Rule(title) => JsonRecord::kind("rule").put("title", title.as_str()),
    }
    .done()
}

fn relation_look(record: JsonRecord, look: &RelationLook) -> Value {
    let RelationLook { line, is_dashed, stereotypes, read_to, signs, qualifiers, counts } = look;
    let marks = signs.iter().zip(qualifiers).zip(counts);
    line_look(record, line)
        .put("dashed", is_dashed.then_some(true))
        .texts("stereotypes", stereotypes)
        .put("readTo", *read_to)
        .list("marks", marks, |((sign, qualifier), count)| {
            JsonRecord::new()
                .put("sign", sign.map(self::sign))
                .put("qualifier", qualifier.as_deref())
                .put("count", count.as_deref())
                .done()
        })
        .done()
}

/// How a line is drawn.
pub(super) fn line_look(record: JsonRecord, look: &LineLook) -> JsonRecord {
    let LineLook { way, colour } = look;
    record.put("way", way.map(self::way)).put("colour", colour.as_deref())
}

/// How a note is drawn.
pub(super) fn note_look(record: JsonRecord, look: &NoteLook) -> JsonRecord {
    let NoteLook { side, colour } = look;
    record.put("side", side.map(self::side)).put("colour", colour.as_deref())
}

/// Which way a drawing flows.
pub(super) fn flow_way(flow: Flow) -> &'static str {
    match flow {
        Flow::Down => "down",
        Flow::Right => "right",
    }
}

fn way(way: LineWay) -> &'static str {
    match way {
        LineWay::Left => "left",
        LineWay::Right => "right",
        LineWay::Up => "up",
        LineWay::Down => "down",
    }
}

fn side(side: NoteSide) -> &'static str {
    match side {
        NoteSide::Left => "left",
        NoteSide::Right => "right",
        NoteSide::Top => "top",
        NoteSide::Bottom => "bottom",
    }
}

fn sign(sign: EndSign) -> &'static str {
    match sign {
        EndSign::Arrow => "arrow",
        EndSign::Triangle => "triangle",
        EndSign::Diamond => "diamond",
        EndSign::OpenDiamond => "open-diamond",
        EndSign::Circle => "circle",
        EndSign::Cross => "cross",
        EndSign::Square => "square",
        EndSign::Plus => "plus",
        EndSign::Many => "many",
        EndSign::ManyOrNone => "many-or-none",
        EndSign::OneOrMany => "one-or-many",
        EndSign::OneOrNone => "one-or-none",
        EndSign::ExactlyOne => "exactly-one",
    }
}
