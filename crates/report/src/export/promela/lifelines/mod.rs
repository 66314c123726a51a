//! A sequence diagram as Promela: paper 002's shape.
//!
//! - A lifeline is a process that does what is drawn on it, one thing after the other; messages are names (`mtype`) that travel through
//!   a channel for each [pair of lifelines](channels).
//! - A loop is a `do` with a [count](rounds) in each lifeline.
//! - Guards and choices are global variables, made at set-up, so that all lifelines decide alike; a `break` jumps over the rest.
//! - In a `par` the lifeline does one operand itself, and sub-instances of it do the others; each sends a token when it is
//!   done, and the lifeline waits for all tokens.
//! - With each occurrence, in one `d_step`, flags are set: who does what with which message, and with whom. Formulas speak of
//!   them as in the paper: `proc1_b && receive && msg_p && proc2_a`.
//! - What strict sequencing, critical regions and the like demand is a condition over what has happened; only the occurrences
//!   that they speak of are remembered.
//!
//! It is written from the [tree](sequent_kernel::templates) that the templates of P0 are made from, which knows nothing of
//! Systems. Only loops whose iterations wait for single occurrences of each other are written out, iteration by iteration.

mod channels;
mod guard;
mod ltl;
mod messages;
mod never;
mod process;
mod rounds;
mod setup;

use std::collections::BTreeSet;
use std::fmt::Write;

use sequent_kernel::formula::FormulaNode;
use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::templates::{LineId, NodeId, RigidId, TemplateNodeKind, TemplateTree, plain};

use super::super::claim::LifelineClaim as Claim;
use super::super::names::Identifiers;
use super::super::rigid::PropositionSpelling;
use super::super::unfolded::{UnfoldedDiagram, compacted};
use super::Unwritten;
use super::lexicon::comment;
use super::names::fresh;
use channels::Channels;
use guard::GuardMacros;
use messages::Messages;
use rounds::{LoopCounters, counting};

/// A diagram as a model for SPIN, and the texts of its occurrences by number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PromelaLifelines {
    /// The model.
    pub text: String,
    /// The texts of the events, by the numbers that are printed.
    pub events: Vec<String>,
    /// For each claim its name in the model, or why it is not there.
    pub claims: Vec<Result<String, String>>,
}

/// How Promela joins propositions.
const SPELLING: PropositionSpelling = PropositionSpelling { and: " && ", or: " || ", not: "!" };

/// Most channels that SPIN knows, some of which are tokens.
const MOST_CHANNELS: usize = 200;

/// Most processes that SPIN knows, but for some that are always there.
const MOST_PROCESSES: usize = 250;

/// More occurrences than this are not written.
const MOST_EVENTS: usize = 250;

/// More iterations of loops in each other are not written.
const MOST_COPIES: usize = 10_000;

/// Writes a diagram, and what must hold in every run of it.
pub fn lifelines(diagram: &UnfoldedDiagram<'_>, claims: &[Claim]) -> Result<PromelaLifelines, Unwritten> {
    written(diagram, claims, false)
}

/// Writes a diagram so that the verifier prints the complete traces that it comes across, each once.
pub fn recorded(diagram: &UnfoldedDiagram<'_>) -> Result<PromelaLifelines, Unwritten> {
    written(diagram, &[], true)
}

fn written(
    diagram: &UnfoldedDiagram<'_>,
    claims: &[Claim],
    is_recorded: bool,
) -> Result<PromelaLifelines, Unwritten> {
    let mut assumptions = Assumptions { without_negatives: true, ..plain(diagram.assumptions) };
    // What a claim names is chosen even where nothing in the diagram asks for it.
    assumptions.chosen = claims.iter().flat_map(Claim::names).map(|name| (name, true)).collect();
    let tree = compacted(diagram, &assumptions, MOST_EVENTS)?;
    let mut names = fresh();
    reserve(&tree, &mut names);
    let lines: IdVec<LineId, String> = tree.lines.iter().map(|name| names.give(name)).collect();
    let messages = Messages::new(&tree, &mut names);
    let plain: IdVec<RigidId, String> = tree.rigids.iter().map(|name| names.give(name)).collect();
    let counts = LoopCounters::new(&tree, &mut names);
    if counts.most_copies() > MOST_COPIES {
        return Err(Unwritten(format!("its loops have more than {MOST_COPIES} iterations in all")));
    }
    let words = words(&tree, &plain, &counts);
    let guards = GuardMacros::new(&tree, &lines, &words, assumptions.switches.guarded_first, &mut names);
    let word = |node: NodeId| match tree.nodes[node].kind {
        TemplateNodeKind::Message(Some(end), _) => messages.word(&tree.occurrences[end]).to_owned(),
        TemplateNodeKind::Message(..)
        | TemplateNodeKind::Stop(_)
        | TemplateNodeKind::Meeting(_)
        | TemplateNodeKind::Operand(_)
        | TemplateNodeKind::Fragment(_) => String::new(),
    };
    let channels = Channels::new(&tree, &lines, &word, &mut names);
    let mut author = LifelineWriter {
        diagram,
        claims,
        is_recorded,
        guards,
        tree: &tree,
        lines,
        plain,
        words,
        messages,
        channels,
        counts,
        counting: BTreeSet::new(),
        tokens: Vec::new(),
        parts: String::new(),
        started: 0,
        has_beat: false,
        names,
    };
    author.write()
}

/// Names that are written as they are.
fn reserve(tree: &TemplateTree, names: &mut Identifiers) {
    for word in [
        "send", "receive", "proc1", "proc2", "msg", "start", "phase", "finished", "record", "recorded",
        "nothing", "ending", "beat",
    ] {
        names.give(word);
    }
    (0..tree.occurrences.len()).for_each(|number| _ = names.give(&format!("done{number}")));
}

/// Propositions as they are asked for: by their variables, or by what defines them.
fn words(
    tree: &TemplateTree,
    plain: &IdVec<RigidId, String>,
    counts: &LoopCounters,
) -> IdVec<RigidId, String> {
    let own = counts.words(tree, plain);
    let one = |(rigid, word): (RigidId, &String)| match tree.definitions.get(&rigid) {
        Some(said) if matches!(said.node, FormulaNode::Unary(..)) => {
            format!("({})", SPELLING.rule(tree, &own, said))
        }
        Some(said) => SPELLING.rule(tree, &own, said),
        None => word.clone(),
    };
    own.enumerate().map(one).collect()
}

struct LifelineWriter<'d> {
    diagram: &'d UnfoldedDiagram<'d>,
    claims: &'d [Claim],
    /// Whether complete traces are printed.
    is_recorded: bool,
    guards: GuardMacros,
    tree: &'d TemplateTree,
    /// Process names of lifelines.
    lines: IdVec<LineId, String>,
    /// Variables of guards and choices.
    plain: IdVec<RigidId, String>,
    /// How they are asked for in an iteration.
    words: IdVec<RigidId, String>,
    messages: Messages,
    channels: Channels,
    counts: LoopCounters,
    /// The loops that the process counts that is written now.
    counting: BTreeSet<NodeId>,
    /// Channels for tokens.
    tokens: Vec<(String, usize)>,
    /// Sub-instances.
    parts: String,
    /// How many of them there are.
    started: usize,
    /// Whether a claim must tell occurrences from each other.
    has_beat: bool,
    names: Identifiers,
}

impl LifelineWriter<'_> {
    fn write(&mut self) -> Result<PromelaLifelines, Unwritten> {
        let (claims, claimed) = self.claims();
        let mut mains = String::new();
        for line in self.tree.lines.ids() {
            self.counting.clear();
            let code = self.node(self.tree.root, line, 1);
            let title = comment(&self.tree.lines[line]);
            let (name, counters) = (&self.lines[line], self.counters(self.counting.iter()));
            let _ = write!(
                mains,
                "\n/* Lifeline {title} */\nproctype {name}() {{\n{counters}{code}  finished++\n}}\n"
            );
        }
        if self.tokens.len() + self.channels.count > MOST_CHANNELS {
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
        Ok(PromelaLifelines { text, events, claims })
    }

    fn declarations(&self) -> String {
        let mut text = self.messages.declarations();
        text += "\n/* The last occurrence. */\nbool send, receive;\nbyte proc1, proc2;\nmtype msg;\n";
        for (line, name) in self.lines.enumerate() {
            let number = line.index() + 1;
            let _ = writeln!(
                text,
                "#define proc1_{name} (proc1 == {number})\n#define proc2_{name} (proc2 == {number})"
            );
        }
        if self.has_beat {
            text += "bool beat; /* changes with every occurrence */\n";
        }
        text += "byte phase; /* 1 once choices are made, 2 at the end, 3 where nothing goes on */\n";
        text += "#define start (phase == 1 && proc1 == 0)\n#define end (phase == 2)\n";
        text += "\n/* Messages on their way. */\n";
        text += &self.channels.declarations;
        for (name, size) in &self.tokens {
            let _ = writeln!(text, "chan {name} = [{size}] of {{ bit }};");
        }
        text += "\nbyte finished; /* lifelines that have come to their end */\n";
        if self.is_recorded {
            let times = self.tree.occurrences.ids().map(|one| self.tree.times(one));
            let most = times.fold(0, usize::saturating_add).max(1);
            let _ = writeln!(text, "byte record[{most}]; {} recorded;", counting(most));
        }
        for event in &self.guards.remembered {
            let told = comment(&self.tree.occurrences[*event].text);
            let _ = writeln!(text, "bool done{}; /* {told} */", event.index());
        }
        text += &self.counts.declarations();
        for (rigid, name) in self.plain.enumerate() {
            if self.tree.definitions.contains_key(&rigid) {
                continue;
            }
            let places = self.counts.places(&self.tree.homes[rigid]);
            let _ = writeln!(text, "bool {name}{places}; /* {} */", comment(&self.tree.rigids[rigid]));
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
