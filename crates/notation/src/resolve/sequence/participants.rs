//! Lifelines and their order from left to right.
//!
//! Both tools list participants by first mention. PlantUML then lets `order` move one and moves a participant that is
//! declared again behind the others; Mermaid lets a later declaration give a new label or symbol.

use std::collections::HashMap;

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::id::IdVec;
use sequent_kernel::model::{Lifeline, LifelineBox, LifelineId, LifelineKind};
use sequent_kernel::source::{Place, Span};

use crate::tree::sequence::{ArrowEnd, MessageStatement, Participant, SequenceStatement};
use crate::tree::{Name, Notation, Statement, StatementKind};

/// The lifelines of a diagram, found by name.
#[derive(Default)]
pub(crate) struct Participants {
    pub lifelines: IdVec<LifelineId, Lifeline>,
    pub boxes: Vec<LifelineBox>,
    by_name: HashMap<String, LifelineId>,
}

impl Participants {
    pub(crate) fn get(&self, name: &str) -> LifelineId {
        self.find(name).expect("the first pass met every name")
    }

    pub(crate) fn find(&self, name: &str) -> Option<LifelineId> {
        self.by_name.get(name).copied()
    }
}

/// Finds the lifelines of a diagram.
pub(crate) fn collect(
    notation: Notation,
    statements: &[Statement<SequenceStatement>],
    diagnostics: &mut Vec<Diagnostic>,
) -> Participants {
    let mut collector = Collector { notation, ..Collector::default() };
    for statement in statements {
        if let StatementKind::Item(item) = &statement.kind {
            collector.item(item, statement.span);
        }
    }
    diagnostics.append(&mut collector.diagnostics);
    collector.finish()
}

/// A lifeline under construction.
struct LifelineDraft {
    lifeline: Lifeline,
    order: i32,
    box_index: Option<usize>,
    /// Whether anything but declarations mentions it.
    linked: bool,
}

struct Collector {
    notation: Notation,
    drafts: Vec<LifelineDraft>,
    by_name: HashMap<String, usize>,
    /// Indices of drafts from left to right.
    arrangement: Vec<usize>,
    boxes: Vec<LifelineBox>,
    current_box: Option<usize>,
    hide_unlinked: bool,
    diagnostics: Vec<Diagnostic>,
}

impl Default for Collector {
    fn default() -> Self {
        Collector {
            notation: Notation::PlantUml,
            drafts: Vec::new(),
            by_name: HashMap::new(),
            arrangement: Vec::new(),
            boxes: Vec::new(),
            current_box: None,
            hide_unlinked: false,
            diagnostics: Vec::new(),
        }
    }
}

impl Collector {
    fn item(&mut self, item: &SequenceStatement, span: Span) {
        match item {
            SequenceStatement::Participant(participant) => self.declare(participant, span),
            SequenceStatement::BoxStart { label, colour } => self.open_box(label, colour.as_ref(), span),
            SequenceStatement::BoxEnd => self.current_box = None,
            SequenceStatement::Message(message) => self.message(message),
            SequenceStatement::Create(name) | SequenceStatement::Destroy(name) => self.mention(name),
            // Mermaid draws no participant that is only activated.
            SequenceStatement::Activate { .. } | SequenceStatement::Deactivate(_)
                if self.notation == Notation::Mermaid => {}
            SequenceStatement::Activate { name, .. } => self.mention(name),
            SequenceStatement::HideUnlinked(hide) => self.hide_unlinked = *hide,
            SequenceStatement::Deactivate(name) => name.iter().for_each(|name| self.mention(name)),
            SequenceStatement::Note(note) => note.names.iter().for_each(|name| self.mention(name)),
            SequenceStatement::Reference(reference) => {
                reference.names.iter().for_each(|name| self.mention(name))
            }
            SequenceStatement::Return(_)
            | SequenceStatement::AutoActivate(_)
            | SequenceStatement::AutoNumber(_)
            | SequenceStatement::Open(_)
            | SequenceStatement::Divide(_)
            | SequenceStatement::Close
            | SequenceStatement::Separator(..)
            | SequenceStatement::Duration(_) => {}
        }
    }

    fn open_box(&mut self, label: &str, colour: Option<&String>, span: Span) {
        self.current_box = Some(self.boxes.len());
        let (label, colour) = (label.to_owned(), colour.cloned());
        self.boxes.push(LifelineBox { label, colour, lifelines: Vec::new(), place: Place(span) });
    }

    /// Mentions both ends in the order of the text, whichever way the arrow points.
    fn message(&mut self, message: &MessageStatement) {
        let ends = [&message.from, &message.to].into_iter();
        let mut names: Vec<&Name> = ends
            .filter_map(|end| match end {
                ArrowEnd::Name(name) => Some(name),
                ArrowEnd::Outside(_) => None,
            })
            .collect();
        names.sort_by_key(|name| name.span.start);
        names.into_iter().chain(&message.others).for_each(|name| self.mention(name));
    }

    fn mention(&mut self, name: &Name) {
        let index = match self.by_name.get(&name.text) {
            Some(index) => *index,
            None => self.add(name, LifelineKind::Participant, 0, false, name.span),
        };
        self.drafts[index].linked = true;
    }

    fn declare(&mut self, participant: &Participant, span: Span) {
        let index = match self.by_name.get(&participant.name.text) {
            None => self.add(&participant.name, participant.kind, participant.order, true, span),
            Some(&index) => {
                self.declare_again(index, participant);
                return;
            }
        };
        let lifeline = &mut self.drafts[index].lifeline;
        lifeline.stereotypes.clone_from(&participant.stereotypes);
        lifeline.colour.clone_from(&participant.colour);
        self.drafts[index].linked = participant.create;
    }

    /// Reports a label that is not drawn, because the participant has another.
    fn relabelled(&mut self, index: usize, participant: &Participant) {
        let first = &self.drafts[index].lifeline;
        let Some(label) = participant.name.label.as_ref().filter(|label| **label != first.label) else {
            return;
        };
        let (lost, hint) = match self.notation {
            Notation::PlantUml => (label, "declare a participant once, before it is used"),
            Notation::Mermaid if participant.create || first.label == first.name => return,
            Notation::Mermaid => (&first.label, "declare a participant once"),
        };
        let name = &participant.name;
        let message =
            format!("`{}` is in the diagram already, so its label `{lost}` is not drawn", name.text);
        let finding = Diagnostic::new(Code::DuplicateName, name.span, message).severity(Severity::Warning);
        self.diagnostics.push(finding.hint(hint).label(first.place.0, "here"));
    }

    fn declare_again(&mut self, index: usize, participant: &Participant) {
        self.relabelled(index, participant);
        match self.notation {
            Notation::PlantUml => {
                self.arrangement.retain(|other| *other != index);
                self.drafts[index].box_index = self.current_box;
                self.arrange(index);
            }
            Notation::Mermaid => {
                let draft = &mut self.drafts[index];
                if self.current_box.is_some() {
                    draft.box_index = self.current_box;
                }
                if let Some(label) = &participant.name.label {
                    draft.lifeline.label.clone_from(label);
                    draft.lifeline.class = class_of(label);
                    draft.lifeline.kind = participant.kind;
                }
                draft.lifeline.declared = true;
            }
        }
    }

    fn add(&mut self, name: &Name, kind: LifelineKind, order: i32, declared: bool, span: Span) -> usize {
        let label = name.label.clone().unwrap_or_else(|| name.text.clone());
        let lifeline = Lifeline {
            name: name.text.clone(),
            class: class_of(&label),
            label,
            kind,
            stereotypes: Vec::new(),
            colour: None,
            declared,
            place: Place(span),
        };
        let index = self.drafts.len();
        self.drafts.push(LifelineDraft { lifeline, order, box_index: self.current_box, linked: false });
        self.by_name.insert(name.text.clone(), index);
        self.arrange(index);
        index
    }

    /// Puts a draft before the first one of higher order, else at the end.
    fn arrange(&mut self, index: usize) {
        let order = self.drafts[index].order;
        let before = self.arrangement.partition_point(|other| self.drafts[*other].order <= order);
        self.arrangement.insert(before, index);
    }

    fn finish(self) -> Participants {
        let mut participants = Participants { boxes: self.boxes, ..Participants::default() };
        let mut drafts: Vec<Option<LifelineDraft>> = self.drafts.into_iter().map(Some).collect();
        for index in self.arrangement {
            let draft = drafts[index].take().expect("each draft stands in one place");
            if self.hide_unlinked && !draft.linked {
                continue;
            }
            let name = draft.lifeline.name.clone();
            let id = participants.lifelines.push(draft.lifeline);
            participants.by_name.insert(name, id);
            if let Some(index) = draft.box_index {
                participants.boxes[index].lifelines.push(id);
            }
        }
        participants
    }
}

/// The class in a label of the form `object : Class` or `: Class`.
pub(crate) fn class_of(label: &str) -> Option<String> {
    let (object, class) = label.split_once(':')?;
    let (object, class) = (object.trim(), class.trim());
    let is_word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_word(object) && is_word(class) && class.starts_with(|c: char| !c.is_ascii_digit()))
        .then(|| class.to_owned())
}
