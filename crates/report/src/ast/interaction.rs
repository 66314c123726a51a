//! Interactions as JSON: lifelines, messages, orderings, boxes; [`fragment`] shows what happens.
//!
//! Messages stand in a flat list, because most readers only need senders and receivers; the body refers to
//! them by id and shows where in the fragments each one stands. A message's id is `from->to:name`, as in the
//! directive `@order` (and in events, with their arguments), with an empty end where it comes from or goes
//! outside.

use sequent_kernel::model::{
    Arrow, End, GeneralOrdering, Half, Interaction, InteractionId, Lifeline, LifelineBox, LifelineId,
    LifelineKind, Message, MessageId, MessageSort, Occurrence, Outside, Side, Timing, TimingKind, Tip,
    TipShape,
};
use serde_json::Value;

use super::caption::caption;
use super::expression::arguments;
use super::naming::InteractionPartNames;
use super::record::JsonRecord;
use super::{AstScope, fragment};

/// One sequence diagram.
pub(super) fn interaction(scope: &AstScope, id: InteractionId, interaction: &Interaction) -> Value {
    // What is known from elsewhere stands there.
    let Interaction {
        name,
        title,
        captions,
        place,
        lifelines,
        messages,
        body,
        orderings,
        timings,
        boxes,
        known: _,
    } = interaction;
    let names = InteractionPartNames::new(scope, interaction);
    JsonRecord::new()
        .put("id", scope.interactions[id].as_str())
        .put("name", name.as_str())
        .put("title", title.as_deref())
        .list("captions", captions, caption)
        .list("lifelines", lifelines.enumerate(), |(id, shown)| lifeline(&names, id, shown))
        .list("boxes", boxes, |shown| lifeline_box(&names, shown))
        .list("messages", messages.enumerate(), |(id, shown)| message(&names, id, shown))
        .put("body", fragment::block(&names, body))
        .list("orderings", orderings, |shown| ordering(&names, shown))
        .list("timings", timings, |shown| timing(&names, shown))
        .put("place", scope.place(*place))
        .done()
}

fn lifeline(names: &InteractionPartNames, id: LifelineId, lifeline: &Lifeline) -> Value {
    let Lifeline { name, label, class, kind, stereotypes, colour, declared, place } = lifeline;
    JsonRecord::new()
        .put("id", names.lifeline(id))
        .put("name", name.as_str())
        .put("label", label.as_str())
        .put("class", class.as_deref())
        .put("kind", lifeline_kind(*kind))
        .texts("stereotypes", stereotypes)
        .put("colour", colour.as_deref())
        .put("declared", *declared)
        .put("place", names.scope.place(*place))
        .done()
}

fn lifeline_kind(kind: LifelineKind) -> &'static str {
    match kind {
        LifelineKind::Participant => "participant",
        LifelineKind::Actor => "actor",
        LifelineKind::Boundary => "boundary",
        LifelineKind::Control => "control",
        LifelineKind::Entity => "entity",
        LifelineKind::Database => "database",
        LifelineKind::Collections => "collections",
        LifelineKind::Queue => "queue",
    }
}

fn lifeline_box(names: &InteractionPartNames, shown: &LifelineBox) -> Value {
    let LifelineBox { label, colour, lifelines, place } = shown;
    JsonRecord::new()
        .put("label", label.as_str())
        .put("colour", colour.as_deref())
        .put("lifelines", names.lifelines(lifelines))
        .put("place", names.scope.place(*place))
        .done()
}

fn message(names: &InteractionPartNames, id: MessageId, message: &Message) -> Value {
    let Message { name, arguments, text, number, sort, from, to, arrow, place, label_place } = message;
    let lifeline = |end: End| end.lifeline().map(|id| names.lifeline(id));
    JsonRecord::new()
        .put("id", names.message(id))
        .put("from", lifeline(*from))
        .put("to", lifeline(*to))
        .put("sort", message_sort(*sort))
        .put("name", name.as_str())
        .put("arguments", self::arguments(arguments))
        .put("text", text.as_str())
        .put("number", number.as_deref())
        .put("found", outside(*from))
        .put("lost", outside(*to))
        .put("arrow", self::arrow(arrow))
        .put("place", names.scope.place(*place))
        .put("labelPlace", names.scope.place(*label_place))
        .done()
}

fn message_sort(sort: MessageSort) -> &'static str {
    match sort {
        MessageSort::Call => "call",
        MessageSort::Signal => "signal",
        MessageSort::Reply => "reply",
        MessageSort::Create => "create",
        MessageSort::Delete => "delete",
    }
}

/// Where the end of a found or lost message is drawn; nothing for an end on a lifeline.
fn outside(end: End) -> Option<Value> {
    match end {
        End::Lifeline(_) => None,
        End::Outside(Outside { side, short }) => {
            Some(JsonRecord::new().put("side", self::side(side)).put("short", short).done())
        }
    }
}

fn side(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

fn arrow(arrow: &Arrow) -> Value {
    let Arrow { dashed, head, tail, colour } = arrow;
    JsonRecord::new()
        .put("dashed", *dashed)
        .put("head", tip(*head))
        .put("tail", tip(*tail))
        .put("colour", colour.as_deref())
        .done()
}

fn tip(tip: Tip) -> Value {
    let Tip { shape, half, circle } = tip;
    JsonRecord::new()
        .put("shape", tip_shape(shape))
        .put("half", half.map(self::half))
        .put("circle", circle)
        .done()
}

fn tip_shape(shape: TipShape) -> &'static str {
    match shape {
        TipShape::None => "none",
        TipShape::Filled => "filled",
        TipShape::Open => "open",
        TipShape::Cross => "cross",
    }
}

fn half(half: Half) -> &'static str {
    match half {
        Half::Upper => "upper",
        Half::Lower => "lower",
    }
}

fn ordering(names: &InteractionPartNames, ordering: &GeneralOrdering) -> Value {
    let GeneralOrdering { before, after, place } = ordering;
    JsonRecord::new()
        .put("before", occurrence(names, *before))
        .put("after", occurrence(names, *after))
        .put("place", names.scope.place(*place))
        .done()
}

fn timing(names: &InteractionPartNames, timing: &Timing) -> Value {
    let Timing { kind, from, to, text, place } = timing;
    let kind = match kind {
        TimingKind::Constraint => "constraint",
        TimingKind::Observation => "observation",
    };
    JsonRecord::kind(kind)
        .put("from", occurrence(names, *from))
        .put("to", to.map(|to| occurrence(names, to)))
        .put("text", text.as_str())
        .put("place", names.scope.place(*place))
        .done()
}

fn occurrence(names: &InteractionPartNames, occurrence: Occurrence) -> Value {
    let (kind, message) = match occurrence {
        Occurrence::Send(message) => ("send", message),
        Occurrence::Receive(message) => ("receive", message),
    };
    JsonRecord::kind(kind).put("message", names.message(message)).done()
}
