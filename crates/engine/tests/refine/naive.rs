//! Traces, failures and divergences as they are defined, up to a length.

use std::collections::BTreeSet;

use super::process::Process;

/// The proper end, as a letter of traces and refusals.
pub(crate) const END: usize = 9;

/// What a process does.
#[derive(Debug, Default)]
pub(crate) struct Behaviour {
    pub traces: BTreeSet<Vec<usize>>,
    /// Traces with what is refused after them, as a set of letters.
    pub failures: BTreeSet<(Vec<usize>, BTreeSet<usize>)>,
    pub divergences: BTreeSet<Vec<usize>>,
}

impl Process {
    fn moves(&self, state: usize) -> impl Iterator<Item = (Option<usize>, usize)> + '_ {
        self.edges.iter().filter(move |edge| edge.0 == state).map(|edge| (edge.1, edge.2))
    }

    /// All that invisible steps lead to.
    fn settled(&self, states: BTreeSet<usize>) -> BTreeSet<usize> {
        let mut all = states.clone();
        for state in &states {
            all.extend(self.moves(*state).filter(|(letter, _)| letter.is_none()).map(|(_, to)| to));
        }
        if all == states { all } else { self.settled(all) }
    }

    /// The states after a trace without end.
    pub(crate) fn after(&self, trace: &[usize]) -> BTreeSet<usize> {
        let mut states = self.settled(BTreeSet::from([0]));
        for seen in trace {
            let next = states.iter().flat_map(|state| self.moves(*state));
            states =
                self.settled(next.filter(|(letter, _)| *letter == Some(*seen)).map(|(_, to)| to).collect());
        }
        states
    }

    /// Whether invisible steps lead back to a state.
    fn is_divergent(&self, state: usize) -> bool {
        let next = self.moves(state).filter(|(letter, _)| letter.is_none()).map(|(_, to)| to).collect();
        self.settled(next).contains(&state)
    }

    /// What a state at rest takes.
    fn offer(&self, state: usize) -> Option<BTreeSet<usize>> {
        match self.ends[state] {
            true => Some(BTreeSet::from([END])),
            false => self.moves(state).map(|(letter, _)| letter).collect(),
        }
    }

    /// All that it does with traces of at most so many events.
    pub(crate) fn behaviour(&self, letters: usize, longest: usize) -> Behaviour {
        let mut behaviour = Behaviour::default();
        self.grow(&mut Vec::new(), letters, longest, &mut behaviour);
        behaviour
    }

    fn grow(&self, trace: &mut Vec<usize>, letters: usize, longest: usize, behaviour: &mut Behaviour) {
        let states = self.after(trace);
        if states.is_empty() {
            return;
        }
        behaviour.traces.insert(trace.clone());
        if states.iter().any(|state| self.ends[*state]) {
            let ended = trace.iter().copied().chain([END]).collect();
            behaviour.traces.insert(ended);
        }
        if states.iter().any(|state| self.is_divergent(*state)) {
            behaviour.divergences.insert(trace.clone());
        }
        let all: Vec<usize> = (0..letters).chain([END]).collect();
        for offer in states.iter().filter_map(|state| self.offer(*state)) {
            for choice in 0..1_usize << all.len() {
                let refused = (0..all.len()).filter(|at| choice & (1 << at) != 0).map(|at| all[at]);
                let refused: BTreeSet<usize> = refused.collect();
                if refused.is_disjoint(&offer) {
                    behaviour.failures.insert((trace.clone(), refused));
                }
            }
        }
        if trace.len() < longest {
            for letter in 0..letters {
                trace.push(letter);
                self.grow(trace, letters, longest, behaviour);
                trace.pop();
            }
        }
    }
}

impl Behaviour {
    /// Whether a trace begins with one after which everything is allowed.
    pub(crate) fn is_chaotic(&self, trace: &[usize]) -> bool {
        (0..=trace.len()).any(|length| self.divergences.contains(&trace[..length]))
    }
}
