//! Files are read back: circuits are solved, words are computed, and both say what our engines say.

use std::ops::ControlFlow;

use sequent::export::ExportedCase;
use sequent_engine::sat::bounded::reach::reach;
use sequent_engine::sat::encode::NotEncodable;
use sequent_engine::sat::outcome::Bounded;
use sequent_kernel::random::Random;
use sequent_kernel::system::Step;
use sequent_report::export::WrittenSubject;
use sequent_report::export::circuit::{CircuitMachine, aiger, btor, machine};
use sequent_testing::seeds::seeds;

use super::aiger::{Circuit, value};
use super::samples;
use super::{aiger as reader, btor as words, cases};

/// Runs are looked for so far.
const STEPS: usize = 10;

/// The machine of a question, if it can be written.
pub(crate) fn built(part: &ExportedCase) -> Option<CircuitMachine> {
    let note = |_: &Step| String::new();
    let subject = WrittenSubject {
        system: &part.case.system,
        title: "a test",
        legend: &part.case.names.values,
        note: &note,
    };
    machine(&subject, &part.target.wanted()).ok()
}

/// The length of a shortest run, as our own solver finds it one step at a time; an error if it cannot be asked.
pub(crate) fn length(part: &ExportedCase, most: usize) -> Result<Option<usize>, NotEncodable> {
    let single = part.singly();
    let question = single.question()?;
    Ok(match reach(&question.encoding, question.wanted, most, &|_| ControlFlow::Continue(())) {
        Bounded::Found(_, length) => Some(length),
        Bounded::Nothing(_) | Bounded::Proved(_) => None,
        Bounded::Stopped(_) => panic!("nobody stops it"),
    })
}

/// Random ticks of the same machine in both formats.
fn walk(circuit: &Circuit, model: &words::Model, seed: u64) {
    let mut random = Random::new(seed);
    let mut state = circuit.first();
    let mut values = model.first();
    for _ in 0..40 {
        let mut known = values.clone();
        let mut inputs = Vec::new();
        for (id, name, width) in &model.inputs {
            // Names of bits are those of words; signs that are never set have none.
            let symbol =
                |one: &String| one.split('[').next().unwrap_or_default().replace([' ', ';'], "_") == *name;
            let bits = circuit.names[0].iter().filter(|one| symbol(one)).count() as u32;
            assert!(bits == *width || bits + 1 == *width, "{name}");
            let number = random.number() & ((1 << bits) - 1);
            known.insert(*id, number);
            inputs.extend((0..bits).map(|bit| number >> bit & 1 == 1));
        }
        assert_eq!(inputs.len(), circuit.inputs.len());
        let (bits, all) = (circuit.values(&state, &inputs), model.values(&known));
        let bad: Vec<bool> = circuit.bad.iter().map(|literal| value(&bits, *literal)).collect();
        assert_eq!(bad, model.is_bad(&all));
        let met = |list: &Vec<u32>| list.iter().map(|literal| value(&bits, *literal)).collect::<Vec<_>>();
        assert_eq!(circuit.justice.iter().map(met).collect::<Vec<_>>(), model.met(&all));
        (state, values) = (circuit.next(&bits), model.next(&all));
    }
}

/// Compares a question in both formats with our own solver; whether it was written.
pub(crate) fn compare(part: &ExportedCase, name: &str) -> Option<Option<usize>> {
    let machine = built(part)?;
    let made = aiger(&machine).ok()?;
    let circuit = reader::read(made.ascii().as_bytes());
    assert_eq!(circuit, reader::read(&made.binary()), "{name}: the same in binary");
    let model = words::read(&btor(&machine).expect("what has bits has words"));
    walk(&circuit, &model, name.len() as u64);
    if part.case.begins.is_some() {
        return Some(None);
    }
    let found = circuit.shortest(STEPS);
    if let (true, Ok(length)) = (circuit.justice.is_empty(), length(part, STEPS)) {
        assert_eq!(found, length, "{name}");
    }
    Some(found)
}

/// Compares the questions of every `of`th example, beginning with the one at `first`: how many were written, and in how many a run was found.
fn compare_examples(first: usize, of: usize) -> [usize; 2] {
    let (mut written, mut found) = (0, 0);
    for case in cases::all().into_iter().skip(first).step_by(of) {
        let session = cases::read(&case);
        let agenda = sequent::pipeline::agenda(&session.reading, &session.settings);
        for (number, words) in agenda.queries.iter().enumerate() {
            let Ok(parts) = sequent::export::parts(&agenda, number) else { continue };
            for part in parts {
                let Some(length) = compare(&part, &format!("{}: {}", case.name, words.text())) else {
                    continue;
                };
                written += 1;
                found += usize::from(length.is_some());
            }
        }
    }
    [written, found]
}

#[test]
fn examples_are_read_back_with_the_same_shortest_runs() {
    let (even, odd) = std::thread::scope(|scope| {
        let even = scope.spawn(|| compare_examples(0, 2));
        let odd = compare_examples(1, 2);
        (even.join().expect("the same as here"), odd)
    });
    let [written, found] = [even[0] + odd[0], even[1] + odd[1]];
    assert!(written > 110 && found > 25, "{written} written, {found} found");
}

#[test]
fn random_systems_are_read_back_with_the_same_shortest_runs() {
    let seeds = seeds(24);
    let (mut written, mut found, wanted) = (0, 0, seeds.count_left());
    let mut compared = |part: ExportedCase, name: String| {
        if let Some(length) = compare(&part, &name) {
            written += 1;
            found += u64::from(length.is_some());
        }
    };
    for seed in seeds {
        if let Some(system) = samples::diagram(seed, false) {
            compared(ExportedCase::stuck(system), format!("diagram {seed}"));
        }
        let Some(lowered) = samples::machines(seed, 2) else { continue };
        let stuck = ExportedCase::stuck(lowered.objects.system);
        compared(stuck.clone(), format!("machines {seed}"));
        if let Some(goal) = lowered.goal {
            compared(stuck.reaching(goal), format!("goal {seed}"));
        }
    }
    assert!(written > wanted && found > wanted / 8, "{written} written, {found} found");
}
