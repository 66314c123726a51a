//! Arrangements: the body of a merged diagram with its choices decided, or decided up to a point.
//!
//! A draft is read once, our additions first; every other merge has the same fragments in another order. What is not decided yet becomes a `par`
//! of what is left of both sides: every merge that begins as decided is one of its interleavings, so that what cannot be done with the `par` can
//! be done by none of them.

use std::collections::BTreeSet;
use std::ops::Range;

use sequent_kernel::model::{
    Block, Combined, Fragment, Frame, Guard, Interaction, LifelineId, Operand, Operator,
};
use sequent_kernel::semantics::event_text;
use sequent_kernel::source::{FileId, Place};

use super::draft::Placed;
use super::order::Side;
use super::stage::place;

/// An element of a choice: its slot, who added it, and its number there.
pub type AtomKey = (usize, Side, usize);

/// Where the elements of choices stand in the text that was read.
pub struct Atoms {
    file: FileId,
    /// By their first bytes.
    ranges: Vec<(Range<usize>, AtomKey)>,
}

/// What one choice consists of: how many elements of each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// The slot of the draft.
    pub slot: usize,
    /// How many we added.
    pub ours: usize,
    /// How many they added.
    pub theirs: usize,
}

impl Size {
    /// How many there are of a side.
    pub fn of(&self, side: Side) -> usize {
        match side {
            Side::Ours => self.ours,
            Side::Theirs => self.theirs,
        }
    }
}

impl Atoms {
    /// The elements of the choices of one diagram.
    pub fn new(file: FileId, placed: &[Placed], choices: &[usize]) -> Self {
        let own = placed.iter().filter(|one| choices.contains(&one.slot));
        let atom =
            |one: &Placed| one.atom.map(|(side, number)| (one.range.clone(), (one.slot, side, number)));
        let mut ranges: Vec<(Range<usize>, AtomKey)> = own.filter_map(atom).collect();
        ranges.sort_by_key(|(range, _)| range.start);
        Atoms { file, ranges }
    }

    /// All elements.
    pub fn keys(&self) -> impl Iterator<Item = AtomKey> {
        self.ranges.iter().map(|(_, key)| *key)
    }

    /// The sizes of choices if only some elements count, in order.
    pub fn sizes(&self, counts: &dyn Fn(AtomKey) -> bool) -> Vec<Size> {
        let mut sizes: Vec<Size> = Vec::new();
        let mut slots: Vec<usize> = self.keys().map(|(slot, ..)| slot).collect();
        slots.sort_unstable();
        slots.dedup();
        for slot in slots {
            let of =
                |side: Side| self.keys().filter(|key| key.0 == slot && key.1 == side && counts(*key)).count();
            sizes.push(Size { slot, ours: of(Side::Ours), theirs: of(Side::Theirs) });
        }
        sizes
    }

    fn of(&self, interaction: &Interaction, fragment: &Fragment) -> Option<AtomKey> {
        let span = place(interaction, fragment).filter(|span| span.file == self.file)?;
        let at = span.start as usize;
        let before = self.ranges.partition_point(|(range, _)| range.start <= at).checked_sub(1)?;
        let (range, key) = &self.ranges[before];
        (at <= range.end).then_some(*key)
    }

    /// What happens in an element, as text; of a block its kind.
    pub fn name(&self, interaction: &Interaction, key: AtomKey) -> String {
        let mut names: Vec<String> = Vec::new();
        let mut block: Option<Range<u32>> = None;
        visit(&interaction.body, &mut |fragment| {
            let span = place(interaction, fragment);
            let is_inside = block.as_ref().zip(span).is_some_and(|(block, span)| block.contains(&span.start));
            if is_inside || self.of(interaction, fragment) != Some(key) {
                return;
            }
            match fragment {
                Fragment::Message(id) => names.push(event_text(interaction, &interaction.messages[*id])),
                Fragment::Use(used) => names.push(format!("ref {}", used.name)),
                Fragment::Combined(combined) => {
                    block = span.map(|span| span.start + 1..span.end);
                    names.push(combined.operator.word().to_owned());
                }
                Fragment::Stop(_)
                | Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        });
        names.join(" ")
    }

    /// The lifelines of an element, or those that receive something in it; `None` for one that may concern any.
    pub fn lifelines(
        &self,
        interaction: &Interaction,
        key: AtomKey,
        is_receipt: bool,
    ) -> Option<BTreeSet<LifelineId>> {
        let mut found = Some(BTreeSet::new());
        visit(&interaction.body, &mut |fragment| {
            if self.of(interaction, fragment) == Some(key) {
                match (fragment, &mut found) {
                    (Fragment::Message(id), Some(lifelines)) => {
                        let message = &interaction.messages[*id];
                        lifelines.extend(message.from.lifeline().filter(|_| !is_receipt));
                        lifelines.extend(message.to.lifeline());
                    }
                    (Fragment::Stop(stop), Some(lifelines)) => {
                        lifelines.insert(stop.lifeline);
                    }
                    (Fragment::Action(action), Some(lifelines)) => {
                        lifelines.insert(action.lifeline);
                    }
                    (Fragment::Invariant(invariant), Some(lifelines)) => {
                        lifelines.extend(&invariant.lifelines);
                    }
                    (Fragment::Use(_) | Fragment::Combined(_), found) => *found = None,
                    (_, None) => {}
                    (
                        Fragment::Execution(_)
                        | Fragment::Note(_)
                        | Fragment::Separator(_)
                        | Fragment::Numbering(_),
                        Some(_),
                    ) => {}
                }
            }
        });
        found
    }

    /// The body of an interaction in which choices are decided as far as `order` goes, choice after choice; elements that do not count are
    /// left out.
    pub fn arranged(
        &self,
        interaction: &Interaction,
        counts: &dyn Fn(AtomKey) -> bool,
        order: &[Side],
    ) -> Block {
        let mut rest = order;
        let mut decided: Vec<(Size, &[Side])> = Vec::new();
        for size in self.sizes(counts) {
            let (own, later) = rest.split_at((size.ours + size.theirs).min(rest.len()));
            decided.push((size, own));
            rest = later;
        }
        let arranger = Arranger { atoms: self, interaction, counts, decided };
        arranger.block(&interaction.body)
    }
}

fn visit<'b>(block: &'b Block, see: &mut dyn FnMut(&'b Fragment)) {
    for fragment in &block.0 {
        see(fragment);
        if let Fragment::Combined(combined) = fragment {
            combined.operands.iter().for_each(|operand| visit(&operand.block, see));
        }
    }
}

/// A choice, and what each of its elements consists of.
type Open = (usize, Vec<(AtomKey, Vec<Fragment>)>);

struct Arranger<'a> {
    atoms: &'a Atoms,
    interaction: &'a Interaction,
    counts: &'a dyn Fn(AtomKey) -> bool,
    /// For each choice the sides in their order, as far as they are known.
    decided: Vec<(Size, &'a [Side])>,
}

impl Arranger<'_> {
    fn block(&self, block: &Block) -> Block {
        let mut done: Vec<Fragment> = Vec::new();
        let mut open: Option<Open> = None;
        for fragment in &block.0 {
            match (self.atoms.of(self.interaction, fragment), &mut open) {
                (Some(key), Some((slot, atoms))) if *slot == key.0 => match atoms.last_mut() {
                    Some((last, fragments)) if *last == key => fragments.push(fragment.clone()),
                    Some(_) | None => atoms.push((key, vec![fragment.clone()])),
                },
                (Some(key), _) => {
                    self.close(open.take(), &mut done);
                    open = Some((key.0, vec![(key, vec![fragment.clone()])]));
                }
                // Bars and notes have no place of their own: they go with what precedes.
                (None, Some((_, atoms))) if fragment.is_drawn_only() => {
                    if let Some((_, fragments)) = atoms.last_mut() {
                        fragments.push(fragment.clone());
                    }
                }
                (None, _) => {
                    self.close(open.take(), &mut done);
                    done.push(self.inside(fragment));
                }
            }
        }
        self.close(open, &mut done);
        Block(done)
    }

    fn inside(&self, fragment: &Fragment) -> Fragment {
        match fragment {
            Fragment::Combined(combined) => {
                let operand =
                    |operand: &Operand| Operand { block: self.block(&operand.block), ..operand.clone() };
                let operands = combined.operands.iter().map(operand).collect();
                Fragment::Combined(Combined { operands, ..combined.clone() })
            }
            Fragment::Message(_)
            | Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Invariant(_)
            | Fragment::Use(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => fragment.clone(),
        }
    }

    /// Puts the elements of a choice in their order.
    fn close(&self, open: Option<Open>, done: &mut Vec<Fragment>) {
        let Some((slot, atoms)) = open else { return };
        let sides =
            self.decided.iter().find(|(size, _)| size.slot == slot).map_or(&[][..], |(_, sides)| sides);
        let mut own: [std::collections::VecDeque<Vec<Fragment>>; 2] = Default::default();
        for (key, fragments) in atoms {
            if (self.counts)(key) {
                own[key.1 as usize].push_back(fragments);
            }
        }
        for side in sides {
            done.extend(own[*side as usize].pop_front().into_iter().flatten());
        }
        let [ours, theirs] = own.map(|rest| rest.into_iter().flatten().collect::<Vec<Fragment>>());
        match ours.is_empty() || theirs.is_empty() {
            true => done.extend(ours.into_iter().chain(theirs)),
            false => done.push(self.par(ours, theirs)),
        }
    }

    fn par(&self, ours: Vec<Fragment>, theirs: Vec<Fragment>) -> Fragment {
        let place: Place = self.interaction.place;
        let operand =
            |fragments| Operand { guard: Guard::Absent, title: None, block: Block(fragments), place };
        let frame = Frame { keyword: "par".to_owned(), title: None, subtitle: None, colour: None };
        let operands = vec![operand(ours), operand(theirs)];
        Fragment::Combined(Combined { operator: Operator::Par, operands, covers: Vec::new(), frame, place })
    }
}
