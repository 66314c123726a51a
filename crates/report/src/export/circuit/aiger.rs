//! AIGER 1.9 (Biere, Heljanko, Wieringa 2011), in ASCII and in binary.
//!
//! Registers are latches, one for each bit but signs that are never set; their first values are given as resets. What is looked for
//! is the bad state, or a justice property for runs that go on forever. Symbols name registers, inputs and properties; comments
//! say what the numbers of steps mean.

use std::collections::BTreeMap;
use std::fmt::Write;

use sequent_kernel::system::VariableId;

use super::super::question::Unwritten;
use super::gates::{FALSE, GateGraph, GateLiteral, extended};
use super::machine::CircuitMachine;
use super::words::GateWords;

/// A circuit, ready to be written.
pub struct Aiger {
    pub(super) graph: GateGraph,
    pub(super) inputs: Vec<(GateLiteral, String)>,
    /// Each with what it becomes and its first value.
    pub(super) latches: Vec<(GateLiteral, GateLiteral, bool, String)>,
    outputs: Vec<(GateLiteral, String)>,
    pub(super) bad: Vec<(GateLiteral, String)>,
    pub(super) justice: Vec<(Vec<GateLiteral>, String)>,
    pub(super) comment: Vec<String>,
}

/// A machine as a circuit.
pub fn aiger(machine: &CircuitMachine) -> Result<Aiger, Unwritten> {
    let words = GateWords::new(machine)?;
    let mut graph = GateGraph::default();
    let (mut inputs, mut latches) = (Vec::new(), Vec::new());
    let mut bits: BTreeMap<VariableId, Vec<GateLiteral>> = BTreeMap::new();
    let registers = machine.registers.iter().map(|register| register.variable);
    for variable in machine.inputs.iter().copied().chain(registers) {
        let domain = &machine.system.variables[variable];
        let size = words.size(variable);
        // The sign of what is never negative is known.
        let kept = if size > 1 && domain.min >= 0 { size - 1 } else { size };
        let own: Vec<GateLiteral> = (0..kept).map(|_| graph.variable()).collect();
        let name = |bit: usize| match kept {
            1 => line(&domain.name),
            _ => format!("{}[{bit}]", line(&domain.name)),
        };
        for (bit, literal) in own.iter().enumerate() {
            match machine.inputs.contains(&variable) {
                true => inputs.push((*literal, name(bit))),
                false => latches.push((*literal, FALSE, domain.initial >> bit & 1 == 1, name(bit))),
            }
        }
        let known = match kept < size {
            true => own.into_iter().chain([FALSE]).collect(),
            false => own,
        };
        bits.insert(variable, known);
    }
    let all = graph.write(&words, &|variable| bits[&variable].clone());
    let mut next = latches.iter_mut();
    for (register, wire) in machine.registers.iter().zip(&words.next) {
        let kept = bits[&register.variable].iter().filter(|bit| **bit != FALSE).count();
        let values = extended(&all[*wire], kept);
        values.into_iter().zip(&mut next).for_each(|(value, latch)| latch.1 = value);
    }
    let truth = |wire: usize| all[wire][0];
    let justice = words.justice.iter().zip(&machine.justice);
    let mut comment: Vec<String> = machine.comment.iter().map(|text| line(text)).collect();
    comment.extend(legend(machine));
    Ok(Aiger {
        inputs,
        latches,
        outputs: words.strained.map(|wire| (truth(wire), "strained".to_owned())).into_iter().collect(),
        bad: vec![(truth(words.bad), "bad".to_owned())],
        justice: justice
            .map(|(list, (name, _))| (list.iter().map(|wire| truth(*wire)).collect(), name.clone()))
            .collect(),
        comment,
        graph,
    })
}

/// What values mean.
pub(super) fn legend(machine: &CircuitMachine) -> Vec<String> {
    let mut lines = vec!["step 0: nothing".to_owned()];
    lines.extend(
        (1..).zip(&machine.steps).map(|(number, step): (usize, _)| format!("step {number}: {}", line(step))),
    );
    for (variable, values) in &machine.legend {
        let name = &machine.system.variables[*variable].name;
        lines.extend(values.iter().map(|(value, text)| format!("{} = {value}: {}", line(name), line(text))));
    }
    lines
}

/// A text in one line.
pub(super) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Aiger {
    /// How many gates there are.
    pub fn gates(&self) -> usize {
        self.graph.gates.len()
    }

    /// The file in ASCII (`.aag`).
    pub fn ascii(&self) -> String {
        let mut text = self.header("aag");
        for (literal, _) in &self.inputs {
            let _ = writeln!(text, "{literal}");
        }
        for (literal, next, is_set, _) in &self.latches {
            let reset = if *is_set { " 1" } else { "" };
            let _ = writeln!(text, "{literal} {next}{reset}");
        }
        text += &self.properties();
        for [gate, high, low] in &self.graph.gates {
            let _ = writeln!(text, "{gate} {high} {low}");
        }
        text + &self.symbols()
    }

    /// The file in binary (`.aig`).
    pub fn binary(&self) -> Vec<u8> {
        let mut text = self.header("aig");
        for (_, next, is_set, _) in &self.latches {
            let reset = if *is_set { " 1" } else { "" };
            let _ = writeln!(text, "{next}{reset}");
        }
        text += &self.properties();
        let mut bytes = text.into_bytes();
        for [gate, high, low] in &self.graph.gates {
            delta(gate - high, &mut bytes);
            delta(high - low, &mut bytes);
        }
        bytes.extend(self.symbols().into_bytes());
        bytes
    }

    fn header(&self, kind: &str) -> String {
        let counts = [
            self.graph.variables as usize,
            self.inputs.len(),
            self.latches.len(),
            self.outputs.len(),
            self.graph.gates.len(),
            self.bad.len(),
            0,
            self.justice.len(),
        ];
        // Numbers at the end that are 0 may be left out.
        let last = if self.justice.is_empty() { 6 } else { 8 };
        let counts: Vec<String> = counts[..last].iter().map(usize::to_string).collect();
        format!("{kind} {}\n", counts.join(" "))
    }

    fn properties(&self) -> String {
        let mut text = String::new();
        for (literal, _) in self.outputs.iter().chain(&self.bad) {
            let _ = writeln!(text, "{literal}");
        }
        for (list, _) in &self.justice {
            let _ = writeln!(text, "{}", list.len());
        }
        for literal in self.justice.iter().flat_map(|(list, _)| list) {
            let _ = writeln!(text, "{literal}");
        }
        text
    }

    fn symbols(&self) -> String {
        let mut text = String::new();
        let mut list = |kind: char, names: Vec<&String>| {
            for (number, name) in names.into_iter().enumerate() {
                let _ = writeln!(text, "{kind}{number} {name}");
            }
        };
        list('i', self.inputs.iter().map(|(_, name)| name).collect());
        list('l', self.latches.iter().map(|(.., name)| name).collect());
        list('o', self.outputs.iter().map(|(_, name)| name).collect());
        list('b', self.bad.iter().map(|(_, name)| name).collect());
        list('j', self.justice.iter().map(|(_, name)| name).collect());
        text += "c\n";
        for line in &self.comment {
            let _ = writeln!(text, "{line}");
        }
        text
    }
}

/// A number in groups of seven bits, the lowest first.
fn delta(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
