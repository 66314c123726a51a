//! Words: random runs of a system, as the plain interpreter takes them, are taken by the BTOR2 file as well, and what cannot happen changes
//! nothing there. `catbtor` reads the files, and `btorsim` confirms runs that lead to what is looked for, where they are installed.

use std::ops::ControlFlow;
use std::path::PathBuf;

use sequent::export::{ExportTarget, ExportedCase};
use sequent_engine::sat::bounded::reach::reach;
use sequent_engine::sat::outcome::Bounded;
use sequent_kernel::random::Random;
use sequent_kernel::system::{Config, Step, System};
use sequent_report::export::WrittenSubject;
use sequent_report::export::circuit::{btor, machine};
use sequent_testing::seeds::seeds;

use super::btor::{Model, Values, read};
use super::cases;
use super::patience::{ToolPatience, is_there};
use super::samples::{self, SampleTally};

/// A file, and its steps by the rules that fire.
struct File {
    text: String,
    model: Model,
    steps: Vec<String>,
}

fn told(step: &Step) -> String {
    format!("{:?}", step.0)
}

fn written(part: &ExportedCase) -> Option<File> {
    let subject = WrittenSubject {
        system: &part.case.system,
        title: "a test",
        legend: &part.case.names.values,
        note: &told,
    };
    let machine = machine(&subject, &part.target.wanted()).ok()?;
    let text = btor(&machine).ok()?;
    let model = read(&text);
    Some(File { text, model, steps: machine.steps })
}

/// The steps that are possible, as the interpreter has it: what is urgent comes first, and a run that does not count goes nowhere.
fn possible(part: &ExportedCase, config: &Config) -> Vec<(Step, Config)> {
    let system = &part.case.system;
    let dead = match part.target {
        ExportTarget::Stuck | ExportTarget::State(_) => vec![system.void],
        ExportTarget::Accepted(_) => vec![system.void, system.invalid, system.inconclusive],
    };
    if dead.into_iter().any(|term| system.holds(term, config)) {
        return Vec::new();
    }
    let mut all = system.successors(config);
    let is_urgent = |step: &Step| system.rules[step.0[0]].urgent;
    if all.iter().any(|(step, _)| is_urgent(step)) {
        all.retain(|(step, _)| is_urgent(step));
    }
    all
}

impl File {
    /// The registers after a tick in which a step is wished for; all other inputs are 0.
    fn tick(&self, now: &Values, step: usize) -> Values {
        let mut known = now.clone();
        for (id, name, _) in &self.model.inputs {
            known.insert(*id, if name == "step" { step as u64 } else { 0 });
        }
        self.model.next(&self.model.values(&known))
    }

    /// That the registers hold the values of a configuration.
    fn confirms(&self, system: &System, now: &Values, config: &Config, name: &str) {
        for ((id, register), value) in self.model.states.iter().zip(&config.0) {
            let mask = u64::MAX >> (64 - self.model.width(*id));
            assert_eq!(now[id], *value as i64 as u64 & mask, "{name}: {register}");
        }
        assert!(self.model.states.len() >= system.variables.len(), "{name}: all are there");
    }
}

/// Takes a random run in both; how many steps there were, if it is written.
fn walk(part: &ExportedCase, name: &str) -> Option<(usize, String)> {
    let file = written(part)?;
    let mut random = Random::new(name.len() as u64);
    let mut config = part.case.system.initial();
    let mut now = file.model.first();
    let mut taken = 0;
    for _ in 0..12 {
        file.confirms(&part.case.system, &now, &config, name);
        let possible = possible(part, &config);
        let number =
            |step: &Step| 1 + file.steps.iter().position(|one| *one == told(step)).expect("it is known");
        // Whatever is not possible changes nothing, and neither does what is no step.
        let any = random.below(file.steps.len() + 2);
        let is_possible = possible.iter().any(|(step, _)| number(step) == any);
        if !is_possible && any <= file.steps.len() {
            file.confirms(&part.case.system, &file.tick(&now, any), &config, name);
        }
        if possible.is_empty() {
            break;
        }
        let (step, next) = &possible[random.below(possible.len())];
        now = file.tick(&now, number(step));
        config = next.clone();
        taken += 1;
    }
    Some((taken, file.text))
}

/// A run to what is looked for as a witness of the file's bad state.
fn witness(part: &ExportedCase, file: &File) -> Option<String> {
    let single = part.singly();
    let question = single.question().ok()?;
    let found = reach(&question.encoding, question.wanted, 10, &|_| ControlFlow::Continue(()));
    let Bounded::Found(run, _) = found else { return None };
    let width = file.model.inputs.iter().find(|(_, name, _)| name == "step").map(|(_, _, width)| *width)?;
    let mut text = "sat\nb0\n".to_owned();
    let numbers = run
        .steps
        .iter()
        .map(|step| 1 + file.steps.iter().position(|one| *one == told(step)).expect("it is known"));
    for (tick, number) in numbers.chain([0]).enumerate() {
        text += &format!("@{tick}\n0 {number:0width$b} step@{tick}\n", width = width as usize);
    }
    Some(text + ".\n")
}

#[test]
fn btorsim_confirms_runs() {
    if !is_there("btorsim") {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (model, run) = (folder.join("witnessed.btor2"), folder.join("witness.txt"));
    let (mut tally, patience) = (SampleTally::default(), ToolPatience::default());
    let mut confirm = |part: &ExportedCase, name: String| {
        let Some(file) = written(part) else { return };
        let Some(witness) = witness(part, &file) else { return };
        std::fs::write(&model, &file.text).expect("a place for files");
        std::fs::write(&run, &witness).expect("a place for files");
        let [model, run] = [&model, &run].map(|file| file.display().to_string());
        let confirmed = patience.run("btorsim", &["-c", &model, &run], "").map(|output| {
            assert_eq!(output.code, Some(0), "{name}: {}\n{witness}", output.stderr);
        });
        tally.add(confirmed);
    };
    for case in cases::all() {
        let session = cases::read(&case);
        let agenda = sequent::pipeline::agenda(&session.reading, &session.settings);
        for (number, words) in agenda.queries.iter().enumerate() {
            let parts = sequent::export::parts(&agenda, number).unwrap_or_default();
            // Observers may have to be told in which way they read.
            for part in parts.iter().filter(|part| !matches!(part.target, ExportTarget::Accepted(_))) {
                confirm(part, format!("{}: {}", case.name, words.text()));
            }
        }
    }
    for seed in seeds(24) {
        let Some(lowered) = samples::machines(seed, 2) else { continue };
        let stuck = ExportedCase::stuck(lowered.objects.system);
        if let Some(goal) = lowered.goal {
            confirm(&stuck.reaching(goal), format!("goal {seed}"));
        }
        confirm(&stuck, format!("machines {seed}"));
    }
    tally.exceeds(10);
}

#[test]
fn runs_of_systems_are_runs_of_words() {
    let (mut files, mut taken) = (0, 0);
    let (has_catbtor, patience) = (is_there("catbtor"), ToolPatience::default());
    let mut add = |part: &ExportedCase, name: String| {
        let Some((steps, text)) = walk(part, &name) else { return };
        files += 1;
        taken += steps;
        // It writes what it has read.
        if has_catbtor && files % 8 == 0 {
            let Ok(theirs) = patience.run("catbtor", &[], &text) else { return };
            let count = |text: &str| text.lines().filter(|line| !line.starts_with(';')).count();
            assert_eq!(count(&theirs.stdout), count(&text), "{name}: catbtor");
        }
    };
    for case in cases::all() {
        let session = cases::read(&case);
        let agenda = sequent::pipeline::agenda(&session.reading, &session.settings);
        for (number, words) in agenda.queries.iter().enumerate() {
            for part in sequent::export::parts(&agenda, number).unwrap_or_default() {
                add(&part, format!("{}: {}", case.name, words.text()));
            }
        }
    }
    for seed in seeds(24) {
        if let Some(system) = samples::diagram(seed, false) {
            add(&ExportedCase::stuck(system), format!("diagram {seed}"));
        }
        if let Some(lowered) = samples::machines(seed, 2) {
            add(&ExportedCase::stuck(lowered.objects.system), format!("machines {seed}"));
        }
    }
    assert!(files > 140 && taken > 700, "{files} files, {taken} steps");
}
