//! Tables of measurements: as text in columns, and as JSON.

use serde_json::{Map, Value, json};

/// What stands in a table at one place.
#[derive(Clone, PartialEq, Debug)]
pub struct TableCell {
    text: String,
    value: Value,
}

/// Rows of cells under heads.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TextTable {
    /// What it is called, for programs.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// What stands above the columns, in two lines.
    pub heads: Vec<[&'static str; 2]>,
    /// The rows, each as long as the heads.
    pub rows: Vec<Vec<TableCell>>,
    /// Sentences below the table: the smallest of a column of ratios, in words.
    pub notes: Vec<String>,
}

impl TableCell {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        TableCell { value: json!(text), text }
    }

    /// Nothing, because something is not there.
    pub fn none() -> Self {
        TableCell { text: "-".to_owned(), value: Value::Null }
    }

    /// A whole number.
    pub fn number(number: usize) -> Self {
        TableCell { text: number.to_string(), value: json!(number) }
    }

    /// Microseconds, shown as milliseconds.
    pub fn time(micros: u64) -> Self {
        let millis = micros as f64 / 1e3;
        let text = if millis < 10.0 { format!("{millis:.2}") } else { format!("{millis:.0}") };
        TableCell { text, value: json!(millis) }
    }

    /// States per second, shown in thousands.
    pub fn rate(rate: f64) -> Self {
        TableCell { text: format!("{:.0}", rate / 1e3), value: json!(rate.round()) }
    }

    /// A quantity with one digit after the point.
    pub fn amount(amount: f64) -> Self {
        TableCell { text: format!("{amount:.1}"), value: json!((amount * 10.0).round() / 10.0) }
    }

    /// What was measured, or why it was not.
    pub fn tried<T, E: Clone + Into<String>>(
        measured: &Result<T, E>,
        tell: impl FnOnce(&T) -> TableCell,
    ) -> Self {
        match measured {
            Ok(measured) => tell(measured),
            Err(reason) => TableCell::text(reason.clone()),
        }
    }
}

impl TextTable {
    /// The table as text; the first column is aligned to the left.
    pub fn text(&self) -> String {
        let heads = |line: usize| self.heads.iter().map(|head| head[line].to_owned()).collect::<Vec<_>>();
        let cells = |row: &Vec<TableCell>| row.iter().map(|cell| cell.text.clone()).collect();
        let lines: Vec<Vec<String>> =
            [heads(0), heads(1)].into_iter().chain(self.rows.iter().map(cells)).collect();
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.heads.len()).map(width).collect();
        let mut text = format!("{}\n\n", self.title);
        for line in &lines {
            let mut row = String::new();
            for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
                row += &if column == 0 { format!("{cell:<width$}") } else { format!("  {cell:>width$}") };
            }
            text += &format!("{}\n", row.trim_end());
        }
        for note in &self.notes {
            text += &format!("{note}\n");
        }
        text
    }

    /// The table for programs: an object for each row.
    pub fn json(&self) -> Value {
        let key = |[above, below]: &[&str; 2]| format!("{above} {below}").trim().to_owned();
        let row = |row: &Vec<TableCell>| {
            let cells = self.heads.iter().map(key).zip(row.iter().map(|cell| cell.value.clone()));
            Value::Object(cells.collect::<Map<String, Value>>())
        };
        json!({
            "name": self.name,
            "title": self.title,
            "rows": self.rows.iter().map(row).collect::<Vec<Value>>(),
            "notes": self.notes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{TableCell, TextTable};

    #[test]
    fn columns_are_aligned_and_keys_are_heads() {
        let table = TextTable {
            name: "states",
            title: "All states".to_owned(),
            heads: vec![["", "case"], ["here", "ms"], ["ratio", ""]],
            rows: vec![
                vec![TableCell::text("par 9"), TableCell::time(1_234), TableCell::amount(12.34)],
                vec![TableCell::text("par 10"), TableCell::time(123_400), TableCell::none()],
            ],
            notes: vec!["least ratio: 12.3".to_owned()],
        };
        let wanted = "All states\n\n        here  ratio\ncase      ms\npar 9   1.23   12.3\npar 10   123      -\n\
                      least ratio: 12.3\n";
        assert_eq!(table.text(), wanted);
        assert_eq!(table.json()["rows"][0]["here ms"], 1.234);
        assert!(table.json()["rows"][1]["ratio"].is_null());
    }
}
