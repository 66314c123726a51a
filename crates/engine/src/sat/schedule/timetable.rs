//! Timetable: what each of several automata that meet does at which position of a run with transactions (P4, D18 to D22).
//!
//! For systems that are nothing but [`ComponentAutomata`] the clauses can be far fewer and tighter than those of an
//! [`Encoding`](crate::sat::encode::encoding::Encoding):
//!
//! - A literal says in which state a component is, whatever variables that state is made of.
//! - Impossible literals are left out. A component is in a state at a position only if it can reach it by
//!   then and can still reach the goal; a move is possible only if another component can meet it at the same
//!   position. Each restricts the other until a fixpoint. Often nothing is left to solve.
//! - Waiting is normalised. A state whose only way out is a silent move is left at once, and a state that is
//!   entered only silently is entered only when it is left. Then most moves need no literal of their own.

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::system::{ComponentId, Join, RuleId};

use crate::sat::schedule::automata::{ComponentAutomata, ComponentAutomaton, Spots};

/// How a component waits in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ComponentWait {
    /// For any number of positions.
    Long,
    /// Not at all; nothing is lost by going on.
    Hasty,
    /// Not at all; it could have waited before.
    Brief,
}

/// What may happen: by position, component, and number of the state or move.
pub struct Timetable<'p, 's> {
    /// The automata that are scheduled.
    pub automata: &'p ComponentAutomata<'s>,
    /// How many positions come after the first.
    pub most: usize,
    waits: IdVec<ComponentId, Vec<ComponentWait>>,
    /// For each position whether a component may be in a state.
    pub stays: Vec<IdVec<ComponentId, Vec<bool>>>,
    /// For each position whether a component may make a move there.
    pub moves: Vec<IdVec<ComponentId, Vec<bool>>>,
}

impl<'p, 's> Timetable<'p, 's> {
    /// All that may happen within `most` positions after which every component is in a target state; `None`
    /// if there is no such run.
    pub fn new(automata: &'p ComponentAutomata<'s>, spots: &Spots, most: usize) -> Option<Self> {
        let waits =
            automata.list.enumerate().map(|(id, automaton)| waits(automata, automaton, &spots[id])).collect();
        let all = |size: &dyn Fn(&ComponentAutomaton) -> usize| -> IdVec<ComponentId, Vec<bool>> {
            automata.list.iter().map(|automaton| vec![true; size(automaton)]).collect()
        };
        let mut stays = vec![all(&|automaton| automaton.states.len()); most + 1];
        for states in stays[0].iter_mut() {
            states.iter_mut().skip(1).for_each(|state| *state = false);
        }
        for (states, spots) in stays[most].iter_mut().zip(spots.iter()) {
            states.iter_mut().zip(spots).for_each(|(state, spot)| *state &= spot);
        }
        let moves = vec![all(&|automaton| automaton.moves.len()); most];
        let mut table = Timetable { automata, most, waits, stays, moves };
        while table.narrow() {}
        let is_somewhere = |states: &IdVec<ComponentId, Vec<bool>>| {
            states.iter().all(|states| states.iter().any(|state| *state))
        };
        table.stays.iter().all(is_somewhere).then_some(table)
    }

    /// Whether a component may be in a state at one position and at the next without a move.
    pub fn may_wait(&self, component: ComponentId, state: usize) -> bool {
        self.waits[component][state] == ComponentWait::Long
    }

    /// Removes states that are unreachable or lead nowhere, and moves without partner; whether some were
    /// removed.
    fn narrow(&mut self) -> bool {
        let mut changed = false;
        for position in 0..self.most {
            changed |= self.narrow_moves(position);
            changed |= self.narrow_states(position, position + 1, |from, to| (from, to));
        }
        for position in (0..self.most).rev() {
            changed |= self.narrow_moves(position);
            changed |= self.narrow_states(position + 1, position, |from, to| (to, from));
        }
        changed
    }

    /// Removes moves at a position whose ends are removed, or which have no partner.
    fn narrow_moves(&mut self, position: usize) -> bool {
        let system = self.automata.system;
        let mut changed = false;
        // For each label one component that offers it, and whether there is a second; the same for takers.
        let mut offers = vec![LabelPartners::Nobody; system.labels.len()];
        let mut takes = offers.clone();
        for (component, automaton) in self.automata.list.enumerate() {
            for (at, step) in automaton.moves.iter().enumerate() {
                if !self.moves[position][component][at] {
                    continue;
                }
                let ends = [(position, step.from), (position + 1, step.to)];
                if ends.iter().any(|(position, state)| !self.stays[*position][component][*state]) {
                    self.moves[position][component][at] = false;
                    changed = true;
                    continue;
                }
                match &system.rules[step.rule].join {
                    Join::Alone | Join::Listen(_) => {}
                    Join::Offer(labels) => {
                        labels.iter().for_each(|label| offers[label.index()].add(component));
                    }
                    Join::Take(label) => takes[label.index()].add(component),
                }
            }
        }
        for (component, automaton) in self.automata.list.enumerate() {
            for (at, step) in automaton.moves.iter().enumerate() {
                let is_met = match &system.rules[step.rule].join {
                    Join::Alone | Join::Listen(_) => true,
                    Join::Offer(labels) => labels.iter().all(|label| takes[label.index()].other(component)),
                    Join::Take(label) => offers[label.index()].other(component),
                };
                if !is_met && self.moves[position][component][at] {
                    self.moves[position][component][at] = false;
                    changed = true;
                }
            }
        }
        changed
    }

    /// Strikes out states at one position that no state of another next to it leads to.
    fn narrow_states(&mut self, near: usize, far: usize, ends: fn(usize, usize) -> (usize, usize)) -> bool {
        let mut changed = false;
        for (component, automaton) in self.automata.list.enumerate() {
            let waits = &self.waits[component];
            let long =
                |state: usize| waits[state] == ComponentWait::Long && self.stays[near][component][state];
            let mut is_led: Vec<bool> = (0..automaton.states.len()).map(long).collect();
            for (step, may) in automaton.moves.iter().zip(&self.moves[near.min(far)][component]) {
                is_led[ends(step.from, step.to).1] |= may;
            }
            for (stays, is_led) in self.stays[far][component].iter_mut().zip(is_led) {
                changed |= *stays && !is_led;
                *stays &= is_led;
            }
        }
        changed
    }
}

/// Which components offer or take a label: none, one or several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LabelPartners {
    Nobody,
    One(ComponentId),
    Several,
}

impl LabelPartners {
    fn add(&mut self, component: ComponentId) {
        *self = match *self {
            LabelPartners::Nobody => LabelPartners::One(component),
            LabelPartners::One(known) if known == component => LabelPartners::One(known),
            LabelPartners::One(_) | LabelPartners::Several => LabelPartners::Several,
        };
    }

    /// Whether there is another than this one.
    fn other(self, component: ComponentId) -> bool {
        match self {
            LabelPartners::Nobody => false,
            LabelPartners::One(known) => known != component,
            LabelPartners::Several => true,
        }
    }
}

/// How a component waits in each of its states. Between two states one of which leads silently to the other at least one is a place
/// to wait.
fn waits(
    automata: &ComponentAutomata<'_>,
    automaton: &ComponentAutomaton,
    spots: &[bool],
) -> Vec<ComponentWait> {
    let is_silent = |rule: RuleId| automata.system.rules[rule].join == Join::Alone;
    let mut waits = vec![ComponentWait::Long; automaton.states.len()];
    let mut is_waited_for = vec![false; automaton.states.len()];
    for state in 0..automaton.states.len() {
        let mut out = automaton.moves.iter().filter(|step| step.from == state);
        let (Some(step), None) = (out.next(), out.next()) else { continue };
        let keeps_goal = !spots[state] || spots[step.to];
        let has_place = step.to != state && waits[step.to] == ComponentWait::Long && !is_waited_for[state];
        if is_silent(step.rule) && keeps_goal && has_place {
            waits[state] = ComponentWait::Hasty;
            is_waited_for[step.to] = true;
        }
    }
    for state in 1..automaton.states.len() {
        let into = || automaton.moves.iter().filter(|step| step.to == state);
        let is_entered = |waits: &[ComponentWait]| {
            into().all(|step| {
                is_silent(step.rule) && step.from != state && waits[step.from] == ComponentWait::Long
            })
        };
        // What it is entered from is a place to wait, and stays one.
        let leads = automaton
            .moves
            .iter()
            .any(|step| step.from == state && is_silent(step.rule) && waits[step.to] == ComponentWait::Brief);
        if waits[state] == ComponentWait::Long && !is_waited_for[state] && !leads && is_entered(&waits) {
            waits[state] = ComponentWait::Brief;
        }
    }
    waits
}
