//! Set-up: guards and choices are made before the lifelines begin, as their rules say.
//!
//! Each is chosen in turn, those in a loop for each of its iterations. A rule is asked as soon as all that it speaks of is chosen, as the condition
//! of the values that it allows, with what later rules leave possible ([`choices`](sequent_kernel::templates::TemplateTree::choices)): some value is left unless the
//! guards contradict each other, and then there is no run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::formula::{Formula, FormulaNode};
use sequent_kernel::templates::{NodeId, RigidId, instantiate};

use super::rounds::LoopCounter;
use super::{LifelineWriter, SPELLING};

/// Something that is chosen: how often a loop runs, or whether a proposition is true.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SetupChoice {
    Count(NodeId),
    Truth(RigidId),
}

impl LifelineWriter<'_> {
    /// All choices, and then the lifelines begin.
    pub(super) fn set_up(&self) -> String {
        let mut due = self.tree.choices();
        let mut text = String::new();
        for rule in due.remove(&None).unwrap_or_default() {
            let _ = writeln!(text, "    if :: !({}) -> goto nothing :: else fi;", self.rule(&rule));
        }
        let mut counting = BTreeSet::new();
        text += &self.chosen(&[], &due, &mut counting);
        let counters = self.counters(counting.iter());
        for name in self.lines.iter() {
            let _ = writeln!(text, "    run {name}();");
        }
        format!(
            "\n/* Choices are made first; then the lifelines begin. */\ninit {{\n{counters}  atomic {{\n{text}    phase = 1;\nnothing: /* from above: guards contradict each other, there is no run */\n    skip\n  }}\n}}\n"
        )
    }

    /// The loops of which each is around the next.
    fn home(&self, choice: SetupChoice) -> &[NodeId] {
        match choice {
            SetupChoice::Count(node) => &self.counts.0[&node].around,
            SetupChoice::Truth(rigid) => &self.tree.homes[rigid],
        }
    }

    /// What is chosen in the current iterations of some loops; the loops that are counted for it.
    fn chosen(
        &self,
        around: &[NodeId],
        due: &BTreeMap<Option<RigidId>, Vec<Formula>>,
        counting: &mut BTreeSet<NodeId>,
    ) -> String {
        let indent = "  ".repeat(around.len() + 2);
        let loops = self.counts.0.keys().map(|node| SetupChoice::Count(*node));
        let open = self.tree.rigids.ids().filter(|rigid| !self.tree.definitions.contains_key(rigid));
        let all: Vec<SetupChoice> = loops.chain(open.map(SetupChoice::Truth)).collect();
        let mut text = String::new();
        for choice in all.iter().filter(|choice| self.home(**choice) == around) {
            text += &match choice {
                SetupChoice::Count(node) => self.number(*node, &indent),
                SetupChoice::Truth(rigid) => {
                    let rules = due.get(&Some(*rigid)).map_or(&[][..], Vec::as_slice);
                    self.truth(*rigid, rules, &indent)
                }
            };
        }
        for (node, count) in self.counts.0.iter().filter(|(_, count)| count.around == around) {
            let path: Vec<NodeId> = around.iter().chain([node]).copied().collect();
            let inner = self.chosen(&path, due, counting);
            if !inner.is_empty() {
                counting.insert(*node);
                let LoopCounter { counter, total, .. } = count;
                let _ = write!(
                    text,
                    "{indent}do\n{indent}:: {counter} < {total} ->\n{inner}{indent}  {counter}++\n{indent}:: else -> {counter} = 0; break\n{indent}od;\n"
                );
            }
        }
        text
    }

    /// How often a loop runs.
    fn number(&self, node: NodeId, indent: &str) -> String {
        let LoopCounter { total, rounds, .. } = &self.counts.0[&node];
        match rounds.min == rounds.max {
            true => String::new(),
            false => {
                let (min, max) = (rounds.min, rounds.max);
                format!(
                    "{indent}{total} = {min};\n{indent}do\n{indent}:: {total} < {max} -> {total}++\n{indent}:: break\n{indent}od;\n"
                )
            }
        }
    }

    /// Whether a proposition is true.
    fn truth(&self, rigid: RigidId, rules: &[Formula], indent: &str) -> String {
        let (name, word) = (&self.words[rigid], &self.tree.rigids[rigid]);
        let mut text = format!("{indent}if\n");
        let mut is_total = false;
        for value in [false, true] {
            let chosen = BTreeMap::from([(word.clone(), value)]);
            let left: Vec<Formula> = rules.iter().map(|rule| instantiate(rule, &chosen)).collect();
            let is = |rule: &Formula, value: bool| rule.node == FormulaNode::Constant(value);
            if left.iter().any(|rule| is(rule, false)) {
                continue;
            }
            let left = left.iter().filter(|rule| !is(rule, true)).map(|rule| self.rule(rule));
            let left: Vec<String> = left.collect::<BTreeSet<_>>().into_iter().collect();
            is_total |= left.is_empty();
            let when = if left.is_empty() { String::new() } else { format!("{} -> ", left.join(" && ")) };
            let _ = writeln!(text, "{indent}:: {when}{name} = {}", u8::from(value));
        }
        if !is_total {
            let _ = writeln!(text, "{indent}:: else -> goto nothing");
        }
        text + indent + "fi;\n"
    }

    fn rule(&self, formula: &Formula) -> String {
        SPELLING.rule(self.tree, &self.words, formula)
    }
}
