//! Answers as text: the verdict, what it is worth, and the run behind it.

use sequent_kernel::model::{Interaction, Scheduling};
use sequent_kernel::source::Sources;
use sequent_kernel::verdict::{Answer, Evidence, Reasons, Story, Verdict};

use crate::draw::{self, TextStyle};
use crate::{escape, reason, run, table};

/// How runs are shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RunForm {
    /// As sequence diagrams.
    Drawing,
    /// Step by step, as tables.
    Table,
}

/// An answer with what it is worth, and its run: `holds: two locks: never gets stuck (all 121 states were visited)`. Where it
/// is not as it should be, the place of the question follows.
pub fn text(answer: &Answer, sources: &Sources, width: usize) -> String {
    text_in(answer, sources, width, RunForm::Drawing)
}

/// The same, with its run in a form.
pub fn text_in(answer: &Answer, sources: &Sources, width: usize, form: RunForm) -> String {
    let text = brief(answer, sources);
    let run = answer.verdict.story().map(|story| self::story(story, width, form)).unwrap_or_default();
    escape::lines(&(text + &run)).into_owned()
}

/// The answer to whether a goal can be reached, which is given as it was asked, with its run.
pub fn reached(answer: &Answer, goal: &str, sources: &Sources, width: usize, form: RunForm) -> String {
    let worth = worth(answer);
    let mut text = match answer.verdict {
        Verdict::Holds(_) => format!("reachable: {goal}{worth}\n"),
        Verdict::Fails(_) => format!("not reachable: {goal}{worth}\n"),
        Verdict::Unknown(_) => format!("unknown whether reachable: {goal}{worth}\n"),
    };
    text += &answer.details.reasons.as_ref().map(|reasons| ruled_out(reasons, sources)).unwrap_or_default();
    text += &answer.verdict.story().map(|story| self::story(story, width, form)).unwrap_or_default();
    escape::lines(&text).into_owned()
}

/// The same without its run.
pub fn brief(answer: &Answer, sources: &Sources) -> String {
    let mut text = line(answer);
    if let Some(place) = answer.place.filter(|_| !answer.is_welcome()) {
        let position = sources.position(place.0);
        let file = escape::line(&sources.get(place.0.file).name);
        text += &format!("  --> {file}:{}:{}\n", position.line, position.column);
    }
    text += &answer.details.reasons.as_ref().map(|reasons| ruled_out(reasons, sources)).unwrap_or_default();
    escape::lines(&text).into_owned()
}

/// What rules something out, each condition with its place.
fn ruled_out(reasons: &Reasons, sources: &Sources) -> String {
    let within = reasons.within.map(|steps| format!("within {steps} steps ")).unwrap_or_default();
    if reasons.conditions.is_empty() {
        return format!("  {within}ruled out whatever transitions ask for\n");
    }
    let mut text = format!("  {within}ruled out by:\n");
    for (condition, place) in &reasons.conditions {
        let line = sources.position(place.0).line;
        let told = format!("{condition} ({}:{line})", sources.get(place.0.file).name);
        text += &format!("    {}\n", escape::line(&told));
    }
    text
}

/// A run: why it is shown, and what happens in it.
pub fn story(story: &Story, width: usize, form: RunForm) -> String {
    let style = TextStyle { width, marked: story.marked.clone(), ..TextStyle::default() };
    let because: String = story.because.iter().map(|line| format!("  {}\n", escape::line(line))).collect();
    let shown = match form {
        RunForm::Drawing => draw::text(&story.drawing, &style),
        RunForm::Table => table::text(&story.log, width),
    };
    escape::lines(&format!("{because}{shown}\n")).into_owned()
}

/// The drawing of a run with a title, and why it is shown as a note.
pub fn captioned(story: &Story, title: &str) -> Interaction {
    let mut drawing = story.drawing.clone();
    drawing.title = Some(title.to_owned());
    if !story.because.is_empty() {
        drawing.body.0.insert(0, run::note(Vec::new(), story.because.join("\n"), drawing.place));
    }
    drawing
}

/// What is asked, after the diagram that it is asked of.
pub fn title(answer: &Answer) -> String {
    let target = answer.target.as_ref().map(|target| format!("{target}: ")).unwrap_or_default();
    target + &answer.name
}

/// The fairness assumption of an answer that holds, as text.
fn fairness(answer: &Answer) -> &'static str {
    match (&answer.verdict, answer.details.fairness) {
        (Verdict::Holds(_), Some(Scheduling::Weak)) => " under weak fairness",
        (Verdict::Holds(_), Some(Scheduling::Strong)) => " under strong fairness",
        (Verdict::Holds(_), Some(Scheduling::Unfair) | None)
        | (Verdict::Fails(_) | Verdict::Unknown(_), _) => "",
    }
}

/// What a verdict rests on, in brackets.
fn worth(answer: &Answer) -> String {
    match (&answer.verdict, answer.states) {
        (Verdict::Unknown(reason), _) => format!(" ({})", reason::words(reason)),
        (Verdict::Holds(Evidence::Exhaustive), Some(0)) if answer.kind == "deadlock" => {
            " (nothing in it waits in a circle)".to_owned()
        }
        (Verdict::Holds(Evidence::Exhaustive), Some(0)) => " (no run can do otherwise)".to_owned(),
        (Verdict::Holds(Evidence::Exhaustive), Some(1)) => " (its only state was visited)".to_owned(),
        (Verdict::Holds(Evidence::Exhaustive), Some(states)) => {
            format!(" (all {states} states were visited)")
        }
        (Verdict::Fails(Evidence::Exhaustive | Evidence::Attempt(_)), Some(states)) if states > 1 => {
            format!(" (all {states} states were visited)")
        }
        (Verdict::Holds(Evidence::Inductive(proof)) | Verdict::Fails(Evidence::Inductive(proof)), _) => {
            format!(" (proved: {})", proof.words)
        }
        (Verdict::Holds(Evidence::Bounded(_)) | Verdict::Fails(Evidence::Bounded(_)), _) => {
            match answer.details.bound {
                Some(1) => " (no run within 1 step)".to_owned(),
                Some(bound) => format!(" (no run within {bound} steps)"),
                None => String::new(),
            }
        }
        (Verdict::Holds(_) | Verdict::Fails(_), _) => String::new(),
    }
}

/// The verdict in one line, with what it is worth.
pub fn line(answer: &Answer) -> String {
    let worth = worth(answer);
    let vacuous = if answer.vacuous.is_some() { " vacuously" } else { "" };
    let expected = match answer.expected {
        None => String::new(),
        Some(_) if answer.is_welcome() => ", as expected".to_owned(),
        Some(expected) => format!(", but `{}` was expected", expected.name()),
    };
    let why = answer.vacuous.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
    let fairness = fairness(answer);
    let told =
        format!("{}{vacuous}{expected}: {}{worth}{fairness}{why}", answer.verdict.name(), title(answer));
    format!("{}\n", escape::line(&told))
}
