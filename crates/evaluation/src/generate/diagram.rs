//! Random sequence diagrams for random machines (P4, section 5.3.3; the sizes of table 5.5.4).
//!
//! A simulator keeps for each object the set of states it may be in, takes an admissible message at random, and keeps those
//! states that fit it. Such sets say more than is possible together, so nothing is known about the verdict; a random message in
//! between makes a negative one likely. A plausible one is sent and taken by the two machines, but not then.

use std::collections::BTreeSet;

use sequent_kernel::id::Id;
use sequent_kernel::random::Random;

use super::ensemble::{
    DiagramExchange, EnsembleInstance, EnsembleQuestion, GeneratedEnsemble, MessageDiagram, PlainId, Player,
    PlayerId, StateId, SymbolId,
};
use super::machines::{Chance, EvaluationSize, MachineShape};

/// The parameters of random diagrams.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DiagramShape {
    /// How many lifelines (`nrLifelines`).
    pub lifelines: usize,
    /// How many messages (`nrMessages`).
    pub messages: usize,
    /// How probable a message out of place is (`probInconsistency`).
    pub inconsistency: Chance,
    /// How many messages are simulated before those that are drawn (`k`).
    pub lead: usize,
    /// Whether the message out of place is one that its sender sends somewhere and its receiver takes somewhere.
    pub is_plausible: bool,
}

impl EvaluationSize {
    /// Machines for questions about scenarios (table 5.5.4).
    pub fn scenario_shape(self) -> MachineShape {
        let machines = match self {
            EvaluationSize::Small => 3,
            EvaluationSize::Medium => 6,
            EvaluationSize::Large => 12,
        };
        MachineShape { machines, ..self.shape() }
    }

    /// Diagrams of this size.
    pub fn cast(self) -> DiagramShape {
        let (lifelines, messages) = match self {
            EvaluationSize::Small => (4, 2),
            EvaluationSize::Medium => (12, 4),
            EvaluationSize::Large => (30, 10),
        };
        let inconsistency = Chance::millionths(600_000);
        DiagramShape { lifelines, messages, inconsistency, lead: self.within() as usize, is_plausible: false }
    }
}

/// How often machines are drawn anew if they have too few messages to tell.
const TRIES: usize = 100;

impl DiagramShape {
    /// Random machines and a diagram of them. Machines with which the simulator gets stuck are drawn again; if none goes on long
    /// enough the diagram has fewer messages.
    pub fn instance(
        &self,
        shape: &MachineShape,
        within: Option<u32>,
        random: &mut Random,
    ) -> EnsembleInstance {
        let mut best: Option<(GeneratedEnsemble, Vec<DiagramExchange>)> = None;
        for _ in 0..TRIES {
            let mut ensemble = shape.machines(random);
            self.play(&mut ensemble, random);
            let messages = self.messages(&ensemble, random);
            let is_better = best.as_ref().is_none_or(|(_, known)| known.len() < messages.len());
            if is_better {
                best = Some((ensemble, messages));
            }
            if best.as_ref().is_some_and(|(_, known)| known.len() >= self.messages) {
                break;
            }
        }
        let (ensemble, messages) = best.unwrap_or_default();
        let diagram = MessageDiagram { name: "Scenario".to_owned(), messages };
        EnsembleInstance { ensemble, asked: EnsembleQuestion::Scenario(diagram), within }
    }

    /// Lifelines draw machines: each at least once if there are enough lifelines, else none twice.
    fn play(&self, ensemble: &mut GeneratedEnsemble, random: &mut Random) {
        let mut machines: Vec<PlainId> = ensemble.machines.ids().collect();
        random.shuffle(&mut machines);
        machines.truncate(self.lifelines);
        while machines.len() < self.lifelines && !ensemble.machines.is_empty() {
            machines.push(PlainId::from_index(random.below(ensemble.machines.len())));
        }
        let player = |(at, machine): (usize, PlainId)| Player { name: format!("l{}", at + 1), machine };
        ensemble.players = machines.into_iter().enumerate().map(player).collect();
    }

    fn messages(&self, ensemble: &GeneratedEnsemble, random: &mut Random) -> Vec<DiagramExchange> {
        let is_wrong = self.inconsistency.happens(random) && ensemble.players.len() > 1;
        let wrong = is_wrong.then(|| self.lead + random.below(self.messages));
        let mut simulator = Simulator::new(ensemble);
        let mut messages = Vec::new();
        for at in 0..self.lead + self.messages {
            if Some(at) == wrong {
                let message = match self.is_plausible {
                    true => random.pick(&simulator.misplaced()).copied(),
                    false => None,
                };
                messages.push(message.unwrap_or_else(|| astray(ensemble, random)));
                simulator = Simulator::new(ensemble);
                continue;
            }
            let Some(message) = random.pick(&simulator.admissible()).copied() else { break };
            simulator.apply(message);
            messages.push(message);
        }
        messages.split_off(messages.len().saturating_sub(self.messages))
    }
}

/// Any message between any two objects.
fn astray(ensemble: &GeneratedEnsemble, random: &mut Random) -> DiagramExchange {
    let from = random.below(ensemble.players.len());
    let other = random.below(ensemble.players.len().saturating_sub(1));
    let to = if other >= from { other + 1 } else { other };
    let symbol = SymbolId::from_index(random.below(ensemble.symbols.len()));
    DiagramExchange { from: PlayerId::from_index(from), symbol, to: PlayerId::from_index(to) }
}

/// Where an object may be: in a state, or in the middle of a transition (D16).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ObjectPosition {
    State(StateId),
    Middle(usize),
}

/// For each object the positions it may be in, all that it reaches without a message among them.
struct Simulator<'e> {
    ensemble: &'e GeneratedEnsemble,
    positions: Vec<BTreeSet<ObjectPosition>>,
}

impl<'e> Simulator<'e> {
    fn new(ensemble: &'e GeneratedEnsemble) -> Self {
        let first = BTreeSet::from([ObjectPosition::State(StateId::from_index(0))]);
        let mut simulator = Simulator { ensemble, positions: vec![first; ensemble.players.len()] };
        ensemble.players.ids().for_each(|player| simulator.close(player));
        simulator
    }

    /// Adds what is reached by empty messages.
    fn close(&mut self, player: PlayerId) {
        let arcs = &self.ensemble.plain(player).arcs;
        let known = &mut self.positions[player.index()];
        let mut open: Vec<ObjectPosition> = known.iter().copied().collect();
        while let Some(position) = open.pop() {
            let next: Vec<ObjectPosition> = match position {
                ObjectPosition::State(state) => {
                    let leaves = |at: &usize| arcs[*at].from == state && arcs[*at].trigger.is_none();
                    (0..arcs.len()).filter(leaves).map(ObjectPosition::Middle).collect()
                }
                ObjectPosition::Middle(at) if arcs[at].effects.is_empty() => {
                    vec![ObjectPosition::State(arcs[at].to)]
                }
                ObjectPosition::Middle(_) => Vec::new(),
            };
            open.extend(next.into_iter().filter(|next| known.insert(*next)));
        }
    }

    /// What an object may send.
    fn sends(&self, player: PlayerId) -> BTreeSet<SymbolId> {
        let arcs = &self.ensemble.plain(player).arcs;
        let sent = |position: &ObjectPosition| match position {
            ObjectPosition::State(_) => None,
            ObjectPosition::Middle(at) => match arcs[*at].effects.as_slice() {
                [symbol] => Some(*symbol),
                _ => None,
            },
        };
        self.positions[player.index()].iter().filter_map(sent).collect()
    }

    /// Where an object comes by taking a symbol.
    fn taken(&self, player: PlayerId, symbol: SymbolId) -> BTreeSet<ObjectPosition> {
        let arcs = self.ensemble.plain(player).arcs.iter().enumerate();
        let fits = |(_, arc): &(usize, &super::Arc)| {
            arc.trigger == Some(symbol)
                && self.positions[player.index()].contains(&ObjectPosition::State(arc.from))
        };
        arcs.filter(fits).map(|(at, _)| ObjectPosition::Middle(at)).collect()
    }

    fn admissible(&self) -> Vec<DiagramExchange> {
        let players = || self.ensemble.players.ids();
        let mut all = Vec::new();
        for from in players() {
            for symbol in self.sends(from) {
                let takers = players().filter(|to| *to != from && !self.taken(*to, symbol).is_empty());
                all.extend(takers.map(|to| DiagramExchange { from, symbol, to }));
            }
        }
        all
    }

    /// Messages that one machine sends and another takes, each in some state, and that are not admissible now.
    fn misplaced(&self) -> Vec<DiagramExchange> {
        let players = || self.ensemble.players.ids();
        let arcs = |player: PlayerId| self.ensemble.plain(player).arcs.iter();
        let mut all = Vec::new();
        for from in players() {
            let sent: BTreeSet<SymbolId> = arcs(from).flat_map(|arc| arc.effects.iter().copied()).collect();
            for symbol in sent {
                let takes = |to: &PlayerId| arcs(*to).any(|arc| arc.trigger == Some(symbol));
                let takers = players().filter(|to| *to != from && takes(to));
                all.extend(takers.map(|to| DiagramExchange { from, symbol, to }));
            }
        }
        let admissible = self.admissible();
        all.retain(|message| !admissible.contains(message));
        all
    }

    fn apply(&mut self, message: DiagramExchange) {
        let DiagramExchange { from, symbol, to } = message;
        let arcs = &self.ensemble.plain(from).arcs;
        let sent = |position: &ObjectPosition| match position {
            ObjectPosition::Middle(at) if arcs[*at].effects == [symbol] => {
                Some(ObjectPosition::State(arcs[*at].to))
            }
            ObjectPosition::Middle(_) | ObjectPosition::State(_) => None,
        };
        let after = self.positions[from.index()].iter().filter_map(sent).collect();
        self.positions[to.index()] = self.taken(to, symbol);
        self.positions[from.index()] = after;
        self.close(from);
        self.close(to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagrams_have_the_wanted_size() {
        for size in [EvaluationSize::Small, EvaluationSize::Medium] {
            let cast = size.cast();
            for seed in 0..40 {
                let shape = size.scenario_shape();
                let instance = cast.instance(&shape, Some(size.within()), &mut Random::new(seed));
                let EnsembleQuestion::Scenario(diagram) = &instance.asked else { panic!("it is a scenario") };
                assert_eq!(diagram.messages.len(), cast.messages, "{size:?} {seed}");
                assert!(diagram.messages.iter().all(|message| message.from != message.to));
                let ensemble = &instance.ensemble;
                let played: BTreeSet<PlainId> =
                    ensemble.players.iter().map(|player| player.machine).collect();
                assert_eq!((ensemble.players.len(), played.len()), (cast.lifelines, shape.machines));
            }
        }
    }

    /// The messages of plausible diagrams are sent by the machine of their sender and taken by that of their receiver, somewhere; only where
    /// every such message is in place any other is taken.
    #[test]
    fn plausible_messages_are_sent_and_taken_somewhere() {
        let is_plausible = |seed: u64| {
            let (lead, inconsistency) = (0, Chance::millionths(1_000_000));
            let cast =
                DiagramShape { lead, inconsistency, is_plausible: true, ..EvaluationSize::Small.cast() };
            let instance =
                cast.instance(&EvaluationSize::Small.scenario_shape(), None, &mut Random::new(seed));
            let EnsembleQuestion::Scenario(diagram) = &instance.asked else { panic!("it is a scenario") };
            let ensemble = &instance.ensemble;
            diagram.messages.iter().all(|DiagramExchange { from, symbol, to }| {
                let [sender, taker] = [from, to].map(|player| &ensemble.plain(*player).arcs);
                sender.iter().any(|arc| arc.effects.contains(symbol))
                    && taker.iter().any(|arc| arc.trigger == Some(*symbol))
            })
        };
        let count = (0..40).filter(|seed| is_plausible(*seed)).count();
        assert!(count > 35, "{count} of 40");
    }

    /// With the objects that take part alone there are as many variables as P4 prints, but for those of the messages.
    #[test]
    fn as_many_variables_as_printed() {
        let (size, printed) = (EvaluationSize::Medium, 6_161);
        let mut sum = 0;
        for seed in 0..100 {
            let instance = size.cast().instance(&size.scenario_shape(), None, &mut Random::new(seed));
            let messages = size.cast().messages;
            sum += instance.involved().ensemble.sizes().variables(size.within() as usize + 4 * messages);
        }
        assert!((sum / 100).abs_diff(printed) < printed / 20, "{} on average", sum / 100);
    }

    #[test]
    fn fewer_lifelines_than_machines_are_all_different() {
        let inconsistency = Chance::millionths(0);
        let cast = DiagramShape {
            lifelines: 2,
            messages: 1,
            inconsistency,
            lead: 0,
            ..EvaluationSize::Medium.cast()
        };
        let instance = cast.instance(&EvaluationSize::Medium.shape(), None, &mut Random::new(5));
        let players: Vec<PlainId> = instance.ensemble.players.iter().map(|player| player.machine).collect();
        assert!(players.len() == 2 && players[0] != players[1]);
    }
}
