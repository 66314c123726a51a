//! The keys of settings files: which there are, what values they take, what they mean.
//!
//! The reader names them in its findings, editors explain and complete them.

use sequent_kernel::semantics::Switches;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A key of a settings file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingKey {
    /// The table that it stands in; empty for one that stands in none.
    pub table: &'static str,
    /// The key.
    pub name: &'static str,
    /// The values that it takes.
    pub values: String,
    /// What it means.
    pub meaning: &'static str,
}

/// Table, key, values, meaning.
type SettingRow = (&'static str, &'static str, &'static str, &'static str);

/// What is written about a key of `[semantics]`.
const SWITCH: &str =
    "decides a point of dispute in the meaning of sequence diagrams; the first value is the default";

const ROWS: &[SettingRow] = &[
    ("", "preset", "P0, P1, P2, P3 or P4", "what a paper fixes; other settings override it"),
    ("", "system", "a table", "how the objects of the folder communicate, which there are, which are linked"),
    ("", "semantics", "a table", "decisions about points of dispute, by their names"),
    ("", "lint", "a table", "which findings are reported, and which count as errors"),
    (
        "",
        "roles",
        "a table of names and `model` or `property`",
        "what diagrams are used for, where their content does not say it",
    ),
    ("", "check", "a list of tables, each written `[[check]]`", "one question"),
    (
        "",
        "exclude",
        "a list of patterns",
        "paths that are not checked when they are found in a folder, as in .gitignore",
    ),
    (
        "system",
        "communication",
        "queue, bag or rendezvous",
        "one queue for each object; messages overtake each other; or sender and receiver move together",
    ),
    (
        "system",
        "capacity",
        "a whole number",
        "how many messages a queue holds; one more is an error with a run",
    ),
    (
        "system",
        "steps",
        "intermediate or direct",
        "under rendezvous: every transition takes two steps, or only one that takes and sends",
    ),
    (
        "system",
        "completion",
        "queued or free",
        "completion events come in the order in which states completed, or in any",
    ),
    ("system", "closed", "true or false", "whether nothing comes from outside"),
    (
        "system",
        "fairness",
        "weak, strong or none",
        "an object moves in the end that can move all along; again and again; or need not",
    ),
    ("system", "objects", "a table of names and classes", "objects besides those of object diagrams"),
    (
        "system",
        "links",
        "a list of pairs of objects",
        "links besides those of object diagrams; a port follows a dot",
    ),
    ("lint", "allow", "a list of codes, or of how codes begin", "findings that are not reported"),
    ("lint", "deny", "a list of codes, `warnings`, `hints`, `vacuous`", "findings that count as errors"),
    ("lint", "paths", "a table of patterns", "`allow` and `deny` for the files that match"),
    ("check", "name", "a text", "what reports call the check"),
    (
        "check",
        "target",
        "the name of a diagram",
        "what the question is about; without it, all that know its names",
    ),
    ("check", "possible", "the name of an interaction", "some run does what the diagram draws"),
    ("check", "forbidden", "the name of an interaction", "no run does what the diagram draws"),
    ("check", "required", "the name of an interaction", "every run does what the diagram draws"),
    (
        "check",
        "whenever",
        "the name of an interaction",
        "once what it draws first has happened, the rest follows",
    ),
    ("check", "ltl", "a formula, as a text", "every run satisfies the formula"),
    ("check", "safe", "the name of a diagram", "no run contains what its `neg` draws"),
    ("check", "consistent", "the name of a diagram", "after what precedes it, its `assert` follows"),
    ("check", "triggers", "the name of a diagram", "the machines can receive what it draws, in that order"),
    ("check", "reachable", "a combination of states and values, as a text", "some run comes there"),
    (
        "check",
        "from",
        "a combination of states and values, as a text",
        "where a search for `reachable` begins",
    ),
    ("check", "refines", "the name of a diagram", "the target does only what this diagram does"),
    ("check", "model", "traces, failures or failures-divergences", "what `refines` compares"),
    ("check", "hide", "a list of messages", "messages that `refines` does not see, on either side"),
    (
        "check",
        "mode",
        "strongly or weakly",
        "for `safe`: what is drawn happens contiguously, or in this order",
    ),
    ("check", "anchor", "anywhere or start", "where in a run a scenario may begin"),
    (
        "check",
        "alphabet",
        "all, own, channels or own-objects",
        "which messages may come between those of a scenario: none, those that it does not name, and so on",
    ),
    ("check", "effects", "ordered, unordered or together", "how the effects of one transition are seen"),
    ("check", "preset", "P1, P3 or P4", "anchor and alphabet as a paper has them"),
    ("check", "within", "a whole number", "at most this many steps"),
    ("check", "fairness", "weak, strong or none", "for this question alone; as in `[system]`"),
    ("check", "expect", "holds, fails or unknown", "the wanted answer"),
];

/// Every key, in the order of the documentation.
pub fn all() -> Vec<SettingKey> {
    let row = |(table, name, values, meaning): &SettingRow| SettingKey {
        table,
        name,
        values: (*values).to_owned(),
        meaning,
    };
    let switches = Switches::TABLE.iter().map(|(name, values)| SettingKey {
        table: "semantics",
        name,
        values: values.join(" or "),
        meaning: SWITCH,
    });
    ROWS.iter().map(row).chain(switches).collect()
}

/// The keys of a table.
pub(crate) fn of(table: &str) -> Vec<&'static str> {
    all().into_iter().filter(|key| key.table == table).map(|key| key.name).collect()
}

/// The values that a key takes.
pub(crate) fn values(table: &str, name: &str) -> String {
    let found = all().into_iter().find(|key| key.table == table && key.name == name);
    found.map(|key| key.values).unwrap_or_default()
}

/// The key at a byte of a settings file, or the one whose value stands there.
pub fn at(text: &str, offset: usize) -> Option<SettingKey> {
    let (table, _) = DeTable::parse_recoverable(text);
    inside(table.get_ref(), "", offset)
}

/// The table of a settings file that a line stands in, by the header above it.
pub fn table_at(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or_default();
    let above = before.rsplit_once('\n').map_or("", |(above, _)| above);
    let header = above.lines().rev().map(str::trim).find(|line| line.starts_with('['));
    let name = header.and_then(|line| line.trim_start_matches('[').split(']').next());
    name.unwrap_or_default().trim().to_owned()
}

fn inside(table: &DeTable, name: &str, offset: usize) -> Option<SettingKey> {
    table.iter().find_map(|(key, value)| {
        let own = key.get_ref().as_ref();
        let deeper = if name.is_empty() { own } else { name };
        let is_at = |span: std::ops::Range<usize>| span.start <= offset && offset <= span.end;
        let below = match value.get_ref() {
            DeValue::Table(table) => inside(table, deeper, offset),
            DeValue::Array(items) => items.iter().map(Spanned::get_ref).find_map(|item| match item {
                DeValue::Table(table) => inside(table, deeper, offset),
                _ => None,
            }),
            _ => None,
        };
        let is_here =
            is_at(key.span()) || !matches!(value.get_ref(), DeValue::Table(_)) && is_at(value.span());
        below.or_else(|| all().into_iter().find(|known| is_here && known.table == name && known.name == own))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_at_a_place_is_known() {
        let text = "preset = \"P1\"\n[system]\ncapacity = 4\n[semantics]\ncalls = \"blocking\"\n[[check]]\nltl = \"G a\"\nwithin = 3\n";
        let named = |word: &str| {
            let found = at(text, text.find(word).expect("it is there"));
            found.map(|key| format!("{}.{}: {}", key.table, key.name, key.values)).unwrap_or_default()
        };
        assert_eq!(named("preset"), ".preset: P0, P1, P2, P3 or P4");
        assert_eq!(named("capacity"), "system.capacity: a whole number");
        assert_eq!(named("system"), ".system: a table");
        assert_eq!(named("blocking"), "semantics.calls: ordered or blocking");
        assert_eq!(named("G a"), "check.ltl: a formula, as a text");
        assert_eq!(named("within"), "check.within: a whole number");
        assert_eq!(at("x = [[[", 3), None);
        assert_eq!(table_at(text, text.find("within").expect("it is there")), "check");
        assert_eq!(table_at(text, 0), "");
    }
}
