//! Reasons: which conditions of rules keep a goal from being reached.
//!
//! A condition of a rule is a clause: it fires only where this holds. Each gets a literal without which it need not hold. Where
//! there is no way to the goal the solver tells which of these literals it needed, and one after the other is left out as long
//! as the rest suffices. What is left rules the goal out, even if all other rules could fire anywhere. The question is either a run
//! of some positions, or the step that keeps an invariant: then the answer is about runs of any length.

use std::collections::{BTreeMap, HashMap};

use sequent_kernel::system::{RuleId, VariableId};

use crate::sat::encode::encoding::Encoding;
use crate::sat::encode::question::EncodedQuestion;
use crate::sat::prove::certificate::{fails, position};
use crate::sat::solver::{Literal, Patience, Solver, SolverOutcome};
use crate::sat::unroll::refutation::Ladder;

/// A condition: the rule, and the variable that it looks at if it is a single one.
pub(crate) type ReasonCondition = (RuleId, Option<VariableId>);

/// The number of the group that a condition belongs to; `None` for one that always counts.
pub type Grouping<'g> = &'g mut dyn FnMut(ReasonCondition) -> Option<usize>;

/// No more calls than this are made to leave conditions out.
const MOST_CALLS: usize = 400;

/// Which groups of conditions make a goal unreachable within `most` positions; `None` if it is reachable, or
/// if interrupted.
pub fn within(
    question: &EncodedQuestion<'_>,
    most: usize,
    grouping: Grouping<'_>,
    patience: Patience<'_>,
) -> Option<Vec<usize>> {
    let encoding = &question.encoding;
    let groups = ConditionGroups::new(encoding, grouping);
    let ladder =
        Ladder::new(encoding, &[question.wanted], most + encoding.idle(), &|clause| groups.of(clause));
    let mut solver = Solver::new(patience);
    solver.variables(ladder.formula.variables);
    ladder.formula.clauses.iter().for_each(|clause| solver.add(clause.iter().copied()));
    let literals = groups.numbers().map(|number| (number, ladder.reason(number))).collect();
    core(&mut solver, &ladder.asked, literals)
}

/// Which groups of conditions keep an invariant that rules a goal out.
pub fn of_invariant(
    encoding: &Encoding<'_>,
    invariant: &[Vec<Literal>],
    grouping: Grouping<'_>,
    patience: Patience<'_>,
) -> Option<Vec<usize>> {
    let groups = ConditionGroups::new(encoding, grouping);
    let mut solver = position(encoding, patience);
    let period = encoding.period;
    solver.variables(period as usize);
    let literals: BTreeMap<i32, Literal> =
        groups.numbers().map(|number| (number, solver.variable())).collect();
    for clause in &encoding.steps {
        let reason = groups.of(clause).map(|number| !literals[&number]);
        solver.add(clause.iter().copied().chain(reason));
    }
    let after = encoding.definitions.iter();
    after.for_each(|clause| solver.add(clause.iter().map(|literal| literal.moved(period))));
    invariant.iter().for_each(|clause| solver.add(clause.iter().copied()));
    fails(&mut solver, invariant, period);
    core(&mut solver, &[], literals.into_iter().collect())
}

/// The conditions among the clauses of an encoding.
struct ConditionGroups {
    /// The clauses, as a rule and what it asks for, with the numbers of their groups, from 1 on.
    numbers: HashMap<(Literal, Literal), i32>,
}

impl ConditionGroups {
    fn new(encoding: &Encoding<'_>, grouping: Grouping<'_>) -> ConditionGroups {
        let fires: HashMap<Literal, RuleId> =
            encoding.fires.enumerate().map(|(rule, fires)| (*fires, rule)).collect();
        let first = encoding.fires.iter().map(|fires| fires.variable().0).min().unwrap_or(0);
        let begin = encoding.watch.as_ref().and_then(|watch| watch.begin);
        let mut numbers = HashMap::new();
        for clause in &encoding.steps {
            let [one, other] = clause.as_slice() else { continue };
            for (rule, asked) in [(one, other), (other, one)] {
                let Some(id) = fires.get(&!*rule) else { continue };
                // What a rule asks for is known before anything happens, and so has a smaller number than whether it fires.
                if asked.variable().0 < first && Some(!*asked) != begin {
                    let group = grouping((*id, encoding.state.owner(*asked)));
                    numbers.extend(group.map(|group| ((*rule, *asked), group as i32 + 1)));
                }
            }
        }
        ConditionGroups { numbers }
    }

    fn of(&self, clause: &[Literal]) -> Option<i32> {
        let [one, other] = clause else { return None };
        self.numbers.get(&(*one, *other)).or_else(|| self.numbers.get(&(*other, *one))).copied()
    }

    fn numbers(&self) -> impl Iterator<Item = i32> {
        let mut all: Vec<i32> = self.numbers.values().copied().collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter()
    }
}

/// Groups without any of which there is a model, as far as there is time to leave some out.
fn core(solver: &mut Solver<'_>, fixed: &[Literal], all: Vec<(i32, Literal)>) -> Option<Vec<usize>> {
    let mut ask = |groups: &[(i32, Literal)]| {
        let literals = groups.iter().map(|group| group.1);
        let assumed: Vec<Literal> = fixed.iter().copied().chain(literals).collect();
        let outcome = solver.solve(&assumed, None);
        let needed: Vec<(i32, Literal)> = match outcome {
            SolverOutcome::Unsatisfiable => {
                groups.iter().copied().filter(|group| solver.is_needed(group.1)).collect()
            }
            SolverOutcome::Satisfiable | SolverOutcome::Stopped => Vec::new(),
        };
        (outcome, needed)
    };
    let (SolverOutcome::Unsatisfiable, mut left) = ask(&all) else { return None };
    let (mut at, mut calls) = (0, 0);
    while at < left.len() && calls < MOST_CALLS {
        calls += 1;
        let mut others = left.clone();
        others.remove(at);
        match ask(&others) {
            // Those before this one were needed, and still are.
            (SolverOutcome::Unsatisfiable, needed) => left = needed,
            (SolverOutcome::Satisfiable, _) => at += 1,
            (SolverOutcome::Stopped, _) => break,
        }
    }
    Some(left.into_iter().map(|(number, _)| number as usize - 1).collect())
}
