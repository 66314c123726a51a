//! Bounds that are far away: runs of exactly so many positions are found and no shorter ones, and what is proved is so for any bound.

use std::ops::ControlFlow;

use sequent_engine::sat::bounded::far;
use sequent_engine::sat::bounded::reach::fewest;
use sequent_engine::sat::encode::Pace;
use sequent_engine::sat::encode::encoding::Encoding;
use sequent_engine::sat::outcome::Bounded;
use sequent_engine::sat::outcome::ExclusionReason;
use sequent_engine::sat::prove::certificate::check;
use sequent_engine::sat::schedule::automata::ComponentAutomata;
use sequent_engine::sat::solver::SolverEffort;
use sequent_kernel::model::{Communication, Model, SystemSettings};
use sequent_kernel::replay::replay;
use sequent_kernel::semantics::objects::{Objects, lower_objects, structure};
use sequent_kernel::source::Folders;
use sequent_kernel::system::{System, TermId};
use sequent_testing::diagram;

fn patient(_: SolverEffort) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn objects(text: &str, communication: Communication) -> (Model, Objects) {
    let model = diagram::model(text);
    let folders: Folders = model.machines.iter().map(|one| (one.place.0.file, String::new())).collect();
    let (structure, _) = structure(&model, &folders, "", None);
    let settings = SystemSettings {
        communication: Some(communication),
        closed: Some(true),
        ..SystemSettings::default()
    };
    let objects = lower_objects(&model, &structure, &settings).expect("it is small");
    (model, objects)
}

/// What is found within so many positions: how many they are, `None` if there is nothing.
fn reach(system: &System, goal: TermId, pace: Pace, most: usize) -> Option<usize> {
    let encoding = Encoding::new(system, pace, &[goal]).expect("it is small");
    let literal = encoding.truth(goal).expect("it was named");
    let automata =
        (pace == Pace::Together).then(|| ComponentAutomata::new(system).expect("they share messages only"));
    let spots = automata.as_ref().map(|automata| automata.spots(goal).expect("it says where they are"));
    let parts = automata.as_ref().zip(spots.as_ref());
    match far::reach(&encoding, literal, parts, most, &patient).0 {
        Bounded::Found(run, length) => {
            let configs = replay(system, &run).expect("a run that is one");
            assert!(system.holds(goal, &configs[configs.len() - 1]));
            assert!(length <= most);
            Some(length)
        }
        Bounded::Proved(ExclusionReason::Invariant(clauses)) => {
            assert_eq!(check(&encoding, literal, &clauses, &patient), Ok(()));
            None
        }
        Bounded::Nothing(up_to) => {
            assert_eq!(up_to, most);
            None
        }
        Bounded::Proved(ExclusionReason::Exhausted(_)) => None,
        Bounded::Proved(ExclusionReason::Induction(_)) | Bounded::Stopped(_) => panic!("nobody broke it off"),
    }
}

#[test]
fn a_counter_gets_as_far_as_there_are_steps() {
    let text =
        "@startuml C\n' @attribute n : 0..90 = 0\n[*] --> on\non --> on : after(1) [n < 60] / n++\n@enduml\n";
    let (_, mut objects) = objects(text, Communication::Queue);
    let counter = objects.system.variables.enumerate().find(|(_, variable)| variable.max == 90);
    let counter = counter.expect("there is a counter").0;
    let (near, far, never) = (
        objects.system.terms.is(counter, 4),
        objects.system.terms.is(counter, 41),
        objects.system.terms.is(counter, 70),
    );
    let system = &objects.system;
    let first = reach(system, near, Pace::Single, 50).expect("it is near") - 4;
    assert_eq!(reach(system, near, Pace::Single, 3), None);
    assert_eq!(reach(system, far, Pace::Single, first + 40), None);
    for most in [first + 41, first + 42, 1_000_000_000] {
        assert_eq!(reach(system, far, Pace::Single, most), Some(first + 41));
    }
    for most in [0, 1, 30, usize::MAX] {
        assert_eq!(reach(system, never, Pace::Single, most), None);
    }
}

#[test]
fn machines_meet_as_often_as_there_are_transactions() {
    let steps = 30;
    let walk: String = (0..steps).map(|at| format!("s{at} --> s{} : / ^B.m\n", at + 1)).collect();
    let text = format!(
        "@startuml A\n[*] --> s0\n{walk}@enduml\n\
         @startuml B\n[*] --> off\noff --> on : m\non --> off : m\non --> gone : n\n@enduml\n"
    );
    let (model, mut objects) = objects(&text, Communication::Rendezvous);
    let mut state = |name: &str, state: &str| {
        let object = objects.named(name).expect("it has a name");
        objects.in_state(&model, object, state).expect("it has such a state")
    };
    let (last, gone) = (state("A", &format!("s{steps}")), state("B", "gone"));
    let system = &objects.system;
    let length = reach(system, last, Pace::Together, 100).expect("it is reached");
    assert!(length >= steps, "{length}");
    assert_eq!(reach(system, last, Pace::Together, length), Some(length));
    assert_eq!(reach(system, last, Pace::Together, length - 1), None);
    let Ok(Bounded::Found(_, least)) = fewest(system, (last, Pace::Together), 500, &patient) else {
        panic!("it is reached")
    };
    assert_eq!(least, length);
    for most in [0, 1, 30, usize::MAX] {
        assert_eq!(reach(system, gone, Pace::Together, most), None);
    }
}
