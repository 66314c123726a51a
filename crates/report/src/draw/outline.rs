//! The outline of a sequence diagram: its rows from top to bottom, before they are measured.
//!
//! The tree of fragments is flattened into rows; a combined fragment becomes a row where it opens, one per further
//! operand and one where it closes. What hangs on rows rather than being one is collected beside them: notes at a
//! message, execution bars, births and deaths of lifelines. SVG and terminal drawings share this page of decisions.

use sequent_kernel::id;
use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::model::{
    Action, Block, Bound, Combined, End, Execution, Fragment, Interaction, Invariant, LifelineId, Message,
    MessageId, MessageSort, Note, NotePosition, Operand, Separator, SeparatorKind, Tip, Use,
};

id! {
    /// A row of the drawing.
    RowId
}
id! {
    /// A combined fragment that is drawn as a frame.
    FrameId
}

/// Rows, and what hangs on them.
#[derive(Debug)]
pub(crate) struct Outline<'a> {
    /// The diagram.
    pub interaction: &'a Interaction,
    /// From top to bottom.
    pub rows: IdVec<RowId, OutlineRow<'a>>,
    /// Frames, outer before inner.
    pub frames: IdVec<FrameId, &'a Combined>,
    /// Execution bars, outer before inner.
    pub bars: Vec<ExecutionBar<'a>>,
    /// Birth and death of every lifeline.
    pub lives: IdVec<LifelineId, LifelineSpan>,
}

/// One row.
#[derive(Debug)]
pub(crate) struct OutlineRow<'a> {
    /// What stands in it.
    pub kind: RowKind<'a>,
    /// Drawn at the same height as the row before.
    pub joined: bool,
}

/// What can stand in a row.
#[derive(Debug)]
pub(crate) enum RowKind<'a> {
    /// A message with the notes beside it.
    Message(MessageRow<'a>),
    /// The cross at the end of a lifeline, where no message leads to it.
    Stop(LifelineId),
    /// A local action.
    Action(&'a Action),
    /// A state invariant.
    Invariant(&'a Invariant),
    /// An interaction use.
    Use(&'a Use),
    /// A note of its own.
    Note(&'a Note),
    /// A divider, delay, space or page break.
    Separator(&'a Separator),
    /// A frame opens; its first operand begins.
    Open(FrameId),
    /// A further operand begins.
    Operand(FrameId, usize),
    /// A frame closes.
    Close(FrameId),
    /// Room for an execution bar that would otherwise have no length.
    Room,
}

impl RowKind<'_> {
    /// Whether another row may stand beside this one; frames and gaps always stand alone.
    fn may_share_height(&self) -> bool {
        match self {
            RowKind::Message(_)
            | RowKind::Stop(_)
            | RowKind::Action(_)
            | RowKind::Invariant(_)
            | RowKind::Use(_)
            | RowKind::Note(_) => true,
            RowKind::Separator(_)
            | RowKind::Open(_)
            | RowKind::Operand(..)
            | RowKind::Close(_)
            | RowKind::Room => false,
        }
    }
}

/// A message and what belongs to its row.
#[derive(Debug)]
pub(crate) struct MessageRow<'a> {
    /// Which message.
    pub id: MessageId,
    /// The message.
    pub message: &'a Message,
    /// Notes beside it.
    pub notes: Vec<&'a Note>,
    /// How many bars lie under the sender's end.
    pub(crate) from_level: usize,
    /// How many bars lie under the receiver's end.
    pub(crate) to_level: usize,
    /// The head of the receiver stands at the end of the arrow.
    pub creates: Option<LifelineId>,
    /// The same message to a nearer lifeline stands at the same height; this one goes on from there, without a label.
    pub via: Option<LifelineId>,
}

impl MessageRow<'_> {
    /// Where its line begins.
    pub(crate) fn start(&self) -> End {
        self.via.map_or(self.message.from, End::Lifeline)
    }
}

/// An execution bar.
#[derive(Debug)]
pub(crate) struct ExecutionBar<'a> {
    /// On which lifeline.
    pub lifeline: LifelineId,
    /// How many bars lie below it.
    pub level: usize,
    /// Upper end.
    pub start: HeightAnchor,
    /// Lower end; `None` if it is never closed.
    pub finish: Option<HeightAnchor>,
    /// Fill colour as written.
    pub colour: Option<&'a str>,
}

/// A height in the drawing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum HeightAnchor {
    /// Above the first row.
    Top,
    /// Where the arrow of this row meets the lifeline.
    Line(RowId),
    /// Below this row.
    Below(RowId),
}

/// When a lifeline exists: from the top unless it is created, and until it stops.
#[derive(Clone, Debug, Default)]
pub(crate) struct LifelineSpan {
    /// What happens to it, from top to bottom.
    pub turns: Vec<(HeightAnchor, LifeTurn)>,
}

/// A beginning or an end of a stretch of a lifeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LifeTurn {
    /// A message creates it; its head stands there.
    Create,
    /// It ends with a cross.
    Stop,
    /// It goes on all the same: another operand uses it.
    Resume,
}

impl LifelineSpan {
    fn is_over(&self) -> bool {
        self.turns.last().is_some_and(|(_, turn)| *turn == LifeTurn::Stop)
    }
}

/// Flattens a diagram.
pub(crate) fn outline(interaction: &Interaction) -> Outline<'_> {
    let count = interaction.lifelines.len();
    let mut builder = OutlineBuilder {
        outline: Outline {
            interaction,
            rows: IdVec::new(),
            frames: IdVec::new(),
            bars: Vec::new(),
            lives: (0..count).map(|_| LifelineSpan::default()).collect(),
        },
        open: (0..count).map(|_| Vec::new()).collect(),
        used: (0..count).map(|_| false).collect(),
        row_of: (0..interaction.messages.len()).map(|_| None).collect(),
        recent: Vec::new(),
    };
    builder.block(&interaction.body);
    builder.outline
}

struct OutlineBuilder<'a> {
    outline: Outline<'a>,
    /// Indices into `outline.bars` of the bars open on each lifeline.
    open: IdVec<LifelineId, Vec<usize>>,
    used: IdVec<LifelineId, bool>,
    row_of: IdVec<MessageId, Option<RowId>>,
    /// The last message and those at its height, until something else happens. Notes and gaps are nothing.
    recent: Vec<RowId>,
}

impl<'a> OutlineBuilder<'a> {
    fn block(&mut self, block: &'a Block) {
        block.0.iter().for_each(|fragment| self.fragment(fragment, false));
    }

    /// All rows of these operands stand at one height (PlantUML's `&`).
    fn level(&mut self, operands: &'a [Operand]) {
        let first = self.outline.rows.next_id();
        let mut fragments: Vec<&Fragment> = operands.iter().flat_map(|operand| &operand.block.0).collect();
        if fragments.windows(2).all(|pair| self.is_multicast(pair[0], pair[1])) {
            fragments.sort_by_key(|fragment| self.distance(fragment));
        }
        for fragment in fragments {
            let joined = self.outline.rows.next_id() != first;
            self.fragment(fragment, joined);
        }
    }

    /// Whether these are one message to two receivers.
    fn is_multicast(&self, one: &Fragment, other: &Fragment) -> bool {
        let (Fragment::Message(one), Fragment::Message(other)) = (one, other) else { return false };
        let messages = &self.outline.interaction.messages;
        is_same(&messages[*one], &messages[*other])
    }

    /// How many columns a message goes.
    fn distance(&self, fragment: &Fragment) -> usize {
        let Fragment::Message(id) = fragment else { return 0 };
        let message = &self.outline.interaction.messages[*id];
        match (message.from, message.to) {
            (End::Lifeline(from), End::Lifeline(to)) => from.index().abs_diff(to.index()),
            (End::Lifeline(_) | End::Outside(_), _) => 0,
        }
    }

    /// The farthest receiver of the same message at this height on the way to this one.
    fn via(&self, message: &Message) -> Option<LifelineId> {
        let (from, to) = (message.from.lifeline()?, message.to.lifeline()?);
        let same = |row: &RowId| {
            let RowKind::Message(at) = &self.outline.rows[*row].kind else { return None };
            at.message.to.lifeline().filter(|_| at.creates.is_none() && is_same(at.message, message))
        };
        let is_between = |at: &LifelineId| from < *at && *at < to || to < *at && *at < from;
        self.recent.iter().rev().filter_map(same).find(is_between)
    }

    fn fragment(&mut self, fragment: &'a Fragment, joined: bool) {
        match fragment {
            Fragment::Message(id) => self.message(*id, joined),
            Fragment::Stop(stop) => self.stop(stop.lifeline),
            Fragment::Action(action) => {
                self.touch(action.lifeline);
                self.push(RowKind::Action(action), joined);
            }
            Fragment::Invariant(invariant) => {
                self.push(RowKind::Invariant(invariant), joined || self.is_beside(invariant));
            }
            Fragment::Use(reference) => self.push(RowKind::Use(reference), joined),
            Fragment::Combined(combined) => self.combined(combined, joined),
            Fragment::Execution(execution) => self.execution(execution),
            Fragment::Note(note) => self.note(note, joined),
            Fragment::Separator(separator) => self.push(RowKind::Separator(separator), joined),
            Fragment::Numbering(_) => {}
        }
    }

    /// Whether a state stands beside the ones just before it: states of different lifelines share a height.
    fn is_beside(&self, invariant: &Invariant) -> bool {
        let span = |at: &Invariant| Some((*at.lifelines.iter().min()?, *at.lifelines.iter().max()?));
        let Some((left, right)) = span(invariant) else { return false };
        for row in self.outline.rows.iter().rev() {
            let RowKind::Invariant(other) = &row.kind else { return false };
            if span(other).is_none_or(|(first, last)| first <= right && left <= last) {
                return false;
            }
            if !row.joined {
                return true;
            }
        }
        false
    }

    fn push(&mut self, kind: RowKind<'a>, joined: bool) {
        let before = self.last().map(|row| &self.outline.rows[row].kind);
        let joined = joined && kind.may_share_height() && before.is_some_and(RowKind::may_share_height);
        let is_aside = matches!(&kind, RowKind::Note(_))
            || matches!(&kind, RowKind::Separator(at) if matches!(at.kind, SeparatorKind::Space(_)));
        if !joined && !is_aside {
            self.recent.clear();
        }
        let is_message = matches!(&kind, RowKind::Message(_));
        let row = self.outline.rows.push(OutlineRow { kind, joined });
        if is_message {
            self.recent.push(row);
        }
    }

    fn message(&mut self, id: MessageId, joined: bool) {
        let message = &self.outline.interaction.messages[id];
        let row = self.outline.rows.next_id();
        let creates = message.to.lifeline().filter(|target| {
            let is_absent = !self.used[*target] || self.outline.lives[*target].is_over();
            is_absent && message.sort == MessageSort::Create && message.from.lifeline() != Some(*target)
        });
        if let Some(target) = creates {
            self.outline.lives[target].turns.push((HeightAnchor::Line(row), LifeTurn::Create));
        }
        let via = self.via(message).filter(|_| joined && creates.is_none());
        let level = |end: End| end.lifeline().map_or(0, |lifeline| self.open[lifeline].len());
        let start = via.map_or(message.from, End::Lifeline);
        let (from_level, to_level) = (level(start), level(message.to));
        for lifeline in [message.from, message.to].into_iter().filter_map(End::lifeline) {
            self.touch(lifeline);
        }
        self.row_of[id] = Some(row);
        let row = MessageRow { id, message, notes: Vec::new(), from_level, to_level, creates, via };
        self.push(RowKind::Message(row), joined);
    }

    /// The lifeline is used: if it has ended, it goes on.
    fn touch(&mut self, lifeline: LifelineId) {
        self.used[lifeline] = true;
        let here = self.below();
        let life = &mut self.outline.lives[lifeline];
        if life.is_over() {
            life.turns.push((here, LifeTurn::Resume));
        }
    }

    fn stop(&mut self, lifeline: LifelineId) {
        self.used[lifeline] = true;
        let at = match self.line_at(lifeline).filter(|row| !self.is_created_in(*row, lifeline)) {
            Some(row) => HeightAnchor::Line(row),
            None => {
                self.push(RowKind::Stop(lifeline), false);
                HeightAnchor::Line(self.last().expect("just pushed"))
            }
        };
        for bar in std::mem::take(&mut self.open[lifeline]) {
            self.outline.bars[bar].finish = Some(at);
        }
        self.outline.lives[lifeline].turns.push((at, LifeTurn::Stop));
    }

    /// Whether the head of the lifeline stands in this row.
    fn is_created_in(&self, row: RowId, lifeline: LifelineId) -> bool {
        matches!(&self.outline.rows[row].kind, RowKind::Message(at) if at.creates == Some(lifeline))
    }

    fn execution(&mut self, execution: &'a Execution) {
        match execution.bound {
            Bound::Start => self.activate(execution),
            Bound::Finish => self.deactivate(execution.lifeline),
        }
    }

    fn activate(&mut self, execution: &'a Execution) {
        let lifeline = execution.lifeline;
        let level = self.open[lifeline].len();
        let start = match self.line_at(lifeline) {
            Some(row) => {
                self.raise(row, lifeline, level + 1);
                self.raise_passing(lifeline, level + 1);
                HeightAnchor::Line(row)
            }
            None => self.below(),
        };
        self.open[lifeline].push(self.outline.bars.len());
        let colour = execution.colour.as_deref();
        self.outline.bars.push(ExecutionBar { lifeline, level, start, finish: None, colour });
    }

    /// A bar that starts where an arrow ends lies under that end.
    fn raise(&mut self, row: RowId, lifeline: LifelineId, level: usize) {
        if let RowKind::Message(row) = &mut self.outline.rows[row].kind {
            let is_receiver = row.message.to == End::Lifeline(lifeline);
            let end = if is_receiver { &mut row.to_level } else { &mut row.from_level };
            *end = level.max(*end);
        }
    }

    /// So does an arrow that goes on from there.
    fn raise_passing(&mut self, lifeline: LifelineId, level: usize) {
        for row in &self.recent {
            if let RowKind::Message(row) = &mut self.outline.rows[*row].kind
                && row.via == Some(lifeline)
            {
                row.from_level = level.max(row.from_level);
            }
        }
    }

    fn deactivate(&mut self, lifeline: LifelineId) {
        let Some(bar) = self.open[lifeline].pop() else { return };
        let start = self.outline.bars[bar].start;
        let finish = |builder: &Self| builder.line_at(lifeline).map_or(builder.below(), HeightAnchor::Line);
        if finish(self) == start {
            self.push(RowKind::Room, false);
        }
        self.outline.bars[bar].finish = Some(finish(self));
    }

    fn note(&mut self, note: &'a Note, joined: bool) {
        let beside = matches!(note.position, NotePosition::Left | NotePosition::Right);
        let row = note.message.and_then(|message| self.row_of[message]).filter(|_| beside);
        let row = row.map(|row| if note.position == NotePosition::Left { self.first_of(row) } else { row });
        match row.map(|row| &mut self.outline.rows[row].kind) {
            Some(RowKind::Message(row)) => row.notes.push(note),
            Some(_) | None => self.push(RowKind::Note(note), joined),
        }
    }

    /// The row in which the message of this row begins.
    fn first_of(&self, row: RowId) -> RowId {
        let passes =
            |row: &&RowId| matches!(&self.outline.rows[**row].kind, RowKind::Message(at) if at.via.is_some());
        let here = self.recent.iter().position(|at| *at == row).unwrap_or(0);
        let before = self.recent.iter().take(here + 1).rev().find(|row| !passes(row));
        before.copied().filter(|_| self.recent.contains(&row)).unwrap_or(row)
    }

    fn combined(&mut self, combined: &'a Combined, joined: bool) {
        if combined.frame.keyword.is_empty() {
            return self.level(&combined.operands);
        }
        let frame = self.outline.frames.push(combined);
        self.push(RowKind::Open(frame), joined);
        for (index, operand) in combined.operands.iter().enumerate() {
            if index > 0 {
                self.push(RowKind::Operand(frame, index), false);
            }
            self.block(&operand.block);
        }
        self.push(RowKind::Close(frame), false);
    }

    fn last(&self) -> Option<RowId> {
        self.outline.rows.ids().next_back()
    }

    fn below(&self) -> HeightAnchor {
        self.last().map_or(HeightAnchor::Top, HeightAnchor::Below)
    }

    /// The last message, if it meets this lifeline; messages at the same height count as one.
    fn line_at(&self, lifeline: LifelineId) -> Option<RowId> {
        let here = End::Lifeline(lifeline);
        let meets = |row: &RowId| {
            let kind = &self.outline.rows[*row].kind;
            matches!(kind, RowKind::Message(at) if at.message.to == here || at.via.is_none() && at.message.from == here)
        };
        self.recent.iter().rev().copied().find(meets)
    }
}

/// Whether two messages differ in nothing but their receivers.
fn is_same(one: &Message, other: &Message) -> bool {
    one.from.lifeline().is_some()
        && (one.from, &one.text, &one.number, &one.arrow)
            == (other.from, &other.text, &other.number, &other.arrow)
        && one.arrow.tail == Tip::NONE
}
