//! What single constructs do: machines that tell what they do to nobody in particular, and everything that can be told.

use std::collections::BTreeSet;

use sequent_kernel::model::{Communication, Steps};
use sequent_testing::objects::NaiveObjects;

use crate::build::{model, structure, with};
use crate::graph::Graph;

/// All that one machine tells until it gets stuck or comes to its end, each run as words; what comes from outside is told
/// in brackets.
fn told(text: &str) -> Vec<String> {
    let model = with(&model(text), Communication::Queue, 3, Steps::Direct);
    let structure =
        structure(&model, &[("a", &model.machines.iter().next().expect("there is one").name)], &[]);
    let naive = NaiveObjects::new(&model, &structure);
    let graph = Graph::of(&naive, 20_000).expect("it is small");
    let word = |event: &String| {
        let name = event.rsplit(':').next().unwrap_or_default().to_owned();
        match event.starts_with('?') {
            true => Some(format!("[{name}]")),
            false if event.starts_with("!->") => None,
            false if event.starts_with("!a->a") => None,
            false => Some(name),
        }
    };
    let runs = graph.ended().expect("it comes to an end");
    let runs: BTreeSet<String> =
        runs.iter().map(|run| run.iter().filter_map(word).collect::<Vec<_>>().join(" ")).collect();
    runs.into_iter().collect()
}

/// Whether what is told is this and nothing else.
fn check(text: &str, expected: &[&str]) {
    assert_eq!(told(text), expected);
}

#[test]
fn entry_and_exit() {
    check(
        "[*] --> A : / ^begin
state A {
  [*] --> B : / ^inner
  B : entry / ^inB
  B : exit / ^outB
}
A : entry / ^inA
A : exit / ^outA
B --> C : / ^go
C : entry / ^inC",
        &["begin inA inner inB outB outA go inC"],
    );
}

#[test]
fn regions_are_entered_in_parallel() {
    check(
        "[*] --> A
state A {
  [*] --> B
  B : entry / ^b
  --
  [*] --> C
  C : entry / ^c1; ^c2
}",
        &["b c1 c2", "c1 b c2", "c1 c2 b"],
    );
}

#[test]
fn completion_waits_for_all_regions() {
    check(
        "[*] --> A
state A {
  [*] --> B
  B --> [*] : / ^b
  --
  [*] --> C
  C --> [*] : / ^c
}
A --> D : / ^d",
        &["b c d", "c b d"],
    );
}

#[test]
fn inner_transitions_first() {
    check(
        "[*] --> S : / ^self.m; ^self.m
state S {
  [*] --> A
  A --> B : m / ^inner
}
S --> T : m / ^outer",
        &["[m] inner [m] outer"],
    );
}

#[test]
fn deferred_messages_come_later() {
    check(
        "[*] --> A : / ^self.m; ^self.n
A : m / defer
A --> B : n / ^n1
B --> C : m / ^m1",
        &["[n] n1 [m] m1"],
    );
}

#[test]
fn messages_that_nobody_takes_are_lost() {
    check("[*] --> A : / ^self.m; ^self.n\nA --> B : n / ^n1\nB --> C : m / ^m1", &["[m] [n] n1"]);
}

#[test]
fn a_choice_sees_effects_and_a_junction_does_not() {
    let machine = |kind: &str| {
        format!(
            "' @attribute x : 0..1 = 0
[*] --> A
state c <<{kind}>>
A --> c : / x = 1
c --> B : [x == 1] / ^one
c --> C : [else] / ^zero"
        )
    };
    check(&machine("choice"), &["one"]);
    check(&machine("junction"), &["zero"]);
}

#[test]
fn history() {
    let machine = |history: &str| {
        format!(
            "' @attribute x : 0..1 = 0
[*] --> S
state S {{
  [*] --> A
  A --> B
  state B {{
    [*] --> C
    C : entry / ^c
    C --> D : [x == 0]
    D : entry / ^d
  }}
}}
S --> T : after(1s) [x == 0] / x = 1
T --> S{history}"
        )
    };
    let told = told(&machine("[H]"));
    assert!(told.contains(&"c d c".to_owned()), "{told:?}");
    let told = self::told(&machine("[H*]"));
    assert!(told.contains(&"c d d".to_owned()), "{told:?}");
}

#[test]
fn fork_and_join() {
    check(
        "[*] --> f
state f <<fork>>
state j <<join>>
state S {
  A : entry / ^a
  A --> j
  --
  B : entry / ^b
  B --> C
  C : entry / ^c
  C --> j
}
f --> A
f --> B
j --> T : / ^t",
        &["a b c t", "b a c t"],
    );
}

#[test]
fn entry_and_exit_points() {
    check(
        "[*] --> in : / ^e1
state S {
  state in <<entryPoint>>
  state out <<exitPoint>>
  in --> A : / ^e2
  A : entry / ^e3
  A --> out : / ^e4
}
S : entry / ^inS
S : exit / ^outS
out --> T : / ^e5",
        &["e1 inS e2 e3 e4 outS e5"],
    );
}

#[test]
fn activities() {
    check("[*] --> A\nA : entry / ^in\nA : do / ^one; ^two\nA --> B : / ^over", &["in one two over"]);
}

#[test]
fn termination() {
    check("[*] --> A\nA : exit / ^out\nstate t <<terminate>>\nA --> t : / ^go", &["out go a"]);
}

#[test]
fn prose_guards_exclude_each_other() {
    check("[*] --> A\nA --> B : [it rains] / ^b\nA --> C : [it snows] / ^c", &["b", "c"]);
    check("[*] --> A\nA --> B : [it rains] / ^b", &["", "b"]);
    check("[*] --> A\nA --> B : [it rains] / ^b\nA --> C : [else] / ^c", &["b", "c"]);
}

#[test]
fn internal_transitions() {
    check(
        "[*] --> A : / ^self.m\nA : entry / ^in\nA : exit / ^out\nA : m / ^inside; ^self.n\nA --> A : n / ^around; ^self.k",
        &["in [m] inside [n] out around in [k]"],
    );
}

#[test]
fn any_takes_the_rest() {
    check("[*] --> A : / ^self.m; ^self.n\nA --> A : m / ^m1\nA --> A : any / ^rest", &["[m] m1 [n] rest"]);
}
