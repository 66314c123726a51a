//! Pictures: they carry their diagrams, stand beside documents, and show what changed.

mod runner;

use std::path::Path;

use runner::{folder, run};
use sequent_testing::cases;

const OLD: &str = "@startuml\n[*] --> Idle\nIdle --> Busy : pay\nBusy --> Idle : done\nstate Gone\nIdle --> Gone : leave\n@enduml\n";
const NEW: &str =
    "@startuml\n[*] --> Idle\nIdle --> Busy : pay [x]\nBusy --> Out : broken\nBusy : entry / beep\n@enduml\n";

fn write(file: &Path, text: &str) {
    std::fs::write(file, text).expect("a writable file");
}

fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Runs it and expects success; what it printed.
fn printed(arguments: &[&str]) -> String {
    let (code, out, error) = run(arguments);
    assert_eq!(code, 0, "{arguments:?}: {out} {error}");
    out
}

#[test]
fn a_picture_is_as_good_as_its_text() {
    let path = folder("pictures-carried");
    for example in ["examples/gallery/two-locks.puml", "examples/gallery/door-papyrus.uml"] {
        let source = name(&cases::root().join(example));
        for ending in ["svg", "png"] {
            let pictures = path.join(format!("{}-{ending}", example.replace(['/', '.'], "-")));
            printed(&["render", &source, "--to", ending, "-o", &name(&pictures)]);
            let mut made: Vec<_> = std::fs::read_dir(&pictures)
                .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
                .unwrap_or_else(|_| vec![pictures.clone()]);
            made.sort();
            assert!(!made.is_empty());
            for picture in made {
                let again = printed(&["render", &name(&picture), "--to", "plantuml"]);
                assert!(
                    printed(&["render", &source, "--to", "plantuml"]).contains(again.trim_end()),
                    "{again}"
                );
            }
        }
    }
}

#[test]
fn texts_survive_in_pictures_letter_by_letter() {
    let path = folder("pictures-letters");
    let text = "@startuml\r\n' @ltl G !sent(a)\r\nparticipant \"<b> & 'c' \u{202e}\" as a\r\na -> b : ä 漢 😀 ]]>\r\n@enduml";
    write(&path.join("odd.puml"), text);
    for ending in ["svg", "png"] {
        let picture = path.join(format!("odd.{ending}"));
        printed(&["render", &name(&path.join("odd.puml")), "-o", &name(&picture)]);
        let bytes = std::fs::read(&picture).expect("a picture");
        let carried = sequent_notation::picture::carried(&bytes).expect("it carries its diagram");
        assert_eq!((carried.file.as_str(), carried.text.as_str()), ("odd.puml", text));
    }
    write(&path.join("other.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    let (code, out, error) = run(&["check", &name(&path.join("other.svg"))]);
    assert_eq!(code, 2, "{error}");
    assert!(out.contains("the picture carries no diagram"), "{out}");
}

#[test]
fn pictures_beside_documents_are_kept_up_to_date() {
    let path = folder("pictures-beside");
    let document = path.join("pay.md");
    let text = "# Pay now\n\n```plantuml\nshop -> bank : pay\n```\n\n## Machine\n\n```mermaid\nstateDiagram-v2\n[*] --> A\nA --> B : go\n```\n";
    write(&document, text);
    let all = |extra: &[&str]| run(&[&["render", &name(&path), "--in-place"][..], extra].concat());
    let (code, out, _) = all(&["--check"]);
    assert_eq!(code, 1);
    assert_eq!(out.matches(": missing").count(), 2, "{out}");
    let (code, out, _) = all(&[]);
    assert_eq!((code, out.lines().count()), (0, 2), "{out}");
    assert!(path.join("pay-Pay-now.svg").is_file() && path.join("pay-Machine.svg").is_file(), "{out}");
    assert_eq!((all(&["--check"]).0, all(&[]).1), (0, String::new()), "nothing is written twice");
    write(&document, &text.replace("shop -> bank : pay", "shop -> bank : refund"));
    let (code, out, _) = all(&["--check"]);
    assert!(code == 1 && out.ends_with("pay-Pay-now.svg: out of date\n"), "{out}");
    write(&document, text.split("## Machine").next().unwrap_or_default());
    let (code, out, _) = all(&["--check"]);
    assert!(code == 1 && out.contains("pay-Machine.svg: left over"), "{out}");
    let (code, _, error) = run(&["render", "-", "--in-place", "--check", "--to", "svg"]);
    assert_eq!(code, 2, "{error}");
}

/// A file that only defines something for others has no picture.
#[test]
fn definitions_have_no_picture() {
    let path = folder("pictures-definitions");
    write(&path.join("common.puml"), "@startuml\n!procedure $pay()\na -> b : pay\n!endprocedure\n@enduml\n");
    write(&path.join("pay.puml"), "@startuml\n!include common.puml\n$pay()\n@enduml\n");
    let (code, out, error) = run(&["check", &name(&path), "--format", "concise"]);
    assert!(code == 0 && !out.contains("W107"), "{out}{error}");
    let (code, out, _) = run(&["render", &name(&path), "--in-place"]);
    assert_eq!((code, out.lines().count()), (0, 1), "{out}");
    assert!(path.join("pay.svg").is_file() && !path.join("common.svg").exists(), "{out}");
}

#[test]
fn heads_move_along_on_request_alone() {
    let path = folder("pictures-moving");
    let (file, svg) = (path.join("pay.puml"), path.join("pay.svg"));
    write(&file, "a -> b : pay\n");
    for (extra, expected) in [(&["--moving-heads"][..], true), (&[][..], false)] {
        let (from, to) = (name(&file), name(&svg));
        let all = [&["render", from.as_str(), "-o", to.as_str()][..], extra].concat();
        assert_eq!(run(&all).0, 0);
        let made = std::fs::read_to_string(&svg).expect("a picture");
        assert_eq!(made.contains("<script>"), expected);
        assert!(run(&["render", &name(&svg), "--to", "plantuml"]).1.contains("a -> b : pay"), "{made}");
    }
}

#[test]
fn changes_of_machines_are_drawn() {
    let path = folder("pictures-diff");
    let (old, new) = (path.join("old.puml"), path.join("new.puml"));
    write(&old, OLD);
    write(&new, NEW);
    let (code, out, _) = run(&["diff", &name(&old), &name(&new), "--draw"]);
    assert_eq!(code, 1);
    for part in ["~ pay [x]", "- done", "+ broken", "~ Busy", "+ Out", "- Gone", "- leave"] {
        assert!(out.contains(part), "{part} is not in\n{out}");
    }
    let picture = path.join("diff.svg");
    run(&["diff", &name(&old), &name(&new), "-o", &name(&picture)]);
    let svg = std::fs::read_to_string(&picture).expect("a picture");
    for colour in ["#2e7d32", "#c62828", "#b26a00", "#c8e6c9", "#ffcdd2", "#ffe0b2"] {
        assert!(svg.contains(colour), "{colour} is missing");
    }
    let (code, out, _) = run(&["diff", &name(&old), &name(&old), "--draw"]);
    assert_eq!((code, out.as_str()), (0, ""));
    // What only one version has is drawn as well, however deep it lies.
    write(
        &new,
        "@startuml\nstate Outer {\n[*] --> Idle\nstate Inner {\n[*] --> Deep\n}\nIdle --> Inner\n}\n@enduml\n",
    );
    for pair in [[&old, &new], [&new, &old]] {
        let (_, out, error) = run(&["diff", &name(pair[0]), &name(pair[1]), "--draw"]);
        assert!(out.contains("Deep") && out.contains("Gone"), "{out} {error}");
    }
}

/// The size that an SVG file says it has.
fn size(svg: &str) -> (u32, u32) {
    let number = |name: &str| {
        let (_, rest) = svg.split_once(&format!(" {name}=\"")).expect("a size");
        rest.split('"').next().and_then(|text| text.parse().ok()).expect("a number")
    };
    (number("width"), number("height"))
}

#[test]
fn machines_go_the_way_their_authors_say() {
    let path = folder("pictures-flow");
    let chain = "[*] --> A\nA --> B : go\nB --> C : on\nC --> [*]\n";
    let puml = path.join("chain.puml");
    let mmd = path.join("chain.mmd");
    for (file, text) in [
        (&puml, format!("@startuml\nleft to right direction\n{chain}@enduml\n")),
        (&mmd, format!("stateDiagram-v2\ndirection LR\n{chain}")),
    ] {
        write(file, &text);
        let (width, height) = size(&printed(&["render", &name(file), "--to", "svg"]));
        assert!(width > 2 * height, "{width} x {height}");
        assert!(printed(&["render", &name(file), "--to", "plantuml"]).contains("left to right direction"));
        assert!(printed(&["render", &name(file), "--to", "mermaid"]).contains("direction LR"));
    }
    write(&puml, &format!("@startuml\n{chain}@enduml\n"));
    let (width, height) = size(&printed(&["render", &name(&puml), "--to", "svg"]));
    assert!(height > 2 * width, "{width} x {height}");
}

#[test]
fn characters_that_no_font_has_are_told() {
    let path = folder("pictures-fonts");
    let file = path.join("pay.puml");
    write(&file, "@startuml\na -> b : \u{10fff} pay 😀\n@enduml\n");
    let (code, _, error) = run(&["render", &name(&file), "-o", &name(&path.join("pay.png"))]);
    assert_eq!(code, 0, "{error}");
    assert!(!error.contains('😀'), "{error}");
    write(&file, "@startuml\na -> b : 漢字\n@enduml\n");
    let (code, _, error) = run(&["render", &name(&file), "-o", &name(&path.join("pay.png"))]);
    assert_eq!(code, 0, "{error}");
    // With a font for it there is nothing to say.
    assert!(error.is_empty() || error.contains("no font on this machine has 字 漢"), "{error}");
    let (code, _, error) = run(&["render", &name(&file), "-o", &name(&path.join("pay.svg"))]);
    assert_eq!((code, error.as_str()), (0, ""));
}

/// An operand has a colour of its own, or that of its frame.
#[test]
fn operands_are_coloured() {
    let file = folder("operand-colours").join("pay.puml");
    write(
        &file,
        "@startuml\nalt #LightYellow paid\na -> b : x\nelse #Pink refused\nb -> a : y\nelse\na -> b : z\nend\n@enduml\n",
    );
    let svg = printed(&["render", &file.to_string_lossy(), "--to", "svg"]);
    let fills: Vec<&str> =
        svg.lines().filter(|line| line.starts_with("<rect") && !line.contains("stroke=")).collect();
    assert_eq!(fills.len(), 3, "the page, the frame and an operand: {fills:?}");
}
