//! XML with all its bytes: every element knows where its tags, attributes and the blanks around them stand.
//!
//! What merges and compares models writes them back as they were, byte for byte, apart from what changed. A [`XmlDocument`] is made only of
//! text that the reader of models accepts (well-formed, no definitions of entities, not too deep), so the scanner here need not know
//! what is allowed where.

use std::ops::Range;

use sequent_kernel::id;
use sequent_kernel::id::IdVec;

use super::xml::PreparedXml;

id! {
    /// A node of a document.
    NodeId
}

/// A text and its nodes.
#[derive(Clone, Debug)]
pub struct XmlDocument<'t> {
    /// The text.
    pub text: &'t str,
    /// The elements, comments and texts, outer before inner.
    pub nodes: IdVec<NodeId, XmlNode>,
    /// The outermost element.
    pub root: NodeId,
}

/// An element, or what stands between elements and is no blank.
#[derive(Clone, Debug)]
pub struct XmlNode {
    /// The element around it.
    pub parent: Option<NodeId>,
    /// The blanks before it.
    pub lead: Range<usize>,
    /// All of it, without the blanks before it.
    pub whole: Range<usize>,
    /// What an element consists of; `None` for comments, instructions and text beside elements.
    pub element: Option<ElementParts>,
}

/// The parts of an element.
#[derive(Clone, Debug)]
pub struct ElementParts {
    /// Its tag with prefix.
    pub tag: Range<usize>,
    /// Its attributes.
    pub attributes: Vec<XmlAttribute>,
    /// The first tag, `<` to `>`.
    pub opening: Range<usize>,
    /// What stands behind the last attribute in the first tag: blanks, `>` or `/>`.
    pub opening_end: Range<usize>,
    /// What stands between the tags; `None` for `<a/>`.
    pub content: Option<Range<usize>>,
    /// Elements and other nodes inside. Text in an element without elements is its content alone.
    pub children: Vec<NodeId>,
    /// The blanks before the last tag.
    pub tail: Range<usize>,
}

/// An attribute.
#[derive(Clone, Debug)]
pub struct XmlAttribute {
    /// With the blanks before it, up to its second quote.
    pub whole: Range<usize>,
    /// Its name with prefix.
    pub name: Range<usize>,
    /// What stands between the quotes.
    pub value: Range<usize>,
}

impl<'t> XmlDocument<'t> {
    /// The nodes of a text, or why it is not read.
    pub fn new(text: &'t str) -> Result<Self, String> {
        let prepared = PreparedXml::new(text).map_err(|refusal| refusal.reason)?;
        if let Err(refusal) = prepared.parse() {
            let is_fragment = prepared.wrapped().parse_fragment().is_some();
            let several = "there are several elements beside each other".to_owned();
            return Err(if is_fragment { several } else { refusal.reason });
        }
        let mut scanner =
            Scanner { text, at: 0, nodes: IdVec::new(), open: Vec::new(), root: None, lead: 0..0 };
        scanner.scan().ok_or("the document is cut off")?;
        let root = scanner.root.ok_or("there is no element")?;
        Ok(XmlDocument { text, nodes: scanner.nodes, root })
    }

    /// A part of the text.
    pub fn part(&self, range: &Range<usize>) -> &'t str {
        &self.text[range.clone()]
    }

    /// The element that a node is.
    pub fn element(&self, node: NodeId) -> Option<&ElementParts> {
        self.nodes[node].element.as_ref()
    }

    /// The tag of an element without prefix; empty for other nodes.
    pub fn tag(&self, node: NodeId) -> &'t str {
        let tag = self.element(node).map_or("", |element| self.part(&element.tag));
        local(tag)
    }

    /// The value of an attribute as written, by its name without prefix.
    pub fn attribute(&self, node: NodeId, name: &str) -> Option<&'t str> {
        let mut all = self.element(node)?.attributes.iter();
        let found = all.find(|attribute| local(self.part(&attribute.name)) == name)?;
        Some(self.part(&found.value))
    }

    /// The id of an element: `xmi:id`, or `xmi.id` in XMI 1.
    pub fn id(&self, node: NodeId) -> Option<&'t str> {
        let mut all = self.element(node)?.attributes.iter();
        let found = all.find(|attribute| {
            let name = self.part(&attribute.name);
            name == "xmi.id"
                || name.rsplit_once(':').is_some_and(|(prefix, name)| name == "id" && prefix != "xml")
        })?;
        Some(self.part(&found.value)).filter(|value| !value.is_empty())
    }

    /// Whether an element stands for another.
    pub fn is_reference(&self, node: NodeId) -> bool {
        ["idref", "xmi.idref", "href"].iter().any(|name| self.attribute(node, name).is_some())
    }

    /// The UML type of an element as written, without prefix, else its tag.
    pub fn kind(&self, node: NodeId) -> &'t str {
        let written = self.attribute(node, "type").filter(|kind| kind.contains(':'));
        written.map_or_else(|| self.tag(node), local)
    }

    /// The line of a byte, from 1.
    pub fn line(&self, at: usize) -> usize {
        1 + self.text[..at].matches('\n').count()
    }
}

/// A name without its prefix.
fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    nodes: IdVec<NodeId, XmlNode>,
    open: Vec<NodeId>,
    root: Option<NodeId>,
    /// The blanks since the last node.
    lead: Range<usize>,
}

impl Scanner<'_> {
    fn scan(&mut self) -> Option<()> {
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            if rest.starts_with("</") {
                self.close()?;
            } else if rest.starts_with("<!--") {
                self.other("-->")?;
            } else if rest.starts_with("<![CDATA[") {
                self.other("]]>")?;
            } else if rest.starts_with("<?") {
                self.other("?>")?;
            } else if rest.starts_with("<!") {
                self.other(">")?;
            } else if rest.starts_with('<') {
                self.open()?;
            } else {
                self.characters();
            }
        }
        self.open.is_empty().then_some(())
    }

    fn node(&mut self, whole: Range<usize>, element: Option<ElementParts>) -> NodeId {
        let parent = self.open.last().copied();
        let lead = std::mem::replace(&mut self.lead, whole.end..whole.end);
        let id = self.nodes.push(XmlNode { parent, lead, whole, element });
        match parent.and_then(|parent| self.nodes[parent].element.as_mut()) {
            Some(around) => around.children.push(id),
            None => self.root = self.root.or(self.nodes[id].element.is_some().then_some(id)),
        }
        id
    }

    fn other(&mut self, end: &str) -> Option<()> {
        let start = self.at;
        self.at += self.text[start..].find(end)? + end.len();
        self.node(start..self.at, None);
        Some(())
    }

    /// Text: blanks around it belong to no node.
    fn characters(&mut self) {
        let start = self.at;
        self.at += self.text[start..].find('<').unwrap_or(self.text.len() - start);
        let text = &self.text[start..self.at];
        let is_blank = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
        let inside = text.trim_matches(is_blank);
        if inside.is_empty() {
            self.lead = self.lead.start..self.at;
            return;
        }
        let from = start + (text.len() - text.trim_start_matches(is_blank).len());
        self.lead = self.lead.start..from;
        self.node(from..from + inside.len(), None);
        self.lead = from + inside.len()..self.at;
    }

    fn open(&mut self) -> Option<()> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let is_blank = |at: usize| matches!(bytes.get(at), Some(b' ' | b'\t' | b'\r' | b'\n'));
        let mut at = start + 1;
        while !is_blank(at) && !matches!(bytes.get(at)?, b'/' | b'>') {
            at += 1;
        }
        let tag = start + 1..at;
        let mut attributes = Vec::new();
        let (opening_end, is_empty) = loop {
            let before = at;
            while is_blank(at) {
                at += 1;
            }
            match bytes.get(at)? {
                b'>' => break (before..at + 1, false),
                b'/' => break (before..at + 2, true),
                _ => {}
            }
            let name = at;
            while !is_blank(at) && *bytes.get(at)? != b'=' {
                at += 1;
            }
            let name = name..at;
            at += self.text[at..].find(['"', '\''])?;
            let quote = char::from(bytes[at]);
            let value = at + 1..at + 1 + self.text[at + 1..].find(quote)?;
            at = value.end + 1;
            attributes.push(XmlAttribute { whole: before..at, name, value });
        };
        self.at = opening_end.end;
        let opening = start..self.at;
        let content = (!is_empty).then_some(self.at..self.at);
        let tail = self.at..self.at;
        let element = ElementParts {
            tag,
            attributes,
            opening: opening.clone(),
            opening_end,
            content,
            children: Vec::new(),
            tail,
        };
        let id = self.node(opening, Some(element));
        if !is_empty {
            self.open.push(id);
        }
        Some(())
    }

    fn close(&mut self) -> Option<()> {
        let id = self.open.pop()?;
        let start = self.at;
        self.at += self.text[start..].find('>')? + 1;
        let tail = std::mem::replace(&mut self.lead, self.at..self.at);
        let node = &mut self.nodes[id];
        node.whole.end = self.at;
        let element = node.element.as_mut()?;
        element.content = element.content.as_ref().map(|content| content.start..start);
        element.tail = tail.start.min(start)..start;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The document written from its nodes.
    fn written(document: &XmlDocument, node: NodeId) -> String {
        let XmlNode { lead, whole, element, .. } = &document.nodes[node];
        let mut text = document.part(lead).to_owned();
        let Some(element) = element else { return text + document.part(whole) };
        text += &format!("<{}", document.part(&element.tag));
        element.attributes.iter().for_each(|one| text += document.part(&one.whole));
        text += document.part(&element.opening_end);
        element.children.iter().for_each(|child| text += &written(document, *child));
        text += document.part(&element.tail);
        if let Some(content) = &element.content {
            text += document.part(&(content.end..whole.end));
        }
        text
    }

    #[test]
    fn every_byte_belongs_to_a_node() {
        let text = "<?xml version='1.0'?>\n<!-- a > b -->\n<x:M  a = 'q\">' xmlns:x='x' xmlns:xmi='y' xmi:id=\"_1\" >\n  text <b/> more\n\
                    <c d='&lt;'\t/><![CDATA[ <e> ]]><f></f> <g> h </g >\n</x:M>";
        let document = XmlDocument::new(text).expect("well-formed");
        let root = &document.nodes[document.root];
        assert_eq!(
            format!("{}{}", document.part(&(0..root.lead.start)), written(&document, document.root)),
            text
        );
        assert_eq!((document.tag(document.root), document.id(document.root)), ("M", Some("_1")));
        let children = &document.element(document.root).expect("an element").children;
        let parts: Vec<&str> = children.iter().map(|id| document.part(&document.nodes[*id].whole)).collect();
        assert_eq!(
            parts,
            ["text", "<b/>", "more", "<c d='&lt;'\t/>", "<![CDATA[ <e> ]]>", "<f></f>", "<g> h </g >"]
        );
        assert_eq!(
            document.element(children[3]).map(|c| document.part(&c.attributes[0].value)),
            Some("&lt;")
        );
    }

    #[test]
    fn what_the_reader_refuses_is_refused() {
        for text in ["", "<a>", "<a></b>", "<a/><b/>", "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "text"] {
            assert!(XmlDocument::new(text).is_err(), "{text}");
        }
    }
}
