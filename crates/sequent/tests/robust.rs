//! Broken input is data: examples cut, shuffled and mutated never make Sequent panic, hang or lose a byte.
//!
//! Mutations are drawn from fixed seeds, so that a failure can be repeated; `SEQUENT_RANDOM=1500` makes that many and cuts at every
//! line instead of every third, and `fuzz/` looks much further.

use sequent::effort::Effort;
use sequent::pipeline;
use sequent_kernel::random::Random;
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::source::Sources;
use sequent_kernel::templates::{TemplateOptions, cut, templates};
use sequent_notation::NoFiles;
use sequent_notation::tree::lossless;
use sequent_report::{draw, findings};
use sequent_testing::cases;
use sequent_testing::seeds::{is_more, seeds};

/// Does everything with a text that a user could.
fn survive(name: &str, text: &str) {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &Default::default());
    for document in &reading.documents {
        let tree = lossless::cut(document, text.len());
        let joined: String = tree.leaves().iter().map(|leaf| sources.text(leaf.span)).collect();
        assert_eq!(joined, text, "{name}");
    }
    let outcome = pipeline::check(&reading, &Default::default(), &Effort::default());
    for diagnostic in &outcome.diagnostics {
        findings::text(diagnostic, &sources, findings::FindingStyle { colour: false, width: 80 });
    }
    for interaction in reading.model.interactions.iter() {
        draw::text(interaction, &draw::TextStyle::default());
    }
    for id in reading.model.interactions.ids() {
        // What cannot be written is refused.
        let (model, _) = cut(&reading.model, id, 1);
        let _ = templates(&model, id, &Assumptions::default(), TemplateOptions::default());
    }
}

/// All examples as name and text.
fn examples() -> Vec<(String, String)> {
    let files = cases::all().into_iter().flat_map(|case| case.files);
    let read = |path: std::path::PathBuf| {
        let bytes = std::fs::read(&path).expect("readable example");
        (path.to_string_lossy().into_owned(), String::from_utf8_lossy(&bytes).into_owned())
    };
    files.map(read).collect()
}

#[test]
fn every_example_cut_at_its_lines() {
    let step = if is_more() { 1 } else { 3 };
    for (number, (name, text)) in examples().into_iter().enumerate() {
        // In the next example at other lines, so that beginnings and ends differ.
        for (end, _) in text.match_indices('\n').skip(number % step).step_by(step) {
            survive(&name, &text[..end]);
            survive(&name, &text[end + 1..]);
        }
    }
}

#[test]
fn mutated_examples() {
    let examples = examples();
    for seed in seeds(500) {
        let mut random = Random::new(seed);
        let (name, text) = &examples[random.below(examples.len())];
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for _ in 0..=random.below(4) {
            mutate(&mut lines, &mut random, &examples);
        }
        let end = if random.below(2) == 0 { "\n" } else { "\r\n" };
        survive(name, &lines.join(end));
    }
}

const SNIPPETS: &[&str] = &[
    "end",
    "else",
    "alt",
    "}",
    "{",
    "\"",
    "[",
    "]",
    ":",
    "->",
    "-->>",
    "é",
    "\u{1F600}",
    "<br/>",
    "#",
    "@",
    "!if 1",
    "/'",
    "'/",
    "%%{",
    "note over a",
    "state X {",
    "--",
    "[*]",
    "loop (",
    "$x",
    "!$x = 1",
    "\t",
    ";",
    "<<",
    "\\n",
    "`",
];

fn mutate(lines: &mut Vec<String>, random: &mut Random, examples: &[(String, String)]) {
    if lines.is_empty() {
        lines.push(String::new());
    }
    let at = random.below(lines.len());
    match random.below(5) {
        0 => {
            lines.remove(at);
        }
        1 => {
            let copy = lines[at].clone();
            lines.insert(random.below(lines.len()), copy);
        }
        2 => {
            let (_, other) = &examples[random.below(examples.len())];
            let other: Vec<&str> = other.lines().collect();
            lines.insert(at, other[random.below(other.len())].to_owned());
        }
        3 => {
            let snippet = SNIPPETS[random.below(SNIPPETS.len())];
            let positions: Vec<usize> =
                lines[at].char_indices().map(|(at, _)| at).chain([lines[at].len()]).collect();
            lines[at].insert_str(positions[random.below(positions.len())], snippet);
        }
        _ => {
            let kept: String = lines[at].chars().take(random.below(lines[at].chars().count())).collect();
            lines[at] = kept;
        }
    }
}

#[test]
fn absurd_inputs() {
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(5_000), close.repeat(5_000));
    survive("a.puml", &deep("alt x\n", "end\n"));
    survive("a.mmd", &format!("sequenceDiagram\n{}", deep("alt x\n", "end\n")));
    survive("a.puml", &deep("state x {\n", "}\n"));
    survive("a.mmd", &format!("stateDiagram-v2\n{}", deep("state x {\n", "}\n")));
    survive("a.puml", &format!("a -> b : {}\n", "(".repeat(20_000)));
    survive("a.puml", &format!("alt {}\na -> b : x\nend\n", "!".repeat(20_000)));
    survive("a.puml", &format!("[*] --> A : [{}]\n", "(".repeat(20_000)));
    survive("a.puml", &"!$x = $x + $x\n".repeat(200));
    survive("a.puml", "!procedure $p()\n$p()\n!endprocedure\n$p()\n");
    survive("a.md", &"> ".repeat(3_000));
    survive("a.md", &"```mermaid\n".repeat(2_000));
    survive("a.puml", &"x".repeat(1_000_000));
    survive("a.mmd", &"sequenceDiagram ".repeat(50_000));
}
