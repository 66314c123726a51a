//! What `neg` and `assert` diagrams forbid and demand, written beside the modules of random diagrams in which messages are
//! repeated and ignored, and as formulas: the file is read back and says what `check` says, and so does NuSMV.

use std::collections::BTreeSet;

use sequent::ask::Agenda;
use sequent::effort::Effort;
use sequent::export::{observers, parts};
use sequent::pipeline::{self, Reading};
use sequent::settings::Settings;
use sequent_kernel::formula::Formula;
use sequent_kernel::model::{Check, Property, Question, Subject};
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::templates::from_start;
use sequent_kernel::verdict::{Answer, Verdict};
use sequent_notation::formula::print;
use sequent_report::export::LifelineClaim;
use sequent_report::export::nusmv::{UnfoldedDiagram, lifelines, said};
use sequent_testing::samples::claims;
use sequent_testing::seeds::seeds;

use super::at_hand;
use super::nusmv::NusmvProgram;
use super::patience::ToolPatience;
use super::reader;
use super::samples::{Omitted, SampleTally, first};

/// More states are not looked at without NuSMV.
const MOST: usize = 1_500;

/// The kinds of questions that diagrams ask.
const KINDS: [&str; 2] = ["safe", "consistent"];

/// What is asked about the model, with our own verdict.
fn asked(reading: &Reading, agenda: &Agenda<'_>) -> Vec<(LifelineClaim, Option<bool>)> {
    let answers = pipeline::check(reading, &Settings::default(), &Effort::default()).answers;
    let mut found = Vec::new();
    for (number, query) in agenda.queries.iter().enumerate() {
        let own = answers.iter().find(|answer| answer.name == query.name && answer.target == query.target);
        let is_asked = query.target.as_deref() == Some("Model") && KINDS.contains(&query.kind);
        let Some(own) = own.filter(|_| is_asked) else { continue };
        let observers = parts(agenda, number).and_then(observers);
        found.push((LifelineClaim { title: query.name.clone(), formula: None, observers }, verdict(own)));
    }
    found
}

fn verdict(answer: &Answer) -> Option<bool> {
    match &answer.verdict {
        Verdict::Fails(_) => Some(false),
        Verdict::Holds(_) => Some(true),
        Verdict::Unknown(_) => None,
    }
}

/// For each observer of a file whether it accepts in no state that is reached; read without NuSMV.
fn read(text: &str, watches: usize) -> Option<Vec<bool>> {
    let mut model = reader::Model::read(text);
    let accepts: Vec<usize> =
        (1..=watches).map(|number| model.named(&format!("watch{number}_accepts"))).collect();
    let mut seen: BTreeSet<reader::State> = model.initial().into_iter().collect();
    let mut open: Vec<reader::State> = seen.iter().cloned().collect();
    let mut verdicts = vec![true; watches];
    while let Some(state) = open.pop() {
        for (verdict, accepts) in verdicts.iter_mut().zip(&accepts) {
            *verdict &= !model.holds(*accepts, &state);
        }
        open.extend(model.next(&state).into_iter().filter(|next| seen.insert(next.clone())));
        if seen.len() > MOST {
            return None;
        }
    }
    Some(verdicts)
}

/// What `check` says about a formula.
fn confirmed(text: &str, formula: &Formula) -> Option<bool> {
    let mut reading = claims::reading(text);
    reading.model.checks.clear();
    let property = Property { text: print(formula), formula: Box::new(formula.clone()) };
    reading.model.checks.push(Check {
        name: None,
        subject: Some(Subject::Interaction(first())),
        target: None,
        question: Question::Ltl(property),
        fairness: None,
        expected: None,
        place: formula.place,
    });
    let answers = pipeline::check(&reading, &Settings::default(), &Effort::default()).answers;
    answers.iter().find(|answer| answer.kind == "ltl").and_then(verdict)
}

fn compare(
    tool: Option<&NusmvProgram>,
    patience: &ToolPatience,
    text: &str,
    name: &str,
    formulas: &mut u64,
) -> Result<(), Omitted> {
    let reading = claims::reading(text);
    let settings = Settings::default();
    let agenda = pipeline::agenda(&reading, &settings);
    let asked: Vec<(LifelineClaim, bool)> =
        asked(&reading, &agenda).into_iter().filter_map(|(claim, own)| Some((claim, own?))).collect();
    let claims: Vec<LifelineClaim> = asked.iter().map(|(claim, _)| claim.clone()).collect();
    let assumptions = Assumptions::default();
    let at = |_| String::new();
    let diagram = UnfoldedDiagram { model: &reading.model, id: first(), assumptions: &assumptions, at: &at };
    let made = lifelines(&diagram, &claims).map_err(|unwritten| unwritten.0)?;
    let parts: Vec<usize> = claims.iter().map(|claim| claim.observers.as_ref().map_or(0, Vec::len)).collect();
    let watches: usize = parts.iter().sum();
    // Each part of a claim is an observer; all of them must be silent.
    let check = |verdicts: &[bool], who: &str| {
        let mut left = verdicts;
        for ((claim, own), parts) in asked.iter().zip(&parts).filter(|(_, parts)| **parts > 0) {
            let (these, rest) = left.split_at(*parts);
            left = rest;
            // Without NuSMV the guards in front of the formula are not read.
            if these.len() == 1 || who == "NuSMV" {
                let theirs = these.iter().all(|holds| *holds);
                assert_eq!(theirs, *own, "{name}: {who} about {}\n{text}\n{}", claim.title, made.text);
            }
        }
    };
    match read(&made.text, watches) {
        Some(verdicts) => check(&verdicts, "the reader"),
        None if tool.is_none() => return Err("too many states".into()),
        None => {}
    }
    if let Some(tool) = tool {
        let ask = |until| tool.run(&made.text, &["-dynamic", "-dcx"], until);
        let printed = patience.ask(name, ask)?;
        let said = said(&printed);
        // The first is that it never gets stuck.
        assert_eq!(said.verdicts.len(), watches + 1, "{name}: {printed}\n{}", made.text);
        check(&said.verdicts[1..], "NuSMV");
    }
    for (claim, own) in asked.iter().filter(|(claim, _)| claim.observers.is_ok()) {
        let place = reading.model.interactions[first()].place;
        let each = claim.observers.iter().flatten().map(|one| one.formula(place).ok());
        let Some(each) = each.collect::<Option<Vec<Formula>>>() else { continue };
        let theirs: Option<Vec<bool>> =
            each.iter().map(|formula| confirmed(text, &from_start(formula))).collect();
        let Some(theirs) = theirs else { continue };
        let holds = theirs.iter().all(|holds| *holds);
        assert_eq!(holds, *own, "{name}: the formula of {}\n{text}\n{}", claim.title, print(&each[0]));
        *formulas += 1;
    }
    Ok(())
}

#[test]
fn what_random_diagrams_forbid_and_demand_gets_the_same_verdicts() {
    let (tool, patience) = (at_hand(), ToolPatience::default());
    let seeds = seeds(24);
    let (mut tally, wanted, mut formulas) = (SampleTally::default(), seeds.count_left(), 0);
    for seed in seeds {
        let text = claims::text(seed);
        let name = format!("seed {seed}");
        tally.add(compare(tool.as_ref(), &patience, &text, &name, &mut formulas));
    }
    tally.exceeds(wanted / 2);
    assert!(formulas > wanted, "{formulas} formulas were compared");
}
