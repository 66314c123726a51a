//! The model as JSON: what `sequent ast` prints, described by `docs/ast.md` and `docs/ast.schema.json`.
//!
//! The mapping is written by hand, one function per type of the model, in modules named as the model's own. Deriving it
//! would tie what other programs rely on to the names of fields in the kernel; here a field may be renamed and the
//! output stays. Structs are taken apart by patterns that name every field and no `match` has a catch-all arm, so what is
//! new in the model does not compile until it has its words here, and the tests demand that the schema knows those words.
//!
//! The conventions, the same everywhere:
//! - Whatever can be referred to has an `id` (module `naming`) and a reference is that id: a reader sees `"from": "alice"`.
//! - Enumerations are lower-case words; what has several forms says which in `kind`.
//! - A value that is not there is left out; there is no `null`. Lists and booleans are always there.
//! - Keys come in the order in which one would tell the thing: what it is, its name, its content, its place. That is why
//!   `serde_json` keeps insertion order (feature `preserve_order`) rather than sort `body` before `name`.

mod caption;
mod check;
mod class;
mod expression;
mod fragment;
mod interaction;
mod machine;
mod naming;
mod picture;
mod record;

use sequent_kernel::id::IdVec;
use sequent_kernel::model::{ClassId, ClassPicture, InteractionId, MachineId, Model, ObjectId};
use sequent_kernel::source::{Place, Sources};
use serde_json::Value;

use self::naming::ids;
use self::record::JsonRecord;

/// The version of the format; it rises when something that was there changes its meaning or goes.
pub const VERSION: u32 = 1;

/// The JSON Schema (draft 2020-12) of what [`json`] returns.
pub const SCHEMA: &str = include_str!("../../../../docs/ast.schema.json");

/// The whole model as JSON.
pub fn json(model: &Model, sources: &Sources) -> Value {
    let Model {
        interactions,
        machines,
        classes,
        associations,
        objects,
        links,
        picture,
        system,
        checks,
        known,
        asked: _,
    } = model;
    let scope = &AstScope::new(model, sources);
    JsonRecord::new()
        .put("schema", "sequent-ast")
        .put("version", VERSION)
        .list("files", sources.files(), |(_, source)| source.name.as_str())
        .list("interactions", interactions.enumerate(), |(id, shown)| {
            interaction::interaction(scope, id, shown)
        })
        .list("machines", machines.enumerate(), |(id, shown)| machine::machine(scope, id, shown))
        .list("classes", classes.enumerate(), |(id, shown)| class::class(scope, id, shown))
        .list("associations", associations, |shown| class::association(scope, shown))
        .list("objects", objects.enumerate(), |(id, shown)| class::object(scope, id, shown))
        .list("links", links, |shown| class::link(scope, shown))
        .put("picture", (*picture != ClassPicture::default()).then(|| picture::picture(scope, picture)))
        .put("system", check::system(scope, system))
        .list("checks", checks, |shown| check::check(scope, shown))
        .list("known", known, |shown| check::known(scope, shown))
        .done()
}

/// What every part of the mapping looks things up in.
struct AstScope<'a> {
    sources: &'a Sources,
    interactions: IdVec<InteractionId, String>,
    machines: IdVec<MachineId, String>,
    classes: IdVec<ClassId, String>,
    objects: IdVec<ObjectId, String>,
}

impl<'a> AstScope<'a> {
    fn new(model: &Model, sources: &'a Sources) -> Self {
        AstScope {
            sources,
            interactions: ids(model.interactions.iter().map(|interaction| interaction.name.clone())),
            machines: ids(model.machines.iter().map(|machine| machine.name.clone())),
            classes: ids(model.classes.iter().map(|class| class.name.clone())),
            objects: ids(model.objects.iter().map(|object| object.name.clone())),
        }
    }

    /// A place as line and column and as byte offsets; the end is one past the last character.
    fn place(&self, place: Place) -> Value {
        let Place(span) = place;
        let source = self.sources.get(span.file);
        let (start, end) = (source.position(span.start), source.position(span.end));
        JsonRecord::new()
            .put("file", source.name.as_str())
            .put("line", start.line)
            .put("column", start.column)
            .put("endLine", end.line)
            .put("endColumn", end.column)
            .put("offset", span.start)
            .put("endOffset", span.end)
            .done()
    }
}
