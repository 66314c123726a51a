//! Statements of class and object diagrams.
//!
//! Both notations draw the same things: boxes with members, and lines with something at each end. Members are kept as
//! text (`+ name : Type = 1`, `+int age`, `pay(amount : int) : bool`): what they say depends on what the box is, and one
//! grammar in [`resolve`](crate::resolve) reads them for both. A body's members follow their [`ClassDeclaration`] as statements of
//! their own, up to [`ClassStatement::Close`].

use sequent_kernel::model::{EndSign, LineLook, NoteLook};

use super::{Name, Text};

/// One statement of a class or object diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClassStatement {
    /// A class, object or the like is declared, perhaps with a body.
    Class(ClassDeclaration),
    /// A package or namespace is opened, up to [`ClassStatement::Close`].
    Package(Package),
    /// The end of a body or package.
    Close,
    /// One line of a body (`owner` is `None`), or `A : member`.
    Member {
        /// The class it belongs to; `None` for the one whose body is open.
        owner: Option<Name>,
        /// The line.
        text: Text,
    },
    /// A line across a body, with its caption: `--`, `== title ==`.
    Separator(String),
    /// Mermaid's `<<interface>> A`: a stereotype for a class declared elsewhere.
    Annotation {
        /// The class; `None` for the one whose body is open.
        owner: Option<Name>,
        /// The stereotype without the guillemets.
        stereotype: String,
    },
    /// A line between two classes or objects.
    Relation(Box<Relation>),
    /// A note.
    Note(ClassNote),
}

/// The declaration of a class, object or the like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassDeclaration {
    /// Its keyword.
    pub keyword: ClassKeyword,
    /// Name and label. An object written `o : C` has that whole text as its name or label.
    pub name: Name,
    /// Type parameters as written: `T`, `K, V`.
    pub(crate) generics: Option<String>,
    /// `<<stereotypes>>` without the guillemets: `signal`, `capsule`, or anything.
    pub stereotypes: Vec<String>,
    /// Fill colour.
    pub colour: Option<String>,
    /// `extends A, B`
    pub extends: Vec<Name>,
    /// `implements A, B`
    pub implements: Vec<Name>,
    /// Whether a body follows, up to [`ClassStatement::Close`].
    pub opens: bool,
}

/// What a declaration starts with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum ClassKeyword {
    Class,
    /// `abstract class`, `abstract`
    Abstract,
    Interface,
    Enum,
    Annotation,
    Entity,
    Struct,
    Protocol,
    Exception,
    MetaClass,
    Stereotype,
    DataClass,
    Record,
    /// `()`, `circle`: a small circle that stands for an interface.
    Circle,
    /// `<>`, `diamond`: where n-ary associations meet.
    Diamond,
    Object,
    /// `map`: an object with a table of keys and values.
    Map,
}

/// A package or namespace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Package {
    /// Name and label; empty for one without a name (`together {`).
    pub name: Name,
    /// `<<stereotypes>>` without the guillemets.
    pub stereotypes: Vec<String>,
    /// Fill colour.
    pub colour: Option<String>,
}

/// A line between two classes or objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// Both ends as written, left first.
    pub ends: [RelationEnd; 2],
    /// Whether the line is dashed or dotted.
    pub dashed: bool,
    /// How the line is drawn.
    pub look: LineLook,
    /// `<<stereotypes>>` without the guillemets.
    pub stereotypes: Vec<String>,
    /// Label; empty if there is none.
    pub text: Text,
}

/// One end of a relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RelationEnd {
    /// The class or object.
    pub name: Name,
    /// The member the line is drawn to: `A::field`.
    pub member: Option<String>,
    /// What is drawn at this end.
    pub head: RelationHead,
    /// The text beside it in quotes: a role, a multiplicity, or both.
    pub text: Option<Text>,
    /// The qualifier beside it: `[key]`.
    pub(crate) qualifier: Option<String>,
}

/// What is drawn at an end of a relation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RelationHead {
    /// Nothing.
    Plain,
    /// An arrow head: `>`, `>>`.
    Arrow,
    /// A triangle, the general one's end: `|>`, `^`, `extends`.
    Triangle,
    /// A filled diamond, the owner's end of a composition: `*`.
    Diamond,
    /// An open diamond, the owner's end of an aggregation: `o`.
    OpenDiamond,
    /// Anything else, which says nothing here: `()`, `x`, `#`, `+`, crow's feet.
    Other(EndSign),
}

/// A note.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassNote {
    /// What it is attached to.
    pub target: ClassNoteTarget,
    /// How it is drawn.
    pub look: NoteLook,
    /// Text.
    pub text: Text,
}

/// What a note is attached to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClassNoteTarget {
    /// A class or object (`note left of A`, `note for A`).
    Name(Name),
    /// The declaration before it.
    Last,
    /// The relation before it (`note on link`).
    LastRelation,
    /// Nothing; it floats, with a name by which it may be linked.
    Floating(Option<Name>),
}
