//! Templates: what a diagram means, written as formulas (P0, sections III to V and appendices A and B).
//!
//! A second formulation, independent of the lowering in [`semantics`](crate::semantics): each rule of the diagram becomes a
//! temporal formula over *occurrences*, and the traces of the diagram are the words that satisfy all of them. An occurrence
//! is named by the text of its event, and by its number where several have the same text; the same names are given to the
//! events of a System by [`distinguish`](crate::system::distinguish).
//!
//! Constraints and choices are rigid propositions: they have one value throughout a run. With all of them open there is one
//! formula of polynomial size for all valuations (appendix B). With all of them fixed it is the formula of section V for
//! one way through the diagram ([`Resolution`]); both come from the same code.
//!
//! The first position of a formula is the first occurrence, as in the paper; [`from_start`] puts it at the start of a
//! run, before that. docs/templates.md compares each formula with the printed one.

mod basic;
mod before;
mod compact;
mod condition;
mod cut;
mod demands;
mod fragments;
mod functions;
mod grow;
mod guards;
mod projection;
mod property;
mod resolution;
mod tree;
mod unfold;
mod units;
mod write;

pub use condition::{RigidCondition, RigidId};
pub use cut::{MANY, UnboundedLoop, cut, unbounded};
pub use demands::{From, OccurrenceDemand, Why};
pub use property::{ForbiddenRuns, NotAFormula};
pub use resolution::{Resolution, instantiate, resolutions};
pub use tree::{
    LineId, LoopRounds, NodeId, OccurrenceId, OperandComposition, OperandOrder, Requirement, RigidRule,
    TemplateFragment, TemplateNode, TemplateNodeKind, TemplateOccurrence, TemplateOperand, TemplateTree,
};
pub use units::{CompoundUnit, ExecutionUnit, UnitPart};

use crate::formula::{Binary, Formula};
use crate::model::{InteractionId, Model};
use crate::semantics::{Assumptions, Switches, Unsupported};
use unfold::{UnfoldStyle, Unfolder};
use write::{binary, globally, name, next};

/// The letters by which the paper calls its templates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TemplateLetter {
    /// The order of occurrences along a lifeline, each once.
    Alpha,
    /// A message is sent before it is received.
    Beta,
    /// A fragment between what precedes and what follows it on a lifeline.
    Gamma,
    /// What precedes and what follows a fragment in which nothing happens.
    Eta,
    /// One at a time, until all have happened.
    Epsilon,
    /// Nothing interleaves with a critical region.
    Delta,
    /// Iterations one after the other.
    Kappa,
    /// Nothing else follows what precedes an assertion.
    Lambda,
    /// Operands one after the other on all lifelines.
    Chi,
    /// A fragment joined strictly to its neighbours.
    Nu,
    /// The occurrence right below a constraint is the first.
    Mu,
    /// A general ordering.
    Upsilon,
    /// A caller waits for the reply.
    Xi,
    /// A state invariant: its lifelines meet there.
    Iota,
    /// What happens only if a constraint is true.
    Cond,
    /// How choices and constraints belong together.
    Exe,
    /// A proposition that does not change.
    Rigid,
    /// What must hold in every run of a model, for a diagram that forbids or requires something.
    Omega,
}

impl TemplateLetter {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            TemplateLetter::Alpha => "alpha",
            TemplateLetter::Beta => "beta",
            TemplateLetter::Gamma => "gamma",
            TemplateLetter::Eta => "eta",
            TemplateLetter::Epsilon => "epsilon",
            TemplateLetter::Delta => "delta",
            TemplateLetter::Kappa => "kappa",
            TemplateLetter::Lambda => "lambda",
            TemplateLetter::Chi => "chi",
            TemplateLetter::Nu => "nu",
            TemplateLetter::Mu => "mu",
            TemplateLetter::Upsilon => "upsilon",
            TemplateLetter::Xi => "xi",
            TemplateLetter::Iota => "iota",
            TemplateLetter::Cond => "cond",
            TemplateLetter::Exe => "exe",
            TemplateLetter::Rigid => "rigid",
            TemplateLetter::Omega => "omega",
        }
    }
}

/// One conjunct of what a diagram means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    /// Which rule it is.
    pub letter: TemplateLetter,
    /// What it is about, to be read after the letter: `of par 1 on b`.
    pub about: String,
    /// What must hold, read from the first occurrence on.
    pub formula: Formula,
}

/// What a formula that is read from the first occurrence on is at the start of a run, one position earlier.
pub fn from_start(formula: &Formula) -> Formula {
    next(formula.clone())
}

/// The templates of a diagram; together they say what its traces are.
#[derive(Clone, Debug)]
pub struct Templates {
    /// The conjuncts.
    pub list: Vec<Template>,
    /// The rigid propositions in them, in order of the diagram.
    pub rigids: Vec<String>,
    /// The diagram they were made from.
    pub tree: TemplateTree,
}

/// The tree of an interaction, as the templates see it.
pub fn unfold(
    model: &Model,
    id: InteractionId,
    assumptions: &Assumptions,
) -> Result<TemplateTree, Unsupported> {
    Unfolder::new(model, id, &plain(assumptions), &UnfoldStyle::default()).unfold(id)
}

/// The same with loops that are kept where their iterations need not be told apart, and guards that decide by themselves.
pub fn compact(
    model: &Model,
    id: InteractionId,
    assumptions: &Assumptions,
) -> Result<TemplateTree, Unsupported> {
    compact::compact(model, id, &plain(assumptions))
}

/// What traces there are does not depend on what they are worth.
pub fn plain(assumptions: &Assumptions) -> Assumptions {
    let Switches {
        blocking_calls,
        independent_guards,
        guarded_first,
        strict_joints,
        guards_on_entry,
        ignored,
        ..
    } = assumptions.switches;
    let switches = Switches {
        blocking_calls,
        independent_guards,
        guarded_first,
        strict_joints,
        guards_on_entry,
        ignored,
        ..Switches::default()
    };
    Assumptions { switches, ..assumptions.clone() }
}

/// How templates are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TemplateOptions {
    /// Which operators may be used.
    pub tense: Tense,
    /// As a part of several diagrams it may pause while the others go on (appendix B).
    pub is_partial: bool,
}

/// Whether formulas may look back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Tense {
    /// They do, as the paper's do.
    #[default]
    Past,
    /// They do not, for tools that know no past.
    Future,
}

/// The templates of an interaction.
pub fn templates(
    model: &Model,
    id: InteractionId,
    assumptions: &Assumptions,
    wishes: TemplateOptions,
) -> Result<Templates, Unsupported> {
    let tree = unfold(model, id, assumptions)?;
    let guarded_first = assumptions.switches.guarded_first;
    let mut writer = TemplateWriter { tree: &tree, templates: Vec::new(), wishes, guarded_first };
    writer.whole();
    if !tree.works() {
        let what = "a diagram with templates this long".to_owned();
        return Err(Unsupported { what, place: tree.place });
    }
    let (list, rigids) = (writer.templates, tree.rigids.iter().cloned().collect());
    Ok(Templates { list, rigids, tree })
}

/// Writes the templates of a tree down.
struct TemplateWriter<'t> {
    tree: &'t TemplateTree,
    templates: Vec<Template>,
    wishes: TemplateOptions,
    /// Rule mu holds.
    guarded_first: bool,
}

impl TemplateWriter<'_> {
    fn whole(&mut self) {
        let tree = self.tree;
        tree.visit(tree.root, &mut |node| match &tree.nodes[node].kind {
            TemplateNodeKind::Operand(_) => self.operand(node),
            TemplateNodeKind::Fragment(fragment) if tree.is_live(node) => self.fragment(node, fragment),
            TemplateNodeKind::Fragment(_)
            | TemplateNodeKind::Message(..)
            | TemplateNodeKind::Stop(_)
            | TemplateNodeKind::Meeting(_) => {}
        });
        self.others();
        self.epsilon();
        for rule in &tree.rules {
            let RigidRule { about, formula } = rule.clone();
            self.write(TemplateLetter::Exe, format!("of {about}"), Some(formula));
        }
        for rigid in tree.rigids.iter() {
            let value = name(rigid, tree.place);
            let stays = binary(Binary::Iff, value.clone(), next(value));
            self.write(TemplateLetter::Rigid, format!("`{rigid}`"), Some(globally(stays)));
        }
    }

    fn write(&mut self, letter: TemplateLetter, about: String, formula: Option<Formula>) {
        let templates = &mut self.templates;
        templates.extend(formula.map(|formula| Template { letter, about, formula }));
    }

    /// ` in operand 2 of par 1`; nothing for the diagram itself.
    fn inside(&self, operand: NodeId) -> String {
        match self.tree.nodes[operand].parent {
            Some(_) => format!(" in {}", self.operand_name(operand)),
            None => String::new(),
        }
    }

    /// `operand 2 of par 1`, or `par 1` if there is only one.
    fn operand_name(&self, operand: NodeId) -> String {
        let parent = self.tree.nodes[operand].parent;
        let Some((parent, fragment)) = parent.and_then(|id| Some((id, self.tree.fragment(id)?))) else {
            return "the diagram".to_owned();
        };
        let siblings = self.tree.children(parent);
        let number = siblings.iter().position(|one| *one == operand).unwrap_or(0) + 1;
        match fragment.shape {
            _ if siblings.len() == 1 => fragment.name.clone(),
            OperandComposition::Loop | OperandComposition::StrictLoop => {
                format!("iteration {number} of {}", fragment.name)
            }
            _ => format!("operand {number} of {}", fragment.name),
        }
    }

    /// The message of an occurrence, without its sign.
    fn message_name(&self, occurrence: OccurrenceId) -> &str {
        let occurrence = &self.tree.occurrences[occurrence];
        occurrence.kind.unsigned(&occurrence.text)
    }
}

impl TemplateTree {
    /// These occurrences, each required whenever it happens.
    fn required_all(&self, occurrences: &[OccurrenceId]) -> Vec<Requirement> {
        let one = |occurrence: &OccurrenceId| Requirement {
            occurrence: *occurrence,
            when: self.when(*occurrence).clone(),
        };
        occurrences.iter().map(one).collect()
    }

    /// What stands behind a part in its block; the remainder after a break is the same block.
    fn behind_in_block(&self, node: NodeId) -> Vec<NodeId> {
        let Some(parent) = self.nodes[node].parent else { return Vec::new() };
        let items = self.children(parent);
        let own = items.iter().position(|one| *one == node).unwrap_or(0);
        items[own + 1..].to_vec()
    }
}
