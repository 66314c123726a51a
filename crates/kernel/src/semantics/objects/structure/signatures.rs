//! Typed signatures (P1): the parameters `from` and `to` of an operation say who sends it and who takes it.
//!
//! One of them is `{self}`: the object whose class, or whose base port, has the operation. The other names a class. Objects of other
//! classes exchange the message with it no more than over a link that does not carry it; one whose class is not known may.

use std::collections::BTreeSet;

use super::kinds::Kinds;
use super::ports::base_protocols;
use super::{Instance, InstanceId};
use crate::id::IdVec;
use crate::model::{Address, Operation};

/// Sender, receiver and name of the messages that signatures rule out.
pub(super) type Barred = BTreeSet<(InstanceId, InstanceId, String)>;

/// What the signatures of the classes and base ports of some objects rule out.
pub(super) fn barred(kinds: &Kinds<'_>, objects: &IdVec<InstanceId, Instance>) -> Barred {
    let mut barred = Barred::new();
    for (own, object) in objects.enumerate() {
        for operation in operations(kinds, object) {
            let Some(address) = operation.address() else { continue };
            let peer = match address {
                Address::From(peer) | Address::To(peer) => peer.to_lowercase(),
            };
            let is_stranger = |one: &Instance| one.class.is_some() && !one.kinds.contains(&peer);
            let strangers = objects.enumerate().filter(|(id, one)| *id != own && is_stranger(one));
            barred.extend(strangers.map(|(other, _)| match address {
                Address::From(_) => (other, own, operation.name.clone()),
                Address::To(_) => (own, other, operation.name.clone()),
            }));
        }
    }
    barred
}

/// The operations of an object: those of its classes, and of its base ports.
fn operations<'a>(kinds: &Kinds<'a>, object: &Instance) -> impl Iterator<Item = &'a Operation> {
    let lineage = object.class.as_deref().map(|class| kinds.lineage(class)).unwrap_or_default();
    let classes: Vec<_> = lineage.iter().filter_map(|name| kinds.class(name)).collect();
    let protocols = object.class.as_deref().map(|class| base_protocols(kinds, class)).unwrap_or_default();
    classes.into_iter().chain(protocols).flat_map(|class| class.operations.iter())
}
