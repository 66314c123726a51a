//! Second opinions: an outside tool answers a question.
//!
//! A question is written as a model for the tool, the tool is run, and what it says is read back: a run of ours, to be
//! replayed like any other, or that there is none. How a question is written and an answer read stands in a module for each
//! tool; running it is the binary's affair ([`Tool`]). Nothing here starts a process or writes a file.

pub mod nusmv;
pub mod spin;

use std::time::Duration;

use sequent_engine::sat::encoding::Unwritten;
use sequent_engine::search::{Answer, Stop};
use sequent_kernel::property::table::Table;
use sequent_kernel::system::{Step, System, TermId};
use sequent_report::export;

use crate::posed::Posed;

/// Something that can be asked.
pub trait Tool {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Lets it look for something in a system, for so long at most; an error says why there is no answer.
    fn look(
        &self,
        system: &System,
        wanted: &export::Wanted<'_>,
        time: Option<Duration>,
    ) -> Result<Opinion, Trouble>;
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The question cannot be written for the tool.
    Unasked(String),
    /// The tool could not be run to its end.
    Unfinished(String),
    /// What it said is no answer.
    Unclear(String),
}

impl From<export::Unwritten> for Trouble {
    fn from(export::Unwritten(reason): export::Unwritten) -> Self {
        Trouble::Unasked(reason)
    }
}

impl Trouble {
    /// In words.
    pub fn words(&self, tool: &str) -> String {
        match self {
            Trouble::Unasked(reason) => format!("{tool} cannot be asked: {reason}"),
            Trouble::Unfinished(reason) => reason.clone(),
            Trouble::Unclear(reason) => format!("{tool}: {reason}"),
        }
    }
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

/// Asks a tool a question, for so long at most. How long a run may be at most is for whoever asked to see: the run that is found is
/// shortest.
pub fn ask(tool: &dyn Tool, posed: &Posed<'_>, is_bounded: bool, time: Option<Duration>) -> Opinion {
    let system = posed.system;
    let unasked = |reason: &str| Err(Trouble::Unasked(reason.to_owned()));
    let asked = match (is_bounded, posed.begins) {
        (true, _) => unasked("it knows no bound on the number of steps"),
        (false, Some(_)) => unasked("what is looked for begins within some steps"),
        (false, None) => asked(tool, system, &posed.wanted, time),
    };
    let mut opinion = match asked {
        Ok(opinion) => opinion,
        Err(trouble) => return Opinion::none(trouble.words(tool.name())),
    };
    let is_never = system.is_never(system.strained);
    if opinion.answer == Answer::Exhausted && !is_never {
        let strained = self::asked(tool, system, &Wanted::Goal(system.strained), time);
        // Whoever cannot tell says that some run may break off.
        opinion.is_strained = !strained.is_ok_and(|strained| strained.answer == Answer::Exhausted);
    }
    opinion
}

impl Opinion {
    /// What a tool says that has looked.
    pub fn of(answer: Answer, states: Option<usize>) -> Self {
        Opinion { answer, states, is_strained: false, trouble: None }
    }

    fn none(trouble: String) -> Self {
        Opinion { trouble: Some(trouble), ..Opinion::of(Answer::Stopped(Stop::Watch), None) }
    }
}

fn asked(
    tool: &dyn Tool,
    system: &System,
    wanted: &Wanted<'_>,
    time: Option<Duration>,
) -> Result<Opinion, Trouble> {
    let table;
    let wanted = match wanted {
        Wanted::Stuck => export::Wanted::Stuck,
        Wanted::Goal(goal) => export::Wanted::Goal(*goal),
        Wanted::Observed(write) => {
            table = write().map_err(|Unwritten(reason)| Trouble::Unasked(reason))?;
            export::Wanted::Observed(&table)
        }
    };
    tool.look(system, &wanted, time)
}

/// What a question is written about. Steps are told by their events alone.
fn told<T>(system: &System, write: impl FnOnce(&export::Subject<'_>) -> T) -> T {
    let note = |step: &Step| {
        let texts: Vec<&str> = system.events(step).map(|event| system.events[event].text.as_str()).collect();
        texts.join(" ")
    };
    let legend = export::Legend::new();
    write(&export::Subject { system, title: "A question of Sequent", legend: &legend, note: &note })
}
