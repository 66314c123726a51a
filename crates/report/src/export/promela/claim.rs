//! Claims: what is asked about a System, as a never claim or as what SPIN looks for by itself.
//!
//! An observer that was [written out](Table) becomes a never claim. After each step SPIN lets the claim take one too, in
//! which it reads what the step showed: `event` has its number. Where a run is over the variable `over` says how, and the
//! claim fails its assertion if the observer accepts that. Runs that go on forever are accepted if the
//! observer's marks are met in turn again and again: each state of the claim waits for one of them, and the one that has met
//! the last is an `accept` state.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;

use sequent_kernel::property::Marks;
use sequent_kernel::property::table::{Branch, Conditions, Memory, Table};
use sequent_kernel::system::{EventId, Node, Step, TermId};

use super::super::names::Names;
use super::super::question::{Unwritten, Wanted, is_never, shows};
use super::system::comment;
use super::terms::Writer;

/// A question, and what the steps of the system must do for it.
pub struct Claim {
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

impl Claim {
    /// Writes a question about a system whose steps are known.
    pub fn new(
        writer: &Writer<'_>,
        steps: &[Step],
        wanted: &Wanted<'_>,
        names: &mut Names,
    ) -> Result<Claim, Unwritten> {
        let priority = match writer.system.rules.iter().any(|rule| rule.urgent) {
            true => " priority 1",
            false => "",
        };
        match wanted {
            Wanted::Stuck => Ok(stuck(writer, steps, priority)),
            Wanted::Goal(goal) => Ok(reached(writer, steps, *goal, priority)),
            Wanted::Observed(table) => observed(writer, steps, table, names, priority),
        }
    }
}

/// `#define`s for predicates of the system; and what every step waits for.
fn contradiction(writer: &Writer<'_>, all: &[TermId]) -> (String, Vec<String>) {
    let dead: Vec<&str> =
        all.iter().filter(|term| !is_never(writer.system, **term)).map(|term| writer.term(*term)).collect();
    match dead.as_slice() {
        [] => (String::new(), Vec::new()),
        dead => (
            format!("/* Runs that have come here do not count. */\n#define dead ({})\n", dead.join(" || ")),
            vec!["!dead".to_owned()],
        ),
    }
}

/// Whether a run may end. SPIN takes no loop whose condition it sees to be always true, so there is always a process.
fn complete<'w>(writer: &'w Writer<'_>) -> &'w str {
    let is_always = *writer.system.terms.node(writer.system.complete) == Node::Constant(1);
    if is_always { "(_nr_pr > 0)" } else { writer.term(writer.system.complete) }
}

fn stuck(writer: &Writer<'_>, steps: &[Step], priority: &str) -> Claim {
    let (mut declarations, always) = contradiction(writer, &[writer.system.void]);
    let _ = writeln!(declarations, "#define complete {}", complete(writer));
    let may_rest = if always.is_empty() { "complete" } else { "complete || dead" };
    let ending = format!(
        "\n/* Where a run may end nothing needs to happen any more. */\nactive proctype ending(){priority} {{\n  do\n  :: {may_rest}\n  od\n}}\n"
    );
    let question = "Does it get stuck? `spin -run` reports an invalid end state if it does.".to_owned();
    Claim {
        question: vec![question],
        declarations,
        always,
        shown: steps.iter().map(|_| (Vec::new(), Vec::new())).collect(),
        ending,
        never: String::new(),
        seeks_cycles: false,
    }
}

fn reached(writer: &Writer<'_>, steps: &[Step], goal: TermId, priority: &str) -> Claim {
    let mut claim = stuck(writer, steps, priority);
    let alive = if claim.always.is_empty() { "" } else { " && !dead" };
    claim.question = vec!["Is the goal ever reached? SPIN reports that the claim ends if it is.".to_owned()];
    let _ = writeln!(claim.declarations, "#define goal ({}{alive})", writer.term(goal));
    claim.never = "\nnever {\n  do\n  :: goal -> break\n  :: else\n  od\n}\n".to_owned();
    claim
}

/// What must be met again and again.
#[derive(Clone, Copy)]
enum Need {
    Mark(u32),
    Rest(TermId),
    Position,
}

/// A state of the claim: what the observer remembers, and the number of the need that is waited for; the last number says that
/// all were met.
type Place = (Memory, usize);

struct Author<'c> {
    writer: &'c Writer<'c>,
    table: &'c Table,
    /// The different lists of events that steps show, the first of which is empty.
    shows: Vec<Vec<EventId>>,
    needs: Vec<Need>,
    /// Whether everything goes on that is not stuck.
    is_free: bool,
    /// Whether a run may go on unseen.
    is_unseen: bool,
    text: String,
    open: VecDeque<Place>,
    known: BTreeSet<Place>,
    unread: BTreeSet<Memory>,
}

fn observed(
    writer: &Writer<'_>,
    steps: &[Step],
    table: &Table,
    names: &mut Names,
    priority: &str,
) -> Result<Claim, Unwritten> {
    let system = writer.system;
    let is_free = system.is_free();
    let endless = system.endless.as_ref();
    if endless.is_some_and(|endless| !endless.owed.is_empty()) {
        return Err(Unwritten("its loops without bound owe more than a claim for SPIN can say".to_owned()));
    }
    let rests = endless.map(|endless| endless.rests.clone()).unwrap_or_default();
    let is_unseen = endless.is_some_and(|endless| !endless.is_seen);
    if is_unseen && !rests.is_empty() {
        return Err(Unwritten("it may go on forever unseen, but must come to rest".to_owned()));
    }
    let (shows, numbers) = shows(system, steps);
    let mut needs: Vec<Need> =
        (0..table.marks).map(Need::Mark).chain(rests.into_iter().map(Need::Rest)).collect();
    if table.marks == 0 {
        needs.push(Need::Position);
    }
    // Where what is accepted is seen at once nobody looks for cycles but those in which nothing is read.
    if endless.is_none() || table.is_safety && is_free {
        needs.clear();
    }
    let (mut declarations, mut always) =
        contradiction(writer, &[system.void, system.invalid, system.inconclusive]);
    let has_dead = !always.is_empty();
    let _ = writeln!(declarations, "#define complete {}", complete(writer));
    let silent = shows.len();
    for (number, list) in shows.iter().enumerate().skip(1) {
        let texts: Vec<&str> = list.iter().map(|event| system.events[*event].text.as_str()).collect();
        let name = names.give(&texts.join(" "));
        let _ = writeln!(declarations, "#define {name} {number} /* {} */", comment(&texts.join(" ")));
    }
    declarations += "short event; /* what the last step showed; 0 if nothing */\n";
    declarations +=
        "byte over; /* 1 once the run has ended, 2 once it is stuck, 3 once it does not count */\n";
    always.push("!over".to_owned());
    let watched: Vec<&str> = table.watched.iter().map(|term| writer.term(*term)).collect();
    declarations += &(0..watched.len())
        .map(|at| format!("bool was_{at}; /* 0 but within a step */\n"))
        .collect::<String>();
    let shown = numbers.iter().map(|number| match (number, table.counts_steps, watched.is_empty()) {
        (0, true, _) => (Vec::new(), vec![format!("event = {silent}")]),
        (0, false, false) => {
            let before = watched.iter().enumerate().map(|(at, term)| format!("was_{at} = {term}")).collect();
            let changed: Vec<String> =
                watched.iter().enumerate().map(|(at, term)| format!("was_{at} != {term}")).collect();
            let mut after = vec![format!("event = ({} -> {silent} : 0)", changed.join(" || "))];
            after.extend((0..watched.len()).map(|at| format!("was_{at} = 0")));
            (before, after)
        }
        (number, _, _) => (Vec::new(), vec![format!("event = {number}")]),
    });
    let shown = shown.collect();
    let ending = ending(writer, is_free, has_dead, priority);
    let mut author = Author {
        writer,
        table,
        shows,
        needs,
        is_free,
        is_unseen,
        text: String::new(),
        open: VecDeque::new(),
        known: BTreeSet::new(),
        unread: BTreeSet::new(),
    };
    let never = author.claim()?;
    let seeks_cycles = never.contains("accept");
    let how = if seeks_cycles { "`spin -run -a`" } else { "`spin -run`" };
    let question = vec![
        "The claim accepts the runs that are looked for.".to_owned(),
        format!("{how} reports one if there is any."),
    ];
    Ok(Claim { question, declarations, always, shown, ending, never, seeks_cycles })
}

/// The process that ends runs, in so many words. It leaves no state without a step until `over` is set: SPIN lets the claim go on
/// where nothing else does, and it would read the last step again and again.
fn ending(writer: &Writer<'_>, is_free: bool, has_dead: bool, priority: &str) -> String {
    let system = writer.system;
    let mut broken = Vec::new();
    if has_dead {
        broken.push("dead".to_owned());
    }
    if is_free && !is_never(system, system.strained) {
        broken.push(format!("({})", writer.term(system.strained)));
    }
    let unbroken: String = broken.iter().map(|term| format!(" && !{term}")).collect();
    // A run that may go on as it likes does.
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

/// What the claim does once the run is one that is looked for.
const ACCEPTED: &str = "assert(false)";

/// A way of the claim. One that accepts does so in the same step: after it there may be none.
fn way(when: &str, to: &str) -> String {
    match to == ACCEPTED {
        true => format!("atomic {{ {when} -> {to} }}"),
        false => format!("{when} -> {to}"),
    }
}

impl Author<'_> {
    fn claim(&mut self) -> Result<String, Unwritten> {
        /// Longer claims are not written.
        const LONGEST: usize = 20_000_000;
        let mut first = String::from("\nnever {\n  /* The start. */\n  if\n");
        for memory in self.table.first.clone() {
            let to = self.goto((memory, 0));
            let _ = writeln!(first, "  :: {}", way("true", &to));
        }
        if self.table.first.is_empty() {
            first += "  :: false\n";
        }
        first += "  fi;\n";
        while let Some(place) = self.open.pop_front() {
            self.state(place);
            if self.text.len() > LONGEST {
                return Err(Unwritten("the question is too long for SPIN once it is written out".to_owned()));
            }
        }
        for memory in std::mem::take(&mut self.unread) {
            let stays = self.unread_ways(memory);
            let ways: String = stays.iter().map(|way| format!("  :: {way}\n")).collect();
            let _ =
                writeln!(self.text, "accept_unread_{memory}: /* nothing more is seen */\n  do\n{ways}  od;");
        }
        Ok(format!("{first}{}}}\n", self.text))
    }

    /// How to go on in a state.
    fn goto(&mut self, place: Place) -> String {
        if self.table.accepts_all[place.0 as usize] && self.is_free {
            return ACCEPTED.to_owned();
        }
        if self.known.insert(place) {
            self.open.push_back(place);
        }
        format!("goto {}", self.label(place))
    }

    fn label(&self, (memory, met): Place) -> String {
        match met == self.needs.len() && met > 0 {
            true => format!("accept_m{memory}"),
            false => format!("m{memory}_{met}"),
        }
    }

    fn state(&mut self, place: Place) {
        let (memory, met) = place;
        let row = memory as usize;
        let met = if met == self.needs.len() { 0 } else { met };
        let mut ways: Vec<String> = Vec::new();
        for (kind, ends) in (1..).zip(&self.table.ends[row]) {
            let over = |conditions| way(&format!("over == {kind}{}", self.and(conditions)), ACCEPTED);
            ways.extend(ends.iter().map(over));
        }
        if self.is_unseen && !self.table.ends[row][1].is_empty() {
            self.unread.insert(memory);
            let begins = self.unread_ways(memory);
            ways.extend(begins.iter().map(|way| format!("{way} -> goto accept_unread_{memory}")));
        }
        // Steps that show nothing leave the observer as it is.
        let stays = self.arrive("event == 0 && !over", memory, 0, met, false);
        ways.extend(stays);
        for (events, branches) in self.readings(row) {
            for branch in branches {
                let when = format!("{events}{}", self.and(&branch.conditions));
                for (to, marks) in &branch.ways {
                    ways.extend(self.arrive(&when, *to, *marks, met, true));
                }
            }
        }
        let _ = writeln!(self.text, "{}:\n  if", self.label(place));
        for way in ways {
            let _ = writeln!(self.text, "  :: {way}");
        }
        self.text += "  fi;\n";
    }

    /// The ways in which nothing more is seen and the observer accepts that.
    fn unread_ways(&self, memory: Memory) -> Vec<String> {
        let ends = &self.table.ends[memory as usize][1];
        ends.iter().map(|conditions| format!("event == 0 && !over{}", self.and(conditions))).collect()
    }

    /// Goes on to what is remembered, with the need that is waited for then.
    fn arrive(&mut self, when: &str, to: Memory, marks: Marks, met: usize, is_read: bool) -> Vec<String> {
        let is_met = match self.needs.get(met) {
            Some(Need::Mark(bit)) => marks >> bit & 1 == 1,
            Some(Need::Position) => is_read,
            Some(Need::Rest(term)) => {
                let text = self.writer.term(*term).to_owned();
                let [yes, no] = [met + 1, met].map(|met| self.goto((to, met)));
                return vec![
                    way(&format!("{when} && {text}"), &yes),
                    way(&format!("{when} && !({text})"), &no),
                ];
            }
            None => false,
        };
        let next = self.goto((to, met + usize::from(is_met)));
        vec![way(when, &next)]
    }

    /// Values of predicates, to be added to a condition.
    fn and(&self, conditions: &Conditions) -> String {
        let one = |(term, value): &(TermId, bool)| match value {
            true => format!(" && {}", self.writer.term(*term)),
            false => format!(" && !({})", self.writer.term(*term)),
        };
        conditions.iter().map(one).collect()
    }

    /// What becomes of what steps show: for the lists that mean the same one condition.
    fn readings(&self, row: usize) -> Vec<(String, Vec<Branch>)> {
        let mut alike: BTreeMap<Vec<Branch>, Vec<usize>> = BTreeMap::new();
        for (number, list) in self.shows.iter().enumerate().skip(1) {
            alike.entry(self.table.after(row as Memory, list)).or_default().push(number);
        }
        let mut all = Vec::new();
        let largest = alike.values().map(Vec::len).max().unwrap_or(0);
        let mut rest = largest > 3;
        let silent = self.shows.len();
        for (branches, numbers) in &alike {
            if branches.iter().all(|branch| branch.ways.is_empty()) {
                continue;
            }
            let condition = match rest && numbers.len() == largest {
                true => {
                    rest = false;
                    let others = (1..silent).filter(|number| !numbers.contains(number));
                    let others: String = others.map(|number| format!(" && event != {number}")).collect();
                    format!("event != 0 && event != {silent}{others}")
                }
                false => {
                    let each: Vec<String> =
                        numbers.iter().map(|number| format!("event == {number}")).collect();
                    if each.len() == 1 { each.concat() } else { format!("({})", each.join(" || ")) }
                }
            };
            all.push((condition, branches.clone()));
        }
        if !self.table.silent[row].is_empty() {
            all.push((format!("event == {silent}"), self.table.silent[row].clone()));
        }
        all
    }
}
