//! The syntax tree: what each line of a diagram says, the same for both notations.
//!
//! Readers produce [`DiagramBlock`]s of [`Statement`]s in the order of the text, without looking names up and without judging.
//! Each statement knows its own place and the whole lines it occupies, so that [`lossless`] can cut a file into pieces
//! that follow each other without gap and give it back byte for byte.

pub mod class;
pub mod lossless;
pub mod names;
pub mod sequence;
pub mod state;

use sequent_kernel::model::{Caption, Model};
use sequent_kernel::source::{FileId, Span};

/// What one file holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document {
    /// The file.
    pub file: FileId,
    /// Its diagrams in order.
    pub blocks: Vec<DiagramBlock>,
    /// What it says without statements, where it is a UML model.
    pub model: Option<Box<Model>>,
}

impl Document {
    /// A file with diagrams.
    pub fn new(file: FileId, blocks: Vec<DiagramBlock>) -> Self {
        Document { file, blocks, model: None }
    }

    /// Whether the file holds nothing that is read.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.model.is_none()
    }
}

/// One diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiagramBlock {
    /// How it is written.
    pub notation: Notation,
    /// All its lines: from `@startuml` to `@enduml`, or the inside of a fence.
    pub span: Span,
    /// Its name: `@startuml name`; `None` if it has none of its own.
    pub name: Option<String>,
    /// The nearest heading above it, in Markdown.
    pub heading: Option<String>,
    /// What it says.
    pub content: DiagramContent,
}

/// The two notations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Notation {
    PlantUml,
    Mermaid,
}

/// The statements of a diagram, by kind of diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DiagramContent {
    /// A sequence diagram.
    Sequence(Vec<Statement<sequence::SequenceStatement>>),
    /// A state diagram.
    State(Vec<Statement<state::StateStatement>>),
    /// A class or object diagram.
    Class(Vec<Statement<class::ClassStatement>>),
    /// A kind that is not read, with its name (`flowchart`, `mindmap`).
    Other(String),
}

/// One statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement<I> {
    /// Where it stands, for diagnostics; in another file if it was included.
    pub span: Span,
    /// The whole lines it occupies in the file of its block (for a macro or include: the line of the call).
    pub lines: Span,
    /// What it says.
    pub kind: StatementKind<I>,
}

/// What a statement says: something of its diagram, or what can stand in every diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StatementKind<I> {
    /// A comment.
    Comment,
    /// A comment addressed to Sequent: `' @forbidden`, `%% @required anchor=start`.
    Directive(Directive),
    /// A preprocessor line; what it expands to follows as statements of the same lines.
    Preprocessor,
    /// Looks only: `skinparam`, `hide`, `classDef`, `%%{init}%%`, `@startuml`, the diagram's keyword line.
    Presentation,
    /// The diagram's title, also `accTitle` and the `title` of a front matter.
    Title(String),
    /// Another text around the diagram: `header`, `footer`, `caption`, `legend`.
    Caption(Caption),
    /// A line that was not understood; a diagnostic says why.
    Unknown,
    /// A statement of this kind of diagram.
    Item(I),
}

/// A comment addressed to Sequent, not yet interpreted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directive {
    /// The word after `@`.
    pub name: String,
    /// Where that word stands, with the `@`.
    pub(crate) name_span: Span,
    /// The rest of the comment, trimmed.
    pub argument: String,
    /// Where the rest stands.
    pub argument_span: Span,
}

/// A name as written, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name, without quotes.
    pub text: String,
    /// The label to draw, if given together with the name (`"Long text" as Name`).
    pub label: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// A text as written, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The text; `\n` separates lines.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}
