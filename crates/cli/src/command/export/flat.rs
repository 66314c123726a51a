//! Questions in flat formats: AIGER circuits, BTOR2 words, SMT-LIB relations, DIMACS and QDIMACS clauses.

use std::rc::Rc;

use sequent::certificate;
use sequent::export::ExportedCase;
use sequent::simulate;
use sequent_kernel::question::{Names, Pace};
use sequent_kernel::system::Step;
use sequent_report::export::circuit::{CircuitMachine, aiger, btor, machine, qdimacs, smt};
use sequent_report::export::{Legend, Unwritten};

use super::ExportResult;
use super::question::{self, ChosenQuestion};
use super::subject::{ExportSubject, subject};
use crate::cli::{Export, ExportFormat};
use crate::command::Session;
use crate::command::subject::not_run;

/// The question that the options ask for; without one, whether it gets stuck.
pub(crate) fn write(
    session: &Session,
    options: &Export,
    format: ExportFormat,
) -> Result<ExportResult, String> {
    if let Some(wished) = &options.question {
        let ChosenQuestion { title, part, .. } =
            question::with_agenda(session, options, |agenda| question::choose(agenda, wished))?;
        let note = |step: &Step| events(&part, step);
        return FlatQuestion { title: &title, part: &part, note: &note }.write(options, format);
    }
    let subject = match subject(session, options, true)? {
        Ok(subject) => subject,
        Err(unsupported) => return Ok(ExportResult::Nothing(not_run(session, &unsupported))),
    };
    let model = &session.reading.model;
    let mut part = ExportedCase::stuck(subject.system().clone());
    if let ExportSubject::Objects(objects, _) = &subject {
        part.case.names = Rc::new(Names { values: objects.legend(model), ..Names::default() });
    }
    let words = simulate::SimulationSubject { model, sources: &session.sources, content: subject.content() };
    let note = |step: &Step| words.step(step);
    let title = format!("{}: never gets stuck", subject.name(session));
    FlatQuestion { title: &title, part: &part, note: &note }.write(options, format)
}

/// What a step shows.
fn events(part: &ExportedCase, step: &Step) -> String {
    let texts = part.case.system.events(step).map(|event| part.case.system.events[event].text.as_str());
    texts.collect::<Vec<_>>().join(" ")
}

/// What is said where a length of runs is needed.
const NO_BOUND: &str = "it is about runs of some steps; --within STEPS says how many";

/// A question on its way into a file.
struct FlatQuestion<'a> {
    title: &'a str,
    part: &'a ExportedCase,
    note: &'a dyn Fn(&Step) -> String,
}

impl FlatQuestion<'_> {
    fn write(&self, options: &Export, format: ExportFormat) -> Result<ExportResult, String> {
        let refused = |reason: String| format!("`{}` cannot be written like this: {reason}", self.title);
        let unwritten = |Unwritten(reason): Unwritten| refused(reason);
        let is_bounded = matches!(format, ExportFormat::Smt | ExportFormat::Dimacs | ExportFormat::Qdimacs);
        if options.within.is_some() && !is_bounded {
            return Err("--within goes with --to smt, --to dimacs and --to qdimacs".to_owned());
        }
        if is_bounded {
            question::warn_of_breaks(&self.part.case.system);
        }
        match format {
            ExportFormat::Aiger => {
                let made = aiger(&self.machine(true).map_err(refused)?).map_err(unwritten)?;
                let is_binary = options
                    .output
                    .as_ref()
                    .is_some_and(|path| path.extension().is_some_and(|one| one == "aig"));
                Ok(if is_binary {
                    ExportResult::Bytes(made.binary())
                } else {
                    ExportResult::Text(made.ascii())
                })
            }
            ExportFormat::Btor2 => {
                btor(&self.machine(true).map_err(refused)?).map(ExportResult::Text).map_err(unwritten)
            }
            ExportFormat::Smt => {
                let most = self.steps(options).map_err(refused)?;
                let machine = self.machine(false).map_err(refused)?;
                smt(&machine, most).map(ExportResult::Text).map_err(unwritten)
            }
            ExportFormat::Qdimacs => {
                let most = self.steps(options).map_err(refused)?;
                if !most.is_power_of_two() {
                    return Err(refused(format!(
                        "quantifiers double the length of runs, and {most} is no power of two"
                    )));
                }
                let circuit = aiger(&self.machine(false).map_err(refused)?).map_err(unwritten)?;
                qdimacs(&circuit, most.trailing_zeros()).map(ExportResult::Text).map_err(unwritten)
            }
            ExportFormat::Dimacs
            | ExportFormat::Ltl
            | ExportFormat::Hoa
            | ExportFormat::Aut
            | ExportFormat::Dot
            | ExportFormat::Cspm
            | ExportFormat::Nusmv
            | ExportFormat::Promela => self.clauses(options).map(ExportResult::Text).map_err(refused),
        }
    }

    /// How long runs may be: as the question says, or the options, whichever is less.
    fn within(&self, options: &Export) -> Option<usize> {
        self.part.case.within.into_iter().chain(options.within).min()
    }

    /// The same where single steps are counted.
    fn steps(&self, options: &Export) -> Result<usize, String> {
        if self.part.case.within.is_some() && self.part.case.pace != Pace::Single {
            return Err("its bound counts transactions, in which several steps happen".to_owned());
        }
        self.within(options).ok_or_else(|| NO_BOUND.to_owned())
    }

    fn machine(&self, is_unbounded: bool) -> Result<CircuitMachine, String> {
        if is_unbounded || self.part.case.begins.is_some() {
            self.part.unbounded()?;
        }
        let names: &Legend = &self.part.case.names.values;
        let subject = sequent_report::export::WrittenSubject {
            system: &self.part.case.system,
            title: self.title,
            legend: names,
            note: self.note,
        };
        machine(&subject, &self.part.target.wanted()).map_err(|Unwritten(reason)| reason)
    }

    fn clauses(&self, options: &Export) -> Result<String, String> {
        let question = self.part.question().map_err(|unwritten| unwritten.0)?;
        let most = self.within(options).or(question.usual);
        let most = most.ok_or(NO_BOUND)?;
        let names = |variable, value| self.part.case.names.value(variable, value);
        certificate::formula(self.title, &question, most, &names)
            .ok_or_else(|| "there would be too many clauses".to_owned())
    }
}
