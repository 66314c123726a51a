//! Pictures with the fonts of this machine, where the bundled ones lack a character.
//!
//! Bundled fonts draw the same picture everywhere, but know no Chinese, Japanese or Korean. Characters that they lack are looked
//! for in the usual folders; those that no font has are told, because the picture shows boxes in their place.

use std::collections::BTreeSet;
use std::path::PathBuf;

use ignore::WalkBuilder;
use sequent_report::draw;
use sequent_report::draw::metrics::{covered, missing};

use crate::output;

/// Where systems keep fonts.
const FOLDERS: [&str; 6] = [
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "/opt/homebrew/share/fonts",
    "C:\\Windows\\Fonts",
];

/// The number of files that are looked into at most.
const MOST_FILES: usize = 2_000;

/// Longer files are no fonts that are worth their time.
const LONGEST: u64 = 64 << 20;

/// More characters than this are not named.
const MOST_NAMED: usize = 8;

/// An SVG drawing as PNG.
pub(crate) fn png(svg: &str, scale: f32) -> Result<Vec<u8>, String> {
    let mut left = missing(svg);
    let further = if left.is_empty() { Vec::new() } else { find(&mut left) };
    if !left.is_empty() {
        let named: Vec<String> = left.iter().take(MOST_NAMED).map(char::to_string).collect();
        let more = left.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        output::complain(&format!(
            "no font on this machine has {}{more}: the picture shows boxes there; an SVG leaves it to its viewer",
            named.join(" ")
        ));
    }
    draw::png_with(svg, scale, &further).map_err(|error| error.to_string())
}

/// Fonts that have some of these characters, which are taken away.
fn find(left: &mut BTreeSet<char>) -> Vec<Vec<u8>> {
    let own = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share/fonts"));
    let folders = FOLDERS.iter().map(PathBuf::from).chain(own).filter(|folder| folder.is_dir());
    let files =
        folders.flat_map(|folder| WalkBuilder::new(folder).sort_by_file_path(std::path::Path::cmp).build());
    let fonts = files.flatten().map(|entry| entry.into_path()).filter(|path| {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        matches!(ending.as_deref(), Some("ttf" | "otf" | "ttc" | "otc"))
            && path.metadata().is_ok_and(|known| known.len() <= LONGEST)
    });
    let mut found = Vec::new();
    for path in fonts.take(MOST_FILES) {
        if left.is_empty() {
            break;
        }
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let known = covered(&bytes, left);
        if !known.is_empty() {
            left.retain(|c| !known.contains(c));
            found.push(bytes);
        }
    }
    found
}
