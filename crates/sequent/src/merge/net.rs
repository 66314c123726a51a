//! The net: what a merged diagram must hold, counted from the texts alone; and the merged file read again.
//!
//! Every message that both sides have, or that one side added, is there as often as it should be; one that a side deleted is not. What
//! stands between marks of a conflict counts for whichever side has it.

use std::collections::BTreeMap;

use sequent_kernel::diagnostic::{Code, Severity};
use sequent_kernel::lint::interaction::lives;
use sequent_kernel::source::Sources;
use sequent_notation::{Context, Loader, resolve};

use super::draft::Draft;
use super::order::Side;
use super::piece::{Piece, Word};
use super::slot::{Atom, Slot};

/// Whether a merged diagram holds what its three versions demand.
pub fn holds([base, ours, theirs]: [&[Piece]; 3], slots: &[Slot]) -> bool {
    let [old, own, others] = [base, ours, theirs].map(tally);
    let (least, most) = found(slots);
    let mut keys: Vec<&String> = old.keys().chain(own.keys()).chain(others.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.into_iter().all(|key| {
        let count = |counts: &BTreeMap<String, usize>| counts.get(key).copied().unwrap_or(0);
        let [before, one, other] = [count(&old), count(&own), count(&others)];
        let added = [one, other].map(|now| now.saturating_sub(before));
        let gone = [one, other].map(|now| before.saturating_sub(now));
        let needed = (before + added[0].max(added[1])).saturating_sub(gone[0] + gone[1]);
        let allowed = one.max(other) + added[0].min(added[1]);
        count(&most) >= needed && count(&least) <= allowed
    })
}

/// How often each message is there.
fn tally(pieces: &[Piece]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for piece in pieces.iter().filter(|piece| is_counted(piece.word)) {
        *counts.entry(piece.key.clone()).or_default() += 1;
    }
    counts
}

fn is_counted(word: Word) -> bool {
    matches!(word, Word::Message | Word::Return | Word::Reference)
}

/// A number for each text.
type Counts = BTreeMap<String, usize>;

/// How often each line is there at least and at most, with conflicts resolved one way or the other.
fn found(slots: &[Slot]) -> (Counts, Counts) {
    let (mut least, mut most) = (Counts::new(), Counts::new());
    let mut see = |text: &str, is_sure: bool| {
        *most.entry(key(text)).or_default() += 1;
        if is_sure {
            *least.entry(key(text)).or_default() += 1;
        }
    };
    for slot in slots {
        match slot {
            Slot::Text(element) => see(&element.text, is_counted(element.word)),
            Slot::Choice(choice) => {
                let atoms = choice.ours.iter().chain(&choice.theirs).flat_map(|Atom(all)| all);
                atoms.for_each(|element| see(&element.text, is_counted(element.word)));
            }
            Slot::Conflict(conflict) => {
                conflict.ours.iter().chain(&conflict.theirs).for_each(|text| see(text, false));
            }
        }
    }
    (least, most)
}

fn key(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

/// Whether a merged file has more wrong with it than its three versions explain: blocks that do not end, bars that do not add up, participants
/// that are spoken to when they are not there.
///
/// Conflicts are taken as ours and as theirs. Where they leave something to decide, bars may be left too: `is_strict` asks for them nevertheless.
pub fn is_worse(
    name: &str,
    versions: [&str; 3],
    draft: &Draft,
    is_strict: bool,
    loader: &mut dyn Loader,
) -> bool {
    let mut texts = Side::BOTH.map(|side| draft.taking(side)).to_vec();
    texts.dedup();
    let found: Vec<BTreeMap<Code, usize>> =
        texts.iter().map(|text| findings(name, text, is_strict, loader)).collect();
    if found.iter().all(BTreeMap::is_empty) {
        return false;
    }
    let [base, ours, theirs] = versions.map(|version| findings(name, version, is_strict, loader));
    found.into_iter().flatten().any(|(code, count)| {
        let [before, one, other] = [&base, &ours, &theirs].map(|all| all.get(&code).copied().unwrap_or(0));
        count > one.max(other).max((one + other).saturating_sub(before))
    })
}

/// How often each thing is wrong with a text.
fn findings(name: &str, text: &str, is_strict: bool, loader: &mut dyn Loader) -> BTreeMap<Code, usize> {
    let mut sources = Sources::new();
    let file = sources.add(name, format!("{text}\n"));
    let mut diagnostics = Vec::new();
    let mut context = Context { sources: &mut sources, loader, diagnostics: &mut diagnostics };
    let document = sequent_notation::read(file, &mut context);
    let (model, problems) = resolve::resolve(&[document], &sources);
    diagnostics.extend(problems);
    if is_strict {
        diagnostics.extend(model.interactions.iter().flat_map(lives));
    }
    let mut counts = BTreeMap::new();
    let is_structure = |code: Code| matches!(code, Code::UnclosedBlock | Code::StrayEnd | Code::StrayElse);
    for one in diagnostics {
        if is_structure(one.code) || (is_strict && one.severity != Severity::Hint) {
            *counts.entry(one.code).or_default() += 1;
        }
    }
    counts
}
