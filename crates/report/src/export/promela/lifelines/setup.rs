//! Set-up: guards and choices are made before the lifelines begin, as their rules say.
//!
//! Each is chosen in turn. A rule is asked as soon as all that it speaks of is chosen, as the condition of the values that it
//! allows; where none is left the guards contradict each other, and there is no run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::formula::{Formula, Node};
use sequent_kernel::templates::instantiate;

use super::{Author, SPELLING};

impl Author<'_> {
    /// All choices, and then the lifelines begin.
    pub(super) fn set_up(&self) -> String {
        let mut text =
            String::from("\n/* Choices are made first; then the lifelines begin. */\ninit {\n  atomic {\n");
        let mut due = self.tree.rules_by_last();
        for rule in due.remove(&None).unwrap_or_default() {
            let _ = writeln!(text, "    if :: !({}) -> goto nothing :: else fi;", self.rule(rule));
        }
        for (rigid, name) in self.words.enumerate() {
            let rules = due.remove(&Some(rigid)).unwrap_or_default();
            let word = &self.tree.rigids[rigid];
            let mut is_total = false;
            text += "    if\n";
            for value in [false, true] {
                let chosen = BTreeMap::from([(word.clone(), value)]);
                let left: Vec<Formula> = rules.iter().map(|rule| instantiate(rule, &chosen)).collect();
                let is = |rule: &Formula, value: bool| rule.node == Node::Constant(value);
                if left.iter().any(|rule| is(rule, false)) {
                    continue;
                }
                let left = left.iter().filter(|rule| !is(rule, true)).map(|rule| self.rule(rule));
                let left: Vec<String> = left.collect::<BTreeSet<_>>().into_iter().collect();
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

    fn rule(&self, formula: &Formula) -> String {
        SPELLING.rule(self.tree, &self.words, formula)
    }
}
