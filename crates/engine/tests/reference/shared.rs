//! Small random diagrams of two families in which several parts of a fragment depend on each other: operands whose guards ask
//! for the same propositions, and orderings and calls inside a `not`. Diagrams of every operator hardly ever draw them.

use sequent_evaluation::generate::interaction::assumptions;
use sequent_kernel::random::Random;
use sequent_kernel::semantics::{Assumptions, Switches};
use sequent_testing::interaction::ListingBounds;
use sequent_testing::seeds::seeds;

use crate::cases::read;
use crate::{bounds, compare_within};

/// Guards over few words, so that most fragments ask twice for one.
const GUARDS: [&str; 9] = ["p", "p", "!p", "q", "p and not q", "not (p implies q)", "p or q", "it rains", ""];

/// Fragments each operand of which runs as its own guard says.
const BESIDE: [&str; 6] =
    ["par", "group seq", "group strict", "group critical", "group assert", "group coregion a"];

/// What may stand around such a fragment.
const AROUND: [&str; 6] = ["", "", "opt it rains", "loop 2 times", "group neg", "break p"];

fn pick<'t>(numbers: &mut Random, from: &[&'t str]) -> &'t str {
    from[numbers.below(from.len())]
}

/// A message between two of three lifelines, or from outside.
fn message(numbers: &mut Random, name: &str) -> String {
    let from = numbers.below(4);
    let to = (from + 1 + numbers.below(2)) % 3;
    match from {
        3 => format!("[->> {} : {name}\n", ["a", "b", "c"][to]),
        from => format!("{} ->> {} : {name}\n", ["a", "b", "c"][from], ["a", "b", "c"][to]),
    }
}

/// A fragment whose operands ask for few propositions, in another and before one more that asks.
fn guarded(numbers: &mut Random) -> String {
    let mut text = String::new();
    let around = pick(numbers, &AROUND);
    text += &format!("{around}\n");
    let operator = pick(numbers, &BESIDE);
    for index in 0..2 + numbers.below(2) {
        let guard = pick(numbers, &GUARDS);
        let opening = if index == 0 { operator } else { "else" };
        let guard = if operator == "par" || index > 0 || guard.is_empty() {
            guard.to_owned()
        } else {
            format!("[{guard}]")
        };
        text += &format!("{opening} {guard}\n");
        text += &message(numbers, &format!("m{index}"));
    }
    text += "end\n";
    if !around.is_empty() {
        text += "end\n";
    }
    if numbers.below(2) == 0 {
        text += &format!("opt {}\n[->> a : m4\nend\n", pick(numbers, &GUARDS));
    }
    text
}

/// A `not` with two messages in an order, or with a call during which something else happens.
fn complemented(numbers: &mut Random) -> String {
    let inner = match numbers.below(4) {
        0 => "a -> b : m1\n[->> a : m3\nb --> a : m2\n".to_owned(),
        1 => format!("par\n{}else\n{}end\n", message(numbers, "m1"), message(numbers, "m2")),
        2 => format!("opt\n{}end\n{}", message(numbers, "m1"), message(numbers, "m2")),
        _ => message(numbers, "m1") + &message(numbers, "m2"),
    };
    let inside = match numbers.below(5) {
        // One end of the order is outside.
        0 => format!("group not\n{}end\n{}", message(numbers, "m1"), message(numbers, "m2")),
        _ => format!("group not\n{inner}end\n"),
    };
    // What comes from outside has one end.
    let order = |name: &str, sign| match inside.contains(&format!("[->> a : {name}\n"))
        || inside.contains(&format!("[->> b : {name}\n"))
        || inside.contains(&format!("[->> c : {name}\n"))
    {
        true => format!("?{name}"),
        false => format!("{sign}{name}"),
    };
    let [first, second] = [0, 1].map(|_| pick(numbers, &["!", "?"]));
    format!("{inside}' @order {} < {}\n", order("m1", first), order("m2", second))
}

/// Compares both sides on the texts of a family; most are small enough.
fn agree_on(
    usual: u64,
    text: impl Fn(&mut Random) -> String,
    assumed: impl Fn(u64) -> Assumptions,
    within: impl Fn(ListingBounds) -> ListingBounds,
) {
    let seeds = seeds(usual);
    let count = seeds.count_left();
    let mut compared = 0;
    for seed in seeds {
        let text = text(&mut Random::new(seed));
        let (model, assumptions) = (read(&text), assumed(seed));
        let bounds = within(bounds(&model, &assumptions));
        let Some(difference) = compare_within(&model, &assumptions, bounds) else { continue };
        compared += 1;
        assert!(difference.is_none(), "seed {seed} under {assumptions:?}\n{text}{difference}");
    }
    assert!(compared * 2 > count, "most seeds are small enough: {compared} of {count}");
}

#[test]
fn guards_of_several_operands() {
    agree_on(100, guarded, |_| Assumptions::default(), |bounds| bounds);
}

#[test]
fn guards_of_several_operands_under_switches() {
    agree_on(200, guarded, assumptions, |bounds| bounds);
}

#[test]
fn orderings_and_calls_inside_a_not() {
    let assumed = |seed: u64| {
        let switches = Switches { blocking_calls: seed.is_multiple_of(2), ..Switches::default() };
        Assumptions { switches, ..Assumptions::default() }
    };
    let within = |_| ListingBounds { choices: 20_000, steps: 60_000, length: 5 };
    agree_on(24, complemented, assumed, within);
}
