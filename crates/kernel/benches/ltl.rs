//! How quick formulas become automata: `cargo bench -p sequent-kernel --bench ltl`.
//!
//! Each row is a formula with the time its automaton may take (issue 4, "Must show"): as it is, and that of its violation.
//! Figures are the best of several runs, which is what the machine can do when it is left alone.

use std::time::{Duration, Instant};

use sequent_kernel::formula::{Atom, Binary, Formula, FormulaNode, FormulaWord, Pattern, Unary};
use sequent_kernel::id::Id;
use sequent_kernel::property::ltl::{AtomMeaning, AutomatonTooLarge, BoundFormula, LtlAutomaton, bind_with};
use sequent_kernel::source::{FileId, Place, Span};
use sequent_kernel::system::{Event, EventKind, System, TermId, Terms, Variable, VariableId};

const RUNS: usize = 20;
const ATOMS: usize = 24;

fn main() {
    println!(
        "{:<44} {:>7} {:>7} {:>10} {:>5} {:>10} {:>10}",
        "formula", "states", "edges", "decisions", "marks", "time", "at most"
    );
    for (name, atom) in [("events", event as fn(usize) -> Formula), ("states", state)] {
        for count in [1, 6, 9] {
            let bound = bind(&responses(count, atom));
            row(&format!("{count} responses, {name}"), || LtlAutomaton::of(&bound));
            row(&format!("{count} responses, {name}, violated"), || LtlAutomaton::violation(&bound));
        }
        let bound = bind(&precedence(6, atom));
        row(&format!("6 times p only after q, past, {name}"), || LtlAutomaton::of(&bound));
        row(&format!("6 times p only after q, past, {name}, violated"), || LtlAutomaton::violation(&bound));
    }
}

fn row(name: &str, make: impl Fn() -> Result<LtlAutomaton, AutomatonTooLarge>) {
    let size = make().expect("it is small enough").size();
    let millis = format!("{:.2} ms", best(|| drop(make())).as_secs_f64() * 1000.0);
    println!(
        "{name:<44} {:>7} {:>7} {:>10} {:>5} {millis:>10} {:>10}",
        size.states, size.edges, size.decisions, size.marks, "1000 ms"
    );
}

fn best(work: impl Fn()) -> Duration {
    let one = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..RUNS).map(one).min().expect("there is at least one run")
}

/// `G (p1 -> F q1) & ..`
fn responses(count: usize, atom: fn(usize) -> Formula) -> Formula {
    all(count, |number| {
        let answer = unary(Unary::Finally, atom(2 * number + 1));
        unary(Unary::Globally, binary(Binary::Implies, atom(2 * number), answer))
    })
}

/// `G (p1 -> O q1) & ..`
fn precedence(count: usize, atom: fn(usize) -> Formula) -> Formula {
    all(count, |number| {
        let before = unary(Unary::Once, atom(2 * number + 1));
        unary(Unary::Globally, binary(Binary::Implies, atom(2 * number), before))
    })
}

fn all(count: usize, one: impl Fn(usize) -> Formula) -> Formula {
    (0..count).map(one).reduce(|all, one| binary(Binary::And, all, one)).expect("there is at least one")
}

fn place() -> Place {
    Place(Span::new(FileId::from_index(0), 0, 0))
}

fn unary(operator: Unary, part: Formula) -> Formula {
    Formula { node: FormulaNode::Unary(operator, Box::new(part)), place: place() }
}

fn binary(operator: Binary, left: Formula, right: Formula) -> Formula {
    Formula { node: FormulaNode::Binary(operator, Box::new(left), Box::new(right)), place: place() }
}

fn word(number: usize) -> FormulaWord {
    FormulaWord { text: number.to_string(), place: place() }
}

fn event(number: usize) -> Formula {
    let pattern = Pattern { message: Some(word(number)), ..Pattern::default() };
    Formula { node: FormulaNode::Atom(Atom::Event(pattern)), place: place() }
}

fn state(number: usize) -> Formula {
    Formula { node: FormulaNode::Atom(Atom::Name(word(number))), place: place() }
}

/// Events and states are called by their numbers.
fn bind(formula: &Formula) -> BoundFormula {
    let mut terms = Terms::default();
    let no = terms.truth(false);
    let states: Vec<TermId> =
        (0..ATOMS).map(|number| terms.variable(VariableId::from_index(number))).collect();
    let [from, to] = [(0, "a"), (1, "b")].map(|(index, name)| (Some(Id::from_index(index)), name));
    let event = |number: usize| Event::of_message(EventKind::Send, from, to, &number.to_string(), None);
    let system = System {
        variables: (0..ATOMS).map(|number| Variable::new(number.to_string(), 0, 1, 0)).collect(),
        components: ["a", "b"].into_iter().map(str::to_owned).collect(),
        events: (0..ATOMS).map(event).collect(),
        complete: no,
        ..System::bare(terms)
    };
    let meaning = &mut |atom: &Atom| match atom {
        Atom::Name(word) => word.text.parse().ok().map(|number: usize| AtomMeaning::Holds(states[number])),
        _ => None,
    };
    bind_with(formula, &system, meaning).expect("every name is a number")
}
