//! Verdicts about diagrams by automata alone: a formula, `neg` or `assert` is violated if and only if some word is accepted both by the
//! automaton of the traces and by that of the question. Diagrams whose runs all end, that is: those of P3 that go on forever come to rest
//! again and again, and questions are about others, too.

use sequent::ask::Matter;
use sequent::effort::Effort;
use sequent::export::ExportedCase;
use sequent::pipeline::{self, Reading};
use sequent::settings::Settings;
use sequent_engine::automaton::{automaton, minimal, prune};
use sequent_engine::packed::Program;
use sequent_engine::search::{Search, SearchAnswer, SearchGoal, SearchOptions, unwatched};
use sequent_engine::traces::{TraceLimits, Traces};
use sequent_kernel::system::{System, TraceClass};
use sequent_kernel::verdict::Verdict;
use sequent_report::export::hoa;
use sequent_testing::seeds::seeds;

use crate::opinion::verdicts::{about, reading};
use crate::samples::{random, systems};
use crate::spot::Spot;
use crate::{cases, questions, reader};

/// The automaton of the traces, as it is written; none if there are too many or they depend on the room that loops have.
fn traces(system: &System) -> Option<(reader::Automaton, String)> {
    let limits = TraceLimits { sets: 3_000, ..TraceLimits::default() };
    let traces = Traces::explore(system, limits).ok().filter(|traces| !traces.is_strained())?;
    let made = minimal(&prune(&automaton(traces, TraceClass::Valid)));
    let file = hoa(&made, "traces", system.events.iter().map(|event| event.text.as_str()));
    let [read] = reader::read(&file).try_into().expect("one automaton");
    read.keeps_its_word();
    Some((read, file))
}

/// Whether some run gets stuck, of which no trace tells.
fn gets_stuck(system: &System) -> bool {
    let program = Program::new(system);
    let search = Search::run(&program, SearchGoal::Stuck, &SearchOptions::default(), &unwatched);
    matches!(search.answer, SearchAnswer::Found(_))
}

/// Whether a word is accepted by both, for some part of a question; none if not all is written.
fn is_violated(parts: &[ExportedCase], name: &str, spot: Option<&Spot>) -> Option<bool> {
    let mut is_violated = false;
    for part in parts {
        let (question, asked) = questions::automaton(part, name)?;
        // Which runs count that go on forever is another matter.
        if part.case.system.endless.is_some() || gets_stuck(&part.case.system) {
            return None;
        }
        let (traces, drawn) = traces(&part.case.system)?;
        let meet = traces.meets(&question);
        if let Some(theirs) = spot.and_then(|spot| spot.meet(&asked, &drawn)) {
            assert_eq!(theirs, meet, "{name}: Spot");
        }
        is_violated |= meet;
    }
    Some(is_violated)
}

/// Compares all questions about diagrams; how many are violated, and how many are not.
fn compare(reading: &Reading, settings: &Settings, name: &str, spot: Option<&Spot>) -> [u64; 2] {
    let mut counted = [0, 0];
    let agenda = pipeline::agenda(reading, settings);
    let list = &agenda.queries;
    let asked: Vec<usize> =
        (0..list.len()).filter(|number| matches!(agenda.queries[*number].matter, Matter::Runs(..))).collect();
    if asked.is_empty() {
        return counted;
    }
    let outcome = pipeline::check(reading, settings, &Effort::default());
    for number in asked {
        let name = format!("{name}: {}", list[number].text());
        let Some(found) =
            sequent::export::parts(&agenda, number).ok().and_then(|parts| is_violated(&parts, &name, spot))
        else {
            continue;
        };
        match &outcome.answers[number].verdict {
            Verdict::Holds(_) => assert!(!found, "{name} holds"),
            Verdict::Fails(_) => assert!(found, "{name} fails"),
            Verdict::Unknown(_) => continue,
        }
        counted[usize::from(found)] += 1;
    }
    counted
}

#[test]
fn verdicts_of_the_examples_follow_from_automata() {
    let mut all = [0, 0];
    let spot = Spot::find("examples");
    for case in cases::all() {
        let session = cases::read(&case);
        let counted = compare(&session.reading, &session.settings, &case.name, spot.as_ref());
        all = [all[0] + counted[0], all[1] + counted[1]];
    }
    println!("{all:?}");
    assert!(all[0] > 15 && all[1] > 15, "{all:?}");
}

/// Formulas over the first and the last message of a diagram.
const FORMULAS: [&str; 6] = [
    "G (sent(m) -> F received(m))",
    "F sent(n)",
    "G (received(m) -> !F sent(n))",
    "!received(n) U sent(m)",
    "G (received(n) -> O sent(m))",
    "F (sent(n) & X end)",
];

#[test]
fn events_that_nobody_tells_apart_are_not_taken_for_the_end() {
    let text = "@startuml\n' @ltl G (sent(m) -> F received(m))\na ->> b : m\n[->> b : m\n@enduml\n";
    let (reading, settings) = systems::read(text, "");
    assert_eq!(compare(&reading, &settings, "two messages of a name", None), [1, 0]);
}

#[test]
fn verdicts_of_random_diagrams_follow_from_automata() {
    let seeds = seeds(60);
    let (mut all, wanted) = ([0, 0], seeds.count_left());
    let spot = Spot::find("diagrams");
    for seed in seeds {
        let mut model = random::model(seed);
        let Some(text) = about(&model, FORMULAS[seed as usize % FORMULAS.len()]) else { continue };
        let reading = reading(&mut model, &text);
        let counted = compare(&reading, &Settings::default(), &format!("seed {seed}"), spot.as_ref());
        all = [all[0] + counted[0], all[1] + counted[1]];
    }
    println!("{all:?}");
    assert!(all[0] > wanted / 10 && all[1] > wanted / 10, "{all:?}");
}
