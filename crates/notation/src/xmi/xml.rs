//! XML with limits: models may come from untrusted sources.
//!
//! No entity but the five of XML itself is expanded, nothing is fetched, elements nest only [`DEEPEST`] deep and have at most
//! [`MOST_ATTRIBUTES`]; this is looked at before the parser sees the text, whose time grows with their square. A document type without
//! definitions of its own, which older tools write, is skipped. Some files are fragments of models, several elements beside each
//! other whose prefixes are declared nowhere; they are read inside an element that declares them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use roxmltree::{Document, ParsingOptions};

/// Elements nested deeper are no model that a tool wrote.
pub(crate) const DEEPEST: usize = 256;

/// Elements with more attributes are no model that a tool wrote.
pub(crate) const MOST_ATTRIBUTES: usize = 1_000;

/// Documents that declare more prefixes are refused: each element with a declaration has a table of all around it.
const MOST_PREFIXES: usize = 10_000;

/// Files with more nodes are refused.
const MOST_NODES: u32 = 20_000_000;

/// Text that can be parsed, and how many bytes stand before the file's own.
pub(crate) struct PreparedXml<'t> {
    text: Cow<'t, str>,
    before: usize,
}

/// Why a text is not read, and the byte at which that was seen.
pub(crate) struct XmlRefusal {
    /// The byte in the file.
    pub at: usize,
    /// The reason.
    pub reason: String,
}

impl<'t> PreparedXml<'t> {
    /// The text of a file, if it is within the limits.
    pub(crate) fn new(text: &'t str) -> Result<Self, XmlRefusal> {
        within_limits(text)?;
        let plain = without_document_type(text)?;
        let text = behind_texts(&plain).map_or(plain, Cow::Owned);
        Ok(PreparedXml { text, before: 0 })
    }

    /// The parsed text.
    pub(crate) fn parse(&self) -> Result<Document<'_>, XmlRefusal> {
        let refusal = |error| XmlRefusal { at: position(&self.text, &error), reason: error.to_string() };
        parse_text(&self.text).map_err(refusal)
    }

    /// The same text as a fragment, inside of an element that declares its prefixes.
    pub(crate) fn wrapped(&self) -> PreparedXml<'static> {
        wrapped(&self.text)
    }

    /// The parsed text of a fragment; `None` if it is none.
    pub(crate) fn parse_fragment(&self) -> Option<Document<'_>> {
        let document = parse_text(&self.text).ok()?;
        let has_elements = document.root_element().children().any(|child| child.is_element());
        has_elements.then_some(document)
    }

    /// The place in the file of a byte of the text.
    pub(crate) fn place(&self, at: usize) -> usize {
        at.saturating_sub(self.before)
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
fn without_document_type(text: &str) -> Result<Cow<'_, str>, XmlRefusal> {
    // One in a text or a comment further down is none.
    let is_element =
        |(at, _): &(usize, &str)| text[at + 1..].starts_with(|c: char| c.is_alphabetic() || c == '_');
    let head = text.match_indices('<').find(is_element).map_or(text.len(), |(at, _)| at);
    let Some(start) = text[..head].find("<!DOCTYPE") else { return Ok(Cow::Borrowed(text)) };
    let end = text[start..].find(['>', '[']).map(|end| start + end);
    match end {
        Some(end) if text.as_bytes()[end] == b'>' => {
            let blank = " ".repeat(end + 1 - start);
            Ok(Cow::Owned(format!("{}{blank}{}", &text[..start], &text[end + 1..])))
        }
        Some(_) | None => {
            let reason = "definitions of entities and elements are not read".to_owned();
            Err(XmlRefusal { at: start, reason })
        }
    }
}

/// The text with comments and instructions that interrupt the text of an element moved behind it, since the parser gives the text up to the
/// first of them; `None` if there are none. Tags stay where they are.
fn behind_texts(text: &str) -> Option<String> {
    let mut instructions = text.match_indices("<?").filter(|(at, _)| !text[*at..].starts_with("<?xml "));
    if !text.contains("<!--") && instructions.next().is_none() {
        return None;
    }
    let mut is_moved = false;
    let mut moved = String::with_capacity(text.len());
    // What stands since the last tag: all of it, its texts, and what interrupts them.
    let (mut start, mut texts, mut aside) = (0, String::new(), String::new());
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let special = [("<!--", "-->", true), ("<?", "?>", true), ("<![CDATA[", "]]>", false)];
        let found = special.iter().find(|(opening, _, _)| rest.starts_with(opening));
        match found {
            Some((_, end, is_aside)) => {
                let length = rest.find(end)? + end.len();
                (if *is_aside { &mut aside } else { &mut texts }).push_str(&rest[..length]);
                at += length;
            }
            None if rest.starts_with('<') => {
                let is_cut = !aside.is_empty() && !texts.trim().is_empty();
                is_moved |= is_cut;
                let between = if is_cut { texts.clone() + &aside } else { text[start..at].to_owned() };
                let length = Tag::new(rest)?.length;
                moved += &between;
                moved += &rest[..length];
                texts.clear();
                aside.clear();
                at += length;
                start = at;
            }
            None => {
                let length = rest.find('<').unwrap_or(rest.len());
                texts.push_str(&rest[..length]);
                at += length;
            }
        }
    }
    moved.push_str(&text[start..]);
    is_moved.then_some(moved)
}

/// Refuses texts that would take the parser long, or deep: looks at tags only, and stops where something is no tag.
fn within_limits(text: &str) -> Result<(), XmlRefusal> {
    let refusal = |at: usize, reason: String| Err(XmlRefusal { at, reason });
    let (mut at, mut depth, mut prefixes) = (0, 0_usize, 0);
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        let rest = &text[start..];
        let special = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">"), ("</", ">")];
        if let Some((opening, end)) = special.iter().find(|(opening, _)| rest.starts_with(opening)) {
            depth -= usize::from(*opening == "</" && depth > 0);
            let Some(length) = rest.find(end) else { return Ok(()) };
            at = start + length + end.len();
            continue;
        }
        let Some(tag) = Tag::new(rest) else { return Ok(()) };
        prefixes += tag.prefixes;
        depth += 1;
        if depth > DEEPEST {
            return refusal(start, format!("elements are nested more than {DEEPEST} deep"));
        }
        if tag.attributes > MOST_ATTRIBUTES {
            return refusal(start, format!("an element has more than {MOST_ATTRIBUTES} attributes"));
        }
        if prefixes > MOST_PREFIXES {
            return refusal(start, format!("more than {MOST_PREFIXES} prefixes are declared"));
        }
        depth -= usize::from(tag.is_empty);
        at = start + tag.length;
    }
    Ok(())
}

/// A first tag: its length, how many attributes it has and how many of them declare prefixes, and whether it is the last too.
struct Tag {
    length: usize,
    attributes: usize,
    prefixes: usize,
    is_empty: bool,
}

impl Tag {
    fn new(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut tag = Tag { length: 0, attributes: 0, prefixes: 0, is_empty: false };
        let mut at = 1;
        loop {
            match bytes.get(at)? {
                b'>' => break,
                quote @ (b'"' | b'\'') => {
                    let length = bytes[at + 1..].iter().position(|byte| byte == quote)?;
                    at += length + 1;
                }
                b'=' => tag.attributes += 1,
                b'x' if bytes[at..].starts_with(b"xmlns") => tag.prefixes += 1,
                _ => {}
            }
            at += 1;
        }
        tag.length = at + 1;
        tag.is_empty = bytes[at - 1] == b'/';
        Some(tag)
    }
}

/// The text inside an element that declares its prefixes.
fn wrapped(text: &str) -> PreparedXml<'static> {
    // A declaration and what stands before the first element may only stand at the start.
    let inside = text.find("?>").filter(|_| text.trim_start().starts_with("<?xml")).map_or(0, |end| end + 2);
    let mut opening = String::from("<fragment");
    for prefix in prefixes(text) {
        opening += &format!(" xmlns:{prefix}=\"{prefix}\"");
    }
    opening.push('>');
    let before = opening.len();
    let blank = " ".repeat(inside);
    let text = Cow::Owned(format!("{opening}{blank}{}</fragment>", &text[inside..]));
    PreparedXml { text, before }
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
        let refusal = match PreparedXml::new(text) {
            Ok(prepared) => prepared.parse().err(),
            Err(refusal) => Some(refusal),
        };
        refusal.map_or("read".to_owned(), |refusal| refusal.reason)
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
        // Deeper and wider than any stack or table.
        assert_eq!(refusal(&"<a>".repeat(3_000_000)), "elements are nested more than 256 deep");
        let wide: String = (0..200_000).map(|number| format!(" a{number}=''")).collect();
        assert_eq!(refusal(&format!("<a{wide}/>")), "an element has more than 1000 attributes");
        let declared: String = (0..20_000).map(|number| format!("<b xmlns:p{number}='u'/>")).collect();
        assert_eq!(refusal(&format!("<a>{declared}</a>")), "more than 10000 prefixes are declared");
        let long = "x".repeat(20_000_000);
        assert_eq!(refusal(&format!("<a b='{long}'>{long}</a>")), "read");
        let entities = "&amp;".repeat(1_000_000);
        assert_eq!(refusal(&format!("<a b='{entities}'>{entities}</a>")), "read");
        assert_eq!(refusal("<a><![CDATA[<!DOCTYPE html [ x ]>]]></a>"), "read");
        assert_eq!(refusal("<!-- <!DOCTYPE a> --><a/>"), "read");
    }

    #[test]
    fn comments_do_not_cut_texts_short() {
        let text = "<?xml version='1.0'?><!-- x --><a><!-- y --><b>x &gt;<!-- c --> <!-- d -->0<?go on?><![CDATA[ & ]]>1</b><!-- z --> <c/>\n</a>";
        let prepared = PreparedXml::new(text).ok().expect("within the limits");
        let document = prepared.parse().ok().expect("well-formed");
        let [b, c] = ["b", "c"]
            .map(|name| document.descendants().find(|node| node.has_tag_name(name)).expect("it is there"));
        assert_eq!(b.text(), Some("x > 0 & 1"));
        assert_eq!(prepared.place(c.range().start), text.find("<c").expect("it is there"));
    }

    #[test]
    fn fragments_are_read() {
        let text = "<a xmi:id='1'/>\n<uml:b xmi:id='2'/>";
        let plain = PreparedXml::new(text).ok().expect("within the limits");
        assert!(plain.parse().is_err());
        let prepared = plain.wrapped();
        let document = prepared.parse_fragment().expect("a fragment");
        let last = document.root_element().last_element_child().expect("two elements");
        assert_eq!(prepared.place(last.range().start), text.find("<uml").expect("it is there"));
    }
}
