//! Every diagram, drawn, with the findings about it; what they are about is marked.

use std::collections::BTreeSet;

use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::model::{End, Interaction, Machine, Message, MessageId, Model};
use sequent_kernel::source::{Place, Span};

use serde_json::json;

use super::words::text;
use super::{Folds, ReportSection, brief, class, examples};
use crate::checked::Checked;
use crate::draw::{self, ChartWording, Highlight, Style};
use crate::escape;

/// All diagrams of all parts.
pub(crate) fn all(
    checked: &Checked<'_>,
    parts: &[ReportSection<'_>],
    wording: &ChartWording,
    folds: &Folds,
) -> String {
    let mut out = String::new();
    for part in parts {
        let own = |place: Place| !part.beside.contains(&place.0.file);
        for interaction in part.model.interactions.iter().filter(|one| own(one.place)) {
            let about = about(checked, interaction.place.0);
            let style = Style { marked: messages(interaction, &about), ..Style::default() };
            let messages = interaction.messages.iter().map(|one| one.place).collect();
            let lines = lines(checked, interaction.place, &[("messages", messages)]) + &ends(interaction);
            let title = title(checked, &interaction.name, interaction.place);
            let coverage = examples::letters(checked, interaction.messages.iter().map(|one| one.place));
            let lines = lines + &format!(" data-name=\"{}\"", text(&interaction.name));
            let svg = match folds.get(&interaction.name) {
                Some(folded) => draw::svg(&draw::folded(interaction, folded), &style),
                None => draw::svg(interaction, &style),
            };
            out += &figure(checked, &Shown { title, lines, coverage, svg }, &about);
        }
        for machine in part.model.machines.iter().filter(|one| own(one.place)) {
            let about = about(checked, machine.place.0);
            let highlight = elements(machine, &about);
            let svg = draw::machine_svg(machine, wording, &Style::default(), &highlight);
            let states = machine.vertices.iter().map(|one| one.place).collect();
            let transitions = machine.transitions.iter().map(|one| one.place).collect();
            let lines = lines(checked, machine.place, &[("states", states), ("transitions", transitions)]);
            let coverage = examples::letters(checked, machine.transitions.iter().map(|one| one.place));
            let title = title(checked, &machine.name, machine.place);
            out += &figure(checked, &Shown { title, lines, coverage, svg }, &about);
        }
        out += &classes(part.model, wording);
    }
    out
}

fn classes(model: &Model, wording: &ChartWording) -> String {
    if model.classes.is_empty() && model.objects.is_empty() {
        return String::new();
    }
    let svg = draw::classes_svg(model, wording, &Style::default());
    format!(
        "<figure>\n<figcaption>classes and objects</figcaption>\n<div class=\"drawing\">{svg}</div>\n</figure>\n"
    )
}

/// The lines of the diagram's file on which elements stand, by the keys that the drawing gives them, as attributes; 0 for what
/// stands in another file.
fn lines(checked: &Checked<'_>, diagram: Place, kinds: &[(&str, Vec<Place>)]) -> String {
    let line = |place: &Place| match place.0.file == diagram.0.file {
        true => checked.sources.position(place.0).line.to_string(),
        false => "0".to_owned(),
    };
    let all = |places: &[Place]| places.iter().map(line).collect::<Vec<_>>().join(",");
    let own: String =
        kinds.iter().map(|(kind, places)| format!(" data-{kind}=\"{}\"", all(places))).collect();
    own + &elsewhere(checked, diagram, kinds)
}

/// The file and the line of each element that another file holds, by its kind and key, as an attribute.
fn elsewhere(checked: &Checked<'_>, diagram: Place, kinds: &[(&str, Vec<Place>)]) -> String {
    let mut all = serde_json::Map::new();
    for (kind, places) in kinds {
        for (key, place) in places.iter().enumerate().filter(|(_, place)| place.0.file != diagram.0.file) {
            let (file, line, _) = checked.place(place.0);
            all.insert(format!("{kind} {key}"), json!([file, line]));
        }
    }
    match all.is_empty() {
        true => String::new(),
        false => format!(" data-elsewhere=\"{}\"", text(&json!(all).to_string())),
    }
}

/// The lifelines at both ends of each message, as an attribute.
fn ends(interaction: &Interaction) -> String {
    let name = |end: End| end.lifeline().map(|id| escape::line(&interaction.lifelines[id].name).into_owned());
    let both =
        |message: &Message| [message.from, message.to].into_iter().filter_map(name).collect::<Vec<_>>();
    let all: Vec<Vec<String>> = interaction.messages.iter().map(both).collect();
    format!(" data-ends=\"{}\"", text(&json!(all).to_string()))
}

/// The name of a diagram, and where it stands.
fn title(checked: &Checked<'_>, name: &str, place: Place) -> String {
    let (file, line, _) = checked.place(place.0);
    format!("{} <small>{}:{line}</small>", text(name), text(file))
}

/// A drawing and what is said of it, as HTML.
struct Shown {
    title: String,
    /// Where its elements stand, as attributes.
    lines: String,
    /// What the examples pass of them, as letters.
    coverage: String,
    svg: String,
}

/// What the colours of [`examples`] mean: their letters, classes and words.
const LEGEND: [(char, &str, &str); 3] = [
    ('p', "passed", "passed by the examples"),
    ('o', "other", "not passed by them"),
    ('n', "never", "no run comes here"),
];

/// What those colours mean that a drawing has.
fn legend(letters: &str) -> String {
    let own = LEGEND.iter().filter(|(letter, ..)| letters.contains(*letter));
    let items: Vec<String> =
        own.map(|(_, class, words)| format!("<span class=\"{class}\">{words}</span>")).collect();
    format!("<p class=\"legend\">{}</p>\n", items.join(" "))
}

/// A drawing under its title.
fn figure(checked: &Checked<'_>, shown: &Shown, about: &[&Diagnostic]) -> String {
    let Shown { title, lines, coverage, svg } = shown;
    let one = |finding: &&Diagnostic| {
        format!("<li class=\"{}\">{}</li>\n", class(finding.severity), brief(checked, finding, "h4"))
    };
    let findings: String = about.iter().map(one).collect();
    let (coverage, legend) = match coverage.is_empty() {
        true => (String::new(), String::new()),
        false => (format!(" data-coverage=\"{coverage}\""), legend(coverage)),
    };
    let findings =
        if findings.is_empty() { findings } else { format!("<ul class=\"about\">{findings}</ul>\n") };
    format!(
        "<figure{lines}{coverage}>\n<figcaption>{title}</figcaption>\n{legend}<div class=\"drawing\" tabindex=\"0\">{svg}</div>\n{findings}</figure>\n"
    )
}

/// The findings in a diagram.
fn about<'a>(checked: &Checked<'a>, diagram: Span) -> Vec<&'a Diagnostic> {
    checked.diagnostics.iter().filter(|finding| diagram.encloses(finding.span)).collect()
}

/// Whether a finding is about an element: it lies in it, or the element in it.
fn is_about(findings: &[&Diagnostic], element: Place) -> bool {
    findings.iter().any(|finding| element.0.encloses(finding.span))
}

fn messages(interaction: &Interaction, about: &[&Diagnostic]) -> BTreeSet<MessageId> {
    let marked = interaction.messages.enumerate().filter(|(_, message)| is_about(about, message.place));
    marked.map(|(id, _)| id).collect()
}

fn elements(machine: &Machine, about: &[&Diagnostic]) -> Highlight {
    let states = machine.vertices.enumerate().filter(|(_, vertex)| is_about(about, vertex.place));
    let transitions = machine.transitions.enumerate().filter(|(_, one)| is_about(about, one.place));
    Highlight {
        states: states.map(|(id, _)| id).collect(),
        transitions: transitions.map(|(id, _)| id).collect(),
        ..Highlight::default()
    }
}
