//! Arranging: which messages of a run can be drawn as one arrow, and in which order.
//!
//! A diagram has no clock: all that it shows is the order on each lifeline. So the sending and the receipt of a message may
//! move to one height whenever nothing has to lie between them, that is, unless a way leads from the one to the other
//! through the lifelines and the arrows already drawn. Messages whose ends are close together in the run come first: of two
//! that cross, the one that took longer is drawn in two halves. Rows then follow in the order of the run as far as the
//! lifelines allow.
//!
//! Some occurrences may be told to stand where they happened: what came before them is drawn above, what came after below,
//! whatever lifeline it is on. A message that was on its way meanwhile is then drawn in two halves.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use sequent_kernel::system::ComponentId;

use super::occurrences::RunOccurrence;

/// One row of the drawing; numbers are positions of occurrences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DrawnRow {
    /// A message as one arrow.
    Whole(usize, usize),
    /// One occurrence by itself.
    Single(usize),
}

/// Arranges a stretch of a run; `is_fixed` tells which occurrences stand where they happened.
pub(crate) fn arrange(
    all: &[RunOccurrence],
    stretch: Range<usize>,
    is_fixed: impl Fn(&RunOccurrence) -> bool,
) -> Vec<DrawnRow> {
    let mut plan = RowPlan::of(all, stretch, is_fixed);
    let mut pairs: Vec<(usize, usize)> =
        plan.arrows.iter().map(|(send, receipt)| (*send, *receipt)).collect();
    pairs.sort_by_key(|(send, receipt)| (receipt - send, *send));
    for (send, receipt) in pairs {
        // Neighbours can always be joined: so far only neighbours were.
        if receipt == send + 1 || plan.make_room(send, receipt) {
            plan.joined.insert(send, receipt);
            plan.joined.insert(receipt, send);
        }
    }
    plan.rows()
}

struct RowPlan {
    stretch: Range<usize>,
    /// What follows each occurrence on its lifelines.
    next: BTreeMap<usize, Vec<usize>>,
    /// Receipts by their sendings, where both lie in the stretch.
    arrows: BTreeMap<usize, usize>,
    /// The other end of messages that are drawn as one arrow.
    joined: BTreeMap<usize, usize>,
    /// All occurrences in an order in which each comes before what follows it, and those that are drawn together side by side.
    order: Vec<usize>,
    /// Their places there, by their position in the stretch.
    places: Vec<usize>,
}

impl RowPlan {
    fn of(all: &[RunOccurrence], stretch: Range<usize>, is_fixed: impl Fn(&RunOccurrence) -> bool) -> Self {
        let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut last: BTreeMap<ComponentId, usize> = BTreeMap::new();
        let mut arrows = BTreeMap::new();
        // What is said keeps its place on its lifeline only; these are the last that are seen.
        let mut last_seen: BTreeMap<ComponentId, usize> = BTreeMap::new();
        // The last fixed occurrence, and the lifelines that have gone on since.
        let mut fixed: Option<usize> = None;
        let mut moved: BTreeSet<ComponentId> = BTreeSet::new();
        for number in stretch.clone() {
            let is_seen = all[number].event().is_some();
            if is_fixed(&all[number]) {
                last_seen.values().for_each(|before| next.entry(*before).or_default().push(number));
                (fixed, moved) = (Some(number), BTreeSet::new());
            } else if let Some(fixed) = fixed.filter(|_| is_seen) {
                let is_first = all[number].lifelines.iter().any(|lifeline| moved.insert(*lifeline));
                next.entry(fixed).or_default().extend(is_first.then_some(number));
            }
            for lifeline in &all[number].lifelines {
                if let Some(before) = last.insert(*lifeline, number) {
                    next.entry(before).or_default().push(number);
                }
                last_seen.extend(is_seen.then_some((*lifeline, number)));
            }
            let receipt = all[number].partner.filter(|other| *other > number && stretch.contains(other));
            arrows.extend(receipt.map(|receipt| (number, receipt)));
        }
        let (order, places) = (stretch.clone().collect(), (0..stretch.len()).collect());
        RowPlan { stretch, next, arrows, joined: BTreeMap::new(), order, places }
    }

    fn place(&self, number: usize) -> usize {
        self.places[number - self.stretch.start]
    }

    /// What comes directly after an occurrence and whatever is drawn with it.
    fn after(&self, number: usize) -> Vec<usize> {
        let group = [Some(number), self.joined.get(&number).copied()];
        let mut after = Vec::new();
        for one in group.into_iter().flatten() {
            after.extend(self.next.get(&one).into_iter().flatten());
            after.extend(self.arrows.get(&one));
        }
        after.retain(|other| !group.contains(&Some(*other)));
        after
    }

    /// Lets a sending and its receipt stand side by side; `false` if something has to lie between them.
    fn make_room(&mut self, send: usize, receipt: usize) -> bool {
        let Some(after) = self.after_sending(send, receipt) else { return false };
        let (first, last) = (self.place(send), self.place(receipt));
        let between: Vec<usize> =
            self.order[first..=last].iter().copied().filter(|one| ![send, receipt].contains(one)).collect();
        let (late, early): (Vec<usize>, Vec<usize>) =
            between.into_iter().partition(|one| after.contains(one));
        for (at, number) in early.into_iter().chain([send, receipt]).chain(late).enumerate() {
            self.order[first + at] = number;
            self.places[number - self.stretch.start] = first + at;
        }
        true
    }

    /// What follows a sending up to the place of its receipt; `None` if the receipt does, other than directly.
    fn after_sending(&self, send: usize, receipt: usize) -> Option<BTreeSet<usize>> {
        let last = self.place(receipt);
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        let direct = |other: &usize| *other != receipt;
        let mut open: Vec<usize> = self.after(send).into_iter().filter(direct).collect();
        while let Some(number) = open.pop() {
            if number == receipt {
                return None;
            }
            // What comes later leads to nothing that comes before.
            if self.place(number) < last && seen.insert(number) {
                seen.extend(self.joined.get(&number));
                open.extend(self.after(number));
            }
        }
        Some(seen)
    }

    /// The position that stands for an occurrence and whatever is drawn with it.
    fn head(&self, number: usize) -> usize {
        self.joined.get(&number).map_or(number, |other| number.min(*other))
    }

    /// Rows in the order of the run, each as soon as everything before it on its lifelines is drawn.
    fn rows(&self) -> Vec<DrawnRow> {
        let heads: Vec<usize> = self.stretch.clone().filter(|number| self.head(*number) == *number).collect();
        let mut missing: BTreeMap<usize, usize> = heads.iter().map(|head| (*head, 0)).collect();
        for head in &heads {
            for after in self.after(*head) {
                *missing.entry(self.head(after)).or_default() += 1;
            }
        }
        let free = missing.iter().filter(|(_, count)| **count == 0).map(|(head, _)| *head);
        let mut ready: BTreeSet<usize> = free.collect();
        let mut rows = Vec::new();
        while let Some(head) = ready.pop_first() {
            rows.push(match self.joined.get(&head) {
                Some(receipt) => DrawnRow::Whole(head, *receipt),
                None => DrawnRow::Single(head),
            });
            for after in self.after(head) {
                let after = self.head(after);
                let count = missing.entry(after).or_default();
                *count -= 1;
                if *count == 0 {
                    ready.insert(after);
                }
            }
        }
        rows
    }
}
