//! Message types in the lists of `ignore` and `consider` of which nothing is known: W230.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic, Severity, nearest, slip_of};
use crate::model::{Combined, Fragment, Interaction, InteractionId, MessageSet, MessageType, Model};
use crate::semantics::extras;
use crate::source::Folders;

pub(super) fn check(model: &Model, folders: &Folders, findings: &mut Vec<Diagnostic>) {
    for id in model.interactions.ids() {
        findings.extend(unknown_types(model, folders, id));
        findings.extend(unconsidered(model, folders, id));
    }
}

/// What a diagram considers although no message is called so.
fn unconsidered(model: &Model, folders: &Folders, id: InteractionId) -> Vec<Diagnostic> {
    let interaction = &model.interactions[id];
    let vocabulary = TypeVocabulary { model, folders, interaction };
    let mut findings = Vec::new();
    interaction.walk(&mut |fragment, _| {
        if let Fragment::Combined(combined) = fragment
            && let Some(MessageSet::Considered(types)) = combined.operator.types()
        {
            let names = vocabulary.drawn(id);
            let known = |name: &str| names.contains(name) || vocabulary.of_machines().contains(name);
            for one in types.iter().filter(|one| !known(&one.name)) {
                let text = format!("no message is called `{}`, so to consider it changes nothing", one.name);
                let finding = Diagnostic::new(Code::UnknownIgnored, combined.place.0.at_start(), text);
                findings.push(match slip_of(&one.name, names.iter().copied()) {
                    Some(near) => finding.hint(format!("did you mean `{near}`?")),
                    None => finding
                        .severity(Severity::Hint)
                        .hint("leave it out, or draw the message where it is sent"),
                });
            }
        }
    });
    findings
}

/// What a diagram ignores although nothing tells who sends it.
pub fn unknown_types(model: &Model, folders: &Folders, id: InteractionId) -> Vec<Diagnostic> {
    let interaction = &model.interactions[id];
    let vocabulary = TypeVocabulary { model, folders, interaction };
    let mut findings = Vec::new();
    interaction.walk(&mut |fragment, _| {
        if let Fragment::Combined(combined) = fragment
            && let Some(MessageSet::Ignored(types)) = combined.operator.types()
        {
            let unknown = types.iter().filter(|one| !vocabulary.knows(id, one));
            findings.extend(unknown.map(|one| vocabulary.finding(combined, one)));
        }
    });
    findings
}

/// What may be known of a message type in a diagram.
struct TypeVocabulary<'m> {
    model: &'m Model,
    folders: &'m Folders,
    interaction: &'m Interaction,
}

impl<'m> TypeVocabulary<'m> {
    fn knows(&self, id: InteractionId, one: &MessageType) -> bool {
        // Diagrams that use this one draw their messages beside it.
        let is_extra = |diagram: InteractionId| {
            !extras(self.model, &[diagram], MessageSet::Ignored(std::slice::from_ref(one))).is_empty()
        };
        is_extra(id)
            || self.relatives(id).into_iter().any(is_extra)
            || self.of_machines().contains(one.name.as_str())
    }

    /// The diagrams that use this one, and those that it uses, directly or not.
    fn relatives(&self, id: InteractionId) -> BTreeSet<InteractionId> {
        let mut found = BTreeSet::from([id]);
        loop {
            let before = found.len();
            for (other, interaction) in self.model.interactions.enumerate() {
                interaction.walk(&mut |fragment, _| {
                    let Fragment::Use(used) = fragment else { return };
                    let Some(target) = used.target else { return };
                    if found.contains(&other) || found.contains(&target) {
                        found.extend([other, target]);
                    }
                });
            }
            if found.len() == before {
                return found;
            }
        }
    }

    /// The names of all messages of the diagram and its relatives, and of those that are known from elsewhere.
    fn drawn(&self, id: InteractionId) -> BTreeSet<&'m str> {
        let relatives = self.relatives(id).into_iter().map(|id| &self.model.interactions[id]);
        relatives
            .flat_map(|one| {
                let known = one.known.iter().map(|message| message.name.as_str());
                one.messages.iter().map(|message| message.name.as_str()).chain(known)
            })
            .collect()
    }

    /// The messages of the state machines in the folder, which the diagram may be about.
    fn of_machines(&self) -> BTreeSet<&'m str> {
        let folder = self.folders.get(&self.interaction.place.0.file);
        let machines = self.model.machines.iter().filter(|one| self.folders.get(&one.place.0.file) == folder);
        machines
            .flat_map(|machine| {
                let sent = machine.sends().map(|send| send.name.as_str());
                sent.chain(machine.triggers())
            })
            .collect()
    }

    fn finding(&self, combined: &Combined, one: &MessageType) -> Diagnostic {
        let message = format!("nothing tells who sends `{}` to whom, so it does not happen here", one.name);
        let finding = Diagnostic::new(Code::UnknownIgnored, combined.place.0.at_start(), message);
        let drawn = self.interaction.messages.iter().map(|message| message.name.as_str());
        let known = self.interaction.known.iter().map(|message| message.name.as_str());
        match nearest(&one.name, drawn.chain(known)) {
            Some(near) => finding.hint(format!("did you mean `{near}`? Else write `{}: a -> b`", one.name)),
            None => finding.hint(format!("write who sends it to whom: `ignore {{{}: a -> b}}`", one.name)),
        }
    }
}
