//! A cursor over one line: the small moves from which every statement is read.
//!
//! PlantUML describes its statements by regular expressions that are tried one after the other. Here each statement is
//! read by hand from left to right, so that a line costs time proportional to its length. A reader that gives up
//! simply drops its copy of the cursor; [`Scan`] is two words and free to copy.

/// Whether PlantUML takes `c` for white space inside a line.
pub(crate) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{a0}')
}

/// Whether `c` is one of PlantUML's double quotes.
pub(crate) fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\u{201c}' | '\u{201d}')
}

/// Whether `c` may stand in a name that is not quoted: letters and digits of any script, `_`, `.` and `@`.
pub fn is_name(c: char) -> bool {
    is_word(c) || matches!(c, '.' | '@')
}

/// Whether `c` is a letter or digit of any script, or `_`.
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The text without the white space and control characters around it.
pub fn trim(text: &str) -> &str {
    text.trim_matches(|c| c <= ' ')
}

/// A position in a line.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'a> {
    rest: &'a str,
}

impl<'a> Scan<'a> {
    /// The start of a line; white space around it does not count.
    pub fn new(line: &'a str) -> Self {
        Self { rest: trim(line) }
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a str {
        self.rest
    }

    /// Whether everything has been read.
    pub fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next character, left where it is.
    pub fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Skips white space; says whether there was any.
    pub fn spaces(&mut self) -> bool {
        !self.take_while(is_space).is_empty()
    }

    /// Takes the longest run of characters that `belongs` accepts, which may be empty.
    pub fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        self.take(end)
    }

    /// Takes `length` bytes.
    pub fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// Takes `text`, without regard to case, if it is next.
    pub fn literal(&mut self, text: &str) -> bool {
        let found = self.rest.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
        if found {
            self.take(text.len());
        }
        found
    }

    /// Takes the word `text`, without regard to case, if it is next and no letter, digit or `_` follows.
    pub fn keyword(&mut self, text: &str) -> bool {
        let before = *self;
        if self.literal(text) && !self.peek().is_some_and(is_word) {
            return true;
        }
        *self = before;
        false
    }

    /// Takes one of `words` as a [`keyword`](Self::keyword).
    pub fn one_of<'w>(&mut self, words: &[&'w str]) -> Option<&'w str> {
        words.iter().copied().find(|word| self.keyword(word))
    }

    /// Takes `"text"` if it is next and gives what is between the quotes, which is not empty.
    pub fn quoted(&mut self) -> Option<&'a str> {
        let mut inside = *self;
        let open = inside.peek().filter(|c| is_quote(*c))?;
        inside.take(open.len_utf8());
        let text = inside.take_while(|c| !is_quote(c));
        let close = inside.peek()?;
        if text.is_empty() {
            return None;
        }
        inside.take(close.len_utf8());
        *self = inside;
        Some(text)
    }

    /// Takes a name that needs no quotes.
    pub fn name(&mut self) -> Option<&'a str> {
        Some(self.take_while(is_name)).filter(|name| !name.is_empty())
    }

    /// Takes `<<one>> <<two>>`, as far as it goes, and gives the texts between the outermost guillemets of each.
    pub fn stereotypes(&mut self) -> Vec<String> {
        let mut found = Vec::new();
        loop {
            let mut ahead = *self;
            ahead.spaces();
            let Some(end) = ahead.rest.strip_prefix("<<").and_then(|inside| inside.find(">>")) else {
                return found;
            };
            let text = &ahead.take(end + 4)[2..end + 2];
            found.push(trim(text).to_owned());
            *self = ahead;
        }
    }

    /// Takes `[[link]]`.
    pub fn link(&mut self) -> Option<&'a str> {
        let end = self.rest.strip_prefix("[[")?.find("]]").filter(|end| *end > 0)?;
        Some(&self.take(end + 4)[2..end + 2])
    }

    /// Takes `#word`, the plain form of a colour, if nothing but white space or the end follows.
    pub(crate) fn plain_colour(&mut self) -> Option<&'a str> {
        let before = *self;
        let length = self.rest.strip_prefix('#')?.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let colour = self.take(length.map_or(self.rest.len(), |length| length + 1));
        if colour.len() > 1 && self.peek().is_none_or(is_space) {
            return Some(colour);
        }
        *self = before;
        None
    }

    /// Takes digits.
    pub fn number(&mut self) -> Option<&'a str> {
        Some(self.take_while(|c| c.is_ascii_digit())).filter(|digits| !digits.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_end_where_words_end_and_ignore_case() {
        let mut scan = Scan::new("  Title: x");
        assert!(!scan.keyword("tit"));
        assert!(scan.keyword("title"));
        assert_eq!(scan.rest(), ": x");
    }

    #[test]
    fn quoted_texts_may_use_curly_quotes() {
        let mut scan = Scan::new("“a b” c");
        assert_eq!(scan.quoted(), Some("a b"));
        assert_eq!(scan.rest(), " c");
        assert_eq!(Scan::new("\"open").quoted(), None);
    }

    #[test]
    fn stereotypes_may_stand_one_after_the_other() {
        let mut scan = Scan::new("<< (C,#FFF) T >> <<b>> x");
        assert_eq!(scan.stereotypes(), ["(C,#FFF) T", "b"]);
        assert_eq!(scan.rest(), " x");
    }
}
