//! Runs: drawn, as a list, and as the data that the script steps through.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sequent_kernel::id::Id;
use sequent_kernel::log::{Choice, Column, LogRow, ObjectStatus};
use sequent_kernel::model::Interaction;
use sequent_kernel::source::{FileId, Span};
use sequent_kernel::verdict::Story;
use serde_json::{Value, json};

use super::ReportSection;
use super::words::text;
use crate::checked::Checked;
use crate::draw::{self, ChartWording, Highlight, Style};

/// The runs of a page.
pub(crate) struct Runs<'a> {
    checked: &'a Checked<'a>,
    parts: &'a [ReportSection<'a>],
    wording: &'a ChartWording,
    /// What the script knows of each run.
    pub data: Vec<Value>,
    /// Each run as a scenario that asks for it.
    pub scenarios: Vec<Option<Interaction>>,
    /// Machines that stand beside some run, by their part and number.
    machines: BTreeSet<(usize, usize)>,
    files: BTreeSet<FileId>,
    /// What may happen next, and what may not: each text once, however many steps name it.
    texts: HashMap<String, usize>,
}

impl<'a> Runs<'a> {
    /// No runs yet.
    pub(crate) fn new(
        checked: &'a Checked<'a>,
        parts: &'a [ReportSection<'a>],
        wording: &'a ChartWording,
    ) -> Self {
        Self {
            checked,
            parts,
            wording,
            data: Vec::new(),
            scenarios: Vec::new(),
            machines: BTreeSet::new(),
            files: BTreeSet::new(),
            texts: HashMap::new(),
        }
    }

    /// Adds a run: what stands in the page for it.
    pub(crate) fn add(&mut self, story: &Story, name: &str) -> String {
        let number = self.data.len();
        let columns: Vec<Option<(usize, usize)>> =
            story.log.columns.iter().map(|column| self.machine_of(column)).collect();
        self.machines.extend(columns.iter().flatten());
        let data = self.describe(story, &columns);
        self.data.push(data);
        self.scenarios.push(story.scenario.clone());
        let because: String = story.because.iter().map(|line| format!("<p>{}</p>\n", text(line))).collect();
        let style = Style { marked: story.marked.clone(), ..Style::default() };
        let svg = draw::svg(&story.drawing, &style);
        let list = list(story);
        format!(
            "<div class=\"run\" id=\"run-{number}\" data-run=\"{number}\" role=\"group\" aria-label=\"Run: {}\">\n{because}\
             <div class=\"stage\"><div class=\"drawing sequence\" tabindex=\"0\">{svg}</div></div>\n\
             <details class=\"list\"><summary>The run as a list</summary>\n{list}</details>\n</div>\n",
            text(name)
        )
    }

    /// The texts that steps name by their numbers.
    pub(crate) fn texts(&self) -> Value {
        let mut all: Vec<(&usize, &str)> = self.texts.iter().map(|(text, at)| (at, text.as_str())).collect();
        all.sort_unstable();
        all.into_iter().map(|(_, text)| text).collect()
    }

    fn text(&mut self, text: &str) -> usize {
        let next = self.texts.len();
        *self.texts.entry(text.to_owned()).or_insert(next)
    }

    /// The files whose lines are shown beside runs.
    pub(crate) fn sources(&self) -> Value {
        let one = |file: &FileId| {
            let source = self.checked.sources.get(*file);
            (
                file.index().to_string(),
                json!({ "name": source.name, "text": source.text.replace("\r\n", "\n") }),
            )
        };
        Value::Object(self.files.iter().map(one).collect())
    }

    /// The drawings of machines, which the script puts beside runs.
    pub(crate) fn templates(&self) -> String {
        let one = |(part, machine): &(usize, usize)| {
            let shown = self.parts[*part].model.machines.iter().nth(*machine)?;
            let svg = draw::machine_svg(shown, self.wording, &Style::default(), &Highlight::default());
            Some(format!("<template id=\"machine-{part}-{machine}\">{svg}</template>\n"))
        };
        self.machines.iter().filter_map(one).collect()
    }

    /// The machine that an object of a run follows, by where it stands.
    fn machine_of(&self, column: &Column) -> Option<(usize, usize)> {
        let place = column.machine?.0;
        let find = |(number, part): (usize, &ReportSection<'_>)| {
            Some((number, part.model.machines.iter().position(|machine| machine.place.0 == place)?))
        };
        self.parts.iter().enumerate().find_map(find)
    }

    fn describe(&mut self, story: &Story, columns: &[Option<(usize, usize)>]) -> Value {
        let rows = &story.log.rows;
        let rows: Vec<Value> = rows
            .iter()
            .enumerate()
            .map(|(at, row)| self.row(row, at.checked_sub(1).map(|before| &rows[before])))
            .collect();
        let machines: Vec<Option<String>> = columns
            .iter()
            .map(|column| column.map(|(part, machine)| format!("machine-{part}-{machine}")))
            .collect();
        let names: Vec<&str> = story.log.columns.iter().map(|column| column.name.as_str()).collect();
        let lines: Vec<Value> =
            story.drawing.messages.iter().map(|message| self.line(message.place.0)).collect();
        let claims: Vec<Value> = story
            .log
            .claims
            .iter()
            .rev()
            .map(|one| json!({ "text": one.text, "truth": one.truth, "deciding": one.deciding }))
            .collect();
        json!({
            "columns": names,
            "machines": machines,
            "rows": rows,
            "cycle": story.log.cycle,
            "moments": story.moments.iter().collect::<Vec<_>>(),
            "lines": lines,
            "claims": claims,
        })
    }

    /// One step. What an object is like stands there only if that has changed since the step before.
    fn row(&mut self, row: &LogRow, before: Option<&LogRow>) -> Value {
        let line = row.place.map(|place| self.line(place.0));
        let choices = row.choices.as_ref().map(|choices| {
            let enabled: Vec<Value> =
                choices.enabled.iter().map(|one| json!([self.text(&one.text), one.is_taken])).collect();
            let blocked: Vec<usize> = choices.blocked.iter().map(|one| self.text(one)).collect();
            json!({ "enabled": enabled, "blocked": blocked })
        });
        let shown = |row: &LogRow, at: usize| Some(object(row, at, row.standings.get(at)?));
        let one = |at: usize| {
            let now = shown(row, at);
            let was = before.and_then(|before| shown(before, at));
            if now == was { Value::Null } else { now.unwrap_or_default() }
        };
        let objects: Vec<Value> = (0..row.standings.len()).map(one).collect();
        json!({ "deed": row.deed, "seen": row.is_seen, "line": line, "objects": objects, "choices": choices })
    }

    /// The file and the line of a place.
    fn line(&mut self, span: Span) -> Value {
        self.files.insert(span.file);
        json!([span.file.index(), self.checked.sources.position(span).line])
    }
}

/// What an object is like, and which transitions it has just taken.
fn object(row: &LogRow, column: usize, standing: &ObjectStatus) -> Value {
    let values: BTreeMap<&str, &str> =
        standing.attributes.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let fired = row.fired.iter().filter(|(of, _)| *of == column);
    json!({
        "states": standing.states,
        "active": standing.active.iter().map(|vertex| vertex.index()).collect::<Vec<_>>(),
        "taken": fired.map(|(_, transition)| transition.index()).collect::<Vec<_>>(),
        "values": values,
        "waiting": standing.waiting,
        "busy": standing.is_busy,
    })
}

/// The run in words, row by row: what happens, what is new, what is true, what else was possible.
fn list(story: &Story) -> String {
    let rows: String = (0..story.log.rows.len()).map(|at| item(story, at)).collect();
    format!("<ol start=\"0\">\n{rows}</ol>\n")
}

fn item(story: &Story, at: usize) -> String {
    let row = &story.log.rows[at];
    let before = at.checked_sub(1).map(|before| &story.log.rows[before]);
    let news = story.log.columns.iter().zip(&row.standings).enumerate().filter_map(
        |(number, (column, standing))| {
            let was = before.and_then(|before| before.standings.get(number));
            let news = standing.news(was);
            (!news.is_empty()).then(|| format!("{}: {}", column.name, news.join(", ")))
        },
    );
    let mut told: Vec<String> = news.collect();
    let claims = story.log.claims.iter().rev().filter(|claim| claim.deciding.contains(&at));
    told.extend(claims.filter_map(|claim| {
        let is_true = claim.truth.get(at).copied().flatten()?;
        Some(format!("{} is {}, which decides", claim.text, is_true))
    }));
    let deed = if at == 0 { "start" } else { row.deed.as_str() };
    let cycle = if story.log.cycle == Some(at) { " (from here on forever)" } else { "" };
    let small = |texts: &[String]| match texts {
        [] => String::new(),
        texts => format!(" <small>{}</small>", text(&texts.join("; "))),
    };
    let choices = row.choices.as_ref();
    let others: Vec<&Choice> =
        choices.into_iter().flat_map(|one| &one.enabled).filter(|one| !one.is_taken).collect();
    let blocked: &[String] = choices.map(|one| one.blocked.as_slice()).unwrap_or_default();
    let also = listed("also possible next", others.iter().map(|one| one.text.as_str()))
        + &listed("not possible next", blocked.iter().map(String::as_str));
    format!("<li value=\"{at}\">{}{}{cycle}{also}</li>\n", text(deed), small(&told))
}

fn listed<'t>(heading: &str, texts: impl Iterator<Item = &'t str>) -> String {
    let items: String = texts.map(|one| format!("<li>{}</li>", text(one))).collect();
    if items.is_empty() { items } else { format!("<div class=\"also\">{heading}<ul>{items}</ul></div>") }
}
