//! SMT-LIB 2: a run of bounded length, unrolled, as bit vectors.
//!
//! Each position has constants for registers, inputs and gates, and each gate is a short assertion. Solvers
//! read that faster than functions of whole states, as the terms are not nested. The question is whether the
//! last state is bad: as a tick may leave the state as it is, that covers all runs of at most the given
//! number of steps. An infinite run is one that returns to a state. That state is guessed (`back`), and from
//! there on (`round`) every justice condition must be met.

use std::fmt::Write;

use sequent_kernel::id::Id;
use sequent_kernel::system::{ArithmeticOperation, VariableId};

use super::super::question::Unwritten;
use super::aiger::{legend, line};
use super::btor::binary;
use super::machine::CircuitMachine;
use super::words::{Gate, GateNumber, GateOp, GateWords};

/// Whether a machine has an accepted run of at most `most` steps, as an SMT-LIB file.
pub fn smt(machine: &CircuitMachine, most: usize) -> Result<String, Unwritten> {
    let words = GateWords::new(machine)?;
    let mut writer = SmtWriter { machine, words: &words, text: String::new() };
    let about = format!("sat: there is a run of at most {most} steps that was looked for");
    for comment in machine.comment.iter().map(|text| line(text)).chain([about]).chain(legend(machine)) {
        let _ = writeln!(writer.text, "; {comment}");
    }
    writer.text += "(set-logic QF_BV)\n";
    writer.positions(most);
    let mut ways = vec![format!("(= {} #b1)", writer.wire(words.bad, most))];
    ways.extend(writer.circles(most));
    writer.text += "\n; What is looked for.\n";
    if let Some(strained) = words.strained {
        let strained = writer.wire(strained, most);
        let _ =
            writeln!(writer.text, "(declare-const strained Bool)\n(assert (= strained (= {strained} #b1)))");
    }
    let _ = writeln!(writer.text, "(assert (or false\n  {}))\n(check-sat)", ways.join("\n  "));
    Ok(writer.text)
}

struct SmtWriter<'w> {
    machine: &'w CircuitMachine,
    words: &'w GateWords<'w>,
    text: String,
}

impl<'w> SmtWriter<'w> {
    fn registers(&self) -> impl Iterator<Item = VariableId> + use<'w> {
        self.machine.registers.iter().map(|register| register.variable)
    }

    /// A variable somewhere; its name may hold anything but a bar and a backslash.
    fn name(&self, variable: VariableId, place: &str) -> String {
        let plain =
            |letter: char| if ['|', '\\'].contains(&letter) || letter.is_whitespace() { '_' } else { letter };
        let name: String = self.machine.system.variables[variable].name.chars().map(plain).collect();
        format!("|{name}#{}@{place}|", variable.index())
    }

    fn at(&self, variable: VariableId, position: usize) -> String {
        self.name(variable, &position.to_string())
    }

    fn wire(&self, wire: GateNumber, position: usize) -> String {
        match &self.words.gates[wire] {
            Gate { op: GateOp::Variable(variable), .. } => self.at(*variable, position),
            Gate { op: GateOp::Constant(value), width } => format!("#b{}", binary(*value, *width)),
            _ => format!("g{wire}@{position}"),
        }
    }

    fn declare(&mut self, variable: VariableId, place: &str) {
        let (name, size) = (self.name(variable, place), self.words.size(variable));
        let _ = writeln!(self.text, "(declare-const {name} (_ BitVec {size}))");
    }

    fn positions(&mut self, most: usize) {
        let words = self.words;
        let last: Vec<GateNumber> = [words.bad].into_iter().chain(words.strained).collect();
        let before: Vec<GateNumber> =
            words.next.iter().chain(words.justice.iter().flatten()).copied().collect();
        let (last, before) = (self.needed(&last), self.needed(&before));
        for position in 0..=most {
            let _ = writeln!(self.text, "\n; After {position} steps.");
            for variable in self.registers().chain(self.machine.inputs.iter().copied()) {
                self.declare(variable, &position.to_string());
            }
            for (variable, next) in self.registers().zip(&words.next) {
                let value = match position {
                    0 => {
                        let value = i64::from(self.machine.system.variables[variable].initial);
                        format!("#b{}", binary(value, words.size(variable)))
                    }
                    _ => self.wire(*next, position - 1),
                };
                let _ = writeln!(self.text, "(assert (= {} {value}))", self.at(variable, position));
            }
            for wire in if position == most { &last } else { &before } {
                let (name, gate) = (self.wire(*wire, position), &words.gates[*wire]);
                let _ = writeln!(self.text, "(declare-const {name} (_ BitVec {}))", gate.width);
                let _ = writeln!(self.text, "(assert (= {name} {}))", self.gate(gate, position));
            }
        }
    }

    /// The gates that some wires need.
    fn needed(&self, wanted: &[GateNumber]) -> Vec<GateNumber> {
        let gates = &self.words.gates;
        let mut is_used = vec![false; gates.len()];
        wanted.iter().for_each(|wire| is_used[*wire] = true);
        for wire in (0..gates.len()).rev().collect::<Vec<_>>() {
            if is_used[wire] {
                parts(&gates[wire].op).into_iter().for_each(|part| is_used[part] = true);
            }
        }
        let is_plain = |wire: GateNumber| matches!(gates[wire].op, GateOp::Variable(_) | GateOp::Constant(_));
        (0..gates.len()).filter(|wire| is_used[*wire] && !is_plain(*wire)).collect()
    }

    fn gate(&self, gate: &Gate, position: usize) -> String {
        let wire = |wire: &GateNumber| self.wire(*wire, position);
        match &gate.op {
            GateOp::Variable(variable) => self.at(*variable, position),
            GateOp::Constant(value) => format!("#b{}", binary(*value, gate.width)),
            GateOp::Not(a) => format!("(bvnot {})", wire(a)),
            GateOp::And(a, b) => format!("(bvand {} {})", wire(a), wire(b)),
            GateOp::Or(a, b) => format!("(bvor {} {})", wire(a), wire(b)),
            GateOp::Equal(a, b) => format!("(ite (= {} {}) #b1 #b0)", wire(a), wire(b)),
            GateOp::Less(a, b) => format!("(ite (bvslt {} {}) #b1 #b0)", wire(a), wire(b)),
            GateOp::Number(operation, a, b) => {
                let name = match operation {
                    ArithmeticOperation::Plus => "bvadd",
                    ArithmeticOperation::Minus => "bvsub",
                    ArithmeticOperation::Times => "bvmul",
                    ArithmeticOperation::Divide => "bvsdiv",
                    ArithmeticOperation::Modulo => "bvsrem",
                };
                format!("({name} {} {})", wire(a), wire(b))
            }
            GateOp::Choose(condition, yes, no) => {
                format!("(ite (= {} #b1) {} {})", wire(condition), wire(yes), wire(no))
            }
            GateOp::Extend(a) => {
                let before = self.words.gates[*a].width;
                // A truth value has no sign.
                let kind = if before == 1 { "zero_extend" } else { "sign_extend" };
                format!("((_ {kind} {}) {})", gate.width - before, wire(a))
            }
            GateOp::Cut(a) => format!("((_ extract {} 0) {})", gate.width - 1, wire(a)),
        }
    }

    /// Ways round, back to a state that was there before.
    fn circles(&mut self, most: usize) -> Vec<String> {
        if self.words.justice.is_empty() || most == 0 {
            return Vec::new();
        }
        self.text += "\n; The way round: a state to which it comes back, and from where on it goes there.\n";
        for variable in self.registers() {
            self.declare(variable, "back");
        }
        for position in 0..most {
            let same = self.same(position);
            let before = if position == 0 { "false".to_owned() } else { format!("round@{}", position - 1) };
            let _ = writeln!(self.text, "(declare-const round@{position} Bool)");
            let _ = writeln!(self.text, "(assert (=> round@{position} (or {before} {same})))");
        }
        let closed = format!("round@{} {}", most - 1, self.same(most));
        let ways = self.words.justice.iter().map(|list| {
            let met = list.iter().map(|wire| {
                let here =
                    |position| format!("(and round@{position} (= {} #b1))", self.wire(*wire, position));
                format!("(or false {})", (0..most).map(here).collect::<Vec<_>>().join(" "))
            });
            format!("(and {closed} {})", met.collect::<Vec<_>>().join(" "))
        });
        ways.collect()
    }

    /// Whether a position has the state to which a way round comes back.
    fn same(&self, position: usize) -> String {
        let one = |variable| format!("(= {} {})", self.at(variable, position), self.name(variable, "back"));
        format!("(and true {})", self.registers().map(one).collect::<Vec<_>>().join(" "))
    }
}

/// The gates that a gate needs.
fn parts(op: &GateOp) -> Vec<GateNumber> {
    match op {
        GateOp::Constant(_) | GateOp::Variable(_) => Vec::new(),
        GateOp::Not(a) | GateOp::Extend(a) | GateOp::Cut(a) => vec![*a],
        GateOp::And(a, b)
        | GateOp::Or(a, b)
        | GateOp::Equal(a, b)
        | GateOp::Less(a, b)
        | GateOp::Number(_, a, b) => vec![*a, *b],
        GateOp::Choose(a, b, c) => vec![*a, *b, *c],
    }
}
