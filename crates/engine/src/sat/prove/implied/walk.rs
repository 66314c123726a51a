//! Random walks: states of a System that some run passes.

use sequent_kernel::random::Random;
use sequent_kernel::system::{Config, RuleId, System};

use crate::packed::{Joint, Program, TermMemory};

/// Walks through the states of a system; the same walks every time.
pub(crate) struct RandomWalk<'s> {
    program: Program<'s>,
    memory: TermMemory,
    enabled: Vec<RuleId>,
    steps: Joint,
    random: Random,
}

impl<'s> RandomWalk<'s> {
    /// Prepares a system.
    pub(crate) fn new(system: &'s System) -> Self {
        RandomWalk {
            program: Program::new(system),
            memory: TermMemory::default(),
            enabled: Vec::new(),
            steps: Joint::default(),
            random: Random::new(1),
        }
    }

    /// Shows the states of a walk from the start, `length` at most.
    pub(crate) fn begin(&mut self, length: usize, show: &mut dyn FnMut(&Config)) {
        let first = self.program.initial();
        self.go(first, length, show);
    }

    /// Shows the states of a walk from a state, which is the first of them.
    pub(crate) fn continue_from(&mut self, config: &Config, length: usize, show: &mut dyn FnMut(&Config)) {
        let first = self.program.layout.pack(config);
        self.go(first, length, show);
    }

    fn go(&mut self, first: Vec<u64>, length: usize, show: &mut dyn FnMut(&Config)) {
        let mut state = first;
        for _ in 0..length {
            self.program.look_at(&state, &mut self.memory);
            if self.program.holds(self.program.system.void, &state, &mut self.memory) {
                return;
            }
            show(&self.program.layout.unpack(&state));
            self.program.enabled(&state, &mut self.memory, &mut self.enabled);
            self.random.shuffle(&mut self.enabled);
            self.steps.clear();
            for rule in &self.enabled {
                self.program.steps_of(*rule, &state, &mut self.memory, &mut self.steps);
                if !self.steps.is_empty() {
                    break;
                }
            }
            if self.steps.is_empty() {
                return;
            }
            let step = self.random.below(self.steps.len());
            state.clear();
            state.extend_from_slice(self.steps.state(step));
        }
    }
}
