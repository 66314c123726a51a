//! What is asked about a diagram is written beside its modules: NuSMV, which translates the formulas by itself, says what we say.
//! And every file that is written is one to NuSMV.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use sequent::export::told;
use sequent_kernel::model::{Model, Property};
use sequent_kernel::random::Random;
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_report::export::LifelineClaim;
use sequent_report::export::nusmv::{UnfoldedDiagram, lifelines, said};
use sequent_testing::seeds::seeds;
use serde_json::Value;

use super::nusmv::NusmvProgram;
use super::opinion::verdicts;
use super::patience::ToolPatience;
use super::samples::{self, Omitted, SampleTally, words};
use super::{at_hand, cases, reader};

/// What the command prints.
fn sequent(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sequent"));
    let output = command.current_dir(cases::root()).args(arguments).output().expect("it runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The titles of formulas, which stand above them.
fn titles(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let pairs = lines.windows(2).filter(|pair| pair[1].starts_with("LTLSPEC"));
    pairs.map(|pair| pair[0].trim_start_matches("-- ").to_owned()).collect()
}

/// Our verdicts by question, as far as they are about a diagram.
fn verdicts(folder: &str, diagram: &str) -> BTreeMap<String, bool> {
    let json: Value = serde_json::from_str(&sequent(&["check", folder, "--format", "json"])).expect("JSON");
    let checks = json["checks"].as_array().cloned().unwrap_or_default();
    let own = checks.iter().filter(|check| check["target"] == diagram);
    let known = own.filter(|check| check["verdict"] != "unknown");
    let name = |check: &Value| check["name"].as_str().unwrap_or_default().to_owned();
    known.map(|check| (name(check), check["verdict"] == "holds")).collect()
}

#[test]
fn formulas_beside_modules_get_the_same_verdicts() {
    let Some(tool) = at_hand() else { return };
    let few =
        ["projects/figure-34", "projects/figure-35", "projects/insurance-location", "projects/two-messages"];
    let (mut tally, patience) = (SampleTally::default(), ToolPatience::default());
    let more = |name: &str| name.starts_with("projects/insurance") || name.starts_with("projects/figure");
    let is_asked = |name: &str| few.contains(&name) || more(name);
    for case in samples::examples(|name| few.contains(&name)).into_iter().filter(|case| is_asked(&case.name))
    {
        let folder = format!("examples/{}", case.name);
        let session = cases::read(&case);
        for interaction in session.reading.model.interactions.iter() {
            let text = sequent(&["export", &folder, "--to", "nusmv", "--interaction", &interaction.name]);
            let ask = |until| tool.run(&text, &["-dynamic", "-dcx"], until);
            let printed = match patience.ask(&case.name, ask) {
                Ok(printed) => printed,
                Err(omitted) => {
                    tally.add(Err(omitted));
                    continue;
                }
            };
            let (titles, said) = (titles(&text), said(&printed));
            assert_eq!(titles.len(), said.verdicts.len(), "{}: {printed}\n{text}", case.name);
            for (name, own) in verdicts(&folder, &interaction.name) {
                let mut theirs = titles
                    .iter()
                    .zip(&said.verdicts)
                    .filter(|(title, _)| title.starts_with(&name))
                    .peekable();
                if theirs.peek().is_some() {
                    let theirs = theirs.all(|(_, verdict)| *verdict);
                    assert_eq!(theirs, own, "{} {}: {name}\n{text}", case.name, interaction.name);
                    tally.compared += 1;
                }
            }
        }
    }
    tally.exceeds(9);
}

/// Formulas over two messages and guards of random diagrams.
const FORMULAS: &[&str] = &[
    "G (sent(m) -> F received(m))",
    "F sent(n)",
    "received(m) precedes sent(n)",
    "G (received(n) -> O sent(m))",
    "q | F sent(n)",
    "p -> G !received(m)",
    "start & G (end -> !sent(m))",
];

/// What NuSMV says about formulas beside a random diagram.
fn asked(
    tool: &NusmvProgram,
    patience: &ToolPatience,
    model: &Model,
    properties: &[Property],
    name: &str,
) -> Result<Vec<Option<bool>>, Omitted> {
    let (id, assumptions) = (samples::first(), Assumptions::default());
    let system = lower(model, id, &assumptions).map_err(|unsupported| unsupported.what)?;
    let claim = |one: &Property| LifelineClaim {
        title: one.text.clone(),
        formula: Some(told(&one.formula, &system)),
        observers: Ok(Vec::new()),
    };
    let claims: Vec<_> = properties.iter().map(claim).collect();
    let at = |_| String::new();
    let made = lifelines(&UnfoldedDiagram { model, id, assumptions: &assumptions, at: &at }, &claims)
        .map_err(|unwritten| unwritten.0)?;
    let said = said(&patience.ask(name, |until| tool.run(&made.text, &["-dynamic", "-dcx"], until))?);
    let titles = titles(&made.text);
    assert_eq!(titles.len(), said.verdicts.len(), "{}", made.text);
    let verdict =
        |one: &Property| titles.iter().position(|title| *title == one.text).map(|at| said.verdicts[at]);
    Ok(properties.iter().map(verdict).collect())
}

#[test]
fn formulas_about_messages_and_guards_of_random_diagrams_get_the_same_verdicts() {
    let Some(tool) = at_hand() else { return };
    let patience = ToolPatience::default();
    let ask = |model: &_, properties: &_, name: &_| asked(&tool, &patience, model, properties, name);
    verdicts::written(FORMULAS, &ask, 3);
}

/// Its guards contradict each other: there would be no first state, and NuSMV would find everything true.
const CONTRADICTION: &str = "alt p\na -> b : x\nelse q\na -> b : y\nend\nhnote over a : {p & !p}\n";

#[test]
fn diagrams_without_any_run_are_not_written() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("contradiction.puml");
    std::fs::write(&file, CONTRADICTION).expect("it is writable");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sequent"));
    let output = command.arg("export").arg(&file).args(["--to", "nusmv"]).output().expect("it runs");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("guards contradict each other"), "{said}");
}

/// Two machines with few transitions, which often cannot do anything: then nothing is owed to anybody.
fn idle_machines(dice: &mut Random) -> String {
    let mut text = String::new();
    for (name, other) in [("A", "B"), ("B", "A")] {
        text.push_str(&format!("@startuml {name}\n[*] --> {name}0\n"));
        for _ in 0..dice.below(3) {
            let (from, to, message) = (dice.below(2), dice.below(2), dice.below(2));
            let sent =
                if dice.below(2) == 0 { String::new() } else { format!(" / {other}.m{}", dice.below(2)) };
            text.push_str(&format!("{name}{from} --> {name}{to} : m{message}{sent}\n"));
        }
        text.push_str("@enduml\n");
    }
    text + "@startuml Objects\nobject \"A : A\" as A\nobject \"B : B\" as B\nA -- B\n@enduml\n"
}

#[test]
fn what_idle_machines_owe_is_written_too() {
    let (tool, patience) = (at_hand(), ToolPatience::default());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("idle");
    std::fs::create_dir_all(&folder).expect("it is writable");
    let path = folder.to_string_lossy().into_owned();
    let mut written = 0;
    for seed in seeds(20) {
        let mut dice = Random::new(seed);
        let communication = ["queue", "rendezvous", "bag"][dice.below(3)];
        let settings = format!(
            "[system]\ncommunication = \"{communication}\"\n[[check]]\nltl = \"G (in(A, A0) -> F in(B, B0))\"\n"
        );
        std::fs::write(folder.join("m.puml"), idle_machines(&mut dice)).expect("it is writable");
        std::fs::write(folder.join("sequent.toml"), settings).expect("it is writable");
        let text = sequent(&["export", &path, "--to", "nusmv", "--question", "1"]);
        if text.is_empty() {
            continue;
        }
        written += 1;
        assert!(!text.contains("{}"), "seed {seed}: NuSMV knows no empty set\n{text}");
        let Some(tool) = &tool else { continue };
        if let Ok(printed) = patience.ask("idle", |until| tool.run(&text, &[], until)) {
            assert!(!said(&printed).verdicts.is_empty(), "seed {seed}\n{printed}\n{text}");
        }
    }
    assert!(written > 10, "{written}");
}

#[test]
fn every_file_is_taken() {
    let Some(tool) = at_hand() else { return };
    let (mut tally, patience) = (SampleTally::default(), ToolPatience::default());
    let folders = ["projects/lamp", "projects/bank-atm", "projects/web-shop", "gallery/atm.puml"];
    for case in samples::examples(|name| folders.contains(&name)) {
        let session = cases::read(&case);
        let model = &session.reading.model;
        let path = format!("examples/{}", case.name);
        let mut texts = Vec::new();
        if !model.machines.is_empty() {
            texts.push(sequent(&["export", &path, "--to", "nusmv"]));
        }
        for id in model.interactions.ids() {
            let name = &model.interactions[id].name;
            for shape in ["lifelines", "steps"] {
                let words = ["export", &path, "--to", "nusmv", "--interaction", name, "--shape", shape];
                texts.push(sequent(&words));
            }
        }
        for text in texts.iter().filter(|text| !text.is_empty() && text.len() < 300_000) {
            // Read and flattened, with nothing asked.
            let ask = |until| tool.run(text, &["-is", "-ils", "-ii", "-ic", "-ips"], until);
            let taken = patience.ask(&case.name, ask).map(|printed| {
                assert_eq!(said(&printed).complaint, None, "{}\n{printed}\n{text}", case.name);
            });
            tally.add(taken);
        }
    }
    tally.exceeds(9);
}

#[test]
fn keywords_are_no_names() {
    let tool = at_hand();
    let (mut tally, patience) = (SampleTally::default(), ToolPatience::default());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("names-nusmv");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let drawn = words::diagrams().into_iter().map(|text| ("diagram".to_owned(), text));
    for (name, text) in drawn.chain(words::machines()) {
        let file = folder.join(format!("{name}.puml"));
        std::fs::write(&file, text).expect("a file can be written");
        let made = sequent(&["export", &file.to_string_lossy(), "--to", "nusmv"]);
        std::fs::remove_file(&file).expect("it was written");
        assert!(reader::Model::read(&made).specifications > 0, "{made}");
        let Some(tool) = &tool else { continue };
        let ask = |until| tool.run(&made, &["-is", "-ils", "-ii", "-ic", "-ips"], until);
        tally.add(patience.ask(&name, ask).map(|printed| {
            assert_eq!(said(&printed).complaint, None, "{printed}\n{made}");
        }));
    }
    if tool.is_some() {
        tally.exceeds(30);
    }
}
