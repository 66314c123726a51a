//! Random formulas are printed and read again; random texts make nothing panic.

use sequent_kernel::random::Random;

use super::*;

const WORDS: &[&str] = &[
    "a",
    "pay",
    "F",
    "until",
    "never",
    "a b",
    "x.y",
    "send",
    "msg_p",
    "GF",
    "to",
    "it's \"so\"",
    "C:\\n",
    "",
    "A",
];

fn word(dice: &mut Random) -> FormulaWord {
    FormulaWord { text: WORDS[dice.below(WORDS.len())].to_owned(), place: span("").into() }
}

fn random(dice: &mut Random, depth: usize) -> Formula {
    use sequent_kernel::formula::{Binary::*, Pattern, Unary::*};
    let unaries = [Not, Next, Finally, Globally, Previous, WeakPrevious, Once, Historically];
    let binaries = [And, Or, Implies, Iff, Until, Release, WeakUntil, StrongRelease, Since, Trigger];
    let maybe = |dice: &mut Random| (dice.below(3) == 0).then(|| word(dice));
    let node = match (dice.below(6), depth) {
        (0 | 1, 1..) => {
            FormulaNode::Unary(unaries[dice.below(unaries.len())], Box::new(random(dice, depth - 1)))
        }
        (2..=4, 1..) => {
            let (left, right) = (random(dice, depth - 1), random(dice, depth - 1));
            FormulaNode::Binary(binaries[dice.below(binaries.len())], Box::new(left), Box::new(right))
        }
        _ => match dice.below(8) {
            0 => FormulaNode::Constant(dice.below(2) == 0),
            1 => FormulaNode::Atom(Atom::In(word(dice), word(dice))),
            2 => FormulaNode::Atom(Atom::Start),
            3 => FormulaNode::Atom(Atom::End),
            4 => FormulaNode::Atom(Atom::Data(
                crate::expression::parse("x + 1 >= -y * 2").expect("an expression"),
            )),
            5 => FormulaNode::Atom(Atom::Name(word(dice))),
            _ => FormulaNode::Atom(Atom::Event(Pattern {
                direction: [None, Some(Direction::Sent), Some(Direction::Received)][dice.below(3)],
                message: maybe(dice),
                from: maybe(dice),
                to: maybe(dice),
                actor: maybe(dice),
                partner: maybe(dice),
            })),
        },
    };
    Formula { node, place: span("").into() }
}

#[test]
fn what_is_printed_is_read_again() {
    let mut dice = Random::new(7);
    for _ in 0..5_000 {
        let formula = random(&mut dice, 5);
        let text = print(&formula);
        assert_eq!(parse(&text, span(&text)), Ok(formula), "{text}");
    }
}

#[test]
fn other_tools_are_spoken() {
    let show = |text: &str| {
        let formula = parse(text, span(text)).expect("a formula");
        let one = |style| print_in(&formula, style).unwrap_or_else(|| "cannot be said".to_owned());
        format!(
            "{}\n{}\n{}",
            one(FormulaNotation::Sequent),
            one(FormulaNotation::Spin),
            one(FormulaNotation::NuSmv)
        )
    };
    expect![[r#"
        G (sent("place order", from=a) -> F (received(ok, to=a) | "no luck")) & true
        ([] ((proc1_a && send && msg_place_order) -> <> ((proc1_a && receive && msg_ok) || no_luck)) && true)
        (G ((proc1_a & send & msg_place_order) -> F ((proc1_a & receive & msg_ok) | no_luck)) & TRUE)"#]]
    .assert_eq(&show("G (sent(\"place order\", from=a) -> F (received(ok, to=a) | \"no luck\")) & true"));
    expect![[r#"
        a W b -> (c M d) R x % 2 == 1
        ((a W b) -> ((d U (c && d)) V (x % 2 == 1)))
        ((b V (a | b)) -> ((d U (c & d)) V (x mod 2 = 1)))"#]]
    .assert_eq(&show("a W b -> (c M d) R x % 2 = 1"));
    let deep = parse(&("a W (".repeat(60) + "a" + &")".repeat(60)), span("")).expect("a formula");
    assert_eq!(print_in(&deep, FormulaNotation::NuSmv), None);
    expect![[r#"
        G ("!a->b:m" -> O event(to=c)) & in(a, B)
        cannot be said
        (G ((proc1_a & send & msg_m & proc2_b) -> O ((send & proc2_c) | (proc1_c & receive))) & in_a_B)"#]]
    .assert_eq(&show("G(\"!a->b:m\" -> O event(to=c)) & in(a, B)"));
}

/// Pieces of formulas, and of what is none, put together at random.
#[test]
fn nothing_makes_the_reader_panic() {
    const PIECES: &[&str] = &[
        "a",
        "b.c",
        "G",
        "F ",
        "U",
        " until ",
        "!",
        "&",
        " and ",
        "->",
        "<->",
        "<>",
        "[]",
        "(",
        ")",
        ",",
        "=",
        "<",
        "-",
        "+",
        "3",
        "\"",
        "'",
        "\"x y\"",
        "\"!a->b: m (1, 2)\"",
        "\"x:a\"",
        "sent(",
        "in(",
        "from=",
        "event()",
        "sent(p(1, 2))",
        " ",
        "never ",
        " precedes ",
        " responds to ",
        " after ",
        " between ",
        " happens",
        "é",
        "□",
        "\\",
        "\\/",
        "{",
        "true",
        "LTLSPEC ",
        "start",
        "proc1_",
        "msg_m",
        "AG ",
        ";",
        "\n",
        "#",
        "always ",
        " before ",
        "x > 3",
        "sent(a b, to='q\\'')",
    ];
    let mut dice = Random::new(11);
    let mut read = 0;
    for _ in 0..60_000 {
        let length = 1 + dice.below(9);
        let text: String = (0..length).map(|_| PIECES[dice.below(PIECES.len())]).collect();
        match parse(&text, span(&text)) {
            Ok(formula) => {
                read += 1;
                let printed = print(&formula);
                assert_eq!(parse(&printed, span(&printed)), Ok(formula), "{text} as {printed}");
            }
            Err(problem) => {
                let range = problem.span.start as usize - 5..problem.span.end as usize - 5;
                assert!(text.get(range).is_some(), "{text}: {problem:?}");
            }
        }
    }
    assert!(read > 2_000, "{read}");
}
