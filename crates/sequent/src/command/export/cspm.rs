//! Processes for FDR: sequence diagrams by their lifelines, objects that meet by their states, everything else step by step.

use std::collections::BTreeMap;

use sequent::pipeline::Reading;
use sequent::refinement;
use sequent::scenario::{self, Ask, Tester};
use sequent::simulate;
use sequent_kernel::model::{self, Aspect, Communication, InteractionId, Question};
use sequent_kernel::semantics::objects::Objects;
use sequent_kernel::source::Place;
use sequent_kernel::system::{EventId, Step};
use sequent_kernel::templates::cut;
use sequent_report::export::cspm::{self, Cspm, Diagram, Legend, Refines, Unwritten};

use super::Written;
use super::subject::{NOT_OBSERVED, Subject, one_interaction, runs_machines, subject};
use crate::cli::{Export, PromelaShape};
use crate::command::Session;
use crate::command::subject::{assumptions, choose, not_run, warn_of_gaps};
use crate::output;

/// What runs, as processes.
pub fn write(session: &Session, options: &Export) -> Result<Written, String> {
    match (runs_machines(session, options), options.shape) {
        (_, Some(PromelaShape::Observer)) => Err(NOT_OBSERVED.to_owned()),
        (true, Some(PromelaShape::Lifelines)) => {
            Err("state machines have no lifelines; --interaction NAME writes a diagram".to_owned())
        }
        (true, shape) => system(session, options, shape.is_none(), None),
        (false, Some(PromelaShape::Steps)) => system(session, options, false, None),
        (false, shape) => diagram(session, options, shape.is_some()),
    }
}

fn unwritten(Unwritten(reason): Unwritten) -> String {
    format!("there is no CSPm of it: {reason}")
}

/// Sequence diagrams by their lifelines, or one step by step where they cannot say it and nobody insists on them.
fn diagram(session: &Session, options: &Export, insists: bool) -> Result<Written, String> {
    let (ids, questions) = diagrams(session, options)?;
    match lifelines(session, options, (&ids, &questions), insists)? {
        Ok(made) => Ok(Written::Text(made.text)),
        Err(reason) if insists || options.interaction.len() > 1 => Err(unwritten(reason)),
        Err(Unwritten(reason)) => {
            if !questions.is_empty() {
                output::complain("written step by step, it is not compared with other diagrams");
            }
            system(session, options, false, Some(&reason))
        }
    }
}

/// The diagrams that are written, and what is asked about them: those named, the second of which is held against the first; or one
/// with those that checks hold it against.
fn diagrams(session: &Session, options: &Export) -> Result<(Vec<InteractionId>, Vec<Refines>), String> {
    let model = &session.reading.model;
    if options.interaction.len() > 1 {
        let ids =
            options.interaction.iter().map(|name| choose(model, Some(name))).collect::<Result<_, _>>()?;
        let asked = [Aspect::Traces, Aspect::Failures].map(|aspect| Refines {
            specification: 0,
            implementation: 1,
            aspect,
            hidden: Vec::new(),
        });
        return Ok((ids, asked.to_vec()));
    }
    let id = one_interaction(session, options)?;
    let (mut ids, mut questions) = (vec![id], Vec::new());
    for check in &model.checks {
        let Question::Refines(asked) = &check.question else { continue };
        let about = match &check.target {
            Some(name) => refinement::find(model, &name.text).ok(),
            None => check.subject,
        };
        if about != Some(model::Subject::Interaction(id)) {
            continue;
        }
        let Ok(model::Subject::Interaction(specification)) =
            refinement::find(model, &asked.specification.text)
        else {
            output::complain(&format!(
                "not asked: whether it refines `{}`, which is no sequence diagram",
                asked.specification.text
            ));
            continue;
        };
        let place = ids.iter().position(|known| *known == specification).unwrap_or_else(|| {
            ids.push(specification);
            ids.len() - 1
        });
        let hidden = asked.hidden.clone();
        questions.push(Refines { specification: place, implementation: 0, aspect: asked.aspect, hidden });
    }
    Ok((ids, questions))
}

fn lifelines(
    session: &Session,
    options: &Export,
    (ids, questions): (&[InteractionId], &[Refines]),
    insists: bool,
) -> Result<Result<Cspm, Unwritten>, String> {
    let mut model = session.reading.model.clone();
    let mut assumed = Vec::new();
    let mut is_cut = false;
    for id in ids {
        assumed.push(assumptions(&options.meaning, session, *id)?);
        let (shorter, is_shorter) = cut(&model, *id, options.unroll);
        (model, is_cut) = (shorter, is_cut || is_shorter);
    }
    if is_cut && !insists {
        return Ok(Err(Unwritten("it has loops without bound".to_owned())));
    }
    ids.iter().for_each(|id| warn_of_gaps(session, *id));
    if is_cut {
        output::complain(&format!(
            "loops without bound are cut after {} iterations more than they must have",
            options.unroll
        ));
    }
    let at = |place: Place| format!("line {}", session.sources.position(place.0).line);
    let diagram = |(id, assumptions)| Diagram { model: &model, id, assumptions, at: &at };
    let diagrams: Vec<Diagram<'_>> = ids.iter().copied().zip(&assumed).map(diagram).collect();
    Ok(cspm::lifelines(&diagrams, questions))
}

/// Objects that meet as processes, if they may be; else every step by itself.
fn system(
    session: &Session,
    options: &Export,
    by_states: bool,
    because: Option<&str>,
) -> Result<Written, String> {
    let subject = match subject(session, options, false)? {
        Ok(subject) => subject,
        Err(unsupported) => return Ok(Written::Nothing(not_run(session, &unsupported))),
    };
    let model = &session.reading.model;
    let (legend, meets) = match &subject {
        Subject::Interaction(..) => (Legend::new(), false),
        Subject::Objects(objects, _) => {
            (objects.legend(model), objects.communication == Communication::Rendezvous)
        }
    };
    let words = simulate::Subject { model, sources: &session.sources, content: subject.content() };
    let note = |step: &Step| words.step(step);
    let title = subject.name(session);
    let written = cspm::Subject { system: subject.system(), title: &title, legend: &legend, note: &note };
    let mut because = because.map(str::to_owned);
    if by_states && meets {
        match cspm::machines(&written) {
            Ok(made) => return Ok(Written::Text(asked(session, &subject, made).text)),
            Err(Unwritten(reason)) => because = Some(reason),
        }
    }
    let made = cspm::steps(&written).map_err(unwritten)?;
    let because = because.map(|reason| format!("-- Written step by step: {}.\n", reason.replace('\n', " ")));
    Ok(Written::Text(because.unwrap_or_default() + &asked(session, &subject, made).text))
}

/// What is asked about a system, as assertions behind it.
fn asked(session: &Session, subject: &Subject, mut made: Cspm) -> Cspm {
    let Subject::Objects(objects, about) = subject else {
        cspm::ask(&mut made, &[]);
        return made;
    };
    let Reading { model, folders, .. } = &session.reading;
    let plan = scenario::plan(model, folders, &[], &|_| false);
    let mut questions = Vec::new();
    let found = scenario::testers(model, folders, &plan, objects, &session.settings.switches);
    let scenarios = plan.asked.iter().filter(|asked| matches!(asked.ask, Ask::Scenario(..))).count();
    if found.len() < scenarios && about.is_none() {
        output::complain("some scenarios see other objects: --scenario NAME writes those");
    }
    for tester in found {
        match tester {
            Ok(tester) => questions.push(question(session, objects, tester)),
            Err(why) => output::complain(&format!("not asked: {why}")),
        }
    }
    cspm::ask(&mut made, &questions);
    made
}

fn question(session: &Session, objects: &Objects, tester: Tester) -> cspm::Question {
    let line = session.sources.position(tester.place.0).line;
    let text = |event: &EventId| objects.system.events[*event].text.clone();
    let named = |moves: &BTreeMap<EventId, Option<usize>>| {
        moves.iter().map(|(event, to)| (text(event), *to)).collect::<BTreeMap<_, _>>()
    };
    cspm::Question {
        title: format!("{}: {}, asked in line {line}", tester.target, tester.name),
        quantifier: tester.quantifier,
        states: tester.states.iter().map(named).collect(),
    }
}
