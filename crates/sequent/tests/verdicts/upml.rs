//! The models of upml, which come with verdicts, and the files that puml-parallel's parser must reject.
//!
//! In upml each composite state at the top of a diagram is a process of its own, `NullEvent` is no trigger, and `//` begins
//! a comment; so its diagrams are cut up into machines here. What its formulas say of the end of a run is asked of every end.

use std::path::{Path, PathBuf};

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::model::{Model, VertexId};
use sequent_kernel::semantics::objects::Objects;
use sequent_kernel::system::Config;

use crate::runs;

/// The lines inside `state NAME {` at the top of a diagram, as a diagram of their own.
fn process(text: &str, name: &str) -> String {
    let head = format!("state {name} {{");
    let mut out = format!("@startuml {name}\n");
    let mut depth = 0;
    for line in text.lines().map(str::trim) {
        if depth > 0 {
            depth += usize::from(line.ends_with('{'));
            depth -= usize::from(line == "}");
            let speaks_of_process = line.starts_with(&format!("{name}:"));
            if depth > 0 && !line.starts_with("//") && !speaks_of_process {
                out += &line.replace("NullEvent", "");
                out.push('\n');
            }
        } else if line == head {
            depth = 1;
        }
    }
    out + "@enduml\n"
}

/// Diagrams and their system.
struct World {
    model: Model,
    objects: Objects,
}

impl World {
    fn new(texts: &[String]) -> World {
        let session = crate::session(&texts.concat());
        let objects = crate::lowered(&session).unwrap_or_else(|problem| panic!("{problem}"));
        World { model: session.reading.model, objects }
    }

    /// Whether the object is in the state.
    fn is_in(&self, config: &Config, object: &str, state: &str) -> bool {
        let id = self.objects.named(object).expect("the object is there");
        let machine = self.objects.machine(&self.model, id).expect("it has a machine");
        assert!(machine.vertices.iter().any(|vertex| vertex.name == state), "{object} has no state {state}");
        let around = |vertex: VertexId| std::iter::successors(Some(vertex), |inner| machine.parent(*inner));
        let active = self.objects.active(&self.model, config, id);
        active.into_iter().flat_map(around).any(|vertex| machine.vertices[vertex].name == state)
    }

    /// What may come of a message from outside, or of nothing.
    fn drive(&self, config: &Config, message: Option<&str>) -> Vec<Config> {
        let ends = runs::drive(&self.objects.system, config, message, &|_| None);
        ends.into_iter().map(|(_, config)| config).collect()
    }

    fn initial(&self) -> Config {
        self.objects.system.initial()
    }
}

fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).expect("readable")
}

#[test]
fn the_lamp_is_off_again_in_the_right_model_only() {
    let Some(folder) = crate::verdicts() else { return };
    let human = process(&read(&folder, "upml__ok/plantuml__fsm__switch__switch.plantuml"), "Human");
    for (file, is_right) in [
        ("upml__ok/doc__blackbox__switch.plantuml", true),
        ("upml__ok/doc__promela-sm-models__switch.plantuml", true),
        ("upml__error/doc__blackbox__switch.error.plantuml", false),
        ("upml__error/doc__promela-sm-models__switch.error.plantuml", false),
    ] {
        let switch = process(&read(&folder, file), "Switch");
        let world = World::new(&[human.clone(), switch]);
        let ends = world.drive(&world.initial(), None);
        let is_off = |config: &Config| world.is_in(config, "Switch", "BothOff");
        assert!(!ends.is_empty(), "{file}");
        assert_eq!(ends.iter().all(is_off), is_right, "{file}");
    }
}

#[test]
fn a_call_can_be_made_and_ended() {
    let Some(folder) = crate::verdicts() else { return };
    let text = read(&folder, "upml__ok/plantuml__fsm__sip__sip0.plantuml");
    let world = World::new(&[process(&text, "Alice"), process(&text, "Bob")]);
    let mut config = world.initial();
    for (message, alice, bob) in
        [("Dial", "AInitiated", "BInitiated"), ("Pickup", "AEstablished", "BEstablished")]
    {
        let goes_on = |end: &Config| world.is_in(end, "Alice", alice) && world.is_in(end, "Bob", bob);
        config = world.drive(&config, Some(message)).into_iter().find(goes_on).expect("the call goes on");
    }
    let ends = world.drive(&config, Some("Hangup"));
    let is_over = |end: &Config| world.objects.system.class(end).is_some();
    assert!(!ends.is_empty() && ends.iter().all(is_over), "both have ended");
}

#[test]
fn nested_states_are_left_and_entered_as_samek_says() {
    let Some(folder) = crate::verdicts() else { return };
    for (file, event, inside, outside) in [
        ("samek", "G", vec!["Super1", "S11"], vec!["Super2", "S211"]),
        ("samek-g", "G", vec!["Super1", "S11"], vec!["Super2", "S211"]),
        ("concurrent", "C", vec!["Super1", "S11", "S11r2"], vec!["S211", "S21r2", "S211r2"]),
    ] {
        let text = read(&folder, &format!("upml__ok/plantuml__hsm__{file}.plantuml"));
        let (text, _) = text.split_once("\n--\n").expect("the tester stands in a region of its own");
        let world = World::new(&[format!("@startuml M\n{}@enduml\n", text.replace("@startuml", ""))]);
        for begun in world.drive(&world.initial(), None) {
            assert!(world.is_in(&begun, "M", "S211"), "{file}");
            let ends = world.drive(&begun, Some(event));
            assert!(!ends.is_empty(), "{file}");
            for end in ends {
                assert!(inside.iter().all(|state| world.is_in(&end, "M", state)), "{file}");
                assert!(!outside.iter().any(|state| world.is_in(&end, "M", state)), "{file}");
            }
        }
    }
}

/// What is found in a file of the corpus.
fn findings(path: PathBuf) -> Vec<Diagnostic> {
    let session = crate::read(&[path]);
    session.check().diagnostics
}

#[test]
fn what_another_parser_must_reject_is_told() {
    let Some(folder) = crate::verdicts() else { return };
    for (file, code) in [
        ("empty_file", Code::NoDiagram),
        ("invalid_edge_syntax", Code::Syntax),
        ("invalid_start_edge", Code::Syntax),
        ("invalid_state_syntax", Code::Syntax),
        ("invalid_variable_syntax", Code::Syntax),
        ("missing_colon_in_edge", Code::Syntax),
        ("missing_enduml", Code::MissingEnd),
        ("missing_quotes", Code::Syntax),
        ("missing_startuml", Code::Syntax),
        ("unclosed_quotes", Code::Syntax),
    ] {
        let path = folder.join(format!("puml-parallel__invalid/examples__invalid__{file}.puml"));
        let codes: Vec<Code> = findings(path).iter().map(|found| found.code).collect();
        assert!(codes.contains(&code), "{file}: {codes:?}");
    }
}
