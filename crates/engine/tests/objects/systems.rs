//! Random systems of objects, as text: two to four machines, mostly flat, that send each other a few messages. The same seed
//! gives the same system on every machine.
//!
//! A system is PlantUML, so a failing one can be read, and made smaller line by line.

use std::fmt::Write;

use sequent_kernel::model::{Communication, Completion, Steps};

/// A system as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The medium.
    pub communication: Communication,
    /// How a step is taken under rendezvous.
    pub steps: Steps,
    /// Whether completion events wait in line.
    pub completion: Completion,
    /// Whether nothing comes from outside, and nothing goes there.
    pub closed: bool,
    /// How much a queue holds.
    pub capacity: u32,
    /// Objects by name and class; a class without machine is environment.
    pub objects: Vec<(String, String)>,
    /// Who is linked to whom.
    pub links: Vec<(String, String)>,
    /// The machines.
    pub text: String,
}

impl Case {
    /// The case for people.
    pub fn dump(&self) -> String {
        let Case { communication, steps, completion, closed, capacity, objects, links, text } = self;
        format!(
            "{communication:?} {steps:?} {completion:?} closed {closed} capacity {capacity}\nobjects {objects:?}\nlinks {links:?}\n{text}"
        )
    }
}

/// The sequence SplitMix64.
pub struct Numbers(pub u64);

impl Numbers {
    /// The next number, below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % bound as u64).expect("below a usize")
    }

    /// True once in `times` on average.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several.
    pub fn pick<'t, T: ?Sized>(&mut self, from: &[&'t T]) -> &'t T {
        from[self.below(from.len())]
    }
}

/// Messages; those in the second row carry a number.
const MESSAGES: [&str; 4] = ["m", "n", "k", "l"];
const WITH_NUMBER: [&str; 2] = ["p", "q"];
const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// The system of a seed.
pub fn case(seed: u64, communication: Communication) -> Case {
    let mut numbers = Numbers(seed.wrapping_mul(0x1234_5678_9abc_def1));
    let is_rendezvous = communication == Communication::Rendezvous;
    let steps = if numbers.once_in(2) { Steps::Direct } else { Steps::Intermediate };
    let completion = if numbers.once_in(4) { Completion::Free } else { Completion::Queued };
    let more = if is_rendezvous { 2 } else { 4 };
    let count = 2 + usize::from(numbers.once_in(more)) + usize::from(numbers.once_in(3 * more));
    let capacity = if numbers.once_in(3) { 2 } else { 1 };
    let mut objects: Vec<(String, String)> =
        (0..count).map(|at| (NAMES[at].to_owned(), format!("M{at}"))).collect();
    if count > 2 && numbers.once_in(4) {
        // Two objects of one machine.
        objects[count - 1].1 = "M0".to_owned();
    }
    let machines = if objects[count - 1].1 == "M0" { count - 1 } else { count };
    if numbers.once_in(3) {
        objects.push(("e".to_owned(), "Environment".to_owned()));
    }
    let mut links = Vec::new();
    if numbers.once_in(8) {
        for one in 0..objects.len() {
            for other in 0..one {
                if !numbers.once_in(3) {
                    links.push((objects[other].0.clone(), objects[one].0.clone()));
                }
            }
        }
    }
    let has_environment = objects.len() > count;
    let names = NAMES[..count].iter().copied().chain(has_environment.then_some("e")).collect();
    let mut text = String::new();
    let has_enumeration = numbers.once_in(4);
    writeln!(text, "@startuml classes").expect("a string takes all");
    for at in 0..machines {
        let operations = WITH_NUMBER.map(|name| format!("  {name}(v : 0..1)\n")).concat();
        writeln!(text, "class M{at} {{\n{operations}}}").expect("a string takes all");
    }
    if has_enumeration {
        writeln!(text, "enum Colour {{\n  red\n  green\n}}").expect("a string takes all");
    }
    writeln!(text, "@enduml").expect("a string takes all");
    for at in 0..machines {
        let medium = communication;
        let twins = if at == 0 && machines < count { vec![NAMES[0], NAMES[count - 1]] } else { Vec::new() };
        let mut writer = Writer {
            numbers: &mut numbers,
            text: &mut text,
            names: &names,
            twins,
            medium,
            at,
            states: 0,
            has_enumeration,
            is_plain: false,
        };
        writer.machine();
    }
    // The numbers stay as they are, so that a seed is the same system as before.
    let closed = seed % 3 == 1;
    Case { communication, steps, completion, closed, capacity, objects, links, text }
}

struct Writer<'a> {
    numbers: &'a mut Numbers,
    text: &'a mut String,
    /// Objects that a send may name.
    names: &'a Vec<&'a str>,
    /// Objects that behave as this machine, if there are several.
    twins: Vec<&'a str>,
    medium: Communication,
    /// Which machine.
    at: usize,
    /// States so far.
    states: usize,
    has_enumeration: bool,
    /// Nothing but messages and sends.
    is_plain: bool,
}

/// What a transition waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    Message,
    Number,
    Completion,
    Other,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.numbers.once_in(times)
    }

    fn machine(&mut self) {
        self.is_plain = self.once_in(3);
        let at = self.at;
        self.line(&format!("@startuml M{at}"));
        let most = 1 + self.numbers.below(2);
        self.line(&format!("' @attribute x : 0..{most} = 0"));
        self.line("' @attribute t : bool = false");
        self.line("' @attribute who : M0 = none");
        if self.has_enumeration {
            self.line("' @attribute hue : Colour = red");
        }
        let count = 2 + self.numbers.below(3);
        let mut states: Vec<String> = Vec::new();
        let is_flat = self.is_plain || self.once_in(2);
        for _ in 0..count {
            let name = self.state();
            if !is_flat && self.once_in(3) {
                self.composite(&name, &mut states);
            }
            self.content(&name);
            states.push(name);
        }
        let first = states[self.numbers.below(states.len().min(2))].clone();
        let effect = if self.once_in(6) { self.effects(Wait::Completion) } else { String::new() };
        self.line(&format!(
            "[*] --> {first}{}",
            if effect.is_empty() { effect } else { format!(" :{effect}") }
        ));
        let transitions = count + self.numbers.below(4);
        let own = states.clone();
        for _ in 0..transitions {
            self.transition(&own);
        }
        if !self.is_plain {
            self.extras(&own);
        }
        self.line("@enduml");
    }

    fn state(&mut self) -> String {
        self.states += 1;
        format!("S{}", self.states)
    }

    /// A composite state with one or two regions; its inner states join the others.
    fn composite(&mut self, name: &str, states: &mut Vec<String>) {
        self.line(&format!("state {name} {{"));
        let regions = 1 + usize::from(self.once_in(2));
        for region in 0..regions {
            if region > 0 {
                self.line("--");
            }
            let inner: Vec<String> = (0..1 + self.numbers.below(2)).map(|_| self.state()).collect();
            for one in &inner {
                self.line(&format!("state {one}"));
                self.content(one);
            }
            let effect = if self.once_in(8) { self.effects(Wait::Completion) } else { String::new() };
            let label = if effect.is_empty() { effect } else { format!(" :{effect}") };
            self.line(&format!("[*] --> {}{label}", inner[0]));
            for _ in 0..inner.len() {
                if self.once_in(3) {
                    let label = self.label();
                    let from = self.one_of(&inner);
                    self.line(&format!("{from} --> [*]{label}"));
                } else {
                    self.transition(&inner);
                }
            }
            states.extend(inner);
        }
        self.line("}");
    }

    fn one_of(&mut self, states: &[String]) -> String {
        states[self.numbers.below(states.len())].clone()
    }

    /// Behaviours of a state.
    fn content(&mut self, name: &str) {
        if self.is_plain {
            return;
        }
        for (word, times) in [("entry", 6), ("exit", 6), ("do", 14)] {
            if self.once_in(times) {
                let effects = self.effects(Wait::Completion);
                if !effects.is_empty() {
                    self.line(&format!("{name} : {word}{effects}"));
                }
            }
        }
        if self.medium != Communication::Rendezvous && self.once_in(6) {
            let message = self.numbers.pick(&MESSAGES);
            self.line(&format!("{name} : {message} / defer"));
        }
        if self.once_in(12) {
            let label = self.waiting(Wait::Message);
            self.line(&format!("{name} : {}", label.trim_start_matches([' ', ':'])));
        }
    }

    fn transition(&mut self, states: &[String]) {
        let (from, to) = (self.one_of(states), self.one_of(states));
        let label = self.label();
        self.line(&format!("{from} --> {to}{label}"));
    }

    fn label(&mut self) -> String {
        let wait = match self.numbers.below(12) {
            0..=5 => Wait::Message,
            6..=7 => Wait::Number,
            8..=10 => Wait::Completion,
            _ if self.is_plain => Wait::Message,
            _ => Wait::Other,
        };
        self.waiting(wait)
    }

    fn waiting(&mut self, wait: Wait) -> String {
        let trigger = match wait {
            Wait::Message => self.numbers.pick(&MESSAGES).to_owned(),
            Wait::Number => format!("{}(v)", self.numbers.pick(&WITH_NUMBER)),
            Wait::Completion => String::new(),
            Wait::Other => self.numbers.pick(&["after(1s)", "any", "when(x > 0)", "m, n"]).to_owned(),
        };
        let guard = if self.once_in(3) { self.guard(wait) } else { String::new() };
        let effects = if self.once_in(2) { self.effects(wait) } else { String::new() };
        match (trigger.is_empty(), guard.is_empty(), effects.is_empty()) {
            (true, true, true) => String::new(),
            _ => format!(" : {trigger}{guard}{effects}"),
        }
    }

    fn guard(&mut self, wait: Wait) -> String {
        let guard = match self.numbers.below(10) {
            0..=1 => "x == 0",
            2 => "x > 0",
            3 => "t",
            4 => "!t || x == 1",
            5 => "else",
            6 if self.has_enumeration => "hue == red",
            6..=7 if wait == Wait::Number => "v == x",
            8 if !self.is_plain => "it rains",
            9 if !self.is_plain => "it snows",
            _ => "x + 1 < 2",
        };
        format!(" [{guard}]")
    }

    /// One or two effects, with the sign before them; perhaps none.
    fn effects(&mut self, wait: Wait) -> String {
        let count = 1 + usize::from(self.once_in(3));
        let effects: Vec<String> = (0..count).filter_map(|_| self.effect(wait)).collect();
        if effects.is_empty() { String::new() } else { format!(" / {}", effects.join("; ")) }
    }

    fn effect(&mut self, wait: Wait) -> Option<String> {
        let assignment = match self.numbers.below(16) {
            0 => "x++",
            1 => "x = 0",
            2 => "x = 1 - x",
            3 => "t = !t",
            4 => "t = x > 0",
            5 if self.has_enumeration => "hue = green",
            5 if wait == Wait::Number => "x = v",
            6 if matches!(wait, Wait::Message | Wait::Number) && self.once_in(2) => "who = sender",
            6 if self.once_in(2) => "who = none",
            _ => return Some(self.send(wait)),
        };
        Some(assignment.to_owned())
    }

    fn send(&mut self, wait: Wait) -> String {
        let target = match self.numbers.below(12) {
            0..=4 => String::new(),
            5 if matches!(wait, Wait::Message | Wait::Number) => "sender.".to_owned(),
            6 if self.medium != Communication::Rendezvous => "self.".to_owned(),
            7 if self.once_in(3) => "who.".to_owned(),
            _ => {
                let own = NAMES[self.at];
                let others =
                    self.names.iter().copied().filter(|name| *name != own && !self.twins.contains(name));
                let others: Vec<&str> = others.collect();
                format!("{}.", self.numbers.pick(&others))
            }
        };
        match self.numbers.below(5) {
            0 => {
                let argument = match wait {
                    Wait::Number => self.numbers.pick(&["0", "1", "v", "1 - v"]),
                    Wait::Message | Wait::Completion | Wait::Other => self.numbers.pick(&["0", "1"]),
                };
                format!("^{target}{}({argument})", self.numbers.pick(&WITH_NUMBER))
            }
            _ => format!("^{target}{}", self.numbers.pick(&MESSAGES)),
        }
    }

    /// Pseudostates between states that are there.
    fn extras(&mut self, states: &[String]) {
        if self.once_in(4) {
            let kind = self.numbers.pick(&["choice", "junction"]);
            self.line(&format!("state C <<{kind}>>"));
            let (from, label) = (self.one_of(states), self.label());
            self.line(&format!("{from} --> C{label}"));
            let (one, other) = (self.one_of(states), self.one_of(states));
            let guard = self.guard(Wait::Completion).replace("else", "t");
            let effects = self.effects(Wait::Completion);
            self.line(&format!("C --> {one} :{guard}{effects}"));
            self.line(&format!("C --> {other} : [else]"));
        }
        if self.once_in(12) {
            self.line("state X <<terminate>>");
            let (from, label) = (self.one_of(states), self.label());
            self.line(&format!("{from} --> X{label}"));
        }
        if self.once_in(8) {
            let (from, label) = (self.one_of(states), self.label());
            self.line(&format!("{from} --> [*]{label}"));
        }
    }
}
