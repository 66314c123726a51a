//! Systems in one script: they share their events, so that what is asked may be about several of them.

use std::collections::BTreeSet;

use super::alphabet::{ScriptAlphabet, SeenEvent};
use super::comparisons::{SystemComparison, compare};
use super::machines::MachineProcesses;
use super::names::names;
use super::steps::{Stepwise, capital};
use super::waiting::HELPERS;
use super::{Cspm, Unwritten, WrittenSubject, comment};

/// A system, ready to be written.
pub struct ScriptDraft<'a> {
    name: String,
    shape: SystemShape<'a>,
}

/// The shapes of systems.
enum SystemShape<'a> {
    /// Objects with their states as processes.
    States(MachineProcesses<'a>),
    /// One process for all steps.
    Steps(Stepwise<'a>),
}

impl<'a> ScriptDraft<'a> {
    /// The states of objects as processes; an error says why they cannot be.
    pub fn states(subject: &WrittenSubject<'a>) -> Result<Self, Unwritten> {
        MachineProcesses::new(subject).map(|meeting| ScriptDraft::new(SystemShape::States(meeting)))
    }

    /// Every step by itself.
    pub fn steps(subject: &WrittenSubject<'a>) -> Result<Self, Unwritten> {
        Stepwise::new(subject).map(|stepwise| ScriptDraft::new(SystemShape::Steps(stepwise)))
    }

    fn new(shape: SystemShape<'a>) -> Self {
        ScriptDraft { name: "System".to_owned(), shape }
    }

    /// The same by another name.
    pub fn called(self, name: &str) -> Self {
        ScriptDraft { name: capital(name), ..self }
    }

    /// The same with or without telling where a run may properly end; states tell it only of an object that is alone.
    pub fn ending(self, tells: bool) -> Result<Self, Unwritten> {
        let shape = match self.shape {
            SystemShape::States(meeting) => SystemShape::States(meeting.ending(tells)?),
            SystemShape::Steps(stepwise) => SystemShape::Steps(stepwise.ending(tells)),
        };
        Ok(ScriptDraft { shape, ..self })
    }

    fn title(&self) -> &str {
        match &self.shape {
            SystemShape::States(meeting) => meeting.title(),
            SystemShape::Steps(stepwise) => stepwise.title(),
        }
    }

    fn explanation(&self) -> &'static str {
        match &self.shape {
            SystemShape::States(meeting) if meeting.has_queues() => {
                "-- Objects and their queues: a state of an object is a process, so is what waits for it. A message is sent, and received from\n-- there. Whoever is outside of the system takes and offers everything.\n"
            }
            SystemShape::States(_) => {
                "-- Objects that meet: a state of an object is a process, a message one event of sender and receiver.\n-- Whoever is outside of the system takes and offers everything.\n"
            }
            SystemShape::Steps(_) => {
                "-- Step by step: the parameters of the processes are the variables of the system, which\n-- goes on with one of the steps that are possible.\n"
            }
        }
    }

    fn seen(&self) -> Vec<SeenEvent> {
        match &self.shape {
            SystemShape::States(meeting) => meeting.seen(),
            SystemShape::Steps(stepwise) => stepwise.seen(),
        }
    }

    fn is_silent(&self) -> bool {
        match &self.shape {
            SystemShape::States(meeting) => meeting.is_silent(),
            SystemShape::Steps(_) => true,
        }
    }
}

/// Writes systems, and whether some do only what others do.
pub fn script(drafts: &[ScriptDraft<'_>], comparisons: &[SystemComparison]) -> Result<Cspm, Unwritten> {
    let mut names = names();
    let processes: Vec<String> = drafts.iter().map(|draft| names.give(&draft.name)).collect();
    let (mut seen, mut known) = (Vec::new(), BTreeSet::new());
    for one in drafts.iter().flat_map(ScriptDraft::seen) {
        if known.insert(one.clone()) {
            seen.push(one);
        }
    }
    let together = drafts.iter().flat_map(|draft| match &draft.shape {
        SystemShape::States(_) => Vec::new(),
        SystemShape::Steps(stepwise) => stepwise.together().collect(),
    });
    let alphabet = ScriptAlphabet::new(&seen, &together.collect(), &mut names);
    let heading =
        |draft: &ScriptDraft<'_>| format!("-- {}\n--\n{}\n", comment(draft.title()), draft.explanation());
    let mut text = drafts.first().map(heading).unwrap_or_default();
    text += &alphabet.declarations;
    if drafts.iter().any(ScriptDraft::is_silent) {
        text += "\n-- A step of which nothing is seen.\nchannel silent\n";
    }
    text += "\n";
    for (number, (draft, process)) in drafts.iter().zip(&processes).enumerate() {
        if number > 0 {
            text += &format!("\n{}", heading(draft));
        }
        text += &match &draft.shape {
            SystemShape::States(meeting) => meeting.write(&alphabet, &mut names, process)?,
            SystemShape::Steps(stepwise) => stepwise.write(&alphabet, &mut names, process)?,
        };
    }
    for (call, helper) in HELPERS {
        if text.contains(call) {
            text += helper;
        }
    }
    let mut made = Cspm { text, processes, events: alphabet.all() };
    compare(&mut made, comparisons, &mut names);
    Ok(made)
}
