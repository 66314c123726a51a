//! `sequent check`: reports findings and verdicts, each at its place in the source.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sequent::effort::{Effort, Wants};
use sequent::pipeline::{self, Outcome};
use sequent_cluster::Cluster;
use sequent_engine::decision::Engine;
use sequent_engine::search::Limits;
use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::model::{Check, Model, Property, Question};
use sequent_kernel::source::{FileId, Place, Span};
use sequent_kernel::verdict::{Answer, Reason, Story, Verdict};
use sequent_notation::formula;
use sequent_report::answers::{self, RunForm};
use sequent_report::checked::Checked;
use sequent_report::{escape, findings, html, json, junit, lines, markdown, sarif};

use super::baseline;
use super::cluster::{self, Enlisted};
use super::fix;
use super::proofs::{self, file_name};
use super::subject::apply;
use super::{SettingsScope, Systems, picture, render};
use crate::cli::{self, CheckFormat, Common, PictureArgument};
use crate::output;
use crate::poll;
use crate::roots::DraftTexts;
use crate::watch::ProgressPrinter;

pub(crate) fn run(options: &cli::CheckArguments, common: &Common) -> Result<u8, String> {
    match options.watch {
        true => poll::again(&options.paths, |read| once(options, common, read)),
        false => once(options, common, &mut Vec::new()),
    }
}

/// Checks once; adds the files that are read to `files`.
fn once(options: &cli::CheckArguments, common: &Common, files: &mut Vec<PathBuf>) -> Result<u8, String> {
    files.extend(common.config.clone());
    if options.fix {
        fix::run(options, common)?;
    }
    if options.within.is_some() && cluster::is_asked_for(&options.spread) {
        return Err("--within asks a solver, which works in one process".to_owned());
    }
    let cluster = match cluster::enlist(&options.spread, options.engine.engine)? {
        Enlisted::Alone => None,
        Enlisted::Cluster(cluster) => Some(cluster),
        Enlisted::Over(code) => return Ok(code),
    };
    let (mut read, asked) = prepare(options, common)?;
    files.extend(read.sources.files().map(|(_, source)| PathBuf::from(&source.name)));
    let mut outcome = look(options, &read, &asked, cluster.as_ref())?;
    if options.fix && fix::idle(options, common, &read, &outcome)? {
        let asked;
        (read, asked) = prepare(options, common)?;
        outcome = look(options, &read, &asked, cluster.as_ref())?;
    }
    super::report_contradictions(&outcome.answers, &read.sources)?;
    if let Some(file) = &options.baseline {
        baseline::compare(file, options.update_baseline, &mut outcome, &read.sources)?;
    }
    if let Some(folder) = &options.runs {
        save(&outcome, folder, options.to, read.look.width)?;
    }
    if let Some(folder) = &options.proofs {
        proofs::save(&outcome.answers, folder)?;
    }
    for cli::ReportFile { format, file } in &options.report {
        output::write(file, report(*format, &read, &outcome, options).as_bytes())?;
    }
    let report = report(options.format, &read, &outcome, options);
    match &options.output {
        Some(file) => output::write(file, report.as_bytes())?,
        None => output::print_bytes(report.as_bytes()),
    }
    Ok(pipeline::exit_code(&outcome))
}

/// Reads what is checked, and asks what the command line asks; the files that the questions are.
fn prepare(options: &cli::CheckArguments, common: &Common) -> Result<(Systems, BTreeSet<FileId>), String> {
    let mut read =
        super::read_systems(&options.paths, common, options.no_suppress, true, &DraftTexts::new())?;
    for system in &mut read.systems {
        apply(options, &mut system.settings)?;
    }
    let asked = options.ltl.iter().map(|text| ask(&mut read, text)).collect::<Result<BTreeSet<_>, _>>()?;
    Ok((read, asked))
}

/// What was found out, in a format.
fn report(format: CheckFormat, read: &Systems, outcome: &Outcome, options: &cli::CheckArguments) -> String {
    // Text formats name the number of skipped diagrams of other kinds once.
    let (diagnostics, skipped) = match format {
        CheckFormat::Text | CheckFormat::Concise | CheckFormat::Github | CheckFormat::Markdown => {
            without_skipped(&outcome.diagnostics)
        }
        CheckFormat::Json | CheckFormat::Sarif | CheckFormat::Junit | CheckFormat::Html => {
            (outcome.diagnostics.clone(), 0)
        }
    };
    let fixes = fix::all(&diagnostics, read);
    let checked = Checked { diagnostics: &diagnostics, fixes: &fixes, ..read.checked(outcome) };
    match format {
        // The parts are escaped; colours must stay.
        CheckFormat::Text => told(read, outcome, &checked, skipped, options),
        CheckFormat::Concise => escape::lines(&lines::concise(&checked)).into_owned(),
        // Commands to the build server are meant here, and what they say is escaped.
        CheckFormat::Github => lines::github(&checked),
        CheckFormat::Json => escape::json(&json::check(&checked)),
        CheckFormat::Sarif => escape::json(&sarif::check(&checked, env!("CARGO_PKG_VERSION"))),
        CheckFormat::Junit => {
            let own = |system: &SettingsScope| system.files().collect::<Vec<_>>();
            junit::check(&checked, read.systems.iter().flat_map(own))
        }
        CheckFormat::Html => html::page(&checked, &read.parts(), &render::WORDING),
        CheckFormat::Markdown => markdown::check(&checked, &picture::mermaid),
    }
}

/// Checks every system by itself.
fn look(
    options: &cli::CheckArguments,
    read: &Systems,
    asked: &BTreeSet<FileId>,
    cluster: Option<&Cluster>,
) -> Result<Outcome, String> {
    let watcher = ProgressPrinter::new(&options.work);
    let formats = options.report.iter().map(|report| report.format);
    let examples = formats.chain([options.format]).any(|format| format == CheckFormat::Html);
    let wants = Wants { reasons: options.engine.why, formulas: options.proofs.is_some(), examples };
    let chosen: Box<dyn Engine>;
    let engine: &dyn Engine = match cluster {
        Some(cluster) => cluster,
        None => {
            chosen = super::engine(options.engine.engine, options.models.as_deref(), &watcher)?;
            &*chosen
        }
    };
    let limits = Limits { bytes: watcher.bytes(), ..Limits::default() };
    let mut outcome = watcher.see(|watch| {
        let clock = || watcher.millis();
        let effort = Effort {
            limits,
            looks: watcher.looks(1),
            threads: watcher.threads(),
            watch,
            engine,
            within: options.within,
            wants,
            clock: Some(&clock),
            until: watcher.until(),
            ..Effort::default()
        };
        let mut all = Outcome::default();
        for system in &read.systems {
            let mut outcome = pipeline::check(&system.reading, &system.settings, &effort);
            outcome.leave_out(&system.beside);
            all.append(outcome);
            if options.templates {
                all.answers.extend(pipeline::check_templates(&system.reading, &system.settings, &effort));
            }
        }
        all
    });
    // A question of the command line is for the systems that know its names.
    let is_understood = |answer: &Answer| !matches!(answer.verdict, Verdict::Unknown(Reason::BrokenQuestion));
    let understood = outcome.answers.iter().filter(|answer| is_understood(answer));
    let mut answered: BTreeSet<FileId> =
        understood.filter_map(|answer| answer.place).map(|place| place.0.file).collect();
    answered.retain(|file| asked.contains(file));
    outcome
        .diagnostics
        .retain(|finding| finding.code != Code::UnknownInFormula || !answered.contains(&finding.span.file));
    outcome.answers.retain(|answer| {
        is_understood(answer) || answer.place.is_none_or(|place| !answered.contains(&place.0.file))
    });
    outcome.diagnostics.sort();
    outcome.diagnostics.dedup();
    Ok(outcome)
}

/// Adds a question of the command line; the file that it is.
fn ask(read: &mut Systems, text: &str) -> Result<FileId, String> {
    let file = read.sources.add("--ltl", text);
    let span = Span::new(file, 0, text.len());
    let formula =
        formula::parse(text, span).map_err(|problem| findings::text(&problem, &read.sources, read.look))?;
    let property = Property { text: text.to_owned(), formula: Box::new(formula) };
    for system in &mut read.systems {
        system.reading.model.checks.push(Check {
            name: None,
            subject: None,
            target: None,
            question: Question::Ltl(property.clone()),
            fairness: None,
            expected: None,
            place: span.into(),
        });
    }
    Ok(file)
}

/// Findings without the hints that a diagram is of another kind; how many those are.
fn without_skipped(all: &[Diagnostic]) -> (Vec<Diagnostic>, usize) {
    let is_skip =
        |finding: &&Diagnostic| finding.code == Code::SkippedDiagram && finding.severity == Severity::Hint;
    let (skipped, others): (Vec<_>, Vec<_>) = all.iter().partition(is_skip);
    (others.into_iter().cloned().collect(), skipped.len())
}

fn told(
    read: &Systems,
    outcome: &Outcome,
    checked: &Checked<'_>,
    skipped: usize,
    options: &cli::CheckArguments,
) -> String {
    let mut text = String::new();
    let form = if options.table { RunForm::Table } else { RunForm::Drawing };
    let width = read.look.width;
    if options.draw {
        for system in &read.systems {
            let all = system.reading.model.interactions.iter();
            for interaction in all.filter(|one| !system.beside.contains(&one.place.0.file)) {
                text += &escape::lines(&render::headed(interaction, width));
                text.push('\n');
            }
        }
    }
    for diagnostic in checked.diagnostics {
        text += &findings::text(diagnostic, &read.sources, read.look);
        text.push('\n');
        let story = outcome.stories.get(&diagnostic.identity());
        let is_asked = |story: &Story| {
            let mut asked = outcome.answers.iter().filter_map(|answer| answer.verdict.story());
            asked.any(|other| other == story)
        };
        let is_drawn = options.draw || diagnostic.severity == Severity::Error && !options.quiet;
        if let Some(story) = story.filter(|story| is_drawn && !is_asked(story)) {
            text += &answers::story(story, width, form);
        }
    }
    for answer in &outcome.answers {
        let is_bad = checked.is_bad(answer);
        let is_drawn = options.draw || options.table || is_bad && !options.quiet;
        text += &match (is_drawn, is_bad || !options.quiet) {
            (true, _) => answers::text_in(answer, &read.sources, width, form),
            (false, true) => answers::brief(answer, &read.sources),
            (false, false) => String::new(),
        };
    }
    if !options.quiet {
        text += &summary(read, outcome, checked, skipped);
    }
    text
}

/// Writes every run into a file of its own, named after its diagram and what it shows.
fn save(outcome: &Outcome, folder: &Path, picture: PictureArgument, width: usize) -> Result<(), String> {
    let found = outcome.stories.iter().map(|((code, ..), story)| (code.name().to_owned(), story));
    let name = |answer: &Answer| answer.name.clone();
    let asked = outcome.answers.iter().filter_map(|answer| Some((name(answer), answer.verdict.story()?)));
    let mut taken: BTreeSet<String> = BTreeSet::new();
    // What machines can receive is drawn, and is no run with states (`@triggers`).
    let is_run = |story: &Story| picture != PictureArgument::Itf || !story.log.rows.is_empty();
    for (shown, story) in found.chain(asked).filter(|(_, story)| is_run(story)) {
        let name = format!("{}: {shown}", story.drawing.name);
        let story = Story { drawing: answers::captioned(story, &name), ..story.clone() };
        let name = file_name(&name, &mut taken);
        let bytes = picture::make(&story, picture, width)?;
        output::write(&folder.join(format!("{name}.{}", picture::ending(picture))), &bytes)?;
    }
    Ok(())
}

/// What was read, what was found, how the checks went, what was left out.
fn summary(read: &Systems, outcome: &Outcome, checked: &Checked<'_>, skipped: usize) -> String {
    let count =
        |severity| checked.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    let found = listed(&[
        (count(Severity::Error), "error", "errors"),
        (count(Severity::Warning), "warning", "warnings"),
        (count(Severity::Hint), "hint", "hints"),
    ]);
    let (bad, good): (Vec<_>, Vec<_>) = outcome.answers.iter().partition(|answer| checked.is_bad(answer));
    let (open, failed): (Vec<_>, Vec<_>) =
        bad.into_iter().partition(|answer| matches!(answer.verdict, Verdict::Unknown(_)));
    let numbers = [(failed.len(), "failed"), (good.len(), "passed"), (open.len(), "undecided")];
    let mut told = numbers.iter().filter(|(number, _)| *number > 0);
    // The first is named in full: "1 check failed, 2 passed".
    let first = told.next().map(|(number, word)| format!("{} {word}", plural(*number, "check", "checks")));
    let checks = first.into_iter().chain(told.map(|(number, word)| format!("{number} {word}")));
    let checks = checks.collect::<Vec<_>>().join(", ");
    let suppressed = match outcome.known.len() + outcome.suppressed.len() {
        0 => String::new(),
        number => format!("{} suppressed", plural(number, "finding", "findings")),
    };
    let other = match skipped {
        0 => String::new(),
        number => format!("{} of other kinds not checked", plural(number, "diagram", "diagrams")),
    };
    let is_clean = found.is_empty() && failed.is_empty() && open.is_empty();
    let verdict = if is_clean { "no problems found".to_owned() } else { found };
    let parts: Vec<String> =
        [verdict, checks, suppressed, other].into_iter().filter(|part| !part.is_empty()).collect();
    let own = read.systems.iter().map(|system| system.files().count()).sum();
    let files = plural(own, "file", "files");
    let with = match read.systems.iter().map(|system| system.beside.len()).sum() {
        0 => String::new(),
        others => format!(", read with {} beside", plural(others, "file", "files")),
    };
    format!("{} in {files}{with}: {}\n", contents(read), parts.join("; "))
}

/// How many diagrams of which kind.
fn contents(read: &Systems) -> String {
    let mut counts = [0; 4];
    for system in &read.systems {
        let own = |place: Place| !system.beside.contains(&place.0.file);
        let model: &Model = &system.reading.model;
        counts[0] += model.interactions.iter().filter(|one| own(one.place)).count();
        counts[1] += model.machines.iter().filter(|one| own(one.place)).count();
        counts[2] += model.classes.iter().filter(|one| own(one.place)).count();
        counts[3] += model.objects.iter().filter(|one| own(one.place)).count();
    }
    let [interactions, machines, classes, objects] = counts;
    let kinds = listed(&[
        (interactions, "sequence diagram", "sequence diagrams"),
        (machines, "state machine", "state machines"),
        (classes, "class", "classes"),
        (objects, "object", "objects"),
    ]);
    if kinds.is_empty() { "no diagrams".to_owned() } else { kinds }
}

fn listed(kinds: &[(usize, &str, &str)]) -> String {
    let some = kinds.iter().filter(|(number, ..)| *number > 0);
    some.map(|(number, one, many)| plural(*number, one, many)).collect::<Vec<_>>().join(", ")
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
