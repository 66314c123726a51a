//! The commands: one function each, from arguments to an exit code.

mod ast;
mod bench;
mod check;
mod classify;
mod diff;
mod doctor;
mod driver;
mod explain;
mod export;
mod generate;
mod merge;
mod picture;
mod proofs;
mod reach;
mod refine;
mod render;
mod simulate;
mod subject;
mod traces;

use std::collections::BTreeSet;
use std::path::Path;

use clap::CommandFactory;
use sequent::pipeline::{self, Reading};
use sequent::settings::{self, Settings};
use sequent::tools::Outside;
use sequent_engine::decision::Engine;
use sequent_engine::portfolio::Choice;
use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::source::{FileId, Sources};
use sequent_kernel::verdict::{Answer, Reason, Verdict};
use sequent_report::findings::{self, Look};
use sequent_report::reason;

use crate::cli::{Arguments, Command, Common, Completions, EngineName, Man};
use crate::files::{self, Included, Inputs};
use crate::nusmv::Checker;
use crate::output;
use crate::program::Keep;
use crate::roots::Roots;
use crate::spin::Spin;
use crate::watch::Watcher;

/// The exit code of a usage error or unreadable input.
const UNUSABLE: u8 = 2;

/// Runs a command.
pub fn run(arguments: &Arguments) -> u8 {
    let result = match &arguments.command {
        Command::Check(options) => check::run(options, &arguments.common),
        Command::Render(options) => render::run(options, &arguments.common),
        Command::Traces(options) => traces::run(options, &arguments.common),
        Command::Simulate(options) => simulate::run(options, &arguments.common),
        Command::Reach(options) => reach::run(options, &arguments.common),
        Command::Refine(options) => refine::run(options, &arguments.common),
        Command::Classify(options) => classify::run(options, &arguments.common),
        Command::Merge(options) => merge::run(options, &arguments.common),
        Command::Diff(options) => diff::run(options, &arguments.common),
        Command::Export(options) => export::run(options, &arguments.common),
        Command::Generate(options) => generate::run(options),
        Command::Bench(options) => bench::run(options),
        Command::Ast(options) => ast::run(options, &arguments.common),
        Command::Explain(options) => explain::run(options),
        Command::Doctor(options) => doctor::run(options),
        Command::Completions(options) => completions(options),
        Command::Man(options) => man(options),
    };
    result.unwrap_or_else(|problem| {
        output::complain(&problem);
        UNUSABLE
    })
}

/// Everything a command starts from.
struct Session {
    sources: Sources,
    settings: Settings,
    reading: Reading,
    look: Look,
}

/// Reads settings and files.
fn read(paths: &[String], common: &Common) -> Result<Session, String> {
    let roots = Roots::new(paths, &common.include_root)?;
    let inputs = files::read(paths, &roots);
    read_inputs(paths, common, roots, inputs)
}

/// The same, with files beside those that are given one by one, if they belong to them; and which these are.
fn read_with_company(paths: &[String], common: &Common) -> Result<(Session, BTreeSet<FileId>), String> {
    let roots = Roots::new(paths, &common.include_root)?;
    let mut inputs = files::read(paths, &roots);
    let own = inputs.files.clone();
    inputs.with_neighbours(paths, &roots);
    let mut loader = Included(roots);
    let company = pipeline::company(&own, &inputs.files, &mut inputs.sources, &mut loader);
    inputs.files.retain(|file| own.contains(file) || company.contains(file));
    let mut session = read_inputs(paths, common, loader.0, inputs)?;
    session.reading.ask_only(&company);
    Ok((session, company))
}

fn read_inputs(
    paths: &[String],
    common: &Common,
    roots: Roots,
    mut inputs: Inputs,
) -> Result<Session, String> {
    if inputs.files.is_empty() && inputs.diagnostics.is_empty() {
        return Err(format!("no file with diagrams is to be found in {}", paths.join(", ")));
    }
    let mut sources = inputs.sources;
    let mut diagnostics = std::mem::take(&mut inputs.diagnostics);
    let (settings, problems) = read_settings(paths, common, &roots, &mut sources)?;
    diagnostics.extend(problems);
    let mut reading = pipeline::read(&inputs.files, &mut sources, &mut Included(roots), &settings);
    reading.diagnostics.extend(diagnostics);
    let look = Look { colour: output::has_colour(common.colour), width: output::width() };
    Ok(Session { sources, settings, reading, look })
}

/// Reads the settings for some paths, and what the command line says about them.
fn read_settings(
    paths: &[String],
    common: &Common,
    roots: &Roots,
    sources: &mut Sources,
) -> Result<(Settings, Vec<Diagnostic>), String> {
    let (mut settings, mut diagnostics) = (Settings::default(), Vec::new());
    if let Some(path) = common.config.clone().or_else(|| files::settings_file(paths)) {
        let text = match &common.config {
            Some(path) => std::fs::read_to_string(path).map_err(|error| error.to_string()),
            None => roots.read_settings(&path).map_err(|refusal| refusal.to_string()),
        };
        let text = text.map_err(|problem| format!("`{}` cannot be read: {problem}", path.display()))?;
        let file = sources.add(path.display().to_string(), text);
        (settings, diagnostics) = settings::read(file, sources.get(file));
        settings.is_whole = files::covers(paths, &path);
    }
    for assignment in &common.set {
        settings::set(&mut settings, assignment)
            .map_err(|problem| format!("--set {assignment}: {problem}"))?;
    }
    Ok((settings, diagnostics))
}

impl Session {
    /// Prints the errors met while reading to standard error; true if there are any.
    fn complain_of_errors(&self) -> bool {
        let errors: Vec<&Diagnostic> = self
            .reading
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .collect();
        self.complain(errors.iter().copied());
        !errors.is_empty()
    }

    /// Prints findings to standard error.
    fn complain<'d>(&self, findings: impl Iterator<Item = &'d Diagnostic>) {
        let plain = Look { colour: false, ..self.look };
        findings.for_each(|one| output::warn(&findings::text(one, &self.sources, plain)));
    }
}

fn completions(options: &Completions) -> Result<u8, String> {
    let mut text = Vec::new();
    clap_complete::generate(options.shell, &mut Arguments::command(), "sequent", &mut text);
    output::print_bytes(&text);
    Ok(0)
}

fn man(options: &Man) -> Result<u8, String> {
    let command = Arguments::command();
    match &options.dir {
        Some(folder) => std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command, folder))
            .map_err(|error| format!("`{}`: {error}", folder.display()))?,
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page).map_err(|error| error.to_string())?;
            output::print_bytes(&page);
        }
    }
    Ok(0)
}

/// The engine that the options ask for.
fn engine(name: EngineName, models: Option<&Path>, watcher: &Watcher) -> Result<Box<dyn Engine>, String> {
    if models.is_some() && !matches!(name, EngineName::Spin | EngineName::Nusmv) {
        return Err("--models goes with --engine spin and --engine nusmv".to_owned());
    }
    Ok(match name {
        EngineName::Spin => {
            let mut spin = Spin::find(watcher.bytes())?;
            spin.kept = models.map(Keep::new);
            Box::new(Outside(Box::new(spin)))
        }
        EngineName::Nusmv => {
            let mut nusmv = Checker::find(watcher.bytes())?;
            nusmv.kept = models.map(Keep::new);
            Box::new(Outside(Box::new(nusmv)))
        }
        EngineName::Auto => Box::new(Choice::Auto),
        EngineName::Explicit => Box::new(Choice::Explicit),
        EngineName::Bounded => Box::new(Choice::Bounded),
        EngineName::Induction => Box::new(Choice::Induction),
        EngineName::Ic3 => Box::new(Choice::Ic3),
        EngineName::All => Box::new(Choice::All),
    })
}

/// Engines that contradict each other are a fault of this program: nothing is answered, and a file says what its authors need
/// to know.
fn report_contradictions(answers: &[Answer], session: &Session) -> Result<(), String> {
    const FILE: &str = "sequent-contradiction.txt";
    let contradictions: Vec<String> = answers
        .iter()
        .filter_map(|answer| match &answer.verdict {
            Verdict::Unknown(why @ Reason::Contradiction(_)) => Some(reason::words(why)),
            Verdict::Unknown(_) | Verdict::Holds(_) | Verdict::Fails(_) => None,
        })
        .collect();
    if contradictions.is_empty() {
        return Ok(());
    }
    let mut report = format!("sequent {}\n\n", env!("CARGO_PKG_VERSION"));
    report += &format!("command: {}\n\n", std::env::args().collect::<Vec<_>>().join(" "));
    report += &contradictions.join("\n");
    for (name, text) in session.sources.files().map(|(_, source)| (&source.name, &source.text)) {
        report += &format!("\n\n==== {name}\n{text}");
    }
    let saved = match output::write(Path::new(FILE), report.as_bytes()) {
        Ok(()) => format!("; please report it with {FILE}, which was written here"),
        Err(problem) => format!("; {problem}"),
    };
    Err(format!("{}{saved}", contradictions.join("; ")))
}
