//! Renames: a participant that one side called otherwise is called so on both, in that diagram.
//!
//! If a side declares a participant under another name at the same place, and the old name is gone from that side's
//! diagram, the participant was renamed. The old name is then replaced in the base and in the other side before anything
//! is compared: a rename is no edit of every message, and what the other side added speaks of the new name too.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::order::Side;
use super::piece::{Piece, Word, Zone};
use super::unit;

/// Where more names than this changed nothing is taken for a rename.
const MOST_PAIRS: usize = 12;

/// Finds participants that were renamed, diagram by diagram, and renames them in what the other side has of the diagram; tells what was done.
pub fn follow(versions: &mut [Vec<Piece>; 3]) -> Vec<String> {
    let [base, ours, theirs] = versions;
    let mut told = BTreeSet::new();
    for [old, mine, others] in unit::common([base, ours, theirs]) {
        let renames = [
            renames(&base[old.clone()], &ours[mine.clone()]),
            renames(&base[old.clone()], &theirs[others.clone()]),
        ];
        for (before, [after, otherwise]) in disputed(&renames) {
            let (own, their) = (&mut ours[mine.clone()], &mut theirs[others.clone()]);
            let is_declared = is_declared(&base[old.clone()], before)
                && is_declared(own, after)
                && is_declared(their, otherwise);
            if is_declared && !is_used(own, otherwise) && !is_used(their, after) {
                // One conflict, where it is declared, and not one in each message.
                rename_but_declared(&mut base[old.clone()], before, after);
                rename_but_declared(their, otherwise, after);
                told.insert(format!(
                    "`{before}` is called `{after}` by ours and `{otherwise}` by theirs: messages say `{after}`"
                ));
            }
        }
        for side in Side::BOTH {
            let (own, other) = (&renames[side as usize], &renames[side.other() as usize]);
            let target = match side {
                Side::Ours => &mut theirs[others.clone()],
                Side::Theirs => &mut ours[mine.clone()],
            };
            // Renamed by both: the same, or a conflict.
            for (before, after) in own.iter().filter(|(old, _)| !other.contains_key(*old)) {
                // Who has deleted it has nothing to rename, and must see that it was changed.
                if is_used(target, before) && !is_used(target, after) {
                    rename(&mut base[old.clone()], before, after);
                    rename(target, before, after);
                    told.insert(format!("`{before}` is now called `{after}`"));
                }
            }
        }
    }
    told.into_iter().collect()
}

/// Participants that both sides renamed, each otherwise: their old names, and the new ones.
fn disputed([ours, theirs]: &[BTreeMap<String, String>; 2]) -> impl Iterator<Item = (&String, [&String; 2])> {
    let both = ours.iter().filter_map(|(old, name)| Some((old, [name, theirs.get(old)?])));
    both.filter(|(_, [one, other])| one != other)
}

fn is_declared(pieces: &[Piece], name: &str) -> bool {
    pieces.iter().any(|piece| declares(piece, name))
}

fn declares(piece: &Piece, name: &str) -> bool {
    piece.word == Word::Participant && piece.subject == name
}

/// Renames a participant, but for the text of its declaration.
fn rename_but_declared(pieces: &mut [Piece], old: &str, new: &str) {
    let declared: Vec<(usize, Piece)> =
        pieces.iter().cloned().enumerate().filter(|(_, piece)| declares(piece, old)).collect();
    rename(pieces, old, new);
    for (at, piece) in declared {
        pieces[at] = Piece { subject: new.to_owned(), names: Vec::new(), ..piece };
    }
}

/// Finds what a version calls otherwise, diagram by diagram, and calls it so in the old one; tells the names, old and new.
pub fn adopt(old: &mut [Piece], new: &[Piece]) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for [before, after] in unit::common([&*old, new]) {
        let renames = renames(&old[before.clone()], &new[after]);
        renames.iter().for_each(|(name, now)| {
            rename(&mut old[before.clone()], name, now);
        });
        all.extend(renames);
    }
    all
}

/// The participants that a version calls otherwise, by their old names.
fn renames(base: &[Piece], side: &[Piece]) -> BTreeMap<String, String> {
    let names = |pieces: &[Piece]| -> BTreeSet<String> {
        let sequence = pieces.iter().filter(|piece| piece.zone != Zone::Prose);
        sequence.flat_map(|piece| piece.names.iter().map(|(name, _)| name.clone())).collect()
    };
    let (before, after) = (names(base), names(side));
    let gone: Vec<&String> = before.difference(&after).collect();
    let come: Vec<&String> = after.difference(&before).collect();
    if gone.is_empty() || come.is_empty() || gone.len() * come.len() > MOST_PAIRS {
        return BTreeMap::new();
    }
    let mut renames = BTreeMap::new();
    for old in gone {
        for new in &come {
            let mut tried = base.to_vec();
            let count = rename(&mut tried, old, new);
            // Most of what was said about the old name is said about the new one.
            let about = |piece: &&Piece| piece.names.iter().any(|(name, _)| name == *new);
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

fn is_used(pieces: &[Piece], name: &str) -> bool {
    pieces.iter().any(|piece| piece.names.iter().any(|(known, _)| known == name))
}

/// Replaces a name wherever it stands; tells in how many pieces.
fn rename(pieces: &mut [Piece], old: &str, new: &str) -> usize {
    let mut count = 0;
    for piece in pieces.iter_mut().filter(|piece| piece.zone != Zone::Prose) {
        let spots: BTreeSet<(usize, usize)> = piece
            .names
            .iter()
            .filter(|(name, at)| {
                name == old && piece.text.get(at.clone()).is_some_and(|text| text.contains(old))
            })
            .map(|(_, at)| (at.start, at.end))
            .collect();
        if spots.is_empty() {
            continue;
        }
        for (start, end) in spots.iter().rev() {
            let text = piece.text[*start..*end].replacen(old, new, 1);
            piece.text.replace_range(*start..*end, &text);
        }
        let lines = piece.text.lines().map(str::trim);
        piece.key = lines.collect::<Vec<_>>().join("\n");
        let parts: Vec<String> = piece
            .subject
            .split("->")
            .map(|part| if part == old { new.to_owned() } else { part.to_owned() })
            .collect();
        piece.subject = parts.join("->");
        // The places of other names in the line have moved; only those of this one are needed once.
        piece.names = piece
            .names
            .iter()
            .map(|(name, at)| (if name == old { new.to_owned() } else { name.clone() }, at.clone()))
            .collect();
        if piece.names.len() > 1 || piece.word == Word::Participant {
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
