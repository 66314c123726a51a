//! XML with limits: models come from strangers too.
//!
//! No entity but the five of XML itself is expanded, nothing is fetched, elements nest only [`DEEPEST`] deep. A document type without
//! definitions of its own, which older tools write, is skipped. Some files are fragments of models, several elements beside each
//! other whose prefixes are declared nowhere; they are read inside an element that declares them.

use std::collections::BTreeSet;

use roxmltree::{Document, ParsingOptions};

/// Elements nested deeper are no model that a tool wrote.
pub const DEEPEST: usize = 256;

/// Files with more nodes are refused.
const MOST_NODES: u32 = 20_000_000;

/// Text that can be parsed, and how many bytes stand before the file's own.
pub struct Prepared {
    text: String,
    before: usize,
}

/// Why a text is not read, and the byte at which that was seen.
pub struct Refusal {
    /// The byte in the file.
    pub at: usize,
    /// The reason.
    pub reason: String,
}

impl Prepared {
    /// The text of a file.
    pub fn new(text: &str) -> Result<Self, Refusal> {
        let plain = without_document_type(text)?;
        let too_deep = || Refusal { at: 0, reason: format!("elements are nested more than {DEEPEST} deep") };
        match parse_text(&plain) {
            Ok(document) if depth(&document) > DEEPEST => Err(too_deep()),
            Ok(_) => Ok(Prepared { text: plain, before: 0 }),
            Err(error) => {
                let (at, reason) = (position(&plain, &error), error.to_string());
                let wrapped = wrapped(&plain);
                match parse_text(&wrapped.text) {
                    Ok(document) if wrapped.is_fragment(&document) => Ok(wrapped),
                    Ok(_) | Err(_) => Err(Refusal { at, reason }),
                }
            }
        }
    }

    /// The parsed text.
    pub fn parse(&self) -> Document<'_> {
        parse_text(&self.text).expect("the text was parsed before")
    }

    /// The place in the file of a byte of the text.
    pub fn place(&self, at: usize) -> usize {
        at.saturating_sub(self.before)
    }

    fn is_fragment(&self, document: &Document) -> bool {
        depth(document) <= DEEPEST + 1 && document.root_element().children().any(|child| child.is_element())
    }
}

fn parse_text(text: &str) -> Result<Document<'_>, roxmltree::Error> {
    Document::parse_with_options(
        text,
        ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() },
    )
}

/// The byte at which an error was seen.
fn position(text: &str, error: &roxmltree::Error) -> usize {
    let position = error.pos();
    let line = text.split_inclusive('\n').take((position.row as usize).saturating_sub(1));
    let start: usize = line.map(str::len).sum();
    let column = text[start..].chars().take((position.col as usize).saturating_sub(1));
    (start + column.map(char::len_utf8).sum::<usize>()).min(text.len())
}

/// The text with blanks for a document type; one with definitions of its own is refused.
fn without_document_type(text: &str) -> Result<String, Refusal> {
    let Some(start) = text.find("<!DOCTYPE") else { return Ok(text.to_owned()) };
    let end = text[start..].find(['>', '[']).map(|end| start + end);
    match end {
        Some(end) if text.as_bytes()[end] == b'>' => {
            let blank = " ".repeat(end + 1 - start);
            Ok(format!("{}{blank}{}", &text[..start], &text[end + 1..]))
        }
        Some(_) | None => {
            let reason = "definitions of entities and elements are not read".to_owned();
            Err(Refusal { at: start, reason })
        }
    }
}

/// How deep elements are nested.
fn depth(document: &Document) -> usize {
    let (mut deepest, mut open) = (0, Vec::new());
    for element in document.descendants().filter(|node| node.is_element()) {
        let around = element.parent().map(|parent| parent.id());
        while open.last().is_some_and(|last| Some(*last) != around) {
            open.pop();
        }
        open.push(element.id());
        deepest = deepest.max(open.len());
    }
    deepest
}

/// The text inside an element that declares its prefixes.
fn wrapped(text: &str) -> Prepared {
    // A declaration and what stands before the first element may only stand at the start.
    let inside = text.find("?>").filter(|_| text.trim_start().starts_with("<?xml")).map_or(0, |end| end + 2);
    let mut opening = String::from("<fragment");
    for prefix in prefixes(text) {
        opening += &format!(" xmlns:{prefix}=\"{prefix}\"");
    }
    opening.push('>');
    let before = opening.len();
    let blank = " ".repeat(inside);
    Prepared { text: format!("{opening}{blank}{}</fragment>", &text[inside..]), before }
}

/// The prefixes of elements and attributes.
fn prefixes(text: &str) -> BTreeSet<&str> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices(':') {
        let before = &text[..at];
        let start = before
            .rfind(|c| !is_name(c))
            .map_or(0, |sign| sign + before[sign..].chars().next().map_or(1, char::len_utf8));
        let prefix = &before[start..];
        let opens = before[..start].ends_with(['<', '/', ' ', '\t', '\n', '\r']);
        let is_reserved = prefix.is_empty()
            || prefix.starts_with("xml")
            || prefix.starts_with(|c: char| !c.is_alphabetic() && c != '_');
        if opens && !is_reserved && text[at + 1..].starts_with(is_name) {
            found.insert(prefix);
        }
        if found.len() > 100 {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        Prepared::new(text).err().map_or("read".to_owned(), |refusal| refusal.reason)
    }

    #[test]
    fn hostile_documents_are_refused() {
        let bomb = "<!DOCTYPE a [<!ENTITY x \"y\"><!ENTITY z \"&x;&x;\">]><a>&z;</a>";
        assert_eq!(refusal(bomb), "definitions of entities and elements are not read");
        assert_eq!(
            refusal(&format!("{}{}", "<a>".repeat(300), "</a>".repeat(300))),
            "elements are nested more than 256 deep"
        );
        assert_eq!(refusal("<!DOCTYPE XMI SYSTEM \"uml.dtd\"><a/>"), "read");
        assert!(refusal("<a>&unknown;</a>").contains("unknown"));
        assert!(refusal("<a><b></a>").contains("expected"));
        assert_ne!(refusal("no markup"), "read");
    }

    #[test]
    fn fragments_are_read() {
        let text = "<a xmi:id='1'/>\n<uml:b xmi:id='2'/>";
        let prepared = Prepared::new(text).ok().expect("a fragment");
        let document = prepared.parse();
        let last = document.root_element().last_element_child().expect("two elements");
        assert_eq!(prepared.place(last.range().start), text.find("<uml").expect("it is there"));
    }
}
