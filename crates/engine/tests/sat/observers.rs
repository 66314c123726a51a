//! Random observers on random Systems: a run is found where the explicit search finds one, finite or not.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::property::find;
use sequent_engine::sat::bounded::reach::reach;
use sequent_engine::sat::encode::Pace;
use sequent_engine::sat::encode::question::EncodedQuestion;
use sequent_engine::sat::outcome::Bounded;
use sequent_engine::search::{Limits, SearchAnswer, unwatched};
use sequent_kernel::property::{Marks, Moment, Observer};
use sequent_kernel::random::Random;
use sequent_kernel::system::{Endless, Fairness, Join, RuleId, Strength, System, TermId};
use sequent_testing::seeds::seeds;
use sequent_testing::systems::{Taste, system};

/// An automaton drawn by lot that looks at the state now and then; its last state accepts everything.
struct Lot {
    states: u32,
    marks: u32,
    seed: u64,
    looks: Vec<TermId>,
    counts: bool,
}

impl Lot {
    fn new(system: &System, seed: u64) -> Self {
        let mut dice = Random::new(seed + 3);
        let looks = match dice.below(3) {
            0 => vec![system.complete],
            1 => vec![system.complete, system.rules.iter().next().expect("there are rules").guard],
            _ => Vec::new(),
        };
        let (states, marks) = (1 + dice.below(4) as u32, dice.below(3) as u32);
        Lot { states, marks, seed, looks, counts: dice.below(4) == 0 }
    }
}

impl Observer for Lot {
    type State = u32;

    fn marks(&self) -> u32 {
        self.marks
    }

    fn first(&self) -> u32 {
        0
    }

    fn read(
        &self,
        state: &u32,
        moment: Moment,
        holds: &mut dyn FnMut(TermId) -> bool,
        ways: &mut Vec<(u32, Marks)>,
    ) {
        let all = (1 << self.marks) - 1;
        if self.accepts_all(state) {
            return ways.push((*state, all));
        }
        let slot = match moment {
            Moment::Event(event) => sequent_kernel::id::Id::index(event) as u64,
            Moment::End => 100,
            Moment::Start => 101,
            Moment::Stuck => 102,
            Moment::Silent => 103,
        };
        let mut bits = 0;
        for (number, term) in self.looks.iter().enumerate() {
            bits |= u64::from(holds(*term)) << number;
        }
        let mut dice = Random::new(self.seed ^ (u64::from(*state) << 32 | slot << 8 | bits) << 3);
        let _ = (0..5).map(|_| dice.below(2)).count();
        for _ in 0..[1, 1, 0, 2, 1, 1, 1, 2][dice.below(8)] {
            let last = u32::from(dice.below(8) == 0);
            let to = dice.below((self.states + last) as usize);
            ways.push((to as u32, dice.below(all as usize + 1) as Marks));
        }
    }

    fn watched(&self) -> &[TermId] {
        &self.looks
    }

    fn counts_steps(&self) -> bool {
        self.counts
    }

    fn accepts_all(&self, state: &u32) -> bool {
        *state == self.states
    }
}

fn endless(system: &mut System, dice: &mut Random) -> Option<Endless> {
    let acts = |join: &Join| matches!(join, Join::Alone | Join::Offer(_));
    let rules: Vec<_> =
        system.rules.enumerate().filter(|(_, rule)| acts(&rule.join)).map(|(id, _)| id).collect();
    match dice.below(4) {
        0 => None,
        1 => Some(Endless::default()),
        2 => Some(Endless { is_seen: true, ..Endless::default() }),
        _ => {
            let rule = *rules.get(dice.below(rules.len().max(1)))?;
            let other = rules[dice.below(rules.len())];
            let strength = if dice.below(2) == 0 { Strength::Weak } else { Strength::Strong };
            let occurrence = Fairness { when: [rule].into(), payers: [rule, other].into(), strength };
            let component = system.rules[rule].component;
            let own = system.rules.enumerate().filter(|(_, rule)| rule.component == component);
            let own: BTreeSet<RuleId> = own.map(|(id, _)| id).collect();
            let object = Fairness { when: own.clone(), payers: own, strength: Strength::Weak };
            let owed = if dice.below(2) == 0 { vec![occurrence] } else { vec![object, occurrence] };
            let rests = if dice.below(2) == 0 { vec![system.complete] } else { Vec::new() };
            Some(Endless { owed, rests, is_seen: dice.below(2) == 0 })
        }
    }
}

#[test]
fn observers_accept_the_same_runs() {
    let (mut found, mut missed, mut circles) = (0, 0, 0);
    for joins in [false, true] {
        for seed in seeds(250) {
            let mut system = system(seed, Taste { joins, urgent: false, void: false, odd: 20 });
            if system.rules.iter().any(|rule| matches!(rule.join, Join::Listen(_))) {
                continue;
            }
            system.endless = endless(&mut system, &mut Random::new(seed + 11));
            let observer = Lot::new(&system, seed);
            let program = Program::new(&system);
            let mut graph = StateGraph::new(&program);
            let finding = find(&mut graph, &observer, &Limits::default(), &unwatched);
            let question = match EncodedQuestion::observed(&system, Pace::Single, &observer) {
                Ok(question) => question,
                Err(unwritten) => {
                    assert_eq!(unwritten.0, "a message is sent twice at once");
                    continue;
                }
            };
            let most = 2 * finding.progress.states + 4;
            let answer =
                reach(&question.encoding, question.wanted, most.min(60), &|_| ControlFlow::Continue(()));
            match (&finding.answer, answer) {
                (SearchAnswer::Found(run), Bounded::Found(..)) => {
                    found += 1;
                    circles += usize::from(run.cycle.is_some());
                }
                (SearchAnswer::Exhausted, Bounded::Nothing(_) | Bounded::Proved(_)) => missed += 1,
                (explicit, bounded) => panic!("seed {seed}, joins {joins}: {explicit:?}, {bounded:?}"),
            }
        }
    }
    assert!(found > 70 && missed > 35 && circles > 18, "{found} found, {missed} missed, {circles} circles");
}
