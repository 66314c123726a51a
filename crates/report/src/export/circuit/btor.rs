//! BTOR2 (Niemetz, Preiner, Wolf, Biere 2018): word by word, with the names of variables as symbols.

use std::collections::BTreeMap;
use std::fmt::Write;

use sequent_kernel::system::{ArithmeticOperation, VariableId};

use super::super::question::Unwritten;
use super::aiger::{legend, line};
use super::machine::CircuitMachine;
use super::words::{Gate, GateNumber, GateOp, GateWords};

/// A machine as a BTOR2 file.
pub fn btor(machine: &CircuitMachine) -> Result<String, Unwritten> {
    let words = GateWords::new(machine)?;
    let mut writer = BtorWriter { text: String::new(), last: 0, sorts: BTreeMap::new() };
    for comment in machine.comment.iter().map(|text| line(text)).chain(legend(machine)) {
        let _ = writeln!(writer.text, "; {comment}");
    }
    let mut variables: BTreeMap<VariableId, usize> = BTreeMap::new();
    for input in &machine.inputs {
        let sort = writer.sort(words.size(*input));
        let name = symbol(&machine.system.variables[*input].name);
        variables.insert(*input, writer.line(&format!("input {sort} {name}")));
    }
    for register in &machine.registers {
        let domain = &machine.system.variables[register.variable];
        let size = words.size(register.variable);
        let sort = writer.sort(size);
        // A first value comes before its state: so nothing depends on itself.
        let first = writer.line(&format!("const {sort} {}", binary(i64::from(domain.initial), size)));
        let state = writer.line(&format!("state {sort} {}", symbol(&domain.name)));
        writer.line(&format!("init {sort} {state} {first}"));
        variables.insert(register.variable, state);
    }
    let mut lines: Vec<usize> = Vec::new();
    for gate in &words.gates {
        let number = writer.gate(gate, &words, &lines, &variables);
        lines.push(number);
    }
    for (register, wire) in machine.registers.iter().zip(&words.next) {
        let sort = writer.sort(words.size(register.variable));
        writer.line(&format!("next {sort} {} {}", variables[&register.variable], lines[*wire]));
    }
    writer.line(&format!("bad {} bad", lines[words.bad]));
    if let Some(strained) = words.strained {
        writer.line(&format!("output {} strained", lines[strained]));
    }
    for (list, (name, _)) in words.justice.iter().zip(&machine.justice) {
        let all: Vec<String> = list.iter().map(|wire| lines[*wire].to_string()).collect();
        writer.line(&format!("justice {} {} {}", list.len(), all.join(" "), symbol(name)));
    }
    Ok(writer.text)
}

struct BtorWriter {
    text: String,
    last: usize,
    sorts: BTreeMap<usize, usize>,
}

impl BtorWriter {
    fn line(&mut self, text: &str) -> usize {
        self.last += 1;
        let _ = writeln!(self.text, "{} {text}", self.last);
        self.last
    }

    fn sort(&mut self, width: usize) -> usize {
        if let Some(known) = self.sorts.get(&width) {
            return *known;
        }
        let number = self.line(&format!("sort bitvec {width}"));
        self.sorts.insert(width, number);
        number
    }

    fn gate(
        &mut self,
        gate: &Gate,
        words: &GateWords<'_>,
        lines: &[usize],
        variables: &BTreeMap<VariableId, usize>,
    ) -> usize {
        let sort = self.sort(gate.width);
        let two =
            |name: &str, a: &GateNumber, b: &GateNumber| format!("{name} {sort} {} {}", lines[*a], lines[*b]);
        let text = match &gate.op {
            GateOp::Variable(variable) => return variables[variable],
            GateOp::Constant(value) => format!("const {sort} {}", binary(*value, gate.width)),
            GateOp::Not(a) => format!("not {sort} {}", lines[*a]),
            GateOp::And(a, b) => two("and", a, b),
            GateOp::Or(a, b) => two("or", a, b),
            GateOp::Equal(a, b) => two("eq", a, b),
            GateOp::Less(a, b) => two("slt", a, b),
            GateOp::Number(operation, a, b) => two(name(*operation), a, b),
            GateOp::Choose(condition, yes, no) => {
                format!("ite {sort} {} {} {}", lines[*condition], lines[*yes], lines[*no])
            }
            GateOp::Extend(a) => {
                let before = words.gates[*a].width;
                // A truth value has no sign.
                let kind = if before == 1 { "uext" } else { "sext" };
                format!("{kind} {sort} {} {}", lines[*a], gate.width - before)
            }
            GateOp::Cut(a) => format!("slice {sort} {} {} 0", lines[*a], gate.width - 1),
        };
        self.line(&text)
    }
}

fn name(operation: ArithmeticOperation) -> &'static str {
    match operation {
        ArithmeticOperation::Plus => "add",
        ArithmeticOperation::Minus => "sub",
        ArithmeticOperation::Times => "mul",
        ArithmeticOperation::Divide => "sdiv",
        ArithmeticOperation::Modulo => "srem",
    }
}

/// The bits of a number, the highest first.
pub(super) fn binary(value: i64, width: usize) -> String {
    (0..width).rev().map(|bit| if value >> bit & 1 == 1 { '1' } else { '0' }).collect()
}

/// A name without blanks; a semicolon would begin a comment.
fn symbol(text: &str) -> String {
    let plain = |letter: char| if letter.is_whitespace() || letter == ';' { '_' } else { letter };
    text.chars().map(plain).collect()
}
