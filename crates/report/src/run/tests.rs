//! Runs of small diagrams, drawn.

use expect_test::{Expect, expect};
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::replay::replay;
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::system::Config;

use super::*;
use crate::draw::sample::sample;
use crate::draw::{Style, TextStyle, svg, text};

struct RunCase {
    model: Model,
    id: InteractionId,
    system: System,
}

fn case(diagram: &str) -> RunCase {
    let mut model = Model::default();
    let id = model.interactions.push(sample(diagram));
    let system = lower(&model, id, &Assumptions::default()).expect("every construct is lowered");
    RunCase { model, id, system }
}

impl RunCase {
    /// The run with these events; choices are made as they come.
    fn run(&self, events: &str) -> Run {
        let mut run = Run::default();
        let mut config = self.system.initial();
        for event in events.split_whitespace() {
            while !self.take(Some(event), &mut config, &mut run) {
                assert!(self.take(None, &mut config, &mut run), "{event} cannot happen");
            }
        }
        assert!(replay(&self.system, &run).is_ok());
        run
    }

    fn take(&self, wanted: Option<&str>, config: &mut Config, run: &mut Run) -> bool {
        let seen =
            |step: &_| self.system.events(step).next().map(|event| self.system.events[event].text.as_str());
        let steps = self.system.steps(config);
        let Some(step) = steps.into_iter().find(|step| seen(step) == wanted) else { return false };
        *config = self.system.take(&step, config).expect("a step that is offered can be taken");
        run.steps.push(step);
        true
    }

    fn diagram(&self, run: &Run, wishes: &RunDrawingOptions) -> DrawnRun {
        diagram(&self.model, self.id, &self.system, run, wishes)
    }
}

fn check(diagram: &str, events: &str, expected: Expect) {
    let case = case(diagram);
    let drawn = case.diagram(&case.run(events), &RunDrawingOptions::default());
    expected.assert_eq(&text(&drawn.interaction, &TextStyle::default()));
}

#[test]
fn one_after_the_other() {
    check(
        "actor a Ann\na -> b : x\nb -> c : y",
        "!a->b:x ?a->b:x !b->c:y",
        expect![[r#"
        ┌─────────┐
        │ «actor» │ ┌───┐         ┌───┐
        │   Ann   │ │ b │         │ c │
        └────┬────┘ └─┬─┘         └─┬─┘
             │   x    │             │
             ├───────▶│             │
             │        │ y (sent)    │
             │        ├──────────▶● │
             │        │             │
    "#]],
    );
}

#[test]
fn apart_in_the_run_but_one_arrow() {
    check(
        "a -> b : x\na -> b : y",
        "!a->b:x !a->b:y ?a->b:x ?a->b:y",
        expect![[r#"
        ┌───┐  ┌───┐
        │ a │  │ b │
        └─┬─┘  └─┬─┘
          │  x   │
          ├─────▶│
          │  y   │
          ├─────▶│
          │      │
    "#]],
    );
}

#[test]
fn overtaken() {
    check(
        "par\na -> b : x\nand\na -> b : y\nend",
        "!a->b:x !a->b:y ?a->b:y ?a->b:x",
        expect![[r#"
        ┌───┐             ┌───┐
        │ a │             │ b │
        └─┬─┘             └─┬─┘
          │ x (sent)        │
          ├──────────▶●     │
          │       y         │
          ├────────────────▶│
          │  x (received)   │
          │ ●──────────────▶│
          │                 │
    "#]],
    );
}

#[test]
fn to_itself_and_an_end() {
    check(
        "a -> a : think\n[ -> a : found\na -> b : x\nstop b",
        "!a->a:think ?a->a:think ?->a:found !a->b:x ?a->b:x x:b",
        expect![[r#"
                   ┌───┐       ┌───┐
                   │ a │       │ b │
                   └─┬─┘       └─┬─┘
                     ├──┐ think  │
                     │◀─┘        │
             found   │           │
            ●───────▶│           │
                     │    x      │
                     ├──────────▶╳
                     │
        "#]],
    );
}

#[test]
fn marked_and_noted() {
    let case = case("a -> b : x\nb -> c : y\nc -> d : z");
    let run = case.run("!a->b:x ?a->b:x !b->c:y");
    let component = |name: &str| case.system.components.find(|known| known == name).expect("it is there");
    let notes = vec![(component("c"), "waits for y".to_owned()), (component("a"), "over".to_owned())];
    let wishes = RunDrawingOptions { marked: [2].into(), notes, ..RunDrawingOptions::default() };
    let drawn = case.diagram(&run, &wishes);
    let style = TextStyle { marked: drawn.marked.clone(), ..TextStyle::default() };
    expect![[r#"
          ┌───┐  ┌───┐         ┌───┐
          │ a │  │ b │         │ c │
          └─┬─┘  └─┬─┘         └─┬─┘
            │  x   │             │
            ├─────▶│             │
            │      │ y (sent)    │
            │      ├━━━━━━━━━━▶● │
        ┌───────◥  │             │
        │ over  │  │             │
        └───────┘  │             │
            │      │      ┌─────────────◥
            │      │      │ waits for y │
            │      │      └─────────────┘
            │      │             │
    "#]]
    .assert_eq(&text(&drawn.interaction, &style));
    let style = Style { marked: drawn.marked.clone(), ..Style::default() };
    assert!(svg(&drawn.interaction, &style).contains("class=\"message marked\""));
    let all = case.diagram(&run, &RunDrawingOptions { idle_lifelines: true, ..wishes });
    assert_eq!((drawn.interaction.lifelines.len(), all.interaction.lifelines.len()), (3, 4));
    assert_eq!(
        coloured(&drawn.interaction, &drawn.marked)
            .messages
            .iter()
            .filter(|message| message.arrow.colour.is_some())
            .count(),
        1
    );
    assert!(
        framed(&drawn.interaction, &drawn.marked)
            .body
            .0
            .iter()
            .any(|fragment| matches!(fragment, Fragment::Combined(_)))
    );
}

#[test]
fn forever() {
    let case = case("a -> b : x\nb -> a : y");
    let steps = case.run("!a->b:x ?a->b:x !b->a:y ?b->a:y").steps;
    let run = Run { steps: steps.clone(), cycle: Some(1) };
    let drawn = case.diagram(&run, &RunDrawingOptions::default());
    expect![[r#"
         ┌───┐             ┌───┐
         │ a │             │ b │
         └─┬─┘             └─┬─┘
           │ x (sent)        │
           ├──────────▶●     │
        ┌ loop (inf) ────────┼──┐
        │  │  x (received)   │  │
        │  │ ●──────────────▶│  │
        │  │       y         │  │
        │  │◀────────────────┤  │
        └──┼─────────────────┼──┘
           │                 │
    "#]]
    .assert_eq(&text(&drawn.interaction, &TextStyle::default()));
    let silent = Run { steps, cycle: Some(4) };
    let drawn = case.diagram(&silent, &RunDrawingOptions::default());
    assert!(matches!(drawn.interaction.body.0.last(), Some(Fragment::Note(_))));
}

#[test]
fn nothing_at_all() {
    let case = case("a -> b : x");
    let drawn = case.diagram(&Run::default(), &RunDrawingOptions::default());
    assert!(drawn.interaction.lifelines.is_empty());
    text(&drawn.interaction, &TextStyle::default());
    svg(&drawn.interaction, &Style::default());
}
