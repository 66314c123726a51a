//! Diagrams and their canonical text.

use expect_test::{Expect, expect};
use sequent_kernel::source::Sources;

use super::*;
use crate::tree::Document;
use crate::{Context, plantuml, resolve};

fn read(text: &str) -> Interaction {
    let mut sources = Sources::new();
    let file = sources.add("case.puml", text);
    let mut diagnostics = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut diagnostics);
    let blocks = plantuml::read_file(file, &mut context);
    let (model, more) = resolve::resolve(&[Document::new(file, blocks)], &sources);
    diagnostics.extend(more);
    assert!(diagnostics.is_empty(), "{diagnostics:?} in\n{text}");
    model.interactions.iter().next().expect("there is a sequence diagram").clone()
}

/// Prints, reads again, and compares.
fn check(input: &str, expected: Expect) {
    let first = read(input);
    let printed = print(&first);
    expected.assert_eq(&printed);
    let second = read(&printed);
    assert_eq!(first, second);
    assert_eq!(print(&second), printed);
}

#[test]
fn declarations_and_boxes() {
    check(
        r##"
            @startuml Login of a user
            title Login\nof a user
            box "Front end" #LightBlue
            actor "A user" as u <<human>> #red
            participant title
            end box
            box
            end box
            database "my db"
            participant multi [
              ""quoted""
              second
            ]
            u -> title : x
            "title" -> new : y
            @enduml
        "##,
        expect![[r#"
            @startuml Login of a user
            title Login\nof a user
            box "Front end" #LightBlue
              actor "A user" as u <<human>> #red
              participant "title"
            end box
            database "my db"
            participant multi [
              ""quoted""
              second
            ]
            box
            end box
            u -> "title" : x
            "title" -> new : y
            @enduml
        "#]],
    );
}

#[test]
fn order_of_undeclared_participants() {
    check(
        "@startuml a\na <- b : x\nc -> a\n@enduml",
        expect![[r#"
        @startuml a
        a <- b : x
        c -> a
        @enduml
    "#]],
    );
    check(
        "@startuml a\na -> b : x\nparticipant c\nc -> d\nactor e order -1\n@enduml",
        expect![[r#"
        @startuml a
        actor e
        participant c
        a -> b : x
        c -> d
        participant e
        participant a
        participant b
        participant c
        participant d
        @enduml
    "#]],
    );
    check(
        "@startuml a\n\"Long\" as a -> b : x\nparticipant a\n@enduml",
        expect![[r#"
        @startuml a
        b <- "Long" as a : x
        @enduml
    "#]],
    );
}

#[test]
fn arrows() {
    check(
        r##"
            @startuml arrows
            participant a
            participant b
            a -> b : call
            a ->> b : signal
            a --> b : reply
            a <-> b
            a -\ b
            a //- b
            a ->x b
            a x-> b
            a ->o b
            a o<--x b
            a -[#red,dashed]> b : red
            a -[#0000FF]> b
            [-> a : found
            a ->] : lost
            [<- a
            a <-]
            ?-> a
            a ->? : near
            [o->x a
            a ->x]
            ?<[#red]- a : near and red
            [<-[#red]- a
            a <[#red]-]
            a -[#red]>]
            @enduml
        "##,
        expect![[r#"
            @startuml arrows
            participant a
            participant b
            a -> b : call
            a ->> b : signal
            a --> b : reply
            a <-> b
            a -\ b
            b -\\ a
            a ->x b
            a x-> b
            a ->o b
            b x-->o a
            a -[#red]-> b : red
            a -[#0000FF]> b
            [-> a : found
            a ->] : lost
            [<- a
            a <-]
            ?-> a
            a ->? : near
            [o->x a
            a ->x]
            ?<[#red]- a : near and red
            [<-[#red]- a
            a <[#red]-]
            a -[#red]>]
            @enduml
        "#]],
    );
}

#[test]
fn life_and_parallel_messages() {
    check(
        r##"
            @startuml life
            a -> b ++ #gold : on
            b --> a -- : off
            create c
            a -> c : new
            a -> d ** : new too
            a -> c !! : end
            destroy d
            a -> b : one
            & b -> a ++ : two
            & a -> b -- : three
            a -> b & c : many
            autonumber 10 5 "<b>00"
            a -> b
            autonumber stop
            autonumber resume
            @enduml
        "##,
        expect![[r#"
            @startuml life
            a -> b : on
            activate b #gold
            b --> a : off
            deactivate b
            a -> c ** : new
            a -> d ** : new too
            a -> c : end
            destroy c
            destroy d
            a -> b : one
            & b -> a ++ : two
            & a -> b -- : three
            a -> b : many
            & a -> c : many
            autonumber 10 5 "<b>00"
            a -> b
            autonumber stop
            autonumber resume
            @enduml
        "#]],
    );
}

#[test]
fn blocks() {
    check(
        r##"
            @startuml blocks
            alt #pink x > 0
              a -> b : p
            else [[x = 0]]
              a -> b : q
            else
              a -> b : r
            end
            loop (1,3) while x
              a -> b
            end
            loop 3 times
              a -> b
            end
            loop until done
              a -> b
            end
            par one
              a -> b
            else [y]
              b -> a
            end
            group Caption [second]
              opt z
                a -> b
              end
            end
            group [only]
              a -> b
            end
            @enduml
        "##,
        expect![[r#"
            @startuml blocks
            alt #pink x > 0
              a -> b : p
            else x = 0
              a -> b : q
            else
              a -> b : r
            end
            loop (1,3) while x
              a -> b
            end
            loop (3,3)
              a -> b
            end
            loop until done
              a -> b
            end
            par one
              a -> b
            else [y]
              b -> a
            end
            group Caption [second]
              opt z
                a -> b
              end
            end
            group [only]
              a -> b
            end
            @enduml
        "#]],
    );
}

#[test]
fn conventions() {
    check(
        r##"
            @startuml conventions
            group neg
              a -> b : m1
            end
            group ignore {m1, m2}
              a -> b : m3
            end
            group sloop (2,5) [x]
              a -> b : m4
            end
            group coregion a
              a -> b : m5
            end
            ' @assert
            opt guarded
              a -> b : m6
            end
            ' @strict
            group Title
              a -> b : m7
            end
            ' @seq
            group neg
              a -> b : m8
            end
            ' @covers c
            critical
              a -> b : m1
            end
            hnote over a : x > 0
            note over a, b : {y}
            ' @action
            note over a : think
            c -> c
            ' @order !m1#2 < ?m3 < !m4
            @enduml
        "##,
        expect![[r#"
            @startuml conventions
            group neg
              a -> b : m1
            end
            group ignore {m1, m2}
              a -> b : m3
            end
            group sloop (2,5) [x]
              a -> b : m4
            end
            group coregion a
              a -> b : m5
            end
            ' @assert
            opt guarded
              a -> b : m6
            end
            ' @strict
            group Title
              a -> b : m7
            end
            ' @seq
            group neg
              a -> b : m8
            end
            ' @covers c
            critical
              a -> b : m1
            end
            hnote over a : x > 0
            hnote over a, b : y
            ' @action
            note over a : think
            c -> c
            ' @order !m1#2 < ?m3
            ' @order ?m3 < !m4
            @enduml
        "#]],
    );
}

#[test]
fn notes_references_and_separators() {
    check(
        r##"
            @startuml notes
            a -> b : 100%%true() back\\slash\\n end\\
            note left : beside
            note right of a #red
              two
                lines
            end note
            note over a, b : over
            note across : all
            rnote left of b : a\nb
            note left
              end it
              ' no comment
            end note
            ref over a, b : Other diagram
            == Part two ==
            ...
            ...later...
            |||
            ||45||
            newpage Second page
            @enduml
        "##,
        expect![[r#"
            @startuml notes
            a -> b : 100%1 back\slash\\n end\\
            note left : beside
            note right of a #red
              two
                lines
            end note
            note over a, b : over
            note across : all
            rnote left of b
              a
              b
            end note
            note left : end it
            ref over a, b : Other diagram
            == Part two ==
            ...
            ...later...
            |||
            ||45||
            newpage Second page
            @enduml
        "#]],
    );
}

#[test]
fn operands_have_colours() {
    check(
        "@startuml\nalt #LightYellow paid\na -> b : x\nelse #pink refused\nb -> a : y\nelse\na -> b : z\nend\n@enduml\n",
        expect![[r#"
            @startuml case
            alt #LightYellow paid
              a -> b : x
            else #pink refused
              b -> a : y
            else
              a -> b : z
            end
            @enduml
        "#]],
    );
}
