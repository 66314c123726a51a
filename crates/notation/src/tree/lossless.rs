//! The lossless layer: a file as nested pieces that follow each other without gap.
//!
//! Merging and quick fixes edit text without disturbing the rest, so every line of a file must belong to something and
//! the pieces together must be the file, byte for byte. Pieces are whole lines. A diagram is a branch; so is a block in
//! it, whose leaves are its opening line, what it holds, the lines between its operands, and its end.

use sequent_kernel::source::{FileId, Span};

use super::{DiagramBlock, DiagramContent, Document, Statement, StatementKind, class, sequence, state};

/// A file cut into pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileTree {
    /// The pieces in order.
    pub nodes: Vec<FilePiece>,
}

/// A piece of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FilePiece {
    /// Whole lines that belong together.
    Leaf(LineGroup),
    /// A diagram, or a block inside one.
    Branch(Vec<FilePiece>),
}

/// Whole lines that belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineGroup {
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
pub enum NestingRole {
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
    fn role(&self) -> NestingRole;
}

impl Nests for sequence::SequenceStatement {
    fn role(&self) -> NestingRole {
        use sequence::SequenceStatement;
        match self {
            SequenceStatement::Open(_) | SequenceStatement::BoxStart { .. } => NestingRole::Open,
            SequenceStatement::Divide(_) => NestingRole::Divide,
            SequenceStatement::Close | SequenceStatement::BoxEnd => NestingRole::Close,
            SequenceStatement::Participant(_)
            | SequenceStatement::Create(_)
            | SequenceStatement::HideUnlinked(_)
            | SequenceStatement::Message(_)
            | SequenceStatement::Activate { .. }
            | SequenceStatement::Deactivate(_)
            | SequenceStatement::Destroy(_)
            | SequenceStatement::Return(_)
            | SequenceStatement::AutoActivate(_)
            | SequenceStatement::AutoNumber(_)
            | SequenceStatement::Note(_)
            | SequenceStatement::Reference(_)
            | SequenceStatement::Separator(..)
            | SequenceStatement::Duration(_) => NestingRole::Plain,
        }
    }
}

impl Nests for state::StateStatement {
    fn role(&self) -> NestingRole {
        use state::StateStatement;
        match self {
            StateStatement::State(state) if state.opens => NestingRole::Open,
            StateStatement::Region => NestingRole::Divide,
            StateStatement::Close => NestingRole::Close,
            StateStatement::State(_)
            | StateStatement::Transition(_)
            | StateStatement::Hidden(_)
            | StateStatement::Description { .. }
            | StateStatement::Note(_)
            | StateStatement::Separator(_) => NestingRole::Plain,
        }
    }
}

impl Nests for class::ClassStatement {
    fn role(&self) -> NestingRole {
        use class::ClassStatement;
        match self {
            ClassStatement::Class(class) if class.opens => NestingRole::Open,
            ClassStatement::Package(_) => NestingRole::Open,
            ClassStatement::Close => NestingRole::Close,
            ClassStatement::Class(_)
            | ClassStatement::Member { .. }
            | ClassStatement::Separator(_)
            | ClassStatement::Annotation { .. }
            | ClassStatement::Relation(_)
            | ClassStatement::Note(_) => NestingRole::Plain,
        }
    }
}

/// Cuts a file of `length` bytes along the statements of its document.
pub fn cut(document: &Document, length: usize) -> FileTree {
    let mut cutter = FileCutter { file: document.file, at: 0, stack: vec![Vec::new()], gap: LeafKind::Prose };
    for block in &document.blocks {
        cutter.block(block);
    }
    cutter.fill_to(length);
    FileTree { nodes: cutter.stack.pop().expect("the file itself is never closed") }
}

impl FileTree {
    /// The leaves in order.
    pub fn leaves(&self) -> Vec<LineGroup> {
        let mut leaves = Vec::new();
        collect(&self.nodes, &mut leaves);
        leaves
    }
}

fn collect(nodes: &[FilePiece], leaves: &mut Vec<LineGroup>) {
    for node in nodes {
        match node {
            FilePiece::Leaf(leaf) => leaves.push(*leaf),
            FilePiece::Branch(nodes) => collect(nodes, leaves),
        }
    }
}

/// Deeper blocks are cut as if they were flat; no reader keeps them either.
const DEEPEST: usize = 200;

struct FileCutter {
    file: FileId,
    /// Everything before this byte has its piece.
    at: usize,
    /// Open branches, the file itself first.
    stack: Vec<Vec<FilePiece>>,
    /// What lines between statements are.
    gap: LeafKind,
}

impl FileCutter {
    fn block(&mut self, block: &DiagramBlock) {
        if block.span.file != self.file {
            return;
        }
        self.fill_to(block.span.start as usize);
        self.gap = LeafKind::Blank;
        self.stack.push(Vec::new());
        match &block.content {
            DiagramContent::Sequence(statements) => self.statements(statements),
            DiagramContent::State(statements) => self.statements(statements),
            DiagramContent::Class(statements) => self.statements(statements),
            DiagramContent::Other(_) => self.gap = LeafKind::Prose,
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

    fn statement<I: Nests>(&mut self, kind: &StatementKind<I>, end: usize) {
        let leaf = match kind {
            StatementKind::Comment => LeafKind::Comment,
            StatementKind::Directive(_) => LeafKind::Directive,
            StatementKind::Preprocessor => LeafKind::Preprocessor,
            StatementKind::Presentation | StatementKind::Title(_) | StatementKind::Caption(_) => {
                LeafKind::Presentation
            }
            StatementKind::Unknown => LeafKind::Unknown,
            StatementKind::Item(item) => match item.role() {
                NestingRole::Plain => LeafKind::Statement,
                NestingRole::Open => LeafKind::Open,
                NestingRole::Divide => LeafKind::Divide,
                NestingRole::Close => LeafKind::Close,
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
        self.push(FilePiece::Branch(nodes));
    }

    fn fill_to(&mut self, end: usize) {
        if end > self.at {
            self.leaf(self.gap, end);
        }
    }

    fn leaf(&mut self, kind: LeafKind, end: usize) {
        let span = Span::new(self.file, self.at, end);
        self.at = end;
        self.push(FilePiece::Leaf(LineGroup { kind, span }));
    }

    fn push(&mut self, node: FilePiece) {
        self.stack.last_mut().expect("the file itself is never closed").push(node);
    }
}
