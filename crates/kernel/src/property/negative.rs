//! What a `neg` diagram forbids (rules I7, I8, I12; P0, section VI).
//!
//! The observer accepts runs that contain an invalid trace of the property: in order, with anything in
//! between ([`Mode::Strong`]), or with nothing in between ([`Mode::Weak`]). It reads each event of the run
//! either as one of the trace or as one in between. The System of the property decides which traces are
//! invalid, including guards, nested negations and the switches about them. The empty trace is excluded: at
//! least one event must match.

use std::rc::Rc;

use super::pattern::{Configs, PropertyPattern};
use super::{Marks, Moment, Observer};
use crate::model::{InteractionId, Mode, Model};
use crate::semantics::{Assumptions, Unsupported};
use crate::system::{EventId, System, TermId, TraceClass};

/// An observer that accepts runs with an invalid trace in them.
#[derive(Debug)]
pub struct Negative {
    pattern: PropertyPattern,
    mode: Mode,
}

/// What is remembered of a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum NegativeMemory {
    /// Nothing was matched yet.
    Waiting,
    /// Where the property may be after what was matched.
    Matching(Rc<Configs>),
    /// An invalid trace is complete.
    Found,
}

impl Negative {
    /// Prepares a `neg` diagram for runs of a system. Guards that both share are to be fixed by the assumptions of both.
    pub fn new(
        model: &Model,
        property: InteractionId,
        system: &System,
        assumptions: &Assumptions,
        mode: Mode,
    ) -> Result<Self, Unsupported> {
        let assumptions = Assumptions { without_negatives: false, ..assumptions.clone() };
        let pattern = PropertyPattern::new(model, property, system, &assumptions, false)?;
        Ok(Negative { pattern, mode })
    }

    /// The events of the property that never happen in the system, as texts: with one of them on every way through it the
    /// property holds for lack of anything to forbid.
    pub fn strangers(&self) -> Vec<String> {
        self.pattern.strangers()
    }

    /// Whether something had to wait for a loop's window: the property forbids more than was looked for.
    pub fn is_strained(&self) -> bool {
        self.pattern.is_strained()
    }

    /// The positions of a run's events that form an invalid trace, if one is complete: the one that is over first.
    pub fn witness(&self, run: &[EventId]) -> Option<Vec<usize>> {
        let mut ways: Vec<(NegativeMemory, Vec<usize>)> = vec![(NegativeMemory::Waiting, Vec::new())];
        for (at, event) in run.iter().enumerate() {
            let mut next: Vec<(NegativeMemory, Vec<usize>)> = Vec::new();
            for (state, matched) in ways {
                let with = matched.iter().copied().chain([at]).collect();
                for (state, matched) in self
                    .taken(&state, *event)
                    .map(|state| (state, with))
                    .into_iter()
                    .chain(self.passed(&state, *event).map(|state| (state, matched)))
                {
                    if state == NegativeMemory::Found {
                        return Some(matched);
                    }
                    // Of several ways to the same the first is as good as any.
                    if next.iter().all(|(known, _)| *known != state) {
                        next.push((state, matched));
                    }
                }
            }
            ways = next;
        }
        None
    }

    /// The event is one of the trace.
    fn taken(&self, state: &NegativeMemory, event: EventId) -> Option<NegativeMemory> {
        let next = match state {
            NegativeMemory::Waiting => self.pattern.take(&self.pattern.first(None), event, None),
            NegativeMemory::Matching(configs) => self.pattern.take(configs, event, None),
            NegativeMemory::Found => return Some(NegativeMemory::Found),
        };
        let system = &self.pattern.property.system;
        if next.iter().any(|config| system.class(config) == Some(TraceClass::Invalid)) {
            return Some(NegativeMemory::Found);
        }
        (!next.is_empty()).then(|| NegativeMemory::Matching(Rc::new(next)))
    }

    /// The event lies in between, or before the trace.
    fn passed(&self, state: &NegativeMemory, event: EventId) -> Option<NegativeMemory> {
        match state {
            NegativeMemory::Waiting => Some(NegativeMemory::Waiting),
            NegativeMemory::Matching(configs) => {
                let may_lie = self.mode == Mode::Strong || self.pattern.is_ignored(event);
                let left = if may_lie { self.pattern.skip(configs, event) } else { Configs::new() };
                (!left.is_empty()).then(|| NegativeMemory::Matching(Rc::new(left)))
            }
            NegativeMemory::Found => None,
        }
    }
}

impl Observer for Negative {
    type State = NegativeMemory;

    fn marks(&self) -> u32 {
        1
    }

    fn first(&self) -> NegativeMemory {
        NegativeMemory::Waiting
    }

    fn read(
        &self,
        state: &NegativeMemory,
        moment: Moment,
        _holds: &mut dyn FnMut(TermId) -> bool,
        ways: &mut Vec<(NegativeMemory, Marks)>,
    ) {
        match (state, moment) {
            (NegativeMemory::Found, _) => ways.push((NegativeMemory::Found, 1)),
            (_, Moment::Start | Moment::Silent) => ways.push((state.clone(), 0)),
            (_, Moment::Event(event)) => {
                let next = [self.taken(state, event), self.passed(state, event)];
                ways.extend(next.into_iter().flatten().map(|next| {
                    let marks = Marks::from(next == NegativeMemory::Found);
                    (next, marks)
                }));
            }
            (_, Moment::End | Moment::Stuck) => {}
        }
    }

    fn is_safety(&self) -> bool {
        true
    }

    fn accepts_all(&self, state: &NegativeMemory) -> bool {
        *state == NegativeMemory::Found
    }
}
