//! What SPIN says, read back: whether it found something, how many states it stored, and the steps of its trail.

use sequent_kernel::replay::Run;
use sequent_kernel::system::Step;

/// What a verifier made by SPIN printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pan {
    /// How many errors it found; `None` if it did not come to that.
    pub errors: Option<usize>,
    /// How many states it stored.
    pub states: Option<usize>,
    /// What it complained of: the error, or why it did not look at everything.
    pub complaint: Option<String>,
    /// Whether it looked at everything.
    pub is_complete: bool,
    /// Whether runs exceeded the depth limit.
    pub is_too_deep: bool,
    /// Bytes for the states, and for the table that finds them again; what is needed to follow a run is not counted.
    pub bytes: Option<usize>,
}

/// Reads what a verifier printed. It exits with 0 whatever it found.
pub fn pan(output: &str) -> Pan {
    let mut pan = Pan { is_complete: true, ..Pan::default() };
    for line in output.lines() {
        if let Some((_, errors)) = line.split_once("errors: ") {
            pan.errors = errors.trim().parse().ok();
        }
        // Where cycles are looked for ` (30 visited)` follows: most states are met twice, and stored once.
        if let Some((number, _)) = line.split_once(" states, stored") {
            pan.states = number.trim().parse::<f64>().ok().map(|number| number as usize);
        }
        if let Some(rest) = line.strip_prefix("pan:") {
            let text =
                rest.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ':').trim();
            let is_news =
                !text.starts_with("wrote") && !text.starts_with("elapsed") && !text.starts_with("rate");
            if is_news && pan.complaint.is_none() {
                pan.complaint = Some(text.to_owned());
            }
        }
        pan.is_too_deep |= line.contains("max search depth too small");
        if line.contains("Search not completed") || line.contains("max search depth too small") {
            pan.is_complete = false;
        }
    }
    pan.bytes = bytes(output);
    pan
}

/// What a verifier says about memory, in megabytes. Blocks of it are allocated at once: where states are few they take less.
fn bytes(output: &str) -> Option<usize> {
    let megabytes = |words: &str| {
        let line = output.lines().find(|line| line.contains(words))?;
        line.split_whitespace().next()?.parse::<f64>().ok()
    };
    let needed = megabytes("equivalent memory usage for states")?;
    let states = megabytes("actual memory usage for states").map_or(needed, |actual| actual.min(needed));
    let table = megabytes("memory used for hash table")?;
    Some(((states + table) * f64::from(1 << 20)) as usize)
}

/// The steps that SPIN tells when it follows a trail.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SpinTrail {
    /// The numbers of the steps.
    pub numbers: Vec<usize>,
    /// How many come before the part that is repeated forever.
    pub cycle: Option<usize>,
}

/// Reads what SPIN prints when it follows a trail.
pub fn trail(output: &str) -> SpinTrail {
    let mut trail = SpinTrail::default();
    for line in output.lines() {
        if line.contains("<<<<<START OF CYCLE>>>>>") {
            trail.cycle = Some(trail.numbers.len());
        }
        let number = line.trim_start().strip_prefix('@').and_then(|rest| rest.split(' ').next());
        trail.numbers.extend(number.and_then(|number| number.parse::<usize>().ok()));
    }
    // What goes on forever without a step has ended.
    if trail.cycle == Some(trail.numbers.len()) {
        trail.cycle = None;
    }
    trail
}

impl SpinTrail {
    /// The run, where the steps are known by their numbers.
    pub fn run(&self, steps: &[Step]) -> Option<Run> {
        let found: Option<Vec<Step>> =
            self.numbers.iter().map(|number| steps.get(*number).cloned()).collect();
        Some(Run { steps: found?, cycle: self.cycle })
    }
}

#[cfg(test)]
mod tests {
    use super::pan;

    #[test]
    fn states_are_counted_whether_cycles_are_looked_for_or_not() {
        let told = |stored: &str, warning: &str| {
            format!(
                "{warning}\n(Spin Version 6.5.2 -- 6 December 2019)\nState-vector 44 byte, depth reached 24, errors: 0\n\
                 {stored}\n       16 states, matched\n"
            )
        };
        let cycles = pan(&told("       16 states, stored (30 visited)", ""));
        assert_eq!((cycles.errors, cycles.states, cycles.is_complete), (Some(0), Some(16), true));
        let plain = pan(&told("    1.5e+06 states, stored", "Warning: Search not completed"));
        assert_eq!((plain.errors, plain.states, plain.is_complete), (Some(0), Some(1_500_000), false));
    }
}
