//! Verdicts: what a tool says about formulas, scenarios and goals is what we say.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use sequent::effort::Effort;
use sequent::pipeline::{self, Reading};
use sequent::settings::Settings;
use sequent::tools::{Opinion, OutsideEngine, OutsideTool, ToolTrouble};
use sequent_kernel::id::Id;
use sequent_kernel::model::{Check, Model, Property, Question, Subject};
use sequent_kernel::source::{FileId, Folders, Sources, Span};
use sequent_kernel::system::System;
use sequent_kernel::templates::cut;
use sequent_kernel::verdict::{Answer, Verdict};
use sequent_notation::formula;
use sequent_report::export::WantedGoal;

use crate::cases;
use crate::samples::{self, LIMIT, MOST_LATE, Omitted, SampleTally, random, tell};
use crate::seeds::seeds;

/// What is asked.
pub(crate) type OpinionQuestion<'t> = &'t dyn Fn() -> Box<dyn OutsideTool>;

/// A tool that is given a limited time for each question, and how often it was late.
struct Limited {
    tool: Box<dyn OutsideTool>,
    late: Rc<Cell<u32>>,
}

impl OutsideTool for Limited {
    fn name(&self) -> &'static str {
        self.tool.name()
    }

    fn look(
        &self,
        system: &System,
        wanted: &WantedGoal<'_>,
        _: Option<Duration>,
    ) -> Result<Opinion, ToolTrouble> {
        if self.late.get() >= MOST_LATE {
            return Err(ToolTrouble::Unfinished("it was late too often".to_owned()));
        }
        let start = Instant::now();
        let opinion = self.tool.look(system, wanted, Some(LIMIT));
        if opinion.is_err() && start.elapsed() >= LIMIT {
            self.late.set(self.late.get() + 1);
            tell(&format!("{} did not answer in time", self.name()));
        }
        opinion
    }
}

/// What a tool says about everything that is asked.
fn asked(
    tool: OpinionQuestion<'_>,
    reading: &Reading,
    settings: &Settings,
    late: &Rc<Cell<u32>>,
) -> Vec<Answer> {
    let engine = OutsideEngine(Box::new(Limited { tool: tool(), late: Rc::clone(late) }));
    let effort = Effort { engine: &engine, ..Effort::default() };
    pipeline::check(reading, settings, &effort).answers
}

/// Compares the answers.
fn compare(
    tool: OpinionQuestion<'_>,
    reading: &Reading,
    settings: &Settings,
    name: &str,
    late: &Rc<Cell<u32>>,
    tally: &mut SampleTally,
) {
    let own = pipeline::check(reading, settings, &Effort::default()).answers;
    let other = asked(tool, reading, settings, late);
    assert_eq!(own.len(), other.len(), "{name}");
    for (own, other) in own.iter().zip(&other) {
        let both = [&own.verdict, &other.verdict];
        // What the tool cannot be asked stays open; what we cannot know it does not know either.
        if matches!(other.verdict, Verdict::Unknown(_)) {
            tally.add(Err("the tool has no answer"));
            continue;
        }
        let [own_name, other_name] = both.map(Verdict::name);
        assert_eq!(own_name, other_name, "{name}: {}", own.name);
        assert_eq!(own.vacuous.is_some(), other.vacuous.is_some(), "{name}: {}", own.name);
        let is_theirs = other.engine == Some(tool().name());
        tally.add(if is_theirs { Ok(()) } else { Err("the tool was not asked") });
    }
}

/// Prints how many were compared, and asserts that more than `few` were, unless the tool was late.
fn exceeds(tally: &SampleTally, few: u64, late: &Cell<u32>) {
    match late.get() {
        0 => tally.exceeds(few),
        _ => tally.tell(),
    }
}

/// Compares the questions in the examples; requires more than `few` to be comparable. `quick` are the most
/// diverse cases.
pub fn examples(tool: OpinionQuestion<'_>, quick: &[&str], few: u64) {
    let (mut tally, late) = (SampleTally::default(), Rc::default());
    for case in samples::examples(|name| quick.contains(&name)) {
        let session = cases::read(&case);
        if !session.reading.model.checks.is_empty() {
            compare(tool, &session.reading, &session.settings, &case.name, &late, &mut tally);
        }
    }
    exceeds(&tally, few, &late);
}

/// Formulas over two messages of random diagrams.
const FORMULAS: &[&str] = &[
    "G (sent(m) -> F received(m))",
    "F sent(n)",
    "received(m) precedes sent(n)",
    "G !(sent(m) & X sent(n))",
    "G (received(n) -> O sent(m))",
];

/// Compares formulas about random diagrams.
pub fn formulas(tool: OpinionQuestion<'_>) {
    let seeds = seeds(12);
    let (mut tally, late, wanted) = (SampleTally::default(), Rc::default(), seeds.count_left());
    for seed in seeds {
        let mut model = random::model(seed);
        let Some(text) = about(&model, FORMULAS[seed as usize % FORMULAS.len()]) else { continue };
        let reading = reading(&mut model, &text);
        let name = format!("seed {seed}: {text}");
        compare(tool, &reading, &Settings::default(), &name, &late, &mut tally);
    }
    exceeds(&tally, wanted / 4, &late);
}

/// Whether a tool finds formulas true that are written beside a diagram, by name; `None` for those that are not written. An error
/// says why it is not asked about the diagram.
pub(crate) type WrittenVerdicts<'w> =
    &'w dyn Fn(&Model, &[Property], &str) -> Result<Vec<Option<bool>>, Omitted>;

/// Compares formulas that are written beside random diagrams; requires more than `few` per diagram to be
/// comparable.
pub fn written(texts: &[&str], ask: WrittenVerdicts<'_>, few: u64) {
    let seeds = seeds(12);
    let (mut tally, wanted) = (SampleTally::default(), seeds.count_left());
    for seed in seeds {
        let (model, _) = cut(&random::model(seed), samples::first(), 1);
        let texts: Option<Vec<String>> = texts.iter().map(|text| about(&model, text)).collect();
        let Some(texts) = texts else { continue };
        let readings: Vec<Reading> = texts.iter().map(|text| reading(&mut model.clone(), text)).collect();
        let asked = readings.iter().flat_map(|reading| &reading.model.checks).map(|check| {
            let Question::Ltl(property) = &check.question else { panic!("it is a formula") };
            property.clone()
        });
        let found = match ask(&model, &asked.collect::<Vec<_>>(), &format!("seed {seed}")) {
            Ok(found) => found,
            Err(omitted) => {
                tally.add(Err(omitted));
                continue;
            }
        };
        for ((reading, text), theirs) in readings.iter().zip(&texts).zip(found) {
            let answers = pipeline::check(reading, &Settings::default(), &Effort::default()).answers;
            let own = answers.iter().find(|answer| answer.kind == "ltl").expect("it was asked");
            let own = match &own.verdict {
                Verdict::Fails(_) => Some(false),
                Verdict::Holds(_) => Some(true),
                Verdict::Unknown(_) => None,
            };
            let (Some(own), Some(theirs)) = (own, theirs) else {
                tally.add(Err("no verdict"));
                continue;
            };
            assert_eq!(theirs, own, "seed {seed}: {text}");
            tally.compared += 1;
        }
    }
    tally.exceeds(wanted * few);
}

/// A formula about `m` and `n` as one about the first and the last message of a random diagram.
pub fn about(model: &Model, text: &str) -> Option<String> {
    let messages = &model.interactions[samples::first()].messages;
    let (first, last) = messages.iter().next().zip(messages.iter().next_back())?;
    Some(text.replace("(m", &format!("({}", first.name)).replace("(n)", &format!("({})", last.name)))
}

/// A random diagram of which a formula is asked.
pub fn reading(model: &mut Model, text: &str) -> Reading {
    let mut sources = Sources::new();
    let file = sources.add("--ltl", text);
    let span = Span::new(file, 0, text.len());
    let formula = formula::parse(text, span).expect("it is a formula");
    let property = Property { text: text.to_owned(), formula: Box::new(formula) };
    model.checks.push(Check {
        name: None,
        subject: Some(Subject::Interaction(samples::first())),
        target: None,
        question: Question::Ltl(property),
        fairness: None,
        expected: None,
        place: span.into(),
    });
    Reading::of(model.clone(), Folders::from([(FileId::from_index(0), String::new())]))
}
