//! `participant`, `actor`, with `as` and `@{ .. }`.

use sequent_kernel::diagnostic::{Code, Diagnostic, Remedy, nearest};
use sequent_kernel::model::LifelineKind;
use sequent_kernel::source::Span;

use super::kind::{MermaidKeyword, SequenceTokenKind};
use super::reader::{SequenceProblem, SequenceReader};
use crate::mermaid::attributes::{self, Attributes};
use crate::mermaid::text::{decode, trim};
use crate::tree::Name;
use crate::tree::sequence::Participant;

const TYPES: &[(&str, LifelineKind)] = &[
    ("participant", LifelineKind::Participant),
    ("actor", LifelineKind::Actor),
    ("boundary", LifelineKind::Boundary),
    ("control", LifelineKind::Control),
    ("entity", LifelineKind::Entity),
    ("database", LifelineKind::Database),
    ("collections", LifelineKind::Collections),
    ("queue", LifelineKind::Queue),
];

/// The word for a kind in `@{ "type": .. }`.
pub(crate) fn type_name(kind: LifelineKind) -> &'static str {
    TYPES.iter().find(|(_, known)| *known == kind).map(|(name, _)| *name).expect("every kind is in the table")
}

impl SequenceReader<'_> {
    /// The rest of a declaration after its keyword.
    pub(super) fn participant(
        &mut self,
        kind: LifelineKind,
        create: bool,
    ) -> Result<Participant, SequenceProblem> {
        let mut name = self.name("a participant's name")?;
        self.judge_alias(&name);
        let mut kind = kind;
        let attributes = self.attributes()?;
        if matches!(self.peek().kind, SequenceTokenKind::Word(MermaidKeyword::As)) {
            self.advance();
            let rest = self.advance();
            name.label = Some(self.text_of(rest.start..rest.end).text);
        }
        if let Some((attributes, span)) = attributes {
            self.judge(&attributes, span);
            let named =
                attributes.get("type").and_then(|name| TYPES.iter().find(|(known, _)| *known == name));
            kind = named.map_or(kind, |(_, kind)| *kind);
            let is_free = name.label.as_ref().is_none_or(|label| *label == name.text);
            if let Some(alias) = attributes.get("alias").filter(|alias| is_free && !alias.is_empty()) {
                name.label = Some(decode(alias));
            }
        }
        self.newline()?;
        Ok(Participant { name, kind, stereotypes: Vec::new(), colour: None, order: 0, create })
    }

    /// A text first and a word after `as`, as PlantUML has them: a name of several words swallows the `as`.
    fn judge_alias(&mut self, name: &Name) {
        let Some((shown, word)) = name.text.rsplit_once(" as ") else { return };
        let (shown, word) = (shown.trim().trim_matches('"'), word.trim());
        if !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_') {
            let message = format!("Mermaid takes all of `{}` for one name", name.text);
            let finding = Diagnostic::new(Code::AliasReversed, name.span, message);
            self.diagnostics.push(
                finding
                    .hint(format!("write `participant {word} as {shown}`"))
                    .remedy(Remedy::Replace(format!("{word} as {shown}"))),
            );
        }
    }

    /// `@{ .. }` behind a name.
    fn attributes(&mut self) -> Result<Option<(Attributes, Span)>, SequenceProblem> {
        if !matches!(self.peek().kind, SequenceTokenKind::ConfigStart) {
            return Ok(None);
        }
        self.advance();
        let inside = self.advance();
        if !matches!(inside.kind, SequenceTokenKind::Config) {
            return Err(self
                .problem(inside, "`@{ }` behind a participant must hold something")
                .hint("write `@{ \"type\": \"database\" }`, or leave it out"));
        }
        let end = self.peek();
        if !matches!(end.kind, SequenceTokenKind::ConfigEnd) {
            return Err(self
                .problem(end, "`@{` is never closed")
                .code(Code::UnclosedBlock)
                .hint("close it with `}`"));
        }
        self.advance();
        let text = trim(&self.script.text[inside.start..inside.end]);
        let span = self.script.span(inside.start..inside.end);
        let attributes = if text.contains('\n') && !text.contains(',') {
            attributes::read(text)
        } else {
            attributes::read_inline(text)
        };
        Ok(Some((attributes, span)))
    }

    /// Reports attributes that mean nothing.
    fn judge(&mut self, attributes: &Attributes, span: Span) {
        if attributes.is_odd {
            let message = "the attributes of a participant are pairs such as `\"type\": \"database\"`";
            self.diagnostics.push(Diagnostic::new(Code::BadMarkup, span, message));
        }
        if let Some(name) = attributes.get("type").filter(|name| TYPES.iter().all(|(known, _)| known != name))
        {
            let names = || TYPES.iter().map(|(name, _)| *name);
            let message = format!("`{name}` is not a participant type");
            let finding = Diagnostic::new(Code::BadMarkup, span, message);
            self.diagnostics.push(match nearest(name, names()) {
                Some(known) => finding.meant(name, known),
                None => finding.hint(format!("known are {}", names().collect::<Vec<_>>().join(", "))),
            });
        }
    }
}
