//! What the sides changed at different places: the state machines judge the whole merged diagram.

use sequent::merge::{ConsistencyLevel, MergeOptions};

use crate::{Merged, merge_count, merge_files};

const DOOR: &str = "@startuml Door\n[*] --> open\nopen --> shut : push\nshut --> open : pull\n@enduml\n";

fn scene(lines: &str) -> String {
    format!("@startuml\nactor g\nactor w\nparticipant \"d : Door\" as d\nparticipant v\n{lines}@enduml\n")
}

/// Merges lines of a diagram with a door, and counts the merges.
fn merged_at(level: ConsistencyLevel, versions: [&str; 3]) -> (Merged, Option<String>) {
    let texts = versions.map(scene);
    let bytes = texts.each_ref().map(|text| text.as_bytes());
    let options = MergeOptions { level, ..MergeOptions::default() };
    (merge_files("a.puml", bytes, DOOR, options.clone()), merge_count("a.puml", bytes, DOOR, options))
}

fn merged(versions: [&str; 3]) -> Merged {
    merged_at(ConsistencyLevel::Trigger, versions).0
}

fn reasons(found: &Merged) -> String {
    found.explanations.iter().flat_map(|one| one.reasons.clone()).collect::<Vec<_>>().join("\n")
}

const NOTE: &str = "g ->> v : note\n";

#[test]
fn two_pushes_at_different_places_exclude_each_other() {
    let versions = [NOTE, "g ->> d : push\ng ->> v : note\n", "g ->> v : note\nw ->> d : push\n"];
    for level in [ConsistencyLevel::Trigger, ConsistencyLevel::Full] {
        for versions in [versions, [versions[0], versions[2], versions[1]]] {
            let (found, count) = merged_at(level, versions);
            assert_eq!(count.as_deref(), Some("0"), "{level:?}");
            assert_eq!(found.conflicts.len(), 2, "{level:?} {}", found.text());
            let reasons = reasons(&found);
            assert!(reasons.contains("g->d:push") && reasons.contains("w->d:push"), "{level:?} {reasons}");
            assert!(reasons.contains("exclude each other"), "{level:?} {reasons}");
        }
    }
    let (found, count) = merged_at(ConsistencyLevel::Order, versions);
    assert_eq!((count.as_deref(), found.conflicts.len()), (Some("1"), 0));
    let mark = "<<<<<<< ours (no order fits; not every mixture of sides suits the state machines)";
    let expected = format!(
        "{mark}\ng ->> d : push\n=======\n>>>>>>> theirs\ng ->> v : note\n\
                    {mark}\n=======\nw ->> d : push\n>>>>>>> theirs\n"
    );
    let text = merged(versions).text();
    assert!(text.contains(&expected), "{text}");
}

/// What the base draws to the door and the door does not know is nothing to its machine; the rest is judged as ever.
#[test]
fn messages_that_a_machine_never_knew_do_not_silence_it() {
    let versions =
        ["g ->> d : note\n", "g ->> d : push\ng ->> d : note\n", "g ->> d : note\nw ->> d : push\n"];
    for level in [ConsistencyLevel::Trigger, ConsistencyLevel::Full] {
        let (found, count) = merged_at(level, versions);
        assert_eq!((count.as_deref(), found.conflicts.len()), (Some("0"), 2), "{level:?} {}", found.text());
        let notes = found.notes.join("\n");
        assert!(notes.contains("`d` has no transition for `note`, which the base draws already"), "{notes}");
    }
    // One push is fine, and a message that only a side adds is not excused.
    let (found, count) = merged_at(ConsistencyLevel::Trigger, [versions[0], versions[1], versions[0]]);
    assert_eq!((count.as_deref(), found.conflicts.len()), (Some("1"), 0), "{}", found.text());
    let added = [versions[0], "g ->> d : note\ng ->> d : knock\n", versions[0]];
    let notes = merged(added).notes.join("\n");
    assert!(
        notes.contains("our version contradicts a state machine by itself: `d` cannot receive"),
        "{notes}"
    );
}

/// A choice elsewhere, which has nothing to do with the door, stays merged.
#[test]
fn a_choice_elsewhere_is_not_blamed() {
    let ours = "g ->> d : push\ng ->> v : note\ng ->> v : x\ng ->> v : last\n";
    let theirs = "g ->> v : note\ng ->> v : y\ng ->> v : last\nw ->> d : push\n";
    let found = merged(["g ->> v : note\ng ->> v : last\n", ours, theirs]);
    let text = found.text();
    assert!(
        text.contains(">>>>>>> theirs\ng ->> v : note\ng ->> v : x\ng ->> v : y\ng ->> v : last\n"),
        "{text}"
    );
    let reasons = reasons(&found);
    assert!(reasons.contains("`g->d:push` (ours) and `w->d:push` (theirs) exclude each other"), "{reasons}");
    let in_block = |lines: &str| format!("loop (1,2)\n{lines}end\n");
    let versions = [
        in_block(NOTE),
        in_block(&format!("g ->> d : push\n{NOTE}")),
        in_block(&format!("{NOTE}w ->> d : push\n")),
    ];
    let found = merged(versions.each_ref().map(String::as_str));
    let (text, told) = (found.text(), found.explanations[0].reasons.join("\n"));
    assert!(text.contains(">>>>>>> theirs\ng ->> v : note\n<<<<<<<"), "{text}");
    assert!(told.contains("`g->d:push` (ours) and `w->d:push` (theirs) exclude each other"), "{told}");
}

/// Additions that suit each other only across places.
#[test]
fn places_are_judged_together() {
    let base = "g ->> v : 1\ng ->> v : 2\n";
    let ours = "g ->> d : push\ng ->> v : 1\ng ->> v : 2\ng ->> d : pull\n";
    // Only between the push and the pull of ours is there a pull and a push.
    let theirs = "g ->> v : 1\nw ->> d : pull\nw ->> d : push\ng ->> v : 2\n";
    let (found, count) = merged_at(ConsistencyLevel::Trigger, [base, ours, theirs]);
    assert_eq!((count.as_deref(), found.conflicts.len()), (Some("1"), 0), "{}", found.text());
    let theirs = "g ->> v : 1\nw ->> d : push\nw ->> d : pull\ng ->> v : 2\n";
    let (found, count) = merged_at(ConsistencyLevel::Trigger, [base, ours, theirs]);
    assert_eq!(count.as_deref(), Some("0"), "{}", found.text());
}

/// One side deletes what the other relies on.
#[test]
fn deletions_and_edits_are_judged_too() {
    let base = "g ->> d : push\ng ->> d : pull\ng ->> v : note\n";
    let ours = "g ->> d : push\ng ->> d : pull\ng ->> v : note\nw ->> d : push\n";
    for theirs in ["g ->> d : push\ng ->> v : note\n", "g ->> d : push\ng ->> v : pull\ng ->> v : note\n"] {
        for (one, other) in [(ours, theirs), (theirs, ours)] {
            let found = merged([base, one, other]);
            assert!(!found.conflicts.is_empty(), "{}", found.text());
        }
    }
    // Without the machines it merges.
    let found = merged_at(ConsistencyLevel::Order, [base, ours, "g ->> d : push\ng ->> v : note\n"]).0;
    assert!(found.conflicts.is_empty());
}

#[test]
fn a_version_that_contradicts_the_machines_is_told() {
    let twice = "g ->> d : push\nw ->> d : push\ng ->> v : note\n";
    let other = "g ->> v : note\ng ->> v : more\n";
    for (versions, whose) in [
        ([NOTE, twice, other], "our version"),
        ([NOTE, other, twice], "their version"),
        ([NOTE, NOTE, twice], "their version"),
        ([NOTE, twice, NOTE], "our version"),
    ] {
        let (found, count) = merged_at(ConsistencyLevel::Trigger, versions);
        let told = found.notes.join("\n");
        assert!(told.contains(&format!("{whose} contradicts a state machine by itself")), "{told}");
        assert!(!found.conflicts.is_empty(), "{}", found.text());
        assert!(versions[1] == NOTE || versions[2] == NOTE || count.as_deref() == Some("0"), "{count:?}");
    }
    // What the base cannot do limits nothing, and is told.
    let base = "g ->> d : push\nw ->> d : push\n";
    let found = merged([base, &format!("{base}g ->> v : x\n"), &format!("{base}g ->> v : y\n")]);
    assert!(found.conflicts.is_empty() && found.notes.join("\n").contains("its state machine is not asked"));
}
