//! Classes of moments: events that no atom of a formula tells apart are one letter.

use std::collections::{BTreeSet, HashMap};

use super::bind::{BoundFormula, Moments, Says, number};
use super::bits::Bits;
use crate::property::Moment;

/// The class of the start, which happens once, first.
pub(super) const START: usize = 0;
/// The class of the end, which happens for ever once it does.
pub(super) const END: usize = 1;
/// The class of being stuck, which happens for ever once it does.
pub(super) const STUCK: usize = 2;
/// How many classes are no events.
const SPECIAL: usize = 3;

/// Which moments are alike to a formula.
#[derive(Clone, Debug)]
pub(super) struct MomentClasses {
    of_moment: Vec<usize>,
    count: usize,
}

impl MomentClasses {
    pub(crate) fn new(bound: &BoundFormula) -> Self {
        let sets: BTreeSet<&Moments> = bound.parts().iter().filter_map(|part| moments(&part.says)).collect();
        let mut known: HashMap<Vec<bool>, usize> = HashMap::new();
        let mut of_moment = vec![START, END, STUCK];
        let silent = number(Moment::Silent);
        for moment in silent..bound.moments() {
            // An automaton without state predicates never reads a silent change.
            if moment == silent && bound.terms().is_empty() {
                of_moment.push(STUCK);
                continue;
            }
            let next = known.len() + SPECIAL;
            let signature = sets.iter().map(|set| set.0.contains(moment)).collect();
            of_moment.push(*known.entry(signature).or_insert(next));
        }
        MomentClasses { count: known.len() + SPECIAL, of_moment }
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn of(&self, moment: Moment) -> usize {
        self.of_moment[number(moment)]
    }

    /// The classes of the moments in a set.
    pub(crate) fn bits(&self, moments: &Moments) -> Bits {
        let mut bits = Bits::none(self.count);
        let inside = self.of_moment.iter().enumerate().filter(|(number, _)| moments.0.contains(*number));
        inside.for_each(|(_, class)| bits.insert(*class));
        bits
    }
}

fn moments(says: &Says) -> Option<&Moments> {
    match says {
        Says::Moments(moments) => Some(moments),
        Says::Constant(_) | Says::Holds(_) | Says::Unary(..) | Says::Binary(..) => None,
    }
}
