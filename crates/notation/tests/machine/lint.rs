//! Findings about state machines (kernel's `lint::machine`), on diagrams as people write them.

use expect_test::{Expect, expect};
use sequent_kernel::lint::machine::machines;
use sequent_kernel::model::Model;
use sequent_kernel::source::{Sources, Span};
use sequent_notation::tree::{DiagramBlock, DiagramContent, Notation};
use sequent_notation::{line, plantuml, resolve};

/// Checks a model of several machines, given as (name, diagram).
fn check_all(diagrams: &[(&str, &str)], expected: Expect) {
    let mut sources = Sources::new();
    let mut model = Model::default();
    let mut diagnostics = Vec::new();
    for (name, text) in diagrams {
        let file = sources.add(format!("{name}.puml"), *text);
        let lines = line::cut(file, sources.get(file), 0..text.len());
        let statements = plantuml::state::read(&lines, &mut diagnostics);
        let block = DiagramBlock {
            notation: Notation::PlantUml,
            span: Span::new(file, 0, text.len()),
            name: None,
            heading: None,
            content: DiagramContent::Other(String::new()),
        };
        model.machines.push(resolve::state::machine(
            &block,
            &statements,
            (*name).to_owned(),
            &mut diagnostics,
        ));
    }
    diagnostics.extend(machines(&model, &Default::default()));
    let mut out = String::new();
    for finding in diagnostics {
        let line = sources.position(finding.span).line;
        out += &format!("{} {} line {line}: {}", finding.name(), finding.severity.name(), finding.message);
        for label in &finding.labels {
            out += &format!("; line {}: {}", sources.position(label.span).line, label.text);
        }
        out += &finding.hint.map_or("\n".to_owned(), |hint| format!(" ({hint})\n"));
    }
    expected.assert_eq(&out);
}

fn check(text: &str, expected: Expect) {
    check_all(&[("M", text)], expected);
}

#[test]
fn unreachable_states() {
    check(
        "[*] --> A\nA --> B : e\nC --> D : f\nD --> C : g\n",
        expect![[r#"
            W301 warning line 3: `C` can never be reached (transitions lead here only from states that cannot be reached either)
        "#]],
    );
}

#[test]
fn composites_history_forks_and_regions_are_entered() {
    check(
        "[*] --> f\nstate f <<fork>>\nf --> S\nf --> T\nstate S {\n  [*] --> A\n  --\n  [*] --> B\n}\nstate T {\n  X --> Y : e\n  state p <<entryPoint>>\n  p --> Y\n}\nA --> U[H] : h\nstate U {\n  [*] --> P\n  P --> Q : q\n}\n",
        expect![[""]],
    );
}

#[test]
fn where_regions_begin() {
    check(
        "[*] --> A\n[*] --> B\nA --> B : x\n",
        expect![[r#"
        E303 error line 2: the region begins in `A` and in `B`; line 1: the first beginning (keep one transition from `[*]`; let a choice decide where to go from there)
    "#]],
    );
    check(
        "[*] --> A : cold\n[*] --> B : warm\nA --> B : x\n",
        expect![[r#"
            H308 hint line 1: the trigger of a transition that leaves an initial state does not count (the machine begins by itself; add a state in which it waits: `[*] --> Waiting`, `Waiting --> S : go`)
            W303 warning line 2: the region begins in `A` and in `B`; line 1: the first beginning (keep one transition from `[*]`; let a choice decide where to go from there)
        "#]],
    );
    check(
        "[*] --> A\nstate s <<start>>\ns --> A\n",
        expect![[r#"
        E303 error line 2: the region has a second initial state; line 1: the first one
    "#]],
    );
    check(
        "A --> B : x\nB --> A : y\n",
        expect![[r#"
        W307 warning line 1: nothing says in which state `M` begins (if it begins in `A`, add `[*] --> A`)
    "#]],
    );
    check(
        "[*] --> S\nstate S {\n  A --> B : x\n}\n",
        expect![[r#"
            H307 hint line 2: nothing says in which state `S` begins; line 1: it is entered here (if it begins in `A`, add `[*] --> A`)
        "#]],
    );
    check(
        "[*] --> A\nA --> B : x\nstate S {\n A --> B : y\n}\n",
        expect![[r#"
        W301 warning line 3: `S` can never be reached (no transition leads here: add one, or remove the state)
    "#]],
    );
}

#[test]
fn equal_triggers() {
    check(
        "[*] --> A\nA --> B : go\nA --> C : go / x\n",
        expect![[r#"
        W304 warning line 3: `A` has two transitions on `go` and nothing decides between them; line 2: the other one (add guards that exclude each other, or remove one of the two)
    "#]],
    );
    check("[*] --> A\nA --> B : go [x > 1]\nA --> C : go [x <= 1]\nA --> D : go\n", expect![[""]]);
    check(
        "[*] --> A\nA --> B : go [ok]\nA --> C : go [ok]\n",
        expect![[r#"
        W304 warning line 3: `A` has two transitions with the same trigger and the guard `ok`; line 2: the other one (add guards that exclude each other, or remove one of the two)
    "#]],
    );
    check("[*] --> A\nA --> B : r(ok = true)\nA --> C : r(ok = false)\n", expect![[""]]);
    check("[*] --> A\nA --> B\nA --> C\n", expect![[""]]);
    check(
        "[*] --> A\nA --> B\nA --> C\nB --> A : x\nC --> A : y\nB --> C : z\n",
        expect![[r#"
        W304 warning line 3: `A` has two transitions without trigger and guard, and nothing decides between them; line 2: the other one (add guards that exclude each other, or remove one of the two)
    "#]],
    );
    check(
        "[*] --> A\nA : go / x\nA --> B : go\n",
        expect![[r#"
        W304 warning line 3: `A` has two transitions on `go` and nothing decides between them; line 2: the other one (add guards that exclude each other, or remove one of the two)
    "#]],
    );
}

#[test]
fn sends_and_triggers_meet() {
    let phd = "[*] --> working\nworking --> waiting : / ^orderCoffee\nwaiting --> working : coffeeDone\n";
    let machine = "[*] --> idle\nidle --> preparing : orderCofee\npreparing --> idle : / ^coffeeDone\n";
    check_all(
        &[("PhD", phd), ("CM", machine)],
        expect![[r#"
        W306 warning line 2: no machine takes `orderCoffee` (did you mean `orderCofee`?)
        H305 hint line 2: nobody sends `orderCofee` (`orderCoffee` is sent and never received; is that the same?)
    "#]],
    );
    // A slip is told although the right word is taken elsewhere, and others come from outside.
    let motor = "[*] --> I\nI --> I : start\nI --> J : strat\nJ --> I : stop\nI --> J : button\n";
    check_all(
        &[("Driver", "[*] --> A\nA --> A : go / ^Motor.start\nA --> A : wait\n"), ("Motor", motor)],
        expect![[r#"
            H305 hint line 3: nobody sends `strat` (did you mean `start`, which is sent?)
        "#]],
    );
    let atm = "[*] --> A\nA --> B : / ^bank.verify(1)\nB --> A : done / ^bank.abort\n";
    let bank = "[*] --> I\nI --> I : verify / ^atm.done\n";
    check_all(
        &[("ATM", atm), ("Bank", bank)],
        expect![[r#"
        W306 warning line 3: `bank` never takes `abort` (give a transition of the receiver this trigger, or remove the send)
    "#]],
    );
}

#[test]
fn who_takes_anything_takes_what_is_sent_to_it() {
    check_all(
        &[("Bank", "[*] --> A\nA --> B : any\n"), ("Till", "[*] --> C\nC --> D : / ^bank.abort\n")],
        expect![[""]],
    );
}
