//! The body of an interaction as JSON: fragments in drawn order, each with its `kind`, nested by operands.

use sequent_kernel::model::{
    Action, Block, Bound, Combined, Execution, Fragment, Frame, Guard, Invariant, Loop, MessageType, Note,
    NotePosition, NoteShape, Numbering, Operand, Operator, OperatorFacts, OperatorParameter, Separator,
    SeparatorKind, Stop, Use,
};
use serde_json::Value;

use super::expression::{condition, condition_in};
use super::naming::InteractionPartNames;
use super::record::{JsonRecord, list};

/// A block: its fragments in drawn order.
pub(super) fn block(names: &InteractionPartNames, block: &Block) -> Value {
    list(&block.0, |shown| fragment(names, shown))
}

fn fragment(names: &InteractionPartNames, fragment: &Fragment) -> Value {
    match fragment {
        Fragment::Message(message) => {
            JsonRecord::kind("message").put("message", names.message(*message)).done()
        }
        Fragment::Stop(shown) => stop(names, shown),
        Fragment::Action(shown) => action(names, shown),
        Fragment::Invariant(shown) => invariant(names, shown),
        Fragment::Use(shown) => interaction_use(names, shown),
        Fragment::Combined(shown) => combined(names, shown),
        Fragment::Execution(shown) => execution(names, shown),
        Fragment::Note(shown) => note(names, shown),
        Fragment::Separator(shown) => separator(names, shown),
        Fragment::Numbering(shown) => numbering(shown),
    }
}

fn stop(names: &InteractionPartNames, stop: &Stop) -> Value {
    let Stop { lifeline, place } = stop;
    JsonRecord::kind("stop")
        .put("lifeline", names.lifeline(*lifeline))
        .put("place", names.scope.place(*place))
        .done()
}

fn action(names: &InteractionPartNames, action: &Action) -> Value {
    let Action { lifeline, name, place } = action;
    JsonRecord::kind("action")
        .put("lifeline", names.lifeline(*lifeline))
        .put("name", name.as_str())
        .put("place", names.scope.place(*place))
        .done()
}

fn invariant(names: &InteractionPartNames, invariant: &Invariant) -> Value {
    let Invariant { lifelines, condition, place } = invariant;
    JsonRecord::kind("invariant")
        .put("lifelines", names.lifelines(lifelines))
        .put("condition", self::condition(names.scope, condition))
        .put("place", names.scope.place(*place))
        .done()
}

fn interaction_use(names: &InteractionPartNames, shown: &Use) -> Value {
    let Use { name, target, lifelines, place } = shown;
    JsonRecord::kind("use")
        .put("name", name.as_str())
        .put("target", target.map(|target| names.scope.interactions[target].as_str()))
        .put("lifelines", names.lifelines(lifelines))
        .put("place", names.scope.place(*place))
        .done()
}

fn combined(names: &InteractionPartNames, combined: &Combined) -> Value {
    let Combined { id: _, operator, operands, covers, frame, place } = combined;
    self::operator(names, operator)
        .list("operands", operands, |shown| operand(names, shown))
        .put("covers", names.lifelines(covers))
        .put("frame", self::frame(frame))
        .put("place", names.scope.place(*place))
        .done()
}

/// The beginning of a combined fragment: its operator and what belongs to that.
fn operator(names: &InteractionPartNames, operator: &Operator) -> JsonRecord {
    let named = |word: &str| JsonRecord::kind("combined").put("operator", word);
    let OperatorFacts { word, parameter, .. } = operator.facts();
    match parameter {
        OperatorParameter::None => named(word),
        // Whether it is strict stands among its bounds.
        OperatorParameter::Bounds(bounds) => named("loop").put("loop", loop_bounds(bounds)),
        OperatorParameter::Types(types) => named(word).list("types", types.listed(), MessageType::to_string),
        OperatorParameter::Lifeline(lifeline) => named(word).put("lifeline", names.lifeline(lifeline)),
    }
}

fn loop_bounds(bounds: Loop) -> Value {
    let Loop { min, max, strict } = bounds;
    let count = |bound: Option<u32>| bound.map_or(Value::from("infinite"), Value::from);
    JsonRecord::new().put("min", count(min)).put("max", count(max)).put("strict", strict).done()
}

fn operand(names: &InteractionPartNames, operand: &Operand) -> Value {
    let Operand { guard, title, colour, block, place } = operand;
    JsonRecord::new()
        .put("guard", self::guard(names, guard))
        .put("title", title.as_deref())
        .put("colour", colour.as_deref())
        .put("body", self::block(names, block))
        .put("place", names.scope.place(*place))
        .done()
}

fn guard(names: &InteractionPartNames, guard: &Guard) -> Option<Value> {
    match guard {
        Guard::Absent => None,
        Guard::Else => Some(JsonRecord::kind("else").done()),
        Guard::Condition(condition) => {
            Some(condition_in(JsonRecord::kind("condition"), names.scope, condition).done())
        }
    }
}

fn frame(frame: &Frame) -> Value {
    let Frame { keyword, title, subtitle, colour } = frame;
    JsonRecord::new()
        .put("keyword", keyword.as_str())
        .put("title", title.as_deref())
        .put("subtitle", subtitle.as_deref())
        .put("colour", colour.as_deref())
        .done()
}

fn execution(names: &InteractionPartNames, execution: &Execution) -> Value {
    let Execution { lifeline, bound, colour, place } = execution;
    JsonRecord::kind("execution")
        .put("bound", self::bound(*bound))
        .put("lifeline", names.lifeline(*lifeline))
        .put("colour", colour.as_deref())
        .put("place", names.scope.place(*place))
        .done()
}

fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Start => "start",
        Bound::Finish => "finish",
    }
}

fn note(names: &InteractionPartNames, note: &Note) -> Value {
    let Note { position, lifelines, message, shape, text, colour, place } = note;
    JsonRecord::kind("note")
        .put("text", text.as_str())
        .put("position", note_position(*position))
        .put("lifelines", names.lifelines(lifelines))
        .put("message", message.map(|message| names.message(message)))
        .put("shape", note_shape(*shape))
        .put("colour", colour.as_deref())
        .put("place", names.scope.place(*place))
        .done()
}

fn note_position(position: NotePosition) -> &'static str {
    match position {
        NotePosition::Left => "left",
        NotePosition::Right => "right",
        NotePosition::Over => "over",
        NotePosition::Across => "across",
    }
}

fn note_shape(shape: NoteShape) -> &'static str {
    match shape {
        NoteShape::Folded => "folded",
        NoteShape::Hexagon => "hexagon",
        NoteShape::Rectangle => "rectangle",
    }
}

fn separator(names: &InteractionPartNames, separator: &Separator) -> Value {
    let Separator { kind, text, place } = separator;
    let (word, height) = match *kind {
        SeparatorKind::Divider => ("divider", None),
        SeparatorKind::Delay => ("delay", None),
        SeparatorKind::Space(height) => ("space", height),
        SeparatorKind::Page => ("page", None),
    };
    JsonRecord::kind("separator")
        .put("separator", word)
        .put("text", text.as_str())
        .put("height", height)
        .put("place", names.scope.place(*place))
        .done()
}

fn numbering(numbering: &Numbering) -> Value {
    let change = |word: &str| JsonRecord::kind("numbering").put("numbering", word);
    match numbering {
        Numbering::Start { start, step, format } => {
            change("start").put("start", start.as_deref()).put("step", *step).put("format", format.as_deref())
        }
        Numbering::Stop => change("stop"),
        Numbering::Resume { step, format } => {
            change("resume").put("step", *step).put("format", format.as_deref())
        }
        Numbering::Increment(level) => change("increment").put("level", level.as_str()),
    }
    .done()
}
