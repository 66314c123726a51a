//! Layout: where each variable's value lies in the bits of a packed state.
//!
//! A variable with `n` values takes as many bits as `n - 1` needs, as its distance from the least value; none crosses a
//! word, so that a comparison is one mask and one compare, and an assignment one mask and one or.

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::system::{Config, System, VariableId};

/// The bits of one variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Which word.
    pub word: u32,
    /// How far from its lowest bit.
    pub shift: u32,
    /// The bits, where they lie in the word.
    pub mask: u64,
    /// The least value.
    pub min: i32,
    /// The greatest value.
    pub max: i32,
}

impl Field {
    /// The value in a state.
    pub fn read(&self, state: &[u64]) -> i32 {
        let bits = (state[self.word as usize] & self.mask) >> self.shift;
        (i64::from(self.min) + bits as i64) as i32
    }

    /// Whether the variable may have a value.
    pub fn has(&self, value: i32) -> bool {
        (self.min..=self.max).contains(&value)
    }

    /// Whether another variable has the same values.
    pub(crate) fn is_like(&self, other: &Field) -> bool {
        (self.min, self.max) == (other.min, other.max)
    }

    /// The bits of a value of the domain, where they lie in the word.
    pub fn bits(&self, value: i32) -> u64 {
        ((i64::from(value) - i64::from(self.min)) as u64) << self.shift
    }

    /// Gives the variable a value of its domain.
    pub fn write(&self, state: &mut [u64], value: i32) {
        let word = &mut state[self.word as usize];
        *word = *word & !self.mask | self.bits(value);
    }
}

/// The fields of all variables.
#[derive(Clone, Debug)]
pub struct PackedLayout {
    fields: IdVec<VariableId, Field>,
    words: usize,
    /// Bits of the last word that are taken.
    used: u32,
}

impl PackedLayout {
    /// Lays the variables out in their order.
    pub fn new(system: &System) -> Self {
        let (mut word, mut used) = (0, 0);
        let mut fields = IdVec::new();
        for variable in &system.variables {
            let most = (i64::from(variable.max) - i64::from(variable.min)).max(0) as u64;
            let bits = u64::BITS - most.leading_zeros();
            if used + bits > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            // A variable without bits may find its word full.
            let shift = used.min(u64::BITS - 1);
            let mask = if bits == 0 { 0 } else { (u64::MAX >> (u64::BITS - bits)) << shift };
            fields.push(Field { word, shift, mask, min: variable.min, max: variable.max });
            used += bits;
        }
        PackedLayout { fields, words: word as usize + 1, used }
    }

    /// How many words a state takes, at least one.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Where the variables lie, in their order.
    pub fn fields(&self) -> Vec<Field> {
        self.fields.iter().copied().collect()
    }

    /// The bits of each word in which variables lie.
    pub fn masks(&self) -> Vec<u64> {
        let mut masks = vec![0; self.words];
        self.fields.iter().for_each(|field| masks[field.word as usize] |= field.mask);
        masks
    }

    /// Where a variable lies.
    pub fn field(&self, variable: VariableId) -> Field {
        self.fields[variable]
    }

    /// A field of `bits` bits beside the variables, and how many words both take. The steps of a
    /// [Program](super::Program) leave the field as it is.
    pub fn beside(&self, bits: u32) -> (Field, usize) {
        let fits = self.used + bits <= u64::BITS;
        let (word, shift) = if fits { (self.words - 1, self.used) } else { (self.words, 0) };
        // Without bits, the word may be full.
        let shift = shift.min(u64::BITS - 1);
        let mask = if bits == 0 { 0 } else { (u64::MAX >> (u64::BITS - bits)) << shift };
        (Field { word: word as u32, shift, mask, min: 0, max: i32::MAX }, word + 1)
    }

    /// A configuration in bits.
    pub fn pack(&self, config: &Config) -> Vec<u64> {
        let mut state = vec![0; self.words];
        for (id, field) in self.fields.enumerate() {
            field.write(&mut state, config.0[id.index()]);
        }
        state
    }

    /// The configuration behind some bits.
    pub fn unpack(&self, state: &[u64]) -> Config {
        Config(self.fields.iter().map(|field| field.read(state)).collect())
    }
}
