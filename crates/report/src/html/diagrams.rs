//! Every diagram, drawn, with the findings about it; what they are about is marked.

use std::collections::BTreeSet;

use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::model::{Interaction, Machine, MessageId, Model};
use sequent_kernel::source::{Place, Span};

use super::words::text;
use super::{Part, brief, class};
use crate::checked::Checked;
use crate::draw::{self, Highlight, Style, Wording};

/// All diagrams of all parts.
pub fn all(checked: &Checked<'_>, parts: &[Part<'_>], wording: &Wording) -> String {
    let mut out = String::new();
    for part in parts {
        let own = |place: Place| !part.beside.contains(&place.0.file);
        for interaction in part.model.interactions.iter().filter(|one| own(one.place)) {
            let about = about(checked, interaction.place.0);
            let style = Style { marked: messages(interaction, &about), ..Style::default() };
            out += &figure(checked, &interaction.name, &draw::svg(interaction, &style), &about);
        }
        for machine in part.model.machines.iter().filter(|one| own(one.place)) {
            let about = about(checked, machine.place.0);
            let highlight = elements(machine, &about);
            let svg = draw::machine_svg(machine, wording, &Style::default(), &highlight);
            out += &figure(checked, &machine.name, &svg, &about);
        }
        out += &classes(part.model, wording);
    }
    out
}

fn classes(model: &Model, wording: &Wording) -> String {
    if model.classes.is_empty() && model.objects.is_empty() {
        return String::new();
    }
    let svg = draw::classes_svg(model, wording, &Style::default());
    format!(
        "<figure>\n<figcaption>classes and objects</figcaption>\n<div class=\"drawing\">{svg}</div>\n</figure>\n"
    )
}

fn figure(checked: &Checked<'_>, name: &str, svg: &str, about: &[&Diagnostic]) -> String {
    let one = |finding: &&Diagnostic| {
        format!("<li class=\"{}\">{}</li>\n", class(finding.severity), brief(checked, finding, "h4"))
    };
    let findings: String = about.iter().map(one).collect();
    let findings =
        if findings.is_empty() { findings } else { format!("<ul class=\"about\">{findings}</ul>\n") };
    format!(
        "<figure>\n<figcaption>{}</figcaption>\n<div class=\"drawing\" tabindex=\"0\">{svg}</div>\n{findings}</figure>\n",
        text(name)
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
    }
}
