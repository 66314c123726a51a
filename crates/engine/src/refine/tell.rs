//! Counterexamples of refinement: a trace, and a run of the implementation that shows it.

use std::collections::BTreeSet;

use sequent_kernel::replay::Run;
use sequent_kernel::system::Step;

use super::normal::SetFacts;
use super::party::{END, EventLetter, PartyNames};
use super::product::{PairNumber, RefinementProduct, Wrong};
use super::{Counterexample, Excess, RestOffer};

impl RefinementProduct<'_> {
    /// A counterexample in words.
    pub(super) fn tell(&mut self, wrong: Wrong) -> Counterexample {
        let first = self.implementation.graph.first().map(|(_, steps)| steps.to_vec());
        let mut told = ToldRun { steps: first.unwrap_or_default(), trace: Vec::new() };
        let (at, excess) = match &wrong {
            Wrong::Step(at, _) => (*at, Excess::Trace),
            Wrong::End(at) => (*at, Excess::End),
            Wrong::Divergence(at, _) => (*at, Excess::Divergence),
            Wrong::Refusal(at, offer) => {
                let (_, set) = self.pairs[*at as usize];
                let refused = refused(self.normal.facts(set), offer);
                (
                    *at,
                    Excess::Refusal {
                        offered: named(&self.names.borrow(), offer),
                        refused: named(&self.names.borrow(), &refused),
                    },
                )
            }
        };
        let mut path = Vec::new();
        let mut to = at;
        while let Some((from, number)) = self.came[to as usize] {
            path.push((from, number));
            to = from;
        }
        path.reverse();
        self.follow(&path, &mut told);
        let mut cycle = None;
        match &wrong {
            Wrong::Step(at, number) => self.follow(&[(*at, *number)], &mut told),
            Wrong::Divergence(_, circle) => {
                cycle = Some(told.steps.len());
                self.follow(circle, &mut told);
            }
            Wrong::End(_) | Wrong::Refusal(..) => {}
        }
        Counterexample { trace: told.trace, excess, run: Run { steps: told.steps, cycle } }
    }

    fn follow(&mut self, path: &[(PairNumber, u32)], told: &mut ToldRun) {
        for (from, number) in path {
            let (node, _) = self.pairs[*from as usize];
            let moves = self.implementation.moves(node);
            let letter = moves.iter().find(|step| step.number == *number).and_then(|step| step.letter);
            told.trace.extend(letter.map(|letter| self.names.borrow().text(letter).to_owned()));
            told.steps.extend(self.implementation.graph.steps(node, *number as usize));
        }
    }
}

/// A run and what is seen of it.
struct ToldRun {
    steps: Vec<Step>,
    trace: Vec<String>,
}

/// A least set outside of an offer that holds something of each that the specification offers.
fn refused(facts: &SetFacts, offer: &[EventLetter]) -> Vec<EventLetter> {
    let lacks: Vec<BTreeSet<EventLetter>> = facts
        .offers
        .iter()
        .map(|least| least.iter().copied().filter(|letter| !offer.contains(letter)).collect())
        .collect();
    let mut refused: BTreeSet<EventLetter> = lacks.iter().flatten().copied().collect();
    for letter in refused.clone() {
        refused.remove(&letter);
        if !lacks.iter().all(|lack| lack.iter().any(|letter| refused.contains(letter))) {
            refused.insert(letter);
        }
    }
    refused.into_iter().collect()
}

fn named(names: &PartyNames, letters: &[EventLetter]) -> RestOffer {
    let events = letters.iter().filter(|letter| **letter != END);
    RestOffer {
        events: events.map(|letter| names.text(*letter).to_owned()).collect(),
        end: letters.contains(&END),
    }
}
