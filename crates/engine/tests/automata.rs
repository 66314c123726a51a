//! The automata of small diagrams: their sizes, and that the minimal one has the same traces.

use sequent_engine::automaton::{automaton, minimal, prune};
use sequent_engine::traces::{TraceLimits, Traces};
use sequent_kernel::automaton::Automaton;
use sequent_kernel::system::TraceClass;
use sequent_testing::diagram;

fn of(text: &str) -> Automaton {
    let system = diagram::system(text);
    automaton(Traces::explore(&system, TraceLimits::default()).expect("it is small"), TraceClass::Valid)
}

fn size(automaton: &Automaton) -> (usize, usize) {
    (automaton.states.len(), automaton.edges.len())
}

#[test]
fn messages_beside_each_other_make_a_grid() {
    assert_eq!(size(&of("par\na ->> b : a\nelse\na ->> b : b\nend\n")), (9, 12));
}

#[test]
fn messages_in_a_row_make_a_triangle() {
    for n in 1..8 {
        let text: String = (0..n).map(|number| format!("a ->> b : m{number}\n")).collect();
        let expected = ((n + 1) * (n + 2) / 2, n * (n + 1));
        assert_eq!(size(&of(&text)), expected);
        assert_eq!(size(&minimal(&of(&text))), expected);
    }
}

#[test]
fn independent_messages_make_a_cube() {
    for n in 1..6 {
        let text: String = (0..n).map(|number| format!("a{number} ->> b{number} : m\n")).collect();
        assert_eq!(of(&text).states.len(), 3_usize.pow(n));
    }
}

#[test]
fn alternatives_that_end_alike_become_one() {
    let text = "alt\na ->> b : p\na ->> b : r\nelse\na ->> b : q\na ->> b : r\nend\n";
    let minimal = minimal(&of(text));
    // After `!p ?p` and after `!q ?q` nothing differs any more.
    assert!(size(&minimal) < size(&of(text)), "{minimal:?}");
    assert_eq!(size(&minimal), (8, 10));
}

#[test]
fn ways_that_lead_nowhere_are_pruned() {
    let text = "a ->> b : p\nb ->> a : q\n";
    let whole = of(text);
    assert_eq!(prune(&whole), whole);
    let mut cut = whole.clone();
    cut.states.iter_mut().for_each(|state| state.accepting = false);
    assert_eq!(size(&prune(&cut)), (1, 0));
}
