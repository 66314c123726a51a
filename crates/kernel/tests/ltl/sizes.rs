//! Automata of well-known formulas stay small.
//!
//! States include the one in which nothing was read, and the one in which everything is accepted if a run can get there: at
//! the latest at the end of a run that ends.

use sequent_kernel::property::Observer;
use sequent_kernel::property::ltl::{AutomatonSize, LtlAutomaton};
use sequent_testing::ltl::syntax::formula;
use sequent_testing::ltl::word::{bound, system, system_of};

/// States, edges, marks.
type Figures = (usize, usize, u32);

fn figures(size: AutomatonSize) -> Figures {
    (size.states, size.edges, size.marks)
}

/// A formula, the automaton that accepts it, the automaton of its violation, and whether it is a safety formula.
const TABLE: [(&str, Figures, Figures, bool); 26] = [
    ("G p", (1, 0, 0), (2, 2, 0), true),
    ("F p", (3, 4, 1), (3, 4, 0), false),
    ("G !p", (3, 4, 0), (3, 4, 1), true),
    ("X (p U q)", (3, 4, 1), (3, 4, 0), false),
    ("X (p W q)", (3, 4, 0), (3, 4, 1), true),
    ("X (p R !q)", (3, 4, 0), (3, 4, 1), true),
    ("X (p M !q)", (3, 4, 1), (3, 4, 0), false),
    ("G (p -> F q)", (4, 7, 1), (4, 6, 1), false),
    ("G F p", (2, 2, 1), (4, 7, 1), false),
    ("F G p", (3, 4, 1), (3, 4, 1), false),
    ("G F p -> G F q", (5, 9, 1), (3, 4, 1), false),
    ("G F s & G F t & G F u", (3, 4, 3), (6, 13, 1), false),
    ("(G F s & G F t) -> G F u", (6, 13, 1), (4, 7, 2), false),
    ("!q W p", (3, 4, 0), (3, 4, 1), true),
    ("!q U p", (3, 4, 1), (3, 4, 0), false),
    ("G (p -> !q W r)", (4, 8, 0), (4, 6, 1), true),
    ("G (p -> !q U r)", (4, 7, 1), (4, 6, 1), false),
    ("G (p -> X q)", (4, 6, 0), (4, 5, 1), true),
    ("G (p -> X X q)", (6, 9, 0), (5, 7, 1), true),
    ("G (q -> O p)", (2, 2, 0), (3, 4, 1), true),
    ("G (p -> O (q & F r))", (3, 6, 1), (5, 11, 1), false),
    ("F (p & X F q)", (4, 6, 1), (4, 7, 0), false),
    ("G (s -> F t)", (4, 9, 1), (4, 8, 1), false),
    ("(F s) U (G t)", (6, 18, 1), (5, 12, 1), false),
    ("G (start & s -> !F p)", (3, 5, 0), (3, 4, 1), true),
    ("G (p -> !end U q)", (4, 7, 1), (4, 6, 1), false),
];

#[test]
fn well_known_formulas_have_small_automata() {
    for (text, yes, no, is_safety) in TABLE {
        let bound = bound(&formula(text), &system());
        let holds = LtlAutomaton::of(&bound).expect("it is small");
        let violation = LtlAutomaton::violation(&bound).expect("it is small");
        assert_eq!((figures(holds.size()), figures(violation.size())), (yes, no), "{text}");
        assert_eq!(violation.is_safety(), is_safety, "{text}");
    }
}

/// Six things that each ask for an answer: events of which one happens at a time, or states that know nothing of each other.
#[test]
fn six_responses_have_a_state_for_each_set_of_open_ones() {
    let names: Vec<String> = (0..12).map(|number| format!("p{number}")).collect();
    let system = system_of(&names.iter().map(String::as_str).collect::<Vec<_>>(), 12);
    for letter in ["p", "s"] {
        let one = |number: usize| format!("G ({letter}{} -> F {letter}{})", 2 * number, 2 * number + 1);
        let text: Vec<String> = (0..6).map(one).collect();
        let bound = bound(&formula(&text.join(" & ")), &system);
        let holds = LtlAutomaton::of(&bound).expect("it is small");
        let violation = LtlAutomaton::violation(&bound).expect("it is small");
        assert_eq!((holds.size().states, holds.marks()), (66, 6));
        assert_eq!((violation.size().states, violation.marks()), (9, 1));
    }
}
