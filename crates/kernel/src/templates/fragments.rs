//! Templates of fragments: how one is joined to what stands around it, and what its operator adds (section V-B to V-E).

use std::collections::BTreeMap;

use super::condition::RigidCondition;
use super::tree::{
    LineId, NodeId, OccurrenceId, OperandComposition, OperandOrder, Requirement, TemplateFragment,
    TemplateTree,
};
use super::write::{all, any, binary, globally, implies, not};
use super::{TemplateLetter, TemplateWriter, Tense};
use crate::formula::{Binary, Formula};

impl TemplateWriter<'_> {
    /// The templates of a fragment, without those of what it holds.
    pub(super) fn fragment(&mut self, node: NodeId, fragment: &TemplateFragment) {
        let tree = self.tree;
        for line in tree.lifelines(node) {
            self.joints(node, fragment, line);
            match fragment.shape {
                OperandComposition::Critical => {
                    self.write_on(TemplateLetter::Delta, fragment, line, self.delta(node, line))
                }
                OperandComposition::Assert => {
                    self.write_on(TemplateLetter::Lambda, fragment, line, self.lambda(node, line))
                }
                OperandComposition::Loop => self.kappa(node, fragment, line),
                OperandComposition::Seq
                | OperandComposition::Strict
                | OperandComposition::Par
                | OperandComposition::Alt
                | OperandComposition::Opt
                | OperandComposition::Break
                | OperandComposition::StrictLoop
                | OperandComposition::Neg
                | OperandComposition::Ignore
                | OperandComposition::Consider
                | OperandComposition::Coregion(_)
                | OperandComposition::Ref => {}
            }
        }
        if fragment.shape.is_strict() {
            for operand in tree.later_operands(node) {
                let lines = tree.lines.ids();
                let earlier: Vec<Requirement> =
                    lines.flat_map(|line| tree.before_operand(operand, line)).collect();
                let formula = self.after(&tree.enabled(operand), &earlier);
                self.write(TemplateLetter::Chi, format!("of {}", self.operand_name(operand)), formula);
            }
        }
        if tree.is_joined_strictly && fragment.shape.is_combined() {
            self.nu(node, fragment);
        }
    }

    fn write_on(
        &mut self,
        letter: TemplateLetter,
        fragment: &TemplateFragment,
        line: LineId,
        formula: Option<Formula>,
    ) {
        let about = format!("of {} on {}", fragment.name, self.tree.lines[line]);
        self.write(letter, about, formula);
    }

    /// gamma: what directly precedes a fragment on a lifeline comes before what is in it, and that before what follows;
    /// eta: where nothing in it may happen, what precedes comes before what follows (figures 6 and 7).
    fn joints(&mut self, node: NodeId, fragment: &TemplateFragment, line: LineId) {
        let tree = self.tree;
        // Another template orders the operands among each other.
        let is_whole = fragment.shape.order() == OperandOrder::Beside
            || fragment.shape.is_strict()
            || fragment.shape == OperandComposition::Loop
            || tree.children(node).len() == 1;
        let groups: Vec<(NodeId, Vec<NodeId>)> = match is_whole {
            true => vec![(node, tree.live_operands(node))],
            false => tree.live_operands(node).into_iter().map(|one| (one, vec![one])).collect(),
        };
        for (whole, operands) in groups {
            let own: Vec<OccurrenceId> =
                operands.iter().flat_map(|operand| tree.direct_on(*operand, line)).collect();
            let first = self.after(&own, &tree.before(whole, line));
            let last = self.after(&tree.behind(whole, line), &tree.required_all(&own));
            let both: Vec<Formula> = first.into_iter().chain(last).collect();
            let formula = (!both.is_empty()).then(|| all(both, tree.place));
            let whose = if is_whole { fragment.name.clone() } else { self.operand_name(whole) };
            self.write(TemplateLetter::Gamma, format!("of {whose} on {}", tree.lines[line]), formula);
        }
        if !tree.is_certain(node, line) {
            let formula = self.after(&tree.behind(node, line), &tree.before(node, line));
            self.write_on(TemplateLetter::Eta, fragment, line, formula);
        }
    }

    /// An iteration on a lifeline begins when the ones before are over there (figure 15).
    fn kappa(&mut self, node: NodeId, fragment: &TemplateFragment, line: LineId) {
        let tree = self.tree;
        if tree.coregion(node, line).is_some() {
            return;
        }
        for operand in tree.later_operands(node) {
            let formula = self.after(&tree.enabled_on(operand, line), &tree.before_operand(operand, line));
            self.write_on(TemplateLetter::Kappa, fragment, line, formula);
        }
    }

    /// All that stands before a fragment in its block comes before all of it, on whatever lifeline, and all of it before
    /// what follows (figure 30, for any fragment).
    fn nu(&mut self, node: NodeId, fragment: &TemplateFragment) {
        let tree = self.tree;
        // The remainder after a break is no part of the break.
        let own = match fragment.shape {
            OperandComposition::Break => tree.children(node).first().copied().into_iter().collect(),
            _ => vec![node],
        };
        let inside: Vec<OccurrenceId> = own.iter().flat_map(|one| tree.enabled(*one)).collect();
        let first = self.after(&inside, &tree.ends_of(&tree.joined_before(node)));
        let behind: Vec<OccurrenceId> =
            tree.behind_in_block(node).iter().flat_map(|one| tree.enabled(*one)).collect();
        let last = match fragment.shape {
            OperandComposition::Break => None,
            _ => self.after(&behind, &tree.ends_of(&own)),
        };
        let both: Vec<Formula> = first.into_iter().chain(last).collect();
        let formula = (!both.is_empty()).then(|| all(both, tree.place));
        self.write(TemplateLetter::Nu, format!("of {}", fragment.name), formula);
    }

    /// General orderings and callers that wait (section V-E, figure 38).
    pub(super) fn others(&mut self) {
        let tree = self.tree;
        for (earlier, later) in &tree.orderings {
            let about = format!("{} < {}", tree.occurrences[*earlier].text, tree.occurrences[*later].text);
            let formula = self.after(&[*later], &tree.required_all(&[*earlier]));
            self.write(TemplateLetter::Upsilon, about, formula);
        }
        for (call, answer) in &tree.calls {
            let about = format!("of {}", self.message_name(*call));
            self.write(TemplateLetter::Xi, about, self.xi(*call, *answer));
        }
    }

    /// Once one of a region's occurrences has happened on a lifeline, no other does until they are over (figure 13).
    fn delta(&self, node: NodeId, line: LineId) -> Option<Formula> {
        let tree = self.tree;
        let inside = tree.enabled_on(node, line);
        let outside = tree.outside(&inside, line);
        if inside.is_empty() || outside.is_empty() {
            return None;
        }
        let known = RigidCondition::common(inside.iter().map(|one| tree.when(*one)))?;
        let ends = tree.end_on(node, line);
        Some(match self.wishes.tense {
            Tense::Past => {
                let over = all(ends.iter().map(|one| tree.over(one, &known)).collect(), tree.place);
                let quiet = tree.quiet(&outside);
                let until = binary(Binary::Until, quiet.clone(), binary(Binary::And, over, quiet));
                globally(implies(tree.some(&inside), until))
            }
            // Begun, left, and gone on: that must not be.
            Tense::Future => {
                let mut groups: BTreeMap<RigidCondition, Vec<OccurrenceId>> = BTreeMap::new();
                for one in ends {
                    groups.entry(one.when.without(&known)).or_default().push(one.occurrence);
                }
                let kept = groups.iter().map(|(when, own)| {
                    let left = globally(implies(tree.some(&outside), globally(tree.quiet(own))));
                    let begun = globally(implies(tree.some(&inside), left));
                    implies(tree.formula(when), begun)
                });
                implies(tree.formula(&known), all(kept.collect(), tree.place))
            }
        })
    }

    /// Once what precedes an assertion has happened on a lifeline, only its own occurrences do until they are over
    /// (figure 19; the paper's formula forbids what follows, too).
    fn lambda(&self, node: NodeId, line: LineId) -> Option<Formula> {
        let tree = self.tree;
        let inside = tree.enabled_on(node, line);
        let outside = tree.outside(&inside, line);
        if outside.is_empty() || inside.is_empty() {
            return None;
        }
        let known = &tree.nodes[node].when;
        let before = tree.before(node, line).into_iter().chain(tree.barrier(node));
        let before: Vec<Requirement> = before.filter(|one| !one.when.excludes(known)).collect();
        let ends = tree.end_on(node, line);
        let alone = match self.wishes.tense {
            Tense::Past => {
                let due = all(before.iter().map(|one| tree.past(one, known)).collect(), tree.place);
                let over = all(ends.iter().map(|one| tree.past(one, known)).collect(), tree.place);
                globally(implies(due, binary(Binary::Until, tree.quiet(&outside), over)))
            }
            Tense::Future => {
                let one = |other: &OccurrenceId| tree.apart(*other, &before, &ends, known);
                all(outside.iter().map(one).collect(), tree.place)
            }
        };
        Some(implies(tree.formula(known), alone))
    }

    /// A caller does nothing until it has the reply.
    fn xi(&self, call: OccurrenceId, answer: OccurrenceId) -> Option<Formula> {
        let tree = self.tree;
        let line = tree.occurrences[call].line;
        let outside = tree.outside(&[call, answer], line);
        if outside.is_empty() || tree.when(call).is_never() || tree.when(answer).is_never() {
            return None;
        }
        let is_answered = tree.formula(&tree.when(answer).without(tree.when(call)));
        let until = binary(Binary::Until, tree.quiet(&outside), tree.happens(answer));
        Some(implies(is_answered, globally(implies(tree.happens(call), until))))
    }
}

impl TemplateTree {
    /// Something happens before all of `before` is over, or after all of `ends`.
    fn apart(
        &self,
        other: OccurrenceId,
        before: &[Requirement],
        ends: &[Requirement],
        known: &RigidCondition,
    ) -> Formula {
        let quiet = not(self.happens(other));
        let later = ends.iter().map(|one| {
            let until = binary(Binary::WeakUntil, quiet.clone(), self.happens(one.occurrence));
            implies(self.formula(&one.when.without(known)), until)
        });
        let earlier = before.iter().map(|one| {
            let until = binary(Binary::Until, not(self.happens(one.occurrence)), self.happens(other));
            binary(Binary::And, self.formula(&one.when.without(known)), until)
        });
        let later = all(later.collect(), self.place);
        any(earlier.chain([later]).collect(), self.place)
    }

    /// What else may happen on a lifeline.
    fn outside(&self, inside: &[OccurrenceId], line: LineId) -> Vec<OccurrenceId> {
        let mut outside = self.enabled_on(self.root, line);
        outside.retain(|one| !inside.contains(one));
        outside
    }
}
