//! Which objects a folder and a scenario have, who is linked to whom, and what is said of declarations that contradict each other.

use expect_test::{Expect, expect};
use sequent::effort::Effort;
use sequent::{pipeline, settings};
use sequent_kernel::id::Id;
use sequent_kernel::model::InteractionId;
use sequent_kernel::random::Random;
use sequent_kernel::semantics::objects::{InstanceId, SendTarget, Structure, structure};
use sequent_kernel::source::{Sources, Span};
use sequent_notation::NoFiles;
use sequent_testing::seeds::seeds;

/// What the structure is, for files as (name, text); `sequent.toml` is read as settings. The scenario is the first
/// interaction if `about` is set.
fn check(files: &[(&str, &str)], about: bool, expected: Expect) {
    let mut sources = Sources::new();
    let (mut read, mut given, mut problems) = (Vec::new(), settings::Settings::default(), Vec::new());
    for (name, text) in files {
        let file = sources.add(*name, *text);
        match *name {
            "sequent.toml" => (given, problems) = settings::read(file, sources.get(file)),
            _ => read.push(file),
        }
    }
    let reading = pipeline::read(&read, &mut sources, &mut NoFiles, &given);
    problems.extend(reading.diagnostics);
    let about = about.then(|| InteractionId::from_index(0));
    let (structure, found) = structure(&reading.model, &reading.folders, "", about);
    problems.extend(found);
    let mut out = shown(&structure);
    for one in problems {
        let at = |span: Span| format!("{}:{}", sources.get(span.file).name, sources.position(span).line);
        out += &format!("{} {}: {}\n", one.name(), at(one.span), one.message);
    }
    expected.assert_eq(&out);
}

fn shown(structure: &Structure) -> String {
    let name = |id: &InstanceId| structure.objects[*id].name.as_str();
    let names = |ids: &mut dyn Iterator<Item = &InstanceId>| ids.map(name).collect::<Vec<_>>().join(" ");
    let mut out = String::new();
    for one in &structure.objects {
        let machine = one.machine.map_or("environment".to_owned(), |id| format!("machine {}", id.index()));
        out += &format!("{} : {} {machine} {:?}", one.name, one.class.as_deref().unwrap_or("-"), one.kinds);
        out += &one.values.iter().map(|(name, value)| format!(" {name}={value}")).collect::<String>();
        out.push('\n');
    }
    for (one, near) in &structure.links {
        out += &format!("{} -- {}\n", name(one), names(&mut near.iter()));
    }
    for ((from, to), carried) in &structure.channels {
        out += &format!("{} -> {} : {carried:?}\n", name(from), name(to));
    }
    for ((from, role), to) in &structure.roles {
        out += &format!("{}.{role} = {}\n", name(from), names(&mut to.iter()));
    }
    for (from, to, message) in &structure.drawn {
        out += &format!("drawn {} -> {} : {message}\n", name(from), name(to));
    }
    out
}

const ATM: (&str, &str) = ("atm.puml", "@startuml ATM\n[*] --> S\nS --> S : card / ^bank.verify\n@enduml\n");
const BANK: (&str, &str) =
    ("bank.puml", "@startuml Bank\n[*] --> S\nS --> S : verify / ^sender.verified\n@enduml\n");

#[test]
fn every_machine_is_an_object_of_its_own_name() {
    check(
        &[ATM, BANK],
        false,
        expect![[r#"
            ATM : ATM machine 0 ["atm"]
            Bank : Bank machine 1 ["bank"]
        "#]],
    );
}

#[test]
fn lifelines_are_objects_and_machines_that_nobody_names_too() {
    let scenario = "@startuml One\nparticipant \"a1 : ATM\" as a1\nactor user\nuser -> a1 : card\natm -> a1 : hello\n@enduml\n";
    check(
        &[("one.puml", scenario), ATM, BANK],
        true,
        expect![[r#"
        a1 : ATM machine 0 ["atm"]
        user : - environment ["user"]
        atm : ATM machine 0 ["atm"]
        Bank : Bank machine 1 ["bank"]
        drawn user -> a1 : card
        drawn atm -> a1 : hello
    "#]],
    );
    let used = "@startuml One\nactor user\nuser -> ATM : card\nref over ATM : Two\n@enduml\n@startuml Two\nATM -> bank : verify\n@enduml\n";
    check(
        &[("one.puml", used), ATM, BANK],
        true,
        expect![[r#"
        user : - environment ["user"]
        ATM : ATM machine 0 ["atm"]
        bank : Bank machine 1 ["bank"]
        drawn user -> ATM : card
        drawn ATM -> bank : verify
    "#]],
    );
}

#[test]
fn listed_objects_are_all_there_is() {
    let objects = "@startuml\nobject \"a1 : ATM\" as a1 {\n trials = 1\n}\nobject \"b : Bank\" as b\na1 \"atms\" -- \"bank\" b\n@enduml\n";
    let scenario = "@startuml One\nactor user\nparticipant \"a3 : ATM\" as a3\nuser -> a1 : card\na1 -> Bank : verify\na3 -> b : verify\n@enduml\n";
    check(
        &[("one.puml", scenario), ("objects.puml", objects), ATM, BANK],
        true,
        expect![[r#"
        a1 : ATM machine 0 ["atm"] trials=1
        b : Bank machine 1 ["bank"]
        user : - environment ["user"]
        a3 : ATM environment ["atm"]
        a1 -- b user a3
        b -- a1 user a3
        a1.bank = b
        b.atms = a1
        drawn a1 -> b : verify
        drawn user -> a1 : card
        drawn a3 -> b : verify
        W606 one.puml:3: `a3` is not among the objects that are listed, so it is environment
    "#]],
    );
}

#[test]
fn settings_list_objects_and_links() {
    let set = "[system]\nobjects = { b = \"Bank\", a1 = \"ATM\", a2 = \"ATM\", c = \"Clock\" }\nlinks = [[\"a1\", \"b\"], [\"a2\", \"b\"], [\"a3\", \"b\"]]\n";
    check(
        &[("sequent.toml", set), ATM, BANK],
        false,
        expect![[r#"
        b : Bank machine 1 ["bank"]
        a1 : ATM machine 0 ["atm"]
        a2 : ATM machine 0 ["atm"]
        c : Clock environment ["clock"]
        b -- a1 a2
        a1 -- b
        a2 -- b
        E604 sequent.toml:3: no object is called `a3`
    "#]],
    );
}

#[test]
fn object_diagrams_about_other_things_and_settings_of_other_folders_do_not_count() {
    let objects = "@startuml\nobject order\nobject customer\norder -- customer\n@enduml\n";
    let set = "[system]\nobjects = { x = \"Y\" }\nlinks = [[\"x\", \"y\"]]\n";
    check(
        &[("sequent.toml", set), ("objects.puml", objects), ATM],
        false,
        expect![[r#"
        ATM : ATM machine 0 ["atm"]
    "#]],
    );
}

#[test]
fn declarations_that_contradict_each_other() {
    let one = "@startuml\nobject \"b : Bank\" as b {\n balance = 1\n}\n@enduml\n";
    let two = "@startuml\nobject \"b : ATM\" as b {\n balance = 2\n}\n@enduml\n";
    check(
        &[("one.puml", one), ("two.puml", two), ATM, BANK],
        false,
        expect![[r#"
            b : Bank machine 1 ["bank"] balance=1
            W601 two.puml:2: `b.balance` is `1` in another declaration
            E601 two.puml:2: `b` is of class `ATM` here and `Bank` elsewhere
        "#]],
    );
    let again = ("bank2.puml", "@startuml Bank\n[*] --> T\n@enduml\n");
    check(
        &[BANK, again],
        false,
        expect![[r#"
        Bank : Bank machine 0 ["bank"]
        E607 bank2.puml:1: objects of `Bank` behave as another state machine already
    "#]],
    );
    let of_class = ("bank2.puml", "@startuml Better\n' @class Bank\n[*] --> T\n@enduml\n");
    check(
        &[("one.puml", one), BANK, of_class],
        false,
        expect![[r#"
        b : Bank machine 0 ["bank"] balance=1
        E607 bank2.puml:1: objects of `Bank` behave as another state machine already
    "#]],
    );
}

#[test]
fn roles_of_associations_and_of_classes_above() {
    let classes = "@startuml\nclass Office\nclass Bank extends Office\nATM \"atms\" -- \"house\" Office\nBank -- \"next\" Bank\n@enduml\n";
    let set = "[system]\nobjects = { b = \"Bank\", c = \"Bank\", a = \"ATM\" }\n";
    check(
        &[("sequent.toml", set), ("classes.puml", classes), ATM, BANK],
        false,
        expect![[r#"
        b : Bank machine 1 ["bank", "office"]
        c : Bank machine 1 ["bank", "office"]
        a : ATM machine 0 ["atm"]
        b.atms = a
        b.next = c
        c.atms = a
        c.next = b
        a.house = b c
    "#]],
    );
}

const CAPSULES: &str = "@startuml
class ATM <<capsule>> {
  use : Use <<port>>
  wd : ~Withdraw <<port>>
}
class Bank <<capsule>> {
  wd : Withdraw [2] <<port>>
}
class System <<capsule>> {
  use : Use <<port>>
}
System *-- Bank
System *-- ATM
protocol Withdraw {
  <<in>> auth(id : 0..1)
  <<in>> debit()
  <<out>> result(ok : bool)
}
protocol Use {
  <<in>> insert()
  <<out>> eject()
}
@enduml
";

#[test]
fn ports_let_their_protocols_through() {
    let objects = "@startuml\nobject \"b : Bank\" as b\nobject \"a1 : ATM\" as a1\nobject \"a2 : ATM\" as a2\nobject \"sys : System\" as sys\na1::wd -- b::wd\na2 -- b\na1::use -- sys::use\n@enduml\n";
    let scenario = "@startuml One\nactor u\nu -> a1 : insert\na1 -> b : auth\n@enduml\n";
    let classes = ("classes.puml", CAPSULES);
    check(
        &[("one.puml", scenario), classes, ("objects.puml", objects), ATM, BANK],
        true,
        expect![[r#"
            b : Bank machine 1 ["bank"]
            a1 : ATM machine 0 ["atm"]
            a2 : ATM machine 0 ["atm"]
            u : - environment ["u"]
            b -- a1 a2 u
            a1 -- b u
            a2 -- b u
            b -> a1 : {"result"}
            b -> a2 : {"result"}
            b -> u : {"verified"}
            a1 -> b : {"auth", "debit"}
            a1 -> u : {"eject", "verify"}
            a2 -> b : {"auth", "debit"}
            a2 -> u : {"eject", "verify"}
            u -> b : {"verify"}
            u -> a1 : {"card", "insert"}
            u -> a2 : {"card", "insert"}
            b.wd = a1 a2
            a1.use = u
            a1.wd = b
            a2.use = u
            a2.wd = b
            drawn a1 -> b : auth
            drawn u -> a1 : insert
        "#]],
    );
    check(
        &[classes, ("objects.puml", objects), ATM, BANK],
        false,
        expect![[r#"
        b : Bank machine 1 ["bank"]
        a1 : ATM machine 0 ["atm"]
        a2 : ATM machine 0 ["atm"]
        b -- a1 a2
        a1 -- b
        a2 -- b
        b -> a1 : {"result"}
        b -> a2 : {"result"}
        a1 -> b : {"auth", "debit"}
        a2 -> b : {"auth", "debit"}
        b.wd = a1 a2
        a1.use = 
        a1.wd = b
        a2.use = 
        a2.wd = b
    "#]],
    );
}

#[test]
fn ports_that_do_not_fit() {
    let classes = "@startuml\nclass ATM <<capsule>> {\n wd : Withdraw <<port>>\n}\nclass Bank <<capsule>> {\n wd : Withdraw [1] <<port>>\n}\nprotocol Withdraw {\n <<in>> auth()\n <<out>> result()\n}\n@enduml\n";
    let objects = "@startuml\nobject \"b : Bank\" as b\nobject \"a1 : ATM\" as a1\nobject \"a2 : ATM\" as a2\na1 -- b\na2 -- b\n@enduml\n";
    check(
        &[("classes.puml", classes), ("objects.puml", objects), ATM, BANK],
        false,
        expect![[r#"
        b : Bank machine 1 ["bank"]
        a1 : ATM machine 0 ["atm"]
        a2 : ATM machine 0 ["atm"]
        b -- a1 a2
        a1 -- b
        a2 -- b
        b -> a1 : {}
        b -> a2 : {}
        a1 -> b : {}
        a2 -> b : {}
        b.wd = a1 a2
        a1.wd = b
        a2.wd = b
        W605 objects.puml:2: the port `wd` of `b` has 2 links and takes 1
        W605 objects.puml:5: no message can pass between `a1` and `b`: their ports do not fit
        W605 objects.puml:6: no message can pass between `a2` and `b`: their ports do not fit
    "#]],
    );
}

#[test]
fn targets_are_objects_or_outside_or_unknown() {
    let mut sources = Sources::new();
    let texts = [ATM.1, BANK.1, "@startuml\nclass User\n@enduml\n"];
    let files: Vec<_> = texts.iter().map(|text| sources.add("x.puml", *text)).collect();
    let mut reading = pipeline::read(&files, &mut sources, &mut NoFiles, &Default::default());
    let atm = InstanceId::from_index(0);
    let (open, _) = structure(&reading.model, &reading.folders, "", None);
    let bank = SendTarget::Objects(vec![InstanceId::from_index(1)]);
    assert_eq!(open.target(atm, "bank"), bank);
    assert_eq!(open.target(atm, "user"), SendTarget::Outside);
    assert_eq!(open.target(atm, "lamp"), SendTarget::Outside);
    assert_eq!(open.target(atm, "bamk"), SendTarget::Unknown);
    let place = reading.model.machines.iter().next().expect("a machine").place;
    let object = |name: &str, class: &str| (name.to_owned(), class.to_owned(), place);
    reading.model.system.objects = vec![object("a", "ATM"), object("b", "Bank")];
    let (listed, _) = structure(&reading.model, &reading.folders, "", None);
    assert_eq!(listed.target(atm, "bank"), bank);
    assert_eq!(listed.target(atm, "user"), SendTarget::Outside);
    assert_eq!(listed.target(atm, "lamp"), SendTarget::Unknown);
}

/// A port as it is drawn: its protocol, and whether it is conjugated.
type Drawn = (usize, bool);

/// Random protocols, capsules with ports of them, and connectors; and what passes from one object to another by the definition.
struct Capsules {
    text: String,
    /// The directions of the operations of each protocol.
    directions: Vec<Vec<&'static str>>,
    ports: Vec<Vec<Drawn>>,
    /// Objects and their ports, by number.
    connectors: Vec<[(usize, usize); 2]>,
}

impl Capsules {
    fn new(random: &mut Random) -> Self {
        let mut text = "@startuml\n".to_owned();
        let mut directions: Vec<Vec<&'static str>> = Vec::new();
        for protocol in 0..2 {
            let own: Vec<&str> = (0..3).map(|_| ["<<in>> ", "<<out>> ", ""][random.below(3)]).collect();
            let operations: String =
                own.iter().enumerate().map(|(at, way)| format!(" {way}p{protocol}m{at}()\n")).collect();
            text += &format!("protocol P{protocol} {{\n{operations}}}\n");
            directions.push(own);
        }
        let mut ports: Vec<Vec<Drawn>> = Vec::new();
        for capsule in 0..3 {
            let own: Vec<Drawn> =
                (0..=random.below(2)).map(|_| (random.below(2), random.percent(50))).collect();
            text += &format!("class C{capsule} <<capsule>> {{\n");
            for (at, (protocol, is_conjugated)) in own.iter().enumerate() {
                let written = match (is_conjugated, random.below(3)) {
                    (false, _) => format!("P{protocol} <<port>>"),
                    (true, 0) => format!("~P{protocol} <<port>>"),
                    (true, 1) => format!("P{protocol} <<port, conjugated>>"),
                    (true, _) => format!("P{protocol} <<port>> <<conjugated>>"),
                };
                text += &format!(" w{at} : {written}\n");
            }
            text += "}\n";
            ports.push(own);
        }
        text += "@enduml\n@startuml\nobject \"c0 : C0\" as c0\nobject \"c1 : C1\" as c1\nobject \"c2 : C2\" as c2\n";
        let mut connectors = Vec::new();
        for _ in 0..1 + random.below(3) {
            let one = random.below(3);
            let other = (one + 1 + random.below(2)) % 3;
            let ends = [one, other].map(|object| (object, random.below(ports[object].len())));
            let [left, right] = ends.map(|(object, port)| format!("c{object}::w{port}"));
            text += &format!("{left} -- {right}\n");
            connectors.push(ends);
        }
        text += "@enduml\n";
        for capsule in 0..3 {
            text += &format!("@startuml C{capsule}\n[*] --> S\n@enduml\n");
        }
        Capsules { text, directions, ports, connectors }
    }

    /// Whether a message goes from one object to another: some connector has two ends that let it through.
    fn passes(&self, from: usize, to: usize, (protocol, operation): (usize, usize)) -> bool {
        let lets = |(object, port): (usize, usize), is_sending: bool| {
            let (own, is_conjugated) = self.ports[object][port];
            let forbidden = if is_sending == is_conjugated { "<<out>> " } else { "<<in>> " };
            own == protocol && self.directions[protocol][operation] != forbidden
        };
        let connects = |[one, other]: &[(usize, usize); 2]| {
            [(*one, *other), (*other, *one)]
                .iter()
                .any(|(near, far)| near.0 == from && far.0 == to && lets(*near, true) && lets(*far, false))
        };
        let is_linked = |object: usize| self.connectors.iter().flatten().any(|(end, _)| *end == object);
        self.connectors.iter().any(connects) || !is_linked(from) && !is_linked(to)
    }
}

#[test]
fn a_message_goes_where_both_ends_of_a_connector_let_it_through() {
    for seed in seeds(200) {
        let capsules = Capsules::new(&mut Random::new(seed));
        let mut sources = Sources::new();
        let file = sources.add("case.puml", capsules.text.as_str());
        let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &settings::Settings::default());
        let (structure, _) = structure(&reading.model, &reading.folders, "", None);
        let id =
            |at: usize| structure.objects.find(|one| one.name == format!("c{at}")).expect("it is listed");
        for (from, to) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
            for message in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] {
                let name = format!("p{}m{}", message.0, message.1);
                assert_eq!(
                    structure.lets_through(id(from), id(to), &name),
                    capsules.passes(from, to, message),
                    "{name} from c{from} to c{to}\n{}",
                    capsules.text
                );
            }
        }
    }
}

/// P1's typed signatures: whoever is no object of the class that `from` or `to` names exchanges nothing of that name with the object
/// that `{self}` is; ordinary parameters of these names say nothing.
#[test]
fn signatures_say_who_sends_and_who_takes() {
    let (mut barred, mut free) = (0, 0);
    for seed in seeds(200) {
        let mut random = Random::new(seed);
        let mut text = "@startuml\n".to_owned();
        // The class above each, and for each operation what `from` and `to` are; 3 stands for the object itself.
        let above: Vec<Option<usize>> =
            (0..3).map(|at| (at > 0 && random.percent(30)).then(|| at - 1)).collect();
        let mut operations: Vec<(usize, usize, usize)> = Vec::new();
        for class in 0..3 {
            text += &format!("class C{class} {{\n");
            for _ in 0..random.below(3) {
                let ends = [random.below(4), random.below(4)];
                let [from, to] =
                    ends.map(|end| if end == 3 { "{self}".to_owned() } else { format!("C{end}") });
                text += &format!("  + o{}(from : {from}, to : {to}, in n : 0..1)\n", operations.len());
                operations.push((class, ends[0], ends[1]));
            }
            text += "}\n";
        }
        for (class, above) in above.iter().enumerate() {
            text += &above.map(|above| format!("C{above} <|-- C{class}\n")).unwrap_or_default();
        }
        text += "@enduml\n@startuml\n";
        (0..3).for_each(|class| text += &format!("object \"c{class} : C{class}\" as c{class}\n"));
        text += "@enduml\n";
        (0..3).for_each(|class| text += &format!("@startuml C{class}\n[*] --> S\n@enduml\n"));
        let is_a = |mut class: usize, wanted: usize| loop {
            match above[class] {
                _ if class == wanted => return true,
                Some(next) => class = next,
                None => return false,
            }
        };
        let mut sources = Sources::new();
        let file = sources.add("case.puml", text.as_str());
        let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &settings::Settings::default());
        let (structure, _) = structure(&reading.model, &reading.folders, "", None);
        let id =
            |at: usize| structure.objects.find(|one| one.name == format!("c{at}")).expect("it is listed");
        for (from, to) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
            for (number, (class, sender, receiver)) in operations.iter().enumerate() {
                let is_out = match (sender, receiver) {
                    (3, 3) => false,
                    (sender, 3) => is_a(to, *class) && !is_a(from, *sender),
                    (3, receiver) => is_a(from, *class) && !is_a(to, *receiver),
                    (_, _) => false,
                };
                let found = structure.lets_through(id(from), id(to), &format!("o{number}"));
                assert_eq!(found, !is_out, "o{number} from c{from} to c{to}, seed {seed}\n{text}");
                *if is_out { &mut barred } else { &mut free } += 1;
            }
        }
    }
    assert!(barred > 50 && free > 50, "{barred} are ruled out, {free} not");
}

/// Ports send whatever side they are of, and however that is written; a protocol machine sends what its ports only send.
#[test]
fn base_and_conjugated_ports_send() {
    for (base, conjugated) in [("P <<port>>", "~P <<port>>"), ("P <<port>>", "P <<port, conjugated>>")] {
        for (server, client) in [
            ("ask / ^wd.answer", ["/ ^wd.ask", "answer"]),
            ("ask / answer", ["/ ask", "answer"]),
            ("ask\nBusy --> Idle : answer", ["ask", "answer"]),
        ] {
            let back = if server.contains('\n') { "Busy" } else { "Idle" };
            let text = format!(
                "@startuml\nprotocol P {{\n <<in>> ask()\n <<out>> answer()\n}}\nclass Server <<capsule>> {{\n wd : {base}\n}}\nclass Client <<capsule>> {{\n wd : {conjugated}\n}}\n@enduml\n\
                 @startuml\nobject \"s : Server\" as s\nobject \"c : Client\" as c\ns::wd -- c::wd\n@enduml\n\
                 @startuml Server\n[*] --> Idle\nIdle --> {back} : {server}\n@enduml\n\
                 @startuml Client\n[*] --> Idle\nIdle --> Waiting : {}\nWaiting --> Idle : {}\n@enduml\n\
                 @startuml X\n' @required\nc ->> s : ask\ns ->> c : answer\n@enduml\n",
                client[0], client[1]
            );
            let mut sources = Sources::new();
            let file = sources.add("case.puml", text.as_str());
            let settings = settings::Settings::default();
            let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &settings);
            let outcome = pipeline::check(&reading, &settings, &Effort::default());
            let verdicts: Vec<&str> = outcome.answers.iter().map(|answer| answer.verdict.name()).collect();
            assert_eq!(verdicts, ["holds"], "{text}{:?}", outcome.diagnostics);
            assert_eq!(outcome.diagnostics, [], "{text}");
        }
    }
}

#[test]
fn objects_are_those_that_diagrams_show() {
    let machine = "@startuml Participant\n[*] --> S\nS --> S : go\n@enduml\n";
    let two = "@startuml Two\nparticipant \"p1 : Participant\" as x\nparticipant \"p2 : Participant\" as p2\nx ->> p2 : go\n@enduml\n";
    let one = "@startuml One\nactor u\nu ->> p1 : go\nu ->> Participant : go\n@enduml\n";
    check(
        &[("a.puml", machine), ("b.puml", two), ("c.puml", one)],
        false,
        expect![[r#"
            p1 : Participant machine 0 ["participant"]
            p2 : Participant machine 0 ["participant"]
            drawn p1 -> p2 : go
        "#]],
    );
    check(
        &[("a.puml", one), ("b.puml", two), ("c.puml", machine)],
        true,
        expect![[r#"
            u : - environment ["u"]
            p1 : Participant machine 0 ["participant"]
            p2 : Participant machine 0 ["participant"]
            drawn u -> p1 : go
            drawn u -> p2 : go
            drawn p1 -> p2 : go
        "#]],
    );
}

/// The verdicts about a project of these diagrams, under these settings.
fn verdicts(diagrams: &[&str], settings: &[&str]) -> Vec<&'static str> {
    let mut sources = Sources::new();
    let mut known = settings::Settings::default();
    settings.iter().for_each(|one| settings::set(&mut known, one).expect("it is a setting"));
    let files: Vec<_> =
        (0..).zip(diagrams).map(|(at, text)| sources.add(format!("{at}.puml"), *text)).collect();
    let reading = pipeline::read(&files, &mut sources, &mut NoFiles, &known);
    let outcome = pipeline::check(&reading, &known, &Effort::default());
    outcome.answers.iter().map(|answer| answer.verdict.name()).collect()
}

const FETCH: &str = "@startuml
protocol Fetch {
  <<in>> ask(n : 0..1)
  <<out>> give(ok : bool)
}
class Shelf <<capsule>> {
  front : Fetch <<port>>
}
@enduml
@startuml Shelf
[*] --> Rest
Rest --> Busy : ask(n)
Busy --> Rest : / ^front.give(true)
@enduml
@startuml Cart
[*] --> Go
Go --> Wait : / ^hook.ask(1)
Wait --> Go : give(ok) [ok]
@enduml
";

const ROUND: &str = "@startuml Round
' @possible alphabet=own
participant \"s1 : Shelf\" as s1
participant \"c1 : Cart\" as c1
c1 ->> s1 : ask(1)
s1 ->> c1 : give(true)
@enduml
";

#[test]
fn nothing_passes_a_link_whose_ports_do_not_fit() {
    for (port, link, expected) in [
        ("hook : ~Fetch <<port>>", "s1::front -- c1::hook", "holds"),
        ("hook : Fetch <<port>>", "s1::front -- c1::hook", "fails"),
        ("hook : Fetch <<port>>", "s1 -- c1", "fails"),
        ("hook : Fetch <<port>>", "", "fails"),
    ] {
        let objects = format!(
            "@startuml\nclass Cart <<capsule>> {{\n  {port}\n}}\nobject \"s1 : Shelf\" as s1\nobject \"c1 : Cart\" as c1\n{link}\n@enduml\n"
        );
        for medium in ["system.communication=queue", "system.communication=rendezvous"] {
            assert_eq!(verdicts(&[FETCH, &objects, ROUND], &[medium]), [expected], "{objects} {medium}");
        }
    }
}

/// What ports connect is closed to the environment; what none of them speaks of, and open ports, let it in.
#[test]
fn the_environment_sends_through_open_ports() {
    let classes = "@startuml
protocol P {
  <<in>> a()
  <<out>> c()
}
class X <<capsule>> {
  right : P <<port, conjugated>>
  spare : P <<port, conjugated>>
}
class Z <<capsule>> {
  in2 : P <<port>>
}
object \"x : X\" as x
object \"z : Z\" as z
@enduml
@startuml X
' @reachable x.q1
' @reachable x.q2
[*] --> q0
q0 --> q1 : c
q0 --> q2 : other
@enduml
@startuml Z
' @reachable z.q1
[*] --> q0
q0 --> q1 : a
@enduml
";
    let linked = classes.replace("as z\n", "as z\nx::right -- z::in2\n");
    let closed = linked.replace("  spare : P <<port, conjugated>>\n", "");
    for medium in ["system.communication=queue", "system.communication=rendezvous"] {
        assert_eq!(verdicts(&[&linked], &[medium]), ["holds", "holds", "fails"], "{medium}");
        assert_eq!(verdicts(&[&closed], &[medium]), ["fails", "holds", "fails"], "{medium}");
    }
}

/// A machine that exchanges nothing with the others of its folder says what it says alone.
#[test]
fn other_machines_of_the_folder_change_nothing_for_one_without_partner() {
    let handshake = "@startuml Handshake
' @reachable Handshake.Open
[*] --> Closed
Closed --> SynSent : connect / ^syn
Closed --> SynRcvd : syn / ^synAck
SynSent --> Open : synAck / ^ack
SynRcvd --> Open : ack
@enduml
";
    let door = "@startuml Door\n[*] --> Shut\nShut --> Ajar : open\nAjar --> Shut : close\n@enduml\n";
    let peer = "@startuml Peer\n[*] --> Calm\nCalm --> Calm : syn / ^synAck\n@enduml\n";
    let queue = ["system.communication=queue"];
    assert_eq!(verdicts(&[handshake], &queue), ["holds"]);
    assert_eq!(verdicts(&[handshake, door], &queue), ["holds"]);
    // With a partner it is part of a system.
    assert_eq!(verdicts(&[handshake, peer], &queue), ["holds"]);
}
