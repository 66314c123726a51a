//! Text as editors count it: lines from 0, columns in UTF-16 code units from 0; and files by address.

use std::path::{Component, Path, PathBuf};

use sequent_kernel::source::{Source, Span};
use serde_json::{Value, json};

/// Where a byte stands.
pub(crate) fn position(source: &Source, offset: u32) -> Value {
    let offset = offset.min(source.text.len() as u32);
    let line = source.position(offset).line;
    let before = source.text.get(source.line_start(line) as usize..offset as usize).unwrap_or_default();
    json!({ "line": line - 1, "character": before.encode_utf16().count() })
}

/// Where a piece stands.
pub(crate) fn range(source: &Source, span: Span) -> Value {
    json!({ "start": position(source, span.start), "end": position(source, span.end) })
}

/// The byte at a position; positions past the end of a line count as its end.
pub(crate) fn offset(text: &str, position: &Value) -> usize {
    let number = |name: &str| position[name].as_u64().unwrap_or(0);
    let mut start = 0;
    for _ in 0..number("line") {
        match text[start..].find('\n') {
            Some(at) => start += at + 1,
            None => return text.len(),
        }
    }
    let line = text[start..].split('\n').next().unwrap_or_default();
    let line = line.strip_suffix('\r').unwrap_or(line);
    let mut units = number("character");
    for (at, character) in line.char_indices() {
        let width = character.len_utf16() as u64;
        if units < width {
            return start + at;
        }
        units -= width;
    }
    start + line.len()
}

/// A text after the changes of an edit, one after the other.
pub(crate) fn change(text: &str, changes: &Value) -> String {
    let mut text = text.to_owned();
    for change in changes.as_array().into_iter().flatten() {
        let new = change["text"].as_str().unwrap_or_default();
        match change.get("range").filter(|range| !range.is_null()) {
            Some(range) => {
                let start = offset(&text, &range["start"]);
                let end = offset(&text, &range["end"]).max(start);
                text.replace_range(start..end, new);
            }
            None => text = new.to_owned(),
        }
    }
    text
}

/// The file at an address; none if it is not a file.
pub(crate) fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = &rest[rest.find('/')?..];
    let mut bytes = Vec::new();
    let mut left = rest.bytes();
    while let Some(byte) = left.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
        let (high, low) = (digit(left.next())?, digit(left.next())?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    let path = String::from_utf8(bytes).ok()?;
    // `/c:/w` is `c:/w`: before the drive stands what begins the path of an address.
    let local = path.strip_prefix('/').filter(|rest| has_drive(rest));
    Some(PathBuf::from(local.unwrap_or(&path)))
}

/// The address of a file.
pub(crate) fn uri(path: &Path) -> String {
    let path = path.to_string_lossy();
    // What Windows writes before paths that it does not look at any more.
    let path = path.strip_prefix(r"\\?\").unwrap_or(&path);
    let path = match has_drive(path) {
        true => format!("/{}", path.replace('\\', "/")),
        false => path.to_owned(),
    };
    let mut uri = "file://".to_owned();
    for byte in plain(Path::new(&path)).to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte))
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

/// Whether a path begins with the letter of a drive.
fn has_drive(path: &str) -> bool {
    let mut signs = path.chars();
    let is_letter = signs.next().is_some_and(|letter| letter.is_ascii_alphabetic());
    is_letter && signs.next() == Some(':') && signs.next().is_none_or(|sign| matches!(sign, '/' | '\\'))
}

/// A path without `.` and `..`, by its text alone.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            Component::CurDir => {}
            Component::ParentDir | Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                plain.push(part)
            }
        }
    }
    plain
}

/// A piece of a file with the file's address.
pub(crate) fn location(source: &Source, span: Span) -> Value {
    json!({ "uri": uri(Path::new(&source.name)), "range": range(source, span) })
}

/// The place of a line.
pub(crate) fn in_words(file: &str, line: u64) -> String {
    let name = plain(Path::new(file));
    let name = name.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    format!("line {line} of {name}")
}

#[cfg(test)]
mod tests {
    use sequent_kernel::source::Sources;

    use super::*;

    #[test]
    fn columns_are_utf16() {
        let mut sources = Sources::new();
        let file = sources.add("/a b.mmd", "x\r\né🎉z\n");
        let source = sources.get(file);
        let at = "x\r\né🎉".len();
        let place = position(source, at as u32);
        assert_eq!(place, json!({ "line": 1, "character": 3 }));
        assert_eq!(offset(&source.text, &place), at);
        assert_eq!(offset(&source.text, &json!({ "line": 0, "character": 9 })), 1);
        assert_eq!(offset(&source.text, &json!({ "line": 9, "character": 9 })), source.text.len());
        // The middle of a character counts as its beginning.
        assert_eq!(offset(&source.text, &json!({ "line": 1, "character": 2 })), "x\r\né".len());
        assert_eq!(path(&uri(Path::new("/a b/é.mmd"))), Some(PathBuf::from("/a b/é.mmd")));
        assert_eq!(path("untitled:1"), None);
    }

    #[test]
    fn drives_have_addresses() {
        for (address, own) in [
            ("file:///c%3A/w/a.puml", "c:/w/a.puml"),
            ("file:///C:/w/b%20c.puml", "C:/w/b c.puml"),
            ("file:///w/c%3A/a.puml", "/w/c:/a.puml"),
            ("file:///cd%3A/a.puml", "/cd:/a.puml"),
        ] {
            assert_eq!(path(address), Some(PathBuf::from(own)), "{address}");
        }
        assert_eq!(uri(Path::new(r"C:\w\a b.puml")), "file:///C%3A/w/a%20b.puml");
        assert_eq!(uri(Path::new(r"\\?\C:\w\a.puml")), "file:///C%3A/w/a.puml");
        assert_eq!(uri(Path::new("c:/w/a.puml")), "file:///c%3A/w/a.puml");
        assert_eq!(uri(Path::new(r"/w/a\b.puml")), "file:///w/a%5Cb.puml");
        assert_eq!(uri(Path::new("/w/a/../b/./c.puml")), "file:///w/b/c.puml");
    }

    #[test]
    fn changes_follow_each_other() {
        let range = |line, start, end| json!({ "start": { "line": line, "character": start }, "end": { "line": line, "character": end } });
        let changes = json!([
            { "range": range(0, 0, 2), "text": "ab" },
            { "range": range(0, 2, 2), "text": "\n" },
            { "range": range(1, 0, 1), "text": "" },
        ]);
        assert_eq!(change("🎉xy", &changes), "ab\ny");
        assert_eq!(change("old", &json!([{ "text": "new" }])), "new");
    }
}
