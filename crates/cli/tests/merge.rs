//! The commands `merge` and `diff` as a user sees them.

mod runner;

use runner::{folder, run, with_input};

/// Three versions of a diagram, and the machines, as files.
fn versions(name: &str) -> [String; 5] {
    let folder = folder(name);
    let door = "@startuml Door\n[*] --> shut\nshut --> open : pull\nopen --> shut : push\n@enduml\n";
    let scene = |lines: &str| format!("@startuml\nparticipant \"d : Door\" as d\n{lines}@enduml\n");
    let files = [
        ("base.puml", scene("u -> d : pull\n")),
        ("ours.puml", scene("u -> d : pull\nu -> d : push\n")),
        ("theirs.puml", scene("u -> d : pull\nu -> v : wait\n")),
        ("bad.puml", scene("u -> d : pull\nx -> d : push\n")),
        ("door.puml", door.to_owned()),
    ];
    let write = |(name, text): (&str, String)| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("a writable file");
        path.to_str().expect("a plain path").to_owned()
    };
    files.map(write)
}

#[test]
fn merges_are_counted_listed_picked_and_written() {
    let files = versions("merge-cli");
    let [base, ours, theirs, bad, door] = files.each_ref().map(String::as_str);
    let (code, out, _) = run(&["merge", base, ours, theirs, "--machines", door, "--count"]);
    assert_eq!((code, out.as_str()), (0, "2\n"));
    let (code, out, _) = run(&["merge", base, ours, theirs, "--machines", door, "--all", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let expected = serde_json::json!({
        "count": "2",
        "conflict": null,
        "complete": true,
        "merges": [["u->d:pull", "u->d:push", "u->v:wait"], ["u->d:pull", "u->v:wait", "u->d:push"]],
    });
    assert_eq!((code, json), (0, expected));
    let (_, first, _) = run(&["merge", base, ours, theirs, "--machines", door]);
    let (_, second, _) = run(&["merge", "--machines", door, base, ours, theirs, "--pick", "2"]);
    assert!(first.ends_with("u -> d : push\nu -> v : wait\n@enduml\n"), "{first}");
    assert!(second.ends_with("u -> v : wait\nu -> d : push\n@enduml\n"), "{second}");
    let (_, other, _) = run(&["merge", base, ours, theirs, "--prefer", "theirs"]);
    assert_eq!(other, second);
    let (code, out, _) = with_input(&["merge", base, ours, theirs, "--interactive"], "x\n2\n");
    assert_eq!((code, out), (0, second));
    let (code, ..) = run(&["merge", base, ours, theirs, "--pick", "3"]);
    assert_eq!(code, 2);
    let (code, out, told) = run(&["merge", base, ours, bad, "--machines", door]);
    assert!(code == 1 && out.contains("<<<<<<< ours") && told.contains("exclude each other"), "{out}{told}");
    let (code, out, _) = run(&["merge", base, ours, bad, "--machines", door, "--format", "json", "--all"]);
    let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &json["count"], &json["merges"]), (1, &"0".into(), &serde_json::json!([])));
    assert!(json["conflict"]["proposals"].is_array(), "{json}");
    let (code, ..) = run(&["merge", base, ours]);
    assert_eq!(code, 2);
    let (code, ..) = run(&["merge", base, ours, "nowhere.puml"]);
    assert_eq!(code, 2);
}

/// A command that is killed leaves the old file or the new one, never a part of it.
#[test]
fn a_killed_merge_leaves_no_half_file() {
    let files = versions("merge-killed");
    let [base, ours, theirs, ..] = files.each_ref().map(String::as_str);
    let out = folder("merge-killed-out").join("out.puml");
    let (_, new, _) = run(&["merge", base, ours, theirs]);
    let old = "an old file\n".repeat(2_000);
    let mut seen = [0, 0];
    for delay in (0..24).map(|number| number * 4) {
        std::fs::write(&out, &old).expect("a writable file");
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_sequent"))
            .args(["merge", base, ours, theirs, "-o"])
            .arg(&out)
            .spawn()
            .expect("it starts");
        std::thread::sleep(std::time::Duration::from_millis(delay));
        child.kill().expect("it was started here");
        child.wait().expect("it ends");
        let found = std::fs::read_to_string(&out).expect("a readable file");
        assert!(found == old || found == new, "{found}");
        seen[usize::from(found == new)] += 1;
    }
    assert!(seen[0] > 0, "{seen:?}");
}

#[test]
fn differences_are_told_and_drawn() {
    let files = versions("diff-cli");
    let [base, ours, ..] = files.each_ref().map(String::as_str);
    let (code, out, _) = run(&["diff", base, ours, "--draw"]);
    assert!(
        code == 1 && out.starts_with("4: message added: u -> d : push\n") && out.contains("+ push"),
        "{out}"
    );
    let (code, out, _) = run(&["diff", base, base]);
    assert_eq!((code, out.as_str()), (0, ""));
    let (_, out, _) = run(&["diff", ours, base, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(json["changes"][0]["change"], "deleted");
    let picture = folder("diff-picture").join("changes.svg");
    run(&["diff", base, ours, "-o", picture.to_str().expect("a plain path")]);
    assert!(std::fs::read_to_string(picture).expect("it was drawn").contains("<svg"));
}

#[test]
fn moves_wraps_and_renames_are_told_in_words() {
    let folder = folder("diff-words");
    let compared = |old: &str, new: &str| {
        let write = |name: &str, lines: &str| {
            let path = folder.join(name);
            std::fs::write(&path, format!("@startuml\n{lines}@enduml\n")).expect("a writable file");
            path.to_str().expect("a plain path").to_owned()
        };
        run(&["diff", &write("old.puml", old), &write("new.puml", new)]).1
    };
    let four = "a -> b : 1\nb -> c : 2\nc -> a : 3\na -> c : 4\n";
    assert_eq!(
        compared(four, "b -> c : 2\nc -> a : 3\na -> c : 4\na -> b : 1\n"),
        "5: message moved: a -> b : 1\n"
    );
    let wrapped = "a -> b : 1\nopt maybe\nb -> c : 2\nc -> a : 3\nend\na -> c : 4\n";
    assert_eq!(compared(four, wrapped), "3: block drawn around 2 statements: opt maybe\n");
    assert_eq!(compared(wrapped, four), "3: block taken away from around 2 statements: opt maybe\n");
    assert_eq!(
        compared(wrapped, &wrapped.replace("opt", "loop")),
        "3: block changed: opt maybe -> loop maybe\n"
    );
    assert_eq!(compared(four, &four.replace('c', "cash")), "3: renamed: c -> cash\n");
}

#[test]
fn models_are_compared_element_by_element() {
    let folder = folder("diff-models");
    let house = include_str!("../../../examples/gallery/door-papyrus.uml");
    let new = house
        .replace("name=\"Opened\"", "name=\"Ajar\"")
        .replace("  <packagedElement xmi:type=\"uml:Class\" xmi:id=\"_person\" name=\"Person\"/>\n", "")
        .replace("name=\"Locked\"/>", "name=\"Locked\"/>\n            <subvertex xmi:type=\"uml:State\" xmi:id=\"_new\" name=\"Bolted\"/>");
    let [old_file, new_file] = [("old.uml", house), ("new.uml", new.as_str())].map(|(name, text)| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("a writable file");
        path.to_str().expect("a plain path").to_owned()
    });
    let (code, out, _) = run(&["diff", &old_file, &old_file]);
    assert_eq!((code, out.as_str()), (0, ""));
    let (code, out, _) = run(&["diff", &old_file, &new_file]);
    assert_eq!(code, 1);
    for told in [
        "element changed: State `Opened` (_opened) name=Opened -> State `Ajar` (_opened) name=Ajar\n",
        "element added: State `Bolted` (_new)\n",
        "element deleted: Class `Person` (_person)\n",
    ] {
        assert!(out.contains(told), "{out}");
    }
    assert_eq!(out.lines().count(), 3, "{out}");
    let archive = folder.join("model.mdzip");
    std::fs::write(&archive, b"PK\x03\x04 and so on").expect("a writable file");
    let archive = archive.to_str().expect("a plain path");
    let (code, _, told) = run(&["merge", archive, archive, archive]);
    assert!(code == 2 && told.contains("save the model as text"), "{told}");
}
