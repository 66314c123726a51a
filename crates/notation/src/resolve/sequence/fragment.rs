//! What the opening line of a block says: operator, bounds, guard, caption.
//!
//! The keyword gives the operator, unless the line follows one of the conventions for what the notations cannot say
//! (`group neg`, `group ignore {m}`, `group sloop (2,5)`; DESIGN section 7) or a directive stands before it. Text is a
//! guard for alternatives, options, breaks and loops; for the other operators it is a caption unless written in brackets.

use std::collections::BTreeSet;

use sequent_kernel::id::IdVec;
use sequent_kernel::model::{
    Block, Fragment, LifelineId, Message, MessageId, MessageType, Operand, Operator, OperatorParameter,
};

use super::bounds::bounds;
use crate::tree::Notation;
use crate::tree::sequence::{BlockKeyword, BlockOpening};

/// An operator before names are resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Spec {
    /// An operator that needs no name.
    Plain(Operator),
    /// A coregion, with the lifeline's name if it is written.
    Coregion(Option<String>),
}

impl Spec {
    /// The operator; for a coregion the lifeline still to be found.
    pub(crate) fn operator(&self) -> Result<Operator, Option<String>> {
        match self {
            Spec::Plain(operator) => Ok(operator.clone()),
            Spec::Coregion(name) => Err(name.clone()),
        }
    }

    /// Whether plain text on the line of an operand is its guard.
    pub(crate) fn takes_guards(&self) -> bool {
        match self {
            Spec::Coregion(_) => false,
            Spec::Plain(operator) => operator.takes_guards(),
        }
    }
}

/// What an opening line says.
pub(crate) struct OpeningHeader {
    pub spec: Spec,
    /// Guard of the first operand.
    pub guard: Option<String>,
    /// Caption of the first operand.
    pub(crate) operand_title: Option<String>,
    /// Captions of the frame.
    pub title: Option<String>,
    pub subtitle: Option<String>,
}

/// Reads the opening line of a block; `given` is the operator a directive gave it.
pub(crate) fn header(
    notation: Notation,
    open: &BlockOpening,
    given: Option<Spec>,
    known: impl Fn(&str) -> bool,
) -> OpeningHeader {
    let text = open.text.text.trim();
    let is_group = matches!(open.keyword, BlockKeyword::Group | BlockKeyword::Partition | BlockKeyword::Rect);
    if let Some(spec) = given {
        return with_spec(spec, text, open.subtitle.clone(), is_group);
    }
    match open.keyword {
        BlockKeyword::Alt => with_spec(Spec::Plain(Operator::Alt), text, None, false),
        BlockKeyword::Opt => with_spec(Spec::Plain(Operator::Opt), text, None, false),
        BlockKeyword::Break => with_spec(Spec::Plain(Operator::Break), text, None, false),
        BlockKeyword::Par | BlockKeyword::Par2 | BlockKeyword::ParOver => {
            with_spec(Spec::Plain(Operator::Par), text, None, false)
        }
        BlockKeyword::Critical => {
            let operator = match notation {
                Notation::PlantUml => Operator::Critical,
                Notation::Mermaid => Operator::Alt,
            };
            with_spec(Spec::Plain(operator), text, None, false)
        }
        BlockKeyword::Loop => {
            let (bounds, rest) = bounds(text, false);
            with_spec(Spec::Plain(Operator::Loop(bounds)), rest, None, false)
        }
        BlockKeyword::Group | BlockKeyword::Partition | BlockKeyword::Rect => {
            group(text, open.subtitle.clone(), known)
        }
    }
}

/// A line of text that follows a known operator.
fn with_spec(spec: Spec, text: &str, subtitle: Option<String>, is_group: bool) -> OpeningHeader {
    if is_group {
        let guard = subtitle.as_deref().filter(|text| !text.trim().is_empty());
        let (guard, title) = match guard {
            Some(guard) => (Some(guard.trim().to_owned()), caption(text)),
            None => operand_header(&spec, text),
        };
        return OpeningHeader { spec, guard, operand_title: None, title, subtitle: None };
    }
    let (guard, operand_title) = operand_header(&spec, text);
    OpeningHeader { spec, guard, operand_title, title: None, subtitle: None }
}

/// Guard and caption on the line of an operand.
pub(crate) fn operand_header(spec: &Spec, text: &str) -> (Option<String>, Option<String>) {
    match in_brackets(text) {
        Some(guard) if !guard.is_empty() => (Some(guard.to_owned()), None),
        _ if spec.takes_guards() => (caption(text), None),
        _ => (None, caption(text)),
    }
}

fn caption(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// The inside of a text that is one pair of brackets.
pub(crate) fn in_brackets(text: &str) -> Option<&str> {
    let inside = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let mut depth = 0_i32;
    let closes_early = inside.chars().any(|c| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        depth < 0
    });
    (!closes_early).then(|| inside.trim())
}

/// A `group` line: an operator by convention, or only a frame.
fn group(text: &str, subtitle: Option<String>, known: impl Fn(&str) -> bool) -> OpeningHeader {
    let word_end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let (word, rest) = text.split_at(word_end);
    let rest = rest.trim();
    let spec = match directive(&word.to_lowercase(), rest) {
        Some(Ok(Spec::Coregion(Some(name)))) if !known(&name) => None,
        Some(Ok(spec)) => is_convention(&spec, rest).then_some(spec),
        Some(Err(_)) | None => None,
    };
    match spec {
        Some(spec) => {
            let rest = rest_of_operator(&spec, rest);
            with_spec(spec, rest, subtitle, true)
        }
        None => OpeningHeader {
            spec: Spec::Plain(Operator::Seq),
            guard: None,
            operand_title: None,
            title: caption(text),
            subtitle,
        },
    }
}

/// Whether the text after the operator's name is its parameters, so that the caption of an ordinary group such as
/// `group assert that all is well` stays one.
fn is_convention(spec: &Spec, rest: &str) -> bool {
    match spec {
        Spec::Coregion(_) => true,
        Spec::Plain(_) => rest.is_empty() || rest.starts_with(['{', '(', '[']),
    }
}

/// What follows the parameters of an operator on its line.
fn rest_of_operator<'a>(spec: &Spec, rest: &'a str) -> &'a str {
    match spec {
        Spec::Coregion(_) => "",
        Spec::Plain(operator) => match operator.facts().parameter {
            OperatorParameter::Types(_) => rest.find('}').map_or("", |end| rest[end + 1..].trim()),
            OperatorParameter::Bounds(old) => bounds(rest, old.strict).1,
            OperatorParameter::None | OperatorParameter::Lifeline(_) => rest,
        },
    }
}

/// The operator that a directive or a `group` line names; `None` if the word is no operator.
pub(crate) fn directive(word: &str, argument: &str) -> Option<Result<Spec, String>> {
    if let Some(plain) = Operator::PLAIN.into_iter().find(|operator| operator.word() == word) {
        return Some(Ok(Spec::Plain(plain)));
    }
    let types = |operator: fn(Vec<MessageType>) -> Operator| {
        Some(message_types(argument).map(|types| Spec::Plain(operator(types))))
    };
    match word {
        "loop" | "sloop" => Some(repetition(argument, word == "sloop")),
        "ignore" => types(Operator::Ignore),
        "consider" => types(Operator::Consider),
        "coregion" => {
            let name = argument.trim();
            Some(Ok(Spec::Coregion((!name.is_empty()).then(|| name.to_owned()))))
        }
        _ => None,
    }
}

/// The bounds of a `loop` directive; text that starts like bounds must be some.
fn repetition(argument: &str, strict: bool) -> Result<Spec, String> {
    let (bounds, rest) = bounds(argument, strict);
    if rest.starts_with(|c: char| c == '(' || c.is_ascii_digit()) {
        return Err(format!("`{rest}` are not bounds"));
    }
    Ok(Spec::Plain(Operator::Loop(bounds)))
}

/// The message types of `{m1, m2: a -> b}`.
fn message_types(text: &str) -> Result<Vec<MessageType>, String> {
    let missing = || "the message types are missing".to_owned();
    let inside = text.trim().strip_prefix('{').ok_or_else(missing)?;
    let inside = inside.split('}').next().ok_or_else(missing)?;
    let types: Vec<MessageType> =
        inside.split(',').map(str::trim).filter(|name| !name.is_empty()).map(message_type).collect();
    if types.is_empty() { Err(missing()) } else { Ok(types) }
}

/// One message type: `m`, or `m: a -> b` with its sender and receiver.
fn message_type(text: &str) -> MessageType {
    let ends = text.rsplit_once(':').and_then(|(name, ends)| Some((name, ends.split_once("->")?)));
    match ends {
        Some((name, (from, to))) => {
            let end = |text: &str| text.trim_start_matches('>').trim().trim_matches('"').to_owned();
            MessageType { name: name.trim().to_owned(), ends: Some([end(from), end(to)]) }
        }
        None => MessageType::named(text),
    }
}

/// The one lifeline at which every message of the operands starts or ends.
pub(crate) fn shared_lifeline(
    messages: &IdVec<MessageId, Message>,
    operands: &[Operand],
) -> Option<LifelineId> {
    let mut shared: Option<BTreeSet<LifelineId>> = None;
    for operand in operands {
        intersect(messages, &operand.block, &mut shared);
    }
    let shared = shared?;
    (shared.len() == 1).then(|| *shared.first().expect("there is exactly one"))
}

fn intersect(messages: &IdVec<MessageId, Message>, block: &Block, shared: &mut Option<BTreeSet<LifelineId>>) {
    for fragment in &block.0 {
        match fragment {
            Fragment::Message(id) => {
                let ends = [messages[*id].from.lifeline(), messages[*id].to.lifeline()];
                let ends: BTreeSet<LifelineId> = ends.into_iter().flatten().collect();
                *shared = Some(match shared.take() {
                    None => ends,
                    Some(before) => before.intersection(&ends).copied().collect(),
                });
            }
            Fragment::Combined(combined) => {
                combined.operands.iter().for_each(|operand| intersect(messages, &operand.block, shared));
            }
            Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Invariant(_)
            | Fragment::Use(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_operators_only_by_convention() {
        let read = |text| group(text, None, |name| name == "a").spec;
        assert_eq!(read("neg"), Spec::Plain(Operator::Neg));
        let ends = |from: &str, to: &str| Some([from.to_owned(), to.to_owned()]);
        let types =
            vec![MessageType::named("m1"), MessageType { name: "m2".to_owned(), ends: ends("a", "b c") }];
        assert_eq!(read("ignore {m1, m2: a -> \"b c\"}"), Spec::Plain(Operator::Ignore(types)));
        assert_eq!(read("coregion a"), Spec::Coregion(Some("a".into())));
        assert_eq!(read("coregion of b"), Spec::Plain(Operator::Seq));
        assert_eq!(read("assert that all is well"), Spec::Plain(Operator::Seq));
    }
}
