//! Systems in one script: they share their events, so that what is asked may be about several of them.

use std::collections::BTreeSet;

use super::alphabet::{Alphabet, Seen};
use super::machines::Meeting;
use super::names::names;
use super::parties::Media;
use super::steps::Stepwise;
use super::waiting::HELPERS;
use super::{Cspm, Subject, Unwritten, comment};

/// A system in one of its shapes, ready to be written.
pub enum Draft<'a> {
    /// Objects with their states as processes.
    States(Meeting<'a>),
    /// One process for all steps.
    Steps(Stepwise<'a>),
}

impl<'a> Draft<'a> {
    /// The states of objects as processes; an error says why they cannot be.
    pub fn states(subject: &Subject<'a>, media: &Media) -> Result<Self, Unwritten> {
        Meeting::new(subject, media).map(Draft::States)
    }

    /// Every step by itself.
    pub fn steps(subject: &Subject<'a>) -> Result<Self, Unwritten> {
        Stepwise::new(subject).map(Draft::Steps)
    }

    fn title(&self) -> &str {
        match self {
            Draft::States(meeting) => meeting.title(),
            Draft::Steps(stepwise) => stepwise.title(),
        }
    }

    fn explanation(&self) -> &'static str {
        match self {
            Draft::States(meeting) if meeting.has_queues() => {
                "-- Objects and their queues: a state of an object is a process, so is what waits for it. A message is sent, and received from\n-- there. Whoever is outside of the system takes and offers everything.\n"
            }
            Draft::States(_) => {
                "-- Objects that meet: a state of an object is a process, a message one event of sender and receiver.\n-- Whoever is outside of the system takes and offers everything.\n"
            }
            Draft::Steps(_) => {
                "-- Step by step: the parameters of the processes are the variables of the system, which\n-- goes on with one of the steps that are possible.\n"
            }
        }
    }

    fn seen(&self) -> Vec<Seen> {
        match self {
            Draft::States(meeting) => meeting.seen(),
            Draft::Steps(stepwise) => stepwise.seen(),
        }
    }

    fn is_silent(&self) -> bool {
        match self {
            Draft::States(meeting) => meeting.is_silent(),
            Draft::Steps(_) => true,
        }
    }
}

/// Writes systems.
pub fn script(drafts: &[Draft<'_>]) -> Result<Cspm, Unwritten> {
    let mut names = names();
    let processes: Vec<String> = drafts.iter().map(|_| names.give("System")).collect();
    let (mut seen, mut known) = (Vec::new(), BTreeSet::new());
    for one in drafts.iter().flat_map(Draft::seen) {
        if known.insert(one.clone()) {
            seen.push(one);
        }
    }
    let together = drafts.iter().flat_map(|draft| match draft {
        Draft::States(_) => Vec::new(),
        Draft::Steps(stepwise) => stepwise.together().collect(),
    });
    let alphabet = Alphabet::new(&seen, &together.collect(), &mut names);
    let heading = |draft: &Draft<'_>| format!("-- {}\n--\n{}\n", comment(draft.title()), draft.explanation());
    let mut text = drafts.first().map(heading).unwrap_or_default();
    text += &alphabet.declarations;
    if drafts.iter().any(Draft::is_silent) {
        text += "\n-- A step of which nothing is seen.\nchannel silent\n";
    }
    text += "\n";
    for (number, (draft, process)) in drafts.iter().zip(&processes).enumerate() {
        if number > 0 {
            text += &format!("\n{}", heading(draft));
        }
        text += &match draft {
            Draft::States(meeting) => meeting.write(&alphabet, &mut names, process)?,
            Draft::Steps(stepwise) => stepwise.write(&alphabet, &mut names, process)?,
        };
    }
    for (call, helper) in HELPERS {
        if text.contains(call) {
            text += helper;
        }
    }
    Ok(Cspm { text, processes, events: alphabet.all() })
}
