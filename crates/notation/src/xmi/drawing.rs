//! Where messages are drawn, for tools that keep the order of messages only there.
//!
//! Enterprise Architect writes, in an extension, for each message (a connector) its number in the diagram and the points of its arrow;
//! in XMI 1 the points are a tagged value of the message.

use std::collections::HashMap;

use roxmltree::Document;

use super::tree::{NodeId, XmiTree};

/// Where the messages of the drawings of a document lie, by their ids.
#[derive(Default)]
pub(crate) struct MessageDrawing {
    /// How far down their arrows begin and end.
    heights: HashMap<String, Option<(i64, i64)>>,
    /// Their numbers.
    numbers: HashMap<String, Option<i64>>,
}

impl MessageDrawing {
    /// The drawing in an extension of a document, if there is one.
    pub(crate) fn of(document: &Document) -> Option<Self> {
        let mut drawing = MessageDrawing::default();
        for connector in document.descendants().filter(|node| node.tag_name().name() == "connector") {
            let Some(id) = connector.attributes().find(|attribute| attribute.name() == "idref") else {
                continue;
            };
            let value = |tag: &str, name: &str| {
                let child = connector.children().find(|child| child.tag_name().name() == tag)?;
                child.attribute(name)
            };
            note(
                &mut drawing.heights,
                id.value(),
                value("extendedProperties", "sequence_points").and_then(heights),
            );
            let number = value("appearance", "seqno").and_then(|number| number.trim().parse().ok());
            note(&mut drawing.numbers, id.value(), number);
        }
        // XMI 1: tagged values of the message itself.
        for tagged in document.descendants().filter(|node| node.attribute("tag") == Some("sequence_points")) {
            let message = tagged.ancestors().find(|node| node.tag_name().name() == "Message");
            if let Some(id) = message.and_then(|message| message.attribute("xmi.id")) {
                note(&mut drawing.heights, id, tagged.attribute("value").and_then(heights));
            }
        }
        (!drawing.heights.is_empty() || !drawing.numbers.is_empty()).then_some(drawing)
    }

    /// The fragments with the ends of messages in the order in which they are drawn; `None` if some message is not drawn, if it is not
    /// told which of two comes first, if heights and numbers contradict each other, or if there are fragments besides whose place is not known.
    pub(crate) fn order(
        &self,
        tree: &XmiTree,
        interaction: NodeId,
        fragments: &[NodeId],
        ends: &HashMap<NodeId, (NodeId, bool)>,
    ) -> Option<Vec<NodeId>> {
        let is_known = |node: &NodeId| {
            let kind = tree.kind(*node);
            ends.contains_key(node) || kind.contains("Execution") || kind == "OccurrenceSpecification"
        };
        if !fragments.iter().all(is_known) {
            return None;
        }
        let messages: Vec<NodeId> = tree.parts(interaction, "message").collect();
        let places: HashMap<NodeId, (i64, i64)> =
            messages.iter().copied().zip(self.places(tree, &messages)?).collect();
        let mut placed = Vec::new();
        for node in fragments {
            if let Some((message, is_send)) = ends.get(node) {
                let (start, end) = *places.get(message)?;
                placed.push((if *is_send { start } else { end }, !is_send, *message, *node));
            }
        }
        placed.sort_by_key(|(height, is_received, ..)| (*height, *is_received));
        // Two messages at one height: their order is not known.
        if placed.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].2 != pair[1].2) {
            return None;
        }
        let rest = fragments.iter().copied().filter(|node| !ends.contains_key(node));
        Some(placed.into_iter().map(|(.., node)| node).chain(rest).collect())
    }

    /// The messages in the order in which they are drawn, if each is drawn and no arrow begins above the end of one before it.
    pub(crate) fn messages(&self, tree: &XmiTree, messages: &[NodeId]) -> Option<Vec<NodeId>> {
        let places = self.places(tree, messages)?;
        let mut placed: Vec<((i64, i64), NodeId)> =
            places.into_iter().zip(messages.iter().copied()).collect();
        placed.sort_by_key(|(place, _)| *place);
        let is_apart = placed.windows(2).all(|pair| pair[0].0.1 < pair[1].0.0);
        is_apart.then(|| placed.into_iter().map(|(_, node)| node).collect())
    }

    /// How far down each message begins and ends, by heights or by numbers; `None` if some have neither, or if these contradict each
    /// other.
    fn places(&self, tree: &XmiTree, messages: &[NodeId]) -> Option<Vec<(i64, i64)>> {
        let of = |message: &NodeId| tree.node(*message).id;
        let heights: Option<Vec<(i64, i64)>> =
            messages.iter().map(|message| self.heights.get(of(message)?).copied().flatten()).collect();
        let numbers: Option<Vec<i64>> =
            messages.iter().map(|message| self.numbers.get(of(message)?).copied().flatten()).collect();
        if let (Some(heights), Some(numbers)) = (&heights, &numbers) {
            let by = |key: &dyn Fn(usize) -> i64| {
                let mut order: Vec<usize> = (0..messages.len()).collect();
                order.sort_by_key(|at| key(*at));
                order
            };
            if by(&|at| heights[at].0) != by(&|at| numbers[at]) {
                return None;
            }
        }
        heights.or_else(|| numbers.map(|all| all.into_iter().map(|one| (one, one)).collect()))
    }
}

/// A diagram that stands in a drawing alone.
pub(crate) struct Drawn {
    /// Its kind and its name.
    pub what: String,
    /// Its place in the text that was parsed.
    pub at: usize,
}

/// The sequence diagrams and state machines that Umbrello keeps as drawings alone, in an extension.
pub(crate) fn only_drawn(document: &Document) -> Vec<Drawn> {
    let diagrams = document.descendants().filter(|node| node.tag_name().name() == "diagram");
    let drawn = diagrams.filter_map(|diagram| {
        let has = |widget: &str| diagram.descendants().any(|node| node.tag_name().name() == widget);
        let kind = match (has("messagewidget"), has("statewidget")) {
            (true, _) => "sequence diagram",
            (false, true) => "state machine",
            // Umbrello's number of the kind.
            (false, false) if diagram.attribute("type") == Some("4") => "communication diagram",
            (false, false) => return None,
        };
        let name = diagram.attribute("name").unwrap_or_default();
        Some(Drawn { what: format!("the {kind} `{name}`"), at: diagram.range().start })
    });
    drawn.collect()
}

/// Notes a value; one that is told twice in different ways is not known.
fn note<T: PartialEq>(values: &mut HashMap<String, Option<T>>, id: &str, value: Option<T>) {
    let Some(value) = value else { return };
    match values.get_mut(id) {
        Some(known) if known.as_ref() != Some(&value) => *known = None,
        Some(_) => {}
        None => drop(values.insert(id.to_owned(), Some(value))),
    }
}

/// The heights in `PtStartX=1;PtStartY=-120;PtEndX=..;PtEndY=..`: lower on the page is a smaller number there. An arrow to a lower place on
/// another lifeline takes time.
fn heights(points: &str) -> Option<(i64, i64)> {
    let value = |name: &str| {
        let written = points.split(';').find_map(|part| part.trim().strip_prefix(name))?;
        written.trim().parse::<i64>().ok().and_then(i64::checked_neg)
    };
    let start = value("PtStartY=")?;
    let end = value("PtEndY=").unwrap_or(start);
    (end >= start).then_some((start, end))
}
