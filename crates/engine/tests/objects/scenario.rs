//! Scenarios on random systems, against the definition (docs/scenarios.md): the words of the diagram are listed, attempts to
//! find them are followed along all runs of the interpreter, one event after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::property::{PropertyFinding, find};
use sequent_engine::quotient::Quotient;
use sequent_engine::search::{Limits, SearchAnswer, unwatched};
use sequent_kernel::id::Id;
use sequent_kernel::model::{Alphabet, Anchor, Condition, InteractionId, Model, Quantifier};
use sequent_kernel::property::Observer;
use sequent_kernel::property::scenario::data::{ConditionLifelines, data};
use sequent_kernel::property::scenario::{FoundObserver, Missed, SearchedSystem, SoughtScenario};
use sequent_kernel::question::{Case as Question, Goal, Watcher};
use sequent_kernel::random::Random;
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::semantics::objects::{Objects, Sense};
use sequent_kernel::system::{ComponentId, Event, System};

use crate::account::Account;
use crate::lister;
use crate::systems::WideCase;

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Asked {
    /// Some, no, every run.
    pub quantifier: Quantifier,
    /// Where it may begin.
    pub anchor: Anchor,
    /// What matters.
    pub alphabet: Alphabet,
}

/// Every combination of the knobs.
pub(crate) fn knobs() -> Vec<Asked> {
    let mut all = Vec::new();
    for quantifier in [Quantifier::Possible, Quantifier::Forbidden, Quantifier::Required] {
        for anchor in [Anchor::Anywhere, Anchor::Start] {
            for alphabet in [Alphabet::All, Alphabet::Own, Alphabet::Channels, Alphabet::OwnObjects] {
                all.push(Asked { quantifier, anchor, alphabet });
            }
        }
    }
    all
}

/// The parts of an event's text: kind, sender, receiver, name, arguments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Parts {
    kind: String,
    from: String,
    to: String,
    name: String,
    arguments: String,
}

fn parts(event: &str) -> Parts {
    let kind: String = event.chars().take_while(|sign| "!?".contains(*sign)).collect();
    let (ends, message) = event[kind.len()..].split_once(':').expect("an event has a message");
    // `x:a` has no message: a ends.
    let (from, to) = ends.split_once("->").unwrap_or((message, message));
    let (name, arguments) = message.split_once('(').unwrap_or((message, ""));
    let [from, to, name, arguments] = [from, to, name, arguments].map(str::to_owned);
    Parts { kind, from, to, name, arguments }
}

/// Whether an event is what a word asks for; arguments that are not given match any.
fn matches(wanted: &Parts, event: &Parts) -> bool {
    let fits = wanted.arguments.is_empty() || wanted.arguments == event.arguments;
    fits && Parts { arguments: String::new(), ..wanted.clone() }
        == Parts { arguments: String::new(), ..event.clone() }
}

/// A diagram of a few messages that the system may send, and some that it does not.
pub(crate) fn diagram(case: &WideCase, account: &Account, numbers: &mut Random) -> Option<String> {
    let events: BTreeSet<&String> = account.steps.iter().flatten().flat_map(|(events, _)| events).collect();
    let messages: BTreeSet<Parts> = events
        .into_iter()
        .filter(|event| !event.starts_with("x:"))
        .map(|event| Parts { kind: String::new(), ..parts(event) })
        .filter(|parts| !parts.from.is_empty() && !parts.to.is_empty() && parts.from != parts.to)
        .collect();
    let messages: Vec<Parts> = messages.into_iter().collect();
    let mut line = || -> Option<String> {
        let mut one = messages.get(numbers.below(messages.len().max(1)))?.clone();
        if numbers.below(6) == 0 {
            one.name = ["m", "n", "k"][numbers.below(3)].to_owned();
            one.arguments.clear();
        }
        if numbers.below(8) == 0 {
            std::mem::swap(&mut one.from, &mut one.to);
        }
        let Parts { from, to, name, arguments, .. } = one;
        let is_given = !arguments.is_empty() && numbers.below(2) == 0;
        let arguments = if is_given { format!("({arguments}") } else { String::new() };
        Some(format!("{from} ->> {to} : {name}{arguments}\n"))
    };
    let text = match line()?.len() % 4 {
        0 => format!("alt\n{}else\n{}{}end\n", line()?, line()?, line()?),
        1 => format!("par\n{}else\n{}end\n", line()?, line()?),
        2 => format!("{}{}{}", line()?, line()?, line()?),
        _ => format!("{}{}", line()?, line()?),
    };
    let declared = case.objects.iter().map(|(name, _)| format!("participant {name}\n"));
    Some(format!("{}{text}", declared.collect::<String>()))
}

/// The words of a diagram as the system shows them; `None` if they are too many.
fn words(model: &Model, case: &WideCase, objects: &Objects) -> Option<Vec<Vec<Parts>>> {
    let bounds = lister::ListingBounds { choices: 100, steps: 100_000, length: 12 };
    let traces = lister::traces(model, &Assumptions::default(), bounds)?.valid;
    let meets = case.communication == sequent_kernel::model::Communication::Rendezvous;
    let is_environment =
        |name: &str| objects.named(name).is_some_and(|id| objects.structure.objects[id].machine.is_none());
    let shown = |word: &Vec<Rc<str>>| -> Option<Vec<Parts>> {
        let mut seen = Vec::new();
        let mut rest = word.iter().map(|event| parts(event)).peekable();
        while let Some(event) = rest.next() {
            match (meets, event.kind.as_str()) {
                (true, "!") => {
                    let receipt = Parts { kind: "?".to_owned(), ..event.clone() };
                    rest.next_if(|next| *next == receipt)?;
                    seen.push(Parts { kind: String::new(), ..event });
                }
                (true, _) => return None,
                // What the environment receives is not seen.
                (false, "?") if is_environment(&event.to) => {}
                (false, _) => seen.push(event),
            }
        }
        Some(seen)
    };
    let words: BTreeSet<Vec<Parts>> = traces.iter().filter_map(shown).collect();
    Some(words.into_iter().collect())
}

/// Whether an event matters.
fn matters(drawn: &BTreeSet<Parts>, lifelines: &BTreeSet<String>, event: &Parts, alphabet: Alphabet) -> bool {
    // Objects that are drawn count whether they send or receive anything or not.
    let is_drawn = |name: &String| lifelines.contains(name);
    // The end of an object matters where it is drawn.
    if event.kind.is_empty() && event.from == event.name {
        return drawn.contains(event);
    }
    // What is sent from outside of the system never matters.
    if event.from.is_empty() && event.kind == "!" {
        return false;
    }
    match alphabet {
        Alphabet::All => true,
        Alphabet::Own => {
            drawn.iter().any(|one| (&one.from, &one.to, &one.name) == (&event.from, &event.to, &event.name))
        }
        Alphabet::Channels => drawn.iter().any(|one| one.name == event.name),
        Alphabet::OwnObjects => is_drawn(&event.from) && is_drawn(&event.to),
    }
}

/// A state, and the attempts that are going on: words and how far they have come.
type Node = (usize, BTreeSet<(usize, usize)>);

/// The verdict by definition; `None` if there is too much to follow.
pub(crate) fn verdict(
    account: &Account,
    model: &Model,
    case: &WideCase,
    objects: &Objects,
    asked: Asked,
) -> Option<bool> {
    let words = words(model, case, objects)?;
    let interaction = &model.interactions[InteractionId::from_index(0)];
    let drawn: BTreeSet<Parts> =
        interaction.messages.ids().map(|id| parts(&lister::text(interaction, id))).collect();
    let lifelines = interaction.lifelines.iter().map(|lifeline| lifeline.name.clone()).collect();
    let first: BTreeSet<(usize, usize)> = (0..words.len()).map(|word| (word, 0)).collect();
    // Where a step leads; `None` for a match.
    let taken =
        |attempts: &BTreeSet<(usize, usize)>, events: &[String]| -> Option<BTreeSet<(usize, usize)>> {
            let mut attempts = attempts.clone();
            for event in events.iter().map(|event| parts(event)) {
                if matters(&drawn, &lifelines, &event, asked.alphabet) {
                    let fits = |(word, at): &(usize, usize)| matches(&words[*word][*at], &event);
                    attempts = attempts.into_iter().filter(fits).map(|(word, at)| (word, at + 1)).collect();
                }
                if attempts.iter().any(|(word, at)| words[*word].len() == *at) {
                    return None;
                }
                if asked.anchor == Anchor::Anywhere {
                    attempts.extend(first.iter().copied());
                }
            }
            Some(attempts)
        };
    let mut graph: BTreeMap<Node, Vec<Option<Node>>> = BTreeMap::new();
    let begin: Vec<Node> = account.initial.iter().map(|at| (*at, first.clone())).collect();
    let mut open = begin.clone();
    while let Some(node) = open.pop() {
        if graph.contains_key(&node) {
            continue;
        }
        if graph.len() > 3_000 {
            return None;
        }
        let step = |(events, next): &(Vec<String>, usize)| Some((*next, taken(&node.1, events)?));
        let nexts: Vec<Option<Node>> = account.steps[node.0].iter().map(step).collect();
        open.extend(nexts.iter().flatten().cloned());
        graph.insert(node, nexts);
    }
    let is_possible = graph.values().flatten().any(Option::is_none);
    Some(match asked.quantifier {
        Quantifier::Possible => is_possible,
        Quantifier::Forbidden => !is_possible,
        Quantifier::Required => !begin.iter().any(|node| can_miss(&graph).contains(node)),
        Quantifier::Whenever => unreachable!("`tests/scenario` asks it"),
    })
}

/// Nodes from which a run may end, or go on forever, without a match.
fn can_miss(graph: &BTreeMap<Node, Vec<Option<Node>>>) -> BTreeSet<Node> {
    let mut missing: BTreeSet<Node> = graph.keys().cloned().collect();
    loop {
        let stays = |node: &&Node| {
            let next = &graph[*node];
            next.is_empty() || next.iter().flatten().any(|next| missing.contains(next))
        };
        let left: BTreeSet<Node> = missing.iter().filter(stays).cloned().collect();
        if left.len() == missing.len() {
            return left;
        }
        missing = left;
    }
}

/// The verdict of the observers on the lowered system.
pub(crate) fn lowered_verdict(objects: &Objects, model: &Model, asked: Asked) -> bool {
    let system = &objects.system;
    let structure = &objects.structure;
    let is_guest = |id: ComponentId| {
        structure.objects.iter().nth(id.index()).is_none_or(|object| object.machine.is_none())
    };
    let environment: BTreeSet<ComponentId> = system.components.ids().filter(|id| is_guest(*id)).collect();
    let plays = |name: &str| objects.named(name).map(|id| ComponentId::from_index(id.index()));
    let parameters = |_: &Event| vec!["v".to_owned()];
    let stage = SearchedSystem { system, environment: &environment, plays: &plays, parameters: &parameters };
    let first = InteractionId::from_index(0);
    let mut sense =
        |_: &Condition, _: &ConditionLifelines<'_>| -> Result<Sense, String> { Ok(Sense::Nothing) };
    let data = data(model, first, &mut sense).expect("there are no conditions");
    let knobs = (asked.anchor, asked.alphabet);
    let scenario = SoughtScenario::new(model, first, &stage, knobs, &data, &Assumptions::default());
    let scenario = Rc::new(scenario.expect("every construct is followed"));
    let watcher = match asked.quantifier {
        Quantifier::Possible | Quantifier::Forbidden => Watcher::Found(Rc::clone(&scenario)),
        Quantifier::Required => Watcher::Missed(Rc::clone(&scenario), None),
        Quantifier::Whenever => unreachable!("`tests/scenario` asks it"),
    };
    let runs = |system: &System| match asked.quantifier {
        Quantifier::Possible | Quantifier::Forbidden => run(system, &FoundObserver { scenario: &scenario }),
        Quantifier::Required | Quantifier::Whenever => {
            run(system, &Missed { scenario: &scenario, within: None })
        }
    };
    let found = runs(system);
    if let Some(run) = &found {
        replay(system, run).expect("what is found is a run");
    }
    // The quotient says the same.
    let case = Question::new(&Rc::new(system.clone()), Goal::Accepted(watcher));
    if let Some(quotient) = Quotient::new(&case) {
        let image = runs(&quotient.case.system);
        assert_eq!(found.is_some(), image.is_some(), "the quotient differs: {asked:?}");
        if let Some(run) = &image {
            let lifted = quotient.lift(run).expect("it has a run");
            replay(system, &lifted).expect("what is lifted is a run");
        }
    }
    match asked.quantifier {
        Quantifier::Possible => found.is_some(),
        Quantifier::Forbidden | Quantifier::Required | Quantifier::Whenever => found.is_none(),
    }
}

/// A run that is accepted.
fn run<O: Observer>(system: &System, observer: &O) -> Option<Run> {
    let program = Program::new(system);
    let mut graph = StateGraph::new(&program);
    let PropertyFinding { answer, .. } = find(&mut graph, observer, &Limits::default(), &unwatched);
    match answer {
        SearchAnswer::Found(run) => Some(run),
        SearchAnswer::Exhausted => None,
        SearchAnswer::Stopped(stop) => panic!("it is small: {stop:?}"),
    }
}
