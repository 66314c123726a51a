//! SVG to PNG.
//!
//! The same file that browsers show, rendered with the fonts it was measured with, so that the picture is the same
//! everywhere. What these fonts lack is drawn with further ones, if the caller has some.

use std::fmt;
use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

use crate::draw::metrics::bundled;

/// Why a picture could not be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PngError {
    /// The text is no SVG drawing.
    Unreadable(String),
    /// The picture would have this many pixels, more than can be held.
    TooLarge(u64),
    /// The picture could not be encoded.
    Unwritable(String),
}

impl fmt::Display for PngError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PngError::Unreadable(reason) => write!(f, "not an SVG drawing: {reason}"),
            PngError::TooLarge(pixels) => {
                write!(f, "the picture would have {pixels} pixels; try a smaller scale, or SVG")
            }
            PngError::Unwritable(reason) => write!(f, "the picture cannot be encoded: {reason}"),
        }
    }
}

impl std::error::Error for PngError {}

/// The largest picture made: 400 million pixels, 1.6 GB while it is drawn.
const MOST_PIXELS: u64 = 400_000_000;

/// Renders an SVG drawing, `scale` pixels for each of its own.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    png_with(svg, scale, &[])
}

/// The same with further fonts for what the bundled ones lack.
pub fn png_with(svg: &str, scale: f32, further: &[Vec<u8>]) -> Result<Vec<u8>, PngError> {
    static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| Arc::new(fonts()));
    let mut fontdb = FONTS.clone();
    further.iter().for_each(|font| Arc::make_mut(&mut fontdb).load_font_data(font.clone()));
    let options = Options { fontdb, ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| PngError::Unreadable(error.to_string()))?;
    let side = |length: f32| (length * scale).ceil().max(1.0) as u32;
    let (width, height) = (side(tree.size().width()), side(tree.size().height()));
    let pixels = u64::from(width) * u64::from(height);
    let canvas = if pixels > MOST_PIXELS { None } else { Pixmap::new(width, height) };
    let mut canvas = canvas.ok_or(PngError::TooLarge(pixels))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut canvas.as_mut());
    canvas.encode_png().map_err(|error| PngError::Unwritable(error.to_string()))
}

fn fonts() -> Database {
    let mut fonts = Database::new();
    bundled().into_iter().for_each(|bytes| fonts.load_font_data(bytes.to_vec()));
    fonts.set_sans_serif_family("Noto Sans");
    fonts.set_monospace_family("Hack");
    fonts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_the_size_asked_for() {
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='10'/>";
        let bytes = png(svg, 2.0).expect("it is drawn");
        assert_eq!(bytes[..8], [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a]);
        assert_eq!(bytes[16..24], [0, 0, 0, 60, 0, 0, 0, 20]);
        assert!(matches!(png("text", 1.0), Err(PngError::Unreadable(_))));
        assert!(matches!(png(svg, 1e6), Err(PngError::TooLarge(_))));
    }
}
