//! Formulas as text, as data: what is read, with every grouping visible, and what is wrong where.

mod mistakes;
mod random;

use expect_test::{Expect, expect};
use sequent_kernel::formula::{Atom, Direction, Formula, FormulaNode, FormulaWord};
use sequent_kernel::source::{FileId, Sources, Span};

use super::*;

/// A file whose bytes 5.. are the text.
fn span(text: &str) -> Span {
    Span::new(file(), 5, 5 + text.len())
}

fn file() -> FileId {
    Sources::new().add("x", "")
}

/// The text at a place.
fn at(text: &str, span: Span) -> &str {
    &text[span.start as usize - 5..span.end as usize - 5]
}

fn check(input: &str, expected: Expect) {
    let shown = match parse(input, span(input)) {
        Ok(formula) => {
            let printed = print(&formula);
            assert_eq!(parse(&printed, span(&printed)).as_ref(), Ok(&formula), "{printed}");
            grouped(&formula)
        }
        Err(problem) => {
            let hint = problem.hint.map(|hint| format!("\n  {hint}")).unwrap_or_default();
            format!("`{}` at {}: {}{hint}", at(input, problem.span), problem.span.start - 5, problem.message)
        }
    };
    expected.assert_eq(&shown);
}

fn grouped(formula: &Formula) -> String {
    match &formula.node {
        FormulaNode::Constant(value) => value.to_string(),
        FormulaNode::Atom(atom) => self::atom(atom),
        FormulaNode::Unary(operator, part) => format!("({operator:?} {})", grouped(part)),
        FormulaNode::Binary(operator, left, right) => {
            format!("({} {operator:?} {})", grouped(left), grouped(right))
        }
    }
}

fn atom(atom: &Atom) -> String {
    match atom {
        Atom::Event(pattern) => {
            let direction = match pattern.direction {
                Some(Direction::Sent) => "!",
                Some(Direction::Received) => "?",
                None => "",
            };
            let part = |name: &str, word: &Option<FormulaWord>| {
                word.as_ref().map_or(String::new(), |word| format!(" {name}={}", word.text))
            };
            let message = part("message", &pattern.message);
            let ends = [part("from", &pattern.from), part("to", &pattern.to)].concat();
            let flags = [part("actor", &pattern.actor), part("partner", &pattern.partner)].concat();
            format!("<{direction}{message}{ends}{flags}>")
        }
        Atom::Exactly(word) => format!("<={}>", word.text),
        Atom::Name(word) => word.text.clone(),
        Atom::In(object, state) => format!("<{} in {}>", object.text, state.text),
        Atom::Data(expression) => format!("[{}]", crate::expression::print(expression)),
        Atom::Start => "START".to_owned(),
        Atom::End => "END".to_owned(),
    }
}

#[test]
fn operators_bind_as_documented() {
    check("!a & b | c -> d <-> e", expect!["(((((Not a) And b) Or c) Implies d) Iff e)"]);
    check("a U b & c U d", expect!["((a Until b) And (c Until d))"]);
    check("a U b U c", expect!["(a Until (b Until c))"]);
    check("a -> b -> c", expect!["(a Implies (b Implies c))"]);
    check("a <-> b <-> c", expect!["((a Iff b) Iff c)"]);
    check("a & b & c | d", expect!["(((a And b) And c) Or d)"]);
    check("a | b xor c & d", expect!["(a Or (Not (b Iff (c And d))))"]);
    check("G a U b", expect!["((Globally a) Until b)"]);
    check("G(a -> F b)", expect!["(Globally (a Implies (Finally b)))"]);
    check("X X !Y Z O H a", expect!["(Next (Next (Not (Previous (WeakPrevious (Once (Historically a)))))))"]);
    check("a S b T c", expect!["(a Since (b Trigger c))"]);
    check("a R b M c W d V e", expect!["(a Release (b StrongRelease (c WeakUntil (d Release e))))"]);
}

#[test]
fn every_tool_is_understood() {
    check(
        "[] (p -> <> q) && !r || <>s",
        expect!["(((Globally (p Implies (Finally q))) And (Not r)) Or (Finally s))"],
    );
    check("LTLSPEC G (x = TRUE -> F y) & FALSE;", expect!["((Globally (x Implies (Finally y))) And false)"]);
    check(
        "□(p → ◇¬q ∧ ○r ∨ s) ↔ t",
        expect!["((Globally (p Implies (((Finally (Not q)) And (Next r)) Or s))) Iff t)"],
    );
    check("always (p implies eventually q)", expect!["(Globally (p Implies (Finally q)))"]);
    check("not p and next q or once r", expect!["(((Not p) And (Next q)) Or (Once r))"]);
    check("p until q release r", expect!["(p Until (q Release r))"]);
    check("p weakuntil q since r", expect!["(p WeakUntil (q Since r))"]);
    check("previously p iff historically q", expect!["((Previous p) Iff (Historically q))"]);
    check("GF p -> FG q", expect!["((Globally (Finally p)) Implies (Finally (Globally q)))"]);
    check("p /\\ q \\/ ~r => s", expect!["(((p And q) Or (Not r)) Implies s)"]);
    check("p <=> q", expect!["(p Iff q)"]);
    check("p->q", expect!["(p Implies q)"]);
}

#[test]
fn events() {
    check("sent(pay)", expect!["<! message=pay>"]);
    check("received(pay, from=a, to = b)", expect!["<? message=pay from=a to=b>"]);
    check("sent(to=user)", expect!["<! to=user>"]);
    check("event()", expect!["<>"]);
    check(
        "send(message=m) & receive( ) & receives(x)",
        expect!["((<! message=m> And <?>) And <? message=x>)"],
    );
    check("sent(\"place order\") | sent('x')", expect!["(<! message=place order> Or <! message=x>)"]);
    check("sent(place order, from=web-shop.v2)", expect!["<! message=place order from=web-shop.v2>"]);
    check("sent(pay(3, x))", expect!["<! message=pay(3,x)>"]);
    check(
        "sent(\"pay( 3 )\") & sent(result(ok = false))",
        expect!["(<! message=pay(3)> And <! message=result(ok=false)>)"],
    );
    check("sent(GET /orders/7)", expect!["<! message=GET /orders/7>"]);
    check("sent(\"a, \\\"b\\\"\")", expect![[r#"<! message=a, "b">"#]]);
    check("\"!a->b:m\" U '?a->b:pay( 1, 2)'", expect!["(<=!a->b:m> Until <=?a->b:pay(1,2)>)"]);
    check("\"x:a\"", expect!["<=x:a>"]);
}

#[test]
fn flags_of_p2() {
    check(
        "proc1_b & receive & msg_p & proc2_a",
        expect!["(((< actor=b> And <?>) And < message=p>) And < partner=a>)"],
    );
    check(
        "!(send & msg_q) U (proc1_b & receive)",
        expect!["((Not (<!> And < message=q>)) Until (< actor=b> And <?>))"],
    );
    check(
        "G((start & (!cardOK or !PINok)) -> !end)",
        expect!["(Globally ((START And ((Not cardOK) Or (Not PINok))) Implies (Not END)))"],
    );
}

#[test]
fn states_values_and_names() {
    check(
        "in(atm, GivingMoney) & in(\"my atm\", A.B)",
        expect!["(<atm in GivingMoney> And <my atm in A.B>)"],
    );
    check("amount > 3 -> atm.amount = 2", expect!["([amount > 3] Implies [atm.amount == 2])"]);
    check("x + 1 <= y*2 & !z != 3", expect!["([x + 1 <= y * 2] And (Not [z != 3]))"]);
    check("(x + 1) % 2 = -1", expect!["[(x + 1) % 2 == -1]"]);
    check("x <> 3 & <> y", expect!["([x != 3] And (Finally y))"]);
    check("open = true & shut = FALSE | a.b != true", expect!["((open And (Not shut)) Or (Not a.b))"]);
    check("\"card is valid\" & card-valid & 'F'", expect!["((card is valid And card-valid) And F)"]);
    check("TRUE & false", expect!["(true And false)"]);
    check("a.b.c", expect!["a.b.c"]);
}

#[test]
fn patterns_are_formulas() {
    check("never sent(a)", expect!["(Globally (Not <! message=a>))"]);
    check("a never happens before b", expect!["((Finally b) Implies ((Not a) WeakUntil b))"]);
    check("always a after b", expect!["(Globally (b Implies (Next (Globally a))))"]);
    check("always a", expect!["(Globally a)"]);
    check("eventually a & b", expect!["((Finally a) And b)"]);
    check("(never a) & (b precedes c)", expect!["((Globally (Not a)) And ((Not c) WeakUntil b))"]);
    check("G (a -> never b)", expect!["(Globally (a Implies (Globally (Not b))))"]);
    check(
        "a happens between b and c",
        expect!["(Globally ((b And (Next (Finally c))) Implies (Next ((Not c) Until (a And (Not c))))))"],
    );
    check(
        "b responds to !a after (c | d)",
        expect!["(Globally ((c Or d) Implies (Next (Globally ((Not a) Implies (Finally b))))))"],
    );
}

#[test]
fn a_pattern_may_be_implied() {
    check("hit -> never sent(x)", expect!["(hit Implies (Globally (Not <! message=x>)))"]);
    check(
        "hit -> never sent(x) after sent(y)",
        expect!["(hit Implies (Globally (<! message=y> Implies (Next (Globally (Not <! message=x>))))))"],
    );
    check(
        "miss -> sent(a) happens before sent(b)",
        expect![
            "(miss Implies ((Finally <! message=b>) Implies ((Not <! message=b>) Until (<! message=a> And (Not <! message=b>)))))"
        ],
    );
    check(
        "a & b -> c -> d responds to e",
        expect!["((a And b) Implies (c Implies (Globally (e Implies (Finally d)))))"],
    );
    check("a -> never b & c", expect!["(a Implies ((Globally (Not b)) And c))"]);
    check(
        "a U b implies c precedes d after e until f",
        expect!["((a Until b) Implies (Globally (e Implies (Next ((Not d) WeakUntil (c Or f))))))"],
    );
    check("(a -> b happens) & c", expect!["((a Implies (Finally b)) And c)"]);
}

#[test]
fn every_part_knows_its_place() {
    let text = "G (sent(pay, from=\"a b\") -> F paid & x > 3)";
    let formula = parse(text, span(text)).expect("a formula");
    let mut parts = vec![at(text, formula.place.0).to_owned()];
    let mut open = vec![&formula];
    while let Some(next) = open.pop() {
        for part in next.parts() {
            parts.push(at(text, part.place.0).to_owned());
            open.push(part);
        }
        if let FormulaNode::Atom(Atom::Event(pattern)) = &next.node {
            let words = [&pattern.message, &pattern.from].into_iter().flatten();
            parts.extend(words.map(|word| format!("{} = {}", word.text, at(text, word.place.0))));
        }
    }
    expect![[r#"
        G (sent(pay, from="a b") -> F paid & x > 3)
        sent(pay, from="a b") -> F paid & x > 3
        sent(pay, from="a b")
        F paid & x > 3
        F paid
        x > 3
        paid
        pay = pay
        a b = "a b""#]]
    .assert_eq(&parts.join("\n"));
    let elsewhere = Span::new(file(), 7, 9);
    let problem = parse("a &", elsewhere).expect_err("no formula");
    assert_eq!(problem.span, elsewhere, "places are not made up");
}

#[test]
fn hostile_texts_end_in_a_diagnostic() {
    let small = std::thread::Builder::new().stack_size(1 << 20);
    let texts = [
        "(".repeat(20_000) + "a" + &")".repeat(20_000),
        "!".repeat(40_000),
        "X ".repeat(20_000) + "a",
        "a -> ".repeat(9_000) + "a",
        "a & ".repeat(10_000) + "a",
        "never ".repeat(8_000) + "a",
        "a, ".repeat(10_000) + "a precede b",
        "(a, b precede ".repeat(90) + "a" + &")".repeat(90),
        "sent(".repeat(9_000),
        "x + ".repeat(10_000) + "1 > 3",
        "-".repeat(40_000) + "1 > 3",
        "a".repeat(60_000),
    ];
    let judge =
        move || texts.iter().for_each(|text| assert!(parse(text, span(text)).is_err(), "{}", &text[..20]));
    small.spawn(judge).expect("a thread").join().expect("no panic");
    let deep = "(".repeat(90) + "a" + &" U b)".repeat(90);
    assert!(parse(&deep, span(&deep)).is_ok());
    let long = "a & ".repeat(400) + "a";
    assert!(parse(&long, span(&long)).is_ok());
}
