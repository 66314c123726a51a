//! Sections: a file as lines of prose and whole diagrams.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::kind::PieceKind;
use super::piece::{Piece, SectionKind};

/// A line of prose, or a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::merge) struct FileSection {
    /// Its pieces.
    pub range: Range<usize>,
    /// What it is.
    pub kind: SectionKind,
}

/// A version of a file, divided into sections.
pub(in crate::merge) struct Sections<'v> {
    /// All pieces.
    pub pieces: &'v [Piece],
    /// The sections.
    pub list: Vec<FileSection>,
    /// For each section a number, equal for equal lines and for corresponding diagrams of the versions.
    pub numbers: Vec<u32>,
}

impl<'v> Sections<'v> {
    fn new(pieces: &'v [Piece]) -> Self {
        let mut list: Vec<FileSection> = Vec::new();
        for (at, piece) in pieces.iter().enumerate() {
            let continues = |section: &&mut FileSection| {
                piece.section != SectionKind::Prose
                    && section.kind == piece.section
                    && pieces[section.range.start].diagram == piece.diagram
            };
            match list.last_mut().filter(continues) {
                Some(section) => section.range.end = at + 1,
                None => list.push(FileSection { range: at..at + 1, kind: piece.section }),
            }
        }
        Sections { pieces, list, numbers: Vec::new() }
    }

    /// Returns the pieces of a section.
    pub(crate) fn of(&self, section: usize) -> &'v [Piece] {
        &self.pieces[self.list[section].range.clone()]
    }

    /// Returns the lines of some sections.
    pub(crate) fn lines(&self, sections: Range<usize>) -> Vec<&'v str> {
        sections.flat_map(|section| self.of(section)).flat_map(|piece| piece.text.split('\n')).collect()
    }

    /// Whether two sections have the same text.
    pub(crate) fn is_same(&self, section: usize, other: &Sections<'_>, place: usize) -> bool {
        let (one, other) = (self.of(section), other.of(place));
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.text == other.text)
    }

    fn diagrams(&self) -> Vec<usize> {
        (0..self.list.len()).filter(|section| self.list[*section].kind != SectionKind::Prose).collect()
    }

    /// Returns how often each line stands in a diagram, without empty lines and ends of blocks.
    fn line_counts(&self, section: usize) -> HashMap<&'v str, usize> {
        let mut counts = HashMap::new();
        for piece in self.of(section) {
            if !matches!(piece.kind, PieceKind::Blank | PieceKind::Close) {
                *counts.entry(piece.key.as_str()).or_default() += 1;
            }
        }
        counts
    }
}

/// Divides versions of a file into sections and matches the diagrams of later versions with those of the first.
pub(in crate::merge) fn sections<const N: usize>(versions: [&[Piece]; N]) -> [Sections<'_>; N] {
    let mut all = versions.map(Sections::new);
    let mut lines: HashMap<&str, u32> = HashMap::new();
    let mut fresh = u32::MAX;
    for version in 0..N {
        let matched = if version == 0 { BTreeMap::new() } else { match_diagrams(&all[0], &all[version]) };
        let mut numbers = Vec::new();
        for (at, section) in all[version].list.iter().enumerate() {
            let known = lines.len() as u32;
            numbers.push(match (section.kind, matched.get(&at)) {
                (SectionKind::Prose, _) => {
                    *lines.entry(&all[version].pieces[section.range.start].text).or_insert(known)
                }
                (SectionKind::Sequence | SectionKind::Unordered, Some(old)) => all[0].numbers[*old],
                (SectionKind::Sequence | SectionKind::Unordered, None) => {
                    fresh -= 1;
                    fresh
                }
            });
        }
        all[version].numbers = numbers;
    }
    all
}

/// Returns the pieces of each diagram that all versions have, by version.
pub(in crate::merge) fn common_diagrams<const N: usize>(versions: [&[Piece]; N]) -> Vec<[Range<usize>; N]> {
    let all = sections(versions);
    let ranges = all[0].diagrams().into_iter().filter_map(|section| {
        let number = all[0].numbers[section];
        let places = all.each_ref().map(|version| version.numbers.iter().position(|known| *known == number));
        let is_there = places.iter().all(Option::is_some);
        is_there.then(|| std::array::from_fn(|at| all[at].list[places[at].unwrap_or(0)].range.clone()))
    });
    ranges.collect()
}

/// Matches the diagrams of two versions, as sections from new to old: first those with most lines in common, then those left over at
/// the same position.
fn match_diagrams(old: &Sections<'_>, new: &Sections<'_>) -> BTreeMap<usize, usize> {
    let (before, after) = (old.diagrams(), new.diagrams());
    let is_kind = |number: usize, place: usize| old.list[before[number]].kind == new.list[after[place]].kind;
    let all: Vec<HashMap<&str, usize>> = before.iter().map(|section| old.line_counts(*section)).collect();
    let mut candidates: Vec<(Reverse<u64>, usize, usize, usize)> = Vec::new();
    for (place, section) in after.iter().enumerate() {
        let own = new.line_counts(*section);
        for (number, known) in all.iter().enumerate().filter(|(number, _)| is_kind(*number, place)) {
            let common: usize =
                own.iter().map(|(key, count)| known.get(key).copied().unwrap_or(0).min(*count)).sum();
            let total: usize = own.values().sum::<usize>() + known.values().sum::<usize>();
            let share = 2_000 * common as u64 / total.max(1) as u64;
            // `@startuml` and `@enduml` alone are no evidence.
            if share >= 300 && (common > 2 || share > 900) {
                candidates.push((Reverse(share), place.abs_diff(number), number, place));
            }
        }
    }
    candidates.sort_unstable();
    let mut found: BTreeMap<usize, usize> = BTreeMap::new();
    let mut taken = vec![false; before.len()];
    let by_position = (0..before.len())
        .filter(|number| before.len() == after.len() && is_kind(*number, *number))
        .map(|number| (number, number));
    for (number, place) in
        candidates.into_iter().map(|(_, _, number, place)| (number, place)).chain(by_position)
    {
        if !taken[number] && !found.contains_key(&place) {
            taken[number] = true;
            found.insert(place, number);
        }
    }
    found.into_iter().map(|(place, number)| (after[place], before[number])).collect()
}
