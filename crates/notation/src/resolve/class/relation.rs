//! Lines between boxes: associations between classes, links between objects.

use sequent_kernel::model::{Association, AssociationEnd, AssociationKind, ClassId, Link, ObjectId};
use sequent_kernel::source::Span;

use crate::tree::class::{Relation, RelationEnd, RelationHead};

/// The association that a line between two classes stands for.
pub(super) fn association(drawn: &Relation, classes: [ClassId; 2], span: Span) -> Association {
    let heads = [drawn.ends[0].head, drawn.ends[1].head];
    let (kind, turned) = meaning(heads, drawn.dashed);
    let end = |index: usize| {
        let end: &RelationEnd = &drawn.ends[index];
        let (role, multiplicity) = role_and_multiplicity(end);
        let navigable = end.head == RelationHead::Arrow;
        AssociationEnd { class: classes[index], role, multiplicity, navigable }
    };
    let ends = if turned { [end(1), end(0)] } else { [end(0), end(1)] };
    Association { kind, name: name(drawn), ends, place: span.into() }
}

/// The link that a line between two objects stands for.
pub(super) fn link(drawn: &Relation, objects: [ObjectId; 2], span: Span) -> Link {
    let (name, roles) = text(drawn);
    Link { ends: objects, roles, name, place: span.into() }
}

/// The label of a line, and the roles at its ends.
pub(super) fn text(drawn: &Relation) -> (Option<String>, [Option<String>; 2]) {
    let role = |end: &RelationEnd| end.member.clone().or_else(|| role_and_multiplicity(end).0);
    (name(drawn), drawn.ends.each_ref().map(role))
}

/// What the signs at the ends mean, and whether the right end comes first then: the special one of a generalisation, the
/// whole of an aggregation, the end an arrow starts from.
fn meaning(heads: [RelationHead; 2], dashed: bool) -> (AssociationKind, bool) {
    let at = |head: RelationHead| heads.iter().position(|one| *one == head);
    if let Some(general) = at(RelationHead::Triangle) {
        let kind = if dashed { AssociationKind::Realization } else { AssociationKind::Generalization };
        return (kind, general == 0);
    }
    if let Some(whole) = at(RelationHead::Diamond) {
        return (AssociationKind::Composition, whole == 1);
    }
    if let Some(whole) = at(RelationHead::OpenDiamond) {
        return (AssociationKind::Aggregation, whole == 1);
    }
    let turned = heads[0] == RelationHead::Arrow && heads[1] != RelationHead::Arrow;
    (if dashed { AssociationKind::Dependency } else { AssociationKind::Association }, turned)
}

/// Whether the right end of a line comes first in what it stands for.
pub(super) fn is_turned(drawn: &Relation) -> bool {
    meaning([drawn.ends[0].head, drawn.ends[1].head], drawn.dashed).1
}

/// The label without the sign for its reading direction, and the end to which that points.
fn label(drawn: &Relation) -> (&str, Option<usize>) {
    let text = drawn.text.text.trim();
    let is_quoted = text.starts_with("<<") && text.ends_with(">>");
    let signs = [('<', 0), ('>', 1)];
    let found = signs.into_iter().filter(|_| !is_quoted).find_map(|(sign, end)| {
        let rest = text.strip_prefix(sign).or_else(|| text.strip_suffix(sign))?;
        (!rest.starts_with(sign) && !rest.ends_with(sign)).then_some((rest.trim(), Some(end)))
    });
    found.unwrap_or((text, None))
}

/// The end towards which the label is read.
pub(super) fn read_to(drawn: &Relation) -> Option<usize> {
    label(drawn).1
}

fn name(drawn: &Relation) -> Option<String> {
    let (text, _) = label(drawn);
    (!text.is_empty()).then(|| text.to_owned())
}

/// How many there are at an end.
pub(super) fn multiplicity(end: &RelationEnd) -> Option<String> {
    role_and_multiplicity(end).1
}

/// The words beside an end: those made of digits, `*` and `..` are the multiplicity, the others the role.
fn role_and_multiplicity(end: &RelationEnd) -> (Option<String>, Option<String>) {
    let text = end.text.as_ref().map_or("", |text| text.text.as_str());
    let is_multiplicity = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit() || c == '*');
    let (multiplicity, role): (Vec<&str>, Vec<&str>) = text.split_whitespace().partition(is_multiplicity);
    let some = |words: Vec<&str>| Some(words.join(" ")).filter(|text| !text.is_empty());
    let role = some(role).map(|role| role.trim_start_matches(['+', '-', '#', '~']).trim().to_owned());
    (role.filter(|role| !role.is_empty()), some(multiplicity))
}
