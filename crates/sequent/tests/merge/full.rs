//! Merges that the machines must be able to do together.

use sequent::merge::{ConsistencyLevel, MergeOptions, RevisionSide};

use crate::{merge_count, merge_files};

const MACHINES: &str = "@startuml A\n[*] --> a0\na0 --> a1 : wake\na1 --> a2 : go / b.ping\n@enduml\n\
                        @startuml B\n[*] --> b0\nb0 --> b1 : ping\nb1 --> b0 : reset\n@enduml\n";

fn scene(lines: &str) -> String {
    format!("@startuml\nactor u\nparticipant \"a : A\" as a\nparticipant \"b : B\" as b\n{lines}@enduml\n")
}

fn versions() -> [String; 3] {
    let base = "u ->> a : wake\n";
    [scene(base), scene(&format!("{base}u ->> a : go\n")), scene(&format!("{base}a ->> b : ping\n"))]
}

#[test]
fn what_each_lifeline_can_receive_is_not_what_they_can_do() {
    let versions = versions();
    let bytes = versions.each_ref().map(|text| text.as_bytes());
    let options = |level| MergeOptions { level, first: RevisionSide::Theirs, ..MergeOptions::default() };
    assert_eq!(
        merge_count("a.puml", bytes, MACHINES, options(ConsistencyLevel::Order)).as_deref(),
        Some("2")
    );
    assert_eq!(
        merge_count("a.puml", bytes, MACHINES, options(ConsistencyLevel::Trigger)).as_deref(),
        Some("2")
    );
    assert_eq!(merge_count("a.puml", bytes, MACHINES, options(ConsistencyLevel::Full)).as_deref(), Some("1"));
    let found = merge_files("a.puml", bytes, MACHINES, options(ConsistencyLevel::Full));
    assert_eq!(found.text(), scene("u ->> a : wake\nu ->> a : go\na ->> b : ping\n"), "{:?}", found.notes);
}

#[test]
fn what_the_machines_cannot_do_in_any_order_is_told() {
    let [base, ours, _] = versions();
    let theirs = scene("u ->> a : wake\na ->> b : ping\na ->> b : reset\n");
    let bytes = [&base, &ours, &theirs].map(|text| text.as_bytes());
    let options = MergeOptions { level: ConsistencyLevel::Full, ..MergeOptions::default() };
    let found = merge_files("a.puml", bytes, MACHINES, options);
    assert!(found.text().contains("<<<<<<<"), "{}", found.text());
    let reasons = &found.explanations[0].reasons;
    assert!(reasons.iter().any(|reason| reason.contains("`a->b:reset`")), "{reasons:?}");
}

#[test]
fn machines_that_come_with_an_addition_are_asked() {
    let plain = |lines: &str| format!("@startuml\nparticipant u\n{lines}@enduml\n");
    let added = "participant \"a : A\" as a\n";
    let ours = plain(&format!("{added}u ->> a : go\n"));
    let theirs = plain(&format!("{added}u ->> a : wake\n"));
    let base = plain("");
    let bytes = [&base, &ours, &theirs].map(|text| text.as_bytes());
    let options = MergeOptions { level: ConsistencyLevel::Full, ..MergeOptions::default() };
    let found = merge_files(
        "a.puml",
        bytes,
        "@startuml A\n[*] --> a0\na0 --> a1 : wake\na1 --> a2 : go\n@enduml\n",
        options.clone(),
    );
    assert!(found.text().contains("u ->> a : wake\nu ->> a : go\n"), "{}{:?}", found.text(), found.notes);
    // Nobody has a machine: nothing to ask.
    let bytes =
        [&base, &plain("u ->> v : 2\n"), &plain("u ->> v : 3\n")].map(|text| text.as_bytes().to_vec());
    let count = merge_count("a.puml", bytes.each_ref().map(Vec::as_slice), MACHINES, options);
    assert_eq!(count.as_deref(), Some("2"));
}

/// A guard that is never true, and a transition that is missing: each is proposed with its line, and so is what to leave out.
#[test]
fn what_would_help_the_machines_is_told_with_its_line() {
    let guarded = "@startuml A\n' @attribute n : 0..3 = 0\n[*] --> a0\na0 --> a1 : wake\na1 --> a2 : go [n > 0] / b.ping\n@enduml\n\
                   @startuml B\n[*] --> b0\nb0 --> b1 : ping\n@enduml\n";
    let versions = versions();
    let bytes = versions.each_ref().map(|text| text.as_bytes());
    let options = MergeOptions { level: ConsistencyLevel::Full, ..MergeOptions::default() };
    let found = merge_files("a.puml", bytes, guarded, options);
    let proposals = &found.explanations[0].proposals;
    let expected = "remove the guard `n > 0` of `A` from a1 to a2 (machines.puml:5)";
    assert!(proposals.iter().any(|one| one == expected), "{proposals:?}");
    assert!(proposals[0].starts_with("leave out `"), "{proposals:?}");
    assert!(proposals.iter().all(|one| !one.contains(" and `")), "one message is enough: {proposals:?}");
}

/// Choices in a `loop`: each lifeline is asked alone, and what it lacks is told.
#[test]
fn choices_in_blocks_are_explained_too() {
    let door = "@startuml Door\n[*] --> shut\nshut --> open : pull\nopen --> shut : push\n@enduml\n";
    let scene = |lines: &str| {
        format!(
            "@startuml\nparticipant \"d : Door\" as d\nu ->> d : pull\nloop (1,2)\n{lines}u ->> v : y\nend\n@enduml\n"
        )
    };
    let versions = [scene(""), scene("u ->> d : push\n"), scene("x ->> d : push\n")];
    let found =
        merge_files("a.puml", versions.each_ref().map(|text| text.as_bytes()), door, MergeOptions::default());
    assert!(found.text().contains("<<<<<<<"), "{}", found.text());
    let proposals = &found.explanations[0].proposals;
    assert!(proposals.contains(&"leave out `u->d:push` (ours)".to_owned()), "{proposals:?}");
    assert!(proposals.iter().any(|one| one.starts_with("give `Door` a transition ")), "{proposals:?}");
}

#[test]
fn what_is_proposed_helps_the_machines_together() {
    // Each lifeline alone could do without one message; together they cannot.
    let machines = "@startuml Shop\n[*] --> Paying\nPaying --> Shipping : paid / ^depot.reserve\n\
                    Paying --> Idle : declined / ^bank.bye\n@enduml\n\
                    @startuml Bank\n[*] --> Open\nOpen --> Open : ask [rich] / ^shop.paid\n\
                    Open --> Open : ask [poor] / ^shop.declined\nOpen --> Open : bye\n@enduml\n\
                    @startuml Depot\n[*] --> Ready\nReady --> Ready : reserve\n@enduml\n";
    let diagram = |lines: &str| format!("@startuml V\nactor u\nu ->> bank : ask\n{lines}@enduml\n");
    let base = diagram("");
    let ours = diagram("bank ->> shop : paid\nshop ->> depot : reserve\n");
    let theirs = diagram("bank ->> shop : declined\nshop ->> bank : bye\n");
    let bytes = [&base, &ours, &theirs].map(|text| text.as_bytes());
    let options = MergeOptions { level: ConsistencyLevel::Full, ..MergeOptions::default() };
    let found = merge_files("a.puml", bytes, machines, options);
    let proposals = &found.explanations[0].proposals;
    for whole in [
        "leave out `bank->shop:paid` (ours) and `shop->depot:reserve` (ours)",
        "leave out `bank->shop:declined` (theirs) and `shop->bank:bye` (theirs)",
    ] {
        assert!(proposals.iter().any(|one| one == whole), "{proposals:?}");
    }
    let is_alone = |one: &String| one.starts_with("leave out") && !one.contains(" and `");
    assert!(!proposals.iter().any(is_alone), "one message is not enough: {proposals:?}");
}
