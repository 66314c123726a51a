//! What is simulated: an interaction, or a system of objects. Both are Systems; they differ in their words and pictures.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::replay::{Slip, replay, replay_to_end};
use sequent_kernel::semantics::objects::Objects;
use sequent_kernel::source::{Sources, Span};
use sequent_kernel::system::{ComponentId, Config, Step, System};
use sequent_kernel::verdict::Story;
use sequent_kernel::waiting;
use sequent_report::run::RunDrawingOptions;

use super::{Random, RunStatus, Simulation, objects, walk};
use crate::tell::words::{self, DiagramWords};
use crate::tell::{tell, tell_objects, tell_objects_plainly, tell_plainly};

/// What is simulated: diagrams, and the meaning of what runs.
#[derive(Clone, Copy)]
pub struct SimulationSubject<'a> {
    /// All diagrams.
    pub model: &'a Model,
    /// Where they stand.
    pub sources: &'a Sources,
    /// What runs.
    pub content: SubjectContent<'a>,
}

/// Something that runs.
#[derive(Clone, Copy)]
pub enum SubjectContent<'a> {
    /// An interaction, and what it means.
    Interaction(InteractionId, &'a System),
    /// Communicating state machines; the lifelines of the scenario come first, if there is one.
    Objects(&'a Objects, Option<InteractionId>),
}

impl<'a> SimulationSubject<'a> {
    /// What it means.
    pub fn system(&self) -> &'a System {
        match self.content {
            SubjectContent::Interaction(_, system) => system,
            SubjectContent::Objects(objects, _) => &objects.system,
        }
    }

    fn words(&self) -> DiagramWords<'a> {
        DiagramWords { model: self.model, sources: Some(self.sources), system: self.system() }
    }

    /// What happens in a step, or what it decides.
    pub fn step(&self, step: &Step) -> String {
        match self.content {
            SubjectContent::Interaction(..) => self.words().step(step),
            SubjectContent::Objects(objects, _) => objects.deed(self.model, step),
        }
    }

    /// What happens in a step, as a sentence.
    fn sentence(&self, step: &Step) -> String {
        let system = self.system();
        let events: Vec<String> = system.events(step).map(|event| words::sentence(system, event)).collect();
        if events.is_empty() { self.step(step) } else { events.join(", ") }
    }

    /// Several steps as sentences; those that would read the same with more words.
    pub(crate) fn sentences(&self, steps: &[Step]) -> Vec<String> {
        self.told_apart(steps, steps.iter().map(|step| self.sentence(step)).collect())
    }

    /// Several steps; those that would read the same with more words.
    pub fn steps(&self, steps: &[Step]) -> Vec<String> {
        self.told_apart(steps, steps.iter().map(|step| self.step(step)).collect())
    }

    /// What identifies steps while the text around them changes: what each does, without its place, and which of those
    /// that do the same it is.
    pub fn identities(&self, steps: &[Step]) -> Vec<(String, usize)> {
        let does = |step: &Step| match self.content {
            SubjectContent::Interaction(_, system) => {
                let words = DiagramWords { model: self.model, sources: None, system };
                words.step(step) + &words.settled(step)
            }
            SubjectContent::Objects(objects, _) => {
                let fired = objects.firing(self.model, step).unwrap_or_default();
                format!("{} {fired}", objects.deed(self.model, step))
            }
        };
        let texts: Vec<String> = steps.iter().map(does).collect();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut number = |text: &String| {
            let count = counts.entry(text.clone()).or_default();
            *count += 1;
            *count - 1
        };
        texts.into_iter().map(|text| (number(&text), text)).map(|(number, text)| (text, number)).collect()
    }

    /// Where it is written what a step does. What the environment sends is written at the transitions that it may set off.
    pub fn places(&self, config: &Config, step: &Step) -> Vec<Span> {
        let system = self.system();
        let mut places: Vec<Span> = step.0.iter().map(|rule| system.rules[*rule].place.0).collect();
        if let SubjectContent::Objects(objects, _) = self.content {
            places.extend(objects::set_off(self.model, objects, config, step));
        }
        places
    }

    fn told_apart(&self, steps: &[Step], plain: Vec<String>) -> Vec<String> {
        let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
        plain.iter().for_each(|text| *counts.entry(text).or_default() += 1);
        let is_unique = |text: &String| counts[text] == 1;
        let full = |(step, text): (&Step, &String)| match is_unique(text) {
            true => text.clone(),
            false => format!("{text}{}", self.details(step)),
        };
        steps.iter().zip(&plain).map(full).collect()
    }

    /// What tells a step from another with the same events.
    fn details(&self, step: &Step) -> String {
        match self.content {
            SubjectContent::Interaction(..) => self.words().settled(step),
            SubjectContent::Objects(objects, _) => objects::details(self.model, self.sources, objects, step),
        }
    }

    /// The states of the participants, where that is more than their drawing shows.
    pub fn standings(&self, config: &Config) -> String {
        match self.content {
            SubjectContent::Interaction(..) => String::new(),
            SubjectContent::Objects(objects, _) => objects::standings(self.model, objects, config),
        }
    }

    /// What each participant waits for, a line each.
    pub fn waits(&self, config: &Config) -> String {
        match self.content {
            SubjectContent::Interaction(..) => self.words().waits(config),
            SubjectContent::Objects(objects, _) => {
                let lines = objects::waits(self.model, objects, config);
                lines.into_iter().map(|(_, line)| format!("{line}\n")).collect()
            }
        }
    }

    /// A random run of at most `events` events, or steps of objects.
    pub fn walk(&self, random: &mut Random, events: usize) -> Simulation<'a> {
        walk(self.system(), random, events, &|config, step| self.is_likely(config, step))
    }

    /// Whether nothing can happen any more except that the environment sends messages that no object takes.
    pub fn is_idle(&self, simulation: &Simulation) -> bool {
        simulation.is_idle(&|config, step| self.is_likely(config, step))
    }

    /// Whether a step is worth taking at random: a message from the environment that no object takes is not.
    pub(crate) fn is_likely(&self, config: &Config, step: &Step) -> bool {
        match self.content {
            SubjectContent::Interaction(..) => true,
            SubjectContent::Objects(objects, _) => !objects::is_in_vain(self.model, objects, config, step),
        }
    }

    /// How a run stands.
    pub fn state(&self, simulation: &Simulation) -> RunStatus {
        match self.content {
            SubjectContent::Interaction(..) => simulation.state(),
            // A system may end only where nothing can happen.
            SubjectContent::Objects(objects, _) => match objects.fault_in(simulation.config()) {
                Some(_) => RunStatus::Broken,
                None if !simulation.options().is_empty() => RunStatus::Open,
                None => simulation.state(),
            },
        }
    }

    /// What is to be said at the end of a run that is complete or broken.
    pub fn worth(&self, simulation: &Simulation) -> String {
        let system = self.system();
        let holds = |term| simulation.holds(term);
        match self.content {
            SubjectContent::Interaction(..) => match (holds(system.invalid), holds(system.inconclusive)) {
                (true, _) => ", and invalid".to_owned(),
                (false, true) => ", and inconclusive".to_owned(),
                (false, false) => String::new(),
            },
            SubjectContent::Objects(objects, _) => {
                let fault = objects.fault_in(simulation.config());
                fault.map(|fault| format!(": {}", fault.text)).unwrap_or_default()
            }
        }
    }

    /// A run as a story, once it was replayed, with what else may happen at each moment; at the end of a stuck one, notes say what each
    /// participant waits for.
    pub fn story(&self, simulation: &Simulation, marked: BTreeSet<usize>) -> Result<Story, String> {
        let (run, wishes) = (simulation.run(), self.wishes(simulation, marked));
        match self.content {
            SubjectContent::Interaction(id, system) => {
                replay_to_end(system, &run.steps).map_err(no_run)?;
                Ok(tell(self.model, id, system, &run, &wishes))
            }
            SubjectContent::Objects(objects, about) => {
                let told = tell_objects(self.model, objects, about, &run, &wishes);
                told.ok_or_else(|| "the run does not replay".to_owned())
            }
        }
    }

    /// The same, without what else may happen.
    pub fn plain_story(&self, simulation: &Simulation, marked: BTreeSet<usize>) -> Result<Story, String> {
        let (run, wishes) = (simulation.run(), self.wishes(simulation, marked));
        match self.content {
            SubjectContent::Interaction(id, system) => {
                replay_to_end(system, &run.steps).map_err(no_run)?;
                Ok(tell_plainly(self.model, id, system, &run, &wishes))
            }
            SubjectContent::Objects(objects, about) => {
                let configs = replay(&objects.system, &run).map_err(no_run)?;
                Ok(tell_objects_plainly(self.model, objects, about, (&run, &configs), &wishes))
            }
        }
    }

    fn wishes(&self, simulation: &Simulation, marked: BTreeSet<usize>) -> RunDrawingOptions {
        let notes = match self.state(simulation) {
            RunStatus::Stuck => self.notes(simulation.config()),
            RunStatus::Open | RunStatus::Complete | RunStatus::Broken | RunStatus::Void => Vec::new(),
        };
        RunDrawingOptions { idle_lifelines: true, marked, notes, ..RunDrawingOptions::default() }
    }

    fn notes(&self, config: &Config) -> Vec<(ComponentId, String)> {
        match self.content {
            SubjectContent::Interaction(_, system) => {
                let all = waiting::explain(system, config).lifelines.into_values().flatten();
                all.map(|wait| (wait.component, wait.text(system))).collect()
            }
            SubjectContent::Objects(objects, _) => {
                let lines = objects::waits(self.model, objects, config).into_iter();
                lines.map(|(object, line)| (objects.component(object), line)).collect()
            }
        }
    }
}

fn no_run(slip: Slip) -> String {
    format!("the run does not replay: {slip:?}")
}
