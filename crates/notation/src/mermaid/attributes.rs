//! Attributes: the small part of YAML that diagrams use, in front matter and in `@{ .. }`.
//!
//! Sequent wants a few scalar values from these texts (a title, a participant's type and alias); everything else there
//! is looks. So this is no YAML reader: it finds `key: value` pairs of the outermost level, written one per line or
//! separated by commas, and reports whether the text had another form.

/// The pairs of the outermost level.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Attributes {
    pairs: Vec<(String, String)>,
    /// Whether some part was no `key: value`.
    pub is_odd: bool,
}

impl Attributes {
    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

/// Reads pairs, one per line; deeper lines belong to the value above them and are skipped.
pub(crate) fn read(text: &str) -> Attributes {
    let mut attributes = Attributes::default();
    let mut outermost = None;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let indent = line.len() - line.trim_start().len();
        if indent == *outermost.get_or_insert(indent) && !line.trim_start().starts_with('#') {
            pair(line, &mut attributes);
        }
    }
    attributes
}

/// Reads pairs separated by commas.
pub(crate) fn read_inline(text: &str) -> Attributes {
    let mut attributes = Attributes::default();
    for part in split_outside(text, ',').into_iter().filter(|part| !part.trim().is_empty()) {
        pair(part, &mut attributes);
    }
    attributes
}

fn pair(text: &str, attributes: &mut Attributes) {
    let parts = split_outside(text, ':');
    let key = parts[0];
    if parts.len() < 2 {
        attributes.is_odd = true;
        return;
    }
    let value = &text[key.len() + 1..];
    attributes.pairs.push((scalar(key), scalar(value)));
}

/// A scalar without its quotes.
fn scalar(text: &str) -> String {
    let text = text.trim();
    let quoted = |quote: char| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    match (quoted('"'), quoted('\'')) {
        (Some(inside), _) => inside.replace("\\\"", "\"").replace("\\n", "\n").replace("\\\\", "\\"),
        (None, Some(inside)) => inside.replace("''", "'"),
        (None, None) => text.split(" #").next().unwrap_or_default().trim_end().to_owned(),
    }
}

/// Splits at `separator` where it stands outside quotes and brackets.
fn split_outside(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut quote, mut depth, mut from) = (None, 0_i32, 0);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{' | '[') => depth += 1,
            (None, '}' | ']') => depth -= 1,
            (None, _) if c == separator && depth == 0 => {
                parts.push(&text[from..at]);
                from = at + c.len_utf8();
            }
            (None, _) => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_the_outermost_level() {
        let front = read("title: \"a: b\"\nconfig:\n  title: inner\n# c: d\ntheme: x # why\n");
        assert_eq!(front.get("title"), Some("a: b"));
        assert_eq!(front.get("theme"), Some("x"));
        let inline = read_inline(r#" "type" : "database", 'alias': 'it''s', x: {a: 1, b: 2} "#);
        assert_eq!(inline.get("type"), Some("database"));
        assert_eq!(inline.get("alias"), Some("it's"));
        assert!(!inline.is_odd && read_inline("database").is_odd);
    }
}
