//! The state space: every state that can be reached and every step between them.

use sequent::simulate;
use sequent_engine::packed::Program;
use sequent_engine::search::Limits;
use sequent_engine::survey::Survey;
use sequent_kernel::id::Id;
use sequent_kernel::property::Moment;
use sequent_kernel::verdict::Reason;
use sequent_report::export::{self, ExportedSpace, SpaceState};
use sequent_report::reason;

use super::ExportResult;
use super::subject::{ExportSubject, subject};
use crate::cli::{Export, ExportFormat};
use crate::command::Session;
use crate::command::subject::{UNDECIDED, not_run};
use crate::output;
use crate::watch::ProgressPrinter;

/// The limit on the number of states that are written.
const MOST_STATES: usize = 5_000_000;

/// The state space of what runs, in the format that is asked for.
pub(crate) fn write(
    session: &Session,
    options: &Export,
    format: ExportFormat,
) -> Result<ExportResult, String> {
    let subject = match subject(session, options, false)? {
        Ok(subject) => subject,
        Err(unsupported) => return Ok(ExportResult::Nothing(not_run(session, &unsupported))),
    };
    let program = Program::new(subject.system());
    let watcher = ProgressPrinter::bounded(&options.work);
    let limits = Limits { states: MOST_STATES, bytes: watcher.bytes(), ..Limits::default() };
    let survey = watcher.see(|watch| Survey::explore(&program, &|_| false, &limits, watch));
    if let Some(stop) = survey.stop {
        output::complain(&format!("undecided: {}", reason::words(&Reason::Stopped(stop, survey.len()))));
        return Ok(ExportResult::Nothing(UNDECIDED));
    }
    let space = space(session, &subject, &survey);
    Ok(ExportResult::Text(match format {
        ExportFormat::Dot => export::dot_space(&space),
        ExportFormat::Aut
        | ExportFormat::Ltl
        | ExportFormat::Hoa
        | ExportFormat::Promela
        | ExportFormat::Nusmv
        | ExportFormat::Cspm
        | ExportFormat::Aiger
        | ExportFormat::Btor2
        | ExportFormat::Smt
        | ExportFormat::Dimacs
        | ExportFormat::Qdimacs => export::aut(&space),
    }))
}

fn space(session: &Session, subject: &ExportSubject, survey: &Survey<'_>) -> ExportedSpace {
    let system = subject.system();
    let words = simulate::SimulationSubject {
        model: &session.reading.model,
        sources: &session.sources,
        content: subject.content(),
    };
    let mut space = ExportedSpace { name: subject.name(session), ..ExportedSpace::default() };
    for spot in survey.spots() {
        let config = survey.config(spot);
        space.states.push(SpaceState {
            text: words.standings(&config).trim_end().to_owned(),
            is_end: system.holds(system.complete, &config),
            is_stuck: survey.end(spot) == Some(Moment::Stuck),
        });
        let steps = survey.rules(spot).into_iter().zip(survey.leads(spot));
        for (rules, (to, _)) in steps {
            let events = system.shown(&rules).map(|event| system.events[event].text.clone()).collect();
            space.steps.push((spot.index(), events, to.index()));
        }
    }
    space
}
