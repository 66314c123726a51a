//! Activation bars that do not add up: W201, W202.
//!
//! Bars are counted along every path: each alternative starts from what was active before the fragment, so that ending
//! a bar in every branch is fine and ending it in only one is a finding. What a branch does is kept in a journal, to be
//! undone before the next branch: the cost is linear in the number of bars, however many lifelines there are.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::id::Id;
use crate::model::{Block, Bound, Combination, Combined, Execution, Fragment, Interaction, LifelineId};
use crate::source::Span;

pub(super) fn check(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    let active = vec![Vec::new(); interaction.lifelines.len()];
    let mut checker =
        Checker { interaction, active, journal: Vec::new(), branching: BTreeSet::new(), findings };
    checker.block(&interaction.body);
    checker.never_ended();
}

/// One change of what is active.
enum Change {
    Pushed(LifelineId),
    Popped(LifelineId, Span),
}

struct Checker<'a> {
    interaction: &'a Interaction,
    /// Where the open bars of each lifeline began.
    active: Vec<Vec<Span>>,
    journal: Vec<Change>,
    /// Lifelines whose bars were already said to depend on a branch.
    branching: BTreeSet<LifelineId>,
    findings: &'a mut Vec<Diagnostic>,
}

impl Checker<'_> {
    fn block(&mut self, block: &Block) {
        for fragment in &block.0 {
            match fragment {
                Fragment::Execution(execution) => self.execution(execution),
                Fragment::Stop(stop) => while self.pop(stop.lifeline) {},
                Fragment::Combined(combined) => self.combined(combined),
                Fragment::Message(_)
                | Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Use(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        }
    }

    fn execution(&mut self, execution: &Execution) {
        let lifeline = execution.lifeline;
        match execution.bound {
            Bound::Start => self.push(lifeline, execution.place.0),
            Bound::Finish => {
                if !self.pop(lifeline) {
                    let name = &self.interaction.lifelines[lifeline].name;
                    let message = format!("`{name}` is not active here");
                    let hint = format!("activate `{name}` before, or remove the deactivation");
                    self.findings.push(
                        Diagnostic::new(Code::NeedlessDeactivation, execution.place.0, message).hint(hint),
                    );
                }
            }
        }
    }

    fn push(&mut self, lifeline: LifelineId, span: Span) {
        self.active[lifeline.index()].push(span);
        self.journal.push(Change::Pushed(lifeline));
    }

    fn pop(&mut self, lifeline: LifelineId) -> bool {
        let Some(span) = self.active[lifeline.index()].pop() else { return false };
        self.journal.push(Change::Popped(lifeline, span));
        true
    }

    fn combined(&mut self, combined: &Combined) {
        match combined.operator.combination() {
            Combination::Choice { is_optional: false } => self.branches(combined),
            Combination::Choice { is_optional: true } | Combination::Repetition(_) => self.optional(combined),
            Combination::Break => {
                let start = self.journal.len();
                self.operands(combined);
                self.undo(start);
            }
            Combination::Sequence
            | Combination::StrictSequence
            | Combination::Parallel
            | Combination::Unordered(_)
            | Combination::Negation
            | Combination::Complement => self.operands(combined),
        }
    }

    fn operands(&mut self, combined: &Combined) {
        combined.operands.iter().for_each(|operand| self.block(&operand.block));
    }

    /// Alternatives: all must leave the same bars open.
    fn branches(&mut self, combined: &Combined) {
        let mut effects = Vec::new();
        for (index, operand) in combined.operands.iter().enumerate() {
            let start = self.journal.len();
            self.block(&operand.block);
            effects.push(self.net(start));
            if index + 1 < combined.operands.len() {
                self.undo(start);
            }
        }
        let first = effects.first().cloned().unwrap_or_default();
        let differs = effects.iter().flat_map(|effect| effect.keys()).chain(first.keys()).find(|lifeline| {
            let change = |effect: &BTreeMap<LifelineId, i64>| effect.get(lifeline).copied().unwrap_or(0);
            effects.iter().any(|effect| change(effect) != change(&first))
        });
        if let Some(lifeline) = differs {
            self.depends_on_branch(*lifeline, combined);
        }
    }

    /// An option or a loop: as many bars open after it as before.
    fn optional(&mut self, combined: &Combined) {
        let start = self.journal.len();
        self.operands(combined);
        if let Some(lifeline) = self.net(start).keys().next() {
            self.depends_on_branch(*lifeline, combined);
        }
    }

    fn depends_on_branch(&mut self, lifeline: LifelineId, combined: &Combined) {
        self.branching.insert(lifeline);
        let name = &self.interaction.lifelines[lifeline].name;
        let what = match combined.operator.bounds() {
            Some(_) => "how often the loop runs",
            None => "the branch taken",
        };
        self.findings.push(
            Diagnostic::new(
                Code::UnbalancedActivation,
                combined.place.0.at_start(),
                format!("whether `{name}` is active after this block depends on {what}"),
            )
            .severity(Severity::Hint)
            .hint(format!("deactivate `{name}` once, after the block")),
        );
    }

    /// How many bars were opened minus closed since `start`, where not zero.
    fn net(&self, start: usize) -> BTreeMap<LifelineId, i64> {
        let mut net = BTreeMap::new();
        for change in &self.journal[start..] {
            match change {
                Change::Pushed(lifeline) => *net.entry(*lifeline).or_insert(0) += 1,
                Change::Popped(lifeline, _) => *net.entry(*lifeline).or_insert(0) -= 1,
            }
        }
        net.retain(|_, change| *change != 0);
        net
    }

    fn undo(&mut self, start: usize) {
        while self.journal.len() > start {
            match self.journal.pop() {
                Some(Change::Pushed(lifeline)) => {
                    self.active[lifeline.index()].pop();
                }
                Some(Change::Popped(lifeline, span)) => self.active[lifeline.index()].push(span),
                None => {}
            }
        }
    }

    fn never_ended(&mut self) {
        for (lifeline, bars) in self.interaction.lifelines.ids().zip(&self.active) {
            if self.branching.contains(&lifeline) {
                continue;
            }
            for span in bars {
                let name = &self.interaction.lifelines[lifeline].name;
                self.findings.push(
                    Diagnostic::new(
                        Code::UnbalancedActivation,
                        *span,
                        format!("`{name}` is activated and never deactivated"),
                    )
                    .hint(format!("add `deactivate {name}` where its work is done")),
                );
            }
        }
    }
}
