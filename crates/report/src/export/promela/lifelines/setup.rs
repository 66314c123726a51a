//! Set-up: guards and choices are made before the lifelines begin, as their rules say.
//!
//! Each is chosen in turn. A rule is asked as soon as all that it speaks of is chosen, as the condition of the values that it
//! allows; where none is left the guards contradict each other, and there is no run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::formula::{Atom, Binary, Formula, Node, Unary};
use sequent_kernel::templates::{RigidId, instantiate};

use super::Author;

impl Author<'_> {
    /// All choices, and then the lifelines begin.
    pub(super) fn set_up(&self) -> String {
        let mut text =
            String::from("\n/* Choices are made first; then the lifelines begin. */\ninit {\n  atomic {\n");
        let numbers: BTreeMap<&str, RigidId> =
            self.tree.rigids.enumerate().map(|(rigid, name)| (name.as_str(), rigid)).collect();
        let mut due: BTreeMap<Option<RigidId>, Vec<&Formula>> = BTreeMap::new();
        for rule in &self.tree.rules {
            let last = words(&rule.formula).iter().filter_map(|word| numbers.get(word.as_str())).max();
            due.entry(last.copied()).or_default().push(&rule.formula);
        }
        for rule in due.remove(&None).unwrap_or_default() {
            let _ = writeln!(text, "    if :: !({}) -> goto nothing :: else fi;", self.boolean(rule));
        }
        for (rigid, name) in self.words.enumerate() {
            let rules = due.remove(&Some(rigid)).unwrap_or_default();
            let word = &self.tree.rigids[rigid];
            let mut is_total = false;
            text += "    if\n";
            for value in [false, true] {
                let chosen = BTreeMap::from([(word.clone(), value)]);
                let left: BTreeSet<String> =
                    rules.iter().map(|rule| self.boolean(&instantiate(rule, &chosen))).collect();
                if left.contains("false") {
                    continue;
                }
                let left: Vec<String> = left.into_iter().filter(|rule| rule != "true").collect();
                is_total |= left.is_empty();
                let when = if left.is_empty() { String::new() } else { format!("{} -> ", left.join(" && ")) };
                let _ = writeln!(text, "    :: {when}{name} = {}", u8::from(value));
            }
            if !is_total {
                text += "    :: else -> goto nothing\n";
            }
            text += "    fi;\n";
        }
        for name in self.lines.iter() {
            let _ = writeln!(text, "    run {name}();");
        }
        text + "    phase = 1;\nnothing: /* from above: guards contradict each other, there is no run */\n    skip\n  }\n}\n"
    }

    /// A formula without temporal operators.
    fn boolean(&self, formula: &Formula) -> String {
        match &formula.node {
            Node::Constant(value) => value.to_string(),
            Node::Atom(Atom::Name(word)) => {
                let rigid = self.tree.rigids.enumerate().find(|(_, name)| **name == word.text);
                rigid.map_or_else(|| "false".to_owned(), |(rigid, _)| self.words[rigid].clone())
            }
            Node::Unary(Unary::Not, part) => negated(&self.boolean(part)),
            Node::Binary(operator, left, right) => {
                let (left, right) = (self.boolean(left), self.boolean(right));
                // Rules know no others.
                match operator {
                    Binary::And => format!("({left} && {right})"),
                    Binary::Implies => format!("({} || {right})", negated(&left)),
                    Binary::Iff => format!("({left} == {right})"),
                    Binary::Or
                    | Binary::Until
                    | Binary::Release
                    | Binary::WeakUntil
                    | Binary::StrongRelease
                    | Binary::Since
                    | Binary::Trigger => format!("({left} || {right})"),
                }
            }
            // Rules have none of these.
            Node::Atom(_) | Node::Unary(..) => "false".to_owned(),
        }
    }
}

/// The opposite of a word or of something in brackets; `!!` means something else in Promela.
fn negated(text: &str) -> String {
    text.strip_prefix('!').map_or_else(|| format!("!{text}"), str::to_owned)
}

/// The propositions that a formula speaks of.
pub fn words(formula: &Formula) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        if let Node::Atom(Atom::Name(word)) = &formula.node {
            found.insert(word.text.clone());
        }
        open.extend(formula.parts());
    }
    found
}
