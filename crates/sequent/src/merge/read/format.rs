//! The format of a text file apart from its content: line breaks, a byte order mark, whether the last line ends.
//!
//! Versions are compared without it, so that a file saved with other line breaks merges with one that was not; the
//! formats are merged by themselves. Files that are no UTF-8 are decoded byte by byte.

/// The format of a text file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextFormat {
    /// Whether all lines end in `\r\n`.
    crlf: bool,
    /// Whether the last line ends too.
    ends: bool,
    /// Whether it begins with a byte order mark.
    mark: bool,
    /// Whether it is UTF-8.
    is_utf8: bool,
}

const MARK: char = '\u{feff}';

/// Returns the text of a file without its format. Mixed line breaks are kept as they are.
pub fn decode(bytes: &[u8], is_utf8: bool) -> (String, TextFormat) {
    let text = match (is_utf8, std::str::from_utf8(bytes)) {
        (true, Ok(text)) => text.to_owned(),
        _ => bytes.iter().map(|byte| char::from(*byte)).collect(),
    };
    let rest = text.strip_prefix(MARK).filter(|_| is_utf8);
    let mark = rest.is_some();
    let text = rest.map(str::to_owned).unwrap_or(text);
    let breaks = text.matches('\n').count();
    let crlf = breaks > 0 && text.matches("\r\n").count() == breaks;
    let text = if crlf { text.replace("\r\n", "\n") } else { text };
    let ends = text.ends_with('\n');
    let text = text.strip_suffix('\n').map(str::to_owned).unwrap_or(text);
    (text, TextFormat { crlf, ends, mark, is_utf8 })
}

impl TextFormat {
    /// Merges three formats; `None` stands for an empty file, which does not count.
    pub(in crate::merge) fn merged(
        base: Option<TextFormat>,
        ours: Option<TextFormat>,
        theirs: Option<TextFormat>,
    ) -> TextFormat {
        let plain = TextFormat { crlf: false, ends: true, mark: false, is_utf8: true };
        let (ours, theirs) = match (ours, theirs) {
            (Some(ours), Some(theirs)) => (ours, theirs),
            (one, other) => {
                let known = one.or(other).or(base).unwrap_or(plain);
                (known, known)
            }
        };
        let base = base.unwrap_or(ours);
        let pick =
            |read: fn(TextFormat) -> bool| if read(ours) == read(base) { read(theirs) } else { read(ours) };
        TextFormat {
            crlf: pick(|format| format.crlf),
            ends: pick(|format| format.ends),
            mark: pick(|format| format.mark),
            is_utf8: base.is_utf8 && ours.is_utf8 && theirs.is_utf8,
        }
    }

    /// Returns the bytes of a text in this format.
    pub(in crate::merge) fn encode(self, lines: &str) -> Vec<u8> {
        let mut text = lines.to_owned();
        if self.ends {
            text.push('\n');
        }
        if self.crlf {
            text = text.replace('\n', "\r\n");
        }
        if self.mark {
            text.insert(0, MARK);
        }
        match self.is_utf8 {
            true => text.into_bytes(),
            false => text.chars().map(|byte| u8::try_from(byte).unwrap_or(b'?')).collect(),
        }
    }
}
