//! Classes, their relations, and objects (rule M5).

use crate::model::{ClassId, ObjectId};
use crate::source::Place;

/// A class, interface, enumeration, signal, protocol or capsule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// The name other elements use.
    pub name: String,
    /// The text drawn.
    pub label: String,
    /// What it is.
    pub kind: ClassKind,
    /// `<<stereotype>>` texts that say nothing about the kind.
    pub stereotypes: Vec<String>,
    /// Attributes in order.
    pub attributes: Vec<Attribute>,
    /// Operations and receptions in order.
    pub operations: Vec<Operation>,
    /// Literals of an enumeration.
    pub literals: Vec<String>,
    /// Whether it was declared, rather than first named by a relation.
    pub declared: bool,
    /// Declaration or first use.
    pub place: Place,
}

/// What a class is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum ClassKind {
    Class,
    Abstract,
    Interface,
    Enumeration,
    Signal,
    /// An active class with ports (P1).
    Capsule,
    /// A set of messages with directions (P1).
    Protocol,
}

impl ClassKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            ClassKind::Class => "class",
            ClassKind::Abstract => "abstract",
            ClassKind::Interface => "interface",
            ClassKind::Enumeration => "enumeration",
            ClassKind::Signal => "signal",
            ClassKind::Capsule => "capsule",
            ClassKind::Protocol => "protocol",
        }
    }

    /// The stereotype that tells it from a plain class.
    pub fn stereotype(self) -> Option<&'static str> {
        Some(self.name()).filter(|_| self != ClassKind::Class)
    }
}

/// An attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its type as written: `bool`, `0..10`, an enumeration.
    pub type_name: Option<String>,
    /// Its initial value as written.
    pub initial: Option<String>,
    /// Its multiplicity as written.
    pub multiplicity: Option<String>,
    /// `+`, `-`, `#`, `~`.
    pub visibility: Option<Visibility>,
    /// Whether it belongs to the class itself.
    pub is_static: bool,
    /// `<<stereotype>>` texts (`<<port>>`).
    pub stereotypes: Vec<String>,
    /// Where it stands.
    pub place: Place,
}

impl Attribute {
    /// Whether it is a port: a place through which messages pass, and no value.
    pub fn is_port(&self) -> bool {
        has_stereotype(&self.stereotypes, "port")
    }
}

/// Whether a stereotype is among those that are written, one by one or with commas in between.
pub fn has_stereotype(stereotypes: &[String], wanted: &str) -> bool {
    stereotypes.iter().flat_map(|text| text.split(',')).any(|word| word.trim().eq_ignore_ascii_case(wanted))
}

/// An operation, or the reception of a signal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// Its name.
    pub name: String,
    /// Parameters in order.
    pub parameters: Vec<Parameter>,
    /// Result type as written.
    pub result: Option<String>,
    /// `<<signal>>`: asynchronous.
    pub is_signal: bool,
    /// `+`, `-`, `#`, `~`.
    pub visibility: Option<Visibility>,
    /// Whether it belongs to the class itself.
    pub is_static: bool,
    /// Whether only classes below this one can say what it does.
    pub is_abstract: bool,
    /// `<<stereotype>>` texts that say nothing about the kind.
    pub stereotypes: Vec<String>,
    /// Where it stands.
    pub place: Place,
}

/// Who else takes part in an operation of P1, by class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Address<'a> {
    /// Objects of this class send it to the object itself.
    From(&'a str),
    /// The object itself sends it to objects of this class.
    To(&'a str),
}

impl Operation {
    /// Who else takes part, where the parameters `from` and `to` say so (P1): one of them is `{self}`.
    pub fn address(&self) -> Option<Address<'_>> {
        let of = |name: &str| self.parameters.iter().find(|one| one.name == name)?.type_name.as_deref();
        let (from, to) = (of("from")?.trim(), of("to")?.trim());
        match (from, to) {
            (from, "{self}") if from != "{self}" => Some(Address::From(from)),
            ("{self}", to) if to != "{self}" => Some(Address::To(to)),
            (_, _) => None,
        }
    }

    /// The parameters that carry values: those that say who takes part carry none.
    pub fn values(&self) -> impl Iterator<Item = &Parameter> {
        let is_addressed = self.address().is_some();
        let carries = move |one: &&Parameter| !is_addressed || !matches!(one.name.as_str(), "from" | "to");
        self.parameters.iter().filter(carries)
    }
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type as written.
    pub type_name: Option<String>,
    /// `in`, `out` or `inout`, if written.
    pub direction: Option<ParameterDirection>,
}

/// Which way a parameter's value travels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum ParameterDirection {
    In,
    Out,
    InOut,
}

/// The visibility of a member.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Visibility {
    Public,
    Private,
    Protected,
    Package,
}

/// A relation between two classes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Association {
    /// What it is.
    pub kind: AssociationKind,
    /// Its label.
    pub name: Option<String>,
    /// From and to; for generalisation and realisation the special one first, for aggregation and composition the whole.
    pub ends: [AssociationEnd; 2],
    /// The statement.
    pub place: Place,
}

/// What a relation between classes is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum AssociationKind {
    Association,
    Aggregation,
    Composition,
    Generalization,
    Realization,
    Dependency,
}

/// One end of a relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AssociationEnd {
    /// The class.
    pub class: ClassId,
    /// Role name.
    pub role: Option<String>,
    /// Multiplicity as written.
    pub multiplicity: Option<String>,
    /// Whether an arrow head points at it.
    pub navigable: bool,
}

/// An object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its class.
    pub class: Option<String>,
    /// Attribute values as written.
    pub values: Vec<(String, String)>,
    /// `<<stereotype>>` texts.
    pub stereotypes: Vec<String>,
    /// The declaration.
    pub place: Place,
}

/// A link between two objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// Both objects.
    pub ends: [ObjectId; 2],
    /// Role or port names at the ends.
    pub roles: [Option<String>; 2],
    /// Its label.
    pub name: Option<String>,
    /// The statement.
    pub place: Place,
}
