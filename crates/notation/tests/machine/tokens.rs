//! Every token of every label, question and signature has a meaning or a finding (rule M7): in random machines a token is deleted or misspelt, and then
//! the System is another one, or something is reported that was not before.

use std::collections::BTreeSet;

use sequent_kernel::lint;
use sequent_kernel::model::{Check, Question, Scheduling};
use sequent_kernel::random::Random;
use sequent_kernel::semantics::objects::{lower_objects, structure};
use sequent_kernel::source::{Folders, Sources};
use sequent_kernel::system::System;
use sequent_notation::{Context, resolve};
use sequent_testing::seeds::seeds;

/// What a text says: the System of its machines, what it asks, and what is reported about it, without places.
struct Reading {
    system: Option<System>,
    questions: Vec<(Question, Option<Scheduling>)>,
    found: Vec<String>,
}

fn reading(name: &str, text: &str) -> Reading {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let mut diagnostics = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut diagnostics);
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
    let asked = |check: &Check| (check.question.clone(), check.fairness);
    let questions = model.checks.iter().map(asked).collect();
    Reading { system, questions, found }
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

/// What a first value may be made of.
const PIECES: [&str; 22] = [
    "0",
    "1",
    "2",
    "3",
    "-1",
    "true",
    "false",
    "Red",
    "Green",
    "Colour.Red",
    "Tint.Red",
    "two",
    "+",
    "(",
    ")",
    "=",
    ";",
    "//",
    ",",
    "?",
    "~",
    "two",
];

/// The types of attributes, each with the literals that are its values, in order from the least value.
const TYPES: [(&str, i32, &[&[&str]]); 4] = [
    ("0..2", 0, &[&["0"], &["1"], &["2"]]),
    ("-2..-1", -2, &[&["-2"], &["-1"]]),
    ("bool", 0, &[&["false", "0"], &["true", "1"]]),
    ("Colour", 0, &[&["Red", "Colour.Red"], &["Green"]]),
];

/// Three ways to give an attribute its first value: for the machine, for the class, for the object.
fn given(way: usize, kind: &str, text: &str) -> String {
    let diagram = |body: &str| format!("```plantuml\n@startuml\n{body}@enduml\n```\n\n");
    let [own, of_class, slot] = [way == 0, way == 1, way == 2].map(|is_it| if is_it { text } else { "" });
    let own = if own.is_empty() { String::new() } else { format!("' @attribute n : {kind}{own}\n") };
    let class = format!("enum Colour {{\n Red\n Green\n}}\nclass m {{\n n : {kind}{of_class}\n}}\n");
    let slot = if slot.is_empty() { String::new() } else { format!("n{slot}\n") };
    let object = format!("object \"a : m\" as a {{\n{slot}}}\n");
    let machine = format!(
        "```plantuml\n@startuml m\n{own}[*] --> A\nA --> B : go [n == n] / ^self.hello\nB --> A : hello\n@enduml\n```\n\n"
    );
    machine + &diagram(&class) + &diagram(&object)
}

/// The first value of the attribute, if it has one.
fn first_value(system: &Option<System>) -> Option<i32> {
    let mut variables = system.as_ref()?.variables.iter();
    variables.find(|variable| variable.name == "a.n").map(|variable| variable.initial)
}

/// A first value is one literal of the type, and is that value; all else is reported.
#[test]
fn first_values_are_read_or_reported() {
    for seed in seeds(150) {
        let mut random = Random::new(seed.wrapping_add(2 << 32));
        let (kind, least, literals) = TYPES[random.below(TYPES.len())];
        let way = random.below(3);
        let [bare] = [given(way, kind, "")].map(|text| reading("all.md", &text));
        let zero = if kind == "-2..-1" { -2 } else { 0 };
        assert_eq!(first_value(&bare.system), Some(zero), "{kind} begins with the least value but 0");
        let between = if random.percent(50) { " " } else { "" };
        let pieces: Vec<&str> = (0..=random.below(3)).map(|_| any(&mut random, &PIECES)).collect();
        let text = pieces.join(between);
        let value = text.trim().trim_end_matches(';').trim();
        let at = literals.iter().position(|same| same.contains(&value));
        let other = reading("all.md", &given(way, kind, &format!(" = {text}")));
        let told = || other.found.iter().any(|one| !bare.found.contains(one));
        match at {
            Some(at) => assert_eq!(first_value(&other.system), Some(least + at as i32), "{kind} = {text}"),
            None => assert!(told(), "nothing is said of `n : {kind} = {text}` {way}: {:?}", other.found),
        }
    }
}

/// What is no value of an attribute in an object, and looks like one.
#[test]
fn odd_lines_of_objects_are_reported() {
    let whole = reading("all.md", &given(2, "0..2", " = 1"));
    for line in [" : 2", " := 2", " 2", " ~ 2", "n = 2", " == 2", " = 2 2"] {
        let other = reading("all.md", &given(2, "0..2", line));
        assert!(other.found.iter().any(|one| !whole.found.contains(one)), "nothing is said of `n{line}`");
    }
    let nameless = given(2, "0..2", " = 1").replace("{\nn = 1", "{\n= 1");
    assert!(!reading("all.md", &nameless).found.is_empty(), "nothing is said of `= 1`");
}

/// Named arguments mean the same wherever they stand.
#[test]
fn arguments_go_by_name() {
    let folder = |send: &str| {
        let sender =
            format!("```plantuml\n@startuml a\n[*] --> S\nS --> S : go / ^b.m({send})\n@enduml\n```\n\n");
        sender
            + "```plantuml\n@startuml b\n' @attribute s : 0..7 = 0\n[*] --> S\nS --> S : m(x, y, z) / s = x + 2 * y + z\n@enduml\n```\n\n"
    };
    let shown = |reading: &Reading| {
        let system = reading.system.as_ref().expect("it is run");
        let terms: Vec<_> = system.terms.ids().map(|id| system.terms.node(id)).collect();
        let rules = system.rules.iter().map(|rule| (rule.component, rule.guard, rule.event, &rule.updates));
        let events: Vec<&String> = system.events.iter().map(|event| &event.text).collect();
        format!("{events:?} {:?} {terms:?} {:?}", system.variables, rules.collect::<Vec<_>>())
    };
    let whole = reading("all.md", &folder("0, 1, 2"));
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let send: Vec<String> = order.iter().map(|at| format!("{} = {at}", ["x", "y", "z"][*at])).collect();
        let other = reading("all.md", &folder(&send.join(", ")));
        assert_eq!(other.found, whole.found, "{send:?}");
        assert_eq!(shown(&other), shown(&whole), "{send:?}");
    }
    assert_eq!(shown(&reading("all.md", &folder("0, z = 2, y = 1"))), shown(&whole));
    for send in ["z=1,w=2", "x=1,x=2,y=1", "1,x=2,z=1", "w=1"] {
        let other = reading("all.md", &folder(send));
        assert!(other.found.iter().any(|one| one.contains("E614")), "nothing is said of `{send}`");
    }
}

/// What is found in a machine, beside another with the states `U` and `V` about which something is asked, and not without some of its text.
fn news(attributes: [&str; 2], label: [&str; 2], line: [&str; 2]) -> Vec<String> {
    let folder = |at: usize| {
        let (attributes, label, line) = (attributes[at], label[at], line[at]);
        format!(
            "```plantuml\n@startuml a\n{attributes}[*] --> S\nS --> T : {label}\nT : {line}\n@enduml\n```\n\n```plantuml\n@startuml b\n' @reachable b.V\n[*] --> U\nU --> V : tick\n@enduml\n```\n\n"
        )
    };
    let [with, without] = [0, 1].map(|at| reading("all.md", &folder(at)).found);
    with.into_iter().filter(|one| !without.contains(one)).collect()
}

/// Names that nothing has are reported on either side of a comparison with a parameter, and so are tests of no state.
#[test]
fn names_that_nothing_has_are_reported_in_guards() {
    let operators = ["==", "!=", "<", "<=", ">", ">="];
    let mut guards: Vec<String> = operators.iter().map(|sign| format!("k {sign} zz")).collect();
    guards.extend(operators.iter().map(|sign| format!("zz {sign} k")));
    guards.extend(["k == zz + 1", "k == zz or k == 9", "!(k == zz)"].map(str::to_owned));
    let no_states =
        ["in(b,U,V)", "in()", "in(in(b,U))", "in(\"b\",U)", "in(b,\"U\")", "in(b,1)", "in(bb,U)", "in(b,UU)"];
    let names = guards.iter().map(|guard| (guard.as_str(), "`zz`"));
    for (guard, word) in names.chain(no_states.map(|guard| (guard, "W613"))) {
        let found = news([""; 2], [&format!("m(k) [{guard}]"), "m(k)"], ["plain"; 2]);
        assert!(found.iter().any(|one| one.contains(word)), "nothing is said of `[{guard}]`: {found:?}");
    }
}

/// A contract that is not looked at is reported.
#[test]
fn names_that_nothing_has_are_reported_in_contracts() {
    let own = "' @attribute n : 0..3 = 0\n";
    for (name, condition) in [
        ("m", "nn == 3"),
        ("mm", "n == 3"),
        ("m", "in(SS)"),
        ("m", "in(bb,U)"),
        ("m", "b.q == 1"),
        ("m", "n == three"),
        ("m", "n < true"),
        ("m", "foo(k)"),
        ("back, m", "n < 3"),
    ] {
        for word in ["pre", "post"] {
            let contract = format!("{own}' @{word} {name} : {condition}\n");
            let found = news([&contract, own], ["m(k)"; 2], ["plain"; 2]);
            assert!(!found.is_empty(), "nothing is said of `@{word} {name} : {condition}`");
        }
    }
    let sound = format!("{own}' @pre m : n < 3 && in(S)\n");
    assert_eq!(news([&sound, own], ["m(k)"; 2], ["plain"; 2]), Vec::<String>::new());
}

/// Lines of a state that begin like a behaviour and are none, in a machine without data too.
#[test]
fn odd_lines_of_states_are_reported() {
    for line in ["entry ^b.m", "exit n = 3", "^b.m", "do ^b.m", "late [x] / defer", "entry n = 3"] {
        let found = news([""; 2], ["m(k)"; 2], [line, "plain"]);
        assert!(!found.is_empty(), "nothing is said of `{line}`");
    }
}

/// Declarations of operations that are not understood are reported, and others are not.
#[test]
fn odd_declarations_of_operations_are_reported() {
    let found = |operation: &str| {
        let class = format!("```plantuml\n@startuml\nclass a {{\n {operation}\n}}\n@enduml\n```\n\n");
        let machine = "```plantuml\n@startuml a\n[*] --> S\nS --> T : m\n@enduml\n```\n\n";
        reading("all.md", &(class + machine)).found
    };
    let plain = found("m()");
    let news =
        |operation: &str| found(operation).into_iter().filter(|one| !plain.contains(one)).collect::<Vec<_>>();
    for odd in [
        "m(x : 0~1)",
        "m(x : 1..0)",
        "m(x : 0..)",
        "m(x  0..1)",
        "tick~)",
        "m((k : 0..2)",
        "m( : 0..2)",
        "m(k k : 0..2)",
    ] {
        assert!(!news(odd).is_empty(), "nothing is said of `{odd}`");
    }
    for sound in ["m(x : 0..1)", "m(int x, out y : bool)", "+m(const char* s)"] {
        assert_eq!(news(sound), Vec::<String>::new(), "{sound}");
    }
}

/// Questions about machines, with all their words.
const QUESTIONS: [&str; 6] = [
    "@whenever anchor=start alphabet=own effects=together fair=none",
    "@whenever preset=P4 alphabet=channels",
    "@triggers",
    "@possible effects=unordered within=3",
    "@forbidden anchor=anywhere effects=ordered alphabet=all",
    "@required preset=P1 fair=strong effects=together",
];

/// A question of which a token is missing or misspelt is another question, or reported.
#[test]
fn every_token_of_a_question_has_a_meaning_or_a_finding() {
    let folder = |question: &str| {
        let machine = |name: &str, label: &str| {
            format!("```plantuml\n@startuml {name}\n[*] --> S\nS --> T : {label}\n@enduml\n```\n\n")
        };
        let diagram = format!(
            "```plantuml\n@startuml D\n' {question}\na ->> b : m\ngroup assert\nb ->> a : n\nend\n@enduml\n```\n\n"
        );
        machine("a", "/ ^b.m") + &machine("b", "m / ^a.n") + &diagram
    };
    let asked = |question: &str| {
        let reading = reading("all.md", &folder(question));
        (reading.questions, reading.found)
    };
    for question in QUESTIONS {
        let (whole, known) = asked(question);
        assert_eq!(whole.len(), 1, "{question} {known:?}");
        for (start, end) in tokens(question) {
            for instead in ["", "zzz"] {
                let new = format!("{}{instead}{}", &question[..start], &question[end..]);
                let (questions, found) = asked(&new);
                let is_told = found.iter().any(|one| !known.contains(one));
                assert!(is_told || questions != whole, "nothing is said of `{new}` instead of `{question}`");
            }
        }
    }
}

/// A signature of which a token is missing or misspelt lets others send or take the message, or is reported.
#[test]
fn every_token_of_a_signature_has_a_meaning_or_a_finding() {
    let folder = |operation: &str| {
        let classes = format!("class Bank {{\n {operation}\n}}\nclass ATM\nclass Clerk\n");
        let objects = "object \"b : Bank\" as b\nobject \"a : ATM\" as a\nobject \"c : Clerk\" as c\n";
        let diagram =
            |name: &str, body: &str| format!("```plantuml\n@startuml {name}\n{body}@enduml\n```\n\n");
        let sender = |name: &str| {
            diagram(name, "[*] --> S\nS --> T : / ^b.auth(id = 2)\nT --> S : result(ok)\nT --> T : [ok]\n")
        };
        let bank = "' @attribute known : 0..3 = 2\n[*] --> I\nI --> I : auth(id) / ^a.result(id == known); ^c.result(true)\n";
        diagram("", &classes)
            + &diagram("", objects)
            + &diagram("Bank", bank)
            + &sender("ATM")
            + &sender("Clerk")
    };
    for operation in
        ["auth(from : ATM, to : {self}, in id : 0..3)", "result(from : {self}, to : ATM, in ok : bool)"]
    {
        let whole = reading("all.md", &folder(operation));
        assert!(whole.system.is_some(), "it is not run");
        let is_idle = |(start, end): &(usize, usize)| &operation[*start..*end] == "in";
        for (start, end) in tokens(operation) {
            for instead in ["", "zzz"] {
                if is_idle(&(start, end)) && instead.is_empty() {
                    continue;
                }
                let new = format!("{}{instead}{}", &operation[..start], &operation[end..]);
                let other = reading("all.md", &folder(&new));
                let is_told = other.found.iter().any(|one| !whole.found.contains(one));
                let is_other = !is_same(&whole.system, &other.system);
                assert!(is_told || is_other, "nothing is said of `{new}` instead of `{operation}`");
            }
        }
    }
}

/// Classes and machines in which every token counts.
const PUMPS: &str = "@startuml Types\nclass Pump {\n  level : 0..3 = 1\n  fill(n : 1..2)\n  ack(ok : bool)\n}\nclass Valve {\n  open : bool = false\n  probe() : bool\n}\n@enduml\n@startuml Pump\n[*] --> Idle\nIdle --> Run : fill(n) [n > 1] / level = n; ^Valve.turn\nRun --> Idle : ack(ok) [ok] / level = 0\nRun --> Idle : after(5s)\n@enduml\n@startuml Valve\n[*] --> Shut\nShut --> Ajar : turn / open = true; ^Pump.ack(true)\nShut --> Shut : probe / return open\n@enduml\n";

/// A sketch of a machine, which says nothing of data.
const SKETCH: &str = "stateDiagram-v2\n[*] --> A\nA --> B : go [ready]\nB --> A : back(1)\nB --> [*]\n";

/// A scenario with a list of messages, and an order.
const LISTS: &str = "@startuml\n' @order !p < ?q\npar\na ->> b : p\nelse\nc ->> b : q\nend\ngroup consider {p, q}\na ->> b : p\nend\n@enduml\n";

#[test]
fn slips_are_told() {
    let slips = [
        ("a.puml", PUMPS, "[n > 1] /", "[] /", "W616 the guard `[]` is empty"),
        ("a.puml", PUMPS, "after(5s)", "after()", "W616 `after()` says not how long it takes"),
        ("a.puml", PUMPS, "ack(ok : bool)", "ack(ok : boool)", "W610 `ok` of `ack` is of type `boool`"),
        ("a.puml", PUMPS, "ack(ok : bool)", "ack(ok : )", "W616 `ok :` in the declaration of `ack`"),
        ("a.puml", PUMPS, "probe() : bool", "probe() : boool", "W610 `probe` returns a `boool`"),
        ("a.puml", PUMPS, "fill(n : 1..2)", "fill(n : 1..2", "W616 `fill(n` is not understood"),
        ("a.puml", PUMPS, "ack(ok : bool)", "acck(ok : bool)", "W312 `Pump` takes `ack` and not `acck`"),
        ("a.puml", PUMPS, "class Valve", "class Vallve", "W312 `Vallve` has no state machine"),
        ("a.puml", PUMPS, "return open", "return opeen", "E618 `Valve` knows nothing of the name `opeen`"),
        ("a.mmd", SKETCH, "[ready]", "[ready", "W616 a bracket is not closed in `go [ready`"),
        ("a.mmd", SKETCH, "back(1)", "back(1", "W616 a bracket is not closed in `back(1`"),
        ("a.mmd", SKETCH, "B --> [*]", "B --> *]", "W219 `*]` is a state of its own"),
        ("a.mmd", SKETCH, "[*] --> A", "[* --> A", "W219 `[*` is a state of its own"),
        ("a.mmd", SKETCH, "[*] --> A", "[] --> A", "W219 `[]` is a state of its own"),
        ("a.puml", LISTS, "@order !p", "@ !p", "W401 a directive has no name"),
        ("a.puml", LISTS, "{p, q}", "{p, q, zep}", "H230 no message is called `zep`"),
    ];
    for (name, text, right, wrong, expected) in slips {
        assert!(text.contains(right), "{right}");
        let [before, after] =
            [text.to_owned(), text.replacen(right, wrong, 1)].map(|text| reading(name, &text).found);
        let is_told = |found: &[String]| found.iter().any(|one| one.starts_with(expected));
        assert!(!is_told(&before) && is_told(&after), "{wrong}: {before:#?} {after:#?}");
    }
}

#[test]
fn words_of_programs_are_no_slips() {
    // A method and the event that it brings about, types that only a program knows.
    let text = "@startuml Types\nclass Door {\n  close()\n  lock(k : uint)\n  key() : String\n}\n@enduml\n@startuml Door\n[*] --> Open\nOpen --> Shut : closed\nShut --> Open : opens (soon)\n@enduml\n";
    let found = reading("a.puml", text).found;
    assert!(!found.iter().any(|one| one.starts_with("W312") || one.starts_with("W61")), "{found:#?}");
}
