//! A session: where in the run one is, and how it goes on from there.
//!
//! A position is the number of steps taken. The step that comes next is what the editor shows; a breakpoint stops before it.
//! At the end of a run that goes on forever the next step leads back to where it repeats itself.

use std::path::{Path, PathBuf};

use sequent_kernel::log::{Log, ObjectStatus};
use sequent_kernel::verdict::Story;
use serde_json::{Value, json};

use super::watch;

/// A step of the run.
pub(crate) struct DebugStep {
    /// What happens.
    pub deed: String,
    /// Where that is written: file, line, column.
    pub places: Vec<(PathBuf, u32, u32)>,
}

/// Which way one goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepDirection {
    Forward,
    Back,
}

/// Why one stops.
pub(crate) enum StopReason {
    /// Before the first step.
    Entry,
    /// After a step.
    Step,
    /// Before a step with a breakpoint.
    Breakpoint,
    /// The run ends here, or repeats itself.
    End,
    /// One went on past the end.
    Over,
}

/// A breakpoint on a line or a message.
struct Breakpoint {
    site: StopSite,
    condition: Option<String>,
}

enum StopSite {
    Line(PathBuf, u32),
    Message(String),
}

pub(crate) struct DebugSession {
    /// What it is about.
    pub name: String,
    /// Whether it stops before the first step.
    pub(crate) stops_at_entry: bool,
    steps: Vec<DebugStep>,
    log: Log,
    because: Vec<String>,
    /// How many steps were taken.
    position: usize,
    lines: Vec<Breakpoint>,
    messages: Vec<Breakpoint>,
}

/// References of variables: the scopes of a moment, or the queue in one of them.
const QUEUE: usize = 1;
const KINDS: usize = 2;

impl DebugSession {
    pub(crate) fn new(name: String, steps: Vec<DebugStep>, story: &Story, stops_at_entry: bool) -> Self {
        DebugSession {
            name,
            stops_at_entry,
            steps,
            log: story.log.clone(),
            because: story.because.clone(),
            position: 0,
            lines: Vec::new(),
            messages: Vec::new(),
        }
    }

    /// What is told at the end.
    pub(crate) fn ending(&self) -> String {
        let repeats = self.log.cycle.map(|row| format!("everything is repeated after step {row}"));
        let lines: Vec<String> = repeats.into_iter().chain(self.because.iter().cloned()).collect();
        if lines.is_empty() { "the run ends here".to_owned() } else { lines.join("\n") }
    }

    /// One step.
    pub(crate) fn step(&mut self, direction: StepDirection) -> StopReason {
        match direction {
            StepDirection::Back if self.position == 0 => StopReason::Entry,
            StepDirection::Back => {
                self.position -= 1;
                StopReason::Step
            }
            StepDirection::Forward if self.position < self.steps.len() => {
                self.position += 1;
                if self.position == self.steps.len() { StopReason::End } else { StopReason::Step }
            }
            StepDirection::Forward => match self.log.cycle {
                Some(row) if row < self.steps.len() => {
                    self.position = row;
                    StopReason::Step
                }
                Some(_) | None => StopReason::Over,
            },
        }
    }

    /// Goes from the first step, which may have a breakpoint, to a breakpoint or the end of the run.
    pub(crate) fn start(&mut self) -> StopReason {
        if self.is_broken() { StopReason::Breakpoint } else { self.run(StepDirection::Forward) }
    }

    /// Steps until there is a breakpoint, or until the run ends.
    pub(crate) fn run(&mut self, direction: StepDirection) -> StopReason {
        loop {
            match self.step(direction) {
                StopReason::Step if self.is_broken() => return StopReason::Breakpoint,
                StopReason::Step => {}
                stop => return stop,
            }
        }
    }

    /// Whether a breakpoint stands before the next step.
    fn is_broken(&self) -> bool {
        let Some(step) = self.steps.get(self.position) else { return false };
        self.lines.iter().chain(&self.messages).any(|breakpoint| {
            breakpoint.site.is_at(step)
                && breakpoint.condition.as_ref().is_none_or(|condition| {
                    // A condition that means nothing does not hide the breakpoint.
                    watch::evaluate(condition, &self.moment(self.position))
                        .map_or(true, |value| value.is_true())
                })
        })
    }

    /// Sets the breakpoints of a file; which of them are in the run.
    pub(crate) fn set_lines(&mut self, arguments: &Value) -> Vec<Value> {
        let path = PathBuf::from(arguments["source"]["path"].as_str().unwrap_or_default());
        self.lines.retain(|one| !matches!(&one.site, StopSite::Line(own, _) if is_same(own, &path)));
        let wanted = arguments["breakpoints"].as_array().cloned().unwrap_or_default();
        let mut told = Vec::new();
        for one in &wanted {
            let line = u32::try_from(one["line"].as_u64().unwrap_or(0)).unwrap_or(0);
            let site = StopSite::Line(path.clone(), line);
            told.push(self.verified(&site, json!({ "line": line })));
            self.lines.push(Breakpoint { site, condition: condition(one) });
        }
        told
    }

    /// Sets the breakpoints on messages.
    pub(crate) fn set_messages(&mut self, arguments: &Value) -> Vec<Value> {
        self.messages.clear();
        let wanted = arguments["breakpoints"].as_array().cloned().unwrap_or_default();
        let mut told = Vec::new();
        for one in &wanted {
            let site = StopSite::Message(one["name"].as_str().unwrap_or_default().to_owned());
            told.push(self.verified(&site, json!({})));
            self.messages.push(Breakpoint { site, condition: condition(one) });
        }
        told
    }

    fn verified(&self, site: &StopSite, mut told: Value) -> Value {
        let is_there = self.steps.iter().any(|step| site.is_at(step));
        told["verified"] = json!(is_there);
        if !is_there {
            told["message"] = json!("no step of this run stands here");
        }
        told
    }

    /// The next step, and below it what happened so far; each frame is a moment.
    pub(crate) fn stack(&self, start: usize, levels: usize) -> Value {
        let frame = |moment: usize| {
            let step = self.steps.get(moment);
            let name = match step {
                Some(step) if moment == self.position => format!("next: {}", step.deed),
                Some(step) => format!("{}: {}", moment + 1, step.deed),
                None => "end".to_owned(),
            };
            let place = step.or(self.steps.last()).and_then(|step| step.places.first());
            let mut frame = json!({ "id": moment + 1, "name": name, "line": 0, "column": 0 });
            if let Some((path, line, column)) = place {
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                frame["source"] = json!({ "name": name, "path": path.to_string_lossy() });
                (frame["line"], frame["column"]) = (json!(line), json!(column));
            }
            frame
        };
        let all: Vec<usize> = (0..=self.position).rev().collect();
        let most = if levels == 0 { usize::MAX } else { levels };
        let shown: Vec<Value> = all.iter().skip(start).take(most).map(|moment| frame(*moment)).collect();
        json!({ "stackFrames": shown, "totalFrames": all.len() })
    }

    fn standings(&self, moment: usize) -> &[ObjectStatus] {
        self.log.rows.get(moment).map(|row| row.standings.as_slice()).unwrap_or_default()
    }

    /// The objects at a moment, by name.
    fn moment(&self, moment: usize) -> watch::ObjectsMoment<'_> {
        self.log.columns.iter().map(|column| column.name.as_str()).zip(self.standings(moment)).collect()
    }

    /// The objects at a moment; what happened, where there are none.
    pub(crate) fn scopes(&self, frame: usize) -> Vec<Value> {
        let moment = frame.saturating_sub(1);
        let scope = |name: &str, column: usize| {
            let reference = self.reference(moment, column, 0);
            json!({ "name": name, "variablesReference": reference, "expensive": false })
        };
        let objects = self.log.columns.iter().enumerate().map(|(number, column)| scope(&column.name, number));
        objects.chain([scope("events", self.log.columns.len())]).collect()
    }

    /// The number of what an object is like at a moment; 0 means nothing to an editor.
    fn reference(&self, moment: usize, column: usize, kind: usize) -> usize {
        1 + (moment * (self.log.columns.len() + 1) + column) * KINDS + kind
    }

    /// What stands behind a number.
    pub(crate) fn variables(&self, reference: usize) -> Vec<Value> {
        let Some(rest) = reference.checked_sub(1) else { return Vec::new() };
        let (kind, rest) = (rest % KINDS, rest / KINDS);
        let width = self.log.columns.len() + 1;
        let (column, moment) = (rest % width, rest / width);
        let plain =
            |name: &str, value: &str| json!({ "name": name, "value": value, "variablesReference": 0 });
        if column == self.log.columns.len() {
            let steps = self.steps.iter().take(moment).enumerate();
            return steps.map(|(at, step)| plain(&(at + 1).to_string(), &step.deed)).collect();
        }
        let Some(standing) = self.standings(moment).get(column) else { return Vec::new() };
        if kind == QUEUE {
            let waiting = standing.waiting.iter().enumerate();
            return waiting.map(|(at, message)| plain(&at.to_string(), message)).collect();
        }
        let name = &self.log.columns[column].name;
        let mut all = vec![plain("state", &standing.states)];
        all[0]["evaluateName"] = json!(format!("{name}.state"));
        all.extend(standing.attributes.iter().map(|(own, value)| {
            let mut shown = plain(own, value);
            shown["evaluateName"] = json!(format!("{name}.{own}"));
            shown
        }));
        let mut queue = plain("queue", &format!("{} waiting", standing.waiting.len()));
        if !standing.waiting.is_empty() {
            queue["variablesReference"] = json!(self.reference(moment, column, QUEUE));
        }
        all.push(queue);
        all.extend(standing.is_busy.then(|| plain("busy", "in the middle of a step")));
        all
    }

    /// The value of an expression at the moment of a frame.
    pub(crate) fn evaluate(&self, arguments: &Value) -> Result<Value, String> {
        let text = arguments["expression"].as_str().unwrap_or_default();
        let moment =
            arguments["frameId"].as_u64().map_or(self.position, |frame| (frame as usize).saturating_sub(1));
        let value = watch::evaluate(text, &self.moment(moment))?;
        Ok(json!({ "result": value.to_string(), "variablesReference": 0 }))
    }
}

impl StopSite {
    fn is_at(&self, step: &DebugStep) -> bool {
        match self {
            StopSite::Line(path, line) => {
                step.places.iter().any(|(own, at, _)| at == line && is_same(own, path))
            }
            StopSite::Message(name) => {
                // Events are written `from->to:name(arguments)`.
                let ends = |rest: &str| rest.chars().next().is_none_or(|c| c == '(' || c.is_whitespace());
                let after = format!(":{name}");
                step.deed.match_indices(&after).any(|(at, found)| ends(&step.deed[at + found.len()..]))
            }
        }
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    one == other || real(one) == real(other)
}

fn condition(breakpoint: &Value) -> Option<String> {
    breakpoint["condition"].as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
}
