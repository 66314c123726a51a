//! Refinement between systems as FDR assertions.
//!
//! Two systems are compared by the names of their events, which may be the same for different ones: what an
//! object receives, from any sender. So both are renamed to events of their own channel, and what is not seen
//! is hidden.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::model::Aspect;

use super::super::names::Identifiers;
use super::{Cspm, ScriptEvent, comment};

/// A system that is compared.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Compared {
    /// Its number in the script.
    pub system: usize,
    /// What its events are called, by their texts; nothing if they are not seen.
    pub names: BTreeMap<String, Option<String>>,
}

/// A question whether one system does only what another does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemComparison {
    /// What each is called: what says what may be done, and what is held against it.
    pub titles: [String; 2],
    /// The same as systems.
    pub sides: [Compared; 2],
    /// What is compared.
    pub aspect: Aspect,
}

/// How a comparison is written, and in words what may be done.
pub(crate) fn sign(aspect: Aspect) -> (&'static str, &'static str) {
    match aspect {
        Aspect::Traces => ("[T=", "show"),
        Aspect::Failures => ("[F=", "show or refuse"),
        Aspect::FailuresDivergences => ("[FD=", "show or refuse, or go on unseen as"),
    }
}

/// Adds comparisons to a script.
pub(crate) fn compare(exported: &mut Cspm, comparisons: &[SystemComparison], names: &mut Identifiers) {
    let sides: Vec<&Compared> = comparisons.iter().flat_map(|one| &one.sides).collect();
    let all: BTreeSet<String> =
        sides.iter().flat_map(|side| called(exported, side)).filter_map(|one| one.1).collect();
    if comparisons.is_empty() {
        return;
    }
    let mut text = String::from("\n");
    let [kind, channel] = ["Own", "own"].map(|word| names.give(word));
    let words: BTreeMap<&String, String> = all.iter().map(|name| (name, names.give(name))).collect();
    if !words.is_empty() {
        let list: Vec<&str> = words.values().map(String::as_str).collect();
        let _ = writeln!(
            text,
            "-- What somebody does, whoever the others are.\ndatatype {kind} = {}\nchannel {channel} : {kind}",
            list.join(" | ")
        );
    }
    let mut known: BTreeMap<&Compared, String> = BTreeMap::new();
    for side in sides {
        if known.contains_key(side) {
            continue;
        }
        let process = &exported.processes[side.system];
        let (mut hidden, mut renamed) = (Vec::new(), Vec::new());
        for (event, name) in called(exported, side) {
            match name {
                Some(name) => renamed.push(format!("{event} <- {channel}.{}", words[&name])),
                None => hidden.push(event),
            }
        }
        let seen = match hidden.is_empty() {
            true => process.clone(),
            false => format!("{process} \\ {{{}}}", hidden.join(", ")),
        };
        let seen = match renamed.is_empty() {
            true => seen,
            false => format!("({seen})[[ {} ]]", renamed.join(", ")),
        };
        let name = names.give(&format!("{process}_own"));
        let _ = writeln!(text, "{name} = {seen}");
        known.insert(side, name);
    }
    for SystemComparison { titles, sides, aspect } in comparisons {
        let (sign, word) = sign(*aspect);
        let _ = writeln!(
            text,
            "\n-- True: {} does nothing that {} may not {word}.\nassert {} {sign} {}",
            comment(&titles[1]),
            comment(&titles[0]),
            known[&sides[0]],
            known[&sides[1]]
        );
    }
    exported.text += &text;
}

/// The events of a system as they are written, and what they are called; of several that are seen at once those that are seen.
fn called(exported: &Cspm, side: &Compared) -> Vec<(String, Option<String>)> {
    let mut all = Vec::new();
    for ScriptEvent { event, parts, .. } in &exported.events {
        let parts: Option<Vec<&Option<String>>> = parts.iter().map(|part| side.names.get(part)).collect();
        let Some(parts) = parts else { continue };
        let names: Vec<&str> = parts.into_iter().filter_map(|name| name.as_deref()).collect();
        all.push((event.clone(), (!names.is_empty()).then(|| names.join(" + "))));
    }
    all
}
