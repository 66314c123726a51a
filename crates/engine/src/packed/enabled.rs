//! Enabled: the rules whose tests hold in a state, found from those of the state that was asked about before.
//!
//! In a long diagram each rule waits for the event before it, and no variable tells many rules apart: an
//! [index](super::index) asks nearly all of them one by one, so that the time for a state grows with the diagram, although a step
//! changes a few bits. States that are expanded one after the other are often alike. So of the last state the rules are kept
//! whose tests held, and only those are asked again that read a bit which differs. Where states differ in many bits the
//! index is quicker, and is asked.

use sequent_kernel::id::Id;
use sequent_kernel::system::RuleId;

use super::Program;

/// Where fewer rules than this are asked one by one in every state, the index alone is quick enough.
const FEW_ASKED: usize = 64;

/// If one in this many of them would have to be asked again, the index is asked.
const SHARE: usize = 4;

/// For each bit of a state the rules that act whose tests read it.
#[derive(Clone, Debug)]
pub(crate) struct RuleReaders {
    /// Where the rules of each bit start.
    starts: Vec<u32>,
    rules: Vec<RuleId>,
    /// More rules are not asked again.
    most: usize,
}

impl RuleReaders {
    /// Looks through the rules of a program whose guards and index are ready; `None` if the index is quick enough.
    pub(super) fn new(program: &Program<'_>) -> Option<Self> {
        let asked = program.questions.always_asked();
        if asked < FEW_ASKED {
            return None;
        }
        let mut starts = vec![0_u32; program.words() * u64::BITS as usize + 1];
        let pairs = || {
            let possible = program.actors.iter().filter(|rule| program.guards[**rule].is_possible);
            let tests = possible
                .flat_map(|rule| program.tests_of(&program.guards[*rule]).iter().map(|test| (*rule, test)));
            tests.flat_map(|(rule, test)| bits(test.word as usize, test.mask).map(move |bit| (rule, bit)))
        };
        for (_, bit) in pairs() {
            starts[bit] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut rules = vec![RuleId::from_index(0); sum as usize];
        for (rule, bit) in pairs() {
            starts[bit] -= 1;
            rules[starts[bit] as usize] = rule;
        }
        Some(RuleReaders { starts, rules, most: asked / SHARE })
    }

    fn of(&self, bit: usize) -> &[RuleId] {
        &self.rules[self.starts[bit] as usize..self.starts[bit + 1] as usize]
    }
}

/// What was found out about the last state.
#[derive(Default)]
pub(crate) struct EnabledRules {
    /// Whether there was a state before.
    is_begun: bool,
    state: Vec<u64>,
    /// The rules whose tests hold there, in their order.
    rules: Vec<RuleId>,
    /// The turn in which each rule was asked last.
    asked: Vec<u32>,
    turn: u32,
    /// Those that are asked in this turn.
    open: Vec<RuleId>,
}

impl EnabledRules {
    /// Turns to another state of the same program; the rules that act whose tests hold there, in their order.
    pub(super) fn turn(&mut self, program: &Program<'_>, readers: &RuleReaders, state: &[u64]) -> &[RuleId] {
        // What observers remember stands behind the words of the program; no rule reads it.
        let state = &state[..program.words().min(state.len())];
        match self.is_begun && self.differences(readers, state) {
            true => {
                let (asked, turn) = (&self.asked, self.turn);
                self.rules.retain(|rule| asked[rule.index()] != turn);
                let holds = |rule: &RuleId| {
                    program.tests_of(&program.guards[*rule]).iter().all(|test| test.holds(state))
                };
                self.rules.extend(self.open.iter().copied().filter(holds));
            }
            false => {
                self.asked.resize(program.system.rules.len(), self.turn);
                self.rules.clear();
                program.questions.find(state, &mut self.rules);
            }
        }
        self.rules.sort_unstable();
        self.is_begun = true;
        self.state.clear();
        self.state.extend_from_slice(state);
        &self.rules
    }

    /// Finds the rules that read a bit in which the last state and this one differ; false if they are too many.
    fn differences(&mut self, readers: &RuleReaders, state: &[u64]) -> bool {
        self.open.clear();
        if self.turn == u32::MAX {
            self.asked.iter_mut().for_each(|turn| *turn = 0);
            self.turn = 0;
        }
        self.turn += 1;
        for (word, (was, is)) in self.state.iter().zip(state).enumerate() {
            for bit in bits(word, was ^ is) {
                for rule in readers.of(bit) {
                    if std::mem::replace(&mut self.asked[rule.index()], self.turn) != self.turn {
                        self.open.push(*rule);
                    }
                }
                if self.open.len() > readers.most {
                    return false;
                }
            }
        }
        true
    }
}

/// The bits of a word of a state that a mask has, by their number in the state.
fn bits(word: usize, mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| word * u64::BITS as usize + mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use sequent_kernel::random::Random;
    use sequent_testing::diagram::system;

    use super::*;
    use crate::packed::TermMemory;

    /// Follows random runs, with jumps back to earlier states: the rules that are found are those whose guards hold.
    fn check(text: &str, seed: u64) -> usize {
        let mut random = Random::new(seed);
        let system = system(text);
        let program = Program::new(&system);
        let (mut last, mut memory) = (EnabledRules::default(), TermMemory::default());
        let mut configs = vec![system.initial()];
        for _ in 0..400 {
            let place = if random.below(8) == 0 { random.below(configs.len()) } else { configs.len() - 1 };
            let config = configs[place].clone();
            let mut state = program.layout.pack(&config);
            // What an observer remembers.
            state.push(random.below(1 << 20) as u64);
            program.look_at(&state, &mut memory);
            let mut enabled = Vec::new();
            program.enabled(&state, &mut memory, &mut last, &mut enabled);
            let holds = |rule: &RuleId| system.holds(system.rules[*rule].guard, &config);
            let expected: Vec<RuleId> = program.actors().iter().copied().filter(holds).collect();
            assert_eq!(enabled, expected, "{text}");
            let next = system.successors(&config);
            configs.push(random.pick(&next).map_or_else(|| system.initial(), |(_, next)| next.clone()));
        }
        program.questions.always_asked()
    }

    #[test]
    fn rules_are_those_whose_guards_hold() {
        let row: String = (0..120).map(|number| format!("a ->> b : m{number}\n")).collect();
        assert!(check(&row, 1) >= FEW_ASKED, "nothing tells the rules of a row apart");
        let block =
            |number| format!("opt\na ->> b : m{number}\nend\nb ->> c : n{number}\nc ->> a : o{number}\n");
        check(&(0..40).map(block).collect::<String>(), 2);
        let beside: Vec<String> = (0..4)
            .map(|part| {
                (0..25).map(|number| format!("a{part} ->> b{part} : m{number}\n")).collect::<String>()
            })
            .collect();
        check(&format!("par\n{}end\n", beside.join("else\n")), 3);
    }
}
