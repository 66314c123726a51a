//! Notes: on one line, or over several where the text has several.

use sequent_kernel::model::{Note, NotePosition, NoteShape};

use super::{PlantumlSequencePrinter, colour_after_space};
use crate::plantuml::common::{is_embedded, is_end_of};
use crate::plantuml::print::text::line_text;

impl PlantumlSequencePrinter<'_> {
    pub(super) fn note(&mut self, note: &Note) {
        let word = match note.shape {
            NoteShape::Folded => "note",
            NoteShape::Hexagon => "hnote",
            NoteShape::Rectangle => "rnote",
        };
        let names = self.lifelines(&note.lifelines);
        let place = match (note.position, names.as_str()) {
            (NotePosition::Left, "") => "left".to_owned(),
            (NotePosition::Right, "") => "right".to_owned(),
            (NotePosition::Over, "") => "bottom".to_owned(),
            (NotePosition::Across, _) => "across".to_owned(),
            (NotePosition::Left, names) => format!("left of {names}"),
            (NotePosition::Right, names) => format!("right of {names}"),
            (NotePosition::Over, names) => format!("over {names}"),
        };
        let head = format!("{word} {place}{}", colour_after_space(note.colour.as_deref()));
        if needs_lines(&note.text) {
            self.line(&head);
            let lines: Vec<&str> = note.text.split('\n').collect();
            lines.iter().for_each(|line| self.note_line(line));
            self.line("end note");
        } else {
            self.line(&format!("{head} : {}", line_text(&note.text)));
        }
    }

    /// One line of a note; white space at its end counts.
    fn note_line(&mut self, line: &str) {
        if !line.is_empty() {
            let indent = "  ".repeat(self.depth + 1);
            self.out.push_str(&format!("{indent}{}", line_text(line)));
        }
        self.out.push('\n');
    }
}

/// Whether the text is better, or can only be, written over several lines, and none of them would be taken for anything
/// else than text.
fn needs_lines(text: &str) -> bool {
    let is_odd = |line: &str| {
        let line = line.trim();
        let ends = ["note", "hnote", "rnote"].iter().any(|word| is_end_of(line, word));
        let comment = line.starts_with('\'') || line.contains("/'") || line.contains("'/");
        ends || comment || line.starts_with(['!', '@', '\\']) || is_embedded(line)
    };
    let several = text.contains('\n') || text.trim() != text;
    several && !text.split('\n').any(is_odd)
}
