//! The two diagrams of a comparison as Systems, and the names of their events.
//!
//! A state machine is one object of its own, alone with its environment. It communicates by rendezvous unless
//! the settings say otherwise: what the machine does not take in a state it refuses, as processes of CSP do.
//! Where a state machine takes part, only the events of its object are seen, with any partner; of a sequence
//! diagram, those of the lifeline of that name or class.

use std::rc::Rc;

use sequent_engine::refine::Refinement;
use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::model::{
    Communication, Interaction, InteractionId, Machine, MachineId, Model, Subject, SystemSettings,
};
use sequent_kernel::replay::Run;
use sequent_kernel::semantics::Switches;
use sequent_kernel::semantics::objects::{Instance, Objects, OpenUse, Structure, lower_objects};
use sequent_kernel::system::{ComponentId, Event, EventKind, System};
use sequent_kernel::verdict::{Reason, Story};
use sequent_report::run::RunDrawingOptions;

use super::ComparedDiagram;
use crate::pose;
use crate::tell::{tell, titled};

/// Two diagrams that are compared.
pub struct Parties {
    lowered: [LoweredDiagram; 2],
    /// The component whose events are seen, for each side; `None` for all components.
    owners: [Option<ComponentId>; 2],
}

enum LoweredDiagram {
    Interaction(InteractionId, Rc<System>),
    Machine(MachineId, Box<Objects>),
}

impl LoweredDiagram {
    fn system(&self) -> &System {
        match self {
            LoweredDiagram::Interaction(_, system) => system,
            LoweredDiagram::Machine(_, objects) => &objects.system,
        }
    }
}

impl Parties {
    /// Lowers two diagrams; an error says why one cannot be compared.
    pub fn lower(
        sides: [ComparedDiagram<'_>; 2],
        switches: &Switches,
        window: usize,
    ) -> Result<Parties, Reason> {
        let lowered = |side: ComparedDiagram<'_>| match side.subject {
            Subject::Interaction(id) => pose::lowered(side.model, id, switches, window)
                .map(|(system, _)| LoweredDiagram::Interaction(id, system)),
            Subject::Machine(id) => {
                machine(side.model, id).map(|objects| LoweredDiagram::Machine(id, Box::new(objects)))
            }
        };
        let lowered = [lowered(sides[0])?, lowered(sides[1])?];
        let owners = match sides.map(|side| side.subject) {
            [Subject::Interaction(_), Subject::Interaction(_)] => [None, None],
            [_, _] => [owner(sides[0], sides[1], &lowered[0])?, owner(sides[1], sides[0], &lowered[1])?],
        };
        Ok(Parties { lowered, owners })
    }

    /// The objects of a side, if it is a state machine.
    pub fn objects(&self, side: usize) -> Option<&Objects> {
        match &self.lowered[side] {
            LoweredDiagram::Interaction(..) => None,
            LoweredDiagram::Machine(_, objects) => Some(objects),
        }
    }

    /// A value that is not known and decides which transitions fire: what is compared would be guesses.
    pub(crate) fn unknown(&self) -> Option<&OpenUse> {
        let mut open = [0, 1].into_iter().filter_map(|side| self.objects(side)).flat_map(|side| &side.open);
        open.find(|open| open.decides.is_some())
    }

    /// Both systems, the specification first.
    pub fn systems(&self) -> [&System; 2] {
        [self.lowered[0].system(), self.lowered[1].system()]
    }

    /// The one that is looked at.
    pub fn implementation(&self) -> &System {
        self.lowered[1].system()
    }

    /// Whether it matters where a run is over: a sequence diagram shows but a part of what a machine does.
    pub(crate) fn have_ends(&self) -> bool {
        match &self.lowered {
            [LoweredDiagram::Interaction(..), LoweredDiagram::Interaction(..)]
            | [LoweredDiagram::Machine(..), LoweredDiagram::Machine(..)] => true,
            [LoweredDiagram::Interaction(..), LoweredDiagram::Machine(..)]
            | [LoweredDiagram::Machine(..), LoweredDiagram::Interaction(..)] => false,
        }
    }

    /// What an event of a side is called.
    pub fn name(&self, side: usize, event: &Event) -> Option<String> {
        let Some(owner) = self.owners[side] else { return Some(event.text.clone()) };
        let (sends, receives) = (event.from == Some(owner), event.to == Some(owner));
        match event.kind {
            EventKind::Send | EventKind::Rendezvous if sends => Some(format!("!{}", event.message)),
            EventKind::Receive | EventKind::Rendezvous if receives => Some(format!("?{}", event.message)),
            EventKind::Termination if sends => Some("x".to_owned()),
            EventKind::Send | EventKind::Receive | EventKind::Rendezvous | EventKind::Termination => None,
        }
    }

    /// Why nothing can be said, if a machine comes to a fault: its runs are broken off there.
    pub fn fault(&self, refinement: &Refinement) -> Option<String> {
        let strained = [refinement.is_specification_strained, refinement.is_implementation_strained];
        self.lowered.iter().zip(strained).find_map(|(lowered, is_strained)| match lowered {
            LoweredDiagram::Machine(_, objects) if is_strained => {
                let faults: Vec<&str> = objects.faults.iter().map(|fault| fault.text.as_str()).collect();
                Some(format!("a run ends in a fault: {}", faults.join(", or ")))
            }
            LoweredDiagram::Machine(..) | LoweredDiagram::Interaction(..) => None,
        })
    }

    /// A run of the one that is looked at; `None` if it cannot be replayed.
    pub fn tell(&self, side: ComparedDiagram<'_>, run: &Run, wishes: &RunDrawingOptions) -> Option<Story> {
        match &self.lowered[1] {
            LoweredDiagram::Interaction(id, system) => Some(tell(side.model, *id, system, run, wishes)),
            LoweredDiagram::Machine(id, objects) => {
                let place = side.model.machines[*id].place;
                titled(side.model, objects, (side.name(), place), run, wishes)
            }
        }
    }
}

fn machine(model: &Model, id: MachineId) -> Result<Objects, Reason> {
    let machine = &model.machines[id];
    let class = class(machine).to_owned();
    let object = Instance {
        name: machine.name.clone(),
        kinds: vec![class.to_lowercase(), machine.name.to_lowercase()],
        class: Some(class),
        machine: Some(id),
        values: Vec::new(),
        place: machine.place,
    };
    let mut objects = IdVec::new();
    objects.push(object);
    let structure = Structure { objects, ..Structure::default() };
    let communication = model.system.communication.unwrap_or(Communication::Rendezvous);
    let settings = SystemSettings { communication: Some(communication), ..model.system.clone() };
    lower_objects(model, &structure, &settings).map_err(|unsupported| Reason::NotRun(unsupported.what))
}

fn class(machine: &Machine) -> &str {
    machine.class.as_ref().unwrap_or(&machine.name)
}

/// Who is looked at on a side: the only object, or the lifeline that stands for the machine of the other side.
fn owner(
    side: ComparedDiagram<'_>,
    other: ComparedDiagram<'_>,
    lowered: &LoweredDiagram,
) -> Result<Option<ComponentId>, Reason> {
    match (side.subject, other.subject) {
        (Subject::Machine(_), _) => Ok(Some(ComponentId::from_index(0))),
        (Subject::Interaction(_), Subject::Interaction(_)) => Ok(None),
        (Subject::Interaction(id), Subject::Machine(machine)) => {
            let interaction = &side.model.interactions[id];
            let machine = &other.model.machines[machine];
            let name = lifeline(interaction, machine);
            let component = name.and_then(|name| lowered.system().components.find(|known| known == name));
            component.map(Some).ok_or_else(|| {
                let name = class(machine);
                let why =
                    format!("no lifeline of {} is called `{name}` or is of that class", interaction.name);
                Reason::Incomparable(why)
            })
        }
    }
}

fn lifeline<'i>(interaction: &'i Interaction, machine: &Machine) -> Option<&'i str> {
    let is_meant =
        |name: &str| name.eq_ignore_ascii_case(class(machine)) || name.eq_ignore_ascii_case(&machine.name);
    let mut lifelines = interaction.lifelines.iter();
    let by_class = lifelines.find(|lifeline| lifeline.class.as_deref().is_some_and(is_meant));
    let by_name = || interaction.lifelines.iter().find(|lifeline| is_meant(&lifeline.name));
    by_class.or_else(by_name).map(|lifeline| lifeline.name.as_str())
}
