//! Sequence diagrams: from statements to an [`Interaction`].
//!
//! Two passes. The first ([`participants`]) finds the lifelines and their order, because a participant may be declared,
//! moved or renamed after its first message. The second, here, walks the statements with a stack of open blocks and a
//! little state: who is active ([`life`]), how messages are numbered ([`numbering`]), which operator a directive gives
//! to the next block ([`fragment`]). What needs the whole diagram comes last: coregions and general orderings.

pub(crate) use bounds::is_bounded;
pub(crate) use fragment::in_brackets;

mod bounds;
mod fragment;
mod indent;
mod life;
mod numbering;
mod ordering;
mod participants;

use sequent_kernel::diagnostic::{Code, Diagnostic, Remedy, Severity, nearest};
use sequent_kernel::id::IdVec;
use sequent_kernel::model::{
    self, Action, Arrow, Block, Bound, Combined, Condition, End, Execution, Fragment, Frame, Guard,
    Interaction, Invariant, LifelineId, Message, MessageId, MessageSort, MessageType, Note, NotePosition,
    NoteShape, Operand, Operator, Separator, SeparatorKind, Stop, Use,
};
use sequent_kernel::source::{Place, Span};

use self::fragment::Spec;
use self::life::Activity;
use self::numbering::Counter;
use self::participants::Participants;
pub(crate) use self::participants::class_of;
use super::{condition, directive};
use crate::label;
use crate::tree::sequence::{self as tree, Item, Keyword};
use crate::tree::{self as syntax, Directive, Kind, Name, Notation, Statement, Text};

/// Deeper nesting than any diagram has; blocks further in are read as if they were not blocks.
const DEEPEST: usize = 200;

/// Resolves one sequence diagram.
pub fn interaction(
    block: &syntax::Block,
    statements: &[Statement<Item>],
    name: String,
    diagnostics: &mut Vec<Diagnostic>,
) -> Interaction {
    let says_something = statements.iter().any(|statement| matches!(statement.kind, Kind::Item(_)));
    if block.notation == Notation::Mermaid && !says_something {
        let message = "the diagram says nothing but its kind";
        diagnostics.push(Diagnostic::new(Code::EmptyDiagram, block.span.at_start(), message));
    }
    let participants = participants::collect(block.notation, statements);
    let mut builder = Builder::new(block.notation, participants, diagnostics);
    for statement in statements {
        builder.statement(statement);
    }
    builder.finish(name, block.span, &indent::unclosed(statements))
}

struct Builder<'a> {
    notation: Notation,
    participants: Participants,
    diagnostics: &'a mut Vec<Diagnostic>,
    messages: IdVec<MessageId, Message>,
    title: Option<String>,
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
    /// What a directive makes of the next note.
    pending_note: Option<(NoteRole, Span)>,
    /// Where the text of each coregion and ordering directive stands.
    orderings: Vec<Directive>,
    last_message: Option<MessageId>,
}

/// What a note can stand for where its notation has no statement of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NoteRole {
    /// A local action.
    Action,
    /// An interaction use.
    Use,
}

/// A block whose end has not come yet.
struct OpenBlock {
    spec: Spec,
    frame: Frame,
    covers: Vec<LifelineId>,
    span: Span,
    operands: Vec<Operand>,
    guard: Guard,
    title: Option<String>,
    operand_span: Span,
    /// The fragments around the block, taken up again at its end.
    outer: Vec<Fragment>,
}

impl<'a> Builder<'a> {
    fn new(notation: Notation, participants: Participants, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        Builder {
            notation,
            participants,
            diagnostics,
            messages: IdVec::new(),
            title: None,
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
            last_message: None,
        }
    }

    fn statement(&mut self, statement: &Statement<Item>) {
        let span = statement.span;
        match &statement.kind {
            Kind::Comment | Kind::Preprocessor | Kind::Presentation | Kind::Unknown => {}
            Kind::Title(text) => self.title = Some(text.clone()),
            Kind::Directive(directive) => self.directive(directive),
            Kind::Item(item) => {
                if !matches!(item, Item::Open(_)) {
                    self.drop_pending();
                }
                self.item(item, span);
            }
        }
    }

    fn item(&mut self, item: &Item, span: Span) {
        match item {
            Item::Participant(participant) => self.declare(participant, span),
            Item::Create(name) => self.creating = Some((self.lifeline(name), span)),
            Item::HideUnlinked(_) | Item::BoxStart { .. } | Item::BoxEnd => {}
            Item::Message(message) => self.message(message, span),
            Item::Activate { name, colour } => {
                if let Some(lifeline) = self.participants.find(&name.text) {
                    self.activate(lifeline, colour.clone(), span);
                }
            }
            Item::Deactivate(name) => self.deactivate_statement(name.as_ref(), span),
            Item::Destroy(name) => self.destroy(self.lifeline(name), span),
            Item::Return(text) => self.give_back(text, span),
            Item::AutoActivate(on) => self.auto_activate = *on,
            Item::AutoNumber(numbering) => {
                self.counter.apply(numbering);
                self.current.push(Fragment::Numbering(numbering.clone()));
            }
            Item::Open(open) => self.open_block(open, span),
            Item::Divide(divide) => self.divide(divide, span),
            Item::Close => self.close(span),
            Item::Note(note) => self.note(note, span),
            Item::Reference(reference) => self.reference(reference, span),
            Item::Separator(kind, text) => self.separator(*kind, text, span),
        }
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

    fn message(&mut self, message: &tree::Message, span: Span) {
        let from = self.end(&message.from);
        let to = self.end(&message.to);
        if message.hidden {
            // PlantUML counts it, and draws its bars.
            self.current.extend(self.counter.skip().map(Fragment::Numbering));
            return self.life(message, from, to, span);
        }
        let created = self.created_by(from, to, message.life.create, span);
        let group = self.current.len();
        let sort = if created { MessageSort::Create } else { message.sort };
        self.push_message(&message.text, &message.arrow, (from, to), sort, span);
        self.life(message, from, to, span);
        if message.parallel {
            self.join_previous(group);
        }
        for other in &message.others {
            let group = self.current.len();
            let to = End::Lifeline(self.lifeline(other));
            self.push_message(&message.text, &message.arrow, (from, to), message.sort, span);
            self.join_previous(group);
        }
    }

    fn push_message(
        &mut self,
        text: &Text,
        arrow: &Arrow,
        (from, to): (End, End),
        sort: MessageSort,
        span: Span,
    ) {
        let number = self.counter.next();
        let shown = self.numbered(&text.text, number.as_deref());
        let (name, arguments) = label::message(&shown);
        let id = self.messages.push(Message {
            name,
            arguments,
            text: shown,
            number,
            sort,
            from,
            to,
            arrow: arrow.clone(),
            place: Place(span),
            label_place: Place(text.span),
        });
        self.last_message = Some(id);
        self.activity.sent(id);
        self.current.push(Fragment::Message(id));
    }

    /// A text in which PlantUML's `%autonumber%` is the number of its message.
    fn numbered(&self, text: &str, number: Option<&str>) -> String {
        match (self.notation, number) {
            (Notation::PlantUml, Some(number)) => text.replace("%autonumber%", number),
            (Notation::PlantUml, None) | (Notation::Mermaid, _) => text.to_owned(),
        }
    }

    fn end(&self, end: &tree::End) -> End {
        match end {
            tree::End::Name(name) => End::Lifeline(self.lifeline(name)),
            tree::End::Outside(outside) => End::Outside(*outside),
        }
    }

    /// Puts the fragments from `start` on beside the message before them: an unframed `par`.
    fn join_previous(&mut self, start: usize) {
        let is_group =
            |fragment: &Fragment| matches!(fragment, Fragment::Combined(c) if c.frame.keyword.is_empty());
        let is_start = |fragment: &Fragment| matches!(fragment, Fragment::Message(_)) || is_group(fragment);
        let Some(before) = self.current[..start].iter().rposition(is_start) else { return };
        let block = Block(self.current.split_off(start));
        let mut earlier = self.current.split_off(before);
        let place = self.place_of(&block);
        let operand = Operand { guard: Guard::Absent, title: None, block, place };
        let mut combined = match earlier.remove(0) {
            Fragment::Combined(combined) => combined,
            first => {
                earlier.insert(0, first);
                let block = Block(std::mem::take(&mut earlier));
                let place = self.place_of(&block);
                let operand = Operand { guard: Guard::Absent, title: None, block, place };
                let frame = Frame { keyword: String::new(), title: None, subtitle: None, colour: None };
                Combined::new(Operator::Par, vec![operand], frame, place)
            }
        };
        if let (Some(last), false) = (combined.operands.last_mut(), earlier.is_empty()) {
            last.block.0.append(&mut earlier);
        }
        combined.place = Place(combined.place.0.to(place.0));
        combined.operands.push(operand);
        self.current.push(Fragment::Combined(combined));
    }

    /// The place of the message a block begins with.
    fn place_of(&self, block: &Block) -> Place {
        let first = block.0.iter().find_map(|fragment| match fragment {
            Fragment::Message(id) => Some(self.messages[*id].place),
            Fragment::Combined(combined) => Some(combined.place),
            Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Invariant(_)
            | Fragment::Use(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => None,
        });
        first.expect("a parallel group begins with a message")
    }

    fn open_block(&mut self, open: &tree::Open, span: Span) {
        if self.open.len() >= DEEPEST {
            self.too_deep += 1;
            // What is inside of it is too deep as well.
            if self.too_deep == 1 {
                let message = format!("blocks are nested more than {DEEPEST} deep");
                self.report(Diagnostic::new(Code::TooDeep, span, message));
            }
            return;
        }
        self.report_reversed(open);
        let given = self.pending.take().map(|(spec, _)| spec);
        let known = |name: &str| self.participants.find(name).is_some();
        let header = fragment::header(self.notation, open, given, known);
        if matches!(header.spec, Spec::Plain(Operator::Loop(model::Loop { max: Some(0), .. }))) {
            let message = "this loop never runs: it has no iteration";
            let hint = "give it an upper bound of 1 or more, or leave it out";
            self.report(Diagnostic::new(Code::LoopBounds, span, message).hint(hint));
        }
        let guard = match header.guard {
            Some(text) => Guard::Condition(condition(&text, open.text.span)),
            None => Guard::Absent,
        };
        self.open.push(OpenBlock {
            spec: header.spec,
            frame: Frame {
                keyword: keyword(open.keyword).to_owned(),
                title: header.title,
                subtitle: header.subtitle,
                colour: open.colour.clone(),
            },
            covers: std::mem::take(&mut self.covers),
            span,
            operands: Vec::new(),
            guard,
            title: header.operand_title,
            operand_span: span,
            outer: std::mem::take(&mut self.current),
        });
    }

    /// Bounds of a loop in the wrong order are none.
    fn report_reversed(&mut self, open: &tree::Open) {
        let instead = match open.keyword {
            Keyword::Loop if bounds::is_reversed(&open.text.text) => "a guard",
            Keyword::Group if bounds::is_reversed_group(&open.text.text) => "a frame without meaning",
            Keyword::Loop
            | Keyword::Group
            | Keyword::Alt
            | Keyword::Opt
            | Keyword::Break
            | Keyword::Par
            | Keyword::Par2
            | Keyword::ParOver
            | Keyword::Critical
            | Keyword::Partition
            | Keyword::Rect => return,
        };
        let message = format!("the lower bound is greater than the upper one, so this is read as {instead}");
        self.report(Diagnostic::new(Code::LoopBounds, open.text.span, message).hint("write `(min,max)`"));
    }

    fn divide(&mut self, divide: &tree::Divide, span: Span) {
        if self.too_deep > 0 {
            return;
        }
        let fragments = std::mem::take(&mut self.current);
        let Some(open) = self.open.last_mut() else {
            let word = divider(divide.keyword);
            self.current = fragments;
            self.report(
                Diagnostic::new(Code::StrayElse, span, format!("`{word}` stands in no block"))
                    .hint("open a block such as `alt` before it"),
            );
            return;
        };
        open.end_operand(fragments, span);
        let text = divide.text.text.trim();
        let (guard, title) = fragment::operand_header(&open.spec, text);
        open.guard = match guard {
            Some(text) => Guard::Condition(condition(&text, divide.text.span)),
            None if open.spec.takes_guards() => Guard::Else,
            None => Guard::Absent,
        };
        open.title = title;
        open.operand_span = span;
    }

    fn close(&mut self, span: Span) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        match self.open.pop() {
            Some(open) => self.close_block(open, span),
            None => self.report(
                Diagnostic::new(Code::StrayEnd, span, "`end` closes nothing: no block is open here")
                    .hint("remove it, or open the block it was meant to close"),
            ),
        }
    }

    fn close_block(&mut self, mut open: OpenBlock, span: Span) {
        let fragments = std::mem::replace(&mut self.current, std::mem::take(&mut open.outer));
        open.end_operand(fragments, span);
        let operator = self.operator(&open);
        let place = Place(open.span.to(span));
        let combined = Combined::new(operator, open.operands, open.frame, place);
        let combined = Combined { covers: open.covers, ..combined };
        self.current.push(Fragment::Combined(combined));
    }

    /// The operator of a finished block; only now is a coregion's lifeline known.
    fn operator(&mut self, open: &OpenBlock) -> Operator {
        match open.spec.operator() {
            Ok(Operator::Ignore(types)) => Operator::Ignore(self.message_types(types, open.span)),
            Ok(Operator::Consider(types)) => Operator::Consider(self.message_types(types, open.span)),
            Ok(operator) => operator,
            Err(named) => match self.coregion(named.as_deref(), &open.operands) {
                Some(lifeline) => Operator::Coregion(lifeline),
                None => {
                    self.report(
                        Diagnostic::new(
                            Code::NoLifeline,
                            open.span,
                            "the coregion belongs to no single lifeline",
                        )
                        .hint("write `group coregion a` with the lifeline's name"),
                    );
                    Operator::Seq
                }
            },
        }
    }

    /// Message types whose lifelines have the names that messages use; those of no lifeline are left out.
    fn message_types(&mut self, types: Vec<MessageType>, span: Span) -> Vec<MessageType> {
        let mut found = Vec::new();
        for MessageType { name, ends } in types {
            let Some(ends) = ends else {
                found.push(MessageType::named(name));
                continue;
            };
            match self.ends_named(&ends) {
                Ok(ends) => found.push(MessageType { name, ends: Some(ends) }),
                Err(unknown) => {
                    let names = self.participants.lifelines.iter().map(|line| line.name.as_str());
                    let message = format!("`{unknown}` is no lifeline of this diagram");
                    let finding = Diagnostic::new(Code::UnknownEnd, span, message);
                    let finding = match nearest(&unknown, names) {
                        Some(near) => finding.meant(unknown, near),
                        None => finding.hint("name the lifelines as messages do: `ignore {m: a -> b}`"),
                    };
                    self.report(finding);
                }
            }
        }
        found
    }

    /// The lifelines of two names or labels; the one that there is not.
    fn ends_named(&self, ends: &[String; 2]) -> Result<[String; 2], String> {
        let lifelines = &self.participants.lifelines;
        let find = |name: &String| {
            let line = self.participants.find(name).or_else(|| lifelines.find(|line| line.label == *name));
            line.map(|line| lifelines[line].name.clone()).ok_or_else(|| name.clone())
        };
        Ok([find(&ends[0])?, find(&ends[1])?])
    }

    fn coregion(&self, named: Option<&str>, operands: &[Operand]) -> Option<LifelineId> {
        if let Some(name) = named {
            return self.participants.find(name);
        }
        fragment::shared_lifeline(&self.messages, operands)
    }

    fn note(&mut self, note: &tree::Note, span: Span) {
        let lifelines = self.lifelines(&note.names);
        if let Some((role, at)) = self.pending_note.take() {
            if let Some(fragment) = self.instead_of_note(role, at, &lifelines, &note.text, span) {
                self.current.push(fragment);
                return;
            }
        }
        if let Some(condition) = invariant(note) {
            self.current.push(Fragment::Invariant(Invariant { lifelines, condition, place: Place(span) }));
            return;
        }
        let beside = lifelines.is_empty() && note.position != NotePosition::Across;
        if beside && self.last_message.is_none() {
            self.report(
                Diagnostic::new(
                    Code::NoteWithoutTarget,
                    span,
                    "the note is left out: there is no message beside it",
                )
                .severity(Severity::Warning)
                .hint("write `note over a : text`, or put the note after a message"),
            );
        }
        let last = self.last_message.and_then(|last| self.messages[last].number.clone());
        self.current.push(Fragment::Note(Note {
            position: note.position,
            lifelines,
            message: if beside { self.last_message } else { None },
            shape: note.shape,
            text: self.numbered(&note.text.text, last.as_deref()),
            colour: note.colour.clone(),
            place: Place(span),
        }));
    }

    /// What a directive makes of a note over some lifelines.
    fn instead_of_note(
        &mut self,
        role: NoteRole,
        directive: Span,
        lifelines: &[LifelineId],
        text: &Text,
        span: Span,
    ) -> Option<Fragment> {
        let (name, place) = (text.text.trim().to_owned(), Place(span));
        match (role, lifelines) {
            (NoteRole::Action, [lifeline]) => {
                Some(Fragment::Action(Action { lifeline: *lifeline, name, place }))
            }
            (NoteRole::Use, [_, ..]) => {
                Some(Fragment::Use(Use { name, target: None, lifelines: lifelines.to_vec(), place }))
            }
            (NoteRole::Action, _) | (NoteRole::Use, []) => {
                let (word, wanted) = match role {
                    NoteRole::Action => ("action", "a note over exactly one lifeline"),
                    NoteRole::Use => ("ref", "a note over the lifelines it covers"),
                };
                self.report(
                    Diagnostic::new(Code::BadDirective, directive, format!("`@{word}` needs {wanted}"))
                        .hint(directive::form(word)),
                );
                None
            }
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

    fn reference(&mut self, reference: &tree::Reference, span: Span) {
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
    fn finish(mut self, name: String, span: Span, shown: &[(Keyword, Span)]) -> Interaction {
        self.drop_pending();
        self.unfinished_life();
        let is_shown = shown.len() == self.open.len();
        while let Some(open) = self.open.pop() {
            let (what, at) = match shown.get(self.open.len()).filter(|_| is_shown) {
                Some((word, at)) => (keyword(*word), *at),
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
        let mut body = Block(self.current);
        body.number_fragments();
        Interaction {
            name,
            title: self.title,
            place: Place(span),
            lifelines: self.participants.lifelines,
            messages: self.messages,
            body,
            orderings,
            boxes: self.participants.boxes,
            known: Vec::new(),
        }
    }
}

impl OpenBlock {
    fn end_operand(&mut self, fragments: Vec<Fragment>, end: Span) {
        let operand = Operand {
            guard: std::mem::replace(&mut self.guard, Guard::Absent),
            title: self.title.take(),
            block: Block(fragments),
            place: Place(self.operand_span.to(end.at_start())),
        };
        self.operands.push(operand);
    }
}

/// The condition of a note that is a state invariant: `hnote over a : x`, or `note over a : {x}` (DESIGN section 7).
fn invariant(note: &tree::Note) -> Option<Condition> {
    if note.position != NotePosition::Over || note.names.is_empty() {
        return None;
    }
    let text = note.text.text.trim();
    let inside = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    match (note.shape, inside) {
        (_, Some(inside)) => Some(condition(inside.trim(), note.text.span)),
        (NoteShape::Hexagon, None) => Some(condition(text, note.text.span)),
        (NoteShape::Folded | NoteShape::Rectangle, None) => None,
    }
}

/// The word that opens a block.
pub fn keyword(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Alt => "alt",
        Keyword::Opt => "opt",
        Keyword::Loop => "loop",
        Keyword::Par => "par",
        Keyword::Par2 => "par2",
        Keyword::ParOver => "par_over",
        Keyword::Break => "break",
        Keyword::Critical => "critical",
        Keyword::Group => "group",
        Keyword::Partition => "partition",
        Keyword::Rect => "rect",
    }
}

fn divider(divider: tree::Divider) -> &'static str {
    match divider {
        tree::Divider::Else => "else",
        tree::Divider::And => "and",
        tree::Divider::Option => "option",
    }
}
