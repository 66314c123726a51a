//! Small systems with lifelines that wait for each other.

use super::*;
use crate::id::{Id, IdVec};
use crate::source::{FileId, Place, Span};
use crate::system::{Event, Join, ReasonKind, Rule, TermId, Terms, Variable, VariableId, WaitReason};

/// Occurrences as `owner text < those before it, by position`; those with `because` wait for them for a reason.
fn system(occurrences: &[(&str, &str, &[usize], &[usize])]) -> System {
    let mut terms = Terms::default();
    let yes = terms.truth(true);
    let one = terms.constant(1);
    let mut components: IdVec<ComponentId, String> = IdVec::new();
    let (mut variables, mut events, mut rules) = (IdVec::new(), IdVec::new(), IdVec::new());
    let mut reasons = Vec::new();
    let place = Place(Span::new(FileId::from_index(0), 0, 0));
    let done: Vec<TermId> =
        (0..occurrences.len()).map(|index| terms.is(VariableId::from_index(index), 1)).collect();
    for (index, (owner, message, before, because)) in occurrences.iter().enumerate() {
        let known = components.find(|name| name == owner);
        let component = known.unwrap_or_else(|| components.push((*owner).to_owned()));
        variables.push(Variable::new(*message, 0, 1, 0));
        let mut guard = vec![terms.not(done[index])];
        guard.extend(before.iter().map(|other| done[*other]));
        for other in *because {
            let condition = terms.and([done[*other], yes]);
            let message = occurrences[*other].1.to_owned();
            reasons.push(WaitReason {
                condition,
                kind: ReasonKind::Call { caller: component, message },
                place,
            });
            guard.push(condition);
        }
        let guard = terms.and(guard);
        let event = Event::of_message(EventKind::Send, (None, ""), (None, ""), message, None);
        let event = Some(events.push(Event { text: format!("!{message}"), ..event }));
        let updates = vec![(VariableId::from_index(index), one)];
        rules.push(Rule { component, guard, event, updates, join: Join::Alone, urgent: false, place });
    }
    let complete = terms.and(done);
    System { variables, components, events, rules, complete, reasons, ..System::bare(terms) }
}

fn texts(system: &System) -> (Vec<String>, Option<String>) {
    let waits = explain(system, &system.initial());
    let all = waits.lifelines.values().flatten().map(|wait| wait.text(system)).collect();
    (all, waits.circle_text(system))
}

#[test]
fn waiting_for_what_can_happen_is_no_circle() {
    let system = system(&[("a", "x", &[], &[]), ("b", "y", &[0], &[]), ("b", "z", &[1], &[])]);
    assert_eq!(texts(&system), (vec!["b waits for a to send x".to_owned()], None));
}

#[test]
fn two_that_wait_for_each_other() {
    let system = system(&[("a", "x", &[1], &[]), ("b", "y", &[2], &[]), ("a", "z", &[0], &[])]);
    let (all, circle) = texts(&system);
    assert_eq!(all, ["a waits for b to send y", "b waits for a to send z"]);
    assert_eq!(circle.as_deref(), Some("a waits for b to send y, b waits for a to send z"));
}

#[test]
fn a_reason_is_told() {
    // x waits for z, which comes after it, for a reason.
    let system = system(&[("a", "x", &[], &[2]), ("b", "y", &[0], &[]), ("a", "z", &[0, 1], &[])]);
    let (all, circle) = texts(&system);
    assert_eq!(all[0], "a waits for b to send y, because a waits for the reply to z");
    assert_eq!(circle.as_deref(), Some("a waits for b to send y, b waits for a to send x"));
}

#[test]
fn one_that_waits_for_itself() {
    let system = system(&[("a", "x", &[1], &[]), ("a", "y", &[0], &[]), ("b", "z", &[], &[])]);
    let (all, circle) = texts(&system);
    assert_eq!(all, ["a waits for a to send y"]);
    assert_eq!(circle.as_deref(), Some("a waits for a to send y"));
}

#[test]
fn names_of_several_words_are_quoted() {
    let system = system(&[("a", "x", &[], &[1]), ("the b", "say y", &[0], &[])]);
    let (all, circle) = texts(&system);
    assert_eq!(all[0], "a waits for `the b` to send `say y`, because a waits for the reply to `say y`");
    assert_eq!(circle.as_deref(), Some("a waits for `the b` to send `say y`, `the b` waits for a to send x"));
}
