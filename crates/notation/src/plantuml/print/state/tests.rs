//! Machines printed and read again.

use expect_test::{Expect, expect};
use sequent_kernel::source::{Sources, Span};

use super::*;
use crate::line;
use crate::tree::{DiagramBlock, DiagramContent, Notation};

fn read(input: &str) -> Machine {
    let mut sources = Sources::new();
    let file = sources.add("a.puml", input);
    let lines = line::cut(file, sources.get(file), 0..input.len());
    let lines: Vec<_> = lines.into_iter().filter(|line| !line.text.starts_with('@')).collect();
    let mut diagnostics = Vec::new();
    let statements = crate::plantuml::state::read(&lines, &mut diagnostics);
    let block = DiagramBlock {
        notation: Notation::PlantUml,
        span: Span::new(file, 0, input.len()),
        name: None,
        heading: None,
        content: DiagramContent::Other(String::new()),
    };
    crate::resolve::state::machine(&block, &statements, "M".to_owned(), &mut diagnostics)
}

fn check(input: &str, expected: Expect) {
    let machine = read(input);
    let printed = print(&machine);
    expected.assert_eq(&printed);
    assert_eq!(read(&printed), machine);
}

#[test]
fn composites_are_opened_where_their_transitions_come() {
    check(
        "[*] --> S\nstate S {\n [*] --> A\n A --> B : go\n state B : entry / x()\n B --> [*]\n}\nS --> T\nA --> B : later\nT --> S[H]\nstate \"The T\" as T #red\n",
        expect![[r#"
            @startuml M
            [*] --> S
            state S {
              state B
              B : entry / x()
              [*] --> A
              A --> B : go
              B --> [*]
            }
            S --> T
            A --> B : later
            T --> S[H]
            state "The T" as T #red
            @enduml
        "#]],
    );
}

#[test]
fn regions() {
    check(
        "state S {\n [*] --> A\n state I {\n  [*] --> J\n }\n --\n [*] --> C\n C --> D : x\n --\n state E\n E --> [H]\n}\n[*] --> S\nC --> D : y\n",
        expect![[r#"
            @startuml M
            state S {
              [*] --> A
              state I {
                [*] --> J
              }
            --
              [*] --> C
              C --> D : x
            --
              state E
              E --> [H]
            }
            [*] --> S
            C --> D : y
            @enduml
        "#]],
    );
}

#[test]
fn states_only_named_by_transitions_stay_where_they_are() {
    check(
        "state S {\n A --> B\n}\nstate T {\n A --> C\n C --> S\n}\nX --> T.Y\nX --> A\nX -[hidden]-> Z\n",
        expect![[r#"
            @startuml M
            state S {
              A --> B
            }
            state T {
              A --> C
            }
            C --> S
            state X
            state Z
            state T {
              X --> Y
            }
            X --> A
            @enduml
        "#]],
    );
}

#[test]
fn bodies_notes_and_odd_names() {
    check(
        "title Two\\nlines\nstate \"my state\"\n\"my state\" : text\nstate c <<choice>>\nstate p <<end>>\nstate A : do / f(x); y := 1\nA : e [g] / z\nA : q / defer\nA --> c : + x\nnote on link : one\nnote left of A\n two\n\n  lines\nend note\nnote \"free\" as N\nc --> p : -[else]\n",
        expect![[r#"
            @startuml M
            title Two\nlines
            state "my state"
            "my state" : text
            state c <<choice>>
            state p <<end>>
            state A
            A : do / f(x)
            A : do / y = 1
            A : defer / q
            A : e [g] / z
            A --> c : x
            note on link : one
            c --> p : [else]
            note "free" as N1
            note left of A
            two

             lines
            end note
            @enduml
        "#]],
    );
}
