//! Samples: what the literals of the state are in many states, one bit for each state.

use sequent_kernel::system::Config;

use crate::sat::encode::encoding::Encoding;
use crate::sat::encode::number::EncodedNumber;
use crate::sat::solver::{Literal, TRUE};

/// States that were seen.
pub(crate) struct StateSamples {
    count: usize,
    /// For each literal, by its number less one, in which states it is true.
    ones: Vec<Vec<u64>>,
}

/// How many literals of the state belong to variables of the system: they are the first.
pub(crate) fn system_literals(encoding: &Encoding<'_>) -> usize {
    let own = encoding.state.variables.iter().flat_map(literals_of);
    own.map(|literal| literal.variable().0 as usize).max().unwrap_or(0)
}

fn literals_of(number: &EncodedNumber) -> Vec<Literal> {
    match number {
        EncodedNumber::Cases(cases) => cases.iter().map(|case| case.1).filter(|one| *one != TRUE).collect(),
        EncodedNumber::Bits(bits) => bits.bits.clone(),
    }
}

impl StateSamples {
    /// No state of some literals.
    pub(crate) fn new(literals: usize) -> Self {
        StateSamples { count: 0, ones: vec![Vec::new(); literals] }
    }

    /// Adds a state.
    pub(crate) fn add(&mut self, encoding: &Encoding<'_>, config: &Config) {
        if self.count.is_multiple_of(64) {
            self.ones.iter_mut().for_each(|ones| ones.push(0));
        }
        let (word, bit) = (self.count / 64, 1_u64 << (self.count % 64));
        for literal in encoding.state.of(config).into_iter().filter(|literal| literal.is_positive()) {
            self.ones[literal.0 as usize - 1][word] |= bit;
        }
        self.count += 1;
    }

    /// The states of a word that were seen.
    fn seen(&self, word: usize) -> u64 {
        match self.count - 64 * word {
            64.. => u64::MAX,
            rest => (1 << rest) - 1,
        }
    }

    /// In which states of a word a literal is false.
    fn fails(&self, literal: Literal, word: usize) -> u64 {
        let ones = self.ones[literal.variable().0 as usize - 1][word];
        if literal.is_positive() { !ones & self.seen(word) } else { ones }
    }

    /// Whether no state contradicts a clause.
    pub(crate) fn holds(&self, clause: &[Literal]) -> bool {
        let fails = |word| clause.iter().fold(u64::MAX, |all, literal| all & self.fails(*literal, word));
        (0..self.count.div_ceil(64)).all(|word| fails(word) == 0)
    }

    /// The clauses of one literal that no state contradicts, and those of two others; `None` if they are more than `most`. What
    /// values of one variable exclude each other is known.
    pub(crate) fn clauses(&self, encoding: &Encoding<'_>, most: usize) -> Option<Vec<Vec<Literal>>> {
        let owner = owners(encoding, self.ones.len());
        let mut clauses: Vec<Vec<Literal>> = Vec::new();
        let mut open: Vec<i32> = Vec::new();
        for number in 1..=self.ones.len() as i32 {
            match signs(number).into_iter().find(|literal| self.holds(&[*literal])) {
                Some(literal) => clauses.push(vec![literal]),
                None => open.push(number),
            }
        }
        for (at, one) in open.iter().enumerate() {
            let is_apart = |other: &&i32| owner[**other as usize - 1] != owner[*one as usize - 1];
            for other in open[at + 1..].iter().filter(is_apart) {
                let pairs =
                    signs(*one).into_iter().flat_map(|one| signs(*other).map(|other| vec![one, other]));
                clauses.extend(pairs.filter(|pair| self.holds(pair)));
            }
            if clauses.len() > most {
                return None;
            }
        }
        Some(clauses)
    }

    /// The clauses of a literal and one of another variable that no state contradicts.
    pub(crate) fn with(&self, encoding: &Encoding<'_>, literal: Literal) -> Vec<Vec<Literal>> {
        let owner = owners(encoding, self.ones.len());
        let own = owner[literal.variable().0 as usize - 1];
        let others = (1..=self.ones.len() as i32).filter(|number| owner[*number as usize - 1] != own);
        others.flat_map(signs).map(|other| vec![literal, other]).filter(|pair| self.holds(pair)).collect()
    }
}

/// A literal and its negation.
fn signs(number: i32) -> [Literal; 2] {
    [Literal(number), Literal(-number)]
}

/// The variable to which each literal belongs; each bit of a number counts as one of its own.
fn owners(encoding: &Encoding<'_>, literals: usize) -> Vec<usize> {
    let mut owners: Vec<usize> = (0..literals).collect();
    let first = literals;
    for (at, number) in encoding.state.variables.iter().enumerate() {
        if let EncodedNumber::Cases(_) = number {
            for literal in literals_of(number) {
                owners[literal.variable().0 as usize - 1] = first + at;
            }
        }
    }
    owners
}
