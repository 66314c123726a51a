//! Makes a draft of three versions of a file.

use std::collections::BTreeMap;

use sequent_notation::Loader;

use super::bisect;
use super::reread;
use super::text::{ChunkLayout, MergeDraft};
use super::xmi;
use crate::merge::matching::apply_renames;
use crate::merge::options::VersionFiles;
use crate::merge::read::{BlockTree, Piece, SectionKind, TextFormat, decode, pieces};
use crate::merge::threeway::{ConflictExtent, merge_file, merge_lines};

/// The reason for a conflict about a part that could be merged by itself.
const UNFIT: &str = "both sides changed this, and together it does not fit";

/// The reason for a conflict about a part that the machines refuse.
const UNFOLLOWED: &str = "the state machines cannot follow what was changed here";

/// The texts of three versions.
struct Texts {
    /// `None` for an empty file, which has no line.
    texts: [Option<String>; 3],
    format: TextFormat,
    is_utf8: bool,
}

impl Texts {
    fn of(files: &VersionFiles<'_>) -> Texts {
        let all = [files.base, files.ours, files.theirs];
        let is_utf8 = all.iter().all(|bytes| std::str::from_utf8(bytes).is_ok());
        let decoded = all.map(|bytes| (!bytes.is_empty()).then(|| decode(bytes, is_utf8)));
        let [base, ours, theirs] = decoded.each_ref().map(|one| one.as_ref().map(|(_, format)| *format));
        let format = TextFormat::merged(base, ours, theirs);
        Texts { texts: decoded.map(|one| one.map(|(text, _)| text)), format, is_utf8 }
    }

    fn lines(&self) -> [Vec<&str>; 3] {
        self.texts.each_ref().map(|text| text.iter().flat_map(|text| text.split('\n')).collect())
    }

    fn prose(&self) -> [Vec<Piece>; 3] {
        self.lines().map(|lines| lines.into_iter().map(Piece::line).collect())
    }

    fn pieces(&self, name: &str, loader: &mut dyn Loader) -> [Vec<Piece>; 3] {
        if !self.is_utf8 {
            return self.prose();
        }
        let read = self.texts.each_ref().map(|text| match text {
            Some(text) => pieces(name, text, loader),
            None => Vec::new(),
        });
        if reads_differently(&read) { self.prose() } else { read }
    }
}

/// Merges three versions; `is_distinct` keeps equal additions of both sides twice. What `is_followed` refuses, with either side taken where they
/// differ, becomes a conflict.
pub(in crate::merge) fn judged_draft(
    files: &VersionFiles<'_>,
    loader: &mut dyn Loader,
    is_distinct: bool,
    is_followed: &mut dyn FnMut(&MergeDraft) -> bool,
) -> MergeDraft {
    let texts = Texts::of(files);
    let plain = texts.texts.each_ref().map(|text| text.as_deref().unwrap_or_default());
    if let Some(draft) = xmi::draft(files.name, plain, texts.format, is_followed) {
        return draft;
    }
    let mut versions = texts.pieces(files.name, loader);
    let renames = apply_renames(&mut versions);
    let merge = |conflicts: &[(usize, ConflictExtent)], why: &'static str| {
        let merged = merge_file(versions.each_ref().map(Vec::as_slice), is_distinct, (conflicts, why));
        let notes = [renames.as_slice(), &merged.notes].concat();
        (
            MergeDraft { chunks: merged.chunks, format: texts.format, notes, layout: ChunkLayout::Lines },
            merged.changed,
            merged.is_unbalanced,
        )
    };
    let (draft, changed, is_unbalanced) = merge(&[], UNFIT);
    let is_strict = draft.conflicts().next().is_none();
    let mut is_worse = |draft: &MergeDraft| reread::is_worse(files.name, plain, draft, is_strict, loader);
    if changed.is_empty() {
        return draft;
    }
    let is_sound = !is_unbalanced && !is_worse(&draft);
    if is_sound && is_followed(&draft) {
        return draft;
    }
    let why = if is_sound { UNFOLLOWED } else { UNFIT };
    let mut is_fit = |conflicts: &[(usize, ConflictExtent)]| {
        let (draft, _, is_unbalanced) = merge(conflicts, why);
        !is_unbalanced && !is_worse(&draft) && is_followed(&draft)
    };
    // The smallest part of the diagram that does not fit is a conflict; if one diagram is not enough all are conflicts.
    let alone = changed.iter().find(|(diagram, _)| is_fit(&[(*diagram, ConflictExtent::All)]));
    let tree =
        |(diagram, range): &(usize, _)| Some((*diagram, BlockTree::of(&versions[0], Clone::clone(range))?));
    let conflicts = match alone.and_then(tree) {
        Some((diagram, tree)) => {
            vec![(diagram, bisect::smallest(&tree, &mut |extent| is_fit(&[(diagram, extent.clone())])))]
        }
        None => changed.into_iter().map(|(diagram, _)| (diagram, ConflictExtent::All)).collect(),
    };
    merge(&conflicts, why).0
}

/// Merges three versions whatever state machines say.
pub fn draft(files: &VersionFiles<'_>, loader: &mut dyn Loader, is_distinct: bool) -> MergeDraft {
    judged_draft(files, loader, is_distinct, &mut |_| true)
}

/// Merges three versions line by line, whatever they hold, as git does.
pub fn plain(files: &VersionFiles<'_>) -> MergeDraft {
    let texts = Texts::of(files);
    let chunks = merge_lines(texts.lines().each_ref().map(Vec::as_slice));
    MergeDraft { chunks, format: texts.format, notes: Vec::new(), layout: ChunkLayout::Lines }
}

/// Whether most of a diagram is read as something else in a side than in the base: its first line is gone, or something stands before it.
fn reads_differently([base, ours, theirs]: &[Vec<Piece>; 3]) -> bool {
    let kinds = |pieces: &[Piece]| -> BTreeMap<String, SectionKind> {
        let lines = pieces.iter().filter(|piece| !piece.text.trim().is_empty());
        lines.map(|piece| (piece.text.trim().to_owned(), piece.section)).collect()
    };
    let before = kinds(base);
    [ours, theirs].into_iter().any(|side| {
        let after = kinds(side);
        let common = before.iter().filter_map(|(text, kind)| Some((*kind, *after.get(text)?)));
        let drawn: Vec<(SectionKind, SectionKind)> =
            common.filter(|kinds| *kinds != (SectionKind::Prose, SectionKind::Prose)).collect();
        let other = drawn.iter().filter(|(before, after)| before != after).count();
        other > 0 && other * 2 > drawn.len()
    })
}
