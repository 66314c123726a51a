//! Runs of systems of objects, drawn: the states of the objects stand along the lifelines.

use expect_test::{Expect, expect};
use sequent::effort::Effort;
use sequent::pipeline;
use sequent::settings::Settings;
use sequent::simulate::{Dialogue, Random, SimulationReply, SimulationSubject, SubjectContent};
use sequent::tell::tell_objects;
use sequent_kernel::id::Id;
use sequent_kernel::log::ObjectStatus;
use sequent_kernel::model::{
    Block, Communication, Fragment, Interaction, Message, Model, Steps, SystemSettings,
};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::objects::{Objects, lower_objects, structure};
use sequent_kernel::source::{Folders, Sources};
use sequent_kernel::system::{ComponentId, EventKind};
use sequent_kernel::verdict::Story;
use sequent_notation::{NoFiles, mermaid, plantuml};
use sequent_report::draw::{TextStyle, text};
use sequent_report::run::RunDrawingOptions;
use sequent_report::table;

use super::draw::{Lives, printed_and_read_again, shown};
use super::read;

struct Case {
    sources: Sources,
    model: Model,
    objects: Objects,
}

fn case(diagrams: &str, communication: Communication) -> Case {
    let (sources, model) = read(diagrams);
    let folders: Folders =
        model.machines.iter().map(|machine| (machine.place.0.file, String::new())).collect();
    let (structure, problems) = structure(&model, &folders, "", model.interactions.ids().next());
    assert!(problems.is_empty(), "{problems:?}");
    let settings = SystemSettings {
        communication: Some(communication),
        steps: Some(Steps::Direct),
        capacity: Some(1),
        ..SystemSettings::default()
    };
    let objects = lower_objects(&model, &structure, &settings).expect("it is small");
    Case { sources, model, objects }
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

    fn subject(&self) -> SimulationSubject<'_> {
        let content = SubjectContent::Objects(&self.objects, None);
        SimulationSubject { model: &self.model, sources: &self.sources, content }
    }

    fn story(&self, run: &Run) -> Story {
        tell_objects(&self.model, &self.objects, None, run, &RunDrawingOptions::default())
            .expect("it replays")
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

/// What stands where it happened is still one arrow if nothing happens meanwhile, whatever is said beside it.
#[test]
fn in_place() {
    let case = case(HANDSHAKE, Communication::Queue);
    let run = case.run(
        "!->Client:start ?->Client:start !Client->Server:hello ?Client->Server:hello !Server->Client:welcome",
    );
    let wishes = RunDrawingOptions { fixed: (0..run.steps.len()).collect(), ..RunDrawingOptions::default() };
    let story = tell_objects(&case.model, &case.objects, None, &run, &wishes).expect("it replays");
    assert_eq!(story.drawing, case.story(&run).drawing);
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
                ┌─────────┐                                   ┌─────────┐
                │ Client  │                                   │ Server  │
                └────┬────┘                                   └────┬────┘
              ╭─────────────╮                                      │
              │    Idle     │                                  ╭───────╮
              │  tries = 0  │                                  │ Free  │
              ╰─────────────╯                                  ╰───────╯
             start   │                                             │
            ●───────>│                                             │
                     │                   hello                     │
                     ├────────────────────────────────────────────>│
              ╭─────────────╮                                      │
              │    Asked    │                                      │
              │  tries = 1  │                                      │
              ╰─────────────╯                                      │
            ┌─────────────────◥                                    │
            │ waiting: refuse │                                    │
            └─────────────────┘                                    │
                   ┌─────────────────────────────────────────────────◥
                   │ the queue of Client holds 1 message and is full │
                   └─────────────────────────────────────────────────┘
                     │                                             │
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
    let Run { steps, .. } = case.run("->ATM:amount ATM->Bank:debit(2) Bank->ATM:result(true) ATM->:money ->ATM:amount ATM->Bank:debit(2) Bank->ATM:result(false)");
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
                    │                 ├───────▶●
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

/// Two clients, one of them an object without machine; states side by side, a join, a final state, an object that ends.
const PARTS: &str = "\
@startuml Worker
[*] --> Both
state Both {
  [*] --> A
  A --> [*] : go / ^boss.half(1)
  --
  [*] --> B
  B --> [*] : go / ^boss.half(2)
}
Both --> [*] : stop
state End <<terminate>>
Both --> End : kill
@enduml
@startuml Boss
' @attribute count : 0..7 = 0
[*] --> Idle
Idle --> Idle : half(n) / count = n
Idle --> Busy : order / ^worker.go; ^user.thanks
Busy --> Idle : half(n) / count = n; ^worker.stop
Busy --> Idle : fire / ^worker.kill
@enduml
@startuml Talk
actor user
participant \"boss : Boss\" as boss
participant \"worker : Worker\" as worker
user ->> boss : order
user ->> boss : fire
boss ->> user : thanks
@enduml
";

/// What happens on each lifeline according to the run.
fn happened(case: &Case, run: &Run) -> Lives {
    let system = &case.objects.system;
    let mut lives = Lives::new();
    for event in run.events(system).map(|event| &system.events[event]) {
        let is_object = |end: &ComponentId| end.index() < case.objects.structure.objects.len();
        let is_machine =
            |end: ComponentId| case.objects.machines().any(|id| case.objects.component(id) == end);
        let [from, to] = [event.from, event.to].map(|end| end.filter(is_object));
        let (sent, received) = match event.kind {
            EventKind::Send => (from, to.filter(|to| !is_machine(*to))),
            EventKind::Receive => (None, to),
            EventKind::Rendezvous => (from, to),
            EventKind::Termination => {
                let name = &system.components[from.expect("somebody ends")];
                lives.entry(name.clone()).or_default().push("x".to_owned());
                continue;
            }
        };
        for (sign, end) in [('!', sent), ('?', received)] {
            let Some(end) = end else { continue };
            lives.entry(system.components[end].clone()).or_default().push(format!("{sign}{}", event.message));
        }
    }
    lives
}

/// The states on each lifeline, in order.
fn states(interaction: &Interaction, block: &Block, lives: &mut Lives) {
    for fragment in &block.0 {
        if let Fragment::Invariant(invariant) = fragment {
            let name = &interaction.lifelines[invariant.lifelines[0]].name;
            lives.entry(name.clone()).or_default().push(invariant.condition.text.clone());
        }
        if let Fragment::Combined(combined) = fragment {
            combined.operands.iter().for_each(|operand| states(interaction, &operand.block, lives));
        }
    }
}

fn passed(case: &Case, run: &Run) -> Lives {
    let mut lives = Lives::new();
    let configs = replay(&case.objects.system, run).expect("it replays");
    for object in case.objects.machines() {
        let mut last: Option<ObjectStatus> = None;
        let own = lives.entry(case.objects.structure.objects[object].name.clone()).or_default();
        for config in &configs {
            let mut now = case.objects.standing(&case.model, config, object);
            let news = now.news(last.as_ref());
            own.extend((!news.is_empty()).then(|| news.join("\n")));
            if let (true, Some(last)) = (now.states.is_empty(), last) {
                now.states = last.states;
            }
            last = Some(now);
        }
    }
    lives
}

#[test]
fn what_is_drawn_is_what_happened() {
    let mut random = Random::new(1);
    let mut ends = 0;
    for (diagrams, media) in [
        (HANDSHAKE, vec![Communication::Queue, Communication::Bag]),
        (BANK, vec![Communication::Rendezvous, Communication::Queue]),
        (PARTS, vec![Communication::Queue, Communication::Bag, Communication::Rendezvous]),
    ] {
        for communication in media {
            let case = case(diagrams, communication);
            for _ in 0..30 {
                let simulation = case.subject().walk(&mut random, 25);
                let story = case.subject().story(&simulation, [3].into()).expect("it replays");
                let (run, drawing) = (simulation.run(), &story.drawing);
                let plain = |text: &String| text.split(" (to ").next().unwrap_or_default().to_owned();
                let lives = shown(drawing);
                let told: Lives =
                    lives.iter().map(|(name, all)| (name.clone(), all.iter().map(plain).collect())).collect();
                assert_eq!(told, happened(&case, &run), "{:#?}", drawing.body);
                let fixed = (0..run.steps.len()).filter(|_| random.below(2) == 0).collect();
                let wishes =
                    RunDrawingOptions { fixed, idle_lifelines: true, ..RunDrawingOptions::default() };
                let told = tell_objects(&case.model, &case.objects, None, &run, &wishes);
                assert_eq!(shown(&told.expect("it replays").drawing), lives);
                let mut seen = Lives::new();
                states(drawing, &drawing.body, &mut seen);
                assert_eq!(seen, passed(&case, &run));
                ends += lives.values().flatten().filter(|deed| *deed == "x").count();
                printed_and_read_again(&story, &lives);
                assert_eq!(story.log.rows.len(), run.steps.len() + 1);
                for width in [10, 40, 200] {
                    assert!(table::text(&story.log, width).lines().count() > run.steps.len());
                }
            }
        }
    }
    assert!(ends > 0, "nobody ended");
}

/// Messages of one sender overtake each other in a bag, and wait in queues.
const CROSSING: &str = "\
@startuml Left
[*] --> A
A --> B : go(n) / ^right.one; ^right.two(n)
B --> A : three
@enduml
@startuml Right
[*] --> X
X --> Y : hop / ^left.three; ^printer.page(1)
Y --> Z : one
Z --> X : two
Y --> X : two
@enduml
@startuml Talk
actor printer
participant \"left : Left\" as left
participant \"right : Right\" as right
right ->> printer : page
@enduml
";

/// Runs that are kept as scenarios are found again, those with messages in halves too.
#[test]
fn a_run_that_is_kept_is_possible() {
    let mut random = Random::new(1);
    let (mut halves, mut whole) = (0, 0);
    for (diagrams, media) in [
        (BANK, vec![Communication::Rendezvous, Communication::Queue]),
        (CROSSING, vec![Communication::Queue, Communication::Bag, Communication::Rendezvous]),
        (PARTS, vec![Communication::Queue, Communication::Bag, Communication::Rendezvous]),
    ] {
        for communication in media {
            let case = case(diagrams, communication);
            for length in (0..24).map(|number| 1 + number % 8) {
                let simulation = case.subject().walk(&mut random, length);
                let story = case.subject().story(&simulation, [].into()).expect("it replays");
                let Some(kept) = story.scenario else { continue };
                let is_half =
                    |message: &Message| message.from.lifeline().is_none() || message.to.lifeline().is_none();
                let halved = kept.messages.iter().filter(|message| is_half(message)).count();
                (halves, whole) = (halves + halved, whole + kept.messages.len() - halved);
                let printed = plantuml::print::sequence(&kept);
                let printed = printed.split_once('\n').expect("it has lines").1;
                let text = format!("{diagrams}@startuml Kept\n' @possible\n' @forbidden\n{printed}");
                assert_eq!(verdicts(&text, communication), ["holds", "fails"], "{communication:?} {text}");
            }
        }
    }
    assert!(halves > 50 && whole > 50, "{halves} halves, {whole} messages");
}

/// The verdicts on all questions of a text.
fn verdicts(text: &str, communication: Communication) -> Vec<&'static str> {
    let mut sources = Sources::new();
    let file = sources.add("case.puml", text);
    let system = SystemSettings {
        communication: Some(communication),
        steps: Some(Steps::Direct),
        capacity: Some(1),
        ..SystemSettings::default()
    };
    let settings = Settings { system, ..Settings::default() };
    let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &settings);
    let outcome = pipeline::check(&reading, &settings, &Effort::default());
    outcome.answers.iter().map(|answer| answer.verdict.name()).collect()
}

#[test]
fn a_dialogue() {
    let case = case(HANDSHAKE, Communication::Queue);
    let mut dialogue = Dialogue::new(case.subject(), 1, 80);
    let mut said = dialogue.overview();
    for line in ["3", "1", "w", "t", "u"] {
        said += &format!("> {line}\n");
        match dialogue.answer(line) {
            SimulationReply::Say(text) => said += &text,
            SimulationReply::Save(_) | SimulationReply::Quit => said += "?",
        }
    }
    expect![[r#"
          ┌─────────┐   ┌─────────┐
          │ Client  │   │ Server  │
          └────┬────┘   └────┬────┘
        ╭─────────────╮      │
        │    Idle     │  ╭───────╮
        │  tries = 0  │  │ Free  │
        ╰─────────────╯  ╰───────╯
               │             │

        Client  Idle, tries = 0
        Server  Free
          1  the environment sends `close` to Client
          2  the environment sends `refuse` to Client
          3  the environment sends `start` to Client
          4  the environment sends `bye` to Server
        > 3
            ┌─────────┐   ┌─────────┐
            │ Client  │   │ Server  │
            └────┬────┘   └────┬────┘
          ╭─────────────╮      │
          │    Idle     │  ╭───────╮
          │  tries = 0  │  │ Free  │
          ╰─────────────╯  ╰───────╯
        ┌─────────────────◥    │
        │ waiting: start  │    │
        └─────────────────┘    │
                 │             │

        Client  Idle, tries = 0, waiting: start
        Server  Free
          1  Client receives `start` from the environment
          2  the environment sends `bye` to Server
        > 1
            ┌─────────┐   ┌─────────┐
            │ Client  │   │ Server  │
            └────┬────┘   └────┬────┘
          ╭─────────────╮      │
          │    Idle     │  ╭───────╮
          │  tries = 0  │  │ Free  │
          ╰─────────────╯  ╰───────╯
         start   │             │
        ●━━━━━━━>│             │
                 │             │

        Client  in the middle of a step, tries = 0
        Server  Free
          1  Client sends `hello` to Server
          2  the environment sends `close` to Client
          3  the environment sends `refuse` to Client
          4  the environment sends `start` to Client
          5  the environment sends `bye` to Server
        > w
        Client is in the middle of a step
        Server waits for hello
        > t
        step  event            Client     Server
        ────────────────────────────────────────
              (start)          Idle       Free
                               tries = 0
           1  !->Client:start  [start]
           2  ?->Client:start  ...
                               []
        > u
            ┌─────────┐   ┌─────────┐
            │ Client  │   │ Server  │
            └────┬────┘   └────┬────┘
          ╭─────────────╮      │
          │    Idle     │  ╭───────╮
          │  tries = 0  │  │ Free  │
          ╰─────────────╯  ╰───────╯
        ┌─────────────────◥    │
        │ waiting: start  │    │
        └─────────────────┘    │
                 │             │

        Client  Idle, tries = 0, waiting: start
        Server  Free
          1  Client receives `start` from the environment
          2  the environment sends `bye` to Server
    "#]]
    .assert_eq(&said);
}

const CALL: &str = "\
@startuml Types
class Till {
  + charge(n : 0..3) : bool
}
@enduml
@startuml Shop
' @attribute ok : bool = false
[*] --> Open
Open --> Asked : order / ok = till.charge(2)
Asked --> Open : [not ok]
Asked --> Paid : [ok]
@enduml
@startuml Till
[*] --> Empty
Empty --> Full : charge(n) / return n > 1
@enduml
";

#[test]
fn call_and_reply() {
    let case = case(CALL, Communication::Queue);
    let run = case.run(
        "!->Shop:order ?->Shop:order !Shop->Till:charge(2) ?Shop->Till:charge(2) \
         !Till->Shop:charge(true) ?Till->Shop:charge(true) .",
    );
    check(
        &case,
        &run,
        expect![[r#"
             ┌───────┐        ┌───────┐
             │ Shop  │        │ Till  │
             └───┬───┘        └───┬───┘
          ╭─────────────╮         │
          │    Open     │    ╭─────────╮
          │ ok = false  │    │  Empty  │
          ╰─────────────╯    ╰─────────╯
         order   │                │
        ●───────>│                │
                 │   charge(2)    │
                 ├───────────────▶│
                 │            ╭───────╮
                 │            │ Full  │
                 │            ╰───────╯
                 │ charge(true)   │
                 │◀╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
          ╭─────────────╮         │
          │    Asked    │         │
          │  ok = true  │         │
          ╰─────────────╯         │
             ╭───────╮            │
             │ Paid  │            │
             ╰───────╯            │
                 │                │
    "#]],
    );
}
