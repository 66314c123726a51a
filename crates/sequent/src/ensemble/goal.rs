//! Goals: where objects begin, and goals that no state of an object fits.

use std::collections::BTreeSet;

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::formula::{Atom, Binary, Formula, FormulaNode, Unary};
use sequent_kernel::id::Id;
use sequent_kernel::model::{
    BinaryOperator, Expression, Machine, Model, Property, SystemSettings, UnaryOperator, VertexId, VertexKind,
};
use sequent_kernel::semantics::objects::{InstanceId, Manner, Objects, PLAIN_INT, lower_objects};
use sequent_kernel::system::{Config, TermId, Variable, VariableId};
use sequent_kernel::verdict::Reason;

use super::{Ensemble, atoms, valuations, variables};

/// Whether a goal contradicts itself, whatever happens: an object is never in two states of a region at once,
/// nor in a state without being in those around it, and its values lie in their ranges. That holds even where runs are truncated. Values of an `int`
/// without range are not considered: a run may be truncated because one is about to leave the range that it has for want of another.
pub(crate) fn excludes_itself(ensemble: &Ensemble<'_>, goal: TermId) -> bool {
    const MOST: usize = 10_000;
    let system = &ensemble.objects.system;
    let nesting = ensemble.objects.nesting(&ensemble.model);
    let mut named = variables(system, goal);
    let states = ensemble.objects.legend(&ensemble.model);
    let is_plain = |variable: &VariableId| {
        let Variable { min, max, .. } = &system.variables[*variable];
        (*min, *max) == PLAIN_INT
    };
    if named.iter().any(|variable| !states.contains_key(variable) && is_plain(variable)) {
        return false;
    }
    let mut open: Vec<VariableId> = named.iter().copied().collect();
    while let Some(inside) = open.pop() {
        let around = nesting.iter().filter(|(known, _)| *known == inside).map(|(_, (around, _))| *around);
        open.extend(around.filter(|around| named.insert(*around)));
    }
    let fits = |config: &Config| {
        let now = |variable: VariableId| config.0[variable.index()];
        let mut known =
            nesting.iter().filter(|(inside, (around, _))| named.contains(inside) && named.contains(around));
        known.all(|(inside, (around, value))| now(*inside) == 0 || now(*around) == *value)
    };
    let configs = valuations(system, &named, MOST);
    configs.is_some_and(|all| !all.iter().any(|config| fits(config) && system.holds(goal, config)))
}

/// The objects as they begin in a given state: those that it mentions are in the states and have the values
/// it says, all others begin as usual. Adds mistakes in the state to `problems`.
pub(crate) fn from(
    ensemble: &mut Ensemble<'_>,
    from: &Property,
    problems: &mut Vec<Diagnostic>,
) -> Result<(Model, Objects), Reason> {
    let mut model = ensemble.model.clone().into_owned();
    let mut structure = ensemble.objects.structure.clone();
    let mut placed: BTreeSet<InstanceId> = BTreeSet::new();
    for part in conjuncts(&from.formula) {
        let refuse = |problem: Diagnostic, problems: &mut Vec<Diagnostic>| {
            problems.push(problem);
            Reason::BrokenQuestion
        };
        let claim = claim(ensemble, part).map_err(|problem| refuse(*problem, problems))?;
        let GoalConjunct { object, name, value } = claim;
        if let Some(value) = value {
            structure.objects[object].values.push((name, value));
            continue;
        }
        let owner = structure.objects[object].name.clone();
        let own =
            structure.objects[object].machine.and_then(|machine| placed_in(&model.machines[machine], &name));
        let Some(own) = own else {
            let message = format!("`{owner}` cannot begin in `{name}`");
            return Err(refuse(wrong(part, message), problems));
        };
        if !placed.insert(object) {
            let message = format!("`{owner}` begins in two states");
            return Err(refuse(wrong(part, message), problems));
        }
        structure.objects[object].machine = Some(model.machines.push(own));
    }
    let settings = SystemSettings {
        communication: Some(ensemble.objects.communication),
        ..ensemble.model.system.clone()
    };
    let objects = lower_objects(&model, &structure, &settings)
        .map_err(|unsupported| Reason::NotRun(unsupported.what))?;
    Ok((model, objects))
}

fn wrong(part: &Formula, message: String) -> Diagnostic {
    Diagnostic::new(Code::UnknownInFormula, part.place.0, message)
}

fn conjuncts(formula: &Formula) -> Vec<&Formula> {
    match &formula.node {
        FormulaNode::Binary(Binary::And, left, right) => {
            conjuncts(left).into_iter().chain(conjuncts(right)).collect()
        }
        FormulaNode::Constant(_)
        | FormulaNode::Atom(_)
        | FormulaNode::Unary(..)
        | FormulaNode::Binary(..) => vec![formula],
    }
}

/// An object and its state, or its attribute and the value.
struct GoalConjunct {
    object: InstanceId,
    name: String,
    value: Option<String>,
}

fn claim(ensemble: &mut Ensemble<'_>, formula: &Formula) -> Result<GoalConjunct, Box<Diagnostic>> {
    // A claim that is not allowed in a goal is not allowed here either, with the same message.
    let checked = |ensemble: &mut Ensemble<'_>, atom: &Atom| {
        let term = atoms::term(ensemble, atom, formula.place, Manner::Exact)?;
        let idle = atoms::idle(ensemble, atom, term, formula.place);
        idle.map_or(Ok(()), |idle| {
            Err(Box::new(Diagnostic { code: Code::UnknownInFormula, severity: Severity::Error, ..idle }))
        })
    };
    let (atom, is_true) = match &formula.node {
        FormulaNode::Atom(atom) => (atom, true),
        FormulaNode::Unary(Unary::Not, part) => match &part.node {
            FormulaNode::Atom(atom @ Atom::Name(_)) => (atom, false),
            FormulaNode::Constant(_)
            | FormulaNode::Atom(_)
            | FormulaNode::Unary(..)
            | FormulaNode::Binary(..) => {
                return Err(Box::new(no_state(formula)));
            }
        },
        FormulaNode::Constant(_) | FormulaNode::Unary(..) | FormulaNode::Binary(..) => {
            return Err(Box::new(no_state(formula)));
        }
    };
    match atom {
        Atom::In(..) | Atom::Name(_) | Atom::Data(_) => checked(ensemble, atom)?,
        Atom::Event(_) | Atom::Exactly(_) | Atom::Start | Atom::End => {}
    }
    said(ensemble, atom, is_true).ok_or_else(|| Box::new(no_state(formula)))
}

fn no_state(formula: &Formula) -> Diagnostic {
    let message = "this does not say in which state to begin".to_owned();
    wrong(formula, message).hint("states and values, joined by `&`: `a.Idle & b.tries = 2 & !b.open`")
}

/// What an atom says of one object.
fn said(ensemble: &mut Ensemble<'_>, atom: &Atom, is_true: bool) -> Option<GoalConjunct> {
    match atom {
        Atom::In(object, state) => {
            let object = ensemble.objects.called(&object.text)?;
            Some(GoalConjunct { object, name: state.text.clone(), value: None })
        }
        Atom::Name(word) => {
            let (object, name) = owned(ensemble, &word.text)?;
            let is_attribute = ensemble.objects.attributes(object).any(|(known, _)| known == name);
            let value = is_attribute.then(|| is_true.to_string());
            (is_attribute || is_true).then_some(GoalConjunct { object, name, value })
        }
        Atom::Data(Expression::Binary(BinaryOperator::Equal, left, right)) => {
            let named = |ensemble: &mut Ensemble<'_>, side: &Expression| match side {
                Expression::Name(path) => {
                    let (object, name) = owned(ensemble, &path.join("."))?;
                    let is_own = ensemble.objects.attributes(object).any(|(known, _)| known == name);
                    is_own.then_some((object, name))
                }
                Expression::Bool(_)
                | Expression::Int(_)
                | Expression::Text(_)
                | Expression::Unary(..)
                | Expression::Binary(..)
                | Expression::Call(..) => None,
            };
            let (found, other) = match named(ensemble, left) {
                Some(found) => (Some(found), right),
                None => (named(ensemble, right), left),
            };
            let (object, name) = found?;
            Some(GoalConjunct { object, name, value: Some(constant(other)?) })
        }
        Atom::Data(_) | Atom::Event(_) | Atom::Exactly(_) | Atom::Start | Atom::End => None,
    }
}

/// The object of a name, `a.Idle` or what only one object knows, and the name without it.
fn owned(ensemble: &mut Ensemble<'_>, text: &str) -> Option<(InstanceId, String)> {
    if let Some((first, rest)) = text.split_once('.')
        && let Some(object) = ensemble.objects.called(first)
    {
        return Some((object, rest.to_owned()));
    }
    let model = ensemble.model.clone();
    match ensemble.objects.knowing(&model, text).as_slice() {
        [only] => Some((*only, text.to_owned())),
        _ => None,
    }
}

/// A value as object diagrams write it.
fn constant(expression: &Expression) -> Option<String> {
    match expression {
        Expression::Int(value) => Some(value.to_string()),
        Expression::Bool(value) => Some(value.to_string()),
        Expression::Name(path) => Some(path.join(".")),
        Expression::Unary(UnaryOperator::Minus, part) => constant(part).map(|value| format!("-{value}")),
        Expression::Text(_) | Expression::Unary(..) | Expression::Binary(..) | Expression::Call(..) => None,
    }
}

/// A machine that begins in a state: its initial vertex leads there, and does nothing.
fn placed_in(machine: &Machine, state: &str) -> Option<Machine> {
    let mut machine = machine.clone();
    let mut named = machine.vertices.enumerate().filter(|(_, vertex)| {
        (vertex.name == state || vertex.label == state) && matches!(vertex.kind, VertexKind::State(_))
    });
    let (target, _) = named.next()?;
    drop(named);
    let mut top = machine.vertices[target].region;
    while let Some(owner) = machine.regions[top].owner {
        top = machine.vertices[owner].region;
    }
    let initial: VertexId = machine.regions[top]
        .vertices
        .iter()
        .copied()
        .find(|vertex| machine.vertices[*vertex].kind == VertexKind::Initial)?;
    let (start, _) = machine.transitions.enumerate().find(|(_, transition)| transition.source == initial)?;
    let transition = &mut machine.transitions[start];
    transition.target = target;
    transition.effects.clear();
    transition.guard = None;
    Some(machine)
}
