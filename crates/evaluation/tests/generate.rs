//! Generated models: what is printed reads back as what it was printed from, and verdicts are those of P4's definitions.

use std::collections::BTreeSet;

use sequent::effort::Effort;
use sequent::pipeline::{self, Outcome};
use sequent::settings;
use sequent_engine::portfolio::EngineChoice;
use sequent_evaluation::generate::crafted::{self, Crafted};
use sequent_evaluation::generate::satisfaction::CnfFormula;
use sequent_evaluation::generate::{BY_CHANCE, GeneratedNotation, folder, page};
use sequent_evaluation::generate::{
    Chance, DiagramExchange, DiagramShape, EnsembleInstance, EnsembleQuestion, EvaluationSize,
    GeneratedEnsemble, MachineShape, MessageDiagram, goal,
};
use sequent_kernel::random::Random;
use sequent_kernel::source::{FileId, Sources};
use sequent_kernel::verdict::{Evidence, Verdict};
use sequent_notation::NoFiles;
use sequent_testing::ensemble as naive;
use sequent_testing::seeds::seeds;

/// What was printed, read again.
struct Again {
    sources: Sources,
    reading: pipeline::Reading,
    settings: settings::Settings,
}

fn read(files: &[(String, String)], set: &[&str]) -> Again {
    let mut sources = Sources::new();
    let mut known = settings::Settings::default();
    let mut problems = Vec::new();
    let mut diagrams: Vec<FileId> = Vec::new();
    for (name, text) in files {
        let file = sources.add(name.clone(), text.as_str());
        match name.as_str() {
            "sequent.toml" => (known, problems) = settings::read(file, sources.get(file)),
            _ => diagrams.push(file),
        }
    }
    set.iter().for_each(|one| settings::set(&mut known, one).expect("it is a setting"));
    assert!(problems.is_empty(), "{problems:?}");
    let reading = pipeline::read(&diagrams, &mut sources, &mut NoFiles, &known);
    assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
    Again { sources, reading, settings: known }
}

impl Again {
    fn check(&self) -> Outcome {
        self.check_by(EngineChoice::Explicit)
    }

    fn check_by(&self, engine: EngineChoice) -> Outcome {
        pipeline::check(&self.reading, &self.settings, &Effort { engine: &engine, ..Effort::default() })
    }

    fn verdict(&self) -> &'static str {
        let outcome = self.check();
        let [answer] = outcome.answers.as_slice() else { panic!("one question is asked") };
        answer.verdict.name()
    }
}

fn instances() -> Vec<EnsembleInstance> {
    let mut all = Vec::new();
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let ensemble = EvaluationSize::Small.shape().machines(&mut random);
        let goal = goal(&ensemble, Chance::millionths(500_000), &mut random);
        all.push(EnsembleInstance { ensemble, asked: EnsembleQuestion::Goal(goal), within: Some(3) });
        let size = EvaluationSize::Small;
        all.push(size.cast().instance(&size.scenario_shape(), Some(size.within()), &mut random));
        all.push(CnfFormula::random(3, &mut random).goal());
    }
    all.push(CnfFormula::random(2, &mut Random::new(1)).scenario());
    all
}

#[test]
fn what_is_printed_reads_back() {
    for (number, instance) in instances().iter().enumerate() {
        let model = instance.model();
        for notation in [GeneratedNotation::Plantuml, GeneratedNotation::Mermaid] {
            let files = folder(instance, notation, "a test", &BY_CHANCE);
            let again = read(&files, &[]);
            let text: Vec<&str> = again.sources.files().map(|(_, source)| &*source.text).collect();
            let read = &again.reading.model;
            for machine in &model.machines {
                let same = read.machines.iter().find(|known| known.name == machine.name);
                let same = same.unwrap_or_else(|| panic!("{number}: {} is lost", machine.name));
                assert_eq!(same.transitions, machine.transitions, "{number}\n{}", text.join("\n"));
                assert_eq!(same.vertices.len(), machine.vertices.len(), "{number}");
            }
            assert_eq!(read.machines.len(), model.machines.len());
            assert_eq!(read.interactions, model.interactions, "{number}\n{}", text.join("\n"));
            assert_eq!(read.system, model.system, "{number}");
            assert_eq!(read.checks, model.checks, "{number}");
            let outcome = again.check();
            assert!(outcome.diagnostics.is_empty(), "{number} {:?}", outcome.diagnostics);
        }
    }
}

#[test]
fn a_page_asks_the_same_as_a_folder() {
    let set = ["system.communication=rendezvous", "system.closed=true"];
    for instance in
        instances().iter().filter(|instance| matches!(instance.asked, EnsembleQuestion::Scenario(_)))
    {
        let files = folder(instance, GeneratedNotation::Plantuml, "a test", &[]);
        let expected = read(&files, &[]).verdict();
        let plantuml = page(instance, GeneratedNotation::Plantuml, "a test");
        assert_eq!(read(&[("page.puml".to_owned(), plantuml)], &set).verdict(), expected);
        let mermaid = page(instance, GeneratedNotation::Mermaid, "a test");
        assert_eq!(read(&[("page.md".to_owned(), mermaid)], &set).verdict(), expected);
    }
}

/// A scenario is k-consistent or not as definition D23 says, and fails at the same message.
#[test]
fn scenarios_are_what_the_definitions_say() {
    let mut seen: BTreeSet<(bool, usize)> = BTreeSet::new();
    for seed in seeds(50) {
        let within = seed as u32 % 4;
        let cast = DiagramShape {
            lifelines: 2 + seed as usize % 3,
            messages: 1 + seed as usize % 4,
            ..EvaluationSize::Small.cast()
        };
        let shape = EvaluationSize::Small.scenario_shape();
        let instance = cast.instance(&shape, Some(within), &mut Random::new(seed));
        let EnsembleQuestion::Scenario(diagram) = &instance.asked else { panic!("it is a scenario") };
        let found = naive::distances(&instance.ensemble);
        let near =
            found.iter().filter(|(_, distance)| **distance <= within).map(|(global, _)| global.clone());
        let prefix = naive::prefix(&instance.ensemble, diagram, near.collect());
        let again = read(&folder(&instance, GeneratedNotation::Plantuml, "a test", &[]), &[]);
        let expected = prefix == diagram.messages.len();
        for engine in [EngineChoice::Explicit, EngineChoice::Bounded] {
            let hint = format!("seed {seed}, {}", engine.name());
            let outcome = again.check_by(engine);
            let [answer] = outcome.answers.as_slice() else { panic!("one question is asked") };
            match &answer.verdict {
                Verdict::Holds(_) => assert!(expected, "{hint}"),
                Verdict::Fails(evidence) => {
                    assert!(!expected, "{hint}");
                    assert_eq!(
                        engine == EngineChoice::Bounded,
                        matches!(evidence, Evidence::Bounded(_)),
                        "{hint}"
                    );
                    let DiagramExchange { from, symbol, to } = diagram.messages[prefix];
                    let (players, symbols) = (&instance.ensemble.players, &instance.ensemble.symbols);
                    let failing = format!("{}->{}:{}", players[from].name, players[to].name, symbols[symbol]);
                    assert_eq!(answer.details.failing_message, Some(failing), "{hint}");
                }
                Verdict::Unknown(reason) => panic!("{hint}: {reason:?}"),
            }
        }
        seen.insert((expected, prefix));
    }
    assert!(seen.len() > 5, "{seen:?}");
}

/// A random ensemble in which transitions send up to three messages at once.
fn together(random: &mut Random) -> GeneratedEnsemble {
    let shape =
        MachineShape { machines: 3 + random.below(2), transitions: (3, 7), ..EvaluationSize::Small.shape() };
    let mut ensemble = shape.machines(random);
    let symbols: Vec<_> = ensemble.symbols.ids().collect();
    for plain in ensemble.machines.iter_mut() {
        for arc in plain.arcs.iter_mut().filter(|arc| !arc.effects.is_empty()) {
            for _ in 0..random.below(3) {
                let more = symbols[random.below(symbols.len())];
                if !arc.effects.contains(&more) {
                    arc.effects.push(more);
                }
            }
        }
    }
    ensemble
}

/// A diagram of a part of a path, in which messages may be swapped or missing.
fn drawn(ensemble: &GeneratedEnsemble, random: &mut Random) -> MessageDiagram {
    let path = naive::path(ensemble, random, 12);
    let mut messages: Vec<DiagramExchange> = path.concat();
    let first = random.below(messages.len().max(1));
    messages.drain(..first.min(messages.len()));
    messages.truncate(1 + random.below(4));
    if random.below(2) == 0 && messages.len() > 1 {
        let at = random.below(messages.len() - 1);
        messages.swap(at, at + 1);
    }
    if random.below(2) == 0 && messages.len() > 1 {
        messages.remove(random.below(messages.len()));
    }
    MessageDiagram { name: "scenario".to_owned(), messages }
}

/// Messages of one transition are drawn all or not at all, in any order (D18, section 6.1.2), with and without a bound, by
/// search and by a solver; `effects=unordered` allows parts of them.
#[test]
fn messages_of_one_transition_belong_together() {
    let (mut yes, mut no, mut parts) = (0, 0, 0);
    for seed in seeds(50) {
        let mut random = Random::new(seed);
        let (ensemble, diagram) = loop {
            let ensemble = together(&mut random);
            let diagram = drawn(&ensemble, &mut random);
            if diagram.messages.len() > random.below(3) {
                break (ensemble, diagram);
            }
        };
        let found = naive::distances(&ensemble);
        let within = [None, Some(random.below(4) as u32)][random.below(2)];
        let near = found.into_iter().filter(|(_, distance)| within.is_none_or(|within| *distance <= within));
        let near = near.map(|(global, _)| global).collect();
        let expected = naive::is_possible(&ensemble, &diagram, near);
        let instance = EnsembleInstance { ensemble, asked: EnsembleQuestion::Scenario(diagram), within };
        let files = folder(&instance, GeneratedNotation::Plantuml, "a test", &BY_CHANCE);
        let again = read(&files, &[]);
        for engine in [EngineChoice::Explicit, EngineChoice::Bounded, EngineChoice::Ic3] {
            let outcome = again.check_by(engine);
            let [answer] = outcome.answers.as_slice() else { panic!("one question is asked") };
            let hint = format!("seed {seed}, {}: {:?}\n{files:?}", engine.name(), answer.verdict);
            match &answer.verdict {
                Verdict::Holds(_) => assert!(expected, "{hint}"),
                Verdict::Fails(_) => assert!(!expected, "{hint}"),
                Verdict::Unknown(_) => assert!(engine != EngineChoice::Explicit, "{hint}"),
            }
        }
        *if expected { &mut yes } else { &mut no } += 1;
        let loose: Vec<(String, String)> = files
            .iter()
            .map(|(name, text)| {
                (
                    name.clone(),
                    text.replace("preset = \"P4\"\n", "preset = \"P4\"\neffects = \"unordered\"\n"),
                )
            })
            .collect();
        parts += usize::from(!expected && read(&loose, &[]).verdict() == "holds");
    }
    assert!(yes > 10 && no > 5 && parts > 1, "{yes} are possible, {no} not, {parts} of them in part");
}

/// The messages of a diagram in fragments: alternatives, options, parallel operands, loops.
fn folded(text: &str, random: &mut Random) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        if !line.contains("->>") {
            lines.push(line.to_owned());
            continue;
        }
        let operator = ["", "opt", "alt", "par", "loop (0,2)", "loop (0,*)", "group strict"][random.below(7)];
        let message = line.to_owned();
        match operator {
            "" => lines.push(message),
            "alt" | "par" | "group strict" => {
                // The second operand has the message before this one, if there is one.
                let other = lines.iter().rev().find(|line| line.contains("->>")).unwrap_or(&message).clone();
                lines.extend([operator.to_owned(), message, "else".to_owned(), other, "end".to_owned()]);
            }
            operator => lines.extend([operator.to_owned(), message, "end".to_owned()]),
        }
    }
    lines.join("\n") + "\n"
}

/// Machines that are on their own once it is known which messages follow: a solver finds the way to where they can, and says the
/// same as a search from all states in which a scenario may begin.
#[test]
fn scenarios_with_fragments_are_decided_alike() {
    let (mut holds, mut fails) = (0, 0);
    for seed in seeds(40) {
        let mut random = Random::new(seed + 77_000);
        let cast =
            DiagramShape { lifelines: 3, messages: 1 + seed as usize % 3, ..EvaluationSize::Small.cast() };
        let within = Some(seed as u32 % 3);
        let instance = cast.instance(&EvaluationSize::Small.scenario_shape(), within, &mut random);
        let mut files = folder(&instance, GeneratedNotation::Plantuml, "a test", &[]);
        files
            .iter_mut()
            .filter(|(_, text)| text.contains("->>"))
            .for_each(|(_, text)| *text = folded(text, &mut random));
        let again = read(&files, &[]);
        let verdicts = [EngineChoice::Explicit, EngineChoice::Auto, EngineChoice::All, EngineChoice::Bounded]
            .map(|engine| {
                let outcome = again.check_by(engine);
                let [answer] = outcome.answers.as_slice() else { panic!("one question is asked") };
                answer.verdict.name()
            });
        // That a loop does not go on forever is another question, which no bound answers.
        let is_endless = files.iter().any(|(_, text)| text.contains("(0,*)"));
        let count = if is_endless && verdicts[3] == "unknown" { 3 } else { 4 };
        assert!(
            verdicts[..count].iter().all(|one| *one == verdicts[0]),
            "seed {seed}: {verdicts:?}\n{files:?}"
        );
        match verdicts[0] {
            "holds" => holds += 1,
            "fails" => fails += 1,
            unknown => panic!("seed {seed}: {unknown}"),
        }
    }
    assert!(holds > 3 && fails > 3, "{holds} hold, {fails} fail");
}

/// Sizes of P4's evaluation, at which the states in which a scenario may begin are too many to be looked at.
#[test]
fn scenarios_of_all_sizes_are_decided() {
    for size in [EvaluationSize::Small, EvaluationSize::Medium, EvaluationSize::Large] {
        for seed in seeds(1) {
            let instance =
                size.cast().instance(&size.scenario_shape(), Some(size.within()), &mut Random::new(seed));
            let outcome = read(&folder(&instance, GeneratedNotation::Plantuml, "a test", &BY_CHANCE), &[])
                .check_by(EngineChoice::Auto);
            let [answer] = outcome.answers.as_slice() else { panic!("one question is asked") };
            assert!(!matches!(answer.verdict, Verdict::Unknown(_)), "{size:?} {seed}: {:?}", answer.verdict);
        }
    }
}

#[test]
fn philosophers_read_back() {
    let ensemble = crafted::philosophers(4);
    let goal = ensemble.players.ids().take(4).zip([1, 1, 1, 1]);
    let goal = goal.map(|(player, state)| (player, sequent_kernel::id::Id::from_index(state))).collect();
    let instance = EnsembleInstance { ensemble, asked: EnsembleQuestion::Goal(goal), within: Some(2) };
    assert_eq!(read(&folder(&instance, GeneratedNotation::Plantuml, "a test", &[]), &[]).verdict(), "holds");
}

/// The crafted models stand in `examples/`; `UPDATE_EXPECT=1` writes them there again.
#[test]
fn the_examples_are_the_crafted_models() {
    let projects = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/projects");
    for (model, name) in [
        (Crafted::Coffee, "evaluation-coffee"),
        (Crafted::Mail, "evaluation-mail"),
        (Crafted::Philosophers, "philosophers"),
    ] {
        let printed = |(ensemble, diagram): (GeneratedEnsemble, MessageDiagram)| {
            let instance =
                EnsembleInstance { ensemble, asked: EnsembleQuestion::Scenario(diagram), within: None };
            let files = folder(&instance, GeneratedNotation::Plantuml, "a test", &[]).into_iter();
            let texts: Vec<String> =
                files.filter(|(name, _)| name != "sequent.toml").map(|(_, text)| text).collect();
            <[String; 2]>::try_from(texts).expect("machines and a scenario")
        };
        let ([machines, yes], [_, no]) = (printed(model.consistent()), printed(model.inconsistent()));
        let machines = allowing(&machines, "E630");
        for (file, text) in [("machines.puml", machines), ("scenarios.puml", format!("{yes}\n{no}"))] {
            let path = projects.join(name).join(file);
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                std::fs::write(&path, &text).expect("a writable example");
            }
            assert_eq!(std::fs::read_to_string(&path).expect("a readable example"), text, "{name}/{file}");
        }
    }
}

/// Diagrams with a finding that their author knows about.
fn allowing(text: &str, code: &str) -> String {
    let line = |line: &str| match line.starts_with("@startuml") {
        true => format!("{line}\n' @allow {code}\n"),
        false => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}
