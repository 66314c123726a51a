//! Exporting: a query is asked, posed, and written for other tools. Nothing is decided here.

mod basic;
mod observed;
mod tester;
mod told;

use std::collections::BTreeMap;
use std::rc::Rc;

use sequent_engine::explicit;
use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::sat::encode::NotEncodable;
use sequent_engine::sat::encode::question::EncodedQuestion;
use sequent_engine::sat::encode::table;
use sequent_engine::search::{Limits, SearchAnswer, unwatched};
use sequent_kernel::model::{InteractionId, Subject};
use sequent_kernel::property::table::ObserverTable;
use sequent_kernel::question::{Case, Goal, Pace};
use sequent_kernel::system::{System, TermId};
use sequent_kernel::verdict::Reason;
use sequent_report::export::WantedGoal;
use sequent_report::reason;

use crate::ask::{Agenda, Claim, Matter};
use crate::pose::{self, About, Stage, WIDEST, stages};
use crate::survey::objects::closed;
pub use basic::basic;
pub use observed::observers;
pub use tester::{CastTester, Staged, Tester, staged};
pub use told::told;

/// A case whose goal is written out.
#[derive(Clone, Debug)]
pub struct ExportedCase {
    /// The case.
    pub case: Case,
    /// Its goal.
    pub target: ExportTarget,
    /// Guards that a question mentions, and the values that they have in this part of it.
    pub chosen: BTreeMap<String, bool>,
}

/// What a case looks for, written out.
#[derive(Clone, Debug)]
pub enum ExportTarget {
    /// A state without any step that is no proper end.
    Stuck,
    /// A state in which a predicate holds.
    State(TermId),
    /// A run that an observer accepts.
    Accepted(ObserverTable),
}

impl ExportTarget {
    /// The goal of a case, written out.
    pub fn of(case: &Case) -> Result<Self, NotEncodable> {
        Ok(match &case.goal {
            Goal::Stuck => ExportTarget::Stuck,
            Goal::State(goal) => ExportTarget::State(*goal),
            Goal::Accepted(watcher) => ExportTarget::Accepted(table::of(case, watcher)?),
        })
    }

    /// The same for reports.
    pub fn wanted(&self) -> WantedGoal<'_> {
        match self {
            ExportTarget::Stuck => WantedGoal::Stuck,
            ExportTarget::State(goal) => WantedGoal::Goal(*goal),
            ExportTarget::Accepted(table) => WantedGoal::Observed(table),
        }
    }
}

impl ExportedCase {
    /// A case with its goal written out.
    pub fn new(case: Case) -> Result<Self, NotEncodable> {
        let target = ExportTarget::of(&case)?;
        Ok(ExportedCase { case, target, chosen: BTreeMap::new() })
    }

    /// Whether a System gets stuck.
    pub fn stuck(system: System) -> Self {
        let case = Case::new(&Rc::new(system), Goal::Stuck);
        ExportedCase { case, target: ExportTarget::Stuck, chosen: BTreeMap::new() }
    }

    /// Whether a System reaches a state in which a predicate holds, instead.
    pub fn reaching(&self, goal: TermId) -> Self {
        let case = self.case.instead(Goal::State(goal));
        ExportedCase { case, target: ExportTarget::State(goal), chosen: self.chosen.clone() }
    }

    /// The same for runs of any length from the start, one step at a time.
    pub fn singly(&self) -> Self {
        let case = Case { pace: Pace::Single, begins: None, within: None, ..self.case.clone() };
        ExportedCase { case, ..self.clone() }
    }

    /// The case as clauses.
    pub fn question(&self) -> Result<EncodedQuestion<'_>, NotEncodable> {
        EncodedQuestion::new(&self.case)
    }

    /// For formats that know runs of any length from the start, and nothing of when an attempt begins or how long it may take.
    pub fn unbounded(&self) -> Result<(), String> {
        match (self.case.begins, self.case.within) {
            (None, None) => Ok(()),
            (Some(most), _) => Err(format!("what is looked for must begin within {most} steps")),
            (None, Some(most)) => Err(format!("what is looked for must be reached within {most} steps")),
        }
    }
}

/// The parts of a question; an error says why it cannot be written. Loops without bound keep as many iterations apart as the
/// answer needs, as far as that is easily seen.
pub fn parts(agenda: &Agenda<'_>, query: usize) -> Result<Vec<ExportedCase>, String> {
    match &agenda.queries[query].matter {
        Matter::Refines(..) => return Err("it compares two diagrams, which only CSPm can say".to_owned()),
        Matter::Triggers(_) => return Err("it is about what machines receive, and about no runs".to_owned()),
        Matter::Nothing(why) => return Err(reason::words(why)),
        Matter::Deadlock(Subject::Machine(id)) => {
            let case = closed((agenda.model, agenda.folders), &agenda.found, *id)?;
            return written(vec![(case, BTreeMap::new())]);
        }
        Matter::Deadlock(Subject::Interaction(id)) if agenda.is_broken([*id]) => {
            return Err(reason::words(&Reason::BrokenDiagram));
        }
        Matter::Runs(about, claim) => return claimed(agenda, *about, *claim),
        Matter::Objects(..) | Matter::Deadlock(_) => {}
    }
    let queries = [query];
    widened(|window| stages(agenda, &queries, window))
}

/// The parts of a claim about the runs of an interaction, whether it is one of the questions or not.
pub fn claimed<'a>(
    agenda: &'a Agenda<'a>,
    about: InteractionId,
    claim: Claim<'a>,
) -> Result<Vec<ExportedCase>, String> {
    if agenda.is_broken(claim.diagrams().chain([about])) {
        return Err(reason::words(&Reason::BrokenDiagram));
    }
    widened(|window| pose::claimed(agenda, about, vec![(0, claim)], window))
}

/// Stages as written parts, with as wide a window for loops as they need.
fn widened<'a, I: Iterator<Item = Stage<'a>>>(
    stages: impl Fn(usize) -> I,
) -> Result<Vec<ExportedCase>, String> {
    let mut window = 1;
    loop {
        let cases = cases(stages(window))?;
        let is_truncated = cases.iter().any(|(case, _)| case.is_truncated());
        if window >= WIDEST || !(is_truncated || cases.iter().any(|(case, _)| breaks_off(case))) {
            return match is_truncated {
                true => Err(reason::words(&Reason::TooWide(window))),
                false => written(cases),
            };
        }
        window *= 2;
    }
}

/// A case, and how guards have fallen in it.
type Fallen = (Case, BTreeMap<String, bool>);

fn cases<'a>(stages: impl Iterator<Item = Stage<'a>>) -> Result<Vec<Fallen>, String> {
    let mut cases = Vec::new();
    for stage in stages {
        for (_, scene) in stage.scenes {
            let scene = scene.map_err(|reason| reason::words(&reason))?;
            let chosen = match &scene.about {
                About::Interaction(_, _, assumptions) => assumptions.chosen.clone(),
                About::Objects(_) => BTreeMap::new(),
            };
            cases.extend(scene.cases().into_iter().map(|case| (case, chosen.clone())));
        }
    }
    Ok(cases)
}

fn written(cases: Vec<Fallen>) -> Result<Vec<ExportedCase>, String> {
    let part = |(case, chosen)| Ok(ExportedCase { chosen, ..ExportedCase::new(case)? });
    cases.into_iter().map(|fallen| part(fallen).map_err(|NotEncodable(reason)| reason)).collect()
}

/// States that are looked at to see whether a loop has room enough.
const LOOKS: usize = 50_000;

/// Whether some run is known to break off where a loop has no room for another iteration.
fn breaks_off(case: &Case) -> bool {
    let system = &case.system;
    if system.is_never(system.strained) {
        return false;
    }
    let program = Program::new(system);
    let breaks = case.instead(Goal::State(system.strained));
    let limits = Limits { states: LOOKS, ..Limits::default() };
    let decision = explicit::decide(&breaks, &mut StateGraph::new(&program), &limits, 1, &unwatched);
    matches!(decision.answer, SearchAnswer::Found(_))
}
