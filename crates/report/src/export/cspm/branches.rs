//! Branches of a state: those that differ only in the value of an argument are one, with an input.

use std::collections::{BTreeMap, BTreeSet};

use super::alphabet::ScriptAlphabet;

/// Something that may happen in a state.
pub(crate) struct ProcessBranch {
    /// When.
    pub guard: String,
    /// The text of what is seen.
    pub event: Option<String>,
    /// What is done instead, where that is known by another name inside.
    pub inside: Option<String>,
    /// The process that comes then.
    pub target: String,
    /// Its parameters.
    pub values: Vec<String>,
    /// Whether it is taken from another, and not sent.
    pub is_taken: bool,
    /// Where it stands among the others.
    pub rule: usize,
}

/// A name that stands for an argument, and the values that it has.
pub(crate) type BranchInput = (String, String);

/// A branch as it is written.
pub(crate) struct BranchLine {
    guard: String,
    /// The names that stand for arguments, with their values.
    inputs: Vec<BranchInput>,
    event: String,
    /// The message of the event is a constructor.
    is_whole: bool,
    after: String,
}

impl BranchLine {
    /// All of it.
    pub(crate) fn text(&self) -> String {
        let BranchLine { guard, inputs, event, is_whole, after } = self;
        let guard = if guard == "true" { String::new() } else { format!("{guard} & ") };
        guard + &over(inputs, event, *is_whole, after)
    }
}

/// An event for all values of its arguments. Messages are constructors with arguments, of which only the whole can be an input.
pub(crate) fn over(inputs: &[BranchInput], link: &str, is_whole: bool, after: &str) -> String {
    let names = |sign: &str| inputs.iter().map(|(name, _)| format!("{sign}{name}")).collect::<String>();
    match is_whole && !inputs.is_empty() {
        true => {
            let each: String = inputs.iter().map(|(name, set)| format!("[] {name} : {set} @ ")).collect();
            format!("({each}{link}{} -> {after})", names("."))
        }
        false => format!("{link}{} -> {after}", names("?")),
    }
}

/// Names for the arguments of an event, with their values.
pub(crate) fn inputs(columns: &[Vec<String>]) -> Vec<BranchInput> {
    let set = |values: &Vec<String>| match (values.first(), values.last()) {
        (Some(first), Some(last)) if first.parse::<i32>().is_ok() => format!("{{{first}..{last}}}"),
        (_, _) => format!("{{{}}}", values.join(", ")),
    };
    columns.iter().enumerate().map(|(at, values)| (format!("x{}", at + 1), set(values))).collect()
}

/// The branches of a state, in order; of those that look alike only one.
pub(crate) fn lines(branches: Vec<ProcessBranch>, alphabet: &ScriptAlphabet) -> Vec<BranchLine> {
    let mut groups: BTreeMap<(String, String, String), Vec<ProcessBranch>> = BTreeMap::new();
    for branch in branches {
        let link = branch.event.as_deref().map_or("silent", |text| alphabet.parts(text).0);
        let link = branch.inside.clone().unwrap_or_else(|| link.to_owned());
        groups.entry((link, branch.guard.clone(), branch.target.clone())).or_default().push(branch);
    }
    let mut found: Vec<(usize, BranchLine)> = Vec::new();
    for ((link, guard, target), group) in groups {
        let first = group.iter().map(|branch| branch.rule).min().unwrap_or(0);
        let is_whole = group.iter().flat_map(|branch| &branch.event).any(|text| alphabet.is_whole(text));
        match input(&group, alphabet) {
            Some((inputs, values)) => {
                let after = call(&target, &values);
                found.push((first, BranchLine { guard, inputs, event: link, is_whole, after }));
            }
            None => {
                for branch in group {
                    let event = branch.event.as_deref().map_or("silent", |text| alphabet.event(text));
                    let event = branch.inside.unwrap_or_else(|| event.to_owned());
                    let after = call(&target, &branch.values);
                    let guard = guard.clone();
                    found.push((
                        branch.rule,
                        BranchLine { guard, inputs: Vec::new(), event, is_whole, after },
                    ));
                }
            }
        }
    }
    found.sort_by_key(|(rule, _)| *rule);
    let mut known: BTreeSet<String> = BTreeSet::new();
    let lines = found.into_iter().map(|(_, line)| line);
    lines.filter(|line| known.insert(line.text())).collect()
}

/// The inputs that stand for all values of the arguments, and the parameters in terms of them; `None` if branches differ
/// otherwise.
fn input(group: &[ProcessBranch], alphabet: &ScriptAlphabet) -> Option<(Vec<BranchInput>, Vec<String>)> {
    let given: Vec<&[String]> = group
        .iter()
        .map(|branch| branch.event.as_deref().map_or(&[][..], |text| alphabet.parts(text).1))
        .collect();
    let columns = alphabet.columns(group.first()?.event.as_deref()?);
    let count: usize = columns.iter().map(Vec::len).product();
    let distinct: BTreeSet<&[String]> = given.iter().copied().collect();
    if !group.iter().all(|branch| branch.is_taken && branch.inside.is_none())
        || count < 2
        || distinct.len() != count
        || group.len() != count
    {
        return None;
    }
    let inputs = inputs(columns);
    let mut values = Vec::new();
    for place in 0..group[0].values.len() {
        let same = group.iter().all(|branch| branch.values[place] == group[0].values[place]);
        let copied = (0..columns.len()).find(|at| {
            columns[*at].len() > 1
                && group.iter().zip(&given).all(|(branch, given)| branch.values[place] == given[*at])
        });
        values.push(match (same, copied) {
            (true, _) => group[0].values[place].clone(),
            (false, Some(at)) => inputs[at].0.clone(),
            (false, None) => return None,
        });
    }
    Some((inputs, values))
}

/// A process with its parameters.
pub(crate) fn call(name: &str, values: &[String]) -> String {
    if values.is_empty() { name.to_owned() } else { format!("{name}({})", values.join(", ")) }
}
