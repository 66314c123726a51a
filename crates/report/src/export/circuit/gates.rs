//! Words as bits: an and-inverter graph.
//!
//! A literal is twice a number, plus one if it is negated; 0 is false and 1 is true. Equal gates are one.

use std::collections::HashMap;

use sequent_kernel::system::ArithmeticOperation;

use super::words::{Gate, GateOp, GateWords};

/// A literal.
pub(crate) type GateLiteral = u32;

/// False.
pub(crate) const FALSE: GateLiteral = 0;
/// True.
pub(crate) const TRUE: GateLiteral = 1;

/// Gates with two inputs, each negated or not.
#[derive(Default)]
pub(crate) struct GateGraph {
    /// How many variables there are, those of gates included.
    pub variables: u32,
    /// For each gate its literal and those of its inputs, the greater first.
    pub gates: Vec<[GateLiteral; 3]>,
    known: HashMap<[GateLiteral; 2], GateLiteral>,
}

impl GateGraph {
    /// A new variable.
    pub(crate) fn variable(&mut self) -> GateLiteral {
        self.variables += 1;
        self.variables * 2
    }

    fn and(&mut self, a: GateLiteral, b: GateLiteral) -> GateLiteral {
        let (high, low) = (a.max(b), a.min(b));
        match low {
            FALSE => return FALSE,
            TRUE => return high,
            _ if high == low => return high,
            _ if high == low ^ 1 => return FALSE,
            _ => {}
        }
        if let Some(known) = self.known.get(&[high, low]) {
            return *known;
        }
        let gate = self.variable();
        self.gates.push([gate, high, low]);
        self.known.insert([high, low], gate);
        gate
    }

    fn or(&mut self, a: GateLiteral, b: GateLiteral) -> GateLiteral {
        self.and(a ^ 1, b ^ 1) ^ 1
    }

    fn differ(&mut self, a: GateLiteral, b: GateLiteral) -> GateLiteral {
        let (one, other) = (self.and(a, b ^ 1), self.and(a ^ 1, b));
        self.or(one, other)
    }

    fn choose(&mut self, condition: GateLiteral, yes: GateLiteral, no: GateLiteral) -> GateLiteral {
        let (yes, no) = (self.and(condition, yes), self.and(condition ^ 1, no));
        self.or(yes, no)
    }

    fn choose_all(
        &mut self,
        condition: GateLiteral,
        yes: &[GateLiteral],
        no: &[GateLiteral],
    ) -> Vec<GateLiteral> {
        yes.iter().zip(no).map(|(yes, no)| self.choose(condition, *yes, *no)).collect()
    }

    /// The sum in as many bits as its parts have, and what is carried over.
    fn sum(
        &mut self,
        a: &[GateLiteral],
        b: &[GateLiteral],
        carry: GateLiteral,
    ) -> (Vec<GateLiteral>, GateLiteral) {
        let mut carry = carry;
        let mut bits = Vec::new();
        for (a, b) in a.iter().zip(b) {
            let half = self.differ(*a, *b);
            bits.push(self.differ(half, carry));
            let (both, one) = (self.and(*a, *b), self.and(half, carry));
            carry = self.or(both, one);
        }
        (bits, carry)
    }

    fn minus(&mut self, a: &[GateLiteral], b: &[GateLiteral]) -> (Vec<GateLiteral>, GateLiteral) {
        let not: Vec<GateLiteral> = b.iter().map(|bit| bit ^ 1).collect();
        self.sum(a, &not, TRUE)
    }

    fn negated(&mut self, a: &[GateLiteral], condition: GateLiteral) -> Vec<GateLiteral> {
        let zero = vec![FALSE; a.len()];
        let (negative, _) = self.minus(&zero, a);
        self.choose_all(condition, &negative, a)
    }

    fn equal(&mut self, a: &[GateLiteral], b: &[GateLiteral]) -> GateLiteral {
        a.iter().zip(b).fold(TRUE, |so_far, (a, b)| {
            let differ = self.differ(*a, *b);
            self.and(so_far, differ ^ 1)
        })
    }

    /// Whether a number with a sign is less than another.
    fn less(&mut self, a: &[GateLiteral], b: &[GateLiteral]) -> GateLiteral {
        let [mut a, mut b] = [a, b].map(<[GateLiteral]>::to_vec);
        // With the sign turned round numbers are in the order of those without.
        for bits in [&mut a, &mut b] {
            if let Some(sign) = bits.last_mut() {
                *sign ^= 1;
            }
        }
        self.minus(&a, &b).1 ^ 1
    }

    fn times(&mut self, a: &[GateLiteral], b: &[GateLiteral]) -> Vec<GateLiteral> {
        let mut total = vec![FALSE; a.len()];
        for (place, bit) in b.iter().enumerate() {
            let row: Vec<GateLiteral> = (0..a.len())
                .map(|at| if at < place { FALSE } else { self.and(*bit, a[at - place]) })
                .collect();
            total = self.sum(&total, &row, FALSE).0;
        }
        total
    }

    /// Quotient and remainder of numbers with a sign, rounded towards zero: long division of what they are without it.
    fn divide(&mut self, a: &[GateLiteral], b: &[GateLiteral]) -> (Vec<GateLiteral>, Vec<GateLiteral>) {
        let [sign, other] = [a, b].map(|bits| bits.last().copied().unwrap_or(FALSE));
        let (size, by) = (self.negated(a, sign), self.negated(b, other));
        // One bit more, as what is left is doubled.
        let by: Vec<GateLiteral> = by.into_iter().chain([FALSE]).collect();
        let mut rest = vec![FALSE; by.len()];
        let mut quotient = vec![FALSE; a.len()];
        for place in (0..a.len()).rev() {
            rest.pop();
            rest.insert(0, size[place]);
            let (less, fits) = self.minus(&rest, &by);
            quotient[place] = fits;
            rest = self.choose_all(fits, &less, &rest);
        }
        rest.truncate(a.len());
        let signs = self.differ(sign, other);
        (self.negated(&quotient, signs), self.negated(&rest, sign))
    }

    /// The bits of all words, the lowest first; `variables` gives those of registers and inputs.
    pub(crate) fn write(
        &mut self,
        words: &GateWords<'_>,
        variables: &dyn Fn(sequent_kernel::system::VariableId) -> Vec<GateLiteral>,
    ) -> Vec<Vec<GateLiteral>> {
        let mut all: Vec<Vec<GateLiteral>> = Vec::new();
        for Gate { op, width } in &words.gates {
            let bits = match op {
                GateOp::Constant(value) => {
                    (0..*width).map(|bit| if value >> bit & 1 == 1 { TRUE } else { FALSE }).collect()
                }
                GateOp::Variable(variable) => variables(*variable),
                GateOp::Not(a) => vec![all[*a][0] ^ 1],
                GateOp::And(a, b) => vec![self.and(all[*a][0], all[*b][0])],
                GateOp::Or(a, b) => vec![self.or(all[*a][0], all[*b][0])],
                GateOp::Equal(a, b) => vec![self.equal(&all[*a], &all[*b])],
                GateOp::Less(a, b) => vec![self.less(&all[*a], &all[*b])],
                GateOp::Number(ArithmeticOperation::Plus, a, b) => self.sum(&all[*a], &all[*b], FALSE).0,
                GateOp::Number(ArithmeticOperation::Minus, a, b) => self.minus(&all[*a], &all[*b]).0,
                GateOp::Number(ArithmeticOperation::Times, a, b) => self.times(&all[*a], &all[*b]),
                GateOp::Number(ArithmeticOperation::Divide, a, b) => self.divide(&all[*a], &all[*b]).0,
                GateOp::Number(ArithmeticOperation::Modulo, a, b) => self.divide(&all[*a], &all[*b]).1,
                GateOp::Choose(condition, yes, no) => {
                    self.choose_all(all[*condition][0], &all[*yes], &all[*no])
                }
                GateOp::Extend(a) => extended(&all[*a], *width),
                GateOp::Cut(a) => all[*a][..*width].to_vec(),
            };
            all.push(bits);
        }
        all
    }
}

/// More bits of the same number; a truth value has no sign.
pub(crate) fn extended(bits: &[GateLiteral], width: usize) -> Vec<GateLiteral> {
    let sign = match bits {
        [_] | [] => FALSE,
        [.., sign] => *sign,
    };
    bits.iter().copied().chain(std::iter::repeat(sign)).take(width).collect()
}
