//! Systems that once meant one thing to the interpreter and another to the lowering, as small as they could be made.

use sequent_kernel::model::{Communication, Completion, Steps};

use crate::compare::assert_same;
use crate::systems::WideCase;

/// Machines `M0`, `M1`, ... as text, one object of each: `a`, `b`, ...
fn machines(communication: Communication, machines: &[&str]) -> WideCase {
    let names = ["a", "b", "c", "d"];
    let objects = (0..machines.len()).map(|at| (names[at].to_owned(), format!("M{at}"))).collect();
    let class = |at: usize| format!("class M{at} {{\n  p(v : 0..1)\n  q(v : 0..1)\n}}\n");
    let classes: String = (0..machines.len()).map(class).collect();
    let attributes = "' @attribute x : 0..1 = 0\n' @attribute t : bool = false\n' @attribute who : M0 = none";
    let mut text = format!("@startuml classes\n{classes}@enduml\n");
    for (at, lines) in machines.iter().enumerate() {
        text += &format!("@startuml M{at}\n{attributes}\n{lines}\n@enduml\n");
    }
    WideCase {
        communication,
        steps: Steps::Direct,
        completion: Completion::Queued,
        capacity: 1,
        closed: false,
        objects,
        links: Vec::new(),
        text,
    }
}

/// Small in every step, but its processes are many: a transition from one region into another leaves and enters both.
#[test]
fn a_transition_across_regions() {
    let crossing = "state S6 {
        state S7 {
        [*] --> S9
        S10 --> OutS11 : k
        }
        [*] --> S7
        S8 --> [*] : k
        --
        state S14 {
        [*] --> S15 : / ^b.m
        S15 --> S16 : k
        S15 --> S15
        --
        [*] --> S17
        S17 --> S18 :  / ^m
        }
        [*] --> S13
        }
        [*] --> S4
        S9 --> S17
        state J3 <<join>>
        S15 --> J3 : n
        S18 --> J3 : l
        J3 --> S10";
    assert_same(&machines(Communication::Queue, &[crossing, "[*] --> S1\nS1 --> S1 : m"]));
}

/// Who answers itself hears itself, whoever it is linked to.
#[test]
fn an_answer_to_oneself() {
    let links = vec![("a".to_owned(), "b".to_owned())];
    let asks = "[*] --> S1\nS1 : do / ^self.p(1)\nS1 --> S2 : p(v) / ^sender.l\nS2 --> S3 : l";
    let told = "[*] --> S1\nS1 --> S2 : m / ^l\nS2 --> S3 : l / ^sender.m\nS3 --> S1 : m";
    for machine in [asks, told] {
        let plain = machines(Communication::Queue, &[machine, "[*] --> S1\nS1 --> S1 : k"]);
        assert_same(&WideCase { links: links.clone(), ..plain });
    }
}

/// A transition into a join is another guard of the same source and trigger.
#[test]
fn else_beside_a_join() {
    let joining = "state S1 {
        [*] --> S2
        S2 --> S3 : k
        --
        [*] --> S4
        S4 --> S4 : [else] / t = true
        S5 --> S4 : m
        }
        [*] --> S1
        state J0 <<join>>
        S3 --> J0
        S4 --> J0
        J0 --> S6";
    assert_same(&machines(Communication::Rendezvous, &[joining]));
    let free = WideCase { completion: Completion::Free, ..machines(Communication::Queue, &[joining]) };
    assert_same(&free);
}

/// A guard in prose is decided once in a step: what it holds back is held back by a transition that fires.
#[test]
fn one_decision_in_a_step() {
    let snow = "state S1 {
        state S2 {
        state S3
        [*] --> S4
        }
        [*] --> S2
        S2 --> [*] : p(v)
        --
        [*] --> S6
        S6 --> S6 : any
        }
        [*] --> S1
        S4 --> S3 : p(v) [it snows]";
    for medium in [Communication::Rendezvous, Communication::Queue, Communication::Bag] {
        assert_same(&machines(medium, &[snow]));
    }
}

/// One decision also for a state that defers the message if the guard is false.
#[test]
fn one_decision_about_deferral() {
    let keeping = "state S1 {
        [*] --> S2
        S2 : k / defer
        S2 --> S3 : k [it rains]
        --
        [*] --> S4
        }
        [*] --> S1
        S4 --> S5 : k
        S5 --> S1 : m";
    assert_same(&WideCase { capacity: 2, ..machines(Communication::Queue, &[keeping]) });
}

/// What was left through an exit point, or to a join, was the last active state.
#[test]
fn history_behind_exits_and_joins() {
    let exit = "state S1 {
        state S2 {
        state Out <<exitPoint>>
        [*] --> S4
        S4 --> S5 : m
        S5 --> Out : n / ^b.n
        }
        [*] --> S2
        }
        [*] --> S1
        Out --> S12
        S12 --> S2[H] : l";
    let join = "state S2 {
        [*] --> S3
        S3 --> S5 : m
        --
        [*] --> S4
        }
        [*] --> S2
        state J0 <<join>>
        S5 --> J0 : m
        S4 --> J0 : n
        J0 --> S8
        S8 --> S2[H*] : m";
    let other = "[*] --> S1\nS1 --> S1 : n";
    for medium in [Communication::Queue, Communication::Rendezvous] {
        assert_same(&machines(medium, &[exit, other]));
    }
    assert_same(&machines(Communication::Queue, &[join]));
}

/// A region that was not active keeps its history when the states around it are left.
#[test]
fn history_of_what_is_not_active() {
    let nested = "state S1 {
        state S2 {
        [*] --> S3
        S3 --> S4 : m
        }
        [*] --> S2
        S2 --> S5 : n
        }
        [*] --> S1
        S1 --> S6 : k
        S6 --> S1 : l
        S6 --> S2[H] : n";
    assert_same(&machines(Communication::Queue, &[nested]));
}

/// What goes to the environment by reference is a step of its own, before the last that another machine takes.
#[test]
fn a_reference_to_the_environment() {
    let by_reference = [
        "[*] --> S1\nS1 --> S2 : k / who = sender\nS2 --> S3 : m / ^who.l",
        "[*] --> S1\nS1 --> S2 : k / who = sender\nS2 --> S3 : m / ^who.l; ^b.n",
        "[*] --> S1\nS1 --> S2 : k / who = sender\nS2 --> S3 : m / ^b.n; ^who.l",
        "[*] --> S1\nS1 --> S2 : k / who = sender\nS2 : do / ^who.l; ^b.n",
        "[*] --> S1\nS1 --> S2 : k / who = sender\nS1 --> S2 : m\nS2 --> S3 : n / ^who.l; ^who.n",
    ];
    for machine in by_reference {
        let other = "[*] --> S1\nS1 --> S1 : n\nS1 --> S2 : l / ^a.k";
        let mut case = machines(Communication::Rendezvous, &[machine, other]);
        case.objects.push(("e".to_owned(), "Environment".to_owned()));
        for steps in [Steps::Direct, Steps::Intermediate] {
            assert_same(&WideCase { steps, ..case.clone() });
        }
    }
}

/// A meeting in which both break is a step nevertheless.
#[test]
fn two_faults_in_one_step() {
    let sender = "[*] --> S1 : / x = 1\nS1 --> S2 : / ^b.k; x++";
    let receiver = "[*] --> S1 : / x = 1\nS1 --> S2 : k / x++";
    assert_same(&machines(Communication::Rendezvous, &[sender, receiver]));
}

/// Two ways into a join by one message: the state around is left, and the join goes on once.
#[test]
fn two_come_to_a_join_at_once() {
    let joining = "state S3 {
        S4 : entry / ^m
        [*] --> S4
        --
        [*] --> S5
        }
        S3 : exit / ^n
        [*] --> S1
        S1 --> S3 : l
        state J0 <<join>>
        S4 --> J0 : p(v)
        S5 --> J0 : p(v)
        J0 --> S5";
    for medium in [Communication::Queue, Communication::Bag] {
        assert_same(&machines(medium, &[joining]));
        let outside = joining.replace("J0 --> S5", "J0 --> S6 : / ^k\nS6 --> S3 : k");
        assert_same(&machines(medium, &[&outside]));
    }
}

/// What divides by zero is a fault: in arguments, guards, choices and assignments. `and`, `or` and `->` look no further than they need.
#[test]
fn division_by_zero() {
    let takes = "[*] --> S1\nS1 --> S1 : p(v)";
    let labels = [
        "S1 --> S2 : k / ^b.p(1 / x)",
        "S1 --> S2 : k / x = 1 % x",
        "S1 --> S2 : k [1 / x == 0]",
        "S1 --> S2 : k [1 / x == 0]\nS1 --> S3 : k [x == 0]",
        "S1 --> S2 : k [1 / x == 0]\nS1 --> S3 : k [else]",
        "S1 --> S2 : k [x == 0 or 1 / x == 1]",
        "S1 --> S2 : k [x != 0 and 1 / x == 1]",
        "S1 --> S2 : k [x != 0 implies 1 / x == 1]",
        "state C <<choice>>\nS1 --> C : k\nC --> S2 : [1 / x == 0]\nC --> S3 : [else]",
        "state C <<junction>>\nS1 --> C : k\nC --> S2 : [1 / x == 0]\nC --> S3 : [else]",
    ];
    for communication in [Communication::Queue, Communication::Bag, Communication::Rendezvous] {
        for label in labels {
            let divides = format!("[*] --> S1 : / x = 0\n{label}");
            assert_same(&machines(communication, &[&divides, takes]));
        }
    }
}
