//! PlantUML sequence diagrams.

use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::model::{Block, Combined, End, Fragment, Interaction, LifelineKind, Side};
use sequent_kernel::source::Sources;
use sequent_notation::tree::{DiagramContent, Document};
use sequent_notation::{Context, plantuml, resolve};
use serde_json::Value;

use crate::harness::{Case, cases, demand};

/// One file, read and resolved.
struct Reading {
    interactions: Vec<Interaction>,
    diagnostics: Vec<Diagnostic>,
    document: Document,
    sources: Sources,
}

fn read(text: &str) -> Reading {
    let mut sources = Sources::new();
    let file = sources.add("corpus.puml", text);
    let mut diagnostics = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut diagnostics);
    let blocks = plantuml::read_file(file, &mut context);
    let document = Document::new(file, blocks);
    let (model, more) = resolve::resolve(std::slice::from_ref(&document), &sources);
    diagnostics.extend(more);
    let interactions = model.interactions.iter().cloned().collect();
    Reading { interactions, diagnostics, document, sources }
}

fn is_accepted(case: &Case) -> bool {
    case.facts["cls"] == "SequenceDiagram"
}

/// Whether PlantUML itself rejects the file; files of other kinds and those without a diagram count as neither.
fn is_rejected(case: &Case) -> bool {
    case.facts["cls"].as_str().is_some_and(|class| class.starts_with("PSystemError"))
}

#[test]
fn accepted_files_are_read_alike() {
    let accepted: Vec<Case> = cases("plantuml-seq").into_iter().filter(is_accepted).collect();
    demand("plantuml sequence, accepted", 98.0, &accepted, |case| {
        let reading = read(&case.text);
        let Some(interaction) = reading.interactions.first() else {
            return Err(format!("no sequence diagram: {:?}", errors(&reading)));
        };
        compare(interaction, case).and_then(|()| match errors(&reading) {
            errors if errors.is_empty() => Ok(()),
            errors => Err(format!("errors: {errors:?}")),
        })
    });
}

#[test]
fn rejected_files_get_a_finding() {
    let rejected: Vec<Case> = cases("plantuml-seq").into_iter().filter(is_rejected).collect();
    demand("plantuml sequence, rejected", 95.0, &rejected, |case| {
        let reading = read(&case.text);
        let found = reading.diagnostics.iter().any(|found| found.severity >= Severity::Warning);
        if found { Ok(()) } else { Err(format!("nothing found; PlantUML says {}", case.facts["error"])) }
    });
}

fn errors(reading: &Reading) -> Vec<String> {
    let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
    let show = |found: &Diagnostic| {
        let at = reading.sources.position(found.span);
        format!("{}:{} {} {}", at.line, at.column, found.name(), found.message)
    };
    reading.diagnostics.iter().filter(is_error).map(show).collect()
}

fn compare(interaction: &Interaction, case: &Case) -> Result<(), String> {
    same("participants", &our_participants(interaction), &their_participants(&case.facts))?;
    let mut events = their_events(&case.facts);
    // PlantUML lists arrows that are not drawn, without a text; to us they are no messages.
    for hidden in hidden(&case.text) {
        if let Some(at) = events.iter().position(|event| *event == hidden) {
            events.remove(at);
        }
    }
    same("events", &our_events(interaction), &events)
}

/// The events of arrows that are not drawn.
fn hidden(text: &str) -> Vec<String> {
    let arrow = |line: &str| {
        let (from, rest) = line.split_once("-[hidden]")?;
        let name = |end: &str| end.trim().trim_matches('"').to_owned();
        let to = rest.trim_start_matches(['-', '>']).split(':').next().unwrap_or_default();
        Some(format!("{} -> {}: \"\"", name(from), name(to)))
    };
    text.lines().filter_map(arrow).collect()
}

fn same(what: &str, ours: &[String], theirs: &[String]) -> Result<(), String> {
    if ours == theirs {
        return Ok(());
    }
    let at = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
    Err(format!("{what} {at}: {:?} instead of {:?}", ours.get(at), theirs.get(at)))
}

fn our_participants(interaction: &Interaction) -> Vec<String> {
    let kind = |kind| match kind {
        LifelineKind::Participant => "PARTICIPANT",
        LifelineKind::Actor => "ACTOR",
        LifelineKind::Boundary => "BOUNDARY",
        LifelineKind::Control => "CONTROL",
        LifelineKind::Entity => "ENTITY",
        LifelineKind::Database => "DATABASE",
        LifelineKind::Collections => "COLLECTIONS",
        LifelineKind::Queue => "QUEUE",
    };
    interaction
        .lifelines
        .iter()
        .map(|l| format!("{} {:?} {}", l.name, tidy(&l.label), kind(l.kind)))
        .collect()
}

fn their_participants(facts: &Value) -> Vec<String> {
    // Stereotypes are the first lines of what is drawn.
    let label = |p: &Value| {
        let display = text(p, "display");
        tidy(&display.lines().skip_while(|line| line.starts_with("<<")).collect::<Vec<_>>().join("\n"))
    };
    let show = |p: &Value| format!("{} {:?} {}", text(p, "code"), label(p), text(p, "type"));
    facts["participants"].as_array().expect("participants are listed").iter().map(show).collect()
}

/// Messages and blocks in order, one line each.
fn our_events(interaction: &Interaction) -> Vec<String> {
    let mut out = Vec::new();
    block_events(interaction, &interaction.body, &mut out);
    out
}

fn block_events(interaction: &Interaction, block: &Block, out: &mut Vec<String>) {
    for fragment in &block.0 {
        match fragment {
            Fragment::Message(id) => {
                let message = &interaction.messages[*id];
                let name = |end| match end {
                    End::Lifeline(id) => interaction.lifelines[id].name.clone(),
                    End::Outside(outside) => match outside.side {
                        Side::Left => "[".to_owned(),
                        Side::Right => "]".to_owned(),
                    },
                };
                let (from, to) = (name(message.from), name(message.to));
                out.push(format!("{from} -> {to}: {:?}", tidy(&message.text)));
            }
            Fragment::Combined(combined) if combined.frame.keyword.is_empty() => {
                combined.operands.iter().for_each(|operand| block_events(interaction, &operand.block, out));
            }
            Fragment::Combined(combined) => combined_events(interaction, combined, out),
            Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Invariant(_)
            | Fragment::Use(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => {}
        }
    }
}

fn combined_events(interaction: &Interaction, combined: &Combined, out: &mut Vec<String>) {
    for (index, operand) in combined.operands.iter().enumerate() {
        out.push(if index == 0 { combined.frame.keyword.clone() } else { "else".to_owned() });
        block_events(interaction, &operand.block, out);
    }
    out.push("end".to_owned());
}

fn their_events(facts: &Value) -> Vec<String> {
    let events = facts["events"].as_array().expect("events are listed");
    let mut lines: Vec<String> = events.iter().flat_map(their_event).collect();
    // Blocks that are never closed end with the diagram.
    let count = |k: &str| events.iter().filter(|event| event["k"] == k && event["type"] != "ELSE").count();
    let unclosed = count("GroupingStart") - count("GroupingLeaf");
    lines.extend(std::iter::repeat_n("end".to_owned(), unclosed));
    lines
}

fn their_event(event: &Value) -> Vec<String> {
    match text(event, "k").as_str() {
        "Message" => {
            let others = event["multicast"].as_array().cloned().unwrap_or_default();
            let receivers = std::iter::once(text(event, "to"))
                .chain(others.iter().map(|other| other.as_str().unwrap_or_default().to_owned()));
            let line = |to| format!("{} -> {to}: {:?}", text(event, "from"), tidy(&text(event, "label")));
            receivers.map(line).collect()
        }
        "MessageExo" => {
            let (p, label) = (text(event, "p"), tidy(&text(event, "label")));
            vec![match text(event, "type").as_str() {
                "FROM_LEFT" => format!("[ -> {p}: {label:?}"),
                "FROM_RIGHT" => format!("] -> {p}: {label:?}"),
                "TO_LEFT" => format!("{p} -> [: {label:?}"),
                _ => format!("{p} -> ]: {label:?}"),
            }]
        }
        "GroupingStart" => vec![keyword(event)],
        "GroupingLeaf" if text(event, "type") == "END" => vec!["end".to_owned()],
        "GroupingLeaf" => vec!["else".to_owned()],
        _ => Vec::new(),
    }
}

/// The keyword of a block; the title of a `group` with a second caption is its first caption.
fn keyword(event: &Value) -> String {
    let title = text(event, "title");
    let known = ["alt", "opt", "loop", "par", "par2", "break", "critical", "group", "partition"];
    if known.contains(&title.as_str()) { title } else { "group".to_owned() }
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

/// White space around lines does not count.
fn tidy(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[test]
fn every_line_belongs_to_a_statement_in_order() {
    demand("plantuml sequence, coverage", 100.0, &cases("plantuml-seq"), |case| {
        let reading = read(&case.text);
        for block in &reading.document.blocks {
            let DiagramContent::Sequence(statements) = &block.content else { continue };
            let mut at = block.span.start;
            for statement in statements {
                let lines = statement.lines;
                let gap = case.text.get(at as usize..(lines.start.max(at)) as usize).unwrap_or_default();
                if !gap.trim().is_empty() {
                    return Err(format!("nothing covers {gap:?}"));
                }
                if lines.start < at && lines.end > at {
                    return Err(format!("{lines:?} overlaps what ends at {at}"));
                }
                at = at.max(lines.end);
            }
            let rest = case.text.get(at as usize..block.span.end as usize).unwrap_or_default();
            if !rest.trim().is_empty() {
                return Err(format!("nothing covers {rest:?}"));
            }
        }
        Ok(())
    });
}

/// Every line boundary in a release build; some of them in a debug build, so that the test stays quick.
#[test]
fn files_cut_short_are_still_read() {
    for case in cases("plantuml-seq") {
        let ends: Vec<usize> = case.text.match_indices('\n').map(|(at, _)| at + 1).collect();
        let step = if cfg!(debug_assertions) { ends.len() / 25 + 1 } else { 1 };
        for end in ends.iter().step_by(step) {
            read(&case.text[..*end]);
        }
    }
}

#[test]
fn state_diagrams_are_told_apart() {
    let accepted = |case: &Case| case.facts["cls"] == "StateDiagram";
    let accepted: Vec<Case> = cases("plantuml-state").into_iter().filter(accepted).collect();
    demand("plantuml, state diagrams told apart", 98.0, &accepted, |case| {
        let reading = read(&case.text);
        match reading.document.blocks.first().map(|block| &block.content) {
            Some(DiagramContent::State(_)) => Ok(()),
            Some(DiagramContent::Sequence(_)) => Err("taken for a sequence diagram".to_owned()),
            Some(DiagramContent::Class(_)) => Err("taken for a class diagram".to_owned()),
            Some(DiagramContent::Other(kind)) => Err(format!("taken for {kind}")),
            None => Err("nothing found".to_owned()),
        }
    });
}

#[test]
fn printed_diagrams_read_as_the_same() {
    let accepted: Vec<Case> = cases("plantuml-seq").into_iter().filter(is_accepted).collect();
    demand("plantuml sequence, round trip", 100.0, &accepted, |case| {
        let reading = read(&case.text);
        let known = errors(&reading).len();
        for interaction in reading.interactions {
            let printed = plantuml::print::sequence(&interaction);
            let again = read(&printed);
            let Some(second) = again.interactions.first() else {
                return Err(format!("nothing read from\n{printed}"));
            };
            if let Some(error) = errors(&again).get(known) {
                return Err(format!("{error} in\n{printed}"));
            }
            same_interaction(&interaction, second)
                .map_err(|difference| format!("{difference}\n{printed}"))?;
        }
        Ok(())
    });
}

/// Compares part by part, so that a difference can be seen.
fn same_interaction(first: &Interaction, second: &Interaction) -> Result<(), String> {
    let parts = |interaction: &Interaction| {
        let lifelines = interaction.lifelines.iter().map(|lifeline| format!("{lifeline:?}"));
        let messages = interaction.messages.iter().map(|message| format!("{message:?}"));
        let boxes = interaction.boxes.iter().map(|frame| format!("{frame:?}"));
        let body = interaction.body.0.iter().map(|fragment| format!("{fragment:?}"));
        let all: Vec<String> =
            lifelines.chain(messages).chain(boxes).chain(body).map(|part| placeless(&part)).collect();
        all
    };
    if first == second {
        return Ok(());
    }
    same("parts", &parts(second), &parts(first))?;
    Err(format!(
        "{:?} {:?} {:?} instead of {:?} {:?} {:?}",
        second.name, second.title, second.orderings, first.name, first.title, first.orderings
    ))
}

/// The debug form without places.
fn placeless(debug: &str) -> String {
    let mut out = String::new();
    let mut rest = debug;
    while let Some(at) = rest.find("Place(Span {") {
        out += &rest[..at];
        rest = rest[at..].split_once("})").map_or("", |(_, after)| after);
    }
    out + rest
}
