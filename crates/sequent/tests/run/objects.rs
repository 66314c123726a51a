//! Runs of systems of objects, drawn: the states of the objects stand along the lifelines.

use expect_test::{Expect, expect};
use sequent::telling::tell_objects;
use sequent_kernel::lint::Folders;
use sequent_kernel::model::{Communication, Model, Steps, SystemSettings};
use sequent_kernel::replay::Run;
use sequent_kernel::semantics::objects::{Objects, lower_objects, structure};
use sequent_kernel::verdict::Story;
use sequent_notation::{mermaid, plantuml};
use sequent_report::draw::{TextStyle, text};
use sequent_report::run::Wishes;

use super::read;

struct Case {
    model: Model,
    objects: Objects,
}

fn case(diagrams: &str, communication: Communication) -> Case {
    let (_, model) = read(diagrams);
    let folders: Folders =
        model.machines.iter().map(|machine| (machine.place.0.file, String::new())).collect();
    let (structure, problems) = structure(&model, &folders, "", None);
    assert!(problems.is_empty(), "{problems:?}");
    let settings = SystemSettings {
        communication: Some(communication),
        steps: Some(Steps::Direct),
        capacity: Some(1),
        ..SystemSettings::default()
    };
    let objects = lower_objects(&model, &structure, &settings).expect("it is small");
    Case { model, objects }
}

impl Case {
    /// A run with these events, parted by spaces; `.` is a step without event, and one comes before an event if it must.
    fn run(&self, events: &str) -> Run {
        let system = &self.objects.system;
        let mut run = Run::default();
        let mut config = system.initial();
        for event in events.split_whitespace() {
            loop {
                let steps = system.steps(&config);
                let text = |step: &_| {
                    let all = system.events(step).map(|event| system.events[event].text.as_str());
                    all.collect::<Vec<_>>().join("+")
                };
                let found = steps.iter().find(|step| text(step) == event.trim_start_matches('.'));
                let silent = steps.iter().find(|step| text(step).is_empty());
                let known: Vec<String> = steps.iter().map(text).collect();
                let step = found.or(silent).unwrap_or_else(|| panic!("{event} is none of {known:?}"));
                config = system.take(step, &config).expect("a step that is offered can be taken");
                run.steps.push(step.clone());
                if found.is_some() {
                    break;
                }
            }
        }
        run
    }

    fn story(&self, run: &Run) -> Story {
        tell_objects(&self.model, &self.objects, None, run, &Wishes::default()).expect("it replays")
    }
}

fn check(case: &Case, run: &Run, expected: Expect) {
    expected.assert_eq(&text(&case.story(run).drawing, &TextStyle::default()));
}

const HANDSHAKE: &str = "\
@startuml Client
' @attribute tries : 0..3 = 0
[*] --> Idle
Idle --> Asked : start / ^server.hello; tries++
Asked --> Idle : refuse
Asked --> Open : welcome / ^log.opened
Open --> Idle : close
@enduml
@startuml Server
[*] --> Free
Free --> Taken : hello / ^client.welcome
Taken --> Free : bye
@enduml
";

#[test]
fn queue() {
    let case = case(HANDSHAKE, Communication::Queue);
    let run = case.run("!->Client:start ?->Client:start !Client->Server:hello ?Client->Server:hello !Server->Client:welcome ?Server->Client:welcome !Client->log:opened");
    check(
        &case,
        &run,
        expect![[r#"
            ┌─────────┐          ┌─────────┐
            │ Client  │          │ Server  │
            └────┬────┘          └────┬────┘
          ╭─────────────╮             │
          │    Idle     │         ╭───────╮
          │  tries = 0  │         │ Free  │
          ╰─────────────╯         ╰───────╯
         start   │                    │
        ●───────>│                    │
                 │       hello        │
                 ├───────────────────>│
          ╭─────────────╮             │
          │    Asked    │             │
          │  tries = 1  │             │
          ╰─────────────╯             │
                 │      welcome       │
                 │<───────────────────┤
                 │               ╭─────────╮
                 │               │  Taken  │
                 │               ╰─────────╯
                 │ opened (to log)    │
                 ├─────────────────>● │
             ╭───────╮                │
             │ Open  │                │
             ╰───────╯                │
                 │                    │
    "#]],
    );
    expect![[r#"
        @startuml system
        participant Client
        participant Server
        hnote over Client : Idle\ntries = 0
        hnote over Server : Free
        ?->> Client : start
        Client ->> Server : hello
        hnote over Client : Asked\ntries = 1
        Server ->> Client : welcome
        hnote over Server : Taken
        Client ->>? : opened (to log)
        hnote over Client : Open
        @enduml
    "#]]
    .assert_eq(&plantuml::print::sequence(&case.story(&run).drawing));
    expect![[r#"
        sequenceDiagram
            %% @name system
            participant Client
            participant Server
            note over Client: {Idle<br/>tries = 0}
            note over Server: {Free}
            [-)Client: start
            Client-)Server: hello
            note over Client: {Asked<br/>tries = 1}
            Server-)Client: welcome
            note over Server: {Taken}
            Client-)]: opened (to log)
            note over Client: {Open}
    "#]]
    .assert_eq(&mermaid::print::sequence(&case.story(&run).drawing));
}

/// What is never taken is lost; a full queue ends the run.
#[test]
fn lost_and_full() {
    let case = case(HANDSHAKE, Communication::Queue);
    let run = case.run(
        "!->Client:start ?->Client:start !Client->Server:hello ?Client->Server:hello !->Client:refuse .",
    );
    check(
        &case,
        &run,
        expect![[r#"
            ┌─────────┐                                    ┌─────────┐
            │ Client  │                                    │ Server  │
            └────┬────┘                                    └────┬────┘
          ╭─────────────╮                                       │
          │    Idle     │                                   ╭───────╮
          │  tries = 0  │                                   │ Free  │
          ╰─────────────╯                                   ╰───────╯
         start   │                                              │
        ●───────>│                                              │
                 │                    hello                     │
                 ├─────────────────────────────────────────────>│
          ╭─────────────╮                                       │
          │    Asked    │                                       │
          │  tries = 1  │                                       │
          ╰─────────────╯                                       │
        ┌─────────────────◥                                     │
        │ waiting: refuse │                                     │
        └─────────────────┘                                     │
               ┌──────────────────────────────────────────────────◥
               │ the queue of Client holds 1 messages and is full │
               └──────────────────────────────────────────────────┘
                 │                                              │
    "#]],
    );
    let run = case.run("!->Server:bye ?->Server:bye");
    check(
        &case,
        &run,
        expect![[r#"
          ┌─────────┐
          │ Server  │
          └────┬────┘
           ╭───────╮
           │ Free  │
           ╰───────╯
         bye   │
        ●─────>│
        ┌─────────────◥
        │ bye is lost │
        └─────────────┘
               │
    "#]],
    );
}

const BANK: &str = "\
@startuml Bank
[*] --> Ready
Ready --> Deciding : debit(n)
Deciding --> Ready : / ^result(true)
Deciding --> Ready : / ^result(false)
@enduml
@startuml ATM
[*] --> Waiting
Waiting --> Asking : amount
Asking --> Asked : / ^debit(2)
Asked --> Paying : result(true)
Asked --> Waiting : result(false)
Paying --> Waiting : / ^money
@enduml
";

#[test]
fn rendezvous_forever() {
    let case = case(BANK, Communication::Rendezvous);
    let Run { steps, .. } = case.run("->ATM:amount ATM->Bank:debit(2) Bank->ATM:result(true) !ATM->:money ->ATM:amount ATM->Bank:debit(2) Bank->ATM:result(false)");
    let run = Run { steps, cycle: Some(4) };
    check(
        &case,
        &run,
        expect![[r#"
            ┌───────┐          ┌─────┐
            │ Bank  │          │ ATM │
            └───┬───┘          └──┬──┘
           ╭─────────╮      ╭───────────╮
           │  Ready  │      │  Waiting  │
           ╰─────────╯      ╰───────────╯
                │        amount   │
                │       ●────────▶│
                │            ╭─────────╮
                │            │ Asking  │
                │            ╰─────────╯
                │    debit(2)     │
                │◀────────────────┤
          ╭───────────╮      ╭─────────╮
          │ Deciding  │      │  Asked  │
          ╰───────────╯      ╰─────────╯
                │  result(true)   │
                ├────────────────▶│
           ╭─────────╮       ╭─────────╮
           │  Ready  │       │ Paying  │
           ╰─────────╯       ╰─────────╯
                │                 │ money
                │                 ├───────>●
                │           ╭───────────╮
                │           │  Waiting  │
                │           ╰───────────╯
        ┌ loop (inf) ─────────────┼───────┐
        │       │        amount   │       │
        │       │       ●────────▶│       │
        │       │            ╭─────────╮  │
        │       │            │ Asking  │  │
        │       │            ╰─────────╯  │
        │       │    debit(2)     │       │
        │       │◀────────────────┤       │
        │ ╭───────────╮      ╭─────────╮  │
        │ │ Deciding  │      │  Asked  │  │
        │ ╰───────────╯      ╰─────────╯  │
        │       │ result(false)   │       │
        │       ├────────────────▶│       │
        │  ╭─────────╮      ╭───────────╮ │
        │  │  Ready  │      │  Waiting  │ │
        │  ╰─────────╯      ╰───────────╯ │
        └───────┼─────────────────┼───────┘
                │                 │
    "#]],
    );
}
