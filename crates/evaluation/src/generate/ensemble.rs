//! Flat state machines that meet by symbols (P4, definitions D2, D9 to D12, D25), as plain data.
//!
//! Far less than a [`Model`](sequent_kernel::model::Model) can say, and for that reason easy to generate, to count, and to compare with
//! the printed definitions.

use std::collections::BTreeMap;

use sequent_kernel::id;
use sequent_kernel::id::IdVec;

id! {
    /// A machine of an ensemble.
    PlainId
}
id! {
    /// A state of a machine.
    StateId
}
id! {
    /// A symbol of an ensemble.
    SymbolId
}
id! {
    /// An object of an ensemble.
    PlayerId
}

/// Machines, their common alphabet, and the objects that behave so.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct GeneratedEnsemble {
    /// The alphabet.
    pub symbols: IdVec<SymbolId, String>,
    /// The machines.
    pub machines: IdVec<PlainId, FlatMachine>,
    /// The objects.
    pub players: IdVec<PlayerId, Player>,
}

/// A flat machine (D2).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FlatMachine {
    /// Its name.
    pub name: String,
    /// Its states; it begins in the first.
    pub states: IdVec<StateId, String>,
    /// Its transitions.
    pub arcs: Vec<Arc>,
}

/// A transition: what it takes, and what it sends to others in one step.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Arc {
    /// Where it starts.
    pub from: StateId,
    /// What it takes; nothing for P4's epsilon.
    pub trigger: Option<SymbolId>,
    /// What it sends.
    pub effects: Vec<SymbolId>,
    /// Where it ends.
    pub to: StateId,
}

/// An object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Player {
    /// Its name.
    pub name: String,
    /// How it behaves.
    pub machine: PlainId,
}

/// A message of a diagram (D10).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DiagramExchange {
    /// The sender.
    pub from: PlayerId,
    /// What is sent.
    pub symbol: SymbolId,
    /// The receiver.
    pub to: PlayerId,
}

/// Messages one after the other (D11).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MessageDiagram {
    /// Its name.
    pub name: String,
    /// Its messages.
    pub messages: Vec<DiagramExchange>,
}

/// An object in a state: one part of a partial global state (D25).
pub type ObjectInState = (PlayerId, StateId);

/// What is asked about an ensemble.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EnsembleQuestion {
    /// Whether these states can be reached together (k-SMREACH).
    Goal(Vec<ObjectInState>),
    /// Whether these messages can follow each other (k-SDCHECK).
    Scenario(MessageDiagram),
}

/// An ensemble and a question.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EnsembleInstance {
    /// The objects that the question is about.
    pub ensemble: GeneratedEnsemble,
    /// What is asked.
    pub asked: EnsembleQuestion,
    /// The greatest number of transactions that lead to the goal, or to the first message.
    pub within: Option<u32>,
}

/// How large an ensemble is (P4, table 5.2.1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sizes {
    /// Objects.
    pub machines: usize,
    /// Their states.
    pub states: usize,
    /// Their transitions.
    pub transitions: usize,
    /// The alphabet.
    pub symbols: usize,
}

impl GeneratedEnsemble {
    /// The machine of an object.
    pub fn plain(&self, player: PlayerId) -> &FlatMachine {
        &self.machines[self.players[player].machine]
    }

    /// How large it is; a machine counts once for each object that behaves so.
    pub fn sizes(&self) -> Sizes {
        let plain = || self.players.iter().map(|player| &self.machines[player.machine]);
        Sizes {
            machines: self.players.len(),
            states: plain().map(|plain| plain.states.len()).sum(),
            transitions: plain().map(|plain| plain.arcs.len()).sum(),
            symbols: self.symbols.len(),
        }
    }

    /// Every machine becomes one object of its own name.
    pub(crate) fn play_once(&mut self) {
        let player = |(machine, plain): (PlainId, &FlatMachine)| Player { name: plain.name.clone(), machine };
        self.players = self.machines.enumerate().map(player).collect();
    }

    /// A goal as text: `PhD.desperate & CM.error`.
    pub(crate) fn goal_text(&self, goal: &[ObjectInState]) -> String {
        let part = |(player, state): &ObjectInState| {
            format!("{}.{}", self.players[*player].name, self.plain(*player).states[*state])
        };
        goal.iter().map(part).collect::<Vec<_>>().join(" & ")
    }
}

impl EnsembleInstance {
    /// The same question without the objects that no message of the diagram has to do with. The numbers of variables that P4 prints
    /// for random scenarios are those of such instances (table 5.5.5).
    pub fn involved(mut self) -> Self {
        let EnsembleQuestion::Scenario(diagram) = &mut self.asked else { return self };
        let mut players = IdVec::new();
        let mut numbers: BTreeMap<PlayerId, PlayerId> = BTreeMap::new();
        for (id, player) in self.ensemble.players.enumerate() {
            if diagram.messages.iter().any(|message| [message.from, message.to].contains(&id)) {
                numbers.insert(id, players.push(player.clone()));
            }
        }
        for message in &mut diagram.messages {
            (message.from, message.to) = (numbers[&message.from], numbers[&message.to]);
        }
        self.ensemble.players = players;
        self
    }
}

impl Sizes {
    /// How many variables P4's encoding of a goal has for paths of `k` transactions: one per state, intermediate state and
    /// symbol at each of `k + 1` positions, one per transition at each but the last, and two constants. Fits all figures that
    /// tables 5.4.1 to 5.4.3 print.
    pub fn variables(&self, k: usize) -> usize {
        let Sizes { states, transitions, symbols, .. } = *self;
        (states + 2 * transitions + symbols) * k + states + transitions + symbols + 2
    }
}
