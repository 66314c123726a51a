//! Whether one diagram refines another: the assertions of what is written are true where Sequent says so.

use std::collections::BTreeMap;

use sequent::behaviour::Effort;
use sequent::refinement::{Side, reply};
use sequent_kernel::formula::Word;
use sequent_kernel::model::{Aspect, Fragment, Model, Operator, Refines as Asked, Subject};
use sequent_kernel::semantics::{Assumptions, Switches};
use sequent_kernel::templates::cut;
use sequent_kernel::verdict::Verdict;
use sequent_report::export::cspm::{Diagram, Refines, lifelines};

use super::samples::{count, first, random};
use super::space::Reading;

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
    let sides = models.map(|model| Side { model, subject: Subject::Interaction(first()) });
    let place = models[0].interactions[first()].place;
    let specification = Word { text: String::new(), place };
    let asked = Asked { specification, aspect, hidden: Vec::new() };
    match reply(sides, &asked, &Switches::default(), &Effort::default()).verdict {
        Verdict::Holds(_) => Some(true),
        Verdict::Fails(_) => Some(false),
        Verdict::Unknown(_) => None,
    }
}

#[test]
fn random_diagrams_and_parts_of_them() {
    let mut answers: BTreeMap<bool, usize> = BTreeMap::new();
    // In 229 a state invariant makes some runs void, which are no runs.
    for seed in (0..count(40)).chain([229]) {
        let (model, _) = cut(&random::model(seed), first(), 1);
        let other = changed(&model, seed);
        let assumptions = Assumptions::default();
        let at = |_| "here".to_owned();
        let diagram = |model| Diagram { model, id: first(), assumptions: &assumptions, at: &at };
        let ends = [(0, 1), (1, 0)];
        let aspects = [Aspect::Traces, Aspect::Failures];
        let asked: Vec<Refines> = ends
            .iter()
            .flat_map(|(specification, implementation)| {
                aspects.map(|aspect| Refines {
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
