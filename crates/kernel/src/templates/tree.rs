//! The diagram as the templates see it: a tree of operands and fragments whose leaves are occurrences.
//!
//! Loops are written out, references inlined, and a break is an alternative of its operand and the remainder of the block
//! (section V-B of P0). Every occurrence stands once, with a name of its own: the text of its event, and `#k` where several
//! occurrences have the same text. Everything knows under which condition it runs.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::condition::{RigidCondition, RigidId};
use crate::formula::Formula;
use crate::id;
use crate::id::IdVec;
use crate::model::{FragmentId, InteractionId};
use crate::source::Place;
use crate::system::EventKind;

id! {
    /// A lifeline.
    LineId
}
id! {
    /// An occurrence.
    OccurrenceId
}
id! {
    /// An operand, a fragment, or a leaf.
    NodeId
}

/// A diagram, written out.
#[derive(Clone, Debug)]
pub struct TemplateTree {
    /// Lifelines by name.
    pub lines: IdVec<LineId, String>,
    /// Occurrences in order of the diagram.
    pub occurrences: IdVec<OccurrenceId, TemplateOccurrence>,
    /// Operands, fragments and leaves; parents come before what they hold.
    pub nodes: IdVec<NodeId, TemplateNode>,
    /// Names of rigid propositions.
    pub rigids: IdVec<RigidId, String>,
    /// Those of them that are what others say, and have no rules.
    pub definitions: BTreeMap<RigidId, Formula>,
    /// The kept loops around each rigid proposition, outermost first: it has a value in each of their iterations.
    pub homes: IdVec<RigidId, Vec<NodeId>>,
    /// What the values of rigid propositions have to do with each other.
    pub rules: Vec<RigidRule>,
    /// Loops that are kept: one operand stands for every iteration.
    pub kept: BTreeMap<NodeId, LoopRounds>,
    /// General orderings: the first before the second.
    pub orderings: Vec<(OccurrenceId, OccurrenceId)>,
    /// Calls whose senders wait: the sending of the call, the receipt of its reply.
    pub calls: Vec<(OccurrenceId, OccurrenceId)>,
    /// Those meetings that are local actions: occurrences, but unseen.
    pub actions: BTreeSet<NodeId>,
    /// Fragments are joined to their neighbours strictly (rule nu).
    pub is_joined_strictly: bool,
    /// The operand that is the whole diagram.
    pub root: NodeId,
    /// The diagram.
    pub place: Place,
    /// How much may still be looked at and written.
    pub(super) work: Cell<usize>,
}

/// How often a kept loop may run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LoopRounds {
    /// At least.
    pub min: u32,
    /// At most.
    pub max: u32,
    /// The loop in the model.
    pub(super) drawn: (InteractionId, FragmentId),
}

/// Something that happens on a lifeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemplateOccurrence {
    /// Its name: unlike that of every other occurrence.
    pub text: String,
    /// Which of several occurrences with the same event it is, from 1.
    pub copy: Option<usize>,
    /// The text of its event.
    pub event: String,
    /// What happens.
    pub kind: EventKind,
    /// The name of the message; empty for the end of a lifeline.
    pub message: String,
    /// The arguments of the message as events tell them.
    pub arguments: Option<Vec<String>>,
    /// The message with its arguments; empty for the end of a lifeline.
    pub label: String,
    /// Where it happens.
    pub line: LineId,
    /// The lifeline at the other end of the message, if there is one.
    pub partner: Option<LineId>,
    /// The leaf it belongs to.
    pub node: NodeId,
}

/// A part of a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemplateNode {
    /// What it stands in.
    pub parent: Option<NodeId>,
    /// What it is.
    pub kind: TemplateNodeKind,
    /// When it runs.
    pub when: RigidCondition,
    /// Where it stands in the source.
    pub place: Place,
}

/// What a part of a diagram is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TemplateNodeKind {
    /// An operand; the whole diagram is one too.
    Operand(TemplateOperand),
    /// A combined fragment, or an interaction use.
    Fragment(TemplateFragment),
    /// A message; one end may be missing.
    Message(Option<OccurrenceId>, Option<OccurrenceId>),
    /// A lifeline ends.
    Stop(OccurrenceId),
    /// Something unseen for which these lifelines meet: a state invariant, or a local action.
    Meeting(Vec<LineId>),
}

/// An operand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TemplateOperand {
    /// What stands in it, in drawn order.
    pub items: Vec<NodeId>,
    /// A constraint is written above it.
    pub is_guarded: bool,
    /// What decides about it besides what stands around it.
    pub own: Option<RigidCondition>,
}

/// A fragment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemplateFragment {
    /// How its operands are combined.
    pub shape: OperandComposition,
    /// Its operands; iterations, if it is a loop.
    pub operands: Vec<NodeId>,
    /// A name for it: `par 1`.
    pub name: String,
    /// If it has alternatives: one of them runs in any case.
    pub is_total: bool,
}

/// How the operands of a fragment are combined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum OperandComposition {
    Seq,
    Strict,
    Par,
    Alt,
    Opt,
    /// The operand of the break, and the remainder of the block around it.
    Break,
    Loop,
    StrictLoop,
    Critical,
    Assert,
    Neg,
    /// What is drawn inside, and beside it each ignored message.
    Ignore,
    /// The same for messages that are not considered.
    Consider,
    Coregion(LineId),
    Ref,
}

/// How operands stand to each other along a lifeline.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OperandOrder {
    /// One after the other.
    Sequence,
    /// Beside each other.
    Beside,
    /// One of them runs.
    Choice,
}

/// A rule for rigid propositions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RigidRule {
    /// What it is about.
    pub about: String,
    /// A formula without temporal operators.
    pub formula: Formula,
}

/// An occurrence that must be over before something, if a condition holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Requirement {
    /// What must be over.
    pub occurrence: OccurrenceId,
    /// When: it happens then, and what waits for it does wait.
    pub when: RigidCondition,
}

impl OperandComposition {
    /// How operands of this shape stand to each other along a lifeline.
    pub fn order(self) -> OperandOrder {
        match self {
            OperandComposition::Par | OperandComposition::Ignore | OperandComposition::Consider => {
                OperandOrder::Beside
            }
            OperandComposition::Alt | OperandComposition::Break => OperandOrder::Choice,
            OperandComposition::Seq
            | OperandComposition::Strict
            | OperandComposition::Opt
            | OperandComposition::Loop
            | OperandComposition::StrictLoop
            | OperandComposition::Critical
            | OperandComposition::Assert
            | OperandComposition::Neg
            | OperandComposition::Coregion(_)
            | OperandComposition::Ref => OperandOrder::Sequence,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            OperandComposition::Seq => "seq",
            OperandComposition::Strict => "strict",
            OperandComposition::Par => "par",
            OperandComposition::Alt => "alt",
            OperandComposition::Opt => "opt",
            OperandComposition::Break => "break",
            OperandComposition::Loop => "loop",
            OperandComposition::StrictLoop => "sloop",
            OperandComposition::Critical => "critical",
            OperandComposition::Assert => "assert",
            OperandComposition::Neg => "neg",
            OperandComposition::Ignore => "ignore",
            OperandComposition::Consider => "consider",
            OperandComposition::Coregion(_) => "coregion",
            OperandComposition::Ref => "ref",
        }
    }

    /// Whether an operand waits for all of an earlier one, on all lifelines.
    pub fn is_strict(self) -> bool {
        matches!(self, OperandComposition::Strict | OperandComposition::StrictLoop)
    }

    /// Whether nothing else on a lifeline comes between what stands in it.
    pub(crate) fn is_kept_together(self) -> bool {
        matches!(self, OperandComposition::Critical | OperandComposition::Assert)
    }

    /// Whether it is a combined fragment, not an interaction use.
    pub fn is_combined(self) -> bool {
        self != OperandComposition::Ref
    }
}

impl TemplateTree {
    /// Spends some work; false once there is none left.
    pub(super) fn spend(&self, work: usize) -> bool {
        self.work.set(self.work.get().saturating_sub(work));
        self.work.get() > 0
    }

    /// Spends a little work; false once there is none left.
    pub(super) fn works(&self) -> bool {
        self.spend(1)
    }

    /// When an occurrence happens.
    pub fn when(&self, occurrence: OccurrenceId) -> &RigidCondition {
        &self.nodes[self.occurrences[occurrence].node].when
    }

    /// The kept loops around a node, outermost first.
    pub fn kept_around(&self, node: NodeId) -> Vec<NodeId> {
        let around = std::iter::successors(self.nodes[node].parent, |one| self.nodes[*one].parent);
        let mut found: Vec<NodeId> = around.filter(|one| self.kept.contains_key(one)).collect();
        found.reverse();
        found
    }

    /// How often an occurrence happens at most.
    pub fn times(&self, occurrence: OccurrenceId) -> usize {
        let loops = self.kept_around(self.occurrences[occurrence].node);
        loops.iter().map(|one| self.kept[one].max as usize).fold(1, usize::saturating_mul)
    }

    /// When an operand runs, given that its fragment does.
    pub fn own_condition(&self, operand: NodeId) -> RigidCondition {
        let parent = self.nodes[operand].parent;
        let around = parent.map_or(RigidCondition::ALWAYS, |parent| self.nodes[parent].when.clone());
        self.nodes[operand].when.without(&around)
    }

    /// The operand behind an id, if it is one.
    pub fn operand(&self, node: NodeId) -> Option<&TemplateOperand> {
        match &self.nodes[node].kind {
            TemplateNodeKind::Operand(operand) => Some(operand),
            TemplateNodeKind::Fragment(_)
            | TemplateNodeKind::Message(..)
            | TemplateNodeKind::Stop(_)
            | TemplateNodeKind::Meeting(_) => None,
        }
    }

    /// The fragment behind an id, if it is one.
    pub fn fragment(&self, node: NodeId) -> Option<&TemplateFragment> {
        match &self.nodes[node].kind {
            TemplateNodeKind::Fragment(fragment) => Some(fragment),
            TemplateNodeKind::Operand(_)
            | TemplateNodeKind::Message(..)
            | TemplateNodeKind::Stop(_)
            | TemplateNodeKind::Meeting(_) => None,
        }
    }

    /// What a node directly holds, in drawn order.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        match &self.nodes[node].kind {
            TemplateNodeKind::Operand(operand) => &operand.items,
            TemplateNodeKind::Fragment(fragment) => &fragment.operands,
            TemplateNodeKind::Message(..) | TemplateNodeKind::Stop(_) | TemplateNodeKind::Meeting(_) => &[],
        }
    }

    /// The occurrences of a leaf, in drawn order.
    pub fn ends(&self, node: NodeId) -> Vec<OccurrenceId> {
        match &self.nodes[node].kind {
            TemplateNodeKind::Message(send, receive) => send.iter().chain(receive).copied().collect(),
            TemplateNodeKind::Stop(stop) => vec![*stop],
            TemplateNodeKind::Operand(_) | TemplateNodeKind::Fragment(_) | TemplateNodeKind::Meeting(_) => {
                Vec::new()
            }
        }
    }
}
