//! Templates as text: one formula per line, each under a comment that names its template (docs/templates.md).
//!
//! The printer decides the spelling of a formula. Other tools have no event texts and no guards in prose: for
//! them every occurrence and every proposition gets an identifier of its own, and a table at the beginning
//! maps them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::formula::{Atom, Binary, Formula, FormulaNode, FormulaWord};
use sequent_kernel::templates::{Template, from_start};

/// One diagram, or one property.
pub struct Section<'t> {
    /// What it is.
    pub title: String,
    /// What else there is to say about it.
    pub notes: Vec<String>,
    /// Its templates.
    pub templates: &'t [Template],
}

/// How formulas are written.
pub struct FormulaSpelling<'p> {
    /// What a comment begins with.
    pub comment: &'static str,
    /// Occurrences and propositions are identifiers, and the first position is the first occurrence. Otherwise formulas
    /// are read from the start of a run, as everywhere in Sequent.
    pub is_foreign: bool,
    /// A formula as text; `None` if it cannot be said.
    pub print: &'p dyn Fn(&Formula) -> Option<String>,
}

/// Templates as a text file.
pub fn ltl(sections: &[Section], spelling: &FormulaSpelling) -> String {
    let sign = spelling.comment;
    let mut text = String::new();
    let names = match spelling.is_foreign {
        true => identifiers(sections.iter().flat_map(|section| section.templates)),
        false => TextIdentifiers::default(),
    };
    for (what, table) in [("occurrence", &names.events), ("proposition", &names.propositions)] {
        for (meant, name) in table {
            let _ = writeln!(text, "{sign} {what} {name}: {}", meant.replace('\n', " "));
        }
    }
    for section in sections {
        if !text.is_empty() {
            text.push('\n');
        }
        for line in [&section.title].into_iter().chain(&section.notes) {
            let _ = writeln!(text, "{sign} {}", line.replace('\n', " "));
        }
        for template in section.templates {
            let title = format!("{} {}", template.letter.name(), template.about.replace('\n', " "));
            let _ = writeln!(text, "\n{sign} {}", title.trim_end());
            let formula = match spelling.is_foreign {
                true => names.rename(&template.formula),
                false => from_start(&template.formula),
            };
            match (spelling.print)(&leaning(&formula)) {
                Some(line) => text += &format!("{line}\n"),
                None => text += &format!("{sign} it cannot be said, or not in a text of reasonable length\n"),
            }
        }
    }
    text
}

/// Identifiers for texts.
#[derive(Default)]
struct TextIdentifiers {
    events: BTreeMap<String, String>,
    propositions: BTreeMap<String, String>,
}

fn identifiers<'t>(templates: impl Iterator<Item = &'t Template>) -> TextIdentifiers {
    let (mut events, mut propositions) = (BTreeSet::new(), BTreeSet::new());
    for template in templates {
        let mut open = vec![&template.formula];
        while let Some(formula) = open.pop() {
            match &formula.node {
                FormulaNode::Atom(Atom::Exactly(word)) => events.insert(&word.text),
                FormulaNode::Atom(Atom::Name(word)) => propositions.insert(&word.text),
                FormulaNode::Atom(_)
                | FormulaNode::Constant(_)
                | FormulaNode::Unary(..)
                | FormulaNode::Binary(..) => false,
            };
            open.extend(formula.parts());
        }
    }
    let mut taken = BTreeSet::new();
    let mut name = |wanted: String| {
        let numbered = (2..).map(|number: usize| format!("{wanted}_{number}"));
        let free = [wanted.clone()].into_iter().chain(numbered).find(|name| !taken.contains(name));
        let free = free.unwrap_or_default();
        taken.insert(free.clone());
        free
    };
    let events = events.into_iter().map(|text| (text.clone(), name(event(text)))).collect();
    let propositions = propositions.into_iter().map(|text| (text.clone(), name(plain("p_", text)))).collect();
    TextIdentifiers { events, propositions }
}

/// `s_m` for the sending of m, `r_m` for its receipt, `x_a` for the end of a, as P0 has s1 and r1.
fn event(text: &str) -> String {
    let sign = match text.chars().next() {
        Some('!') => "s_",
        Some('?') => "r_",
        _ => "x_",
    };
    let message = text.split_once(':').map_or(text, |(_, message)| message);
    format!("{sign}{}", plain("", message))
}

/// A text with `_` for whatever no identifier has.
fn plain(prefix: &str, text: &str) -> String {
    let fit = |character: char| if character.is_ascii_alphanumeric() { character } else { '_' };
    let fitting: String = text.chars().map(fit).collect();
    let begins_well = fitting.starts_with(|character: char| character.is_ascii_lowercase());
    let prefix = if begins_well { "" } else { prefix };
    format!("{prefix}{}", fitting.trim_end_matches('_'))
}

impl TextIdentifiers {
    fn rename(&self, formula: &Formula) -> Formula {
        let renamed = |word: &FormulaWord, table: &BTreeMap<String, String>| {
            let text = table.get(&word.text).unwrap_or(&word.text).clone();
            Atom::Name(FormulaWord { text, place: word.place })
        };
        let node = match &formula.node {
            FormulaNode::Atom(Atom::Exactly(word)) => FormulaNode::Atom(renamed(word, &self.events)),
            FormulaNode::Atom(Atom::Name(word)) => FormulaNode::Atom(renamed(word, &self.propositions)),
            FormulaNode::Atom(_) | FormulaNode::Constant(_) => formula.node.clone(),
            FormulaNode::Unary(operator, part) => FormulaNode::Unary(*operator, Box::new(self.rename(part))),
            FormulaNode::Binary(operator, left, right) => {
                FormulaNode::Binary(*operator, Box::new(self.rename(left)), Box::new(self.rename(right)))
            }
        };
        Formula { node, place: formula.place }
    }
}

/// Longer chains stay balanced: printing is recursive.
const LONGEST: usize = 200;

/// The same formula with `a & b & c & d` leaning to the left, which needs no brackets.
fn leaning(formula: &Formula) -> Formula {
    let place = formula.place;
    let node = match &formula.node {
        FormulaNode::Constant(_) | FormulaNode::Atom(_) => formula.node.clone(),
        FormulaNode::Unary(operator, part) => FormulaNode::Unary(*operator, Box::new(leaning(part))),
        FormulaNode::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
            let mut parts = Vec::new();
            chain(*operator, formula, &mut parts);
            if parts.len() <= LONGEST {
                let mut parts = parts.into_iter().map(leaning);
                let first = parts.next().unwrap_or_else(|| formula.clone());
                return parts.fold(first, |so_far, part| Formula {
                    node: FormulaNode::Binary(*operator, Box::new(so_far), Box::new(part)),
                    place,
                });
            }
            FormulaNode::Binary(*operator, Box::new(leaning(left)), Box::new(leaning(right)))
        }
        FormulaNode::Binary(operator, left, right) => {
            FormulaNode::Binary(*operator, Box::new(leaning(left)), Box::new(leaning(right)))
        }
    };
    Formula { node, place }
}

/// The parts that an operator joins, at any depth.
fn chain<'f>(operator: Binary, formula: &'f Formula, parts: &mut Vec<&'f Formula>) {
    match &formula.node {
        FormulaNode::Binary(own, left, right) if *own == operator => {
            chain(operator, left, parts);
            chain(operator, right, parts);
        }
        FormulaNode::Constant(_)
        | FormulaNode::Atom(_)
        | FormulaNode::Unary(..)
        | FormulaNode::Binary(..) => parts.push(formula),
    }
}
