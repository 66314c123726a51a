//! Modules: in no crate do modules of one folder need each other in a circle; the pipeline fits on a page.
//!
//! A module needs another if a path in its files leads there: `use crate::a::b`, `super::c`. What a module and those above it
//! have to do with each other does not count: a folder's `mod.rs` shows its parts, and the parts share its types.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sequent_testing::cases;

/// A module by the names on the way to it.
type Module = Vec<String>;

/// The modules of a crate with their texts, without unit tests and comments.
fn modules(source: &Path) -> BTreeMap<Module, String> {
    fn visit(folder: &Path, at: &[String], found: &mut BTreeMap<Module, String>) {
        for entry in std::fs::read_dir(folder).expect("readable folder") {
            let path = entry.expect("readable entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let below = || at.iter().cloned().chain([name.clone()]).collect::<Module>();
            if path.is_dir() {
                visit(&path, &below(), found);
                continue;
            }
            let module = match name.as_str() {
                "tests" => continue,
                "mod" | "lib" | "main" => at.to_vec(),
                _ => below(),
            };
            let text = std::fs::read_to_string(&path).expect("readable file");
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
            found.entry(module).or_default().push_str(&lines.collect::<Vec<_>>().join("\n"));
        }
    }
    let mut found = BTreeMap::new();
    visit(source, &[], &mut found);
    found
}

/// The paths that begin with `crate::`, `super::` or `self::` in a text, each as its names.
fn paths(text: &str) -> Vec<Module> {
    let mut found = Vec::new();
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in text.match_indices(start) {
            let before = text[..at].chars().next_back();
            if before.is_none_or(|c| !(c.is_alphanumeric() || c == '_' || c == ':')) {
                expand(&[], &text[at..], &mut found);
            }
        }
    }
    found
}

/// Reads a path, or a tree of paths in braces; what is left of the text.
fn expand<'t>(before: &[String], text: &'t str, found: &mut Vec<Module>) -> &'t str {
    let mut text = text.trim_start();
    let mut path = before.to_vec();
    loop {
        if let Some(inside) = text.strip_prefix('{') {
            let mut rest = inside.trim_start();
            while !rest.starts_with('}') && !rest.is_empty() {
                rest = expand(&path, rest, found).trim_start();
                rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
            }
            return rest.strip_prefix('}').unwrap_or(rest);
        }
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
        if end == 0 {
            // Not a path that leads to a module, such as `*`.
            found.push(path);
            return text.get(1..).unwrap_or_default();
        }
        path.push(text[..end].to_owned());
        text = &text[end..];
        match text.strip_prefix("::") {
            Some(rest) => text = rest,
            None => {
                found.push(path);
                let rest = text.trim_start();
                let renamed = rest.strip_prefix("as ").map(str::trim_start);
                let end = |text: &str| text.find([',', '}', ';']).unwrap_or(text.len());
                return renamed.map_or(rest, |text| &text[end(text)..]);
            }
        }
    }
}

/// The module that a path of a module leads to.
fn target(modules: &BTreeMap<Module, String>, from: &[String], path: &[String]) -> Module {
    let mut at = from.to_vec();
    let mut names = path;
    while let Some((first, rest)) = names.split_first() {
        match first.as_str() {
            "crate" => at.clear(),
            "super" => _ = at.pop(),
            "self" => {}
            _ => break,
        }
        names = rest;
    }
    for name in names {
        at.push(name.clone());
        if !modules.contains_key(&at) {
            at.pop();
            break;
        }
    }
    at
}

/// The folder and the names of modules of it that need each other in a circle, one for each circle.
fn circles(modules: &BTreeMap<Module, String>) -> Vec<(Module, BTreeSet<String>)> {
    let mut needs: BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (from, text) in modules {
        for to in paths(text).iter().map(|path| target(modules, from, path)) {
            let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
            if let (Some(one), Some(other)) = (from.get(shared), to.get(shared)) {
                let folder = needs.entry(from[..shared].to_vec()).or_default();
                folder.entry(one.clone()).or_default().insert(other.clone());
            }
        }
    }
    let mut found = Vec::new();
    for (folder, edges) in needs {
        let reached = |from: &String| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
            while let Some(at) = open.pop() {
                open.extend(edges.get(at).into_iter().flatten().filter(|to| seen.insert((*to).clone())));
            }
            seen
        };
        let all: BTreeMap<&String, BTreeSet<String>> =
            edges.keys().map(|from| (from, reached(from))).collect();
        let mut told: BTreeSet<String> = BTreeSet::new();
        for (from, to) in &all {
            let is_back = |name: &&String| all.get(name).is_some_and(|back| back.contains(*from));
            let circle: BTreeSet<String> = to.iter().filter(is_back).cloned().collect();
            if to.contains(*from) && !told.contains(*from) {
                told.extend(circle.iter().cloned());
                found.push((folder.clone(), circle));
            }
        }
    }
    found
}

#[test]
fn no_modules_need_each_other_in_a_circle() {
    let mut told = Vec::new();
    for entry in std::fs::read_dir(cases::root().join("crates")).expect("readable folder") {
        let path = entry.expect("readable entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        for (folder, circle) in circles(&modules(&path.join("src"))) {
            let names: Vec<String> = circle.into_iter().collect();
            told.push(format!("{name}::{}: {}", folder.join("::"), names.join(", ")));
        }
    }
    told.sort();
    assert_eq!(told, Vec::<String>::new(), "these need each other:\n{}", told.join("\n"));
}

#[test]
fn circles_are_found() {
    let text = |text: &str| text.to_owned();
    let module = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Module>();
    let modules = BTreeMap::from([
        (module(&[]), text("mod a; mod b;")),
        (module(&["a"]), text("use super::b::{C, d::E as F};")),
        (module(&["b"]), text("use std::fmt; fn f() { crate::a::g() }")),
        (module(&["c"]), text("use crate::{a::X, b::{self, Y}};")),
    ]);
    assert_eq!(circles(&modules), [(module(&[]), BTreeSet::from(["a".to_owned(), "b".to_owned()]))]);
}

#[test]
fn the_pipeline_fits_on_a_page() {
    let path = cases::root().join("crates/sequent/src/pipeline.rs");
    let text = std::fs::read_to_string(path).expect("readable file");
    assert!(text.lines().count() <= 150, "{} lines", text.lines().count());
}
