//! Deadlocks: a state without any step that is no proper end.

use std::rc::Rc;

use sequent_kernel::model::{InteractionId, Model, Subject};
use sequent_kernel::question::{Case, Goal};
use sequent_kernel::semantics::{Assumptions, Switches, lower};
use sequent_kernel::system::System;
use sequent_kernel::verdict::Reason;

use super::runs::not_run;
use super::{About, Scene, Stage, View};
use crate::ask::Agenda;

/// The stage of questions whether an interaction gets stuck. Machines are surveyed: what gets stuck there is more than a state
/// without steps.
pub(crate) fn stage<'a>(
    agenda: &'a Agenda<'a>,
    subject: Subject,
    queries: &[usize],
    window: usize,
) -> Option<Stage<'a>> {
    let scene = |scene: &Result<(Rc<System>, Rc<Assumptions>), Reason>, id| {
        let (system, assumptions) = scene.clone()?;
        let about = About::Interaction(agenda.model, id, assumptions);
        Ok(Scene { about, case: stuck(&system), view: View::Stuck })
    };
    let Subject::Interaction(id) = subject else { return None };
    let system = match agenda.is_broken([id]) {
        true => Err(Reason::BrokenSubject),
        false => lowered(agenda.model, id, agenda.switches, window),
    };
    let scenes = queries.iter().map(|query| (*query, scene(&system, id))).collect();
    let system = system.ok().map(|(system, _)| system);
    Some(Stage { system, scenes })
}

/// Whether a System gets stuck.
pub fn stuck(system: &Rc<System>) -> Case {
    Case::new(system, Goal::Stuck)
}

/// An interaction as it is asked whether it gets stuck, and what it was lowered with.
pub fn lowered(
    model: &Model,
    id: InteractionId,
    switches: &Switches,
    window: usize,
) -> Result<(Rc<System>, Rc<Assumptions>), Reason> {
    let switches = switches.clone();
    let assumptions = Assumptions { switches, window, without_negatives: true, ..Assumptions::default() };
    let system = lower(model, id, &assumptions).map_err(not_run)?;
    Ok((Rc::new(system), Rc::new(assumptions)))
}
