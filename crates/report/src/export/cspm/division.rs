//! Rules divided: the conditions on each party's variables, and how they change.
//!
//! A condition on several parties at once becomes several ways in which it can hold, each of them a condition on every party by itself.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sequent_kernel::system::{ComponentId, RuleId, System, TermId, TermNode, VariableId, VariableRole};

use super::super::promela::{conjuncts, read};
use super::Unwritten;
use super::bodies::{still, values};
use super::parties::{Participation, StepParty};
use super::steps::within;

/// The greatest number of ways in which the conditions of one rule can hold.
const MOST_WAYS: usize = 256;

/// The party of each variable: the queue, for places of waiting messages; else the component that writes it.
fn owners(system: &System, still: &BTreeMap<VariableId, i32>) -> BTreeMap<VariableId, StepParty> {
    let mut owners: BTreeMap<VariableId, StepParty> = BTreeMap::new();
    for (queue, places) in system.fifos() {
        owners.extend(places.iter().map(|place| (*place, StepParty::Queue(queue))));
    }
    let slots = owners.clone();
    let mut writers: BTreeMap<VariableId, BTreeSet<ComponentId>> = BTreeMap::new();
    // What is written only together with a queue belongs to it if others write it, too: whether a guest's message waits.
    let mut beside: BTreeMap<VariableId, BTreeSet<StepParty>> = BTreeMap::new();
    for rule in system.rules.iter() {
        let touched: BTreeSet<StepParty> =
            rule.updates.iter().filter_map(|(variable, _)| slots.get(variable).copied()).collect();
        for (variable, _) in &rule.updates {
            writers.entry(*variable).or_default().insert(rule.component);
            let known = beside.entry(*variable).or_insert_with(|| touched.clone());
            known.retain(|party| touched.contains(party));
        }
    }
    for (variable, writers) in writers {
        if slots.contains_key(&variable) || still.contains_key(&variable) {
            continue;
        }
        let party = match (writers.len(), beside[&variable].first()) {
            (0 | 1, _) => writers.first().map(|writer| StepParty::Object(*writer)),
            (_, Some(queue)) => Some(*queue),
            (_, None) => Some(StepParty::Desk(variable)),
        };
        owners.extend(party.map(|party| (variable, party)));
    }
    owners
}

/// How the rules of a system are divided.
pub(crate) struct Division {
    owners: BTreeMap<VariableId, StepParty>,
    /// What never changes.
    still: HashMap<TermId, TermId>,
    /// What tells that something is broken.
    faults: BTreeSet<VariableId>,
}

impl Division {
    /// Computes the party of each variable.
    pub(crate) fn new(system: &mut System) -> Self {
        let faults: BTreeSet<VariableId> = system.variables_for(VariableRole::Fault).collect();
        let mut still = still(system);
        still.extend(faults.iter().map(|variable| (*variable, 0)));
        let owners = owners(system, &still);
        Division { owners, still: values(system, &still), faults }
    }

    /// Whether a rule breaks the system, and what the parties have to do with it, in each way in which its conditions can hold.
    pub(crate) fn divided(
        &self,
        system: &mut System,
        id: RuleId,
    ) -> Result<(bool, Vec<BTreeMap<StepParty, Participation>>), Unwritten> {
        let rule = system.rules[id].clone();
        self.ends_with_fault(system, rule.guard)?;
        let mut is_fault = false;
        let mut updates: BTreeMap<StepParty, BTreeMap<VariableId, TermId>> = BTreeMap::new();
        let mut open = Vec::new();
        for (variable, term) in &rule.updates {
            if self.faults.contains(variable) {
                is_fault |= system.terms.as_constant(*term) != Some(0);
                continue;
            }
            let term = system.terms.replace(*term, &self.still);
            let Some(owner) = self.owners.get(variable) else { continue };
            if self.parties(system, term).iter().any(|party| party != owner) {
                let name = &system.variables[*variable].name;
                return Err(Unwritten(format!("what becomes of `{name}` depends on others")));
            }
            open.extend(within(system, *variable, term));
            if *system.terms.node(term) != TermNode::Variable(*variable) {
                updates.entry(*owner).or_default().insert(*variable, term);
            }
        }
        let guard = system.terms.replace(rule.guard, &self.still);
        open.extend(self.gathered(system, guard));
        let mut all = Vec::new();
        for guards in self.ways(system, open)? {
            let mut parts: BTreeMap<StepParty, Participation> = BTreeMap::new();
            let involved: BTreeSet<StepParty> = guards.keys().chain(updates.keys()).copied().collect();
            for party in involved {
                let own = guards.get(&party).cloned().unwrap_or_default();
                let guard = system.terms.and(own);
                parts.insert(party, (guard, updates.get(&party).cloned().unwrap_or_default()));
            }
            let is_possible = |(guard, _): &Participation| system.terms.as_constant(*guard) != Some(0);
            if !parts.values().all(is_possible) {
                continue;
            }
            if parts.is_empty() {
                parts.insert(StepParty::Object(rule.component), (system.terms.truth(true), BTreeMap::new()));
            }
            all.push(parts);
        }
        Ok((is_fault, all))
    }

    /// An error if something goes on although the system is broken.
    fn ends_with_fault(&self, system: &mut System, guard: TermId) -> Result<(), Unwritten> {
        for variable in &self.faults {
            if system.variables[*variable].max == 0 {
                continue;
            }
            let broken = HashMap::from([(system.terms.variable(*variable), system.terms.constant(1))]);
            let guard = system.terms.replace(guard, &broken);
            if system.terms.as_constant(guard) != Some(0) {
                return Err(Unwritten("something goes on after a fault".to_owned()));
            }
        }
        Ok(())
    }

    fn parties(&self, system: &System, term: TermId) -> BTreeSet<StepParty> {
        read(system, term).iter().filter_map(|variable| self.owners.get(variable).copied()).collect()
    }

    /// The conditions of a guard. Those that an object and another party may meet in turn are one where the object's is the same.
    fn gathered(&self, system: &mut System, guard: TermId) -> Vec<TermId> {
        let mut all = Vec::new();
        let mut turns: BTreeMap<(TermId, StepParty), Vec<TermId>> = BTreeMap::new();
        for term in conjuncts(system, guard) {
            let TermNode::Or(parts) = system.terms.node(term).clone() else {
                all.push(term);
                continue;
            };
            let parties: Vec<StepParty> = self.parties(system, term).into_iter().collect();
            let by_party = |party: StepParty| -> Vec<TermId> {
                let is_own = |part: &TermId| self.parties(system, *part) == BTreeSet::from([party]);
                parts.iter().copied().filter(is_own).collect()
            };
            match parties.as_slice() {
                [object @ StepParty::Object(_), other] => {
                    let [mine, theirs] = [by_party(*object), by_party(*other)];
                    if mine.len() + theirs.len() < parts.len() {
                        all.push(term);
                        continue;
                    }
                    let [mine, theirs] = [system.terms.or(mine), system.terms.or(theirs)];
                    turns.entry((mine, *other)).or_default().push(theirs);
                }
                _ => all.push(term),
            }
        }
        for ((mine, _), theirs) in turns {
            let theirs = system.terms.and(theirs);
            all.push(system.terms.or([mine, theirs]));
        }
        all
    }

    /// The ways in which conditions can hold, each a condition on every party by itself.
    fn ways(
        &self,
        system: &mut System,
        open: Vec<TermId>,
    ) -> Result<Vec<BTreeMap<StepParty, BTreeSet<TermId>>>, Unwritten> {
        let mut ways = Vec::new();
        let mut left = vec![(BTreeMap::<StepParty, BTreeSet<TermId>>::new(), open)];
        while let Some((mut own, mut open)) = left.pop() {
            let Some(term) = open.pop() else {
                ways.push(own);
                continue;
            };
            let parties = self.parties(system, term);
            match parties.len() {
                0 if system.terms.as_constant(term) == Some(0) => continue,
                0 => left.push((own, open)),
                1 => {
                    own.entry(*parties.first().expect("there is one")).or_default().insert(term);
                    left.push((own, open));
                }
                _ => {
                    for more in self.opened(system, term)? {
                        left.push((own.clone(), [open.clone(), more].concat()));
                    }
                }
            }
            if left.len() + ways.len() > MOST_WAYS {
                return Err(Unwritten("a step depends on its parties in too many ways".to_owned()));
            }
        }
        Ok(ways)
    }

    /// A condition on several parties as conditions of which one holds, each a list of which all do.
    fn opened(&self, system: &mut System, term: TermId) -> Result<Vec<Vec<TermId>>, Unwritten> {
        let no = || Unwritten("a step compares what several parties know".to_owned());
        let nots = |system: &mut System, parts: &[TermId]| -> Vec<TermId> {
            parts.iter().map(|part| system.terms.not(*part)).collect()
        };
        match system.terms.node(term).clone() {
            TermNode::And(parts) => Ok(vec![parts.to_vec()]),
            TermNode::Or(parts) => Ok(self.apart(system, &parts)),
            TermNode::If(condition, yes, no) => {
                let otherwise = system.terms.not(condition);
                Ok(vec![vec![condition, yes], vec![otherwise, no]])
            }
            TermNode::Not(inner) => match system.terms.node(inner).clone() {
                TermNode::Or(parts) => Ok(vec![nots(system, &parts)]),
                TermNode::And(parts) => {
                    let parts = nots(system, &parts);
                    Ok(self.apart(system, &parts))
                }
                TermNode::If(condition, yes, no) => {
                    let negated = nots(system, &[condition, yes, no]);
                    Ok(vec![vec![condition, negated[1]], vec![negated[0], negated[2]]])
                }
                TermNode::Not(inner) => Ok(vec![vec![inner]]),
                TermNode::Constant(_)
                | TermNode::Variable(_)
                | TermNode::Equal(..)
                | TermNode::Less(..)
                | TermNode::Number(..) => Err(no()),
            },
            TermNode::Constant(_)
            | TermNode::Variable(_)
            | TermNode::Equal(..)
            | TermNode::Less(..)
            | TermNode::Number(..) => Err(no()),
        }
    }

    /// Conditions of which one holds: those on one party are one.
    fn apart(&self, system: &mut System, parts: &[TermId]) -> Vec<Vec<TermId>> {
        let mut single: BTreeMap<StepParty, Vec<TermId>> = BTreeMap::new();
        let mut all = Vec::new();
        for part in parts {
            let parties = self.parties(system, *part);
            match (parties.first(), parties.len()) {
                (Some(party), 1) => single.entry(*party).or_default().push(*part),
                (_, _) => all.push(vec![*part]),
            }
        }
        all.extend(single.into_values().map(|parts| vec![system.terms.or(parts)]));
        all
    }
}
