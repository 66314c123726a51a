//! The lossless layer: a file as nested pieces that follow each other without gap.
//!
//! Merging and quick fixes edit text without disturbing the rest, so every line of a file must belong to something and
//! the pieces together must be the file, byte for byte. Pieces are whole lines. A diagram is a branch; so is a block in
//! it, whose leaves are its opening line, what it holds, the lines between its operands, and its end.

use sequent_kernel::source::{FileId, Span};

use super::{Block, Content, Document, Kind, Statement, class, sequence, state};

/// A file cut into pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    /// The pieces in order.
    pub nodes: Vec<Node>,
}

/// A piece of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// Whole lines that belong together.
    Leaf(Leaf),
    /// A diagram, or a block inside one.
    Branch(Vec<Node>),
}

/// Whole lines that belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// What they are.
    pub kind: LeafKind,
    /// Where they stand.
    pub span: Span,
}

/// What lines are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LeafKind {
    /// Text outside of diagrams, fences included.
    Prose,
    /// Lines inside a diagram that say nothing.
    Blank,
    /// A comment.
    Comment,
    /// A directive.
    Directive,
    /// A preprocessor line.
    Preprocessor,
    /// Looks, titles, the diagram's first and last line.
    Presentation,
    /// A line that was not understood.
    Unknown,
    /// A statement.
    Statement,
    /// A block's first line.
    Open,
    /// A line between two operands or regions.
    Divide,
    /// A block's last line.
    Close,
}

/// What a statement does to the nesting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Nothing.
    Plain,
    /// Opens a block.
    Open,
    /// Divides the innermost block.
    Divide,
    /// Closes the innermost block.
    Close,
}

/// Statements that can open and close blocks.
pub trait Nests {
    /// What this one does.
    fn role(&self) -> Role;
}

impl Nests for sequence::Item {
    fn role(&self) -> Role {
        use sequence::Item;
        match self {
            Item::Open(_) | Item::BoxStart { .. } => Role::Open,
            Item::Divide(_) => Role::Divide,
            Item::Close | Item::BoxEnd => Role::Close,
            Item::Participant(_)
            | Item::Create(_)
            | Item::HideUnlinked(_)
            | Item::Message(_)
            | Item::Activate { .. }
            | Item::Deactivate(_)
            | Item::Destroy(_)
            | Item::Return(_)
            | Item::AutoActivate(_)
            | Item::AutoNumber(_)
            | Item::Note(_)
            | Item::Reference(_)
            | Item::Separator(..) => Role::Plain,
        }
    }
}

impl Nests for state::Item {
    fn role(&self) -> Role {
        use state::Item;
        match self {
            Item::State(state) if state.opens => Role::Open,
            Item::Region => Role::Divide,
            Item::Close => Role::Close,
            Item::State(_)
            | Item::Transition(_)
            | Item::Hidden(_)
            | Item::Description { .. }
            | Item::Note(_)
            | Item::Separator(_) => Role::Plain,
        }
    }
}

impl Nests for class::Item {
    fn role(&self) -> Role {
        use class::Item;
        match self {
            Item::Class(class) if class.opens => Role::Open,
            Item::Package(_) => Role::Open,
            Item::Close => Role::Close,
            Item::Class(_)
            | Item::Member { .. }
            | Item::Separator(_)
            | Item::Annotation { .. }
            | Item::Relation(_)
            | Item::Note(_) => Role::Plain,
        }
    }
}

/// Cuts a file of `length` bytes along the statements of its document.
pub fn cut(document: &Document, length: usize) -> Tree {
    let mut cutter = Cutter { file: document.file, at: 0, stack: vec![Vec::new()], gap: LeafKind::Prose };
    for block in &document.blocks {
        cutter.block(block);
    }
    cutter.fill_to(length);
    Tree { nodes: cutter.stack.pop().expect("the file itself is never closed") }
}

impl Tree {
    /// The leaves in order.
    pub fn leaves(&self) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        collect(&self.nodes, &mut leaves);
        leaves
    }
}

fn collect(nodes: &[Node], leaves: &mut Vec<Leaf>) {
    for node in nodes {
        match node {
            Node::Leaf(leaf) => leaves.push(*leaf),
            Node::Branch(nodes) => collect(nodes, leaves),
        }
    }
}

/// Deeper blocks are cut as if they were flat; no reader keeps them either.
const DEEPEST: usize = 200;

struct Cutter {
    file: FileId,
    /// Everything before this byte has its piece.
    at: usize,
    /// Open branches, the file itself first.
    stack: Vec<Vec<Node>>,
    /// What lines between statements are.
    gap: LeafKind,
}

impl Cutter {
    fn block(&mut self, block: &Block) {
        if block.span.file != self.file {
            return;
        }
        self.fill_to(block.span.start as usize);
        self.gap = LeafKind::Blank;
        self.stack.push(Vec::new());
        match &block.content {
            Content::Sequence(statements) => self.statements(statements),
            Content::State(statements) => self.statements(statements),
            Content::Class(statements) => self.statements(statements),
            Content::Other(_) => self.gap = LeafKind::Prose,
        }
        self.fill_to(block.span.end as usize);
        while self.stack.len() > 1 {
            self.close();
        }
        self.gap = LeafKind::Prose;
    }

    fn statements<I: Nests>(&mut self, statements: &[Statement<I>]) {
        for statement in statements {
            let lines = statement.lines;
            if lines.file != self.file || (lines.end as usize) <= self.at {
                continue;
            }
            self.fill_to(lines.start as usize);
            self.statement(&statement.kind, lines.end as usize);
        }
    }

    fn statement<I: Nests>(&mut self, kind: &Kind<I>, end: usize) {
        let leaf = match kind {
            Kind::Comment => LeafKind::Comment,
            Kind::Directive(_) => LeafKind::Directive,
            Kind::Preprocessor => LeafKind::Preprocessor,
            Kind::Presentation | Kind::Title(_) => LeafKind::Presentation,
            Kind::Unknown => LeafKind::Unknown,
            Kind::Item(item) => match item.role() {
                Role::Plain => LeafKind::Statement,
                Role::Open => LeafKind::Open,
                Role::Divide => LeafKind::Divide,
                Role::Close => LeafKind::Close,
            },
        };
        if leaf == LeafKind::Open && self.stack.len() < DEEPEST {
            self.stack.push(Vec::new());
        }
        self.leaf(leaf, end);
        if leaf == LeafKind::Close && self.stack.len() > 2 {
            self.close();
        }
    }

    fn close(&mut self) {
        let nodes = self.stack.pop().expect("only open branches are closed");
        self.push(Node::Branch(nodes));
    }

    fn fill_to(&mut self, end: usize) {
        if end > self.at {
            self.leaf(self.gap, end);
        }
    }

    fn leaf(&mut self, kind: LeafKind, end: usize) {
        let span = Span::new(self.file, self.at, end);
        self.at = end;
        self.push(Node::Leaf(Leaf { kind, span }));
    }

    fn push(&mut self, node: Node) {
        self.stack.last_mut().expect("the file itself is never closed").push(node);
    }
}
