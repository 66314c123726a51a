//! Compact automata: the traces of an interaction in few states, with guards and actions over counters and bits (P3,
//! definition 1 and section 3).
//!
//! An automaton without variables has a state for every history: quadratically many for messages in a row, exponentially
//! many for messages beside each other. Paper 003 has two ways out, both for display and for other tools; no engine of ours
//! needs them.
//!
//! - [`CounterAutomatonForm::Counters`]: a loop of an interaction without choices. Lifelines may be in different iterations, however far
//!   apart, so each has a counter of the iterations that it has finished; a state is what they have done of their present ones.
//!   In a strict loop all are in the same iteration: there is one counter for all (P3, section 4.2).
//! - [`CounterAutomatonForm::Bits`]: the history is no state, but an array with a bit for each occurrence.
//!
//! A transition with an event reads it; one without reads nothing. A finite word is accepted if it can be read to an
//! accepting state, an infinite one if recurrent states are passed again and again.

mod bits;
mod counters;
mod cycle;
mod order;

use crate::model::{Block, Combination, Fragment, Interaction, InteractionId, Loop, Model, Operator};
use crate::semantics::{Assumptions, Switches, lower};
use order::OccurrenceOrder;

/// How an automaton is made small.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CounterAutomatonForm {
    /// A counter for each lifeline of a loop.
    Counters,
    /// A bit for each occurrence.
    Bits,
}

/// An automaton with variables; all are 0 at first. State 0 is the initial one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Compact {
    /// Counters and bits.
    pub variables: Vec<CounterVariable>,
    /// States.
    pub states: Vec<CounterState>,
    /// Transitions, in order of their first states.
    pub transitions: Vec<CounterTransition>,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CounterVariable {
    /// Its name in guards and actions.
    pub name: String,
    /// What it tells.
    pub role: CounterRole,
}

/// What a variable tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CounterRole {
    /// How many iterations this lifeline has finished.
    Iterations(String),
    /// Whether this event has happened, in a loop in its lifeline's present iteration.
    Happened(String),
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CounterState {
    /// The events that have happened, where the state tells; in a loop those of the present iterations.
    pub history: Vec<String>,
    /// A word may end here.
    pub accepting: bool,
    /// An infinite word is accepted if it passes such states again and again.
    pub recurrent: bool,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CounterTransition {
    /// The state it leaves.
    pub from: usize,
    /// The state it enters.
    pub to: usize,
    /// The event it reads; `None` for none.
    pub event: Option<String>,
    /// When it may be taken.
    pub guard: CounterGuard,
    /// What it does with variables.
    pub action: Vec<(usize, CounterChange)>,
}

/// A condition over variables, by their numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CounterGuard {
    /// All of them; always, if there is none.
    All(Vec<CounterGuard>),
    /// Any of them; never, if there is none.
    Any(Vec<CounterGuard>),
    /// Whether a bit is as it says.
    Bit(usize, bool),
    /// Whether two values relate like this.
    Compare(CounterValue, ValueRelation, CounterValue),
}

/// A value in a comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CounterValue {
    /// A number.
    Number(u32),
    /// A counter.
    Counter(usize),
    /// What a counter will be after one more iteration.
    Next(usize),
}

/// How values are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum ValueRelation {
    Less,
    AtLeast,
    Equal,
    Different,
}

/// What becomes of a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CounterChange {
    /// It gets this value.
    To(u32),
    /// It is one more.
    Up,
}

impl CounterGuard {
    /// A condition that always holds.
    pub const ALWAYS: CounterGuard = CounterGuard::All(Vec::new());

    /// Whether it is seen to hold never.
    fn is_never(&self) -> bool {
        match self {
            CounterGuard::All(parts) => parts.iter().any(CounterGuard::is_never),
            CounterGuard::Any(parts) => parts.iter().all(CounterGuard::is_never),
            CounterGuard::Bit(..) | CounterGuard::Compare(..) => false,
        }
    }
}

/// The compact automaton of an interaction; an error says why it has none of this form.
pub fn compact(
    model: &Model,
    id: InteractionId,
    switches: &Switches,
    form: CounterAutomatonForm,
) -> Result<Compact, String> {
    let interaction = &model.interactions[id];
    let looped = whole_loop(interaction);
    let mut model = model.clone();
    if let Some((_, body)) = &looped {
        model.interactions[id].body = (*body).clone();
    }
    let assumptions = Assumptions { switches: switches.clone(), ..Assumptions::default() };
    let system =
        lower(&model, id, &assumptions).map_err(|unsupported| format!("{} is not run", unsupported.what))?;
    let mut order = OccurrenceOrder::of(&system).ok_or_else(|| not_basic(&model.interactions[id]))?;
    if looped.is_some_and(|(bounds, _)| bounds.strict) {
        order = order.counted_as_one();
    }
    match (form, looped) {
        (CounterAutomatonForm::Counters, Some((bounds, _))) => counters::automaton(&order, bounds),
        (CounterAutomatonForm::Counters, None) => {
            Err("counters are for a loop, and this diagram is none; it has the form `bits`".to_owned())
        }
        (CounterAutomatonForm::Bits, Some((bounds, _))) => bits::of_loop(&order, bounds),
        (CounterAutomatonForm::Bits, None) => Ok(bits::of_order(&order)),
    }
}

/// The loop that an interaction is, if it is one.
fn whole_loop(interaction: &Interaction) -> Option<(Loop, &Block)> {
    let happens = |fragment: &&Fragment| match fragment {
        Fragment::Message(_)
        | Fragment::Stop(_)
        | Fragment::Action(_)
        | Fragment::Invariant(_)
        | Fragment::Use(_)
        | Fragment::Combined(_) => true,
        Fragment::Execution(_) | Fragment::Note(_) | Fragment::Separator(_) | Fragment::Numbering(_) => false,
    };
    let mut fragments = interaction.body.0.iter().filter(happens);
    let (Some(Fragment::Combined(combined)), None) = (fragments.next(), fragments.next()) else {
        return None;
    };
    match (combined.operator.bounds(), combined.operands.as_slice()) {
        (Some(bounds), [operand]) => Some((bounds, &operand.block)),
        (_, _) => None,
    }
}

/// Why an interaction has no compact form.
fn not_basic(interaction: &Interaction) -> String {
    let mut found: Option<&'static str> = None;
    interaction.walk(&mut |fragment, _| {
        let word = match fragment {
            Fragment::Combined(combined) => match combined.operator.combination() {
                Combination::Parallel | Combination::Unordered(_) => None,
                Combination::Sequence if combined.operator == Operator::Seq => None,
                Combination::Sequence
                | Combination::StrictSequence
                | Combination::Choice { .. }
                | Combination::Break
                | Combination::Repetition(_)
                | Combination::Negation
                | Combination::Complement => Some(combined.operator.word()),
            },
            Fragment::Invariant(_) => Some("state invariant"),
            Fragment::Use(_) => Some("ref"),
            Fragment::Message(_)
            | Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => None,
        };
        found = found.or(word);
    });
    let holds = found.map(|word| format!(": it holds `{word}`")).unwrap_or_default();
    format!("compact forms are for messages in a fixed order, alone or in one loop around everything{holds}")
}
