//! A checker of LRAT proofs, written from the format's description alone: it shares nothing with the solver.
//!
//! A line adds a clause and names those from which it follows: all literals of the new clause are taken as false; then each
//! named clause has one literal left, which must be true, until one has none left. A line with `d` forgets clauses. Steps that
//! need more than that (negative hints) are refused.

use std::collections::{BTreeMap, BTreeSet};

/// Whether a proof leads from numbered clauses to the empty clause.
pub fn refutes(clauses: &[Vec<i32>], proof: &str) -> Result<(), String> {
    if clauses.contains(&Vec::new()) {
        return Ok(());
    }
    let mut known: BTreeMap<i64, Vec<i32>> = (1..).zip(clauses.iter().cloned()).collect();
    for line in proof.lines().filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers = |words: &[&str]| -> Result<Vec<i64>, String> {
            words.iter().map(|word| word.parse().map_err(|_| format!("{word} is no number"))).collect()
        };
        if words.get(1) == Some(&"d") {
            for number in numbers(&words[2..])?.into_iter().filter(|number| *number != 0) {
                known.remove(&number).ok_or("what is not there cannot be forgotten")?;
            }
            continue;
        }
        let numbers = numbers(&words)?;
        let (id, rest) = numbers.split_first().ok_or("an empty line")?;
        let mut parts = rest.split(|number| *number == 0);
        let clause: Vec<i32> = parts.next().unwrap_or_default().iter().map(|one| *one as i32).collect();
        let hints = parts.next().ok_or("a line without hints")?;
        follows(&clause, hints, &known)?;
        if clause.is_empty() {
            return Ok(());
        }
        if known.insert(*id, clause).is_some() {
            return Err("a number is given twice".to_owned());
        }
    }
    Err("the empty clause is not reached".to_owned())
}

fn follows(clause: &[i32], hints: &[i64], known: &BTreeMap<i64, Vec<i32>>) -> Result<(), String> {
    let mut taken: BTreeSet<i32> = clause.iter().map(|literal| -literal).collect();
    for hint in hints {
        let reason = known.get(hint).ok_or("a hint that is not there")?;
        let left: BTreeSet<i32> =
            reason.iter().copied().filter(|literal| !taken.contains(&-literal)).collect();
        let mut left = left.into_iter();
        match (left.next(), left.next()) {
            (None, _) => return Ok(()),
            (Some(only), None) => {
                taken.insert(only);
            }
            (Some(_), Some(_)) => return Err("a hint that decides nothing".to_owned()),
        }
    }
    Err("hints that lead nowhere".to_owned())
}
