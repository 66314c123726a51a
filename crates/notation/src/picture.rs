//! Pictures that carry the diagram they show: SVG in a `metadata` element, PNG in a text chunk (`iTXt`, PNG specification 11.3.3.4).
//! `sequent render` writes them; here the text is found again.

/// The attribute of the `metadata` element that says that it holds the text, and the keyword of the chunk.
pub const MARK: &str = "sequent-source";

/// A diagram inside of a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Carried {
    /// The name of the file that it stood in, without its folder.
    pub file: String,
    /// The diagram as it was written.
    pub text: String,
}

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Whether a name is that of a picture.
pub fn has_ending(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    matches!(ending.as_deref(), Some("svg" | "png"))
}

/// The diagram that a picture carries; `None` if it carries none.
pub fn carried(bytes: &[u8]) -> Option<Carried> {
    match bytes.strip_prefix(SIGNATURE) {
        Some(chunks) => in_chunks(chunks),
        None => in_metadata(std::str::from_utf8(bytes).ok()?),
    }
}

fn in_metadata(text: &str) -> Option<Carried> {
    let options = roxmltree::ParsingOptions { nodes_limit: 1 << 20, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(text, options).ok()?;
    let is_source = |node: &roxmltree::Node<'_, '_>| {
        node.has_tag_name(("http://www.w3.org/2000/svg", "metadata")) && node.attribute("id") == Some(MARK)
    };
    let found = document.descendants().find(is_source)?;
    let text = found.children().filter_map(|child| child.text()).collect();
    Some(Carried { file: found.attribute("data-file").unwrap_or_default().to_owned(), text })
}

/// Chunks are a length, a name of four letters, that number of bytes and a checksum.
fn in_chunks(mut rest: &[u8]) -> Option<Carried> {
    loop {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (name, after) = after.split_first_chunk::<4>()?;
        let content = after.get(..length)?;
        if name == b"iTXt"
            && let Some(found) = in_text(content)
        {
            return Some(found);
        }
        rest = after.get(length.checked_add(4)?..)?;
    }
}

/// A text chunk: the keyword, whether and how it is packed, its language, the keyword in it, the text.
fn in_text(content: &[u8]) -> Option<Carried> {
    let mut parts = content.splitn(2, |byte| *byte == 0);
    let (keyword, rest) = (parts.next()?, parts.next()?);
    let [0, _, rest @ ..] = rest else { return None };
    let mut parts = rest.splitn(3, |byte| *byte == 0);
    let (_, file, text) = (parts.next()?, parts.next()?, parts.next()?);
    let read = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
    (keyword == MARK.as_bytes()).then_some(Carried { file: read(file)?, text: read(text)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_pictures_carry_nothing() {
        let svg = |inside: &str| format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{inside}</svg>");
        assert_eq!(carried(svg("<metadata>a</metadata>").as_bytes()), None);
        assert_eq!(carried(b"<svg"), None);
        assert_eq!(carried(&[SIGNATURE, &[255; 9]].concat()), None);
        assert_eq!(carried(SIGNATURE), None);
        let own = svg("<metadata id=\"sequent-source\" data-file=\"a.puml\">a -&gt; b&#13;\n</metadata>");
        let expected = Carried { file: "a.puml".to_owned(), text: "a -> b\r\n".to_owned() };
        assert_eq!(carried(own.as_bytes()), Some(expected));
    }
}
