//! A run as a sequence diagram.
//!
//! The steps of a [`Run`] become an [`Interaction`] that every painter and printer understands: lifelines and arrows look
//! as in the diagram the run comes from, and what happens on each lifeline happens in the order of the run. A message that
//! cannot be drawn as one arrow (it was overtaken, or is still on its way) is drawn in two halves, `m (sent)` and
//! `m (received)`. What is repeated forever stands in a `loop (inf)`. What is said beside the run, such as the states of
//! objects, stands on its lifeline between what happens before and after ([`RunMark`]).

mod arrange;
mod emphasis;
mod lifelines;
mod objects;
mod occurrences;
mod scenario;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use sequent_kernel::id::IdVec;
use sequent_kernel::model::{
    Arrow, Block, Combined, Condition, End, Fragment, Frame, Interaction, InteractionId, Invariant,
    LifelineId, Loop, Message, MessageId, MessageSort, Model, Note, NotePosition, NoteShape, Operand,
    Operator, Outside, Side, Stop, Tip,
};
use sequent_kernel::replay::Run;
use sequent_kernel::source::{Place, Span};
use sequent_kernel::system::{ComponentId, Event, EventKind, System};

pub use emphasis::{coloured, framed};
pub use objects::objects;
pub use scenario::scenario;

use arrange::{DrawnRow, arrange};
use lifelines::Lifelines;
use occurrences::{LifelineMatter, RunOccurrence, occurrences};

/// Said of the half of a message that is sent, and of the half that is received.
pub const HALVES: [&str; 2] = [" (sent)", " (received)"];

/// What a drawing of a run shows besides the run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunDrawingOptions {
    /// Lifelines that do nothing are drawn too.
    pub idle_lifelines: bool,
    /// Steps that are to be seen at once.
    pub marked: BTreeSet<usize>,
    /// These steps stand where they happened, after everything before them and before everything after.
    pub fixed: BTreeSet<usize>,
    /// Notes at the end of lifelines.
    pub notes: Vec<(ComponentId, String)>,
    /// What is said on lifelines along the run, in order.
    pub marks: Vec<RunMark>,
    /// Notes at the end, across all lifelines.
    pub closing: Vec<String>,
    /// The texts of events that are calls, where no diagram draws them.
    pub calls: BTreeSet<String>,
    /// The texts of events that are replies, where no diagram draws them.
    pub replies: BTreeSet<String>,
}

/// Something said on a lifeline along a run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RunMark {
    /// After how many steps.
    pub moment: usize,
    /// On whose lifeline.
    pub component: ComponentId,
    /// What is said.
    pub text: String,
    /// Whether it is a state, rather than a note.
    pub is_state: bool,
}

/// A run as a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnRun {
    /// The diagram.
    pub interaction: Interaction,
    /// The messages that are to be seen at once.
    pub marked: BTreeSet<MessageId>,
    /// For each message how many steps were taken when it was sent, and when it was received; the same twice for a half.
    pub moments: IdVec<MessageId, [usize; 2]>,
    /// The labels of the messages beside which the drawing says more, without that.
    pub labels: BTreeMap<MessageId, String>,
}

/// Draws a run of a system that an interaction was lowered to.
pub fn diagram(
    model: &Model,
    id: InteractionId,
    system: &System,
    run: &Run,
    wishes: &RunDrawingOptions,
) -> DrawnRun {
    stage(model, &model.interactions[id], system, run, wishes)
}

/// Draws a run with the lifelines of a diagram, and others that it needs.
fn stage(
    model: &Model,
    original: &Interaction,
    system: &System,
    run: &Run,
    wishes: &RunDrawingOptions,
) -> DrawnRun {
    let all = occurrences(system, run, &wishes.marks);
    let lifelines = Lifelines::of(original, system, &all, wishes);
    let interaction = Interaction {
        name: original.name.clone(),
        title: None,
        captions: Vec::new(),
        place: original.place,
        lifelines: lifelines.drawn.clone(),
        messages: IdVec::new(),
        body: Block::default(),
        orderings: Vec::new(),
        timings: Vec::new(),
        boxes: lifelines.boxes(original),
        known: Vec::new(),
    };
    let drawn =
        DrawnRun { interaction, marked: BTreeSet::new(), moments: IdVec::new(), labels: BTreeMap::new() };
    let mut writer = RunWriter {
        originals: originals(model),
        system,
        all,
        lifelines,
        begun: BTreeSet::new(),
        wishes,
        drawn,
    };
    writer.write(run, original.place);
    writer.drawn
}

/// Messages by where they stand; `a -> b & c` are several at one place.
fn originals(model: &Model) -> BTreeMap<Span, Vec<(&Interaction, &Message)>> {
    let mut originals: BTreeMap<Span, Vec<(&Interaction, &Message)>> = BTreeMap::new();
    for interaction in model.interactions.iter() {
        for message in interaction.messages.iter() {
            originals.entry(message.place.0).or_default().push((interaction, message));
        }
    }
    originals
}

struct RunWriter<'a> {
    originals: BTreeMap<Span, Vec<(&'a Interaction, &'a Message)>>,
    system: &'a System,
    all: Vec<RunOccurrence<'a>>,
    lifelines: Lifelines,
    /// Lifelines on which something was drawn.
    begun: BTreeSet<ComponentId>,
    wishes: &'a RunDrawingOptions,
    drawn: DrawnRun,
}

impl RunWriter<'_> {
    fn write(&mut self, run: &Run, place: Place) {
        let start = run.cycle.unwrap_or(run.steps.len());
        let split = self.all.iter().position(|one| one.moment > start).unwrap_or(self.all.len());
        let mut body = self.stretch(0..split, false);
        if run.cycle.is_some() {
            body.push(match split < self.all.len() {
                true => endless(self.stretch(split..self.all.len(), true), place),
                false => note(Vec::new(), "nothing is seen from here on, forever".to_owned(), place),
            });
        }
        let mut notes: BTreeMap<ComponentId, Vec<&str>> = BTreeMap::new();
        for (component, text) in &self.wishes.notes {
            notes.entry(*component).or_default().push(text);
        }
        for (component, texts) in notes {
            let lifeline = self.lifelines.ids.get(&component).copied();
            body.extend(lifeline.map(|lifeline| note(vec![lifeline], texts.join("\n"), place)));
        }
        body.extend(self.wishes.closing.iter().map(|text| note(Vec::new(), text.clone(), place)));
        self.drawn.interaction.body = Block(body);
    }

    fn stretch(&mut self, stretch: Range<usize>, repeated: bool) -> Vec<Fragment> {
        let is_fixed = |one: &RunOccurrence| one.step().is_some_and(|step| self.wishes.fixed.contains(&step));
        let rows = arrange(&self.all, stretch, is_fixed);
        rows.into_iter().filter_map(|row| self.row(row, repeated)).collect()
    }

    fn row(&mut self, row: DrawnRow, repeated: bool) -> Option<Fragment> {
        let (first, second) = match row {
            DrawnRow::Whole(send, receipt) => (send, receipt),
            DrawnRow::Single(number) => (number, number),
        };
        let occurrence = &self.all[first];
        let place = occurrence.span.map_or(self.drawn.interaction.place, Place);
        let event = match occurrence.matter {
            LifelineMatter::Event(event, _) => event,
            LifelineMatter::Mark(mark) => return self.mark(mark, place),
        };
        let touched: Vec<ComponentId> =
            [first, second].iter().flat_map(|number| self.all[*number].lifelines.clone()).collect();
        let fragment = match event.kind {
            EventKind::Termination => {
                let lifeline = *self.lifelines.ids.get(touched.first()?)?;
                Fragment::Stop(Stop { lifeline, place })
            }
            EventKind::Send | EventKind::Receive | EventKind::Rendezvous => {
                let (mut message, remark) = self.message(first, event, matches!(row, DrawnRow::Whole(..)));
                let is_born = !repeated && event.to.is_some_and(|to| !self.begun.contains(&to));
                if message.sort == MessageSort::Create && !(is_born && matches!(row, DrawnRow::Whole(..))) {
                    message.sort = MessageSort::Signal;
                }
                let label = (!remark.is_empty()).then(|| message.text.clone());
                message.text += &remark;
                let id = self.drawn.interaction.messages.push(message);
                self.drawn.labels.extend(label.map(|label| (id, label)));
                self.drawn.moments.push([first, second].map(|number| self.all[number].moment));
                let mut steps = [first, second].into_iter().filter_map(|number| self.all[number].step());
                if steps.any(|step| self.wishes.marked.contains(&step)) {
                    self.drawn.marked.insert(id);
                }
                Fragment::Message(id)
            }
        };
        self.begun.extend(touched);
        Some(fragment)
    }

    /// What is said on a lifeline.
    fn mark(&self, mark: &RunMark, place: Place) -> Option<Fragment> {
        let lifeline = *self.lifelines.ids.get(&mark.component)?;
        let text = mark.text.clone();
        Some(match mark.is_state {
            true => {
                let condition = Condition { text, expression: None, place };
                Fragment::Invariant(Invariant { lifelines: vec![lifeline], condition, place })
            }
            false => note(vec![lifeline], text, place),
        })
    }

    /// The message of an occurrence: whole, or the half that the occurrence is. And what is said beside its label.
    fn message(&self, number: usize, event: &Event, is_joined: bool) -> (Message, String) {
        let span = self.all[number].span.unwrap_or(self.drawn.interaction.place.0);
        let is_whole = is_joined || matches!(self.all[number].matter, LifelineMatter::Event(_, true));
        let original = self.original(event, span).cloned();
        let mut message = original.unwrap_or_else(|| plain(event, self.sort(event), span));
        message.number = None;
        let end = |component: Option<ComponentId>, otherwise: End| match component {
            Some(component) => self.lifelines.ids.get(&component).map_or(otherwise, |id| End::Lifeline(*id)),
            None => otherwise,
        };
        let outside = |side| End::Outside(Outside { side, short: true });
        let from = end(event.from, kept(message.from, Side::Left));
        let to = end(event.to, kept(message.to, Side::Right));
        let is_rightward = from.lifeline() <= to.lifeline();
        let (left, right) = if is_rightward { (Side::Left, Side::Right) } else { (Side::Right, Side::Left) };
        (message.from, message.to) = (from, to);
        let remark = match event.kind {
            EventKind::Send if !is_whole && event.to.is_some() => {
                message.to = outside(right);
                HALVES[0].to_owned()
            }
            EventKind::Receive if !is_whole && event.from.is_some() => {
                message.from = outside(left);
                HALVES[1].to_owned()
            }
            EventKind::Send | EventKind::Rendezvous if event.to.is_none() => {
                let named = event.beyond.as_deref();
                named.map(|name| format!(" (to {name})")).unwrap_or_default()
            }
            EventKind::Send | EventKind::Receive | EventKind::Rendezvous | EventKind::Termination => {
                String::new()
            }
        };
        (message, remark)
    }

    /// What kind of message is behind an event that no diagram draws.
    fn sort(&self, event: &Event) -> MessageSort {
        match event.kind {
            _ if self.wishes.replies.contains(&event.text) => MessageSort::Reply,
            _ if self.wishes.calls.contains(&event.text) => MessageSort::Call,
            EventKind::Rendezvous => MessageSort::Call,
            EventKind::Send | EventKind::Receive | EventKind::Termination => MessageSort::Signal,
        }
    }

    /// The message of the diagram behind an occurrence.
    fn original(&self, event: &Event, span: Span) -> Option<&Message> {
        let name = |component: Option<ComponentId>| component.map(|id| self.system.components[id].as_str());
        let ends = (name(event.from), name(event.to));
        let all = self.originals.get(&span)?.iter();
        let fits = |(interaction, message): &&(&Interaction, &Message)| {
            let name = |end: End| end.lifeline().map(|id| interaction.lifelines[id].name.as_str());
            event.name == message.name && (name(message.from), name(message.to)) == ends
        };
        all.clone().find(fits).map(|(_, message)| *message)
    }
}

/// The outer end of a found or lost message as it was drawn.
fn kept(end: End, side: Side) -> End {
    match end {
        End::Outside(_) => end,
        End::Lifeline(_) => End::Outside(Outside { side, short: true }),
    }
}

/// A message that is in no diagram.
fn plain(event: &Event, sort: MessageSort, span: Span) -> Message {
    let text = &event.message;
    let head = if sort == MessageSort::Signal { Tip::OPEN } else { Tip::FILLED };
    let outside = |side| End::Outside(Outside { side, short: true });
    Message {
        name: text.clone(),
        arguments: None,
        text: text.clone(),
        number: None,
        sort,
        from: outside(Side::Left),
        to: outside(Side::Right),
        arrow: Arrow { dashed: sort == MessageSort::Reply, head, tail: Tip::NONE, colour: None },
        place: Place(span),
        label_place: Place(span),
    }
}

fn endless(block: Vec<Fragment>, place: Place) -> Fragment {
    let operand = Operand::plain(Block(block), place);
    let operator = Operator::Loop(Loop { min: None, max: None, strict: false });
    let frame = Frame { keyword: "loop".to_owned(), title: None, subtitle: None, colour: None };
    Fragment::Combined(Combined::new(operator, vec![operand], frame, place))
}

/// A note over a lifeline, or across all of them.
pub(crate) fn note(lifelines: Vec<LifelineId>, text: String, place: Place) -> Fragment {
    let position = if lifelines.is_empty() { NotePosition::Across } else { NotePosition::Over };
    let shape = NoteShape::Folded;
    Fragment::Note(Note { position, lifelines, message: None, shape, text, colour: None, place })
}

#[cfg(test)]
mod tests;
