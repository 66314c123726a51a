//! Names in formulas, held against the diagrams they are about.

use expect_test::{Expect, expect};
use sequent_kernel::formula::FormulaWord;
use sequent_kernel::lint::{lint, property};
use sequent_kernel::model::{Check, Model, Property, Question};
use sequent_kernel::source::{Place, Sources, Span};
use sequent_notation::{Context, formula, resolve};

const DIAGRAMS: &str = "@startuml Order
participant \"Web Shop\" as shop
participant bank
shop -> bank : pay(3)
bank --> shop : receipt
alt paid in full
  shop -> store : ship
else amount > 3
  shop -> store : ship later
end
opt vip and known
  shop -> bank : thank
end
loop more
  shop -> store : poll
  opt in stock
    store -> shop : part
  end
end
ref over shop, bank : Refund
@enduml
@startuml Refund
bank -> shop : refund
break broke
  shop -> lawyer : sue
end
@enduml
@startuml Other
a -> b : greet
@enduml
";

fn read() -> (Sources, Model) {
    let mut sources = Sources::new();
    let file = sources.add("a.puml", DIAGRAMS);
    let mut problems = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut problems);
    let document = sequent_notation::read(file, &mut context);
    let (model, more) = resolve::resolve(&[document], &sources);
    assert!(problems.is_empty() && more.is_empty(), "{problems:?} {more:?}");
    (sources, model)
}

/// A property of a settings file: about the interaction of a name, or any.
fn ask(target: &str, text: &str) -> (Sources, Model) {
    let (mut sources, mut model) = read();
    let file = sources.add("sequent.toml", text);
    let span = Span::new(file, 0, text.len());
    let formula = Box::new(formula::parse(text, span).expect("a formula"));
    let place = Place(span);
    let target = (!target.is_empty()).then(|| FormulaWord { text: target.to_owned(), place });
    let question = Question::Ltl(Property { text: text.to_owned(), formula });
    model.checks =
        vec![Check { name: None, subject: None, target, question, fairness: None, expected: None, place }];
    (sources, model)
}

fn check(target: &str, text: &str, expected: Expect) {
    let (sources, model) = ask(target, text);
    let mut out = String::new();
    for finding in lint(&model, &Default::default()) {
        if !finding.code.name().starts_with(['E', 'W']) || !matches!(&finding.code.name()[1..2], "5" | "4") {
            continue;
        }
        let at = sources.text(finding.span);
        out += &format!("{} `{at}`: {}\n", finding.code.name(), finding.message);
        for label in &finding.labels {
            out += &format!("  `{}`: {}\n", sources.text(label.span), label.text);
        }
        finding.hint.iter().for_each(|hint| out += &format!("  hint: {hint}\n"));
    }
    expected.assert_eq(&out);
}

#[test]
fn known_names_are_silent() {
    for text in [
        "G (sent(pay, from=shop, to=bank) -> F received(receipt))",
        "sent(pay(3)) | received(\"pay( 3 )\") | sent(\"ship later\")",
        "event(actor=shop) & event(partner=lawyer) & event()",
        "proc1_bank & receive & msg_pay & proc2_shop",
        "\"paid in full\" | vip & !known | broke | \"amount > 3\"",
        "never sent(refund) before received(pay)",
        "\"!shop->bank:pay(3)\" | \"?bank->shop:receipt\" | start | end",
        "received(to=lawyer)",
    ] {
        let (_, model) = ask("Order", text);
        let found = lint(&model, &Default::default());
        let found: Vec<_> =
            found.iter().filter(|finding| finding.code.name()[1..].starts_with('5')).collect();
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}

#[test]
fn unknown_names() {
    check(
        "order",
        "G sent(recipt)",
        expect![[r#"
        E502 `recipt`: `Order` has no message `recipt`
          hint: did you mean `receipt`?
    "#]],
    );
    check(
        "Order",
        "G sent(greet)",
        expect![[r#"
        E502 `greet`: `greet` is a message of `Other`, not of `Order`
          `a -> b : greet`: it is drawn here
          hint: put the property where the message is, or name that diagram by `target`
    "#]],
    );
    check(
        "Order",
        "G sent(frobnicate)",
        expect![[r#"
            E502 `frobnicate`: `Order` has no message `frobnicate`
              hint: its messages are `pay`, `receipt`, `ship`, `ship later`, `thank`, ..
        "#]],
    );
    check(
        "Order",
        "G sent(bank)",
        expect![[r#"
        E502 `bank`: `Order` has no message `bank`
          hint: `bank` is a lifeline: write `from=bank` or `to=bank`
    "#]],
    );
    check(
        "Order",
        "G sent(pay, from=shopp)",
        expect![[r#"
        E502 `shopp`: `Order` has no lifeline `shopp`
          hint: did you mean `shop`?
    "#]],
    );
    check(
        "Order",
        "G sent(pay, from=\"Web Shop\")",
        expect![[r#"
            E502 `"Web Shop"`: `Order` has no lifeline `Web Shop`
              hint: the lifeline with the label `Web Shop` is called `shop`
        "#]],
    );
    check(
        "Refund",
        "G sent(from=alice)",
        expect![[r#"
        E502 `alice`: `Refund` has no lifeline `alice`
          hint: its lifelines are `bank`, `lawyer`, `shop`
    "#]],
    );
    check(
        "Order",
        "G receipt",
        expect![[r#"
        E502 `receipt`: `Order` has no guard `receipt`
          hint: it is a message: write `sent(receipt)` or `received(receipt)`
    "#]],
    );
    check(
        "Order",
        "F bank",
        expect![[r#"
        E502 `bank`: `Order` has no guard `bank`
          hint: it is a lifeline: write `event(actor=bank)`
    "#]],
    );
    check(
        "Order",
        "\"paid in ful\"",
        expect![[r#"
        E502 `"paid in ful"`: `Order` has no guard `paid in ful`
          hint: did you mean "paid in full"?
    "#]],
    );
    check(
        "Order",
        "\"vip and known\"",
        expect![[r#"
        E502 `"vip and known"`: `Order` has no guard `vip and known`
          hint: the guard joins words: write vip and known without quotes
    "#]],
    );
    check(
        "Order",
        "rich",
        expect![[r#"
        E502 `rich`: `Order` has no guard `rich`
          hint: its guards are `amount > 3`, `broke`, `known`, `paid in full`, `vip`
    "#]],
    );
    check(
        "Other",
        "rich",
        expect![[r#"
        E502 `rich`: `Other` has no guard `rich`
          hint: it has no guards; events are written `sent(..)`, `received(..)`
    "#]],
    );
    check(
        "Order",
        "F \"!shop->bank:pay(4)\"",
        expect![[r#"
        E502 `"!shop->bank:pay(4)"`: `Order` has no event `!shop->bank:pay(4)`
          hint: did you mean "!shop->bank:pay(3)"?
    "#]],
    );
    check(
        "Nowhere",
        "F sent(pay)",
        expect![[r#"
        E404 `F sent(pay)`: no interaction is called `Nowhere`
          hint: give the file that holds it on the command line too
    "#]],
    );
    check(
        "Odrer",
        "F sent(pay)",
        expect![[r#"
        E404 `F sent(pay)`: no interaction is called `Odrer`
          hint: did you mean `Order`?
    "#]],
    );
}

#[test]
fn names_that_never_meet() {
    check(
        "Order",
        "G sent(pay, from=bank)",
        expect![[r#"
        W503 `sent(pay, from=bank)`: this can never be true: `pay(3)` goes from `shop` to `bank`
          `shop -> bank : pay(3)`: drawn here
    "#]],
    );
    check(
        "Order",
        "never received(pay(4)) after sent(from=bank, to=store)",
        expect![[r#"
        W503 `received(pay(4))`: this can never be true: `pay(3)` goes from `shop` to `bank`
          `shop -> bank : pay(3)`: drawn here
        W503 `sent(from=bank, to=store)`: this can never be true: no message is drawn between these lifelines
          hint: it may go the other way round: `from` sends, `to` receives
    "#]],
    );
    check(
        "Order",
        "received(receipt, actor=bank)",
        expect![[r#"
        W503 `received(receipt, actor=bank)`: this can never be true: `receipt` goes from `bank` to `shop`
          `bank --> shop : receipt`: drawn here
    "#]],
    );
}

#[test]
fn what_a_formula_cannot_speak_of() {
    check(
        "Order",
        "G more",
        expect![[r#"
        E504 `more`: `more` is asked anew in each round of a loop, so it has no one value in a run
          `more`: it is asked here
          hint: speak of a message that is sent only where the guard is true
    "#]],
    );
    check(
        "Order",
        "G \"in stock\"",
        expect![[r#"
        E504 `"in stock"`: `in stock` is asked anew in each round of a loop, so it has no one value in a run
          `in stock`: it is asked here
          hint: speak of a message that is sent only where the guard is true
    "#]],
    );
    check(
        "Order",
        "G in(bank, Idle)",
        expect![[r#"
        E505 `in(bank, Idle)`: `bank` has no states: a sequence diagram has messages and guards only
          hint: state machines have states and attributes
    "#]],
    );
    check(
        "Order",
        "G (amount > 3)",
        expect![[r#"
        E505 `amount > 3`: values cannot be compared: a sequence diagram has messages and guards only
          `amount > 3`: a guard of this text
          hint: a guard is named by its text, in quotes: "amount > 3"
    "#]],
    );
    check(
        "Order",
        "G (x > 3)",
        expect![[r#"
        E505 `x > 3`: values cannot be compared: a sequence diagram has messages and guards only
          hint: state machines have states and attributes
    "#]],
    );
}

#[test]
fn a_property_without_target_is_about_all_that_know_it() {
    let about = |text: &str| {
        let (_, model) = ask("", text);
        let ids = property::subjects(&model, &model.checks[0]);
        ids.into_iter().map(|id| model.interactions[id].name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(about("F sent(refund)"), ["Order", "Refund"]);
    assert_eq!(about("F sent(greet)"), ["Other"]);
    assert_eq!(about("F end"), ["Order", "Refund", "Other"]);
    assert_eq!(about("F sent(greet) & F sent(refund)"), [] as [&str; 0]);
    check("", "F sent(greet)", expect![""]);
    check(
        "",
        "F sent(greet) & F sent(refund)",
        expect![[r#"
        E502 `F sent(greet) & F sent(refund)`: no interaction knows all the names of this formula
          `greet`: `greet` is a message of `Other`, not of `Order`
          hint: name the interaction it is about: `target = ".."`
    "#]],
    );
    check(
        "",
        "F sent(greet) & F sent(nothing)",
        expect![[r#"
        E502 `nothing`: `Other` has no message `nothing`
          hint: its messages are `greet`
    "#]],
    );
}
