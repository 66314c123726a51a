//! Prints sequence diagrams as PlantUML; reading the text again gives the same interaction.
//!
//! One statement per line, blocks indented. Declared participants come first, in order, inside their boxes; those that
//! were never declared are left to the messages that mention them ([`participants`] sees to it that they end up where
//! they belong). What PlantUML cannot say is said by the conventions of DESIGN section 7: `group neg`, or a directive on
//! the line before a block.

mod fragment;
mod message;
mod note;
mod participants;

use std::collections::HashSet;

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Action, Block, Bound, End, Execution, Fragment, Interaction, Invariant, LifelineId, Message, MessageId,
    Numbering, Occurrence, Separator, SeparatorKind, Timing, TimingKind, Use,
};

use super::text::{caption_text, captions, line_text, name};
use crate::plantuml::common::colour;
use crate::plantuml::common::scan::Scan;

/// Prints one sequence diagram with its `@startuml` and `@enduml`.
pub fn print(interaction: &Interaction) -> String {
    let mut printer =
        PlantumlSequencePrinter { interaction, out: String::new(), depth: 0, mentioned: HashSet::new() };
    printer.line(&super::text::start(&interaction.name));
    if let Some(title) = &interaction.title {
        printer.line(&format!("title {}", caption_text(title)));
    }
    captions(&interaction.captions).for_each(|line| printer.line(&line));
    printer.diagram();
    printer.line("@enduml");
    printer.out
}

/// What durations call a message.
fn anchor(id: MessageId) -> String {
    format!("m{}", id.index() + 1)
}

/// The printer of an interaction, with the text so far.
struct PlantumlSequencePrinter<'a> {
    interaction: &'a Interaction,
    out: String,
    depth: usize,
    /// Lifelines that the text so far declares or mentions.
    mentioned: HashSet<LifelineId>,
}

impl PlantumlSequencePrinter<'_> {
    fn diagram(&mut self) {
        let plan = participants::plan(self.interaction);
        self.declarations(&plan);
        self.block(&self.interaction.body.clone());
        self.orderings();
        self.timings();
        self.unmentioned();
        self.rearrangement(&plan);
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
        self.out.push_str(text.trim_end_matches([' ', '\t']));
        self.out.push('\n');
    }

    /// The name of a lifeline as messages and notes write it.
    fn lifeline(&mut self, id: LifelineId) -> String {
        self.mentioned.insert(id);
        name(&self.interaction.lifelines[id].name)
    }

    fn lifelines(&mut self, ids: &[LifelineId]) -> String {
        ids.iter().map(|id| self.lifeline(*id)).collect::<Vec<_>>().join(", ")
    }

    fn block(&mut self, block: &Block) {
        for fragment in &block.0 {
            self.fragment(fragment);
        }
    }

    fn fragment(&mut self, fragment: &Fragment) {
        match fragment {
            Fragment::Message(id) => self.message(*id, false, ""),
            Fragment::Stop(stop) => {
                let name = self.lifeline(stop.lifeline);
                self.line(&format!("destroy {name}"));
            }
            Fragment::Action(action) => self.action(action),
            Fragment::Invariant(invariant) => self.invariant(invariant),
            Fragment::Use(use_) => self.reference(use_),
            Fragment::Combined(combined) => self.combined(combined),
            Fragment::Execution(execution) => self.execution(execution),
            Fragment::Note(note) => self.note(note),
            Fragment::Separator(separator) => self.separator(separator),
            Fragment::Numbering(numbering) => self.numbering(numbering),
        }
    }

    fn execution(&mut self, execution: &Execution) {
        let name = self.lifeline(execution.lifeline);
        let word = match execution.bound {
            Bound::Start => "activate",
            Bound::Finish => "deactivate",
        };
        self.line(&format!("{word} {name}{}", colour_after_space(execution.colour.as_deref())));
    }

    fn action(&mut self, action: &Action) {
        let name = self.lifeline(action.lifeline);
        self.line("' @action");
        self.line(&format!("note over {name} : {}", line_text(&action.name)));
    }

    fn invariant(&mut self, invariant: &Invariant) {
        let names = self.lifelines(&invariant.lifelines);
        let text = line_text(&fragment::protected(&invariant.condition.text));
        let braced = text.starts_with('{') && text.ends_with('}');
        let text = if braced { format!("{{{text}}}") } else { text };
        self.line(&format!("hnote over {names} : {text}"));
    }

    fn reference(&mut self, use_: &Use) {
        let names = match use_.lifelines.as_slice() {
            [] => self.interaction.lifelines.enumerate().map(|(id, _)| id).collect(),
            some => some.to_vec(),
        };
        let names = self.lifelines(&names);
        self.line(&format!("ref over {names} : {}", line_text(&use_.name)));
    }

    fn separator(&mut self, separator: &Separator) {
        let text = line_text(&separator.text);
        self.line(&match separator.kind {
            SeparatorKind::Divider => format!("== {text} =="),
            SeparatorKind::Delay if text.is_empty() => "...".to_owned(),
            SeparatorKind::Delay => format!("...{text}..."),
            SeparatorKind::Space(None) => "|||".to_owned(),
            SeparatorKind::Space(Some(height)) => format!("||{height}||"),
            SeparatorKind::Page => format!("newpage {text}"),
        });
    }

    fn numbering(&mut self, numbering: &Numbering) {
        let format_text = |format: &Option<String>| format.as_ref().map(|format| format!(" \"{format}\""));
        let parts = match numbering {
            Numbering::Start { start, step, format } => {
                let start = start.clone().or_else(|| step.map(|_| "1".to_owned()));
                [
                    start.map(|start| format!(" {start}")),
                    step.map(|step| format!(" {step}")),
                    format_text(format),
                ]
            }
            Numbering::Stop => [Some(" stop".to_owned()), None, None],
            Numbering::Resume { step, format } => {
                [Some(" resume".to_owned()), step.map(|step| format!(" {step}")), format_text(format)]
            }
            Numbering::Increment(level) => [Some(format!(" inc {level}")), None, None],
        };
        self.line(&format!("autonumber{}", parts.into_iter().flatten().collect::<String>()));
    }

    /// General orderings are directives.
    fn orderings(&mut self) {
        for ordering in &self.interaction.orderings {
            let (before, after) = (self.occurrence(ordering.before), self.occurrence(ordering.after));
            self.line(&format!("' @order {before} < {after}"));
        }
    }

    /// Durations are drawn between anchors; what these cannot say is a comment.
    fn timings(&mut self) {
        for timing in &self.interaction.timings {
            let text = line_text(&timing.text);
            if let Some([from, to]) = self.anchors(timing) {
                self.line(&format!("{{{from}}} <-> {{{to}}} : {text}"));
                continue;
            }
            let (label, from) = (line_text(&timing.label()), self.occurrence(timing.from));
            let to = timing.to.map(|to| format!(" to {}", self.occurrence(to))).unwrap_or_default();
            self.line(&format!("' time {label} from {from}{to}"));
        }
    }

    /// The anchors of a duration, if they say which ends are meant.
    fn anchors(&self, timing: &Timing) -> Option<[String; 2]> {
        let ends = [timing.from, timing.to?];
        let ids = ends.map(|(Occurrence::Send(id) | Occurrence::Receive(id))| id);
        let is_meant =
            ends.iter().zip(ids).all(|(end, id)| self.interaction.messages[id].anchored(id) == *end);
        let is_constraint = timing.kind == TimingKind::Constraint;
        (is_meant && is_constraint && ids[0] != ids[1]).then(|| ids.map(anchor))
    }

    /// The anchor before a message that a duration begins or ends with.
    fn anchor_of(&self, id: MessageId) -> String {
        let named = self.interaction.timings.iter().filter_map(|timing| self.anchors(timing)).flatten();
        let own = anchor(id);
        if named.into_iter().any(|one| one == own) { format!("{{{own}}} ") } else { String::new() }
    }

    fn occurrence(&self, occurrence: Occurrence) -> String {
        match occurrence {
            Occurrence::Send(message) => format!("!{}", self.message_name(message)),
            Occurrence::Receive(message) => format!("?{}", self.message_name(message)),
        }
    }

    /// A message's name, with its number among those of the same name.
    fn message_name(&self, id: MessageId) -> String {
        let message = &self.interaction.messages[id];
        let end = |end: End| end.lifeline().map_or("", |id| self.interaction.lifelines[id].name.as_str());
        let full = |message: &Message| format!("{}->{}:{}", end(message.from), end(message.to), message.name);
        let wanted = if message.name.is_empty() { full(message) } else { message.name.clone() };
        let fits = |other: &Message| other.name == wanted || full(other) == wanted;
        let same: Vec<MessageId> = self
            .interaction
            .messages
            .enumerate()
            .filter(|(_, other)| fits(other))
            .map(|(id, _)| id)
            .collect();
        match same.iter().position(|other| *other == id) {
            Some(index) if same.len() > 1 => format!("{wanted}#{}", index + 1),
            Some(_) | None => wanted,
        }
    }
}

/// A colour after a space, if PlantUML knows it.
fn colour_after_space(written: Option<&str>) -> String {
    let Some(written) = written else { return String::new() };
    let mut scan = Scan::new(written);
    let whole = colour::take(&mut scan).is_some() && scan.is_done();
    let short = written.strip_prefix('#').is_some_and(colour::is_known);
    if whole || short { format!(" {written}") } else { String::new() }
}

#[cfg(test)]
mod tests;
