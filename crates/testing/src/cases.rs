//! The cases of `examples/`, and how they are read.

use std::path::{Path, PathBuf};

use sequent::effort::Effort;
use sequent::pipeline::{self, Outcome, Reading};
use sequent::settings::{self, Settings};
use sequent_kernel::source::{FileId, Sources};
use sequent_notation::{Loader, Refusal};

/// One case: the files that are read together, their settings, and where the expected result stands.
pub struct ExampleCase {
    /// The path below `examples`.
    pub name: String,
    /// The diagrams.
    pub files: Vec<PathBuf>,
    /// The settings file, if there is one.
    pub settings: Option<PathBuf>,
    /// The file with the expected output.
    pub expected: PathBuf,
}

/// The project's folder.
pub fn root() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"));
    crates.parent().and_then(Path::parent).expect("the crate lies two folders below the project").to_owned()
}

/// All cases in order of name.
pub fn all() -> Vec<ExampleCase> {
    let examples = root().join("examples");
    let mut cases = Vec::new();
    for folder in entries(&examples).into_iter().filter(|path| path.is_dir()) {
        let is_projects = folder.file_name().is_some_and(|name| name == "projects");
        for path in entries(&folder) {
            let files: Vec<PathBuf> = match (is_projects, path.is_dir()) {
                (true, true) => entries(&path).into_iter().filter(|path| is_diagram(path)).collect(),
                (false, false) if is_diagram(&path) => vec![path.clone()],
                _ => continue,
            };
            let name = name(&path);
            let beside = path
                .with_file_name(format!("{}.out", path.file_name().unwrap_or_default().to_string_lossy()));
            let expected = if is_projects { path.join("expected.out") } else { beside };
            let settings = Some(path.join("sequent.toml")).filter(|file| file.is_file());
            cases.push(ExampleCase { name, files, settings, expected });
        }
    }
    assert!(!cases.is_empty(), "there are examples");
    cases
}

/// The tests of `examples/pssm`, one per folder, with the settings they share. What is found out about them is compared in
/// `tests/verdicts`; nothing stands beside them.
pub fn pssm() -> Vec<ExampleCase> {
    let all = root().join("examples/pssm");
    let folders = entries(&all).into_iter().filter(|path| path.is_dir());
    folders
        .map(|path| ExampleCase {
            name: name(&path),
            files: entries(&path).into_iter().filter(|path| is_diagram(path)).collect(),
            settings: Some(all.join("sequent.toml")),
            expected: path.join("expected.out"),
        })
        .collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("readable folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable entry").path()).collect();
    paths.sort();
    paths
}

fn is_diagram(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ["puml", "mmd", "md", "uml", "xmi"].iter().any(|known| ending == *known))
}

/// What was read of a case.
pub struct ReadCase {
    /// The files.
    pub sources: Sources,
    /// The settings.
    pub settings: Settings,
    /// The model and the findings of reading it.
    pub reading: Reading,
}

impl ReadCase {
    /// What `sequent check` finds out about the case.
    pub fn check(&self) -> Outcome {
        pipeline::check(&self.reading, &self.settings, &Effort::default())
    }
}

/// Reads the files of a case and its settings; names are relative to `examples`.
pub fn read(case: &ExampleCase) -> ReadCase {
    let mut sources = Sources::new();
    let mut diagnostics = Vec::new();
    let mut add = |path: &PathBuf| {
        let bytes = std::fs::read(path).expect("readable example");
        pipeline::decode(&mut sources, name(path), &bytes, &mut diagnostics)
    };
    let files: Vec<FileId> = case.files.iter().map(&mut add).collect();
    let settings_file = case.settings.as_ref().map(&mut add);
    let (settings, problems) = match settings_file {
        Some(file) => settings::read(file, sources.get(file)),
        None => Default::default(),
    };
    diagnostics.extend(problems);
    let mut reading = pipeline::read(&files, &mut sources, &mut ExampleIncludes, &settings);
    reading.diagnostics.extend(diagnostics);
    ReadCase { sources, settings, reading }
}

/// The name of an example as reports print it.
fn name(path: &Path) -> String {
    let below = path.strip_prefix(root().join("examples")).unwrap_or(path);
    below.to_string_lossy().replace('\\', "/")
}

/// Finds included examples.
pub struct ExampleIncludes;

impl Loader for ExampleIncludes {
    fn load(&mut self, sources: &mut Sources, from: FileId, path: &str) -> Result<FileId, Refusal> {
        if path.starts_with('/') {
            return Err(Refusal::Outside);
        }
        let folder = Path::new(&sources.get(from).name).parent().unwrap_or(Path::new("")).to_owned();
        let name = folder.join(path);
        let text =
            std::fs::read_to_string(root().join("examples").join(&name)).map_err(|_| Refusal::Missing)?;
        Ok(sources.add(name.to_string_lossy(), text))
    }
}
