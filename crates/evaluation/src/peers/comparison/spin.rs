//! SPIN, measured: it writes a verifier, a C compiler builds it, and it searches.

use std::path::PathBuf;
use std::time::Duration;

use sequent_report::export::promela::pan;

use super::Host;
use crate::peers::Figures;

/// SPIN and a C compiler.
pub(crate) struct SpinToolchain<'h> {
    host: &'h dyn Host,
    spin: PathBuf,
    compiler: PathBuf,
    /// How long each program may take.
    time: Duration,
}

/// How SPIN did.
#[derive(Clone, Copy)]
pub(crate) struct Spun {
    /// Microseconds to write the verifier.
    pub generation: u64,
    /// Microseconds to compile it.
    pub(crate) compilation: u64,
    /// How its search went.
    pub search: Figures,
    /// Whether it found something.
    pub is_found: bool,
}

impl Spun {
    /// Microseconds from the model to the answer.
    pub(crate) fn micros(&self) -> u64 {
        self.generation + self.compilation + self.search.micros
    }
}

/// What is verified, and how.
pub(crate) struct SpinJob<'a> {
    /// The model.
    pub text: &'a str,
    /// Whether SPIN leaves out what it can do without.
    pub is_reduced: bool,
    /// Whether cycles are looked for, and not only states.
    pub seeks_cycles: bool,
    /// About how many states there are.
    pub states: usize,
}

/// Bits of SPIN's hash table, at least and at most.
const TABLE: [u32; 2] = [10, 30];

/// Steps that a run is followed, at least and at most.
const DEPTH: [usize; 2] = [10_000, 50_000_000];

impl<'h> SpinToolchain<'h> {
    /// What is on the PATH.
    pub(crate) fn find(host: &'h dyn Host, time: Duration) -> Option<Self> {
        Some(SpinToolchain { host, spin: host.find("spin")?, compiler: host.compiler()?, time })
    }

    /// Verifies a model: the best of some runs of its verifier.
    pub(crate) fn verify(&self, job: &SpinJob<'_>, runs: usize) -> Result<Spun, String> {
        let folder = self.host.folder()?;
        folder.write("model.pml", job.text)?;
        // Without `-o2` SPIN removes variables that are never read, and so stores fewer states than there
        // are.
        let generated = folder.run(&self.spin, &["-a", "-o2", "model.pml"], self.time)?;
        let mut arguments = vec!["-O2", "-w", "-DVECTORSZ=8192", "-DMEMLIM=16000"];
        if !job.is_reduced {
            arguments.push("-DNOREDUCE");
        }
        if !job.seeks_cycles {
            arguments.push("-DSAFETY");
        }
        arguments.extend(["-o", "pan", "pan.c"]);
        let compiled = folder.run(&self.compiler, &arguments, self.time)?;
        if !folder.has("pan") {
            let said = format!("{}{}", generated.said, compiled.said);
            return Err(said.lines().next().unwrap_or("no verifier").to_owned());
        }
        // As many slots as states: what is fewer is slower, what is more takes more memory.
        let bits = job.states.max(2).next_power_of_two().trailing_zeros().clamp(TABLE[0], TABLE[1]);
        let depth = (job.states + 1).clamp(DEPTH[0], DEPTH[1]);
        let (table, depth) = (format!("-w{bits}"), format!("-m{depth}"));
        let mut arguments = vec![table.as_str(), depth.as_str()];
        arguments.extend(job.seeks_cycles.then_some("-a"));
        let mut best: Option<Spun> = None;
        for _ in 0..runs.max(1) {
            let searched = folder.run(&folder.path("pan"), &arguments, self.time)?;
            let said = pan(&searched.said);
            let (Some(errors), Some(states)) = (said.errors, said.states) else {
                return Err(said.complaint.unwrap_or_else(|| "no answer".to_owned()));
            };
            if errors == 0 && !said.is_complete {
                return Err(said.complaint.unwrap_or_else(|| "not everything was looked at".to_owned()));
            }
            let search = Figures { micros: searched.micros, states, bytes: said.bytes.unwrap_or(0) };
            let spun = Spun {
                generation: generated.micros,
                compilation: compiled.micros,
                search,
                is_found: errors > 0,
            };
            best = best.filter(|best| best.search.micros <= search.micros).or(Some(spun));
        }
        best.ok_or_else(|| "no answer".to_owned())
    }
}
