//! Verdicts by circuits alone: all states of the circuit that was read back are looked at, for bad ones and for runs that meet everything of
//! a `justice` property again and again. Either is a run that was looked for, and `check` must say the same.

use sequent::effort::Effort;
use sequent::export::ExportedCase;
use sequent::pipeline::{self, Reading};
use sequent::settings::Settings;
use sequent_kernel::verdict::Verdict;
use sequent_report::export::circuit::aiger;
use sequent_testing::seeds::seeds;

use super::explicit::{Found, explore};
use super::files::built;
use super::opinion::verdicts::{about, reading};
use super::questions::hopes;
use super::samples::{random, systems};
use super::{aiger as reader, cases};

/// Circuits that need more work are left out: so many values, 64 of a gate at once.
const MOST_WORK: usize = 3_000_000;

/// What was compared.
#[derive(Default, Debug)]
struct Tally {
    found: u64,
    nothing: u64,
    /// Found in runs that go on forever, and in no others.
    endless: u64,
    /// Nothing found, but looked for in runs that go on forever.
    justice: u64,
}

/// What a question's circuits say, all parts together; none if one is too large or is none, and whether there were `justice` properties.
fn answer(parts: &[ExportedCase]) -> Option<(Found, bool)> {
    let mut all = Found { is_bad: false, is_endless: false, is_strained: false };
    let mut has_justice = false;
    for part in parts {
        part.unbounded().ok()?;
        let made = aiger(&built(part)?).ok()?;
        let circuit = reader::read(&made.binary());
        has_justice |= !circuit.justice.is_empty();
        let found = explore(&circuit, MOST_WORK)?;
        all.is_bad |= found.is_bad;
        all.is_endless |= found.is_endless;
        all.is_strained |= found.is_strained;
    }
    Some((all, has_justice))
}

fn compare(reading: &Reading, settings: &Settings, name: &str, tally: &mut Tally) {
    let agenda = pipeline::agenda(reading, settings);
    let list = &agenda.queries;
    let mut outcome = None;
    for (number, words) in list.iter().enumerate() {
        let Some((found, has_justice)) =
            sequent::export::parts(&agenda, number).ok().and_then(|parts| answer(&parts))
        else {
            continue;
        };
        let outcome = outcome.get_or_insert_with(|| pipeline::check(reading, settings, &Effort::default()));
        let is_found = found.is_bad || found.is_endless;
        // A run that breaks off might have gone on.
        if !is_found && found.is_strained {
            continue;
        }
        let expected = match &outcome.answers[number].verdict {
            Verdict::Unknown(_) => continue,
            Verdict::Holds(_) => hopes(&agenda.queries[number].matter),
            Verdict::Fails(_) => !hopes(&agenda.queries[number].matter),
        };
        assert_eq!(is_found, expected, "{name}: {}: {found:?}", words.text());
        tally.found += u64::from(is_found);
        tally.nothing += u64::from(!is_found);
        tally.endless += u64::from(!found.is_bad && found.is_endless);
        tally.justice += u64::from(!is_found && has_justice);
    }
}

#[test]
fn verdicts_of_the_examples_follow_from_circuits() {
    let mut tally = Tally::default();
    for case in cases::all() {
        let session = cases::read(&case);
        compare(&session.reading, &session.settings, &case.name, &mut tally);
    }
    assert!(tally.found > 20 && tally.nothing > 20, "{tally:?}");
}

#[test]
fn verdicts_of_random_systems_follow_from_circuits() {
    let seeds = seeds(20);
    let (mut tally, wanted) = (Tally::default(), seeds.count_left());
    for seed in seeds {
        let (text, settings) = systems::text(seed);
        let (reading, settings) = systems::read(&text, settings);
        compare(&reading, &settings, &format!("seed {seed}: {text}"), &mut tally);
    }
    assert!(tally.found > wanted / 4 && tally.nothing > wanted / 4, "{tally:?}");
    assert!(tally.endless > wanted / 10 && tally.justice > wanted / 10, "{tally:?}");
}

/// Formulas over the first and the last message of a diagram.
const FORMULAS: [&str; 5] = [
    "G (sent(m) -> F received(m))",
    "F sent(n)",
    "G F sent(m)",
    "F end",
    "G (received(m) -> X F received(n))",
];

#[test]
fn verdicts_of_random_diagrams_follow_from_circuits() {
    let seeds = seeds(40);
    let (mut tally, wanted) = (Tally::default(), seeds.count_left());
    for seed in seeds {
        let mut model = random::model(seed);
        let Some(text) = about(&model, FORMULAS[seed as usize % FORMULAS.len()]) else { continue };
        let reading = reading(&mut model, &text);
        compare(&reading, &Settings::default(), &format!("seed {seed}"), &mut tally);
    }
    assert!(tally.found > wanted / 8 && tally.nothing > wanted / 8, "{tally:?}");
}

/// Diagrams that may go on forever, each with what is asked about it.
const FOREVER: [&str; 4] = [
    "' @ltl G F received(p)\n' @ltl F end\n' @ltl !F end\n' @ltl F G !sent(p)\nloop (inf)\na ->> b : p\nb ->> a : r\nend\n",
    "' @ltl F sent(q)\n' @ltl G F sent(p)\n' @ltl G (sent(p) -> X F sent(p))\nloop (inf)\na ->>] : p\nend\nc ->>] : q\n",
    "' @ltl F sent(q)\n' @ltl G F sent(p)\n' @ltl F G !sent(p)\n' @ltl F end\nloop (0,*)\na ->>] : p\nend\na ->>] : q\n",
    "' @ltl F sent(q)\n' @ltl G F (sent(q) | sent(r))\n' @ltl G !end\nloop (inf)\nalt x\na ->>] : q\nelse y\na ->>] : r\nend\nend\n",
];

#[test]
fn diagrams_that_go_on_forever() {
    let mut tally = Tally::default();
    for text in FOREVER {
        let (reading, settings) = systems::read(&format!("@startuml\n{text}@enduml\n"), "");
        compare(&reading, &settings, text, &mut tally);
    }
    assert!(tally.endless >= 5 && tally.justice >= 3, "{tally:?}");
}
