//! Which positions of a run form a match: told by following single ways through the interaction, position by position, so
//! that what was found by sets is judged once more.

use super::Scenario;
use super::follow::Bits;
use crate::model::Anchor;
use crate::property::Moment;
use crate::property::pattern::Configs;
use crate::system::{Config, TermId};

/// A way through the interaction: where it is, and the positions whose events it took.
type Way = (Config, Vec<usize>);

impl Scenario {
    /// The positions of the events that form the first match of a run, if there is one. `holds` tells what is true at a
    /// position; position 0 is the start. An attempt begins at `from` or, if the anchor allows, later.
    pub fn witness(
        &self,
        moments: &[Moment],
        from: usize,
        holds: &mut dyn FnMut(usize, TermId) -> bool,
    ) -> Option<Vec<usize>> {
        let bits: Vec<Bits> =
            (0..moments.len()).map(|position| self.bits(&mut |term| holds(position, term))).collect();
        let last = match self.anchor {
            Anchor::Anywhere => moments.len(),
            Anchor::Start => moments.len().min(from + 1),
        };
        (from..last)
            .filter_map(|start| self.attempt(moments, &bits, start))
            .min_by_key(|found| found.last().copied())
    }

    /// The positions that an attempt takes which begins at a position.
    fn attempt(&self, moments: &[Moment], bits: &[Bits], start: usize) -> Option<Vec<usize>> {
        let first = self.settle([self.pattern.property.system.initial()], bits[start]);
        let mut ways: Vec<Way> = first.into_iter().map(|config| (config, Vec::new())).collect();
        let mut position = start;
        loop {
            let configs: Configs = ways.iter().map(|(config, _)| config.clone()).collect();
            if self.is_complete(&configs) {
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

    fn onwards(&self, ways: Vec<Way>, moment: Moment, bits: Bits, position: usize) -> Vec<Way> {
        let mut next: Vec<Way> = Vec::new();
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
