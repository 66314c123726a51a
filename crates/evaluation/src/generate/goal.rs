//! Random partial global states (P4, section 5.3.2).

use sequent_kernel::id::Id;
use sequent_kernel::random::Random;

use super::ensemble::{GeneratedEnsemble, ObjectInState, PlayerId, StateId};
use super::machines::Chance;

/// States of some objects: as many as `size` of all, rounded up; objects and states at random.
pub fn goal(ensemble: &GeneratedEnsemble, size: Chance, random: &mut Random) -> Vec<ObjectInState> {
    let mut players: Vec<PlayerId> = ensemble.players.ids().collect();
    random.shuffle(&mut players);
    players.truncate(size.of(players.len()));
    players.sort();
    let state = |player: PlayerId, random: &mut Random| {
        StateId::from_index(random.below(ensemble.plain(player).states.len()))
    };
    players.into_iter().map(|player| (player, state(player, random))).collect()
}
