//! Runs: drawn, as a list, and as the data that the script steps through.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::Id;
use sequent_kernel::log::{Row, Standing};
use sequent_kernel::model::{End, Interaction, Machine, Message, Model, VertexId};
use sequent_kernel::source::FileId;
use sequent_kernel::verdict::Story;
use serde_json::{Value, json};

use super::Part;
use super::words::text;
use crate::checked::Checked;
use crate::draw::{self, Highlight, Style, Wording};
use crate::run::HALVES;

/// The runs of a page.
pub struct Runs<'a> {
    checked: &'a Checked<'a>,
    parts: &'a [Part<'a>],
    wording: &'a Wording,
    /// What the script knows of each run.
    pub data: Vec<Value>,
    /// Each run as a diagram.
    pub drawings: Vec<Interaction>,
    /// Machines that stand beside some run, by their part and number.
    machines: BTreeSet<(usize, usize)>,
    files: BTreeSet<FileId>,
}

impl<'a> Runs<'a> {
    /// No runs yet.
    pub fn new(checked: &'a Checked<'a>, parts: &'a [Part<'a>], wording: &'a Wording) -> Self {
        Self {
            checked,
            parts,
            wording,
            data: Vec::new(),
            drawings: Vec::new(),
            machines: BTreeSet::new(),
            files: BTreeSet::new(),
        }
    }

    /// Adds a run: what stands in the page for it.
    pub fn add(&mut self, story: &Story, name: &str) -> String {
        let number = self.data.len();
        let columns: Vec<Option<(usize, usize)>> =
            story.log.columns.iter().map(|column| self.machine_of(story, column)).collect();
        self.machines.extend(columns.iter().flatten());
        let data = self.describe(story, &columns);
        self.data.push(data);
        self.drawings.push(story.drawing.clone());
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

    /// The files whose lines are shown beside runs.
    pub fn sources(&self) -> Value {
        let one = |file: &FileId| {
            let source = self.checked.sources.get(*file);
            (file.index().to_string(), json!({ "name": source.name, "text": &*source.text }))
        };
        Value::Object(self.files.iter().map(one).collect())
    }

    /// The drawings of machines, which the script puts beside runs.
    pub fn templates(&self) -> String {
        let one = |(part, machine): &(usize, usize)| {
            let shown = self.parts[*part].model.machines.iter().nth(*machine)?;
            let svg = draw::machine_svg(shown, self.wording, &Style::default(), &Highlight::default());
            Some(format!("<template id=\"machine-{part}-{machine}\">{svg}</template>\n"))
        };
        self.machines.iter().filter_map(one).collect()
    }

    /// The machine that an object of a run follows.
    fn machine_of(&self, story: &Story, column: &str) -> Option<(usize, usize)> {
        let file = story.drawing.place.0.file;
        let is_near = |part: &Part<'_>| {
            let places = part
                .model
                .interactions
                .iter()
                .map(|one| one.place)
                .chain(part.model.machines.iter().map(|one| one.place));
            places.into_iter().any(|place| place.0.file == file)
        };
        let near = self.parts.iter().enumerate().filter(|(_, part)| is_near(part));
        let all = near.chain(self.parts.iter().enumerate());
        let find = |(number, part): (usize, &Part<'_>)| Some((number, machine(part.model, story, column)?));
        all.into_iter().find_map(find)
    }

    fn describe(&mut self, story: &Story, columns: &[Option<(usize, usize)>]) -> Value {
        let shown = shown_after(story);
        let rows: Vec<Value> = story.log.rows.iter().enumerate().map(|(at, row)| {
            let last = story.drawing.messages.enumerate().rfind(|(id, _)| shown[id.index()] == at);
            let line = last.map(|(_, message)| {
                let position = self.checked.sources.position(message.place.0);
                self.files.insert(message.place.0.file);
                json!([message.place.0.file.index(), position.line])
            });
            let before = at.checked_sub(1).map(|before| &story.log.rows[before]);
            json!({ "deed": row.deed, "seen": row.is_seen, "line": line, "objects": self.objects(row, before, columns) })
        }).collect();
        let machines: Vec<Option<String>> = columns
            .iter()
            .map(|column| column.map(|(part, machine)| format!("machine-{part}-{machine}")))
            .collect();
        json!({ "columns": story.log.columns, "machines": machines, "rows": rows, "cycle": story.log.cycle, "shown": shown })
    }

    fn objects(&self, row: &Row, before: Option<&Row>, columns: &[Option<(usize, usize)>]) -> Vec<Value> {
        let one = |(at, standing): (usize, &Standing)| {
            let machine = columns
                .get(at)
                .copied()
                .flatten()
                .and_then(|(part, machine)| self.parts[part].model.machines.iter().nth(machine));
            let active = machine.map(|machine| active(machine, standing)).unwrap_or_default();
            let was = before.and_then(|before| before.standings.get(at));
            let was = machine.zip(was).map(|(machine, was)| self::active(machine, was));
            let taken = machine.zip(was).and_then(|(machine, was)| taken(machine, &was, &active));
            let values: BTreeMap<&str, &str> =
                standing.attributes.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            json!({
                "states": standing.states,
                "active": active.iter().map(|vertex| vertex.index()).collect::<Vec<_>>(),
                "taken": taken,
                "values": values,
                "waiting": standing.waiting,
                "busy": standing.is_busy,
            })
        };
        row.standings.iter().enumerate().map(one).collect()
    }
}

/// The machine of an object: by its class, by a lifeline of its name, or by its own name.
fn machine(model: &Model, story: &Story, column: &str) -> Option<usize> {
    let of_object =
        model.objects.iter().find(|object| object.name == column).and_then(|object| object.class.as_deref());
    let lifelines =
        story.drawing.lifelines.iter().chain(model.interactions.iter().flat_map(|one| one.lifelines.iter()));
    let of_lifeline =
        || lifelines.into_iter().filter(|one| one.name == column).find_map(|one| one.class.as_deref());
    let class = of_object.or_else(of_lifeline).unwrap_or(column);
    let own = |machine: &Machine| {
        machine.class.as_deref().unwrap_or(&machine.name) == class || machine.name == class
    };
    model.machines.iter().position(own)
}

/// The vertices whose names a log gives as active: `Verifying(CardValid, PINCorrect)`.
fn active(machine: &Machine, standing: &Standing) -> BTreeSet<VertexId> {
    let names: BTreeSet<&str> =
        standing.states.split(['(', ')', ',']).map(str::trim).filter(|name| !name.is_empty()).collect();
    let named = machine.vertices.enumerate().filter(|(_, vertex)| names.contains(vertex.name.as_str()));
    named.map(|(id, _)| id).collect()
}

/// The transition between two sets of active states, where only one comes into question.
fn taken(machine: &Machine, before: &BTreeSet<VertexId>, after: &BTreeSet<VertexId>) -> Option<usize> {
    if before == after {
        return None;
    }
    let mut fitting = machine.transitions.enumerate().filter(|(_, one)| {
        before.contains(&one.source) && after.contains(&one.target) && !before.contains(&one.target)
    });
    let first = fitting.next()?;
    fitting.next().is_none().then(|| first.0.index())
}

/// After which row each message of the drawing is seen. Rows are claimed in order: a message drawn as one arrow by its
/// sending, and then its receipt is its, too; a message whose event no row gives is seen with the one before.
fn shown_after(story: &Story) -> Vec<usize> {
    let mut claimed: BTreeSet<usize> = BTreeSet::new();
    let mut claim = |events: &[String]| {
        let is_it = |row: &Row| {
            events.iter().any(|event| row.deed == *event || row.deed.split(", ").any(|one| one == event))
        };
        let mut rows = story.log.rows.iter().enumerate();
        let found = rows.find(|(at, row)| !claimed.contains(at) && row.is_seen && is_it(row));
        found.map(|(at, _)| at).inspect(|at| {
            claimed.insert(*at);
        })
    };
    let mut last = 0;
    let one = |message: &Message| {
        let (name, half) = halved(&message.name);
        let event = event(&story.drawing, message, name);
        let (sent, received) = (format!("!{event}"), format!("?{event}"));
        let at = match half {
            Some(true) => claim(&[sent]),
            Some(false) => claim(&[received]),
            None => {
                let at = claim(&[sent, event]);
                claim(&[received]);
                at
            }
        };
        last = at.unwrap_or(last);
        last
    };
    story.drawing.messages.iter().map(one).collect()
}

/// The name of a message without what is said of its halves; whether it is the half that is sent.
fn halved(name: &str) -> (&str, Option<bool>) {
    let [sent, received] = HALVES;
    match (name.strip_suffix(sent), name.strip_suffix(received)) {
        (Some(name), _) => (name, Some(true)),
        (None, Some(name)) => (name, Some(false)),
        (None, None) => (name, None),
    }
}

/// The event of a message as logs give it.
fn event(drawing: &Interaction, message: &Message, name: &str) -> String {
    let end = |end: End| end.lifeline().map(|id| drawing.lifelines[id].name.as_str()).unwrap_or_default();
    format!("{}->{}:{name}", end(message.from), end(message.to))
}

/// The run in words, row by row.
fn list(story: &Story) -> String {
    let one = |(at, row): (usize, &Row)| {
        let before = at.checked_sub(1).map(|before| &story.log.rows[before]);
        let news = story.log.columns.iter().zip(&row.standings).enumerate().filter_map(
            |(column, (name, standing))| {
                let was = before.and_then(|before| before.standings.get(column));
                let news = standing.news(was);
                (!news.is_empty()).then(|| format!("{name}: {}", news.join(", ")))
            },
        );
        let news: Vec<String> = news.collect();
        let deed = if at == 0 { "start" } else { row.deed.as_str() };
        let cycle = if story.log.cycle == Some(at) { " (from here on forever)" } else { "" };
        let news = if news.is_empty() {
            String::new()
        } else {
            format!(" <small>{}</small>", text(&news.join("; ")))
        };
        format!("<li value=\"{at}\">{}{news}{cycle}</li>\n", text(deed))
    };
    format!("<ol start=\"0\">\n{}</ol>\n", story.log.rows.iter().enumerate().map(one).collect::<String>())
}
