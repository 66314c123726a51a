//! Predicates of a System as text: `bank = Idle & money < 3`.

use sequent_kernel::system::{ArithmeticOperation, System, TermId, TermNode, VariableId};

use super::question::Legend;

/// A term with more parts than this has no text.
const MOST_PARTS: usize = 60;

/// A predicate in words; none if it would be too long. Values have the names of the legend.
pub(super) fn told(system: &System, legend: &Legend, term: TermId) -> Option<String> {
    Teller { system, legend, left: MOST_PARTS }.tell(term)
}

struct Teller<'a> {
    system: &'a System,
    legend: &'a Legend,
    /// How many parts the text may still have.
    left: usize,
}

impl Teller<'_> {
    fn tell(&mut self, term: TermId) -> Option<String> {
        self.left = self.left.checked_sub(1)?;
        if let Some((variable, value)) = self.system.terms.as_literal(term) {
            return Some(self.literal(variable, "=", value));
        }
        Some(match self.system.terms.node(term).clone() {
            TermNode::Constant(value) => value.to_string(),
            TermNode::Variable(variable) => self.system.variables[variable].name.clone(),
            TermNode::Not(inner) => match self.system.terms.as_literal(inner) {
                Some((variable, value)) => self.literal(variable, "!=", value),
                None => format!("!{}", self.inner(inner)?),
            },
            TermNode::And(parts) => self.joined(&parts, " & ")?,
            TermNode::Or(parts) => self.joined(&parts, " | ")?,
            TermNode::Equal(a, b) => self.joined(&[a, b], " = ")?,
            TermNode::Less(a, b) => self.joined(&[a, b], " < ")?,
            TermNode::Number(operation, a, b) => self.joined(&[a, b], sign(operation))?,
            TermNode::If(condition, yes, no) => {
                format!("{} ? {} : {}", self.inner(condition)?, self.inner(yes)?, self.inner(no)?)
            }
        })
    }

    fn literal(&self, variable: VariableId, sign: &str, value: i32) -> String {
        let named = self.legend.get(&variable).and_then(|values| values.get(&value));
        let value = named.cloned().unwrap_or_else(|| value.to_string());
        format!("{} {sign} {value}", self.system.variables[variable].name)
    }

    fn joined(&mut self, parts: &[TermId], sign: &str) -> Option<String> {
        let parts: Option<Vec<String>> = parts.iter().map(|part| self.inner(*part)).collect();
        Some(parts?.join(sign))
    }

    /// A part of something larger.
    fn inner(&mut self, term: TermId) -> Option<String> {
        let text = self.tell(term)?;
        let is_alone = matches!(self.system.terms.node(term), TermNode::Constant(_) | TermNode::Variable(_));
        Some(if is_alone { text } else { format!("({text})") })
    }
}

fn sign(operation: ArithmeticOperation) -> &'static str {
    match operation {
        ArithmeticOperation::Plus => " + ",
        ArithmeticOperation::Minus => " - ",
        ArithmeticOperation::Times => " * ",
        ArithmeticOperation::Divide => " / ",
        ArithmeticOperation::Modulo => " % ",
    }
}
