//! Questions about a System as NuSMV specifications.
//!
//! A goal state is an invariant. The [table](ObserverTable) of an observer is a variable, `memory`, that reads each
//! step while it is taken, and evaluates predicates in the state after it; the last value is a sink. `over`
//! says how a run has ended. Finite runs that are accepted violate an invariant; infinite ones violate an LTL
//! formula: the marks of the observer and the fairness constraints of the system are met infinitely often.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::property::table::{MemoryNumber, ObserverTable, PredicateValues, TableBranch};
use sequent_kernel::system::{Endless, Fairness, Step, Strength, TermId};

use super::super::question::{Unwritten, WantedGoal, shows};
use super::lexicon::set;
use super::terms::NusmvTermWriter;

/// A question, and what the model must have for it.
#[derive(Default)]
pub(crate) struct NusmvClaim {
    /// What is asked, in words.
    pub question: Vec<String>,
    /// Variables that it needs.
    pub declarations: String,
    /// What every step waits for.
    pub always: Vec<String>,
    /// Definitions.
    pub definitions: String,
    /// Where its variables begin.
    pub first: String,
    /// How they go on.
    pub transitions: String,
    /// What is asked.
    pub specification: String,
    /// Whether an invariant is asked for.
    pub seeks_states: bool,
    /// Whether a formula is asked for.
    pub seeks_cycles: bool,
}

impl NusmvClaim {
    /// Writes a question about a system whose steps are known.
    pub(crate) fn new(
        writer: &NusmvTermWriter<'_>,
        steps: &[Step],
        wanted: &WantedGoal<'_>,
    ) -> Result<NusmvClaim, Unwritten> {
        match wanted {
            WantedGoal::Stuck => Ok(stuck(writer)),
            WantedGoal::Goal(goal) => Ok(reached(writer, *goal)),
            WantedGoal::Observed(table) => observed(writer, steps, table),
        }
    }
}

/// `dead`, where runs may come that do not count; and what every step waits for.
fn contradiction(writer: &NusmvTermWriter<'_>, all: &[TermId]) -> (String, Vec<String>) {
    let live = all.iter().filter(|term| !writer.system.is_never(**term));
    let dead: Vec<String> = live.map(|term| writer.truth(*term)).collect();
    match dead.as_slice() {
        [] => (String::new(), Vec::new()),
        dead => (
            format!("  -- Runs that have come here do not count.\n  dead := {};\n", dead.join(" | ")),
            vec!["!dead".to_owned()],
        ),
    }
}

/// Without a claim about how runs end, they go on as long as they can.
const GOES_ON: &str = "\n-- Where nothing goes on the state is repeated.\nTRANS can -> next(step) != 0\n";

fn stuck(writer: &NusmvTermWriter<'_>) -> NusmvClaim {
    let (mut definitions, always) = contradiction(writer, &[writer.system.void]);
    let alive = if always.is_empty() { "" } else { " & !dead" };
    let _ = writeln!(definitions, "  complete := {};", writer.truth(writer.system.complete));
    let _ = writeln!(definitions, "  stuck := !can & !complete{alive};");
    NusmvClaim {
        question: vec!["Does it get stuck? Then the invariant is false.".to_owned()],
        always,
        definitions,
        transitions: GOES_ON.to_owned(),
        specification: "\nINVARSPEC !stuck\n".to_owned(),
        seeks_states: true,
        ..NusmvClaim::default()
    }
}

fn reached(writer: &NusmvTermWriter<'_>, goal: TermId) -> NusmvClaim {
    let (mut definitions, always) = contradiction(writer, &[writer.system.void]);
    let alive = if always.is_empty() { "" } else { " & !dead" };
    let _ = writeln!(definitions, "  goal := {}{alive};", writer.truth(goal));
    NusmvClaim {
        question: vec!["Is the goal ever reached? Then the invariant is false.".to_owned()],
        always,
        definitions,
        transitions: GOES_ON.to_owned(),
        specification: "\nINVARSPEC !goal\n".to_owned(),
        seeks_states: true,
        ..NusmvClaim::default()
    }
}

/// More fairness than this is not asked of a formula.
const MOST_OWED: usize = 8;

struct NusmvClaimWriter<'c> {
    writer: &'c NusmvTermWriter<'c>,
    steps: &'c [Step],
    table: &'c ObserverTable,
}

fn observed(
    writer: &NusmvTermWriter<'_>,
    steps: &[Step],
    table: &ObserverTable,
) -> Result<NusmvClaim, Unwritten> {
    let system = writer.system;
    let author = NusmvClaimWriter { writer, steps, table };
    let is_free = system.is_free();
    let (mut definitions, mut always) =
        contradiction(writer, &[system.void, system.invalid, system.inconclusive]);
    let alive = if always.is_empty() { "" } else { " & !dead" };
    let lost = table.memories;
    let _ = writeln!(definitions, "  complete := {};", writer.truth(system.complete));
    let unbroken = match is_free && !system.is_never(system.strained) {
        true => format!(" & {}", writer.untruth(system.strained)),
        false => String::new(),
    };
    let has_urgent = system.rules.iter().any(|rule| rule.urgent);
    // In a free system a run ends only where no step is possible.
    let at_end = match (is_free, has_urgent) {
        (true, _) => "!can & ",
        (false, true) => "!urgent & ",
        (false, false) => "",
    };
    let _ = writeln!(definitions, "  may_end := {at_end}complete{alive}{unbroken};");
    let _ = writeln!(definitions, "  may_stop := !can & !complete{alive}{unbroken};");
    let _ = writeln!(definitions, "  accepted := {};", author.accepted(is_free));
    always.push("over = 0".to_owned());
    let mut declarations = String::from(
        "  over : 0..3; -- 1 once the run has ended, 2 once it is stuck, 3 once it does not count\n",
    );
    let _ = writeln!(declarations, "  memory : 0..{lost}; -- of the observer");
    declarations += "  position : boolean; -- whether the observer has read the step\n";
    let marks: Vec<String> = (0..table.marks).map(|mark| format!("mark_{mark}")).collect();
    declarations += &marks.iter().map(|mark| format!("  {mark} : boolean;\n")).collect::<String>();
    let begin = match table.first.as_slice() {
        [] => format!("memory = {lost}"),
        first => format!("memory in {}", set(&first.iter().map(|memory| *memory as usize).collect())),
    };
    let unmarked: String = marks.iter().map(|mark| format!(" & !{mark}")).collect();
    let first = format!("INIT over = 0 & !position & {begin}{unmarked}\n");
    let mut transitions = String::from(
        "\n-- Runs end: properly, or because nothing goes on.\nTRANS next(step) != 0 -> next(over) = 0\n",
    );
    transitions += "TRANS next(step) = 0 -> (over != 0 ? next(over) = over : (next(over) = 1 & may_end | next(over) = 2 & may_stop | next(over) = 3 & !can & !may_end & !may_stop))\n";
    transitions += "\n-- The observer reads.\n";
    transitions += &author.reading();
    let mut question = vec![
        "Is there a run that the observer accepts? Then the invariant, or a formula, is false.".to_owned(),
    ];
    let formulas = author.formulas(is_free)?;
    if !formulas.is_empty() {
        question
            .push("The invariant is about runs that end, formulas are about those that do not.".to_owned());
    }
    let mut specification = String::from("\nINVARSPEC !accepted\n");
    let seeks_cycles = !formulas.is_empty();
    specification += &formulas.iter().map(|formula| format!("LTLSPEC !({formula})\n")).collect::<String>();
    if seeks_cycles {
        let _ = writeln!(definitions, "  unread := {};", author.unread());
    }
    Ok(NusmvClaim {
        question,
        declarations,
        always,
        definitions,
        first,
        transitions,
        specification,
        seeks_states: true,
        seeks_cycles,
    })
}

impl NusmvClaimWriter<'_> {
    /// Where it is clear that a run is accepted.
    fn accepted(&self, is_free: bool) -> String {
        let mut ways = Vec::new();
        for (memory, ends) in self.table.ends.iter().enumerate() {
            for (kind, ends) in (1..).zip(ends) {
                let each = ends.iter().map(|conditions| self.all(conditions));
                ways.extend(each.map(|when| format!("over = {kind} & memory = {memory}{when}")));
            }
        }
        if is_free {
            let sure: BTreeSet<usize> =
                (0..self.table.memories).filter(|memory| self.table.accepts_all[*memory]).collect();
            ways.extend((!sure.is_empty()).then(|| format!("memory in {}", set(&sure))));
        }
        disjunction(&ways)
    }

    /// What the observer accepts if nothing more is read.
    fn unread(&self) -> String {
        let mut ways = Vec::new();
        for (memory, ends) in self.table.ends.iter().enumerate() {
            let each = ends[1].iter().map(|conditions| self.all(conditions));
            ways.extend(each.map(|when| format!("memory = {memory}{when}")));
        }
        disjunction(&ways)
    }

    /// Values of predicates, to be added to a condition.
    fn all(&self, conditions: &PredicateValues) -> String {
        conditions.iter().map(|(term, value)| format!(" & {}", self.condition(*term, *value))).collect()
    }

    fn condition(&self, term: TermId, value: bool) -> String {
        if value { self.writer.truth(term) } else { self.writer.untruth(term) }
    }

    /// What the observer remembers after a step.
    fn reading(&self) -> String {
        let (shows, numbers) = shows(self.writer.system, self.steps);
        let mut showing: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (step, show) in (1..).zip(&numbers) {
            showing.entry(*show).or_default().insert(step);
        }
        let table = self.table;
        let marks: String = (0..table.marks).map(|mark| format!(" & !next(mark_{mark})")).collect();
        let stays = format!("next(memory) = memory & !next(position){marks}");
        let mut text = format!("TRANS next(step) = 0 -> {stays}\n");
        let mut silent = None;
        if let Some(unseen) = showing.get(&0) {
            let unseen = format!("next(step) in {}", set(unseen));
            let changes = table.watched.iter().map(|term| {
                let term = self.writer.truth(*term);
                format!("({term} xor next({term}))")
            });
            let changes: Vec<String> = changes.collect();
            silent = match (table.counts_steps, changes.is_empty()) {
                (true, _) => Some(unseen.clone()),
                (false, false) => Some(format!("{unseen} & ({})", changes.join(" | "))),
                (false, true) => None,
            };
            let _ = match (&silent, table.counts_steps) {
                (None, _) => writeln!(text, "TRANS {unseen} -> {stays}"),
                (Some(_), true) => Ok(()),
                (Some(position), false) => writeln!(text, "TRANS {unseen} & !({position}) -> {stays}"),
            };
        }
        for memory in 0..table.memories {
            let mut alike: BTreeMap<Vec<TableBranch>, BTreeSet<usize>> = BTreeMap::new();
            for (show, steps) in showing.iter().filter(|(show, _)| **show != 0) {
                let branches = table.after(memory as MemoryNumber, &shows[*show]);
                alike.entry(branches).or_default().extend(steps);
            }
            for (branches, steps) in alike {
                let when = format!("next(step) in {}", set(&steps));
                text += &self.ways(memory, &when, &branches);
            }
            if let Some(silent) = &silent {
                text += &self.ways(memory, silent, &table.silent[memory]);
            }
        }
        let lost = table.memories;
        text + &format!("TRANS memory = {lost} -> next(memory) = {lost} & !next(position){marks}\n")
    }

    /// What becomes of a memory in one situation.
    fn ways(&self, memory: usize, when: &str, branches: &[TableBranch]) -> String {
        let mut guards = Vec::new();
        let mut ways = Vec::new();
        for branch in branches.iter().filter(|branch| !branch.ways.is_empty()) {
            let next = |(term, value): &(TermId, bool)| format!("next({})", self.condition(*term, *value));
            let conditions: Vec<String> = branch.conditions.iter().map(next).collect();
            let guard: String = conditions.iter().map(|one| format!(" & {one}")).collect();
            for (to, marks) in &branch.ways {
                let marks: String = (0..self.table.marks)
                    .map(|mark| {
                        let sign = if marks >> mark & 1 == 1 { "" } else { "!" };
                        format!(" & {sign}next(mark_{mark})")
                    })
                    .collect();
                ways.push(format!("next(memory) = {to} & next(position){marks}{guard}"));
            }
            guards.push(conditions);
        }
        if !guards.iter().any(Vec::is_empty) {
            let marks: String = (0..self.table.marks).map(|mark| format!(" & !next(mark_{mark})")).collect();
            let none: String = guards.iter().map(|guard| format!(" & !({})", guard.join(" & "))).collect();
            ways.push(format!("next(memory) = {} & !next(position){marks}{none}", self.table.memories));
        }
        format!("TRANS memory = {memory} & {when} -> {}\n", disjunction(&ways))
    }

    /// Which runs are accepted that go on forever.
    fn formulas(&self, is_free: bool) -> Result<Vec<String>, Unwritten> {
        let Some(endless) = &self.writer.system.endless else { return Ok(Vec::new()) };
        let again = |what: &str| format!("G F {what}");
        let mut fair: Vec<String> =
            endless.rests.iter().map(|rest| again(&self.writer.truth(*rest))).collect();
        fair.extend(self.owed(endless)?);
        let mut formulas = Vec::new();
        if !(self.table.is_safety && is_free) {
            let marks = (0..self.table.marks).map(|mark| again(&format!("mark_{mark}")));
            let needs: Vec<String> =
                [again("position")].into_iter().chain(marks).chain(fair.clone()).collect();
            formulas.push(needs.join(" & "));
        }
        if !endless.is_seen && self.unread() != "FALSE" {
            let unseen = "F G (over = 0 & !position & unread)".to_owned();
            let needs: Vec<String> = [unseen].into_iter().chain(fair).collect();
            formulas.push(needs.join(" & "));
        }
        Ok(formulas)
    }

    /// What is not put off forever.
    fn owed(&self, endless: &Endless) -> Result<Vec<String>, Unwritten> {
        if endless.owed.len() > MOST_OWED {
            return Err(Unwritten("it has too many fairness constraints for a formula of NuSMV".to_owned()));
        }
        let numbers = |is_one: &dyn Fn(&Step) -> bool| -> BTreeSet<usize> {
            (1..).zip(self.steps).filter(|(_, step)| is_one(step)).map(|(number, _)| number).collect()
        };
        let one = |fairness: &Fairness| {
            let may = numbers(&|step| step.0.iter().any(|rule| fairness.when.contains(rule)));
            let may: Vec<String> = may.iter().map(|number| format!("can_{number}")).collect();
            let paid = numbers(&|step| step.0.iter().any(|rule| fairness.payers.contains(rule)));
            let may = disjunction(&may);
            // NuSMV knows no empty set: in a system that never moves nothing is paid.
            let paid = if paid.is_empty() { "FALSE".to_owned() } else { format!("step in {}", set(&paid)) };
            match fairness.strength {
                Strength::Weak => format!("(G F ({paid} | !{may}))"),
                Strength::Strong => format!("((G F {may}) -> (G F {paid}))"),
            }
        };
        Ok(endless.owed.iter().map(one).collect())
    }
}

/// Any of these.
fn disjunction(ways: &[String]) -> String {
    match ways {
        [] => "FALSE".to_owned(),
        [only] => format!("({only})"),
        ways => format!("({})", ways.join(" | ")),
    }
}
