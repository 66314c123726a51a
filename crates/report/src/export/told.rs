//! Predicates of a System as text: `bank = Idle & money < 3`.

use sequent_kernel::system::{Node, Operation, System, TermId, VariableId};

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
            Node::Constant(value) => value.to_string(),
            Node::Variable(variable) => self.system.variables[variable].name.clone(),
            Node::Not(inner) => match self.system.terms.as_literal(inner) {
                Some((variable, value)) => self.literal(variable, "!=", value),
                None => format!("!{}", self.inner(inner)?),
            },
            Node::And(parts) => self.joined(&parts, " & ")?,
            Node::Or(parts) => self.joined(&parts, " | ")?,
            Node::Equal(a, b) => self.joined(&[a, b], " = ")?,
            Node::Less(a, b) => self.joined(&[a, b], " < ")?,
            Node::Number(operation, a, b) => self.joined(&[a, b], sign(operation))?,
            Node::If(condition, yes, no) => {
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
        let is_alone = matches!(self.system.terms.node(term), Node::Constant(_) | Node::Variable(_));
        Some(if is_alone { text } else { format!("({text})") })
    }
}

fn sign(operation: Operation) -> &'static str {
    match operation {
        Operation::Plus => " + ",
        Operation::Minus => " - ",
        Operation::Times => " * ",
        Operation::Divide => " / ",
        Operation::Modulo => " % ",
    }
}
