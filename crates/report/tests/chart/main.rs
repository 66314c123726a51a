//! Drawings of state machines, classes and objects: nothing lies on anything else, over every example and, where it is at
//! hand, a corpus of real diagrams.

mod nested;
mod overlap;

use std::path::{Path, PathBuf};

use sequent_kernel::model::Model;
use sequent_kernel::source::Sources;
use sequent_notation::{Context, label, plantuml, resolve};
use sequent_report::draw::chart::scene::{BoxKind, SceneBox};
use sequent_report::draw::chart::{classes_scene, machine_scene};
use sequent_report::draw::{ChartWording, Highlight, Style, TextStyle, machine_svg, machine_text, png};
use sequent_testing::seeds::seeds;
use sequent_testing::{cases, corpus};

const WORDING: ChartWording = ChartWording {
    effect: label::effect,
    trigger: label::trigger,
    attribute: plantuml::print::attribute,
    operation: plantuml::print::operation,
};

fn read(name: &str, text: &str) -> Model {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let mut problems = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut problems);
    let document = sequent_notation::read(file, &mut context);
    resolve::resolve(&[document], &sources).0
}

/// What lies on what in the drawings of a file.
fn judge(path: &Path) -> (usize, Vec<String>) {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = String::from_utf8_lossy(&std::fs::read(path).expect("readable")).into_owned();
    let model = read(&name, &text);
    let mut found = Vec::new();
    let mut count = 0;
    for machine in model.machines.iter() {
        count += 1;
        let problems = overlap::problems(&machine_scene(machine, &WORDING));
        found.extend(problems.into_iter().map(|problem| format!("{name}: {}: {problem}", machine.name)));
    }
    if !model.classes.is_empty() || !model.objects.is_empty() {
        count += 1;
        let problems = overlap::problems(&classes_scene(&model, &WORDING));
        found.extend(problems.into_iter().map(|problem| format!("{name}: classes: {problem}")));
    }
    (count, found)
}

fn judge_all(paths: impl IntoIterator<Item = PathBuf>) -> usize {
    let (mut count, mut found) = (0, Vec::new());
    for path in paths {
        let (drawn, problems) = judge(&path);
        count += drawn;
        found.extend(problems);
    }
    let shown: Vec<&String> = found.iter().take(40).collect();
    assert!(found.is_empty(), "{} of {count} drawings: {shown:#?}", found.len());
    count
}

#[test]
fn nothing_lies_on_anything_else_in_the_examples() {
    let count = judge_all(cases::all().into_iter().flat_map(|case| case.files));
    assert!(count > 50, "there are machines and classes in the examples: {count}");
}

#[test]
fn nothing_lies_on_anything_else_in_the_corpus() {
    let Some(corpus) = corpus::corpus() else { return };
    for kind in ["plantuml-state", "mermaid-state"] {
        let Ok(folder) = std::fs::read_dir(corpus.join(kind)) else { continue };
        let mut paths: Vec<PathBuf> = folder.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|end| end != "tsv"));
        paths.sort();
        assert!(judge_all(paths) > 50);
    }
}

#[test]
fn points_lie_on_their_frame() {
    let text = "@startuml\nstate Work {\n  state in <<entryPoint>>\n  state back <<entryPoint>>\n  state out <<exitPoint>>\n  in --> A\n  A --> B : go\n  B --> out\n  back --> B\n}\n[*] --> in\nout --> Done\nDone --> back : again\nout --> [*] : end\n@enduml\n";
    for text in [text.to_owned(), text.replace("@startuml", "@startuml\nleft to right direction")] {
        let model = read("points.puml", &text);
        let scene = machine_scene(model.machines.iter().next().expect("a machine"), &WORDING);
        assert_eq!(overlap::problems(&scene), Vec::<String>::new());
        let points = scene.shapes.iter().filter(|one| matches!(one.kind, BoxKind::Entry | BoxKind::Exit));
        let is_on_frame = |point: &SceneBox| {
            let frame = scene.shapes[point.parent.expect("a frame")].rect;
            let middle = (point.rect.x + point.rect.width / 2, point.rect.y + point.rect.height / 2);
            let on_side = middle.0 == frame.x || middle.0 == frame.right();
            on_side || middle.1 == frame.y || middle.1 == frame.bottom()
        };
        let points: Vec<bool> = points.map(is_on_frame).collect();
        assert_eq!(points, [true; 3], "{text}");
    }
}

/// A machine of this many states with composites, loops and lines far across.
fn large(states: usize) -> String {
    let mut text = "@startuml\n[*] --> s0\n".to_owned();
    for state in 0..states {
        text += &format!("s{state} --> s{} : step{state}\n", (state + 1) % states);
        if state % 3 == 0 {
            text += &format!("s{state} --> s{} : jump [x > {state}]\n", (state * 7 + 3) % states);
        }
    }
    text + "@enduml\n"
}

#[test]
fn large_machines_are_drawn() {
    let model = read("large.puml", &large(120));
    let scene = machine_scene(model.machines.iter().next().expect("a machine"), &WORDING);
    assert_eq!(overlap::problems(&scene), Vec::<String>::new());
}

#[test]
fn lines_of_random_nested_machines_keep_their_distance() {
    let (mut found, mut count) = (Vec::new(), 0);
    for seed in seeds(150) {
        let model = read("nested.puml", &nested::machine(seed));
        let scene = machine_scene(model.machines.iter().next().expect("a machine"), &WORDING);
        count += scene.wires.len();
        found.extend(overlap::problems(&scene).into_iter().map(|problem| format!("seed {seed}: {problem}")));
    }
    assert!(found.is_empty(), "{} in {count} lines: {:#?}", found.len(), &found[..found.len().min(40)]);
}

#[test]
fn active_states_and_taken_transitions_stand_out() {
    let model =
        read("door.puml", "@startuml\n[*] --> Open\nOpen --> Shut : shut\nShut --> Open : open\n@enduml\n");
    let machine = model.machines.iter().next().expect("a machine");
    let shut = machine.vertices.enumerate().find(|(_, vertex)| vertex.name == "Shut").expect("a state").0;
    let taken = machine.transitions.enumerate().find(|(_, one)| one.text == "shut").expect("a transition").0;
    let highlight = Highlight { states: [shut].into(), transitions: [taken].into(), ..Highlight::default() };
    let svg = machine_svg(machine, &WORDING, &Style::default(), &highlight);
    assert_eq!(svg.matches("class=\"state marked\"").count(), 1);
    assert_eq!(svg.matches("class=\"transition marked\"").count(), 1);
    png(&svg, 1.0).expect("it is SVG");
    let text = machine_text(machine, &WORDING, &TextStyle::default(), &highlight);
    assert!(text.contains(['┏', '┛']), "{text}");
    assert!(machine_text(machine, &WORDING, &TextStyle::default(), &Highlight::default()).contains('▼'));
}

#[test]
fn a_terminal_that_is_too_narrow_gets_a_list() {
    let model = read("large.puml", &large(30));
    let machine = model.machines.iter().next().expect("a machine");
    let style = TextStyle { width: 30, ..TextStyle::default() };
    let text = machine_text(machine, &WORDING, &style, &Highlight::default());
    assert!(text.contains("s1 -> s2 : step1"), "{text}");
}
