//! Atoms of formulas about objects: which events and predicates they are.

use std::collections::BTreeMap;

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity, nearest};
use sequent_kernel::formula::{Atom, Formula, Node, Word};
use sequent_kernel::model::{Expression, Property, VertexKind};
use sequent_kernel::property::ltl::Meaning;
use sequent_kernel::semantics::objects::{Manner, Unfit};
use sequent_kernel::source::Place;
use sequent_kernel::system::{TermId, Variable};
use sequent_kernel::verdict::Reason;

use super::{Ensemble, events, valuations, variables};

/// What the atoms of a formula mean; what is wrong with them is told.
pub fn atoms(
    ensemble: &mut Ensemble<'_>,
    property: &Property,
    problems: &mut Vec<Diagnostic>,
) -> Result<BTreeMap<Atom, Meaning>, Reason> {
    let mut atoms = BTreeMap::new();
    let before = problems.len();
    let mut open = vec![&*property.formula];
    while let Some(part) = open.pop() {
        open.extend(part.parts().into_iter().rev());
        let Node::Atom(atom) = &part.node else { continue };
        match atom {
            Atom::Event(pattern) => {
                if let Some(events) = events::meant(ensemble, pattern, part.place, problems) {
                    atoms.insert(atom.clone(), Meaning::Events(events));
                }
            }
            Atom::Exactly(word) => problems.extend(events::unknown(ensemble, word)),
            Atom::Name(word) if events::is_event(ensemble, &word.text) => {
                atoms.insert(atom.clone(), Meaning::Events(events::called(ensemble, &word.text)));
            }
            Atom::Start | Atom::End => {}
            Atom::In(..) | Atom::Data(_) | Atom::Name(_) => {
                match term(ensemble, atom, part.place, Manner::Exact) {
                    Ok(term) => {
                        problems.extend(idle(ensemble, atom, term, part.place));
                        atoms.insert(atom.clone(), Meaning::Holds(term));
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
pub fn term(
    ensemble: &mut Ensemble<'_>,
    atom: &Atom,
    place: Place,
    manner: Manner,
) -> Result<TermId, Box<Diagnostic>> {
    let expression = match atom {
        Atom::Name(word) => Expression::Name(word.text.split('.').map(str::to_owned).collect()),
        Atom::In(object, state) => {
            let name = |word: &Word| Expression::Name(vec![word.text.clone()]);
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
        let message = match (&unfit, atom) {
            (Unfit::Unknown(_), Atom::In(object, state)) => match ensemble.objects.called(&object.text) {
                Some(_) => format!("`{}` has no state `{}`", object.text, state.text),
                None => format!("no object is called `{}`", object.text),
            },
            (Unfit::Unknown(name), _) => format!("no object knows `{name}`"),
            (Unfit::Mismatch(why), _) => why.clone(),
        };
        let diagnostic = Diagnostic::new(Code::UnknownInFormula, place.0, message);
        Box::new(diagnostic.hint(known(ensemble, atom)))
    })
}

/// What is wrong with a name that several objects know.
pub fn ambiguous(ensemble: &mut Ensemble<'_>, name: &str, place: Place) -> Option<Diagnostic> {
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
pub fn idle(ensemble: &Ensemble<'_>, atom: &Atom, term: TermId, place: Place) -> Option<Diagnostic> {
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

/// What is known instead of a word.
fn known(ensemble: &Ensemble<'_>, atom: &Atom) -> String {
    let first = match atom {
        Atom::In(object, _) => object.text.clone(),
        Atom::Name(word) => word.text.split('.').next().unwrap_or_default().to_owned(),
        Atom::Data(_) | Atom::Event(_) | Atom::Exactly(_) | Atom::Start | Atom::End => String::new(),
    };
    let objects = || ensemble.objects.structure.objects.iter().map(|object| object.name.as_str());
    match ensemble.objects.called(&first) {
        Some(object) => {
            let machine = ensemble.objects.machine(&ensemble.model, object);
            let states = machine.into_iter().flat_map(|machine| machine.vertices.iter());
            let states = states.filter(|vertex| matches!(vertex.kind, VertexKind::State(_)));
            let states: Vec<&str> = states.map(|vertex| vertex.name.as_str()).collect();
            let attributes = ensemble.objects.attributes(object).map(|(name, _)| name);
            let all: Vec<String> =
                states.into_iter().chain(attributes).map(|name| format!("`{name}`")).collect();
            format!("`{first}` knows {}", all.join(", "))
        }
        None => {
            match Some(&first).filter(|first| !first.is_empty()).and_then(|first| nearest(first, objects())) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    let all: Vec<String> = objects().map(|name| format!("`{name}`")).collect();
                    format!("the objects are {}", all.join(", "))
                }
            }
        }
    }
}

/// The predicate of a formula about one moment.
pub fn moment(
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
        Node::Constant(value) => Some(ensemble.objects.system.terms.truth(*value)),
        Node::Atom(atom) => match term(ensemble, atom, formula.place, Manner::Goal) {
            Ok(term) => {
                problems.extend(idle(ensemble, atom, term, formula.place));
                Some(term)
            }
            Err(problem) => {
                problems.push(*problem);
                None
            }
        },
        Node::Unary(Unary::Not, part) => {
            let part = moment(ensemble, part, problems)?;
            Some(ensemble.objects.system.terms.not(part))
        }
        Node::Binary(operator, left, right) => {
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
        Node::Unary(..) => None,
    }
}
