//! Answers as text: the verdict, what it is worth, and the run behind it.

use sequent_kernel::verdict::{Answer, Evidence, Story, Verdict};

use crate::draw::{self, TextStyle};

/// An answer with what it is worth, and its run: `holds: two locks: never gets stuck (all 121 states were visited)`.
pub fn text(answer: &Answer, width: usize) -> String {
    let mut text = line(answer);
    text += &answer.verdict.story().map(|story| self::story(story, width)).unwrap_or_default();
    text
}

/// A run: why it is shown, and a drawing.
pub fn story(story: &Story, width: usize) -> String {
    let style = TextStyle { width, marked: story.marked.clone(), ..TextStyle::default() };
    let because: String = story.because.iter().map(|line| format!("  {line}\n")).collect();
    format!("{because}{}\n", draw::text(&story.drawing, &style))
}

fn line(answer: &Answer) -> String {
    let worth = match (&answer.verdict, answer.states) {
        (Verdict::Unknown(reason), _) => format!(" ({reason})"),
        (Verdict::Holds(Evidence::Exhaustive), Some(0)) if answer.kind == "deadlock" => {
            " (nothing in it waits in a circle)".to_owned()
        }
        (Verdict::Holds(Evidence::Exhaustive), Some(0)) => " (there is no run)".to_owned(),
        (Verdict::Holds(Evidence::Exhaustive), Some(1)) => " (its only state was visited)".to_owned(),
        (Verdict::Holds(Evidence::Exhaustive), Some(states)) => {
            format!(" (all {states} states were visited)")
        }
        (Verdict::Holds(_) | Verdict::Fails(_), _) => String::new(),
    };
    let vacuous =
        answer.vacuous.as_ref().map(|trigger| format!(", but only because {trigger} never happens"));
    let is_expected = answer.expected.is_some() && answer.verdict.is_welcome(answer.expected);
    let expected = if is_expected { ", as expected" } else { "" };
    let target = answer.target.as_ref().map(|target| format!("{target}: ")).unwrap_or_default();
    let vacuous = vacuous.unwrap_or_default();
    format!("{}{expected}: {target}{}{worth}{vacuous}\n", answer.verdict.name(), answer.name)
}
