//! Formulas as text, as data: what is read, with every grouping visible, and what is wrong where.

use expect_test::{Expect, expect};
use sequent_kernel::formula::{Atom, Direction, Formula, Node, Word};
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
        Node::Constant(value) => value.to_string(),
        Node::Atom(atom) => self::atom(atom),
        Node::Unary(operator, part) => format!("({operator:?} {})", grouped(part)),
        Node::Binary(operator, left, right) => format!("({} {operator:?} {})", grouped(left), grouped(right)),
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
            let part = |name: &str, word: &Option<Word>| {
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
fn mistakes_are_told_where_they_are() {
    check(
        "",
        expect![[r#"
        `` at 0: the formula is empty
          such as `G (sent(order) -> F received(receipt))`, or `never sent(pay) after received(refund)`"#]],
    );
    check(
        "G (a -> b",
        expect![[r#"
        `(` at 2: `(` is never closed
          put a `)` where its content ends"#]],
    );
    check(
        "G a) & b",
        expect![[r#"
        `)` at 3: `)` closes nothing
          remove it, or open a bracket before"#]],
    );
    check("a &", expect!["`&` at 2: `&` needs something behind it"]);
    check("a & | b", expect!["`&` at 2: `&` needs something behind it"]);
    check(
        "U b",
        expect![[r#"
        `U` at 0: `U` has nothing on its left
          write `A U B`; a name that is spelt like an operator is written in quotes"#]],
    );
    check("a & until b", expect!["`&` at 2: `&` needs something behind it"]);
    check("()", expect!["`)` at 1: there is nothing between `(` and `)`"]);
    check(
        "sent(pay) = F received(receipt)",
        expect![[r#"
        `=` at 10: `=` compares values, and a formula is none
          write `->` for "implies", `<->` for "if and only if""#]],
    );
    check(
        "G (x = sent(pay))",
        expect![[r#"
        `=` at 5: `=` compares values, and a formula is none
          write `->` for "implies", `<->` for "if and only if""#]],
    );
    check(
        "(a | b) = c",
        expect![[r#"
        `=` at 8: `=` compares values, and a formula is none
          write `->` for "implies", `<->` for "if and only if""#]],
    );
    check(
        "g(a)",
        expect![[r#"
            `g` at 0: `g(..)` is nothing a formula knows
              operators are capitals: `G`"#]],
    );
    check(
        "a u b",
        expect![[r#"
            `u` at 2: an operator is expected before `u`
              operators are capitals: `U`"#]],
    );
    check(
        "AG (a -> AF b)",
        expect![[r#"
        `AG` at 0: `AG` speaks of paths, and there are no path quantifiers
          a formula must hold in every run anyway: write `G`"#]],
    );
    check(
        "E F a",
        expect![[r#"
            `E` at 0: `E` speaks of paths, and there are no path quantifiers
              `EF p` says that some run does it: write `G !p` with `@expect fails`"#]],
    );
    check(
        "AF(b)",
        expect![[r#"
        `AF` at 0: `AF` speaks of paths, and there are no path quantifiers
          a formula must hold in every run anyway: write `F`"#]],
    );
    check(
        "snet(pay)",
        expect![[r#"
        `snet` at 0: `snet(..)` is nothing a formula knows
          did you mean `sent`?"#]],
    );
    check(
        "pay(3)",
        expect![[r#"
        `pay` at 0: `pay(..)` is nothing a formula knows
          a message is an atom by being sent or received: `sent(pay)`"#]],
    );
    check(
        "G F",
        expect![[r#"
        `F` at 2: `F` needs something behind it
          a message or guard called F is written in quotes: "F""#]],
    );
    check(
        "F & a",
        expect![[r#"
        `F` at 0: `F` needs something behind it
          a message or guard called F is written in quotes: "F""#]],
    );
    check(
        "card is valid & x",
        expect![[r#"
        `is` at 5: an operator is expected before `is`
          a guard of several words is written in quotes: "card is valid""#]],
    );
    check(
        "a b",
        expect![[r#"
        `b` at 2: an operator is expected before `b`
          a guard of several words is written in quotes: "a b""#]],
    );
    check(
        "sent",
        expect![[r#"
        `sent` at 0: `sent` needs brackets
          `sent()` for any message, "sent" for a guard of that name"#]],
    );
    check(
        "sent(pay, a)",
        expect![[r#"
        `a` at 10: only the message needs no name
          such as `sent(pay, from=a, to=b)`"#]],
    );
    check(
        "sent(pay, form=a)",
        expect![[r#"
        `form=a` at 10: `form` is no part of an event
          its parts are message, from, to, actor and partner"#]],
    );
    check(
        "sent(a & b)",
        expect![[r#"
        `&` at 7: `&` in a name needs quotes
          write "a & b" if all of it is the name"#]],
    );
    check(
        "sent(pay,)",
        expect![[r#"
        `` at 9: only the message needs no name
          such as `sent(pay, from=a, to=b)`"#]],
    );
    check("sent(from=a, from=b)", expect!["`from=b` at 13: this part of the event is given twice"]);
    check(
        "sent(pay",
        expect![[r#"
        `(` at 4: `(` is never closed
          put a `)` where its content ends"#]],
    );
    check(
        "in(atm)",
        expect![[r#"
        `atm` at 3: `in` needs an object and a state
          such as `in(atm, Idle)`"#]],
    );
    check(
        "\"card is",
        expect![[r#"
        `"` at 0: `"` opens a text that is never closed
          put another `"` at its end"#]],
    );
    check(
        "x + 1",
        expect![[r#"
        `x + 1` at 0: `x + 1` is a value, neither true nor false
          compare it, such as `x + 1 > 3`, or put a name in quotes"#]],
    );
    check(
        "3",
        expect![[r#"
        `3` at 0: a value is neither true nor false
          compare it, such as `x > 3`, or write `true` or `false`"#]],
    );
    check(
        "a, b",
        expect![[r#"
        `,` at 1: a comma means nothing here
          commas stand between the arguments of an atom, and in chains such as `A, B precede C`"#]],
    );
    check(
        "a # b",
        expect![[r#"
            `# b` at 2: a formula has no comments
              write it on a line of its own"#]],
    );
    check(
        "[a]",
        expect![[r#"
        `[` at 0: `[` is no sign of a formula
          `[]` is always; use `(` and `)` to group"#]],
    );
    check("x > > 3", expect!["`>` at 2: `>` needs something behind it"]);
    check(
        "never a & b",
        expect![[r#"
            `&` at 8: `&` in a pattern needs brackets
              write `never (a & b)`, or `(never a) & ..`"#]],
    );
    check(
        "a precedes",
        expect![[r#"
        `precedes` at 2: `precedes` needs something behind it
          a message or guard called precedes is written in quotes: "precedes""#]],
    );
    check(
        "precedes a",
        expect![[r#"
        `precedes` at 0: `precedes` has nothing on its left
          write `A precedes B`; a name that is spelt like an operator is written in quotes"#]],
    );
    check(
        "a responds b",
        expect![[r#"
        `b` at 11: `to` is expected here
          patterns are `never A`, `A happens`, `always A`, `A precedes B`, `B responds to A`, `A leads to B`, each with `before C`, `after C`, `between C and D` or `after C until D`"#]],
    );
    check(
        "a, b precede c, d",
        expect![[r#"
        `precede` at 5: only one side may name several things
          `A, B precede C` and `A precedes B, C` are chains; write two patterns instead"#]],
    );
    check(
        "a, b happen",
        expect![[r#"
        `happen` at 5: only one thing happens, or not
          `(A & F B) happens` says that B follows A; `A precedes B` speaks of their order"#]],
    );
    check(
        "never a between b",
        expect![[r#"
        `` at 17: `and` is expected here
          patterns are `never A`, `A happens`, `always A`, `A precedes B`, `B responds to A`, `A leads to B`, each with `before C`, `after C`, `between C and D` or `after C until D`"#]],
    );
    check(
        "never a before b after c",
        expect![[r#"
        `after` at 17: `after` does not go on from here
          patterns are `never A`, `A happens`, `always A`, `A precedes B`, `B responds to A`, `A leads to B`, each with `before C`, `after C`, `between C and D` or `after C until D`"#]],
    );
}

#[test]
fn slips_of_newcomers_are_understood() {
    check(
        "never sent(ok) until sent(checkout)",
        expect![[r#"
        `until` at 15: `until` needs an `after` before it in a pattern
          write `never sent(ok) before sent(checkout)`, or `never sent(ok) after C until sent(checkout)`"#]],
    );
    check("always a until b", expect!["((Globally a) Until b)"]);
    check(
        "a happens until b",
        expect![[r#"
            `until` at 10: `until` needs an `after` before it in a pattern
              write `a happens before b`, or `a happens after C until b`"#]],
    );
    check(
        "sent(ok) or sent(nope) responds to sent(x)",
        expect![[r#"
        `or` at 9: `or` in a pattern needs brackets
          write `(sent(ok) or sent(nope)) responds to sent(x)`"#]],
    );
    check(
        "a & b, c precede d",
        expect![[r#"
            `&` at 2: `&` in a pattern needs brackets
              write `(a & b), c precede d`"#]],
    );
    check(
        "a precedes b or c after d",
        expect![[r#"
        `or` at 13: `or` in a pattern needs brackets
          write `a precedes (b or c) after d`, or `(a precedes b) or ..`"#]],
    );
    check(
        "never a & (b precedes c) before d",
        expect![[r#"
        `&` at 8: `&` in a pattern needs brackets
          write `never (a & (b precedes c)) before d`, or `(never a) & ..`"#]],
    );
    check(
        "a xor b happens",
        expect![[r#"
        `xor` at 2: `xor` in a pattern needs brackets
          write `(a xor b) happens`"#]],
    );
    check(
        "f received(ok)",
        expect![[r#"
        `f` at 0: `f` is no operator
          operators are capitals: `F`"#]],
    );
    check(
        "g (a)",
        expect![[r#"
        `g` at 0: `g(..)` is nothing a formula knows
          operators are capitals: `G`"#]],
    );
    check(
        "gf a",
        expect![[r#"
        `gf` at 0: `gf` is no operator
          operators are capitals: `GF`"#]],
    );
    check(
        "a & f !b",
        expect![[r#"
        `f` at 4: `f` is no operator
          operators are capitals: `F`"#]],
    );
    check(
        "a --> b",
        expect![[r#"
        `-->` at 2: `-->` is no operator of a formula
          write `->`"#]],
    );
    check(
        "a <--> b",
        expect![[r#"
        `<-->` at 2: `<-->` is no operator of a formula
          write `<->`"#]],
    );
    check(
        "a ==> b",
        expect![[r#"
        `==>` at 2: `==>` is no operator of a formula
          write `->`"#]],
    );
    check(
        "G a // all of it",
        expect![[r#"
        `// all of it` at 4: a formula has no comments
          write it on a line of its own"#]],
    );
    check(
        "a # all of it",
        expect![[r#"
        `# all of it` at 2: a formula has no comments
          write it on a line of its own"#]],
    );
    check(
        "a#b",
        expect![[r#"
        `#` at 1: `#` is no sign of a formula
          names with other signs than letters, digits, `_` and `.` are written in quotes"#]],
    );
    check(
        "X[2] a",
        expect![[r#"
        `[` at 1: operators have no bounds: a formula counts neither steps nor time
          write `X X p` for two steps; say by an event how long: `never p before sent(x)`"#]],
    );
    check(
        "F[0,5] a",
        expect![[r#"
        `[` at 1: operators have no bounds: a formula counts neither steps nor time
          write `X X p` for two steps; say by an event how long: `never p before sent(x)`"#]],
    );
    check(
        "G<5 a",
        expect![[r#"
        `<5` at 1: operators have no bounds: a formula counts neither steps nor time
          write `X X p` for two steps; say by an event how long: `never p before sent(x)`"#]],
    );
    check(
        "a U[<=3] b",
        expect![[r#"
        `[` at 3: operators have no bounds: a formula counts neither steps nor time
          write `X X p` for two steps; say by an event how long: `never p before sent(x)`"#]],
    );
    check(
        "F {3} a",
        expect![[r#"
            `{` at 2: operators have no bounds: a formula counts neither steps nor time
              write `X X p` for two steps; say by an event how long: `never p before sent(x)`"#]],
    );
    check(
        "[] [1,2] a",
        expect![[r#"
            `[` at 3: operators have no bounds: a formula counts neither steps nor time
              write `X X p` for two steps; say by an event how long: `never p before sent(x)`"#]],
    );
    check(
        "G [a]",
        expect![[r#"
        `[` at 2: `[` is no sign of a formula
          `[]` is always; use `(` and `)` to group"#]],
    );
    check(
        "sent(a) follows sent(b)",
        expect![[r#"
        `follows` at 8: an operator is expected before `follows`
          patterns are `never A`, `A happens`, `always A`, `A precedes B`, `B responds to A`, `A leads to B`, each with `before C`, `after C`, `between C and D` or `after C until D`"#]],
    );
    check(
        "sent(b) is followed by sent(a)",
        expect![[r#"
        `is` at 8: an operator is expected before `is`
          patterns are `never A`, `A happens`, `always A`, `A precedes B`, `B responds to A`, `A leads to B`, each with `before C`, `after C`, `between C and D` or `after C until D`"#]],
    );
    check(
        "a follows b",
        expect![[r#"
        `follows` at 2: an operator is expected before `follows`
          patterns are `never A`, `A happens`, `always A`, `A precedes B`, `B responds to A`, `A leads to B`, each with `before C`, `after C`, `between C and D` or `after C until D`"#]],
    );
    check(
        "if sent(a) then sent(b)",
        expect![[r#"
        `sent(a)` at 3: an operator is expected before `sent(a)`
          patterns are `never A`, `A happens`, `always A`, `A precedes B`, `B responds to A`, `A leads to B`, each with `before C`, `after C`, `between C and D` or `after C until D`"#]],
    );
    check(
        "sent(a) occurs before sent(b)",
        expect![[r#"
        `occurs` at 8: `occurs` does not go on from here
          patterns are `never A`, `A happens`, `always A`, `A precedes B`, `B responds to A`, `A leads to B`, each with `before C`, `after C`, `between C and D` or `after C until D`"#]],
    );
    check(
        "EF p",
        expect![[r#"
        `EF` at 0: `EF` speaks of paths, and there are no path quantifiers
          `EF p` says that some run does it: write `G !p` with `@expect fails`"#]],
    );
    check(
        "EG p",
        expect![[r#"
        `EG` at 0: `EG` speaks of paths, and there are no path quantifiers
          `EG p` says that some run does it: write `F !p` with `@expect fails`"#]],
    );
    check(
        "EX (p)",
        expect![[r#"
        `EX` at 0: `EX` speaks of paths, and there are no path quantifiers
          `EX p` says that some run does it: write `X !p` with `@expect fails`"#]],
    );
    check(
        "a <-> b happens",
        expect![[r#"
        `<->` at 2: `<->` in a pattern needs brackets
          write `(a <-> b) happens`"#]],
    );
    check(
        "a precedes b -> c",
        expect![[r#"
        `->` at 13: `->` in a pattern needs brackets
          write `a precedes (b -> c)`, or `(a precedes b) -> ..`"#]],
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
        if let Node::Atom(Atom::Event(pattern)) = &next.node {
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

/// A small generator of numbers that are random enough.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

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

fn word(dice: &mut Dice) -> Word {
    Word { text: WORDS[dice.roll(WORDS.len())].to_owned(), place: span("").into() }
}

fn random(dice: &mut Dice, depth: usize) -> Formula {
    use sequent_kernel::formula::{Binary::*, Pattern, Unary::*};
    let unaries = [Not, Next, Finally, Globally, Previous, WeakPrevious, Once, Historically];
    let binaries = [And, Or, Implies, Iff, Until, Release, WeakUntil, StrongRelease, Since, Trigger];
    let maybe = |dice: &mut Dice| (dice.roll(3) == 0).then(|| word(dice));
    let node = match (dice.roll(6), depth) {
        (0 | 1, 1..) => Node::Unary(unaries[dice.roll(unaries.len())], Box::new(random(dice, depth - 1))),
        (2..=4, 1..) => {
            let (left, right) = (random(dice, depth - 1), random(dice, depth - 1));
            Node::Binary(binaries[dice.roll(binaries.len())], Box::new(left), Box::new(right))
        }
        _ => match dice.roll(8) {
            0 => Node::Constant(dice.roll(2) == 0),
            1 => Node::Atom(Atom::In(word(dice), word(dice))),
            2 => Node::Atom(Atom::Start),
            3 => Node::Atom(Atom::End),
            4 => Node::Atom(Atom::Data(crate::expression::parse("x + 1 >= -y * 2").expect("an expression"))),
            5 => Node::Atom(Atom::Name(word(dice))),
            _ => Node::Atom(Atom::Event(Pattern {
                direction: [None, Some(Direction::Sent), Some(Direction::Received)][dice.roll(3)],
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
    let mut dice = Dice(7);
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
        format!("{}\n{}\n{}", one(Style::Sequent), one(Style::Spin), one(Style::NuSmv))
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
    assert_eq!(print_in(&deep, Style::NuSmv), None);
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
    let mut dice = Dice(11);
    let mut read = 0;
    for _ in 0..60_000 {
        let length = 1 + dice.roll(9);
        let text: String = (0..length).map(|_| PIECES[dice.roll(PIECES.len())]).collect();
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
