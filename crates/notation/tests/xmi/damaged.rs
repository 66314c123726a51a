//! Models that are cut off, or in which bytes are changed, are read without a panic.

use std::path::PathBuf;

use sequent_kernel::diagnostic::Code;
use sequent_kernel::random::Random;
use sequent_testing::corpus::corpus;
use sequent_testing::seeds::seeds;

use crate::samples;

/// The models of the corpus up to some length, and those of the examples.
fn files() -> Vec<PathBuf> {
    let examples = sequent_testing::cases::root().join("examples");
    let folders = [examples.join("gallery"), examples.join("diagnostics")].into_iter();
    let folders = folders.chain(corpus().map(|corpus| corpus.join("xmi")));
    let entries = folders.flat_map(|folder| std::fs::read_dir(folder).expect("a folder"));
    let mut files: Vec<PathBuf> = entries.map(|one| one.expect("entry").path()).collect();
    files.retain(|file| {
        let is_model = sequent_notation::xmi::has_ending(&file.to_string_lossy());
        is_model && std::fs::metadata(file).is_ok_and(|facts| facts.len() < 100_000)
    });
    files.sort();
    files
}

#[test]
fn damaged_models_are_read_without_panic() {
    let files = files();
    assert!(!files.is_empty(), "there are examples");
    for seed in seeds(40) {
        let mut random = Random::new(seed);
        let path = &files[random.below(files.len())];
        let mut bytes = std::fs::read(path).expect("readable model");
        let length = bytes.len();
        match random.below(3) {
            0 => bytes.truncate(random.below(length)),
            1 => {
                // A piece is left out.
                let start = random.below(length);
                let end = (start + random.below(400)).min(bytes.len());
                bytes.drain(start..end);
            }
            _ => {
                for _ in 0..20 {
                    let at = random.below(length);
                    bytes[at] = b"<>\"'= /abc019#&;:"[random.below(17)];
                }
            }
        }
        samples::read_bytes(path, &bytes);
    }
}

#[test]
fn references_that_lead_elsewhere_are_read_without_panic() {
    // Every reference leads to the first element that has an id: machines contain themselves, messages are their own ends.
    for path in files() {
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("readable model")).into_owned();
        let Some(first) = text.split("xmi:id=\"").nth(1).and_then(|rest| rest.split('"').next()) else {
            continue;
        };
        let mut changed = text.clone();
        for role in
            ["source", "target", "covered", "event", "submachine", "sendEvent", "refersTo", "type", "signal"]
        {
            let pieces: Vec<&str> = changed.split(&format!(" {role}=\"")).collect();
            let replaced = pieces[1..].iter().filter_map(|piece| piece.split_once('"'));
            let replaced = replaced.map(|(_, rest)| format!(" {role}=\"{first}\"{rest}"));
            changed = format!("{}{}", pieces[0], replaced.collect::<String>());
        }
        samples::read_bytes(&path, changed.as_bytes());
    }
}

#[test]
fn hostile_models_are_refused() {
    let bomb = "<!DOCTYPE m [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><uml:Model xmlns:uml='u'>&b;</uml:Model>";
    let file =
        "<!DOCTYPE m [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><uml:Model xmlns:uml='u' name='&a;'/>";
    let deep =
        format!("<uml:Model xmlns:uml='u'>{}{}</uml:Model>", "<a>".repeat(100_000), "</a>".repeat(100_000));
    for text in [bomb, file, &deep] {
        let sample = samples::read_bytes(&PathBuf::from("hostile.uml"), text.as_bytes());
        assert!(sample.diagnostics.iter().any(|one| one.code == Code::BadXml), "{:?}", sample.diagnostics);
        assert!(!format!("{:?}", sample.diagnostics).contains("root:"));
    }
    let long = format!("<uml:Model xmlns:uml='u' name='{}'/>", "x".repeat(5_000_000));
    assert!(samples::read_bytes(&PathBuf::from("long.uml"), long.as_bytes()).diagnostics.is_empty());
}
