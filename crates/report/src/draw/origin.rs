//! Pictures carry the diagram that they show, so that it can be read again from the picture alone: SVG in a `metadata`
//! element, PNG in a text chunk (`iTXt`, PNG specification 11.3.3.4), neither of which is seen.

use std::fmt::Write;

use crate::escape;

/// Where a picture comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PictureOrigin {
    /// What says that something is the text of a diagram: an attribute in SVG, a keyword in PNG.
    pub mark: &'static str,
    /// The name of the file, without its folder.
    pub file: String,
    /// The diagram as it was written.
    pub text: String,
}

/// Pictures do not carry diagrams longer than this, in bytes.
const LONGEST: usize = 1 << 18;

/// What ends the description of every drawing; the text follows it.
const AFTER: &str = "</desc>\n";

/// The bytes before the first chunk, and those of that chunk, which is always the header.
const HEADER: usize = 8 + 4 + 4 + 13 + 4;

impl PictureOrigin {
    /// A drawing that carries its origin, unless the diagram is too long.
    pub fn add_to_svg(&self, mut svg: String) -> String {
        if self.text.len() > LONGEST {
            return svg;
        }
        let at = svg.find(AFTER).map(|at| at + AFTER.len());
        let (file, text) = (xml(&self.file), xml(&self.text));
        let element = format!("<metadata id=\"{}\" data-file=\"{file}\">{text}</metadata>\n", self.mark);
        if let Some(at) = at {
            svg.insert_str(at, &element);
        }
        svg
    }

    /// A picture that carries its origin, unless the diagram is too long.
    pub fn add_to_png(&self, mut png: Vec<u8>) -> Vec<u8> {
        if self.text.len() > LONGEST {
            return png;
        }
        // Neither packed nor in a language; the keyword in that language is the name of the file.
        let file = self.file.replace('\0', "");
        let content =
            [self.mark.as_bytes(), &[0, 0, 0, 0], file.as_bytes(), &[0], self.text.as_bytes()].concat();
        let Ok(length) = u32::try_from(content.len()) else { return png };
        let named = [b"iTXt", content.as_slice()].concat();
        let chunk = [&length.to_be_bytes(), named.as_slice(), &checksum(&named).to_be_bytes()].concat();
        let at = HEADER.min(png.len());
        png.splice(at..at, chunk);
        png
    }
}

/// Text as it is, for XML; what XML cannot hold is replaced.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match (escape::entity(character), character) {
            (Some(entity), _) => out.push_str(entity),
            (None, '\n' | '\t') => out.push(character),
            (None, '\r') => out.push_str("&#13;"),
            (None, '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            // Characters that turn the direction of text would show the file otherwise than it is.
            (None, hidden) if escape::is_hidden(hidden) => {
                let _ = write!(out, "&#{};", u32::from(hidden));
            }
            (None, other) => out.push(other),
        }
    }
    out
}

/// CRC-32 as PNG has it (ISO 3309).
fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 };
        }
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stay_what_they_are() {
        assert_eq!(checksum(b"IEND"), 0xae42_6082, "as at the end of every PNG file");
        let origin =
            PictureOrigin { mark: "m", file: "a.puml".to_owned(), text: "a -> b : \"<&>\"\r\n".to_owned() };
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='3' height='3'>\n<desc>d</desc>\n</svg>";
        let carrying = origin.add_to_svg(svg.to_owned());
        assert!(carrying.contains(
            "<metadata id=\"m\" data-file=\"a.puml\">a -&gt; b : &quot;&lt;&amp;&gt;&quot;&#13;\n</metadata>"
        ));
        let png = crate::draw::png(&carrying, 1.0).expect("it is drawn");
        let longer = origin.add_to_png(png.clone());
        assert_eq!(
            (longer[..HEADER].to_vec(), longer[longer.len() - 12..].to_vec()),
            (png[..HEADER].to_vec(), png[png.len() - 12..].to_vec())
        );
        assert!(longer.len() > png.len() + origin.text.len());
    }
}
