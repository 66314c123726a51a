//! Constructs of both notations in which a reader easily goes wrong, and mistakes that must not pass in silence.

use expect_test::{Expect, expect};
use sequent_kernel::lint::lint;
use sequent_kernel::model::Model;
use sequent_kernel::source::Sources;
use sequent_notation::{Context, plantuml, resolve};

/// What a text means, and what is found in it: code, line, message, hint.
fn read(name: &str, text: &str) -> (Model, String) {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let mut found = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut found);
    let document = sequent_notation::read(file, &mut context);
    let (model, more) = resolve::resolve(&[document], &sources);
    found.extend(more);
    found.extend(lint(&model, &Default::default()));
    found.sort();
    let tell = |one: &sequent_kernel::diagnostic::Diagnostic| {
        let line = sources.position(one.span).line;
        format!("{} {line}: {} ({})\n", one.name(), one.message, one.hint.as_deref().unwrap_or_default())
    };
    let told = found.iter().map(tell).collect();
    (model, told)
}

fn mermaid(text: &str, expected: Expect) {
    expected.assert_eq(&read("a.mmd", &format!("sequenceDiagram\n{text}\n")).1);
}

fn uml(text: &str, expected: Expect) {
    expected.assert_eq(&read("a.puml", &format!("@startuml\n{text}\n@enduml\n")).1);
}

/// The texts of all messages and notes.
fn texts(text: &str) -> Vec<String> {
    let (model, told) = read("a.puml", &format!("@startuml\n{text}\n@enduml\n"));
    assert_eq!(told, "", "{text}");
    let interaction = model.interactions.iter().next().expect("a sequence diagram");
    let mut texts: Vec<String> = interaction.messages.iter().map(|message| message.text.clone()).collect();
    interaction.walk(&mut |fragment, _| {
        if let sequent_kernel::model::Fragment::Note(note) = fragment {
            texts.push(note.text.clone());
        }
    });
    texts
}

#[test]
fn names_of_participants() {
    mermaid(
        "participant \"Status Page\" as SP\nA->>SP: x",
        expect![[r#"
        W125 2: Mermaid takes all of `"Status Page" as SP` for one name (write `participant SP as Status Page`)
    "#]],
    );
    mermaid("participant SP as \"Status Page\"\nA->>SP: x", expect![""]);
    mermaid(
        "participant Api\nClient->>Api: x\napi-->>Client: y",
        expect![[r#"
        W219 4: `api` and `Api` are two participants (did you mean `Api`?)
    "#]],
    );
    uml(
        "Client -> Api : x\napi --> Client : y",
        expect![[r#"
        W219 3: `api` and `Api` are two participants (did you mean `Api`?)
    "#]],
    );
    uml(
        "participant \"Payment\" as P\nA -> Payment : x\nPayment --> A : y",
        expect![[r#"
        W219 3: `Payment` is another participant than `P`, which is labelled so (did you mean `P`?)
    "#]],
    );
    uml("participant \"Payment\" as P\nparticipant Payment\nP -> Payment : x", expect![""]);
    uml("participant Api\nparticipant API\nApi -> API : x", expect![""]);
    uml(
        "participant c : Coordinator\nc -> d : x",
        expect![[r#"
        E101 2: `c : Coordinator` is not a valid participant name (write `participant "c : Coordinator" as c`)
    "#]],
    );
    uml("A -> a : x", expect![""]);
}

#[test]
fn destroyed_in_a_branch() {
    uml(
        "A -> B : x\nalt ok\nA -> B : kill\ndestroy B\nelse no\nA -> B : keep\nend\nA -> B : later",
        expect![[r#"
            W205 9: `B` may have ended before this message (let `B` end in all branches, or send this in the others only)
        "#]],
    );
    uml(
        "A -> B : x\nopt ok\ndestroy B\nend\nB -> A : later",
        expect![[r#"
        W205 6: `B` may have ended before this message (let `B` end in all branches, or send this in the others only)
    "#]],
    );
    uml("A -> B : x\nalt ok\ndestroy B\nelse no\ndestroy B\nend", expect![""]);
    uml(
        "A -> B : x\nalt ok\ndestroy B\nelse no\nA -> B : y\nend\ncreate B\nA -> B : again",
        expect![[r#"
        W206 2: `B` does not exist yet (let the creation of `B` come first)
        W206 6: `B` does not exist yet (let the creation of `B` come first)
    "#]],
    );
}

#[test]
fn a_missing_end_is_shown_by_indentation() {
    let text = "A -> B : x\nalt ok\n  loop each\n    A -> B : y\n  B -> A : z\nelse no\n  B -> A : w\nend\nA -> B : last";
    uml(
        text,
        expect![[r#"
            W102 4: `loop` is never closed (add `end` where the block ends)
            W220 7: `loop` has one operand only (put an `alt` inside it, or end it before this line)
        "#]],
    );
    let lines =
        "A->>B: x\nalt ok\n  opt maybe\n    A->>B: y\n  loop each\n    A->>B: y\n  end\nend\nA->>B: last";
    mermaid(
        lines,
        expect![[r#"
            E102 4: `opt` is never closed (add `end` where the block ends)
        "#]],
    );
    // Without indentation it is the outermost.
    mermaid(
        "alt ok\nloop each\nA->>B: y\nend\nA->>B: last",
        expect![[r#"
            E102 2: `alt` is never closed (add `end` where the block ends)
        "#]],
    );
}

#[test]
fn words_of_other_languages() {
    mermaid(
        "A->>B: x\nif ok\nB->>A: y\nelse\nB->>A: z\nend\nA->>B: w",
        expect![[r#"
        E101 3: Mermaid has no `if` (write `alt condition` .. `else` .. `end`, or `opt condition` .. `end`)
    "#]],
    );
    mermaid(
        "while busy\nB->>A: y\nend",
        expect![[r#"
        E101 2: Mermaid has no `while` (write `loop condition` .. `end`)
    "#]],
    );
}

#[test]
fn semicolons_and_notes_in_mermaid() {
    mermaid(
        "A->>B: one; two\nB-->>A: ok",
        expect![[r#"
        E101 2: `;` ends the statement here, and what follows is not a statement (write `#59;` for a semicolon in a text)
    "#]],
    );
    mermaid("A->>B: one; B-->>A: ok", expect![""]);
    mermaid("A->>B: one#59; two\nB-->>A: ok", expect![""]);
    mermaid(
        "A->>B: x\nB->>C: y\nNote over A,B,C: three",
        expect![[r#"
        E101 4: a note stands over one or two participants (name the first and the last: `note over A,last: text`)
    "#]],
    );
    let states = "stateDiagram-v2\n  [*] --> A\n  A --> B : x; y\n";
    assert!(read("a.mmd", states).1.starts_with("W101 3: Mermaid ends the text at `;`"));
}

#[test]
fn quotes_and_brackets_that_are_not_closed() {
    uml(
        "participant \"Foo as X\nX -> Y : a",
        expect![[r#"
        E101 2: `participant "Foo as X` is not a valid statement in a sequence diagram (a quote is not closed: add `"`)
    "#]],
    );
    assert!(read("a.mmd", "stateDiagram-v2\n state \"Foo as X\n [*] --> X\n").1.contains("close the quote"));
}

#[test]
fn numbers_in_texts() {
    let text = "autonumber\nA -> B : first\nnote right : see %autonumber%\nA -> B : again %autonumber%";
    assert_eq!(texts(text), ["first", "again 2", "see 1"]);
    let (model, _) = read("a.puml", "@startuml\nautonumber 10.1\nA -> B : x\nA -> B : y\n@enduml\n");
    let interaction = model.interactions.iter().next().expect("a sequence diagram");
    let numbers: Vec<_> = interaction.messages.iter().filter_map(|one| one.number.clone()).collect();
    assert_eq!(numbers, ["10.1", "10.2"]);
}

#[test]
fn front_matter_after_the_start() {
    assert_eq!(texts("---\ntitle: Front\nconfig:\n  a: b\n---\nA -> B : x"), ["x"]);
}

#[test]
fn returns_to_the_outside_end_the_bar() {
    uml(
        "participant B\n[<- B ++ : call\nreturn ok\n[-> B ++ : call\nreturn ok\ndeactivate B",
        expect![[r#"
        W202 7: `B` is not active here (activate `B` before, or remove the deactivation)
    "#]],
    );
}

#[test]
fn loops_of_the_preprocessor_without_end_make_nothing() {
    let text = "@startuml\nA -> B : before\n!while 1 == 1\nA -> B : turn\n!endwhile\n@enduml\n";
    let (model, told) = read("a.puml", text);
    assert!(told.starts_with("E109"), "{told}");
    let messages: usize = model.interactions.iter().map(|one| one.messages.len()).sum();
    assert!(messages <= 1, "{messages}");
}

#[test]
fn a_keyword_as_a_name_keeps_its_text() {
    let (model, _) = read("a.puml", "@startuml\nparticipant AS as \"X\"\nAS -> B : hello\n@enduml\n");
    let interaction = model.interactions.iter().next().expect("a sequence diagram");
    let printed = plantuml::print::sequence(interaction);
    let (again, told) = read("a.puml", &printed);
    assert_eq!((again.interactions.iter().next(), told.as_str()), (Some(interaction), ""), "{printed}");
}

#[test]
fn hidden_arrows_are_no_messages() {
    assert_eq!(texts("a -> b : m\na -[hidden]> b : n\nb -[#red,hidden]-> c\nb -[bold]> a : o"), ["m", "o"]);
    let (model, _) = read("a.puml", "@startuml\nautonumber\na -[hidden]> b : n\nc -> a : m\n@enduml\n");
    let interaction = model.interactions.iter().next().expect("a sequence diagram");
    let lifelines: Vec<&str> = interaction.lifelines.iter().map(|lifeline| lifeline.name.as_str()).collect();
    assert_eq!(lifelines, ["a", "b", "c"], "the ends of a hidden arrow are there");
    assert_eq!(interaction.messages.iter().next().expect("a message").name, "m");
}

/// One cause has one finding.
#[test]
fn two_spellings_of_a_name_are_told_once() {
    mermaid(
        "participant App\nClient->>App: x\nApp->>Api: y\nAPI-->>App: z\nApp-->>Client: w",
        expect![[r#"
        W219 5: `API` and `Api` are two participants (did you mean `Api`?)
    "#]],
    );
    mermaid(
        "participant A\nbox Shop\nA->>B: x\nB->>A: y\nalt z\nA->>B: z\nend\nend",
        expect![[r#"
        E101 4: a box may hold declarations of participants only (end the box with `end` before anything else)
    "#]],
    );
    uml(
        "A -> B+ : x\n& A -> C+ : y",
        expect![[r#"
        E101 2: `B+` is not a valid participant name (put it in quotes: `"B+"`)
        E101 3: `C+` is not a valid participant name (put it in quotes: `"C+"`)
    "#]],
    );
}

/// Bars are drawn down the page: one that ends in the last operand ends with the fragment.
#[test]
fn bars_that_end_in_an_operand() {
    uml("A -> B ++ : x\nalt good\nB --> A : y\nelse bad\nB --> A -- : z\nend", expect![[""]]);
    uml(
        "A -> B ++ : x\nalt good\nB --> A -- : y\nelse bad\nB --> A : z\nend",
        expect![[r#"
        H201 3: whether `B` is active after this block depends on the branch taken (deactivate `B` once, after the block)
    "#]],
    );
    uml("A -> B ++ : x\nloop parts\nB -> A : y\ndeactivate B\nend", expect![[""]]);
    uml(
        "A -> B : x\nloop parts\nB -> A : y\nactivate B\nend",
        expect![[r#"
        H201 3: whether `B` is active after this block depends on how often the loop runs (deactivate `B` once, after the block)
    "#]],
    );
}

/// An `alt` with one operand is an `opt`; two below each other look like the cases of one decision.
#[test]
fn alternatives_beside_each_other() {
    uml("A -> B : x\nalt good\nB --> A : y\nend\nB --> A : z", expect![[""]]);
    uml(
        "A -> B : x\nalt good\nB --> A : y\nend\n|||\nalt bad\nB --> A : z\nend",
        expect![[r#"
        H208 7: this `alt` and the one above have one operand each: both may happen, or none (write one `alt` with an `else`, or `opt` if both may happen)
    "#]],
    );
    uml("A -> B : x\nalt good\nB --> A : y\nend\nalt good\nB --> A : z\nend", expect![[""]]);
}

/// A broker that passes messages on acts on none of them.
#[test]
fn messages_that_are_passed_on() {
    let events = "A ->> K : a\nK ->> B : a\nK ->> C : a\nB ->> K : b\nC ->> K : c\n";
    uml(
        &format!("{events}K ->> A : b\nK ->> A : c"),
        expect![[r#"
        H222 6: `c` from `C` may reach `K` before `b` from `B`, which is drawn above it (let `K` tell `C` that it has `b` before `C` sends `c`; if the order does not matter, draw both in a coregion of `K`)
    "#]],
    );
    uml(
        &format!("{events}K ->> A : d"),
        expect![[r#"
        W222 6: `c` from `C` may reach `K` before `b` from `B`, which is drawn above it (let `K` tell `C` that it has `b` before `C` sends `c`; if the order does not matter, draw both in a coregion of `K`)
    "#]],
    );
}

#[test]
fn states_that_are_none() {
    uml("[*] --> A\nA --> B : x\nstate P <<alias>>\nP --> A : y", expect![[""]]);
    // Nothing leads to `Start` alone, which is where it begins.
    uml(
        "state Start\nStart --> A\nA --> C1 : x\nstate C {\nstate C1\nstate C2\nC1 --> C2 : y\n}\nC --> A : z",
        expect![[r#"
            H307 2: nothing says in which state `a` begins (if it begins in `Start`, add `[*] --> Start`)
        "#]],
    );
}

#[test]
fn blocks_of_other_languages() {
    uml(
        "a -> b : m\nif ok\nb -> a : y\nelse\nb -> a : n\nend\nalt x\na -> b : z\nend",
        expect![[r#"
            E101 3: sequence diagrams have no `if` (write `alt condition` .. `else` .. `end`, or `opt condition` .. `end`)
        "#]],
    );
}

/// Blocks that are closed with the word of another language end there: one slip, one finding.
#[test]
fn ends_of_other_languages() {
    uml(
        "loop 3 times\na -> b : x\nendloop\nalt x\na -> b : y\nEND_ALT",
        expect![[r#"
            E101 4: `endloop` is not a valid statement in a sequence diagram (did you mean `end`?)
            E101 7: `END_ALT` is not a valid statement in a sequence diagram (did you mean `end`?)
        "#]],
    );
    uml(
        "a -> b : m\nif ok\nb -> a : y\nendif",
        expect![[r#"
            E101 3: sequence diagrams have no `if` (write `alt condition` .. `else` .. `end`, or `opt condition` .. `end`)
        "#]],
    );
}

#[test]
fn texts_that_are_not_closed() {
    uml(
        "a -> b : x\nnote left\nsome text\nin two lines\nb -> a : y\nanother slip",
        expect![[r#"
            E102 3: the note is never closed: `end note` is missing ()
            E101 7: `another slip` is not a valid statement in a sequence diagram ()
        "#]],
    );
    uml(
        "ref over a, b\n  other\na -> b : x",
        expect![[r#"
            E102 2: the reference is never closed: `end ref` is missing ()
        "#]],
    );
}

#[test]
fn comments_of_other_languages_in_mermaid() {
    mermaid(
        "a->>b: x\n// a comment\nb-->>a: y",
        expect![[r#"
            E101 3: `//` does not begin a comment in Mermaid (write `%%` before a comment)
        "#]],
    );
}

#[test]
fn colons_that_are_missing_in_mermaid() {
    mermaid(
        "Alice->>Bob hi there",
        expect![[r#"
            E101 2: the message has no text (if `hi there` is the text, write `Bob: hi there`)
        "#]],
    );
    let told = |text: &str| read("a.mmd", &format!("stateDiagram-v2\n{text}\n")).1;
    expect![[r#"
        W301 3: `go` can never be reached (no transition leads here: add one, or remove the state)
        W101 3: `go now` follows the target without a colon, so Mermaid draws it as states (write `: go now`)
        W301 3: `now` can never be reached (no transition leads here: add one, or remove the state)
    "#]]
    .assert_eq(&told("[*] --> Idle\nIdle --> Busy go now\nBusy --> [*]: done"));
    assert_eq!(told("[*] --> Idle\nIdle --> Busy: go\nBusy --> [*]: done"), "");
}

/// One slip, one finding: what a misspelt word opens or closes is not told again.
#[test]
fn misspelt_words_open_and_close() {
    uml(
        "lop 3 times\na -> b : x\nend\nalt x\na -> b : y\nfi\nopt y\na -> b : z\nendd",
        expect![[r#"
            E101 2: `lop 3 times` is not a valid statement in a sequence diagram (did you mean `loop`?)
            E101 7: `fi` is not a valid statement in a sequence diagram (did you mean `end`?)
            E101 10: `endd` is not a valid statement in a sequence diagram (did you mean `end`?)
        "#]],
    );
    mermaid(
        "loop x\na->>b: x\nendloop\nalt y\nb-->>a: y\ndone",
        expect![[r#"
            E101 4: `endloop` is not a valid statement in a sequence diagram (did you mean `end`?)
            E101 7: `done` is not a valid statement in a sequence diagram (did you mean `end`?)
        "#]],
    );
}

#[test]
fn words_that_mermaid_takes_for_states() {
    let told = |text: &str| read("a.mmd", &format!("stateDiagram-v2\n{text}\n")).1;
    expect![[r#"
        W301 4: `foo` can never be reached (no transition leads here: add one, or remove the state)
        W101 4: Mermaid takes each word of `foo bar baz` for a state (a text below a state is written `foo : text`)
        W301 4: `bar` can never be reached (no transition leads here: add one, or remove the state)
        W301 4: `baz` can never be reached (no transition leads here: add one, or remove the state)
    "#]]
    .assert_eq(&told("[*] --> Idle\nIdle --> [*]: done\nfoo bar baz"));
    expect![[r#"
        E101 3: regions are divided by `--`, inside of a composite state ()
        W301 4: `Busy` can never be reached (no transition leads here: add one, or remove the state)
    "#]]
    .assert_eq(&told("[*] --> Idle\nIdle -- Busy : go\nBusy --> [*]: done"));
}

#[test]
fn states_that_are_misspelt() {
    let machine = "[*] --> Idle\nIdle --> Busy : go\nBusy --> ";
    uml(
        &format!("{machine}Idel : done"),
        expect![[r#"
            W219 4: `Idel` is not declared; did you mean `Idle`? (if not, declare `Idel` too)
        "#]],
    );
    uml(&format!("{machine}Idel : done\nstate Idel"), expect![""]);
    uml(&format!("{machine}Idle2 : done"), expect![""]);
}

#[test]
fn texts_that_become_names() {
    mermaid(
        "participant C\nparticipant S\nC->>S: hello\nC->>S tools/call (id: 1, config)\nS-->>C: ok",
        expect![[r#"
            W219 5: `S tools/call (id` is another participant than `S` (if `tools/call (id` belongs to the text, write `S: tools/call (id`)
        "#]],
    );
    mermaid("participant S\nparticipant S 2\nS->>S 2: hello", expect![""]);
}

/// Where a name of one letter is declared, the same in other capitals is a slip.
#[test]
fn short_names_in_other_capitals() {
    mermaid(
        "participant A\nA->>B: x\nb-->>a: y\nactivate b\nactivate C",
        expect![[r#"
            W219 4: `a` and `A` are two participants (did you mean `A`?)
            W116 6: `C` is not a participant: mermaid cannot draw its activation (declare it with `participant`)
        "#]],
    );
    mermaid(
        "A->>B: x\nactivate B\nB-->>A: y\ndeactivate b",
        expect![[r#"
            E111 5: `b` is not active here and cannot be deactivated (did you mean `B`?)
        "#]],
    );
}

/// A participant has one label; another one is not lost in silence.
#[test]
fn labels_that_are_not_drawn() {
    uml(
        "participant A as \"Alpha\"\nparticipant A as \"Beta\"\nA -> B : x\nparticipant \"Gamma\" as B",
        expect![[r#"
            W115 3: `A` is in the diagram already, so its label `Beta` is not drawn (declare a participant once, before it is used)
            W115 5: `B` is in the diagram already, so its label `Gamma` is not drawn (declare a participant once, before it is used)
        "#]],
    );
    mermaid(
        "participant A as Alpha\nparticipant A as Beta\nparticipant B\nparticipant B as Gamma\nA->>B: x",
        expect![[r#"
            W115 3: `A` is in the diagram already, so its label `Alpha` is not drawn (declare a participant once)
        "#]],
    );
    uml("participant A as \"Alpha\"\nA -> B : x\nparticipant A as \"Alpha\"\nparticipant B", expect![""]);
}

#[test]
fn a_name_that_swallows_its_label() {
    mermaid(
        "participant W Web Shop\nparticipant C\nC->>W: x",
        expect![[r#"
            W219 2: `W Web Shop` is one name, and `W` is another participant (write `W as Web Shop`)
        "#]],
    );
    mermaid("participant Web Shop\nparticipant C\nC->>Web Shop: x", expect![""]);
}

#[test]
fn a_fence_in_a_language_that_is_misspelt() {
    let told = |text: &str| read("a.md", text).1;
    let text =
        "# T\n```mermiad\nsequenceDiagram\nA->>B: x\n```\n```mermaid\nsequenceDiagram\nA->>B: x\n```\n";
    assert_eq!(told(text), "W101 2: a diagram in `mermiad` is not read; did you mean `mermaid`? ()\n");
    assert_eq!(told("```json\n{}\n```\n\n```uml-like\nx\n```\n"), "");
}

#[test]
fn notes_of_several_lines_in_mermaid() {
    let (_, told) = read(
        "a.mmd",
        "sequenceDiagram\nparticipant A\nNote right of A\n  two\n  lines\nend note\nA->>A: ok\n",
    );
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.starts_with("E101 3: the note has no text (Mermaid's notes have one line"), "{told}");
}
