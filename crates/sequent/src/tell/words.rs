//! Words for the steps of an interaction: what happens, and for steps without event what they decide, as the diagram's
//! author wrote it.
//!
//! A rule knows only its place. The fragment that stands there says what kind of choice it is; the first variable it sets
//! is the choice itself, and its value counts operands from 1.

use sequent_kernel::model::{
    Combination, Combined, Fragment, Guard, Interaction, Model, Operand, OperatorFacts, OperatorParameter,
};
use sequent_kernel::source::{Sources, Span};
use sequent_kernel::system::{ComponentId, Config, EventId, EventKind, Rule, Step, System, TermNode};
use sequent_kernel::waiting::{self, Waits};

/// Diagrams, where they stand, and what the one that runs means.
pub(crate) struct DiagramWords<'a> {
    /// All diagrams.
    pub model: &'a Model,
    /// Where they stand; lines are told only if it is given.
    pub sources: Option<&'a Sources>,
    /// What runs.
    pub system: &'a System,
}

/// An event as a sentence.
pub(crate) fn sentence(system: &System, event: EventId) -> String {
    let event = &system.events[event];
    let name =
        |component: Option<ComponentId>| component.map(|component| system.components[component].as_str());
    let sender = name(event.from).unwrap_or("the environment");
    let receiver = name(event.to).or(event.beyond.as_deref()).unwrap_or("the environment");
    let message = &event.message;
    match event.kind {
        EventKind::Send => format!("{sender} sends `{message}` to {receiver}"),
        EventKind::Receive => format!("{receiver} receives `{message}` from {sender}"),
        EventKind::Rendezvous => format!("{sender} sends `{message}` to {receiver}, which takes it at once"),
        EventKind::Termination => format!("{sender} ends"),
    }
}

impl DiagramWords<'_> {
    /// The events of a step, or what it decides.
    pub(crate) fn step(&self, step: &Step) -> String {
        let events: Vec<&str> =
            self.system.events(step).map(|event| self.system.events[event].text.as_str()).collect();
        match (events.as_slice(), step.0.first()) {
            ([], Some(rule)) => self.silent(&self.system.rules[*rule]),
            _ => events.join(" "),
        }
    }

    fn silent(&self, rule: &Rule) -> String {
        let line = self.line(rule.place.0);
        let found = self.model.interactions.iter().find_map(|interaction| find(interaction, rule.place.0));
        match found {
            Some(PlaceContent::Combined(combined)) => self.choice(combined, rule),
            Some(PlaceContent::Operand(combined, operand)) => {
                format!("{} {}is run{line}", combined.operator.word(), guard(operand))
            }
            Some(PlaceContent::Invariant(text)) => format!("{{{text}}} holds{line}"),
            Some(PlaceContent::Action(text)) => format!("{text}{line}"),
            None => format!("goes on{line}"),
        }
    }

    fn choice(&self, combined: &Combined, rule: &Rule) -> String {
        let number = match rule.updates.first().map(|(_, term)| self.system.terms.node(*term)) {
            Some(TermNode::Constant(number)) => usize::try_from(*number).unwrap_or(0),
            _ => 0,
        };
        let word = combined.operator.word();
        let first = combined.operands.first().map(guard).unwrap_or_default();
        let whole = self.line(combined.place.0);
        let OperatorFacts { combination, parameter, .. } = combined.operator.facts();
        match (combination, parameter) {
            (Combination::Choice { is_optional: false }, _) => {
                match number.checked_sub(1).and_then(|index| combined.operands.get(index)) {
                    Some(operand) => format!("{word} {}is run{}", guard(operand), self.line(operand.place.0)),
                    None => format!("{word} is skipped{whole}"),
                }
            }
            (Combination::Repetition(_), _) if number == 1 => format!("{word} {first}goes on{whole}"),
            (Combination::Repetition(_), _) => format!("{word} {first}ends{whole}"),
            (_, OperatorParameter::Types(_)) if number == 1 => {
                format!("{word}: something happens in between{whole}")
            }
            (_, OperatorParameter::Types(_)) => {
                format!("{word}: nothing happens in between{whole}")
            }
            (_, _) => {
                let what = if number == 1 { "is run" } else { "is skipped" };
                format!("{word} {first}{what}{whole}")
            }
        }
    }

    /// Where something stands: ` (line 4)`.
    fn line(&self, span: Span) -> String {
        let line = self.sources.map(|sources| sources.position(span).line);
        line.map(|line| format!(" (line {line})")).unwrap_or_default()
    }

    /// The propositions that a step settles: `, with paid, not refused`.
    pub(crate) fn settled(&self, step: &Step) -> String {
        let rules = step.0.first().map(|rule| &self.system.rules[*rule]).into_iter();
        let settles = rules.flat_map(|rule| rule.updates.iter().skip(1)).filter_map(|(variable, term)| {
            let name = &self.system.variables[*variable].name;
            match self.system.terms.node(*term) {
                TermNode::Constant(1) => Some(format!("not {name}")),
                TermNode::Constant(_) => Some(name.clone()),
                _ => None,
            }
        });
        let settled: Vec<String> = settles.collect();
        if settled.is_empty() { String::new() } else { format!(", with {}", settled.join(", ")) }
    }

    /// Who waits for what, a line for each lifeline.
    pub(crate) fn waits(&self, config: &Config) -> String {
        let system = self.system;
        let waits = waiting::explain(system, config);
        let mut text = String::new();
        let lifelines = system.components.ids().filter(|component| waiting::is_lifeline(system, *component));
        for component in lifelines {
            let name = &system.components[component];
            let ready = waits.ready.get(&component).into_iter().flatten();
            let waiting = waits.lifelines.get(&component).into_iter().flatten();
            let mut lines: Vec<String> =
                ready.map(|rule| format!("{name} can go on: {}", self.step(&Step(vec![*rule])))).collect();
            lines.extend(waiting.map(|wait| {
                format!("{} ({} comes next)", wait.text(system), self.step(&Step(vec![wait.rule])))
            }));
            if lines.is_empty() {
                lines.push(format!("{name} has nothing left to do"));
            }
            lines.iter().for_each(|line| text += &format!("{line}\n"));
        }
        text + &self.circle(&waits)
    }

    /// The circle of lifelines that wait for each other, if there is one.
    fn circle(&self, waits: &Waits) -> String {
        let text = waits.circle_text(self.system);
        text.map(|text| format!("they wait for each other: {text}\n")).unwrap_or_default()
    }
}

/// What stands at a place.
enum PlaceContent<'a> {
    Combined(&'a Combined),
    Operand(&'a Combined, &'a Operand),
    Invariant(&'a str),
    Action(&'a str),
}

fn find(interaction: &Interaction, span: Span) -> Option<PlaceContent<'_>> {
    let mut found = None;
    interaction.walk(&mut |fragment, _| {
        let here = match fragment {
            Fragment::Combined(combined) if combined.place.0 == span => {
                Some(PlaceContent::Combined(combined))
            }
            Fragment::Combined(combined) => {
                combined.operands.iter().find(|operand| is_at(operand, span)).map(
                    // The guard of an operand that runs unless it is false decides as an option does.
                    |operand| match combined.operands.len() {
                        1 => PlaceContent::Combined(combined),
                        _ => PlaceContent::Operand(combined, operand),
                    },
                )
            }
            Fragment::Invariant(invariant) if invariant.place.0 == span => {
                Some(PlaceContent::Invariant(&invariant.condition.text))
            }
            Fragment::Action(action) if action.place.0 == span => Some(PlaceContent::Action(&action.name)),
            Fragment::Invariant(_)
            | Fragment::Action(_)
            | Fragment::Message(_)
            | Fragment::Stop(_)
            | Fragment::Use(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => None,
        };
        if found.is_none() {
            found = here;
        }
    });
    found
}

/// Whether an operand or its guard stands at a place.
fn is_at(operand: &Operand, span: Span) -> bool {
    let guard = match &operand.guard {
        Guard::Condition(condition) => Some(condition.place.0),
        Guard::Absent | Guard::Else => None,
    };
    operand.place.0 == span || guard == Some(span)
}

/// `[paid] `, or nothing.
fn guard(operand: &Operand) -> String {
    match &operand.guard {
        Guard::Condition(condition) => format!("[{}] ", condition.text),
        Guard::Else => "[else] ".to_owned(),
        Guard::Absent => String::new(),
    }
}
