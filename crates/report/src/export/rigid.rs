//! Guards and choices of a diagram in another language: conditions and rules without temporal operators.

use sequent_kernel::formula::{Atom, Binary, Formula, FormulaNode, Unary};
use sequent_kernel::id::IdVec;
use sequent_kernel::templates::{RigidCondition, RigidId, TemplateTree};

/// How a language spells what joins propositions.
pub(crate) struct PropositionSpelling {
    /// Both, with blanks around it.
    pub and: &'static str,
    /// One of them, with blanks around it.
    pub or: &'static str,
    /// What stands before the opposite.
    pub not: &'static str,
}

impl PropositionSpelling {
    /// A condition over guards and choices that are called so.
    pub(crate) fn condition(&self, names: &IdVec<RigidId, String>, when: &RigidCondition) -> String {
        let Some(literals) = when.literals() else { return "false".to_owned() };
        let one = |(rigid, value): &(RigidId, bool)| match value {
            true => names[*rigid].clone(),
            false => format!("{}{}", self.not, names[*rigid]),
        };
        let each: Vec<String> = literals.iter().map(one).collect();
        if each.is_empty() { "true".to_owned() } else { each.join(self.and) }
    }

    /// A rule of a tree: a formula without temporal operators.
    pub(crate) fn rule(
        &self,
        tree: &TemplateTree,
        names: &IdVec<RigidId, String>,
        formula: &Formula,
    ) -> String {
        match &formula.node {
            FormulaNode::Constant(value) => value.to_string(),
            FormulaNode::Atom(Atom::Name(word)) => {
                let rigid = tree.rigids.enumerate().find(|(_, name)| **name == word.text);
                rigid.map_or_else(|| "false".to_owned(), |(rigid, _)| names[rigid].clone())
            }
            FormulaNode::Unary(Unary::Not, part) => self.negated(tree, names, part),
            FormulaNode::Binary(operator, first, second) => {
                let [left, right] = [first, second].map(|part| self.rule(tree, names, part));
                // Rules know no others.
                match operator {
                    Binary::And => format!("({left}{}{right})", self.and),
                    Binary::Implies => {
                        format!("({}{}{right})", self.negated(tree, names, first), self.or)
                    }
                    Binary::Iff => {
                        let [left, right] = [(first, left), (second, right)]
                            .map(|(part, text)| if is_negated(part) { format!("({text})") } else { text });
                        format!("({left} == {right})")
                    }
                    Binary::Or
                    | Binary::Until
                    | Binary::Release
                    | Binary::WeakUntil
                    | Binary::StrongRelease
                    | Binary::Since
                    | Binary::Trigger => format!("({left}{}{right})", self.or),
                }
            }
            // Rules have none of these.
            FormulaNode::Atom(_) | FormulaNode::Unary(..) => "false".to_owned(),
        }
    }

    /// The opposite of a rule; `!!` means something else in Promela.
    fn negated(&self, tree: &TemplateTree, names: &IdVec<RigidId, String>, formula: &Formula) -> String {
        match &formula.node {
            FormulaNode::Unary(Unary::Not, part) if is_negated(formula) => self.rule(tree, names, part),
            _ => format!("{}{}", self.not, self.rule(tree, names, formula)),
        }
    }
}

/// Whether a rule is written with a sign of negation before it.
fn is_negated(formula: &Formula) -> bool {
    match &formula.node {
        FormulaNode::Unary(Unary::Not, part) => !is_negated(part),
        FormulaNode::Constant(_)
        | FormulaNode::Atom(_)
        | FormulaNode::Unary(..)
        | FormulaNode::Binary(..) => false,
    }
}
