//! Testers: scenarios as questions about a system, by refinement (paper 001, section 4).
//!
//! A tester reads what the system does and keeps in mind how far the scenario has come, in all ways at once; so it is made from
//! sets of attempts, and not from the failure function on letters that the paper prints. What it does once it has seen
//! the scenario gives the paper's three testers: `S_match` says so and stops, `S_div` diverges, `S_not` never gets so far. All
//! questions are written so that the assertion is true if and only if the check holds.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::model::Quantifier;

use super::{Cspm, ScriptEvent, comment};

/// A scenario that is asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TesterQuestion {
    /// The number of the system.
    pub about: usize,
    /// What is asked, in words.
    pub title: String,
    /// Some run, no run, every run.
    pub quantifier: Quantifier,
    /// One for each choice of objects for its lifelines.
    pub choices: Vec<CastScenario>,
}

/// A scenario with objects for all of its lifelines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CastScenario {
    /// Who plays the lifelines that stand for any object of a class; `None` if there is no choice.
    pub words: Option<String>,
    /// What is remembered of a run, the first of them at its beginning: for each event where it leads; `None` where the scenario
    /// has happened. No states if it has happened before anything. An event is its text and whether its step goes on, where
    /// that is kept apart.
    pub states: Vec<BTreeMap<(String, bool), Option<usize>>>,
}

/// Adds testers and assertions to the first systems of a script.
pub fn ask(exported: &mut Cspm, systems: usize, questions: &[TesterQuestion]) {
    let mut text = String::new();
    if systems > 0 {
        text += "\n-- Does it get stuck?\n";
    }
    for process in exported.processes.iter().take(systems) {
        let _ = writeln!(text, "assert {process} :[deadlock free [F]]");
    }
    if questions.iter().flat_map(|question| &question.choices).any(|choice| !choice.states.is_empty()) {
        text += HEAD;
    }
    for (number, question) in questions.iter().enumerate() {
        text += &tester(exported, number + 1, question);
    }
    exported.text += &text;
}

/// What all testers share.
const HEAD: &str = "\n-- Testers follow what happens. Once the scenario has happened, the first says so and stops (S_match), the second\n-- goes on forever unseen (S_div); the third refuses the last event of the scenario (S_not).\ndatatype Tester = matching | diverging | refusing\nchannel match, forever\nForever = forever -> Forever\nLast(matching) = match -> STOP\nLast(diverging) = Forever \\ { forever }\nLast(refusing) = STOP\n";

/// Where an event leads, or several that are seen at once, which are read one after the other; `None` where the scenario has
/// happened.
fn lead(choice: &CastScenario, from: usize, event: &ScriptEvent) -> Option<usize> {
    let next = |at: usize, (place, part): (usize, &String)| {
        let read = |goes_on| choice.states[at].get(&(part.clone(), goes_on)).copied();
        let is_amid = place + 1 < event.parts.len();
        is_amid.then(|| read(true)).flatten().or_else(|| read(false)).unwrap_or(Some(at))
    };
    event.parts.iter().enumerate().try_fold(from, next)
}

fn tester(exported: &Cspm, number: usize, question: &TesterQuestion) -> String {
    let mut text = format!("\n-- {}\n", comment(&question.title));
    let [_, _, ..] = question.choices.as_slice() else {
        let asked =
            question.choices.iter().map(|choice| assertions(exported, &number.to_string(), question, choice));
        return asked.fold(text, |text, asked| text + &asked);
    };
    text += match question.quantifier {
        Quantifier::Possible => {
            "-- Several objects can play a lifeline; it holds if one of these assertions is true.\n"
        }
        Quantifier::Forbidden | Quantifier::Required | Quantifier::Whenever => {
            "-- Several objects can play a lifeline; it holds if all of these assertions are true.\n"
        }
    };
    for (choice, place) in question.choices.iter().zip(1..) {
        if let Some(words) = &choice.words {
            let _ = writeln!(text, "-- {}", comment(words));
        }
        text += &assertions(exported, &format!("{number}x{place}"), question, choice);
    }
    text
}

/// The tester for one choice of objects, by a number of its own, and what is asked of it.
fn assertions(exported: &Cspm, number: &str, question: &TesterQuestion, choice: &CastScenario) -> String {
    if choice.states.is_empty() {
        return "-- Nothing needs to happen for it, so there is nothing to ask.\n".to_owned();
    }
    let mut text = String::new();
    let (seen, state) = (format!("Seen{number}"), format!("Tester{number}"));
    let matters =
        |event: &&ScriptEvent| (0..choice.states.len()).any(|from| lead(choice, from, event) != Some(from));
    let all: Vec<&ScriptEvent> = exported.events.iter().filter(matters).collect();
    let list: Vec<&str> = all.iter().map(|one| one.event.as_str()).collect();
    let _ = writeln!(text, "-- What matters to it.\n{seen} = {{{}}}", list.join(", "));
    for from in 0..choice.states.len() {
        let mut leads: BTreeMap<Option<usize>, BTreeSet<&str>> = BTreeMap::new();
        for one in &all {
            leads.entry(lead(choice, from, one)).or_default().insert(one.event.as_str());
        }
        // Where most events lead is written as the rest.
        let most = leads.iter().filter(|(to, _)| to.is_some()).max_by_key(|(_, events)| events.len());
        let most = most.filter(|(_, events)| events.len() > 2).map(|(to, _)| *to);
        let others: Vec<&str> = leads
            .iter()
            .filter(|(to, _)| Some(**to) != most)
            .flat_map(|(_, events)| events.clone())
            .collect();
        let mut ways = Vec::new();
        for (to, events) in &leads {
            match to {
                _ if Some(*to) == most => {}
                None => ways
                    .extend(events.iter().map(|event| format!("kind != refusing & {event} -> Last(kind)"))),
                Some(to) => ways.extend(events.iter().map(|event| format!("{event} -> {state}_{to}(kind)"))),
            }
        }
        if let Some(Some(to)) = most {
            let rest = match others.as_slice() {
                [] => seen.clone(),
                others => format!("diff({seen}, {{{}}})", others.join(", ")),
            };
            ways.push(format!("([] e : {rest} @ e -> {state}_{to}(kind))"));
        }
        let ways = if ways.is_empty() { "STOP".to_owned() } else { ways.join("\n  [] ") };
        let _ = writeln!(text, "{state}_{from}(kind) =\n  {ways}");
    }
    let system = &exported.processes[question.about];
    let with = |kind: &str| format!("({system} [| {seen} |] {state}_0({kind}))");
    let hidden = "diff(Events, {match})";
    let found = format!("{} \\ {hidden} [T= match -> STOP", with("matching"));
    text += &match question.quantifier {
        Quantifier::Possible => format!(
            "-- True: some run shows it, which is what is asked for. False: none does.\nassert {found}\n"
        ),
        // No tester asks what follows.
        Quantifier::Whenever => String::new(),
        Quantifier::Forbidden => format!(
            "-- True: no run shows it, as it must be. False: some run does, and FDR shows it for the assertion without `not`.\nassert not {found}\n"
        ),
        Quantifier::Required => format!(
            "-- Both true: every run shows it. The first is false if a run ends before, the second if one goes on forever without it.\nassert {} :[deadlock free [F]]\nassert {} \\ {hidden} :[divergence free [FD]]\n",
            with("diverging"),
            with("refusing")
        ),
    };
    text
}
