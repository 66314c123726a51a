//! The reduction by which P4 proves its questions hard (sections 4.3 and 4.4): a formula is satisfiable if and only if all
//! clause machines can reach their goals.
//!
//! A variable's machine begins with a choice of polarity and then tells every clause with that literal, in order. A clause's
//! machine waits for any of its variables, and once it has one takes all others too: otherwise a variable that comes late would
//! wait forever. The symbol is named after clause and variable, without polarity: which of the two it was is said by who
//! could send it.
//!
//! The printed set of transitions holds both orders of the clauses of a branch; one is meant. 3X3SAT itself has clauses of at
//! most three literals, variables that occur at most three times, and literals that occur at most twice.

use std::collections::BTreeMap;

use sequent_kernel::id;
use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::random::Random;

use super::ensemble::{
    Arc, DiagramExchange, EnsembleInstance, EnsembleQuestion, FlatMachine, GeneratedEnsemble, MessageDiagram,
    PlayerId, StateId, SymbolId,
};

id! {
    /// A variable of a formula.
    VariableId
}

/// A variable, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CnfLiteral {
    /// The variable.
    pub variable: VariableId,
    /// Whether it is not negated.
    pub is_positive: bool,
}

/// A formula in conjunctive normal form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct CnfFormula {
    /// How many variables there are.
    pub variables: usize,
    /// Clauses: one literal of each must be true.
    pub clauses: Vec<Vec<CnfLiteral>>,
}

impl CnfFormula {
    /// A random 3X3 formula. Every variable has three places, two of one polarity; clauses of one to three literals take them
    /// in random order, so that about half of the smaller formulas can be satisfied.
    pub fn random(variables: usize, random: &mut Random) -> Self {
        let mut places: Vec<CnfLiteral> = Vec::new();
        for variable in (0..variables).map(VariableId::from_index) {
            let major = random.below(2) == 0;
            places.extend([major, major, !major].map(|is_positive| CnfLiteral { variable, is_positive }));
        }
        random.shuffle(&mut places);
        let mut clauses: Vec<Vec<CnfLiteral>> = Vec::new();
        while let Some(first) = places.pop() {
            let mut clause = vec![first];
            let more = [0, 1, 1, 1, 2, 2][random.below(6)];
            for _ in 0..more {
                let fits = |place: &CnfLiteral| clause.iter().all(|known| known.variable != place.variable);
                let Some(at) = places.iter().position(fits) else { break };
                clause.push(places.remove(at));
            }
            clause.sort();
            clauses.push(clause);
        }
        CnfFormula { variables, clauses }
    }

    /// Whether it is an instance of 3X3SAT.
    pub fn is_three_by_three(&self) -> bool {
        let mut counts: BTreeMap<CnfLiteral, usize> = BTreeMap::new();
        self.clauses.iter().flatten().for_each(|literal| *counts.entry(*literal).or_default() += 1);
        let of =
            |variable, is_positive| counts.get(&CnfLiteral { variable, is_positive }).copied().unwrap_or(0);
        let fits = |at: usize| {
            let variable = VariableId::from_index(at);
            let (yes, no) = (of(variable, true), of(variable, false));
            yes <= 2 && no <= 2 && yes + no <= 3
        };
        self.clauses.iter().all(|clause| clause.len() <= 3) && (0..self.variables).all(fits)
    }

    /// Whether an assignment makes all clauses true.
    pub fn is_satisfied(&self, values: &[bool]) -> bool {
        let holds = |literal: &CnfLiteral| values.get(literal.variable.index()) == Some(&literal.is_positive);
        self.clauses.iter().all(|clause| clause.iter().any(holds))
    }

    /// As many transactions as the reduction allows: each branch of a variable has at most two transitions, of two steps each
    /// (for formulas that are not 3X3, as many as the longest branches have).
    pub fn within(&self) -> u32 {
        let longest = |variable: usize| {
            let count = |is_positive: bool| self.branch(VariableId::from_index(variable), is_positive).len();
            2 * count(true).max(count(false))
        };
        let all: usize = (0..self.variables).map(longest).sum();
        u32::try_from(all.max(4 * self.variables)).unwrap_or(u32::MAX)
    }

    /// The question whether all clauses can be told that they are true.
    pub fn goal(&self) -> EnsembleInstance {
        let (ensemble, clauses) = self.ensemble(false);
        let goal = clauses.into_iter().map(|player| (player, StateId::from_index(1))).collect();
        EnsembleInstance { ensemble, asked: EnsembleQuestion::Goal(goal), within: Some(self.within()) }
    }

    /// The question whether all clauses can be asked one after the other.
    pub fn scenario(&self) -> EnsembleInstance {
        let (ensemble, clauses) = self.ensemble(true);
        let asking = PlayerId::from_index(ensemble.players.len().saturating_sub(1));
        let symbol = |clause: usize| {
            let name = asked_symbol(clause);
            ensemble.symbols.enumerate().find(|(_, known)| **known == name).map(|(id, _)| id)
        };
        let message = |(clause, to): (usize, PlayerId)| {
            Some(DiagramExchange { from: asking, symbol: symbol(clause)?, to })
        };
        let messages = clauses.into_iter().enumerate().filter_map(message).collect();
        let diagram = MessageDiagram { name: "All clauses".to_owned(), messages };
        EnsembleInstance { ensemble, asked: EnsembleQuestion::Scenario(diagram), within: Some(self.within()) }
    }

    /// The machines, and the objects of the clauses; `is_asked` adds the machine that asks them.
    fn ensemble(&self, is_asked: bool) -> (GeneratedEnsemble, Vec<PlayerId>) {
        let mut ensemble = GeneratedEnsemble::default();
        let mut told: BTreeMap<(usize, VariableId), SymbolId> = BTreeMap::new();
        for (clause, literals) in self.clauses.iter().enumerate() {
            for literal in literals {
                told.entry((clause, literal.variable)).or_insert_with(|| {
                    ensemble.symbols.push(format!("c{}_v{}", clause + 1, literal.variable.index() + 1))
                });
            }
        }
        for variable in (0..self.variables).map(VariableId::from_index) {
            ensemble.machines.push(self.variable(variable, &told));
        }
        let asked: Vec<Option<SymbolId>> = (0..self.clauses.len())
            .map(|clause| is_asked.then(|| ensemble.symbols.push(asked_symbol(clause))))
            .collect();
        for (clause, asked) in asked.iter().enumerate() {
            let own =
                told.range((clause, VariableId::from_index(0))..).take_while(|((of, _), _)| *of == clause);
            let plain = self.clause(clause, own.map(|(_, symbol)| *symbol).collect(), *asked);
            ensemble.machines.push(plain);
        }
        if is_asked {
            ensemble.machines.push(asking(asked.into_iter().flatten()));
        }
        ensemble.play_once();
        let clauses = (0..self.clauses.len()).map(|clause| PlayerId::from_index(self.variables + clause));
        (ensemble, clauses.collect())
    }

    /// The clauses with a literal, in order.
    fn branch(&self, variable: VariableId, is_positive: bool) -> Vec<usize> {
        let literal = CnfLiteral { variable, is_positive };
        (0..self.clauses.len()).filter(|clause| self.clauses[*clause].contains(&literal)).collect()
    }

    fn variable(&self, variable: VariableId, told: &BTreeMap<(usize, VariableId), SymbolId>) -> FlatMachine {
        let mut states: IdVec<StateId, String> = std::iter::once("open".to_owned()).collect();
        let mut arcs = Vec::new();
        for (is_positive, word) in [(true, "yes"), (false, "no")] {
            let mut at = StateId::from_index(0);
            for (number, clause) in self.branch(variable, is_positive).into_iter().enumerate() {
                let to = states.push(format!("{word}{}", number + 1));
                let effects = vec![told[&(clause, variable)]];
                arcs.push(Arc { from: at, trigger: None, effects, to });
                at = to;
            }
        }
        FlatMachine { name: format!("V{}", variable.index() + 1), states, arcs }
    }

    fn clause(&self, clause: usize, told: Vec<SymbolId>, asked: Option<SymbolId>) -> FlatMachine {
        let states: IdVec<StateId, String> = ["open", "satisfied"].map(str::to_owned).into_iter().collect();
        let (open, satisfied) = (StateId::from_index(0), StateId::from_index(1));
        let arc = |from, symbol| Arc { from, trigger: Some(symbol), effects: Vec::new(), to: satisfied };
        let first = told.iter().map(|symbol| arc(open, *symbol));
        let later = told.iter().chain(&asked).map(|symbol| arc(satisfied, *symbol));
        FlatMachine { name: format!("C{}", clause + 1), states, arcs: first.chain(later).collect() }
    }
}

fn asked_symbol(clause: usize) -> String {
    format!("d{}", clause + 1)
}

fn asking(symbols: impl Iterator<Item = SymbolId>) -> FlatMachine {
    let at = StateId::from_index(0);
    let arcs = symbols.map(|symbol| Arc { from: at, trigger: None, effects: vec![symbol], to: at });
    let states = std::iter::once("asking".to_owned()).collect();
    FlatMachine { name: "D".to_owned(), states, arcs: arcs.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_formulas_are_three_by_three() {
        for seed in 0..200 {
            let formula = CnfFormula::random(1 + seed as usize % 9, &mut Random::new(seed));
            assert!(formula.is_three_by_three(), "{formula:?}");
            assert_eq!(formula.within(), 4 * formula.variables as u32);
        }
    }

    #[test]
    fn machines_have_the_sizes_of_the_proof() {
        for seed in 0..100 {
            let formula = CnfFormula::random(6, &mut Random::new(seed));
            let EnsembleInstance { ensemble, .. } = formula.scenario();
            for plain in &ensemble.machines {
                let (states, most) = match &plain.name[..1] {
                    "V" => (plain.states.len() <= 4, 3),
                    "C" => (plain.states.len() == 2, 7),
                    _ => (plain.states.len() == 1, formula.clauses.len()),
                };
                assert!(states && plain.arcs.len() <= most, "{plain:?}");
            }
        }
    }
}
