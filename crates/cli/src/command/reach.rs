//! `sequent reach`: whether objects can come into some combination of states and values.

use sequent::effort::{Effort, Wants};
use sequent::pipeline;
use sequent_engine::decision::Engine;
use sequent_engine::search::Limits;
use sequent_kernel::diagnostic::Severity;
use sequent_kernel::model::{Check, Property, Question, StateGoal};
use sequent_kernel::source::Span;
use sequent_kernel::verdict::{Answer, Reason, Verdict};
use sequent_notation::formula;
use sequent_report::answers::{self, RunForm};
use sequent_report::{escape, findings, json};

use super::cluster::{self, Enlisted};
use super::subject::UNDECIDED;
use super::{Session, picture, proofs, render};
use crate::cli::{self, Common, FormatArgument, PictureArgument};
use crate::output;
use crate::watch::ProgressPrinter;

pub(crate) fn run(options: &cli::Reach, common: &Common) -> Result<u8, String> {
    let cluster = match cluster::enlist(&options.spread, options.engine.engine)? {
        Enlisted::Alone => None,
        Enlisted::Cluster(cluster) => Some(cluster),
        Enlisted::Over(code) => return Ok(code),
    };
    render::spare(&options.input.paths, options.output.as_deref())?;
    let mut session = super::read_session(&options.input.paths, common, true)?;
    if session.complain_of_errors() && !session.has_whole_machines() {
        // What cannot be read is no answer.
        return Ok(2);
    }
    let (goal, place) = goal(&mut session, "--goal", &options.goal)?;
    let from = match &options.from {
        Some(from) => Some(self::goal(&mut session, "--from", from)?.0),
        None => None,
    };
    let question = Question::Reachable(StateGoal { goal, from, within: options.within });
    let check = Check {
        name: None,
        subject: None,
        target: None,
        question,
        fairness: None,
        expected: None,
        place: place.into(),
    };
    session.reading.model.checks = vec![check];
    let watcher = ProgressPrinter::new(&options.work);
    let wants = Wants { reasons: options.engine.why, formulas: options.proofs.is_some(), ..Wants::default() };
    let engine: Box<dyn Engine> = match cluster {
        Some(cluster) => Box::new(cluster),
        None => super::engine(options.engine.engine, None, &watcher)?,
    };
    let limits = Limits { bytes: watcher.bytes(), ..Limits::default() };
    let (answers, problems) = watcher.see(|watch| {
        let clock = || watcher.millis();
        let effort = Effort {
            limits,
            looks: watcher.looks(50),
            threads: watcher.threads(),
            watch,
            engine: &*engine,
            wants,
            clock: Some(&clock),
            until: watcher.until(),
            ..Effort::default()
        };
        pipeline::reach(&session.reading, &session.settings, &effort)
    });
    super::report_contradictions(&answers, &session.sources)?;
    if let Some(problem) = problems.iter().find(|problem| problem.severity == Severity::Error) {
        return Err(findings::text(problem, &session.sources, session.look));
    }
    if answers.iter().any(|answer| answer.verdict == Verdict::Unknown(Reason::BrokenDiagram)) {
        session.complain(session.found_by_lints().iter());
    }
    session.complain(problems.iter());
    let [answer] = answers.as_slice() else {
        return Err(match answers.len() {
            0 => "there is no state machine".to_owned(),
            _ => "the state machines stand in several folders: give those of one".to_owned(),
        });
    };
    if let Some(folder) = &options.proofs {
        proofs::save(&answers, folder)?;
    }
    deliver(options, answer, &session)?;
    Ok(match answer.verdict {
        Verdict::Holds(_) => 0,
        Verdict::Fails(_) => 1,
        Verdict::Unknown(_) => UNDECIDED,
    })
}

/// As what an answer is given.
enum AnswerForm {
    Text,
    Json,
    /// The run is drawn into the file, and the answer is printed.
    Drawn(PictureArgument),
}

/// What the options ask for, else what the ending of the file says, else text.
fn form(options: &cli::Reach) -> AnswerForm {
    let by_ending = || match options.output.as_deref()?.extension()?.to_str()? {
        "json" => Some(AnswerForm::Json),
        "txt" => Some(AnswerForm::Text),
        _ => picture::picture(None, options.output.as_deref()).ok().map(AnswerForm::Drawn),
    };
    match options.format {
        Some(FormatArgument::Json) => AnswerForm::Json,
        Some(FormatArgument::Text) => AnswerForm::Text,
        None => by_ending().unwrap_or(AnswerForm::Text),
    }
}

/// Prints the answer, or writes it into the file that is asked for.
fn deliver(options: &cli::Reach, answer: &Answer, session: &Session) -> Result<(), String> {
    let width = session.look.width;
    let shape = if options.table { RunForm::Table } else { RunForm::Drawing };
    let told = |shape| answers::reached(answer, &asked(options), &session.sources, width, shape);
    let text = match form(options) {
        AnswerForm::Json => escape::json(&json::answers(std::slice::from_ref(answer), &session.sources)),
        AnswerForm::Text => told(shape),
        AnswerForm::Drawn(form) => {
            output::print(&told(shape));
            return match (answer.verdict.story(), &options.output) {
                (Some(story), Some(file)) => output::write(file, &picture::make(story, form, width)?),
                (None, Some(file)) => {
                    output::complain(&format!(
                        "there is no run to draw, so `{}` is not written",
                        file.display()
                    ));
                    Ok(())
                }
                (_, None) => Ok(()),
            };
        }
    };
    match &options.output {
        Some(file) => output::write(file, text.as_bytes()),
        None => {
            output::print_bytes(text.as_bytes());
            Ok(())
        }
    }
}

/// The question in words.
fn asked(options: &cli::Reach) -> String {
    let from = options.from.as_ref().map(|from| format!(" from `{from}`")).unwrap_or_default();
    let within = match options.within {
        Some(1) => " within 1 step".to_owned(),
        Some(steps) => format!(" within {steps} steps"),
        None => String::new(),
    };
    format!("`{}`{from}{within}", options.goal)
}

/// A goal of the command line, and where it stands.
fn goal(session: &mut Session, option: &str, text: &str) -> Result<(Property, Span), String> {
    let file = session.sources.add(option, text);
    let span = Span::new(file, 0, text.len());
    match formula::goal(text, span) {
        Ok(formula) => Ok((Property { text: text.to_owned(), formula: Box::new(formula) }, span)),
        Err(problem) => Err(findings::text(&problem, &session.sources, session.look)),
    }
}
