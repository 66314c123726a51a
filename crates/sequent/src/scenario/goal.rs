//! Goals: can some combination of states and values be reached (P4, k-SMREACH)?
//!
//! An ordinary search, breadth first, tells whether, and by how many steps. Under rendezvous length counts transactions, in
//! which steps of different machines happen together: a second search among the states finds the least number.

use std::collections::BTreeSet;

use sequent_engine::contest::QUICK;
use sequent_engine::graph::{Graph, NodeId};
use sequent_engine::packed::Program;
use sequent_engine::sat::bounded::{self, Bounded};
use sequent_engine::sat::encoding::Pace;
use sequent_engine::search::{Answer, Limits, Options, Progress, Quest, Reduction, Search, Watch};
use sequent_engine::transactions::{Reached, Transactions};
use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::formula::{Atom, Binary, Formula, Node, Unary};
use sequent_kernel::id::Id;
use sequent_kernel::model::{
    BinaryOperator, Communication, Expression, Goal, Machine, Model, Property, UnaryOperator, VertexId,
    VertexKind,
};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::objects::{InstanceId, Manner, Objects, lower_objects};
use sequent_kernel::system::{Config, System, TermId, VariableId};
use sequent_kernel::verdict::{Details, Evidence, Proof, Story, Verdict};

use super::company::{valuations, variables};
use super::{Company, Means, Reply, ask, formula};
use crate::behaviour::{ENGINE, Effort, stopped};
use crate::court::Court;
use crate::outside::Wanted;
use crate::posed::{Posed, pace};

/// The predicate of a goal.
pub fn term(
    company: &mut Company<'_>,
    formula: &Formula,
    problems: &mut Vec<Diagnostic>,
) -> Result<TermId, String> {
    formula::moment(company, formula, problems).ok_or_else(|| "the question has errors".to_owned())
}

/// Looks for a goal.
pub fn reach<'a>(
    company: &'a Company<'_>,
    goal: &Goal,
    term: TermId,
    program: &Program<'a>,
    graph: &mut Graph<'a>,
    means: &Means<'_>,
) -> Reply {
    let effort = means.effort;
    let limits = effort.limits_of(company.objects.system.rules.len());
    let system = &company.objects.system;
    let (mut states, mut is_strained) = (0, false);
    let mut look = |most: Option<usize>, watch: Watch<'_>| {
        let limits = Limits { states: most.unwrap_or(usize::MAX).min(limits.states), ..limits };
        let options = Options { reduction: Reduction::None, limits, threads: effort.threads };
        let search = Search::run(program, Quest::Goal(term), &options, watch);
        (states, is_strained) = (search.progress.states, search.is_strained);
        (search.answer, search.is_strained)
    };
    let pace = pace(company.objects.communication);
    let bound = goal.within.map(|within| within as usize);
    let posed = Posed { pace, within: bound, ..Posed::new(system, Wanted::Goal(term)) };
    let answer = effort.decide(&posed, &mut look);
    is_strained |= effort.court.is_some_and(Court::is_strained);
    let details = Details { bound: goal.within, ..Details::default() };
    let reply = |verdict, length: Option<usize>| Reply {
        verdict,
        vacuous: None,
        engine: ENGINE,
        states,
        details: Details { length, ..details.clone() },
    };
    let is_open = is_strained || matches!(answer, Answer::Stopped(_));
    let run = match answer {
        Answer::Found(run) => run,
        Answer::Exhausted | Answer::Stopped(_) if is_open && excludes_itself(company, term) => {
            return reply(Verdict::Fails(Evidence::Inductive(Box::new(alone()))), None);
        }
        Answer::Exhausted => {
            let broken = is_strained.then(|| ask::broken(company, program, effort)).flatten();
            let verdict = broken.map_or(Verdict::Fails(Evidence::Exhaustive), Verdict::Unknown);
            return reply(verdict, None);
        }
        Answer::Stopped(stop) => return reply(Verdict::Unknown(stopped(stop, states)), None),
    };
    // More than one step may happen in a transaction, so there are never more transactions than steps.
    let steps = run.steps.len();
    let least = match company.objects.communication {
        Communication::Queue | Communication::Bag if effort.court.is_none_or(Court::is_shortest) => {
            Least::Known(run.clone(), steps)
        }
        Communication::Queue | Communication::Bag => fewest(system, (term, pace), (bound, steps), effort),
        Communication::Rendezvous => {
            let is_wanted = &mut |graph: &mut Graph<'_>, node: NodeId| graph.holds(term, node);
            let counts = |component| company.is_machine(component);
            // Where a solver was quicker than a search of the states, it is so with transactions too.
            let most = if states < QUICK { MOST.min(limits.states) } else { 0 };
            let transactions = Transactions::new(&counts, most, effort.watch);
            match transactions.nearest(graph, None, is_wanted) {
                Ok(Some(Reached { distance, steps, .. })) => {
                    Least::Known(Run { steps, cycle: None }, distance as usize)
                }
                Ok(None) | Err(_) => fewest(system, (term, pace), (bound, steps), effort),
            }
        }
    };
    let (length, run, is_beyond) = match least {
        Least::Known(run, length) => (Some(length), run, bound.is_some_and(|bound| length > bound)),
        Least::Beyond => (None, run, true),
        Least::Uncounted => (None, run, false),
    };
    if replay(&company.objects.system, &run).is_err() {
        return reply(Verdict::Unknown("the run that was found could not be replayed".to_owned()), None);
    }
    let told = Box::new(told(company, goal, &run, length));
    match (bound, length) {
        _ if is_beyond => reply(Verdict::Fails(Evidence::Attempt(told)), length),
        (Some(within), None) if steps > within => {
            let reason = "it is reachable, but the fewest steps that lead there were not counted".to_owned();
            reply(Verdict::Unknown(reason), None)
        }
        (_, length) => reply(Verdict::Holds(Evidence::Run(told)), length),
    }
}

/// Whether no object can ever be as a goal wants it, whatever happens: nobody is in two states of a region at once, nor in a
/// state without being in those around it. So much is known also where runs break off. Of values nothing is: a run that breaks
/// off may do so because one is about to leave its range.
fn excludes_itself(company: &Company<'_>, goal: TermId) -> bool {
    const MOST: usize = 10_000;
    let system = &company.objects.system;
    let nesting = company.objects.nesting(&company.model);
    let mut named = variables(system, goal);
    let states = company.objects.legend(&company.model);
    if !named.iter().all(|variable| states.contains_key(variable)) {
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

fn alone() -> Proof {
    let words = "an object is in one state of a region at a time, and in those around it".to_owned();
    Proof { words, ..Proof::default() }
}

/// The fewest transactions or steps to a goal that is known to be reachable.
enum Least {
    /// So many, in this run.
    Known(Run, usize),
    /// More than the question allows.
    Beyond,
    /// Nobody has counted them.
    Uncounted,
}

/// The fewest transactions or steps, as a solver counts them: within the bound of the question first, and no more than so many.
fn fewest(
    system: &System,
    goal: (TermId, Pace),
    (bound, most): (Option<usize>, usize),
    effort: &Effort<'_>,
) -> Least {
    let patience = |_| (effort.watch)(&Progress::default());
    let near = bound.filter(|bound| *bound < most);
    let mut is_beyond = false;
    for most in near.into_iter().chain([most]) {
        match bounded::fewest(system, goal, most, &patience) {
            Ok(Bounded::Found(run, length)) => return Least::Known(run, length),
            Ok(Bounded::Nothing(_) | Bounded::Proved(_)) => is_beyond = bound.is_some(),
            Ok(Bounded::Stopped(_)) | Err(_) => break,
        }
    }
    if is_beyond { Least::Beyond } else { Least::Uncounted }
}

/// More ways than this are not kept on the way to the least number of transactions.
const MOST: usize = 2_000_000;

fn told(company: &Company<'_>, goal: &Goal, run: &Run, length: Option<usize>) -> Story {
    let Some(length) = length else {
        let because = vec![format!("{}; how few steps would do was not counted", goal.goal.text)];
        return company.tell(None, run, BTreeSet::new(), because);
    };
    let unit = match (company.objects.communication, length) {
        (Communication::Rendezvous, 1) => "transaction",
        (Communication::Rendezvous, _) => "transactions",
        (Communication::Queue | Communication::Bag, 1) => "step",
        (Communication::Queue | Communication::Bag, _) => "steps",
    };
    let because = vec![format!("{} after {length} {unit}, and not before", goal.goal.text)];
    company.tell(None, run, BTreeSet::new(), because)
}

/// The objects as they begin in a given state: those that it mentions are in the states and have the values it says, all
/// others begin as ever. What is wrong with the state is told.
pub fn from(
    company: &mut Company<'_>,
    from: &Property,
    problems: &mut Vec<Diagnostic>,
) -> Result<(Model, Objects), String> {
    let mut model = company.model.clone().into_owned();
    let mut structure = company.objects.structure.clone();
    let mut placed: BTreeSet<InstanceId> = BTreeSet::new();
    for part in conjuncts(&from.formula) {
        let refuse = |problem: Diagnostic, problems: &mut Vec<Diagnostic>| {
            problems.push(problem);
            "the question has errors".to_owned()
        };
        let claim = claim(company, part).map_err(|problem| refuse(*problem, problems))?;
        let Claim { object, name, value } = claim;
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
    let settings = sequent_kernel::model::SystemSettings {
        communication: Some(company.objects.communication),
        ..company.model.system.clone()
    };
    let objects = lower_objects(&model, &structure, &settings)
        .map_err(|unsupported| format!("{} is not run", unsupported.what))?;
    Ok((model, objects))
}

fn wrong(part: &Formula, message: String) -> Diagnostic {
    Diagnostic::new(Code::UnknownInFormula, part.place.0, message)
}

fn conjuncts(formula: &Formula) -> Vec<&Formula> {
    match &formula.node {
        Node::Binary(Binary::And, left, right) => {
            conjuncts(left).into_iter().chain(conjuncts(right)).collect()
        }
        Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => vec![formula],
    }
}

/// An object and its state, or its attribute and the value.
struct Claim {
    object: InstanceId,
    name: String,
    value: Option<String>,
}

fn claim(company: &mut Company<'_>, formula: &Formula) -> Result<Claim, Box<Diagnostic>> {
    // What makes no sense as a goal makes none here either, and is told in the same words.
    let checked = |company: &mut Company<'_>, atom: &Atom| {
        let term = formula::term(company, atom, formula.place, Manner::Exact)?;
        let idle = formula::idle(company, atom, term, formula.place);
        idle.map_or(Ok(()), |idle| {
            Err(Box::new(Diagnostic { code: Code::UnknownInFormula, severity: Severity::Error, ..idle }))
        })
    };
    let (atom, is_true) = match &formula.node {
        Node::Atom(atom) => (atom, true),
        Node::Unary(Unary::Not, part) => match &part.node {
            Node::Atom(atom @ Atom::Name(_)) => (atom, false),
            Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => {
                return Err(Box::new(no_state(formula)));
            }
        },
        Node::Constant(_) | Node::Unary(..) | Node::Binary(..) => return Err(Box::new(no_state(formula))),
    };
    match atom {
        Atom::In(..) | Atom::Name(_) | Atom::Data(_) => checked(company, atom)?,
        Atom::Event(_) | Atom::Exactly(_) | Atom::Start | Atom::End => {}
    }
    said(company, atom, is_true).ok_or_else(|| Box::new(no_state(formula)))
}

fn no_state(formula: &Formula) -> Diagnostic {
    let message = "this does not say in which state to begin".to_owned();
    wrong(formula, message).hint("states and values, joined by `&`: `a.Idle & b.tries = 2 & !b.open`")
}

/// What an atom says of one object.
fn said(company: &mut Company<'_>, atom: &Atom, is_true: bool) -> Option<Claim> {
    match atom {
        Atom::In(object, state) => {
            let object = company.objects.called(&object.text)?;
            Some(Claim { object, name: state.text.clone(), value: None })
        }
        Atom::Name(word) => {
            let (object, name) = owned(company, &word.text)?;
            let is_attribute = company.objects.attributes(object).any(|(known, _)| known == name);
            let value = is_attribute.then(|| is_true.to_string());
            (is_attribute || is_true).then_some(Claim { object, name, value })
        }
        Atom::Data(Expression::Binary(BinaryOperator::Equal, left, right)) => {
            let named = |company: &mut Company<'_>, side: &Expression| match side {
                Expression::Name(path) => {
                    let (object, name) = owned(company, &path.join("."))?;
                    let is_own = company.objects.attributes(object).any(|(known, _)| known == name);
                    is_own.then_some((object, name))
                }
                Expression::Bool(_)
                | Expression::Int(_)
                | Expression::Text(_)
                | Expression::Unary(..)
                | Expression::Binary(..)
                | Expression::Call(..) => None,
            };
            let (found, other) = match named(company, left) {
                Some(found) => (Some(found), right),
                None => (named(company, right), left),
            };
            let (object, name) = found?;
            Some(Claim { object, name, value: Some(constant(other)?) })
        }
        Atom::Data(_) | Atom::Event(_) | Atom::Exactly(_) | Atom::Start | Atom::End => None,
    }
}

/// The object of a name, `a.Idle` or what only one object knows, and the name without it.
fn owned(company: &mut Company<'_>, text: &str) -> Option<(InstanceId, String)> {
    if let Some((first, rest)) = text.split_once('.')
        && let Some(object) = company.objects.called(first)
    {
        return Some((object, rest.to_owned()));
    }
    let model = company.model.clone();
    match company.objects.knowing(&model, text).as_slice() {
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
