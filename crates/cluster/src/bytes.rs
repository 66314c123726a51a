//! Bytes: numbers and texts one after the other, as they are sent.
//!
//! Numbers take as many bytes as they need, seven bits in each. Whatever comes from elsewhere may be cut short or wrong: reading
//! gives nothing then.

use sequent_kernel::id::Id;

/// Bytes that are written.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByteWriter(pub Vec<u8>);

impl ByteWriter {
    /// Appends a number.
    pub(crate) fn number(&mut self, value: impl TryInto<u64>) {
        let mut value = value.try_into().unwrap_or(u64::MAX);
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Appends an index.
    pub(crate) fn id(&mut self, id: impl Id) {
        self.number(id.index() as u64);
    }

    /// Appends a number that may be negative.
    pub(crate) fn signed(&mut self, value: i32) {
        self.number((value.unsigned_abs() as u64) << 1 | u64::from(value < 0));
    }

    /// Appends what is true or false.
    pub(crate) fn truth(&mut self, value: bool) {
        self.0.push(u8::from(value));
    }

    /// Appends a number or nothing.
    pub(crate) fn option(&mut self, value: Option<u64>) {
        self.truth(value.is_some());
        value.into_iter().for_each(|value| self.number(value));
    }

    /// Appends a text.
    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    /// Appends numbers, and how many they are.
    pub(crate) fn numbers(&mut self, values: impl ExactSizeIterator<Item = u64>) {
        self.number(values.len() as u64);
        values.for_each(|value| self.number(value));
    }
}

/// Bytes that are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteReader<'b>(pub &'b [u8]);

impl<'b> ByteReader<'b> {
    /// The next number.
    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// The next number, as a count or an index.
    pub(crate) fn count(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    /// The next number, as an index below a count.
    pub(crate) fn known<I: Id>(&mut self, count: usize) -> Option<I> {
        self.count().filter(|index| *index < count).map(I::from_index)
    }

    /// The next number, which may be negative.
    pub(crate) fn signed(&mut self) -> Option<i32> {
        let value = self.number()?;
        let size = i64::try_from(value >> 1).ok()?;
        i32::try_from(if value & 1 == 1 { -size } else { size }).ok()
    }

    /// Whether the next is true.
    pub(crate) fn truth(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// A number or nothing.
    pub(crate) fn option(&mut self) -> Option<Option<u64>> {
        match self.truth()? {
            true => self.number().map(Some),
            false => Some(None),
        }
    }

    /// The next text.
    pub(crate) fn text(&mut self) -> Option<&'b str> {
        let count = self.count()?;
        std::str::from_utf8(self.take(count)?).ok()
    }

    /// The next numbers.
    pub(crate) fn numbers(&mut self) -> Option<Vec<u64>> {
        let count = self.count()?;
        (0..count).map(|_| self.number()).collect()
    }

    /// The next byte.
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// The next bytes.
    pub(crate) fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// Whether everything was read.
    pub(crate) fn is_over(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{ByteReader, ByteWriter};

    #[test]
    fn what_is_written_is_read() {
        let mut writer = ByteWriter::default();
        let numbers = [0, 1, 127, 128, 16_384, u64::MAX];
        writer.numbers(numbers.into_iter());
        let signed = [0, -1, 1, i32::MIN, i32::MAX];
        signed.into_iter().for_each(|value| writer.signed(value));
        writer.text("a → b");
        writer.option(None);
        writer.option(Some(7));
        let mut reader = ByteReader(&writer.0);
        assert_eq!(reader.numbers(), Some(numbers.to_vec()));
        signed.into_iter().for_each(|value| assert_eq!(reader.signed(), Some(value)));
        assert_eq!(reader.text(), Some("a → b"));
        assert_eq!((reader.option(), reader.option()), (Some(None), Some(Some(7))));
        assert!(reader.is_over());
        assert_eq!(reader.number(), None, "there is nothing more");
    }

    #[test]
    fn what_is_cut_short_is_nothing() {
        assert_eq!(ByteReader(&[0x80]).number(), None);
        assert_eq!(ByteReader(&[5, b'a']).text(), None);
        assert_eq!(ByteReader(&[0xFF; 11]).number(), None);
        assert_eq!(ByteReader(&[0xFF, 0xFF, 0xFF, 0xFF, 0x0F]).numbers(), None);
    }
}
