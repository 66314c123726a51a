//! Heads of lifelines that stay visible where an SVG file is opened by itself in a browser.
//!
//! SVG knows no `position: sticky`, so a script moves a copy of the heads along. It is inert in an `<img>` and within other
//! pages, loads nothing, and is written only on request: sites that show SVG of strangers may refuse files with scripts.

const SCRIPT: &str = include_str!("moving.js");

/// An SVG file with heads that move along; the same file if it has none.
pub fn moving_heads(svg: &str) -> String {
    match svg.rsplit_once("</svg>") {
        Some((inside, rest)) if svg.contains("class=\"head\"") => {
            format!("{inside}<script><![CDATA[\n{SCRIPT}]]></script>\n</svg>{rest}")
        }
        _ => svg.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::sample::sample;
    use crate::draw::{Style, svg};

    #[test]
    fn only_what_has_heads_gets_a_script() {
        let drawn = svg(&sample("a -> b : x"), &Style::default());
        let moving = moving_heads(&drawn);
        assert!(moving.ends_with("]]></script>\n</svg>\n") && moving.starts_with(&drawn[..drawn.len() - 8]));
        assert!(!SCRIPT.contains("]]>"));
        assert_eq!(moving_heads("<svg></svg>\n"), "<svg></svg>\n");
    }
}
