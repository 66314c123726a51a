//! `sequent refine`: whether one diagram refines another.
//!
//! The two sides are read as separate models, as their diagrams may have the same name.

use sequent::ask::{find, name as name_of};
use sequent::effort::Effort;
use sequent::refinement::{self, ComparedDiagram};
use sequent_engine::search::Limits;
use sequent_kernel::formula::FormulaWord;
use sequent_kernel::id::Id;
use sequent_kernel::model::{Aspect, Model, Refines, Subject};
use sequent_kernel::source::{FileId, Span};
use sequent_kernel::verdict::Verdict;
use sequent_report::answers::{self, RunForm};
use sequent_report::json;

use super::Session;
use super::subject::{UNDECIDED, set_switches};
use crate::cli::{self, BehaviourArgument, Common, FormatArgument};
use crate::output;
use crate::watch::ProgressPrinter;

pub(crate) fn run(options: &cli::Refine, common: &Common) -> Result<u8, String> {
    let specification = DiagramChoice::read(&options.specification, common)?;
    let implementation = DiagramChoice::read(&options.implementation, common)?;
    let (Some(specification), Some(implementation)) = (specification, implementation) else {
        // What cannot be read is no answer.
        return Ok(2);
    };
    let sides = [specification.side(), implementation.side()];
    let file = FileId::from_index(0);
    let word = |text: &str| FormulaWord { text: text.to_owned(), place: Span::new(file, 0, 0).into() };
    let aspect = match options.model {
        BehaviourArgument::Traces => Aspect::Traces,
        BehaviourArgument::Failures => Aspect::Failures,
        BehaviourArgument::FailuresDivergences => Aspect::FailuresDivergences,
    };
    let question = Refines {
        specification: word(sides[0].name()),
        aspect,
        hidden: options.hide.iter().map(|name| word(name)).collect(),
    };
    let mut switches = implementation.session.settings.switches.clone();
    set_switches(&mut switches, &options.switch)?;
    let watcher = ProgressPrinter::new(&options.work);
    let limits = Limits { bytes: watcher.bytes(), ..Limits::default() };
    let answer = watcher.see(|watch| {
        let clock = || watcher.millis();
        let effort = Effort {
            limits,
            looks: watcher.looks(50),
            threads: 1,
            watch,
            clock: Some(&clock),
            until: watcher.until(),
            ..Effort::default()
        };
        refinement::answer(sides, &question, &switches, &effort)
    });
    let sources = &implementation.session.sources;
    match options.format {
        FormatArgument::Json => output::print_json(&json::answers(std::slice::from_ref(&answer), sources)),
        FormatArgument::Text => {
            let form = if options.table { RunForm::Table } else { RunForm::Drawing };
            output::print(&answers::text_in(&answer, sources, implementation.session.look.width, form));
        }
    }
    Ok(match answer.verdict {
        Verdict::Holds(_) => 0,
        Verdict::Fails(_) => 1,
        Verdict::Unknown(_) => UNDECIDED,
    })
}

/// A diagram of what was read.
struct DiagramChoice {
    session: Session,
    subject: Subject,
}

impl DiagramChoice {
    /// Reads `FILE` or `FILE#NAME`; returns `None` after printing the errors of the file, if it has any.
    fn read(argument: &str, common: &Common) -> Result<Option<Self>, String> {
        let (path, name) = match argument.rsplit_once('#') {
            Some((path, name)) if !std::path::Path::new(argument).exists() => (path, Some(name)),
            Some(_) | None => (argument, None),
        };
        let session = super::read(&[path.to_owned()], common)?;
        if session.complain_of_errors() {
            return Ok(None);
        }
        let subject = choose(&session.reading.model, path, name)?;
        Ok(Some(DiagramChoice { session, subject }))
    }

    fn side(&self) -> ComparedDiagram<'_> {
        ComparedDiagram { model: &self.session.reading.model, subject: self.subject }
    }
}

/// The diagram of this name, or the only one.
fn choose(model: &Model, path: &str, name: Option<&str>) -> Result<Subject, String> {
    if let Some(name) = name {
        return find(model, name).map_err(|unknown| {
            let hint = unknown.near.as_ref().map(|near| format!("; did you mean `{near}`?"));
            format!("{path}: {}{}", unknown.message(), hint.unwrap_or_default())
        });
    }
    let interactions = model.interactions.ids().map(Subject::Interaction);
    let subjects: Vec<Subject> = interactions.chain(model.machines.ids().map(Subject::Machine)).collect();
    match subjects.as_slice() {
        [only] => Ok(*only),
        [] => Err(format!("{path}: there is no sequence diagram and no state machine")),
        several => {
            let names: Vec<&str> = several.iter().map(|subject| name_of(model, *subject)).collect();
            Err(format!("{path}: there are several diagrams, name one as {path}#NAME: {}", names.join(", ")))
        }
    }
}
