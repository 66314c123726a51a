//! The minimal automaton: merges states that accept the same traces.
//!
//! Two partitions are refined in turn: blocks of states, and bunches of transitions with the same event into the same
//! block. A bunch splits blocks into states that have a transition of it and those that have none; a block splits bunches
//! into transitions that lead into it and those that do not. Missing transitions need no sink, and the time is
//! proportional to the number of transitions but for a logarithm (A. Valmari, "Fast brief practical DFA minimization",
//! Information Processing Letters 112, 2012).

use std::collections::BTreeMap;

use sequent_kernel::automaton::{Automaton, AutomatonState};

use super::{AutomatonArrow, grouped, prune, single};

/// The automaton with the fewest states and the same traces; states that lead to no end are left out.
pub fn minimal(automaton: &Automaton) -> Automaton {
    let automaton = prune(automaton);
    let arrows: Vec<AutomatonArrow<'_>> = single(&automaton).collect();
    let block_of = blocks(&automaton, &arrows);
    // Blocks are named in the order in which their first state comes.
    let mut names: BTreeMap<usize, usize> = BTreeMap::new();
    let mut states: Vec<AutomatonState> = Vec::new();
    for (state, block) in automaton.states.iter().zip(&block_of) {
        names.entry(*block).or_insert_with(|| {
            states.push(state.clone());
            states.len() - 1
        });
    }
    let name = |state: usize| names[&block_of[state]];
    let arrows = arrows.iter().map(|(from, to, event)| (name(*from), name(*to), *event)).collect();
    Automaton { edges: grouped(arrows), states, sets: automaton.sets }
}

/// For each state the number of its block.
fn blocks(automaton: &Automaton, arrows: &[AutomatonArrow<'_>]) -> Vec<usize> {
    let states = &automaton.states;
    let mut blocks = Partition::by(states.len(), |state| (states[state].accepting, &states[state].recurrent));
    let mut bunches = Partition::by(arrows.len(), |arrow| arrows[arrow].2);
    let mut incoming: Vec<Vec<usize>> = vec![Vec::new(); states.len()];
    for (arrow, (_, to, _)) in arrows.iter().enumerate() {
        incoming[*to].push(arrow);
    }
    // All blocks together split no bunch, so one of them may be passed over.
    let (mut block, mut bunch) = (1, 0);
    while bunch < bunches.len() {
        for arrow in bunches.of(bunch).to_vec() {
            blocks.mark(arrows[arrow].0);
        }
        blocks.split();
        bunch += 1;
        while block < blocks.len() {
            for state in blocks.of(block).to_vec() {
                incoming[state].iter().for_each(|arrow| bunches.mark(*arrow));
            }
            bunches.split();
            block += 1;
        }
    }
    blocks.class
}

/// A partition of the numbers below some bound that can be made finer.
struct Partition {
    /// The elements, those of a class behind each other.
    elements: Vec<usize>,
    /// Where each element stands.
    place: Vec<usize>,
    /// The class of each element.
    class: Vec<usize>,
    /// For each class where it begins, ends, and how many marked elements it begins with.
    classes: Vec<[usize; 3]>,
    /// Classes with a marked element.
    touched: Vec<usize>,
}

impl Partition {
    /// Elements with the same key are in the same class.
    fn by<K: Ord>(count: usize, key: impl Fn(usize) -> K) -> Self {
        let mut elements: Vec<usize> = (0..count).collect();
        elements.sort_by_key(|element| key(*element));
        let mut partition = Partition {
            place: vec![0; count],
            class: vec![0; count],
            classes: Vec::new(),
            touched: Vec::new(),
            elements,
        };
        let mut start = 0;
        for (at, element) in partition.elements.iter().enumerate() {
            partition.place[*element] = at;
            partition.class[*element] = partition.classes.len();
            let next = partition.elements.get(at + 1);
            if next.is_none_or(|next| key(*next) != key(*element)) {
                partition.classes.push([start, at + 1, 0]);
                start = at + 1;
            }
        }
        partition
    }

    fn len(&self) -> usize {
        self.classes.len()
    }

    fn of(&self, class: usize) -> &[usize] {
        let [start, end, _] = self.classes[class];
        &self.elements[start..end]
    }

    /// Marks an element, once.
    fn mark(&mut self, element: usize) {
        let class = self.class[element];
        let [start, _, marked] = &mut self.classes[class];
        let (from, to) = (self.place[element], *start + *marked);
        if from < to {
            return;
        }
        if *marked == 0 {
            self.touched.push(class);
        }
        *marked += 1;
        let other = self.elements[to];
        self.elements.swap(from, to);
        (self.place[element], self.place[other]) = (to, from);
    }

    /// Divides marked from unmarked elements; the smaller part becomes a new class.
    fn split(&mut self) {
        while let Some(class) = self.touched.pop() {
            let [start, end, marked] = self.classes[class];
            let middle = start + marked;
            self.classes[class][2] = 0;
            if middle == end {
                continue;
            }
            let (kept, new) = if marked <= end - middle {
                ([middle, end, 0], start..middle)
            } else {
                ([start, middle, 0], middle..end)
            };
            self.classes[class] = kept;
            let number = self.classes.len();
            self.classes.push([new.start, new.end, 0]);
            self.elements[new].iter().for_each(|element| self.class[*element] = number);
        }
    }
}
