//! Who takes part in the steps of a system with queues: each object, each queue, and what several objects write to.
//!
//! A rule is divided into what each party has to do with it: the conditions on its variables, and how they change. What several
//! parties do together is one event for all of them. Rules that show the same are one event, if every way in which one party
//! takes part goes with every way of the others; else they are told apart inside ([`Deed::Way`]) and look alike outside. What breaks the system is an
//! event, too ([`Deed::Fault`]).

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::system::{ComponentId, EventId, Join, QueueId, RuleId, System, TermId, VariableId};

use super::Unwritten;
use super::bodies::Own;
use super::division::Division;

/// Somebody, or something, that takes part in steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Party {
    /// An object: its states and attributes.
    Object(ComponentId),
    /// A queue.
    Queue(QueueId),
    /// A variable to which several objects write.
    Desk(VariableId),
}

/// What is done in a step, as those know it who do it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Deed {
    /// It is known as it is seen.
    Event(EventId),
    /// One of several that look alike, or one of which nothing is seen.
    Way(usize),
    /// What breaks the system.
    Fault(usize),
}

/// What a party has to do with a rule: when, and what changes.
pub type Part = (TermId, BTreeMap<VariableId, TermId>);

/// What all parties do.
#[derive(Default)]
pub struct Shares {
    /// The rules of each.
    pub own: BTreeMap<Party, Vec<Own>>,
    /// What is seen of ways.
    pub ways: Vec<Option<EventId>>,
    /// What is seen of faults.
    pub faults: Vec<Option<EventId>>,
}

impl Shares {
    /// Divides the rules of a system.
    pub fn new(system: &mut System) -> Result<Self, Unwritten> {
        let division = Division::new(system);
        let mut all: BTreeMap<Shown, Alike> = BTreeMap::new();
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
                let (parties, parts): (Vec<Party>, Vec<Part>) = parts.into_iter().unzip();
                alike.entry(parties).or_default().entry(parts).or_insert(id);
            }
        }
        let mut shares = Shares::default();
        all.into_iter().for_each(|(shown, alike)| shares.add(shown, alike));
        Ok(shares)
    }

    /// What a party has a say in.
    pub fn alphabet(&self, party: Party) -> BTreeSet<Deed> {
        let own = self.own.get(&party).into_iter().flatten();
        own.flat_map(|own| own.deeds.iter().flatten().copied()).collect()
    }

    /// What is seen of a deed.
    pub fn shows(&self, deed: Deed) -> Option<EventId> {
        match deed {
            Deed::Event(event) => Some(event),
            Deed::Way(number) => self.ways[number],
            Deed::Fault(number) => self.faults[number],
        }
    }

    /// Rules that show the same.
    fn add(&mut self, shown: Shown, alike: Alike) {
        let (event, is_fault) = shown;
        let mut joint: Vec<(Vec<Party>, Vec<BTreeSet<Part>>)> = Vec::new();
        let mut rules: BTreeMap<(Party, Part), RuleId> = BTreeMap::new();
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
                    self.faults.push(event);
                    Some(Deed::Fault(self.faults.len() - 1))
                }
                (false, Some(event)) if is_only => Some(Deed::Event(event)),
                (false, None) if parties.len() == 1 => None,
                (false, _) => {
                    self.ways.push(event);
                    Some(Deed::Way(self.ways.len() - 1))
                }
            };
            for (party, parts) in parties.into_iter().zip(product) {
                for part in parts {
                    let rule = rules[&(party, part.clone())];
                    self.give(party, rule, part, deed);
                }
            }
        }
    }

    fn give(&mut self, party: Party, rule: RuleId, (guard, updates): Part, deed: Option<Deed>) {
        let updates: Vec<(VariableId, TermId)> = updates.into_iter().collect();
        let all = self.own.entry(party).or_default();
        match all.iter_mut().find(|own| own.rule == rule && own.guard == guard && own.updates == updates) {
            Some(own) => own.deeds.push(deed),
            None => all.push(Own { rule, guard, updates, deeds: vec![deed] }),
        }
    }
}

/// For parties, the ways in which they take part together, each with the first rule of which it is.
type Alike = BTreeMap<Vec<Party>, BTreeMap<Vec<Part>, RuleId>>;

/// What is seen of a rule, and whether it breaks the system.
type Shown = (Option<EventId>, bool);

/// Sets of which each element of one goes with all elements of the others; together they are exactly these combinations.
fn products(tuples: BTreeSet<Vec<Part>>) -> Vec<Vec<BTreeSet<Part>>> {
    let mut rests: BTreeMap<Part, BTreeSet<Vec<Part>>> = BTreeMap::new();
    for tuple in tuples {
        match tuple.split_first() {
            Some((first, rest)) => _ = rests.entry(first.clone()).or_default().insert(rest.to_vec()),
            None => return vec![Vec::new()],
        }
    }
    let mut alike: BTreeMap<BTreeSet<Vec<Part>>, BTreeSet<Part>> = BTreeMap::new();
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
