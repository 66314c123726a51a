//! The rules of a system with queues, shared out among the parties.
//!
//! A rule is divided into the share of each party: the conditions on its variables, and their updates. What
//! several parties do together is one event for all of them. Rules that show the same are one event, if every
//! share of one party is compatible with every share of the others; else they have different events inside
//! ([`PartyDeed::Way`]) and the same outside.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::system::{EventId, Join, RuleId, System, TermId, VariableId};

use super::Unwritten;
use super::division::Division;
use super::parties::{OwnRule, Participation, PartyDeed, Shares, StepParty};

/// Divides the rules of a system.
pub(crate) fn shares(system: &mut System) -> Result<Shares, Unwritten> {
    let division = Division::new(system);
    let mut all: BTreeMap<RuleView, AlikeRules> = BTreeMap::new();
    for (id, rule) in system.rules.clone().enumerate() {
        if rule.urgent {
            return Err(Unwritten("something in it is decided at once".to_owned()));
        }
        match &rule.join {
            Join::Alone => {}
            Join::Offer(labels) if labels.is_empty() => {}
            Join::Offer(_) | Join::Take(_) | Join::Listen(_) => {
                return Err(Unwritten("objects meet and have queues".to_owned()));
            }
        }
        let (is_fault, ways) = division.divided(system, id)?;
        let alike = all.entry((rule.event, is_fault)).or_default();
        for parts in ways {
            let (parties, parts): (Vec<StepParty>, Vec<Participation>) = parts.into_iter().unzip();
            alike.entry(parties).or_default().entry(parts).or_insert(id);
        }
    }
    let mut shares = Shares::default();
    all.into_iter().for_each(|(shown, alike)| add(&mut shares, shown, alike));
    Ok(shares)
}

/// Rules that show the same.
fn add(shares: &mut Shares, shown: RuleView, alike: AlikeRules) {
    let (event, is_fault) = shown;
    let mut joint: Vec<(Vec<StepParty>, Vec<BTreeSet<Participation>>)> = Vec::new();
    let mut rules: BTreeMap<(StepParty, Participation), RuleId> = BTreeMap::new();
    for (parties, tuples) in alike {
        for (tuple, rule) in &tuples {
            for (party, part) in parties.iter().zip(tuple) {
                let first = rules.entry((*party, part.clone())).or_insert(*rule);
                *first = (*first).min(*rule);
            }
        }
        let products = products(tuples.into_keys().collect());
        joint.extend(products.into_iter().map(|product| (parties.clone(), product)));
    }
    let is_only = joint.len() == 1;
    for (parties, product) in joint {
        let deed = match (is_fault, event) {
            (true, _) => {
                shares.faults.push(event);
                Some(PartyDeed::Fault(shares.faults.len() - 1))
            }
            (false, Some(event)) if is_only => Some(PartyDeed::Event(event)),
            (false, None) if parties.len() == 1 => None,
            (false, _) => {
                shares.ways.push(event);
                Some(PartyDeed::Way(shares.ways.len() - 1))
            }
        };
        for (party, parts) in parties.into_iter().zip(product) {
            for part in parts {
                let rule = rules[&(party, part.clone())];
                give(shares, party, rule, part, deed);
            }
        }
    }
}

fn give(
    shares: &mut Shares,
    party: StepParty,
    rule: RuleId,
    (guard, updates): Participation,
    deed: Option<PartyDeed>,
) {
    let updates: Vec<(VariableId, TermId)> = updates.into_iter().collect();
    let all = shares.own.entry(party).or_default();
    match all.iter_mut().find(|own| own.rule == rule && own.guard == guard && own.updates == updates) {
        Some(own) => own.deeds.push(deed),
        None => all.push(OwnRule { rule, guard, updates, deeds: vec![deed] }),
    }
}

/// For parties, the ways in which they take part together, each with the first rule of which it is.
type AlikeRules = BTreeMap<Vec<StepParty>, BTreeMap<Vec<Participation>, RuleId>>;

/// What is seen of a rule, and whether it breaks the system.
type RuleView = (Option<EventId>, bool);

/// Sets of which each element of one goes with all elements of the others; together they are exactly these combinations.
fn products(tuples: BTreeSet<Vec<Participation>>) -> Vec<Vec<BTreeSet<Participation>>> {
    let mut rests: BTreeMap<Participation, BTreeSet<Vec<Participation>>> = BTreeMap::new();
    for tuple in tuples {
        match tuple.split_first() {
            Some((first, rest)) => _ = rests.entry(first.clone()).or_default().insert(rest.to_vec()),
            None => return vec![Vec::new()],
        }
    }
    let mut alike: BTreeMap<BTreeSet<Vec<Participation>>, BTreeSet<Participation>> = BTreeMap::new();
    for (first, rest) in rests {
        alike.entry(rest).or_default().insert(first);
    }
    let mut all = Vec::new();
    for (rest, firsts) in alike {
        for product in products(rest) {
            all.push([vec![firsts.clone()], product].concat());
        }
    }
    all
}
