//! Names and texts as PlantUML reads them back.

use sequent_kernel::model::{Caption, CaptionKind, CaptionSide};

use crate::plantuml::common::scan::{is_name, is_quote, is_word};
use crate::plantuml::common::text::escape_line;
use crate::plantuml::preprocess::is_call;

/// `@startuml` with the diagram's name.
pub(crate) fn start(name: &str) -> String {
    let wrapped = |open: char, close: char| name.starts_with(open) && name.ends_with(close);
    let quoted = name.starts_with(is_quote) && name.ends_with(is_quote);
    let text = escape_line(name);
    if quoted || wrapped('{', '}') { format!("@startuml \"{text}\"") } else { format!("@startuml {text}") }
}

/// A name, in quotes if it needs them.
pub(crate) fn name(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(is_name) && !name.starts_with('@');
    if plain && !is_reserved(name) {
        return name.to_owned();
    }
    format!("\"{}\"", unquoted(name))
}

/// A text without double quotes, for places where none can stand.
pub(crate) fn unquoted(text: &str) -> String {
    text.replace(is_quote, "''")
}

/// Whether a line that starts with this word is taken for something else than a message.
fn is_reserved(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "title",
        "caption",
        "legend",
        "mainframe",
        "header",
        "footer",
        "skinparam",
        "scale",
        "hide",
        "show",
        "sprite",
        "page",
        "skin",
        "set",
        "rotate",
        "minwidth",
        "activate",
        "deactivate",
        "destroy",
        "create",
        "participant",
        "actor",
        "boundary",
        "control",
        "entity",
        "queue",
        "database",
        "collections",
        "as",
        "of",
    ];
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(name))
}

/// A text on one line, guarded against escapes and the preprocessor.
pub(crate) fn line_text(text: &str) -> String {
    if !text.contains('%') {
        return escape_line(text);
    }
    let mut guarded = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c {
            '%' if is_call(&text[at..]) => guarded.push_str("%percent()"),
            c => guarded.push(c),
        }
    }
    escape_line(&guarded)
}

/// A text behind `title` and its like: in quotes where it would be read otherwise without them.
pub(crate) fn caption_text(text: &str) -> String {
    let escaped = line_text(text);
    let quoted = text.starts_with(is_quote) && text.ends_with(is_quote);
    let plain =
        text.trim() == text && text.contains(|c| is_word(c) || c == '.') && !text.starts_with(':') && !quoted;
    if plain { escaped } else { format!("\"{escaped}\"") }
}

/// The lines of the texts around a diagram.
pub(crate) fn captions(captions: &[Caption]) -> impl Iterator<Item = String> {
    captions.iter().flat_map(|Caption { kind, side, text }| {
        let side = match side {
            CaptionSide::Left => "left",
            CaptionSide::Centre => "center",
            CaptionSide::Right => "right",
        };
        let legend = |place: &str| {
            vec![format!("legend {place} {side}"), format!("  {}", line_text(text)), "end legend".to_owned()]
        };
        match kind {
            CaptionKind::Header => vec![format!("{side} header {}", caption_text(text))],
            CaptionKind::UpperLegend => legend("top"),
            CaptionKind::Legend => legend("bottom"),
            CaptionKind::Caption => vec![format!("caption {}", caption_text(text))],
            CaptionKind::Footer => vec![format!("{side} footer {}", caption_text(text))],
        }
    })
}
