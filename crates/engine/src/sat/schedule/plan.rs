//! Schedule: a [`Timetable`] as clauses in a solver, and a run read from a model; before it, [`LocalSearch`].

use std::collections::BTreeMap;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::system::{ComponentId, Join, RuleId};

use crate::sat::encode::clauses::Clauses;
use crate::sat::encode::encoding::steps_of;
use crate::sat::outcome::Bounded;
use crate::sat::schedule::automata::{ComponentAutomata, Spots};
use crate::sat::schedule::local_search::{self, LocalSearch};
use crate::sat::schedule::timetable::Timetable;
use crate::sat::solver::{FALSE, Literal, Patience, Solver, SolverEffort, SolverOutcome, TRUE};

/// Whether all components reach their target states within `most` transactions. [Local search](LocalSearch)
/// is tried for a while, which finds most runs; then a solver, which may prove that there is none. The time
/// of either varies widely with its seed. So they take turns, each restarted with a larger budget.
pub fn within(
    automata: &ComponentAutomata<'_>,
    spots: &Spots,
    most: usize,
    patience: Patience<'_>,
) -> (Bounded, SolverEffort) {
    let mut effort = SolverEffort::default();
    let Some(table) = Timetable::new(automata, spots, most) else { return (Bounded::Nothing(most), effort) };
    let (mut rounds, mut conflicts) = (local_search::usual(&table), FIRST_TRY);
    let mut schedule = None;
    for attempt in 0.. {
        let mut search = LocalSearch::new(&table, attempt as u64);
        match search.agree(rounds, &|| patience(effort).is_break()) {
            Some(true) => return (found(automata, &search.fired()), effort),
            Some(false) => {}
            None => break,
        }
        let schedule = schedule.get_or_insert_with(|| Schedule::new(&table));
        let (outcome, fired, tried) = schedule.attempt(attempt, conflicts, patience);
        effort = tried;
        match outcome {
            SolverOutcome::Satisfiable => return (found(automata, &fired), effort),
            SolverOutcome::Unsatisfiable => return (Bounded::Nothing(most), effort),
            SolverOutcome::Stopped if patience(effort).is_break() => break,
            SolverOutcome::Stopped => {}
        }
        rounds = rounds.saturating_mul(LONGER);
        conflicts = conflicts.saturating_mul(LONGER as i32);
    }
    (Bounded::Stopped(0), effort)
}

/// The same by as few transactions as possible, where some are known to do.
pub fn fewest(
    automata: &ComponentAutomata<'_>,
    spots: &Spots,
    known: Bounded,
    patience: Patience<'_>,
) -> Bounded {
    let mut best = known;
    while let Bounded::Found(_, length) = best
        && length > 0
    {
        match within(automata, spots, length - 1, patience).0 {
            shorter @ Bounded::Found(..) => best = shorter,
            Bounded::Nothing(_) | Bounded::Proved(_) => break,
            stopped @ Bounded::Stopped(_) => return stopped,
        }
    }
    best
}

/// How many conflicts the first attempt of a solver may take.
const FIRST_TRY: i32 = 400;

/// How many times as long as the last the next one may take.
const LONGER: usize = 4;

/// The run in which these rules fire at each position, and at how many of them something happens.
fn found(automata: &ComponentAutomata<'_>, fired: &[Vec<RuleId>]) -> Bounded {
    let steps = fired.iter().flat_map(|fired| steps_of(automata.system, fired)).collect();
    let run = Run { steps, ..Run::default() };
    assert!(replay(automata.system, &run).is_ok(), "what components agree on is a run");
    Bounded::Found(run, fired.iter().filter(|fired| !fired.is_empty()).count())
}

/// By component, for each of its states or moves.
type Literals = IdVec<ComponentId, Vec<Literal>>;

/// The literals of a timetable.
pub struct Schedule<'t, 'p, 's> {
    table: &'t Timetable<'p, 's>,
    clauses: Clauses,
    /// For each position whether a component is in a state.
    at: Vec<Literals>,
    /// For each position whether it makes a move.
    fires: Vec<Literals>,
}

impl<'t, 'p, 's> Schedule<'t, 'p, 's> {
    /// Writes the clauses.
    pub fn new(table: &'t Timetable<'p, 's>) -> Self {
        let mut clauses = Clauses::default();
        let at = (0..=table.most).map(|position| states(table, position, &mut clauses)).collect();
        let mut schedule = Schedule { table, clauses, at, fires: Vec::new() };
        for position in 0..table.most {
            let fires = schedule.moves(position);
            schedule.fires.push(fires);
            schedule.goes_on(position);
            schedule.labels(position);
        }
        schedule
    }

    /// One attempt by a fresh solver with at most `conflicts` conflicts: its outcome, and the rules that fire
    /// at each position if there is a run.
    fn attempt(
        &self,
        attempt: usize,
        conflicts: i32,
        patience: Patience<'_>,
    ) -> (SolverOutcome, Vec<Vec<RuleId>>, SolverEffort) {
        let order = VariableOrder::new(self.clauses.variables, attempt);
        let mut solver = Solver::choosing(patience, attempt);
        self.tell(&mut solver, order);
        let outcome = solver.try_for(conflicts);
        let fired = match outcome {
            SolverOutcome::Satisfiable => self.fired(&mut |literal| solver.value(order.of(literal))),
            SolverOutcome::Unsatisfiable | SolverOutcome::Stopped => Vec::new(),
        };
        (outcome, fired, solver.effort())
    }

    /// The clauses, over variables numbered from 1.
    pub fn clauses(&self) -> &Clauses {
        &self.clauses
    }

    /// Gives all clauses to a solver that has none yet.
    fn tell(&self, solver: &mut Solver<'_>, order: VariableOrder) {
        solver.variables(self.clauses.variables as usize);
        for clause in &self.clauses.list {
            solver.add(clause.iter().map(|literal| order.of(*literal)));
        }
    }

    /// The literals of the moves at a position. Where a component is in a state that it leaves at once, and by one move alone, or
    /// comes to one that it came to by one move alone, to be there is to make the move.
    fn moves(&mut self, position: usize) -> Literals {
        let table = self.table;
        let mut fires = IdVec::new();
        for (component, automaton) in table.automata.list.enumerate() {
            let may = &table.moves[position][component];
            let possible = || automaton.moves.iter().zip(may).filter(|(_, may)| **may).map(|(step, _)| step);
            let (mut out, mut into) = (vec![0; automaton.states.len()], vec![0; automaton.states.len()]);
            possible().for_each(|step| {
                out[step.from] += 1;
                into[step.to] += 1;
            });
            let mut own = Vec::new();
            for (step, may) in automaton.moves.iter().zip(may) {
                let is_brief = |state: usize| !table.may_wait(component, state);
                own.push(if !*may {
                    FALSE
                } else if is_brief(step.from) && out[step.from] == 1 {
                    self.at[position][component][step.from]
                } else if is_brief(step.to) && into[step.to] == 1 {
                    self.at[position + 1][component][step.to]
                } else {
                    self.clauses.variable()
                });
            }
            fires.push(own);
        }
        fires
    }

    /// A component that is in a state stays there or makes a move, and was there before or made one.
    fn goes_on(&mut self, position: usize) {
        let table = self.table;
        for (component, automaton) in table.automata.list.enumerate() {
            let (here, next) = (&self.at[position][component], &self.at[position + 1][component]);
            let fires = &self.fires[position][component];
            let mut out: Vec<Vec<Literal>> = vec![Vec::new(); automaton.states.len()];
            let mut into = out.clone();
            let mut twins: BTreeMap<(usize, usize), Vec<Literal>> = BTreeMap::new();
            for (step, fires) in automaton.moves.iter().zip(fires).filter(|(_, fires)| **fires != FALSE) {
                self.clauses.add([!*fires, here[step.from]]);
                self.clauses.add([!*fires, next[step.to]]);
                out[step.from].push(*fires);
                into[step.to].push(*fires);
                twins.entry((step.from, step.to)).or_default().push(*fires);
            }
            for (state, (out, into)) in out.into_iter().zip(into).enumerate() {
                let may_wait = table.may_wait(component, state);
                let stays = |literal: Literal| if may_wait { literal } else { FALSE };
                self.clauses.add(out.into_iter().chain([stays(next[state]), !here[state]]));
                self.clauses.add(into.into_iter().chain([stays(here[state]), !next[state]]));
            }
            twins.into_values().for_each(|twins| self.clauses.at_most_one(&twins));
        }
    }

    /// As often as a label is offered it is taken.
    fn labels(&mut self, position: usize) {
        let system = self.table.automata.system;
        let mut offers: Vec<BTreeMap<(ComponentId, usize), Vec<Literal>>> =
            vec![BTreeMap::new(); system.labels.len()];
        let mut takes = offers.clone();
        for (component, automaton) in self.table.automata.list.enumerate() {
            let fires = &self.fires[position][component];
            for (step, fires) in automaton.moves.iter().zip(fires).filter(|(_, fires)| **fires != FALSE) {
                match &system.rules[step.rule].join {
                    Join::Alone | Join::Listen(_) => {}
                    Join::Take(label) => {
                        takes[label.index()].entry((component, 1)).or_default().push(*fires);
                    }
                    Join::Offer(labels) => {
                        for (at, label) in labels.iter().enumerate() {
                            let times = labels[..=at].iter().filter(|other| *other == label).count();
                            offers[label.index()].entry((component, times)).or_default().push(*fires);
                        }
                    }
                }
            }
        }
        for (offers, takes) in offers.into_iter().zip(takes) {
            let mut any = |side: BTreeMap<_, Vec<Literal>>| -> Vec<Literal> {
                side.into_values().map(|moves| self.clauses.or(moves)).collect()
            };
            let (offers, takes) = (any(offers), any(takes));
            self.as_often(&offers, &takes);
        }
    }

    fn as_often(&mut self, offers: &[Literal], takes: &[Literal]) {
        let most = offers.len().min(takes.len());
        let (offered, taken) = (self.clauses.count(offers, most), self.clauses.count(takes, most));
        for number in 0..offered.len().max(taken.len()) {
            let at = |side: &[Literal]| side.get(number).copied().unwrap_or(FALSE);
            let (offered, taken) = (at(&offered), at(&taken));
            self.clauses.add([!offered, taken]);
            self.clauses.add([offered, !taken]);
        }
    }

    /// The rules that fire at each position in a model.
    fn fired(&self, is_true: &mut dyn FnMut(Literal) -> bool) -> Vec<Vec<RuleId>> {
        let mut all = Vec::new();
        for fires in &self.fires {
            let mut fired = Vec::new();
            for (automaton, fires) in self.table.automata.list.iter().zip(fires.iter()) {
                let moves = automaton.moves.iter().zip(fires).filter(|(_, fires)| is_true(**fires));
                fired.extend(moves.map(|(step, _)| step.rule));
            }
            all.push(fired);
        }
        all
    }
}

/// Another numbering of the variables, in the same order but for where it begins: solvers begin there too.
#[derive(Clone, Copy)]
struct VariableOrder {
    variables: i64,
    shift: i64,
}

impl VariableOrder {
    /// The numbering of an attempt; the first leaves variables as they are.
    fn new(variables: i32, attempt: usize) -> Self {
        let variables = i64::from(variables);
        // Parts of the golden section are never near each other.
        VariableOrder { variables, shift: variables * (attempt as i64 * 618 % 1_000) / 1_000 }
    }

    /// The literal in its place; constants have none.
    fn of(self, literal: Literal) -> Literal {
        match literal {
            TRUE | FALSE => literal,
            Literal(number) => {
                let place = (i64::from(number.abs()) - 1 + self.shift) % self.variables + 1;
                Literal(place as i32 * number.signum())
            }
        }
    }
}

/// The literals of the states at a position; a component is in one of them.
fn states(table: &Timetable<'_, '_>, position: usize, clauses: &mut Clauses) -> Literals {
    let mut all = IdVec::new();
    for may in table.stays[position].iter() {
        let is_only = may.iter().filter(|may| **may).count() == 1;
        let own: Vec<Literal> = may
            .iter()
            .map(|may| match (*may, is_only) {
                (false, _) => FALSE,
                (true, true) => TRUE,
                (true, false) => clauses.variable(),
            })
            .collect();
        if !is_only {
            clauses.add(own.iter().copied());
            clauses.at_most_one(&own);
        }
        all.push(own);
    }
    all
}
