//! What counters say in a loop (P3, section 3: loops of basic interactions).

use super::order::Order;
use super::{Change, Compact, Guard, Relation, Role, State, Transition, Value, Variable};
use crate::model::Loop;

/// The automaton of a loop while it is made. Its counters are the first variables, in the order of the lifelines.
pub struct Cycle<'o> {
    pub order: &'o Order,
    pub bounds: Loop,
    pub made: Compact,
}

/// The states in which all lifelines have finished the same iterations.
#[derive(Clone, Copy)]
pub struct Rest {
    /// Between iterations.
    pub between: usize,
    /// Passed whenever all have finished the same, where the loop may go on forever.
    pub recurrent: Option<usize>,
}

impl<'o> Cycle<'o> {
    /// Nothing but the counters; an error if there is no loop over the order.
    pub fn new(order: &'o Order, bounds: Loop) -> Result<Self, String> {
        if let Some(last) = order.occurrences.iter().find(|occurrence| occurrence.is_last) {
            let line = &order.lines[last.line];
            return Err(format!("{line} ends in the loop: it has no further iteration to count"));
        }
        let mut made = Compact::default();
        for (line, number) in order.lines.iter().zip(1..) {
            made.variables
                .push(Variable { name: format!("v{number}"), role: Role::Iterations(line.clone()) });
        }
        Ok(Cycle { order, bounds, made })
    }

    /// What an occurrence must wait for on another lifeline: that one is further, or as far and `has_happened` tells.
    pub fn need(&self, occurrence: usize, need: usize, has_happened: Guard) -> Guard {
        let [own, other] = [occurrence, need].map(|place| Value::Counter(self.order.occurrences[place].line));
        let is_as_far = Guard::All(vec![Guard::Compare(own, Relation::Equal, other), has_happened]);
        let is_further = Guard::Compare(own, Relation::Less, other);
        match is_as_far.is_never() {
            true => is_further,
            false => Guard::Any(vec![is_further, is_as_far.plain()]),
        }
    }

    /// Whether a lifeline may begin one more iteration.
    pub fn may_begin(&self, line: usize) -> Guard {
        match self.bounds.max {
            Some(max) => Guard::Compare(Value::Counter(line), Relation::Less, Value::Number(max)),
            None => Guard::ALWAYS,
        }
    }

    /// Adds the transition by which a lifeline finishes an iteration. If that is the last of what has begun, it may lead to
    /// rest: then it is two transitions, one of them by way of the recurrent state.
    pub fn finish(&mut self, line: usize, finishing: Transition, rest: Rest, is_last: Option<Guard>) {
        let (Some(recurrent), Some(is_last)) = (rest.recurrent, is_last) else {
            self.made.transitions.push(finishing);
            return;
        };
        let next = Value::Next(line);
        let others = (0..self.order.lines.len()).filter(|other| *other != line).map(Value::Counter);
        let others: Vec<Value> = others.collect();
        let compare = |relation| others.iter().map(move |other| Guard::Compare(next, relation, *other));
        let bound = self.bounds.min.filter(|min| *min > 0).map(Value::Number);
        let mut together: Vec<Guard> = compare(Relation::Equal).collect();
        together.extend(bound.map(|min| Guard::Compare(next, Relation::AtLeast, min)));
        let mut apart: Vec<Guard> = compare(Relation::Different).collect();
        apart.extend(bound.map(|min| Guard::Compare(next, Relation::Less, min)));
        apart.extend(is_last.opposite());
        together.push(is_last);
        let and = |guard: &Guard, more: Guard| Guard::All(vec![guard.clone(), more]).plain();
        let apart = and(&finishing.guard, Guard::Any(apart));
        let together = and(&finishing.guard, Guard::All(together));
        for (guard, to) in [(apart, finishing.to), (together, recurrent)] {
            if !guard.is_never() {
                self.made.transitions.push(Transition { guard, to, ..finishing.clone() });
            }
        }
    }

    /// Adds the states beside those that tell the history, and the ways to and from them: `is_done` tells in the state
    /// between iterations that none has begun.
    pub fn rest(&mut self, between: usize) -> Rest {
        let mut add = |state| {
            self.made.states.push(state);
            self.made.states.len() - 1
        };
        let is_endless = self.bounds.max.is_none();
        let recurrent = is_endless.then(|| add(State { recurrent: true, ..State::default() }));
        Rest { between, recurrent }
    }

    /// Adds what happens at rest: counters fall back, and the loop may be over.
    pub fn leave(mut self, rest: Rest, is_done: Guard) -> Compact {
        let lines = 0..self.order.lines.len();
        let silent = |from, to, guard, action| Transition { from, to, event: None, guard, action };
        if let Some(recurrent) = rest.recurrent {
            // Counters fall back to the lower bound, beyond which they do not matter; so they stay small
            // unless a lifeline runs ahead.
            let back = Change::To(self.bounds.min.unwrap_or(0));
            let action = lines.clone().map(|line| (line, back)).collect();
            self.made.transitions.push(silent(recurrent, rest.between, Guard::ALWAYS, action));
        }
        if let Some(min) = self.bounds.min {
            self.made.states.push(State { accepting: true, ..State::default() });
            let over = self.made.states.len() - 1;
            let mut parts: Vec<Guard> = lines
                .clone()
                .skip(1)
                .map(|line| Guard::Compare(Value::Counter(0), Relation::Equal, Value::Counter(line)))
                .collect();
            let bound = (min > 0).then_some(Value::Number(min));
            parts.extend(
                lines
                    .take(1)
                    .filter_map(|line| Some(Guard::Compare(Value::Counter(line), Relation::AtLeast, bound?))),
            );
            parts.push(is_done);
            self.made.transitions.push(silent(rest.between, over, Guard::All(parts).plain(), Vec::new()));
        }
        self.made.transitions.sort_by_key(|transition| transition.from);
        self.made
    }
}

impl Guard {
    /// The same with nothing in it that always or never holds, and no list in a list of its kind.
    pub(super) fn plain(self) -> Guard {
        match self {
            Guard::All(parts) => {
                let mut plain = Vec::new();
                for part in parts {
                    match part.plain() {
                        Guard::All(more) => plain.extend(more),
                        never @ Guard::Any(_) if never.is_never() => return never,
                        other => plain.push(other),
                    }
                }
                if plain.len() == 1 { plain.remove(0) } else { Guard::All(plain) }
            }
            Guard::Any(parts) => {
                let mut plain = Vec::new();
                for part in parts {
                    match part.plain() {
                        Guard::Any(more) => plain.extend(more),
                        always if always == Guard::ALWAYS => return Guard::ALWAYS,
                        other => plain.push(other),
                    }
                }
                if plain.len() == 1 { plain.remove(0) } else { Guard::Any(plain) }
            }
            Guard::Bit(..) | Guard::Compare(..) => self,
        }
    }

    /// For bits alone: the opposite of each, any of which makes all of them false.
    fn opposite(&self) -> Vec<Guard> {
        match self {
            Guard::All(parts) => parts.iter().flat_map(Guard::opposite).collect(),
            Guard::Bit(bit, is_set) => vec![Guard::Bit(*bit, !is_set)],
            Guard::Any(_) | Guard::Compare(..) => Vec::new(),
        }
    }
}
