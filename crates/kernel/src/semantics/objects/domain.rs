//! Domains: which values the arguments of messages have (rule M4).
//!
//! An operation of a class declares the types of its parameters. Where none does, the values are those that are really sent: a least fixpoint. At
//! first nothing is sent. The effects of all transitions are looked at, for all values so far of the parameters they bind, unless the
//! guard is false for these; what is sent joins the domain of its message, as a range from the least to the greatest number, and what is sent on
//! where that message is taken is looked at again. So what is passed on in a circle has the values with which the circle begins. Where the values never
//! end, are too many, one of them is not known, or the environment sends the message too, the argument is *open*: it has no value, and what depends on
//! it is decided freely and reported (H621). Each receiver has domains of its own, so that what goes round between two objects is not taken for what
//! each of them gets; an event shows the values of all receivers together. What is still not sent in the end never is.
//!
//! The fixpoint ends: a domain only grows, by at least one of at most `MOST_VALUES` values, and then is open.

use std::collections::{BTreeMap, BTreeSet};

use super::World;
use super::body::is_passed;
use super::data::{MOST_VALUES, Typed, ValueType, evaluate, is_unbounded, mentions, truth};
use super::message::GroundMessage;
use super::names::VisibleNames;
use super::open::Doubt;
use super::process::{Binding, EffectSite};
use super::structure::InstanceId;
use crate::model::{Attribute, Class, ClassKind, Machine, Send, TransitionId, Trigger};
use crate::source::Place;

/// What is known of an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
enum ArgumentDomain {
    /// Nothing is sent so far.
    Empty,
    /// The values that are declared, whatever is sent.
    Declared(ValueType),
    /// Values of this type.
    Values(ValueType),
    /// Not known, and why.
    Open(Doubt),
}

/// By message and receiver; without a receiver what is sent to anybody, outside too.
type ArgumentDomains = BTreeMap<(String, Option<InstanceId>), Vec<ArgumentDomain>>;

/// Effects of an object that send something with arguments.
struct SendingSite {
    object: InstanceId,
    /// The transition that binds parameters for them, if there is one.
    transition: Option<TransitionId>,
    sends: Vec<Send>,
    /// The messages whose parameters they may use.
    awaited: BTreeSet<String>,
}

impl World<'_> {
    /// Finds out the types of arguments: as operations declare them, else as they are sent.
    pub(crate) fn find_signatures(&mut self) {
        // Terms that are made here belong to no rule.
        let terms = self.terms.clone();
        let mut domains = self.unsent();
        let names: BTreeSet<String> = domains.keys().map(|(name, _)| name.clone()).collect();
        for name in names {
            self.learn(name, &domains);
        }
        let sites = self.sending_sites();
        let mut open: BTreeSet<usize> = (0..sites.len()).collect();
        while let Some(at) = open.pop_first() {
            for name in self.send_all(&sites[at], &mut domains) {
                let after = sites.iter().enumerate().filter(|(_, site)| site.awaited.contains(&name));
                open.extend(after.map(|(after, _)| after));
                self.learn(name, &domains);
            }
        }
        self.terms = terms;
        for ((name, _), all) in domains.into_iter().filter(|((_, to), _)| to.is_none()) {
            if all.contains(&ArgumentDomain::Empty) {
                self.unsent.insert(name);
                continue;
            }
            for (at, domain) in all.into_iter().enumerate() {
                let doubt = match domain {
                    ArgumentDomain::Open(doubt) => Some(doubt),
                    ArgumentDomain::Values(_) | ArgumentDomain::Declared(_) => {
                        self.is_forgotten(&name, at).then_some(Doubt::Wide)
                    }
                    ArgumentDomain::Empty => None,
                };
                self.doubts.extend(doubt.map(|doubt| ((name.clone(), at), doubt)));
            }
        }
    }

    /// What is declared, and what is sent anywhere with as many arguments as all sends have.
    fn unsent(&self) -> ArgumentDomains {
        let declared = self.declared_domains();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut keys: BTreeSet<(String, Option<InstanceId>)> =
            declared.keys().map(|name| (name.clone(), None)).collect();
        for (object, body) in self.bodies.enumerate() {
            let Some(body) = body else { continue };
            let effects = body.sites().into_iter().flat_map(|site| body.effects(site));
            for (send, _) in effects.filter_map(|effect| self.as_send(object, effect)) {
                let count = send.arguments.as_ref().map_or(0, Vec::len);
                counts
                    .entry(send.name.clone())
                    .and_modify(|known| *known = count.min(*known))
                    .or_insert(count);
                keys.extend(self.receivers(object, &send).into_iter().map(|to| (send.name.clone(), to)));
            }
        }
        // The environment sends what it likes.
        let guests = self.guests.iter().flat_map(|(to, all)| all.iter().map(move |(_, name)| (name, *to)));
        let guests: Vec<(String, Option<InstanceId>)> = guests
            .filter(|(name, _)| counts.contains_key(*name) || declared.contains_key(*name))
            .flat_map(|(name, to)| [(name.clone(), Some(to)), (name.clone(), None)])
            .collect();
        keys.extend(guests.iter().cloned());
        let unknown = |name: &String| {
            let count = counts.get(name).copied().unwrap_or_default();
            declared.get(name).cloned().unwrap_or_else(|| vec![ArgumentDomain::Empty; count])
        };
        let mut domains: ArgumentDomains =
            keys.into_iter().map(|key| (key.clone(), unknown(&key.0))).collect();
        for key in &guests {
            let all = domains.get_mut(key).into_iter().flatten();
            all.filter(|domain| **domain == ArgumentDomain::Empty)
                .for_each(|domain| *domain = ArgumentDomain::Open(Doubt::Unsent));
        }
        domains
    }

    /// Those that may get what is sent, after no receiver, which stands for all together.
    fn receivers(&self, object: InstanceId, send: &Send) -> Vec<Option<InstanceId>> {
        let all = self.everybody(object, send).into_iter().filter(|to| self.may_reach(object, send, *to));
        std::iter::once(None).chain(all.map(Some)).collect()
    }

    /// The parameters of operations of which a class declares at least one.
    fn declared_domains(&self) -> BTreeMap<String, Vec<ArgumentDomain>> {
        let classes: BTreeSet<&str> = self.model.classes.iter().map(|class| class.name.as_str()).collect();
        let mut declared: BTreeMap<String, Vec<ArgumentDomain>> = BTreeMap::new();
        for (name, place, parameters) in self.model.classes.iter().flat_map(declarations) {
            let kind = |name: &Option<&str>| name.and_then(|name| self.type_named(name, &classes));
            let types: Vec<Option<ValueType>> = parameters.iter().map(kind).collect();
            if types.iter().all(Option::is_none) {
                continue;
            }
            let all = declared.entry(name.to_owned()).or_default();
            all.resize(all.len().max(types.len()), ArgumentDomain::Empty);
            for (domain, kind) in all.iter_mut().zip(types) {
                let Some(kind) = kind else { continue };
                *domain = match std::mem::replace(domain, ArgumentDomain::Empty) {
                    ArgumentDomain::Declared(known) => self.declared_twice(known, kind, place),
                    ArgumentDomain::Empty => ArgumentDomain::Declared(kind),
                    known => known,
                };
            }
        }
        declared
    }

    /// What two classes declare of an argument of the same name: all values of both.
    fn declared_twice(&self, one: ValueType, other: ValueType, place: Place) -> ArgumentDomain {
        let mut joined = ArgumentDomain::Values(one);
        self.widen(&mut joined, ArgumentDomain::Values(other), place);
        match joined {
            ArgumentDomain::Values(kind) => ArgumentDomain::Declared(kind),
            open => open,
        }
    }

    /// Takes what is known of the arguments of a message, whichever object gets it, as its signature.
    fn learn(&mut self, name: String, domains: &ArgumentDomains) {
        let key = (name, None);
        let types = domains.get(&key).map(|all| self.types(all)).unwrap_or_default();
        self.signatures.insert(key.0, types);
    }

    /// The types of arguments as far as they are known; those that have too many values together are forgotten.
    fn types(&self, domains: &[ArgumentDomain]) -> Vec<Option<ValueType>> {
        let kind = |domain: &ArgumentDomain| match domain {
            ArgumentDomain::Values(kind) | ArgumentDomain::Declared(kind) => Some(kind.clone()),
            ArgumentDomain::Empty | ArgumentDomain::Open(_) => None,
        };
        let mut types: Vec<Option<ValueType>> = domains.iter().map(kind).collect();
        let mut product: i64 = 1;
        for kind in &mut types {
            let Some(known) = kind else { continue };
            let wider = product.saturating_mul(self.count(known));
            if wider > MOST_VALUES {
                *kind = None;
            } else {
                product = wider;
            }
        }
        types
    }

    /// Everywhere something is sent with arguments.
    fn sending_sites(&self) -> Vec<SendingSite> {
        let mut all = Vec::new();
        for (object, body) in self.bodies.enumerate() {
            let Some(body) = body else { continue };
            for site in body.sites() {
                let sends = body.effects(site).iter().filter_map(|effect| self.as_send(object, effect));
                let sends: Vec<Send> = sends.map(|(send, _)| send).collect();
                let transition = match site {
                    EffectSite::Transition(transition) => Some(transition),
                    EffectSite::Entry(_) | EffectSite::Exit(_) | EffectSite::Activity(_) => None,
                };
                if !sends.is_empty() {
                    let awaited = transition.map(|id| awaited(body.machine, id)).unwrap_or_default();
                    all.push(SendingSite { object, transition, sends, awaited });
                }
            }
        }
        all
    }

    pub(super) fn is_forgotten(&self, name: &str, at: usize) -> bool {
        self.signatures.get(name).and_then(|types| types.get(at)).is_none_or(Option::is_none)
    }

    /// Adds what is sent somewhere, given what is sent so far; the messages of which more is known then.
    fn send_all(&mut self, site: &SendingSite, domains: &mut ArgumentDomains) -> Vec<String> {
        let object = site.object;
        let bindings = match site.transition {
            Some(transition) => self.bindings(object, transition, domains, &mut BTreeMap::new()),
            None => vec![Binding::default()],
        };
        let mut changed = Vec::new();
        for send in &site.sends {
            let key = |to| (send.name.clone(), to);
            let Some(count) = domains.get(&key(None)).map(Vec::len) else { continue };
            let values = self.sent_values(object, send, &bindings, count);
            let mut is_more = false;
            for to in self.receivers(object, send) {
                let Some(so_far) = domains.get_mut(&key(to)) else { continue };
                let mut all = so_far.clone();
                for (at, value) in &values {
                    self.widen(&mut all[*at], value.clone(), send.place);
                }
                is_more |= all != *so_far;
                *so_far = all;
            }
            changed.extend(is_more.then(|| send.name.clone()));
        }
        changed
    }

    /// The values of the first arguments of a send, each with its place among them.
    fn sent_values(
        &mut self,
        object: InstanceId,
        send: &Send,
        bindings: &[Binding],
        count: usize,
    ) -> Vec<(usize, ArgumentDomain)> {
        let arguments = send.arguments.as_deref().unwrap_or_default();
        let mut all = Vec::new();
        for binding in bindings {
            for at in 0..count {
                let value = arguments.get(at).and_then(|argument| argument.value.as_ref());
                let mut view = VisibleNames::new(self, object, None, binding);
                let value = match value.map(|value| evaluate(value, &mut view)) {
                    Some(Ok(typed)) => ArgumentDomain::Values(self.narrow(typed)),
                    Some(Err(_)) | None => ArgumentDomain::Open(Doubt::Unknown(send.place)),
                };
                all.push((at, value));
            }
        }
        all
    }

    /// The type of a value; a number that is known is its own range.
    fn narrow(&self, typed: Typed) -> ValueType {
        match (typed.kind, self.terms.as_constant(typed.term)) {
            (ValueType::Range(..), Some(value)) => ValueType::Range(value, value),
            (kind, _) => kind,
        }
    }

    /// Adds values to a domain.
    fn widen(&self, domain: &mut ArgumentDomain, other: ArgumentDomain, place: Place) {
        let joined = match (std::mem::replace(domain, ArgumentDomain::Empty), other) {
            (ArgumentDomain::Declared(kind), _) | (_, ArgumentDomain::Declared(kind)) => {
                ArgumentDomain::Declared(kind)
            }
            (ArgumentDomain::Open(doubt), _) | (_, ArgumentDomain::Open(doubt)) => {
                ArgumentDomain::Open(doubt)
            }
            (ArgumentDomain::Empty, other) | (other, ArgumentDomain::Empty) => other,
            (
                ArgumentDomain::Values(ValueType::Range(low, high)),
                ArgumentDomain::Values(ValueType::Range(least, most)),
            ) => ArgumentDomain::Values(ValueType::Range(low.min(least), high.max(most))),
            (ArgumentDomain::Values(one), ArgumentDomain::Values(other)) if one == other => {
                ArgumentDomain::Values(one)
            }
            (ArgumentDomain::Values(_), ArgumentDomain::Values(_)) => {
                ArgumentDomain::Open(Doubt::Mixed(place))
            }
        };
        *domain = match joined {
            ArgumentDomain::Values(kind) if self.count(&kind) > MOST_VALUES => {
                ArgumentDomain::Open(Doubt::Wide)
            }
            joined => joined,
        };
    }

    /// What the parameters that the effects of a transition may use stand for, in every way; none where its message is not sent so far.
    fn bindings(
        &mut self,
        object: InstanceId,
        id: TransitionId,
        so_far: &ArgumentDomains,
        found: &mut BTreeMap<TransitionId, Vec<Binding>>,
    ) -> Vec<Binding> {
        if let Some(known) = found.get(&id) {
            return known.clone();
        }
        found.insert(id, Vec::new());
        let machine: &Machine = self.body(object).machine;
        let transition = &machine.transitions[id];
        let mut all: Vec<Binding> = Vec::new();
        if is_passed(machine, transition.source) {
            // Behind a choice the parameters of what led there count.
            let before = machine.transitions.enumerate().filter(|(_, one)| one.target == transition.source);
            for before in before.map(|(before, _)| before).collect::<Vec<_>>() {
                all.extend(self.bindings(object, before, so_far, found));
            }
        } else if transition.triggers.is_empty() {
            all.push(Binding::default());
        }
        for trigger in &transition.triggers {
            match trigger {
                Trigger::Event { name, parameters } => {
                    // What neither an object sends nor the environment never comes.
                    let is_sent = so_far.contains_key(&(name.clone(), None));
                    let mut guests = self.guests.get(&object).into_iter().flatten();
                    let comes = guests.any(|(_, guest)| guest == name);
                    let domains = match so_far.get(&(name.clone(), Some(object))) {
                        Some(domains) if domains.contains(&ArgumentDomain::Empty) => continue,
                        Some(domains) => domains.as_slice(),
                        None if is_sent || !comes => continue,
                        None => &[],
                    };
                    let types = self.types(domains);
                    let ground = |values| GroundMessage { from: None, name: name.clone(), values };
                    let grounds = self.values_of(&types).into_iter().map(ground);
                    all.extend(grounds.filter_map(|ground| self.fits(parameters, &ground)));
                }
                Trigger::Any | Trigger::After(_) | Trigger::When(_) => all.push(Binding::default()),
            }
        }
        let guard = transition.guard.as_ref().and_then(|guard| guard.expression.clone());
        // Who sent the message is not known here.
        if let Some(guard) = guard.filter(|guard| !mentions(guard, "sender")) {
            all.retain(|binding| {
                let value = truth(&guard, &mut VisibleNames::new(self, object, None, binding));
                !value.is_ok_and(|term| self.terms.as_constant(term) == Some(0))
            });
        }
        all.sort_by(|one, other| one.parameters.cmp(&other.parameters));
        all.dedup_by(|one, other| one.parameters == other.parameters);
        found.insert(id, all.clone());
        all
    }

    fn count(&self, kind: &ValueType) -> i64 {
        let (low, high) = kind.bounds(&self.enumerations, self.structure.objects.len());
        i64::from(high) - i64::from(low) + 1
    }
}

/// What a class declares of messages: its operations with the types of their parameters, and, if it is a signal, itself with those of its attributes.
fn declarations(class: &Class) -> Vec<(&str, Place, Vec<Option<&str>>)> {
    let operations = class.operations.iter().map(|operation| {
        let types = operation.values().map(|parameter| parameter.type_name.as_deref()).collect();
        (operation.name.as_str(), operation.place, types)
    });
    // What has several values has no value of its type, and which numbers a signal carries without bounds its senders say.
    let is_known = |one: &&Attribute| {
        matches!(one.multiplicity.as_deref(), None | Some("1"))
            && one.type_name.as_deref().is_some_and(|name| !is_unbounded(name))
    };
    let types = || {
        let all = class.attributes.iter();
        all.map(|one| Some(one).filter(is_known).and_then(|one| one.type_name.as_deref())).collect()
    };
    let signal = (class.kind == ClassKind::Signal).then(|| (class.name.as_str(), class.place, types()));
    operations.chain(signal).collect()
}

/// The messages that may lead to a transition, behind choices too.
fn awaited(machine: &Machine, id: TransitionId) -> BTreeSet<String> {
    let (mut open, mut seen) = (vec![id], BTreeSet::new());
    let mut names = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let transition = &machine.transitions[id];
        if is_passed(machine, transition.source) {
            let before = machine.transitions.enumerate().filter(|(_, one)| one.target == transition.source);
            open.extend(before.map(|(before, _)| before));
        }
        names.extend(transition.triggers.iter().filter_map(|trigger| match trigger {
            Trigger::Event { name, .. } => Some(name.clone()),
            Trigger::Any | Trigger::After(_) | Trigger::When(_) => None,
        }));
    }
    names
}
