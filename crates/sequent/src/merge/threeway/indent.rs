//! Indentation: lines that a side indented, and what the other side added beside them.

use super::nesting::MergedTree;
use crate::merge::matching::TripleId;
use crate::merge::read::{Piece, PieceKind};
use crate::merge::side::RevisionSide;

/// Returns how far a text is indented.
fn indentation(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// Returns a text with all its lines moved to the right, or to the left as far as they can be.
pub(super) fn shifted(text: &str, by: isize) -> String {
    let line = |line: &str| match usize::try_from(by) {
        Ok(_) if line.is_empty() => String::new(),
        Ok(more) => format!("{}{line}", " ".repeat(more)),
        Err(_) => line.get(by.unsigned_abs().min(indentation(line))..).unwrap_or(line).to_owned(),
    };
    if by == 0 { text.to_owned() } else { text.split('\n').map(line).collect::<Vec<_>>().join("\n") }
}

/// Returns a text with the indentation of another one.
fn indented(text: &str, like: &str) -> String {
    let (prefix, own) = (&like[..indentation(like)], indentation(text));
    let lines = text.lines().map(|line| format!("{prefix}{}", &line[indentation(line).min(own)..]));
    lines.collect::<Vec<_>>().join("\n")
}

/// Merges a line of which at most one side changed the content; both may have changed the indentation.
pub(super) fn merged_line(base: &Piece, ours: &Piece, theirs: &Piece) -> String {
    let is_shifted = [ours, theirs].map(|piece| indentation(&piece.text) != indentation(&base.text));
    match [ours, theirs].map(|piece| piece.is_same(base)) {
        [true, false] if is_shifted[0] => indented(&theirs.text, &ours.text),
        [true, false] => theirs.text.clone(),
        [false, true] if is_shifted[1] => indented(&ours.text, &theirs.text),
        [false, _] => ours.text.clone(),
        [true, true] if ours.text == base.text => theirs.text.clone(),
        [true, true] => ours.text.clone(),
    }
}

/// Returns how much further to the right the other side has put the lines beside an addition of this side.
pub(super) fn shift(tree: &MergedTree<'_, '_, '_>, id: TripleId, side: RevisionSide) -> isize {
    let (triples, own) = (tree.triples, side.version());
    let Some(parent) = triples.parent(id, own) else { return 0 };
    let siblings = triples.children(parent, own);
    let at = siblings.iter().position(|sibling| *sibling == id).unwrap_or(0);
    let shift_of = |near: TripleId| {
        let pieces = triples.pieces(near);
        let base = indentation(&pieces[0]?.text);
        let [mine, others] = [side, side.other()].map(|side| pieces[side.version()]);
        let (mine, others) = (indentation(&mine?.text), indentation(&others?.text));
        Some(if mine == base { others as isize - base as isize } else { 0 })
    };
    let home = home(tree, id);
    let is_beside = |near: &&TripleId| {
        triples[**near].piece_kind != PieceKind::Blank
            && tree.presence.is_present[**near]
            && self::home(tree, **near) == home
    };
    let near = siblings[..at].iter().rev().chain(&siblings[at..]);
    if let Some(by) = near.filter(is_beside).find_map(|near| shift_of(*near)) {
        return by;
    }
    match triples.parent(parent, own).filter(|_| parent > 0) {
        Some(block) if triples[block].is_new() && triples[block].nodes[side.other().version()].is_none() => {
            shift(tree, block, side)
        }
        Some(block) => shift_of(block).unwrap_or(0),
        None => 0,
    }
}

/// Returns the triple that a triple, or the one that it is attached to, stands in.
fn home(tree: &MergedTree<'_, '_, '_>, id: TripleId) -> TripleId {
    match tree.presence.target(id) {
        Some(target) => tree.parents[target],
        None => tree.parents[id],
    }
}
