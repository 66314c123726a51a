//! Mermaid sequence diagrams against what mermaid made of them.
//!
//! Mermaid's database is one list of messages, notes, activations and block boundaries. The model is written as the
//! same list and compared line by line.

use serde_json::Value;

use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::model::{
    Block, Bound, Combined, Fragment, Guard, Half, Interaction, Message, MessageSort, NotePosition,
    Numbering, Tip, TipShape,
};
use sequent_kernel::source::Sources;
use sequent_notation::tree::{DiagramContent, Document};
use sequent_notation::{Context, mermaid, resolve};

use crate::harness::{Case, cases, demand};

/// What a text says, with all findings.
pub(crate) fn read(name: &str, text: &str) -> (Sources, Document, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let mut diagnostics = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut diagnostics);
    let blocks = mermaid::read_file(file, &mut context);
    (sources, Document::new(file, blocks), diagnostics)
}

/// Whether mermaid's rejection is answered by an error, or by a warning that says so.
pub(crate) fn is_rejected(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity >= Severity::Warning)
}

/// A text of the facts as the model has it: entities shown, line breaks real.
pub(crate) fn shown(text: &str) -> String {
    let mut out = text.to_owned();
    for br in [
        "<br/>", "<br />", "<br>", "<BR/>", "<BR>", "<BR />", "<Br/>", "<br  />", "<br \t/>", "<br   />",
        "<bR>",
    ] {
        out = out.replace(br, "\n");
    }
    while let Some(start) = out.find("ﬂ°") {
        let Some(length) = out[start..].find("¶ß") else { break };
        let name = out[start..start + length].trim_start_matches("ﬂ°").trim_start_matches('°');
        let character = match name.parse::<u32>().ok().and_then(char::from_u32) {
            Some(character) => character.to_string(),
            None => match name {
                "quot" => "\"".to_owned(),
                "amp" => "&".to_owned(),
                "lt" => "<".to_owned(),
                "gt" => ">".to_owned(),
                "colon" => ":".to_owned(),
                "infin" => "∞".to_owned(),
                "hearts" => "♥".to_owned(),
                other => format!("&{other};"),
            },
        };
        out.replace_range(start..start + length + "¶ß".len(), &character);
    }
    out
}

#[test]
fn accepted_diagrams_agree() {
    let cases: Vec<Case> = cases("mermaid-seq").into_iter().filter(|case| case.facts["ok"] == true).collect();
    demand("mermaid sequence, accepted", 98.0, &cases, |case| compare(&case.name, &case.text, &case.facts));
}

#[test]
fn rejected_diagrams_are_findings() {
    let cases: Vec<Case> =
        cases("mermaid-seq").into_iter().filter(|case| case.facts["ok"] == false).collect();
    demand("mermaid sequence, rejected", 95.0, &cases, |case| {
        let (sources, document, mut diagnostics) = read(&case.name, &case.text);
        diagnostics.extend(resolve::resolve(&[document], &sources).1);
        if is_rejected(&diagnostics) {
            Ok(())
        } else {
            Err(format!("no finding; mermaid: {}", case.facts["error"]))
        }
    });
}

/// Compares one diagram with its facts.
pub(crate) fn compare(name: &str, text: &str, facts: &Value) -> Result<(), String> {
    let (sources, document, mut diagnostics) = read(name, text);
    let (model, more) = resolve::resolve(&[document], &sources);
    diagnostics.extend(more);
    if let Some(error) = diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error) {
        return Err(format!("error at {:?}: {}", sources.position(error.span), error.message));
    }
    let Some(interaction) = model.interactions.iter().next() else { return Err("no interaction".to_owned()) };
    same("participants", &actors(facts), &lifelines(interaction))?;
    let mut ours = Vec::new();
    block(interaction, &interaction.body, &mut ours);
    same("events", &events(facts), &ours)
}

fn same(what: &str, theirs: &[String], ours: &[String]) -> Result<(), String> {
    let differing = theirs.iter().zip(ours).find(|(theirs, ours)| theirs != ours);
    match differing {
        Some((theirs, ours)) => Err(format!("{what}: mermaid {theirs:?}, we {ours:?}")),
        None if theirs.len() != ours.len() => {
            Err(format!("{what}: mermaid {}, we {}", theirs.len(), ours.len()))
        }
        None => Ok(()),
    }
}

fn actors(facts: &Value) -> Vec<String> {
    let text = |value: &Value| shown(value.as_str().unwrap_or_default());
    let actors = facts["actors"].as_array().expect("accepted facts list actors");
    actors
        .iter()
        .map(|actor| {
            format!("{} = {} ({})", text(&actor["name"]), text(&actor["description"]), text(&actor["type"]))
        })
        .collect()
}

fn lifelines(interaction: &Interaction) -> Vec<String> {
    let line = |lifeline: &sequent_kernel::model::Lifeline| {
        format!("{} = {} ({})", lifeline.name, lifeline.label, format!("{:?}", lifeline.kind).to_lowercase())
    };
    interaction.lifelines.iter().map(line).collect()
}

/// Mermaid's list, without what it only keeps for drawing.
fn events(facts: &Value) -> Vec<String> {
    let mut out = Vec::new();
    for event in facts["messages"].as_array().expect("accepted facts list messages") {
        let kind = event["type"].as_str().unwrap_or_default();
        let text = |key: &str| shown(event[key].as_str().unwrap_or_default());
        let line = match kind {
            "CENTRAL_CONNECTION" | "CENTRAL_CONNECTION_REVERSE" => continue,
            "NOTE" => format!(
                "note {} {} {}: {}",
                event["placement"],
                names(&event["from"]),
                names(&event["to"]),
                text("message")
            ),
            "ACTIVE_START" | "ACTIVE_END" => format!("{kind} {}", text("from")),
            "AUTONUMBER" => format!("{kind} {}", event["message"]["visible"]),
            _ if kind.ends_with("_END") => kind.to_owned(),
            _ if kind.ends_with("_START")
                || kind.ends_with("_ELSE")
                || kind.ends_with("_AND")
                || kind.ends_with("_OPTION") =>
            {
                // A guard is one line in the model.
                format!("{kind} {}", text("message").replace('\n', " "))
            }
            _ => format!("{kind} {} {}: {}", text("from"), text("to"), text("message")),
        };
        out.push(line);
    }
    out
}

fn names(value: &Value) -> String {
    shown(value.as_str().unwrap_or_default())
}

/// The same list of the model.
fn block(interaction: &Interaction, block_: &Block, out: &mut Vec<String>) {
    let name = |id: &sequent_kernel::model::LifelineId| interaction.lifelines[*id].name.clone();
    for fragment in &block_.0 {
        match fragment {
            Fragment::Message(id) => out.push(message(interaction, &interaction.messages[*id])),
            Fragment::Combined(combined) => combined_lines(interaction, combined, out),
            Fragment::Execution(execution) => {
                let word = if execution.bound == Bound::Start { "ACTIVE_START" } else { "ACTIVE_END" };
                out.push(format!("{word} {}", name(&execution.lifeline)));
            }
            Fragment::Note(note) => {
                let place = match note.position {
                    NotePosition::Left => 0,
                    NotePosition::Right => 1,
                    NotePosition::Over | NotePosition::Across => 2,
                };
                let ends: Vec<String> = note.lifelines.iter().map(name).collect();
                let (first, last) =
                    (ends.first().cloned().unwrap_or_default(), ends.last().cloned().unwrap_or_default());
                out.push(format!("note {place} {first} {last}: {}", note.text));
            }
            Fragment::Invariant(invariant) => {
                let ends: Vec<String> = invariant.lifelines.iter().map(name).collect();
                let (first, last) = (&ends[0], &ends[ends.len() - 1]);
                out.push(format!("note 2 {first} {last}: {{{}}}", invariant.condition.text));
            }
            Fragment::Numbering(numbering) => {
                out.push(format!("AUTONUMBER {}", *numbering != Numbering::Stop))
            }
            Fragment::Stop(_) | Fragment::Action(_) | Fragment::Use(_) | Fragment::Separator(_) => {}
        }
    }
}

fn combined_lines(interaction: &Interaction, combined: &Combined, out: &mut Vec<String>) {
    let word = combined.frame.keyword.to_uppercase();
    for (index, operand) in combined.operands.iter().enumerate() {
        let kind = match (index, word.as_str()) {
            (0, _) => format!("{word}_START"),
            (_, "PAR" | "PAR_OVER") => "PAR_AND".to_owned(),
            (_, "CRITICAL") => "CRITICAL_OPTION".to_owned(),
            (_, _) => "ALT_ELSE".to_owned(),
        };
        let guard = match &operand.guard {
            Guard::Absent | Guard::Else => operand.title.clone(),
            Guard::Condition(condition) => Some(condition.text.clone()),
        };
        let colour = combined.frame.colour.clone().filter(|_| index == 0);
        let title = combined.frame.title.clone().filter(|_| index == 0);
        let shown = guard.or(title).or(colour).unwrap_or_default();
        out.push(format!("{kind} {}", shown.replace('\n', " ")));
        block(interaction, &operand.block, out);
    }
    out.push(if word == "PAR_OVER" { "PAR_END".to_owned() } else { format!("{word}_END") });
}

fn message(interaction: &Interaction, message: &Message) -> String {
    let end = |end: sequent_kernel::model::End| {
        end.lifeline().map_or("outside".to_owned(), |id| interaction.lifelines[id].name.clone())
    };
    let kind = arrow(message);
    format!("{kind} {} {}: {}", end(message.from), end(message.to), message.text)
}

/// Mermaid's word for an arrow.
fn arrow(message: &Message) -> String {
    let (head, tail, dashed) = (message.arrow.head, message.arrow.tail, message.arrow.dashed);
    let dotted = if dashed { "_DOTTED" } else { "" };
    let line = if dashed { "DOTTED" } else { "SOLID" };
    let sort_fits = dashed == (message.sort == MessageSort::Reply) || message.sort == MessageSort::Create;
    assert!(sort_fits, "{message:?}");
    let half = |tip: Tip| {
        let stick = if tip.shape == TipShape::Open { "STICK" } else { "SOLID" };
        let side = if tip.half == Some(Half::Upper) { "TOP" } else { "BOTTOM" };
        (stick, side)
    };
    if head.half.is_some() {
        let (stick, side) = half(head);
        return format!("{stick}_{side}{dotted}");
    }
    if tail.half.is_some() {
        let (stick, side) = half(tail);
        return format!("{stick}_ARROW_{side}_REVERSE{dotted}");
    }
    match (head.shape, tail.shape) {
        (TipShape::Filled, TipShape::Filled) => format!("BIDIRECTIONAL_{line}"),
        (TipShape::Filled, _) => line.to_owned(),
        (TipShape::Open, _) => format!("{line}_POINT"),
        (TipShape::Cross, _) => format!("{line}_CROSS"),
        (TipShape::None, _) => format!("{line}_OPEN"),
    }
}

#[test]
fn printed_diagrams_read_the_same() {
    let cases: Vec<Case> = cases("mermaid-seq").into_iter().filter(|case| case.facts["ok"] == true).collect();
    demand("mermaid sequence, printed and read again", 100.0, &cases, |case| reread(&case.name, &case.text));
}

/// Reads, prints, reads again.
pub(crate) fn reread(name: &str, text: &str) -> Result<(), String> {
    let (sources, document, _) = read(name, text);
    let (model, _) = resolve::resolve(&[document], &sources);
    let Some(interaction) = model.interactions.iter().next() else { return Ok(()) };
    let printed = mermaid::print::sequence(interaction);
    let (sources, document, mut diagnostics) = read(name, &printed);
    let (again, more) = resolve::resolve(&[document], &sources);
    diagnostics.extend(more);
    let error = diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
    match (again.interactions.iter().next(), error) {
        (_, Some(error)) => Err(format!("{} in\n{printed}", error.message)),
        (Some(other), None) if other == interaction => Ok(()),
        (other, None) => Err(format!("{}\n{printed}", difference(&Some(interaction), &other))),
    }
}

/// The first place where two parts of models differ, as seen in their debug form.
pub(crate) fn difference(one: &impl std::fmt::Debug, other: &impl std::fmt::Debug) -> String {
    let matters =
        |line: &&str| !["start:", "end:", "Place", "FileId"].iter().any(|place| line.contains(place));
    let (one, other) = (format!("{one:#?}"), format!("{other:#?}"));
    let (one, other): (Vec<&str>, Vec<&str>) = (
        one.lines().map(str::trim).filter(matters).collect(),
        other.lines().map(str::trim).filter(matters).collect(),
    );
    let at =
        one.iter().zip(&other).position(|(one, other)| one != other).unwrap_or(one.len().min(other.len()));
    let shown =
        |lines: &[&str]| lines[at.saturating_sub(6).min(lines.len())..(at + 2).min(lines.len())].join(" ");
    format!("{} | again: {}", shown(&one), shown(&other))
}

#[test]
fn every_beginning_of_a_diagram_reads_and_every_line_belongs_to_something() {
    for case in cases("mermaid-seq") {
        let mut end = 0;
        for line in case.text.split_inclusive('\n') {
            end += line.len();
            let (sources, document, _) = read(&case.name, &case.text[..end]);
            covered(&case.name, &sources, &document);
            resolve::resolve(&[document], &sources);
        }
    }
}

/// Every line with something on it belongs to a statement.
pub(crate) fn covered(name: &str, sources: &Sources, document: &Document) {
    let source = sources.get(document.file);
    for block in &document.blocks {
        let spans: Vec<_> = match &block.content {
            DiagramContent::Sequence(statements) => {
                statements.iter().map(|statement| statement.lines).collect()
            }
            DiagramContent::State(statements) => statements.iter().map(|statement| statement.lines).collect(),
            DiagramContent::Class(statements) => statements.iter().map(|statement| statement.lines).collect(),
            DiagramContent::Other(_) => continue,
        };
        let mut at = 0;
        for line in source.text.split_inclusive('\n') {
            let middle = at as u32;
            let is_covered = spans.iter().any(|span| span.contains(middle));
            assert!(is_covered || line.trim().is_empty(), "{name}: no statement for {line:?}");
            at += line.len();
        }
    }
}
