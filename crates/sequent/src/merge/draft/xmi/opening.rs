//! First tags: attributes merged by name, lists of ids by their members.

use sequent_notation::xmi::lossless::{NodeId, XmlDocument};

use crate::merge::elements::{UnitId, Units};

/// Attributes that list elements, even if only one or none is listed.
const LISTS: &[&str] = &[
    "annotatedElement",
    "client",
    "clientDependency",
    "coveredBy",
    "incoming",
    "memberEnd",
    "navigableOwnedEnd",
    "outgoing",
    "supplier",
];

/// A first tag without its end: what both agree about, or one for each side.
pub(super) struct Opening {
    /// Ours and theirs; equal if nothing is in conflict.
    pub sides: [String; 2],
    /// What the base has.
    pub base: String,
}

/// The value that three versions agree about; `None` if both sides changed it in different ways.
pub(super) fn three<T: PartialEq + Copy>([base, ours, theirs]: [Option<T>; 3]) -> Option<Option<T>> {
    if ours == theirs || theirs == base {
        Some(ours)
    } else if ours == base {
        Some(theirs)
    } else {
        None
    }
}

/// The three versions of a unit that has no node in some: those count as the one that has.
fn complete(units: &Units<'_>, unit: UnitId) -> Option<[(usize, NodeId); 3]> {
    let [base, ours, theirs] = [0, 1, 2].map(|version| units.node(unit, version).map(|node| (version, node)));
    let some = ours.or(theirs)?;
    let (ours, theirs) = (ours.unwrap_or(some), theirs.unwrap_or(some));
    // What both sides added is equal, or a conflict as a whole.
    Some([base.unwrap_or(some), ours, theirs])
}

/// The first tag of a unit, without its end.
pub(super) fn opening(units: &Units<'_>, unit: UnitId) -> Option<Opening> {
    let versions = complete(units, unit)?;
    let documents = versions.map(|(version, _)| &units.documents[version]);
    let nodes = versions.map(|(_, node)| node);
    let tag = |at: usize| documents[at].element(nodes[at]).map(|element| documents[at].part(&element.tag));
    let tag = three([0, 1, 2].map(tag)).flatten()?;
    let values = [0, 1, 2].map(|at| attributes(documents[at], nodes[at]));
    let written = |at: usize| -> String {
        let all = documents[at].element(nodes[at]).into_iter().flat_map(|element| &element.attributes);
        format!("<{tag}{}", all.map(|one| documents[at].part(&one.whole)).collect::<String>())
    };
    let is_same = |one: usize, other: usize| sorted(&values[one]) == sorted(&values[other]);
    let base = written(0);
    if is_same(0, 2) {
        return Some(Opening { sides: [written(1), written(1)], base });
    }
    if is_same(0, 1) || is_same(1, 2) {
        let side = if is_same(0, 1) { 2 } else { 1 };
        return Some(Opening { sides: [written(side), written(side)], base });
    }
    let mut sides = [format!("<{tag}"), format!("<{tag}")];
    for (name, value) in merged(units, &values) {
        let raw = [1, 2].map(|at| {
            let all = documents[at].element(nodes[at]).into_iter().flat_map(|element| &element.attributes);
            all.into_iter().find(|one| documents[at].part(&one.name) == name)
        });
        // Blanks and quotes are ours where we have it.
        let (at, raw) = match raw {
            [Some(ours), _] => (1, ours),
            [None, Some(theirs)] => (2, theirs),
            [None, None] => continue,
        };
        for (side, value) in sides.iter_mut().zip(value) {
            if let Some(value) = value {
                side.push_str(documents[at].part(&(raw.whole.start..raw.value.start)));
                let quote = documents[at].part(&(raw.value.end..raw.whole.end));
                match (quote, value.contains(['"', '\''])) {
                    ("\"", true) => side.push_str(&value.replace('"', "&quot;")),
                    (_, true) => side.push_str(&value.replace('\'', "&apos;")),
                    (_, false) => side.push_str(&value),
                }
                side.push_str(quote);
            }
        }
    }
    Some(Opening { sides, base })
}

type OpeningValues<'d> = Vec<(&'d str, &'d str)>;

fn attributes<'d>(document: &XmlDocument<'d>, node: NodeId) -> OpeningValues<'d> {
    let all = document.element(node).into_iter().flat_map(|element| &element.attributes);
    all.map(|one| (document.part(&one.name), document.part(&one.value))).collect()
}

fn sorted<'v>(values: &OpeningValues<'v>) -> OpeningValues<'v> {
    let mut sorted = values.clone();
    sorted.sort_unstable();
    sorted
}

/// The attributes in order, each with the value of both sides, which are equal where nothing is in conflict.
fn merged<'d>(units: &Units<'_>, values: &[OpeningValues<'d>; 3]) -> Vec<(&'d str, [Option<String>; 2])> {
    let get =
        |at: usize, name: &str| values[at].iter().find(|(own, _)| *own == name).map(|(_, value)| *value);
    let mut names: Vec<&'d str> = values[1].iter().map(|(name, _)| *name).collect();
    for (at, (name, _)) in values[2].iter().enumerate() {
        if !names.contains(name) {
            let before =
                values[2][..at].iter().rev().find_map(|(one, _)| names.iter().position(|own| own == one));
            names.insert(before.map_or(0, |before| before + 1), name);
        }
    }
    names
        .into_iter()
        .map(|name| {
            let all = [0, 1, 2].map(|at| get(at, name));
            let value = match three(all) {
                Some(value) => [value.map(str::to_owned), value.map(str::to_owned)],
                None => match list(units, name, all) {
                    Some(list) => [Some(list.clone()), Some(list)],
                    None => [all[1].map(str::to_owned), all[2].map(str::to_owned)],
                },
            };
            (name, value)
        })
        .collect()
}

/// A list of ids with what both sides added, and without what either took away; `None` if it is no list.
fn list(units: &Units<'_>, name: &str, values: [Option<&str>; 3]) -> Option<String> {
    let [base, ours, theirs] =
        values.map(|value| value.unwrap_or_default().split_whitespace().collect::<Vec<&str>>());
    let has_many = [&base, &ours, &theirs].iter().any(|list| list.len() > 1) || LISTS.contains(&name);
    if !has_many || ![&base, &ours, &theirs].iter().all(|list| list.iter().all(|id| units.ids.contains(id))) {
        return None;
    }
    let kept = |list: &[&str]| -> Vec<String> {
        let common = base.iter().filter(|id| ours.contains(id) && theirs.contains(id));
        let mut order: Vec<&str> = list.to_vec();
        order.retain(|id| common.clone().any(|one| one == id));
        order.into_iter().map(str::to_owned).collect()
    };
    // A list that both put in another order is no list to us.
    if kept(&ours) != kept(&base) && kept(&theirs) != kept(&base) && kept(&ours) != kept(&theirs) {
        return None;
    }
    let (first, second) = if kept(&ours) == kept(&base) { (&theirs, &ours) } else { (&ours, &theirs) };
    let mut merged: Vec<&str> =
        first.iter().copied().filter(|id| second.contains(id) || !base.contains(id)).collect();
    for (at, id) in second.iter().enumerate() {
        if !base.contains(id) && !merged.contains(id) {
            let mut before = second[..at].iter().rev();
            let place = before.find_map(|one| merged.iter().position(|own| own == one));
            merged.insert(place.map_or(0, |place| place + 1), *id);
        }
    }
    Some(merged.join(" "))
}
