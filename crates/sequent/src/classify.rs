//! Classify: whether a given trace is valid, invalid or inconclusive for an interaction (rule I12).
//!
//! The trace is followed twice: through the valid runs, which tells where it leaves them and what could have happened
//! there instead; and through all runs, which tells whether it runs through a `neg`. A trace that can only be explained by
//! leaving an `assert` is invalid too; whatever is neither valid nor invalid is inconclusive.

mod spelling;

use sequent_engine::traces::{SetId, Sets};
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::{Assumptions, Switches, Unsupported, lower};
use sequent_kernel::source::Place;
use sequent_kernel::system::{ComponentId, EventId, EventKind, System, TraceClass};

pub use spelling::read_trace;

/// What a trace is, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Classification {
    /// The class.
    pub class: TraceClass,
    /// Why.
    pub reason: ClassReason,
    /// How many of its events belong to a valid trace: all, or those before the first that does not.
    pub fitting: usize,
    /// Events with which a valid trace goes on from there.
    pub instead: Vec<String>,
    /// Whether a valid trace may end there.
    pub may_end: bool,
    /// Whether iterations of a loop were too far apart to be looked at.
    pub is_strained: bool,
}

/// Why a trace has its class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClassReason {
    /// It is complete.
    Complete,
    /// It runs through a `neg`.
    Negative,
    /// It runs through an operand whose guard is false, where that is invalid (`false-guard=invalid`, `false-neg=invalid`).
    FalseGuard,
    /// It leaves an `assert`.
    Left(Place),
    /// It goes on otherwise than any valid trace.
    Astray,
    /// It ends before any valid trace does.
    Unfinished,
}

/// No more iterations of a loop are kept apart.
const WIDEST: usize = 256;

/// Classifies a trace, given as event texts.
pub fn classify(
    model: &Model,
    id: InteractionId,
    assumptions: &Assumptions,
    trace: &[String],
) -> Result<Classification, Unsupported> {
    let enough = trace.len().clamp(1, WIDEST);
    let mut window = 1;
    loop {
        let result = classify_within(model, id, assumptions, trace, window)?;
        if !result.is_strained || window == enough {
            return Ok(result);
        }
        window = (window * 2).min(enough);
    }
}

/// Classifies a trace with a window of `window` iterations.
fn classify_within(
    model: &Model,
    id: InteractionId,
    assumptions: &Assumptions,
    trace: &[String],
    window: usize,
) -> Result<Classification, Unsupported> {
    let all = lower(model, id, &Assumptions { window, ..assumptions.clone() })?;
    let valid = lower(model, id, &Assumptions { window, without_negatives: true, ..assumptions.clone() })?;
    // Iterations beyond the window could only add valid traces, unless there are orderings, regions or calls
    // that block others.
    let may_forbid = !all.reasons.is_empty();
    let all = Followed::new(&all, trace);
    let mut valid = Followed::new(&valid, trace);
    let class = if all.fitting == trace.len() { all.sets.class(all.last) } else { None };
    let (class, reason) = match class {
        Some(TraceClass::Valid) => (TraceClass::Valid, ClassReason::Complete),
        Some(TraceClass::Invalid) => (TraceClass::Invalid, ClassReason::Negative),
        Some(TraceClass::Inconclusive) => (TraceClass::Inconclusive, ClassReason::Negative),
        // What has run through a `neg` is invalid, however it goes on, unless the diagram says how it goes on.
        None if all.is_invalid => (TraceClass::Invalid, ClassReason::Negative),
        None if valid.fitting == trace.len() => (TraceClass::Inconclusive, ClassReason::Unfinished),
        None => match valid.left_assertion(&trace[valid.fitting]) {
            Some(place) => (TraceClass::Invalid, ClassReason::Left(place)),
            None => (TraceClass::Inconclusive, ClassReason::Astray),
        },
    };
    let is_invalid = class == TraceClass::Invalid && reason == ClassReason::Negative;
    let is_guarded = is_invalid && !is_negative(model, id, assumptions, trace, window)?;
    let reason = if is_guarded { ClassReason::FalseGuard } else { reason };
    // A trace of n events needs no more than n iterations at a time.
    let is_strained = [&all, &valid]
        .iter()
        .any(|followed| followed.is_cut || (followed.sets.is_strained() && window < trace.len()));
    Ok(Classification {
        class,
        reason,
        fitting: valid.fitting,
        instead: valid.instead(),
        may_end: valid.sets.class(valid.last) == Some(TraceClass::Valid),
        is_strained: is_strained && (class != TraceClass::Valid || may_forbid),
    })
}

/// Whether a trace that is invalid runs through a `neg`: it is invalid however false guards are judged.
fn is_negative(
    model: &Model,
    id: InteractionId,
    assumptions: &Assumptions,
    trace: &[String],
    window: usize,
) -> Result<bool, Unsupported> {
    let strict = &assumptions.switches;
    if !strict.invalid_if_false && !strict.invalid_if_neg_false {
        return Ok(true);
    }
    let switches = Switches { invalid_if_false: false, invalid_if_neg_false: false, ..strict.clone() };
    let system = lower(model, id, &Assumptions { window, switches, ..assumptions.clone() })?;
    Ok(Followed::new(&system, trace).is_invalid)
}

/// A trace as far as a system goes along with it.
struct Followed<'a> {
    system: &'a System,
    sets: Sets<'a>,
    fitting: usize,
    last: SetId,
    /// Whether some explanation of it, or of a part from its beginning, is invalid.
    is_invalid: bool,
    /// There were more explanations than can be looked at.
    is_cut: bool,
}

/// More configurations are not looked at.
const MOST_STATES: usize = 50_000;

impl<'a> Followed<'a> {
    fn new(system: &'a System, trace: &[String]) -> Self {
        let mut sets = Sets::with_room(system, MOST_STATES);
        let mut last = sets.first();
        let mut fitting = 0;
        let mut is_invalid = false;
        while let Some(next) = trace.get(fitting).and_then(|event| sets.after(last, event)) {
            if sets.is_full() {
                break;
            }
            last = next;
            fitting += 1;
            is_invalid |= sets.any_holds(last, system.invalid);
        }
        let is_cut = sets.is_full();
        Followed { system, sets, fitting, last, is_invalid, is_cut }
    }

    fn instead(&mut self) -> Vec<String> {
        let events = self.sets.next(self.last).map(|(event, _)| self.system.events[event].text.clone());
        let mut texts: Vec<String> = events.collect();
        texts.sort();
        texts
    }

    /// The assertion that an event leaves, if every explanation of what came before it has one open on its lifeline.
    fn left_assertion(&self, event: &str) -> Option<Place> {
        let actor = actor(self.system, event)?;
        let configs = self.sets.configs(self.last);
        let is_own = |own: &EventId| self.system.events[*own].text == event;
        let open = |config| {
            let mut mandatory = self.system.mandatory.iter().filter(|one| one.component == actor);
            mandatory.find(|one| self.system.holds(one.open, config) && !one.events.iter().any(is_own))
        };
        let left: Option<Vec<_>> = configs.iter().map(open).collect();
        left?.first().map(|mandatory| mandatory.place)
    }
}

/// The lifeline on which an event happens, known or not.
fn actor(system: &System, text: &str) -> Option<ComponentId> {
    if let Some(event) = system.events.iter().find(|event| event.text == text) {
        return match event.kind {
            EventKind::Send | EventKind::Rendezvous | EventKind::Termination => event.from,
            EventKind::Receive => event.to,
        };
    }
    let named = |name: &str| system.components.find(|known| known == name);
    let (from, rest) = text.split_once("->")?;
    match (from.strip_prefix('!'), text.starts_with('?')) {
        (Some(sender), _) => named(sender),
        (None, true) => rest.split_once(':').and_then(|(receiver, _)| named(receiver)),
        (None, false) => None,
    }
}
