//! Finds the corpus, compares file by file, and counts.

use sequent_testing::corpus::corpus;
use serde_json::Value;

/// One corpus file: its name, its text, and what the original tool made of it.
pub(crate) struct Case {
    pub name: String,
    pub text: String,
    pub facts: Value,
}

/// All files of one kind (`plantuml-seq`, ..) in order of name.
pub(crate) fn cases(kind: &str) -> Vec<Case> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let mut names: Vec<String> = std::fs::read_dir(corpus.join("facts").join(kind))
        .expect("the corpus has facts of every kind")
        .map(|entry| entry.expect("readable folder").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".json"))
        .collect();
    names.sort();
    let read = |json: &String| {
        let facts =
            std::fs::read_to_string(corpus.join("facts").join(kind).join(json)).expect("readable facts");
        let facts: Value = serde_json::from_str(&facts).expect("facts are JSON");
        let name = facts["file"].as_str().expect("facts name their file").to_owned();
        let bytes = std::fs::read(corpus.join(kind).join(&name)).expect("every fact has its file");
        Case { text: String::from_utf8_lossy(&bytes).into_owned(), name, facts }
    };
    names.iter().map(read).collect()
}

/// Compares every case with `compare` (`Err` says how it differs), prints the differing ones, and demands that at
/// least `percent` per cent agree.
pub(crate) fn demand(
    what: &str,
    percent: f64,
    cases: &[Case],
    compare: impl Fn(&Case) -> Result<(), String>,
) {
    let mut differing = Vec::new();
    for case in cases {
        if let Err(difference) = compare(case) {
            differing.push(format!("{}: {difference}", case.name));
        }
    }
    let agreeing = cases.len() - differing.len();
    let rate = if cases.is_empty() { 100.0 } else { 100.0 * agreeing as f64 / cases.len() as f64 };
    println!("{what}: {agreeing} of {} agree ({rate:.1} %)", cases.len());
    for line in &differing {
        println!("  {line}");
    }
    assert!(rate >= percent, "{what}: only {rate:.1} % agree, {percent} % wanted\n{}", differing.join("\n"));
}
