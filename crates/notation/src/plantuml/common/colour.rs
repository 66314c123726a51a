//! Colours: which ones PlantUML knows.
//!
//! A colour is `#` and a name, 1, 3, 6 or 8 hexadecimal digits, two of them joined by `-`, `/`, `\` or `|` (a gradient), or
//! a list of attributes (`#pink;line:red;line.bold`). A name that is none of these makes PlantUML refuse the whole
//! diagram, hence E110.

use sequent_kernel::diagnostic::{Code, Diagnostic, nearest};
use sequent_kernel::source::Span;

use super::scan::{Scan, is_word};

/// Takes a colour if one is next: the text with its `#`.
pub fn take<'a>(scan: &mut Scan<'a>) -> Option<&'a str> {
    let rest = scan.rest();
    let inside = rest.strip_prefix('#')?;
    let length = attributes(inside).or_else(|| plain(inside))?;
    Some(scan.take(1 + length))
}

/// The length of `\w+[-\|/]?\w+`: at least two characters in all.
fn plain(text: &str) -> Option<usize> {
    let first = ascii_word(text);
    if first == 0 {
        return None;
    }
    let after = &text[first..];
    let second = after.strip_prefix(['-', '\\', '|', '/']).map_or(0, ascii_word);
    match second {
        0 if first < 2 => None,
        0 => Some(first),
        second => Some(first + 1 + second),
    }
}

fn ascii_word(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
}

const ATTRIBUTES: [&str; 8] =
    ["text", "back", "header", "line.dashed", "line.dotted", "line.bold", "line", "shadowing"];

/// The length of `colour;line:red;text:blue`, where the colour is optional and at least one attribute is not.
fn attributes(text: &str) -> Option<usize> {
    let mut at = match plain(text) {
        Some(length) if text[length..].starts_with(';') => length + 1,
        Some(_) | None => 0,
    };
    let start = at;
    while let Some(length) = attribute(&text[at..]) {
        at += length;
        if !text[..at].ends_with(';') {
            break;
        }
    }
    (at > start).then_some(at)
}

/// The length of one attribute with its value and the `;` after it.
fn attribute(text: &str) -> Option<usize> {
    let is_next = |name: &&str| text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let name = ATTRIBUTES.iter().find(|name| is_next(name))?;
    let after = &text[name.len()..];
    let value = after.strip_prefix(':').and_then(plain).map_or(0, |length| 1 + length);
    let length = name.len() + value;
    match text[length..].chars().next() {
        Some(';') => Some(length + 1),
        Some(c) if is_word(c) || matches!(c, ':' | '.') => None,
        Some(_) | None => Some(length),
    }
}

/// Complains if `colour` (with or without `#`) is none that PlantUML knows.
pub fn check(colour: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) {
    let unknown = colour.split(';').map(|part| part.trim_start_matches('#')).find(|part| !is_part(part));
    let Some(unknown) = unknown else { return };
    let complaint = Diagnostic::new(Code::UnknownColour, span, format!("unknown colour `{unknown}`"));
    diagnostics.push(match nearest(unknown, NAMES.iter().copied()) {
        Some(name) => complaint.meant(unknown, name).hint(format!("did you mean `#{name}`?")),
        None => complaint.hint("a colour is an HTML name or hexadecimal digits: `#LightBlue`, `#A0C4FF`"),
    });
}

/// Whether one part of a colour list is all right; attributes with values are never refused.
fn is_part(part: &str) -> bool {
    part.is_empty() || part.contains(['.', ':']) || is_known(part)
}

/// Whether PlantUML knows the colour, written without `#`.
pub fn is_known(colour: &str) -> bool {
    let special = ["transparent", "background", "automatic"];
    if special.iter().any(|word| colour.eq_ignore_ascii_case(word)) || is_simple(colour) {
        return true;
    }
    if let Some(scheme) = colour.strip_prefix('?') {
        return matches!(scheme.split(':').count(), 2 | 3) && scheme.split(':').all(is_simple);
    }
    let joints = colour.char_indices().filter(|(_, c)| matches!(c, '-' | '\\' | '|' | '/'));
    joints.into_iter().any(|(at, _)| is_simple(&colour[..at]) && is_simple(&colour[at + 1..]))
}

fn is_simple(colour: &str) -> bool {
    let colour = colour.strip_prefix('#').unwrap_or(colour);
    let is_hex = colour.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_hex && matches!(colour.len(), 1 | 3 | 6 | 8))
        || NAMES.iter().any(|name| name.eq_ignore_ascii_case(colour))
}

/// The names PlantUML knows: those of HTML, and its own for Archimate.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "AliceBlue", "AntiqueWhite", "APPLICATION", "Aqua", "Aquamarine", "Azure", "Beige", "Bisque", "Black",
    "BlanchedAlmond", "Blue", "BlueViolet", "Brown", "BurlyWood", "BUSINESS", "CadetBlue", "Chartreuse",
    "Chocolate", "Coral", "CornflowerBlue", "Cornsilk", "Crimson", "Cyan", "DarkBlue", "DarkCyan",
    "DarkGoldenRod", "DarkGray", "DarkGreen", "DarkGrey", "DarkKhaki", "DarkMagenta", "DarkOliveGreen",
    "Darkorange", "DarkOrchid", "DarkRed", "DarkSalmon", "DarkSeaGreen", "DarkSlateBlue", "DarkSlateGray",
    "DarkSlateGrey", "DarkTurquoise", "DarkViolet", "DeepPink", "DeepSkyBlue", "DimGray", "DimGrey",
    "DodgerBlue", "FireBrick", "FloralWhite", "ForestGreen", "Fuchsia", "Gainsboro", "GhostWhite", "Gold",
    "GoldenRod", "Gray", "Green", "GreenYellow", "Grey", "HoneyDew", "HotPink", "IMPLEMENTATION",
    "IndianRed", "Indigo", "Ivory", "Khaki", "Lavender", "LavenderBlush", "LawnGreen", "LemonChiffon",
    "LightBlue", "LightCoral", "LightCyan", "LightGoldenRodYellow", "LightGray", "LightGreen",
    "LightGrey", "LightPink", "LightSalmon", "LightSeaGreen", "LightSkyBlue", "LightSlateGray",
    "LightSlateGrey", "LightSteelBlue", "LightYellow", "Lime", "LimeGreen", "Linen", "Magenta", "Maroon",
    "MediumAquaMarine", "MediumBlue", "MediumOrchid", "MediumPurple", "MediumSeaGreen", "MediumSlateBlue",
    "MediumSpringGreen", "MediumTurquoise", "MediumVioletRed", "MidnightBlue", "MintCream", "MistyRose",
    "Moccasin", "MOTIVATION", "NavajoWhite", "Navy", "OldLace", "Olive", "OliveDrab", "Orange",
    "OrangeRed", "Orchid", "PaleGoldenRod", "PaleGreen", "PaleTurquoise", "PaleVioletRed", "PapayaWhip",
    "PeachPuff", "Peru", "PHYSICAL", "Pink", "Plum", "PowderBlue", "Purple", "Red", "RosyBrown",
    "RoyalBlue", "SaddleBrown", "Salmon", "SandyBrown", "SeaGreen", "SeaShell", "Sienna", "Silver",
    "SkyBlue", "SlateBlue", "SlateGray", "SlateGrey", "Snow", "SpringGreen", "SteelBlue", "STRATEGY",
    "Tan", "Teal", "TECHNOLOGY", "Thistle", "Tomato", "Turquoise", "Violet", "Wheat", "White",
    "WhiteSmoke", "Yellow", "YellowGreen",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_colours() {
        for colour in
            ["LightBlue", "lightblue", "FFF", "A0B1C2", "A0B1C2D3", "red/blue", "red-green", "transparent"]
        {
            assert!(is_known(colour), "{colour}");
        }
        for colour in ["lightbleu", "GG", "FFFF", "red/", ""] {
            assert!(!is_known(colour), "{colour}");
        }
    }

    #[test]
    fn colours_end_where_they_end() {
        let take = |text| take(&mut Scan::new(text));
        assert_eq!(take("#red : text"), Some("#red"));
        assert_eq!(take("#red/blue x"), Some("#red/blue"));
        assert_eq!(take("#pink;line:red;line.bold;text:red x"), Some("#pink;line:red;line.bold;text:red"));
        assert_eq!(take("#line:green;back:lightblue"), Some("#line:green;back:lightblue"));
        assert_eq!(take("# red"), None);
        assert_eq!(take("#a"), None);
    }
}
