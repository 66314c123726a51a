//! Choices: which operand runs, and the guard propositions that say so (rules I3, I11).
//!
//! A choice is a variable: 0 while it is open, then the number of the alternative taken. Alternatives without data may be
//! chosen at any time, so choosing is an invisible step that may be taken as soon as one covered lifeline has come to the
//! fragment. A proposition is a variable too: 0 unknown, 1 false, 2 true; whoever needs its value settles it for good.

use std::collections::BTreeSet;

use super::builder::{Builder, Context, Piece};
use crate::model::{Guard, Operand};
use crate::source::Place;
use crate::system::{ComponentId, TermId, VariableId};

const FALSE: i32 = 1;
const TRUE: i32 = 2;

/// Propositions and the values they must have.
pub(super) type Needs = Vec<(String, bool)>;

impl Builder<'_> {
    fn proposition(&mut self, scope: usize, text: &str) -> VariableId {
        let key = (scope, text.to_owned());
        if let Some(known) = self.propositions.get(&key) {
            return *known;
        }
        let variable = self.counter(text.to_owned(), 2);
        if let Some(value) = self.assumptions.guards.get(text) {
            self.variables[variable].initial = if *value { TRUE } else { FALSE };
        }
        self.propositions.insert(key, variable);
        variable
    }

    /// Whether a proposition may have a value: it is unknown or has it already.
    pub(super) fn may_be(&mut self, scope: usize, text: &str, value: bool) -> TermId {
        if let Some(known) = literal(text) {
            return self.terms.truth(known == value);
        }
        let variable = self.proposition(scope, text);
        let other = self.terms.is(variable, if value { FALSE } else { TRUE });
        self.terms.not(other)
    }

    /// The update that gives a proposition its value.
    pub(super) fn settle(&mut self, scope: usize, text: &str, value: bool) -> Option<(VariableId, TermId)> {
        if literal(text).is_some() {
            return None;
        }
        let variable = self.proposition(scope, text);
        let value = self.terms.constant(if value { TRUE } else { FALSE });
        Some((variable, value))
    }

    /// A choice among alternatives; the variable's value `i + 1` stands for the `i`-th.
    pub(super) fn choice(
        &mut self,
        context: &Context,
        covered: &BTreeSet<ComponentId>,
        alternatives: &[Needs],
        place: Place,
    ) -> VariableId {
        let ways: Vec<(i32, Needs)> = (1..).zip(alternatives.iter().cloned()).collect();
        self.choice_of(context, covered, &ways, place)
    }

    /// A choice among ways, each with the value that stands for it; several ways may lead to the same value.
    pub(super) fn choice_of(
        &mut self,
        context: &Context,
        covered: &BTreeSet<ComponentId>,
        ways: &[(i32, Needs)],
        place: Place,
    ) -> VariableId {
        let most = ways.iter().map(|(number, _)| *number).max().unwrap_or(0);
        let variable = self.counter("choice".to_owned(), most);
        let chooser = self.chooser();
        let reached = self.reached(context, covered);
        let open = self.terms.is(variable, 0);
        for (number, needs) in ways {
            let mut guard = vec![open, context.alive, reached];
            let mut updates = vec![(variable, self.terms.constant(*number))];
            for (text, value) in needs {
                guard.push(self.may_be(context.scope, text, *value));
                updates.extend(self.settle(context.scope, text, *value));
            }
            let guard = self.terms.and(guard);
            self.decision(chooser, guard, updates, place);
        }
        variable
    }

    /// Lets a choice be passed by altogether, if all these propositions are assumed to be false.
    pub(super) fn pass_by(
        &mut self,
        context: &Context,
        choice: VariableId,
        texts: &[String],
        place: Place,
    ) -> TermId {
        let value = self.variables[choice].max + 1;
        self.variables[choice].max = value;
        let mut guard = vec![self.terms.is(choice, 0), context.alive];
        let is_false = |text: &String| {
            literal(text).or_else(|| self.assumptions.guards.get(text).copied()) == Some(false)
        };
        let all_false = texts.iter().all(is_false);
        guard.push(self.terms.truth(all_false));
        let guard = self.terms.and(guard);
        let chooser = self.chooser();
        let value = self.terms.constant(value);
        self.decision(chooser, guard, vec![(choice, value)], place);
        let variable = self.terms.variable(choice);
        self.terms.equal(variable, value)
    }

    /// The context inside the alternative with this number.
    pub(super) fn inside(&mut self, context: &Context, choice: VariableId, number: i32) -> Context {
        let chosen = self.terms.is(choice, number);
        let open = self.terms.is(choice, 0);
        let either = self.terms.or([open, chosen]);
        let otherwise = self.terms.not(either);
        Context {
            alive: self.terms.and([context.alive, chosen]),
            dead: self.terms.or([context.dead, otherwise]),
            in_loop: false,
            ..context.clone()
        }
    }

    /// Alternatives as one piece: on each lifeline over when the chosen one is; `passed` says that none is.
    pub(super) fn either(
        &mut self,
        choice: VariableId,
        pieces: Vec<(i32, Piece)>,
        passed: &[TermId],
    ) -> Piece {
        let mut whole = Piece::default();
        let touched: BTreeSet<ComponentId> =
            pieces.iter().flat_map(|(_, piece)| piece.ends.keys().copied()).collect();
        for component in touched {
            let mut ways: Vec<TermId> = passed.to_vec();
            for (number, piece) in &pieces {
                let chosen = self.terms.is(choice, *number);
                let end = piece.ends.get(&component).copied().unwrap_or_else(|| self.terms.truth(true));
                ways.push(self.terms.and([chosen, end]));
            }
            let end = self.terms.or(ways);
            whole.ends.insert(component, end);
        }
        for (_, piece) in pieces {
            whole.occurrences.extend(piece.occurrences);
            whole.regions.extend(piece.regions);
        }
        whole
    }
}

/// The ways to choose an operand of an `alt`, each with the operand's number and the propositions it needs.
pub(super) fn alternatives(operands: &[Operand], independent: bool) -> Vec<(i32, Needs)> {
    let texts = guard_texts(operands);
    // At most this one is true.
    let only = |own: Option<&String>| -> Needs {
        texts.iter().map(|text| (text.clone(), Some(text) == own)).collect()
    };
    let mut ways = Vec::new();
    for (number, operand) in (1..).zip(operands) {
        match &operand.guard {
            // It runs whatever the others say; two of them still exclude each other.
            Guard::Absent if !independent && texts.len() > 1 => {
                let trues = texts.iter().map(Some).chain([None]);
                ways.extend(trues.map(|own| (number, only(own))));
            }
            Guard::Absent => ways.push((number, Vec::new())),
            Guard::Else => ways.push((number, only(None))),
            Guard::Condition(condition) if independent => {
                ways.push((number, vec![(condition.text.clone(), true)]));
            }
            Guard::Condition(condition) => ways.push((number, only(Some(&condition.text)))),
        }
    }
    ways
}

/// The texts of the guards, each once.
pub(super) fn guard_texts(operands: &[Operand]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for operand in operands {
        if let Guard::Condition(condition) = &operand.guard {
            if !texts.contains(&condition.text) {
                texts.push(condition.text.clone());
            }
        }
    }
    texts
}

/// The value of a guard that is a constant.
fn literal(text: &str) -> Option<bool> {
    match text.trim() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}
