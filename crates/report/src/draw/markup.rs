//! Inline markup in labels: what PlantUML and Mermaid users put between words to make them bold or red.
//!
//! The model keeps texts as written. Here they become lines of [`StyledText`]s, each with one look. Known marks are honoured
//! or dropped, everything else is text: `List<String>` keeps its brackets because `String` is no tag, `2**3` its stars
//! because nothing closes them. Marks written as characters (`**`, `//`, `""`) end with their line, tags do not.

/// A piece of text with one look.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StyledText {
    /// The characters to show.
    pub text: String,
    /// Heavy strokes.
    pub bold: bool,
    /// Slanted.
    pub(crate) italic: bool,
    /// Every character as wide as the next.
    pub(crate) mono: bool,
    /// A line below.
    pub(crate) underlined: bool,
    /// A line through the middle.
    pub(crate) struck: bool,
    /// Smaller, and above or below the line.
    pub script: LetterPosition,
    /// Text colour as written.
    pub colour: Option<String>,
}

/// Where letters stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum LetterPosition {
    /// On the line.
    #[default]
    Normal,
    /// Below it: `H<sub>2</sub>O`.
    Sub,
    /// Above it: `x<sup>2</sup>`.
    Sup,
}

/// At most this many characters of a text are drawn, so that the size of a picture is bounded.
const MOST_CHARACTERS: usize = 5_000;

/// The lines of a text; at least one, possibly empty. A text that is cut ends with the number of missing
/// characters.
pub fn parse(text: &str) -> Vec<Vec<StyledText>> {
    match text.char_indices().nth(MOST_CHARACTERS) {
        None => parse_whole(text),
        Some((end, _)) => {
            let more = text[end..].chars().count();
            parse_whole(&format!("{} … ({more} more characters)", &text[..end]))
        }
    }
}

fn parse_whole(text: &str) -> Vec<Vec<StyledText>> {
    let mut reader =
        MarkupReader { lines: vec![Vec::new()], look: StyledText::default(), colours: Vec::new() };
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let before = &text[..text.len() - rest.len()];
        let taken = reader.mark(before, rest).unwrap_or_else(|| {
            reader.push(next);
            next.len_utf8()
        });
        rest = &rest[taken..];
    }
    reader.lines
}

/// A text with its lists as people write them: `* a` becomes `• a`, `** b` is further in, `# c` is numbered.
pub(crate) fn with_lists(text: &str) -> String {
    let mut numbers: Vec<usize> = Vec::new();
    let mut line = |line: &str| {
        let is_mark = |mark: char| {
            let depth = line.len() - line.trim_start_matches(mark).len();
            line[depth..].strip_prefix(' ').filter(|_| depth > 0).map(|rest| (depth, rest.to_owned()))
        };
        let (item, rest) = match (is_mark('*'), is_mark('#')) {
            (Some((depth, rest)), _) => {
                numbers.truncate(depth);
                ("   ".repeat(depth - 1) + "• ", rest)
            }
            (None, Some((depth, rest))) => {
                numbers.resize(depth, 0);
                numbers[depth - 1] += 1;
                (format!("{}{}. ", "   ".repeat(depth - 1), numbers[depth - 1]), rest)
            }
            (None, None) => {
                numbers.clear();
                return line.to_owned();
            }
        };
        item + &rest
    };
    text.split('\n').map(&mut line).collect::<Vec<_>>().join("\n")
}

/// The text without its marks, in one line.
pub fn plain(text: &str) -> String {
    let lines =
        parse(text).into_iter().map(|line| line.into_iter().map(|span| span.text).collect::<String>());
    lines.collect::<Vec<_>>().join(" ")
}

struct MarkupReader {
    lines: Vec<Vec<StyledText>>,
    /// The look of the next character; its text stays empty.
    look: StyledText,
    colours: Vec<Option<String>>,
}

impl MarkupReader {
    fn push(&mut self, next: char) {
        if next == '\n' {
            return self.break_line();
        }
        let line = self.lines.last_mut().expect("a text has at least one line");
        let same =
            line.last().is_some_and(|span| StyledText { text: String::new(), ..span.clone() } == self.look);
        if !same {
            line.push(self.look.clone());
        }
        let span = line.last_mut().expect("just pushed");
        span.text.push(if next == '\t' || next == '\u{a0}' { ' ' } else { next });
    }

    fn break_line(&mut self) {
        self.lines.push(Vec::new());
    }

    /// Takes the mark at the start of `rest`, if there is one, and returns its length in bytes.
    fn mark(&mut self, before: &str, rest: &str) -> Option<usize> {
        self.tag(rest).or_else(|| self.link(rest)).or_else(|| self.pair(before, rest))
    }

    /// `**bold**`, `//italic//`, `""mono""`: a mark opens if it is closed on the same line, around something.
    fn pair(&mut self, before: &str, rest: &str) -> Option<usize> {
        let mark = ["**", "//", "\"\""].into_iter().find(|mark| rest.starts_with(mark))?;
        let flag = match mark {
            "**" => &mut self.look.bold,
            "//" => &mut self.look.italic,
            _ => &mut self.look.mono,
        };
        let is_address = mark == "//" && before.ends_with(':');
        let opens = !*flag && !is_address && closes(&rest[2..], mark);
        if *flag && !is_address || opens {
            *flag = !*flag;
            return Some(2);
        }
        None
    }

    /// `[[address text]]` shows its text, or the address if there is none.
    fn link(&mut self, rest: &str) -> Option<usize> {
        let inner = rest.strip_prefix("[[")?;
        let inner = &inner[..inner.find("]]")?];
        if inner.contains('\n') {
            return None;
        }
        let shown = inner.split_once(' ').map_or(inner, |(_, text)| text);
        shown.trim_start_matches('{').chars().for_each(|c| self.push(c));
        Some(inner.len() + 4)
    }

    /// `<b>`, `</b>`, `<br/>`, `<color:red>`, `<U+2713>` and their kin; unknown names are text.
    fn tag(&mut self, rest: &str) -> Option<usize> {
        let inner = rest.strip_prefix('<')?;
        let inner = &inner[..inner.find(['>', '\n'])?];
        if !rest[1 + inner.len()..].starts_with('>') {
            return None;
        }
        self.apply(inner).then_some(inner.len() + 2)
    }

    fn apply(&mut self, tag: &str) -> bool {
        let (closing, body) = tag.strip_prefix('/').map_or((false, tag), |body| (true, body));
        let body = body.trim_end_matches("/").trim_end();
        let end = body.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(body.len());
        let (name, argument) = body.split_at(end);
        match name.to_ascii_lowercase().as_str() {
            "br" => self.break_line(),
            "b" | "strong" => self.look.bold = !closing,
            "i" | "em" => self.look.italic = !closing,
            "u" if argument.starts_with('+') => return self.code_point(&argument[1..]),
            "u" | "w" => self.look.underlined = !closing,
            "s" | "strike" | "del" => self.look.struck = !closing,
            "tt" | "code" | "kbd" => self.look.mono = !closing,
            "color" | "font" if closing => self.look.colour = self.colours.pop().flatten(),
            "color" | "font" => {
                let colour = colour_of(argument).or_else(|| self.look.colour.clone());
                self.colours.push(std::mem::replace(&mut self.look.colour, colour));
            }
            "sub" => self.look.script = if closing { LetterPosition::Normal } else { LetterPosition::Sub },
            "sup" => self.look.script = if closing { LetterPosition::Normal } else { LetterPosition::Sup },
            "size" | "back" | "span" | "plain" | "center" | "small" | "big" | "p" | "div" | "img" => {}
            "" => return self.symbol(body),
            _ => return false,
        }
        true
    }

    /// `<U+2713>`
    fn code_point(&mut self, digits: &str) -> bool {
        let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        character.map(|character| self.push(character)).is_some()
    }

    /// `<&icon>`, `<$sprite>`, `<:emoji:>` have no picture here and leave nothing.
    fn symbol(&mut self, body: &str) -> bool {
        let named = |open: char| body.strip_prefix(open).is_some_and(|name| !name.is_empty());
        named('&') || named('$') || (named(':') && body.ends_with(':')) || (named('#') && !body.contains(' '))
    }
}

/// Whether a mark that has just been opened is closed on its line, with something in between.
fn closes(rest: &str, mark: &str) -> bool {
    let line = rest.split('\n').next().unwrap_or_default();
    let starts = mark == "\"\"" || line.chars().next().is_some_and(|c| !c.is_whitespace());
    starts && line.match_indices(mark).any(|(at, _)| at > 0 && !(mark == "//" && line[..at].ends_with(':')))
}

/// The colour in `:red`, `=red`, ` color="#f00"`.
fn colour_of(argument: &str) -> Option<String> {
    let lower = argument.to_ascii_lowercase();
    let at = lower.find("color").map_or(0, |at| at + "color".len());
    let value = argument[at..].trim_start_matches([':', '=', ' ', '"', '\'']);
    let end = value.find(['"', '\'', ' ', '>']).unwrap_or(value.len());
    (!value[..end].is_empty()).then(|| value[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows spans as `{b:text}`, lines separated by `|`.
    fn check(text: &str, expected: &str) {
        let show = |span: &StyledText| {
            let flags = [
                (span.bold, 'b'),
                (span.italic, 'i'),
                (span.mono, 'm'),
                (span.underlined, 'u'),
                (span.struck, 's'),
                (span.script == LetterPosition::Sub, '_'),
                (span.script == LetterPosition::Sup, '^'),
            ];
            let marks: String = flags.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect();
            let colour = span.colour.as_deref().map(|colour| format!("{colour} ")).unwrap_or_default();
            let marks = format!("{colour}{marks}");
            if marks.is_empty() { span.text.clone() } else { format!("{{{marks}:{}}}", span.text) }
        };
        let lines: Vec<String> = parse(text).iter().map(|line| line.iter().map(show).collect()).collect();
        assert_eq!(lines.join("|"), expected, "for {text}");
    }

    #[test]
    fn marks_are_honoured() {
        check("a **b** c", "a {b:b} c");
        check("//a **b**//", "{i:a }{bi:b}");
        check("\"\"x = 1\"\" y", "{m:x = 1} y");
        check("\"\"  {\"\"", "{m:  {}");
        check("<b>a<br/>b</b>c", "{b:a}|{b:b}c");
        check("a<br>b\nc", "a|b|c");
        check("<font color=\"red\">a</font> <color:#00f>b</color>", "{red :a} {#00f :b}");
        check("<size:20>big</size> [[http://x.y see]]", "big see");
        check("<&check> ok <$db>", " ok ");
        check("H<sub>2</sub>O x<sup>**2**</sup>", "H{_:2}O x{b^:2}");
    }

    #[test]
    fn lists_are_shown() {
        assert_eq!(with_lists("* a\n** b\n# c\n# d\nx\n# e"), "• a\n   • b\n1. c\n2. d\nx\n1. e");
        assert_eq!(with_lists("**bold** a\n*a\n#b\n*"), "**bold** a\n*a\n#b\n*");
    }

    #[test]
    fn text_stays_text() {
        check("List<String> 2**3 a // b", "List<String> 2**3 a // b");
        check("http://a.b/c and http://d//e", "http://a.b/c and http://d//e");
        check("a < b > c << d", "a < b > c << d");
        check("", "");
    }
}
