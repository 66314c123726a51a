//! Mistakes in formulas: each is reported at its place, with a correction.

use expect_test::expect;

use super::*;

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
        `form=a` at 10: `form` is not part of an event
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
        `[` at 0: `[` is not a character of formulas
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
        `f` at 0: `f` is not an operator
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
        `gf` at 0: `gf` is not an operator
          operators are capitals: `GF`"#]],
    );
    check(
        "a & f !b",
        expect![[r#"
        `f` at 4: `f` is not an operator
          operators are capitals: `F`"#]],
    );
    check(
        "a --> b",
        expect![[r#"
        `-->` at 2: `-->` is not an operator of formulas
          write `->`"#]],
    );
    check(
        "a <--> b",
        expect![[r#"
        `<-->` at 2: `<-->` is not an operator of formulas
          write `<->`"#]],
    );
    check(
        "a ==> b",
        expect![[r#"
        `==>` at 2: `==>` is not an operator of formulas
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
        `#` at 1: `#` is not a character of formulas
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
        `[` at 2: `[` is not a character of formulas
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
