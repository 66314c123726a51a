//! The form of a text that is no content: line breaks, a byte order mark, whether the last line ends.
//!
//! Versions are compared without it, so that a file saved with other line breaks merges with one that was not; the
//! form itself is merged like anything else. Texts that are no UTF-8 are taken byte by byte.

/// The form of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
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

/// A text without its form. Where lines end in both ways they keep what they have.
pub fn strip(bytes: &[u8], is_utf8: bool) -> (String, Form) {
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
    (text, Form { crlf, ends, mark, is_utf8 })
}

impl Form {
    /// The form of a merge: what one side changed is changed; a text with no lines has no say.
    pub fn merged(base: Option<Form>, ours: Option<Form>, theirs: Option<Form>) -> Form {
        let plain = Form { crlf: false, ends: true, mark: false, is_utf8: true };
        let (ours, theirs) = match (ours, theirs) {
            (Some(ours), Some(theirs)) => (ours, theirs),
            (one, other) => {
                let known = one.or(other).or(base).unwrap_or(plain);
                (known, known)
            }
        };
        let base = base.unwrap_or(ours);
        let pick = |read: fn(Form) -> bool| if read(ours) == read(base) { read(theirs) } else { read(ours) };
        Form {
            crlf: pick(|form| form.crlf),
            ends: pick(|form| form.ends),
            mark: pick(|form| form.mark),
            is_utf8: base.is_utf8 && ours.is_utf8 && theirs.is_utf8,
        }
    }

    /// Lines in this form.
    pub fn apply(self, lines: &str) -> Vec<u8> {
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
