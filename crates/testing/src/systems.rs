//! Random systems: few variables and rules, everything a System can say.

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::random::Random;
use sequent_kernel::source::{FileId, Place, Span};
use sequent_kernel::system::{
    ComponentId, Event, EventId, EventKind, Join, LabelId, Rule, System, TermId, Terms, Variable, VariableId,
};

/// What a random system may have.
#[derive(Clone, Copy, Debug)]
pub struct Taste {
    /// Rules of different components join.
    pub joins: bool,
    /// Some rules are urgent.
    pub urgent: bool,
    /// Some runs are ruled out.
    pub void: bool,
    /// How many percent of the guards and updates are more than literals and constants.
    pub odd: usize,
}

const COMPONENTS: usize = 4;
const LABELS: usize = 2;
const EVENTS: usize = 3;

/// A random system.
pub fn system(seed: u64, taste: Taste) -> System {
    let mut dice = Random::new(seed);
    let mut terms = Terms::default();
    let count = 3 + dice.below(4);
    let variables: IdVec<VariableId, Variable> = (0..count).map(|index| variable(index, &mut dice)).collect();
    let mut maker = SystemMaker { dice, terms: &mut terms, variables: &variables, taste };
    let count = 4 + maker.dice.below(7);
    let rules = (0..count).map(|_| maker.rule()).collect();
    let complete = maker.predicate(2);
    let void =
        if taste.void && maker.dice.percent(30) { maker.predicate(2) } else { maker.terms.truth(false) };
    System {
        variables,
        components: (0..COMPONENTS).map(|index| format!("c{index}")).collect(),
        events: (0..EVENTS).map(event).collect(),
        labels: (0..LABELS).map(|index| format!("l{index}")).collect(),
        rules,
        complete,
        void,
        ..System::bare(terms)
    }
}

fn variable(index: usize, dice: &mut Random) -> Variable {
    let min = dice.below(3) as i32 - 1;
    let max = min + 1 + dice.below(2) as i32;
    let initial = min + dice.below((max - min + 1) as usize) as i32;
    Variable::new(format!("v{index}"), min, max, initial)
}

fn event(index: usize) -> Event {
    Event::of_message(EventKind::Send, (None, "a"), (None, "b"), &format!("e{index}"), None)
}

struct SystemMaker<'a> {
    dice: Random,
    terms: &'a mut Terms,
    variables: &'a IdVec<VariableId, Variable>,
    taste: Taste,
}

impl SystemMaker<'_> {
    fn rule(&mut self) -> Rule {
        let component = ComponentId::from_index(self.dice.below(COMPONENTS));
        let join = self.join();
        let urgent = self.taste.urgent && join == Join::Alone && self.dice.percent(25);
        let event = (!urgent && self.dice.percent(60)).then(|| EventId::from_index(self.dice.below(EVENTS)));
        let guard = self.guard();
        let updates = (0..1 + self.dice.below(2)).map(|_| self.update()).collect();
        Rule {
            component,
            guard,
            event,
            updates,
            join,
            urgent,
            place: Place(Span::new(FileId::from_index(0), 0, 0)),
        }
    }

    fn join(&mut self) -> Join {
        if !self.taste.joins || self.dice.percent(50) {
            return Join::Alone;
        }
        let label = LabelId::from_index(self.dice.below(LABELS));
        match self.dice.below(4) {
            0 => Join::Offer(vec![label]),
            1 => Join::Offer(vec![label, LabelId::from_index(self.dice.below(LABELS))]),
            2 => Join::Take(label),
            _ => Join::Listen(EventId::from_index(self.dice.below(EVENTS))),
        }
    }

    fn any_variable(&mut self) -> VariableId {
        VariableId::from_index(self.dice.below(self.variables.len()))
    }

    fn value_of(&mut self, variable: VariableId) -> i32 {
        let Variable { min, max, .. } = self.variables[variable];
        min + self.dice.below((max - min + 1) as usize) as i32
    }

    fn literal(&mut self) -> TermId {
        let variable = self.any_variable();
        let value = self.value_of(variable);
        let literal = self.terms.is(variable, value);
        if self.dice.percent(25) { self.terms.not(literal) } else { literal }
    }

    fn guard(&mut self) -> TermId {
        let mut parts: Vec<TermId> = (0..1 + self.dice.below(2)).map(|_| self.literal()).collect();
        if self.dice.percent(self.taste.odd) {
            parts.push(self.predicate(2));
        }
        self.terms.and(parts)
    }

    pub(crate) fn predicate(&mut self, depth: usize) -> TermId {
        if depth == 0 {
            return self.literal();
        }
        let [a, b] = [0; 2].map(|_| self.predicate(depth - 1));
        match self.dice.below(7) {
            0 => self.terms.and([a, b]),
            1 | 2 => self.terms.or([a, b]),
            3 => self.terms.not(a),
            4 => {
                let [a, b] = [0; 2].map(|_| self.number());
                self.terms.equal(a, b)
            }
            5 => {
                let [a, b] = [0; 2].map(|_| self.number());
                self.terms.less(a, b)
            }
            _ => {
                let variable = self.any_variable();
                let truth = self.terms.variable(variable);
                self.terms.and([truth, a])
            }
        }
    }

    fn number(&mut self) -> TermId {
        let variable = self.any_variable();
        let variable = self.terms.variable(variable);
        match self.dice.below(3) {
            0 => variable,
            1 => {
                let one = self.terms.constant(1);
                self.terms.plus(variable, one)
            }
            _ => {
                let condition = self.literal();
                let other = self.terms.constant(0);
                self.terms.choose(condition, variable, other)
            }
        }
    }

    fn update(&mut self) -> (VariableId, TermId) {
        let variable = self.any_variable();
        let term = match self.dice.percent(self.taste.odd) {
            true => self.number(),
            false => {
                let value = self.value_of(variable);
                self.terms.constant(value)
            }
        };
        (variable, term)
    }
}
