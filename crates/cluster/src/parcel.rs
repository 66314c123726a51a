//! Parcels: what one worker sends another: states, labels of states, or a census.
//!
//! A state takes the bytes that its variables need, not whole words. Before it stands where it was reached from, as the distance
//! from the state before it in the parcel: a worker expands its states in order, so that is mostly one byte. Before a state that is
//! known stands a label.

use std::io::Write;

use sequent_engine::search::OmissionTally;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::container::Accountable;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};

use crate::bytes::{ByteReader, ByteWriter};

/// The name of a state: the shard in which it lies, and its number there. Names of one level are in the order in which its states
/// are expanded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct StateName(pub u64);

/// Bits of the number in a shard.
const LOCAL_BITS: u32 = 48;

impl StateName {
    /// The state of this number in a shard.
    pub(crate) fn new(shard: usize, local: usize) -> Self {
        StateName((shard as u64) << LOCAL_BITS | local as u64)
    }

    /// The shard.
    pub(crate) fn shard(self) -> usize {
        (self.0 >> LOCAL_BITS) as usize
    }

    /// The number in it.
    pub(crate) fn local(self) -> usize {
        (self.0 & ((1 << LOCAL_BITS) - 1)) as usize
    }
}

/// Bytes for a worker; timely counts a parcel as one record.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Parcel {
    /// The number of the receiving worker.
    pub target: usize,
    /// What it holds; nothing if it is none.
    pub bytes: Vec<u8>,
}

/// What a parcel takes on the wire besides its bytes: timely's header, the sender, the number, the level.
pub(crate) const HEADER: usize = 48 + 16 + 8;

/// The first byte of parcels.
const STATES: u8 = 1;
const CENSUS: u8 = 2;
const LABELS: u8 = 3;
const COUNT: u8 = 4;

impl Accountable for Parcel {
    fn record_count(&self) -> i64 {
        i64::from(!self.bytes.is_empty())
    }
}

impl ContainerBytes for Parcel {
    fn from_bytes(bytes: Bytes) -> Self {
        let mut from = ByteReader(&bytes[..]);
        let length = from.take(8).and_then(|length| length.try_into().ok()).map_or(0, u64::from_le_bytes);
        let bytes = from.take(usize::try_from(length).unwrap_or(usize::MAX));
        Parcel { target: 0, bytes: bytes.expect("a peer of the same build wrote it").to_vec() }
    }

    fn length_in_bytes(&self) -> usize {
        8 + self.bytes.len().next_multiple_of(8)
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let length = (self.bytes.len() as u64).to_le_bytes();
        let rest = self.bytes.len().next_multiple_of(8) - self.bytes.len();
        for part in [&length[..], &self.bytes, &[0; 8][..rest]] {
            writer.write_all(part).expect("memory takes it");
        }
    }
}

/// Routes each parcel to its target.
pub(crate) struct ParcelDelivery;

impl Distributor<Parcel> for ParcelDelivery {
    fn partition<T: Clone, P: Push<Message<T, Parcel>>>(
        &mut self,
        parcel: &mut Parcel,
        time: &T,
        workers: &mut [P],
    ) {
        let target = parcel.target;
        Message::push_at(parcel, time.clone(), &mut workers[target]);
    }

    fn flush<T: Clone, P: Push<Message<T, Parcel>>>(&mut self, _: &T, _: &mut [P]) {}
}

/// What a worker tells all others when it has expanded its states of a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Census {
    /// How many bytes its states took when it began to.
    pub bytes: u64,
    /// How many states it expanded.
    pub expanded: u64,
    /// Whether one of them is what is looked for.
    pub has_found: bool,
    /// What was left out.
    pub tally: OmissionTally,
}

impl Census {
    /// As a parcel.
    pub(crate) fn parcel(&self, target: usize) -> Parcel {
        let mut out = ByteWriter(vec![CENSUS]);
        let OmissionTally { states, actions, left_out } = self.tally;
        for value in [self.bytes, self.expanded] {
            out.number(value);
        }
        out.truth(self.has_found);
        for value in [states, actions, left_out] {
            out.number(value as u64);
        }
        Parcel { target, bytes: out.0 }
    }

    fn read(mut from: ByteReader<'_>) -> Option<Self> {
        Some(Census {
            bytes: from.number()?,
            expanded: from.number()?,
            has_found: from.truth()?,
            tally: OmissionTally { states: from.count()?, actions: from.count()?, left_out: from.count()? },
        })
    }

    /// This and another one.
    pub(crate) fn and(self, other: Census) -> Census {
        let mut tally = self.tally;
        tally += other.tally;
        Census {
            bytes: self.bytes + other.bytes,
            expanded: self.expanded + other.expanded,
            has_found: self.has_found || other.has_found,
            tally,
        }
    }
}

/// What a worker tells all others when it has passed on labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct LabelCensus {
    /// How many bytes it has taken.
    pub bytes: u64,
    /// How many labels it sent.
    pub sent: u64,
    /// How many states it has left, and how many it left out.
    pub left: u64,
    pub dropped: u64,
    /// Whether it was told to stop.
    pub is_stopped: bool,
}

impl LabelCensus {
    /// As a parcel.
    pub(crate) fn parcel(&self, target: usize) -> Parcel {
        let mut out = ByteWriter(vec![COUNT]);
        for value in [self.bytes, self.sent, self.left, self.dropped] {
            out.number(value);
        }
        out.truth(self.is_stopped);
        Parcel { target, bytes: out.0 }
    }

    fn read(mut from: ByteReader<'_>) -> Option<Self> {
        Some(LabelCensus {
            bytes: from.number()?,
            sent: from.number()?,
            left: from.number()?,
            dropped: from.number()?,
            is_stopped: from.truth()?,
        })
    }

    /// This and another one.
    pub(crate) fn and(self, other: LabelCensus) -> LabelCensus {
        LabelCensus {
            bytes: self.bytes + other.bytes,
            sent: self.sent + other.sent,
            left: self.left + other.left,
            dropped: self.dropped + other.dropped,
            is_stopped: self.is_stopped || other.is_stopped,
        }
    }
}

/// How many bytes each word of a state takes.
#[derive(Clone, Debug)]
pub(crate) struct StateWidths(Vec<usize>);

impl StateWidths {
    /// The bytes that states need of which these bits are in use, by word.
    pub(crate) fn new(masks: &[u64]) -> Self {
        let bits = |mask: &u64| u64::BITS - mask.leading_zeros();
        StateWidths(masks.iter().map(|mask| bits(mask).div_ceil(8) as usize).collect())
    }
}

/// States for one worker that are not sent yet.
#[derive(Clone, Debug)]
pub(crate) struct Loading {
    out: ByteWriter,
    last: StateName,
}

impl Default for Loading {
    fn default() -> Self {
        Loading { out: ByteWriter(vec![STATES]), last: StateName(0) }
    }
}

impl Loading {
    /// Appends a state and where it was reached from, which is no less than for the one before.
    #[inline]
    pub(crate) fn push(&mut self, state: &[u64], parent: StateName, form: &StateWidths) {
        self.out.number(parent.0 - self.last.0);
        self.last = parent;
        self.push_words(state, form);
    }

    /// Appends a state that is known, and its label.
    #[inline]
    pub(crate) fn push_label(&mut self, state: &[u64], label: u64, form: &StateWidths) {
        self.out.number(label);
        self.push_words(state, form);
    }

    fn push_words(&mut self, state: &[u64], form: &StateWidths) {
        for (word, bytes) in state.iter().zip(&form.0) {
            self.out.0.extend_from_slice(&word.to_le_bytes()[..*bytes]);
        }
    }

    /// How many bytes there are.
    pub(crate) fn len(&self) -> usize {
        self.out.0.len()
    }

    /// Whether there is no state.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// All of it, to be sent.
    pub(crate) fn take(&mut self, target: usize) -> Parcel {
        Parcel { target, bytes: std::mem::take(self).out.0 }
    }

    /// All of it, which are labels.
    pub(crate) fn take_labels(&mut self, target: usize) -> Parcel {
        let mut parcel = self.take(target);
        parcel.bytes[0] = LABELS;
        parcel
    }
}

/// Reads a parcel: states go to `visit`, a census comes back. An error if it is neither.
pub(crate) fn open(
    parcel: &Parcel,
    form: &StateWidths,
    state: &mut Vec<u64>,
    mut visit: impl FnMut(&[u64], StateName),
) -> Result<Option<Census>, Torn> {
    let mut from = ByteReader(&parcel.bytes);
    match from.byte() {
        Some(CENSUS) => return Census::read(from).map(Some).ok_or(Torn),
        Some(STATES) => {}
        _ => return Err(Torn),
    }
    let mut parent = 0_u64;
    while !from.is_over() {
        parent = from.number().and_then(|more| parent.checked_add(more)).ok_or(Torn)?;
        read_words(&mut from, form, state)?;
        visit(state, StateName(parent));
    }
    Ok(None)
}

/// Reads a parcel: labels go to `visit`, a census comes back. An error if it is neither.
pub(crate) fn open_labels(
    parcel: &Parcel,
    form: &StateWidths,
    state: &mut Vec<u64>,
    mut visit: impl FnMut(&[u64], u64),
) -> Result<Option<LabelCensus>, Torn> {
    let mut from = ByteReader(&parcel.bytes);
    match from.byte() {
        Some(COUNT) => return LabelCensus::read(from).map(Some).ok_or(Torn),
        Some(LABELS) => {}
        _ => return Err(Torn),
    }
    while !from.is_over() {
        let label = from.number().ok_or(Torn)?;
        read_words(&mut from, form, state)?;
        visit(state, label);
    }
    Ok(None)
}

fn read_words(from: &mut ByteReader<'_>, form: &StateWidths, state: &mut Vec<u64>) -> Result<(), Torn> {
    state.clear();
    for bytes in &form.0 {
        let mut word = [0; 8];
        word[..*bytes].copy_from_slice(from.take(*bytes).ok_or(Torn)?);
        state.push(u64::from_le_bytes(word));
    }
    Ok(())
}

/// A parcel that cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Torn;

#[cfg(test)]
mod tests {
    use super::{
        Census, LabelCensus, Loading, OmissionTally, Parcel, StateName, StateWidths, Torn, open, open_labels,
    };

    #[test]
    fn labels_come_as_they_were_sent() {
        let form = StateWidths(vec![8, 2]);
        let sent = [([u64::MAX, 513], u64::MAX), ([1, 0], 0)];
        let mut loading = Loading::default();
        sent.iter().for_each(|(state, label)| loading.push_label(state, *label, &form));
        let parcel = loading.take_labels(1);
        let mut seen = Vec::new();
        let mut keep = |state: &[u64], label| seen.push((state.to_vec(), label));
        assert_eq!(open_labels(&parcel, &form, &mut Vec::new(), &mut keep), Ok(None));
        assert_eq!(seen, sent.map(|(state, label)| (state.to_vec(), label)));
        assert!(open(&parcel, &form, &mut Vec::new(), |_, _| {}).is_err(), "they are no states");
        let census = LabelCensus { bytes: 1 << 40, sent: 2, left: 3, dropped: 4, is_stopped: true };
        let read = open_labels(&census.parcel(0), &form, &mut Vec::new(), |_, _| {});
        assert_eq!(read, Ok(Some(census)));
    }

    #[test]
    fn states_come_as_they_were_sent() {
        let form = StateWidths(vec![8, 2]);
        let sent = [
            ([u64::MAX, 513], StateName::new(0, 5)),
            ([1, 0], StateName::new(0, 5)),
            ([7, 65_535], StateName::new(63, 1)),
        ];
        let mut loading = Loading::default();
        sent.iter().for_each(|(state, parent)| loading.push(state, *parent, &form));
        let parcel = loading.take(3);
        assert!(loading.is_empty());
        let mut seen = Vec::new();
        let census =
            open(&parcel, &form, &mut Vec::new(), |state, parent| seen.push((state.to_vec(), parent)));
        assert_eq!(census, Ok(None));
        assert_eq!(seen, sent.map(|(state, parent)| (state.to_vec(), parent)));
        let cut = Parcel { bytes: parcel.bytes[..parcel.bytes.len() - 1].to_vec(), ..parcel };
        assert_eq!(open(&cut, &form, &mut Vec::new(), |_, _| {}), Err(Torn));
    }

    #[test]
    fn a_census_comes_as_it_was_sent() {
        let tally = OmissionTally { states: 4, actions: 5, left_out: 6 };
        let census = Census { bytes: 1 << 40, expanded: 3, has_found: true, tally };
        assert_eq!(
            open(&census.parcel(0), &StateWidths(vec![8]), &mut Vec::new(), |_, _| {}),
            Ok(Some(census))
        );
    }
}
