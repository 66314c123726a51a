//! Notes and separators of sequence diagrams.

use sequent_kernel::model::{End, LifelineId, Note, NotePosition, Separator, SeparatorKind};

use super::encode;
use super::sequence::MermaidSequencePrinter;

impl MermaidSequencePrinter<'_> {
    pub(super) fn note(&mut self, note: &Note) {
        let beside = note.message.map(|id| &self.interaction.messages[id]);
        let ends: Vec<LifelineId> = beside
            .into_iter()
            .flat_map(|message| [message.from, message.to])
            .filter_map(End::lifeline)
            .collect();
        let lifelines = if note.lifelines.is_empty() { ends } else { note.lifelines.clone() };
        let (leftmost, rightmost) = (lifelines.iter().min(), lifelines.iter().max());
        let place = match (note.position, leftmost, rightmost) {
            (NotePosition::Left, Some(left), _) => format!("left of {}", self.introduced.name(*left)),
            (NotePosition::Right, _, Some(right)) => format!("right of {}", self.introduced.name(*right)),
            (NotePosition::Left | NotePosition::Right | NotePosition::Over | NotePosition::Across, ..) => {
                return self.note_over(&lifelines, &note.text);
            }
        };
        self.page.line(format!("note {place}: {}", encode::text(&note.text)));
    }

    /// A note over the lifelines, or over all if there are none; Mermaid wants the first and the last.
    pub(super) fn note_over(&mut self, lifelines: &[LifelineId], text: &str) {
        let all: Vec<LifelineId> = self.interaction.lifelines.enumerate().map(|(id, _)| id).collect();
        let lifelines = if lifelines.is_empty() { &all } else { lifelines };
        let (Some(first), Some(last)) = (lifelines.first(), lifelines.last()) else { return };
        self.introduced.mention(&[*first, *last], &mut self.page);
        let first_name = self.introduced.name(*first);
        let names = if lifelines.len() == 1 {
            first_name.to_owned()
        } else {
            format!("{first_name},{}", self.introduced.name(*last))
        };
        self.page.line(format!("note over {names}: {}", encode::text(text)));
    }

    /// Mermaid has no separators; one with a text becomes a note across the diagram.
    pub(super) fn separator(&mut self, separator: &Separator) {
        let text = match separator.kind {
            SeparatorKind::Divider => format!("== {} ==", separator.text),
            SeparatorKind::Delay => format!("... {} ...", separator.text),
            SeparatorKind::Space(_) | SeparatorKind::Page => return,
        };
        self.note_over(&[], &text);
    }
}
