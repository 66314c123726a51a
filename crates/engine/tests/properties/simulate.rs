//! Whether an observer accepts a finite run: it is read in all ways at once, and then the end forever.

use std::collections::{BTreeMap, HashMap};

use sequent_engine::traces::{TraceLimits, Traces};
use sequent_kernel::property::{Marks, Moment, Observer, all_marks};
use sequent_kernel::system::{EventId, System, TraceClass};

/// An observer with what it said so far.
pub(crate) struct Reader<'o, O: Observer> {
    observer: &'o O,
    known: HashMap<(O::State, Moment), Ways<O>>,
}

type Ways<O> = Vec<(<O as Observer>::State, Marks)>;

impl<'o, O: Observer> Reader<'o, O> {
    pub(crate) fn new(observer: &'o O) -> Self {
        Reader { observer, known: HashMap::new() }
    }

    fn read(&mut self, state: &O::State, moment: Moment) -> Ways<O> {
        let observer = self.observer;
        let read = || {
            let mut ways = Vec::new();
            observer.read(state, moment, &mut |_| panic!("nothing but events is read"), &mut ways);
            ways
        };
        self.known.entry((state.clone(), moment)).or_insert_with(read).clone()
    }

    pub(crate) fn accepts(&mut self, run: &[EventId]) -> bool {
        let mut states = vec![self.observer.first()];
        for moment in [Moment::Start].into_iter().chain(run.iter().map(|event| Moment::Event(*event))) {
            let mut next: Vec<O::State> = Vec::new();
            for state in &states {
                for (state, _) in self.read(state, moment) {
                    if !next.contains(&state) {
                        next.push(state);
                    }
                }
            }
            states = next;
        }
        let all = all_marks(self.observer.marks());
        // The observers here stay where they are once the run is over.
        let mut at = 0;
        while at < states.len() {
            let state = states[at].clone();
            for (next, marks) in self.read(&state, Moment::End) {
                if next == state && marks == all {
                    return true;
                }
                if !states.contains(&next) {
                    states.push(next);
                }
            }
            at += 1;
        }
        false
    }
}

/// The valid traces of a system.
pub(crate) fn runs(system: &System) -> Vec<Vec<EventId>> {
    let traces = Traces::explore(system, TraceLimits::default()).expect("it is small");
    let (listed, is_all) = traces.list_of(TraceClass::Valid, 30_000);
    assert!(is_all);
    let ids: BTreeMap<&str, EventId> =
        system.events.enumerate().map(|(id, event)| (event.text.as_str(), id)).collect();
    listed.iter().map(|trace| trace.iter().map(|text| ids[text]).collect()).collect()
}
