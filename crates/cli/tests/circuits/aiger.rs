//! A reader of AIGER 1.9, and runs of growing length by a SAT solver.

use std::ops::ControlFlow;

use sequent_engine::sat::solver::{FALSE, Literal, Solver, SolverOutcome, TRUE};

/// A circuit as it was read.
#[derive(Default, Debug, PartialEq, Eq)]
pub(crate) struct Circuit {
    pub inputs: Vec<u32>,
    /// Each with what it becomes and its first value.
    pub latches: Vec<(u32, u32, bool)>,
    pub outputs: Vec<u32>,
    pub bad: Vec<u32>,
    pub justice: Vec<Vec<u32>>,
    /// Each after those it needs.
    pub gates: Vec<[u32; 3]>,
    /// Names of inputs and latches, in their order.
    pub names: [Vec<String>; 2],
}

/// Reads a file, in ASCII or in binary.
pub(crate) fn read(bytes: &[u8]) -> Circuit {
    let mut rest = bytes;
    let numbers =
        |line: &str| -> Vec<u32> { line.split(' ').map(|word| word.parse().expect("a number")).collect() };
    let header = line(&mut rest);
    let (kind, counts) = header.split_once(' ').expect("a header");
    let mut counts = numbers(counts);
    counts.resize(9, 0);
    let [variables, inputs, latches, outputs, gates, bad, constraints, justice, fair] =
        counts.try_into().expect("nine numbers");
    assert_eq!((constraints, fair), (0, 0), "none are written");
    let is_binary = kind == "aig";
    assert!(!is_binary || variables == inputs + latches + gates, "variables are numbered");
    let mut circuit = Circuit::default();
    for number in 0..inputs {
        let literal = if is_binary { 2 * (number + 1) } else { numbers(&line(&mut rest))[0] };
        circuit.inputs.push(literal);
    }
    for number in 0..latches {
        let mut all = numbers(&line(&mut rest));
        if is_binary {
            all.insert(0, 2 * (inputs + number + 1));
        }
        circuit.latches.push((all[0], all[1], all.get(2) == Some(&1)));
    }
    circuit.outputs = (0..outputs).map(|_| numbers(&line(&mut rest))[0]).collect();
    circuit.bad = (0..bad).map(|_| numbers(&line(&mut rest))[0]).collect();
    let sizes: Vec<u32> = (0..justice).map(|_| numbers(&line(&mut rest))[0]).collect();
    circuit.justice =
        sizes.iter().map(|size| (0..*size).map(|_| numbers(&line(&mut rest))[0]).collect()).collect();
    for number in 0..gates {
        let gate = match is_binary {
            false => numbers(&line(&mut rest)).try_into().expect("three numbers"),
            true => {
                let own = 2 * (inputs + latches + number + 1);
                let high = own - delta(&mut rest);
                [own, high, high - delta(&mut rest)]
            }
        };
        circuit.gates.push(gate);
    }
    symbols(std::str::from_utf8(rest).expect("symbols are text"), &mut circuit);
    circuit
}

fn line(rest: &mut &[u8]) -> String {
    let end = rest.iter().position(|byte| *byte == b'\n').expect("a line ends");
    let (line, more) = rest.split_at(end);
    *rest = &more[1..];
    String::from_utf8(line.to_vec()).expect("a line is text")
}

fn symbols(text: &str, circuit: &mut Circuit) {
    for line in text.lines().take_while(|line| *line != "c") {
        let (place, name) = line.split_once(' ').expect("a symbol has a name");
        match place.chars().next() {
            Some('i') => circuit.names[0].push(name.to_owned()),
            Some('l') => circuit.names[1].push(name.to_owned()),
            Some('o' | 'b' | 'j') => {}
            other => panic!("{other:?} is no symbol"),
        }
    }
}

fn delta(rest: &mut &[u8]) -> u32 {
    let (mut number, mut place) = (0, 0);
    loop {
        let byte = rest[0];
        *rest = &rest[1..];
        number |= u32::from(byte & 0x7f) << place;
        place += 7;
        if byte & 0x80 == 0 {
            return number;
        }
    }
}

impl Circuit {
    /// The values of all literals' variables, where registers and inputs have some.
    pub(crate) fn values(&self, latches: &[bool], inputs: &[bool]) -> Vec<bool> {
        let all = self.inputs.len() + self.latches.len() + self.gates.len();
        let mut values = vec![false; all + 1];
        for (literal, value) in self.inputs.iter().zip(inputs) {
            values[*literal as usize / 2] = *value;
        }
        for ((literal, ..), value) in self.latches.iter().zip(latches) {
            values[*literal as usize / 2] = *value;
        }
        for [gate, a, b] in &self.gates {
            values[*gate as usize / 2] = value(&values, *a) && value(&values, *b);
        }
        values
    }

    /// The registers at the beginning.
    pub(crate) fn first(&self) -> Vec<bool> {
        self.latches.iter().map(|(.., first)| *first).collect()
    }

    /// The registers after a tick.
    pub(crate) fn next(&self, values: &[bool]) -> Vec<bool> {
        self.latches.iter().map(|(_, next, _)| value(values, *next)).collect()
    }

    /// How many ticks lead to a bad state, if so many are enough.
    pub(crate) fn shortest(&self, most: usize) -> Option<usize> {
        let patience = |_| ControlFlow::Continue(());
        let mut solver = Solver::new(&patience);
        let mut state: Vec<Literal> = self.first().into_iter().map(Literal::constant).collect();
        for position in 0..=most {
            let literals = self.frame(&mut solver, &state);
            let of = |literal: u32| of(&literals, literal);
            for bad in &self.bad {
                match of(*bad) {
                    FALSE => {}
                    TRUE => return Some(position),
                    bad => match solver.solve(&[bad], None) {
                        SolverOutcome::Satisfiable => return Some(position),
                        SolverOutcome::Unsatisfiable => {}
                        SolverOutcome::Stopped => panic!("nobody stops it"),
                    },
                }
            }
            state = self.latches.iter().map(|(_, next, _)| of(*next)).collect();
        }
        None
    }

    /// The literals of all variables at one position.
    fn frame(&self, solver: &mut Solver<'_>, state: &[Literal]) -> Vec<Literal> {
        let all = self.inputs.len() + self.latches.len() + self.gates.len();
        let mut literals = vec![FALSE; all + 1];
        for input in &self.inputs {
            literals[*input as usize / 2] = solver.variable();
        }
        for ((latch, ..), value) in self.latches.iter().zip(state) {
            literals[*latch as usize / 2] = *value;
        }
        for [gate, a, b] in &self.gates {
            let (a, b) = (of(&literals, *a), of(&literals, *b));
            literals[*gate as usize / 2] = match (a, b) {
                (FALSE, _) | (_, FALSE) => FALSE,
                (TRUE, other) | (other, TRUE) => other,
                (a, b) => {
                    let both = solver.variable();
                    solver.add([!both, a]);
                    solver.add([!both, b]);
                    solver.add([both, !a, !b]);
                    both
                }
            };
        }
        literals
    }
}

fn of(literals: &[Literal], literal: u32) -> Literal {
    let positive = literals[literal as usize / 2];
    if literal & 1 == 1 { !positive } else { positive }
}

/// Whether a literal holds.
pub(crate) fn value(values: &[bool], literal: u32) -> bool {
    values[literal as usize / 2] != (literal & 1 == 1)
}
