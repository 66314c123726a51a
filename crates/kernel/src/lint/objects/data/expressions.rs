//! Guards and assignments: E611 (values), E612 (types), W613, E618 and H620 (names), W616 (text that is not understood), E619 (what
//! belongs to another object).

use std::collections::BTreeSet;

use super::scope::LocalNames;
use super::{BoundParameter, LabelFindings, ObjectData};
use crate::diagnostic::{Code, Diagnostic, Severity, nearest, slip_of};
use crate::model::{
    Assign, BinaryOperator, Communication, Condition, Effect, Expression, Transition, Trigger,
};
use crate::semantics::objects::{
    InstanceId, Unfit, UnknownPart, ValueType, asked_state, called, communication, evaluate, is_state_call,
    truth, unknowns, vertices_named,
};
use crate::source::Span;

pub(super) fn check(data: &ObjectData, found: &mut LabelFindings) {
    for (condition, parameters) in data.conditions() {
        guard(data, condition, &parameters, found);
    }
    for transition in data.machine.transitions.iter() {
        effects(data, &transition.effects, &data.bound(transition), found);
        found.told.extend(returned_to_nobody(data, transition));
    }
    for vertex in data.machine.vertices.iter() {
        let Some(body) = vertex.kind.body() else { continue };
        for all in [&body.entry, &body.exit, &body.activity] {
            effects(data, all, &[], found);
        }
        for text in &body.description {
            found.told.extend(described(data, text, vertex.place.0));
        }
    }
}

fn effects<'a>(
    data: &ObjectData<'a>,
    effects: &'a [Effect],
    parameters: &[BoundParameter<'a>],
    found: &mut LabelFindings,
) {
    for effect in effects {
        match effect {
            Effect::Assign(assign) => assignment(data, assign, parameters, found),
            Effect::Opaque { text, place } => {
                found.told.extend(opaque(data, text, parameters, place.0, "effect"));
            }
            Effect::Send(_) => {}
        }
    }
}

fn guard<'a>(
    data: &ObjectData<'a>,
    condition: &Condition,
    parameters: &[BoundParameter<'a>],
    found: &mut LabelFindings,
) {
    let place = condition.place.0;
    let Some(expression) = &condition.expression else {
        if condition.text != "else" {
            found.told.extend(opaque(data, &condition.text, parameters, place, "guard"));
        }
        return;
    };
    if let Err(unfit) = truth(expression, &mut LocalNames::new(data, parameters)) {
        complain(data, [expression; 2], unfit, parameters, place, found);
    }
    state_tests(data, expression, place, found);
}

/// State tests (`in(b, Idle)`) of states that the object does not have.
pub(super) fn state_tests(
    data: &ObjectData,
    expression: &Expression,
    place: Span,
    found: &mut LabelFindings,
) {
    match expression {
        Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) | Expression::Name(_) => {}
        Expression::Unary(_, part) => state_tests(data, part, place, found),
        Expression::Binary(_, left, right) => {
            state_tests(data, left, place, found);
            state_tests(data, right, place, found);
        }
        Expression::Call(path, parts) if is_state_call(path) => {
            found.told.extend(state_test(data, asked_state(path, parts), place));
        }
        Expression::Call(_, parts) => parts.iter().for_each(|part| state_tests(data, part, place, found)),
    }
}

fn state_test(
    data: &ObjectData,
    asked: Option<(Option<&String>, &String)>,
    place: Span,
) -> Option<Diagnostic> {
    let structure = &data.system.whole;
    let (object, state) = match asked {
        Some((None, state)) => (data.object, state),
        Some((Some(name), state)) => {
            let by_name = || structure.objects.find(|one| one.name == *name);
            let known = structure.named(data.object, name).first().copied().or_else(by_name);
            let Some(object) = known else {
                let text =
                    format!("`{}` knows nobody called `{name}`, so this is decided freely", data.name());
                let finding = Diagnostic::new(Code::UnknownAttribute, place, text);
                return (!data.is_drawn(name)).then(|| finding.hint("name an object, or its class"));
            };
            (object, state)
        }
        None => {
            let text = "this asks for no state, so it is decided freely";
            let finding = Diagnostic::new(Code::UnknownAttribute, place, text);
            return Some(finding.hint("`in(b, Idle)` asks for the state of `b`, `in(Idle)` for one's own"));
        }
    };
    let owner = &structure.objects[object];
    let Some(machine) = owner.machine.map(|machine| &data.system.model.machines[machine]) else {
        let text = format!("`{}` has no state machine, so this is decided freely", owner.name);
        let finding = Diagnostic::new(Code::UnknownAttribute, place, text);
        return Some(finding.hint("give its state machine, or ask another object"));
    };
    if vertices_named(machine, state).next().is_some() {
        return None;
    }
    let text = format!("`{}` has no state `{state}`, so this is decided freely", owner.name);
    let finding = Diagnostic::new(Code::UnknownAttribute, place, text);
    let states = machine.vertices.iter().filter(|vertex| vertex.kind.body().is_some());
    Some(match nearest(state, states.map(|vertex| vertex.name.as_str())) {
        Some(near) => finding.meant(state.as_str(), near),
        None => finding.hint("name one of its states"),
    })
}

fn assignment<'a>(
    data: &ObjectData<'a>,
    assign: &Assign,
    parameters: &[BoundParameter<'a>],
    found: &mut LabelFindings,
) {
    let place = assign.place.0;
    let Some(name) = data.own(&assign.target) else {
        return foreign(data, &assign.target, place, found);
    };
    let Some((_, kind)) = data.declared.get(name) else {
        return undeclared(data, name, place, found);
    };
    let Some(kind) = kind else { return };
    if data.is_call(&assign.value) {
        return found.told.extend(kept(data, kind, assign));
    }
    let typed = match evaluate(&assign.value, &mut LocalNames::new(data, parameters)) {
        Ok(typed) => typed,
        Err(unfit) => {
            let whole = Expression::Name(vec![name.to_owned()]);
            return complain(data, [&whole, &assign.value], unfit, parameters, place, found);
        }
    };
    if !kind.is_comparable(&typed.kind) {
        let text = format!("`{name}` is {}, and is given {}", kind.describe(), typed.kind.describe());
        let finding = Diagnostic::new(Code::TypeMismatch, place, text);
        return found.told.push(finding.hint("give it a value of its own type"));
    }
    match (kind, &typed.kind) {
        (ValueType::Range(low, high), ValueType::Range(least, most)) if most < low || least > high => {
            let text = format!("`{name}` can never get this value: it is {low}..{high}");
            let hint = "widen its range, or assign something inside of it";
            found.told.push(Diagnostic::new(Code::ValueOutside, place, text).hint(hint));
        }
        _ => {}
    }
}

/// A result that does not come, or is of another type than the attribute that keeps it.
fn kept(data: &ObjectData, kind: &ValueType, assign: &Assign) -> Option<Diagnostic> {
    let send = called(assign)?;
    let system = data.system;
    if communication(system.model, &system.whole, &system.model.system) == Communication::Rendezvous {
        let text = format!("`{}` has no result under rendezvous, where a call is a message", send.name);
        let finding = Diagnostic::new(Code::OpaqueData, assign.place.0, text).severity(Severity::Error);
        return Some(finding.hint("send it, and wait for an answer in a message of its own"));
    }
    let result = data.result_type(&send.name).filter(|result| !kind.is_comparable(result))?;
    let text = format!(
        "`{}` is {}, and `{}` returns {}",
        assign.target.join("."),
        kind.describe(),
        send.name,
        result.describe()
    );
    let finding = Diagnostic::new(Code::TypeMismatch, assign.place.0, text);
    Some(finding.hint("keep it in an attribute of its own type"))
}

/// An assignment to what is no attribute of the object itself.
fn foreign(data: &ObjectData, target: &[String], place: Span, found: &mut LabelFindings) {
    let path = target.join(".");
    let [owner, name] = target else { return found.open(path, place) };
    if !data.knows_object(owner) && !data.is_drawn(owner) {
        return found.open(path, place);
    }
    let text = format!("`{}` cannot set `{path}`: it belongs to another object", data.name());
    let hint = format!("send `{owner}` a message, and let its own machine set `{name}`");
    found.told.push(Diagnostic::new(Code::ForeignAttribute, place, text).hint(hint));
}

/// An assignment to what is not declared.
fn undeclared(data: &ObjectData, name: &str, place: Span, found: &mut LabelFindings) {
    if !data.is_about_data() {
        return found.open(name.to_owned(), place);
    }
    let text = format!("`{}` has no attribute `{name}`, so this does nothing", data.name());
    found.told.push(match slip_of(name, data.declared.keys().copied()) {
        Some(near) => Diagnostic::new(Code::MisspeltName, place, text).meant(name, near),
        None => Diagnostic::new(Code::UnknownAttribute, place, text)
            .hint("declare it in the class, or with `@attribute`"),
    });
}

/// What is wrong with an expression, and with all its parts; the first of the two says whether it is about data.
fn complain(
    data: &ObjectData,
    [whole, expression]: [&Expression; 2],
    unfit: Unfit,
    parameters: &[BoundParameter],
    place: Span,
    found: &mut LabelFindings,
) {
    match unfit {
        Unfit::Mismatch(what) => {
            let finding = Diagnostic::new(Code::TypeMismatch, place, what);
            found.told.push(finding.hint("compare and combine values of one type"));
        }
        Unfit::Unknown(_) => {
            let all = unknowns(expression, &mut LocalNames::new(data, parameters));
            // A text beside a value without known type may well be one of its values.
            let is_text = |one: &&UnknownPart| matches!(one, UnknownPart::Text(_));
            let are_texts = all.iter().all(|one| is_text(&one));
            for what in all.iter().filter(|one| are_texts || !is_text(one)) {
                unknown(data, whole, what, parameters, place, found);
            }
        }
    }
}

fn unknown(
    data: &ObjectData,
    expression: &Expression,
    what: &UnknownPart,
    parameters: &[BoundParameter],
    place: Span,
    found: &mut LabelFindings,
) {
    let name = match what {
        UnknownPart::Name(path) => match path.as_slice() {
            [name] => name.as_str(),
            // What only a scenario draws is known there.
            [first, _] if data.is_drawn(first) && !data.is_somebody(first) => return,
            // A path that begins with somebody who is known, or that is compared, means a value.
            [first, ..] if data.is_about_data() || data.is_somebody(first) || compares(expression) => {
                return found.open(what.to_string(), place);
            }
            _ => return,
        },
        // A call is decided by the program; one about somebody who is known is meant for the machines.
        UnknownPart::Call(_) => {
            if data.is_about_data() || data.is_data(expression) || data.speaks_of_somebody(expression) {
                found.open(what.to_string(), place);
            }
            return;
        }
        UnknownPart::Text(_) => {
            let text = format!("{what} is a text; texts are not values here");
            let finding = Diagnostic::new(Code::TypeMismatch, place, text).hint("use an enumeration");
            return found.told.extend(data.is_data(expression).then_some(finding));
        }
    };
    // A parameter or an attribute without known type is open, and reported where it comes from.
    if parameters.iter().any(|(known, ..)| *known == name) || data.declared.contains_key(name) {
        return;
    }
    let literals = data.enumerations.values().flatten().map(String::as_str);
    // A trigger such as `set("Mode")` has a text for a parameter.
    let named = parameters.iter().map(|(name, ..)| *name).filter(|name| !name.contains('"'));
    let known = || data.declared.keys().copied().chain(named.clone());
    let is_alone = matches!(expression, Expression::Name(_));
    let near = match is_alone {
        true => slip_of(name, known()),
        false => nearest(name, known().chain(literals)),
    };
    let text = format!("`{}` knows nothing of the name `{name}`", data.name());
    match near {
        Some(near) => {
            let code = if data.is_data(expression) { Code::MisspeltName } else { Code::UnknownAttribute };
            found.told.push(Diagnostic::new(code, place, text).meant(name, near));
        }
        None if data.is_data(expression) => {
            let finding = Diagnostic::new(Code::UnknownAttribute, place, text);
            found.told.push(finding.hint("declare it; as it is, what stands here is left open"));
        }
        // A word alone is a proposition; one that is compared or added is data.
        None if data.is_about_data() || is_value(data, expression, name) => {
            found.open(name.to_owned(), place)
        }
        None => {}
    }
}

/// Whether a name is compared or calculated with, rather than true or false.
fn is_value(data: &ObjectData, expression: &Expression, name: &str) -> bool {
    use BinaryOperator::*;
    match expression {
        Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) | Expression::Name(_) => false,
        Expression::Unary(_, part) => is_value(data, part, name),
        Expression::Call(_, parts) => parts.iter().any(|part| is_value(data, part, name)),
        Expression::Binary(Or | And | Implies, left, right) => {
            is_value(data, left, name) || is_value(data, right, name)
        }
        Expression::Binary(
            Equal | Unequal | Less | LessEqual | Greater | GreaterEqual | Plus | Minus | Times | Divide
            | Modulo,
            left,
            right,
        ) => {
            let mut used = BTreeSet::new();
            data.names(left, &mut used);
            data.names(right, &mut used);
            used.contains(name)
        }
    }
}

/// Whether something is compared in an expression.
fn compares(expression: &Expression) -> bool {
    use BinaryOperator::*;
    match expression {
        Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) | Expression::Name(_) => false,
        Expression::Unary(_, part) => compares(part),
        Expression::Call(_, parts) => parts.iter().any(compares),
        Expression::Binary(Or | And | Implies, left, right) => compares(left) || compares(right),
        Expression::Binary(
            Equal | Unequal | Less | LessEqual | Greater | GreaterEqual | Plus | Minus | Times | Divide
            | Modulo,
            _,
            _,
        ) => true,
    }
}

/// Text that is no expression, assignment or send although it is evidently meant as one. In a machine without data and without partners most labels are
/// prose, and it is a hint.
fn opaque(
    data: &ObjectData,
    text: &str,
    parameters: &[BoundParameter],
    place: Span,
    what: &str,
) -> Option<Diagnostic> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words = || text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty());
    let has_signs = text.contains(['=', '<', '>', '^', '+']) || text.contains("--");
    let names_data = words().any(|word| {
        data.declared.get(word).is_some_and(|(_, kind)| kind.is_some()) && data.used_or_own(word)
    });
    let names_somebody = || words().any(|word| data.knows_another(word));
    let names_known = || {
        words().any(|word| {
            word == data.name()
                || parameters.iter().any(|(name, ..)| *name == word)
                || word.parse::<i64>().is_ok()
        })
    };
    // Nothing but values and signs is no prose.
    let is_value = |word: &str| {
        data.declared.get(word).is_some_and(|(_, kind)| kind.is_some())
            || parameters.iter().any(|(name, ..)| *name == word)
            || word.parse::<i64>().is_ok()
    };
    let are_values = words().all(is_value);
    let is_formal = data.is_formal();
    let is_meant = match is_formal {
        true => {
            names_data
                || has_signs
                || text.contains(['(', ')', '[', ']', '.'])
                || names_known()
                || names_somebody()
                || are_values
        }
        false => has_signs || names_somebody() || (are_values && words().count() > 1),
    };
    if !is_meant {
        return None;
    }
    let is_sure = is_formal
        || (names_data && has_signs)
        || (what == "effect" && (text.contains('^') || names_somebody()));
    let severity = if is_sure { Severity::Warning } else { Severity::Hint };
    let finding = Diagnostic::new(Code::OpaqueData, place, format!("this {what} is not understood"));
    Some(finding.severity(severity).hint(match what {
        "guard" => "it is decided freely; docs/semantics.md has the expressions that are read",
        _ => "it does nothing; an effect is an assignment `x = e`, or a send `^target.message(e)`",
    }))
}

/// A line of a state's description that begins like a behaviour and is none.
fn described(data: &ObjectData, text: &str, place: Span) -> Option<Diagnostic> {
    let word = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    let is_behaviour =
        ["entry", "exit", "do", "defer"].contains(&word.as_str()) || text.trim_end().ends_with("/ defer");
    let has_signs = text.contains(['=', '^', '(', '/', '.']);
    let is_formal = data.is_formal();
    let has_send = text.contains('^');
    let is_meant =
        if is_formal { has_signs || is_behaviour } else { has_send || (has_signs && is_behaviour) };
    if !is_meant {
        return None;
    }
    let severity = if is_formal || has_send { Severity::Warning } else { Severity::Hint };
    let text = format!("`{}` is not understood, so it is only text", text.trim());
    let finding = Diagnostic::new(Code::OpaqueData, place, text).severity(severity);
    Some(
        finding.hint(
            "a state has lines such as `entry / x = 0`, `exit / ^b.m`, `ev / defer`, `ev [x > 0] / x = 0`",
        ),
    )
}

/// `return e` where no operation with a result is carried out.
fn returned_to_nobody(data: &ObjectData, transition: &Transition) -> Option<Diagnostic> {
    let is_return =
        |effect: &&Effect| matches!(effect, Effect::Send(send) if crate::semantics::objects::is_return(send));
    let place = transition.effects.iter().find(is_return).map(|effect| match effect {
        Effect::Send(send) => send.place.0,
        Effect::Assign(assign) => assign.place.0,
        Effect::Opaque { place, .. } => place.0,
    })?;
    let has_result = |name: &str| data.operations(name).any(|one| one.result.is_some());
    let replies = transition.triggers.iter().any(|trigger| match trigger {
        Trigger::Event { name, .. } => has_result(name),
        Trigger::Any | Trigger::After(_) | Trigger::When(_) => false,
    });
    // What leaves a state by itself begins a step of its own.
    let is_step =
        transition.triggers.is_empty() && data.machine.vertices[transition.source].kind.body().is_none();
    let text = "there is no operation with a result to return from";
    let finding = Diagnostic::new(Code::OpaqueData, place, text);
    (!replies && !is_step).then(|| {
        finding.hint("declare the operation in the class with its result, as in `charge(n : 0..3) : bool`")
    })
}

impl ObjectData<'_> {
    /// Whether a name means the object itself or another that behaves as a machine.
    fn is_somebody(&self, name: &str) -> bool {
        let is_self = ["self", "this"].contains(&name);
        is_self || !self.system.whole.named(self.object, name).is_empty()
    }

    /// Whether an expression names somebody in the arguments of a call.
    fn speaks_of_somebody(&self, expression: &Expression) -> bool {
        match expression {
            Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) | Expression::Name(_) => false,
            Expression::Unary(_, part) => self.speaks_of_somebody(part),
            Expression::Binary(_, left, right) => {
                self.speaks_of_somebody(left) || self.speaks_of_somebody(right)
            }
            Expression::Call(_, parts) => parts.iter().any(|part| match part {
                Expression::Name(path) => path.first().is_some_and(|first| self.is_somebody(first)),
                Expression::Bool(_)
                | Expression::Int(_)
                | Expression::Text(_)
                | Expression::Unary(..)
                | Expression::Binary(..)
                | Expression::Call(..) => self.speaks_of_somebody(part),
            }),
        }
    }

    /// Whether a name is that of another object that behaves as a machine.
    fn knows_another(&self, name: &str) -> bool {
        let structure = &self.system.whole;
        let is_other = |id: &InstanceId| *id != self.object && structure.objects[*id].machine.is_some();
        structure.named(self.object, name).iter().any(is_other)
    }

    /// Whether a name is data of the machine, not only a word of its class.
    fn used_or_own(&self, name: &str) -> bool {
        self.used.contains(name) || self.machine.attributes.iter().any(|one| one.name == name)
    }
}
