//! The subject of an export: one sequence diagram, or the communicating state machines of a folder.

use sequent::simulate::SubjectContent;
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::objects::Objects;
use sequent_kernel::semantics::{Assumptions, Unsupported, lower};
use sequent_kernel::system::System;
use sequent_kernel::templates::{MANY, UnboundedLoop, cut, unbounded};

use crate::cli::{Export, ExportFormat, PromelaShape};
use crate::command::Session;
use crate::command::subject::{assumptions, choose, gather, warn_of_gaps};
use crate::output;

/// Something that runs.
pub(crate) enum ExportSubject {
    /// A sequence diagram and what it means.
    Interaction(InteractionId, Box<System>),
    /// State machines, as objects of the lifelines of a diagram if one is named.
    Objects(Box<Objects>, Option<InteractionId>),
}

impl ExportSubject {
    /// What it means.
    pub(crate) fn system(&self) -> &System {
        match self {
            ExportSubject::Interaction(_, system) => system,
            ExportSubject::Objects(objects, _) => &objects.system,
        }
    }

    /// The same for a simulation, which describes its steps.
    pub(crate) fn content(&self) -> SubjectContent<'_> {
        match self {
            ExportSubject::Interaction(id, system) => SubjectContent::Interaction(*id, system),
            ExportSubject::Objects(objects, about) => SubjectContent::Objects(objects, *about),
        }
    }

    /// What it is called.
    pub(crate) fn name(&self, session: &Session) -> String {
        let model = &session.reading.model;
        match self {
            ExportSubject::Interaction(id, _) | ExportSubject::Objects(_, Some(id)) => {
                model.interactions[*id].name.clone()
            }
            ExportSubject::Objects(objects, None) => {
                let names: Vec<&str> =
                    objects.structure.objects.iter().map(|object| object.name.as_str()).collect();
                names.join(", ")
            }
        }
    }
}

/// Whether the options ask for state machines: there are some and no diagram is named.
pub(crate) fn runs_machines(session: &Session, options: &Export) -> bool {
    let has_machines = !session.reading.model.machines.is_empty() && options.interaction.is_empty();
    has_machines || options.scenario.is_some()
}

/// The one diagram that the options ask for.
pub(crate) fn one_interaction(session: &Session, options: &Export) -> Result<InteractionId, String> {
    let name = match options.interaction.as_slice() {
        [] => None,
        [name] => Some(name.as_str()),
        _ => return Err("this format is made from one diagram: give --interaction once".to_owned()),
    };
    choose(&session.reading.model, name)
}

/// What the options ask for, ready to run; with what a `neg` forbids, or without.
pub(crate) fn subject(
    session: &Session,
    options: &Export,
    without_negatives: bool,
) -> Result<Result<ExportSubject, Unsupported>, String> {
    let model = &session.reading.model;
    if runs_machines(session, options) {
        let about = options.scenario.as_deref().map(|name| choose(model, Some(name))).transpose()?;
        return Ok(gather(session, about)?.map(|objects| ExportSubject::Objects(Box::new(objects), about)));
    }
    let id = one_interaction(session, options)?;
    warn_of_gaps(session, id);
    let assumptions = Assumptions { without_negatives, ..assumptions(&options.meaning, session, id)? };
    Ok(lower(model, id, &assumptions).map(|system| ExportSubject::Interaction(id, Box::new(system))))
}

/// Why the shape of observed machines is refused.
pub(crate) const NOT_OBSERVED: &str = "--shape observer is for state machines, with --to promela";

/// How a model for a tool is built that knows diagrams by their lifelines.
pub(crate) enum ModelForm {
    /// Every step by itself.
    Steps,
    /// A diagram by its lifelines.
    Lifelines(InteractionId),
}

/// The shape that the options ask for: diagrams by their lifelines, everything else step by step.
pub(crate) fn shape(session: &Session, options: &Export) -> Result<ModelForm, String> {
    match (runs_machines(session, options), options.shape) {
        (true, Some(PromelaShape::Lifelines)) => {
            Err("state machines are written step by step; --interaction NAME writes a diagram".to_owned())
        }
        (_, Some(PromelaShape::Observer)) => Err(NOT_OBSERVED.to_owned()),
        (_, Some(PromelaShape::Joint)) => {
            Err("--shape joint is for sequence diagrams, with --to cspm".to_owned())
        }
        (true, _) | (false, Some(PromelaShape::Steps)) => Ok(ModelForm::Steps),
        (false, Some(PromelaShape::Lifelines) | None) => {
            one_interaction(session, options).map(ModelForm::Lifelines)
        }
    }
}

/// A model with the loops without bound of a diagram cut, and what must be said of that.
pub(crate) struct Shortened {
    /// The model.
    pub model: Model,
    /// What is not in it; `None` if nothing was cut.
    pub note: Option<String>,
}

impl Shortened {
    /// A text that begins by saying what is not in it, in comments of its language.
    pub(crate) fn noted(&self, text: String, [open, close]: [&str; 2]) -> String {
        match &self.note {
            Some(note) => format!("{open}{note}{close}\n{text}"),
            None => text,
        }
    }
}

/// Cuts the loops without bound of a diagram as the options say. An error if they do not say where, or if nothing would be left:
/// another diagram is never written in silence.
pub(crate) fn shortened(
    session: &Session,
    options: &Export,
    model: &Model,
    id: InteractionId,
) -> Result<Shortened, String> {
    let Some(UnboundedLoop { place, is_endless }) = unbounded(model, id) else {
        return Ok(Shortened { model: model.clone(), note: None });
    };
    let line = session.sources.position(place.0).line;
    let instead = match options.to {
        Some(ExportFormat::Ltl) => "`--to hoa` writes its traces as an automaton",
        Some(_) | None => "`--shape steps` writes all its runs",
    };
    if is_endless {
        return Err(format!(
            "the loop in line {line} never ends, or not within {MANY} iterations, and loops are written out here; {instead}"
        ));
    }
    let what = format!("the loop in line {line} has no bound, or one above {MANY}");
    let Some(iterations) = options.unroll else {
        return Err(format!(
            "{what}, and loops are written out here; {instead}, and `--unroll N` those with up to N iterations more than it must have"
        ));
    };
    let (model, _) = cut(model, id, iterations);
    output::complain(&format!(
        "{what}, and is cut after {iterations} iterations more than it must have: longer runs are not in what is written"
    ));
    let note = format!(
        "Loops without bound are cut after {iterations} iterations more than they must have: longer runs are missing."
    );
    Ok(Shortened { model, note: Some(note) })
}

/// The model with the unbounded loops of a diagram cut as `--unroll` says, and the assumptions about it;
/// warns of what is lost.
pub(crate) fn cut_short(
    session: &Session,
    options: &Export,
    id: InteractionId,
) -> Result<(Shortened, Assumptions), String> {
    warn_of_gaps(session, id);
    let assumptions = assumptions(&options.meaning, session, id)?;
    Ok((shortened(session, options, &session.reading.model, id)?, assumptions))
}
