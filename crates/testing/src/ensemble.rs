//! Definitions D16 to D27 of P4, as they are printed (cases where they slip: the machines of a transaction are pairwise
//! different, as the comment to D21 says).

use std::collections::{BTreeMap, BTreeSet};

use sequent_evaluation::generate::{
    Arc, DiagramExchange, GeneratedEnsemble, MessageDiagram, ObjectInState, PlayerId, StateId,
};
use sequent_kernel::id::Id;
use sequent_kernel::random::Random;

/// A state of an extended machine (D16).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MachinePosition {
    /// A state that is drawn.
    Original(StateId),
    /// Within the transition of this number.
    Intermediate(usize),
}

/// One position per object (D17).
pub type Global = Vec<MachinePosition>;

/// A multimessage that is admissible (D18, D19), by what it changes (D20), and its messages; none if it is empty.
struct NaiveMove {
    changes: BTreeMap<PlayerId, MachinePosition>,
    messages: Vec<DiagramExchange>,
}

fn arcs(ensemble: &GeneratedEnsemble, player: PlayerId) -> &[Arc] {
    &ensemble.plain(player).arcs
}

fn initial(ensemble: &GeneratedEnsemble) -> Global {
    vec![MachinePosition::Original(StateId::from_index(0)); ensemble.players.len()]
}

/// Where an object comes without any message.
fn empty(ensemble: &GeneratedEnsemble, player: PlayerId, position: MachinePosition) -> Vec<MachinePosition> {
    let arcs = arcs(ensemble, player);
    match position {
        MachinePosition::Original(state) => (0..arcs.len())
            .filter(|at| arcs[*at].from == state && arcs[*at].trigger.is_none())
            .map(MachinePosition::Intermediate)
            .collect(),
        MachinePosition::Intermediate(at) if arcs[at].effects.is_empty() => {
            vec![MachinePosition::Original(arcs[at].to)]
        }
        MachinePosition::Intermediate(_) => Vec::new(),
    }
}

fn moves(ensemble: &GeneratedEnsemble, global: &Global) -> Vec<NaiveMove> {
    let mut all = Vec::new();
    for player in ensemble.players.ids() {
        let position = global[player.index()];
        for next in empty(ensemble, player, position) {
            all.push(NaiveMove { changes: BTreeMap::from([(player, next)]), messages: Vec::new() });
        }
        let MachinePosition::Intermediate(at) = position else { continue };
        let arc = &arcs(ensemble, player)[at];
        if arc.effects.is_empty() {
            continue;
        }
        let sent = NaiveMove {
            changes: BTreeMap::from([(player, MachinePosition::Original(arc.to))]),
            messages: Vec::new(),
        };
        let mut ways = vec![sent];
        for symbol in &arc.effects {
            let mut next = Vec::new();
            for way in &ways {
                for to in ensemble.players.ids().filter(|to| !way.changes.contains_key(to)) {
                    let MachinePosition::Original(state) = global[to.index()] else { continue };
                    for (at, taken) in arcs(ensemble, to).iter().enumerate() {
                        if taken.from == state && taken.trigger == Some(*symbol) {
                            let mut changes = way.changes.clone();
                            changes.insert(to, MachinePosition::Intermediate(at));
                            let message = DiagramExchange { from: player, symbol: *symbol, to };
                            let messages = way.messages.iter().copied().chain([message]).collect();
                            next.push(NaiveMove { changes, messages });
                        }
                    }
                }
            }
            ways = next;
        }
        all.append(&mut ways);
    }
    all
}

fn applied(global: &Global, change: &NaiveMove) -> Global {
    let mut next = global.clone();
    change.changes.iter().for_each(|(player, position)| next[player.index()] = *position);
    next
}

/// The states after one transaction (D21).
fn transactions(ensemble: &GeneratedEnsemble, global: &Global) -> BTreeSet<Global> {
    let moves = moves(ensemble, global);
    let mut reached = BTreeSet::new();
    let mut open: Vec<(usize, BTreeSet<PlayerId>, Global)> = vec![(0, BTreeSet::new(), global.clone())];
    while let Some((next, busy, so_far)) = open.pop() {
        for (at, change) in moves.iter().enumerate().skip(next) {
            if change.changes.keys().all(|player| !busy.contains(player)) {
                let both = applied(&so_far, change);
                reached.insert(both.clone());
                open.push((at + 1, busy.iter().chain(change.changes.keys()).copied().collect(), both));
            }
        }
    }
    reached
}

/// All states with the least number of transactions that leads there (D22).
pub fn distances(ensemble: &GeneratedEnsemble) -> BTreeMap<Global, u32> {
    let mut found = BTreeMap::from([(initial(ensemble), 0)]);
    let mut level: Vec<Global> = found.keys().cloned().collect();
    let mut distance = 0;
    while !level.is_empty() {
        distance += 1;
        let reached: BTreeSet<Global> =
            level.iter().flat_map(|global| transactions(ensemble, global)).collect();
        level = reached.into_iter().filter(|global| !found.contains_key(global)).collect();
        found.extend(level.iter().map(|global| (global.clone(), distance)));
    }
    found
}

/// Whether a state matches a partial one (D26, D27).
pub fn matches(ensemble: &GeneratedEnsemble, global: &Global, goal: &[ObjectInState]) -> bool {
    goal.iter().all(|(player, state)| match global[player.index()] {
        MachinePosition::Original(at) => at == *state,
        MachinePosition::Intermediate(at) => {
            let arc = &arcs(ensemble, *player)[at];
            arc.effects.is_empty() && arc.to == *state
        }
    })
}

/// How many messages of a diagram can be applied one after the other from one of these states, with only empty messages in
/// between (D23).
pub fn prefix(ensemble: &GeneratedEnsemble, diagram: &MessageDiagram, from: BTreeSet<Global>) -> usize {
    let mut now = from;
    for (done, message) in diagram.messages.iter().enumerate() {
        let mut open: Vec<Global> = now.iter().cloned().collect();
        let mut next = BTreeSet::new();
        while let Some(global) = open.pop() {
            for change in moves(ensemble, &global) {
                let after = applied(&global, &change);
                match change.messages.as_slice() {
                    [] if now.insert(after.clone()) => open.push(after),
                    [only] if only == message => drop(next.insert(after)),
                    _ => {}
                }
            }
        }
        if next.is_empty() {
            return done;
        }
        now = next;
    }
    diagram.messages.len()
}

/// Whether the messages of a diagram can be applied one after the other from one of these states, with only empty messages in
/// between, where a transition with several effects is drawn as all its messages in any order (section 6.1.2): D23 with
/// multimessages.
pub fn is_possible(ensemble: &GeneratedEnsemble, diagram: &MessageDiagram, from: BTreeSet<Global>) -> bool {
    let mut known: BTreeSet<(Global, usize)> = from.into_iter().map(|global| (global, 0)).collect();
    let mut open: Vec<(Global, usize)> = known.iter().cloned().collect();
    while let Some((global, done)) = open.pop() {
        let left = &diagram.messages[done..];
        if left.is_empty() {
            return true;
        }
        for change in moves(ensemble, &global) {
            let count = change.messages.len();
            let drawn: BTreeSet<&DiagramExchange> = left.iter().take(count).collect();
            if left.len() >= count && drawn == change.messages.iter().collect() {
                let next = (applied(&global, &change), done + count);
                if known.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    false
}

/// The messages of a random path, step by step.
pub fn path(ensemble: &GeneratedEnsemble, random: &mut Random, steps: usize) -> Vec<Vec<DiagramExchange>> {
    let mut global = initial(ensemble);
    let mut path = Vec::new();
    for _ in 0..steps {
        let moves = moves(ensemble, &global);
        if moves.is_empty() {
            break;
        }
        let change = &moves[random.below(moves.len())];
        global = applied(&global, change);
        path.push(change.messages.clone());
    }
    path
}
