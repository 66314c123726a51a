//! What atoms are in a system: which events a pattern matches, what a guard is, what is nothing.

use std::collections::BTreeMap;

use sequent_kernel::formula::{Atom, Direction, Formula, FormulaNode, Pattern};
use sequent_kernel::id::Id;
use sequent_kernel::property::Moment;
use sequent_kernel::property::ltl::{Says, bind};
use sequent_kernel::system::{Event, EventId, EventKind, System};
use sequent_testing::ltl::syntax::{formula, place, word};
use sequent_testing::ltl::word::system_of;

/// `a` sends `pay(3)` to `b`, who receives it; both meet for `pay( 4 )` from `b` to `a`; something is found; `a` ends.
fn events() -> System {
    let (a, b) = ((Some(Id::from_index(0)), "a"), (Some(Id::from_index(1)), "b"));
    let pay = |kind, from, to, amount: &str| {
        Event::of_message(kind, from, to, "pay", Some(vec![amount.to_owned()]))
    };
    let events = [
        pay(EventKind::Send, a, b, "3"),
        pay(EventKind::Receive, a, b, "3"),
        pay(EventKind::Rendezvous, b, a, " 4 "),
        Event::of_message(EventKind::Receive, (None, ""), b, "found", None),
        Event::termination(Id::from_index(0), "a"),
    ];
    System { events: events.into_iter().collect(), ..system_of(&[], 0) }
}

/// The numbers of the events that a pattern matches.
fn matched(pattern: Pattern) -> Vec<usize> {
    let formula = Formula { node: FormulaNode::Atom(Atom::Event(pattern)), place: place() };
    let bound = bind(&formula, &events(), &BTreeMap::new()).expect("a pattern is always bound");
    let Says::Moments(moments) = &bound.parts()[bound.whole()].says else { panic!("it is about moments") };
    assert!(!moments.contains(Moment::Start) && !moments.contains(Moment::End));
    (0..5).filter(|event| moments.contains(Moment::Event(EventId::from_index(*event)))).collect()
}

#[test]
fn patterns_match_by_any_of_their_parts() {
    let any = Pattern::default;
    let (a, b) = (|| Some(word("a")), || Some(word("b")));
    let (sent, received) = (Some(Direction::Sent), Some(Direction::Received));
    assert_eq!(matched(any()), [0, 1, 2, 3, 4]);
    assert_eq!(matched(Pattern { message: Some(word("pay")), ..any() }), [0, 1, 2]);
    assert_eq!(matched(Pattern { message: Some(word("pay(4)")), ..any() }), [2]);
    assert_eq!(matched(Pattern { message: Some(word("nothing")), ..any() }), [0; 0]);
    assert_eq!(matched(Pattern { direction: sent, ..any() }), [0, 2]);
    assert_eq!(matched(Pattern { direction: received, ..any() }), [1, 2, 3]);
    assert_eq!(matched(Pattern { from: a(), ..any() }), [0, 1]);
    assert_eq!(matched(Pattern { to: b(), ..any() }), [0, 1, 3]);
    assert_eq!(matched(Pattern { actor: a(), ..any() }), [0, 2, 4]);
    assert_eq!(matched(Pattern { actor: b(), ..any() }), [1, 2, 3]);
    assert_eq!(matched(Pattern { partner: a(), ..any() }), [1, 2]);
    assert_eq!(matched(Pattern { actor: a(), direction: received, ..any() }), [2]);
    assert_eq!(matched(Pattern { actor: b(), partner: a(), direction: received, ..any() }), [1]);
}

#[test]
fn guards_are_constants_and_everything_else_is_reported() {
    let guards = BTreeMap::from([("u".to_owned(), true)]);
    let bound = bind(&formula("!u"), &events(), &guards).expect("u has a value");
    assert_eq!(bound.parts().iter().next().map(|part| &part.says), Some(&Says::Constant(true)));
    let missing = bind(&formula("u & s & F t"), &events(), &guards).expect_err("s and t are nothing");
    assert_eq!(
        missing.iter().map(|one| &one.atom).collect::<Vec<_>>(),
        [&Atom::Name(word("s")), &Atom::Name(word("t"))]
    );
    let exactly = Formula { node: FormulaNode::Atom(Atom::Exactly(word("!a->b:pay(3)"))), place: place() };
    let bound = bind(&exactly, &events(), &guards).expect("a text is always bound");
    let Says::Moments(moments) = &bound.parts()[bound.whole()].says else { panic!("it is about moments") };
    assert!(moments.contains(Moment::Event(EventId::from_index(0))));
    assert!(!moments.contains(Moment::Event(EventId::from_index(1))));
}
