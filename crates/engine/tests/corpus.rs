//! Every real interaction that reads is lowered, and its first runs replay.
//!
//! The corpus is no part of the project: the test runs where `SEQUENT_CORPUS` or the folder `../shared/corpus` beside the
//! project is there, and says so when it is not. `SEQUENT_RUNS=1000` sets how many runs of each interaction are replayed.

use std::path::PathBuf;

use sequent_engine::packed::Program;
use sequent_engine::search::runs;
use sequent_kernel::replay::Replayer;
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::source::Sources;
use sequent_notation::{Context, resolve};
use sequent_testing::corpus::corpus;

#[test]
fn every_interaction_is_lowered_and_its_runs_replay() {
    let Some(corpus) = corpus() else { return };
    let most = std::env::var("SEQUENT_RUNS").ok().and_then(|text| text.parse().ok()).unwrap_or(10);
    let (mut interactions, mut replayed, mut without) = (0, 0, Vec::new());
    for kind in ["plantuml-seq", "mermaid-seq"] {
        let Ok(folder) = std::fs::read_dir(corpus.join(kind)) else { continue };
        let mut paths: Vec<PathBuf> = folder.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end != "tsv")) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let text = String::from_utf8_lossy(&std::fs::read(path).expect("readable")).into_owned();
            let mut sources = Sources::new();
            let file = sources.add(name.clone(), text);
            let mut problems = Vec::new();
            let mut context = Context::without_files(&mut sources, &mut problems);
            let document = sequent_notation::read(file, &mut context);
            let (model, _) = resolve::resolve(&[document], &sources);
            for id in model.interactions.ids() {
                let system = lower(&model, id, &Assumptions::default())
                    .unwrap_or_else(|problem| panic!("{name}: {}", problem.what));
                let program = Program::new(&system);
                let (runs, _) = runs(&program, most, 20 * system.rules.len() + 100);
                let mut replayer = Replayer::new(&system);
                for run in &runs {
                    let configs = replayer.replay(run).unwrap_or_else(|slip| panic!("{name}: {slip:?}"));
                    let last = configs.last().expect("a run begins somewhere");
                    assert!(system.class(last).is_some(), "{name}: a complete run is complete");
                }
                interactions += 1;
                replayed += runs.len();
                if runs.is_empty() {
                    without.push(name.clone());
                }
            }
        }
    }
    println!("{interactions} interactions lowered, {replayed} runs replayed, {} without any", without.len());
    assert!(without.is_empty(), "no complete run: {without:?}");
}
