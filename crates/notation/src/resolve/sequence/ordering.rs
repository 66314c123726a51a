//! General orderings: `@order !m1 < ?m3 < !a->b:m2` (rule I9).
//!
//! An occurrence is `!` (send) or `?` (receive) and a message: its name alone, or `from->to:name`; `#2` behind it picks
//! the second message that fits.

use sequent_kernel::diagnostic::{Code, Diagnostic, nearest};
use sequent_kernel::id::IdVec;
use sequent_kernel::model::{End, GeneralOrdering, Message, MessageId, Occurrence};
use sequent_kernel::source::Place;

use super::participants::Participants;
use crate::tree::Directive;

/// Resolves the ordering directives of a diagram.
pub(crate) fn resolve(
    directives: &[Directive],
    messages: &IdVec<MessageId, Message>,
    participants: &Participants,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<GeneralOrdering> {
    let mut orderings = Vec::new();
    for directive in directives {
        match chain(&directive.argument, messages, participants) {
            Ok(occurrences) => orderings.extend(occurrences.windows(2).map(|pair| GeneralOrdering {
                before: pair[0],
                after: pair[1],
                place: Place(directive.argument_span),
            })),
            Err((code, message, hint, near)) => {
                let finding = Diagnostic::new(code, directive.argument_span, message).hint(hint);
                diagnostics.push(match near {
                    Some((wrong, right)) => finding.meant(wrong, right),
                    None => finding,
                });
            }
        }
    }
    orderings
}

/// A code, a message, a hint, and a name with what it is meant to be.
type OrderingProblem = (Code, String, String, Option<(String, String)>);

fn chain(
    text: &str,
    messages: &IdVec<MessageId, Message>,
    participants: &Participants,
) -> Result<Vec<Occurrence>, OrderingProblem> {
    let parts: Vec<&str> = text.split('<').map(str::trim).collect();
    if parts.len() < 2 {
        let message = "an ordering needs two occurrences".to_owned();
        return Err((Code::BadDirective, message, "write `@order !first < ?second`".to_owned(), None));
    }
    parts.into_iter().map(|part| occurrence(part, messages, participants)).collect()
}

fn occurrence(
    text: &str,
    messages: &IdVec<MessageId, Message>,
    participants: &Participants,
) -> Result<Occurrence, OrderingProblem> {
    let is_send = text.starts_with('!');
    let Some(rest) = text.strip_prefix(['!', '?']) else {
        let message = format!("`{text}` does not say whether it is a send or a receive");
        return Err((Code::BadDirective, message, format!("write `!{text}` or `?{text}`"), None));
    };
    let message = find(rest.trim(), messages, participants)?;
    Ok(if is_send { Occurrence::Send(message) } else { Occurrence::Receive(message) })
}

fn find(
    text: &str,
    messages: &IdVec<MessageId, Message>,
    participants: &Participants,
) -> Result<MessageId, OrderingProblem> {
    let (wanted, number) = match text.rsplit_once('#').map(|(name, number)| (name, number.parse::<usize>())) {
        Some((name, Ok(number))) if number > 0 => (name.trim(), Some(number)),
        _ => (text, None),
    };
    let end = |end: End| end.lifeline().map_or("", |id| participants.lifelines[id].name.as_str());
    let fits = |message: &Message| {
        message.name == wanted
            || format!("{}->{}:{}", end(message.from), end(message.to), message.name) == wanted
    };
    let found: Vec<MessageId> =
        messages.enumerate().filter(|(_, message)| fits(message)).map(|(id, _)| id).collect();
    match (found.as_slice(), number) {
        ([], _) => {
            let near = nearest(wanted, messages.iter().map(|message| message.name.as_str()));
            let hint = "name a message as it is labelled".to_owned();
            let near = near.map(|near| (wanted.to_owned(), near.to_owned()));
            Err((Code::UnknownOccurrence, format!("no message is called `{wanted}`"), hint, near))
        }
        ([only], None) => Ok(*only),
        (several, None) => {
            let message = format!("{} messages are called `{wanted}`", several.len());
            Err((Code::UnknownOccurrence, message, format!("write `{wanted}#1` for the first of them"), None))
        }
        (several, Some(number)) => several.get(number - 1).copied().ok_or_else(|| {
            let message = format!("there are only {} messages called `{wanted}`", several.len());
            (Code::UnknownOccurrence, message, "count from 1".to_owned(), None)
        }),
    }
}
