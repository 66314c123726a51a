//! A drawn run shows what happened: on each lifeline the same occurrences in the same order, in every notation.

use std::collections::BTreeMap;

use sequent::simulate::{Random, SimulationSubject, SubjectContent};
use sequent_kernel::model::{Block, End, Fragment, Interaction};
use sequent_kernel::replay::Run;
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::system::{EventKind, System};
use sequent_kernel::verdict::Story;
use sequent_notation::{mermaid, plantuml};
use sequent_report::draw::{Style, TextStyle, svg, text};
use sequent_report::run::{self, HALVES, RunDrawingOptions};

use super::{first, read};

/// What happens on each lifeline, by name.
pub(crate) type Lives = BTreeMap<String, Vec<String>>;

/// A random diagram: plain messages, messages to oneself, found and lost ones, ends, in fragments of all kinds.
fn random_text(random: &mut Random) -> String {
    let mut text = "participant a\nparticipant b\nparticipant c\n".to_owned();
    let messages = 2 + random.below(7);
    block(random, messages, 2, &mut text, &mut 0);
    text
}

fn block(random: &mut Random, messages: usize, depth: usize, text: &mut String, number: &mut usize) {
    let mut left = messages;
    while left > 0 {
        let inner = 1 + random.below(left);
        let opener = ["par", "opt", "loop 2 times", "alt x", "group coregion a", "critical", "group strict"];
        if depth > 0 && random.below(3) == 0 {
            let opener = opener[random.below(opener.len())];
            *text += &format!("{opener}\n");
            block(random, inner, depth - 1, text, number);
            if ["par", "alt x"].contains(&opener) && left > inner {
                *text += "else\n";
                block(random, left - inner, depth - 1, text, number);
                left = inner;
            }
            *text += "end\n";
            left -= inner;
        } else {
            *number += 1;
            *text += &message(random, *number);
            left -= 1;
        }
    }
}

fn message(random: &mut Random, number: usize) -> String {
    let name = |random: &mut Random| ["a", "b", "c"][random.below(3)];
    let (from, to) = (name(random), name(random));
    match random.below(12) {
        0 => format!("[->> {to} : m{number}\n"),
        1 => format!("{from} ->>] : m{number}\n"),
        // Two messages that cannot be told apart.
        2 => format!("{from} ->> {to} : m\n"),
        3 | 4 => format!("{from} -> {to} : m{number}\n"),
        5 => format!("{from} --> {to} : m{number}\n"),
        _ => format!("{from} ->> {to} : m{number}\n"),
    }
}

/// What happens on each lifeline according to the run.
fn happened(system: &System, run: &Run) -> Lives {
    let mut lives = Lives::new();
    for step in &run.steps {
        for rule in step.0.iter().map(|rule| &system.rules[*rule]) {
            let Some(event) = rule.event.map(|event| &system.events[event]) else { continue };
            let text = match event.kind {
                EventKind::Send => format!("!{}", event.message),
                EventKind::Receive => format!("?{}", event.message),
                EventKind::Rendezvous => event.message.clone(),
                EventKind::Termination => "x".to_owned(),
            };
            lives.entry(system.components[rule.component].clone()).or_default().push(text);
        }
    }
    lives
}

/// What happens on each lifeline according to a drawing.
pub(crate) fn shown(interaction: &Interaction) -> Lives {
    let mut lives = Lives::new();
    follow(interaction, &interaction.body, &mut lives);
    lives
}

fn follow(interaction: &Interaction, block: &Block, lives: &mut Lives) {
    for fragment in &block.0 {
        match fragment {
            Fragment::Message(id) => {
                let message = &interaction.messages[*id];
                let text = message.text.trim_end_matches(HALVES[0]).trim_end_matches(HALVES[1]);
                add(interaction, message.from, format!("!{text}"), lives);
                add(interaction, message.to, format!("?{text}"), lives);
            }
            Fragment::Stop(stop) => add(interaction, End::Lifeline(stop.lifeline), "x".to_owned(), lives),
            Fragment::Combined(combined) => {
                combined.operands.iter().for_each(|operand| follow(interaction, &operand.block, lives));
            }
            Fragment::Action(_)
            | Fragment::Invariant(_)
            | Fragment::Use(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => {}
        }
    }
}

fn add(interaction: &Interaction, end: End, text: String, lives: &mut Lives) {
    if let Some(id) = end.lifeline() {
        lives.entry(interaction.lifelines[id].name.clone()).or_default().push(text);
    }
}

/// How many messages are drawn in halves.
fn halves(interaction: &Interaction) -> usize {
    interaction
        .messages
        .iter()
        .filter(|message| HALVES.iter().any(|half| message.text.ends_with(half)))
        .count()
}

#[test]
fn what_is_drawn_is_what_happened() {
    let mut random = Random::new(1);
    let mut halved = 0;
    for number in 0..400 {
        let source = random_text(&mut random);
        let (sources, model) = read(&source);
        let system = lower(&model, first(), &Assumptions::default()).expect("every construct is lowered");
        let subject = SimulationSubject {
            model: &model,
            sources: &sources,
            content: SubjectContent::Interaction(first(), &system),
        };
        // Some are cut short: messages are still on their way.
        let simulation = subject.walk(&mut random, if number % 3 == 0 { 5 } else { 100 });
        let story = subject.story(&simulation, [0].into()).expect("the run replays");
        let run = simulation.run();
        assert_eq!(shown(&story.drawing), happened(&system, &run), "{source}{:?}", story.drawing.body);
        halved += halves(&story.drawing);
        printed_and_read_again(&story, &shown(&story.drawing));
        repeated(&subject, &run);
    }
    assert!(halved > 100, "only {halved} messages were overtaken or cut off");
}

/// Every notation keeps what is shown; drawings are made.
pub(crate) fn printed_and_read_again(story: &Story, expected: &Lives) {
    let (drawing, marked) = (&story.drawing, &story.marked);
    let coloured = plantuml::print::sequence(&run::coloured(drawing, marked));
    for text in [coloured, mermaid::print::sequence(&run::framed(drawing, marked))] {
        let model = read(&text).1;
        let again = model.interactions.iter().next().expect("it is a sequence diagram");
        assert_eq!(shown(again), *expected, "{text}");
    }
    let style = TextStyle { marked: marked.clone(), ..TextStyle::default() };
    assert!(!text(drawing, &style).is_empty());
    assert!(svg(drawing, &Style::default()).starts_with("<svg"));
}

/// The same run with any part of it repeated forever, as if it came back; only the drawing is looked at.
fn repeated(subject: &SimulationSubject, run: &Run) {
    for start in 0..run.steps.len() {
        let endless = Run { steps: run.steps.clone(), cycle: Some(start) };
        let drawn =
            run::diagram(subject.model, first(), subject.system(), &endless, &RunDrawingOptions::default());
        assert_eq!(shown(&drawn.interaction), happened(subject.system(), run));
    }
}
