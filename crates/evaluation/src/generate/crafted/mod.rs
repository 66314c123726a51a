//! The crafted models of P4's evaluation (section 5.2), with their scenarios (section 5.5).
//!
//! The drawings of figures 5.2.1 to 5.2.3 are lost. What the tables print about the models determines [`philosophers`] and
//! leaves room in the other two, which were rebuilt from what the text tells and filled up so that the printed figures come
//! out; docs/generate.md says which do.

mod coffee;
mod mail;
mod philosophers;

pub use philosophers::philosophers;

use sequent_kernel::id::IdVec;

use super::ensemble::{
    Arc, DiagramExchange, FlatMachine, GeneratedEnsemble, MessageDiagram, PlainId, Player, PlayerId, StateId,
    SymbolId,
};

/// The three models.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Crafted {
    Coffee,
    Mail,
    Philosophers,
}

impl Crafted {
    /// All of them.
    pub const ALL: [Crafted; 3] = [Crafted::Coffee, Crafted::Mail, Crafted::Philosophers];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Crafted::Coffee => "Coffee",
            Crafted::Mail => "Mail",
            Crafted::Philosophers => "Philosophers",
        }
    }

    /// The machines, each with one object.
    pub fn ensemble(self) -> GeneratedEnsemble {
        match self {
            Crafted::Coffee => coffee::coffee(),
            Crafted::Mail => mail::mail(),
            Crafted::Philosophers => philosophers(3),
        }
    }

    /// The scenario that is possible, with its objects.
    pub fn consistent(self) -> (GeneratedEnsemble, MessageDiagram) {
        match self {
            Crafted::Coffee => coffee::consistent(),
            Crafted::Mail => mail::consistent(),
            Crafted::Philosophers => philosophers::consistent(),
        }
    }

    /// The scenario that is not possible, with its objects.
    pub fn inconsistent(self) -> (GeneratedEnsemble, MessageDiagram) {
        match self {
            Crafted::Coffee => coffee::inconsistent(),
            Crafted::Mail => mail::inconsistent(),
            Crafted::Philosophers => philosophers::inconsistent(),
        }
    }
}

/// A transition in words: source, trigger or nothing, effects, target.
type TransitionRow<'r> = (&'r str, &'r str, &'r [&'r str], &'r str);

/// A machine in words; it begins in the source of its first transition.
type Rows<'r> = (&'r str, &'r [TransitionRow<'r>]);

/// Machines in words, each with one object of its name.
fn ensemble(machines: &[Rows<'_>]) -> GeneratedEnsemble {
    let mut ensemble = GeneratedEnsemble::default();
    for (name, rows) in machines {
        let mut states: IdVec<StateId, String> = IdVec::new();
        let mut arcs = Vec::new();
        for (from, trigger, effects, to) in *rows {
            let (from, to) = (state(&mut states, from), state(&mut states, to));
            let taken = Some(*trigger).filter(|trigger| !trigger.is_empty());
            let trigger = taken.map(|trigger| symbol(&mut ensemble.symbols, trigger));
            let effects = effects.iter().map(|effect| symbol(&mut ensemble.symbols, effect)).collect();
            arcs.push(Arc { from, trigger, effects, to });
        }
        ensemble.machines.push(FlatMachine { name: (*name).to_owned(), states, arcs });
    }
    ensemble.play_once();
    ensemble
}

fn state(states: &mut IdVec<StateId, String>, name: &str) -> StateId {
    states.find(|known| known == name).unwrap_or_else(|| states.push(name.to_owned()))
}

fn symbol(symbols: &mut IdVec<SymbolId, String>, name: &str) -> SymbolId {
    symbols.find(|known| known == name).unwrap_or_else(|| symbols.push(name.to_owned()))
}

/// The same machines with other objects: name and machine.
fn played(mut ensemble: GeneratedEnsemble, players: &[(&str, &str)]) -> GeneratedEnsemble {
    let machine = |name: &str| -> Option<PlainId> { ensemble.machines.find(|plain| plain.name == name) };
    let player =
        |(name, class): &(&str, &str)| Some(Player { name: (*name).to_owned(), machine: machine(class)? });
    ensemble.players = players.iter().filter_map(player).collect();
    ensemble
}

/// A diagram in words: sender, symbol, receiver.
fn diagram(ensemble: &GeneratedEnsemble, name: &str, messages: &[(&str, &str, &str)]) -> MessageDiagram {
    let player = |name: &str| -> Option<PlayerId> { ensemble.players.find(|player| player.name == name) };
    let message = |(from, symbol, to): &(&str, &str, &str)| {
        let symbol = ensemble.symbols.find(|known| known == symbol)?;
        Some(DiagramExchange { from: player(from)?, symbol, to: player(to)? })
    };
    MessageDiagram { name: name.to_owned(), messages: messages.iter().filter_map(message).collect() }
}
