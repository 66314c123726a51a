//! HOA: an automaton of the traces of a diagram, or the observer of a question, which accepts the runs that
//! answer it.

use sequent::export::{ExportTarget, ExportedCase};
use sequent_engine::automaton::{automaton, minimal, prune};
use sequent_engine::traces::{TraceLimits, Traces};
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::system::TraceClass;
use sequent_kernel::verdict::Reason;
use sequent_report::export::{self, ObserverReader, Unwritten};
use sequent_report::reason;

use super::ExportResult;
use super::question::{self, Posed};
use super::subject::{one_interaction, runs_machines};
use crate::cli::Export;
use crate::command::Session;
use crate::command::subject::{UNDECIDED, assumptions, not_run, warn_of_gaps};
use crate::command::traces::WIDEST_AUTOMATON;
use crate::output;
use crate::watch::ProgressPrinter;

/// The question that the options ask for; without one, the traces of a diagram.
pub(crate) fn write(session: &Session, options: &Export) -> Result<ExportResult, String> {
    match &options.question {
        Some(wished) => asked(session, options, wished),
        None if runs_machines(session, options) => Err(
            "an automaton is of a diagram or of a question: --interaction NAME or --question N names one, and --to aut writes all states of state machines"
                .to_owned(),
        ),
        None => traces(session, options),
    }
}

/// One automaton for each part of a question, one after the other, unless a part is named.
fn asked(session: &Session, options: &Export, wished: &str) -> Result<ExportResult, String> {
    let Posed { title, parts, at, .. } =
        question::with_agenda(session, options, |agenda| question::pose(agenda, wished))?;
    let origin = format!("{}: question {wished}, {title}", options.input.paths.join(" "));
    let chosen = parts.iter().enumerate().filter(|(number, _)| at.is_none_or(|at| at == *number));
    let all: Result<String, String> = chosen.map(|(_, part)| one(&title, &origin, part)).collect();
    let refused = |reason| format!("`{title}` cannot be written like this: {reason}");
    all.map(ExportResult::Text).map_err(refused)
}

fn one(title: &str, origin: &str, part: &ExportedCase) -> Result<String, String> {
    part.unbounded()?;
    let table = match &part.target {
        ExportTarget::Accepted(table) => table,
        ExportTarget::Stuck | ExportTarget::State(_) => {
            return Err("it is about states, and no automaton reads runs for it".to_owned());
        }
    };
    let mut comment = vec![origin.to_owned()];
    let name = match part.case.part.is_empty() {
        true => title.to_owned(),
        false => format!("{title}; {}", part.case.part),
    };
    comment.push(
        "The runs that are looked for are accepted: bad news, unless something should be possible."
            .to_owned(),
    );
    let reader = ObserverReader { system: &part.case.system, legend: &part.case.names.values, table };
    export::hoa_question(&reader, &name, &comment).map_err(|Unwritten(reason)| reason)
}

/// The traces of one diagram, with as few states as possible.
fn traces(session: &Session, options: &Export) -> Result<ExportResult, String> {
    let id = one_interaction(session, options)?;
    warn_of_gaps(session, id);
    let model = &session.reading.model;
    let mut assumptions = Assumptions { window: 1, ..assumptions(&options.meaning, session, id)? };
    let watcher = ProgressPrinter::bounded(&options.work);
    loop {
        let system = match lower(model, id, &assumptions) {
            Ok(system) => system,
            Err(unsupported) => return Ok(ExportResult::Nothing(not_run(session, &unsupported))),
        };
        let limits = TraceLimits { bytes: watcher.bytes(), ..TraceLimits::default() };
        let traces = match watcher.see(|watch| Traces::explore_watched(&system, limits, watch)) {
            Ok(traces) => traces,
            Err(stop) => {
                output::complain(&format!(
                    "undecided: {}",
                    reason::words(&Reason::Stopped(stop, watcher.states()))
                ));
                return Ok(ExportResult::Nothing(UNDECIDED));
            }
        };
        if !traces.is_strained() {
            let automaton = minimal(&prune(&automaton(traces, TraceClass::Valid)));
            let events = system.events.iter().map(|event| event.text.as_str());
            return Ok(ExportResult::Text(export::hoa(&automaton, &model.interactions[id].name, events)));
        }
        if assumptions.window >= WIDEST_AUTOMATON {
            return Err(format!(
                "its loops would need more than {WIDEST_AUTOMATON} iterations at a time; `sequent traces --automaton hoa` writes those"
            ));
        }
        assumptions.window *= 2;
    }
}
