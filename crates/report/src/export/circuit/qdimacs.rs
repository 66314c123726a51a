//! Quantified clauses (QDIMACS 1.1): whether what is looked for is reached within 2^n steps.
//!
//! Clauses have a copy of the circuit for every tick of a run; here it stands once. A way of 2^n ticks has a middle, and both of its halves are ways of
//! half as many ticks: some middle, such that for either half there are two ends, between which there is a way. So n rounds of
//! quantifiers do what 2^n copies would (L. J. Stockmeyer and A. R. Meyer, 1973; P4, section 6.2.4, names it as future
//! work). As nothing may happen in a tick, a way of 2^n ticks is one of at most 2^n steps.

use std::fmt::Write;

use super::super::question::Unwritten;
use super::aiger::Aiger;
use super::gates::{GateLiteral, TRUE};

/// Quantifiers, as they are written.
const SOME: char = 'e';
const EVERY: char = 'a';

/// A formula under construction.
#[derive(Default)]
struct QuantifiedFormula {
    variables: i32,
    /// Quantifiers and their variables, outermost first.
    prefix: Vec<(char, Vec<i32>)>,
    clauses: Vec<Vec<i32>>,
}

/// The question whether a circuit gets where it is bad within the given number of rounds of doubling.
pub fn qdimacs(circuit: &Aiger, rounds: u32) -> Result<String, Unwritten> {
    let [(bad, _)] = circuit.bad.as_slice() else {
        return Err(Unwritten("it is about several kinds of states".to_owned()));
    };
    if !circuit.justice.is_empty() {
        return Err(Unwritten("a run that goes on forever has no last state".to_owned()));
    }
    let mut formula = QuantifiedFormula::default();
    let truth = formula.fresh(SOME, 1)[0];
    formula.clauses.push(vec![truth]);
    let size = circuit.latches.len();
    let [first, last] = [formula.fresh(SOME, size), formula.fresh(SOME, size)];
    for (variable, (.., is_set, _)) in first.iter().zip(&circuit.latches) {
        formula.clauses.push(vec![if *is_set { *variable } else { -variable }]);
    }
    let (mut from, mut to) = (first.clone(), last.clone());
    for _ in 0..rounds {
        let middle = formula.fresh(SOME, size);
        let is_second = formula.fresh(EVERY, 1)[0];
        let [begin, end] = [formula.fresh(SOME, size), formula.fresh(SOME, size)];
        for (which, own_begin, own_end) in [(-is_second, &from, &middle), (is_second, &middle, &to)] {
            formula.equal_if(which, &begin, own_begin);
            formula.equal_if(which, &end, own_end);
        }
        (from, to) = (begin, end);
    }
    let step = GateCopy::new(circuit, &mut formula, &from, truth);
    let next: Vec<i32> = circuit.latches.iter().map(|(_, next, ..)| step.value(*next)).collect();
    formula.equal_if(truth, &to, &next);
    let end = GateCopy::new(circuit, &mut formula, &last, truth);
    formula.clauses.push(vec![end.value(*bad)]);
    Ok(formula.write(circuit, rounds, [&first, &last]))
}

/// A copy of the gates, by the numbers of their literals.
struct GateCopy {
    truth: i32,
    variables: Vec<i32>,
}

impl GateCopy {
    fn new(circuit: &Aiger, formula: &mut QuantifiedFormula, registers: &[i32], truth: i32) -> Self {
        let mut copy = GateCopy { truth, variables: vec![0; circuit.graph.variables as usize + 1] };
        for (variable, (literal, ..)) in registers.iter().zip(&circuit.latches) {
            copy.variables[(literal / 2) as usize] = *variable;
        }
        for (literal, _) in &circuit.inputs {
            copy.variables[(literal / 2) as usize] = formula.fresh(SOME, 1)[0];
        }
        for [gate, high, low] in &circuit.graph.gates {
            let own = formula.fresh(SOME, 1)[0];
            copy.variables[(gate / 2) as usize] = own;
            let (high, low) = (copy.value(*high), copy.value(*low));
            formula.clauses.extend([vec![-own, high], vec![-own, low], vec![own, -high, -low]]);
        }
        copy
    }

    fn value(&self, literal: GateLiteral) -> i32 {
        let variable = match literal / 2 {
            0 => -self.truth,
            number => self.variables[number as usize],
        };
        if literal & TRUE == TRUE { -variable } else { variable }
    }
}

impl QuantifiedFormula {
    /// Variables within all so far.
    fn fresh(&mut self, quantifier: char, count: usize) -> Vec<i32> {
        let new: Vec<i32> = (1..=count as i32).map(|number| self.variables + number).collect();
        self.variables += count as i32;
        match self.prefix.last_mut() {
            Some((last, known)) if *last == quantifier => known.extend(&new),
            Some(_) | None => self.prefix.push((quantifier, new.clone())),
        }
        new
    }

    /// That two states are the same if something holds.
    fn equal_if(&mut self, when: i32, one: &[i32], other: &[i32]) {
        for (one, other) in one.iter().zip(other) {
            self.clauses.extend([vec![-when, -one, *other], vec![-when, *one, -other]]);
        }
    }

    fn write(&self, circuit: &Aiger, rounds: u32, ends: [&[i32]; 2]) -> String {
        let mut text = String::new();
        for line in &circuit.comment {
            let _ = writeln!(text, "c {line}");
        }
        let most = 1_u64 << rounds;
        let _ = writeln!(text, "c true if it is bad after at most {most} steps");
        for (state, place) in ends.into_iter().zip(["at the beginning", "at the end"]) {
            for (variable, (.., name)) in state.iter().zip(&circuit.latches) {
                let _ = writeln!(text, "c {variable} {place}: {name}");
            }
        }
        let _ = writeln!(text, "p cnf {} {}", self.variables, self.clauses.len());
        let mut line = |start: &str, numbers: &[i32]| {
            text += start;
            for number in numbers {
                let _ = write!(text, "{number} ");
            }
            text += "0\n";
        };
        for (quantifier, variables) in &self.prefix {
            line(&format!("{quantifier} "), variables);
        }
        self.clauses.iter().for_each(|clause| line("", clause));
        text
    }
}
