//! Whether one diagram refines another: the assertions of what is written are true where Sequent says so.

use std::collections::BTreeMap;
use std::fmt::Write;

use sequent::effort::Effort;
use sequent::pipeline::{self, Reading as Read};
use sequent::refinement::export::{drafts, questions};
use sequent::refinement::{ComparedDiagram, answer};
use sequent::settings::Settings;
use sequent_kernel::formula::FormulaWord;
use sequent_kernel::model::{Aspect, Fragment, Model, Operator, Refines as Asked, Subject};
use sequent_kernel::random::Random;
use sequent_kernel::semantics::{Assumptions, Switches};
use sequent_kernel::templates::cut;
use sequent_kernel::verdict::Verdict;
use sequent_report::export::cspm::{LifelineRefinement, UnfoldedDiagram, lifelines, script};
use sequent_testing::seeds::seeds;

use super::cases;
use super::samples::{first, random, systems};
use super::space::Reading;

/// Compares the answers to all refinements that are asked for, in one script; those that were compared.
fn all(read: &Read, settings: &Settings, name: &str) -> Vec<&'static str> {
    let answers = pipeline::check(read, settings, &Effort::default()).answers;
    let agenda = pipeline::agenda(read, settings);
    let (questions, _) = questions(&read.model, &agenda, &|_, _| true, &settings.switches);
    if questions.is_empty() {
        return Vec::new();
    }
    let (systems, comparisons) = drafts(&questions, 0).expect("they can be written");
    let exported = script(&systems, &comparisons).expect("they can be written");
    let reading = Reading::new(&exported);
    if !reading.is_small() {
        return Vec::new();
    }
    let claims = reading.claims();
    assert_eq!(claims.len(), questions.len(), "{name}");
    let mut compared = Vec::new();
    for (question, claim) in questions.iter().zip(claims) {
        let answer = &answers[question.number];
        assert_eq!(answer.kind, "refines", "{name}");
        if !matches!(answer.verdict, Verdict::Unknown(_)) {
            let expected = if claim { "holds" } else { "fails" };
            assert_eq!(answer.verdict.name(), expected, "{name}: {}\n{}", answer.name, exported.text);
            compared.push(expected);
        }
    }
    compared
}

#[test]
fn examples_get_the_same_verdicts() {
    // Machines, diagrams, and diagrams with loops without bound; hidden messages and divergence.
    let mut compared = Vec::new();
    for case in cases::all().iter().filter(|case| case.name.starts_with("projects/refine")) {
        let session = cases::read(case);
        compared.extend(all(&session.reading, &session.settings, &case.name));
    }
    assert!(
        compared.len() >= 10 && compared.contains(&"holds") && compared.contains(&"fails"),
        "{compared:?}"
    );
}

/// Two machines and a sequence diagram, all of which are compared.
fn doors(random: &mut Random) -> (String, String) {
    let mut text = String::new();
    for name in ["Spec", "Impl"] {
        let _ = writeln!(text, "@startuml {name}\n' @class Door\n[*] --> s0");
        // What one does unseen, or sends to nobody in particular, may go on forever.
        let labels = ["a", "b", "", "/ ^x.t", "a / ^x.t; ^x.u", "/ ^x.u"];
        for _ in 0..2 + random.below(4) {
            let [from, to] = [(); 2].map(|()| random.below(3));
            let _ = writeln!(text, "s{from} --> s{to} : {}", labels[random.below(6)]);
        }
        if random.below(3) == 0 {
            text += "s1 --> [*] : b\n";
        }
        text += "@enduml\n\n";
    }
    text += "@startuml Use\nparticipant Door\n";
    for _ in 0..1 + random.below(3) {
        text += ["x ->> Door : a\n", "x ->> Door : b\n", "Door ->> x : t\n"][random.below(3)];
    }
    text += "opt\nx ->> Door : a\nend\n@enduml\n";
    let communication = ["rendezvous", "queue"][usize::from(random.below(4) == 0)];
    let mut settings = format!("[system]\ncommunication = \"{communication}\"\ncapacity = 1\n");
    for (specification, target) in [("Spec", "Impl"), ("Impl", "Spec"), ("Spec", "Use"), ("Use", "Impl")] {
        for model in ["traces", "failures", "failures-divergences"] {
            let hidden = ["", "hide = [\"t\"]\n", "hide = [\"a\", \"u\"]\n"][random.below(3)];
            let _ = writeln!(
                settings,
                "[[check]]\nrefines = \"{specification}\"\ntarget = \"{target}\"\nmodel = \"{model}\"\n{hidden}"
            );
        }
    }
    (text, settings)
}

#[test]
fn random_machines_and_diagrams() {
    let mut answers: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in seeds(25) {
        let (text, settings) = doors(&mut Random::new(seed));
        let (reading, settings) = systems::read(&text, &settings);
        for answer in all(&reading, &settings, &format!("seed {seed}\n{text}")) {
            *answers.entry(answer).or_default() += 1;
        }
    }
    eprintln!("{answers:?}");
    assert!(answers.len() == 2 && answers.values().all(|times| *times > 20), "{answers:?}");
}

/// The same diagram without its last fragment, or without the choice to skip its first option.
fn changed(model: &Model, seed: u64) -> Model {
    let mut model = model.clone();
    let body = &mut model.interactions[first()].body.0;
    let option = body.iter().position(|fragment| {
        matches!(fragment, Fragment::Combined(one) if one.operator == Operator::Opt && one.operands.len() == 1)
    });
    match option.filter(|_| !seed.is_multiple_of(3)) {
        Some(at) => {
            body.remove(at);
        }
        None => _ = body.pop(),
    }
    model
}

/// What Sequent says; `None` if it does not know.
fn says(models: [&Model; 2], aspect: Aspect) -> Option<bool> {
    let sides = models.map(|model| ComparedDiagram { model, subject: Subject::Interaction(first()) });
    let place = models[0].interactions[first()].place;
    let specification = FormulaWord { text: String::new(), place };
    let asked = Asked { specification, aspect, hidden: Vec::new() };
    match answer(sides, &asked, &Switches::default(), &Effort::default()).verdict {
        Verdict::Holds(_) => Some(true),
        Verdict::Fails(_) => Some(false),
        Verdict::Unknown(_) => None,
    }
}

#[test]
fn random_diagrams_and_parts_of_them() {
    let mut answers: BTreeMap<bool, usize> = BTreeMap::new();
    // In 229 a state invariant makes some runs void, which are no runs.
    for seed in seeds(25).chain([229]) {
        let (model, _) = cut(&random::model(seed), first(), 1);
        let other = changed(&model, seed);
        let assumptions = Assumptions::default();
        let at = |_| "here".to_owned();
        let diagram = |model| UnfoldedDiagram { model, id: first(), assumptions: &assumptions, at: &at };
        let ends = [(0, 1), (1, 0)];
        let aspects = [Aspect::Traces, Aspect::Failures];
        let asked: Vec<LifelineRefinement> = ends
            .iter()
            .flat_map(|(specification, implementation)| {
                aspects.map(|aspect| LifelineRefinement {
                    specification: *specification,
                    implementation: *implementation,
                    aspect,
                    hidden: Vec::new(),
                })
            })
            .collect();
        let Ok(exported) = lifelines(&[diagram(&model), diagram(&other)], &asked) else { continue };
        let reading = Reading::new(&exported);
        if !reading.is_small() {
            continue;
        }
        // Two claims about deadlock come first.
        let claims = reading.claims();
        let both = [&model, &other];
        for (claim, one) in claims[2..].iter().zip(&asked) {
            let Some(own) = says([both[one.specification], both[one.implementation]], one.aspect) else {
                continue;
            };
            assert_eq!(own, *claim, "seed {seed}: {one:?}\n{}", exported.text);
            *answers.entry(own).or_default() += 1;
        }
    }
    assert!(answers.len() == 2 && answers.values().all(|times| *times > 10), "{answers:?}");
}
