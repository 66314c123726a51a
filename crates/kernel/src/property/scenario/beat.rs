//! The events of one step of a run, read in any order (P4: the effects of a transition are a set).

use std::ops::Range;

use super::SoughtScenario;
use super::follow::ConditionBits;
use super::order::in_any_order;
use super::witness::WitnessPath;
use crate::property::Moment;

impl SoughtScenario {
    /// The positions of a run from one on, those of a step that is read in any order together. Where attempts end amid a step, it is told in the order that
    /// the run shows.
    pub(super) fn beats(&self, moments: &[Moment], from: usize) -> Vec<Range<usize>> {
        let mut beats = Vec::new();
        let mut first = from;
        for (position, moment) in moments.iter().enumerate().skip(from) {
            if !self.reads_sets || self.reads_parts || !self.is_amid(*moment) {
                beats.push(first..position + 1);
                first = position + 1;
            }
        }
        beats
    }

    /// The ways after the positions of a beat.
    pub(super) fn after(
        &self,
        ways: Vec<WitnessPath>,
        moments: &[Moment],
        bits: &[ConditionBits],
        beat: &Range<usize>,
    ) -> Vec<WitnessPath> {
        let now = bits[beat.end - 1];
        let read = |ways: Vec<WitnessPath>, at: usize| {
            self.onwards(ways, moments[beat.start + at], now, beat.start + at)
        };
        let join = |mut ways: Vec<WitnessPath>, more: Vec<WitnessPath>| {
            for way in more {
                if ways.iter().all(|(known, _)| *known != way.0) {
                    ways.push(way);
                }
            }
            ways
        };
        let mut ways = in_any_order(beat.len(), ways, read, join);
        ways.iter_mut().for_each(|(_, taken)| taken.sort_unstable());
        ways
    }
}
