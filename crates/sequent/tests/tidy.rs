//! Tidy: the written promises about the project are kept.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use sequent::effort::Effort;
use sequent_kernel::diagnostic::Code;
use sequent_kernel::source::Sources;
use sequent_notation::NoFiles;
use sequent_notation::resolve::directive;
use sequent_report::explanation;
use sequent_testing::cases;

fn text(path: &str) -> String {
    std::fs::read_to_string(cases::root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Rust files below `crates` and `fuzz`.
fn rust_files() -> Vec<PathBuf> {
    fn visit(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("readable folder") {
            let path = entry.expect("readable entry").path();
            if path.is_dir() {
                visit(&path, files);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    visit(&cases::root().join("crates"), &mut files);
    visit(&cases::root().join("fuzz/fuzz_targets"), &mut files);
    files.sort();
    files
}

#[test]
fn every_file_says_what_it_is() {
    for path in rust_files() {
        let content = std::fs::read_to_string(&path).expect("readable file");
        assert!(content.starts_with("//!"), "{} does not open with `//!`", path.display());
    }
}

/// The folders below `crates`.
const CRATES: [&str; 10] =
    ["kernel", "notation", "engine", "cluster", "report", "sequent", "lsp", "evaluation", "cli", "testing"];

#[test]
fn every_crate_is_known_here() {
    let folders = std::fs::read_dir(cases::root().join("crates")).expect("readable folder");
    let there: BTreeSet<String> = folders
        .map(|entry| entry.expect("readable entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(there, CRATES.map(str::to_owned).into());
}

#[test]
fn the_map_names_every_crate_and_top_module() {
    let map = text("docs/architecture.md");
    for name in CRATES {
        assert!(
            map.contains(&format!("| `{name}` |")),
            "docs/architecture.md does not name the crate {name}"
        );
        let lib = text(&format!("crates/{name}/src/lib.rs"));
        for line in lib.lines() {
            if let Some(module) = line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';')) {
                assert!(
                    map.contains(&format!("`{module}`")),
                    "docs/architecture.md does not name {name}::{module}"
                );
            }
        }
    }
}

/// The section of a manifest with what only Unix needs.
const UNIX: &str = "target.'cfg(unix)'.dependencies";

#[test]
fn dependencies_run_one_way_and_are_written_down() {
    let map = text("docs/architecture.md");
    let allowed = [
        ("kernel", vec![]),
        ("notation", vec!["kernel"]),
        ("engine", vec!["kernel"]),
        ("cluster", vec!["kernel", "engine"]),
        ("report", vec!["kernel"]),
        ("sequent", vec!["kernel", "notation", "engine", "report"]),
        ("lsp", vec!["kernel", "notation", "engine", "report", "sequent"]),
        ("evaluation", vec!["kernel", "notation", "engine", "report", "sequent"]),
        ("cli", vec!["kernel", "notation", "engine", "cluster", "report", "sequent", "lsp", "evaluation"]),
        ("testing", vec!["kernel", "notation", "engine", "report", "sequent", "evaluation", "cli"]),
    ];
    for (name, ours) in allowed {
        for dependency in ["dependencies", UNIX].into_iter().flat_map(|section| listed(name, section)) {
            match own(&dependency) {
                Some(own) => assert!(ours.contains(&own), "{name} must not depend on {own}"),
                None => assert!(
                    map.contains(&format!("`{dependency}`")),
                    "docs/architecture.md gives no reason for {dependency}"
                ),
            }
        }
    }
}

/// The product is built without what measures and tests it: only tests and benches of a crate below the command may use that.
#[test]
fn the_product_does_without_evaluation_and_testing() {
    let product = ["kernel", "notation", "engine", "cluster", "report", "sequent"];
    for name in CRATES {
        let built: Vec<String> = ["dependencies", "build-dependencies", UNIX]
            .into_iter()
            .flat_map(|section| listed(name, section))
            .collect();
        let uses = |one: &str| built.iter().any(|dependency| dependency == one);
        assert!(!uses("sequent-testing"), "{name} depends on testing outside of its tests");
        assert!(
            !product.contains(&name) || !uses("sequent-evaluation"),
            "{name} depends on evaluation outside of its tests"
        );
        let manifest = text(&format!("crates/{name}/Cargo.toml"));
        let manifest = manifest.replace(&format!("[{UNIX}]"), "");
        assert!(!manifest.contains("[target."), "{name} has dependencies that this test does not look at");
    }
}

/// A module lies where its name says, and is compiled once: what several tests need is a module of `testing`.
#[test]
fn no_module_lies_elsewhere() {
    let word = concat!("#[", "path");
    for path in rust_files() {
        let content = std::fs::read_to_string(&path).expect("readable file");
        assert!(!content.contains(word), "{} takes a module from elsewhere", path.display());
    }
}

/// The folder of a dependency that is a crate of ours.
fn own(dependency: &str) -> Option<&str> {
    if dependency == "sequent" { Some(dependency) } else { dependency.strip_prefix("sequent-") }
}

/// The names in a section of a crate's manifest; none if it is not there.
fn listed(name: &str, section: &str) -> Vec<String> {
    let manifest = text(&format!("crates/{name}/Cargo.toml"));
    let lines = manifest.lines().skip_while(|line| *line != format!("[{section}]")).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let names = lines
        .filter(|line| !line.starts_with('#') && line.contains('='))
        .map(|line| line.split(['=', '.']).next().expect("a line has a first word").trim().to_owned());
    names.collect()
}

/// Shown in tests of the command instead: a file that is not there, files that nobody would write, and files that cannot say what is
/// expected of them.
const WITHOUT_EXAMPLE: &[Code] = &[Code::UnreadableFile, Code::TooDeep, Code::UnwieldyUse, Code::BadXml];

#[test]
fn every_code_has_an_example() {
    let expected: BTreeSet<Code> = cases::all()
        .iter()
        .flat_map(|case| {
            let session = cases::read(case);
            let known = session.reading.model.known.iter().filter(|known| known.must_come);
            let known: Vec<Code> = known.map(|known| known.code).collect();
            known.into_iter().chain(session.check().diagnostics.into_iter().map(|one| one.code))
        })
        .collect();
    for code in Code::ALL.iter().filter(|code| !WITHOUT_EXAMPLE.contains(code)) {
        assert!(expected.contains(code), "{} ({}) has no example in examples/", code.name(), code.title());
    }
}

/// `diagnostics/W201-bar-never-ends.puml` shows W201 and nothing else, and is fine otherwise.
#[test]
fn an_example_of_a_code_shows_that_code_alone() {
    for case in cases::all().iter().filter(|case| case.name.starts_with("diagnostics/")) {
        let file = case.name.trim_start_matches("diagnostics/");
        let code = file.split('-').next().and_then(Code::from_name);
        let code = code.unwrap_or_else(|| panic!("{file} does not begin with a code"));
        let outcome = cases::read(case).check();
        let shown = outcome.known.iter().chain(&outcome.diagnostics).map(|finding| finding.code);
        assert_eq!(shown.collect::<BTreeSet<_>>(), BTreeSet::from([code]), "{file}");
        assert_eq!(sequent::pipeline::exit_code(&outcome), 0, "{file}");
    }
}

#[test]
fn the_gallery_is_clean() {
    for case in cases::all().iter().filter(|case| case.name.starts_with("gallery/")) {
        let outcome = cases::read(case).check();
        // What a diagram is there to show is announced; nothing else comes.
        let is_shown = outcome.known.iter().all(|finding| finding.code == Code::Stuck);
        assert!(outcome.diagnostics.is_empty() && is_shown, "{}", case.name);
    }
}

#[test]
fn the_diagrams_that_explain_the_rules_are_clean() {
    let files = vec![cases::root().join("docs/semantics.md")];
    let case =
        cases::ExampleCase { name: "rules".to_owned(), files, settings: None, expected: PathBuf::new() };
    let outcome = cases::read(&case).check();
    assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
}

#[test]
fn every_directive_is_described() {
    let page = text("docs/notation.md");
    for (name, form) in directive::TABLE {
        assert!(page.contains(&format!("`@{name}")), "docs/notation.md does not describe {form}");
    }
}

#[test]
fn every_rule_has_an_example_that_is_there() {
    let rules = text("docs/semantics.md");
    for number in 1..=12 {
        assert!(rules.contains(&format!("## I{number} ")), "docs/semantics.md lacks rule I{number}");
    }
    for number in 1..=6 {
        assert!(rules.contains(&format!("## M{number} ")), "docs/semantics.md lacks rule M{number}");
    }
    for word in rules.split(['`', '(', ')', ' ', '\n']).filter(|word| word.contains("examples/")) {
        let path = word.trim_start_matches("../");
        assert!(cases::root().join(path).exists(), "docs/semantics.md names {path}, which is not there");
    }
}

#[test]
fn the_project_speaks_of_itself_alone() {
    let mut files = rust_files();
    let docs = [
        "README.md",
        "CHANGELOG.md",
        "docs/architecture.md",
        "docs/semantics.md",
        "docs/notation.md",
        ".ci/run",
    ];
    files.extend(docs.iter().map(|path| cases::root().join(path)));
    for path in files.iter().filter(|path| !path.ends_with("tidy.rs")) {
        let content = std::fs::read_to_string(path).unwrap_or_default();
        for word in ["/work/", "/root/", "TODO", "FIXME", "todo!(", "unimplemented!(", "#[ignore"] {
            assert!(!content.contains(word), "{} contains {word:?}", path.display());
        }
    }
}

/// Pages of the documentation, by their paths from the root.
fn pages() -> Vec<String> {
    let folder = std::fs::read_dir(cases::root().join("docs")).expect("readable folder");
    let names = folder.map(|entry| entry.expect("readable entry").file_name().to_string_lossy().into_owned());
    let pages = names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}"));
    pages.chain(["README.md".to_owned(), "CHANGELOG.md".to_owned()]).collect()
}

#[test]
fn every_page_is_in_the_index() {
    let index = text("docs/README.md");
    for page in pages().iter().filter_map(|page| page.strip_prefix("docs/")) {
        assert!(page == "README.md" || index.contains(&format!("]({page}")), "docs/README.md lacks {page}");
    }
}

#[test]
fn links_of_pages_lead_somewhere() {
    for page in pages() {
        let content = text(&page);
        let folder = cases::root().join(&page).parent().expect("a page lies in a folder").to_owned();
        let links = content.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        for (link, _) in links.filter(|(link, _)| !link.contains([' ', ':']) && !link.is_empty()) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { cases::root().join(&page) } else { folder.join(path) };
            assert!(target.exists(), "{page} links to {link}");
            if !anchor.is_empty() {
                let target = std::fs::read_to_string(target).unwrap_or_default();
                let mut headings = target.lines().filter(|line| line.starts_with('#')).map(anchor_of);
                assert!(headings.any(|heading| heading == anchor), "{page} links to {link}");
            }
        }
    }
}

/// How code hosts name the place of a heading.
fn anchor_of(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = words.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// The codes found in a diagram that stands alone.
fn codes_in(text: &str) -> Vec<Code> {
    let mut sources = Sources::new();
    let file = sources.add("a", text);
    let settings = Default::default();
    let reading = sequent::pipeline::read(&[file], &mut sources, &mut NoFiles, &settings);
    let outcome = sequent::pipeline::check(&reading, &settings, &Effort::default());
    outcome.diagnostics.iter().map(|finding| finding.code).collect()
}

#[test]
fn every_code_is_explained_with_a_bad_and_a_good_example() {
    for code in Code::ALL {
        let name = code.name();
        let advice = explanation::advice(*code);
        let advice =
            advice.unwrap_or_else(|| panic!("crates/report/src/explanation/advice.txt lacks {name}"));
        if advice.good.is_whole {
            assert_eq!(codes_in(&advice.good.text), [], "the good example of {name}");
        }
        if advice.bad.is_whole && advice.bad.file.is_none() {
            assert!(codes_in(&advice.bad.text).contains(code), "the bad example of {name}");
        }
    }
}

#[test]
fn the_page_of_findings_says_what_explain_says() {
    let path = cases::root().join("docs/findings.md");
    let page = explanation::markdown();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &page).expect("a place for the page");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "docs/findings.md is out of date: UPDATE_EXPECT=1 cargo test -p sequent --test tidy"
    );
}

/// Names that more than one type has: words that the stable interface (`sequent::api`) shares with the kernel, and a type that
/// each platform has in its own way.
const SHARED_NAMES: [&str; 3] = ["Answer", "Signals", "Verdict"];

#[test]
fn a_type_has_a_name_of_its_own() {
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in rust_files().into_iter().filter(|path| path.iter().any(|part| part == "src")) {
        let content = std::fs::read_to_string(&path).expect("readable file");
        for name in content.lines().filter_map(defined_type) {
            places.entry(name.to_owned()).or_default().push(path.clone());
        }
    }
    for (name, paths) in places.iter().filter(|(_, paths)| paths.len() > 1) {
        assert!(SHARED_NAMES.contains(&name.as_str()), "several types are called {name}: {paths:?}");
    }
}

/// The type that a line defines. A `type` further in belongs to a trait, which gives it its name.
fn defined_type(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let text = match text.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.strip_prefix(' ')?,
        None => text,
    };
    let (word, rest) = text.split_once(' ')?;
    let is_type =
        ["struct", "enum", "trait", "union"].contains(&word) || word == "type" && !line.starts_with(' ');
    let end = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
    let is_name = rest.starts_with(|letter: char| letter.is_uppercase());
    (is_type && is_name).then_some(&rest[..end])
}
