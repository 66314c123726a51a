//! Processes: small transition systems, and the Systems they are.

use sequent_kernel::id::Id;
use sequent_kernel::random::Random;
use sequent_kernel::source::{FileId, Place, Span};
use sequent_kernel::system::{
    ComponentId, Event, EventId, EventKind, Join, LabelId, Rule, System, Terms, Variable, VariableId,
};

/// States from 0, which is the first; letters from 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Process {
    /// From where, what is seen, where to.
    pub edges: Vec<(usize, Option<usize>, usize)>,
    /// For each state whether it may end there.
    pub ends: Vec<bool>,
}

impl Process {
    /// A random process over so many letters.
    pub(crate) fn random(dice: &mut Random, letters: usize, invisible: usize, ending: usize) -> Process {
        let states = 1 + dice.below(4);
        let edges = (0..dice.below(2 * states + 2)).map(|_| {
            let letter = (!dice.percent(invisible)).then(|| dice.below(letters));
            (dice.below(states), letter, dice.below(states))
        });
        let edges = edges.collect();
        Process { edges, ends: (0..states).map(|_| dice.percent(ending)).collect() }
    }

    /// The process as a system of its own.
    pub(crate) fn system(&self, letters: usize) -> System {
        Composition::new(letters).with(self, Part::Alone).done(&self.ends)
    }
}

/// How a process takes part in a composition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// By itself.
    Alone,
    /// It moves along with whoever takes the same letter.
    Leads,
    /// It takes what another does. Letters beyond the alphabet are its own.
    Follows,
}

/// Processes side by side.
pub(crate) struct Composition {
    system: System,
    letters: usize,
}

impl Composition {
    pub(crate) fn new(letters: usize) -> Self {
        let mut system = System::bare(Terms::default());
        system.events = (0..=letters).map(event).collect();
        system.labels = (0..letters).map(|letter| format!("l{letter}")).collect();
        Composition { system, letters }
    }

    pub(crate) fn with(mut self, process: &Process, part: Part) -> Self {
        let number = self.system.variables.len();
        let max = process.ends.len() as i32;
        let variable = self.system.variables.push(Variable::new(format!("v{number}"), 0, max, 0));
        let component = self.system.components.push(format!("c{number}"));
        for (from, letter, to) in &process.edges {
            let rule = self.rule(component, variable, part, [*from, *to], *letter);
            self.system.rules.push(rule);
        }
        self
    }

    fn rule(
        &mut self,
        component: ComponentId,
        variable: VariableId,
        part: Part,
        [from, to]: [usize; 2],
        letter: Option<usize>,
    ) -> Rule {
        let label = letter.filter(|letter| *letter < self.letters).map(LabelId::from_index);
        let join = match (part, label) {
            (Part::Alone, _) | (_, None) => Join::Alone,
            (Part::Leads, Some(label)) => Join::Offer(vec![label]),
            (Part::Follows, Some(label)) => Join::Take(label),
        };
        let is_silent = matches!(join, Join::Take(_));
        Rule {
            component,
            guard: self.system.terms.is(variable, from as i32),
            event: letter.filter(|_| !is_silent).map(EventId::from_index),
            updates: vec![(variable, self.system.terms.constant(to as i32))],
            join,
            urgent: false,
            place: Place(Span::new(FileId::from_index(0), 0, 0)),
        }
    }

    /// The system; it may end where the first process may.
    pub(crate) fn done(mut self, ends: &[bool]) -> System {
        let variable = VariableId::from_index(0);
        let ends = (0..).zip(ends).filter(|(_, may_end)| **may_end);
        let ends: Vec<_> = ends.map(|(state, _)| self.system.terms.is(variable, state)).collect();
        self.system.complete = self.system.terms.or(ends);
        self.system
    }
}

fn event(letter: usize) -> Event {
    let text = name(letter);
    let event = Event::of_message(EventKind::Rendezvous, (None, ""), (None, ""), &text, None);
    Event { text, ..event }
}

/// The text of a letter.
pub(crate) fn name(letter: usize) -> String {
    format!("e{letter}")
}
