//! Trees: the pieces of a diagram, nested as its blocks are.
//!
//! A block is one node with its first and its last line, its operands are its children, and the statements of an operand are the
//! children of that. So a block is never half in the result, whatever becomes of its content.

use std::ops::Range;

use sequent_notation::tree::lossless::NestingRole;

use super::kind::PieceKind;
use super::piece::{Piece, SectionKind};

/// The index of a node in its tree.
pub(in crate::merge) type NodeId = usize;

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::merge) enum NodeKind {
    /// The diagram.
    Root,
    /// A block; its children are operands.
    Block,
    /// An operand.
    Operand,
    /// A statement.
    Leaf,
    /// A conflict region: a part of the diagram that is merged as a whole.
    Region,
}

/// A node of a tree.
#[derive(Clone, Debug)]
pub(in crate::merge) struct TreeNode {
    /// What it is.
    pub kind: NodeKind,
    /// The node that it stands in.
    pub parent: NodeId,
    /// The nodes that stand in it, in order.
    pub children: Vec<NodeId>,
    /// The piece of a statement, the first line of a block, or the line before an operand.
    first: Option<usize>,
    /// The last line of a block.
    last: Option<usize>,
    /// All its pieces.
    pub range: Range<usize>,
}

/// A diagram as a tree; node 0 is the diagram itself.
#[derive(Clone, Debug)]
pub(in crate::merge) struct BlockTree<'p> {
    /// The pieces of the file.
    pieces: &'p [Piece],
    /// All nodes, also those that a region has replaced.
    pub nodes: Vec<TreeNode>,
}

/// Diagrams with deeper nesting are not read as trees.
const DEEPEST: usize = 150;

impl<'p> BlockTree<'p> {
    /// Returns the tree of the diagram in these pieces; `None` if its blocks do not nest, or if it holds conflict markers.
    pub(crate) fn of(pieces: &'p [Piece], range: Range<usize>) -> Option<Self> {
        let node = |kind, parent, first: Option<usize>| TreeNode {
            kind,
            parent,
            children: Vec::new(),
            first,
            last: None,
            range: first.map_or(range.clone(), |first| first..first + 1),
        };
        let mut tree = BlockTree { pieces, nodes: vec![node(NodeKind::Root, 0, None)] };
        let mut open = vec![0];
        for at in range.clone() {
            let piece = &pieces[at];
            if is_marker(&piece.text) || open.len() > DEEPEST {
                return None;
            }
            let here = *open.last()?;
            match piece.kind.role() {
                NestingRole::Plain => {
                    tree.add(node(NodeKind::Leaf, here, Some(at)));
                }
                NestingRole::Open => {
                    let block = tree.add(node(NodeKind::Block, here, Some(at)));
                    let operand = tree.add(node(NodeKind::Operand, block, None));
                    tree.nodes[operand].range = at + 1..at + 1;
                    open.push(operand);
                }
                // A whole state machine may have regions.
                NestingRole::Divide if open.len() == 1 && piece.section == SectionKind::Unordered => {
                    tree.add(node(NodeKind::Leaf, here, Some(at)));
                }
                NestingRole::Divide | NestingRole::Close if open.len() == 1 => return None,
                NestingRole::Divide => {
                    let block = tree.nodes[open.pop()?].parent;
                    open.push(tree.add(node(NodeKind::Operand, block, Some(at))));
                }
                NestingRole::Close => {
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

    fn add(&mut self, node: TreeNode) -> NodeId {
        let id = self.nodes.len();
        self.nodes[node.parent].children.push(id);
        self.nodes.push(node);
        id
    }

    /// Returns the kind of a node.
    pub(crate) fn kind(&self, node: NodeId) -> NodeKind {
        self.nodes[node].kind
    }

    /// Returns the node that a node stands in.
    pub(crate) fn parent(&self, node: NodeId) -> NodeId {
        self.nodes[node].parent
    }

    /// Returns the children of a node.
    pub(crate) fn children(&self, node: NodeId) -> &[NodeId] {
        &self.nodes[node].children
    }

    /// Returns the first line of a node: a statement, the first line of a block, the line before an operand.
    pub(crate) fn piece(&self, node: NodeId) -> Option<&'p Piece> {
        self.nodes[node].first.map(|first| &self.pieces[first])
    }

    /// Returns the last line of a block.
    pub(crate) fn last_piece(&self, node: NodeId) -> Option<&'p Piece> {
        self.nodes[node].last.map(|last| &self.pieces[last])
    }

    /// Returns the indices of the first and the last line of a node among the pieces of the file.
    pub(crate) fn bounds(&self, node: NodeId) -> [Option<usize>; 2] {
        [self.nodes[node].first, self.nodes[node].last]
    }

    /// Returns the kind of the first line of a node.
    pub(crate) fn piece_kind(&self, node: NodeId) -> Option<PieceKind> {
        self.piece(node).map(|piece| piece.kind)
    }

    /// Returns all pieces of a node.
    pub(crate) fn pieces(&self, node: NodeId) -> &'p [Piece] {
        &self.pieces[self.nodes[node].range.clone()]
    }

    /// Returns all lines of a node.
    pub(crate) fn lines(&self, node: NodeId) -> Vec<&'p str> {
        self.pieces(node).iter().flat_map(|piece| piece.text.split('\n')).collect()
    }

    /// Whether a node is a statement that says something about the content of its block.
    pub(crate) fn is_significant(&self, node: NodeId) -> bool {
        self.kind(node) == NodeKind::Leaf && self.piece_kind(node).is_some_and(|kind| !kind.is_minor())
    }

    /// Returns a node and its descendants, each before its own descendants.
    pub(crate) fn below(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            found.push(node);
            waiting.extend(self.children(node).iter().rev());
        }
        found
    }

    /// Returns the ancestors of a node, the outermost first, without the diagram itself.
    pub(crate) fn ancestors(&self, node: NodeId) -> Vec<NodeId> {
        let outer = |node: &NodeId| Some(self.parent(*node));
        let mut found: Vec<NodeId> =
            std::iter::successors(outer(&node), outer).take_while(|node| *node != 0).collect();
        found.reverse();
        found
    }

    /// Returns the index of a node among the children of its parent.
    pub(crate) fn position(&self, node: NodeId) -> usize {
        let siblings = self.children(self.parent(node));
        siblings.iter().position(|sibling| *sibling == node).unwrap_or(0)
    }

    /// Replaces children of a node by one region node; for an empty range, adds an empty region at its place.
    pub(crate) fn replace_by_region(&mut self, parent: NodeId, children: Range<usize>) -> NodeId {
        let range = match self.nodes[parent].children[children.clone()] {
            [] => 0..0,
            [one] => self.nodes[one].range.clone(),
            [first, .., last] => self.nodes[first].range.start..self.nodes[last].range.end,
        };
        let id = self.nodes.len();
        let (kind, children_of) = (NodeKind::Region, Vec::new());
        self.nodes.push(TreeNode { kind, parent, children: children_of, first: None, last: None, range });
        self.nodes[parent].children.splice(children, [id]);
        id
    }
}

/// Whether a line is a conflict marker of an earlier merge.
fn is_marker(text: &str) -> bool {
    ["<<<<<<< ", ">>>>>>> ", "||||||| "].iter().any(|mark| text.starts_with(mark))
        || matches!(text, "<<<<<<<" | ">>>>>>>" | "|||||||")
}
