//! A case, read and ready to be asked.

use sequent::ask::Agenda;
use sequent::effort::Effort;
use sequent::pipeline::{self, Reading};
use sequent::settings::{self, Settings};
use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::objects::{lower_objects, structure};
use sequent_kernel::semantics::{Assumptions, Unsupported, lower};
use sequent_kernel::source::Sources;
use sequent_kernel::system::System;
use sequent_kernel::verdict::Answer;
use sequent_notation::NoFiles;

use super::PeerCase;

pub use sequent::pipeline::Outcome;

/// The name of the settings file.
const SETTINGS: &str = "sequent.toml";

/// What the files of a case say.
pub(crate) struct CaseReading {
    settings: Settings,
    reading: Reading,
}

impl CaseReading {
    /// Reads a case.
    pub(crate) fn new(case: &PeerCase) -> Self {
        let mut sources = Sources::new();
        let mut settings = Settings::default();
        let mut files = Vec::new();
        for (name, text) in &case.files {
            let file = sources.add(name.as_str(), text.as_str());
            match name == SETTINGS {
                true => (settings, _) = settings::read(file, sources.get(file)),
                false => files.push(file),
            }
        }
        settings.is_whole = true;
        let reading = pipeline::read(&files, &mut sources, &mut NoFiles, &settings);
        CaseReading { settings, reading }
    }

    /// The questions that are asked.
    pub(crate) fn agenda(&self) -> Agenda<'_> {
        pipeline::agenda(&self.reading, &self.settings)
    }

    /// What its state machines do together, or its only diagram.
    pub(crate) fn system(&self) -> Result<System, String> {
        let Reading { model, folders, .. } = &self.reading;
        let lowered = match model.interactions.ids().next() {
            Some(id) if model.machines.is_empty() => self.interaction(id),
            _ => {
                let (structure, _) = structure(model, folders, "", None);
                lower_objects(model, &structure, &model.system).map(|objects| objects.system)
            }
        };
        lowered.map_err(|Unsupported { what, .. }| format!("{what} is not run"))
    }

    fn interaction(&self, id: InteractionId) -> Result<System, Unsupported> {
        let assumptions = Assumptions { switches: self.settings.switches.clone(), ..Assumptions::default() };
        lower(&self.reading.model, id, &assumptions)
    }

    /// What was read.
    pub(crate) fn model(&self) -> &Model {
        &self.reading.model
    }

    /// Its only diagram, if that is all there is.
    pub(crate) fn diagram(&self) -> Option<InteractionId> {
        self.model().interactions.ids().next().filter(|_| self.model().machines.is_empty())
    }

    /// Answers the questions about state machines alone.
    pub(crate) fn reach(&self, effort: &Effort<'_>) -> (Vec<Answer>, Vec<Diagnostic>) {
        pipeline::reach(&self.reading, &self.settings, effort)
    }

    /// Answers all questions that its files ask.
    pub(crate) fn check(&self, effort: &Effort<'_>) -> Outcome {
        pipeline::check(&self.reading, &self.settings, effort)
    }
}
