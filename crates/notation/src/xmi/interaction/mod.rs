//! Interactions: from the elements of UML to an [`Interaction`].
//!
//! UML lists occurrences (sending, receiving) as fragments in order of time; the model lists messages. Lifelines and messages are
//! looked up first ([`ends`]), then each list of fragments becomes a block ([`block`]) whose messages are put into an order in which
//! every lifeline sees its occurrences as listed ([`order`]). Uses that messages pass through gates are written out ([`gate`]). Messages of UML 1 have no occurrences ([`collaboration`]).

mod block;
mod collaboration;
mod continuation;
mod ends;
mod gate;
pub(super) mod order;
mod timing;

use std::collections::{HashMap, HashSet};

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::id::IdVec;
use sequent_kernel::model::{
    Block, Fragment, Frame, GeneralOrdering, Interaction, Lifeline, LifelineId, LifelineKind, MessageId,
    Occurrence, Operator,
};

use super::class::ACTOR;
use super::dialect::ModelingTool;
use super::drawing::MessageDrawing;
use super::reader::{UniqueNames, XmiReader};
use super::text;
use super::tree::NodeId;
use crate::keywords::keywords;
use crate::resolve::sequence::class_of;
use crate::tree::Notation;
use ends::Ends;
pub(super) use ends::arrow;

/// An interaction, and whether its order is known.
pub(crate) struct ReadInteraction {
    /// What the file says.
    pub interaction: Interaction,
    /// Whether the file does not say what happens when, so that checking it would check something else.
    pub is_refused: bool,
}

/// Reads an interaction under a name; `names` are those of all interactions of the file.
pub(crate) fn interaction(
    reader: &mut XmiReader,
    node: NodeId,
    names: &HashMap<NodeId, String>,
    drawing: Option<&MessageDrawing>,
) -> ReadInteraction {
    let builder = build(reader, node, names, drawing, vec![node]);
    ReadInteraction { interaction: builder.interaction, is_refused: builder.is_refused }
}

/// The same with what was found out about its elements; `opening` are the interactions that are being written out, outer before inner.
fn build<'r, 't, 'd>(
    reader: &'r mut XmiReader<'t, 'd>,
    node: NodeId,
    names: &'r HashMap<NodeId, String>,
    drawing: Option<&MessageDrawing>,
    opening: Vec<NodeId>,
) -> XmiInteractionBuilder<'r, 't, 'd> {
    let tree = reader.tree;
    let interaction = Interaction {
        name: names.get(&node).cloned().unwrap_or_default(),
        title: None,
        captions: Vec::new(),
        place: tree.node(node).whole.into(),
        lifelines: IdVec::new(),
        messages: IdVec::new(),
        body: Block::default(),
        orderings: Vec::new(),
        timings: Vec::new(),
        boxes: Vec::new(),
        known: Vec::new(),
    };
    let mut builder = XmiInteractionBuilder {
        reader,
        interaction,
        names,
        line_names: UniqueNames::default(),
        lifelines: HashMap::new(),
        ends: Ends::default(),
        placed: HashMap::new(),
        continued: HashMap::new(),
        joined: HashSet::new(),
        opening,
        is_refused: false,
    };
    if tree.is_old(node) {
        builder.collaboration(node, drawing);
        return builder;
    }
    builder.lifelines(node);
    builder.ends = Ends::new(builder.reader, node, &builder.lifelines);
    let mut fragments: Vec<NodeId> = tree.parts(node, "fragment").collect();
    builder.put_in_order(&mut fragments, node, drawing);
    builder.interaction.body = builder.block(&fragments);
    builder.interaction.body.number_fragments();
    builder.orderings(node);
    builder.leftovers(node);
    builder.timings(node);
    builder
}

struct XmiInteractionBuilder<'r, 't, 'd> {
    reader: &'r mut XmiReader<'t, 'd>,
    interaction: Interaction,
    /// The names of all interactions.
    names: &'r HashMap<NodeId, String>,
    /// The names that lifelines have.
    line_names: UniqueNames,
    lifelines: HashMap<NodeId, LifelineId>,
    ends: Ends<'d>,
    /// Messages that stand in a block.
    placed: HashMap<NodeId, MessageId>,
    /// Which operand continues another ([`continuation`]).
    continued: HashMap<NodeId, NodeId>,
    /// The continuations that say so.
    joined: HashSet<NodeId>,
    /// The interactions that are being written out, outer before inner.
    opening: Vec<NodeId>,
    is_refused: bool,
}

impl XmiInteractionBuilder<'_, '_, '_> {
    /// Notes that the file does not say what the diagram shows.
    fn refuse(&mut self, node: NodeId, message: String) {
        self.is_refused = true;
        let name = &self.interaction.name;
        let finding = Diagnostic::new(Code::OrderUnknown, self.reader.tree.span(node), message)
            .hint(format!("`{name}` is left out; a tool that writes fragments in order would say more"));
        self.reader.report(finding);
    }

    /// Adds the lifelines.
    fn lifelines(&mut self, node: NodeId) {
        let tree = self.reader.tree;
        for line in tree.parts(node, "lifeline") {
            let part = tree.first(line, "represents");
            let class = part.and_then(|part| text::type_name(tree, part));
            let part_name = part.map(|part| tree.name(part)).unwrap_or_default();
            let selector = tree.first(line, "selector").map(|one| text::value(tree, one));
            let selected =
                selector.filter(|_| tree.name(line).is_empty()).map(|one| format!("{part_name}[{one}]"));
            let own = [tree.name(line), selected.as_deref().unwrap_or(part_name)];
            let own = own.into_iter().find(|name| !name.is_empty());
            let is_actor = part.and_then(|part| tree.first(part, "type")).is_some_and(|one| {
                tree.kind(one) == "Actor" || self.reader.stereotypes(one).iter().any(|word| word == ACTOR)
            });
            // A lifeline with another name than what it represents is drawn with the one and known by the other.
            let drawn = tree.name(line);
            let object = drawn.split(':').next().unwrap_or_default().trim();
            let is_alias = !part_name.is_empty() && !drawn.is_empty() && object != part_name;
            let alias = Some(part_name).filter(|_| is_alias);
            let id = self.lifeline(line, (own.unwrap_or_default(), alias), class, is_actor);
            self.lifelines.insert(line, id);
            if let Some(decomposed) = tree.first(line, "decomposedAs") {
                let inside = tree.first(decomposed, "refersTo").unwrap_or(decomposed);
                let message =
                    format!("what lies inside of the lifeline (`{}`) is not looked into", tree.name(inside));
                self.reader.report(Diagnostic::new(Code::Unsupported, tree.span(line), message));
            }
        }
    }

    /// Adds a lifeline by what is drawn, the name it has besides, and its class.
    fn lifeline(
        &mut self,
        node: NodeId,
        (own, alias): (&str, Option<&str>),
        class: Option<String>,
        is_actor: bool,
    ) -> LifelineId {
        let own = Some(own).filter(|own| !own.is_empty());
        let label = match (own, &class) {
            (Some(own), Some(class)) if class_of(own).is_none() && own != class => {
                format!("{own} : {class}")
            }
            (Some(own), _) => own.to_owned(),
            (None, Some(class)) => format!(": {class}"),
            (None, None) => "lifeline".to_owned(),
        };
        let written = class_of(&label);
        let object = label.split(':').next().map(str::trim).filter(|_| written.is_some());
        let name = match (object, &class) {
            (Some(""), _) => written.clone().unwrap_or_default(),
            (Some(object), _) => object.to_owned(),
            (None, _) => own.unwrap_or(&label).to_owned(),
        };
        self.interaction.lifelines.push(Lifeline {
            name: self.line_names.unique(alias.unwrap_or(&name), "#"),
            label,
            class: written.or(class),
            kind: if is_actor { LifelineKind::Actor } else { LifelineKind::Participant },
            stereotypes: Vec::new(),
            colour: None,
            declared: true,
            place: self.reader.tree.span(node).into(),
        })
    }

    /// Puts the fragments into the order of the drawing where the file's own order is none.
    fn put_in_order(&mut self, fragments: &mut Vec<NodeId>, node: NodeId, drawing: Option<&MessageDrawing>) {
        if self.reader.tool != ModelingTool::EnterpriseArchitect
            || self.reader.tree.parts(node, "message").count() < 2
        {
            return;
        }
        match drawing.and_then(|drawing| drawing.order(self.reader.tree, node, fragments, &self.ends.of)) {
            Some(ordered) => {
                *fragments = ordered;
                self.tell_drawn(node);
            }
            None => {
                let message = "Enterprise Architect does not write messages in order of time, and their places in the drawing are not in the file";
                self.refuse(node, message.to_owned());
            }
        }
    }

    fn tell_drawn(&mut self, node: NodeId) {
        let message = "the messages are put in the order in which they are drawn";
        let span = self.reader.tree.span(node);
        self.reader.report(Diagnostic::new(Code::OrderFromDiagram, span, message));
    }

    /// Adds the general orderings.
    fn orderings(&mut self, node: NodeId) {
        let tree = self.reader.tree;
        for one in tree.inside(node).into_iter().filter(|one| tree.kind(*one) == "GeneralOrdering") {
            if tree.is_reference(one) {
                continue;
            }
            let ends =
                ["before", "after"].map(|role| tree.first(one, role).and_then(|end| self.occurrence(end)));
            match ends {
                [Some(before), Some(after)] => {
                    let place = tree.span(one).into();
                    self.interaction.orderings.push(GeneralOrdering { before, after, place });
                }
                _ => {
                    let message = "the general ordering is not between two ends of messages; it is left out";
                    self.reader.report(Diagnostic::new(Code::Unsupported, tree.span(one), message));
                }
            }
        }
    }

    /// The end of a message that an occurrence is.
    fn occurrence(&self, node: NodeId) -> Option<Occurrence> {
        let (message, is_send) = *self.ends.of.get(&node)?;
        let id = *self.placed.get(&message)?;
        Some(if is_send { Occurrence::Send(id) } else { Occurrence::Receive(id) })
    }

    /// Messages whose ends lie in no fragment are put at the end, with a finding.
    fn leftovers(&mut self, node: NodeId) {
        let tree = self.reader.tree;
        let messages: Vec<NodeId> = tree.parts(node, "message").collect();
        for message in messages {
            if self.placed.contains_key(&message) {
                continue;
            }
            let id = self.message(message);
            self.interaction.body.0.push(Fragment::Message(id));
            self.refuse(message, format!("no occurrence of the message `{}` is listed", tree.name(message)));
        }
    }
}

/// How a fragment with this operator is drawn.
fn frame(operator: &Operator) -> Frame {
    let keyword = keywords(Notation::PlantUml, operator).first().copied().unwrap_or("group");
    Frame { keyword: keyword.to_owned(), title: None, subtitle: None, colour: None }
}
