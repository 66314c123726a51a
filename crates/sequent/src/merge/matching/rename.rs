//! Renames: a participant that one side renamed is renamed in the other versions, in that diagram.
//!
//! If a name is gone from a side's diagram, and most of what was said about it is said there about one new name, the participant was renamed.
//! The old name is then replaced in the base and in the other side before anything
//! is compared: a rename is no edit of every message, and what the other side added uses the new name too.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::merge::read::{Piece, PieceKind, SectionKind, Topic, common_diagrams, unindented};
use crate::merge::side::RevisionSide;

/// With more pairs of names that changed no rename is looked for.
const MOST_PAIRS: usize = 12;

/// Finds renamed participants, diagram by diagram, and renames them in the other versions; returns notes about it.
pub(in crate::merge) fn apply_renames(versions: &mut [Vec<Piece>; 3]) -> Vec<String> {
    let [base, ours, theirs] = versions;
    let mut notes = BTreeSet::new();
    for [in_base, in_ours, in_theirs] in common_diagrams([base, ours, theirs]) {
        let base = &mut base[in_base];
        let sides = [&mut ours[in_ours], &mut theirs[in_theirs]];
        let renames = [renames(base, sides[0]), renames(base, sides[1])];
        for (before, [after, otherwise]) in contradicting(&renames) {
            let is_declared =
                declares(base, before) && declares(sides[0], after) && declares(sides[1], otherwise);
            if is_declared && !is_used(sides[0], otherwise) && !is_used(sides[1], after) {
                // One conflict, at the declaration, and not one in each message.
                rename_uses(base, before, after);
                rename_uses(sides[1], otherwise, after);
                notes.insert(format!(
                    "`{before}` is called `{after}` by ours and `{otherwise}` by theirs: messages say `{after}`"
                ));
            }
        }
        for side in RevisionSide::BOTH {
            let (own, other) = (&renames[side as usize], &renames[side.other() as usize]);
            let target = &mut *sides[side.other() as usize];
            // Renamed by both: the same, or a conflict.
            for (before, after) in own.iter().filter(|(old, _)| !other.contains_key(*old)) {
                // If the other side deleted the participant, the rename stays an edit and is shown as one.
                if is_used(target, before) && !is_used(target, after) {
                    rename(base, before, after);
                    rename(target, before, after);
                    notes.insert(format!("`{before}` is now called `{after}`"));
                }
            }
        }
    }
    notes.into_iter().collect()
}

/// Finds what the new version renamed, diagram by diagram, and renames it in the old one; returns the new names by the old ones.
pub(in crate::merge) fn adopt_renames(old: &mut [Piece], new: &[Piece]) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for [before, after] in common_diagrams([&*old, new]) {
        let renames = renames(&old[before.clone()], &new[after]);
        for (name, now) in &renames {
            rename(&mut old[before.clone()], name, now);
        }
        all.extend(renames);
    }
    all
}

/// Returns participants that the sides renamed differently: their old names, and the new ones.
fn contradicting(
    [ours, theirs]: &[BTreeMap<String, String>; 2],
) -> impl Iterator<Item = (&String, [&String; 2])> {
    let both = ours.iter().filter_map(|(old, name)| Some((old, [name, theirs.get(old)?])));
    both.filter(|(_, [one, other])| one != other)
}

fn is_declaration(piece: &Piece, name: &str) -> bool {
    piece.kind == PieceKind::Participant && piece.topic.words() == name
}

fn declares(pieces: &[Piece], name: &str) -> bool {
    pieces.iter().any(|piece| is_declaration(piece, name))
}

fn is_used(pieces: &[Piece], name: &str) -> bool {
    pieces.iter().any(|piece| piece.mentions(name))
}

/// Renames a participant, but not in the text of its declaration.
fn rename_uses(pieces: &mut [Piece], old: &str, new: &str) {
    let declared: Vec<(usize, Piece)> =
        pieces.iter().cloned().enumerate().filter(|(_, piece)| is_declaration(piece, old)).collect();
    rename(pieces, old, new);
    for (at, piece) in declared {
        pieces[at] = Piece { topic: Topic::Words(new.to_owned()), names: Vec::new(), ..piece };
    }
}

/// Returns the participants that a version renamed: the new names by the old ones.
fn renames(base: &[Piece], side: &[Piece]) -> BTreeMap<String, String> {
    let names = |pieces: &[Piece]| -> BTreeSet<String> {
        let drawn = pieces.iter().filter(|piece| piece.section != SectionKind::Prose);
        drawn.flat_map(|piece| piece.names.iter().map(|(name, _)| name.clone())).collect()
    };
    let (before, after) = (names(base), names(side));
    let deleted: Vec<&String> = before.difference(&after).collect();
    let added: Vec<&String> = after.difference(&before).collect();
    if deleted.is_empty() || added.is_empty() || deleted.len() * added.len() > MOST_PAIRS {
        return BTreeMap::new();
    }
    let mut renames = BTreeMap::new();
    for old in deleted {
        for new in &added {
            let mut tried = base.to_vec();
            let count = rename(&mut tried, old, new);
            let about = |piece: &&Piece| piece.mentions(new);
            let mut said: HashMap<&str, usize> = HashMap::new();
            side.iter().filter(about).for_each(|piece| *said.entry(&piece.key).or_default() += 1);
            let is_kept = |piece: &&Piece| match said.get_mut(piece.key.as_str()) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    true
                }
                Some(_) | None => false,
            };
            let kept = tried.iter().filter(about).filter(is_kept).count();
            if count > 0 && kept * 2 > count {
                renames.insert(old.clone(), (*new).clone());
            }
        }
    }
    renames
}

/// Replaces a name everywhere; returns the number of pieces that changed.
fn rename(pieces: &mut [Piece], old: &str, new: &str) -> usize {
    let mut count = 0;
    for piece in pieces.iter_mut().filter(|piece| piece.section != SectionKind::Prose) {
        let text = &piece.text;
        let is_it = |name: &str, at: &std::ops::Range<usize>| {
            name == old && text.get(at.clone()).is_some_and(|text| text.contains(old))
        };
        let spots: BTreeSet<(usize, usize)> = piece
            .names
            .iter()
            .filter(|(name, at)| is_it(name, at))
            .map(|(_, at)| (at.start, at.end))
            .collect();
        if spots.is_empty() {
            continue;
        }
        for (start, end) in spots.iter().rev() {
            let text = piece.text[*start..*end].replacen(old, new, 1);
            piece.text.replace_range(*start..*end, &text);
        }
        piece.key = unindented(&piece.text);
        piece.topic = piece.topic.renamed(old, new);
        for (name, _) in piece.names.iter_mut().filter(|(name, _)| name == old) {
            *name = new.to_owned();
        }
        if piece.names.len() > 1 || piece.kind == PieceKind::Participant {
            shift(&mut piece.names, &spots, new.len() as isize - old.len() as isize);
        }
        count += 1;
    }
    count
}

/// Moves the places of names behind replaced ones.
fn shift(names: &mut [(String, std::ops::Range<usize>)], spots: &BTreeSet<(usize, usize)>, by: isize) {
    for (_, at) in names {
        let before = spots.iter().filter(|(start, _)| *start < at.start).count() as isize;
        let own = isize::from(spots.contains(&(at.start, at.end)));
        let start = at.start as isize + before * by;
        let end = at.end as isize + (before + own) * by;
        *at = start.max(0) as usize..end.max(0) as usize;
    }
}
