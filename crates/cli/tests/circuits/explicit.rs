//! All states of a circuit, one by one: whether a bad one is reached, and whether some run meets all that is to be met again and again.
//! Nothing clever: every input is tried in every state, 64 of them at once. But for guesses: whatever is right to guess in the course of a
//! run may as well be guessed all at once, when the last of it is; and a run with a wrong guess is no better than one without.

use std::collections::HashMap;

use super::aiger::Circuit;

/// What is found in a circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    /// Whether a bad state is reached.
    pub is_bad: bool,
    /// Whether a run goes on forever and meets everything of some list again and again.
    pub is_endless: bool,
    /// Whether the first output is ever true.
    pub is_strained: bool,
}

/// A step: where it leads, and what of that which is to be met it meets, a bit for each literal of all lists.
type Step = (u32, u64);

/// Looks at all states; none if that is too much work.
pub(crate) fn explore(circuit: &Circuit, most: usize) -> Option<Found> {
    let met: Vec<u32> = circuit.justice.iter().flatten().copied().collect();
    if circuit.inputs.len() > 16 || met.len() > 64 {
        return None;
    }
    let named = |kind: usize, start: &str| -> Vec<usize> {
        let names = circuit.names[kind].iter().enumerate();
        names.filter(|(_, name)| name.starts_with(start)).map(|(at, _)| at).collect()
    };
    let [guesses, guessed, wrong] = [named(0, "guess "), named(1, "guessed "), named(1, "wrong ")];
    let guess = guesses.iter().fold(0, |all, at| all | 1_u64 << at);
    let all: Vec<u64> = (0..1 << circuit.inputs.len()).collect();
    let few: Vec<u64> = all.iter().copied().filter(|inputs| inputs & guess == 0).collect();
    let mut found = Found { is_bad: false, is_endless: false, is_strained: false };
    let mut known: HashMap<Vec<bool>, u32> = HashMap::from([(circuit.first(), 0)]);
    let mut states = vec![circuit.first()];
    let mut steps: Vec<Vec<Step>> = Vec::new();
    let mut work = 0;
    while let Some(state) = states.get(steps.len()).cloned() {
        let inputs = if guessed.iter().any(|at| state[*at]) { &few } else { &all };
        // Values are found, and states are told apart.
        work += inputs.len() * (circuit.gates.len() / 64 + circuit.latches.len());
        if work > most {
            return None;
        }
        let mut own: Vec<Step> = Vec::new();
        for inputs in inputs.chunks(64) {
            let values = values(circuit, &state, inputs);
            let of = |literal: u32| value(&values, literal);
            let used = u64::MAX >> (64 - inputs.len());
            found.is_bad |= circuit.bad.iter().any(|bad| of(*bad) & used != 0);
            found.is_strained |= circuit.outputs.iter().any(|output| of(*output) & used != 0);
            let next: Vec<u64> = circuit.latches.iter().map(|(_, next, _)| of(*next)).collect();
            let marks: Vec<u64> = met.iter().map(|literal| of(*literal)).collect();
            for lane in 0..inputs.len() {
                let bit = |word: &u64| word >> lane & 1 == 1;
                if wrong.iter().any(|at| bit(&next[*at])) {
                    continue;
                }
                let to: Vec<bool> = next.iter().map(bit).collect();
                let fresh = known.len() as u32;
                let number = *known.entry(to.clone()).or_insert(fresh);
                if number == fresh {
                    states.push(to);
                }
                let seen = (0..).zip(&marks).fold(0, |seen, (at, word)| seen | u64::from(bit(word)) << at);
                own.push((number, seen));
            }
        }
        own.sort_unstable();
        own.dedup();
        steps.push(own);
    }
    let parts = parts(&steps);
    let mut seen: HashMap<u32, u64> = HashMap::new();
    for (from, own) in steps.iter().enumerate() {
        for (_, marks) in own.iter().filter(|(to, _)| parts[*to as usize] == parts[from]) {
            *seen.entry(parts[from]).or_default() |= marks;
        }
    }
    let mut at = 0;
    for list in &circuit.justice {
        let wanted = (at..at + list.len()).fold(0, |all, bit| all | 1 << bit);
        at += list.len();
        found.is_endless |= seen.values().any(|seen| seen & wanted == wanted);
    }
    Some(found)
}

/// The values of all variables in a state, for up to 64 ways of the inputs.
fn values(circuit: &Circuit, state: &[bool], inputs: &[u64]) -> Vec<u64> {
    let all = |value: bool| if value { u64::MAX } else { 0 };
    let mut values = vec![0; circuit.inputs.len() + circuit.latches.len() + circuit.gates.len() + 1];
    for (at, literal) in circuit.inputs.iter().enumerate() {
        let lanes = inputs.iter().enumerate();
        values[*literal as usize / 2] =
            lanes.fold(0, |word, (lane, inputs)| word | (inputs >> at & 1) << lane);
    }
    for ((literal, ..), is_set) in circuit.latches.iter().zip(state) {
        values[*literal as usize / 2] = all(*is_set);
    }
    for [gate, a, b] in &circuit.gates {
        values[*gate as usize / 2] = value(&values, *a) & value(&values, *b);
    }
    values
}

fn value(values: &[u64], literal: u32) -> u64 {
    let positive = values[literal as usize / 2];
    if literal & 1 == 1 { !positive } else { positive }
}

/// For each state the number of its strongly connected part (Kosaraju).
fn parts(steps: &[Vec<Step>]) -> Vec<u32> {
    let mut order = Vec::new();
    let mut is_seen = vec![false; steps.len()];
    // All states are reached from the first.
    let mut path = vec![(0, 0)];
    is_seen[0] = true;
    while let Some((state, at)) = path.pop() {
        match steps[state].get(at) {
            Some((to, _)) => {
                path.push((state, at + 1));
                if !std::mem::replace(&mut is_seen[*to as usize], true) {
                    path.push((*to as usize, 0));
                }
            }
            None => order.push(state),
        }
    }
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); steps.len()];
    for (from, own) in steps.iter().enumerate() {
        own.iter().for_each(|(to, _)| before[*to as usize].push(from));
    }
    let mut parts = vec![u32::MAX; steps.len()];
    for (number, root) in order.into_iter().rev().enumerate() {
        let mut open = vec![root];
        while let Some(state) = open.pop() {
            if parts[state] == u32::MAX {
                parts[state] = number as u32;
                open.extend(&before[state]);
            }
        }
    }
    parts
}
