//! Interactions in which everything occurs.

use sequent_kernel::id::IdVec;
use sequent_kernel::model::*;
use sequent_kernel::source::Place;

use super::{argument_lists, conditions, every, text};

/// An interaction with nothing in it.
pub(crate) fn bare(place: Place) -> Interaction {
    Interaction {
        name: text("Pay"),
        title: None,
        captions: Vec::new(),
        place,
        lifelines: IdVec::new(),
        messages: IdVec::new(),
        body: Block::default(),
        orderings: Vec::new(),
        timings: Vec::new(),
        boxes: Vec::new(),
        known: Vec::new(),
    }
}

/// An interaction with everything in it, that uses the interaction `used`.
pub(crate) fn full(place: Place, used: InteractionId) -> Interaction {
    let lifelines: IdVec<LifelineId, Lifeline> = lifelines(place).into_iter().collect();
    let all: Vec<LifelineId> = lifelines.ids().collect();
    let messages: IdVec<MessageId, Message> = messages(place, all[0], all[1]).into_iter().collect();
    let ids: Vec<MessageId> = messages.ids().collect();
    let mut body: Vec<Fragment> = ids.iter().copied().map(Fragment::Message).collect();
    body.extend(fragments(place, all[0], ids[0], used));
    let before = every!(Occurrence { Send(ids[0]), Receive(ids[0]) });
    let ordering = |before| GeneralOrdering { before, after: Occurrence::Receive(ids[1]), place };
    let kinds = every!(TimingKind { Constraint, Observation });
    let timing = |kind, to: Option<MessageId>| Timing {
        kind,
        from: Occurrence::Send(ids[0]),
        to: to.map(Occurrence::Receive),
        text: text("0..13"),
        place,
    };
    let named = LifelineBox { label: text("Inside"), colour: Some(text("#Pink")), lifelines: all, place };
    let empty = LifelineBox { label: String::new(), colour: None, lifelines: Vec::new(), place };
    Interaction {
        title: Some(text("Paying")),
        captions: captions(),
        lifelines,
        messages,
        body: Block(body),
        orderings: before.into_iter().map(ordering).collect(),
        timings: kinds.into_iter().flat_map(|kind| [None, Some(ids[1])].map(|to| timing(kind, to))).collect(),
        boxes: vec![named, empty],
        ..bare(place)
    }
}

/// A text of every kind around a diagram, and on every side of it.
pub(super) fn captions() -> Vec<Caption> {
    let kinds = every!(CaptionKind { Header, UpperLegend, Legend, Caption, Footer });
    let sides = every!(CaptionSide { Left, Centre, Right });
    let caption = |(kind, side)| Caption { kind, side, text: text("Around it") };
    kinds.into_iter().zip(sides.into_iter().cycle()).map(caption).collect()
}

/// A lifeline of every kind, each declared fully, and one that is only used; two have the same name.
fn lifelines(place: Place) -> Vec<Lifeline> {
    let used = Lifeline {
        name: text("Actor"),
        label: text("Actor"),
        class: None,
        kind: LifelineKind::Participant,
        stereotypes: Vec::new(),
        colour: None,
        declared: false,
        place,
    };
    let declared = |kind| Lifeline {
        name: format!("{kind:?}"),
        label: format!("{kind:?} : Class"),
        class: Some(text("Class")),
        kind,
        stereotypes: vec![text("remote")],
        colour: Some(text("#LightBlue")),
        declared: true,
        place,
    };
    let kinds =
        every!(LifelineKind { Participant, Actor, Boundary, Control, Entity, Database, Collections, Queue });
    kinds.into_iter().map(declared).chain([used]).collect()
}

fn messages(place: Place, from: LifelineId, to: LifelineId) -> Vec<Message> {
    let message = Message {
        name: text("pay"),
        arguments: None,
        text: text("pay"),
        number: None,
        sort: MessageSort::Call,
        from: End::Lifeline(from),
        to: End::Lifeline(to),
        arrow: Arrow { dashed: false, head: Tip::FILLED, tail: Tip::NONE, colour: None },
        place,
        label_place: place,
    };
    let mut messages = Vec::new();
    for sort in every!(MessageSort { Call, Signal, Reply, Create, Delete }) {
        messages.push(Message { sort, number: Some(text("1.1")), ..message.clone() });
    }
    for arguments in argument_lists() {
        messages.push(Message { arguments, ..message.clone() });
    }
    for arrow in arrows() {
        messages.push(Message { arrow, ..message.clone() });
    }
    for outside in outsides() {
        for end in every!(End { Lifeline(from), Outside(outside) }) {
            messages.push(Message { from: end, ..message.clone() });
            messages.push(Message { to: end, ..message.clone() });
        }
    }
    messages
}

fn arrows() -> Vec<Arrow> {
    let mut arrows = Vec::new();
    for shape in every!(TipShape { None, Filled, Open, Cross }) {
        for half in every!(Half { Upper, Lower }) {
            let head = Tip { shape, half: Some(half), circle: true };
            let tail = Tip { shape, half: None, circle: false };
            arrows.push(Arrow { dashed: true, head, tail, colour: Some(text("red")) });
        }
    }
    arrows
}

fn outsides() -> Vec<Outside> {
    let sides = every!(Side { Left, Right });
    sides.into_iter().map(|side| Outside { side, short: side == Side::Left }).collect()
}

fn fragments(place: Place, lifeline: LifelineId, message: MessageId, used: InteractionId) -> Vec<Fragment> {
    let lifelines = vec![lifeline];
    let use_of = |target| Use { name: text("Pay"), target, lifelines: lifelines.clone(), place };
    let mut all = every!(Fragment {
        Message(message),
        Stop(Stop { lifeline, place }),
        Action(Action { lifeline, name: text("count money"), place }),
        Invariant(Invariant { lifelines: lifelines.clone(), condition: conditions(place).remove(0), place }),
        Use(use_of(None)),
        Combined(combined(Operator::Seq, place)),
        Execution(Execution { lifeline, bound: Bound::Start, colour: None, place }),
        Note(notes(place, lifeline, message).remove(0)),
        Separator(Separator { kind: SeparatorKind::Divider, text: text("then"), place }),
        Numbering(Numbering::Stop),
    });
    all.push(Fragment::Use(use_of(Some(used))));
    all.extend(operators(lifeline).into_iter().map(|operator| Fragment::Combined(combined(operator, place))));
    all.extend(executions(place, lifeline).into_iter().map(Fragment::Execution));
    all.extend(notes(place, lifeline, message).into_iter().map(Fragment::Note));
    all.extend(separators(place).into_iter().map(Fragment::Separator));
    all.extend(numberings().into_iter().map(Fragment::Numbering));
    all
}

fn operators(lifeline: LifelineId) -> Vec<Operator> {
    let ends = Some([text("Actor"), text("Actor")]);
    let types = vec![MessageType::named("tick"), MessageType { name: text("tock"), ends }];
    let mut operators = every!(Operator {
        Seq, Strict, Par, Alt, Opt, Break,
        Loop(Loop { min: Some(0), max: None, strict: false }),
        Critical, Neg, Assert,
        Ignore(types.clone()),
        Consider(types.clone()),
        Coregion(lifeline),
        Not,
    });
    operators.push(Operator::Loop(Loop { min: None, max: Some(3), strict: true }));
    operators
}

/// A combined fragment with an operand of every guard.
fn combined(operator: Operator, place: Place) -> Combined {
    let guards = every!(Guard { Absent, Else, Condition(conditions(place).remove(0)) });
    let parsed = conditions(place).into_iter().map(Guard::Condition);
    let operand = |guard: Guard| {
        let title = (guard == Guard::Else).then(|| text("otherwise"));
        Operand {
            colour: (guard == Guard::Else).then(|| text("Pink")),
            guard,
            title,
            block: Block(vec![Fragment::Numbering(Numbering::Stop)]),
            place,
        }
    };
    let is_titled = operator == Operator::Seq;
    let frame = Frame {
        keyword: text("group"),
        title: is_titled.then(|| text("Retry")),
        subtitle: is_titled.then(|| text("three times")),
        colour: is_titled.then(|| text("#EEE")),
    };
    Combined::new(operator, guards.into_iter().chain(parsed).map(operand).collect(), frame, place)
}

fn executions(place: Place, lifeline: LifelineId) -> Vec<Execution> {
    let bounds = every!(Bound { Start, Finish });
    bounds.into_iter().map(|bound| Execution { lifeline, bound, colour: Some(text("gold")), place }).collect()
}

fn notes(place: Place, lifeline: LifelineId, message: MessageId) -> Vec<Note> {
    let mut notes = Vec::new();
    for position in every!(NotePosition { Left, Right, Over, Across }) {
        for shape in every!(NoteShape { Folded, Hexagon, Rectangle }) {
            let is_beside = position == NotePosition::Left;
            let lifelines = if is_beside { vec![lifeline] } else { Vec::new() };
            let message = is_beside.then_some(message);
            let colour = is_beside.then(|| text("#aqua"));
            notes.push(Note { position, lifelines, message, shape, text: text("mind\nthis"), colour, place });
        }
    }
    notes
}

fn separators(place: Place) -> Vec<Separator> {
    let kinds = every!(SeparatorKind { Divider, Delay, Space(Some(45)), Page });
    let kinds = kinds.into_iter().chain([SeparatorKind::Space(None)]);
    kinds.map(|kind| Separator { kind, text: String::new(), place }).collect()
}

fn numberings() -> Vec<Numbering> {
    let mut all = every!(Numbering {
        Start { start: Some(text("1.1")), step: Some(10), format: Some(text("<b>000")) },
        Stop,
        Resume { step: Some(2), format: Some(text("0")) },
        Increment(text("A")),
    });
    all.push(Numbering::Start { start: None, step: None, format: None });
    all.push(Numbering::Resume { step: None, format: None });
    all
}
