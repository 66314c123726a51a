//! Findings about class diagrams: E310, W311, W312.

use expect_test::{Expect, expect};
use sequent_kernel::lint::lint;
use sequent_kernel::source::Sources;
use sequent_notation::{Context, resolve};

/// Findings about a class diagram.
fn check(name: &str, text: &str, expected: Expect) {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let mut found = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut found);
    let document = sequent_notation::read(file, &mut context);
    let (model, problems) = resolve::resolve(&[document], &sources);
    found.extend(problems);
    found.extend(lint(&model, &[(file, String::new())].into()));
    let told = found.iter().map(|one| {
        let line = sources.position(one.span).line;
        format!("{} {line}: {}\n", one.name(), one.message)
    });
    expected.assert_eq(&told.collect::<String>());
}

#[test]
fn circles_of_inheritance() {
    check(
        "a.puml",
        "@startuml\nA <|-- B\nB <|-- C\nC <|-- A\nD <|-- D\nE <|.. F\nclass G extends H\nclass H implements G\nX --> Y\nY --> X\n@enduml\n",
        expect![[r#"
            E310 2: `B` inherits from itself, by way of `A`, `C`
            E310 5: `D` inherits from itself
            E310 7: `G` inherits from itself, by way of `H`
        "#]],
    );
    check(
        "a.mmd",
        "classDiagram\nA <|-- B\nB <|-- A\nA *-- A\nC ..|> D\nD ..|> C\n",
        expect![[r#"
        E310 2: `B` inherits from itself, by way of `A`
        E310 5: `C` inherits from itself, by way of `D`
    "#]],
    );
    // However long a circle is, one finding tells it.
    let long: String = (0..20_000).map(|one| format!("C{one} <|-- C{}\n", (one + 1) % 20_000)).collect();
    check(
        "a.puml",
        &format!("@startuml\n{long}@enduml\n"),
        expect![[r#"
        E310 2: `C1` inherits from itself, by way of 19999 other classes
    "#]],
    );
}

#[test]
fn attributes_with_two_types() {
    check(
        "a.puml",
        "@startuml\nclass A {\n x : int\n y : int\n x : String\n y : Int\n f(x : int)\n z\n z : bool\n}\nA : y : long\n@enduml\n",
        expect![[r#"
            W311 5: `x` of `A` is of type `String` here and of type `int` elsewhere
            W311 11: `y` of `A` is of type `long` here and of type `int` elsewhere
        "#]],
    );
    check(
        "a.mmd",
        "classDiagram\nclass A {\n int x\n}\nA : String x\nA : +List~int~ l\nA : List~int~ l\n",
        expect![[r#"
            W311 5: `x` of `A` is of type `String` here and of type `int` elsewhere
        "#]],
    );
}

#[test]
fn names_nearly_alike() {
    check(
        "a.puml",
        "@startuml\nclass Order\nclass Customer\nclass Item1\nCustomer --> Oder\nCustomer --> order\nCustomer --> Item2\nCustomer --> Orders\nCustomer --> Invoice\n@enduml\n",
        expect![[r#"
            W312 5: `Oder` is not declared; did you mean `Order`?
            W312 6: `order` is not declared; did you mean `Order`?
        "#]],
    );
    check(
        "a.mmd",
        "classDiagram\nclass Account\nBank --> Acount\nBank --> Accounts\n",
        expect![[r#"
        W312 3: `Acount` is not declared; did you mean `Account`?
    "#]],
    );
}
