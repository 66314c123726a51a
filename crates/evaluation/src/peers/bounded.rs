//! Bounded questions: the builtin solver answers them, and others get the same question as DIMACS.

use sequent::effort::{Effort, Wants};
use sequent_engine::portfolio::EngineChoice;
use sequent_kernel::verdict::{Evidence, Verdict};

use super::{CaseReading, Family, PeerCase};

/// How many steps are looked at.
pub(crate) const WITHIN: usize = 12;

impl PeerCase {
    /// The same with a bounded question that has no run; `None` where there is none to be asked.
    pub fn asking(&self) -> Option<PeerCase> {
        let goal = match self.family {
            Family::Philosophers => "P1.eating & P2.eating",
            Family::Par | Family::Loop | Family::Chains | Family::Atm | Family::Isis => return None,
            Family::Commit | Family::Ring | Family::FairRing | Family::Dinner => return None,
            Family::Election | Family::Together | Family::Queues => return None,
        };
        let mut case = self.clone();
        let settings = case.files.iter_mut().find(|(name, _)| name == "sequent.toml");
        let (_, text) = settings?;
        *text += &format!("\n[[check]]\nreachable = \"{goal}\"\n");
        Some(case)
    }
}

/// Asks the builtin solver whether a run of at most [`WITHIN`] steps reaches what must not be reached; gives the question as a
/// formula without a model, if that is wanted.
pub fn bounded(case: &PeerCase, formulas: bool) -> Result<Option<String>, String> {
    let wants = Wants { formulas, ..Wants::default() };
    let engine = &EngineChoice::Bounded;
    let effort = Effort { engine, within: Some(WITHIN), wants, looks: usize::MAX, ..Effort::default() };
    let (answers, _) = CaseReading::new(case).reach(&effort);
    let answer = answers.into_iter().next().ok_or("nothing is asked")?;
    match answer.verdict {
        Verdict::Holds(_) | Verdict::Fails(Evidence::Run(_)) => Err("a run was found".to_owned()),
        Verdict::Fails(_) | Verdict::Unknown(_) => Ok(answer.details.formula),
    }
}
