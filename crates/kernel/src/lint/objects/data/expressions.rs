//! Guards and assignments: E611 (values), E612 (types), W613 and E618 (names), W616 (text that evidently means data).

use super::scope::Here;
use super::{Bound, Data, own, parameters};
use crate::diagnostic::{Code, Diagnostic, nearest, slip_of};
use crate::model::{Assign, Condition, Effect, Expression};
use crate::semantics::objects::{Type, Unfit, Unknown, evaluate, truth};
use crate::source::Span;

pub(super) fn check(data: &mut Data, findings: &mut Vec<Diagnostic>) {
    for (condition, parameters) in data.conditions() {
        findings.extend(guard(data, condition, &parameters));
    }
    for transition in data.machine.transitions.iter() {
        effects(data, &transition.effects, &parameters(&transition.triggers), findings);
    }
    for body in data.machine.vertices.iter().filter_map(|vertex| vertex.kind.body()) {
        for all in [&body.entry, &body.exit, &body.activity] {
            effects(data, all, &[], findings);
        }
    }
}

fn effects<'a>(
    data: &Data<'a>,
    effects: &'a [Effect],
    parameters: &[Bound<'a>],
    findings: &mut Vec<Diagnostic>,
) {
    for effect in effects {
        match effect {
            Effect::Assign(assign) => findings.extend(assignment(data, assign, parameters)),
            Effect::Opaque { text, place } => findings.extend(opaque(data, text, place.0, "effect")),
            Effect::Send(_) => {}
        }
    }
}

fn guard<'a>(data: &Data<'a>, condition: &Condition, parameters: &[Bound<'a>]) -> Option<Diagnostic> {
    let place = condition.place.0;
    let Some(expression) = &condition.expression else {
        return opaque(data, &condition.text, place, "guard");
    };
    let mut here = Here::new(data, parameters);
    match truth(expression, &mut here) {
        Ok(_) => None,
        Err(unfit) => complaint(data, expression, unfit, parameters, place),
    }
}

fn assignment<'a>(data: &Data<'a>, assign: &Assign, parameters: &[Bound<'a>]) -> Option<Diagnostic> {
    let place = assign.place.0;
    let name = own(&assign.target)?;
    let Some((_, kind)) = data.declared.get(name) else {
        return undeclared(data, name, place);
    };
    let kind = kind.as_ref()?;
    let mut here = Here::new(data, parameters);
    let typed = match evaluate(&assign.value, &mut here) {
        Ok(typed) => typed,
        Err(unfit) => {
            let whole = Expression::Name(assign.target.clone());
            return complaint(data, &whole, unfit, parameters, place);
        }
    };
    if !kind.is_comparable(&typed.kind) {
        let text = format!("`{name}` is {}, and is given {}", kind.describe(), typed.kind.describe());
        return Some(
            Diagnostic::new(Code::TypeMismatch, place, text).hint("give it a value of its own type"),
        );
    }
    match (kind, &typed.kind) {
        (Type::Range(low, high), Type::Range(least, most)) if most < low || least > high => {
            let text = format!("`{name}` can never get this value: it is {low}..{high}");
            let hint = "widen its range, or assign something inside of it";
            Some(Diagnostic::new(Code::ValueOutside, place, text).hint(hint))
        }
        _ => None,
    }
}

/// An assignment to what nobody declares, where others are declared.
fn undeclared(data: &Data, name: &str, place: Span) -> Option<Diagnostic> {
    if !data.is_about_data() {
        return None;
    }
    let text = format!("`{}` has no attribute `{name}`, so this does nothing", data.name());
    Some(match slip_of(name, data.declared.keys().copied()) {
        Some(near) => {
            Diagnostic::new(Code::MisspeltName, place, text).hint(format!("did you mean `{near}`?"))
        }
        None => Diagnostic::new(Code::UnknownAttribute, place, text)
            .hint("declare it in the class, or with `@attribute`"),
    })
}

/// What is wrong with an expression that evidently is one.
fn complaint(
    data: &Data,
    expression: &Expression,
    unfit: Unfit,
    parameters: &[Bound],
    place: Span,
) -> Option<Diagnostic> {
    match unfit {
        Unfit::Mismatch(what) => {
            if !data.is_data(expression) && !uses_parameter(expression, parameters) {
                return None;
            }
            Some(
                Diagnostic::new(Code::TypeMismatch, place, what)
                    .hint("compare and combine values of one type"),
            )
        }
        Unfit::Unknown(what) => unknown(data, expression, &what, parameters, place),
    }
}

fn uses_parameter(expression: &Expression, parameters: &[Bound]) -> bool {
    let mut used = std::collections::BTreeSet::new();
    super::names(expression, &mut used);
    parameters.iter().any(|(name, ..)| used.contains(name))
}

fn unknown(
    data: &Data,
    expression: &Expression,
    what: &Unknown,
    parameters: &[Bound],
    place: Span,
) -> Option<Diagnostic> {
    let name = match what {
        Unknown::Name(path) => match path.as_slice() {
            [name] => name.as_str(),
            _ => return None,
        },
        // A call is decided by the program.
        Unknown::Call(_) => return None,
        Unknown::Text(_) => {
            let text = format!("{what} is a text; texts are no values here");
            let finding = Diagnostic::new(Code::TypeMismatch, place, text);
            return data.is_data(expression).then(|| finding.hint("use an enumeration"));
        }
    };
    // A parameter or an attribute without known type is open.
    if parameters.iter().any(|(known, ..)| *known == name) || data.declared.contains_key(name) {
        return None;
    }
    let literals = data.enumerations.values().flatten().map(String::as_str);
    let known = || data.declared.keys().copied().chain(parameters.iter().map(|(name, ..)| *name));
    let is_alone = matches!(expression, Expression::Name(_));
    let near = match is_alone {
        true => slip_of(name, known()),
        false => nearest(name, known().chain(literals)),
    };
    let text = format!("`{}` knows nothing of the name `{name}`", data.name());
    if let Some(near) = near.filter(|_| data.is_data(expression)) {
        let finding = Diagnostic::new(Code::MisspeltName, place, text);
        return Some(finding.hint(format!("did you mean `{near}`?")));
    }
    let finding = Diagnostic::new(Code::UnknownAttribute, place, text);
    match near {
        Some(near) => Some(finding.hint(format!("did you mean `{near}`?"))),
        None if data.is_data(expression) => {
            Some(finding.hint("declare it; as it is, what stands here is left open"))
        }
        None => None,
    }
}

/// Text that is no expression although it names an attribute and has the signs of one.
fn opaque(data: &Data, text: &str, place: Span, what: &str) -> Option<Diagnostic> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let names_data = text.split(|c: char| !is_word(c)).any(|word| {
        data.declared.get(word).is_some_and(|(_, kind)| kind.is_some()) && data.used_or_own(word)
    });
    let has_signs = text.contains(['=', '<', '>']) || text.contains("++") || text.contains("--");
    if !(names_data && has_signs) {
        return None;
    }
    let finding = Diagnostic::new(Code::OpaqueData, place, format!("this {what} is not understood"));
    Some(finding.hint(match what {
        "guard" => "it is decided freely; docs/semantics.md has the expressions that are read",
        _ => "it does nothing; an effect is an assignment `x = e`, or a send `^target.message(e)`",
    }))
}

impl Data<'_> {
    /// Whether a name is data of the machine, not only a word of its class.
    fn used_or_own(&self, name: &str) -> bool {
        self.used.contains(name) || self.machine.attributes.iter().any(|one| one.name == name)
    }
}
