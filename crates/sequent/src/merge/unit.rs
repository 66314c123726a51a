//! Units: a file as lines of prose and whole diagrams.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::piece::{Piece, Word, Zone};

/// A line of prose, or a diagram, by its pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// The pieces.
    pub range: Range<usize>,
    /// Where they stand.
    pub zone: Zone,
}

/// A version of a file in units.
pub struct Version<'v> {
    /// All pieces.
    pub pieces: &'v [Piece],
    /// The units.
    pub units: Vec<Unit>,
    /// For each unit a number, the same for units that are the same line or the same diagram.
    pub numbers: Vec<u32>,
}

impl<'v> Version<'v> {
    fn new(pieces: &'v [Piece]) -> Self {
        let mut units: Vec<Unit> = Vec::new();
        for (at, piece) in pieces.iter().enumerate() {
            let is_next = |unit: &Unit| {
                piece.zone != Zone::Prose
                    && unit.zone == piece.zone
                    && pieces[unit.range.start].diagram == piece.diagram
            };
            match units.last_mut().filter(|unit| is_next(unit)) {
                Some(unit) => unit.range.end = at + 1,
                None => units.push(Unit { range: at..at + 1, zone: piece.zone }),
            }
        }
        Version { pieces, units, numbers: Vec::new() }
    }

    /// The pieces of a unit.
    pub fn of(&self, unit: usize) -> &'v [Piece] {
        &self.pieces[self.units[unit].range.clone()]
    }

    /// Whether two units are the same to the letter.
    pub fn is_same(&self, unit: usize, other: &Version<'_>, place: usize) -> bool {
        let (one, other) = (self.of(unit), other.of(place));
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.text == other.text)
    }
}

/// Cuts versions of a file into units; diagrams of later versions have the numbers of those of the first that they are.
pub fn units<'v, const N: usize>(versions: [&'v [Piece]; N]) -> [Version<'v>; N] {
    let mut cut = versions.map(Version::new);
    let mut lines: HashMap<&str, u32> = HashMap::new();
    let mut fresh = u32::MAX;
    for number in 0..N {
        let pairs = if number == 0 { BTreeMap::new() } else { diagrams(&cut[0], &cut[number]) };
        let mut numbers = Vec::new();
        for (at, unit) in cut[number].units.iter().enumerate() {
            let known = lines.len() as u32;
            numbers.push(match unit.zone {
                Zone::Prose => *lines.entry(&cut[number].pieces[unit.range.start].text).or_insert(known),
                Zone::Sequence | Zone::Set => match pairs.get(&at) {
                    Some(old) => cut[0].numbers[*old],
                    None => {
                        fresh -= 1;
                        fresh
                    }
                },
            });
        }
        cut[number].numbers = numbers;
    }
    cut
}

/// The pieces of each diagram that all versions have, by version.
pub fn common<const N: usize>(versions: [&[Piece]; N]) -> Vec<[Range<usize>; N]> {
    let cut = units(versions);
    let drawn = (0..cut[0].units.len()).filter(|unit| cut[0].units[*unit].zone != Zone::Prose);
    let ranges = drawn.filter_map(|unit| {
        let number = cut[0].numbers[unit];
        let places = cut.each_ref().map(|version| version.numbers.iter().position(|known| *known == number));
        let is_there = places.iter().all(Option::is_some);
        is_there.then(|| std::array::from_fn(|at| cut[at].units[places[at].unwrap_or(0)].range.clone()))
    });
    ranges.collect()
}

/// Which diagrams of a version are which of another, by their units, the new ones first: those with most in common, then those that are left at the
/// same place.
fn diagrams(old: &Version<'_>, new: &Version<'_>) -> BTreeMap<usize, usize> {
    let drawn = |version: &Version<'_>| -> Vec<usize> {
        (0..version.units.len()).filter(|unit| version.units[*unit].zone != Zone::Prose).collect()
    };
    let (before, after) = (drawn(old), drawn(new));
    let keys = |version: &Version<'_>, unit: usize| {
        let mut found: HashMap<String, usize> = HashMap::new();
        let is_told = |piece: &&Piece| !matches!(piece.word, Word::Blank | Word::Close);
        for piece in version.of(unit).iter().filter(is_told) {
            *found.entry(piece.key.clone()).or_default() += 1;
        }
        found
    };
    let all: Vec<HashMap<String, usize>> = before.iter().map(|unit| keys(old, *unit)).collect();
    let mut candidates: Vec<(u64, usize, usize, usize)> = Vec::new();
    for (place, unit) in after.iter().enumerate() {
        let own = keys(new, *unit);
        for (number, known) in all.iter().enumerate() {
            if old.units[before[number]].zone != new.units[*unit].zone {
                continue;
            }
            let common: usize =
                own.iter().map(|(key, count)| known.get(key).copied().unwrap_or(0).min(*count)).sum();
            let total: usize = own.values().sum::<usize>() + known.values().sum::<usize>();
            let share = 2_000 * common as u64 / total.max(1) as u64;
            // `@startuml` and `@enduml` alone tell nothing.
            if share >= 300 && (common > 2 || share > 900) {
                candidates.push((share, place.abs_diff(number), number, place));
            }
        }
    }
    candidates.sort_by_key(|(share, far, number, place)| (std::cmp::Reverse(*share), *far, *number, *place));
    let mut found: BTreeMap<usize, usize> = BTreeMap::new();
    let mut taken = vec![false; before.len()];
    for (_, _, number, place) in candidates {
        if !taken[number] && !found.contains_key(&place) {
            taken[number] = true;
            found.insert(place, number);
        }
    }
    if before.len() == after.len() {
        for number in 0..before.len() {
            let is_kind = old.units[before[number]].zone == new.units[after[number]].zone;
            if is_kind && !taken[number] && !found.contains_key(&number) {
                found.insert(number, number);
            }
        }
    }
    found.into_iter().map(|(place, number)| (after[place], before[number])).collect()
}
