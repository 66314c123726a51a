//! Formulas in the format of SAT solvers: `c` comments, `p cnf VARIABLES CLAUSES`, literals as numbers, 0 after each clause.

use sequent_kernel::id::Id;

use super::satisfaction::{CnfFormula, CnfLiteral, VariableId};

/// The greatest number of variables that is accepted.
const MOST: usize = 100_000;

/// Reads a formula; what is wrong with it is said with the line.
pub fn read(text: &str) -> Result<CnfFormula, String> {
    let mut header: Option<(usize, usize)> = None;
    let mut formula = CnfFormula::default();
    let mut clause: Vec<CnfLiteral> = Vec::new();
    for (line, content) in text.lines().enumerate().map(|(at, content)| (at + 1, content.trim())) {
        if content.starts_with('c') || content.is_empty() {
            continue;
        }
        // Competition files end with `%` and a lone 0.
        if content == "%" {
            break;
        }
        if content.starts_with('p') {
            header =
                Some(counts(content).ok_or_else(|| format!("line {line}: write `p cnf VARIABLES CLAUSES`"))?);
            continue;
        }
        let (variables, _) = header.ok_or_else(|| format!("line {line}: the line `p cnf ..` comes first"))?;
        for word in content.split_whitespace() {
            let number: i64 = word.parse().map_err(|_| format!("line {line}: `{word}` is no literal"))?;
            if number == 0 {
                formula.clauses.push(std::mem::take(&mut clause));
                continue;
            }
            let variable = usize::try_from(number.unsigned_abs()).ok().filter(|name| *name <= variables);
            let Some(name) = variable else {
                return Err(format!("line {line}: there are {variables} variables, and no {word}"));
            };
            let literal = CnfLiteral { variable: VariableId::from_index(name - 1), is_positive: number > 0 };
            if !clause.contains(&literal) {
                clause.push(literal);
            }
        }
    }
    let (variables, clauses) = header.ok_or("there is no line `p cnf ..`")?;
    if !clause.is_empty() {
        formula.clauses.push(clause);
    }
    if formula.clauses.len() != clauses {
        return Err(format!("{clauses} clauses are announced, {} are there", formula.clauses.len()));
    }
    Ok(CnfFormula { variables, ..formula })
}

fn counts(line: &str) -> Option<(usize, usize)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["p", "cnf", variables, clauses] = words.as_slice() else { return None };
    let variables = variables.parse().ok().filter(|count| *count <= MOST)?;
    Some((variables, clauses.parse().ok()?))
}

/// Writes a formula.
pub fn print(formula: &CnfFormula) -> String {
    let mut text = format!("p cnf {} {}\n", formula.variables, formula.clauses.len());
    for clause in &formula.clauses {
        for literal in clause {
            let sign = if literal.is_positive { "" } else { "-" };
            text += &format!("{sign}{} ", literal.variable.index() + 1);
        }
        text += "0\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let read = read(text);
        expected.assert_eq(&match read {
            Ok(formula) => print(&formula),
            Err(problem) => problem,
        });
    }

    #[test]
    fn formulas_and_mistakes() {
        check(
            "c an example\np cnf 3 4\n1 -2 0 1 2 0\n3\n0\n-1 -2 -3 0\n",
            expect!["p cnf 3 4\n1 -2 0\n1 2 0\n3 0\n-1 -2 -3 0\n"],
        );
        check("p cnf 1 1\n1 1\n", expect!["p cnf 1 1\n1 0\n"]);
        check("p cnf 1 1\n2 0\n", expect!["line 2: there are 1 variables, and no 2"]);
        check("1 0\n", expect!["line 1: the line `p cnf ..` comes first"]);
        check("p cnf 1\n", expect!["line 1: write `p cnf VARIABLES CLAUSES`"]);
        check("p cnf 1 2\n1 0\n", expect!["2 clauses are announced, 1 are there"]);
        check("p cnf 1 1\nx 0\n", expect!["line 2: `x` is no literal"]);
        check("", expect!["there is no line `p cnf ..`"]);
    }
}
