//! What is wrong with a name in a formula, and what was probably meant.

use super::vocabulary::{InteractionNames, Route};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::formula::{Atom, FormulaWord, Pattern};
use crate::model::Model;
use crate::source::Place;

/// No more names are listed in a hint, and no more places pointed at.
const MOST: usize = 5;

/// A message that is not drawn in the interaction; perhaps in another.
pub(super) fn unknown_message(
    model: &Model,
    vocabulary: &InteractionNames,
    word: &FormulaWord,
) -> Diagnostic {
    let own = vocabulary.name;
    let text = &word.text;
    let elsewhere = model.interactions.enumerate().find_map(|(id, interaction)| {
        let drawn = interaction.messages.iter().find(|message| message.name == *text)?;
        (id != vocabulary.about).then_some((&interaction.name, drawn))
    });
    let near = nearest(text, vocabulary.messages.iter().map(|route| route.exchange.name.as_str()));
    let (message, finding) = match elsewhere {
        Some((other, drawn)) => {
            let message = format!("`{text}` is a message of `{other}`, not of `{own}`");
            (message, Some((drawn.place, "it is drawn here")))
        }
        None => (format!("`{own}` has no message `{text}`"), None),
    };
    let mut diagnostic = Diagnostic::new(Code::UnknownInFormula, word.place.0, message);
    if let Some((place, why)) = finding {
        diagnostic = diagnostic.label(place.0, why);
    }
    if let Some(near) = near {
        return diagnostic.meant(text, near);
    }
    if elsewhere.is_some() {
        return diagnostic.hint("put the property where the message is, or name that diagram by `target`");
    }
    if vocabulary.lifelines.contains_key(text) {
        return diagnostic.hint(format!("`{text}` is a lifeline: write `from={text}` or `to={text}`"));
    }
    diagnostic.hint(listed("messages", vocabulary.messages.iter().map(|route| route.exchange.name.as_str())))
}

/// A lifeline that is not there; perhaps its label was meant.
pub(super) fn unknown_lifeline(vocabulary: &InteractionNames, word: &FormulaWord) -> Diagnostic {
    let message = format!("`{}` has no lifeline `{}`", vocabulary.name, word.text);
    let diagnostic = Diagnostic::new(Code::UnknownInFormula, word.place.0, message);
    let shown = vocabulary.lifelines.iter().find(|(_, label)| **label == word.text);
    let names = || vocabulary.lifelines.keys().map(String::as_str);
    match (shown, nearest(&word.text, names())) {
        (Some((name, label)), _) => {
            diagnostic.hint(format!("the lifeline with the label `{label}` is called `{name}`"))
        }
        (None, Some(near)) => diagnostic.meant(&*word.text, near),
        (None, None) => diagnostic.hint(listed("lifelines", names())),
    }
}

/// A name that is no guard.
pub(super) fn unknown_guard(vocabulary: &InteractionNames, word: &FormulaWord) -> Diagnostic {
    let text = &word.text;
    let message = format!("`{}` has no guard `{text}`", vocabulary.name);
    let diagnostic = Diagnostic::new(Code::UnknownInFormula, word.place.0, message);
    if vocabulary.has_message(text) {
        return diagnostic.hint(format!("it is a message: write `sent({text})` or `received({text})`"));
    }
    if vocabulary.lifelines.contains_key(text) {
        return diagnostic.hint(format!("it is a lifeline: write `event(actor={text})`"));
    }
    if vocabulary.conditions.iter().any(|condition| condition.text == *text) {
        return diagnostic.hint(format!("the guard joins words: write {text} without quotes"));
    }
    let guards = || vocabulary.lasting.iter().map(String::as_str);
    match nearest(text, guards()) {
        Some(near) if near.contains(char::is_whitespace) => {
            diagnostic.meant(text, near).hint(format!("did you mean \"{near}\"?"))
        }
        Some(near) => diagnostic.meant(text, near),
        None if vocabulary.lasting.is_empty() => {
            diagnostic.hint("it has no guards; events are written `sent(..)`, `received(..)`")
        }
        None => diagnostic.hint(listed("guards", guards())),
    }
}

/// An event of exactly one text that does not exist.
pub(super) fn unknown_event(vocabulary: &InteractionNames, word: &FormulaWord) -> Diagnostic {
    let message = format!("`{}` has no event `{}`", vocabulary.name, word.text);
    let diagnostic = Diagnostic::new(Code::UnknownInFormula, word.place.0, message);
    let events: Vec<String> = vocabulary.messages.iter().flat_map(Route::events).collect();
    match nearest(&word.text, events.iter().map(String::as_str)) {
        Some(near) => diagnostic.meant(&*word.text, near).hint(format!("did you mean \"{near}\"?")),
        None => diagnostic.hint(listed("events", events.iter().map(String::as_str))),
    }
}

/// A guard that has a value of its own in each round of a loop.
pub(super) fn fresh(vocabulary: &InteractionNames, word: &FormulaWord) -> Diagnostic {
    let message =
        format!("`{}` is asked anew in each round of a loop, so it has no one value in a run", word.text);
    let inside = vocabulary.conditions.iter().find(|condition| condition.text == word.text);
    let diagnostic = Diagnostic::new(Code::FreshGuard, word.place.0, message)
        .hint("speak of a message that is sent only where the guard is true");
    inside
        .into_iter()
        .fold(diagnostic, |diagnostic, condition| diagnostic.label(condition.place.0, "it is asked here"))
}

/// States and values of something that has none.
pub(super) fn no_states(vocabulary: &InteractionNames, atom: &Atom, place: Place) -> Diagnostic {
    let (what, condition) = match atom {
        Atom::In(object, _) => (format!("`{}` has no states", object.text), None),
        Atom::Data(expression) => ("values cannot be compared".to_owned(), vocabulary.condition(expression)),
        Atom::Event(_) | Atom::Exactly(_) | Atom::Name(_) | Atom::Start | Atom::End => {
            ("this is not an event".to_owned(), None)
        }
    };
    let message = format!("{what}: a sequence diagram has messages and guards only");
    let diagnostic = Diagnostic::new(Code::NoStates, place.0, message);
    match condition {
        Some(condition) => diagnostic
            .label(condition.place.0, "a guard of this text")
            .hint(format!("a guard is named by its text, in quotes: \"{}\"", condition.text)),
        None => diagnostic.hint("state machines have states and attributes"),
    }
}

/// Names that are known, and never together.
pub(super) fn never(vocabulary: &InteractionNames, pattern: &Pattern, place: Place) -> Diagnostic {
    let finding =
        |why: String| Diagnostic::new(Code::IdleAtom, place.0, format!("this can never be true: {why}"));
    let Some(word) = &pattern.message else {
        return finding("no message is drawn between these lifelines".to_owned())
            .hint("it may go the other way round: `from` sends, `to` receives");
    };
    let drawn: Vec<&Route> = vocabulary.messages.iter().filter(|route| route.is_called(&word.text)).collect();
    let mut ways: Vec<String> = drawn.iter().map(|route| way(route)).collect();
    ways.dedup();
    let said: Vec<String> = ways.iter().take(MOST).cloned().collect();
    let more = if ways.len() > MOST { ", .." } else { "" };
    let finding = finding(format!("{}{more}", said.join(", ")));
    drawn.iter().take(MOST).fold(finding, |finding, route| finding.label(route.place().0, "drawn here"))
}

/// `pay(3)` goes from `a` to `b`.
fn way(route: &Route) -> String {
    let text = route.text();
    match (&route.exchange.from, &route.exchange.to) {
        (Some(from), Some(to)) => format!("`{text}` goes from `{from}` to `{to}`"),
        (Some(from), None) => format!("`{text}` is sent by `{from}` and received by nobody"),
        (None, Some(to)) => format!("`{text}` is received by `{to}` and sent by nobody"),
        (None, None) => format!("`{text}` is sent and received by nobody"),
    }
}

/// A hint that lists what there is.
fn listed<'n>(what: &str, names: impl Iterator<Item = &'n str>) -> String {
    let mut known: Vec<String> = Vec::new();
    for name in names.filter(|name| !name.is_empty()).map(|name| name.replace('\n', " ")) {
        let name = format!("`{name}`");
        if !known.contains(&name) {
            known.push(name);
        }
        if known.len() > MOST {
            known[MOST] = "..".to_owned();
            break;
        }
    }
    if known.is_empty() {
        format!("it has no {what}")
    } else {
        format!("its {what} are {}", known.join(", "))
    }
}
