//! Launching: the questions of a file are answered, and one run is taken.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use sequent::effort::Effort;
use sequent::pipeline::{self, Outcome};
use sequent_engine::portfolio::EngineChoice;
use sequent_engine::search::Progress;
use sequent_kernel::source::{Sources, Span};
use sequent_kernel::verdict::Story;
use sequent_report::answers;
use serde_json::Value;

use super::session::{DebugSession, DebugStep};
use crate::cli::Common;
use crate::command::{Systems, read_systems};
use crate::roots::DraftTexts;

/// A run that can be taken.
struct RunOffer<'a> {
    /// The number of its question; none for what no question asked for.
    question: Option<u64>,
    place: Option<Span>,
    title: String,
    /// Whether it shows something that should not be.
    is_unwelcome: bool,
    story: &'a Story,
}

/// A session, and what is told about it.
pub(crate) fn launch(
    arguments: &Value,
    common: &Common,
    is_over: &AtomicBool,
) -> Result<(DebugSession, String), String> {
    let program = arguments["program"].as_str().ok_or("`program` names the file with the question")?;
    if !Path::new(program).exists() {
        return Err(format!("`{program}` cannot be read: no such file"));
    }
    let mut common = common.clone();
    let settings = arguments["set"].as_array().into_iter().flatten();
    common.set.extend(settings.filter_map(Value::as_str).map(str::to_owned));
    let read = read_systems(&[program.to_owned()], &common, false, true, &DraftTexts::new())?;
    let outcome = check(&read, is_over);
    let offers = offers(&outcome);
    let chosen = choose(&offers, arguments, program, &read.sources)?;
    let session = DebugSession::new(
        chosen.title.clone(),
        steps(chosen.story, &read.sources),
        chosen.story,
        arguments["stopOnEntry"].as_bool().unwrap_or(true),
    );
    let mut told = format!("{}\n", chosen.title);
    chosen.story.because.iter().for_each(|line| told += &format!("{line}\n"));
    if offers.len() > 1 {
        told += "other runs:\n";
        let others = offers.iter().filter(|other| !std::ptr::eq(other.story, chosen.story));
        others.for_each(|other| told += &format!("  {}\n", other.named()));
    }
    Ok((session, told))
}

fn check(read: &Systems, is_over: &AtomicBool) -> Outcome {
    let watch = |_: &Progress| match is_over.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let effort = Effort { watch: &watch, engine: &EngineChoice::Auto, ..Effort::default() };
    let mut all = Outcome::default();
    for system in &read.systems {
        let mut outcome = pipeline::check(&system.reading, &system.settings, &effort);
        outcome.leave_out(&system.beside);
        all.append(outcome);
    }
    all
}

fn offers(outcome: &Outcome) -> Vec<RunOffer<'_>> {
    let asked = outcome.answers.iter().zip(1..).filter_map(|(answer, number)| {
        let line = answers::line(answer);
        Some(RunOffer {
            question: Some(number),
            place: answer.place.map(|place| place.0),
            title: line.lines().next().unwrap_or_default().trim().to_owned(),
            is_unwelcome: !answer.is_welcome(),
            story: answer.verdict.story()?,
        })
    });
    let found = outcome.diagnostics.iter().filter_map(|finding| {
        Some(RunOffer {
            question: None,
            place: Some(finding.span),
            title: format!("{}: {}", finding.name(), finding.message),
            is_unwelcome: true,
            story: outcome.stories.get(&finding.identity())?,
        })
    });
    asked.chain(found).collect()
}

impl RunOffer<'_> {
    fn named(&self) -> String {
        match self.question {
            Some(number) => format!("question {number}: {}", self.title),
            None => self.title.clone(),
        }
    }
}

/// The run that is asked for: by the number of its question, by a line of the file, else the first that shows a problem, else the
/// first.
fn choose<'a, 'o>(
    offers: &'a [RunOffer<'o>],
    arguments: &Value,
    program: &str,
    sources: &Sources,
) -> Result<&'a RunOffer<'o>, String> {
    let is_at = |offer: &&RunOffer<'o>, line: u64| {
        offer.place.is_some_and(|span| {
            let is_own =
                Path::new(&sources.get(span.file).name).file_name() == Path::new(program).file_name();
            is_own && u64::from(sources.position(span).line) == line
        })
    };
    let listed = || match offers {
        [] => "no question of this file shows a run".to_owned(),
        offers => {
            let lines: Vec<String> = offers.iter().map(RunOffer::named).collect();
            format!("there are these runs:\n{}", lines.join("\n"))
        }
    };
    let (wanted, found) = match (arguments["question"].as_u64(), arguments["line"].as_u64()) {
        (Some(number), _) => {
            (format!("question {number}"), offers.iter().find(|offer| offer.question == Some(number)))
        }
        (None, Some(line)) => (format!("line {line}"), offers.iter().find(|offer| is_at(offer, line))),
        (None, None) => {
            let first = offers.iter().find(|offer| offer.is_unwelcome).or(offers.first());
            return first.ok_or_else(listed);
        }
    };
    found.ok_or_else(|| format!("{wanted} shows no run; {}", listed()))
}

/// The steps of a run, with the lines where they are written.
fn steps(story: &Story, sources: &Sources) -> Vec<DebugStep> {
    let at = |span: Span| {
        let source = sources.get(span.file);
        let path = std::path::absolute(&source.name).unwrap_or_else(|_| source.name.clone().into());
        let position = source.position(span.start);
        (path, position.line, position.column)
    };
    let step = |row: &sequent_kernel::log::LogRow| DebugStep {
        deed: row.deed.clone(),
        places: row.places.iter().map(|place| at(place.0)).collect(),
    };
    story.log.rows.iter().skip(1).map(step).collect()
}
