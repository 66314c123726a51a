//! Machines from PlantUML and Mermaid text.

use expect_test::{Expect, expect};
use sequent_kernel::model::{Effect, VertexId, VertexKind};
use sequent_kernel::source::{Sources, Span};

use super::*;
use crate::label;
use crate::line;
use crate::tree::DiagramContent;

/// The machine as an indented list, then its transitions, notes and complaints.
fn check(input: &str, expected: Expect) {
    let mut sources = Sources::new();
    let file = sources.add("a.puml", input);
    let lines = line::cut(file, sources.get(file), 0..input.len());
    let mut diagnostics = Vec::new();
    let statements = crate::plantuml::state::read(&lines, &mut diagnostics);
    let block = DiagramBlock {
        notation: Notation::PlantUml,
        span: Span::new(file, 0, input.len()),
        name: None,
        heading: None,
        content: DiagramContent::Other(String::new()),
    };
    let machine = machine(&block, &statements, "m".to_owned(), &mut diagnostics);
    let mut out = shown(&machine);
    for diagnostic in diagnostics {
        out += &format!(
            "{} at {}: {}\n",
            diagnostic.name(),
            sources.position(diagnostic.span).line,
            diagnostic.message
        );
    }
    expected.assert_eq(&out);
}

fn shown(machine: &Machine) -> String {
    let mut out = String::new();
    for (id, vertex) in machine.vertices.enumerate() {
        let siblings = machine.parent(id).map(|parent| match &machine.vertices[parent].kind {
            VertexKind::State(body) => body.regions.clone(),
            _ => unreachable!("only states have content"),
        });
        let siblings = siblings.unwrap_or_else(|| machine.top_regions().collect());
        let number = siblings.iter().position(|region| *region == vertex.region).expect("in a region");
        out += &format!("{}{number} {}", "  ".repeat(depth(machine, id)), vertex.name);
        if vertex.label != vertex.name && !vertex.label.is_empty() {
            out += &format!(" {:?}", vertex.label);
        }
        if let VertexKind::State(body) = &vertex.kind {
            for (word, effects) in [("entry", &body.entry), ("exit", &body.exit), ("do", &body.activity)] {
                if !effects.is_empty() {
                    let effects: Vec<String> =
                        effects.iter().map(|effect: &Effect| label::effect(effect)).collect();
                    out += &format!(", {word} {}", effects.join("; "));
                }
            }
            body.deferred.iter().for_each(|trigger| out += &format!(", defer {}", label::trigger(trigger)));
            body.description.iter().for_each(|text| out += &format!(", {text:?}"));
        } else {
            out += &format!(" {:?}", vertex.kind);
        }
        vertex.stereotypes.iter().for_each(|word| out += &format!(" <<{word}>>"));
        out += if vertex.declared { "\n" } else { " undeclared\n" };
    }
    for transition in &machine.transitions {
        let name = |id: VertexId| &machine.vertices[id].name;
        out += &format!(
            "{:?} {} -> {} {:?}\n",
            transition.kind,
            name(transition.source),
            name(transition.target),
            transition.text
        );
    }
    for note in &machine.notes {
        let vertex = note.vertex.map(|id| machine.vertices[id].name.clone());
        out += &format!("note {vertex:?} {:?} {:?}\n", note.transition, note.text);
    }
    out
}

fn depth(machine: &Machine, vertex: VertexId) -> usize {
    machine.parent(vertex).map_or(0, |parent| 1 + depth(machine, parent))
}

#[test]
fn composites_and_regions() {
    check(
        "[*] --> S\nstate S {\n  [*] --> A\n  A --> B : go\n  --\n  [*] --> C\n  C --> [*]\n}\nS --> [*]\n",
        expect![[r#"
            0 *start* Initial undeclared
            0 S
              0 *start*S Initial undeclared
              0 A undeclared
              0 B undeclared
              1 *start*S#2 Initial undeclared
              1 C undeclared
              1 *end*S#2 Final undeclared
            0 *end* Final undeclared
            External *start* -> S ""
            External *start*S -> A ""
            External A -> B "go"
            External *start*S#2 -> C ""
            External C -> *end*S#2 ""
            External S -> *end* ""
        "#]],
    );
}

#[test]
fn a_name_means_the_only_state_of_that_name() {
    check(
        "state S {\n  state A\n}\nA --> B\nstate T {\n  B --> A\n  A --> T\n}\nS.X --> T.Y\nU.Z --> A\n",
        expect![[r#"
            0 S
              0 A
              0 X undeclared
            0 T
              0 Y undeclared
            0 U
              0 Z undeclared
            0 B undeclared
            External A -> B ""
            External B -> A ""
            External A -> T ""
            External X -> Y ""
            External Z -> A ""
            E302 at 10: there is no composite state `U`
        "#]],
    );
}

#[test]
fn kinds_of_vertices() {
    check(
        "state S {\n state i <<entryPoint>>\n state p <<inputPin>>\n state o <<exitPoint>>\n}\nstate c <<choice>>\nstate f <<fork>>\nstate s <<start>>\nstate e <<end>>\nstate h <<history*>>\nstate t <<terminate>>\nstate x <<sdlreceive>> #red\nA --> S[H]\nB --> S[H*]\n==bar== --> A\nA --> ==bar2==\nB --> ==bar2==\nstate q <<exitPoint>>\n",
        expect![[r#"
            0 S
              0 *history*S ShallowHistory undeclared
              0 *deephistory*S DeepHistory undeclared
              0 i Entry
              0 p Entry <<inputPin>>
              0 o Exit
            0 c Choice
            0 f Fork
            0 s Initial
            0 e Final
            0 h DeepHistory
            0 t Terminate
            0 x <<sdlreceive>>
            0 q Exit
            0 bar Fork
            0 bar2 Join
            0 A undeclared
            0 B undeclared
            External A -> *history*S ""
            External B -> *deephistory*S ""
            External bar -> A ""
            External A -> bar2 ""
            External B -> bar2 ""
            W116 at 18: `q` is an entry or exit point, but of no composite state
        "#]],
    );
}

#[test]
fn bodies() {
    check(
        "state \"Long\\nname\" as A : entry / x = 1\nA : exit: y()\nA : do / spin\nA : e1 [x > 0] / x--\nA : e2 / defer\nA : just text\nstate B {\n  B : entry / z\n  C : in B\n}\n",
        expect![[r#"
            0 A "Long\nname", entry x = 1, exit y(), do spin, defer e2, "just text"
            0 B, entry z
              0 C, "in B"
            Internal A -> A "e1 [x > 0] / x--"
        "#]],
    );
}

#[test]
fn local_transitions() {
    check(
        "state S {\n state i <<entryPoint>>\n state T {\n  state A\n }\n i --> A <<local>> : x\n}\nS --> A <<local>> : e\nA --> S <<local>> : f\n",
        expect![[r#"
            0 S
              0 i Entry
              0 T
                0 A
            External i -> A "x"
            Local S -> A "e"
            External A -> S "f"
            W650 at 9: `S` does not lie inside `A`
        "#]],
    );
}

#[test]
fn notes() {
    check(
        "note left : nothing yet\nstate A\nnote right : of A\nA --> B : x\nnote on link : l\nnote left of B : of B\nnote left of Z : of nobody\nnote \"free\" as N\nA --> N\n",
        expect![[r#"
            0 A
            0 B undeclared
            External A -> B "x"
            note None Some(TransitionId(0)) "l"
            note None None "free"
            note Some("A") None "of A"
            note Some("B") None "of B"
            E114 at 1: no state is declared above that this note could be attached to
            E114 at 7: there is no state `Z` this note could be attached to
        "#]],
    );
}

#[test]
fn complaints() {
    check(
        "A --> B:x\nstate B\n}\nstate S {\n  state A1\n  --\n  A1 --> A2\n  A2 --> B\n",
        expect![[r#"
            0 B
            0 S
              0 A1
              1 A2 undeclared
            0 A undeclared
            0 B:x undeclared
            External A -> B:x ""
            External A1 -> A2 ""
            External A2 -> B ""
            E103 at 3: this closes nothing: no composite state is open
            W119 at 1: PlantUML takes `B:x` for the name of a state of its own
            W116 at 7: `A1` lies outside of this region
            W116 at 8: `B` lies outside of this region
            W102 at 4: the state `S` is never closed
        "#]],
    );
}
