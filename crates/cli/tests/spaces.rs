//! State spaces and runs as files: AUT, DOT and ITF of all examples, of their state machines and of every single diagram, are read back.
//! They have the states and steps that a survey finds, and a plain interpreter where nothing is urgent; Graphviz draws them where it is
//! installed.

mod runner;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use sequent_engine::packed::Program;
use sequent_engine::search::{Limits, unwatched};
use sequent_engine::survey::Survey;
use sequent_kernel::semantics::objects::{local, lower_objects, structure};
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::system::{Config, System, TermNode};
use sequent_testing::cases;
use sequent_testing::patience::{ToolPatience, is_there};
use sequent_testing::samples::SampleTally;
use serde_json::Value;

/// Larger state spaces are not compared.
const MOST_STATES: usize = 1_500;

/// What the command is asked to write, and what it means.
struct Subject {
    name: String,
    arguments: Vec<String>,
    system: System,
}

/// The state machines and the diagrams of all examples.
fn subjects() -> Vec<Subject> {
    let mut all = Vec::new();
    for case in cases::all() {
        let session = cases::read(&case);
        let model = &session.reading.model;
        let path = match case.settings.as_ref().and_then(|file| file.parent()) {
            Some(folder) => vec![folder.to_owned()],
            None => case.files.clone(),
        };
        let path: Vec<String> = path.iter().map(|file| file.display().to_string()).collect();
        let mut add = |more: &[&str], system: System| {
            let arguments = path.iter().cloned().chain(more.iter().map(|word| (*word).to_owned())).collect();
            all.push(Subject { name: format!("{} {more:?}", case.name), arguments, system });
        };
        let names: Vec<&String> = model.interactions.iter().map(|interaction| &interaction.name).collect();
        for (id, interaction) in model.interactions.enumerate() {
            let switches = session.settings.switches.clone();
            let assumptions = Assumptions { switches, ..Assumptions::default() };
            let is_alone =
                names.iter().filter(|name| name.eq_ignore_ascii_case(&interaction.name)).count() == 1;
            if let (Ok(system), true) = (lower(model, id, &assumptions), is_alone) {
                add(&["--interaction", &interaction.name], system);
            }
        }
        let files = model.machines.iter().filter_map(|one| session.reading.folders.get(&one.place.0.file));
        let folders: BTreeSet<&String> = files.collect();
        if let [folder] = folders.into_iter().collect::<Vec<_>>().as_slice() {
            let model = &*local(model, &session.reading.folders, folder);
            let (structure, _) = structure(model, &session.reading.folders, folder, None);
            if let Ok(objects) = lower_objects(model, &structure, &model.system) {
                add(&[], objects.system);
            }
        }
    }
    all
}

/// What is exported, if anything is.
fn exported(subject: &Subject, format: &str) -> Option<String> {
    let mut words = vec!["export", "--to", format];
    words.extend(subject.arguments.iter().map(String::as_str));
    let (code, text, complaints) = runner::run(&words);
    // Errors elsewhere in an example are told by the exit code.
    assert!(!text.is_empty() || code == 2, "{}: {code} {complaints}", subject.name);
    (!text.is_empty()).then_some(text)
}

/// Steps between numbered states.
type Steps = Vec<(usize, String, usize)>;

/// Reads Aldebaran's format: the steps, and how many states there are.
fn aut(text: &str) -> (Steps, usize) {
    let mut lines = text.lines();
    let header =
        lines.next().and_then(|line| line.strip_prefix("des (")?.strip_suffix(')')).expect("a header");
    let counts: Vec<usize> = header.split(", ").map(|word| word.parse().expect("a number")).collect();
    let [first, transitions, states] = counts.try_into().expect("three numbers");
    assert_eq!(first, 0);
    let step = |line: &str| {
        let inner = line.strip_prefix('(').and_then(|line| line.strip_suffix(')')).expect("a step");
        let (from, rest) = inner.split_once(", ").expect("a state");
        let (label, to) = rest.rsplit_once(", ").expect("a label");
        let plain = label.strip_prefix('"').and_then(|label| label.strip_suffix('"'));
        assert!(label == "i" || plain.is_some_and(|label| !label.contains('"')), "{line}");
        let number = |word: &str| word.parse().expect("a number");
        (number(from), plain.unwrap_or("").to_owned(), number(to))
    };
    let steps: Steps = lines.map(step).collect();
    assert_eq!(steps.len(), transitions);
    let mut reached = BTreeSet::from([0]);
    let mut open = vec![0];
    let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    steps.iter().for_each(|(from, _, to)| next.entry(*from).or_default().push(*to));
    while let Some(state) = open.pop() {
        open.extend(next.get(&state).into_iter().flatten().filter(|to| reached.insert(**to)));
    }
    assert_eq!(reached, (0..states).collect(), "every state is reached, and there is no other");
    (steps, states)
}

/// How many states a plain interpreter reaches, and how many steps that differ there are; none where some steps come before others,
/// or some runs do not count.
fn naive(system: &System) -> Option<(usize, usize)> {
    if system.rules.iter().any(|rule| rule.urgent) || *system.terms.node(system.void) != TermNode::Constant(0)
    {
        return None;
    }
    let mut seen: BTreeSet<Config> = BTreeSet::from([system.initial()]);
    let mut open = vec![system.initial()];
    let mut steps: BTreeSet<(Config, String, Config)> = BTreeSet::new();
    while let Some(config) = open.pop() {
        for (step, next) in system.successors(&config) {
            let shown: Vec<&str> =
                system.events(&step).map(|event| system.events[event].text.as_str()).collect();
            steps.insert((config.clone(), shown.join(" "), next.clone()));
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
        if seen.len() > MOST_STATES {
            return None;
        }
    }
    Some((seen.len(), steps.len()))
}

/// Reads a Graphviz file: how many nodes and edges there are.
fn dot(text: &str) -> (usize, usize) {
    // Texts in quotes first: nothing in them is a sign.
    let (mut plain, mut is_quoted, mut is_escaped) = (String::new(), false, false);
    for letter in text.chars() {
        match (is_quoted, letter) {
            (true, _) if is_escaped => is_escaped = false,
            (true, '\\') => is_escaped = true,
            (_, '"') => {
                is_quoted = !is_quoted;
                plain.push('"');
            }
            (true, _) => {}
            (false, letter) => plain.push(letter),
        }
    }
    assert!(!is_quoted, "quotes are closed");
    let inner = plain.strip_prefix("digraph \"\" {").and_then(|rest| rest.trim_end().strip_suffix('}'));
    let inner = inner.expect("one graph");
    assert!(!inner.contains(['{', '}']), "no graph in it");
    let (mut nodes, mut edges) = (0, 0);
    for statement in inner.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
        let (what, attributes) = statement.split_once(" [").unwrap_or((statement, "]"));
        assert!(attributes.ends_with(']') && attributes.matches(']').count() == 1, "{statement}");
        let is_name = |word: &str| word == "start" || word.chars().all(|one| one.is_ascii_digit());
        match what.split(" -> ").collect::<Vec<_>>().as_slice() {
            ["node" | "rankdir=LR"] => {}
            [node] => nodes += usize::from(is_name(node)),
            [from, to] if is_name(from) && is_name(to) => edges += 1,
            other => panic!("{other:?} is no statement"),
        }
    }
    (nodes, edges)
}

#[test]
fn state_spaces_are_those_of_a_survey() {
    let (mut written, mut confirmed) = (0, 0);
    for subject in subjects() {
        // Protocol machines take their directions from their folder, which these subjects are lowered without.
        if subject.name.contains("bank-capsules") {
            continue;
        }
        let program = Program::new(&subject.system);
        let limits = Limits { states: MOST_STATES, ..Limits::default() };
        let survey = Survey::explore(&program, &|_| false, &limits, &unwatched);
        if survey.stop.is_some() {
            continue;
        }
        let Some(text) = exported(&subject, "aut") else { continue };
        let (steps, states) = aut(&text);
        let leads: usize = survey.spots().map(|spot| survey.leads(spot).len()).sum();
        assert_eq!((states, steps.len()), (survey.len(), leads), "{}", subject.name);
        written += 1;
        let Some(expected) = naive(&subject.system) else { continue };
        // Quotes may not stand in labels.
        let different: BTreeSet<&(usize, String, usize)> = steps.iter().collect();
        assert_eq!((states, different.len()), expected, "{}", subject.name);
        confirmed += 1;
    }
    println!("{written} written, {confirmed} confirmed by the interpreter");
    assert!(written > 100 && confirmed > 40, "{written} written, {confirmed} confirmed");
}

#[test]
fn graphs_have_a_node_for_each_state_and_are_drawn() {
    let (has_graphviz, patience) = (is_there("dot"), ToolPatience::default());
    let (mut written, mut drawn) = (0, SampleTally::default());
    for (number, subject) in subjects().iter().enumerate() {
        // Large graphs take Graphviz minutes.
        let program = Program::new(&subject.system);
        let limits = Limits { states: 60, ..Limits::default() };
        let survey = Survey::explore(&program, &|_| false, &limits, &unwatched);
        if survey.stop.is_some() {
            continue;
        }
        let Some(text) = exported(subject, "dot") else { continue };
        let leads: usize = survey.spots().map(|spot| survey.leads(spot).len()).sum();
        assert_eq!(dot(&text), (survey.len() + 1, leads + 1), "{}", subject.name);
        written += 1;
        if has_graphviz && number % 24 == 0 {
            drawn.add(patience.run("dot", &["-Tsvg"], &text).map(|output| {
                assert_eq!(output.code, Some(0), "{}", subject.name);
                let nodes = output.stdout.matches("class=\"node\"").count();
                assert_eq!(nodes, survey.len() + 1, "{}", subject.name);
            }));
        }
    }
    if has_graphviz {
        drawn.exceeds(5);
    }
    assert!(written > 80, "{written} written");
}

/// Checks a run as ADR 015 of Apalache describes it; whether it goes on forever.
fn run(text: &str, name: &str) -> bool {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let object = value.as_object().expect("a run is an object");
    let known = ["#meta", "params", "vars", "states", "loop"];
    assert!(object.keys().all(|key| known.contains(&key.as_str())), "{name}: {:?}", object.keys());
    assert_eq!(object["#meta"]["format"], "ITF", "{name}");
    let variables: Vec<&str> = object["vars"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|variable| variable.as_str().expect("a name"))
        .collect();
    let different: BTreeSet<&&str> = variables.iter().collect();
    assert_eq!(different.len(), variables.len(), "{name}: names differ");
    let states = object["states"].as_array().expect("a list");
    assert!(!states.is_empty(), "{name}: it begins somewhere");
    for (index, state) in states.iter().enumerate() {
        let state = state.as_object().expect("a state is an object");
        assert_eq!(state["#meta"]["index"], index, "{name}");
        let own: BTreeSet<&str> = state.keys().map(String::as_str).filter(|key| *key != "#meta").collect();
        assert_eq!(own, variables.iter().copied().collect(), "{name}");
        state.iter().filter(|(key, _)| *key != "#meta").for_each(|(_, value)| expression(value, name));
    }
    if let Some(turn) = object.get("loop") {
        assert!(turn.as_u64().is_some_and(|turn| (turn as usize) < states.len()), "{name}: {turn}");
    }
    object.contains_key("loop")
}

/// Truth values, texts, small numbers, lists and records of them.
fn expression(value: &Value, name: &str) {
    match value {
        Value::Bool(_) | Value::String(_) => {}
        Value::Number(number) => {
            assert!(number.as_i64().is_some_and(|number| number.abs() < 1 << 53), "{name}: {number}");
        }
        Value::Array(all) => all.iter().for_each(|one| expression(one, name)),
        Value::Object(record) => {
            assert!(record.keys().all(|key| !key.starts_with('#')), "{name}: {:?}", record.keys());
            record.values().for_each(|one| expression(one, name));
        }
        Value::Null => panic!("{name}: nothing is no value"),
    }
}

#[test]
fn random_runs_are_traces_of_apalache() {
    let mut written = 0;
    for subject in subjects() {
        let mut words = vec!["simulate", "--seed", "7", "--steps", "20", "--to", "itf"];
        words.extend(subject.arguments.iter().map(String::as_str));
        let (code, text, complaints) = runner::run(&words);
        assert!(!text.is_empty() || code >= 2, "{}: {code} {complaints}", subject.name);
        if text.is_empty() {
            continue;
        }
        assert!(!run(&text, &subject.name), "{}: what is drawn at random ends", subject.name);
        written += 1;
    }
    println!("{written} written");
    assert!(written > 100, "{written}");
}

#[test]
fn runs_behind_verdicts_are_traces_of_apalache() {
    let (mut written, mut endless) = (0, 0);
    for case in cases::all().iter().filter(|case| case.settings.is_some()) {
        let folder: PathBuf = runner::folder("itf");
        let project = case.settings.as_ref().and_then(|file| file.parent()).expect("it lies somewhere");
        let words = [project.display().to_string(), folder.display().to_string()];
        runner::run(&["check", &words[0], "--runs", &words[1], "--to", "itf"]);
        for file in std::fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path()) {
            let text = std::fs::read_to_string(&file).expect("it is text");
            endless += usize::from(run(&text, &file.display().to_string()));
            written += 1;
        }
    }
    println!("{written} written, {endless} endless");
    assert!(written > 25 && endless > 2, "{written} written, {endless} endless");
}
