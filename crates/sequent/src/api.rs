//! The library: diagrams are read, checked, counted and drawn, in a few calls with plain values.
//!
//! This is the part that other programs can rely on: it is small, and changes only with a new major version. Everything else in these
//! crates serves the command `sequent` and changes with it. Nothing here reads files, opens connections or prints.
//!
//! ```
//! let diagrams = sequent::Diagrams::read([("pay.mmd", "sequenceDiagram\n  shop->>bank: pay\n  bank-->>shop: paid\n")]);
//! assert_eq!(diagrams.names(), ["pay"]);
//! assert!(diagrams.check().is_fine());
//! assert_eq!(diagrams.traces("pay")?.to_string(), "1");
//! assert!(diagrams.svg("pay")?.starts_with("<svg"));
//! # Ok::<(), sequent::Problem>(())
//! ```

use std::fmt;

use sequent_engine::traces::{TraceCount, TraceLimits};
use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::model::InteractionId;
use sequent_kernel::source::Sources;
use sequent_kernel::verdict;
use sequent_notation::NoFiles;
use sequent_report::{answers, draw, reason};

use crate::effort::Effort;
use crate::picture::{self, WORDING};
use crate::pipeline::{self, Reading};
use crate::settings::Settings;
use crate::traces;

/// Diagrams that were read together: a scenario finds the state machines of its participants.
pub struct Diagrams {
    sources: Sources,
    settings: Settings,
    reading: Reading,
}

impl Diagrams {
    /// Reads texts, each with the name of a file: its ending says how it is written (`.puml`, `.mmd`, `.md`, `.adoc`, `.rst`, `.uml`).
    /// Broken text is no failure: [`check`](Diagrams::check) tells what is wrong.
    ///
    /// ```
    /// let diagrams = sequent::Diagrams::read([
    ///     ("door.puml", "@startuml Door\n[*] --> Shut\nShut --> Open : open\n@enduml\n"),
    ///     ("notes.md", "# Visit\n\n```mermaid\nsequenceDiagram\n  guest->>Door: open\n```\n"),
    /// ]);
    /// assert_eq!(diagrams.names(), ["Visit", "Door"]);
    /// ```
    pub fn read<'t>(texts: impl IntoIterator<Item = (&'t str, &'t str)>) -> Self {
        let mut sources = Sources::new();
        let files: Vec<_> = texts.into_iter().map(|(name, text)| sources.add(name, text)).collect();
        let settings = Settings::default();
        let reading = pipeline::read(&files, &mut sources, &mut NoFiles, &settings);
        Diagrams { sources, settings, reading }
    }

    /// The names of the sequence diagrams, then of the state machines.
    pub fn names(&self) -> Vec<&str> {
        let model = &self.reading.model;
        let interactions = model.interactions.iter().map(|one| one.name.as_str());
        interactions.chain(model.machines.iter().map(|one| one.name.as_str())).collect()
    }

    /// Finds what is wrong, and answers the questions that stand in the diagrams (`@ltl`, `@required`, ..).
    ///
    /// ```
    /// let text = "sequenceDiagram\n  %% @ltl G (sent(ask) -> F received(answer))\n  a->>b: ask\n  opt\n  b->>a: answer\n  end\n";
    /// let report = sequent::Diagrams::read([("a.mmd", text)]).check();
    /// let answer = &report.answers[0];
    /// assert_eq!(answer.verdict, sequent::Verdict::Fails);
    /// assert_eq!(answer.run, ["!a->b:ask", "?a->b:ask"]);
    /// assert!(!report.is_fine());
    /// ```
    pub fn check(&self) -> Report {
        let outcome = pipeline::check(&self.reading, &self.settings, &Effort::default());
        Report {
            findings: outcome.diagnostics.iter().map(|one| self.finding(one)).collect(),
            answers: outcome.answers.iter().map(answer).collect(),
        }
    }

    fn finding(&self, one: &Diagnostic) -> Finding {
        let position = self.sources.position(one.span);
        Finding {
            code: one.name(),
            level: match one.severity {
                Severity::Error => Level::Error,
                Severity::Warning => Level::Warning,
                Severity::Hint => Level::Hint,
            },
            message: one.message.clone(),
            hint: one.hint.clone(),
            file: self.sources.get(one.span.file).name.clone(),
            line: position.line,
            column: position.column,
        }
    }

    /// How many traces a sequence diagram has.
    ///
    /// ```
    /// let diagrams = sequent::Diagrams::read([("a.mmd", "sequenceDiagram\n  par\n  a->>b: x\n  and\n  c->>d: y\n  end\n")]);
    /// assert_eq!(diagrams.traces("a")?.to_string(), "6");
    /// assert!(diagrams.traces("b").is_err());
    /// # Ok::<(), sequent::Problem>(())
    /// ```
    pub fn traces(&self, name: &str) -> Result<Number, Problem> {
        let id = self.interaction(name).ok_or_else(|| Problem::unknown(name))?;
        let go_on = |_: &sequent_engine::search::Progress| std::ops::ControlFlow::Continue(());
        let limits = TraceLimits { looks: Effort::default().looks, ..TraceLimits::default() };
        match traces::count(&self.reading.model, id, &self.settings.switches, limits, &go_on) {
            Ok(TraceCount::Finite(number)) => Ok(Number::Finite(number.to_string())),
            Ok(TraceCount::Infinite) => Ok(Number::Infinite),
            Ok(TraceCount::Beyond) => Err(Problem("the number is too large to be counted".to_owned())),
            Err(traces::Uncounted::NotRun(what)) => Err(Problem(format!("{} is not run", what.what))),
            Err(traces::Uncounted::Stopped(stop)) => {
                Err(Problem(reason::words(&verdict::Reason::Stopped(stop, 0))))
            }
            Err(traces::Uncounted::TooWide) => {
                Err(Problem("the number depends on how far the iterations of a loop are apart".to_owned()))
            }
        }
    }

    /// A sequence diagram or a state machine as a picture in SVG.
    pub fn svg(&self, name: &str) -> Result<String, Problem> {
        let style = draw::Style::default();
        let model = &self.reading.model;
        let machine = || model.machines.iter().find(|one| one.name == name);
        match self.interaction(name) {
            Some(id) => Ok(draw::svg(&model.interactions[id], &style)),
            None => machine().map(|one| picture::machine(one, &style)).ok_or_else(|| Problem::unknown(name)),
        }
    }

    /// A sequence diagram or a state machine drawn with letters, for a terminal of this width.
    ///
    /// ```
    /// let diagrams = sequent::Diagrams::read([("a.mmd", "sequenceDiagram\n  shop->>bank: pay\n")]);
    /// assert!(diagrams.text("a", 80)?.contains("pay"));
    /// # Ok::<(), sequent::Problem>(())
    /// ```
    pub fn text(&self, name: &str, width: usize) -> Result<String, Problem> {
        let style = draw::TextStyle { width, ..draw::TextStyle::default() };
        let model = &self.reading.model;
        if let Some(id) = self.interaction(name) {
            return Ok(draw::text(&model.interactions[id], &style));
        }
        let machine = model.machines.iter().find(|one| one.name == name);
        let drawn = machine.map(|one| draw::machine_text(one, &WORDING, &style, &draw::Highlight::default()));
        drawn.ok_or_else(|| Problem::unknown(name))
    }

    fn interaction(&self, name: &str) -> Option<InteractionId> {
        self.reading.model.interactions.find(|one| one.name == name)
    }
}

/// What a check found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// What is wrong, in order of its place.
    pub findings: Vec<Finding>,
    /// The answers to the questions in the diagrams, in their order.
    pub answers: Vec<Answer>,
}

impl Report {
    /// Whether no finding is an error and every question was answered as expected.
    pub fn is_fine(&self) -> bool {
        self.findings.iter().all(|one| one.level != Level::Error)
            && self.answers.iter().all(|answer| answer.is_expected)
    }
}

/// Something that is wrong in a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Its code: `W201`; `sequent explain W201` says what it means.
    pub code: String,
    /// How bad it is.
    pub level: Level,
    /// What is wrong.
    pub message: String,
    /// What would be right, if that is known.
    pub hint: Option<String>,
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Worth a look.
    Hint,
    /// Probably wrong.
    Warning,
    /// Wrong.
    Error,
}

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The question, or its name.
    pub question: String,
    /// The diagram that it is about.
    pub about: Option<String>,
    /// The answer.
    pub verdict: Verdict,
    /// Whether that is what the author expects; without a word from the author, whether it holds.
    pub is_expected: bool,
    /// The events of the run that shows it, if one does: `!a->b:m` is sent, `?a->b:m` is received. What is repeated forever comes once.
    pub run: Vec<String>,
    /// The answer in a line, as the command prints it.
    pub line: String,
}

/// What the answer is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// Yes.
    Holds,
    /// No.
    Fails,
    /// Not decided.
    Unknown,
}

fn answer(one: &verdict::Answer) -> Answer {
    let line = answers::line(one);
    let story = one.verdict.story();
    Answer {
        question: one.name.clone(),
        about: one.target.clone(),
        verdict: match one.verdict {
            verdict::Verdict::Holds(_) => Verdict::Holds,
            verdict::Verdict::Fails(_) => Verdict::Fails,
            verdict::Verdict::Unknown(_) => Verdict::Unknown,
        },
        is_expected: one.is_welcome(),
        run: story.map(|story| [story.prefix.clone(), story.cycle.clone()].concat()).unwrap_or_default(),
        line: line.lines().next().unwrap_or_default().trim().to_owned(),
    }
}

/// A number of traces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Number {
    /// This many, in decimal digits: there may be hundreds.
    Finite(String),
    /// More than any number.
    Infinite,
}

impl fmt::Display for Number {
    fn fmt(&self, form: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Finite(digits) => form.write_str(digits),
            Number::Infinite => form.write_str("infinite"),
        }
    }
}

/// Why something cannot be done, in a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem(String);

impl Problem {
    fn unknown(name: &str) -> Self {
        Problem(format!("no diagram is called `{name}`"))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, form: &mut fmt::Formatter<'_>) -> fmt::Result {
        form.write_str(&self.0)
    }
}

impl std::error::Error for Problem {}
