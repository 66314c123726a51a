//! Sequence diagrams as Mermaid.

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Arrow, Block, Bound, Combined, End, Execution, Fragment, Interaction, LifelineId, Message, MessageId,
    MessageSort, Numbering, Occurrence, Side, Tip, TipShape,
};

use super::participants::{Introduced, mentions};
use super::{PrintedPage, block, encode};
use crate::mermaid::sequence::arrow::ARROWS;
use crate::mermaid::sequence::scan;

/// An interaction as a Mermaid `sequenceDiagram`.
pub fn sequence(interaction: &Interaction) -> String {
    let mut page = PrintedPage::new("sequenceDiagram");
    if interaction.title.as_ref() != Some(&interaction.name) {
        page.line(format!("%% @name {}", interaction.name.replace('\n', " ")));
    }
    if let Some(title) = &interaction.title {
        page.line(format!("title {}", encode::text(title)));
    }
    let active = vec![0; interaction.lifelines.len()];
    let mut printer =
        MermaidSequencePrinter { interaction, introduced: Introduced::new(interaction), active, page };
    printer.introduced.begin(&mut printer.page);
    printer.block(&interaction.body);
    printer.introduced.finish(&mut printer.page);
    for ordering in &interaction.orderings {
        let line = format!(
            "%% @order {} < {}",
            printer.occurrence(ordering.before),
            printer.occurrence(ordering.after)
        );
        printer.page.line(line);
    }
    for timing in &interaction.timings {
        let to = timing.to.map(|to| format!(" to {}", printer.occurrence(to))).unwrap_or_default();
        let label = timing.label().replace('\n', " ");
        let line = format!("%% time {label} from {}{to}", printer.occurrence(timing.from));
        printer.page.line(line);
    }
    printer.page.text
}

pub(super) struct MermaidSequencePrinter<'a> {
    pub(super) interaction: &'a Interaction,
    pub(super) introduced: Introduced<'a>,
    /// How often each lifeline is active: Mermaid refuses to end what has not begun.
    active: Vec<u32>,
    pub(super) page: PrintedPage,
}

impl MermaidSequencePrinter<'_> {
    fn block(&mut self, block: &Block) {
        let mut rest = block.0.as_slice();
        while let Some((first, after)) = rest.split_first() {
            let taken = match first {
                Fragment::Message(id) => self.message(*id, after),
                Fragment::Combined(combined) => {
                    self.combined(combined);
                    0
                }
                Fragment::Stop(_)
                | Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Use(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {
                    let late = self.introduced.mention(&mentions(self.interaction, first), &mut self.page);
                    self.single(first, after);
                    self.introduced.declare_late(&late, &mut self.page);
                    0
                }
            };
            rest = &after[taken..];
        }
    }

    /// A message with the activation and destruction on its line; returns how many of the fragments after it that are.
    fn message(&mut self, id: MessageId, after: &[Fragment]) -> usize {
        let message = &self.interaction.messages[id];
        let ends = [message.from.lifeline(), message.to.lifeline()];
        let circled = message.arrow.head.circle || message.arrow.tail.circle;
        let (sign, mut taken) = match after.first() {
            Some(Fragment::Execution(execution)) if !circled => match self.sign(message, execution) {
                "" => ("", 0),
                _ if !self.count(execution) => ("", 1),
                sign => (sign, 1),
            },
            _ => ("", 0),
        };
        let mut stopped = None;
        if let Some(Fragment::Stop(stop)) = after.get(taken)
            && ends.contains(&Some(stop.lifeline))
        {
            stopped = Some(stop.lifeline);
            taken += 1;
        }
        let late = self.before(message);
        if let Some(stopped) = stopped {
            let name = self.introduced.name(stopped);
            self.page.line(format!("destroy {name}"));
        }
        let (from, to) = (self.end(message.from, Side::Left), self.end(message.to, Side::Right));
        let [tail, head] =
            [message.arrow.tail, message.arrow.head].map(|tip| if tip.circle { "()" } else { "" });
        let arrow = arrow(&message.arrow);
        self.page.line(format!("{from}{tail}{arrow}{head}{sign}{to}: {}", encode::text(&message.text)));
        self.introduced.declare_late(&late, &mut self.page);
        taken
    }

    /// Declares the lifelines that a message needs, and returns those to be declared behind it.
    fn before(&mut self, message: &Message) -> Vec<LifelineId> {
        if let (MessageSort::Create, Some(to)) = (message.sort, message.to.lifeline()) {
            self.introduced.create(to, &mut self.page);
        }
        let ends: Vec<LifelineId> =
            [message.from, message.to].into_iter().filter_map(End::lifeline).collect();
        self.introduced.mention(&ends, &mut self.page)
    }

    /// `+` or `-`, if an execution after a message can be written on its line.
    fn sign(&self, message: &Message, execution: &Execution) -> &'static str {
        match execution.bound {
            Bound::Start if message.to.lifeline() == Some(execution.lifeline) => "+",
            Bound::Finish if message.from.lifeline() == Some(execution.lifeline) => "-",
            Bound::Start | Bound::Finish => "",
        }
    }

    /// Counts an execution; false if it ends something inactive.
    fn count(&mut self, execution: &Execution) -> bool {
        let active = &mut self.active[execution.lifeline.index()];
        match execution.bound {
            Bound::Start => *active += 1,
            Bound::Finish if *active == 0 => return false,
            Bound::Finish => *active -= 1,
        }
        true
    }

    fn combined(&mut self, combined: &Combined) {
        let header = block::header(self.interaction, combined);
        for directive in &header.directives {
            self.page.line(format!("%% {directive}"));
        }
        for (index, operand) in combined.operands.iter().enumerate() {
            let word = if index == 0 { header.keyword } else { header.divider };
            let text = block::operand_text(combined, operand, header.keyword, index == 0);
            self.page.line(format!("{word} {text}"));
            self.page.depth += 1;
            self.block(&operand.block);
            self.page.depth -= 1;
        }
        self.page.line("end");
    }

    /// A fragment on a line of its own.
    fn single(&mut self, fragment: &Fragment, after: &[Fragment]) {
        match fragment {
            Fragment::Stop(stop) => {
                let name = &self.interaction.lifelines[stop.lifeline].name;
                self.page.line(format!("%% @stop {name}"));
            }
            Fragment::Action(action) => {
                self.page.line("%% @action");
                self.note_over(&[action.lifeline], &action.name);
            }
            Fragment::Invariant(invariant) => {
                self.note_over(&invariant.lifelines, &format!("{{{}}}", invariant.condition.text));
            }
            Fragment::Use(use_) => {
                self.page.line("%% @ref");
                self.note_over(&use_.lifelines, &use_.name);
            }
            Fragment::Execution(execution) if !self.count(execution) => {}
            Fragment::Execution(execution) => {
                let word = match execution.bound {
                    Bound::Start => "activate",
                    Bound::Finish => "deactivate",
                };
                let name = self.introduced.name(execution.lifeline);
                self.page.line(format!("{word} {name}"));
            }
            Fragment::Note(note) => self.note(note),
            Fragment::Separator(separator) => self.separator(separator),
            Fragment::Numbering(numbering) => self.numbering(numbering, after),
            Fragment::Message(_) | Fragment::Combined(_) => unreachable!("both have a function of their own"),
        }
    }

    fn numbering(&mut self, numbering: &Numbering, after: &[Fragment]) {
        let line = match numbering {
            Numbering::Start { start: None, step: None, .. } => "autonumber".to_owned(),
            Numbering::Start { start, step, .. } => {
                let start = start.clone().unwrap_or_else(|| "1".to_owned());
                let step = step.map(|step| format!(" {step}")).unwrap_or_default();
                format!("autonumber {}{step}", plain_number(&start))
            }
            Numbering::Stop => "autonumber off".to_owned(),
            Numbering::Resume { .. } | Numbering::Increment(_) => match self.next_number(after) {
                Some(number) => format!("autonumber {}", plain_number(&number)),
                None => return,
            },
        };
        self.page.line(line);
    }

    /// The number of the first message among the fragments.
    fn next_number(&self, fragments: &[Fragment]) -> Option<String> {
        fragments.iter().find_map(|fragment| match fragment {
            Fragment::Message(id) => self.interaction.messages[*id].number.clone(),
            Fragment::Combined(combined) => {
                combined.operands.iter().find_map(|operand| self.next_number(&operand.block.0))
            }
            Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Invariant(_)
            | Fragment::Use(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => None,
        })
    }

    fn end(&self, end: End, missing: Side) -> String {
        match end {
            End::Lifeline(id) => self.introduced.name(id).to_owned(),
            End::Outside(outside) if outside.side == missing || outside.side == Side::Left => {
                if outside.side == Side::Left { "[" } else { "]" }.to_owned()
            }
            End::Outside(_) => "]".to_owned(),
        }
    }

    /// An occurrence as `@order` reads it.
    fn occurrence(&self, occurrence: Occurrence) -> String {
        let (sign, id) = match occurrence {
            Occurrence::Send(id) => ('!', id),
            Occurrence::Receive(id) => ('?', id),
        };
        let name = |id: MessageId| {
            let message = &self.interaction.messages[id];
            let end = |end: End| end.lifeline().map_or("", |id| self.interaction.lifelines[id].name.as_str());
            format!("{}->{}:{}", end(message.from), end(message.to), message.name)
        };
        let wanted = name(id);
        let same: Vec<MessageId> = self
            .interaction
            .messages
            .enumerate()
            .map(|(id, _)| id)
            .filter(|id| name(*id) == wanted)
            .collect();
        let number = same.iter().position(|other| *other == id).map_or(1, |position| position + 1);
        if same.len() == 1 { format!("{sign}{wanted}") } else { format!("{sign}{wanted}#{number}") }
    }
}

/// The digits of a number that Mermaid can count from.
fn plain_number(text: &str) -> String {
    let text = format!("{text} ");
    let start = text.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    match scan::number_length(&text[start..]) {
        Some(length) => text[start..start + length].to_owned(),
        None => text[start..].chars().take_while(char::is_ascii_digit).collect(),
    }
}

/// How an arrow is written; one that Mermaid does not have is written with its head alone.
fn arrow(arrow: &Arrow) -> &'static str {
    let bare = |tip: Tip| Tip { circle: false, ..tip };
    let whole = |tip: Tip| Tip { circle: false, half: None, ..tip };
    let exact = Arrow { head: bare(arrow.head), tail: bare(arrow.tail), colour: None, dashed: arrow.dashed };
    let headed = Arrow { head: whole(arrow.head), tail: Tip::NONE, ..exact.clone() };
    let both = Arrow { head: Tip::FILLED, tail: Tip::FILLED, ..exact.clone() };
    let is_both = arrow.head.shape != TipShape::None && arrow.tail.shape != TipShape::None;
    let wanted = [Some(exact), is_both.then_some(both), Some(headed)];
    let find = |wanted: &Arrow| ARROWS.iter().find(|kind| kind.drawn([false, false]) == *wanted);
    wanted.iter().flatten().find_map(find).map_or("->>", |kind| kind.text)
}
