//! Colours as users write them, made legible.
//!
//! Diagrams carry colours in the words of their notation: `#LightBlue`, `#f80`, `rgb(200, 220, 255)`, `red;line.bold`,
//! `#red/blue`. What cannot be read is no colour. A colour the user chose for a light page must not drown text on a dark
//! one: areas are mixed into the page, lines and letters moved away from it until they stand out.

use std::fmt;
use std::str::FromStr;

/// A colour without transparency.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Colour {
    red: u8,
    green: u8,
    blue: u8,
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

impl Colour {
    /// The colour `0xrrggbb`.
    pub(crate) const fn new(code: u32) -> Self {
        Self { red: (code >> 16) as u8, green: (code >> 8) as u8, blue: code as u8 }
    }

    /// Reads a colour as users write it; what is transparent shows `page`.
    pub(crate) fn parse(text: &str, page: Colour) -> Option<Self> {
        let text = text.trim();
        let is_call = text.contains('(');
        let end =
            text.find(|c: char| !is_call && !c.is_ascii_alphanumeric() && c != '#').unwrap_or(text.len());
        let word = text[..end].trim();
        let bare = word.strip_prefix('#').unwrap_or(word);
        let parse = |text: &str| svgtypes::Color::from_str(text.trim()).ok();
        let colour = parse(&bare.to_ascii_lowercase()).or_else(|| parse(&format!("#{bare}")))?;
        let own = Self { red: colour.red, green: colour.green, blue: colour.blue };
        Some(page.mix(own, i32::from(colour.alpha) * 100 / 255))
    }

    /// This colour with `percent` of another.
    pub(crate) fn mix(self, other: Colour, percent: i32) -> Self {
        let mix = |own: u8, other: u8| {
            ((i32::from(own) * (100 - percent) + i32::from(other) * percent + 50) / 100) as u8
        };
        Self {
            red: mix(self.red, other.red),
            green: mix(self.green, other.green),
            blue: mix(self.blue, other.blue),
        }
    }

    /// This colour, moved towards `ink` until it stands out from `page` (contrast of at least `contrast`).
    pub(crate) fn legible(self, page: Colour, ink: Colour, contrast: f32) -> Self {
        let candidates = (0..=10).map(|step| self.mix(ink, step * 10));
        candidates.into_iter().find(|colour| colour.contrast(page) >= contrast).unwrap_or(ink)
    }

    /// The better of two inks on this colour.
    pub(crate) fn ink(self, dark: Colour, light: Colour) -> Self {
        if dark.contrast(self) >= light.contrast(self) { dark } else { light }
    }

    /// Contrast of two colours, from 1 to 21 (WCAG 2.1, relative luminance).
    pub(crate) fn contrast(self, other: Colour) -> f32 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn luminance(self) -> f32 {
        let linear = |channel: u8| {
            let value = f32::from(channel) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.red) + 0.7152 * linear(self.green) + 0.0722 * linear(self.blue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_as_users_write_them() {
        let white = Colour::new(0xff_ffff);
        let check = |text: &str, expected: &str| {
            assert_eq!(
                Colour::parse(text, white).map(|colour| colour.to_string()).unwrap_or_default(),
                expected
            );
        };
        check("#LightBlue", "#add8e6");
        check("red;line.bold", "#ff0000");
        check("#f80", "#ff8800");
        check("#red/blue", "#ff0000");
        check("rgb(200, 220, 255)", "#c8dcff");
        check("rgba(0, 0, 255, 0.5)", "#8080ff");
        check("AABBCC", "#aabbcc");
        check("nonsense", "");
    }

    #[test]
    fn faint_colours_become_legible() {
        let (white, black) = (Colour::new(0xff_ffff), Colour::new(0));
        let yellow = Colour::new(0xff_ff00);
        assert!(yellow.legible(white, black, 3.0).contrast(white) >= 3.0);
        assert_eq!(black.legible(white, black, 3.0), black);
    }
}
