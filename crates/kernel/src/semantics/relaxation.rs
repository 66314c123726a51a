//! Relaxation: what can happen while a strict loop still has iterations to come, at most.
//!
//! As long as another iteration comes, no lifeline that takes part in every iteration is over with the loop. What else can happen until
//! then is computed generously: a variable that has got a value keeps all those that it had, so each rule fires
//! once at most, and the lifelines that some iterations do not need are free to go on. If nothing that waits for one of these happens
//! even so, then nothing of the kind happens in any run, and they need not leave before the loop is over.
//!
//! This is the relaxation that planners use for estimates: effects that delete are left out.

use std::collections::BTreeSet;

use crate::id::IdVec;
use crate::system::{ArithmeticOperation, Rule, System, TermId, TermNode, VariableId};

/// Of values beyond this nothing is known.
const MOST_VALUES: usize = 64;

/// More terms than this are not evaluated, each as often as it is.
const MOST_WORK: usize = 50_000_000;

/// A strict loop, to find out whether lifelines need to leave it early: when it is over for each of them.
pub(super) struct StrictLoop {
    /// It stands in another loop.
    pub is_repeated: bool,
    /// For those that take part in every iteration.
    pub certain: Vec<TermId>,
    /// For all others, unless they leave early.
    pub uncertain: Vec<TermId>,
}

/// The numbers of the loops that lifelines might have to leave early.
pub(super) fn left_early(system: &System, rings: &[StrictLoop]) -> BTreeSet<usize> {
    let free: BTreeSet<TermId> = rings.iter().flat_map(|ring| &ring.uncertain).copied().collect();
    let numbered = rings.iter().enumerate().filter(|(_, ring)| !ring.uncertain.is_empty());
    // What a loop around has let happen before may be anything.
    let is_left =
        |ring: &StrictLoop| ring.is_repeated || Relaxation::new(system, ring, &free).lets_one_go(ring);
    numbered.filter(|(_, ring)| is_left(ring)).map(|(number, _)| number).collect()
}

/// What a term may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Possible {
    no: bool,
    yes: bool,
}

const ANYTHING: Possible = Possible { no: true, yes: true };

/// What variables and terms may be as long as a loop goes on.
struct Relaxation<'s> {
    system: &'s System,
    /// The values that each variable may have; `None` for all of its domain.
    values: IdVec<VariableId, Option<BTreeSet<i32>>>,
    terms: IdVec<TermId, Possible>,
    /// Terms that are false as long as the loop goes on.
    never: BTreeSet<TermId>,
    free: &'s BTreeSet<TermId>,
}

impl<'s> Relaxation<'s> {
    fn new(system: &'s System, ring: &StrictLoop, free: &'s BTreeSet<TermId>) -> Self {
        let first = system.variables.iter().map(|variable| Some(BTreeSet::from([variable.initial])));
        Relaxation {
            system,
            values: first.collect(),
            terms: system.terms.ids().map(|_| Possible::default()).collect(),
            never: ring.certain.iter().copied().collect(),
            free,
        }
    }

    /// Whether something may happen that waits until the loop is over for a lifeline that may leave it early.
    fn lets_one_go(mut self, ring: &StrictLoop) -> bool {
        let mut work = 0;
        loop {
            work += self.terms.len();
            self.evaluate();
            if work > MOST_WORK || self.waits(ring).any(|rule| self.terms[rule.guard].yes) {
                return true;
            }
            if !self.fire() {
                return false;
            }
        }
    }

    /// The rules that wait for one of these lifelines, choices apart: those are made when others come to them.
    fn waits(&self, ring: &StrictLoop) -> impl Iterator<Item = &'s Rule> + use<'s> {
        let mut depends: IdVec<TermId, bool> = self.terms.iter().map(|_| false).collect();
        for id in self.system.terms.ids() {
            let has_part = self.system.terms.parts(id).iter().any(|part| depends[*part]);
            depends[id] = has_part || ring.uncertain.contains(&id);
        }
        let rules = self.system.rules.iter().filter(|rule| !rule.urgent);
        rules.filter(move |rule| depends[rule.guard])
    }

    /// What terms may be with the values that variables may have.
    fn evaluate(&mut self) {
        for id in self.system.terms.ids() {
            self.terms[id] = match (self.never.contains(&id), self.free.contains(&id)) {
                (true, _) => Possible { no: true, yes: false },
                (false, true) => ANYTHING,
                (false, false) => self.possible(id),
            };
        }
    }

    fn possible(&self, id: TermId) -> Possible {
        let of = |part: &TermId| self.terms[*part];
        match self.system.terms.node(id) {
            TermNode::Constant(value) => Possible { no: *value == 0, yes: *value != 0 },
            TermNode::Variable(variable) => match &self.values[*variable] {
                Some(values) => {
                    Possible { no: values.contains(&0), yes: values.iter().any(|value| *value != 0) }
                }
                None => ANYTHING,
            },
            TermNode::Not(part) => Possible { no: of(part).yes, yes: of(part).no },
            TermNode::And(parts) => Possible {
                no: parts.iter().any(|part| of(part).no),
                yes: parts.iter().all(|part| of(part).yes),
            },
            TermNode::Or(parts) => Possible {
                no: parts.iter().all(|part| of(part).no),
                yes: parts.iter().any(|part| of(part).yes),
            },
            TermNode::Equal(..) => match self.system.terms.as_literal(id) {
                Some((variable, wanted)) => match &self.values[variable] {
                    Some(values) => Possible {
                        no: values.iter().any(|value| *value != wanted),
                        yes: values.contains(&wanted),
                    },
                    None => ANYTHING,
                },
                None => ANYTHING,
            },
            TermNode::If(condition, yes, no) => {
                let way = |is_open: bool, part: &TermId| if is_open { of(part) } else { Possible::default() };
                let ways = [way(of(condition).yes, yes), way(of(condition).no, no)];
                Possible { no: ways.iter().any(|way| way.no), yes: ways.iter().any(|way| way.yes) }
            }
            TermNode::Less(..) => ANYTHING,
            TermNode::Number(
                ArithmeticOperation::Plus
                | ArithmeticOperation::Minus
                | ArithmeticOperation::Times
                | ArithmeticOperation::Divide
                | ArithmeticOperation::Modulo,
                ..,
            ) => ANYTHING,
        }
    }

    /// Lets all rules fire that may; whether anything is new.
    fn fire(&mut self) -> bool {
        let mut is_new = false;
        let system = self.system;
        let enabled: Vec<&Rule> = system.rules.iter().filter(|rule| self.terms[rule.guard].yes).collect();
        for rule in enabled {
            for (variable, term) in &rule.updates {
                is_new |= self.assign(*variable, *term);
            }
        }
        is_new
    }

    /// Lets a variable have the values of a term, too; whether one is new.
    fn assign(&mut self, variable: VariableId, term: TermId) -> bool {
        let new: Option<BTreeSet<i32>> = match self.system.terms.node(term) {
            TermNode::Constant(value) => Some([*value].into()),
            TermNode::Variable(other) => self.values[*other].clone(),
            TermNode::Not(_)
            | TermNode::And(_)
            | TermNode::Or(_)
            | TermNode::Equal(..)
            | TermNode::Less(..) => {
                let Possible { no, yes } = self.terms[term];
                Some([(no, 0), (yes, 1)].into_iter().filter(|(is, _)| *is).map(|(_, value)| value).collect())
            }
            TermNode::Number(..) | TermNode::If(..) => None,
        };
        let Some(known) = &mut self.values[variable] else { return false };
        let before = known.len();
        let is_known = match new {
            Some(new) => {
                known.extend(new);
                known.len() <= MOST_VALUES
            }
            None => false,
        };
        let is_new = !is_known || known.len() > before;
        if !is_known {
            self.values[variable] = None;
        }
        is_new
    }
}
