//! Ports of capsules and what they let through (P1, sections 1 to 3 of the paper's model kinds).
//!
//! A port is an attribute with the stereotype `port`; its type is a protocol, conjugated with `~` before it or the stereotype
//! `conjugated`. The operations of a protocol are messages; `<<in>>` and `<<out>>` give their direction as the base side sees it, and one
//! without direction goes both ways.

use std::collections::BTreeSet;

use super::Instance;
use super::kinds::Kinds;
use crate::model::{Attribute, Class, ClassKind, has_stereotype};

/// A port of an object.
#[derive(Clone, Copy)]
pub(in crate::semantics::objects) struct Port<'a> {
    pub attribute: &'a Attribute,
    protocol: Option<&'a Class>,
    is_conjugated: bool,
    /// The object has no machine: the directions of its ports mean nothing, as it only relays.
    is_relay: bool,
}

/// Messages that may pass; `None` for all.
pub(in crate::semantics::objects) type PortFlow = Option<BTreeSet<String>>;

/// The ports of an object, those of the classes above its own included.
pub(super) fn ports<'a>(kinds: &Kinds<'a>, object: &Instance) -> Vec<Port<'a>> {
    let own = object.class.as_deref().map(|class| ports_of(kinds, class)).unwrap_or_default();
    own.into_iter().map(|port| Port { is_relay: object.machine.is_none(), ..port }).collect()
}

/// The ports of the objects of a class that have a machine.
pub(in crate::semantics::objects) fn ports_of<'a>(kinds: &Kinds<'a>, class: &str) -> Vec<Port<'a>> {
    let lineage = kinds.lineage(class);
    let classes = lineage.iter().filter_map(|name| kinds.class(name));
    let attributes = classes.flat_map(|class| class.attributes.iter());
    attributes.filter(|one| one.is_port()).map(|one| port(kinds, one)).collect()
}

/// The protocols of the base ports of a class.
pub(super) fn base_protocols<'a>(kinds: &Kinds<'a>, class: &str) -> Vec<&'a Class> {
    let base = ports_of(kinds, class).into_iter().filter(|port| !port.is_conjugated);
    base.filter_map(|port| port.protocol).collect()
}

fn port<'a>(kinds: &Kinds<'a>, attribute: &'a Attribute) -> Port<'a> {
    let type_name = attribute.type_name.as_deref().unwrap_or_default();
    let plain = type_name.strip_prefix('~');
    let protocol = kinds.class(plain.unwrap_or(type_name).trim());
    Port {
        attribute,
        protocol: protocol.filter(|class| class.kind == ClassKind::Protocol),
        is_conjugated: plain.is_some() || has_stereotype(&attribute.stereotypes, "conjugated"),
        is_relay: false,
    }
}

impl Port<'_> {
    /// Whether two ports speak the same protocol.
    pub(crate) fn fits(&self, other: &Port) -> bool {
        match (self.protocol, other.protocol) {
            (Some(own), Some(other)) => own.name == other.name,
            (None, _) | (_, None) => false,
        }
    }

    /// Whether it says what passes.
    pub(crate) fn is_typed(&self) -> bool {
        self.protocol.is_some()
    }

    /// What the object sends through it.
    pub(crate) fn sends(&self) -> PortFlow {
        self.passing(if self.is_conjugated { "in" } else { "out" })
    }

    /// What the object takes through it.
    pub(crate) fn takes(&self) -> PortFlow {
        self.passing(if self.is_conjugated { "out" } else { "in" })
    }

    fn passing(&self, way: &str) -> PortFlow {
        let other = if way == "in" { "out" } else { "in" };
        let operations = self.protocol?.operations.iter();
        let goes = operations.filter(|one| self.is_relay || !has_stereotype(&one.stereotypes, other));
        Some(goes.map(|one| one.name.clone()).collect())
    }

    /// How many links it takes.
    pub(crate) fn most_links(&self) -> Option<usize> {
        let text = self.attribute.multiplicity.as_deref()?;
        text.rsplit("..").next().and_then(|most| most.trim().parse().ok())
    }
}

/// What passes from a sender's end to a receiver's.
pub(super) fn meet(sends: PortFlow, takes: PortFlow) -> PortFlow {
    match (sends, takes) {
        (None, other) | (other, None) => other,
        (Some(sends), Some(takes)) => Some(sends.intersection(&takes).cloned().collect()),
    }
}

/// What passes one way or another.
pub(super) fn join(one: PortFlow, other: PortFlow) -> PortFlow {
    let (mut one, other) = (one?, other?);
    one.extend(other);
    Some(one)
}
