//! Second opinions: an outside tool answers a question.
//!
//! A question is written as a model for the tool, the tool is run, and what it says is read back: a run of ours, to be
//! replayed like any other, or that there is none. Running it is the binary's affair ([`Tool`]); nothing here starts a
//! process or writes a file.

use sequent_engine::sat::encoding::Unwritten;
use sequent_engine::search::{Answer, Stop};
use sequent_kernel::property::table::Table;
use sequent_kernel::system::{Node, Step, System, TermId};
use sequent_report::export::promela::{self, Legend, Promela, pan, promela, trail};

/// Something that can be asked.
pub trait Tool {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Lets it look at a model; an error says what is missing, or that it took too long.
    fn look(&self, model: &Promela) -> Result<Report, String>;
}

/// What a tool printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// About the search.
    pub search: String,
    /// About the run that was found, if one was.
    pub trail: Option<String>,
}

/// What is looked for, for whoever writes it down in another language.
pub enum Wanted<'w> {
    /// A state without any step that is no proper end.
    Stuck,
    /// A state in which a predicate holds.
    Goal(TermId),
    /// A run that an observer accepts, once it is written out.
    Observed(&'w dyn Fn() -> Result<Table, Unwritten>),
}

/// What a tool said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opinion {
    /// A run, or nothing, or no answer.
    pub answer: Answer,
    /// How many states it stored.
    pub states: Option<usize>,
    /// Whether some run breaks off in a state that the system calls strained.
    pub is_strained: bool,
    /// Why there is no answer.
    pub trouble: Option<String>,
}

/// Asks a tool about a system.
pub fn ask(tool: &dyn Tool, system: &System, wanted: &Wanted<'_>, is_bounded: bool) -> Opinion {
    let asked = match is_bounded {
        true => Err("SPIN knows no bound on the number of steps".to_owned()),
        false => asked(tool, system, wanted),
    };
    let mut opinion = match asked {
        Ok(opinion) => opinion,
        Err(trouble) => return Opinion::none(trouble),
    };
    let is_never = *system.terms.node(system.strained) == Node::Constant(0);
    if opinion.answer == Answer::Exhausted && !is_never {
        let strained = self::asked(tool, system, &Wanted::Goal(system.strained));
        // Whoever cannot tell says that some run may break off.
        opinion.is_strained = !strained.is_ok_and(|strained| strained.answer == Answer::Exhausted);
    }
    opinion
}

impl Opinion {
    fn none(trouble: String) -> Self {
        Opinion {
            answer: Answer::Stopped(Stop::Watch),
            states: None,
            is_strained: false,
            trouble: Some(trouble),
        }
    }
}

fn asked(tool: &dyn Tool, system: &System, wanted: &Wanted<'_>) -> Result<Opinion, String> {
    let unasked = |reason: String| format!("{} cannot be asked: {reason}", tool.name());
    let table;
    let wanted = match wanted {
        Wanted::Stuck => promela::Wanted::Stuck,
        Wanted::Goal(goal) => promela::Wanted::Goal(*goal),
        Wanted::Observed(write) => {
            table = write().map_err(|Unwritten(reason)| unasked(reason))?;
            promela::Wanted::Observed(&table)
        }
    };
    let model = model(system, &wanted).map_err(|promela::Unwritten(reason)| unasked(reason))?;
    let report = tool.look(&model)?;
    read(&model, &report).map_err(|trouble| format!("{}: {trouble}", tool.name()))
}

/// A question about a system as a model. Steps are told by their events alone.
pub fn model(system: &System, wanted: &promela::Wanted<'_>) -> Result<Promela, promela::Unwritten> {
    let note = |step: &Step| {
        let texts: Vec<&str> = system.events(step).map(|event| system.events[event].text.as_str()).collect();
        texts.join(" ")
    };
    let legend = Legend::new();
    let subject = promela::Subject { system, title: "A question of Sequent", legend: &legend, note: &note };
    promela(&subject, wanted)
}

/// What a tool said about a model; an error says why that is no answer.
pub fn read(model: &Promela, report: &Report) -> Result<Opinion, String> {
    let said = pan(&report.search);
    let opinion = |answer| Opinion { answer, states: said.states, is_strained: false, trouble: None };
    let complaint = || said.complaint.clone().unwrap_or_else(|| "it did not finish".to_owned());
    match said.errors {
        Some(0) if said.is_complete => Ok(opinion(Answer::Exhausted)),
        None | Some(0) => Err(complaint()),
        Some(_) => {
            let told = report.trail.as_deref().ok_or("it found something but left no trail")?;
            let run = trail(told).run(&model.steps).ok_or("its trail could not be read")?;
            Ok(opinion(Answer::Found(run)))
        }
    }
}
