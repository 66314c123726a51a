//! Branches of a state: those that differ only in the value of an argument are one, with an input.

use std::collections::{BTreeMap, BTreeSet};

use super::alphabet::Alphabet;

/// Something that may happen in a state.
pub struct Branch {
    /// When.
    pub guard: String,
    /// The text of what is seen.
    pub event: Option<String>,
    /// The process that comes then.
    pub target: String,
    /// Its parameters.
    pub values: Vec<String>,
    /// Whether it is taken from another, and not sent.
    pub is_taken: bool,
    /// Where it stands among the others.
    pub rule: usize,
}

/// A branch as it is written.
pub struct Line {
    pub guard: String,
    pub event: String,
    pub after: String,
}

/// The branches of a state, in order; of those that look alike only one.
pub fn lines(branches: Vec<Branch>, alphabet: &Alphabet) -> Vec<Line> {
    let mut groups: BTreeMap<(String, String, String), Vec<Branch>> = BTreeMap::new();
    for branch in branches {
        let link = branch.event.as_deref().map_or("silent", |text| alphabet.parts(text).0).to_owned();
        groups.entry((link, branch.guard.clone(), branch.target.clone())).or_default().push(branch);
    }
    let mut found: Vec<(usize, Line)> = Vec::new();
    for ((link, guard, target), group) in groups {
        let first = group.iter().map(|branch| branch.rule).min().unwrap_or(0);
        match input(&group, alphabet) {
            Some((inputs, values)) => {
                let after = call(&target, &values);
                found.push((first, Line { guard, event: format!("{link}{inputs}"), after }));
            }
            None => {
                for branch in group {
                    let event = branch.event.as_deref().map_or("silent", |text| alphabet.event(text));
                    let after = call(&target, &branch.values);
                    found.push((branch.rule, Line { guard: guard.clone(), event: event.to_owned(), after }));
                }
            }
        }
    }
    found.sort_by_key(|(rule, _)| *rule);
    let mut known: BTreeSet<(String, String, String)> = BTreeSet::new();
    let lines = found.into_iter().map(|(_, line)| line);
    lines.filter(|line| known.insert((line.guard.clone(), line.event.clone(), line.after.clone()))).collect()
}

/// The inputs that stand for all values of the arguments, and the parameters in terms of them; `None` if branches differ
/// otherwise.
fn input(group: &[Branch], alphabet: &Alphabet) -> Option<(String, Vec<String>)> {
    let given: Vec<&[String]> = group
        .iter()
        .map(|branch| branch.event.as_deref().map_or(&[][..], |text| alphabet.parts(text).1))
        .collect();
    let columns = alphabet.columns(group.first()?.event.as_deref()?);
    let count: usize = columns.iter().map(Vec::len).product();
    let distinct: BTreeSet<&[String]> = given.iter().copied().collect();
    if !group.iter().all(|branch| branch.is_taken)
        || count < 2
        || distinct.len() != count
        || group.len() != count
    {
        return None;
    }
    let name = |at: usize| format!("x{}", at + 1);
    let mut values = Vec::new();
    for place in 0..group[0].values.len() {
        let same = group.iter().all(|branch| branch.values[place] == group[0].values[place]);
        let copied = (0..columns.len()).find(|at| {
            columns[*at].len() > 1
                && group.iter().zip(&given).all(|(branch, given)| branch.values[place] == given[*at])
        });
        values.push(match (same, copied) {
            (true, _) => group[0].values[place].clone(),
            (false, Some(at)) => name(at),
            (false, None) => return None,
        });
    }
    Some(((0..columns.len()).map(|at| format!("?{}", name(at))).collect(), values))
}

fn call(name: &str, values: &[String]) -> String {
    if values.is_empty() { name.to_owned() } else { format!("{name}({})", values.join(", ")) }
}
