//! A generated instance as a System, with its goal as a term.

use sequent_kernel::id::Id;
use sequent_kernel::model::Model;
use sequent_kernel::semantics::Unsupported;
use sequent_kernel::semantics::objects::{InstanceId, Objects, lower_objects, structure};
use sequent_kernel::source::{FileId, Folders};
use sequent_kernel::system::TermId;

use super::ensemble::{EnsembleInstance, EnsembleQuestion};

/// A lowered instance.
pub struct LoweredInstance {
    /// The model it was lowered from.
    pub model: Model,
    /// Its objects, in the order of the ensemble's, and their System.
    pub objects: Objects,
    /// When the goal is reached (D27); `None` if a scenario is asked about.
    pub goal: Option<TermId>,
}

impl EnsembleInstance {
    /// What the model means.
    pub fn lower(&self) -> Result<LoweredInstance, Unsupported> {
        let model = self.model();
        let folders = Folders::from([(FileId::from_index(0), String::new())]);
        let about = model.interactions.ids().next();
        let (structure, _) = structure(&model, &folders, "", about);
        let mut objects = lower_objects(&model, &structure, &model.system)?;
        let goal = match &self.asked {
            EnsembleQuestion::Scenario(_) => None,
            EnsembleQuestion::Goal(goal) => {
                let mut parts = Vec::new();
                for (player, state) in goal {
                    let name = &self.ensemble.plain(*player).states[*state];
                    parts.extend(objects.in_goal(&model, InstanceId::from_index(player.index()), name));
                }
                Some(objects.system.terms.and(parts))
            }
        };
        Ok(LoweredInstance { model, objects, goal })
    }
}
