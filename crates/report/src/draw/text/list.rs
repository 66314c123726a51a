//! A diagram with more lifelines than the terminal has room for, as a list of its rows.

use sequent_kernel::model::{End, Interaction, Lifeline, LifelineId, Message};

use crate::draw::TextStyle;
use crate::draw::caption;
use crate::draw::label::MeasuredLabel;
use crate::draw::markup;
use crate::draw::markup::StyledText;
use crate::draw::metrics::{TerminalCells, TextRole};
use crate::draw::outline::{Outline, RowKind, outline};

/// Writes one line per row, indented by the frames around it.
pub(crate) fn list(interaction: &Interaction, style: &TextStyle) -> String {
    let outline = outline(interaction);
    let mut out = String::new();
    let Interaction { title, captions, .. } = interaction;
    let around = title.iter().chain(captions.iter().map(|caption| &caption.text));
    around.for_each(|text| push(&mut out, text, 0, style));
    let mut depth: usize = 0;
    for row in &outline.rows {
        let indent = match row.kind {
            RowKind::Open(_) => {
                depth += 1;
                depth - 1
            }
            RowKind::Operand(..) => depth.saturating_sub(1),
            RowKind::Close(_) => {
                depth = depth.saturating_sub(1);
                depth
            }
            RowKind::Message(_)
            | RowKind::Stop(_)
            | RowKind::Action(_)
            | RowKind::Invariant(_)
            | RowKind::Use(_)
            | RowKind::Note(_)
            | RowKind::Separator(_)
            | RowKind::Room => depth,
        };
        let text = statement(&outline, &row.kind, style);
        push(&mut out, &text, indent, style);
    }
    out
}

fn push(out: &mut String, text: &str, indent: usize, style: &TextStyle) {
    if text.is_empty() {
        return;
    }
    let indent = (2 * indent).min(style.width / 2);
    let width = i32::try_from(style.width - indent).unwrap_or(i32::MAX).max(8);
    let label = MeasuredLabel::from_spans(
        vec![vec![StyledText { text: one_line(text), ..StyledText::default() }]],
        TextRole::Message,
        width,
        &TerminalCells,
    );
    for line in &label.lines {
        out.extend(std::iter::repeat_n(' ', indent));
        out.push_str(&line.text());
        out.push('\n');
    }
}

fn statement(outline: &Outline<'_>, row: &RowKind<'_>, style: &TextStyle) -> String {
    let names = |lifelines: &[LifelineId]| {
        let names = lifelines.iter().map(|id| name(&outline.interaction.lifelines[*id]));
        names.collect::<Vec<_>>().join(", ")
    };
    match row {
        RowKind::Message(row) => {
            let mark = if style.marked.contains(&row.id) { "* " } else { "" };
            let notes = row.notes.iter().map(|note| format!(" ({})", note.text));
            format!("{mark}{}{}", message(outline, row.message, style), notes.collect::<String>())
        }
        RowKind::Stop(lifeline) => format!("{} ends", names(&[*lifeline])),
        RowKind::Action(action) => format!("{}: {}", names(&[action.lifeline]), action.name),
        RowKind::Invariant(at) => format!("{}: {{{}}}", names(&at.lifelines), at.condition.text),
        RowKind::Use(at) => format!("ref {}: {}", names(&at.lifelines), at.name),
        RowKind::Note(note) if note.lifelines.is_empty() => format!("note: {}", note.text),
        RowKind::Note(note) => format!("note at {}: {}", names(&note.lifelines), note.text),
        RowKind::Separator(at) if at.text.is_empty() => String::new(),
        RowKind::Separator(at) => format!("-- {} --", at.text),
        RowKind::Open(frame) => {
            let combined = outline.frames[*frame];
            format!("{} {}", caption::tab(combined), caption::guard(combined, 0)).trim_end().to_owned()
        }
        RowKind::Operand(frame, operand) => {
            let guard = caption::guard(outline.frames[*frame], *operand);
            if guard.is_empty() { "--".to_owned() } else { guard }
        }
        RowKind::Close(_) => "end".to_owned(),
        RowKind::Room => String::new(),
    }
}

fn message(outline: &Outline<'_>, message: &Message, style: &TextStyle) -> String {
    let end = |end: End| match end {
        End::Lifeline(lifeline) => name(&outline.interaction.lifelines[lifeline]),
        End::Outside(_) => "(outside)".to_owned(),
    };
    let arrow = match (style.unicode, message.arrow.dashed) {
        (true, false) => "→",
        (true, true) => "⇢",
        (false, false) => "->",
        (false, true) => "-->",
    };
    let number = message.number.as_deref().map(|number| format!("{number} ")).unwrap_or_default();
    let text = if message.text.is_empty() { String::new() } else { format!(": {}", message.text) };
    format!("{number}{} {arrow} {}{text}", end(message.from), end(message.to))
}

fn name(lifeline: &Lifeline) -> String {
    one_line(&lifeline.label)
}

/// A text in one line; a word divided at a line break becomes one again.
fn one_line(text: &str) -> String {
    markup::plain(&text.replace("-\n", "-")).trim().to_owned()
}
