//! `sequent check`: what is wrong, on the line where it is wrong.

use std::collections::BTreeSet;
use std::path::Path;

use sequent::effort::{Effort, Wants};
use sequent::pipeline::{self, Outcome};
use sequent_engine::search::Limits;
use sequent_kernel::diagnostic::Severity;
use sequent_kernel::model::{Check, Model, Property, Question};
use sequent_kernel::source::{FileId, Place, Span};
use sequent_kernel::verdict::{Answer, Story, Verdict};
use sequent_notation::formula;
use sequent_report::answers::{self, Form};
use sequent_report::checked::Checked;
use sequent_report::{escape, findings, json, junit, sarif};

use super::proofs::{self, file_name};
use super::subject::set_switches;
use super::{Session, picture, render};
use crate::cli::{self, CheckFormat, Common, Picture};
use crate::output;
use crate::watch::Watcher;

pub fn run(options: &cli::Check, common: &Common) -> Result<u8, String> {
    let (mut session, beside) = super::read_with_company(&options.paths, common)?;
    for what in &options.deny {
        if !session.settings.deny(what) {
            return Err(format!("--deny {what}: neither `warnings`, `hints`, `vacuous` nor a code"));
        }
    }
    for code in &options.allow {
        if !session.settings.allow(code) {
            return Err(format!("--allow {code}: no such code"));
        }
    }
    set_switches(&mut session.settings.switches, &options.switch)?;
    for text in &options.ltl {
        ask(&mut session, text)?;
    }
    let watcher = Watcher::new(&options.work);
    let wants = Wants { reasons: options.engine.why, formulas: options.proofs.is_some() };
    let engine = super::engine(options.engine.engine, options.models.as_deref(), &watcher)?;
    let limits = Limits { bytes: watcher.bytes(), ..Limits::default() };
    let mut outcome = watcher.see(|watch| {
        let clock = || watcher.millis();
        let effort = Effort {
            limits,
            looks: watcher.looks(1),
            threads: watcher.threads(),
            watch,
            engine: &*engine,
            within: options.within,
            wants,
            clock: Some(&clock),
            until: watcher.until(),
            ..Effort::default()
        };
        let mut outcome = pipeline::check(&session.reading, &session.settings, &effort);
        if options.templates {
            outcome.answers.extend(pipeline::check_templates(&session.reading, &session.settings, &effort));
        }
        outcome
    });
    outcome.leave_out(&beside);
    super::report_contradictions(&outcome.answers, &session)?;
    if let Some(folder) = &options.runs {
        save(&outcome, folder, options.to, session.look.width)?;
    }
    if let Some(folder) = &options.proofs {
        proofs::save(&outcome.answers, folder)?;
    }
    let checked = Checked {
        answers: &outcome.answers,
        diagnostics: &outcome.diagnostics,
        stories: &outcome.stories,
        sources: &session.sources,
        denies_vacuous: session.settings.vacuous_denied,
    };
    match options.format {
        CheckFormat::Json => output::print_json(&json::check(&checked)),
        CheckFormat::Sarif => {
            output::print_json(&sarif::check(&checked, env!("CARGO_PKG_VERSION")));
        }
        CheckFormat::Junit => {
            let files = session.reading.documents.iter().map(|document| document.file);
            let files = files.filter(|file| !beside.contains(file));
            output::print_bytes(junit::check(&checked, files).as_bytes());
        }
        CheckFormat::Text => print(&session, &outcome, options, &beside),
    }
    Ok(pipeline::exit_code(&outcome))
}

/// Adds a question of the command line.
fn ask(session: &mut Session, text: &str) -> Result<(), String> {
    let file = session.sources.add("--ltl", text);
    let span = Span::new(file, 0, text.len());
    match formula::parse(text, span) {
        Ok(formula) => {
            let property = Property { text: text.to_owned(), formula: Box::new(formula) };
            session.reading.model.checks.push(Check {
                name: None,
                subject: None,
                target: None,
                question: Question::Ltl(property),
                fairness: None,
                expected: None,
                place: span.into(),
            });
            Ok(())
        }
        Err(problem) => Err(findings::text(&problem, &session.sources, session.look)),
    }
}

fn print(session: &Session, outcome: &Outcome, options: &cli::Check, beside: &BTreeSet<FileId>) {
    let mut text = String::new();
    let form = if options.table { Form::Table } else { Form::Drawing };
    if options.draw {
        let all = session.reading.model.interactions.iter();
        for interaction in all.filter(|one| !beside.contains(&one.place.0.file)) {
            text += &escape::lines(&render::headed(interaction, session.look.width));
            text.push('\n');
        }
    }
    for diagnostic in &outcome.diagnostics {
        if options.quiet && diagnostic.severity == Severity::Hint {
            continue;
        }
        text += &findings::text(diagnostic, &session.sources, session.look);
        text.push('\n');
        let story = outcome.stories.get(&(diagnostic.code, diagnostic.span));
        let is_asked = |story: &Story| {
            let mut asked = outcome.answers.iter().filter_map(|answer| answer.verdict.story());
            asked.any(|other| other == story)
        };
        let is_drawn = options.draw || diagnostic.severity == Severity::Error;
        if let Some(story) = story.filter(|story| is_drawn && !is_asked(story)) {
            text += &answers::story(story, session.look.width, form);
        }
    }
    for answer in &outcome.answers {
        text += &answers::text_in(answer, &session.sources, session.look.width, form);
    }
    if !options.quiet {
        text += &summary(session, outcome, beside);
    }
    // The parts are escaped; colours must stay.
    output::print_bytes(text.as_bytes());
}

/// Writes every run into a file of its own, named after its diagram and what it shows.
fn save(outcome: &Outcome, folder: &Path, picture: Picture, width: usize) -> Result<(), String> {
    let found = outcome.stories.iter().map(|((code, _), story)| (code.name().to_owned(), story));
    let name = |answer: &Answer| answer.name.clone();
    let asked = outcome.answers.iter().filter_map(|answer| Some((name(answer), answer.verdict.story()?)));
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for (shown, story) in found.chain(asked) {
        let name = format!("{}: {shown}", story.drawing.name);
        let story = Story { drawing: answers::captioned(story, &name), ..story.clone() };
        let name = file_name(&name, &mut taken);
        let bytes = picture::make(&story, picture, width)?;
        output::write(&folder.join(format!("{name}.{}", picture::ending(picture))), &bytes)?;
    }
    Ok(())
}

fn summary(session: &Session, outcome: &Outcome, beside: &BTreeSet<FileId>) -> String {
    let count =
        |severity| outcome.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    let findings = [
        (count(Severity::Error), "error", "errors"),
        (count(Severity::Warning), "warning", "warnings"),
        (count(Severity::Hint), "hint", "hints"),
    ];
    let unwelcome = outcome.answers.iter().filter(|answer| !answer.is_welcome());
    let (open, wrong): (Vec<_>, Vec<_>) =
        unwelcome.partition(|answer| matches!(answer.verdict, Verdict::Unknown(_)));
    let checks = [
        (wrong.len(), "check is not as it should be", "checks are not as they should be"),
        (open.len(), "check is undecided", "checks are undecided"),
    ];
    let all = findings.iter().chain(&checks);
    let listed: Vec<String> =
        all.filter(|(n, ..)| *n > 0).map(|(n, one, many)| plural(*n, one, many)).collect();
    let verdict = if listed.is_empty() { "nothing to object to".to_owned() } else { listed.join(", ") };
    let known = match outcome.known.len() {
        0 => String::new(),
        known => format!(" ({} known to the authors)", plural(known, "finding", "findings")),
    };
    let files = plural(session.reading.documents.len() - beside.len(), "file", "files");
    let with = match beside.len() {
        0 => String::new(),
        others => format!(", read with {} beside", plural(others, "file", "files")),
    };
    format!("{} in {files}{with}: {verdict}{known}\n", contents(&session.reading.model, beside))
}

/// How many diagrams of which kind.
fn contents(model: &Model, beside: &BTreeSet<FileId>) -> String {
    let own = |place: Place| !beside.contains(&place.0.file);
    let kinds = [
        (
            model.interactions.iter().filter(|one| own(one.place)).count(),
            "sequence diagram",
            "sequence diagrams",
        ),
        (model.machines.iter().filter(|one| own(one.place)).count(), "state machine", "state machines"),
        (model.classes.iter().filter(|one| own(one.place)).count(), "class", "classes"),
        (model.objects.iter().filter(|one| own(one.place)).count(), "object", "objects"),
    ];
    let listed: Vec<String> =
        kinds.iter().filter(|(n, ..)| *n > 0).map(|(n, one, many)| plural(*n, one, many)).collect();
    if listed.is_empty() { "no diagram".to_owned() } else { listed.join(", ") }
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
