//! Statements of state diagrams.

use expect_test::{Expect, expect};
use sequent_kernel::source::Sources;

use super::*;
use crate::line;
use crate::tree::state::Endpoint;

/// One line of output per statement, then the complaints.
fn check(input: &str, expected: Expect) {
    let mut sources = Sources::new();
    let file = sources.add("a.puml", input);
    let lines = line::cut(file, sources.get(file), 0..input.len());
    let mut diagnostics = Vec::new();
    let statements = read(&lines, &mut diagnostics);
    let mut out = String::new();
    for statement in &statements {
        out += &match &statement.kind {
            StatementKind::Item(item) => shown(item),
            StatementKind::Title(title) => format!("title {title:?}"),
            StatementKind::Caption(caption) => format!("{caption:?}"),
            StatementKind::Presentation => "looks".to_owned(),
            StatementKind::Unknown => "?".to_owned(),
            StatementKind::Comment | StatementKind::Directive(_) | StatementKind::Preprocessor => {
                unreachable!("taken out before")
            }
        };
        out += "\n";
    }
    for diagnostic in diagnostics {
        out += &format!("{}: {}", diagnostic.name(), diagnostic.message);
        out += &diagnostic.hint.map_or("\n".to_owned(), |hint| format!(" ({hint})\n"));
    }
    expected.assert_eq(&out);
}

fn shown(item: &StateStatement) -> String {
    match item {
        StateStatement::State(state) => {
            let mut out = format!("state {}", name(&state.name));
            state.stereotypes.iter().for_each(|word| out += &format!(" <<{word}>>"));
            out += &state.colour.as_ref().map_or(String::new(), |colour| format!(" {colour}"));
            out += &state.description.as_ref().map_or(String::new(), |text| format!(" : {:?}", text.text));
            out + if state.opens { " {" } else { "" }
        }
        StateStatement::Close => "}".to_owned(),
        StateStatement::Region => "--".to_owned(),
        StateStatement::Transition(transition) => {
            let local = if transition.local { " local" } else { "" };
            let text = &transition.text.text;
            format!("{} --> {}{local} {text:?}", end(&transition.from), end(&transition.to))
        }
        StateStatement::Hidden([from, to]) => format!("{} hidden {}", end(from), end(to)),
        StateStatement::Description { name, text } => format!("{} : {:?}", name.text, text.text),
        StateStatement::Note(note) => format!("note {} {:?}", target(&note.target), note.text.text),
        StateStatement::Separator(separator) => format!("separator {separator:?}"),
    }
}

fn name(name: &Name) -> String {
    name.label.as_ref().map_or(name.text.clone(), |label| format!("{} ({label:?})", name.text))
}

fn end(end: &Endpoint) -> String {
    match end {
        Endpoint::Name(name) => name.text.clone(),
        Endpoint::Star => "[*]".to_owned(),
        Endpoint::StarOf(name) => format!("[*]{}", name.text),
        Endpoint::History { deep } => format!("history {deep}"),
        Endpoint::HistoryOf { name, deep } => format!("history {deep} of {}", name.text),
        Endpoint::Bar(name) => format!("={}=", name.text),
    }
}

fn target(target: &StateNoteTarget) -> String {
    match target {
        StateNoteTarget::Name(name) => name.text.clone(),
        StateNoteTarget::Last => "last".to_owned(),
        StateNoteTarget::LastTransition => "link".to_owned(),
        StateNoteTarget::Floating(name) => format!("as {}", name.as_ref().map_or("", |name| &name.text)),
    }
}

#[test]
fn declarations() {
    check(
        r#"state A
STATE "Long name" as B <<choice>> #red
state C as "Other\nname" $tag <<x>> <<y>> [[http://a.b]] #pink;line:blue ##[dashed]red : entry / f()
state "quoted"
state D {
state E.F begin
}
end state
frame G {
}
state "H" {
state my-state
"#,
        expect![[r#"
            state A
            state B ("Long name") <<choice>> #red
            state C ("Other\nname") <<x>> <<y>> #pink;line:blue : "entry / f()"
            state quoted
            state D {
            state E.F {
            }
            }
            state G <<frame>> {
            }
            ?
            ?
            E101: `state "H" {` is not a valid statement in a state diagram (give the state a name: `state "Long text" as Name`)
            E101: `state my-state` is not a valid statement in a state diagram (names consist of letters, digits, `_` and `.`; other text goes into quotes: `state "my-state" as my_state`)
        "#]],
    );
}

#[test]
fn transitions() {
    check(
        r#"[*] --> A
A -left-> B : go\nnow
A -[#red,dashed]-> B:x y
A -d[bold]->B: x
A->B:x
A <-- B : back
A <-up- B <<s>> : x
B x-->o C
A -[hidden]-> C
A --> [H]
A --> S[H*]
==b1== --> A
A -> [*] : +public
A --> B <<local>> : e
A -->
A --> B :
A -[nonsense]-> B
"#,
        expect![[r#"
            [*] --> A ""
            A --> B "go\nnow"
            A --> B "x y"
            A --> B "x"
            A --> B:x ""
            B --> A "back"
            B --> A "x"
            B --> C ""
            A hidden C
            A --> history false ""
            A --> history true of S ""
            =b1= --> A ""
            A --> [*] "public"
            A --> B local "e"
            ?
            ?
            ?
            E101: `A -->` is not a valid statement in a state diagram (a transition is written `A --> B : trigger [guard] / effect`)
            E101: `A --> B :` is not a valid statement in a state diagram (a transition is written `A --> B : trigger [guard] / effect`)
            E101: `A -[nonsense]-> B` is not a valid statement in a state diagram (a transition is written `A --> B : trigger [guard] / effect`)
        "#]],
    );
}

#[test]
fn notes_and_data() {
    check(
        r#"note left of A : one\nline
note right
 two
  lines
end note
note left of B {
 x
}
note on link #yellow : l
note "free" as N1
note as N2
 more
endnote
json J {
 "a": 1
}
json K [1, 2]
note left of A
 never closed
"#,
        expect![[r#"
            note A "one\nline"
            note last "two\n lines"
            note B "x"
            note link "l"
            note as N1 "free"
            note as N2 "more"
            note as J "\"a\": 1"
            note as K "[1, 2]"
            ?
            ?
            E102: `note left of A` is never closed: `end note` is missing
            E101: `never closed` is not a valid statement in a state diagram
        "#]],
    );
}

#[test]
fn the_rest() {
    check(
        r#"hide empty description
left to right direction
scale 350 width
title: x
title Real
A : x : y
"Long one" : z
--
||
set separator none
skinparm x 1
foo bar
"#,
        expect![[r#"
            looks
            looks
            looks
            title : "x"
            title "Real"
            A : "x : y"
            Long one : "z"
            --
            --
            separator None
            ?
            ?
            E101: `skinparm x 1` is not a valid statement in a state diagram (did you mean `skinparam`?)
            E101: `foo bar` is not a valid statement in a state diagram
        "#]],
    );
}
