//! Atoms of formulas about objects: which events and predicates they are.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity, nearest};
use sequent_kernel::formula::{Atom, Formula, FormulaNode, FormulaWord};
use sequent_kernel::model::{Expression, Property, VertexKind};
use sequent_kernel::property::ltl::AtomMeaning;
use sequent_kernel::semantics::objects::{InstanceId, Manner, Unfit};
use sequent_kernel::source::Place;
use sequent_kernel::system::{TermId, Variable};
use sequent_kernel::verdict::Reason;

use super::{Ensemble, events, valuations, variables};

/// The meaning of the atoms of a formula; adds mistakes in them to `problems`.
pub(crate) fn atoms(
    ensemble: &mut Ensemble<'_>,
    property: &Property,
    problems: &mut Vec<Diagnostic>,
) -> Result<BTreeMap<Atom, AtomMeaning>, Reason> {
    let mut atoms = BTreeMap::new();
    let before = problems.len();
    let mut open = vec![&*property.formula];
    while let Some(part) = open.pop() {
        open.extend(part.parts().into_iter().rev());
        let FormulaNode::Atom(atom) = &part.node else { continue };
        match atom {
            Atom::Event(pattern) => {
                if let Some(events) = events::meant(ensemble, pattern, part.place, problems) {
                    atoms.insert(atom.clone(), AtomMeaning::Events(events));
                }
            }
            Atom::Exactly(word) => problems.extend(events::unknown(ensemble, word)),
            Atom::Name(word) if events::is_event(ensemble, &word.text) => {
                atoms.insert(atom.clone(), AtomMeaning::Events(events::called(ensemble, &word.text)));
            }
            Atom::Start | Atom::End => {}
            Atom::In(..) | Atom::Data(_) | Atom::Name(_) => {
                match term(ensemble, atom, part.place, Manner::Exact) {
                    Ok(term) => {
                        problems.extend(idle(ensemble, atom, term, part.place));
                        atoms.insert(atom.clone(), AtomMeaning::Holds(term));
                    }
                    Err(problem) => problems.push(*problem),
                }
            }
        }
    }
    match problems[before..].iter().any(|problem| problem.severity == Severity::Error) {
        false => Ok(atoms),
        true => Err(Reason::BrokenQuestion),
    }
}

/// The predicate of an atom about states and values.
pub(crate) fn term(
    ensemble: &mut Ensemble<'_>,
    atom: &Atom,
    place: Place,
    manner: Manner,
) -> Result<TermId, Box<Diagnostic>> {
    let expression = match atom {
        Atom::Name(word) => Expression::Name(word.text.split('.').map(str::to_owned).collect()),
        Atom::In(object, state) => {
            let name = |word: &FormulaWord| Expression::Name(vec![word.text.clone()]);
            Expression::Call(vec!["in".to_owned()], vec![name(object), name(state)])
        }
        Atom::Data(expression) => expression.clone(),
        Atom::Event(_) | Atom::Exactly(_) | Atom::Start | Atom::End => Expression::Bool(false),
    };
    let model = ensemble.model.clone();
    ensemble.objects.predicate(&model, &[], &expression, manner).map_err(|unfit| {
        if let Unfit::Unknown(name) = &unfit
            && let Some(problem) = ambiguous(ensemble, &name.to_string(), place)
        {
            return Box::new(problem);
        }
        let (message, hint) = match (&unfit, atom) {
            (Unfit::Unknown(_), Atom::In(object, state)) => {
                unknown(ensemble, Some(&object.text), &state.text)
            }
            (Unfit::Unknown(name), _) => {
                let name = name.to_string();
                let (object, word) =
                    name.split_once('.').map_or((None, &*name), |(one, other)| (Some(one), other));
                match message(ensemble, word, manner).filter(|_| object.is_none()) {
                    Some(hint) => (format!("no object has a state or attribute `{word}`"), hint),
                    None => unknown(ensemble, object, word),
                }
            }
            (Unfit::Mismatch(why), _) => (why.clone(), objects(ensemble)),
        };
        Box::new(Diagnostic::new(Code::UnknownInFormula, place.0, message).hint(hint))
    })
}

/// What is wrong with a word that no object knows, perhaps of a named object, and what may be meant.
fn unknown(ensemble: &Ensemble<'_>, object: Option<&str>, word: &str) -> (String, String) {
    let all = &ensemble.objects.structure.objects;
    let names =
        |ids: &[InstanceId]| -> BTreeSet<String> { ids.iter().flat_map(|id| words(ensemble, *id)).collect() };
    match object.map(|name| (name, ensemble.objects.called(name))) {
        Some((name, None)) => {
            let near = nearest(name, all.iter().map(|object| object.name.as_str()));
            let hint = near.map(|near| format!("did you mean `{near}`?"));
            (format!("no object is called `{name}`"), hint.unwrap_or_else(|| objects(ensemble)))
        }
        Some((name, Some(id))) => {
            let known = names(&[id]);
            let listed: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
            let hint =
                nearest(word, known.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
            let message = format!("`{name}` has no state or attribute `{word}`");
            (message, hint.unwrap_or_else(|| format!("`{name}` has {}", listed.join(", "))))
        }
        None => {
            let ids: Vec<InstanceId> = all.ids().collect();
            let known = names(&ids);
            let hint =
                nearest(word, known.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
            (
                format!("no object has a state or attribute `{word}`"),
                hint.unwrap_or_else(|| objects(ensemble)),
            )
        }
    }
}

/// How to ask about a message, where a word without more is one.
fn message(ensemble: &Ensemble<'_>, word: &str, manner: Manner) -> Option<String> {
    let mut machines = ensemble.model.machines.iter();
    let is_message = machines.any(|machine| {
        machine.triggers().any(|name| name == word) || machine.sends().any(|send| send.name == word)
    });
    is_message.then(|| match manner {
        Manner::Exact => format!("it is a message: write `sent({word})` or `received({word})`"),
        Manner::Goal => format!(
            "it is a message, and a goal is about states and values; `sequent check --ltl 'F received({word})'` asks about it"
        ),
    })
}

/// The objects there are.
fn objects(ensemble: &Ensemble<'_>) -> String {
    let objects = ensemble.objects.structure.objects.iter();
    let names: Vec<String> = objects.map(|object| format!("`{}`", object.name)).collect();
    format!("the objects are {}", names.join(", "))
}

/// The states and attributes of an object.
fn words(ensemble: &Ensemble<'_>, object: InstanceId) -> Vec<String> {
    let machine = ensemble.objects.machine(&ensemble.model, object);
    let states = machine.into_iter().flat_map(|machine| machine.vertices.iter());
    let states = states.filter(|vertex| matches!(vertex.kind, VertexKind::State(_)));
    let attributes = ensemble.objects.attributes(object).map(|(name, _)| name.to_string());
    states.map(|vertex| vertex.name.clone()).chain(attributes).collect()
}

/// What is wrong with a name that several objects know.
pub(crate) fn ambiguous(ensemble: &mut Ensemble<'_>, name: &str, place: Place) -> Option<Diagnostic> {
    let model = ensemble.model.clone();
    let knowing = ensemble.objects.knowing(&model, name);
    if knowing.len() < 2 {
        return None;
    }
    let objects = &ensemble.objects.structure.objects;
    let ways: Vec<String> = knowing.iter().map(|id| format!("`{}.{name}`", objects[*id].name)).collect();
    let message = format!("several objects know `{name}`");
    let diagnostic = Diagnostic::new(Code::UnknownInFormula, place.0, message);
    Some(diagnostic.hint(format!("say whose it is: {}", ways.join(" or "))))
}

/// A comparison that is false for all values that attributes may have; not looked at where these are many.
pub(crate) fn idle(ensemble: &Ensemble<'_>, atom: &Atom, term: TermId, place: Place) -> Option<Diagnostic> {
    const MOST: usize = 512;
    let Atom::Data(_) = atom else { return None };
    let system = &ensemble.objects.system;
    let variables = variables(system, term);
    let configs = valuations(system, &variables, MOST)?;
    if configs.iter().any(|config| system.holds(term, config)) {
        return None;
    }
    let ranges: Vec<String> = variables.iter().map(|id| range(&system.variables[*id])).collect();
    let message = "this can never be true, whatever values the attributes have";
    let diagnostic = Diagnostic::new(Code::IdleAtom, place.0, message);
    Some(if ranges.is_empty() { diagnostic } else { diagnostic.hint(ranges.join(", ")) })
}

fn range(variable: &Variable) -> String {
    format!("`{}` is {}..{}", variable.name, variable.min, variable.max)
}

/// The predicate of a formula about one moment.
pub(crate) fn moment(
    ensemble: &mut Ensemble<'_>,
    formula: &Formula,
    problems: &mut Vec<Diagnostic>,
) -> Option<TermId> {
    use sequent_kernel::formula::{Binary, Unary};
    let both = |ensemble: &mut Ensemble<'_>, left, right, problems: &mut Vec<Diagnostic>| {
        let (left, right) = (moment(ensemble, left, problems), moment(ensemble, right, problems));
        left.zip(right)
    };
    match &formula.node {
        FormulaNode::Constant(value) => Some(ensemble.objects.system.terms.truth(*value)),
        FormulaNode::Atom(atom) => match term(ensemble, atom, formula.place, Manner::Goal) {
            Ok(term) => {
                problems.extend(idle(ensemble, atom, term, formula.place));
                Some(term)
            }
            Err(problem) => {
                problems.push(*problem);
                None
            }
        },
        FormulaNode::Unary(Unary::Not, part) => {
            let part = moment(ensemble, part, problems)?;
            Some(ensemble.objects.system.terms.not(part))
        }
        FormulaNode::Binary(operator, left, right) => {
            let (left, right) = both(ensemble, left, right, problems)?;
            let terms = &mut ensemble.objects.system.terms;
            match operator {
                Binary::And => Some(terms.and([left, right])),
                Binary::Or => Some(terms.or([left, right])),
                Binary::Implies => {
                    let not = terms.not(left);
                    Some(terms.or([not, right]))
                }
                Binary::Iff => Some(terms.equal(left, right)),
                Binary::Until
                | Binary::Release
                | Binary::WeakUntil
                | Binary::StrongRelease
                | Binary::Since
                | Binary::Trigger => None,
            }
        }
        FormulaNode::Unary(..) => None,
    }
}
