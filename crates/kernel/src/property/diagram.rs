//! Which diagrams are properties, and of which events.
//!
//! A diagram whose body is one `neg` and nothing else forbids its traces; one with an `assert` at its top
//! requires that the `assert` follows what stands above it. All others are models. An `assert` diagram is
//! also a model of its own: the caller uses it as a property of each diagram that has its messages.

use std::collections::BTreeSet;

use crate::model::{
    Block, Combination, Combined, End, Fragment, Interaction, InteractionId, LifelineId, Message, Modality,
    Model, Operator,
};
use crate::source::Place;
use crate::system::EventKind;

/// What a diagram is used for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DiagramRole {
    /// It says what happens.
    Model,
    /// It says what must not happen: it is a `neg`.
    Forbidden(PropertyFragment),
    /// It may be asked whether it is always so: it has an `assert` at its top.
    Mandatory(PropertyFragment),
}

/// The fragment that makes a diagram a property.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PropertyFragment {
    /// Where it stands.
    pub place: Place,
    /// Whether nothing can happen in it: then it asks for nothing.
    pub is_empty: bool,
}

/// Something that happens, as a diagram draws it: without the arguments of its message.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DrawnOccurrence {
    /// What happens.
    pub kind: EventKind,
    /// The sender, or the lifeline that ends; `None` outside of the diagram.
    pub from: Option<String>,
    /// The receiver; `None` outside of the diagram, or if there is none.
    pub to: Option<String>,
    /// The type of the message; empty for a termination.
    pub message: String,
}

/// What a diagram is used for, as its content says.
pub fn role(model: &Model, id: InteractionId) -> DiagramRole {
    let fragments = model.interactions[id].body.unframed();
    let meant: Vec<&Fragment> = fragments.into_iter().filter(|fragment| !fragment.is_drawn_only()).collect();
    let asserted: Vec<&Combined> = meant
        .iter()
        .filter_map(|fragment| if_combined(fragment, |operator| operator.modality() == Modality::Mandatory))
        .collect();
    let part = |combined: &Combined| PropertyFragment {
        place: combined.place,
        is_empty: is_empty(model, id, combined),
    };
    match (
        meant[..]
            .first()
            .and_then(|first| if_combined(first, |operator| operator.combination() == Combination::Negation)),
        &asserted[..],
    ) {
        (Some(negative), _) if meant.len() == 1 => DiagramRole::Forbidden(part(negative)),
        (_, [assertion]) => DiagramRole::Mandatory(part(assertion)),
        (_, _) => DiagramRole::Model,
    }
}

/// A fragment as a combined one whose operator is as wanted.
fn if_combined(fragment: &Fragment, is_wanted: impl Fn(&Operator) -> bool) -> Option<&Combined> {
    match fragment {
        Fragment::Combined(combined) if is_wanted(&combined.operator) => Some(combined),
        _ => None,
    }
}

fn is_empty(model: &Model, id: InteractionId, combined: &Combined) -> bool {
    let mut seen = Occurrences::new(model, id);
    combined.operands.iter().for_each(|operand| seen.block(&model.interactions[id], &operand.block));
    seen.found.is_empty()
}

/// What is drawn in a diagram and in those it uses.
pub fn occurrences(model: &Model, id: InteractionId) -> BTreeSet<DrawnOccurrence> {
    let mut seen = Occurrences::new(model, id);
    let interaction = &model.interactions[id];
    seen.block(interaction, &interaction.body);
    seen.found
}

/// Whether something that a property draws is drawn in a diagram too, by the same lifelines.
pub fn concerns(asked: &BTreeSet<DrawnOccurrence>, drawn: &BTreeSet<DrawnOccurrence>) -> bool {
    asked.iter().any(|asked| drawn.iter().any(|drawn| asked.fits(drawn)))
}

/// Whether everything that a property draws is drawn in a diagram too, by the same lifelines.
pub fn is_drawn_in(asked: &BTreeSet<DrawnOccurrence>, drawn: &BTreeSet<DrawnOccurrence>) -> bool {
    asked.iter().all(|asked| drawn.iter().any(|drawn| asked.fits(drawn)))
}

impl DrawnOccurrence {
    /// Whether an event of a run is one of the property. An event from outside of the property matches any
    /// sender.
    pub fn fits(&self, known: &DrawnOccurrence) -> bool {
        let fits = |asked: &Option<String>, known: &Option<String>| asked.is_none() || asked == known;
        self.kind == known.kind
            && self.message == known.message
            && fits(&self.from, &known.from)
            && fits(&self.to, &known.to)
    }
}

/// What was found in some diagrams so far.
struct Occurrences<'m> {
    model: &'m Model,
    found: BTreeSet<DrawnOccurrence>,
    visited: BTreeSet<InteractionId>,
}

impl<'m> Occurrences<'m> {
    fn new(model: &'m Model, id: InteractionId) -> Self {
        Occurrences { model, found: BTreeSet::new(), visited: BTreeSet::from([id]) }
    }

    fn block(&mut self, interaction: &'m Interaction, block: &'m Block) {
        for fragment in &block.0 {
            match fragment {
                Fragment::Message(id) => self.message(interaction, &interaction.messages[*id]),
                Fragment::Stop(stop) => {
                    let from = Some(name(interaction, stop.lifeline));
                    let kind = EventKind::Termination;
                    self.found.insert(DrawnOccurrence { kind, from, to: None, message: String::new() });
                }
                Fragment::Use(use_) => {
                    if let Some(target) = use_.target.filter(|target| self.visited.insert(*target)) {
                        let used = &self.model.interactions[target];
                        self.block(used, &used.body);
                    }
                }
                Fragment::Combined(combined) => {
                    combined.operands.iter().for_each(|operand| self.block(interaction, &operand.block));
                }
                Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        }
    }

    fn message(&mut self, interaction: &Interaction, message: &Message) {
        let end = |end: End| end.lifeline().map(|lifeline| name(interaction, lifeline));
        for (own, kind) in [(message.from, EventKind::Send), (message.to, EventKind::Receive)] {
            if own.lifeline().is_some() {
                let (from, to) = (end(message.from), end(message.to));
                self.found.insert(DrawnOccurrence { kind, from, to, message: message.name.clone() });
            }
        }
    }
}

fn name(interaction: &Interaction, lifeline: LifelineId) -> String {
    interaction.lifelines[lifeline].name.clone()
}
