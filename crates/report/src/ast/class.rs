//! Classes, their relations, objects and links as JSON.

use sequent_kernel::model::{
    Association, AssociationEnd, AssociationKind, Attribute, Class, ClassId, Link, Object, ObjectId,
    Operation, Parameter, ParameterDirection, Visibility,
};
use serde_json::Value;

use super::AstScope;
use super::record::JsonRecord;

/// One class.
pub(super) fn class(scope: &AstScope, id: ClassId, class: &Class) -> Value {
    let Class { name, label, kind, stereotypes, attributes, operations, literals, declared, place } = class;
    JsonRecord::new()
        .put("id", scope.classes[id].as_str())
        .put("name", name.as_str())
        .put("label", label.as_str())
        .put("kind", kind.name())
        .texts("stereotypes", stereotypes)
        .list("attributes", attributes, |shown| attribute(scope, shown))
        .list("operations", operations, |shown| operation(scope, shown))
        .texts("literals", literals)
        .put("declared", *declared)
        .put("place", scope.place(*place))
        .done()
}

/// One attribute of a class or a machine.
pub(super) fn attribute(scope: &AstScope, attribute: &Attribute) -> Value {
    let Attribute { name, type_name, initial, multiplicity, visibility, is_static, stereotypes, place } =
        attribute;
    JsonRecord::new()
        .put("name", name.as_str())
        .put("type", type_name.as_deref())
        .put("initial", initial.as_deref())
        .put("multiplicity", multiplicity.as_deref())
        .put("visibility", visibility.map(self::visibility))
        .put("static", is_static.then_some(true))
        .texts("stereotypes", stereotypes)
        .put("place", scope.place(*place))
        .done()
}

fn operation(scope: &AstScope, operation: &Operation) -> Value {
    let Operation {
        name,
        parameters,
        result,
        is_signal,
        visibility,
        is_static,
        is_abstract,
        stereotypes,
        place,
    } = operation;
    JsonRecord::new()
        .put("name", name.as_str())
        .list("parameters", parameters, parameter)
        .put("result", result.as_deref())
        .put("signal", *is_signal)
        .put("visibility", visibility.map(self::visibility))
        .put("static", is_static.then_some(true))
        .put("abstract", is_abstract.then_some(true))
        .texts("stereotypes", stereotypes)
        .put("place", scope.place(*place))
        .done()
}

fn parameter(parameter: &Parameter) -> Value {
    let Parameter { name, type_name, direction } = parameter;
    JsonRecord::new()
        .put("name", name.as_str())
        .put("type", type_name.as_deref())
        .put("direction", direction.map(self::direction))
        .done()
}

fn direction(direction: ParameterDirection) -> &'static str {
    match direction {
        ParameterDirection::In => "in",
        ParameterDirection::Out => "out",
        ParameterDirection::InOut => "inout",
    }
}

fn visibility(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Public => "public",
        Visibility::Private => "private",
        Visibility::Protected => "protected",
        Visibility::Package => "package",
    }
}

/// One relation between classes.
pub(super) fn association(scope: &AstScope, association: &Association) -> Value {
    let Association { kind, name, ends, place } = association;
    JsonRecord::new()
        .put("kind", association_kind(*kind))
        .put("name", name.as_deref())
        .list("ends", ends, |shown| association_end(scope, shown))
        .put("place", scope.place(*place))
        .done()
}

fn association_kind(kind: AssociationKind) -> &'static str {
    match kind {
        AssociationKind::Association => "association",
        AssociationKind::Aggregation => "aggregation",
        AssociationKind::Composition => "composition",
        AssociationKind::Generalization => "generalization",
        AssociationKind::Realization => "realization",
        AssociationKind::Dependency => "dependency",
    }
}

fn association_end(scope: &AstScope, end: &AssociationEnd) -> Value {
    let AssociationEnd { class, role, multiplicity, navigable } = end;
    JsonRecord::new()
        .put("class", scope.classes[*class].as_str())
        .put("role", role.as_deref())
        .put("multiplicity", multiplicity.as_deref())
        .put("navigable", *navigable)
        .done()
}

/// One object.
pub(super) fn object(scope: &AstScope, id: ObjectId, object: &Object) -> Value {
    let Object { name, class, values, stereotypes, place } = object;
    let value = |(name, value): &(String, String)| {
        JsonRecord::new().put("name", name.as_str()).put("value", value.as_str()).done()
    };
    JsonRecord::new()
        .put("id", scope.objects[id].as_str())
        .put("name", name.as_str())
        .put("class", class.as_deref())
        .list("values", values, value)
        .texts("stereotypes", stereotypes)
        .put("place", scope.place(*place))
        .done()
}

/// One link between objects.
pub(super) fn link(scope: &AstScope, link: &Link) -> Value {
    let Link { ends, roles, name, place } = link;
    let end = |(object, role): (&ObjectId, &Option<String>)| {
        JsonRecord::new().put("object", scope.objects[*object].as_str()).put("role", role.as_deref()).done()
    };
    JsonRecord::new()
        .put("name", name.as_deref())
        .list("ends", ends.iter().zip(roles), end)
        .put("place", scope.place(*place))
        .done()
}
