//! Groups: sends to several machines that happen in one step under rendezvous (P4, definitions D18 to D20).

use std::collections::BTreeSet;
use std::ops::Range;

use super::World;
use super::data::ValueType;
use super::message::MessageReceiver;
use super::path::InvisiblePath;
use super::process::{BindingId, EffectSite, ProcessStep};
use super::send::{Receiver, SendStep};
use super::structure::InstanceId;
use super::view::FaultKind;
use crate::id::Id;
use crate::model::{Assign, Effect, Send};
use crate::system::{Join, LabelId};

/// Where an effect goes under rendezvous.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Goes {
    /// It is no send.
    Nowhere,
    /// Out of the system, or to the environment.
    Out,
    /// To another machine, which takes it in the same step.
    Met,
    /// To the object that an attribute refers to.
    ByReference,
}

impl World<'_> {
    /// Effects under rendezvous, from one on: what goes to other machines happens in one step, what goes out of the system each by itself.
    pub(crate) fn grouped(
        &self,
        object: InstanceId,
        site: EffectSite,
        start: usize,
        binding: BindingId,
    ) -> Vec<ProcessStep> {
        let effects = self.body(object).effects(site);
        let goes: Vec<Goes> =
            effects.iter().map(|effect| self.goes(object, effect, binding)).skip(start).collect();
        if goes.contains(&Goes::ByReference) {
            let first = goes.iter().position(|goes| *goes != Goes::Nowhere).unwrap_or(0) + start;
            let quiet = (start..first).map(|at| ProcessStep::Effect(site, at, binding));
            return quiet.chain([ProcessStep::Address(site, first, Vec::new(), binding)]).collect();
        }
        let first = goes.iter().position(|goes| *goes == Goes::Met).map(|at| at + start);
        let last = goes.iter().rposition(|goes| *goes == Goes::Met).map(|at| at + start);
        let mut deeds = Vec::new();
        for (at, goes) in (start..).zip(goes) {
            let is_in = first.is_some_and(|first| first <= at) && last.is_some_and(|last| at <= last);
            if !is_in || goes == Goes::Out {
                deeds.push(ProcessStep::Effect(site, at, binding));
            }
            if Some(at) == last {
                deeds.push(ProcessStep::Group(site, first.unwrap_or(at), at + 1, binding));
            }
        }
        deeds
    }

    /// Where an effect goes, as far as that is known beforehand.
    pub(crate) fn goes(&self, object: InstanceId, effect: &Effect, binding: BindingId) -> Goes {
        let sender = self.body(object).bindings[binding.index()].sender;
        match effect {
            Effect::Send(send) => match self.target(object, send, sender) {
                MessageReceiver::Objects(all) if all.iter().any(|to| self.bodies[*to].is_some()) => Goes::Met,
                MessageReceiver::Anyone(_) => Goes::Met,
                MessageReceiver::Attribute(_) => Goes::ByReference,
                MessageReceiver::Objects(_) | MessageReceiver::Outside(_) => Goes::Out,
            },
            Effect::Assign(_) | Effect::Opaque { .. } => Goes::Nowhere,
        }
    }

    /// The next step of sends of which some go by reference, in each way that the references may be: as long as something goes out of
    /// the system before the last that is met, that, and then all that are met.
    pub(crate) fn address(
        &mut self,
        object: InstanceId,
        path: InvisiblePath,
        site: EffectSite,
        from: usize,
        told: &[usize],
        binding: BindingId,
    ) -> Vec<SendStep> {
        let mut all = Vec::new();
        let count = self.body(object).effects(site).len();
        for (path, goes) in self.addressed(object, path, site, from..count, binding) {
            let is_open = |at: &usize, wanted: Goes| goes[at - from] == wanted && !told.contains(at);
            let last = (from..count).rfind(|at| is_open(at, Goes::Met));
            let out = (from..last.unwrap_or(count)).find(|at| is_open(at, Goes::Out));
            let next = match (out, last) {
                (Some(out), Some(_)) => {
                    let told = told.iter().copied().chain([out]).collect();
                    vec![ProcessStep::Address(site, from, told, binding)]
                }
                (None, Some(at)) | (Some(at), None) => self.grouped(object, site, at + 1, binding),
                (None, None) => Vec::new(),
            };
            let next = self.in_sequence(object, next);
            let rest = self.body_mut(object).processes.then(next, path.rest);
            let path = InvisiblePath { rest, ..path };
            let effect = out.and_then(|out| self.body(object).effects(site).get(out).cloned());
            match (effect, last) {
                (Some(Effect::Send(send)), _) => all.extend(self.send(object, path, &send, None, binding)),
                (Some(Effect::Assign(_) | Effect::Opaque { .. }) | None, Some(last)) => {
                    all.extend(self.meet(object, path, site, from, last + 1, binding));
                }
                (Some(Effect::Assign(_) | Effect::Opaque { .. }) | None, None) => {
                    all.push(SendStep { path, event: None, join: Join::Alone });
                }
            }
        }
        all
    }

    fn is_reference(&self, object: InstanceId, assign: &Assign) -> bool {
        let name = assign.target.last();
        let slot = name.and_then(|name| self.body(object).attributes.get(name));
        slot.is_some_and(|slot| slot.kind == ValueType::Object)
    }

    /// Whether one effect is met by another machine, in each way that the references may be.
    pub(crate) fn goes_now(
        &mut self,
        object: InstanceId,
        path: InvisiblePath,
        site: EffectSite,
        at: usize,
    ) -> Vec<(InvisiblePath, bool)> {
        let none = BindingId::from_index(0);
        let goes = self.body(object).effects(site).get(at).map(|effect| self.goes(object, effect, none));
        match goes.filter(|_| self.is_rendezvous()) {
            Some(Goes::ByReference) => {
                let ways = self.addressed(object, path, site, at..at + 1, none);
                ways.into_iter().map(|(path, goes)| (path, goes == [Goes::Met])).collect()
            }
            Some(Goes::Met) => vec![(path, true)],
            Some(Goes::Out | Goes::Nowhere) | None => vec![(path, false)],
        }
    }

    /// Where each effect goes, in each way that the references may be when their turn comes.
    fn addressed(
        &mut self,
        object: InstanceId,
        path: InvisiblePath,
        site: EffectSite,
        range: Range<usize>,
        binding: BindingId,
    ) -> Vec<(InvisiblePath, Vec<Goes>)> {
        // What becomes of references on the way is followed, and not kept.
        let mut ways: Vec<(InvisiblePath, InvisiblePath, Vec<Goes>)> = vec![(path.clone(), path, Vec::new())];
        for effect in &self.body(object).effects(site)[range] {
            let mut next = Vec::new();
            for (path, scratch, goes) in ways {
                let with = |more: Goes| goes.iter().copied().chain([more]).collect::<Vec<_>>();
                match (self.goes(object, effect, binding), effect) {
                    (Goes::ByReference, Effect::Send(send)) => {
                        for (then, to) in self.aimed(object, scratch.clone(), send, binding) {
                            let is_met = match to {
                                Receiver::Object(to) => self.bodies[to].is_some(),
                                Receiver::Nobody => true,
                                Receiver::Outside(_) => false,
                            };
                            let goes = with(if is_met { Goes::Met } else { Goes::Out });
                            let path = InvisiblePath {
                                condition: then.condition,
                                facts: then.facts.clone(),
                                ..path.clone()
                            };
                            next.push((path, then, goes));
                        }
                    }
                    (known, Effect::Assign(assign)) if self.is_reference(object, assign) => {
                        let then = self.assign(object, scratch, assign, binding).into_iter();
                        let then = then.filter(|then| then.fault.is_none());
                        next.extend(then.map(|then| (path.clone(), then, with(known))));
                    }
                    (known, _) => next.push((path, scratch, with(known))),
                }
            }
            ways = next;
        }
        let ways: BTreeSet<(InvisiblePath, Vec<Goes>)> =
            ways.into_iter().map(|(path, _, goes)| (path, goes)).collect();
        ways.into_iter().collect()
    }

    /// The ways in which sends happen together.
    pub(crate) fn meet(
        &mut self,
        object: InstanceId,
        path: InvisiblePath,
        site: EffectSite,
        from: usize,
        to: usize,
        binding: BindingId,
    ) -> Vec<SendStep> {
        let mut ways: Vec<(InvisiblePath, Vec<LabelId>)> = vec![(path, Vec::new())];
        for at in from..to {
            let effect = self.body(object).effects(site).get(at).cloned();
            let mut next = Vec::new();
            for (path, labels) in ways {
                match &effect {
                    Some(Effect::Assign(assign)) => {
                        let after = self.assign(object, path, assign, binding);
                        next.extend(after.into_iter().map(|path| (path, labels.clone())));
                    }
                    Some(Effect::Send(send)) => {
                        for (path, label) in self.offers(object, path, send, binding) {
                            next.push((path, labels.iter().copied().chain(label).collect()));
                        }
                    }
                    Some(Effect::Opaque { .. }) | None => next.push((path, labels)),
                }
            }
            ways = next;
        }
        let mut all = Vec::new();
        for (path, labels) in ways {
            let shown = |join| SendStep { path: path.clone(), event: None, join };
            match labels.is_empty() || path.fault.is_some() {
                true => all.push(shown(Join::Alone)),
                false => {
                    all.extend(self.orders(&labels).into_iter().map(|labels| shown(Join::Offer(labels))))
                }
            }
        }
        all
    }

    /// The labels by which one message is offered; `None` for a message that leaves the system, which is a
    /// step of its own.
    pub(crate) fn offers(
        &mut self,
        object: InstanceId,
        path: InvisiblePath,
        send: &Send,
        binding: BindingId,
    ) -> Vec<(InvisiblePath, Option<LabelId>)> {
        let mut all = Vec::new();
        let sender = self.body(object).bindings[binding.index()].sender;
        let is_anyone = matches!(self.target(object, send, sender), MessageReceiver::Anyone(_));
        for (path, values) in self.argued(object, path, send, binding) {
            if path.fault.is_some() {
                all.push((path, None));
                continue;
            }
            if is_anyone {
                let label = self.label(object, None, &send.name, &values);
                all.push((path, Some(label)));
                continue;
            }
            for (path, to) in self.aimed(object, path, send, binding) {
                match to {
                    Receiver::Object(to) if self.bodies[to].is_some() => {
                        let label = self.label(object, Some(to), &send.name, &values);
                        all.push((path, Some(label)));
                    }
                    Receiver::Object(_) | Receiver::Outside(_) => all.push((path, None)),
                    Receiver::Nobody => {
                        let owner = &self.structure.objects[object].name;
                        let text = format!("{owner} sends {} to nobody", send.name);
                        let fault = Some(self.fault(FaultKind::Nobody, text, send.place));
                        all.push((InvisiblePath { fault, ..path }, None));
                    }
                }
            }
        }
        all
    }
}
