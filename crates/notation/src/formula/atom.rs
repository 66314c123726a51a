//! Atoms: what holds at one position of a run.
//!
//! | written | means |
//! |---|---|
//! | `sent(m, from=a, to=b)`, `received(..)`, `event(..)` | the event of this position; every part may be left out |
//! | `proc1_b`, `proc2_a`, `msg_p`, `send`, `receive` | one part of the event each (P2) |
//! | `"!a->b:m"` | the event of exactly this text |
//! | `in(atm, Idle)` | an object is in a state |
//! | `amount > 3` | values are compared |
//! | `paid`, `"card is valid"` | a guard or an attribute |
//! | `start`, `end`, `true`, `false` | as they say |
//!
//! Names in brackets may hold whatever is no sign of their own there (`sent(place order)`, `sent(v1.2-rc)`); in quotes
//! anything.

use std::ops::Range;

use sequent_kernel::formula::{Atom, Direction, FormulaNode, FormulaWord, Pattern};

use super::parser::{FormulaParser, MeasuredTree};
use super::{FormulaProblem, expected, token};
use crate::expression;
use crate::label;

/// Functions about events.
fn direction(name: &str) -> Option<Option<Direction>> {
    match name {
        "sent" | "send" | "sends" => Some(Some(Direction::Sent)),
        "received" | "receive" | "receives" => Some(Some(Direction::Received)),
        "event" => Some(None),
        _ => None,
    }
}

impl FormulaParser<'_> {
    /// A function with its arguments, which stand at these bytes.
    pub(crate) fn call(
        &mut self,
        name: &str,
        arguments: Range<usize>,
    ) -> Result<MeasuredTree, FormulaProblem> {
        let range = self.here();
        let atom = match (direction(name), name) {
            (Some(direction), _) => Atom::Event(self.event(direction, arguments)?),
            (None, "in" | "inState") => self.state(arguments)?,
            (None, _) => {
                let word = range.start..range.start + name.len();
                return Err(expected::unknown_function(name, word));
            }
        };
        self.at += 1;
        Ok(self.leaf(FormulaNode::Atom(atom), range))
    }

    /// `m, from=a, to=b`
    fn event(
        &self,
        direction: Option<Direction>,
        arguments: Range<usize>,
    ) -> Result<Pattern, FormulaProblem> {
        let mut pattern = Pattern { direction, ..Pattern::default() };
        for (index, range) in self.split(arguments).into_iter().enumerate() {
            let (key, value) = self.keyed(range.clone());
            let slot = match key {
                None if index == 0 => &mut pattern.message,
                None => return Err(unnamed(range)),
                Some("message") => &mut pattern.message,
                Some("from") => &mut pattern.from,
                Some("to") => &mut pattern.to,
                Some("actor") => &mut pattern.actor,
                Some("partner") => &mut pattern.partner,
                Some(other) => {
                    return Err(FormulaProblem::new(
                        range.clone(),
                        format!("`{other}` is not part of an event"),
                    )
                    .hint("its parts are message, from, to, actor and partner"));
                }
            };
            let word = self.name(value)?;
            if slot.is_some() {
                return Err(FormulaProblem::new(range, "this part of the event is given twice"));
            }
            *slot = Some(word);
        }
        pattern.message = pattern.message.map(|word| FormulaWord { text: message(&word.text), ..word });
        Ok(pattern)
    }

    /// `atm, Idle`
    fn state(&self, arguments: Range<usize>) -> Result<Atom, FormulaProblem> {
        match self.split(arguments.clone()).as_slice() {
            [object, state] => Ok(Atom::In(self.name(object.clone())?, self.name(state.clone())?)),
            _ => Err(FormulaProblem::new(arguments, "`in` needs an object and a state")
                .hint("such as `in(atm, Idle)`")),
        }
    }

    /// The arguments, parted by commas outside of quotes and brackets, without the space around them. An empty list has none.
    fn split(&self, arguments: Range<usize>) -> Vec<Range<usize>> {
        let text = &self.text[arguments.clone()];
        let mut cuts = Vec::new();
        let (mut at, mut depth) = (0, 0_usize);
        while let Some(next) = text[at..].chars().next() {
            let mut length = next.len_utf8();
            match next {
                '"' | '\'' => length = token::quoted(&text[at..]).map_or(length, |(_, length)| length),
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => cuts.push(at),
                _ => {}
            }
            at += length;
        }
        let starts = std::iter::once(0).chain(cuts.iter().map(|cut| cut + 1));
        let ends = cuts.iter().copied().chain([text.len()]);
        let parts: Vec<Range<usize>> = starts
            .zip(ends)
            .map(|(start, end)| self.trimmed(arguments.start + start..arguments.start + end))
            .collect();
        if parts.len() == 1 && parts[0].is_empty() { Vec::new() } else { parts }
    }

    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let text = &self.text[range.clone()];
        let start = range.start + text.len() - text.trim_start().len();
        start..start + text.trim().len()
    }

    /// `from = a` as its key and where its value stands.
    fn keyed(&self, range: Range<usize>) -> (Option<&str>, Range<usize>) {
        let text = &self.text[range.clone()];
        let word = text.find(|c: char| !expression::is_name_part(c)).unwrap_or(text.len());
        match text[word..].trim_start().strip_prefix('=') {
            Some(value) if word > 0 => {
                (Some(&text[..word]), self.trimmed(range.end - value.len()..range.end))
            }
            _ => (None, range),
        }
    }

    /// A name in quotes, or bare where that is plain.
    fn name(&self, range: Range<usize>) -> Result<FormulaWord, FormulaProblem> {
        let text = &self.text[range.clone()];
        let place = self.origin.place(range.clone());
        if text.starts_with(['"', '\'']) {
            return match token::quoted(text) {
                Some((text, length)) if length == range.len() => Ok(FormulaWord { text, place }),
                _ => Err(FormulaProblem::new(range, "nothing may follow a name in quotes but a comma")),
            };
        }
        if text.is_empty() {
            let hint = "a part that may be anything is left out, with its comma";
            return Err(FormulaProblem::new(range.start..range.start + 1, "a name is missing").hint(hint));
        }
        // What stands in brackets are arguments of the message, and anything.
        let plain = text.find('(').map_or(text, |open| &text[..open]);
        match plain.char_indices().find(|(_, character)| !is_bare(*character)) {
            Some((at, character)) => {
                let at = range.start + at;
                Err(FormulaProblem::new(
                    at..at + character.len_utf8(),
                    format!("`{character}` in a name needs quotes"),
                )
                .hint(format!("write \"{text}\" if all of it is the name")))
            }
            None => Ok(FormulaWord { text: text.to_owned(), place }),
        }
    }

    pub(crate) fn word(&self, text: &str, range: Range<usize>) -> FormulaWord {
        FormulaWord { text: text.to_owned(), place: self.origin.place(range) }
    }
}

fn unnamed(range: Range<usize>) -> FormulaProblem {
    FormulaProblem::new(range, "only the message needs no name").hint("such as `sent(pay, from=a, to=b)`")
}

/// Characters of a bare name in brackets: all but those that mean something there, or look as if they did.
fn is_bare(character: char) -> bool {
    character.is_alphanumeric() || character.is_whitespace() || "_.-/:#@$*+?".contains(character)
}

/// A message as events name it: arguments without space between them.
fn message(text: &str) -> String {
    let (name, arguments) = label::message(text);
    let Some(arguments) = arguments else { return name };
    let one = |argument: &sequent_kernel::model::Argument| match &argument.name {
        Some(name) => format!("{name}={}", argument.text),
        None => argument.text.clone(),
    };
    format!("{name}({})", arguments.iter().map(one).collect::<Vec<_>>().join(","))
}

/// Whether a text is that of an event (DESIGN section 9).
pub(super) fn is_event(text: &str) -> bool {
    match text.strip_prefix(['!', '?']) {
        Some(rest) => rest.split_once("->").is_some_and(|(_, rest)| rest.contains(':')),
        None => text.strip_prefix("x:").is_some_and(|name| !name.starts_with(char::is_whitespace)),
    }
}

/// The text of an event with its message as events spell it.
pub(super) fn event_text(text: &str) -> String {
    let colon = text.split_once("->").and_then(|(from, rest)| Some((from, rest.split_once(':')?)));
    match colon {
        Some((from, (to, name))) => format!("{}->{}:{}", from.trim_end(), to.trim(), message(name)),
        None => text.to_owned(),
    }
}

/// An event's text as the parts it names; `None` for the end of a lifeline.
pub(super) fn pattern_of(event: &FormulaWord) -> Option<Pattern> {
    let direction = if event.text.starts_with('!') { Direction::Sent } else { Direction::Received };
    let (from, rest) = event.text.strip_prefix(['!', '?'])?.split_once("->")?;
    let (to, message) = rest.split_once(':')?;
    let word =
        |text: &str| (!text.is_empty()).then(|| FormulaWord { text: text.to_owned(), place: event.place });
    let message = Some(FormulaWord { text: message.to_owned(), place: event.place });
    Some(Pattern {
        direction: Some(direction),
        message,
        from: word(from),
        to: word(to),
        ..Pattern::default()
    })
}
