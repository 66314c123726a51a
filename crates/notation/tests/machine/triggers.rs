//! Scenarios against state machines (kernel's `lint::objects`): the cases of P4's chapters 3 and 4, operators, and random ones against the
//! definition: some word of the scenario is a path of the machine once its empty steps are deleted (D13, D14).

use std::collections::BTreeSet;
use std::fmt::Write;

use expect_test::{Expect, expect};
use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::lint::objects;
use sequent_kernel::random::Random;
use sequent_kernel::source::{Folders, Sources};
use sequent_notation::{Context, resolve};
use sequent_testing::seeds::seeds;

fn findings(sources: &mut Sources, text: &str) -> Vec<Diagnostic> {
    let file = sources.add("all.puml", text);
    let mut diagnostics = Vec::new();
    let mut context = Context::without_files(sources, &mut diagnostics);
    let document = sequent_notation::read(file, &mut context);
    let (model, problems) = resolve::resolve(&[document], sources);
    assert!(diagnostics.is_empty() && problems.is_empty(), "{diagnostics:?} {problems:?}");
    let found = objects::systems(&model, &Folders::from([(file, String::new())]));
    found.into_iter().filter(|one| one.code == Code::TriggerMismatch).collect()
}

/// Checks a scenario against machines; the line is counted in the scenario.
fn check(machines: &str, scenario: &str, expected: Expect) {
    let mut sources = Sources::new();
    let mut out = String::new();
    for one in findings(&mut sources, &format!("@startuml Scenario\n{scenario}@enduml\n{machines}")) {
        let line = sources.position(one.span).line - 1;
        writeln!(out, "{line}: {} ({})", one.message, one.hint.unwrap_or_default()).expect("a text grows");
    }
    expected.assert_eq(&out);
}

/// Coffee machines of P4, section 4.4.
const COFFEE: &str = "@startuml PhD
[*] --> working
working --> waiting : / ^cm.orderCoffee
waiting --> working : coffeeDone
waiting --> desperate : error
desperate --> working : repaired
@enduml
@startuml CM
[*] --> idle
idle --> preparing : orderCoffee
preparing --> idle : / ^phd.coffeeDone
preparing --> error : / ^phd.error
error --> preparing : orderCoffee
error --> maintenance : / ^maintenance.repair
maintenance --> idle : done / ^phd.repaired
@enduml
@startuml Maintenance
[*] --> idle
idle --> repairing : repair
repairing --> idle : / ^cm.done
@enduml
";

const PEOPLE: &str = "participant \"alice : PhD\" as alice\nparticipant \"cm : CM\" as cm\nparticipant \"m : Maintenance\" as m\n";

#[test]
fn six_messages_of_figure_3_2_1() {
    // cm: [orderCoffee, done, orderCoffee] is a path with empty steps; alice: [error, coffeeDone] is not, `repaired` is missing.
    check(
        COFFEE,
        &format!(
            "{PEOPLE}alice ->> cm : orderCoffee\ncm ->> alice : error\ncm ->> m : repair\nm ->> cm : done\nalice ->> cm : orderCoffee\ncm ->> alice : coffeeDone\n"
        ),
        expect![[r#"
            9: `alice` cannot receive `coffeeDone` here: its state machine is in `desperate` (it takes `coffeeDone` in `waiting`)
        "#]],
    );
}

#[test]
fn the_paper_calls_this_inconsistent_but_empty_steps_make_it_a_path() {
    // cm: [orderCoffee, orderCoffee, done], by preparing -eps-> idle.
    check(
        COFFEE,
        &format!("{PEOPLE}alice ->> cm : orderCoffee\nalice ->> cm : orderCoffee\nm ->> cm : done\n"),
        expect![[""]],
    );
}

#[test]
fn orders_that_no_path_has() {
    check(
        COFFEE,
        &format!("{PEOPLE}m ->> cm : done\nm ->> cm : done\n"),
        expect![[r#"
        5: `cm` cannot receive `done` here: its state machine is in `idle` (it takes `done` in `maintenance`)
    "#]],
    );
    check(
        COFFEE,
        &format!("{PEOPLE}cm ->> alice : error\ncm ->> alice : error\n"),
        expect![[r#"
        5: `alice` cannot receive `error` here: its state machine is in `desperate` (it takes `error` in `waiting`)
    "#]],
    );
    check(
        COFFEE,
        &format!("{PEOPLE}cm ->> alice : repaird\ncm ->> alice : error\n"),
        expect![[r#"
        4: `alice` cannot receive `repaird`: its state machine has no such trigger (did you mean `repaired`?)
    "#]],
    );
}

#[test]
fn what_objects_outside_of_the_diagram_send_may_come_unseen() {
    // Without cm the diagram does not show who sends `repaired`.
    let scenario = "participant \"alice : PhD\" as alice\n[->> alice : error\n[->> alice : coffeeDone\n";
    check(COFFEE, scenario, expect![[""]]);
}

#[test]
fn what_is_forbidden_need_not_be_possible() {
    let scenario = format!("' @forbidden\n{PEOPLE}cm ->> alice : error\ncm ->> alice : error\n");
    check(COFFEE, &scenario, expect![[""]]);
    let scenario = format!("{PEOPLE}group neg\ncm ->> alice : error\ncm ->> alice : error\nend\n");
    check(COFFEE, &scenario, expect![[""]]);
    let scenario =
        format!("' @possible alphabet=own\n{PEOPLE}cm ->> alice : error\ncm ->> alice : coffeeDone\n");
    check(COFFEE, &scenario, expect![[""]]);
}

const DOOR: &str = "@startuml Door
[*] --> Closed
Closed --> Open : open
Open --> Closed : close
Closed --> Locked : lock
Locked --> Closed : unlock
@enduml
";

#[test]
fn operators() {
    let check = |text: &str, expected| check(DOOR, text, expected);
    check(
        "alt in a hurry\na -> Door : open\nelse\na -> Door : lock\nend\na -> Door : close\n",
        expect![[""]],
    );
    check(
        "alt in a hurry\na -> Door : unlock\nelse\na -> Door : lock\nend\na -> Door : close\n",
        expect![[r#"
        6: `Door` cannot receive `close` here: its state machine is in `Closed` or `Locked` (it takes `close` in `Open`)
    "#]],
    );
    check("a -> Door : lock\nopt sure\na -> Door : unlock\nend\na -> Door : open\n", expect![[""]]);
    check(
        "loop 2 times\na -> Door : open\nend\n",
        expect![[r#"
        2: `Door` cannot receive `open` here: its state machine is in `Open` (it takes `open` in `Closed`)
    "#]],
    );
    check("loop\na -> Door : open\nend\n", expect![[""]]);
    check(
        "loop (inf)\na -> Door : open\nend\n",
        expect![[r#"
        2: `Door` cannot receive `open` here: its state machine is in `Open` (it takes `open` in `Closed`)
    "#]],
    );
    check("a -> Door : lock\nbreak\na -> Door : unlock\nend\na -> Door : close\n", expect![[""]]);
    check("par\na -> Door : close\nelse\na -> Door : open\nend\n", expect![[""]]);
    check(
        "par\na -> Door : close\nelse\na -> Door : lock\nelse\na -> Door : close\nend\n",
        expect![[r#"
        6: `Door` cannot receive `close` here: its state machine is in `Locked` (it takes `close` in `Open`)
    "#]],
    );
    check("a -> Door : open\nref over Door : Anything\na -> Door : unlock\n", expect![[""]]);
    check(
        "group not\na -> Door : open\nend\na -> Door : open\na -> Door : open\n",
        expect![[r#"
        5: `Door` cannot receive `open` here: its state machine is in `Open` (it takes `open` in `Closed`)
    "#]],
    );
    check(
        "a -> Door : lock\na -> Door : paint\na -> Door : unlock\n",
        expect![[r#"
        2: `Door` cannot receive `paint`: its state machine has no such trigger (add a transition with this trigger, or draw the message to somebody else)
    "#]],
    );
    check("a -> Door : paint\na -> Door : sand\na -> Door : lock\na -> Door : unlock\n", expect![""]);
}

#[test]
fn a_message_may_terminate_its_receiver() {
    let plain =
        "@startuml A\n[*] --> s1\nstate t <<terminate>>\ns1 --> s2 : hello\ns2 --> t : bye\n@enduml\n";
    let head = "participant \"a : A\" as a\n";
    check(plain, &format!("{head}b ->> a : hello\nb ->> a : bye\n"), expect![[""]]);
    check(
        plain,
        &format!("{head}b ->> a : bye\nb ->> a : hello\n"),
        expect![[r#"
            3: `a` cannot receive `hello` here: its state machine is in a terminated state (it takes `hello` in `s1`)
        "#]],
    );
    // The whole object ends, with the regions beside and the states around.
    let nested = "@startuml A\nstate both {\nstate t <<terminate>>\n[*] --> x\nx --> t : bye\n--\n[*] --> y\ny --> y : tick\n}\n\
                  [*] --> both\nboth --> out : leave\n@enduml\n";
    check(nested, &format!("{head}b ->> a : tick\nb ->> a : bye\n"), expect![[""]]);
    check(
        nested,
        &format!("{head}b ->> a : bye\nb ->> a : tick\n"),
        expect![[r#"
            3: `a` cannot receive `tick` here: its state machine is in a terminated state (it takes `tick` in `y`)
        "#]],
    );
    check(
        nested,
        &format!("{head}b ->> a : bye\nb ->> a : leave\n"),
        expect![[r#"
            3: `a` cannot receive `leave` here: its state machine is in a terminated state (it takes `leave` in `both`)
        "#]],
    );
}

#[test]
fn composite_states_are_never_blamed_wrongly() {
    let machine = "@startuml Lamp
[*] --> Off
Off --> On : on
state On {
  [*] --> Dim
  Dim --> Bright : more
  Bright --> Dim : less
  --
  [*] --> White
  White --> Red : colour
  Red --> White : colour
}
On --> Off : off
state Off {
  state Kept <<history>>
  Cold --> Warm : heat
  Warm : heat / defer
}
@enduml
";
    let check = |text: &str, expected| check(machine, text, expected);
    check(
        "a -> Lamp : on\na -> Lamp : colour\na -> Lamp : more\na -> Lamp : colour\na -> Lamp : less\n",
        expect![[""]],
    );
    check(
        "a -> Lamp : on\na -> Lamp : less\n",
        expect![[r#"
        2: `Lamp` cannot receive `less` here: its state machine is in `Dim` or `White` (it takes `less` in `Bright`)
    "#]],
    );
    check("a -> Lamp : off\na -> Lamp : heat\na -> Lamp : heat\na -> Lamp : on\n", expect![[""]]);
    check(
        "a -> Lamp : off\na -> Lamp : more\n",
        expect![[r#"
        2: `Lamp` cannot receive `more` here: its state machine is in `Warm` or `Cold` (it takes `more` in `Dim`)
    "#]],
    );
    check(
        "a -> Lamp : on\na -> Lamp : on\n",
        expect![[r#"
        2: `Lamp` cannot receive `on` here: its state machine is in `Dim` or `White` (it takes `on` in `Off`)
    "#]],
    );
}

/// A scenario as a term.
enum Term {
    Message(u8),
    Alt(Vec<Vec<Term>>),
    Opt(Vec<Term>),
    Loop(u32, u32, Vec<Term>),
    Par(Vec<Vec<Term>>),
    /// Its content instead of the rest of the operand.
    Break(Vec<Term>),
    /// A block in which the machine receives nothing.
    Elsewhere,
}

type Words = BTreeSet<Vec<u8>>;

/// More words are not compared.
const MOST_WORDS: usize = 20_000;

fn joined(left: &Words, right: &Words) -> Words {
    left.iter().flat_map(|one| right.iter().map(move |other| [&one[..], other].concat())).collect()
}

/// The words of a scenario; `None` if there are too many.
fn words(terms: &[Term]) -> Option<Words> {
    let mut all = Words::from([Vec::new()]);
    let mut ended = Words::new();
    for term in terms {
        let own = match term {
            Term::Message(name) => Words::from([vec![*name]]),
            Term::Elsewhere => Words::from([Vec::new()]),
            Term::Break(body) => {
                ended.extend(joined(&all, &words(body)?));
                continue;
            }
            Term::Alt(operands) => {
                let all: Option<Vec<Words>> = operands.iter().map(|operand| words(operand)).collect();
                all?.into_iter().flatten().collect()
            }
            Term::Opt(body) => words(body)?.into_iter().chain([Vec::new()]).collect(),
            Term::Loop(least, most, body) => {
                let round = words(body)?;
                let mut rounds = Words::from([Vec::new()]);
                let mut ends = Words::new();
                for count in 0..=*most {
                    if count >= *least {
                        ends.extend(rounds.iter().cloned());
                    }
                    if rounds.len() * round.len() > MOST_WORDS {
                        return None;
                    }
                    rounds = joined(&rounds, &round);
                }
                ends
            }
            Term::Par(operands) => {
                let mut shuffled = Words::from([Vec::new()]);
                for operand in operands {
                    let own = words(operand)?;
                    if shuffled.len() * own.len() > MOST_WORDS / 10 {
                        return None;
                    }
                    let pairs = shuffled.iter().flat_map(|one| own.iter().map(move |other| (one, other)));
                    shuffled = pairs.flat_map(|(one, other)| shuffles(one, other)).collect();
                }
                shuffled
            }
        };
        if all.len() * own.len() > MOST_WORDS {
            return None;
        }
        all = joined(&all, &own);
    }
    all.extend(ended);
    Some(all)
}

fn shuffles(left: &[u8], right: &[u8]) -> Words {
    match (left.split_first(), right.split_first()) {
        (None, _) => Words::from([right.to_vec()]),
        (_, None) => Words::from([left.to_vec()]),
        (Some((one, rest)), Some((other, others))) => {
            let first = shuffles(rest, right).into_iter().map(|word| [&[*one][..], &word].concat());
            let second = shuffles(left, others).into_iter().map(|word| [&[*other][..], &word].concat());
            first.chain(second).collect()
        }
    }
}

fn text(terms: &[Term], out: &mut String) {
    let line = |out: &mut String, name: u8| *out += &format!("a -> M : {}\n", char::from(name));
    for term in terms {
        match term {
            Term::Message(name) => line(out, *name),
            Term::Alt(operands) => {
                for (number, operand) in operands.iter().enumerate() {
                    *out += &format!("{} way {number}\n", if number == 0 { "alt" } else { "else" });
                    text(operand, out);
                }
                *out += "end\n";
            }
            Term::Opt(body) => {
                *out += "opt maybe\n";
                text(body, out);
                *out += "end\n";
            }
            Term::Loop(least, most, body) => {
                *out += &format!("loop ({least},{most})\n");
                text(body, out);
                *out += "end\n";
            }
            Term::Break(body) => {
                *out += "break maybe\n";
                text(body, out);
                *out += "end\n";
            }
            Term::Elsewhere => *out += "opt elsewhere\na -> N : z\nend\n",
            Term::Par(operands) => {
                for (number, operand) in operands.iter().enumerate() {
                    *out += if number == 0 { "par\n" } else { "else\n" };
                    text(operand, out);
                }
                *out += "end\n";
            }
        }
    }
}

/// A transition: source, trigger or nothing, target.
type Step = (u8, Option<u8>, u8);

/// Whether a word is what remains of a path when its empty steps are deleted.
fn is_path(steps: &[Step], states: u8, word: &[u8]) -> bool {
    fn from(steps: &[Step], at: u8, word: &[u8], seen: &mut BTreeSet<(u8, usize)>) -> bool {
        if word.is_empty() {
            return true;
        }
        seen.insert((at, word.len()))
            && steps.iter().filter(|step| step.0 == at).any(|step| match step.1 {
                None => from(steps, step.2, word, seen),
                Some(name) => name == word[0] && from(steps, step.2, &word[1..], seen),
            })
    }
    (0..states).any(|start| from(steps, start, word, &mut BTreeSet::new()))
}

fn name(random: &mut Random) -> u8 {
    b'a' + random.below(4) as u8
}

/// An operand of a `par`: one or two terms of a message or two, nested ones too.
fn operand(random: &mut Random, depth: u32) -> Vec<Term> {
    let one = |random: &mut Random| {
        let message = |random: &mut Random| vec![Term::Message(name(random))];
        match random.below(if depth == 0 { 4 } else { 9 }) {
            0..=3 => Term::Message(name(random)),
            4 => Term::Elsewhere,
            5 => Term::Opt(message(random)),
            6 => Term::Alt(vec![message(random), message(random)]),
            7 => Term::Loop(random.below(2) as u32, 2, message(random)),
            _ => Term::Par(vec![operand(random, depth - 1), operand(random, depth - 1)]),
        }
    };
    let mut terms: Vec<Term> = (0..1 + random.below(2)).map(|_| one(random)).collect();
    if random.below(6) == 0 {
        terms.insert(random.below(terms.len() + 1), Term::Break(vec![Term::Message(name(random))]));
    }
    terms
}

fn terms(random: &mut Random, depth: u32) -> Vec<Term> {
    (0..1 + random.below(3)).map(|_| term(random, depth)).collect()
}

fn term(random: &mut Random, depth: u32) -> Term {
    match random.below(if depth == 0 { 3 } else { 8 }) {
        0..=2 => Term::Message(name(random)),
        3 | 4 => Term::Alt((0..2).map(|_| terms(random, depth - 1)).collect()),
        5 => Term::Opt(terms(random, depth - 1)),
        6 => {
            let least = random.below(3) as u32;
            Term::Loop(least, 2.max(least), terms(random, depth - 1))
        }
        _ => Term::Par((0..2).map(|_| operand(random, 1)).collect()),
    }
}

#[test]
fn blocks_in_operands_are_followed() {
    let once = "@startuml M\n[*] --> S0\nS0 --> S1 : a\n@enduml\n";
    let check = |text: &str, expected| check(once, text, expected);
    // After the `par` the machine is in `S1`, whatever the other operand draws.
    check(
        "par\nu ->> M : a\nelse\ngroup g\nv ->> n : vent\nend\nend\nu ->> M : a\n",
        expect![[r#"
            8: `M` cannot receive `a` here: its state machine is in `S1` (it takes `a` in `S0`)
        "#]],
    );
    check(
        "par\nu ->> M : a\nelse\nloop 2 times\nv ->> v : a\nend\nu ->> M : a\nend\n",
        expect![[r#"
            7: `M` cannot receive `a` here: its state machine is in `S1` (it takes `a` in `S0`)
        "#]],
    );
    check(
        "group coregion M\nu ->> M : a\nopt\nv ->> n : vent\nend\nend\nu ->> M : a\n",
        expect![[r#"
            7: `M` cannot receive `a` here: its state machine is in `S1` (it takes `a` in `S0`)
        "#]],
    );
    check("par\nu ->> M : a\nelse\nopt\nu ->> M : a\nend\nend\n", expect![[""]]);
}

#[test]
fn random_scenarios_are_judged_as_the_definition_does() {
    let seeds = seeds(500);
    let count = seeds.count_left();
    let (mut good, mut bad) = (0, 0);
    for seed in seeds {
        let mut random = Random::new(seed);
        let states = 2 + random.below(3) as u8;
        let mut steps: Vec<Step> = Vec::new();
        for name in (b'a'..=b'd').map(Some).chain([None]) {
            for _ in 0..=random.below(2) {
                let step = (random.below(states.into()) as u8, name, random.below(states.into()) as u8);
                if name.is_some() || random.below(2) == 0 {
                    steps.push(step);
                }
            }
        }
        let terms = terms(&mut random, 2);
        let mut machine = String::from("@startuml M\n[*] --> S0\n");
        for (source, name, target) in &steps {
            let label = name.map_or(String::new(), |name| format!(" : {}", char::from(name)));
            machine += &format!("S{source} --> S{target}{label}\n");
        }
        let mut scenario = String::from("@startuml Scenario\n");
        text(&terms, &mut scenario);
        let all = format!("{scenario}@enduml\n{machine}@enduml\n");
        let Some(words) = words(&terms) else { continue };
        let is_possible = words.iter().any(|word| is_path(&steps, states, word));
        let found = findings(&mut Sources::new(), &all);
        assert_eq!(found.is_empty(), is_possible, "seed {seed}:\n{all}\n{found:?}");
        if is_possible { good += 1 } else { bad += 1 }
    }
    assert!(good * 6 > count && bad * 6 > count, "both kinds are common: {good} {bad}");
}
