//! What a finding means: what is wrong, why it matters, a diagram with it and one without, how to suppress it.
//!
//! What is wrong is said by the table of codes. The rest is in `advice.txt`: for each code a line `# W201`, a paragraph that says why it
//! matters, and examples below `--- bad` and `--- good`. An example of which only a part is shown, or that is not a diagram, has `shown`
//! before its name. Where no bad example is given it is the file of `examples/diagnostics`.

mod examples;

use sequent_kernel::diagnostic::Code;

const ADVICE: &str = include_str!("advice.txt");

/// What is known about a code beside the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Why the finding matters.
    pub why: String,
    /// An example with the finding.
    pub bad: Example,
    /// The example mended.
    pub good: Example,
}

/// A diagram, or a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    /// Its file in `examples/diagnostics`, if it is one.
    pub file: Option<&'static str>,
    /// What is written there.
    pub text: String,
    /// Whether it is a diagram as a whole, which can be checked.
    pub is_whole: bool,
}

/// The advice about a code; none if it is not complete.
pub fn advice(code: Code) -> Option<Advice> {
    let heading = format!("# {}", code.name());
    let rest = ADVICE.lines().skip_while(|line| *line != heading).skip(1);
    let section: Vec<&str> = rest.take_while(|line| !is_heading(line)).collect();
    let why: Vec<&str> = section.iter().copied().take_while(|line| !line.starts_with("--- ")).collect();
    let why = why.join(" ").trim().to_owned();
    let good = given(&section, "good")?;
    let bad = given(&section, "bad").or_else(|| drawn(code))?;
    (!why.is_empty()).then_some(Advice { why, bad, good })
}

fn is_heading(line: &str) -> bool {
    line.strip_prefix("# ").is_some_and(|name| Code::from_name(name).is_some())
}

/// The example of this name in a section.
fn given(section: &[&str], name: &str) -> Option<Example> {
    let mark = section.iter().position(|line| {
        line.strip_prefix("--- ").is_some_and(|words| words.trim_start_matches("shown ") == name)
    })?;
    let lines: Vec<&str> =
        section[mark + 1..].iter().copied().take_while(|line| !line.starts_with("--- ")).collect();
    let is_whole = !section[mark].contains("shown ");
    Some(Example { file: None, text: format!("{}\n", lines.join("\n").trim_end()), is_whole })
}

/// The example among the files; what it announces about itself is left out.
fn drawn(code: Code) -> Option<Example> {
    let (file, text) = examples::FILES.iter().find(|(file, _)| file.starts_with(code.name()))?;
    let lines = text.lines().filter(|line| !line.contains("@expect"));
    Some(Example { file: Some(file), text: lines.map(|line| format!("{line}\n")).collect(), is_whole: true })
}

/// The page about a code for a terminal of this width.
pub fn text(code: Code, width: usize) -> String {
    let name = code.name();
    let mut page = format!(
        "{name} ({}): {}\n\n{}\n",
        code.severity().name(),
        code.title(),
        fill(code.explanation(), width)
    );
    if let Some(advice) = advice(code) {
        page += &format!("\nWhy it matters:\n\n{}\n", fill(&advice.why, width));
        page += &format!("\nBad{}:\n\n{}", origin(&advice.bad), indented(&advice.bad.text));
        page += &format!("\nGood{}:\n\n{}", origin(&advice.good), indented(&advice.good.text));
    }
    page + &format!("\nTo suppress it:\n\n{}", indented(&suppressions(code)))
}

/// The file of an example, or that it is only a part of one.
fn origin(example: &Example) -> String {
    match example.file {
        Some(file) => format!(" ({file})"),
        None if example.is_whole => String::new(),
        None => " (excerpt)".to_owned(),
    }
}

/// All codes as a page in Markdown, each at an anchor that is its name.
pub fn markdown() -> String {
    let mut page = "# Findings\n\n\
        What each finding means, as `sequent explain CODE` prints it; the page is generated from the same table \
        (`UPDATE_EXPECT=1 cargo test -p sequent --test tidy`). A finding that is less certain, or less severe in one notation, \
        has the same number with the letter of its own severity: H201 is explained at W201.\n\n\
        [checking.md](checking.md#suppressing-findings) says how to suppress findings.\n\n"
        .to_owned();
    for code in Code::ALL {
        page += &format!("- [{0}](#{1}) {2}\n", code.name(), code.name().to_lowercase(), code.title());
    }
    for code in Code::ALL {
        page += &format!("\n## {}\n\n{}\n", code.name(), help(*code));
    }
    page
}

/// What is wrong, why it matters and the examples, in Markdown without a heading.
pub fn help(code: Code) -> String {
    let title = code.title();
    let mut text = format!("*{}{}.* {}\n", title[..1].to_uppercase(), &title[1..], code.explanation());
    if let Some(advice) = advice(code) {
        text += &format!("\n**Why it matters.** {}\n", advice.why);
        text += &format!("\nBad:\n\n{}\nGood:\n\n{}", fenced(&advice.bad.text), fenced(&advice.good.text));
    }
    text
}

/// Text between fences that are longer than those it holds.
fn fenced(text: &str) -> String {
    let fence = if text.contains("```") { "````" } else { "```" };
    format!("{fence}text\n{text}{fence}\n")
}

/// Findings outside of diagrams, and about comments: no comment suppresses them.
const WITHOUT_COMMENT: &[Code] = &[
    Code::UnreadableFile,
    Code::UnknownSetting,
    Code::BadSetting,
    Code::IdleSuppression,
    Code::UnknownObject,
];

/// Findings about a whole file, or in a UML model, where a comment counts for the whole file only.
const WITH_FILE_COMMENT: &[Code] = &[
    Code::NoDiagram,
    Code::BadXml,
    Code::OrderUnknown,
    Code::MissingElement,
    Code::TwoNames,
    Code::OrderFromDiagram,
];

/// The ways to suppress a code, each with its scope.
fn suppressions(code: Code) -> String {
    let name = code.name();
    let mut ways = Vec::new();
    if WITH_FILE_COMMENT.contains(&code) {
        ways.push((format!("<!-- sequent: allow-file {name} -->"), "on any line, for the whole file"));
    } else if !WITHOUT_COMMENT.contains(&code) {
        let scope = "on the line before (%% in Mermaid, <!-- --> in Markdown)";
        ways.push((format!("' sequent: allow {name}"), scope));
        ways.push((format!("' sequent: allow-file {name}"), "on any line, for the whole file"));
    }
    ways.push(("[lint]".to_owned(), "in sequent.toml, for a folder"));
    ways.push((format!("allow = [\"{name}\"]"), ""));
    ways.push((format!("sequent check --allow {name}"), "for one run"));
    let line = |(way, scope): (String, &str)| format!("{}\n", format!("{way:<36}{scope}").trim_end());
    ways.into_iter().map(line).collect()
}

fn indented(text: &str) -> String {
    let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") };
    text.lines().map(line).collect()
}

/// Breaks a text into lines that fit the screen.
fn fill(text: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is always a line");
        if !last.is_empty() && last.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines.join("\n")
}
