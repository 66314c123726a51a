//! Texts of Mermaid diagrams: entities, line breaks, and the character classes of JavaScript's patterns.
//!
//! Mermaid writes a character as `#35;` or `#quot;`. Its lexers end a statement at `#` and `;`, so an entity is hidden
//! from them (here: its two marks become control characters of the same length) and shown again by [`decode`].

/// Stands for the `#` of an entity.
const OPEN: char = '\u{1}';
/// Stands for the `;` of an entity.
const CLOSE: char = '\u{2}';

/// What `\s` means to mermaid's lexers.
pub(crate) fn is_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// What `\w` means to mermaid's lexers.
pub(crate) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// `text` without spaces at its ends, as JavaScript's `trim` has it.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Hides entities from the lexers without changing any position.
pub(crate) fn hide_entities(text: String) -> String {
    if !text.contains('#') {
        return text;
    }
    let mut bytes = text.into_bytes();
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| *byte == b'#') {
        let open = at + found;
        let word = bytes[open + 1..].iter().take_while(|byte| is_word(**byte as char)).count();
        at = open + 1 + word;
        if word > 0 && bytes.get(at) == Some(&b';') {
            bytes[open] = OPEN as u8;
            bytes[at] = CLOSE as u8;
        }
    }
    String::from_utf8(bytes).expect("only ASCII bytes were replaced by ASCII bytes")
}

/// The text as drawn: `<br/>` is a line break, an entity the character it names.
pub(crate) fn decode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', OPEN]) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(length) = line_break(rest) {
            out.push('\n');
            rest = &rest[length..];
        } else if let Some((length, shown)) = entity(rest) {
            out.push_str(&shown);
            rest = &rest[length..];
        } else {
            let length = rest.chars().next().map_or(0, char::len_utf8);
            out.push_str(&rest[..length]);
            rest = &rest[length..];
        }
    }
    out.push_str(rest);
    out
}

/// The same for texts in which `\n` written out is a line break too (state and class diagrams).
pub(crate) fn decode_escapes(text: &str) -> String {
    decode(text).replace("\\n", "\n")
}

/// The length of `<br>`, `<br/>`, `<br />` at the start of `text`, in any case.
fn line_break(text: &str) -> Option<usize> {
    let head = text.get(..3)?;
    let rest = text.get(3..)?.trim_start_matches(is_space);
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    (head.eq_ignore_ascii_case("<br") && rest.starts_with('>')).then(|| text.len() - rest.len() + 1)
}

/// The length of a hidden entity at the start of `text`, and what it shows.
fn entity(text: &str) -> Option<(usize, String)> {
    let name = text.strip_prefix(OPEN)?;
    let name = &name[..name.find(CLOSE)?];
    Some((name.len() + 2, shown(name)))
}

/// What an entity shows; one that no browser knows stays as it would be drawn.
fn shown(name: &str) -> String {
    let number = match name.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => name.parse().ok(),
    };
    let named = || NAMED.iter().find(|(known, _)| *known == name).map(|(_, c)| *c);
    let character = number.and_then(char::from_u32).filter(|c| !c.is_control()).or_else(named);
    character.map_or_else(|| format!("&{name};"), |c| c.to_string())
}

/// Entities by name that diagrams use.
const NAMED: &[(&str, char)] = &[
    ("quot", '"'),
    ("apos", '\''),
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("nbsp", '\u{a0}'),
    ("colon", ':'),
    ("semi", ';'),
    ("comma", ','),
    ("num", '#'),
    ("equals", '='),
    ("plus", '+'),
    ("minus", '−'),
    ("lpar", '('),
    ("rpar", ')'),
    ("lbrack", '['),
    ("rbrack", ']'),
    ("lsqb", '['),
    ("rsqb", ']'),
    ("lbrace", '{'),
    ("rbrace", '}'),
    ("lcub", '{'),
    ("rcub", '}'),
    ("sol", '/'),
    ("bsol", '\\'),
    ("vert", '|'),
    ("verbar", '|'),
    ("percnt", '%'),
    ("commat", '@'),
    ("dollar", '$'),
    ("excl", '!'),
    ("quest", '?'),
    ("ast", '*'),
    ("lowbar", '_'),
    ("hyphen", '‐'),
    ("dash", '‐'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("hellip", '…'),
    ("bull", '•'),
    ("middot", '·'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("copy", '©'),
    ("reg", '®'),
    ("trade", '™'),
    ("sect", '§'),
    ("para", '¶'),
    ("deg", '°'),
    ("micro", 'µ'),
    ("plusmn", '±'),
    ("times", '×'),
    ("divide", '÷'),
    ("le", '≤'),
    ("ge", '≥'),
    ("ne", '≠'),
    ("infin", '∞'),
    ("larr", '←'),
    ("rarr", '→'),
    ("uarr", '↑'),
    ("darr", '↓'),
    ("harr", '↔'),
    ("rArr", '⇒'),
    ("lArr", '⇐'),
    ("hArr", '⇔'),
    ("and", '∧'),
    ("or", '∨'),
    ("not", '¬'),
    ("forall", '∀'),
    ("exist", '∃'),
    ("isin", '∈'),
    ("empty", '∅'),
    ("sum", '∑'),
    ("hearts", '♥'),
    ("check", '✓'),
    ("cross", '✗'),
    ("star", '☆'),
    ("starf", '★'),
    ("euro", '€'),
    ("pound", '£'),
    ("yen", '¥'),
    ("alpha", 'α'),
    ("beta", 'β'),
    ("gamma", 'γ'),
    ("delta", 'δ'),
    ("Delta", 'Δ'),
    ("epsilon", 'ε'),
    ("lambda", 'λ'),
    ("mu", 'μ'),
    ("pi", 'π'),
    ("sigma", 'σ'),
    ("tau", 'τ'),
    ("omega", 'ω'),
    ("Omega", 'Ω'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_shows_what_is_drawn() {
        let read = |text: &str| decode(&hide_entities(text.to_owned()));
        assert_eq!(read("a<br>b<BR />c<br/>d"), "a\nb\nc\nd");
        assert_eq!(read("#35;#quot;#9829;#nosuch;"), "#\"♥&nosuch;");
        assert_eq!(read("a < b #1; c"), "a < b &1; c");
        assert_eq!(read("x <bré"), "x <bré");
    }
}
