//! Merges that the machines must be able to do together.

use std::collections::BTreeSet;

use sequent::merge::{ConsistencyLevel, MergeOptions, RevisionSide};
use sequent::settings::{self, Settings};
use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

use crate::{made, merge_count, merge_files, with_settings};

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

/// Where a message that nothing takes does not happen.
fn rendezvous() -> Settings {
    let mut settings = Settings::default();
    settings::set(&mut settings, "system.communication=rendezvous").expect("a known setting");
    settings
}

/// A base that shows no machine says nothing against them: they are asked about what the sides add.
#[test]
fn machines_are_asked_where_the_base_shows_none() {
    let lid = "@startuml Lid\n' @attribute n : 0..1 = 0\n[*] --> Up\nUp --> Up : press [n == 0] / n = 1\n\
               Up --> Up : hold / ^pin.drop\n@enduml\n@startuml Pin\n[*] --> Out\nOut --> In : drop\n@enduml\n";
    let visit = |lines: &str| {
        format!(
            "@startuml Visit\nparticipant h\nparticipant log\nparticipant lid\nparticipant pin\n{lines}@enduml\n"
        )
    };
    let once = [
        visit("h ->> log : a\n"),
        visit("h ->> lid : press\nh ->> log : a\n"),
        visit("h ->> log : a\nlog ->> lid : press\n"),
    ];
    let ways = "@startuml A\n[*] --> s0\ns0 --> s1 : go / ^b.x\ns0 --> s2 : stop / ^b.y\n@enduml\n\
                @startuml B\n[*] --> t\nt --> t : x\nt --> t : y\n@enduml\n";
    let scene = |lines: &str| format!("@startuml Visit\nparticipant a\nparticipant b\n{lines}@enduml\n");
    let either =
        [scene("u ->> v : n1\n"), scene("u ->> v : n1\na ->> b : x\n"), scene("a ->> b : y\nu ->> v : n1\n")];
    let options = MergeOptions { level: ConsistencyLevel::Full, ..MergeOptions::default() };
    for (versions, machines) in [(once, lid), (either, ways)] {
        let bytes = versions.each_ref().map(|text| text.as_bytes());
        let found = with_settings("a.puml", bytes, machines, (options.clone(), &rendezvous()), made);
        assert!(!found.conflicts.is_empty(), "{}", found.text());
        assert!(!found.notes.iter().any(|note| note.contains("before the merge")), "{:?}", found.notes);
    }
}

/// A machine with a bit: source, trigger, the bit that it needs and the one that it leaves, target.
type BitSteps = Vec<(usize, usize, Option<usize>, Option<usize>, usize)>;

/// Whether a machine can take messages one after the other, from some state that it comes to.
fn takes(steps: &BitSteps, order: &[usize]) -> bool {
    let after = |from: &BTreeSet<(usize, usize)>, name: Option<usize>| -> BTreeSet<(usize, usize)> {
        let moves = from.iter().flat_map(|(state, bit)| {
            let fits = steps.iter().filter(move |one| {
                one.0 == *state
                    && name.is_none_or(|name| one.1 == name)
                    && one.2.is_none_or(|own| own == *bit)
            });
            fits.map(move |one| (one.4, one.3.unwrap_or(*bit)))
        });
        moves.collect()
    };
    let mut reached = BTreeSet::from([(0, 0)]);
    loop {
        let more: BTreeSet<(usize, usize)> = reached.union(&after(&reached, None)).copied().collect();
        if more == reached {
            break;
        }
        reached = more;
    }
    !order.iter().fold(reached, |states, name| after(&states, Some(*name))).is_empty()
}

/// All orders of two rows.
fn interleaved(one: &[usize], other: &[usize]) -> Vec<Vec<usize>> {
    match (one, other) {
        ([], rest) | (rest, []) => vec![rest.to_vec()],
        ([first, ones @ ..], [second, others @ ..]) => {
            let begin = |first: usize, rest: Vec<Vec<usize>>| {
                rest.into_iter().map(move |order| [vec![first], order].concat())
            };
            begin(*first, interleaved(ones, other)).chain(begin(*second, interleaved(one, others))).collect()
        }
    }
}

/// Around a base without machines the merges are the orders that the machine can take from some state that it comes to.
#[test]
fn merges_around_a_base_without_machines_are_those_of_its_states() {
    let (mut some, mut none) = (0, 0);
    for seed in seeds(150) {
        let mut dice = Random::new(seed);
        let bit = |dice: &mut Random| [None, Some(0), Some(1)][dice.below(3)];
        let states = 1 + dice.below(3);
        let mut steps = BitSteps::new();
        for name in 0..2 {
            for _ in 0..1 + dice.below(2) {
                steps.push((dice.below(states), name, bit(&mut dice), bit(&mut dice), dice.below(states)));
            }
        }
        let mut machine = "@startuml Lid\n' @attribute n : 0..1 = 0\n[*] --> s0\n".to_owned();
        for (from, name, needs, leaves, to) in &steps {
            let guard = needs.map(|bit| format!(" [n == {bit}]")).unwrap_or_default();
            let effect = leaves.map(|bit| format!(" / n = {bit}")).unwrap_or_default();
            machine += &format!("s{from} --> s{to} : m{name}{guard}{effect}\n");
        }
        machine += "@enduml\n";
        // Above and below the one message of the base.
        let added =
            [0, 1].map(|_| [0, 1].map(|_| (0..dice.below(3)).map(|_| dice.below(2)).collect::<Vec<usize>>()));
        let version = |side: Option<usize>| {
            let lines = |gap: usize| -> String {
                let own =
                    side.into_iter().flat_map(|side| added[side][gap].iter().map(move |name| (side, name)));
                own.map(|(side, name)| format!("u{side} ->> lid : m{name}\n")).collect()
            };
            format!("@startuml Visit\nparticipant lid\n{}h ->> log : a\n{}@enduml\n", lines(0), lines(1))
        };
        let versions = [version(None), version(Some(0)), version(Some(1))];
        let ways = |gap: usize| interleaved(&added[0][gap], &added[1][gap]);
        let orders = ways(0)
            .into_iter()
            .flat_map(|above| ways(1).into_iter().map(move |below| [above.clone(), below].concat()));
        let is_possible = orders.into_iter().any(|order| takes(&steps, &order));
        // A side that is impossible by itself is reported, and may be taken.
        if !added.iter().all(|own| takes(&steps, &own.concat())) {
            continue;
        }
        let options = MergeOptions { level: ConsistencyLevel::Full, ..MergeOptions::default() };
        let bytes = versions.each_ref().map(|text| text.as_bytes());
        let is_merged = with_settings("a.puml", bytes, &machine, (options, &rendezvous()), |merge| {
            let is_whole = merge.draft.conflicts().next().is_none();
            is_whole && merge.tasks.iter().all(|task| !merge.merges(task, 1).orders.is_empty())
        });
        assert_eq!(is_merged, is_possible, "seed {seed}\n{machine}{}", versions.concat());
        if is_possible { some += 1 } else { none += 1 }
    }
    assert!(some > none && none > 0, "{some} {none}");
}

/// Where a block is to blame its messages are named, and no transition for a block is proposed.
#[test]
fn of_a_block_the_messages_are_proposed() {
    let vat = "@startuml Vat\n[*] --> S0\nS0 --> S1 : rest\nS1 --> S0 : pour\n@enduml\n";
    let scene = |lines: &str| format!("@startuml\nv ->> vat : rest\n{lines}@enduml\n");
    let theirs = scene("par x\nv ->> vat : stir\nelse\nv ->> v : z\nend\n");
    let versions = [scene(""), scene("v ->> vat : pour\n"), theirs];
    let found =
        merge_files("a.puml", versions.each_ref().map(|text| text.as_bytes()), vat, MergeOptions::default());
    let proposals = &found.explanations[0].proposals;
    assert!(proposals.contains(&"leave out `v->vat:stir in par` (theirs)".to_owned()), "{proposals:?}");
    assert!(proposals.iter().any(|one| one.contains(" : stir (")), "{proposals:?}");
    assert!(!proposals.iter().any(|one| one.contains(": par") || one.contains("`par`")), "{proposals:?}");
}

/// A block beside what a lifeline receives does not make its machine forget where it is.
#[test]
fn a_block_in_an_operand_hides_no_contradiction() {
    let machines = "@startuml Vat\n[*] --> S0\nS0 --> S1 : rest\n@enduml\n@startuml Kiln\n[*] --> S2\nS2 --> S0 : vent\n@enduml\n";
    let scene = |lines: &str| format!("@startuml Og\n{lines}@enduml\n");
    let block = |more: &str| format!("group g\nv ->> kiln : vent\n{more}end\n");
    let mixed = [
        scene(&format!("u ->> vat : rest\n{}", block(""))),
        scene(&format!("par og1\nu ->> vat : rest\nelse\n{}end\n", block(""))),
        scene(&format!("u ->> vat : rest\n{}", block("v ->> vat : mix\n"))),
    ];
    let vats = "@startuml Vat\n[*] --> S0\n@enduml\n@startuml Kiln\n[*] --> S2\nS2 --> S0 : vent\n@enduml\n";
    let silent = [
        scene(""),
        scene(""),
        scene("par tg0\nv ->> vat : stir\nelse\nopt tg1\nu ->> kiln : vent\nend\nend\n"),
    ];
    for (versions, machines) in [(mixed, machines), (silent, vats)] {
        let bytes = versions.each_ref().map(|text| text.as_bytes());
        let found = merge_files("a.puml", bytes, machines, MergeOptions::default());
        let is_told = found.notes.iter().any(|note| note.contains("cannot receive"));
        assert!(!found.conflicts.is_empty() || is_told, "{} {:?}", found.text(), found.notes);
    }
}
