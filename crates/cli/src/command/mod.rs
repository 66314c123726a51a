//! The commands: one function each, from arguments to an exit code.

mod ast;
mod baseline;
mod bench;
mod check;
mod classify;
mod cluster;
mod dap;
mod diff;
mod doctor;
mod driver;
mod explain;
mod export;
mod fix;
mod generate;
mod lsp;
mod mcp;
mod merge;
mod picture;
mod proofs;
mod reach;
mod refine;
mod render;
mod serve;
mod simulate;
mod subject;
mod traces;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use sequent::pipeline::{self, CompanyMemory, Outcome, Pages, Reading};
use sequent::settings::{self, Settings};
use sequent::tools::OutsideEngine;
use sequent_engine::decision::Engine;
use sequent_engine::portfolio::EngineChoice;
use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::source::{FileId, Sources};
use sequent_kernel::verdict::{Answer, Reason, Verdict};
use sequent_report::checked::Checked;
use sequent_report::findings::{self, FindingStyle};
use sequent_report::html::ReportSection;
use sequent_report::reason;

use crate::cli::{Command, CommandArguments, Common, Completions, EngineName, Man};
use crate::files::{self, DiskMemory, IncludedFiles, Inputs, Named};
use crate::library::{Library, SettingsChain};
use crate::nusmv::NusmvProgram;
use crate::output;
use crate::program::Keep;
use crate::roots::{DraftTexts, Roots};
use crate::spin::SpinPrograms;
use crate::watch::ProgressPrinter;

/// The exit code of a usage error or unreadable input.
const UNUSABLE: u8 = 2;

/// Runs a command.
pub(crate) fn run(arguments: &CommandArguments) -> u8 {
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
        Command::Serve(options) => serve::run(options, &arguments.common),
        Command::Generate(options) => generate::run(options),
        Command::Bench(options) => bench::run(options),
        Command::Ast(options) => ast::run(options, &arguments.common),
        Command::Explain(options) => explain::run(options),
        Command::Lsp(options) => lsp::run(options, &arguments.common),
        Command::Mcp(options) => mcp::run(options, &arguments.common),
        Command::Dap(options) => dap::run(options, &arguments.common),
        Command::Doctor(options) => doctor::run(options),
        Command::Completions(options) => completions(options),
        Command::Man(options) => man(options),
        Command::Worker(options) => cluster::serve(options),
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
    look: FindingStyle,
}

/// Diagrams that share their settings.
struct SettingsScope {
    settings: Settings,
    reading: Reading,
    /// Files that were read because they lie beside one that was given.
    beside: BTreeSet<FileId>,
}

impl SettingsScope {
    /// The files that were given.
    fn files(&self) -> impl Iterator<Item = FileId> {
        let all = self.reading.documents.iter().map(|document| document.file);
        all.filter(|file| !self.beside.contains(file))
    }
}

/// Everything that was read, each system by itself.
struct Systems {
    sources: Sources,
    systems: Vec<SettingsScope>,
    look: FindingStyle,
}

impl Systems {
    /// What was found out, as reports take it.
    fn checked<'a>(&'a self, outcome: &'a Outcome) -> Checked<'a> {
        Checked {
            answers: &outcome.answers,
            diagnostics: &outcome.diagnostics,
            fixes: &[],
            stories: &outcome.stories,
            examples: &outcome.examples,
            sources: &self.sources,
            denies_vacuous: self.systems.iter().any(|system| system.settings.vacuous_denied),
        }
    }

    /// Whether something in a file cannot be read.
    fn is_broken(&self, file: &str) -> bool {
        let mut found = self.systems.iter().flat_map(|system| &system.reading.diagnostics);
        found.any(|one| one.severity == Severity::Error && self.sources.get(one.span.file).name == file)
    }

    /// The parts of a page about it.
    fn parts(&self) -> Vec<ReportSection<'_>> {
        let systems = self.systems.iter();
        systems.map(|system| ReportSection { model: &system.reading.model, beside: &system.beside }).collect()
    }
}

/// What is to be read.
struct Request<'a> {
    /// Files, folders, patterns.
    paths: &'a [String],
    common: &'a Common,
    /// Whether settings are not to be trusted: nothing is left out by them.
    is_strict: bool,
    /// Whether files bring along what belongs to them in their folders.
    has_company: bool,
    /// Texts that count instead of what stands on the disk.
    drafts: &'a DraftTexts,
    /// Whether what was read is kept for the next time.
    is_kept: bool,
    /// Whether files that were read before are taken to be unchanged on the disk.
    is_quick: bool,
}

/// What stays from one reading to the next: files and what each says by itself.
#[derive(Clone, Default)]
struct Shelf {
    sources: Sources,
    pages: Pages,
    company: CompanyMemory,
    memory: DiskMemory,
}

/// Reads files, each with the settings nearest to it, and if wished with what belongs to them in their folders.
fn read_systems(
    paths: &[String],
    common: &Common,
    is_strict: bool,
    has_company: bool,
    drafts: &DraftTexts,
) -> Result<Systems, String> {
    let request = Request { paths, common, is_strict, has_company, drafts, is_kept: false, is_quick: false };
    read_again(&request, &mut Shelf::default())
}

/// The same; what was read before is not read again if it has not changed. The shelf is empty after a failure.
fn read_again(request: &Request<'_>, shelf: &mut Shelf) -> Result<Systems, String> {
    let Request { common, is_strict, .. } = *request;
    let paths = &files::subjects(request.paths);
    let roots = Roots::new(paths, &common.include_root)?.with_drafts(request.drafts);
    let Shelf { mut sources, mut pages, mut company, mut memory } = std::mem::take(shelf);
    sources.age();
    request.drafts.keys().for_each(|file| memory.forget(file));
    let mut inputs = Inputs { sources, ..Inputs::default() };
    let mut library = Library::new(common.config.clone());
    let mut groups: BTreeMap<SettingsChain, Vec<FileId>> = BTreeMap::new();
    let mut excluded = 0;
    // What an editor has open is a file, even if it is not saved and its name looks like a pattern.
    let (open, others): (Vec<String>, Vec<String>) =
        paths.iter().cloned().partition(|path| request.drafts.contains_key(Path::new(path)));
    let open = open.into_iter().map(|path| Named::File(path.into(), true));
    for named in open.chain(files::find(&others)) {
        let chain = match &named {
            Named::Input => library.chain(Path::new("."), &roots, &mut inputs.sources)?,
            Named::File(path, _) => library.chain(path, &roots, &mut inputs.sources)?,
            Named::Problem(..) => SettingsChain::new(),
        };
        match &named {
            Named::File(path, false) if !is_strict && library.excludes(&chain, path) => excluded += 1,
            Named::Input | Named::File(..) | Named::Problem(..) => {
                let before = inputs.files.len();
                inputs.take(&named, &roots);
                let read = inputs.files[before..].iter().copied();
                groups.entry(chain).or_default().extend(read);
            }
        }
    }
    if inputs.files.is_empty() && inputs.diagnostics.is_empty() {
        let out = if excluded > 0 { format!(" ({excluded} excluded by settings)") } else { String::new() };
        return Err(format!("no file with diagrams found in {}{out}", paths.join(", ")));
    }
    let given = inputs.files.len();
    let are_single = request.has_company && paths.iter().all(|path| Path::new(path).is_file());
    if request.has_company {
        inputs.with_neighbours(paths, &roots, &mut memory, request.is_quick);
    }
    let found = inputs.files.split_off(given);
    let mut neighbours = by_settings(&found, &mut library, &roots, &mut inputs.sources)?;
    let Inputs { mut sources, diagnostics, .. } = inputs;
    let mut systems = Vec::new();
    for (chain, own) in &groups {
        let mut files = own.clone();
        files.extend(neighbours.remove(chain).unwrap_or_default());
        let mut loader = IncludedFiles(roots.clone());
        let mut settings = library.settings(chain, paths);
        let beside =
            pipeline::company(own, &files, &settings, &mut company, &mut pages, &mut sources, &mut loader);
        if !request.is_kept {
            pages = Pages::default();
        }
        files.retain(|file| own.contains(file) || beside.contains(file));
        if !beside.is_empty() {
            // Objects have the order that they have when the folder is read.
            files.sort_by(|one, other| sources.get(*one).name.cmp(&sources.get(*other).name));
        }
        settings.is_strict = is_strict;
        for file in &files {
            let layers = library.layers(chain, Path::new(&sources.get(*file).name));
            settings.by_file.insert(*file, layers);
        }
        set(&mut settings, common)?;
        // Who reads once need not keep what each file says by itself.
        let mut reading = match request.is_kept {
            true => pipeline::read_pages(&files, &mut pages, &mut sources, &mut loader, &settings),
            false => pipeline::read(&files, &mut sources, &mut loader, &settings),
        };
        reading.ask_only(&beside);
        reading.about = are_single.then(|| own.iter().copied().collect()).filter(|_| !settings.is_whole);
        systems.push(SettingsScope { settings, reading, beside });
    }
    let has_diagrams =
        systems.iter().any(|system| system.reading.documents.iter().any(|document| !document.is_empty()));
    if systems.len() > 1 && has_diagrams {
        let is_said = |finding: &Diagnostic| finding.code != Code::NoDiagram;
        systems.iter_mut().for_each(|system| system.reading.diagnostics.retain(is_said));
    }
    for diagnostic in diagnostics.into_iter().chain(library.diagnostics) {
        let own =
            systems.iter().position(|system| system.settings.by_file.contains_key(&diagnostic.span.file));
        systems[own.unwrap_or(0)].reading.diagnostics.push(diagnostic);
    }
    let look = FindingStyle { colour: output::has_colour(common.colour), width: output::width() };
    *shelf = Shelf { sources: sources.clone(), pages, company, memory };
    Ok(Systems { sources, systems, look })
}

/// Files by the settings that concern them; files of one folder have the same.
fn by_settings(
    files: &[FileId],
    library: &mut Library,
    roots: &Roots,
    sources: &mut Sources,
) -> Result<BTreeMap<SettingsChain, Vec<FileId>>, String> {
    let mut folders: BTreeMap<PathBuf, SettingsChain> = BTreeMap::new();
    let mut found: BTreeMap<SettingsChain, Vec<FileId>> = BTreeMap::new();
    for file in files {
        let path = PathBuf::from(&sources.get(*file).name);
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let chain = match folders.get(&folder) {
            Some(chain) => chain.clone(),
            None => library.chain(&path, roots, sources)?,
        };
        folders.entry(folder).or_insert_with(|| chain.clone());
        found.entry(chain).or_default().push(*file);
    }
    Ok(found)
}

/// Reads files as one system, with the settings nearest to the first path.
fn read(paths: &[String], common: &Common) -> Result<Session, String> {
    read_session(paths, common, false)
}

/// The same, with what belongs to single files in their folders if wished.
fn read_session(paths: &[String], common: &Common, has_company: bool) -> Result<Session, String> {
    let Systems { mut sources, mut systems, look } =
        read_systems(paths, common, false, has_company, &DraftTexts::new())?;
    if let (1, Some(SettingsScope { settings, reading, .. })) = (systems.len(), systems.pop()) {
        return Ok(Session { sources, settings, reading, look });
    }
    output::complain(
        "several folders have settings of their own; those nearest to the first path are used for all",
    );
    let roots = Roots::new(paths, &common.include_root)?;
    let mut inputs = files::read(paths, &roots);
    sources = std::mem::take(&mut inputs.sources);
    let (settings, problems) = read_settings(paths, common, &roots, &mut sources)?;
    let mut reading = pipeline::read(&inputs.files, &mut sources, &mut IncludedFiles(roots), &settings);
    reading.diagnostics.extend(inputs.diagnostics);
    reading.diagnostics.extend(problems);
    Ok(Session { sources, settings, reading, look })
}

/// Reads the settings nearest to the first path, and what the command line says about them.
fn read_settings(
    paths: &[String],
    common: &Common,
    roots: &Roots,
    sources: &mut Sources,
) -> Result<(Settings, Vec<Diagnostic>), String> {
    let first = paths.iter().find(|path| *path != "-").map_or(".", String::as_str);
    let mut library = Library::new(common.config.clone());
    let chain = library.chain(Path::new(first), roots, sources)?;
    let mut settings = library.settings(&chain, paths);
    set(&mut settings, common)?;
    Ok((settings, library.diagnostics))
}

/// Applies `--set`.
fn set(settings: &mut Settings, common: &Common) -> Result<(), String> {
    for assignment in &common.set {
        settings::set(settings, assignment).map_err(|problem| format!("--set {assignment}: {problem}"))?;
    }
    Ok(())
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

    /// Whether all errors met while reading stand in sequence diagrams, so that the state machines are as they were written.
    fn has_whole_machines(&self) -> bool {
        let drawn = || self.reading.model.interactions.iter().map(|one| one.place.0);
        let mut errors = self.reading.diagnostics.iter().filter(|one| one.severity == Severity::Error);
        errors.all(|error| drawn().any(|place| place.encloses(error.span)))
    }

    /// The errors that are seen without a search, those met while reading left out.
    fn found_by_lints(&self) -> Vec<Diagnostic> {
        let mut found = pipeline::lint(&self.reading, &self.settings);
        found.retain(|one| one.severity == Severity::Error && !self.reading.diagnostics.contains(one));
        found
    }

    /// Prints findings to standard error.
    fn complain<'d>(&self, findings: impl Iterator<Item = &'d Diagnostic>) {
        let plain = FindingStyle { colour: false, ..self.look };
        findings.for_each(|one| output::warn(&findings::text(one, &self.sources, plain)));
    }
}

fn completions(options: &Completions) -> Result<u8, String> {
    let mut text = Vec::new();
    clap_complete::generate(options.shell, &mut CommandArguments::command(), "sequent", &mut text);
    output::print_bytes(&text);
    Ok(0)
}

fn man(options: &Man) -> Result<u8, String> {
    let command = CommandArguments::command();
    match &options.dir {
        Some(folder) => {
            let mut command = command.disable_help_subcommand(true);
            command.build();
            pages(&command, folder)?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page).map_err(|error| error.to_string())?;
            output::print_bytes(&page);
        }
    }
    Ok(0)
}

/// Writes the manual pages of a command and of those below it.
fn pages(command: &clap::Command, folder: &Path) -> Result<(), String> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        pages(below, folder)?;
    }
    let page = clap_mangen::Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text).map_err(|error| error.to_string())?;
    output::write(&folder.join(page.get_filename()), &text)
}

/// The engine that the options ask for.
fn engine(
    name: EngineName,
    models: Option<&Path>,
    watcher: &ProgressPrinter,
) -> Result<Box<dyn Engine>, String> {
    if models.is_some() && !matches!(name, EngineName::Spin | EngineName::Nusmv) {
        return Err("--models goes with --engine spin and --engine nusmv".to_owned());
    }
    Ok(match name {
        EngineName::Spin => {
            let mut spin = SpinPrograms::find(watcher.bytes())?;
            spin.kept = models.map(Keep::new);
            Box::new(OutsideEngine(Box::new(spin)))
        }
        EngineName::Nusmv => {
            let mut nusmv = NusmvProgram::find(watcher.bytes())?;
            nusmv.kept = models.map(Keep::new);
            Box::new(OutsideEngine(Box::new(nusmv)))
        }
        EngineName::Auto => Box::new(EngineChoice::Auto),
        EngineName::Explicit => Box::new(EngineChoice::Explicit),
        EngineName::Bounded => Box::new(EngineChoice::Bounded),
        EngineName::Induction => Box::new(EngineChoice::Induction),
        EngineName::Ic3 => Box::new(EngineChoice::Ic3),
        EngineName::All => Box::new(EngineChoice::All),
    })
}

/// Engines that contradict each other are a fault of this program: nothing is answered, and a file says what its authors need
/// to know.
fn report_contradictions(answers: &[Answer], sources: &Sources) -> Result<(), String> {
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
    for (name, text) in sources.files().map(|(_, source)| (&source.name, &source.text)) {
        report += &format!("\n\n==== {name}\n{text}");
    }
    let saved = match output::write(Path::new(FILE), report.as_bytes()) {
        Ok(()) => format!("; please report it with {FILE}, which was written here"),
        Err(problem) => format!("; {problem}"),
    };
    Err(format!("{}{saved}", contradictions.join("; ")))
}
