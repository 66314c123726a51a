//! `autonumber`: mermaid counts every message from the first on, whether the numbers are drawn or not, and a second
//! `autonumber` without arguments goes on where the count stands.
//!
//! The tree wants to know with which number drawing starts, so the count is kept here and written into the statement.

use sequent_kernel::model::Numbering;

/// The count of messages so far.
pub(crate) struct MessageCount {
    /// In hundredths: mermaid allows two decimals.
    next: u64,
    step: u64,
}

impl Default for MessageCount {
    fn default() -> Self {
        Self { next: 100, step: 100 }
    }
}

impl MessageCount {
    /// A message was read.
    pub(crate) fn count(&mut self) {
        self.next = self.next.saturating_add(self.step);
    }

    /// `autonumber start step`; a zero counts as not written.
    pub(crate) fn start(&mut self, start: Option<&str>, step: Option<&str>) -> Numbering {
        let first = self.next == 100 && self.step == 100;
        let nonzero = |text: Option<&str>| text.map(hundredths).filter(|value| *value > 0);
        self.next = nonzero(start).unwrap_or(self.next);
        // A start without a step counts on in ones.
        self.step = nonzero(step).unwrap_or(if start.is_some() { 100 } else { self.step });
        if first && start.is_none() {
            return Numbering::Start { start: None, step: None, format: None };
        }
        let step = self.step.is_multiple_of(100).then(|| u32::try_from(self.step / 100).unwrap_or(u32::MAX));
        Numbering::Start { start: Some(shown(self.next)), step, format: None }
    }
}

/// The value of `12`, `1.5` or `.25` in hundredths.
fn hundredths(text: &str) -> u64 {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().unwrap_or(u64::MAX / 1000) };
    let fraction: u64 = format!("{fraction:0<2}").parse().unwrap_or(0);
    whole.min(u64::MAX / 1000) * 100 + fraction
}

fn shown(hundredths: u64) -> String {
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_goes_on_unseen() {
        let mut numbering = MessageCount::default();
        numbering.count();
        let starts = |numbering: &mut MessageCount, start, step| match numbering.start(start, step) {
            Numbering::Start { start, step, .. } => (start, step),
            other => panic!("{other:?}"),
        };
        assert_eq!(starts(&mut numbering, None, None), (Some("2".into()), Some(1)));
        assert_eq!(starts(&mut numbering, Some("10"), Some("5")), (Some("10".into()), Some(5)));
        numbering.count();
        assert_eq!(starts(&mut numbering, None, None), (Some("15".into()), Some(5)));
        assert_eq!(starts(&mut numbering, Some("1.5"), None), (Some("1.5".into()), Some(1)));
    }
}
