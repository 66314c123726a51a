//! The agenda: questions have the numbers and names that `check` gives them, and ask for what it answers.

use sequent::agenda::{Agenda, Matter};
use sequent::behaviour::Effort;
use sequent::pipeline;
use sequent::posed::Copied;
use sequent_engine::sat::bounded::{Bounded, reach};
use sequent_kernel::model::Quantifier;
use sequent_kernel::verdict::{Answer, Verdict};

use super::cases;

/// Runs are looked for so far.
const STEPS: usize = 12;

/// Whether a run that is looked for is what the question hopes for.
pub fn hopes(matter: Matter<'_>) -> bool {
    match matter {
        Matter::Objects(sequent::scenario::Ask::Scenario(_, scenario)) => {
            scenario.quantifier == Quantifier::Possible
        }
        Matter::Objects(sequent::scenario::Ask::Goal(_)) => true,
        Matter::Objects(sequent::scenario::Ask::Formula(_)) => false,
        Matter::Deadlock(_) | Matter::Runs(..) | Matter::Refines(_) | Matter::Nothing => false,
    }
}

/// Whether some part of a question has a run of a few steps.
fn is_found(parts: &[Copied]) -> bool {
    parts.iter().any(|part| {
        // Numbers may be too large for clauses.
        let Ok(question) = part.question() else { return false };
        let most = part.within.unwrap_or(STEPS);
        let found =
            reach(&question.encoding, question.wanted, most, &|_| std::ops::ControlFlow::Continue(()));
        matches!(found, Bounded::Found(..))
    })
}

#[test]
fn questions_are_those_of_check() {
    let (mut asked, mut found) = (0, 0);
    for case in cases::all() {
        let session = cases::read(&case);
        let outcome = pipeline::check(&session.reading, &session.settings, &Effort::default());
        let agenda = Agenda::new(&session.reading, &session.settings);
        let list = agenda.list();
        for (number, words) in list.iter().enumerate() {
            let answer = &outcome.answers[number];
            let told = (&answer.name, answer.kind, &answer.target);
            assert_eq!((&words.name, words.kind, &words.target), told, "{}", case.name);
            asked += 1;
            let Ok(parts) = agenda.pose(number) else { continue };
            if is_found(&parts) {
                found += 1;
                let expected = match hopes(agenda.matter(number)) {
                    true => "holds",
                    false => "fails",
                };
                assert_eq!(answer.verdict.name(), expected, "{}: {}", case.name, words.text());
            }
        }
        // Diagrams that nobody could decide about are told after all questions.
        let is_told =
            |answer: &Answer| matches!(answer.verdict, Verdict::Unknown(_)) && answer.kind == "deadlock";
        assert!(outcome.answers[list.len()..].iter().all(is_told), "{}", case.name);
    }
    assert!(asked > 120 && found > 35, "{asked} asked, {found} found");
}
