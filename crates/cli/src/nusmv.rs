//! NuSMV, or nuXmv, as an outside tool: found on the PATH, run in a folder of its own within the time that is left.
//!
//! Invariants are asked first: their counterexamples are shortest. It exits with 0 whatever it found, so what it prints is
//! what counts.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use sequent::tools::nusmv::{model, read};
use sequent::tools::{Opinion, OutsideTool, ToolTrouble};
use sequent_engine::search::SearchAnswer;
use sequent_kernel::system::System;
use sequent_report::export::WantedGoal;
use sequent_report::export::nusmv::NuSmv;

use crate::program::{Failure, Keep, TemporaryFolder, end, find, run_within};

/// Names of the program, the first that is found counts.
pub(crate) const PROGRAMS: &[&str] = &["NuSMV", "nusmv", "nuXmv", "nuxmv"];

/// Where it was found.
pub struct NusmvProgram {
    program: PathBuf,
    /// How many bytes it may take.
    bytes: usize,
    /// Where models are kept.
    pub kept: Option<Keep>,
}

impl NusmvProgram {
    /// NuSMV, if it is installed.
    pub fn find(bytes: usize) -> Result<Self, String> {
        let program = PROGRAMS.iter().find_map(|name| find(name)).ok_or(
            "neither `NuSMV` nor `nuXmv` is on the PATH: install one (nusmv.fbk.eu), or use another --engine",
        )?;
        Ok(NusmvProgram { program, bytes, kept: None })
    }

    /// What it prints about a model.
    pub fn run(&self, text: &str, arguments: &[&str], until: Option<Instant>) -> Result<String, Failure> {
        let folder = TemporaryFolder::new().map_err(Failure::Broken)?;
        let written = std::fs::write(folder.0.join("model.smv"), text);
        written.map_err(|error| Failure::Broken(error.to_string()))?;
        let arguments = [arguments, &["model.smv"]].concat();
        run_within(&folder.0, &self.program, &arguments, until, Some(self.bytes))
    }

    /// Asks about the invariant of a model, and where it is true about its formulas.
    fn search(&self, model: &NuSmv, until: Option<Instant>) -> Result<Opinion, ToolTrouble> {
        let kept = self.kept.as_ref().map_or(Ok(()), |kept| kept.model(&model.text, "smv"));
        kept.map_err(ToolTrouble::Unfinished)?;
        let ask = |ignored: &str| {
            let printed = self.run(&model.text, &["-dynamic", ignored], until);
            let printed = printed.map_err(|failure| ToolTrouble::Unfinished(failure.to_string()))?;
            read(model, &printed)
        };
        let mut opinion = Opinion::of(SearchAnswer::Exhausted, None);
        if model.seeks_states {
            opinion = ask("-ils")?;
        }
        if model.seeks_cycles && opinion.answer == SearchAnswer::Exhausted {
            opinion = ask("-ii")?;
        }
        Ok(opinion)
    }
}

impl OutsideTool for NusmvProgram {
    fn name(&self) -> &'static str {
        "nusmv"
    }

    fn look(
        &self,
        system: &System,
        wanted: &WantedGoal<'_>,
        time: Option<Duration>,
    ) -> Result<Opinion, ToolTrouble> {
        self.search(&model(system, wanted)?, end(time))
    }
}
