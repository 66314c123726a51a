//! The agenda: questions have the numbers and names that `check` gives them, and ask for what it answers.

use sequent::ask::Matter;
use sequent::effort::Effort;
use sequent::export::ExportedCase;
use sequent::pipeline;
use sequent_engine::sat::bounded::reach::reach;
use sequent_engine::sat::outcome::Bounded;
use sequent_kernel::model::Quantifier;
use sequent_kernel::verdict::{Answer, Verdict};

use super::cases;

/// Runs are looked for so far.
const STEPS: usize = 12;

/// Whether a run that is looked for is what the question hopes for.
pub(crate) fn hopes(matter: &Matter<'_>) -> bool {
    match matter {
        Matter::Objects(_, sequent::ensemble::Wish::Scenario(_, scenario), _) => {
            scenario.quantifier == Quantifier::Possible
        }
        Matter::Objects(_, sequent::ensemble::Wish::Goal(_), _) => true,
        Matter::Objects(_, sequent::ensemble::Wish::Formula(_), _) => false,
        Matter::Deadlock(_)
        | Matter::Runs(..)
        | Matter::Refines(..)
        | Matter::Triggers(_)
        | Matter::Nothing(_) => false,
    }
}

/// Whether some part of a question has a run of a few steps.
fn is_found(parts: &[ExportedCase]) -> bool {
    parts.iter().any(|part| {
        // Numbers may be too large for clauses.
        let Ok(question) = part.question() else { return false };
        let most = part.case.within.unwrap_or(STEPS);
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
        let agenda = pipeline::agenda(&session.reading, &session.settings);
        let list = &agenda.queries;
        for (number, words) in list.iter().enumerate() {
            let answer = &outcome.answers[number];
            let told = (&answer.name, answer.kind, &answer.target);
            assert_eq!((&words.name, words.kind, &words.target), told, "{}", case.name);
            asked += 1;
            let Ok(parts) = sequent::export::parts(&agenda, number) else { continue };
            if is_found(&parts) {
                found += 1;
                let expected = match hopes(&agenda.queries[number].matter) {
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
