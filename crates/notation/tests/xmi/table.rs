//! The table of `docs/xmi.md`: what is read of the models of the corpus, tool by tool. `UPDATE_EXPECT=1` writes it there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sequent_kernel::diagnostic::Code;
use sequent_notation::xmi;
use sequent_testing::cases;
use sequent_testing::corpus::corpus;

use crate::samples;

/// The words in which tools name themselves near the start of a file, and how the table calls them.
const TOOLS: &[(&str, &str)] = &[
    ("Enterprise Architect", "Enterprise Architect"),
    ("MagicDraw", "MagicDraw, Cameo"),
    ("magicdraw", "MagicDraw, Cameo"),
    ("Modelio", "Modelio"),
    ("StarUML", "StarUML"),
    ("UModel", "UModel"),
    ("Visual Paradigm", "Visual Paradigm"),
    ("eclipse.org/uml2", "Eclipse UML2, Papyrus"),
    ("schema.omg.org", "other (MIWG, OMG)"),
    ("omg.org/spec", "other (MIWG, OMG)"),
];

/// What the columns count.
#[derive(Default)]
struct Row([usize; 9]);

const HEAD: &str = "| tool | files | interactions | of these refused | lifelines | messages | machines | states and pseudostates | transitions | findings about elements that are not read |\n\
|---|---|---|---|---|---|---|---|---|---|\n";

fn tool(text: &str) -> &'static str {
    let start: String = text.chars().take(3000).collect();
    TOOLS.iter().find(|(word, _)| start.contains(word)).map_or("other", |(_, name)| name)
}

/// The models of the corpus, those with known verdicts included.
fn files(corpus: &Path) -> Vec<PathBuf> {
    let groups =
        std::fs::read_dir(corpus.join("verdicts")).expect("verdicts").map(|one| one.expect("entry").path());
    let folders = groups.filter(|path| path.is_dir()).chain([corpus.join("xmi")]);
    let entries = folders.flat_map(|folder| std::fs::read_dir(folder).expect("a folder"));
    let mut files: Vec<PathBuf> = entries.map(|one| one.expect("entry").path()).collect();
    files.retain(|file| xmi::has_ending(&file.to_string_lossy()));
    files.sort();
    files
}

#[test]
fn the_table_is_true() {
    let Some(corpus) = corpus() else { return };
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    for path in files(&corpus) {
        let sample = samples::read(&path);
        let Row(row) = rows.entry(tool(&sample.sources.get(sample.file).text)).or_default();
        let interactions = || sample.model.interactions.iter().chain(&sample.refused);
        let unread = sample.diagnostics.iter().filter(|one| one.code == Code::Unsupported);
        let counts = [
            1,
            interactions().count(),
            sample.refused.len(),
            interactions().map(|one| one.lifelines.len()).sum(),
            interactions().map(|one| one.messages.len()).sum(),
            sample.model.machines.len(),
            sample.model.machines.iter().map(|one| one.vertices.len()).sum(),
            sample.model.machines.iter().map(|one| one.transitions.len()).sum(),
            unread.count(),
        ];
        row.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    let cells = |Row(row): &Row| row.map(|count| count.to_string()).join(" | ");
    let lines: String = rows.iter().map(|(tool, row)| format!("| {tool} | {} |\n", cells(row))).collect();
    let table = format!("{HEAD}{lines}");
    let page = cases::root().join("docs/xmi.md");
    let written = std::fs::read_to_string(&page).expect("docs/xmi.md");
    let (before, rest) = written.split_once(HEAD).expect("the table is in docs/xmi.md");
    let (_, after) = rest.split_once("\n\n").expect("text behind the table");
    let wanted = format!("{before}{table}\n{after}");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&page, &wanted).expect("docs/xmi.md");
    } else {
        assert!(written == wanted, "docs/xmi.md should say:\n{table}");
    }
}
