//! Every token of every label has a meaning or a finding (rule M7): in random machines a token is deleted or misspelt, and then the System is another
//! one, or something is reported that was not before.

use std::collections::BTreeSet;

use sequent_kernel::lint;
use sequent_kernel::random::Random;
use sequent_kernel::semantics::objects::{lower_objects, structure};
use sequent_kernel::source::{Folders, Sources};
use sequent_kernel::system::System;
use sequent_notation::{Context, NoFiles, resolve};
use sequent_testing::seeds::seeds;

/// What a text says: the System of its machines, and what is reported about it, without places.
struct Reading {
    system: Option<System>,
    found: Vec<String>,
}

fn reading(name: &str, text: &str) -> Reading {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let mut diagnostics = Vec::new();
    let mut context = Context { sources: &mut sources, loader: &mut NoFiles, diagnostics: &mut diagnostics };
    let document = sequent_notation::read(file, &mut context);
    let (model, problems) = resolve::resolve(&[document], &sources);
    let folders = Folders::from([(file, String::new())]);
    let findings = lint::lint(&model, &folders);
    let mut found: Vec<String> = diagnostics
        .into_iter()
        .chain(problems)
        .chain(findings)
        .map(|one| format!("{} {}", one.name(), one.message))
        .collect();
    found.sort();
    let (objects, _) = structure(&model, &folders, "", None);
    let system = lower_objects(&model, &objects, &model.system).ok().map(|lowered| lowered.system);
    Reading { system, found }
}

/// Whether two Systems are written alike.
fn is_same(one: &Option<System>, other: &Option<System>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return one.is_none() && other.is_none() };
    let shown = |system: &System| {
        let events: Vec<String> = system.events.iter().map(|event| event.text.clone()).collect();
        format!("{events:?} {:?} {:?}", system.variables, system.terms)
    };
    one.rules == other.rules && shown(one) == shown(other)
}

/// One of these.
fn any<'a>(random: &mut Random, all: &[&'a str]) -> &'a str {
    all[random.below(all.len())]
}

/// A guard over `x`, `p` and the parameter, if there is one.
fn guard(random: &mut Random, parameter: bool, other: &str) -> String {
    let own = ["x > 1", "x == 2", "p", "!p", "p && x < 3", "x + 1 <= 2", "self.x != 0"];
    match (random.below(4), parameter) {
        (0, true) => any(random, &["k > 0", "k == x", "k != 1 && p"]).to_owned(),
        (1, _) => format!("{other}.x > 0"),
        _ => any(random, &own).to_owned(),
    }
}

fn effect(random: &mut Random, parameter: bool, other: &str) -> String {
    match (random.below(6), parameter) {
        (0, true) => "x = k".to_owned(),
        (1, true) => format!("^{other}.put(k)"),
        (0 | 1, false) => format!("^{other}.put(x)"),
        (2, _) => format!("^{other}.hello"),
        (3, _) => "p = !p".to_owned(),
        (4, _) => format!("^{other}.put({})", any(random, &["1", "x", "2 - 1"])),
        (_, _) => any(random, &["x = 0", "x = 2 - x", "self.x = 1", "x = (x + 1) % 3"]).to_owned(),
    }
}

/// The labels of one machine: those of transitions, then lines of states.
fn labels(random: &mut Random, other: &str) -> (Vec<String>, Vec<String>) {
    let mut transitions = Vec::new();
    for trigger in ["hello", "put(k)", "go", "put(k)"] {
        let parameter = trigger.ends_with(')');
        let guard = if random.percent(60) {
            format!(" [{}]", guard(random, parameter, other))
        } else {
            String::new()
        };
        let effects: Vec<String> = (0..random.below(3)).map(|_| effect(random, parameter, other)).collect();
        let effects = if effects.is_empty() { String::new() } else { format!(" / {}", effects.join("; ")) };
        transitions.push(format!("{trigger}{guard}{effects}"));
    }
    let lines = vec![
        format!("entry / {}", effect(random, false, other)),
        format!("exit / {}", effect(random, false, other)),
        format!("stop [{}] / {}", guard(random, false, other), effect(random, false, other)),
        "go / defer".to_owned(),
    ];
    (transitions, lines)
}

/// The words and signs of a label, with their places.
fn tokens(label: &str) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = Vec::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    for (at, sign) in label.char_indices() {
        if sign == ' ' {
            continue;
        }
        match all.last_mut() {
            Some((start, end)) if *end == at && is_word(sign) && label[*start..].starts_with(is_word) => {
                *end = at + 1
            }
            _ => all.push((at, at + 1)),
        }
    }
    all
}

/// The text of two machines with these labels, in one of the two notations.
fn written(is_mermaid: bool, name: &str, (transitions, lines): &(Vec<String>, Vec<String>)) -> String {
    let label = |text: &String| if is_mermaid { text.replace(';', "#59;") } else { text.clone() };
    let arrows = [("A", "B"), ("A", "A"), ("B", "A"), ("B", "B")];
    let mut body = "[*] --> A\n".to_owned();
    for ((from, to), text) in arrows.iter().zip(transitions) {
        body += &format!("{from} --> {to} : {}\n", label(text));
    }
    for text in lines {
        body += &format!("B : {}\n", label(text));
    }
    let attributes = ["x : 0..3 = 1", "p : bool = true"];
    match is_mermaid {
        true => {
            let attributes = attributes.map(|one| format!("%% @attribute {one}\n")).concat();
            format!("```mermaid\nstateDiagram-v2\n%% @name {name}\n{attributes}{body}```\n\n")
        }
        false => {
            let attributes = attributes.map(|one| format!("' @attribute {one}\n")).concat();
            format!("```plantuml\n@startuml {name}\n{attributes}{body}@enduml\n```\n\n")
        }
    }
}

/// Whether a token belongs to the parameter of a trigger that the label does not use: then its name says nothing.
fn is_idle(label: &str, (start, _): (usize, usize)) -> bool {
    let uses = tokens(label).into_iter().filter(|(start, end)| &label[*start..*end] == "k").count();
    let list = label.find('(').zip(label.find(')')).filter(|_| label.starts_with("put("));
    uses < 2 && list.is_some_and(|(open, close)| (open..=close).contains(&start))
}

/// Labels of one machine and their parts.
type Labels = (Vec<String>, Vec<String>);

/// The label of this number: those of transitions first.
fn label(all: &Labels, at: usize) -> &String {
    if at < all.0.len() { &all.0[at] } else { &all.1[at - all.0.len()] }
}

fn with_label(all: &Labels, at: usize, text: String) -> Labels {
    let mut changed = all.clone();
    let place = if at < all.0.len() { &mut changed.0[at] } else { &mut changed.1[at - all.0.len()] };
    *place = text;
    changed
}

#[test]
fn every_token_of_a_label_has_a_meaning_or_a_finding() {
    for seed in seeds(2) {
        let mut random = Random::new(seed);
        let is_mermaid = seed % 2 == 1;
        let [a, b] = [labels(&mut random, "b"), labels(&mut random, "a")];
        let text = |a: &Labels| written(is_mermaid, "a", a) + &written(is_mermaid, "b", &b);
        let whole = reading("all.md", &text(&a));
        let known: BTreeSet<&String> = whole.found.iter().collect();
        assert!(whole.system.is_some(), "it is not run\n{}", text(&a));
        for at in 0..a.0.len() + a.1.len() {
            let old = label(&a, at);
            for (start, end) in tokens(old).into_iter().filter(|place| !is_idle(old, *place)) {
                for instead in ["", "zzz"] {
                    let new = format!("{}{instead}{}", &old[..start], &old[end..]);
                    let changed = with_label(&a, at, new.clone());
                    let other = reading("all.md", &text(&changed));
                    let is_told = other.found.iter().any(|one| !known.contains(one));
                    let is_other = !is_same(&whole.system, &other.system);
                    assert!(
                        is_told || is_other,
                        "nothing is said of `{new}` instead of `{old}`\n{}",
                        text(&changed)
                    );
                }
            }
        }
    }
}

/// What may be written in an effect's place: sends, assignments, prose, with tokens too many, too few or misspelt.
const ODD_EFFECTS: [&str; 24] = [
    "^b.hello card",
    "^hello too b",
    "^b.hello(",
    "b.hello(1",
    "b.hello)",
    "^b.",
    "^.hello",
    "^b..hello",
    "^^b.hello",
    "^b.hello^b.hello",
    "^b:hello",
    "^b!hello",
    "b!hello",
    "hello -> b",
    "tell b about it",
    "if (x) ^b.hello",
    "b . hello",
    "x == 1",
    "x = ",
    "x = 1 2",
    "x + 1",
    "b.x = 1",
    "= 1",
    "/ ^b.hello",
];

/// The same for guards.
const ODD_GUARDS: [&str; 15] = [
    "x >",
    "> 1",
    "x > 1 x",
    "x >> 1",
    "x > 1 and",
    "x > 1.5",
    "b.y > 1",
    "self.y > 1",
    "a.y",
    "in(b, Z)",
    "!in(Z)",
    "in(zzz, A)",
    "b in A",
    "k > 2",
    "(x > 1",
];

/// Whether an effect or guard that stands alone in a small machine is told of, or means something else than if it were not there.
fn is_heeded(before: &str, part: &str, attributes: &str) -> bool {
    let machine = |name: &str, attributes: &str, label: &str| {
        format!("```plantuml\n@startuml {name}\n{attributes}[*] --> A\nA --> B : {label}\n@enduml\n```\n\n")
    };
    let folder = |label: &str| {
        let b = machine("b", "", "hello / seen = true");
        machine("a", attributes, label) + &b
    };
    let [with, without] = [format!("{before}{part}"), before.trim_end_matches([' ', '/', '[']).to_owned()];
    let [with, without] = [with, without].map(|label| reading("all.md", &folder(&label)));
    let known: BTreeSet<&String> = without.found.iter().collect();
    with.found.iter().any(|one| !known.contains(one)) || !is_same(&with.system, &without.system)
}

#[test]
fn odd_parts_of_labels_are_heeded_in_every_machine() {
    let attributes = ["", "' @attribute x : 0..3 = 1\n", "' @attribute p : bool\n"];
    for data in attributes {
        for effect in ODD_EFFECTS {
            assert!(is_heeded("go / ", effect, data), "nothing is said of the effect `{effect}` {data}");
        }
        for guard in ODD_GUARDS {
            let part = format!("{guard}]");
            assert!(is_heeded("go [", &part, data), "nothing is said of the guard `{guard}` {data}");
        }
    }
}

/// Tokens that people leave in by mistake.
const STRAY: [&str; 11] = ["card", "to", "3", ")", "(", "]", "[", "=", "^", ".", "!"];

/// A token too many in a guard or an effect is not passed over: it is reported, or something else happens.
#[test]
fn stray_tokens_are_not_passed_over() {
    for seed in seeds(3) {
        let mut random = Random::new(seed.wrapping_add(1 << 32));
        let [a, b] = [labels(&mut random, "b"), labels(&mut random, "a")];
        let text = |a: &Labels| written(false, "a", a) + &written(false, "b", &b);
        let whole = reading("all.md", &text(&a));
        let known: BTreeSet<&String> = whole.found.iter().collect();
        for at in 0..a.0.len() + a.1.len() {
            let old = label(&a, at);
            let Some(first) = old.find(['[', '/']) else { continue };
            let all: Vec<usize> =
                tokens(old).into_iter().map(|(_, end)| end).filter(|end| *end > first).collect();
            for _ in 0..4 {
                let end = all[random.below(all.len())];
                let stray = STRAY[random.below(STRAY.len())];
                let new = format!("{} {stray}{}", &old[..end], &old[end..]);
                let changed = with_label(&a, at, new.clone());
                let other = reading("all.md", &text(&changed));
                let is_told = other.found.iter().any(|one| !known.contains(one));
                let is_other = !is_same(&whole.system, &other.system);
                assert!(
                    is_told || is_other,
                    "nothing is said of `{new}` instead of `{old}`\n{}",
                    text(&changed)
                );
            }
        }
    }
}
