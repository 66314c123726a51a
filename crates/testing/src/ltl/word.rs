//! Runs in tests: lassos over a few events and states, and whether an observer accepts one.

use std::collections::{BTreeMap, HashMap};

use sequent_kernel::formula::{Atom, Formula};
use sequent_kernel::id::Id;
use sequent_kernel::property::ltl::{AtomMeaning, BoundFormula, bind_with};
use sequent_kernel::property::{Marks, Moment, Observer, all_marks};
use sequent_kernel::random::Random;
use sequent_kernel::system::{Event, EventId, EventKind, System, TermId, Terms, Variable, VariableId};

/// A position: what happens, and which of `s t u` are true.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct WordPosition {
    /// What happens.
    pub moment: Moment,
    /// Which of `s t u` are true.
    pub holds: [bool; 3],
}

/// Positions, and positions that repeat for ever.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Lasso {
    /// The positions before the cycle.
    pub prefix: Vec<WordPosition>,
    /// The positions that repeat, at least one.
    pub cycle: Vec<WordPosition>,
}

impl Lasso {
    /// The position with a number, wherever that is.
    pub fn at(&self, number: usize) -> WordPosition {
        match number.checked_sub(self.prefix.len()) {
            None => self.prefix[number],
            Some(number) => self.cycle[number % self.cycle.len()],
        }
    }
}

/// Names that are states, in the order of their terms.
pub const STATES: [&str; 3] = ["s", "t", "u"];

/// A system with messages `p`, `q`, `r`, one that no formula names, and a state for each of `s`, `t`, `u`.
pub fn system() -> System {
    system_of(&["p", "q", "r", "x"], 3)
}

/// A system with these messages, of which only the sending is seen, and `states` boolean variables.
pub fn system_of(messages: &[&str], states: usize) -> System {
    let mut terms = Terms::default();
    let no = terms.truth(false);
    for state in 0..states {
        terms.variable(VariableId::from_index(state));
    }
    let [from, to] = [(0, "a"), (1, "b")].map(|(index, name)| (Some(Id::from_index(index)), name));
    let event = |message: &&str| Event::of_message(EventKind::Send, from, to, message, None);
    let variable = |state| Variable::new(format!("s{state}"), 0, 1, 0);
    System {
        variables: (0..states).map(variable).collect(),
        components: ["a", "b"].into_iter().map(str::to_owned).collect(),
        events: messages.iter().map(event).collect(),
        complete: no,
        ..System::bare(terms)
    }
}

/// The term of a state; the first term of the system is a constant.
pub fn term(state: usize) -> TermId {
    TermId::from_index(state + 1)
}

/// Binds a formula of tests.
pub fn bound(formula: &Formula, system: &System) -> BoundFormula {
    let numbers: BTreeMap<&str, usize> =
        STATES.iter().enumerate().map(|(number, name)| (*name, number)).collect();
    let meaning = &mut |atom: &Atom| match atom {
        Atom::Name(word) => {
            let number = numbers.get(word.text.as_str()).copied().or_else(|| word.text[1..].parse().ok());
            number.map(|number| AtomMeaning::Holds(term(number)))
        }
        _ => None,
    };
    bind_with(formula, system, meaning).expect("every name is known")
}

/// A random lasso: an endless one, or a run that ends or gets stuck.
pub fn lasso(numbers: &mut Random) -> Lasso {
    let holds = |numbers: &mut Random| [0; 3].map(|_| numbers.below(2) == 0);
    let start = WordPosition { moment: Moment::Start, holds: holds(numbers) };
    let events = |most: usize, least: usize, numbers: &mut Random| -> Vec<WordPosition> {
        let count = least + numbers.below(most + 1);
        let one = |_| {
            let moment = Moment::Event(EventId::from_index(numbers.below(4)));
            WordPosition { moment, holds: holds(numbers) }
        };
        (0..count).map(one).collect()
    };
    let mut prefix = vec![start];
    prefix.extend(events(3, 0, numbers));
    let last = |moment| vec![WordPosition { moment, holds: prefix[prefix.len() - 1].holds }];
    let cycle = match numbers.below(6) {
        0 => last(Moment::End),
        1 => last(Moment::Stuck),
        _ => events(2, 1, numbers),
    };
    Lasso { prefix, cycle }
}

/// Whether an observer accepts a lasso: whether a cycle with all marks is reachable in their product.
pub fn accepts<O: Observer>(observer: &O, lasso: &Lasso) -> bool {
    let turn = lasso.prefix.len();
    let length = turn + lasso.cycle.len();
    let mut known: HashMap<(usize, O::State), usize> = HashMap::from([((0, observer.first()), 0)]);
    let mut nodes = vec![(0, observer.first())];
    let mut edges: Vec<Vec<(usize, Marks)>> = Vec::new();
    let mut ways = Vec::new();
    while let Some((at, state)) = nodes.get(edges.len()).cloned() {
        let position = lasso.at(at);
        ways.clear();
        observer.read(&state, position.moment, &mut |term| position.holds[term.index() - 1], &mut ways);
        let next = if at + 1 == length { turn } else { at + 1 };
        let mut own = Vec::new();
        for (state, marks) in ways.drain(..) {
            let fresh = nodes.len();
            let number = *known.entry((next, state.clone())).or_insert(fresh);
            if number == fresh {
                nodes.push((next, state));
            }
            own.push((number, marks));
        }
        edges.push(own);
    }
    has_circle(&edges, all_marks(observer.marks()))
}

/// Whether some node can come back to itself with all marks seen on steps between nodes that reach each other.
pub fn has_circle(edges: &[Vec<(usize, Marks)>], all: Marks) -> bool {
    let reach: Vec<Vec<bool>> = (0..edges.len()).map(|node| reached(edges, node)).collect();
    (0..edges.len()).filter(|node| reach[*node][*node]).any(|node| {
        let is_beside = |other: usize| reach[node][other] && reach[other][node];
        let inside = (0..edges.len()).filter(|from| is_beside(*from)).flat_map(|from| &edges[from]);
        let marks = inside.filter(|(to, _)| is_beside(*to)).fold(0, |seen, (_, marks)| seen | marks);
        marks == all
    })
}

/// The nodes that can be reached in one step or more.
fn reached(edges: &[Vec<(usize, Marks)>], from: usize) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for (to, _) in &edges[node] {
            if !std::mem::replace(&mut seen[*to], true) {
                open.push(*to);
            }
        }
    }
    seen
}
