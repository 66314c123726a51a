//! How far a scenario gets along a run that has no match: the attempt that takes most events, what ends it, and what it lacked.

use super::follow::ConditionBits;
use super::{SoughtScenario, Stance};
use crate::model::Anchor;
use crate::property::Moment;
use crate::property::pattern::Configs;
use crate::system::{EventId, TermId, TraceClass};

/// An attempt that comes to nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// The positions whose events it took.
    pub taken: Vec<usize>,
    /// The position that ended it; `None` if it was still waiting when the run was over.
    pub ended: Option<usize>,
    /// The events that would have had to come next, as the scenario writes them.
    pub expected: Vec<String>,
    /// The conditions that it waited for.
    pub barriers: Vec<Barrier>,
    /// What the events that it took are by themselves.
    pub standing: AttemptStatus,
}

/// What has happened of a scenario in an attempt.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AttemptStatus {
    /// A part of it: more must come.
    Part,
    /// All of it; but the step shows more that matters.
    Whole,
    /// What it forbids: it runs through a `neg` (rule I12).
    Forbidden,
}

/// A condition about objects that does not hold where an attempt could go on if it did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Barrier {
    /// The condition as it is written.
    pub text: String,
    /// What it is in the system.
    pub term: TermId,
}

impl SoughtScenario {
    /// The attempt that takes most events of a run without a match, of those that begin where `begins` says so. Position 0 is
    /// the start; `holds` tells what is true at a position.
    pub fn furthest(
        &self,
        moments: &[Moment],
        begins: &dyn Fn(usize) -> bool,
        holds: &mut dyn FnMut(usize, TermId) -> bool,
    ) -> Option<Attempt> {
        let bits: Vec<ConditionBits> =
            (0..moments.len()).map(|position| self.bits(&mut |term| holds(position, term))).collect();
        let last = if self.anchor == Anchor::Start { 1 } else { moments.len() };
        let mut best: Option<Attempt> = None;
        let is_between = |start: &usize| !self.is_amid(moments[*start]);
        for start in (0..last.min(moments.len())).filter(is_between).filter(|start| begins(*start)) {
            let attempt = self.broken(moments, &bits, start);
            if best.as_ref().is_none_or(|best| best.taken.len() < attempt.taken.len()) {
                best = Some(attempt);
            }
        }
        best
    }

    /// The first attempt along a run whose `assert` is due and does not follow.
    pub fn unmet(&self, moments: &[Moment], holds: &mut dyn FnMut(usize, TermId) -> bool) -> Option<Attempt> {
        let bits: Vec<ConditionBits> =
            (0..moments.len()).map(|position| self.bits(&mut |term| holds(position, term))).collect();
        let last = if self.anchor == Anchor::Start { 1 } else { moments.len() };
        let mut starts = (0..last.min(moments.len())).filter(|start| !self.is_amid(moments[*start]));
        starts.find_map(|start| {
            let mut ways = self.ways(bits[start]);
            for beat in self.beats(moments, start + 1) {
                ways = self.after(ways, moments, &bits, &beat);
                let (due, early) = ways.into_iter().partition(|(config, _)| self.is_due(config));
                if let Some(attempt) = self.unanswered(due, moments, &bits, beat.end - 1) {
                    return Some(attempt);
                }
                ways = early;
            }
            None
        })
    }

    /// An attempt that is due at a position and comes to nothing.
    fn unanswered(
        &self,
        mut ways: Vec<super::witness::WitnessPath>,
        moments: &[Moment],
        bits: &[ConditionBits],
        due: usize,
    ) -> Option<Attempt> {
        let is_met = |ways: &[super::witness::WitnessPath], position: usize| {
            let configs: Configs = ways.iter().map(|(config, _)| config.clone()).collect();
            configs.is_empty() || !self.is_amid(moments[position]) && self.is_complete(&configs)
        };
        if is_met(&ways, due) {
            return None;
        }
        for beat in self.beats(moments, due + 1) {
            let next = self.after(ways.clone(), moments, bits, &beat);
            if next.is_empty() {
                return Some(self.left(ways, Some(beat.start), bits[beat.start - 1]));
            }
            ways = next;
            if is_met(&ways, beat.end - 1) {
                return None;
            }
        }
        Some(self.left(ways, None, bits.last().copied().unwrap_or_default()))
    }

    fn broken(&self, moments: &[Moment], bits: &[ConditionBits], start: usize) -> Attempt {
        let mut ways = self.ways(bits[start]);
        for beat in self.beats(moments, start + 1) {
            let next = self.after(ways.clone(), moments, bits, &beat);
            if next.is_empty() {
                return self.left(ways, Some(beat.start), bits[beat.start - 1]);
            }
            ways = next;
        }
        self.left(ways, None, bits.last().copied().unwrap_or_default())
    }

    fn left(
        &self,
        ways: Vec<super::witness::WitnessPath>,
        ended: Option<usize>,
        bits: ConditionBits,
    ) -> Attempt {
        let most = ways.iter().map(|(_, taken)| taken.len()).max().unwrap_or_default();
        let best = ways.into_iter().filter(|(_, taken)| taken.len() == most);
        let (configs, taken): (Configs, Vec<Vec<usize>>) = best.unzip();
        let (expected, barriers) = (self.next_texts(&configs), self.barriers(&configs, bits));
        let standing = self.standing(&configs);
        let taken = taken.into_iter().next().unwrap_or_default();
        Attempt { taken, ended, expected, barriers, standing }
    }

    /// What has happened of it in a stance.
    pub fn stands(&self, stance: &Stance) -> AttemptStatus {
        match stance {
            Stance::Unborn => AttemptStatus::Part,
            Stance::Matched => AttemptStatus::Whole,
            Stance::Open(set) | Stance::Trying(set) => self.standing(&self.configs(*set)),
        }
    }

    fn standing(&self, configs: &Configs) -> AttemptStatus {
        let classes: Vec<TraceClass> =
            configs.iter().filter_map(|config| self.pattern.class(config)).collect();
        match (classes.contains(&TraceClass::Invalid), classes.contains(&TraceClass::Valid)) {
            (true, _) => AttemptStatus::Forbidden,
            (false, true) => AttemptStatus::Whole,
            (false, false) => AttemptStatus::Part,
        }
    }

    /// The conditions that an attempt waits for in a state.
    pub fn waits_for(&self, stance: &Stance, holds: &mut dyn FnMut(TermId) -> bool) -> Vec<Barrier> {
        match stance {
            Stance::Unborn | Stance::Matched => Vec::new(),
            Stance::Open(set) | Stance::Trying(set) => self.barriers(&self.configs(*set), self.bits(holds)),
        }
    }

    /// Whether an event ends an attempt: it matters, and is not the next.
    pub fn is_ended_by(
        &self,
        stance: &Stance,
        event: EventId,
        holds: &mut dyn FnMut(TermId) -> bool,
    ) -> bool {
        match stance {
            Stance::Unborn | Stance::Matched => false,
            Stance::Open(set) | Stance::Trying(set) => {
                self.next(*set, Moment::Event(event), self.bits(holds)).is_none()
            }
        }
    }

    /// The events that may come next, as the scenario writes them.
    pub(super) fn next_texts(&self, configs: &Configs) -> Vec<String> {
        match self.meets {
            true => self.pattern.next_meetings(configs),
            false => self.pattern.next_events(configs),
        }
    }

    fn barriers(&self, configs: &Configs, bits: ConditionBits) -> Vec<Barrier> {
        let now = self.settle(configs.iter().cloned(), bits);
        let leads_on = |place: &usize| {
            bits >> place & 1 == 0 && self.settle(configs.iter().cloned(), bits | 1 << place) != now
        };
        let places = (0..self.inputs.len()).filter(leads_on);
        places.map(|at| Barrier { text: self.texts[at].clone(), term: self.inputs[at] }).collect()
    }
}
