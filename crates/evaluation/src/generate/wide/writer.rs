//! A random machine as text: states, some of them composite, pseudostates between them, labels.

use sequent_kernel::model::Communication;

use super::super::numbers::ChoiceSource;
use super::{MESSAGES, NAMES, WITH_NUMBER};

/// Writes one machine.
pub(crate) struct MachineWriter<'a> {
    /// Where everything comes from.
    pub numbers: &'a mut ChoiceSource,
    /// What is written so far.
    pub text: &'a mut String,
    /// Objects that a send may name.
    pub names: &'a Vec<&'a str>,
    /// Objects that behave as this machine, if there are several.
    pub twins: Vec<&'a str>,
    /// The communication of the objects.
    pub medium: Communication,
    /// Which machine.
    pub at: usize,
    /// States so far.
    pub states: usize,
    /// Whether there are colours.
    pub(crate) has_enumeration: bool,
    /// Nothing but messages and sends.
    pub is_plain: bool,
    /// Composite states, each with the states in its regions.
    pub composites: Vec<(String, Vec<Vec<String>>)>,
    /// There may be joins.
    pub(crate) has_joins: bool,
    /// Whether transitions without trigger fire whenever they can.
    pub is_free: bool,
    /// Entry points (true) and exit points, each with the state it belongs to.
    pub points: Vec<(String, bool, String)>,
    /// The state around each state that has one.
    pub around: Vec<(String, String)>,
}

/// What a transition waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TransitionWait {
    Message,
    Number,
    Completion,
    Other,
}

impl MachineWriter<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.numbers.once_in(times)
    }

    /// A machine from beginning to end.
    pub(crate) fn machine(&mut self) {
        self.is_plain = self.once_in(3);
        self.has_joins = !self.is_plain && self.once_in(2);
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
                self.composite(&name, 0, &mut states);
            }
            self.content(&name);
            states.push(name);
        }
        let first = states[self.numbers.below(states.len().min(2))].clone();
        let effect = if self.once_in(6) { self.effects(TransitionWait::Completion) } else { String::new() };
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

    /// A composite state with one or two regions, perhaps with another inside; its inner states join the others.
    fn composite(&mut self, name: &str, depth: usize, states: &mut Vec<String>) {
        self.line(&format!("state {name} {{"));
        let count = 1 + usize::from(self.once_in(2));
        let mut regions = Vec::new();
        for region in 0..count {
            if region > 0 {
                self.line("--");
            }
            let inner: Vec<String> = (0..1 + self.numbers.below(2)).map(|_| self.state()).collect();
            self.around.extend(inner.iter().map(|one| (one.clone(), name.to_owned())));
            for one in &inner {
                if depth == 0 && self.once_in(7) {
                    self.composite(one, depth + 1, states);
                } else {
                    self.line(&format!("state {one}"));
                }
                self.content(one);
            }
            self.points(name, &inner);
            let effect =
                if self.once_in(8) { self.effects(TransitionWait::Completion) } else { String::new() };
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
            states.extend(inner.clone());
            regions.push(inner);
        }
        self.line("}");
        self.composites.push((name.to_owned(), regions));
    }

    /// Entry and exit points of the state that is being written; the ways to and from outside come later.
    fn points(&mut self, owner: &str, inner: &[String]) {
        if self.once_in(6) {
            let name = format!("In{}", self.state());
            self.line(&format!("state {name} <<entryPoint>>"));
            let (to, effects) = (self.one_of(inner), self.perhaps_effect());
            self.line(&format!("{name} --> {to}{effects}"));
            self.points.push((name, true, owner.to_owned()));
        }
        if self.once_in(6) {
            let name = format!("Out{}", self.state());
            self.line(&format!("state {name} <<exitPoint>>"));
            let (from, label) = (self.one_of(inner), self.label());
            self.line(&format!("{from} --> {name}{label}"));
            self.points.push((name, false, owner.to_owned()));
        }
    }

    /// ` : / ^m`, or nothing.
    fn perhaps_effect(&mut self) -> String {
        match self.once_in(3) {
            true => self
                .effect(TransitionWait::Completion)
                .map_or(String::new(), |effect| format!(" : / {effect}")),
            false => String::new(),
        }
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
                let effects = self.effects(TransitionWait::Completion);
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
            let label = self.waiting(TransitionWait::Message);
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
            0..=5 => TransitionWait::Message,
            6..=7 => TransitionWait::Number,
            8..=10 => TransitionWait::Completion,
            _ if self.is_plain => TransitionWait::Message,
            _ => TransitionWait::Other,
        };
        self.waiting(wait)
    }

    fn waiting(&mut self, wait: TransitionWait) -> String {
        let trigger = match wait {
            TransitionWait::Message => self.numbers.pick(&MESSAGES).to_owned(),
            TransitionWait::Number => format!("{}(v)", self.numbers.pick(&WITH_NUMBER)),
            TransitionWait::Completion => String::new(),
            TransitionWait::Other => self.numbers.pick(&["after(1s)", "when(x > 0)", "m, n"]).to_owned(),
        };
        let guard = if self.once_in(3) { self.guard(wait) } else { String::new() };
        let effects = if self.once_in(2) { self.effects(wait) } else { String::new() };
        match (trigger.is_empty(), guard.is_empty(), effects.is_empty()) {
            (true, true, true) => String::new(),
            _ => format!(" : {trigger}{guard}{effects}"),
        }
    }

    fn guard(&mut self, wait: TransitionWait) -> String {
        let guard = match self.numbers.below(10) {
            0..=1 => "x == 0",
            2 => "x > 0",
            3 => "t",
            4 => "!t || x == 1",
            5 => "else",
            6 if self.has_enumeration => "hue == red",
            6..=7 if wait == TransitionWait::Number => "v == x",
            8 if !self.is_plain => "it rains",
            9 if !self.is_plain => "it snows",
            _ => "x + 1 < 2",
        };
        format!(" [{guard}]")
    }

    /// One or two effects, with the sign before them; perhaps none.
    fn effects(&mut self, wait: TransitionWait) -> String {
        let count = 1 + usize::from(self.once_in(3));
        let effects: Vec<String> = (0..count).filter_map(|_| self.effect(wait)).collect();
        if effects.is_empty() { String::new() } else { format!(" / {}", effects.join("; ")) }
    }

    fn effect(&mut self, wait: TransitionWait) -> Option<String> {
        let assignment = match self.numbers.below(16) {
            0 => "x++",
            1 => "x = 0",
            2 => "x = 1 - x",
            3 => "t = !t",
            4 => "t = x > 0",
            5 if self.has_enumeration => "hue = green",
            5 if wait == TransitionWait::Number => "x = v",
            6 if matches!(wait, TransitionWait::Message | TransitionWait::Number) && self.once_in(2) => {
                "who = sender"
            }
            6 if self.once_in(2) => "who = none",
            _ => return Some(self.send(wait)),
        };
        Some(assignment.to_owned())
    }

    fn send(&mut self, wait: TransitionWait) -> String {
        let target = match self.numbers.below(12) {
            0..=4 => String::new(),
            5 if matches!(wait, TransitionWait::Message | TransitionWait::Number) => "sender.".to_owned(),
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
                    TransitionWait::Number => self.numbers.pick(&["0", "1", "v", "1 - v"]),
                    TransitionWait::Message | TransitionWait::Completion | TransitionWait::Other => {
                        self.numbers.pick(&["0", "1"])
                    }
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
            let guard = self.guard(TransitionWait::Completion).replace("else", "t");
            let effects = self.effects(TransitionWait::Completion);
            self.line(&format!("C --> {one} :{guard}{effects}"));
            self.line(&format!("C --> {other} : [else]"));
        }
        if self.once_in(12) {
            self.line("state X <<terminate>>");
            let (from, label) = (self.one_of(states), self.label());
            self.line(&format!("{from} --> X{label}"));
        }
        for (name, is_entry, owner) in self.points.clone() {
            let outside: Vec<String> =
                states.iter().filter(|one| !self.is_inside(one, &owner)).cloned().collect();
            let (other, label) = (self.one_of(&outside), self.label());
            match is_entry {
                true => self.line(&format!("{other} --> {name}{label}")),
                false => {
                    let effects = self.perhaps_effect();
                    self.line(&format!("{name} --> {other}{effects}"));
                }
            }
        }
        for (number, (name, regions)) in self.composites.clone().into_iter().enumerate() {
            if self.once_in(3) {
                let history = self.numbers.pick(&["[H]", "[H*]"]);
                let (from, label) = (self.one_of(states), self.label());
                self.line(&format!("{from} --> {name}{history}{label}"));
            }
            if let [left, right] = regions.as_slice() {
                self.together(number, [left, right], states);
            }
        }
        if self.once_in(8) {
            let (from, label) = (self.one_of(states), self.label());
            self.line(&format!("{from} --> [*]{label}"));
        }
    }

    fn is_inside(&self, state: &str, owner: &str) -> bool {
        let around = self.around.iter().find(|(one, _)| one == state);
        around.is_some_and(|(_, around)| around == owner || self.is_inside(around, owner))
    }

    /// A fork into two regions, a join of them.
    fn together(&mut self, number: usize, regions: [&Vec<String>; 2], states: &[String]) {
        if self.once_in(2) {
            self.line(&format!("state F{number} <<fork>>"));
            let (from, label) = (self.one_of(states), self.label());
            self.line(&format!("{from} --> F{number}{label}"));
            for region in regions {
                let (to, effects) = (self.one_of(region), self.perhaps_effect());
                self.line(&format!("F{number} --> {to}{effects}"));
            }
        }
        if self.has_joins && self.once_in(2) {
            self.line(&format!("state J{number} <<join>>"));
            for region in regions {
                // Where all transitions into a join fire at once there is no single event to wait for.
                let label = if self.is_free { self.perhaps_effect() } else { self.label() };
                let from = self.one_of(region);
                self.line(&format!("{from} --> J{number}{label}"));
            }
            let (to, effects) = (self.one_of(states), self.perhaps_effect());
            self.line(&format!("J{number} --> {to}{effects}"));
        }
    }
}
