//! Tails: messages that follow each other, with nothing but silent steps in between (P4, definition D23).
//!
//! Once it is fixed which messages follow, every component is on its own: it must be able to do its share of them, in their
//! order, and what the others do meanwhile is no concern of it. So the configurations from which a scenario can go on are a set of
//! states for each component, and the question whether a scenario is possible after so many transactions is whether such a
//! configuration is reached: no position of the scenario itself is ever written as clauses.
//!
//! The order of messages that have no lifeline in common does not matter either, as such messages can change places: a drawn
//! order by lifelines and the order from top to bottom have the same answer.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::system::{ComponentId, Config, EventId, Join, LabelId, Step};

use crate::sat::bounded::far;
use crate::sat::bounded::reach::NEAR;
use crate::sat::encode::Pace;
use crate::sat::encode::encoding::Encoding;
use crate::sat::outcome::Bounded;
use crate::sat::schedule::automata::{Automata, Automaton, Move, Spots};
use crate::sat::schedule::plan;
use crate::sat::solver::{Effort, Patience};

/// How many messages follow each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Furthest {
    /// So many do.
    pub count: usize,
    /// In this run, at its end.
    pub run: Run,
    /// What the last solver did.
    pub effort: Effort,
}

/// The share of a component in one message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Share {
    Offers(LabelId),
    Takes(LabelId),
}

/// Messages that follow each other.
pub struct Suffix<'a, 's> {
    automata: &'a Automata<'s>,
    /// Who offers which label to whom; `None` for a message that nobody ever sends so.
    messages: Vec<Option<(LabelId, ComponentId, ComponentId)>>,
    /// For each component its shares.
    shares: IdVec<ComponentId, Vec<Share>>,
}

impl<'a, 's> Suffix<'a, 's> {
    /// Messages by what is seen of them, from top to bottom; `None` stands for one that is never seen. There is no answer where
    /// more is seen of a step than one message, or a meeting is not seen: then components are not on their own.
    pub fn new(automata: &'a Automata<'s>, events: &[Option<EventId>]) -> Option<Self> {
        let system = automata.system;
        let mut seen: BTreeMap<EventId, Vec<(LabelId, ComponentId, ComponentId)>> = BTreeMap::new();
        system.meetings.iter().for_each(|(meeting, event)| seen.entry(*event).or_default().push(*meeting));
        let mut messages = Vec::new();
        for event in events {
            messages.push(match event.and_then(|event| seen.get(&event)).map(Vec::as_slice) {
                None => None,
                Some([only]) => Some(*only),
                Some(_) => return None,
            });
        }
        let mut shares: IdVec<ComponentId, Vec<Share>> =
            system.components.ids().map(|_| Vec::new()).collect();
        for (label, from, to) in messages.iter().flatten() {
            shares[*from].push(Share::Offers(*label));
            shares[*to].push(Share::Takes(*label));
        }
        let tail = Suffix { automata, messages, shares };
        (tail.is_seen() && tail.is_single()).then_some(tail)
    }

    /// Whether every meeting is seen, and nothing else is.
    fn is_seen(&self) -> bool {
        let system = self.automata.system;
        let mut offers: BTreeSet<(LabelId, ComponentId)> = BTreeSet::new();
        let mut takes = offers.clone();
        for rule in system.rules.iter() {
            if rule.event.is_some() {
                return false;
            }
            match &rule.join {
                Join::Alone | Join::Listen(_) => {}
                Join::Offer(labels) => offers.extend(labels.iter().map(|label| (*label, rule.component))),
                Join::Take(label) => {
                    takes.insert((*label, rule.component));
                }
            }
        }
        let mut pairs = offers.iter().flat_map(|offer| {
            let same =
                takes.range((offer.0, ComponentId::from_index(0))..).take_while(|take| take.0 == offer.0);
            same.map(|take| (offer.0, offer.1, take.1)).filter(|(_, from, to)| from != to)
        });
        pairs.all(|pair| system.meetings.contains_key(&pair))
    }

    /// Whether no step shows several of these messages at once.
    fn is_single(&self) -> bool {
        self.automata.system.rules.iter().all(|rule| match &rule.join {
            Join::Offer(labels) if labels.len() > 1 => {
                let offers: Vec<Share> = labels.iter().map(|label| Share::Offers(*label)).collect();
                !self.shares[rule.component].windows(offers.len()).any(|shares| shares == offers)
            }
            Join::Alone | Join::Offer(_) | Join::Take(_) | Join::Listen(_) => true,
        })
    }

    /// How many of the messages, at most so many of them, can follow each other after at most so many transactions; `None` if broken
    /// off. If a number of them can, fewer can too: so the search halves what is open, after it has looked whether all can.
    pub fn furthest(&self, most: usize, within: usize, patience: Patience<'_>) -> Option<Furthest> {
        let mut best = Furthest::default();
        let (mut can, mut cannot) = (0, most + 1);
        while can + 1 < cannot {
            let count = if cannot > most { most } else { can.midpoint(cannot) };
            let (found, effort) = self.after(count, within, patience);
            best.effort = effort;
            match found {
                Bounded::Found(run, _) => {
                    can = count;
                    best.run = run;
                }
                Bounded::Nothing(_) | Bounded::Proved(_) => cannot = count,
                Bounded::Stopped(_) => return None,
            }
        }
        Some(Furthest { count: can, ..best })
    }

    /// Whether so many messages can follow after at most so many transactions; the run has them at its end. It is looked for among
    /// short ones first; if there is none, most likely no longer one is there either, and that can be proved for all lengths at
    /// once.
    pub fn after(&self, count: usize, within: usize, patience: Patience<'_>) -> (Bounded, Effort) {
        match self.led(count, within, patience) {
            (Bounded::Found(run, length), effort) => {
                (Bounded::Found(self.followed(run, count), length), effort)
            }
            (nothing, effort) => (nothing, effort),
        }
    }

    /// Whether at most so many transactions lead to where so many messages can follow.
    fn led(&self, count: usize, within: usize, patience: Patience<'_>) -> (Bounded, Effort) {
        let spots = self.spots(count);
        let mut system = self.automata.system.clone();
        let goal = self.automata.predicate(&spots, &mut system.terms);
        let encoding =
            (within > NEAR).then(|| Encoding::new(&system, Pace::Together, &[goal]).ok()).flatten();
        match encoding.as_ref().and_then(|encoding| Some((encoding, encoding.truth(goal)?))) {
            Some((encoding, goal)) => {
                far::reach(encoding, goal, Some((self.automata, &spots)), within, patience)
            }
            None => plan::within(self.automata, &spots, within, patience),
        }
    }

    /// A run to a configuration from which so many messages follow, and the messages.
    fn followed(&self, mut run: Run, count: usize) -> Run {
        let configs = replay(self.automata.system, &run).expect("what is read from a model is a run");
        let steps = self.follow(&configs[configs.len() - 1], count);
        run.steps.extend(steps.expect("messages follow from where they can"));
        assert!(replay(self.automata.system, &run).is_ok(), "what follows is a run");
        run
    }

    /// How many messages there are.
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// From where so many of the messages can follow.
    pub fn spots(&self, count: usize) -> Spots {
        let is_possible = self.messages[..count].iter().all(Option::is_some);
        let own = |component: ComponentId| {
            let mut spots = self.stages(component, self.shares_in(component, count)).swap_remove(0);
            spots.iter_mut().for_each(|spot| *spot &= is_possible);
            spots
        };
        self.automata.list.ids().map(own).collect()
    }

    /// How many shares a component has in so many messages.
    fn shares_in(&self, component: ComponentId, count: usize) -> usize {
        let ends = self.messages[..count].iter().flatten().flat_map(|(_, from, to)| [from, to]);
        ends.filter(|end| **end == component).count()
    }

    /// For each number of shares that are done, the states from which a component can do the rest of so many.
    fn stages(&self, component: ComponentId, count: usize) -> Vec<Vec<bool>> {
        let automaton = &self.automata.list[component];
        let mut stages = vec![vec![true; automaton.states.len()]];
        for share in self.shares[component][..count].iter().rev() {
            let mut stage = vec![false; automaton.states.len()];
            let after = &stages[stages.len() - 1];
            for step in automaton.moves.iter().filter(|step| self.fits(step, *share) && after[step.to]) {
                stage[step.from] = true;
            }
            self.close(automaton, &mut stage);
            stages.push(stage);
        }
        stages.reverse();
        stages
    }

    /// Adds what leads silently to what is there.
    fn close(&self, automaton: &Automaton, stage: &mut [bool]) {
        let mut is_open = true;
        while is_open {
            is_open = false;
            for step in automaton.moves.iter().filter(|step| self.is_silent(step)) {
                if stage[step.to] && !stage[step.from] {
                    stage[step.from] = true;
                    is_open = true;
                }
            }
        }
    }

    fn is_silent(&self, step: &Move) -> bool {
        self.automata.system.rules[step.rule].join == Join::Alone
    }

    fn fits(&self, step: &Move, share: Share) -> bool {
        match (&self.automata.system.rules[step.rule].join, share) {
            (Join::Offer(labels), Share::Offers(label)) => *labels == [label],
            (Join::Take(own), Share::Takes(label)) => *own == label,
            (Join::Alone | Join::Offer(_) | Join::Take(_) | Join::Listen(_), _) => false,
        }
    }

    /// The steps by which so many messages follow from a configuration, if they can.
    pub fn follow(&self, config: &Config, count: usize) -> Option<Vec<Step>> {
        let mut at: IdVec<ComponentId, usize> = IdVec::new();
        for automaton in self.automata.list.iter() {
            let values: Vec<i32> = automaton.own.iter().map(|variable| config.0[variable.index()]).collect();
            at.push(automaton.states.iter().position(|state| *state == values)?);
        }
        let mut done: IdVec<ComponentId, usize> = at.iter().map(|_| 0).collect();
        let mut steps = Vec::new();
        for message in &self.messages[..count] {
            let (_, from, to) = (*message)?;
            let mut together = Vec::new();
            for end in [from, to] {
                let (silent, meets) = self.share(end, at[end], done[end], self.shares_in(end, count))?;
                steps.extend(silent.iter().map(|step| Step(vec![step.rule])));
                together.push(meets.rule);
                at[end] = meets.to;
                done[end] += 1;
            }
            steps.push(Step(together));
        }
        Some(steps)
    }

    /// The silent moves to the nearest state in which a component can do its next share and the rest of so many after it, and the
    /// move that does it.
    fn share(
        &self,
        component: ComponentId,
        at: usize,
        done: usize,
        count: usize,
    ) -> Option<(Vec<Move>, Move)> {
        let automaton = &self.automata.list[component];
        let after = &self.stages(component, count)[done + 1];
        let share = self.shares[component][done];
        let mut ways: BTreeMap<usize, Vec<Move>> = BTreeMap::from([(at, Vec::new())]);
        let mut open = VecDeque::from([at]);
        while let Some(state) = open.pop_front() {
            let way = ways[&state].clone();
            for step in automaton.moves.iter().filter(|step| step.from == state) {
                if self.fits(step, share) && after[step.to] {
                    return Some((way, *step));
                }
                if self.is_silent(step) && !ways.contains_key(&step.to) {
                    ways.insert(step.to, way.iter().copied().chain([*step]).collect());
                    open.push_back(step.to);
                }
            }
        }
        None
    }
}
