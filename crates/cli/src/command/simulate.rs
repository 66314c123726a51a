//! `sequent simulate`: a diagram, or communicating state machines, step by step or at random.
//!
//! What is said and drawn comes from the library; here lines are read, and answers printed and saved.

use std::collections::BTreeSet;
use std::io::{BufRead, IsTerminal};
use std::path::Path;

use sequent::simulate::{
    Dialogue, Random, RunStatus, Simulation, SimulationReply, SimulationSubject, SubjectContent,
};
use sequent_kernel::meter::{self, Work};
use sequent_kernel::semantics::lower;

use super::Session;
use super::picture::{make, picture};
use super::subject::{assumptions, choose, gather, not_run, warn_of_gaps};
use crate::cli::{self, Common, PictureArgument};
use crate::output;

/// The exit code where state machines have errors.
const UNREAD: u8 = 2;

/// The exit code of a run that is stuck, or broken.
const STUCK: u8 = 1;

pub(crate) fn run(options: &cli::Simulate, common: &Common) -> Result<u8, String> {
    let session = super::read(&options.input.paths, common)?;
    let has_errors = session.complain_of_errors();
    let model = &session.reading.model;
    let has_machines = !model.machines.is_empty() && options.interaction.is_none();
    if has_machines || options.scenario.is_some() {
        if has_errors {
            // What cannot be read does not run.
            return Ok(UNREAD);
        }
        let about = options.scenario.as_deref().map(|name| choose(model, Some(name))).transpose()?;
        return match gather(&session, about)? {
            Ok(objects) => simulate(&session, SubjectContent::Objects(&objects, about), options),
            Err(unsupported) => Ok(not_run(&session, &unsupported)),
        };
    }
    let id = choose(model, options.interaction.as_deref())?;
    warn_of_gaps(&session, id);
    match lower(model, id, &assumptions(&options.meaning, &session, id)?) {
        Ok(system) => simulate(&session, SubjectContent::Interaction(id, &system), options),
        Err(unsupported) => Ok(not_run(&session, &unsupported)),
    }
}

fn simulate(session: &Session, content: SubjectContent<'_>, options: &cli::Simulate) -> Result<u8, String> {
    let subject = SimulationSubject { model: &session.reading.model, sources: &session.sources, content };
    match options.is_interactive() {
        true if options.input.paths.iter().any(|path| path == "-") => {
            Err("standard input is the diagram, so it cannot be asked for steps; name a file".to_owned())
        }
        true => {
            let dialogue = Dialogue::new(subject, options.seed.unwrap_or(0), session.look.width);
            talk(dialogue, session.look.width)
        }
        false => at_random(&subject, options, session.look.width),
    }
}

/// Reads commands until the end of the input. If the input is not a terminal, echoes each command, so that
/// the output is a complete record.
fn talk(mut dialogue: Dialogue, width: usize) -> Result<u8, String> {
    let is_typed = std::io::stdin().is_terminal();
    output::print(&format!("{}\n> ", dialogue.overview()));
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| format!("standard input cannot be read: {error}"))?;
        if !is_typed {
            output::print(&format!("{line}\n"));
        }
        match dialogue.answer(&line) {
            SimulationReply::Say(text) => output::print(&text),
            SimulationReply::Save(file) => match save(&dialogue, Path::new(&file), width) {
                Ok(()) => output::print(&format!("saved as {file}\n")),
                Err(problem) => output::print(&format!("{problem}\n")),
            },
            SimulationReply::Quit => return Ok(0),
        }
        output::print("\n> ");
    }
    output::print("\n");
    Ok(0)
}

fn save(dialogue: &Dialogue, file: &Path, width: usize) -> Result<(), String> {
    let picture = picture(None, Some(file))?;
    output::write(file, &make(&dialogue.story()?, picture, width)?)
}

/// A random run: its events, how it ended, its drawing.
fn at_random(subject: &SimulationSubject, options: &cli::Simulate, width: usize) -> Result<u8, String> {
    let picture = picture(options.to, options.output.as_deref())?;
    let simulation = subject.walk(&mut Random::new(options.seed.unwrap_or(0)), options.steps);
    let state = subject.state(&simulation);
    let last = match state {
        RunStatus::Stuck | RunStatus::Broken => simulation.moves().next_back().map(|(position, _)| position),
        RunStatus::Open | RunStatus::Complete | RunStatus::Void => None,
    };
    let drawing = match meter::leaves(Work::Drawings, 1) {
        true => None,
        false => {
            let story = subject.plain_story(&simulation, last.into_iter().collect::<BTreeSet<usize>>())?;
            Some(make(&story, picture, width)?)
        }
    };
    // A drawing for another program stands alone on standard output.
    let is_piped =
        options.output.is_none() && !matches!(picture, PictureArgument::Text | PictureArgument::Table);
    if !is_piped && picture != PictureArgument::Table {
        output::print(&steps(subject, &simulation));
    }
    if !is_piped {
        output::print(&ending(subject, &simulation, state));
    }
    match (&options.output, &drawing) {
        (_, None) => {}
        (Some(file), Some(bytes)) => output::write(file, bytes)?,
        (None, Some(bytes)) => {
            output::print(if is_piped { "" } else { "\n" });
            output::print_source(bytes);
        }
    }
    Ok(if matches!(state, RunStatus::Stuck | RunStatus::Broken) { STUCK } else { 0 })
}

/// The steps of a run, a line each.
fn steps(subject: &SimulationSubject, simulation: &Simulation) -> String {
    let line = |step| match subject.system().events(step).next() {
        Some(_) => format!("{}\n", subject.step(step)),
        None => format!("    {}\n", subject.step(step)),
    };
    simulation.moves().map(|(_, step)| line(step)).collect()
}

/// How a run ended.
fn ending(subject: &SimulationSubject, simulation: &Simulation, state: RunStatus) -> String {
    let worth = subject.worth(simulation);
    match state {
        RunStatus::Open if subject.is_idle(simulation) => {
            "ended: from here on nothing comes that anybody takes\n".to_owned()
        }
        RunStatus::Open if meter::is_over() => "ended with the time or the memory for it\n".to_owned(),
        RunStatus::Open => "ended after the last of --steps\n".to_owned(),
        RunStatus::Complete => format!("complete{worth}\n"),
        RunStatus::Broken => format!("ended in a fault{worth}\n"),
        RunStatus::Void => "the choices contradict each other: this run does not count\n".to_owned(),
        RunStatus::Stuck => format!("stuck\n{}", subject.waits(simulation.config())),
    }
}
