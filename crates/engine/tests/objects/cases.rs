//! Systems of the literature, with the numbers that are known of them.

use sequent_kernel::model::{Communication, Completion, Steps};
use sequent_testing::objects::NaiveObjects;

use crate::build::{model, structure, with};
use crate::graph::Graph;

const HUGO: &str = "@startuml ATM
[*] --> CardEntry
CardEntry --> PINEntry
PINEntry --> Verification : / ^bank.verifyPIN
Verification --> PINEntry : reenterPIN
Verification --> AmountEntry : PINVerified
Verification --> ReturningCard : abort
AmountEntry --> GivingMoney
GivingMoney --> ReturningCard
ReturningCard --> CardEntry : / ^bank.done
@enduml
@startuml Bank
' @attribute maxNumIncorrect : 0..3 = 2
' @attribute numIncorrect : 0..3 = 0
' @attribute cardValid : bool = true
[*] --> Idle
Idle --> Verifying : verifyPIN
Idle --> Idle : done
state both <<join>>
state Verifying {
  [*] --> VerifyingCard
  VerifyingCard --> CardValid : [cardValid]
  VerifyingCard --> Idle : [else] / ^atm.abort
  CardValid --> both
  --
  [*] --> VerifyingPIN
  VerifyingPIN --> PINCorrect
  VerifyingPIN --> PINIncorrect
  PINCorrect : entry / numIncorrect = 0
  PINIncorrect --> Idle : [numIncorrect < maxNumIncorrect] / numIncorrect++; ^atm.reenterPIN
  PINIncorrect --> Idle : [else] / cardValid = false; ^atm.abort
  PINCorrect --> both
}
both --> Idle : / ^atm.PINVerified
@enduml";

/// Configurations are what P3 speaks of: active states, attributes and queues. Where completion events wait in line there are
/// others: a region may wait at the join, and the older event goes first.
#[test]
fn hugo() {
    let mut model = with(&model(HUGO), Communication::Queue, 2, Steps::Direct);
    let structure = structure(&model, &[("atm", "ATM"), ("bank", "Bank")], &[]);
    for (completion, expected) in [(Completion::Free, (63, 92)), (Completion::Queued, (56, 79))] {
        model.system.completion = Some(completion);
        let naive = NaiveObjects::new(&model, &structure);
        let (views, steps) = Graph::whole_steps(&naive);
        assert_eq!((views.len(), steps), expected);
        let graph = Graph::of(&naive, 1_000).expect("it is small");
        assert_eq!(graph.deadlocks(&naive).count(), 0);
        assert!(graph.states.iter().all(|state| state.fault.is_none()));
    }
}

/// P1's machines; the bank remembers who asked until it has answered.
const BANK: &str = "@startuml Bank
' @attribute caller : ATM = none
[*] --> s0
s0 --> s1 : auth / caller = sender
s1 --> s0 : / ^caller.start; caller = none
s0 --> s2 : debit / caller = sender
s2 --> s0 : / ^caller.result(true); caller = none
s2 --> s0 : / ^caller.result(false); caller = none
@enduml
@startuml ATM
[*] --> q0
q0 --> q1 : insert
q1 --> q2 : pin
q2 --> q3t : / ^b.auth(true)
q2 --> q3f : / ^b.auth(false)
q3t --> q4 : start
q3f --> q9 : start
q4 --> q5 : / ^u.answer
q5 --> q6 : amount
q6 --> q7 : / ^b.debit
q7 --> q8 : result(ok) [ok]
q7 --> q9 : result(ok) [!ok]
q8 --> q9 : / ^u.money
q9 --> q10 : / ^u.eject
q10 --> q0 : / ^u.idle
@enduml";

#[test]
fn bank_and_cash_machines() {
    let model = with(&model(BANK), Communication::Rendezvous, 4, Steps::Direct);
    let one = [("b", "Bank"), ("a1", "ATM"), ("u", "User")];
    let two = [("b", "Bank"), ("a1", "ATM"), ("a2", "ATM"), ("u", "User")];
    for (objects, states, steps) in [(&one[..], 12, 14), (&two, 135, 294)] {
        let structure = structure(&model, objects, &[]);
        let naive = NaiveObjects::new(&model, &structure);
        let graph = Graph::of(&naive, 1_000).expect("it is small");
        assert_eq!((graph.states.len(), graph.step_count()), (states, steps));
        assert_eq!(graph.deadlocks(&naive).count(), 0);
    }
}
