//! Systems of communicating state machines of the literature: how many states and steps they have.

use std::collections::BTreeSet;

use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::search::{Reduction, Search, SearchAnswer, SearchGoal, SearchOptions, unwatched};
use sequent_kernel::model::{Communication, Completion, Model, Steps, SystemSettings};
use sequent_kernel::semantics::objects::{Objects, lower_objects, structure};
use sequent_kernel::source::Folders;
use sequent_kernel::system::Config;
use sequent_testing::diagram;

/// The objects that a text describes.
fn objects(model: &Model, settings: &SystemSettings) -> Objects {
    let folders: Folders =
        model.machines.iter().map(|machine| (machine.place.0.file, String::new())).collect();
    let (structure, problems) = structure(model, &folders, "", None);
    assert!(problems.is_empty(), "{problems:?}");
    lower_objects(model, &structure, settings).expect("it is small")
}

/// All states, and the number of steps between them.
fn explore(objects: &Objects) -> (BTreeSet<Config>, usize) {
    let program = Program::new(&objects.system);
    let search = Search::run(&program, SearchGoal::Everything, &SearchOptions::default(), &unwatched);
    assert_eq!(search.answer, SearchAnswer::Exhausted);
    (search.configs().collect(), search.progress.transitions)
}

fn is_free_of_deadlocks(objects: &Objects) -> bool {
    let program = Program::new(&objects.system);
    Search::run(&program, SearchGoal::Stuck, &SearchOptions::default(), &unwatched).answer
        == SearchAnswer::Exhausted
}

const HUGO: &str = "\
@startuml ATM
[*] --> CardEntry
CardEntry --> PINEntry
PINEntry --> Verification : / ^bank.verifyPIN()
Verification --> PINEntry : reenterPIN
Verification --> AmountEntry : PINVerified
Verification --> ReturningCard : abort
AmountEntry --> GivingMoney
GivingMoney --> ReturningCard
ReturningCard --> CardEntry : / ^bank.done
@enduml
@startuml Bank
' @attribute maxNumIncorrect : 0..2 = 2
' @attribute numIncorrect : 0..2 = 0
' @attribute cardValid : bool = true
[*] --> Idle
state Idle
state both <<join>>
state Verifying {
  [*] --> VerifyingCard
  VerifyingCard --> CardValid : [cardValid]
  VerifyingCard --> Idle : [else] / ^atm.abort
  CardValid --> both
  --
  [*] --> VerifyingPIN
  VerifyingPIN --> PINCorrect
  VerifyingPIN --> PINIncorrect
  PINCorrect : entry / numIncorrect = 0
  PINIncorrect --> Idle : [numIncorrect < maxNumIncorrect] / numIncorrect++; ^atm.reenterPIN
  PINIncorrect --> Idle : [else] / cardValid = false; ^atm.abort
  PINCorrect --> both
}
Idle --> Verifying : verifyPIN
Idle --> Idle : done
both --> Idle : / ^atm.PINVerified
@enduml
";

/// Configurations are what P3 speaks of: active states, attributes and queues. In each step one transition fires.
#[test]
fn hugo() {
    let model = diagram::model(HUGO);
    for (completion, expected) in [(Completion::Free, (63, 92)), (Completion::Queued, (65, 84))] {
        let settings = SystemSettings {
            communication: Some(Communication::Queue),
            completion: Some(completion),
            ..SystemSettings::default()
        };
        let objects = objects(&model, &settings);
        let (states, steps) = explore(&objects);
        assert_eq!((states.len(), steps), expected, "{completion:?}");
        assert!(is_free_of_deadlocks(&objects));
        let longest =
            |state: &Config| objects.structure.objects.ids().map(|id| objects.waiting(state, id).len()).max();
        assert_eq!(states.iter().filter_map(longest).max(), Some(2));
    }
}

const BANK: &str = "\
@startuml Bank
[*] --> s0
s0 --> s1 : auth(ok)
s1 --> s0 : / ^start
s0 --> s2 : debit
s2 --> s0 : / ^result(true)
s2 --> s0 : / ^result(false)
@enduml
@startuml ATM
[*] --> q0
q0 --> q1 : insert
q1 --> q2 : pin
q2 --> q3t : / ^auth(true)
q2 --> q3f : / ^auth(false)
q3t --> q4 : start
q4 --> q5 : / ^answer
q5 --> q6 : amount
q6 --> q7 : / ^debit
q3f --> q9 : start
q7 --> q8 : result(true)
q8 --> q9 : / ^money
q7 --> q9 : result(false)
q9 --> q10 : / ^eject
q10 --> q0 : / ^idle
@enduml
";

#[test]
fn bank() {
    for (more, expected) in [
        ("", (12, 14)),
        (
            "@startuml Objects\nobject \"b : Bank\" as b\nobject \"a1 : ATM\" as a1\nobject \"a2 : ATM\" as a2\n@enduml\n",
            (135, 294),
        ),
    ] {
        let model = diagram::model(&format!("{BANK}{more}"));
        let settings = SystemSettings {
            communication: Some(Communication::Rendezvous),
            steps: Some(Steps::Direct),
            ..SystemSettings::default()
        };
        let objects = objects(&model, &settings);
        let (states, steps) = explore(&objects);
        assert_eq!((states.len(), steps), expected);
        assert!(is_free_of_deadlocks(&objects));
    }
}

const CALLS: &str = "\
@startuml Classes
class Shop {
  ok : bool = false
}
class Till {
  charge(amount : 0..3) : bool
}
@enduml
@startuml Shop
[*] --> open
open --> paid : / ok = till.charge(2)
paid --> happy : [ok]
paid --> sorry : [else]
@enduml
@startuml Till
[*] --> ready
ready --> ready : charge(amount) [amount < 2] / return true
ready --> ready : charge(amount) [else] / return false
@enduml
";

/// The caller waits for the reply, and keeps its value.
#[test]
fn calls() {
    let model = diagram::model(CALLS);
    let objects = objects(&model, &SystemSettings::default());
    let program = Program::new(&objects.system);
    let mut graph = StateGraph::new(&program);
    let mut at = graph.first().expect("there is a run").0;
    let mut seen = Vec::new();
    while let [edge] = graph.edges(at) {
        let edge = *edge;
        seen.extend(graph.events(edge.shows).iter().map(|event| objects.system.events[*event].text.clone()));
        at = edge.to;
    }
    let expected = [
        "!Shop->Till:charge(2)",
        "?Shop->Till:charge(2)",
        "!Till->Shop:charge(false)",
        "?Till->Shop:charge(false)",
    ];
    assert_eq!(seen, expected);
    assert!(is_free_of_deadlocks(&objects));
}

/// A precondition that is broken ends the run with a fault, one that holds is not seen.
#[test]
fn contracts() {
    let machine = |amount: &str| {
        format!(
            "@startuml Shop\n[*] --> open\nopen --> done : / ^till.charge({amount})\n@enduml\n\
             @startuml Till\n' @attribute sum : 0..9 = 5\n' @pre charge : amount <= sum\n' @post charge : sum > 0\n\
             [*] --> ready\nready --> ready : charge(amount) / sum = sum - amount\n@enduml\n"
        )
    };
    for (amount, fault) in [("4", None), ("5", Some("postcondition")), ("7", Some("precondition"))] {
        let model = diagram::model(&machine(amount));
        let objects = objects(&model, &SystemSettings::default());
        let (states, _) = explore(&objects);
        let broken: Vec<&str> =
            states.iter().filter_map(|state| Some(objects.fault_in(state)?.text.as_str())).collect();
        match fault {
            None => assert_eq!(broken, Vec::<&str>::new()),
            Some(word) => assert!(broken.len() == 1 && broken[0].contains(word), "{amount}: {broken:?}"),
        }
    }
}

/// A value that nobody knows may be any; a division by zero ends the run.
#[test]
fn values() {
    let machine = "@startuml M\n' @attribute x : 0..3 = 0\n' @attribute y : 0..3 = 3\n[*] --> a\n\
                   a --> b : / x = whatever the user types\nb --> c : [x == 3]\nb --> d : [else] / y = y / x\n@enduml\n";
    let model = diagram::model(&machine.replace("whatever the user types", "typed(3)"));
    let objects = objects(&model, &SystemSettings::default());
    let (states, _) = explore(&objects);
    let object = objects.structure.objects.ids().next().expect("there is one");
    let names: BTreeSet<String> = states.iter().map(|state| objects.states(&model, state, object)).collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["a", "b", "c", "d"]);
    let broken: Vec<&str> =
        states.iter().filter_map(|state| Some(objects.fault_in(state)?.text.as_str())).collect();
    assert_eq!(broken, ["M divides by zero"]);
}

/// Whoever waits for a fork hangs together with all others, so that no step can be left out; after some thousands of states
/// nobody tries any more, and nothing is lost by that.
#[test]
fn reduction_that_saves_nothing_is_dropped() {
    const COUNT: usize = 9;
    let one = |number: usize| {
        let right = (number + 1) % COUNT;
        format!(
            "@startuml P{number}\n[*] --> thinking\nthinking --> hungry : / ^F{number}.take\n\
             hungry --> eating : / ^F{right}.take\neating --> full : / ^F{number}.put\n\
             full --> thinking : / ^F{right}.put\n@enduml\n\
             @startuml F{number}\n[*] --> free\nfree --> taken : take\ntaken --> free : put\n@enduml\n"
        )
    };
    let text: String = (0..COUNT).map(one).collect();
    let settings = SystemSettings {
        communication: Some(Communication::Rendezvous),
        steps: Some(Steps::Direct),
        ..SystemSettings::default()
    };
    let objects = objects(&diagram::model(&text), &settings);
    let program = Program::new(&objects.system);
    let look = |reduction, threads| {
        let options = SearchOptions { reduction, threads, ..SearchOptions::default() };
        let search = Search::run(&program, SearchGoal::Everything, &options, &unwatched);
        assert_eq!(search.answer, SearchAnswer::Exhausted);
        search
    };
    let full = look(Reduction::None, 1);
    let reduced = look(Reduction::Deadlocks, 1);
    let others = look(Reduction::Deadlocks, 3);
    assert_eq!(full.progress.states, 19_682);
    assert!(reduced.configs().eq(others.configs()), "threads change nothing");
    assert_eq!(reduced.progress, others.progress);
    let ends = |search: &Search<'_>| -> BTreeSet<Config> {
        search.configs().filter(|config| objects.system.steps(config).is_empty()).collect()
    };
    assert_eq!(ends(&full).len(), 1, "all hold one fork");
    assert_eq!(ends(&full), ends(&reduced));
}
