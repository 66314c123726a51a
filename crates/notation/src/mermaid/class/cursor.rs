//! A position in the text of a class diagram, and what can be taken from there.

use sequent_kernel::model::EndSign;

use crate::mermaid::text::{is_space, is_word};
use crate::tree::class::RelationHead;

/// A name as taken: its text with all blanks left out, and the type parameters between tildes.
pub(crate) struct Taken {
    pub text: String,
    pub(crate) generics: Option<String>,
    pub start: usize,
    pub end: usize,
}

/// A relation's line and what stands at its ends.
pub(crate) struct RelationLine {
    pub heads: [RelationHead; 2],
    pub dashed: bool,
}

/// The position.
pub(crate) struct Cursor<'a> {
    pub text: &'a str,
    pub at: usize,
}

impl<'a> Cursor<'a> {
    /// The text from here.
    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips blanks on this line.
    pub(crate) fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(|c| c != '\n' && is_space(c)).len();
    }

    /// Skips blanks and line breaks.
    pub(crate) fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(is_space).len();
    }

    /// Goes to the end of the line and returns what was skipped.
    pub(crate) fn take_line(&mut self) -> &'a str {
        let rest = self.rest();
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        self.at += line.len();
        line
    }

    /// Takes `text` if it comes next.
    pub(crate) fn take(&mut self, text: &str) -> bool {
        let comes = self.rest().starts_with(text);
        if comes {
            self.at += text.len();
        }
        comes
    }

    /// Takes a keyword if it comes next as a whole word.
    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let after = self.rest().strip_prefix(word);
        let comes = after.is_some_and(|after| !after.starts_with(is_word));
        if comes {
            self.at += word.len();
        }
        comes
    }

    /// Takes a text in double quotes; returns the range inside.
    pub(crate) fn take_quoted(&mut self) -> Option<std::ops::Range<usize>> {
        let length = self.rest().strip_prefix('"')?.find('"')?;
        let start = self.at + 1;
        self.at = start + length + 1;
        Some(start..start + length)
    }

    /// Takes the name of a class: words, dashes and dots, or a text in backticks, perhaps with `~T~` behind it. Blanks
    /// inside are dropped, as mermaid drops them.
    pub(crate) fn take_name(&mut self) -> Option<Taken> {
        let start = self.at;
        let mut taken = Taken { text: String::new(), generics: None, start, end: start };
        loop {
            let rest = self.rest();
            let Some(length) = piece_length(rest, taken.text.is_empty()) else { break };
            taken.text.push_str(rest[..length].trim_matches('`'));
            let is_literal = rest.starts_with('`');
            self.at += length;
            taken.end = self.at;
            taken.generics = self.take_generics();
            if taken.generics.is_some() || is_literal {
                taken.end = self.at;
                break;
            }
            self.skip_blanks();
        }
        self.at = taken.end;
        (!taken.text.is_empty()).then_some(taken)
    }

    fn take_generics(&mut self) -> Option<String> {
        let inside = self.rest().strip_prefix('~')?;
        let length = inside.find('~')?;
        self.at += length + 2;
        Some(inside[..length].to_owned())
    }

    /// Takes the line of a relation with its heads: `<|--`, `..>`, `o--*`.
    pub(crate) fn take_relation(&mut self) -> Option<RelationLine> {
        let start = self.at;
        let tail = self.take_head();
        self.skip_blanks();
        let dashed = match self.rest() {
            rest if rest.starts_with("--") => false,
            rest if rest.starts_with("..") => true,
            _ => {
                self.at = start;
                return None;
            }
        };
        self.at += 2;
        let after_line = self.at;
        self.skip_blanks();
        let head = self.take_head();
        if head == RelationHead::Plain {
            self.at = after_line;
        }
        Some(RelationLine { heads: [tail, head], dashed })
    }

    fn take_head(&mut self) -> RelationHead {
        const HEADS: [(&str, RelationHead); 6] = [
            ("<|", RelationHead::Triangle),
            ("|>", RelationHead::Triangle),
            (">", RelationHead::Arrow),
            ("<", RelationHead::Arrow),
            ("*", RelationHead::Diamond),
            ("()", RelationHead::Other(EndSign::Circle)),
        ];
        if self.take_word("o") {
            return RelationHead::OpenDiamond;
        }
        let found = HEADS.iter().find(|(text, _)| self.rest().starts_with(text));
        found.map_or(RelationHead::Plain, |(text, head)| {
            self.at += text.len();
            *head
        })
    }
}

/// The length of the next piece of a name.
fn piece_length(rest: &str, is_first: bool) -> Option<usize> {
    let c = rest.chars().next()?;
    match c {
        '`' => rest[1..].find('`').filter(|length| *length > 0).map(|length| length + 2),
        '-' if !rest.starts_with("--") => Some(1),
        '.' if !is_first && !rest.starts_with("..") => Some(1),
        _ if is_word(c) => {
            let length = rest.len() - rest.trim_start_matches(is_word).len();
            // A lone `o` is the diamond of an aggregation.
            (&rest[..length] != "o").then_some(length)
        }
        _ if !c.is_ascii() && c.is_alphabetic() => Some(c.len_utf8()),
        _ => None,
    }
}
