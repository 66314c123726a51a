//! Formulas as `ltl` blocks and never claims over the flags: SPIN, reading lifelines as processes, says what we say.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use sequent::effort::Effort;
use sequent::export::{observers, parts};
use sequent::pipeline::{self, Reading};
use sequent::settings::Settings;
use sequent_kernel::model::Question;
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::templates::{ForbiddenRuns, cut};
use sequent_kernel::verdict::Verdict;
use sequent_report::export::LifelineClaim;
use sequent_report::export::promela::{UnfoldedDiagram, lifelines, pan};
use sequent_testing::samples::claims;
use sequent_testing::seeds::seeds;

use super::at_hand;
use super::opinion::verdicts::{about, reading};
use super::patience::ToolPatience;
use super::program::{Failure, find, run};
use super::samples::{self, SampleTally, random};
use super::spin::SpinPrograms;

/// How many errors SPIN finds for each of some `ltl` blocks; each name is asked by itself. `None` if it does not get through within
/// some memory.
fn errors(
    tool: &SpinPrograms,
    text: &str,
    names: &[&str],
    folder: &str,
    until: Option<Instant>,
) -> Result<Vec<Option<usize>>, Failure> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    std::fs::write(folder.join("model.pml"), text).expect("a file can be written");
    let spin = find("spin").expect("it was there before");
    let said = run(&folder, &spin, &["-a", "model.pml"], until)?;
    let _ = std::fs::remove_file(folder.join("pan"));
    let flags = ["-w", "-DVECTORSZ=8192", "-DMEMLIM=128", "-o", "pan", "pan.c"];
    let compiled = run(&folder, &tool.compiler, &flags, until)?;
    assert!(folder.join("pan").is_file(), "{said}{compiled}\n{text}");
    let ask = |name: &&str| {
        let out = run(&folder, &folder.join("pan"), &["-a", "-m100000", "-w20", "-N", name], until)?;
        let said = pan(&out);
        let errors = said.errors.unwrap_or_else(|| panic!("{name}: {out}\n{text}"));
        Ok((errors > 0 || said.is_complete).then_some(errors))
    };
    let found = names.iter().map(ask).collect();
    let _ = std::fs::remove_dir_all(&folder);
    found
}

/// Formulas over two messages. SPIN itself can read those without past, with `X` only behind something that happens once.
const FORMULAS: &[&str] = &[
    "G (sent(m) -> F received(m))",
    "F sent(n)",
    "received(m) precedes sent(n)",
    "G (sent(m) -> X !sent(n))",
    "!received(n) U (sent(m) | end)",
    "G (received(m, to=a) -> !F sent(from=a))",
    "F (end | received(n))",
    "start & G (start -> !sent(m))",
    "G !(sent(m) & X sent(n))",
    "G (received(n) -> O sent(m))",
];

#[test]
fn blocks_about_random_diagrams_get_the_same_verdicts() {
    let Some(tool) = at_hand() else { return };
    let seeds = seeds(12);
    let (mut tally, patience, wanted) = (SampleTally::default(), ToolPatience::default(), seeds.count_left());
    for seed in seeds {
        let id = samples::first();
        let (model, _) = cut(&random::model(seed), id, 1);
        let texts: Option<Vec<String>> = FORMULAS.iter().map(|text| about(&model, text)).collect();
        let Some(texts) = texts else { continue };
        let readings = texts.iter().map(|text| {
            let mut model = model.clone();
            model.checks.clear();
            reading(&mut model, text)
        });
        let readings: Vec<_> = readings.collect();
        let claims = readings.iter().enumerate().flat_map(|(at, reading)| {
            let [check] = reading.model.checks.as_slice() else { panic!("it is asked once") };
            let Question::Ltl(property) = &check.question else { panic!("it is a formula") };
            let formula = (*property.formula).clone();
            let none = Err("it is not asked so".to_owned());
            let claim = LifelineClaim { title: texts[at].clone(), formula: None, observers: none };
            let written = LifelineClaim { formula: Some(formula), ..claim.clone() };
            [written, LifelineClaim { observers: observed(reading, 0), ..claim }]
        });
        let claims: Vec<LifelineClaim> = claims.collect();
        let assumptions = Assumptions::default();
        let at = |_| String::new();
        let diagram = UnfoldedDiagram { model: &model, id, assumptions: &assumptions, at: &at };
        let Ok(made) = lifelines(&diagram, &claims) else { continue };
        let asked: Vec<(usize, &str)> = made
            .claims
            .iter()
            .enumerate()
            .filter_map(|(at, name)| Some((at, name.as_deref().ok()?)))
            .collect();
        let names: Vec<&str> = asked.iter().map(|(_, name)| *name).collect();
        let folder = format!("ltl-{seed}");
        let ask = |until| errors(&tool, &made.text, &names, &folder, until);
        let found = match patience.ask(&folder, ask) {
            Ok(found) => found,
            Err(omitted) => {
                tally.add(Err(omitted));
                continue;
            }
        };
        for ((at, _), errors) in asked.into_iter().zip(found) {
            let Some(errors) = errors else {
                tally.add(Err("too many states"));
                continue;
            };
            // Each is asked as a block and as a claim.
            let at = at / 2;
            let answers = pipeline::check(&readings[at], &Settings::default(), &Effort::default()).answers;
            let own = answers.iter().find(|answer| answer.kind == "ltl").expect("it was asked");
            let is_violated = match &own.verdict {
                Verdict::Fails(_) => true,
                Verdict::Holds(_) => false,
                Verdict::Unknown(_) => continue,
            };
            assert_eq!(errors > 0, is_violated, "seed {seed}: {}\n{}", texts[at], made.text);
            tally.compared += 1;
        }
    }
    tally.exceeds(wanted * 6);
}

/// A question as observers.
fn observed(reading: &Reading, number: usize) -> Result<Vec<ForbiddenRuns>, String> {
    let settings = Settings::default();
    parts(&pipeline::agenda(reading, &settings), number).and_then(observers)
}

#[test]
fn what_random_diagrams_forbid_and_demand_gets_the_same_verdicts() {
    let Some(tool) = at_hand() else { return };
    let seeds = seeds(8);
    let (mut tally, patience, wanted) = (SampleTally::default(), ToolPatience::default(), seeds.count_left());
    for seed in seeds {
        let source = claims::text(seed);
        let reading = claims::reading(&source);
        let settings = Settings::default();
        let agenda = pipeline::agenda(&reading, &settings);
        let numbers: Vec<usize> = (0..agenda.queries.len())
            .filter(|number| ["safe", "consistent"].contains(&agenda.queries[*number].kind))
            .filter(|number| agenda.queries[*number].target.as_deref() == Some("Model"))
            .collect();
        let claim = |number: &usize| LifelineClaim {
            title: agenda.queries[*number].name.clone(),
            formula: None,
            observers: observed(&reading, *number),
        };
        let claims: Vec<LifelineClaim> = numbers.iter().map(claim).collect();
        let assumptions = Assumptions::default();
        let at = |_| String::new();
        let id = samples::first();
        let diagram = UnfoldedDiagram { model: &reading.model, id, assumptions: &assumptions, at: &at };
        let Ok(made) = lifelines(&diagram, &claims) else { continue };
        let answers = pipeline::check(&reading, &settings, &Effort::default()).answers;
        let asked: Vec<(usize, &str)> = made
            .claims
            .iter()
            .enumerate()
            .filter_map(|(at, name)| Some((at, name.as_deref().ok()?)))
            .collect();
        let names: Vec<&str> = asked.iter().map(|(_, name)| *name).collect();
        let folder = format!("claims-{seed}");
        let ask = |until| errors(&tool, &made.text, &names, &folder, until);
        let found = match patience.ask(&folder, ask) {
            Ok(found) => found,
            Err(omitted) => {
                tally.add(Err(omitted));
                continue;
            }
        };
        for ((at, _), errors) in asked.into_iter().zip(found) {
            let query = &agenda.queries[numbers[at]];
            let own = answers.iter().find(|one| one.name == query.name && one.target == query.target);
            let is_violated = match (own.map(|own| &own.verdict), errors) {
                (Some(Verdict::Fails(_)), Some(_)) => true,
                (Some(Verdict::Holds(_)), Some(_)) => false,
                (Some(Verdict::Unknown(_)) | None, _) | (_, None) => continue,
            };
            assert_eq!(errors > Some(0), is_violated, "seed {seed}: {}\n{source}\n{}", query.name, made.text);
            tally.compared += 1;
        }
    }
    tally.exceeds(wanted);
}

/// What the examples of the papers print for themselves, and what SPIN finds for each of their blocks.
const EXAMPLES: &[(&str, &str, &[usize])] = &[
    ("cash-machine", "Cash machine", &[0, 1, 1, 1, 1]),
    ("figure-34", "Three messages", &[1, 0]),
    ("figure-35", "Critical region", &[1]),
    ("insurance-location", "AddLocation", &[1, 1, 1]),
    ("insurance-month-end", "EndOfMonth", &[0, 0]),
];

#[test]
fn blocks_of_the_examples_are_violated_as_the_papers_say() {
    let Some(tool) = at_hand() else { return };
    let (mut tally, patience) = (SampleTally::default(), ToolPatience::default());
    for (project, diagram, wanted) in EXAMPLES {
        let output = Command::new(env!("CARGO_BIN_EXE_sequent"))
            .args(["export", &format!("../../examples/projects/{project}"), "--to", "promela"])
            .args(["--interaction", diagram])
            .output()
            .expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let names: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("ltl ").or(line.strip_prefix("never "))?.split_once(' '))
            .map(|(name, _)| name)
            .collect();
        let folder = format!("example-{project}");
        let found = patience.ask(project, |until| errors(&tool, &text, &names, &folder, until));
        tally.add(found.map(|found| {
            let found: Vec<usize> =
                found.into_iter().map(|errors| errors.expect("it gets through").min(1)).collect();
            assert_eq!(found, *wanted, "{project}: {text}");
        }));
    }
    tally.exceeds(4);
}
