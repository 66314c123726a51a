//! Groups: sends to several machines that happen in one step under rendezvous (P4, definitions D18 to D20).

use super::World;
use super::execute::Path;
use super::message::Target;
use super::process::{BindingId, Deed, Site};
use super::send::{Receiver, Shown};
use super::structure::InstanceId;
use super::view::FaultKind;
use crate::id::Id;
use crate::model::{Effect, Send};
use crate::system::{Join, LabelId};

impl World<'_> {
    /// Effects under rendezvous: what goes to other machines happens in one step, what goes out of the system each by itself.
    pub fn grouped(&self, object: InstanceId, site: Site, binding: BindingId) -> Vec<Deed> {
        let effects = self.body(object).effects(site);
        let sender = self.body(object).bindings[binding.index()].sender;
        let is_met = |effect: &Effect| match effect {
            Effect::Send(send) => match self.target(object, send, sender) {
                Target::Objects(all) => all.iter().any(|to| self.bodies[*to].is_some()),
                Target::Anyone(_) | Target::Attribute(_) => true,
                Target::Outside(_) => false,
            },
            Effect::Assign(_) | Effect::Opaque { .. } => false,
        };
        let first = effects.iter().position(is_met);
        let last = effects.iter().rposition(is_met);
        let mut deeds = Vec::new();
        for (at, effect) in effects.iter().enumerate() {
            let is_in = first.is_some_and(|first| first <= at) && last.is_some_and(|last| at <= last);
            let goes_out = matches!(effect, Effect::Send(_)) && !is_met(effect);
            if !is_in || goes_out {
                deeds.push(Deed::Effect(site, at, binding));
            }
            if Some(at) == last {
                deeds.push(Deed::Group(site, first.unwrap_or(at), at + 1, binding));
            }
        }
        deeds
    }

    /// The ways in which sends happen together.
    pub fn meet(
        &mut self,
        object: InstanceId,
        path: Path,
        site: Site,
        from: usize,
        to: usize,
        binding: BindingId,
    ) -> Vec<Shown> {
        let mut ways: Vec<(Path, Vec<LabelId>)> = vec![(path, Vec::new())];
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
        ways.into_iter()
            .map(|(path, labels)| {
                let join = match labels.is_empty() || path.fault.is_some() {
                    true => Join::Alone,
                    false => Join::Offer(labels),
                };
                Shown { path, event: None, join }
            })
            .collect()
    }

    /// The labels by which one message is offered; none for what goes out of the system, which is told by itself.
    pub fn offers(
        &mut self,
        object: InstanceId,
        path: Path,
        send: &Send,
        binding: BindingId,
    ) -> Vec<(Path, Option<LabelId>)> {
        let mut all = Vec::new();
        let sender = self.body(object).bindings[binding.index()].sender;
        let is_anyone = matches!(self.target(object, send, sender), Target::Anyone(_));
        for (path, values) in self.argued(object, path, send, binding) {
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
                        all.push((Path { fault, ..path }, None));
                    }
                }
            }
        }
        all
    }
}
