//! Formulas that nobody would write: an error value, in time.

use sequent_kernel::formula::{Binary, Formula, Unary};
use sequent_kernel::property::ltl::{AutomatonTooLarge, LtlAutomaton, truth};
use sequent_kernel::property::{Moment, Observer};
use sequent_testing::ltl::syntax::{atom, binary, formula, unary};
use sequent_testing::ltl::word::{bound, system, system_of};

fn nested(operator: Unary, times: usize) -> Formula {
    (0..times).fold(atom("p"), |inner, _| unary(operator, inner))
}

/// Why there is no automaton.
fn refusal(formula: &Formula) -> Option<AutomatonTooLarge> {
    LtlAutomaton::of(&bound(formula, &system_of(&["p", "q"], 200))).err()
}

#[test]
fn deep_formulas_are_refused_or_flat() {
    assert_eq!(refusal(&nested(Unary::Next, 3_000)), Some(AutomatonTooLarge::Formula));
    assert_eq!(refusal(&nested(Unary::Previous, 100)), None);
    assert_eq!(
        refusal(&unary(Unary::Finally, nested(Unary::Previous, 100))),
        Some(AutomatonTooLarge::Memory)
    );
    assert_eq!(refusal(&nested(Unary::Not, 3_000)), None);
    assert_eq!(refusal(&nested(Unary::Finally, 3_000)), None);
    assert_eq!(refusal(&nested(Unary::Next, 300)), None);
    let chain = (0..3_000).fold(atom("p"), |inner, _| binary(Binary::Or, inner, atom("q")));
    assert_eq!(refusal(&chain), None);
}

#[test]
fn wide_formulas_are_refused_in_time() {
    let joined = |count: usize, sign: &str, one: &dyn Fn(usize) -> String| {
        formula(&(0..count).map(one).collect::<Vec<_>>().join(sign))
    };
    let again = |number| format!("G F s{number}");
    assert_eq!(refusal(&joined(70, " & ", &again)), Some(AutomatonTooLarge::Marks));
    let answered = |number| format!("G (s{number} -> F s{})", number + 1);
    assert_eq!(refusal(&joined(40, " & ", &answered)), Some(AutomatonTooLarge::Formula));
    let paired = |number| format!("(s{number} & s{})", number + 100);
    assert_eq!(refusal(&joined(100, " | ", &paired)), None, "what is written together is asked together");
    let seen = |number| format!("O s{number}");
    assert_eq!(refusal(&joined(70, " & ", &seen)), None, "at the start the past is known");
    assert_eq!(refusal(&unary(Unary::Next, joined(70, " & ", &seen))), Some(AutomatonTooLarge::Memory));
    let guessed = |number| format!("O (p & X s{number})");
    assert_eq!(refusal(&joined(70, " & ", &guessed)), Some(AutomatonTooLarge::Memory));
}

/// A table needs no more room than the formula looks back.
#[test]
fn tables_are_filled_whatever_the_formula() {
    let bound = bound(&nested(Unary::Previous, 200), &system());
    let table = truth(&bound, &[], &[Moment::Start], |_, _| false);
    assert!(!table.holds() && table.once <= 201);
}

#[test]
fn nothing_is_accepted_where_nothing_can_be() {
    let none = LtlAutomaton::of(&bound(&formula("F p & G !p"), &system())).expect("it is small");
    let mut ways = Vec::new();
    none.read(&none.first(), Moment::Start, &mut |_| false, &mut ways);
    assert!(ways.is_empty());
    let all = LtlAutomaton::of(&bound(&formula("F p | G !p"), &system())).expect("it is small");
    all.read(&all.first(), Moment::Start, &mut |_| false, &mut ways);
    assert!(all.is_safety() && all.accepts_all(&ways[0].0));
}
