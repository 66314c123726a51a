//! A run as a table: a row for each step, a column for each object.
//!
//! Of every row only what is new is printed: states, attributes that changed, messages that wait once they change. Where
//! columns do not fit side by side their texts wrap, and where even that is too narrow the table becomes a list.

use sequent_kernel::log::{Log, LogRow, ObjectStatus};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::escape;

/// No column is made narrower than this.
const NARROWEST: usize = 10;

/// Spaces between columns.
const GAP: usize = 2;

/// The table as text of this width, with what names and values hide escaped.
pub fn text(log: &Log, width: usize) -> String {
    let rows = rows(log);
    let widths = widths(&rows, width);
    let text = match widths {
        Some(widths) => rows.iter().enumerate().map(|(at, row)| line(row, &widths, at == 0)).collect(),
        None => list(log, &rows, width),
    };
    escape::lines(&text).into_owned()
}

/// The table in Markdown.
pub fn markdown(log: &Log) -> String {
    let rows = rows(log);
    let mut out = String::new();
    for (at, cells) in rows.iter().enumerate() {
        let escaped = |cell: &Vec<String>| {
            let lines =
                cell.iter().map(|line| line.replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;"));
            lines.collect::<Vec<_>>().join("<br>")
        };
        out += &format!("| {} |\n", cells.iter().map(escaped).collect::<Vec<_>>().join(" | "));
        if at == 0 {
            out += &format!("|{}\n", " --- |".repeat(cells.len()));
        }
    }
    escape::lines(&out).into_owned()
}

/// Cells, each of several lines.
type CellLines = Vec<Vec<String>>;

/// Heading, steps, and where a cycle begins and ends.
fn rows(log: &Log) -> Vec<CellLines> {
    let one = |text: &str| vec![text.to_owned()];
    let said = |text: String| {
        let mut cells: CellLines = vec![Vec::new(); log.columns.len() + 2];
        cells[1] = vec![text];
        cells
    };
    let heading =
        [one("step"), one("event")].into_iter().chain(log.columns.iter().map(|column| one(&column.name)));
    let mut rows = vec![heading.collect::<CellLines>()];
    for (number, row) in log.rows.iter().enumerate() {
        let before = number.checked_sub(1).map(|before| &log.rows[before]);
        // Without columns the row of the initial state is empty.
        if before.is_some() || !row.standings.is_empty() {
            rows.push(cells_of(number, row, before));
        }
        if log.cycle == Some(number) {
            rows.push(said("from here on forever:".to_owned()));
        }
    }
    rows.extend(log.cycle.map(|start| {
        said(if start == 0 { "as at the beginning".to_owned() } else { format!("as after step {start}") })
    }));
    for text in rows.iter_mut().flatten().flatten() {
        *text = escape::line(text).into_owned();
    }
    rows
}

fn cells_of(number: usize, row: &LogRow, before: Option<&LogRow>) -> CellLines {
    let step = before.map(|_| number.to_string()).into_iter().collect();
    let deed = match (before, row.is_seen) {
        (None, _) => "(start)".to_owned(),
        (Some(_), true) => row.deed.clone(),
        (Some(_), false) => format!("({})", row.deed),
    };
    let deed = vec![deed];
    let own = row.standings.iter().enumerate();
    let standings = own.map(|(at, now)| news(now, before.and_then(|before| before.standings.get(at))));
    [step, deed].into_iter().chain(standings).collect()
}

/// What is new with an object.
fn news(now: &ObjectStatus, before: Option<&ObjectStatus>) -> Vec<String> {
    let mut news = Vec::new();
    let states = states(now);
    if before.is_none_or(|before| self::states(before) != states) {
        news.push(states);
    }
    let known = |pair: &&(String, String)| before.is_some_and(|before| before.attributes.contains(pair));
    let changed = now.attributes.iter().filter(|pair| !known(pair));
    news.extend(changed.map(|(name, value)| format!("{name} = {value}")));
    if before.map_or(!now.waiting.is_empty(), |before| before.waiting != now.waiting) {
        news.push(format!("[{}]", now.waiting.join(", ")));
    }
    news
}

/// The active states; with a mark while the object is in the middle of a step.
fn states(standing: &ObjectStatus) -> String {
    match (standing.states.as_str(), standing.is_busy) {
        ("", true) => "...".to_owned(),
        ("", false) => "-".to_owned(),
        (states, true) => format!("{states} ..."),
        (states, false) => states.to_owned(),
    }
}

/// How wide the columns are, if they fit: the widest give way first.
fn widths(rows: &[CellLines], width: usize) -> Option<Vec<usize>> {
    let count = rows.first().map_or(0, Vec::len);
    let natural = |column: usize| {
        let lines = rows.iter().filter_map(|cells| cells.get(column)).flatten();
        lines.map(|line| line.width()).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..count).map(natural).collect();
    let room = width.saturating_sub(GAP * count.saturating_sub(1));
    while widths.iter().sum::<usize>() > room {
        let widest = widths.iter_mut().max().filter(|widest| **widest > NARROWEST)?;
        *widest -= 1;
    }
    Some(widths)
}

fn line(row: &CellLines, widths: &[usize], is_heading: bool) -> String {
    let wrapped: Vec<Vec<String>> = row
        .iter()
        .zip(widths)
        .map(|(cell, width)| cell.iter().flat_map(|line| wrap(line, *width)).collect())
        .collect();
    let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
    let mut out = String::new();
    for at in 0..height {
        let mut line = String::new();
        for (column, (cell, width)) in wrapped.iter().zip(widths).enumerate() {
            let text = cell.get(at).map_or("", String::as_str);
            let spare = " ".repeat(width.saturating_sub(text.width()));
            let (left, right) = if column == 0 { (spare.as_str(), text) } else { (text, spare.as_str()) };
            line += &format!("{left}{right}{}", " ".repeat(GAP));
        }
        out += line.trim_end();
        out.push('\n');
    }
    if is_heading {
        let total = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
        out += &format!("{}\n", "─".repeat(total));
    }
    out
}

/// Below each step what is new with whom.
fn list(log: &Log, rows: &[CellLines], width: usize) -> String {
    let mut out = String::new();
    let mut push = |indent: usize, text: &str| {
        for line in wrap(text, width.saturating_sub(indent).max(NARROWEST)) {
            out += &format!("{}{line}\n", " ".repeat(indent));
        }
    };
    for cells in rows.iter().skip(1) {
        let head = cells.iter().take(2).flatten().cloned().collect::<Vec<_>>().join("  ");
        push(0, &head);
        for (column, news) in
            log.columns.iter().zip(cells.iter().skip(2)).filter(|(_, news)| !news.is_empty())
        {
            push(4, &format!("{}: {}", escape::line(&column.name), news.join(", ")));
        }
    }
    out
}

/// Breaks a line at spaces; a word that is too long between its parts, or anywhere if they are too long as well.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let (mut line, mut used) = (String::new(), 0);
    for word in text.split_whitespace() {
        if used > 0 && used + 1 + word.width() > width {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        for part in parts(word) {
            if used > 0 && used + part.width() > width {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            for character in part.chars() {
                let more = character.width().unwrap_or(0);
                if used > 0 && used + more > width {
                    lines.push(std::mem::take(&mut line));
                    used = 0;
                }
                line.push(character);
                used += more;
            }
        }
    }
    lines.push(line);
    lines
}

/// A word in parts between which it may be broken: before a colon, after other signs, and where capitals begin.
fn parts(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let letters = rest.char_indices().zip(rest.chars().skip(1));
        let mut breaks = letters.filter(|((_, one), next)| {
            let is_after =
                matches!(one, '>' | ',' | '.' | '_' | '/' | '(' | '[' | '=') && next.is_alphanumeric();
            is_after || *next == ':' || one.is_lowercase() && next.is_uppercase()
        });
        let end = breaks.next().map_or(rest.len(), |((at, one), _)| at + one.len_utf8());
        let (part, later) = rest.split_at(end);
        rest = later;
        (!part.is_empty()).then_some(part)
    })
}

#[cfg(test)]
mod tests;
