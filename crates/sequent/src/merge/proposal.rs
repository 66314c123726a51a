//! Proposals: what would let additions fit that do not. Each is tried before it is made.

use super::explain::{Added, Explainer};
use super::fewest::fewest;
use super::order::{Item, Side, Slot, SymbolId, ThreadId};

/// No more proposals of a kind.
pub(super) const MOST_PROPOSALS: usize = 3;

impl Explainer<'_> {
    /// The fewest elements without which there is a merge.
    pub(super) fn omissions(&self) -> Vec<String> {
        let fewest = fewest(&self.scene.problem, MOST_PROPOSALS).unwrap_or_default();
        let told = |left_out: &Vec<Added>| {
            let name = |one: &Added| format!("`{}` ({})", self.name(*one), word(one.side));
            format!("leave out {}", left_out.iter().map(name).collect::<Vec<_>>().join(" and "))
        };
        fewest.iter().filter(|left_out| !left_out.is_empty()).map(told).collect()
    }

    /// One element that could stand elsewhere in its addition, or in another place where something was added.
    pub(super) fn moves(&self) -> Vec<String> {
        let mut found = Vec::new();
        for one in self.added() {
            if self.is_spent() {
                break;
            }
            let item = self.item(one).clone();
            let mut rest = self.without(&[one]);
            for slot in 0..rest.slots.len() {
                let Some(length) = length(&rest.slots[slot], one.side) else { continue };
                for number in 0..=length {
                    if (slot, number) == (one.slot, one.number) || found.len() == MOST_PROPOSALS {
                        continue;
                    }
                    insert(&mut rest.slots[slot], one.side, number, item.clone());
                    if self.is_possible(&rest) {
                        found.push(self.told_move(one, slot, number));
                    }
                    remove(&mut rest.slots[slot], one.side, number);
                }
            }
        }
        found.truncate(MOST_PROPOSALS);
        found
    }

    pub(super) fn told_move(&self, one: Added, slot: usize, number: usize) -> String {
        let names: Vec<&String> = self.scene.names[slot][one.side as usize]
            .iter()
            .enumerate()
            .filter(|(at, _)| (slot, *at) != (one.slot, one.number))
            .map(|(_, name)| name)
            .collect();
        let place = match (number.checked_sub(1).and_then(|at| names.get(at)), names.get(number)) {
            (Some(before), _) => format!("after `{before}`"),
            (None, Some(after)) => format!("before `{after}`"),
            (None, None) => "to another place".to_owned(),
        };
        format!("move `{}` ({}) {place}", self.name(one), word(one.side))
    }

    /// One transition that would make a merge possible; those that leave the state are proposed last.
    pub(super) fn transitions(&self) -> Vec<String> {
        let mut found = Vec::new();
        for thread in self.scene.problem.threads.ids().collect::<Vec<_>>() {
            let count = self.limit(thread).states.len();
            for symbol in self.symbols(thread) {
                let pairs = (0..count).map(|state| (state, state));
                let others = (0..count)
                    .flat_map(|from| (0..count).map(move |to| (from, to)))
                    .filter(|(from, to)| from != to);
                for (from, to) in pairs.chain(others) {
                    if found.len() == MOST_PROPOSALS || self.is_spent() {
                        return found;
                    }
                    let mut changed = self.scene.problem.clone();
                    changed.threads[thread].moves[symbol][from].insert(to);
                    if self.is_possible(&changed) {
                        let limit = self.limit(thread);
                        let name = |state: usize| self.state(limit.machine, limit, state);
                        let trigger = self.trigger(thread, symbol);
                        let machine = &self.stage.reading.model.machines[limit.machine];
                        let line = self.stage.line(machine.vertices[limit.states[from]].place.0);
                        found.push(format!(
                            "give `{}` a transition {} --> {} : {trigger} ({line})",
                            machine.name,
                            name(from),
                            name(to)
                        ));
                    }
                }
            }
        }
        found
    }

    /// The symbols that messages of the sides make a lifeline read.
    pub(super) fn symbols(&self, thread: ThreadId) -> Vec<SymbolId> {
        let mut symbols: Vec<SymbolId> = Vec::new();
        for one in self.added() {
            for (own, symbol) in self.item(one) {
                if *own == thread && !symbols.contains(symbol) && self.item(one).len() == 1 {
                    symbols.push(*symbol);
                }
            }
        }
        symbols
    }

    /// The name of the message behind a symbol.
    pub(super) fn trigger(&self, thread: ThreadId, symbol: SymbolId) -> String {
        let named = self.added().into_iter().find(|one| self.item(*one) == &[(thread, symbol)]);
        let text = named.map(|one| self.name(one).to_owned()).unwrap_or_default();
        text.split_once(':').map(|(_, name)| name.to_owned()).unwrap_or(text)
    }
}

pub(super) fn word(side: Side) -> &'static str {
    match side {
        Side::Ours => "ours",
        Side::Theirs => "theirs",
    }
}

fn length(slot: &Slot, side: Side) -> Option<usize> {
    match (slot, side) {
        (Slot::Fixed(_), _) => None,
        (Slot::Gap { ours, .. }, Side::Ours) => Some(ours.len()),
        (Slot::Gap { theirs, .. }, Side::Theirs) => Some(theirs.len()),
    }
}

fn insert(slot: &mut Slot, side: Side, number: usize, item: Item) {
    if let Slot::Gap { ours, theirs } = slot {
        let items = if side == Side::Ours { ours } else { theirs };
        items.insert(number, item);
    }
}

fn remove(slot: &mut Slot, side: Side, number: usize) {
    if let Slot::Gap { ours, theirs } = slot {
        let items = if side == Side::Ours { ours } else { theirs };
        items.remove(number);
    }
}

/// All choices of so many elements, one after the other.
pub(super) fn subsets<T: Copy>(all: &[T], count: usize) -> impl Iterator<Item = Vec<T>> {
    let mut chosen: Option<Vec<usize>> = (count <= all.len()).then(|| (0..count).collect());
    std::iter::from_fn(move || {
        let now = chosen.take()?;
        let mut next = now.clone();
        // The last one that can go further does, and those behind it follow at once.
        let last = (0..count).rev().find(|at| now[*at] < all.len() - (count - at));
        if let Some(last) = last {
            let first = now[last] + 1;
            (last..count).for_each(|at| next[at] = first + at - last);
            chosen = Some(next);
        }
        Some(now.iter().map(|at| all[*at]).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_come_once_each() {
        assert_eq!(subsets(&[1, 2, 3, 4], 2).count(), 6);
        assert_eq!(subsets(&[1, 2, 3], 2).collect::<Vec<_>>(), [[1, 2], [1, 3], [2, 3]]);
        assert_eq!(subsets(&[1, 2], 0).count(), 1);
        assert_eq!(subsets(&[1, 2], 3).count(), 0);
    }
}
