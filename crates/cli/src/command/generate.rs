//! `sequent generate`: generated models, most with a question.

use std::path::Path;

use sequent_evaluation::generate::satisfaction::CnfFormula;
use sequent_evaluation::generate::{self, BY_CHANCE, GeneratedNotation, dimacs};
use sequent_evaluation::generate::{
    EnsembleInstance, EnsembleQuestion, EvaluationSize, MachineShape, PlayerId, StateId, crafted, goal,
};
use sequent_kernel::diagnostic::Code;
use sequent_kernel::id::Id;
use sequent_kernel::model::Communication;
use sequent_kernel::random::Random;
use sequent_notation::{mermaid, plantuml};

use crate::cli::generate as cli;
use crate::output;
use crate::roots;

pub(crate) fn run(options: &cli::Generate) -> Result<u8, String> {
    match &options.kind {
        cli::GenerateKind::Machines(options) => deliver(&machines(options), &options.delivery, &BY_CHANCE),
        cli::GenerateKind::Scenario(options) => deliver(&scenario(options), &options.delivery, &BY_CHANCE),
        cli::GenerateKind::Sat(options) => deliver(&satisfaction(options)?, &options.delivery, &BY_CHANCE),
        cli::GenerateKind::Philosophers(options) => deliver(&philosophers(options), &options.delivery, &[]),
        cli::GenerateKind::Wide(options) => wide(options),
        cli::GenerateKind::Interaction(options) => {
            output::print(&interaction(options));
            Ok(())
        }
    }?;
    Ok(0)
}

fn machines(options: &cli::MachinesArguments) -> EnsembleInstance {
    let (size, shape) = shape(&options.shape, EvaluationSize::shape);
    let mut random = Random::new(options.shape.seed);
    let ensemble = shape.machines(&mut random);
    let goal = goal(&ensemble, options.goal_size, &mut random);
    EnsembleInstance { ensemble, asked: EnsembleQuestion::Goal(goal), within: within(&options.shape, size) }
}

fn scenario(options: &cli::ScenarioArguments) -> EnsembleInstance {
    let (size, shape) = shape(&options.shape, EvaluationSize::scenario_shape);
    let mut cast = size.cast();
    cast.lifelines = options.lifelines.unwrap_or(cast.lifelines);
    cast.messages = options.messages.unwrap_or(cast.messages);
    cast.inconsistency = options.inconsistency.unwrap_or(cast.inconsistency);
    cast.is_plausible = options.plausible;
    let within = within(&options.shape, size);
    cast.lead = within.map_or(cast.lead, |within| within as usize).min(LONGEST);
    cast.instance(&shape, within, &mut Random::new(options.shape.seed))
}

/// More messages than these are not simulated before the diagram begins.
const LONGEST: usize = 1_000;

/// The sizes that were asked for.
fn shape(
    options: &cli::MachineShapeArguments,
    preset: fn(EvaluationSize) -> MachineShape,
) -> (EvaluationSize, MachineShape) {
    let size = match options.size {
        cli::SizeArgument::Small => EvaluationSize::Small,
        cli::SizeArgument::Medium => EvaluationSize::Medium,
        cli::SizeArgument::Large => EvaluationSize::Large,
    };
    let shape = preset(size);
    let shape = MachineShape {
        machines: options.machines.unwrap_or(shape.machines),
        states: options.states.unwrap_or(shape.states),
        transitions: options.transitions.unwrap_or(shape.transitions),
        symbols: options.symbols.unwrap_or(shape.symbols),
        trigger: options.trigger.unwrap_or(shape.trigger),
        effect: options.effect.unwrap_or(shape.effect),
    };
    (size, shape)
}

fn within(options: &cli::MachineShapeArguments, size: EvaluationSize) -> Option<u32> {
    match options.within {
        Some(0) => None,
        Some(within) => Some(within),
        None => Some(size.within()),
    }
}

fn satisfaction(options: &cli::SatArguments) -> Result<EnsembleInstance, String> {
    let formula = match &options.file {
        Some(file) => {
            let text = match file.as_str() {
                "-" => std::io::read_to_string(std::io::stdin()).map_err(|error| error.to_string()),
                path => {
                    roots::read_text(Path::new(path), roots::LONGEST).map_err(|refusal| refusal.to_string())
                }
            };
            let text = text.map_err(|problem| format!("`{file}`: {problem}"))?;
            dimacs::read(&text).map_err(|problem| format!("`{file}`: {problem}"))?
        }
        None => CnfFormula::random(options.variables, &mut Random::new(options.seed)),
    };
    Ok(match options.ask {
        cli::QuestionArgument::Goal => formula.goal(),
        cli::QuestionArgument::Scenario => formula.scenario(),
    })
}

fn philosophers(options: &cli::Philosophers) -> EnsembleInstance {
    let ensemble = crafted::philosophers(options.count);
    let holding = |at: usize| (PlayerId::from_index(at), StateId::from_index(1));
    let goal = (0..options.count).map(holding).collect();
    EnsembleInstance { ensemble, asked: EnsembleQuestion::Goal(goal), within: None }
}

fn wide(options: &cli::WideArguments) -> Result<(), String> {
    let medium = match options.communication {
        cli::Medium::Queue => Communication::Queue,
        cli::Medium::Bag => Communication::Bag,
        cli::Medium::Rendezvous => Communication::Rendezvous,
    };
    let case = generate::wide::case(options.seed, medium, false);
    let settings = case.settings(&note());
    match &options.output {
        Some(folder) if folder.join("sequent.toml").exists() => {
            Err(format!("`{}` has a sequent.toml already: name a new folder", folder.display()))
        }
        Some(folder) => {
            output::write(&folder.join("sequent.toml"), settings.as_bytes())?;
            output::write(&folder.join("system.puml"), case.text.as_bytes())
        }
        None => {
            let (first, rest) = case.text.split_once('\n').unwrap_or((&case.text, ""));
            let comments: String = settings.lines().map(|line| format!("' {line}\n")).collect();
            output::print(&format!("{first}\n{comments}{rest}"));
            Ok(())
        }
    }
}

fn interaction(options: &cli::InteractionArguments) -> String {
    let model = generate::interaction::model(options.seed);
    let mut text = String::new();
    for interaction in &model.interactions {
        text += &match options.to {
            cli::NotationArgument::Plantuml => format!("{}\n", plantuml::print::sequence(interaction)),
            cli::NotationArgument::Mermaid => {
                let diagram = mermaid::print::sequence(interaction);
                format!("## {}\n\n```mermaid\n{diagram}```\n\n", interaction.name)
            }
        };
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn deliver(
    instance: &EnsembleInstance,
    delivery: &cli::DeliveryArguments,
    allowed: &[Code],
) -> Result<(), String> {
    let notation = match delivery.to {
        cli::NotationArgument::Plantuml => GeneratedNotation::Plantuml,
        cli::NotationArgument::Mermaid => GeneratedNotation::Mermaid,
    };
    let note = note();
    let Some(folder) = &delivery.output else {
        output::print(&generate::page(instance, notation, &note));
        return Ok(());
    };
    if folder.join("sequent.toml").exists() {
        return Err(format!("`{}` has a sequent.toml already: name a new folder", folder.display()));
    }
    for (name, text) in generate::folder(instance, notation, &note, allowed) {
        output::write(&folder.join(name), text.as_bytes())?;
    }
    Ok(())
}

/// The command line without its output option: a comment in the model that says how to generate it again.
fn note() -> String {
    let mut words = vec!["sequent".to_owned()];
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-o" | "--output" => drop(arguments.next()),
            word if word.starts_with("-o") || word.starts_with("--output=") => {}
            word => words.push(
                Path::new(word).file_name().map_or(word, |name| name.to_str().unwrap_or(word)).to_owned(),
            ),
        }
    }
    words.join(" ").chars().filter(|one| !one.is_control()).collect()
}
