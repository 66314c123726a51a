//! Columns of solutions, summed up in the rows that the paper prints.

use serde_json::{Map, Value, json};

use super::{Solution, ThesisColumn, ThesisTable, published};

/// A row of a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SummaryRow {
    /// Positive answers.
    Yes,
    /// Negative answers.
    No,
    /// Given up.
    Timeout,
    /// Clauses on average.
    Clauses,
    /// Variables on average.
    Variables,
    /// Transactions to the goal on average.
    Length,
    /// Messages taken away on average.
    Removed,
    /// Milliseconds of encoding on average.
    Encoding,
    /// Milliseconds to a positive answer on average.
    SolvingYes,
    /// Milliseconds to a negative answer on average.
    SolvingNo,
    /// Milliseconds to the first message that fails on average.
    Finding,
    /// Milliseconds until the slowest answer.
    Longest,
    /// Milliseconds that the builtin engine took for the same instances on average.
    Builtin,
    /// How many times as long as the builtin engine it took where both answered.
    Ratio,
}

impl SummaryRow {
    /// All of them, from top to bottom.
    pub const ALL: [SummaryRow; 14] = [
        SummaryRow::Yes,
        SummaryRow::No,
        SummaryRow::Timeout,
        SummaryRow::Clauses,
        SummaryRow::Variables,
        SummaryRow::Length,
        SummaryRow::Removed,
        SummaryRow::Encoding,
        SummaryRow::SolvingYes,
        SummaryRow::SolvingNo,
        SummaryRow::Finding,
        SummaryRow::Longest,
        SummaryRow::Builtin,
        SummaryRow::Ratio,
    ];

    /// What stands before it.
    pub fn title(self) -> &'static str {
        match self {
            SummaryRow::Yes => "yes",
            SummaryRow::No => "no",
            SummaryRow::Timeout => "given up",
            SummaryRow::Clauses => "clauses",
            SummaryRow::Variables => "variables",
            SummaryRow::Length => "length, yes",
            SummaryRow::Removed => "messages removed, no",
            SummaryRow::Encoding => "encoding, ms",
            SummaryRow::SolvingYes => "solving, ms, yes",
            SummaryRow::SolvingNo => "solving, ms, no",
            SummaryRow::Finding => "finding message, ms",
            SummaryRow::Longest => "slowest, ms",
            SummaryRow::Builtin => "builtin, ms",
            SummaryRow::Ratio => "ratio to builtin",
        }
    }
}

/// A column of solutions in short; times in microseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// One value per row, in tenths where it is an average; `None` where there is nothing to say.
    values: Vec<Option<u64>>,
    /// The longest time until one was answered.
    pub longest: u64,
}

impl Summary {
    /// Sums solutions up.
    pub fn of(solutions: &[Solution]) -> Self {
        let count = |verdict: Option<bool>| {
            let alike = solutions.iter().filter(|solution| solution.verdict == verdict).count();
            Some(10 * alike as u64)
        };
        let average = |value: &dyn Fn(&Solution) -> Option<u64>| {
            let values: Vec<u64> = solutions.iter().filter_map(value).collect();
            let sum: u128 = values.iter().map(|value| u128::from(*value)).sum();
            let tenths = (10 * sum + values.len() as u128 / 2).checked_div(values.len() as u128);
            tenths.and_then(|tenths| u64::try_from(tenths).ok())
        };
        let longest = solutions.iter().map(Solution::time).max().unwrap_or(0);
        let number = |value: Option<usize>| value.map(|value| value as u64);
        let value = |row: SummaryRow| match row {
            SummaryRow::Yes => count(Some(true)),
            SummaryRow::No => count(Some(false)),
            SummaryRow::Timeout => count(None),
            SummaryRow::Clauses => average(&|one| number(one.clauses)),
            SummaryRow::Variables => average(&|one| number(one.variables)),
            SummaryRow::Length => average(&|one| number(one.length)),
            SummaryRow::Removed => average(&|one| number(one.removed)),
            SummaryRow::Encoding => average(&|one| Some(one.encoding)),
            SummaryRow::SolvingYes => average(&|one| (one.verdict == Some(true)).then_some(one.solving)),
            SummaryRow::SolvingNo => average(&|one| (one.verdict == Some(false)).then_some(one.solving)),
            SummaryRow::Finding => average(&|one| one.finding),
            SummaryRow::Longest => Some(10 * longest),
            SummaryRow::Builtin => average(&|one| one.builtin),
            SummaryRow::Ratio => ratio(solutions),
        };
        Summary { values: SummaryRow::ALL.into_iter().map(value).collect(), longest }
    }

    /// The value of a row as it is printed; nothing where there is nothing to say.
    pub fn text(&self, row: SummaryRow) -> Option<String> {
        let at = SummaryRow::ALL.iter().position(|known| *known == row)?;
        let tenths = self.values[at]?;
        Some(match row {
            SummaryRow::Yes | SummaryRow::No | SummaryRow::Timeout => (tenths / 10).to_string(),
            SummaryRow::Clauses | SummaryRow::Variables => ((tenths + 5) / 10).to_string(),
            SummaryRow::Length | SummaryRow::Removed | SummaryRow::Ratio => {
                format!("{}.{}", tenths / 10, tenths % 10)
            }
            SummaryRow::Encoding
            | SummaryRow::SolvingYes
            | SummaryRow::SolvingNo
            | SummaryRow::Finding
            | SummaryRow::Longest
            | SummaryRow::Builtin => {
                // Microseconds in tenths: below ten milliseconds tenths of those are shown.
                let tenth_millis = (tenths + 500) / 1_000;
                match tenth_millis < 100 {
                    true => format!("{}.{}", tenth_millis / 10, tenth_millis % 10),
                    false => ((tenth_millis + 5) / 10).to_string(),
                }
            }
        })
    }
}

/// How many times as long as the builtin engine a solver took, in tenths, over all instances that both answered.
fn ratio(solutions: &[Solution]) -> Option<u64> {
    let both = solutions.iter().filter(|one| one.verdict.is_some());
    let (mut theirs, mut ours) = (0, 0);
    for (one, builtin) in both.filter_map(|one| Some((one, one.builtin?))) {
        theirs += one.time();
        ours += builtin;
    }
    (10 * theirs + ours / 2).checked_div(ours)
}

/// A table of solutions beside the printed one.
pub struct SolutionReport {
    /// Which table.
    pub table: ThesisTable,
    /// Its columns.
    pub columns: Vec<ThesisColumn>,
    /// What was found out about each.
    pub summaries: Vec<Summary>,
}

impl SolutionReport {
    /// Columns with what was found out about them.
    pub fn new(table: ThesisTable, columns: Vec<ThesisColumn>, summaries: Vec<Summary>) -> Self {
        SolutionReport { table, columns, summaries }
    }

    /// What the paper prints in a row of a column.
    pub fn printed(&self, row: SummaryRow, column: usize) -> Option<&'static str> {
        published::cell(self.table, row, self.columns[column].printed?)
    }

    /// The table as text: for each row ours above theirs.
    pub fn text(&self) -> String {
        let mut lines: Vec<Vec<String>> = Vec::new();
        for at in 0..self.columns.first().map_or(0, |column| column.heads.len()) {
            let name = self.columns[0].heads[at].0.to_owned();
            let values = self.columns.iter().map(|column| column.heads[at].1.clone());
            lines.push([name, String::new()].into_iter().chain(values).collect());
        }
        for row in SummaryRow::ALL {
            let ours: Vec<Option<String>> = self.summaries.iter().map(|one| one.text(row)).collect();
            let theirs: Vec<Option<&str>> = (0..self.columns.len()).map(|at| self.printed(row, at)).collect();
            let cells = |values: Vec<String>, title: &str, who: &str| {
                [title.to_owned(), who.to_owned()].into_iter().chain(values).collect::<Vec<String>>()
            };
            if ours.iter().any(Option::is_some) {
                let values = ours.into_iter().map(Option::unwrap_or_default).collect();
                lines.push(cells(values, row.title(), "here"));
            }
            if theirs.iter().any(Option::is_some) {
                let values = theirs.iter().map(|value| value.unwrap_or_default().to_owned()).collect();
                lines.push(cells(values, row.title(), "P4"));
            }
        }
        format!("Table {}: {}\n{}", self.table.number(), self.table.title(), aligned(&lines))
    }

    /// The table as JSON: for each column its rows, ours beside theirs.
    pub fn json(&self) -> Value {
        let column = |at: usize| {
            let mut column = Map::new();
            for (name, value) in &self.columns[at].heads {
                column.insert((*name).to_owned(), json!(value));
            }
            column.insert("instances".to_owned(), json!(self.columns[at].instances));
            column.insert("longest, ms".to_owned(), json!(self.summaries[at].longest / 1_000));
            let rows = SummaryRow::ALL.into_iter().map(|row| {
                let cells =
                    json!({ "here": self.summaries[at].text(row), "published": self.printed(row, at) });
                (row.title().to_owned(), cells)
            });
            column.insert("rows".to_owned(), Value::Object(rows.collect()));
            Value::Object(column)
        };
        json!({
            "number": self.table.number(),
            "title": self.table.title(),
            "columns": (0..self.columns.len()).map(column).collect::<Vec<Value>>(),
        })
    }
}

/// Columns as wide as their widest cell, the first two to the left.
fn aligned(lines: &[Vec<String>]) -> String {
    let count = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| lines.iter().filter_map(|line| line.get(at)).map(String::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(width).collect();
    let mut text = String::new();
    for line in lines {
        let cell = |(at, cell): (usize, &String)| match at < 2 {
            true => format!("{cell:<0$}", widths[at]),
            false => format!("{cell:>0$}", widths[at]),
        };
        let cells: Vec<String> = line.iter().enumerate().map(cell).collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}
