//! Small systems written down state by state, and scenarios asked about them.

use std::collections::BTreeSet;

use sequent_engine::graph::StateGraph;
use sequent_engine::origins::Origins;
use sequent_engine::packed::Program;
use sequent_engine::property::{PropertyFinding, find, find_from};
use sequent_engine::search::{Limits, SearchAnswer, unwatched};
use sequent_kernel::id::Id;
use sequent_kernel::model::{Alphabet, Anchor, Condition, InteractionId, Model, Quantifier};
use sequent_kernel::property::scenario::data::{ConditionLifelines, ScenarioData, data};
use sequent_kernel::property::scenario::{
    Forever, FoundObserver, Missed, Never, SearchedSystem, SoughtScenario, Whenever,
};
use sequent_kernel::property::{AssertGoal, Observer};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::semantics::objects::Sense;
use sequent_kernel::source::{FileId, Place, Span};
use sequent_kernel::system::{
    ComponentId, Endless, Event, EventId, EventKind, Join, Rule, System, TermId, Terms, Variable, VariableId,
};

/// A transition system: from where, what is seen (nothing if the text is empty, several events parted by `+`, or by `&` if no
/// scenario begins or ends between them), where to.
pub(crate) type Edges = Vec<(usize, String, usize)>;

/// Edges as they are written.
pub(crate) fn edges(edges: &[(usize, &str, usize)]) -> Edges {
    edges.iter().map(|(from, text, to)| (*from, (*text).to_owned(), *to)).collect()
}

/// The system of some edges; it begins in state 0. Every run counts.
pub(crate) fn system(edges: &Edges) -> System {
    let mut system = System::bare(Terms::default());
    let most = edges.iter().flat_map(|(from, _, to)| [*from, *to]).max().unwrap_or(0);
    let at = system.variables.push(Variable::new("at", 0, most as i32, 0));
    let mut owner =
        |system: &mut System, name: &str| match system.components.iter().position(|one| one == name) {
            Some(known) => ComponentId::from_index(known),
            None => system.components.push(name.to_owned()),
        };
    let actor = owner(&mut system, "the system");
    for (from, text, to) in edges {
        let guard = system.terms.is(at, *from as i32);
        let target = system.terms.constant(*to as i32);
        // Further events are shown by rules that listen to the first.
        let mut events: Vec<EventId> = Vec::new();
        let whole: Vec<&str> = text.split('&').collect();
        for (number, part) in whole.iter().enumerate() {
            let goes_on = number + 1 < whole.len();
            for text in part.split('+').filter(|text| !text.is_empty()) {
                events.push(event(&mut system, &mut owner, (text, goes_on)));
            }
        }
        let place = Place(Span::new(FileId::from_index(0), 0, 0));
        let (first, more) = (events.first().copied(), events.get(1..).unwrap_or_default());
        let updates = vec![(at, target)];
        let rule =
            Rule { component: actor, guard, event: first, updates, join: Join::Alone, urgent: false, place };
        system.rules.push(rule.clone());
        for (number, event) in more.iter().enumerate() {
            let component = owner(&mut system, &format!("ear {number}"));
            let join = Join::Listen(first.expect("there is one before"));
            system.rules.push(Rule {
                component,
                event: Some(*event),
                updates: Vec::new(),
                join,
                ..rule.clone()
            });
        }
    }
    system.complete = system.terms.truth(false);
    system.endless = Some(Endless::default());
    system
}

fn event(
    system: &mut System,
    owner: &mut impl FnMut(&mut System, &str) -> ComponentId,
    (text, goes_on): (&str, bool),
) -> EventId {
    let is_known = |event: &Event| event.text == text && event.goes_on == goes_on;
    if let Some(known) = system.events.iter().position(is_known) {
        return EventId::from_index(known);
    }
    let kind = match text.chars().next() {
        Some('!') => EventKind::Send,
        Some('?') => EventKind::Receive,
        Some('x') if text.starts_with("x:") => EventKind::Termination,
        _ => EventKind::Rendezvous,
    };
    let bare = text.trim_start_matches(['!', '?']);
    let (ends, message) = bare.split_once(':').expect("an event has a message");
    let (from, to) = ends.split_once("->").unwrap_or((message, ""));
    let mut end = |name: &str| (!name.is_empty()).then(|| owner(system, name));
    let event = match (kind, end(from), end(to)) {
        (EventKind::Termination, Some(own), _) => Event::termination(own, from),
        (_, sender, receiver) => {
            let (name, arguments) = parted(message);
            Event::of_message(kind, (sender, from), (receiver, to), name, arguments)
        }
    };
    assert_eq!(event.text, text);
    system.events.push(Event { goes_on, ..event })
}

/// The name of a message and its arguments.
fn parted(message: &str) -> (&str, Option<Vec<String>>) {
    match message.split_once('(') {
        Some((name, rest)) => {
            (name, Some(rest.trim_end_matches(')').split(',').map(str::to_owned).collect()))
        }
        None => (message, None),
    }
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Asked {
    pub quantifier: Quantifier,
    pub anchor: Anchor,
    pub alphabet: Alphabet,
    pub within: Option<u32>,
}

/// Whether the answer is yes. Names in conditions are states: `s3`. Objects that begin with `e` are environment.
pub(crate) fn holds(model: &Model, system: &System, asked: Asked) -> bool {
    let mut system = system.clone();
    let found = conditions(model, &mut system);
    let environment: BTreeSet<ComponentId> =
        system.components.enumerate().filter(|(_, name)| name.starts_with('e')).map(|(id, _)| id).collect();
    let plays = |name: &str| {
        let mut known = system.components.enumerate().filter(|(_, known)| *known == name);
        known.next().map(|(id, _)| id)
    };
    let parameters = |_: &Event| vec!["ok".to_owned()];
    let stage =
        SearchedSystem { system: &system, environment: &environment, plays: &plays, parameters: &parameters };
    let bounded = asked.within.is_some() && asked.quantifier != Quantifier::Required;
    let anchor = if bounded { Anchor::Start } else { asked.anchor };
    let assumptions = Assumptions::default();
    let first = InteractionId::from_index(0);
    let prepare = match asked.quantifier {
        Quantifier::Possible | Quantifier::Forbidden | Quantifier::Required => SoughtScenario::new,
        Quantifier::Whenever => SoughtScenario::conditional,
    };
    let scenario = prepare(model, first, &stage, (anchor, asked.alphabet), &found, &assumptions)
        .expect("every construct is followed");
    let scenario = match asked.quantifier {
        Quantifier::Possible | Quantifier::Forbidden => scenario,
        Quantifier::Required | Quantifier::Whenever => scenario.of_every_run(),
    };
    let (found, forever) = (FoundObserver { scenario: &scenario }, Forever { scenario: &scenario });
    let within = asked.within.filter(|_| asked.anchor == Anchor::Anywhere);
    match asked.quantifier {
        Quantifier::Possible | Quantifier::Forbidden => {
            let steps = if asked.anchor == Anchor::Start { 0 } else { asked.within.unwrap_or(0) };
            let is_found =
                runs(&system, &found, steps) || scenario.is_endless() && runs(&system, &forever, steps);
            is_found == (asked.quantifier == Quantifier::Possible)
        }
        Quantifier::Whenever => {
            assert!(scenario.is_conditional(), "there is something above the `assert`");
            !runs(&system, &Whenever { scenario: &scenario, quest: AssertGoal::Violation }, 0)
        }
        Quantifier::Required => {
            let missed = found_run(&system, &Missed { scenario: &scenario, within }, 0);
            // A run that ends has nothing that goes on.
            if missed.as_ref().is_none_or(|run| run.cycle.is_none()) || !scenario.is_endless() {
                return missed.is_none();
            }
            let never = Never::new(&scenario, within);
            let never_matched = runs(&system, &never, 0);
            assert!(never_matched || never.is_exact(), "it is small");
            !never_matched
        }
    }
}

fn conditions(model: &Model, system: &mut System) -> ScenarioData {
    let mut sense = |condition: &Condition, _: &ConditionLifelines<'_>| -> Result<Sense, String> {
        let number: Option<i32> = condition.text.trim().strip_prefix('s').and_then(|text| text.parse().ok());
        let term = |number| system.terms.is(VariableId::from_index(0), number);
        Ok(number.map(term).map_or(Sense::Nothing, |term: TermId| Sense::Holds(term)))
    };
    data(model, InteractionId::from_index(0), &mut sense).expect("every condition is one")
}

fn runs<O: Observer>(system: &System, observer: &O, steps: u32) -> bool {
    found_run(system, observer, steps).is_some()
}

/// A run that is accepted and begins to be read after at most so many steps, replayed.
fn found_run<O: Observer>(system: &System, observer: &O, steps: u32) -> Option<Run> {
    let program = Program::new(system);
    let mut graph = StateGraph::new(&program);
    let PropertyFinding { answer, .. } = match steps {
        0 => find(&mut graph, observer, &Limits::default(), &unwatched),
        steps => {
            let origins = Origins::within(&mut graph, steps, 1_000).expect("it is small");
            find_from(&mut graph, &origins, observer, &Limits::default(), &unwatched)
        }
    };
    match answer {
        SearchAnswer::Found(run) => {
            replay(system, &run).expect("what is found is a run");
            Some(run)
        }
        SearchAnswer::Exhausted => None,
        SearchAnswer::Stopped(stop) => panic!("it is small: {stop:?}"),
    }
}
