//! One sequence diagram of a script: its parts, how they are put together, and how its choices fall.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::super::names::Names;
use super::choices::ways;
use super::lifelines::Diagram;
use super::tree::{Action, Node, Tree};
use super::{Unwritten, comment};

/// What stands for a diagram in a script.
pub struct Words {
    /// The whole.
    pub whole: String,
    /// The channel of occurrences that look alike.
    pub occurrence: String,
    alphabet: String,
    part: String,
    parts: String,
    together: String,
}

impl Words {
    pub fn new(whole: String, names: &mut Names) -> Self {
        let mut give = |word: &str| names.give(word);
        Words {
            whole,
            occurrence: give("occurrence"),
            alphabet: give("Alphabet"),
            part: give("Part"),
            parts: give("Parts"),
            together: give("Together"),
        }
    }
}

/// Writes a diagram.
pub struct Author<'d> {
    pub diagram: &'d Diagram<'d>,
    pub tree: &'d Tree,
    pub words: Words,
    /// How occurrences are written inside.
    pub written: Vec<String>,
    /// Occurrences that look alike, and how they are seen.
    pub renamed: Vec<(String, String)>,
}

/// A process of the composition: what it is, its alphabet, what it does.
struct Part {
    told: String,
    name: String,
    alphabet: Vec<usize>,
    process: String,
}

impl Author<'_> {
    /// All of it, but for what several diagrams share.
    pub fn write(&self, names: &mut Names) -> Result<String, Unwritten> {
        let mut text = String::new();
        if !self.renamed.is_empty() {
            let _ = writeln!(
                text,
                "\n-- Occurrences that look alike.\nchannel {} : {{0..{}}}",
                self.words.occurrence,
                self.renamed.len() - 1
            );
        }
        let parts = self.parts(names);
        text += &self.composition(&parts);
        text += &self.choices()?;
        Ok(text)
    }

    fn arguments(&self) -> String {
        (0..self.tree.choices.len()).map(|number| format!(", choice{number}")).collect()
    }

    fn parts(&self, names: &mut Names) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut order: Vec<&String> = Vec::new();
        for event in &self.tree.events {
            if !order.contains(&&event.lifeline) {
                order.push(&event.lifeline);
            }
        }
        for lifeline in order {
            let own = self.of(lifeline);
            parts.push(Part {
                told: format!("Lifeline {lifeline}."),
                name: names.give(&format!("line_{lifeline}")),
                alphabet: own,
                process: self.sequence(&self.tree.root, lifeline),
            });
        }
        for channel in 0..self.tree.channels {
            let ends = |action: Action| {
                let is = |event: &&usize| {
                    let event = &self.tree.events[**event];
                    event.channel == Some(channel) && event.action == action
                };
                let all: Vec<usize> = (0..self.tree.events.len()).collect();
                all.iter().filter(is).copied().collect::<Vec<usize>>()
            };
            let (sent, received) = (ends(Action::Send), ends(Action::Receive));
            let told = sent.first().map(|event| self.tree.events[*event].text.clone()).unwrap_or_default();
            parts.push(Part {
                told: format!("The message {}: sent, then received.", told.trim_start_matches('!')),
                name: names.give("message"),
                process: format!("First({}, {})", self.set(&sent), self.set(&received)),
                alphabet: [sent, received].concat(),
            });
        }
        self.barriers(&mut parts, names);
        for events in &self.tree.criticals {
            let lifelines: BTreeSet<&String> =
                events.iter().map(|event| &self.tree.events[*event].lifeline).collect();
            for lifeline in lifelines {
                let own = self.of(lifeline);
                let (inside, outside): (Vec<usize>, Vec<usize>) =
                    own.iter().copied().partition(|event| events.contains(event));
                parts.push(Part {
                    told: format!("A critical region of {lifeline}."),
                    name: names.give("critical"),
                    process: format!("Critical({}, {})", self.set(&inside), self.set(&outside)),
                    alphabet: own,
                });
            }
        }
        parts
    }

    /// What waits until all of something is over.
    fn barriers(&self, parts: &mut Vec<Part>, names: &mut Names) {
        for (number, before) in self.tree.barriers.iter().enumerate() {
            let waits = |event: &usize| self.tree.events[*event].waits.contains(&number);
            let after: Vec<usize> = (0..self.tree.events.len()).filter(waits).collect();
            // What comes before and waits too would wait for itself.
            let before: Vec<usize> = before.iter().copied().collect();
            if before.is_empty() || after.is_empty() {
                continue;
            }
            parts.push(Part {
                told: "What comes strictly before something else.".to_owned(),
                name: names.give("order"),
                process: format!("First({}, {})", self.set(&before), self.set(&after)),
                alphabet: [before, after].concat(),
            });
        }
    }

    fn of(&self, lifeline: &str) -> Vec<usize> {
        (0..self.tree.events.len()).filter(|event| self.tree.events[*event].lifeline == lifeline).collect()
    }

    /// The occurrences of some that happen, as choices have fallen.
    fn set(&self, events: &[usize]) -> String {
        let mut groups: BTreeMap<&[(usize, usize)], Vec<&str>> = BTreeMap::new();
        for event in events {
            groups.entry(&self.tree.events[*event].alive).or_default().push(&self.written[*event]);
        }
        let one = |(alive, events): (&[(usize, usize)], Vec<&str>)| {
            let set = format!("{{{}}}", events.join(", "));
            match alive {
                [] => set,
                alive => format!("(if {} then {set} else {{}})", fallen(alive)),
            }
        };
        let sets: Vec<String> = groups.into_iter().map(one).collect();
        let joined = sets.into_iter().reduce(|left, right| format!("union({left}, {right})"));
        joined.unwrap_or_else(|| "{}".to_owned())
    }

    /// What a lifeline does in some pieces, one after the other.
    fn sequence(&self, nodes: &[Node], lifeline: &str) -> String {
        let mut pieces: Vec<String> = Vec::new();
        let mut chain: Vec<&str> = Vec::new();
        let mut flat: Vec<&Node> = Vec::new();
        flatten(nodes, &mut flat);
        for node in flat {
            if let Node::Event(event) = node {
                if self.tree.events[*event].lifeline == lifeline {
                    chain.push(&self.written[*event]);
                }
                continue;
            }
            let piece = self.piece(node, lifeline);
            if !piece.is_empty() {
                pieces.extend(linked(&mut chain));
                pieces.push(piece);
            }
        }
        pieces.extend(linked(&mut chain));
        if pieces.is_empty() { "SKIP".to_owned() } else { pieces.join(" ; ") }
    }

    /// What a lifeline does in a piece that is more than an occurrence; empty if nothing.
    fn piece(&self, node: &Node, lifeline: &str) -> String {
        let inside = |node: &Node| self.sequence(std::slice::from_ref(node), lifeline);
        match node {
            Node::Event(_) | Node::Seq(_) => inside(node),
            Node::Choice(choice, parts) => {
                let mut text = String::new();
                for (value, part) in parts {
                    let part = inside(part);
                    if part != "SKIP" {
                        let _ = write!(text, "if choice{choice} == {value} then {part} else ");
                    }
                }
                if text.is_empty() { text } else { format!("({text}SKIP)") }
            }
            Node::Break(choice, taken, rest) => {
                let (taken, rest) = (inside(taken), inside(rest));
                match taken == "SKIP" && rest == "SKIP" {
                    true => String::new(),
                    false => format!("(if choice{choice} == 1 then {taken} else {rest})"),
                }
            }
            Node::Par(owner, parts) => {
                if owner.as_ref().is_some_and(|owner| owner != lifeline) {
                    let text = self.sequence(parts, lifeline);
                    return if text == "SKIP" { String::new() } else { format!("({text})") };
                }
                let own: Vec<String> = parts.iter().map(inside).filter(|part| part != "SKIP").collect();
                if own.is_empty() { String::new() } else { format!("({})", own.join(" ||| ")) }
            }
        }
    }

    fn composition(&self, parts: &[Part]) -> String {
        let Words { alphabet: of, part, parts: all, together, .. } = &self.words;
        let arguments = self.arguments();
        let call = if arguments.is_empty() { String::new() } else { format!("({})", &arguments[2..]) };
        if parts.is_empty() {
            return format!("\n-- Nothing happens.\n{together}{call} = SKIP\n");
        }
        let list: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        let mut text = format!("\n-- What runs beside each other.\ndatatype {all} = {}\n", list.join(" | "));
        // The clauses of a function stand together.
        let (mut alphabets, mut processes) = (String::new(), String::new());
        for Part { told, name, alphabet, process } in parts {
            let alphabet: Vec<&str> = alphabet.iter().map(|event| self.written[*event].as_str()).collect();
            let _ = writeln!(alphabets, "{of}({name}) = {{{}}}", alphabet.join(", "));
            let _ = writeln!(processes, "-- {}\n{part}({name}{arguments}) = {process}", comment(told));
        }
        let _ = write!(text, "\n-- What each has a say in.\n{alphabets}\n{processes}");
        let _ = writeln!(
            text,
            "\n-- Everything, once choices are made.\n{together}{call} = || e : {all} @ [{of}(e)] {part}(e{arguments})"
        );
        text
    }

    fn choices(&self) -> Result<String, Unwritten> {
        let Words { whole, together, .. } = &self.words;
        let title = &self.diagram.model.interactions[self.diagram.id].name;
        let mut text = format!("\n-- {}, the whole; choices are made first.\n", comment(title));
        for (number, choice) in self.tree.choices.iter().enumerate() {
            let _ = writeln!(
                text,
                "--   choice{number}: {}, {}",
                choice.word,
                comment(&(self.diagram.at)(choice.place))
            );
        }
        let made = ways(self.tree, self.diagram.fixed)?;
        let inner = match (made, self.tree.choices.is_empty()) {
            (_, true) => together.clone(),
            (Some(ways), false) => {
                let _ = writeln!(text, "--   as guards allow it, {} ways", ways.len());
                let call = |way: &Vec<usize>| {
                    let values: Vec<String> = way.iter().map(usize::to_string).collect();
                    format!("{together}({})", values.join(", "))
                };
                let calls: Vec<String> = ways.iter().map(call).collect();
                if calls.is_empty() { "STOP".to_owned() } else { calls.join("\n  |~| ") }
            }
            (None, false) => {
                let mut inner = String::new();
                for (number, choice) in self.tree.choices.iter().enumerate() {
                    let values: Vec<String> =
                        choice.values.iter().map(|(value, _)| value.to_string()).collect();
                    let set = format!("{{{}}}", values.join(", "));
                    let set = match choice.alive.as_slice() {
                        [] => set,
                        alive => format!("(if {} then {set} else {{0}})", fallen(alive)),
                    };
                    let _ = write!(inner, "|~| choice{number} : {set} @ ");
                }
                let arguments = self.arguments();
                format!("{inner}{together}({})", &arguments[2..])
            }
        };
        if self.renamed.is_empty() {
            let _ = writeln!(text, "{whole} =\n  {inner}");
            return Ok(text);
        }
        let pairs: Vec<String> =
            self.renamed.iter().map(|(inside, outside)| format!("{inside} <- {outside}")).collect();
        let _ = writeln!(text, "{whole} =\n  ({inner})\n  [[ {} ]]", pairs.join(", "));
        Ok(text)
    }
}

/// Events one after the other, if there are some.
fn linked(chain: &mut Vec<&str>) -> Option<String> {
    let text = (!chain.is_empty()).then(|| format!("{} -> SKIP", chain.join(" -> ")));
    chain.clear();
    text
}

fn flatten<'n>(nodes: &'n [Node], flat: &mut Vec<&'n Node>) {
    for node in nodes {
        match node {
            Node::Seq(inner) => flatten(inner, flat),
            Node::Event(_) | Node::Par(..) | Node::Choice(..) | Node::Break(..) => flat.push(node),
        }
    }
}

/// Choices that have fallen so.
fn fallen(alive: &[(usize, usize)]) -> String {
    let each: Vec<String> =
        alive.iter().map(|(choice, value)| format!("choice{choice} == {value}")).collect();
    each.join(" and ")
}
