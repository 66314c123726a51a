//! Verdicts: what SPIN says about formulas, scenarios and goals is what we say.

use sequent::behaviour::Effort;
use sequent::court::Court;
use sequent::pipeline::{self, Reading};
use sequent::settings::Settings;
use sequent_engine::contest::Engine;
use sequent_kernel::id::Id;
use sequent_kernel::lint::Folders;
use sequent_kernel::model::{Check, InteractionId, Model, Property, Question, Subject};
use sequent_kernel::source::{FileId, Sources, Span};
use sequent_kernel::verdict::{Answer, Verdict};
use sequent_notation::formula;

use super::{at_hand, cases, count, random};

/// What SPIN says about everything that is asked.
fn asked(reading: &Reading, settings: &Settings) -> Vec<Answer> {
    let mut court = Court::new(Engine::Explicit, None);
    court.outside = Some(Box::new(at_hand().expect("it was there before")));
    let effort = Effort { court: Some(&court), ..Effort::default() };
    pipeline::check(reading, settings, &effort).answers
}

/// Compares the answers; how many SPIN gave.
fn compare(reading: &Reading, settings: &Settings, name: &str) -> usize {
    let own = pipeline::check(reading, settings, &Effort::default()).answers;
    let other = asked(reading, settings);
    assert_eq!(own.len(), other.len(), "{name}");
    let mut decided = 0;
    for (own, other) in own.iter().zip(&other) {
        let both = [&own.verdict, &other.verdict];
        if both.iter().any(|verdict| matches!(verdict, Verdict::Unknown(_))) {
            continue;
        }
        let [own_name, other_name] = both.map(Verdict::name);
        assert_eq!(own_name, other_name, "{name}: {}", own.name);
        assert_eq!(own.vacuous.is_some(), other.vacuous.is_some(), "{name}: {}", own.name);
        decided += usize::from(other.engine == Some("spin"));
    }
    decided
}

/// The cases that are the most different from each other, so that the test is quick.
const CASES: &[&str] = &[
    "projects/cash-machine",
    "projects/figure-35",
    "projects/guarded-door",
    "projects/insurance-location",
    "projects/pin-check",
    "projects/refused-card",
    "projects/two-messages",
];

#[test]
fn examples_get_the_same_verdicts() {
    if at_hand().is_none() {
        return;
    }
    let is_more = std::env::var_os("SEQUENT_RANDOM").is_some();
    let mut decided = 0;
    for case in cases::all().iter().filter(|case| is_more || CASES.contains(&case.name.as_str())) {
        let session = cases::read(case);
        if !session.reading.model.checks.is_empty() {
            decided += compare(&session.reading, &session.settings, &case.name);
        }
    }
    assert!(decided >= 25, "{decided}");
}

/// Formulas over two messages of random diagrams.
const FORMULAS: &[&str] = &[
    "G (sent(m) -> F received(m))",
    "F sent(n)",
    "received(m) precedes sent(n)",
    "G !(sent(m) & X sent(n))",
    "G (received(n) -> O sent(m))",
];

#[test]
fn formulas_about_random_diagrams_get_the_same_verdicts() {
    if at_hand().is_none() {
        return;
    }
    let (mut decided, wanted) = (0, count(12));
    for seed in 0..wanted {
        let mut model = random::model(seed);
        let messages = &model.interactions[InteractionId::from_index(0)].messages;
        let Some((first, last)) = messages.iter().next().zip(messages.iter().next_back()) else { continue };
        let text = FORMULAS[seed as usize % FORMULAS.len()];
        let text =
            text.replace("(m)", &format!("({})", first.name)).replace("(n)", &format!("({})", last.name));
        let reading = reading(&mut model, &text);
        decided += compare(&reading, &Settings::default(), &format!("seed {seed}: {text}"));
    }
    assert!(decided as u64 > wanted / 4, "{decided}");
}

pub fn reading(model: &mut Model, text: &str) -> Reading {
    let mut sources = Sources::new();
    let file = sources.add("--ltl", text);
    let span = Span::new(file, 0, text.len());
    let formula = formula::parse(text, span).expect("it is a formula");
    let property = Property { text: text.to_owned(), formula: Box::new(formula) };
    let id = InteractionId::from_index(0);
    model.checks.push(Check {
        name: None,
        subject: Some(Subject::Interaction(id)),
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
