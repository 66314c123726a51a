//! Files: finds what the user named, reads it, and what it includes.

use std::collections::{BTreeSet, HashMap};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use globset::{GlobBuilder, GlobSet};
use ignore::WalkBuilder;
use sequent::pipeline;
use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::source::{FileId, Sources, Span};
use sequent_notation::{Loader, Refusal, xmi};

use crate::roots::{self, LONGEST, LONGEST_INCLUDED, Roots};

/// Endings of files that are looked into when a directory is given.
pub(crate) const ENDINGS: &[&str] = &[
    "md", "markdown", "mdx", "qmd", "adoc", "asciidoc", "rst", "puml", "plantuml", "pu", "iuml", "wsd",
    "mmd", "mermaid", "uml", "uml2", "emx", "xmi", "xml", "mdxml", "mdzip", "zargo",
];

/// The name of settings, which stand for the folder that they are for.
pub(crate) const SETTINGS: &str = "sequent.toml";

/// What was read, and what could not be.
#[derive(Default)]
pub(crate) struct Inputs {
    pub sources: Sources,
    pub files: Vec<FileId>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Something that the paths name.
pub(crate) enum Named {
    /// Standard input.
    Input,
    /// A file, and whether it is named itself rather than found in a folder or by a pattern.
    File(PathBuf, bool),
    /// Nothing that could be found, and why.
    Problem(String, String),
}

/// The paths, with the folder of settings in place of each that names such a file.
pub(crate) fn subjects(paths: &[String]) -> Vec<String> {
    let subject = |path: &String| {
        let file = Path::new(path);
        let is_settings = file.file_name().is_some_and(|name| name == SETTINGS) && file.is_file();
        match file.parent().filter(|_| is_settings) {
            Some(folder) if folder.as_os_str().is_empty() => ".".to_owned(),
            Some(folder) => display(folder),
            None => path.clone(),
        }
    };
    paths.iter().map(subject).collect()
}

/// What the paths name: each file once, however many of them name it.
pub(crate) fn find(paths: &[String]) -> Vec<Named> {
    let mut named: Vec<Named> = Vec::new();
    let mut known: HashMap<PathBuf, usize> = HashMap::new();
    for path in paths {
        match path.as_str() {
            "-" if named.iter().any(|other| matches!(other, Named::Input)) => {}
            "-" => named.push(Named::Input),
            path => match expand(path) {
                Ok(Walked { files, problems }) => {
                    for file in files {
                        let is_named = file == Path::new(path);
                        let at = *known.entry(identity(&file)).or_insert(named.len());
                        match named.get_mut(at) {
                            Some(Named::File(_, was_named)) => *was_named |= is_named,
                            Some(Named::Input | Named::Problem(..)) | None => {
                                named.push(Named::File(file, is_named));
                            }
                        }
                    }
                    named.extend(problems.into_iter().map(|(at, problem)| Named::Problem(at, problem)));
                }
                Err(problem) => named.push(Named::Problem(path.to_owned(), problem)),
            },
        }
    }
    named
}

/// What tells a file from others: its name in the real path of its folder.
fn identity(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), file.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        (Ok(_) | Err(_), _) => file.to_owned(),
    }
}

/// Reads everything the paths name.
pub(crate) fn read(paths: &[String], roots: &Roots) -> Inputs {
    let mut inputs = Inputs::default();
    for named in find(paths) {
        inputs.take(&named, roots);
    }
    inputs
}

/// Reads files.
pub(crate) fn read_files(paths: &[PathBuf], roots: &Roots) -> Inputs {
    let mut inputs = Inputs::default();
    paths.iter().for_each(|path| inputs.file(path, true, roots));
    inputs
}

impl Inputs {
    /// Reads what a path names.
    pub(crate) fn take(&mut self, named: &Named, roots: &Roots) {
        match named {
            Named::Input => self.standard_input(),
            Named::File(file, is_named) => self.file(file, *is_named, roots),
            Named::Problem(path, problem) => self.unreadable(path, problem.clone()),
        }
    }

    fn standard_input(&mut self) {
        let mut bytes = Vec::new();
        match std::io::stdin().take(LONGEST + 1).read_to_end(&mut bytes) {
            Ok(_) if bytes.len() as u64 > LONGEST => {
                self.unreadable("<stdin>", Refusal::TooLarge.to_string());
            }
            Ok(_) => self.add("<stdin>".to_owned(), &bytes),
            Err(error) => self.unreadable("<stdin>", error.to_string()),
        }
    }

    /// Reads a file; XML that was only found in a folder and is no UML model is left alone.
    fn file(&mut self, path: &Path, is_named: bool, roots: &Roots) {
        // `/dev/stdin` and `<(command)` are what the caller says they are.
        let content = match is_named && roots::is_stream(path) {
            true => roots::read_up_to(path, LONGEST),
            false => roots.read(path, LONGEST),
        };
        match content {
            Ok(bytes) if !is_named && is_other_xml(path, &bytes) => {}
            Ok(bytes) => self.add(display(path), &bytes),
            Err(refusal) => self.unreadable(&display(path), refusal.to_string()),
        }
    }

    /// Reads what lies beside the files that are given one by one.
    pub(crate) fn with_neighbours(
        &mut self,
        paths: &[String],
        roots: &Roots,
        memory: &mut DiskMemory,
        is_quick: bool,
    ) {
        let single = paths.iter().map(Path::new).filter(|path| path.is_file());
        let folders: BTreeSet<&Path> = single.filter_map(Path::parent).collect();
        for folder in folders {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            for file in memory.listed(folder, is_quick) {
                self.neighbour(&file, roots, memory, is_quick);
            }
        }
    }

    /// Reads a file that was found in a folder, unless it is known as it is.
    pub(crate) fn neighbour(&mut self, file: &Path, roots: &Roots, memory: &mut DiskMemory, is_quick: bool) {
        let name = display(file);
        if self.sources.named(&name).is_some() {
            return;
        }
        let has_draft = roots.has_draft(file);
        if !has_draft
            && memory.is_unchanged(file, is_quick)
            && let Some(known) = self.sources.keep(&name)
        {
            self.files.push(known);
            return;
        }
        let stamp = Stamp::of(file);
        if let Ok(bytes) = roots.read(file, LONGEST_INCLUDED)
            && !is_other_xml(file, &bytes)
        {
            self.files.push(quietly(&mut self.sources, name, &bytes));
            if !has_draft {
                memory.stamps.insert(file.to_owned(), stamp);
            }
        }
    }

    fn add(&mut self, name: String, bytes: &[u8]) {
        let file = pipeline::decode(&mut self.sources, name, bytes, &mut self.diagnostics);
        self.files.push(file);
    }

    fn unreadable(&mut self, name: &str, problem: String) {
        let file = self.sources.add(name, "");
        let span = Span::new(file, 0, 0);
        self.diagnostics.push(Diagnostic::new(
            Code::UnreadableFile,
            span,
            format!("`{name}` cannot be read: {problem}"),
        ));
    }
}

/// What a server remembers of the disk, so that it need not read a folder again for every keystroke.
#[derive(Clone, Default)]
pub(crate) struct DiskMemory {
    /// The files of folders.
    folders: HashMap<PathBuf, Vec<PathBuf>>,
    /// The files that were read from the disk, and how they were then if that is certain.
    stamps: HashMap<PathBuf, Option<Stamp>>,
}

/// The last change of a file, and its length.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp(SystemTime, u64);

/// A file that was written so shortly before it was read may be written again within the same tick of the file system's clock.
const TICK: Duration = Duration::from_secs(2);

impl Stamp {
    /// None if the file has just been written.
    fn of(file: &Path) -> Option<Self> {
        let known = file.metadata().ok()?;
        let written = known.modified().ok()?;
        let is_settled = written.elapsed().is_ok_and(|age| age > TICK);
        is_settled.then_some(Stamp(written, known.len()))
    }
}

impl DiskMemory {
    /// The files with diagrams in a folder, as they were if that will do.
    pub(crate) fn listed(&mut self, folder: &Path, is_quick: bool) -> Vec<PathBuf> {
        if let Some(known) = self.folders.get(folder).filter(|_| is_quick) {
            return known.clone();
        }
        let found = in_folder(folder);
        self.folders.insert(folder.to_owned(), found.clone());
        found
    }

    /// Whether a file on the disk is as it was when it was read; a quick look does not ask the disk.
    fn is_unchanged(&self, file: &Path, is_quick: bool) -> bool {
        match self.stamps.get(file) {
            Some(_) if is_quick => true,
            Some(Some(stamp)) => Stamp::of(file) == Some(*stamp),
            Some(None) | None => false,
        }
    }

    /// What is known of a file is not what stands on the disk.
    pub(crate) fn forget(&mut self, file: &Path) {
        self.stamps.remove(file);
    }
}

/// Adds the text of a file that was not asked for; what is wrong with it is not said.
fn quietly(sources: &mut Sources, name: String, bytes: &[u8]) -> FileId {
    pipeline::decode(sources, name, bytes, &mut Vec::new())
}

/// Whether a file is XML that is no UML model.
fn is_other_xml(path: &Path, bytes: &[u8]) -> bool {
    let is_xml = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xml"));
    is_xml && !xmi::looks_like_a_model(&String::from_utf8_lossy(&bytes[..bytes.len().min(50_000)]))
}

/// The bytes of a file.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    roots::read_up_to(path, LONGEST)
        .map_err(|refusal| format!("`{}` cannot be read: {refusal}", display(path)))
}

/// Whether a file may hold diagrams, by its ending.
pub(crate) fn has_ending(file: &Path) -> bool {
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}

/// A path as the user would write it, with forward slashes and without a leading `./`.
pub(crate) fn display(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    text.strip_prefix("./").map(str::to_owned).unwrap_or(text)
}

/// The files behind a path: itself, what lies below a directory, what a pattern matches; in order of name.
fn expand(path: &str) -> Result<Walked, String> {
    let as_path = Path::new(path);
    if as_path.is_dir() {
        return Ok(walk(as_path, None, has_ending));
    }
    if as_path.exists() || !path.contains(['*', '?', '[', '{']) {
        return Ok(Walked { files: vec![as_path.to_owned()], problems: Vec::new() });
    }
    let glob = GlobBuilder::new(path).literal_separator(true).build().map_err(|error| error.to_string())?;
    let matcher = GlobSet::builder().add(glob).build().map_err(|_| "the pattern is too large".to_owned())?;
    let fixed: PathBuf = as_path.components().take_while(|part| !is_pattern(part)).collect();
    let root = if fixed.as_os_str().is_empty() { Path::new(".") } else { &fixed };
    let is_match = |file: &Path| matcher.is_match(file.strip_prefix("./").unwrap_or(file));
    let found = if root.exists() { walk(root, None, is_match) } else { Walked::default() };
    if found.files.is_empty() { Err("no file matches the pattern".to_owned()) } else { Ok(found) }
}

fn is_pattern(part: &std::path::Component) -> bool {
    part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{'])
}

/// What was found below a directory, and the folders that could not be looked into, with the reason.
#[derive(Default)]
struct Walked {
    files: Vec<PathBuf>,
    problems: Vec<(String, String)>,
}

/// Files below a directory, this many folders deep, leaving out what git would.
fn walk(root: &Path, depth: Option<usize>, wanted: impl Fn(&Path) -> bool) -> Walked {
    let mut walked = Walked::default();
    // `.ignore` is a file of other programs, and git knows nothing of it.
    let walker = WalkBuilder::new(root).max_depth(depth).ignore(false).sort_by_file_path(Path::cmp).build();
    for entry in walker {
        match entry {
            Ok(entry) => {
                let Some(kind) = entry.file_type() else { continue };
                match kind.is_file() {
                    true if wanted(entry.path()) => walked.files.push(entry.into_path()),
                    false if !kind.is_dir() && !kind.is_symlink() && wanted(entry.path()) => {
                        walked.problems.push((display(entry.path()), Refusal::NotRegular.to_string()));
                    }
                    true | false => {}
                }
            }
            Err(error) => walked.problems.push(unwalked(&error, root)),
        }
    }
    walked
}

/// The folder that could not be looked into, and why.
fn unwalked(error: &ignore::Error, root: &Path) -> (String, String) {
    let (mut path, mut inner) = (root, error);
    loop {
        match inner {
            ignore::Error::WithPath { path: own, err } => (path, inner) = (own, err),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => inner = err,
            other => {
                let reason =
                    other.io_error().map_or_else(|| other.to_string(), |error| error.kind().to_string());
                return (display(path), reason);
            }
        }
    }
}

/// The files with diagrams in a folder, not in those below.
pub(crate) fn in_folder(folder: &Path) -> Vec<PathBuf> {
    walk(folder, Some(1), has_ending).files
}

/// Whether the folder of a file, or one around it, is among the paths.
pub(crate) fn covers(paths: &[String], file: &Path) -> bool {
    let around = |path: &Path| path.canonicalize().ok().filter(|path| path.is_dir());
    let Ok(file) = file.canonicalize() else { return false };
    paths.iter().filter_map(|path| around(Path::new(path))).any(|folder| file.starts_with(folder))
}

/// Finds included files beside the including one, below the roots.
pub(crate) struct IncludedFiles(pub Roots);

impl Loader for IncludedFiles {
    fn load(&mut self, sources: &mut Sources, from: FileId, path: &str) -> Result<FileId, Refusal> {
        if path.contains("://") {
            return Err(Refusal::Missing);
        }
        let beside = Path::new(&sources.get(from).name).parent().unwrap_or(Path::new("")).to_owned();
        let name = display(&beside.join(path));
        if let Some(known) = sources.named(&name) {
            return Ok(known);
        }
        let bytes = self.0.include(&beside, path)?;
        Ok(quietly(sources, name, &bytes))
    }
}
