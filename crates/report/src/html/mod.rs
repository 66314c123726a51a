//! The result of a check as one HTML file: everything is inside it, nothing is loaded from elsewhere.
//!
//! The page is readable without its script: summary, questions, findings, every diagram drawn, every run drawn and as a
//! list. The script (`stepper.js`, `report.js`) adds what needs one: stepping through runs, with the machines beside them.
//! Drawings are those of [`crate::draw`] in light colours; the style sheet replaces these by those of the dark theme.
//! [`Fragments`] are the parts of the page, for one that is made elsewhere.

mod diagrams;
mod examples;
mod runs;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::model::{FragmentId, Interaction, Model};
use sequent_kernel::source::{FileId, Span};
use sequent_kernel::verdict::{Answer, Story, Verdict};
use serde_json::{Value, json};

use crate::checked::Checked;
use crate::draw::{self, ChartWording};
use crate::{answers, escape};
use runs::Runs;
use words::{plural, script, seen, text};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = concat!(include_str!("watch.js"), include_str!("stepper.js"), include_str!("report.js"));

/// The script that steps through runs.
pub const STEPPER: &str = concat!(include_str!("watch.js"), include_str!("stepper.js"));

/// Diagrams that were checked together.
#[derive(Clone, Copy)]
pub struct ReportSection<'a> {
    /// What they say.
    pub model: &'a Model,
    /// Files that were read only because others need them.
    pub beside: &'a BTreeSet<FileId>,
}

/// Parts of a page as HTML, and what its script needs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Fragments {
    /// How many checks failed and so on.
    pub summary: String,
    /// Every question with its verdict and run.
    pub questions: String,
    /// Every finding with its run.
    pub findings: String,
    /// Some runs of what shows none.
    pub examples: String,
    /// Every diagram, drawn.
    pub diagrams: String,
    /// For each file the lines that the examples pass, and those that no run comes to.
    pub coverage: Value,
    /// The drawings of machines that the script puts beside runs.
    pub machines: String,
    /// What the script knows of the runs.
    pub data: Value,
    /// The runs as scenarios that ask for them, by their numbers.
    pub runs: Vec<Option<Interaction>>,
}

/// The parts of the page.
pub fn fragments(checked: &Checked<'_>, parts: &[ReportSection<'_>], wording: &ChartWording) -> Fragments {
    let mut runs = Runs::new(checked, parts, wording);
    let questions = questions(checked, &mut runs);
    let findings = findings(checked, parts, &mut runs);
    let examples = examples::all(checked, &mut runs);
    Fragments {
        summary: summary(checked),
        questions,
        findings,
        examples,
        diagrams: diagrams::all(checked, parts, wording, &Folds::new()),
        coverage: examples::lines(checked),
        ..of_runs(runs)
    }
}

/// The combined fragments that are folded, by the names of their diagrams.
pub type Folds = BTreeMap<String, BTreeSet<FragmentId>>;

/// Every diagram, drawn, with the findings about it.
pub fn drawings(
    checked: &Checked<'_>,
    parts: &[ReportSection<'_>],
    wording: &ChartWording,
    folds: &Folds,
) -> String {
    diagrams::all(checked, parts, wording, folds)
}

/// One run, in place of the questions.
pub fn run(
    checked: &Checked<'_>,
    parts: &[ReportSection<'_>],
    wording: &ChartWording,
    run: (&Story, &str),
) -> Fragments {
    let mut runs = Runs::new(checked, parts, wording);
    let questions = runs.add(run.0, run.1);
    Fragments { questions, ..of_runs(runs) }
}

fn of_runs(runs: Runs<'_>) -> Fragments {
    let machines = runs.templates();
    let data = seen(json!({ "runs": runs.data, "sources": runs.sources(), "texts": runs.texts() }));
    Fragments { machines, data, runs: runs.scenarios, ..Fragments::default() }
}

/// The style sheet, for light and dark.
pub fn style() -> String {
    format!("{STYLE}\n{}", dark())
}

/// The whole page.
pub fn page(checked: &Checked<'_>, parts: &[ReportSection<'_>], wording: &ChartWording) -> String {
    let Fragments { summary, questions, findings, examples, diagrams, machines, data, .. } =
        fragments(checked, parts, wording);
    let (style, data) = (style(), script(&data));
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Sequent report</title>\n\
         <style>\n{style}</style>\n</head>\n<body>\n\
         <header>\n<h1>Sequent report</h1>\n{summary}\
         <nav aria-label=\"Parts of the report\"><a href=\"#questions\">Questions</a> <a href=\"#findings\">Findings</a> \
         <a href=\"#examples\">Examples</a> <a href=\"#diagrams\">Diagrams</a></nav>\n\
         <button type=\"button\" id=\"theme\" hidden>Light or dark</button>\n</header>\n<main>\n\
         <section id=\"questions\"><h2>Questions</h2>\n{questions}</section>\n\
         <section id=\"findings\"><h2>Findings</h2>\n{findings}</section>\n\
         <section id=\"examples\"><h2>Examples</h2>\n{examples}</section>\n\
         <section id=\"diagrams\"><h2>Diagrams</h2>\n{diagrams}</section>\n</main>\n{machines}\
         <script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    );
    // A build server that prints the page finds no command in it; data has no such signs already.
    escape::without_hashes(&page, "&#35;")
}

fn summary(checked: &Checked<'_>) -> String {
    let count = |severity| checked.diagnostics.iter().filter(|one| one.severity == severity).count();
    let is_open = |answer: &&Answer| matches!(answer.verdict, Verdict::Unknown(_));
    let bad = || checked.answers.iter().filter(|answer| checked.is_bad(answer));
    let (open, failed) = (bad().filter(is_open).count(), bad().filter(|answer| !is_open(answer)).count());
    let passed = checked.answers.len() - open - failed;
    let told = [
        ("questions", "bad", failed, "check failed", "checks failed"),
        ("questions", "open", open, "check undecided", "checks undecided"),
        ("questions", "good", passed, "check passed", "checks passed"),
        ("findings", "bad", count(Severity::Error), "error", "errors"),
        ("findings", "open", count(Severity::Warning), "warning", "warnings"),
        ("findings", "note", count(Severity::Hint), "hint", "hints"),
    ];
    let shown = told.iter().filter(|(_, _, number, ..)| *number > 0);
    let items: String = shown
        .map(|(section, class, number, one, many)| {
            let told = plural(*number, one, many);
            format!("<li class=\"{class}\" data-of=\"{section}\">{told}</li>")
        })
        .collect();
    let items = if items.is_empty() { "<li class=\"good\">no problems found</li>".to_owned() } else { items };
    format!("<ul class=\"summary\">{items}</ul>\n")
}

fn questions(checked: &Checked<'_>, runs: &mut Runs<'_>) -> String {
    if checked.answers.is_empty() {
        return "<p>Nothing was asked.</p>\n".to_owned();
    }
    let one = |answer: &Answer| {
        let class = match (checked.is_bad(answer), &answer.verdict) {
            (true, Verdict::Unknown(_)) => "open",
            (true, Verdict::Holds(_) | Verdict::Fails(_)) => "bad",
            (false, _) => "good",
        };
        let place = answer.place.map(|place| self::place(checked, place.0)).unwrap_or_default();
        let evidence = answer.verdict.evidence().map_or("", |evidence| evidence.name());
        let invariant = answer.verdict.proof().map(|proof| {
            let lines: String = proof.invariant.iter().map(|line| format!("{}\n", text(line))).collect();
            if lines.is_empty() {
                lines
            } else {
                format!("<details><summary>the invariant</summary><pre>{lines}</pre></details>\n")
            }
        });
        let run = answer.verdict.story().map(|story| runs.add(story, &answer.name)).unwrap_or_default();
        let line = answers::line(answer);
        let tag = if evidence.is_empty() {
            String::new()
        } else {
            format!(" <span class=\"tag\">{evidence}</span>")
        };
        let invariant = invariant.unwrap_or_default();
        let key = json!(["question", answer.kind, answer.target, answer.name]);
        format!(
            "<article class=\"{class}\" data-key=\"{}\" data-name=\"{}\">\n<h3>{}{tag}</h3>\n{place}{invariant}{run}</article>\n",
            text(&key.to_string()),
            text(&answers::title(answer)),
            text(line.trim_end())
        )
    };
    checked.answers.iter().map(one).collect()
}

/// The name of the diagram in which something stands.
pub fn diagram_at<'a>(parts: &[ReportSection<'a>], span: Span) -> Option<&'a str> {
    let of_part = |part: &ReportSection<'a>| {
        let interactions = part.model.interactions.iter().map(|one| (one.place, one.name.as_str()));
        let machines = part.model.machines.iter().map(|one| (one.place, one.name.as_str()));
        let mut all = interactions.chain(machines);
        all.find(|(place, _)| place.0.encloses(span)).map(|(_, name)| name)
    };
    parts.iter().find_map(of_part)
}

fn findings(checked: &Checked<'_>, parts: &[ReportSection<'_>], runs: &mut Runs<'_>) -> String {
    if checked.diagnostics.is_empty() {
        return "<p>There are none.</p>\n".to_owned();
    }
    let asked: Vec<&Story> = checked.answers.iter().filter_map(|answer| answer.verdict.story()).collect();
    let one = |finding: &Diagnostic| {
        let story = checked.stories.get(&finding.identity()).filter(|story| !asked.contains(story));
        let run = story.map(|story| runs.add(story, &finding.message)).unwrap_or_default();
        let (file, line, _) = checked.place(finding.span);
        let written = checked.sources.get(finding.span.file).line(line).trim();
        let key = json!(["finding", finding.code.name(), file, diagram_at(parts, finding.span)]);
        format!(
            "<article class=\"{}\" data-key=\"{}\" data-written=\"{}\" data-name=\"{}\">\n{}{run}</article>\n",
            class(finding.severity),
            text(&key.to_string()),
            text(written),
            text(&finding.message),
            brief(checked, finding, "h3")
        )
    };
    checked.diagnostics.iter().map(one).collect()
}

fn class(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "bad",
        Severity::Warning => "open",
        Severity::Hint => "note",
    }
}

/// A finding with its line, without its run.
fn brief(checked: &Checked<'_>, finding: &Diagnostic, heading: &str) -> String {
    let source = checked.sources.get(finding.span.file);
    let line = source.line(checked.sources.position(finding.span).line);
    let hint = finding
        .hint
        .as_ref()
        .map(|hint| format!("<p class=\"hint\">{}</p>\n", text(hint)))
        .unwrap_or_default();
    let labels: String = finding
        .labels
        .iter()
        .map(|label| {
            let (file, line, column) = checked.place(label.span);
            format!("<li>{} <code>{}:{line}:{column}</code></li>", text(&label.text), text(file))
        })
        .collect();
    let labels = if labels.is_empty() { labels } else { format!("<ul>{labels}</ul>\n") };
    format!(
        "<{heading}><span class=\"tag\">{}</span> {}</{heading}>\n{}<pre class=\"excerpt\">{}</pre>\n{labels}{hint}",
        finding.name(),
        text(&finding.message),
        place(checked, finding.span),
        text(line)
    )
}

fn place(checked: &Checked<'_>, span: Span) -> String {
    let (file, line, column) = checked.place(span);
    format!("<p class=\"place\"><code>{}:{line}:{column}</code></p>\n", text(file))
}

/// Rules that replace the colours of light drawings by those of dark ones, and give way to every rule that marks something.
fn dark() -> String {
    let rules = |scope: &str| -> String {
        let one = |(light, dark): &(String, String)| {
            format!(
                ":where({scope} svg [fill=\"{light}\"]){{fill:{dark}}}:where({scope} svg [stroke=\"{light}\"]){{stroke:{dark}}}\n"
            )
        };
        draw::dark_colours().iter().map(one).collect()
    };
    format!(
        "@media screen{{{}}}\n@media screen and (prefers-color-scheme:dark){{{}}}\n",
        rules(":root[data-theme=dark]"),
        rules(":root:not([data-theme=light])")
    )
}
