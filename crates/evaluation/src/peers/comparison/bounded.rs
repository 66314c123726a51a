//! Bounded questions: solvers that are installed get the same question as DIMACS.

use std::path::PathBuf;

use super::{Host, TableContext};
use crate::peers::table::{TableCell, TextTable};
use crate::peers::{PeerCase, WITHIN, bounded};

/// A solver, with how it is called.
struct CalledSolver {
    name: &'static str,
    words: Vec<String>,
}

/// What solvers exit with for a formula that has no model.
const UNSATISFIABLE: i32 = 20;

/// Their names, and those of their programs.
const SOLVERS: [(&str, &str); 3] = [("SAT4J", "sat4j"), ("PicoSAT", "picosat"), ("CaDiCaL", "cadical")];

fn words(program: &str, bench: &TableContext<'_>) -> Vec<String> {
    let named = bench.options.sat4j.as_deref().filter(|_| program == "sat4j");
    bench.host.words(named.unwrap_or(program))
}

fn program(words: &[String], host: &dyn Host) -> Option<PathBuf> {
    host.program(words.first()?)
}

/// The solvers that are not there.
pub(crate) fn absent(bench: &TableContext<'_>) -> impl Iterator<Item = &'static str> {
    let is_absent = |(_, name): &(&str, &str)| program(&words(name, bench), bench.host).is_none();
    SOLVERS.into_iter().filter(is_absent).map(|(name, _)| name)
}

/// Two neighbours eat at once: there is no such run.
pub(crate) fn table(
    bench: &TableContext<'_>,
    cases: &[PeerCase],
    differences: &mut Vec<String>,
) -> TextTable {
    let solvers: Vec<CalledSolver> = SOLVERS
        .into_iter()
        .map(|(name, program)| CalledSolver { name, words: words(program, bench) })
        .filter(|solver| program(&solver.words, bench.host).is_some())
        .collect();
    let mut heads = vec![["", "case"], ["", "clauses"], ["here", "ms"]];
    for solver in &solvers {
        heads.extend([[solver.name, "ms"], [solver.name, "ratio"]]);
    }
    let title =
        format!("A bounded question by SAT: do two neighbours eat at once within {WITHIN} steps? (no)");
    let mut table = TextTable { name: "bounded", title, heads, ..TextTable::default() };
    let asked: Vec<PeerCase> = cases.iter().filter_map(PeerCase::asking).collect();
    for (number, case) in asked.iter().enumerate() {
        bench.host.progress(number, asked.len());
        let here = bench.asked(case);
        let mut row = vec![
            TableCell::text(case.name.clone()),
            here.as_ref()
                .map_or_else(|_| TableCell::none(), |here| TableCell::number(clauses(&here.formula))),
            TableCell::tried(&here, |here| TableCell::time(here.micros)),
        ];
        for solver in &solvers {
            let theirs = match &here {
                Ok(here) => solver.solve(&here.formula, bench),
                Err(_) => Err("-".to_owned()),
            };
            if theirs == Ok(None) {
                differences.push(format!("{}: {} does not say that there is no run", case.name, solver.name));
            }
            row.push(TableCell::tried(&theirs, |micros| {
                micros.map_or_else(TableCell::none, TableCell::time)
            }));
            row.push(match (&here, theirs) {
                (Ok(here), Ok(Some(micros))) => TableCell::amount(micros as f64 / here.micros.max(1) as f64),
                (Err(_), _) | (_, Err(_) | Ok(None)) => TableCell::none(),
            });
        }
        table.rows.push(row);
    }
    table
}

/// How many clauses a formula says it has.
fn clauses(formula: &str) -> usize {
    let head = formula.lines().find_map(|line| line.strip_prefix("p cnf "));
    head.and_then(|head| head.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}

/// A bounded question that was answered.
struct BoundedAnswer {
    /// Microseconds from the text to the answer.
    micros: u64,
    /// The question as a formula without a model.
    formula: String,
}

impl TableContext<'_> {
    fn asked(&self, case: &PeerCase) -> Result<BoundedAnswer, String> {
        let (_, micros) = self.timed(|| self.processor(), || bounded(case, false))?;
        let formula = bounded(case, true)?.ok_or("there is no formula")?;
        Ok(BoundedAnswer { micros, formula })
    }
}

impl CalledSolver {
    /// Microseconds until it says that a formula has no model; `None` if it says something else.
    fn solve(&self, formula: &str, bench: &TableContext<'_>) -> Result<Option<u64>, String> {
        let folder = bench.host.folder()?;
        folder.write("question.cnf", formula)?;
        let program = program(&self.words, bench.host).ok_or("-")?;
        let mut arguments: Vec<&str> = self.words.iter().skip(1).map(String::as_str).collect();
        arguments.push("question.cnf");
        let ran = folder.run(&program, &arguments, bench.time())?;
        let says_no = ran.code == Some(UNSATISFIABLE) || ran.said.contains("s UNSATISFIABLE");
        Ok(says_no.then_some(ran.micros))
    }
}
