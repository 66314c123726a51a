//! What may happen in a state: whether a rule has a step, and whether no rule has any.
//!
//! The clauses of the steps say that a rule fires; they do not say that none can, since that quantifies over
//! the choice of partners. So the ways to take an offer are enumerated here, for the few questions that need
//! them: deadlocks, ends of runs, fairness.

use std::collections::BTreeSet;

use sequent_kernel::system::{ComponentId, Join, LabelId, RuleId, TermId, VariableId};

use crate::sat::encode::NotEncodable;
use crate::sat::encode::number;
use crate::sat::encode::writer::ClauseWriter;
use crate::sat::solver::Literal;

/// More ways in which an offer is taken are not written out.
const MOST_WAYS: usize = 4_096;

impl ClauseWriter<'_> {
    /// Whether no step is possible.
    pub(crate) fn stuck(&mut self) -> Result<Literal, NotEncodable> {
        let actors: Vec<RuleId> = self
            .system
            .rules
            .enumerate()
            .filter(|(_, rule)| matches!(rule.join, Join::Alone | Join::Offer(_)))
            .map(|(id, _)| id)
            .collect();
        let mut possible = Vec::new();
        for rule in actors {
            possible.push(self.possible(rule)?);
        }
        Ok(!self.clauses.or(possible))
    }

    /// Whether some of these rules take part in a step.
    pub(crate) fn possible_among(&mut self, rules: &BTreeSet<RuleId>) -> Result<Literal, NotEncodable> {
        let system = self.system;
        let takes = |rule: &RuleId| matches!(system.rules[*rule].join, Join::Take(_));
        let offers = |rule: &RuleId| matches!(system.rules[*rule].join, Join::Offer(_));
        // What takes does so in the steps of others.
        let others = rules.iter().any(takes).then(|| system.rules.ids().filter(offers));
        let actors: BTreeSet<RuleId> = rules.iter().copied().chain(others.into_iter().flatten()).collect();
        let mut possible = Vec::new();
        for actor in actors {
            let ways = self.ways(actor)?;
            let own = ways.iter().filter(|way| way.iter().any(|rule| rules.contains(rule)));
            possible.extend(own.map(|way| self.fits(way)));
        }
        Ok(self.clauses.or(possible))
    }

    /// Whether a rule that acts has a step.
    pub(crate) fn possible(&mut self, rule: RuleId) -> Result<Literal, NotEncodable> {
        let ways: Vec<Literal> = self.ways(rule)?.iter().map(|way| self.fits(way)).collect();
        Ok(self.clauses.or(ways))
    }

    /// The rules of each step in which a rule acts.
    fn ways(&self, rule: RuleId) -> Result<Vec<Vec<RuleId>>, NotEncodable> {
        let system = self.system;
        let is_never_void = system.is_never(system.void);
        let has_ears = system.rules.iter().any(|rule| matches!(rule.join, Join::Listen(_)));
        if !is_never_void || has_ears {
            return Err(NotEncodable("runs of the system depend on what comes later".to_owned()));
        }
        let labels: Vec<LabelId> = match &system.rules[rule].join {
            Join::Alone => Vec::new(),
            Join::Offer(labels) => labels.clone(),
            Join::Take(_) | Join::Listen(_) => return Ok(Vec::new()),
        };
        let mut ways: Vec<Vec<RuleId>> = vec![vec![rule]];
        for label in labels {
            let takers = self.takers(label);
            ways = ways
                .iter()
                .flat_map(|way| {
                    let owners: BTreeSet<ComponentId> =
                        way.iter().map(|rule| system.rules[*rule].component).collect();
                    let free =
                        takers.iter().filter(move |taker| !owners.contains(&system.rules[**taker].component));
                    free.map(|taker| way.iter().copied().chain([*taker]).collect())
                })
                .collect();
            if ways.len() > MOST_WAYS {
                return Err(NotEncodable("a message is taken in too many ways".to_owned()));
            }
        }
        Ok(ways)
    }

    fn takers(&self, label: LabelId) -> Vec<RuleId> {
        let takes = self.system.rules.enumerate().filter(|(_, rule)| rule.join == Join::Take(label));
        takes.map(|(id, _)| id).collect()
    }

    /// Whether rules may fire together: their guards hold, and they write the same where they write the same variable.
    fn fits(&mut self, rules: &[RuleId]) -> Literal {
        let system = self.system;
        let mut parts = Vec::new();
        for rule in rules {
            parts.extend(self.conjuncts(system.rules[*rule].guard));
            parts.extend(self.inside(*rule));
        }
        let updates: Vec<&(VariableId, TermId)> =
            rules.iter().flat_map(|rule| &system.rules[*rule].updates).collect();
        for (index, (variable, term)) in updates.iter().enumerate() {
            for (_, rival) in updates[..index].iter().filter(|(other, _)| other == variable) {
                let (a, b) = (self.number(*term), self.number(*rival));
                parts.push(number::equal(&a, &b, &mut self.clauses));
            }
        }
        self.clauses.and(parts)
    }
}
