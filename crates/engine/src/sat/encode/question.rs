//! Questions: is there a run that reaches a goal, or that an observer accepts? For the engines both are one:
//! a literal that holds at the last position of such a run.

use sequent_kernel::property::Observer;
use sequent_kernel::question::{Case, Goal};
use sequent_kernel::system::{System, TermId};

use crate::sat::encode::encoding::Encoding;
use crate::sat::encode::liveness::Liveness;
use crate::sat::encode::near::near;
use crate::sat::encode::table::{self, ObserverTable, written};
use crate::sat::encode::{NotEncodable, Pace};
use crate::sat::solver::{FALSE, Literal};

/// Between two messages of a scenario there are at most this many positions, for machines as in P4 (section
/// 4.4).
const GAP: usize = 4;

/// What is looked for in a system.
#[derive(Clone)]
pub struct EncodedQuestion<'s> {
    /// The system, with its observer if there is one.
    pub encoding: Encoding<'s>,
    /// What holds at the last position of a run that is looked for.
    pub wanted: Literal,
    /// The predicate that holds there, where nothing else is asked.
    pub goal: Option<TermId>,
    /// How many positions such a run may have at most, where the question says so.
    pub bound: Option<usize>,
    /// How many positions such a run has at most in most systems.
    pub usual: Option<usize>,
    /// For each thing that an observer remembers how far it has come.
    pub depths: Vec<usize>,
}

impl<'s> EncodedQuestion<'s> {
    /// A case as clauses.
    pub fn new(case: &'s Case) -> Result<Self, NotEncodable> {
        let system = &*case.system;
        let question = match &case.goal {
            Goal::Stuck => Self::stuck(system, case.pace),
            Goal::State(goal) => Self::goal(system, case.pace, *goal),
            Goal::Accepted(watcher) => Self::of(system, case.pace, &table::of(case, watcher)?, case.begins),
        }?;
        Ok(question.within(case.within))
    }

    /// A state in which a predicate holds.
    pub fn goal(system: &'s System, pace: Pace, goal: TermId) -> Result<Self, NotEncodable> {
        let encoding = Encoding::new(system, pace, &[goal])?;
        let wanted = encoding.truth(goal).expect("it was named");
        Ok(EncodedQuestion {
            encoding,
            wanted,
            goal: Some(goal),
            bound: None,
            usual: None,
            depths: Vec::new(),
        })
    }

    /// The same with a bound on the number of positions.
    pub fn within(self, bound: Option<usize>) -> Self {
        EncodedQuestion { bound, ..self }
    }

    /// A state in which a predicate holds that the question knows, on a run that its observer reads. Such a run does not go round,
    /// whatever was remembered on the way.
    pub fn instead(&self, goal: TermId) -> Option<Self> {
        let wanted = self.encoding.truth(goal)?;
        let mut question = EncodedQuestion { wanted, goal: None, ..self.clone() };
        question.encoding.remembers = None;
        Some(question)
    }

    /// A state without any step that is no proper end.
    pub fn stuck(system: &'s System, pace: Pace) -> Result<Self, NotEncodable> {
        let (encoding, wanted) = Encoding::stuck(system, pace)?;
        Ok(EncodedQuestion { encoding, wanted, goal: None, bound: None, usual: None, depths: Vec::new() })
    }

    /// A run that an observer accepts, finite or not.
    pub fn observed<O: Observer>(system: &'s System, pace: Pace, observer: &O) -> Result<Self, NotEncodable> {
        Self::of(system, pace, &written(system, observer)?, None)
    }

    /// The same for the table of an observer. If `begins` is given, an attempt must have begun after that
    /// many positions: from then on the observer may be in no memory of depth 0.
    pub fn of(
        system: &'s System,
        pace: Pace,
        table: &ObserverTable,
        begins: Option<u32>,
    ) -> Result<Self, NotEncodable> {
        let mut encoding = Encoding::watched(system, pace, &[], table)?;
        if let Some(begins) = begins {
            let waiting = (0..table.memories).filter(|memory| table.depths[*memory] == 0);
            encoding = near(&encoding, &waiting.collect::<Vec<_>>(), begins);
        }
        let depths = table.depths.clone();
        let deepest = depths.iter().copied().max().unwrap_or(0);
        let usual = begins.map(|begins| begins as usize + GAP * deepest);
        if table.accepts_nothing() {
            return Ok(EncodedQuestion { encoding, wanted: FALSE, goal: None, bound: None, usual, depths });
        }
        let watch = encoding.watch.as_ref().expect("somebody watches");
        let (wanted, asks) = (watch.accepted, watch.asks_for_circles(system, table));
        match system.endless.as_ref().filter(|_| asks) {
            None => Ok(EncodedQuestion { encoding, wanted, goal: None, bound: None, usual, depths }),
            Some(endless) => {
                let Liveness { encoding, accepted } = Liveness::new(&encoding, endless)?;
                Ok(EncodedQuestion { encoding, wanted: accepted, goal: None, bound: None, usual, depths })
            }
        }
    }
}
