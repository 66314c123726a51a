//! Terms as Promela expressions.
//!
//! A term that is used often is a macro, so that the text stays as small as the system. The preprocessor writes macros out
//! again, and conditions that share much may then be too much for SPIN: their length is known beforehand, and such a system
//! is not written.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::IdVec;
use sequent_kernel::system::{ArithmeticOperation, System, TermId, TermNode, VariableId};

use super::super::names::Identifiers;
use super::Unwritten;
use super::names::VariableLayout;

/// Longer expressions, written out, are not written.
const LONGEST: usize = 40_000;

/// Terms used more than once become macros if they are longer than this.
const SHORT: usize = 30;

/// Expressions for terms.
pub(crate) struct PromelaTermWriter<'a> {
    pub system: &'a System,
    pub layout: &'a VariableLayout,
    texts: BTreeMap<TermId, PromelaText>,
    ranges: IdVec<TermId, (i64, i64)>,
}

struct PromelaText {
    text: String,
    /// How long it is once macros are written out.
    length: usize,
}

impl<'a> PromelaTermWriter<'a> {
    /// Writes all terms that some others are made of; the macros they use.
    pub(crate) fn new(
        system: &'a System,
        layout: &'a VariableLayout,
        wanted: &[TermId],
        names: &mut Identifiers,
    ) -> Result<(Self, Vec<(String, String)>), Unwritten> {
        let mut writer = PromelaTermWriter { system, layout, texts: BTreeMap::new(), ranges: ranges(system) };
        let uses = uses(system, wanted);
        let mut macros = Vec::new();
        for (term, count) in &uses {
            let mut text = writer.write(*term)?;
            if *count > 1 && text.text.len() > SHORT {
                let name = names.give("t");
                macros.push((name.clone(), text.text));
                text.text = name;
            }
            if text.length > LONGEST {
                return Err(Unwritten(
                    "its conditions are too long for SPIN once they are written out".to_owned(),
                ));
            }
            writer.texts.insert(*term, text);
        }
        Ok((writer, macros))
    }

    /// A term; it was wanted.
    pub(crate) fn term(&self, term: TermId) -> &str {
        self.texts.get(&term).map_or("0", |text| &text.text)
    }

    /// The least and the greatest value of a term.
    pub(crate) fn range(&self, term: TermId) -> (i64, i64) {
        self.ranges[term]
    }

    fn write(&self, term: TermId) -> Result<PromelaText, Unwritten> {
        let node = self.system.terms.node(term);
        let part = |part: &TermId| self.term(*part);
        let text = match node {
            TermNode::Constant(value) if *value < 0 => format!("({value})"),
            TermNode::Constant(value) => value.to_string(),
            TermNode::Variable(variable) => match self.layout.place(*variable) {
                Some((queue, place)) => format!("(len({queue}) > {place})"),
                None => self.layout.variables[*variable].clone(),
            },
            TermNode::Not(inner) => self.negated(*inner),
            TermNode::And(parts) => format!("({})", parts.iter().map(part).collect::<Vec<_>>().join(" && ")),
            TermNode::Or(parts) => format!("({})", parts.iter().map(part).collect::<Vec<_>>().join(" || ")),
            TermNode::Equal(a, b) => self.equal(*a, *b, "=="),
            TermNode::Less(a, b) => format!("({} < {})", part(a), part(b)),
            TermNode::Number(operation, a, b) => {
                let (low, high) = self.ranges[term];
                if low < i64::from(i32::MIN) || high > i64::from(i32::MAX) {
                    return Err(Unwritten("it calculates with numbers that SPIN does not know".to_owned()));
                }
                number(*operation, part(a), part(b))
            }
            TermNode::If(condition, yes, no) => {
                format!("({} -> {} : {})", part(condition), part(yes), part(no))
            }
        };
        let inside: usize = self.system.terms.parts(term).iter().map(|part| self.length(*part)).sum();
        let written: usize = self.system.terms.parts(term).iter().map(|one| part(one).len()).sum();
        let length = text.len().saturating_sub(written) + inside;
        Ok(PromelaText { text, length })
    }

    fn length(&self, term: TermId) -> usize {
        self.texts.get(&term).map_or(1, |text| text.length)
    }

    fn negated(&self, inner: TermId) -> String {
        match self.system.terms.node(inner) {
            TermNode::Equal(a, b) => self.equal(*a, *b, "!="),
            TermNode::Less(a, b) => format!("({} >= {})", self.term(*a), self.term(*b)),
            TermNode::Constant(_)
            | TermNode::Variable(_)
            | TermNode::Not(_)
            | TermNode::And(_)
            | TermNode::Or(_)
            | TermNode::Number(..)
            | TermNode::If(..) => format!("!({})", self.term(inner)),
        }
    }

    /// A comparison; of a variable that is 0 or 1 no more than the variable.
    fn equal(&self, a: TermId, b: TermId, sign: &str) -> String {
        let terms = &self.system.terms;
        let literal = [(a, b), (b, a)].into_iter().find_map(|(variable, value)| {
            let TermNode::Variable(variable) = terms.node(variable) else { return None };
            Some((*variable, terms.as_constant(value)?))
        });
        let Some((variable, value)) = literal else {
            return format!("({} {sign} {})", self.term(a), self.term(b));
        };
        if let Some((queue, place)) = self.layout.place(variable) {
            let is_there = (value == 0) != (sign == "==");
            return match (value, place) {
                (1.., 0) => {
                    let poll = format!("{queue}?[{}]", self.layout.value(variable, value));
                    if is_there { poll } else { format!("!({poll})") }
                }
                (_, _) if is_there => format!("(len({queue}) > {place})"),
                (_, _) => format!("(len({queue}) <= {place})"),
            };
        }
        let (name, domain) = (&self.layout.variables[variable], &self.system.variables[variable]);
        match (domain.min, domain.max, value, self.layout.values.get(&(variable, value))) {
            (0, 1, 0 | 1, None) if (value == 1) == (sign == "==") => name.clone(),
            (0, 1, 0 | 1, None) => format!("!{name}"),
            (_, _, _, Some(value)) => format!("({name} {sign} {value})"),
            (_, _, value, None) => format!("({name} {sign} {value})"),
        }
    }
}

fn number(operation: ArithmeticOperation, a: &str, b: &str) -> String {
    match operation {
        ArithmeticOperation::Plus => format!("({a} + {b})"),
        ArithmeticOperation::Minus => format!("({a} - {b})"),
        ArithmeticOperation::Times => format!("({a} * {b})"),
        ArithmeticOperation::Divide => format!("({b} == 0 -> 0 : {a} / {b})"),
        ArithmeticOperation::Modulo => format!("({b} == 0 -> 0 : {a} % {b})"),
    }
}

/// How often terms stand in what is wanted; parts come before what they are part of.
pub(crate) fn uses(system: &System, wanted: &[TermId]) -> BTreeMap<TermId, usize> {
    let mut uses: BTreeMap<TermId, usize> = BTreeMap::new();
    let mut open: Vec<TermId> = wanted.to_vec();
    while let Some(term) = open.pop() {
        let count = uses.entry(term).or_default();
        *count += 1;
        if *count == 1 {
            open.extend(system.terms.parts(term));
        }
    }
    uses
}

/// The least and the greatest value of every term.
pub(crate) fn ranges(system: &System) -> IdVec<TermId, (i64, i64)> {
    let mut ranges: IdVec<TermId, (i64, i64)> = IdVec::new();
    for term in system.terms.ids() {
        let of = |term: &TermId| ranges[*term];
        let range = match system.terms.node(term) {
            TermNode::Constant(value) => (i64::from(*value), i64::from(*value)),
            TermNode::Variable(variable) => {
                let domain = &system.variables[*variable];
                (i64::from(domain.min), i64::from(domain.max))
            }
            TermNode::Not(_)
            | TermNode::And(_)
            | TermNode::Or(_)
            | TermNode::Equal(..)
            | TermNode::Less(..) => (0, 1),
            TermNode::If(_, yes, no) => {
                let (yes, no) = (of(yes), of(no));
                (yes.0.min(no.0), yes.1.max(no.1))
            }
            TermNode::Number(operation, a, b) => result(*operation, of(a), of(b)),
        };
        // Products of products would leave these numbers too; nothing that large is written.
        let limit = i64::from(i32::MAX) * 2;
        ranges.push((range.0.max(-limit), range.1.min(limit)));
    }
    ranges
}

fn result(operation: ArithmeticOperation, a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    let products =
        [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(a, b): (i64, i64)| a.saturating_mul(b));
    let most = a.0.abs().max(a.1.abs());
    match operation {
        ArithmeticOperation::Plus => (a.0 + b.0, a.1 + b.1),
        ArithmeticOperation::Minus => (a.0 - b.1, a.1 - b.0),
        ArithmeticOperation::Times => {
            (products.iter().copied().min().unwrap_or(0), products.iter().copied().max().unwrap_or(0))
        }
        ArithmeticOperation::Divide | ArithmeticOperation::Modulo => (-most, most),
    }
}

/// The variables that a term reads.
pub(crate) fn read(system: &System, term: TermId) -> BTreeSet<VariableId> {
    let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let TermNode::Variable(variable) = system.terms.node(term) {
            found.insert(*variable);
        }
        open.extend(system.terms.parts(term));
    }
    found
}
