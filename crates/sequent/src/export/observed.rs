//! The observers of a question, for formats that know a diagram by its lifelines and events by their texts.

use sequent_kernel::templates::ForbiddenRuns;

use super::{ExportTarget, ExportedCase};

/// The observers of all parts of a question about runs of any length.
pub fn observers(parts: Vec<ExportedCase>) -> Result<Vec<ForbiddenRuns>, String> {
    let observer = |part: ExportedCase| {
        part.unbounded()?;
        let events = part.case.system.events.iter().map(|event| event.text.clone()).collect();
        match part.target {
            ExportTarget::Accepted(table) => Ok(ForbiddenRuns { table, events, guards: part.chosen }),
            ExportTarget::Stuck | ExportTarget::State(_) => Err("it looks for a state".to_owned()),
        }
    };
    parts.into_iter().map(observer).collect()
}
