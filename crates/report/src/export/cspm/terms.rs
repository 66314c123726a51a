//! Terms as CSPm expressions.
//!
//! CSPm tells numbers and truth apart, our terms do not: each is written in the way in which it is asked for. A term that is
//! used often is a function of the variables that it reads, so that the script stays as small as the system.

use std::collections::BTreeMap;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::system::{ArithmeticOperation, System, TermId, TermNode, VariableId};

use super::super::names::Identifiers;
use super::super::promela::{ranges, read, uses};
use super::{Legend, Unwritten};

/// Terms used more than once become functions if they are longer than this.
const SHORT: usize = 30;

/// More evaluations than this within one term are too many.
const LONGEST: usize = 1_000_000;

/// Expressions for terms.
pub(crate) struct CspmTermWriter<'a> {
    pub system: &'a System,
    /// What stands for each variable.
    pub variables: IdVec<VariableId, String>,
    /// Names for values.
    values: BTreeMap<(VariableId, i32), String>,
    /// Terms that are functions, each as a call.
    calls: BTreeMap<TermId, String>,
    ranges: IdVec<TermId, (i64, i64)>,
    /// Constants and functions.
    pub declarations: String,
}

impl<'a> CspmTermWriter<'a> {
    /// Names for the variables of a system and the terms that are wanted.
    pub(crate) fn new(
        system: &'a System,
        legend: &Legend,
        wanted: &[TermId],
        names: &mut Identifiers,
    ) -> Result<Self, Unwritten> {
        let mut writer = CspmTermWriter {
            system,
            variables: system.variables.iter().map(|variable| names.give(&variable.name)).collect(),
            values: BTreeMap::new(),
            calls: BTreeMap::new(),
            ranges: ranges(system),
            declarations: String::new(),
        };
        writer.explain(legend, names);
        writer.helpers(wanted);
        let mut costs: BTreeMap<TermId, usize> = BTreeMap::new();
        for (term, count) in uses(system, wanted) {
            let parts = system.terms.parts(term);
            let cost = parts.iter().map(|part| costs.get(part).copied().unwrap_or(1)).sum::<usize>() + 1;
            if cost > LONGEST {
                return Err(Unwritten("its conditions are too long once they are written out".to_owned()));
            }
            costs.insert(term, cost);
            if let TermNode::Number(..) = system.terms.node(term) {
                let (low, high) = writer.ranges[term];
                if low < i64::from(i32::MIN) || high > i64::from(i32::MAX) {
                    return Err(Unwritten("it calculates with numbers that FDR does not know".to_owned()));
                }
            }
            writer.share(term, count, names);
        }
        Ok(writer)
    }

    /// Names for the values of variables.
    fn explain(&mut self, legend: &Legend, names: &mut Identifiers) {
        let mut lines = String::new();
        for (variable, values) in legend {
            for (value, text) in values {
                let name = names.give(&format!("{}_{text}", self.variables[*variable]));
                lines += &format!("{name} = {value}\n");
                self.values.insert((*variable, *value), name);
            }
        }
        if !lines.is_empty() {
            self.declarations += &format!("-- Values by name.\n{lines}\n");
        }
    }

    /// A division of which FDR's would round otherwise.
    fn helpers(&mut self, wanted: &[TermId]) {
        let divides = |term: &TermId| {
            matches!(
                self.system.terms.node(*term),
                TermNode::Number(ArithmeticOperation::Divide | ArithmeticOperation::Modulo, ..)
            )
        };
        if uses(self.system, wanted).keys().any(divides) {
            self.declarations += "-- Division rounds towards zero; by zero it gives zero.\n\
                quotient(dividend, divisor) =\n  if divisor == 0 then 0\n  else if dividend < 0 then -quotient(-dividend, divisor)\n  else if divisor < 0 then -(dividend / (-divisor))\n  else dividend / divisor\n\
                remainder(dividend, divisor) =\n  if divisor == 0 then 0 else dividend - divisor * quotient(dividend, divisor)\n\n";
        }
    }

    fn share(&mut self, term: TermId, count: usize, names: &mut Identifiers) {
        let text = if self.is_truth(term) { self.truth(term) } else { self.number(term) };
        if count < 2 || text.len() <= SHORT {
            return;
        }
        let read = read(self.system, term);
        let inside: Vec<&str> = read.iter().map(|variable| self.variables[*variable].as_str()).collect();
        let name = names.give(if self.is_truth(term) { "is" } else { "value" });
        let call = format!("{name}({})", inside.join(", "));
        self.declarations += &format!("{call} = {text}\n");
        self.calls.insert(term, call);
    }

    /// Whether a term is by nature true or false.
    fn is_truth(&self, term: TermId) -> bool {
        match self.system.terms.node(term) {
            TermNode::Not(_)
            | TermNode::And(_)
            | TermNode::Or(_)
            | TermNode::Equal(..)
            | TermNode::Less(..) => true,
            TermNode::Constant(_) | TermNode::Variable(_) | TermNode::Number(..) | TermNode::If(..) => false,
        }
    }

    /// A term as a condition.
    pub(crate) fn truth(&self, term: TermId) -> String {
        if let Some(call) = self.calls.get(&term) {
            return if self.is_truth(term) { call.clone() } else { format!("({call} != 0)") };
        }
        let joined = |parts: &[TermId], word: &str| {
            let parts: Vec<String> = parts.iter().map(|part| self.truth(*part)).collect();
            format!("({})", parts.join(word))
        };
        match self.system.terms.node(term) {
            TermNode::Constant(value) => (*value != 0).to_string(),
            TermNode::Variable(_) => self.equal(term, 0, "!="),
            TermNode::Not(inner) => match self.system.terms.node(*inner) {
                TermNode::Equal(a, b) if !self.calls.contains_key(inner) => self.compare(*a, *b, "!="),
                TermNode::Less(a, b) if !self.calls.contains_key(inner) => {
                    format!("({} >= {})", self.number(*a), self.number(*b))
                }
                TermNode::Constant(_)
                | TermNode::Variable(_)
                | TermNode::Not(_)
                | TermNode::And(_)
                | TermNode::Or(_)
                | TermNode::Equal(..)
                | TermNode::Less(..)
                | TermNode::Number(..)
                | TermNode::If(..) => format!("(not {})", self.truth(*inner)),
            },
            TermNode::And(parts) => joined(parts, " and "),
            TermNode::Or(parts) => joined(parts, " or "),
            TermNode::Equal(a, b) => self.compare(*a, *b, "=="),
            TermNode::Less(a, b) => format!("({} < {})", self.number(*a), self.number(*b)),
            TermNode::Number(..) => format!("({} != 0)", self.number(term)),
            TermNode::If(condition, yes, no) => {
                format!("(if {} then {} else {})", self.truth(*condition), self.truth(*yes), self.truth(*no))
            }
        }
    }

    /// A term as a number.
    pub(crate) fn number(&self, term: TermId) -> String {
        if self.is_truth(term) {
            return format!("(if {} then 1 else 0)", self.truth(term));
        }
        if let Some(call) = self.calls.get(&term) {
            return call.clone();
        }
        match self.system.terms.node(term) {
            TermNode::Constant(value) if *value < 0 => format!("({value})"),
            TermNode::Constant(value) => value.to_string(),
            TermNode::Variable(variable) => self.variables[*variable].clone(),
            TermNode::Number(operation, a, b) => {
                let (a, b) = (self.number(*a), self.number(*b));
                match operation {
                    ArithmeticOperation::Plus => format!("({a} + {b})"),
                    ArithmeticOperation::Minus => format!("({a} - {b})"),
                    ArithmeticOperation::Times => format!("({a} * {b})"),
                    ArithmeticOperation::Divide => format!("quotient({a}, {b})"),
                    ArithmeticOperation::Modulo => format!("remainder({a}, {b})"),
                }
            }
            TermNode::If(condition, yes, no) => format!(
                "(if {} then {} else {})",
                self.truth(*condition),
                self.number(*yes),
                self.number(*no)
            ),
            // They are true or false by nature.
            TermNode::Not(_)
            | TermNode::And(_)
            | TermNode::Or(_)
            | TermNode::Equal(..)
            | TermNode::Less(..) => "0".to_owned(),
        }
    }

    /// A value that is given to a variable, by its name if it has one.
    pub(crate) fn given(&self, variable: VariableId, term: TermId) -> String {
        let named = self.system.terms.as_constant(term).and_then(|value| self.values.get(&(variable, value)));
        named.cloned().unwrap_or_else(|| self.number(term))
    }

    /// The first value of a variable.
    pub(crate) fn first(&self, variable: VariableId) -> String {
        let value = self.system.variables[variable].initial;
        let plain = if value < 0 { format!("({value})") } else { value.to_string() };
        self.values.get(&(variable, value)).cloned().unwrap_or(plain)
    }

    fn compare(&self, a: TermId, b: TermId, sign: &str) -> String {
        let terms = &self.system.terms;
        match (terms.as_constant(a), terms.as_constant(b)) {
            (Some(value), None) => self.equal(b, value, sign),
            (None, Some(value)) => self.equal(a, value, sign),
            (None, None) | (Some(_), Some(_)) => format!("({} {sign} {})", self.number(a), self.number(b)),
        }
    }

    /// A comparison with a number.
    fn equal(&self, term: TermId, value: i32, sign: &str) -> String {
        let named = match self.system.terms.node(term) {
            TermNode::Variable(variable) => self.values.get(&(*variable, value)).cloned(),
            TermNode::Constant(_)
            | TermNode::Not(_)
            | TermNode::And(_)
            | TermNode::Or(_)
            | TermNode::Equal(..)
            | TermNode::Less(..)
            | TermNode::Number(..)
            | TermNode::If(..) => None,
        };
        let plain = if value < 0 { format!("({value})") } else { value.to_string() };
        let is_bit = self.ranges[term] == (0, 1);
        match (named, is_bit, value, sign) {
            (Some(name), ..) => format!("({} {sign} {name})", self.number(term)),
            (None, true, 0, "!=") => format!("({} == 1)", self.number(term)),
            (None, true, 1, "!=") => format!("({} == 0)", self.number(term)),
            (None, ..) => format!("({} {sign} {plain})", self.number(term)),
        }
    }

    /// All variables, as they are.
    pub(crate) fn all(&self) -> String {
        let all: Vec<&str> = self.variables.iter().map(String::as_str).collect();
        all.join(", ")
    }

    /// All variables after some changes.
    pub(crate) fn changed(&self, updates: &BTreeMap<VariableId, TermId>) -> String {
        let ids = (0..self.variables.len()).map(VariableId::from_index);
        let value = |id: VariableId| match updates.get(&id) {
            Some(term) => self.given(id, *term),
            None => self.variables[id].clone(),
        };
        ids.map(value).collect::<Vec<String>>().join(", ")
    }
}
