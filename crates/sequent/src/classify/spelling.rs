//! Spelling: a trace as users write it, as the texts of events.
//!
//! Texts are looked up rather than compared with those of all events: a trace of ten thousand events is read at once.

use std::collections::{BTreeSet, HashMap, HashSet};

use sequent_kernel::diagnostic::nearest;
use sequent_kernel::system::{EventKind, System};

/// Reads a trace: a JSON array, or events one after the other, parted by space, commas or line ends. Event texts may hold
/// spaces themselves, so known ones are recognised first. `!m` stands for the only event of that kind and message, and
/// arguments may be left out where that is enough. An event that the diagram does not know must at least look like one.
pub fn read_trace(system: &System, text: &str) -> Result<Vec<String>, String> {
    let spelling = Spelling::new(system);
    if text.trim_start().starts_with('[') {
        let events: Result<Vec<String>, _> = serde_json::from_str(text);
        let events =
            events.map_err(|problem| format!("the trace is not a JSON array of texts: {problem}"))?;
        return events.iter().map(|event| spelling.spelt_out(event)).collect();
    }
    let mut trace = Vec::new();
    let is_gap = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let mut rest = text.trim_start_matches(is_gap);
    while !rest.is_empty() {
        let known = spelling.longest(rest, is_gap);
        let length = known.unwrap_or_else(|| rest.find(is_gap).unwrap_or(rest.len()));
        trace.push(spelling.spelt_out(&rest[..length])?);
        rest = rest[length..].trim_start_matches(is_gap);
    }
    Ok(trace)
}

/// The texts of events, and what stands for them.
struct Spelling<'a> {
    system: &'a System,
    known: HashSet<&'a str>,
    /// How long known texts are.
    lengths: BTreeSet<usize>,
    /// The events by kind and message, with arguments or without.
    by_message: HashMap<(EventKind, &'a str), Vec<&'a str>>,
    /// The events by their texts without arguments.
    by_bare_text: HashMap<String, Vec<&'a str>>,
}

impl<'a> Spelling<'a> {
    fn new(system: &'a System) -> Self {
        let mut spelling = Spelling {
            system,
            known: HashSet::new(),
            lengths: BTreeSet::new(),
            by_message: HashMap::new(),
            by_bare_text: HashMap::new(),
        };
        for event in &system.events {
            let (text, message) = (event.text.as_str(), event.message.as_str());
            spelling.known.insert(text);
            spelling.lengths.insert(text.len());
            for spelt in BTreeSet::from([message, event.name.as_str()]) {
                spelling.by_message.entry((event.kind, spelt)).or_default().push(text);
            }
            if let Some(ends) = text.strip_suffix(message) {
                spelling.by_bare_text.entry(format!("{ends}{}", event.name)).or_default().push(text);
            }
        }
        spelling
    }

    /// The length of the longest known text with which a text begins, up to a gap or the end.
    fn longest(&self, text: &str, is_gap: impl Fn(char) -> bool + Copy) -> Option<usize> {
        let ends = |at: usize| text[at..].chars().next().is_none_or(is_gap);
        let is_known = |length: &usize| {
            text.get(..*length).is_some_and(|start| ends(*length) && self.known.contains(start))
        };
        self.lengths.range(..=text.len()).rev().copied().find(|length| is_known(length))
    }

    /// An event in full: `!m` as the only event that sends m, `!a->b:m` with the arguments of the only such message.
    fn spelt_out(&self, text: &str) -> Result<String, String> {
        if self.known.contains(text) {
            return Ok(text.to_owned());
        }
        let kind = match text.chars().next() {
            Some('!') => EventKind::Send,
            Some('?') => EventKind::Receive,
            Some('x') if text.starts_with("x:") => return Ok(text.to_owned()),
            Some(_) | None => {
                return Err(format!(
                    "`{text}` is neither a file nor an event: write `!a->b:m`, `?a->b:m` or `x:a`"
                ));
            }
        };
        let is_full = text.contains("->");
        let fitting = match is_full {
            true => self.by_bare_text.get(text),
            false => self.by_message.get(&(kind, &text[1..])),
        };
        match fitting.map_or(&[][..], Vec::as_slice) {
            [only] => Ok((*only).to_owned()),
            // Something else happened: the diagram need not know it.
            [] if is_full => Ok(text.to_owned()),
            [] => {
                let messages = self.system.events.iter().map(|event| event.message.as_str());
                let hint = nearest(&text[1..], messages).map(|near| format!("; did you mean `{near}`?"));
                Err(format!("no message is called `{}`{}", &text[1..], hint.unwrap_or_default()))
            }
            several => Err(format!("`{text}` may be any of {}", several.join(", "))),
        }
    }
}
