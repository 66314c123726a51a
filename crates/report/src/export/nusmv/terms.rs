//! Terms as expressions of NuSMV, which distinguishes booleans from numbers: every term is written in its own
//! type, and converted where the other is needed. A term that is used often is a `DEFINE`.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::IdVec;
use sequent_kernel::system::{ArithmeticOperation, System, TermId, TermNode, VariableId};

use super::super::names::Identifiers;
use super::super::promela::{ranges, uses};
use super::super::question::{Legend, Unwritten};

/// Variables with more values than this are not written.
const MOST_VALUES: i64 = 4_096;

/// Terms used more than once have a name if they are longer than this.
const SHORT: usize = 24;

/// What a variable is declared as.
pub(crate) enum VariableDomain {
    /// `boolean`
    Truth,
    /// `-1..3`
    Range,
    /// `{Off, On}`: its values by name.
    Symbols(BTreeMap<i32, String>),
}

/// A variable.
pub(crate) struct NusmvVariable {
    /// Its name.
    pub name: String,
    /// What it is declared as.
    pub domain: VariableDomain,
}

/// An expression.
struct NusmvText {
    text: String,
    is_truth: bool,
}

/// Expressions for terms.
pub(crate) struct NusmvTermWriter<'a> {
    pub system: &'a System,
    pub variables: IdVec<VariableId, NusmvVariable>,
    texts: BTreeMap<TermId, NusmvText>,
    ranges: IdVec<TermId, (i64, i64)>,
}

impl<'a> NusmvTermWriter<'a> {
    /// Writes all terms that some others are made of; the names they use.
    pub(crate) fn new(
        system: &'a System,
        legend: &Legend,
        wanted: &[TermId],
        names: &mut Identifiers,
    ) -> Result<(Self, Vec<(String, String)>), Unwritten> {
        let mut writer = NusmvTermWriter {
            system,
            variables: variables(system, legend, names)?,
            texts: BTreeMap::new(),
            ranges: ranges(system),
        };
        let mut defined = Vec::new();
        for (term, count) in &uses(system, wanted) {
            let mut text = writer.write(*term)?;
            if *count > 1 && text.text.len() > SHORT {
                // What begins with two underscores is not shown in counterexamples.
                let name = format!("__{}", names.give("t"));
                defined.push((name.clone(), text.text));
                text.text = name;
            }
            writer.texts.insert(*term, text);
        }
        Ok((writer, defined))
    }

    /// A term as a truth value; it was wanted.
    pub(crate) fn truth(&self, term: TermId) -> String {
        match (self.system.terms.as_constant(term), self.texts.get(&term)) {
            (Some(0), _) | (None, None) => "FALSE".to_owned(),
            (Some(_), _) => "TRUE".to_owned(),
            (None, Some(NusmvText { text, is_truth: true })) => text.clone(),
            (None, Some(NusmvText { text, is_truth: false })) => format!("({text} != 0)"),
        }
    }

    /// The opposite.
    pub(crate) fn untruth(&self, term: TermId) -> String {
        match self.truth(term).as_str() {
            "TRUE" => "FALSE".to_owned(),
            "FALSE" => "TRUE".to_owned(),
            text => format!("!{text}"),
        }
    }

    /// A term as a number; it was wanted.
    pub(crate) fn number(&self, term: TermId) -> String {
        match self.texts.get(&term) {
            None => "0".to_owned(),
            Some(NusmvText { text, is_truth: false }) => text.clone(),
            Some(NusmvText { text, is_truth: true }) => format!("({text} ? 1 : 0)"),
        }
    }

    /// The least and the greatest value of a term.
    pub(crate) fn range(&self, term: TermId) -> (i64, i64) {
        self.ranges[term]
    }

    /// That a variable has the value of a term in the next state.
    pub(crate) fn becomes(&self, variable: VariableId, term: TermId) -> String {
        let NusmvVariable { name, domain } = &self.variables[variable];
        let constant = self.system.terms.as_constant(term);
        match (domain, constant) {
            (VariableDomain::Truth, Some(0)) => format!("!next({name})"),
            (VariableDomain::Truth, Some(_)) => format!("next({name})"),
            (VariableDomain::Truth, None) => format!("(next({name}) <-> {})", self.truth(term)),
            (VariableDomain::Symbols(symbols), Some(value)) => match symbols.get(&value) {
                Some(symbol) => format!("next({name}) = {symbol}"),
                None => "FALSE".to_owned(),
            },
            (VariableDomain::Symbols(_) | VariableDomain::Range, _) => {
                format!("next({name}) = {}", self.number(term))
            }
        }
    }

    /// That a variable has a value.
    pub(crate) fn is(&self, variable: VariableId, value: i32) -> String {
        let NusmvVariable { name, domain } = &self.variables[variable];
        match (domain, value) {
            (VariableDomain::Truth, 0) => format!("!{name}"),
            (VariableDomain::Truth, 1) => name.clone(),
            (VariableDomain::Truth, _) => "FALSE".to_owned(),
            (VariableDomain::Range, value) => format!("{name} = {value}"),
            (VariableDomain::Symbols(symbols), value) => match symbols.get(&value) {
                Some(symbol) => format!("{name} = {symbol}"),
                None => "FALSE".to_owned(),
            },
        }
    }

    fn is_truth(&self, term: TermId) -> bool {
        self.texts.get(&term).is_some_and(|text| text.is_truth)
    }

    /// Whether a term is a truth value, or a number that stands for one.
    fn may_be_truth(&self, term: TermId) -> bool {
        matches!(self.system.terms.as_constant(term), Some(0 | 1)) || self.is_truth(term)
    }

    fn write(&self, term: TermId) -> Result<NusmvText, Unwritten> {
        let truth = |text: String| Ok(NusmvText { text, is_truth: true });
        let number = |text: String| Ok(NusmvText { text, is_truth: false });
        let join = |parts: &[TermId], sign: &str| {
            let texts: Vec<String> = parts.iter().map(|part| self.truth(*part)).collect();
            format!("({})", texts.join(sign))
        };
        match self.system.terms.node(term) {
            TermNode::Constant(value) => number(value.to_string()),
            TermNode::Variable(variable) => {
                let NusmvVariable { name, domain } = &self.variables[*variable];
                let is_truth = matches!(domain, VariableDomain::Truth);
                Ok(NusmvText { text: name.clone(), is_truth })
            }
            TermNode::Not(inner) => truth(format!("!{}", self.truth(*inner))),
            TermNode::And(parts) => truth(join(parts, " & ")),
            TermNode::Or(parts) => truth(join(parts, " | ")),
            TermNode::Equal(a, b) => truth(self.equal(*a, *b)),
            TermNode::Less(a, b) => truth(format!("({} < {})", self.number(*a), self.number(*b))),
            TermNode::If(condition, yes, no) => {
                let condition = self.truth(*condition);
                let has_truth = self.is_truth(*yes) || self.is_truth(*no);
                match has_truth && self.may_be_truth(*yes) && self.may_be_truth(*no) {
                    true => truth(format!("({condition} ? {} : {})", self.truth(*yes), self.truth(*no))),
                    false => number(format!("({condition} ? {} : {})", self.number(*yes), self.number(*no))),
                }
            }
            TermNode::Number(operation, a, b) => {
                let (low, high) = self.ranges[term];
                if low < i64::from(i32::MIN) || high > i64::from(i32::MAX) {
                    return Err(Unwritten("it calculates with numbers that NuSMV does not know".to_owned()));
                }
                number(calculation(*operation, &self.number(*a), &self.number(*b)))
            }
        }
    }

    fn equal(&self, a: TermId, b: TermId) -> String {
        let terms = &self.system.terms;
        let literal = [(a, b), (b, a)].into_iter().find_map(|(variable, value)| {
            let TermNode::Variable(variable) = terms.node(variable) else { return None };
            Some((*variable, terms.as_constant(value)?))
        });
        if let Some((variable, value)) = literal {
            return format!("({})", self.is(variable, value));
        }
        match (self.is_truth(a) || self.is_truth(b)) && self.may_be_truth(a) && self.may_be_truth(b) {
            true => format!("({} <-> {})", self.truth(a), self.truth(b)),
            false => format!("({} = {})", self.number(a), self.number(b)),
        }
    }
}

/// Results are rounded towards zero; what is divided by zero is zero.
fn calculation(operation: ArithmeticOperation, a: &str, b: &str) -> String {
    match operation {
        ArithmeticOperation::Plus => format!("({a} + {b})"),
        ArithmeticOperation::Minus => format!("({a} - {b})"),
        ArithmeticOperation::Times => format!("({a} * {b})"),
        ArithmeticOperation::Divide => format!("({b} = 0 ? 0 : {a} / ({b} = 0 ? 1 : {b}))"),
        ArithmeticOperation::Modulo => format!("({b} = 0 ? 0 : {a} mod ({b} = 0 ? 1 : {b}))"),
    }
}

fn variables(
    system: &System,
    legend: &Legend,
    names: &mut Identifiers,
) -> Result<IdVec<VariableId, NusmvVariable>, Unwritten> {
    let mut all: IdVec<VariableId, NusmvVariable> = IdVec::new();
    let plain = compared(system);
    for variable in system.variables.iter() {
        if i64::from(variable.max) - i64::from(variable.min) > MOST_VALUES {
            return Err(Unwritten(format!("`{}` has too many values for NuSMV", variable.name)));
        }
        all.push(NusmvVariable { name: names.give(&variable.name), domain: VariableDomain::Range });
    }
    // The same word is the same symbol everywhere.
    let mut symbols: BTreeMap<String, String> = BTreeMap::new();
    for (id, variable) in system.variables.enumerate() {
        let known = legend.get(&id).filter(|_| plain.contains(&id));
        all[id].domain = match (known, variable.min, variable.max) {
            (Some(words), min, max) => {
                let mut own = BTreeMap::new();
                let mut used = BTreeSet::new();
                for value in min..=max {
                    let word = words.get(&value).cloned().unwrap_or_else(|| format!("value {value}"));
                    let shared = symbols.entry(word.clone()).or_insert_with(|| names.give(&word)).clone();
                    let symbol = if used.contains(&shared) { names.give(&word) } else { shared };
                    used.insert(symbol.clone());
                    own.insert(value, symbol);
                }
                VariableDomain::Symbols(own)
            }
            (None, 0, 1) => VariableDomain::Truth,
            (None, _, _) => VariableDomain::Range,
        };
    }
    Ok(all)
}

/// Variables of which nothing is asked but whether they have some value, and which are given nothing but values.
fn compared(system: &System) -> BTreeSet<VariableId> {
    let mut plain: BTreeSet<VariableId> = system.variables.ids().collect();
    for term in system.terms.ids() {
        if system.terms.as_literal(term).is_some() {
            continue;
        }
        for part in system.terms.parts(term) {
            if let TermNode::Variable(variable) = system.terms.node(part) {
                plain.remove(variable);
            }
        }
    }
    for (variable, term) in system.rules.iter().flat_map(|rule| &rule.updates) {
        match system.terms.node(*term) {
            TermNode::Constant(_) => {}
            TermNode::Variable(other) if other == variable => {}
            TermNode::Variable(other) => {
                plain.remove(other);
                plain.remove(variable);
            }
            TermNode::Not(_)
            | TermNode::And(_)
            | TermNode::Or(_)
            | TermNode::Equal(..)
            | TermNode::Less(..)
            | TermNode::Number(..)
            | TermNode::If(..) => _ = plain.remove(variable),
        }
    }
    plain
}
