//! The command as a user sees it.

mod runner;

use std::path::PathBuf;

use runner::{folder, run, with_input};

#[test]
fn help_and_version() {
    let (code, out, _) = run(&["--help"]);
    assert_eq!(code, 0);
    assert!(out.contains("sequent check docs/"), "{out}");
    let (code, out, _) = run(&["--version"]);
    assert_eq!((code, out.as_str()), (0, concat!("sequent ", env!("CARGO_PKG_VERSION"), "\n")));
    for command in [
        "check",
        "render",
        "traces",
        "simulate",
        "refine",
        "export",
        "generate",
        "ast",
        "explain",
        "completions",
        "man",
    ] {
        let (code, out, _) = run(&[command, "--help"]);
        assert_eq!(code, 0, "{out}");
    }
}

#[test]
fn completions_and_man_page_name_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let (code, out, _) = run(&["completions", shell]);
        assert!(code == 0 && out.contains("render"), "{shell}");
    }
    let (code, out, _) = run(&["man"]);
    assert!(code == 0 && out.contains(".TH sequent"), "{out}");
    let pages = folder("man");
    let (code, ..) = run(&["man", "--dir", pages.to_str().expect("a plain path")]);
    assert!(code == 0 && pages.join("sequent-check.1").is_file());
}

/// A file is read with the machines and scenarios beside it, and what is wrong elsewhere is not its business.
#[test]
fn a_single_file_is_read_with_its_company() {
    let path = folder("company");
    let files = [
        ("door.puml", "@startuml Door\n[*] --> Shut\nShut --> Open : push\nOpen --> Shut : pull\n@enduml\n"),
        ("twice.puml", "@startuml Twice\n' @forbidden\nu ->> door : push\nu ->> door : pull\n@enduml\n"),
        ("other.puml", "@startuml Other\n' @forbidden\nu ->> door : push\n@enduml\n"),
        ("apart.puml", "@startuml Apart\nopt\nend\na -> b : x\n@enduml\n"),
    ];
    for (name, text) in files {
        std::fs::write(path.join(name), text).expect("writable");
    }
    let check = |name: &str| {
        let file = path.join(name);
        let (code, out, _) = run(&["check", file.to_str().expect("a plain path")]);
        let told: Vec<String> =
            out.lines().filter(|line| line.contains("forbidden")).map(str::to_owned).collect();
        (code, told, out.lines().last().unwrap_or_default().to_owned())
    };
    let end = |text: &str| text.to_owned();
    assert_eq!(
        check("twice.puml"),
        (
            1,
            vec![end("fails: Twice: forbidden")],
            end("1 sequence diagram in 1 file, read with 2 files beside: 1 check failed")
        )
    );
    let (code, told, last) = check("door.puml");
    assert!(code == 0 && told.is_empty() && last.ends_with(": no problems found"), "{code} {told:?} {last}");
    assert!(check("apart.puml").2.ends_with(": 1 warning"), "{}", check("apart.puml").2);
    let (_, all, _) = run(&["check", path.to_str().expect("a plain path")]);
    assert!(all.contains("3 sequence diagrams, 1 state machine in 4 files"), "{all}");
    // Settings that list objects make one system of the machines of their classes.
    let listed = folder("company-listed");
    let files = [
        ("asker.puml", "@startuml Asker\n[*] --> A\nA --> B : / other.ask\nB --> C : answer\n@enduml\n"),
        ("other.puml", "@startuml Answerer\n[*] --> S\nS --> S : ask / one.answer\n@enduml\n"),
        (
            "sequent.toml",
            "[system]\nobjects = { one = \"Asker\", other = \"Answerer\" }\n[[check]]\nltl = \"F one.C\"\n",
        ),
    ];
    for (name, text) in files {
        std::fs::write(listed.join(name), text).expect("writable");
    }
    for name in ["asker.puml", "other.puml", ""] {
        let (code, out, _) = run(&["check", listed.join(name).to_str().expect("a plain path")]);
        assert!(code == 0 && out.contains("F one.C (all"), "{name}: {code} {out}");
    }
}

#[test]
fn standard_input_of_either_notation() {
    let (code, out, _) = with_input(&["check", "-"], "sequenceDiagram\n  a->>b: x\n");
    assert_eq!((code, out.as_str()), (0, "1 sequence diagram in 1 file: no problems found\n"));
    let (code, out, _) = with_input(&["check", "-"], "a -> b : x\n");
    assert_eq!((code, out.as_str()), (0, "1 sequence diagram in 1 file: no problems found\n"));
    let (code, out, _) = with_input(&["check", "-"], "# T\n\n```mermaid\nsequenceDiagram\n  a->>b: x\n```\n");
    assert_eq!((code, out.as_str()), (0, "1 sequence diagram in 1 file: no problems found\n"));
}

#[test]
fn exit_codes() {
    assert_eq!(with_input(&["check", "-"], "sequenceDiagram\n  a->>b: x\n  end\n").0, 1);
    assert_eq!(run(&["check", "no/such/file.puml"]).0, 2);
    assert_eq!(run(&["render"]).0, 2);
    assert_eq!(with_input(&["check", "-"], "' @forbidden\na -> b : x\n").0, 3);
    let (code, out, _) = with_input(&["check", "-", "--deny", "warnings"], "opt\nend\na -> b : x\n");
    assert!(code == 1 && out.contains("error[W207]"), "{out}");
    let (code, ..) =
        with_input(&["check", "-", "--allow", "W207", "--deny", "warnings"], "opt\nend\na -> b : x\n");
    assert_eq!(code, 0);
}

#[test]
fn an_unreadable_file_is_named() {
    let (_, out, _) = run(&["check", "no/such/file.puml"]);
    assert!(out.contains("error[E001]") && out.contains("no/such/file.puml"), "{out}");
    let (_, out, _) = run(&["check", "no/such/*.puml"]);
    assert!(out.contains("no file matches the pattern"), "{out}");
}

#[test]
fn directories_are_walked_as_git_would() {
    let path = folder("walk");
    std::fs::create_dir_all(path.join(".git")).expect("writable");
    std::fs::create_dir_all(path.join("sub/skipped")).expect("writable");
    std::fs::write(path.join(".gitignore"), "skipped\n").expect("writable");
    // What other programs leave out is not left out here.
    std::fs::write(path.join(".ignore"), "*.mmd\n").expect("writable");
    for file in ["a.puml", "sub/b.mmd", "sub/skipped/c.puml", "sub/d.txt"] {
        std::fs::write(path.join(file), "sequenceDiagram\nx->>y: z\n").expect("writable");
    }
    let (_, out, _) = run(&["check", path.to_str().expect("a plain path")]);
    assert!(out.ends_with("in 2 files: 1 error\n") || out.contains(" in 2 files"), "{out}");
    let pattern = format!("{}/**/*.mmd", path.display());
    let (_, out, _) = run(&["check", &pattern]);
    assert!(out.contains("1 sequence diagram in 1 file"), "{out}");
}

#[test]
fn the_examples_are_as_their_authors_say() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let folders = ["diagnostics", "gallery", "pssm"].map(|folder| format!("{examples}/{folder}"));
    // Those of `pssm` have settings of their own.
    let arguments: Vec<&str> = ["check"].into_iter().chain(folders.iter().map(String::as_str)).collect();
    let (code, out, _) = run(&arguments);
    assert_eq!(code, 0, "{out}");
}

#[test]
fn nesting_beyond_measure_is_cut_off() {
    let depth = 300;
    let text = format!("{}a -> b : x\n{}", "opt\n".repeat(depth), "end\n".repeat(depth));
    let (code, out, _) = with_input(&["check", "-"], &text);
    assert!(code == 1 && out.matches("error[E118]").count() == 1, "{out}");
    let deep: String =
        (0..depth).map(|number| format!("state q{number} {{\n[*] --> q{}\n", number + 1)).collect();
    let text = format!("@startuml\n[*] --> q0\n{deep}{}@enduml\n", "}\n".repeat(depth));
    let (code, out, err) = with_input(&["simulate", "-", "--seed", "1"], &text);
    assert!((code, out.as_str()) == (2, "") && err.matches("error[E118]").count() == 1, "{err}");
}

#[test]
fn json_has_the_documented_shape() {
    let (_, out, _) =
        with_input(&["check", "-", "--format", "json"], "' @ltl G sent(x)\nopt\nend\na -> b : x\n");
    let value: serde_json::Value = serde_json::from_str(&out).expect("output is JSON");
    assert_eq!(value["checks"][0]["kind"], "ltl");
    assert_eq!(value["checks"][0]["verdict"], "fails");
    assert_eq!(value["checks"][0]["evidence"], "run");
    assert_eq!(value["checks"][0]["run"]["prefix"], serde_json::json!(["!a->b:x", "?a->b:x"]));
    assert_eq!(value["checks"][0]["vacuous"], false);
    assert!(value["checks"][0]["millis"].is_u64());
    let finding = &value["diagnostics"][0];
    assert_eq!((finding["code"].as_str(), finding["line"].as_u64()), (Some("W207"), Some(2)));
}

/// Where all states are visited, states and steps are those of the state space that is exported, and no more than all values of
/// all variables allow; a solver tells the size of its formula.
#[test]
fn figures_are_those_of_the_state_space() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/projects/");
    for (project, goal) in
        [("philosophers", "P0.eating & P1.eating"), ("coffee-money", "PhD.waiting & CM.error")]
    {
        let folder = format!("{root}{project}");
        let asked = |more: &[&str]| {
            let (_, out, err) =
                run(&[&["reach", &folder, "--goal", goal, "--format", "json"], more].concat());
            let value: serde_json::Value = serde_json::from_str(&out).expect(&err);
            value["checks"][0].clone()
        };
        let (code, aut, err) = run(&["export", &folder, "--to", "aut"]);
        assert_eq!(code, 0, "{err}");
        let numbers =
            aut.lines().next().unwrap_or_default().trim_start_matches("des (").trim_end_matches(')');
        let numbers: Vec<u64> = numbers.split(", ").filter_map(|number| number.parse().ok()).collect();
        let told = asked(&[]);
        assert_eq!(
            (&told["transitions"], &told["states"]),
            (&numbers[1].into(), &numbers[2].into()),
            "{told}"
        );
        let space: u128 = told["space"].as_str().and_then(|text| text.parse().ok()).expect("a number");
        assert!(space >= u128::from(numbers[2]), "{told}");
        assert!(told["memory"].as_u64().is_some_and(|bytes| bytes > 0), "{told}");
        assert!(told["clauses"].is_null() && told["variables"].is_null(), "{told}");
        let solved = asked(&["--engine", "ic3"]);
        assert!(solved["clauses"].as_u64() > solved["variables"].as_u64(), "{solved}");
        assert!(solved["transitions"].is_null(), "{solved}");
    }
}

#[test]
fn render_writes_what_the_ending_says() {
    let path = folder("render");
    let source = path.join("pay.puml");
    std::fs::write(&source, "a -> b : x\n").expect("writable");
    let source = source.to_str().expect("a plain path");
    let start = |name: &str| {
        let target = path.join(name);
        let (code, _, err) = run(&["render", source, "-o", target.to_str().expect("a plain path")]);
        assert_eq!(code, 0, "{err}");
        std::fs::read(target).expect("it was written").into_iter().take(8).collect::<Vec<u8>>()
    };
    assert!(start("pay.svg").starts_with(b"<svg"));
    assert!(start("pay.png").starts_with(b"\x89PNG"));
    assert!(start("again.mmd").starts_with(b"sequence"));
    assert!(start("again.puml").starts_with(b"@startum"));
    let (code, out, _) = run(&["render", source]);
    assert!(code == 0 && out.contains("▶"), "{out}");
    let (code, _, err) = run(&["render", source, "--diagram", "pey"]);
    assert!(code == 2 && err.contains("did you mean `pay`?"), "{err}");
}

#[test]
fn objects_that_mermaid_lacks_are_told() {
    let source = folder("objects").join("a.puml");
    let objects = "object \"a1 : A\" as a1\nobject \"a2 : A\" as a2\na1 -- a2\n";
    std::fs::write(&source, format!("@startuml\nclass A\n{objects}@enduml\n")).expect("writable");
    let source = source.to_str().expect("a plain path");
    let (code, out, err) = run(&["render", source, "--to", "mermaid"]);
    assert!(code == 0 && out.contains("class A"), "{out}");
    assert!(err.contains("Mermaid has no objects: `a1`, `a2`, and their links are left out"), "{err}");
    let (code, _, err) = run(&["render", source, "--to", "plantuml"]);
    assert!(code == 0 && err.is_empty(), "{err}");
}

#[test]
fn explain_knows_every_code() {
    let (code, out, _) = run(&["explain", "w201"]);
    assert!(code == 0 && out.starts_with("W201 (warning): "), "{out}");
    let (code, out, _) = run(&["explain"]);
    assert!(code == 0 && out.lines().count() > 40, "{out}");
    let (code, out, _) = run(&["explain", "201"]);
    assert!(code == 0 && out.starts_with("W201 (warning): "), "one code is its page: {out}");
    let (code, out, _) = run(&["explain", "race"]);
    assert!(code == 0 && out.contains("W222") && !out.contains("W510"), "a trace is no race: {out}");
    let (code, _, err) = run(&["explain", "W2011"]);
    assert!(code == 2 && err.contains("not a code"), "{err}");
}

#[test]
fn every_lost_message_has_its_own_run() {
    let path = folder("lost");
    let machines = "@startuml Shop\n[*] --> A\nA --> B : go / ^bank.x\nA --> C : stop / ^bank.y\n@enduml\n@startuml Bank\n\
        ' @attribute open : bool = false\n[*] --> Open\nOpen --> Open : x [open]\nOpen --> Open : y [open]\n@enduml\n";
    std::fs::write(path.join("m.puml"), machines).expect("writable");
    let (_, out, _) = run(&["check", &path.to_string_lossy(), "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let findings = report["diagnostics"].as_array().expect("a list");
    for message in ["x", "y"] {
        let is_about = |one: &&serde_json::Value| {
            one["message"].as_str().is_some_and(|text| text.starts_with(&format!("`{message}` of")))
        };
        let finding = findings.iter().find(is_about).unwrap_or_else(|| panic!("{message} is lost: {out}"));
        let run = finding["run"]["prefix"].to_string();
        assert!(run.ends_with(&format!(":{message}\"]")), "{run}");
    }
}

#[test]
fn lost_messages_of_every_group_are_reported() {
    let path = folder("groups");
    let machines = "@startuml ShopA\n[*] --> A\nA --> B : go / ^b1.x\n@enduml\n@startuml ShopB\n[*] --> A\nA --> B : go / ^b2.y\n@enduml\n\
        @startuml Bank\n' @attribute open : bool = false\n[*] --> Open\nOpen --> Open : x [open]\nOpen --> Open : y [open]\n@enduml\n";
    let settings = "[system]\nobjects = { a = \"ShopA\", c = \"ShopB\", b1 = \"Bank\", b2 = \"Bank\" }\n";
    std::fs::write(path.join("m.puml"), machines).expect("writable");
    std::fs::write(path.join("sequent.toml"), settings).expect("writable");
    let (_, out, _) = run(&["check", &path.to_string_lossy(), "--format", "concise"]);
    assert!(out.contains("`x` of `a` is lost") && out.contains("`y` of `c` is lost"), "{out}");
}

#[test]
fn a_misspelt_name_in_a_question_of_the_command_line_is_reported() {
    let path = folder("misspelt");
    let file = path.join("a.puml");
    std::fs::write(&file, "shop -> gateway : authorise\ngateway --> shop : authorised\n").expect("writable");
    let (code, out, _) = run(&["check", &file.to_string_lossy(), "--ltl", "F sent(authorize)"]);
    assert!(code == 1 && out.contains("E502") && out.contains("did you mean `authorise`?"), "{code} {out}");
}

#[test]
fn a_settings_file_is_found_above_the_first_path() {
    let path = folder("settings");
    std::fs::create_dir_all(path.join("docs")).expect("writable");
    std::fs::write(path.join("docs/a.puml"), "opt\nend\na -> b : x\n").expect("writable");
    std::fs::write(path.join("sequent.toml"), "[lint]\ndeny = [\"W207\"]\n").expect("writable");
    let docs = path.join("docs");
    let docs = docs.to_str().expect("a plain path");
    assert_eq!(run(&["check", docs]).0, 1);
    let (code, _, err) = run(&["check", docs, "--set", "system.comunication=bag"]);
    assert!(code == 2 && err.contains("did you mean `system.communication`?"), "{err}");
}

#[test]
fn traces_are_counted_and_listed() {
    let two = "a ->> b : p\na ->> b : q\n";
    let (code, out, _) = with_input(&["traces", "-"], two);
    assert_eq!((code, out.as_str()), (0, "<stdin>: 2 traces\n"));
    let (_, out, err) = with_input(&["traces", "-", "--list", "--max", "1"], two);
    assert_eq!(out, "!a->b:p !a->b:q ?a->b:p ?a->b:q\n");
    assert!(err.contains("these are 1 of 2"), "{err}");
    let (code, _, err) =
        with_input(&["traces", "-", "--assume", "payed=true"], "opt paid\na -> b : p\nend\n");
    assert!(
        code == 0 && err.contains("changes nothing: no guard is called `payed`; there are `paid`"),
        "{err}"
    );
    let (code, out, _) = with_input(
        &["traces", "-", "--assume", "x=false", "--list", "--format", "json"],
        "opt x\na ->> b : p\nend\n",
    );
    let value: serde_json::Value = serde_json::from_str(&out).expect("output is JSON");
    assert_eq!((code, &value["count"], &value["traces"]), (0, &"1".into(), &serde_json::json!([[]])));
    let (code, out, _) = with_input(&["traces", "-"], "loop\na ->> b : p\nend\n");
    assert_eq!((code, out.as_str()), (0, "<stdin>: infinitely many traces\n"));
    let (code, _, err) = with_input(&["traces", "-", "--switch", "call=blocking"], two);
    assert!(code == 2 && err.contains("there are calls"), "{err}");
}

const CIRCLE: &str =
    "L1 -> L2 : m1\nL2 -> L3 : m2\nL3 -> L1 : m3\nL2 --> L1 : rep1\nL3 --> L2 : rep2\nL1 --> L3 : rep3\n";

#[test]
fn a_random_run_is_told_and_drawn() {
    let (code, out, _) = with_input(&["simulate", "-", "--seed", "5"], "a -> b : x\n");
    assert_eq!(code, 0);
    assert!(out.starts_with("!a->b:x\n?a->b:x\ncomplete\n\n") && out.contains("▶"), "{out}");
    let again = with_input(&["simulate", "-", "--seed", "5"], "a -> b : x\n").1;
    assert_eq!(out, again);
    let (code, out, _) = with_input(&["simulate", "-", "--steps", "1", "--to", "mermaid"], "a -> b : x\n");
    assert!(code == 0 && out.starts_with("sequenceDiagram\n") && out.contains("x (sent)"), "{out}");
    let (code, _, err) = with_input(&["simulate", "-", "--interactive"], "a -> b : x\n");
    assert!(code == 2 && err.contains("standard input is the diagram"), "{err}");
}

#[test]
fn a_stuck_run_says_who_waits() {
    let (code, out, _) = with_input(&["simulate", "-", "--switch", "calls=blocking"], CIRCLE);
    assert_eq!(code, 1);
    let circle = "L1 waits for L2 to send rep1, L2 waits for L3 to send rep2, L3 waits for L1 to send rep3\n";
    assert!(out.contains("\nstuck\n") && out.contains(circle), "{out}");
    let arguments = ["simulate", "-", "--switch", "calls=blocking", "--to", "plantuml"];
    let (code, out, _) = with_input(&arguments, CIRCLE);
    assert!(code == 1 && out.contains("?<[#red]- L3 : m3 (sent)\nnote over L1 : "), "{out}");
    assert_eq!(with_input(&["simulate", "-"], CIRCLE).0, 0);
}

const MACHINES: &str = "@startuml Lamp
[*] --> Off
Off --> On : press / ^meter.used
On --> Off : press
@enduml
@startuml Meter
' @attribute n : 0..1 = 0
[*] --> Counting
Counting --> Counting : used / n++
@enduml
";

#[test]
fn state_machines_run_together() {
    let (code, out, err) = with_input(&["simulate", "-", "--seed", "1", "--steps", "6"], MACHINES);
    assert!(code == 0 && out.contains("!Lamp->Meter:used\n") && out.contains("│ Counting  │"), "{out}{err}");
    let table = ["simulate", "-", "--seed", "1", "--steps", "90", "--to", "table"];
    let (code, out, _) = with_input(&table, MACHINES);
    assert!(code == 1 && out.starts_with("ended in a fault: "), "{out}");
    assert!(out.contains("step  event") && out.contains("n = 1"), "{out}");
    let both = format!("{MACHINES}@startuml Talk\nactor user\nuser -> Lamp : press\n@enduml\n");
    let (code, out, _) =
        with_input(&["simulate", "-", "--seed", "1", "--steps", "2", "--scenario", "talk"], &both);
    assert!(code == 0 && out.contains("!user->Lamp:press\n"), "{out}");
    let (_, out, _) = with_input(&["simulate", "-", "--seed", "1", "--interaction", "talk"], &both);
    assert!(out.starts_with("!user->Lamp:press\n?user->Lamp:press\ncomplete\n"), "{out}");
    let (code, _, err) = with_input(&["simulate", "-", "--scenario", "tlak"], &both);
    assert!(code == 2 && err.contains("did you mean `Talk`?"), "{err}");
}

#[test]
fn runs_are_told_step_by_step() {
    let project = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/projects/lost-welcome");
    let (code, out, _) = run(&["check", project, "--table"]);
    assert!(code == 0 && out.contains("   8  ?Server->Client:welcome (lost)  []\n"), "{out}");
    let (code, out, _) = run(&["reach", project, "--goal", "Client.GaveUp & Server.guests = 1", "--table"]);
    assert!(code == 0 && out.contains("step  event") && !out.contains('┌'), "{out}");
    let (code, out, _) = run(&["check", project, "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    let steps = &value["checks"][0]["run"]["steps"];
    assert_eq!((code, &steps[8]["step"]), (0, &"?Server->Client:welcome (lost)".into()), "{steps:#}");
    assert_eq!(steps[0]["objects"]["Server"]["attributes"]["guests"], "0");
    let runs = folder("tables");
    let (code, _, err) =
        run(&["check", project, "--runs", runs.to_str().expect("a path"), "--to", "markdown"]);
    let saved = std::fs::read_to_string(runs.join("Too-late-forbidden.md"));
    assert!(code == 0 && saved.is_ok_and(|text| text.starts_with("| step | event | Client |")), "{err}");
}

#[test]
fn stepping_reads_commands_line_by_line() {
    let path = folder("simulate");
    let source = path.join("two.puml");
    std::fs::write(&source, "a ->> b : p\na ->> b : q\n").expect("writable");
    let source = source.to_str().expect("a plain path");
    let saved = path.join("run.svg");
    let input = format!("1\n1\nw\nu\ns {}\ns run.xyz\nq\n", saved.display());
    let (code, out, _) = with_input(&["simulate", source, "--interactive"], &input);
    assert_eq!(code, 0, "{out}");
    assert!(
        out.contains("  1  b receives `p` from a\n  2  a sends `q` to b\n")
            && out.contains("b waits for a to send q"),
        "{out}"
    );
    assert!(out.contains("`.xyz` is not a file ending"), "{out}");
    assert!(std::fs::read(saved).expect("it was saved").starts_with(b"<svg"));
}

#[test]
fn traces_are_classified() {
    let text = "bank ->> atm : granted\ngroup assert\natm ->> user : card\nend\ngroup neg\natm ->> user : money\nend\n";
    let path = folder("classify").join("atm.puml");
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
    std::fs::write(&path, text).expect("writable");
    let file = path.to_str().expect("a plain path");
    let (code, out, _) = run(&["classify", file, "!granted ?granted !card ?card"]);
    assert!(code == 0 && out.starts_with("valid: a complete trace"), "{out}");
    let (code, out, _) = run(&["classify", file, "!granted ?granted !card ?card !money ?money"]);
    assert!(
        code == 1 && out.contains("runs through a `neg`") && out.contains("-> !atm->user:money"),
        "{out}"
    );
    let (code, out, _) = run(&["classify", file, "!granted, ?granted, !atm->user:coin"]);
    assert!(code == 1 && out.contains("leaves the assertion at"), "{out}");
    let (code, out, _) = run(&["classify", file, "!granted", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&out).expect("output is JSON");
    assert_eq!((code, &value["class"], &value["reason"]), (3, &"inconclusive".into(), &"unfinished".into()));
    assert_eq!(value["instead"], serde_json::json!(["?bank->atm:granted"]));
    // What ran through a `neg` is invalid however it goes on, and an event that cannot be read is no verdict.
    let (code, out, _) = run(&["classify", file, "!granted ?granted !card ?card !money ?money !granted"]);
    assert!(code == 1 && out.contains("runs through a `neg`"), "{out}");
    let (code, _, err) = run(&["classify", file, "!grantd"]);
    assert!(code == 2 && err.contains("did you mean `granted`?"), "{err}");
    let (code, _, err) = run(&["classify", file, "missing.txt"]);
    assert!(code == 2 && err.contains("neither a file nor an event"), "{err}");
    let (code, out, _) = with_input(&["classify", file, "-"], "[\"!bank->atm:granted\", \"x:atm\"]");
    assert!(code == 3 && out.contains("no valid trace goes on like this"), "{out}");
}

#[test]
fn traces_become_automata_and_drawings() {
    let par = "par\na ->> b : p\nelse\na ->> b : q\nend\n";
    let (code, out, _) = with_input(&["traces", "-", "--automaton", "json", "--minimal"], par);
    let value: serde_json::Value = serde_json::from_str(&out).expect("output is JSON");
    let count = |what: &str| value[what].as_array().map_or(0, Vec::len);
    assert_eq!((code, count("states"), count("edges")), (0, 9, 12));
    let (code, out, _) = with_input(&["traces", "-", "--draw", "1", "--to", "plantuml"], par);
    assert!(code == 0 && out.contains("a ->> b : p"), "{out}");
    let negated = "group neg\na ->> b : p\nend\n";
    let (_, out, _) = with_input(&["traces", "-", "--invalid", "--list"], negated);
    assert_eq!(out, "!a->b:p ?a->b:p\n");
    let (_, out, _) = with_input(&["traces", "-"], "loop (inf)\na ->> b : p\nb ->> a : q\nend\n");
    assert_eq!(out, "<stdin>: 0 traces, and runs that never end\n");
    let endless = "loop (inf)\na ->> b : p\nb ->> a : q\nend\n";
    let (_, out, _) = with_input(&["traces", "-", "--automaton", "json"], endless);
    let value: serde_json::Value = serde_json::from_str(&out).expect("output is JSON");
    assert_eq!(value["states"].as_array().map(Vec::len), Some(4));
    let (code, _, err) = with_input(&["traces", "-", "--automaton", "dot"], "loop\na ->> b : p\nend\n");
    assert!(code == 3 && err.contains("at most 4 apart"), "{err}");
    let compact = |format: &str, form: &str, text: &str| {
        with_input(&["traces", "-", "--automaton", format, "--form", form], text)
    };
    let (code, out, _) = compact("json", "bits", "a ->> b : m\n");
    let value: serde_json::Value = serde_json::from_str(&out).expect("output is JSON");
    assert_eq!((code, value["transitions"][1]["guard"].as_str()), (0, Some("!h[1] && h[0]")));
    let (code, out, _) = compact("dot", "counters", "loop\na ->> b : p\nend\n");
    assert!(code == 0 && out.contains("[label=\"?a->b:p\\n[v2 < v1 && v2 + 1 != v1]\\n/ v2++\"]"), "{out}");
    let (code, _, err) = compact("json", "bits", par);
    assert_eq!((code, err.as_str()), (0, ""));
    let (code, _, err) = compact("hoa", "bits", par);
    assert!(code == 2 && err.contains("HOA knows no variables"), "{err}");
    let (code, _, err) = compact("dot", "counters", "opt\na ->> b : p\nend\n");
    assert!(code == 2 && err.contains("it holds `opt`"), "{err}");
}

#[test]
fn diagrams_are_compared() {
    let folder = folder("refine");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("a writable folder");
        path.to_str().expect("a plain path").to_owned()
    };
    let both = file("both.puml", "a ->> b : ask\nalt ok\nb ->> a : yes\nelse\nb ->> a : no\nend\n");
    let one = file("one.puml", "a ->> b : ask\nb ->> a : yes\n");
    let (code, out, _) = run(&["refine", &both, &one, "--in", "fd"]);
    assert_eq!(
        (code, out.as_str()),
        (0, "holds: one: refines both in failures-divergences (all 5 states were visited)\n")
    );
    let (code, out, _) = run(&["refine", &one, &both]);
    assert!(code == 1 && out.contains("after !a->b:ask, ?a->b:ask, !b->a:no may come"), "{out}");
    let (code, out, _) = run(&["refine", &one, &both, "--in", "failures", "--hide", "!b->a:no,?b->a:no"]);
    assert!(code == 1 && out.contains("after !a->b:ask, ?a->b:ask it may be over"), "{out}");
    let (code, out, _) = run(&["refine", &one, &both, "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&out).expect("output is JSON");
    assert_eq!((code, value["checks"][0]["verdict"].as_str()), (1, Some("fails")));
    let several = "```mermaid\nsequenceDiagram\na->>b: m\n```\n";
    let several = file("several.md", &format!("# One\n{several}\n# Two\n{several}"));
    let (code, _, err) = run(&["refine", &several, &one]);
    assert!(code == 2 && err.contains("several.md#NAME: One, Two"), "{err}");
    let (code, _, err) = run(&["refine", &format!("{several}#Owe"), &one]);
    assert!(code == 2 && err.contains("did you mean `One`?"), "{err}");
    let (code, _, _) = run(&["refine", &format!("{several}#One"), &format!("{several}#Two")]);
    assert_eq!(code, 0);
    let (code, out, _) = run(&["refine", &one, &both, "--hide", "yess"]);
    assert!(code == 3 && out.contains("nothing that happens is called `yess`"), "{out}");
    let (code, _, err) = run(&["refine", &one, &format!("{one}.gone")]);
    assert!(code == 2 && err.contains("E001"), "{err}");
}

#[test]
fn runs_are_saved_and_told() {
    let stuck =
        "L1 -> L2 : m1\nL2 -> L3 : m2\nL3 -> L1 : m3\nL2 --> L1 : rep1\nL3 --> L2 : rep2\nL1 --> L3 : rep3\n";
    let folder = folder("runs");
    let path = folder.to_str().expect("a plain path");
    let arguments = ["check", "-", "--switch", "calls=blocking", "--runs", path, "--to", "mermaid"];
    let (code, out, _) = with_input(&arguments, stuck);
    assert!(code == 1 && out.contains("this gets stuck after 5 occurrences: L1 waits for L2"), "{out}");
    let saved: Vec<_> = std::fs::read_dir(&folder).expect("written").flatten().collect();
    assert_eq!(saved.len(), 1);
    let text = std::fs::read_to_string(saved[0].path()).expect("readable");
    assert!(text.starts_with("sequenceDiagram") && text.contains("m3 (sent)"), "{text}");
    // What only a search would be about is told to those who ask for it.
    let (code, out, _) = with_input(&["check", "-", "--format", "concise"], stuck);
    assert!(code == 0 && !out.contains("228"), "{out}");
    let (code, out, _) = with_input(&["check", "-", "--format", "json", "--deny", "H228"], stuck);
    let value: serde_json::Value = serde_json::from_str(&out).expect("output is JSON");
    let finding = &value["diagnostics"][0];
    assert_eq!(
        (code, &finding["code"], finding["run"]["prefix"].as_array().map(Vec::len)),
        (1, &"H228".into(), Some(5))
    );
}

#[test]
fn templates_are_written_and_proved() {
    let text = "a ->> b : m\nopt paid\nb ->> a : n\nend\na ->> b : m\n";
    let (code, out, _) = with_input(&["export", "--to", "ltl", "-"], text);
    assert_eq!(code, 0);
    for line in [
        "-- one value throughout a run: paid",
        "-- beta of a->b:m#1",
        "X (!\"?a->b:m#1\" U (\"!a->b:m#1\" & !\"?a->b:m#1\"))",
        "-- cond in opt 1",
        "X (paid | G (!\"!b->a:n\" & !\"?b->a:n\"))",
        "X G (paid <-> X paid)",
    ] {
        assert!(out.lines().any(|one| one == line), "{line} is not in\n{out}");
    }
    let (code, out, _) = with_input(&["export", "--to", "ltl", "--style", "spin", "-"], text);
    assert!(code == 0 && out.contains("// occurrence s_m_1: !a->b:m#1"), "{out}");
    assert!(out.contains("\n(!r_m_1 U (s_m_1 && !r_m_1))\n"), "{out}");
    assert!(!out.contains(" O ") && !out.contains("Y "), "{out}");
    let assumed = ["export", "--to", "ltl", "--assume", "paid=false", "-"];
    let (_, out, _) = with_input(&assumed, text);
    assert!(!out.contains("paid") && out.contains("G (!\"!b->a:n\" & !\"?b->a:n\")"), "{out}");
    let (code, out, _) = with_input(&["check", "--templates", "-"], text);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("templates and lowering have the same traces (all "), "{out}");
    let two = "@startuml Pay\na ->> b : m\na ->> b : k\n@enduml\n@startuml Wrong\ngroup neg\na ->> b : k\nend\n@enduml\n";
    let (code, out, _) = with_input(&["export", "--to", "ltl", "--model", "Pay", "-"], two);
    assert!(code == 0 && out.contains("-- omega weakly safe\nX !F ("), "{out}");
    let (code, _, error) = with_input(&["export", "--to", "ltl", "-"], "group not\na ->> b : m\nend\n");
    assert!(code == 3 && error.contains("`not`"), "{error}");
}

#[test]
fn a_state_to_begin_in_is_as_rich_as_a_goal() {
    let path = folder("from");
    let machines = "@startuml A\n' @attribute n : 0..3 = 0\n' @attribute open : bool = false\n[*] --> Idle\n\
                    Idle --> Busy : go [n < 3] / n++; ^b.hi\nBusy --> Idle : back\n@enduml\n\
                    @startuml B\n[*] --> Idle\nIdle --> Glad : hi\nGlad --> Idle : bye\n@enduml\n";
    let file = path.join("two.puml");
    std::fs::write(&file, machines).expect("writable");
    let file = file.to_str().expect("a plain path");
    let from = |state: &str| run(&["reach", file, "--goal", "B.Glad", "--from", state]);
    for state in ["Busy & n = 2", "A.Busy & 2 = A.n & !open", "in(A, Busy) & open"] {
        assert!(from(state).1.contains("B.Glad after 6 steps"), "{state}: {:?}", from(state));
    }
    assert_eq!(from("n = 3 & Busy").0, 1);
    for (state, problem) in [
        ("Idle", "several objects know `Idle`"),
        ("n = 9", "this can never be true"),
        ("A.Busyy", "`A` has no state or attribute `Busyy`"),
        ("C.Busy", "no object is called `C`"),
        ("Busyy", "no object has a state or attribute `Busyy`"),
        ("n > 2", "this does not say in which state to begin"),
        ("Busy & A.Idle", "`A` begins in two states"),
    ] {
        let (code, _, complaint) = from(state);
        assert!(
            code == 2 && complaint.contains(problem) && complaint.contains("--> --from:1"),
            "{complaint}"
        );
    }
    let (_, _, complaint) = run(&["reach", file, "--goal", "Idle"]);
    assert!(complaint.contains("say whose it is: `A.Idle` or `B.Idle`"), "{complaint}");
}

/// The answer goes where it is asked for, in the form that is asked for or that the file is called after.
#[test]
fn reach_writes_its_answer_into_a_file() {
    let path = folder("reach-output");
    let name = |name: &str| path.join(name).to_str().expect("a plain path").to_owned();
    let file = name("machine.puml");
    let machine = "@startuml A\n[*] --> Idle\nIdle --> Busy : go\n@enduml\n";
    std::fs::write(&file, machine).expect("writable");
    let ask = |goal: &str, more: &[&str]| run(&[&["reach", &file, "--goal", goal], more].concat());
    // Of two runs of the command the times differ.
    let untimed = |text: &str| {
        text.lines()
            .filter(|line| !line.contains("\"millis\""))
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    };
    let read = |file: &str| untimed(&std::fs::read_to_string(file).expect("it was written"));
    let (_, printed, _) = ask("A.Busy", &[]);
    let (_, json, _) = ask("A.Busy", &["--format", "json"]);
    for (ending, more, expected) in [
        ("txt", &[][..], &printed),
        ("log", &[], &printed),
        ("json", &[], &json),
        ("out", &["--format", "json"], &json),
        ("svg", &["--format", "json"], &json),
    ] {
        let out = name(&format!("answer.{ending}"));
        let (code, said, _) = ask("A.Busy", &[&["-o", &out], more].concat());
        assert_eq!((code, said.as_str()), (0, ""), "{ending}");
        assert_eq!(read(&out), untimed(expected), "{ending}");
    }
    for (ending, inside) in [("svg", "<svg"), ("mmd", "sequenceDiagram"), ("puml", "@startuml"), ("md", "|")]
    {
        let out = name(&format!("run.{ending}"));
        let (code, said, _) = ask("A.Busy", &["-o", &out]);
        assert!(code == 0 && said == printed && read(&out).contains(inside), "{ending}: {said}");
    }
    let none = name("none.svg");
    let (code, said, complaint) = ask("A.Busy & A.Idle", &["-o", &none]);
    assert!(
        code == 1 && said.contains("not reachable") && complaint.contains("no run to draw"),
        "{complaint}"
    );
    assert!(!path.join("none.svg").exists());
    let (code, _, complaint) = ask("A.Busy", &["-o", &file]);
    assert!(code == 2 && complaint.contains("is the input itself") && read(&file) == machine, "{complaint}");
}

#[test]
fn a_check_of_a_diagram_that_is_not_there_is_an_error_where_all_were_given() {
    let path = folder("unknown-scenario");
    std::fs::write(path.join("a.puml"), "@startuml Greeting\na -> b : hi\n@enduml\n").expect("writable");
    let toml = "[[check]]\nname = \"one\"\npossible = \"Farewell\"\n";
    std::fs::write(path.join("sequent.toml"), toml).expect("writable");
    let (code, out, _) = run(&["check", path.to_str().expect("a plain path")]);
    assert!(code == 1 && out.contains("error[E404]") && out.contains("sequent.toml:3:13"), "{out}");
    let (code, out, _) = run(&["check", path.join("a.puml").to_str().expect("a plain path")]);
    assert!(code == 0 && !out.contains("404"), "{out}");
}

#[test]
fn models_are_generated() {
    let arguments = ["generate", "machines", "--seed", "7"];
    let (code, out, _) = run(&arguments);
    assert!(code == 0 && out.starts_with("@startuml M1\n' sequent generate machines --seed 7\n"), "{out}");
    assert_eq!(run(&arguments).1, out, "a seed is always the same model");
    assert_ne!(run(&["generate", "machines", "--seed", "8"]).1, out);
    let wished = ["--machines", "2", "--states", "5", "--transitions", "9..9", "--symbols", "3"];
    let (_, out, _) = run(&[&arguments[..], &wished, &["--trigger", "0", "--goal-size", "1"]].concat());
    assert_eq!((out.matches("@startuml").count(), out.matches(" : / ^m").count()), (2, 18), "{out}");
    assert!(out.contains("' @reachable M1.s") && out.contains(" & M2.s"), "{out}");
    let (code, out, _) = run(&["generate", "scenario", "--messages", "3", "--to", "mermaid"]);
    assert!(code == 0 && out.contains("%% @possible preset=P4 within=3\n"), "{out}");
    assert_eq!(out.matches("->>").count() + out.matches("-)").count(), 3, "{out}");
    let mistakes: [&[&str]; 4] =
        [&["--states", "3..2"], &["--trigger", "1.5"], &["--machines", "0"], &["--effect", "x"]];
    for mistake in mistakes {
        let (code, _, error) = run(&[&arguments[..], mistake].concat());
        assert!(code == 2 && (error.contains("such as") || error.contains("whole number")), "{error}");
    }
}

#[test]
fn formulas_are_state_machines() {
    let new = folder("formula").join("model");
    let path = new.to_str().expect("a readable path");
    let formula = "p cnf 2 3\n1 0\n-1 2 0\n-2 0\n";
    let (code, _, error) = with_input(&["generate", "sat", "-", "-o", path], formula);
    assert_eq!((code, error.as_str()), (0, ""));
    let (code, out, _) = run(&["check", path]);
    assert!(code == 1 && out.contains("fails: V1, V2, C1, C2, C3: C1.satisfied & "), "{out}");
    let (code, _, error) = with_input(&["generate", "sat", "-", "-o", path], formula);
    assert!(code == 2 && error.contains("has a sequent.toml already"), "{error}");
    let (code, _, error) = with_input(&["generate", "sat", "-"], "p cnf 1 1\n2 0\n");
    assert!(code == 2 && error.contains("`-`: line 2: there are 1 variables, and no 2"), "{error}");
    let (code, out, _) = run(&["generate", "philosophers", "--count", "2"]);
    assert!(code == 0 && out.contains("' @reachable P0.hasLeft & P1.hasLeft\n"), "{out}");
    let reach =
        ["reach", "-", "--goal", "P0.hasLeft & P1.hasLeft", "--set", "system.communication=rendezvous"];
    let (code, out, _) = with_input(&reach, &out);
    assert!(code == 0 && out.contains("after 2 transactions"), "{out}");
}

#[test]
fn a_random_run_ends_where_nothing_comes_that_anybody_takes() {
    let text = "@startuml A\n[*] --> Idle\nIdle --> Done : go / ^b.hi\n@enduml\n\
                @startuml B\n[*] --> Idle\nIdle --> Glad : hi\n@enduml\n";
    let (code, out, _) = with_input(&["simulate", "-", "--seed", "3", "--steps", "90"], text);
    assert!(code == 0 && out.lines().take_while(|line| line.starts_with(['!', '?'])).count() < 12, "{out}");
    assert!(out.contains("ended: from here on nothing comes that anybody takes"), "{out}");
}

#[test]
fn steps_with_too_many_ways_are_told_at_once() {
    let mut text =
        format!("@startuml N\n' @deadlock\n[*] --> s\ns --> t : / {}\n@enduml\n", ["^x"; 11].join("; "));
    for number in 0..12 {
        text += &format!("@startuml M{number}\n[*] --> s\ns --> t : x\n@enduml\n");
    }
    let (code, out, _) = with_input(&["check", "-"], &text);
    assert!(code == 3 && out.contains("warning[W651]") && out.contains("is not run)"), "{out}");
}

#[test]
fn an_evaluation_is_repeated() {
    let arguments = ["bench", "thesis", "--table", "5.5.3,5.4.1", "--instances", "1", "--timeout", "0.2"];
    let (code, out, error) = run(&arguments);
    assert_eq!((code, error.as_str()), (0, ""), "{out}");
    assert!(out.contains("Table 5.5.3: scenarios of Philosophers\n") && out.contains("seed 1"), "{out}");
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
    let is_printed = |line: &str| words(line).starts_with(&words("variables P4 200 848 5438 27038"));
    assert!(out.lines().any(is_printed), "{out}");
    let (code, out, _) =
        run(&[&arguments[..2], &["--table", "5.4.1", "--instances", "1", "--format", "json"]].concat());
    let value: serde_json::Value = serde_json::from_str(&out).expect("output is JSON");
    let first = &value["tables"][0]["columns"][0];
    assert_eq!((code, &first["k"], &first["rows"]["yes"]["here"]), (0, &"3".into(), &"1".into()), "{out}");
    assert_eq!(first["rows"]["variables"]["published"], "200");
    let (code, out, _) = run(&["bench", "thesis", "--table", "5.6.1"]);
    assert!(code == 0 && out.contains("Table 5.6.1: merges of Coffee"), "{out}");
    assert!(out.lines().any(|line| words(line).starts_with(&words("5 4+4 all 34 34"))), "{out}");
    let (code, _, error) = run(&["bench", "thesis", "--table", "5.4.4"]);
    assert!(code == 2 && error.contains("the tables are 5.4.1, 5.4.2"), "{error}");
    let (code, _, error) =
        run(&["bench", "thesis", "--solver", "picosat", "--solver-command", "no-such-solver"]);
    assert!(code == 2 && error.contains("`no-such-solver`: "), "{error}");
}

#[test]
fn proofs_are_written_and_their_engine_is_told() {
    let folder = folder("proofs");
    let place = folder.to_string_lossy();
    let arguments = [
        "check",
        "--engine",
        "ic3",
        "--format",
        "json",
        "--proofs",
        &place,
        "../../examples/projects/coffee-money",
    ];
    let (code, text, _) = run(&arguments);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("\"engine\": \"ic3\"") && text.contains("\"evidence\": \"inductive\""), "{text}");
    let files: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("it was made").flatten().map(|one| one.path()).collect();
    for ending in ["smt2", "txt"] {
        assert!(files.iter().any(|file| file.extension().is_some_and(|end| end == ending)), "{files:?}");
    }
}

#[test]
fn state_spaces_and_runs_are_written_for_other_tools() {
    let (code, out, _) = run(&["export", "--to", "aut", "../../examples/projects/web-shop"]);
    assert!(code == 0 && out.starts_with("des (0, 32, 20)\n") && out.lines().count() == 33, "{out}");
    let (code, out, _) = run(&["export", "--to", "dot", "../../examples/projects/web-shop"]);
    assert!(code == 0 && out.starts_with("digraph ") && out.matches(" -> ").count() >= 33, "{out}");
    let simulated = ["simulate", "--seed", "1", "--to", "itf", "../../examples/projects/web-shop"];
    let (_, out, _) = run(&simulated);
    let value: serde_json::Value = serde_json::from_str(&out).expect("output is JSON");
    assert_eq!(value["vars"][0], "event", "{out}");
    let (code, out, _) = run(&["export", "--to", "promela", "../../examples/projects/web-shop"]);
    assert!(code == 0 && out.contains("active proctype ending()"), "{out}");
}

#[test]
fn lifelines_become_modules() {
    let text =
        "@startuml\n' @ltl F received(r)\na ->> b : p\npar\na ->> b : q\nelse\nb ->> a : r\nend\n@enduml\n";
    let (code, out, _) = with_input(&["export", "--to", "nusmv", "-"], text);
    let parts = ["MODULE main", "-- par 1 on b, line 4", "MODULE par1_op2_b(", "LTLSPEC (F received_b_a_r)"];
    assert!(code == 0 && parts.iter().all(|part| out.contains(part)), "{out}");
    let (code, out, _) = with_input(&["export", "--to", "nusmv", "--shape", "steps", "-"], text);
    assert!(code == 0 && out.contains("TRANS next(step) = 1 -> can_1"), "{out}");
    let (code, out, _) = with_input(&["export", "--to", "nusmv", "--question", "1", "-"], text);
    assert!(code == 0 && out.contains("INVARSPEC !accepted"), "{out}");
}

#[test]
fn lifelines_become_processes() {
    let text = "@startuml\na ->> b : p\npar\na ->> b : q\nelse\nb ->> a : r\nend\n@enduml\n";
    let (code, out, _) = with_input(&["export", "--to", "promela", "-"], text);
    assert!(code == 0 && out.contains("proctype b()") && out.contains("run a_par1_2()"), "{out}");
    let (code, out, _) = with_input(&["export", "--to", "promela", "--shape", "steps", "-"], text);
    assert!(code == 0 && out.contains("active proctype b()"), "{out}");
    let negating = "group not\na ->> b : p\nend\n";
    let (code, _, error) = with_input(&["export", "--to", "promela", "-"], negating);
    assert!(code == 2 && error.contains("cannot say `not`"), "{error}");
    let machines = ["export", "--to", "promela", "--shape", "lifelines", "../../examples/projects/web-shop"];
    let (code, _, error) = run(&machines);
    assert!(code == 2 && error.contains("step by step"), "{error}");
}

#[test]
fn processes_for_fdr_are_written() {
    let text = "@startuml Two\na ->> b : p\na ->> b : q\n@enduml\n";
    let (code, out, _) = with_input(&["export", "--to", "cspm", "-"], text);
    assert!(code == 0 && out.contains("Part(line_a) = send.a.b.p -> send.a.b.q -> SKIP\n"), "{out}");
    assert!(out.contains("\nassert Two :[deadlock free [F]]\n"), "{out}");
    let (code, out, _) = with_input(&["export", "--to", "cspm", "--shape", "steps", "-"], text);
    assert!(code == 0 && out.contains("Step by step") && out.contains("System = State("), "{out}");
    let negating = "@startuml\ngroup not\na ->> b : p\nend\n@enduml\n";
    let (code, out, _) = with_input(&["export", "--to", "cspm", "-"], negating);
    assert!(code == 0 && out.starts_with("-- Written step by step: "), "{out}");
    let (code, _, error) = with_input(&["export", "--to", "cspm", "--shape", "lifelines", "-"], negating);
    assert!(code == 2 && error.contains("cannot say `not` (line 2)"), "{error}");
    let (code, out, error) = run(&["export", "--to", "cspm", "../../examples/projects/refused-card"]);
    assert!(code == 0 && error.is_empty(), "{error}");
    assert!(out.contains("\nB_s0 =\n     auth.a1.b?x1 -> B_s1\n  [] debit.a1.b -> B_s2\n"), "{out}");
    assert_eq!(out.lines().filter(|line| line.starts_with("assert ")).count(), 13, "{out}");
    // A refinement that a check asks for comes with the diagram that it is about.
    let asked =
        ["export", "--to", "cspm", "--interaction", "Hasty client", "../../examples/projects/refinement"];
    let (code, out, error) = run(&asked);
    assert!(code == 0 && out.contains("\nassert Protocol [FD= Hasty_client\n"), "{out}{error}");
    let both = "@startuml Wide\nalt\na ->> b : p\nelse\na ->> b : q\nend\n@enduml\n\n@startuml Narrow\na ->> b : p\n@enduml\n";
    let named = ["export", "--to", "cspm", "--interaction", "Wide", "--interaction", "Narrow", "-"];
    let (code, out, error) = with_input(&named, both);
    assert!(code == 0 && out.contains("\nassert Wide [F= Narrow\n"), "{out}{error}");
}

#[test]
fn outside_tools_are_listed_and_missing_ones_are_told() {
    let (code, out, _) = run(&["doctor"]);
    assert!(code == 0 && out.contains("spin") && out.contains("check --engine spin"), "{out}");
    let (code, out, _) = run(&["doctor", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&out).expect("output is JSON");
    assert!(code == 0 && value["tools"].as_array().is_some_and(|tools| tools.len() > 5), "{out}");
    let (code, _, error) = run(&["check", "--models", "models", "../../examples/projects/web-shop"]);
    assert!(code == 2 && error.contains("--models goes with --engine spin"), "{error}");
    let lonely = std::process::Command::new(env!("CARGO_BIN_EXE_sequent"))
        .args(["check", "--engine", "spin", "../../examples/projects/web-shop"])
        .env("PATH", "")
        .output()
        .expect("it runs");
    let error = String::from_utf8_lossy(&lonely.stderr).into_owned();
    assert!(lonely.status.code() == Some(2) && error.contains("`spin` is not on the PATH"), "{error}");
}

/// A diagram with a name that XML and addresses must escape, one check that holds, one that fails, and an error in another file.
fn two_files(name: &str) -> String {
    let folder = folder(name);
    let asked = "' @deadlock\n' @ltl F received(b)\n";
    let text = format!("@startuml Shop & <Co>\n{asked}a -> b : x\nopt y\na -> b : b\nend\n@enduml\n");
    std::fs::write(folder.join("a b.puml"), text).expect("a writable folder");
    std::fs::write(folder.join("bad.puml"), "@startuml\na -> b : x\nend\n@enduml\n")
        .expect("a writable folder");
    folder.to_str().expect("a plain path").to_owned()
}

#[test]
fn findings_and_checks_for_code_hosts() {
    let (code, out, _) = run(&["check", &two_files("sarif"), "--format", "sarif"]);
    assert_eq!(code, 1, "{out}");
    let log: serde_json::Value = serde_json::from_str(&out).expect("output is JSON");
    let run = &log["runs"][0];
    assert_eq!((&log["version"], &run["tool"]["driver"]["name"]), (&"2.1.0".into(), &"sequent".into()));
    let results = run["results"].as_array().expect("results are a list");
    let told: Vec<(&str, &str)> = results
        .iter()
        .map(|one| (one["ruleId"].as_str().expect("a rule"), one["level"].as_str().expect("a level")))
        .collect();
    assert_eq!(told, [("E103", "error"), ("check/ltl", "error")]);
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules are a list");
    assert!(told.iter().all(|(id, _)| rules.iter().any(|rule| rule["id"] == *id)), "{out}");
    let at = |one: &serde_json::Value| one["locations"][0]["physicalLocation"].clone();
    assert_eq!(
        at(&results[0])["region"],
        serde_json::json!({ "startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 4 })
    );
    let uri = at(&results[1])["artifactLocation"]["uri"].clone();
    assert!(uri.as_str().is_some_and(|uri| uri.ends_with("/a%20b.puml")), "{uri}");
    let steps = &results[1]["codeFlows"][0]["threadFlows"][0]["locations"];
    let steps: Vec<&str> = steps
        .as_array()
        .expect("a run")
        .iter()
        .filter_map(|step| step["location"]["message"]["text"].as_str())
        .collect();
    assert_eq!(steps, ["!a->b:x", "?a->b:x"]);
}

/// Diagrams that are not checked are no results, which code hosts would show as so many notes.
#[test]
fn other_diagrams_are_no_results_for_code_hosts() {
    let folder = folder("sarif-other");
    std::fs::write(folder.join("a.md"), "```mermaid\nflowchart LR\n  A --> B\n```\n")
        .expect("a writable folder");
    let (code, out, _) = run(&["check", folder.to_str().expect("a plain path"), "--format", "sarif"]);
    let log: serde_json::Value = serde_json::from_str(&out).expect("output is JSON");
    let run = &log["runs"][0];
    assert_eq!((code, run["results"].as_array().map(Vec::len)), (0, Some(0)), "{out}");
    let notices = &run["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notices[0]["message"]["text"], "`flowchart` diagrams are not checked");
}

#[test]
fn checks_and_files_as_tests_for_build_servers() {
    let (code, out, _) = run(&["check", &two_files("junit"), "--format", "junit"]);
    assert_eq!(code, 1, "{out}");
    for part in [
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"sequent\">\n",
        "<testsuite name=\"checks\" tests=\"2\" failures=\"1\" errors=\"0\"",
        "<testcase name=\"Shop &amp; &lt;Co&gt;: never gets stuck\"",
        "<failure message=\"fails: Shop &amp; &lt;Co&gt;: F received(b)\">",
        "<testsuite name=\"files\" tests=\"2\" failures=\"1\" errors=\"0\"",
        "bad.puml:3:1: error[E103]: `end` closes nothing",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let opened = out.matches("<testcase ").count();
    assert_eq!((opened, out.matches("</testcase>").count()), (4, 4));
    assert!(out.ends_with("</testsuites>\n"));
}

#[test]
fn a_trace_that_is_invalid_by_a_false_guard_is_told_so_and_named_in_short() {
    let path = folder("false-guard").join("switches.puml");
    let text = "@startuml O\nopt c1\na ->> b : m\nend\n@enduml\n@startuml N\ngroup neg [c1]\ngroup neg [c2]\na ->> b : m\nend\nend\n@enduml\n";
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
    std::fs::write(&path, text).expect("writable");
    let file = path.to_str().expect("a plain path");
    let of = |name: &str, options: &[&str]| {
        run(&[&["classify", file, "--interaction", name, "!m ?m"], options].concat()).1
    };
    let strict = ["--assume", "c1=false", "--switch", "false-guard=invalid"];
    assert!(of("O", &strict).starts_with("invalid: it runs through an operand whose guard is false\n"));
    assert!(
        of("N", &["--assume", "c1=true", "--assume", "c2=true"])
            .starts_with("invalid: it runs through a `neg`")
    );
    let out = of("N", &["--assume", "c1=true", "--assume", "c2=false"]);
    assert!(out.contains("!a->b:m"), "{out}");
}

/// The flow of a run in SARIF walks the transitions that fire, and every rule has its help.
#[test]
fn runs_walk_the_transitions_for_code_hosts() {
    let example = |name: &str| format!("{}/../../examples/projects/{name}", env!("CARGO_MANIFEST_DIR"));
    let (_, out, _) = run(&["check", &example("request-reply"), "--format", "sarif", "--no-suppress"]);
    let log: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let (code, text, _) = run(&["check", &example("dining-room"), "--format", "sarif", "--no-suppress"]);
    assert_eq!(code, 1);
    let other: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut lines = std::collections::BTreeSet::new();
    for result in [&log, &other].into_iter().filter_map(|log| log["runs"][0]["results"].as_array()).flatten()
    {
        let steps =
            result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().cloned().unwrap_or_default();
        for step in steps {
            let place = &step["location"]["physicalLocation"];
            lines.insert(format!("{}:{}", place["artifactLocation"]["uri"], place["region"]["startLine"]));
            assert!(step["location"]["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
        }
    }
    for line in ["philosopher.puml:4", "philosopher.puml:5"] {
        assert!(lines.iter().any(|one| one.replace('"', "").contains(line)), "{line}: {lines:?}");
    }
    let rules = other["runs"][0]["tool"]["driver"]["rules"].as_array().cloned().unwrap_or_default();
    let with_help = rules.iter().filter(|rule| rule["help"]["markdown"].is_string()).count();
    assert!(with_help > 0, "{rules:?}");
}

/// What a diagram asks is asked in the other notation as well.
#[test]
fn questions_are_printed_in_the_other_notation() {
    let texts = [
        "@startuml X\n' @ltl F received(x)\n' @expect holds\n' @deadlock\na -> b : x\n@enduml\n",
        "@startuml M\n' @deadlock\ntitle A title\n[*] --> A\nA --> B : go\nB --> A : back\n@enduml\n",
    ];
    for text in texts {
        let verdicts = |text: &str| {
            let (code, out, _) = with_input(&["check", "-", "--format", "concise", "--draw"], text);
            let (_, all, _) = with_input(&["check", "-"], text);
            (code, out, all.lines().filter(|line| line.contains(": ")).count())
        };
        for target in ["mermaid", "plantuml"] {
            let (code, printed, err) = with_input(&["render", "-", "--to", target], text);
            assert_eq!(code, 0, "{err}");
            assert_eq!(verdicts(text), verdicts(&printed), "{printed}");
            assert_eq!(
                text.matches(" @deadlock").count(),
                printed.matches(" @deadlock").count(),
                "{printed}"
            );
        }
    }
}

#[test]
fn the_options_of_check_have_headings() {
    let (_, out, _) = run(&["check", "-h"]);
    let headings =
        ["Options:", "Which findings:", "Report:", "Questions:", "Search:", "Limits:", "Global options:"];
    let places: Vec<Option<usize>> =
        headings.iter().map(|heading| out.find(&format!("\n{heading}"))).collect();
    assert!(places.is_sorted() && places[0].is_some(), "{out}");
}

/// A UML model may hold a machine of which nothing is drawn yet.
#[test]
fn a_machine_without_regions_is_rendered() {
    let path = folder("no-regions").join("a.uml");
    let model = r#"<uml:Model xmlns:xmi="http://www.omg.org/spec/XMI/20131001" xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML" xmi:id="m" name="M"><packagedElement xmi:type="uml:StateMachine" xmi:id="s" name="S"/></uml:Model>"#;
    std::fs::write(&path, model).expect("writable");
    for target in ["plantuml", "mermaid", "svg", "text", "xmi"] {
        let (code, _, err) = run(&["render", path.to_str().expect("a plain path"), "--to", target]);
        assert_eq!(code, 0, "{target}: {err}");
    }
}
