//! Sequence diagrams: from statements to an [`Interaction`].
//!
//! Two passes. The first ([`participants`]) finds the lifelines and their order, because a participant may be declared,
//! moved or renamed after its first message. The second, here, walks the statements with a stack of open blocks and a
//! little state: who is active ([`life`]), how messages are numbered ([`numbering`]), which operator a directive gives
//! to the next block ([`fragment`]). What needs the whole diagram comes last: coregions and general orderings.

pub(crate) use bounds::is_bounded;
pub(crate) use fragment::in_brackets;

mod block;
mod bounds;
mod fragment;
mod indent;
mod life;
mod message;
mod note;
mod numbering;
mod ordering;
mod participants;

use std::collections::HashMap;

use sequent_kernel::diagnostic::{Code, Diagnostic, Remedy, Severity};
use sequent_kernel::id::IdVec;
use sequent_kernel::model::{
    Block, Bound, Caption, Execution, Fragment, Interaction, LifelineId, Message, MessageId, Operator,
    Separator, SeparatorKind, Stop, Timing, TimingKind, Use,
};
use sequent_kernel::source::{Place, Span};

use self::block::OpenBlock;
use self::fragment::Spec;
use self::life::Activity;
use self::note::NoteRole;
use self::numbering::Counter;
use self::participants::Participants;
pub(crate) use self::participants::class_of;
use super::directive;
use crate::tree::sequence::{self as tree, BlockKeyword, DurationStatement, SequenceStatement};
use crate::tree::{self as syntax, Directive, Name, Notation, Statement, StatementKind};

/// Deeper nesting than any diagram has; blocks further in are read as if they were not blocks.
const DEEPEST: usize = 200;

/// Resolves one sequence diagram.
pub fn interaction(
    block: &syntax::DiagramBlock,
    statements: &[Statement<SequenceStatement>],
    name: String,
    diagnostics: &mut Vec<Diagnostic>,
) -> Interaction {
    // What cannot be read is reported as that.
    let says_something = statements
        .iter()
        .any(|statement| matches!(statement.kind, StatementKind::Item(_) | StatementKind::Unknown));
    if block.notation == Notation::Mermaid && !says_something {
        let message = "the diagram says nothing but its kind";
        diagnostics.push(Diagnostic::new(Code::EmptyDiagram, block.span.at_start(), message));
    }
    let participants = participants::collect(block.notation, statements, diagnostics);
    let mut builder = InteractionBuilder::new(block.notation, participants, diagnostics);
    for statement in statements {
        builder.statement(statement);
    }
    builder.finish(name, block.span, &indent::unclosed(statements))
}

/// The operator that a text names as a directive does: `sloop (2,5)`, `ignore {m: a -> b}`; `None` if it names none, or a lifeline.
pub(crate) fn operator(text: &str) -> Option<Operator> {
    let (word, argument) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    fragment::directive(word, argument.trim())?.ok()?.operator().ok()
}

struct InteractionBuilder<'a> {
    notation: Notation,
    participants: Participants,
    diagnostics: &'a mut Vec<Diagnostic>,
    messages: IdVec<MessageId, Message>,
    title: Option<String>,
    captions: Vec<Caption>,
    /// Fragments of the innermost open operand.
    current: Vec<Fragment>,
    /// Blocks that are open, outermost first.
    open: Vec<OpenBlock>,
    /// Blocks nested too deeply to be kept, whose ends must be skipped.
    too_deep: usize,
    activity: Activity,
    counter: Counter,
    auto_activate: bool,
    /// The participant whose creation the next message is, and where that was said.
    creating: Option<(LifelineId, Span)>,
    /// Mermaid's `destroy`: the participant ends with the next message.
    destroying: Option<(LifelineId, Span)>,
    /// The operator that a directive gives to the next block.
    pending: Option<(Spec, Span)>,
    /// Lifelines that a directive lets the next block cover.
    covers: Vec<LifelineId>,
    /// The role that a directive gives to the next note.
    pending_note: Option<(NoteRole, Span)>,
    /// Where the text of each coregion and ordering directive stands.
    orderings: Vec<Directive>,
    /// Messages by the names that durations use.
    anchors: HashMap<String, MessageId>,
    durations: Vec<DurationStatement>,
    last_message: Option<MessageId>,
}

impl<'a> InteractionBuilder<'a> {
    fn new(notation: Notation, participants: Participants, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        InteractionBuilder {
            notation,
            participants,
            diagnostics,
            messages: IdVec::new(),
            title: None,
            captions: Vec::new(),
            current: Vec::new(),
            open: Vec::new(),
            too_deep: 0,
            activity: Activity::default(),
            counter: Counter::default(),
            auto_activate: false,
            creating: None,
            destroying: None,
            pending: None,
            covers: Vec::new(),
            pending_note: None,
            orderings: Vec::new(),
            anchors: HashMap::new(),
            durations: Vec::new(),
            last_message: None,
        }
    }

    fn statement(&mut self, statement: &Statement<SequenceStatement>) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Comment
            | StatementKind::Preprocessor
            | StatementKind::Presentation
            | StatementKind::Unknown => {}
            StatementKind::Title(text) => self.title = Some(text.clone()),
            StatementKind::Caption(caption) => crate::resolve::set_caption(&mut self.captions, caption),
            StatementKind::Directive(directive) => self.directive(directive),
            StatementKind::Item(item) => {
                if !matches!(item, SequenceStatement::Open(_)) {
                    self.drop_pending();
                }
                self.item(item, span);
            }
        }
    }

    fn item(&mut self, item: &SequenceStatement, span: Span) {
        match item {
            SequenceStatement::Participant(participant) => self.declare(participant, span),
            SequenceStatement::Create(name) => self.creating = Some((self.lifeline(name), span)),
            SequenceStatement::HideUnlinked(_)
            | SequenceStatement::BoxStart { .. }
            | SequenceStatement::BoxEnd => {}
            SequenceStatement::Message(message) => self.message(message, span),
            SequenceStatement::Activate { name, colour } => {
                if let Some(lifeline) = self.participants.find(&name.text) {
                    self.activate(lifeline, colour.clone(), span);
                }
            }
            SequenceStatement::Deactivate(name) => self.deactivate_statement(name.as_ref(), span),
            SequenceStatement::Destroy(name) => self.destroy(self.lifeline(name), span),
            SequenceStatement::Return(text) => self.give_back(text, span),
            SequenceStatement::AutoActivate(on) => self.auto_activate = *on,
            SequenceStatement::AutoNumber(numbering) => {
                self.counter.apply(numbering);
                self.current.push(Fragment::Numbering(numbering.clone()));
            }
            SequenceStatement::Open(open) => self.open_block(open, span),
            SequenceStatement::Divide(divide) => self.divide(divide, span),
            SequenceStatement::Close => self.close(span),
            SequenceStatement::Note(note) => self.note(note, span),
            SequenceStatement::Reference(reference) => self.reference(reference, span),
            SequenceStatement::Separator(kind, text) => self.separator(*kind, text, span),
            SequenceStatement::Duration(duration) => self.durations.push(duration.clone()),
        }
    }

    /// The durations between messages that have the names of their ends.
    fn timings(&self) -> Vec<Timing> {
        let end = |anchor: &str| self.anchors.get(anchor).map(|id| self.messages[*id].anchored(*id));
        let timing = |duration: &DurationStatement| {
            let (from, to) = (end(&duration.from)?, end(&duration.to)?);
            let (text, place) = (duration.text.text.clone(), Place(duration.text.span));
            Some(Timing { kind: TimingKind::Constraint, from, to: Some(to), text, place })
        };
        self.durations.iter().filter_map(timing).collect()
    }

    fn lifeline(&self, name: &Name) -> LifelineId {
        self.participants.get(&name.text)
    }

    fn lifelines(&self, names: &[Name]) -> Vec<LifelineId> {
        names.iter().map(|name| self.lifeline(name)).collect()
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn declare(&mut self, participant: &tree::Participant, span: Span) {
        if participant.create {
            self.creating = Some((self.lifeline(&participant.name), span));
        }
    }

    fn directive(&mut self, directive: &Directive) {
        match directive.name.as_str() {
            "order" => self.orderings.push(directive.clone()),
            "covers" => self.covered(directive),
            "action" => self.pending_note = Some((NoteRole::Action, directive.name_span)),
            "ref" => self.pending_note = Some((NoteRole::Use, directive.name_span)),
            "stop" => self.stop_by_directive(directive),
            word => match fragment::directive(word, &directive.argument) {
                Some(Ok(spec)) => {
                    self.drop_pending();
                    self.pending = Some((spec, directive.name_span));
                }
                Some(Err(problem)) => self.report(
                    Diagnostic::new(
                        Code::BadDirective,
                        directive.argument_span,
                        format!("`@{word}`: {problem}"),
                    )
                    .hint(directive::form(word)),
                ),
                None => {}
            },
        }
    }

    fn covered(&mut self, directive: &Directive) {
        for name in directive.argument.split(',').map(str::trim) {
            match self.participants.find(name) {
                Some(lifeline) => self.covers.push(lifeline),
                None => self.report(
                    Diagnostic::new(
                        Code::BadDirective,
                        directive.argument_span,
                        format!("no lifeline is called `{name}`"),
                    )
                    .hint(directive::form("covers")),
                ),
            }
        }
    }

    /// A directive for a block was followed by something else.
    fn drop_pending(&mut self) {
        if let Some((_, span)) = self.pending.take() {
            self.report(
                Diagnostic::new(Code::IdleDirective, span, "the directive stands before no block")
                    .hint("put it on the line before `alt`, `opt`, `group`, `rect` or another block"),
            );
        }
    }

    /// `@stop a`: the end of a lifeline where the notation ties it to a message.
    fn stop_by_directive(&mut self, directive: &Directive) {
        match self.participants.find(directive.argument.trim()) {
            Some(lifeline) => self.stop(lifeline, directive.name_span.to(directive.argument_span)),
            None => {
                let message = format!("no lifeline is called `{}`", directive.argument);
                let diagnostic = Diagnostic::new(Code::BadDirective, directive.argument_span, message);
                self.report(diagnostic.hint(directive::form("stop")));
            }
        }
    }

    fn reference(&mut self, reference: &tree::UseStatement, span: Span) {
        self.current.push(Fragment::Use(Use {
            name: reference.text.text.trim().to_owned(),
            target: None,
            lifelines: self.lifelines(&reference.names),
            place: Place(span),
        }));
    }

    fn separator(&mut self, kind: SeparatorKind, text: &str, span: Span) {
        self.current.push(Fragment::Separator(Separator { kind, text: text.to_owned(), place: Place(span) }));
    }

    fn execution(&mut self, lifeline: LifelineId, bound: Bound, colour: Option<String>, span: Span) {
        self.current.push(Fragment::Execution(Execution { lifeline, bound, colour, place: Place(span) }));
    }

    fn stop(&mut self, lifeline: LifelineId, span: Span) {
        self.current.push(Fragment::Stop(Stop { lifeline, place: Place(span) }));
    }

    /// Ends the diagram; `shown` are the blocks whose end is missing by their indentation.
    fn finish(mut self, name: String, span: Span, shown: &[(BlockKeyword, Span)]) -> Interaction {
        self.drop_pending();
        self.unfinished_life();
        let is_shown = shown.len() == self.open.len();
        while let Some(open) = self.open.pop() {
            let (what, at) = match shown.get(self.open.len()).filter(|_| is_shown) {
                Some((word, at)) => (word.word(), *at),
                None if open.frame.keyword.is_empty() => ("block", open.span),
                None => (open.frame.keyword.as_str(), open.span),
            };
            let severity = match self.notation {
                Notation::PlantUml => Severity::Warning,
                Notation::Mermaid => Severity::Error,
            };
            let diagnostic = Diagnostic::new(Code::UnclosedBlock, at, format!("`{what}` is never closed"))
                .hint("add `end` where the block ends")
                .remedy(Remedy::Close("end"))
                .severity(severity);
            self.report(diagnostic);
            let end = Span { start: span.end, ..span };
            self.close_block(open, end);
        }
        let orderings =
            ordering::resolve(&self.orderings, &self.messages, &self.participants, self.diagnostics);
        let timings = self.timings();
        let mut body = Block(self.current);
        body.number_fragments();
        Interaction {
            name,
            title: self.title,
            captions: self.captions,
            place: Place(span),
            lifelines: self.participants.lifelines,
            messages: self.messages,
            body,
            orderings,
            timings,
            boxes: self.participants.boxes,
            known: Vec::new(),
        }
    }
}
