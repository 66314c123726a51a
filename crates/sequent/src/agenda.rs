//! The agenda: every question that `check` answers, in its order, and each as it is put to whoever answers.
//!
//! A check may ask more than one question (of each diagram that it is about), diagrams ask some by themselves, and a question may
//! have parts (one for each way in which guards fall): a run that is found in any of them is the answer. Exports name a
//! question by its number here, which is its place among the answers of `check`.

use std::collections::{BTreeMap, BTreeSet};

use sequent_engine::packed::Program;
use sequent_engine::sat::encoding::Unwritten;
use sequent_engine::search::{Answer, Limits, Options, Quest, Reduction, Search, unwatched};
use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::formula::Word;
use sequent_kernel::model::{Check, InteractionId, Model, Question, Refines, Subject};
use sequent_kernel::system::System;
use sequent_kernel::verdict::Verdict;
use sequent_report::export::promela::Basic;

use crate::behaviour::{self, Effort, WIDEST, too_wide};
use crate::court::Court;
use crate::pipeline::{self, Reading};
use crate::posed::Copied;
use crate::property::{self, Plan};
use crate::scenario::Staged;
use crate::settings::Settings;
use crate::{refinement, scenario, system};

/// A question by its place in the plans.
#[derive(Clone, Copy)]
pub enum Item<'m> {
    /// One about objects, by its number in their plan.
    Objects(usize),
    /// One about the runs of an interaction, by its number in their plan.
    Runs(usize),
    /// Whether a diagram does only what another does.
    Refines(&'m Check, &'m Refines),
    /// Whether something gets stuck, or what cannot be asked; the check and its number.
    Other(usize, &'m Check),
}

/// The questions in the order of the checks; what diagrams ask by themselves comes last. `asked` are the questions about
/// objects, by their checks.
pub fn items<'m>(model: &'m Model, plan: &Plan<'m>, asked: &BTreeMap<usize, Vec<usize>>) -> Vec<Item<'m>> {
    let runs = |check: usize| {
        let own = plan.asked.iter().enumerate().filter(move |(_, planned)| planned.check == check);
        own.map(|(number, _)| Item::Runs(number)).collect::<Vec<Item<'_>>>()
    };
    let mut items = Vec::new();
    for (number, check) in model.checks.iter().enumerate() {
        let own = match asked.get(&number) {
            Some(own) => own.iter().map(|number| Item::Objects(*number)).collect(),
            None => runs(number),
        };
        match (own.is_empty(), &check.question) {
            (false, _) => items.extend(own),
            (true, _) if plan.skipped.contains(&number) => {}
            (true, Question::Refines(refines)) => items.push(Item::Refines(check, refines)),
            (true, _) => items.push(Item::Other(number, check)),
        }
    }
    items.extend(runs(model.checks.len()));
    items
}

/// What a question is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words {
    /// Its name, or what it asks.
    pub name: String,
    /// The kind of question.
    pub kind: &'static str,
    /// The diagram it is about.
    pub target: Option<String>,
}

impl Words {
    /// All of it.
    pub fn text(&self) -> String {
        match &self.target {
            Some(target) => format!("{target}: {}", self.name),
            None => self.name.clone(),
        }
    }
}

/// What a check is called that neither plan knows.
pub fn words(check: &Check, model: &Model) -> Words {
    let (kind, asked) = match &check.question {
        Question::Scenario(_) => ("scenario", "scenario".to_owned()),
        Question::Ltl(property) => ("ltl", property.text.clone()),
        Question::Reachable(goal) => ("reachable", goal.goal.text.clone()),
        Question::Deadlock => ("deadlock", "never gets stuck".to_owned()),
        Question::Safe(_, mode) => ("safe", format!("{} safe", mode.word())),
        Question::Consistent(_) => ("consistent", "consistent".to_owned()),
        Question::Fragments => ("fragments", "neg and assert".to_owned()),
        Question::Refines(refines) => ("refines", refinement::words(refines)),
    };
    let target = check.subject.map(|subject| refinement::name(model, subject).to_owned());
    Words { name: check.name.clone().unwrap_or(asked), kind, target }
}

/// All questions about a reading.
pub struct Agenda<'m> {
    reading: &'m Reading,
    settings: &'m Settings,
    found: Vec<Diagnostic>,
    about_objects: scenario::Plan<'m>,
    plan: Plan<'m>,
    items: Vec<Item<'m>>,
}

/// What a question is about, for whoever writes it down in other words than those of a System.
#[derive(Clone, Copy, Debug)]
pub enum Matter<'m> {
    /// Whether something gets stuck.
    Deadlock(Subject),
    /// What the runs of an interaction are like.
    Runs(InteractionId, property::Ask<'m>),
    /// What objects do.
    Objects(scenario::Ask<'m>),
    /// Whether a diagram does only what another does.
    Refines(&'m Refines),
    /// Nothing that can be answered.
    Nothing,
}

impl<'m> Agenda<'m> {
    /// The questions that `check` answers.
    pub fn new(reading: &'m Reading, settings: &'m Settings) -> Self {
        let Reading { model, folders, .. } = reading;
        let found = pipeline::linted(reading);
        let (about_objects, plan) = pipeline::plans(reading, settings, &found);
        let casts = scenario::casts(model, folders, &about_objects);
        let (asked, _) = scenario::asked(model, folders, &about_objects, casts);
        let is_read = |item: &Item<'_>| match item {
            Item::Refines(check, refines) => {
                let words = [Some(&refines.specification), check.target.as_ref()];
                words
                    .into_iter()
                    .all(|word| word.is_some_and(|word| refinement::find(model, &word.text).is_ok()))
            }
            Item::Objects(_) | Item::Runs(_) | Item::Other(..) => true,
        };
        let items = items(model, &plan, &asked).into_iter().filter(is_read).collect();
        Agenda { reading, settings, found, about_objects, plan, items }
    }

    /// What the questions are called, in their order.
    pub fn list(&self) -> Vec<Words> {
        let model = &self.reading.model;
        let words = |item: &Item<'_>| match item {
            Item::Objects(number) => {
                let asked = &self.about_objects.asked[*number];
                let (name, target) = (asked.name.clone(), Some(asked.target.clone()));
                Words { name, kind: asked.ask.kind(), target }
            }
            Item::Runs(number) => {
                let planned = &self.plan.asked[*number];
                let target = Some(model.interactions[planned.about].name.clone());
                Words { name: planned.name.clone(), kind: planned.kind, target }
            }
            Item::Refines(check, refines) => Words {
                name: check.name.clone().unwrap_or_else(|| refinement::words(refines)),
                kind: "refines",
                target: check.target.as_ref().map(|word| word.text.clone()),
            },
            Item::Other(_, check) => words(check, model),
        };
        self.items.iter().map(words).collect()
    }

    /// What the question of a number is about; numbers begin with 0.
    pub fn matter(&self, question: usize) -> Matter<'m> {
        match self.items[question] {
            Item::Objects(number) => Matter::Objects(self.about_objects.asked[number].ask),
            Item::Runs(number) => Matter::Runs(self.plan.asked[number].about, self.plan.asked[number].ask),
            Item::Refines(_, refines) => Matter::Refines(refines),
            Item::Other(_, check) => match (&check.question, check.subject) {
                (Question::Deadlock, Some(subject)) => Matter::Deadlock(subject),
                (_, _) => Matter::Nothing,
            },
        }
    }

    /// The parts of a question as they are put to whoever answers; an error says why nobody can be asked. Loops without bound
    /// keep as many iterations apart as the answer needs, as far as that is easily seen.
    pub fn pose(&self, question: usize) -> Result<Vec<Copied>, String> {
        let mut window = 1;
        loop {
            let parts = self.posed(question, window)?;
            let is_narrow = parts.iter().any(|part| part.is_narrow);
            let is_full = || parts.iter().any(|part| is_strained(&part.system));
            if window >= WIDEST || !(is_narrow || is_full()) {
                return match is_narrow {
                    true => Err(too_wide(window)),
                    false => Ok(parts),
                };
            }
            window *= 2;
        }
    }

    /// A question as an observer with bits and counters; an error says why it is none.
    pub fn basic(&self, question: usize) -> Result<Basic, String> {
        let Item::Objects(number) = self.items[question] else { return Err("it is no scenario".to_owned()) };
        let Reading { model, folders, .. } = self.reading;
        let asked = self.about_objects.asked[number].clone();
        let alone = scenario::Plan { claimed: [asked.check].into(), asked: vec![asked] };
        let casts = scenario::casts(model, folders, &alone);
        let cast = casts.first().ok_or("nobody asks")?;
        scenario::basic(model, folders, &alone.asked[0], cast, &self.settings.switches)
    }

    /// The diagrams of a question whether one does only what the other does, the one that says what may be done first.
    pub fn compared(&self, question: usize) -> Option<([Subject; 2], &'m Refines)> {
        let Item::Refines(check, refines) = self.items[question] else { return None };
        let find = |word: &Word| refinement::find(&self.reading.model, &word.text).ok();
        Some(([find(&refines.specification)?, check.target.as_ref().and_then(find)?], refines))
    }

    /// The objects that scenarios are asked about, each with the scenarios; only with this question, if there is one. And why others
    /// cannot be asked.
    pub fn staged(&self, question: Option<usize>) -> (Vec<Staged>, Vec<String>) {
        let Reading { model, folders, .. } = self.reading;
        let wanted: BTreeSet<usize> = (0..self.items.len())
            .filter(|number| question.is_none_or(|only| only == *number))
            .filter_map(|number| match self.items[number] {
                Item::Objects(number) => Some(number),
                Item::Runs(_) | Item::Refines(..) | Item::Other(..) => None,
            })
            .collect();
        let is_wanted = |number| wanted.contains(&number);
        scenario::staged(model, folders, &self.about_objects, &is_wanted, &self.settings.switches)
    }

    fn posed(&self, question: usize, window: usize) -> Result<Vec<Copied>, String> {
        let Reading { model, folders, .. } = self.reading;
        let court = Court::writing(window);
        let effort = Effort { court: Some(&court), ..Effort::default() };
        let switches = &self.settings.switches;
        let why = match self.items[question] {
            Item::Objects(number) => {
                let asked = self.about_objects.asked[number].clone();
                let alone = scenario::Plan { claimed: [asked.check].into(), asked: vec![asked] };
                let casts = scenario::casts(model, folders, &alone);
                let means = scenario::Means { switches, effort: &effort };
                let (answers, _) = scenario::answers(model, folders, &alone, casts, &means);
                answers.into_values().flatten().find_map(|(_, answer)| reason(&answer.verdict))
            }
            Item::Runs(number) => {
                let planned = &self.plan.asked[number];
                let diagrams = planned.ask.diagrams().chain([planned.about]);
                self.are_sound(diagrams)?;
                let replies = property::replies(model, planned.about, &[planned.ask], switches, &effort);
                replies.into_iter().find_map(|reply| reason(&reply.verdict))
            }
            Item::Refines(..) => return Err("it compares two diagrams, which only CSPm can say".to_owned()),
            Item::Other(number, check) => match (&check.question, check.subject) {
                (Question::Deadlock, Some(Subject::Interaction(id))) => {
                    self.are_sound([id])?;
                    return Ok(vec![Copied::stuck(behaviour::lowered(model, id, switches, window)?)]);
                }
                (Question::Deadlock, Some(Subject::Machine(id))) => {
                    return Ok(vec![Copied::stuck(system::closed(model, folders, &self.found, id)?)]);
                }
                (_, _) => {
                    let silent = self.plan.silent.get(&number);
                    return Err(silent.map_or("nothing here can be asked this", String::as_str).to_owned());
                }
            },
        };
        let written: Result<Vec<Copied>, Unwritten> = court.written().into_iter().collect();
        match written {
            Ok(parts) if parts.is_empty() => {
                Err(why.unwrap_or_else(|| "nothing needs to be looked for".to_owned()))
            }
            Ok(parts) => Ok(parts),
            Err(Unwritten(reason)) => Err(reason),
        }
    }

    fn are_sound(&self, diagrams: impl IntoIterator<Item = InteractionId>) -> Result<(), String> {
        let sound = pipeline::searchable(&self.reading.model, &self.found);
        match diagrams.into_iter().all(|id| sound.contains(&id)) {
            true => Ok(()),
            false => Err("a diagram has errors".to_owned()),
        }
    }
}

fn reason(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Unknown(reason) => Some(reason.clone()),
        Verdict::Holds(_) | Verdict::Fails(_) => None,
    }
}

/// States that are looked at to see whether a loop has room enough.
const LOOKS: usize = 50_000;

/// Whether some run is known to break off where a loop has no room for another iteration.
fn is_strained(system: &System) -> bool {
    if system.is_never(system.strained) {
        return false;
    }
    let limits = Limits { states: LOOKS, ..Limits::default() };
    let options = Options { reduction: Reduction::None, limits, threads: 1 };
    let program = Program::new(system);
    let search = Search::run(&program, Quest::Goal(system.strained), &options, &unwatched);
    matches!(search.answer, Answer::Found(_))
}
