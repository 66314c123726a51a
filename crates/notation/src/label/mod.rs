//! Labels: `trigger [guard] / effects` of transitions, `name(arguments)` of messages and sends.
//!
//! ```text
//! label    := [number "."] [triggers] ["[" guard "]"] ["/" effects]      the guard may also stand first
//! triggers := trigger (("," | "|" | "or") trigger)*                       only where each piece is a trigger by form
//! trigger  := name ["(" names ")"] | "after" time | "when" condition | "any" | "*" | prose
//! effects  := effect (";" effect)*                                        also in braces
//! effect   := name (":=" | "=" | "+=" ..) expression | name "++" | ["^"] [target "."] name ["(" arguments ")"]
//!           | "send" name "to" target | prose
//! ```
//! `-`, `τ`, `ε`, `tau` and `eps` stand for no trigger. The guard `else` has that text and no expression. Lines of dashes
//! count as `/`, since some tools draw the effect below a rule. A trigger that is prose (`user pays`) is an event of that
//! name: most diagrams in the wild are written so, and equal texts mean equal events.
//!
//! A line of a state's description may be a behaviour (`entry / x`, `exit: y`, `do / z`), a deferral (`ev / defer`,
//! `defer: ev`), an internal transition (`ev [guard] / effect`), or just text.

mod effect;
mod message;
mod print;
mod scan;

pub use message::message;
pub use print::{arguments, contract, effect, trigger};

use sequent_kernel::model::{Condition, Effect, Trigger};
use sequent_kernel::source::Span;

use crate::expression;
use scan::LabelOrigin;

/// What a transition's label says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TransitionLabel {
    /// What sets it off; empty for completion.
    pub triggers: Vec<Trigger>,
    /// When it may fire.
    pub guard: Option<Condition>,
    /// What it does, in order.
    pub effects: Vec<Effect>,
}

/// What one line of a state's description says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Description {
    /// `entry / x`
    Entry(Vec<Effect>),
    /// `exit / x`
    Exit(Vec<Effect>),
    /// `do / x`
    Activity(Vec<Effect>),
    /// `ev / defer`
    Defer(Vec<Trigger>),
    /// `ev [guard] / effect`
    Internal(TransitionLabel),
    /// None of these.
    Text,
}

/// Reads the label of a transition that stands at `span`.
pub fn transition(text: &str, span: Span) -> TransitionLabel {
    let plain = plain(text);
    let origin = LabelOrigin { text: &plain, span };
    let (head, effects) = head_and_effects(&plain);
    let (head, guard) = head_and_guard(origin, head);
    let head = without_number(&head);
    let effects = effects.map(|text| effect::effects(origin, text)).unwrap_or_default();
    if guard.is_none() && head.eq_ignore_ascii_case("else") {
        return TransitionLabel { triggers: Vec::new(), guard: Some(else_guard(span)), effects };
    }
    TransitionLabel { triggers: triggers(head, span), guard, effects }
}

/// Reads the label of a transition that leaves a choice or a junction and stands at `span`. Nothing triggers such a transition: what
/// stands there without brackets is its guard (`c --> Refused : if n < 0`, `c --> Paid : yes`).
pub fn branch(text: &str, span: Span) -> TransitionLabel {
    let label = transition(text, span);
    let plain = plain(text);
    let (head, _) = head_and_effects(&plain);
    let head = one_line(head);
    let head = without_number(&head);
    if label.guard.is_some() || label.triggers.is_empty() {
        return label;
    }
    let guard = expression::condition(head.strip_prefix("if ").unwrap_or(head), span);
    TransitionLabel { triggers: Vec::new(), guard: Some(guard), effects: label.effects }
}

/// Reads one line of a state's description that stands at `span`.
pub fn description(text: &str, span: Span) -> Description {
    let plain = plain(text);
    let origin = LabelOrigin { text: &plain, span };
    if let Some((word, rest)) = behaviour(&plain) {
        let effects = || effect::effects(origin, rest);
        match word.as_str() {
            "entry" | "enter" | "entering" | "onentry" | "on entry" => return Description::Entry(effects()),
            "exit" | "leaving" | "onexit" | "on exit" => return Description::Exit(effects()),
            "do" => return Description::Activity(effects()),
            "defer" => return Description::Defer(triggers(rest.trim(), span)),
            "internal" => return Description::Internal(transition(rest, span)),
            "comment" => return Description::Text,
            _ => {}
        }
    }
    internal(&plain, span).unwrap_or(Description::Text)
}

/// The word before the first `/` or `:` in lower case, and what follows; only a `defer` may do without the sign.
fn behaviour(text: &str) -> Option<(String, &str)> {
    if let Some(rest) = text.trim_start().strip_prefix("defer ") {
        return Some(("defer".to_owned(), rest.trim_start().trim_start_matches(['/', ':'])));
    }
    let at = text.find(['/', ':'])?;
    Some((text[..at].trim().to_lowercase(), &text[at + 1..]))
}

/// An internal transition: a trigger by form, and an effect that looks like one rather than like `input/output`.
fn internal(text: &str, span: Span) -> Option<Description> {
    let (head, effects) = head_and_effects(text);
    let effects = effects?;
    let spaced = head.ends_with(char::is_whitespace) || effects.starts_with(char::is_whitespace);
    let is_code = spaced || head.contains('[') || effects.contains(['(', '=', ';', '^']);
    let text = ["on ", "event "].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    let label = transition(text, span);
    let has_triggers = !label.triggers.is_empty() && label.triggers.iter().all(is_plain);
    if !is_code || !has_triggers {
        return None;
    }
    let defers = matches!(label.effects.as_slice(), [Effect::Send(send)] if send.name == "defer" && send.target.is_empty());
    match (defers, &label.guard) {
        (false, _) => Some(Description::Internal(label)),
        (true, None) => Some(Description::Defer(label.triggers)),
        // A message is deferred whatever holds.
        (true, Some(_)) => None,
    }
}

/// Whether a trigger is none by its form only: prose is not.
fn is_plain(trigger: &Trigger) -> bool {
    match trigger {
        Trigger::Event { name, .. } => is_event_name(name),
        Trigger::Any | Trigger::After(_) | Trigger::When(_) => true,
    }
}

/// The text before the `/` and the text after it. `//`, `/*`, `*/` and what follows a `://` are no
/// such sign.
fn head_and_effects(text: &str) -> (&str, Option<&str>) {
    if let Some((head, effects)) = ruled(text) {
        return (head, Some(effects));
    }
    let slash = scan::find(text, '/', |before, after| {
        !before.ends_with(['/', '*', '=']) && !after.starts_with(['/', '*']) && !before.contains("://")
    });
    slash.map_or((text, None), |at| (&text[..at], Some(&text[at + 1..])))
}

/// The text above and below a line of dashes.
fn ruled(text: &str) -> Option<(&str, &str)> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let rule = line.trim();
        if start > 0 && rule.len() >= 2 && rule.bytes().all(|byte| byte == b'-') {
            return Some((&text[..start], &text[start + line.len()..]));
        }
        start += line.len();
    }
    None
}

/// The text around the guard, on one line, and the guard; `[]` is none.
fn head_and_guard(origin: LabelOrigin, head: &str) -> (String, Option<Condition>) {
    let Some((before, inside, after)) = scan::bracketed(head, '[') else {
        return (one_line(head), None);
    };
    let rest = one_line(&format!("{before} {after}"));
    let guard = inside.trim();
    let place = origin.place(guard);
    let guard = match guard.to_lowercase().as_str() {
        "" => None,
        "else" | "otherwise" => Some(else_guard(place.0)),
        _ => Some(expression::condition(guard, place.0)),
    };
    (rest.trim_end_matches(':').trim().to_owned(), guard)
}

/// The guard that is true when no other is.
fn else_guard(span: Span) -> Condition {
    Condition { text: "else".to_owned(), expression: None, place: span.into() }
}

/// The text without a leading `2.`, by which some tools order transitions.
fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
    match rest.strip_prefix(". ") {
        Some(rest) if rest.len() < text.len() => rest.trim_start(),
        _ => text,
    }
}

/// Reads the effects in a text that stands at `span`.
pub fn effects(text: &str, span: Span) -> Vec<Effect> {
    let plain = plain(text);
    effect::effects(LabelOrigin { text: &plain, span }, &plain)
}

/// The triggers in a text.
pub fn triggers(text: &str, span: Span) -> Vec<Trigger> {
    let text = text.trim();
    if matches!(text, "" | "-" | "τ" | "ε" | "tau" | "eps") {
        return Vec::new();
    }
    let words = text.replace(" or ", " | ");
    let pieces = scan::split(&words, |sign| matches!(sign, ',' | '|'));
    let known: Option<Vec<Trigger>> = pieces.iter().map(|piece| trigger_by_form(piece, span)).collect();
    match known {
        Some(known) if !known.is_empty() => known,
        _ => vec![Trigger::Event { name: text.to_owned(), parameters: Vec::new() }],
    }
}

/// A trigger that is recognised by its form; prose is not.
fn trigger_by_form(text: &str, span: Span) -> Option<Trigger> {
    if matches!(text, "*" | "any") {
        return Some(Trigger::Any);
    }
    if let Some(time) =
        argument_of(text, "after", |rest| rest.starts_with(|digit: char| digit.is_ascii_digit()))
    {
        return Some(Trigger::After(time.to_owned()));
    }
    if let Some(condition) = argument_of(text, "when", |rest| expression::parse(rest).is_ok()) {
        return Some(Trigger::When(expression::condition(condition, span)));
    }
    let (name, parameters) = match message::call(text) {
        Some((name, inside)) => (name, scan::list(inside)),
        None => (text, Vec::new()),
    };
    // `x : int` binds x; `ok = false` is kept as it stands.
    let bound = |parameter: &str| parameter.split(':').next().unwrap_or(parameter).trim().to_owned();
    let parameters = parameters.into_iter().map(bound).collect();
    is_event_name(name).then(|| Trigger::Event { name: name.to_owned(), parameters })
}

/// What `word(..)` holds, or what follows `word ` if that is `plausible`.
fn argument_of<'a>(text: &'a str, word: &str, plausible: impl Fn(&str) -> bool) -> Option<&'a str> {
    let rest = text
        .get(..word.len())
        .filter(|start| start.eq_ignore_ascii_case(word))
        .map(|_| &text[word.len()..])?;
    if let Some(("", inside)) = message::call(rest.trim_start()) {
        return Some(inside.trim());
    }
    rest.strip_prefix(' ').map(str::trim).filter(|rest| plausible(rest))
}

/// Whether the text is the name of an event by form: one word, perhaps with parts (`port.signal`, `Motion.on-off`).
fn is_event_name(text: &str) -> bool {
    let is_part =
        |character: char| expression::is_name_part(character) || matches!(character, '.' | ':' | '-' | '$');
    text.starts_with(expression::is_name_part) && text.chars().all(is_part) && !text.ends_with([':', '-'])
}

/// The text without the tags that only colour it and without `/* comments */`; `<br>` breaks the line.
fn plain(text: &str) -> String {
    let last_comment = text.rfind("*/").unwrap_or(0);
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '/']) {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        let may_be_comment = text.len() - from.len() < last_comment;
        let skipped = tag_length(from).or_else(|| may_be_comment.then(|| comment_length(from)).flatten());
        match skipped {
            None => plain.push_str(&from[..1]),
            Some(_) if from.starts_with("<br") => plain.push('\n'),
            Some(_) => {}
        }
        rest = &from[skipped.unwrap_or(1)..];
    }
    plain + rest
}

/// The length of a tag that changes only looks: `<b>`, `</color>`, `<size:12>`.
fn tag_length(text: &str) -> Option<usize> {
    let end = text.bytes().take(LONGEST_TAG).position(|byte| byte == b'>')?;
    let inside = text[1..end].strip_prefix('/').unwrap_or(&text[1..end]);
    let (name, value) = inside.split_at(inside.find([':', ' ', '=', '/']).unwrap_or(inside.len()));
    let is_tag = match name {
        "b" | "i" | "u" | "s" | "w" => value.is_empty(),
        "br" => value.trim().trim_end_matches('/').is_empty(),
        "color" | "size" | "back" | "font" => true,
        _ => false,
    };
    (text.starts_with('<') && is_tag).then_some(end + 1)
}

/// Longer texts in angle brackets are no tags.
const LONGEST_TAG: usize = 64;

fn comment_length(text: &str) -> Option<usize> {
    text.strip_prefix("/*")?.find("*/").map(|end| end + 4)
}

/// The text on one line, single spaces between words.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
