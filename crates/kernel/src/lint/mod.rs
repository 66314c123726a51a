//! Lint: findings that need no search.
//!
//! Each finding is something a reviewer would point at: it has a code, the place, and a hint that says what would be
//! right. Everything here is linear in the size of the diagram, or nearly so.

pub mod class;
pub mod diagram;
pub mod interaction;
pub mod machine;
pub mod objects;
pub mod property;
mod set;
mod truth;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::meter::{self, Work};
use crate::model::{Communication, Machine, Model};
use crate::source::{Folders, Place};

/// One part of the findings, if there is budget for it.
fn within(part: impl FnOnce() -> Vec<Diagnostic>) -> Vec<Diagnostic> {
    if meter::leaves(Work::Lints, 1) { Vec::new() } else { part() }
}

/// All findings about a model, in order of their place; as far as the [budget](crate::meter) lasts.
pub fn lint(model: &Model, folders: &Folders) -> Vec<Diagnostic> {
    together(model, folders, &alone(model))
}

/// Findings about diagrams each of which is looked at by itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SingleFindings {
    /// Those that always hold.
    findings: Vec<Diagnostic>,
    /// Those about messages that overtake each other, where a medium can do that.
    races: Vec<Diagnostic>,
}

impl SingleFindings {
    /// Adds the findings about other diagrams.
    pub fn extend(&mut self, other: &SingleFindings) {
        self.findings.extend(other.findings.iter().cloned());
        self.races.extend(other.races.iter().cloned());
    }
}

/// Looks at each diagram of a model by itself: neither other diagrams nor settings change what is found.
pub fn alone(model: &Model) -> SingleFindings {
    let mut alone = SingleFindings::default();
    for one in model.interactions.iter() {
        interaction::interaction_alone(one, &mut alone.findings);
        interaction::races(one, &mut alone.races);
    }
    model.machines.iter().for_each(|one| machine::machine_alone(one, &mut alone.findings));
    alone
}

/// All findings about a model whose diagrams were looked at by themselves before, in order of their place.
pub fn together(model: &Model, folders: &Folders, alone: &SingleFindings) -> Vec<Diagnostic> {
    let mut findings = alone.findings.clone();
    // Who meets takes a message when it is ready for it, and not earlier: no medium brings them in another order.
    if model.system.communication != Some(Communication::Rendezvous) {
        findings.extend(alone.races.iter().cloned());
    }
    interaction::between(model, folders, &mut findings);
    machine::between(model, folders, &mut findings);
    findings.extend(objects::systems(model, folders));
    findings.extend(class::classes(model, folders));
    findings.extend(within(|| property::properties(model, folders)));
    let asked = within(|| diagram::diagrams(model, folders));
    let parts = diagram::parts(model);
    findings.retain(|finding| !diagram::repeats(finding, &asked) && !diagram::is_cut_out(finding, &parts));
    findings.retain(|finding| !objects::is_settled(finding, model, folders));
    findings.extend(asked);
    findings.sort();
    findings.dedup();
    findings
}

/// Whether a finding is about what diagrams mean to a search, and no question is about those of its folder and no comment announces the finding: authors of
/// drawings do not act on it (decision 7). Questions that stand in no folder, in settings or on the command line, are asked of all; machines that send to
/// each other are searched without being asked.
pub fn is_idle(finding: &Diagnostic, model: &Model, folders: &Folders) -> bool {
    let folder = folders.get(&finding.span.file);
    let is_asked = |place: Place| folders.get(&place.0.file).is_none_or(|own| Some(own) == folder);
    let is_searched = || {
        let own = || model.machines.iter().filter(|one| folders.get(&one.place.0.file) == folder);
        is_about_machines(finding.code)
            && own().nth(1).is_some()
            && own().flat_map(Machine::sends).next().is_some()
    };
    is_about_meaning(finding)
        && !is_searched()
        && !model.checks.iter().any(|check| is_asked(check.place))
        && !model
            .known
            .iter()
            .any(|known| known.code == finding.code && known.diagram.0.encloses(finding.span))
}

/// Whether a finding is about what a diagram means, rather than how it is written.
fn is_about_meaning(finding: &Diagnostic) -> bool {
    let is_hint = finding.severity == Severity::Hint;
    match finding.code {
        Code::NonLocalChoice
        | Code::OpenData
        | Code::CallWithoutReply
        | Code::RunAhead
        | Code::CallsInCircle
        | Code::IgnoredTrigger => true,
        Code::OpaqueData | Code::Race | Code::NoInitial | Code::UnknownInteraction => is_hint,
        _ => false,
    }
}

fn is_about_machines(code: Code) -> bool {
    matches!(code, Code::IgnoredTrigger | Code::NoInitial)
}
