//! Functions as gates over words.
//!
//! A word of one bit is a truth value, or a number that is 0 or 1; all others are numbers with a sign, in as many bits as they need.
//! Words are extended to the width of their operands, so nothing overflows; more than 32 bits are not
//! supported.

use std::collections::{BTreeMap, HashMap};

use sequent_kernel::system::{ArithmeticOperation, TermId, TermNode, VariableId};

use super::super::promela::{ranges, uses};
use super::super::question::Unwritten;
use super::machine::CircuitMachine;

/// The number of a gate.
pub(crate) type GateNumber = usize;

/// What a gate computes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum GateOp {
    /// A number.
    Constant(i64),
    /// A register or an input.
    Variable(VariableId),
    /// Of a truth value.
    Not(GateNumber),
    /// Of two truth values.
    And(GateNumber, GateNumber),
    /// Of two truth values.
    Or(GateNumber, GateNumber),
    /// Of two words of the same width.
    Equal(GateNumber, GateNumber),
    /// Of two numbers of the same width.
    Less(GateNumber, GateNumber),
    /// Of two numbers of the same width as the result. The divisor is never 0.
    Number(ArithmeticOperation, GateNumber, GateNumber),
    /// The second if the first is true, else the third.
    Choose(GateNumber, GateNumber, GateNumber),
    /// The same number in more bits.
    Extend(GateNumber),
    /// The same number in fewer bits, where that is enough.
    Cut(GateNumber),
}

/// A gate.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Gate {
    /// What it computes.
    pub op: GateOp,
    /// How many bits it has.
    pub width: usize,
}

/// All functions of a machine as gates, each after those it needs.
pub(crate) struct GateWords<'m> {
    /// The machine.
    pub machine: &'m CircuitMachine,
    /// The gates.
    pub gates: Vec<Gate>,
    /// For each register what it becomes.
    pub next: Vec<GateNumber>,
    /// Where a run is that was looked for.
    pub bad: GateNumber,
    /// What is met again and again.
    pub justice: Vec<Vec<GateNumber>>,
    /// Where there are fewer runs than there should be.
    pub strained: Option<GateNumber>,
    known: HashMap<Gate, GateNumber>,
    wires: BTreeMap<TermId, GateNumber>,
}

/// Bits of a word for numbers from a least to a greatest.
pub(crate) fn width(least: i64, greatest: i64) -> usize {
    let signed = |value: i64| {
        let magnitude = if value < 0 { !value } else { value };
        (i64::BITS - magnitude.leading_zeros()) as usize + 1
    };
    match (0..=1).contains(&least) && (0..=1).contains(&greatest) {
        true => 1,
        // One bit would be a truth value, even for -1 and 0.
        false => signed(least).max(signed(greatest)).max(2),
    }
}

impl<'m> GateWords<'m> {
    /// The functions of a machine.
    pub(crate) fn new(machine: &'m CircuitMachine) -> Result<Self, Unwritten> {
        let mut words = GateWords {
            machine,
            gates: Vec::new(),
            next: Vec::new(),
            bad: 0,
            justice: Vec::new(),
            strained: None,
            known: HashMap::new(),
            wires: BTreeMap::new(),
        };
        let lists = machine.justice.iter().flat_map(|(_, list)| list);
        let wanted: Vec<TermId> = [machine.bad]
            .into_iter()
            .chain(machine.registers.iter().map(|register| register.next))
            .chain(lists.copied())
            .chain(machine.strained)
            .collect();
        let ranges = ranges(&machine.system);
        for term in uses(&machine.system, &wanted).into_keys() {
            let (low, high) = ranges[term];
            if low < i64::from(i32::MIN) || high > i64::from(i32::MAX) {
                return Err(Unwritten("a computed number may be larger than 2^31".to_owned()));
            }
            let wire = words.write(term, width(low, high));
            words.wires.insert(term, wire);
        }
        for register in &machine.registers {
            let size = words.size(register.variable);
            let value = words.wires[&register.next];
            let value = words.fitted(value, size);
            words.next.push(value);
        }
        words.bad = words.truth(machine.bad);
        words.strained = machine.strained.map(|term| words.truth(term));
        let mut justice = Vec::new();
        for (_, list) in &machine.justice {
            justice.push(list.iter().map(|term| words.truth(*term)).collect());
        }
        words.justice = justice;
        Ok(words)
    }

    /// Bits of a register or an input.
    pub(crate) fn size(&self, variable: VariableId) -> usize {
        let domain = &self.machine.system.variables[variable];
        width(i64::from(domain.min), i64::from(domain.max))
    }

    fn gate(&mut self, op: GateOp, width: usize) -> GateNumber {
        let gate = Gate { op, width };
        if let Some(known) = self.known.get(&gate) {
            return *known;
        }
        self.gates.push(gate.clone());
        self.known.insert(gate, self.gates.len() - 1);
        self.gates.len() - 1
    }

    fn write(&mut self, term: TermId, size: usize) -> GateNumber {
        let machine = self.machine;
        match machine.system.terms.node(term) {
            TermNode::Constant(value) => {
                let value = i64::from(*value);
                self.gate(GateOp::Constant(value), width(value, value))
            }
            TermNode::Variable(variable) => {
                let size = self.size(*variable);
                self.gate(GateOp::Variable(*variable), size)
            }
            TermNode::Not(part) => {
                let part = self.truth(*part);
                self.gate(GateOp::Not(part), 1)
            }
            TermNode::And(parts) => self.junction(parts, GateOp::And),
            TermNode::Or(parts) => self.junction(parts, GateOp::Or),
            TermNode::Equal(a, b) => {
                let (a, b) = self.both(*a, *b, 1);
                self.gate(GateOp::Equal(a, b), 1)
            }
            TermNode::Less(a, b) => {
                // Truth values have no sign.
                let (a, b) = self.both(*a, *b, 2);
                self.gate(GateOp::Less(a, b), 1)
            }
            TermNode::Number(operation, a, b) => {
                let (a, b) = self.both(*a, *b, size.max(2));
                let wide = self.gates[a].width;
                match operation {
                    ArithmeticOperation::Plus | ArithmeticOperation::Minus | ArithmeticOperation::Times => {
                        self.gate(GateOp::Number(*operation, a, b), wide)
                    }
                    ArithmeticOperation::Divide | ArithmeticOperation::Modulo => {
                        let zero = self.gate(GateOp::Constant(0), wide);
                        let is_zero = self.gate(GateOp::Equal(b, zero), 1);
                        let one = self.gate(GateOp::Constant(1), wide);
                        let by = self.gate(GateOp::Choose(is_zero, one, b), wide);
                        let result = self.gate(GateOp::Number(*operation, a, by), wide);
                        self.gate(GateOp::Choose(is_zero, zero, result), wide)
                    }
                }
            }
            TermNode::If(condition, yes, no) => {
                let condition = self.truth(*condition);
                let (yes, no) = self.both(*yes, *no, 1);
                let wide = self.gates[yes].width;
                self.gate(GateOp::Choose(condition, yes, no), wide)
            }
        }
    }

    /// Conjunctions and disjunctions, halved again and again so that they are not deep.
    fn junction(&mut self, parts: &[TermId], op: fn(GateNumber, GateNumber) -> GateOp) -> GateNumber {
        let mut wires: Vec<GateNumber> = parts.iter().map(|part| self.truth(*part)).collect();
        while wires.len() > 1 {
            let pair = |words: &mut Self, pair: &[GateNumber]| match pair {
                [a, b] => words.gate(op(*a, *b), 1),
                other => other[0],
            };
            let pairs: Vec<Vec<GateNumber>> = wires.chunks(2).map(<[GateNumber]>::to_vec).collect();
            wires = pairs.iter().map(|one| pair(self, one)).collect();
        }
        wires[0]
    }

    /// Two terms as words of the same width, at least `least` bits.
    fn both(&mut self, a: TermId, b: TermId, least: usize) -> (GateNumber, GateNumber) {
        let (a, b) = (self.wires[&a], self.wires[&b]);
        let size = self.gates[a].width.max(self.gates[b].width).max(least);
        (self.fitted(a, size), self.fitted(b, size))
    }

    fn fitted(&mut self, wire: GateNumber, size: usize) -> GateNumber {
        match self.gates[wire].width.cmp(&size) {
            std::cmp::Ordering::Equal => wire,
            std::cmp::Ordering::Less => self.gate(GateOp::Extend(wire), size),
            std::cmp::Ordering::Greater => self.gate(GateOp::Cut(wire), size),
        }
    }

    /// Whether a term is true: any number but 0 is.
    fn truth(&mut self, term: TermId) -> GateNumber {
        let wire = self.wires[&term];
        let size = self.gates[wire].width;
        if size == 1 {
            return wire;
        }
        let zero = self.gate(GateOp::Constant(0), size);
        let is_zero = self.gate(GateOp::Equal(wire, zero), 1);
        self.gate(GateOp::Not(is_zero), 1)
    }
}
