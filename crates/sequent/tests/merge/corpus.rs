//! Random edits of real diagrams: nothing is lost, and what merges without conflict reads.
//!
//! The corpus is no part of the project: the test runs where `SEQUENT_CORPUS` or the folder `../shared/corpus` beside the
//! project is there, and says so when it is not. `SEQUENT_RANDOM=5000` sets how many edits are made.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sequent::merge::{Piece, PieceKind, SectionKind, pieces};
use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::random::Random;
use sequent_kernel::source::Sources;
use sequent_notation::{Context, NoFiles};
use sequent_testing::corpus::corpus;
use sequent_testing::seeds::seeds;

use crate::merge;

fn files(corpus: &std::path::Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for kind in ["plantuml-seq", "mermaid-seq", "plantuml-state", "mermaid-state"] {
        let folder = std::fs::read_dir(corpus.join(kind)).into_iter().flatten();
        let paths = folder.filter_map(|entry| Some(entry.ok()?.path()));
        all.extend(paths.filter(|path| path.extension().is_some_and(|end| end != "tsv")));
    }
    all.sort();
    all
}

/// Changes a few pieces; every text that is added holds `mark`.
fn edited(pieces: &[Piece], comment: &str, mark: &str, dice: &mut Random) -> Vec<String> {
    let mut lines: Vec<(Piece, String)> =
        pieces.iter().map(|piece| (piece.clone(), piece.text.clone())).collect();
    for number in 0..1 + dice.below(4) {
        let events: Vec<usize> = (0..lines.len())
            .filter(|at| {
                lines[*at].0.kind == PieceKind::Message && lines[*at].0.section == SectionKind::Sequence
            })
            .collect();
        let Some(at) = events.get(dice.below(events.len().max(1))).copied() else {
            let at = dice.below(lines.len());
            lines.insert(at, (Piece::line("x"), format!("{comment} {mark}{number}")));
            continue;
        };
        let piece = lines[at].0.clone();
        let names: Vec<&String> = piece.names.iter().map(|(name, _)| name).collect();
        let is_plain = names.len() == 2 && names.iter().all(|name| name.chars().all(char::is_alphanumeric));
        let message = format!(
            "{}->>{}: {mark}{number}",
            names.first().map_or("a", |name| name),
            names.last().map_or("b", |name| name)
        );
        let fresh = |text: String| (Piece { kind: PieceKind::Comment, ..piece.clone() }, text);
        match dice.below(6) {
            0 if is_plain => lines.insert(at + 1, fresh(message)),
            1 if is_plain => lines.insert(at, fresh(message)),
            2 => {
                lines.remove(at);
            }
            3 if is_plain && !piece.text.contains('\n') && !piece.detail.is_empty() => {
                lines[at].1 = format!("{} {mark}{number}", lines[at].1.trim_end());
            }
            4 => {
                let to = dice.below(lines.len());
                let moved = lines.remove(at);
                lines.insert(to.min(lines.len()), moved);
            }
            _ if is_plain => {
                lines.insert(at + 1, fresh("end".to_owned()));
                lines.insert(at, fresh(format!("opt {mark}{number}")));
            }
            _ => {}
        }
    }
    lines.into_iter().map(|(_, text)| text).collect()
}

fn errors(name: &str, text: &str) -> usize {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut found);
    sequent_notation::read(file, &mut context);
    found.iter().filter(|one| one.severity == Severity::Error).count()
}

fn tally(text: &str) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        *counts.entry(line).or_default() += 1;
    }
    counts
}

#[test]
fn random_edits_of_real_diagrams_merge_without_loss() {
    let Some(corpus) = corpus() else { return };
    let seeds = seeds(200);
    let (all, count) = (files(&corpus), seeds.count_left());
    let (mut clean, mut conflicts) = (0, 0);
    for seed in seeds.and_on() {
        if clean + conflicts == count {
            break;
        }
        let mut dice = Random::new(seed);
        let path = &all[dice.below(all.len())];
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = std::fs::read(path).expect("readable");
        let Ok(base) = String::from_utf8(bytes) else { continue };
        let base = base.replace("\r\n", "\n");
        let cut = pieces(&name, &base, &mut NoFiles);
        let comment = if name.ends_with("mmd") { "%%" } else { "'" };
        let ours = edited(&cut, comment, "zzours", &mut dice).join("\n");
        let theirs = edited(&cut, comment, "zztheirs", &mut dice).join("\n");
        let found = merge(&name, &base, &ours, &theirs);
        let text = found.text();
        let counts = [base.as_str(), &ours, &theirs, &text].map(tally);
        for line in counts.iter().flat_map(BTreeMap::keys).collect::<std::collections::BTreeSet<_>>() {
            let [old, one, other, new] = counts.each_ref().map(|count| count.get(line).copied().unwrap_or(0));
            // What a side has more often than before was added, what it has less often deleted.
            let kept = (old + one.saturating_sub(old).max(other.saturating_sub(old)))
                .saturating_sub(old.saturating_sub(one) + old.saturating_sub(other));
            assert!(
                new >= kept,
                "{name}: `{line}` is lost\n--- base\n{base}\n--- ours\n{ours}\n--- theirs\n{theirs}\n--- merged\n{text}"
            );
        }
        match found.conflicts.is_empty() {
            true => {
                clean += 1;
                let before = errors(&name, &ours) + errors(&name, &theirs);
                assert!(
                    errors(&name, &text) <= before,
                    "{name}\n--- base\n{base}\n--- ours\n{ours}\n--- theirs\n{theirs}\n--- merged\n{text}"
                );
                assert!(!text.contains("<<<<<<<") || base.contains("<<<<<<<"));
            }
            false => {
                conflicts += 1;
                assert!(text.contains("<<<<<<< ours") && text.contains(">>>>>>> theirs"), "{name}");
            }
        }
    }
    println!("{clean} merges without and {conflicts} with conflicts");
    assert!(clean > 2 * conflicts, "{clean} clean, {conflicts} with conflicts");
}
