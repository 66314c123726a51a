//! The semantics of interactions, transcribed from rules I1 to I12 of DESIGN section 4 as directly as
//! possible.
//!
//! All choices are made first: which operand, how many iterations, whether a `neg` is run through, which propositions are
//! true. What remains is a finite set of occurrences with a partial order, what `critical`, `assert` and blocking calls
//! forbid while they are open, and what the run is worth. Its traces are the linear extensions, listed one by one. Every
//! combination of choices is tried; loops without bound are written out as far as traces of a given length need.

mod listing;
mod operators;
mod run;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use sequent_kernel::id::Id;
use sequent_kernel::model::{End, Fragment, Interaction, InteractionId, MessageId, Model, Use};
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::system::TraceClass;

use listing::Listing;
use run::{ChosenInteraction, MOST};

/// A set of traces; each is a list of event texts.
pub type TraceSet = BTreeSet<Vec<Rc<str>>>;

/// The traces of an interaction by their class.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassifiedTraces {
    /// Some run is valid, and none is invalid.
    pub valid: TraceSet,
    /// Some run is invalid.
    pub invalid: TraceSet,
}

/// How much is listed before a case counts as too big.
#[derive(Clone, Copy)]
pub struct ListingBounds {
    /// Combinations of choices.
    pub choices: usize,
    /// Steps taken while listing linear extensions.
    pub steps: usize,
    /// Longer traces are left out.
    pub length: usize,
}

/// The traces of the first interaction up to a length; `None` if there is too much to list.
pub fn traces(model: &Model, assumptions: &Assumptions, bounds: ListingBounds) -> Option<ClassifiedTraces> {
    let interaction = &model.interactions[InteractionId::from_index(0)];
    let mut diagrams = Vec::new();
    used(model, interaction, &mut diagrams);
    let whole = Whole {
        model,
        assumptions,
        bounds,
        alphabet: alphabet(&diagrams),
        diagrams,
        languages: RefCell::default(),
    };
    whole.list(interaction)
}

/// What is the same for all runs.
struct Whole<'a> {
    model: &'a Model,
    assumptions: &'a Assumptions,
    bounds: ListingBounds,
    /// The interaction and those it uses.
    diagrams: Vec<&'a Interaction>,
    /// The events of the diagram, each with its lifeline.
    alphabet: Vec<(Rc<str>, String)>,
    /// What operands of `not` were found to mean; `None` if they are too big.
    languages: RefCell<BTreeMap<String, Option<Rc<TraceSet>>>>,
}

impl Whole<'_> {
    fn list(&self, interaction: &Interaction) -> Option<ClassifiedTraces> {
        let mut classes = ClassifiedTraces::default();
        let mut steps = self.bounds.steps;
        let mut choices = ChoiceCounter::default();
        for _ in 0..self.bounds.choices {
            let mut run = ChosenInteraction::new(self, &mut choices);
            let class = run.interaction(interaction).class;
            if run.is_too_big {
                return None;
            }
            let traces = match class {
                TraceClass::Valid => Some(&mut classes.valid),
                TraceClass::Invalid => Some(&mut classes.invalid),
                TraceClass::Inconclusive => None,
            };
            if let Some(traces) = traces.filter(|_| !run.is_cut) {
                if run.happenings.len() > MOST {
                    return None;
                }
                Listing::new(&run).list(0, &mut Vec::new(), &mut steps, traces)?;
            }
            if !choices.advance() {
                let ClassifiedTraces { valid, invalid } = &mut classes;
                valid.retain(|trace| !invalid.contains(trace));
                return Some(classes);
            }
        }
        None
    }
}

/// One combination of choices after the other, counted up like the digits of a number.
#[derive(Default)]
struct ChoiceCounter {
    /// The choices made so far and how many ways there were.
    made: Vec<(usize, usize)>,
    next: usize,
}

impl ChoiceCounter {
    fn choose(&mut self, ways: usize) -> usize {
        if self.next == self.made.len() {
            self.made.push((0, ways));
        }
        self.next += 1;
        self.made[self.next - 1].0
    }

    /// Goes on to the next combination; false after the last.
    fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((choice, ways)) = self.made.pop() {
            if choice + 1 < ways {
                self.made.push((choice + 1, ways));
                return true;
            }
        }
        false
    }
}

/// An interaction and those it uses, each once.
fn used<'a>(model: &'a Model, interaction: &'a Interaction, found: &mut Vec<&'a Interaction>) {
    if found.iter().any(|known| known.name == interaction.name) {
        return;
    }
    found.push(interaction);
    interaction.walk(&mut |fragment, _| {
        if let Fragment::Use(Use { target: Some(target), .. }) = fragment {
            used(model, &model.interactions[*target], found);
        }
    });
}

/// The events drawn in some interactions, each once.
pub fn alphabet(diagrams: &[&Interaction]) -> Vec<(Rc<str>, String)> {
    let mut events: BTreeSet<(Rc<str>, String)> = BTreeSet::new();
    for interaction in diagrams {
        interaction.walk(&mut |fragment, _| match fragment {
            Fragment::Message(id) => {
                let message = &interaction.messages[*id];
                for (sign, end) in [('!', message.from), ('?', message.to)] {
                    if let End::Lifeline(lifeline) = end {
                        let name = interaction.lifelines[lifeline].name.clone();
                        events.insert((format!("{sign}{}", text(interaction, *id)).into(), name));
                    }
                }
            }
            Fragment::Stop(stop) => {
                let name = &interaction.lifelines[stop.lifeline].name;
                events.insert((format!("x:{name}").into(), name.clone()));
            }
            _ => {}
        });
    }
    events.into_iter().collect()
}

/// `a->b:m(1,ok=true)`, as in section 9.
pub fn text(interaction: &Interaction, id: MessageId) -> String {
    let message = &interaction.messages[id];
    let name = |end: End| end.lifeline().map_or("", |lifeline| &interaction.lifelines[lifeline].name);
    let mut text = format!("{}->{}:{}", name(message.from), name(message.to), message.name);
    if let Some(arguments) = &message.arguments {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|argument| match &argument.name {
                Some(name) => format!("{name}={}", argument.text),
                None => argument.text.clone(),
            })
            .collect();
        text += &format!("({})", arguments.join(","));
    }
    text
}
