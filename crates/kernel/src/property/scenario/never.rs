//! The observer of runs that do not match a scenario which may go on forever: no attempt is completed, and
//! none goes on forever.
//!
//! That no path through the interaction rests infinitely often is certified by ranks (O. Kupferman and M. Y.
//! Vardi, "Weak alternating automata are not that weak", 2001). Every path has a rank, which never increases;
//! while it is odd, the path does not rest; an even rank must decrease eventually, or the path ends. Ranks
//! are guessed: one may drop from even to odd at any time. The observer marks the run whenever no path owes
//! such a drop.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::SoughtScenario;
use super::follow::ConditionBits;
use super::missed::{Missed, MissedMemory};
use crate::property::pattern::Configs;
use crate::property::{Marks, Moment, Observer};
use crate::system::{Config, EventId, TermId};

/// Accepts runs without any match, finite or not.
#[derive(Clone, Debug)]
pub struct Never<'s> {
    missed: Missed<'s>,
    /// The rank with which a way begins.
    most: u32,
    /// Whether some guess was not made that could have been.
    is_cut: Cell<bool>,
}

/// What is remembered of a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ranked {
    search: MissedMemory,
    ranks: BTreeMap<Config, u32>,
    /// Paths whose ranks were even at the last mark and still are.
    owing: BTreeSet<Config>,
}

/// With more configurations than this ranks are cut off.
const MOST_CONFIGS: usize = 64;
/// More guesses than this are not made at one position.
const MOST_GUESSES: usize = 10;

impl<'s> Never<'s> {
    /// An observer of what a scenario that may go on forever misses.
    pub fn new(scenario: &'s SoughtScenario, within: Option<u32>) -> Self {
        let count = scenario.count_configs(MOST_CONFIGS + 1);
        let has_one = scenario.pattern.property.system.recurrent.len() <= 1;
        let most = 2 * count.min(MOST_CONFIGS) as u32;
        let is_cut = Cell::new(!has_one || count > MOST_CONFIGS);
        Never { missed: Missed { scenario, within }, most, is_cut }
    }

    /// The highest ranks that ways may have after a moment.
    fn bounds(&self, state: &Ranked, moment: Moment, bits: ConditionBits) -> BTreeMap<Config, (u32, bool)> {
        let mut bounds: BTreeMap<Config, (u32, bool)> = BTreeMap::new();
        for (config, rank) in &state.ranks {
            let owes = state.owing.contains(config);
            for (next, rests) in self.nexts(config, moment, bits) {
                let most = if rests && rank % 2 == 1 { rank - 1 } else { *rank };
                let bound = bounds.entry(next).or_insert((most, owes));
                *bound = (bound.0.min(most), bound.1 || owes);
            }
        }
        bounds
    }

    /// Where a way leads, and whether it comes to a rest there.
    fn nexts(&self, config: &Config, moment: Moment, bits: ConditionBits) -> Vec<(Config, bool)> {
        let scenario = self.missed.scenario;
        let system = &scenario.pattern.property.system;
        let configs = scenario.thick(config);
        let rests = |config: &Config| system.recurrent.iter().all(|term| system.holds(*term, config));
        let mut nexts = Vec::new();
        match moment {
            Moment::Event(event) => {
                let taken = scenario.thin(scenario.taken(&configs, event, bits)).into_iter();
                nexts.extend(taken.map(|next| (next.clone(), rests(&next))));
                let passed = scenario.thin(scenario.passed(&configs, event, bits));
                nexts.extend(passed.into_iter().map(|next| (next, false)));
            }
            Moment::Start | Moment::Silent | Moment::End | Moment::Stuck => {
                let settled = scenario.thin(scenario.settle(configs, bits));
                nexts.extend(settled.into_iter().map(|next| (next, false)));
            }
        }
        nexts
    }

    /// All guesses: which of the even ranks drop now.
    fn guess(
        &self,
        search: MissedMemory,
        bounds: BTreeMap<Config, (u32, bool)>,
        ways: &mut Vec<(Ranked, Marks)>,
    ) {
        let even: Vec<&Config> = bounds
            .iter()
            .filter(|(_, (rank, _))| *rank > 0 && rank % 2 == 0)
            .map(|(config, _)| config)
            .collect();
        let count = even.len().min(MOST_GUESSES);
        self.is_cut.set(self.is_cut.get() || count < even.len());
        for guess in 0..1_usize << count {
            let drops: BTreeSet<&Config> =
                (0..count).filter(|place| guess >> place & 1 == 1).map(|place| even[place]).collect();
            let mut ranks: BTreeMap<Config, u32> = BTreeMap::new();
            let (mut owing, mut all) = (BTreeSet::new(), BTreeSet::new());
            for (config, (bound, owes)) in &bounds {
                let rank = bound - u32::from(drops.contains(config));
                ranks.insert(config.clone(), rank);
                if rank % 2 == 0 {
                    all.insert(config.clone());
                    owing.extend(owes.then(|| config.clone()));
                }
            }
            let is_paid = owing.is_empty();
            let owing = if is_paid { all } else { owing };
            ways.push((Ranked { search: search.clone(), ranks, owing }, Marks::from(is_paid)));
        }
    }
}

impl SoughtScenario {
    /// Configurations without those that others lead to unseen: what may come from them may come from the others, too. One
    /// that rests where the other does not is kept. Where conditions are asked nothing is left out: they may be otherwise later.
    fn thin(&self, configs: Configs) -> Configs {
        let system = &self.pattern.property.system;
        if !self.inputs.is_empty() || configs.len() == 1 {
            return configs;
        }
        let rests = |config: &Config| system.recurrent.iter().all(|term| system.holds(*term, config));
        let mut kept = Configs::new();
        let mut left: BTreeMap<Config, (Configs, bool)> = BTreeMap::new();
        for config in configs {
            let reached = self.settle([config.clone()], 0);
            let rests = rests(&config);
            left.insert(config, (reached, rests));
        }
        for (config, (reached, own)) in &left {
            let covers = |(other, (beyond, rests)): (&Config, &(Configs, bool))| {
                let is_other = other != config && beyond.contains(config) && (*rests || !own);
                // Of two that lead to each other one is enough.
                is_other && (!reached.contains(other) || (*rests, other) > (*own, config))
            };
            if !left.iter().any(covers) {
                kept.insert(config.clone());
            }
        }
        kept
    }

    /// What a configuration leads to unseen, itself included.
    fn thick(&self, config: &Config) -> Configs {
        match self.inputs.is_empty() {
            true => self.settle([config.clone()], 0),
            false => Configs::from([config.clone()]),
        }
    }

    /// How many configurations its ways pass, at most `most` of them counted.
    fn count_configs(&self, most: usize) -> usize {
        let mut seen: BTreeSet<Config> = BTreeSet::new();
        let mut open: Vec<Config> = Vec::new();
        // Conditions may have any value: what each allows is looked at for all true and all false.
        let bits = [0, ConditionBits::MAX];
        for bits in bits {
            open.extend(self.thin((*self.configs(self.fresh(bits))).clone()));
        }
        while let Some(config) = open.pop() {
            if seen.len() >= most || !seen.insert(config.clone()) {
                continue;
            }
            let configs = self.thick(&config);
            for event in (0..self.alphabet.len()).map(<EventId as crate::id::Id>::from_index) {
                bits.iter().for_each(|bits| open.extend(self.thin(self.taken(&configs, event, *bits))));
            }
            let settled = |bits: &ConditionBits| self.thin(self.settle(configs.iter().cloned(), *bits));
            bits.iter().for_each(|bits| open.extend(settled(bits)));
        }
        seen.len()
    }
}

impl Observer for Never<'_> {
    type State = Ranked;

    fn marks(&self) -> u32 {
        1
    }

    fn first(&self) -> Ranked {
        Ranked { search: MissedMemory::Unborn, ranks: BTreeMap::new(), owing: BTreeSet::new() }
    }

    fn read(
        &self,
        state: &Ranked,
        moment: Moment,
        holds: &mut dyn FnMut(TermId) -> bool,
        ways: &mut Vec<(Ranked, Marks)>,
    ) {
        let scenario = self.missed.scenario;
        if matches!(moment, Moment::End | Moment::Stuck) {
            return ways.push((state.clone(), 1));
        }
        let mut searches = Vec::new();
        self.missed.read(&state.search, moment, holds, &mut searches);
        let Some((search, _)) = searches.pop() else { return };
        let bits = scenario.bits(holds);
        let mut bounds = self.bounds(state, moment, bits);
        if search.begins() && !scenario.is_amid(moment) {
            for config in scenario.thin((*scenario.configs(scenario.fresh(bits))).clone()) {
                bounds.entry(config).or_insert((self.most, false));
            }
        }
        self.guess(search, bounds, ways);
    }

    fn watched(&self) -> &[TermId] {
        self.missed.watched()
    }

    fn counts_steps(&self) -> bool {
        self.missed.counts_steps()
    }

    fn accepts_all(&self, state: &Ranked) -> bool {
        self.missed.accepts_all(&state.search)
    }

    fn is_exact(&self) -> bool {
        !self.is_cut.get()
    }
}
