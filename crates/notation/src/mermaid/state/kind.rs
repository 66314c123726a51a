//! What the tokens of state diagrams are.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum StateTokenKind {
    Newline,
    /// `direction LR`, and every line that holds these words.
    Direction,
    Click,
    Href,
    Quoted,
    Default,
    /// `scale 350 width`, `hide empty description`.
    Looks,
    /// `classDef`, `class`, `style` with all that belongs to them.
    Style,
    /// `classDef default`, which mermaid's grammar refuses.
    StyleDefault,
    /// `accTitle: ..`; the length up to the text.
    AccTitle(usize),
    AccDescription,
    /// `accDescr {` with its text, and whether its `}` is there.
    AccBlock(bool),
    /// A declaration that ends with `<<fork>>` or the like; the length of the name.
    Pseudo(&'static str, usize),
    /// The word after `state`.
    Composite,
    /// A quoted description after `state`.
    Description,
    As,
    Id,
    Open,
    Close,
    Note(NoteParts),
    Star,
    /// `: text`
    Label,
    Arrow,
    /// `--` between regions.
    Divider,
    /// `:::`
    ClassMark,
    Diagram,
    Comment,
    /// A character no rule takes.
    Invalid,
    End,
}

/// Where the parts of a note stand in its token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoteParts {
    /// Attached to a state rather than floating.
    pub attached: bool,
    /// The state, or the name of a floating note.
    pub name: [usize; 2],
    /// The text.
    pub text: [usize; 2],
}
