//! The cases of `examples/`, and how they are read.

use std::path::{Path, PathBuf};

use sequent::pipeline::{self, Reading};
use sequent_kernel::source::{FileId, Sources};
use sequent_notation::Loader;

/// One case: the files that are read together, and where the expected result stands.
pub struct Case {
    pub name: String,
    pub files: Vec<PathBuf>,
    pub expected: PathBuf,
}

/// The project's folder.
pub fn root() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"));
    crates.parent().and_then(Path::parent).expect("the crate lies two folders below the project").to_owned()
}

/// All cases in order of name.
pub fn all() -> Vec<Case> {
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
            let name =
                path.strip_prefix(&examples).expect("a path below examples").to_string_lossy().into_owned();
            let beside = path
                .with_file_name(format!("{}.out", path.file_name().unwrap_or_default().to_string_lossy()));
            let expected = if is_projects { path.join("expected.out") } else { beside };
            cases.push(Case { name, files, expected });
        }
    }
    assert!(!cases.is_empty(), "there are examples");
    cases
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("readable folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable entry").path()).collect();
    paths.sort();
    paths
}

fn is_diagram(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ["puml", "mmd", "md"].iter().any(|known| ending == *known))
}

/// Reads the files of a case; names are relative to `examples`.
pub fn read(case: &Case) -> (Sources, Reading) {
    let mut sources = Sources::new();
    let examples = root().join("examples");
    let files: Vec<FileId> = case
        .files
        .iter()
        .map(|path| {
            let name = path
                .strip_prefix(&examples)
                .expect("a path below examples")
                .to_string_lossy()
                .replace('\\', "/");
            let bytes = std::fs::read(path).expect("readable example");
            sources.add(name, String::from_utf8_lossy(&bytes).as_ref())
        })
        .collect();
    let reading = pipeline::read(&files, &mut sources, &mut Files, &Default::default());
    (sources, reading)
}

/// Finds included examples.
pub struct Files;

impl Loader for Files {
    fn load(&mut self, sources: &mut Sources, from: FileId, path: &str) -> Option<FileId> {
        let folder = Path::new(&sources.get(from).name).parent().unwrap_or(Path::new("")).to_owned();
        let name = folder.join(path);
        let text = std::fs::read_to_string(root().join("examples").join(&name)).ok()?;
        Some(sources.add(name.to_string_lossy(), text))
    }
}
