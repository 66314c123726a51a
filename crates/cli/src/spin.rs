//! SPIN as an outside tool: found on the PATH, run in a folder of its own within the time that is left.
//!
//! `spin -a` writes the verifier as C, a C compiler builds it, and it searches: breadth first where a state is looked for, so
//! that runs are shortest; depth first for cycles. SPIN follows the trail and prints the numbers of the steps. All of them
//! exit with 0 whatever they found, so what they print is what counts.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sequent::tools::spin::{SpinReport, model, read};
use sequent::tools::{Opinion, OutsideTool, ToolTrouble};
use sequent_kernel::system::System;
use sequent_report::export::WantedGoal;
use sequent_report::export::promela::{Promela, pan};

use crate::program::{Failure, Keep, TemporaryFolder, end, find, run};

/// Where programs were found.
pub struct SpinPrograms {
    spin: PathBuf,
    /// The C compiler.
    pub compiler: PathBuf,
    /// How many bytes states may take.
    bytes: usize,
    /// Where models are kept.
    pub kept: Option<Keep>,
}

/// Runs are followed so far; and so far if that was not enough.
const DEPTHS: [&str; 2] = ["-m100000", "-m20000000"];

impl SpinPrograms {
    /// SPIN, if it is installed together with a C compiler.
    pub fn find(bytes: usize) -> Result<Self, String> {
        let spin = find("spin").ok_or(
            "`spin` is not on the PATH: install it (Debian: `apt install spin`), or use another --engine",
        )?;
        let compiler =
            compiler().ok_or("SPIN needs a C compiler, and none is on the PATH (cc, gcc, clang, tcc)")?;
        Ok(SpinPrograms { spin, compiler, bytes, kept: None })
    }

    fn build(&self, folder: &Path, model: &Promela, until: Option<Instant>) -> Result<(), Failure> {
        // Without `-o2` SPIN removes variables that are never read, and so stores fewer states than there
        // are.
        let said = run(folder, &self.spin, &["-a", "-o2", "model.pml"], until)?;
        if !folder.join("pan.c").is_file() {
            let said = said.lines().next().unwrap_or_default();
            return Err(Failure::Broken(format!("spin does not take the model: {said}")));
        }
        let vector = format!("-DVECTORSZ={}", (model.bytes * 2).max(1024));
        let memory = format!("-DMEMLIM={}", (self.bytes >> 20).max(64));
        let mut arguments = vec!["-O2", "-w", "-DNOREDUCE", &vector, &memory];
        if !model.seeks_cycles {
            arguments.extend(["-DSAFETY", "-DBFS"]);
        }
        arguments.extend(["-o", "pan", "pan.c"]);
        let said = run(folder, &self.compiler, &arguments, until)?;
        match folder.join("pan").is_file() {
            true => Ok(()),
            false => {
                let said = said.lines().next().unwrap_or_default();
                Err(Failure::Broken(format!("the verifier does not compile: {said}")))
            }
        }
    }
}

impl SpinPrograms {
    /// Lets it look at a model; an error says what is missing, or that it took too long.
    pub fn search(&self, model: &Promela, until: Option<Instant>) -> Result<SpinReport, Failure> {
        let kept = self.kept.as_ref().map_or(Ok(()), |kept| kept.model(&model.text, "pml"));
        kept.map_err(Failure::Broken)?;
        let folder = TemporaryFolder::new().map_err(Failure::Broken)?;
        let place = &folder.0;
        let written = std::fs::write(place.join("model.pml"), &model.text);
        written.map_err(|error| Failure::Broken(error.to_string()))?;
        self.build(place, model, until)?;
        let mut search = String::new();
        for depth in DEPTHS {
            let cycles: &[&str] = if model.seeks_cycles { &["-a"] } else { &[] };
            search = run(place, &place.join("pan"), &[&[depth, "-w20"], cycles].concat(), until)?;
            if !pan(&search).is_too_deep || pan(&search).errors != Some(0) {
                break;
            }
        }
        let has_found = place.join("model.pml.trail").is_file();
        let follow = || run(place, &self.spin, &["-t", "-T", "model.pml"], until);
        let trail = has_found.then(follow).transpose()?;
        Ok(SpinReport { search, trail })
    }
}

impl OutsideTool for SpinPrograms {
    fn name(&self) -> &'static str {
        "spin"
    }

    fn look(
        &self,
        system: &System,
        wanted: &WantedGoal<'_>,
        time: Option<Duration>,
    ) -> Result<Opinion, ToolTrouble> {
        let model = model(system, wanted)?;
        let report = self.search(&model, end(time));
        let report = report.map_err(|failure| ToolTrouble::Unfinished(failure.to_string()))?;
        read(&model, &report)
    }
}

/// A C compiler: what `CC` says, or the first that is there.
pub fn compiler() -> Option<PathBuf> {
    let wished = std::env::var("CC").ok().filter(|wished| !wished.is_empty());
    wished.as_deref().into_iter().chain(["cc", "gcc", "clang", "tcc"]).find_map(find)
}
