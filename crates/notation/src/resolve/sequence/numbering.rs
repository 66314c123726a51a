//! Message numbers.
//!
//! A number has one or more levels (`1.2.3`); a message raises the last one by the step. PlantUML's format text holds a
//! run of `0` and `#` where the number goes (`"<b>[000]"`), padded with zeros; without such a run the number follows it.

use sequent_kernel::model::Numbering;

/// The numbering in force.
#[derive(Default)]
pub(crate) struct Counter {
    running: bool,
    levels: Vec<u64>,
    separators: Vec<char>,
    step: u64,
    format: Option<String>,
}

impl Counter {
    /// A numbering statement was read.
    pub(crate) fn apply(&mut self, numbering: &Numbering) {
        match numbering {
            Numbering::Start { start, step, format } => {
                self.start(start.as_deref().unwrap_or("1"));
                self.step = step.map_or(1, u64::from);
                self.format.clone_from(format);
                self.running = true;
            }
            Numbering::Stop => self.running = false,
            Numbering::Resume { step, format } => {
                if self.levels.is_empty() {
                    self.start("1");
                    self.step = 1;
                }
                self.step = step.map_or(self.step, u64::from);
                if format.is_some() {
                    self.format.clone_from(format);
                }
                self.running = true;
            }
            Numbering::Increment(level) => self.raise(level),
        }
    }

    /// The number of the next message, if messages are numbered.
    pub(crate) fn next(&mut self) -> Option<String> {
        if !self.running {
            return None;
        }
        let text = self.text();
        let step = self.step;
        if let Some(last) = self.levels.last_mut() {
            *last = last.saturating_add(step);
        }
        Some(text)
    }

    /// Leaves a number out, and tells how numbering goes on.
    pub(crate) fn skip(&mut self) -> Option<Numbering> {
        self.next()?;
        let step = (self.step != 1).then(|| u32::try_from(self.step).unwrap_or(u32::MAX));
        Some(Numbering::Start { start: Some(self.joined()), step, format: self.format.clone() })
    }

    fn start(&mut self, text: &str) {
        self.levels =
            text.split(|c: char| !c.is_ascii_digit()).map(|level| level.parse().unwrap_or(0)).collect();
        self.separators = text.chars().filter(|c| !c.is_ascii_digit()).collect();
    }

    /// Raises the level with this letter and starts the levels below it again.
    fn raise(&mut self, letter: &str) {
        let letter = letter.bytes().next().map_or(b'A', |byte| byte.to_ascii_uppercase());
        let level = usize::from(letter.saturating_sub(b'A'));
        if let Some(number) = self.levels.get_mut(level) {
            *number = number.saturating_add(1);
            self.levels[level + 1..].fill(1);
        }
    }

    fn text(&self) -> String {
        match (&self.format, self.levels.as_slice()) {
            (Some(format), [number]) => fill(format, *number),
            _ => self.joined(),
        }
    }

    fn joined(&self) -> String {
        let mut text = String::new();
        for (index, level) in self.levels.iter().enumerate() {
            if index > 0 {
                text.push(self.separators.get(index - 1).copied().unwrap_or('.'));
            }
            text.push_str(&level.to_string());
        }
        text
    }
}

/// Puts a number into a format text.
fn fill(format: &str, number: u64) -> String {
    let is_digit = |c: char| c == '0' || c == '#';
    let Some(start) = format.find(is_digit) else { return format!("{format}{number}") };
    let width = format[start..].chars().take_while(|c| is_digit(*c)).count();
    let zeros = format[start..start + width].matches('0').count();
    format!("{}{number:0zeros$}{}", &format[..start], &format[start + width..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_pad_and_nest() {
        let mut counter = Counter::default();
        assert_eq!(counter.next(), None);
        counter.apply(&Numbering::Start {
            start: Some("10".into()),
            step: Some(5),
            format: Some("<b>[000]".into()),
        });
        assert_eq!(counter.next().as_deref(), Some("<b>[010]"));
        assert_eq!(counter.next().as_deref(), Some("<b>[015]"));
        counter.apply(&Numbering::Start { start: Some("1.1".into()), step: None, format: None });
        assert_eq!(counter.next().as_deref(), Some("1.1"));
        counter.apply(&Numbering::Increment("A".into()));
        assert_eq!(counter.next().as_deref(), Some("2.1"));
    }
}
