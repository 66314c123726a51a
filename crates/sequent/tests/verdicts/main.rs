//! Machines whose behaviour is known from elsewhere: the PSSM suite, and files with verdicts in the corpus.
//!
//! The corpus is no part of the project: those tests run where `SEQUENT_CORPUS` or the folder `../shared/corpus` beside the
//! project is there, and say so when it is not.

mod models;
mod pssm;
mod runs;
mod stars;
mod statecharts;
mod upml;
mod written;

use std::path::PathBuf;

use sequent::pipeline;
use sequent::settings::Settings;
use sequent_kernel::id::Id;
use sequent_kernel::semantics::objects::{InstanceId, Objects, lower_objects, structure};
use sequent_kernel::source::Sources;
use sequent_kernel::system::TermNode;
use sequent_testing::cases::{self, ExampleCase, ExampleIncludes, ReadCase};
use sequent_testing::corpus::corpus;

/// The folder of files with verdicts, if it is at hand.
fn verdicts() -> Option<PathBuf> {
    corpus().map(|path| path.join("verdicts")).filter(|path| path.is_dir())
}

/// Files of the corpus, read as one system with the usual settings.
fn read(files: &[PathBuf]) -> ReadCase {
    let expected = PathBuf::new();
    cases::read(&ExampleCase { name: String::new(), files: files.to_vec(), settings: None, expected })
}

/// Diagrams as one system with the usual settings.
fn session(text: &str) -> ReadCase {
    let mut sources = Sources::new();
    let file = sources.add("system.puml", text);
    let settings = Settings::default();
    let reading = pipeline::read(&[file], &mut sources, &mut ExampleIncludes, &settings);
    ReadCase { sources, settings, reading }
}

/// The system of the machines that were read.
fn lowered(session: &ReadCase) -> Result<Objects, String> {
    let reading = &session.reading;
    let folder = reading.folders.values().next().ok_or("nothing was read")?;
    let (structure, problems) = structure(&reading.model, &reading.folders, folder, None);
    if let Some(problem) = problems.first() {
        return Err(problem.message.clone());
    }
    lower_objects(&reading.model, &structure, &reading.model.system).map_err(|unsupported| unsupported.what)
}

/// The position of an attribute in configurations.
fn variable(objects: &mut Objects, object: InstanceId, attribute: &str) -> usize {
    let (term, _) =
        objects.attribute(object, attribute).unwrap_or_else(|| panic!("no attribute {attribute}"));
    match objects.system.terms.node(term) {
        TermNode::Variable(variable) => variable.index(),
        other => panic!("{attribute} is no variable: {other:?}"),
    }
}
