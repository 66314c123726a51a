//! Deconstruction: what a diagram is on each lifeline (section III-B of P0, definitions 4 to 6, figures 2 and 3).
//!
//! An operand projected on a lifeline is a *unit*: a basic one is a list of occurrences, any other a list of basic units
//! and compounds. A compound is a fragment projected on a lifeline: a unit for each of its operands.

use super::tree::{LineId, NodeId, OccurrenceId, OperandComposition, TemplateNodeKind, TemplateTree};

/// An execution unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExecutionUnit {
    /// BEU: occurrences in their order.
    Basic(Vec<OccurrenceId>),
    /// HEU: basic units and compounds, one after the other.
    Hierarchical(Vec<UnitPart>),
}

/// A part of a hierarchical unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnitPart {
    /// Occurrences between two compounds.
    Basic(Vec<OccurrenceId>),
    /// A fragment.
    Compound(CompoundUnit),
}

/// CEU: a fragment on a lifeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompoundUnit {
    /// How its units are combined.
    pub shape: OperandComposition,
    /// One for each operand.
    pub units: Vec<ExecutionUnit>,
}

impl TemplateTree {
    /// An operand, or the whole diagram, projected on a lifeline.
    pub fn project(&self, operand: NodeId, line: LineId) -> ExecutionUnit {
        let mut parts = Vec::new();
        let mut loose: Vec<OccurrenceId> = Vec::new();
        for item in self.children(operand) {
            match &self.nodes[*item].kind {
                TemplateNodeKind::Fragment(fragment) if self.lifelines(*item).contains(&line) => {
                    if !loose.is_empty() {
                        parts.push(UnitPart::Basic(std::mem::take(&mut loose)));
                    }
                    let units = fragment.operands.iter().map(|one| self.project(*one, line)).collect();
                    parts.push(UnitPart::Compound(CompoundUnit { shape: fragment.shape, units }));
                }
                TemplateNodeKind::Message(..) | TemplateNodeKind::Stop(_) => {
                    let own = self.ends(*item).into_iter();
                    loose.extend(own.filter(|end| self.occurrences[*end].line == line));
                }
                TemplateNodeKind::Fragment(_)
                | TemplateNodeKind::Meeting(_)
                | TemplateNodeKind::Operand(_) => {}
            }
        }
        if parts.is_empty() {
            return ExecutionUnit::Basic(loose);
        }
        if !loose.is_empty() {
            parts.push(UnitPart::Basic(loose));
        }
        ExecutionUnit::Hierarchical(parts)
    }
}
