//! Claims: what is asked about a System, as a never claim or as what SPIN looks for by itself.
//!
//! An observer that was [written out](ObserverTable) becomes a never claim. After each step SPIN lets the claim take one too, in
//! which it reads what the step showed: `event` has its number. Where a run is over the variable `over` says how, and the
//! claim fails its assertion if the observer accepts that. Runs that go on forever are accepted if the
//! observer's marks are met in turn again and again: each state of the claim waits for one of them, and the one that has met
//! the last is an `accept` state.

use std::collections::BTreeSet;
use std::fmt::Write;

use sequent_kernel::property::table::ObserverTable;
use sequent_kernel::system::{EventId, Step, System, TermId, TermNode};

use super::super::names::Identifiers;
use super::super::question::{Unwritten, WantedGoal};
use super::author::{ObserverStateWriter, To};
use super::lexicon::comment;
use super::terms::PromelaTermWriter;

/// A question, and what the steps of the system must do for it.
pub(crate) struct PromelaClaim {
    /// What is asked, in words.
    pub question: Vec<String>,
    /// Variables and names that it needs.
    pub declarations: String,
    /// What every step waits for.
    pub always: Vec<String>,
    /// For each step what is done before and after its updates.
    pub shown: Vec<(Vec<String>, Vec<String>)>,
    /// The process that ends runs.
    pub ending: String,
    /// The claim.
    pub never: String,
    /// Whether cycles are looked for.
    pub seeks_cycles: bool,
}

impl PromelaClaim {
    /// Writes a question about a system whose steps are known.
    pub(crate) fn new(
        writer: &PromelaTermWriter<'_>,
        steps: &[Step],
        wanted: &WantedGoal<'_>,
        names: &mut Identifiers,
    ) -> Result<PromelaClaim, Unwritten> {
        match wanted {
            WantedGoal::Stuck => Ok(stuck(writer, steps, priority(writer.system))),
            WantedGoal::Goal(goal) => Ok(PromelaClaim::reached(writer, steps, *goal, None)),
            WantedGoal::Observed(table) => observed(writer, steps, table, names, priority(writer.system)),
        }
    }

    /// Asks whether a goal is reached, in a state in which a condition holds if there is one.
    pub(crate) fn reached(
        writer: &PromelaTermWriter<'_>,
        steps: &[Step],
        goal: TermId,
        counts: Option<&str>,
    ) -> PromelaClaim {
        let mut claim = stuck(writer, steps, priority(writer.system));
        let alive = (!claim.always.is_empty()).then_some("!dead");
        let also: String = alive.into_iter().chain(counts).map(|one| format!(" && {one}")).collect();
        claim.question =
            vec!["Is the goal ever reached? SPIN reports that the claim ends if it is.".to_owned()];
        let _ = writeln!(claim.declarations, "#define goal ({}{also})", writer.term(goal));
        claim.never = "\nnever {\n  do\n  :: goal -> break\n  :: else\n  od\n}\n".to_owned();
        claim
    }
}

/// What is decided at once goes before everything else.
fn priority(system: &System) -> &'static str {
    if system.rules.iter().any(|rule| rule.urgent) { " priority 1" } else { "" }
}

/// `#define`s for predicates of the system; and what every step waits for.
fn contradiction(writer: &PromelaTermWriter<'_>, all: &[TermId]) -> (String, Vec<String>) {
    let dead: Vec<&str> =
        all.iter().filter(|term| !writer.system.is_never(**term)).map(|term| writer.term(*term)).collect();
    match dead.as_slice() {
        [] => (String::new(), Vec::new()),
        dead => (
            format!("/* Runs that have come here do not count. */\n#define dead ({})\n", dead.join(" || ")),
            vec!["!dead".to_owned()],
        ),
    }
}

/// Whether a run may end. SPIN takes no loop whose condition it sees to be always true, so there is always a process.
pub(super) fn complete<'w>(writer: &'w PromelaTermWriter<'_>) -> &'w str {
    let is_always = *writer.system.terms.node(writer.system.complete) == TermNode::Constant(1);
    if is_always { "(_nr_pr > 0)" } else { writer.term(writer.system.complete) }
}

fn stuck(writer: &PromelaTermWriter<'_>, steps: &[Step], priority: &str) -> PromelaClaim {
    let (mut declarations, always) = contradiction(writer, &[writer.system.void]);
    let _ = writeln!(declarations, "#define complete {}", complete(writer));
    let may_rest = if always.is_empty() { "complete" } else { "complete || dead" };
    let ending = format!(
        "\n/* Where a run may end nothing needs to happen any more. */\nactive proctype ending(){priority} {{\n  do\n  :: {may_rest}\n  od\n}}\n"
    );
    let question = "Does it get stuck? `spin -run` reports an invalid end state if it does.".to_owned();
    PromelaClaim {
        question: vec![question],
        declarations,
        always,
        shown: steps.iter().map(|_| (Vec::new(), Vec::new())).collect(),
        ending,
        never: String::new(),
        seeks_cycles: false,
    }
}

fn observed(
    writer: &PromelaTermWriter<'_>,
    steps: &[Step],
    table: &ObserverTable,
    names: &mut Identifiers,
    priority: &str,
) -> Result<PromelaClaim, Unwritten> {
    let system = writer.system;
    let mut author = ObserverStateWriter::new(writer, steps, table)?;
    let (mut declarations, mut always) =
        contradiction(writer, &[system.void, system.invalid, system.inconclusive]);
    let has_dead = !always.is_empty();
    let _ = writeln!(declarations, "#define complete {}", complete(writer));
    declarations += &events(system, &author.shows, names);
    declarations += "short event; /* what the last step showed; 0 if nothing */\n";
    declarations +=
        "byte over; /* 1 once the run has ended, 2 once it is stuck, 3 once it does not count */\n";
    always.push("!over".to_owned());
    let change = ObservedChange::new(writer, table, author.silent());
    declarations += &change.declarations();
    let shown = author.numbers.iter().map(|number| match (number, table.counts_steps) {
        (0, true) => (Vec::new(), vec![format!("event = {}", author.silent())]),
        (0, false) if !change.is_never() => {
            let after = [format!("event = {}", change.number())].into_iter().chain(change.after());
            (change.before(), after.collect())
        }
        (number, _) => (Vec::new(), vec![format!("event = {number}")]),
    });
    let shown = shown.collect();
    let ending = ending(writer, author.is_free, has_dead, priority);
    let (never, seeks_cycles) = never(&mut author)?;
    let how = if seeks_cycles { "`spin -run -a`" } else { "`spin -run`" };
    let question = vec![
        "The claim accepts the runs that are looked for.".to_owned(),
        format!("{how} reports one if there is any."),
    ];
    Ok(PromelaClaim { question, declarations, always, shown, ending, never, seeks_cycles })
}

/// Names for the numbers of what steps show.
pub(super) fn events(system: &System, shows: &[Vec<EventId>], names: &mut Identifiers) -> String {
    let mut text = String::new();
    for (number, list) in shows.iter().enumerate().skip(1) {
        let texts: Vec<&str> = list.iter().map(|event| system.events[*event].text.as_str()).collect();
        let name = names.give(&texts.join(" "));
        let _ = writeln!(text, "#define {name} {number} /* {} */", comment(&texts.join(" ")));
    }
    text
}

/// Whether a step that shows nothing changes something that an observer looks at.
pub(super) struct ObservedChange {
    watched: Vec<String>,
    silent: usize,
}

impl ObservedChange {
    /// What an observer looks at; `silent` is the number of a step that changes it.
    pub(crate) fn new(writer: &PromelaTermWriter<'_>, table: &ObserverTable, silent: usize) -> Self {
        ObservedChange {
            watched: table.watched.iter().map(|term| writer.term(*term).to_owned()).collect(),
            silent,
        }
    }

    /// Whether there is nothing.
    pub(crate) fn is_never(&self) -> bool {
        self.watched.is_empty()
    }

    /// Variables that are needed.
    pub(crate) fn declarations(&self) -> String {
        (0..self.watched.len()).map(|at| format!("bool was_{at}; /* 0 but within a step */\n")).collect()
    }

    /// What is done before a step.
    pub(crate) fn before(&self) -> Vec<String> {
        self.watched.iter().enumerate().map(|(at, term)| format!("was_{at} = {term}")).collect()
    }

    /// The number that a step has after it.
    pub(crate) fn number(&self) -> String {
        let changed = self.watched.iter().enumerate().map(|(at, term)| format!("was_{at} != {term}"));
        format!("({} -> {} : 0)", changed.collect::<Vec<_>>().join(" || "), self.silent)
    }

    /// What is done once that is known.
    pub(crate) fn after(&self) -> Vec<String> {
        (0..self.watched.len()).map(|at| format!("was_{at} = 0")).collect()
    }
}

/// The process that ends runs. It leaves no state without a step until `over` is set: SPIN lets the claim go
/// on where no process does, and it would read the last step again and again.
fn ending(writer: &PromelaTermWriter<'_>, is_free: bool, has_dead: bool, priority: &str) -> String {
    let system = writer.system;
    let mut broken = Vec::new();
    if has_dead {
        broken.push("dead".to_owned());
    }
    if is_free && !system.is_never(system.strained) {
        broken.push(format!("({})", writer.term(system.strained)));
    }
    let unbroken: String = broken.iter().map(|term| format!(" && !{term}")).collect();
    // In a free system a run ends only where no step is possible.
    let at_end = if is_free { "timeout && " } else { "" };
    let mut ways = vec![
        format!("!over && {at_end}complete{unbroken} -> over = 1; event = 0"),
        format!("!over && timeout && !complete{unbroken} -> over = 2; event = 0"),
    ];
    if !broken.is_empty() {
        ways.push(format!("!over && timeout && ({}) -> over = 3; event = 0", broken.join(" || ")));
    }
    let ways: String = ways.iter().map(|way| format!("  :: d_step {{ {way} }}\n")).collect();
    format!(
        "\n/* Runs end here: properly, because nothing goes on, or where they do not count any more. */\nactive proctype ending(){priority} {{\n  do\n{ways}  od\n}}\n"
    )
}

/// A way of the claim. One that accepts does so in the same step: after it there may be none.
fn way(author: &ObserverStateWriter<'_>, when: &str, to: To) -> String {
    match to {
        To::Accepted => format!("atomic {{ {when} -> assert(false) }}"),
        To::Place(place) => format!("{when} -> goto {}", author.label(place)),
    }
}

/// The claim, and whether some state of it is to be passed again and again.
fn never(author: &mut ObserverStateWriter<'_>) -> Result<(String, bool), Unwritten> {
    let mut text = String::from("\nnever {\n  /* The start. */\n  if\n");
    let first = author.first();
    for to in &first {
        let _ = writeln!(text, "  :: {}", way(author, "true", *to));
    }
    if first.is_empty() {
        text += "  :: false\n";
    }
    text += "  fi;\n";
    let mut unread = BTreeSet::new();
    let mut is_repeated = false;
    while let Some(sketch) = author.next() {
        let memory = sketch.place.0;
        is_repeated |= author.is_accepting(sketch.place) || !sketch.unread.is_empty();
        let mut ways: Vec<String> = Vec::new();
        ways.extend(sketch.ends.iter().map(|when| way(author, when, To::Accepted)));
        ways.extend(sketch.unread.iter().map(|when| format!("{when} -> goto accept_unread_{memory}")));
        unread.extend((!sketch.unread.is_empty()).then_some(memory));
        ways.extend(sketch.stays.iter().chain(&sketch.reads).map(|(when, to)| way(author, when, *to)));
        let ways: String = ways.iter().map(|way| format!("  :: {way}\n")).collect();
        let _ = writeln!(text, "{}:\n  if\n{ways}  fi;", author.label(sketch.place));
        if text.len() > LONGEST {
            return Err(too_long());
        }
    }
    for memory in unread {
        let ways: String = author.unread(memory).iter().map(|way| format!("  :: {way}\n")).collect();
        let _ = writeln!(text, "accept_unread_{memory}: /* nothing more is seen */\n  do\n{ways}  od;");
    }
    Ok((text + "}\n", is_repeated))
}

/// Longer claims are not written.
pub(super) const LONGEST: usize = 20_000_000;

/// Why a claim is not written.
pub(super) fn too_long() -> Unwritten {
    Unwritten("the question is too long for SPIN once it is written out".to_owned())
}
