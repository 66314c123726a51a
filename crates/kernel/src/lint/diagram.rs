//! Property diagrams that ask for nothing: W510 to W512.
//!
//! A `neg` or an `assert` in which nothing happens is no question, and a `neg` about messages that no other
//! diagram of the same folder draws holds trivially. Whether a run gets as far as the question is left to a
//! search.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::model::{End, Fragment, Interaction, InteractionId, Message, MessageId, Model};
use crate::property::diagram::{DiagramRole, DrawnOccurrence, PropertyFragment, occurrences, role};
use crate::source::{Folders, Span};
use crate::system::EventKind;

/// At most this many messages of one diagram are reported as unknown.
const MOST_FINDINGS: usize = 5;

/// All findings about diagrams that are properties.
pub fn diagrams(model: &Model, folders: &Folders) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let roles: BTreeMap<InteractionId, DiagramRole> =
        model.interactions.ids().map(|id| (id, role(model, id))).collect();
    let mut known: BTreeMap<Option<&String>, DiagramOccurrences> = BTreeMap::new();
    if roles.values().any(|role| matches!(role, DiagramRole::Forbidden(_))) {
        for (id, _) in roles.iter().filter(|(_, role)| !matches!(role, DiagramRole::Forbidden(_))) {
            let folder = folders.get(&model.interactions[*id].place.0.file);
            known.entry(folder).or_default().extend(occurrences(model, *id));
        }
    }
    for (id, role) in roles {
        let interaction = &model.interactions[id];
        match role {
            DiagramRole::Model => {}
            DiagramRole::Forbidden(part) if part.is_empty => findings.push(no_negative(part)),
            DiagramRole::Mandatory(part) if part.is_empty => findings.push(no_assertion(part)),
            DiagramRole::Forbidden(_) => {
                if let Some(known) = known.get(&folders.get(&interaction.place.0.file)) {
                    strangers(interaction, known, &mut findings);
                }
            }
            DiagramRole::Mandatory(_) => {}
        }
    }
    findings
}

/// Where the diagrams stand that forbid or demand something.
pub fn parts(model: &Model) -> Vec<Span> {
    let is_part = |id: &InteractionId| role(model, *id) != DiagramRole::Model;
    model.interactions.ids().filter(is_part).map(|id| model.interactions[id].place.0).collect()
}

/// Whether a finding is about calls and replies in a diagram that forbids or demands: it shows a part of what happens, and what
/// belongs to it may lie outside.
pub(crate) fn is_cut_out(finding: &Diagnostic, parts: &[Span]) -> bool {
    let is_inside = |diagram: &Span| {
        let Span { file, start, .. } = finding.span;
        diagram.file == file && diagram.start <= start && start <= diagram.end
    };
    matches!(finding.code, Code::ReplyWithoutCall | Code::CallWithoutReply) && parts.iter().any(is_inside)
}

/// Whether a finding of an empty operand (W207) is covered by one of `told` that says that the whole property
/// is empty.
pub fn repeats(finding: &Diagnostic, told: &[Diagnostic]) -> bool {
    let is_empty = |one: &&Diagnostic| matches!(one.code, Code::EmptyNegative | Code::EmptyAssertion);
    finding.code == Code::EmptyOperand
        && told.iter().filter(is_empty).any(|one| {
            one.span.file == finding.span.file
                && one.span.start <= finding.span.start
                && finding.span.start <= one.span.end
        })
}

fn no_negative(part: PropertyFragment) -> Diagnostic {
    let text = "nothing is forbidden: nothing happens in this `neg`";
    Diagnostic::new(Code::EmptyNegative, part.place.0, text).hint("draw what must not happen")
}

fn no_assertion(part: PropertyFragment) -> Diagnostic {
    let text = "nothing is demanded: nothing happens in this `assert`";
    Diagnostic::new(Code::EmptyAssertion, part.place.0, text).hint("draw what must follow")
}

/// The occurrences of some diagrams: by kind and message, with sender and receiver.
#[derive(Default)]
struct DiagramOccurrences(BTreeMap<(EventKind, String), BTreeSet<DrawnOccurrence>>);

impl DiagramOccurrences {
    fn extend(&mut self, occurrences: BTreeSet<DrawnOccurrence>) {
        for one in occurrences {
            self.0.entry((one.kind, one.message.clone())).or_default().insert(one);
        }
    }

    fn alike(&self, kind: EventKind, message: &str) -> impl Iterator<Item = &DrawnOccurrence> {
        self.0.get(&(kind, message.to_owned())).into_iter().flatten()
    }
}

/// Messages of a `neg` that no other diagram draws.
fn strangers(interaction: &Interaction, known: &DiagramOccurrences, findings: &mut Vec<Diagnostic>) {
    let mut told: BTreeSet<&str> = BTreeSet::new();
    let mut drawn: Vec<MessageId> = Vec::new();
    interaction.walk(&mut |fragment, _| {
        if let Fragment::Message(id) = fragment {
            drawn.push(*id);
        }
    });
    let (mut is_related, mut own_findings) = (false, Vec::new());
    for message in drawn.into_iter().map(|id| &interaction.messages[id]) {
        let own = ends(interaction, message);
        let is_known =
            |one: &DrawnOccurrence| known.alike(one.kind, &one.message).any(|known| one.fits(known));
        is_related |= own.iter().any(is_known);
        if own.iter().any(is_known) || told.len() == MOST_FINDINGS || !told.insert(&message.name) {
            continue;
        }
        let near = nearest(&message.name, known.0.keys().map(|(_, message)| message.as_str()));
        is_related |= near.is_some();
        own_findings.push(stranger(message, &own, near, known));
    }
    // A diagram that is related to no other is reported as a whole, by H513.
    if is_related {
        findings.append(&mut own_findings);
    }
}

fn stranger(
    message: &Message,
    own: &[DrawnOccurrence],
    near: Option<&str>,
    known: &DiagramOccurrences,
) -> Diagnostic {
    let name = &message.name;
    let text = format!("no other diagram draws `{name}` like this, so it never happens");
    let finding = Diagnostic::new(Code::StrangerInProperty, message.place.0, text);
    let elsewhere = own.iter().find_map(|one| known.alike(one.kind, name).next());
    if let Some(other) = elsewhere {
        let end =
            |end: &Option<String>| end.as_ref().map_or("outside".to_owned(), |name| format!("`{name}`"));
        return finding.hint(format!("it goes from {} to {}", end(&other.from), end(&other.to)));
    }
    match near {
        Some(near) => finding.meant(name, near),
        None => finding.hint("name lifelines and messages as in the diagram that this one is about"),
    }
}

fn ends(interaction: &Interaction, message: &Message) -> Vec<DrawnOccurrence> {
    let name = |end: End| end.lifeline().map(|lifeline| interaction.lifelines[lifeline].name.clone());
    let kinds = [(message.from, EventKind::Send), (message.to, EventKind::Receive)];
    let drawn = kinds.into_iter().filter(|(end, _)| end.lifeline().is_some());
    let [from, to] = [message.from, message.to].map(name);
    drawn
        .map(|(_, kind)| {
            let message = message.name.clone();
            DrawnOccurrence { kind, from: from.clone(), to: to.clone(), message }
        })
        .collect()
}
