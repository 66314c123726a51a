//! A sequence diagram as Promela: paper 002's shape.
//!
//! - A lifeline is a process that does what is drawn on it, one thing after the other; a message is a channel of its own.
//! - Guards and choices are global variables, made at set-up, so that all lifelines decide alike; a `break` jumps over the rest.
//! - In a `par` the lifeline does one operand itself, and sub-instances of it do the others; each sends a token when it is
//!   done, and the lifeline waits for all tokens.
//! - With each occurrence, in one `d_step`, flags are set: who does what with which message, and with whom. Formulas speak of
//!   them as in the paper: `proc1_b && receive && msg_p && proc2_a`.
//! - What strict sequencing, critical regions and the like demand is a condition over what has happened; only the occurrences
//!   that they speak of are remembered.
//!
//! It is written from the [tree](sequent_kernel::templates) that the templates of P0 are made from, which knows nothing of
//! Systems: loops are written out, iteration by iteration, so that the choices in each are its own.

mod guard;
mod ltl;
mod never;
mod process;
mod setup;

use std::collections::BTreeMap;
use std::fmt::Write;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::system::EventKind;
use sequent_kernel::templates::{LineId, OccurrenceId, RigidId, Tree, plain};

use super::super::claim::LifelineClaim as Claim;
use super::super::names::Names;
use super::super::rigid::Spelling;
use super::super::unfolded::{Diagram, unfolded};
use super::Unwritten;
use super::lexicon::comment;
use super::names::fresh;
use guard::Guards;

/// A diagram as a model for SPIN, and the texts of its occurrences by number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lifelines {
    /// The model.
    pub text: String,
    /// The texts of the events, by the numbers that are printed.
    pub events: Vec<String>,
    /// For each claim its name in the model, or why it is not there.
    pub claims: Vec<Result<String, String>>,
}

/// How Promela joins propositions.
const SPELLING: Spelling = Spelling { and: " && ", or: " || ", not: "!" };

/// Most channels that SPIN knows, some of which are tokens.
const MOST_CHANNELS: usize = 200;

/// Most processes that SPIN knows, but for some that are always there.
const MOST_PROCESSES: usize = 250;

/// More occurrences than this are not written.
const MOST_EVENTS: usize = 250;

/// Writes a diagram, and what must hold in every run of it.
pub fn lifelines(diagram: &Diagram<'_>, claims: &[Claim]) -> Result<Lifelines, Unwritten> {
    written(diagram, claims, false)
}

/// Writes a diagram so that the verifier prints the complete traces that it comes across, each once.
pub fn recorded(diagram: &Diagram<'_>) -> Result<Lifelines, Unwritten> {
    written(diagram, &[], true)
}

fn written(diagram: &Diagram<'_>, claims: &[Claim], is_recorded: bool) -> Result<Lifelines, Unwritten> {
    let mut assumptions = Assumptions { without_negatives: true, ..plain(diagram.assumptions) };
    // What a claim names is chosen even where nothing in the diagram asks for it.
    assumptions.chosen = claims.iter().flat_map(Claim::names).map(|name| (name, true)).collect();
    let tree = unfolded(diagram, &assumptions, MOST_EVENTS)?;
    let mut names = fresh();
    reserve(&tree, &mut names);
    let lines: IdVec<LineId, String> = tree.lines.iter().map(|name| names.give(name)).collect();
    let words: IdVec<RigidId, String> = tree.rigids.iter().map(|name| names.give(name)).collect();
    let guards = Guards::new(&tree, &lines, &words, assumptions.switches.guarded_first, &mut names);
    let mut author = Author {
        diagram,
        claims,
        is_recorded,
        guards,
        tree: &tree,
        lines,
        words,
        messages: messages(&tree),
        channels: channels(&tree),
        tokens: Vec::new(),
        parts: String::new(),
        started: 0,
        has_beat: false,
        names,
    };
    author.write()
}

/// Names that are written as they are.
fn reserve(tree: &Tree, names: &mut Names) {
    for word in [
        "send", "receive", "proc1", "proc2", "msg", "start", "phase", "finished", "record", "recorded",
        "nothing", "ending", "beat",
    ] {
        names.give(word);
    }
    for (word, count) in [("m", tree.nodes.len()), ("done", tree.occurrences.len())] {
        (0..count).for_each(|number| _ = names.give(&format!("{word}{number}")));
    }
}

/// Numbers for messages: for each name the texts with their numbers.
fn messages(tree: &Tree) -> BTreeMap<String, BTreeMap<String, usize>> {
    let mut found: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for one in tree.occurrences.iter().filter(|one| !one.message.is_empty()) {
        found.entry(one.message.clone()).or_default().insert(one.label.clone(), 0);
    }
    let texts = found.values_mut().flat_map(BTreeMap::values_mut);
    texts.zip(1..).for_each(|(number, next)| *number = next);
    found
}

/// The channels of messages that have both ends.
fn channels(tree: &Tree) -> BTreeMap<OccurrenceId, usize> {
    let mut found = BTreeMap::new();
    let both = tree.nodes.ids().map(|node| tree.ends(node)).filter(|ends| ends.len() == 2);
    for (channel, ends) in both.enumerate() {
        found.extend(ends.into_iter().map(|end| (end, channel)));
    }
    found
}

struct Author<'d> {
    diagram: &'d Diagram<'d>,
    claims: &'d [Claim],
    /// Whether complete traces are printed.
    is_recorded: bool,
    guards: Guards,
    tree: &'d Tree,
    /// Process names of lifelines.
    lines: IdVec<LineId, String>,
    /// Variables of guards and choices.
    words: IdVec<RigidId, String>,
    /// Numbers of messages.
    messages: BTreeMap<String, BTreeMap<String, usize>>,
    /// Channels of messages.
    channels: BTreeMap<OccurrenceId, usize>,
    /// Channels for tokens.
    tokens: Vec<(String, usize)>,
    /// Sub-instances.
    parts: String,
    /// How many of them there are.
    started: usize,
    /// Whether a claim must tell occurrences from each other.
    has_beat: bool,
    names: Names,
}

impl Author<'_> {
    fn write(&mut self) -> Result<Lifelines, Unwritten> {
        let (claims, claimed) = self.claims();
        let mut mains = String::new();
        for line in self.tree.lines.ids() {
            let code = self.node(self.tree.root, line, 1);
            let title = comment(&self.tree.lines[line]);
            let name = &self.lines[line];
            let _ = write!(mains, "\n/* Lifeline {title} */\nproctype {name}() {{\n{code}  finished++\n}}\n");
        }
        if self.tokens.len() + self.channels.len() / 2 > MOST_CHANNELS {
            return Err(Unwritten(format!("SPIN knows no more than {MOST_CHANNELS} channels")));
        }
        if self.lines.len() + self.started > MOST_PROCESSES {
            return Err(Unwritten(format!("SPIN knows no more than {MOST_PROCESSES} processes")));
        }
        let title = self.diagram.title();
        let mut text = format!(
            "/* Sequence diagram {}\n *\n * Its lifelines are processes. Formulas speak of the last occurrence: who did it\n * (proc1_x), send or receive, with which message (msg_m) and whom (proc2_x).\n * `spin -run -noclaim` reports an invalid end state if the lifelines get stuck.\n */\n\n",
            comment(title)
        );
        text += &self.declarations();
        text += &self.guards.text;
        text += &std::mem::take(&mut self.parts);
        text += &mains;
        text += &self.set_up();
        text += &self.ending();
        text += &claimed;
        let events = self.tree.occurrences.iter().map(|one| one.event.clone()).collect();
        Ok(Lifelines { text, events, claims })
    }

    fn declarations(&mut self) -> String {
        let mut text =
            String::from("/* The last occurrence. */\nbool send, receive;\nbyte proc1, proc2, msg;\n");
        for (line, name) in self.lines.enumerate() {
            let number = line.index() + 1;
            let _ = writeln!(
                text,
                "#define proc1_{name} (proc1 == {number})\n#define proc2_{name} (proc2 == {number})"
            );
        }
        for (message, texts) in &self.messages {
            let any: Vec<String> = texts.values().map(|number| format!("msg == {number}")).collect();
            let name = self.names.give(&format!("msg_{message}"));
            let _ = writeln!(text, "#define {name} ({})", any.join(" || "));
        }
        if self.has_beat {
            text += "bool beat; /* changes with every occurrence */\n";
        }
        text += "byte phase; /* 1 once choices are made, 2 at the end, 3 where nothing goes on */\n";
        text += "#define start (phase == 1 && proc1 == 0)\n#define end (phase == 2)\n";
        text += "\n/* Messages on their way. */\n";
        for (end, channel) in &self.channels {
            let one = &self.tree.occurrences[*end];
            if one.kind == EventKind::Send {
                let told = comment(one.kind.unsigned(&one.event));
                let _ = writeln!(text, "chan m{channel} = [1] of {{ bit }}; /* {told} */");
            }
        }
        for (name, size) in &self.tokens {
            let _ = writeln!(text, "chan {name} = [{size}] of {{ bit }};");
        }
        text += "\nbyte finished; /* lifelines that have come to their end */\n";
        if self.is_recorded {
            let _ = writeln!(text, "byte record[{}]; byte recorded;", self.tree.occurrences.len().max(1));
        }
        for event in &self.guards.remembered {
            let told = comment(&self.tree.occurrences[*event].text);
            let _ = writeln!(text, "bool done{}; /* {told} */", event.index());
        }
        for (rigid, name) in self.words.enumerate() {
            let _ = writeln!(text, "bool {name}; /* {} */", comment(&self.tree.rigids[rigid]));
        }
        text + "\n"
    }

    fn ending(&self) -> String {
        let record = match self.is_recorded {
            true => {
                " c_code { int i; printf(\"TRACE\"); for (i = 0; i < now.recorded; i++) printf(\" %d\", now.record[i]); printf(\"\\n\"); };"
            }
            false => "",
        };
        let rest = |phase| {
            format!("d_step {{ send = 0; receive = 0; proc1 = 0; msg = 0; proc2 = 0; phase = {phase} }}")
        };
        format!(
            "\n#define over (phase == 1 && finished == {})\n\n/* Everything is over, or nothing goes on. */\nactive proctype ending() {{\nend_wait:\n  if\n  :: over ->{record} {}\n  :: phase == 1 && !over && timeout -> {}\n  fi;\nend_over:\n  false\n}}\n",
            self.lines.len(),
            rest(2),
            rest(3)
        )
    }
}
