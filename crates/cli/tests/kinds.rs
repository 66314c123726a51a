//! Diagrams of other kinds: each is told in one finding, and none is an error.

mod runner;

use runner::{folder, run, with_input};
use serde_json::Value;

const OTHERS: &[&str] = &[
    "@startuml\n!include https://raw.githubusercontent.com/plantuml-stdlib/C4-PlantUML/master/C4_Container.puml\nPerson(user, \"User\")\nSystem_Boundary(s, \"Shop\") {\n  Container(web, \"Web\", \"React\")\n}\nRel(user, web, \"uses\", \"HTTPS\")\n@enduml\n",
    "@startuml\n!include <C4/C4_Context>\nLAYOUT_WITH_LEGEND()\nPerson(a, \"A\")\nSystem(b, \"B\")\nRel_R(a, b, \"x\")\n@enduml\n",
    "@startuml\n!include C4_Component.puml\nComponent(a, \"A\")\nBiRel(a, a, \"x\")\n@enduml\n",
    "@startuml\n!include <archimate/Archimate>\nBusiness_Actor(a, \"A\")\nApplication_Component(b, \"B\")\nRel_Serving(b, a, \"x\")\n@enduml\n",
    "@startuml\narchimate #Technology \"VPN Server\" as vpn <<technology-device>>\nrectangle GO #lightgreen\nvpn -> GO\n@enduml\n",
    "@startuml\n[First] --> [Second component]\ninterface I\n[First] ..> I : use\n@enduml\n",
    "@startuml\npackage \"P\" {\n  HTTP - [First Component]\n  [Another Component]\n}\ncloud {\n  [Example 1]\n}\n@enduml\n",
    "@startuml\nnode n {\n  artifact a\n}\ndatabase d\nn --> d\n@enduml\n",
    "@startuml\nleft to right direction\nactor User\nUser --> (Use the application) : a small label\n:Main Admin: --> (Administer)\n@enduml\n",
    "@startuml\nusecase UC1\nactor A\nA --> UC1\n@enduml\n",
    "@startuml\nstart\n:read;\nif (found?) then (yes)\n  :print;\nelse (no)\n  stop\nendif\nend\n@enduml\n",
    "@startuml\n|Customer|\nstart\n:order\nsomething;\n|Shop|\nwhile (more?) is (yes)\n  :pack;\nendwhile (no)\nstop\n@enduml\n",
    "@startuml\n(*) --> \"First\"\n--> (*)\n@enduml\n",
    "@startmindmap\n* root\n** a\n@endmindmap\n",
    "@startgantt\n[Task] lasts 5 days\n@endgantt\n",
    "@startjson\n{\"a\": 1}\n@endjson\n",
    "@startyaml\na: 1\n@endyaml\n",
    "@startwbs\n* a\n@endwbs\n",
    "@startsalt\n{\n  [OK]\n}\n@endsalt\n",
    "@startuml\nsalt\n{\n  [OK]\n}\n@enduml\n",
    "@startuml\nrobust \"Web\" as W\n@0\nW is Idle\n@100\nW is Busy\n@enduml\n",
    "@startuml\nnwdiag {\n  network dmz {\n    web;\n  }\n}\n@enduml\n",
    "@startebnf\na = b;\n@endebnf\n",
    "@startchen\nentity A {\n}\n@endchen\n",
    "flowchart LR\n  A --> B\n",
    "graph TD\n  A --> B\n",
    "erDiagram\n  A ||--o{ B : has\n",
    "gantt\n  title x\n",
    "pie\n  \"a\" : 1\n",
    "journey\n  title x\n",
    "mindmap\n  root\n",
    "timeline\n  a : b\n",
    "gitGraph\n  commit\n",
    "C4Context\n  title x\n",
    "quadrantChart\n  title x\n",
    "requirementDiagram\n",
    "xychart-beta\n  title x\n",
    "block-beta\n  a\n",
    "sankey-beta\na,b,1\n",
    "packet-beta\n0-1: \"a\"\n",
    "architecture-beta\n  group a\n",
    "kanban\n  a\n",
    "zenuml\n  a.b()\n",
    "radar-beta\n  axis a\n",
];

#[test]
fn other_kinds_are_told_once_and_never_wrong() {
    for text in OTHERS {
        let (code, out, _) = with_input(&["check", "-", "--format", "json"], text);
        let value: Value = serde_json::from_str(&out).expect("JSON");
        let codes: Vec<&str> = value["diagnostics"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|one| one["code"].as_str())
            .collect();
        assert_eq!((code, codes), (0, vec!["H003"]), "{text}{out}");
        let (code, out, _) = with_input(&["check", "-"], text);
        assert!(
            code == 0 && out.lines().count() == 1 && out.contains("1 diagram of other kinds not checked"),
            "{text}{out}"
        );
        assert_eq!(with_input(&["check", "-", "-q"], text).1, "", "{text}");
    }
}

/// A mistake in a diagram that is read stays a mistake.
#[test]
fn broken_diagrams_are_not_taken_for_others() {
    for text in [
        "@startuml\nparticipant A\ndatabase D\nA -> D : x\nnonsense here\n@enduml\n",
        "@startuml\nactor User\nUser -> Shop : order(1)\nShop -> DB save\n@enduml\n",
        "@startuml\n[*] --> A\nA -> B -> C\nstate A {\n@enduml\n",
        "@startuml\n[-> A : go\nA -] : x\nnode\n@enduml\n",
        "sequenceDigram\n  A->>B: x\n",
    ] {
        let (code, out, _) = with_input(&["check", "-"], text);
        assert!(code == 1 && out.contains("error["), "{text}{out}");
    }
}

#[test]
fn documents_of_other_formats_hold_diagrams() {
    let root = folder("kinds-documents");
    let write = |file: &str, text: &str| std::fs::write(root.join(file), text).expect("writable");
    write("a.adoc", "= T\n\n[plantuml, target=x]\n----\nopt\nend\nA -> B : x\n----\n");
    write("b.rst", "T\n=\n\n.. mermaid::\n\n   sequenceDiagram\n     opt\n     end\n     A->>B: x\n\nmore\n");
    write("c.md", "# T\n\n```kroki-plantuml\nopt\nend\nA -> B : x\n```\n");
    write("d.md", "# no diagram\n");
    let path = root.to_str().expect("a plain path");
    let (code, out, _) = run(&["check", path, "--format", "concise"]);
    let places: Vec<String> = out.lines().map(|line| line.replace(path, "").replace("/", "")).collect();
    assert_eq!(code, 0);
    assert!(places.len() == 3 && places[0].starts_with("a.adoc:5:1: W207"), "{out}");
    assert!(places[1].starts_with("b.rst:7:6: W207") && places[2].starts_with("c.md:4:1: W207"), "{out}");
}

#[test]
fn a_folder_without_diagrams_is_one_finding() {
    let root = folder("kinds-none");
    for name in ["a.md", "b.md", "c.adoc", "d.rst"] {
        std::fs::write(root.join(name), "# Words\n").expect("writable");
    }
    let (code, out, _) = run(&["check", root.to_str().expect("a plain path"), "--format", "concise"]);
    assert!(
        code == 0 && out.lines().count() == 1 && out.contains("none of the 4 files holds a diagram"),
        "{out}"
    );
}
