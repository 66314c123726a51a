//! Second opinions: an outside tool answers a question.
//!
//! A question is written as a model for the tool, the tool is run, and what it says is read back: a run of ours, to be
//! replayed like any other, or that there is none. How a question is written and an answer read stands in a module for each
//! tool; running it is the binary's affair ([`OutsideTool`]). Nothing here starts a process or writes a file.

pub mod nusmv;
pub mod spin;

use std::time::Duration;

use sequent_engine::decision::{Decision, Engine, EngineOptions};
use sequent_engine::explicit;
use sequent_engine::graph::StateGraph;
use sequent_engine::portfolio::QUICK;
use sequent_engine::sat::encode::NotEncodable;
use sequent_engine::search::{Limits, SearchAnswer};
use sequent_kernel::question::{Case, Goal, Watcher};
use sequent_kernel::system::{Step, System};
use sequent_kernel::verdict::Reason;
use sequent_report::export;

use crate::export::ExportTarget;

/// Something that can be asked.
pub trait OutsideTool {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Asks the tool for a run of a system within `time`; an error says why there is no answer.
    fn look(
        &self,
        system: &System,
        wanted: &export::WantedGoal<'_>,
        time: Option<Duration>,
    ) -> Result<Opinion, ToolTrouble>;
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ToolTrouble {
    /// The question cannot be written for the tool.
    Unasked(String),
    /// The tool could not be run to its end.
    Unfinished(String),
    /// What it said is no answer.
    Unclear(String),
}

impl From<export::Unwritten> for ToolTrouble {
    fn from(export::Unwritten(reason): export::Unwritten) -> Self {
        ToolTrouble::Unasked(reason)
    }
}

impl ToolTrouble {
    /// In words.
    pub fn words(&self, tool: &str) -> String {
        match self {
            ToolTrouble::Unasked(reason) => format!("{tool} cannot be asked: {reason}"),
            ToolTrouble::Unfinished(reason) => reason.clone(),
            ToolTrouble::Unclear(reason) => format!("{tool}: {reason}"),
        }
    }
}

/// What a tool said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opinion {
    /// A run, or nothing, or no answer.
    pub answer: SearchAnswer,
    /// How many states it stored.
    pub states: Option<usize>,
    /// Whether some run breaks off in a state that the system calls strained.
    pub is_strained: bool,
}

/// An outside tool as an engine.
pub struct OutsideEngine(pub Box<dyn OutsideTool>);

/// Without a limit of time a tool may not take longer for one case.
const LONGEST: Duration = Duration::from_secs(60);

impl Engine for OutsideEngine {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn decide<'c>(
        &self,
        case: &'c Case,
        graph: &mut StateGraph<'_>,
        options: &EngineOptions<'_>,
    ) -> Decision<'c> {
        let time = options.time.map_or(LONGEST, Duration::from_millis);
        let opinion = match self.ask(case, options.within.is_some(), time) {
            Ok(opinion) => opinion,
            Err(trouble) => return Decision::none(self.name(), Reason::Tool(trouble.words(self.name()))),
        };
        let decision =
            Decision { is_truncated: opinion.is_strained, ..Decision::of(self.name(), opinion.answer) };
        // That there is no run is all that a tool says.
        match (&case.goal, &decision.answer) {
            (Goal::Accepted(Watcher::Found(scenario)), SearchAnswer::Exhausted) => {
                let limits = Limits { states: options.limits.states.min(QUICK), ..options.limits };
                match explicit::furthest(case, scenario, graph, &limits, options.watch) {
                    Ok(furthest) => Decision { furthest, ..decision },
                    Err(reason) => Decision::none(self.name(), reason),
                }
            }
            (_, _) => decision,
        }
    }
}

impl OutsideEngine {
    /// Asks about a case. How long a run may be at most is for the caller to see: the run that is found is a shortest.
    fn ask(&self, case: &Case, is_bounded: bool, time: Duration) -> Result<Opinion, ToolTrouble> {
        let unasked = |reason: &str| Err(ToolTrouble::Unasked(reason.to_owned()));
        match (is_bounded, case.begins) {
            (true, _) => return unasked("it knows no bound on the number of steps"),
            (false, Some(_)) => return unasked("what is looked for begins within some steps"),
            (false, None) => {}
        }
        let system = &case.system;
        let target = ExportTarget::of(case).map_err(|NotEncodable(reason)| ToolTrouble::Unasked(reason))?;
        let mut opinion = self.0.look(system, &target.wanted(), Some(time))?;
        if opinion.answer == SearchAnswer::Exhausted && !system.is_never(system.strained) {
            let breaks = self.0.look(system, &export::WantedGoal::Goal(system.strained), Some(time));
            // A tool that cannot tell says that some run may break off.
            opinion.is_strained = !breaks.is_ok_and(|breaks| breaks.answer == SearchAnswer::Exhausted);
        }
        Ok(opinion)
    }
}

impl Opinion {
    /// What a tool says that has looked.
    pub fn of(answer: SearchAnswer, states: Option<usize>) -> Self {
        Opinion { answer, states, is_strained: false }
    }
}

/// Calls `write` with a system whose steps are described by their events alone.
fn told<T>(system: &System, write: impl FnOnce(&export::WrittenSubject<'_>) -> T) -> T {
    let note = |step: &Step| {
        let texts: Vec<&str> = system.events(step).map(|event| system.events[event].text.as_str()).collect();
        texts.join(" ")
    };
    let legend = export::Legend::new();
    write(&export::WrittenSubject { system, title: "A question of Sequent", legend: &legend, note: &note })
}
