//! The observers of a question, for formats that know a diagram by its lifelines and events by their texts.

use sequent_kernel::templates::Observed;

use super::{Part, Target};

/// The observers of all parts of a question about runs of any length.
pub fn observers(parts: Vec<Part>) -> Result<Vec<Observed>, String> {
    let observer = |part: Part| {
        part.unbounded()?;
        let events = part.case.system.events.iter().map(|event| event.text.clone()).collect();
        match part.target {
            Target::Accepted(table) => Ok(Observed { table, events, guards: part.chosen }),
            Target::Stuck | Target::State(_) => Err("it looks for a state".to_owned()),
        }
    };
    parts.into_iter().map(observer).collect()
}
