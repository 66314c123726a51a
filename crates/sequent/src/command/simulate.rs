//! `sequent simulate`: a diagram step by step, or at random.
//!
//! What is said and drawn comes from the library; here lines are read, and answers printed and saved.

use std::collections::BTreeSet;
use std::io::{BufRead, IsTerminal};
use std::path::Path;

use sequent::simulate::{Dialogue, Random, Reply, Simulation, State, Subject, drawn, walk, worth};
use sequent_kernel::semantics::lower;
use sequent_notation::{mermaid, plantuml};
use sequent_report::draw;
use sequent_report::run::{self, Drawn};

use super::render::target;
use super::subject::{assumptions, choose, not_run, warn_of_gaps};
use crate::cli::{self, Common, Target};
use crate::output;

/// Pixels per unit of a PNG.
const SCALE: f32 = 2.0;

/// The exit code of a run that is stuck.
const STUCK: u8 = 1;

pub fn run(options: &cli::Simulate, common: &Common) -> Result<u8, String> {
    let session = super::read(&options.input.paths, common)?;
    session.complain_of_errors();
    let model = &session.reading.model;
    let id = choose(model, options.interaction.as_deref())?;
    warn_of_gaps(&session, id);
    let system = match lower(model, id, &assumptions(&options.meaning, &session, id)?) {
        Ok(system) => system,
        Err(unsupported) => return Ok(not_run(&session, &unsupported)),
    };
    let subject = Subject { model, id, sources: &session.sources, system: &system };
    let has_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let is_interactive =
        options.interactive || (options.seed.is_none() && options.output.is_none() && has_terminal);
    match is_interactive {
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

/// Reads commands until there are no more. Those that nobody types are shown, so that a record can be read.
fn talk(mut dialogue: Dialogue, width: usize) -> Result<u8, String> {
    let is_typed = std::io::stdin().is_terminal();
    output::print(&format!("{}\n> ", dialogue.overview()));
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| format!("standard input cannot be read: {error}"))?;
        if !is_typed {
            output::print(&format!("{line}\n"));
        }
        match dialogue.answer(&line) {
            Reply::Say(text) => output::print(&text),
            Reply::Save(file) => match save(&dialogue, Path::new(&file), width) {
                Ok(()) => output::print(&format!("saved as {file}\n")),
                Err(problem) => output::print(&format!("{problem}\n")),
            },
            Reply::Quit => return Ok(0),
        }
        output::print("\n> ");
    }
    output::print("\n");
    Ok(0)
}

fn save(dialogue: &Dialogue, file: &Path, width: usize) -> Result<(), String> {
    let target = target(None, Some(file))?;
    output::write(file, &make(&dialogue.drawn()?, target, width)?)
}

/// A random run: its events, how it ended, its drawing.
fn at_random(subject: &Subject, options: &cli::Simulate, width: usize) -> Result<u8, String> {
    let target = target(options.to, options.output.as_deref())?;
    let simulation = walk(subject.system, &mut Random::new(options.seed.unwrap_or(0)), options.steps);
    let state = simulation.state();
    let last = match state {
        State::Stuck => simulation.moves().next_back().map(|(position, _)| position),
        State::Open | State::Complete | State::Void => None,
    };
    let drawn = drawn(subject, &simulation, last.into_iter().collect::<BTreeSet<usize>>())?;
    let bytes = make(&drawn, target, width)?;
    // A drawing for another program stands alone on standard output.
    let is_piped = options.output.is_none() && target != Target::Text;
    if !is_piped {
        output::print(&told(subject, &simulation, state));
    }
    match &options.output {
        Some(file) => output::write(file, &bytes)?,
        None if target == Target::Text => {
            output::print("\n");
            output::print_bytes(&bytes);
        }
        None => output::print_bytes(&bytes),
    }
    Ok(if state == State::Stuck { STUCK } else { 0 })
}

/// The steps of a run, a line each, and how it ended.
fn told(subject: &Subject, simulation: &Simulation, state: State) -> String {
    let line = |step| match subject.system.events(step).next() {
        Some(_) => format!("{}\n", subject.step(step)),
        None => format!("    {}\n", subject.step(step)),
    };
    let steps: String = simulation.moves().map(|(_, step)| line(step)).collect();
    let end = match state {
        State::Open => "ended after the last of --steps\n".to_owned(),
        State::Complete => format!("complete{}\n", worth(simulation)),
        State::Void => "the choices contradict each other: this run does not count\n".to_owned(),
        State::Stuck => format!("stuck\n{}", subject.waits(simulation.config())),
    };
    format!("{steps}{end}")
}

/// A drawn run in any form, with its marks as the form can show them.
pub fn make(drawn: &Drawn, target: Target, width: usize) -> Result<Vec<u8>, String> {
    let style = || draw::Style { marked: drawn.marked.clone(), ..draw::Style::default() };
    let text = match target {
        Target::Text => {
            let style = draw::TextStyle { width, marked: drawn.marked.clone(), ..draw::TextStyle::default() };
            draw::text(&drawn.interaction, &style)
        }
        Target::Svg => draw::svg(&drawn.interaction, &style()),
        Target::Png => {
            let svg = draw::svg(&drawn.interaction, &style());
            return draw::png(&svg, SCALE).map_err(|error| error.to_string());
        }
        Target::Mermaid => mermaid::print::sequence(&run::framed(drawn)),
        Target::Plantuml => plantuml::print::sequence(&run::coloured(drawn)),
    };
    Ok(text.into_bytes())
}
