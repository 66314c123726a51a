//! Orders in which one step shows several messages under rendezvous.
//!
//! The effects of a transition are a set (P4, definition D2): the messages of one step happen at once, and a scenario that
//! takes them [together](crate::model::Effects) may draw them in any order. Each order is a rule of its own, so only those are
//! made that some diagram can tell apart: where they are taken together, those that it draws; else, as a scenario may begin and end between
//! two of them, also those in which a message that is not drawn comes before or after one that is.

use std::collections::{BTreeMap, BTreeSet};

use super::World;
use crate::id::Id;
use crate::model::{Combination, Effect, Effects, Fragment, Interaction, Model};
use crate::system::LabelId;

/// Pairs of messages that some diagram may draw in this order, although a machine lists them in the other one.
pub(super) type Inversions = BTreeSet<[String; 2]>;

/// A step with more orders makes the system too large.
const MOST_ORDERS: usize = 720;
/// So does one with more messages, where they are taken together.
const MOST_TOGETHER: usize = 12;

/// Whether it makes a difference for a model how scenarios draw the messages of one step.
pub fn effects_matter(model: &Model, effects: Effects) -> bool {
    match effects {
        Effects::Ordered => false,
        Effects::Unordered => !inversions(model, effects).is_empty(),
        Effects::Together => !listed(model).is_empty(),
    }
}

/// The pairs that are to be shown in the other order, too.
pub(super) fn inversions(model: &Model, effects: Effects) -> Inversions {
    let drawn: Vec<DrawnOrder<'_>> = model.interactions.iter().map(DrawnOrder::of).collect();
    // Where diagrams use each other, what is drawn in one may come before or after what is drawn in another.
    let is_used = drawn.iter().any(|one| one.uses);
    let is_somewhere = |name: &str| drawn.iter().any(|one| one.places.contains_key(name));
    let is_drawn = |[first, second]: &[&str; 2]| match effects {
        Effects::Ordered => false,
        Effects::Unordered => is_somewhere(first) || is_somewhere(second),
        Effects::Together => {
            drawn.iter().any(|one| one.may_be(second, first))
                || is_used && is_somewhere(first) && is_somewhere(second)
        }
    };
    let inverted = listed(model).into_iter().filter(is_drawn);
    inverted.map(|[first, second]| [second.to_owned(), first.to_owned()]).collect()
}

/// The pairs of messages that one behaviour sends in this order.
fn listed(model: &Model) -> BTreeSet<[&str; 2]> {
    let mut pairs = BTreeSet::new();
    for machine in model.machines.iter() {
        let states = machine.vertices.iter().filter_map(|vertex| vertex.kind.body());
        let of_states = states.flat_map(|body| [&body.entry, &body.exit, &body.activity]);
        for effects in machine.transitions.iter().map(|one| &one.effects).chain(of_states) {
            let names: Vec<&str> = effects.iter().filter_map(sent).collect();
            for (at, first) in names.iter().enumerate() {
                pairs.extend(names[at + 1..].iter().map(|second| [*first, *second]));
            }
        }
    }
    pairs
}

fn sent(effect: &Effect) -> Option<&str> {
    match effect {
        Effect::Send(send) => Some(&send.name),
        Effect::Assign(_) | Effect::Opaque { .. } => None,
    }
}

/// The messages of a diagram: where each name stands first and last.
struct DrawnOrder<'m> {
    places: BTreeMap<&'m str, [usize; 2]>,
    /// Whether what is drawn above may also come below.
    comes_again: bool,
    /// Whether it uses another diagram.
    uses: bool,
}

impl<'m> DrawnOrder<'m> {
    fn of(interaction: &'m Interaction) -> Self {
        let mut drawn = DrawnOrder { places: BTreeMap::new(), comes_again: false, uses: false };
        let mut at = 0;
        interaction.walk(&mut |fragment, _| {
            if let Fragment::Message(id) = fragment {
                at += 1;
                drawn.places.entry(&interaction.messages[*id].name).or_insert([at, at])[1] = at;
            }
            drawn.uses |= matches!(fragment, Fragment::Use(_));
            // What may come in both orders, as in `par`, comes in that of the machine too.
            drawn.comes_again |= matches!(fragment, Fragment::Combined(combined)
                if matches!(combined.operator.combination(), Combination::Repetition(_) | Combination::Complement));
        });
        drawn
    }

    /// Whether one message may come before another.
    fn may_be(&self, first: &str, second: &str) -> bool {
        match (self.places.get(first), self.places.get(second)) {
            (Some([begin, _]), Some([_, end])) => self.comes_again || begin < end,
            (Some(_), None) | (None, Some(_)) | (None, None) => false,
        }
    }
}

impl World<'_> {
    /// The orders in which a step shows its messages: that of the machine, and those that are drawn instead.
    pub(super) fn orders(&mut self, labels: &[LabelId]) -> Vec<Vec<LabelId>> {
        let mut orders = vec![Vec::new()];
        for label in labels {
            let mut longer: Vec<Vec<LabelId>> = Vec::new();
            for order in &orders {
                // It comes last, or before those that may come after it.
                let place = order.iter().rposition(|other| !self.may_swap(*other, *label));
                for at in (place.map_or(0, |place| place + 1)..=order.len()).rev() {
                    let mut with = order.clone();
                    with.insert(at, *label);
                    longer.push(with);
                }
            }
            self.is_too_large |= longer.len() > MOST_ORDERS;
            longer.truncate(MOST_ORDERS);
            orders = longer;
        }
        let mut known = BTreeSet::new();
        orders.retain(|order| known.insert(order.clone()));
        self.is_too_large |= self.is_whole && labels.len() > MOST_TOGETHER;
        match self.is_whole {
            true => orders.into_iter().map(|order| self.as_one(order)).collect(),
            false => orders,
        }
    }

    /// The same messages, each but the last as one after which the step goes on.
    fn as_one(&mut self, mut order: Vec<LabelId>) -> Vec<LabelId> {
        let last = order.pop();
        let mut whole: Vec<LabelId> = Vec::with_capacity(order.len() + 1);
        for label in order {
            let label = self.label_list[label.index()].clone();
            whole.push(self.label_id(super::RendezvousLabel { goes_on: true, ..label }));
        }
        whole.extend(last);
        whole
    }

    fn may_swap(&self, first: LabelId, second: LabelId) -> bool {
        let name = |label: LabelId| self.label_list[label.index()].name.clone();
        self.inversions.contains(&[name(second), name(first)])
    }
}
