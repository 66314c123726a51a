//! Which positions of a run form a match. Where one begins is found by sets; then it is told by following single ways through the interaction, position by
//! position, so that what was found by sets is judged once more.

use std::collections::{BTreeSet, HashMap};

use super::follow::ConditionBits;
use super::forever::Thread;
use super::{Forever, SoughtScenario};
use crate::model::Anchor;
use crate::property::pattern::Configs;
use crate::property::{Marks, Moment, Observer, all_marks};
use crate::system::{Config, TermId};

/// A path through the interaction: its configuration, and the positions whose events it took.
pub(super) type WitnessPath = (Config, Vec<usize>);

impl SoughtScenario {
    /// The positions of the events that form the first match of a run, if there is one. `holds` tells what is true at a
    /// position; position 0 is the start.
    pub fn witness(
        &self,
        moments: &[Moment],
        holds: &mut dyn FnMut(usize, TermId) -> bool,
    ) -> Option<Vec<usize>> {
        let bits = self.all_bits(moments, holds);
        let last = match self.anchor {
            Anchor::Anywhere => moments.len(),
            Anchor::Start => moments.len().min(1),
        };
        let mut best: Option<(usize, usize)> = None;
        for start in 0..last {
            let limit = best.map_or(moments.len(), |(end, _)| end);
            let end = self.end(&moments[..limit], &bits, start);
            best = end.map(|end| (end, start)).or(best);
        }
        self.attempt(moments, &bits, best?.1)
    }

    /// The same for a match that begins as late as one can.
    pub fn last_witness(
        &self,
        moments: &[Moment],
        holds: &mut dyn FnMut(usize, TermId) -> bool,
    ) -> Option<Vec<usize>> {
        let bits = self.all_bits(moments, holds);
        let start = (0..moments.len()).rev().find(|start| self.end(moments, &bits, *start).is_some())?;
        self.attempt(moments, &bits, start)
    }

    fn all_bits(
        &self,
        moments: &[Moment],
        holds: &mut dyn FnMut(usize, TermId) -> bool,
    ) -> Vec<ConditionBits> {
        (0..moments.len()).map(|position| self.bits(&mut |term| holds(position, term))).collect()
    }

    /// The position at which an attempt is complete that begins at a position.
    fn end(&self, moments: &[Moment], bits: &[ConditionBits], start: usize) -> Option<usize> {
        let mut position = start;
        let begin = *moments.get(start)?;
        let mut set = self.begun(begin, bits[start]);
        while !self.is_matched(set, moments[position]) {
            position += 1;
            set = self.next(set, *moments.get(position)?, bits[position])?;
        }
        Some(position)
    }

    /// Whether the interaction goes on forever along a run that is repeated from a position on.
    pub fn goes_on(
        &self,
        moments: &[Moment],
        back: usize,
        holds: &mut dyn FnMut(usize, TermId) -> bool,
    ) -> bool {
        let observer = Forever { scenario: self };
        let next = |position: usize| if position + 1 < moments.len() { position + 1 } else { back };
        // Where the observer may be before it reads a position, and the ways between.
        let mut places: HashMap<(usize, Thread), u32> = HashMap::from([((0, observer.first()), 0)]);
        let mut reached = vec![(0, observer.first())];
        let mut edges: Vec<Vec<(u32, Marks)>> = Vec::new();
        while let Some((position, thread)) = reached.get(edges.len()).cloned() {
            let mut ways = Vec::new();
            let mut here = |term| holds(position, term);
            observer.read(&thread, moments[position], &mut here, &mut ways);
            let mut own = Vec::new();
            for (thread, marks) in ways {
                let place = (next(position), thread);
                let number = *places.entry(place.clone()).or_insert_with(|| {
                    reached.push(place);
                    reached.len() as u32 - 1
                });
                own.push((number, marks));
            }
            edges.push(own);
        }
        has_circle(&edges, all_marks(observer.marks()))
    }

    /// The positions that an attempt takes which begins at a position.
    fn attempt(&self, moments: &[Moment], bits: &[ConditionBits], start: usize) -> Option<Vec<usize>> {
        let mut ways = self.ways(bits[start]);
        let mut position = start;
        loop {
            let configs: Configs = ways.iter().map(|(config, _)| config.clone()).collect();
            if !self.is_amid(moments[position]) && self.is_complete(&configs) {
                let valid = |config: &Config| self.is_complete(&Configs::from([config.clone()]));
                return ways.into_iter().find(|(config, _)| valid(config)).map(|(_, taken)| taken);
            }
            position += 1;
            let (moment, bits) = (moments.get(position)?, bits.get(position)?);
            ways = self.onwards(ways, *moment, *bits, position);
            if ways.is_empty() {
                return None;
            }
        }
    }

    /// The ways on which an attempt begins.
    pub(super) fn ways(&self, bits: ConditionBits) -> Vec<WitnessPath> {
        let first = self.settle([self.pattern.property.system.initial()], bits);
        first.into_iter().map(|config| (config, Vec::new())).collect()
    }

    pub(super) fn onwards(
        &self,
        ways: Vec<WitnessPath>,
        moment: Moment,
        bits: ConditionBits,
        position: usize,
    ) -> Vec<WitnessPath> {
        let mut next: Vec<WitnessPath> = Vec::new();
        for (config, taken) in ways {
            let configs = Configs::from([config]);
            let mut push = |configs: Configs, taken: &Vec<usize>| {
                for config in configs {
                    // Of several ways to the same the first is as good as any.
                    if next.iter().all(|(known, _)| *known != config) {
                        next.push((config, taken.clone()));
                    }
                }
            };
            match moment {
                Moment::Event(event) => {
                    let with: Vec<usize> = taken.iter().copied().chain([position]).collect();
                    push(self.taken(&configs, event, bits), &with);
                    push(self.passed(&configs, event, bits), &taken);
                }
                Moment::Start | Moment::Silent | Moment::End | Moment::Stuck => {
                    push(self.settle(configs, bits), &taken);
                }
            }
        }
        next
    }
}

/// Whether some cycle has every mark. The graph is that of one run: small enough to search from each node.
fn has_circle(edges: &[Vec<(u32, Marks)>], all: Marks) -> bool {
    let reach = |from: u32| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(node) = open.pop() {
            for (to, _) in &edges[node as usize] {
                if seen.insert(*to) {
                    open.push(*to);
                }
            }
        }
        seen
    };
    let reached: Vec<BTreeSet<u32>> = (0..edges.len() as u32).map(reach).collect();
    (0..edges.len() as u32).any(|node| {
        // All that leads from the node to itself.
        let is_inside =
            |other: &u32| reached[node as usize].contains(other) && reached[*other as usize].contains(&node);
        let inside = (0..edges.len() as u32).filter(is_inside);
        let marks = inside.flat_map(|from| edges[from as usize].iter().filter(|(to, _)| is_inside(to)));
        reached[node as usize].contains(&node) && marks.fold(0, |seen, (_, marks)| seen | marks) & all == all
    })
}
