//! Verdicts: what a tool says about formulas, scenarios and goals is what we say.

use sequent::behaviour::Effort;
use sequent::court::Court;
use sequent::outside::Tool;
use sequent::pipeline::{self, Reading};
use sequent::settings::Settings;
use sequent_engine::contest::Engine;
use sequent_kernel::id::Id;
use sequent_kernel::lint::Folders;
use sequent_kernel::model::{Check, Model, Property, Question, Subject};
use sequent_kernel::source::{FileId, Sources, Span};
use sequent_kernel::templates::cut;
use sequent_kernel::verdict::{Answer, Verdict};
use sequent_notation::formula;

use crate::cases;
use crate::samples::{self, count, random};

/// What is asked.
pub type Asked<'t> = &'t dyn Fn() -> Box<dyn Tool>;

/// What a tool says about everything that is asked.
fn asked(tool: Asked<'_>, reading: &Reading, settings: &Settings) -> Vec<Answer> {
    let mut court = Court::new(Engine::Explicit, None);
    court.outside = Some(tool());
    let effort = Effort { court: Some(&court), ..Effort::default() };
    pipeline::check(reading, settings, &effort).answers
}

/// Compares the answers; how many the tool gave.
pub fn compare(tool: Asked<'_>, reading: &Reading, settings: &Settings, name: &str) -> usize {
    let own = pipeline::check(reading, settings, &Effort::default()).answers;
    let other = asked(tool, reading, settings);
    assert_eq!(own.len(), other.len(), "{name}");
    let mut decided = 0;
    for (own, other) in own.iter().zip(&other) {
        let both = [&own.verdict, &other.verdict];
        // What the tool cannot be asked stays open; what we cannot know it does not know either.
        if matches!(other.verdict, Verdict::Unknown(_)) {
            continue;
        }
        let [own_name, other_name] = both.map(Verdict::name);
        assert_eq!(own_name, other_name, "{name}: {}", own.name);
        assert_eq!(own.vacuous.is_some(), other.vacuous.is_some(), "{name}: {}", own.name);
        decided += usize::from(other.engine == Some(tool().name()));
    }
    decided
}

/// Compares what is asked in the examples, at least so many questions; `quick` are the cases that are the most different from each
/// other.
pub fn examples(tool: Asked<'_>, quick: &[&str], least: usize) {
    let mut decided = 0;
    for case in samples::examples(|name| quick.contains(&name)) {
        let session = cases::read(&case);
        if !session.reading.model.checks.is_empty() {
            decided += compare(tool, &session.reading, &session.settings, &case.name);
        }
    }
    assert!(decided >= least, "{decided}");
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
pub fn formulas(tool: Asked<'_>) {
    let (mut decided, wanted) = (0, count(12));
    for seed in 0..wanted {
        let mut model = random::model(seed);
        let Some(text) = about(&model, FORMULAS[seed as usize % FORMULAS.len()]) else { continue };
        let reading = reading(&mut model, &text);
        decided += compare(tool, &reading, &Settings::default(), &format!("seed {seed}: {text}"));
    }
    assert!(decided as u64 > wanted / 4, "{decided}");
}

/// Whether a tool finds formulas true that are written beside a diagram, by name; `None` for those that are not written, and
/// if the diagram is not.
pub type Written<'w> = &'w dyn Fn(&Model, &[Property], &str) -> Option<Vec<Option<bool>>>;

/// Compares formulas that are written beside random diagrams; more than so many for each diagram.
pub fn written(texts: &[&str], ask: Written<'_>, few: u64) {
    let (mut compared, wanted) = (0, count(12));
    for seed in 0..wanted {
        let (model, _) = cut(&random::model(seed), samples::first(), 1);
        let texts: Option<Vec<String>> = texts.iter().map(|text| about(&model, text)).collect();
        let Some(texts) = texts else { continue };
        let readings: Vec<Reading> = texts.iter().map(|text| reading(&mut model.clone(), text)).collect();
        let asked = readings.iter().flat_map(|reading| &reading.model.checks).map(|check| {
            let Question::Ltl(property) = &check.question else { panic!("it is a formula") };
            property.clone()
        });
        let Some(found) = ask(&model, &asked.collect::<Vec<_>>(), &format!("{seed}")) else { continue };
        for ((reading, text), theirs) in readings.iter().zip(&texts).zip(found) {
            let answers = pipeline::check(reading, &Settings::default(), &Effort::default()).answers;
            let own = answers.iter().find(|answer| answer.kind == "ltl").expect("it was asked");
            let own = match &own.verdict {
                Verdict::Fails(_) => Some(false),
                Verdict::Holds(_) => Some(true),
                Verdict::Unknown(_) => None,
            };
            let (Some(own), Some(theirs)) = (own, theirs) else { continue };
            assert_eq!(theirs, own, "seed {seed}: {text}");
            compared += 1;
        }
    }
    assert!(compared > wanted * few, "{compared}");
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
        expected: None,
        place: span.into(),
    });
    Reading {
        documents: Vec::new(),
        model: model.clone(),
        folders: Folders::from([(FileId::from_index(0), String::new())]),
        diagnostics: Vec::new(),
    }
}
