//! What NuSMV says, read back: which specifications are true, and the steps of a counterexample.
//!
//! It exits with 0 whatever it found. Of each state of a counterexample it prints what has changed.

use sequent_kernel::replay::Run;
use sequent_kernel::system::Step;

/// What NuSMV printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Said {
    /// For each specification, in the order in which they were checked, whether it is true.
    pub verdicts: Vec<bool>,
    /// For each state of the first counterexample the value of `step`.
    pub steps: Vec<usize>,
    /// The number of the state in which the part begins that is repeated forever.
    pub cycle: Option<usize>,
    /// How many states can be reached, where it was asked to count them.
    pub states: Option<usize>,
    /// The first thing that it complained of.
    pub complaint: Option<String>,
}

/// Reads what NuSMV printed.
pub fn said(output: &str) -> Said {
    let mut said = Said::default();
    let (mut traces, mut is_loop) = (0, false);
    for line in output.lines().map(str::trim) {
        if line.starts_with("-- specification") || line.starts_with("-- invariant") {
            let verdict = [("is true", true), ("is false", false)];
            said.verdicts.extend(verdict.iter().find(|(end, _)| line.ends_with(end)).map(|(_, value)| value));
        } else if line.starts_with("Trace Type") {
            traces += 1;
        } else if line.starts_with("-- Loop starts here") {
            is_loop = true;
        } else if let Some(rest) = line.strip_prefix("reachable states: ") {
            let number = rest.split(' ').next().and_then(|number| number.parse::<f64>().ok());
            said.states = number.map(|number| number as usize);
        } else if traces == 1 && line.starts_with("-> State:") {
            // What is not printed is as before.
            said.steps.push(said.steps.last().copied().unwrap_or(0));
            // Every state is marked that comes again at the end; the first is where it begins.
            if std::mem::take(&mut is_loop) && said.cycle.is_none() {
                said.cycle = Some(said.steps.len() - 1);
            }
        } else if let (1, Some(value)) = (traces, line.strip_prefix("step = ")) {
            if let (Some(last), Ok(value)) = (said.steps.last_mut(), value.parse()) {
                *last = value;
            }
        }
        let is_problem = ["error", "aborting", "out of memory", "undefined", "syntax"];
        let is_complaint = !line.starts_with("***") && !line.starts_with("--");
        if is_complaint && said.complaint.is_none() {
            let lower = line.to_lowercase();
            said.complaint = is_problem.iter().any(|word| lower.contains(word)).then(|| line.to_owned());
        }
    }
    said
}

impl Said {
    /// The run of the counterexample, where the steps are known by their numbers from 1 on.
    pub fn run(&self, steps: &[Step]) -> Option<Run> {
        // The first state is the beginning; where no step led to a state, the run has come to its end.
        let taken: Vec<usize> =
            self.steps.iter().skip(1).copied().take_while(|number| *number != 0).collect();
        let is_over = taken.len() + 1 < self.steps.len();
        let found: Option<Vec<Step>> = taken.iter().map(|number| steps.get(number - 1).cloned()).collect();
        let cycle = self.cycle.filter(|cycle| !is_over && *cycle < taken.len());
        (!self.steps.is_empty()).then_some(())?;
        Some(Run { steps: found?, cycle })
    }
}
