//! Texts and what becomes of them.

use expect_test::{Expect, expect};
use sequent::merge::MergeOptions;

use crate::{merge, merge_count, merge_files};

/// Merges lines of a PlantUML diagram; conflicts are told below the result.
fn check(base: &str, ours: &str, theirs: &str, expected: Expect) {
    let whole = |lines: &str| format!("@startuml\n{lines}@enduml\n");
    let found = merge("a.puml", &whole(base), &whole(ours), &whole(theirs));
    let text = found.text();
    let inner = text.strip_prefix("@startuml\n").and_then(|rest| rest.strip_suffix("@enduml\n"));
    let told: String = found.conflicts.iter().chain(&found.notes).map(|one| format!("({one})\n")).collect();
    expected.assert_eq(&format!("{}{told}", inner.unwrap_or(&text)));
}

#[test]
fn additions_at_one_place_stand_one_after_the_other() {
    check(
        "a -> b : 1\na -> b : 2\n",
        "a -> b : 1\n' ours\na -> b : x\nnote right : why\na -> b : 2\n",
        "a -> b : 1\na -> b : y\nactivate b\na -> b : 2\na -> b : z\n",
        expect![[r#"
            a -> b : 1
            ' ours
            a -> b : x
            note right : why
            a -> b : y
            activate b
            a -> b : 2
            a -> b : z
        "#]],
    );
}

#[test]
fn edits_deletions_and_additions_meet() {
    check(
        "a -> b : 1\na -> b : 2\na -> b : 3\na -> b : 4\n",
        "a -> b : 1\na -> b : two\na -> b : 3\na -> b : 4\n",
        "a -> b : 1\na -> b : 2\na -> b : new\na -> b : 4\n",
        expect![[r#"
            a -> b : 1
            a -> b : two
            a -> b : new
            a -> b : 4
        "#]],
    );
}

#[test]
fn two_edits_of_one_message_are_a_conflict() {
    check(
        "a -> b : 1\na -> b : 2\na -> b : 3\n",
        "a -> b : 1\na -> b : two\na -> b : 3\n",
        "a -> b : 1\na -> b : zwei\na -> b : 3\nb -> a : done\n",
        expect![[r#"
            a -> b : 1
            <<<<<<< ours (both sides changed this)
            a -> b : two
            =======
            a -> b : zwei
            >>>>>>> theirs
            a -> b : 3
            b -> a : done
            (both sides changed this)
        "#]],
    );
}

#[test]
fn deleted_here_and_edited_there_is_a_conflict() {
    check(
        "a -> b : 1\na -> b : 2\na -> b : 3\n",
        "a -> b : 1\na -> b : 3\n",
        "a -> b : 1\na -> b : zwei\na -> b : 3\n",
        expect![[r#"
            a -> b : 1
            <<<<<<< ours (our side deleted this, theirs changed it)
            =======
            a -> b : zwei
            >>>>>>> theirs
            a -> b : 3
            (our side deleted this, theirs changed it)
        "#]],
    );
}

#[test]
fn a_moved_message_is_edited_where_it_is_now() {
    check(
        "a -> b : 1\na -> b : 2\nb -> c : 3\na -> c : 4\n",
        "a -> b : 2\nb -> c : 3\na -> c : 4\na -> b : 1\n",
        "a -> b : one\na -> b : 2\nb -> c : 3\na -> c : 4\n",
        expect![[r#"
            a -> b : 2
            b -> c : 3
            a -> c : 4
            a -> b : one
        "#]],
    );
}

#[test]
fn what_took_the_place_of_a_moved_message_is_no_edited_version_of_it() {
    check(
        "a -> b : 1\na -> b : 2\nb -> a : 3\nb -> a : 4\n",
        "a -> b : 1\nb -> a : 3\na -> b : 2\nb -> a : four\n",
        "a -> b : 1\na -> b : 2\nb -> a : 4\nb -> a : 3\n",
        expect![[r#"
            a -> b : 1
            <<<<<<< ours (both sides moved this)
            b -> a : 3
            a -> b : 2
            b -> a : four
            =======
            a -> b : 2
            b -> a : 4
            b -> a : 3
            >>>>>>> theirs
            (both sides moved this)
        "#]],
    );
}

#[test]
fn a_message_moved_to_two_places_is_a_conflict() {
    check(
        "a -> b : 1\na -> b : 2\nb -> c : 3\na -> c : 4\nc -> a : 5\n",
        "a -> b : 2\nb -> c : 3\na -> b : 1\na -> c : 4\nc -> a : 5\n",
        "a -> b : 2\nb -> c : 3\na -> c : 4\nc -> a : 5\na -> b : 1\n",
        expect![[r#"
            a -> b : 2
            b -> c : 3
            <<<<<<< ours (both sides moved this, theirs to another place)
            a -> b : 1
            =======
            >>>>>>> theirs
            a -> c : 4
            c -> a : 5
            <<<<<<< ours (both sides moved this, ours to another place)
            =======
            a -> b : 1
            >>>>>>> theirs
            (both sides moved this, theirs to another place)
            (both sides moved this, ours to another place)
        "#]],
    );
}

#[test]
fn what_is_added_around_and_inside_a_block() {
    check(
        "a -> b : 1\na -> b : 2\na -> b : 3\n",
        "a -> b : 1\nalt good\n  a -> b : 2\nelse bad\n  b -> a : no\nend\na -> b : 3\n",
        "a -> b : 1\na -> b : 2\na -> b : more\na -> b : 3\n",
        expect![[r#"
            a -> b : 1
            alt good
              a -> b : 2
            else bad
              b -> a : no
            end
            a -> b : more
            a -> b : 3
        "#]],
    );
    check(
        "loop\n  a -> b : 1\n  a -> b : 2\nend\n",
        "loop 3 times\n  a -> b : 1\n  a -> b : x\n  a -> b : 2\nend\n",
        "loop\n  a -> b : 1\n  a -> b : y\n  a -> b : 2\nend\nb -> a : done\n",
        expect![[r#"
            loop 3 times
              a -> b : 1
              a -> b : x
              a -> b : y
              a -> b : 2
            end
            b -> a : done
        "#]],
    );
}

#[test]
fn a_block_deleted_here_and_changed_there_is_a_conflict() {
    check(
        "a -> b : 1\nopt maybe\n  a -> b : 2\nend\na -> b : 3\n",
        "a -> b : 1\na -> b : 3\n",
        "a -> b : 1\nopt maybe\n  a -> b : 2\n  a -> b : new\nend\na -> b : 3\n",
        expect![[r#"
            a -> b : 1
            <<<<<<< ours (our side deleted this block, theirs changed it)
            =======
            opt maybe
              a -> b : 2
              a -> b : new
            end
            >>>>>>> theirs
            a -> b : 3
            (our side deleted this block, theirs changed it)
        "#]],
    );
    check(
        "alt x\n  a -> b : 1\nelse y\n  a -> b : 2\nend\n",
        "alt x\n  a -> b : 1\nend\n",
        "alt x\n  a -> b : 1\nelse y\n  a -> b : 2\n  b -> a : new\nend\n",
        expect![[r#"
            alt x
              a -> b : 1
            <<<<<<< ours (our side deleted this block, theirs changed it)
            =======
            else y
              a -> b : 2
              b -> a : new
            >>>>>>> theirs
            end
            (our side deleted this block, theirs changed it)
        "#]],
    );
}

#[test]
fn blocks_that_cross_are_a_conflict() {
    check(
        "a -> b : 1\na -> b : 2\na -> b : 3\n",
        "opt x\na -> b : 1\na -> b : 2\nend\na -> b : 3\n",
        "a -> b : 1\nopt y\na -> b : 2\na -> b : 3\nend\n",
        expect![[r#"
            <<<<<<< ours (both sides changed this, and blocks cross)
            opt x
            a -> b : 1
            a -> b : 2
            end
            a -> b : 3
            =======
            a -> b : 1
            opt y
            a -> b : 2
            a -> b : 3
            end
            >>>>>>> theirs
            (both sides changed this, and blocks cross)
        "#]],
    );
}

#[test]
fn a_block_drawn_alike_on_both_sides_is_one() {
    check(
        "a -> b : 1\na -> b : 2\na -> b : 3\n",
        "opt x\na -> b : 1\na -> b : 2\nend\na -> b : 3\nb -> a : ours\n",
        "opt x\na -> b : 1\na -> b : new\na -> b : 2\nend\na -> b : 3\nb -> a : theirs\n",
        expect![[r#"
            opt x
            a -> b : 1
            a -> b : new
            a -> b : 2
            end
            a -> b : 3
            b -> a : ours
            b -> a : theirs
        "#]],
    );
    check(
        "a -> b : 1\na -> b : 2\na -> b : 3\n",
        "opt x\na -> b : 1\nend\na -> b : 2\na -> b : 3\n",
        "opt x\na -> b : 1\na -> b : 2\nend\na -> b : 3\n",
        expect![[r#"
            opt x
            a -> b : 1
            <<<<<<< ours (both sides changed this, and blocks cross)
            end
            a -> b : 2
            =======
            a -> b : 2
            end
            >>>>>>> theirs
            a -> b : 3
            (both sides changed this, and blocks cross)
        "#]],
    );
}

#[test]
fn a_renamed_participant_is_renamed_in_what_was_added() {
    check(
        "participant a\nparticipant b\na -> b : 1\nb -> a : 2\n",
        "participant a\nparticipant bank\na -> bank : 1\nbank -> a : 2\n",
        "participant a\nparticipant b\na -> b : 1\na -> b : new\nb -> a : two\n",
        expect![[r#"
            participant a
            participant bank
            a -> bank : 1
            a -> bank : new
            bank -> a : two
            (`b` is now called `bank`)
        "#]],
    );
}

/// Renamed in one diagram of a page, a participant keeps its name in the others, where somebody else may have the new one.
#[test]
fn renames_are_those_of_a_diagram() {
    let page = |one: &str, other: &str| {
        format!(
            "# One\n```mermaid\nsequenceDiagram\n{one}```\n# Two\n```mermaid\nsequenceDiagram\n{other}```\n"
        )
    };
    let base = page("a->>b: 1\nb->>a: 2\n", "a->>b: 3\nbank->>a: 4\nb->>bank: 5\n");
    let ours = page("a->>bank: 1\nbank->>a: 2\n", "a->>b: 3\nbank->>a: 4\nb->>bank: 5\n");
    let theirs =
        page("a->>b: 1\na->>b: new\nb->>a: 2\n", "a->>b: 3\nbank->>a: 4\nb->>bank: 5\nb->>a: more\n");
    for (one, other) in [(&ours, &theirs), (&theirs, &ours)] {
        let found = merge("a.md", &base, one, other);
        let wanted = page(
            "a->>bank: 1\na->>bank: new\nbank->>a: 2\n",
            "a->>b: 3\nbank->>a: 4\nb->>bank: 5\nb->>a: more\n",
        );
        assert_eq!(found.text(), wanted);
        assert_eq!(found.notes, ["`b` is now called `bank`"]);
    }
}

#[test]
fn participants_are_added_once() {
    check(
        "participant a\na -> a : 1\n",
        "participant a\nparticipant b\nparticipant c\na -> a : 1\na -> b : x\n",
        "participant a\nparticipant d\nparticipant b\na -> a : 1\na -> d : y\n",
        expect![[r#"
            participant a
            participant b
            participant c
            participant d
            a -> a : 1
            a -> b : x
            a -> d : y
        "#]],
    );
}

#[test]
fn a_participant_declared_in_two_ways_is_a_conflict() {
    check(
        "participant a\na -> a : 1\n",
        "participant a\nactor b\na -> a : 1\n",
        "participant a\ndatabase b\nqueue c\na -> a : 1\n",
        expect![[r#"
            participant a
            <<<<<<< ours (both sides declare `b`, differently)
            actor b
            =======
            database b
            >>>>>>> theirs
            queue c
            a -> a : 1
            (both sides declare `b`, differently)
        "#]],
    );
}

#[test]
fn what_is_added_in_a_block_that_the_other_side_drew_is_indented() {
    check(
        "a -> b : 1\na -> b : 2\na -> b : 3\n",
        "opt sometimes\n  a -> b : 1\n  a -> b : 2\n  a -> b : 3\nend\n",
        "a -> b : 1\na -> b : 2\nnote right\n  so\nend note\na -> b : 3\n",
        expect![[r#"
            opt sometimes
              a -> b : 1
              a -> b : 2
              note right
                so
              end note
              a -> b : 3
            end
        "#]],
    );
}

#[test]
fn the_same_addition_is_made_once() {
    check(
        "a -> b : 1\n",
        "a -> b : 1\na -> b : both\na -> b : ours\n",
        "a -> b : 1\na -> b : both\na -> b : theirs\n",
        expect![[r#"
            a -> b : 1
            a -> b : both
            a -> b : ours
            a -> b : theirs
        "#]],
    );
}

#[test]
fn prose_and_diagrams_of_a_page_merge_side_by_side() {
    let base = "# Pay\n\nText one.\n\nText two.\n\n```mermaid\nsequenceDiagram\n  a->>b: 1\n  b->>a: 2\n```\n\nEnd.\n";
    let ours = base.replace("Text one.", "Text eins.").replace("  b->>a: 2\n", "  a->>b: ours\n  b->>a: 2\n");
    let theirs = base.replace("End.", "Ende.").replace("  b->>a: 2\n", "  a->>b: theirs\n  b->>a: 2\n");
    let found = merge("a.md", base, &ours, &theirs);
    expect![[r#"
        # Pay

        Text eins.

        Text two.

        ```mermaid
        sequenceDiagram
          a->>b: 1
          a->>b: ours
          a->>b: theirs
          b->>a: 2
        ```

        Ende.
    "#]]
    .assert_eq(&found.text());
    assert!(found.conflicts.is_empty());
    let theirs = base.replace("Text one.", "Text uno.");
    let found = merge("a.md", base, &ours, &theirs);
    expect![[r#"
        # Pay

        <<<<<<< ours (both sides changed this)
        Text eins.
        =======
        Text uno.
        >>>>>>> theirs

        Text two.

        ```mermaid
        sequenceDiagram
          a->>b: 1
          a->>b: ours
          b->>a: 2
        ```

        End.
    "#]]
    .assert_eq(&found.text());
}

#[test]
fn diagrams_that_both_sides_began_stay_whole() {
    let base = "@startuml\na -> b : 1\n@enduml\n";
    let ours = format!("{base}@startuml\na -> b : ours\n@enduml\n");
    let theirs = format!("{base}@startuml\na -> b : theirs\n@enduml\n");
    expect![[r#"
        @startuml
        a -> b : 1
        @enduml
        @startuml
        <<<<<<< ours (both sides changed this)
        a -> b : ours
        =======
        a -> b : theirs
        >>>>>>> theirs
        @enduml
    "#]]
    .assert_eq(&merge("a.puml", base, &ours, &theirs).text());
    expect![[r#"
        @startuml
        a -> b : 1
        @enduml
        @startuml
        <<<<<<< ours (both sides changed this)
        a -> b : ours
        =======
        a -> b : theirs
        >>>>>>> theirs
        @enduml
    "#]]
    .assert_eq(&merge("a.puml", "", &ours, &theirs).text());
    let before = format!("@startuml\na -> b : new\n@enduml\n{base}");
    let added = "@startuml\na -> b : 0\na -> b : 1\n@enduml\n";
    expect![[r#"
        @startuml
        a -> b : new
        @enduml
        @startuml
        a -> b : 0
        a -> b : 1
        @enduml
    "#]]
    .assert_eq(&merge("a.puml", base, &before, added).text());
}

#[test]
fn wishes_limit_the_orders() {
    let base = "@startuml\na -> b : 1\n@enduml\n";
    let with = |lines: &str| base.replace("@enduml", &format!("{lines}@enduml"));
    let count = |ours: &str, theirs: &str, options: MergeOptions| {
        let versions = [base.as_bytes(), ours.as_bytes(), theirs.as_bytes()];
        merge_count("a.puml", versions, "", options).expect("few")
    };
    let (ours, theirs) = (with("a -> b : 2\na -> b : 3\n"), with("a -> b : 4\na -> b : 5\n"));
    assert_eq!(count(&ours, &theirs, MergeOptions::default()), "6");
    assert_eq!(count(&ours, &theirs, MergeOptions { is_whole: true, ..MergeOptions::default() }), "2");
    let same = with("a -> b : 2\n");
    assert_eq!(count(&same, &same, MergeOptions::default()), "1");
    assert_eq!(count(&same, &same, MergeOptions { is_distinct: true, ..MergeOptions::default() }), "2");
}

#[test]
fn line_breaks_are_no_change_of_content() {
    let base = "@startuml\na -> b : 1\n@enduml\n";
    let windows = "@startuml\r\na -> b : 1\r\na -> b : ü\r\n@enduml\r\n";
    let theirs = "@startuml\na -> b : 1\na -> b : ß\n@enduml";
    let found = merge("a.puml", base, windows, theirs);
    assert_eq!(found.text(), "@startuml\r\na -> b : 1\r\na -> b : ü\r\na -> b : ß\r\n@enduml");
    assert!(found.conflicts.is_empty());
}

#[test]
fn state_machines_keep_what_both_sides_added() {
    let base = "@startuml\n[*] --> A\nA --> B : go\n@enduml\n";
    let ours = "@startuml\n[*] --> A\nA --> B : go\nB --> A : back\n@enduml\n";
    let theirs = "@startuml\n[*] --> A\nA --> B : run\nB --> C : on\n@enduml\n";
    let found = merge("a.puml", base, ours, theirs);
    expect![[r#"
        @startuml
        [*] --> A
        A --> B : run
        B --> A : back
        B --> C : on
        @enduml
    "#]]
    .assert_eq(&found.text());
    assert!(found.conflicts.is_empty());
}

const DOOR: &str = "@startuml Door\n[*] --> shut\nshut --> open : pull\nopen --> shut : push\n@enduml\n";

#[test]
fn machines_decide_the_order_even_inside_of_blocks() {
    let whole = |lines: &str| format!("@startuml\nparticipant \"d : Door\" as d\n{lines}@enduml\n");
    let versions = [
        whole("critical\nu -> d : pull\nu -> d : push\nend\n"),
        whole("critical\nu -> d : pull\nu -> d : push\nu -> d : push\nend\n"),
        whole("critical\nu -> d : pull\nu -> d : push\nu -> d : pull\nend\n"),
    ];
    let [base, ours, theirs] = &versions;
    let found = merge_files(
        "a.puml",
        [base.as_bytes(), ours.as_bytes(), theirs.as_bytes()],
        DOOR,
        MergeOptions::default(),
    );
    expect![[r#"
        @startuml
        participant "d : Door" as d
        critical
        u -> d : pull
        u -> d : push
        u -> d : pull
        u -> d : push
        end
        @enduml
    "#]]
    .assert_eq(&found.text());
}

/// Merges scenes with a door; what is said about it stands below the result.
fn explained(base: &str, ours: &str, theirs: &str, expected: Expect) {
    let whole = |lines: &str| format!("@startuml\nparticipant \"d : Door\" as d\n{lines}@enduml\n");
    let versions = [base, ours, theirs].map(whole);
    let [base, ours, theirs] = versions.each_ref().map(|text| text.as_bytes());
    let found = merge_files("a.puml", [base, ours, theirs], DOOR, MergeOptions::default());
    let mut text = found.text();
    for explanation in &found.explanations {
        explanation.reasons.iter().for_each(|reason| text += &format!("because {reason}\n"));
        explanation.proposals.iter().for_each(|proposal| text += &format!("perhaps {proposal}\n"));
    }
    expected.assert_eq(&text);
}

#[test]
fn nothing_fits() {
    explained(
        "u -> d : pull\n",
        "u -> d : pull\nu -> d : push\n",
        "u -> d : pull\nx -> d : push\n",
        expect![[r#"
            @startuml
            participant "d : Door" as d
            u -> d : pull
            <<<<<<< ours (no order fits)
            u -> d : push
            =======
            x -> d : push
            >>>>>>> theirs
            @enduml
            because `u->d:push` (ours) and `x->d:push` (theirs) exclude each other
            because after `u->d:push` `d` is in `shut`, and so it cannot receive `x->d:push` and what follows
            because after `x->d:push` `d` is in `shut`, and so it cannot receive `u->d:push` and what follows
            perhaps leave out `u->d:push` (ours)
            perhaps leave out `x->d:push` (theirs)
            perhaps give `Door` a transition shut --> shut : push (machines.puml:2)
            perhaps give `Door` a transition open --> open : push (machines.puml:3)
            perhaps give `Door` a transition shut --> open : push (machines.puml:2)
        "#]],
    );
}

#[test]
fn only_the_additions_that_do_not_fit_are_a_conflict() {
    explained(
        "u -> d : pull\nu -> d : push\n",
        "u -> d : pull\nu -> d : push\nu -> d : pull\nu -> v : fine\n",
        "u -> v : hello\nu -> d : pull\nx -> d : push\nx -> d : pull\nu -> d : push\n",
        expect![[r#"
            @startuml
            participant "d : Door" as d
            u -> v : hello
            u -> d : pull
            x -> d : push
            x -> d : pull
            u -> d : push
            u -> d : pull
            u -> v : fine
            @enduml
        "#]],
    );
    explained(
        "u -> v : 1\nu -> d : pull\n",
        "u -> v : ours\nu -> v : 1\nu -> d : pull\nu -> d : push\n",
        "u -> v : theirs\nu -> v : 1\nu -> d : pull\nx -> d : push\n",
        expect![[r#"
            @startuml
            participant "d : Door" as d
            u -> v : ours
            u -> v : theirs
            u -> v : 1
            u -> d : pull
            <<<<<<< ours (no order fits)
            u -> d : push
            =======
            x -> d : push
            >>>>>>> theirs
            @enduml
            because `u->d:push` (ours) and `x->d:push` (theirs) exclude each other
            because after `u->d:push` `d` is in `shut`, and so it cannot receive `x->d:push` and what follows
            because after `x->d:push` `d` is in `shut`, and so it cannot receive `u->d:push` and what follows
            perhaps leave out `u->d:push` (ours)
            perhaps leave out `x->d:push` (theirs)
            perhaps move `u->d:push` (ours) before `u->v:ours`
            perhaps move `u->d:push` (ours) after `u->v:ours`
            perhaps move `x->d:push` (theirs) before `u->v:theirs`
            perhaps give `Door` a transition shut --> shut : push (machines.puml:2)
            perhaps give `Door` a transition open --> open : push (machines.puml:3)
            perhaps give `Door` a transition shut --> open : push (machines.puml:2)
        "#]],
    );
}

#[test]
fn what_shall_stay_together_does() {
    let count = |ours: &str, theirs: &str| {
        let whole = |lines: &str| format!("@startuml\na -> b : 1\n{lines}@enduml\n");
        let versions = [whole(""), whole(ours), whole(theirs)];
        merge_count("a.puml", versions.each_ref().map(|text| text.as_bytes()), "", MergeOptions::default())
    };
    let pair = "a -> b : x\na -> b : y\n";
    let other = "a -> c : v\na -> c : w\n";
    assert_eq!(count(pair, other).as_deref(), Some("6"));
    assert_eq!(count(&format!("' @together\n{pair}"), other).as_deref(), Some("3"));
    assert_eq!(
        count(&format!("' @together\n{pair}"), &format!("' @together\n{other}")).as_deref(),
        Some("2")
    );
    // Up to an empty line.
    assert_eq!(count("' @together\na -> b : x\n\na -> b : y\n", other).as_deref(), Some("6"));
    assert_eq!(count(&format!("critical\n{pair}end\n"), other).as_deref(), Some("3"));
    // A `return` answers whatever is open.
    assert_eq!(count("a -> b ++ : x\nreturn y\n", other).as_deref(), Some("3"));
}

#[test]
fn statements_of_several_lines_are_merged_line_by_line() {
    check(
        "a -> b : 1\nnote over a\none\ntwo\nthree\nfour\nend note\n",
        "a -> b : 1\nnote over a\nONE\ntwo\nthree\nfour\nend note\n",
        "a -> b : 1\nnote over a\none\ntwo\nthree\nFOUR\nend note\n",
        expect![[r#"
            a -> b : 1
            note over a
            ONE
            two
            three
            FOUR
            end note
        "#]],
    );
    check(
        "a -> b : 1\nnote over a\none\ntwo\nend note\n",
        "a -> b : 1\nnote over a\nONE\ntwo\nend note\n",
        "a -> b : 1\nnote over a\nuno\ntwo\nend note\n",
        expect![[r#"
            a -> b : 1
            note over a
            <<<<<<< ours (both sides changed this)
            ONE
            =======
            uno
            >>>>>>> theirs
            two
            end note
            (both sides changed this)
        "#]],
    );
}

#[test]
fn blocks_that_cross_are_a_conflict_by_themselves() {
    check(
        "a -> b : 1\na -> b : 2\na -> b : 3\na -> b : 4\na -> b : 5\n",
        "a -> b : 1\nopt\na -> b : 2\na -> b : 3\nend\na -> b : 4\na -> b : 5\n",
        "a -> b : 1\na -> b : 2\nloop\na -> b : 3\na -> b : 4\nend\na -> b : 5\n",
        expect![[r#"
            a -> b : 1
            <<<<<<< ours (both sides changed this, and blocks cross)
            opt
            a -> b : 2
            a -> b : 3
            end
            a -> b : 4
            =======
            a -> b : 2
            loop
            a -> b : 3
            a -> b : 4
            end
            >>>>>>> theirs
            a -> b : 5
            (both sides changed this, and blocks cross)
        "#]],
    );
}

#[test]
fn a_diagram_that_one_side_broke_is_merged_line_by_line() {
    let base = "sequenceDiagram\n  a->>b: 1\n  a->>b: 2\n  a->>b: 3\n";
    let found = merge("a.mmd", base, &format!("words\n{base}"), &base.replace("b: 3", "b: three"));
    assert!(found.conflicts.is_empty(), "{}", found.text());
    assert_eq!(found.text(), format!("words\n{}", base.replace("b: 3", "b: three")));
}

#[test]
fn what_one_side_moved_and_the_other_deleted_stays_and_is_told() {
    check(
        "a -> b : 1\na -> b : 2\nb -> c : 3\n",
        "b -> c : 3\na -> b : 1\na -> b : 2\n",
        "a -> b : 1\na -> b : 2\n",
        expect![[r#"
            b -> c : 3
            a -> b : 1
            a -> b : 2
            (`b -> c : 3` stays: their side deleted it, ours moved it)
        "#]],
    );
}

/// Of two neighbours that changed places either may be the one that was moved.
#[test]
fn a_deleted_neighbour_does_not_stay() {
    check(
        "a -> b : 1\na -> b : 2\nb -> c : 3\n",
        "a -> b : 1\nb -> c : 3\na -> b : 2\n",
        "a -> b : 1\na -> b : 2\n",
        expect![[r#"
            a -> b : 1
            a -> b : 2
        "#]],
    );
}

/// What was moved into a block is in what the other side drew around that block, and not in what it drew around the old place.
#[test]
fn moves_and_drawn_blocks_go_together() {
    check(
        "opt x\na -> b : 1\na -> b : 2\nend\nopt y\nb -> c : 3\nb -> c : 4\nend\n",
        "opt x\na -> b : 1\nend\nopt y\nb -> c : 3\na -> b : 2\nb -> c : 4\nend\n",
        "loop all\nopt x\na -> b : 1\na -> b : 2\nend\nend\nloop each\nopt y\nb -> c : 3\nb -> c : 4\nend\nend\n",
        expect![[r#"
            loop all
            opt x
            a -> b : 1
            end
            end
            loop each
            opt y
            b -> c : 3
            a -> b : 2
            b -> c : 4
            end
            end
        "#]],
    );
    // Each side moves something, and both have the two in the same order.
    check(
        "a -> b : 1\na -> b : 2\na -> b : 3\na -> c : 4\nb -> c : 5\n",
        "a -> b : 1\na -> b : 2\na -> b : 3\nb -> c : 5\na -> c : 4\n",
        "a -> b : 1\na -> b : 3\na -> b : 2\na -> c : 4\nb -> c : 5\n",
        expect![[r#"
            a -> b : 1
            a -> b : 3
            a -> b : 2
            b -> c : 5
            a -> c : 4
        "#]],
    );
}

/// What was added to a block that is gone is told.
#[test]
fn what_was_added_to_a_block_that_is_gone_stays_where_it_was() {
    check(
        "opt x\n  a -> b : 1\n  a -> b : 2\nend\n",
        "opt x\n  a -> b : 1\n  b -> c : new\n  a -> b : 2\nend\n",
        "a -> b : 1\na -> b : 2\n",
        expect![[r#"
            a -> b : 1
            b -> c : new
            a -> b : 2
            (`b -> c : new` stands outside of `opt x`: our side added it there, theirs took the block away)
        "#]],
    );
}

/// Blocks: what was wrong where statements were merged line by line.
#[test]
fn blocks_stay_whole_whatever_happens_to_them() {
    // Another keyword, and additions at both edges.
    check(
        "a -> b : 1\nopt x\na -> b : 2\na -> b : 3\nend\na -> b : 4\n",
        "a -> b : 1\nloop x\na -> b : 2\na -> b : 3\nend\na -> b : 4\n",
        "a -> b : 1\nopt x\na -> b : first\na -> b : 2\na -> b : 3\na -> b : last\nend\na -> b : 4\n",
        expect![[r#"
            a -> b : 1
            loop x
            a -> b : first
            a -> b : 2
            a -> b : 3
            a -> b : last
            end
            a -> b : 4
        "#]],
    );
    // Two new blocks with one header, and with one end.
    check(
        "a -> b : 1\n",
        "a -> b : 1\nopt x\na -> b : ours\nend\n",
        "a -> b : 1\nopt x\na -> b : theirs\nend\n",
        expect![[r#"
            a -> b : 1
            opt x
            a -> b : ours
            end
            opt x
            a -> b : theirs
            end
        "#]],
    );
    check(
        "a -> b : 1\na -> b : 2\na -> b : 3\n",
        "a -> b : 1\nopt x\na -> b : 2\na -> b : 3\nend\n",
        "a -> b : 1\na -> b : 2\nloop y\na -> b : 3\nend\n",
        expect![[r#"
            a -> b : 1
            opt x
            a -> b : 2
            loop y
            a -> b : 3
            end
            end
        "#]],
    );
    // A block around old and new, and a note to one of the old.
    check(
        "a -> b : 1\na -> b : 2\n",
        "opt x\na -> b : new\na -> b : 1\nend\na -> b : 2\n",
        "a -> b : 1\nnote right : why\nactivate b\na -> b : 2\ndeactivate b\n",
        expect![[r#"
            opt x
            a -> b : new
            a -> b : 1
            note right : why
            activate b
            end
            a -> b : 2
            deactivate b
        "#]],
    );
    // Two blocks around the same.
    check(
        "a -> b : 1\na -> b : 2\n",
        "opt x\na -> b : 1\nend\na -> b : 2\n",
        "loop y\na -> b : 1\nend\na -> b : 2\n",
        expect![[r#"
            <<<<<<< ours (both sides added this, differently)
            opt x
            =======
            loop y
            >>>>>>> theirs
            a -> b : 1
            end
            a -> b : 2
            (both sides added this, differently)
        "#]],
    );
    // Taken away here, added to there.
    check(
        "opt x\na -> b : 1\na -> b : 2\nend\n",
        "a -> b : 1\na -> b : 2\n",
        "opt x\na -> b : 1\na -> b : new\na -> b : 2\nend\n",
        expect![[r#"
            a -> b : 1
            a -> b : new
            a -> b : 2
            (`a -> b : new` stands outside of `opt x`: their side added it there, ours took the block away)
        "#]],
    );
    // Drawn around what the other side deleted.
    check(
        "a -> b : 1\na -> b : 2\n",
        "opt x\na -> b : 1\nend\na -> b : 2\n",
        "a -> b : 2\n",
        expect![[r#"
            <<<<<<< ours (one side drew a block around this, the other deleted it)
            opt x
            a -> b : 1
            end
            =======
            >>>>>>> theirs
            a -> b : 2
            (one side drew a block around this, the other deleted it)
        "#]],
    );
}

/// Messages and what belongs to them.
#[test]
fn what_belongs_to_a_message_stays_with_it() {
    // The same answer to different calls.
    check(
        "a -> b : 1\n",
        "a -> b : 1\na -> b : x\nactivate b\nb --> a : ok\ndeactivate b\n",
        "a -> b : 1\na -> b : y\nactivate b\nb --> a : ok\ndeactivate b\n",
        expect![[r#"
            a -> b : 1
            a -> b : x
            activate b
            b --> a : ok
            deactivate b
            a -> b : y
            activate b
            b --> a : ok
            deactivate b
        "#]],
    );
    check(
        "a -> b : 1\n",
        "a -> b : 1\na -> b ++ : x\nreturn\n",
        "a -> b : 1\na -> b ++ : y\nreturn\n",
        expect![[r#"
            a -> b : 1
            a -> b ++ : x
            return
            a -> b ++ : y
            return
        "#]],
    );
    // Deleted beside edited.
    check(
        "a -> b : one\na -> c : two\nc -> a : 3\n",
        "a -> b : two\nc -> a : 3\n",
        "a -> b : one\nnote right : n\na -> c : two\nc -> a : 3\n",
        expect![[r#"
            <<<<<<< ours (our side deleted this, theirs changed it)
            =======
            a -> b : one
            note right : n
            >>>>>>> theirs
            a -> b : two
            c -> a : 3
            (our side deleted this, theirs changed it)
        "#]],
    );
    // Creation goes with the message that creates.
    check(
        "a -> b : 1\na -> b : 2\n",
        "a -> b : 1\ncreate c\na -> c : new\na -> b : 2\n",
        "a -> b : 1\na -> b : x\na -> b : 2\n",
        expect![[r#"
            a -> b : 1
            create c
            a -> c : new
            a -> b : x
            a -> b : 2
        "#]],
    );
    // Both moved it, to the same place, and one edited it.
    check(
        "a -> b : 1\na -> b : 2\nb -> c : 3\nc -> a : 4\n",
        "a -> b : 2\nb -> c : 3\na -> b : 1\nc -> a : 4\n",
        "a -> b : 2\nb -> c : 3\na ->> b : 1\nc -> a : 4\n",
        expect![[r#"
            a -> b : 2
            b -> c : 3
            a ->> b : 1
            c -> a : 4
        "#]],
    );
}

#[test]
fn renamed_states_and_classes_are_renamed_in_notes_and_members() {
    let base = "@startuml\n[*] --> Idle\nIdle --> Busy : go\nBusy --> Idle : done\n@enduml\n";
    let ours = base.replace("Idle", "Ready");
    let theirs = base.replace("@enduml", "note right of Idle : waits\nIdle : entry / beep\n@enduml");
    let found = merge("a.puml", base, &ours, &theirs);
    assert_eq!(found.text(), theirs.replace("Idle", "Ready"));
    let base = "@startuml\nclass Pay\nclass Bank\nPay --> Bank : uses\nPay : amount : int\n@enduml\n";
    let ours = base.replace("Pay", "Payment");
    let theirs = base.replace("@enduml", "Pay : currency : int\nnote left of Pay : money\n@enduml");
    let found = merge("a.puml", base, &ours, &theirs);
    assert_eq!(found.text(), theirs.replace("Pay", "Payment"));
}

/// Branches that were merged crosswise have an ancestor with marks in it.
#[test]
fn an_ancestor_with_a_conflict_loses_nothing() {
    let head = "@startuml\na -> b : 1\n";
    let base = format!(
        "{head}<<<<<<< Temporary merge branch 1\na -> b : x\n=======\na -> b : y\n>>>>>>> Temporary merge branch 2\n@enduml\n"
    );
    let ours = format!("{head}a -> b : x\na -> b : y\n@enduml\n");
    let theirs = format!("{head}a -> b : y\na -> b : x\na -> b : z\n@enduml\n");
    let text = merge("a.puml", &base, &ours, &theirs).text();
    for name in ["1", "x", "y", "z"] {
        assert!(text.contains(&format!("a -> b : {name}\n")), "{text}");
    }
}

/// What fits by itself but not together is no silent result, and no more of a conflict than it must be.
#[test]
fn bars_that_do_not_add_up_are_a_conflict() {
    check(
        "a -> c : 0\na -> b : 1\nactivate b\nb -> c : 2\nb -> a : 3\ndeactivate b\na -> c : 4\n",
        "a -> c : 0\na -> b : 1\nactivate b\nb -> c : 2\ndeactivate b\nb -> a : 3\na -> c : 4\n",
        "a -> c : 0\na -> c : new\na -> b : 1\nb -> c : 2\nb -> a : 3\na -> c : 4\n",
        expect![[r#"
            a -> c : 0
            a -> c : new
            a -> b : 1
            <<<<<<< ours (both sides changed this, and together it does not fit)
            activate b
            b -> c : 2
            deactivate b
            =======
            b -> c : 2
            >>>>>>> theirs
            b -> a : 3
            a -> c : 4
            (both sides changed this, and together it does not fit)
        "#]],
    );
    // In a block, and at its end.
    check(
        "a -> b : 1\nopt x\na -> b : 2\nactivate b\nb -> c : 3\ndeactivate b\na -> b : 4\nend\n",
        "a -> b : 1\nopt x\na -> b : 2\nactivate b\nb -> c : 3\na -> b : 4\ndeactivate b\nend\n",
        "a -> b : 1\nc -> c : new\nopt x\na -> b : 2\nb -> c : 3\na -> b : 4\nend\n",
        expect![[r#"
            a -> b : 1
            c -> c : new
            opt x
            a -> b : 2
            <<<<<<< ours (both sides changed this, and together it does not fit)
            activate b
            b -> c : 3
            a -> b : 4
            deactivate b
            =======
            b -> c : 3
            a -> b : 4
            >>>>>>> theirs
            end
            (both sides changed this, and together it does not fit)
        "#]],
    );
}

/// What was edited is the same by its place, even if the first line of its block was edited too, or a block was drawn around it.
#[test]
fn what_was_edited_together_with_its_block_is_recognised() {
    check(
        "a -> b : 1\na -> b : 2\nopt x\nb -> c : 3\nend\n",
        "loop all\na -> b : 1\na -> b : 2\nopt x\nb -> c : 3\nend\nend\n",
        "a -> b : 1\na -> b : 2\nloop x\nb -> c : three\nend\n",
        expect![[r#"
            loop all
            a -> b : 1
            a -> b : 2
            loop x
            b -> c : three
            end
            end
        "#]],
    );
    check(
        "a -> c : 1\nc -> b : 2\nd -> b : 3\nb -> c : 4\n",
        "d -> b : 3\na -> c : 1\nc -> b : 2\nb -> c : 4\n",
        "a -> c : 1\nopt x\nc -> b : 2\nd -> b : three\nend\nb -> c : 4\n",
        expect![[r#"
            <<<<<<< ours (both sides moved this)
            d -> b : 3
            a -> c : 1
            c -> b : 2
            =======
            a -> c : 1
            opt x
            c -> b : 2
            d -> b : three
            end
            >>>>>>> theirs
            b -> c : 4
            (both sides moved this)
        "#]],
    );
    check(
        "opt g\n  b -> a : 1\n  b -> a : 2\nend\nc -> b : 3\n",
        "loop h\n  b -> a : one\n  b -> a : 2\nend\nc -> b : 3\n",
        "opt g\n  c -> b : 3\n  b -> a : 1\n  d -> c : x\n  b -> a : 2\nend\n",
        expect![[r#"
            loop h
              c -> b : 3
              b -> a : one
              d -> c : x
              b -> a : 2
            end
        "#]],
    );
    check(
        "alt g\n  b -> d : 1\nelse e\n  a -> b : 2\n  a -> d : 3\nend\n",
        "alt h\n  b -> d : 1\nelse e\n  a -> b : two\n  a -> d : 3\nend\n",
        "alt g\n  b -> d : 1\nelse e\n  opt x\n    c -> d : y\n  end\n  a -> b : 2\n  a -> d : 3\nend\n",
        expect![[r#"
            alt h
              b -> d : 1
            else e
              opt x
                c -> d : y
              end
              a -> b : two
              a -> d : 3
            end
        "#]],
    );
}

/// Answers are often alike: each goes with what it answers.
#[test]
fn an_answer_goes_with_its_call() {
    check(
        "d -> c : 1\nc --> d : ok\nd -> c : 2\nc --> d : ok\n",
        "d -> c : 1\nc --> d : ok\nc -> b : x\nd -> c : 2\nc --> d : ok\n",
        "d -> c : 1\nc --> d : ok\n",
        expect![[r#"
            d -> c : 1
            c --> d : ok
            c -> b : x
        "#]],
    );
}

/// What the sides say of participants is settled where these are declared.
#[test]
fn participants_are_kept_and_disputed_where_they_are_declared() {
    check(
        "participant a\nparticipant b\nparticipant c\na -> b : 1\nb -> c : 2\n",
        "participant a\nparticipant b\na -> b : 1\n",
        "participant a\nparticipant b\nparticipant c\na -> b : 1\nb -> c : 2\nc -> a : 3\n",
        expect![[r#"
            participant a
            participant b
            participant c
            a -> b : 1
            c -> a : 3
            (`participant c` stays: our side deleted it, theirs speaks of it)
        "#]],
    );
    check(
        "participant a\nparticipant b\na -> b : 1\nb -> a : 2\n",
        "participant a\nparticipant bob\na -> bob : 1\nbob -> a : 2\n",
        "participant a\nparticipant bill\na -> bill : 1\nbill -> a : 2\na -> bill : 3\n",
        expect![[r#"
            participant a
            <<<<<<< ours (both sides changed this)
            participant bob
            =======
            participant bill
            >>>>>>> theirs
            a -> bob : 1
            bob -> a : 2
            a -> bob : 3
            (both sides changed this)
            (`b` is called `bob` by ours and `bill` by theirs: messages say `bob`)
        "#]],
    );
}

#[test]
fn an_operand_is_not_emptied() {
    check(
        "a -> b : 1\nb -> c : 2\nc -> b : 3\nb -> a : 4\n",
        "a -> b : 1\nb -> a : 4\n",
        "a -> b : 1\nalt x\nb -> c : 2\nc -> b : 3\nelse y\nb -> a : 4\nend\n",
        expect![[r#"
            a -> b : 1
            <<<<<<< ours (one side drew a block around this, the other deleted it)
            b -> a : 4
            =======
            alt x
            b -> c : 2
            c -> b : 3
            else y
            b -> a : 4
            end
            >>>>>>> theirs
            (one side drew a block around this, the other deleted it)
        "#]],
    );
}

/// What their side put between two messages stays there, also if ours drew a block around both.
#[test]
fn an_addition_before_a_new_block_stays_before_it() {
    check(
        "a -> b : m1\na -> b : m2\n",
        "opt\na -> b : m1\na -> b : m2\nend\n",
        "a -> b : m1\na -> b : t6\nloop\na -> b : m2\nend\n",
        expect![[r#"
            opt
            a -> b : m1
            a -> b : t6
            loop
            a -> b : m2
            end
            end
        "#]],
    );
}

/// Both sides moved a message and rewrote it: one of the two versions is to be taken.
#[test]
fn a_message_that_both_sides_moved_and_rewrote_is_not_doubled() {
    let base = "a -> b : first\nb -> c : 2\nc -> a : 3\nb -> a : 4\n";
    for (ours, theirs) in [
        (
            "b -> c : 2\na -> b : one\nc -> a : 3\nb -> a : 4\n",
            "b -> c : 2\nc -> a : 3\nb -> a : 4\na -> b : eins\n",
        ),
        (
            "b -> c : 2\nc -> a : 3\nb -> a : 4\na -> b : one\n",
            "b -> c : 2\nc -> a : 3\nb -> a : 4\na -> b : eins\n",
        ),
        (
            "b -> c : 2\na -> b : first(1)\nc -> a : 3\nb -> a : 4\n",
            "b -> c : 2\nc -> a : 3\nb -> a : 4\na -> b : first(2)\n",
        ),
    ] {
        let whole = |lines: &str| format!("@startuml\n{lines}@enduml\n");
        for (one, other) in [(ours, theirs), (theirs, ours)] {
            let found = merge("a.puml", &whole(base), &whole(one), &whole(other));
            assert!(!found.conflicts.is_empty(), "{}", found.text());
        }
    }
}

/// Whichever side is taken, the message is there.
#[test]
fn a_message_moved_into_a_deleted_block_is_not_lost() {
    let base = "a -> b : 1\nb -> c : 2\nopt\nc -> a : 3\nend\nb -> a : 4\n";
    let ours = "a -> b : 1\nb -> c : 2\nb -> a : 4\n";
    let theirs = "b -> c : 2\nopt\nc -> a : 3\na -> b : 1\nend\nb -> a : 4\n";
    let whole = |lines: &str| format!("@startuml\n{lines}@enduml\n");
    for (one, other) in [(ours, theirs), (theirs, ours)] {
        let found = merge("a.puml", &whole(base), &whole(one), &whole(other));
        let text = found.text();
        let mut sides: [Vec<&str>; 2] = Default::default();
        let mut at = None;
        for line in text.lines() {
            match line.split(' ').next() {
                Some("<<<<<<<") => at = Some(0),
                Some("=======") => at = Some(1),
                Some(">>>>>>>") => at = None,
                _ => [0, 1]
                    .into_iter()
                    .filter(|side| at.is_none_or(|at| at == *side))
                    .for_each(|side| sides[side].push(line)),
            }
        }
        assert!(!found.conflicts.is_empty(), "{text}");
        assert!(
            sides.iter().all(|lines| lines.iter().filter(|line| **line == "a -> b : 1").count() == 1),
            "{text}"
        );
    }
}

/// The last line of a block is a line of its own: what a side wrote there is not lost.
#[test]
fn an_edited_end_of_a_block_is_kept() {
    let whole = |lines: &str| format!("@startuml\n{lines}@enduml\n");
    let base = whole("a -> b : 0\ngroup neg\na -> b : 1\nend\n");
    let theirs = whole("a -> b : 0\ngroup neg\na -> b : 1\nend x\n");
    for ours in ["a -> b : 0\na -> b : 1\n", "a -> b : 0\ngroup neg\na -> b : 1\nend y\n"].map(whole) {
        for (one, other) in [(&ours, &theirs), (&theirs, &ours)] {
            let found = merge("a.puml", &base, one, other);
            assert!(!found.conflicts.is_empty() && found.text().contains("end x"), "{}", found.text());
        }
    }
    let found = merge("a.puml", &base, &whole("a -> b : 0\ngroup neg\na -> b : one\nend\n"), &theirs);
    assert!(found.conflicts.is_empty() && found.text().contains("one\nend x\n"), "{}", found.text());
}
