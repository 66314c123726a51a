//! What counters say in a loop (P3, section 3: loops of basic interactions).

use super::order::OccurrenceOrder;
use super::{
    Compact, CounterChange, CounterGuard, CounterRole, CounterState, CounterTransition, CounterValue,
    CounterVariable, ValueRelation,
};
use crate::model::Loop;

/// The automaton of a loop while it is made. Its counters are the first variables, in the order of the lifelines.
pub(crate) struct Cycle<'o> {
    pub order: &'o OccurrenceOrder,
    pub bounds: Loop,
    pub made: Compact,
}

/// The states in which all lifelines have finished the same iterations.
#[derive(Clone, Copy)]
pub(crate) struct RestStates {
    /// Between iterations.
    pub between: usize,
    /// Passed whenever all have finished the same, where the loop may go on forever.
    pub recurrent: Option<usize>,
}

impl<'o> Cycle<'o> {
    /// Nothing but the counters; an error if there is no loop over the order.
    pub(crate) fn new(order: &'o OccurrenceOrder, bounds: Loop) -> Result<Self, String> {
        if let Some(last) = order.occurrences.iter().find(|occurrence| occurrence.is_last) {
            let line = &order.lines[last.line];
            return Err(format!("{line} ends in the loop: it has no further iteration to count"));
        }
        let mut made = Compact::default();
        for (line, number) in order.lines.iter().zip(1..) {
            made.variables.push(CounterVariable {
                name: format!("v{number}"),
                role: CounterRole::Iterations(line.clone()),
            });
        }
        Ok(Cycle { order, bounds, made })
    }

    /// What an occurrence must wait for on another lifeline: that one is further, or as far and `has_happened` tells.
    pub(crate) fn need(&self, occurrence: usize, need: usize, has_happened: CounterGuard) -> CounterGuard {
        let [own, other] =
            [occurrence, need].map(|place| CounterValue::Counter(self.order.occurrences[place].line));
        let is_as_far =
            CounterGuard::All(vec![CounterGuard::Compare(own, ValueRelation::Equal, other), has_happened]);
        let is_further = CounterGuard::Compare(own, ValueRelation::Less, other);
        match is_as_far.is_never() {
            true => is_further,
            false => CounterGuard::Any(vec![is_further, is_as_far.plain()]),
        }
    }

    /// Whether a lifeline may begin one more iteration.
    pub(crate) fn may_begin(&self, line: usize) -> CounterGuard {
        match self.bounds.max {
            Some(max) => CounterGuard::Compare(
                CounterValue::Counter(line),
                ValueRelation::Less,
                CounterValue::Number(max),
            ),
            None => CounterGuard::ALWAYS,
        }
    }

    /// Adds the transition by which a lifeline finishes an iteration. If that is the last of what has begun, it may lead to
    /// rest: then it is two transitions, one of them by way of the recurrent state.
    pub(crate) fn finish(
        &mut self,
        line: usize,
        finishing: CounterTransition,
        rest: RestStates,
        is_last: Option<CounterGuard>,
    ) {
        let (Some(recurrent), Some(is_last)) = (rest.recurrent, is_last) else {
            self.made.transitions.push(finishing);
            return;
        };
        let next = CounterValue::Next(line);
        let others = (0..self.order.lines.len()).filter(|other| *other != line).map(CounterValue::Counter);
        let others: Vec<CounterValue> = others.collect();
        let compare =
            |relation| others.iter().map(move |other| CounterGuard::Compare(next, relation, *other));
        let bound = self.bounds.min.filter(|min| *min > 0).map(CounterValue::Number);
        let mut together: Vec<CounterGuard> = compare(ValueRelation::Equal).collect();
        together.extend(bound.map(|min| CounterGuard::Compare(next, ValueRelation::AtLeast, min)));
        let mut apart: Vec<CounterGuard> = compare(ValueRelation::Different).collect();
        apart.extend(bound.map(|min| CounterGuard::Compare(next, ValueRelation::Less, min)));
        apart.extend(is_last.opposite());
        together.push(is_last);
        let and =
            |guard: &CounterGuard, more: CounterGuard| CounterGuard::All(vec![guard.clone(), more]).plain();
        let apart = and(&finishing.guard, CounterGuard::Any(apart));
        let together = and(&finishing.guard, CounterGuard::All(together));
        for (guard, to) in [(apart, finishing.to), (together, recurrent)] {
            if !guard.is_never() {
                self.made.transitions.push(CounterTransition { guard, to, ..finishing.clone() });
            }
        }
    }

    /// Adds the states beside those that tell the history, and the ways to and from them: `is_done` tells in the state
    /// between iterations that none has begun.
    pub(crate) fn rest(&mut self, between: usize) -> RestStates {
        let mut add = |state| {
            self.made.states.push(state);
            self.made.states.len() - 1
        };
        let is_endless = self.bounds.max.is_none();
        let recurrent = is_endless.then(|| add(CounterState { recurrent: true, ..CounterState::default() }));
        RestStates { between, recurrent }
    }

    /// Adds what happens at rest: counters fall back, and the loop may be over.
    pub(crate) fn leave(mut self, rest: RestStates, is_done: CounterGuard) -> Compact {
        let lines = 0..self.order.lines.len();
        let silent = |from, to, guard, action| CounterTransition { from, to, event: None, guard, action };
        if let Some(recurrent) = rest.recurrent {
            // Counters fall back to the lower bound, beyond which they do not matter; so they stay small
            // unless a lifeline runs ahead.
            let back = CounterChange::To(self.bounds.min.unwrap_or(0));
            let action = lines.clone().map(|line| (line, back)).collect();
            self.made.transitions.push(silent(recurrent, rest.between, CounterGuard::ALWAYS, action));
        }
        if let Some(min) = self.bounds.min {
            self.made.states.push(CounterState { accepting: true, ..CounterState::default() });
            let over = self.made.states.len() - 1;
            let mut parts: Vec<CounterGuard> = lines
                .clone()
                .skip(1)
                .map(|line| {
                    CounterGuard::Compare(
                        CounterValue::Counter(0),
                        ValueRelation::Equal,
                        CounterValue::Counter(line),
                    )
                })
                .collect();
            let bound = (min > 0).then_some(CounterValue::Number(min));
            parts.extend(lines.take(1).filter_map(|line| {
                Some(CounterGuard::Compare(CounterValue::Counter(line), ValueRelation::AtLeast, bound?))
            }));
            parts.push(is_done);
            self.made.transitions.push(silent(
                rest.between,
                over,
                CounterGuard::All(parts).plain(),
                Vec::new(),
            ));
        }
        self.made.transitions.sort_by_key(|transition| transition.from);
        self.made
    }
}

impl CounterGuard {
    /// The same with nothing in it that always or never holds, and no list in a list of its kind.
    pub(super) fn plain(self) -> CounterGuard {
        match self {
            CounterGuard::All(parts) => {
                let mut plain = Vec::new();
                for part in parts {
                    match part.plain() {
                        CounterGuard::All(more) => plain.extend(more),
                        never @ CounterGuard::Any(_) if never.is_never() => return never,
                        other => plain.push(other),
                    }
                }
                if plain.len() == 1 { plain.remove(0) } else { CounterGuard::All(plain) }
            }
            CounterGuard::Any(parts) => {
                let mut plain = Vec::new();
                for part in parts {
                    match part.plain() {
                        CounterGuard::Any(more) => plain.extend(more),
                        always if always == CounterGuard::ALWAYS => return CounterGuard::ALWAYS,
                        other => plain.push(other),
                    }
                }
                if plain.len() == 1 { plain.remove(0) } else { CounterGuard::Any(plain) }
            }
            CounterGuard::Bit(..) | CounterGuard::Compare(..) => self,
        }
    }

    /// For bits alone: the opposite of each, any of which makes all of them false.
    fn opposite(&self) -> Vec<CounterGuard> {
        match self {
            CounterGuard::All(parts) => parts.iter().flat_map(CounterGuard::opposite).collect(),
            CounterGuard::Bit(bit, is_set) => vec![CounterGuard::Bit(*bit, !is_set)],
            CounterGuard::Any(_) | CounterGuard::Compare(..) => Vec::new(),
        }
    }
}
