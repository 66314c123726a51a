//! Findings as diagnostics of the editor, with their fixes as code actions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use sequent::fix;
use sequent_kernel::diagnostic::{Code, Diagnostic, Fix, Severity};
use sequent_kernel::source::{Sources, Span};
use sequent_notation::tree::{DiagramBlock, Notation};
use serde_json::{Value, json};

use crate::{BufferTexts, ReadGroup, SettingsGroup, text, wire};

/// The diagnostics that were last published, and after which edit.
#[derive(Default)]
pub(crate) struct Board {
    /// How many edits there were.
    pub edit: u64,
    /// The findings of each open file.
    pub shown: BTreeMap<PathBuf, Vec<ShownFinding>>,
    /// What was found out about each open file by searching.
    pub checked: BTreeMap<PathBuf, CheckedFile>,
    /// What the editor can do.
    pub(crate) abilities: Abilities,
    /// The last check that the user broke off, by the number of its edit.
    pub(crate) broken_off: Option<u64>,
    /// How many requests were sent to the editor.
    pub requests: i32,
}

/// What an editor can do.
#[derive(Clone, Copy, Default)]
pub(crate) struct Abilities {
    /// It asks for lenses again when it is told to.
    pub(crate) refreshes_lenses: bool,
    /// It asks for inlay hints again when it is told to.
    pub(crate) refreshes_hints: bool,
    /// It shows how far something is.
    pub(crate) shows_progress: bool,
    /// It tells of files that others change.
    pub watches: bool,
    /// It has a command that steps through runs.
    pub steps: bool,
}

/// What was found out about a file by searching.
#[derive(Clone, PartialEq, Default)]
pub(crate) struct CheckedFile {
    /// The verdicts of its questions.
    pub verdicts: Vec<LensVerdict>,
    /// How many traces its diagrams have.
    pub traces: Vec<TraceNumber>,
    /// The lines that the runs pass which verdicts show.
    pub passed: LineNumbers,
    /// Whether the file, or one beside it, was edited since.
    pub is_stale: bool,
}

impl CheckedFile {
    /// Notes that something was edited.
    pub(crate) fn age(&mut self) {
        self.is_stale = true;
        self.traces.iter_mut().for_each(|one| one.is_stale = true);
    }
}

/// Lines of files, counted from 1.
pub(crate) type LineNumbers = BTreeSet<(PathBuf, u32)>;

/// The verdict of a question, as a lens shows it.
#[derive(Clone, PartialEq)]
pub(crate) struct LensVerdict {
    /// Where the question stands.
    pub range: Value,
    /// The verdict in words.
    pub title: String,
    /// What the command is told that steps through its run, if it shows one.
    pub step: Option<Value>,
}

/// How many traces a diagram has.
#[derive(Clone, PartialEq)]
pub(crate) struct TraceNumber {
    /// The diagram.
    pub diagram: String,
    /// The number, if it is finite.
    pub number: Option<String>,
    /// Whether the file was edited since.
    pub is_stale: bool,
}

impl TraceNumber {
    /// The number in words.
    pub(crate) fn words(&self) -> String {
        match self.number.as_deref() {
            None => "infinitely many traces".to_owned(),
            Some("1") => "1 trace".to_owned(),
            Some(number) => format!("{number} traces"),
        }
    }
}

/// A finding as it is shown.
pub(crate) struct ShownFinding {
    /// The diagnostic of the protocol.
    pub diagnostic: Value,
    /// Where it stands, in bytes.
    pub place: Span,
    /// What the code means.
    pub meaning: String,
    /// What could be done: titles and changes of the workspace.
    pub actions: Vec<Value>,
}

/// Findings about a file.
pub(crate) fn shown(mut found: Vec<Diagnostic>, group: &ReadGroup, file: &Path) -> Vec<ShownFinding> {
    found.sort();
    found.dedup();
    let is_here = |span: Span| Path::new(&group.sources.get(span.file).name) == file;
    let here = found.into_iter().filter(|finding| is_here(finding.span));
    here.map(|finding| one(&finding, group)).collect()
}

fn one(finding: &Diagnostic, group: &ReadGroup) -> ShownFinding {
    let sources = &group.sources;
    let source = sources.get(finding.span.file);
    let hint = finding.hint.as_ref().map(|hint| format!("\n{hint}")).unwrap_or_default();
    let related: Vec<Value> = finding
        .labels
        .iter()
        .map(|label| {
            json!({ "location": text::location(sources.get(label.span.file), label.span), "message": label.text })
        })
        .collect();
    let diagnostic = json!({
        "range": text::range(source, finding.span),
        "severity": match finding.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
            Severity::Hint => 4,
        },
        "code": finding.name(),
        "source": "sequent",
        "message": format!("{}{hint}", finding.message),
        "relatedInformation": related,
    });
    let meaning =
        format!("**{}**: {}\n\n{}", finding.name(), finding.code.title(), finding.code.explanation());
    let actions = actions(finding, &diagnostic, group);
    ShownFinding { diagnostic, place: finding.span, meaning, actions }
}

/// What can be done about a finding.
fn actions(finding: &Diagnostic, diagnostic: &Value, group: &ReadGroup) -> Vec<Value> {
    let sources = &group.sources;
    let mut systems = group.systems.iter();
    let known = systems.find_map(|system| fix::fix(finding, &system.reading.documents, sources));
    let mut actions: Vec<Value> = known
        .iter()
        .map(|fix| action(&fix.title, changes(fix, sources), diagnostic, fix.is_certain))
        .collect();
    let Some(block) = group.systems.iter().find_map(|system| block(system, finding.span)) else {
        return actions;
    };
    if finding.code == Code::LikelySlip {
        let name = sources.text(finding.span).trim_matches('"').to_owned();
        actions.extend(
            declare(block, sources, &name)
                .map(|edit| action(&format!("Declare `{name}` as a participant"), edit, diagnostic, false)),
        );
    }
    let name = finding.name();
    let mark = match block.notation {
        Notation::PlantUml => "'",
        Notation::Mermaid => "%%",
    };
    let source = sources.get(finding.span.file);
    let line = source.position(finding.span.start).line;
    // Findings about comments and expectations are answered by changing these.
    let is_about_comments = matches!(finding.code, Code::IdleSuppression | Code::UnmetExpectation);
    // Before the first line of a diagram a comment would not be part of it.
    if !is_about_comments && line > source.position(block.span.start).line {
        let indentation = fix::indentation(source.line(line));
        let comment = format!("{indentation}{mark} sequent: allow {name}\n");
        let edit = insert(sources, finding.span, source.line_start(line), comment);
        actions.push(action(&format!("Suppress {name} on this line"), edit, diagnostic, false));
        let start = source.line_start(source.position(block.span.start).line + 1);
        let expect = insert(sources, finding.span, start, format!("{indentation}{mark} @expect {name}\n"));
        actions.push(action(&format!("Expect {name} in this diagram"), expect, diagnostic, false));
    }
    actions
}

fn block(system: &SettingsGroup, span: Span) -> Option<&DiagramBlock> {
    let mut blocks = system.reading.documents.iter().flat_map(|document| &document.blocks);
    blocks.find(|block| block.span.encloses(span))
}

fn action(title: &str, edit: Value, diagnostic: &Value, is_preferred: bool) -> Value {
    json!({
        "title": title,
        "kind": "quickfix",
        "diagnostics": [diagnostic],
        "isPreferred": is_preferred,
        "edit": edit,
    })
}

/// A fix as a change of the workspace.
pub(crate) fn changes(fix: &Fix, sources: &Sources) -> Value {
    let mut files: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for edit in &fix.edits {
        let source = sources.get(edit.span.file);
        let change = json!({ "range": text::range(source, edit.span), "newText": edit.text });
        files.entry(text::uri(Path::new(&source.name))).or_default().push(change);
    }
    json!({ "changes": files })
}

fn insert(sources: &Sources, near: Span, at: u32, text: String) -> Value {
    let span = Span { file: near.file, start: at, end: at };
    let edits = vec![sequent_kernel::diagnostic::Edit { span, text }];
    changes(&Fix { title: String::new(), edits, is_certain: false }, sources)
}

/// The texts of files after a change of the workspace.
pub(crate) fn changed(edit: &Value, drafts: &BufferTexts) -> BufferTexts {
    let mut drafts = drafts.clone();
    for (uri, edits) in edit["changes"].as_object().into_iter().flatten() {
        let Some((file, text)) = text::path(uri).and_then(|file| Some((file.clone(), drafts.get(&file)?)))
        else {
            continue;
        };
        // Later changes first: they move nothing before them.
        let mut edits = edits.as_array().cloned().unwrap_or_default();
        let start = |edit: &Value| text::offset(text, &edit["range"]["start"]);
        edits.sort_by_key(|edit| std::cmp::Reverse(start(edit)));
        let text = text::change(text, &Value::Array(edits));
        drafts.insert(file, text.into());
    }
    drafts
}

/// The line that declares a participant, before the first statement that says something.
fn declare(block: &DiagramBlock, sources: &Sources, name: &str) -> Option<Value> {
    let sequent_notation::tree::DiagramContent::Sequence(statements) = &block.content else { return None };
    let first =
        statements.iter().find(|one| matches!(one.kind, sequent_notation::tree::StatementKind::Item(_)))?;
    let source = sources.get(first.lines.file);
    let line = source.line(source.position(first.lines.start).line);
    let indentation = fix::indentation(line);
    let start = source.line_start(source.position(first.lines.start).line);
    Some(insert(sources, first.lines, start, format!("{indentation}participant {name}\n")))
}

/// The message that shows findings.
pub(crate) fn message(file: &Path, shown: &[ShownFinding]) -> Value {
    let all: Vec<&Value> = shown.iter().map(|one| &one.diagnostic).collect();
    let params = json!({ "uri": text::uri(file), "diagnostics": all });
    wire::notification("textDocument/publishDiagnostics", params)
}
