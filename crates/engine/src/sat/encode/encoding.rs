//! Encoding: a System as clauses over one position of a run and the next.
//!
//! The encoding is direct and linear. A rule has a literal that says that it fires at this position; from it follow its
//! guard, its updates, and with whom it fires. Rules that join are tied by what they offer and take, each component for
//! itself: who meets whom is never written out.
//!
//! Clauses are made once, over local variables. Those of the state come first, then what is computed from the state
//! (guards, predicates), then what happens at this position; the state after it is the state of the next position:
//!
//! ```text
//!  position 0                       position 1
//!  state | terms | rules          | state | terms | rules | ..
//!  |<--------- period ----------->|
//! ```
//!
//! So a position costs a loop over the clauses that adds a number to each literal, and the positions of a run, the one step
//! of an induction and the frames of IC3 are all made from the same clauses.
//!
//! One step at a time ([`Pace::Single`]) is what the interpreter does. [`Pace::Together`] fires any set of steps of different
//! components that cannot tell in which order they happen: the transactions of P4 (definitions D18 to D22). A step that
//! writes what others look at is taken alone.

use std::collections::{BTreeMap, HashMap};

use sequent_kernel::id::IdVec;
use sequent_kernel::system::{Config, Join, LabelId, RuleId, Step, System, TermId};

use super::{NotEncodable, Pace};
use crate::sat::encode::local;
use crate::sat::encode::state::PositionLiterals;
use crate::sat::encode::table::ObserverTable;
use crate::sat::encode::watching::EncodedObserver;
use crate::sat::encode::writer::{ClauseWriter, IdlePositions, NEXT};
use crate::sat::solver::Literal;

/// A System as clauses over one position and the next.
#[derive(Clone, Debug)]
pub struct Encoding<'s> {
    /// What is encoded.
    pub system: &'s System,
    /// How much happens at a position.
    pub pace: Pace,
    /// Where the variables lie.
    pub state: PositionLiterals,
    /// How many literals further the next position lies.
    pub period: i32,
    /// What holds at every position, the last one included: what values are, what terms mean.
    pub definitions: Vec<Vec<Literal>>,
    /// What holds between a position and the next.
    pub steps: Vec<Vec<Literal>>,
    /// For each rule whether it fires.
    pub fires: IdVec<RuleId, Literal>,
    /// The observer of its runs, if there is one.
    pub watch: Option<EncodedObserver>,
    /// Whether the state of a position is the one to which a cycle returns, if cycles are searched.
    pub remembers: Option<Literal>,
    /// What is true of an observer at the beginning.
    first: Vec<Literal>,
    truths: HashMap<TermId, Literal>,
    /// For each fairness constraint whether one of its rules is enabled; empty where no cycle is searched.
    enabled: Vec<Literal>,
}

impl<'s> Encoding<'s> {
    /// Encodes a system, and predicates that will be asked for.
    pub fn new(system: &'s System, pace: Pace, predicates: &[TermId]) -> Result<Self, NotEncodable> {
        Ok(Self::of(system, pace, predicates, (None, false), &mut |_| Ok(()))?.0)
    }

    /// How many variables and clauses a run of this many steps has.
    pub fn size(&self, steps: usize) -> (usize, usize) {
        let variables = usize::try_from(self.period).unwrap_or_default() * (steps + 1);
        (variables, self.definitions.len() * (steps + 1) + self.steps.len() * steps)
    }

    /// Encodes a system, and whether a state has no step although it is no proper end.
    pub fn stuck(system: &'s System, pace: Pace) -> Result<(Self, Literal), NotEncodable> {
        Self::of(system, pace, &[], (None, false), &mut |writer| {
            let (stuck, complete) = (writer.stuck()?, writer.truth(system.complete));
            Ok(writer.clauses.and([stuck, !complete]))
        })
    }

    /// Encodes a system whose runs an observer reads, and predicates that will be asked for.
    pub fn watched(
        system: &'s System,
        pace: Pace,
        predicates: &[TermId],
        table: &ObserverTable,
    ) -> Result<Self, NotEncodable> {
        Ok(Self::of(system, pace, predicates, (Some(table), false), &mut |_| Ok(()))?.0)
    }

    /// The same, where nothing needs to happen at a position: a run that is shorter has as many positions as any.
    pub fn resting(
        system: &'s System,
        pace: Pace,
        predicates: &[TermId],
        table: Option<&ObserverTable>,
    ) -> Result<Self, NotEncodable> {
        Ok(Self::of(system, pace, predicates, (table, true), &mut |_| Ok(()))?.0)
    }

    /// Encodes a system, and something more that depends on states alone.
    fn of<T>(
        system: &'s System,
        pace: Pace,
        predicates: &[TermId],
        (table, may_rest): (Option<&ObserverTable>, bool),
        more: &mut dyn FnMut(&mut ClauseWriter<'s>) -> Result<T, NotEncodable>,
    ) -> Result<(Self, T), NotEncodable> {
        let mut writer = ClauseWriter::new(system, table.map_or(0, ClauseWriter::memories));
        let rests = table.and(system.endless.as_ref()).map_or(&[][..], |endless| &endless.rests);
        let asked = table.into_iter().flat_map(ObserverTable::predicates).chain(rests.iter().copied());
        let predicates: Vec<TermId> = predicates.iter().copied().chain(asked).collect();
        writer.terms(&predicates)?;
        let void = writer.truth(system.void);
        writer.clauses.add([!void]);
        let own = [system.complete, system.strained];
        let truths = predicates.iter().chain(&own).map(|term| (*term, writer.truth(*term))).collect();
        let mut watch = table.map(|table| writer.watch(table)).transpose()?;
        let mut enabled = Vec::new();
        let asks =
            table.zip(watch.as_ref()).is_some_and(|(table, watch)| watch.asks_for_circles(system, table));
        for fairness in system.endless.iter().filter(|_| asks).flat_map(|endless| &endless.owed) {
            enabled.push(writer.possible_among(&fairness.when)?);
        }
        let more = more(&mut writer)?;
        if may_rest {
            local::facts(system, &writer.state, &mut writer.clauses);
        }
        let defined = writer.clauses.list.len();
        let begin = watch.as_ref().and_then(|watch| watch.begin);
        let idle = if may_rest {
            IdlePositions::Anywhere
        } else {
            begin.map_or(IdlePositions::Nowhere, IdlePositions::Where)
        };
        let fires = writer.rules(pace, idle)?;
        if let (Some(table), Some(watch)) = (table, &mut watch) {
            writer.reading(table, watch, &fires, pace)?;
        }
        let first = match (&watch, table) {
            (Some(watch), Some(table)) => match (watch.begin, table.first.as_slice()) {
                (Some(begin), _) => vec![begin],
                (None, [only]) => vec![watch.memories[*only as usize]],
                (None, _) => Vec::new(),
            },
            (None, _) | (_, None) => Vec::new(),
        };
        let ClauseWriter { mut clauses, state, .. } = writer;
        let period = clauses.variables;
        for literal in clauses.list.iter_mut().flatten() {
            if literal.variable().0 > NEXT {
                *literal = literal.moved(period - NEXT);
            }
        }
        let steps = clauses.list.split_off(defined);
        let encoding = Encoding {
            system,
            pace,
            state,
            period,
            definitions: clauses.list,
            steps,
            fires,
            watch,
            remembers: None,
            first,
            truths,
            enabled,
        };
        Ok((encoding, more))
    }

    /// The same with more literals in its state, which are as given at the beginning; `to` says where its own have gone.
    pub(super) fn widened(
        &self,
        more: i32,
        period: i32,
        definitions: Vec<Vec<Literal>>,
        steps: Vec<Vec<Literal>>,
        to: &dyn Fn(Literal) -> Literal,
        blank: impl Iterator<Item = Literal>,
    ) -> Encoding<'s> {
        let mut state = self.state.clone();
        state.width += more;
        let watch = self.watch.as_ref().map(|watch| EncodedObserver {
            memories: watch.memories.clone(),
            begin: watch.begin,
            accepted: to(watch.accepted),
            accepts_stuck: to(watch.accepts_stuck),
            waits: to(watch.waits),
            patient: watch.patient.clone(),
            strange: watch.strange.iter().map(|strange| to(*strange)).collect(),
            marks: watch.marks.iter().map(|mark| to(*mark)).collect(),
            is_read: to(watch.is_read),
        });
        Encoding {
            system: self.system,
            pace: self.pace,
            state,
            period,
            definitions,
            steps,
            fires: self.fires.iter().map(|fires| to(*fires)).collect(),
            watch,
            remembers: None,
            first: self.first.iter().copied().chain(blank).collect(),
            truths: self.truths.iter().map(|(term, literal)| (*term, to(*literal))).collect(),
            enabled: self.enabled.iter().map(|literal| to(*literal)).collect(),
        }
    }

    /// Whether a rule that is not put off forever may fire, at the first position, for each fairness constraint.
    pub fn enabled(&self) -> &[Literal] {
        &self.enabled
    }

    /// Whether a predicate holds, at the first position. `None` unless it was named when the encoding was made.
    pub fn truth(&self, term: TermId) -> Option<Literal> {
        self.truths.get(&term).copied()
    }

    /// How many positions lie before the start.
    pub fn idle(&self) -> usize {
        usize::from(self.watch.as_ref().is_some_and(|watch| watch.begin.is_some()))
    }

    /// What is true in the first configuration, and says that it is this one.
    pub fn initial(&self) -> Vec<Literal> {
        let mut initial = self.state.of(&self.system.initial());
        initial.extend(&self.first);
        initial
    }

    /// The steps of a position, from a model, one after the other.
    pub(crate) fn steps_in(&self, is_true: &mut dyn FnMut(Literal) -> bool) -> Vec<Step> {
        let fired: Vec<RuleId> =
            self.fires.enumerate().filter(|(_, fires)| is_true(**fires)).map(|(rule, _)| rule).collect();
        steps_of(self.system, &fired)
    }

    /// The configuration at the first position of a model.
    pub fn config(&self, is_true: &mut dyn FnMut(Literal) -> bool) -> Config {
        self.state.config(is_true)
    }
}

/// The rules that fire at one position, as steps one after the other.
pub(crate) fn steps_of(system: &System, fired: &[RuleId]) -> Vec<Step> {
    let mut takers: BTreeMap<LabelId, Vec<RuleId>> = BTreeMap::new();
    for rule in fired.iter().rev() {
        if let Join::Take(label) = system.rules[*rule].join {
            takers.entry(label).or_default().push(*rule);
        }
    }
    let mut ears: Vec<RuleId> =
        fired.iter().copied().filter(|rule| matches!(system.rules[*rule].join, Join::Listen(_))).collect();
    ears.sort_by_key(|rule| system.rules[*rule].component);
    let mut steps = Vec::new();
    for rule in fired {
        let labels: &[LabelId] = match &system.rules[*rule].join {
            Join::Alone => &[],
            Join::Offer(labels) => labels,
            Join::Take(_) | Join::Listen(_) => continue,
        };
        let mut together = vec![*rule];
        together.extend(labels.iter().filter_map(|label| takers.get_mut(label)?.pop()));
        together.append(&mut ears);
        steps.push(Step(together));
    }
    steps
}
