//! Rendezvous: a message is a channel of capacity 0.
//!
//! The sender offers, and both check their conditions in the index of the channel, so that they synchronise
//! only if both are enabled. The receiver does its part first and leaves everything to the sender (`busy`),
//! which does the rest. A transition that meets several at once, or reads what its partner writes, is one
//! step with the conditions of all.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::system::{Join, LabelId, RuleId, Step, System, VariableId};

use super::super::super::names::Identifiers;
use super::super::lexicon::{comment, printed};
use super::super::terms::read;
use super::machines::{ObserverMachines, TELLS};

impl ObserverMachines<'_> {
    /// Labels that one sender and one receiver meet on, without either reading what the other writes.
    pub(super) fn meetings(&self, names: &mut Identifiers) -> BTreeMap<LabelId, (String, Vec<RuleId>)> {
        let system = self.system();
        let mut free: BTreeMap<RuleId, bool> = BTreeMap::new();
        for step in self.steps {
            if let ([offer, take], Join::Offer(labels)) = (step.0.as_slice(), &system.rules[step.0[0]].join) {
                let is_free = labels.len() == 1 && are_apart(system, *offer, *take);
                *free.entry(*offer).or_insert(true) &= is_free;
            }
        }
        let mut labels: BTreeMap<LabelId, (String, Vec<RuleId>)> = BTreeMap::new();
        for rule in free.into_iter().filter(|(_, is_free)| *is_free).map(|(rule, _)| rule) {
            let Join::Offer(offered) = &system.rules[rule].join else { continue };
            for label in offered {
                let named = || (names.give(&format!("meet {}", system.labels[*label])), Vec::new());
                labels.entry(*label).or_insert_with(named).1.push(rule);
            }
        }
        // A byte tells senders apart.
        labels.retain(|_, (_, senders)| senders.len() < 255);
        labels
    }

    /// The channel and the number of a rule that offers.
    pub(super) fn offer(&self, rule: RuleId) -> Option<(&str, usize)> {
        let Join::Offer(labels) = &self.system().rules[rule].join else { return None };
        let (name, senders) = self.labels.get(labels.first()?)?;
        Some((name, senders.iter().position(|sender| *sender == rule)?))
    }

    /// Both sides of what meets on channels.
    pub(super) fn handshakes(&mut self) -> Vec<(RuleId, String)> {
        let system = self.system();
        let mut options = Vec::new();
        let rules: Vec<RuleId> = system.rules.ids().collect();
        for rule in rules {
            let guard = self.guard(&[rule], None);
            let updates = self.deeds.updates(&[rule], &mut self.widest);
            let option = match &system.rules[rule].join {
                Join::Offer(labels) => {
                    let Some((name, own)) = self.offer(rule) else { continue };
                    let name = name.to_owned();
                    let mut lines = [updates, vec!["busy = 0".to_owned()]].concat();
                    let tells = self.told.as_ref().map(|told| {
                        if let Some(silent) = told.silent {
                            lines.push(format!("shown = (shown -> shown : {silent})"));
                        } else if !told.change.is_never() {
                            lines.push(format!("shown = (shown -> shown : {})", told.change.number()));
                            lines.extend(told.change.after());
                        }
                        format!("; {TELLS}")
                    });
                    let note = format!("{} is sent", texts(system, labels));
                    format!(
                        "  /* {} */\n  :: atomic {{ {name}[(({guard}) -> 0 : 1)]!{own} -> d_step {{ {} }}{} }}\n",
                        comment(&note),
                        lines.join("; "),
                        tells.unwrap_or_default()
                    )
                }
                Join::Take(label) => {
                    let Some((name, senders)) = self.labels.get(label) else { continue };
                    let mut lines = Vec::new();
                    if let Some(told) = &self.told {
                        lines.extend(told.change.before());
                        lines.push(format!("shown = {}", self.shown_by(senders, rule)));
                    }
                    lines.extend(updates);
                    lines.extend(["who = 0".to_owned(), "busy = 1".to_owned()]);
                    let note = format!("{} is taken", system.labels[*label]);
                    lines.push(format!("printf(\"{}\\n\")", printed(&note)));
                    format!(
                        "  /* {} */\n  :: atomic {{ {name}[(({guard}) -> 0 : 2)]?who -> d_step {{ {} }} }}\n",
                        comment(&note),
                        lines.join("; ")
                    )
                }
                Join::Alone | Join::Listen(_) => continue,
            };
            options.push((rule, option));
        }
        options
    }

    /// The number of what a receiver shows with each sender.
    fn shown_by(&self, senders: &[RuleId], taker: RuleId) -> String {
        let Some(told) = &self.told else { return "0".to_owned() };
        let number = |sender: &RuleId| {
            let is_it = |step: &Step| step.0.as_slice() == [*sender, taker];
            self.steps.iter().position(is_it).map(|at| told.numbers[at])
        };
        let numbers: Vec<(usize, usize)> =
            senders.iter().enumerate().filter_map(|(at, sender)| Some((at, number(sender)?))).collect();
        let Some((_, last)) = numbers.last() else { return "0".to_owned() };
        let mut text = last.to_string();
        for (at, shown) in numbers.iter().rev().skip(1).filter(|(_, shown)| shown != last) {
            text = format!("(who == {at} -> {shown} : {text})");
        }
        text
    }
}

fn texts(system: &System, labels: &[LabelId]) -> String {
    labels.iter().map(|label| system.labels[*label].as_str()).collect::<Vec<_>>().join(", ")
}

/// Whether a sender may do its part after the receiver: it reads nothing that the receiver writes, and writes nothing else to it.
fn are_apart(system: &System, offer: RuleId, take: RuleId) -> bool {
    let [offer, take] = [offer, take].map(|rule| &system.rules[rule].updates);
    let written: BTreeSet<VariableId> = take.iter().map(|(variable, _)| *variable).collect();
    offer
        .iter()
        .all(|(variable, term)| !written.contains(variable) && read(system, *term).is_disjoint(&written))
}
