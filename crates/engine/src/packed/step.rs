//! Steps: rules that fire together, and the state they lead to.
//!
//! The same steps in the same order as the interpreter's ([`System::steps`](sequent_kernel::system::System::steps)): an
//! acting rule, one taking rule of another component for each label it offers, and for each component with an ear for
//! what is shown one listening rule. Where a value would leave its domain, or two rules disagree on one, there is no step.

use sequent_kernel::system::{EventId, Join, LabelId, RuleId, VariableId};

use super::{ConstantWrites, Move, Program, TermMemory};

/// Steps of one state, in order: the rules of each, and the states they lead to.
#[derive(Clone, Debug, Default)]
pub struct Joint {
    rules: Vec<RuleId>,
    ends: Vec<u32>,
    states: Vec<u64>,
    /// How many words a state takes.
    words: usize,
    // Buffers for the step under construction.
    together: Vec<RuleId>,
    assigned: Vec<(VariableId, i32)>,
}

impl Joint {
    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Forgets all steps.
    pub fn clear(&mut self) {
        self.rules.clear();
        self.ends.clear();
        self.states.clear();
    }

    /// The rules of a step, the one that acts first.
    pub fn rules(&self, step: usize) -> &[RuleId] {
        let start = if step == 0 { 0 } else { self.ends[step - 1] as usize };
        &self.rules[start..self.ends[step] as usize]
    }

    /// Where a step leads.
    pub fn state(&self, step: usize) -> &[u64] {
        &self.states[step * self.words..][..self.words]
    }
}

/// Appends a state; most have one word, for which a call is too much.
#[inline]
pub fn copy(state: &[u64], states: &mut Vec<u64>) {
    match state {
        [word] => states.push(*word),
        words => states.extend_from_slice(words),
    }
}

impl Program<'_> {
    /// Adds all steps in which a rule acts whose guard holds in the state that the memory looks at.
    #[inline]
    pub(crate) fn steps_of(&self, actor: RuleId, state: &[u64], memory: &mut TermMemory, steps: &mut Joint) {
        let effect = &self.effects[actor];
        if !effect.is_alone {
            return self.joined_steps(actor, state, memory, steps);
        }
        let start = steps.states.len();
        steps.words = state.len();
        copy(state, &mut steps.states);
        let next = &mut steps.states[start..];
        self.constants(actor).iter().for_each(|write| write.apply(next));
        for Move { from, to, mask, distance } in
            &self.moves[effect.moves.start as usize..effect.moves.end as usize]
        {
            let word = &mut next[*to as usize];
            let bits = (state[*from as usize] & mask).rotate_left(*distance);
            *word = *word & !mask.rotate_left(*distance) | bits;
        }
        for (field, term) in &self.computed[effect.computed.start as usize..effect.computed.end as usize] {
            let value = self.terms.value(*term, state, memory);
            if !field.has(value) {
                steps.states.truncate(start);
                return;
            }
            field.write(next, value);
        }
        steps.rules.push(actor);
        steps.ends.push(steps.rules.len() as u32);
    }

    fn joined_steps(&self, actor: RuleId, state: &[u64], memory: &mut TermMemory, steps: &mut Joint) {
        steps.together.clear();
        steps.together.push(actor);
        match &self.system.rules[actor].join {
            Join::Alone => self.hear(state, memory, steps),
            Join::Offer(labels) => self.take(labels, state, memory, steps),
            Join::Take(_) | Join::Listen(_) => {}
        }
    }

    /// Lets the labels be taken by rules of components that do not take part yet, in all ways.
    fn take(&self, labels: &[LabelId], state: &[u64], memory: &mut TermMemory, steps: &mut Joint) {
        let Some((label, rest)) = labels.split_first() else { return self.hear(state, memory, steps) };
        for taker in &self.takers[*label] {
            let component = self.system.rules[*taker].component;
            let is_free = steps.together.iter().all(|other| self.system.rules[*other].component != component);
            if is_free && self.is_enabled(*taker, state, memory) {
                steps.together.push(*taker);
                self.take(rest, state, memory, steps);
                steps.together.pop();
            }
        }
    }

    /// Lets observers listen to what the step shows, in all ways.
    fn hear(&self, state: &[u64], memory: &mut TermMemory, steps: &mut Joint) {
        if !self.has_ears {
            return self.conclude(state, memory, steps);
        }
        let events = self.system.shown(&steps.together);
        let ears = events.flat_map(|event: EventId| &self.listeners[event]).copied();
        let mut ears: Vec<RuleId> = ears.filter(|rule| self.is_enabled(*rule, state, memory)).collect();
        ears.sort_unstable_by_key(|rule| (self.system.rules[*rule].component, *rule));
        ears.dedup();
        self.listen(&ears, state, memory, steps);
    }

    /// One listening rule for each component, in all ways; `ears` are sorted by component.
    fn listen(&self, ears: &[RuleId], state: &[u64], memory: &mut TermMemory, steps: &mut Joint) {
        let component = |rule: &RuleId| self.system.rules[*rule].component;
        let Some(first) = ears.first() else { return self.conclude(state, memory, steps) };
        let rivals = ears.iter().take_while(|rule| component(rule) == component(first)).count();
        for ear in &ears[..rivals] {
            steps.together.push(*ear);
            self.listen(&ears[rivals..], state, memory, steps);
            steps.together.pop();
        }
    }

    /// The constants that a rule writes.
    pub(super) fn constants(&self, rule: RuleId) -> &[ConstantWrites] {
        let writes = &self.effects[rule].writes;
        &self.writes[writes.start as usize..writes.end as usize]
    }

    /// Keeps the step if its updates are fine.
    fn conclude(&self, state: &[u64], memory: &mut TermMemory, steps: &mut Joint) {
        if steps.together.iter().all(|rule| self.effects[*rule].is_constant) {
            return self.conclude_constant(state, steps);
        }
        let Joint { rules, ends, states, words, together, assigned } = steps;
        *words = state.len();
        assigned.clear();
        for (variable, term) in together.iter().flat_map(|rule| &self.system.rules[*rule].updates) {
            let value = self.terms.value(*term, state, memory);
            let disagrees = |(other, known): &(VariableId, i32)| other == variable && *known != value;
            if !self.layout.field(*variable).has(value) || assigned.iter().any(disagrees) {
                return;
            }
            assigned.push((*variable, value));
        }
        let start = states.len();
        states.extend_from_slice(state);
        for (variable, value) in assigned {
            self.layout.field(*variable).write(&mut states[start..], *value);
        }
        rules.extend_from_slice(together);
        ends.push(rules.len() as u32);
    }

    /// The same where all rules write nothing but constants.
    fn conclude_constant(&self, state: &[u64], steps: &mut Joint) {
        let Joint { rules, ends, states, words, together, .. } = steps;
        *words = state.len();
        for (number, rule) in together.iter().enumerate() {
            let earlier = || together[..number].iter().flat_map(|other| self.constants(*other));
            let disagrees = |write| earlier().any(|other| other.disagrees(write));
            if self.constants(*rule).iter().any(disagrees) {
                return;
            }
        }
        let start = states.len();
        copy(state, states);
        let next = &mut states[start..];
        for rule in &*together {
            self.constants(*rule).iter().for_each(|write| write.apply(next));
        }
        rules.extend_from_slice(together);
        ends.push(rules.len() as u32);
    }
}

impl ConstantWrites {
    #[inline]
    fn apply(&self, state: &mut [u64]) {
        let word = &mut state[self.word as usize];
        *word = *word & !self.mask | self.bits;
    }

    /// Whether both write some variable, and not the same.
    fn disagrees(&self, other: &ConstantWrites) -> bool {
        self.word == other.word && (self.bits ^ other.bits) & self.mask & other.mask != 0
    }
}
