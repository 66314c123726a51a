//! A sequence diagram as Promela: paper 002's shape.
//!
//! - A lifeline is a process that does what is drawn on it, one thing after the other; a message is a channel of its own.
//! - Choices are global variables, made at set-up, so that all lifelines decide alike; a `break` jumps over the rest.
//! - In a `par` the lifeline does one operand itself, and sub-instances of it do the others; each sends a token when it is
//!   done, and the lifeline waits for all tokens.
//! - With each occurrence, in one `d_step`, flags are set: who does what with which message, and with whom. Formulas speak of
//!   them as in the paper: `proc1_b && receive && msg_p && proc2_a`.
//! - What strict sequencing and critical regions demand is a condition over what has happened; only the occurrences that
//!   they speak of are remembered.
//!
//! Loops are written out, iteration by iteration, so that the choices in each are its own.

mod setup;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::source::Place;

use super::super::names::Names;
use super::Unwritten;
use super::names::fresh;
use super::system::comment;
use tree::{Action, Node, Tree};

/// A sequence diagram, and what is to be written of it.
#[derive(Clone, Copy)]
pub struct Diagram<'a> {
    /// The model.
    pub model: &'a Model,
    /// The diagram.
    pub id: InteractionId,
    /// Values of propositions that are fixed.
    pub fixed: &'a BTreeMap<String, bool>,
    /// Where something stands, in words: `line 12`.
    pub at: &'a dyn Fn(Place) -> String,
    /// Whether the verifier prints the complete traces that it comes across, each once.
    pub is_recorded: bool,
}

/// A diagram as a model for SPIN, and the texts of its occurrences by number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lifelines {
    /// The model.
    pub text: String,
    /// The texts of the events, by the numbers that are printed.
    pub events: Vec<String>,
}

/// Most channels that SPIN knows, some of which are tokens.
const MOST_CHANNELS: usize = 200;

/// Writes a diagram.
pub fn lifelines(diagram: &Diagram<'_>) -> Result<Lifelines, Unwritten> {
    let fixed: BTreeSet<String> = diagram.fixed.keys().cloned().collect();
    let tree = tree::tree(diagram.model, diagram.id, &fixed)?;
    if tree.channels > MOST_CHANNELS {
        return Err(Unwritten(format!("SPIN knows no more than {MOST_CHANNELS} channels")));
    }
    let mut names = fresh();
    reserve(&tree, &mut names);
    let mut order: Vec<String> = diagram.model.interactions[diagram.id]
        .lifelines
        .iter()
        .map(|lifeline| lifeline.name.clone())
        .collect();
    for event in &tree.events {
        if !order.contains(&event.lifeline) {
            order.push(event.lifeline.clone());
        }
    }
    let lines: BTreeMap<String, String> = order.iter().map(|name| (name.clone(), names.give(name))).collect();
    let words: BTreeMap<String, String> =
        tree.lasting.iter().map(|name| (name.clone(), names.give(name))).collect();
    let mut author = Author {
        diagram,
        tree: &tree,
        numbers: order.iter().cloned().zip(1..).collect(),
        lines,
        words,
        tokens: Vec::new(),
        parts: String::new(),
        names,
    };
    author.write(&order)
}

/// Names that are written as they are.
fn reserve(tree: &Tree, names: &mut Names) {
    for word in
        ["send", "receive", "proc1", "proc2", "msg", "finished", "record", "recorded", "nothing", "ending"]
    {
        names.give(word);
    }
    let counts = [
        ("m", tree.channels),
        ("done", tree.events.len()),
        ("choice", tree.choices.len()),
        ("barrier", tree.barriers.len()),
    ];
    for (word, count) in counts {
        (0..count).for_each(|number| _ = names.give(&format!("{word}{number}")));
    }
}

struct Author<'d> {
    diagram: &'d Diagram<'d>,
    tree: &'d Tree,
    /// Numbers of lifelines, from 1.
    numbers: BTreeMap<String, usize>,
    /// Process names of lifelines.
    lines: BTreeMap<String, String>,
    /// Variables of propositions.
    words: BTreeMap<String, String>,
    /// Channels for tokens.
    tokens: Vec<(String, usize)>,
    /// Sub-instances.
    parts: String,
    names: Names,
}

impl Author<'_> {
    fn write(&mut self, order: &[String]) -> Result<Lifelines, Unwritten> {
        let mut mains = String::new();
        for lifeline in order {
            let code = self.sequence(&self.tree.root, lifeline, 1);
            let name = self.lines[lifeline].clone();
            let _ = write!(
                mains,
                "\n/* Lifeline {} */\nproctype {name}() {{\n{code}  finished++\n}}\n",
                comment(lifeline)
            );
        }
        if self.tokens.len() + self.tree.channels > MOST_CHANNELS {
            return Err(Unwritten(format!("SPIN knows no more than {MOST_CHANNELS} channels")));
        }
        let title = &self.diagram.model.interactions[self.diagram.id].name;
        let mut text = format!(
            "/* Sequence diagram {}\n *\n * Its lifelines are processes. Formulas speak of the last occurrence: who did it\n * (proc1_x), send or receive, with which message (msg_m) and whom (proc2_x).\n * `spin -run` reports an invalid end state if the lifelines get stuck.\n */\n\n",
            comment(title)
        );
        text += &self.declarations(order);
        text += &self.conditions();
        text += &std::mem::take(&mut self.parts);
        text += &mains;
        text += &self.set_up(order);
        text += &self.ending(order.len());
        let events = self.tree.events.iter().map(|event| event.text.clone()).collect();
        Ok(Lifelines { text, events })
    }

    fn declarations(&mut self, order: &[String]) -> String {
        let mut text =
            String::from("/* The last occurrence. */\nbool send, receive;\nbyte proc1, proc2, msg;\n");
        for (number, lifeline) in (1..).zip(order) {
            let name = self.lines[lifeline].clone();
            let _ = writeln!(
                text,
                "#define proc1_{name} (proc1 == {number})\n#define proc2_{name} (proc2 == {number})"
            );
        }
        let messages: Vec<(String, usize)> =
            self.messages().into_iter().map(|(name, number)| (name.to_owned(), number)).collect();
        for (message, number) in messages {
            let name = self.names.give(&format!("msg_{message}"));
            let _ = writeln!(text, "#define {name} (msg == {number})");
        }
        text += "\n/* Messages on their way. */\n";
        for channel in 0..self.tree.channels {
            let told = self.tree.events.iter().find(|event| event.channel == Some(channel));
            let told = told.map(|event| comment(event.text.trim_start_matches('!'))).unwrap_or_default();
            let _ = writeln!(text, "chan m{channel} = [1] of {{ bit }}; /* {told} */");
        }
        for (name, size) in &self.tokens {
            let _ = writeln!(text, "chan {name} = [{size}] of {{ bit }};");
        }
        text += "\nbyte finished; /* lifelines that have come to their end */\n";
        if self.diagram.is_recorded {
            let _ = writeln!(text, "byte record[{}]; byte recorded;", self.tree.events.len().max(1));
        }
        for event in self.remembered() {
            let _ = writeln!(text, "bool done{event}; /* {} */", comment(&self.tree.events[event].text));
        }
        for (number, choice) in self.tree.choices.iter().enumerate() {
            let place = comment(&(self.diagram.at)(choice.place));
            let _ = writeln!(text, "byte choice{number}; /* {}, {place} */", choice.word);
        }
        for (word, name) in &self.words {
            let _ = writeln!(text, "bool {name}; /* {} */", comment(word));
        }
        text
    }

    /// The message names with their numbers.
    fn messages(&self) -> BTreeMap<&str, usize> {
        let names: BTreeSet<&str> = self.tree.events.iter().map(|event| event.message.as_str()).collect();
        names.into_iter().filter(|name| !name.is_empty()).zip(1..).collect()
    }

    /// Occurrences that conditions speak of.
    fn remembered(&self) -> BTreeSet<usize> {
        self.tree.barriers.iter().chain(&self.tree.criticals).flatten().copied().collect()
    }

    /// What has happened, or never will.
    fn over(&self, event: usize) -> String {
        let alive = &self.tree.events[event].alive;
        match alive.as_slice() {
            [] => format!("done{event}"),
            alive => format!("(done{event} || !({}))", fallen(alive)),
        }
    }

    /// Barriers and critical regions as conditions.
    fn conditions(&self) -> String {
        let mut text = String::from("\n");
        for (number, events) in self.tree.barriers.iter().enumerate() {
            let all: Vec<String> = events.iter().map(|event| self.over(*event)).collect();
            let all = if all.is_empty() { "true".to_owned() } else { all.join(" && ") };
            let _ = writeln!(text, "/* All before is over. */\n#define barrier{number} ({all})");
        }
        for (number, events) in self.tree.criticals.iter().enumerate() {
            for lifeline in self.lines.keys() {
                let own: Vec<usize> = events
                    .iter()
                    .copied()
                    .filter(|event| self.tree.events[*event].lifeline == *lifeline)
                    .collect();
                if own.is_empty() {
                    continue;
                }
                let begun: Vec<String> = own.iter().map(|event| format!("done{event}")).collect();
                let over: Vec<String> = own.iter().map(|event| self.over(*event)).collect();
                let _ = writeln!(
                    text,
                    "/* Critical: {} is inside. */\n#define critical{number}_{} (({}) && !({}))",
                    comment(lifeline),
                    self.lines[lifeline],
                    begun.join(" || "),
                    over.join(" && ")
                );
            }
        }
        text
    }

    fn sequence(&mut self, nodes: &[Node], lifeline: &str, depth: usize) -> String {
        nodes.iter().map(|node| self.node(node, lifeline, depth)).collect()
    }

    /// What a lifeline does in a piece; empty if nothing.
    fn node(&mut self, node: &Node, lifeline: &str, depth: usize) -> String {
        let indent = "  ".repeat(depth);
        match node {
            Node::Event(event) => self.event(*event, lifeline, &indent),
            Node::Seq(nodes) => self.sequence(nodes, lifeline, depth),
            Node::Choice(choice, parts) => {
                let mut ways = String::new();
                for (value, part) in parts {
                    let code = self.node(part, lifeline, depth + 1);
                    if !code.is_empty() {
                        let _ = write!(ways, "{indent}:: choice{choice} == {value} ->\n{code}");
                    }
                }
                match ways.is_empty() {
                    true => ways,
                    false => format!("{indent}if\n{ways}{indent}:: else\n{indent}fi;\n"),
                }
            }
            Node::Break(choice, taken, rest) => {
                let taken = self.node(taken, lifeline, depth + 1);
                let rest = self.node(rest, lifeline, depth);
                if taken.is_empty() && rest.is_empty() {
                    return String::new();
                }
                let label = self.names.give(&format!("after_break{choice}"));
                format!(
                    "{indent}if\n{indent}:: choice{choice} == 1 ->\n{taken}{indent}  goto {label}\n{indent}:: else\n{indent}fi;\n{rest}{label}:\n{indent}skip;\n"
                )
            }
            Node::Par(fork, owner, parts) => self.fork(*fork, owner.as_deref(), parts, lifeline, depth),
        }
    }

    fn event(&self, number: usize, lifeline: &str, indent: &str) -> String {
        let event = &self.tree.events[number];
        if event.lifeline != lifeline {
            return String::new();
        }
        let mut guard: Vec<String> = event.waits.iter().map(|barrier| format!("barrier{barrier}")).collect();
        for (region, events) in self.tree.criticals.iter().enumerate() {
            let is_here = events.iter().any(|other| self.tree.events[*other].lifeline == lifeline);
            if is_here && !events.contains(&number) {
                guard.push(format!("!critical{region}_{}", self.lines[lifeline]));
            }
        }
        let mut steps = Vec::new();
        match (event.action, event.channel) {
            (Action::Send, Some(channel)) => steps.push(format!("m{channel}!1")),
            (Action::Receive, Some(channel)) => {
                guard.push(format!("nempty(m{channel})"));
                steps.push(format!("m{channel}?1"));
            }
            (Action::Send | Action::Receive | Action::End, _) => {}
        }
        let position = |name: &str| self.numbers.get(name).copied().unwrap_or(0);
        let messages = self.messages();
        steps.push(format!("send = {}", u8::from(event.action == Action::Send)));
        steps.push(format!("receive = {}", u8::from(event.action == Action::Receive)));
        steps.push(format!("proc1 = {}", position(lifeline)));
        steps.push(format!("msg = {}", messages.get(event.message.as_str()).copied().unwrap_or(0)));
        steps.push(format!("proc2 = {}", event.partner.as_deref().map_or(0, position)));
        if self.remembered().contains(&number) {
            steps.push(format!("done{number} = 1"));
        }
        if self.diagram.is_recorded {
            steps.push(format!("record[recorded] = {number}; recorded++"));
        }
        let guard = if guard.is_empty() { "true".to_owned() } else { guard.join(" && ") };
        format!("{indent}d_step {{ {guard} -> {} }}; /* {} */\n", steps.join("; "), comment(&event.text))
    }

    /// Pieces beside each other: one is done here, the others by sub-instances.
    fn fork(
        &mut self,
        fork: usize,
        owner: Option<&str>,
        parts: &[Node],
        lifeline: &str,
        depth: usize,
    ) -> String {
        if owner.is_some_and(|owner| owner != lifeline) {
            return self.sequence(parts, lifeline, depth);
        }
        let mut own: Vec<&Node> = Vec::new();
        for part in parts {
            if touches(self.tree, part, lifeline) {
                own.push(part);
            }
        }
        let Some((first, others)) = own.split_first() else { return String::new() };
        let indent = "  ".repeat(depth);
        let here = self.node(first, lifeline, depth);
        if others.is_empty() {
            return here;
        }
        let line = self.lines[lifeline].clone();
        let token = self.names.give(&format!("token{fork}_{line}"));
        let mut runs = Vec::new();
        for (number, part) in (2..).zip(others) {
            let code = self.node(part, lifeline, 1);
            let name = self.names.give(&format!("{line}_par{fork}_{number}"));
            let _ = write!(
                self.parts,
                "\n/* Lifeline {}: part {number} of what is beside each other */\nproctype {name}() {{\n{code}  {token}!1\n}}\n",
                comment(lifeline)
            );
            runs.push(format!("run {name}()"));
        }
        self.tokens.push((token.clone(), others.len()));
        let waits: String = others.iter().map(|_| format!("{indent}{token}?1;\n")).collect();
        format!("{indent}atomic {{ {} }};\n{here}{waits}", runs.join("; "))
    }

    fn ending(&self, lifelines: usize) -> String {
        let record = match self.diagram.is_recorded {
            true => {
                " c_code { int i; printf(\"TRACE\"); for (i = 0; i < now.recorded; i++) printf(\" %d\", now.record[i]); printf(\"\\n\"); }"
            }
            false => "",
        };
        format!(
            "\n#define over (finished == {lifelines})\n\n/* Everything is over. */\nactive proctype ending() {{\nend_wait:\n  over ->{record}\nend_over:\n  false\n}}\n"
        )
    }
}

/// Choices that have fallen so.
fn fallen(alive: &[(usize, usize)]) -> String {
    let each: Vec<String> =
        alive.iter().map(|(choice, value)| format!("choice{choice} == {value}")).collect();
    each.join(" && ")
}

/// Whether something happens on a lifeline in a piece.
fn touches(tree: &Tree, node: &Node, lifeline: &str) -> bool {
    match node {
        Node::Event(event) => tree.events[*event].lifeline == lifeline,
        Node::Seq(nodes) | Node::Par(_, _, nodes) => nodes.iter().any(|node| touches(tree, node, lifeline)),
        Node::Choice(_, parts) => parts.iter().any(|(_, node)| touches(tree, node, lifeline)),
        Node::Break(_, taken, rest) => touches(tree, taken, lifeline) || touches(tree, rest, lifeline),
    }
}
