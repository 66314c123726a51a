//! `check --fix`: after it the finding is gone, no error is new, and everything else is as it was, byte for byte.

mod runner;

use std::collections::BTreeMap;
use std::path::Path;

use runner::{folder, run};
use serde_json::Value;

/// The codes that a check reports, each as often as it does.
fn codes(path: &Path) -> Vec<String> {
    let (_, out, err) = run(&["check", "--format", "json", path.to_str().expect("a plain path")]);
    let value: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
    let all = value["diagnostics"].as_array().cloned().unwrap_or_default();
    all.iter().filter_map(|one| one["code"].as_str()).map(str::to_owned).collect()
}

/// Fixes a file of this name and text; what it is then.
fn fixed(name: &str, text: &str) -> (String, Vec<String>) {
    let folder = folder(&format!("fix-{}", name.replace('.', "-")));
    let path = folder.join(name);
    std::fs::write(&path, text).expect("writable");
    run(&["check", "--fix", path.to_str().expect("a plain path")]);
    (std::fs::read_to_string(&path).expect("readable"), codes(&path))
}

#[track_caller]
fn becomes(name: &str, before: &str, after: &str, code: &str) {
    let (text, left) = fixed(name, before);
    assert_eq!(text, after, "{left:?}");
    assert!(!left.iter().any(|one| one == code), "{left:?}");
}

#[test]
fn misspelt_names() {
    becomes(
        "slip.puml",
        "@startuml\nparticipant Payment\nparticipant Order\nOrder -> Paymnt : pay\nPaymnt --> Order : ok\nnote over Paymnt : Paymnt is here\n@enduml\n",
        "@startuml\nparticipant Payment\nparticipant Order\nOrder -> Payment : pay\nPayment --> Order : ok\nnote over Payment : Paymnt is here\n@enduml\n",
        "W219",
    );
    becomes(
        "word.mmd",
        "sequenceDiagram\n  partcipant A\n  A->>B: x\n",
        "sequenceDiagram\n  participant A\n  A->>B: x\n",
        "E101",
    );
    becomes(
        "colour.puml",
        "@startuml\r\nparticipant A #grean\r\nA -> B : x\r\n@enduml\r\n",
        "@startuml\r\nparticipant A #Green\r\nA -> B : x\r\n@enduml\r\n",
        "E110",
    );
    becomes(
        "formula.puml",
        "@startuml\n' @ltl F received(shpi)\nA -> B : ship\n@enduml\n",
        "@startuml\n' @ltl F received(ship)\nA -> B : ship\n@enduml\n",
        "E502",
    );
    becomes(
        "directive.puml",
        "@startuml\n' @forbiden\nA -> B : ship\n@enduml\n",
        "@startuml\n' @forbidden\nA -> B : ship\n@enduml\n",
        "W401",
    );
    becomes("kind.mmd", "sequencDiagram\n  A->>B: x\n", "sequenceDiagram\n  A->>B: x\n", "E101");
}

#[test]
fn missing_ends() {
    becomes(
        "end.mmd",
        "sequenceDiagram\n  A->>B: x\n  loop often\n    A->>B: y\n\n  B-->>A: z\n",
        "sequenceDiagram\n  A->>B: x\n  loop often\n    A->>B: y\n  end\n\n  B-->>A: z\n",
        "E102",
    );
    becomes(
        "flat.mmd",
        "sequenceDiagram\nA->>B: x\nalt good\nA->>B: y\nelse bad\nB-->>A: z",
        "sequenceDiagram\nA->>B: x\nalt good\nA->>B: y\nelse bad\nB-->>A: z\nend",
        "E102",
    );
    becomes(
        "two.puml",
        "@startuml\nA -> B : x\nalt a\n  opt b\n    A -> B : y\nelse c\n  A -> B : z\n@enduml\n",
        "@startuml\nA -> B : x\nalt a\n  opt b\n    A -> B : y\n  end\nelse c\n  A -> B : z\nend\n@enduml\n",
        "W102",
    );
    becomes(
        "state.mmd",
        "stateDiagram-v2\n  [*] --> A\n  state A {\n    [*] --> B\n  A --> C\n",
        "stateDiagram-v2\n  [*] --> A\n  state A {\n    [*] --> B\n  }\n  A --> C\n",
        "E102",
    );
    becomes("start.puml", "@startuml\nA -> B : x\n", "@startuml\nA -> B : x\n@enduml\n", "W106");
    becomes(
        "bar.puml",
        "@startuml\nA -> C : w\nactivate C\nC --> A : v\ndeactivate C\n  A -> B : x\nactivate B\n  B --> A : y\nA -> C : z\n@enduml\n",
        "@startuml\nA -> C : w\nactivate C\nC --> A : v\ndeactivate C\n  A -> B : x\nactivate B\n  B --> A : y\n  deactivate B\nA -> C : z\n@enduml\n",
        "W201",
    );
}

#[test]
fn a_misspelt_deactivation_is_corrected_and_none_is_removed() {
    becomes(
        "bar.puml",
        "@startuml\nparticipant Client\nparticipant Worker\nClient -> Worker : run\nactivate Worker\nWorker --> Client : done\ndeactivate Workr\n@enduml\n",
        "@startuml\nparticipant Client\nparticipant Worker\nClient -> Worker : run\nactivate Worker\nWorker --> Client : done\ndeactivate Worker\n@enduml\n",
        "W219",
    );
    becomes(
        "bar.mmd",
        "sequenceDiagram\n  participant Worker\n  A->>Worker: run\n  activate Worker\n  Worker-->>A: done\n  deactivate Workr\n",
        "sequenceDiagram\n  participant Worker\n  A->>Worker: run\n  activate Worker\n  Worker-->>A: done\n  deactivate Worker\n",
        "E111",
    );
    let text = "@startuml\nA -> B : x\ndeactivate B\nB -> A : y\n@enduml\n";
    assert_eq!(fixed("idle.puml", text).0, text);
}

#[test]
fn one_fix_that_is_refused_holds_no_other() {
    let folder = folder("fix-many");
    let mut text = "sequenceDiagram\n".to_owned();
    (0..30).for_each(|number| text += &format!("  A->>B: a{number}; b\n"));
    std::fs::write(folder.join("a.mmd"), &text).expect("writable");
    // An `end` at the end would leave the `else` in a block that has no branches.
    let open = "sequenceDiagram\n  alt a\n  A->>B: x\n  opt b\n  A->>B: y\n  else c\n  A->>B: z\n  end\n";
    std::fs::write(folder.join("b.mmd"), open).expect("writable");
    let (_, _, err) = run(&["check", "--fix", folder.to_str().expect("a plain path")]);
    assert!(err.contains("30 findings fixed in 1 file\n"), "{err}");
    assert!(err.contains("b.mmd:2:3: E102 is left: the fix would bring E104"), "{err}");
}

#[test]
fn what_a_fix_brings_to_light_was_wrong_before() {
    becomes(
        "light.mmd",
        "sequenceDiagram\n  participant A\n  participant B\n  deactivate A\n  opt\n    A->>B: t\n",
        "sequenceDiagram\n  participant A\n  participant B\n  deactivate A\n  opt\n    A->>B: t\n  end\n",
        "E102",
    );
}

#[test]
fn suppressions_that_suppress_nothing_are_removed() {
    becomes(
        "allow.puml",
        "@startuml\n' sequent: allow W203\nA -> B : x\nB --> A : y\n@enduml\n",
        "@startuml\nA -> B : x\nB --> A : y\n@enduml\n",
        "W408",
    );
}

#[test]
fn what_is_left_is_told() {
    let folder = folder("fix-left");
    let path = folder.join("left.puml");
    std::fs::write(&path, "@startuml\nA -> B : x\ndeactivate B\n@enduml\n").expect("writable");
    let (_, _, err) = run(&["check", "--fix", path.to_str().expect("a plain path")]);
    assert!(err.contains("1 finding left to a decision"), "{err}");
}

#[test]
fn semicolons_and_aliases_of_mermaid() {
    becomes(
        "semicolon.mmd",
        "sequenceDiagram\n  A->>B: stop; then go; or not\n  A->>B: y\n",
        "sequenceDiagram\n  A->>B: stop#59; then go#59; or not\n  A->>B: y\n",
        "E101",
    );
    becomes(
        "alias.mmd",
        "sequenceDiagram\n  participant \"Status Page\" as SP\n  SP->>B: x\n",
        "sequenceDiagram\n  participant SP as Status Page\n  SP->>B: x\n",
        "W125",
    );
}

#[test]
fn documents_are_changed_inside_their_diagrams_only() {
    let markdown = "# Prose; with Paymnt 🎉\n\n* item\n\n  ```mermaid\n  sequenceDiagram\n    participant Payment\n    participant A\n    A->>Paymnt: 🎉 a; b\n    opt c\n      A->>Payment: d\n  ```\n\nloop\n";
    let expected = "# Prose; with Paymnt 🎉\n\n* item\n\n  ```mermaid\n  sequenceDiagram\n    participant Payment\n    participant A\n    A->>Payment: 🎉 a#59; b\n    opt c\n      A->>Payment: d\n    end\n  ```\n\nloop\n";
    let (text, left) = fixed("page.md", markdown);
    assert_eq!(text, expected, "{left:?}");
    let asciidoc = "= Title\n\n[plantuml]\n----\nA -> B : x\nloop 3\n  B -> A : y\n----\n\nend of it\n";
    let expected = "= Title\n\n[plantuml]\n----\nA -> B : x\nloop 3\n  B -> A : y\nend\n----\n\nend of it\n";
    let (text, left) = fixed("page.adoc", asciidoc);
    assert_eq!(text, expected, "{left:?}");
}

#[test]
fn what_needs_a_decision_is_left_alone() {
    for (name, text) in [
        // Short names may well be two.
        ("short.puml", "@startuml\nparticipant Bob\nBob -> Bbo : x\nBbo -> Bob : y\n@enduml\n"),
        // A macro made the word.
        (
            "macro.puml",
            "@startuml\n!define CALL Paymnt\nparticipant Payment\nPayment -> CALL : x\nCALL -> Payment : y\n@enduml\n",
        ),
        ("clean.puml", "@startuml\nA -> B : x\n@enduml\n"),
        ("prose.md", "loop without end; nothing else\n"),
    ] {
        assert_eq!(fixed(name, text).0, text);
    }
}

#[test]
fn settings_and_files_beside_are_fixed_only_if_they_were_given() {
    let folder = folder("fix-beside");
    let settings = "[sytem]\ncapacity = 2\n";
    let machine = "@startuml\n' @machine Door\nparticipant x\n@enduml\n";
    std::fs::write(folder.join("sequent.toml"), settings).expect("writable");
    std::fs::write(folder.join("b.puml"), machine).expect("writable");
    std::fs::write(folder.join("a.mmd"), "sequenceDiagram\n  partcipant A\n  A->>B: x\n").expect("writable");
    let file = folder.join("a.mmd");
    let (_, _, err) = run(&["check", "--fix", file.to_str().expect("a plain path")]);
    assert!(err.contains("1 finding fixed in 1 file"), "{err}");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("readable");
    assert_eq!((read("sequent.toml").as_str(), read("b.puml").as_str()), (settings, machine));
    run(&["check", "--fix", folder.to_str().expect("a plain path")]);
    assert_eq!(read("sequent.toml"), "[system]\ncapacity = 2\n");
}

#[test]
fn every_example_is_as_good_after_its_fixes_as_before() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/diagnostics");
    let mut changed = BTreeMap::new();
    for entry in std::fs::read_dir(&examples).expect("readable") {
        let path = entry.expect("readable").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if !path.is_file() || name.ends_with(".out") {
            continue;
        }
        let folder = folder("fix-example");
        let copy = folder.join(&name);
        // What is announced is not mended.
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("readable")).replace("@expect", "@ ");
        std::fs::write(&copy, &text).expect("writable");
        let bytes = text.into_bytes();
        run(&["check", "--fix", copy.to_str().expect("a plain path")]);
        if bytes == std::fs::read(&copy).expect("readable") {
            continue;
        }
        let count = |path: &Path| {
            let (_, out, _) = run(&["check", "--format", "concise", path.to_str().expect("a plain path")]);
            let lines = out.lines().filter(|line| line.contains(": E")).count();
            (lines, out.lines().count())
        };
        let after = count(&copy);
        std::fs::write(&copy, &bytes).expect("writable");
        let before = count(&copy);
        assert!(after.0 <= before.0 && after < before, "{name}: {before:?} {after:?}");
        changed.insert(name, (before, after));
    }
    assert!(changed.len() > 5, "{changed:?}");
}

#[test]
fn sarif_carries_the_fixes() {
    let folder = folder("fix-sarif");
    let path = folder.join("a.mmd");
    std::fs::write(&path, "sequenceDiagram\n  A->>B: 🎉 a; b\n").expect("writable");
    let (_, out, _) = run(&["check", "--format", "sarif", path.to_str().expect("a plain path")]);
    let value: Value = serde_json::from_str(&out).expect("JSON");
    let change = &value["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0];
    let replacement = &change["replacements"][0];
    assert_eq!(replacement["insertedContent"]["text"], "#59;");
    assert_eq!(replacement["deletedRegion"]["startColumn"], 13);
    assert_eq!(replacement["deletedRegion"]["endColumn"], 14);
}
