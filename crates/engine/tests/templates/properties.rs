//! Diagrams as properties (section VI of P0): figures 34 and 35, checked by their formulas.

use std::collections::BTreeMap;

use sequent_engine::graph::Graph;
use sequent_engine::packed::Program;
use sequent_engine::property::find;
use sequent_engine::search::{Answer, Limits, unwatched};
use sequent_kernel::id::Id;
use sequent_kernel::model::InteractionId;
use sequent_kernel::property::ltl::{Automaton, bind};
use sequent_kernel::replay::replay;
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::templates::{Tense, from_start, properties};

use crate::diagram::model;
use crate::figures::{FIGURE_1A, FIGURE_1B, assume};

/// For each formula of the second diagram whether it holds in every run of the first.
fn verdicts(subject: &str, property: &str, assumptions: &Assumptions, tense: Tense) -> Vec<(String, bool)> {
    let text = format!("@startuml model\n{subject}@enduml\n@startuml property\n{property}@enduml\n");
    let model = model(&text);
    let [subject, property] = [0, 1].map(InteractionId::from_index);
    let system = lower(&model, subject, assumptions).expect("it is lowered");
    let templates = properties(&model, property, subject, assumptions, tense).expect("it has templates");
    let verdict = |one: &sequent_kernel::templates::Template| {
        let bound =
            bind(&from_start(&one.formula), &system, &BTreeMap::new()).expect("it is about the model");
        let violation = Automaton::violation(&bound).expect("it is small");
        let program = Program::new(&system);
        let mut graph = Graph::new(&program);
        match find(&mut graph, &violation, &Limits::default(), &unwatched).answer {
            Answer::Found(run) => {
                replay(&system, &run).expect("the run is one");
                (one.about.clone(), false)
            }
            Answer::Exhausted => (one.about.clone(), true),
            Answer::Stopped(stop) => panic!("{stop:?}"),
        }
    };
    templates.iter().map(verdict).collect()
}

#[test]
fn figure_34_is_strongly_unsafe_and_weakly_safe() {
    let wrong = "group neg\nL1 ->> L2 : m1\nL3 ->> L2 : m3\nend\n";
    for tense in [Tense::Past, Tense::Future] {
        let found = verdicts(FIGURE_1A, wrong, &Assumptions::default(), tense);
        assert_eq!(found, [("strongly safe".to_owned(), false), ("weakly safe".to_owned(), true)]);
        let neighbours = "group neg\nL3 ->> L2 : m2\nL3 ->> L2 : m3\nend\n";
        let found = verdicts(FIGURE_1A, neighbours, &Assumptions::default(), tense);
        assert_eq!(found, [("strongly safe".to_owned(), false), ("weakly safe".to_owned(), false)]);
        let backwards = "group neg\nL3 ->> L2 : m3\nL3 ->> L2 : m2\nend\n";
        let found = verdicts(FIGURE_1A, backwards, &Assumptions::default(), tense);
        assert_eq!(found, [("strongly safe".to_owned(), true), ("weakly safe".to_owned(), true)]);
    }
}

#[test]
fn figure_35_figure_1b_is_inconsistent() {
    let assertion = "L1 ->> L2 : m1\ngroup assert\nL2 ->> L1 : m2\nend\n";
    let all = [("cond1", true), ("cond2", true), ("cond3", true)];
    let alone = [("cond1", true), ("cond2", false), ("cond3", true)];
    for tense in [Tense::Past, Tense::Future] {
        for switches in [&[][..], &["first=on"]] {
            let found = verdicts(FIGURE_1B, assertion, &assume(&all, switches), tense);
            let expected = ["consistent on L1", "consistent on L2"].map(|about| (about.to_owned(), false));
            assert_eq!(found, expected);
        }
        // Without the second operand nothing comes in between.
        let found = verdicts(FIGURE_1B, assertion, &assume(&alone, &[]), tense);
        assert_eq!(found.iter().map(|(_, holds)| *holds).collect::<Vec<_>>(), [true, true]);
        let found = verdicts(
            FIGURE_1A,
            "L1 ->> L2 : m1\ngroup assert\nL3 ->> L2 : m2\nend\n",
            &Assumptions::default(),
            tense,
        );
        let holds: Vec<&str> =
            found.iter().filter(|(_, holds)| *holds).map(|(about, _)| about.as_str()).collect();
        assert_eq!((found.len(), holds), (2, vec!["consistent on L2", "consistent on L3"]));
    }
}
