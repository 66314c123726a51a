//! Mail: the dataflow between workers, with levels as timestamps.
//!
//! One operator in a loop. What it is given while a worker is at level `t` arrives at level `t + 1`, at the worker it is for; and
//! timely tells when nothing more can arrive at a level, which is when no worker may send anything there any more. All else
//! happens outside of the dataflow, so that a search may borrow what it searches.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use timely::container::NoopBuilder;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Capability, ConnectLoop, Feedback};
use timely::scheduling::Activator;
use timely::worker::Worker;

use crate::parcel::{Parcel, ParcelDelivery};

/// The level of a search. A narrower number would overflow in silence.
pub(crate) type LevelNumber = u32;

/// What a worker has got, what it sends, and at which levels it may do so.
#[derive(Default)]
struct WorkerMail {
    inbox: BTreeMap<LevelNumber, Vec<Parcel>>,
    outbox: Vec<(LevelNumber, Parcel)>,
    rights: BTreeMap<LevelNumber, Capability<LevelNumber>>,
    /// Levels whose right is given up once everything is sent.
    left: Vec<LevelNumber>,
    /// The first level at which something may still arrive; `None` if nothing arrives any more.
    first: Option<LevelNumber>,
}

/// A worker's side of the dataflow.
pub(crate) struct Mail {
    office: Rc<RefCell<WorkerMail>>,
    activator: Activator,
}

impl Mail {
    /// Sets up the dataflow; each worker may begin at level 0.
    pub(crate) fn new(worker: &mut Worker) -> Self {
        let office = Rc::new(RefCell::new(WorkerMail { first: Some(0), ..WorkerMail::default() }));
        let inner = Rc::clone(&office);
        let activator = worker.dataflow::<LevelNumber, _, _>(move |scope| {
            let (handle, cycle) = scope.feedback::<Parcel>(1);
            let mut activator = None;
            let sent = cycle.unary_frontier::<NoopBuilder<Parcel>, _, _, _>(
                DistributorPact(|_| ParcelDelivery),
                "states",
                |right, info| {
                    activator = Some(scope.activator_for(info.address));
                    inner.borrow_mut().rights.insert(0, right);
                    move |(input, frontier), output| {
                        let office = &mut *inner.borrow_mut();
                        let port = output.output_index();
                        input.for_each(|right, parcel| {
                            let level = *right.time();
                            office.rights.entry(level).or_insert_with(|| right.retain(port));
                            office.inbox.entry(level).or_default().push(std::mem::take(parcel));
                        });
                        for (level, mut parcel) in office.outbox.drain(..) {
                            if let Some(right) = office.rights.get(&level) {
                                output.session_with_builder(right).give_container(&mut parcel);
                            }
                        }
                        for level in office.left.drain(..) {
                            office.rights.remove(&level);
                        }
                        office.first = frontier.frontier().first().copied();
                    }
                },
            );
            sent.connect_loop(handle);
            activator.expect("the operator was made")
        });
        Mail { office, activator }
    }

    /// What has arrived at a level.
    pub(crate) fn take(&self, level: LevelNumber) -> Vec<Parcel> {
        self.office.borrow_mut().inbox.remove(&level).unwrap_or_default()
    }

    /// Sends something from a level to the next one.
    pub(crate) fn send(&self, level: LevelNumber, parcel: Parcel) {
        self.office.borrow_mut().outbox.push((level, parcel));
        self.activator.activate();
    }

    /// Keeps the right to send from the level after one at which there is that right.
    pub(crate) fn keep_next(&self, level: LevelNumber) {
        let office = &mut *self.office.borrow_mut();
        if let Some(right) = office.rights.get(&level) {
            let next = right.delayed(&(level + 1));
            office.rights.entry(level + 1).or_insert(next);
        }
    }

    /// Gives up the right to send from a level, as soon as what was given for it is sent.
    pub(crate) fn leave(&self, level: LevelNumber) {
        self.office.borrow_mut().left.push(level);
        self.activator.activate();
    }

    /// Whether nothing more can arrive at a level, while something may at later ones.
    pub(crate) fn is_complete(&self, level: LevelNumber) -> bool {
        self.office.borrow().first.is_some_and(|first| first > level)
    }
}
