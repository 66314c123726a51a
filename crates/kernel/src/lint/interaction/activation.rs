//! Activation bars that do not add up: W201, W202.
//!
//! Bars are counted along every path: each alternative starts from what was active before the fragment, so that ending
//! a bar in every branch is fine and ending it in only one is a finding, unless that is the last: both notations draw bars down the page, so that one
//! ends with the fragment. What a branch does is kept in a journal, to be
//! undone before the next branch: the cost is linear in the number of bars, however many lifelines there are.
//!
//! A bar that is never ended is a slip only where the diagram ends others, and either its call is answered, or nearly all others
//! are ended and its lifeline did something before it. One that begins with the first message spans the diagram, and one
//! that begins with all that its lifeline does spans that: nothing says that it should end. Where no bar at all is ended one
//! hint says so.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic, Remedy, Severity};
use crate::id::Id;
use crate::model::{
    Block, Bound, Combination, Combined, Execution, Fragment, Interaction, LifelineId, MessageId, MessageSort,
};
use crate::source::Span;

use super::{MOST_FINDINGS, names};

pub(super) fn check(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    let active = vec![Vec::new(); interaction.lifelines.len()];
    let mut checker = ActivationChecker {
        interaction,
        active,
        journal: Vec::new(),
        branching: BTreeSet::new(),
        misspelt: OnceCell::new(),
        answered: BTreeMap::new(),
        passed: None,
        met: BTreeSet::new(),
        ended: 0,
        findings,
    };
    checker.block(&interaction.body);
    checker.never_ended();
}

/// A bar that is open.
#[derive(Clone, Copy)]
struct OpenBar {
    place: Span,
    /// The message that began it.
    call: Option<MessageId>,
    /// Whether nothing happens before.
    is_first: bool,
    /// Whether nothing happens on its lifeline before.
    is_new: bool,
}

/// One change of what is active.
enum ActivationChange {
    Pushed(LifelineId),
    Popped(LifelineId, OpenBar),
}

struct ActivationChecker<'a> {
    interaction: &'a Interaction,
    /// The open bars of each lifeline.
    active: Vec<Vec<OpenBar>>,
    journal: Vec<ActivationChange>,
    /// Lifelines whose bars were already said to depend on a branch.
    branching: BTreeSet<LifelineId>,
    /// Lifelines whose bars are those of another, of which they are a misspelling.
    misspelt: OnceCell<BTreeSet<LifelineId>>,
    /// Where the calls of bars are answered before these end, by the place of the bar.
    answered: BTreeMap<Span, Span>,
    /// The message that was passed last.
    passed: Option<MessageId>,
    /// Lifelines of the messages before it.
    met: BTreeSet<LifelineId>,
    /// How many bars were ended.
    ended: usize,
    findings: &'a mut Vec<Diagnostic>,
}

impl ActivationChecker<'_> {
    fn block(&mut self, block: &Block) {
        for fragment in &block.0 {
            match fragment {
                Fragment::Message(id) => self.message(*id),
                Fragment::Execution(execution) => self.execution(execution),
                Fragment::Stop(stop) => while self.pop(stop.lifeline) {},
                Fragment::Combined(combined) => self.combined(combined),
                Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Use(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        }
    }

    fn message(&mut self, id: MessageId) {
        let before = self.passed.replace(id).map(|before| &self.interaction.messages[before]);
        let ends = before.into_iter().flat_map(|before| [before.from, before.to]);
        self.met.extend(ends.filter_map(|end| end.lifeline()));
        let message = &self.interaction.messages[id];
        let (Some(from), MessageSort::Reply) = (message.from.lifeline(), message.sort) else { return };
        let Some(bar) = self.active[from.index()].last() else { return };
        if bar.call.is_some_and(|call| self.interaction.messages[call].from == message.to) {
            self.answered.insert(bar.place, message.place.0);
        }
    }

    fn execution(&mut self, execution: &Execution) {
        let lifeline = execution.lifeline;
        match execution.bound {
            Bound::Start => self.push(lifeline, self.bar(execution)),
            Bound::Finish => {
                if !self.pop(lifeline) && !self.branching.contains(&lifeline) && !self.is_misspelt(lifeline) {
                    let name = &self.interaction.lifelines[lifeline].name;
                    let message = format!("`{name}` is not active here");
                    let hint = format!("activate `{name}` before, or remove the deactivation");
                    self.findings.push(
                        Diagnostic::new(Code::NeedlessDeactivation, execution.place.0, message)
                            .hint(hint)
                            .remedy(Remedy::Remove),
                    );
                }
            }
        }
    }

    fn is_misspelt(&self, lifeline: LifelineId) -> bool {
        self.misspelt.get_or_init(|| names::misspelt(self.interaction)).contains(&lifeline)
    }

    fn bar(&self, execution: &Execution) -> OpenBar {
        let reaches =
            |id: &MessageId| self.interaction.messages[*id].to.lifeline() == Some(execution.lifeline);
        let is_first = self.passed.is_none_or(|id| id.index() == 0);
        let is_new = !self.met.contains(&execution.lifeline);
        OpenBar { place: execution.place.0, call: self.passed.filter(reaches), is_first, is_new }
    }

    fn push(&mut self, lifeline: LifelineId, bar: OpenBar) {
        self.active[lifeline.index()].push(bar);
        self.journal.push(ActivationChange::Pushed(lifeline));
    }

    fn pop(&mut self, lifeline: LifelineId) -> bool {
        let Some(bar) = self.active[lifeline.index()].pop() else { return false };
        self.journal.push(ActivationChange::Popped(lifeline, bar));
        self.ended += 1;
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
        let Some((last, others)) = effects.split_last() else { return };
        let differs = effects.iter().flat_map(|effect| effect.keys()).find(|lifeline| {
            let change = |effect: &BTreeMap<LifelineId, i64>| effect.get(lifeline).copied().unwrap_or(0);
            let ends_with_it = change(last) < 0 && others.iter().all(|other| change(other) == 0);
            !ends_with_it && others.iter().any(|other| change(other) != change(last))
        });
        if let Some(lifeline) = differs {
            self.depends_on_branch(*lifeline, combined);
        }
    }

    /// An option or a loop: no more bars open after it than before.
    fn optional(&mut self, combined: &Combined) {
        let start = self.journal.len();
        self.operands(combined);
        if let Some((lifeline, _)) = self.net(start).into_iter().find(|(_, change)| *change > 0) {
            self.depends_on_branch(lifeline, combined);
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
                ActivationChange::Pushed(lifeline) => *net.entry(*lifeline).or_insert(0) += 1,
                ActivationChange::Popped(lifeline, _) => *net.entry(*lifeline).or_insert(0) -= 1,
            }
        }
        net.retain(|_, change| *change != 0);
        net
    }

    fn undo(&mut self, start: usize) {
        while self.journal.len() > start {
            match self.journal.pop() {
                Some(ActivationChange::Pushed(lifeline)) => {
                    self.active[lifeline.index()].pop();
                }
                Some(ActivationChange::Popped(lifeline, bar)) => self.active[lifeline.index()].push(bar),
                None => {}
            }
        }
    }

    fn never_ended(&mut self) {
        let lifelines = self.interaction.lifelines.ids().zip(&self.active);
        let told = lifelines.filter(|(lifeline, bars)| {
            !self.branching.contains(lifeline) && !bars.is_empty() && !self.is_misspelt(*lifeline)
        });
        // Of several bars on one lifeline the outermost stands for all.
        let left: Vec<(LifelineId, OpenBar)> =
            told.filter_map(|(lifeline, bars)| bars.first().map(|bar| (lifeline, *bar))).collect();
        let is_rare = 2 * left.len() <= self.ended;
        let is_slip = |bar: &OpenBar| {
            !bar.is_first && (self.answered.contains_key(&bar.place) || is_rare && !bar.is_new)
        };
        let slips = left.into_iter().filter(|(_, bar)| is_slip(bar));
        let (most, severity) = match self.ended {
            0 => (1, Severity::Hint),
            _ => (MOST_FINDINGS, Severity::Warning),
        };
        for (lifeline, bar) in slips.take(most) {
            let name = &self.interaction.lifelines[lifeline].name;
            let text = format!("`{name}` is activated and never deactivated");
            let finding = Diagnostic::new(Code::UnbalancedActivation, bar.place, text)
                .severity(severity)
                .hint(format!("add `deactivate {name}` where its work is done"));
            let answer = self.answered.get(&bar.place);
            self.findings.push(match answer {
                Some(answer) => finding.remedy(Remedy::Follow(*answer, format!("deactivate {name}"))),
                None => finding,
            });
        }
    }
}
