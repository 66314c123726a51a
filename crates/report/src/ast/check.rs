//! Checks, settings of the system and known findings as JSON, in the words of `sequent.toml` and the directives.

use sequent_kernel::formula::FormulaWord;
use sequent_kernel::model::{
    Alphabet, Anchor, Check, Communication, Completion, Expectation, KnownFinding, Question, Refines,
    Scenario, Scheduling, Steps, Subject, SystemSettings,
};
use sequent_kernel::source::Place;
use serde_json::Value;

use super::AstScope;
use super::record::JsonRecord;

/// One question.
pub(super) fn check(scope: &AstScope, check: &Check) -> Value {
    let Check { name, subject, target, question, fairness, expected, place } = check;
    JsonRecord::new()
        .put("name", name.as_deref())
        .put("subject", subject.map(|shown| self::subject(scope, shown)))
        .put("target", target.as_ref().map(|word| word.text.as_str()))
        .put("question", self::question(question))
        .put("fairness", fairness.map(Scheduling::word))
        .put("expected", expected.map(expectation))
        .put("place", scope.place(*place))
        .done()
}

fn subject(scope: &AstScope, subject: Subject) -> Value {
    match subject {
        Subject::Interaction(id) => {
            JsonRecord::kind("interaction").put("id", scope.interactions[id].as_str())
        }
        Subject::Machine(id) => JsonRecord::kind("machine").put("id", scope.machines[id].as_str()),
    }
    .done()
}

fn question(question: &Question) -> Value {
    match question {
        Question::Scenario(shown) => scenario(shown),
        Question::Ltl(property) => JsonRecord::kind("ltl").put("formula", property.text.as_str()).done(),
        Question::Reachable(goal) => JsonRecord::kind("reachable")
            .put("goal", goal.goal.text.as_str())
            .put("from", goal.from.as_ref().map(|from| from.text.as_str()))
            .put("within", goal.within)
            .done(),
        Question::Deadlock => JsonRecord::kind("deadlock").done(),
        Question::Safe(diagram, mode) => JsonRecord::kind("safe")
            .put("diagram", diagram.as_ref().map(|word| word.text.as_str()))
            .put("mode", mode.word())
            .done(),
        Question::Consistent(diagram) => JsonRecord::kind("consistent")
            .put("diagram", diagram.as_ref().map(|word| word.text.as_str()))
            .done(),
        Question::Fragments => JsonRecord::kind("fragments").done(),
        Question::Refines(Refines { specification, aspect, hidden }) => JsonRecord::kind("refines")
            .put("specification", specification.text.as_str())
            .put("model", aspect.word())
            .list("hidden", hidden, |word: &FormulaWord| word.text.as_str())
            .done(),
        Question::Triggers(diagram) => JsonRecord::kind("triggers")
            .put("diagram", diagram.as_ref().map(|word| word.text.as_str()))
            .done(),
    }
}

fn scenario(scenario: &Scenario) -> Value {
    let Scenario { interaction, quantifier, anchor, alphabet, within, effects } = scenario;
    JsonRecord::kind("scenario")
        .put("interaction", interaction.as_ref().map(|word| word.text.as_str()))
        .put("quantifier", quantifier.word())
        .put("anchor", self::anchor(*anchor))
        .put("alphabet", self::alphabet(*alphabet))
        .put("within", *within)
        .put("effects", effects.word())
        .done()
}

fn anchor(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Anywhere => "anywhere",
        Anchor::Start => "start",
    }
}

fn alphabet(alphabet: Alphabet) -> &'static str {
    match alphabet {
        Alphabet::All => "all",
        Alphabet::Own => "own",
        Alphabet::Channels => "channels",
        Alphabet::OwnObjects => "own-objects",
    }
}

fn expectation(expectation: Expectation) -> &'static str {
    match expectation {
        Expectation::Holds => "holds",
        Expectation::Fails => "fails",
        Expectation::Unknown => "unknown",
    }
}

/// One finding that the author of a diagram knows about.
pub(super) fn known(scope: &AstScope, known: &KnownFinding) -> Value {
    let KnownFinding { code, must_come, diagram, place } = known;
    JsonRecord::new()
        .put("code", code.name())
        .put("mustCome", *must_come)
        .put("diagram", scope.place(*diagram))
        .put("place", scope.place(*place))
        .done()
}

/// How the objects communicate and which there are, as far as it is set.
pub(super) fn system(scope: &AstScope, system: &SystemSettings) -> Value {
    let SystemSettings {
        communication,
        capacity,
        steps,
        completion,
        closed,
        fairness,
        effects: _,
        objects,
        links,
    } = system;
    let object = |(name, class, place): &(String, String, Place)| {
        JsonRecord::new()
            .put("name", name.as_str())
            .put("class", class.as_str())
            .put("place", scope.place(*place))
            .done()
    };
    let link = |(left, right, place): &(String, String, Place)| {
        let ends = vec![Value::from(left.as_str()), Value::from(right.as_str())];
        JsonRecord::new().put("ends", ends).put("place", scope.place(*place)).done()
    };
    JsonRecord::new()
        .put("communication", communication.map(self::communication))
        .put("capacity", *capacity)
        .put("steps", steps.map(self::steps))
        .put("completion", completion.map(self::completion))
        .put("closed", *closed)
        .put("fairness", fairness.map(Scheduling::word))
        .list("objects", objects, object)
        .list("links", links, link)
        .done()
}

fn completion(completion: Completion) -> &'static str {
    match completion {
        Completion::Queued => "queued",
        Completion::Free => "free",
    }
}

fn steps(steps: Steps) -> &'static str {
    match steps {
        Steps::Intermediate => "intermediate",
        Steps::Direct => "direct",
    }
}

fn communication(communication: Communication) -> &'static str {
    match communication {
        Communication::Queue => "queue",
        Communication::Bag => "bag",
        Communication::Rendezvous => "rendezvous",
    }
}
