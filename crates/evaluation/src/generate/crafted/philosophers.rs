//! Dining philosophers with as many forks (P4, figure 5.2.3, after Varró).
//!
//! The only model of three and three machines that has all printed figures: 15 states, 21 transitions, 12 symbols, 270 clauses
//! and 69 variables per position, one sender transition per message.

use sequent_kernel::id::Id;

use super::super::ensemble::{Arc, FlatMachine, GeneratedEnsemble, MessageDiagram, StateId, SymbolId};
use super::diagram;

/// The philosophers `P0`.. and forks `F0`.., `count` of each but at least two; `P0` takes the left fork,
/// `F0`, first.
pub fn philosophers(count: usize) -> GeneratedEnsemble {
    let count = count.max(2);
    let mut ensemble = GeneratedEnsemble::default();
    for at in 0..count {
        for word in ["takeLeft", "takeRight", "putLeft", "putRight"] {
            ensemble.symbols.push(format!("{word}{at}"));
        }
    }
    let symbol = |word: usize, at: usize| SymbolId::from_index(4 * (at % count) + word);
    let [take_left, take_right, put_left, put_right] = [0, 1, 2, 3];
    for at in 0..count {
        let own = |word| symbol(word, at);
        let arcs = vec![
            arc(0, None, vec![own(take_left)], 1),
            arc(1, None, vec![own(take_right)], 2),
            arc(2, None, vec![own(put_left), own(put_right)], 0),
        ];
        ensemble.machines.push(plain(format!("P{at}"), &["thinking", "hasLeft", "eating"], arcs));
    }
    for at in 0..count {
        // The fork on the right of a philosopher is the left one of the next.
        let (left, right) = (|word| symbol(word, at), |word| symbol(word, at + count - 1));
        let arcs = vec![
            arc(0, Some(left(take_left)), Vec::new(), 1),
            arc(0, Some(right(take_right)), Vec::new(), 1),
            arc(1, Some(left(put_left)), Vec::new(), 0),
            arc(1, Some(right(put_right)), Vec::new(), 0),
        ];
        ensemble.machines.push(plain(format!("F{at}"), &["free", "taken"], arcs));
    }
    ensemble.play_once();
    ensemble
}

/// Three messages: one eats, another begins to.
pub(super) fn consistent() -> (GeneratedEnsemble, MessageDiagram) {
    let messages = [("P0", "takeLeft0", "F0"), ("P0", "takeRight0", "F1"), ("P2", "takeLeft2", "F2")];
    scene("One eats", &messages)
}

/// Six messages, of which three can follow: all have their left forks then.
pub(super) fn inconsistent() -> (GeneratedEnsemble, MessageDiagram) {
    let messages = [
        ("P0", "takeLeft0", "F0"),
        ("P1", "takeLeft1", "F1"),
        ("P2", "takeLeft2", "F2"),
        ("P0", "takeRight0", "F1"),
        ("P1", "takeRight1", "F2"),
        ("P2", "takeRight2", "F0"),
    ];
    scene("All eat", &messages)
}

fn scene(name: &str, messages: &[(&str, &str, &str)]) -> (GeneratedEnsemble, MessageDiagram) {
    let ensemble = philosophers(3);
    let diagram = diagram(&ensemble, name, messages);
    (ensemble, diagram)
}

fn plain(name: String, states: &[&str], arcs: Vec<Arc>) -> FlatMachine {
    FlatMachine { name, states: states.iter().map(|state| (*state).to_owned()).collect(), arcs }
}

fn arc(from: usize, trigger: Option<SymbolId>, effects: Vec<SymbolId>, to: usize) -> Arc {
    Arc { from: StateId::from_index(from), trigger, effects, to: StateId::from_index(to) }
}
