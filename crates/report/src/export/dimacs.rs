//! Formulas in DIMACS, for other SAT solvers and for checkers of proofs.

use std::fmt::Write;

/// Clauses as a DIMACS file; what it asks stands in its first lines.
pub fn dimacs(comment: &str, variables: usize, clauses: &[Vec<i32>]) -> String {
    let mut text: String = comment.lines().map(|line| format!("c {line}\n")).collect();
    let _ = writeln!(text, "p cnf {variables} {}", clauses.len());
    for clause in clauses {
        clause.iter().for_each(|literal| {
            let _ = write!(text, "{literal} ");
        });
        text += "0\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::dimacs;

    #[test]
    fn each_clause_is_a_line() {
        let text = dimacs("is there one?\nor none?", 2, &[vec![1, -2], vec![]]);
        assert_eq!(text, "c is there one?\nc or none?\np cnf 2 2\n1 -2 0\n0\n");
    }
}
