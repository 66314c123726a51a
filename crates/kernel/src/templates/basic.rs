//! Templates of operands: what stands directly in one (figure 4 of P0), and rule mu (figure 33).

use super::condition::RigidCondition;
use super::tree::{LineId, NodeId, OccurrenceId, TemplateNodeKind, TemplateTree};
use super::write::{all, any, binary, exactly_one, globally, implies, next, not};
use super::{TemplateLetter, TemplateWriter, Tense};
use crate::formula::{Binary, Formula};

impl TemplateWriter<'_> {
    /// The templates of an operand: alpha for each lifeline, beta for each message, mu, and what invariants ask for.
    pub(super) fn operand(&mut self, operand: NodeId) {
        let tree = self.tree;
        let around = self.inside(operand);
        for line in tree.lines.ids() {
            for unit in tree.basic_units(operand, line) {
                let about = format!("on {}{around}", tree.lines[line]);
                let formula = self.alpha(&unit);
                self.write(TemplateLetter::Alpha, about, Some(formula));
            }
        }
        for message in tree.messages(operand) {
            if let (Some(send), Some(receive)) = (tree.sending(message), tree.receipt(message)) {
                let about = format!("of {}{around}", self.message_name(send));
                let formula = self.after(&[receive], &tree.required_all(&[send]));
                self.write(TemplateLetter::Beta, about, formula);
            }
        }
        for item in tree.children(operand) {
            if let TemplateNodeKind::Meeting(lines) = &tree.nodes[*item].kind {
                self.meeting(*item, lines);
            }
        }
        if self.guarded_first {
            let formula = self.mu(operand);
            self.write(TemplateLetter::Mu, around.trim_start().to_owned(), formula);
        }
        self.excluded(operand, &around);
    }

    /// Nothing in an operand happens unless its constraint is true (appendix B: an occurrence implies its conditions).
    fn excluded(&mut self, operand: NodeId, around: &str) {
        let tree = self.tree;
        let Some(own) = tree.operand(operand).and_then(|operand| operand.own.as_ref()) else { return };
        let mut inside = Vec::new();
        tree.visit(operand, &mut |one| inside.extend(tree.ends(one)));
        let is_around_dead = tree.nodes[operand].parent.is_some_and(|around| !tree.is_live(around));
        if inside.is_empty() || own.is_always() || is_around_dead {
            return;
        }
        let quiet = globally(tree.quiet(&inside));
        let formula = binary(Binary::Or, tree.formula(own), quiet);
        self.write(TemplateLetter::Cond, around.trim_start().to_owned(), Some(formula));
    }

    /// What a state invariant keeps apart: all that stands before it on any of its lifelines, and all behind.
    fn meeting(&mut self, meeting: NodeId, lines: &[LineId]) {
        let tree = self.tree;
        let mut earlier = Vec::new();
        let mut later = Vec::new();
        for line in lines {
            earlier.extend(tree.before(meeting, *line));
            later.extend(tree.behind(meeting, *line));
        }
        earlier.extend(tree.barrier(meeting));
        let when = &tree.nodes[meeting].when;
        earlier = earlier.into_iter().map(|one| one.and(when)).collect();
        earlier.sort();
        earlier.dedup();
        let names: Vec<&str> = lines.iter().map(|line| tree.lines[*line].as_str()).collect();
        self.write(TemplateLetter::Iota, format!("on {}", names.join(", ")), self.after(&later, &earlier));
    }

    /// One occurrence at a time, and without pause until all have happened that can (figure 4, with the conditions of
    /// appendix B). As part of several diagrams there may be pauses.
    pub(super) fn epsilon(&mut self) {
        let tree = self.tree;
        let enabled = tree.enabled(tree.root);
        let happening: Vec<Formula> = enabled.iter().map(|one| tree.happens(*one)).collect();
        let one = exactly_one(&happening, tree.place);
        let rest = match self.wishes.tense {
            _ if self.wishes.is_partial => tree.quiet(&enabled),
            Tense::Future => globally(tree.quiet(&enabled)),
            Tense::Past => {
                let past = tree.required_all(&enabled);
                all(past.iter().map(|one| tree.past(one, &RigidCondition::ALWAYS)).collect(), tree.place)
            }
        };
        self.write(TemplateLetter::Epsilon, String::new(), Some(globally(binary(Binary::Or, one, rest))));
    }

    /// The occurrences of a unit in their order, each once (figure 4). The paper has `U~` in the second part, with which
    /// it can never hold; `U` is meant.
    fn alpha(&self, unit: &[OccurrenceId]) -> Formula {
        let tree = self.tree;
        let pairs = unit.windows(2).filter_map(|pair| self.after(&pair[1..], &tree.required_all(&pair[..1])));
        let once = unit.iter().map(|one| {
            let happens = tree.happens(*one);
            let never_again = next(globally(not(happens.clone())));
            let at_last = binary(Binary::And, happens.clone(), never_again);
            let once = binary(Binary::Until, not(happens), at_last);
            implies(tree.formula(tree.when(*one)), once)
        });
        all(pairs.chain(once).collect(), tree.place)
    }

    /// The occurrence right below a constraint comes before all others of its operand (figure 33).
    fn mu(&self, operand: NodeId) -> Option<Formula> {
        let tree = self.tree;
        let first = tree.first_of(operand)?;
        let mut later = tree.enabled(operand);
        if matches!(tree.nodes[first].kind, TemplateNodeKind::Meeting(_)) {
            return self.after(&later, &tree.ends_of(&[first]));
        }
        if later.is_empty() {
            return None;
        }
        let first = later.remove(0);
        self.after(&later, &tree.required_all(&[first]))
    }
}

impl TemplateTree {
    /// Whether any of these happens.
    pub(super) fn some(&self, occurrences: &[OccurrenceId]) -> Formula {
        any(occurrences.iter().map(|one| self.happens(*one)).collect(), self.place)
    }
}
