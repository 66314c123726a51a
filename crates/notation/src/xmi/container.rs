//! From the bytes of a file to XML text: archives are opened, declared encodings decoded.
//!
//! `.mdzip` (MagicDraw) and `.zargo` (ArgoUML) are zip archives that hold the model as one XML file beside pictures and settings.
//! Only what these tools write is read of the format: entries that are stored or deflated, found through the central directory
//! (APPNOTE 6.3, 4.3.12), each unpacked only up to [`LARGEST`] bytes. MagicDraw keeps what other projects share of a model in an entry of
//! its own, whose elements belong to the same model: it follows the main part in the text.

use encoding_rs::{Encoding, UTF_8};
use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// What an archive may unpack to.
const LARGEST: usize = 256 << 20;

/// Endings of files that hold UML models.
pub const ENDINGS: &[&str] = &["uml", "uml2", "emx", "xmi", "xml", "mdxml", "mdzip", "zargo"];

/// A text out of bytes.
pub struct Decoded {
    /// The text.
    pub text: String,
    /// Whether some bytes were no characters of the declared encoding.
    pub has_replacements: bool,
    /// What else an archive holds of the model, which is not read.
    pub left_out: Vec<String>,
}

/// Whether a file holds a UML model, by its ending.
pub fn has_ending(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}

/// Whether a file is a zip archive.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// The XML text in a file, or why there is none.
pub fn decode(bytes: &[u8]) -> Result<Decoded, String> {
    if !is_archive(bytes) {
        return Ok(decode_text(bytes));
    }
    let mut entries = entries(bytes).ok_or("the archive is damaged")?;
    entries.retain(|entry| rank(&entry.name) < NONE);
    entries.sort_by_key(|entry| rank(&entry.name));
    let (wanted, others) = entries.split_first().ok_or("the archive holds no UML model")?;
    let mut decoded = decode_text(&wanted.unpack(bytes)?);
    for entry in others.iter().filter(|entry| rank(&entry.name) <= rank(&wanted.name).max(SHARED)) {
        if rank(&wanted.name) != MAIN || rank(&entry.name) != SHARED {
            decoded.left_out.push(entry.name.clone());
            continue;
        }
        let shared = decode_text(&entry.unpack(bytes)?);
        if decoded.text.len() + shared.text.len() > LARGEST {
            return Err(format!("`{}` and `{}` in the archive are too large", wanted.name, entry.name));
        }
        decoded.has_replacements |= shared.has_replacements;
        decoded.text.push('\n');
        decoded.text.push_str(without_declaration(&shared.text));
    }
    Ok(decoded)
}

/// The text behind an XML declaration, which may stand at the start of a text alone.
fn without_declaration(text: &str) -> &str {
    let text = text.trim_start();
    let declared = text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>"));
    declared.map_or(text, |(_, rest)| rest)
}

/// Whether a reference names an entry of the archive in which it stands.
pub(super) fn is_entry(name: &str) -> bool {
    matches!(rank(name), MAIN | SHARED)
}

/// The text of bytes by their byte order mark, else by their XML declaration, else as UTF-8; the mark is left out.
fn decode_text(bytes: &[u8]) -> Decoded {
    let encoding = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let encoding = encoding.or_else(|| declared(bytes)).unwrap_or(UTF_8);
    let (text, _, has_replacements) = encoding.decode(bytes);
    Decoded { text: text.into_owned(), has_replacements, left_out: Vec::new() }
}

/// The encoding that the XML declaration names.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    let declaration = start.strip_prefix("<?xml")?.split("?>").next()?;
    let (_, after) = declaration.split_once("encoding")?;
    let after = after.trim_start().strip_prefix('=')?.trim_start();
    let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    Encoding::for_label(after[1..].split(quote).next()?.trim().as_bytes())
}

/// An entry of an archive.
struct ArchiveEntry {
    name: String,
    /// How it is packed: 0 not at all, 8 deflated.
    method: usize,
    packed: usize,
    unpacked: usize,
    offset: usize,
}

/// Entries that are no models.
const NONE: u8 = 5;

/// The main part of a model of MagicDraw.
const MAIN: u8 = 1;

/// What MagicDraw keeps of a model beside its main part.
const SHARED: u8 = 2;

/// Which entry is the model: the lowest rank wins.
fn rank(name: &str) -> u8 {
    let name = name.to_ascii_lowercase();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "mdxml" | "uml" | "uml2" | "emx" => 0,
        "model" if name.contains("uml_model") => MAIN,
        "shared_model" if name.contains("uml_model") => SHARED,
        "xmi" => 3,
        "xml" if !name.contains('/') => 4,
        _ => NONE,
    }
}

/// The entries in the central directory; `None` if it is damaged or needs more than 4 GB.
fn entries(bytes: &[u8]) -> Option<Vec<ArchiveEntry>> {
    let end = bytes.len().checked_sub(22)?;
    let lowest = end.saturating_sub(0xffff);
    let directory_end = (lowest..=end).rev().find(|at| bytes[*at..].starts_with(b"PK\x05\x06"))?;
    let count = number(bytes, directory_end + 10, 2)?;
    let mut at = number(bytes, directory_end + 16, 4)?;
    let mut entries = Vec::new();
    for _ in 0..count {
        if !bytes.get(at..)?.starts_with(b"PK\x01\x02") {
            return None;
        }
        let [name, extra, comment] = [28, 30, 32].map(|field| number(bytes, at + field, 2));
        let name_end = at.checked_add(46)?.checked_add(name?)?;
        entries.push(ArchiveEntry {
            name: String::from_utf8_lossy(bytes.get(at + 46..name_end)?).into_owned(),
            method: number(bytes, at + 10, 2)?,
            packed: number(bytes, at + 20, 4)?,
            unpacked: number(bytes, at + 24, 4)?,
            offset: number(bytes, at + 42, 4)?,
        });
        at = name_end.checked_add(extra?)?.checked_add(comment?)?;
    }
    Some(entries)
}

impl ArchiveEntry {
    fn unpack(&self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let damaged = || format!("`{}` in the archive is damaged", self.name);
        let data = self.data(bytes).ok_or_else(damaged)?;
        if self.unpacked > LARGEST {
            return Err(format!("`{}` in the archive is too large", self.name));
        }
        match self.method {
            0 => Ok(data.to_vec()),
            8 => decompress_to_vec_with_limit(data, self.unpacked.max(1)).map_err(|_| damaged()),
            other => Err(format!(
                "`{}` in the archive is packed by method {other}; only deflated entries are read",
                self.name
            )),
        }
    }

    /// The packed bytes, behind the entry's own header.
    fn data<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        let header = bytes.get(self.offset..).filter(|rest| rest.starts_with(b"PK\x03\x04"))?;
        let start = 30 + number(header, 26, 2)? + number(header, 28, 2)?;
        header.get(start..start.checked_add(self.packed)?)
    }
}

/// A little-endian number of `length` bytes.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<usize> {
    let field = bytes.get(at..at.checked_add(length)?)?;
    Some(field.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_encodings_are_decoded() {
        let japanese = b"<?xml version='1.0' encoding='Shift_JIS'?><a n='\x83\x41'/>";
        assert!(decode(japanese).expect("text").text.ends_with("<a n='ア'/>"));
        let western = b"<?xml version=\"1.0\" encoding=\"windows-1252\"?><a n=\"\xe9\"/>";
        assert!(decode(western).expect("text").text.ends_with("<a n=\"é\"/>"));
        let wide: Vec<u8> = "\u{feff}<a/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&wide).expect("text").text, "<a/>");
        assert!(decode(b"<a n=\"\xe9\"/>").expect("text").has_replacements);
    }

    /// An archive of entries that are not packed, whatever their method says.
    fn archive(entries: &[(&str, u8, &str)]) -> Vec<u8> {
        let (mut bytes, mut directory) = (Vec::new(), Vec::new());
        for (name, method, text) in entries {
            let [packed, at] = [text.len(), bytes.len()].map(|one| (one as u32).to_le_bytes());
            let length = (name.len() as u16).to_le_bytes();
            let middle = [&[*method, 0][..], &[0; 8], &packed, &packed, &length, &[0, 0]].concat();
            bytes.extend([b"PK\x03\x04\x14\0\0\0", &middle[..], name.as_bytes(), text.as_bytes()].concat());
            let head = [b"PK\x01\x02\x14\0\x14\0\0\0", &middle[..], &[0; 10], &at, name.as_bytes()];
            directory.extend(head.concat());
        }
        let [count, at] = [entries.len(), bytes.len()].map(|one| (one as u32).to_le_bytes());
        let end = [b"PK\x05\x06\0\0\0\0", &count[..2], &count[..2], &[0; 4], &at, &[0, 0]].concat();
        [bytes, directory, end].concat()
    }

    #[test]
    fn other_models_in_an_archive_are_joined_or_told() {
        let shared = ("com.nomagic.magicdraw.uml_model.shared_model", 0, "<?xml version='1.0'?><b/>");
        let model = ("com.nomagic.magicdraw.uml_model.model", 0, "<a/>");
        let both = decode(&archive(&[shared, model, ("picture.svg", 0, "<svg/>")]));
        let both = both.expect("an archive");
        assert_eq!((both.text.as_str(), both.left_out), ("<a/>\n<b/>", Vec::new()));
        let two = decode(&archive(&[("a.uml", 0, "<a/>"), ("b.uml", 0, "<b/>"), shared]));
        let two = two.expect("an archive");
        assert_eq!(
            (two.text.as_str(), two.left_out),
            ("<a/>", vec!["b.uml".to_owned(), shared.0.to_owned()])
        );
        assert!(decode(&archive(&[model])).expect("an archive").left_out.is_empty());
        let packed = decode(&archive(&[("m.uml", 14, "<a/>")])).err().expect("a method that is not read");
        assert!(packed.contains("method 14"), "{packed}");
        let empty = decode(&archive(&[("picture.svg", 0, "<svg/>")])).err();
        assert_eq!(empty.as_deref(), Some("the archive holds no UML model"));
    }

    #[test]
    fn damaged_archives_are_refused() {
        assert!(decode(b"PK\x03\x04").is_err());
        assert!(
            decode(&[b"PK\x03\x04".as_slice(), &[0xff; 64], b"PK\x05\x06", &[0xff; 18]].concat()).is_err()
        );
    }
}
