//! Stepping through a diagram.

use expect_test::{Expect, expect};
use sequent::simulate::{
    Dialogue, Random, RunStatus, Simulation, SimulationReply, SimulationSubject, SubjectContent, walk,
};
use sequent_kernel::log::Choice;
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::system::Step;

use super::{first, lowered, read};

const PAY: &str = "\
a -> b : order(3)
alt paid
  b --> a : ok
else refused
  b --> a : no
end
loop (0,2) more
  a -> b : x
end
";

/// What is said to these lines, one after the other.
fn check(text: &str, lines: &[&str], expected: Expect) {
    let (sources, model) = read(text);
    let system = lower(&model, first(), &Assumptions::default()).expect("every construct is lowered");
    let subject = SimulationSubject {
        model: &model,
        sources: &sources,
        content: SubjectContent::Interaction(first(), &system),
    };
    let mut dialogue = Dialogue::new(subject, 1, 80);
    let mut said = dialogue.overview();
    for line in lines {
        said += &format!("> {line}\n");
        match dialogue.answer(line) {
            SimulationReply::Say(text) => said += &text,
            SimulationReply::Save(file) => said += &format!("(saved as {file})\n"),
            SimulationReply::Quit => said += "(over)\n",
        }
    }
    expected.assert_eq(&said);
}

#[test]
fn a_dialogue() {
    check(
        PAY,
        &["1", "w", "2", "3", "u", "9", "0", "what", "s", "s a b.svg", "?", "q"],
        expect![[r#"
            ┌───┐ ┌───┐
            │ a │ │ b │
            └─┬─┘ └─┬─┘
              │     │

              1  a sends `order(3)` to b
            > 1
            ┌───┐                ┌───┐
            │ a │                │ b │
            └─┬─┘                └─┬─┘
              │ order(3) (sent)    │
              ├━━━━━━━━━━━━━━━━━▶● │
              │                    │

              1  b receives `order(3)` from a
              2  alt [paid] is run (line 2)
              3  alt [refused] is run (line 4)
            > w
            a waits for b to send ok (?b->a:ok comes next)
            a waits for b to send no (?b->a:no comes next)
            b can go on: ?a->b:order(3)
            > 2
            ┌───┐                ┌───┐
            │ a │                │ b │
            └─┬─┘                └─┬─┘
              │ order(3) (sent)    │
              ├─────────────────▶● │
              │                    │

              1  b receives `order(3)` from a
            > 3
            there is no step 3, only 1 to 1
            > u
            ┌───┐                ┌───┐
            │ a │                │ b │
            └─┬─┘                └─┬─┘
              │ order(3) (sent)    │
              ├━━━━━━━━━━━━━━━━━▶● │
              │                    │

              1  b receives `order(3)` from a
              2  alt [paid] is run (line 2)
              3  alt [refused] is run (line 4)
            > 9
            there is no step 9, only 1 to 3
            > 0
            there is no step 0, only 1 to 3
            > what
            `what` is not a command; ? lists them
            > s
            s FILE: the name of a file is missing
            > s a b.svg
            (saved as a b.svg)
            > ?
            1, 2, ..  take the step of that number
            r         take a step at random
            u         undo the last step
            w         who waits for what
            t         the run as a table
            s FILE    save the run as a diagram: .svg, .png, .txt, .mmd or .puml; as a table: .md
            q         quit
            > q
            (over)
        "#]],
    );
}

#[test]
fn to_the_end() {
    check(
        "a -> b : x\n",
        &["u", "1", "1", "r", "1", "w"],
        expect![[r#"
            ┌───┐ ┌───┐
            │ a │ │ b │
            └─┬─┘ └─┬─┘
              │     │

              1  a sends `x` to b
            > u
            nothing has happened yet
            > 1
            ┌───┐         ┌───┐
            │ a │         │ b │
            └─┬─┘         └─┬─┘
              │ x (sent)    │
              ├━━━━━━━━━━▶● │
              │             │

              1  b receives `x` from a
            > 1
            ┌───┐  ┌───┐
            │ a │  │ b │
            └─┬─┘  └─┬─┘
              │  x   │
              ├━━━━━▶│
              │      │

            the run is complete
            > r
            nothing can happen any more
            > 1
            nothing can happen any more; u takes a step back
            > w
            a has nothing left to do
            b has nothing left to do
        "#]],
    );
}

#[test]
fn steps_and_steps_back() {
    let system = lowered("a ->> b : p\na ->> b : q\n", &Assumptions::default());
    let mut simulation = Simulation::new(&system);
    assert!(!simulation.undo());
    let first = simulation.options()[0].clone();
    assert!(simulation.take(&first) && !simulation.take(&first));
    assert_eq!(
        (simulation.moves().count(), simulation.options().len(), simulation.state()),
        (1, 2, RunStatus::Open)
    );
    assert!(simulation.undo());
    assert_eq!(simulation.run().steps, []);
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let system = lowered(PAY, &Assumptions::default());
    let run = |seed| walk(&system, &mut Random::new(seed), 100, &|_, _| true).run();
    assert!((0..20).all(|seed| run(seed) == run(seed)));
    assert!((0..20).any(|seed| run(seed) != run(0)));
    assert!(
        (0..50)
            .all(|seed| walk(&system, &mut Random::new(seed), 100, &|_, _| true).state()
                == RunStatus::Complete)
    );
}

/// What is told at each row of the run of a diagram with these events: what may happen, `*` before what does.
fn told_next(text: &str, events: &str) -> String {
    let (sources, model) = read(text);
    let system = lower(&model, first(), &Assumptions::default()).expect("every construct is lowered");
    let content = SubjectContent::Interaction(first(), &system);
    let subject = SimulationSubject { model: &model, sources: &sources, content };
    let mut simulation = Simulation::new(&system);
    for event in events.split_whitespace() {
        loop {
            let options = simulation.options().to_vec();
            let is_wanted =
                |step: &&Step| subject.step(step).split(" (line").next() == Some(&event.replace('_', " "));
            let step = options.iter().find(is_wanted).unwrap_or_else(|| panic!("{event}: {options:?}"));
            let is_seen = system.events(step).next().is_some();
            assert!(simulation.take(step));
            if is_seen || event.contains('_') {
                break;
            }
        }
    }
    let story = subject.story(&simulation, [].into()).expect("it replays");
    let mut told = String::new();
    for row in &story.log.rows {
        let choices = row.choices.iter().flat_map(|choices| &choices.enabled);
        let mark = |choice: &Choice| format!("{}{}", if choice.is_taken { "*" } else { "" }, choice.text);
        let choices: Vec<String> = choices.map(mark).collect();
        let choices = if choices.is_empty() { "nothing".to_owned() } else { choices.join("; ") };
        told += &format!("{}: {choices}\n", row.deed);
    }
    told
}

#[test]
fn what_may_happen_next_is_chosen_or_seen() {
    expect![[r#"
        : *alt [yes] is run; alt [no] is run; *!a->b:x
        !a->b:x: *?a->b:x
        ?a->b:x: *!b->a:z
        !b->a:z: *?b->a:z
        ?b->a:z: nothing
    "#]]
    .assert_eq(&told_next(
        "alt yes\na ->> b : x\nelse no\na ->> b : y\nend\nb ->> a : z\n",
        "alt_[yes]_is_run !a->b:x ?a->b:x !b->a:z ?b->a:z",
    ));
    expect![[r#"
        : opt [late] is run; *opt [late] is skipped; *!b->a:z
        !b->a:z: *?b->a:z
        ?b->a:z: nothing
    "#]]
    .assert_eq(&told_next(
        "opt late\na ->> b : x\nend\nb ->> a : z\n",
        "opt_[late]_is_skipped !b->a:z ?b->a:z",
    ));
}
