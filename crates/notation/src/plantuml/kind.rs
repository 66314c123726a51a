//! Which kind of diagram it is.
//!
//! PlantUML's text does not say; PlantUML tries one reader after the other and takes the first that understands every line.
//! Where none does, the one that gets furthest tells what is wrong, unless the lines are plainly those of a kind that is
//! not read here.

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::model::LifelineKind;
use sequent_kernel::source::Span;

use super::common::scan::{Scan, trim};
use super::preprocess::{Aside, PreparedDiagram};
use super::{class, sequence, state, weave};
use crate::line::Line;
use crate::tree::sequence::SequenceStatement;
use crate::tree::{DiagramContent, Statement, StatementKind};

/// Reads a diagram as what it is.
pub fn read(prepared: PreparedDiagram, span: Span, diagnostics: &mut Vec<Diagnostic>) -> DiagramContent {
    let PreparedDiagram { lines, asides, incomplete, defines } = prepared;
    if lines.iter().all(|line| trim(&line.text).is_empty()) {
        // What only defines something is there to be included.
        if !defines {
            diagnostics.push(Diagnostic::new(Code::EmptyDiagram, span, "the diagram is empty"));
        }
        return DiagramContent::Sequence(weave(Vec::new(), asides));
    }
    let sequence = ReadAttempt::new(&lines, sequence::read);
    if sequence.understood {
        return sequence.finish(asides, incomplete, diagnostics, DiagramContent::Sequence);
    }
    let class = ReadAttempt::new(&lines, class::read);
    if class.understood {
        return class.finish(asides, incomplete, diagnostics, DiagramContent::Class);
    }
    let state = ReadAttempt::new(&lines, state::read);
    if state.understood {
        return state.finish(asides, incomplete, diagnostics, DiagramContent::State);
    }
    let furthest = sequence.progress.max(class.progress).max(state.progress);
    let stuck = lines.get(sequence.progress).and_then(|line| characteristic_line(trim(&line.text)));
    // A few lines with a mistake, and words of other kinds in a note that is not closed: a sequence diagram all the same.
    let is_sequence =
        sequence.progress == furthest && stuck.is_none() && sequence.wrong.len() * 4 <= lines.len();
    if let Some(kind) = characteristic(&lines).filter(|_| !is_sequence) {
        return other(kind.to_owned(), span, diagnostics);
    }
    if incomplete && is_of_macros(&sequence, &lines) {
        return other("component".to_owned(), span, diagnostics);
    }
    if state.progress == furthest && lines.iter().any(speaks_of_states) {
        return state.finish(asides, incomplete, diagnostics, DiagramContent::State);
    }
    if sequence.progress == furthest {
        return sequence.finish(asides, incomplete, diagnostics, DiagramContent::Sequence);
    }
    if class.progress == furthest {
        return class.finish(asides, incomplete, diagnostics, DiagramContent::Class);
    }
    state.finish(asides, incomplete, diagnostics, DiagramContent::State)
}

/// What is not understood may come from an include that was not there, which is told; then it is only a hint.
fn excuse(found: Diagnostic, incomplete: bool) -> Diagnostic {
    if !incomplete || found.code != Code::Syntax {
        return found;
    }
    found.severity(Severity::Hint).hint("it may be defined in what could not be included")
}

/// A diagram of a kind that is left alone.
pub fn other(kind: String, span: Span, diagnostics: &mut Vec<Diagnostic>) -> DiagramContent {
    diagnostics.push(Diagnostic::new(
        Code::SkippedDiagram,
        span,
        format!("`{kind}` diagrams are not checked"),
    ));
    DiagramContent::Other(kind)
}

/// What one reader made of the lines.
struct ReadAttempt<I> {
    statements: Vec<Statement<I>>,
    diagnostics: Vec<Diagnostic>,
    /// Every line was understood and they say something; colours may still be wrong.
    understood: bool,
    /// How many lines there are before the first that was not understood.
    progress: usize,
    /// Where mistakes are.
    wrong: Vec<Span>,
}

impl<I> ReadAttempt<I> {
    fn new(lines: &[Line], read: impl Fn(&[Line], &mut Vec<Diagnostic>) -> Vec<Statement<I>>) -> Self {
        let mut diagnostics = Vec::new();
        let statements = read(lines, &mut diagnostics);
        let is_wrong =
            |found: &&Diagnostic| found.severity == Severity::Error && found.code != Code::UnknownColour;
        let wrong: Vec<Span> = diagnostics.iter().filter(is_wrong).map(|found| found.span).collect();
        let says_something =
            statements.iter().any(|statement| matches!(statement.kind, StatementKind::Item(_)));
        let progress = wrong.first().and_then(|span| lines.iter().position(|line| is_at(line, *span)));
        let understood = wrong.is_empty() && says_something;
        ReadAttempt { statements, diagnostics, understood, progress: progress.unwrap_or(0), wrong }
    }

    /// Takes this reading for the diagram.
    fn finish(
        self,
        asides: Vec<Aside>,
        incomplete: bool,
        diagnostics: &mut Vec<Diagnostic>,
        content: impl Fn(Vec<Statement<I>>) -> DiagramContent,
    ) -> DiagramContent {
        diagnostics.extend(self.diagnostics.into_iter().map(|found| excuse(found, incomplete)));
        content(weave(self.statements, asides))
    }
}

/// Whether a line is the first at a place.
fn is_at(line: &Line, span: Span) -> bool {
    line.span.file == span.file && line.span.end >= span.start
}

/// Whether all that is not understood are calls of macros that draw something new, `EC2(web, "Web")`, where the library was not
/// included; and nothing is there that only sequence diagrams have.
fn is_of_macros(sequence: &ReadAttempt<SequenceStatement>, lines: &[Line]) -> bool {
    let is_common = sequence.statements.iter().all(|statement| match &statement.kind {
        StatementKind::Item(SequenceStatement::Message(_)) => true,
        StatementKind::Item(SequenceStatement::Participant(one)) => one.kind != LifelineKind::Participant,
        StatementKind::Item(_) => false,
        _ => true,
    });
    let mut wrong = sequence.wrong.iter().filter_map(|span| lines.iter().position(|line| is_at(line, *span)));
    let mut known = 0;
    let is_drawn = wrong.all(|at| {
        let text = trim(&lines[at].text);
        let is_new = |alias: &str| {
            let mentions = |line: &Line| line.text.split(|c: char| !is_word(c)).any(|word| word == alias);
            lines[..at].iter().all(|line| called(trim(&line.text)).is_some() || !mentions(line))
        };
        let is_call = called(text).is_some_and(is_new);
        known += usize::from(is_call);
        is_call || text == "}" || text.ends_with(" direction")
    });
    is_common && is_drawn && known > 0
}

/// The first argument of a call of a macro that draws: `web` of `EC2(web, "Web", "t3")`. Those that declare participants say so.
fn called(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once('(')?;
    let (alias, _) = rest.split_once(',').filter(|_| rest.contains(')'))?;
    let is_name = |name: &str| !name.is_empty() && name.chars().all(is_word);
    (is_name(name) && is_name(trim(alias)) && !name.ends_with("Participant")).then_some(trim(alias))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a line can only be meant for a state diagram, right or wrong.
fn speaks_of_states(line: &Line) -> bool {
    let text = trim(&line.text);
    let mut scan = Scan::new(text);
    text.starts_with("[*]") || (scan.keyword("state") && scan.spaces())
}

/// The kind whose characteristic lines are there, of those that are not read.
fn characteristic(lines: &[Line]) -> Option<&'static str> {
    lines.iter().find_map(|line| characteristic_line(trim(&line.text)))
}

/// Words that start statements of other kinds of diagrams.
const WORDS: &[(&str, &[&str])] = &[
    ("usecase", &["usecase"]),
    ("ArchiMate", &["archimate"]),
    ("data", &["json", "map"]),
    ("activity", &["partition", "swimlane", "split", "kill", "endif", "endwhile", "backward"]),
    ("ditaa", &["ditaa"]),
    ("graphviz", &["digraph", "graph"]),
    ("network", &["nwdiag"]),
    ("timing", &["robust", "concise", "clock", "binary", "analog"]),
    (
        "component",
        &[
            "component",
            "node",
            "rectangle",
            "card",
            "artifact",
            "cloud",
            "folder",
            "file",
            "storage",
            "agent",
            "hexagon",
            "person",
            "port",
            "portin",
            "portout",
            "stack",
            "frame",
            "label",
            "container",
            "process",
            "circle",
            "allowmixing",
            "allow_mixing",
        ],
    ),
];

fn characteristic_line(text: &str) -> Option<&'static str> {
    let is = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    let wrapped = |open: char, close: &[char]| text.starts_with(open) && text.ends_with(close);
    let is_branch = |word: &str| {
        let after = text.get(word.len()..).filter(|_| text.to_ascii_lowercase().starts_with(word));
        after.is_some_and(|after| after.trim_start().starts_with('('))
    };
    let words =
        ["start", "stop", "fork", "detach", "repeat", "split", "kill", "endif", "endwhile", "fork again"];
    if is(&words)
        || wrapped(':', &[';', '|', '>', '/'])
        || ["if", "while", "switch", "elseif", "repeat while"].into_iter().any(is_branch)
        || (wrapped('|', &['|']) && !text.starts_with("||"))
    {
        return Some("activity");
    }
    if text.starts_with("(*)") {
        return Some("activity");
    }
    if is(&["salt"]) {
        return Some("salt");
    }
    if text.starts_with("()") || is_boxed(text) {
        return Some("component");
    }
    if text.starts_with('(') && text.contains(')') {
        return Some("usecase");
    }
    if ["||--", "--||", "}|--", "--|{", "}o--", "--o{", "|o--", "--o|", "||..", "}o..", "..o{"]
        .iter()
        .any(|foot| text.contains(foot))
    {
        return Some("entity relationship");
    }
    if let Some(kind) = library(text) {
        return Some(kind);
    }
    if let Some(kind) = foreign_end(text) {
        return Some(kind);
    }
    let mut scan = Scan::new(text);
    let (kind, _) = WORDS.iter().find(|(_, words)| scan.one_of(words).is_some())?;
    (scan.spaces() && !scan.rest().starts_with(['-', '<', '.'])).then_some(*kind)
}

/// Whether a line begins with a component in brackets: `[Name]`.
fn is_boxed(text: &str) -> bool {
    let inside = text.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(inside, _)| inside);
    let is_history = |inside: &str| inside.eq_ignore_ascii_case("H") || inside.eq_ignore_ascii_case("H*");
    inside.is_some_and(|inside| {
        inside.starts_with(|c: char| c.is_alphanumeric() || c == '"') && !is_history(inside)
    })
}

/// Macros of well-known libraries; without the library they are no lines of any diagram.
const MACROS: &[(&str, &[&str])] = &[(
    "C4",
    &[
        "Person",
        "Person_Ext",
        "System",
        "SystemDb",
        "SystemQueue",
        "System_Ext",
        "SystemDb_Ext",
        "SystemQueue_Ext",
        "Container",
        "ContainerDb",
        "ContainerQueue",
        "Container_Ext",
        "ContainerDb_Ext",
        "ContainerQueue_Ext",
        "Component",
        "ComponentDb",
        "ComponentQueue",
        "Component_Ext",
        "ComponentDb_Ext",
        "ComponentQueue_Ext",
        "Boundary",
        "Enterprise_Boundary",
        "System_Boundary",
        "Container_Boundary",
        "Boundary_End",
        "Deployment_Node",
        "Deployment_Node_L",
        "Deployment_Node_R",
        "Node",
        "Node_L",
        "Node_R",
        "Rel",
        "Rel_U",
        "Rel_D",
        "Rel_L",
        "Rel_R",
        "Rel_Up",
        "Rel_Down",
        "Rel_Left",
        "Rel_Right",
        "Rel_Back",
        "Rel_Neighbor",
        "Rel_Back_Neighbor",
        "BiRel",
        "BiRel_U",
        "BiRel_D",
        "BiRel_L",
        "BiRel_R",
        "RelIndex",
        "Lay_U",
        "Lay_D",
        "Lay_L",
        "Lay_R",
        "AddElementTag",
        "AddRelTag",
        "UpdateElementStyle",
        "LAYOUT_WITH_LEGEND",
        "LAYOUT_TOP_DOWN",
        "LAYOUT_LEFT_RIGHT",
        "LAYOUT_LANDSCAPE",
        "LAYOUT_AS_SKETCH",
        "SHOW_LEGEND",
        "SHOW_FLOATING_LEGEND",
        "HIDE_STEREOTYPE",
    ],
)];

/// Beginnings of macros of the ArchiMate library.
const ARCHIMATE: &[&str] = &[
    "Business_",
    "Application_",
    "Technology_",
    "Motivation_",
    "Strategy_",
    "Physical_",
    "Implementation_",
    "Rel_",
    "Grouping",
    "Junction_",
];

/// The library to which a call of a macro belongs: `Rel(user, shop, "buys")`.
fn library(text: &str) -> Option<&'static str> {
    let (name, rest) = text.split_once('(')?;
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') || !rest.contains(')') {
        return None;
    }
    let known = MACROS.iter().find(|(_, macros)| macros.contains(&name)).map(|(kind, _)| *kind);
    known.or_else(|| ARCHIMATE.iter().any(|start| name.starts_with(start)).then_some("ArchiMate"))
}

/// The kind of an arrow from or to something that only other diagrams have: `[component]`, `(use case)`, `:actor:`.
fn foreign_end(text: &str) -> Option<&'static str> {
    let statement = text.split(" : ").next().unwrap_or(text).trim();
    let kind = |end: &str| {
        let starts = |open: char| {
            let inside = end.strip_prefix(open);
            inside.is_some_and(|inside| inside.starts_with(char::is_alphanumeric))
        };
        let is_use_case = starts('(') && end.contains(')') || starts(':') && end[1..].contains(':');
        if is_boxed(end) { Some("component") } else { is_use_case.then_some("usecase") }
    };
    let is_arrow =
        |word: &&str| word.len() <= 12 && word.contains(['-', '.']) && !word.contains(char::is_alphanumeric);
    let words: Vec<&str> = statement.split_whitespace().collect();
    let arrow = words.iter().position(is_arrow)?;
    kind(&words[..arrow].join(" ")).or_else(|| kind(&words[arrow + 1..].join(" ")))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use sequent_kernel::source::Sources;

    use super::*;
    use crate::{Context, plantuml};

    fn check(text: &str, expected: Expect) {
        let mut sources = Sources::new();
        let file = sources.add("a.puml", text);
        let mut diagnostics = Vec::new();
        let mut context = Context::without_files(&mut sources, &mut diagnostics);
        let blocks = plantuml::read_file(file, &mut context);
        let kind = |content: &DiagramContent| match content {
            DiagramContent::Sequence(_) => "sequence".to_owned(),
            DiagramContent::State(_) => "state".to_owned(),
            DiagramContent::Class(_) => "class".to_owned(),
            DiagramContent::Other(kind) => format!("other: {kind}"),
        };
        let kinds: Vec<String> = blocks.iter().map(|block| kind(&block.content)).collect();
        let findings: Vec<&str> = diagnostics.iter().map(|found| found.code.name()).collect();
        expected
            .assert_eq(&format!("{} {}", kinds.join(", "), findings.join(" ")).trim_end().replace('\n', " "));
    }

    #[test]
    fn kinds() {
        check("a --> b", expect!["sequence"]);
        check("[*] --> a", expect!["state"]);
        check("class A\nA --> B", expect!["class"]);
        check("start\n:do it;\nstop", expect!["other: activity H003"]);
        check("usecase x\na --> x", expect!["other: usecase H003"]);
        check("@startmindmap\n* x\n@endmindmap", expect!["other: mindmap H003"]);
        check("@startuml\n@enduml", expect!["sequence W107"]);
        check("@startuml\n!procedure $p()\na -> b\n!endprocedure\n@enduml", expect!["sequence"]);
        check("@startuml\n!if 1 == 2\na -> b\n!endif\n@enduml", expect!["sequence W107"]);
        check("a -> b\nwhat\n[*] --> c", expect!["state E101"]);
        check("state A as b\n[*] --> b", expect!["state E101"]);
        check(
            "a -> b\nb -> c\nwhat is this\nif (x)\nc -> d\na -> b : 1\nb -> c : 2\nc -> a",
            expect!["sequence E101 E101"],
        );
        check("!include <x>\na -> b\nUnknown(c)", expect!["sequence W108 E101"]);
        check(
            "!include <x>\n!include <y>\nleft to right direction\nactor me\nEC2(web, \"Web\")\nRDS(db,\"DB\")\nme --> web : HTTPS\nweb --> db",
            expect!["other: component H003"],
        );
        // What has been spoken of is not drawn by a macro, and only sequence diagrams have bars.
        check("!include <x>\n!include <y>\na -> b\nLog(a, b)", expect!["sequence W108 E101"]);
        check("!include <x>\nEC2(a, b)\na -> b\nactivate b", expect!["sequence W108 E101"]);
        check("EC2(a, b)\na -> b", expect!["sequence E101"]);
        check("!include <x>\nPerson(c)\nRel(c, d)", expect!["other: C4 H003"]);
    }
}
