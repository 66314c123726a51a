//! Events in formulas about objects: which ones a formula means, and mistakes in their names.
//!
//! Events have the values of the arguments without the names of the parameters, and the receiver of a message
//! that leaves the system stands only in their text: `!a->lamp:light` where no diagram draws a lamp. Formulas
//! may use both.

use std::collections::BTreeSet;

use sequent_kernel::diagnostic::{Code, Diagnostic, nearest};
use sequent_kernel::formula::{FormulaWord, Pattern, is_message_asked};
use sequent_kernel::property::ltl::matches;
use sequent_kernel::source::Place;
use sequent_kernel::system::{Event, EventId, EventKind, System, message_text};

use super::Ensemble;

/// Whether some event has this text.
pub(crate) fn is_event(ensemble: &Ensemble<'_>, text: &str) -> bool {
    ensemble.objects.system.events.iter().any(|event| event.text == text)
}

/// The events of a text.
pub(crate) fn called(ensemble: &Ensemble<'_>, text: &str) -> BTreeSet<EventId> {
    let all = ensemble.objects.system.events.enumerate();
    all.filter(|(_, event)| event.text == text).map(|(id, _)| id).collect()
}

/// What is wrong with an event that is given by its text.
pub(crate) fn unknown(ensemble: &Ensemble<'_>, word: &FormulaWord) -> Option<Diagnostic> {
    if is_event(ensemble, &word.text) {
        return None;
    }
    let message = format!("no event is `{}`", word.text);
    let near = nearest(&word.text, ensemble.objects.system.events.iter().map(|event| event.text.as_str()));
    Some(complaint(word, message, near))
}

/// The events that a pattern means; adds mistakes in its names to `problems`.
pub(crate) fn meant(
    ensemble: &Ensemble<'_>,
    pattern: &Pattern,
    place: Place,
    problems: &mut Vec<Diagnostic>,
) -> Option<BTreeSet<EventId>> {
    let before = problems.len();
    let system = &ensemble.objects.system;
    let Pattern { direction: _, message, from, to, actor, partner } = pattern;
    let is_known = |word: &&FormulaWord, may_be_far: bool| {
        system.components.iter().any(|name| *name == word.text)
            || may_be_far && system.events.iter().any(|event| far(event) == Some(&word.text))
    };
    let near = [from, actor].into_iter().flatten().filter(|word| !is_known(word, false));
    let distant = [to, partner].into_iter().flatten().filter(|word| !is_known(word, true));
    problems.extend(near.chain(distant).map(|word| unknown_object(system, word)));
    let named = system.events.enumerate().map(|(id, event)| (id, with_names(ensemble, event)));
    let named: Vec<(EventId, Event)> = named.collect();
    if let Some(word) = message
        && !named
            .iter()
            .any(|(_, event)| is_message_asked(&word.text, &event.name, event.arguments.as_deref()))
    {
        problems.push(unknown_message(system, word));
    }
    if problems.len() > before {
        return None;
    }
    let fits = named.into_iter().filter(|(_, event)| fits(pattern, event, system));
    let fits: BTreeSet<EventId> = fits.map(|(id, _)| id).collect();
    if fits.is_empty() {
        let message = "this can never be true: no event of the objects is like this";
        let hint = "it may go the other way round: `from` sends, `to` receives";
        problems.push(Diagnostic::new(Code::IdleAtom, place.0, message).hint(hint));
    }
    Some(fits)
}

/// Whether a pattern means an event; what it says of a receiver outside of the system is held against the text.
fn fits(pattern: &Pattern, event: &Event, system: &System) -> bool {
    let Some(name) = far(event) else { return matches(pattern, event, system) };
    let rest = |word: &Option<FormulaWord>| word.clone().filter(|word| word.text != name);
    let pattern = Pattern { to: rest(&pattern.to), partner: rest(&pattern.partner), ..pattern.clone() };
    matches(&pattern, event, system)
}

/// The name of the receiver of what leaves the system, if it has one.
fn far(event: &Event) -> Option<&str> {
    event.beyond.as_deref().filter(|_| event.kind == EventKind::Send)
}

fn unknown_object(system: &System, word: &FormulaWord) -> Diagnostic {
    let known = system.components.iter().map(String::as_str).chain(system.events.iter().filter_map(far));
    complaint(word, format!("no object is called `{}`", word.text), nearest(&word.text, known))
}

fn unknown_message(system: &System, word: &FormulaWord) -> Diagnostic {
    let own = word.text.split('(').next().unwrap_or(&word.text).trim();
    let same = system.events.iter().filter(|event| event.name == own);
    let same: BTreeSet<&str> = same.map(|event| event.message.as_str()).collect();
    if !same.is_empty() {
        let message = format!("no object sends or receives `{own}` with these arguments");
        let listed: Vec<String> = same.into_iter().take(5).map(|text| format!("`{text}`")).collect();
        let diagnostic = Diagnostic::new(Code::UnknownInFormula, word.place.0, message);
        return diagnostic.hint(format!("there is {}", listed.join(", ")));
    }
    let near = nearest(own, system.events.iter().map(|event| event.name.as_str()));
    complaint(word, format!("no object sends or receives `{}`", word.text), near)
}

fn complaint(word: &FormulaWord, message: String, near: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(Code::UnknownInFormula, word.place.0, message);
    match near {
        Some(near) => diagnostic.meant(&*word.text, near),
        None => diagnostic.hint("events are those that the objects send and receive"),
    }
}

/// An event whose arguments have the names of their parameters, where these are known: `m(ok=false)`.
fn with_names(ensemble: &Ensemble<'_>, event: &Event) -> Event {
    let Some(arguments) = &event.arguments else { return event.clone() };
    let names = ensemble.parameters(event);
    let values = arguments.iter().enumerate().map(|(at, value)| match names.get(at) {
        Some(known) => format!("{known}={value}"),
        None => value.clone(),
    });
    let arguments = Some(values.collect::<Vec<_>>());
    Event { message: message_text(&event.name, arguments.as_deref()), arguments, ..event.clone() }
}
