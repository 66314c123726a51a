//! Packs the fonts that go into the program: they would be 1.3 MB, and are 0.8.
//!
//! Each is deflated on its own, as most drawings need one or two of them (`draw::metrics` unpacks them).

use std::path::Path;
use std::{env, fs};

/// How hard to pack: the most that takes no more than a second in a build without optimisation.
const LEVEL: u8 = 8;

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var_os("OUT_DIR").expect("cargo names the folder for what a build makes");
    let fonts = [
        ("regular", notosans::REGULAR_TTF),
        ("bold", notosans::BOLD_TTF),
        ("italic", notosans::ITALIC_TTF),
        ("mono", epaint_default_fonts::HACK_REGULAR),
        ("emoji", epaint_default_fonts::NOTO_EMOJI_REGULAR),
    ];
    for (name, bytes) in fonts {
        fs::write(Path::new(&folder).join(name), miniz_oxide::deflate::compress_to_vec(bytes, LEVEL))?;
    }
    Ok(())
}
