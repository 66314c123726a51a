//! UML models merged by the ids of their elements: random edits of both sides, and nothing is lost.
//!
//! The definition is written out over sets of facts: an element with its parent, its attributes and its text. A fact that one side made or
//! changed is in the merged model, or in a conflict; everything else is as it was.

use std::collections::{BTreeMap, BTreeSet};

use sequent::merge::draft::{ConflictMarks, draft};
use sequent::merge::{ConsistencyLevel, MergeOptions, RevisionSide, VersionFiles};
use sequent_kernel::random::Random;
use sequent_notation::xmi::lossless::{NodeId, XmlDocument};
use sequent_notation::{NoFiles, xmi};
use sequent_testing::corpus::corpus;
use sequent_testing::seeds::seeds;

use crate::{Merged, merge_files};

const DOOR: &str = include_str!("../../../../examples/gallery/door-papyrus.uml");

/// What an element says: the id of its parent, its attributes, its text.
type Facts = BTreeMap<String, (Option<String>, BTreeMap<String, String>, String)>;

fn facts(text: &str) -> Facts {
    let document = XmlDocument::new(text).unwrap_or_else(|reason| panic!("{reason}\n{text}"));
    let mut facts = Facts::new();
    for (id, node) in document.nodes.enumerate() {
        let (Some(key), Some(element)) = (document.id(id), &node.element) else { continue };
        let attributes = element.attributes.iter();
        let attributes = attributes
            .map(|one| (document.part(&one.name).to_owned(), document.part(&one.value).to_owned()))
            .collect();
        let parent = node.parent.and_then(|parent| document.id(parent)).map(str::to_owned);
        let texts: String = element
            .children
            .iter()
            .filter(|child| document.id(**child).is_none())
            .map(|child| document.part(&document.nodes[*child].whole))
            .collect();
        assert!(
            facts.insert(key.to_owned(), (parent, attributes, texts)).is_none(),
            "`{key}` is there twice\n{text}"
        );
    }
    facts
}

/// One element as text, without the blanks before it.
fn element(text: &str, id: &str) -> Option<std::ops::Range<usize>> {
    let document = XmlDocument::new(text).expect("well-formed");
    let found = document.nodes.ids().find(|node| document.id(*node) == Some(id));
    found.map(|node| document.nodes[node].lead.start..document.nodes[node].whole.end)
}

fn ids(text: &str, is_fit: impl Fn(&XmlDocument<'_>, NodeId) -> bool) -> Vec<String> {
    let document = XmlDocument::new(text).expect("well-formed");
    let nodes = document.nodes.ids().filter(|node| *node != document.root && is_fit(&document, *node));
    nodes.filter_map(|node| document.id(node)).map(str::to_owned).collect()
}

fn pick(dice: &mut Random, list: &[String]) -> Option<String> {
    (!list.is_empty()).then(|| list[dice.below(list.len())].clone())
}

/// A random edit; `fresh` makes ids of this side.
fn edit(text: &str, dice: &mut Random, fresh: &mut dyn FnMut() -> String) -> String {
    let any = ids(text, |_, _| true);
    let mut text = text.to_owned();
    match dice.below(9) {
        // An attribute is changed, added or taken away.
        0 | 1 => {
            let named = ids(&text, |document, node| document.attribute(node, "name").is_some());
            let Some(range) = pick(dice, &named).and_then(|id| element(&text, &id)) else { return text };
            let start = range.start + text[range].find("name=\"").expect("it has a name") + 6;
            let end = start + text[start..].find('"').expect("it ends");
            text.replace_range(start..end, &format!("n{}", dice.below(1000)));
        }
        2 => {
            let Some(range) = pick(dice, &any).and_then(|id| element(&text, &id)) else { return text };
            let at = range.start + text[range].find(" xmi:id=").expect("it has an id");
            text.insert_str(at, &format!(" visibility{}=\"v{}\"", dice.below(2), dice.below(9)));
            if XmlDocument::new(&text).is_err() {
                text.replace_range(at..at + " visibility0=\"v0\"".len(), "");
            }
        }
        // An element is added before another, or behind it.
        3 | 4 => {
            let Some(range) = pick(dice, &any).and_then(|id| element(&text, &id)) else { return text };
            let id = fresh();
            let new = format!(
                "\n        <ownedComment xmi:type=\"uml:Comment\" xmi:id=\"{id}\"><body>{id}</body></ownedComment>"
            );
            text.insert_str(if dice.below(2) == 0 { range.start } else { range.end }, &new);
        }
        // A message is added to an interaction.
        5 | 6 => {
            let ends = ids(&text, |document, node| {
                document.tag(node) == "fragment" && document.attribute(node, "message").is_some()
            });
            let Some(end) = pick(dice, &ends) else { return text };
            let range = element(&text, &end).expect("it is there");
            let lines: Vec<String> = ids(&text, |document, node| {
                document.tag(node) == "lifeline" && document.nodes[node].whole.end <= range.start
            });
            let lines = lines[lines.len().saturating_sub(2)..].to_vec();
            let (Some(from), Some(to)) = (pick(dice, &lines), pick(dice, &lines)) else { return text };
            let last = ids(&text, |document, node| {
                document.tag(node) == "message" && document.nodes[node].whole.start > range.end
            });
            let id = fresh();
            let message = format!(
                "\n      <message xmi:type=\"uml:Message\" xmi:id=\"{id}\" name=\"{id}\" sendEvent=\"{id}s\" receiveEvent=\"{id}r\"/>"
            );
            let Some(place) = last.first().and_then(|one| element(&text, one)) else { return text };
            text.insert_str(place.end, &message);
            let occurrence = |end: &str, line: &str| {
                format!(
                    "\n      <fragment xmi:type=\"uml:MessageOccurrenceSpecification\" xmi:id=\"{id}{end}\" covered=\"{line}\" message=\"{id}\"/>"
                )
            };
            text.insert_str(range.start, &format!("{}{}", occurrence("s", &from), occurrence("r", &to)));
        }
        // An element is deleted.
        7 => {
            let Some(range) = pick(dice, &any).and_then(|id| element(&text, &id)) else { return text };
            text.replace_range(range, "");
        }
        // An element is moved before another.
        _ => {
            let (Some(one), Some(other)) = (pick(dice, &any), pick(dice, &any)) else { return text };
            let (Some(from), Some(to)) = (element(&text, &one), element(&text, &other)) else { return text };
            if from.contains(&to.start) || to.start == from.end {
                return text;
            }
            let moved = text[from.clone()].to_owned();
            if to.start > from.start {
                text.insert_str(to.start, &moved);
                text.replace_range(from, "");
            } else {
                text.replace_range(from, "");
                text.insert_str(to.start, &moved);
            }
        }
    }
    text
}

fn side(base: &str, dice: &mut Random, prefix: &str) -> String {
    let mut count = 0;
    let mut fresh = || {
        count += 1;
        format!("_{prefix}x{count}")
    };
    let mut text = base.to_owned();
    for _ in 0..1 + dice.below(4) {
        text = edit(&text, dice, &mut fresh);
    }
    text
}

/// The merged text with one side taken in all conflicts.
fn taken(text: &str, side: usize) -> String {
    let mut lines = Vec::new();
    let mut at = None;
    for line in text.split_inclusive('\n') {
        match line {
            _ if line.starts_with("<<<<<<< ours") => at = Some(0),
            _ if line.starts_with("=======") && at == Some(0) => at = Some(1),
            _ if line.starts_with(">>>>>>> theirs") && at == Some(1) => at = None,
            _ if at.is_none_or(|at| at == side) => lines.push(line),
            _ => {}
        }
    }
    lines.concat()
}

/// Checks a merge against the definition.
fn check(base: &str, ours: &str, theirs: &str, merged: &Merged) {
    let text = merged.text();
    let versions = [base, ours, theirs].map(facts);
    let results = [0, 1].map(|side| facts(&taken(&text, side)));
    let all: BTreeSet<&String> = versions.iter().flat_map(BTreeMap::keys).collect();
    for id in all {
        let [was, one, other] = versions.each_ref().map(|all| all.get(id));
        let found = results.each_ref().map(|all| all.get(id));
        let is_somewhere = found.iter().any(Option::is_some);
        match (was, one, other) {
            (Some(_), None, None) => assert!(!is_somewhere, "`{id}` was deleted by both\n{text}"),
            (None, _, _) | (Some(_), Some(_), Some(_)) => {
                for (side, version) in [one, other].into_iter().enumerate() {
                    assert!(version.is_none() || found[side].is_some(), "`{id}` is lost\n{text}");
                }
            }
            // Deleted by one side: gone, or a conflict if the other changed it.
            (Some(was), Some(kept), None) | (Some(was), None, Some(kept)) => {
                assert!(was == kept || is_somewhere, "`{id}` was changed and is gone\n{text}");
            }
        }
        let (Some(one), Some(other)) = (one, other) else {
            if let Some(version) = one.or(other).filter(|_| is_somewhere) {
                let is_kept = |found: &Option<&(_, BTreeMap<String, String>, String)>| {
                    found.is_some_and(|found| found.1 == version.1 && found.2 == version.2)
                };
                assert!(found.iter().any(is_kept), "`{id}` is not as it was written\n{text}");
            }
            continue;
        };
        let before = |name: &String| was.and_then(|was| was.1.get(name));
        let names: BTreeSet<&String> = one.1.keys().chain(other.1.keys()).collect();
        for name in names {
            let values = [one.1.get(name), other.1.get(name)];
            for side in [0, 1] {
                let Some(found) = found[side] else { continue };
                let wanted = match (values[side] == before(name), values[1 - side] == before(name)) {
                    (true, _) if merged.conflicts.is_empty() => values[1 - side],
                    (_, true) => values[side],
                    (false, false) => values[side],
                    (true, false) => continue,
                };
                assert_eq!(found.1.get(name), wanted, "`{name}` of `{id}`\n{text}");
            }
        }
    }
    if merged.conflicts.is_empty() {
        assert_eq!(results[0], results[1]);
    }
}

#[test]
fn random_edits_of_models_lose_nothing() {
    let (mut clean, mut total) = (0, 0);
    for seed in seeds(200) {
        let dice = &mut Random::new(seed);
        let ours = side(DOOR, dice, "o");
        let theirs = side(DOOR, dice, "t");
        // The machines are asked about some: that takes longer.
        let level = if seed % 8 == 0 { ConsistencyLevel::Trigger } else { ConsistencyLevel::Order };
        let merge = |versions: [&str; 3]| {
            let options = MergeOptions { level, ..MergeOptions::default() };
            merge_files("door.uml", versions.map(str::as_bytes), "", options)
        };
        let merged = merge([DOOR, &ours, &theirs]);
        check(DOOR, &ours, &theirs, &merged);
        total += 1;
        clean += usize::from(merged.conflicts.is_empty());
        if seed % 8 == 1 {
            // What one side alone changed is taken as it is, byte for byte.
            for versions in [[DOOR, &ours, DOOR], [DOOR, DOOR, &ours], [DOOR, &ours, &ours]] {
                let merged = merge(versions);
                assert_eq!(merged.text(), ours);
                assert!(merged.conflicts.is_empty(), "{:?}", merged.conflicts);
            }
        }
    }
    assert!(total < 50 || clean * 5 > total, "only {clean} of {total} merges were clean");
}

fn merged(ours: &str, theirs: &str) -> Merged {
    merge_files("door.uml", [DOOR, ours, theirs].map(str::as_bytes), "", MergeOptions::default())
}

/// A message to the front door at the end of `Going out`, before `place`.
fn with_message(id: &str, signal: &str, place: &str) -> String {
    let ends = format!(
        "<fragment xmi:type=\"uml:MessageOccurrenceSpecification\" xmi:id=\"{id}s\" covered=\"_l1\" message=\"{id}\"/>\n      \
         <fragment xmi:type=\"uml:MessageOccurrenceSpecification\" xmi:id=\"{id}r\" covered=\"_l2\" message=\"{id}\"/>\n      "
    );
    let message = format!(
        "<message xmi:type=\"uml:Message\" xmi:id=\"{id}\" messageSort=\"asynchSignal\" signature=\"_{signal}\" sendEvent=\"{id}s\" receiveEvent=\"{id}r\"/>\n      "
    );
    let first = DOOR.replacen(place, &format!("{ends}{place}"), 1);
    let at = "<message xmi:type=\"uml:Message\" xmi:id=\"_m1\"";
    first.replacen(at, &format!("{message}{at}"), 1)
}

const OPTION: &str = "<fragment xmi:type=\"uml:CombinedFragment\"";

#[test]
fn attributes_of_one_element_are_merged_and_the_rest_is_as_it_was() {
    let ours = DOOR.replace("name=\"Opened\"", "name=\"Ajar\"");
    let theirs = DOOR.replace("xmi:id=\"_opened\" name", "xmi:id=\"_opened\" visibility='private' name");
    let done = merged(&ours, &theirs);
    assert_eq!(done.conflicts, Vec::<String>::new());
    assert_eq!(done.text(), theirs.replace("name=\"Opened\"", "name=\"Ajar\""));
}

#[test]
fn an_attribute_changed_in_two_ways_is_a_conflict() {
    let ours = DOOR.replace("name=\"Opened\"", "name=\"Ajar\"");
    let theirs = DOOR.replace("name=\"Opened\"", "name=\"Wide\"");
    let done = merged(&ours, &theirs);
    assert_eq!(done.conflicts, ["both sides changed an attribute of this"]);
    assert_eq!([taken(&done.text(), 0), taken(&done.text(), 1)], [ours, theirs]);
}

#[test]
fn machines_say_which_message_comes_first() {
    // After `close` the door can be locked; a locked door that is opened stays locked, but `close` cannot be received then.
    let ours = with_message("_o", "lock", OPTION);
    let theirs = with_message("_t", "unlock", OPTION);
    let done = merged(&ours, &theirs);
    let text = done.text();
    assert_eq!(done.conflicts, Vec::<String>::new());
    assert!(text.find("_os").expect("ours") < text.find("_ts").expect("theirs"), "{text}");
    let done = merged(&theirs, &ours);
    let text = done.text();
    assert_eq!(done.conflicts, Vec::<String>::new());
    assert!(text.find("_os").expect("ours") < text.find("_ts").expect("theirs"), "{text}");
}

#[test]
fn messages_that_exclude_each_other_are_a_conflict() {
    // A locked door cannot be locked again.
    let [ours, theirs] = ["_o", "_t"].map(|id| with_message(id, "lock", OPTION));
    let done = merged(&ours, &theirs);
    assert_eq!(done.conflicts, ["no order fits"]);
    let reasons: String = done.explanations.iter().flat_map(|one| one.reasons.clone()).collect();
    assert!(reasons.contains("exclude each other"), "{reasons}");
    let [one, other] = [0, 1].map(|side| taken(&done.text(), side));
    let has = |text: &str, id: &str| text.contains(&format!("xmi:id=\"{id}\""));
    assert!(has(&one, "_os") && !has(&one, "_ts"), "{one}");
    assert!(has(&other, "_ts") && !has(&other, "_os"), "{other}");
}

#[test]
fn what_is_deleted_and_still_used_is_told() {
    let ours =
        DOOR.replace("  <packagedElement xmi:type=\"uml:Signal\" xmi:id=\"_unlock\" name=\"unlock\"/>\n", "");
    let theirs = with_message("_t", "unlock", OPTION);
    let done = merged(&ours, &theirs);
    assert!(done.text().contains("xmi:id=\"_unlock\""), "{}", done.text());
}

#[test]
fn comments_encodings_and_line_breaks_stay() {
    let base = DOOR.replace('\n', "\r\n").replace("<region", "<!-- top --><region");
    let ours = base.replace("name=\"Opened\"", "name=\"Ajar\"");
    let theirs = base.replace("name=\"Locked\"", "name=\"Bolted\"");
    let done = merge_files(
        "door.uml",
        [&base, &ours, &theirs].map(|text| text.as_bytes()),
        "",
        MergeOptions::default(),
    );
    assert_eq!(done.text(), ours.replace("name=\"Locked\"", "name=\"Bolted\""));
    let latin = |text: &str| {
        text.replace("UTF-8", "windows-1252")
            .chars()
            .map(|c| u8::try_from(c).expect("latin"))
            .collect::<Vec<u8>>()
    };
    let base = DOOR.replace("name=\"Opened\"", "name=\"Geöffnet\"");
    let ours = base.replace("name=\"Locked\"", "name=\"Verschlößen\"");
    let theirs = base.replace("name=\"Closed\"", "name=\"Zu\"");
    let done = merge_files(
        "door.uml",
        [&latin(&base), &latin(&ours), &latin(&theirs)].map(Vec::as_slice),
        "",
        MergeOptions::default(),
    );
    assert_eq!(done.bytes, latin(&ours.replace("name=\"Closed\"", "name=\"Zu\"")));
}

/// The first and the last name in a model, replaced: ours, theirs, and both.
fn renamed(text: &[u8]) -> Option<[Vec<u8>; 3]> {
    let names: Vec<usize> =
        text.windows(7).enumerate().filter(|(_, word)| *word == b" name=\"").map(|(at, _)| at + 7).collect();
    let (first, last) = (*names.first()?, *names.last()?);
    let end = |at: usize| at + text[at..].iter().position(|byte| *byte == b'"').unwrap_or(0);
    let with = |is_first: bool, is_last: bool| {
        let new = |is_new: bool, at: usize, name: &'static [u8]| {
            if is_new { name.to_vec() } else { text[at..end(at)].to_vec() }
        };
        let middle = &text[end(first)..last];
        [
            &text[..first],
            &new(is_first, first, b"Ours"),
            middle,
            &new(is_last, last, b"Theirs"),
            &text[end(last)..],
        ]
        .concat()
    };
    (first < last).then(|| [with(true, false), with(false, true), with(true, true)])
}

#[test]
fn models_of_other_tools_keep_their_bytes() {
    let Some(corpus) = corpus() else { return };
    let (mut merged, mut refused) = (0, 0);
    for entry in std::fs::read_dir(corpus.join("xmi")).expect("models") {
        let path = entry.expect("entry").path();
        let name = path.to_string_lossy().into_owned();
        let base = std::fs::read(&path).expect("a readable model");
        let Some([ours, theirs, both]) =
            renamed(&base).filter(|_| xmi::has_ending(&name) && base.len() < 60_000)
        else {
            continue;
        };
        let files = VersionFiles { name: &name, base: &base, ours: &ours, theirs: &theirs };
        let draft = draft(&files, &mut NoFiles, false);
        match draft.conflicts().next() {
            // References by place.
            Some(conflict) => {
                assert!(conflict.why.contains("by their places"), "{name}: {}", conflict.why);
                refused += 1;
            }
            None => {
                let bytes = draft.bytes(&draft.plain_order(RevisionSide::Ours), &ConflictMarks::default());
                assert!(bytes == both, "{name} has other bytes");
                merged += 1;
            }
        }
    }
    assert!(merged > 20 && refused < 4, "{merged} merged, {refused} not");
}
