//! Trees: a diagram as its blocks nest.
//!
//! A block is one node with its first and its last line, its operands are its children, and what stands in an operand are the
//! children of that. So a block is never half there, whatever becomes of its inside.

use std::ops::Range;

use sequent_notation::tree::lossless::Role;

use super::piece::{Piece, Zone};

/// A node, by its number.
pub type NodeId = usize;

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The diagram.
    Root,
    /// A block; its children are operands.
    Block,
    /// An operand.
    Operand,
    /// A statement.
    Leaf,
    /// A stretch of the diagram that is looked at as a whole.
    Knot,
}

/// A node of a tree.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// What it stands in.
    pub parent: NodeId,
    /// What stands in it, in order.
    pub children: Vec<NodeId>,
    /// Its first line: a statement, the first line of a block, the one that divides operands.
    pub first: Option<usize>,
    /// The last line of a block.
    pub last: Option<usize>,
    /// All its pieces.
    pub range: Range<usize>,
}

/// A diagram as a tree; its first node is the diagram itself.
#[derive(Clone, Debug)]
pub struct Tree {
    /// All nodes, some of which may have been replaced by a knot.
    pub nodes: Vec<Node>,
}

/// Blocks that are deeper are nobody's.
const DEEPEST: usize = 150;

impl Tree {
    /// The tree of the diagram in these pieces; `None` if its blocks do not nest, or if it holds marks of a conflict.
    pub fn of(pieces: &[Piece], range: Range<usize>) -> Option<Tree> {
        let node = |kind, parent, first: Option<usize>| Node {
            kind,
            parent,
            children: Vec::new(),
            first,
            last: None,
            range: first.map_or(range.clone(), |first| first..first + 1),
        };
        let mut tree = Tree { nodes: vec![node(Kind::Root, 0, None)] };
        let mut open = vec![0];
        for at in range.clone() {
            let piece = &pieces[at];
            if is_mark(&piece.text) || open.len() > DEEPEST {
                return None;
            }
            let here = *open.last()?;
            match piece.word.role() {
                Role::Plain => {
                    tree.add(node(Kind::Leaf, here, Some(at)));
                }
                Role::Open => {
                    let block = tree.add(node(Kind::Block, here, Some(at)));
                    let operand = tree.add(node(Kind::Operand, block, None));
                    tree.nodes[operand].range = at + 1..at + 1;
                    open.push(operand);
                }
                // A whole state machine may have regions.
                Role::Divide if open.len() == 1 && piece.zone == Zone::Set => {
                    tree.add(node(Kind::Leaf, here, Some(at)));
                }
                Role::Divide if open.len() == 1 => return None,
                Role::Divide => {
                    let block = tree.nodes[open.pop()?].parent;
                    open.push(tree.add(node(Kind::Operand, block, Some(at))));
                }
                Role::Close if open.len() == 1 => return None,
                Role::Close => {
                    let block = tree.nodes[open.pop()?].parent;
                    tree.nodes[block].last = Some(at);
                    tree.nodes[block].range.end = at + 1;
                }
            }
            for node in &open[1..] {
                tree.nodes[*node].range.end = at + 1;
            }
        }
        (open.len() == 1).then_some(tree)
    }

    /// Adds a node to what it stands in.
    pub fn add(&mut self, node: Node) -> NodeId {
        let id = self.nodes.len();
        self.nodes[node.parent].children.push(id);
        self.nodes.push(node);
        id
    }

    /// A node and all that stand in it, each before its content.
    pub fn below(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            found.push(node);
            waiting.extend(self.nodes[node].children.iter().rev());
        }
        found
    }

    /// The nodes around a node, from the diagram on, without the diagram itself.
    pub fn around(&self, node: NodeId) -> Vec<NodeId> {
        let outer = |node: &NodeId| Some(self.nodes[*node].parent);
        let mut found: Vec<NodeId> =
            std::iter::successors(outer(&node), outer).take_while(|node| *node != 0).collect();
        found.reverse();
        found
    }

    /// Makes one node of some children of a node, or one without content at their place.
    pub fn tie(&mut self, parent: NodeId, children: Range<usize>) -> NodeId {
        let range = match self.nodes[parent].children[children.clone()] {
            [] => 0..0,
            [one] => self.nodes[one].range.clone(),
            [first, .., last] => self.nodes[first].range.start..self.nodes[last].range.end,
        };
        let id = self.nodes.len();
        self.nodes.push(Node {
            kind: Kind::Knot,
            parent,
            children: Vec::new(),
            first: None,
            last: None,
            range,
        });
        self.nodes[parent].children.splice(children, [id]);
        id
    }
}

/// Whether a line is one that a merge with conflicts has left.
fn is_mark(text: &str) -> bool {
    ["<<<<<<< ", ">>>>>>> ", "||||||| "].iter().any(|mark| text.starts_with(mark))
        || matches!(text, "<<<<<<<" | ">>>>>>>" | "|||||||")
}
