//! Where messages are drawn, for tools that keep the order of messages only there.
//!
//! Enterprise Architect writes, in an extension, for each message (a connector) its number in the diagram and the points of its arrow.

use std::collections::HashMap;

use roxmltree::Document;

use super::tree::{NodeId, Tree};

/// The heights of messages by their ids, from top to bottom.
#[derive(Default)]
pub struct Drawing {
    heights: HashMap<String, i64>,
}

impl Drawing {
    /// The drawing in an extension of a document, if there is one.
    pub fn of(document: &Document) -> Option<Self> {
        let mut heights = HashMap::new();
        for connector in document.descendants().filter(|node| node.tag_name().name() == "connector") {
            let id = connector.attributes().find(|attribute| attribute.name() == "idref");
            let value = |tag: &str, name: &str| {
                let child = connector.children().find(|child| child.tag_name().name() == tag)?;
                child.attribute(name)
            };
            let drawn = value("extendedProperties", "sequence_points").and_then(height);
            let number = || value("appearance", "seqno").and_then(|number| number.trim().parse().ok());
            if let (Some(id), Some(height)) = (id, drawn.or_else(number)) {
                heights.insert(id.value().to_owned(), height);
            }
        }
        (!heights.is_empty()).then_some(Drawing { heights })
    }

    /// The fragments with the ends of messages in the order in which they are drawn; `None` if some message is not drawn, two are
    /// drawn at the same height, or there are fragments besides whose place is not known.
    pub fn order(
        &self,
        tree: &Tree,
        interaction: NodeId,
        fragments: &[NodeId],
        ends: &HashMap<NodeId, (NodeId, bool)>,
    ) -> Option<Vec<NodeId>> {
        let height = |message: NodeId| self.heights.get(tree.node(message).id?).copied();
        let heights: Option<Vec<i64>> = tree.parts(interaction, "message").map(height).collect();
        let mut heights = heights?;
        heights.sort_unstable();
        if heights.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let mut placed = Vec::new();
        for node in fragments {
            match ends.get(node) {
                Some((message, is_send)) => placed.push((height(*message)?, !is_send, *node)),
                None if tree.kind(*node).contains("Execution")
                    || tree.kind(*node) == "OccurrenceSpecification" => {}
                None => return None,
            }
        }
        placed.sort_by_key(|(height, is_received, _)| (*height, *is_received));
        let rest = fragments.iter().copied().filter(|node| !ends.contains_key(node));
        Some(placed.into_iter().map(|(_, _, node)| node).chain(rest).collect())
    }
}

/// The height in `PtStartX=1;PtStartY=-120;..`: lower on the page is a smaller number there.
fn height(points: &str) -> Option<i64> {
    let start = points.split(';').find_map(|part| part.strip_prefix("PtStartY="))?;
    start.trim().parse::<i64>().ok().and_then(i64::checked_neg)
}
