//! CSPm for FDR: a process per lifeline of a sequence diagram, per state of objects under rendezvous; all
//! else step by step.

use std::collections::BTreeMap;

use sequent::ask::{Agenda, Matter, find};
use sequent::ensemble::Wish;
use sequent::export::{CastTester, Staged, Tester, staged};
use sequent::refinement::export as compared;
use sequent::simulate::{self, SubjectContent};
use sequent_kernel::model::{self, Aspect, Communication, InteractionId, Question};
use sequent_kernel::semantics::Unsupported;
use sequent_kernel::semantics::objects::Objects;
use sequent_kernel::source::Place;
use sequent_kernel::system::{EventId, Step};
use sequent_kernel::templates::unbounded;
use sequent_report::export::cspm::{
    self, Cspm, Legend, LifelineRefinement, ScriptDraft, UnfoldedDiagram, Unwritten,
};

use super::subject::{
    ExportSubject, NOT_OBSERVED, Shortened, one_interaction, runs_machines, shortened, subject,
};
use super::{ExportResult, question};
use crate::cli::{Export, PromelaShape};
use crate::command::Session;
use crate::command::subject::{assumptions, choose, gather, not_run, warn_of_gaps};
use crate::output;

/// What runs, as processes.
pub(crate) fn write(session: &Session, options: &Export) -> Result<ExportResult, String> {
    if let Some(wished) = &options.question {
        return asked(session, options, wished);
    }
    match (runs_machines(session, options), options.shape) {
        (_, Some(PromelaShape::Observer)) => Err(NOT_OBSERVED.to_owned()),
        (true, Some(PromelaShape::Lifelines | PromelaShape::Joint)) => {
            Err("state machines have no lifelines; --interaction NAME writes a diagram".to_owned())
        }
        (true, shape) => system(session, options, shape.is_none(), None),
        (false, Some(PromelaShape::Steps)) => system(session, options, false, None),
        (false, shape) => diagram(session, options, shape.is_some()),
    }
}

/// One question that can be an assertion: a scenario, a refinement, or whether a diagram gets stuck.
fn asked(session: &Session, options: &Export, wished: &str) -> Result<ExportResult, String> {
    let by_states = match options.shape {
        Some(PromelaShape::Observer) => return Err(NOT_OBSERVED.to_owned()),
        Some(PromelaShape::Lifelines | PromelaShape::Joint) | None => true,
        Some(PromelaShape::Steps) => false,
    };
    question::with_agenda(session, options, |agenda| {
        let number = question::number(agenda, wished)?;
        let query = &agenda.queries[number];
        let refused = |reason: &str| format!("`{}` is not an assertion: {reason}", query.text());
        match &query.matter {
            Matter::Objects(_, Wish::Scenario(..), _) => {
                let (stages, reasons) = staged(agenda, Some(number));
                let asked = stages.iter().flat_map(|stage| &stage.testers);
                let untold = asked.filter_map(|(_, tester)| tester.as_ref().err());
                match untold.chain(&reasons).next() {
                    Some(reason) => Err(refused(reason)),
                    None => objects(session, &stages, &[], by_states),
                }
            }
            Matter::Refines(subjects, refines) => match *subjects {
                [model::Subject::Interaction(one), model::Subject::Interaction(other)] => {
                    let hidden = refines.hidden.iter().map(|word| word.text.clone()).collect();
                    let asked = LifelineRefinement {
                        specification: 0,
                        implementation: 1,
                        aspect: refines.aspect,
                        hidden,
                    };
                    match lifelines(session, options, (&[one, other], &[asked]), false)? {
                        Ok(made) => Ok(ExportResult::Text(made.text)),
                        Err(_) => alone(session, agenda, number),
                    }
                }
                [_, _] => alone(session, agenda, number),
            },
            Matter::Deadlock(model::Subject::Interaction(id)) => {
                let made = lifelines(session, options, (&[*id], &[]), false)?;
                made.map(|made| ExportResult::Text(made.text)).map_err(unwritten)
            }
            Matter::Deadlock(model::Subject::Machine(_))
            | Matter::Objects(_, Wish::Goal(_) | Wish::Formula(_), _)
            | Matter::Runs(..)
            | Matter::Triggers(_)
            | Matter::Nothing(_) => Err(refused("scenarios, refinements and deadlocks of diagrams are")),
        }
    })
}

/// One refinement, with both sides as systems.
fn alone(session: &Session, agenda: &Agenda<'_>, number: usize) -> Result<ExportResult, String> {
    let is_wanted = |other: usize, _: [model::Subject; 2]| other == number;
    let switches = &session.settings.switches;
    let (questions, reasons) = compared::questions(&session.reading.model, agenda, &is_wanted, switches);
    match reasons.into_iter().next() {
        Some(reason) => Err(format!("it cannot be written {reason}")),
        None => objects(session, &[], &questions, true),
    }
}

fn unwritten(Unwritten(reason): Unwritten) -> String {
    format!("there is no CSPm of it: {reason}")
}

/// Sequence diagrams as processes per lifeline; one that these cannot express is written step by step unless
/// `insists`.
fn diagram(session: &Session, options: &Export, insists: bool) -> Result<ExportResult, String> {
    let (ids, questions) = diagrams(session, options)?;
    match lifelines(session, options, (&ids, &questions), insists)? {
        Ok(made) => Ok(ExportResult::Text(made.text)),
        Err(reason) if insists || options.interaction.len() > 1 => Err(unwritten(reason)),
        Err(Unwritten(reason)) => system(session, options, false, Some(&reason)),
    }
}

/// The diagrams that are written, and what is asked about them: those named, the second of which is held against the first; or one
/// with those that checks hold it against.
fn diagrams(
    session: &Session,
    options: &Export,
) -> Result<(Vec<InteractionId>, Vec<LifelineRefinement>), String> {
    let model = &session.reading.model;
    if options.interaction.len() > 1 {
        let ids =
            options.interaction.iter().map(|name| choose(model, Some(name))).collect::<Result<_, _>>()?;
        let asked = [Aspect::Traces, Aspect::Failures].map(|aspect| LifelineRefinement {
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
            Some(name) => find(model, &name.text).ok(),
            None => check.subject,
        };
        if about != Some(model::Subject::Interaction(id)) {
            continue;
        }
        let Ok(model::Subject::Interaction(specification)) = find(model, &asked.specification.text) else {
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
        let hidden = asked.hidden.iter().map(|word| word.text.clone()).collect();
        questions.push(LifelineRefinement {
            specification: place,
            implementation: 0,
            aspect: asked.aspect,
            hidden,
        });
    }
    Ok((ids, questions))
}

fn lifelines(
    session: &Session,
    options: &Export,
    (ids, questions): (&[InteractionId], &[LifelineRefinement]),
    insists: bool,
) -> Result<Result<Cspm, Unwritten>, String> {
    let model = &session.reading.model;
    if !insists && ids.iter().any(|id| unbounded(model, *id).is_some()) {
        return Ok(Err(Unwritten("it has loops without bound".to_owned())));
    }
    let mut assumed = Vec::new();
    let mut cut = Shortened { model: session.reading.model.clone(), note: None };
    for id in ids {
        warn_of_gaps(session, *id);
        assumed.push(assumptions(&options.meaning, session, *id)?);
        let shorter = shortened(session, options, &cut.model, *id)?;
        cut = Shortened { note: shorter.note.or(cut.note), model: shorter.model };
    }
    let at = |place: Place| format!("line {}", session.sources.position(place.0).line);
    let diagram = |(id, assumptions)| UnfoldedDiagram { model: &cut.model, id, assumptions, at: &at };
    let diagrams: Vec<UnfoldedDiagram<'_>> = ids.iter().copied().zip(&assumed).map(diagram).collect();
    let made = match options.shape == Some(PromelaShape::Joint) {
        true => cspm::joint(&diagrams, questions),
        false => cspm::lifelines(&diagrams, questions),
    };
    Ok(made.map(|made| Cspm { text: cut.noted(made.text.clone(), ["-- ", ""]), ..made }))
}

/// Objects with their states as processes, if they may be; else every step by itself.
fn system(
    session: &Session,
    options: &Export,
    by_states: bool,
    because: Option<&str>,
) -> Result<ExportResult, String> {
    if runs_machines(session, options) {
        return match stages(session, options)? {
            Ok(stages) => compared(session, options, &stages, by_states),
            Err(unsupported) => Ok(ExportResult::Nothing(not_run(session, &unsupported))),
        };
    }
    // Lifelines leave out what a `neg` forbids, too.
    let subject = match subject(session, options, true)? {
        Ok(subject) => subject,
        Err(unsupported) => return Ok(ExportResult::Nothing(not_run(session, &unsupported))),
    };
    let words = simulate::SimulationSubject {
        model: &session.reading.model,
        sources: &session.sources,
        content: subject.content(),
    };
    let note = |step: &Step| words.step(step);
    let title = subject.name(session);
    let legend = Legend::new();
    let written =
        cspm::WrittenSubject { system: subject.system(), title: &title, legend: &legend, note: &note };
    let draft = ScriptDraft::steps(&written).map_err(unwritten)?;
    let ExportSubject::Interaction(id, _) = &subject else {
        return Err("there is no sequence diagram".to_owned());
    };
    question::for_all_guards(session, options, |agenda| {
        // Refinements that are asked of it, with both sides step by step.
        let about = model::Subject::Interaction(*id);
        let is_wanted = |_: usize, subjects: [model::Subject; 2]| {
            subjects[1] == about && !compared::has_machines(subjects)
        };
        let switches = &session.settings.switches;
        let (questions, reasons) = compared::questions(&session.reading.model, agenda, &is_wanted, switches);
        reasons.iter().for_each(|reason| output::complain(&format!("not asked: {reason}")));
        let (sides, comparisons) = compared::drafts(&questions, 1).map_err(unwritten)?;
        let drafts: Vec<ScriptDraft<'_>> = std::iter::once(draft).chain(sides).collect();
        let mut made = cspm::script(&drafts, &comparisons).map_err(unwritten)?;
        cspm::ask(&mut made, 1, &[]);
        Ok(ExportResult::Text(because.map(stepwise).unwrap_or_default() + &made.text))
    })
}

/// Why something is written step by step.
fn stepwise(reason: &str) -> String {
    format!("-- Written step by step: {}.\n", reason.replace('\n', " "))
}

/// The objects that are written, and what is asked about them: those that scenarios see, as they do when they are checked; without
/// scenarios the machines of a folder.
fn stages(session: &Session, options: &Export) -> Result<Result<Vec<Staged>, Unsupported>, String> {
    let model = &session.reading.model;
    let (mut staged, reasons) =
        question::for_all_guards(session, options, |agenda| Ok(staged(agenda, None)))?;
    let about = options.scenario.as_deref().map(|name| choose(model, Some(name))).transpose()?;
    if about.is_none() {
        reasons.iter().for_each(|reason| output::complain(&format!("not asked: {reason}")));
    }
    if about.is_some() || staged.is_empty() {
        let objects = match gather(session, about)? {
            Ok(objects) => objects,
            Err(unsupported) => return Ok(Err(unsupported)),
        };
        staged.retain(|stage| stage.objects.structure == objects.structure);
        if staged.is_empty() {
            staged.push(Staged { objects, testers: Vec::new() });
        }
    }
    Ok(Ok(staged))
}

/// Objects, what is asked about them, and the refinements in which state machines take part, unless one scenario's objects are wanted.
fn compared(
    session: &Session,
    options: &Export,
    stages: &[Staged],
    by_states: bool,
) -> Result<ExportResult, String> {
    if options.scenario.is_some() {
        return objects(session, stages, &[], by_states);
    }
    question::for_all_guards(session, options, |agenda| {
        let switches = &session.settings.switches;
        let is_wanted = |_: usize, subjects| compared::has_machines(subjects);
        let (questions, reasons) = compared::questions(&session.reading.model, agenda, &is_wanted, switches);
        reasons.iter().for_each(|reason| output::complain(&format!("not asked: {reason}")));
        objects(session, stages, &questions, by_states)
    })
}

/// Objects and what is asked about them, as one script.
fn objects(
    session: &Session,
    stages: &[Staged],
    refinements: &[compared::RefinementQuestion<'_>],
    by_states: bool,
) -> Result<ExportResult, String> {
    let model = &session.reading.model;
    let told: Vec<ScriptParts<'_>> = stages.iter().map(|stage| ScriptParts::new(session, stage)).collect();
    let sources = &session.sources;
    let words = told.iter().map(|told| simulate::SimulationSubject { model, sources, content: told.content });
    let notes: Vec<_> = words.map(|words| move |step: &Step| words.step(step)).collect();
    let mut because = Vec::new();
    let mut drafts = Vec::new();
    for ((stage, told), note) in stages.iter().zip(&told).zip(&notes) {
        let system = &stage.objects.system;
        let subject = cspm::WrittenSubject { system, title: &told.title, legend: &told.legend, note };
        let is_bag = stage.objects.communication == Communication::Bag;
        let by_states = match by_states && !is_bag {
            true => ScriptDraft::states(&subject).map_err(|Unwritten(reason)| because.push(reason)).ok(),
            false => None,
        };
        drafts.push(match by_states {
            Some(draft) => draft,
            None => ScriptDraft::steps(&subject).map_err(unwritten)?,
        });
    }
    because.dedup();
    let (sides, comparisons) = compared::drafts(refinements, drafts.len()).map_err(unwritten)?;
    drafts.extend(sides);
    let mut made = cspm::script(&drafts, &comparisons).map_err(unwritten)?;
    let mut questions = Vec::new();
    for (about, stage) in stages.iter().enumerate() {
        for (_, tester) in &stage.testers {
            match tester {
                Ok(tester) => questions.push(posed(session, (about, &stage.objects), tester)),
                Err(why) => output::complain(&format!("not asked: {why}")),
            }
        }
    }
    cspm::ask(&mut made, stages.len(), &questions);
    let because: String = because.iter().map(|reason| stepwise(reason)).collect();
    Ok(ExportResult::Text(because + &made.text))
}

/// The parts of a CSPm model of objects.
struct ScriptParts<'s> {
    title: String,
    legend: Legend,
    content: SubjectContent<'s>,
}

impl<'s> ScriptParts<'s> {
    fn new(session: &Session, stage: &'s Staged) -> Self {
        let names: Vec<&str> =
            stage.objects.structure.objects.iter().map(|object| object.name.as_str()).collect();
        ScriptParts {
            title: names.join(", "),
            legend: stage.objects.legend(&session.reading.model),
            content: SubjectContent::Objects(&stage.objects, None),
        }
    }
}

fn posed(session: &Session, (about, objects): (usize, &Objects), tester: &Tester) -> cspm::TesterQuestion {
    let line = session.sources.position(tester.place.0).line;
    let key = |event: &EventId| {
        let event = &objects.system.events[*event];
        (event.text.clone(), event.goes_on)
    };
    let named = |moves: &BTreeMap<EventId, Option<usize>>| {
        moves.iter().map(|(event, to)| (key(event), *to)).collect::<BTreeMap<_, _>>()
    };
    let choice = |choice: &CastTester| cspm::CastScenario {
        words: choice.words.clone(),
        states: choice.states.iter().map(named).collect(),
    };
    cspm::TesterQuestion {
        about,
        title: format!("{}: {}, asked in line {line}", tester.target, tester.name),
        quantifier: tester.quantifier,
        choices: tester.choices.iter().map(choice).collect(),
    }
}
