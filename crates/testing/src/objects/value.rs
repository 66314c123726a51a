//! What is sent, and what it carries.

use std::collections::BTreeMap;

use sequent_kernel::semantics::objects::InstanceId;

/// What an attribute holds or a message carries.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NaiveValue {
    /// True or false.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A literal of an enumeration.
    Literal(String),
    /// An object, or none.
    Object(Option<InstanceId>),
}

/// Names that a trigger has bound.
pub(crate) type Bindings = BTreeMap<String, NaiveValue>;

/// A message on its way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NaiveMessage {
    /// The sender; `None` for outside of the system.
    pub from: Option<InstanceId>,
    /// The signal or operation.
    pub name: String,
    /// What it carries.
    pub arguments: Vec<NaiveValue>,
}

/// The receiver of a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NaiveReceiver {
    /// An object, of the environment perhaps.
    Object(InstanceId),
    /// The outside of the system.
    Outside,
}
